//! Random screens, out of few words, so that random selectors find something.

use clawperator_runtime::screen::{Bounds, Flags, NodeSpec, Range, WindowKind, WindowSpec};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// What stands in password fields. No payload has it, so no envelope may.
pub const SECRET: &str = "hünter2-K7q";

pub const LABELS: &[&str] = &[
    "OK",
    "Cancel",
    "Wi-Fi",
    "wi-fi",
    "Row 3",
    "21 °C",
    "1.2.3",
    "Straße 🎉",
    "A rather long text",
    "tab\tand\nline",
    "<&\"'>",
    " ",
];
pub const IDS: &[&str] =
    &["app:id/title", "app:id/summary", "app:id/tab", "app:id/list", "app:id/name", "android:id/x"];
pub const PACKAGES: &[&str] = &["com.a", "com.b", "com.c", "com.d"];
pub const CLASSES: &[&str] = &[
    "android.widget.TextView",
    "android.widget.Button",
    "android.widget.EditText",
    "android.widget.Switch",
    "android.widget.ImageView",
    "android.widget.FrameLayout",
    "android.widget.LinearLayout",
    "androidx.recyclerview.widget.RecyclerView",
    "android.widget.Toolbar",
    "com.google.android.material.tabs.TabLayout",
    "",
];

/// A screen that may come up: what is in front, and its windows.
#[derive(Clone)]
pub struct Scene {
    pub foreground: String,
    pub windows: Vec<WindowSpec>,
}

/// A few scenes of one phone.
pub fn scenes(rng: &mut SmallRng) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = (0..rng.random_range(1..4)).map(|_| scene(rng)).collect();
    // The same screens with something gone: nodes come late, and vanish.
    for at in 0..scenes.len() {
        let mut other = scenes[at].clone();
        for window in &mut other.windows {
            thin_out(&mut window.root, rng);
        }
        scenes.push(other);
    }
    scenes
}

fn scene(rng: &mut SmallRng) -> Scene {
    let package = pick(rng, PACKAGES);
    let mut windows = vec![WindowSpec { package: package.into(), ..window(rng, 1) }];
    if rng.random_bool(0.3) {
        let kinds = [
            WindowKind::Application,
            WindowKind::InputMethod,
            WindowKind::System,
            WindowKind::AccessibilityOverlay,
            WindowKind::Other,
        ];
        windows.push(WindowSpec {
            kind: *kinds.choose(rng).unwrap(),
            active: rng.random_bool(0.1),
            layer: rng.random_range(0..4),
            package: pick(rng, PACKAGES).into(),
            ..window(rng, 2)
        });
    }
    let foreground = if rng.random_bool(0.05) { String::new() } else { package.into() };
    Scene { foreground, windows }
}

fn window(rng: &mut SmallRng, id: i32) -> WindowSpec {
    let mut room = rng.random_range(2..16);
    let mut root = NodeSpec { bounds: Bounds::new(0, 0, 1080, 2400), ..node(rng) };
    root.flags = root.flags.with(Flags::VISIBLE);
    grow(&mut root, rng, &mut room, 0);
    WindowSpec { id, ..WindowSpec::application(root) }
}

fn grow(parent: &mut NodeSpec, rng: &mut SmallRng, room: &mut u32, depth: u32) {
    while *room > 0 && rng.random_bool(0.75) {
        *room -= 1;
        let mut child = node(rng);
        if depth < 6 && rng.random_bool(0.5) {
            grow(&mut child, rng, room, depth + 1);
        }
        parent.children.push(child);
    }
}

fn node(rng: &mut SmallRng) -> NodeSpec {
    let mut spec = NodeSpec {
        class: pick(rng, CLASSES).into(),
        bounds: bounds(rng),
        package: pick(rng, PACKAGES).into(),
        ..NodeSpec::default()
    };
    if rng.random_bool(0.6) {
        spec.text = pick(rng, LABELS).into();
    }
    if rng.random_bool(0.2) {
        spec.description = pick(rng, LABELS).into();
    }
    if rng.random_bool(0.4) {
        spec.resource_id = pick(rng, IDS).into();
    }
    if rng.random_bool(0.05) {
        spec.role_description = pick(rng, LABELS).into();
    }
    for (flag, _) in Flags::ALL {
        let taken = [Flags::CLICKABLE, Flags::LONG_CLICKABLE].contains(flag);
        let often = if taken { 0.4 } else { 0.12 };
        if rng.random_bool(often) {
            spec.flags = spec.flags.with(*flag);
        }
    }
    if rng.random_bool(0.1) {
        spec.flags = spec.flags.without(Flags::ENABLED);
    }
    if rng.random_bool(0.08) {
        spec.flags = spec.flags.without(Flags::VISIBLE);
    }
    if spec.flags.has(Flags::COLLECTION) {
        spec.collection = Some((rng.random_range(0..9), rng.random_range(0..3)));
    }
    if spec.flags.has(Flags::RANGE) {
        spec.range = Some(Range { min: 0.0, max: 9.0, current: f32::NAN });
    }
    if rng.random_bool(0.2) {
        field(&mut spec, rng);
    }
    if spec.flags.has(Flags::PASSWORD) {
        spec.text = if rng.random_bool(0.7) { SECRET.into() } else { String::new() };
    }
    spec
}

fn field(spec: &mut NodeSpec, rng: &mut SmallRng) {
    spec.class = "android.widget.EditText".into();
    spec.flags = spec.flags.with(Flags::EDITABLE).with(Flags::FOCUSABLE).with(Flags::CLICKABLE);
    for (flag, chance) in
        [(Flags::PASSWORD, 0.4), (Flags::FOCUSED, 0.3), (Flags::SHOWING_HINT, 0.2)]
    {
        if rng.random_bool(chance) {
            spec.flags = spec.flags.with(flag);
        }
    }
}

/// Mostly on the screen; now and then empty, beside it, or as large as numbers go.
fn bounds(rng: &mut SmallRng) -> Bounds {
    let (left, top) = (rng.random_range(0..1_000), rng.random_range(0..2_300));
    match rng.random_range(0..40) {
        0 => Bounds::new(left, top, left, top),
        1 => Bounds::new(left + 2_000, top, left + 2_100, top + 50),
        2 => Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
        3 => Bounds::new(left - 500, top - 500, left, top),
        4 => Bounds::new(left, top, left + 1, top + 1),
        _ => {
            Bounds::new(left, top, left + rng.random_range(1..900), top + rng.random_range(1..900))
        }
    }
}

fn thin_out(node: &mut NodeSpec, rng: &mut SmallRng) {
    node.children.retain(|_| rng.random_bool(0.8));
    for child in &mut node.children {
        thin_out(child, rng);
    }
}

/// Puts a text into the first field of that kind.
pub fn set_text(node: &mut NodeSpec, hides: bool, text: &str) -> bool {
    if node.flags.has(Flags::EDITABLE) && node.flags.has(Flags::PASSWORD) == hides {
        node.text = text.into();
        node.flags = node.flags.with(Flags::FOCUSED);
        return true;
    }
    node.children.iter_mut().any(|child| set_text(child, hides, text))
}

pub fn pick(rng: &mut SmallRng, words: &[&'static str]) -> &'static str {
    words.choose(rng).copied().unwrap_or_default()
}
