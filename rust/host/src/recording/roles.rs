//! Whose window is it: an app's, or one of those that stand around apps on every phone?

use super::event::{Event, Recording, What, Window};
use clawperator_contract::operator;
use std::collections::{BTreeSet, HashSet};

/// The bars, the notification shade and the volume panel.
pub(super) const SYSTEM_UI: &str = "com.android.systemui";

/// The class of every keyboard's window, whoever made the keyboard.
const KEYBOARD_CLASS: &str = "android.inputmethodservice.SoftInputWindow";

/// Launchers whose package does not have the word in it.
const LAUNCHERS: &[&str] =
    &["com.miui.home", "com.sonymobile.home", "com.actionlauncher.playstore", "app.lawnchair"];

/// Keyboards whose package has neither `inputmethod` nor `keyboard` in it.
const KEYBOARDS: &[&str] = &["com.samsung.android.honeyboard", "com.touchtype.swiftkey"];

/// Who asks something over an app that goes on afterwards.
const DIALOGS: &[&str] = &[
    "android",
    "com.android.intentresolver",
    "com.android.packageinstaller",
    "com.android.permissioncontroller",
    "com.google.android.packageinstaller",
    "com.google.android.permissioncontroller",
];

/// What a package is to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    App,
    Launcher,
    SystemUi,
    Keyboard,
    /// Questions of the system over an app, and the operator itself.
    Dialog,
    /// The phone did not say whose it is.
    Nobody,
}

/// What each package of one recording is. Names tell most; the recording itself tells the rest.
pub(super) struct Roles {
    keyboards: HashSet<String>,
    launchers: HashSet<String>,
}

impl Roles {
    pub(super) fn of(events: &[Event]) -> Self {
        let mut roles = Self { keyboards: HashSet::new(), launchers: HashSet::new() };
        let mut home_pressed = false;
        for event in events {
            match &event.what {
                What::WindowChange(Window { package_name, class_name, .. }) => {
                    if class_name.as_deref() == Some(KEYBOARD_CLASS) {
                        roles.keyboards.insert(package_name.clone());
                    } else if std::mem::take(&mut home_pressed) && package_name != SYSTEM_UI {
                        roles.launchers.insert(package_name.clone());
                    }
                }
                What::PressKey { key } => home_pressed = key == "home",
                _ => home_pressed = false,
            }
        }
        roles
    }

    pub(super) fn role(&self, package: &str) -> Role {
        let named = |list: &[&str]| list.contains(&package);
        if package.is_empty() {
            Role::Nobody
        } else if package == SYSTEM_UI {
            Role::SystemUi
        } else if named(DIALOGS) || named(&operator::PACKAGES) {
            Role::Dialog
        } else if self.keyboards.contains(package)
            || named(KEYBOARDS)
            || package.contains("inputmethod")
            || package.contains("keyboard")
        {
            Role::Keyboard
        } else if self.launchers.contains(package)
            || named(LAUNCHERS)
            || package.contains("launcher")
        {
            Role::Launcher
        } else {
            Role::App
        }
    }
}

/// Packages of a recording a person acts in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages {
    /// Apps.
    pub apps: BTreeSet<String>,
    /// Questions of the system over an app.
    pub dialogs: BTreeSet<String>,
}

/// Which packages of a recording are apps, and which ask questions over one.
#[must_use]
pub fn packages(recording: &Recording) -> Packages {
    let roles = Roles::of(&recording.events);
    let mut packages = Packages::default();
    for package in recording.events.iter().filter_map(|event| event.what.package_name()) {
        let kept = match roles.role(package) {
            Role::App => &mut packages.apps,
            Role::Dialog if !operator::PACKAGES.contains(&package) => &mut packages.dialogs,
            _ => continue,
        };
        kept.insert(package.to_owned());
    }
    packages
}
