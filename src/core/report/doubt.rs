//! Why what is quoted first is perhaps no answer: it holds too little of the question, or says it of something else.

use std::ops::Range;

use super::blocks::lines_around;
use super::conditions::{never_in_one_row, nothing_in_column, only_head_asked};
use super::extracts::{above, best, heading, names, own_path};
use super::fields::{is_data, never_in_one_record, nothing_in_field};
use super::leaning::told_before_named;
use super::quotes::{QuoteInput, words};
use super::reasons::{gives_no_reason, lacks_reason};
use super::replies::only_asks;
use super::siblings::{done_to_another, entry_of_another, in_stretch_of_another, told_of_another};
use super::units::units;
use super::unknown::is_told_as_unknown;
use crate::core::evidence::passage::Passage;
use crate::core::language::weekdays;
use crate::core::question::alternatives::{named_otherwise, told_instead};
use crate::core::question::attributes::{asked_attribute, asked_to_have, asked_whether_it_has, head_of};
use crate::core::question::denying::lacks_denial;
use crate::core::question::doers::lacks_doer;
use crate::core::question::labels::Label;
use crate::core::question::ordinals;
use crate::core::question::things::asked_things;
use crate::core::question::times::lacks_time;
use crate::core::text::spans::Unit;

/// The share of the question that prose has which is about it: with its headings, and by itself.
const HAS_MOST: f32 = 0.6;

/// What is to be thought of the quote that stands first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// How much of the question stands in it, 0..1.
    pub(super) share: f32,
    /// Why it is doubted.
    pub(super) why: Option<String>,
}

/// Whether what is quoted first holds too little of the question to be its answer, or tells it of something else.
pub(super) fn judge(draft: &QuoteInput<'_>, first: &Passage) -> Judged {
    let found = best(draft.asked, first);
    let mut above = above(first, found.start);
    if is_data(&first.path) {
        above.push_str(&lines_around(draft.asked, &first.text, found.start));
    }
    let quote = first.text.get(found.clone()).unwrap_or_default();
    let mut first = First { draft, passage: first, found, quote, above: &above, share: 0.0 };
    first.share = draft.asked.share(&first.told());
    let rules = [
        First::holds_little,
        First::of_table,
        First::of_record,
        First::only_in_parts,
        First::says_nothing,
        First::of_another,
    ];
    Judged { share: first.share, why: rules.iter().find_map(|rule| rule(&first)) }
}

/// What is quoted first, and what it is cut from.
struct First<'a> {
    draft: &'a QuoteInput<'a>,
    passage: &'a Passage,
    /// Where the quote stands in the passage.
    found: Range<usize>,
    quote: &'a str,
    /// The head of the table that it is cut from, and the lines of data that it stands in.
    above: &'a str,
    /// How much of the question is told.
    share: f32,
}

