//! The report that rounds end with.

use super::text::add;
use super::{Kind, RoundDraft, Rounds};
use crate::core::base::engine::EngineChoice;
use crate::core::method::arguments::{self, Way};
use crate::core::report::sources::{self, Known};
use crate::core::report::{Report, Source, StopReason};
use crate::core::text::neutral::{KnownAddresses, neutral};

impl Rounds {
    /// The report of the best round, or of the one that is being checked.
    pub(super) fn report(&self, reason: StopReason) -> Option<Report> {
        let pending = self.pending.as_ref().map(|(draft, _)| draft);
        let newer = pending.filter(|draft| self.best.as_ref().is_none_or(|best| best.salvaged || !draft.salvaged));
        let draft = newer.or(self.best.as_ref())?;
        let report = self.report_of(draft, reason);
        Some(match &draft.checked {
            // Its claims have their places in the text as it was checked, and its numbers mean what they meant then.
            Some(checked) => Report {
                markdown: checked.markdown.clone(),
                sources: checked.sources.clone(),
                evidence: checked.evidence.clone(),
                ..report
            },
            None => report,
        })
    }

    /// The report of one draft.
    pub(super) fn report_of(&self, draft: &RoundDraft, reason: StopReason) -> Report {
        let known = KnownAddresses::new(self.read.iter().map(String::as_str));
        let mut said = Vec::new();
        for round in &self.rounds {
            add(&mut said, &round.sources_visited);
        }
        let sources = sources::bind(&draft.report, &Known { visited: &self.read, shown: &draft.shown, said: &said });
        let note = self.note_text(reason, draft, &sources);
        Report {
            ignored_arguments: arguments::ignored(&self.plan.given, Way::Rounds(self.plan.engine)),
            sources,
            rounds: self.rounds.clone(),
            problems: self.problems.clone(),
            verified: draft.verified,
            partial: reason.is_stop() || draft.salvaged,
            model: Some(self.model_name()),
            engine: self.switched.clone().map(|reason| EngineChoice { name: self.plan.engine, reason }),
            note,
            ..Report::new(neutral(&draft.report, &known), reason)
        }
    }

    /// MM-01: the configured model, else the detected one, else a placeholder.
    fn model_name(&self) -> String {
        let known = self.plan.model.clone().or_else(|| self.model.clone());
        known.unwrap_or_else(|| "auto-detected".into())
    }

    fn note_text(&self, reason: StopReason, draft: &RoundDraft, sources: &[Source]) -> Option<String> {
        let mut notes = Vec::new();
        if self.plan.kind == Kind::DeepSearch && !draft.verified {
            notes.push(format!(
                "Verification was not completed: {} of at most {} rounds ended without it ({}).",
                self.rounds.len(),
                self.plan.max_rounds,
                reason.name()
            ));
        }
        if draft.salvaged {
            notes.push("The model's output broke off; the report ends where it did.".into());
        }
        notes.extend(sources::note_on_claimed(&sources::in_text(&draft.report, sources)));
        (!notes.is_empty()).then(|| notes.join(" "))
    }
}
