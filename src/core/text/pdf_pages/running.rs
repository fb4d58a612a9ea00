//! Running heads, running feet and page numbers: lines at the edge of pages that say where a reader is and not what is written there.

use std::collections::BTreeMap;

use super::numbers::{Numerals, is_page_word, page_number};
use super::{NumberedText, goes_on};
use crate::core::base::plain::is_digits;

/// Lines of an edge that are looked at.
const EDGE_LINES: usize = 2;
/// What stands on fewer pages is no running line.
const LEAST_PAGES: usize = 3;
/// A running line is short; in bytes.
const LINE_BYTES: usize = 200;
/// Digits of a number that is compared as one.
const MOST_DIGITS: usize = 9;
/// Between the pages of a sequence so many may stand without their number: pages without text, every second one.
const SEQUENCE_GAP: u32 = 2;
/// Covers, contents and prefaces before page 1, or pages that a file begins after: two numbers in sequence tell. Years and amounts need more.
const FRONT_PAGES: i64 = 40;
/// A line of fewer words beside a number is a cell.
const PROSE_WORDS: usize = 3;

/// The texts of the pages of one document without their running lines. Of a head or foot that repeats one is kept, since it may be the only place that
/// says who wrote this: the first head and the last foot.
pub(crate) fn without_running_lines(pages: &[NumberedText<'_>]) -> Vec<String> {
    let mut sheets: Vec<Sheet<'_>> = pages.iter().map(|(number, text)| Sheet::new(*number, text)).collect();
    let filled = sheets.iter().filter(|sheet| !sheet.lines.is_empty()).count();
    // A number may stand outside of a head or inside of it.
    drop_numbers(&mut sheets, filled);
    drop_repeated(&mut sheets);
    drop_numbers(&mut sheets, filled);
    drop_inside_sentences(&mut sheets);
    let texts: Vec<String> = sheets.iter().map(|sheet| sheet.text(0, 0)).collect();
    // A document of nothing but numbers is about them.
    if texts.iter().all(String::is_empty) {
        return pages.iter().map(|(_, text)| (*text).to_owned()).collect();
    }
    texts
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Text,
    /// A running line that is kept once.
    Kept,
    Gone,
}

#[derive(Debug)]
struct SheetLine<'t> {
    text: &'t str,
    /// A blank line stands before it.
    is_apart: bool,
    fate: Fate,
}

#[derive(Debug)]
struct Sheet<'t> {
    number: u32,
    /// Those that are not blank.
    lines: Vec<SheetLine<'t>>,
}

impl<'t> Sheet<'t> {
    fn new(number: u32, text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut is_apart = false;
        for line in text.lines().map(str::trim) {
            if line.is_empty() {
                is_apart = true;
            } else {
                lines.push(SheetLine { text: line, is_apart, fate: Fate::Text });
                is_apart = false;
            }
        }
        Self { number, lines }
    }

    /// The places of its outermost lines at an edge, outermost first, without those that are known to be running ones.
    fn edge(&self, edge: Edge) -> Vec<usize> {
        let is_text = |at: &usize| self.lines.get(*at).is_some_and(|line| line.fate == Fate::Text);
        let all = 0..self.lines.len();
        match edge {
            Edge::Top => all.filter(is_text).take(EDGE_LINES).collect(),
            Edge::Bottom => all.rev().filter(is_text).take(EDGE_LINES).collect(),
        }
    }

