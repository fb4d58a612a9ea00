//! The blocks of a report: paragraphs, list items, table cells, and what is none of them.

use std::ops::Range;

use super::unheaded;
use crate::core::text::quoting::OpenCode;
use crate::core::text::table_rows;

/// A piece of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// Without the marker of a list or a heading.
    pub(super) span: Range<usize>,
    /// Whether it is quoted with `>`.
    pub(super) quoted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph,
    Item,
    /// A cell of a table, with the texts of its column's head and of its row's first cell.
    Cell {
        row: usize,
        head: String,
        label: String,
    },
    /// A heading with its level; one that is only set in bold has the lowest.
    Heading(u8),
    /// A line of a list of sources, or a definition of a footnote or link.
    Entry,
}

impl Kind {
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Paragraph | Self::Item | Self::Cell { .. })
    }
}

const BOLD_LEVEL: u8 = 7;

/// The blocks of a report, in order. Code is left out.
pub(super) fn blocks(report: &str) -> Vec<Block> {
    let mut reader = Reader {
        report,
        found: Vec::new(),
        open: None,
        quoted: false,
        addressed: false,
        sources: None,
        ends_with_gap: false,
        head: None,
        row: 0,
    };
    let unheaded = unheaded::at_the_end(report);
    let (mut code, mut is_quoted_code) = (OpenCode::default(), false);
    let begin = front_matter(report);
    let mut lines = lines(report).skip_while(|line| line.start < begin).peekable();
    while let Some(line) = lines.next() {
        let text = report.get(line.clone()).unwrap_or_default();
        let (bare, quoted) = unquoted(text);
        // Code that is quoted ends with its quote.
        if is_quoted_code && !quoted {
            code = OpenCode::default();
        }
        let was_open = code.is_open();
        code.read(bare);
        is_quoted_code = code.is_open() && (quoted && !was_open || is_quoted_code && was_open);
        if was_open || code.is_open() {
            reader.close();
            continue;
        }
        if unheaded.is_some_and(|begin| line.start >= begin) && reader.sources.is_none() {
            reader.close();
            reader.sources = Some(BOLD_LEVEL);
        }
        let next = lines.peek().and_then(|next| report.get(next.clone())).unwrap_or_default();
        reader.line(line, unquoted(next).0);
    }
    reader.close();
    reader.found
}

/// A line without the marks of a quote, and whether it had one.
fn unquoted(line: &str) -> (&str, bool) {
    let bare = line.trim();
    let quoted = bare.starts_with('>');
    (if quoted { bare.trim_start_matches(['>', ' ']) } else { bare }, quoted)
}

/// Lines that the data before a text may have.
const FRONT_LINES: usize = 100;

/// The length of the data about a text that stands before it, between lines of three dashes.
fn front_matter(report: &str) -> usize {
    let begin = report.len() - report.trim_start_matches('\u{feff}').len();
    let mut lines = lines(report.get(begin..).unwrap_or_default()).map(|line| line.start + begin..line.end + begin);
    let text = |line: &Range<usize>| report.get(line.clone()).unwrap_or_default().trim_end();
    if lines.next().is_none_or(|line| text(&line) != "---") {
        return begin;
    }
    let is_data = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key).unwrap_or_default();
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'));
        line.is_empty() || line.starts_with([' ', '\t', '-', '#']) || is_key
    };
    for line in lines.take(FRONT_LINES) {
        match text(&line) {
            "---" | "..." => return line.end,
            other if is_data(other) => {}
            _ => return begin,
        }
    }
    begin
}

fn lines(report: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    report.split_inclusive('\n').map(move |line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    })
}

