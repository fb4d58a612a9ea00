//! What a page says about itself in its head and its structured data, held against its blocks.
//!
//! A description, and all the more the body of an article, is of the main text; the kind of page is said by types.

use std::collections::HashSet;

use serde_json::Value;

use super::blocks::Block;
use super::tree::{Element, Tree};
use crate::core::base::rows::is_listed;

/// Words of a run by which texts are held against one another.
const RUN: usize = 3;
/// Words of descriptions, and of bodies, that are looked at.
const MOST_WORDS: usize = 20_000;
/// Titles that a page has; each block is held against all of them.
const MOST_TITLES: usize = 8;
/// Words of a block that are looked at.
const BLOCK_WORDS: usize = 200;
/// Values of structured data that are looked at.
const MOST_VALUES: usize = 4_000;

/// A longer block is no title.
const TITLE_BYTES: usize = 400;
/// The number of a block where the page has no text to hold it against, and of one that is too short for it.
const NO_TEXT: f32 = -1.0;
const NO_RUN: f32 = -0.5;

/// How many numbers say of what kind a page is, and how many are of each block.
pub(super) const KINDS: usize = 10;
pub(super) const OF_BLOCK: usize = 3;

/// Types of structured data, by what they say of the page.
const TYPES: [&str; 7] = [
    "Article NewsArticle BlogPosting TechArticle Report ScholarlyArticle Recipe HowTo",
    "Product ProductGroup Offer Book VideoGame SoftwareApplication",
    "ItemList CollectionPage OfferCatalog SearchResultsPage",
    "DiscussionForumPosting QAPage Question Comment Answer",
    "FAQPage",
    "LocalBusiness Service ProfessionalService",
    "WebSite Organization WebPage",
];

/// What a page says about itself.
#[derive(Debug, Default)]
pub(super) struct Described {
    descriptions: HashSet<u64>,
    bodies: HashSet<u64>,
    titles: Vec<String>,
    /// Types of structured data, then those of OpenGraph.
    pub(super) kinds: [f32; KINDS],
}

impl Described {
    pub(super) fn of(tree: &Tree, data: &[Value]) -> Self {
        let mut found = Self::default();
        for (_, element) in tree.elements() {
            match element.name.text() {
                "meta" => found.meta(element),
                _ => {
                    if let Some(kind) = element.attribute("itemtype") {
                        found.kind(kind.rsplit('/').next().unwrap_or_default());
                    }
                }
            }
        }
        for data in data {
            found.data(data);
        }
        found
    }

    fn meta(&mut self, element: &Element) {
        let name = element.attribute("property").or_else(|| element.attribute("name")).unwrap_or_default();
        let content = element.attribute("content").unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "description" | "og:description" | "twitter:description" => add(&mut self.descriptions, content),
            "og:title" | "twitter:title" => self.title(content),
            "og:type" => {
                let is = |part: &str| content.contains(part);
                let said = if is("article") { 0 } else { 2 - usize::from(is("product")) };
                self.kinds[TYPES.len() + said] = 1.0;
            }
            _ => {}
        }
    }

    fn title(&mut self, text: &str) {
        if self.titles.len() < MOST_TITLES {
            self.titles.push(plain(text));
        }
    }

    fn kind(&mut self, name: &str) {
        for (place, names) in self.kinds.iter_mut().zip(TYPES) {
            if is_listed(names, name) {
                *place = 1.0;
            }
        }
    }

    fn data(&mut self, data: &Value) {
        let mut open = vec![data];
        for _ in 0..MOST_VALUES {
            match open.pop() {
                Some(Value::Array(list)) => open.extend(list),
                Some(Value::Object(map)) => {
                    for (key, value) in map {
                        self.value(key, value);
                        open.push(value);
                    }
                }
                Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {}
                None => break,
            }
        }
    }

    fn value(&mut self, key: &str, value: &Value) {
        match (key, value) {
            ("@type", Value::String(kind)) => self.kind(kind),
            ("@type", Value::Array(kinds)) => {
                kinds.iter().take(TYPES.len()).filter_map(Value::as_str).for_each(|kind| self.kind(kind));
            }
            ("description" | "abstract", Value::String(text)) => add(&mut self.descriptions, text),
            ("articleBody" | "text" | "reviewBody", Value::String(text)) => add(&mut self.bodies, text),
            ("headline", Value::String(text)) => self.title(text),
            _ => {}
        }
    }

    /// The parts of a block's runs that stand in descriptions and in bodies, negative where that cannot be told; whether it
    /// is the title.
    pub(super) fn of_block(&self, block: &Block) -> [f32; OF_BLOCK] {
        let (mut all, mut described, mut body) = (0.0, 0.0, 0.0);
        if !self.descriptions.is_empty() || !self.bodies.is_empty() {
            runs(&block.text, BLOCK_WORDS, |run| {
                all += 1.0;
                described += f32::from(self.descriptions.contains(&run));
                body += f32::from(self.bodies.contains(&run));
            });
        }
        let part = |found: f32, is_there: bool| match (is_there, all > 0.0) {
            (false, _) => NO_TEXT,
            (true, false) => NO_RUN,
            (true, true) => found / all,
        };
        let may_be_title = block.text.len() < TITLE_BYTES && !self.titles.is_empty();
        let title = may_be_title && self.titles.contains(&plain(&block.text));
        [part(described, !self.descriptions.is_empty()), part(body, !self.bodies.is_empty()), f32::from(title)]
    }
}

