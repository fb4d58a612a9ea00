//! The only reader of wall time. Inside a process durations come from `Instant`; wall time is for display and
//! for rows that outlive the process.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let now = SystemTime::now();
    // A clock before 1970 is set wrong; rows then say 1970 rather than panicking.
    now.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// How long ago a file was written; `None` when it cannot be told.
pub(crate) fn file_age(path: &Path) -> Option<Duration> {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let now = SystemTime::now();
    // One from the future was written under a wrong clock, or just now.
    Some(now.duration_since(std::fs::metadata(path).ok()?.modified().ok()?).unwrap_or_default())
}
