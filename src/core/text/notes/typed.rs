//! Notes that were typed: at the end of a text, or at the foot of a page, lines that begin with the marks that the text above them has.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lines::lines_in;
use super::super::outline::Item;
use super::super::{Contents, cut};
use super::{Note, apply, automatic, blocks, said};

/// The longest mark of a typed note in characters, and the most that one note is referred to.
const MARK_CHARS: usize = 5;
/// The longest name of a note of reStructuredText, in bytes.
const NAME_BYTES: usize = 40;
const MOST_REFERENCES: usize = 12;
/// Notes below a text that are looked at; more of them are a list.
const MOST_NOTES: usize = 100;
/// A shorter word may end with a figure of its own: `km2`, `H1`.
const WORD_CHARS: usize = 4;

/// How a note is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `[1]`, `(1)`
    Bracketed,
    /// `*`, `*)`, `†`, `¹`
    Sign,
    /// `1`, which stood raised on a page.
    Figure,
}

/// Notes below a text: `[1] …`, `*) …`, `¹ …`.
pub(in super::super) fn in_text(contents: Contents) -> Contents {
    let spans: Vec<Range<usize>> = blocks(&contents).map(|block| block.span.clone()).collect();
    let mut notes = notes(&contents.text, &spans, false);
    notes.extend(automatic::notes(&contents.text, &spans));
    apply::apply(contents, notes)
}

/// Notes at the foot of each page; pages are sections.
pub(in super::super) fn on_pages(contents: Contents) -> Contents {
    let mut pages: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for item in &contents.items {
        match item {
            Item::Heading { text, .. } if text.is_empty() => pages.push(Vec::new()),
            Item::Heading { .. } => {}
            Item::Block(block) => pages.last_mut().into_iter().for_each(|page| page.push(block.span.clone())),
        }
    }
    let notes = pages.iter().flat_map(|page| notes(&contents.text, page, true)).collect();
    apply::apply(contents, notes)
}

/// The notes that the last blocks are, and where the blocks above them refer to them.
fn notes(text: &str, blocks: &[Range<usize>], on_page: bool) -> Vec<Note> {
    let says = |block: &&Range<usize>| cut(text, block).contains(char::is_alphanumeric);
    let is_note = |block: &&Range<usize>| !says(block) || marked(cut(text, block), on_page).is_some();
    let below = blocks.iter().rev().take_while(is_note).count();
    let (above, below) = blocks.split_at_checked(blocks.len() - below).unwrap_or_default();
    let mut notes: Vec<Note> = Vec::new();
    let mut begun = marks_of_lines(text, above, on_page);
    for block in below {
        if notes.len() >= MOST_NOTES {
            break;
        }
        // A line without a mark goes on with the note above it.
        let mut lines: Vec<Range<usize>> = Vec::new();
        for line in lines_in(text, block.clone()) {
            match lines.last_mut() {
                Some(last) if marked(cut(text, &line), on_page).is_none() => last.end = line.end,
                Some(_) | None => lines.push(line),
            }
        }
        for place in lines.into_iter().take(MOST_NOTES - notes.len()) {
            let Some((form, mark, rest)) = marked(cut(text, &place), on_page) else { continue };
            // Where a mark is given twice, nobody can tell which of them is meant.
            if !begun.insert(mark) {
                notes.retain(|note| note.mark != bare(mark));
                continue;
            }
            let Some(says) = said(rest).filter(|says| !is_literature(says)) else { continue };
            let references = above.iter().flat_map(|block| references(text, block, form, mark));
            let references: Vec<Range<usize>> = references.take(MOST_REFERENCES).collect();
            notes.push(Note { mark: bare(mark).to_owned(), says, place, references });
        }
    }
    notes
}

/// The marks that lines begin with; a figure begins many a line that is no note.
fn marks_of_lines<'t>(text: &'t str, blocks: &[Range<usize>], on_page: bool) -> BTreeSet<&'t str> {
    let lines = blocks.iter().flat_map(|block| lines_in(text, block.clone()));
    lines
        .filter_map(|line| marked(cut(text, &line), on_page))
        .filter(|(form, ..)| *form != Form::Figure)
        .map(|(_, mark, _)| mark)
        .collect()
}

