//! Each draft of a deep search beside the pages it cites: which round is the best, and what the next one is told.

use std::borrow::Cow;

use super::{Kind, RoundDraft, Rounds};
use crate::core::base::engine::EvidenceMode;
use crate::core::base::limits;
use crate::core::evidence::checked::{CheckedClaim, Evidence};
use crate::core::evidence::claim::Verdict;
use crate::core::method::at_end::bounds;
use crate::core::method::check::gathering::{Gathered, Gathering};
use crate::core::report::{Source, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;

/// Claims that a round is told of: those that are not borne out, and those that cite nothing.
const UNSUPPORTED_TOLD: usize = 20;
const UNCITED_TOLD: usize = 10;

impl Rounds {
    /// Takes a draft as it is, or has its claims checked first.
    pub(super) fn settle_or_check(&mut self, draft: RoundDraft) -> Vec<Effect> {
        let checks = self.plan.kind == Kind::DeepSearch && self.plan.evidence == EvidenceMode::Auto;
        if !checks || draft.salvaged {
            return self.settle(draft);
        }
        let report = self.report_of(&draft, StopReason::Answered).neutral();
        let known: Vec<_> = report.sources.iter().map(Source::to_check).collect();
        let (gathering, effects) = Gathering::begin(report.markdown.clone(), &known, &bounds(None));
        self.pending = Some((RoundDraft { checked: Some(Box::new(report)), ..draft }, gathering));
        effects
    }

    /// Takes the end of an effect of the check.
    pub(super) fn checked(&mut self, outcome: Outcome) -> Vec<Effect> {
        let Some((draft, gathering)) = &mut self.pending else { return Vec::new() };
        let evidence = match gathering.take(outcome) {
            Gathered::More(effects) => return effects,
            Gathered::Done(evidence) => Some(*evidence),
            // Without it the round counts as it did before.
            Gathered::Failed(_) => None,
        };
        let checked = draft.checked.take().zip(evidence).map(|(report, evidence)| report.with_evidence(evidence));
        let draft = RoundDraft { checked: checked.map(Box::new), ..draft.clone() };
        self.pending = None;
        self.settle(draft)
    }

    /// Keeps the better of two drafts and goes on.
    fn settle(&mut self, draft: RoundDraft) -> Vec<Effect> {
        let verified = draft.verified;
        if self.best.as_ref().is_none_or(|best| is_better(&draft, best)) {
            self.best = Some(draft);
        }
        self.go_on(verified)
    }

    /// The draft for the next round, with what the check found in it. Both are data between marks.
    pub(super) fn previous(&self, draft: &RoundDraft) -> String {
        let fenced = self.plan.marks.fence("DRAFT", &draft.report, limits::DRAFT_CHARS);
        let evidence = draft.checked.as_ref().and_then(|report| report.evidence.as_deref());
        let Some(found) = evidence.and_then(findings) else { return fenced };
        let found = self.plan.marks.fence("FINDINGS", &found, limits::FINDINGS_CHARS);
        format!(
            "{fenced}\n\nThe pages that the draft cites were read and compared with it. Correct, support or remove each of these claims.\n\n{found}"
        )
    }
}

/// What is wrong in a draft, a line each; none if nothing is.
fn findings(evidence: &Evidence) -> Option<String> {
    let of = |verdict: Verdict| evidence.claims.iter().filter(move |claim| claim.verdict == verdict);
    let cites =
        |claim: &CheckedClaim| -> String { claim.cited.iter().map(|cited| format!("[{}]", cited.source)).collect() };
    let unsupported = of(Verdict::Unsupported).take(UNSUPPORTED_TOLD).map(|claim| {
        let why = claim.reason().unwrap_or(Cow::Borrowed("its words are not there"));
        format!("- not found in {}: {} ({why})", cites(claim), claim.text)
    });
    let uncited = of(Verdict::Uncited).take(UNCITED_TOLD).map(|claim| format!("- cites nothing: {}", claim.text));
    let lines: Vec<String> = unsupported.chain(uncited).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whether a newer draft takes the place of the best one: half a report never does that of a whole one, and of two that were checked the
/// better ledger counts, unless a round stands by its own.
fn is_better(draft: &RoundDraft, best: &RoundDraft) -> bool {
    if draft.salvaged != best.salvaged {
        return best.salvaged;
    }
    match (balance(draft), balance(best)) {
        (Some(new), Some(old)) => draft.verified || new >= old,
        (Some(_) | None, _) => true,
    }
}

/// The share of the claims that are supported, less the share that are not.
fn balance(draft: &RoundDraft) -> Option<f64> {
    let counts = draft.checked.as_ref()?.evidence.as_ref()?.counts();
    let number = |count: usize| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
    (counts.claims() > 0).then(|| (number(counts.supported) - number(counts.unsupported)) / number(counts.claims()))
}
