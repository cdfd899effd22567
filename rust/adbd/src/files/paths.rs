//! Paths to places: `.`, `..` and symbolic links taken out.
//!
//! A place is written as its names, each after a slash; the root is the empty string.

use super::FileError;

/// Links in one path before we call it a circle; Linux has the same number.
const MAX_LINKS: usize = 40;

/// What stands in the way of a path.
pub(super) enum Step<'a> {
    /// A directory, or nothing yet.
    Through,
    /// A file: nothing is below it.
    End,
    /// A link to this target.
    Link(&'a str),
}

/// The place that `path` leads to, whether or not something is there.
pub(super) fn resolve<'a>(
    path: &str,
    follow_last: bool,
    look: impl Fn(&str) -> Step<'a>,
) -> Result<String, FileError> {
    if path.is_empty() || path.contains('\0') {
        return Err(FileError::NotFound);
    }
    let mut place = String::new();
    let mut links = 0;
    // The names still to be walked, the next one last.
    let mut names: Vec<String> = backwards(path);
    while let Some(name) = names.pop() {
        match name.as_str() {
            "" | "." => continue,
            ".." => {
                place.truncate(parent(&place).len());
                continue;
            }
            name => {
                place.push('/');
                place.push_str(name);
            }
        }
        match look(&place) {
            Step::Through => {}
            Step::End if names.iter().all(|name| name.is_empty()) => {}
            Step::End => return Err(FileError::NotADirectory),
            Step::Link(_) if names.is_empty() && !follow_last => {}
            Step::Link(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(FileError::TooManyLinks);
                }
                let from = if target.starts_with('/') { "" } else { parent(&place) };
                place.truncate(from.len());
                names.extend(backwards(target));
            }
        }
    }
    Ok(place)
}

fn backwards(path: &str) -> Vec<String> {
    path.rsplit('/').map(str::to_owned).collect()
}

/// The place above; the root is above itself.
pub(super) fn parent(place: &str) -> &str {
    place.rfind('/').map_or("", |slash| &place[..slash])
}

/// Every place above, the highest first, without the root.
pub(super) fn parents(place: &str) -> impl Iterator<Item = &str> {
    place.match_indices('/').map(|(slash, _)| &place[..slash]).filter(|above| !above.is_empty())
}
