//! What was found so far: which passages count, how they rank, which pages they need.

mod later;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use self::later::{Told, later_first};
use super::closeness::{Closeness, ReaderForGoal};
use super::room::{Ranking, Room};
use crate::core::base::sorting::sort_by;
use crate::core::evidence::meaning;
use crate::core::evidence::passage::{FoundPassages, PageHash, PageRef, Passage, Term};
use crate::core::evidence::place::{Place, location};
use crate::core::language::is_question;
use crate::core::language::words::words;
use crate::core::method::quality::{CLEAR_SHARE, Goal, HeldTerms, ScoredPassage};
use crate::core::report::explain::Quality;
use crate::core::report::replies::only_asks;
use crate::core::text::shingles::Shingles;

/// A passage that counts.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) passage: Passage,
    pub(super) held: HeldTerms,
    /// The share of the goal that it holds.
    pub(super) share: f32,
    /// Its score relative to the best of its search, so that searches can be compared.
    strength: f32,
    /// What it is ranked by.
    merit: f32,
    /// The follow-up query that found it, if it was not the goal.
    pub(super) found_by: Option<String>,
    pub(super) copies: Vec<Place>,
    shingles: Shingles,
    /// What its best sentence tells.
    told: Told,
}

/// The search that passages come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoundBy<'a> {
    Goal,
    /// The goal and what its best documents speak of.
    Wide,
    FollowUp(&'a str),
}

/// Everything kept, and the pages behind it.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    kept: Vec<Finding>,
    archived: BTreeSet<PageHash>,
    /// Pages that could not be archived; they are not tried again.
    refused: BTreeSet<PageHash>,
    /// Days since publication.
    ages: BTreeMap<PageHash, u32>,
}

const YEAR_DAYS: f32 = 365.0;

/// Beside a passage that holds much of the goal, one with less than half as much is noise.
const RELATIVE_SHARE: f32 = 0.5;
/// A passage that a follow-up query found may hold little of the goal and still be the missing link; then it must hold most of
/// what that query could find.
const BRIDGE_SHARE: f32 = 0.6;
/// Such links per attempt: they are guesses.
const BRIDGES: usize = 2;

/// Above every strength, which is 1 at most: the documents that are best for the goal itself, and what holds a word of the goal that nothing held before.
const FOREMOST_MERIT: f32 = 3.0;
const MISSING_LINK_MERIT: f32 = 2.0;
/// How much it counts that what is asked for by a date, an address or a number stands there: as much as all else together.
const DESIGNATED: f32 = 2.0;
/// How much it counts that an identifier that is asked for names something there, and is not only spoken of.
const NAMED: f32 = 1.0;
/// How much it counts that a title is the name of what is asked about, and that its number or year is there.
const TOLD_OF_IT: f32 = 1.0;
/// The same where breadth is asked for: with more, the documents that such a name leads to are lost (HotpotQA nDCG@10 .806 with 1.0, .831 with this).
const TOLD_OF_IT_BROAD: f32 = 0.4;
/// How much less it counts that an identifier stands in code alone: there it is used, and not explained.
const ONLY_USED: f32 = 0.5;
/// How much it counts that the heading of a passage is the question.
const HEADED: f32 = 2.0;
/// The same of what stands above the label that is asked for, `Cause` or `Solution`.
const LABELLED: f32 = 2.0;
/// How much the share of the goal counts that a passage has anywhere, and the share that its heading has if it is a question: a list of
/// frequent questions answers in the words of those who ask. Where nothing tells the goal in its words, any heading counts so.
const COVERED: f32 = 0.6;
const ASKED_ABOVE: f32 = 0.6;
/// What an entry of a changelog, a document that calls itself superseded, or a test is worth where nobody asks for such.
const SECONDARY: f32 = 0.7;
/// What a passage is worth that asks the same and does not answer.
const ONLY_ASKS: f32 = 0.3;
/// Others that a follow-up query found are guesses.
const GUESS: f32 = 0.5;
/// A document whose score is less than this share of what the best ones have on average is none of the field.
const CURVE_SHARE: f32 = 0.38;
/// How many the best ones are.
const CURVE_DOCUMENTS: u8 = 5;

impl Evidence {
    pub(super) fn kept(&self) -> &[Finding] {
        &self.kept
    }

    /// What a report is made of, best first.
    pub(super) fn best(&self, room: &Room) -> Vec<&Finding> {
        let mut documents = BTreeSet::new();
        let fits = self.kept.iter().filter(|finding| {
            let page = &finding.passage.page;
            documents.contains(page) || (documents.len() < room.documents && documents.insert(page))
        });
        fits.take(room.report_passages()).collect()
    }

