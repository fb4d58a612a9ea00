//! A manual page as Markdown: what its macros mean, whichever package they are of.

use super::super::super::outline::CutAt;
use super::super::super::spans::PlaceInFile;
use super::super::super::{Contents, one_line};
use super::super::build::{Builder, TableRow};
use super::escapes::{self, Shown};

/// Lines of a block that is longer than anybody writes; it is written then, and what follows is another one.
const BLOCK_LINES: usize = 10_000;
/// A paragraph of at most so many characters above an indented one is its term.
const TERM_CHARS: usize = 100;

/// A page that is being written.
#[derive(Debug)]
pub(super) struct Page {
    out: Builder,
    open: Block,
    /// Lines that are kept as they are, with their numbers.
    code: Vec<(u32, String)>,
    /// Whether lines are joined to paragraphs.
    pub(super) is_filled: bool,
    /// What comes next has no blank before it.
    is_glued: bool,
    /// What comes next begins a line.
    is_broken: bool,
    /// What comes next is the term of an entry.
    expects_term: bool,
    /// The term goes on until it is ended.
    keeps_term: bool,
    /// What comes next is a heading of this level.
    expects_heading: Option<u8>,
    /// The items that what is indented stands below: for each level, whether it is one.
    levels: Vec<bool>,
    depth: usize,
    was_item: bool,
    /// The cell of a table that is being filled in place of a paragraph.
    pub(super) cell: Option<String>,
    /// What the page is called: its name and section.
    pub(super) title: (String, String),
    /// The heading that was last written, and what the first paragraph of all says.
    pub(super) section: String,
    first: Option<String>,
    pub(super) line: u32,
}

/// A paragraph, an entry or an item whose end has not come yet.
#[derive(Debug, Default)]
struct Block {
    /// Terms, a line each.
    terms: String,
    /// The mark of a list's item in the place of a term.
    mark: Option<String>,
    text: String,
    /// Its text is indented, and terms that follow are below it.
    is_indented: bool,
    /// Where the lines of the file begin: in the terms, then in the text.
    term_lines: Vec<(usize, u32)>,
    lines: Vec<(usize, u32)>,
}

