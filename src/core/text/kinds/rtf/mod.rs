//! RTF: paragraphs, headings, lists, tables, notes and remarks, as a reader of the document sees them. What is hidden or deleted, pictures, what fields
//! are made of, headers and footers are no part of it.

mod beside;
mod group;
mod letters;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod tokens;

use super::super::spans::PlaceInFile;
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::numbering::Mark;
use super::paragraph::{Ended, Shape};
use super::{PageEnds, Progress, Spaced, Struck};
use crate::core::base::limits;
use beside::Beside;
use group::{Goes, Group, Inside};
use letters::{Fonts, Numbered, sign};
use styles::{Styles, heading};
use table::Table;
use tokens::{Token, Tokens};

/// How a file of RTF begins.
const BEGINNING: &[u8] = b"{\\rtf";

/// The mark that some programs put before every text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes from where RTF begins, if they are some.
fn beginning(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    bytes.starts_with(BEGINNING).then_some(bytes)
}

/// Whether bytes begin as RTF does.
pub(in super::super) fn is_rtf(bytes: &[u8]) -> bool {
    beginning(bytes).is_some()
}

pub(super) fn extract(bytes: &[u8]) -> Result<Contents, Unreadable> {
    read(bytes, false)
}

/// The same with the addresses of its links, and without what people remarked.
pub(super) fn with_links(bytes: &[u8]) -> Result<Contents, Unreadable> {
    read(bytes, true)
}

fn read(bytes: &[u8], with_links: bool) -> Result<Contents, Unreadable> {
    let bytes = beginning(bytes).ok_or(Unreadable::Damaged("it is no RTF"))?;
    let mut reader = Reader { with_links, progress: Progress::new(false), ..Reader::default() };
    for token in Tokens::new(bytes) {
        if reader.out.is_full() {
            break;
        }
        reader.read(token);
    }
    Ok(reader.finish())
}

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    /// The number or dot of an item.
    mark: String,
    struck: Struck,
    /// Where in its text the part begins that is remarked on.
    remarked_from: Option<usize>,
}

/// A note below the text: where it is referred to, and what it says.
#[derive(Debug)]
struct Note {
    place: PlaceInFile,
    text: String,
}

#[derive(Debug, Default)]
struct Reader {
    out: Builder,
    with_links: bool,
    fonts: Fonts,
    usual_font: Option<i32>,
    styles: Styles,
    title: String,
    group: Group,
    /// The groups around it.
    around: Vec<Group>,
    /// Groups deeper than those that are told apart.
    too_deep: usize,
    /// The next word begins what old programs do not know.
    is_starred: bool,
    /// Bytes of text whose end has not come yet.
    bytes: Vec<u8>,
    numbered: Numbered,
    /// Characters that stand for the last one in old programs.
    to_skip: usize,
    paragraph: Paragraph,
    /// Paragraphs with a note or a text box in them that is being read.
    set_aside: Vec<Paragraph>,
    table: Table,
    /// A row was begun and has not ended.
    is_row_open: bool,
    notes: Vec<Note>,
    /// How many notes are open; there should be one at most.
    open_notes: usize,
    beside: Beside,
    progress: Progress,
}

impl Reader {
    fn read(&mut self, token: Token<'_>) {
        match token {
            Token::Text(text) => {
                let skipped = self.to_skip.min(text.len());
                self.to_skip -= skipped;
                self.bytes.extend(text.get(skipped..).unwrap_or_default());
            }
            Token::Byte(_) if self.to_skip > 0 => self.to_skip -= 1,
            Token::Byte(byte) => self.bytes.push(byte),
            Token::Open => {
                self.end_run();
                self.open();
            }
            Token::Close => {
                self.end_run();
                self.close();
            }
            // A control word that stands for the last character is one as well.
            Token::Sign(sign) if self.to_skip > 0 && is_character(sign) => self.to_skip -= 1,
            Token::Word(word, _) if self.to_skip > 0 && sign(word).is_some_and(|said| said != "\n") => {
                self.to_skip -= 1;
            }
            Token::Sign(sign) => {
                self.end_run();
                self.sign(sign);
            }
            Token::Word(word, number) => {
                self.end_run();
                self.word(word, number);
            }
        }
    }

