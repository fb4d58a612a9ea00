//! The text of `hadal.toml`, taken apart into keys, values and lines. It decides nothing about what a value means.

use std::ops::Range;
use std::path::Path;

use toml_edit::{Document, Item, TableLike, Value};

use super::registry::{REGISTRY, nearest};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::plain;
use crate::core::setup::toml_text::line_of;

/// One `key = value` of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The registered setting it belongs to.
    pub(crate) key: &'static str,
    pub(crate) raw: Raw,
    /// From 1.
    pub(crate) line: usize,
}

/// A value as it was written: everything is text in a flag or a variable, the file has types.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Raw {
    Text(String),
    FileText(String),
    FileWhole(i64),
    FileNumber(f64),
    /// A type that no setting has, with its name.
    FileOther(&'static str),
}

impl Raw {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::FileText(text) => Some(text),
            Self::FileWhole(_) | Self::FileNumber(_) | Self::FileOther(_) => None,
        }
    }

    pub(super) fn whole(&self) -> Option<i64> {
        match self {
            Self::Text(text) => text.trim().parse().ok(),
            Self::FileWhole(whole) => Some(*whole),
            Self::FileText(_) | Self::FileNumber(_) | Self::FileOther(_) => None,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => text.trim().parse().ok(),
            Self::FileWhole(whole) => u32::try_from(*whole).ok().map(f64::from),
            Self::FileNumber(number) => Some(*number),
            Self::FileText(_) | Self::FileOther(_) => None,
        }
    }
}

/// Reads the file's text. `path` is only for messages.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Entry>> {
    let document = Document::parse(text).map_err(|fault| {
        let line = line_of(text, fault.span());
        let message = fault.message().lines().collect::<Vec<_>>().join("; ");
        Error::new(Code::InvalidConfig, format!("`{}`, line {line}, is not valid TOML: {message}", path.display()))
    })?;
    let mut found = Vec::new();
    flatten("", document.as_table(), &mut found);
    found.into_iter().map(|leaf| entry(path, text, leaf)).collect()
}

/// A key with its value, before it is known whether there is such a setting.
struct Leaf<'a> {
    key: String,
    item: &'a Item,
    span: Option<Range<usize>>,
}

fn flatten<'a>(prefix: &str, table: &'a dyn TableLike, found: &mut Vec<Leaf<'a>>) {
    for (name, item) in table.iter() {
        let key = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        let span = table.get_key_value(name).and_then(|(key, _)| key.span()).or_else(|| item.span());
        match item.as_table_like() {
            Some(inner) if !inner.is_empty() => flatten(&key, inner, found),
            // An empty `[budget]` says nothing; an empty table that nobody knows is a slip like any other.
            Some(_) if REGISTRY.iter().any(|setting| setting.key.starts_with(&format!("{key}."))) => {}
            Some(_) | None => found.push(Leaf { key, item, span }),
        }
    }
}

fn entry(path: &Path, text: &str, leaf: Leaf<'_>) -> Result<Entry> {
    let line = line_of(text, leaf.span);
    let place = format!("`{}`, line {line}", path.display());
    let shown = plain::line(&leaf.key, 60);
    let Some(setting) = REGISTRY.iter().find(|setting| setting.key == leaf.key) else {
        let error = Error::new(Code::InvalidConfig, format!("{place}: unknown key `{shown}`"));
        let known = REGISTRY.iter().filter(|setting| setting.in_file).map(|setting| setting.key);
        return Err(match nearest(&leaf.key, known) {
            Some(known) => error.hint(format!("did you mean `{known}`?")),
            None => error.hint("`hadal config` lists every key"),
        });
    };
    if !setting.in_file {
        let error = Error::new(Code::InvalidConfig, format!("{place}: `{shown}` cannot be set in the file"));
        return Err(error.hint(format!("set the environment variable `{}`", setting.variable)));
    }
    Ok(Entry { key: setting.key, raw: raw(leaf.item), line })
}

fn raw(item: &Item) -> Raw {
    match item {
        Item::Value(Value::String(text)) => Raw::FileText(text.value().clone()),
        Item::Value(Value::Integer(whole)) => Raw::FileWhole(*whole.value()),
        Item::Value(Value::Float(number)) => Raw::FileNumber(*number.value()),
        other => Raw::FileOther(other.type_name()),
    }
}
