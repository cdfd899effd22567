use crate::bench::Bench;
use clawperator_contract::runnable::{Point, StrokePoint};
use std::time::Duration;

const APP: &str = "com.clawperator.conformance";

fn on_list() -> Bench {
    let mut bench = Bench::on(APP);
    bench.click("Open list");
    bench
}

/// The number of the first row that shows.
fn first_row(bench: &Bench) -> u32 {
    let screen = bench.screen();
    let mut rows =
        screen.nodes().filter_map(|node| node.label().strip_prefix("Row ")?.parse().ok());
    rows.next().unwrap()
}

fn point(x: i32, y: i32) -> Point {
    Point { x, y }
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn a_tap_clicks_what_is_under_it() {
    let bench = on_list();
    let screen = bench.screen();
    let row = screen.nodes().find(|node| node.label() == "Row 3").unwrap();
    bench.device.tap(row.bounds().center());
    assert_eq!(bench.title(), "Detail of row 3");
}

#[test]
fn a_finger_that_rests_half_a_second_is_a_long_press() {
    let mut bench = Bench::on(APP);
    let screen = bench.screen();
    let button = screen.nodes().find(|node| node.label() == "Add one").unwrap();
    let middle = button.bounds().center();
    bench.device.press(middle, ms(400));
    assert_eq!(bench.text(&format!("{APP}:id/counter_value")), "Count: 1");
    bench.device.press(middle, ms(650));
    assert_eq!(bench.text(&format!("{APP}:id/counter_value")), "Count: 0");
    // What knows no long press is clicked after all.
    let screen = bench.screen();
    let list = screen.nodes().find(|node| node.label() == "Open list").unwrap();
    bench.device.press(list.bounds().center(), ms(900));
    assert_eq!(bench.title(), "List");
}

#[test]
fn a_slow_drag_moves_as_far_as_the_finger_and_no_further() {
    let bench = on_list();
    let top = |bench: &Bench| {
        let screen = bench.screen();
        let row = screen.nodes().find(|node| node.label() == "Row 9").unwrap();
        row.bounds().top
    };
    let before = top(&bench);
    let (from, held) = (point(540, 1_500), point(540, 1_100));
    let stroke = [(0, from), (600, held), (900, held)];
    let stroke = stroke.map(|(at, point)| StrokePoint { at: ms(at), point }).to_vec();
    bench.device.gesture(&[stroke]);
    bench.device.advance(ms(2_000));
    let moved = before - top(&bench);
    let slop = bench.device.metrics().px(8) + 20;
    assert!((400 - slop..=400).contains(&moved), "{moved}");
}

#[test]
fn a_throw_goes_on_after_the_finger_and_comes_to_rest() {
    let bench = on_list();
    bench.device.swipe(point(540, 1_800), point(540, 800), ms(150));
    let released = first_row(&bench);
    bench.device.advance(ms(200));
    let going = first_row(&bench);
    bench.device.advance(ms(5_000));
    let rest = first_row(&bench);
    assert!(released < going && going < rest, "{released} {going} {rest}");
    let generation = bench.device.generation();
    bench.device.advance(ms(5_000));
    assert_eq!((first_row(&bench), bench.device.generation()), (rest, generation));
}

#[test]
fn a_touch_stops_a_throw_and_clicks_nothing() {
    let bench = on_list();
    bench.device.swipe(point(540, 1_800), point(540, 800), ms(150));
    bench.device.advance(ms(100));
    bench.device.tap(point(540, 1_200));
    let stopped = first_row(&bench);
    bench.device.advance(ms(5_000));
    assert_eq!((first_row(&bench), bench.title().as_str()), (stopped, "List"));
}

#[test]
fn edges_hold() {
    let bench = on_list();
    bench.device.swipe(point(540, 800), point(540, 2_000), ms(100));
    bench.device.advance(ms(3_000));
    assert_eq!(first_row(&bench), 1);
    for _ in 0..60 {
        bench.device.swipe(point(540, 2_000), point(540, 400), ms(60));
        bench.device.advance(ms(3_000));
    }
    assert!(bench.shows("Row 200"));
    assert_eq!(bench.device.screen().map(|s| s.generation), Some(bench.device.generation()));
}

#[test]
fn several_fingers_at_once_do_nothing_and_harm_nothing() {
    let mut bench = on_list();
    let finger = |x: i32| {
        let from = StrokePoint { at: ms(0), point: point(x, 1_000) };
        vec![from, StrokePoint { at: ms(300), point: point(x, 400) }]
    };
    bench.device.gesture(&[finger(300), finger(700)]);
    assert_eq!((first_row(&bench), bench.title().as_str()), (1, "List"));
    bench.device.gesture(&[]);
    bench.device.gesture(&[vec![]]);
    bench.click("Row 2");
}

#[test]
fn the_bars_keys_work_by_touch() {
    let bench = on_list();
    let bar = bench.device.metrics().navigation_bar();
    bench.device.tap(point(100, bar.center().y));
    assert_eq!(bench.title(), "Conformance");
    bench.device.tap(bar.center());
    assert_eq!(bench.screen().foreground_package(), "com.android.launcher3");
}

#[test]
fn a_touch_beside_a_dialog_closes_it() {
    let mut bench = Bench::on(APP);
    bench.click("Open dialog");
    bench.device.tap(point(10, 200));
    assert_eq!(bench.title(), "Conformance");
    assert_eq!(bench.text(&format!("{APP}:id/answer_value")), "Answer: none");
}

#[test]
fn a_screen_that_is_off_feels_nothing() {
    let bench = on_list();
    bench.device.sleep();
    bench.device.tap(point(540, 500));
    bench.device.wake();
    bench.device.unlock();
    assert_eq!(bench.title(), "List");
}
