//! The `rounds` method: a draft, then verification rounds until one says it is verified or the maximum is reached.
//!
//! Every round is a cycle of asking and, when the answer is not the JSON it should be, one correction; a cycle that
//! fails is repeated after a wait. A failed round costs itself: what earlier rounds found stands.

mod checking;
mod report;
mod text;

use serde::{Deserialize, Serialize};

use self::text::{add, summary};
use crate::core::base::engine::{EngineName, EvidenceMode};
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::method::adaptive;
use crate::core::method::arguments::Argument;
use crate::core::method::check::gathering::Gathering;
use crate::core::model::ask::{self, Ask, AskReply, Native, Role};
use crate::core::model::json::{self, Answer, AnswerShape, Mismatch};
use crate::core::model::prompt::{self, Marks};
use crate::core::report::{Report, Round, StopReason};
use crate::core::task::effect::{Effect, LogLevel};
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::{Ending, Progress};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// One quick round.
    Search,
    /// A draft and verification rounds.
    DeepSearch,
    /// One thorough round, without verification.
    Research,
}

impl Kind {
    fn shape(self) -> AnswerShape {
        match self {
            Self::Search | Self::Research => AnswerShape::Search,
            Self::DeepSearch => AnswerShape::DeepSearch,
        }
    }
}

/// The templates of a task, fixed when it starts: a resumed task asks what it would have asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prompts {
    pub(crate) first: String,
    pub(crate) verify: String,
    pub(crate) correction: String,
}

/// The inputs of the method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RoundsPlan {
    pub(crate) kind: Kind,
    pub(crate) query: String,
    pub(crate) max_rounds: u32,
    pub(crate) model: Option<String>,
    pub(crate) correction_model: Option<String>,
    pub(crate) prompts: Prompts,
    /// Who is asked.
    #[serde(default = "ask::cli")]
    pub(crate) engine: EngineName,
    /// The model of the Gemini API that goes on when Gemini CLI turns out not to work at all; only with `engine = auto`.
    #[serde(default)]
    pub(crate) api_model: Option<String>,
    /// Whether the claims of each round of a deep search are checked.
    #[serde(default, skip_serializing_if = "EvidenceMode::is_off")]
    pub(crate) evidence: EvidenceMode,
    /// What the engine `native` asks with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) native: Option<Native>,
    /// What stands around drafts and pages in prompts.
    #[serde(default, skip_serializing_if = "Marks::are_numbered")]
    pub(crate) marks: Marks,
    /// The arguments that were given with the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) given: Vec<Argument>,
    /// What to do when that does not work either.
    pub(crate) fallback: Option<adaptive::AdaptivePlan>,
}

impl RoundsPlan {
    /// The question as a model gets it: with what the caller already knows, fenced, so that it is data as well.
    pub(crate) fn question(goal: &str, context: Option<&str>, marks: &Marks) -> String {
        match context.map(str::trim).filter(|context| !context.is_empty()) {
            None => goal.to_owned(),
            Some(context) => {
                let known = marks.fence("CONTEXT", context, limits::CONTEXT_MAX_CHARS);
                format!("{goal}\n\nThis is already known; check it, do not repeat it.\n\n{known}")
            }
        }
    }
}

/// A round's report, as good as it is.
#[derive(Clone, Debug, PartialEq)]
struct RoundDraft {
    report: String,
    verified: bool,
    salvaged: bool,
    /// Pages that its round showed to the model by number.
    shown: Vec<String>,
    /// The report as it is shown, beside what it cites.
    checked: Option<Box<Report>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    plan: RoundsPlan,
    /// From 1; counts failed rounds too.
    round: u32,
    /// From 1, within the round.
    cycle: u32,
    best: Option<RoundDraft>,
    /// The draft of this round while its claims are checked.
    pending: Option<(RoundDraft, Gathering)>,
    current: Round,
    /// Pages that the current round showed to the model by number.
    shown: Vec<String>,
    rounds: Vec<Round>,
    problems: Vec<Problem>,
    model: Option<String>,
    /// The pages that the runs really read, whatever the model says of it: where its text may lead.
    read: Vec<String>,
    fallback: Option<Box<adaptive::Adaptive>>,
    /// Why another engine does it than the one the task was given to.
    switched: Option<String>,
}

