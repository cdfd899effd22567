//! What names one phone, computer or account.

use super::{Rule, Seen, has_digits};
use crate::literals::Kind;

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: Kind::Mac,
        hint: |line| line.contains(':') || line.contains('-'),
        pattern: r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}|(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}",
        accept: mac,
    },
    Rule {
        kind: Kind::Uuid,
        hint: |line| line.contains('-'),
        pattern: r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
        accept: uuid,
    },
    Rule {
        kind: Kind::Ip,
        hint: |line| has_digits(line, 4) && line.contains('.'),
        pattern: r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]{2,5})?",
        accept: ip,
    },
    // How wireless debugging announces a phone.
    Rule {
        kind: Kind::Serial,
        hint: |line| line.contains("._adb"),
        pattern: r"adb-([A-Za-z0-9]{6,20})-[A-Za-z0-9]{6}\._adb",
        accept: |seen| !seen.digits().is_empty() && !is_placeholder(seen.text),
    },
    // A word says what follows.
    Rule {
        kind: Kind::Serial,
        hint: |line| has_digits(line, 3),
        pattern: r#"(?i)(?:serial(?:[ _-]?(?:no|number))?|device[ _-]?id|android[ _-]?id|adb -s|--device|--serial)["']?\s*[:= ]\s*["']?([A-Za-z0-9]{8,20})"#,
        accept: labelled_serial,
    },
    Rule {
        kind: Kind::Serial,
        hint: |line| has_digits(line, 2),
        pattern: r"[A-Z0-9]{8,20}",
        accept: bare_serial,
    },
    Rule {
        kind: Kind::Account,
        hint: |line| has_digits(line, 4),
        pattern: r#"(?i)(?:account|customer|user|member(?:ship)?|order|booking|contract|client)[ _-]?(?:id|number|no\.?|nr\.?|#)["']?\s*[:=#]?\s*["']?([A-Za-z0-9-]{6,36})"#,
        accept: |seen| {
            seen.digits().len() >= 4 && seen.alone("_.{}$") && !is_placeholder(seen.text)
        },
    },
];

fn mac(seen: &Seen<'_>) -> bool {
    let hex: String = seen.text.chars().filter(char::is_ascii_hexdigit).collect();
    let hex = hex.to_lowercase();
    // A longer row of pairs is a fingerprint of a key.
    seen.alone(":-_")
        && !hex.chars().all(|letter| letter == '0' || letter == 'f')
        // What Android answers instead of the real one, and what every emulator has.
        && hex != "020000000000"
        && !hex.starts_with("0215b2")
}

fn uuid(seen: &Seen<'_>) -> bool {
    let text = seen.text.to_lowercase();
    let mut digits = text.chars().filter(|letter| *letter != '-');
    // All services of Bluetooth that have a number end like this.
    let bluetooth = text.ends_with("-0000-1000-8000-00805f9b34fb");
    let same = digits.all(|letter| text.starts_with(letter));
    seen.alone("-_") && !bluetooth && !same && !text.starts_with("12345678-1234-")
}

fn ip(seen: &Seen<'_>) -> bool {
    let (address, port) = seen.text.split_once(':').unwrap_or((seen.text, ""));
    let parts: Vec<u8> = address.split('.').filter_map(|part| part.parse().ok()).collect();
    let [a, b, c, _] = parts[..] else { return false };
    let harmless = matches!(
        (a, b, c),
        // This computer, any, the emulator's view of its host, and the ranges for examples.
        (127 | 0 | 255, _, _) | (10, 0, 2) | (192, 0, 2) | (198, 51, 100) | (203, 0, 113)
    );
    // Four numbers alone may be a version, except where no version begins like this.
    let address = !port.is_empty() || (a, b) == (192, 168);
    seen.alone("._-") && address && !harmless
}

/// Everything that stands for a number in examples.
fn is_placeholder(text: &str) -> bool {
    let text = text.to_uppercase();
    let same = text.chars().all(|letter| text.starts_with(letter));
    let crosses = text.chars().filter(|letter| *letter == 'X').count() >= text.len() / 2;
    let zeros = text.contains("00000");
    same || crosses
        || zeros
        || ["0123456789", "123456", "ABCDEF", "ABC123", "EXAMPLE", "SERIAL"]
            .iter()
            .any(|word| text.starts_with(word))
}

fn labelled_serial(seen: &Seen<'_>) -> bool {
    seen.digits().len() >= 3 && seen.alone("_-.$}") && !is_placeholder(seen.text)
}

/// Letters and digits in turn, as serial numbers have them and words with a number do not.
fn bare_serial(seen: &Seen<'_>) -> bool {
    let text = seen.text;
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.len() - digits;
    let is_digit: Vec<bool> = text.bytes().map(|byte| byte.is_ascii_digit()).collect();
    let turns = is_digit.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let ends_sentence = seen.line[seen.end..].starts_with(". ") || &seen.line[seen.end..] == ".";
    let alone = seen.alone("_-./#@+\\$%&~^") || ends_sentence && joined_only_after(seen);
    digits >= 2
        && letters >= 2
        && turns >= 2
        && alone
        && !is_placeholder(text)
        && !is_timestamp(text)
        && !is_measure(text)
        && !is_hexadecimal(seen)
        && !has_word(text)
}

fn joined_only_after(seen: &Seen<'_>) -> bool {
    !seen.before().is_some_and(|letter| letter.is_alphanumeric() || "_-./#@+".contains(letter))
}

/// Five letters in a row are a word, as in a constant's name.
fn has_word(text: &str) -> bool {
    text.split(|letter: char| letter.is_ascii_digit()).any(|letters| letters.len() >= 5)
}

/// 20260101T123000Z
fn is_timestamp(text: &str) -> bool {
    text.split_once('T').is_some_and(|(date, time)| {
        let time = time.strip_suffix('Z').unwrap_or(time);
        let numbers = [date, time].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()));
        numbers && matches!(date.len(), 6 | 8) && matches!(time.len(), 4 | 6)
    })
}

/// 1080P60FPS: numbers with their units.
fn is_measure(text: &str) -> bool {
    let units =
        ["P", "FPS", "GB", "MB", "KB", "TB", "MP", "HZ", "GHZ", "MHZ", "MAH", "K", "RAM", "W"];
    let starts_with_digit = text.starts_with(|letter: char| letter.is_ascii_digit());
    let mut words = text.split(|letter: char| letter.is_ascii_digit()).filter(|w| !w.is_empty());
    starts_with_digit && words.all(|word| units.contains(&word))
}

/// Eight hexadecimal digits are a colour or half a double far more often than a phone; where a word
/// says that it is one, the rule for that finds it. Longer ones are hashes where the line says so.
fn is_hexadecimal(seen: &Seen<'_>) -> bool {
    let hex = seen.text.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex && (seen.text.len() == 8 || seen.labelled(&["hash", "checksum", "digest", "0x"]))
}
