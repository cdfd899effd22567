use super::*;
use crate::snapshot::tree;

const SIZE: (u32, u32) = (1080, 2400);

fn found(nodes: &str) -> Vec<Found> {
    let xml = format!(
        "<?xml version='1.0'?>\n<hierarchy rotation=\"0\">{nodes}</hierarchy>\nUI hierchary dumped to: /dev/tty"
    );
    choose(&tree::read(&xml).unwrap(), SIZE)
}

fn node(attributes: &str, inside: &str) -> String {
    let bounds = if attributes.contains("bounds=") { "" } else { "bounds=\"[0,100][500,200]\"" };
    format!("<node {attributes} {bounds}>{inside}</node>")
}

fn scored(attributes: &str) -> usize {
    found(&node(attributes, "")).len()
}

#[test]
fn what_is_worth_four_points_is_kept() {
    for kept in [
        r#"text="A""#,
        r#"content-desc="A""#,
        r#"clickable="true""#,
        r#"resource-id="a:id/b" focusable="true""#,
        r#"class="android.widget.Button""#,
        r#"class="android.widget.EditText" focusable="true""#,
    ] {
        assert_eq!(scored(kept), 1, "{kept}");
    }
    for dropped in [
        r#"resource-id="a:id/b""#,
        r#"class="android.widget.EditText""#,
        r#"text="A" clickable="true" enabled="false""#,
        r#"text="  ""#,
        r#"text="A" bounds="[1200,0][1300,90]""#,
        r#"text="A" bounds="[0,90][0,90]""#,
    ] {
        assert_eq!(scored(dropped), 0, "{dropped}");
    }
}

#[test]
fn texts_are_what_the_person_sees() {
    let seen = found(&node(r#"text="A &amp; B &lt;3" content-desc="&#10;x""#, ""));
    assert_eq!((seen[0].text.as_str(), seen[0].description.as_str()), ("A & B <3", "x"));
}

#[test]
fn what_begins_beyond_the_edge_is_cut_and_not_lost() {
    let seen = found(&node(r#"text="A" bounds="[-20,-5][100,60]""#, ""));
    assert_eq!(seen[0].bounds, Rect { left: 0, top: 0, right: 100, bottom: 60 });
}

#[test]
fn a_row_that_takes_clicks_is_one_element_with_the_label_of_its_texts() {
    let texts = [node(r#"text="Wi-Fi""#, ""), node(r#"content-desc="On""#, "")].concat();
    let toggle = node(r#"class="android.widget.Switch" clickable="true" text="off""#, "");
    let seen = found(&node(r#"clickable="true""#, &[node("", &texts), toggle].concat()));
    let labels: Vec<_> = seen.iter().map(|found| found.text.as_str()).collect();
    assert_eq!(labels, ["Wi-Fi, On", "off"]);
}

#[test]
fn a_label_of_its_own_stays_and_so_do_texts_below_that_say_something_else() {
    let seen = found(&node(r#"clickable="true" text="Own""#, &node(r#"text="Inner""#, "")));
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].text, "Own");
    let tab = node(r#"clickable="true" content-desc="Own""#, &node(r#"text="Own""#, ""));
    assert_eq!(found(&tab).len(), 1);
}

#[test]
fn a_page_that_takes_clicks_swallows_none_of_its_texts() {
    let many: String = (0..7).map(|n| node(&format!("text=\"T{n}\""), "")).collect();
    let seen = found(&node(r#"clickable="true""#, &many));
    assert_eq!(seen.len(), 8);
    assert_eq!(seen[0].text, "");
}

#[test]
fn what_only_holds_others_is_no_element() {
    let list = node(r#"resource-id="a:id/list" focusable="true""#, &node(r#"text="A""#, ""));
    assert_eq!(found(&list).len(), 1);
}

#[test]
fn what_a_password_field_holds_is_never_told() {
    let field = r#"class="android.widget.EditText" clickable="true" password="true" text="s3cret""#;
    let seen = found(&node(field, ""));
    assert_eq!((seen.len(), seen[0].text.as_str()), (1, ""));
    let row = node(r#"clickable="true""#, &node(r#"password="true" text="s3cret""#, ""));
    assert_eq!(found(&row)[0].text, "");
}

#[test]
fn a_surface_behind_everything_is_no_element() {
    let at = r#"resource-id="a:id/v" focusable="true" bounds="[0,0][1080,2400]""#;
    assert_eq!(scored(&format!("class=\"android.view.SurfaceView\" {at}")), 0);
    assert_eq!(scored(&format!("class=\"android.view.View\" {at}")), 0);
    assert_eq!(scored(&format!("class=\"android.view.View\" clickable=\"true\" {at}")), 1);
    let part = r#"resource-id="a:id/v" focusable="true" bounds="[0,300][1080,2400]""#;
    assert_eq!(scored(&format!("class=\"android.view.SurfaceView\" {part}")), 1);
}

#[test]
fn of_very_many_elements_the_best_are_kept_in_the_order_of_the_screen() {
    let texts: String = (0..100).map(|n| node(&format!("text=\"T{n}\""), "")).collect();
    let button = node(r#"class="android.widget.Button" text="Last""#, "");
    let seen = found(&node("", &[texts, button].concat()));
    assert_eq!(seen.len(), MOST);
    assert_eq!((seen[0].text.as_str(), seen[62].text.as_str()), ("T0", "T62"));
    assert_eq!(seen[63].text, "Last");
}

#[test]
fn other_windows_than_the_apps_own_are_left_out() {
    let window = |package: &str, text: &str| {
        node(&format!("package=\"{package}\""), &node(&format!("text=\"{text}\""), ""))
    };
    let seen =
        found(&[window("app", "A"), window("keyboard", "q"), window("app", "Popup")].concat());
    let texts: Vec<_> = seen.iter().map(|found| found.text.as_str()).collect();
    assert_eq!(texts, ["A", "Popup"]);
}

#[test]
fn what_is_no_tree_is_none() {
    assert!(tree::read("ERROR: could not get idle state.").is_none());
    assert!(tree::read("<hierarchy><node></hierarchy>").is_none());
    assert!(tree::read("<hierarchy rotation=\"0\"></hierarchy>").unwrap().is_empty());
}