impl Rounds {
    pub(crate) fn new(plan: RoundsPlan) -> Self {
        Self {
            plan,
            round: 0,
            cycle: 0,
            best: None,
            pending: None,
            current: Round::default(),
            shown: Vec::new(),
            rounds: Vec::new(),
            problems: Vec::new(),
            model: None,
            read: Vec::new(),
            fallback: None,
            switched: None,
        }
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        if let Some(fallback) = &mut self.fallback {
            return fallback.step(event);
        }
        match event {
            Event::Begin => self.next_round(),
            Event::Done(Effect::Ask(ask), outcome) => self.answered(&ask, outcome),
            Event::Done(Effect::Wait { .. }, _) => self.next_cycle(),
            Event::Done(Effect::GatherPages { .. } | Effect::JudgeReport { .. }, outcome) => self.checked(outcome),
            // The method asks for nothing else.
            Event::Done(..) | Event::Steer(_) => Vec::new(),
            Event::Cap(cap) => self.capped(cap.into()),
        }
    }

    fn next_round(&mut self) -> Vec<Effect> {
        self.round += 1;
        self.cycle = 0;
        self.current = Round { round_number: self.round, ..Round::default() };
        let mut effects = vec![self.progress()];
        if self.plan.kind == Kind::DeepSearch {
            effects.push(info(format!("Deep search round {}/{}...", self.round, self.plan.max_rounds)));
        }
        effects.extend(self.next_cycle());
        effects
    }

    fn next_cycle(&mut self) -> Vec<Effect> {
        self.cycle += 1;
        let example = json::example(self.plan.kind.shape());
        let query = self.plan.query.as_str();
        let prompt = match &self.best {
            // No draft yet, be it the first round or the one after a failed first: draft.
            None => prompt::fill(&self.plan.prompts.first, &[("query", query), ("example", example)]),
            Some(draft) => prompt::fill(
                &self.plan.prompts.verify,
                &[
                    ("query", query),
                    ("example", example),
                    ("previous_result", &self.previous(draft)),
                    ("round", &self.round.to_string()),
                    ("max_rounds", &self.plan.max_rounds.to_string()),
                ],
            ),
        };
        vec![self.ask(Role::Research, prompt, self.plan.model.clone(), None)]
    }

    fn ask(&self, role: Role, prompt: String, model: Option<String>, invalid_output: Option<String>) -> Effect {
        let (engine, round, cycle, native) = (self.plan.engine, self.round, self.cycle, self.plan.native.clone());
        let marks = self.plan.marks.clone();
        Effect::Ask(Ask { role, engine, prompt, model, invalid_output, round, cycle, native, marks })
    }

    fn answered(&mut self, ask: &Ask, outcome: Outcome) -> Vec<Effect> {
        let asked = match outcome {
            Outcome::Asked(asked) => asked,
            Outcome::Failed { error } if ask.role == Role::Correct => {
                let failed = warn(LogLevel::Error, format!("JSON correction failed: {}", error.message));
                return self.cycle_failed(error, vec![failed]);
            }
            Outcome::Failed { error } => return self.cycle_failed(error, Vec::new()),
            other => {
                let error = Error::new(Code::Internal, format!("a question ended as {other:?}"));
                return self.cycle_failed(error, Vec::new());
            }
        };
        self.note(&asked, ask.role);
        match json::extract(&asked.text, self.plan.kind.shape()) {
            Ok(answer) => self.taken(answer),
            Err(mismatch) if ask.role == Role::Research => vec![
                warn(
                    LogLevel::Warn,
                    format!("Round {}: the answer is not the JSON asked for ({mismatch}); correcting", self.round),
                ),
                self.correction(asked, &mismatch),
            ],
            Err(mismatch) => {
                let failed = warn(LogLevel::Error, format!("JSON correction failed: {mismatch}"));
                let error = Error::new(Code::ExecutionError, format!("JSON correction failed: {mismatch}"))
                    .hint("try again later, or set `GEMINI_MODEL` and `GEMINI_CORRECTION_MODEL` to stronger models");
                self.cycle_failed(error, vec![failed])
            }
        }
    }

    /// What a run really did, whatever it says about it.
    fn note(&mut self, asked: &AskReply, role: Role) {
        // A correction reads a file; the model of the answer is the one that did the research.
        if role == Role::Research && asked.model.is_some() {
            self.model.clone_from(&asked.model);
        }
        if role == Role::Research {
            // Earlier journals do not tell what was shown; what was read is the nearest.
            let untold = self.plan.native.is_some() && asked.shown.is_empty();
            self.shown.clone_from(if untold { &asked.sources } else { &asked.shown });
        }
        add(&mut self.read, &asked.sources);
        add(&mut self.current.sources_visited, &asked.sources);
        add(&mut self.current.search_queries, &asked.queries);
        let room = limits::PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(asked.problems.iter().take(room).cloned());
    }

