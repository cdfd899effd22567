//! Both links: the same executions, the same envelopes, whatever the phone's shell and log do.

use crate::support::{
    Between, CONFORMANCE, Desk, SETTINGS, Service, action, add_one, execution, id, shell_says,
};
use clawperator_contract::operator::RELEASE_PACKAGE;
use clawperator_simphone::logcat::Level;
use serde_json::{Value, json};
use std::fs;
use std::sync::Mutex;

const LINKS: [&str; 2] = ["socket", "broadcast"];

/// The same whenever and however fast it ran.
fn timeless(mut envelope: Value) -> Value {
    for step in envelope["stepResults"].as_array_mut().unwrap() {
        let data = step["data"].as_object_mut().unwrap();
        data.retain(|key, _| !key.ends_with("_ms") && key != "attempts");
        // A reference names its screen by a number that grows with every look and every event.
        if let Some(node) = data.get_mut("ref") {
            *node = node.as_str().unwrap().split('@').next().unwrap().into();
        }
    }
    envelope
}

fn wait_for(text: &str) -> Value {
    let params = json!({ "matcher": { "textEquals": text }, "timeoutMs": 20_000 });
    action("wait", "wait_for_node", params)
}

fn click(text: &str) -> Value {
    action("click", "click", json!({ "matcher": { "textEquals": text } }))
}

fn read(text: &str) -> Value {
    action("read", "read_text", json!({ "matcher": { "textContains": text } }))
}

/// Executions of every kind, in order: each finds the phone as the one before has left it.
fn executions() -> Vec<Value> {
    let field = json!({ "resourceId": id("text_field") });
    let typed = json!({ "matcher": field, "text": "x", "submit": true });
    let nowhere = json!({ "matcher": { "textEquals": "Nowhere" }, "retry": { "maxAttempts": 1 } });
    let open = action("open", "open_app", json!({ "applicationId": CONFORMANCE }));
    let down = action("down", "scroll", json!({ "direction": "down" }));
    let row = json!({ "matcher": { "textEquals": "Row 25" }, "maxSwipes": 20 });
    let back = action("back", "press_key", json!({ "key": "back" }));
    let value = json!({ "labelMatcher": { "textEquals": "Number" } });
    vec![
        json!([open, wait_for("Add one"), add_one("one"), read("Count:")]),
        json!([action("snap", "snapshot_ui", json!({}))]),
        json!([click("Add one"), action("snap", "snapshot_ui", json!({}))]),
        json!([action("type", "enter_text", typed), read("Submitted:")]),
        json!([add_one("one"), action("missing", "click", nowhere), add_one("two")]),
        json!([click("Open list"), wait_for("Row 1"), down]),
        json!([action("far", "scroll_and_click", row), wait_for("Number")]),
        json!([action("value", "read_key_value_pair", value), back.clone(), back]),
        json!([action("sleep", "sleep", json!({ "durationMs": 1 }))]),
        json!([action("open", "open_app", json!({ "applicationId": "com.example.nowhere" }))]),
        json!([action("close", "close_app", json!({ "applicationId": CONFORMANCE }))]),
    ]
}

#[test]
fn the_same_executions_give_the_same_envelopes_over_both_links() {
    let [over_socket, over_broadcast] = LINKS.map(|link| {
        let desk = Desk::new();
        let run = |actions: &Value| {
            let answer = desk.exec(actions, &["--link", link]);
            assert_eq!(answer.json["link"], link, "{}", answer.out);
            assert_eq!(answer.err, "");
            (answer.code, timeless(answer.envelope().clone()))
        };
        executions().iter().map(run).collect::<Vec<_>>()
    });
    for (index, (one, other)) in over_socket.iter().zip(&over_broadcast).enumerate() {
        assert_eq!(one, other, "execution {index}");
    }
    let codes: Vec<_> = over_socket.iter().map(|(code, _)| code.unwrap()).collect();
    assert_eq!(codes, [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
}

#[test]
fn without_a_wish_the_socket_is_used() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["press", "home"]).succeeded().json["link"], "socket");
}

