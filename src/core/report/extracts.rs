//! What is quoted of a passage, as a place in it, and what is shown with it.

use std::ops::Range;

use super::answer::{Above, AskedQuestion};
use super::blocks::block_of;
use super::fields::is_data;
use super::labelled::with_labelled;
use super::leaning::with_named;
use super::lists::with_list;
use super::narrow::narrowed;
use super::reasons::with_reason;
use super::replies::with_reply;
use super::titles::{mail_head, title_part, with_text_below};
use super::units::{announces, cut, units};
use crate::core::base::limits;
use crate::core::evidence::passage::Passage;
use crate::core::evidence::place::is_web;
use crate::core::language::days::days;
use crate::core::text::format::{self, Format, NameSays};
use crate::core::text::quoting::{OpenCode, Writing};
use crate::core::text::spans::Unit;
use crate::core::text::table_rows::is_table_rule;

/// The answer that stands on top, with all of its list and of what was asked for that has room: what stands below a heading that asks the
/// question is the answer as a whole.
pub(super) fn best(asked: &AskedQuestion, passage: &Passage) -> Range<usize> {
    if is_short_card(passage) {
        return 0..passage.text.len();
    }
    let searched = Searched::of(passage);
    if is_headed(asked, passage) && passage.text.split_whitespace().count() <= limits::BRIEF_WORDS {
        return with_sender(asked, passage, searched.head..passage.text.len());
    }
    let text = searched.text.as_str();
    let found = asked.answer(beyond(passage), text, limits::ANSWER_WORDS);
    let found = asked.widened(text, found, limits::BRIEF_WORDS);
    let found = with_reply(text, found, limits::BRIEF_WORDS);
    let found = with_list(asked, &names(passage), text, found, limits::BRIEF_WORDS);
    let units = units(text);
    let found = with_text_below(text, &units, found, limits::ANSWER_WORDS, limits::BRIEF_WORDS);
    let found = with_labelled(asked.label(), text, &units, found, limits::BRIEF_WORDS);
    let found = with_reason(asked, text, &units, found, limits::BRIEF_WORDS);
    let found = searched.in_passage(with_named(asked, text, &units, found, limits::BRIEF_WORDS));
    let found = if is_data(&passage.path) {
        let shown: Vec<&str> = names(passage).into_iter().chain(own_path(asked, passage)).collect();
        block_of(asked, &shown, &passage.text, found)
    } else {
        with_sender(asked, passage, found)
    };
    narrowed(asked, &passage.text, found, limits::ANSWER_WORDS)
}

/// Who sent a message and when stands above what it says; it is quoted where that is asked.
fn with_sender(asked: &AskedQuestion, passage: &Passage, found: Range<usize>) -> Range<usize> {
    let whole = passage.text.get(..found.end).unwrap_or_default();
    let has_head = passage.lines.unit == Unit::Message && whole.starts_with("From: ");
    let fits = whole.split_whitespace().count() <= limits::BRIEF_WORDS;
    if has_head && fits && asked.asks_for_sender() { 0..found.end } else { found }
}

/// The same with what goes on behind it.
pub(super) fn continued(asked: &AskedQuestion, passage: &Passage) -> Range<usize> {
    let found = best(asked, passage);
    // What stands behind a block of settings or a card is said of something else.
    if is_data(&passage.path) || is_short_card(passage) {
        return found;
    }
    let searched = Searched::of(passage);
    let place = searched.place_of(&found);
    let wide = searched.in_passage(asked.continued(&searched.text, place, limits::ANSWER_WORDS));
    let end = wide.end.max(found.end);
    // Behind the paragraph of a mail that answers stand other matters and the name of its sender.
    let is_announced = announces(cut(&passage.text, &found).trim_end());
    let rest = cut(&passage.text, &(found.end..end));
    let paragraph = rest.find("\n\n").filter(|_| passage.lines.unit == Unit::Message && !is_announced);
    found.start..paragraph.map_or(end, |length| found.end + length)
}

/// The answer of a passage in no more than so many words, if a sentence is not longer.
pub(super) fn short(asked: &AskedQuestion, passage: &Passage, most_words: usize) -> Range<usize> {
    if is_short_card(passage) {
        return 0..passage.text.len();
    }
    let searched = Searched::of(passage);
    let text = searched.text.as_str();
    let found = with_reply(text, asked.answer(beyond(passage), text, most_words), most_words);
    let found = with_list(asked, &names(passage), text, found, most_words);
    let found = searched.in_passage(with_text_below(text, &units(text), found, most_words, most_words));
    narrowed(asked, &passage.text, found, most_words)
}

/// Whether a passage is the card of somebody that is quoted whole: beside another one, a single line of it would be read as a line of that.
fn is_short_card(passage: &Passage) -> bool {
    format::of_path(&passage.path) == NameSays::Format(Format::Cards)
        && passage.text.split_whitespace().count() <= limits::ANSWER_WORDS
}

/// The text of a passage in which an answer is looked for: without the head of a mail, and where it begins inside code, with the fence that
/// stands before it.
struct Searched {
    text: String,
    fence: usize,
    /// Bytes of the passage that are left out at its beginning.
    head: usize,
}

impl Searched {
    fn of(passage: &Passage) -> Self {
        let is_inside_code = passage.fenced || writing(passage) == Writing::Code;
        let fence = if is_inside_code { OpenCode::inside(&passage.text).line() } else { String::new() };
        let head = mail_head(passage).len();
        let text = format!("{fence}{}", passage.text.get(head..).unwrap_or_default());
        Self { text, fence: fence.len(), head }
    }

