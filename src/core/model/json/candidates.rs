//! Decides which opening braces to try.
//!
//! A brace in prose can make the reader swallow the answer behind it, so a try that led to nothing is followed by one
//! from the next brace. That alone would take quadratic time; therefore all such second readings share a budget, and when
//! it is used up the search goes on behind what was read.

use super::best::Best;
use super::cursor::{Cursor, is_word};
use super::read::{Try, read};
use super::string::{Braces, Escape};
use crate::core::base::limits;

/// Tries the objects of a text; returns the steps taken.
pub(super) fn candidates(text: &str, best: &mut Best) -> u64 {
    let mut cursor = Cursor::new(text);
    let mut spare = limits::JSON_FREE_STEPS + limits::JSON_RESCANS * text.len() as u64;
    let mut at = 0;
    loop {
        let start = cursor.find(at, |b| b == b'{');
        if start == text.len() {
            return cursor.steps;
        }
        at = start + 1;
        if !opens(&mut cursor, start) {
            continue;
        }
        let before = cursor.steps;
        cursor.at = start;
        // Without a budget for second readings each byte is read once and for all.
        let owned = if spare == 0 { read(&mut cursor, Braces::Ignore, best).whole } else { attempt(&mut cursor, best) };
        spare = spare.saturating_sub(cursor.steps - before);
        if owned || spare == 0 {
            at = at.max(cursor.at);
        }
    }
}

/// Reads from one brace. True: what was read belongs together, nothing in it is worth another try.
fn attempt(cursor: &mut Cursor<'_>, best: &mut Best) -> bool {
    let (start, fits, nears) = (cursor.at, best.fits, best.nears);
    let mut result = read(cursor, Braces::Pair, best);
    if result.paired && !result.whole {
        // An open brace that is never closed: read on as if braces in strings meant nothing.
        cursor.at = start;
        result = read(cursor, Braces::Ignore, best);
    }
    let Try { whole, bare, .. } = result;
    let (fitted, neared) = (best.fits > fits, best.nears > nears);
    !bare && (fitted || (neared && whole))
}

/// Whether the brace can open an object with a key. Comments are left to the reader.
fn opens(cursor: &mut Cursor<'_>, start: usize) -> bool {
    let mut at = start + 1;
    loop {
        cursor.steps += 1;
        match cursor.space(at) {
            0 => break,
            wide => at += wide,
        }
    }
    cursor.opening(at).is_some() || cursor.byte(at).is_some_and(|b| is_word(b) || matches!(b, b'/' | b'#' | b','))
}

/// Takes one layer of string encoding off: everything from the first `{\"` on, unescaped. `None` when there is none.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut cursor = Cursor::new(text);
    loop {
        cursor.at = cursor.find(cursor.at, |b| b == b'{');
        cursor.peek()?;
        if opens_escaped(&cursor) {
            break;
        }
        cursor.at += 1;
    }
    let mut inner = String::with_capacity(text.len() - cursor.at);
    while cursor.peek().is_some() {
        let run = cursor.at;
        cursor.at = cursor.find(run, |b| b == b'\\');
        inner.push_str(cursor.slice(run, cursor.at));
        if cursor.peek().is_some() {
            match cursor.escape() {
                Escape::Char(char) => inner.push(char),
                Escape::Backslash => inner.push('\\'),
                Escape::Cut => break,
            }
        }
    }
    Some(inner)
}

/// Whether the brace at the cursor is followed by an escaped quote, perhaps after blanks, escaped or not.
fn opens_escaped(cursor: &Cursor<'_>) -> bool {
    let mut at = cursor.at + 1;
    loop {
        let wide = cursor.space(at);
        let escaped = cursor.byte(at) == Some(b'\\') && matches!(cursor.byte(at + 1), Some(b'n' | b'r' | b't'));
        match (wide, escaped) {
            (0, false) => break,
            (0, true) => at += 2,
            _ => at += wide,
        }
    }
    let mut backslashes = 0;
    while cursor.byte(at) == Some(b'\\') {
        backslashes += 1;
        at += 1;
    }
    backslashes > 0 && cursor.byte(at) == Some(b'"')
}
