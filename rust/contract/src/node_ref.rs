//! A node of a given screen: `n12@57` is node 12 of generation 57.

use std::fmt;
use std::str::FromStr;

/// Points at one node of one capture. Of any other capture it points at nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeRef {
    /// Index of the node in its screen.
    pub node: u32,
    /// Generation of that screen.
    pub generation: u64,
}

impl fmt::Display for NodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}@{}", self.node, self.generation)
    }
}

/// The text is not of the form `n12@57`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotANodeRef;

impl FromStr for NodeRef {
    type Err = NotANodeRef;

    fn from_str(text: &str) -> Result<Self, NotANodeRef> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let (node, generation) =
            text.strip_prefix('n').and_then(|rest| rest.split_once('@')).ok_or(NotANodeRef)?;
        // Digits only: the standard parser would also take a plus sign.
        if !digits(node) || !digits(generation) {
            return Err(NotANodeRef);
        }
        match (node.parse(), generation.parse()) {
            (Ok(node), Ok(generation)) => Ok(Self { node, generation }),
            _ => Err(NotANodeRef),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_read_as_it_is_written() {
        let reference = NodeRef { node: 12, generation: 57 };
        assert_eq!("n12@57".parse(), Ok(reference));
        assert_eq!(reference.to_string(), "n12@57");
        for wrong in ["", "n12", "12@57", "n@57", "n12@", "n+1@5", "n1@5 ", "n99999999999@1"] {
            assert_eq!(wrong.parse::<NodeRef>(), Err(NotANodeRef), "{wrong}");
        }
    }
}