    /// The passages of a search that are worth reading, best first, within the room that there is, and the pages they need
    /// that are not archived yet. Copies of what is kept are noted there.
    pub(super) fn select(
        &mut self,
        goal: &Goal,
        asked: FoundBy<'_>,
        found: &FoundPassages,
        room: &Room,
    ) -> (Vec<Finding>, Vec<PageRef>) {
        let candidates = match room.ranking {
            Ranking::Share => self.by_share(goal, asked, found),
            Ranking::Score => self.by_score(goal, asked, found, room),
        };
        let mut chosen: Vec<Finding> = Vec::new();
        let mut pages: Vec<PageRef> = Vec::new();
        for candidate in candidates {
            let copied = |other: &&mut Finding| other.shingles.copies(&candidate.shingles);
            if let Some(known) = self.kept.iter_mut().chain(chosen.iter_mut()).find(copied) {
                known.add_copy(&candidate.passage);
                continue;
            }
            let page = &candidate.passage.page;
            let is_new = !self.archived.contains(page) && !pages.iter().any(|known| known.page == *page);
            if chosen.len() >= room.passages || (is_new && pages.len() >= room.pages) {
                continue;
            }
            if is_new {
                pages.push(page_of(&candidate.passage));
            }
            chosen.push(candidate);
        }
        (chosen, pages)
    }

    /// The passages of a search that were not kept before and have to do with the goal: they hold a word of it, or mean what it means.
    fn fresh(&self, goal: &Goal, asked: FoundBy<'_>, found: &FoundPassages) -> Vec<Finding> {
        let top = found.passages.iter().map(|passage| finite(passage.score)).fold(0.0, f32::max);
        let fresh = |passage: &&Passage| !self.refused.contains(&passage.page) && self.place_of(passage).is_none();
        let findings = found.passages.iter().filter(fresh);
        let findings = findings.map(|passage| Finding::new(goal, asked, &found.terms, passage, top));
        findings.filter(|finding| finding.has_to_do_with_goal() || goal.named(&finding.passage) > 0.0).collect()
    }

    fn place_of(&self, passage: &Passage) -> Option<usize> {
        self.kept.iter().position(|known| known.passage.page == passage.page && known.passage.span == passage.span)
    }

    /// The passages that count by the share of the goal that they hold, ranked.
    fn by_share(&self, goal: &Goal, asked: FoundBy<'_>, found: &FoundPassages) -> Vec<Finding> {
        let all = self.fresh(goal, asked, found);
        let best = all.iter().chain(&self.kept).map(|finding| finding.share).fold(0.0, f32::max);
        let counts =
            |finding: &Finding| goal.is_met_by(&finding.held, goal.gate()) && finding.share >= best * RELATIVE_SHARE;
        let (mut counting, mut rest): (Vec<Finding>, Vec<Finding>) = all.into_iter().partition(counts);
        if asked != FoundBy::Goal && !self.kept.is_empty() {
            let held = together(&self.kept);
            let known = held.iter().filter_map(|at| goal.terms().get(*at)).map(|term| term.text.as_str()).collect();
            rest.retain(|finding| new_share(found, &finding.passage, &known) >= BRIDGE_SHARE);
            sort_by(&mut rest, rank);
            counting.extend(rest.into_iter().take(BRIDGES));
        }
        sort_by(&mut counting, rank);
        counting
    }

    /// The passages that count by the score of the index, ranked. That a passage holds enough of the goal only decides whether anything is
    /// about it.
    fn by_score(&mut self, goal: &Goal, asked: FoundBy<'_>, found: &FoundPassages, room: &Room) -> Vec<Finding> {
        match asked {
            FoundBy::Goal => self.foremost(goal, found, room),
            FoundBy::Wide => self.field(goal, found, room),
            FoundBy::FollowUp(_) => {
                let held = together(&self.kept);
                let mut links = self.by_share(goal, asked, found);
                for link in &mut links {
                    let is_missing = !room.is_broad && !link.held.is_subset(&held);
                    link.merit = if is_missing { MISSING_LINK_MERIT + link.share } else { GUESS * link.strength };
                }
                sort_by(&mut links, rank);
                links
            }
        }
    }