impl Block {
    /// Whether it says nothing.
    fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.text.is_empty() && self.mark.is_none()
    }
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            out: Builder::default(),
            open: Block::default(),
            code: Vec::new(),
            is_filled: true,
            is_glued: false,
            is_broken: false,
            expects_term: false,
            keeps_term: false,
            expects_heading: None,
            levels: Vec::new(),
            depth: 0,
            was_item: false,
            cell: None,
            title: (String::new(), String::new()),
            section: String::new(),
            first: None,
            line: 1,
        }
    }

    pub(super) fn is_full(&mut self) -> bool {
        self.out.is_full()
    }

    /// A line of text as it is written, with its escapes.
    pub(super) fn source(&mut self, line: &str) {
        if self.is_filled && line.starts_with(' ') {
            self.break_line();
        }
        self.shown(&escapes::shown(line));
    }

    /// Text that is read; what follows it goes on without a blank where it says so.
    pub(super) fn shown(&mut self, shown: &Shown) {
        if self.open.lines.len().max(self.open.term_lines.len()).max(self.code.len()) >= BLOCK_LINES {
            self.end_block();
        }
        let text = shown.text.as_str();
        let goes_on = shown.goes_on && !text.ends_with(char::is_whitespace);
        let glued = std::mem::replace(&mut self.is_glued, goes_on);
        if let Some(level) = self.expects_heading.take() {
            self.heading(level, text);
        } else if let Some(cell) = &mut self.cell {
            append(cell, text, if glued { "" } else { " " });
        } else if self.expects_term {
            if text.trim().is_empty() {
                return;
            }
            self.expects_term = shown.goes_on || self.keeps_term;
            self.term_text(text, glued);
        } else if self.is_filled {
            self.filled_text(text, glued);
        } else if glued && let Some((_, last)) = self.code.last_mut() {
            last.push_str(text);
        } else {
            self.code.push((self.line, text.to_owned()));
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.shown(&Shown { text: text.to_owned(), goes_on: false });
    }

    /// What comes next has no blank before it.
    pub(super) fn glue(&mut self) {
        self.is_glued = true;
    }

    fn term_text(&mut self, text: &str, glued: bool) {
        let block = &mut self.open;
        if block.term_lines.last().is_none_or(|(_, line)| *line != self.line) {
            block.term_lines.push((block.terms.len(), self.line));
        }
        append(&mut block.terms, text, if glued { "" } else { " " });
    }

    fn filled_text(&mut self, text: &str, glued: bool) {
        self.end_code();
        let block = &mut self.open;
        let between = match (glued, std::mem::take(&mut self.is_broken)) {
            (true, _) => "",
            (false, true) => "\n",
            (false, false) => " ",
        };
        let before = block.text.len();
        append(&mut block.text, text, between);
        if block.text.len() > before && block.lines.last().is_none_or(|(_, line)| *line != self.line) {
            block.lines.push((before, self.line));
        }
    }

    /// What follows begins a line.
    pub(super) fn break_line(&mut self) {
        self.is_broken = !self.open.text.is_empty();
    }

    /// A line that is kept as it is, also where lines are joined.
    pub(super) fn code_line(&mut self, text: &str) {
        self.end_block();
        self.code.push((self.line, text.to_owned()));
    }

    /// A blank line: a paragraph ends, or stays open where lines are kept.
    pub(super) fn blank(&mut self) {
        if self.cell.is_some() || (self.open.text.is_empty() && self.is_filled) {
            return;
        }
        if self.is_filled {
            self.end_block();
        } else if !self.code.is_empty() && self.code.len() < BLOCK_LINES {
            self.code.push((self.line, String::new()));
        }
    }

    /// A paragraph begins.
    pub(super) fn paragraph(&mut self) {
        if self.cell.is_some() {
            return;
        }
        self.expects_term = false;
        if self.is_filled {
            self.end_block();
        } else {
            self.blank();
        }
    }

    /// An entry begins, whose term is the next text.
    pub(super) fn entry(&mut self) {
        if self.cell.is_some() {
            return;
        }
        self.is_glued = false;
        let has_text = !self.open.text.is_empty() || !self.code.is_empty();
        if has_text || self.open.mark.is_some() || self.open.is_indented {
            self.end_block();
        } else if !self.open.terms.is_empty() && !self.open.terms.ends_with('\n') {
            // Several terms may have one explanation.
            self.open.terms.push('\n');
        }
        self.expects_term = true;
    }

    /// An entry with its term, as far as it is known already.
    pub(super) fn entry_of(&mut self, term: &Shown) {
        self.entry();
        self.shown(term);
        self.expects_term &= term.goes_on;
    }

    /// Whether the term goes on with the lines that follow.
    pub(super) fn keep_term_open(&mut self, open: bool) {
        self.keeps_term = open && self.cell.is_none();
        self.expects_term = self.keeps_term;
    }

    /// An item of a list begins.
    pub(super) fn item(&mut self, mark: &str) {
        if self.cell.is_some() {
            return;
        }
        self.end_block();
        self.is_glued = false;
        self.expects_term = false;
        self.open.mark = Some(mark.to_owned());
        self.open.lines.push((0, self.line));
    }

    /// A heading whose text is the next line.
    pub(super) fn await_heading(&mut self, level: u8) {
        self.expects_heading = Some(level);
    }

    /// A paragraph below the term or the item before it; it is the explanation where there is none yet.
    pub(super) fn goes_on_below(&mut self) {
        if self.open.text.is_empty() && self.cell.is_none() && self.is_filled {
            self.expects_term = false;
        } else {
            self.paragraph();
        }
    }

    pub(super) fn heading(&mut self, level: u8, text: &str) {
        self.end_block();
        let text = one_line(text);
        self.is_filled = true;
        self.cell = None;
        (self.levels, self.depth, self.was_item) = (Vec::new(), 0, false);
        self.out.place(PlaceInFile::lines(self.line, self.line));
        self.out.heading(level, &text);
        if level == SECTION {
            self.section = text;
        }
    }

    /// What follows is indented below what stands above.
    pub(super) fn indent(&mut self) {
        if self.cell.is_some() {
            return;
        }
        let is_term = self.is_filled
            && self.open.terms.is_empty()
            && self.open.mark.is_none()
            && self.open.lines.len() == 1
            && self.open.text.chars().nth(TERM_CHARS).is_none()
            && !self.open.text.starts_with(BULLET)
            && !self.open.text.ends_with(['.', ',']);
        if is_term {
            (self.open.terms, self.open.term_lines) =
                (std::mem::take(&mut self.open.text), std::mem::take(&mut self.open.lines));
            self.is_broken = false;
        } else if !self.open.text.is_empty() {
            self.end_block();
        }
        self.deepen();
    }

    /// A list begins, maybe in another one.
    pub(super) fn nest(&mut self) {
        if self.cell.is_none() {
            self.end_block();
            self.deepen();
        }
    }

    fn deepen(&mut self) {
        self.open.is_indented = true;
        self.depth += usize::from(self.was_item);
        self.levels.push(std::mem::take(&mut self.was_item));
    }

    pub(super) fn outdent(&mut self) {
        if self.cell.is_some() {
            return;
        }
        self.end_block();
        self.was_item = self.levels.pop().unwrap_or_default();
        self.depth = self.depth.saturating_sub(usize::from(self.was_item));
    }

    /// Lines are kept as they are from here on, or joined.
    pub(super) fn fill(&mut self, is_filled: bool) {
        if self.cell.is_none() && self.is_filled != is_filled {
            self.end_block();
            self.is_filled = is_filled;
        }
    }

    pub(super) fn table(&mut self, rows: Vec<TableRow>) {
        self.end_block();
        // What has one column is a list.
        if rows.iter().any(|row| row.cells.len() > 1) {
            self.out.table(rows);
            return;
        }
        let line = |row: TableRow| Some((row.place?.first, row.cells.into_iter().next()?));
        self.code = rows.into_iter().filter_map(line).collect();
        self.end_code();
    }

    /// Writes what is open.
    pub(super) fn end_block(&mut self) {
        self.end_code();
        (self.is_glued, self.is_broken, self.expects_term, self.keeps_term) = (false, false, false, false);
        let mut block = std::mem::take(&mut self.open);
        if block.is_empty() {
            return;
        }
        if block.terms.is_empty()
            && block.mark.is_none()
            && let Some(said) = block.text.strip_prefix(BULLET)
        {
            (block.mark, block.text) = (Some("-".to_owned()), said.trim_start().to_owned());
        }
        if let Some(mark) = block.mark {
            let first = block.lines.first().map_or(self.line, |(_, line)| *line);
            let last = block.lines.last().map_or(first, |(_, line)| *line).max(first);
            self.was_item = true;
            self.out.mark(PlaceInFile::lines(first, last));
            self.out.marked_item(self.depth, &mark, &block.text);
            return;
        }
        self.was_item = false;
        let mut text = block.terms.trim_end().to_owned();
        let mut places = block.term_lines;
        if !text.is_empty() && !block.text.is_empty() {
            text.push('\n');
        }
        places.extend(block.lines.iter().map(|(at, line)| (text.len() + at, *line)));
        text.push_str(&block.text);
        if self.first.is_none() {
            self.first = Some(text.clone());
        }
        let mut places = places.into_iter().map(|(at, line)| (at, PlaceInFile::lines(line, line)));
        places.next().into_iter().for_each(|(_, place)| self.out.place(place));
        self.out.paragraph_over(&text, CutAt::Prose, places.collect());
    }

    fn end_code(&mut self) {
        let lines = std::mem::take(&mut self.code);
        if !lines.is_empty() {
            self.was_item = false;
            self.out.code_over(lines.into_iter().map(|(line, text)| (text, PlaceInFile::lines(line, line))).collect());
        }
    }

    pub(super) fn finish(mut self) -> Contents {
        self.end_block();
        let (name, section) = &self.title;
        let name = written_name(name, self.first.as_deref().unwrap_or_default());
        let title = if section.is_empty() { name } else { format!("{name}({section})") };
        self.out.title = Some(title).filter(|title| !title.starts_with('('));
        self.out.finish()
    }
}

/// Headings of sections, and of parts of them.
pub(super) const SECTION: u8 = 2;
pub(super) const SUBSECTION: u8 = 3;
const BULLET: char = '•';

/// The name of a page as its first paragraph writes it: heads of pages are in capitals.
fn written_name(name: &str, first: &str) -> String {
    let names = first.split([',', ' ', '\n']).take_while(|word| !matches!(*word, "-" | "–" | "—" | "--"));
    let is_name = |word: &&str| word.to_lowercase() == name.to_lowercase();
    let has_small = name.contains(|c: char| c.is_lowercase());
    match names.map(str::trim).find(is_name) {
        Some(written) => written.to_owned(),
        None if has_small => name.to_owned(),
        None => name.to_lowercase(),
    }
}

/// Appends the words of a text, with this before them where something stands there.
fn append(to: &mut String, text: &str, between: &str) {
    let mut between = if between.is_empty() && text.starts_with(char::is_whitespace) { " " } else { between };
    for word in text.split_whitespace() {
        if !to.is_empty() && !to.ends_with('\n') {
            to.push_str(between);
        }
        to.push_str(word);
        between = " ";
    }
}
