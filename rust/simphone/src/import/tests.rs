use super::*;

const DUMP: &str = r#"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0">
  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.a" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,2400]">
    <node index="0" text="Fish &amp; chips" resource-id="com.a:id/title" class="android.widget.Button" package="com.a" content-desc="" clickable="true" enabled="true" bounds="[10,20][110,60]" />
    <node index="1" text="" class="android.widget.EditText" package="com.a" enabled="true" bounds="[10,100][500,200]" />
  </node>
</hierarchy>"#;

#[test]
fn a_dump_becomes_the_screen_it_shows() {
    let window = screen("a.xml", DUMP).unwrap();
    assert_eq!(window.package, "com.a");
    let [title, field] = window.root.children.as_slice() else { panic!("{window:?}") };
    assert_eq!(title.text, "Fish & chips");
    assert_eq!(title.bounds, Bounds::new(10, 20, 110, 60));
    assert!(title.flags.has(Flags::CLICKABLE) && !title.flags.has(Flags::EDITABLE));
    assert!(field.flags.has(Flags::EDITABLE));
}

fn problem(xml: &str) -> ImportError {
    screen("bad.xml", xml).unwrap_err()
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let cut = problem(&DUMP[..DUMP.len() - 30]);
    assert!(matches!(cut.problem, ImportProblem::NotXml(_)) && cut.place.0 > 3, "{cut}");
    let bounds = problem("<hierarchy>\n <node bounds=\"[0,0]\"/></hierarchy>");
    assert_eq!(bounds.place, (2, 2));
    assert_eq!(bounds.to_string(), "bad.xml:2:2: \"[0,0]\" are no bounds like [0,0][10,10]");
    assert_eq!(problem("<a/>").problem, ImportProblem::NoHierarchy);
    assert_eq!(problem("<hierarchy/>").problem, ImportProblem::NoNodes);
    assert!(matches!(problem("").problem, ImportProblem::NotXml(_)));
    assert!(matches!(problem("\0\u{FFFF}").problem, ImportProblem::NotXml(_)));
}

#[test]
fn documents_that_want_to_grow_are_refused() {
    let laughs =
        r#"<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><hierarchy>&b;</hierarchy>"#;
    assert_eq!(problem(laughs).problem, ImportProblem::DocumentType);
    let outside = r#"<!DOCTYPE a SYSTEM "file:///etc/passwd"><hierarchy/>"#;
    assert_eq!(problem(outside).problem, ImportProblem::DocumentType);
}

#[test]
fn deep_and_huge_dumps_are_refused_without_a_fall() {
    let deep =
        format!("<hierarchy>{}{}</hierarchy>", "<node>".repeat(50_000), "</node>".repeat(50_000));
    let error = problem(&deep);
    assert!(
        matches!(error.problem, ImportProblem::TooDeep | ImportProblem::TooManyNodes),
        "{error}"
    );
    let many = format!("<hierarchy>{}</hierarchy>", "<node/>".repeat(30_000));
    assert_eq!(problem(&many).problem, ImportProblem::TooManyNodes);
    let endless = format!("<hierarchy>{}{}</hierarchy>", "<node>".repeat(900_000), "");
    assert!(endless.len() < MOST_BYTES);
    problem(&endless);
    assert_eq!(problem(&" ".repeat(MOST_BYTES + 1)).problem, ImportProblem::TooLarge);
}

#[test]
fn a_folder_without_dumps_is_told() {
    assert_eq!(app("com.a", "A", &[]).unwrap_err().problem, ImportProblem::NoFiles);
    let missing = folder("com.a", "A", Path::new("/nowhere/at/all")).unwrap_err();
    assert!(matches!(missing.problem, ImportProblem::Unreadable(_)));
}
