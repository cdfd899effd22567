//! Files in memory: enough of a file system for a phone that is not there.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use super::paths::{Step, parent, parents, resolve};
use super::{
    DIRECTORY, FileError, Files, PERMISSION_BITS, REGULAR_FILE, SYMBOLIC_LINK, Stat, TYPE_BITS,
};
use crate::lock::lock;

/// What a file, directory or link counts beside its content and its name: about what it costs us,
/// so that a million empty files do not slip under the cap.
const ENTRY_BYTES: u64 = 128;
/// Permissions of directories made for a file that was pushed into them.
const NEW_DIRECTORY: u32 = 0o771;

/// `PATH_MAX`: the longest target of a link.
const MAX_TARGET_BYTES: usize = 4096;

/// A file system in memory with a cap on its size. Permissions and times are kept, not enforced.
#[derive(Debug)]
pub struct MemoryFiles {
    capacity: u64,
    tree: Mutex<Tree>,
}

/// All places by name; a directory's content is what lies between `/a/` and `/a0`. Flat, so that
/// no depth of nesting can exhaust a small stack.
#[derive(Debug)]
struct Tree {
    places: BTreeMap<String, Node>,
    used: u64,
}

#[derive(Clone, Debug)]
struct Node {
    permissions: u32,
    mtime: u32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    File(Arc<Vec<u8>>),
    Directory,
    Link(String),
}

impl MemoryFiles {
    /// An empty file system that holds at most about `capacity` bytes.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        let root = Node { permissions: 0o755, mtime: 0, kind: Kind::Directory };
        let tree = Tree { places: BTreeMap::from([(String::new(), root)]), used: 0 };
        Self { capacity, tree: Mutex::new(tree) }
    }

    /// Makes a directory and those above it; one that exists is left as it is.
    ///
    /// # Errors
    /// When something else is there or above, or there is no room.
    pub fn make_directory(&self, path: &str, mode: u32, mtime: u32) -> Result<(), FileError> {
        let mut tree = lock(&self.tree);
        let place = tree.resolve(path, true)?;
        match tree.places.get(&place).map(|node| &node.kind) {
            Some(Kind::Directory) => return Ok(()),
            Some(_) => return Err(FileError::Exists),
            None => {}
        }
        tree.put(place, Node::new(mode, mtime, Kind::Directory), self.capacity)
    }

    /// Makes a symbolic link in place of whatever file or link is there.
    ///
    /// # Errors
    /// When a directory is there, the target is empty or too long, or there is no room.
    pub fn make_link(&self, path: &str, target: &str, mtime: u32) -> Result<(), FileError> {
        if target.is_empty() || target.len() > MAX_TARGET_BYTES {
            return Err(FileError::Invalid);
        }
        let mut tree = lock(&self.tree);
        let place = tree.resolve(path, false)?;
        tree.put(place, Node::new(0o777, mtime, Kind::Link(target.to_owned())), self.capacity)
    }

    /// Takes away a file, a link, or an empty directory.
    ///
    /// # Errors
    /// When there is nothing, or a directory with something in it.
    pub fn remove(&self, path: &str) -> Result<(), FileError> {
        let mut tree = lock(&self.tree);
        let place = tree.resolve(path, false)?;
        if tree.below(&place).next().is_some() {
            return Err(FileError::NotEmpty);
        }
        tree.take(&place).map(drop)
    }

    /// Takes away a file or a directory with all that is in it.
    ///
    /// # Errors
    /// When there is nothing.
    pub fn remove_all(&self, path: &str) -> Result<(), FileError> {
        let mut tree = lock(&self.tree);
        let place = tree.resolve(path, false)?;
        let below: Vec<String> = tree.below(&place).map(|(place, _)| place.clone()).collect();
        for place in below {
            tree.take(&place)?;
        }
        tree.take(&place).map(drop)
    }

    /// Moves a file, a link, or a directory with all that is in it, over a file of that name.
    ///
    /// # Errors
    /// When there is nothing to move, the new place is a directory or has none above it, or is
    /// within what would move.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        let mut tree = lock(&self.tree);
        let (from, to) = (tree.resolve(from, false)?, tree.resolve(to, false)?);
        if !tree.places.contains_key(&from) {
            return Err(FileError::NotFound);
        }
        if from == to {
            return Ok(());
        }
        if to.strip_prefix(&from).is_some_and(|rest| rest.starts_with('/')) {
            return Err(FileError::Invalid);
        }
        match tree.places.get(parent(&to)).map(|node| &node.kind) {
            Some(Kind::Directory) => {}
            Some(_) => return Err(FileError::NotADirectory),
            None => return Err(FileError::NotFound),
        }
        match tree.places.get(&to).map(|node| &node.kind) {
            Some(Kind::Directory) => return Err(FileError::IsADirectory),
            Some(_) => drop(tree.take(&to)?),
            None => {}
        }
        let mut moving: Vec<String> = tree.below(&from).map(|(place, _)| place.clone()).collect();
        moving.push(from.clone());
        for place in moving {
            let node = tree.take(&place)?;
            let place = format!("{to}{}", &place[from.len()..]);
            tree.used += node.cost(&place);
            tree.places.insert(place, node);
        }
        Ok(())
    }

    /// Bytes in use, as counted against the capacity.
    #[must_use]
    pub fn used(&self) -> u64 {
        lock(&self.tree).used
    }
}

