//! Plain text and reStructuredText: paragraphs between blank lines, and headings that are underlined.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lines::lines_in;
use super::outline::{Block, CutAt, Item};
use super::passages::words;
use super::release_lines::release_lines;
use super::{Contents, cut, drawn_tables, one_line};
use crate::core::base::limits::PASSAGE_MAX_WORDS;
use crate::core::language::item_number;

pub(super) fn extract(text: String) -> Contents {
    let (text, lines) = drawn_tables::of_plain(text);
    let releases = Releases::of(&text);
    let items = items(&text, &releases);
    Contents { title: title(&text, &items, &releases), text, items, places: lines.into(), left_out: BTreeSet::new() }
}

/// The lines of a text, and those that are the headings of releases.
struct Releases {
    lines: Vec<Range<usize>>,
    found: BTreeSet<usize>,
}

impl Releases {
    fn of(text: &str) -> Self {
        let lines: Vec<Range<usize>> = lines_in(text, 0..text.len()).collect();
        let found = release_lines(text, &lines);
        Self { lines, found }
    }

    fn begin_at(&self, place: usize) -> bool {
        self.found.iter().any(|at| self.lines.get(*at).is_some_and(|line| line.start == place))
    }
}

/// Text before the first heading that does not keep it from being the title, in bytes: a label, a licence, some fields.
const BEFORE_TITLE: usize = 1_000;
/// A first line is no title if it is longer, in characters.
const TITLE_LINE: usize = 80;

/// The heading at the beginning, or a first line that looks like one. A heading further down is one of a part.
fn title(text: &str, items: &[Item], releases: &Releases) -> Option<String> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    // A changelog begins with its last release, which names that part alone.
    if releases.begin_at((first.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)) {
        return None;
    }
    let heading = items.iter().find_map(|item| match item {
        Item::Heading { text, span, .. } => Some((text, span.start)),
        Item::Block(_) => None,
    });
    let heading = heading.filter(|(heading, at)| heading.contains(char::is_alphabetic) && !releases.begin_at(*at));
    let before = |at: usize| text.get(..at).unwrap_or_default();
    // Comments, labels and fields of reStructuredText.
    let is_set_up = |line: &str| line.trim().is_empty() || line.starts_with(['.', ':', ' ', '\t']);
    if let Some((heading, at)) = heading
        && (before(at).lines().all(is_set_up) || before(at).trim().chars().all(|c| !c.is_alphanumeric()))
    {
        return Some(heading.clone());
    }
    let alone = text.lines().skip_while(|line| line.trim().is_empty()).nth(1).is_none_or(|next| next.trim().is_empty());
    let line = first.trim();
    let is_title = alone
        && line.chars().count() <= TITLE_LINE
        && line.starts_with(char::is_alphanumeric)
        && !line.ends_with(['.', ':', ';', ',', '?'])
        && !is_prompt(line);
    if is_title {
        return Some(one_line(line));
    }
    heading.filter(|(_, at)| *at <= BEFORE_TITLE).map(|(heading, _)| heading.clone())
}

/// Whether a line was typed at a prompt: `$ ls`, `user@host:~$ ls`, `>>> x`.
fn is_prompt(line: &str) -> bool {
    let starts = ["$ ", "# ", "% ", "> ", ">>> ", "C:\\"].iter().any(|prompt| line.starts_with(prompt));
    let host = line.split_whitespace().next().unwrap_or_default();
    starts || (host.contains('@') && host.ends_with(['$', '#', '%']))
}

fn items(text: &str, releases: &Releases) -> Vec<Item> {
    let lines = &releases.lines;
    let mut items = Vec::new();
    // A heading's level is the order in which its adornment first appears, as reStructuredText has it.
    let mut adornments: Vec<(char, bool)> = Vec::new();
    let mut paragraph: Option<Range<usize>> = None;
    let mut at = 0;
    while let Some(span) = lines.get(at) {
        let release = || releases.found.contains(&at).then(|| release_at(text, lines, at)).flatten();
        let underlined = paragraph.is_none().then(|| heading_at(text, lines, at)).flatten();
        if let Some(heading) = underlined.or_else(release) {
            items.extend(paragraph.take().map(|span| block(text, span)));
            let known = adornments.iter().position(|seen| *seen == heading.adornment);
            let level = known.unwrap_or_else(|| {
                adornments.push(heading.adornment);
                adornments.len() - 1
            });
            let level = u8::try_from(level + 1).unwrap_or(u8::MAX);
            items.push(Item::Heading { level, text: one_line(cut(text, &heading.span)), span: heading.span });
            at += heading.lines;
            continue;
        }
        let is_entry = || is_term(text, lines, at);
        if cut(text, span).trim().is_empty() {
            items.extend(paragraph.take().map(|span| block(text, span)));
        } else if paragraph.as_ref().is_none_or(|open| is_indented_end(text, open)) && is_entry() {
            items.extend(paragraph.take().map(|span| block(text, span)));
            let end = end_of_entry(text, lines, at);
            push_entry(&mut items, text, lines.get(at..end).unwrap_or_default());
            at = end;
            continue;
        } else {
            paragraph = Some(paragraph.map_or(span.start, |open| open.start)..span.end);
        }
        at += 1;
    }
    items.extend(paragraph.map(|span| block(text, span)));
    items
}

/// A term of more words is a paragraph of its own.
const TERM_WORDS: usize = 8;

