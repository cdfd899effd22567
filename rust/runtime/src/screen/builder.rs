//! Builds captures from plain values, through the packed form, for phones that are not Android.

use super::packed::{MAGIC, NO_PARENT};
use super::{Bounds, Flags, Generation, Range, Screen, WindowKind};
use std::collections::HashMap;

/// A node to be, with those below it. By default it is enabled, visible and nothing else.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "they are those of `Node`")]
pub struct NodeSpec {
    pub text: String,
    pub description: String,
    pub class: String,
    pub resource_id: String,
    pub package: String,
    pub role_description: String,
    pub flags: Flags,
    pub bounds: Bounds,
    pub collection: Option<(i32, i32)>,
    pub range: Option<Range>,
    pub children: Vec<NodeSpec>,
}

impl Default for NodeSpec {
    fn default() -> Self {
        Self {
            text: String::new(),
            description: String::new(),
            class: String::new(),
            resource_id: String::new(),
            package: String::new(),
            role_description: String::new(),
            flags: Flags::ENABLED.with(Flags::VISIBLE),
            bounds: Bounds::default(),
            collection: None,
            range: None,
            children: Vec::new(),
        }
    }
}

/// A window to be.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "they are those of `Window`")]
pub struct WindowSpec {
    pub id: i32,
    pub kind: WindowKind,
    pub active: bool,
    pub layer: i32,
    pub package: String,
    pub title: String,
    pub bounds: Bounds,
    pub root: NodeSpec,
}

impl WindowSpec {
    /// The active window of an app.
    #[must_use]
    pub fn application(root: NodeSpec) -> Self {
        Self {
            id: 1,
            kind: WindowKind::Application,
            active: true,
            layer: 1,
            package: root.package.clone(),
            title: String::new(),
            bounds: root.bounds,
            root,
        }
    }
}

/// Collects windows and packs them.
#[derive(Debug)]
pub struct ScreenBuilder {
    width: i32,
    height: i32,
    rotation: u32,
    generation: Generation,
    foreground: u32,
    windows: Vec<u8>,
    window_count: u32,
    nodes: Vec<u8>,
    node_count: u32,
    texts: HashMap<String, u32>,
    lengths: Vec<u8>,
    units: Vec<u8>,
}

impl ScreenBuilder {
    /// An empty screen of that size.
    #[must_use]
    pub fn new(width: i32, height: i32) -> Self {
        Self {
            width,
            height,
            rotation: 0,
            generation: 1,
            foreground: 0,
            windows: Vec::new(),
            window_count: 0,
            nodes: Vec::new(),
            node_count: 0,
            texts: HashMap::from([(String::new(), 0)]),
            lengths: vec![0; 4],
            units: Vec::new(),
        }
    }

    /// Sets the number of the capture.
    pub fn generation(&mut self, generation: Generation) -> &mut Self {
        self.generation = generation;
        self
    }

    /// Sets the quarter turns.
    pub fn rotation(&mut self, rotation: u32) -> &mut Self {
        self.rotation = rotation;
        self
    }

    /// Sets the package in front.
    pub fn foreground(&mut self, package: &str) -> &mut Self {
        self.foreground = self.text(package);
        self
    }

    /// Adds a window.
    pub fn window(&mut self, window: &WindowSpec) -> &mut Self {
        let kind: u32 = match window.kind {
            WindowKind::Application => 1,
            WindowKind::InputMethod => 2,
            WindowKind::System => 3,
            WindowKind::AccessibilityOverlay => 4,
            WindowKind::Other => 0,
        };
        let texts = [self.text(&window.package), self.text(&window.title)];
        let before = self.node_count;
        self.node(&window.root, NO_PARENT);
        let out = &mut self.windows;
        out.extend(window.id.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(u32::from(window.active).to_le_bytes());
        out.extend(window.layer.to_le_bytes());
        put_bounds(out, window.bounds);
        for text in texts {
            out.extend(text.to_le_bytes());
        }
        out.extend((self.node_count - before).to_le_bytes());
        self.window_count += 1;
        self
    }

    fn node(&mut self, spec: &NodeSpec, parent: u32) {
        let texts = [
            &spec.text,
            &spec.description,
            &spec.class,
            &spec.resource_id,
            &spec.package,
            &spec.role_description,
        ]
        .map(|text| self.text(text));
        let mut flags = spec.flags;
        if spec.collection.is_some() {
            flags = flags.with(Flags::COLLECTION);
        }
        if spec.range.is_some() {
            flags = flags.with(Flags::RANGE);
        }
        let (rows, columns) = spec.collection.unwrap_or_default();
        let range = spec.range.unwrap_or_default();
        let out = &mut self.nodes;
        out.extend(parent.to_le_bytes());
        out.extend(flags.0.to_le_bytes());
        put_bounds(out, spec.bounds);
        for text in texts {
            out.extend(text.to_le_bytes());
        }
        out.extend(rows.to_le_bytes());
        out.extend(columns.to_le_bytes());
        for value in [range.min, range.max, range.current] {
            out.extend(value.to_le_bytes());
        }
        out.extend(0_u32.to_le_bytes());
        let own = self.node_count;
        self.node_count += 1;
        for child in &spec.children {
            self.node(child, own);
        }
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(id) = self.texts.get(text) {
            return *id;
        }
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.insert(text.to_owned(), id);
        let before = self.units.len();
        self.units.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let units = u32::try_from((self.units.len() - before) / 2).unwrap_or(u32::MAX);
        self.lengths.extend(units.to_le_bytes());
        id
    }

    /// The packed capture.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(MAGIC.to_le_bytes());
        out.extend(self.rotation.to_le_bytes());
        out.extend(self.generation.to_le_bytes());
        out.extend(self.width.to_le_bytes());
        out.extend(self.height.to_le_bytes());
        out.extend(self.foreground.to_le_bytes());
        out.extend(self.window_count.to_le_bytes());
        out.extend(self.node_count.to_le_bytes());
        out.extend(u32::try_from(self.texts.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(u32::try_from(self.units.len() / 2).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(0_u32.to_le_bytes());
        out.extend(&self.windows);
        out.extend(&self.nodes);
        out.extend(&self.lengths);
        out.extend(&self.units);
        out
    }

    /// The screen, by way of the packed capture.
    pub fn screen(&self) -> Result<Screen, super::PackedError> {
        Screen::decode(&self.pack())
    }
}

fn put_bounds(out: &mut Vec<u8>, bounds: Bounds) {
    for edge in [bounds.left, bounds.top, bounds.right, bounds.bottom] {
        out.extend(edge.to_le_bytes());
    }
}
