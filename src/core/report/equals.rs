//! Rows of a table and items of a list that fit a question as well as the one that was chosen: none of them is shown as if it were alone.

use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::{Unit, cut, is_head_of_rows};

/// Rows or items between two that fit equally well and are still quoted together.
const MOST_BETWEEN: usize = 2;

impl AskedQuestion {
    /// An answer that is a row of which only the head was asked for, with the rows around it, as far as they have room: no row answers more than
    /// another one.
    pub(super) fn with_other_rows(
        &self,
        text: &str,
        units: &[Unit],
        answer: Range<usize>,
        most_words: usize,
    ) -> Range<usize> {
        let is_answer = |unit: &Unit| unit.is_row && is_whole(units, unit, &answer);
        let says_nothing = |at: &usize| units.get(*at).is_some_and(|row| self.held(cut(text, &row.place)).is_empty());
        let Some(at) = units.iter().position(is_answer).filter(says_nothing) else { return answer };
        let is_of_table = |unit: &&Unit| unit.is_row && unit.named_by == units.get(at).and_then(|row| row.named_by);
        let before = units.iter().take(at).rev().take_while(is_of_table).count();
        let fits = |place: &Range<usize>| cut(text, place).split_whitespace().count() <= most_words;
        // The head stands above the first row, and belongs to all of them.
        let head = (at - before).checked_sub(1).filter(|head| is_head_of_rows(text, units, *head));
        let head = head.filter(|at| units.get(*at).is_some_and(|head| fits(&(head.place.start..answer.end))));
        let first = head.or(Some(at - before)).and_then(|first| units.get(first));
        let mut wide = first.map_or(answer.start, |row| row.place.start.min(answer.start))..answer.end;
        for row in units.iter().skip(at).take_while(is_of_table) {
            let longer = wide.start..row.place.end;
            if !fits(&longer) {
                break;
            }
            wide = longer;
        }
        wide
    }

    /// An answer that is one row or item, with those of the same table or list that hold the same of what was asked for, as far as they stand
    /// near each other and have room.
    pub(super) fn with_equals(
        &self,
        text: &str,
        units: &[Unit],
        answer: Range<usize>,
        most_words: usize,
    ) -> Range<usize> {
        let is_chosen = |unit: &Unit| (unit.is_row || unit.is_item) && is_whole(units, unit, &answer);
        let Some((at, chosen)) = units.iter().enumerate().find(|(_, unit)| is_chosen(unit)) else { return answer };
        let said = cut(text, &chosen.place);
        if !self.has_words_in(said) {
            return answer;
        }
        let is_of_list = |unit: &&Unit| {
            (unit.is_row, unit.is_item, unit.named_by) == (chosen.is_row, chosen.is_item, chosen.named_by)
        };
        let is_equal = |unit: &Unit| self.fits_equally(cut(text, &unit.place), said);
        let fits = |place: &Range<usize>| cut(text, place).split_whitespace().count() <= most_words;
        let behind = units.iter().skip(at + 1).take_while(is_of_list);
        let before = units.iter().take(at).rev().take_while(is_of_list);
        let mut wide = answer.clone();
        for unit in near(behind, is_equal) {
            let longer = wide.start..unit.place.end;
            wide = if fits(&longer) { longer } else { wide };
        }
        for unit in near(before, is_equal) {
            let longer = wide.start.min(unit.place.start)..wide.end;
            wide = if fits(&longer) { longer } else { wide };
        }
        wide
    }
}

/// Whether an answer is this row or item, with what names it or without.
fn is_whole(units: &[Unit], unit: &Unit, answer: &Range<usize>) -> bool {
    let name = unit.named_by.and_then(|name| units.get(name));
    let starts = std::iter::once(unit).chain(name).any(|unit| unit.place.start == answer.start);
    starts && unit.place.end == answer.end
}

/// Those that are equal, up to the first that stands too far from the one before.
fn near<'u>(units: impl Iterator<Item = &'u Unit>, is_equal: impl Fn(&Unit) -> bool) -> Vec<&'u Unit> {
    let (mut found, mut between) = (Vec::new(), 0);
    for unit in units {
        if is_equal(unit) {
            found.push(unit);
            between = 0;
        } else {
            between += 1;
        }
        if between > MOST_BETWEEN {
            break;
        }
    }
    found
}

#[cfg(test)]
#[path = "equals_tests.rs"]
pub(super) mod tests;
