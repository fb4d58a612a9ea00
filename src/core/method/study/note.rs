//! Notes: a claim and the words of an archived page that bear it out, located before it counts.

use std::collections::BTreeSet;

use crate::core::base::limits;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::excerpt::{ExcerptedPage, PageFacts};
use crate::core::evidence::judge::{Page, Statement, judge};
use crate::core::evidence::place::is_web;
use crate::core::model::numbered::{self, Unit};
use crate::core::model::said::{bare, labelled};
use crate::core::text::spans::{Lines, Span};
use crate::core::text::words::{informative_pieces, pieces, root, words};

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
    pub(super) lines: Lines,
    /// The quote with its neighbours, heading and title: what a sentence that rests on the note is judged by.
    pub(super) around: String,
}

/// Sentences on each side of a quote that are looked at with it.
const AROUND: usize = 2;
/// The same for a claim whose figure stands farther off; then they are all quoted.
const FAR_AROUND: usize = 5;

/// The notes in a model's answer that the shown pages bear out, and how many it wrote.
pub(super) fn read(lines: &[String], pages: &[ExcerptedPage], sub: usize) -> (Vec<Note>, usize) {
    let units: Vec<Vec<Unit>> = pages.iter().map(numbered::units).collect();
    let (mut notes, mut written) = (Vec::new(), 0);
    for line in lines {
        let Some((claim, pointer)) = pointed(line) else { continue };
        written += 1;
        let found = match pointer {
            Pointer::Sentences { page, first, last } => at_sentences(pages, &units, page, first, last),
            Pointer::Quote(quote) => located(pages, &units, &quote),
        };
        let Some((page, first, last)) = found else { continue };
        let note = pages
            .get(page)
            .zip(units.get(page))
            .and_then(|(page, units)| verified(claim, page, units, first, last, sub));
        notes.extend(note);
        if notes.len() >= limits::NOTES_PER_ROUND {
            break;
        }
    }
    (notes, written)
}

/// What a note points at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pointer {
    Sentences { page: usize, first: usize, last: usize },
    Quote(String),
}

impl Pointer {
    /// Both together, if they are near each other on one page; else the first.
    fn with(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Sentences { page, first, last }, Self::Sentences { page: same, first: from, last: to })
                if page == *same && last.max(*to) - first.min(*from) < QUOTE_SENTENCES =>
            {
                Self::Sentences { page, first: first.min(*from), last: last.max(*to) }
            }
            (first, _) => first,
        }
    }
}

/// A claim and what it points at: `NOTE: claim | P3.12-13`, the bar and the label being optional, or `claim | "the page's words"`.
fn pointed(line: &str) -> Option<(&str, Pointer)> {
    let text = match labelled(line) {
        Some((label, rest)) if matches!(label.as_str(), "note" | "notes" | "claim" | "fact") => rest,
        Some((label, _)) if matches!(label.as_str(), "status" | "query" | "queries" | "sub" | "search") => return None,
        _ => bare(line),
    };
    if let Some((at, pointer)) = sentence_pointer(text) {
        let ends = [' ', '|', '[', '(', '-', '\u{2013}', '\u{2014}', ':', ','];
        let claim = text.get(..at)?.trim_end_matches(ends).trim_start_matches(['|', ' ']);
        return is_claim(claim).then_some((claim, pointer));
    }
    let (claim, quote) = text.split_once('|')?;
    let quote = quote.trim().trim_matches(['"', '\u{201c}', '\u{201d}', '\u{ab}', '\u{bb}', ' ']);
    (is_claim(claim) && words(quote).nth(2).is_some()).then(|| (claim.trim(), Pointer::Quote(quote.to_owned())))
}

fn is_claim(text: &str) -> bool {
    let long_enough = words(text).nth(1).is_some();
    long_enough && text.chars().count() <= limits::NOTE_CHARS
}

