//! Source code: cut at definitions, each with the comments above it and below the name of what it stands in.
//!
//! By the look of lines, for all languages alike: a parser for each would be better at each and break on all the others. What is not recognised stays a
//! block of lines and is found all the same.

use std::collections::BTreeSet;
use std::ops::Range;

use super::code_settings::{STATEMENTS, braces, setting};
use super::lines::{LineMap, lines_in};
use super::outline::{Block, CutAt, Item};
use super::{Contents, cut, one_line};
use crate::core::base::rows::is_listed;

/// Deeper definitions, in columns, are part of the one around them.
const DEEPEST: usize = 8;
/// Lines above a definition that are looked at for its comment.
const COMMENT_LINES: usize = 60;

/// Words in front of a definition that say how it may be used.
const MODIFIERS: &str = "pub public private protected internal static final abstract async export default const unsafe \
     extern override virtual inline sealed open data suspend partial local native synchronized mutating declare \
     readonly case constexpr explicit";
/// Words that define what is named behind them.
const DEFINING: &str = "fn def class func function fun struct enum trait impl interface type module mod namespace \
     object protocol extension sub proc defmodule defp defun defmacro record union macro_rules! contract message \
     service rpc procedure typedef library component instance subroutine (defun (defn (define";
pub(super) fn extract(text: String) -> Contents {
    let items = items(&text);
    let places = LineMap::of(&text).into();
    Contents { title: None, text, items, places, left_out: BTreeSet::new() }
}

fn items(text: &str) -> Vec<Item> {
    let lines: Vec<Range<usize>> = lines_in(text, 0..text.len()).collect();
    let line = |at: usize| lines.get(at).map_or("", |span| cut(text, span)).trim_end();
    let mut items = Vec::new();
    let mut start = 0;
    let mut open: Vec<Open> = Vec::new();
    let mut depth = 0;
    for (at, span) in lines.iter().enumerate() {
        let around = depth;
        depth += braces(line(at));
        let (level, name) = match definition(line(at), line(at + 1)) {
            Some(definition) => {
                open.retain(|above| above.level < definition.level);
                open.push(Open { column: column(line(at)), level: definition.level, depth: around });
                (definition.level, one_line(definition.name))
            }
            // What is set beside a definition, and not inside it, is no part of it.
            None if setting(line(at)).is_some() => {
                let is_beside = |above: &Open| column(line(at)) <= above.column && around <= above.depth;
                let Some(ended) = open.iter().position(is_beside).and_then(|from| open.drain(from..).next()) else {
                    continue;
                };
                (ended.level, String::new())
            }
            None => continue,
        };
        let first = first_comment(&line, at, start);
        let begin = lines.get(first).map_or(span.start, |span| span.start);
        push_block(&mut items, text, &lines, start, first);
        items.push(Item::Heading { level, text: name, span: begin..begin });
        start = first;
    }
    push_block(&mut items, text, &lines, start, lines.len());
    items
}

/// A definition that goes on.
struct Open {
    column: usize,
    level: u8,
    /// The braces around it.
    depth: i32,
}

/// How far a line of code is indented.
fn column(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The lines from one to before another as a block, best cut behind empty lines.
pub(super) fn push_block(items: &mut Vec<Item>, text: &str, lines: &[Range<usize>], from: usize, to: usize) {
    let Some(inside) = lines.get(from..to).filter(|inside| !inside.is_empty()) else { return };
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return };
    let blank = |pair: &[Range<usize>]| match pair {
        [above, below] if cut(text, above).trim().is_empty() => Some(below.start),
        _ => None,
    };
    let cuts = inside.windows(2).filter_map(blank).collect();
    items.push(Item::Block(Block { span: first.start..last.end, shape: CutAt::Lines, cuts }));
}

struct Definition<'t> {
    level: u8,
    /// Its line, without what opens its body.
    name: &'t str,
}

fn definition<'t>(line: &'t str, next: &str) -> Option<Definition<'t>> {
    let code = line.trim_start();
    let indent = column(line);
    if code.is_empty() || indent > DEEPEST || code.ends_with(';') || code.len() > 400 {
        return None;
    }
    let mut words = code.split_whitespace().peekable();
    let mut modified = false;
    while words.peek().is_some_and(|word| is_modifier(word)) {
        words.next();
        modified = true;
    }
    let word = words.next()?;
    let named = words.next().is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || "_&<'\"".contains(c)));
    let defines = (is_listed(DEFINING, word) || word.starts_with("impl<") || is_created(code))
        && (named || word == "impl" || code.starts_with("func ("));
    let opens = code.ends_with('{') || next.trim() == "{";
    if !(defines || is_function(code, word, indent, modified, opens)) {
        return None;
    }
    let level = match indent {
        0 => 1,
        1..=4 => 2,
        _ => 3,
    };
    Some(Definition { level, name: code.trim_end_matches(['{', ':', ' ', '\t']) })
}

fn is_modifier(word: &str) -> bool {
    is_listed(MODIFIERS, word) || word.starts_with("pub(") || word == "\"C\""
}

/// `CREATE TABLE …` and its like.
fn is_created(code: &str) -> bool {
    code.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("create "))
}

/// A function without a word that says so: `int main(void) {`, `name() {`, `const f = (x) => {`.
fn is_function(code: &str, first: &str, indent: usize, modified: bool, opens: bool) -> bool {
    let Some((before, behind)) = code.split_once('(') else { return false };
    let is_word = |word: &str| is_listed(STATEMENTS, word.trim_end_matches(['(', '{']));
    if !opens
        || is_word(first)
        || is_word(before.trim())
        || before.starts_with(['}', '#', '@', '/', '*', '-', '.', '"', '\''])
    {
        return false;
    }
    let is_arrow = before.contains(" = ") && (behind.contains("=>") || before.contains("function"));
    let is_shell =
        behind.trim_start().starts_with(')') && before.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    let is_typed = before.split_whitespace().count() + usize::from(modified) >= 2 && !before.contains(['=', '.', '"']);
    is_arrow || is_shell || (is_typed && (indent == 0 || modified))
}

/// The first line of the comments and attributes right above a line, not before `least`.
fn first_comment<'t>(line: &impl Fn(usize) -> &'t str, at: usize, least: usize) -> usize {
    let is_about = |text: &str| {
        let text = text.trim_start();
        let marks = ["//", "/*", "*", "#", "--", ";;", "@", "%", "\"\"\"", "'''", "[", "<!--"];
        !text.is_empty() && marks.iter().any(|mark| text.starts_with(mark)) && !text.starts_with("#include")
    };
    (least..at).rev().take(COMMENT_LINES).take_while(|above| is_about(line(*above))).last().unwrap_or(at)
}