    /// The line that stands next to one, away from its edge.
    fn inward(&self, at: usize, edge: Edge) -> Option<&SheetLine<'t>> {
        let next = match edge {
            Edge::Top => at.checked_add(1)?,
            Edge::Bottom => at.checked_sub(1)?,
        };
        self.lines.get(next).filter(|line| line.fate == Fate::Text)
    }

    /// Whether white space parts a line from the text of its page.
    fn stands_apart(&self, at: usize, edge: Edge) -> bool {
        let Some(inner) = self.inward(at, edge) else { return true };
        match edge {
            Edge::Top => inner.is_apart,
            Edge::Bottom => self.lines.get(at).is_some_and(|line| line.is_apart),
        }
    }

    fn set(&mut self, at: usize, fate: Fate) {
        if let Some(line) = self.lines.get_mut(at) {
            line.fate = fate;
        }
    }

    /// The text without what is gone and without so many more lines at the top and at the bottom.
    fn text(&self, top: usize, bottom: usize) -> String {
        let mut out = String::new();
        let mut is_apart = false;
        let left: Vec<&SheetLine<'_>> = self.lines.iter().take(self.lines.len().saturating_sub(bottom)).collect();
        for (at, line) in left.into_iter().enumerate() {
            is_apart |= line.is_apart;
            if line.fate == Fate::Gone || at < top {
                // What stood apart from a line that is gone stands apart from what is before that.
                continue;
            }
            if !out.is_empty() {
                out.push_str(if is_apart { "\n\n" } else { "\n" });
            }
            out.push_str(line.text);
            is_apart = false;
        }
        out
    }
}

/// A line of a sheet, by their places.
type Member = (usize, usize);

