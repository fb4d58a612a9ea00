//! The list that belongs to an answer: steps below the line that announces them, items below the heading that was asked for.

use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::{Unit, adjoins, announces, column, cut, is_code, is_numbered, units};

/// An answer with the rest of the list that it announces or is in, by whole items, as far as all of it has no more than `most_words` words.
/// `above` are the headings that are shown with it.
pub(super) fn with_list(
    asked: &AskedQuestion,
    above: &[&str],
    text: &str,
    answer: Range<usize>,
    most_words: usize,
) -> Range<usize> {
    let units = units(text);
    let inside = |unit: &Unit| unit.is_in(&answer);
    let (Some(first), Some(last)) = (units.iter().position(inside), units.iter().rposition(inside)) else {
        return answer;
    };
    let first_item = units.iter().position(|unit| unit.is_item && inside(unit)).unwrap_or(last + 1);
    let are_steps = units.get(first_item).is_some_and(|unit| is_numbered(cut(text, &unit.place)));
    let said = cut(text, &answer);
    let absent = |texts: &[&str]| asked.absent(texts).len();
    // Whether the items say nothing more of what was asked for than what stands above them.
    let says_all = |above: &[&str]| absent(above) < absent(&[]) && absent(above) == absent(&[above, &[said]].concat());
    let lead = units.iter().take(first_item).skip(first).next_back();
    let is_announced = lead.is_some_and(|lead| {
        let lead_text = cut(text, &(answer.start..lead.place.end));
        (lead.names || announces(lead_text)) && (are_steps || says_all(&[above, &[lead_text]].concat()))
    });
    let is_headed = says_all(above) && (are_steps || absent(above) < absent(&[said]));
    let fits = |place: &Range<usize>| cut(text, place).split_whitespace().count() <= most_words;
    let mut wide = answer.clone();
    if is_headed && are_steps && first == first_item {
        let whole = first_step(&units, first)..answer.end;
        wide = if fits(&whole) { whole } else { wide };
    }
    // An item that only names those below it says nothing without them.
    let has_items = units.get(last + 1).is_some_and(|unit| unit.is_item && unit.named_by == Some(last))
        && units.get(last).is_some_and(|unit| unit.is_item);
    let goes_on = has_items || units.get(last).is_some_and(|unit| announces(cut(text, &unit.place)));
    for (end, is_next) in ends_of_items(text, &units, last) {
        let longer = wide.start..end;
        let belongs = is_announced || is_headed || (goes_on && !is_next);
        if !belongs || !fits(&longer) {
            break;
        }
        wide = longer;
    }
    wide
}

/// Where the list begins that an item is in.
fn first_step(units: &[Unit], item: usize) -> usize {
    let is_item = |at: usize| units.get(at).is_some_and(|unit| unit.is_item);
    let is_part = |unit: &&Unit| unit.is_item || unit.named_by.is_some_and(is_item);
    let steps = units.iter().take(item + 1).rev().take_while(is_part).filter(|unit| unit.is_item);
    steps.last().map_or(0, |unit| unit.place.start)
}

/// Where the open item ends and where those behind it do, with whether it is one of those.
fn ends_of_items(text: &str, units: &[Unit], last: usize) -> Vec<(usize, bool)> {
    let mut ends: Vec<(usize, bool)> = Vec::new();
    let mut before = units.get(last);
    let named_by = before.and_then(|unit| unit.named_by).and_then(|at| units.get(at));
    let open = before.into_iter().chain(named_by).find(|unit| unit.is_item);
    // Where the open item begins: what stands farther in is a part of it.
    let mut item = open.map(|unit| column(text, unit.place.start));
    for unit in units.iter().skip(last + 1) {
        let column = column(text, unit.place.start);
        let is_deeper = item.is_some_and(|item| column > item);
        let is_code = is_code(text, &unit.place);
        let follows = before.is_some_and(|before| {
            adjoins(text, &before.place, &unit.place) || (is_code && announces(cut(text, &before.place)))
        });
        match (unit.is_item, is_deeper || (follows && (is_code || !unit.begins))) {
            (_, true) if item.is_some() => match ends.last_mut() {
                Some(end) => end.0 = unit.place.end,
                None => ends.push((unit.place.end, false)),
            },
            (true, _) => {
                ends.push((unit.place.end, true));
                item = Some(column);
            }
            (false, _) => break,
        }
        before = Some(unit);
    }
    ends
}

#[cfg(test)]
#[path = "lists_tests.rs"]
mod tests;
