//! Pieces of archived pages, and what a search found of them.

use std::cmp::Reverse;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::core::base::error::Problem;
use crate::core::language::words::words;
use crate::core::question::designation::Designation;
use crate::core::question::state::is_of_entries;
use crate::core::text::changelog::is_changelog;
use crate::core::text::dated_lines::{is_dated, is_to_come};
use crate::core::text::format::{self, Format, NameSays};
use crate::core::text::markdown::without_code;
use crate::core::text::spans::{PartPlace, PlaceInFile, Span};

/// The SHA-256 of an archived page's text, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct PageHash(pub(crate) String);

/// A piece of a local document that may answer a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Passage {
    /// The library folder (or single file) the document belongs to.
    pub(crate) root: String,
    /// The document's path below `root`, with `/`; the file's own name when `root` is a file.
    pub(crate) path: String,
    /// The document's title: its heading or `<title>`, else its file name.
    pub(crate) title: String,
    /// The headings above the passage, outermost first.
    pub(crate) headings: Vec<String>,
    pub(crate) text: String,
    /// Where it stands in the file on disk.
    pub(crate) lines: PlaceInFile,
    /// Where its parts stand, as far as its text and its place do not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<PartPlace>,
    /// Where it stands in the document's extracted text.
    pub(crate) span: Span,
    /// The hash of that extracted text.
    pub(crate) page: PageHash,
    /// BM25, comparable within one search.
    pub(crate) score: f32,
    /// Which of the search's terms stand in the passage or its headings, as indices.
    pub(crate) matched: Vec<u16>,
    /// How near it is to the question in meaning, 1 at most; `None` where no vectors are at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) meaning: Option<f32>,
    /// Whether it begins inside a block of code, whose fence stands before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) fenced: bool,
    /// The head of the table that it begins in the middle of, with its line below; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) table_head: String,
    /// Whether its document says of itself that it holds no longer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) of_superseded: bool,
}

/// Those passages first that hold most of what is asked for by a date, an address or a number, and no more than `wanted`; the others as they were.
pub(crate) fn designated_first(designations: &[Designation], passages: &mut Vec<Passage>, wanted: usize) {
    if !designations.is_empty() {
        passages.sort_by_cached_key(|passage| Reverse(passage.designated(designations)));
        passages.truncate(wanted);
    }
}

impl Passage {
    /// How many of these stand in it, in the headings above it or in the name of its document: minutes have their date there. Each counts
    /// [`Designation::WHOLE`] at most.
    pub(crate) fn designated(&self, designations: &[Designation]) -> usize {
        let above = self.above();
        let texts = || std::iter::once(self.text.as_str()).chain(above.iter().copied());
        designations.iter().map(|one| texts().map(|text| one.degree_in(text, &above)).max().unwrap_or(0)).sum()
    }

    /// Whether one of these stands in it, or above it.
    pub(crate) fn has(&self, designation: &Designation) -> bool {
        self.designated(std::slice::from_ref(designation)) > 0
    }

    /// How many of these tell it from its like: numbers of names anywhere, years above it.
    pub(crate) fn told_apart_by(&self, telling: &[Designation]) -> usize {
        let above = self.above();
        let is_there = |one: &&Designation| {
            above.iter().any(|title| one.is_in(title)) || (!one.is_year() && one.is_in(&self.text))
        };
        telling.iter().filter(is_there).count()
    }

    /// How many of these names, in small letters, its title or a heading above it has as a whole.
    pub(crate) fn titled_by(&self, names: &[String]) -> usize {
        let titles: Vec<String> =
            [&self.title].into_iter().chain(&self.headings).map(|title| between_blanks(title)).collect();
        names.iter().filter(|name| titles.iter().any(|title| title.contains(name.as_str()))).count()
    }

