//! Notes: a claim and the words of an archived page that bear it out, located before it counts.

use std::collections::BTreeSet;

use super::bank::Gist;
use super::pointer::{self, Pointed, Pointer, QUOTE_SENTENCES};
use crate::core::base::limits;
use crate::core::base::rows::phrases;
use crate::core::base::sorting::sort_by;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::excerpt::{ExcerptedPage, PageFacts};
use crate::core::evidence::judge::{Page, Statement, judge};
use crate::core::evidence::place::is_web;
use crate::core::language::words::{informative_pieces, pieces, root, words};
use crate::core::model::numbered::{self, Unit};
use crate::core::model::said::bare;
use crate::core::text::spans::{PlaceInFile, Span};

/// A fact, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Note {
    pub(super) claim: String,
    /// The places that say it; the first one is where it was found first.
    pub(super) places: Vec<QuotePlace>,
    /// The sub-question it was found for.
    pub(super) sub: usize,
}

/// A quote, its page, and what stands around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuotePlace {
    pub(super) quote: String,
    pub(super) facts: PageFacts,
    pub(super) span: Span,
    pub(super) lines: PlaceInFile,
    /// The quote with its neighbours, heading and title: what a sentence that rests on the note is judged by.
    pub(super) around: String,
}

/// Sentences before and behind others that are looked at with them.
type Wider = (usize, usize);

/// Sentences on each side of a quote that are looked at with it.
const AROUND: Wider = (2, 2);
/// How much of its neighbourhood a claim is held against, the least first; what it needs is quoted.
const WIDER: [Wider; 7] = [(0, 0), (0, 2), (2, 0), (2, 2), (0, 5), (5, 0), (5, 5)];
/// Sentences elsewhere on its page that a claim may rest on besides those that it points at.
const ELSEWHERE: usize = 2;

/// Pages as they were shown, sentence by sentence.
struct Shown<'p> {
    pages: &'p [ExcerptedPage],
    units: Vec<Vec<Unit>>,
}

/// Sentences of a shown page, from the first to the last; all are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    page: usize,
    first: usize,
    last: usize,
}

/// The notes in a model's answer that the shown pages bear out, and how many it wrote.
pub(super) fn read(lines: &[String], pages: &[ExcerptedPage], sub: usize) -> (Vec<Note>, usize) {
    let shown = Shown::new(pages);
    let (mut notes, mut written) = (Vec::new(), 0);
    for line in lines {
        let Some((claim, pointer)) = pointer::read(line) else { continue };
        written += 1;
        let ranges: Vec<Range> = match pointer {
            Pointer::Sentences(places) => places.into_iter().filter_map(|place| shown.range(place)).collect(),
            Pointer::Quote(quote) => shown.located(&quote).into_iter().collect(),
        };
        notes.extend(shown.verified(claim, &ranges, sub));
        if notes.len() >= limits::NOTES_PER_ROUND {
            break;
        }
    }
    (notes, written)
}

impl<'p> Shown<'p> {
    fn new(pages: &'p [ExcerptedPage]) -> Self {
        Self { pages, units: pages.iter().map(numbered::units).collect() }
    }

    fn range(&self, place: Pointed) -> Option<Range> {
        let page = place.page.checked_sub(1).filter(|at| *at < self.pages.len())?;
        let (first, last) = (place.first.checked_sub(1)?, place.last.checked_sub(1)?);
        let count = self.units.get(page)?.len();
        let is_order = |at: &usize| self.text(page, *at).is_some_and(is_order);
        if (first..=last.min(count)).take(QUOTE_SENTENCES).any(|at| is_order(&at)) {
            return None;
        }
        (first < count).then(|| Range { page, first, last: last.min(count - 1).min(first + QUOTE_SENTENCES - 1) })
    }

