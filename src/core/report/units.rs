//! What a text is made of, as far as an answer is cut from it: sentences, items of lists, rows of tables and blocks of code, and which of them
//! belong together.
//!
//! A list of terms, a list of people, a questionnaire: each entry has a name and says things of it in the sentences below. What is said of one is
//! never quoted with the name of the next.

use std::collections::BTreeSet;
use std::ops::Range;

use super::cells::{CellRow, joined_cells};
use super::dated::is_dated_line;
use super::entries::{heads_of_paragraphs, is_single_item, is_term, with_notes};
use crate::core::base::limits;
use crate::core::language::days::begins_with_stamp;
use crate::core::language::{item_number, sentences};
use crate::core::text::quoting::{OpenCode, fence};
use crate::core::text::table_rows::is_table_rule;
use crate::core::text::{leads, lines_in};

/// Names that are looked at from a unit upwards.
const MOST_NAMES: usize = 3;

/// A piece of text that is not cut any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) place: Range<usize>,
    /// It begins an entry, so that nothing before it belongs to it but what names the entry.
    pub(super) begins: bool,
    /// It names what comes after it, and says nothing by itself.
    pub(super) names: bool,
    /// A row of a table, whose head is shown above it in any case.
    pub(super) is_row: bool,
    /// It begins an item of a list.
    pub(super) is_item: bool,
    /// It begins with a label, which is said of all of its line; if it begins an entry as well, of all of its paragraph.
    pub(super) is_label: bool,
    /// A row of a table that is written with one cell a line.
    pub(super) is_cells: bool,
    /// The unit that names the entry it belongs to; of an item that stands below another one, that one.
    pub(super) named_by: Option<usize>,
}

impl Unit {
    /// Whether it begins in a part of its text.
    pub(super) fn is_in(&self, part: &Range<usize>) -> bool {
        part.start <= self.place.start && self.place.start < part.end
    }
}

/// Cuts a text.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    // What names the open entry; what announces the open list; its open items, one below the other, with the columns where they
    // begin; the head of the open table.
    let (mut entry, mut list, mut items, mut head) = (None, None, Vec::<(usize, usize)>::new(), None);
    let heads = heads_of_paragraphs(text);
    let labelled: BTreeSet<usize> = labelled_lines(text).union(&heads).copied().collect();
    // The unit that begins the open line or paragraph with a label.
    let mut label = None;
    let mut is_behind_name = false;
    let places = joined_cells(text, joined_heads(text, with_notes(text, places(text, &labelled))));
    for (at, (place, cells)) in places.into_iter().enumerate() {
        let form = match cells {
            Some(CellRow::Head) => Form::Lead,
            Some(CellRow::Row) => Form::Item,
            None => Form::of(text, &place),
        };
        // What an entry is, in a word each, stands between its name and what is said of it.
        let may_be_detail = is_behind_name && matches!(form, Form::Name | Form::Other);
        let is_detail = may_be_detail && has_label(cut(text, &place));
        let form = if is_detail { Form::Other } else { form };
        is_behind_name = is_detail || matches!(form, Form::Name | Form::Term);
        let is_label = labelled.contains(&place.start);
        let is_head = heads.contains(&place.start);
        let headed = label.and_then(|at: usize| units.get(at)).filter(|label| heads.contains(&label.place.start));
        let goes_on = units.last().is_some_and(|before| is_of_label(text, headed.is_some(), before, &place));
        label = if is_label { Some(at) } else { label.filter(|_| goes_on) };
        let column = column(text, place.start);
        // What is not indented below an item is no part of it.
        while items.last().is_some_and(|(_, begins)| column <= *begins) {
            items.pop();
        }
        if !matches!(form, Form::Row | Form::Head) {
            head = None;
        }
        if form != Form::Item && items.is_empty() {
            list = None;
        }
        let outer = items.last().map(|(item, _)| *item).or(list).or(entry);
        let named_by = match form {
            Form::Other if !is_label && label.is_some() => label,
            Form::Name | Form::Term => None,
            Form::Row => head.or(outer),
            Form::Item | Form::Lead | Form::Head | Form::Other => outer,
        };
        match form {
            Form::Name | Form::Term => {
                entry = Some(at);
                items.clear();
            }
            Form::Lead => list = Some(at),
            Form::Item => items.push((at, column)),
            Form::Head => head = Some(at),
            Form::Row | Form::Other => {}
        }
        units.push(Unit {
            place,
            begins: form != Form::Other || is_head,
            names: matches!(form, Form::Name | Form::Lead | Form::Head),
            is_row: form == Form::Row,
            is_item: form == Form::Item,
            is_label,
            is_cells: cells.is_some(),
            named_by,
        });
    }
    units
}

