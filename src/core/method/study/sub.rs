//! A sub-question of a study: its rounds of choosing pages, reading them and taking notes.

use std::collections::{BTreeMap, BTreeSet};

use super::Study;
use super::brief::{self, SubPlan};
use super::note::{self, Note};
use super::pages::{self, FoundList, FoundPage, Tried};
use super::research::{SearchPlace, Searched};
use super::versions;
use crate::core::base::error::Error;
use crate::core::base::limits;
use crate::core::evidence::excerpt::{ExcerptedPage, PageFacts, SeenPart, ShownRoom, WantedPage};
use crate::core::evidence::place::is_web;
use crate::core::model::chat::{ChatReply, RoundPlace, StudyStep};
use crate::core::model::said::{labelled, lines};
use crate::core::model::{numbered, prompt};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::web::search::Within;

/// A sub-question and how far it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Sub {
    pub(super) question: String,
    /// Rounds it may take. Given out when its wave begins, so that no sub-question takes the rounds of another.
    pub(super) most_rounds: usize,
    /// What its round searches for.
    queries: Vec<String>,
    /// What was searched for so far.
    asked: Vec<String>,
    /// What is still open, in a model's words.
    pub(super) open: Option<String>,
    pub(super) rounds: Vec<SubRound>,
    /// Addresses and paths that were shown or could not be read.
    tried: BTreeSet<String>,
    /// Those that were read and not shown: other pages spoke more of the question. A search that finds them again may ask for them.
    passed_over: BTreeSet<String>,
    pub(super) ended: bool,
    /// Whether its notes are in the bank.
    pub(super) collected: bool,
    /// A model called it answered.
    pub(super) answered: bool,
}

/// One round of a sub-question.
#[derive(Clone, Debug, Default)]
pub(super) struct SubRound {
    pub(super) queries: Vec<String>,
    /// Searches are over and pages were asked for.
    pub(super) chosen: bool,
    asked_for: Vec<String>,
    /// Times that others were asked for in the place of those that brought nothing.
    refills: usize,
    /// Pages of an earlier task, which are read as if they were found.
    recalled: Vec<WantedPage>,
    pub(super) pages: Vec<ExcerptedPage>,
    pub(super) notes: Vec<Note>,
    pub(super) results: usize,
    pub(super) error: Option<Error>,
}

impl Sub {
    pub(super) fn new(plan: SubPlan, most_rounds: usize) -> Self {
        Self { question: plan.question, queries: plan.queries, most_rounds, ..Self::default() }
    }

    /// The question itself, to be answered from pages that are known.
    pub(super) fn of_known(question: String, pages: Vec<WantedPage>) -> Self {
        let round = SubRound { recalled: pages, ..SubRound::default() };
        Self { question, most_rounds: 1, rounds: vec![round], ..Self::default() }
    }

    pub(super) fn notes(&self) -> impl Iterator<Item = &Note> {
        self.rounds.iter().flat_map(|round| &round.notes)
    }

    pub(super) fn notes_found(&self) -> usize {
        self.notes().count()
    }

    /// Pages that gave a note.
    fn telling_pages(&self) -> usize {
        let pages: BTreeSet<_> = self.notes().flat_map(|note| &note.places).map(|place| &place.facts.hash).collect();
        pages.len()
    }

    /// Whether its rounds ended while they still brought something.
    pub(super) fn is_used_up(&self) -> bool {
        let gained = self.rounds.last().is_some_and(|round| !round.notes.is_empty());
        gained && !self.answered && self.rounds.len() >= self.most_rounds
    }

    /// Whether there is something to go on with.
    pub(super) fn has_more(&self) -> bool {
        !self.queries.is_empty() || !read_on(self).is_empty()
    }

    /// What it looks for now: itself, and what is open of it.
    fn asked_now(&self) -> String {
        [std::slice::from_ref(&self.question), self.open.as_slice()].concat().join(" ")
    }

    fn seen(&self) -> Vec<SeenPart> {
        let pages = self.rounds.iter().flat_map(|round| &round.pages);
        pages
            .flat_map(|page| {
                page.excerpts.iter().map(|excerpt| SeenPart { hash: page.facts.hash.clone(), span: excerpt.span })
            })
            .collect()
    }
}

