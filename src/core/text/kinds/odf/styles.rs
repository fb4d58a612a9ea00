//! Styles of an open document: which text is code, raised, lowered, struck out or hidden, and which sheets and slides are hidden.

use std::collections::{BTreeMap, BTreeSet};

use super::super::paragraph::{BASES, Shape, is_code_style, is_contents_style};
use super::super::xml::{Tag, Token, Tokens};
use crate::core::text::raised::Script;

/// Styles of one document that are told apart; those of long texts that many people changed are some thousands.
const STYLES: usize = 100_000;

/// The styles that say something of their text, by name.
#[derive(Debug, Default)]
pub(super) struct Styles {
    looks: BTreeMap<String, Look>,
    /// Those that another one goes before, which says what they do not.
    bases: BTreeMap<String, String>,
    /// Those of sheets and slides that are not shown.
    hidden: BTreeSet<String>,
}

/// What a style says of how its text stands there; where it is silent, what is around it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) script: Option<Script>,
    pub(super) is_struck: Option<bool>,
    pub(super) is_hidden: Option<bool>,
}

impl Look {
    fn of(tag: &Tag<'_>) -> Self {
        Self {
            script: tag.get("text-position").and_then(|position| script_at(&position)),
            is_struck: tag.get("text-line-through-style").map(|line| line != "none"),
            is_hidden: tag.get("text:display").map(|display| display == "none"),
        }
    }

    /// How it stands there inside something else.
    pub(super) fn inside(self, around: Self) -> Self {
        Self {
            script: self.script.or(around.script),
            is_struck: self.is_struck.or(around.is_struck),
            is_hidden: self.is_hidden.or(around.is_hidden),
        }
    }
}

impl Styles {
    /// Adds the styles of a part of the document: those that have names, or those that the program made for its text.
    pub(super) fn add(&mut self, text: &str) {
        let mut name: Option<String> = None;
        for token in Tokens::new(text) {
            match token {
                Token::Open(tag) | Token::Empty(tag) if tag.full == "style:style" => {
                    name = tag.get("style:name").map(|name| name.into_owned());
                    let base = tag.get("parent-style-name").map(|base| base.into_owned());
                    self.bases.extend(name.clone().zip(base).filter(|_| self.bases.len() < STYLES));
                }
                // How lists and whole documents look is said beside the styles.
                Token::Close("style") => name = None,
                Token::Open(tag) | Token::Empty(tag) if tag.full == "style:text-properties" => {
                    let look = Some(Look::of(&tag)).filter(|look| *look != Look::default());
                    self.looks.extend(name.clone().zip(look).filter(|_| self.looks.len() < STYLES));
                }
                Token::Open(tag) | Token::Empty(tag) if is_hiding(&tag) && self.hidden.len() < STYLES => {
                    self.hidden.extend(name.clone());
                }
                Token::Close("styles" | "automatic-styles") => break,
                Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
        }
    }

    /// A style and those that go before it.
    fn chain<'s>(&'s self, style: &'s str) -> impl Iterator<Item = &'s str> {
        std::iter::successors(Some(style), |style| self.bases.get(*style).map(String::as_str)).take(1 + BASES)
    }

    pub(super) fn look(&self, style: &str) -> Look {
        let looks = self.chain(style).filter_map(|style| self.looks.get(style));
        looks.fold(Look::default(), |look, base| look.inside(*base))
    }

    /// What a style makes of a paragraph that is no heading.
    pub(super) fn shape(&self, style: &str) -> Option<Shape> {
        let code = self.chain(style).any(is_code_style).then_some(Shape::Code);
        let contents = || self.chain(style).any(is_contents_style).then_some(Shape::Contents);
        let title = || self.chain(style).any(|name| name == "Title").then_some(Shape::Heading(0));
        code.or_else(contents).or_else(title)
    }

    /// Whether a sheet or a slide of this style is not shown.
    pub(super) fn is_hidden(&self, style: Option<&str>) -> bool {
        style.is_some_and(|style| self.hidden.contains(style))
    }
}

/// Whether properties of a sheet or a slide say that it is not shown.
fn is_hiding(tag: &Tag<'_>) -> bool {
    let says = |name: &str, value: &str| tag.get(name).is_some_and(|said| said == value);
    match tag.full {
        "style:table-properties" => says("table:display", "false"),
        "style:drawing-page-properties" => says("presentation:visibility", "hidden"),
        _ => false,
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
