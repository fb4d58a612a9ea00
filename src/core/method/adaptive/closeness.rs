//! How closely the words of a goal stand together in a passage.
//!
//! The score of an index counts words wherever they stand. An answer mostly has several of them in one sentence, and those that stand beside
//! each other in the question near each other. Measured on questions about real documentation (`eval/questions`): with both the right passage
//! comes first half as often again.

use std::collections::HashMap;
use std::ops::Range;

use crate::core::language::identifiers::words_and_parts;
use crate::core::language::sentences;
use crate::core::language::words::words;
use crate::core::method::quality::{Goal, HeldTerms};
use crate::core::question::figures::{AskedFigure, FigureFound};
use crate::core::text::table_rows::is_table_rule;

/// How much words beside each other count, and how much those in one sentence, where the best score of the index counts 1.
const BESIDE: f32 = 0.4;
const IN_SENTENCE: f32 = 0.6;
/// How much it counts that such a sentence also has the figure that is asked for, and what another one is worth of that.
const FIGURE: f32 = 1.0;
const OTHER_FIGURE: f32 = 0.5;
/// How much it adds that the sentence tells a bound, where it is asked how many there may be.
const BOUND: f32 = 0.5;
/// What a figure is worth for the words of a sentence before it in the paragraph.
const BEHIND: f32 = 0.7;
/// What a word of a heading or a title counts for a sentence below it, of one in the sentence itself.
const ABOVE: f32 = 0.5;
/// Words that may stand between two that belong together, and one.
const APART: usize = 3;

/// How the words of a goal stand in a passage.
pub(super) struct Closeness {
    /// What it adds to the passage's score.
    pub(super) value: f32,
    /// The terms in the sentence that has most of the goal.
    pub(super) sentence: HeldTerms,
    /// Where that stands.
    pub(super) place: Range<usize>,
    /// The share of the goal that this sentence tells.
    pub(super) told: f32,
    /// The share of the goal that its heading has.
    pub(super) above: f32,
    /// Whether a sentence of it has the figure that is asked for.
    pub(super) has_figure: bool,
}

/// Tells of passages how closely the words of one goal stand together in them.
pub(super) struct ReaderForGoal<'g> {
    goal: &'g Goal,
    /// Which terms a word is one of: the passages of one question share most of their words.
    known: HashMap<String, HeldTerms>,
}

impl<'g> ReaderForGoal<'g> {
    pub(super) fn new(goal: &'g Goal) -> Self {
        Self { goal, known: HashMap::new() }
    }

    /// The terms that a unit holds, which stands behind what the pairs have seen.
    fn held(&mut self, unit: &str, pairs: &mut Pairs) -> HeldTerms {
        let goal = self.goal;
        let mut held = HeldTerms::new();
        // The parts of an identifier stand beside each other: `message_size_limit`.
        for part in words_and_parts(unit) {
            let terms = self.known.entry(part).or_insert_with_key(|word| goal.terms_of(word));
            held.extend(terms.iter());
            pairs.see(terms.first().copied());
        }
        held.extend(goal.told_periods(unit));
        held
    }

    /// `heading` is the one that stands right above the text, `titles` all that stands above it: title, path and headings.
    pub(super) fn closeness<'a>(
        &mut self,
        heading: Option<&str>,
        titles: impl IntoIterator<Item = &'a str>,
        text: &str,
    ) -> Closeness {
        let goal = self.goal;
        let mut pairs = Pairs::new(goal.terms().len());
        // What stands above a whole document is above all of it, and counts no more for what happens to stand first.
        let mut over: HeldTerms = titles.into_iter().flat_map(|title| self.held(title, &mut pairs)).collect();
        let above = heading.map(|heading| self.held(heading, &mut pairs)).unwrap_or_default();
        over.extend(&above);
        // What is told below a name or a number is told of it.
        let named: HeldTerms = over.iter().copied().filter(|at| goal.tells_apart(*at)).collect();
        let (mut best, mut figure, mut sentence, mut place) = (0.0_f32, 0.0_f32, over.clone(), 0..0);
        let mut paragraph = ToldTogether::default();
        // The names of the columns, where a unit is a row below them.
        let (mut last, mut head) = (HeldTerms::new(), None);
        for Unit { place: own_place, is_row, paragraph: no } in units(text) {
            let unit = text.get(own_place.clone()).unwrap_or_default();
            let held = self.held(unit, &mut pairs);
            head = if is_table_rule(unit) { Some(last.clone()) } else { head.filter(|_| is_row) };
            let own = goal.share(&held.union(&named).copied().collect());
            let with_heading: HeldTerms = held.iter().chain(&over).chain(head.iter().flatten()).copied().collect();
            let full = own + ABOVE * (goal.share(&with_heading) - own);
            // No sentence is worth more than all of it.
            let may_count = full > best || goal.figure().is_some();
            let share = if may_count { goal.worth(unit) * full } else { full };
            last = held;
            let said = || words(unit).collect::<Vec<_>>();
            let worth = goal.figure().map_or(0.0, |asked| worth(asked, unit, &said()));
            figure = figure.max(share * worth).max(paragraph.told(no, share, worth));
            if share > best {
                (best, sentence, place) = (share, with_heading, own_place);
            }
        }
        let value = BESIDE * pairs.share() + IN_SENTENCE * best + FIGURE * figure;
        Closeness { value, sentence, place, told: best, above: goal.share(&above), has_figure: figure > 0.0 }
    }
}

