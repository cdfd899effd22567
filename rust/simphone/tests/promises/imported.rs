use crate::bench::Bench;
use clawperator_runtime::snapshot;
use clawperator_simphone::import;
use serde_json::json;

/// Three screens of this very phone, written down as `uiautomator dump` does.
fn dumps() -> Vec<(String, String)> {
    let mut bench = Bench::on("com.android.settings");
    let mut dumps = Vec::new();
    for (name, next) in [("1.xml", "Battery"), ("2.xml", "Battery usage"), ("3.xml", "News")] {
        dumps.push((name.to_owned(), snapshot::xml::write(&bench.screen())));
        bench.click(next);
    }
    dumps
}

#[test]
fn written_down_screens_play_forward_by_clicks_and_back_by_back() {
    let app = import::app("com.played.back", "Played back", &dumps()).unwrap();
    let mut bench = Bench::new();
    bench.device.install(app);
    bench.device.launch("com.played.back");
    assert!(bench.shows("Network & internet"));
    bench.click("Battery");
    assert_eq!(bench.value("Battery level"), "80%");
    bench.click("Battery usage");
    assert!(bench.shows("View by systems"));
    bench.does("press_key", json!({ "key": "back" }));
    assert_eq!(bench.value("Battery level"), "80%");
    bench.does("press_key", json!({ "key": "back" }));
    bench.does("press_key", json!({ "key": "back" }));
    assert_eq!(bench.screen().foreground_package(), "com.android.launcher3");
}

#[test]
fn a_folder_is_played_in_the_order_of_names() {
    let folder = std::env::temp_dir().join(format!("simphone-dumps-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, xml) in dumps().into_iter().rev() {
        std::fs::write(folder.join(name), xml).unwrap();
    }
    let app = import::folder("com.played.back", "Played back", &folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(app.screens.len(), 3);
    let bench = Bench::new();
    bench.device.install(app);
    bench.device.launch("com.played.back");
    assert!(bench.shows("Network & internet"));
}

#[test]
fn text_fields_of_written_down_screens_take_text() {
    let xml = r#"<hierarchy><node class="android.widget.FrameLayout" package="com.a" enabled="true"
        bounds="[0,0][1080,2400]"><node class="android.widget.EditText" resource-id="com.a:id/f"
        package="com.a" enabled="true" focusable="true" clickable="true"
        bounds="[0,100][1080,200]" text=""/></node></hierarchy>"#;
    let app = import::app("com.a", "A", &[("1.xml".into(), xml.into())]).unwrap();
    let mut bench = Bench::new();
    bench.device.install(app);
    bench.device.launch("com.a");
    let field = json!({ "resourceId": "com.a:id/f" });
    bench.does("enter_text", json!({ "matcher": field, "text": "typed" }));
    assert_eq!(bench.text("com.a:id/f"), "typed");
}
