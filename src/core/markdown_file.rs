//! The Markdown file of a saved report: its name and its text. Pure; `world::files` writes it.
//!
//! Titles, addresses and paths come from outside: they are escaped, and only http(s) addresses become links.

use serde_json::Value;
use time::OffsetDateTime;

use super::error::{Code, Error, Result};
use super::id::TaskId;
use super::limits;
use super::moment::rfc3339;
use super::report::{Report, Source};
use super::task::TaskView;

/// Which parts of the file are wanted besides the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) metadata: bool,
    pub(crate) sources: bool,
}

/// Where the file goes below the reports directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileName {
    /// The folder of the month, `YYYY-MM`.
    pub(crate) folder: String,
    /// `{prefix}_{task_id}_{YYYYMMDD_HHMMSS}`, without `.md`.
    pub(crate) stem: String,
}

/// The name of a report saved at `now_ms`. The prefix cannot leave the folder: it has no separator, does not begin
/// with a dot and is no device name of Windows.
pub(crate) fn file_name(prefix: &str, id: TaskId, now_ms: i64) -> Result<FileName> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let length = 1..=limits::FILE_PREFIX_MAX_CHARS;
    if !length.contains(&prefix.len()) || !prefix.chars().all(allowed) || prefix.starts_with('.') || is_device(prefix) {
        let shown: String = prefix.chars().filter(|c| !c.is_control()).take(60).collect();
        return Err(Error::new(Code::InvalidArgument, format!("the file name prefix `{shown}` is not allowed")).hint(
            format!(
                "a prefix has 1 to {} letters, digits, `.`, `_` or `-`, and does not begin with a dot",
                limits::FILE_PREFIX_MAX_CHARS
            ),
        ));
    }
    let now = moment(now_ms);
    let (year, month, day) = (now.year(), u8::from(now.month()), now.day());
    let (hour, minute, second) = now.to_hms();
    Ok(FileName {
        folder: format!("{year:04}-{month:02}"),
        stem: format!("{prefix}_{id}_{year:04}{month:02}{day:02}_{hour:02}{minute:02}{second:02}"),
    })
}

/// The names that Windows gives to devices, whatever follows the first dot.
fn is_device(prefix: &str) -> bool {
    let base = prefix.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let numbered = |name: &str| base.strip_prefix(name).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    matches!(base.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT")
}

/// The text of the file.
pub(crate) fn render(task: &TaskView, report: &Report, parts: Parts) -> String {
    let mut text = String::new();
    if parts.metadata {
        text.push_str(&front_matter(task, report));
    }
    text.push_str(report.markdown.trim());
    text.push('\n');
    if parts.sources && !report.sources.is_empty() && !lists_its_sources(&report.markdown) {
        text.push_str("\n## Sources\n\n");
        for source in &report.sources {
            text.push_str(&source_line(source));
        }
    }
    text
}

/// A report that ends with its own list of sources does not get a second one.
fn lists_its_sources(markdown: &str) -> bool {
    markdown.lines().any(|line| line.trim_start_matches('#').trim() == "Sources" && line.starts_with('#'))
}

fn front_matter(task: &TaskView, report: &Report) -> String {
    let seconds = task.completed_ms.map(|end| Value::from((end - task.created_ms).max(0) / 1_000));
    let fields: [(&str, Option<Value>); 16] = [
        ("title", Some(task.query.clone().into())),
        ("task_id", Some(task.id.to_string().into())),
        ("tool", Some(task.tool.clone().into())),
        ("engine", Some(task.engine.clone().into())),
        ("model", report.model.clone().map(Value::from)),
        ("strategy", report.strategy.clone().map(Value::from)),
        ("status", Some(task.status.name().into())),
        ("created_at", Some(rfc3339(task.created_ms).into())),
        ("completed_at", task.completed_ms.map(|ms| rfc3339(ms).into())),
        ("duration_seconds", seconds),
        ("tokens_input", Some(task.usage.tokens_in.into())),
        ("tokens_output", Some(task.usage.tokens_out.into())),
        ("cost_usd", Some(task.usage.cost.dollars().into())),
        ("stop_reason", serde_json::to_value(report.stop_reason).ok()),
        ("partial", report.partial.then(|| true.into())),
        ("sources", Some(report.sources.len().into())),
    ];
    let mut text = String::from("---\n");
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("{name}: {}\n", yaml(&value)));
        }
    }
    text.push_str("---\n\n");
    text
}

/// JSON is YAML, but for the line separators that YAML breaks lines at.
fn yaml(value: &Value) -> String {
    let mut text = String::new();
    for c in value.to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(c)))
            }
            other => text.push(other),
        }
    }
    text
}

fn source_line(source: &Source) -> String {
    let Source { number, title, location, lines, page: _ } = source;
    let place = if location.starts_with("https://") || location.starts_with("http://") {
        link(location)
    } else {
        code(location)
    };
    let lines = match lines {
        Some(lines) if lines.first == lines.last => format!(", line {}", lines.first),
        Some(lines) => format!(", lines {}–{}", lines.first, lines.last),
        None => String::new(),
    };
    format!("- \\[{number}\\] {}: {place}{lines}\n", escaped(title))
}

/// An address between angle brackets; what would end it early is percent-encoded.
fn link(address: &str) -> String {
    let mut text = String::from("<");
    for c in address.chars() {
        match c {
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            c if c.is_whitespace() || c.is_control() => text.push_str("%20"),
            other => text.push(other),
        }
    }
    text.push('>');
    text
}

fn code(path: &str) -> String {
    let path: String = path.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let fence = if path.contains('`') { "``" } else { "`" };
    let space = if path.contains('`') { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", path.replace("``", "` `"))
}

/// Text that no Markdown reader takes for anything but text.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if c.is_control() => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '!' | '|' | '&' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}

fn moment(ms: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(ms / 1_000).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests;
