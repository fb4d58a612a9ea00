//! How well passages answer a goal: the relevance gate, the score of an attempt, the stop rule.
//!
//! Everything is measured in the weights of the goal's terms (inverse document frequency). A term that stands nowhere weighs most:
//! a passage that holds the common words of a question and none of its rare ones is not about it. In a small library weights say
//! little; there it counts what the question is about and whether anything is said of that. The scores are lexical; they say what
//! stands in the text, not whether it is true.

mod clear;
mod labelled;
mod later;
mod said_of_any;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use self::clear::CLEAR_SHARE;
use self::said_of_any::is_said_of_any;
use self::terms::{identifiers_of, stems_of, weighed, words_by_stems};
use super::subjects::{Subject, subjects};
use crate::core::evidence::passage::{PageHash, Passage, Term, between_blanks};
use crate::core::language::identifiers::{humps, words_and_parts};
use crate::core::language::phrasal::PhrasalVerbs;
use crate::core::language::stems::{Stems, has_stem};
use crate::core::language::words::{begins_like, full_names, informative, is_filler_stem, names, nearest};
use crate::core::question::announcing::Announcing;
use crate::core::question::attributes::{asked_attribute, unsaid_words};
use crate::core::question::clauses::locators;
use crate::core::question::designation::Designation;
use crate::core::question::figures::AskedFigure;
use crate::core::question::labels::Label;
use crate::core::question::light::light_words;
use crate::core::question::measures::measures;
use crate::core::question::names::names_only;
use crate::core::question::numbers::has_number;
use crate::core::question::periods::AskedPeriods;
use crate::core::question::present::present_words;
use crate::core::question::state::{asks_what_is, asks_what_was_decided};
use crate::core::question::terms::{AskedTerm, asked_term, meaning_words};
use crate::core::report::explain::Quality;
use crate::core::text::changelog::{asks_for_changes, asks_for_changes_of_release};
use crate::core::text::editions::is_superseded;
use crate::core::text::test_code::asks_for_tests;

/// The goal as the terms that count, each once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Goal {
    terms: Vec<GoalTerm>,
    stems: Stems,
    total: f32,
    /// What the goal speaks of: names of one or more words, and the other terms.
    subjects: Vec<Subject>,
    /// What is found as a whole or not at all.
    designations: Vec<Designation>,
    /// What tells the thing that is asked about from its like.
    telling: Vec<Designation>,
    /// The names of more than one word, as [`between_blanks`] has them.
    names: Vec<String>,
    /// The terms that are numbers by themselves.
    numbers: HeldTerms,
    /// The terms that say its days.
    days: HeldTerms,
    /// Names of the goal that stand in nothing that was found.
    absent: HeldTerms,
    /// The figure that it asks for.
    figure: Option<AskedFigure>,
    /// The terms of what it asks of a thing: the rent of hall 7.
    attribute: HeldTerms,
    /// The term whose meaning it asks for.
    term: Option<AskedTerm>,
    /// It asks what was changed, and when.
    of_changes: bool,
    /// It asks for what holds now.
    of_present: bool,
    /// It asks for what is so, and names no time.
    of_state: bool,
    /// It asks for what was decided.
    of_decision: bool,
    phrasal: PhrasalVerbs,
    /// Months, days of the week and years, which are told by stretches of them, too.
    periods: AskedPeriods,
    /// It asks for what holds no longer.
    of_superseded: bool,
    of_tests: bool,
    announcing: Announcing,
    /// The label below which its answer stands where a document has such labels.
    label: Option<Label>,
    /// It has a name that is an identifier, of which parts may be found elsewhere.
    has_identifier: bool,
    /// The library has too few passages for weights to tell much.
    small: bool,
}

/// A library with fewer passages is small: a few files, or one long one.
pub(crate) const SMALL_LIBRARY_PASSAGES: u64 = 100;

