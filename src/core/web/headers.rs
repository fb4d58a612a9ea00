//! What the headers of an answer mean for the fetcher: how long to wait, how long to keep, whether to read at all.

use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use crate::core::base::limits;

/// How long a server asks to be left alone: seconds, or a date. Nonsense is no wish.
pub(crate) fn retry_after(value: &str, now_ms: i64) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let wait = date_ms(value)?.checked_sub(now_ms)?;
    Some(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

/// How long a page may be shown again without asking; `None` means that it is not to be kept at all.
///
/// A page that says nothing counts as fresh for [`limits::FETCH_FRESH`]: the same question often asks for it twice. `no-cache` keeps
/// it but asks each time.
pub(crate) fn fresh_for(cache_control: Option<&str>) -> Option<Duration> {
    let mut fresh = limits::FETCH_FRESH;
    for directive in cache_control.unwrap_or_default().split(',') {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "no-store" => return None,
            "no-cache" => return Some(Duration::ZERO),
            "max-age" => {
                let seconds = value.trim().trim_matches('"').parse().unwrap_or(0);
                fresh = Duration::from_secs(seconds).min(limits::FETCH_FRESH_MAX);
            }
            _ => {}
        }
    }
    Some(fresh)
}

/// The type of an answer without its parameters, in lower case.
pub(crate) fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether an answer can be something to read. Its header may be missing or wrong, so only what is certainly nothing is
/// refused.
pub(crate) fn readable(content_type: Option<&str>) -> bool {
    let media = content_type.map(media_type).unwrap_or_default();
    let (family, kind) = media.split_once('/').unwrap_or((&media, ""));
    match family {
        "image" => kind == "svg+xml",
        "audio" | "video" | "font" | "model" => false,
        "application" => !matches!(
            kind,
            "zip"
                | "gzip"
                | "x-gzip"
                | "x-tar"
                | "x-bzip2"
                | "x-7z-compressed"
                | "x-rar-compressed"
                | "vnd.rar"
                | "x-msdownload"
                | "x-executable"
                | "x-iso9660-image"
                | "vnd.android.package-archive"
                | "java-archive"
                | "wasm"
        ),
        _ => true,
    }
}

/// A date as HTTP writes it, in milliseconds since 1970.
fn date_ms(text: &str) -> Option<i64> {
    let moment = OffsetDateTime::parse(text, &Rfc2822).ok()?;
    moment.unix_timestamp().checked_mul(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_seconds_or_dates() {
        let now = 784_111_777_000; // Sun, 06 Nov 1994 08:49:37 GMT
        for (value, want) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
            ("", None),
            ("99999999999999999999999", None),
            ("Sun, 06 Nov 99999 08:49:37 GMT", None),
        ] {
            assert_eq!(retry_after(value, now), want.map(Duration::from_secs), "{value}");
        }
    }

    #[test]
    fn how_long_a_page_is_kept() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (header, want) in [
            (None, Some(limits::FETCH_FRESH)),
            (Some("public"), Some(limits::FETCH_FRESH)),
            (Some("max-age=60"), seconds(60)),
            (Some("public, Max-Age=\"60\", immutable"), seconds(60)),
            (Some("max-age=99999999999"), Some(limits::FETCH_FRESH_MAX)),
            (Some("max-age=x"), seconds(0)),
            (Some("max-age=60, no-cache"), seconds(0)),
            (Some("private, no-store, max-age=60"), None),
        ] {
            assert_eq!(fresh_for(header), want, "{header:?}");
        }
    }

    #[test]
    fn what_is_worth_reading() {
        for good in
            ["text/html; charset=x", "TEXT/plain", "application/pdf", "application/json", "image/svg+xml", "", "x"]
        {
            assert!(readable(Some(good)), "{good}");
        }
        assert!(readable(None));
        for bad in ["image/png", "Video/mp4", "application/zip; x=y", "font/woff2", "audio/ogg"] {
            assert!(!readable(Some(bad)), "{bad}");
        }
    }
}
