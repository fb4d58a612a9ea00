//! The sources of a report: its list under any usual heading, its footnotes and link definitions, and addresses in the text.

use std::collections::HashMap;

use super::author::year_of;
use super::blocks::{Block, Kind, marker};
use super::labels::label;
use super::marks::{Mark, Target};
use super::titles::title;
use super::urls;
use super::{Citation, Source};
use crate::core::evidence::place::local;

/// The sources of a report, and the ways to find one.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    sources: Vec<Source>,
    by_label: HashMap<String, usize>,
    by_url: HashMap<String, usize>,
    by_author: HashMap<(String, String), usize>,
}

impl Shelf {
    /// The sources that a report lists.
    pub(super) fn of(report: &str, blocks: &[Block]) -> Self {
        let mut shelf = Self::default();
        let entries: Vec<Entry> = blocks
            .iter()
            .filter(|block| block.kind == Kind::Entry)
            .filter_map(|block| entry(report.get(block.span.clone())?))
            .collect();
        let numbered = entries.iter().any(|entry| entry.label.is_some());
        for (number, entry) in entries.into_iter().enumerate() {
            let label = entry.label.clone().or_else(|| (!numbered).then(|| (number + 1).to_string()));
            shelf.list(entry, label);
        }
        shelf
    }

    fn list(&mut self, entry: Entry, label: Option<String>) {
        let at = self.sources.len();
        if let Some(label) = &label {
            self.by_label.entry(label.clone()).or_insert(at);
        }
        if let Some(url) = &entry.url {
            self.by_url.entry(urls::key(url)).or_insert(at);
        }
        if let Some(author) = entry.author {
            self.by_author.entry(author).or_insert(at);
        }
        self.sources.push(Source { label, url: entry.url, title: entry.title });
    }

    /// Whether the list has a work of this author and year.
    pub(super) fn knows(&self, author: &(String, String)) -> bool {
        self.by_author.contains_key(author)
    }

    pub(super) fn has_label(&self, label: &str) -> bool {
        self.by_label.contains_key(label)
    }

    /// The citation that a mark is, with new sources where it brings them.
    pub(super) fn resolve(&mut self, mark: &Mark) -> Citation {
        let mut sources: Vec<usize> = mark.targets.iter().filter_map(|target| self.find(target)).collect();
        sources.dedup();
        let known =
            |at: &usize| self.sources.get(*at).is_some_and(|source| source.url.is_some() || source.title.is_some());
        let resolved = !sources.is_empty() && sources.iter().all(known);
        Citation { span: mark.span.clone(), sources, resolved }
    }

    fn find(&mut self, target: &Target) -> Option<usize> {
        match target {
            Target::Label(label) => Some(self.labelled(label)),
            Target::Url(url) => Some(self.at_url(url, None, None)),
            Target::LabelledUrl(label, url) => Some(self.at_url(url, Some(label), None)),
            Target::Author(author) => self.by_author.get(author).copied(),
            Target::Unknown => None,
        }
    }

    fn labelled(&mut self, label: &str) -> usize {
        if let Some(at) = self.by_label.get(label) {
            return *at;
        }
        self.by_label.insert(label.to_owned(), self.sources.len());
        self.sources.push(Source { label: Some(label.to_owned()), ..Source::default() });
        self.sources.len() - 1
    }

    /// The source with this address; a list's entry with this label and no other address is the same.
    pub(super) fn at_url(&mut self, url: &str, label: Option<&str>, title: Option<&str>) -> usize {
        let key = urls::key(url);
        if let Some(at) = self.by_url.get(&key) {
            return *at;
        }
        let listed = label.and_then(|label| self.by_label.get(label)).copied();
        let at = listed
            .filter(|at| self.sources.get(*at).is_some_and(|source| source.url.is_none()))
            .unwrap_or(self.sources.len());
        match self.sources.get_mut(at) {
            Some(source) => source.url = Some(url.to_owned()),
            None => self.sources.push(Source {
                label: label.map(str::to_owned),
                url: Some(url.to_owned()),
                title: title.map(str::to_owned),
            }),
        }
        if let Some(label) = label {
            self.by_label.entry(label.to_owned()).or_insert(at);
        }
        self.by_url.insert(key, at);
        at
    }

