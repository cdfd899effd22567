use crate::bench::Bench;
use clawperator_contract::Status;
use clawperator_runtime::role::Role;
use clawperator_runtime::screen::Flags;
use serde_json::json;

#[test]
fn signing_in_with_a_password_takes_a_moment() {
    let mut bench = Bench::on("com.example.account");
    let field = |name: &str| json!({ "resourceId": format!("com.example.account:id/{name}") });
    let envelope = bench.run(json!([
        { "id": "1", "type": "enter_text",
          "params": { "matcher": field("user"), "text": "ada", "submit": true } },
        { "id": "2", "type": "enter_text",
          "params": { "matcher": field("password"), "text": "wrong", "submit": true } },
        { "id": "3", "type": "wait_for_node", "params": { "matcher": field("error") } },
        { "id": "4", "type": "enter_text",
          "params": { "matcher": field("password"), "text": "secret", "clear": true } },
        { "id": "5", "type": "click", "params": { "matcher": { "resourceId":
            "com.example.account:id/sign_in" } } },
        { "id": "6", "type": "wait_for_node",
          "params": { "matcher": { "textEquals": "Hello ada" }, "timeoutMs": 5000 } }
    ]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
}

#[test]
fn enter_moves_the_focus_from_field_to_field() {
    let mut bench = Bench::on("com.example.account");
    let user = json!({ "resourceId": "com.example.account:id/user" });
    bench.does("enter_text", json!({ "matcher": user, "text": "ada", "submit": true }));
    let screen = bench.screen();
    let focused = screen.nodes().find(|node| node.has(Flags::FOCUSED)).unwrap();
    assert_eq!(focused.resource_id(), "com.example.account:id/password");
    bench.does("type_text", json!({ "text": "secret", "submit": true }));
    let hello = json!({ "matcher": { "textEquals": "Hello ada" }, "timeoutMs": 5000 });
    bench.does("wait_for_node", hello);
}

#[test]
fn a_form_is_filled_in_and_read_back() {
    let mut bench = Bench::on("com.example.account");
    for (name, text) in [("user", "ada"), ("password", "secret")] {
        let field = json!({ "resourceId": format!("com.example.account:id/{name}") });
        bench.does("enter_text", json!({ "matcher": field, "text": text, "submit": true }));
    }
    bench.does("wait_for_node", json!({ "matcher": { "textEquals": "Your data" } }));
    for (name, text) in [("first", "Ada"), ("last", "Lovelace"), ("email", "ada@example.com")] {
        let field = json!({ "resourceId": format!("com.example.account:id/{name}") });
        bench.does("enter_text", json!({ "matcher": field, "text": text, "submit": true }));
    }
    bench.does("scroll_and_click", json!({ "matcher": { "textEquals": "Family" } }));
    bench.does("scroll_and_click", json!({ "matcher": { "textEquals": "Save" } }));
    assert_eq!(bench.value("Name"), "Ada Lovelace");
    assert_eq!(bench.value("Plan"), "Family");
}

#[test]
fn a_feed_never_ends() {
    let mut bench = Bench::on("com.example.news");
    let step = bench.does(
        "scroll_until",
        json!({ "direction": "down", "maxScrolls": 12,
        "maxDurationMs": 60_000, "container": { "resourceId": "com.example.news:id/posts" } }),
    );
    assert_eq!(step.data["termination_reason"], "MAX_SCROLLS_REACHED");
    let screen = bench.screen();
    let numbers =
        screen.nodes().filter_map(|node| node.label().strip_prefix("Story ")?.parse::<u32>().ok());
    assert!(numbers.max() > Some(24), "more than two loads have come");
}

#[test]
fn bottom_tabs_search_and_stories_work() {
    let mut bench = Bench::on("com.example.news");
    let story = json!({ "matcher": { "textEquals": "Story 2" }, "clickType": "long_click" });
    bench.does("click", story);
    bench.click("Saved");
    assert_eq!(bench.text("com.example.news:id/saved_count"), "1 saved stories");
    bench.does("click", json!({ "matcher": { "contentDescEquals": "Search" } }));
    let field = json!({ "resourceId": "com.example.news:id/query" });
    bench.does("enter_text", json!({ "matcher": field, "text": "moon", "submit": true }));
    assert_eq!(bench.text("com.example.news:id/results"), "Results for moon");
}

#[test]
fn climate_tiles_are_cards_that_open_their_rooms() {
    let mut bench = Bench::on("com.example.climate");
    let screen = bench.screen();
    let tile = screen.nodes().find(|node| node.resource_id().ends_with("tile_bedroom")).unwrap();
    assert_eq!(Role::of(tile), Role::Card);
    let grid = screen.nodes().find(|node| node.resource_id().ends_with("/rooms")).unwrap();
    assert_eq!(Role::of(grid), Role::Grid);
    let container = json!({ "resourceId": "com.example.climate:id/tile_bedroom" });
    let value = json!({ "resourceId": "com.example.climate:id/tile_value" });
    let step = bench.does(
        "read_text",
        json!({ "matcher": value, "container": container,
        "validator": "temperature" }),
    );
    assert_eq!(step.data["text"], "18.0 °C");
    bench.click("Bedroom");
    bench.click("Warmer");
    assert_eq!(bench.value("Target temperature"), "19 °C");
}
