use super::*;
use crate::action::{FieldType, UiTemplate};
use crate::workspace::Workspace;
use serde_json::json;

fn form(template: Value) -> Form {
    Form::of(Capability::Unknown, Some(&template))
}

#[test]
fn each_capability_asks_for_what_it_needs() {
    let generic = Form::of(Capability::Oauth, None);
    assert!(generic.allow_text_attachment && !generic.require_artifact_on_approve);
    assert_eq!(
        (generic.title.as_str(), generic.source),
        ("Authorization Required", Source::DefaultShell)
    );
    let camera = Form::of(Capability::Camera, None);
    assert!(camera.allow_photo_attachment && camera.allow_file_attachment);
    assert!(!camera.allow_text_attachment && camera.require_artifact_on_approve);
    assert_eq!(
        (camera.file_accept.as_str(), camera.approve_label.as_str()),
        ("image/*", "Approve and Continue")
    );
    let location = Form::of(Capability::Location, None);
    assert!(location.allow_location_attachment && !location.allow_file_attachment);
    let payment = Form::of(Capability::Payment, None);
    assert!(payment.require_artifact_on_approve && !payment.allow_text_attachment);
    assert!(Form::of(Capability::Qr, None).allow_text_attachment);
    assert_eq!(Form::of(Capability::Voice, None).file_accept, "audio/*");
}

#[test]
fn texts_are_trimmed_and_cut_and_blank_ones_leave_the_default() {
    let long = "é".repeat(400);
    let form = form(json!({"title": format!("  {long}"), "summary": long, "templateId": long,
        "capabilityHint": long, "approveLabel": long, "rejectLabel": "   ", "noteLabel": 7,
        "notePlaceholder": long}));
    let lengths = [
        &form.title,
        &form.summary,
        &form.template_id,
        &form.capability_hint,
        &form.approve_label,
        &form.note_placeholder,
    ]
    .map(|text| text.chars().count());
    assert_eq!(lengths, [120, 300, 60, 240, 40, 180]);
    assert_eq!((form.reject_label.as_str(), form.note_label.as_str()), ("Reject", "Note"));
}

#[test]
fn flags_and_words_are_read_in_the_ways_clients_write_them() {
    for (given, wanted) in [
        (json!("true"), true),
        (json!(1), true),
        (json!("0"), false),
        (json!("yes"), true),
        (json!(null), true),
    ] {
        assert_eq!(
            form(json!({"allowTextAttachment": given})).allow_text_attachment,
            wanted,
            "{given}"
        );
    }
    assert_eq!(
        form(json!({"artifactKind": "CREDENTIALS"})).artifact_kind,
        ArtifactKind::Credentials
    );
    assert_eq!(form(json!({"artifactKind": "root"})).artifact_kind, ArtifactKind::Auto);
}

#[test]
fn style_takes_colours_and_nothing_that_fetches() {
    for good in ["#abc", "#A1b2C3"] {
        assert_eq!(form(json!({"style": {"brandColor": good}})).brand_color, good);
    }
    for bad in ["red", "#abcd", "#ggg", "#abc;}", "url(x)"] {
        assert_eq!(form(json!({"style": {"brandColor": bad}})).brand_color, "#ff8a00", "{bad}");
    }
    let gradient = "linear-gradient(180deg, #fff 0%, rgb(1,2,3) 100%)";
    assert_eq!(form(json!({"style": {"backgroundCss": gradient}})).background_css, gradient);
    for bad in
        ["url(x)", "URL(x)", "#fff;} body{", "image-set(a)", "red\" onload", "a/b", "</style>"]
    {
        assert_eq!(form(json!({"style": {"backgroundCss": bad}})).background_css, "", "{bad}");
    }
    assert_eq!(form(json!({"fileAccept": "image/*,.pdf"})).file_accept, "image/*,.pdf");
    assert_eq!(form(json!({"fileAccept": "\"><script>"})).file_accept, "");
}

