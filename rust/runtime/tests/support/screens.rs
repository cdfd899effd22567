//! Screens as Android apps really build them: class names, ids, nesting and flags are those of a
//! mail list, a sign-up form and the main page of Settings. For tests and benches.

#![allow(dead_code, unreachable_pub, reason = "every user of it needs another part")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails loudly")]

use clawperator_runtime::screen::{
    Bounds, Flags, NodeSpec, PackedError, Range, Screen, ScreenBuilder, WindowSpec,
};

const WIDTH: i32 = 1080;
const HEIGHT: i32 = 2400;
const BASE: Flags = Flags::ENABLED.with(Flags::VISIBLE);
const TAPPED: Flags = BASE.with(Flags::CLICKABLE).with(Flags::FOCUSABLE);

/// The three screens, by name.
pub fn named() -> [(&'static str, Screen); 3] {
    [("list", list()), ("form", form()), ("settings", settings())]
}

/// Makes nodes of one app.
struct App(&'static str);

impl App {
    fn view(&self, class: &str, id: &str, bounds: [i32; 4], children: Vec<NodeSpec>) -> NodeSpec {
        let [left, top, right, bottom] = bounds;
        NodeSpec {
            class: if class.contains('.') {
                class.into()
            } else {
                format!("android.widget.{class}")
            },
            resource_id: match id {
                "" => String::new(),
                id if id.contains(':') => id.into(),
                id => format!("{}:id/{id}", self.0),
            },
            package: self.0.into(),
            bounds: Bounds::new(left, top, right, bottom),
            flags: BASE,
            children,
            ..NodeSpec::default()
        }
    }

    fn text(&self, id: &str, text: &str, bounds: [i32; 4]) -> NodeSpec {
        NodeSpec { text: text.into(), ..self.view("TextView", id, bounds, vec![]) }
    }

    fn image_button(&self, id: &str, description: &str, bounds: [i32; 4]) -> NodeSpec {
        NodeSpec {
            description: description.into(),
            flags: TAPPED,
            ..self.view("ImageButton", id, bounds, vec![])
        }
    }

    /// The layouts every activity stands in.
    fn screen(&self, generation: u64, content: Vec<NodeSpec>) -> Result<Screen, PackedError> {
        builder(self, generation, content).screen()
    }
}

fn builder(app: &App, generation: u64, content: Vec<NodeSpec>) -> ScreenBuilder {
    let all = [0, 0, WIDTH, HEIGHT];
    let content = app.view("FrameLayout", "android:id/content", all, content);
    let decor = app.view("LinearLayout", "", all, vec![content]);
    let root = app.view("FrameLayout", "", all, vec![decor]);
    let mut builder = ScreenBuilder::new(WIDTH, HEIGHT);
    builder.generation(generation).foreground(app.0).window(&WindowSpec::application(root));
    builder
}

fn with(flags: Flags, node: NodeSpec) -> NodeSpec {
    NodeSpec { flags: node.flags.with(flags), ..node }
}

const SENDERS: [&str; 5] = ["Alice Smith", "Deutsche Bahn", "Mum", "GitHub", "Dr. Weiß"];
const SUBJECTS: [&str; 4] = [
    "Lunch on Friday?",
    "Your ticket for tomorrow",
    "Photos of the garden",
    "Re: invoice 2024-117",
];

/// An inbox: fifteen rows, each with a picture, sender, subject, date and a star.
pub fn list() -> Screen {
    let app = App("com.example.mail");
    let rows = (0..15).map(|number| mail(&app, number, 220 + number * 145)).collect();
    let recycler = NodeSpec {
        collection: Some((15, 1)),
        ..app.view(RECYCLER, "thread_list", [0, 220, WIDTH, HEIGHT], rows)
    };
    let title = app.text("", "Inbox", [168, 118, 400, 190]);
    let bar = app.view(
        "androidx.appcompat.widget.Toolbar",
        "toolbar",
        [0, 80, WIDTH, 220],
        vec![
            app.image_button("", "Open navigation drawer", [0, 80, 147, 220]),
            title,
            app.image_button("action_search", "Search in mail", [933, 80, WIDTH, 220]),
        ],
    );
    let compose = NodeSpec {
        text: "Compose".into(),
        ..app.image_button("compose", "", [680, 2150, 1030, 2290])
    };
    let list = with(Flags::SCROLLABLE.with(Flags::FOCUSABLE), recycler);
    let refresh =
        app.view("android.view.ViewGroup", "swipe_refresh", [0, 220, WIDTH, HEIGHT], vec![list]);
    let page = app.view(
        "android.view.ViewGroup",
        "coordinator",
        [0, 80, WIDTH, HEIGHT],
        vec![bar, refresh, compose],
    );
    app.screen(57, vec![page]).unwrap()
}

const RECYCLER: &str = "androidx.recyclerview.widget.RecyclerView";

fn mail(app: &App, number: i32, top: i32) -> NodeSpec {
    let pick = |of: &[&str]| of[usize::try_from(number).unwrap() % of.len()].to_owned();
    let bottom = top + 145;
    let picture = app.view("ImageView", "contact_image", [32, top + 20, 137, bottom - 20], vec![]);
    let frame = app.view("FrameLayout", "contact_frame", [0, top, 168, bottom], vec![picture]);
    let texts = app.view(
        "LinearLayout",
        "text_column",
        [168, top, 933, bottom],
        vec![
            app.view(
                "LinearLayout",
                "",
                [168, top, 933, top + 60],
                vec![
                    app.text("sender", &pick(&SENDERS), [168, top, 780, top + 60]),
                    app.text("date", &format!("{} Mar", number + 1), [790, top, 933, top + 60]),
                ],
            ),
            app.text("subject", &pick(&SUBJECTS), [168, top + 60, 933, bottom]),
        ],
    );
    let star = NodeSpec {
        flags: TAPPED.with(Flags::CHECKABLE),
        ..app.image_button("star", "Star this conversation", [933, top, WIDTH, bottom])
    };
    let row = app.view(
        "android.view.ViewGroup",
        "thread_row",
        [0, top, WIDTH, bottom],
        vec![frame, texts, star],
    );
    with(TAPPED.with(Flags::LONG_CLICKABLE).with(Flags::COLLECTION_ITEM), row)
}

/// A profile to fill in: fields with hints, one of them a password, a tick, a switch, a slider
/// and two buttons.
pub fn form() -> Screen {
    let app = App("com.example.shop");
    let bar = app.view(
        "android.view.ViewGroup",
        "toolbar",
        [0, 80, WIDTH, 220],
        vec![
            app.image_button("", "Navigate up", [0, 80, 147, 220]),
            app.text("", "Create account", [168, 118, 600, 190]),
        ],
    );
    let mut rows =
        vec![with(Flags::HEADING, app.text("headline", "Tell us about you", [48, 240, 1032, 320]))];
    let fields = [
        ("first_name", "Ada", ""),
        ("last_name", "", "Last name"),
        ("email", "ada@example.com", "Email"),
        ("phone", "", "Phone number"),
        ("password", "correct horse", "Password"),
    ];
    for (number, (id, text, hint)) in (0..).zip(fields) {
        rows.push(field(&app, id, text, hint, 340 + number * 190));
    }
    let check = Flags::CHECKABLE.with(Flags::CLICKABLE).with(Flags::FOCUSABLE);
    let tick = app.view("CheckBox", "accept_terms", [48, 1320, 1032, 1420], vec![]);
    rows.push(with(check, NodeSpec { text: "I accept the terms and conditions".into(), ..tick }));
    let widget = app.view("Switch", "newsletter_switch", [880, 1440, 1032, 1540], vec![]);
    let newsletter = app.view(
        "LinearLayout",
        "newsletter_row",
        [48, 1440, 1032, 1540],
        vec![
            app.text("newsletter_title", "Newsletter", [48, 1440, 860, 1490]),
            app.text("newsletter_summary", "About once a month", [48, 1490, 860, 1540]),
            with(Flags::CHECKABLE.with(Flags::CHECKED), NodeSpec { text: "ON".into(), ..widget }),
        ],
    );
    rows.push(with(TAPPED, newsletter));
    let slider = app.view("SeekBar", "font_size", [48, 1560, 1032, 1640], vec![]);
    let range = Some(Range { min: 0.0, max: 4.0, current: 1.0 });
    rows.push(with(
        Flags::FOCUSABLE,
        NodeSpec { range, description: "Text size".into(), ..slider },
    ));
    for (number, (id, text)) in (0..).zip([("create", "Create account"), ("later", "Maybe later")])
    {
        let top = 1680 + number * 160;
        let button = app.view("Button", id, [48, top, 1032, top + 140], vec![]);
        rows.push(with(TAPPED, NodeSpec { text: text.into(), ..button }));
    }
    let column = app.view("LinearLayout", "form_column", [0, 220, WIDTH, 2100], rows);
    let scroller = app.view("ScrollView", "form_scroller", [0, 220, WIDTH, HEIGHT], vec![column]);
    let scroller = with(Flags::SCROLLABLE.with(Flags::FOCUSABLE), scroller);
    let page = app.view("LinearLayout", "root", [0, 80, WIDTH, HEIGHT], vec![bar, scroller]);
    app.screen(7, vec![page]).unwrap()
}

/// A field as Material draws it: a box around a frame around what is typed into.
fn field(app: &App, id: &str, text: &str, hint: &str, top: i32) -> NodeSpec {
    let area = [48, top, 1032, top + 170];
    let mut edit = with(
        TAPPED.with(Flags::EDITABLE).with(Flags::LONG_CLICKABLE),
        app.view("EditText", id, area, vec![]),
    );
    if text.is_empty() {
        edit = with(Flags::SHOWING_HINT, NodeSpec { text: hint.into(), ..edit });
    } else {
        edit = NodeSpec { text: text.into(), ..edit };
    }
    if id == "password" {
        edit = with(Flags::PASSWORD, NodeSpec { description: hint.into(), ..edit });
    }
    let frame = app.view("FrameLayout", "", area, vec![edit]);
    app.view("LinearLayout", &format!("{id}_layout"), area, vec![frame])
}

const SETTINGS: [(&str, &str); 14] = [
    ("Network & internet", "Mobile, Wi\u{2011}Fi, hotspot"),
    ("Connected devices", "Bluetooth, pairing"),
    ("Apps", "Recent apps, default apps"),
    ("Notifications", "Notification history, conversations"),
    ("Battery", "100%"),
    ("Storage", "42% used - 74.2 GB free"),
    ("Sound & vibration", "Volume, haptics, Do Not Disturb"),
    ("Display", "Dark theme, font size, brightness"),
    ("Wallpaper & style", "Colors, themed icons, app grid"),
    ("Accessibility", "Display, interaction, audio"),
    ("Security & privacy", "App security, device lock, permissions"),
    ("Location", "On - 4 apps have access to location"),
    ("System", "Languages, gestures, time, backup"),
    ("About phone", "sdk_gphone64_x86_64"),
];

/// The main page of Settings.
pub fn settings() -> Screen {
    let app = App("com.android.settings");
    let rows = (0..).zip(SETTINGS).map(|(number, row)| preference(&app, row, 470 + number * 135));
    let recycler = NodeSpec {
        collection: Some((14, 1)),
        ..app.view(RECYCLER, "recycler_view", [0, 470, WIDTH, HEIGHT], rows.collect())
    };
    let recycler = with(Flags::FOCUSABLE, recycler);
    let list = app.view(
        "FrameLayout",
        "android:id/list_container",
        [0, 470, WIDTH, HEIGHT],
        vec![recycler],
    );
    let container =
        app.view("LinearLayout", "container_material", [0, 470, WIDTH, HEIGHT], vec![list]);
    let main = app.view("FrameLayout", "main_content", [0, 470, WIDTH, HEIGHT], vec![container]);
    let search = app.view(
        "android.view.ViewGroup",
        "search_action_bar",
        [48, 320, 1032, 460],
        vec![
            app.view("ImageView", "search_icon", [80, 350, 160, 430], vec![]),
            app.text("search_action_bar_title", "Search settings", [180, 350, 800, 430]),
        ],
    );
    let avatar = NodeSpec {
        description: "Signed in as Ada".into(),
        ..with(TAPPED, app.view("ImageView", "account_avatar", [912, 150, 1032, 270], vec![]))
    };
    let bar = app.view(
        "LinearLayout",
        "homepage_app_bar_regular_phone_view",
        [0, 80, WIDTH, 470],
        vec![
            app.text("homepage_title", "Settings", [72, 150, 700, 270]),
            avatar,
            with(TAPPED, search),
        ],
    );
    let column =
        app.view("LinearLayout", "homepage_container", [0, 80, WIDTH, HEIGHT], vec![bar, main]);
    let scroller = app.view(
        "ScrollView",
        "main_content_scrollable_container",
        [0, 80, WIDTH, HEIGHT],
        vec![column],
    );
    let scroller = with(Flags::SCROLLABLE.with(Flags::FOCUSABLE), scroller);
    let page = app.view(
        "android.view.ViewGroup",
        "settings_homepage_container",
        [0, 0, WIDTH, HEIGHT],
        vec![scroller],
    );
    app.screen(57, vec![page]).unwrap()
}

/// A row as the preference library builds it.
fn preference(app: &App, (title, summary): (&str, &str), top: i32) -> NodeSpec {
    let bottom = top + 135;
    let icon = app.view("ImageView", "android:id/icon", [72, top + 30, 147, bottom - 30], vec![]);
    let frame = app.view("LinearLayout", "icon_frame", [48, top, 180, bottom], vec![icon]);
    let texts = app.view(
        "RelativeLayout",
        "",
        [180, top, 1032, bottom],
        vec![
            app.text("android:id/title", title, [180, top + 10, 800, top + 70]),
            app.text("android:id/summary", summary, [180, top + 70, 1000, bottom - 10]),
        ],
    );
    with(TAPPED, app.view("LinearLayout", "", [0, top, WIDTH, bottom], vec![frame, texts]))
}

/// About `count` nodes, packed: Settings with as many rows as that takes, all of them on screen.
/// The last node is labelled "Summary of the last row".
pub fn rows(count: usize) -> Vec<u8> {
    let app = App("com.android.settings");
    // Four nodes around the list, six in each row.
    let rows = i32::try_from(count.saturating_sub(4) / 6).unwrap().max(1);
    let row = |number: i32| {
        let summary = match number + 1 {
            last if last == rows => "Summary of the last row".to_owned(),
            _ => format!("Summary of row {number}"),
        };
        preference(&app, (&format!("Row {number}"), &summary), 220 + number % 16 * 135)
    };
    let rows = (0..rows).map(row).collect();
    let list = app.view(RECYCLER, "recycler_view", [0, 220, WIDTH, HEIGHT], rows);
    builder(&app, 57, vec![with(Flags::SCROLLABLE, list)]).pack()
}
