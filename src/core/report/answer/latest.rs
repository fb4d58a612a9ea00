//! Of the entries of a log or a changelog in one text that speak of the same thing, the latest one: it holds, whichever of them stands first.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{AskedQuestion, part};
use crate::core::question::ended::{ends, tells_end};
use crate::core::question::state::{are_of_one_thing, says_since, tells_what_was};
use crate::core::report::units::{Unit, with_names};
use crate::core::text::entry_times::EntryTime;

/// What stands above a text, as far as it says what its entries are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Above<'a> {
    /// The heading right above it.
    pub(in crate::core::report) heading: Option<&'a str>,
    /// It is of a changelog, a log of decisions or the like.
    pub(in crate::core::report) is_of_entries: bool,
    /// The text is dated entries, which no name calls so.
    pub(in crate::core::report) is_dated: bool,
}

/// What may answer: a unit of a text, what it is worth, and what would be quoted with it.
pub(super) struct Candidate {
    pub(super) at: usize,
    pub(super) score: f32,
    pub(super) place: Range<usize>,
}

/// The units of a text with what is asked for in each of them, and in what stands above all of them.
pub(super) struct Entries<'a> {
    pub(super) text: &'a str,
    pub(super) units: &'a [Unit],
    pub(super) held: &'a [BTreeSet<usize>],
    pub(super) above: &'a BTreeSet<usize>,
    pub(super) beyond: Above<'a>,
}

impl AskedQuestion {
    /// What answers, with what answers as well, unless it is the last of several entries.
    pub(super) fn chosen(&self, entries: &Entries<'_>, candidates: &[Candidate], most_words: usize) -> Range<usize> {
        let (best, is_latest) = self.best_of(entries, candidates);
        if is_latest {
            return best;
        }
        let best = self.with_other_rows(entries.text, entries.units, best, most_words);
        self.with_equals(entries.text, entries.units, best, most_words)
    }

    /// The best of these, or the latest entry that tells the same or that it is no more. Whether there is another entry that told it before: then it is
    /// quoted alone.
    fn best_of(&self, entries: &Entries<'_>, candidates: &[Candidate]) -> (Range<usize>, bool) {
        // Of equal ones the first.
        let best = candidates.iter().reduce(|best, one| if one.score > best.score { one } else { best });
        let Some(best) = best else { return (Range::default(), false) };
        let time = if self.holding.asks_what_is() { entries.time(best.at) } else { None };
        let Some(mut time) = time else { return (best.place.clone(), false) };
        let (mut latest, mut is_alone) = (best, false);
        for candidate in candidates.iter().filter(|one| one.at != best.at) {
            if !self.follows(entries, candidate.at, latest.at) {
                continue;
            }
            match entries.time(candidate.at) {
                Some(own) if own.is_after(&time) => (latest, time, is_alone) = (candidate, own, true),
                Some(own) => is_alone |= time.is_after(&own),
                None => {}
            }
        }
        (latest.place.clone(), is_alone)
    }

    /// Whether one entry of a log tells as much of the question as another, or that what that one told is no more.
    fn follows(&self, entries: &Entries<'_>, one: usize, before: usize) -> bool {
        let (said, known) = (entries.said(one), entries.said(before));
        let tells_as_much = || {
            let is_fit = self.fitting(said) > 0.0 || self.fitting(known) <= 0.0;
            is_fit && entries.own(one).is_superset(&entries.own(before))
        };
        (tells_as_much() || ends(said, known)) && entries.are_of_log(one, before)
    }
}

impl Entries<'_> {
    fn said(&self, at: usize) -> &str {
        self.units.get(at).map_or("", |unit| part(self.text, &unit.place))
    }

    /// What a unit has of the question, but for what stands above all of them.
    fn own(&self, at: usize) -> BTreeSet<usize> {
        self.held.get(at).map(|held| held.difference(self.above).copied().collect()).unwrap_or_default()
    }

    /// Whether entries stand in their time because what they tell was so from then on, and not because it happens then, as in a calendar.
    fn are_of_log(&self, one: usize, other: usize) -> bool {
        let head = || self.units.get(one).and_then(|unit| unit.named_by).map_or("", |head| self.said(head));
        let tells = |at: usize| tells_what_was(self.said(at)) || tells_end(self.said(at));
        self.beyond.is_of_entries
            || tells(one)
            || tells(other)
            || (head().starts_with('|') && says_since(head()))
            || (self.beyond.is_dated && are_of_one_thing(self.said(one), self.said(other)))
    }

    /// The time of the entry that a unit is of: that of its line, or of what names it.
    fn time(&self, at: usize) -> Option<EntryTime> {
        let mut names = self.units.get(at).into_iter().flat_map(|unit| with_names(self.units, unit));
        names.find_map(|unit| EntryTime::at(self.text, unit.place.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::language::words::informative;
    use crate::core::report::answer::AskedWord;

    fn answer(question: &str, beyond: Above<'_>, text: &str) -> String {
        let words = informative(question).into_iter();
        let words = words.map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
        let asked = AskedQuestion::new(question, words.collect());
        part(text, &asked.answer(beyond, text, 60)).to_owned()
    }

    /// EM-01: of entries that tell the same the last one in time answers, in whichever order they stand; one that ends what another told does so too.
    #[test]
    fn em_01_the_last_entry_answers() {
        let entries = [
            "- 2021-02-03: The port is 8080.",
            "- 2022-06-11: Tea is free.",
            "- 2023-01-01: Dogs are let in.",
            "- 2024-09-30: The port is 9090.",
            "- 2024-10-01: Dogs are no longer let in.",
        ];
        let rising = entries.join("\n");
        let falling = entries.iter().rev().copied().collect::<Vec<_>>().join("\n");
        let log = Above { is_of_entries: true, ..Above::default() };
        for (question, beyond, want) in [
            ("What is the port?", log, entries[3]),
            ("Are dogs let in?", log, entries[4]),
            ("What is free?", log, entries[1]),
        ] {
            assert_eq!(answer(question, beyond, &rising), want, "{question}");
        }
        assert_eq!(answer("What is the port?", log, &falling), entries[3]);
        assert!(answer("What was the port?", log, &rising).starts_with(entries[0]));
        // A calendar tells what happens then, and not what holds from then on.
        let calendar = "- 2026-03-12: Ann speaks about bees in the hall.\n- 2026-03-13: Tea.\n- 2026-03-14: Cake.\n- 2026-03-15: Tea.\n- 2026-03-26: Mona speaks about bees in the hall.";
        let first = calendar.lines().next().unwrap();
        assert_eq!(answer("Who speaks about bees?", Above::default(), calendar), first);
        let dated = Above { is_dated: true, ..Above::default() };
        assert_eq!(answer("Who speaks about bees?", dated, calendar), first);
        let levels = "2024-03-01 water level 3.2 m\n2024-03-02 water level 2.9 m\n2024-03-04 water level 2.7 m";
        assert_eq!(answer("What is the water level?", dated, levels), levels.lines().last().unwrap());
        let prices = "| valid from | fee |\n|---|---|\n| 2019-01-01 | fee of 12 € |\n| 2024-01-01 | fee of 17 € |";
        assert_eq!(answer("How much is the fee?", Above::default(), prices), "| 2024-01-01 | fee of 17 € |");
    }
}
