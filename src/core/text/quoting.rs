//! Foreign text inside a Markdown report: it is shown as it is and does nothing.
//!
//! Document text is untrusted. Quoted in a report it must not leave its quote, must not become HTML, an image or a link, and must not look
//! like one of the report's own citations (`[3]`). Code keeps its fences, which are written anew. Control characters are shown as `�`: a report is
//! also printed on terminals.
//!
//! What is shown must be what the document says, word for word: text that is Markdown stands as it is, and of other text everything that
//! Markdown would take for a mark is escaped, once.

use super::format::{self, Format, NameSays};
pub(crate) use crate::core::base::plain::turns;
use crate::core::base::plain::{acts, is_empty};

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// As Markdown, by its author.
    Markdown,
    /// As Markdown, by a reader of hadal: its blocks and tables are Markdown and have escapes, and there is no emphasis in
    /// it but for text that is struck out.
    Made,
    Plain,
    /// As code or data: each line and each space counts.
    Code,
}

impl Writing {
    /// How the text of a file is written.
    pub(crate) fn of_file(path: &str) -> Self {
        match format::of_path(path) {
            NameSays::Format(Format::Markdown | Format::Notebook) => Self::Markdown,
            NameSays::Format(Format::Code | Format::Json | Format::Settings | Format::Log) => Self::Code,
            NameSays::Format(format) if !format.is_its_text() => Self::Made,
            NameSays::Format(_) | NameSays::Nothing | NameSays::NotRead(_) => Self::Plain,
        }
    }

    /// How the text of a document of this title is written: a page of the manual is known by it, whatever its file is called.
    pub(crate) fn of_document(path: &str, title: &str) -> Self {
        let is_manual = format::of_path(path) == NameSays::Nothing && format::is_manual_title(title);
        if is_manual { Self::Made } else { Self::of_file(path) }
    }

    /// Whether the backslash at this place of a line, whose text begins at another, is an escape and not a sign of the text.
    fn escapes(self, line: &[char], begin: usize, at: usize) -> bool {
        let Some(c) = line.get(at + 1) else { return false };
        match self {
            Self::Markdown => c.is_ascii_punctuation(),
            // What the readers write, and where they write it.
            Self::Made => match c {
                '<' | '[' | ']' => true,
                '#' | '>' | '+' | '-' | '*' | '=' => at == begin,
                '|' => at == begin || line.first() == Some(c),
                '~' => at.checked_sub(1).and_then(|before| line.get(before)) == Some(c),
                _ => false,
            },
            Self::Plain | Self::Code => false,
        }
    }
}

/// The text as a block quote.
pub(crate) fn quote(text: &str, writing: Writing) -> String {
    let mut out = String::new();
    let blocks = match writing {
        Writing::Code => {
            vec![Block::Code { item: String::new(), info: String::new(), lines: literal_lines(text.trim_end()) }]
        }
        Writing::Markdown | Writing::Made | Writing::Plain => blocks(text),
    };
    for block in blocks {
        match block {
            Block::Text(line) => push_quoted(&mut out, &inline(&line, writing)),
            Block::Code { item, info, lines } => {
                let fence = fence_around(&lines.join("\n"));
                // What is in an item of a list stands below its text, or it would leave the item and the code.
                let below = " ".repeat(item.len());
                push_quoted(&mut out, &format!("{item}{fence}{info}"));
                lines.iter().for_each(|line| push_quoted(&mut out, format!("{below}{line}").trim_end_matches(' ')));
                push_quoted(&mut out, &format!("{below}{fence}"));
            }
        }
    }
    out
}

/// What stands around a marked word until the text is made literal; the text itself cannot hold it.
const MARK: char = '\u{e000}';

/// The text as a block quote with these places of it in bold, as far as they stand in running text: what is code or an address is not
/// touched. Places are in ascending order.
pub(crate) fn marked_quote(text: &str, writing: Writing, places: &[std::ops::Range<usize>]) -> String {
    if writing == Writing::Code {
        return quote(text, writing);
    }
    let mut marked = String::with_capacity(text.len() + 8 * places.len());
    let (mut at, mut code) = (0, OpenCode::default());
    let mut places = places.iter().peekable();
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let line_start = at;
        let was_code = code.is_open();
        code.read(line);
        let is_code = was_code || code.is_open();
        while let Some(place) = places.next_if(|place| place.start < end) {
            let (Some(before), Some(word)) = (text.get(at..place.start), text.get(place.clone())) else { continue };
            let at_word = place.start.saturating_sub(line_start);
            // A mark inside of what is bold already would end it.
            let is_bold = writing == Writing::Markdown && is_inside_bold(line, at_word);
            let is_text = !is_code && !is_bold && place.end <= end && is_running_text(line, at_word, word);
            if place.start < at || !is_text {
                continue;
            }
            push_unmarked(&mut marked, before);
            marked.push(MARK);
            push_unmarked(&mut marked, word);
            marked.push(MARK);
            at = place.end;
        }
        push_unmarked(&mut marked, text.get(at..end).unwrap_or_default());
        at = end;
    }
    quote(&marked, writing).replace(MARK, "**")
}

