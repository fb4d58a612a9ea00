//! What people remarked on a text: a paragraph of its own for each, which says who remarked it on what, so that nobody takes it for the text.

use std::collections::BTreeMap;

use super::super::one_line;
use super::Target;
use super::xml::{Token, Tokens};
use super::zip::Archive;
use crate::core::base::limits;

/// Characters of the text that a remark is about, or of a cell that names another; it only has to be known again.
pub(super) const ABOUT_CHARS: usize = 120;

/// What somebody remarked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Remark {
    pub(super) author: String,
    pub(super) text: String,
}

impl Remark {
    /// As a paragraph. `about` is what it is on, as it is to be shown; nothing where that is not known.
    pub(super) fn line(&self, about: &str) -> String {
        let author = one_line(&self.author);
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Some programs begin the text with the name.
        let named = text.strip_prefix(author.as_str()).and_then(|rest| rest.strip_prefix(':'));
        let text = named.filter(|_| !author.is_empty()).map_or(text.as_str(), str::trim_start);
        let by = if author.is_empty() { String::new() } else { format!(" by {author}") };
        let on = if about.is_empty() { String::new() } else { format!(" on {about}") };
        if text.is_empty() { String::new() } else { format!("Comment{by}{on}: {text}") }
    }
}

/// The remarks of a document, by id, and the parts of the text that they are on.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    all: BTreeMap<String, Remark>,
    /// What was said since the beginning of each part that is open, and of those that have ended or are long enough.
    open: BTreeMap<String, String>,
    about: BTreeMap<String, String>,
    /// Whether there were more than are counted.
    pub(super) has_more: bool,
}

impl Remarks {
    pub(super) fn add(&mut self, id: String, remark: Remark) {
        if self.all.len() < limits::OFFICE_PARTS {
            self.all.insert(id, remark);
        } else {
            self.has_more = true;
        }
    }

    /// The part begins that a remark is on.
    pub(super) fn begin(&mut self, id: &str) {
        if self.all.contains_key(id) {
            self.open.insert(id.to_owned(), String::new());
        }
    }

    /// The text goes on.
    pub(super) fn say(&mut self, text: &str) {
        if text.is_empty() || self.open.is_empty() {
            return;
        }
        // Each call adds to all that are open, so that none is looked at more often than it has characters.
        let mut full = Vec::new();
        for (id, about) in &mut self.open {
            about.extend(text.chars().take(ABOUT_CHARS + 1));
            if about.chars().count() > ABOUT_CHARS {
                full.push(id.clone());
            }
        }
        full.iter().for_each(|id| self.end(id));
    }

    /// A paragraph ends.
    pub(super) fn end_line(&mut self) {
        self.say(" ");
    }

    pub(super) fn end(&mut self, id: &str) {
        self.about.extend(self.open.remove_entry(id));
    }

    /// The remark on the part of the text that ends, as a paragraph, once.
    pub(super) fn take(&mut self, id: &str) -> Option<String> {
        let remark = self.all.remove(id)?;
        self.end(id);
        Some(remark.line(&quoted(&self.about.remove(id).unwrap_or_default())))
    }

    /// The same for a remark that may be on no part of the text but stand behind this one.
    pub(super) fn take_behind(&mut self, id: &str, text: &str) -> Option<String> {
        self.end(id);
        if !self.about.get(id).is_some_and(|about| about.contains(char::is_alphanumeric)) {
            self.about.insert(id.to_owned(), end_of(text).to_owned());
        }
        self.take(id)
    }

    /// Those that nothing in the text refers to.
    pub(super) fn take_rest(&mut self) -> Vec<String> {
        std::mem::take(&mut self.all).into_values().map(|remark| remark.line("")).collect()
    }
}

/// The names of those who remark something, by id: out of the parts of these kinds, elements of these names, and this attribute.
pub(super) fn people(
    archive: &mut Archive<'_>,
    targets: &BTreeMap<String, Target>,
    (kinds, elements, attribute): (&[&str], &[&str], &str),
) -> BTreeMap<String, String> {
    let is_list = |target: &&Target| kinds.iter().any(|kind| target.kind.ends_with(kind));
    let mut people = BTreeMap::new();
    for part in targets.values().filter(is_list).take(limits::OFFICE_PARTS) {
        let text = archive.text(&part.path).ok().flatten().unwrap_or_default();
        for token in Tokens::new(&text) {
            if let Token::Open(tag) | Token::Empty(tag) = token
                && elements.contains(&tag.name)
                && people.len() < limits::OFFICE_PARTS
            {
                people.extend(tag.get("id").zip(tag.get(attribute)).map(|(id, name)| (id.into(), name.into())));
            }
        }
    }
    people
}

/// The last words of a text.
pub(super) fn end_of(text: &str) -> &str {
    let text = text.trim_end();
    let from = text.char_indices().rev().nth(ABOUT_CHARS - 1).map_or(0, |(at, _)| at);
    let end = text.get(from..).unwrap_or_default();
    // Not from the middle of a word on.
    if from == 0 { end } else { end.split_once(' ').map_or(end, |(_, rest)| rest) }
}

/// A text between quotation marks, as far as it is needed to know it again.
pub(super) fn quoted(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return String::new();
    }
    let cut: String = text.chars().take(ABOUT_CHARS).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("\"{}{more}\"", cut.trim_end())
}
