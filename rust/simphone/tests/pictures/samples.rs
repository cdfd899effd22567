//! Screens made up for pictures, as real apps build them.

use clawperator_runtime::screen::{
    Bounds, Flags, NodeSpec, Range, Screen, ScreenBuilder, WindowKind, WindowSpec,
};

const WIDTH: i32 = 1080;
const HEIGHT: i32 = 2400;
const TAPS: Flags = Flags::ENABLED.with(Flags::VISIBLE).with(Flags::CLICKABLE);

fn view(class: &str, bounds: [i32; 4], text: &str, children: Vec<NodeSpec>) -> NodeSpec {
    let [left, top, right, bottom] = bounds;
    let class = if class.contains('.') { class.into() } else { format!("android.widget.{class}") };
    let bounds = Bounds::new(left, top, right, bottom);
    NodeSpec { class, bounds, text: text.into(), children, ..NodeSpec::default() }
}

fn around(class: &str, bounds: [i32; 4], children: Vec<NodeSpec>) -> NodeSpec {
    view(class, bounds, "", children)
}

fn leaf(class: &str, bounds: [i32; 4]) -> NodeSpec {
    view(class, bounds, "", vec![])
}

fn text(id: &str, bounds: [i32; 4], text: &str) -> NodeSpec {
    let resource_id = format!("com.example:id/{id}");
    NodeSpec { resource_id, ..view("TextView", bounds, text, vec![]) }
}

fn tapped(node: NodeSpec) -> NodeSpec {
    NodeSpec { flags: node.flags.with(TAPS), ..node }
}

fn named(id: &str, node: NodeSpec) -> NodeSpec {
    NodeSpec { resource_id: format!("com.example:id/{id}"), ..node }
}

fn described(description: &str, node: NodeSpec) -> NodeSpec {
    NodeSpec { description: description.into(), ..node }
}

fn when(on: bool, flag: Flags, node: NodeSpec) -> NodeSpec {
    if on { NodeSpec { flags: node.flags.with(flag), ..node } } else { node }
}

fn page(package: &str, children: Vec<NodeSpec>) -> WindowSpec {
    let root = around("FrameLayout", [0, 0, WIDTH, HEIGHT], children);
    WindowSpec::application(NodeSpec { package: package.into(), ..root })
}

fn screen(windows: &[WindowSpec]) -> Screen {
    let mut builder = ScreenBuilder::new(WIDTH, HEIGHT);
    for window in windows {
        builder.window(window);
    }
    builder.screen().unwrap()
}

