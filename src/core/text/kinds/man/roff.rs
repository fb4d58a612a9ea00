//! The language below the macros: lines that go on, comments, conditions, strings, and macros that a page defines for itself.
//!
//! Whatever a page makes of a few lines (strings in strings, macros in macros) comes out of one budget, and is nested to a fixed depth.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::str::Lines;

use super::conditions;
use super::escapes::{self, Argument, arguments, name, quoted, uncommented};

/// Macros that call macros, and strings that hold strings; pages have two or three levels of them.
const DEPTH: usize = 8;
/// Bytes that strings and macros may put into a page; pages that programs wrote have some ten thousand.
const EXPANDED_BYTES: usize = 2 << 20;
/// Conditions in one line; each hands the rest of the line on.
const CHAINED: usize = 50;
/// The width of a character, in the unit that roff counts in for terminals.
const CHARACTER_WIDTH: usize = 24;

/// A line of a page, after everything that roff itself does with it.
#[derive(Debug)]
pub(super) struct Line {
    /// Where it stands in the file; of what a macro made, where that is called.
    pub(super) number: u32,
    pub(super) said: Said,
}

#[derive(Debug)]
pub(super) enum Said {
    Text(String),
    Macro { name: String, rest: String },
}

/// A page that is being read.
#[derive(Debug)]
pub(super) struct Roff<'t> {
    lines: Lines<'t>,
    number: u32,
    /// Macros of the page that are being gone through, the innermost last.
    calls: Vec<Call>,
    /// What is left of a line behind its condition.
    pending: Option<String>,
    /// How many conditions of the line were read.
    chained: usize,
    macros: BTreeMap<String, Rc<[String]>>,
    strings: BTreeMap<String, String>,
    registers: BTreeMap<String, i64>,
    /// What the conditions were whose `.el` has not come yet.
    conditions: Vec<bool>,
    /// Bytes that strings and macros may still put into the page.
    budget: usize,
    /// Whether a macro is one of the package that the page is written with; those are not defined by pages.
    pub(super) is_known: fn(&str) -> bool,
}

#[derive(Debug)]
struct Call {
    body: Rc<[String]>,
    at: usize,
    arguments: Rc<[String]>,
}

/// Strings that the packages define.
const STRINGS: [(&str, &str); 21] = [
    ("--", "--"),
    ("Am", "&"),
    ("Ba", "|"),
    ("Ge", "\\(>="),
    ("Gt", ">"),
    ("If", "\\(if"),
    ("L\"", "\\(dq"),
    ("Le", "\\(<="),
    ("Lq", "\\(lq"),
    ("Lt", "<"),
    ("Na", "NaN"),
    ("Ne", "\\(!="),
    ("Pi", "\\(*p"),
    ("Pm", "\\(+-"),
    ("R", "\\(rg"),
    ("R\"", "\\(dq"),
    ("Rq", "\\(rq"),
    ("Tm", "\\(tm"),
    ("lq", "\\(lq"),
    ("q", "\\(dq"),
    ("rq", "\\(rq"),
];

impl<'t> Roff<'t> {
    pub(super) fn new(text: &'t str, is_known: fn(&str) -> bool) -> Self {
        Self {
            lines: text.lines(),
            number: 0,
            calls: Vec::new(),
            pending: None,
            chained: 0,
            macros: BTreeMap::new(),
            strings: STRINGS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            registers: BTreeMap::from([(".g".to_owned(), 1)]),
            conditions: Vec::new(),
            budget: EXPANDED_BYTES,
            is_known,
        }
    }

    /// The next line that somebody else has to understand.
    pub(super) fn next_line(&mut self) -> Option<Line> {
        loop {
            let line = match self.pending.take() {
                Some(_) if self.chained >= CHAINED => continue,
                Some(pending) => {
                    self.chained += 1;
                    pending
                }
                None => {
                    self.chained = 0;
                    let line = self.read()?;
                    self.interpolated(&line, 0)
                }
            };
            if let Some(said) = self.understood(line) {
                return Some(Line { number: self.number.max(1), said });
            }
        }
    }

    /// Leaves out all lines up to one that calls this.
    pub(super) fn skip_until(&mut self, end: &str) {
        while let Some(line) = self.raw() {
            if control(&line).is_some_and(|(name, _)| name == end) {
                break;
            }
        }
    }

    /// A line with those that it goes on with, and without comments.
    fn read(&mut self) -> Option<String> {
        let first = self.raw()?;
        let mut line = uncommented(&first).to_owned();
        let has_comment = line.len() < first.len();
        if has_comment && control(&line).is_some() {
            line.truncate(line.trim_end().len());
        }
        // `\#` hides the end of its line, too.
        let mut goes_on = first.get(line.len()..).is_some_and(|hidden| hidden.starts_with("\\#"));
        while goes_on || (!has_comment && ends_open(&line)) {
            if !goes_on {
                line.pop();
            }
            let Some(next) = self.raw() else { break };
            let said = uncommented(&next);
            goes_on = next.get(said.len()..).is_some_and(|hidden| hidden.starts_with("\\#"));
            line.push_str(said);
            if said.len() < next.len() && !goes_on {
                break;
            }
        }
        Some(line)
    }

