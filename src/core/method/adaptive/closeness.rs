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
use crate::core::question::figures::FigureFound;
use crate::core::text::table_rows::is_table_rule;

/// How much words beside each other count, and how much those in one sentence, where the best score of the index counts 1.
const BESIDE: f32 = 0.4;
const IN_SENTENCE: f32 = 0.6;
/// How much it counts that such a sentence also has the figure that is asked for, and what another one is worth of that.
const FIGURE: f32 = 1.0;
const OTHER_FIGURE: f32 = 0.5;
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
    /// The share of the goal that its heading has.
    pub(super) above: f32,
    /// Whether a sentence of it has the figure that is asked for.
    pub(super) has_figure: bool,
}

/// `heading` is the one that stands right above the text, `titles` all that stands above it: title, path and headings.
pub(super) fn closeness<'a>(
    goal: &Goal,
    heading: Option<&str>,
    titles: impl IntoIterator<Item = &'a str>,
    text: &str,
) -> Closeness {
    let mut known: HashMap<String, Option<usize>> = HashMap::new();
    let mut term_of = |word: String| *known.entry(word).or_insert_with_key(|word| goal.term_of(word));
    let mut pairs = Pairs::new(goal.terms().len());
    let mut at = 0;
    let mut held_by = |unit: &str, pairs: &mut Pairs| {
        let mut held = HeldTerms::new();
        // The parts of an identifier stand beside each other: `message_size_limit`.
        for part in words_and_parts(unit) {
            if let Some(term) = term_of(part) {
                held.insert(term);
                pairs.see(term, at);
            }
            at += 1;
        }
        held.extend(goal.told_periods(unit));
        held
    };
    // What stands above a whole document is above all of it, and counts no more for what happens to stand first.
    let mut over: HeldTerms = titles.into_iter().flat_map(|title| held_by(title, &mut pairs)).collect();
    let above = heading.map(|heading| held_by(heading, &mut pairs)).unwrap_or_default();
    over.extend(&above);
    // What is told below a name or a number is told of it.
    let named: HeldTerms = over.iter().copied().filter(|at| goal.tells_apart(*at)).collect();
    let (mut best, mut figure, mut sentence, mut place) = (0.0_f32, 0.0_f32, over.clone(), 0..0);
    // The names of the columns, where a unit is a row below them.
    let (mut last, mut head) = (HeldTerms::new(), None);
    for (own_place, is_row) in units(text) {
        let unit = text.get(own_place.clone()).unwrap_or_default();
        let held = held_by(unit, &mut pairs);
        head = if is_table_rule(unit) { Some(last.clone()) } else { head.filter(|_| is_row) };
        let own = goal.share(&held.union(&named).copied().collect());
        let with_heading: HeldTerms = held.iter().chain(&over).chain(head.iter().flatten()).copied().collect();
        let share = goal.worth(unit) * (own + ABOVE * (goal.share(&with_heading) - own));
        last = held;
        let said = || words(unit).collect::<Vec<_>>();
        figure = figure.max(share * goal.figure().map_or(0.0, |asked| worth(asked.found_in(&said()))));
        if share > best {
            (best, sentence, place) = (share, with_heading, own_place);
        }
    }
    let value = BESIDE * pairs.share() + IN_SENTENCE * best + FIGURE * figure;
    Closeness { value, sentence, place, above: goal.share(&above), has_figure: figure > 0.0 }
}

fn worth(found: FigureFound) -> f32 {
    match found {
        FigureFound::Asked => 1.0,
        FigureFound::Other => OTHER_FIGURE,
        FigureFound::Hint | FigureFound::None => 0.0,
    }
}

/// Sentences, and rows of tables and items of lists for themselves; whether each is a row.
fn units(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut units = Vec::new();
    let mut paragraph = 0..0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let bare = line.trim_start();
        let begins = bare.trim().is_empty() || bare.starts_with(['|', '-', '*', '#', '>']);
        if begins {
            units.extend(sentences_of(text, paragraph.clone()));
            paragraph = start..end;
        } else {
            paragraph.end = end;
        }
        start = end;
    }
    units.extend(sentences_of(text, paragraph));
    units
}

fn sentences_of(text: &str, paragraph: Range<usize>) -> Vec<(Range<usize>, bool)> {
    let (start, text) = (paragraph.start, text.get(paragraph.clone()).unwrap_or_default());
    if text.trim_start().starts_with('|') {
        return vec![(paragraph, true)];
    }
    let place = |sentence: Range<usize>| (start + sentence.start..start + sentence.end, false);
    sentences(text).into_iter().map(place).collect()
}

/// Which neighbours of the goal were seen near each other.
struct Pairs {
    last: Vec<Option<usize>>,
    /// For each term how near the one before it came: in the order of the goal, or the other way round.
    near: Vec<f32>,
}

impl Pairs {
    fn new(terms: usize) -> Self {
        Self { last: vec![None; terms], near: vec![0.0; terms.saturating_sub(1)] }
    }

