//! What stands beside the text of an open document: annotations, and the lines above and below every page.

use std::collections::BTreeSet;

use super::super::remarks::Remark;
use super::super::running::{RunningLines, RunningText};
use super::super::xml::{Token, Tokens};
use crate::core::base::limits;

/// The annotation that was just opened, up to its end.
pub(super) fn annotation(tokens: &mut Tokens<'_>) -> Remark {
    let mut remark = Remark::default();
    // Whether the text is that of the author, of the remark, or of neither.
    let (mut in_author, mut in_text) = (false, 0_usize);
    for token in tokens.by_ref() {
        match token {
            Token::Close("annotation") => break,
            Token::Open(tag) if tag.full == "dc:creator" => in_author = true,
            Token::Close("creator") => in_author = false,
            Token::Open(tag) if matches!(tag.full, "text:p" | "text:h") => {
                in_text += 1;
                remark.text.push(' ');
            }
            Token::Close("p" | "h") => in_text = in_text.saturating_sub(1),
            Token::Empty(tag) if matches!(tag.full, "text:s" | "text:tab" | "text:line-break") => remark.text.push(' '),
            Token::Text(said) if in_author => remark.author.push_str(&said),
            Token::Text(said) if in_text > 0 => remark.text.push_str(&said),
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    remark
}

/// The names of the annotations that say where their part of the text ends.
pub(super) fn ended_annotations(text: &str) -> BTreeSet<String> {
    const END: &str = "office:annotation-end";
    let mut names = BTreeSet::new();
    if !text.contains(END) {
        return names;
    }
    for token in Tokens::new(text) {
        if let Token::Open(tag) | Token::Empty(tag) = token
            && tag.full == END
            && names.len() < limits::OFFICE_PARTS
        {
            names.extend(tag.get("office:name").map(|name| name.into_owned()));
        }
    }
    names
}

/// The headers and footers of all kinds of page that are shown.
pub(super) fn running_lines(styles: &str) -> RunningLines {
    let mut lines = RunningLines::default();
    let mut open: Option<(&str, RunningText)> = None;
    let mut in_text = 0_usize;
    let mut tokens = Tokens::new(styles);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(tag) if tag.full.starts_with("style:header") || tag.full.starts_with("style:footer") => {
                match (tag.name, tag.get("display").is_some_and(|set| set == "false")) {
                    // How all of them look.
                    ("header-style" | "footer-style", _) => {}
                    (name, true) => tokens.skip_element(name),
                    (name, false) => open = Some((name, RunningText::default())),
                }
            }
            Token::Close(name) if open.as_ref().is_some_and(|(opened, _)| *opened == name) => {
                let shown = if name.starts_with("header") { "Header" } else { "Footer" };
                open.take().into_iter().for_each(|(_, text)| lines.add(shown, text));
            }
            Token::Open(tag) if matches!(tag.full, "text:page-number" | "text:page-count") => {
                open.iter_mut().for_each(|(_, text)| text.number());
                tokens.skip_element(tag.name);
            }
            Token::Open(tag) if tag.full == "office:annotation" => tokens.skip_element(tag.name),
            Token::Open(tag) if matches!(tag.full, "text:p" | "text:h") => in_text += 1,
            Token::Close("p" | "h") => {
                in_text = in_text.saturating_sub(1);
                open.iter_mut().for_each(|(_, text)| text.end_part());
            }
            Token::Empty(tag) if matches!(tag.full, "text:tab" | "text:line-break") => {
                open.iter_mut().for_each(|(_, text)| text.end_part());
            }
            Token::Empty(tag) if tag.full == "text:s" => open.iter_mut().for_each(|(_, text)| text.say(" ")),
            Token::Text(said) if in_text > 0 => open.iter_mut().for_each(|(_, text)| text.say(&said)),
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    lines
}
