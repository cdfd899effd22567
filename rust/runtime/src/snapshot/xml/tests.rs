use super::*;
use crate::screen::{Bounds, NodeSpec, ScreenBuilder, WindowKind, WindowSpec};
use proptest::prelude::*;

const AREA: Bounds = Bounds::new(0, 0, 100, 200);

fn node(text: &str) -> NodeSpec {
    NodeSpec { text: text.into(), bounds: AREA, ..NodeSpec::default() }
}

fn screen(root: NodeSpec) -> Screen {
    ScreenBuilder::new(100, 200).window(&WindowSpec::application(root)).screen().unwrap()
}

#[test]
fn a_screen_is_written_line_by_line() {
    let label = NodeSpec {
        resource_id: "app:id/title".into(),
        class: "android.widget.TextView".into(),
        package: "app".into(),
        description: "Name".into(),
        bounds: Bounds::new(-5, 10, 50, 60),
        ..node("\"Tom\" & 'Jerry' <3>\n\t\r\u{7}")
    };
    let gone = NodeSpec { flags: Flags::ENABLED, children: vec![node("gone")], ..node("gone") };
    let every = FLAGS.iter().fold(Flags::VISIBLE, |all, (_, flag)| all.with(*flag));
    let last = NodeSpec { flags: every.without(Flags::PASSWORD), ..node("last") };
    let row = NodeSpec { children: vec![label], ..node("") };
    let mut builder = ScreenBuilder::new(100, 200);
    let root = NodeSpec { children: vec![gone, row, last], ..node("") };
    builder.rotation(1).window(&WindowSpec::application(root));
    let off = "checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" \
               focusable=\"false\" focused=\"false\" scrollable=\"false\" \
               long-clickable=\"false\" password=\"false\" selected=\"false\"";
    let on = off.replace("false", "true").replace("password=\"true\"", "password=\"false\"");
    let empty = "text=\"\" resource-id=\"\" class=\"\" package=\"\" content-desc=\"\"";
    let expected = format!(
        r#"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="1">
  <node index="0" {empty} {off} bounds="[0,0][100,200]">
    <node index="1" {empty} {off} bounds="[0,0][100,200]">
      <node index="0" text="&quot;Tom&quot; &amp; &apos;Jerry&apos; &lt;3&gt;&#10;&#9;&#13;" resource-id="app:id/title" class="android.widget.TextView" package="app" content-desc="Name" {off} bounds="[-5,10][50,60]" />
    </node>
    <node index="2" text="last" resource-id="" class="" package="" content-desc="" {on} bounds="[0,0][100,200]" />
  </node>
</hierarchy>
"#
    );
    assert_eq!(write(&builder.screen().unwrap()), expected);
}

#[test]
fn every_window_that_is_looked_at_is_a_child_of_the_hierarchy() {
    let window = |kind, active, text: &str| WindowSpec {
        kind,
        active,
        ..WindowSpec::application(NodeSpec { children: vec![node(text)], ..node(text) })
    };
    let mut builder = ScreenBuilder::new(100, 200);
    builder.window(&window(WindowKind::InputMethod, false, "keys"));
    builder.window(&window(WindowKind::System, false, "clock"));
    builder.window(&window(WindowKind::Application, true, "app"));
    let xml = write(&builder.screen().unwrap());
    let document = roxmltree::Document::parse(&xml).unwrap();
    let windows = document.root_element().children().filter(roxmltree::Node::is_element);
    let texts = windows.map(|window| window.attribute("text").unwrap_or_default().to_owned());
    assert_eq!(texts.collect::<Vec<_>>(), ["app", "keys"]);
}

#[test]
fn a_screen_without_windows_is_an_empty_hierarchy() {
    let xml = write(&ScreenBuilder::new(100, 200).screen().unwrap());
    assert_eq!(xml, format!("{HEAD}<hierarchy rotation=\"0\">\n</hierarchy>\n"));
}

#[test]
fn what_is_typed_into_a_password_field_is_not_written() {
    let flags = node("").flags.with(Flags::PASSWORD);
    let field = NodeSpec { flags, description: "Password".into(), ..node("hunter2") };
    let xml = write(&screen(NodeSpec { children: vec![field], ..node("") }));
    assert!(xml.contains("content-desc=\"Password\"") && xml.contains("password=\"true\""));
    assert!(!xml.contains("hunter2"));
}

#[test]
fn a_tree_of_ten_thousand_levels_is_written_on_a_small_stack() {
    // Building and dropping nested values takes stack; writing must not.
    let deep = || {
        let top = (0..10_000)
            .fold(node("leaf"), |below, _| NodeSpec { children: vec![below], ..node("") });
        ScreenBuilder::new(100, 200).window(&WindowSpec::application(top)).pack()
    };
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    let packed = builder.spawn(deep).unwrap().join().unwrap();
    let screen = Screen::decode(&packed).unwrap();
    let writer = std::thread::Builder::new().stack_size(128 << 10);
    let xml = writer.spawn(move || write(&screen)).unwrap().join().unwrap();
    assert_eq!(xml.matches("<node ").count(), 10_001);
    assert_eq!(xml.matches("</node>").count(), 10_000);
    assert!(xml.len() < 10_001 * 700, "{} bytes: indentation must not grow for ever", xml.len());
}

/// What XML 1.0 can write.
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// Any character, with those that make trouble more often than chance would have them.
fn any_text() -> impl Strategy<Value = String> {
    let troublesome = "&\"'<>\n\r\t\0\u{7F}\u{85}\u{2028}\u{FFFD}\u{FFFE}\u{FFFF}]]>";
    let troublesome: Vec<char> = troublesome.chars().collect();
    let one =
        prop_oneof![any::<char>(), prop::sample::select(troublesome), prop::char::range('\0', ' ')];
    prop::collection::vec(one, 0..40).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn whatever_an_app_writes_comes_back_from_a_parser(
        texts in prop::collection::vec(any_text(), 4)
    ) {
        let root = NodeSpec {
            text: texts[0].clone(),
            description: texts[1].clone(),
            resource_id: texts[2].clone(),
            class: texts[3].clone(),
            ..node("")
        };
        let xml = write(&screen(root));
        let document = roxmltree::Document::parse(&xml).unwrap();
        let found = document.descendants().find(|found| found.has_tag_name("node")).unwrap();
        let attributes = ["text", "content-desc", "resource-id", "class"];
        for (attribute, text) in attributes.iter().zip(&texts) {
            let expected: String = text.chars().filter(|c| is_allowed(*c)).collect();
            prop_assert_eq!(found.attribute(*attribute), Some(expected.as_str()));
        }
    }
}
