//! How a research call ends, and the report it ends with.

use super::{Adaptive, AdaptivePlan};
use crate::core::base::counts::counted;
use crate::core::base::engine::EngineName;
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::method::arguments::{self, Way};
use crate::core::method::quality::GoalTerm;
use crate::core::method::strategy::{self, Length};
use crate::core::report::answer::{AskedQuestion, AskedWord};
use crate::core::report::explain::{Explain, Level, ScoredAttempt};
use crate::core::report::passages;
use crate::core::report::quotes::{self, Extent, Quote, QuoteInput, Written};
use crate::core::report::{Report, StopReason};
use crate::core::task::Ending;
use crate::core::task::effect::{Effect, LogLevel};
use crate::core::task::outcome::Event;
use crate::core::web::search::Provider;

impl Adaptive {
    /// Ends a call that did all it could. With nothing to show because something broke or could not be read, that is the answer; with
    /// nothing to show because there is nothing, the report says so.
    pub(super) fn conclude(&mut self, reason: StopReason) -> Vec<Effect> {
        if let Some(effect) = self.write(reason) {
            return vec![effect];
        }
        if self.plan.web.is_none() {
            return vec![self.end_of_library(reason)];
        }
        // AS-09: a search that failed is told in the report and skipped, as long as another one was answered.
        if self.evidence.kept().is_empty() && self.never_answered() {
            return self.unanswered();
        }
        vec![self.stopped(reason)]
    }

    /// Whether the web was to be searched and no provider answered any of the searches.
    fn never_answered(&self) -> bool {
        self.plan.web.is_some() && self.rounds.iter().all(|round| round.error.is_some())
    }

    /// Ends a call that could not look at all, or goes on with what comes after it.
    fn unanswered(&mut self) -> Vec<Effect> {
        let last = self.rounds.last().and_then(|round| round.error.as_ref());
        let error = search_failed(&self.problems.listed, last);
        if let Some(next) = self.plan.next.take() {
            return self.go_on_with(*next, error);
        }
        let report = self.report(StopReason::SearchFailed);
        vec![Effect::Finish(Box::new(Ending::Failed { error, partial: Some(report) }))]
    }

    /// Starts the plan that comes after this one. What failed so far stays in the rounds and problems of the report.
    fn go_on_with(&mut self, next: AdaptivePlan, error: Error) -> Vec<Effect> {
        let failed = if self.plan.writer.is_some() { EngineName::Native } else { EngineName::Extractive };
        let mut following = Self::new(next);
        following.rounds = std::mem::take(&mut self.rounds);
        following.problems = std::mem::take(&mut self.problems);
        following.instead = self.instead.take();
        let line = format!("{} failed ({}); going on with local documents", failed.name(), error.code);
        following.fell_back(Problem { subject: failed.name().to_owned(), error });
        *self = following;
        let mut effects = vec![Effect::Log { level: LogLevel::Warn, line }];
        effects.extend(self.step(Event::Begin));
        effects
    }

    /// The end of a call that read local documents.
    fn end_of_library(&self, reason: StopReason) -> Effect {
        let searched = self.rounds.iter().any(|round| round.error.is_none());
        let broken = if !self.evidence.kept().is_empty() {
            None
        } else if !searched {
            self.trouble.search.as_ref()
        } else if !self.seen.is_empty() {
            self.trouble.archive.as_ref()
        } else {
            self.trouble.refresh.as_ref()
        };
        Effect::Finish(Box::new(match broken {
            Some(error) => Ending::Failed { error: error.clone(), partial: None },
            None => Ending::Completed { report: self.report(reason) },
        }))
    }

    /// Ends a call that was stopped by a cap, at once.
    pub(super) fn stopped(&self, reason: StopReason) -> Effect {
        Effect::Finish(Box::new(Ending::Completed { report: self.report(reason) }))
    }

    pub(super) fn answered_by_context(&self) -> Effect {
        let context = self.plan.context.as_deref().unwrap_or_default();
        let sentences = strategy::answers(context, &self.plan.goal).unwrap_or_default();
        let markdown = quotes::from_context(&self.plan.goal, &sentences);
        let written = Written { markdown, ..Written::default() };
        let mut report = self.fill(written, StopReason::AnsweredByContext);
        report.note = Some("the context given with the question answers it; nothing was searched".into());
        Effect::Finish(Box::new(Ending::Completed { report }))
    }

    /// The report on what there is now.
    pub(super) fn report(&self, reason: StopReason) -> Report {
        let kept = self.evidence.best(&self.room());
        let clear_share = self
            .goal
            .as_ref()
            .zip(kept.first())
            .map_or(0.0, |(goal, first)| goal.clear_share(&first.held, &self.seen, &first.passage.text));
        let quotes: Vec<Quote<'_>> = kept
            .into_iter()
            .map(|finding| Quote {
                passage: &finding.passage,
                found_by: finding.found_by.as_deref(),
                copies: &finding.copies,
            })
            .collect();
        let reason = if quotes.is_empty() && !reason.is_stop() { StopReason::NothingFound } else { reason };
        let lead = self.lead(reason, quotes.is_empty());
        let extent = match (self.plan.length, self.strategy.level) {
            (Some(Length::Long), _) => Extent::Full,
            (Some(Length::Normal) | None, Level::Deep) => Extent::Documents,
            (Some(Length::Brief), _) | (_, Level::None | Level::Shallow | Level::Medium) => Extent::Brief,
        };
        let draft = QuoteInput {
            goal: &self.plan.goal,
            sought: self.plan.sought(),
            asked: &self.asked(),
            lead,
            quotes,
            extent,
            clear_share,
            missing: self.missing(),
            other_words: self.other_words(),
            problems: &self.problems,
        };
        let note = (!draft.lead.is_empty()).then(|| draft.lead.clone());
        let written = if self.plan.answer_first { quotes::write(&draft) } else { passages::write(&draft) };
        let doubt = written.doubt.clone();
        let mut report = self.fill(written, reason);
        let told = self.plan.web.as_ref().and_then(super::Web::told);
        report.note = [note, doubt, told].into_iter().flatten().reduce(|note, told| format!("{note} {told}"));
        report
    }