struct Reader<'a> {
    report: &'a str,
    found: Vec<Block>,
    open: Option<Block>,
    /// Whether the line that is read is quoted.
    quoted: bool,
    /// Whether the entry that is open has an address.
    addressed: bool,
    /// The level of the heading of a list of sources, while inside it.
    sources: Option<u8>,
    /// Whether that list stands behind a word on its first line, so that it ends with the paragraph.
    ends_with_gap: bool,
    /// The head of the table that is being read.
    head: Option<Vec<String>>,
    row: usize,
}

impl Reader<'_> {
    fn close(&mut self) {
        self.found.extend(self.open.take());
    }

    fn line(&mut self, line: Range<usize>, next: &str) {
        let text = self.report.get(line.clone()).unwrap_or_default();
        let (bare, quoted) = unquoted(text);
        let start = line.start + text.trim_end().len() - bare.len();
        if quoted != self.quoted {
            self.close();
            self.head = None;
            self.quoted = quoted;
        }
        if !is_row(bare) {
            self.head = None;
        }
        if bare.is_empty() || is_rule(bare) {
            if self.ends_with_gap {
                (self.sources, self.ends_with_gap) = (None, false);
            }
            return self.close();
        }
        if let Some(list) = unheaded::behind_word(bare).filter(|_| self.sources.is_none() && !quoted) {
            self.close();
            (self.sources, self.ends_with_gap) = (Some(BOLD_LEVEL), true);
            return self.entry(start + list..start + bare.len());
        }
        if let Some(level) = heading_level(bare, next) {
            return self.heading(level, start..start + bare.len());
        }
        if self.sources.is_some() && is_row(bare) && is_delimiter(next) {
            return self.close();
        }
        if self.sources.is_some() || is_definition(bare) {
            return self.entry(start..start + bare.len());
        }
        if is_row(bare) && (self.head.is_some() || is_delimiter(next)) {
            return self.table(start, bare);
        }
        let marker = marker(bare);
        let from = start + marker;
        let end = start + bare.len();
        match self.open.as_mut() {
            Some(block) if marker == 0 && block.kind.is_text() => block.span.end = end,
            _ => {
                self.close();
                let kind = if marker > 0 { Kind::Item } else { Kind::Paragraph };
                self.open = Some(Block { kind, span: from.min(end)..end, quoted });
            }
        }
    }

    fn heading(&mut self, level: u8, span: Range<usize>) {
        self.close();
        let text = self.report.get(span.clone()).unwrap_or_default();
        let inside = self.sources.is_some_and(|sources| level > sources);
        // What is quoted has no list of this report's sources.
        if !inside && !self.quoted {
            self.sources = super::headings::is_heading(text).then_some(level);
        }
        self.found.push(Block { kind: Kind::Heading(level), span, quoted: self.quoted });
    }

    /// A line of a list of sources, which may hold several entries.
    fn entry(&mut self, span: Range<usize>) {
        let text = self.report.get(span.clone()).unwrap_or_default();
        if is_delimiter(text) {
            return self.close();
        }
        for piece in unheaded::pieces(text) {
            self.one_entry(span.start + piece.start..span.start + piece.end);
        }
    }

    /// With a marker it begins an entry, without it goes on with one.
    fn one_entry(&mut self, span: Range<usize>) {
        let text = self.report.get(span.clone()).unwrap_or_default();
        // An address on a line of its own belongs to the entry above, if that has none.
        let wants_address = self.open.is_some() && !self.addressed;
        let address = (text.starts_with("http") || text.starts_with('<')) && !wants_address;
        let labelled = text.starts_with(['[', '【', '^', '(', '|']) || text.starts_with("\\[") || raised(text);
        let begins = marker(text) > 0 || labelled || address || starts_with_number(text);
        match self.open.as_mut() {
            Some(block) if block.kind == Kind::Entry && !begins => {
                block.span.end = span.end;
                self.addressed |= text.contains("://");
            }
            _ => {
                self.close();
                self.addressed = text.contains("://");
                self.open = Some(Block { kind: Kind::Entry, span, quoted: self.quoted });
            }
        }
    }

    fn table(&mut self, start: usize, bare: &str) {
        self.close();
        if is_delimiter(bare) {
            return;
        }
        let cells: Vec<(Range<usize>, &str)> =
            table_rows::cells(bare).into_iter().filter_map(|cell| Some((cell.clone(), bare.get(cell)?))).collect();
        let Some(head) = self.head.as_ref() else {
            self.head = Some(cells.into_iter().map(|(_, text)| shown(text)).collect());
            return;
        };
        if unheaded::is_source_table(head) {
            return self.one_entry(start..start + bare.len());
        }
        self.row += 1;
        let label = cells.first().map(|(_, text)| shown(text)).unwrap_or_default();
        for (column, (place, _)) in cells.iter().enumerate() {
            let kind = Kind::Cell {
                row: self.row,
                head: head.get(column).cloned().unwrap_or_default(),
                label: if column == 0 { String::new() } else { label.clone() },
            };
            self.found.push(Block { kind, span: start + place.start..start + place.end, quoted: self.quoted });
        }
    }
}

