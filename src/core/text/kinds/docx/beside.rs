//! What stands beside the text of a Word document: comments, and the lines above and below every page.

use super::super::remarks::{Remark, Remarks};
use super::super::running::{RunningLines, RunningText};
use super::super::xml::{Token, Tokens};
use super::super::zip::Archive;
use super::super::{Target, related};
use super::styles::is_on;
use crate::core::base::sorting::sort_by_key;

/// The comments by their id. A part beside the text that cannot be read costs nothing else.
pub(super) fn comments(archive: &mut Archive<'_>) -> Remarks {
    let text = archive.text("word/comments.xml").ok().flatten().unwrap_or_default();
    let mut remarks = Remarks::default();
    let mut open: Option<(String, Remark)> = None;
    let mut in_text = false;
    let mut tokens = Tokens::new(&text);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(tag) if tag.name == "Fallback" => tokens.skip_element("Fallback"),
            Token::Open(tag) if tag.name == "comment" => {
                let author = tag.get("author").unwrap_or_default().into_owned();
                let remark = Remark { author, text: String::new() };
                open = tag.get("id").map(|id| (id.into_owned(), remark));
            }
            Token::Close("comment") => open.take().into_iter().for_each(|(id, remark)| remarks.add(id, remark)),
            Token::Open(tag) if tag.name == "t" => in_text = true,
            Token::Close("t") => in_text = false,
            Token::Open(tag) | Token::Empty(tag) if matches!(tag.name, "p" | "br" | "cr" | "tab") => {
                open.iter_mut().for_each(|(_, remark)| remark.text.push(' '));
            }
            Token::Text(said) if in_text => open.iter_mut().for_each(|(_, remark)| remark.text.push_str(&said)),
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
        if remarks.has_more {
            break;
        }
    }
    remarks
}

/// The headers and footers that the document refers to.
pub(super) fn running_lines(archive: &mut Archive<'_>) -> RunningLines {
    let mut parts: Vec<Target> = related(archive, "word/document.xml").unwrap_or_default().into_values().collect();
    parts.retain(|part| part.kind.ends_with("/header") || part.kind.ends_with("/footer"));
    // In the order of their numbers: `header2.xml` before `header10.xml`.
    sort_by_key(&mut parts, |part| (part.kind.ends_with("/footer"), part.path.len(), part.path.clone()));
    let mut lines = RunningLines::default();
    for part in parts {
        let Some(text) = archive.text(&part.path).ok().flatten() else { continue };
        let name = if part.kind.ends_with("/header") { "Header" } else { "Footer" };
        lines.add(name, running_text(&text));
    }
    lines
}

/// A field of Word: what it is to show, and what it showed last.
#[derive(Debug, Default)]
struct Field {
    depth: usize,
    is_page: bool,
    in_instruction: bool,
}

impl Field {
    fn instructed(&mut self, instruction: &str) {
        let mut words = instruction.split_whitespace();
        self.is_page |= words.any(|word| matches!(word, "PAGE" | "NUMPAGES" | "SECTIONPAGES" | "SECTION"));
    }

    fn begin(&mut self) {
        self.depth += 1;
    }

    fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.is_page &= self.depth > 0;
    }
}

fn running_text(text: &str) -> RunningText {
    let mut out = RunningText::default();
    let mut field = Field::default();
    let (mut in_text, mut is_hidden) = (false, false);
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(tag) if matches!(tag.name, "Fallback" | "moveFrom" | "del") => tokens.skip_element(tag.name),
            Token::Open(tag) if tag.name == "t" => in_text = true,
            Token::Close("t") => in_text = false,
            Token::Open(tag) if tag.name == "r" => is_hidden = false,
            Token::Empty(tag) if tag.name == "vanish" => is_hidden = is_on(&tag),
            Token::Open(tag) if tag.name == "instrText" => field.in_instruction = true,
            Token::Close("instrText") => field.in_instruction = false,
            Token::Open(tag) if tag.name == "fldSimple" => {
                field.begin();
                field.instructed(&tag.get("instr").unwrap_or_default());
            }
            Token::Close("fldSimple") => field.end(),
            Token::Open(tag) | Token::Empty(tag) if tag.name == "fldChar" => {
                match tag.get("fldCharType").unwrap_or_default().as_ref() {
                    "begin" => field.begin(),
                    "end" => field.end(),
                    _ => {}
                }
            }
            // A paragraph says how its tabs stand before it has some.
            Token::Open(tag) if tag.name == "tabs" => tokens.skip_element("tabs"),
            Token::Empty(tag) if matches!(tag.name, "tab" | "ptab" | "br" | "cr") => out.end_part(),
            Token::Close("p") => out.end_part(),
            Token::Text(said) if field.in_instruction => field.instructed(&said),
            Token::Text(_) if in_text && is_hidden => {}
            Token::Text(_) if in_text && field.is_page => out.number(),
            Token::Text(said) if in_text => out.say(&said),
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    out
}