/// The last `P3.12` or `P3.12-14` of a line, and where it begins. Several behind one another count from the first of them, on its page.
fn sentence_pointer(text: &str) -> Option<(usize, Pointer)> {
    let bytes = text.as_bytes();
    let mut found: Option<(usize, Pointer)> = None;
    for (at, _) in text.match_indices(['P', 'p']) {
        let starts = at == 0 || bytes.get(at - 1).is_some_and(|before| !before.is_ascii_alphanumeric());
        let Some((page, rest)) = number(text.get(at + 1..).unwrap_or_default()).filter(|_| starts) else { continue };
        let Some((first, rest)) = rest.strip_prefix('.').and_then(number) else { continue };
        let range = rest.trim_start().strip_prefix(['-', '\u{2013}', '\u{2014}']).map(str::trim_start);
        let range = range.map(|rest| rest.strip_prefix(&format!("P{page}.")).unwrap_or(rest));
        let last = range.and_then(number).map_or(first, |(last, _)| last);
        let pointer = Pointer::Sentences { page, first: first.min(last), last: first.max(last) };
        let joins = |before: &(usize, Pointer)| {
            let between = text.get(before.0..at).unwrap_or_default();
            between.len() <= 24
                && between
                    .chars()
                    .all(|c| "Pp.,;-\u{2013} []&".contains(c) || c.is_ascii_digit() || c == 'a' || c == 'n' || c == 'd')
        };
        found = match found {
            Some((start, before)) if joins(&(start, before.clone())) => Some((start, before.with(&pointer))),
            _ => Some((at, pointer)),
        };
    }
    found
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text.get(..end)?.parse().ok().filter(|_| end <= 5)?;
    Some((number, text.get(end..)?))
}

/// Sentences that one note may rest on.
const QUOTE_SENTENCES: usize = 12;

fn at_sentences(
    pages: &[ExcerptedPage],
    units: &[Vec<Unit>],
    page: usize,
    first: usize,
    last: usize,
) -> Option<(usize, usize, usize)> {
    let at = page.checked_sub(1).filter(|at| *at < pages.len())?;
    let (first, last) = (first.checked_sub(1)?, last.checked_sub(1)?);
    let count = units.get(at)?.len();
    (first < count).then(|| (at, first, last.min(count - 1).min(first + QUOTE_SENTENCES - 1)))
}

