//! RTF: paragraphs, headings, lists, tables and notes, as a reader of the document sees them. What is hidden or deleted, pictures, what fields are
//! made of, headers and footers are no part of it.

mod group;
mod letters;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod tokens;

use super::super::spans::PlaceInFile;
use super::super::{Contents, Unreadable};
use super::build::Builder;
use super::docx::Shape;
use super::{Progress, Struck};
use crate::core::base::limits;
use group::{Goes, Group, Inside, destination};
use letters::{Fonts, Numbered, sign};
use styles::{Styles, heading};
use table::Table;
use tokens::{Token, Tokens};

/// How a file of RTF begins.
const BEGINNING: &[u8] = b"{\\rtf";

/// Whether bytes begin as RTF does.
pub(in super::super) fn is_rtf(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(BEGINNING)
}

pub(super) fn extract(bytes: &[u8]) -> Result<Contents, Unreadable> {
    if !is_rtf(bytes) {
        return Err(Unreadable::Damaged("it is no RTF"));
    }
    let mut reader = Reader { progress: Progress::new(false), ..Reader::default() };
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
        if let Some(goes) = destination(word, is_starred, self.group.goes) {
            self.group.goes = goes;
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
            (Goes::Mark | Goes::Title | Goes::Facts | Goes::Styles, _) => self.word_of_run(word, number),
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
        }
        let Paragraph { text, mark, .. } = std::mem::take(&mut self.paragraph);
        if text.trim().is_empty() {
            return;
        }
        let layout = self.group.paragraph;
        let style = heading(layout.outline_level).or_else(|| self.styles.of(layout.style));
        let depth = usize::try_from(layout.depth.unwrap_or_default()).unwrap_or_default();
        let number = numbering(&mark);
        let place = self.progress.place();
        if style != Some(Shape::Code) {
            self.out.mark(place.clone());
        }
        match style {
            Some(Shape::Code) => self.out.code_line(text, place),
            Some(Shape::Heading(level)) => {
                self.out.heading(level, &format!("{} {text}", number.unwrap_or_default()));
            }
            _ if !mark.trim().is_empty() => self.out.marked_item(depth, number.as_deref().unwrap_or("-"), &text),
            Some(Shape::Item(depth)) => self.out.item(depth, &text),
            None => self.out.paragraph(&text),
        }
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
        let number = self.notes.len() + 1;
        let before = self.set_aside.len();
        let mut here = self.progress;
        here.next_paragraph();
        self.paragraph.text.push_str(&format!("[^{number}]"));
        self.set_aside(Inside::Note);
        if self.set_aside.len() > before {
            self.open_notes += 1;
            self.notes.push(Note { place: here.place(), text: format!("[^{number}]: ") });
            (self.group.is_hidden, self.group.script) = (false, None);
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

/// The mark of an item where it is a number or a letter: `1.`, `a)`; dots are pictures, of which some are letters of fonts of signs.
fn numbering(mark: &str) -> Option<String> {
    let mark = mark.trim();
    let has_number = mark.contains(|c: char| c.is_numeric());
    let is_lettered = mark.contains(char::is_alphanumeric) && mark.contains(['.', ')', ']']);
    (has_number || is_lettered).then(|| super::one_line(mark))
}
