//! The only reader of wall time. Inside a process durations come from `Instant`; wall time is for display and
//! for rows that outlive the process.

use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let now = SystemTime::now();
    // A clock before 1970 is set wrong; rows then say 1970 rather than panicking.
    now.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A moment as RFC 3339 in UTC, to the second.
pub(crate) fn rfc3339(ms: i64) -> String {
    OffsetDateTime::from_unix_timestamp(ms / 1_000)
        .ok()
        .and_then(|moment| moment.format(&Rfc3339).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(rfc3339(1_794_700_800_000), "2026-11-15T00:00:00Z");
        assert_eq!(rfc3339(i64::MAX), "1970-01-01T00:00:00Z");
    }
}