    fn correction(&self, asked: AskReply, mismatch: &Mismatch) -> Effect {
        let values = [("example", json::example(self.plan.kind.shape())), ("misfit", &mismatch.to_string())];
        let prompt = prompt::fill(&self.plan.prompts.correction, &values);
        self.ask(Role::Correct, prompt, self.plan.correction_model.clone(), Some(asked.text))
    }

    fn taken(&mut self, answer: Answer) -> Vec<Effect> {
        add(&mut self.current.sources_visited, &answer.sources_visited);
        add(&mut self.current.search_queries, &answer.search_queries);
        if !answer.success {
            let why = answer.error.unwrap_or_else(|| "no reason given".into());
            let error = Error::new(Code::ExecutionError, format!("the model reports that it could not do it: {why}"))
                .hint("ask in another way, or try again later");
            return self.round_failed(error);
        }
        // Half a report is no reason to trust its own word for it.
        let draft = RoundDraft {
            verified: answer.verified == Some(true) && !answer.salvaged,
            report: answer.report,
            salvaged: answer.salvaged,
            shown: std::mem::take(&mut self.shown),
            checked: None,
        };
        self.current.intermediate_result_summary = summary(&draft.report);
        let verified = draft.verified;
        self.rounds.push(std::mem::take(&mut self.current));
        let mut effects = Vec::new();
        if self.plan.kind == Kind::DeepSearch {
            effects.push(info(format!("Round {} completed, verified: {verified}", self.round)));
        }
        effects.extend(self.settle_or_check(draft));
        effects
    }

