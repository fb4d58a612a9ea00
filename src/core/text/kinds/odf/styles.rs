//! Styles of an open document: which text is code, raised, lowered or struck out.

use std::collections::{BTreeMap, BTreeSet};

use super::super::xml::{Token, Tokens};
use crate::core::text::raised::Script;

pub(super) fn is_code_name(style: &str) -> bool {
    let style = style.to_lowercase();
    style.contains("preformatted") || style.contains("code")
}

/// The automatic styles that say something of their text, by name.
#[derive(Debug, Default)]
pub(super) struct Styles {
    /// Those that are made of one for code.
    pub(super) code: BTreeSet<String>,
    looks: BTreeMap<String, Look>,
}

/// What a style says of how its text stands there; where it is silent, what is around it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) script: Option<Script>,
    pub(super) is_struck: Option<bool>,
}

impl Look {
    /// How it stands there inside something else.
    pub(super) fn inside(self, around: Self) -> Self {
        Self { script: self.script.or(around.script), is_struck: self.is_struck.or(around.is_struck) }
    }
}

impl Styles {
    pub(super) fn of(text: &str) -> Self {
        let mut known = Self::default();
        let mut name = None;
        for token in Tokens::new(text) {
            match token {
                Token::Open(tag) | Token::Empty(tag) if tag.full == "style:style" => {
                    let is_code = tag.get("parent-style-name").is_some_and(|parent| is_code_name(&parent));
                    name = tag.get("style:name");
                    known.code.extend(name.as_ref().filter(|_| is_code).map(|name| name.clone().into_owned()));
                }
                Token::Open(tag) | Token::Empty(tag) if tag.full == "style:text-properties" => {
                    let script = tag.get("text-position").and_then(|position| script_at(&position));
                    let is_struck = tag.get("text-line-through-style").map(|line| line != "none");
                    let look = Some(Look { script, is_struck }).filter(|look| *look != Look::default());
                    known.looks.extend(name.clone().zip(look).map(|(name, look)| (name.into_owned(), look)));
                }
                Token::Close("automatic-styles") => break,
                Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
        }
        known
    }

    pub(super) fn look(&self, style: &str) -> Look {
        self.looks.get(style).copied().unwrap_or_default()
    }
}

/// `super 58%`, `sub 58%`, or by how much of the size of the letters.
fn script_at(position: &str) -> Option<Script> {
    match position.split_whitespace().next()? {
        "super" => Some(Script::Raised),
        "sub" => Some(Script::Lowered),
        height => match height.trim_end_matches('%').parse::<f32>().ok()? {
            height if height > 0.0 => Some(Script::Raised),
            height if height < 0.0 => Some(Script::Lowered),
            _ => None,
        },
    }
}
