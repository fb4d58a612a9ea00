//! Reading pages of the web: which of their passages speak of a question, best first.
//!
//! The pages of one attempt are a small heap that a search engine has already chosen, so the words of the question stand in most of
//! them. Their weights are therefore taken as if the heap were part of a larger one that does not speak of the question.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::core::base::limits;
use crate::core::evidence::passage::{FoundPassages, PageHash, Passage, Term};
use crate::core::language::words::{informative_pieces, pieces, root};
use crate::core::text::spans::{PlaceInFile, Span};
use crate::core::text::{Document, Piece};

/// What reading some pages brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FetchReply {
    /// The pages that came and are archived.
    pub(crate) pages: Vec<WebPage>,
    /// Their passages; `problems` has the pages that did not come.
    pub(crate) found: FoundPassages,
}

/// A page that was read and archived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WebPage {
    /// Where it was, after redirects.
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) page: PageHash,
    /// How long ago it was published, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) age_days: Option<u32>,
}

/// A page and its passages.
#[derive(Clone, Debug)]
pub(crate) struct ReadPage {
    pub(crate) about: WebPage,
    pub(crate) document: Document,
}

/// Passages that do not speak of the question, for the weights: as many as a few ordinary pages have.
const ELSEWHERE: f32 = 100.0;
/// BM25's usual figures.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Ranks the passages of the pages against a query and keeps the best `limit`.
pub(crate) fn rank(query: &str, pages: &[ReadPage], limit: u32) -> FoundPassages {
    let terms = terms(query);
    let heap: Vec<Counted<'_>> = pages.iter().flat_map(|page| counted(page, &terms)).collect();
    let holding = |at: usize| number(heap.iter().filter(|piece| piece.counts.contains_key(&at)).count());
    let all = number(heap.len()) + ELSEWHERE;
    let weight = |at: usize| ((all - holding(at) + 0.5) / (holding(at) + 1.5)).ln_1p();
    let weights: Vec<f32> = (0..terms.len()).map(weight).collect();
    let mean = heap.iter().map(|piece| piece.length).sum::<f32>() / number(heap.len()).max(1.0);
    let score = |piece: &Counted<'_>| -> f32 {
        let length = K1 * (1.0 - B + B * piece.length / mean.max(1.0));
        let part = |(at, count): (&usize, &f32)| {
            weights.get(*at).copied().unwrap_or_default() * count * (K1 + 1.0) / (count + length)
        };
        piece.counts.iter().map(part).sum()
    };
    let speaking = heap.iter().filter(|piece| !piece.counts.is_empty());
    let mut best: Vec<(f32, &Counted<'_>)> = speaking.map(|piece| (score(piece), piece)).collect();
    best.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.order().cmp(&other.order())));
    // Of a large page most passages hold a word of the question: only what is kept is copied.
    let passages = best.iter().take(limit as usize).map(|(score, piece)| piece.passage(*score)).collect();
    let terms = terms.into_iter().zip(weights).map(|(text, weight)| Term { text, weight, forms: Vec::new() }).collect();
    FoundPassages { terms, passages, ..FoundPassages::default() }
}

/// Markdown with the words of its links and without their addresses, which cost a reader and a model more than they tell.
pub(crate) fn without_links(markdown: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(markdown.len()), markdown);
    while let Some((before, after)) = rest.split_once("](") {
        // A bracket ends the look-out as well: so no part of a text is looked at twice, however its brackets stand.
        let end = after.find([')', '\n', ' ', '[', ']']);
        let target = end.filter(|at| after.get(*at..).is_some_and(|tail| tail.starts_with(')')));
        let opening = before.rfind('[').filter(|at| !before.get(*at..).unwrap_or_default().contains('\n'));
        match (target, opening) {
            (Some(end), Some(at)) => {
                kept.push_str(before.get(..at).unwrap_or_default().trim_end_matches('!'));
                kept.push_str(before.get(at + 1..).unwrap_or_default());
                rest = after.get(end + 1..).unwrap_or_default();
            }
            _ => {
                kept.push_str(before);
                kept.push_str("](");
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// The telling words of a query, one of each root.
fn terms(query: &str) -> Vec<String> {
    let mut roots = BTreeSet::new();
    let all = informative_pieces(query).into_iter().filter(|word| roots.insert(root(word).to_owned()));
    all.take(limits::LIBRARY_TERMS).collect()
}

/// A passage, and how often it holds which term.
struct Counted<'p> {
    page: &'p ReadPage,
    place: usize,
    counts: BTreeMap<usize, f32>,
    length: f32,
}

fn counted<'p>(page: &'p ReadPage, terms: &[String]) -> Vec<Counted<'p>> {
    let roots: BTreeMap<&str, usize> = terms.iter().enumerate().map(|(at, term)| (root(term), at)).collect();
    let count = |(place, piece): (usize, &Piece)| {
        let (mut counts, mut length) = (BTreeMap::new(), 0.0);
        for word in pieces(page.document.passage_text(piece)) {
            length += 1.0;
            if let Some(at) = roots.get(root(&word)) {
                *counts.entry(*at).or_insert(0.0) += 1.0;
            }
        }
        // What stands above a passage says what it is about, though less surely than its own words.
        for word in piece.headings.iter().chain([&page.about.title]).flat_map(|heading| pieces(heading)) {
            if let Some(at) = roots.get(root(&word)) {
                counts.entry(*at).or_insert(0.5);
            }
        }
        Counted { page, place, counts, length }
    };
    page.document.passages.iter().enumerate().map(count).collect()
}

