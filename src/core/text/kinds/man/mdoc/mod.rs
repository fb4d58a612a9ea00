//! The macros of the package `mdoc`, which say what things are: flags, arguments, names, lists.

mod names;
mod words;

use super::super::super::spans::PlaceInFile;
use super::super::build::TableRow;
use super::escapes::{Argument, Shown, arguments, plain};
use super::macros::requested;
use super::page::{Page, SECTION, SUBSECTION};
use super::tables::HELD_ROWS;
use crate::core::base::limits;
use crate::core::base::rows::is_listed;
use crate::core::base::sorting::sort_by_key;
use names::is_callable;
use words::{Around, Words};

/// Macros that are no words: they begin or end something.
const BLOCKS: &str = "Bd Bf Bk Bl Bt D1 Dd Dl Dt Ed Ef Ek El Ex Fd Hf It Lp Nd Os Pp Re Rs Rv Sh Sm Ss Ud Fr Ot TS TE \
     Tg";

pub(super) fn is_known(name: &str) -> bool {
    is_callable(name) || is_listed(BLOCKS, name) || name.starts_with('%') || matches!(name, "br" | "sp" | "nf" | "fi")
}

/// What is open between the macros of a page.
#[derive(Debug, Default)]
pub(super) struct Mdoc {
    /// What the page is about, as it says with its first `.Nm`.
    name: String,
    lists: Vec<List>,
    /// The open displays: whether their lines are kept.
    displays: Vec<bool>,
    /// What was said of a book, until all is.
    reference: Option<Vec<(char, String)>>,
    /// The function whose arguments follow: whether it has one already.
    function: Option<bool>,
    /// Words have no blanks between them; whether one was written since.
    crammed: Option<bool>,
}

#[derive(Debug)]
enum List {
    Terms,
    Bullets,
    Numbers(u32),
    Paragraphs,
    Columns { rows: Vec<TableRow>, open: Vec<String>, first: u32 },
}

impl Mdoc {
    pub(super) fn read(&mut self, page: &mut Page, name: &str, rest: &str) {
        let all = arguments(rest);
        let word = |at: usize| all.get(at).map(|argument| plain(&argument.text)).unwrap_or_default();
        match name {
            "Dt" => page.title = (word(0), word(1)),
            "Sh" => page.heading(SECTION, &self.words(page, "No", &all).text),
            "Ss" => page.heading(SUBSECTION, &self.words(page, "No", &all).text),
            "Pp" | "Lp" => page.paragraph(),
            "Nd" => page.text(&format!("- {}", self.words(page, "No", &all).text)),
            "Bl" => self.open_list(page, &word(0)),
            "It" => self.item(page, &all),
            "El" => self.end_list(page),
            "Bd" => self.open_display(page, &all),
            "Ed" => {
                let was_kept = self.displays.pop().unwrap_or_default();
                page.fill(true);
                if !was_kept {
                    page.paragraph();
                }
            }
            "Dl" => {
                let text = self.words(page, "No", &all).text;
                page.code_line(&text);
            }
            "D1" => {
                page.paragraph();
                self.line(page, "No", &all);
                page.paragraph();
            }
            "Rs" => self.reference = Some(Vec::new()),
            "Re" => {
                if let Some(said) = self.reference.take().and_then(cited) {
                    page.text(&format!("{said}."));
                }
            }
            "Fo" => {
                self.break_in_synopsis(page);
                page.shown(&Shown { text: format!("{}(", word(0)), goes_on: true });
                self.function = Some(false);
            }
            "Fc" => {
                self.function = None;
                page.glue();
                page.text(if in_synopsis(page) { ");" } else { ")" });
                all.iter().for_each(|argument| {
                    page.glue();
                    page.text(&plain(&argument.text));
                });
            }
            "Sm" => self.crammed = (word(0) == "off").then_some(false),
            "Ex" => page.text(&format!("The {} utility exits 0 on success, and >0 if an error occurs.", self.named(&word(1)))),
            "Rv" => page.text(&format!(
                "The {}() function returns the value 0 if successful; otherwise the value -1 is returned and the global variable errno is set to indicate the error.",
                self.named(&word(1))
            )),
            "Ud" => page.text("currently under development."),
            "Bt" => page.text("is currently in beta test."),
            "Fd" | "Hf" => {
                self.break_in_synopsis(page);
                self.line(page, "No", &all);
            }
            name if name.starts_with('%') => self.reference(page, name, &all),
            name if is_callable(name) => self.inline(page, name, &all),
            name => requested(page, name),
        }
    }

    /// Writes what is still open at the end.
    pub(super) fn finish(&mut self, page: &mut Page) {
        while !self.lists.is_empty() {
            self.end_list(page);
        }
    }

    fn named(&self, said: &str) -> String {
        if said.is_empty() { self.name.clone() } else { said.to_owned() }
    }

