//! The packed capture: how a whole screen crosses from the phone's side in one piece.
//!
//! Everything is little endian. Nodes stand in depth-first order, window after window. Texts are
//! UTF-16 because that is what the phone's side has: it copies, we convert.
//!
//! ```text
//! header        48 bytes
//!    0  u32     magic, the bytes "CLW1"
//!    4  u32     rotation, quarter turns
//!    8  u64     generation
//!   16  i32 x2  width and height of the screen
//!   24  u32     text: foreground package
//!   28  u32     number of windows
//!   32  u32     number of nodes
//!   36  u32     number of texts, the empty one included
//!   40  u32     UTF-16 units of all texts together
//!   44  u32     zero
//! window        44 bytes each
//!    0  i32     id
//!    4  u32     kind: 1 application, 2 input method, 3 system, 4 accessibility overlay
//!    8  u32     bit 0: active
//!   12  i32     layer
//!   16  i32 x4  left, top, right, bottom
//!   32  u32     text: package
//!   36  u32     text: title
//!   40  u32     number of its nodes
//! node          72 bytes each
//!    0  u32     place of its parent, 0xFFFFFFFF for the root of a window
//!    4  u32     flags, the bits of `Flags`
//!    8  i32 x4  left, top, right, bottom
//!   24  u32 x6  texts: text, description, class, resource id, package, role description
//!   48  i32 x2  rows and columns of a collection
//!   56  f32 x3  least, greatest and present value of a range
//!   68  u32     zero
//! texts
//!       u32     units of each text; the first is the empty text
//!       u16     units of all texts, one after the other
//! ```

use super::{Bounds, Flags, NodeRecord, Range, Screen, TextId, Texts, Window, WindowKind};
use std::fmt;

pub(super) const MAGIC: u32 = u32::from_le_bytes(*b"CLW1");
pub(super) const NO_PARENT: u32 = u32::MAX;
const WINDOW_BYTES: usize = 44;
const NODE_BYTES: usize = 72;

/// Why bytes are not a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedError {
    /// They do not begin as a capture does.
    BadMagic,
    /// They end too early.
    Truncated,
    /// A node's parent does not stand before it on the way from the root.
    BadParent {
        /// Which node.
        node: u32,
    },
    /// The windows' nodes do not add up to the nodes there are.
    BadCount,
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic => f.write_str("not a packed capture"),
            Self::Truncated => f.write_str("the packed capture is cut short"),
            Self::BadParent { node } => write!(f, "node {node} of the capture has no right parent"),
            Self::BadCount => f.write_str("the windows of the capture do not add up to its nodes"),
        }
    }
}

impl std::error::Error for PackedError {}