/// Whether what follows a unit is still said of its label: in the same paragraph if that has a head, else in the same line.
fn is_of_label(text: &str, has_head: bool, before: &Unit, place: &Range<usize>) -> bool {
    let is_same_line = || !cut(text, &(before.place.start..place.start)).contains('\n');
    if has_head { adjoins(text, &before.place, place) } else { is_same_line() }
}

/// The items that a unit stands in, from the inside, beginning with itself if it is one.
fn items_around(units: &[Unit], at: usize) -> impl Iterator<Item = usize> {
    let is_item = |at: &usize| units.get(*at).is_some_and(|unit| unit.is_item);
    let named_by = move |at: &usize| units.get(*at).and_then(|unit| unit.named_by).filter(is_item);
    let first = Some(at).filter(is_item).or_else(|| named_by(&at));
    std::iter::successors(first, named_by)
}

/// A unit, what names it, and what names that, from the inside.
pub(super) fn with_names<'u>(units: &'u [Unit], unit: &'u Unit) -> impl Iterator<Item = &'u Unit> {
    std::iter::successors(Some(unit), |unit| units.get(unit.named_by?)).take(1 + MOST_NAMES)
}

/// What names the item that a unit belongs to, and what names that, from the inside.
pub(super) fn names_above(units: &[Unit], unit: &Unit) -> impl Iterator<Item = usize> {
    let above = |at: usize| units.get(at).filter(|name| name.is_item).and_then(|name| name.named_by);
    std::iter::successors(unit.named_by.and_then(above), move |at| above(*at))
}

/// Whether two units stand in different branches of a list whose items have items: what is said in one is not said of the other.
pub(super) fn is_of_other_branch(units: &[Unit], one: usize, other: usize) -> bool {
    let around = |at: usize| items_around(units, at).collect::<Vec<_>>();
    let (one, other) = (around(one), around(other));
    let (Some((of_one, above_one)), Some((of_other, above_other))) = (one.split_first(), other.split_first()) else {
        return false;
    };
    above_one.first() != above_other.first()
        && !above_one.contains(of_other)
        && !above_other.contains(of_one)
        && of_one != of_other
}

/// Whether a unit is the head of a table that has rows. It is shown above each of them and answers nothing without one.
pub(super) fn is_head_of_rows(text: &str, units: &[Unit], at: usize) -> bool {
    let is_head = units.get(at).is_some_and(|unit| unit.names && cut(text, &unit.place).starts_with('|'));
    is_head && units.get(at + 1).is_some_and(|next| next.is_row && next.named_by == Some(at))
}

/// Whether a unit is a row that does not stand right below its head.
pub(super) fn is_lower_row(text: &str, units: &[Unit], at: usize) -> bool {
    let is_below_head = || at.checked_sub(1).is_some_and(|above| is_head_of_rows(text, units, above));
    units.get(at).is_some_and(|unit| unit.is_row) && !is_below_head()
}

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A paragraph that only names what is below it.
    Name,
    /// A name, with what is said of it indented below.
    Term,
    /// It announces the list that begins on the next line, in whatever entry it stands.
    Lead,
    Item,
    /// The head of a table, and a row of one.
    Head,
    Row,
    Other,
}