    fn words<'w>(&'w self, page: &Page, name: &str, all: &[Argument]) -> Words<'w> {
        let around = Around { name: &self.name, in_synopsis: in_synopsis(page), is_spaced: self.crammed.is_none() };
        Words::of(around, name, all)
    }

    /// A line of words.
    fn line(&mut self, page: &mut Page, name: &str, all: &[Argument]) {
        let Words { text, begins_glued, ends_glued, opened, .. } = self.words(page, name, all);
        let is_crammed = self.crammed.as_mut().is_some_and(|begun| std::mem::replace(begun, true));
        if begins_glued || is_crammed {
            page.glue();
        }
        if !text.is_empty() {
            page.shown(&Shown { text, goes_on: ends_glued });
        } else if ends_glued {
            page.glue();
        }
        if opened < 0 {
            page.keep_term_open(false);
        }
    }

    fn inline(&mut self, page: &mut Page, name: &str, all: &[Argument]) {
        if name == "Nm" && self.name.is_empty() {
            self.name = all.first().map(|argument| plain(&argument.text)).unwrap_or_default();
        }
        if matches!(name, "Nm" | "Ft" | "Fn" | "In" | "Vt") {
            self.break_in_synopsis(page);
        }
        if name == "Ta" || matches!(self.lists.last(), Some(List::Columns { .. })) {
            return self.in_columns(page, name, all);
        }
        // The arguments of a function that follow one by one.
        if let (Some(has_one), "Fa") = (&mut self.function, name) {
            if std::mem::replace(has_one, true) {
                page.glue();
                page.text(",");
            } else {
                page.glue();
            }
        }
        self.line(page, name, all);
    }

    fn break_in_synopsis(&self, page: &mut Page) {
        if in_synopsis(page) && self.lists.is_empty() {
            page.break_line();
        }
    }

    fn reference(&mut self, page: &mut Page, name: &str, all: &[Argument]) {
        let said = self.words(page, "No", all).text;
        match &mut self.reference {
            Some(parts) => parts.push((name.chars().nth(1).unwrap_or_default(), said)),
            None => page.text(&said),
        }
    }

    fn open_display(&mut self, page: &mut Page, all: &[Argument]) {
        let is_kept = all.iter().any(|argument| matches!(argument.text.as_str(), "-literal" | "-unfilled"));
        self.displays.push(is_kept);
        if is_kept {
            page.fill(false);
        } else {
            page.paragraph();
        }
    }

    fn open_list(&mut self, page: &mut Page, kind: &str) {
        if self.lists.len() >= limits::EXTRACT_DEPTH {
            return;
        }
        page.nest();
        let list = match kind {
            "-bullet" | "-dash" | "-hyphen" => List::Bullets,
            "-enum" => List::Numbers(0),
            "-item" => List::Paragraphs,
            "-column" if page.cell.is_none() => List::Columns { rows: Vec::new(), open: Vec::new(), first: page.line },
            _ => List::Terms,
        };
        self.lists.push(list);
    }

    fn item(&mut self, page: &mut Page, all: &[Argument]) {
        match self.lists.last_mut() {
            Some(List::Bullets) => page.item("-"),
            Some(List::Numbers(number)) => {
                *number = number.saturating_add(1);
                page.item(&format!("{number}."));
            }
            Some(List::Paragraphs) => page.paragraph(),
            Some(List::Columns { .. }) => {
                self.end_row(page);
                if let Some(List::Columns { first, .. }) = self.lists.last_mut() {
                    *first = page.line;
                }
                page.cell = Some(String::new());
                self.in_columns(page, "No", all);
            }
            Some(List::Terms) | None => {
                let Words { text, opened, .. } = self.words(page, "No", all);
                if text.is_empty() {
                    page.paragraph();
                    return;
                }
                page.entry_of(&Shown { text, goes_on: false });
                page.keep_term_open(opened > 0);
            }
        }
    }

    /// Words in a list of columns, which tabs or a macro end.
    fn in_columns(&mut self, page: &mut Page, name: &str, all: &[Argument]) {
        let text = self.words(page, name, all).text;
        for (no, part) in text.split('\t').enumerate() {
            if no > 0
                && let Some(List::Columns { open, .. }) = self.lists.last_mut()
            {
                let cell = page.cell.replace(String::new()).unwrap_or_default();
                if open.len() < limits::EXTRACT_TABLE_COLUMNS {
                    open.push(cell);
                }
            }
            if !part.trim().is_empty() {
                page.text(part.trim());
            }
        }
    }

    fn end_row(&mut self, page: &mut Page) {
        let Some(List::Columns { rows, open, first }) = self.lists.last_mut() else { return };
        let mut cells = std::mem::take(open);
        cells.extend(page.cell.take());
        if cells.iter().any(|cell| !cell.is_empty()) {
            let last = page.line.saturating_sub(1).max(*first);
            rows.push(TableRow { cells, place: Some(PlaceInFile::lines(*first, last)), ..TableRow::default() });
        }
        if rows.len() >= HELD_ROWS {
            page.table(std::mem::take(rows));
        }
    }

    fn end_list(&mut self, page: &mut Page) {
        self.end_row(page);
        if let Some(List::Columns { rows, .. }) = self.lists.pop() {
            page.table(rows);
        }
        page.outdent();
    }
}

/// The order in which the parts of a citation are said: authors, title, book, …, day.
const CITED: &str = "ATBIJRNVUPQCDO";

/// A citation in words.
fn cited(mut parts: Vec<(char, String)>) -> Option<String> {
    sort_by_key(&mut parts, |(kind, _)| CITED.find(*kind));
    // What stands in a book or a journal is quoted.
    if parts.iter().any(|(kind, _)| matches!(kind, 'B' | 'J')) {
        parts.iter_mut().filter(|(kind, _)| *kind == 'T').for_each(|(_, title)| *title = format!("“{title}”"));
    }
    let authors: Vec<String> = parts.extract_if(.., |(kind, _)| *kind == 'A').map(|(_, name)| name).collect();
    let authors = match authors.split_last() {
        Some((last, [])) => Some(last.clone()),
        Some((last, [one])) => Some(format!("{one} and {last}")),
        Some((last, others)) => Some(format!("{}, and {last}", others.join(", "))),
        None => None,
    };
    let said: Vec<String> = authors.into_iter().chain(parts.into_iter().map(|(_, said)| said)).collect();
    Some(said.join(", ")).filter(|said| !said.is_empty())
}

fn in_synopsis(page: &Page) -> bool {
    page.section == "SYNOPSIS"
}