impl Files for MemoryFiles {
    fn stat(&self, path: &str) -> Result<Stat, FileError> {
        lock(&self.tree).node(path, true).map(Node::stat)
    }

    fn lstat(&self, path: &str) -> Result<Stat, FileError> {
        lock(&self.tree).node(path, false).map(Node::stat)
    }

    fn list(&self, path: &str) -> Result<Vec<(String, Stat)>, FileError> {
        let tree = lock(&self.tree);
        let place = tree.resolve(path, true)?;
        match tree.places.get(&place).map(|node| &node.kind) {
            Some(Kind::Directory) => {}
            Some(_) => return Err(FileError::NotADirectory),
            None => return Err(FileError::NotFound),
        }
        let name = |inner: &str| inner[place.len() + 1..].to_owned();
        let listed = tree.below(&place).filter(|(inner, _)| parent(inner) == place);
        Ok(listed.map(|(inner, node)| (name(inner), node.stat())).collect())
    }

    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        match &lock(&self.tree).node(path, true)?.kind {
            Kind::File(content) => Ok(Arc::clone(content)),
            Kind::Directory => Err(FileError::IsADirectory),
            Kind::Link(_) => Err(FileError::TooManyLinks),
        }
    }

    fn write(&self, path: &str, mode: u32, mtime: u32, content: Vec<u8>) -> Result<(), FileError> {
        match mode & TYPE_BITS {
            SYMBOLIC_LINK => {
                let target = String::from_utf8(content).map_err(|_| FileError::Invalid)?;
                return self.make_link(path, target.trim_end_matches('\0'), mtime);
            }
            // The host may send permissions alone.
            REGULAR_FILE | 0 => {}
            _ => return Err(FileError::Invalid),
        }
        let mut tree = lock(&self.tree);
        let place = tree.resolve(path, true)?;
        let file = Kind::File(Arc::new(content));
        tree.put(place, Node::new(mode, mtime, file), self.capacity)
    }

    fn room(&self, path: &str) -> u64 {
        let tree = lock(&self.tree);
        let replaced = tree.node(path, true).map_or(0, |node| node.stat().size);
        self.capacity.saturating_sub(tree.used) + replaced
    }
}

impl Node {
    fn new(mode: u32, mtime: u32, kind: Kind) -> Self {
        Self { permissions: mode & PERMISSION_BITS, mtime, kind }
    }

    fn stat(&self) -> Stat {
        let (kind, size) = match &self.kind {
            Kind::File(content) => (REGULAR_FILE, content.len()),
            // As ext4 and f2fs say of a small one.
            Kind::Directory => (DIRECTORY, 4096),
            Kind::Link(target) => (SYMBOLIC_LINK, target.len()),
        };
        Stat { mode: kind | self.permissions, size: size as u64, mtime: self.mtime }
    }

    fn cost(&self, place: &str) -> u64 {
        let content = match &self.kind {
            Kind::File(content) => content.len(),
            Kind::Directory => 0,
            Kind::Link(target) => target.len(),
        };
        ENTRY_BYTES + place.len() as u64 + content as u64
    }
}

impl Tree {
    fn resolve(&self, path: &str, follow_last: bool) -> Result<String, FileError> {
        resolve(path, follow_last, |place| match self.places.get(place).map(|node| &node.kind) {
            Some(Kind::Directory) | None => Step::Through,
            Some(Kind::File(_)) => Step::End,
            Some(Kind::Link(target)) => Step::Link(target),
        })
    }

    fn node(&self, path: &str, follow_last: bool) -> Result<&Node, FileError> {
        self.places.get(&self.resolve(path, follow_last)?).ok_or(FileError::NotFound)
    }

    /// All that is in a directory, at any depth.
    fn below(&self, place: &str) -> impl Iterator<Item = (&String, &Node)> {
        // '0' is the character after '/'.
        let (first, after) = (format!("{place}/"), format!("{place}0"));
        self.places.range((Bound::Excluded(first), Bound::Excluded(after)))
    }

    /// Puts a node where no directory is, with the directories above it.
    fn put(&mut self, place: String, node: Node, capacity: u64) -> Result<(), FileError> {
        let replaced = match self.places.get(&place) {
            Some(Node { kind: Kind::Directory, .. }) => return Err(FileError::IsADirectory),
            Some(old) => old.cost(&place),
            None => 0,
        };
        let mut new: Vec<(String, Node)> = parents(&place)
            .filter(|above| !self.places.contains_key(*above))
            .map(|above| (above.to_owned(), Node::new(NEW_DIRECTORY, node.mtime, Kind::Directory)))
            .collect();
        new.push((place, node));
        let cost: u64 = new.iter().map(|(place, node)| node.cost(place)).sum();
        let used = self.used - replaced + cost;
        if used > capacity {
            return Err(FileError::NoSpace);
        }
        self.used = used;
        self.places.extend(new);
        Ok(())
    }

    fn take(&mut self, place: &str) -> Result<Node, FileError> {
        if place.is_empty() {
            return Err(FileError::PermissionDenied);
        }
        let node = self.places.remove(place).ok_or(FileError::NotFound)?;
        self.used -= node.cost(place);
        Ok(node)
    }
}
