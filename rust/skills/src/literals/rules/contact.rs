//! How to reach somebody: email, telephone, address, place.

use super::{Rule, Seen, has_digit, has_digits};
use crate::literals::Kind;

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: Kind::Email,
        hint: |line| line.contains('@'),
        pattern: r#"[^\s"'`<>@,;:()\[\]{}=|/\\]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}"#,
        accept: email,
    },
    // International: a plus and eight digits or more.
    Rule {
        kind: Kind::Phone,
        hint: |line| line.contains('+') && has_digits(line, 8),
        pattern: r"\+[1-9][0-9 ().\-/\u{a0}]{6,22}[0-9]",
        accept: international,
    },
    // North American: three, three and four.
    Rule {
        kind: Kind::Phone,
        hint: |line| has_digits(line, 10),
        pattern: r"(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-. ])[2-9][0-9]{2}[-. ][0-9]{4}",
        accept: |seen| seen.alone("-.+/") && !is_fictional(&seen.digits()),
    },
    // National with a leading zero and a separator: 030/1234567, 0171 1234567, 020 7946 0958.
    Rule {
        kind: Kind::Phone,
        hint: |line| has_digits(line, 9),
        pattern: r"\(?0[1-9][0-9]{1,4}\)?[ /-][0-9]{3,8}(?:[ -][0-9]{2,6}){0,3}",
        accept: |seen| {
            let digits = seen.digits().len();
            seen.alone("-./:_") && (9..=13).contains(&digits) && !is_date(seen.text)
        },
    },
    Rule {
        kind: Kind::Phone,
        hint: |line| line.contains("tel:") || line.contains("sms"),
        pattern: r"(?:tel|sms|smsto):\+?([0-9][0-9().-]{4,18}[0-9])",
        accept: |seen| !is_fictional(&seen.digits()),
    },
    Rule {
        kind: Kind::Phone,
        hint: |line| has_digits(line, 7),
        pattern: r#"(?i)(?:phone|mobile|telephone|telefon|whatsapp)(?:[ _-]?(?:number|no\.?|nr\.?))?["']?\s*[:=]\s*["']?([0-9][0-9 -]{5,16}[0-9])"#,
        accept: |seen| !is_fictional(&seen.digits()),
    },
    // 12 Main Street, 221b Baker St
    Rule {
        kind: Kind::Address,
        hint: has_digit,
        pattern: r"[0-9]{1,5}[a-zA-Z]?,? (?:[NSEW]\.? )?(?:[A-Z][A-Za-z'’.-]+ ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|Terrace|Highway|Hwy|Parkway|Pkwy|Crescent|Close|Way|Alley)",
        accept: street,
    },
    // Hauptstraße 12, Dorpsstraat 3a, Lange Gasse 7
    Rule {
        kind: Kind::Address,
        hint: has_digit,
        pattern: r"(?:[A-ZÄÖÜ][a-zäöüß-]*(?:straße|strasse|str\.|straat|gasse|allee|weg|platz|laan|gatan)|[A-ZÄÖÜ][a-zäöüß]+ (?:Straße|Strasse|Str\.|Gasse|Allee|Weg|Platz)) [0-9]{1,4} ?[a-hA-H]?",
        accept: |seen| !is_kind_of_place(seen.text) && seen.alone("_-"),
    },
    // 12 rue de la Paix, 5 bis avenue Foch
    Rule {
        kind: Kind::Address,
        hint: has_digit,
        pattern: r"[0-9]{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|chemin|impasse|allée|quai|Rue|Avenue|Boulevard|Chemin|Impasse|Quai) (?:(?:de la|de l'|de|du|des|d') ?)?[A-ZÉÈÀ][A-Za-zéèêàç-]+",
        accept: |seen| seen.alone("_-."),
    },
    // Calle Mayor 5, Via Roma, 12
    Rule {
        kind: Kind::Address,
        hint: has_digit,
        pattern: r"(?:Calle|Avenida|Plaza|Paseo|Rua|Via|Viale|Piazza|Corso) (?:(?:de|del|de la|della|di|dos|das) )?[A-ZÁÉÍÓÚÑ][A-Za-záéíóúñ]+,? [0-9]{1,4}",
        accept: |seen| seen.alone("_-.") && !seen.text.contains("Bluetooth"),
    },
    // Mountain View, CA 94043
    Rule {
        kind: Kind::Address,
        hint: |line| has_digits(line, 5),
        pattern: r"[A-Z][A-Za-z]+, (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) [0-9]{5}(?:-[0-9]{4})?",
        accept: |seen| seen.alone("_-"),
    },
    // SW1A 1AA
    Rule {
        kind: Kind::Address,
        hint: has_digit,
        pattern: r"[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][ABD-HJLNP-UW-Z]{2}",
        accept: |seen| seen.alone("_-.") && !seen.text.ends_with("GB"),
    },
    Rule {
        kind: Kind::Coordinates,
        hint: |line| has_digits(line, 8) && line.contains(','),
        pattern: r"-?[0-9]{1,3}\.[0-9]{4,15} ?, ?-?[0-9]{1,3}\.[0-9]{4,15}",
        accept: on_earth,
    },
    Rule {
        kind: Kind::Coordinates,
        hint: |line| line.contains('°'),
        pattern: r#"[0-9]{1,3}° ?[0-9]{1,2}['′] ?(?:[0-9]{1,2}(?:\.[0-9]+)?["″] ?)?[NSEW]"#,
        accept: |_| true,
    },
    Rule {
        kind: Kind::Coordinates,
        hint: |line| has_digits(line, 4),
        pattern: r#"(?i)["']?(?:lat|latitude|lng|lon|longitude)["']?\s*[:=]\s*["']?(-?[0-9]{1,3}\.[0-9]{4,15})"#,
        accept: |_| true,
    },
];

