//! How a research call ends, and the report it ends with.

use super::Adaptive;
use crate::core::base::limits;
use crate::core::method::strategy;
use crate::core::report::explain::{Explain, ScoredAttempt};
use crate::core::report::quotes::{self, Quote, QuoteInput, Written};
use crate::core::report::{Report, StopReason};
use crate::core::task::Ending;
use crate::core::task::effect::Effect;

impl Adaptive {
    /// Ends a call that did all it could. With nothing to show because something broke or could not be read, that is the answer; with
    /// nothing to show because there is nothing, the report says so.
    pub(super) fn conclude(&mut self, reason: StopReason) -> Effect {
        match self.write(reason) {
            Some(effect) => effect,
            None => self.end(reason),
        }
    }

    /// The same without a writer.
    fn end(&self, reason: StopReason) -> Effect {
        // AS-09: a search of the web that failed is told in the report and never fails the call.
        if self.plan.web.is_some() {
            return self.stopped(reason);
        }
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
        let quotes: Vec<Quote<'_>> = self
            .evidence
            .kept()
            .iter()
            .take(limits::REPORT_PASSAGES)
            .map(|finding| Quote {
                passage: &finding.passage,
                found_by: finding.found_by.as_deref(),
                copies: &finding.copies,
            })
            .collect();
        let reason = if quotes.is_empty() && !reason.is_stop() { StopReason::NothingFound } else { reason };
        let lead = self.lead(reason, quotes.is_empty());
        let draft =
            QuoteInput { goal: &self.plan.goal, lead, quotes, missing: self.missing(), problems: &self.problems };
        let note = (!draft.lead.is_empty()).then(|| draft.lead.clone());
        let mut report = self.fill(quotes::write(&draft), reason);
        report.note = note;
        report
    }

    /// Words of the goal that stand in nothing that was found.
    fn missing(&self) -> Vec<&str> {
        let terms = self.goal.iter().flat_map(|goal| goal.terms()).enumerate();
        terms.filter(|(at, _)| !self.seen.contains(at)).map(|(_, term)| term.word.as_str()).collect()
    }

    /// What is to be said first.
    fn lead(&self, reason: StopReason, empty: bool) -> String {
        let place = match self.documents {
            Some(pages) if self.plan.web.is_some() => format!("the {pages} pages of the web that could be read"),
            None if self.plan.web.is_some() => "the web: no page could be found and read".to_owned(),
            Some(0) => "the library, which holds no documents".to_owned(),
            Some(1) => "1 document".to_owned(),
            Some(documents) => format!("{documents} documents"),
            None => "the library".to_owned(),
        };
        let early = match reason {
            StopReason::BudgetCost => "Stopped early: the cost budget was reached.",
            StopReason::BudgetTokens => "Stopped early: the token budget was reached.",
            StopReason::BudgetTime => "Stopped early: the time budget was reached.",
            StopReason::Cancelled => "Stopped early: the task was cancelled.",
            _ => "",
        };
        // What could not be looked for is not what is not there.
        let deaf =
            self.plan.web.is_some() && !self.rounds.is_empty() && self.rounds.iter().all(|round| round.error.is_some());
        let wordless = self.goal.as_ref().is_some_and(|goal| goal.terms().is_empty());
        let found = match (empty, early.is_empty()) {
            (false, _) => String::new(),
            (true, false) => "Nothing citable had been found by then.".to_owned(),
            (true, true) if deaf => {
                "The web could not be searched: every search failed, as the problems say.".to_owned()
            }
            (true, true) if wordless => "The question has no word that could be looked up.".to_owned(),
            (true, true) => format!("Nothing relevant was found in {place}."),
        };
        [early, &found].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Why the call did what it did.
    fn explain(&self, reason: StopReason) -> Explain {
        let scored = |attempt: u32| self.scores.iter().find(|(of, _)| *of == attempt).map(|(_, score)| *score);
        let attempts = (1..).zip(&self.queries).map(|(attempt, query)| ScoredAttempt {
            query: query.chars().take(limits::LABEL_CHARS).collect(),
            score: scored(attempt),
        });
        Explain { strategy: self.strategy, attempts: attempts.collect(), stopped: reason.in_words().to_owned() }
    }

    pub(super) fn fill(&self, written: Written, reason: StopReason) -> Report {
        Report {
            sources: written.sources,
            claims: written.claims,
            rounds: self.rounds.clone(),
            problems: self.problems.clone(),
            engine: self.instead.clone(),
            strategy: Some(self.strategy.level.name().to_owned()),
            explain: Some(self.explain(reason)),
            ..Report::new(written.markdown, reason)
        }
    }
}
