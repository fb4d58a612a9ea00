//! What a reader gets to see of some pages: small pages whole, of larger ones the passages that speak of a question, each with its
//! neighbours, in the order of the page and under its headings.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::core::base::error::Problem;
use crate::core::evidence::passage::{PageHash, PageRef};
use crate::core::evidence::place::is_web;
use crate::core::evidence::rank::{self, ReadPage};
use crate::core::language::words::{informative_pieces, root};
use crate::core::text::spans::{PartPlace, PlaceInFile, Span, TextLines};
use crate::core::text::{Document, Piece};

/// A page that is to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub(crate) enum WantedPage {
    /// Of the web.
    Web { url: String },
    /// Of the library, as it was searched.
    Library(PageRef),
    /// One that was read before and has more to say; its archived text is read on.
    Archived(PageFacts),
}

/// What is known of a page beside its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageFacts {
    /// A path or an address, after redirects.
    pub(crate) location: String,
    /// The address that was asked for, where it led elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asked: Option<String>,
    pub(crate) title: String,
    pub(crate) hash: PageHash,
    /// `2026-11-15`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) author: Option<String>,
}

/// What of a page a reader gets to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExcerptedPage {
    pub(crate) facts: PageFacts,
    pub(crate) excerpts: Vec<Excerpt>,
    /// More of it could be shown.
    pub(crate) more: bool,
    /// Where it leads, as far as its links speak of the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) links: Vec<PageLink>,
}

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageLink {
    pub(crate) url: String,
    pub(crate) text: String,
}

/// Links of one page that are kept.
const LINKS: usize = 8;
/// Characters of the words of a link.
const LINK_CHARS: usize = 120;

/// The links of a page whose words share something with a question, those that share the most first.
pub(crate) fn telling_links(question: &str, links: impl IntoIterator<Item = PageLink>) -> Vec<PageLink> {
    let roots = |text: &str| -> BTreeSet<String> {
        informative_pieces(text).iter().map(|word| root(word).to_owned()).collect()
    };
    let wanted = roots(question);
    let mut known = BTreeSet::new();
    let mut found: Vec<(usize, PageLink)> = links
        .into_iter()
        .filter(|link| link.text.chars().count() <= LINK_CHARS && is_web(&link.url))
        .map(|link| (roots(&link.text).intersection(&wanted).count(), link))
        .filter(|(shared, link)| *shared > 0 && known.insert(link.url.clone()))
        .collect();
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    found.into_iter().take(LINKS).map(|(_, link)| link).collect()
}

/// Neighbouring passages of a page under one heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Excerpt {
    pub(crate) headings: Vec<String>,
    pub(crate) text: String,
    /// Where it stands in the page's text.
    pub(crate) span: Span,
    /// Where it stands in the file.
    pub(crate) lines: PlaceInFile,
    /// Where its parts stand, as far as its text and its place do not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<PartPlace>,
}

impl Excerpt {
    /// Where a part of it stands in the file, as near as that is known.
    pub(crate) fn lines_of(&self, part: &Range<usize>) -> PlaceInFile {
        match self.parts.as_slice() {
            [] => self.lines.of_part(&self.text, part, TextLines::Own),
            parts => self.lines.of_known(parts, part),
        }
    }

    /// What stands behind it is taken in: the whole text from here to its end, and where that stands.
    fn take_in(&mut self, whole: &str, piece: &Piece, text: &str) {
        let knows = !self.parts.is_empty() || !piece.parts.is_empty();
        if knows && self.parts.is_empty() {
            self.parts = self.lines.parts(&self.text);
        }
        if knows {
            let parts = if piece.parts.is_empty() { piece.lines.parts(text) } else { piece.parts.clone() };
            self.parts.extend(moved(&parts, whole.len().saturating_sub(text.len())));
        }
        self.lines = self.lines.clone().through(&piece.lines);
        self.text = whole.to_owned();
        self.span.end = piece.span.end as u64;
    }
}

/// The places of parts of what stands so many bytes further on.
fn moved(parts: &[PartPlace], by: usize) -> impl Iterator<Item = PartPlace> {
    let by = u32::try_from(by).unwrap_or(u32::MAX);
    parts.iter().map(move |part| PartPlace { at: part.at.saturating_add(by), ..*part })
}

/// What reading pages for a question brought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReadReply {
    pub(crate) pages: Vec<ExcerptedPage>,
    /// The pages that did not come.
    pub(crate) problems: Vec<Problem>,
}

/// The part of a page that its reader has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenPart {
    pub(crate) hash: PageHash,
    pub(crate) span: Span,
}

/// How much is shown, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShownRoom {
    pub(crate) all: usize,
    pub(crate) per_page: usize,
}

