//! What is measured of each block of a page, as numbers.
//!
//! Only measuring: what the numbers mean is in `model`. Every number comes from the page itself in work that grows
//! with the page (times its depth, which is bounded).

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::blocks::Block;
use super::described::{Described, OF_BLOCK};
use super::facts::{self, log, share};
use super::sums::Sums;
use super::surroundings::Surroundings;
use super::tree::{Element, Tree};
use super::{classes, furniture, phrases};

/// Numbers of one block.
pub(super) type Row = Vec<f32>;

/// About as many as a row has.
const ROW_NUMBERS: usize = 192;
/// The distance to an ancestor that is not there.
const NO_ANCESTOR: f32 = 60.0;
/// The distance to a block that is not there.
const NO_BLOCK: f32 = -9.0;
/// A block of so many words, this part of them in a description of the page, is of its main text.
const DESCRIBED_WORDS: usize = 8;
const DESCRIBED_PART: f32 = 0.6;

/// Element names whose nearest ancestor is measured.
const ANCESTORS: [&str; 17] = [
    "nav",
    "footer",
    "header",
    "aside",
    "main",
    "article",
    "form",
    "table",
    "ul",
    "ol",
    "dl",
    "figure",
    "section",
    "button",
    "blockquote",
    "a",
    "noscript",
];
/// The bit of an element that says itself that it is a body or a description.
const PROPERTY: u32 = 1 << 31;
/// Element names of the block itself or close to it.
const OWN: [&str; 12] = ["p", "div", "li", "td", "th", "dt", "dd", "span", "pre", "figcaption", "label", "summary"];

/// Measures every block. `data` is the structured data of the page.
pub(super) fn rows(tree: &Tree, blocks: &[Block], data: &[Value]) -> Vec<Row> {
    let page = Page::of(tree, blocks, data);
    (0..blocks.len()).map(|no| page.row(no)).collect()
}

/// The sums of one block, with the signs that end its sentences.
fn sums_of(block: &Block, furniture: bool) -> Sums {
    Sums { marks: phrases::sentence_marks(&block.text) as f32, ..Sums::of(block, furniture) }
}

fn link_share(sums: Sums) -> f32 {
    share(sums.linked, sums.words)
}

/// What is the same for all blocks of a page, and what is summed up before.
struct Page<'p> {
    tree: &'p Tree,
    blocks: &'p [Block],
    /// Sums over the blocks before each.
    before: Vec<Sums>,
    all: Sums,
    /// The first block at or below each node.
    first_block: Vec<usize>,
    /// What each node is for those below it, as bits.
    ancestors: Vec<u32>,
    groups: Vec<u32>,
    hidden: Vec<bool>,
    signatures: Vec<u64>,
    by_signature: HashMap<u64, Sums>,
    copies: HashMap<&'p str, u32>,
    /// The elements that hold at least half, three quarters and nine tenths of the long text.
    cores: [usize; 3],
    /// The same of the clean text.
    clean_cores: [usize; 3],
    furniture: Vec<bool>,
    /// The element that is, by its name or by what is in it, the main part of the page.
    region: usize,
    /// The make of blocks that most of the clean text has.
    commonest: u64,
    first_heading: Option<usize>,
    /// For each block the last heading at or before it.
    heading: Vec<Option<usize>>,
    facts: [f32; 4],
    whole: Vec<f32>,
    /// What the page says about itself, held against each block, and the first block that is surely of what it says.
    described: Vec<[f32; OF_BLOCK]>,
    first_described: Option<usize>,
    surroundings: Surroundings<'p>,
    /// Which blocks stand there before with the same words.
    repeated: Vec<bool>,
}

/// Whether a block is surely of what the page says about itself.
fn is_described((block, [description, body, _]): (&Block, &[f32; OF_BLOCK])) -> bool {
    block.words >= DESCRIBED_WORDS && description.max(*body) > DESCRIBED_PART
}

