//! The part of the table that describes `uiTemplate`.

use super::field::{Field, Kind};

const ARTIFACT_KINDS: &[&str] = &["auto", "credentials", "payment_card", "form"];
const FIELD_TYPES: &[&str] = &[
    "text",
    "textarea",
    "password",
    "email",
    "number",
    "date",
    "select",
    "otp",
    "card-number",
    "expiry",
    "cvc",
];

const OPTION: &[Field] = &[
    Field::text("label", "", "What the person reads."),
    Field::text("value", "", "What the agent gets."),
];

const TEMPLATE_FIELD: &[Field] = &[
    Field::text("id", "", "The name of the value."),
    Field::text("label", "", "What the person reads."),
    Field::choice("type", FIELD_TYPES, "text", "How it is entered."),
    Field::optional_text("placeholder", "Shown while it is empty."),
    Field::optional_flag("required", "Whether it must be filled in."),
    Field::optional_text("helperText", "A hint below it."),
    Field::optional("options", Kind::List(OPTION), "The choices of a select."),
    Field::optional_text("autocomplete", "What the browser may fill in."),
    Field::optional_text("artifactKey", "Its key in the answer."),
];

const STYLE: &[Field] = &[
    Field::optional_text("brandColor", "The colour of the buttons."),
    Field::optional_text("backgroundCss", "The background."),
    Field::optional_text("fontFamily", "The font."),
];

pub(super) const TEMPLATE: &[Field] = &[
    Field::optional_text("templateId", "The name of the form."),
    Field::optional_text("title", "Its heading."),
    Field::optional_text("summary", "What it is about."),
    Field::optional_text("capabilityHint", "How to get what is asked for."),
    Field::optional("artifactKind", Kind::Choice(ARTIFACT_KINDS), "What it yields."),
    Field::optional_flag("requireArtifactOnApprove", "Approval needs a value."),
    Field::optional_flag("allowTextAttachment", "Text may be given."),
    Field::optional_flag("allowLocationAttachment", "A location may be given."),
    Field::optional_flag("allowPhotoAttachment", "A photo may be given."),
    Field::optional_flag("allowAudioAttachment", "A recording may be given."),
    Field::optional_flag("allowFileAttachment", "A file may be given."),
    Field::optional_text("fileAccept", "Which files."),
    Field::optional_text("middleHtml", "Markup in the middle of the form."),
    Field::optional_text("middleCss", "Style of that markup."),
    Field::optional_text("middleScript", "Script of that markup."),
    Field::optional_text("approveScript", "Script run on approval."),
    Field::optional_text("approveLabel", "The button that approves."),
    Field::optional_text("rejectLabel", "The button that rejects."),
    Field::optional_text("noteLabel", "The label of the note."),
    Field::optional_text("notePlaceholder", "Shown while the note is empty."),
    Field::optional("fields", Kind::List(TEMPLATE_FIELD), "What is to be filled in."),
    Field::optional("style", Kind::Object(STYLE), "How it looks."),
];