/// Times that a round asks for other pages in the place of those that brought nothing.
const REFILLS: usize = 2;
/// Notes that one page must give to be read on in the next round.
const READ_ON: usize = 3;
/// Notes that one page must give for its links to be followed.
const GOOD_PAGE: usize = 2;
/// Notes and pages from which a model's word that a sub-question is answered counts.
const ANSWERED_NOTES: usize = 2;
const ANSWERED_PAGES: usize = 2;

impl Study {
    /// Starts the searches of a sub-question's next round.
    pub(super) fn begin_round(&mut self, at: usize) -> Vec<Effect> {
        let Some(sub) = self.subs.get_mut(at) else { return Vec::new() };
        let queries = std::mem::take(&mut sub.queries);
        sub.asked.extend(queries.iter().cloned());
        let of_library = sub.rounds.iter().flat_map(|round| &round.pages).any(|page| !is_web(&page.facts.location));
        let private = of_library || self.bank.notes().iter().any(Note::is_private);
        if self.plan.keep_private && private {
            // What went out before is no secret.
            let new = queries.iter().filter(|query| !self.searches.contains_key(&(SearchPlace::Web, (*query).clone())));
            self.private_queries.extend(new.cloned());
        }
        let Some(sub) = self.subs.get_mut(at) else { return Vec::new() };
        sub.rounds.push(SubRound { queries: queries.clone(), ..SubRound::default() });
        self.search_all(&queries)
    }

    /// Chooses the pages of a round and asks for them; without any the round is over.
    pub(super) fn choose_pages(&mut self, at: usize) -> Vec<Effect> {
        let Some(sub) = self.subs.get(at) else { return Vec::new() };
        let Some(round) = sub.rounds.last() else { return Vec::new() };
        let found: Vec<&Searched> = self.found(round).into_iter().map(|(_, found)| found).collect();
        let results = found.iter().map(|found| found.pages.len()).sum();
        let all_failed = !found.is_empty() && found.iter().all(|found| found.failed.is_some());
        let error = found.iter().find_map(|found| found.failed.clone()).filter(|_| all_failed);
        let chosen = self.chosen(sub, round, self.pages_of_round());
        let mut wanted: Vec<WantedPage> = chosen.iter().map(|page| page.wanted.clone()).collect();
        wanted.extend(round.recalled.iter().cloned());
        // Behind the new ones, and only with what still speaks of the question.
        let is_chosen = |page: &WantedPage| wanted.contains(page);
        let more: Vec<WantedPage> = read_on(sub).into_iter().filter(|page| !is_chosen(page)).take(1).collect();
        wanted.extend(more);
        let Some(sub) = self.subs.get_mut(at) else { return Vec::new() };
        if let Some(round) = sub.rounds.last_mut() {
            round.chosen = true;
            round.asked_for = chosen.into_iter().map(|page| page.location).collect();
            round.results = results;
            round.error = error;
        }
        if wanted.is_empty() {
            return self.end_round(at, Vec::new(), None);
        }
        self.read_pages(at, wanted)
    }

