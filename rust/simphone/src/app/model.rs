//! What an app is: screens of widgets, and actions that lead from one to the other.

use super::value::{Condition, Label, State, Value};
use clawperator_runtime::screen::WindowSpec;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// An app, as data. It never changes; what changes is in the device.
#[derive(Clone, Debug)]
pub struct App {
    /// Its package.
    pub package: String,
    /// Its name, as the launcher shows it.
    pub label: String,
    /// Its version.
    pub version: String,
    /// The screen it starts with.
    pub entry: String,
    /// Is it the one that the home key opens?
    pub home: bool,
    /// URIs it opens.
    pub answers: Vec<Answer>,
    /// Its variables, with their first values.
    pub state: State,
    /// Its screens, by name.
    pub screens: BTreeMap<String, Arc<Page>>,
    /// Its dialogs, by name.
    pub dialogs: BTreeMap<String, Arc<Page>>,
}

/// URIs that begin like this open that screen.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How they begin.
    pub prefix: String,
    /// The screen.
    pub screen: String,
}

/// A screen or a dialog.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: Label,
    /// Has it a bar with its title? A dialog shows its title itself.
    pub toolbar: bool,
    /// May no picture be taken of it?
    pub secure: bool,
    /// What is on it.
    pub body: Body,
    /// Icons in the bar, or buttons of the dialog.
    pub buttons: Vec<Widget>,
}

/// What is on a page.
#[derive(Clone, Debug)]
pub enum Body {
    /// Widgets, laid out when they are shown.
    Widgets(Vec<Widget>),
    /// A screen of another phone, as it was written down, and the screen a click leads to.
    Dump {
        /// The screen.
        window: Arc<WindowSpec>,
        /// The name of the next one.
        next: Option<String>,
    },
}

impl Default for Body {
    fn default() -> Self {
        Self::Widgets(Vec::new())
    }
}

/// Actions, shared by everything that is laid out from one widget.
pub type Actions = Arc<[Action]>;

/// One thing on a page.
#[derive(Clone, Debug)]
pub struct Widget {
    /// What it is.
    pub kind: Kind,
    /// Name in its resource id.
    pub id: Option<String>,
    /// Content description.
    pub description: Option<Label>,
    /// It is there only while this holds.
    pub when: Option<Condition>,
    /// It is enabled only while this holds.
    pub enabled: Option<Condition>,
    /// It appears this long after its page.
    pub late: Option<Duration>,
    /// It vanishes this long after its page appeared.
    pub gone: Option<Duration>,
    /// What a click does.
    pub click: Actions,
    /// What a long click does.
    pub long_click: Actions,
}

/// What a widget is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "docs/simphone-apps.md has each with its keys")]
pub enum Kind {
    Text(Label),
    Heading(Label),
    Image(Label),
    Button(Label),
    Row { title: Label, icon: Option<Label>, summary: Option<Label>, check: Option<Check> },
    Tile { title: Label, icon: Option<Label>, value: Option<Label>, check: Option<Check> },
    Check { label: Label, check: Check },
    Radio { state: String, options: Vec<(Label, Value)> },
    Field { hint: Label, state: String, password: bool, ime: Ime, submit: Actions },
    Slider { label: Label, state: String, min: i64, max: i64 },
    Progress { label: Label, state: String, min: i64, max: i64 },
    List { count: u32, item: Box<Widget> },
    Feed { page: u32, loads: Duration, item: Box<Widget> },
    Tabs { tabs: Vec<Tab>, bottom: bool },
    Grid { columns: u32, items: Vec<Widget> },
    Carousel(Vec<Widget>),
    Apps,
}

/// One page of tabs.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Tab {
    pub label: Label,
    pub widgets: Vec<Widget>,
}

/// Something that is on or off.
#[derive(Clone, Debug)]
pub struct Check {
    /// The variable.
    pub state: String,
    /// How it looks.
    pub style: CheckStyle,
}

/// How something that is on or off looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum CheckStyle {
    Switch,
    Checkbox,
}

/// What the enter key of the keyboard stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum Ime {
    Next,
    Done,
    Search,
    Go,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub enum Action {
    /// Another screen of the app, on top of this one.
    Open(String),
    /// One screen back.
    Back,
    /// The app ends.
    Finish,
    /// A variable is set.
    Set(String, Value),
    /// A variable that is true or false becomes the other.
    Toggle(String),
    /// A number is added to a variable.
    Add(String, i64),
    /// A dialog appears.
    Dialog(String),
    /// The dialog in front goes away.
    Dismiss,
    /// Another app is started.
    App(String),
    /// A URI is opened by whichever app answers it.
    Uri(Label),
    /// Some actions, later.
    After(Duration, Actions),
    /// Some actions, if something holds, or else others.
    If(Condition, Actions, Actions),
}
