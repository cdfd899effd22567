//! The phone's own font.

use super::Face;
use std::path::Path;

/// Where Android says which fonts it has. The first is since Android 15, the second is older.
const LISTS: [&str; 2] = ["etc/font_fallback.xml", "etc/fonts.xml"];
/// What phones have had where the lists say nothing useful.
const USUAL: [&str; 4] =
    ["Roboto-Regular.ttf", "RobotoStatic-Regular.ttf", "NotoSans-Regular.ttf", "DroidSans.ttf"];

/// The phone's font for text, below the folder of its system (`/system`); `None` if there is none
/// that can be read.
#[must_use]
pub fn phones_font(system: &Path) -> Option<Face> {
    let lists = LISTS.iter().filter_map(|list| std::fs::read_to_string(system.join(list)).ok());
    let named: Vec<String> =
        lists.filter_map(|list| default_of(&list).map(str::to_owned)).collect();
    let names = named.iter().map(String::as_str).chain(USUAL);
    names.filter_map(|name| Face::read(std::fs::read(system.join("fonts").join(name)).ok()?)).next()
}

/// The file of the upright, regular font of the family `sans-serif`. The lists are Android's own
/// and written one like the other, so a search finds it; a reader of XML would weigh more in the
/// app than this screen.
fn default_of(list: &str) -> Option<&str> {
    let (_, family) = list.split_once("<family name=\"sans-serif\"")?;
    let (family, _) = family.split_once("</family>")?;
    let mut fonts = family.split("<font ").skip(1).filter_map(|font| font.split_once('>'));
    let (_, file) = fonts.find(|(attributes, _)| {
        let other_weight = attributes.contains(" weight=") || attributes.starts_with("weight=");
        let regular = attributes.contains("weight=\"400\"") || !other_weight;
        regular && !attributes.contains("style=\"italic\"")
    })?;
    // What follows the name describes the axes of a variable font.
    let name = file.split('<').next()?.trim();
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regular_font_of_an_old_list_is_found() {
        let list = r#"<familyset version="23">
            <family name="serif"><font weight="400" style="normal">NotoSerif.ttf</font></family>
            <family name="sans-serif">
                <font weight="100" style="normal">Roboto-Thin.ttf</font>
                <font weight="400" style="italic">Roboto-Italic.ttf</font>
                <font weight="400" style="normal">Roboto-Regular.ttf</font>
            </family></familyset>"#;
        assert_eq!(default_of(list), Some("Roboto-Regular.ttf"));
    }

    #[test]
    fn the_variable_font_of_a_new_list_is_found() {
        let with_axes = r#"<family name="sans-serif" varFamilyType="2">
                <font weight="400" style="normal" postScriptName="Maker-Regular">Maker-VF.ttf
                    <axis tag="wght" stylevalue="400" />
                </font></family>"#;
        assert_eq!(default_of(with_axes), Some("Maker-VF.ttf"));
        let without_weights = r#"<family name="sans-serif">
                <font supportedAxes="wght,ital">Roboto-Regular.ttf
                  <axis tag="wdth" stylevalue="100" /></font></family>"#;
        assert_eq!(default_of(without_weights), Some("Roboto-Regular.ttf"));
    }

    #[test]
    fn a_list_without_it_names_nothing() {
        for list in ["", "<family name=\"sans-serif\"", "<family name=\"sans-serif\"></family>"] {
            assert_eq!(default_of(list), None);
        }
    }

    #[cfg(not(target_os = "android"))]
    #[test]
    fn a_font_that_cannot_be_read_gives_way_to_the_next() {
        let system = std::env::temp_dir().join(format!("clawperator-fonts-{}", std::process::id()));
        for folder in ["etc", "fonts"] {
            std::fs::create_dir_all(system.join(folder)).unwrap();
        }
        assert!(phones_font(&system).is_none());
        let list = r#"<family name="sans-serif"><font weight="400">Broken.ttf</font></family>"#;
        std::fs::write(system.join("etc/fonts.xml"), list).unwrap();
        std::fs::write(system.join("fonts/Broken.ttf"), "no font").unwrap();
        std::fs::write(system.join("fonts/DroidSans.ttf"), notosans::REGULAR_TTF).unwrap();
        assert!(phones_font(&system).is_some());
        std::fs::remove_dir_all(&system).unwrap();
    }
}