    /// What the searches of a round found.
    fn found<'s>(&'s self, round: &'s SubRound) -> Vec<(&'s String, &'s Searched)> {
        let found = round.queries.iter().flat_map(|query| {
            [SearchPlace::Library, SearchPlace::Web]
                .map(|place| Some((query, self.searches.get(&(place, query.clone()))?.as_ref()?)))
        });
        found.flatten().collect()
    }

    /// The best pages for a round that it did not ask for yet.
    fn chosen(&self, sub: &Sub, round: &SubRound, most: usize) -> Vec<FoundPage> {
        let lists = self.found(round).into_iter();
        let lists: Vec<FoundList<'_>> =
            lists.map(|(query, found)| FoundList { query: Some(query), pages: &found.pages }).collect();
        // What its earlier searches and the first look found and nobody read may be what is open now.
        let earlier = sub.rounds.iter().rev().skip(1).flat_map(|round| &round.queries).chain(&self.brief.searches);
        let other = |query: &String| {
            let pages = &self.searches.get(&(SearchPlace::Web, query.clone()))?.as_ref()?.pages;
            let left = pages.iter().filter(|page| !sub.passed_over.contains(&page.location));
            Some((query.clone(), left.cloned().collect()))
        };
        let earlier: Vec<(String, Vec<FoundPage>)> = earlier.filter_map(other).collect();
        // Sites and days that were asked for hold for searches; a link says neither.
        let follows = self.plan.web.as_ref().is_some_and(|web| web.within == Within::default());
        let links = if follows { linked(sub) } else { Vec::new() };
        let others = earlier.iter().map(|(query, pages)| FoundList { query: Some(query), pages });
        let others: Vec<FoundList<'_>> = others.chain([FoundList { query: None, pages: &links }]).collect();
        let mut tried = Tried {
            locations: sub.tried.iter().chain(&round.asked_for).cloned().collect(),
            has_more: has_more(sub, round),
        };
        if versions::asked_for(&self.plan.question) {
            let found = lists.iter().chain(&others).flat_map(|list| list.pages).map(|page| page.location.as_str());
            tried.locations.extend(versions::outdated(found.chain(sub.tried.iter().map(String::as_str))));
        }
        pages::choose(&sub.asked_now(), &lists, &others, &tried, most)
    }

    /// Asks for pages of a sub-question's round, in the room that is left of it.
    fn read_pages(&self, at: usize, pages: Vec<WantedPage>) -> Vec<Effect> {
        let Some(sub) = self.subs.get(at) else { return Vec::new() };
        let Some(round) = sub.rounds.last() else { return Vec::new() };
        let place = RoundPlace {
            sub: u32::try_from(at).unwrap_or(u32::MAX),
            round: u32::try_from(sub.rounds.len() - 1).unwrap_or(u32::MAX),
        };
        // What is looked for is the sub-question, what is open of it, and what its searches say.
        let question = format!("{} {}", sub.asked_now(), round.queries.join(" "));
        let used: usize = round.pages.iter().flat_map(|page| &page.excerpts).map(|excerpt| excerpt.text.len()).sum();
        let room = self.size(StudyStep::Notes(place)).room;
        let room = ShownRoom { all: room.all.saturating_sub(used), ..room };
        vec![Effect::ReadPages { question, pages, seen: sub.seen(), room, place }]
    }

    pub(super) fn read(&mut self, place: RoundPlace, outcome: Outcome) -> Vec<Effect> {
        let at = place.sub as usize;
        let reply = match outcome {
            Outcome::Read(reply) => *reply,
            other => {
                self.failed("pages", other);
                Default::default()
            }
        };
        let failed: BTreeSet<String> = reply.problems.iter().map(|problem| problem.subject.clone()).collect();
        self.add_problems(reply.problems);
        let most = self.pages_of_round();
        let Some(sub) = self.subs.get_mut(at).filter(|_| self.stop.is_none()) else { return Vec::new() };
        let Some(round) = sub.rounds.get_mut(place.round as usize) else { return Vec::new() };
        round.pages.extend(reply.pages);
        let mut shown = 0;
        for location in &round.asked_for {
            let is_it = |page: &ExcerptedPage| {
                page.facts.location == *location || page.facts.asked.as_ref().is_some_and(|asked| asked == location)
            };
            let is_shown = round.pages.iter().any(is_it);
            shown += usize::from(is_shown);
            let places = if is_shown || failed.contains(location) { &mut sub.tried } else { &mut sub.passed_over };
            places.insert(location.clone());
        }
        sub.tried.extend(round.pages.iter().map(|page| page.facts.location.clone()));
        let refill = self.refill(at, most.saturating_sub(shown));
        if !refill.is_empty() {
            return refill;
        }
        if self.subs.get(at).and_then(|sub| sub.rounds.last()).is_none_or(|round| round.pages.is_empty()) {
            let mut effects = self.end_round(at, Vec::new(), None);
            effects.extend(self.advance());
            return effects;
        }
        match self.ask_notes(place) {
            Some(chat) => vec![self.tree(), chat],
            None => self.noted(place, None),
        }
    }

    /// Asks for others in the place of pages that did not come or that say nothing.
    fn refill(&mut self, at: usize, missing: usize) -> Vec<Effect> {
        let Some(sub) = self.subs.get(at) else { return Vec::new() };
        let Some(round) =
            sub.rounds.last().filter(|round| self.plan.goes_further && missing > 0 && round.refills < REFILLS)
        else {
            return Vec::new();
        };
        let chosen = self.chosen(sub, round, missing);
        let wanted: Vec<WantedPage> = chosen.iter().map(|page| page.wanted.clone()).collect();
        if let Some(round) = self.subs.get_mut(at).and_then(|sub| sub.rounds.last_mut()) {
            round.refills += 1;
            round.asked_for.extend(chosen.into_iter().map(|page| page.location));
        }
        if wanted.is_empty() { Vec::new() } else { self.read_pages(at, wanted) }
    }

    pub(super) fn ask_notes(&self, place: RoundPlace) -> Option<Effect> {
        let sub = self.subs.get(place.sub as usize)?;
        let round = sub.rounds.get(place.round as usize)?;
        // Its own notes, and what earlier waves noted of it.
        let earlier = self.bank.nearest(&sub.question, limits::NOTES_PER_ROUND).into_iter().filter(|_| !sub.collected);
        let claims = sub.notes().map(|note| &note.claim).chain(earlier.map(|note| &note.claim));
        let known: Vec<String> = claims.map(|claim| format!("- {claim}")).collect();
        let known = if known.is_empty() { "Nothing yet.".to_owned() } else { known.join("\n") };
        let values = [
            ("query", self.with_words(self.brief.question.clone())),
            ("today", self.plan.today.clone()),
            (
                "sub",
                match &sub.open {
                    Some(open) => format!("{}\n\nStill open: {open}", sub.question),
                    None => sub.question.clone(),
                },
            ),
            ("known", self.plan.marks.fence("NOTED", &known, self.size(StudyStep::Notes(place)).known_chars / 2)),
            ("pages", numbered::fenced(&round.pages, &self.plan.marks)),
            ("notes", limits::NOTES_PER_ROUND.to_string()),
            ("asked", sub.asked.join("; ")),
        ];
        self.chat(StudyStep::Notes(place), prompt::STUDY_NOTES, &values, limits::NOTES_TOKENS)
    }

    pub(super) fn noted(&mut self, place: RoundPlace, reply: Option<ChatReply>) -> Vec<Effect> {
        let at = place.sub as usize;
        let Some(sub) = self.subs.get(at) else { return Vec::new() };
        let Some(round) = sub.rounds.get(place.round as usize) else { return Vec::new() };
        let said = reply.map(|reply| lines(&reply.text));
        let (mut notes, written) = said.as_ref().map(|said| note::read(said, &round.pages, at)).unwrap_or_default();
        // A model that fails, or whose every note is made up, leaves the pages' own sentences.
        if notes.is_empty() && (said.is_none() || written > 0 || !is_judged(said.as_deref().unwrap_or_default())) {
            notes = note::by_rule(&sub.question, &round.pages, at);
        }
        let mut effects = self.end_round(at, notes, said);
        effects.extend(self.advance());
        effects
    }

    /// Ends a round: the sub-question is over, or goes on with the next one.
    fn end_round(&mut self, at: usize, notes: Vec<Note>, said: Option<Vec<String>>) -> Vec<Effect> {
        let (subs, wanted) = (self.subs.len(), self.wanted_sources());
        let Some(sub) = self.subs.get_mut(at) else { return Vec::new() };
        let gained = !notes.is_empty();
        if let Some(round) = sub.rounds.last_mut() {
            round.notes = notes;
        }
        let status = said.as_deref().map(status).unwrap_or_default();
        sub.answered = status == Status::Answered;
        sub.open = match status {
            Status::Open(open) if !open.is_empty() => Some(open),
            _ => None,
        };
        sub.queries = said.map(|said| brief::read_queries(&said, &sub.asked)).unwrap_or_default();
        let has_share = sub.telling_pages() * subs >= wanted;
        let enough = sub.answered
            && has_share
            && sub.notes_found() >= ANSWERED_NOTES
            && (sub.telling_pages() >= ANSWERED_PAGES || sub.queries.is_empty());
        let first_failed = sub.rounds.len() == 1 && !gained;
        if sub.queries.is_empty() && (first_failed || !has_share) {
            // Other words may find what these did not.
            let shorter = brief::short_query(&sub.question);
            let fewer: Vec<&str> = shorter.split(' ').take(3).collect();
            let mut tries = vec![shorter.clone(), fewer.join(" ")];
            tries.dedup();
            sub.queries = tries.into_iter().filter(|query| !query.is_empty() && !sub.asked.contains(query)).collect();
        }
        let over = enough || sub.rounds.len() >= sub.most_rounds || (!gained && !first_failed) || !sub.has_more();
        if over {
            sub.ended = true;
            return vec![self.tree()];
        }
        self.begin_round(at)
    }
}