impl<'p> Page<'p> {
    fn of(tree: &'p Tree, blocks: &'p [Block], data: &[Value]) -> Self {
        let first_block = furniture::first_blocks(tree, blocks);
        let groups = furniture::groups(tree);
        let hidden = furniture::hidden(tree);
        let furniture = furniture::furniture(tree, blocks, &first_block, &groups, &hidden);
        let mut before = Vec::with_capacity(blocks.len() + 1);
        let mut all = Sums::default();
        for block in blocks {
            before.push(all);
            all = all.plus(sums_of(block, furniture[block.nodes.start]));
        }
        before.push(all);
        let signatures: Vec<u64> = blocks.iter().map(|block| signature(tree, block)).collect();
        let mut by_signature: HashMap<u64, Sums> = HashMap::new();
        let mut copies: HashMap<&str, u32> = HashMap::new();
        for (block, signature) in blocks.iter().zip(&signatures) {
            let sums = by_signature.entry(*signature).or_default();
            *sums = sums.plus(sums_of(block, furniture[block.nodes.start]));
            *copies.entry(&block.text).or_default() += 1;
        }
        let level = |block: &Block| tree.element(block.node).and_then(|element| element.name.heading_level());
        let mut last = None;
        let heading = blocks.iter().enumerate().map(|(no, block)| {
            last = level(block).map(|_| no).or(last);
            last
        });
        let heading = heading.collect();
        let first_heading = blocks.iter().position(|block| level(block) == Some(1));
        let said = Described::of(tree, data);
        let described: Vec<_> = blocks.iter().map(|block| said.of_block(block)).collect();
        let first_described = blocks.iter().zip(&described).position(is_described);
        let mut seen = HashSet::new();
        let repeated = blocks.iter().map(|block| !seen.insert(block.text.as_str())).collect();
        let whole = facts::of(tree, blocks, &groups, &said);
        let mut page = Self {
            tree,
            blocks,
            before,
            all,
            first_block,
            ancestors: (0..tree.nodes.len()).map(|at| tree.element(at).map_or(0, ancestor)).collect(),
            groups,
            hidden,
            signatures,
            by_signature,
            copies,
            cores: [0; 3],
            clean_cores: [0; 3],
            furniture,
            region: 0,
            commonest: 0,
            first_heading,
            heading,
            facts: [0.0; 4],
            whole,
            described,
            first_described,
            surroundings: Surroundings::of(tree, blocks),
            repeated,
        };
        page.cores = [0.5, 0.75, 0.9].map(|part| page.core(part, |sums| sums.long));
        page.clean_cores = [0.5, 0.75, 0.9].map(|part| page.core(part, |sums| sums.clean));
        page.region = page.region();
        let weight = |sums: &Sums| (sums.clean - sums.linked).max(0.0);
        let most = page.by_signature.iter().filter(|(_, sums)| sums.blocks > 2.0);
        let most = most.max_by(|(a, one), (b, other)| weight(one).total_cmp(&weight(other)).then(a.cmp(b)));
        page.commonest = most.map_or(0, |(signature, _)| *signature);
        page.facts = page.facts();
        page
    }

    /// The sums of the blocks below a node.
    fn sums(&self, at: usize) -> Sums {
        let end = self.tree.nodes.get(at).map_or(at, |node| node.end);
        let place = |at: usize| self.first_block.get(at).copied().unwrap_or(self.blocks.len());
        let before = |no: usize| self.before.get(no).copied().unwrap_or(self.all);
        before(place(end)).minus(before(place(at)))
    }

    /// The smallest element that holds this part of the page's long text.
    fn core(&self, part: f32, of: impl Fn(Sums) -> f32) -> usize {
        let wanted = of(self.all) * part;
        if wanted <= 0.0 {
            return 0;
        }
        let mut best = 0;
        let mut at = 1;
        while at < self.tree.nodes.len() {
            let end = self.tree.nodes.get(at).map_or(at + 1, |node| node.end);
            if of(self.sums(at)) >= wanted && self.tree.element(at).is_some() {
                best = at;
                at += 1;
            } else {
                at = end.max(at + 1);
            }
        }
        best
    }

    /// The first element of this name (or role) that holds more than this part of the clean text.
    fn named(&self, name: &str, part: f32) -> Option<usize> {
        let fits = |(at, element): &(usize, &Element)| {
            (element.name.text() == name || element.attribute("role").is_some_and(|role| role_is(role, name)))
                && self.sums(*at).clean >= part * self.all.clean
        };
        self.tree.elements().find(fits).map(|(at, _)| at)
    }

    /// `<main>` if it holds a good part of the page, else a large `<article>`, else what holds most of the clean text.
    fn region(&self) -> usize {
        self.named("main", 0.2).or_else(|| self.named("article", 0.5)).unwrap_or(self.clean_cores[2])
    }

