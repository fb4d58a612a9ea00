//! The lines of `mdoc` macros: words, flags, references, names of functions, and the punctuation between them.

use super::super::escapes::{Argument, plain};
use super::names::{closer, enclosure, is_callable, library, opener, standard, system};

/// What is known where a line is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'p> {
    /// What the page is about.
    pub(super) name: &'p str,
    pub(super) in_synopsis: bool,
    /// Whether words have blanks between them.
    pub(super) is_spaced: bool,
}

/// A line that is being written.
#[derive(Debug)]
pub(super) struct Words<'p> {
    around: Around<'p>,
    pub(super) text: String,
    /// It has no blank before it, and none behind it.
    pub(super) begins_glued: bool,
    pub(super) ends_glued: bool,
    /// How many terms were opened that go on with other lines.
    pub(super) opened: i32,
}

impl<'p> Words<'p> {
    /// Reads the line of a macro.
    pub(super) fn of(around: Around<'p>, name: &str, all: &[Argument]) -> Self {
        let mut words = Self { around, text: String::new(), begins_glued: false, ends_glued: false, opened: 0 };
        // Punctuation at the end stands behind whatever the line encloses.
        let tail = all.iter().rev().take_while(|argument| is_closing(argument) || is_opening(argument)).count();
        let (said, tail) = all.split_at_checked(all.len() - tail).unwrap_or((all, &[]));
        let mut closers = Vec::new();
        let mut current = Current::of(name, &mut words, &mut closers);
        for argument in said {
            if !argument.is_quoted && is_callable(&argument.text) {
                current.end(&mut words, true);
                current = Current::of(&argument.text, &mut words, &mut closers);
            } else if is_closing(argument) || is_opening(argument) || (argument.text == "|" && !argument.is_quoted) {
                current.end(&mut words, false);
                words.punctuation(&argument.text, is_closing(argument));
            } else {
                current.said.push(plain(&argument.text));
            }
        }
        current.end(&mut words, false);
        // What the next line is joined to stands inside of what this one encloses.
        let ends_glued = words.ends_glued;
        closers.into_iter().rev().for_each(|mark| words.attach(mark));
        words.ends_glued = ends_glued;
        tail.iter().for_each(|argument| words.punctuation(&argument.text, is_closing(argument)));
        words
    }

    fn word(&mut self, text: &str) {
        if self.text.is_empty() {
            self.begins_glued |= self.ends_glued;
        } else if !self.ends_glued && self.around.is_spaced {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.ends_glued = false;
    }

    /// A word without a blank before it.
    fn attach(&mut self, text: &str) {
        self.ends_glued = true;
        self.word(text);
    }

    fn punctuation(&mut self, mark: &str, is_closing: bool) {
        if is_closing {
            self.attach(mark);
        } else {
            self.word(mark);
            self.ends_glued = mark != "|";
        }
    }
}

/// A macro whose arguments are being read.
#[derive(Debug)]
struct Current {
    name: String,
    said: Vec<String>,
    /// It has said something, and goes on behind punctuation.
    goes_on: bool,
}

impl Current {
    fn of(name: &str, words: &mut Words<'_>, closers: &mut Vec<&'static str>) -> Self {
        let current = Self { name: name.to_owned(), said: Vec::new(), goes_on: false };
        if let Some((open, close)) = enclosure(name) {
            words.word(open);
            words.ends_glued = true;
            closers.push(close);
        } else if let Some(open) = opener(name) {
            if !open.is_empty() {
                words.word(open);
                words.ends_glued = true;
            }
            words.opened += i32::from(name == "Xo");
        } else if let Some(close) = closer(name) {
            if !close.is_empty() {
                words.attach(close);
            }
            words.opened -= i32::from(name == "Xc");
        } else if name == "Ns" {
            words.ends_glued = true;
        } else if name == "Ap" {
            words.attach("'");
            words.ends_glued = true;
        } else if name == "Ta" {
            words.attach("\t");
            words.ends_glued = true;
        }
        current
    }

    /// Writes what was said so far.
    fn end(&mut self, words: &mut Words<'_>, before_macro: bool) {
        let said = std::mem::take(&mut self.said);
        let goes_on = std::mem::replace(&mut self.goes_on, true);
        if goes_on {
            let mark = if self.name == "Fl" { "-" } else { "" };
            said.iter().for_each(|text| words.word(&format!("{mark}{text}")));
            return;
        }
        let first = said.first().map(String::as_str).unwrap_or_default();
        let rest = said.get(1..).unwrap_or_default();
        match self.name.as_str() {
            "Fl" if said.is_empty() => {
                words.word("-");
                words.ends_glued = before_macro;
            }
            "Fl" => said.iter().for_each(|text| words.word(&format!("-{text}"))),
            "Ar" if said.is_empty() => words.word("file ..."),
            "Pa" if said.is_empty() => words.word("~"),
            "Nm" if said.is_empty() => words.word(words.around.name),
            "Xr" if !said.is_empty() => {
                let section = rest.first().map(|section| format!("({section})")).unwrap_or_default();
                words.word(&format!("{first}{section}"));
                rest.iter().skip(1).for_each(|text| words.word(text));
            }
            "Fn" if !said.is_empty() => {
                let end = if words.around.in_synopsis { ";" } else { "" };
                words.word(&format!("{first}({}){end}", rest.join(", ")));
            }
            "Fa" if words.around.in_synopsis => words.word(&said.join(", ")),
            "In" if !said.is_empty() => {
                words.word(&if words.around.in_synopsis {
                    format!("#include <{first}>")
                } else {
                    format!("<{first}>")
                });
            }
            "Pf" => {
                words.word(first);
                words.ends_glued = true;
                rest.iter().for_each(|text| words.word(text));
            }
            "Lk" if rest.is_empty() => words.word(first),
            "Lk" => words.word(&format!("{}: {first}", rest.join(" "))),
            "St" => words.word(&standard(first)),
            "Lb" => words.word(&library(first)),
            "An" if first.starts_with("-split") || first.starts_with("-nosplit") => {}
            name => match system(name, &said) {
                Some(system) => words.word(&system),
                None => said.iter().for_each(|text| words.word(text)),
            },
        }
    }
}

fn is_closing(argument: &Argument) -> bool {
    !argument.is_quoted && matches!(argument.text.as_str(), "." | "," | ":" | ";" | ")" | "]" | "?" | "!")
}

fn is_opening(argument: &Argument) -> bool {
    !argument.is_quoted && matches!(argument.text.as_str(), "(" | "[")
}