impl Form {
    fn of(text: &str, place: &Range<usize>) -> Self {
        let unit = cut(text, place);
        let mut lines = unit.lines();
        let (first, second) = (lines.next().unwrap_or_default(), lines.next());
        if fence(first).is_some() {
            return Self::Other;
        }
        if first.starts_with('|') {
            return if second.is_some_and(is_table_rule) { Self::Head } else { Self::Row };
        }
        if is_list_item(first) || begins_with_stamp(first) || is_dated_line(text, place.start) {
            let is_name = is_term(unit) && is_single_item(text, place);
            return if is_name { Self::Name } else { Self::Item };
        }
        if first.starts_with('#') {
            return Self::Name;
        }
        let before = text.get(..place.start).unwrap_or_default();
        let blank = before.len() - before.trim_end_matches(|c: char| c.is_whitespace() || c == '>').len();
        let lines_between = before.bytes().rev().take(blank).filter(|byte| *byte == b'\n').count();
        let is_indented_above =
            || before.trim_end().lines().next_back().is_some_and(|line| line.starts_with([' ', '\t']));
        let is_behind_entry = column(text, place.start) == 0 && is_indented_above();
        let blank_before = blank == before.len() || lines_between > 1 || is_behind_entry;
        let after = text.get(place.end..).unwrap_or_default();
        let is_lead = |text: &str| blank_before && leads(text, text.split_whitespace().count());
        let indented = |line: &str| line.starts_with([' ', '\t']) && !first.starts_with([' ', '\t']);
        let is_alone = after.lines().take(2).all(is_blank) && !after.trim().is_empty();
        // What is indented farther than what follows ends an entry.
        let next = after.len() - after.trim_start_matches(|c: char| c.is_whitespace() || c == '>').len();
        let is_inside = column(text, place.start) > column(text, place.end + next);
        let list_follows = after.lines().nth(1).is_some_and(|line| is_list_item(line.trim_start()));
        if is_alone && !is_inside && is_lead(unit) {
            Self::Name
        } else if list_follows && (is_lead(unit) || announces(unit)) {
            Self::Lead
        } else if second.is_some_and(indented) && is_lead(first) {
            Self::Term
        } else {
            Self::Other
        }
    }
}

/// Whether a unit is a block of code.
pub(super) fn is_code(text: &str, unit: &Range<usize>) -> bool {
    cut(text, unit).lines().next().and_then(fence).is_some()
}

/// Whether a line holds nothing but the marks of a quotation.
fn is_blank(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || c == '>')
}

/// Farther than a list is indented.
const FARTHEST_COLUMN: usize = 64;

/// How far a place is from the beginning of its line.
pub(super) fn column(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().bytes().rev().take(FARTHEST_COLUMN).take_while(|byte| *byte != b'\n').count()
}

/// The head of a table and the line below it are one.
fn joined_heads(text: &str, places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        let is_row = |place: &Range<usize>| cut(text, place).starts_with('|');
        // Only the second line tells the head: further down, dashes are cells without a value.
        // Above the head a rule may stand.
        let is_above = |place: &Range<usize>| is_row(place) && !is_table_rule(cut(text, place));
        let is_second = match joined.as_slice() {
            [.., before, first] => is_row(first) && !(is_above(before) && adjoins(text, before, first)),
            [first] => is_row(first),
            [] => false,
        };
        match joined.last_mut().filter(|_| is_second && is_table_rule(cut(text, &place))) {
            Some(head) => head.end = place.end,
            None => joined.push(place),
        }
    }
    joined
}

/// Whether no blank line is between two places.
pub(super) fn adjoins(text: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    cut(text, &(before.end..after.start)).bytes().filter(|byte| *byte == b'\n').count() < 2
}

/// Words and bytes of the longest label.
const LABEL_WORDS: usize = 4;
const LABEL_BYTES: usize = 40;

