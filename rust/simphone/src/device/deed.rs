//! What comes of touching a view.

use super::view::Key;
use crate::app::{Actions, Ime, Value};

/// What a click does.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    /// The app's actions.
    Act(Act),
    /// A variable becomes the other of true and false; then the app's actions.
    Check(String, Act),
    /// A variable takes a value.
    Choose(String, Value),
    /// A variable takes the value of the place that was touched.
    Slide { variable: String, min: i64, max: i64 },
    /// A text field takes the focus, and the keyboard comes.
    Focus,
    /// Another tab.
    Tab { bar: Key, number: usize },
    /// An app is started.
    Launch(String),
    /// The next of the screens that were written down.
    Next(String),
    /// A key of the system, or of the keyboard.
    Press(Press),
    /// All apps end.
    ClearAll,
}

/// Actions of an app, and the number of the item they stand in.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub(crate) actions: Actions,
    pub(crate) n: i64,
}

/// A key on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    Back,
    Home,
    Recents,
    Enter,
    Erase,
    Letter(char),
}

/// A text field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The variable that holds its text. Fields of screens that were written down have none.
    pub(crate) variable: Option<String>,
    /// Its text, readable or not.
    pub(crate) text: String,
    pub(crate) password: bool,
    pub(crate) ime: Ime,
    pub(crate) submit: Act,
}
