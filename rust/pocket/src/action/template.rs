//! The form a person sees when an agent asks for help, as the agent described it.
//!
//! Types are right, contents are not to be trusted: whoever shows the form cuts lengths and refuses
//! markup and scripts.

use super::{ArtifactKind, FieldType};
use serde::{Deserialize, Serialize};

/// `uiTemplate` of `request_human_auth`. What is absent comes from the capability's own form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs, reason = "the table describes every field, and the docs page is made of it")]
pub struct UiTemplate {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_kind: Option<ArtifactKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_artifact_on_approve: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_text_attachment: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_location_attachment: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_photo_attachment: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_audio_attachment: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_file_attachment: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_accept: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle_html: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle_css: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle_script: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approve_script: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approve_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reject_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_placeholder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<TemplateField>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<TemplateStyle>,
}

/// One field of the form. An empty `id` or `label` is named after its place when it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the table describes every field, and the docs page is made of it")]
pub struct TemplateField {
    pub id: String,
    pub label: String,
    #[serde(rename = "type")]
    pub kind: FieldType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helper_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<TemplateOption>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autocomplete: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_key: Option<String>,
}

/// One choice of a `select` field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the table describes every field, and the docs page is made of it")]
pub struct TemplateOption {
    pub label: String,
    pub value: String,
}

/// How the form looks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs, reason = "the table describes every field, and the docs page is made of it")]
pub struct TemplateStyle {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand_color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background_css: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font_family: Option<String>,
}