/// Whether a line says whom or what it speaks of: `Papa: 5 mg in the morning.`
fn has_label(line: &str) -> bool {
    let bare = line.trim_start_matches(['*', '_']);
    let Some((label, said)) = bare.split_once(": ").or_else(|| bare.split_once(":** ")) else { return false };
    let label = label.trim_end_matches(['*', '_']);
    let is_name = |c: char| c.is_alphanumeric() || [' ', '-', '\'', '’', '&', '/'].contains(&c);
    let is_short = label.len() <= LABEL_BYTES && label.split_whitespace().count() <= LABEL_WORDS;
    is_short && label.starts_with(char::is_alphabetic) && label.chars().all(is_name) && !said.trim().is_empty()
}

/// Where lines begin that are entries for themselves: one below the other has a label, and one of them says more than a sentence, of which the
/// second has none.
fn labelled_lines(text: &str) -> BTreeSet<usize> {
    let mut labelled = BTreeSet::new();
    let (mut run, mut says_more, mut at) = (Vec::new(), false, 0);
    for line in text.split_inclusive('\n').chain(std::iter::once("")) {
        if has_label(line) {
            run.push(at);
            says_more |= sentences(line).len() > 1;
        } else {
            let run = std::mem::take(&mut run);
            labelled.extend(run.into_iter().filter(|_| says_more));
            says_more = false;
        }
        at += line.len();
    }
    labelled
}

/// Where sentences, items of lists, rows of tables and whole blocks of code stand.
fn places(text: &str, labelled: &BTreeSet<usize>) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut prose: Option<Range<usize>> = None;
    let mut code: Option<usize> = None;
    let mut open = OpenCode::default();
    let (mut at, mut may_begin) = (0, true);
    let flush = |prose: &mut Option<Range<usize>>, units: &mut Vec<Range<usize>>| {
        if let Some(mut place) = prose.take() {
            // A row is one, whatever stops stand in it: `| Nr. | Wein |`.
            if let Some(row) = row_of(text, &place) {
                place.start = row.end;
                units.push(row);
            }
            let found = sentences(cut(text, &place)).into_iter();
            let found = found.map(|sentence| place.start + sentence.start..place.start + sentence.end);
            units.extend(found.flat_map(|sentence| lines_of(text, sentence)));
        }
    };
    for line in text.split_inclusive('\n') {
        let place = at..at + line.trim_end().len();
        at += line.len();
        let begins = line.trim_start();
        open.read(line);
        match code {
            Some(from) if !open.is_open() => {
                units.extend(code_units(text, from..place.end));
                code = None;
            }
            Some(_) => {}
            None if open.is_open() => {
                flush(&mut prose, &mut units);
                code = Some(place.start);
            }
            None => {
                // A line that begins with a letter and a full stop may be the rest of a sentence: `v. Ames`.
                let is_clear = begins.starts_with(|c: char| c.is_ascii_digit()) || !is_numbered(begins);
                let is_entry =
                    labelled.contains(&place.start) || begins_with_stamp(begins) || is_dated_line(text, place.start);
                if (is_item(begins) && (is_clear || may_begin)) || is_entry {
                    flush(&mut prose, &mut units);
                }
                let from = prose.as_ref().map_or(place.start, |prose| prose.start);
                let is_in_list = is_list_item(cut(text, &(from..at)).trim_start());
                may_begin = is_in_list || is_blank(line) || announces(line.trim_end());
                prose = Some(from..at);
            }
        }
    }
    flush(&mut prose, &mut units);
    let open = code.map(|from| from..text.trim_end().len()).filter(|unit| !unit.is_empty());
    units.extend(open.into_iter().flat_map(|unit| code_units(text, unit)));
    units
}

/// Fewer lines without a full stop may be one sentence.
const LEAST_LINES: usize = 4;