/// Adds the runs of a text to those of others, as long as there are few.
fn add(known: &mut HashSet<u64>, text: &str) {
    runs(text, MOST_WORDS.saturating_sub(known.len()), |run| {
        known.insert(run);
    });
}

/// Small letters and digits, one space between words.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(60);
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The runs of the first words of a text, as numbers.
fn runs(text: &str, most: usize, mut take: impl FnMut(u64)) {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(most);
    let mut last = [0_u64; RUN];
    for (no, word) in words.enumerate() {
        last.rotate_left(1);
        last[RUN - 1] = folded(word.chars().flat_map(char::to_lowercase).map(u64::from));
        if no + 1 >= RUN {
            take(folded(last));
        }
    }
}

/// Several numbers as one (FNV-1a, by whole numbers).
fn folded(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
        let mixed = (hash ^ number).wrapping_mul(0x100_0000_01b3);
        mixed ^ (mixed >> 29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::text::page::html::{blocks, metadata};

    const PAGE: &str = r#"<head><meta property="og:type" content="article"><meta property="og:title" content="The Long Sea">
        <meta name="description" content="How the tide turns twice a day"><script type="application/ld+json">
        {"@graph": [{"@type": ["NewsArticle"], "articleBody": "Nobody who lives there sleeps through it."}]}</script></head>
        <h1>The long sea</h1><p>How the tide turns twice a day</p><p>Nobody who lives there sleeps through it.</p><p>Buy now</p>"#;

    #[test]
    fn blocks_are_held_against_what_the_page_says_about_itself() {
        let tree = Tree::parse(PAGE);
        let described = Described::of(&tree, &metadata::data(&tree));
        let numbers: Vec<_> = blocks::blocks(&tree).iter().map(|block| described.of_block(block)).collect();
        assert_eq!(numbers, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [NO_RUN, NO_RUN, 0.0]]);
        assert_eq!(described.kinds, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_page_that_says_nothing_tells_nothing() {
        let tree = Tree::parse("<p>How the tide turns twice a day</p>");
        let described = Described::of(&tree, &[]);
        let numbers: Vec<_> = blocks::blocks(&tree).iter().map(|block| described.of_block(block)).collect();
        assert_eq!(numbers, [[NO_TEXT, NO_TEXT, 0.0]]);
        assert!(described.kinds.iter().all(|kind| *kind == 0.0));
    }

    #[test]
    fn little_is_kept_of_a_page_that_says_much() {
        let titles = r#"<meta property="og:title" content="A title">"#.repeat(100);
        let numbers: String = (0..2 * MOST_WORDS).map(|no| format!("{no} ")).collect();
        let description = format!(r#"{{"description": "{numbers}", "abstract": "{numbers}x"}}"#);
        let described = Described::of(&Tree::parse(&titles), &[serde_json::from_str(&description).unwrap()]);
        assert_eq!(described.titles.len(), MOST_TITLES);
        assert!(described.descriptions.len() <= MOST_WORDS);
    }
}