/// What the figure of a sentence with these words is worth.
fn worth(asked: &AskedFigure, sentence: &str, said: &[String]) -> f32 {
    let figure = match asked.found_in(said) {
        FigureFound::Asked => 1.0,
        FigureFound::Other => OTHER_FIGURE,
        FigureFound::Hint | FigureFound::None => return 0.0,
    };
    figure + if asked.is_bound_in(sentence) { BOUND } else { 0.0 }
}

/// What the sentences of one paragraph tell together: one has the words of the question, and one behind it the figure.
#[derive(Default)]
struct ToldTogether {
    no: usize,
    share: f32,
}

impl ToldTogether {
    /// What the figure of a sentence is worth for what stands before it.
    fn told(&mut self, no: usize, share: f32, worth: f32) -> f32 {
        if no != self.no {
            *self = Self { no, share: 0.0 };
        }
        self.share = self.share.max(share);
        BEHIND * self.share * worth
    }
}

/// A piece of a passage that tells something by itself.
struct Unit {
    place: Range<usize>,
    is_row: bool,
    /// The number of its paragraph.
    paragraph: usize,
}

/// Sentences, and rows of tables and items of lists for themselves.
fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let (mut paragraph, mut no) = (0..0, 0);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let bare = line.trim_start();
        let begins = bare.trim().is_empty() || bare.starts_with(['|', '-', '*', '#', '>']);
        if begins {
            units.extend(sentences_of(text, paragraph.clone(), no));
            paragraph = start..end;
            no += 1;
        } else {
            paragraph.end = end;
        }
        start = end;
    }
    units.extend(sentences_of(text, paragraph, no));
    units
}

fn sentences_of(text: &str, all: Range<usize>, paragraph: usize) -> Vec<Unit> {
    let (start, text) = (all.start, text.get(all.clone()).unwrap_or_default());
    if text.trim_start().starts_with('|') {
        return vec![Unit { place: all, is_row: true, paragraph }];
    }
    let unit =
        |sentence: Range<usize>| Unit { place: start + sentence.start..start + sentence.end, is_row: false, paragraph };
    sentences(text).into_iter().map(unit).collect()
}

/// Which neighbours of the goal were seen near each other.
struct Pairs {
    /// How many words were seen.
    seen: usize,
    last: Vec<Option<usize>>,
    /// For each term how near the one before it came: in the order of the goal, or the other way round.
    near: Vec<f32>,
}

impl Pairs {
    fn new(terms: usize) -> Self {
        Self { seen: 0, last: vec![None; terms], near: vec![0.0; terms.saturating_sub(1)] }
    }

    /// The next word, which is this term or none.
    fn see(&mut self, term: Option<usize>) {
        let at = self.seen;
        self.seen += 1;
        let Some(term) = term else { return };
        let is_near = |last: Option<usize>| last.is_some_and(|last| at - last <= APART);
        let before = term.checked_sub(1);
        if is_near(before.and_then(|before| self.last.get(before).copied().flatten())) {
            self.note(before, 1.0);
        }
        if is_near(self.last.get(term + 1).copied().flatten()) {
            self.note(Some(term), 0.5);
        }
        if let Some(last) = self.last.get_mut(term) {
            *last = Some(at);
        }
    }

    fn note(&mut self, pair: Option<usize>, near: f32) {
        if let Some(known) = pair.and_then(|pair| self.near.get_mut(pair)) {
            *known = known.max(near);
        }
    }

    fn share(&self) -> f32 {
        let count = u16::try_from(self.near.len()).unwrap_or(u16::MAX).max(1);
        self.near.iter().sum::<f32>() / f32::from(count)
    }
}

#[cfg(test)]
#[path = "closeness_tests.rs"]
mod tests;
