//! Edits of the tables `[mcp_servers.NAME]` of a TOML file that touch nothing else.

use std::ops::Range;

use toml_edit::{Document, Item};

use super::Refused as Fault;
use crate::core::base::sorting::sort_by_key;
use crate::core::setup::toml_text::{line_of, quoted};

const OTHER_FORM: &str = "has the entry in another form";

/// A key of the table and its value as TOML.
pub(crate) type Field = (&'static str, String);

/// The text with the fields in the table of `parent` with this name; other fields of it stay.
pub(crate) fn set(text: &str, parent: &str, name: &str, fields: &[Field]) -> Result<String, Fault> {
    let document = parsed(text)?;
    let Some(item) = entry(text, &document, parent, name)? else {
        return appended(text, parent, name, fields);
    };
    let (Some(table), Some(header)) = (item.as_table(), header(text, item)) else {
        return Err(Fault { line: line_of(text, item.span()), what: OTHER_FORM });
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
            let Some(span) = item.span() else { return Err(Fault { line: 1, what: OTHER_FORM }) };
            edits.push((span, value.clone()));
        }
    }
    sort_by_key(&mut edits, |(span, _)| std::cmp::Reverse(span.start));
    let mut edited = text.to_owned();
    for (span, new) in edits {
        edited.replace_range(span, &new);
    }
    checked(edited)
}

/// The texts in a list of the table; none if it has no such list.
pub(crate) fn texts(text: &str, parent: &str, name: &str, field: &str) -> Result<Vec<String>, Fault> {
    let document = parsed(text)?;
    let table = entry(text, &document, parent, name)?.and_then(Item::as_table_like);
    let list = table.and_then(|table| table.get(field)?.as_array());
    Ok(list.into_iter().flatten().filter_map(|item| Some(item.as_str()?.to_owned())).collect())
}

/// What a switch of the table says; `None` if it has no such switch.
pub(crate) fn flag(text: &str, parent: &str, name: &str, field: &str) -> Result<Option<bool>, Fault> {
    let document = parsed(text)?;
    Ok(entry(text, &document, parent, name)?.and_then(|item| item.as_table_like()?.get(field)?.as_bool()))
}

/// The text without these fields of the table of `parent` with this name, also where one is a table of its own.
pub(crate) fn without(text: &str, parent: &str, name: &str, fields: &[&str]) -> Result<String, Fault> {
    let document = parsed(text)?;
    let Some(table) = entry(text, &document, parent, name)?.and_then(Item::as_table) else {
        return Ok(text.to_owned());
    };
    let mut tables = Vec::new();
    let mut lines = Vec::new();
    for (key, item) in fields.iter().filter_map(|field| table.get_key_value(field)) {
        match (key.span(), item.as_value().and_then(toml_edit::Value::span)) {
            (Some(key), Some(value)) => lines.push(whole_lines(text, key.start..value.end)),
            _ => headers_of(text, item, &mut tables),
        }
    }
    let edited = cut(text, [lines, sections(text, &document, &tables)].concat());
    let left = parsed(&edited)?;
    let left = entry(&edited, &left, parent, name)?.and_then(Item::as_table_like);
    match fields.iter().find(|field| left.is_some_and(|table| table.contains_key(field))) {
        Some(_) => Err(Fault { line: line_of(text, table.span()), what: OTHER_FORM }),
        None => Ok(edited),
    }
}

/// The text without the table of `parent` with this name and those below it; the same text if it is not there.
pub(crate) fn remove(text: &str, parent: &str, name: &str) -> Result<String, Fault> {
    let document = parsed(text)?;
    let Some(item) = entry(text, &document, parent, name)? else { return Ok(text.to_owned()) };
    let mut own = Vec::new();
    headers_of(text, item, &mut own);
    let edited = cut(text, sections(text, &document, &own));
    match entry(&edited, &parsed(&edited)?, parent, name)? {
        Some(_) => Err(Fault { line: line_of(text, item.span()), what: OTHER_FORM }),
        None => Ok(edited),
    }
}

/// Whether the table of `parent` with this name is there and has no other fields than these, with these values as they are written.
pub(crate) fn has_only(text: &str, parent: &str, name: &str, fields: &[Field]) -> bool {
    let Ok(document) = parsed(text) else { return false };
    let Ok(Some(table)) = entry(text, &document, parent, name).map(|found| found.and_then(Item::as_table)) else {
        return false;
    };
    let written = |item: &Item| item.span().and_then(|span| text.get(span));
    table.iter().all(|(field, item)| {
        fields.iter().any(|(known, value)| *known == field && written(item) == Some(value.as_str()))
    })
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
    parsed(&edited).map_err(|fault| Fault { what: OTHER_FORM, ..fault })?;
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

/// The table of `parent` with this name. What is named `parent` and has no names in it is refused: a table behind it would be part of it.
fn entry<'a>(text: &str, document: &'a Document<&str>, parent: &str, name: &str) -> Result<Option<&'a Item>, Fault> {
    let Some(tables) = document.as_table().get(parent) else { return Ok(None) };
    match tables.as_table_like() {
        Some(tables) => Ok(tables.get(name)),
        None => Err(Fault { line: line_of(text, tables.span()), what: OTHER_FORM }),
    }
}

/// Where the headers of an item and of the tables below it stand.
fn headers_of(text: &str, item: &Item, found: &mut Vec<usize>) {
    let tables = item.as_array_of_tables().into_iter().flatten();
    for table in item.as_table().into_iter().chain(tables) {
        let start = table.span().map(|span| span.start);
        found.extend(start.filter(|start| text.get(*start..).is_some_and(|rest| rest.starts_with('['))));
        table.iter().for_each(|(_, inner)| headers_of(text, inner, found));
    }
}

/// The text of the tables with these headers: up to the next table, or to the comments directly above one that stays or at the end.
fn sections(text: &str, document: &Document<&str>, own: &[usize]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    headers_of(text, document.as_item(), &mut all);
    let section = |start: &usize| {
        let next = all.iter().copied().filter(|header| header > start).min();
        let end = next.unwrap_or(text.len());
        let body = text.get(*start..end).unwrap_or_default();
        let comments = body.split_inclusive('\n').rev().take_while(|line| line.trim_start().starts_with('#'));
        let kept: usize = match next {
            Some(next) if own.contains(&next) => 0,
            Some(_) | None => comments.map(str::len).sum(),
        };
        *start..end - kept
    };
    own.iter().map(section).collect()
}

/// A place with the beginning and the end of its lines.
fn whole_lines(text: &str, place: Range<usize>) -> Range<usize> {
    let start = text.get(..place.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end = text.get(place.end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| place.end + at + 1);
    start..end
}

/// The text without some places, none of which reaches into another.
fn cut(text: &str, mut places: Vec<Range<usize>>) -> String {
    sort_by_key(&mut places, |place| std::cmp::Reverse(place.start));
    let mut edited = text.to_owned();
    for place in places {
        edited.replace_range(place, "");
    }
    edited
}

#[cfg(test)]
#[path = "toml_tests.rs"]
mod tests;
