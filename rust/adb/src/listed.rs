//! The list of phones, as `adb devices -l` shows it.

use std::fmt;

/// A phone as the server lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// What names it.
    pub serial: String,
    /// Whether it can be used.
    pub state: State,
    /// `product:`, where the server tells it.
    pub product: Option<String>,
    /// `model:`, where the server tells it.
    pub model: Option<String>,
    /// `device:`, where the server tells it.
    pub device: Option<String>,
    /// `transport_id:`, where the server tells it.
    pub transport_id: Option<u64>,
}

/// Whether a phone can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Yes.
    Device,
    /// Connected, but it does not answer.
    Offline,
    /// It has not allowed this computer.
    Unauthorized,
    /// This user may not open its USB device.
    NoPermissions,
    /// Another word of the server: `recovery`, `sideload`, `authorizing` and so on.
    Other(String),
}

/// Words the server has for a state. A serial may have spaces in it, so the word shows its end.
const WORDS: [&str; 15] = [
    "device",
    "offline",
    "unauthorized",
    "authorizing",
    "connecting",
    "no",
    "recovery",
    "rescue",
    "sideload",
    "bootloader",
    "fastbootd",
    "host",
    "detached",
    "unknown",
    "inaccessible",
];

impl State {
    pub(crate) fn from_word(word: &str) -> Self {
        match word.trim() {
            "device" => Self::Device,
            "offline" => Self::Offline,
            "unauthorized" => Self::Unauthorized,
            // Followed by why: the user's group, the rules of udev, an address to read.
            word if word.starts_with("no permissions") => Self::NoPermissions,
            word => Self::Other(word.to_owned()),
        }
    }
}

impl Listed {
    /// All lines of a list.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        text.lines().filter_map(Self::from_line).collect()
    }

    fn from_line(line: &str) -> Option<Self> {
        let (serial, rest) = split(line)?;
        let word = match rest.split_once(char::is_whitespace) {
            Some((word, _)) if !rest.starts_with("no permissions") => word,
            _ => rest,
        };
        let value = |name: &str| {
            let mut values = rest.split_whitespace().filter_map(|word| word.strip_prefix(name));
            values.next().map(str::to_owned)
        };
        Some(Self {
            serial: serial.to_owned(),
            state: State::from_word(word),
            product: value("product:"),
            model: value("model:"),
            device: value("device:"),
            transport_id: value("transport_id:").and_then(|number| number.parse().ok()),
        })
    }
}

/// The serial, and what comes after it.
fn split(line: &str) -> Option<(&str, &str)> {
    // The short form of the list has a tab between the two.
    if let Some((serial, rest)) = line.split_once('\t') {
        return Some((serial.trim(), rest.trim()));
    }
    let mut found = None;
    let mut at = 0;
    for word in line.split(' ') {
        let first = line[..at].trim().is_empty();
        if !first && !word.is_empty() {
            let known = WORDS.contains(&word);
            if known || found.is_none() {
                found = Some(at);
            }
            if known {
                break;
            }
        }
        at += word.len() + 1;
    }
    let (serial, rest) = line.split_at_checked(found?)?;
    Some((serial.trim(), rest.trim()))
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Device => "device",
            Self::Offline => "offline",
            Self::Unauthorized => "unauthorized",
            Self::NoPermissions => "no permissions",
            Self::Other(word) => word,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Listed {
        let [one] = <[Listed; 1]>::try_from(Listed::all(line)).unwrap();
        one
    }

    #[test]
    fn a_line_tells_all_about_a_phone() {
        let listed = one(
            "emulator-5554          device product:sdk model:Pixel_7 device:emu64x transport_id:12\n",
        );
        let expected = Listed {
            serial: "emulator-5554".into(),
            state: State::Device,
            product: Some("sdk".into()),
            model: Some("Pixel_7".into()),
            device: Some("emu64x".into()),
            transport_id: Some(12),
        };
        assert_eq!(listed, expected);
    }

    #[test]
    fn a_phone_that_has_not_said_hello_has_no_model() {
        let listed = one("R5CT1        unauthorized usb:1-2 transport_id:3");
        assert_eq!((listed.serial.as_str(), listed.state), ("R5CT1", State::Unauthorized));
        assert_eq!((listed.model, listed.device, listed.transport_id), (None, None, Some(3)));
    }

    #[test]
    fn no_permissions_comes_with_a_long_reason() {
        let listed =
            one("R5CT1   no permissions (missing udev rules? user is in the plugdev group); see \
             [http://developer.android.com/tools/device.html] usb:1-2 transport_id:4");
        assert_eq!((listed.state, listed.transport_id), (State::NoPermissions, Some(4)));
    }

    #[test]
    fn a_serial_may_have_spaces() {
        let listed = one("adb-R5CT1-ab (2)._adb-tls-connect._tcp offline transport_id:5");
        assert_eq!(listed.serial, "adb-R5CT1-ab (2)._adb-tls-connect._tcp");
        assert_eq!(listed.state, State::Offline);
    }

    #[test]
    fn a_state_nobody_knows_is_kept_as_it_is() {
        let listed = one("R5CT1                 dancing transport_id:6");
        assert_eq!(listed.state, State::Other("dancing".into()));
        assert_eq!(listed.state.to_string(), "dancing");
        assert_eq!(one("R5CT1\trecovery").state, State::Other("recovery".into()));
    }

    #[test]
    fn lines_that_say_nothing_are_no_phones() {
        assert_eq!(Listed::all(""), []);
        assert_eq!(Listed::all("\n   \nlonely\n"), []);
    }
}
