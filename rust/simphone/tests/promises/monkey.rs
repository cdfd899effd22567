use crate::bench::{Bench, options};
use clawperator_contract::runnable::Point;
use clawperator_runtime::phone::{NodeAction, Phone};
use clawperator_runtime::screen::NodeIndex;
use clawperator_simphone::device::{KeyCode, Metrics, Options};
use clawperator_simphone::phone::SimPhone;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// Touches, types and waits at random; answers where it all ended.
fn monkey(metrics: Metrics, seed: u64) -> (String, u64, u32) {
    let bench = Bench::with(Options { metrics, ..options() });
    let device = &bench.device;
    let mut phone = SimPhone::new(device.clone());
    let mut rng = SmallRng::seed_from_u64(seed);
    let apps = device.installed();
    let area = device.metrics();
    for _ in 0..120 {
        let mut point = || Point {
            x: rng.random_range(-10..area.width + 10),
            y: rng.random_range(-10..area.height + 10),
        };
        let (from, to) = (point(), point());
        match rng.random_range(0..12) {
            0 => drop(device.launch(&apps[rng.random_range(0..apps.len())].package)),
            1..4 => device.tap(from),
            4 => device.press(from, Duration::from_millis(700)),
            5 | 6 => device.swipe(from, to, Duration::from_millis(rng.random_range(0..400))),
            7 => device.type_text("a{b}é"),
            8 => {
                let keys = [KeyCode::Back, KeyCode::Enter, KeyCode::Delete, KeyCode::AppSwitch];
                device.key(keys[rng.random_range(0..keys.len())]);
            }
            9 => device.advance(Duration::from_millis(rng.random_range(0..3_000))),
            _ => {
                let screen = phone.capture().unwrap();
                let index = NodeIndex(rng.random_range(0..screen.len()));
                let handle = screen.node(index).unwrap().handle();
                let actions = [
                    NodeAction::Click,
                    NodeAction::LongClick,
                    NodeAction::Focus,
                    NodeAction::SetText("x".into()),
                    NodeAction::ImeEnter,
                    NodeAction::ScrollForward,
                    NodeAction::ScrollBackward,
                ];
                phone.perform(handle, &actions[rng.random_range(0..actions.len())]).unwrap();
            }
        }
        let screen = bench.screen();
        assert!(!screen.foreground_package().is_empty(), "something is always in front");
        for node in screen.nodes() {
            let Some(parent) = node.parent() else { continue };
            let inside = node.bounds().intersection(parent.bounds());
            assert_eq!(inside, node.bounds(), "seed {seed}: {} {}", node.class(), node.label());
        }
    }
    (bench.title(), device.generation(), bench.screen().len())
}

#[test]
fn a_monkey_breaks_nothing() {
    for seed in 0..25 {
        monkey(Metrics::default(), seed);
    }
}

#[test]
fn a_monkey_does_the_same_again() {
    for seed in 0..5 {
        assert_eq!(monkey(Metrics::default(), seed), monkey(Metrics::default(), seed));
    }
}

#[test]
fn screens_of_any_size_are_laid_out() {
    let sizes = [(0, 0, 0), (1, 5_000, 9_999), (320, 240, 120), (i32::MAX, i32::MAX, i32::MAX)];
    for (width, height, dpi) in sizes {
        monkey(Metrics { width, height, dpi }, 3);
    }
}