/// The mark that a line begins with, and what follows it.
fn marked(line: &str, on_page: bool) -> Option<(Form, &str, &str)> {
    let line = line.trim_start();
    // As reStructuredText has it, where a note may have a name.
    let (line, is_named) = line.strip_prefix(".. ").map_or((line, false), |line| (line, true));
    let (mark, rest) = line.split_once(char::is_whitespace)?;
    let is_figure = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let between =
        |open, close| mark.strip_prefix(open).and_then(|mark| mark.strip_suffix(close)).is_some_and(is_figure);
    let is_sign = |c: char| matches!(c, '*' | '†' | '‡' | '§' | '¹' | '²' | '³' | '⁰' | '⁴'..='⁹');
    let is_name = |name: &str| {
        (1..=NAME_BYTES).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let named = || mark.strip_prefix("[#").and_then(|mark| mark.strip_suffix(']')).is_some_and(is_name);
    let form = match bare(mark) {
        _ if is_named && named() => Some(Form::Bracketed),
        _ if mark.chars().nth(MARK_CHARS).is_some() => None,
        _ if between('[', ']') || between('(', ')') => Some(Form::Bracketed),
        // `[*]` of reStructuredText is another one wherever it stands.
        sign if !sign.is_empty() && sign != "§" && sign.chars().all(is_sign) && !mark.starts_with('[') => {
            Some(Form::Sign)
        }
        figure if on_page && is_figure(mark) && figure.len() < 3 && !figure.starts_with('0') => Some(Form::Figure),
        _ => None,
    };
    Some((form?, mark, rest))
}

/// A mark without what is around it.
fn bare(mark: &str) -> &str {
    let inner = mark.trim_matches(['[', ']', '(', ')']);
    if inner.is_empty() { mark } else { inner }
}

/// Whether a note only names what else is to be read.
pub(in super::super) fn is_literature(says: &str) -> bool {
    let is_year = |at: usize| {
        let year = says.get(at + 1..at + 5).unwrap_or_default();
        year.chars().all(|c| c.is_ascii_digit()) && says.get(at + 5..).is_some_and(|rest| rest.starts_with(')'))
    };
    ["http", "www.", " et al", "doi:", "doi.org", " pp. ", "ISBN"].iter().any(|sign| says.contains(sign))
        || says.match_indices('(').any(|(at, _)| says.len() > at + 5 && is_year(at))
}

/// Where a block refers to the note with this mark.
fn references(text: &str, block: &Range<usize>, form: Form, mark: &str) -> Vec<Range<usize>> {
    let said = cut(text, block);
    let sign = if form == Form::Sign { bare(mark) } else { mark };
    let is_reference = |(at, _): &(usize, &str)| {
        let (before, after) = said.split_at_checked(*at).unwrap_or_default();
        let after = after.get(sign.len()..).unwrap_or_default();
        let next = after.chars().next();
        let is_line_begin = before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
        match form {
            Form::Bracketed => !is_line_begin,
            Form::Sign => {
                let is_glued = before.chars().next_back().is_some_and(|c| !c.is_whitespace() && !sign.contains(c));
                is_glued && !is_power(before, sign) && next.is_none_or(|c| !c.is_alphanumeric() && !sign.contains(c))
            }
            Form::Figure => is_raised(before) && next.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '.' | ',')),
        }
    };
    let found = said.match_indices(sign).take(MOST_REFERENCES).filter(is_reference);
    let places = found.map(|(at, _)| {
        let after = said.get(at + sign.len()..).unwrap_or_default();
        let more = match form {
            // The rest of the mark: `*)`, and `[1]_` of reStructuredText.
            Form::Sign => usize::from(mark.ends_with(')') && after.starts_with(')')),
            Form::Bracketed => usize::from(after.starts_with('_')),
            Form::Figure => 0,
        };
        block.start + at..block.start + at + sign.len() + more
    });
    places.collect()
}

/// Whether raised figures belong to what stands before them: `40 m²`, `10³`, `s⁻¹`.
fn is_power(before: &str, sign: &str) -> bool {
    let is_raised_figure = |c: char| matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' | '⁻');
    // Nobody writes a power of one.
    let is_behind_figure = before.ends_with(is_raised_figure)
        || (before.ends_with(|c: char| c.is_ascii_digit()) && !sign.starts_with('¹'));
    sign.starts_with(is_raised_figure) && (is_behind_figure || (sign.starts_with(['²', '³']) && !is_raised(before)))
}

/// Whether a figure behind this text stood raised: behind the end of a sentence, or of a word that has no figure of its own.
fn is_raised(before: &str) -> bool {
    let word = before.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '”', '’']);
    let letters = word.chars().rev().take_while(|c| c.is_alphabetic()).take(WORD_CHARS).count();
    let is_small = word.ends_with(char::is_lowercase);
    if word.len() < before.len() { letters > 0 } else { is_small && letters >= WORD_CHARS }
}
