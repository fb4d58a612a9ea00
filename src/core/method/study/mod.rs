//! The `study` method: a question is planned, researched side by side, noted, outlined, written and checked.
//!
//! A sub-question goes round by round: search, choose pages, read, take notes, judge. A note is a claim with the words of an archived page, located
//! before it counts; sections are written from notes alone, and a sentence that its notes do not bear out is mended or taken out. Results are kept
//! by sub-question, round and query, and a phase begins when everything of the one before has ended: so the order in which answers come in does not
//! change the report. Every phase has its rule without a model. Nothing here waits, reads or writes.

mod bank;
mod blocks;
mod brief;
mod documents;
mod draft;
mod going_on;
mod known;
mod note;
mod outline;
mod pages;
mod plan;
pub(crate) mod plan_text;
mod pointer;
mod report;
mod research;
mod size;
mod sources;
mod sub;
mod versions;
mod wording;
mod writing;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod wishes_tests;

use std::collections::{BTreeMap, BTreeSet};

use self::bank::Bank;
use self::brief::{Brief, SubPlan};
use self::outline::Section;
use self::research::{SearchPlace, Searched};
use self::size::Size;
use self::sub::Sub;
use crate::core::base::engine::EngineName;
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::base::problems::Problems;
use crate::core::method::adaptive::{self, Adaptive, AdaptivePlan};
use crate::core::method::add_failure;
use crate::core::model::chat::{Chat, ChatReply, Purpose, StudyStep, tokens_of};
use crate::core::model::prompt;
use crate::core::model::said::said;
use crate::core::model::shown::SYSTEM;
use crate::core::money::budget::Cap;
use crate::core::money::usage::Usage;
use crate::core::report::explain::{Level, Strategy};
use crate::core::report::{Report, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::{Ending, Progress};

pub(crate) use self::documents::Documents;
pub(crate) use self::going_on::{Earlier, GoingOn};
pub(crate) use self::known::Known;
pub(crate) use self::plan::{Course, StudyPlan, Wishes};

/// What the study is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Brief,
    AskBack,
    Scout,
    Plan,
    Research,
    Reflect,
    Outline,
    Write,
    Mend,
    Summary,
    Ended,
}

/// How far a study goes, by its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale {
    /// Sub-questions of the plan and in all.
    planned: usize,
    subs: usize,
    /// Rounds of one sub-question and in all.
    rounds: usize,
    all_rounds: usize,
    /// Waves of sub-questions behind the first.
    waves: u32,
    /// Whether the report is written section by section.
    sections: bool,
}

impl Scale {
    const QUICK: Self = Self { planned: 1, subs: 1, rounds: 1, all_rounds: 1, waves: 0, sections: false };

    fn is_quick(self) -> bool {
        self.planned == 1
    }

    fn of(strategy: &Strategy, quick: bool) -> Self {
        let rounds = (strategy.max_attempts as usize).clamp(1, limits::SUB_ROUNDS);
        match strategy.level {
            _ if quick => Self::QUICK,
            Level::None | Level::Shallow => Self::QUICK,
            Level::Medium => Self { planned: 3, subs: 3, rounds, all_rounds: 6, waves: 0, sections: false },
            Level::Deep => Self { planned: 6, subs: 12, rounds, all_rounds: 24, waves: 2, sections: true },
        }
    }
}

/// A study in the middle of its work.
#[derive(Clone, Debug)]
pub(crate) struct Study {
    plan: StudyPlan,
    strategy: Strategy,
    scale: Scale,
    phase: Phase,
    brief: Brief,
    /// The sub-questions of a plan that its user has approved, until they are begun.
    approved: Option<Vec<SubPlan>>,
    /// What the user said to it while it ran.
    words: Vec<String>,
    /// The pages of an earlier task were read, and did not answer the question.
    looked_further: bool,
    /// Queries that were made of private text: they go to the library alone.
    private_queries: BTreeSet<String>,
    /// The library's index is being brought up to date.
    refreshing: bool,
    /// Every search, by where and what; `None` while it is under way.
    searches: BTreeMap<(SearchPlace, String), Option<Searched>>,
    subs: Vec<Sub>,
    /// Waves of sub-questions that were begun behind the first.
    wave: u32,
    bank: Bank,
    sections: Vec<Section>,
    /// The sections whose answer is awaited.
    open_sections: usize,
    /// Times the report was mended.
    passes: u32,
    summary: Option<String>,
    /// What did not hold was taken out of the sections.
    settled: bool,
    problems: Problems,
    model: Option<String>,
    /// Questions in a row to which no model answered.
    unanswered: u32,
    /// What a refusal told of how much the models take, in tokens.
    learnt: Option<u32>,
    /// Steps that were asked again in a smaller form.
    asked_again: BTreeSet<StudyStep>,
    /// A part of the report broke off.
    cut: bool,
    /// What goes on in its place, where nobody could be asked to search.
    instead: Option<Box<Adaptive>>,
    /// Set by the first cap on money or tokens: no model reads any more. Before the research begins, what is free goes on by rule.
    refused: Option<StopReason>,
    /// Set by a cap; research is over then.
    stop: Option<StopReason>,
}