/// A term of the goal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GoalTerm {
    /// The stem, as the index has it.
    pub(crate) text: String,
    /// The word of the goal it comes from.
    pub(crate) word: String,
    pub(crate) weight: f32,
    /// Other forms of the word that were found, as the index has them.
    pub(crate) forms: Vec<String>,
    /// Written as a name in the goal.
    pub(super) is_name: bool,
    /// Written as an identifier (`maxDiskSpace`): what has it is about the goal, whatever else stands nowhere.
    is_identifier: bool,
    /// Asks for a figure (`how long`): it weighs nothing, and a passage need not hold it.
    pub(super) is_measure: bool,
}

/// Which terms of the goal something holds, as places in [`Goal::terms`].
pub(crate) type HeldTerms = BTreeSet<usize>;

/// A short goal: with up to this many terms a single stray match must not carry a passage.
const SHORT_GOAL_TERMS: usize = 5;
/// The share of the goal's weight that a passage must hold. Of two terms of which one stands nowhere, a topical word (in 5 of 1,000
/// passages: share 0.41) is enough and a common one (30 of 1,000: 0.31) is not; of three terms of which two stand nowhere, none
/// is (at most 0.33).
const GATE_SHORT: f32 = 0.35;
/// A long question has words of its own that no document repeats; what is foreign to the library still weighs most, so the
/// gate can be lower without letting it in.
const GATE_LONG: f32 = 0.28;

/// Where all names of the goal stand in a passage, this share is enough: a name that many passages have weighs less.
const NAMED_GATE: f32 = 0.2;

/// Where breadth is asked for, this much of the gate is enough.
const BROAD_GATE: f32 = 0.6;

/// A name says what a question is about: who wrote the Iliad is not answered by a text on writing. With this, of two terms of
/// which a name stands nowhere, the other is not enough even if it stands in 2 of 1,000 passages (share 0.34).
const ABSENT_NAME: f32 = 1.5;

/// How much more than other names the heading of a release counts where it is asked what it changed.
const RELEASE: f32 = 2.0;

/// Where a name stands nowhere, the terms that a sentence must hold, and the share of the rest.
const REST_TERMS: usize = 3;
const REST_SHARE: f32 = 0.75;

