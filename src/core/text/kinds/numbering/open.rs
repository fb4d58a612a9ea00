//! The lists and the numbered headings of an open document: the styles of both, and how far each list has counted.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::xml::{Tag, Token, Tokens};
use super::numerals::Numeral;
use super::{Counts, LEVELS, Level, Mark, Piece};
use crate::core::base::limits;

/// The name under which the styles of headings are kept beside those of lists.
const OUTLINE: &str = "Outline";

#[derive(Debug, Default)]
pub(in super::super) struct OpenLists {
    styles: BTreeMap<String, Vec<Level>>,
    /// Styles of paragraphs that take headings out of the outline.
    unlisted: BTreeSet<String>,
    headings: Counts,
    /// How far each list has counted, in the order in which they began.
    begun: Vec<Counts>,
    /// The lists that others may go on with, by id.
    ids: BTreeMap<String, usize>,
    /// The list that was opened last at the top, and its style.
    last: Option<(usize, Rc<str>)>,
    /// Lists inside one another, and how many more are open than are looked at.
    open: Vec<OpenList>,
    deeper: usize,
}

#[derive(Debug)]
struct OpenList {
    style: Rc<str>,
    /// Its place among those that have begun.
    counts: usize,
    /// Whether the next paragraph is the first of an item.
    item: Item,
}

#[derive(Clone, Debug)]
enum Item {
    /// With the number that it says it has, and the style that holds for it alone.
    Begins {
        said: Option<u32>,
        style: Option<Rc<str>>,
    },
    GoesOn,
}

impl OpenLists {
    /// Adds the styles of a part of the file; later ones stand before earlier ones of the same name.
    pub(in super::super) fn add_styles(&mut self, part: &str) {
        let mut name = None;
        for token in Tokens::new(part) {
            match token {
                Token::Open(tag) if matches!(tag.full, "text:list-style" | "text:outline-style") => {
                    let own = || tag.get("style:name").map(|name| name.into_owned());
                    name = if tag.name == "list-style" { own() } else { Some(OUTLINE.to_owned()) };
                    name = name.filter(|_| self.styles.len() < limits::OFFICE_LISTS);
                    name.iter().for_each(|name| drop(self.styles.insert(name.clone(), Vec::new())));
                }
                Token::Close("list-style" | "outline-style") => name = None,
                Token::Open(tag) | Token::Empty(tag) if tag.full == "style:style" => {
                    let is_unlisted = tag.get("list-style-name").is_some_and(|list| list.is_empty());
                    let style = tag.get("style:name").filter(|_| is_unlisted);
                    self.unlisted.extend(style.map(|style| style.into_owned()));
                }
                Token::Open(tag) | Token::Empty(tag) => {
                    let levels = name.as_ref().and_then(|name| self.styles.get_mut(name));
                    levels.into_iter().for_each(|levels| add_level(levels, &tag));
                }
                // What follows is text.
                Token::Close("automatic-styles") => break,
                Token::Close(_) | Token::Text(_) => {}
            }
        }
    }

    pub(in super::super) fn open_list(&mut self, tag: &Tag<'_>) {
        if self.open.len() >= limits::OFFICE_DEPTH {
            self.deeper += 1;
            return;
        }
        let style: Option<Rc<str>> = tag.get("style-name").map(|style| style.as_ref().into());
        let (style, counts) = match self.open.last() {
            // A list inside another counts for itself only where it looks otherwise.
            Some(around) if style.as_ref().is_none_or(|style| *style == around.style) => {
                (around.style.clone(), around.counts)
            }
            Some(_) => (style.unwrap_or_else(|| "".into()), self.begin()),
            None => self.top_list(tag, style),
        };
        self.open.push(OpenList { style, counts, item: Item::GoesOn });
    }

    fn top_list(&mut self, tag: &Tag<'_>, style: Option<Rc<str>>) -> (Rc<str>, usize) {
        let named = tag.get("continue-list").and_then(|id| self.ids.get(id.as_ref()).copied());
        let goes_on = tag.get("continue-numbering").is_some_and(|set| set == "true");
        let last = self.last.clone().filter(|(_, last)| goes_on && style.as_ref().is_none_or(|style| style == last));
        let last_style = last.as_ref().map(|(_, style)| style.clone());
        let counts = named.or(last.map(|(counts, _)| counts)).unwrap_or_else(|| self.begin());
        let style = style.or(last_style).unwrap_or_else(|| "".into());
        self.last = Some((counts, style.clone()));
        let id = tag.get("id").filter(|_| self.ids.len() < limits::OFFICE_LISTS);
        self.ids.extend(id.map(|id| (id.into_owned(), counts)));
        (style, counts)
    }

    /// A list that counts from its beginning. Of too many the last ones share a place, as hardly any is taken up again.
    fn begin(&mut self) -> usize {
        if self.begun.len() >= limits::OFFICE_LISTS {
            self.begun.pop();
        }
        self.begun.push(Counts::default());
        self.begun.len() - 1
    }

