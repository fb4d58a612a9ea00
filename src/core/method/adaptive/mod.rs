//! The `adaptive` method: choose a strategy, then search, read, score, and search again while it pays.
//!
//! An attempt is one search and the archiving of the pages it leads to; only what is archived is kept, so at any moment the method can end with
//! a report whose every quote can be checked. The documents come from the local library or from the [`web`]: two pairs of
//! effects that end in [`Adaptive::scored`] and change nothing after it. With a [`writer`] a model proposes the next query and
//! writes the report; without one, or with one that writes nonsense, the report is made of quotes. Nothing here waits, reads or
//! writes.

mod closeness;
mod evidence;
mod next_query;
mod numbering;
mod outcome;
mod refreshed;
mod respelled;
mod room;
#[cfg(test)]
mod tests;
mod web;
mod writer;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use self::evidence::{Evidence, Finding, FoundBy, visited};
use self::room::Room;
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::problems::Problems;
use crate::core::evidence::passage::{FoundPassages, PageHash, PageRef, Respelled};
use crate::core::method::add_failure;
use crate::core::method::arguments::Argument;
use crate::core::method::quality::{Goal, HeldTerms};
use crate::core::method::strategy::{self, Hint, Length, Scope};
use crate::core::model::prompt::Marks;
use crate::core::money::budget::Cap;
use crate::core::report::explain::{Level, Quality, Strategy};
use crate::core::report::{Report, Round, StopReason};
use crate::core::task::Progress;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::skipped::SkippedFiles;

pub(crate) use self::outcome::search_failed;
pub(crate) use self::web::Web;
pub(crate) use self::writer::Writer;

/// The inputs of a research call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AdaptivePlan {
    pub(crate) goal: String,
    /// The sentence of the goal that asks, where the others need not be looked for in a library. Kept, so that tasks of earlier versions go on
    /// with the question that they began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asking: Option<String>,
    /// Library roots to look in; none = every registered one.
    pub(crate) library: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<Hint>,
    /// What the caller knows already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_attempts: Option<u32>,
    /// How the web is searched; without it the library is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) web: Option<Web>,
    /// Who writes the report; without one it is made of quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) writer: Option<Writer>,
    /// What stands around pages in prompts.
    #[serde(default, skip_serializing_if = "Marks::are_numbered")]
    pub(crate) marks: Marks,
    /// What is done instead when no search provider answers; only with `engine = auto`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<Box<AdaptivePlan>>,
    /// The library is ranked by the scores of its index and searched wider, and the answer stands first. Tasks of earlier versions do neither.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) answer_first: bool,
    /// How much of what was found is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<Length>,
    /// The arguments that were given with the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) given: Vec<Argument>,
}

impl AdaptivePlan {
    /// What is looked for.
    pub(crate) fn sought(&self) -> &str {
        self.asking.as_deref().filter(|_| self.web.is_none()).unwrap_or(&self.goal)
    }

    /// How hard this call will look.
    pub(crate) fn strategy(&self) -> Strategy {
        strategy::compute(&strategy::StrategyInputs {
            goal: &self.goal,
            scope: self.scope,
            hint: self.hint,
            context: self.context.as_deref(),
            max_attempts: self.max_attempts,
        })
    }
}

/// What the method waits for.
#[derive(Clone, Debug)]
enum Phase {
    Refresh,
    Search,
    Archive(Vec<Finding>),
    /// A search of the web.
    Web,
    /// Pages of the web.
    Pages,
    /// What a model would search for next. Whether what there is counts as good enough without it.
    Planning {
        good: bool,
    },
    /// The report of a model, and why the search for it ended.
    Writing(StopReason),
    /// The ledger of that report.
    Checking(StopReason, writer::WrittenDraft),
    Ended,
}

/// A research call in the middle of its work.
#[derive(Clone, Debug)]
pub(crate) struct Adaptive {
    plan: AdaptivePlan,
    strategy: Strategy,
    phase: Phase,
    /// Documents in the library, when it could be read; of the web, the pages that were.
    documents: Option<u64>,
    /// Files of the library that are not read, of every kind.
    skipped: SkippedFiles,
    /// How many more could not be read.
    unread: u64,
    /// Passages kept before the last attempt.
    kept_before: usize,
    /// The goal with words that are spelt as the library does.
    respelled: Option<Respelled>,
    /// The attempt that searched wider than the words of the goal.
    wide_attempt: Option<u32>,
    /// Pages of the web that were read, and those that could not be.
    read: BTreeSet<String>,
    dead: BTreeSet<String>,
    /// Known once the goal itself was searched.
    goal: Option<Goal>,
    evidence: Evidence,
    /// Terms of the goal that stand in anything that was found, also in what did not count.
    seen: HeldTerms,
    /// Every query, in order; the goal first.
    queries: Vec<String>,
    rounds: Vec<Round>,
    /// The score after each attempt that was not lost, with its number.
    scores: Vec<(u32, Quality)>,
    problems: Problems,
    trouble: LastFailures,
    /// Set when another engine was to do this and could not.
    instead: Option<EngineChoice>,
}