/// The lines of what has no full stop in it and is longer than an answer, if they are no wrapped sentence: most begin with something else than a small
/// letter. Else the whole.
fn lines_of(text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    let said = cut(text, &sentence);
    if said.split_whitespace().count() <= limits::ANSWER_WORDS {
        return vec![sentence];
    }
    let mut at = sentence.start;
    let mut lines = Vec::new();
    for line in said.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        lines.push(start..at + line.trim_end().len());
        at += line.len();
    }
    lines.retain(|line| !line.is_empty());
    let begins = |line: &&Range<usize>| !cut(text, line).starts_with(char::is_lowercase);
    let beginning = lines.iter().filter(begins).count();
    if lines.len() >= LEAST_LINES && 5 * beginning >= 4 * lines.len() { lines } else { vec![sentence] }
}

/// The row of a table that a part of a text begins with.
fn row_of(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let line = cut(text, place).lines().next().filter(|line| line.trim_start().starts_with('|'))?;
    let start = place.start + line.len() - line.trim_start().len();
    Some(start..start + line.trim().len())
}

/// A block of code as a whole. Where it is longer than an answer, what stands between blank lines: a comment stays with what it is about.
fn code_units(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let is_short = |place: &Range<usize>| cut(text, place).split_whitespace().count() <= limits::ANSWER_WORDS;
    let is_log = |place: &Range<usize>| cut(text, place).lines().any(begins_with_stamp);
    if is_short(&block) && !is_log(&block) {
        return vec![block];
    }
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut is_behind_blank = true;
    for line in lines_in(text, block) {
        // A line without a word, such as the fence at the end, stays with what is before it.
        let begins = is_behind_blank && cut(text, &line).contains(char::is_alphanumeric);
        is_behind_blank = is_blank(cut(text, &line));
        match parts.last_mut() {
            Some(last) if !begins => last.end = line.end,
            Some(_) | None => parts.push(line),
        }
    }
    let has_record = |part: &Range<usize>| cut(text, part).lines().any(is_record);
    let groups = parts.into_iter().flat_map(|part| match is_short(&part) && !has_record(&part) {
        true => vec![part],
        false => line_groups(text, part),
    });
    groups
        .map(|group| group.start..group.start + cut(text, &group).trim_end().len())
        .filter(|it| !it.is_empty())
        .collect()
}

/// One of many in a list of data or in a log: its values are not told with those of the one before.
fn is_record(line: &str) -> bool {
    line.trim() == "{" || line.trim_start().starts_with("- ") || begins_with_stamp(line)
}

/// The lines of a text that is too long in groups.
fn line_groups(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let (mut words, mut most) = (0, limits::EXTRACT_WORDS);
    for line in lines_in(text, part) {
        let said = cut(text, &line);
        let more = said.split_whitespace().count();
        let goes_on = !said.contains(char::is_alphanumeric) || words + more <= most;
        match groups.last_mut() {
            Some(last) if goes_on && !is_record(said) => last.end = line.end,
            Some(_) | None => {
                words = 0;
                // The trace of an error stays with the entry that tells of it.
                most = if begins_with_stamp(said) { limits::ANSWER_WORDS } else { limits::EXTRACT_WORDS };
                groups.push(line);
            }
        }
        words += more;
    }
    groups
}

/// Whether a line begins an item of a list, is a row of a table or a heading.
fn is_item(line: &str) -> bool {
    is_list_item(line) || line.starts_with(['|', '#'])
}

/// Whether a line begins an item of a list.
pub(super) fn is_list_item(line: &str) -> bool {
    is_numbered(line) || ["- ", "* ", "+ ", "• "].iter().any(|mark| line.starts_with(mark))
}

/// Whether a line begins with the number of an item.
pub(super) fn is_numbered(line: &str) -> bool {
    item_number(line).is_some()
}

/// Whether a line says that more follows.
pub(super) fn announces(line: &str) -> bool {
    line.trim_end_matches(['*', '_']).ends_with([':', '：'])
}

pub(super) fn cut<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    text.get(place.clone()).unwrap_or_default()
}

#[cfg(test)]
#[path = "units_tests.rs"]
mod tests;