    /// What the goal itself found, unless nothing of it is about the goal.
    fn foremost(&self, goal: &Goal, found: &FoundPassages, room: &Room) -> Vec<Finding> {
        let mut all = self.fresh(goal, FoundBy::Goal, found);
        let mut is_about = room.is_broad;
        let told_of_it = if room.is_broad { TOLD_OF_IT_BROAD } else { TOLD_OF_IT };
        let mut reader = ReaderForGoal::new(goal);
        let read = |finding: &Finding| {
            // Where breadth is asked for, a title leads to other documents by itself.
            let titles = if room.is_broad { Vec::new() } else { finding.passage.above() };
            reader.closeness(heading_of(finding), titles, &finding.passage.text)
        };
        let all_close: Vec<Closeness> = all.iter().map(read).collect();
        let is_told = room.is_broad || all_close.iter().any(|close| close.told >= CLEAR_SHARE);
        for (finding, close) in all.iter_mut().zip(all_close) {
            let heading = heading_of(finding);
            // A broad report lives by the names and words that lead from its best documents to others.
            let meaning = if room.is_broad { None } else { finding.passage.meaning };
            let designated = DESIGNATED * goal.designated(&finding.passage) + NAMED * goal.named(&finding.passage)
                - ONLY_USED * goal.only_used(&finding.passage)
                + told_of_it * (goal.titled(&finding.passage) + goal.told_apart(&finding.passage));
            let headed = if heading.is_some_and(|own| goal.is_said_by(own)) { HEADED } else { 0.0 };
            let headed = headed.max(LABELLED * goal.labelled(&finding.passage));
            let meant = meaning::WEIGHT * meaning.map_or(0.0, finite);
            let worth = if goal.is_secondary(&finding.passage) { SECONDARY } else { 1.0 };
            let asked = if !is_told || heading.is_some_and(is_question) { ASKED_ABOVE * close.above } else { 0.0 };
            let covered = if room.is_broad { 0.0 } else { COVERED * finding.share };
            finding.merit = finding.strength + worth * (close.value + covered) + asked + designated + headed + meant;
            if only_asks(&finding.passage.text) {
                finding.merit = ONLY_ASKS * (finding.merit - headed - asked);
            }
            is_about |= goal.is_told_without_names(&close.sentence);
            finding.told = Told { terms: close.sentence, has_figure: close.has_figure, place: close.place };
        }
        sort_by(&mut all, rank);
        later_first(goal, &mut all, room);
        telling_first(goal, &mut all);
        beginning_first(goal, &mut all);
        let gate = if room.is_broad { goal.broad_gate() } else { goal.gate() };
        let counts = |finding: &Finding| goal.is_met_by(&finding.held, gate) || goal.named(&finding.passage) > 0.0;
        if !is_about || !all.iter().any(counts) {
            return Vec::new();
        }
        let mut taken = within(all, room);
        let mut documents = BTreeSet::new();
        for (place, finding) in (0_u8..u8::MAX).zip(&mut taken) {
            documents.insert(finding.passage.page.clone());
            if documents.len() <= room.foremost {
                finding.merit = FOREMOST_MERIT - f32::from(place) / f32::from(u8::MAX);
            }
        }
        taken
    }

    /// What the wider search found. It says anew what is worth keeping, but for the foremost.
    fn field(&mut self, goal: &Goal, found: &FoundPassages, room: &Room) -> Vec<Finding> {
        let top = found.passages.iter().map(|passage| finite(passage.score)).fold(0.0, f32::max);
        let ranked = found.passages.iter().filter(|passage| !self.refused.contains(&passage.page));
        let all = ranked.map(|passage| Finding::new(goal, FoundBy::Wide, &found.terms, passage, top));
        let all = all.filter(|finding| room.is_broad || finding.has_to_do_with_goal());
        let mut taken = within(all.map(|finding| Finding { merit: finding.strength, ..finding }).collect(), room);
        self.kept.retain_mut(|known| {
            let same =
                |other: &&Finding| other.passage.page == known.passage.page && other.passage.span == known.passage.span;
            match taken.iter().find(same) {
                _ if known.merit > 1.0 => true,
                Some(again) => {
                    known.merit = again.merit;
                    true
                }
                None => false,
            }
        });
        taken.retain(|finding| self.place_of(&finding.passage).is_none());
        taken
    }

    /// Keeps those findings whose pages are archived; the number kept.
    pub(super) fn keep(&mut self, chosen: Vec<Finding>) -> usize {
        let before = self.kept.len();
        self.kept.extend(chosen.into_iter().filter(|finding| self.archived.contains(&finding.passage.page)));
        sort_by(&mut self.kept, rank);
        self.kept.len() - before
    }