    fn cycle_failed(&mut self, error: Error, mut effects: Vec<Effect>) -> Vec<Effect> {
        if !error.code.mendable() {
            effects.extend(self.engine_failed(error));
            return effects;
        }
        let wait = usize::try_from(self.cycle).ok().and_then(|cycle| limits::CYCLE_WAITS.get(cycle - 1));
        match wait {
            Some(wait) if self.cycle < limits::CYCLES => {
                let wait = error.retry_after.unwrap_or(*wait).min(limits::CYCLE_WAIT_MAX);
                let line =
                    format!("Round {}, cycle {} failed: {}; trying again", self.round, self.cycle, error.message);
                effects.push(warn(LogLevel::Warn, line));
                effects.push(Effect::Wait { ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX) });
            }
            // Refused again and again: another engine may be let in.
            _ if error.code == Code::QuotaExceeded && self.plan.api_model.is_some() => {
                effects.extend(self.engine_failed(error));
            }
            _ => {
                let message = format!(
                    "all retry and correction attempts of round {} were exhausted ({} cycles); the last error: {}",
                    self.round, self.cycle, error.message
                );
                // Nobody was asked at all: that is worth its own code.
                let code = Some(error.code).filter(|code| *code == Code::ProviderUnreachable);
                let code = code.unwrap_or(Code::ExecutionError);
                effects.extend(self.round_failed(Error { code, message, ..error }));
            }
        }
        effects
    }

    /// A round that failed is listed, and the next one goes on from what there is.
    fn round_failed(&mut self, error: Error) -> Vec<Effect> {
        let mut effects = vec![warn(LogLevel::Error, format!("Round {} failed: {}", self.round, error.message))];
        self.current.error = Some(error.clone());
        self.rounds.push(std::mem::take(&mut self.current));
        let nothing = self.plan.max_rounds <= self.round && self.best.is_none();
        // Weak models are no reason to return nothing: what was found can be quoted.
        let hopeless = self.plan.native.is_some() && self.best.is_none();
        effects.extend(match error.code {
            _ if hopeless => self.give_way(error),
            _ if !nothing => self.go_on(false),
            Code::ProviderUnreachable => self.give_way(error),
            _ => vec![finish(Ending::Failed { error, partial: None })],
        });
        effects
    }

    /// The engine itself does not work: no round of it will.
    fn engine_failed(&mut self, error: Error) -> Vec<Effect> {
        if let Some(model) = self.plan.api_model.take() {
            return self.switch(model, error);
        }
        self.current.error = Some(error.clone());
        self.rounds.push(std::mem::take(&mut self.current));
        if self.best.is_some() {
            let line = warn(LogLevel::Error, format!("Round {} failed for good: {}", self.round, error.message));
            let mut effects = vec![line];
            effects.extend(self.end(StopReason::EngineFailed));
            return effects;
        }
        self.give_way(error)
    }

    /// Goes on with the Gemini API where Gemini CLI gave up. The round is done again; what failed in it is a problem.
    fn switch(&mut self, model: String, error: Error) -> Vec<Effect> {
        let reason = format!("gemini-cli failed ({}); going on with gemini-api", error.code);
        self.plan.engine = EngineName::GeminiApi;
        self.plan.correction_model = Some(model.clone());
        self.plan.model = Some(model);
        self.switched = Some(reason.clone());
        self.problems.push(Problem { subject: EngineName::GeminiCli.name().into(), error });
        self.round = self.round.saturating_sub(1);
        let mut effects = vec![warn(LogLevel::Warn, reason)];
        effects.extend(self.next_round());
        effects
    }

    /// There is nothing, and there will be nothing: local documents, if there are any, are better.
    fn give_way(&mut self, error: Error) -> Vec<Effect> {
        let Some(plan) = self.plan.fallback.clone() else {
            return vec![finish(Ending::Failed { error, partial: None })];
        };
        let failed = self.plan.engine.name();
        let way = if plan.web.is_some() { "one adaptive search" } else { "local documents" };
        let mut effects = vec![warn(LogLevel::Warn, format!("{failed} failed ({}); going on with {way}", error.code))];
        let mut fallback = adaptive::Adaptive::new(plan);
        let earlier = self.problems.iter().find(|problem| problem.subject == EngineName::GeminiCli.name());
        earlier.cloned().into_iter().for_each(|problem| fallback.fell_back(problem));
        fallback.fell_back(Problem { subject: failed.into(), error });
        effects.extend(fallback.step(Event::Begin));
        self.fallback = Some(Box::new(fallback));
        effects
    }

    fn go_on(&mut self, verified: bool) -> Vec<Effect> {
        if verified {
            self.end(StopReason::Verified)
        } else if self.round < self.plan.max_rounds {
            self.next_round()
        } else if self.plan.max_rounds == 1 {
            self.end(StopReason::Answered)
        } else {
            self.end(StopReason::MaxRounds)
        }
    }

    fn end(&self, reason: StopReason) -> Vec<Effect> {
        let Some(report) = self.report(reason) else {
            let error = Error::new(Code::ExecutionError, "no round brought a result");
            return vec![finish(Ending::Failed { error, partial: None })];
        };
        let mut effects = Vec::new();
        if self.plan.kind == Kind::DeepSearch {
            let line = format!("Deep search completed: {} rounds, verified: {}", self.rounds.len(), report.verified);
            effects.push(info(line));
        }
        effects.push(finish(Ending::Completed { report }));
        effects
    }

    fn capped(&self, reason: StopReason) -> Vec<Effect> {
        if self.best.is_some() || self.pending.is_some() {
            return self.end(reason);
        }
        let error = Error::new(Code::ExecutionError, "the budget ended before a round was done")
            .hint("raise the budget, or use `search`");
        vec![finish(Ending::Failed { error, partial: None })]
    }

    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        match &self.fallback {
            Some(fallback) => fallback.partial(reason),
            None => self.report(reason),
        }
    }

    fn progress(&self) -> Effect {
        let percent = u8::try_from((self.round - 1) * 100 / self.plan.max_rounds.max(1)).ok();
        let action = match (self.plan.kind, &self.best) {
            (Kind::DeepSearch, Some(_)) => format!("round {} of {}: verifying", self.round, self.plan.max_rounds),
            (Kind::DeepSearch, None) => format!("round {} of {}: drafting", self.round, self.plan.max_rounds),
            (Kind::Search | Kind::Research, _) => "searching".into(),
        };
        // Rounds may end early: what is known is how many are behind us, not how many come.
        Effect::Progress(Progress::new(percent.filter(|_| self.plan.max_rounds > 1), action))
    }
}

fn finish(ending: Ending) -> Effect {
    Effect::Finish(Box::new(ending))
}

fn info(line: String) -> Effect {
    Effect::Log { level: LogLevel::Info, line }
}

fn warn(level: LogLevel, line: String) -> Effect {
    Effect::Log { level, line }
}

#[cfg(test)]
#[path = "rounds_tests.rs"]
mod tests;
