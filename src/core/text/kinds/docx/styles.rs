//! Styles of a Word document: what they make of a paragraph, the list that they put it in, and whether they hide it.

use std::collections::BTreeMap;

use super::super::numbering::word::WordLists;
use super::super::paragraph::{BASES, Shape};
use super::super::xml::{Tag, Token, Tokens};

/// A style with all that it takes from those before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    pub(super) shape: Option<Shape>,
    /// The list, and the level in it.
    pub(super) num: Option<u32>,
    pub(super) level: Option<usize>,
    /// Whether its text is not shown, where it says so or the contrary.
    pub(super) is_hidden: Option<bool>,
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
    is_hidden: Option<bool>,
    base: Option<String>,
}

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
            "vanish" => self.is_hidden = Some(is_on(tag)),
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
    let is_hidden = chain.iter().find_map(|(_, style)| style.is_hidden);
    Style { shape, num, level, is_hidden }
}

/// Whether a property that may be switched off is on.
pub(super) fn is_on(tag: &Tag<'_>) -> bool {
    !tag.get("val").is_some_and(|set| matches!(set.as_ref(), "0" | "false" | "off"))
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
