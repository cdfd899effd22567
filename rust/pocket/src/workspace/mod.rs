//! The files an agent may work on: one directory that no path and no symlink leads out of, and
//! `read`, `write`, `edit` and `apply_patch` on it.
//!
//! Every write makes a new file beside the old one and renames it into place. A reader sees the
//! old or the new content and never a part; a hard link to a file outside keeps its old content.

mod boundary;
mod edit;
mod failure;
mod file;
mod listing;
mod patch;
mod read;
mod write;

pub use boundary::Workspace;
pub use edit::Edited;
pub use failure::FileFailure;
pub use file::MAX_FILE_BYTES;
pub use listing::{Listing, Text};
pub use patch::Patched;
pub use read::{MAX_LINES, MAX_READ_BYTES, ReadText};
pub use write::Written;