#[test]
fn nothing_in_a_text_means_anything_on_its_way() {
    let hostile = "it's \"quoted\" $(reboot) `id` ${HOME} \\n \\ %s %% & | ; < > ! # * ~ [x] {y}";
    let texts =
        [hostile, "two\nlines\tand a tab", "grüße 你好 👍🏽 \u{200d}🤷", " blanks ", "'", "-n", "$?"];
    for link in LINKS {
        let desk = Desk::new();
        desk.show(CONFORMANCE);
        for text in texts {
            let params = json!({ "matcher": { "resourceId": id("text_field") }, "text": text });
            let answer = desk.exec(&json!([action("t", "enter_text", params)]), &["--link", link]);
            assert_eq!(answer.succeeded().data(0, "text"), text, "{link}");
            assert_eq!(desk.state("text"), text, "{link}");
        }
    }
}

#[test]
fn a_large_execution_arrives_whole() {
    // Each of three bytes, so that few steps make many bytes.
    let text = |step: usize| format!("{step}{}", "€".repeat(500));
    let field = json!({ "resourceId": id("text_field") });
    let typed = |step: usize| {
        let params = json!({ "matcher": field, "text": text(step) });
        action(&format!("step-{step}"), "enter_text", params)
    };
    let actions: Value = (0..30).map(typed).collect();
    assert!(execution(&actions).to_string().len() > 45_000);
    for link in LINKS {
        let desk = Desk::new();
        desk.show(CONFORMANCE);
        let answer = desk.exec(&actions, &["--link", link]).succeeded();
        assert_eq!(answer.steps().len(), 30);
        for step in 0..30 {
            assert_eq!(answer.data(step, "text"), text(step), "{link}");
        }
        assert_eq!(desk.state("text"), text(29));
    }
}

#[test]
fn the_phones_log_is_read_and_never_cleared() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.lab.shell("log -t Somebody 'a line of somebody else'");
    desk.run(&["snapshot", "--link", "broadcast"]).succeeded();
    desk.run(&["click", "--text", "Add one", "--link", "broadcast"]).succeeded();
    let log = desk.lab.shell("logcat -d -v raw -s Somebody:I");
    assert_eq!(log.trim_end(), "a line of somebody else");
}

/// Lines of results in the phone's log.
fn result_lines(desk: &Desk) -> usize {
    let entries = desk.system().logcat.since(0);
    entries.iter().filter(|entry| entry.tag == "Clawperator").count()
}

#[test]
fn over_the_socket_nothing_of_the_screen_goes_to_the_log() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.run(&["snapshot"]).succeeded();
    let entries = desk.system().logcat.since(0);
    assert!(entries.iter().all(|entry| !entry.message.contains("Add one")), "{entries:?}");
}

#[test]
fn a_long_snapshot_comes_in_slices_and_is_whole() {
    let desk = Desk::new();
    desk.show_screen(CONFORMANCE, "list", "List");
    let whole = desk.run(&["snapshot", "--link", "socket"]).succeeded();
    assert_eq!(result_lines(&desk), 0);
    let sliced = desk.run(&["snapshot", "--link", "broadcast"]).succeeded();
    assert!(result_lines(&desk) > 3, "{}", result_lines(&desk));
    assert_eq!(sliced.data(0, "text"), whole.data(0, "text"));
    assert!(sliced.json["replayed"].is_null());
}

#[test]
fn a_slice_the_log_has_lost_is_asked_for_again() {
    let mut desk = Desk::new();
    desk.show_screen(CONFORMANCE, "list", "List");
    let whole = desk.run(&["snapshot"]).succeeded();
    // Of the lines of the log, the second one of the operator is lost, once.
    let between = Between::before(desk.program.port, |service| {
        if !service.starts_with("exec:logcat") {
            return Service::Pass;
        }
        let mut lines = 0;
        Service::Lines(Box::new(move |_| {
            lines += 1;
            lines != 2
        }))
    });
    desk.by_way_of(&between);
    let answer = desk.run(&["snapshot", "--link", "broadcast"]).succeeded();
    assert_eq!(answer.data(0, "text"), whole.data(0, "text"));
    assert_eq!(answer.json["replayed"], true);
    let asked_again = |service: &String| service.contains("--es resume ");
    assert_eq!(between.opened().iter().filter(|service| asked_again(service)).count(), 1);
}