/// Numbers that count with the pages: page n has the number n, or n and something that is the same for its neighbours.
fn drop_numbers(sheets: &mut [Sheet<'_>], filled: usize) {
    for edge in [Edge::Top, Edge::Bottom] {
        let mut sequences: BTreeMap<(Numerals, i64), Vec<Member>> = BTreeMap::new();
        for (at, sheet) in sheets.iter().enumerate() {
            for line in sheet.edge(edge) {
                let Some(found) = sheet.lines.get(line).and_then(|line| page_number(line.text)) else { continue };
                let members = sequences.entry((found.numerals, found.value - i64::from(sheet.number))).or_default();
                if members.last().is_none_or(|(last, _)| *last != at) {
                    members.push((at, line));
                }
            }
        }
        for ((numerals, offset), members) in sequences {
            let number = |member: &Member| sheets.get(member.0).map_or(0, |sheet| sheet.number);
            let runs = members.chunk_by(|a, b| number(b).saturating_sub(number(a)) <= SEQUENCE_GAP);
            let runs = runs.filter(|run| is_sequence(sheets, filled, edge, (numerals, offset), run));
            for (sheet, line) in runs.flatten().copied().collect::<Vec<_>>() {
                sheets.get_mut(sheet).into_iter().for_each(|sheet| sheet.set(line, Fate::Gone));
            }
        }
    }
}

/// Whether numbers that differ from those of their pages by the same are page numbers.
fn is_sequence(
    sheets: &[Sheet<'_>],
    filled: usize,
    edge: Edge,
    (numerals, offset): (Numerals, i64),
    run: &[Member],
) -> bool {
    if filled > 2 {
        return run.len() >= if offset.abs() <= FRONT_PAGES { 2 } else { LEAST_PAGES };
    }
    let is_own = offset == 0 && numerals == Numerals::Arabic;
    let is_whole = run.len() == 2;
    // Few pages prove little: a number alone may be the last cell of a column.
    let stands_beside_prose = |(sheet, line): &Member| {
        let Some(sheet) = sheets.get(*sheet) else { return false };
        let is_bare =
            sheet.lines.get(*line).and_then(|line| page_number(line.text)).is_none_or(|number| number.is_bare);
        !is_bare
            || sheet.inward(*line, edge).is_some_and(|beside| {
                let words = beside.text.split_whitespace().count();
                words >= PROSE_WORDS && !beside.text.ends_with(|c: char| c.is_ascii_digit())
            })
    };
    (is_own && is_whole) || ((is_own || is_whole) && run.iter().all(stands_beside_prose))
}

/// A line as what it has in common with those of other pages: its numbers apart from the rest.
struct Repeated {
    member: Member,
    page: u32,
    numbers: Vec<i64>,
}

/// Lines that stand on most pages, at the same place of the same edge, with the same words, and with numbers that are the same or count the pages.
fn drop_repeated(sheets: &mut [Sheet<'_>]) {
    let on_side = |side| sheets.iter().filter(|sheet| !sheet.lines.is_empty() && sheet.number % 2 == side).count();
    let sides = [on_side(0), on_side(1)];
    for edge in [Edge::Top, Edge::Bottom] {
        // The inner line first, so that none moves outward before it is looked at.
        for slot in (0..EDGE_LINES).rev() {
            let mut alike: BTreeMap<String, Vec<Repeated>> = BTreeMap::new();
            for (at, sheet) in sheets.iter().enumerate() {
                let is_half = |line: &usize| (2 * line < sheet.lines.len()) == (edge == Edge::Top);
                let Some(line) = sheet.edge(edge).get(slot).copied().filter(is_half) else { continue };
                let Some((words, numbers)) = sheet.lines.get(line).and_then(|line| apart(line.text)) else { continue };
                alike.entry(words).or_default().push(Repeated { member: (at, line), page: sheet.number, numbers });
            }
            for group in alike.into_values() {
                let Some(found) = running(sheets, sides, edge, &group) else { continue };
                let kept = if edge == Edge::Top { found.first() } else { found.last() }.copied();
                for (sheet, line) in found {
                    let fate = if kept == Some((sheet, line)) { Fate::Kept } else { Fate::Gone };
                    sheets.get_mut(sheet).into_iter().for_each(|sheet| sheet.set(line, fate));
                }
            }
        }
    }
}

/// The words of a line with a mark for each number, and the numbers.
fn apart(line: &str) -> Option<(String, Vec<i64>)> {
    let line = Some(line).filter(|line| line.len() <= LINE_BYTES)?;
    let mut words = String::new();
    let mut numbers = Vec::new();
    for run in line.chars().collect::<Vec<_>>().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
        let run: String = run.iter().collect();
        match run.parse().ok().filter(|_| is_digits(&run) && run.len() <= MOST_DIGITS) {
            Some(number) => {
                numbers.push(number);
                words.push('\0');
            }
            None => words.push_str(&run),
        }
    }
    Some((words, numbers))
}

/// Those of lines with the same words that are one running line. There are so many pages with text on the left and on the right.
fn running(sheets: &[Sheet<'_>], [left, right]: [usize; 2], edge: Edge, group: &[Repeated]) -> Option<Vec<Member>> {
    if group.len() < LEAST_PAGES {
        return None;
    }
    let columns = group.first()?.numbers.len();
    let rules: Vec<Column> = (0..columns).map(|column| Column::of(group, column)).collect();
    let follows =
        |line: &&Repeated| line.numbers.iter().zip(&rules).all(|(number, rule)| rule.allows(*number, line.page));
    let lines: Vec<&Repeated> = group.iter().filter(follows).collect();
    // Left and right pages may have heads of their own.
    let side = lines.first()?.page % 2;
    let is_one_side = lines.iter().all(|line| line.page % 2 == side);
    let pages = match (is_one_side, side) {
        (false, _) => left + right,
        (true, 0) => left,
        (true, _) => right,
    };
    let counts = rules.first().is_some_and(|rule| matches!(rule, Column::Counts(_)));
    let text =
        |(sheet, line): Member| sheets.get(sheet).and_then(|sheet| sheet.lines.get(line)).map_or("", |line| line.text);
    if edge == Edge::Top && counts && !is_one_side && lines.iter().any(|line| names_part(text(line.member))) {
        return None;
    }
    // The head of a table that is repeated on each page stands close above its rows, which need it.
    let stands_apart = |line: &&&Repeated| {
        let (sheet, at) = line.member;
        sheets.get(sheet).is_some_and(|sheet| sheet.stands_apart(at, edge))
    };
    let apart = lines.iter().filter(stands_apart).count();
    let is_running = lines.len() >= LEAST_PAGES && 2 * lines.len() > pages && 2 * apart >= lines.len();
    is_running.then(|| lines.iter().map(|line| line.member).collect())
}

/// What the numbers at one place of a line do from page to page.
#[derive(Clone, Copy, Debug)]
enum Column {
    Same(i64),
    /// The number without that of its page.
    Counts(i64),
}

impl Column {
    fn of(group: &[Repeated], column: usize) -> Self {
        let most = |value: &dyn Fn(i64, u32) -> i64| {
            let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
            for line in group {
                let number = line.numbers.get(column).copied().unwrap_or_default();
                *counts.entry(value(number, line.page)).or_default() += 1;
            }
            counts.into_iter().max_by_key(|(_, count)| *count).unwrap_or_default()
        };
        let (same, as_often) = most(&|number, _| number);
        let (offset, counted) = most(&|number, page| number - i64::from(page));
        if as_often >= counted { Self::Same(same) } else { Self::Counts(offset) }
    }

    fn allows(self, number: i64, page: u32) -> bool {
        match self {
            Self::Same(same) => number == same,
            Self::Counts(offset) => number - i64::from(page) == offset,
        }
    }
}

/// Whether a line is the heading of a part that fills a page: `Lesson 3`, `3. Task`.
fn names_part(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let number = |word: &str| is_digits(word.trim_end_matches(['.', ':', ')']));
    let is_counted = number(first) && first.ends_with(['.', ')']);
    is_counted || (first.starts_with(char::is_alphabetic) && !is_page_word(first) && number(second))
}

/// A head or foot that stands on few pages, so that it could be anything, is a running line where it repeats that of the neighbouring page in
/// the middle of a sentence. It is said once in any case.
fn drop_inside_sentences(sheets: &mut [Sheet<'_>]) {
    for at in 1..sheets.len() {
        let (earlier, later) = sheets.split_at_mut(at);
        let [.., before] = earlier else { continue };
        let Some(after) = later.first_mut() else { continue };
        let heads = same(before.lines.iter(), after.lines.iter());
        let heads = heads.min(after.lines.len().saturating_sub(1));
        let feet = same(before.lines.iter().rev(), after.lines.iter().rev());
        let feet = feet.min(before.lines.len().saturating_sub(1));
        // The end of a row may repeat as well; it goes on with what stands close above it.
        let goes_on_above = |line: &SheetLine<'_>| !line.is_apart && line.text.starts_with(char::is_lowercase);
        let first = before.lines.get(before.lines.len() - feet);
        let feet = if first.is_some_and(goes_on_above) { 0 } else { feet };
        if heads + feet == 0 {
            continue;
        }
        let (body_before, body_after) = (before.text(0, feet), after.text(heads, 0));
        if goes_on((before.number, &body_before), (after.number, &body_after)) {
            (0..heads).for_each(|line| after.set(line, Fate::Gone));
            let end = before.lines.len();
            (end - feet..end).for_each(|line| before.set(line, Fate::Gone));
        }
    }
}

/// How many of the outermost lines of two pages are the same, beside page numbers that are gone.
fn same<'l, 't: 'l>(
    before: impl Iterator<Item = &'l SheetLine<'t>>,
    after: impl Iterator<Item = &'l SheetLine<'t>>,
) -> usize {
    let is_same = |(a, b): &(&SheetLine<'_>, &SheetLine<'_>)| {
        repeats(a.text, b.text) || (a.fate == Fate::Gone && b.fate == Fate::Gone)
    };
    before.zip(after).take(EDGE_LINES + 1).take_while(is_same).count()
}

/// Whether a line of the next page says the same, with numbers that are the same or count the pages.
fn repeats(line: &str, next: &str) -> bool {
    if line == next {
        return true;
    }
    let (Some((words, numbers)), Some((next_words, next_numbers))) = (apart(line), apart(next)) else { return false };
    let counts_part = numbers.first() != next_numbers.first() && names_part(line);
    let follows = |(number, next): (&i64, &i64)| next == number || *next == number + 1;
    words == next_words && !counts_part && numbers.iter().zip(&next_numbers).all(follows)
}
