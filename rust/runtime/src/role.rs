//! What a node is, in one word, whatever toolkit drew it.
//!
//! Apps do not say what their nodes are; it is guessed from what they do say. The rules are tried
//! in order and the first that fits wins:
//!
//! 1. what the app itself calls it (its role description), where that is a word known here;
//! 2. tabs, known by what they are in;
//! 3. the class, most specific words first;
//! 4. items of collections, headings, and layouts;
//! 5. what is left is judged by its label and by whether it takes clicks.

use crate::fold::{Folded, ascii_contains};
use crate::screen::{Flags, Node};

macro_rules! roles {
    ($($role:ident $name:literal $doc:literal)*) => {
        /// What a node is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Role {
            $(#[doc = $doc] $role,)*
        }

        impl Role {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$role),*];

            /// Its name in payloads and results: lower case, no separators.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)* }
            }
        }
    };
}

roles! {
    Container "container" "Holds others, in no known direction."
    Row "row" "Holds others, side by side."
    Column "column" "Holds others, one below the other."
    Toolbar "toolbar" "The bar with the title and the actions of a page."
    TabBar "tabbar" "Holds tabs."
    List "list" "A collection in one column."
    Grid "grid" "A collection in several columns."
    ListItem "listitem" "An item of a collection."
    Pager "pager" "Pages to swipe through."
    Tab "tab" "Leads to one of several pages."
    Card "card" "A card."
    Button "button" "Does something when tapped."
    TextField "textfield" "Can be typed into."
    Switch "switch" "On or off, sliding."
    Checkbox "checkbox" "On or off, with a tick."
    Radio "radio" "One of several."
    Toggle "toggle" "A button that stays pressed."
    Icon "icon" "A picture that does something when tapped."
    Image "image" "A picture."
    Chip "chip" "A small token: a filter, a choice, a person."
    Menu "menu" "Choices that open out."
    MenuItem "menuitem" "One of the choices of a menu."
    Text "text" "Text."
    Label "label" "Text that a screen reader stops at."
    Title "title" "Text that names what follows."
    Unknown "unknown" "Nothing is known of it."
}

impl Role {
    /// The role of that name, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = Folded::new(name);
        Self::ALL.iter().copied().find(|role| name.equals(role.name()))
    }

    /// What a node is, by the rules above. Allocates nothing.
    #[must_use]
    pub fn of(node: Node<'_>) -> Self {
        let class = ClassWord::first_in(node.class());
        said_by_app(node)
            .or_else(|| tab_by_surroundings(node))
            .or_else(|| class.and_then(|class| by_class(node, class)))
            .or_else(|| by_structure(node, class))
            .unwrap_or_else(|| by_label(node))
    }
}

/// What apps call their roles: Compose ("Tab", "Switch"), React Native and the Web ("check box",
/// "combo box"). The words are in the language of the phone; of the others nothing is concluded.
const SAID: &[(&str, Role)] = &[
    ("button", Role::Button),
    ("card", Role::Card),
    ("check box", Role::Checkbox),
    ("checkbox", Role::Checkbox),
    ("chip", Role::Chip),
    ("combo box", Role::Menu),
    ("drop down list", Role::Menu),
    ("dropdown list", Role::Menu),
    ("edit box", Role::TextField),
    ("grid", Role::Grid),
    ("heading", Role::Title),
    ("icon", Role::Icon),
    ("image", Role::Image),
    ("list", Role::List),
    ("list item", Role::ListItem),
    ("menu", Role::Menu),
    ("menu item", Role::MenuItem),
    ("radio button", Role::Radio),
    ("switch", Role::Switch),
    ("tab", Role::Tab),
    ("tab bar", Role::TabBar),
    ("tab list", Role::TabBar),
    ("text field", Role::TextField),
    ("toggle button", Role::Toggle),
    ("toolbar", Role::Toolbar),
];

/// An app that says what a node is knows better than any guess. Compose needs this: its nodes are
/// plain views whose class tells only some of the roles.
fn said_by_app(node: Node<'_>) -> Option<Role> {
    let said = node.role_description().trim();
    if said.is_empty() {
        return None;
    }
    let (_, role) = SAID.iter().find(|(word, _)| said.eq_ignore_ascii_case(word))?;
    Some(if *role == Role::Image { picture(node) } else { *role })
}

/// Tabs come in every class; what they have in common is a label, and a bar they stand in.
fn tab_by_surroundings(node: Node<'_>) -> Option<Role> {
    let parent = node.parent().filter(|_| node.has_label())?;
    // Only the name: a package such as `com.tabletop` says nothing about its views.
    let id = parent.resource_id();
    let name = id.rsplit_once('/').map_or(id, |(_, name)| name);
    let in_bar = contains_any(parent.class(), &["TabLayout", "BottomNavigationView"])
        || contains_any(name, &["tab", "navigation", "bottom"]);
    in_bar.then_some(Role::Tab)
}

/// A word that may occur anywhere in a class name. In the order of the rules: of several words in
/// one name, the first here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ClassWord {
    ViewPager,
    // These four before Button: three of them are buttons by name, and "button" says less.
    CheckBox,
    RadioButton,
    ToggleButton,
    Switch,
    Button,
    TextField,
    RecyclerView,
    ListView,
    GridView,
    Toolbar,
    TabBar,
    ImageView,
    Chip,
    Layout,
}