impl Study {
    pub(crate) fn new(plan: StudyPlan) -> Self {
        let strategy = plan.strategy();
        let listed = plan.library_left_out.then(left_out).into_iter().collect();
        let problems = Problems { listed, beyond: 0 };
        let mut study = Self {
            brief: Brief::by_rule(&plan.question),
            scale: Scale::of(&strategy, plan.quick),
            strategy,
            approved: None,
            words: plan.course.words.clone(),
            looked_further: false,
            private_queries: BTreeSet::new(),
            plan,
            phase: Phase::Brief,
            refreshing: false,
            searches: BTreeMap::new(),
            subs: Vec::new(),
            wave: 0,
            bank: Bank::default(),
            sections: Vec::new(),
            open_sections: 0,
            passes: 0,
            summary: None,
            settled: false,
            problems,
            model: None,
            unanswered: 0,
            learnt: None,
            asked_again: BTreeSet::new(),
            cut: false,
            instead: None,
            refused: None,
            stop: None,
        };
        study.know();
        study
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        if let Some(instead) = &mut self.instead {
            return instead.step(event);
        }
        match event {
            _ if self.phase == Phase::Ended => Vec::new(),
            Event::Begin => self.begin(),
            Event::Cap(cap) => self.capped(cap),
            Event::Steer(words) => {
                self.words.push(words);
                if self.phase == Phase::AskBack { self.begin_scout() } else { Vec::new() }
            }
            Event::Done(effect, outcome) => match effect {
                Effect::RefreshLibrary { .. } => self.refreshed(outcome),
                Effect::WebSearch { query, .. } => self.searched(SearchPlace::Web, query.text, outcome),
                Effect::SearchLibrary { query, .. } => self.searched(SearchPlace::Library, query, outcome),
                Effect::ReadPages { place, .. } => self.read(place, outcome),
                Effect::Chat(Chat { purpose: Purpose::Study(step), .. }) => self.answered(step, outcome),
                // Nobody answered in time.
                Effect::Wait { .. } if self.phase == Phase::AskBack => self.begin_scout(),
                // Nothing of ours.
                _ => Vec::new(),
            },
        }
    }

    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        match &self.instead {
            Some(instead) => instead.partial(reason),
            None if self.plan.course.plan_only => {
                Some(self.plan_report(&brief::subs_by_rule(&self.brief, self.scale.planned), reason))
            }
            None => Some(self.report(reason)),
        }
    }

    fn begin(&mut self) -> Vec<Effect> {
        if self.strategy.level == Level::None {
            self.phase = Phase::Ended;
            return vec![self.answered_by_context()];
        }
        let mut effects = Vec::new();
        if let Some(roots) = &self.plan.library {
            self.refreshing = true;
            effects.push(Effect::RefreshLibrary { roots: roots.clone() });
        }
        if let Some((brief, subs)) = self.plan.course.approved.as_deref().and_then(plan_text::read) {
            effects.extend(self.begin_approved(brief, subs));
            return effects;
        }
        if self.scale.is_quick() {
            // A quick answer needs no brief: the question is searched for as it is.
            self.brief.searches = Vec::new();
            self.phase = Phase::Scout;
            effects.extend(self.scouted());
            return effects;
        }
        effects.extend(self.ask_brief());
        effects
    }

    fn refreshed(&mut self, outcome: Outcome) -> Vec<Effect> {
        self.refreshing = false;
        match outcome {
            Outcome::Refreshed(done) => self.problems.add_all(done.problems, done.more_problems),
            // What was indexed before can still be searched.
            other => {
                self.failed("library", other);
            }
        }
        match self.phase {
            Phase::Scout => self.scouted(),
            _ => Vec::new(),
        }
    }

    fn answered(&mut self, step: StudyStep, outcome: Outcome) -> Vec<Effect> {
        // Research that comes in after a cap is too late: the report is being written.
        let late = self.stop.is_some()
            && matches!(step, StudyStep::Brief | StudyStep::Plan | StudyStep::Notes(_) | StudyStep::Reflect(_));
        if late {
            return Vec::new();
        }
        if let Some(again) = self.ask_smaller(step, &outcome) {
            return again;
        }
        let reply = self.reply(step, outcome);
        match step {
            StudyStep::Brief => self.briefed(reply),
            StudyStep::Plan => self.planned(reply),
            StudyStep::Notes(place) => self.noted(place, reply),
            StudyStep::Reflect(_) => self.reflected(reply),
            StudyStep::Outline => self.outlined(reply),
            StudyStep::Section(at) => self.section_written(at, reply),
            StudyStep::Patch { section, .. } => self.mended(section, reply),
            StudyStep::Summary => self.summarised(reply),
        }
    }

    /// What a model said, if one did.
    fn reply(&mut self, step: StudyStep, outcome: Outcome) -> Option<ChatReply> {
        let mut reply = match outcome {
            Outcome::Chatted(reply) => reply,
            other => {
                self.failed(wording::step(step), other);
                self.unanswered += 1;
                return None;
            }
        };
        self.unanswered = 0;
        // What goes on far beyond what was asked for is no answer any more.
        if reply.text.len() > limits::STUDY_ANSWER_BYTES {
            reply.text.truncate(reply.text.floor_char_boundary(limits::STUDY_ANSWER_BYTES));
            reply.cut = true;
        }
        self.add_problems(reply.problems.clone());
        self.model = Some(reply.model.clone());
        (!said(&reply.text).is_empty()).then_some(reply)
    }

    /// A question to the model, or `None` where there is none to ask any more.
    fn chat(&self, step: StudyStep, name: &str, values: &[(&str, String)], max_tokens: u32) -> Option<Effect> {
        let reads = matches!(step, StudyStep::Notes(_));
        let models =
            if reads { [&self.plan.readers[..], &self.plan.models].concat() } else { self.plan.models.clone() };
        let refused = self.refused.is_some() && !step.writes();
        if models.is_empty() || refused || self.unanswered >= limits::STUDY_UNANSWERED {
            return None;
        }
        let template = self.plan.prompts.get(name).map_or_else(|| prompt::shipped(name), String::as_str);
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let prompt = prompt::fill(template, &values);
        let answer = self.size(step).answer(max_tokens);
        // A model that thinks gets what its window leaves.
        let left =
            self.window(step).map(|window| u64::from(window).saturating_sub(tokens_of(SYSTEM) + tokens_of(&prompt)));
        let most = left.map_or(u32::MAX, |left| u32::try_from(left).unwrap_or(u32::MAX)).max(answer);
        let max_tokens = (answer + self.plan.thinking_tokens).min(most);
        let system = SYSTEM.to_owned();
        Some(Effect::Chat(Chat { purpose: Purpose::Study(step), models, system, prompt, max_tokens }))
    }

    /// How much is shown and asked for in a step.
    fn size(&self, step: StudyStep) -> Size {
        Size::of(self.window(step))
    }

    /// What those take who are asked in a step, in tokens, where it is known.
    fn window(&self, step: StudyStep) -> Option<u32> {
        let of_reader = match (self.plan.readers.is_empty(), self.plan.window, self.plan.reader_window) {
            (true, window, _) | (_, window, None) => window,
            // Those who write stand in for those who read.
            (_, window, Some(reader)) => Some(window.map_or(reader, |window| window.min(reader))),
        };
        let known = if matches!(step, StudyStep::Notes(_)) { of_reader } else { self.plan.window };
        [known, self.learnt].into_iter().flatten().min()
    }

    /// A cap leaves the reserve, which is for writing. A second one ends the study with what there is.
    fn capped(&mut self, cap: Cap) -> Vec<Effect> {
        let reason = cap.into();
        if self.plan.course.plan_only {
            return self.planned(None);
        }
        if self.refused.is_none() && cap != Cap::WallTime {
            self.refused = Some(reason);
            match self.phase {
                Phase::Brief => return self.briefed(None),
                Phase::AskBack => return self.begin_scout(),
                Phase::Plan => return self.planned(None),
                Phase::Scout
                | Phase::Research
                | Phase::Reflect
                | Phase::Outline
                | Phase::Write
                | Phase::Mend
                | Phase::Summary
                | Phase::Ended => {}
            }
        }
        if self.stop.is_some() || self.phase >= Phase::Mend {
            return self.finish(reason);
        }
        self.stop = Some(reason);
        if self.phase == Phase::Write {
            return Vec::new();
        }
        self.begin_writing()
    }

    fn finish(&mut self, reason: StopReason) -> Vec<Effect> {
        self.phase = Phase::Ended;
        let ending = match self.never_answered() {
            Some(error) if reason == StopReason::NothingFound => match self.plan.next.take() {
                Some(next) => return self.go_on_with(*next, error),
                None => Ending::Failed { error, partial: Some(self.report(StopReason::SearchFailed)) },
            },
            _ => Ending::Completed { report: self.report(reason) },
        };
        vec![Effect::Finish(Box::new(ending))]
    }

    /// Could not look is not nothing found: the error, if no search was answered.
    fn never_answered(&self) -> Option<Error> {
        let searched = self.searches.values().flatten();
        let last = searched.clone().last().and_then(|searched| searched.failed.as_ref())?;
        let all = searched.clone().all(|searched| searched.failed.is_some());
        all.then(|| adaptive::search_failed(&self.problems.listed, Some(last)))
    }

    fn go_on_with(&mut self, next: AdaptivePlan, error: Error) -> Vec<Effect> {
        let mut instead = Adaptive::new(next);
        instead.fell_back(Problem { subject: EngineName::Native.name().to_owned(), error });
        let effects = instead.step(Event::Begin);
        self.instead = Some(Box::new(instead));
        effects
    }

    /// What the report is expected to use from here: an outline, a section for each ten notes, their mending and a summary.
    pub(crate) fn reserve(&self) -> Usage {
        if self.plan.models.is_empty() || self.phase >= Phase::Write {
            return Usage::ZERO;
        }
        let found: usize = self.subs.iter().map(Sub::notes_found).sum();
        let parts =
            if self.scale.sections { (found / limits::NOTES_PER_SECTION + 1).min(limits::STUDY_SECTIONS) } else { 1 };
        let chat = |max_tokens: u32| Chat {
            purpose: Purpose::Study(StudyStep::Section(0)),
            models: self.plan.models.clone(),
            system: SYSTEM.to_owned(),
            prompt: prompt::shipped(prompt::STUDY_SECTION).to_owned(),
            max_tokens,
        };
        let section =
            chat(limits::SECTION_TOKENS + self.plan.thinking_tokens).expected_with(limits::SECTION_NOTES_BYTES);
        (0..parts).map(|_| section).sum()
    }

    fn progress(&self, action: String) -> Effect {
        Effect::Progress(Progress { percent: Some(self.percent()), action, tree: self.branches(), question: None })
    }

    /// A guess at the share of the work that is done, which never goes down.
    fn percent(&self) -> u8 {
        let rounds: usize = self.subs.iter().map(|sub| sub.rounds.len()).sum();
        let of_rounds = u8::try_from(rounds * 50 / self.scale.all_rounds.max(1)).unwrap_or(50).min(50);
        match self.phase {
            Phase::Brief => 2,
            Phase::AskBack => 3,
            Phase::Scout => 5,
            Phase::Plan => 8,
            Phase::Research | Phase::Reflect => 10 + of_rounds,
            Phase::Outline => 65,
            Phase::Write => 70,
            Phase::Mend => 85,
            Phase::Summary => 95,
            Phase::Ended => 100,
        }
    }

    /// Records an effect that did not work.
    fn failed(&mut self, subject: &str, outcome: Outcome) -> Error {
        add_failure(&mut self.problems, subject, outcome)
    }

    fn add_problems(&mut self, problems: Vec<Problem>) {
        self.problems.add_all(problems, 0);
    }
}

/// Documents were not shown, and how they would be.
fn left_out() -> Problem {
    let error =
        Error::new(Code::LibraryNotShown, "the registered documents were left out: the model is not on this machine")
            .hint("name the folder with `--library`, or set `library.to_model` to `yes`");
    Problem { subject: "library".to_owned(), error }
}