    /// What is the same for every block. There are few of them on purpose: what describes a whole page invites to learn
    /// pages by heart.
    fn facts(&self) -> [f32; 4] {
        let main = self.named("main", 0.0).map_or(-1.0, |at| share(self.sums(at).words, self.all.words));
        let long = share(self.all.long, self.all.words);
        [link_share(self.all), long, share(self.all.words, self.all.blocks), main]
    }

    fn row(&self, no: usize) -> Row {
        let Some(block) = self.blocks.get(no) else { return Row::new() };
        let mut row = Row::with_capacity(ROW_NUMBERS);
        row.extend(self.facts);
        self.own(block, &mut row);
        self.ancestors(block, &mut row);
        self.containers(block, &mut row);
        self.neighbours(no, &mut row);
        self.section(no, &mut row);
        row.extend(&self.whole);
        row.extend(self.described.get(no).copied().unwrap_or_default());
        row.extend(self.surroundings.of_node(block.nodes.start));
        row.push(f32::from(self.repeated.get(no).copied().unwrap_or_default()));
        row.push(self.first_described.map_or(NO_BLOCK, |first| distance(no, first)));
        row
    }

    /// The block itself.
    fn own(&self, block: &Block, row: &mut Row) {
        let text = phrases::Text::of(&block.text);
        let words = block.words as f32;
        let name = self.tree.element(block.node).map_or("", |element| element.name.text());
        row.extend([log(words), share(block.linked as f32, words)]);
        row.extend(text.numbers());
        let level = self.tree.element(block.node).and_then(|element| element.name.heading_level());
        row.push(level.map_or(0.0, f32::from));
        row.extend(OWN.map(|own| f32::from(own == name)));
        row.push(f32::from(block.code));
        row.push(self.copies.get(block.text.as_str()).copied().unwrap_or(1).min(9) as f32);
        let title = self.tree.title.trim();
        row.push(f32::from(!block.text.is_empty() && title.contains(block.text.as_str())));
    }

    /// How far away the nearest ancestor of each kind is.
    fn ancestors(&self, block: &Block, row: &mut Row) {
        let mut names = [NO_ANCESTOR; ANCESTORS.len()];
        let mut groups = [NO_ANCESTOR; classes::COUNT];
        let (mut hidden, mut depth, mut is_property) = (NO_ANCESTOR, 0.0_f32, 0.0);
        // The text node's own ancestors: they include the inline ones.
        for (at, _) in self.tree.above(block.nodes.start) {
            depth += 1.0;
            if depth > NO_ANCESTOR - 1.0 {
                break;
            }
            let bits = self.ancestors.get(at).copied().unwrap_or_default();
            nearest(&mut names, bits, depth);
            nearest(&mut groups, self.groups.get(at).copied().unwrap_or_default(), depth);
            if self.hidden.get(at).copied().unwrap_or_default() {
                hidden = hidden.min(depth);
            }
            if bits & PROPERTY != 0 {
                is_property = 1.0;
            }
        }
        row.extend(names);
        row.extend(groups);
        row.extend([hidden, depth, is_property]);
    }

    /// Whether the elements that hold most of the text hold the block, too.
    fn containers(&self, block: &Block, row: &mut Row) {
        let end = self.tree.nodes.get(self.region).map_or(0, |node| node.end);
        let in_region = (self.region..end).contains(&block.nodes.start);
        row.push(f32::from(in_region));
        let clean = !self.furniture.get(block.nodes.start).copied().unwrap_or_default();
        row.push(f32::from(in_region && clean));
        row.push(f32::from(self.furniture.get(block.nodes.start).copied().unwrap_or_default()));
        for core in self.cores.into_iter().chain(self.clean_cores) {
            let end = self.tree.nodes.get(core).map_or(core, |node| node.end);
            row.push(f32::from((core..end).contains(&block.nodes.start)));
        }
        for in_core in [self.cores[1], self.clean_cores[1]] {
            let joined = self.tree.above(block.nodes.start).find(|(at, _)| {
                let end = self.tree.nodes.get(*at).map_or(*at, |node| node.end);
                (*at..end).contains(&in_core)
            });
            let around = joined.map_or(self.all, |(at, _)| self.sums(at));
            row.push(share(around.clean, self.all.clean));
        }
    }