fn push_unmarked(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if c == MARK { '\u{fffd}' } else { c }));
}

/// Whether a place of a line stands between marks of bold text.
fn is_inside_bold(line: &str, at: usize) -> bool {
    let (before, after) = line.split_at_checked(at).unwrap_or_default();
    ["**", "__"].iter().any(|mark| before.matches(mark).count() % 2 == 1 && after.contains(mark))
}

/// Whether the word at this place of a line can be marked: not in inline code, not beside a mark of the text's own, not in an
/// address, where it would become a part of it.
fn is_running_text(line: &str, at: usize, word: &str) -> bool {
    let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at + word.len()..).unwrap_or_default());
    let touches = |c: char| matches!(c, '*' | '_' | '`' | '\\' | MARK);
    let in_code = before.matches('`').count() % 2 == 1;
    let begin = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    let token = format!("{}{word}{}", before.get(begin..).unwrap_or_default(), after.get(..end).unwrap_or_default());
    let is_address = token.contains("://") || token.contains("www.") || token.contains('@');
    !in_code && !is_address && !before.ends_with(touches) && !after.starts_with(touches)
}

/// A foreign label (title, heading, message) as one line of text of at most `chars` characters.
pub(crate) fn label(text: &str, chars: usize) -> String {
    inline(&one_line(text, chars), Writing::Plain)
}

/// Foreign text as code in a line: nothing in it is active, and it can be copied.
pub(crate) fn code(text: &str, chars: usize) -> String {
    let seen = |c: char| if is_empty(c) { '\u{fffd}' } else { c };
    let line: String = one_line(text, chars).chars().map(seen).collect();
    let ticks = "`".repeat(longest_run(&line) + 1);
    let pad = if line.starts_with('`') || line.ends_with('`') || line.is_empty() { " " } else { "" };
    format!("{ticks}{pad}{line}{pad}{ticks}")
}

fn one_line(text: &str, chars: usize) -> String {
    let mut line = String::new();
    for (at, c) in text.split_whitespace().flat_map(|word| word.chars().chain([' '])).enumerate() {
        if at >= chars {
            line.truncate(line.trim_end().len());
            line.push('…');
            return line;
        }
        line.push(shown(c));
    }
    line.truncate(line.trim_end().len());
    line
}

fn push_quoted(out: &mut String, line: &str) {
    out.push_str(if line.is_empty() { ">" } else { "> " });
    out.push_str(line);
    out.push('\n');
}

enum Block {
    Text(String),
    /// `item` is the mark of the list item that the code is in, if it stands beside it.
    Code {
        item: String,
        info: String,
        lines: Vec<String>,
    },
}

/// The lines of a text with all that cannot be seen made visible. Every line end that Markdown knows is one here, also a lone carriage return.
fn literal_lines(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").split(['\n', '\r']).map(|line| line.chars().map(shown).collect()).collect()
}

/// Splits a text into lines and fenced code.
fn blocks(text: &str) -> Vec<Block> {
    struct Open {
        mark: char,
        length: usize,
        /// How far the code is indented by the list it is in.
        indent: usize,
        item: String,
        info: String,
        lines: Vec<String>,
    }
    let mut blocks = Vec::new();
    let mut open: Option<Open> = None;
    let mut push = |Open { item, info, lines, .. }: Open| Block::Code { item, info, lines };
    for line in literal_lines(text) {
        open = match (open, fence(&line)) {
            (Some(code), Some(fence)) if fence.closes(code.mark, code.length) => {
                blocks.push(push(code));
                None
            }
            (Some(mut code), _) => {
                code.lines.push(without_indent(&line, code.indent).to_owned());
                Some(code)
            }
            (None, Some(Fence { mark, length, indent, item, rest })) => {
                let (item, info) = (item.to_owned(), language(rest));
                let indent = if item.is_empty() { 0 } else { indent };
                Some(Open { mark, length, indent, item, info, lines: Vec::new() })
            }
            (None, None) => {
                blocks.push(Block::Text(line.trim_end().to_owned()));
                None
            }
        };
    }
    blocks.extend(open.map(&mut push));
    blocks
}

/// A line without so many blanks in front, as far as it has them.
fn without_indent(line: &str, indent: usize) -> &str {
    let blank = line.len() - line.trim_start_matches(' ').len();
    line.get(blank.min(indent)..).unwrap_or(line)
}