    fn see(&mut self, term: usize, at: usize) {
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
mod tests {
    use super::*;
    use crate::core::evidence::passage::Term;

    /// LB-02: words of the question in one sentence, and in its order, count more than the same words all over a passage.
    #[test]
    fn together_counts_more_than_apart() {
        let terms =
            ["dam", "height", "meter"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
        let goal = Goal::new("What is the dam height in metres?", &terms);
        let rising = [
            "Nothing of it.",
            "The dam is old. Its height is great. Some metres are wet.",
            "In metres the height of the dam is 87.",
            "The dam height in metres is 87.",
        ];
        let scores: Vec<f32> = rising.iter().map(|text| closeness(&goal, None, [], text).value).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        assert!((scores[3] - BESIDE - IN_SENTENCE).abs() < 1e-6, "{scores:?}");
        let rows = "| dam | old |\n| height | 87 |\n| metres | yes |";
        assert!(closeness(&goal, None, [], rows).value < scores[2], "rows are read for themselves");
        let parts = closeness(&goal, None, [], "dam_height_metres = 87").value;
        assert!((parts - scores[3]).abs() < 1e-6, "the parts of an identifier are its words: {parts}");
        assert!(closeness(&goal, None, [], "").sentence.is_empty());
    }

    /// LB-02: the heading right above says what its sentences are about; a word in the sentence itself counts more.
    #[test]
    fn words_of_the_heading_count_for_its_sentences() {
        let terms = ["dam", "height"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
        let goal = Goal::new("What is the dam height?", &terms);
        let value = |heading, text| closeness(&goal, heading, [], text).value;
        let rising = [
            value(None, "It is 87 m."),
            value(None, "The height is 87 m."),
            value(Some("Dam"), "The height is 87 m."),
            value(None, "The dam has a height of 87 m."),
        ];
        assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
        let below = closeness(&goal, Some("damHeight"), [], "It is 87 m.");
        assert_eq!(below.sentence.len(), 2, "an identifier as a heading");
        assert!(below.value > rising[1]);
    }

    /// LB-02: what a title says is said of all of its document: what stands first, right below it, is no nearer to the question for it.
    #[test]
    fn titles_count_for_all_that_stands_below_them() {
        let terms = ["trainer", "cost", "version", "4"].map(|text| Term {
            text: text.to_owned(),
            weight: 1.0,
            forms: Vec::new(),
        });
        let goal = Goal::new("How much does the trainer cost in version 4?", &terms);
        let title = "Training (version 4)";
        let first = closeness(&goal, Some(title), [title], "Approved in May. Replaces version 3.");
        let asked = closeness(&goal, Some("Trainer"), [title, "Trainer"], "The trainer costs 30 pounds.");
        let apart = closeness(&goal, Some("Trainer"), ["Trainer"], "The trainer costs 30 pounds.");
        assert!(asked.value > first.value, "{} {}", asked.value, first.value);
        assert!(asked.value > apart.value, "{} {}", asked.value, apart.value);
        assert_eq!(asked.sentence.len(), 4, "what the title has is told with the sentence");
    }

    /// LB-02: the name of a column says what its cells are, and a name as a heading what all below it is about.
    #[test]
    fn heads_of_tables_and_names_above_count() {
        let terms = ["harbour", "acquir"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
        let goal = Goal::new("When was the harbour acquired?", &terms);
        let value = |text| closeness(&goal, None, [], text).value;
        let table = "| title | acquired |\n| --- | --- |\n| Dunes. Study | 1950 |\n| Harbour | 1962 |";
        let other = "| title | acquired |\n\n| Dunes. Study | 1950 |\n| Harbour | 1962 |";
        assert!(value(table) > value(other), "rows stand below their head: {} {}", value(table), value(other));
        let behind = format!("{table}\n\nHarbour of 1962.").replace("| Harbour | 1962 |", "| Coast | 1963 |");
        assert!(value(&behind) < value(table), "what follows a table does not");
        let terms = ["edwin", "marri"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
        let goal = Goal::new("Whom did Edwin marry?", &terms);
        let own = closeness(&goal, Some("Edwin Harlan"), [], "Married Agnes Thorne.").value;
        let father = closeness(&goal, Some("Josiah Harlan"), [], "Married Martha Pell. Children: Edwin, Rose.").value;
        assert!(own > father, "{own} {father}");
        let goal = Goal::new("whom did edwin marry?", &terms);
        let small = closeness(&goal, Some("Edwin Harlan"), [], "Married Agnes Thorne.").value;
        assert!(own > small, "a word of a heading that is no name counts less: {own} {small}");
    }

    /// LB-02: where a figure is asked for, the sentence that has one counts more, and most with one of the kind that is asked for.
    #[test]
    fn a_figure_counts_where_one_is_asked_for() {
        let terms = ["tabl", "join"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
        let rising =
            ["A join of tables. It has 64 rows.", "A join of tables since version 3.", "A join of up to 64 tables."];
        let scores = |question: &str| -> Vec<f32> {
            let goal = Goal::new(question, &terms);
            rising.iter().map(|text| closeness(&goal, None, [], text).value).collect()
        };
        let asked = scores("How many tables may a join have?");
        assert!(asked.is_sorted_by(|a, b| a < b), "{asked:?}");
        let other = scores("Which tables may a join have?");
        assert!(other.is_sorted_by(|a, b| a >= b), "no figure is asked for: {other:?}");
    }
}
