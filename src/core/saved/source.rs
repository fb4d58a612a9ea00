//! A source as one line of Markdown. Titles, addresses and paths come from outside: they are escaped, and only http(s)
//! addresses become links.

use crate::core::base::plain;
use crate::core::evidence::place::passed_on;
use crate::core::report::{Report, Source};
use crate::core::task::TaskView;

/// What was asked; of a check, what was checked, which may be a file of this machine.
pub(super) fn question<'a>(task: &'a TaskView, report: &Report) -> &'a str {
    let is_check = report.evidence.as_ref().is_some_and(|evidence| evidence.text.is_some());
    if is_check { passed_on(&task.query) } else { &task.query }
}

/// `[title](address)`, or the title and the path as code with its lines.
pub(super) fn entry(source: &Source) -> String {
    let Source { number: _, title, location, lines, page: _, claimed } = source;
    if *claimed {
        // Nobody has seen it: it is shown, and nothing leads there.
        let title = if title == location { String::new() } else { format!("{}: ", escaped(title)) };
        return format!("{title}{} (named by the model, not visited)", code(location));
    }
    let location = &plain::location(location);
    let title = if title.trim().is_empty() { location } else { title };
    if let Some(address) = address(location) {
        return format!("[{}]({})", escaped(title), destination(address));
    }
    let lines = lines.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
    format!("{}: {}{lines}", escaped(title), code(location))
}

/// The location, if it is an address that a reader may follow.
pub(super) fn address(location: &str) -> Option<&str> {
    let is_web = |scheme: &str| location.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    (is_web("https://") || is_web("http://")).then_some(location)
}

/// An address as the destination of a link; what would end it early is percent-encoded.
fn destination(address: &str) -> String {
    let mut text = String::new();
    for c in address.chars() {
        match c {
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '\\' => text.push_str("%5C"),
            c if c.is_whitespace() || c.is_control() => text.push_str("%20"),
            other => text.push(other),
        }
    }
    // Parentheses are part of many addresses and would be counted.
    if text.contains(['(', ')']) { format!("<{text}>") } else { text }
}

fn code(path: &str) -> String {
    let path: String = path.chars().map(|c| if breaks(c) { ' ' } else { c }).collect();
    let fence = if path.contains('`') { "``" } else { "`" };
    let space = if path.contains('`') { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", path.replace("``", "` `"))
}

/// Text that no Markdown reader takes for anything but text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim().chars() {
        match c {
            c if breaks(c) => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '!' | '|' | '&' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}

fn breaks(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}