impl Goal {
    /// The goal from the terms its own search returned. Filler words are left out, unless there is nothing else.
    pub(crate) fn new(goal: &str, terms: &[Term]) -> Self {
        let present = present_words(goal);
        let of_present = !present.is_empty();
        let asking = locators(goal).into_iter().chain(meaning_words(goal)).chain(present).chain(unsaid_words(goal));
        let asking = asking.chain(light_words(goal));
        let measures = measures(goal).into_iter().chain(asking).collect::<BTreeSet<_>>();
        let is_measure = |text: &str| measures.iter().any(|word| has_stem(word, text));
        let telling = terms.iter().any(|term| !is_filler_stem(&term.text));
        let has_subject = terms.iter().any(|term| !is_filler_stem(&term.text) && !is_measure(&term.text));
        let designations = Designation::all(goal);
        let has_identifier = names(goal).any(|(word, _)| word.contains('_') || !humps(word).is_empty());
        let is_asking =
            |text: &str| (has_subject && is_measure(text)) || is_said_of_any(&designations, has_identifier, text);
        let weighed = weighed(terms.iter().filter(|term| !telling || !is_filler_stem(&term.text)), is_asking);
        let forms: BTreeMap<&str, &[String]> = terms.iter().map(|term| (term.text.as_str(), &*term.forms)).collect();
        let whole: Vec<String> = words_and_parts(goal).collect();
        let asked: Vec<&str> = whole.iter().map(String::as_str).collect();
        let named: BTreeSet<String> = names_only(goal).flat_map(words_and_parts).collect();
        let identifiers = identifiers_of(goal);
        let word_of = words_by_stems(&asked);
        let wanted = |(text, weight): (&str, f32)| {
            let known = word_of.get(text).copied();
            let word = known.or_else(|| asked.iter().copied().find(|word| begins_like(word, text)));
            let word = word.or_else(|| nearest(&asked, text)).unwrap_or(text).to_owned();
            let forms = forms.get(text).map(|forms| forms.to_vec()).unwrap_or_default();
            let is_measure = has_subject && is_measure(text);
            let (is_name, is_identifier) = (named.contains(&word), identifiers.contains(&word));
            GoalTerm { text: text.to_owned(), is_name, is_identifier, word, weight, forms, is_measure }
        };
        let mut terms: Vec<GoalTerm> = weighed.into_iter().map(wanted).collect();
        let mut total: f32 = terms.iter().map(|term| term.weight).sum();
        if total <= 0.0 {
            // Words that stand in every passage tell nothing apart; then each counts the same.
            terms.iter_mut().filter(|term| !term.is_measure).for_each(|term| term.weight = 1.0);
            total = terms.iter().map(|term| term.weight).sum();
        }
        let subjects = subjects(goal, &terms);
        let days = designations.iter().filter(|one| one.is_day()).flat_map(|day| pieces_of(day, &terms)).collect();
        let is_number = |(_, term): &(usize, &GoalTerm)| has_number(goal, &term.word);
        let figure = AskedFigure::of_question(goal);
        let stems = stems_of(&terms);
        let names_release = designations.iter().any(Designation::is_version);
        Self {
            subjects,
            phrasal: PhrasalVerbs::of_question(goal, &stems),
            periods: AskedPeriods::of(goal, &stems),
            designations,
            attribute: asked_attribute(goal).iter().flat_map(|word| stems.of_word(word)).collect(),
            telling: Designation::telling_apart(goal),
            names: full_names(goal).into_iter().map(|name| between_blanks(&name.join(" "))).collect(),
            numbers: terms.iter().enumerate().filter(is_number).map(|(at, _)| at).collect(),
            days,
            stems,
            terms,
            total,
            figure,
            term: asked_term(goal),
            of_changes: if names_release { asks_for_changes_of_release(goal) } else { asks_for_changes(goal) },
            of_present,
            of_state: asks_what_is(goal),
            of_decision: asks_what_was_decided(goal),
            of_superseded: is_superseded(goal),
            of_tests: asks_for_tests(goal),
            announcing: Announcing::of(goal),
            label: Label::asked(goal),
            has_identifier,
            absent: HeldTerms::new(),
            small: false,
        }
    }

    /// Notes how many passages were searched, where that is known.
    #[must_use]
    pub(crate) fn among(self, passages: Option<u64>) -> Self {
        Self { small: passages.is_some_and(|passages| passages < SMALL_LIBRARY_PASSAGES), ..self }
    }

    /// Whether a passage with these terms is about the goal. `gate` is the share of its weight from which it is.
    ///
    /// In a small library a single word that stands there by chance must not carry a passage, and qualifiers that stand nowhere must not keep
    /// out the passage on the very subject: of what the goal speaks of, half must be held, or two things, and a name among them is worth the gate.
    /// A word of measure is one of the two where it is held, and is not asked for. What holds half is doubted by [`Goal::clear_share`].
    pub(crate) fn is_met_by(&self, held: &HeldTerms, gate: f32) -> bool {
        let is_identifier = |at: &usize| self.terms.get(*at).is_some_and(|term| term.is_identifier);
        // Who is asked about by a rare name is spoken of where that stands, whatever else is asked.
        let gate = if self.has_all_names(held) { gate.min(NAMED_GATE) } else { gate };
        let enough = self.share(held) >= gate || held.iter().any(is_identifier);
        if !self.small || (enough && self.has_all_names(held)) {
            return enough;
        }
        let of: Vec<&Subject> = self.subjects.iter().filter(|subject| subject.is_held(held)).collect();
        let asked = self.subjects.iter().filter(|subject| !subject.is_measure).count();
        let several = of.len() >= asked.min(2) && (asked == 0 || of.iter().any(|subject| !subject.is_measure));
        let names = of.len() > 1 && of.iter().any(|subject| subject.is_name);
        let half = 2 * of.len() >= asked && of.iter().any(|subject| !subject.is_measure);
        half || (several && (enough || names))
    }

