//! A moment, as text.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970 as RFC 3339 in UTC, to the second. A moment beyond the calendar is shown as 1970.
pub(crate) fn rfc3339(ms: i64) -> String {
    OffsetDateTime::from_unix_timestamp(ms.div_euclid(1_000))
        .ok()
        .and_then(|moment| moment.format(&Rfc3339).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The day of a moment in UTC, such as `2026-11-15`.
pub(crate) fn day(ms: i64) -> String {
    rfc3339(ms).split('T').next().unwrap_or_default().to_owned()
}

/// The beginning of the day (UTC) of a moment.
pub(crate) fn day_start(ms: i64) -> i64 {
    ms - ms.rem_euclid(DAY_MS)
}

/// The beginning of the month (UTC) of a moment.
pub(crate) fn month_start(ms: i64) -> i64 {
    let day = OffsetDateTime::from_unix_timestamp(ms.div_euclid(1_000)).map_or(1, |moment| moment.day());
    day_start(ms) - i64::from(day - 1) * DAY_MS
}

/// Days from a date such as `2026-11-15` to a moment; none for what is no date or lies ahead.
pub(crate) fn days_since(date: &str, now_ms: i64) -> Option<u32> {
    let date = time::Date::parse(date.get(..10)?, &time::format_description::well_known::Iso8601::DATE).ok()?;
    let then = date.midnight().assume_utc().unix_timestamp().checked_mul(1_000)?;
    u32::try_from(now_ms.checked_sub(then)?.div_euclid(DAY_MS)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months_begin_at_midnight() {
        for (ms, day, month) in [
            (1_794_733_371_045, "2026-11-15T00:00:00Z", "2026-11-01T00:00:00Z"),
            (1_790_812_800_000, "2026-10-01T00:00:00Z", "2026-10-01T00:00:00Z"),
            (1_790_812_799_999, "2026-09-30T00:00:00Z", "2026-09-01T00:00:00Z"),
        ] {
            assert_eq!((rfc3339(day_start(ms)), rfc3339(month_start(ms))), (day.into(), month.into()));
        }
    }

    #[test]
    fn pages_have_an_age() {
        let now = 1_794_733_371_045;
        for (date, days) in [
            ("2026-11-15", Some(0)),
            ("2026-11-14T10:00:00Z", Some(1)),
            ("2025-11-15", Some(365)),
            ("2027-01-01", None),
            ("soon", None),
            ("2026-13-40", None),
        ] {
            assert_eq!(days_since(date, now), days, "{date}");
        }
    }

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(rfc3339(1_794_700_800_000), "2026-11-15T00:00:00Z");
        assert_eq!(rfc3339(1_794_700_800_999), "2026-11-15T00:00:00Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
        assert_eq!(rfc3339(i64::MAX), "1970-01-01T00:00:00Z");
    }
}
