//! The form a person sees: the capability's own, changed by what the agent wants and may have.

mod base;
mod field;
mod merge;
mod rules;

pub(in crate::human) use rules::flag;

pub use field::{FormField, FormOption};
pub use merge::merged;

use crate::action::{ArtifactKind, Capability};
use rules::{Reader, css_color, file_accept, plain_css};
use serde::Serialize;
use serde_json::{Map, Value};

/// A form that is safe to show: every text within its limit, every word one of its set. The texts
/// are still the agent's and only ever shown as text; `middle` is code and stays in its frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are those of `uiTemplate`, which the schema describes")]
pub struct Form {
    pub template_id: String,
    /// Where the form comes from, for the person to read.
    pub source: Source,
    pub title: String,
    pub summary: String,
    pub capability_hint: String,
    pub artifact_kind: ArtifactKind,
    pub require_artifact_on_approve: bool,
    pub allow_text_attachment: bool,
    pub allow_location_attachment: bool,
    pub allow_photo_attachment: bool,
    pub allow_audio_attachment: bool,
    pub allow_file_attachment: bool,
    pub file_accept: String,
    pub approve_label: String,
    pub reject_label: String,
    pub note_label: String,
    pub note_placeholder: String,
    pub fields: Vec<FormField>,
    pub brand_color: String,
    pub background_css: String,
    /// What the agent wrote itself, for the frame that nothing gets out of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle: Option<Middle>,
}

/// Whose form it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The capability's own.
    DefaultShell,
    /// The agent changed it.
    AgentUiTemplate,
    /// The agent changed it and wrote code for it.
    AgentGeneratedUiTemplate,
}

/// Markup, style and scripts of the agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names are those of `uiTemplate`, which the schema describes")]
pub struct Middle {
    pub html: String,
    pub css: String,
    pub script: String,
    pub approve: String,
}

impl Form {
    /// The capability's form with what `template` changes. Anything may stand in it: what breaks a
    /// rule is as if it were not there.
    #[must_use]
    pub fn of(capability: Capability, template: Option<&Value>) -> Self {
        let mut form = base::of(capability);
        if let Some(template) = template.and_then(Value::as_object).filter(|map| !map.is_empty()) {
            form.take(template);
        }
        form
    }

    fn take(&mut self, template: &Map<String, Value>) {
        let read = Reader(template);
        read.text("templateId", 60, &mut self.template_id);
        read.text("title", 120, &mut self.title);
        read.text("summary", 300, &mut self.summary);
        read.text("capabilityHint", 240, &mut self.capability_hint);
        read.text("approveLabel", 40, &mut self.approve_label);
        read.text("rejectLabel", 40, &mut self.reject_label);
        read.text("noteLabel", 80, &mut self.note_label);
        read.text("notePlaceholder", 180, &mut self.note_placeholder);
        read.flag("requireArtifactOnApprove", &mut self.require_artifact_on_approve);
        read.flag("allowTextAttachment", &mut self.allow_text_attachment);
        read.flag("allowLocationAttachment", &mut self.allow_location_attachment);
        read.flag("allowPhotoAttachment", &mut self.allow_photo_attachment);
        read.flag("allowAudioAttachment", &mut self.allow_audio_attachment);
        read.flag("allowFileAttachment", &mut self.allow_file_attachment);
        read.checked("fileAccept", file_accept, &mut self.file_accept);
        read.word("artifactKind", &mut self.artifact_kind);
        if let Some(fields) = template.get("fields").and_then(Value::as_array) {
            self.fields = field::fields(fields);
        }
        if let Some(style) = template.get("style").and_then(Value::as_object) {
            let read = Reader(style);
            read.checked("brandColor", css_color, &mut self.brand_color);
            read.checked("backgroundCss", plain_css, &mut self.background_css);
        }
        // Code that is too long is left out whole: half a script is another script.
        let middle = Middle {
            html: read.code("middleHtml", 18_000),
            css: read.code("middleCss", 8_000),
            script: read.code("middleScript", 24_000),
            approve: read.code("approveScript", 24_000),
        };
        self.source = Source::AgentUiTemplate;
        if middle != Middle::default() {
            self.source = Source::AgentGeneratedUiTemplate;
            self.middle = Some(middle);
        }
    }
}

#[cfg(test)]
mod tests;
