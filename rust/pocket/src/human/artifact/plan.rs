//! What to do on the phone with what a person gave.

use super::{Artifact, Delivered, Place, kind_of, types};
use crate::action::Capability;
use crate::human::bridge::{Decision, Status};
use crate::human::secret::Secret;
use clawperator_contract::Failure;

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Type into whatever has the focus.
    Type(Secret),
    /// `emu geo fix <lon> <lat>`: longitude first, and only emulators know it.
    Locate(Place),
    /// Put the bytes on the phone, then have its media looked through so that apps see them.
    Push {
        /// What.
        content: Delivered,
        /// Where on the phone.
        device_path: String,
    },
}

impl Step {
    /// The words after `shell` that make a file known to the phone's gallery.
    #[must_use]
    pub fn media_scan(device_path: &str) -> [String; 6] {
        let action = "android.intent.action.MEDIA_SCANNER_SCAN_FILE";
        let file = format!("file://{device_path}");
        ["am", "broadcast", "-a", action, "-d", &file].map(ToOwned::to_owned)
    }
}

/// Steps, and words about them that hold no secret.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// What to do, in order.
    pub steps: Vec<Step>,
    /// Values by name that somebody must type into the right fields; they are not typed blindly.
    pub values: Vec<(String, Secret)>,
    /// What was given, for logs and the model: lengths and names only.
    pub told: String,
    /// What the agent should do next.
    pub hint: Option<String>,
}

impl Plan {
    /// What to do after `decision`. `now_ms` names files.
    ///
    /// # Errors
    /// The artifact is broken.
    pub fn of(capability: Capability, decision: &Decision, now_ms: u64) -> Result<Self, Failure> {
        if decision.status != Status::Approved {
            return Ok(Self::default());
        }
        let Some(given) = &decision.artifact else {
            let code = code(capability, &decision.message);
            return Ok(code.map(typed).unwrap_or_default());
        };
        Ok(match Artifact::read(capability, given)? {
            Artifact::Text(text) => typed(text),
            Artifact::Geo(place) => Self {
                steps: vec![Step::Locate(place)],
                // Where a person is is that person's business.
                told: "delegated location".into(),
                ..Self::default()
            },
            Artifact::Image(content) => pushed("image", vec![content], now_ms),
            Artifact::Audio(content) => pushed("audio", vec![content], now_ms),
            Artifact::File(content) => pushed("file", vec![content], now_ms),
            Artifact::Album(photos) => pushed("image", photos, now_ms),
            Artifact::Form(values) => named("form", values),
            Artifact::Credentials(values) => named("credentials", values),
            Artifact::Payment(values) => named("payment card", values),
        })
    }
}

fn typed(text: Secret) -> Plan {
    Plan {
        told: format!("delegated text ({} chars)", text.length()),
        steps: vec![Step::Type(text)],
        hint: Some("text_typed_continue_flow".into()),
        ..Plan::default()
    }
}

fn named(what: &str, values: Vec<(String, Secret)>) -> Plan {
    let names: Vec<_> = values.iter().map(|(name, _)| name.as_str()).collect();
    let told = format!("delegated {what} with the fields {}", names.join(", "));
    Plan { told, values, ..Plan::default() }
}

fn pushed(what: &str, contents: Vec<Delivered>, now_ms: u64) -> Plan {
    let many = contents.len() > 1;
    let steps: Vec<_> = contents
        .into_iter()
        .enumerate()
        .map(|(at, content)| {
            let place = if many { format!("-{}", at + 1) } else { String::new() };
            let extension = extension(&content.mime);
            let name = format!("clawperator-human-auth-{now_ms}{place}.{extension}");
            Step::Push { content, device_path: format!("/sdcard/Download/{name}") }
        })
        .collect();
    let paths = steps.iter().filter_map(|step| match step {
        Step::Push { device_path, .. } => Some(device_path.as_str()),
        _ => None,
    });
    let latest = paths.clone().next_back().unwrap_or_default();
    Plan {
        told: format!("delegated {what} for {}", paths.collect::<Vec<_>>().join(", ")),
        hint: Some(format!("choose {latest} when the app asks for a {what}")),
        steps,
        ..Plan::default()
    }
}

/// What a file of that kind ends in.
#[must_use]
pub(super) fn extension(mime: &str) -> &'static str {
    const ENDINGS: [(&str, &str); 27] = [
        ("png", "png"),
        ("jpeg", "jpg"),
        ("jpg", "jpg"),
        ("webp", "webp"),
        ("heic", "heic"),
        ("heif", "heif"),
        ("gif", "gif"),
        ("bmp", "bmp"),
        ("webm", "webm"),
        ("ogg", "ogg"),
        ("wav", "wav"),
        ("mpeg", "mp3"),
        ("mp3", "mp3"),
        ("m4a", "m4a"),
        ("audio/mp4", "m4a"),
        ("video/mp4", "mp4"),
        ("aac", "aac"),
        ("opus", "opus"),
        ("flac", "flac"),
        ("json", "json"),
        ("pdf", "pdf"),
        ("vcard", "vcf"),
        ("calendar", "ics"),
        ("csv", "csv"),
        ("zip", "zip"),
        ("html", "html"),
        ("text/plain", "txt"),
    ];
    let mime = kind_of(mime);
    let found = ENDINGS.into_iter().find(|(part, _)| mime.contains(part));
    found.map_or("bin", |(_, ending)| ending)
}

/// The code in a note: a word of 4 to 10 digits, else the whole note if it looks like a code.
fn code(capability: Capability, note: &str) -> Option<Secret> {
    let note = note.trim();
    let ours = ["Approved by", "Rejected by", "Approved from web", "Rejected from web"];
    if !types(capability) || ours.iter().any(|words| note.starts_with(words)) {
        return None;
    }
    let words = note.split(|c: char| !c.is_alphanumeric() && c != '_');
    let digits = |word: &&str| {
        (4..=10).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let whole = (4..=32).contains(&note.len()) && note.bytes().all(plain);
    words.clone().find(digits).or(whole.then_some(note)).map(Secret::new)
}

#[cfg(test)]
pub(super) fn code_of(capability: Capability, note: &str) -> Option<String> {
    code(capability, note).map(|code| code.reveal().to_owned())
}
