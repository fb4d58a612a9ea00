//! Where a passage stands, as a path or an address.

use crate::core::text::spans::PlaceInFile;

/// Where a passage stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) root: String,
    pub(crate) path: String,
    pub(crate) lines: PlaceInFile,
}

/// A path below a root as one path or address. A root that is a single file is its own document's path.
pub(crate) fn location(root: &str, path: &str) -> String {
    if is_web(root) {
        return format!("{root}/{path}");
    }
    let root = root.trim_end_matches('/');
    if root.rsplit('/').next() == Some(path) { root.to_owned() } else { format!("{root}/{path}") }
}

/// Whether a root is a site of the web, not a folder.
pub(crate) fn is_web(root: &str) -> bool {
    root.starts_with("http://") || root.starts_with("https://")
}
