//! Styles of a Word document: what they make of a paragraph, and the list that they put it in.

use std::collections::BTreeMap;

use super::super::numbering::word::WordLists;
use super::super::xml::{Tag, Token, Tokens};

/// What a style makes of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::text::kinds) enum Shape {
    Heading(u8),
    Code,
    /// An item of a list, so deep in it.
    Item(usize),
}

impl Shape {
    /// By the name that every language of Word gives to a style.
    pub(in crate::core::text::kinds) fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if name == "title" {
            return Some(Self::Heading(1));
        }
        if let Some(level) = name.strip_prefix("heading").and_then(|level| level.trim().parse().ok()) {
            return Some(Self::Heading(level));
        }
        if let Some(depth) = ["list bullet", "list number"].iter().find_map(|list| name.strip_prefix(list)) {
            return Some(Self::Item(depth.trim().parse::<usize>().map_or(0, |depth| depth.saturating_sub(1))));
        }
        (name.contains("code") || name.contains("preformatted")).then_some(Self::Code)
    }
}

/// A style with all that it takes from those before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    pub(super) shape: Option<Shape>,
    /// The list, and the level in it.
    pub(super) num: Option<u32>,
    pub(super) level: Option<usize>,
}

/// What a style says by itself.
#[derive(Debug, Default)]
struct Said {
    shape: Option<Shape>,
    /// It is no heading, whatever goes before it.
    is_text: bool,
    num: Option<u32>,
    level: Option<usize>,
    /// It says something of a list.
    is_listed: bool,
    base: Option<String>,
}

/// How many styles may go before one.
const BASES: usize = 8;

/// The styles by their id. The lists are told which of them stand for lists.
pub(super) fn read(styles: &str, lists: &mut WordLists) -> BTreeMap<String, Style> {
    let mut said: BTreeMap<String, Said> = BTreeMap::new();
    let mut id = String::new();
    for token in Tokens::new(styles) {
        let (Token::Open(tag) | Token::Empty(tag)) = token else { continue };
        if tag.name == "style" {
            id = tag.get("styleId").unwrap_or_default().into_owned();
            said.insert(id.clone(), Said::default());
        } else if let Some(style) = said.get_mut(&id) {
            style.read(&tag);
        }
    }
    lists.link_styles(|style| said.get(style)?.num);
    said.keys().map(|id| (id.clone(), resolved(id, &said, lists))).collect()
}

impl Said {
    fn read(&mut self, tag: &Tag<'_>) {
        match tag.name {
            "name" => self.shape = tag.get("val").and_then(|name| Shape::named(&name)).or(self.shape),
            "basedOn" => self.base = tag.get("val").map(|base| base.into_owned()),
            "outlineLvl" => match level(tag) {
                Some(level) => self.shape = Some(Shape::Heading(level)),
                None => self.is_text = true,
            },
            "numPr" => self.is_listed = true,
            "ilvl" => self.level = depth(tag),
            "numId" => self.num = tag.number("val"),
            _ => {}
        }
    }
}

fn resolved(id: &str, said: &BTreeMap<String, Said>, lists: &WordLists) -> Style {
    let base_of = |(_, style): &(&str, &Said)| {
        let (base, style) = said.get_key_value(style.base.as_deref()?)?;
        Some((base.as_str(), style))
    };
    let chain = std::iter::successors(said.get(id).map(|style| (id, style)), |style| base_of(style));
    let chain: Vec<(&str, &Said)> = chain.take(1 + BASES).collect();
    let num = chain.iter().find_map(|(_, style)| style.num);
    let linked = |id: &str| num.and_then(|num| lists.level_of_style(num, id));
    let level = chain.iter().find_map(|(id, style)| linked(id).or(style.level));
    let is_item = |style: &Said| style.is_listed && num != Some(0);
    let mut shape = None;
    for (_, style) in &chain {
        // A heading with a number is no item.
        shape = style.shape.or_else(|| is_item(style).then_some(Shape::Item(level.unwrap_or_default())));
        if shape.is_some() || style.is_text {
            break;
        }
    }
    Style { shape, num, level }
}

/// The level of an outline, from 1; Word counts from 0 and has 9 for text.
pub(super) fn level(tag: &Tag<'_>) -> Option<u8> {
    let level = tag.number("val").filter(|level| *level < 9)?;
    u8::try_from(level + 1).ok()
}

/// How deep in its list an item is, from 0.
pub(super) fn depth(tag: &Tag<'_>) -> Option<usize> {
    tag.number("val").and_then(|depth| usize::try_from(depth).ok())
}
