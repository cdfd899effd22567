//! A screen written down: all of it for programs, the gist of it for agents.

pub mod text;
pub mod xml;

use crate::screen::{Screen, WindowKind};

/// Something lies over the app in front: the package of the first window that is not the app's
/// own. A keyboard counts, and so does a notification shade that takes the input; status and
/// navigation bars, always there and never in the way, do not.
#[must_use]
pub fn overlay(screen: &Screen) -> Option<&str> {
    let foreground = screen.foreground_package();
    screen
        .windows()
        .find(|view| view.window().kind != WindowKind::Application || view.package() != foreground)
        .map(|view| view.package())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{NodeSpec, ScreenBuilder, WindowSpec};

    /// The app in front, and one more window.
    fn overlay_of(kind: WindowKind, active: bool, package: &str) -> Option<String> {
        let window = |package: &str| WindowSpec {
            package: package.into(),
            ..WindowSpec::application(NodeSpec::default())
        };
        let mut builder = ScreenBuilder::new(100, 100);
        builder.foreground("app").window(&WindowSpec { active: !active, ..window("app") });
        builder.window(&WindowSpec { kind, active, ..window(package) });
        overlay(&builder.screen().unwrap()).map(str::to_owned)
    }

    #[test]
    fn windows_of_others_and_windows_that_are_no_app_lie_over_it() {
        let keyboard = Some("keyboard".to_owned());
        assert_eq!(overlay_of(WindowKind::InputMethod, false, "keyboard"), keyboard);
        assert_eq!(overlay_of(WindowKind::AccessibilityOverlay, false, "app"), Some("app".into()));
        assert_eq!(overlay_of(WindowKind::Application, false, "other"), Some("other".into()));
        assert_eq!(overlay_of(WindowKind::System, true, "shade"), Some("shade".into()));
    }

    #[test]
    fn the_bars_of_the_system_and_the_apps_own_windows_do_not() {
        assert_eq!(overlay_of(WindowKind::System, false, "statusbar"), None);
        assert_eq!(overlay_of(WindowKind::Application, false, "app"), None);
    }
}