    /// Whether the goal has names and a passage with these terms has every word of them.
    fn has_all_names(&self, held: &HeldTerms) -> bool {
        let mut names = self.subjects.iter().filter(|subject| subject.is_name).peekable();
        names.peek().is_some()
            && !self.has_identifier
            && names.all(|name| name.terms.iter().all(|term| held.contains(term)))
    }

    /// Whether it asks something of a thing that a passage with these terms tells, and one with those does not speak of.
    pub(crate) fn is_told_by(&self, held: &HeldTerms, not_by: &HeldTerms) -> bool {
        !self.attribute.is_empty() && self.attribute.is_subset(held) && self.attribute.is_disjoint(not_by)
    }

    /// Whether a term tells what is asked about from its like: a name, or a number by itself.
    pub(crate) fn tells_apart(&self, at: usize) -> bool {
        self.numbers.contains(&at) || self.terms.get(at).is_some_and(|term| term.is_name)
    }

    /// The figure that it asks for, if it asks for one.
    pub(crate) fn figure(&self) -> Option<&AskedFigure> {
        self.figure.as_ref()
    }

    /// The share of the goal's designations that a passage holds, 0..1; none where the goal has none.
    pub(crate) fn designated(&self, passage: &Passage) -> f32 {
        ratio(count(passage.designated(&self.designations)), Designation::WHOLE * self.designations.len())
    }

    /// The share of them that name something in it; all where it explains the term that is asked for.
    pub(crate) fn named(&self, passage: &Passage) -> f32 {
        if self.is_tried(passage) {
            return 0.0;
        }
        let has_entry = |text: &String| self.term.as_ref().is_some_and(|term| term.has_entry_in(text));
        if [&passage.text].into_iter().chain(passage.headings.last()).any(has_entry) {
            return 1.0;
        }
        let is_release = |one: &Designation| {
            one.is_version() && passage.headings.last().is_some_and(|heading| one.names_line_of(heading))
        };
        if self.of_changes && self.designations.iter().any(is_release) {
            return RELEASE;
        }
        ratio(count(passage.named_by(&self.designations)), self.designations.len())
    }

    /// The share of the goal's names that its title or a heading has as a whole: what is told there is told of them.
    pub(crate) fn titled(&self, passage: &Passage) -> f32 {
        ratio(count(passage.titled_by(&self.names)), self.names.len())
    }

    /// The share of what tells the thing that is asked about from its like.
    pub(crate) fn told_apart(&self, passage: &Passage) -> f32 {
        ratio(count(passage.told_apart_by(&self.telling)), self.telling.len())
    }

    /// The share of them that are identifiers which its code only uses.
    pub(crate) fn only_used(&self, passage: &Passage) -> f32 {
        ratio(count(passage.only_uses(&self.designations)), self.designations.len())
    }

    /// Whether a heading says what the goal says, and nothing else.
    pub(crate) fn is_said_by(&self, heading: &str) -> bool {
        let said: Option<HeldTerms> = informative(heading).iter().map(|word| self.term_of(word)).collect();
        said.is_some_and(|said| !said.is_empty() && said.len() == self.terms.len())
    }

    /// Whether a sentence with these terms is about the goal although a name of the goal stands nowhere: it must say nearly all of the rest.
    /// How something is sent to `Acme` is not told by a page on sending. In a small library names say less.
    pub(crate) fn is_told_without_names(&self, sentence: &HeldTerms) -> bool {
        if self.absent.is_empty() || self.small {
            return true;
        }
        let weight = |at: usize| self.terms.get(at).map_or(0.0, |term| term.weight);
        let rest: f32 = (0..self.terms.len()).filter(|at| !self.absent.contains(at)).map(weight).sum();
        let told: f32 = sentence.iter().map(|at| weight(*at)).sum();
        sentence.len() >= REST_TERMS && told >= REST_SHARE * rest
    }