    /// A line as it is written: of a macro with its arguments, or of the file.
    fn raw(&mut self) -> Option<String> {
        while let Some(call) = self.calls.last_mut() {
            let Some(line) = call.body.get(call.at).filter(|_| self.budget > 0) else {
                self.calls.pop();
                continue;
            };
            call.at += 1;
            let line = filled(line, &call.arguments, self.budget);
            self.budget = self.budget.saturating_sub(line.len() + 1);
            return Some(line);
        }
        self.number = self.number.saturating_add(1);
        self.lines.next().map(|line| line.trim_end_matches('\r').to_owned())
    }

    /// What a line says to others; nothing where it only speaks to roff.
    fn understood(&mut self, line: String) -> Option<Said> {
        let line = without_ends(line);
        let Some((request, rest)) = control(&line) else {
            return Some(Said::Text(line));
        };
        match request {
            "" => {}
            "de" | "de1" | "dei" | "am" | "am1" => self.define(request, rest),
            "ig" => self.skip_until(rest.split_whitespace().next().unwrap_or(".")),
            "if" | "ie" | "while" => self.decide(request, rest),
            "el" => {
                let taken = !self.conditions.pop().unwrap_or(true);
                self.take(taken, rest);
            }
            "ds" | "ds1" | "as" | "as1" => self.define_string(request, rest),
            "nr" => self.define_register(rest),
            "rm" | "rr" => {
                self.macros.remove(rest.trim());
            }
            "als" => {
                let mut names = rest.split_whitespace();
                if let (Some(new), Some(old)) = (names.next(), names.next()) {
                    let body = self.macros.get(old).cloned().unwrap_or_else(|| [format!(".{old} \\$@")].into());
                    self.macros.insert(new.to_owned(), body);
                }
            }
            "do" => self.pending = Some(format!(".{rest}")),
            "nop" => self.pending = Some(rest.to_owned()),
            "return" => {
                self.calls.pop();
            }
            request => return self.called(request, rest),
        }
        None
    }

    /// A macro of the page is gone through; one of its package is for others.
    fn called(&mut self, name: &str, rest: &str) -> Option<Said> {
        let own = self.macros.get(name).filter(|_| !(self.is_known)(name)).cloned();
        let Some(body) = own else {
            return Some(Said::Macro { name: name.to_owned(), rest: rest.to_owned() });
        };
        if self.calls.len() < DEPTH {
            let arguments = arguments(rest).into_iter().map(|argument| argument.text).collect();
            self.calls.push(Call { body, at: 0, arguments });
        }
        None
    }

    /// Keeps the body of a macro.
    fn define(&mut self, request: &str, rest: &str) {
        let mut words = rest.split_whitespace();
        let name = words.next().unwrap_or_default().to_owned();
        let end = words.next().unwrap_or(".").to_owned();
        let mut body: Vec<String> = match self.macros.get(&name) {
            Some(before) if request.starts_with("am") && self.budget > 0 => {
                let size: usize = before.iter().map(|line| line.len() + 1).sum();
                self.budget = self.budget.saturating_sub(size);
                before.to_vec()
            }
            _ => Vec::new(),
        };
        while let Some(line) = self.raw() {
            if control(&line).is_some_and(|(name, _)| name == end) {
                break;
            }
            body.push(line);
        }
        self.macros.insert(name, body.into());
    }

    fn decide(&mut self, request: &str, rest: &str) {
        let is_defined = |name: &str| self.macros.contains_key(name) || self.strings.contains_key(name);
        let is_defined = |name: &str| is_defined(name) || (self.is_known)(name);
        let facts = conditions::Facts {
            is_defined: &is_defined,
            has_register: &|name: &str| self.registers.contains_key(name),
        };
        let (met, behind) = conditions::met(rest, &facts);
        // What is done again and again is not done once: what ends it is not understood.
        let taken = request != "while" && met == Some(true);
        if request == "ie" {
            // Where it is not understood, what stands for the other case is taken.
            self.conditions.push(taken);
        }
        let behind = behind.to_owned();
        self.take(taken, &behind);
    }

    /// Goes on with what stands behind a condition, or behind the block that it begins.
    fn take(&mut self, taken: bool, rest: &str) {
        let rest = rest.trim_start_matches([' ', '\t']);
        let inside = rest.strip_prefix("\\{");
        if taken {
            let said = inside.unwrap_or(rest).trim_start_matches([' ', '\t']);
            // A block may begin with the next line.
            self.pending = Some(said.trim_end_matches('\\').to_owned()).filter(|said| !said.is_empty());
            return;
        }
        // A condition alone in its line decides on the next.
        if rest.is_empty() {
            self.read();
        }
        let Some(inside) = inside else { return };
        let mut open = depth(inside, 1);
        while open > 0 {
            let Some(line) = self.read() else { break };
            open = depth(&line, open);
        }
    }