/// Posts as cards under a bar with tabs, and a bar at the bottom.
pub(super) fn feed() -> Screen {
    let tab = |number: i32, label: &str, selected: bool| {
        let tab = around(
            "LinearLayout",
            [number * 360, 220, number * 360 + 360, 350],
            vec![text("label", [number * 360 + 20, 250, number * 360 + 340, 320], label)],
        );
        described(label, when(selected, Flags::SELECTED, tapped(tab)))
    };
    let posts = [
        ("Ada Lovelace", "2 h", "The engine weaves patterns just as the loom weaves leaves."),
        ("Grace Hopper", "5 h", "Found the first actual bug today. It is in the log book now."),
        ("Weather", "1 d", "Rain until noon, then sunny 🎉 with a light wind from the west."),
    ];
    let card = |number: i32, (name, when, body): (&str, &str, &str)| {
        let top = 380 + number * 600;
        let button = |left: i32, label: &str| {
            tapped(view("Button", [left, top + 440, left + 240, top + 560], label, vec![]))
        };
        let parts = vec![
            named("avatar", leaf("ImageView", [64, top + 30, 168, top + 134])),
            text("author", [200, top + 36, 800, top + 96], name),
            text("age", [860, top + 36, 1010, top + 96], when),
            text("body", [64, top + 160, 1016, top + 420], body),
            button(40, "Like"),
            button(300, "Share"),
        ];
        let post = around("android.view.ViewGroup", [32, top, 1048, top + 580], parts);
        when_item(post)
    };
    let list = NodeSpec {
        collection: Some((3, 1)),
        ..around(
            "androidx.recyclerview.widget.RecyclerView",
            [0, 350, WIDTH, 2200],
            (0..).zip(posts).map(|(number, post)| card(number, post)).collect(),
        )
    };
    let bottom = |number: i32, label: &str, selected: bool| {
        let item = view(
            "FrameLayout",
            [number * 360, 2200, number * 360 + 360, HEIGHT - 40],
            label,
            vec![],
        );
        when(selected, Flags::SELECTED, tapped(item))
    };
    screen(&[page(
        "com.example.feed",
        vec![
            around(
                "androidx.appcompat.widget.Toolbar",
                [0, 80, WIDTH, 220],
                vec![
                    text("", [48, 110, 500, 190], "Feed"),
                    tapped(described("Search", leaf("ImageButton", [780, 80, 920, 220]))),
                    tapped(described("More options", leaf("ImageView", [930, 80, 1070, 220]))),
                ],
            ),
            around(
                "com.google.android.material.tabs.TabLayout",
                [0, 220, WIDTH, 350],
                vec![tab(0, "For you", true), tab(1, "Following", false), tab(2, "Popular", false)],
            ),
            list,
            around(
                "com.google.android.material.bottomnavigation.BottomNavigationView",
                [0, 2200, WIDTH, HEIGHT],
                vec![
                    bottom(0, "Home", true),
                    bottom(1, "Explore", false),
                    bottom(2, "Notifications", false),
                ],
            ),
        ],
    )])
}

fn when_item(node: NodeSpec) -> NodeSpec {
    tapped(when(true, Flags::COLLECTION_ITEM, node))
}

const APPS: &str = "Phone Messages Camera Photos Settings Clock Calendar Calculator Maps Music \
    Files Contacts Weather Form Feed Conformance Browser Mail Notes Podcasts";

pub(super) fn launcher() -> Screen {
    let icons = (0..).zip(APPS.split_whitespace()).map(|(number, app): (i32, _)| {
        let (left, top) = (24 + number % 4 * 258, 520 + number / 4 * 330);
        tapped(view("TextView", [left, top, left + 258, top + 300], app, vec![]))
    });
    let mut all: Vec<NodeSpec> = icons.collect();
    all.push(text("date", [60, 200, 700, 290], "Friday, 14 March"));
    screen(&[page("com.android.launcher3", all)])
}

/// The quick settings, one tile off, one on, one not to be had; a slider above them.
pub(super) fn tiles() -> Screen {
    let tile = |number: i32, label: &str, state: &str, on: bool| {
        let (left, top) = (40 + number % 2 * 510, 420 + number / 2 * 220);
        let parts = vec![
            described(label, leaf("ImageView", [left + 40, top + 65, left + 110, top + 135])),
            text("tile_label", [left + 140, top + 36, left + 470, top + 100], label),
            text("app_label", [left + 140, top + 104, left + 470, top + 160], state),
        ];
        let tile = around("android.widget.Switch", [left, top, left + 490, top + 200], parts);
        when(on, Flags::CHECKED, tapped(named("qs_tile", tile)))
    };
    let range = Some(Range { min: 0.0, max: 100.0, current: 60.0 });
    let brightness = leaf("SeekBar", [40, 250, 1040, 350]);
    screen(&[page(
        "com.android.systemui",
        vec![
            NodeSpec { range, ..described("Brightness", brightness) },
            tile(0, "Internet", "Home network", true),
            tile(1, "Bluetooth", "Off", false),
            tile(2, "Flashlight", "Off", false),
            tile(3, "Do Not Disturb", "On", true),
        ],
    )])
}

pub(super) fn lock() -> Screen {
    screen(&[page(
        "com.android.systemui",
        vec![
            text("keyguard_clock", [90, 400, 990, 700], "10:09"),
            text("keyguard_date", [290, 700, 790, 780], "Friday, 14 March"),
            text("keyguard_indication", [240, 2200, 840, 2270], "Swipe up to open"),
        ],
    )])
}