/// Reads numbers one after the other.
struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], PackedError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(PackedError::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], PackedError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(PackedError::Truncated)?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn u32(&mut self) -> Result<u32, PackedError> {
        self.array().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Result<i32, PackedError> {
        self.array().map(i32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, PackedError> {
        self.array().map(u64::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, PackedError> {
        self.array().map(f32::from_le_bytes)
    }

    fn text(&mut self) -> Result<TextId, PackedError> {
        self.u32().map(TextId)
    }

    /// Apps have been seen to report edges the wrong way round.
    fn bounds(&mut self) -> Result<Bounds, PackedError> {
        let (a, b, c, d) = (self.i32()?, self.i32()?, self.i32()?, self.i32()?);
        Ok(Bounds::new(a.min(c), b.min(d), a.max(c), b.max(d)))
    }

    /// Room for `count` records of `size` bytes, checked before anything is allocated for them.
    fn records(&mut self, count: u32, size: usize) -> Result<Cursor<'a>, PackedError> {
        let bytes = (count as usize).checked_mul(size).ok_or(PackedError::Truncated)?;
        self.bytes(bytes).map(|rest| Cursor { rest })
    }
}

impl Screen {
    /// Reads a packed capture. Allocates a handful of times, however many nodes there are.
    pub fn decode(packed: &[u8]) -> Result<Self, PackedError> {
        let mut header = Cursor { rest: packed };
        if header.u32()? != MAGIC {
            return Err(PackedError::BadMagic);
        }
        let rotation = u8::try_from(header.u32()? & 3).unwrap_or_default();
        let generation = header.u64()?;
        let bounds = Bounds::new(0, 0, header.i32()?, header.i32()?);
        let foreground = header.text()?;
        let (window_count, node_count) = (header.u32()?, header.u32()?);
        let (text_count, units) = (header.u32()?, header.u32()?);
        header.u32()?;
        let mut window_bytes = header.records(window_count, WINDOW_BYTES)?;
        let mut node_bytes = header.records(node_count, NODE_BYTES)?;
        let lengths = header.records(text_count, 4)?;
        let units = header.records(units, 2)?;

        let windows = read_windows(&mut window_bytes, window_count, node_count)?;
        let mut nodes = read_nodes(&mut node_bytes, node_count)?;
        link(&mut nodes, &windows)?;
        mark_shown(&mut nodes, &windows, bounds);
        let texts = read_texts(lengths, text_count, units.rest)?;
        let order = search_order(&windows);
        Ok(Self { generation, rotation, bounds, foreground, windows, order, nodes, texts })
    }
}

fn read_windows(
    bytes: &mut Cursor<'_>,
    count: u32,
    node_count: u32,
) -> Result<Vec<Window>, PackedError> {
    let mut first = 0_u32;
    let mut windows = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let id = bytes.i32()?;
        let kind = match bytes.u32()? {
            1 => WindowKind::Application,
            2 => WindowKind::InputMethod,
            3 => WindowKind::System,
            4 => WindowKind::AccessibilityOverlay,
            _ => WindowKind::Other,
        };
        let active = bytes.u32()? & 1 != 0;
        let layer = bytes.i32()?;
        let bounds = bytes.bounds()?;
        let (package, title) = (bytes.text()?, bytes.text()?);
        let end = first.checked_add(bytes.u32()?).ok_or(PackedError::BadCount)?;
        let searched = active || kind != WindowKind::System;
        windows.push(Window {
            id,
            kind,
            active,
            layer,
            bounds,
            package,
            title,
            first,
            end,
            searched,
        });
        first = end;
    }
    if first == node_count { Ok(windows) } else { Err(PackedError::BadCount) }
}

fn read_nodes(bytes: &mut Cursor<'_>, count: u32) -> Result<Vec<NodeRecord>, PackedError> {
    let mut nodes = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let parent = bytes.u32()?;
        let flags = Flags(bytes.u32()?);
        let bounds = bytes.bounds()?;
        let node = NodeRecord {
            parent,
            flags,
            bounds,
            text: bytes.text()?,
            description: bytes.text()?,
            class: bytes.text()?,
            resource_id: bytes.text()?,
            package: bytes.text()?,
            role_description: bytes.text()?,
            rows: bytes.i32()?,
            columns: bytes.i32()?,
            range: Range { min: bytes.f32()?, max: bytes.f32()?, current: bytes.f32()? },
            end: 0,
            index_in_parent: 0,
            window: 0,
            depth: 0,
            shown: false,
        };
        bytes.u32()?;
        nodes.push(node);
    }
    Ok(nodes)
}

/// Fills in windows, depths, ends of subtrees and places among siblings, and sees to it that the
/// order really is depth-first: ranges stand for subtrees everywhere else.
fn link(nodes: &mut [NodeRecord], windows: &[Window]) -> Result<(), PackedError> {
    for (number, window) in (0_u32..).zip(windows) {
        for at in window.first..window.end {
            let node = at as usize;
            let bad = PackedError::BadParent { node: at };
            nodes[node].window = number;
            if at == window.first {
                if nodes[node].parent != NO_PARENT {
                    return Err(bad);
                }
                continue;
            }
            // Climb from the node before this one; each step up closes a subtree for good, so all
            // climbing together is linear. Siblings are counted on the way: the child of the
            // parent that the climb comes through is the sibling before.
            let parent = nodes[node].parent;
            let (mut up, mut sibling) = (at - 1, None);
            while up != parent {
                sibling = Some(up);
                up = nodes[up as usize].parent;
                if up == NO_PARENT {
                    return Err(bad);
                }
            }
            nodes[node].depth = nodes[parent as usize].depth + 1;
            nodes[node].index_in_parent =
                sibling.map_or(0, |sibling| nodes[sibling as usize].index_in_parent + 1);
        }
    }
    for at in (0..nodes.len()).rev() {
        let end = nodes[at].end.max(u32::try_from(at).unwrap_or(u32::MAX - 1) + 1);
        nodes[at].end = end;
        let parent = nodes[at].parent as usize;
        if let Some(parent) = nodes.get_mut(parent) {
            parent.end = parent.end.max(end);
        }
    }
    Ok(())
}

/// A node is shown when a person could see it and everything it stands in. The root of a window
/// always counts: it is what everything else is in.
fn mark_shown(nodes: &mut [NodeRecord], windows: &[Window], screen: Bounds) {
    for at in 0..nodes.len() {
        let node = &nodes[at];
        let shown = match nodes.get(node.parent as usize) {
            None => windows[node.window as usize].searched,
            Some(parent) => {
                parent.shown && node.flags.has(Flags::VISIBLE) && node.bounds.intersects(screen)
            }
        };
        nodes[at].shown = shown;
    }
}

/// The active window first, then from the front to the back.
fn search_order(windows: &[Window]) -> Vec<u32> {
    let mut order: Vec<u32> =
        (0..).zip(windows).filter(|(_, w)| w.searched).map(|(n, _)| n).collect();
    order.sort_by_key(|number| {
        let window = &windows[*number as usize];
        (!window.active, std::cmp::Reverse(window.layer))
    });
    order
}

fn read_texts(mut lengths: Cursor<'_>, count: u32, units: &[u8]) -> Result<Texts, PackedError> {
    let mut texts = Texts { all: String::with_capacity(units.len()), ends: Vec::new() };
    texts.ends.reserve_exact(count as usize);
    let mut units = Cursor { rest: units };
    for _ in 0..count {
        let length = lengths.u32()?;
        let own = units.records(length, 2)?.rest;
        let pairs = own.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        // Half of a character can occur in an app's text; it becomes the replacement character.
        let chars = char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        texts.all.extend(chars);
        texts.ends.push(u32::try_from(texts.all.len()).map_err(|_| PackedError::Truncated)?);
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::super::{NodeSpec, ScreenBuilder, WindowSpec};
    use super::*;

    /// One window, a row with one label in it.
    #[rustfmt::skip]
    const BYTES: &[u8] = &[
        // header
        b'C', b'L', b'W', b'1',
        1, 0, 0, 0,                                     // rotation: a quarter turn
        57, 0, 0, 0, 0, 0, 0, 0,                        // generation 57
        0x38, 0x04, 0, 0,  0x60, 0x09, 0, 0,            // 1080 x 2400
        1, 0, 0, 0,                                     // foreground package: text 1
        1, 0, 0, 0,  2, 0, 0, 0,  3, 0, 0, 0,           // 1 window, 2 nodes, 3 texts
        5, 0, 0, 0,  0, 0, 0, 0,                        // 5 units of text; zero
        // window
        9, 0, 0, 0,  1, 0, 0, 0,  1, 0, 0, 0,           // id 9, application, active
        2, 0, 0, 0,                                     // layer 2
        0, 0, 0, 0,  0, 0, 0, 0,  0x38, 0x04, 0, 0,  0x60, 0x09, 0, 0,
        1, 0, 0, 0,  0, 0, 0, 0,  2, 0, 0, 0,           // package: text 1, no title, 2 nodes
        // node 0, the row
        0xFF, 0xFF, 0xFF, 0xFF,                         // root
        0x0C, 0x10, 0, 0,                               // clickable, enabled, visible
        0, 0, 0, 0,  0, 0, 0, 0,  0x38, 0x04, 0, 0,  100, 0, 0, 0,
        0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  1, 0, 0, 0,  0, 0, 0, 0,
        0, 0, 0, 0,  0, 0, 0, 0,                        // no collection
        0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
        // node 1, the label
        0, 0, 0, 0,                                     // below node 0
        0x08, 0x10, 0, 0,                               // enabled, visible
        10, 0, 0, 0,  20, 0, 0, 0,  110, 0, 0, 0,  60, 0, 0, 0,
        2, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  1, 0, 0, 0,  0, 0, 0, 0,
        0, 0, 0, 0,  0, 0, 0, 0,
        0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
        // texts
        0, 0, 0, 0,  3, 0, 0, 0,  2, 0, 0, 0,           // "", 3 units, 2 units
        b'a', 0, b'.', 0, b'b', 0,                      // "a.b"
        0xE9, 0x00, 0x00, 0xD8,                         // "é" and half of a character
    ];

    #[test]
    fn a_capture_byte_by_byte() {
        let screen = Screen::decode(BYTES).unwrap();
        assert_eq!((screen.generation, screen.rotation, screen.len()), (57, 1, 2));
        assert_eq!(screen.bounds, Bounds::new(0, 0, 1080, 2400));
        assert_eq!(screen.foreground_package(), "a.b");
        let label = screen.nodes().nth(1).unwrap();
        assert_eq!(label.text(), "é\u{FFFD}");
        assert_eq!(label.bounds(), Bounds::new(10, 20, 110, 60));
        assert_eq!(label.reference().to_string(), "n1@57");
        assert!(label.is_effectively_clickable() && !label.has(Flags::CLICKABLE));
        assert_eq!(label.parent().unwrap().index().0, 0);
    }

    #[test]
    fn the_builder_writes_the_same_bytes() {
        let row = NodeSpec {
            flags: Flags::CLICKABLE.with(Flags::ENABLED).with(Flags::VISIBLE),
            bounds: Bounds::new(0, 0, 1080, 100),
            package: "a.b".into(),
            children: vec![NodeSpec {
                bounds: Bounds::new(10, 20, 110, 60),
                package: "a.b".into(),
                text: "é".into(),
                ..NodeSpec::default()
            }],
            ..NodeSpec::default()
        };
        let mut builder = ScreenBuilder::new(1080, 2400);
        builder.generation(57).rotation(1).foreground("a.b");
        builder.window(&WindowSpec {
            id: 9,
            layer: 2,
            bounds: Bounds::new(0, 0, 1080, 2400),
            ..WindowSpec::application(row)
        });
        let mut expected = BYTES[..BYTES.len() - 2].to_vec();
        expected[40] = 4; // without the half character: one unit less in all,
        let lengths = expected.len() - 6 - 2 - 4;
        expected[lengths] = 1; // and in the text that had it
        assert_eq!(builder.pack(), expected);
    }

    #[test]
    fn cut_or_twisted_bytes_are_refused_wherever_it_happens() {
        for end in 0..BYTES.len() {
            assert!(Screen::decode(&BYTES[..end]).is_err(), "cut at {end}");
        }
        let with = |at: usize, byte: u8| {
            let mut bytes = BYTES.to_vec();
            bytes[at] = byte;
            Screen::decode(&bytes).unwrap_err()
        };
        assert_eq!(with(0, b'X'), PackedError::BadMagic);
        assert_eq!(with(32, 200), PackedError::Truncated);
        assert_eq!(with(88, 1), PackedError::BadCount);
        // The label as its own parent.
        assert_eq!(with(92 + 72, 1), PackedError::BadParent { node: 1 });
    }
}