/// The share of the best passage's score from which a passage is good enough to bring its neighbours.
const GOOD: f32 = 0.5;
/// The share of the best score from which a page is shown at all.
const SPEAKS: f32 = 0.35;
/// What is kept for each of the pages behind one, in bytes.
const PAGE_SHARE: usize = 2_500;
/// The most pieces behind one that come with it because each leads over to the next.
const ANNOUNCED: usize = 2;
/// A page with less room than this is left for another time.
const LEAST_ROOM: usize = 400;

/// Chooses what is shown of pages, which stand in the order of their worth. What the reader has seen is left out.
pub(crate) fn choose(
    question: &str,
    pages: Vec<(PageFacts, Document)>,
    seen: &[SeenPart],
    room: ShownRoom,
) -> Vec<ExcerptedPage> {
    let (facts, read): (Vec<PageFacts>, Vec<ReadPage>) = pages
        .into_iter()
        .map(|(facts, document)| {
            let about = rank::WebPage {
                url: facts.location.clone(),
                title: facts.title.clone(),
                page: facts.hash.clone(),
                age_days: None,
            };
            (facts, ReadPage { about, document })
        })
        .unzip();
    let ranked = Ranked { scores: scores(question, &read), facts, read, seen };
    let chosen = ranked.shown(room);
    let used: usize = chosen.iter().flat_map(|page| &page.excerpts).map(|excerpt| excerpt.text.len()).sum();
    let wanting = chosen.iter().filter(|page| page.more).count();
    match room.all.saturating_sub(used).checked_div(wanting) {
        // Room that no other page takes goes to those that have more to say.
        Some(spare) if spare >= LEAST_ROOM => ranked.shown(ShownRoom { per_page: room.per_page + spare, ..room }),
        Some(_) | None => chosen,
    }
}

/// Pages and what each of their passages is worth.
struct Ranked<'s> {
    scores: BTreeMap<(PageHash, u64), f32>,
    facts: Vec<PageFacts>,
    read: Vec<ReadPage>,
    seen: &'s [SeenPart],
}

impl Ranked<'_> {
    fn shown(&self, room: ShownRoom) -> Vec<ExcerptedPage> {
        let best_of = |hash: &PageHash| {
            let of_page = self.scores.iter().filter(|((page, _), _)| page == hash);
            of_page.map(|(_, score)| *score).fold(0.0, f32::max)
        };
        let best = self.scores.values().copied().fold(0.0, f32::max);
        let mut left = room.all;
        let mut chosen = Vec::new();
        for (at, (facts, page)) in self.facts.iter().zip(&self.read).enumerate() {
            // A page that hardly speaks of the question beside others that do only takes their room.
            if best_of(&facts.hash) < best * SPEAKS {
                continue;
            }
            // A page of contents says little itself, where there are others.
            if is_contents(&page.document) && (self.read.len() > 1 || !self.seen.is_empty()) {
                continue;
            }
            // The pages behind it have their part too.
            let behind = (self.read.len() - at - 1).saturating_mul(PAGE_SHARE).min(left / 2);
            let here = left.saturating_sub(behind).min(room.per_page);
            if here < LEAST_ROOM {
                break;
            }
            let (excerpts, more) = self.excerpts(facts, &page.document, here);
            let used: usize = excerpts.iter().map(|excerpt| excerpt.text.len()).sum();
            left = left.saturating_sub(used);
            if !excerpts.is_empty() {
                chosen.push(ExcerptedPage { facts: facts.clone(), excerpts, more, links: Vec::new() });
            }
        }
        chosen
    }

    /// What is shown of a page, and whether there is more of it.
    fn excerpts(&self, facts: &PageFacts, document: &Document, room: usize) -> (Vec<Excerpt>, bool) {
        let score =
            |piece: &Piece| self.scores.get(&(facts.hash.clone(), piece.span.start as u64)).copied().unwrap_or(0.0);
        let is_seen =
            |piece: &Piece| self.seen.iter().any(|part| part.hash == facts.hash && overlaps(part.span, piece));
        let all = readable(document);
        let read_on = all.iter().any(|piece| is_seen(piece));
        let pieces: Vec<&Piece> = all.into_iter().filter(|piece| !is_seen(piece)).collect();
        let small = pieces.iter().map(|piece| size(piece)).sum::<usize>() <= room;
        // Of a page that is large or was read before, only what speaks of the question.
        let least = if small && !read_on { 0.0 } else { f32::MIN_POSITIVE };
        let leads = |piece: &Piece| leads_over(document.passage_text(piece));
        let (taken, more) = take(&pieces, &score, &leads, (least, room));
        (join(document, &taken, room), more)
    }
}