/// What a model says of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Status {
    Answered,
    Open(String),
    #[default]
    Unsaid,
}

fn status(said: &[String]) -> Status {
    for line in said {
        let Some((label, text)) = labelled(line) else {
            if line.trim().eq_ignore_ascii_case("answered") {
                return Status::Answered;
            }
            continue;
        };
        let rest = match label.as_str() {
            "status" => text,
            "missing" | "contradicted" | "open" => return Status::Open(text.to_owned()),
            _ => continue,
        };
        let upper = rest.to_ascii_uppercase();
        if upper.starts_with("ANSWERED") {
            return Status::Answered;
        }
        for word in ["MISSING", "CONTRADICTED"] {
            if upper.starts_with(word) {
                let open = rest.get(word.len()..).unwrap_or_default().trim_start_matches([':', ' ', '-']);
                return Status::Open(open.chars().take(limits::LABEL_CHARS).collect());
            }
        }
    }
    Status::Unsaid
}

/// Whether a model kept to the form at all: then no note means that there is nothing to note.
fn is_judged(said: &[String]) -> bool {
    status(said) != Status::Unsaid
}

/// The pages of the last round that gave much and have more.
fn read_on(sub: &Sub) -> Vec<WantedPage> {
    let Some(round) = sub.rounds.iter().rev().find(|round| round.chosen) else { return Vec::new() };
    let gave = |page: &&ExcerptedPage| {
        let cites = |note: &&Note| note.places.iter().any(|place| place.facts.hash == page.facts.hash);
        page.more && round.notes.iter().filter(cites).count() >= READ_ON
    };
    round.pages.iter().filter(gave).map(|page| WantedPage::Archived(page.facts.clone())).collect()
}