fn street(seen: &Seen<'_>) -> bool {
    let disk = ["Google", "One", "USB", "Flash", "Hard", "Shared", "Cloud", "Test"];
    let is_disk = disk.iter().any(|word| seen.text.ends_with(&format!(" {word} Drive")));
    let alone = seen.alone("_.:/-%") || (seen.after() == Some('.') && !joined_before(seen));
    alone && !is_disk
}

fn joined_before(seen: &Seen<'_>) -> bool {
    seen.before().is_some_and(|letter| letter.is_alphanumeric() || "_.:/-".contains(letter))
}

/// Names that stand for a person in every text, and mail that has no reader.
const NOBODY: &[&str] = &["noreply", "no-reply", "donotreply", "git"];
/// Endings of pictures: `icon@2x.png` is no address.
const FILES: &[&str] = &["png", "jpg", "jpeg", "svg", "webp", "gif", "pdf", "js", "ts", "css"];
/// Reserved for examples and tests.
const RESERVED: &[&str] = &["example", "test", "invalid", "localhost", "local"];

fn email(seen: &Seen<'_>) -> bool {
    let text = seen.text.to_lowercase();
    let Some((name, domain)) = text.rsplit_once('@') else { return false };
    let labels: Vec<&str> = domain.split('.').collect();
    let ending = labels.last().copied().unwrap_or_default();
    let second = labels.len().checked_sub(2).and_then(|at| labels.get(at)).copied();
    let reserved = RESERVED.contains(&ending) || second == Some("example");
    !(reserved || NOBODY.contains(&name) || FILES.contains(&ending) || name.contains("${"))
}

fn international(seen: &Seen<'_>) -> bool {
    let digits = seen.digits();
    // A sum or a time zone is glued to what stands before it.
    let glued =
        seen.before().is_some_and(|letter| letter.is_alphanumeric() || ")]+".contains(letter));
    (8..=15).contains(&digits.len())
        && !glued
        && !seen.after().is_some_and(char::is_alphanumeric)
        && !is_fictional(&digits)
}

/// The numbers films use: 555-0100 to 555-0199, the area 555, and digits that only count up.
fn is_fictional(digits: &[u32]) -> bool {
    let length = digits.len();
    let film = length >= 7 && matches!(digits[length - 7..], [5, 5, 5, 0, 1, _, _]);
    let area = matches!(digits, [1, 5, 5, 5, ..] | [5, 5, 5, ..]) && (10..=11).contains(&length);
    film || area
        || digits.windows(2).all(|pair| pair[0] == pair[1] || pair[1] == (pair[0] + 1) % 10)
}

/// 01-02-2026 and the like.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '/', ' ']).collect();
    matches!(parts[..], [a, b, c] if a.len() == 2 && b.len() == 2 && c.len() == 4)
}

/// Words that end like a street's name and are none.
fn is_kind_of_place(text: &str) -> bool {
    ["Parkplatz", "Sitzplatz", "Stellplatz", "Arbeitsplatz", "Speicherplatz", "Platz ", "Umweg"]
        .iter()
        .any(|word| text.starts_with(word))
}

fn on_earth(seen: &Seen<'_>) -> bool {
    let mut numbers = seen.text.split(',').filter_map(|number| number.trim().parse::<f64>().ok());
    let (Some(latitude), Some(longitude)) = (numbers.next(), numbers.next()) else { return false };
    // Two small numbers are a point on a screen or a scale; that place on earth is sea.
    let ratio = latitude.abs() <= 4.0 && longitude.abs() <= 4.0;
    seen.alone("._") && !ratio && latitude.abs() <= 90.0 && longitude.abs() <= 180.0
}
