//! The file of a saved report: its form, its name and which parts it has. Pure; `core::saved::template` and `core::saved::html` make its text and
//! `world::files` writes it.

use std::path::{Path, PathBuf};

use time::OffsetDateTime;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::{limits, plain};

/// Which parts of the file are wanted besides the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) metadata: bool,
    pub(crate) sources: bool,
}

/// The form of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileForm {
    Markdown,
    /// One page that shows beside each sentence the passage that it rests on.
    Html,
}

impl FileForm {
    fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
        }
    }
}

/// Where reports go when nobody says otherwise, below the working directory.
const REPORTS_DIR: &str = "research_reports";

/// The folder for reports, and the one to take when that may not be written. Only a place that nobody named may be replaced by
/// another.
pub(crate) fn places(named: Option<PathBuf>, data_dir: &Path) -> (PathBuf, Option<PathBuf>) {
    match named {
        Some(named) => (named, None),
        None => (REPORTS_DIR.into(), Some(data_dir.join("reports"))),
    }
}

/// Where the file goes below the reports directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileName {
    /// The folder of the month, `YYYY-MM`.
    pub(crate) folder: String,
    /// `{prefix}_{task_id}_{YYYYMMDD_HHMMSS}`.
    pub(crate) stem: String,
    pub(crate) extension: &'static str,
}

/// The name of a report saved at `now_ms`. The prefix cannot leave the folder: it has no separator, does not begin
/// with a dot and is no device name of Windows.
pub(crate) fn file_name(prefix: &str, id: TaskId, form: FileForm, now_ms: i64) -> Result<FileName> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let length = 1..=limits::FILE_PREFIX_MAX_CHARS;
    if !length.contains(&prefix.len()) || !prefix.chars().all(allowed) || prefix.starts_with('.') || is_device(prefix) {
        let shown = plain::line(prefix, 60);
        return Err(Error::new(Code::InvalidArgument, format!("the file name prefix `{shown}` is not allowed")).hint(
            format!(
                "a prefix has 1 to {} letters, digits, `.`, `_` or `-`, and does not begin with a dot",
                limits::FILE_PREFIX_MAX_CHARS
            ),
        ));
    }
    let now = utc(now_ms);
    let (year, month, day) = (now.year(), u8::from(now.month()), now.day());
    let (hour, minute, second) = now.to_hms();
    Ok(FileName {
        folder: format!("{year:04}-{month:02}"),
        stem: format!("{prefix}_{id}_{year:04}{month:02}{day:02}_{hour:02}{minute:02}{second:02}"),
        extension: form.extension(),
    })
}

/// The names that Windows gives to devices, whatever follows the first dot.
fn is_device(prefix: &str) -> bool {
    let base = prefix.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let numbered = |name: &str| base.strip_prefix(name).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    matches!(base.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT")
}

fn utc(ms: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(ms / 1_000).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests;
