//! Notes of reStructuredText that have no mark of their own: the first `[#]_` of a text refers to the first `.. [#]`, and so on; the same for `[*]_`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::cut;
use super::super::lines::lines_in;
use super::{Note, is_literature, said};

/// What notes begin with and how the text refers to them, with a number and with a sign.
const KINDS: [(&str, &str); 2] = [(".. [#] ", "[#]_"), (".. [*] ", "[*]_")];
/// The signs in the order in which they are printed.
const SIGNS: [&str; 10] = ["*", "†", "‡", "§", "¶", "#", "♠", "♥", "♦", "♣"];

/// The notes in these blocks, if there are as many of a kind as the text refers to.
pub(super) fn notes(text: &str, blocks: &[Range<usize>]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (begin, reference) in KINDS {
        let places: Vec<Range<usize>> = blocks.iter().flat_map(|block| places(text, block, begin)).collect();
        let references: Vec<Range<usize>> =
            blocks.iter().flat_map(|block| references(text, block, reference)).collect();
        if places.len() != references.len() {
            continue;
        }
        let marks = if begin.contains('#') { numbers(text, blocks) } else { signs(places.len()) };
        for ((place, reference), mark) in places.into_iter().zip(references).zip(marks) {
            let says = cut(text, &place).trim_start().strip_prefix(begin).and_then(said);
            if let Some(says) = says.filter(|says| !is_literature(says)) {
                notes.push(Note { mark, says, place, references: vec![reference] });
            }
        }
    }
    notes
}

/// The notes of a block: each with the lines below that are indented.
fn places(text: &str, block: &Range<usize>, begin: &str) -> Vec<Range<usize>> {
    let (mut places, mut is_open): (Vec<Range<usize>>, bool) = (Vec::new(), false);
    for line in lines_in(text, block.clone()) {
        let said = cut(text, &line);
        match places.last_mut() {
            _ if said.starts_with(begin) => {
                places.push(line);
                is_open = true;
            }
            Some(place) if is_open && said.starts_with([' ', '\t']) => place.end = line.end,
            Some(_) | None => is_open = false,
        }
    }
    places
}

/// Where a block refers to a note, but for what it shows as it is typed.
fn references(text: &str, block: &Range<usize>, reference: &str) -> Vec<Range<usize>> {
    let said = cut(text, block);
    let (mut literals, mut read, mut found) = (0, 0, Vec::new());
    for (at, _) in said.match_indices(reference) {
        literals += cut(said, &(read..at)).matches("``").count();
        read = at;
        let end = at + reference.len();
        let is_whole = said.get(end..).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        if literals % 2 == 0 && is_whole {
            found.push(block.start + at..block.start + end);
        }
    }
    found
}

/// The numbers that notes without a mark are printed with: those that no other note has. Notes with a name have one as well.
fn numbers(text: &str, blocks: &[Range<usize>]) -> Vec<String> {
    let marks: Vec<&str> = blocks
        .iter()
        .flat_map(|block| cut(text, block).lines())
        .filter_map(|line| Some(line.strip_prefix(".. [")?.split_once("] ")?.0))
        .collect();
    let taken: BTreeSet<usize> = marks.iter().filter_map(|mark| mark.parse().ok()).collect();
    let mut free = (1..).filter(|number| !taken.contains(number));
    let numbered = marks.iter().filter(|mark| mark.starts_with('#'));
    numbered.zip(&mut free).filter(|(mark, _)| **mark == "#").map(|(_, number)| number.to_string()).collect()
}

fn signs(count: usize) -> Vec<String> {
    (0..count).map(|at| SIGNS.get(at % SIGNS.len()).unwrap_or(&"*").repeat(1 + at / SIGNS.len())).collect()
}