/// The same pages with less of them, each from its beginning.
pub(crate) fn fitting(pages: Vec<ExcerptedPage>, room: ShownRoom) -> Vec<ExcerptedPage> {
    let (mut left, mut kept) = (room.all, Vec::new());
    for mut page in pages {
        let mut here = left.min(room.per_page);
        let before = page.excerpts.len();
        page.excerpts.retain_mut(|excerpt| {
            let cut = excerpt.text.floor_char_boundary(here);
            page.more |= cut < excerpt.text.len();
            excerpt.text.truncate(cut);
            excerpt.span.end = excerpt.span.start + cut as u64;
            (here, left) = (here - cut, left - cut);
            cut > 0
        });
        page.more |= page.excerpts.len() < before;
        if !page.excerpts.is_empty() {
            kept.push(page);
        }
    }
    kept
}

fn scores(question: &str, pages: &[ReadPage]) -> BTreeMap<(PageHash, u64), f32> {
    let ranked = rank::rank(question, pages, u32::MAX);
    ranked.passages.into_iter().map(|passage| ((passage.page, passage.span.start), passage.score)).collect()
}

fn overlaps(span: Span, piece: &Piece) -> bool {
    (piece.span.start as u64) < span.end && span.start < piece.span.end as u64
}

fn size(piece: &Piece) -> usize {
    piece.span.end.saturating_sub(piece.span.start)
}

/// The pieces that fit, in the order of the page, and whether others were left: all of a small page, else the best ones, each with
/// its neighbours as far as there is room. What a piece leads over to comes with it: a sentence that announces a command says little without it.
fn take<'p>(
    pieces: &[&'p Piece],
    score: &impl Fn(&Piece) -> f32,
    leads: &impl Fn(&Piece) -> bool,
    (least, room): (f32, usize),
) -> (Vec<&'p Piece>, bool) {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    let score_at = |at: usize| pieces.get(at).map_or(0.0, |piece| score(piece));
    order.sort_by(|a, b| score_at(*b).total_cmp(&score_at(*a)).then(a.cmp(b)));
    let (mut taken, mut left) = (vec![false; pieces.len()], room);
    let mut try_take = |at: usize, left: &mut usize| {
        let (Some(piece), Some(slot)) = (pieces.get(at), taken.get_mut(at)) else { return };
        // A single piece may be larger than all the room; it is cut when it is joined.
        if !*slot && (size(piece) <= *left || (*left == room && size(piece) > room)) {
            *slot = true;
            *left = left.saturating_sub(size(piece));
        }
    };
    let best = order.first().map_or(0.0, |at| score_at(*at));
    let good: Vec<usize> =
        order.iter().copied().filter(|at| score_at(*at) > 0.0 && score_at(*at) >= best * GOOD).collect();
    let beside = good.iter().flat_map(|at| [Some(at + 1), at.checked_sub(1)]).flatten();
    // Words that no passage shares leave its beginning.
    let least = if best > 0.0 { least } else { 0.0 };
    let rest = order.iter().copied().filter(|at| score_at(*at) >= least);
    // One piece that stands alone between two that are taken belongs to what they say.
    let near: Vec<usize> = good.iter().copied().chain(beside).collect();
    let shown: BTreeSet<usize> = near.iter().copied().collect();
    let between = near.iter().map(|at| at + 1).filter(|at| !shown.contains(at) && shown.contains(&(at + 1)));
    for at in near.iter().copied().chain(between).chain(rest) {
        let announced = pieces.iter().skip(at).take(ANNOUNCED).take_while(|piece| leads(piece)).count();
        for at in at..=at + announced {
            try_take(at, &mut left);
        }
    }
    let kept: Vec<&Piece> = pieces.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(piece, _)| *piece).collect();
    let more = pieces.iter().zip(&taken).any(|(piece, taken)| !taken && score(piece) > 0.0);
    (kept, more)
}

/// Neighbours under the same headings become one excerpt. A single piece that is larger than the room is cut.
fn join(document: &Document, pieces: &[&Piece], room: usize) -> Vec<Excerpt> {
    let mut joined: Vec<Excerpt> = Vec::new();
    for piece in pieces {
        if let Some(last) = joined.last_mut().filter(|last| last.headings[..] == piece.headings[..]) {
            let whole =
                usize::try_from(last.span.start).ok().and_then(|start| document.text.get(start..piece.span.end));
            let between = usize::try_from(last.span.end).ok().and_then(|end| document.text.get(end..piece.span.start));
            if let (Some(whole), true) = (whole, between.is_some_and(|between| between.trim().is_empty())) {
                last.take_in(whole, piece, document.passage_text(piece));
                continue;
            }
        }
        let start = piece.span.start - lead_in(document.text.get(..piece.span.start).unwrap_or_default());
        let whole = document.text.get(start..piece.span.end).unwrap_or_default();
        let text = whole.get(..whole.floor_char_boundary(room)).unwrap_or(whole).to_owned();
        let span = Span { start: start as u64, end: (start + text.len()) as u64 };
        let (lines, parts) = (piece.lines.clone(), moved(&piece.parts, piece.span.start - start).collect());
        joined.push(Excerpt { headings: piece.headings.to_vec(), text, span, lines, parts });
    }
    joined
}