    pub(in super::super) fn close_list(&mut self) {
        match self.deeper.checked_sub(1) {
            Some(deeper) => self.deeper = deeper,
            None => drop(self.open.pop()),
        }
    }

    /// How many lists are open.
    pub(in super::super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(in super::super) fn open_item(&mut self, tag: &Tag<'_>) {
        let said = tag.number("start-value");
        let style = tag.get("style-override").map(|style| style.as_ref().into());
        if let Some(list) = self.open.last_mut() {
            list.item = Item::Begins { said, style };
        }
    }

    /// What stands in front of a paragraph that begins here; nothing outside of lists.
    pub(in super::super) fn next(&mut self) -> Option<Mark> {
        let at = self.open.len().checked_sub(1)?;
        let list = self.open.last_mut()?;
        let Item::Begins { said, style } = std::mem::replace(&mut list.item, Item::GoesOn) else {
            return Some(Mark::Silent);
        };
        let style = style.as_ref().unwrap_or(&list.style);
        let (levels, counts) = (self.styles.get(style.as_ref()), self.begun.get_mut(list.counts));
        let (Some(levels), Some(counts)) = (levels, counts) else { return Some(Mark::Bullet(at)) };
        Some(next_of(levels, counts, at, said))
    }

    /// The number of a heading that stands in no list.
    pub(in super::super) fn next_heading(&mut self, tag: &Tag<'_>, level: u8) -> Option<Mark> {
        let style = tag.get("style-name").unwrap_or_default();
        let is_header = tag.get("is-list-header").is_some_and(|set| set == "true");
        if is_header || self.unlisted.contains(style.as_ref()) {
            return None;
        }
        let levels = self.styles.get(OUTLINE)?;
        let said = tag.number("start-value");
        Some(next_of(levels, &mut self.headings, usize::from(level).saturating_sub(1), said))
    }
}

fn next_of(levels: &[Level], counts: &mut Counts, at: usize, said: Option<u32>) -> Mark {
    let levels: Vec<&Level> = levels.iter().collect();
    counts.advance(&levels, at, said);
    counts.mark(&levels, at)
}

/// Adds a level of a list or of headings, if that is what is opened.
fn add_level(levels: &mut Vec<Level>, tag: &Tag<'_>) {
    let is_bullet = matches!(tag.full, "text:list-level-style-bullet" | "text:list-level-style-image");
    if !is_bullet && !matches!(tag.full, "text:list-level-style-number" | "text:outline-level-style") {
        return;
    }
    let at = tag.number("level").and_then(|level| usize::try_from(level).ok()).and_then(|level| level.checked_sub(1));
    let Some(at) = at.filter(|at| *at < LEVELS) else { return };
    let doubles = tag.get("num-letter-sync").is_some_and(|set| set == "true");
    let numeral = match is_bullet {
        true => Numeral::Bullet,
        false => Numeral::of_open(&tag.get("num-format").unwrap_or_default(), doubles),
    };
    let mut level = Level { numeral, start: tag.number("start-value").unwrap_or(1), ..Level::default() };
    match tag.get("num-list-format") {
        Some(format) => level.print(pieces(&format)),
        None => {
            let shown = tag.number("display-levels").and_then(|shown| usize::try_from(shown).ok()).unwrap_or(1);
            level.print(joined(levels, at, shown.clamp(1, LEVELS), numeral, tag));
        }
    }
    levels.resize_with(levels.len().max(at + 1), || Level { start: 1, ..Level::default() });
    levels.get_mut(at).into_iter().for_each(|old| *old = level.clone());
}

/// The counts of the last levels with stops between, and what stands before and behind them. Levels without a number are passed over.
fn joined(levels: &[Level], at: usize, shown: usize, numeral: Numeral, tag: &Tag<'_>) -> Vec<Piece> {
    let text = |name: &str| Piece::Text(tag.get(name).unwrap_or_default().into_owned());
    let mut pieces = vec![text("num-prefix")];
    if numeral != Numeral::Silent {
        let has_number = |above: &usize| {
            levels.get(*above).is_some_and(|level| !matches!(level.numeral, Numeral::Silent | Numeral::Bullet))
        };
        for above in (at + 1).saturating_sub(shown)..at {
            if has_number(&above) {
                pieces.extend([Piece::Count(above), Piece::Text(".".to_owned())]);
            }
        }
        pieces.push(Piece::Count(at));
    }
    pieces.push(text("num-suffix"));
    pieces
}

/// `(%1%.%2%)` in its pieces.
fn pieces(format: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some((before, behind)) = rest.split_once('%') {
        let number = behind.split_once('%').and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
        pieces.push(Piece::Text(before.to_owned()));
        match number {
            Some((number, behind)) => {
                pieces.push(Piece::Count(number.saturating_sub(1)));
                rest = behind;
            }
            None => {
                pieces.push(Piece::Text("%".to_owned()));
                rest = behind;
            }
        }
    }
    pieces.push(Piece::Text(rest.to_owned()));
    pieces
}
