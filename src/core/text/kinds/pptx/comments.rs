//! What people remarked on a slide, in the form of before 2021 and in that of today, whose answers stand inside what they answer.

use std::collections::BTreeMap;

use super::super::remarks::Remark;
use super::super::xml::{Token, Tokens};
use crate::core::base::limits;

/// Answers inside of one another; programs write one level.
const DEPTH: usize = 8;

/// Each remark as a paragraph, as many as are counted.
pub(super) fn lines(text: &str, authors: &BTreeMap<String, String>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open: Vec<Remark> = Vec::new();
    let mut in_text = false;
    for token in Tokens::new(text) {
        match token {
            Token::Open(tag) if matches!(tag.name, "cm" | "reply") => {
                if open.len() >= DEPTH || lines.len() >= limits::OFFICE_PARTS {
                    break;
                }
                let author = tag.get("authorId").and_then(|id| authors.get(id.as_ref()).cloned());
                open.push(Remark { author: author.unwrap_or_default(), text: String::new() });
            }
            Token::Close("cm" | "reply") => lines.extend(open.pop().map(|remark| remark.line(""))),
            Token::Open(tag) if matches!(tag.name, "t" | "text") => in_text = true,
            Token::Close("t" | "text") => in_text = false,
            Token::Open(tag) | Token::Empty(tag) if matches!(tag.name, "p" | "br") => {
                open.iter_mut().next_back().into_iter().for_each(|remark| remark.text.push(' '));
            }
            Token::Text(said) if in_text => {
                open.iter_mut().next_back().into_iter().for_each(|remark| remark.text.push_str(&said));
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    lines
}