/// A question over Settings, and the keyboard for its answer.
pub(super) fn dialog() -> Screen {
    let field = view("EditText", [140, 980, 940, 1130], "Ada's phone", vec![]);
    let field = when(true, Flags::EDITABLE.with(Flags::FOCUSED), tapped(field));
    let mut question = page(
        "com.android.settings",
        vec![
            text("alertTitle", [140, 760, 940, 850], "Device name"),
            text("message", [140, 860, 940, 960], "Others see it when they share with you."),
            field,
            tapped(view("Button", [480, 1180, 700, 1300], "Cancel", vec![])),
            tapped(view("Button", [720, 1180, 940, 1300], "Save", vec![])),
        ],
    );
    question.bounds = Bounds::new(60, 700, 1020, 1340);
    question.root.bounds = question.bounds;
    question.layer = 3;
    let mut behind =
        page("com.android.settings", vec![text("title", [48, 120, 700, 220], "About phone")]);
    (behind.id, behind.active) = (2, false);
    let root = leaf("FrameLayout", [0, 1560, WIDTH, HEIGHT]);
    let bounds = root.bounds;
    let keys = WindowSpec {
        id: 3,
        kind: WindowKind::InputMethod,
        active: false,
        layer: 4,
        bounds,
        ..WindowSpec::application(root)
    };
    screen(&[question, behind, keys])
}

/// One of each: choices, a menu, bars, pictures, and things that cannot be used now.
pub(super) fn controls() -> Screen {
    let check = |class: &str, top: i32, label: &str, on: bool| {
        let node = view(class, [48, top, 1032, top + 110], label, vec![]);
        when(on, Flags::CHECKED, when(true, Flags::CHECKABLE, tapped(node)))
    };
    let chip = |left: i32, label: &str, on: bool| {
        let class = "com.google.android.material.chip.Chip";
        let chip = view(class, [left, 240, left + 300, 350], label, vec![]);
        when(on, Flags::CHECKED, when(true, Flags::CHECKABLE, tapped(chip)))
    };
    let off = |node: NodeSpec| NodeSpec { flags: node.flags.without(Flags::ENABLED), ..node };
    let half = Some(Range { min: 0.0, max: 10.0, current: 5.0 });
    let bar = NodeSpec { range: half, ..leaf("ProgressBar", [48, 1290, 1032, 1330]) };
    let notes = "Ring twice, then leave it with the neighbours on the second floor, please.";
    screen(&[page(
        "com.example.controls",
        vec![
            around(
                "androidx.appcompat.widget.Toolbar",
                [0, 80, WIDTH, 220],
                vec![
                    tapped(described("Navigate up", leaf("ImageButton", [0, 80, 140, 220]))),
                    text("", [168, 110, 700, 190], "Delivery"),
                ],
            ),
            chip(48, "Today", true),
            chip(370, "Tomorrow", false),
            chip(692, "Later", false),
            check("RadioButton", 380, "Leave at the door", true),
            check("RadioButton", 490, "Hand it to me", false),
            check("CheckBox", 600, "Send me updates", true),
            off(check("CheckBox", 710, "Signature required", false)),
            check("Switch", 820, "Contactless", true),
            off(check("Switch", 930, "Express, not available here", false)),
            tapped(around(
                "Spinner",
                [48, 1080, 1032, 1230],
                vec![text("text1", [80, 1100, 900, 1210], "Between nine and noon")],
            )),
            bar,
            leaf("ProgressBar", [480, 1360, 600, 1480]),
            when(
                true,
                Flags::EDITABLE,
                tapped(described("Note", view("EditText", [48, 1510, 1032, 1760], notes, vec![]))),
            ),
            described("Map", leaf("ImageView", [48, 1790, 1032, 2040])),
            off(tapped(view("Button", [48, 2080, 520, 2210], "Pay now", vec![]))),
            tapped(view("Button", [560, 2080, 1032, 2210], "Continue", vec![])),
        ],
    )])
}