    /// Says the bytes that came so far. What stands for a character ends with them.
    fn end_run(&mut self) {
        self.to_skip = 0;
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            let text = self.fonts.letters(self.group.font).text(&bytes);
            self.say(&text);
            // The room that it took is used again.
            self.bytes = bytes;
            self.bytes.clear();
        }
    }

    fn open(&mut self) {
        if self.around.len() >= limits::RTF_GROUPS {
            self.too_deep += 1;
            return;
        }
        self.around.push(self.group);
        self.group.ends = None;
    }

    fn close(&mut self) {
        if let Some(depth) = self.too_deep.checked_sub(1) {
            self.too_deep = depth;
            return;
        }
        match self.group.ends {
            Some(Inside::Note) => self.end_note(),
            Some(Inside::TextBox) => {
                if !self.paragraph.text.trim().is_empty() {
                    self.end_paragraph();
                }
                self.paragraph = self.set_aside.pop().unwrap_or_default();
            }
            Some(Inside::Remark) => self.end_remark(),
            Some(Inside::Link) => {
                let link = self.beside.links.pop();
                link.into_iter().for_each(|address| self.paragraph.text.push_str(&format!("](<{address}>)")));
            }
            None => {}
        }
        // What closes without having been opened ends the document, and is not known to.
        self.group = self.around.pop().unwrap_or_default();
    }

    fn sign(&mut self, sign: u8) {
        match sign {
            b'*' => self.is_starred = true,
            b'~' => self.say("\u{a0}"),
            b'_' => self.say("-"),
            b'{' | b'}' | b'\\' => self.say(char::from(sign).encode_utf8(&mut [0; 4])),
            b'\r' | b'\n' => self.end_paragraph(),
            _ => {}
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        let is_starred = std::mem::take(&mut self.is_starred);
        let is_beside = self.group.goes == Goes::Text && self.word_beside(word);
        if is_beside || self.group.go(word, is_starred) {
            return;
        }
        match (self.group.goes, word) {
            (Goes::Nowhere, _) => {}
            (_, "u") => {
                let character = number.and_then(|number| self.numbered.character(number));
                character.into_iter().for_each(|c| self.say(c.encode_utf8(&mut [0; 4])));
                self.to_skip = self.group.replacements;
            }
            (Goes::Fonts, _) => self.fonts.tell(word, number),
            (Goes::Styles, "s" | "cs" | "ds" | "ts" | "sbasedon" | "outlinelevel") => self.styles.tell(word, number),
            (_, "ansicpg") => self.fonts.set_page(number),
            (_, "mac") => self.fonts.set_page(Some(10_000)),
            (_, "deff") => (self.usual_font, self.group.font) = (number, number),
            (Goes::Text, _) => self.word_of_text(word, number),
            (Goes::Mark | Goes::Title | Goes::Facts | Goes::Styles | Goes::Author | Goes::Field, _) => {
                self.word_of_run(word, number);
            }
        }
    }

    /// A word that changes what is said, but no paragraph.
    fn word_of_run(&mut self, word: &str, number: Option<i32>) {
        match sign(word) {
            Some(text) => self.say(text),
            None => self.group.set(word, number, self.usual_font),
        }
    }

    fn word_of_text(&mut self, word: &str, number: Option<i32>) {
        match word {
            "par" | "sect" => self.end_paragraph(),
            "cell" => {
                self.end_in_cell();
                self.table.end_cell();
            }
            // A table in a cell is a part of its text.
            "nestcell" => self.end_in_cell(),
            "trowd" => {
                self.is_row_open = true;
                self.table.define_row();
            }
            "clvmrg" => self.table.go_on_from_above(),
            "cellx" => number.into_iter().for_each(|at| self.table.border(at)),
            "row" => {
                self.is_row_open = false;
                self.table.end_row();
            }
            "footnote" => self.begin_note(),
            "shptxt" => self.set_aside(Inside::TextBox),
            _ => self.word_of_run(word, number),
        }
    }

    fn say(&mut self, text: &str) {
        match self.group.goes {
            Goes::Text if self.group.is_seen() => {
                let open = &mut self.paragraph;
                open.struck.now = self.group.is_struck;
                match self.group.script {
                    Some(script) => open.struck.push(&mut open.text, &script.written(text)),
                    None => open.struck.push(&mut open.text, text),
                }
            }
            Goes::Mark if self.paragraph.mark.len() < limits::HEADING_CHARS => self.paragraph.mark.push_str(text),
            Goes::Title if self.title.len() < limits::MAIL_HEADER_BYTES => self.title.push_str(text),
            Goes::Styles => self.styles.push(text),
            Goes::Author => self.beside.say_author(text),
            Goes::Field => self.beside.say_field(text),
            Goes::Text | Goes::Mark | Goes::Title | Goes::Facts | Goes::Fonts | Goes::Nowhere => {}
        }
    }

    fn is_in_table(&self) -> bool {
        self.group.is_in_cell || self.group.paragraph.is_in_table || self.is_row_open
    }

    fn end_in_cell(&mut self) {
        self.progress.next_paragraph();
        let Paragraph { text, mark, .. } = std::mem::take(&mut self.paragraph);
        let mark = numbering(&mark).unwrap_or_default();
        self.table.say(&format!("{mark} {}", text.trim()), self.progress.place());
    }

    fn end_paragraph(&mut self) {
        if let Some(remark) = &mut self.beside.open {
            remark.text.push_spaced(&std::mem::take(&mut self.paragraph).text);
            return;
        }
        if self.open_notes > 0 {
            let said = std::mem::take(&mut self.paragraph).text;
            self.notes.last_mut().into_iter().for_each(|note| add_paragraph(&mut note.text, &said));
            return;
        }
        if self.is_in_table() {
            return self.end_in_cell();
        }
        self.progress.next_paragraph();
        if !self.table.is_empty() {
            self.table.write(&mut self.out);
            self.beside.write_of_table(&mut self.out);
        }
        let Paragraph { text, mark, .. } = std::mem::take(&mut self.paragraph);
        if !text.trim().is_empty() {
            self.write(text, &mark);
        }
        self.beside.write(&mut self.out);
    }

    fn write(&mut self, text: String, mark: &str) {
        let layout = self.group.paragraph;
        let shape = heading(layout.outline_level).or_else(|| self.styles.of(layout.style));
        let depth = usize::try_from(layout.depth.unwrap_or_default()).unwrap_or_default();
        let mark = match (numbering(mark), shape) {
            (Some(number), _) => Some(Mark::numbered(depth, number)),
            (None, _) if !mark.trim().is_empty() => Some(Mark::Bullet(depth)),
            (None, Some(Shape::Item(depth))) => Some(Mark::Bullet(depth)),
            (None, _) => None,
        };
        let (page_ends, last) = (PageEnds::default(), self.progress.place());
        Ended { text, shape, mark, page_ends, last }.write(&mut self.out);
    }

    /// Begins what stands in the middle of a paragraph; one inside too many others is read as if it were a part of its paragraph.
    fn set_aside(&mut self, inside: Inside) {
        if self.set_aside.len() < limits::OFFICE_DEPTH && self.group.ends.is_none() {
            self.set_aside.push(std::mem::take(&mut self.paragraph));
            self.group.ends = Some(inside);
            self.group.is_in_cell = self.is_in_table();
        }
    }

    fn begin_note(&mut self) {
        let is_counted = self.notes.len() < limits::OFFICE_PARTS;
        self.out.left_out.extend((!is_counted).then_some(LeftOut::Parts));
        // A note of what is hidden or deleted is none.
        if !is_counted || !self.group.is_seen() {
            self.group.goes = Goes::Nowhere;
            return;
        }
        let number = self.notes.len() + 1;
        let before = self.set_aside.len();
        let mut here = self.progress;
        here.next_paragraph();
        self.paragraph.text.push_str(&format!("[^{number}]"));
        self.set_aside(Inside::Note);
        if self.set_aside.len() > before {
            self.open_notes += 1;
            self.notes.push(Note { place: here.place(), text: format!("[^{number}]: ") });
            self.group.script = None;
        }
    }

    fn end_note(&mut self) {
        self.end_paragraph();
        self.open_notes = self.open_notes.saturating_sub(1);
        self.paragraph = self.set_aside.pop().unwrap_or_default();
    }

    fn finish(mut self) -> Contents {
        self.end_run();
        // A document that was cut off ends all that is open in it.
        while !self.around.is_empty() {
            self.too_deep = 0;
            self.close();
        }
        if !self.paragraph.text.trim().is_empty() {
            self.end_paragraph();
        }
        self.table.write(&mut self.out);
        self.beside.write(&mut self.out);
        if !self.notes.is_empty() {
            self.out.section();
        }
        for note in std::mem::take(&mut self.notes) {
            self.out.place(note.place);
            self.out.paragraph(&note.text);
        }
        let title = super::one_line(&self.title);
        self.out.title = Some(title).filter(|title| !title.is_empty());
        self.out.finish()
    }
}

/// Appends a paragraph to a note, behind its mark or below what it says.
fn add_paragraph(note: &mut String, said: &str) {
    let said = said.trim();
    if !said.is_empty() && !note.ends_with(": ") {
        note.push_str("\n\n");
    }
    note.push_str(said);
}

/// Whether a sign behind a backslash is a character of the text.
fn is_character(sign: u8) -> bool {
    matches!(sign, b'~' | b'_' | b'-' | b'{' | b'}' | b'\\')
}

/// The mark of an item where it is a number, a letter or a name: `1.`, `a)`, `Part II`; dots are pictures, of which some are letters of fonts of signs.
fn numbering(mark: &str) -> Option<String> {
    let mark = mark.trim();
    let has_number = mark.contains(|c: char| c.is_numeric());
    let is_lettered = mark.contains(char::is_alphanumeric) && mark.contains(['.', ')', ']']);
    let is_name = mark.chars().filter(|c| c.is_alphanumeric()).nth(1).is_some();
    (has_number || is_lettered || is_name).then(|| super::one_line(mark))
}