impl Counted<'_> {
    /// Where it stands among all, so that the order never depends on chance.
    fn order(&self) -> (&str, &str, usize) {
        let (root, path) = split(&self.page.about.url);
        (root, path, self.place)
    }

    fn passage(&self, score: f32) -> Passage {
        let WebPage { url, title, page, .. } = &self.page.about;
        let (root, path) = split(url);
        let matched = self.counts.keys().filter_map(|at| u16::try_from(*at).ok()).collect();
        let empty = Passage {
            root: root.to_owned(),
            path: path.to_owned(),
            title: title.clone(),
            headings: Vec::new(),
            text: String::new(),
            lines: PlaceInFile::lines(1, 1),
            parts: Vec::new(),
            span: Span { start: 0, end: 0 },
            page: page.clone(),
            score,
            matched,
            meaning: None,
            fenced: false,
            table_head: String::new(),
            of_superseded: self.page.document.is_superseded,
        };
        let Some(piece) = self.page.document.passages.get(self.place) else { return empty };
        Passage {
            headings: piece.headings.to_vec(),
            text: self.page.document.passage_text(piece).to_owned(),
            lines: piece.lines.clone(),
            parts: piece.parts.clone(),
            span: Span { start: piece.span.start as u64, end: piece.span.end as u64 },
            fenced: piece.fenced,
            table_head: piece.table_head.as_deref().unwrap_or_default().to_owned(),
            ..empty
        }
    }
}

/// An address as the two parts that a passage has: its site, and what is below it.
fn split(url: &str) -> (&str, &str) {
    let site = url.find("://").map_or(0, |at| at + 3);
    let rest = url.get(site..).unwrap_or_default();
    let end = rest.find('/').map_or(url.len(), |at| site + at);
    (url.get(..end).unwrap_or(url), url.get(end + 1..).unwrap_or_default())
}

fn number(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::from(u16::MAX), f32::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::evidence::place::location;
    use crate::core::text::{Format, extract};

    fn page(url: &str, markdown: &str) -> ReadPage {
        let document = extract(Format::Markdown, markdown.as_bytes().to_vec()).unwrap();
        let title = document.title.clone().unwrap_or_default();
        ReadPage { about: WebPage { url: url.into(), title, page: PageHash(url.into()), age_days: None }, document }
    }

    /// PR-02: work on a page grows with it, not faster. A quadratic reading of these would take hours.
    #[test]
    fn hostile_links_are_read_in_one_go() {
        for piece in ["[a](", "](", "[](", "[a](b", "[a](b)", "![x](y\n", "[[](", "](]("] {
            let text = piece.repeat((4 << 20) / piece.len());
            assert!(without_links(&text).len() <= text.len(), "{piece}");
        }
        let page =
            "See [the log](https://a.example/log_(x)) and ![a picture](b.png), [half](https://c.example and [d](e).";
        assert_eq!(without_links(page), "See the log) and a picture, [half](https://c.example and d.");
    }

    #[test]
    fn the_passage_that_speaks_of_the_question_comes_first() {
        let filler = "Tides rise and fall with the moon. ".repeat(30);
        let pages = [
            page("http://a.test/x", &format!("# Tides\n\n{filler}\n\n## Ships\n\nThe ship was carried by the tide.\n")),
            page("http://b.test/", "# Bridges\n\nA bridge is built of stone."),
        ];
        let found = rank("Which ships carry stone over the bridge?", &pages, 3);
        let texts: Vec<&str> = found.terms.iter().map(|term| term.text.as_str()).collect();
        assert_eq!(texts, ["ships", "carry", "stone", "bridge"]);
        assert_eq!(found.passages.len(), 2, "{:#?}", found.passages);
        assert_eq!(found.passages[0].text, "A bridge is built of stone.");
        assert_eq!(found.passages[1].matched, [0, 1]);
        for passage in &found.passages {
            let page = pages.iter().find(|page| page.about.page == passage.page).unwrap();
            let span = passage.span.start as usize..passage.span.end as usize;
            assert_eq!(page.document.text.get(span), Some(passage.text.as_str()));
            assert_eq!(location(&passage.root, &passage.path), page.about.url);
        }
    }

    /// A word that stands in every page of the heap still counts nearly as much as one that stands nowhere.
    #[test]
    fn a_chosen_heap_is_no_sample_of_the_world() {
        let pages: Vec<ReadPage> = (0..3).map(|at| page(&format!("http://{at}.test/a"), "Xenon boils.")).collect();
        let found = rank("xenon krypton", &pages, 9);
        assert!(found.terms[0].weight > 0.7 * found.terms[1].weight, "{:?}", found.terms);
        assert_eq!(found.passages.len(), 3);
        assert_eq!(rank("?", &pages, 9).passages, []);
        assert_eq!(rank("xenon", &[], 9).passages, []);
    }

    #[test]
    fn links_leave_their_words() {
        for (markdown, want) in [
            ("see [the Lark](http://x.test/y) now", "see the Lark now"),
            ("[a](b)[c](d)", "ac"),
            ("![alt](http://x.test/p.png)", "alt"),
            ("f(x[1](2 3))", "f(x[1](2 3))"),
            ("[1] and [x]", "[1] and [x]"),
            ("](", "]("),
        ] {
            assert_eq!(without_links(markdown), want);
        }
    }

    #[test]
    fn addresses_come_apart_and_together() {
        for url in ["http://a.test/x/y?z=1", "https://a.test/", "http://a.test/a.test", "http://a.test:80/x"] {
            let (root, path) = split(url);
            assert_eq!(location(root, path), url);
        }
    }
}