impl<'a> First<'a> {
    /// What is shown with the quote.
    fn around(&self) -> Vec<&'a str> {
        let path = own_path(self.draft.asked, self.passage);
        std::iter::once(self.above).chain(names(self.passage)).chain(path).chain(self.of_section()).collect()
    }

    /// What stands in the same section, where it is quoted from below the label that is asked for: the symptom of which it is the cause.
    fn of_section(&self) -> impl Iterator<Item = &'a str> {
        let label = self.draft.asked.label().zip(heading(self.passage));
        let is_labelled = label.is_some_and(|(label, heading)| label.is_named_by(heading));
        let section = self.passage.headings.split_last().map(|(_, section)| section).filter(|_| is_labelled);
        let own = self.passage;
        let others = self.draft.quotes.iter().map(|quoted| quoted.passage).filter(move |other| other.page == own.page);
        let is_within = move |other: &&Passage| {
            let of = other.headings.split_last().map(|(_, of)| of);
            section.is_some_and(|section| !section.is_empty() && (other.headings == section || of == Some(section)))
        };
        others.filter(is_within).map(|other| other.text.as_str())
    }

    fn told(&self) -> Vec<&'a str> {
        self.around().into_iter().chain([self.quote]).collect()
    }

    /// The same with all of the passage.
    fn whole(&self) -> Vec<&'a str> {
        self.told().into_iter().chain([self.passage.text.as_str()]).collect()
    }

    fn titles(&self) -> Vec<&'a str> {
        names(self.passage).into_iter().chain([self.passage.path.as_str()]).collect()
    }

    /// Words, a date, a name or a figure of the question are missing.
    fn holds_little(&self) -> Option<String> {
        let (asked, told, titles, text) = (self.draft.asked, self.told(), self.titles(), &self.passage.text);
        let other = !self.draft.other_words.is_empty() || asked.is_of_another(&told, &titles, text);
        let scattered = asked.scattered_names(text, &names(self.passage));
        let no_figure = asked.lacks_figure(&self.around(), self.quote, text);
        let is_little = self.share < self.draft.clear_share || other || no_figure || !scattered.is_empty();
        let absent = || [&self.draft.other_words[..], &scattered, &asked.absent_below(&told, &titles)].concat();
        is_little.then(absent).map(|absent| match (absent.is_empty(), no_figure) {
            (false, false) if self.has_elsewhere(&absent) => {
                format!("{}, which its document has elsewhere", lacks(&absent))
            }
            (false, false) => lacks(&absent),
            (false, true) => format!("{}, and no such figure", lacks(&absent)),
            (true, _) => "the nearest passage has no such figure".to_owned(),
        })
    }

    /// Whether another passage of its document has all of these.
    fn has_elsewhere(&self, absent: &[&str]) -> bool {
        let titles = self.titles();
        self.others().any(|other| {
            let lacking = self.draft.asked.absent_below(&[other], &titles);
            !absent.iter().any(|word| lacking.contains(word))
        })
    }

    /// The other passages of its document.
    fn others(&self) -> impl Iterator<Item = &'a str> {
        let others = self.draft.quotes.iter().map(|quoted| quoted.passage);
        let others = others.filter(|other| other.page == self.passage.page && other.span != self.passage.span);
        others.map(|other| other.text.as_str())
    }

    /// It has a German compound only in its parts, and its document has it itself.
    fn only_in_parts(&self) -> Option<String> {
        let compound = self.draft.asked.said_elsewhere(&self.told(), self.others())?;
        Some(format!("{}, which its document has elsewhere", lacks(&[compound])))
    }

    /// It has the words, and does not say what is asked.
    fn says_nothing(&self) -> Option<String> {
        let (asked, goal, whole) = (self.draft.asked, self.draft.sought, self.whole());
        if only_asks(self.quote) {
            return Some("the nearest passage asks it, too".to_owned());
        }
        if lacks_doer(goal, self.quote) {
            return Some("the nearest sentence does not say who".to_owned());
        }
        if lacks_time(goal, &whole) {
            return Some("the nearest passage does not say when".to_owned());
        }
        // A table says so by a cell, in whatever words.
        let is_table = self.above.starts_with('|') || self.quote.starts_with('|');
        if let Some(not) = lacks_denial(goal, &whole).filter(|_| !is_table && !is_data(&self.passage.path)) {
            return Some(lacks(&[&not]));
        }
        let is_unknown = |label| is_told_as_unknown(label, heading(self.passage), self.above, self.quote);
        if let Some(label) = asked.label().filter(|label| is_unknown(*label)) {
            return Some(label.lacking().to_owned());
        }
        if asked.asks_why() && lacks_reason(asked, self.quote) {
            return Some("the nearest entry does not say why".to_owned());
        }
        if asked.asks_why() && self.only_says_that_it_is_so() {
            return Some(Label::Cause.lacking().to_owned());
        }
        if let Some(things) = asked.missing_things(&whole) {
            return Some(format!("the nearest passage has no {}", words(&[things])));
        }
        let attribute = asked_attribute(goal);
        let weekday = weekdays::asked(goal).filter(|(_, day)| !whole.iter().any(|text| day.is_told_by(text)));
        let head = head_of(&attribute);
        let said = [[attribute, asked_to_have(goal)].concat(), head, asked_whether_it_has(goal)];
        let things = asked_things(goal);
        let missing = said.iter().chain(&things).find_map(|said| asked.missing_all(said, &whole));
        let missing = missing.or(weekday.map(|(word, _)| word));
        let ordinal = ordinals::asked(goal).filter(|(_, one)| !whole.iter().any(|text| one.is_told_by(text)));
        missing.map(|missing| lacks(&[missing])).or_else(|| ordinal.map(|(word, _)| lacks(&[&word])))
    }

    /// It has all of the question in prose, and no sign of a reason near it.
    fn only_says_that_it_is_so(&self) -> bool {
        let is_prose = !is_data(&self.passage.path) && !self.passage.is_source_code() && self.above.is_empty();
        // What stands below a heading that says it may be the reason.
        let has_most = self.share >= HAS_MOST && self.draft.asked.share(&[self.quote]) >= HAS_MOST;
        is_prose
            && has_most
            && gives_no_reason(self.draft.asked, self.draft.sought, &self.titles(), &self.passage.text, &self.found)
    }

    /// No row of a table tells it.
    fn of_table(&self) -> Option<String> {
        let (asked, around) = (self.draft.asked, self.around());
        if let Some(apart) = never_in_one_row(asked, &around, &self.passage.text, self.found.clone()) {
            return Some(format!("no row of the nearest table has all of {}", words(&apart)));
        }
        if let Some(column) = nothing_in_column(asked, self.above, self.quote) {
            return Some(format!("the nearest row has nothing under {}", words(&[column.as_str()])));
        }
        let absent = only_head_asked(asked, self.above, &around, self.quote);
        (!absent.is_empty()).then(|| match self.has_elsewhere(&absent) {
            // What stands farther down in the table is not denied.
            true => format!("{}, which its document has elsewhere", lacks(&absent)),
            false => format!("no row of the nearest table has {}", words(&absent)),
        })
    }

    /// No record of settings or data tells it.
    fn of_record(&self) -> Option<String> {
        let (asked, path, text) = (self.draft.asked, &self.passage.path, &self.passage.text);
        if let Some(field) = nothing_in_field(asked, path, text) {
            return Some(format!("the nearest entry has nothing under {}", words(&[field.as_str()])));
        }
        let apart = never_in_one_record(asked, &self.titles(), path, text)?;
        Some(format!("no entry of the nearest passage has all of {}", words(&apart)))
    }

    /// It is told of another one.
    fn of_another(&self) -> Option<String> {
        let (asked, text) = (self.draft.asked, &self.passage.text);
        let (goal, told) = (self.draft.sought, self.told());
        if let Some(word) = named_otherwise(goal, &told).or_else(|| told_instead(goal, &told)) {
            return Some(lacks(&[&word]));
        }
        let another = told_of_another(asked, &self.titles(), text, &self.found);
        let another = another.or_else(|| in_stretch_of_another(asked, &self.titles(), text, &self.found));
        let another = another.or_else(|| done_to_another(asked, &self.titles(), text, &self.found));
        // What somebody writes in a mail is not told of whoever sent it.
        let entry = heading(self.passage).filter(|_| self.passage.lines.unit != Unit::Message);
        let another = another.or_else(|| entry_of_another(asked, entry, text));
        let another = another.or_else(|| told_before_named(asked, &names(self.passage), text, &units(text)));
        // The head of a table says so of a column of its rows, whatever stands in the title.
        let another = another.filter(|designation| !(self.above.starts_with('|') && self.above.contains(*designation)));
        another.map(|designation| format!("the nearest sentence is not about {}", words(&[designation])))
    }
}

fn lacks(absent: &[&str]) -> String {
    format!("the nearest passage does not have {}", words(absent))
}
