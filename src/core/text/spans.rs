//! Places in texts: byte ranges of archived text, lines of files.

use serde::{Deserialize, Serialize};

/// A place in a page's archived text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Lines of a file, from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lines {
    pub(crate) first: u32,
    pub(crate) last: u32,
}