#[test]
fn fields_are_named_by_place_cut_and_at_most_twenty() {
    let form = form(json!({"fields": [
        {"id": "user name<b>", "label": "", "type": "EMAIL", "required": "1", "artifactKey": "user"},
        "skipped",
        {},
        {"type": "select", "options": [{"value": " "}, {"value": "a"}, {"value": "b", "label": "B"}, 4]},
        {"type": "text", "options": [{"value": "a"}], "artifactKey": "user"},
    ]}));
    let names: Vec<_> = form
        .fields
        .iter()
        .map(|f| (f.id.as_str(), f.label.as_str(), f.artifact_key.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("user_name_b_", "Field 1", "user"),
            ("field_3", "Field 3", "field_3"),
            ("field_4", "Field 4", "field_4"),
            ("field_5", "Field 5", "user_"),
        ]
    );
    assert_eq!((form.fields[0].kind, form.fields[0].required), (FieldType::Email, true));
    let labels: Vec<_> = form.fields[2].options.iter().map(|o| o.label.as_str()).collect();
    assert_eq!(labels, ["a", "B"]);
    assert_eq!(form.fields[3].options, []);
    let many: Vec<_> = (0..40).map(|_| json!({})).collect();
    assert_eq!(super::tests::form(json!({"fields": many})).fields.len(), 20);
}

#[test]
fn code_is_whole_or_absent_and_marks_the_form_as_the_agents_own() {
    let some = form(json!({"middleHtml": "<p>hi</p>", "middleScript": "x".repeat(24_001)}));
    assert_eq!(some.source, Source::AgentGeneratedUiTemplate);
    let middle = some.middle.unwrap();
    assert_eq!((middle.html.as_str(), middle.script.as_str()), ("<p>hi</p>", ""));
    let plain = form(json!({"title": "T"}));
    assert_eq!((plain.source, plain.middle), (Source::AgentUiTemplate, None));
}

#[test]
fn a_template_file_lies_below_the_inline_one() {
    let dir = std::env::temp_dir().join(format!("human-template-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("t")).unwrap();
    let file = json!({"title": "file", "summary": "file", "style": {"brandColor": "#111111", "backgroundCss": "red"}});
    std::fs::write(dir.join("t/form.json"), serde_json::to_string_pretty(&file).unwrap()).unwrap();
    std::fs::write(dir.join("t/list.json"), "[1]").unwrap();
    std::fs::write(dir.join("t/bad.json"), "{\"secret\": ").unwrap();
    let workspace = Workspace::open(&dir).unwrap();
    let inline: UiTemplate =
        serde_json::from_value(json!({"title": "inline", "style": {"brandColor": "#222222"}}))
            .unwrap();
    let got = merged(Some(&inline), Some(" t/form.json "), Some(&workspace)).unwrap().unwrap();
    assert_eq!(
        got,
        json!({"title": "inline", "summary": "file", "style": {"brandColor": "#222222", "backgroundCss": "red"}})
    );
    assert_eq!(merged(None, None, None).unwrap(), None);
    for (path, code) in [
        ("../form.json", ErrorCode::PocketPathRefused),
        ("/etc/x.json", ErrorCode::PocketPathRefused),
        ("t/none.json", ErrorCode::PocketFileFailed),
        ("t/form.txt", ErrorCode::PocketFileFailed),
        ("t/list.json", ErrorCode::PocketFileFailed),
        ("t/bad.json", ErrorCode::PocketFileFailed),
    ] {
        let failure = merged(None, Some(path), Some(&workspace)).unwrap_err();
        assert_eq!(failure.code, code, "{path}: {failure}");
        assert!(!failure.message.contains("secret"));
    }
    assert_eq!(merged(None, Some("a.json"), None).unwrap_err().code, ErrorCode::PocketDisabled);
    std::fs::remove_dir_all(dir).unwrap();
}

use clawperator_contract::ErrorCode;
