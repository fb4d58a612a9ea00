//! What stands beside the text of RTF: what people remarked, and where links lead.

use super::super::build::Builder;
use super::super::remarks::{Remark, end_of, quoted};
use super::super::{LeftOut, web_address};
use super::group::{Goes, Inside};
use super::{Paragraph, Reader};
use crate::core::base::limits;

/// Bytes of the name of somebody, and of what a field is made of.
const AUTHOR_BYTES: usize = 200;
const FIELD_BYTES: usize = 4_096;

#[derive(Debug, Default)]
pub(super) struct Beside {
    /// Who makes the next remark.
    author: String,
    /// The remark that is being read, and what it is on.
    pub(super) open: Option<Remark>,
    about: String,
    /// Remarks as they are written behind the paragraph or the table that is open.
    behind: Vec<Line>,
    /// How many there were.
    count: usize,
    field: String,
    /// The addresses of the links that are open.
    pub(super) links: Vec<String>,
}

#[derive(Debug)]
struct Line {
    text: String,
    is_of_table: bool,
}

impl Beside {
    pub(super) fn say_author(&mut self, text: &str) {
        if self.author.len() < AUTHOR_BYTES {
            self.author.push_str(text);
        }
    }

    pub(super) fn say_field(&mut self, text: &str) {
        if self.field.len() < FIELD_BYTES {
            self.field.push_str(text);
        }
    }

    /// The address that the field leads to, in the web.
    fn address(&self) -> Option<String> {
        let link = self.field.split_once("HYPERLINK").map(|(_, link)| link.trim_start())?;
        // A word with a backslash says where in the page, or how it is opened.
        let quoted = link.strip_prefix('"').and_then(|link| link.split('"').next());
        web_address(quoted.or_else(|| link.split_whitespace().next())?)
    }

    /// Writes what was remarked on a table that has ended.
    pub(super) fn write_of_table(&mut self, out: &mut Builder) {
        self.behind.extract_if(.., |line| line.is_of_table).for_each(|line| out.paragraph(&line.text));
    }

    /// Writes all that was remarked.
    pub(super) fn write(&mut self, out: &mut Builder) {
        self.behind.drain(..).for_each(|line| out.paragraph(&line.text));
    }
}

impl Reader {
    /// Reads a word that begins what stands beside the text; whether it was one.
    pub(super) fn word_beside(&mut self, word: &str) -> bool {
        match word {
            "atrfstart" => {
                self.paragraph.remarked_from = Some(self.paragraph.text.len());
                self.group.goes = Goes::Nowhere;
            }
            "atnauthor" => {
                self.beside.author.clear();
                self.group.goes = Goes::Author;
            }
            "annotation" => self.begin_remark(),
            "fldinst" if self.with_links => {
                self.beside.field.clear();
                self.group.goes = Goes::Field;
            }
            "fldrslt" if self.with_links && self.group.ends.is_none() => {
                let address = self.beside.address();
                self.beside.field.clear();
                if let Some(address) = address {
                    self.paragraph.text.push('[');
                    self.beside.links.push(address);
                    self.group.ends = Some(Inside::Link);
                }
            }
            _ => return false,
        }
        true
    }

    fn begin_remark(&mut self) {
        let is_wanted = !self.with_links && self.group.is_seen() && self.beside.open.is_none();
        let is_counted = self.beside.count < limits::OFFICE_PARTS;
        self.out.left_out.extend((is_wanted && !is_counted).then_some(LeftOut::Parts));
        let before = self.set_aside.len();
        let Paragraph { text, remarked_from, .. } = &mut self.paragraph;
        let part = remarked_from.take().and_then(|from| text.get(from..)).filter(|part| !part.trim().is_empty());
        let about = quoted(part.unwrap_or(end_of(text)));
        if is_wanted && is_counted {
            self.set_aside(Inside::Remark);
        }
        if self.set_aside.len() == before {
            self.group.goes = Goes::Nowhere;
            return;
        }
        self.beside.count += 1;
        self.beside.about = about;
        let author = std::mem::take(&mut self.beside.author);
        self.beside.open = Some(Remark { author, text: String::new() });
        (self.group.script, self.group.is_struck) = (None, false);
    }

    pub(super) fn end_remark(&mut self) {
        self.end_paragraph();
        self.paragraph = self.set_aside.pop().unwrap_or_default();
        let Some(remark) = self.beside.open.take() else { return };
        let text = remark.line(&std::mem::take(&mut self.beside.about));
        let is_of_table = self.is_in_table();
        self.beside.behind.push(Line { text, is_of_table });
    }
}