/// The head of a column or the name of a row, as far as a claim repeats it.
fn shown(text: &str) -> String {
    text.chars().take(200).collect()
}

fn is_row(line: &str) -> bool {
    line.starts_with('|') || line.contains(" | ")
}

fn is_delimiter(line: &str) -> bool {
    let line = line.trim();
    line.contains('-') && line.contains('|') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ['-', '*', '_'].into_iter().any(|mark| line.chars().all(|c| c == mark || c == ' '))
}

/// The level of a heading: with `#`, underlined, or a short line that is all bold or ends in a colon and names a list of sources.
fn heading_level(line: &str, next: &str) -> Option<u8> {
    let marks = line.chars().take_while(|c| *c == '#').count();
    if (1..=6).contains(&marks) && line.chars().nth(marks).is_none_or(char::is_whitespace) {
        return u8::try_from(marks).ok();
    }
    let next = next.trim();
    if next.len() >= 3
        && marker(line) == 0
        && !is_row(line)
        && (next.chars().all(|c| c == '=') || next.chars().all(|c| c == '-'))
    {
        return Some(if next.starts_with('=') { 1 } else { 2 });
    }
    let bold = [("**", "**"), ("__", "__")].into_iter().any(|(open, close)| {
        line.len() > 4
            && line.len() < 120
            && line.starts_with(open)
            && line.trim_end_matches(':').ends_with(close)
            && line.matches(open).count() == 2
    });
    let named = line.len() < 60 && super::headings::is_heading(line);
    (bold || named).then_some(BOLD_LEVEL)
}

/// The length of the marker that begins a list item, with the space behind it.
pub(super) fn marker(line: &str) -> usize {
    let mut chars = line.chars();
    let bullet = matches!(chars.next(), Some('-' | '*' | '+' | '•' | '–' | '·')) && chars.next() == Some(' ');
    if bullet {
        let first = line.chars().next().map_or(0, char::len_utf8);
        return line.len() - line.get(first..).unwrap_or_default().trim_start().len();
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or_default();
    let numbered = (1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    if numbered { line.len() - rest.get(1..).unwrap_or_default().trim_start().len() } else { 0 }
}

fn raised(line: &str) -> bool {
    line.chars().next().is_some_and(|c| super::numbers::superscript(c).is_some())
}

/// Whether a line begins with a number that stands alone, as entries of copied lists do.
fn starts_with_number(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && line.get(digits..).is_some_and(|rest| rest.starts_with([' ', ':', '\t', '.', ')']))
}

/// `[^8]: …` and `[8]: https://…`.
fn is_definition(line: &str) -> bool {
    let Some((label, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]:")) else { return false };
    let target = rest.trim_start().trim_start_matches('<');
    !label.is_empty()
        && label.len() <= 80
        && !label.contains('[')
        && (label.starts_with('^') || target.starts_with("http"))
}
