//! Edits of the tables `[mcp_servers.NAME]` of a TOML file that touch nothing else.

use std::ops::Range;

use toml_edit::{Document, Item, Table};

use super::Refused as Fault;
use crate::core::setup::toml_text::{line_of, quoted};

/// A key of the table and its value as TOML.
pub(crate) type Field = (&'static str, String);

/// The text with the fields in the table of `parent` with this name; other fields of it stay.
pub(crate) fn set(text: &str, parent: &str, name: &str, fields: &[Field]) -> Result<String, Fault> {
    let document = parsed(text)?;
    let Some(item) = document.as_table().get(parent).and_then(|tables| tables.as_table_like()?.get(name)) else {
        return appended(text, parent, name, fields);
    };
    let (Some(table), Some(header)) = (item.as_table(), header(text, item)) else {
        return Err(Fault { line: line_of(text, item.span()), what: "has the entry in another form" });
    };
    let line_end = line_end(text);
    let missing: String = fields
        .iter()
        .filter(|(field, _)| table.get(field).is_none())
        .map(|(field, value)| format!("{line_end}{field} = {value}"))
        .collect();
    let mut edits = vec![(header.end..header.end, missing)];
    for (field, value) in fields {
        if let Some(item) = table.get(field) {
            let Some(span) = item.span() else { return Err(Fault { line: 1, what: "has the entry in another form" }) };
            edits.push((span, value.clone()));
        }
    }
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut edited = text.to_owned();
    for (span, new) in edits {
        edited.replace_range(span, &new);
    }
    checked(edited)
}

/// The texts in a list of the table; none if it has no such list.
pub(crate) fn texts(text: &str, parent: &str, name: &str, field: &str) -> Result<Vec<String>, Fault> {
    let document = parsed(text)?;
    let table = document.as_table().get(parent).and_then(|tables| tables.as_table_like()?.get(name)?.as_table_like());
    let list = table.and_then(|table| table.get(field)?.as_array());
    Ok(list.into_iter().flatten().filter_map(|item| Some(item.as_str()?.to_owned())).collect())
}

/// The text without the table of `parent` with this name; the same text if it is not there.
pub(crate) fn remove(text: &str, parent: &str, name: &str) -> Result<String, Fault> {
    let document = parsed(text)?;
    let Some(item) = document.as_table().get(parent).and_then(|tables| tables.as_table_like()?.get(name)) else {
        return Ok(text.to_owned());
    };
    let Some(header) = header(text, item) else {
        return Err(Fault { line: line_of(text, item.span()), what: "has the entry in another form" });
    };
    let mut inner = Vec::new();
    if let Some(table) = item.as_table() {
        headers(text, table, &mut inner);
    }
    let mut all = Vec::new();
    headers(text, document.as_table(), &mut all);
    let after = |start: &usize| *start > header.start && !inner.contains(start);
    let mut end = all.into_iter().filter(after).min().unwrap_or(text.len());
    // Comments directly above the next table belong to it.
    let body = text.get(header.start..end).unwrap_or_default();
    let mut kept = 0;
    for line in body.split_inclusive('\n').rev() {
        if end == text.len() || !line.trim_start().starts_with('#') {
            break;
        }
        kept += line.len();
    }
    end -= kept;
    let mut edited = text.to_owned();
    edited.replace_range(header.start..end, "");
    checked(edited)
}

pub(crate) fn list(items: &[impl AsRef<str>]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item.as_ref())).collect();
    format!("[{}]", items.join(", "))
}

/// The lines of a table.
pub(crate) fn table(parent: &str, name: &str, fields: &[Field], line_end: &str) -> String {
    let fields: String = fields.iter().map(|(field, value)| format!("{field} = {value}{line_end}")).collect();
    format!("[{parent}.{name}]{line_end}{fields}")
}

fn appended(text: &str, parent: &str, name: &str, fields: &[Field]) -> Result<String, Fault> {
    let line_end = line_end(text);
    let before = text.trim_end_matches(['\r', '\n', ' ', '\t']);
    let gap = if before.trim_start_matches('\u{feff}').is_empty() { String::new() } else { line_end.repeat(2) };
    checked(format!("{before}{gap}{}", table(parent, name, fields, line_end)))
}

/// What was edited must still be TOML: a form that was not thought of is not written.
fn checked(edited: String) -> Result<String, Fault> {
    parsed(&edited).map_err(|fault| Fault { what: "has the entry in another form", ..fault })?;
    Ok(edited)
}

fn parsed(text: &str) -> Result<Document<&str>, Fault> {
    Document::parse(text).map_err(|fault| Fault { line: line_of(text, fault.span()), what: "is not valid TOML" })
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Where the line `[a.b]` of a table stands, without its line end; `None` for a table in another form.
fn header(text: &str, item: &Item) -> Option<Range<usize>> {
    let start = item.as_table()?.span()?.start;
    let line = text.get(start..)?.split('\n').next()?.trim_end();
    line.starts_with('[').then(|| start..start + line.len())
}

/// Where the headers of the tables below this one stand.
fn headers(text: &str, table: &Table, found: &mut Vec<usize>) {
    for (_, item) in table {
        let tables = item.as_array_of_tables().into_iter().flatten();
        for inner in item.as_table().into_iter().chain(tables) {
            let start = inner.span().map(|span| span.start);
            found.extend(start.filter(|start| text.get(*start..).is_some_and(|rest| rest.starts_with('['))));
            headers(text, inner, found);
        }
    }
}

#[cfg(test)]
#[path = "toml_tests.rs"]
mod tests;
