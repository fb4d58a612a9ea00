//! Numbers of things in sentences.

/// `1 file`, `3 files`.
pub(crate) fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