    fn text(&self, page: usize, at: usize) -> Option<&'p str> {
        Some(numbered::text(self.pages.get(page)?, self.units.get(page)?.get(at)?))
    }

    /// The sentences in which at least nine of ten words of a written quote stand in their order.
    fn located(&self, quote: &str) -> Option<Range> {
        let wanted: Vec<String> = words(quote).take(limits::NOTE_CHARS).collect();
        for (at, (page, units)) in self.pages.iter().zip(&self.units).enumerate() {
            for first in 0..units.len() {
                let mut held = Vec::new();
                for (last, unit) in units.iter().enumerate().skip(first).take(3) {
                    held.extend(words(numbered::text(page, unit)));
                    if in_order(&wanted, &held) * 10 >= wanted.len() * 9 {
                        return Some(Range { page: at, first, last });
                    }
                }
            }
        }
        None
    }

    /// The sentences with so many neighbours before and behind them, as far as they stand together.
    fn widened(&self, range: Range, (before, behind): Wider) -> Option<(String, Span, PlaceInFile)> {
        let (page, units) = (self.pages.get(range.page)?, self.units.get(range.page)?);
        let excerpt_of = |at: usize| units.get(at).map(|unit| unit.excerpt);
        let (opening, closing) = (excerpt_of(range.first)?, excerpt_of(range.last)?);
        let from = (range.first.saturating_sub(before)..=range.first).find(|at| excerpt_of(*at) == Some(opening))?;
        let to = (range.last..=range.last + behind).rev().find(|at| excerpt_of(*at) == Some(closing))?;
        numbered::quote(page, units.get(from)?, units.get(to)?)
    }

    /// A text under the title and the headings that a range stands under.
    fn under(&self, range: Range, text: &str) -> String {
        let page = self.pages.get(range.page);
        let excerpt = self.units.get(range.page).and_then(|units| units.get(range.first)).map(|unit| unit.excerpt);
        let excerpt = page.zip(excerpt).and_then(|(page, excerpt)| page.excerpts.get(excerpt));
        let headings = excerpt.map(|excerpt| excerpt.headings.join(". ")).unwrap_or_default();
        format!("{}.\n\n{headings}.\n\n{text}", page.map(|page| page.facts.title.as_str()).unwrap_or_default())
    }

    /// All that ranges say with so many neighbours, each under its title and headings.
    fn said(&self, ranges: &[Range], by: Wider) -> String {
        let said = ranges.iter().filter_map(|range| Some(self.under(*range, &self.widened(*range, by)?.0)));
        said.collect::<Vec<_>>().join("\n\n")
    }

    /// The note, if what it rests on bears it out; a claim that goes beyond its sentences gives way to their own words.
    fn verified(&self, claim: &str, ranges: &[Range], sub: usize) -> Option<Note> {
        let statement = Statement::new(claim);
        let holds = |ranges: &[Range], by: Wider| {
            let judged = judge(&statement, &Page::new(&self.said(ranges, by)));
            judged.verdict != Verdict::Unsupported && !judged.findings.iter().any(|finding| finding.nowhere)
        };
        let first = *ranges.first()?;
        for by in WIDER {
            if holds(ranges, by) {
                return self.note(claim, ranges, by, sub);
            }
        }
        if let Some(more) = self.with_elsewhere(claim, ranges)
            && let Some(by) = [(0, 0), AROUND].into_iter().find(|by| holds(&more, *by))
        {
            return self.note(claim, &more, by, sub);
        }
        self.own_words(claim, first, sub)
    }

    /// The ranges with those sentences of the first one's page that hold the most of what is claimed and not in them: a figure or a quoted
    /// word often stands in another paragraph than the one that a reader points at. `None` where there are none.
    fn with_elsewhere(&self, claim: &str, ranges: &[Range]) -> Option<Vec<Range>> {
        let first = *ranges.first()?;
        let (page, units) = (self.pages.get(first.page)?, self.units.get(first.page)?);
        let claimed = Gist::of(claim);
        let mut more = ranges.to_vec();
        for _ in 0..ELSEWHERE {
            let missing = claimed.without(&Gist::of(&self.said(&more, AROUND)));
            let held = |(at, unit): (usize, &Unit)| {
                let gist = Gist::of(numbered::text(page, unit));
                let new = gist.shared(&missing);
                (new > 0 && gist.shared(&claimed) > 1).then_some((new, std::cmp::Reverse(at.abs_diff(first.first)), at))
            };
            let Some((.., at)) = units.iter().enumerate().filter_map(held).max() else { break };
            more.push(Range { page: first.page, first: at, last: at });
        }
        (more.len() > ranges.len()).then_some(more)
    }

    /// A note that rests on ranges: one place for each page.
    fn note(&self, claim: &str, ranges: &[Range], by: Wider, sub: usize) -> Option<Note> {
        let mut places: Vec<QuotePlace> = Vec::new();
        for range in ranges {
            let facts = &self.pages.get(range.page)?.facts;
            let (quote, span, lines) = self.widened(*range, by)?;
            let around = self.under(*range, &self.widened(*range, (by.0.max(AROUND.0), by.1.max(AROUND.1)))?.0);
            match places.iter_mut().find(|place| place.facts.hash == facts.hash) {
                Some(place) => {
                    place.quote.push_str(&format!(" […] {quote}"));
                    place.around.push_str(&format!("\n\n{around}"));
                }
                None => places.push(QuotePlace { quote, facts: facts.clone(), span, lines, around }),
            }
        }
        Some(Note { claim: claim.to_owned(), places, sub })
    }

    /// The sentence of a range that shares the most with a claim, as a note of its own.
    fn own_words(&self, claim: &str, range: Range, sub: usize) -> Option<Note> {
        let (page, units) = (self.pages.get(range.page)?, self.units.get(range.page)?);
        let gist = Gist::of(claim);
        let nearest = (range.first..=range.last).max_by_key(|at| {
            let text = units.get(*at).map(|unit| numbered::text(page, unit)).unwrap_or_default();
            (Gist::of(text).shared(&gist), std::cmp::Reverse(*at))
        })?;
        let own = on_one_line(numbered::text(page, units.get(nearest)?));
        let fits = words(&own).nth(4).is_some()
            && own.ends_with(['.', '!', ')', '。'])
            && own.chars().count() <= limits::NOTE_QUOTE_CHARS;
        let range = Range { page: range.page, first: nearest, last: nearest };
        fits.then(|| self.note(&own, &[range], (0, 0), sub)).flatten()
    }
}