/// A line that opens or closes a code block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence<'l> {
    mark: char,
    length: usize,
    /// Where the fence stands in the line.
    indent: usize,
    /// The mark of a list item in front of it.
    item: &'l str,
    rest: &'l str,
}

impl Fence<'_> {
    /// Whether it ends code that was opened with so many of a mark.
    fn closes(&self, mark: char, length: usize) -> bool {
        self.mark == mark && self.length >= length && self.item.is_empty() && self.rest.is_empty()
    }
}

/// The block of code that is open behind the lines that were read, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenCode(Option<(char, usize)>);

impl OpenCode {
    /// Begins inside a block of code, which this text may end.
    pub(crate) fn inside(text: &str) -> Self {
        let end = text.lines().filter_map(fence).find(|fence| fence.item.is_empty() && fence.rest.is_empty());
        Self(Some(end.map_or(('`', 3), |fence| (fence.mark, fence.length))))
    }

    pub(crate) fn is_open(self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn read(&mut self, line: &str) {
        self.0 = match (self.0, fence(line)) {
            (Some((mark, length)), Some(fence)) if fence.closes(mark, length) => None,
            (None, Some(fence)) => Some((fence.mark, fence.length)),
            (open, _) => open,
        };
    }

    /// The line that opens it again.
    pub(crate) fn line(self) -> String {
        self.0.map(|(mark, length)| mark.to_string().repeat(length) + "\n").unwrap_or_default()
    }
}

/// What a line says that opens or closes a code block.
pub(crate) fn fence(line: &str) -> Option<Fence<'_>> {
    let begins = line.trim_start();
    let item = item_mark(begins);
    let text = begins.get(item.len()..)?.trim_end();
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    let indent = line.len() - begins.len() + item.len();
    // Backticks later in the line make it inline code, not a fence.
    let is_fence = length >= 3 && !(mark == '`' && rest.contains('`'));
    is_fence.then_some(Fence { mark, length, indent, item, rest: rest.trim() })
}

/// `- ` or `12. ` at the beginning of a line.
fn item_mark(line: &str) -> &str {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = line.get(digits..).unwrap_or_default();
    let is_item = match digits {
        0 => behind.starts_with(['-', '*', '+']),
        1..=9 => behind.starts_with(['.', ')']),
        _ => false,
    };
    let mark = line.get(..digits + 2).filter(|mark| is_item && mark.ends_with(' '));
    mark.unwrap_or_default()
}

/// The language of a code block, if it looks like the name of one.
fn language(info: &str) -> String {
    info.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '_' | '-')).take(20).collect()
}

/// What stands for a character that must not reach a terminal or turn the direction of text.
fn shown(c: char) -> char {
    if c != '\t' && acts(c) { '\u{fffd}' } else { c }
}

/// What opens and closes a block of code: longer than any run inside, so that the code cannot close it.
pub(crate) fn fence_around(code: &str) -> String {
    "`".repeat(longest_run(code).max(2) + 1)
}

fn longest_run(line: &str) -> usize {
    let mut run = 0;
    line.chars().fold(0, |longest, c| {
        run = if c == '`' { run + 1 } else { 0 };
        longest.max(run)
    })
}

/// One line of text with everything active made literal. Inline code that opens and closes in the line stays code; a backtick
/// without its partner is escaped, or it could pair with one of another line and turn code into text.
fn inline(line: &str, writing: Writing) -> String {
    let chars: Vec<char> = line.chars().collect();
    let begin = begin_of_text(line);
    let mut out = String::with_capacity(line.len() + 16);
    let mut at = if writing == Writing::Plain { begin_plain(&chars, &mut out) } else { 0 };
    let mut in_struck = false;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        at += match c {
            '`' => ticks(&chars, at, &mut out),
            '~' if writing == Writing::Made && is_tildes(&chars, at) && (in_struck || is_struck_out(&chars, at)) => {
                in_struck = !in_struck;
                out.push_str("~~");
                2
            }
            _ if starts_url(&chars, at) => url(&chars, at, &mut out),
            '[' => push(&mut out, &["\\", "["]),
            '\\' if !starts_url(&chars, at + 1) && writing.escapes(&chars, begin, at) => {
                out.push(c);
                out.extend(next);
                2
            }
            // Before punctuation (an address gets a backtick) it would escape what follows, also an escape of ours.
            '\\' if next.is_none_or(|next| next.is_ascii_punctuation()) || starts_url(&chars, at + 1) => {
                push(&mut out, &["\\", "\\"])
            }
            '<' if next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')) => {
                push(&mut out, &["\\", "<"])
            }
            '*' | '_' | '~' | '&' if writing != Writing::Markdown && would_mark(&chars, at) => {
                out.push('\\');
                out.push(c);
                1
            }
            _ => {
                out.push(c);
                1
            }
        };
    }
    out
}

