//! The research of a study: brief, first look, plan, the rounds of the sub-questions, and the look at what is missing.

use std::collections::BTreeSet;

use super::brief::{self, Brief, SubPlan};
use super::note::{self, Note};
use super::pages::{self, FoundPage};
use super::{Phase, Scale, Study, wording};
use crate::core::base::error::Error;
use crate::core::base::limits;
use crate::core::evidence::excerpt::{ExcerptedPage, SeenPart, ShownRoom, WantedPage};
use crate::core::evidence::passage::PageRef;
use crate::core::evidence::place::location;
use crate::core::model::chat::{ChatReply, RoundPlace, StudyStep};
use crate::core::model::said::{labelled, lines};
use crate::core::model::{numbered, prompt};
use crate::core::report::StopReason;
use crate::core::report::explain::Level;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::web::search::{Depth, Query};

/// Where a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SearchPlace {
    Web,
    Library,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub(super) struct Searched {
    pub(super) pages: Vec<FoundPage>,
    /// Nobody answered it properly.
    pub(super) failed: Option<Error>,
}

/// A sub-question and how far it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Sub {
    pub(super) question: String,
    /// Rounds it may take. Given out when its wave begins, so that no sub-question takes the rounds of another.
    most_rounds: usize,
    /// What its round searches for.
    queries: Vec<String>,
    /// What was searched for so far.
    asked: Vec<String>,
    /// What is still open, in a model's words.
    pub(super) open: Option<String>,
    pub(super) rounds: Vec<SubRound>,
    /// Addresses and paths that were tried.
    tried: BTreeSet<String>,
    pub(super) ended: bool,
    /// Whether its notes are in the bank.
    collected: bool,
    /// A model called it answered.
    pub(super) answered: bool,
}

/// One round of a sub-question.
#[derive(Clone, Debug, Default)]
pub(super) struct SubRound {
    pub(super) queries: Vec<String>,
    /// Searches are over and pages were asked for.
    chosen: bool,
    pub(super) pages: Vec<ExcerptedPage>,
    pub(super) notes: Vec<Note>,
    pub(super) results: usize,
    pub(super) error: Option<Error>,
}

impl Sub {
    fn new(plan: SubPlan, most_rounds: usize) -> Self {
        Self { question: plan.question, queries: plan.queries, most_rounds, ..Self::default() }
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

    fn seen(&self) -> Vec<SeenPart> {
        let pages = self.rounds.iter().flat_map(|round| &round.pages);
        pages
            .flat_map(|page| {
                page.excerpts.iter().map(|excerpt| SeenPart { hash: page.facts.hash.clone(), span: excerpt.span })
            })
            .collect()
    }
}

/// Notes that one page must give to be read on in the next round.
const READ_ON: usize = 3;
/// Notes and pages from which a model's word that a sub-question is answered counts.
const ANSWERED_NOTES: usize = 2;
const ANSWERED_PAGES: usize = 2;

impl Study {
    pub(super) fn ask_brief(&mut self) -> Vec<Effect> {
        let question = match &self.plan.context {
            Some(context) => format!("{}\n\nWhat the asker knows already:\n\n{context}", self.plan.question),
            None => self.plan.question.clone(),
        };
        let values = [
            ("query", question.as_str()),
            ("today", &self.plan.today),
            ("wishes", &self.plan.wishes.shown()),
            ("items", &limits::STUDY_ITEMS.to_string()),
        ];
        match self.chat(StudyStep::Brief, prompt::STUDY_BRIEF, &values, limits::BRIEF_TOKENS) {
            Some(chat) => vec![self.progress("reading the question".to_owned()), chat],
            None => self.briefed(None),
        }
    }

    pub(super) fn briefed(&mut self, reply: Option<ChatReply>) -> Vec<Effect> {
        if let Some(reply) = reply {
            self.brief = Brief::read(&self.plan.question, &reply.text);
        }
        self.phase = Phase::Scout;
        self.scouted()
    }