    /// The question, as its answer is looked for in passages.
    fn asked(&self) -> AskedQuestion {
        let terms = self.goal.iter().flat_map(|goal| goal.terms());
        let word = |term: &GoalTerm| AskedWord {
            stem: term.text.clone(),
            word: term.word.clone(),
            weight: term.weight,
            forms: term.forms.clone(),
        };
        AskedQuestion::new(self.goal_text(), terms.map(word).collect())
    }

    /// Words of the goal that stand in nothing that was found.
    fn missing(&self) -> Vec<&str> {
        self.goal.iter().flat_map(|goal| goal.missing(&self.seen)).map(|term| term.word.as_str()).collect()
    }

    /// What is to be said first.
    fn lead(&self, reason: StopReason, empty: bool) -> String {
        let place = match self.documents {
            Some(pages) if self.plan.web.is_some() => format!("the {pages} pages of the web that could be read"),
            None if self.plan.web.is_some() => "the web: no page could be found and read".to_owned(),
            Some(0) => "the library, which holds no documents".to_owned(),
            Some(documents) => counted(documents, "document", "documents"),
            None => "the library".to_owned(),
        };
        let early = match reason {
            StopReason::BudgetCost => "Stopped early: the cost budget was reached.",
            StopReason::BudgetTokens => "Stopped early: the token budget was reached.",
            StopReason::BudgetTime => "Stopped early: the time budget was reached.",
            StopReason::Cancelled => "Stopped early: the task was cancelled.",
            _ => "",
        };
        let unanswered = !self.rounds.is_empty() && self.never_answered();
        let wordless = self.goal.as_ref().is_some_and(|goal| goal.terms().is_empty());
        let found = match (empty, early.is_empty()) {
            (false, _) if self.is_far_off() => {
                "No passage holds much of the question; these are the nearest ones.".to_owned()
            }
            (false, _) => String::new(),
            (true, false) => "Nothing citable had been found by then.".to_owned(),
            (true, true) if unanswered => {
                "The web could not be searched: every search failed, as the problems say.".to_owned()
            }
            (true, true) if wordless => "The question has no word that could be looked up.".to_owned(),
            (true, true) => {
                let skipped = Some(self.skipped.to_string()).filter(|_| !self.skipped.is_empty());
                let unread = (self.unread > 0).then(|| format!("{} could not be read", self.unread));
                let said = [Some(format!("Nothing relevant was found in {place}")), skipped, unread];
                said.into_iter().flatten().collect::<Vec<_>>().join("; ") + "."
            }
        };
        let respelled = self.respelled_words();
        [early, &respelled, &found].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Whether nothing that is kept would count as being about the goal if no field were asked for.
    fn is_far_off(&self) -> bool {
        let Some(goal) = &self.goal else { return false };
        self.room().is_broad && !self.evidence.kept().iter().any(|kept| goal.is_met_by(&kept.held, goal.gate()))
    }

    /// Why the call did what it did.
    fn explain(&self, reason: StopReason, answer_share: Option<f32>) -> Explain {
        let scored = |attempt: u32| self.scores.iter().find(|(of, _)| *of == attempt).map(|(_, score)| *score);
        let attempts = (1..).zip(&self.queries).map(|(attempt, query)| ScoredAttempt {
            query: query.chars().take(limits::LABEL_CHARS).collect(),
            score: scored(attempt),
        });
        Explain {
            strategy: self.strategy,
            attempts: attempts.collect(),
            answer_share,
            stopped: reason.in_words().to_owned(),
        }
    }

    pub(super) fn fill(&self, written: Written, reason: StopReason) -> Report {
        let way = match (reason, &self.plan.web) {
            (StopReason::AnsweredByContext, _) => Way::Context,
            (_, Some(_)) => Way::Web,
            (_, None) => Way::Library,
        };
        Report {
            ignored_arguments: arguments::ignored(&self.plan.given, way),
            sources: written.sources,
            claims: written.claims,
            rounds: self.rounds.clone(),
            problems: self.problems.listed.clone(),
            problems_beyond: self.problems.beyond,
            engine: self.instead.clone(),
            strategy: Some(self.strategy.level.name().to_owned()),
            explain: Some(self.explain(reason, written.answer_share)),
            evidence: None,
            ..Report::new(written.markdown, reason)
        }
    }
}

/// What is told of searches that nobody answered: each provider with its code, and what can be done about the first.
pub(crate) fn search_failed(problems: &[Problem], last: Option<&Error>) -> Error {
    let failed = problems.iter().filter(|problem| Provider::parse(&problem.subject).is_some());
    let mut named: Vec<String> = Vec::new();
    for problem in failed.clone() {
        let named_so = format!("{}: {}", problem.subject, problem.error.code);
        if !named.contains(&named_so) {
            named.push(named_so);
        }
    }
    let why =
        if named.is_empty() { last.map(|error| error.message.clone()).unwrap_or_default() } else { named.join(", ") };
    let retry_after = failed.clone().filter_map(|problem| problem.error.retry_after).min();
    let error = Error::new(Code::SearchFailed, format!("the web could not be searched; no provider answered ({why})"));
    let hints = failed.flat_map(|problem| &problem.error.hints).take(1).cloned();
    let error = hints.fold(error, Error::hint);
    let error = error.hint("try again later, or set up another search provider in `search.providers`");
    Error { retry_after, ..error }
}