/// Where the text of a line begins, behind what makes it a quote or an item.
fn begin_of_text(line: &str) -> usize {
    let text = line.trim_start_matches([' ', '>']);
    // All of it is ASCII.
    line.len() - text.len() + item_mark(text).len()
}

/// Writes what begins a line of plain text, as far as Markdown would take it for the mark of a heading, a quote or a line; says how many
/// characters were read.
fn begin_plain(chars: &[char], out: &mut String) -> usize {
    let blank = chars.iter().take_while(|c| **c == ' ').count();
    let Some(first) = chars.get(blank).copied() else { return 0 };
    let is_rule = matches!(first, '=' | '-') && chars.iter().skip(blank).all(|c| *c == first || *c == ' ');
    if !is_rule && !matches!(first, '#' | '>') {
        return 0;
    }
    out.extend(std::iter::repeat_n(' ', blank));
    out.push('\\');
    out.push(first);
    blank + 1
}

/// Whether Markdown could take this character of text for a mark of emphasis, or for the beginning of an entity.
fn would_mark(chars: &[char], at: usize) -> bool {
    let Some(c) = chars.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|before| chars.get(before));
    let next = chars.get(at + 1);
    let is_blank = |c: Option<&char>| c.is_none_or(|c| c.is_whitespace());
    let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
    match c {
        '*' => !(is_blank(before) && is_blank(next)),
        // Inside a word it marks nothing.
        '_' => !((is_blank(before) && is_blank(next)) || (is_word(before) && is_word(next))),
        // One that follows a blank cannot end what is struck out.
        '~' => before == Some(c) || next == Some(c) || !is_blank(before),
        '&' => {
            let name = |c: &&char| c.is_ascii_alphanumeric() || **c == '#';
            let length = chars.iter().skip(at + 1).take_while(name).count();
            length > 0 && chars.get(at + 1 + length) == Some(&';')
        }
        _ => false,
    }
}

/// Two tildes and no more.
fn is_tildes(chars: &[char], at: usize) -> bool {
    let is_tilde = |at: Option<usize>| at.and_then(|at| chars.get(at)) == Some(&'~');
    is_tilde(Some(at)) && is_tilde(Some(at + 1)) && !is_tilde(Some(at + 2)) && !is_tilde(at.checked_sub(1))
}

/// Whether the two tildes have a partner in the line.
fn is_struck_out(chars: &[char], at: usize) -> bool {
    chars.get(at + 2).is_some_and(|c| !c.is_whitespace()) && (at + 3..chars.len()).any(|at| is_tildes(chars, at))
}

/// Writes one character's replacement; the answer is how many characters were read.
fn push(out: &mut String, parts: &[&str]) -> usize {
    parts.iter().for_each(|part| out.push_str(part));
    1
}

/// A run of backticks: with its partner and all between them, or escaped.
fn ticks(chars: &[char], at: usize, out: &mut String) -> usize {
    let run_at = |at: usize| chars.iter().skip(at).take_while(|c| **c == '`').count();
    let length = run_at(at);
    let mut close = at + length;
    while close < chars.len() {
        match run_at(close) {
            0 => close += 1,
            run if run == length => {
                let span = chars.iter().skip(at).take(close + length - at);
                separate(out);
                out.extend(span);
                return close + length - at;
            }
            run => close += run,
        }
    }
    (0..length).for_each(|_| out.push_str("\\`"));
    length
}

/// Two neighbouring code spans would run together.
fn separate(out: &mut String) {
    if out.ends_with('`') {
        out.push(' ');
    }
}

/// Whether a bare address starts here, which many renderers make a link.
fn starts_url(chars: &[char], at: usize) -> bool {
    if at.checked_sub(1).and_then(|before| chars.get(before)).is_some_and(|c| c.is_alphanumeric()) {
        return false;
    }
    ["http://", "https://", "ftp://", "mailto:", "www."].iter().any(|start| {
        start.chars().zip(chars.iter().skip(at)).filter(|(a, b)| *a == b.to_ascii_lowercase()).count() == start.len()
    })
}

/// A bare address, as code.
fn url(chars: &[char], at: usize, out: &mut String) -> usize {
    let ends = |c: &char| c.is_whitespace() || matches!(c, '`' | '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\'' | '|');
    let address: String = chars.iter().skip(at).take_while(|c| !ends(c)).collect();
    // Punctuation after an address belongs to its sentence.
    let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    separate(out);
    out.push('`');
    out.push_str(address);
    out.push('`');
    address.chars().count()
}

#[cfg(test)]
#[path = "quoting_tests.rs"]
mod tests;
