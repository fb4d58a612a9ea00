//! What stands behind backslashes: characters by name are shown, fonts, sizes and movements are not.

use super::super::super::bracketed;
use super::glyphs::glyph;

/// What stands between the marks of an escape, in bytes; longer ones are not looked for, or a line of opening marks would be read to its end
/// for each of them.
const ARGUMENT_BYTES: usize = 512;

/// Arguments of one macro; the rest of a longer line is left out.
const ARGUMENTS: usize = 20_000;

/// A line as it is read on paper.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    /// `\c`: the next line goes on without a blank.
    pub(super) goes_on: bool,
}

/// The text of a line without its escapes.
pub(super) fn shown(line: &str) -> Shown {
    let mut out = Shown::default();
    let mut rest = line;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.text.push_str(before);
        rest = out.escape(escaped);
    }
    out.text.push_str(rest);
    out
}

/// The same, of a line that nothing goes on with.
pub(super) fn plain(line: &str) -> String {
    shown(line).text
}

impl Shown {
    /// Shows what an escape stands for, and gives back what follows it.
    fn escape<'t>(&mut self, escaped: &'t str) -> &'t str {
        let mut chars = escaped.chars();
        let Some(kind) = chars.next() else { return "" };
        let behind = chars.as_str();
        match kind {
            'e' | '\\' | 'E' => self.text.push('\\'),
            '-' | '_' | '.' | '@' => self.text.push(kind),
            '\'' => self.text.push('´'),
            '`' => self.text.push('`'),
            ' ' | '0' | '~' | 't' => self.text.push(' '),
            'c' => self.goes_on = true,
            '(' | '[' | 'C' => {
                let (name, behind) = if kind == 'C' { quoted(behind) } else { name(escaped) };
                self.text.push_str(&glyph(name).unwrap_or_default());
                return behind;
            }
            'N' => {
                let (number, behind) = quoted(behind);
                self.text.extend(number.parse().ok().and_then(char::from_u32).filter(|c| !c.is_control()));
                return behind;
            }
            'f' | 'F' | 'g' | 'k' | 'm' | 'M' | 'n' | 'O' | 'V' | 'Y' | '*' | '$' => {
                let signed = behind.strip_prefix(['+', '-']).filter(|_| kind == 'n').unwrap_or(behind);
                return name(signed).1;
            }
            's' => return size(behind),
            'h' => {
                let (moved, behind) = quoted(behind);
                // What moves to the right leaves a gap.
                if moved.trim_start_matches(['+', '0']).starts_with(|c: char| c.is_ascii_digit()) {
                    self.text.push(' ');
                }
                return behind;
            }
            // Characters above one another, and in any place.
            'o' | 'b' | 'Z' => {
                let (inside, behind) = quoted(behind);
                let first = if kind == 'o' { 1 } else { usize::MAX };
                self.text.extend(inside.chars().take(first).filter(|c| *c != '\\'));
                return behind;
            }
            'A' | 'B' | 'D' | 'H' | 'l' | 'L' | 'R' | 'S' | 'v' | 'w' | 'x' | 'X' => return quoted(behind).1,
            // Thin blanks, places to break, half lines up and down, blocks.
            '&' | ')' | '%' | '/' | ',' | '|' | '^' | ':' | '!' | '?' | '{' | '}' | 'a' | 'd' | 'p' | 'r' | 'u'
            | 'z' => {}
            // What is no escape is shown as it is, a tab as well.
            other => self.text.push(other),
        }
        behind
    }
}

/// A name behind an escape in its three forms: `x`, `(xx`, `[name]`.
pub(super) fn name(text: &str) -> (&str, &str) {
    if let Some(long) = text.strip_prefix('[') {
        return bracketed(long, ARGUMENT_BYTES).unwrap_or((long, ""));
    }
    let (start, length) = text.strip_prefix('(').map_or((text, 1), |short| (short, 2));
    let end = start.char_indices().nth(length).map_or(start.len(), |(at, _)| at);
    start.split_at_checked(end).unwrap_or((start, ""))
}

/// What stands between two equal marks, such as `'…'`.
pub(super) fn quoted(text: &str) -> (&str, &str) {
    let Some(mark) = text.chars().next() else { return ("", "") };
    let inside = text.get(mark.len_utf8()..).unwrap_or_default();
    let near = inside.get(..inside.floor_char_boundary(ARGUMENT_BYTES)).unwrap_or_default();
    match near.find(mark) {
        Some(end) => (near.get(..end).unwrap_or_default(), inside.get(end + mark.len_utf8()..).unwrap_or_default()),
        None => ("", inside),
    }
}

/// What follows a size: `\s0`, `\s-1`, `\s+12`, `\s(12`, `\s[12]`, `\s'12'`.
fn size(text: &str) -> &str {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.starts_with('\'') {
        return quoted(unsigned).1;
    }
    if unsigned.starts_with(['(', '[']) {
        let behind = name(unsigned).1;
        return behind;
    }
    let digits = unsigned.bytes().take(2).take_while(u8::is_ascii_digit).count();
    // Sizes of two digits begin with 1, 2 or 3.
    let digits = if digits == 2 && !unsigned.starts_with(['1', '2', '3']) { 1 } else { digits };
    unsigned.get(digits..).unwrap_or_default()
}

/// A line without its comment.
pub(super) fn uncommented(line: &str) -> &str {
    let mut at = 0;
    while let Some(found) = line.get(at..).and_then(|rest| rest.find('\\')) {
        let escape = at + found;
        match line.as_bytes().get(escape + 1) {
            Some(b'"' | b'#') => return line.get(..escape).unwrap_or(line),
            Some(_) => at = line.ceil_char_boundary(escape + 2),
            None => break,
        }
    }
    line
}

/// The arguments of a macro: words, or what stands between quotes.
pub(super) fn arguments(text: &str) -> Vec<Argument> {
    let mut all: Vec<Argument> = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while let Some(first) = rest.chars().next().filter(|_| all.len() < ARGUMENTS) {
        let mut argument = Argument { text: String::new(), is_quoted: first == '"' };
        let mut chars = rest.char_indices().skip(usize::from(argument.is_quoted)).peekable();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            match c {
                '"' if argument.is_quoted && next == Some('"') => {
                    chars.next();
                    argument.text.push('"');
                }
                '"' if argument.is_quoted => {
                    end = at + 1;
                    break;
                }
                ' ' if !argument.is_quoted => {
                    end = at;
                    break;
                }
                '\\' => {
                    argument.text.push(c);
                    argument.text.extend(chars.next().map(|(_, escaped)| escaped));
                }
                c => argument.text.push(c),
            }
        }
        all.push(argument);
        rest = rest.get(end..).unwrap_or_default().trim_start_matches(' ');
    }
    all
}

/// An argument as it is written, with its escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) text: String,
    pub(super) is_quoted: bool,
}