/// Bytes of a line that can lead over to what follows it.
const LEAD_IN_BYTES: usize = 200;

/// How much of the end of a text leads over to what follows: a term without its explanation, a line that ends in a colon.
fn lead_in(before: &str) -> usize {
    let text = before.trim_end();
    let from = text.floor_char_boundary(text.len().saturating_sub(LEAD_IN_BYTES));
    let Some((_, last)) = text.get(from..).and_then(|tail| tail.rsplit_once("\n\n")) else { return 0 };
    let is_term =
        !last.contains('\n') && !last.ends_with(['.', '!', '?', '|', '`']) && last.split_whitespace().count() <= 8;
    let leads = last.ends_with(':') || (is_term && !last.starts_with('#'));
    if leads { before.len() - (text.len() - last.len()) } else { 0 }
}

/// Whether a piece says little without the next: it ends in a colon, or in a word such as "Note" or a term that is explained behind it.
fn leads_over(piece: &str) -> bool {
    piece.trim_end().ends_with(':') || lead_in(piece) > 0
}

/// Lines from which a list of links is navigation.
const LINKED_LINES: usize = 8;

/// Takes the lists of links out of a page's passages: they are the page's way about its site. The text stays as it is.
pub(crate) fn without_link_lists(document: &mut Document, links: &[PageLink]) {
    let known: BTreeSet<&str> = links.iter().map(|link| link.text.trim()).collect();
    let is_link_list = |text: &str| {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let label = |line: &&&str| known.contains(line.trim_start_matches(['-', '*', ' ']));
        lines.len() >= LINKED_LINES && lines.iter().filter(label).count() * 4 >= lines.len() * 3
    };
    let lists: BTreeSet<usize> = document
        .passages
        .iter()
        .filter(|piece| is_link_list(document.passage_text(piece)))
        .map(|piece| piece.span.start)
        .collect();
    // A page that is nothing else stays: what it lists may be what was asked for.
    if lists.len() < document.passages.len() {
        document.passages.retain(|piece| !lists.contains(&piece.span.start));
    }
}

/// The pieces of a page without its lists of contents and other navigation.
fn readable(document: &Document) -> Vec<&Piece> {
    document.passages.iter().filter(|piece| !is_navigation(document.passage_text(piece))).collect()
}

/// Whether most of a page is navigation.
fn is_contents(document: &Document) -> bool {
    let all: usize = document.passages.iter().map(size).sum();
    let readable: usize = readable(document).into_iter().map(size).sum();
    readable * 10 < all * 3
}

/// Lines from which a list can be one of contents.
const CONTENTS_LINES: usize = 14;

/// Whether a text is a long list of short labels: no sentences, hardly a figure.
fn is_navigation(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_label = |line: &&&str| {
        let said = line.trim_start_matches(|c: char| !c.is_alphabetic());
        // A figure, and not a name such as `crc32`.
        let numbers = said.split_whitespace().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        said.split_whitespace().count() <= 9
            && !line.ends_with(['.', '!', '?', ';', '。'])
            && !numbers
            && !line.contains('|')
    };
    let in_code = text.contains("```");
    let labels = lines.iter().filter(is_label).count();
    !in_code && ((lines.len() >= CONTENTS_LINES && labels * 4 >= lines.len() * 3) || is_outline(text))
}

/// Numbers of chapters from which a text can be an outline, and the most words to each.
const OUTLINE_NUMBERS: usize = 8;
const OUTLINE_WORDS: usize = 10;

/// Whether a text is a book's outline on few lines: numbers of chapters such as `12.1.3.` that go up, and hardly a word between them.
fn is_outline(text: &str) -> bool {
    let chapter = |word: &str| -> Option<Vec<u32>> {
        let numbers = word.strip_suffix('.')?;
        let (first, rest) = numbers.split_once('.')?;
        let letter = || first.chars().next().filter(|_| first.len() == 1).filter(char::is_ascii_uppercase);
        let first = first.parse().ok().or_else(|| letter().map(|letter| 1_000 + u32::from(letter)))?;
        let rest: Option<Vec<u32>> = rest.split('.').map(|part| part.parse().ok()).collect();
        Some([vec![first], rest?].concat())
    };
    let chapters: Vec<Vec<u32>> = text.split_whitespace().filter_map(chapter).collect();
    let rising = chapters.windows(2).filter(|pair| pair[0] < pair[1]).count();
    let words = text.split_whitespace().count();
    chapters.len() >= OUTLINE_NUMBERS && rising * 5 >= chapters.len() * 4 && words <= chapters.len() * OUTLINE_WORDS
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