/// The pages of earlier rounds that have more, by their addresses; what this round has asked for is not asked for again.
fn has_more(sub: &Sub, round: &SubRound) -> BTreeMap<String, PageFacts> {
    let pages = sub.rounds.iter().flat_map(|round| &round.pages);
    let named = pages.filter(|page| page.more).flat_map(|page| {
        let facts = &page.facts;
        [Some(&facts.location), facts.asked.as_ref()]
            .into_iter()
            .flatten()
            .map(move |name| (name.clone(), facts.clone()))
    });
    named.filter(|(name, _)| !round.asked_for.contains(name)).collect()
}

/// Where the pages lead that gave the most so far, one step.
fn linked(sub: &Sub) -> Vec<FoundPage> {
    let mut found = Vec::new();
    for round in &sub.rounds {
        for page in &round.pages {
            let cites = |note: &&Note| note.places.iter().any(|place| place.facts.hash == page.facts.hash);
            if round.notes.iter().filter(cites).count() < GOOD_PAGE {
                continue;
            }
            found.extend(page.links.iter().map(|link| FoundPage {
                wanted: WantedPage::Web { url: link.url.clone() },
                location: link.url.clone(),
                title: link.text.clone(),
                snippet: String::new(),
                date: None,
            }));
        }
    }
    found
}
