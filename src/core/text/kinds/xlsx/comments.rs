//! What people remarked on the cells of a sheet: notes, and conversations, which keep a note beside them for older programs.

use std::collections::{BTreeMap, BTreeSet};

use super::super::remarks::Remark;
use super::super::xml::{Token, Tokens};
use super::super::zip::Archive;
use super::super::{Target, related};
use super::{SheetRows, corner};
use crate::core::base::limits;

/// Adds the comments of a sheet to its rows.
pub(super) fn read(archive: &mut Archive<'_>, sheet: &str, people: &BTreeMap<String, String>, rows: &mut SheetRows) {
    // What stands beside a sheet and cannot be read costs nothing else.
    let parts = related(archive, sheet).unwrap_or_default();
    let parts: Vec<Target> = parts.into_values().take(limits::OFFICE_PARTS).collect();
    let of_kind = |kind: &'static str| parts.iter().filter(move |part| part.kind.ends_with(kind));
    // Cells with a conversation; the note beside it says the same once more.
    let mut told = BTreeSet::new();
    for part in of_kind("/threadedComment") {
        let text = archive.text(&part.path).ok().flatten().unwrap_or_default();
        comments(&text, "threadedComment", |cell, author, text| {
            told.insert(cell);
            let author = people.get(author).cloned().unwrap_or_default();
            rows.remark_at(cell, Remark { author, text });
            !rows.room.is_used_up()
        });
    }
    for part in of_kind("/comments") {
        let text = archive.text(&part.path).ok().flatten().unwrap_or_default();
        let authors = authors(&text);
        comments(&text, "comment", |cell, author, text| {
            let author = author.parse::<usize>().ok().and_then(|at| authors.get(at)).cloned().unwrap_or_default();
            if !told.contains(&cell) {
                rows.remark_at(cell, Remark { author, text });
            }
            !rows.room.is_used_up()
        });
    }
}

fn authors(text: &str) -> Vec<String> {
    let mut authors: Vec<String> = Vec::new();
    let mut is_open = false;
    for token in Tokens::new(text) {
        match token {
            Token::Open(tag) | Token::Empty(tag) if tag.name == "author" => {
                if authors.len() >= limits::OFFICE_PARTS {
                    break;
                }
                authors.push(String::new());
                is_open = true;
            }
            Token::Close("author") => is_open = false,
            Token::Close("authors") => break,
            Token::Text(text) if is_open => authors.iter_mut().next_back().into_iter().for_each(|a| a.push_str(&text)),
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    authors
}

/// Each element of this name with its cell, whose it is and what it says, as long as more is wanted.
fn comments(text: &str, name: &str, mut wanted: impl FnMut((u32, u32), &str, String) -> bool) {
    let mut open: Option<((u32, u32), String, String)> = None;
    let mut in_text = false;
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(tag) if tag.name == name => {
                let author = tag.get("authorId").or_else(|| tag.get("personId")).unwrap_or_default().into_owned();
                open = tag.get("ref").and_then(|cell| corner(&cell)).map(|cell| (cell, author, String::new()));
            }
            Token::Open(tag) if tag.name == "rPh" => tokens.skip_element("rPh"),
            // A conversation has its text right there, a note in runs.
            Token::Open(tag) if matches!(tag.name, "t" | "text") => in_text = tag.name == "t" || name != "comment",
            Token::Close("t" | "text") => in_text = false,
            Token::Text(said) if in_text => open.iter_mut().for_each(|(_, _, text)| text.push_str(&said)),
            Token::Close(closed) if closed == name => {
                if let Some((cell, author, text)) = open.take()
                    && !wanted(cell, &author, text)
                {
                    return;
                }
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
}
