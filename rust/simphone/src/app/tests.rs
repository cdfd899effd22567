use super::*;

const HEAD: &str = "package: com.example.a
label: A
entry: main
state: {on: true, name: '', count: 0}
";

/// The error of an app whose main screen has these widgets, each line indented by two.
fn error(widgets: &str) -> AppError {
    let text = format!("{HEAD}screens:\n  main:\n    title: Main\n    widgets:\n{widgets}");
    App::from_yaml("a.yaml", &text).unwrap_err()
}

#[test]
fn an_unknown_key_is_told_with_file_line_and_field() {
    let error = error("      - row: Wi-Fi\n        colour: red\n");
    assert_eq!((error.file.as_str(), error.line), ("a.yaml", 10));
    assert_eq!(error.field, "screens.main.widgets[0].colour");
    let text = error.to_string();
    assert!(text.starts_with("a.yaml:10:9: screens.main.widgets[0].colour: unknown key"), "{text}");
    assert!(text.contains("summary"), "it says what is known: {text}");
}

#[test]
fn names_that_lead_nowhere_are_found() {
    let unknown = |widgets: &str| match error(widgets).problem {
        Problem::Unknown { what, name, .. } => (what, name),
        other => panic!("{other}"),
    };
    assert_eq!(unknown("      - row: A\n        opens: nowhere\n"), ("screen", "nowhere".into()));
    assert_eq!(unknown("      - row: '{x}'\n"), ("state variable", "x".into()));
    assert_eq!(unknown("      - text: A\n        when: x\n"), ("state variable", "x".into()));
    assert_eq!(unknown("      - switch: A\n        state: x\n"), ("state variable", "x".into()));
    assert_eq!(
        unknown("      - button: A\n        does: {dialog: ask}\n"),
        ("dialog", "ask".into())
    );
    assert_eq!(
        unknown("      - button: A\n        does: {set: {x: 1}}\n"),
        ("state variable", "x".into())
    );
    assert_eq!(unknown("      - use: x\n"), ("template", "x".into()));
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let cases = [
        ("      - roww: A\n", "no widget"),
        ("      - button: A\n        does: jump\n", "no action"),
        ("      - button: A\n        does: {jump: 1}\n", "no action"),
        ("      - switch: A\n        state: name\n", "must hold true or false"),
        ("      - field: A\n        state: on\n", "must hold a text"),
        ("      - field: A\n        state: name\n        ime: fly\n", "next, done, search or go"),
        (
            "      - slider: A\n        state: count\n        min: 9\n        max: 1\n",
            "min below max",
        ),
        ("      - text: '{on'\n", "brace"),
        ("      - text: A\n        when: on == 3\n", "compared"),
        ("      - list: 3\n", "\"item\" is missing"),
        ("      - list: -3\n        item: {row: A}\n", "from 0 to"),
        ("      - list: 3\n        item: {button: A}\n", "a row, a tile or a text"),
        ("      - {list: 3, item: {row: A}}\n      - {list: 4, item: {row: A}}\n", "too many"),
        ("      - {grid: 2, items: [{list: 3, item: {row: A}}]}\n", "inside another widget"),
        ("      - {text: A, id: x}\n      - {text: B, id: x}\n", "occurs twice"),
        ("      - button: A\n        does: {add: {count: 1}, open: main}\n", "unknown key"),
        ("      - text: 1.5\n", "expected a text"),
        ("      - each: [1]\n        put: 3\n", "a list of widgets"),
    ];
    for (widgets, expected) in cases {
        let error = error(widgets);
        assert!(error.to_string().contains(expected), "{widgets}: {error}");
        assert!(error.line >= 9, "{widgets}: {error}");
    }
}

#[test]
fn what_is_wrong_with_the_app_itself_is_told_too() {
    let problem = |text: &str| App::from_yaml("a.yaml", text).unwrap_err().to_string();
    assert!(problem("").contains("expected a map"));
    assert!(problem("a: [").contains("not YAML"));
    assert!(problem("a: 1\na: 2\n").contains("not YAML"), "{}", problem("a: 1\na: 2\n"));
    assert!(problem(&HEAD.replace("com.example.a", "nonsense")).contains("such as com.example"));
    assert!(problem(&format!("{HEAD}screens: {{other: {{}}}}\n")).contains("no screen \"main\""));
    assert!(problem("label: A\n").contains("\"package\" is missing"));
}

#[test]
fn templates_that_hold_themselves_end() {
    let text = format!(
        "{HEAD}templates:\n  a: [{{use: a}}]\nscreens:\n  main: {{widgets: [{{use: a}}]}}\n"
    );
    let error = App::from_yaml("a.yaml", &text).unwrap_err();
    assert!(matches!(error.problem, Problem::TooMany { .. }), "{error}");
}

#[test]
fn templates_fill_their_holes_and_screens_come_in_series() {
    let text = format!(
        "{HEAD}templates:\n  pair: [{{value: '${{a}}', is: '{{${{b}}}}'}}]\n\
         screens:\n  main: {{widgets: [{{use: pair, with: {{a: Count, b: count}}}}]}}\n  \
         page_${{it}}: {{each: [one, two], title: 'Page ${{it}}'}}\n"
    );
    let app = App::from_yaml("a.yaml", &text).unwrap();
    assert_eq!(app.screens.keys().collect::<Vec<_>>(), ["main", "page_one", "page_two"]);
    let scope = Scope { state: &app.state, n: 0 };
    assert_eq!(app.screens["page_two"].title.text(scope), "Page two");
    let Body::Widgets(widgets) = &app.screens["main"].body else { panic!() };
    let Kind::Row { title, summary: Some(value), .. } = &widgets[0].kind else { panic!() };
    assert_eq!((title.text(scope), value.text(scope)), ("Count".into(), "0".into()));
}

#[test]
fn every_shipped_app_is_whole() {
    let apps = shipped().unwrap_or_else(|error| panic!("{error}"));
    let settings = apps.iter().find(|app| app.package == "com.android.settings").unwrap();
    assert!(settings.screens.len() >= 40, "{}", settings.screens.len());
    assert_eq!(apps.iter().filter(|app| app.home).count(), 1);
}

#[test]
fn a_folder_of_apps_is_read_in_the_order_of_names() {
    let folder = std::env::temp_dir().join(format!("simphone-apps-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["b", "a"] {
        let text = HEAD.replace("com.example.a", &format!("com.example.{name}"));
        let text = format!("{text}screens: {{main: {{title: Main}}}}\n");
        std::fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "not an app").unwrap();
    let apps = from_folder(&folder).unwrap();
    std::fs::write(folder.join("c.yaml"), "label: C\n").unwrap();
    let error = from_folder(&folder).unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();
    let packages: Vec<_> = apps.iter().map(|app| app.package.as_str()).collect();
    assert_eq!(packages, ["com.example.a", "com.example.b"]);
    assert!(error.file.ends_with("c.yaml"), "{error}");
    assert!(from_folder(&folder).is_err());
}