#[test]
fn a_result_of_which_nothing_came_is_asked_for_and_done_once() {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    // The only line of the result is lost; the next one is that of the answer to a question.
    let between = Between::before(desk.program.port, |service| {
        if !service.starts_with("exec:logcat") {
            return Service::Pass;
        }
        let mut lines = 0;
        Service::Lines(Box::new(move |_| {
            lines += 1;
            lines > 1
        }))
    });
    desk.by_way_of(&between);
    let answer = desk.exec(&json!([add_one("one")]), &["--link", "broadcast"]).succeeded();
    assert_eq!(answer.json["replayed"], true);
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_question_that_could_not_be_asked_is_asked_again() {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    let refused = Mutex::new(false);
    let between = Between::before(desk.program.port, move |service| {
        if service.starts_with("exec:logcat") {
            let mut lines = 0;
            return Service::Lines(Box::new(move |_| {
                lines += 1;
                lines > 1
            }));
        }
        let first = service.contains("--es resume ")
            && !std::mem::replace(&mut *refused.lock().unwrap(), true);
        if first { shell_says("cmd: Can't find service: activity\n", 20) } else { Service::Pass }
    });
    desk.by_way_of(&between);
    // It was sent, so whatever is answered must not sound as if nothing had been done.
    let answer = desk.exec(&json!([add_one("one")]), &["--link", "broadcast"]).succeeded();
    assert_eq!(answer.json["replayed"], true);
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_log_that_ends_is_opened_again() {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    let cut = Mutex::new(false);
    let between = Between::before(desk.program.port, move |service| {
        let first = service.starts_with("exec:logcat")
            && !std::mem::replace(&mut *cut.lock().unwrap(), true);
        if first { Service::CutAt("OKAY") } else { Service::Pass }
    });
    desk.by_way_of(&between);
    let answer = desk.exec(&json!([add_one("one")]), &["--link", "broadcast"]).succeeded();
    assert_eq!(answer.steps().len(), 1);
    assert_eq!(desk.count(), "1");
}

#[test]
fn other_lines_of_the_log_do_not_matter() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    for line in ["[Clawperator-Result] {", "[Clawperator-Result] {\"commandId\":\"given\"}", "x"] {
        desk.system().log(Level::Info, "Clawperator", line);
    }
    let actions = json!([add_one("one")]);
    assert_eq!(desk.exec(&actions, &["--link", "broadcast"]).succeeded().steps().len(), 1);
    // Nor does the result of the same command that was sent before.
    assert_eq!(desk.exec(&actions, &["--link", "broadcast"]).succeeded().steps().len(), 1);
    assert_eq!(desk.count(), "2");
}

#[test]
fn over_broadcast_the_host_closes_apps_before_and_takes_pictures_after() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.run(&["click", "--text", "Add one"]).succeeded();
    let path = desk.program.path("screen.png");
    let actions = json!([
        action("close", "close_app", json!({ "applicationId": CONFORMANCE })),
        action("shot", "take_screenshot", json!({ "path": path })),
        action("open", "open_app", json!({ "applicationId": SETTINGS })),
    ]);
    let answer = desk.exec(&actions, &["--link", "broadcast"]).succeeded();
    assert_eq!(answer.data(0, "application_id"), CONFORMANCE);
    assert!(!desk.system().device.running().contains(&CONFORMANCE.to_owned()));
    assert_eq!(desk.count(), "0");
    assert_eq!(answer.data(1, "path"), path);
    let png = fs::read(&path).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(answer.data(1, "bytes"), png.len().to_string());
    assert!(answer.data(1, "warn").contains("when all steps have run"), "{}", answer.out);
    // The last step has no other after it.
    let shot = desk.run(&["screenshot", &path, "--link", "broadcast"]).succeeded();
    assert!(shot.steps()[0]["data"]["warn"].is_null(), "{}", shot.out);
}

#[test]
fn where_the_socket_is_missing_the_broadcast_still_reaches_the_operator() {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    let between = Between::before(desk.program.port, |service| {
        if service.starts_with("localabstract:") { Service::Refuse } else { Service::Pass }
    });
    desk.by_way_of(&between);
    let answer = desk.exec(&json!([add_one("one")]), &[]).succeeded();
    assert_eq!(answer.json["link"], "broadcast");
    assert_eq!(desk.count(), "1");
    // Who insists on the socket is told what is wrong with it.
    let insisted = desk.exec(&json!([add_one("one")]), &["--link", "socket"]);
    let insisted = insisted.failed("LINK_UNAVAILABLE");
    assert_eq!(insisted.detail("operatorPackage"), RELEASE_PACKAGE);
    assert_eq!(desk.count(), "1");
}