/// The sentences in which at least nine of ten words of a written quote stand in their order.
fn located(pages: &[ExcerptedPage], units: &[Vec<Unit>], quote: &str) -> Option<(usize, usize, usize)> {
    let wanted: Vec<String> = words(quote).take(limits::NOTE_CHARS).collect();
    for (at, (page, units)) in pages.iter().zip(units).enumerate() {
        for first in 0..units.len() {
            let mut held = Vec::new();
            for (last, unit) in units.iter().enumerate().skip(first).take(3) {
                held.extend(words(numbered::text(page, unit)));
                if in_order(&wanted, &held) * 10 >= wanted.len() * 9 {
                    return Some((at, first, last));
                }
            }
        }
    }
    None
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

/// The note, if what it rests on bears it out; a claim that goes beyond its sentences gives way to their own words.
fn verified(claim: &str, page: &ExcerptedPage, units: &[Unit], first: usize, last: usize, sub: usize) -> Option<Note> {
    let excerpt = units.get(first)?.excerpt;
    let headings = page.excerpts.get(excerpt).map(|excerpt| excerpt.headings.join(". ")).unwrap_or_default();
    let under = |text: &str| format!("{}.\n\n{headings}.\n\n{text}", page.facts.title);
    // The sentences with so many neighbours on each side, as far as they stand together.
    let widened = |by: usize| {
        let of = |excerpt: usize| move |at: &usize| units.get(*at).is_some_and(|unit| unit.excerpt == excerpt);
        let from = (first.saturating_sub(by)..=first).find(of(excerpt))?;
        let to = (last..=last + by).rev().find(of(units.get(last)?.excerpt))?;
        numbered::quote(page, units.get(from)?, units.get(to)?)
    };
    let around = under(&widened(AROUND)?.0);
    let note = |claim: &str, (quote, span, lines): (String, Span, Lines)| {
        let around = if around.contains(&quote) { around.clone() } else { under(&quote) };
        let place = QuotePlace { quote, facts: page.facts.clone(), span, lines, around };
        Note { claim: claim.to_owned(), places: vec![place], sub }
    };
    let statement = Statement::new(claim);
    let holds = |text: &str| {
        let judged = judge(&statement, &Page::new(&under(text)));
        judged.verdict != Verdict::Unsupported && !judged.findings.iter().any(|finding| finding.nowhere)
    };
    for by in [0, AROUND, FAR_AROUND] {
        if let Some(wide) = widened(by).filter(|(text, ..)| holds(text)) {
            return Some(note(claim, wide));
        }
    }
    // Its sentences' own words: the one of them that shares the most with it.
    let gist = Gist::of(claim);
    let nearest = (first..=last).max_by_key(|at| {
        let text = units.get(*at).map(|unit| numbered::text(page, unit)).unwrap_or_default();
        (Gist::of(text).shared(&gist), std::cmp::Reverse(*at))
    })?;
    let own = own_words(numbered::text(page, units.get(nearest)?));
    let fits = words(&own).nth(4).is_some()
        && own.ends_with(['.', '!', ')', '。'])
        && own.chars().count() <= limits::NOTE_QUOTE_CHARS;
    let exact = numbered::quote(page, units.get(nearest)?, units.get(nearest)?)?;
    fits.then(|| note(&own, exact))
}

/// The words of a quote as a claim: on one line, without marks of a list.
fn own_words(quote: &str) -> String {
    let lines: Vec<&str> = quote.split_whitespace().collect();
    bare(&numbered::unescaped(&lines.join(" "))).to_owned()
}

/// Notes without a model: the sentences of the shown pages that hold the most of a question, in their own words.
pub(super) fn by_rule(question: &str, pages: &[ExcerptedPage], sub: usize) -> Vec<Note> {
    let wanted: BTreeSet<String> = informative_pieces(question).iter().map(|word| root(word).to_owned()).collect();
    let mut ranked: Vec<(usize, usize, usize)> = Vec::new();
    let units: Vec<Vec<Unit>> = pages.iter().map(numbered::units).collect();
    for (at, (page, units)) in pages.iter().zip(&units).enumerate() {
        for (place, unit) in units.iter().enumerate() {
            let text = numbered::text(page, unit);
            let held: BTreeSet<String> = pieces(text).map(|word| root(&word).to_owned()).collect();
            let share = wanted.intersection(&held).count();
            if share > 0 && held.len() >= 5 && !text.trim_end().ends_with(['?', ':']) {
                ranked.push((share, at, place));
            }
        }
    }
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let best = ranked.first().map_or(0, |(share, ..)| *share);
    let note = |(_, at, place): &(usize, usize, usize)| {
        let (page, units) = (pages.get(*at)?, units.get(*at)?);
        let claim = own_words(numbered::text(page, units.get(*place)?));
        verified(&claim, page, units, *place, *place, sub)
    };
    ranked.iter().filter(|(share, ..)| share * 2 >= best).filter_map(note).take(limits::NOTES_BY_RULE).collect()
}

/// Whether two notes say the same, and what then becomes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    /// The same words with another figure.
    Differs,
    Other,
}

/// A claim as roots of words and figures, for comparing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gist {
    roots: BTreeSet<String>,
    figures: BTreeSet<String>,
}

impl Gist {
    pub(super) fn of(claim: &str) -> Self {
        let (figures, said): (Vec<String>, Vec<String>) =
            informative_pieces(claim).into_iter().partition(|word| word.chars().any(|c| c.is_ascii_digit()));
        Self { roots: said.iter().map(|word| root(word).to_owned()).collect(), figures: figures.into_iter().collect() }
    }

    pub(super) fn likeness(&self, other: &Self) -> Likeness {
        let common = self.roots.intersection(&other.roots).count();
        let most = self.roots.len().max(other.roots.len());
        let same_figures = self.figures == other.figures;
        // Where each has a word that the other lacks, they speak of two things in the same words, of the rotor and of the brake; unless
        // they have the same figures, which two things seldom have.
        let of_one_thing = common == self.roots.len() || common == other.roots.len();
        let in_other_words = same_figures && !self.figures.is_empty() && common * 5 >= most * 4;
        if most == 0 || common * 4 < most * 3 || !(of_one_thing || in_other_words) {
            return Likeness::Other;
        }
        if same_figures {
            return Likeness::Same;
        }
        let both = !self.figures.is_empty() && !other.figures.is_empty();
        let contains = self.figures.is_subset(&other.figures) || other.figures.is_subset(&self.figures);
        if both && !contains { Likeness::Differs } else { Likeness::Other }
    }

