//! Foreign text inside a Markdown report: it is shown as it is and does nothing.
//!
//! Document text is untrusted. Quoted in a report it must not leave its quote, must not become HTML, an image or a link, and must not look
//! like one of the report's own citations (`[3]`). Code keeps its fences, which are written anew. Control characters are shown as `�`: a report is
//! also printed on terminals.

use crate::core::base::plain::acts;
pub(crate) use crate::core::base::plain::turns;

/// The text as a block quote.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::new();
    for block in blocks(text) {
        match block {
            Block::Text(line) => push_quoted(&mut out, &inline(&line)),
            Block::Code { info, lines } => {
                // Longer than any run inside, so that the code cannot close it.
                let fence = "`".repeat(lines.iter().map(|line| longest_run(line)).max().unwrap_or(0).max(2) + 1);
                push_quoted(&mut out, &format!("{fence}{info}"));
                lines.iter().for_each(|line| push_quoted(&mut out, line));
                push_quoted(&mut out, &fence);
            }
        }
    }
    out
}

/// What stands around a marked word until the text is made literal; the text itself cannot hold it.
const MARK: char = '\u{e000}';

/// The text as a block quote with these places of it in bold, as far as they stand in running text: what is code or an address is not
/// touched. Places are in ascending order.
pub(crate) fn marked_quote(text: &str, places: &[std::ops::Range<usize>]) -> String {
    let mut marked = String::with_capacity(text.len() + 8 * places.len());
    let (mut at, mut in_code) = (0, false);
    let mut places = places.iter().peekable();
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let is_fence = fence(line).is_some();
        let line_start = at;
        let is_code = in_code || is_fence;
        in_code ^= is_fence;
        while let Some(place) = places.next_if(|place| place.start < end) {
            let (Some(before), Some(word)) = (text.get(at..place.start), text.get(place.clone())) else { continue };
            let is_text = !is_code && place.end <= end && is_running_text(line, place.start - line_start, word);
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
    quote(&marked).replace(MARK, "**")
}

fn push_unmarked(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if c == MARK { '\u{fffd}' } else { c }));
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
    inline(&one_line(text, chars))
}

/// Foreign text as code in a line: nothing in it is active, and it can be copied.
pub(crate) fn code(text: &str, chars: usize) -> String {
    let line = one_line(text, chars);
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
    Code { info: String, lines: Vec<String> },
}

/// Splits a text into lines and fenced code. Every line end that Markdown knows is one here, also a lone carriage return.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(char, usize, String, Vec<String>)> = None;
    for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
        let line: String = line.chars().map(shown).collect();
        open = match (open, fence(&line)) {
            (Some((mark, length, info, lines)), Some((m, l, rest))) if m == mark && l >= length && rest.is_empty() => {
                blocks.push(Block::Code { info, lines });
                None
            }
            (Some((mark, length, info, mut lines)), _) => {
                lines.push(line);
                Some((mark, length, info, lines))
            }
            (None, Some((mark, length, rest))) => Some((mark, length, language(rest), Vec::new())),
            (None, None) => {
                blocks.push(Block::Text(line.trim_end().to_owned()));
                None
            }
        };
    }
    if let Some((_, _, info, lines)) = open {
        blocks.push(Block::Code { info, lines });
    }
    blocks
}

/// The mark, length and rest of a line that opens or closes a code block.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    // Backticks later in the line make it inline code, not a fence.
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length, rest.trim()))
}

/// The language of a code block, if it looks like the name of one.
fn language(info: &str) -> String {
    info.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '_' | '-')).take(20).collect()
}

/// What stands for a character that must not reach a terminal or turn the direction of text.
fn shown(c: char) -> char {
    if c != '\t' && acts(c) { '\u{fffd}' } else { c }
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
fn inline(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let mut out = String::with_capacity(line.len() + 16);
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        at += match c {
            '`' => ticks(&chars, at, &mut out),
            _ if starts_url(&chars, at) => url(&chars, at, &mut out),
            '[' => push(&mut out, &["\\", "["]),
            // Before punctuation (an address gets a backtick) it would escape what follows, also an escape of ours.
            '\\' if next.is_none_or(|next| next.is_ascii_punctuation()) || starts_url(&chars, at + 1) => {
                push(&mut out, &["\\", "\\"])
            }
            '<' if next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')) => {
                push(&mut out, &["\\", "<"])
            }
            _ => {
                out.push(c);
                1
            }
        };
    }
    out
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