    /// Whether a word in lower case is the whole name of its file: what a `Dockerfile` exposes is asked by that name, which it does not say itself.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        let name = format::file_name(&self.path);
        !name.contains('.') && name.to_lowercase() == word
    }

    /// What stands above its text.
    pub(crate) fn above(&self) -> Vec<&str> {
        [&self.title, &self.path].into_iter().chain(&self.headings).map(String::as_str).collect()
    }

    /// What stands above its text, and its text.
    pub(crate) fn whole(&self) -> Vec<&str> {
        self.above().into_iter().chain([self.text.as_str()]).collect()
    }

    /// How many identifiers of these stand in its code and nowhere else: it uses what others explain.
    pub(crate) fn only_uses(&self, designations: &[Designation]) -> usize {
        let prose = self.prose(designations);
        // The headings of source code are its definitions.
        let headings = if self.is_source_code() { &[][..] } else { &self.headings };
        let texts = || [&prose, &self.title, &self.path].into_iter().chain(headings);
        let is_used = |one: &&Designation| one.is_identifier() && one.is_in(&self.text);
        designations.iter().filter(is_used).filter(|one| !texts().any(|text| one.is_in(text))).count()
    }

    /// The text without code, where anything is looked for in it.
    fn prose(&self, designations: &[Designation]) -> String {
        if designations.is_empty() || self.is_source_code() {
            return String::new();
        }
        without_code(&self.text, self.fenced)
    }

    /// Whether it is of a changelog, a log of decisions or the like, whose entries stand in their time.
    pub(crate) fn is_of_entries(&self) -> bool {
        let names = [self.title.as_str(), format::file_name(&self.path)];
        is_changelog(&self.path) || names.into_iter().chain(self.headings.iter().map(String::as_str)).any(is_of_entries)
    }

    /// Whether its text is dated entries, one below the other, and nothing above it says that they are of what will be.
    pub(crate) fn is_dated(&self) -> bool {
        let names = [self.title.as_str(), self.path.as_str()];
        let is_to_come = || names.into_iter().chain(self.headings.iter().map(String::as_str)).any(is_to_come);
        is_dated(&self.text) && !is_to_come()
    }

    pub(crate) fn is_source_code(&self) -> bool {
        self.format() == NameSays::Format(Format::Code)
    }

    fn format(&self) -> NameSays {
        format::of_path(&self.path)
    }

    /// Where a part of it stands in the file on disk, as near as that is known.
    pub(crate) fn lines_of(&self, part: &Range<usize>) -> PlaceInFile {
        if !self.parts.is_empty() {
            return self.lines.of_known(&self.parts, part);
        }
        self.lines.of_part(&self.text, part, format::text_lines_of(&self.path))
    }

    /// How many of these name a line of it, the heading right above it or its document.
    pub(crate) fn named_by(&self, designations: &[Designation]) -> usize {
        let prose = self.prose(designations);
        let above = self.above();
        let texts = || [&prose, &self.title].into_iter().chain(self.headings.last());
        let names = |one: &&Designation| {
            texts().any(|text| one.names_line_of(text) && one.stands_in(text, &above))
                || (self.is_source_code()
                    && (self.headings.last().is_some_and(|line| one.is_defined_by(line)) || one.is_set_in(&self.text)))
                || (one.is_day() && above.iter().any(|title| one.stands_in(title, &above)))
        };
        designations.iter().filter(names).count()
    }
}

/// The words of a title or a name in small letters, with a blank around each, so that a name is found in a title as a whole.
pub(crate) fn between_blanks(title: &str) -> String {
    format!(" {} ", words(title).collect::<Vec<_>>().join(" "))
}

/// A term of a search after stemming, and how much finding it says: its inverse document frequency,
/// which is highest for a term that stands nowhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) weight: f32,
    /// Other terms of the index that count as it: forms of the same word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) forms: Vec<String>,
}

/// How far a search of the library reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reach {
    /// What holds words of the question.
    #[default]
    Words,
    /// The same, with the nearest words that stand somewhere for those that stand nowhere, and what means the same where vectors are at hand.
    Respelled,
    /// Also what is near the best of that.
    Wide,
}

impl Reach {
    pub(crate) fn is_words(&self) -> bool {
        *self == Self::Words
    }
}

/// What a search of the library found, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FoundPassages {
    pub(crate) terms: Vec<Term>,
    pub(crate) passages: Vec<Passage>,
    pub(crate) problems: Vec<Problem>,
    /// How many passages were searched, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) searched: Option<u64>,
    /// What was perhaps meant, where a word of the question stands nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) respelled: Option<Respelled>,
}

/// A question with other words in the place of some that stand nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Respelled {
    pub(crate) query: String,
    /// What was typed, and what stands in its place.
    pub(crate) words: Vec<(String, String)>,
}

/// A library document at the state in which it was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageRef {
    pub(crate) root: String,
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) page: PageHash,
}

/// The archived page behind a source's number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NumberedPage {
    pub(crate) number: u32,
    pub(crate) page: PageHash,
}