    /// Roots that two claims share.
    /// Whether another has every word of it.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.roots.is_subset(&other.roots) && self.figures.is_subset(&other.figures)
    }

    pub(super) fn join(&mut self, other: Self) {
        self.roots.extend(other.roots);
        self.figures.extend(other.figures);
    }

    pub(super) fn shared(&self, other: &Self) -> usize {
        self.roots.intersection(&other.roots).count() + self.figures.intersection(&other.figures).count()
    }
}

/// Notes that may cover a point between them.
const COVERING_NOTES: usize = 4;

/// All notes of a study: each fact once, with every place that says it, and the pairs that disagree.
#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    notes: Vec<Note>,
    gists: Vec<Gist>,
    /// Pairs of notes, by their places, that have different figures for the same thing.
    pub(super) disagreements: Vec<(usize, usize)>,
}

impl Bank {
    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    pub(super) fn gist(&self, at: usize) -> Option<&Gist> {
        self.gists.get(at)
    }

    /// The notes that share the most words with a text, best first.
    pub(super) fn nearest(&self, text: &str, most: usize) -> Vec<&Note> {
        let wanted = Gist::of(text);
        let mut near: Vec<(usize, &Note)> =
            self.gists.iter().zip(&self.notes).map(|(gist, note)| (gist.shared(&wanted), note)).collect();
        near.retain(|(shared, _)| *shared >= 2);
        near.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        near.into_iter().take(most).map(|(_, note)| note).collect()
    }

    /// Whether one note says most of what another does.
    pub(super) fn tells_much_of(&self, known: usize, other: usize) -> bool {
        let (Some(known), Some(other)) = (self.gists.get(known), self.gists.get(other)) else { return false };
        let all = other.roots.len() + other.figures.len();
        other.figures.is_subset(&known.figures) && known.shared(other) * 10 >= all * 7
    }

    /// Whether a few notes together hold most of the telling words of a text.
    pub(super) fn speaks_of(&self, text: &str) -> bool {
        let wanted = Gist::of(text);
        let all = wanted.roots.len() + wanted.figures.len();
        let mut gists: Vec<&Gist> = self.gists.iter().collect();
        gists.sort_by_key(|gist| std::cmp::Reverse(gist.shared(&wanted)));
        let near = || gists.iter().take(COVERING_NOTES);
        let held = |root: &&String| near().any(|gist| gist.roots.contains(*root) || gist.figures.contains(*root));
        let found = wanted.roots.iter().chain(&wanted.figures).filter(held).count();
        found * 10 >= all * 6
    }

    /// Takes a note in, or its places into the note that says the same.
    pub(super) fn add(&mut self, note: Note) {
        if self.notes.len() >= limits::STUDY_NOTES {
            return;
        }
        let gist = Gist::of(&note.claim);
        let mut differs = Vec::new();
        for at in 0..self.notes.len() {
            let (Some(known), Some(known_gist)) = (self.notes.get_mut(at), self.gists.get(at)) else { break };
            let overlap = known.places.iter().any(|known| note.places.iter().any(|place| place.overlaps(known)));
            let like = gist.likeness(known_gist);
            let shares = known_gist.shared(&gist) * 4 >= gist.roots.len().max(1) * 3;
            if like == Likeness::Same || (overlap && shares && like == Likeness::Other) {
                let new: Vec<QuotePlace> = note.places.iter().filter(|place| !known.cites(place)).cloned().collect();
                known.places.extend(new);
                return;
            }
            let other_page = note.places.iter().all(|place| !known.cites(place));
            if like == Likeness::Differs && other_page {
                differs.push(at);
            }
        }
        let place = self.notes.len();
        self.disagreements.extend(differs.into_iter().map(|at| (at, place)));
        self.notes.push(note);
        self.gists.push(gist);
    }
}

impl Note {
    /// Whether it rests on a document of the library.
    pub(super) fn is_private(&self) -> bool {
        self.places.iter().any(|place| !is_web(&place.facts.location))
    }

    fn cites(&self, place: &QuotePlace) -> bool {
        self.places.iter().any(|known| known.facts.hash == place.facts.hash)
    }
}

impl QuotePlace {
    fn overlaps(&self, other: &Self) -> bool {
        self.facts.hash == other.facts.hash && self.span.start < other.span.end && other.span.start < self.span.end
    }
}

#[cfg(test)]
#[path = "note_tests.rs"]
mod tests;
