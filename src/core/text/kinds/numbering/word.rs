//! The lists of a Word document: `word/numbering.xml`, and how far each of them has counted.
//!
//! A paragraph names a *num*, which stands for an *abstract* list and may change where its levels start. Nums of one abstract list go on
//! with each other's numbers, unless they say where they start.

use std::collections::BTreeMap;

use super::super::xml::{Tag, Token, Tokens};
use super::numerals::Numeral;
use super::{Counts, Level, Mark, Piece, Restart};
use crate::core::base::limits;

/// Levels of a list of Word.
const LEVELS: usize = 9;
/// How many lists may stand for one another.
const LINKS: usize = 4;

#[derive(Debug, Default)]
pub(in super::super) struct WordLists {
    abstracts: BTreeMap<u32, Abstract>,
    nums: BTreeMap<u32, Num>,
}

#[derive(Debug, Default)]
struct Abstract {
    levels: Vec<Level>,
    /// The levels that styles of paragraphs stand for.
    styles: BTreeMap<String, usize>,
    /// The style whose list this one stands for, and the number of that list.
    style_link: Option<String>,
    stands_for: Option<u32>,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Num {
    abstract_id: u32,
    /// Levels that start elsewhere, and those that have begun to.
    starts: BTreeMap<usize, u32>,
    begun: [bool; LEVELS],
    /// Levels of its own; all others are those of the abstract list.
    levels: BTreeMap<usize, Level>,
}

/// The level that is being read, and whose it is.
#[derive(Debug, Default)]
struct Reading {
    list: Option<u32>,
    num: Option<u32>,
    at: usize,
}

impl WordLists {
    pub(in super::super) fn of(numbering: &str) -> Self {
        let mut lists = Self::default();
        let mut reading = Reading::default();
        for token in Tokens::new(numbering) {
            match token {
                Token::Open(tag) | Token::Empty(tag) => lists.opened(&tag, &mut reading),
                Token::Close("abstractNum") => reading.list = None,
                Token::Close("num") => reading.num = None,
                Token::Close(_) | Token::Text(_) => {}
            }
        }
        lists
    }

    fn opened(&mut self, tag: &Tag<'_>, reading: &mut Reading) {
        let val = || tag.number("val");
        match tag.name {
            "abstractNum" => {
                let has_room = self.abstracts.len() < limits::OFFICE_LISTS;
                reading.list = tag.number("abstractNumId").filter(|_| has_room);
                reading.list.into_iter().for_each(|id| drop(self.abstracts.insert(id, Abstract::default())));
            }
            "num" => {
                reading.num = tag.number("numId").filter(|_| self.nums.len() < limits::OFFICE_LISTS);
                reading.num.into_iter().for_each(|id| drop(self.nums.insert(id, Num::default())));
            }
            "abstractNumId" => {
                let num = reading.num.and_then(|num| self.nums.get_mut(&num));
                num.zip(val()).into_iter().for_each(|(num, id)| num.abstract_id = id);
            }
            "lvlOverride" | "lvl" => {
                reading.at = tag.number("ilvl").and_then(|at| usize::try_from(at).ok()).unwrap_or(LEVELS);
                if tag.name == "lvl"
                    && let Some(level) = self.level(reading)
                {
                    *level = Level::default();
                }
            }
            "startOverride" => {
                let num = reading.num.and_then(|num| self.nums.get_mut(&num)).filter(|_| reading.at < LEVELS);
                num.zip(val()).into_iter().for_each(|(num, start)| num.starts.extend([(reading.at, start)]));
            }
            "numStyleLink" => {
                let list = reading.list.and_then(|list| self.abstracts.get_mut(&list));
                list.into_iter().for_each(|list| list.style_link = tag.get("val").map(|style| style.into_owned()));
            }
            "pStyle" => {
                let list = reading.list.and_then(|list| self.abstracts.get_mut(&list)).filter(|_| reading.at < LEVELS);
                let style = tag.get("val").map(|style| style.into_owned());
                list.zip(style).into_iter().for_each(|(list, style)| list.styles.extend([(style, reading.at)]));
            }
            _ => {
                if let Some(level) = self.level(reading) {
                    level.set(tag);
                }
            }
        }
    }