/// The last failure of each kind, for the case that nothing else can be said.
#[derive(Clone, Debug, Default)]
struct LastFailures {
    refresh: Option<Error>,
    search: Option<Error>,
    archive: Option<Error>,
}

impl Adaptive {
    pub(crate) fn new(plan: AdaptivePlan) -> Self {
        Self {
            strategy: plan.strategy(),
            plan,
            phase: Phase::Refresh,
            documents: None,
            skipped: SkippedFiles::default(),
            unread: 0,
            kept_before: 0,
            wide_attempt: None,
            read: BTreeSet::new(),
            dead: BTreeSet::new(),
            goal: None,
            respelled: None,
            evidence: Evidence::default(),
            seen: HeldTerms::new(),
            queries: Vec::new(),
            rounds: Vec::new(),
            scores: Vec::new(),
            problems: Problems::default(),
            trouble: LastFailures::default(),
            instead: None,
        }
    }

    /// Takes down why an engine that was to do this did not.
    pub(crate) fn fell_back(&mut self, problem: Problem) {
        let mut reason = format!("{} failed ({})", problem.subject, problem.error.code);
        if let Some(earlier) = &self.instead {
            reason = format!("{}; {reason}", earlier.reason);
        }
        let name = if self.plan.writer.is_some() { EngineName::Native } else { EngineName::Extractive };
        self.instead = Some(EngineChoice { name, reason });
        self.problems.listed.push(problem);
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        let phase = std::mem::replace(&mut self.phase, Phase::Ended);
        match (phase, event) {
            (Phase::Ended, _) => Vec::new(),
            (phase, Event::Cap(cap)) => vec![self.capped(&phase, cap)],
            // Nobody here can be told.
            (phase, Event::Steer(_)) => {
                self.phase = phase;
                Vec::new()
            }
            (Phase::Refresh, Event::Begin) => self.begin(),
            (Phase::Refresh, Event::Done(Effect::RefreshLibrary { .. }, outcome)) => self.refreshed(outcome),
            (Phase::Search, Event::Done(Effect::SearchLibrary { .. }, outcome)) => self.searched(outcome),
            (Phase::Archive(chosen), Event::Done(Effect::ArchivePages { pages }, outcome)) => {
                self.archived(chosen, &pages, outcome)
            }
            (Phase::Web, Event::Done(Effect::WebSearch { .. }, outcome)) => self.web_found(outcome),
            (Phase::Pages, Event::Done(Effect::FetchPages { urls, .. }, outcome)) => self.fetched(&urls, outcome),
            (Phase::Planning { good }, Event::Done(Effect::Chat(_), outcome)) => self.planned(good, outcome),
            (Phase::Writing(reason), Event::Done(Effect::Chat(_), outcome)) => vec![self.written(reason, outcome)],
            (Phase::Checking(reason, draft), Event::Done(Effect::CheckClaims { claims, .. }, outcome)) => {
                vec![self.checked(reason, draft, claims, outcome)]
            }
            // Nothing of ours: wait on.
            (phase, Event::Begin | Event::Done(..)) => {
                self.phase = phase;
                Vec::new()
            }
        }
    }

    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        Some(self.report(reason))
    }

    /// A cap leaves the reserve, which a writer may use: money, tokens, and a while before the time is really over. A second word
    /// ends it.
    fn capped(&mut self, phase: &Phase, cap: Cap) -> Effect {
        let reason = cap.into();
        match phase {
            Phase::Writing(_) | Phase::Checking(..) => self.stopped(reason),
            _ => self.write(reason).unwrap_or_else(|| self.stopped(reason)),
        }
    }

    fn begin(&mut self) -> Vec<Effect> {
        if self.strategy.level == Level::None {
            return vec![self.answered_by_context()];
        }
        if self.plan.web.is_some() {
            return self.search(self.plan.goal.clone());
        }
        self.phase = Phase::Refresh;
        // How much there is to read is not known before it was read.
        let progress = Progress::new(None, "bringing the library's index up to date".into());
        vec![Effect::Progress(progress), Effect::RefreshLibrary { roots: self.plan.library.clone() }]
    }

    /// Starts the next attempt.
    fn search(&mut self, query: String) -> Vec<Effect> {
        self.queries.push(query.clone());
        let progress = self.progress(0, "searching");
        if let Some(web) = &self.plan.web {
            self.phase = Phase::Web;
            return vec![progress, web.search(query, &self.strategy)];
        }
        self.phase = Phase::Search;
        let limit = self.room().candidates;
        vec![progress, Effect::SearchLibrary { query, roots: self.plan.library.clone(), limit, reach: self.reach() }]
    }

    /// Searches the library once more, for what its best documents speak of.
    fn search_wider(&mut self) -> Vec<Effect> {
        self.wide_attempt = Some(self.attempt().saturating_add(1));
        self.search(self.goal_text().to_owned())
    }

    fn room(&self) -> Room {
        match &self.plan.web {
            Some(_) => Room::on_web(&self.strategy),
            None if !self.plan.answer_first => Room::on_web(&self.strategy),
            None => Room::in_library(self.strategy.level),
        }
    }

    fn searched(&mut self, outcome: Outcome) -> Vec<Effect> {
        let query = self.queries.last().cloned().unwrap_or_default();
        let mut round =
            Round { round_number: self.round_number(), search_queries: vec![query.clone()], ..Round::default() };
        let found = match outcome {
            Outcome::Found(found) => found,
            other => return self.lost_search(round, &query, other),
        };
        let (found, chosen, pages) = self.chosen(&query, found);
        round.sources_visited = visited(&chosen);
        let how = if self.wide_attempt == Some(self.attempt()) { "by what the best documents speak of: " } else { "" };
        round.intermediate_result_summary = format!("{how}{}", describe(&found, chosen.len()));
        self.rounds.push(round);
        if pages.is_empty() {
            self.evidence.keep(chosen);
            return self.scored();
        }
        let progress = self.progress(1, &format!("archiving {} of the documents found", pages.len()));
        self.phase = Phase::Archive(chosen);
        vec![progress, Effect::ArchivePages { pages }]
    }

    /// What counts of what a search found, and the pages that are not archived yet.
    fn chosen(&mut self, query: &str, mut found: FoundPassages) -> (FoundPassages, Vec<Finding>, Vec<PageRef>) {
        let room = self.room();
        found.passages.truncate(room.candidates as usize);
        self.add_problems(std::mem::take(&mut found.problems));
        self.note_searched(found.searched);
        let asked = match &self.goal {
            None => FoundBy::Goal,
            Some(_) if self.wide_attempt == Some(self.attempt()) => FoundBy::Wide,
            Some(_) => FoundBy::FollowUp(query),
        };
        if self.goal.is_none() {
            self.respelled = found.respelled.take();
        }
        let asked_for = self.goal_text().to_owned();
        let goal = self.goal.get_or_insert_with(|| Goal::new(&asked_for, &found.terms).among(found.searched));
        for passage in &found.passages {
            self.seen.extend(goal.held(&found.terms, passage));
        }
        if asked == FoundBy::Goal {
            goal.stress_absent_names(&self.seen);
        }
        let (chosen, pages) = self.evidence.select(goal, asked, &found, &room);
        (found, chosen, pages)
    }

    fn lost_search(&mut self, mut round: Round, query: &str, outcome: Outcome) -> Vec<Effect> {
        let error = self.failed(query, outcome);
        round.intermediate_result_summary = "the search failed".into();
        round.error = Some(error.clone());
        self.rounds.push(round);
        self.after_failed_search(error)
    }

    /// A search that failed for a passing reason is tried again as long as attempts are left; a follow-up that failed gives way to
    /// another one.
    fn after_failed_search(&mut self, error: Error) -> Vec<Effect> {
        let retryable = error.code.retryable();
        self.trouble.search = Some(error);
        match (&self.goal, self.attempt() < self.strategy.max_attempts) {
            (None, true) if retryable => self.search(self.plan.sought().to_owned()),
            (None, _) => self.conclude(StopReason::NothingFound),
            (Some(_), false) => self.conclude(StopReason::MaxAttempts),
            (Some(_), true) => self.follow_up(),
        }
    }

    fn archived(&mut self, chosen: Vec<Finding>, pages: &[PageRef], outcome: Outcome) -> Vec<Effect> {
        let done: Vec<PageHash> = match outcome {
            Outcome::Archived { pages, problems } => {
                self.add_problems(problems);
                pages
            }
            other => {
                self.trouble.archive = Some(self.failed("archive", other));
                Vec::new()
            }
        };
        let failed = self.trouble.archive.is_some();
        for lost in self.evidence.archived(pages, &done) {
            let named = self.problems.listed.iter().find(|problem| problem.subject.contains(&lost.path));
            let error = named.map(|problem| problem.error.clone()).unwrap_or_else(vanished);
            if named.is_none() && !failed {
                self.problems.add_failure(&lost.path, &error);
            }
            self.trouble.archive.get_or_insert(error);
        }
        self.evidence.keep(chosen);
        self.scored()
    }

    /// The stop rule, after an attempt is complete (AS-07).
    fn scored(&mut self) -> Vec<Effect> {
        let Some(goal) = &self.goal else { return self.conclude(StopReason::NothingFound) };
        let score = self.evidence.quality(goal);
        let before = self.scores.last().map(|(_, score)| *score);
        self.scores.push((self.attempt(), score));
        if let Some(round) = self.rounds.last_mut() {
            round.intermediate_result_summary.push_str(&format!("; so far: {}", score.summary()));
        }
        // Whoever asked for depth wants more than one voice.
        let least = if self.strategy.level == Level::Deep { 3 } else { 1 };
        let last = self.attempt() >= self.strategy.max_attempts;
        let may_widen = !last && self.may_widen();
        let good = if may_widen { self.is_answered() } else { score.good_enough(least) };
        let gained = self.evidence.kept().len() > self.kept_before;
        self.kept_before = self.evidence.kept().len();
        if good {
            // That the words of a question stand somewhere does not mean that its answer does: a model can tell.
            let judged = if !last && gained { self.plan_next(true) } else { None };
            return judged.unwrap_or_else(|| self.conclude(StopReason::GoodEnough));
        }
        if last {
            return self.conclude(StopReason::MaxAttempts);
        }
        if may_widen {
            return self.search_wider();
        }
        // A chain of hops gains passages, not words of the question: with a model to judge them, that counts.
        let hardly = match (&self.plan.writer, before) {
            (_, None) => false,
            // What the wider search brings is not told by the words of the goal.
            (None, Some(_)) if self.wide_attempt == Some(self.attempt()) => false,
            (Some(_), Some(_)) => !gained,
            (None, Some(before)) => score.hardly_better_than(&before),
        };
        if hardly {
            return self.conclude(StopReason::DiminishingReturns);
        }
        self.follow_up()
    }

    /// Whether the library can be searched wider: not before something was found, and once. A model asks for what it wants itself.
    fn may_widen(&self) -> bool {
        let by_rule = self.plan.answer_first && self.plan.web.is_none() && self.plan.writer.is_none();
        by_rule && self.wide_attempt.is_none() && !self.evidence.kept().is_empty()
    }

    /// Whether the sentences that were asked for are found. That the words of a goal stand somewhere is no answer, and whoever asked for
    /// depth wants more than one.
    fn is_answered(&self) -> bool {
        let best = self.evidence.kept().first();
        let told = |finding: &Finding| strategy::answers(&finding.passage.text, self.plan.sought()).is_some();
        self.strategy.level != Level::Deep && best.is_some_and(told)
    }

    /// Asks a model what to look for next, where there is one and something to show it, else the rule.
    fn follow_up(&mut self) -> Vec<Effect> {
        match self.plan_next(false) {
            Some(effects) => effects,
            None => self.follow_rule(),
        }
    }

    /// Asks what the passages so far suggest, or ends when they suggest nothing new.
    fn follow_rule(&mut self) -> Vec<Effect> {
        let mut asked = self.queries.clone();
        // The wider search asked for nothing else than the goal.
        asked.dedup();
        let query = self.goal.as_ref().and_then(|goal| next_query::next_query(goal, self.evidence.kept(), &asked));
        match query.or_else(|| self.plainer_query()) {
            Some(query) => self.search(query),
            None => self.conclude(StopReason::DiminishingReturns),
        }
    }

    /// The attempt that runs, from 1.
    fn attempt(&self) -> u32 {
        u32::try_from(self.queries.len()).unwrap_or(u32::MAX)
    }

    /// The number of the round that runs. It counts on over the rounds of a plan that could not look.
    fn round_number(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The share of the steps done, of those this call takes at most. It may end earlier, never later.
    fn progress(&self, within: u32, doing: &str) -> Effect {
        let (attempt, of) = (self.attempt(), self.strategy.max_attempts);
        let done = 1 + attempt.saturating_sub(1).saturating_mul(2) + within;
        let percent = u8::try_from(done * 100 / (1 + 2 * of)).ok().filter(|percent| *percent <= 100);
        Effect::Progress(Progress::new(percent, format!("attempt {attempt} of at most {of}: {doing}")))
    }

    /// Records an effect that did not work.
    fn failed(&mut self, subject: &str, outcome: Outcome) -> Error {
        add_failure(&mut self.problems, subject, outcome)
    }

    fn add_problems(&mut self, problems: Vec<Problem>) {
        self.problems.add_all(problems, 0);
    }
}

fn vanished() -> Error {
    Error::new(Code::LibraryUnreadable, "changed or vanished after it was searched; not quoted")
        .hint("ask again: the library is read anew with each question")
}

fn describe(found: &FoundPassages, chosen: usize) -> String {
    format!("{} passages found, {chosen} of them relevant and taken", found.passages.len())
}