    /// Lets the names count more that stand in nothing that was found.
    pub(crate) fn stress_absent_names(&mut self, seen: &HeldTerms) {
        for (at, term) in self.terms.iter_mut().enumerate() {
            if term.is_name && !seen.contains(&at) {
                self.absent.insert(at);
                self.total += term.weight * (ABSENT_NAME - 1.0);
                term.weight *= ABSENT_NAME;
            }
        }
    }

    pub(crate) fn terms(&self) -> &[GoalTerm] {
        &self.terms
    }

    /// The first term that a word in lower case is a form of.
    pub(crate) fn term_of(&self, word: &str) -> Option<usize> {
        self.stems.of_word(word).min()
    }

    /// All that it is a form of, in their order: `email` is both of `e-mail`.
    pub(crate) fn terms_of(&self, word: &str) -> HeldTerms {
        self.stems.of_word(word).collect()
    }

    /// The terms whose month, day of the week or year lies in a stretch of which a text speaks.
    pub(crate) fn told_periods(&self, text: &str) -> impl Iterator<Item = usize> {
        self.periods.told_by(text)
    }

    /// The terms that are not among these and would be missed.
    pub(crate) fn missing(&self, held: &HeldTerms) -> impl Iterator<Item = &GoalTerm> {
        let terms = self.terms.iter().enumerate();
        terms.filter(|(at, term)| !held.contains(at) && !term.is_measure).map(|(_, term)| term)
    }

    /// The goal's terms that a passage holds. `searched` are the terms of the search that found it; a term of the goal
    /// that was not searched for is looked up in the passage's own words.
    pub(crate) fn held(&self, searched: &[Term], passage: &Passage) -> HeldTerms {
        let matched: BTreeSet<&str> = passage
            .matched
            .iter()
            .filter_map(|at| searched.get(usize::from(*at)))
            .map(|term| term.text.as_str())
            .collect();
        let known: BTreeSet<&str> = searched.iter().map(|term| term.text.as_str()).collect();
        let unknown = |term: &GoalTerm| !known.contains(term.text.as_str());
        let said: HeldTerms = if self.terms.iter().any(unknown) {
            let texts = std::iter::once(&passage.text).chain(&passage.headings);
            let words: BTreeSet<String> = texts.flat_map(|text| words_and_parts(text)).collect();
            words.iter().flat_map(|word| self.stems.of_word(word)).collect()
        } else {
            HeldTerms::new()
        };
        let holds = |(at, term): &(usize, &GoalTerm)| match unknown(term) {
            true => said.contains(at),
            false => matched.contains(term.text.as_str()),
        };
        // A number stands where it is one by itself.
        let is_number = |(at, term): &(usize, &GoalTerm)| {
            let texts = || {
                [&passage.text, &passage.title, &passage.path, &passage.table_head].into_iter().chain(&passage.headings)
            };
            !self.numbers.contains(at) || texts().any(|text| has_number(text, &term.word))
        };
        let mut held: HeldTerms =
            self.terms.iter().enumerate().filter(holds).filter(is_number).map(|(at, _)| at).collect();
        // However a day is written, and be it only in the name of the file.
        let is_there = |day: &&Designation| day.is_day() && passage.has(day);
        held.extend(self.designations.iter().filter(is_there).flat_map(|day| pieces_of(day, &self.terms)));
        held.extend(passage.whole().into_iter().flat_map(|text| self.told_periods(text)));
        let calls = |term: &GoalTerm| term.is_name && passage.is_called(&term.word);
        held.extend(self.terms.iter().enumerate().filter(|(_, term)| calls(term)).map(|(at, _)| at));
        self.phrasal.retain_meant(passage.whole(), &self.stems, &mut held);
        held
    }