    /// The blocks around it, those like it, and where it stands.
    fn neighbours(&self, no: usize, row: &mut Row) {
        for offset in [-3_isize, -2, -1, 1, 2, 3] {
            let other = no.checked_add_signed(offset).and_then(|no| self.blocks.get(no));
            row.push(other.map_or(-1.0, |block| log(block.words as f32)));
            row.push(other.map_or(-1.0, |block| share(block.linked as f32, block.words as f32)));
        }
        let place = |no: usize| self.before.get(no.min(self.blocks.len())).copied().unwrap_or(self.all);
        let before = place(no);
        row.push(share(no as f32, self.all.blocks));
        row.push(share(before.words, self.all.words));
        row.push(share(before.long, self.all.long));
        row.push(share(before.clean, self.all.clean));
        let first = self.first_block.get(self.region).and_then(|no| self.before.get(*no)).copied().unwrap_or_default();
        row.push(share(before.clean - first.clean, self.sums(self.region).clean).clamp(-1.0, 2.0));
        row.push(self.first_heading.map_or(0.0, |first| distance(no, first)));
        let signature = self.signatures.get(no).copied().unwrap_or_default();
        let alike = self.by_signature.get(&signature).copied().unwrap_or_default();
        row.extend([log(alike.blocks), log(share(alike.words, alike.blocks)), link_share(alike)]);
        row.push(share(alike.words, self.all.words));
        row.push(share(alike.clean, alike.words));
        row.push(f32::from(signature == self.commonest));
        let same = |other: Option<usize>| {
            f32::from(other.and_then(|other| self.signatures.get(other)).is_some_and(|other| *other == signature))
        };
        row.extend([same(no.checked_sub(1)), same(no.checked_add(1))]);
    }

    /// The section it stands in: from the last heading to the next.
    fn section(&self, no: usize, row: &mut Row) {
        let heading = self.heading.get(no).copied().flatten();
        let start = heading.unwrap_or(0);
        let is_next = |other: &usize| self.heading.get(*other).copied().flatten() != heading;
        // Far enough to tell a section of text from a line of links.
        let end = (no + 1..self.blocks.len().min(no + 60)).find(is_next).unwrap_or(self.blocks.len().min(no + 60));
        let place = |no: usize| self.before.get(no).copied().unwrap_or(self.all);
        let section = place(end).minus(place(start));
        row.extend([log(section.words), link_share(section), share(section.long, section.words)]);
        row.push(log((no - start.min(no)) as f32));
        let title = heading.and_then(|at| self.blocks.get(at)).map_or("", |block| &block.text);
        row.push(phrases::is_side_heading(title));
        let level = heading.and_then(|at| self.blocks.get(at)).and_then(|block| self.tree.element(block.node));
        row.push(level.and_then(|element| element.name.heading_level()).map_or(0.0, f32::from));
    }
}

/// How far a block stands behind another, or before it.
fn distance(no: usize, other: usize) -> f32 {
    let distance = no as f32 - other as f32;
    distance.signum() * log(distance.abs())
}

/// Which of [`ANCESTORS`] an element is, as bits, and [`PROPERTY`].
fn ancestor(element: &Element) -> u32 {
    let name = element.name.text();
    let role = element.attribute("role").unwrap_or_default();
    let is = |ancestor: &&str| *ancestor == name || (!role.is_empty() && role_is(role, ancestor));
    let places = ANCESTORS.iter().enumerate().filter(|(_, ancestor)| is(ancestor));
    let bits = places.fold(0, |bits, (no, _)| bits | 1 << no);
    let is_text = |value: &str| value.contains("ody") || value == "description";
    if element.attribute("itemprop").is_some_and(is_text) { bits | PROPERTY } else { bits }
}

/// Notes for each bit the smallest depth at which it was seen; depths come in order.
fn nearest(places: &mut [f32], bits: u32, depth: f32) {
    let mut bits = bits;
    while let Some(place) = places.get_mut(bits.trailing_zeros() as usize).filter(|_| bits != 0) {
        *place = place.min(depth);
        bits &= bits - 1;
    }
}

fn role_is(role: &str, name: &str) -> bool {
    matches!(
        (role, name),
        ("navigation", "nav")
            | ("contentinfo", "footer")
            | ("banner", "header")
            | ("complementary", "aside")
            | ("main", "main")
            | ("article", "article")
            | ("button", "button")
            | ("search", "form")
    )
}

/// Blocks of the same make: the same names and classes on the three nearest levels.
fn signature(tree: &Tree, block: &Block) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (_, element) in tree.above(block.nodes.start).take(3) {
        element.name.text().hash(&mut hasher);
        element.attribute("class").unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}
