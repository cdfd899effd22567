use super::*;
use crate::screen::{Bounds, NodeSpec, Range, ScreenBuilder, WindowSpec};

const BASE: Flags = Flags::ENABLED.with(Flags::VISIBLE);

fn node(class: &str, flags: Flags, text: &str, children: Vec<NodeSpec>) -> NodeSpec {
    NodeSpec {
        class: format!("android.widget.{class}"),
        flags: BASE.with(flags),
        text: text.into(),
        bounds: Bounds::new(0, 0, 100, 60),
        children,
        ..NodeSpec::default()
    }
}

fn text(text: &str) -> NodeSpec {
    node("TextView", Flags::NONE, text, vec![])
}

/// All lines but the header.
fn lines(children: Vec<NodeSpec>) -> Vec<String> {
    let root = node("FrameLayout", Flags::NONE, "", children);
    let mut builder = ScreenBuilder::new(100, 200);
    builder.generation(57).foreground("app").window(&WindowSpec::application(root));
    let text = write(&builder.screen().unwrap());
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn the_header_says_what_the_short_forms_stand_for() {
    let mut builder = ScreenBuilder::new(1080, 2400);
    builder.generation(57).foreground("com.android.settings");
    let expected = "screen g57 com.android.settings 1080x2400 \
                    (refs: n12@57; #x is com.android.settings:id/x; x,y takes touch)\n";
    assert_eq!(write(&builder.screen().unwrap()), expected);
}

#[test]
fn a_row_is_one_line_with_the_labels_in_it() {
    let layout = |children| node("LinearLayout", Flags::NONE, "", children);
    let icon = node("ImageView", Flags::NONE, "", vec![]);
    let title = NodeSpec { resource_id: "android:id/title".into(), ..text("Wi-Fi") };
    let inner = layout(vec![title, text("Connected")]);
    let switch = node("Switch", Flags::CHECKABLE, "", vec![]);
    let row = node("LinearLayout", Flags::CLICKABLE, "", vec![icon, inner, switch]);
    let list = NodeSpec {
        resource_id: "app:id/list".into(),
        ..node("ListView", Flags::SCROLLABLE, "", vec![text("Network"), row])
    };
    assert_eq!(
        lines(vec![list, text("After")]),
        [
            "list #list [scrollable] 0,0-100,60 n1",
            " \"Network\" n2",
            " container 50,30 n3: \"Wi-Fi\" id=android:id/title n6, \"Connected\" n7",
            "  switch [unchecked] 50,30 n8",
            "\"After\" n9",
        ]
    );
}

#[test]
fn states_stand_in_brackets() {
    let flags = Flags::CHECKABLE.with(Flags::CHECKED).with(Flags::FOCUSED);
    let range = Some(Range { min: 0.0, max: 100.0, current: 40.5 });
    let off = NodeSpec { flags: Flags::VISIBLE, ..text("Off") };
    let hint = Flags::EDITABLE.with(Flags::SHOWING_HINT);
    let described = NodeSpec { description: "Wi-Fi".into(), ..text("On") };
    assert_eq!(
        lines(vec![
            node("CheckBox", flags, "Agree", vec![]),
            NodeSpec { range, ..node("SeekBar", Flags::NONE, "", vec![]) },
            off,
            node("EditText", hint, "Name", vec![]),
            node("TextView", Flags::LONG_CLICKABLE, "Hold", vec![]),
            described,
        ]),
        [
            "checkbox \"Agree\" [checked focused] 50,30 n1",
            "unknown [40.5 of 0..100] 50,30 n2",
            "\"Off\" [disabled] n3",
            "textfield \"Name\" [hint] 50,30 n4",
            "text \"Hold\" [long-clickable] 50,30 n5",
            "\"On\" desc \"Wi-Fi\" n6",
        ]
    );
}

#[test]
fn a_password_is_told_to_be_there_and_not_told() {
    let flags = Flags::EDITABLE.with(Flags::PASSWORD);
    let field =
        NodeSpec { description: "Password".into(), ..node("EditText", flags, "hunter2", vec![]) };
    assert_eq!(lines(vec![field]), ["textfield \"Password\" [password filled] 50,30 n1"]);
}

#[test]
fn one_node_is_one_line_whatever_its_texts_are() {
    let odd = NodeSpec { resource_id: "my tag".into(), ..text("a\"b\\c\nd\u{2028}e\0") };
    assert_eq!(lines(vec![odd]), [r#""a\"b\\c\nd\u{2028}e\u{0}" id="my tag" n1"#]);
}

#[test]
fn the_place_to_touch_is_where_it_can_be_seen() {
    let half = NodeSpec {
        bounds: Bounds::new(0, 150, 100, 900),
        ..node("Button", Flags::CLICKABLE, "Next", vec![])
    };
    assert_eq!(lines(vec![half]), ["button \"Next\" 50,175 n1"]);
}

#[test]
fn several_windows_are_told_apart() {
    let mut builder = ScreenBuilder::new(100, 200);
    builder.foreground("app").window(&WindowSpec {
        package: "app".into(),
        title: "Inbox".into(),
        ..WindowSpec::application(text("Mail"))
    });
    builder.window(&WindowSpec {
        kind: WindowKind::InputMethod,
        active: false,
        package: "keys".into(),
        ..WindowSpec::application(text("q"))
    });
    let text = write(&builder.screen().unwrap());
    let lines: Vec<_> = text.lines().skip(1).collect();
    let expected = [
        "window application app \"Inbox\" [active]",
        "\"Mail\" n0",
        "window keyboard keys",
        "\"q\" n1",
    ];
    assert_eq!(lines, expected);
}
