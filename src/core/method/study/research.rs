//! The research of a study: brief, first look, plan, searches, and the look at what is missing.

use std::collections::BTreeSet;

use super::brief::{self, Brief, SubPlan};
use super::pages::FoundPage;
use super::sub::Sub;
use super::{Phase, Study};
use crate::core::base::error::Error;
use crate::core::base::limits;
use crate::core::evidence::excerpt::WantedPage;
use crate::core::evidence::passage::{PageRef, Reach};
use crate::core::evidence::place::location;
use crate::core::model::chat::{ChatReply, StudyStep};
use crate::core::model::prompt;
use crate::core::report::StopReason;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::task::{Branch, BranchKind, Ending, Progress};

/// What the one who reads the question is told where somebody can be asked back.
const ASKING: &str = "ASK: one short question to the asker; only where the question can be meant in such different ways that a report on the wrong one \
    would be of no use, else leave the line out";

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

impl Study {
    pub(super) fn ask_brief(&mut self) -> Vec<Effect> {
        let question = match &self.plan.context {
            Some(context) => format!("{}\n\nWhat the asker knows already:\n\n{context}", self.plan.question),
            None => self.plan.question.clone(),
        };
        let values = [
            ("query", self.with_words(question)),
            ("today", self.plan.today.clone()),
            ("wishes", self.plan.wishes.shown()),
            ("items", limits::STUDY_ITEMS.to_string()),
            ("asking", if self.plan.wishes.asks_back { ASKING.to_owned() } else { String::new() }),
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
        match self.brief.ask.clone().filter(|_| self.plan.wishes.asks_back) {
            Some(question) => self.ask_back(question),
            None => self.begin_scout(),
        }
    }

    /// Asks whoever waits what they meant. What they say comes like any word to a study that runs; without one the assumptions hold.
    fn ask_back(&mut self, question: String) -> Vec<Effect> {
        self.phase = Phase::AskBack;
        let action = "waiting for an answer".to_owned();
        let progress = Progress { percent: Some(self.percent()), action, tree: Vec::new(), question: Some(question) };
        vec![Effect::Progress(progress), Effect::Wait { ms: limits::ASK_BACK_MS }]
    }

    pub(super) fn begin_scout(&mut self) -> Vec<Effect> {
        self.phase = Phase::Scout;
        self.scouted()
    }

    /// The first look: begins its searches when the library is ready, and ends with the plan when they are all in.
    pub(super) fn scouted(&mut self) -> Vec<Effect> {
        if self.refreshing {
            return Vec::new();
        }
        if let Some(recalled) = self.recall() {
            return recalled;
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
        if let Some(subs) = self.approved.take() {
            return self.begin_subs(subs);
        }
        if self.scale.is_quick() {
            let queries = vec![brief::cut(&self.plan.question), brief::short_query(&self.plan.question)];
            let only = SubPlan { question: self.plan.question.clone(), queries };
            return self.begin_subs(vec![only]);
        }
        self.ask_plan()
    }

    pub(super) fn ask_plan(&mut self) -> Vec<Effect> {
        let values = [
            ("brief", self.asked()),
            ("today", self.plan.today.clone()),
            ("found", self.first_look()),
            ("subs", self.scale.planned.to_string()),
        ];
        match self.chat(StudyStep::Plan, prompt::STUDY_PLAN, &values, limits::PLAN_TOKENS) {
            Some(chat) => vec![self.progress("planning".to_owned()), chat],
            None => self.planned(None),
        }
    }

    /// What the first look found, for the one who plans.
    fn first_look(&self) -> String {
        let mut shown: Vec<String> = self.known_before();
        let mut known = BTreeSet::new();
        // Queries are made of what is shown here.
        let private = if self.plan.keep_private { None } else { Some(SearchPlace::Library) };
        for query in &self.brief.searches {
            for place in private.into_iter().chain([SearchPlace::Web]) {
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
        self.plan.marks.fence("FOUND", &shown.join("\n\n"), self.size(StudyStep::Plan).first_look_chars)
    }

    pub(super) fn planned(&mut self, reply: Option<ChatReply>) -> Vec<Effect> {
        let read = reply.map(|reply| brief::read_subs(&reply.text, self.scale.planned)).unwrap_or_default();
        let subs = if read.is_empty() { brief::subs_by_rule(&self.brief, self.scale.planned) } else { read };
        self.begin_subs(subs)
    }

    /// Runs a plan that its user has approved: nobody is asked for another.
    pub(super) fn begin_approved(&mut self, brief: Brief, subs: Vec<SubPlan>) -> Vec<Effect> {
        let question = Some(brief.question.clone()).filter(|question| !question.is_empty());
        self.brief = Brief { question: question.unwrap_or_else(|| self.plan.question.clone()), ..brief };
        self.scale.subs = self.scale.subs.max(subs.len());
        self.scale.all_rounds = self.scale.all_rounds.max(subs.len() * self.scale.rounds);
        self.approved = Some(subs);
        self.phase = Phase::Scout;
        self.scouted()
    }

    fn begin_subs(&mut self, mut subs: Vec<SubPlan>) -> Vec<Effect> {
        if self.plan.course.plan_only {
            self.phase = Phase::Ended;
            let report = self.plan_report(&subs, StopReason::Answered);
            return vec![Effect::Finish(Box::new(Ending::Completed { report }))];
        }
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
    pub(super) fn tree(&self) -> Effect {
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        let notes: usize = self.subs.iter().map(Sub::notes_found).sum();
        let pages = self.pages_read();
        let ended = self.subs.iter().filter(|sub| sub.ended).count();
        let of = self.subs.len();
        self.progress(format!("{ended} of {of} sub-questions done, {rounds} rounds, {pages} pages read, {notes} notes"))
    }

    /// The sub-questions and sections, and how far each is.
    pub(super) fn branches(&self) -> Vec<Branch> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let title = |text: &str| text.chars().take(limits::LABEL_CHARS).collect();
        let sub = |sub: &Sub| Branch {
            kind: BranchKind::SubQuestion,
            title: title(&sub.question),
            searches: count(sub.rounds.iter().map(|round| round.queries.len()).sum()),
            pages: count(sub.rounds.iter().map(|round| round.pages.len()).sum()),
            notes: count(sub.notes_found()),
            done: sub.ended,
        };
        // A report in one piece has no headings.
        let sections = self.sections.iter().filter(|section| !section.heading.is_empty()).map(|section| Branch {
            kind: BranchKind::Section,
            title: title(&section.heading),
            searches: 0,
            pages: 0,
            notes: count(section.notes.len()),
            done: section.text.is_some(),
        });
        self.subs.iter().map(sub).chain(sections).collect()
    }

    /// The searches of these queries that nobody began yet.
    pub(super) fn search_all(&mut self, queries: &[String]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for query in queries {
            if let Some(web) = &self.plan.web
                && !self.private_queries.contains(query)
                && !self.searches.contains_key(&(SearchPlace::Web, query.clone()))
            {
                self.searches.insert((SearchPlace::Web, query.clone()), None);
                effects.push(web.search(query.clone(), &self.strategy));
            }
            if let Some(roots) = &self.plan.library
                && !self.searches.contains_key(&(SearchPlace::Library, query.clone()))
            {
                self.searches.insert((SearchPlace::Library, query.clone()), None);
                effects.push(Effect::SearchLibrary {
                    query: query.clone(),
                    roots: roots.clone(),
                    limit: limits::STUDY_PASSAGES,
                    reach: Reach::Words,
                });
            }
        }
        effects
    }

    pub(super) fn all_in(&self, queries: &[String]) -> bool {
        let places = [
            self.plan.web.as_ref().map(|_| SearchPlace::Web),
            self.plan.library.as_ref().map(|_| SearchPlace::Library),
        ];
        queries.iter().all(|query| {
            let private = self.private_queries.contains(query);
            places
                .into_iter()
                .flatten()
                .filter(|place| *place == SearchPlace::Library || !private)
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
    pub(super) fn advance(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for at in 0..self.subs.len() {
            // A round whose searches were all made before is ready as soon as it begins.
            while self.is_searched(at) {
                effects.extend(self.choose_pages(at));
            }
        }
        if self.phase == Phase::Research && self.subs.iter().all(|sub| sub.ended) {
            effects.extend(self.reflect());
        }
        effects
    }

    /// Whether the searches of a sub-question's round are in and its pages are not chosen yet.
    fn is_searched(&self, at: usize) -> bool {
        let round = self.subs.get(at).filter(|sub| !sub.ended).and_then(|sub| sub.rounds.last());
        round.is_some_and(|round| !round.chosen && self.all_in(&round.queries))
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
        if self.is_recalling() {
            return self.recalled();
        }
        let went_on = if self.plan.goes_further { self.go_on_with_open() } else { Vec::new() };
        if !went_on.is_empty() {
            return went_on;
        }
        self.collect();
        let room = self.scale.subs.saturating_sub(self.subs.len());
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        if self.wave >= self.scale.waves || room == 0 || rounds >= self.scale.all_rounds {
            return self.begin_writing();
        }
        self.wave += 1;
        self.phase = Phase::Reflect;
        self.ask_reflect()
    }

    /// Gives the rounds that some sub-questions did not need to those that ended while they still brought something.
    fn go_on_with_open(&mut self) -> Vec<Effect> {
        let used: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        let left = self.scale.all_rounds.saturating_sub(used);
        let rounds = self.scale.rounds;
        let open = |sub: &Sub| !sub.collected && sub.is_used_up() && sub.has_more() && sub.rounds.len() < rounds;
        let open: Vec<usize> =
            (0..self.subs.len()).filter(|at| self.subs.get(*at).is_some_and(open)).take(left).collect();
        let mut effects = Vec::new();
        for at in open {
            if let Some(sub) = self.subs.get_mut(at) {
                sub.most_rounds += 1;
                sub.ended = false;
            }
            effects.extend(self.begin_round(at));
        }
        if effects.is_empty() { effects } else { effects.into_iter().chain(self.advance()).collect() }
    }

    pub(super) fn ask_reflect(&mut self) -> Vec<Effect> {
        let room = self.scale.subs.saturating_sub(self.subs.len());
        let values = [
            ("brief", self.asked()),
            ("today", self.plan.today.clone()),
            ("notes", self.known()),
            ("subs", room.min(limits::WAVE_SUBS).to_string()),
        ];
        match self.chat(StudyStep::Reflect(self.wave), prompt::STUDY_REFLECT, &values, limits::REFLECT_TOKENS) {
            Some(chat) => vec![self.progress("judging what is missing".to_owned()), chat],
            None => self.begin_writing(),
        }
    }

    /// The question as it is worked on, with what its user said besides.
    pub(super) fn asked(&self) -> String {
        self.with_words(self.brief.shown(&self.plan.question))
    }

    /// A question with what its user said while it was worked on.
    pub(super) fn with_words(&self, mut question: String) -> String {
        if let Some(known) = &self.plan.course.known {
            question.push_str(&format!("\n\nIt goes on from an earlier question: {}", known.question));
        }
        for words in &self.words {
            question.push_str(&format!("\n\nThe asker said of it later, which counts more: {words}"));
        }
        question
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
        self.plan.marks.fence("KNOWN", &known.join("\n\n"), self.size(StudyStep::Reflect(self.wave)).known_chars)
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
        if let Some(stop) = self.stop.or(self.refused) {
            return stop;
        }
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        let used_up = self.subs.iter().any(Sub::is_used_up);
        if self.bank.notes().is_empty() {
            StopReason::NothingFound
        } else if self.subs.iter().skip(usize::from(self.looked_further && self.subs.len() > 1)).all(|sub| sub.answered)
        {
            StopReason::GoodEnough
        } else if used_up || rounds >= self.scale.all_rounds {
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