    /// The share of the goal's weight in these terms, 0..1.
    pub(crate) fn share(&self, held: &HeldTerms) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        // The sum of nothing is minus zero.
        let weight = held.iter().filter_map(|at| self.terms.get(*at)).fold(0.0, |sum, term| sum + term.weight);
        (weight / self.total).min(1.0)
    }

    /// The share from which a passage is about the goal.
    pub(crate) fn gate(&self) -> f32 {
        if self.terms.len() <= SHORT_GOAL_TERMS { GATE_SHORT } else { GATE_LONG }
    }

    /// The same where a field is asked for: its documents share few words with the goal, and the report says when that is so.
    pub(crate) fn broad_gate(&self) -> f32 {
        BROAD_GATE * self.gate()
    }
}

/// The terms that are pieces of a designation.
fn pieces_of(designation: &Designation, terms: &[GoalTerm]) -> impl Iterator<Item = usize> {
    terms.iter().enumerate().filter(|(_, term)| designation.has_piece(&term.word)).map(|(at, _)| at)
}

/// A passage as far as the score needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredPassage<'a> {
    pub(crate) held: &'a HeldTerms,
    pub(crate) page: &'a PageHash,
}

/// One passage that holds this much of the goal most likely answers it.
const GOOD_RELEVANCE: f32 = 0.7;
/// Coverage is never below relevance here, so the bar is set above it: what one passage leaves open, another must tell.
const GOOD_COVERAGE: f32 = 0.8;
/// Less gain than this in relevance and coverage together is not worth another attempt. A single rare word newly found in a
/// goal of ten terms gains about 0.1.
const LEAST_GAIN: f32 = 0.05;

impl Quality {
    pub(crate) fn of(goal: &Goal, hits: &[ScoredPassage<'_>]) -> Self {
        let mut pages_of: BTreeMap<usize, BTreeSet<&PageHash>> = BTreeMap::new();
        for hit in hits {
            for at in hit.held {
                pages_of.entry(*at).or_default().insert(hit.page);
            }
        }
        let shares: Vec<f32> = hits.iter().map(|hit| goal.share(hit.held)).collect();
        let pages: BTreeSet<&PageHash> = hits.iter().map(|hit| hit.page).collect();
        Self {
            relevance: shares.iter().copied().fold(0.0, f32::max),
            coverage: goal.share(&pages_of.keys().copied().collect()),
            confidence: ratio(shares.iter().sum(), hits.len()),
            support: goal.share(&pages_of.iter().filter(|(_, pages)| pages.len() > 1).map(|(at, _)| *at).collect()),
            diversity: ratio(count(pages.len()), hits.len()),
            recency: None,
            conflicts: None,
            passages: hits.len(),
        }
    }

    /// Whether looking further is not needed, once there are `least` passages.
    pub(crate) fn good_enough(&self, least: usize) -> bool {
        self.relevance >= GOOD_RELEVANCE && self.coverage >= GOOD_COVERAGE && self.passages >= least
    }

    /// Whether the attempt that led here from `before` was hardly worth it.
    pub(crate) fn hardly_better_than(&self, before: &Self) -> bool {
        self.relevance - before.relevance + self.coverage - before.coverage < LEAST_GAIN
    }

    /// One line with what is known.
    pub(crate) fn summary(&self) -> String {
        let mut line = format!(
            "relevance {:.2}, coverage {:.2}, confidence {:.2}, support {:.2}, diversity {:.2}",
            self.relevance, self.coverage, self.confidence, self.support, self.diversity
        );
        if let Some(recency) = self.recency {
            line.push_str(&format!(", recency {recency:.2}"));
        }
        if let Some(conflicts) = self.conflicts {
            line.push_str(if conflicts { ", sources in conflict" } else { ", no conflict" });
        }
        line
    }
}

fn ratio(sum: f32, of: usize) -> f32 {
    if of == 0 { 0.0 } else { (sum / count(of)).min(1.0) }
}

fn count(number: usize) -> f32 {
    u16::try_from(number).map_or(f32::from(u16::MAX), f32::from)
}

#[cfg(test)]
#[path = "quality_tests.rs"]
mod tests;