    /// Where a place of the text stands in the passage.
    fn in_passage(&self, place: Range<usize>) -> Range<usize> {
        let at = |at: usize| at.saturating_sub(self.fence) + self.head;
        at(place.start)..at(place.end)
    }

    /// Where a place of the passage stands in the text.
    fn place_of(&self, place: &Range<usize>) -> Range<usize> {
        let at = |at: usize| at.saturating_sub(self.head) + self.fence;
        at(place.start)..at(place.end)
    }
}

/// Whether the heading right above a passage asks what was asked: together with those above it, it has every word, or it is the label that the answer
/// stands below. A further heading in the
/// passage would ask something else.
fn is_headed(asked: &AskedQuestion, passage: &Passage) -> bool {
    let is_own = heading(passage).is_some_and(|own| asked.has_words_in(own)) && asked.share(&names(passage)) >= 1.0;
    let is_labelled = asked.label().zip(heading(passage)).is_some_and(|(label, own)| label.is_named_by(own));
    (is_own || is_labelled) && !passage.text.lines().any(|line| line.starts_with('#'))
}

/// What stands above a passage, as far as it says what its sentences are of.
fn beyond(passage: &Passage) -> Above<'_> {
    Above { heading: heading(passage), is_of_entries: passage.is_of_entries(), is_dated: passage.is_dated() }
}

/// The heading right above a passage.
pub(super) fn heading(passage: &Passage) -> Option<&str> {
    passage.headings.last().map(String::as_str)
}

/// What the place of a message says of it.
const OF_MAIL: &str = "e-mail email mail message sent wrote";

/// The headings above a passage, the title of its document and who sent it, which are shown with it, and the title that its text begins with.
pub(super) fn names(passage: &Passage) -> Vec<&str> {
    let of_mail = (passage.lines.unit == Unit::Message).then_some(OF_MAIL);
    let title = if writing(passage) == Writing::Code { "" } else { title_part(&passage.text) };
    let own = [mail_head(passage), title].into_iter().filter(|own| !own.is_empty());
    passage.headings.iter().chain([&passage.title]).map(String::as_str).chain(of_mail).chain(own).collect()
}

/// The path of a passage's document, which is shown with it, if it says something that was asked for.
pub(super) fn own_path<'a>(asked: &AskedQuestion, passage: &'a Passage) -> Option<&'a str> {
    Some(passage.path.as_str()).filter(|path| asked.has_designation_in(path) || asked.has_words_in(path))
}

/// What stands above a part of a passage and belongs to it: the fence of the code or the head of the table that it is in the middle of.
pub(super) fn above(passage: &Passage, start: usize) -> String {
    let before = passage.text.get(..start).unwrap_or_default();
    let mut code = if passage.fenced { OpenCode::inside(&passage.text) } else { OpenCode::default() };
    let mut table: Vec<&str> = passage.table_head.split_inclusive('\n').collect();
    for line in before.split_inclusive('\n') {
        code.read(line);
        if line.starts_with('|') { table.push(line) } else { table.clear() }
    }
    let is_row = passage.text.get(start..).is_some_and(|rest| rest.starts_with('|'));
    match table.as_slice() {
        // Code as a whole gets its fence as a whole.
        _ if writing(passage) == Writing::Code => String::new(),
        _ if code.is_open() => code.line(),
        [head, rule, ..] if is_row && is_table_rule(rule) => format!("{head}{rule}"),
        _ => String::new(),
    }
}

/// The heading that is shown above a part of a passage because it tells what is asked for and the part does not: when a version was released.
pub(super) fn telling_heading<'a>(
    asked: &AskedQuestion,
    passage: &'a Passage,
    place: &Range<usize>,
) -> Option<&'a str> {
    let quote = cut(&passage.text, place);
    let is_of_entries = passage.is_of_entries();
    let is_of_time = |heading: &&str| is_of_entries || !days(heading).is_empty();
    let headings = passage.headings.iter().rev().chain([&passage.title]).map(String::as_str);
    let mut headings = headings.filter(|_| writing(passage) != Writing::Code).filter(is_of_time);
    headings.find(|heading| asked.is_told_by_heading(heading, quote))
}

/// How the text of a passage is written.
pub(super) fn writing(passage: &Passage) -> Writing {
    if is_web(&passage.root) { Writing::Made } else { Writing::of_document(&passage.path, &passage.title) }
}

/// As much of a part of a text as is quoted, ending with a whole line where there is one.
pub(super) fn excerpt(text: &str, place: Range<usize>) -> Range<usize> {
    let chosen = text.get(place.clone()).unwrap_or_default();
    let trimmed = chosen.trim_start_matches(['\n', '\r']);
    let start = place.start + chosen.len() - trimmed.len();
    let kept = trimmed.trim_end_matches(['\n', '\r']);
    let Some((end, _)) = kept.char_indices().nth(limits::QUOTE_CHARS) else { return start..start + kept.len() };
    let whole = kept.get(..end).unwrap_or(kept);
    let line_end = whole.rfind('\n').filter(|at| *at > end / 2);
    start..start + line_end.unwrap_or(whole.len())
}

/// The first words of a part of a text.
pub(super) fn fitting(text: &str, place: Range<usize>, most_words: usize) -> Range<usize> {
    let chosen = text.get(place.clone()).unwrap_or_default();
    let Some(beyond) = chosen.split_whitespace().nth(most_words) else { return place };
    let end = (beyond.as_ptr() as usize).saturating_sub(chosen.as_ptr() as usize);
    let kept = chosen.get(..end).unwrap_or(chosen).trim_end();
    place.start..place.start + kept.len()
}