    /// Notes what became of the pages that were to be archived; the pages that were not.
    pub(super) fn archived<'a>(&mut self, asked: &'a [PageRef], done: &[PageHash]) -> Vec<&'a PageRef> {
        let (kept, lost): (Vec<&PageRef>, Vec<&PageRef>) = asked.iter().partition(|page| done.contains(&page.page));
        self.archived.extend(kept.into_iter().map(|page| page.page.clone()));
        self.refused.extend(lost.iter().map(|page| page.page.clone()));
        lost
    }

    /// Notes pages that are archived already, and how old those are that say so.
    pub(super) fn note(&mut self, page: PageHash, age_days: Option<u32>) {
        if let Some(days) = age_days {
            self.ages.insert(page.clone(), days);
        }
        self.archived.insert(page);
    }

    pub(super) fn quality(&self, goal: &Goal) -> Quality {
        let hits: Vec<ScoredPassage<'_>> = self
            .kept
            .iter()
            .map(|finding| ScoredPassage { held: &finding.held, page: &finding.passage.page })
            .collect();
        Quality { recency: self.recency(), ..Quality::of(goal, &hits) }
    }

    /// How new the pages behind what is kept are, of those that are dated: 1 for today, a half for a year ago.
    fn recency(&self) -> Option<f32> {
        let pages: BTreeSet<&PageHash> = self.kept.iter().map(|finding| &finding.passage.page).collect();
        let ages: Vec<f32> = pages
            .into_iter()
            .filter_map(|page| self.ages.get(page))
            .map(|days| YEAR_DAYS / (YEAR_DAYS + u16::try_from(*days).map_or(f32::from(u16::MAX), f32::from)))
            .collect();
        let count = u16::try_from(ages.len()).ok().filter(|count| *count > 0)?;
        Some(ages.iter().sum::<f32>() / f32::from(count))
    }
}

impl Finding {
    fn new(goal: &Goal, asked: FoundBy<'_>, terms: &[Term], passage: &Passage, top: f32) -> Self {
        let held = goal.held(terms, passage);
        let share = goal.share(&held);
        let worth = if goal.is_secondary(passage) { SECONDARY } else { 1.0 };
        Self {
            share,
            held,
            strength: if top > 0.0 { worth * finite(passage.score) / top } else { 0.0 },
            merit: share,
            found_by: match asked {
                FoundBy::Goal | FoundBy::Wide => None,
                FoundBy::FollowUp(query) => Some(query.to_owned()),
            },
            copies: Vec::new(),
            shingles: Shingles::of(&passage.text),
            told: Told::default(),
            passage: passage.clone(),
        }
    }

    /// Whether it holds a word of the goal, or vectors found it by what it means.
    fn has_to_do_with_goal(&self) -> bool {
        !self.held.is_empty() || self.passage.meaning.is_some()
    }

    fn add_copy(&mut self, copy: &Passage) {
        let place = Place { root: copy.root.clone(), path: copy.path.clone(), lines: copy.lines.clone() };
        let here = (&copy.root, &copy.path) == (&self.passage.root, &self.passage.path);
        // A piece of the same document that overlaps is no second place.
        if !here && !self.copies.contains(&place) {
            self.copies.push(place);
        }
    }
}

/// The heading right above its text.
fn heading_of(finding: &Finding) -> Option<&str> {
    finding.passage.headings.last().map(String::as_str)
}