    fn define_string(&mut self, request: &str, rest: &str) {
        let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let value = value.trim_start_matches(' ').replace("\\\\", "\\");
        let value = value.strip_prefix('"').unwrap_or(&value);
        if STRINGS.iter().any(|(known, _)| *known == name) || value.len() > self.budget {
            return;
        }
        self.budget -= value.len();
        let kept = self.strings.entry(name.to_owned()).or_default();
        if request.starts_with("ds") {
            kept.clear();
        }
        kept.push_str(value);
    }

    fn define_register(&mut self, rest: &str) {
        let mut words = rest.split_whitespace();
        let (Some(name), Some(value)) = (words.next(), words.next()) else { return };
        let number = conditions::number(value.trim_start_matches('+')).unwrap_or_default();
        let before = self.registers.get(name).copied().unwrap_or_default();
        let number = if value.starts_with(['+', '-']) { before.saturating_add(number) } else { number };
        self.registers.insert(name.to_owned(), number);
    }

    /// A line with the values of its strings and registers.
    fn interpolated(&mut self, line: &str, level: usize) -> String {
        if !line.contains("\\*") && !line.contains("\\n") && !line.contains("\\w") {
            return line.to_owned();
        }
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, escaped)) = rest.split_once('\\') {
            out.push_str(before);
            let mut chars = escaped.chars();
            let kind = chars.next();
            let behind = chars.as_str();
            rest = match kind {
                Some('*') => {
                    let (name, behind) = name(behind);
                    // Behind a name there may be arguments.
                    let name = name.split(' ').next().unwrap_or_default();
                    let value = self.strings.get(name).filter(|value| value.len() <= self.budget).cloned();
                    if let Some(value) = value.filter(|_| level < DEPTH) {
                        self.budget -= value.len();
                        // A quote in a string begins no argument.
                        out.push_str(&self.interpolated(&value, level + 1).replace('"', "\\(dq"));
                    }
                    behind
                }
                Some('n') => {
                    let (name, behind) = name(behind.strip_prefix(['+', '-']).unwrap_or(behind));
                    out.push_str(&self.register(name).to_string());
                    behind
                }
                Some('w') => {
                    let (measured, behind) = quoted(behind);
                    out.push_str(&(escapes::plain(measured).chars().count() * CHARACTER_WIDTH).to_string());
                    behind
                }
                kind => {
                    out.push('\\');
                    out.extend(kind);
                    behind
                }
            };
        }
        out.push_str(rest);
        out
    }

    fn register(&self, name: &str) -> i64 {
        if name == ".$" {
            return self.calls.last().and_then(|call| i64::try_from(call.arguments.len()).ok()).unwrap_or_default();
        }
        self.registers.get(name).copied().unwrap_or_default()
    }
}

/// The request or macro that a line calls, and what stands behind it.
pub(super) fn control(line: &str) -> Option<(&str, &str)> {
    let behind = line.strip_prefix(['.', '\''])?.trim_start_matches([' ', '\t']);
    let end = behind.find([' ', '\t', '\\']).unwrap_or(behind.len());
    let (name, rest) = behind.split_at_checked(end)?;
    Some((name, rest.trim_start_matches([' ', '\t'])))
}

/// Whether a line goes on with the next: it ends with a backslash that is not escaped itself.
fn ends_open(line: &str) -> bool {
    let backslashes = line.len() - line.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// How many blocks are open behind a line.
fn depth(line: &str, before: usize) -> usize {
    let mut open = before;
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            continue;
        }
        match bytes.next() {
            Some(b'{') => open += 1,
            Some(b'}') => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    open
}

/// A line without the marks that end blocks.
fn without_ends(line: String) -> String {
    if !line.contains("\\}") {
        return line;
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.push_str(before);
        let mut chars = escaped.chars();
        let kind = chars.next();
        if kind != Some('}') {
            out.push('\\');
            out.extend(kind);
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// A line of a macro's body with the arguments of its call, at most so many bytes more.
fn filled(line: &str, arguments: &[String], most: usize) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.push_str(before);
        // One backslash of two is there so that the rest is read when the macro is called.
        let escaped = escaped.strip_prefix('\\').unwrap_or(escaped);
        let Some(behind) = escaped.strip_prefix('$').filter(|_| out.len() < most) else {
            out.push('\\');
            let mut chars = escaped.chars();
            out.extend(chars.next());
            rest = chars.as_str();
            continue;
        };
        let (name, behind) = name(behind);
        match name {
            "*" => out.push_str(&arguments.join(" ")),
            "@" => out.push_str(&arguments.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" ")),
            number => {
                let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                out.push_str(at.and_then(|at| arguments.get(at)).map(String::as_str).unwrap_or_default());
            }
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The first argument without its quotes, and all others.
pub(super) fn first_and_rest(rest: &str) -> (String, Vec<Argument>) {
    let mut all = arguments(rest);
    if all.is_empty() {
        return (String::new(), all);
    }
    let first = all.remove(0);
    (first.text, all)
}
