//! The schema: which fields an answer has, under which names, and what makes a set of fields an [`Answer`].
//!
//! Strict: nothing required is filled in by a guess. The one exception is an answer that was cut off before `verified`; it
//! counts as not verified, because dropping a long report for that would be worse and saying `true` would be a lie.

use std::collections::HashSet;

use super::{Answer, AnswerShape, Flaw, example};
use crate::core::base::limits;

/// A value as far as the schema can use it.
#[derive(Debug)]
pub(super) enum Value {
    Bool(bool),
    Count(u32),
    Text(String),
    /// A string without an end.
    Cut(String),
    List(Vec<Value>),
    Object(Fields),
    Null,
    Other,
}

/// The known fields of an object; of two with one name the last.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(&'static str, Value)>);

const SOURCES: [&str; 3] = ["sources_visited", "sources", "all_sources"];
const QUERIES: [&str; 2] = ["search_queries_used", "search_queries"];
/// Inside an item of a list that is an object.
const SOURCE_PARTS: [&str; 4] = ["url", "uri", "link", "title"];
const QUERY_PARTS: [&str; 2] = ["query", "title"];
const REPORTS: [&str; 2] = ["report", "result"];
const ERRORS: [&str; 2] = ["error", "message"];
const SINGLE: [&str; 4] = ["success", "verified", "metadata", "iterations"];
/// Fields that make an object resemble an answer. The others are common words.
const TELLING: [&str; 3] = ["success", "report", "verified"];

/// The schema's own name for a key, if it has one.
pub(super) fn name(key: &str) -> Option<&'static str> {
    let groups: [&[&'static str]; 7] = [&SINGLE, &REPORTS, &ERRORS, &SOURCES, &QUERIES, &SOURCE_PARTS, &QUERY_PARTS];
    groups.into_iter().flatten().copied().find(|known| *known == key)
}

impl Value {
    pub(super) fn word(word: &str) -> Self {
        if word.eq_ignore_ascii_case("true") {
            Self::Bool(true)
        } else if word.eq_ignore_ascii_case("false") {
            Self::Bool(false)
        } else if word.eq_ignore_ascii_case("null") || word.eq_ignore_ascii_case("none") {
            Self::Null
        } else {
            word.parse().map_or(Self::Other, Self::Count)
        }
    }
}

impl Fields {
    pub(super) fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// How much this resembles an answer; 0 is a stranger.
    pub(super) fn resemblance(&self) -> usize {
        TELLING.iter().filter(|name| self.get(name).is_some()).count()
    }
}

/// Makes an answer of the fields, or says all they lack.
pub(super) fn fit(fields: &Fields, shape: AnswerShape, whole: bool) -> Result<Answer, Vec<Flaw>> {
    let mut flaws = Vec::new();
    let success = bool_of(fields, "success").unwrap_or_else(|lack| {
        flaws.push(lack);
        true
    });
    let report = report_of(fields, shape).unwrap_or_else(|lack| {
        if success {
            flaws.push(lack);
        }
        String::new()
    });
    let verified = match bool_of(fields, "verified") {
        Ok(verified) => Some(verified),
        Err(lack) if shape == AnswerShape::DeepSearch && success => {
            if whole {
                flaws.push(lack);
            }
            Some(false)
        }
        Err(_) => None,
    };
    if !flaws.is_empty() {
        return Err(flaws);
    }
    Ok(Answer {
        success,
        report,
        verified,
        sources_visited: list_of(fields, &SOURCES, &SOURCE_PARTS),
        search_queries: list_of(fields, &QUERIES, &QUERY_PARTS),
        iterations: places(fields).find_map(|place| count_of(place.get("iterations")?)),
        salvaged: !whole,
        error: if success { None } else { error_of(fields) },
    })
}

fn bool_of(fields: &Fields, name: &'static str) -> Result<bool, Flaw> {
    match fields.get(name) {
        None | Some(Value::Null) => Err(Flaw::Missing(name)),
        Some(Value::Bool(value)) => Ok(*value),
        Some(Value::Text(text)) if text.trim().eq_ignore_ascii_case("true") => Ok(true),
        Some(Value::Text(text)) if text.trim().eq_ignore_ascii_case("false") => Ok(false),
        Some(_) => Err(Flaw::NotBool(name)),
    }
}

fn report_of(fields: &Fields, shape: AnswerShape) -> Result<String, Flaw> {
    let mut lack = Flaw::Missing("report");
    for name in REPORTS {
        match fields.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::Text(text)) if is_echo(text, shape) => lack = Flaw::Echo,
            Some(Value::Text(text)) if !text.trim().is_empty() => return Ok(text.clone()),
            Some(Value::Cut(text)) if !unfenced(text).trim().is_empty() => return Ok(unfenced(text).to_owned()),
            Some(Value::Text(_) | Value::Cut(_)) => lack = Flaw::Empty(name),
            Some(_) => lack = Flaw::NotText(name),
        }
    }
    Err(lack)
}

/// Whether a model sent the example back.
fn is_echo(report: &str, shape: AnswerShape) -> bool {
    let example = example(shape);
    // A value of the example, not the signs between its names and values.
    report.len() < example.len()
        && serde_json::to_string(report).is_ok_and(|text| example.contains(&format!(": {text}")))
}

/// A cut report without the fence that closed the block around the JSON. A fence that has an opening one in the report
/// stays.
fn unfenced(report: &str) -> &str {
    let is_fence = |line: &str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    let body = report.trim_end();
    match body.rsplit_once('\n') {
        Some((before, last)) if is_fence(last) && body.lines().filter(|line| is_fence(line)).count() % 2 == 1 => {
            before.trim_end()
        }
        _ => report,
    }
}

fn error_of(fields: &Fields) -> Option<String> {
    ERRORS.iter().find_map(|name| match fields.get(name)? {
        Value::Text(text) | Value::Cut(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Object(inner) => error_of(inner),
        _ => None,
    })
}

/// Where lists and counts may stand: under `metadata`, and beside it.
fn places(fields: &Fields) -> impl Iterator<Item = &Fields> {
    let metadata = match fields.get("metadata") {
        Some(Value::Object(inner)) => Some(inner),
        _ => None,
    };
    metadata.into_iter().chain([fields])
}

fn count_of(value: &Value) -> Option<u32> {
    match value {
        Value::Count(count) => Some(*count),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// The union of the lists of these names, in order, each item once.
fn list_of(fields: &Fields, names: &[&str], parts: &[&str]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for value in places(fields).flat_map(|place| names.iter().filter_map(|name| place.get(name))) {
        let items = match value {
            Value::List(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        for text in items.iter().filter_map(|item| item_of(item, parts)) {
            if list.len() < limits::JSON_LIST_ITEMS && seen.insert(text.clone()) {
                list.push(text);
            }
        }
    }
    list
}

/// An item as one clean line.
fn item_of(item: &Value, parts: &[&str]) -> Option<String> {
    match item {
        Value::Text(text) => {
            let clean: String = text.chars().filter(|c| !c.is_control()).collect();
            let clean = clean.trim();
            let fits = !clean.is_empty() && clean.chars().nth(limits::JSON_ITEM_CHARS).is_none();
            fits.then(|| clean.to_owned())
        }
        Value::Object(inner) => parts.iter().find_map(|part| match inner.get(part)? {
            text @ Value::Text(_) => item_of(text, parts),
            _ => None,
        }),
        _ => None,
    }
}
