//! Things and homes named after people.

use super::{Rule, Seen};
use crate::literals::Kind;

pub(super) const RULES: &[Rule] = &[
    // Anna's iPhone, Anna’s AC
    Rule {
        kind: Kind::Nickname,
        hint: |line| line.contains("'s ") || line.contains('’'),
        pattern: r"(?:[A-Z][a-zA-Z]* )?[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿ-]+['’]s (?:[A-Za-z0-9]+ ){0,2}?(?i:iphone|ipad|imac|macbook|phone|smartphone|pixel|galaxy|tablet|laptop|computer|pc|mac|watch|tv|television|airpods|buds|earbuds|headphones|speaker|ac|aircon|a/c|air conditioner|heater|thermostat|heat pump|lamp|lights?|fan|nest|echo|alexa|chromecast|xbox|playstation|switch|printer|camera|doorbell|vacuum|robot|router|hotspot|wi-fi|wifi|network|tesla|car|bike|scooter|fridge|oven|washer|dryer|blinds|plug|kindle|device|desktop|tile)\b",
        accept: |seen| has_owner(seen),
    },
    // Anna's room
    Rule {
        kind: Kind::Place,
        hint: |line| line.contains("'s ") || line.contains('’'),
        pattern: r"[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿ-]+['’]s (?:[A-Za-z]+ ){0,2}?(?i:home|house|room|bedroom|office|apartment|flat|place|kitchen|studio|garage|garden|cabin|cottage|farm|studio|desk|school|household|residence|family)\b",
        accept: |seen| has_owner(seen),
    },
    // iPhone of Anna, iPhone von Anna, iPhone de Anna
    Rule {
        kind: Kind::Nickname,
        hint: |line| {
            [" of ", " von ", " de ", " di ", " van "].iter().any(|word| line.contains(word))
        },
        pattern: r"(?:iPhone|iPad|MacBook|Pixel(?: [0-9a-zA-Z]+)?|Galaxy(?: [A-Z0-9a-z]+)?|AirPods|Apple Watch|Handy|Telefon|Téléphone|Teléfono|Phone|Tablet) (?:of|von|de|di|van) ([A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ-]+)",
        accept: |seen| !MAKERS.contains(&seen.text.to_lowercase().as_str()),
    },
    // Annas iPhone
    Rule {
        kind: Kind::Nickname,
        hint: |line| {
            line.contains("s iP") || line.contains("s Handy") || line.contains("s MacBook")
        },
        pattern: r"([A-ZÄÖÜ][a-zäöüß]{2,}s) (?:iPhone|iPad|MacBook|Handy)\b",
        accept: |seen| seen.alone("_-.") && !PLURALS.contains(&seen.text),
    },
    // Casa de Ana, Chez Anna, Familie Müller, Smith Residence
    Rule {
        kind: Kind::Place,
        hint: |line| line.contains("Casa ") || line.contains("Chez ") || line.contains("Famili"),
        pattern: r"(?:Casa (?:de|di|da|do|dos) |Chez |Familie |Familia |Famiglia )[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+",
        accept: |seen| seen.alone("_-"),
    },
    Rule {
        kind: Kind::Place,
        hint: |line| line.contains(" Residence") || line.contains(" Household"),
        pattern: r"[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+ (?:Residence|Household)\b",
        accept: |seen| {
            let first = seen.text.split(' ').next().unwrap_or_default().to_lowercase();
            seen.alone("_-") && !NOT_OWNERS.contains(&first.as_str())
        },
    },
];

const MAKERS: &[&str] = &[
    "google", "samsung", "apple", "xiaomi", "oneplus", "huawei", "sony", "nokia", "motorola", "lg",
    "android", "things", "theseus",
];

/// Words in -s that are no names.
const PLURALS: &[&str] = &[
    "Apps", "Settings", "Contacts", "Photos", "Devices", "Names", "Phones", "Various", "Previous",
    "Others", "Accounts", "Updates", "Messages", "Always", "Minus", "Plus", "Focus", "Status",
    "Its", "This", "Das", "Dieses", "Altes", "Neues", "Eigenes", "Anderes", "Unseres", "Dies",
];

/// Owners that are no person.
const NOT_OWNERS: &[&str] = &[
    "what",
    "it",
    "let",
    "today",
    "tomorrow",
    "yesterday",
    "there",
    "here",
    "that",
    "who",
    "how",
    "where",
    "when",
    "he",
    "she",
    "one",
    "this",
    "android",
    "google",
    "samsung",
    "apple",
    "amazon",
    "microsoft",
    "xiaomi",
    "sony",
    "user",
    "owner",
    "caller",
    "host",
    "guest",
    "app",
    "phone",
    "device",
    "manufacturer",
    "vendor",
    "world",
    "everyone",
    "everybody",
    "someone",
    "somebody",
    "anyone",
    "nobody",
    "other",
    "another",
    "men",
    "women",
    "kids",
    "children",
    "child",
    "parent",
    "customer",
    "driver",
    "editor",
    "author",
    "developer",
    "master",
    "family",
    "people",
    "person",
    "operator",
    "agent",
    "server",
    "client",
    "browser",
    "system",
    "chrome",
    "skill",
    "recipe",
    "company",
    "country",
    "city",
    "name",
    "tenant",
    "visitor",
    "patient",
    "student",
    "teacher",
    "member",
    "admin",
    "your",
    "neighbour",
    "neighbor",
    "computer",
    "emulator",
    "simulator",
    "official",
    "primary",
    "private",
    "permanent",
    "main",
    "new",
    "old",
    "your",
    "luxury",
    "room",
    "car",
    "tv",
    "screen",
    "hardware",
    "machine",
    "tester",
    "reader",
    "writer",
    "seller",
    "buyer",
];

fn has_owner(seen: &Seen<'_>) -> bool {
    let owner = seen.text.split(['\'', '’']).next().unwrap_or_default();
    let last = owner.rsplit(' ').next().unwrap_or_default().to_lowercase();
    seen.alone("_") && !NOT_OWNERS.contains(&last.as_str())
}
