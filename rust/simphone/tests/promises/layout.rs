use crate::bench::{Bench, options};
use clawperator_contract::runnable::{Point, StrokePoint};
use clawperator_runtime::screen::{Flags, Node, Screen, WindowKind};
use clawperator_simphone::app::{App, Body, Kind, Widget};
use clawperator_simphone::device::{Device, Metrics, Options};
use std::collections::BTreeSet;
use std::time::Duration;

/// The apps, but every one starts with a screen that leads to all of its others.
fn opened_anywhere(app: &App, screen: &str) -> App {
    App { entry: screen.to_owned(), ..app.clone() }
}

fn each_screen(metrics: Metrics, mut check: impl FnMut(&str, &Device, &[Widget])) {
    let options = Options { metrics, ..options() };
    let device = Device::new(options.clone()).unwrap();
    for app in &options.apps {
        for (name, page) in &app.screens {
            let Body::Widgets(widgets) = &page.body else { continue };
            device.install(opened_anywhere(app, name));
            device.launch(&app.package);
            // Late ones too.
            device.advance(Duration::from_secs(5));
            check(&format!("{}/{name}", app.package), &device, widgets);
        }
    }
}

fn assert_sane(what: &str, screen: &Screen) {
    for node in screen.nodes() {
        let place = format!("{what}: {} \"{}\" {}", node.class(), node.label(), node.bounds());
        assert!(!node.bounds().is_empty(), "{place} is empty");
        if let Some(parent) = node.parent() {
            let inside = node.bounds().intersection(parent.bounds());
            assert_eq!(inside, node.bounds(), "{place} leaves its parent {}", parent.bounds());
        }
        let children: Vec<_> = node.children().collect();
        for (at, child) in children.iter().enumerate() {
            for other in &children[at + 1..] {
                let both = child.bounds().intersects(other.bounds());
                assert!(!both, "{place}: {} lies over {}", child.bounds(), other.bounds());
            }
        }
        assert!(!node.class().is_empty(), "{place} has no class");
    }
}

#[test]
fn on_every_screen_nodes_lie_inside_their_parents_and_beside_their_siblings() {
    let sizes = [
        Metrics::default(),
        Metrics { width: 720, height: 1280, dpi: 320 },
        Metrics { width: 2560, height: 1600, dpi: 320 },
    ];
    for metrics in sizes {
        each_screen(metrics, |what, device, _| assert_sane(what, &device.screen().unwrap()));
    }
}

#[test]
fn every_dialog_lies_inside_the_screen() {
    let mut seen = 0;
    for metrics in [Metrics::default(), Metrics { width: 480, height: 800, dpi: 240 }] {
        let options = Options { metrics, ..options() };
        for app in &options.apps {
            for name in app.dialogs.keys() {
                let bench = Bench::with(options.clone());
                let mut opener = app.clone();
                let page = opener.dialogs[name].clone();
                opener.screens.insert(name.clone(), page);
                opener.entry.clone_from(name);
                bench.device.install(opener);
                bench.device.launch(&app.package);
                assert_sane(name, &bench.screen());
                seen += 1;
            }
        }
    }
    assert!(seen > 10);
}

/// Titles of rows among these widgets.
fn rows<'a>(widgets: &'a [Widget], out: &mut Vec<&'a Widget>) {
    for widget in widgets {
        match &widget.kind {
            Kind::Row { .. } if widget.when.is_none() => out.push(widget),
            Kind::Grid { items, .. } => rows(items, out),
            _ => {}
        }
    }
}

#[test]
fn every_row_is_reached_by_scrolling() {
    each_screen(Metrics { width: 720, height: 1280, dpi: 320 }, |what, device, widgets| {
        let mut wanted = Vec::new();
        rows(widgets, &mut wanted);
        let app = device.app(what.split('/').next().unwrap()).unwrap();
        let scope = clawperator_simphone::app::Scope { state: &app.state, n: 0 };
        let titles: BTreeSet<_> = wanted
            .iter()
            .filter_map(|widget| match &widget.kind {
                Kind::Row { title, .. } => Some(title.text(scope)),
                _ => None,
            })
            .collect();
        let mut seen = BTreeSet::new();
        for _ in 0..20 {
            let screen = device.screen().unwrap();
            seen.extend(screen.nodes().map(|node| node.label().to_owned()));
            let scrolls = screen.nodes().find(|node| node.has(Flags::SCROLLABLE));
            let Some(area) = scrolls.map(|node| node.bounds()) else { break };
            // Held at the end, so that nothing is thrown past.
            let at = |ms, y| StrokePoint {
                at: Duration::from_millis(ms),
                point: Point { x: area.center().x, y },
            };
            let (from, to) = (area.bottom - 40, area.top + 40);
            device.gesture(&[vec![at(0, from), at(400, to), at(700, to)]]);
        }
        let missing: Vec<_> = titles.difference(&seen).collect();
        assert!(missing.is_empty(), "{what}: {missing:?}");
    });
}

#[test]
fn whatever_takes_clicks_is_large_enough_for_a_finger() {
    each_screen(Metrics::default(), |what, device, _| {
        let screen = device.screen().unwrap();
        let app_nodes = |node: &Node<'_>| {
            node.window().window().kind == WindowKind::Application && node.has(Flags::CLICKABLE)
        };
        let cut = |node: &Node<'_>| {
            node.parent().is_some_and(|up| up.bounds().bottom == node.bounds().bottom)
        };
        for node in screen.nodes().filter(app_nodes) {
            let small = node.bounds().height() < 84 || node.bounds().width() < 84;
            assert!(!small || cut(&node), "{what}: \"{}\" {}", node.label(), node.bounds());
        }
    });
}