    /// The level that is being read.
    fn level(&mut self, reading: &Reading) -> Option<&mut Level> {
        let at = Some(reading.at).filter(|at| *at < LEVELS)?;
        match (reading.num, reading.list) {
            (Some(num), _) => Some(self.nums.get_mut(&num)?.levels.entry(at).or_default()),
            (None, list) => {
                let levels = &mut self.abstracts.get_mut(&list?)?.levels;
                levels.resize_with(levels.len().max(at + 1), Level::default);
                levels.get_mut(at)
            }
        }
    }

    /// Lists that stand for that of a style are told which one it has.
    pub(in super::super) fn link_styles(&mut self, num_of_style: impl Fn(&str) -> Option<u32>) {
        for list in self.abstracts.values_mut() {
            let num = list.style_link.as_deref().and_then(&num_of_style).and_then(|num| self.nums.get(&num));
            list.stands_for = num.map(|num| num.abstract_id);
        }
    }

    /// The level of a list that a style of paragraphs stands for.
    pub(in super::super) fn level_of_style(&self, num: u32, style: &str) -> Option<usize> {
        let list = self.meant(self.nums.get(&num)?.abstract_id);
        self.abstracts.get(&list)?.styles.get(style).copied()
    }

    /// What stands in front of the next paragraph of this level; nothing where the list is not known.
    pub(in super::super) fn next(&mut self, num: u32, at: usize) -> Option<Mark> {
        let at = at.min(LEVELS - 1);
        let list = self.meant(self.nums.get(&num)?.abstract_id);
        let Num { starts, begun, levels: own, .. } = self.nums.get_mut(&num)?;
        let Abstract { levels, counts, .. } = self.abstracts.get_mut(&list)?;
        let unsaid = Level::default();
        let level = |at: usize| own.get(&at).or_else(|| levels.get(at)).unwrap_or(&unsaid);
        let levels: Vec<&Level> = (0..LEVELS).map(level).collect();
        let start = starts.get(&at).copied();
        let has_begun = begun.get_mut(at).is_some_and(|begun| std::mem::replace(begun, true));
        // A start of its own holds when the num begins, and wherever the level begins anew.
        let begins = !has_begun || counts.0.get(at).is_none_or(Option::is_none);
        counts.advance(&levels, at, start.filter(|_| begins));
        Some(counts.mark(&levels, at))
    }

    fn meant(&self, list: u32) -> u32 {
        let next = |list: &u32| self.abstracts.get(list).and_then(|list| list.stands_for);
        std::iter::successors(Some(list), next).take(LINKS).last().unwrap_or(list)
    }
}

impl Level {
    fn set(&mut self, tag: &Tag<'_>) {
        match tag.name {
            "start" => self.start = tag.number("val").unwrap_or_default(),
            "numFmt" => self.numeral = Numeral::of_word(&tag.get("val").unwrap_or_default()),
            "lvlText" => self.print(pieces(&tag.get("val").unwrap_or_default())),
            "isLgl" => self.is_legal = tag.get("val").is_none_or(|set| !matches!(set.as_ref(), "0" | "false" | "off")),
            "lvlRestart" => {
                self.restart = match tag.number("val").and_then(|level| usize::try_from(level).ok()) {
                    None => Restart::Always,
                    Some(level) => level.checked_sub(1).map_or(Restart::Never, Restart::Below),
                };
            }
            _ => {}
        }
    }
}

/// `%1.%2` in its pieces.
fn pieces(text: &str) -> Vec<Piece> {
    let mut parts = text.split('%');
    let mut pieces: Vec<Piece> = parts.next().map(|text| Piece::Text(text.to_owned())).into_iter().collect();
    for part in parts {
        let level = part.chars().next().and_then(|c| c.to_digit(10)).and_then(|level| level.checked_sub(1));
        match level.and_then(|level| usize::try_from(level).ok()) {
            Some(level) => {
                pieces.push(Piece::Count(level));
                pieces.push(Piece::Text(part.get(1..).unwrap_or_default().to_owned()));
            }
            None => pieces.push(Piece::Text(format!("%{part}"))),
        }
    }
    pieces
}