/// How pages speak to a model that reads them, and to nobody else.
const ORDERS: &str = "ignore all previous, ignore previous, ignore the above, ignore all orders, \
     ignore your instructions, ignore all instructions, disregard all previous, disregard previous, \
     previous instructions, system prompt:";

/// Whether a sentence gives orders to whoever reads it for somebody else: what it says is no fact of its page.
fn is_order(text: &str) -> bool {
    let lower = text.to_lowercase();
    phrases(ORDERS).any(|order| lower.contains(order))
}

/// How many of the wanted words stand among the held ones in this order, taken greedily.
fn in_order(wanted: &[String], held: &[String]) -> usize {
    let (mut at, mut found) = (0, 0);
    for word in wanted {
        if let Some(place) = held.get(at..).and_then(|rest| rest.iter().position(|other| other == word)) {
            at += place + 1;
            found += 1;
        }
    }
    found
}

/// The words of a quote as a claim: on one line, without marks of a list.
fn on_one_line(quote: &str) -> String {
    let lines: Vec<&str> = quote.split_whitespace().collect();
    bare(&numbered::unescaped(&lines.join(" "))).to_owned()
}

/// Notes without a model: the sentences of the shown pages that hold the most of a question, in their own words.
pub(super) fn by_rule(question: &str, pages: &[ExcerptedPage], sub: usize) -> Vec<Note> {
    let wanted: BTreeSet<String> = informative_pieces(question).iter().map(|word| root(word).to_owned()).collect();
    let mut ranked: Vec<(usize, usize, usize)> = Vec::new();
    let shown = Shown::new(pages);
    for (at, (page, units)) in pages.iter().zip(&shown.units).enumerate() {
        for (place, unit) in units.iter().enumerate() {
            let text = numbered::text(page, unit);
            let held: BTreeSet<String> = pieces(text).map(|word| root(&word).to_owned()).collect();
            let share = wanted.intersection(&held).count();
            if share > 0 && held.len() >= 5 && !text.trim_end().ends_with(['?', ':']) && !is_order(text) {
                ranked.push((share, at, place));
            }
        }
    }
    sort_by(&mut ranked, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let best = ranked.first().map_or(0, |(share, ..)| *share);
    let note = |(_, at, place): &(usize, usize, usize)| {
        let (page, units) = (pages.get(*at)?, shown.units.get(*at)?);
        let claim = on_one_line(numbered::text(page, units.get(*place)?));
        shown.verified(&claim, &[Range { page: *at, first: *place, last: *place }], sub)
    };
    ranked.iter().filter(|(share, ..)| share * 2 >= best).filter_map(note).take(limits::NOTES_BY_RULE).collect()
}

impl Note {
    /// Whether it rests on a document of the library.
    pub(super) fn is_private(&self) -> bool {
        self.places.iter().any(|place| !is_web(&place.facts.location))
    }

    pub(super) fn cites(&self, place: &QuotePlace) -> bool {
        self.places.iter().any(|known| known.facts.hash == place.facts.hash)
    }
}

impl QuotePlace {
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.facts.hash == other.facts.hash && self.span.start < other.span.end && other.span.start < self.span.end
    }
}

#[cfg(test)]
#[path = "note_tests.rs"]
mod tests;