    /// The first look: begins its searches when the library is ready, and ends with the plan when they are all in.
    pub(super) fn scouted(&mut self) -> Vec<Effect> {
        if self.refreshing {
            return Vec::new();
        }
        let begun = self.search_all(&self.brief.searches.clone());
        if !begun.is_empty() {
            let progress = self.progress(format!("a first look: {}", self.brief.searches.join("; ")));
            return std::iter::once(progress).chain(begun).collect();
        }
        if !self.all_in(&self.brief.searches) {
            return Vec::new();
        }
        self.phase = Phase::Plan;
        if self.scale == Scale::QUICK {
            let queries = vec![self.plan.question.clone(), brief::short_query(&self.plan.question)];
            let only = SubPlan { question: self.plan.question.clone(), queries };
            return self.begin_subs(vec![only]);
        }
        let values = [
            ("brief", self.brief.shown(&self.plan.question)),
            ("today", self.plan.today.clone()),
            ("found", self.first_look()),
            ("subs", self.scale.planned.to_string()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        match self.chat(StudyStep::Plan, prompt::STUDY_PLAN, &values, limits::PLAN_TOKENS) {
            Some(chat) => vec![self.progress("planning".to_owned()), chat],
            None => self.planned(None),
        }
    }

    /// What the first look found, for the one who plans.
    fn first_look(&self) -> String {
        let mut shown: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for query in &self.brief.searches {
            for place in [SearchPlace::Library, SearchPlace::Web] {
                let found = self.searches.get(&(place, query.clone())).and_then(Option::as_ref);
                for page in found.iter().flat_map(|found| &found.pages).take(limits::FIRST_LOOK_PAGES) {
                    if known.insert(page.location.clone()) {
                        let snippet: String = page.snippet.chars().take(limits::LABEL_CHARS).collect();
                        shown.push(format!("{} ({})\n{snippet}", page.title, page.location));
                    }
                }
            }
        }
        if shown.is_empty() {
            return "Nothing was found yet.".to_owned();
        }
        self.plan.marks.fence("FOUND", &shown.join("\n\n"), limits::FIRST_LOOK_CHARS)
    }

    pub(super) fn planned(&mut self, reply: Option<ChatReply>) -> Vec<Effect> {
        let read = reply.map(|reply| brief::read_subs(&reply.text, self.scale.planned)).unwrap_or_default();
        let subs = if read.is_empty() { brief::subs_by_rule(&self.brief, self.scale.planned) } else { read };
        self.begin_subs(subs)
    }

    fn begin_subs(&mut self, mut subs: Vec<SubPlan>) -> Vec<Effect> {
        self.phase = Phase::Research;
        let (first, used) = (self.subs.len(), self.subs.iter().map(|sub| sub.rounds.len()).sum::<usize>());
        let left = self.scale.all_rounds.saturating_sub(used);
        subs.truncate(left.min(self.scale.subs.saturating_sub(first)));
        let each = (left / subs.len().max(1)).clamp(1, self.scale.rounds);
        self.subs.extend(subs.into_iter().map(|sub| Sub::new(sub, each)));
        let mut effects = vec![self.tree()];
        for at in first..self.subs.len() {
            effects.extend(self.begin_round(at));
        }
        effects.extend(self.advance());
        effects
    }

    /// The plan as it fills, on a line.
    fn tree(&self) -> Effect {
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        let notes: usize = self.subs.iter().map(Sub::notes_found).sum();
        let pages = self.pages_read();
        let ended = self.subs.iter().filter(|sub| sub.ended).count();
        let of = self.subs.len();
        self.progress(format!("{ended} of {of} sub-questions done, {rounds} rounds, {pages} pages read, {notes} notes"))
    }

    /// Starts the searches of a sub-question's next round.
    fn begin_round(&mut self, at: usize) -> Vec<Effect> {
        let Some(sub) = self.subs.get_mut(at) else { return Vec::new() };
        let queries = std::mem::take(&mut sub.queries);
        sub.asked.extend(queries.iter().cloned());
        sub.rounds.push(SubRound { queries: queries.clone(), ..SubRound::default() });
        self.search_all(&queries)
    }

    /// The searches of these queries that nobody began yet.
    fn search_all(&mut self, queries: &[String]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for query in queries {
            let query: String = query.chars().take(limits::SEARCH_QUERY_CHARS).collect();
            if let Some(web) = &self.plan.web
                && !self.searches.contains_key(&(SearchPlace::Web, query.clone()))
            {
                self.searches.insert((SearchPlace::Web, query.clone()), None);
                let depth = if self.strategy.level == Level::Deep { Depth::Advanced } else { Depth::Basic };
                let search =
                    Query { text: query.clone(), limit: limits::STUDY_RESULTS, depth, within: web.within.clone() };
                effects.push(Effect::WebSearch { query: search, providers: web.providers.clone() });
            }
            if let Some(roots) = &self.plan.library
                && !self.searches.contains_key(&(SearchPlace::Library, query.clone()))
            {
                self.searches.insert((SearchPlace::Library, query.clone()), None);
                effects.push(Effect::SearchLibrary { query, roots: roots.clone(), limit: limits::STUDY_PASSAGES });
            }
        }
        effects
    }

    fn all_in(&self, queries: &[String]) -> bool {
        let places = [
            self.plan.web.as_ref().map(|_| SearchPlace::Web),
            self.plan.library.as_ref().map(|_| SearchPlace::Library),
        ];
        queries.iter().all(|query| {
            let query: String = query.chars().take(limits::SEARCH_QUERY_CHARS).collect();
            places
                .into_iter()
                .flatten()
                .all(|place| self.searches.get(&(place, query.clone())).is_some_and(Option::is_some))
        })
    }

    pub(super) fn searched(&mut self, place: SearchPlace, query: String, outcome: Outcome) -> Vec<Effect> {
        let searched = match outcome {
            Outcome::WebFound(found) => {
                let failed =
                    found.asked.is_empty().then(|| found.problems.first().map(|problem| problem.error.clone()));
                self.add_problems(found.problems);
                let page = |result: crate::core::web::search::Result| FoundPage {
                    wanted: WantedPage::Web { url: result.hit.url.clone() },
                    location: result.hit.url,
                    title: result.hit.title,
                    snippet: result.hit.snippet,
                    date: result.hit.date,
                };
                Searched { pages: found.results.into_iter().map(page).collect(), failed: failed.flatten() }
            }
            Outcome::Found(found) => {
                self.add_problems(found.problems);
                Searched { pages: documents(found.passages), failed: None }
            }
            other => Searched { pages: Vec::new(), failed: Some(self.failed(&query, other)) },
        };
        self.searches.insert((place, query), Some(searched));
        match self.phase {
            Phase::Scout => self.scouted(),
            Phase::Research if self.stop.is_none() => self.advance(),
            _ => Vec::new(),
        }
    }

    /// Goes on with every sub-question whose searches are in, and with the next phase when all have ended.
    fn advance(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for at in 0..self.subs.len() {
            let Some(sub) = self.subs.get(at).filter(|sub| !sub.ended) else { continue };
            let Some(round) = sub.rounds.last() else { continue };
            if !round.chosen && self.all_in(&round.queries) {
                effects.extend(self.choose_pages(at));
            }
        }
        if self.phase == Phase::Research && self.subs.iter().all(|sub| sub.ended) {
            effects.extend(self.reflect());
        }
        effects
    }

    /// Chooses the pages of a round and asks for them; without any the round is over.
    fn choose_pages(&mut self, at: usize) -> Vec<Effect> {
        let room = self.room();
        let Some(sub) = self.subs.get(at) else { return Vec::new() };
        let Some(round) = sub.rounds.last() else { return Vec::new() };
        let found = round.queries.iter().flat_map(|query| {
            let query: String = query.chars().take(limits::SEARCH_QUERY_CHARS).collect();
            [SearchPlace::Library, SearchPlace::Web]
                .map(|place| self.searches.get(&(place, query.clone())).and_then(Option::as_ref))
        });
        let found: Vec<&Searched> = found.flatten().collect();
        let lists: Vec<&[FoundPage]> = found.iter().map(|found| found.pages.as_slice()).collect();
        let results = lists.iter().map(|list| list.len()).sum();
        let all_failed = !found.is_empty() && found.iter().all(|found| found.failed.is_some());
        let error = found.iter().find_map(|found| found.failed.clone()).filter(|_| all_failed);
        let most = self.strategy.top_pages as usize;
        let mut wanted: Vec<WantedPage> = Vec::new();
        let scouted = self
            .brief
            .searches
            .iter()
            .filter_map(|query| self.searches.get(&(SearchPlace::Web, query.clone())).and_then(Option::as_ref));
        let others: Vec<&[FoundPage]> = scouted.map(|found| found.pages.as_slice()).collect();
        // What is looked for is the sub-question, what is open of it, and what its searches say.
        let question = [&[sub.question.clone()], sub.open.as_slice(), &round.queries].concat().join(" ");
        let chosen = pages::choose(&question, &lists, &others, &sub.tried, most);
        wanted.extend(chosen.iter().map(|page| page.wanted.clone()));
        // Behind the new ones, and only with what still speaks of the question.
        wanted.extend(read_on(sub).into_iter().take(1));
        let seen = sub.seen();
        let place = RoundPlace {
            sub: u32::try_from(at).unwrap_or(u32::MAX),
            round: u32::try_from(sub.rounds.len() - 1).unwrap_or(u32::MAX),
        };
        let Some(sub) = self.subs.get_mut(at) else { return Vec::new() };
        sub.tried.extend(chosen.into_iter().map(|page| page.location));
        if let Some(round) = sub.rounds.last_mut() {
            round.chosen = true;
            round.results = results;
            round.error = error;
        }
        if wanted.is_empty() {
            return self.end_round(at, Vec::new(), None);
        }
        vec![Effect::ReadPages { question, pages: wanted, seen, room, place }]
    }

    fn room(&self) -> ShownRoom {
        ShownRoom { all: limits::ROUND_SHOWN_BYTES, per_page: limits::PAGE_SHOWN_BYTES }
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
        self.add_problems(reply.problems);
        let Some(sub) = self.subs.get_mut(at).filter(|_| self.stop.is_none()) else { return Vec::new() };
        let Some(round) = sub.rounds.get_mut(place.round as usize) else { return Vec::new() };
        round.pages = reply.pages;
        for page in &round.pages {
            sub.tried.insert(page.facts.location.clone());
        }
        if round.pages.is_empty() {
            let mut effects = self.end_round(at, Vec::new(), None);
            effects.extend(self.advance());
            return effects;
        }
        match self.ask_notes(place) {
            Some(chat) => vec![self.tree(), chat],
            None => self.noted(place, None),
        }
    }

    fn ask_notes(&self, place: RoundPlace) -> Option<Effect> {
        let sub = self.subs.get(place.sub as usize)?;
        let round = sub.rounds.get(place.round as usize)?;
        // Its own notes, and what earlier waves noted of it.
        let earlier = self.bank.nearest(&sub.question, limits::NOTES_PER_ROUND).into_iter().filter(|_| !sub.collected);
        let claims = sub.notes().map(|note| &note.claim).chain(earlier.map(|note| &note.claim));
        let known: Vec<String> = claims.map(|claim| format!("- {claim}")).collect();
        let known = if known.is_empty() { "Nothing yet.".to_owned() } else { known.join("\n") };
        let values = [
            ("query", self.brief.question.clone()),
            ("today", self.plan.today.clone()),
            (
                "sub",
                match &sub.open {
                    Some(open) => format!("{}\n\nStill open: {open}", sub.question),
                    None => sub.question.clone(),
                },
            ),
            ("known", self.plan.marks.fence("NOTED", &known, limits::ROUND_SHOWN_BYTES)),
            ("pages", numbered::fenced(&round.pages, &self.plan.marks)),
            ("notes", limits::NOTES_PER_ROUND.to_string()),
            ("asked", sub.asked.join("; ")),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
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
        let enough = sub.answered
            && sub.notes_found() >= ANSWERED_NOTES
            && (sub.telling_pages() >= ANSWERED_PAGES || sub.queries.is_empty());
        let first_failed = sub.rounds.len() == 1 && !gained;
        if sub.queries.is_empty() && first_failed {
            // Other words may find what these did not.
            let shorter = brief::short_query(&sub.question);
            let fewer: Vec<&str> = shorter.split(' ').take(3).collect();
            let tries = [shorter.clone(), fewer.join(" ")];
            sub.queries = tries.into_iter().filter(|query| !query.is_empty() && !sub.asked.contains(query)).collect();
        }
        let over = enough
            || sub.rounds.len() >= sub.most_rounds
            || (!gained && !first_failed)
            || (sub.queries.is_empty() && read_on(sub).is_empty());
        if over {
            sub.ended = true;
            return vec![self.tree()];
        }
        self.begin_round(at)
    }

    /// Takes the notes of sub-questions that ended into the bank, in the order of the plan.
    pub(super) fn collect(&mut self) {
        for sub in &mut self.subs {
            if !std::mem::replace(&mut sub.collected, true) {
                sub.rounds.iter().flat_map(|round| &round.notes).cloned().for_each(|note| self.bank.add(note));
            }
        }
    }

    /// All sub-questions have ended: asks what is missing, or goes on to the writing.
    fn reflect(&mut self) -> Vec<Effect> {
        self.collect();
        let room = self.scale.subs.saturating_sub(self.subs.len());
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        if self.wave >= self.scale.waves || room == 0 || rounds >= self.scale.all_rounds {
            return self.begin_writing();
        }
        self.wave += 1;
        self.phase = Phase::Reflect;
        let values = [
            ("brief", self.brief.shown(&self.plan.question)),
            ("today", self.plan.today.clone()),
            ("notes", self.known()),
            ("subs", room.min(limits::WAVE_SUBS).to_string()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        match self.chat(StudyStep::Reflect(self.wave), prompt::STUDY_REFLECT, &values, limits::REFLECT_TOKENS) {
            Some(chat) => vec![self.progress("judging what is missing".to_owned()), chat],
            None => self.begin_writing(),
        }
    }

    /// What is known by now, by sub-question.
    fn known(&self) -> String {
        let of = |(at, sub): (usize, &Sub)| {
            let notes = self.bank.notes().iter().filter(|note| note.sub == at);
            let claims: Vec<String> = notes.map(|note| format!("- {}", note.claim)).collect();
            let open = match (&sub.open, claims.is_empty()) {
                (_, true) => "\n(nothing was found)".to_owned(),
                (Some(open), false) => format!("\n(open: {open})"),
                (None, false) => String::new(),
            };
            format!("{}\n{}{open}", sub.question, claims.join("\n"))
        };
        let known: Vec<String> = self.subs.iter().enumerate().map(of).collect();
        self.plan.marks.fence("KNOWN", &known.join("\n\n"), limits::KNOWN_CHARS)
    }

    pub(super) fn reflected(&mut self, reply: Option<ChatReply>) -> Vec<Effect> {
        let room = self.scale.subs.saturating_sub(self.subs.len()).min(limits::WAVE_SUBS);
        let subs = reply.map(|reply| brief::read_subs(&reply.text, room)).unwrap_or_default();
        let asked: Vec<&str> = self.subs.iter().map(|sub| sub.question.as_str()).collect();
        let new: Vec<SubPlan> = subs.into_iter().filter(|sub| !asked.contains(&sub.question.as_str())).collect();
        if new.is_empty() { self.begin_writing() } else { self.begin_subs(new) }
    }

    /// Why the research came to its end.
    pub(super) fn reason(&self) -> StopReason {
        if let Some(stop) = self.stop {
            return stop;
        }
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        if self.bank.notes().is_empty() && self.pages_read() == 0 {
            StopReason::NothingFound
        } else if self.subs.iter().all(|sub| sub.answered) {
            StopReason::GoodEnough
        } else if rounds >= self.scale.all_rounds {
            StopReason::MaxAttempts
        } else {
            StopReason::DiminishingReturns
        }
    }

    /// Pages that were read, each once.
    pub(super) fn pages_read(&self) -> usize {
        let pages = self.subs.iter().flat_map(|sub| &sub.rounds).flat_map(|round| &round.pages);
        pages.map(|page| &page.facts.hash).collect::<BTreeSet<_>>().len()
    }

    /// A line on a round, for the result.
    pub(super) fn round_summary(round: &SubRound) -> String {
        wording::round(round.results, round.pages.len(), round.notes.len())
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

/// The documents of passages, in their order, each once.
fn documents(passages: Vec<crate::core::evidence::passage::Passage>) -> Vec<FoundPage> {
    let mut found: Vec<FoundPage> = Vec::new();
    for passage in passages {
        let location = location(&passage.root, &passage.path);
        if found.iter().any(|known| known.location == location) {
            continue;
        }
        let snippet = passage.text.chars().take(limits::LABEL_CHARS).collect();
        let page = PageRef { root: passage.root, path: passage.path, title: passage.title.clone(), page: passage.page };
        found.push(FoundPage {
            wanted: WantedPage::Library(page),
            location,
            title: passage.title,
            snippet,
            date: None,
        });
    }
    found
}