/// The documents of these findings, each once.
pub(super) fn visited(chosen: &[Finding]) -> Vec<String> {
    let mut places = Vec::new();
    for finding in chosen {
        let place = location(&finding.passage.root, &finding.passage.path);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The goal's terms that these findings hold together.
pub(super) fn together(findings: &[Finding]) -> HeldTerms {
    findings.iter().flat_map(|finding| finding.held.iter().copied()).collect()
}

/// By merit, then by score, then by place, so that the order never depends on chance.
fn rank(a: &Finding, b: &Finding) -> Ordering {
    let place =
        |finding: &Finding| (finding.passage.path.clone(), finding.passage.span.start, finding.passage.root.clone());
    b.merit.total_cmp(&a.merit).then(b.strength.total_cmp(&a.strength)).then_with(|| place(a).cmp(&place(b)))
}

/// Where the best passage only speaks of the thing, what its document says of it elsewhere comes first: a lease names the hall in one clause and the rent
/// in another.
fn telling_first(goal: &Goal, ranked: &mut [Finding]) {
    let Some((first, rest)) = ranked.split_first() else { return };
    let is_told = |other: &Finding| {
        goal.is_told_by(&other.held, &first.held) || goal.is_labelled_beside(&other.passage, &first.passage)
    };
    let tells = |other: &Finding| other.passage.page == first.passage.page && is_told(other);
    if let Some(at) = rest.iter().position(tells) {
        put_first(ranked, at + 1);
    }
}

/// Where the best passage has nothing of the goal but what the question above it says, the answer to that begins where the section does.
fn beginning_first(goal: &Goal, ranked: &mut [Finding]) {
    let Some((first, rest)) = ranked.split_first() else { return };
    let Some(question) = first.passage.headings.last().filter(|heading| is_question(heading)) else { return };
    let asked: HeldTerms = words(question).filter_map(|word| goal.term_of(&word)).collect();
    let above = first.passage.headings.split_last().map(|(_, above)| above).unwrap_or_default();
    let is_of_section = |(_, other): &(usize, &Finding)| {
        let headings = &other.passage.headings;
        // A question that is no heading stands in the passage that it begins.
        let is_below = *headings == first.passage.headings
            || (headings == above && other.passage.text.contains(question.as_str()));
        is_below && other.passage.page == first.passage.page && other.passage.span.start < first.passage.span.start
    };
    let earlier = rest.iter().enumerate().filter(is_of_section).min_by_key(|(_, other)| other.passage.span.start);
    if let Some((at, _)) = earlier.filter(|_| first.held.is_subset(&asked)) {
        put_first(ranked, at + 1);
    }
}

/// Puts one of the ranked on top; what each place is worth stays.
fn put_first(ranked: &mut [Finding], at: usize) {
    let merits: Vec<f32> = ranked.iter().map(|finding| finding.merit).collect();
    ranked.get_mut(..=at).into_iter().for_each(|part| part.rotate_right(1));
    ranked.iter_mut().zip(merits).for_each(|(finding, merit)| finding.merit = merit);
}

/// As many of these passages, best first, as there is room for: documents as long as their scores are near those of the best ones, and few
/// passages of each.
fn within(ranked: Vec<Finding>, room: &Room) -> Vec<Finding> {
    let best = documents_by(&ranked, |finding| finding.merit);
    let by_index = documents_by(&ranked, |finding| finding.strength);
    let first: f32 = best.iter().take(usize::from(CURVE_DOCUMENTS)).map(|(_, merit)| merit).sum();
    let count = u8::try_from(best.len()).unwrap_or(u8::MAX).clamp(1, CURVE_DOCUMENTS);
    let floor = CURVE_SHARE * first / f32::from(count);
    let near = best.iter().take_while(|(_, merit)| *merit >= floor).count();
    let documents = near.clamp(room.least_documents, room.documents);
    // One by the index, one by merit, and so on: what either of them finds is not lost to the other.
    let mut passages_of: BTreeMap<PageHash, usize> = BTreeMap::new();
    for (page, _) in by_index.iter().zip(&best).flat_map(|(first, second)| [first, second]) {
        if passages_of.len() < documents {
            passages_of.entry((*page).clone()).or_default();
        }
    }
    let mut taken = ranked;
    taken.retain(|finding| match passages_of.get_mut(&finding.passage.page) {
        Some(count) => {
            *count += 1;
            *count <= room.of_document
        }
        None => false,
    });
    taken
}

/// The documents of passages, each with what its best passage is worth, best first.
fn documents_by(findings: &[Finding], worth: impl Fn(&Finding) -> f32) -> Vec<(&PageHash, f32)> {
    let mut passages: Vec<(&PageHash, f32)> =
        findings.iter().map(|finding| (&finding.passage.page, worth(finding))).collect();
    // Of equal worth the one that stands first in the order of the passages.
    sort_by(&mut passages, |(_, a), (_, b)| b.total_cmp(a));
    let mut known = BTreeSet::new();
    passages.retain(|(page, _)| known.insert(*page));
    passages
}

/// The share of a search's weight that a passage holds, of what the search found anywhere and was not `known` before.
fn new_share(found: &FoundPassages, passage: &Passage, known: &BTreeSet<&str>) -> f32 {
    let anywhere: BTreeSet<u16> = found.passages.iter().flat_map(|passage| passage.matched.iter().copied()).collect();
    let here: BTreeSet<u16> = passage.matched.iter().copied().collect();
    let weight = |places: &BTreeSet<u16>| -> f32 {
        let terms = places.iter().filter_map(|at| found.terms.get(usize::from(*at)));
        terms.filter(|term| !known.contains(term.text.as_str())).map(|term| finite(term.weight)).sum()
    };
    let all = weight(&anywhere);
    if all > 0.0 { weight(&here) / all } else { 0.0 }
}

fn finite(number: f32) -> f32 {
    if number.is_finite() { number.max(0.0) } else { 0.0 }
}

fn page_of(passage: &Passage) -> PageRef {
    PageRef {
        root: passage.root.clone(),
        path: passage.path.clone(),
        title: passage.title.clone(),
        page: passage.page.clone(),
    }
}