    pub(super) fn into_sources(self) -> Vec<Source> {
        self.sources
    }
}

/// A line of a list of sources.
pub(super) struct Entry {
    pub(super) label: Option<String>,
    pub(super) url: Option<String>,
    pub(super) title: Option<String>,
    pub(super) author: Option<(String, String)>,
}

/// An entry of a list of sources.
pub(super) fn entry(line: &str) -> Option<Entry> {
    let after_bullet =
        line.get(if line.starts_with(|c: char| c.is_ascii_digit()) { 0 } else { marker(line) }..).unwrap_or(line);
    let (label, rest) = label(after_bullet.trim_start_matches(['*', '_', ' ', '|']));
    let bare = rest.trim_start_matches(['*', '_', ':', ' ', '.', ')', '-', '–', '\t', '|']);
    // A path may begin with dots.
    let dots = rest.get(..rest.len() - bare.len()).map_or(0, |cut| cut.len() - cut.trim_end_matches('.').len());
    let dotted = rest.get(rest.len() - bare.len() - dots..).unwrap_or(bare);
    let is_path = dots > 0 && dotted.split_whitespace().next().is_some_and(|word| local(word).is_some());
    let rest = if is_path { dotted } else { bare };
    let url = address(rest);
    let title = title(rest, url.as_deref());
    let author = author(rest);
    (url.is_some() || title.is_some()).then_some(Entry { label, url, title, author })
}

/// The first address in an entry; in one without any, the document on this machine or the site that it names.
fn address(text: &str) -> Option<String> {
    let starts = text.match_indices(['h', 'H', 'w']).map(|(at, _)| at);
    let found = starts.filter_map(|at| text.get(at..).and_then(|rest| Some((rest, urls::length(rest)?)))).next();
    if let Some((rest, length)) = found {
        let url = rest.get(..length)?;
        // A link in parentheses ends with the parenthesis that closes it.
        let url = url.split(")[").next().unwrap_or(url);
        return Some(format!("{url}{}", broken_off(url, rest.get(url.len()..).unwrap_or_default())));
    }
    let (coded, linked) = (text.split('`').nth(1), link_target(text));
    let path = |text: &str| local(text).map(|_| text.trim().to_owned());
    let around = |c: char| matches!(c, ',' | ';' | '(' | ')' | '*' | '_' | '|');
    let word = |word: &str| path(word.trim_start_matches(around).trim_end_matches(|c| around(c) || c == '.'));
    coded
        .and_then(path)
        .or_else(|| linked.and_then(path))
        .or_else(|| path(text))
        .or_else(|| text.split_whitespace().find_map(word))
        .or_else(|| text.split_whitespace().find_map(urls::without_scheme))
}

/// What of an address stands in the next line: lines of a printed page end where they must.
fn broken_off<'a>(url: &str, after: &'a str) -> &'a str {
    let (gap, next) = after.split_at(after.len() - after.trim_start().len());
    let word = next.split_whitespace().next().unwrap_or_default();
    let is_path = |c: char| c.is_ascii_alphanumeric() || "/-_.~%&=?#+".contains(c);
    let goes_on =
        url.ends_with(['/', '-', '_', '=', '&', '?', '%']) && gap.contains('\n') && word.len() == next.trim_end().len();
    if goes_on && word.chars().all(is_path) && !urls::is_web(word) { word.trim_end_matches('.') } else { "" }
}

/// Where the first link of a text leads.
fn link_target(text: &str) -> Option<&str> {
    text.split_once("](").and_then(|(_, rest)| rest.split_once(')')).map(|(target, _)| target)
}

/// The first author's surname and the year of an entry: `Smith, J. (2024). …`, `Jane Smith. 2024. …`.
fn author(text: &str) -> Option<(String, String)> {
    let head: String = text.chars().take(200).collect();
    let mut words = head.split_whitespace();
    let year = words.clone().find_map(year_of)?;
    let first = words.next()?;
    let named = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // `Smith, J.` has the surname first; `Jane Smith.` has it last.
    let second = words.next().unwrap_or_default();
    let surname_first = first.ends_with(',') || !named(second) || second.starts_with('(') || second.ends_with("al.");
    let surname = if surname_first || second.len() <= 2 { first } else { second };
    (named(first) && !bare(surname).is_empty()).then(|| (bare(surname), year))
}
