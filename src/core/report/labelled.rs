//! What stands below the label that is asked for: of an entry with `Symptom`, `Cause` and `Solution` the second one answers why.

use std::ops::Range;

use super::units::{Unit, adjoins, cut};
use crate::core::base::limits;
use crate::core::question::labels::Label;

/// An answer with what stands below the label in the same entry, or that alone where both have more than so many words.
pub(super) fn with_labelled(
    label: Option<Label>,
    text: &str,
    units: &[Unit],
    answer: Range<usize>,
    most_words: usize,
) -> Range<usize> {
    let inside = |unit: &Unit| unit.is_in(&answer);
    let Some((label, first)) = label.zip(units.iter().position(inside)) else { return answer };
    let labels: Vec<Vec<Label>> = units.iter().map(|unit| labels_of(text, unit)).collect();
    let entry = entry_of(text, units, &labels, first);
    let is_labelled = |at: &usize| labels.get(*at).is_some_and(|of| of.contains(&label));
    let Some(found) = entry.into_iter().find(is_labelled) else { return answer };
    let Some(block) = block_of(text, units, &labels, found) else { return answer };
    let both = answer.start.min(block.start)..answer.end.max(block.end);
    if cut(text, &both).split_whitespace().count() <= most_words { both } else { block }
}

/// The labels of a unit that begins a line; the head of a table labels nothing below it that its rows do not show.
fn labels_of(text: &str, unit: &Unit) -> Vec<Label> {
    let said = cut(text, &unit.place);
    let before = text.get(..unit.place.start).unwrap_or_default().trim_end_matches([' ', '\t', '>']);
    let begins = before.is_empty() || before.ends_with('\n');
    let line = said.lines().next().filter(|line| begins && !line.starts_with('|'));
    line.map(Label::at_beginning_of).unwrap_or_default()
}

/// The units of the entry that a unit stands in: a label that comes again begins another one, together with what stands right above it.
fn entry_of(text: &str, units: &[Unit], labels: &[Vec<Label>], at: usize) -> Range<usize> {
    let is_apart = |at: usize| {
        let pair = at.checked_sub(1).and_then(|before| units.get(before)).zip(units.get(at));
        pair.is_none_or(|(before, unit)| !adjoins(text, &before.place, &unit.place))
    };
    let has_label = |at: usize| labels.get(at).is_some_and(|of| !of.is_empty());
    // What is no label and stands by itself, right above one, is the title of the entry.
    let title_of = |first: usize| {
        let mut start = first;
        while let Some(above) = start.checked_sub(1).filter(|above| !has_label(*above)) {
            start = above;
            if is_apart(above) {
                return start;
            }
        }
        first
    };
    let (mut seen, mut begin): (Vec<Label>, usize) = (Vec::new(), 0);
    for (place, of) in labels.iter().enumerate() {
        if of.iter().any(|label| seen.contains(label)) {
            seen.clear();
            let start = title_of(place);
            if start > at {
                return begin..start;
            }
            begin = start;
        }
        seen.extend(of);
    }
    begin..units.len()
}

/// What stands below a label: its line, what follows in the same paragraph, and the next paragraph where the label stands alone.
fn block_of(text: &str, units: &[Unit], labels: &[Vec<Label>], at: usize) -> Option<Range<usize>> {
    let first = units.get(at)?;
    let is_alone = cut(text, &first.place).split_whitespace().count() <= LABEL_WORDS;
    let (mut end, mut last, mut is_open) = (first.place.end, first, is_alone);
    for (unit, of) in units.iter().zip(labels).skip(at + 1) {
        let longer = first.place.start..unit.place.end;
        let is_of_it = adjoins(text, &last.place, &unit.place) || is_open || (unit.is_item && last.is_item);
        let is_long = cut(text, &longer).split_whitespace().count() > limits::ANSWER_WORDS;
        if !of.is_empty() || !is_of_it || is_long || cut(text, &unit.place).starts_with('#') {
            break;
        }
        (end, last, is_open) = (unit.place.end, unit, false);
    }
    Some(first.place.start..end)
}

/// Words of a label that stands alone.
const LABEL_WORDS: usize = 5;

#[cfg(test)]
mod tests {
    use super::super::units::units;
    use super::*;

    /// EM-01: what stands below the label of the same entry is quoted with what is asked about.
    #[test]
    fn em_01_the_cause_of_the_same_entry_is_quoted() {
        let bold = "**Pump hums**\n\n**Symptom:** The pump hums.\n\n**Cause:** The seal is worn. It is brittle.\n\n**Solution:** Change it.\n\n\
                    **Pump leaks**\n\n**Symptom:** The pump leaks.\n\n**Cause:** A crack.\n\n**Solution:** Weld it.";
        let alone = "The pump hums at night.\n\nCause\n\nThe seal is worn.\n\nSolution\n\nChange it.";
        let table = "| Symptom | Cause |\n|---|---|\n| Pump hums | Worn seal |\n| Pump leaks | A crack |";
        for (text, from, label, has, lacks) in [
            (bold, "**Symptom:** The pump hums", Label::Cause, "seal is worn. It is brittle.", "A crack"),
            (bold, "**Symptom:** The pump leaks", Label::Cause, "A crack", "seal"),
            (bold, "**Pump leaks**", Label::Cause, "A crack", "seal"),
            (bold, "**Solution:** Weld", Label::Cause, "A crack", "seal"),
            (bold, "**Pump hums**", Label::Remedy, "Change it", "Weld"),
            (table, "| Pump leaks", Label::Cause, "A crack", "seal"),
            (alone, "The pump hums", Label::Cause, "The seal is worn.", "Change"),
            (alone, "The pump hums", Label::Remedy, "Change it.", "nothing"),
        ] {
            let units = units(text);
            let at = text.find(from).unwrap();
            let own = units.iter().find(|unit| unit.place.start == at).unwrap();
            let found = with_labelled(Some(label), text, &units, own.place.clone(), 30);
            let quote = cut(text, &found);
            assert!(quote.contains(has) && !quote.contains(lacks), "{from} {label:?}: {quote}");
            assert_eq!(with_labelled(None, text, &units, own.place.clone(), 30), own.place);
        }
    }
}
