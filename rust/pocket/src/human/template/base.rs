//! The forms of the capabilities, before an agent changes them.

use super::{Form, Source};
use crate::action::{ArtifactKind, Capability};

/// What a capability asks for: text, location, photo, audio, file, and which files.
struct Wants {
    id: &'static str,
    hint: &'static str,
    attach: [bool; 5],
    accept: &'static str,
}

const NO: bool = false;

fn wants(capability: Capability) -> Option<Wants> {
    let (id, hint, attach, accept) = match capability {
        Capability::Camera => {
            ("human-auth-camera", "Take or choose a picture.", [NO, NO, true, NO, true], "image/*")
        }
        Capability::Microphone | Capability::Voice => {
            ("human-auth-audio", "Record or choose a sound.", [NO, NO, NO, true, true], "audio/*")
        }
        Capability::Location => (
            "human-auth-location",
            "Say which place the phone should be at.",
            [NO, true, NO, NO, NO],
            "",
        ),
        Capability::Payment => ("human-auth-payment", "Enter the card to pay with.", [NO; 5], ""),
        Capability::TwoFactor | Capability::Sms => {
            ("human-auth-code", "Enter the code you got.", [true, NO, NO, NO, NO], "")
        }
        Capability::Qr => (
            "human-auth-qr",
            "Enter what the code says, or take a picture of it.",
            [true, NO, true, NO, true],
            "image/*",
        ),
        _ => return None,
    };
    Some(Wants { id, hint, attach, accept })
}

pub(super) fn of(capability: Capability) -> Form {
    let mut form = Form {
        template_id: "human-auth-generic".into(),
        source: Source::DefaultShell,
        title: "Authorization Required".into(),
        summary: String::new(),
        capability_hint: String::new(),
        artifact_kind: ArtifactKind::Auto,
        require_artifact_on_approve: false,
        allow_text_attachment: true,
        allow_location_attachment: false,
        allow_photo_attachment: false,
        allow_audio_attachment: false,
        allow_file_attachment: false,
        file_accept: String::new(),
        approve_label: "Approve".into(),
        reject_label: "Reject".into(),
        note_label: "Note".into(),
        note_placeholder: "Anything the agent should know (optional)".into(),
        fields: Vec::new(),
        brand_color: "#ff8a00".into(),
        background_css: String::new(),
        middle: None,
    };
    if let Some(Wants { id, hint, attach, accept }) = wants(capability) {
        let [text, location, photo, audio, file] = attach;
        form.template_id = id.into();
        form.capability_hint = hint.into();
        form.require_artifact_on_approve = true;
        form.allow_text_attachment = text;
        form.allow_location_attachment = location;
        form.allow_photo_attachment = photo;
        form.allow_audio_attachment = audio;
        form.allow_file_attachment = file;
        form.file_accept = accept.into();
        form.approve_label = "Approve and Continue".into();
    }
    form
}