/// Whether this line is a term: what is said of it stands indented below, in as many paragraphs as it takes.
fn is_term(text: &str, lines: &[Range<usize>], at: usize) -> bool {
    let line = |index: usize| lines.get(index).map_or("", |span| cut(text, span)).trim_end();
    let (term, below) = (line(at), line(at + 1));
    let is_named = term.starts_with(|c: char| c.is_alphanumeric() || "`*:\"'<[($@/-_.".contains(c));
    let is_item = ["- ", "* ", ".. "].iter().any(|mark| term.starts_with(mark)) || item_number(term).is_some();
    is_named
        && !is_item
        && !below.is_empty()
        && is_indented(below)
        && !term.ends_with(['.', ',', ';'])
        && term.split_whitespace().nth(TERM_WORDS).is_none()
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Whether what is open ends with a line that is indented: what is not is no more of it.
fn is_indented_end(text: &str, open: &Range<usize>) -> bool {
    cut(text, open).trim_end().lines().next_back().is_some_and(is_indented)
}

/// The line behind an entry: the first one with text that is not indented.
fn end_of_entry(text: &str, lines: &[Range<usize>], at: usize) -> usize {
    let goes_on = |span: &&Range<usize>| is_indented(cut(text, span)) || cut(text, span).trim().is_empty();
    at + 1 + lines.get(at + 1..).unwrap_or_default().iter().take_while(goes_on).count()
}

/// An entry: what is said of its term stays with it, and where that is too long for a passage its parts know the term.
fn push_entry(items: &mut Vec<Item>, text: &str, lines: &[Range<usize>]) {
    let (Some(term), Some(last)) = (lines.first(), lines.last()) else { return };
    let whole = term.start..last.end;
    let is_blank = |span: &Range<usize>| cut(text, span).trim().is_empty();
    let begins = lines.windows(2).filter_map(|pair| match pair {
        [above, below] if is_blank(above) && !is_blank(below) => Some(below.start),
        _ => None,
    });
    let cuts: Vec<usize> = begins.collect();
    let spans = match words(cut(text, &whole)) <= PASSAGE_MAX_WORDS {
        true => vec![whole],
        false => vec![term.clone(), term.end..whole.end],
    };
    items.extend(spans.into_iter().map(|span| Item::Block(Block { span, shape: CutAt::Prose, cuts: cuts.clone() })));
}

/// A paragraph, or a table, which is cut between its rows.
fn block(text: &str, span: Range<usize>) -> Item {
    let is_table = cut(text, &span).lines().all(|line| line.trim_start().starts_with('|'));
    let shape = if is_table { CutAt::Lines } else { CutAt::Prose };
    Item::Block(Block { span, shape, cuts: Vec::new() })
}

struct Heading {
    adornment: (char, bool),
    span: Range<usize>,
    lines: usize,
}

/// A heading that begins with this line: a title and its underline, with or without a line above. Text may stand directly below an underline that is as
/// long as its title; below another one it may be the rows of a table.
fn heading_at(text: &str, lines: &[Range<usize>], at: usize) -> Option<Heading> {
    let line = |index: usize| lines.get(index).map_or("", |span| cut(text, span)).trim();
    let over = adornment(line(at));
    let title = if over.is_some() { at + 1 } else { at };
    let under = adornment(line(title + 1))?;
    // An underline is about as long as what it underlines; the rule of a table or of a message is not.
    let long_enough = line(title + 1).chars().count() * 3 >= line(title).chars().count() * 2;
    let (rule, named) = (line(title + 1).chars().count(), line(title).chars().count());
    let has_columns = line(title).contains(['\t', '|']) || line(title).contains("  ");
    let is_indented = lines.get(title).is_some_and(|span| cut(text, span).starts_with([' ', '\t']));
    let is_exact = (named..=named + 1).contains(&rule) && !has_columns && !is_indented;
    let ends = line(title + 2).is_empty() || is_exact;
    // Changelogs are cut by what has no letter: `3.0.1 (2024-10-28)`.
    let is_release = is_exact && line(title + 2).is_empty() && line(title).starts_with(|c: char| c.is_ascii_digit());
    let names = line(title).contains(char::is_alphabetic) || is_release;
    let is_title = names && line(title).len() <= 200 && !is_prompt(line(title));
    let fits = over.is_none_or(|over| over == under) && is_title && long_enough && ends;
    fits.then(|| Heading {
        adornment: (under, over.is_some()),
        span: lines.get(title).cloned().unwrap_or_default(),
        lines: title + 2 - at,
    })
}

/// What stands for the adornment of releases that have none.
const OF_RELEASES: char = 'v';

/// The heading that a line is which names a release, with what may stand below it.
fn release_at(text: &str, lines: &[Range<usize>], at: usize) -> Option<Heading> {
    let line = |index: usize| lines.get(index).map_or("", |span| cut(text, span)).trim();
    let under = adornment(line(at + 1));
    Some(Heading {
        adornment: (under.unwrap_or(OF_RELEASES), false),
        span: lines.get(at)?.clone(),
        lines: 1 + usize::from(under.is_some()),
    })
}

/// The character of a line that is nothing but one punctuation character.
fn adornment(line: &str) -> Option<char> {
    let first = line.chars().next().filter(|c| "=-~^\"'#*+:.`_".contains(*c))?;
    (line.len() >= 3 && line.chars().all(|c| c == first)).then_some(first)
}