impl ClassWord {
    /// The words that begin with a letter. One pass over a name then finds all words.
    fn beginning_with(letter: u8) -> &'static [(&'static str, Self)] {
        match letter.to_ascii_lowercase() {
            b'a' => &[("AutoCompleteTextView", Self::TextField)],
            b'b' => &[("BottomNavigationView", Self::TabBar), ("Button", Self::Button)],
            b'c' => &[
                ("CheckBox", Self::CheckBox),
                ("Chip", Self::Chip),
                ("ConstraintLayout", Self::Layout),
                ("CoordinatorLayout", Self::Layout),
            ],
            b'e' => &[("EditText", Self::TextField)],
            b'f' => &[("FrameLayout", Self::Layout)],
            b'g' => &[("GridView", Self::GridView)],
            b'i' => &[("ImageView", Self::ImageView)],
            b'l' => &[("LinearLayout", Self::Layout), ("ListView", Self::ListView)],
            b'r' => &[("RadioButton", Self::RadioButton), ("RecyclerView", Self::RecyclerView)],
            b's' => &[("Switch", Self::Switch)],
            b't' => &[
                ("TabLayout", Self::TabBar),
                ("ToggleButton", Self::ToggleButton),
                ("Toolbar", Self::Toolbar),
            ],
            b'v' => &[("ViewPager", Self::ViewPager)],
            _ => &[],
        }
    }

    fn first_in(class: &str) -> Option<Self> {
        // Most classes begin so, and no word is in it.
        let class = class.strip_prefix("android.widget.").unwrap_or(class).as_bytes();
        let mut first = None;
        for (at, letter) in class.iter().enumerate() {
            for (word, found) in Self::beginning_with(*letter) {
                // A ViewSwitcher shows one of two views. There is nothing to switch.
                let is_switcher = *found == Self::Switch && begins(&class[at..], "Switcher");
                if begins(&class[at..], word) && !is_switcher {
                    first = Some(first.map_or(*found, |first| (*found).min(first)));
                }
            }
        }
        first
    }
}

fn begins(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

fn contains_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| ascii_contains(text.as_bytes(), word.as_bytes()))
}

/// Widgets are known by their class, or by that of the widget they were made from.
fn by_class(node: Node<'_>, class: ClassWord) -> Option<Role> {
    Some(match class {
        ClassWord::ViewPager => Role::Pager,
        ClassWord::CheckBox => Role::Checkbox,
        ClassWord::RadioButton => Role::Radio,
        ClassWord::ToggleButton => Role::Toggle,
        ClassWord::Switch => Role::Switch,
        ClassWord::Button => Role::Button,
        ClassWord::TextField => Role::TextField,
        // One class for lists and grids; only its columns tell.
        ClassWord::RecyclerView if node.collection().is_some_and(|(_, columns)| columns > 1) => {
            Role::Grid
        }
        ClassWord::RecyclerView | ClassWord::ListView => Role::List,
        ClassWord::GridView => Role::Grid,
        ClassWord::Toolbar => Role::Toolbar,
        ClassWord::TabBar => Role::TabBar,
        ClassWord::ImageView => picture(node),
        ClassWord::Chip => Role::Chip,
        // Rows of lists are layouts too, and that they are rows says more.
        ClassWord::Layout => return None,
    })
}

/// A picture one can tap is an icon, even where the row around it takes the tap.
fn picture(node: Node<'_>) -> Role {
    if node.is_effectively_clickable() { Role::Icon } else { Role::Image }
}

/// Items of collections and headings say so themselves; layouts say how they lay out.
fn by_structure(node: Node<'_>, class: Option<ClassWord>) -> Option<Role> {
    if node.has(Flags::COLLECTION_ITEM) {
        Some(Role::ListItem)
    } else if node.has(Flags::HEADING) && node.has_label() {
        Some(Role::Title)
    } else if class != Some(ClassWord::Layout) {
        None
    } else if node.has(Flags::HORIZONTAL) {
        Some(Role::Row)
    } else if node.has(Flags::VERTICAL) {
        Some(Role::Column)
    } else {
        Some(Role::Container)
    }
}

/// Own views of apps have any class. A short label that takes clicks is a button; a sentence that
/// does is still a text.
fn by_label(node: Node<'_>) -> Role {
    let label = node.label();
    let in_toolbar = || node.parent().is_some_and(|up| contains_any(up.class(), &["Toolbar"]));
    match (node.has(Flags::CLICKABLE), node.has_label()) {
        (true, false) if contains_any(node.class(), &["icon", "image"]) => Role::Icon,
        (false, true) if in_toolbar() => Role::Title,
        (false, true) if node.has(Flags::SCREEN_READER_FOCUSABLE) => Role::Label,
        (false, true) => Role::Text,
        (true, true) if label.contains(' ') && label.chars().nth(20).is_some() => Role::Text,
        (true, true) => Role::Button,
        (_, false) => Role::Unknown,
    }
}

#[cfg(test)]
mod tests;
