//! A report whose texts only show: what a model, a page or a server wrote into it does nothing where it is read.

use super::{Report, Round};
use crate::core::base::error::{Error, Problem};
use crate::core::base::plain::visible;
use crate::core::evidence::checked::{Evidence, SourceState};
use crate::core::text::neutral::{KnownAddresses, neutral};

impl Report {
    /// The same with texts that only show. A report that has been through is not changed by another time; one that an earlier version
    /// stored may not have been.
    pub(crate) fn neutral(mut self) -> Self {
        let cited = self.sources.iter().filter(|source| !source.claimed).map(|source| source.location.as_str());
        let visited = self.rounds.iter().flat_map(|round| &round.sources_visited).map(String::as_str);
        let known = KnownAddresses::new(cited.chain(visited));
        self.markdown = neutral(&self.markdown, &known);
        for source in &mut self.sources {
            clean(&mut source.title);
            // The name of a file is what opens it; it is made neutral where it is shown.
            let is_file = !source.claimed && source.page.is_some() && source.location.starts_with('/');
            if !is_file {
                clean(&mut source.location);
            }
        }
        self.claims.iter_mut().for_each(|claim| clean(&mut claim.text));
        self.evidence.iter_mut().for_each(|evidence| clean_evidence(evidence));
        self.rounds.iter_mut().for_each(clean_round);
        for Problem { subject, error } in &mut self.problems {
            clean(subject);
            clean_error(error);
        }
        self.note.iter_mut().for_each(clean);
        self.model.iter_mut().for_each(clean);
        if let Some(explain) = &mut self.explain {
            explain.attempts.iter_mut().for_each(|attempt| clean(&mut attempt.query));
        }
        self
    }
}

/// An error whose words only show.
pub(crate) fn neutral_error(mut error: Error) -> Error {
    clean_error(&mut error);
    error
}

fn clean_evidence(evidence: &mut Evidence) {
    for claim in &mut evidence.claims {
        clean(&mut claim.text);
        claim.cited.iter_mut().filter_map(|cited| cited.reason.as_mut()).for_each(clean);
        if let Some(differs) = &mut claim.differs {
            clean(&mut differs.said);
            clean(&mut differs.figure);
        }
    }
    for source in &mut evidence.sources {
        let texts = [&mut source.label, &mut source.address, &mut source.final_address, &mut source.title];
        texts.into_iter().flatten().for_each(clean);
        if let SourceState::Unreachable { detail, .. } = &mut source.state {
            clean(detail);
        }
    }
}

fn clean_round(round: &mut Round) {
    round.sources_visited.iter_mut().chain(&mut round.search_queries).for_each(clean);
    clean(&mut round.intermediate_result_summary);
    round.error.iter_mut().for_each(clean_error);
}

fn clean_error(error: &mut Error) {
    clean(&mut error.message);
    error.hints.iter_mut().for_each(clean);
}

fn clean(text: &mut String) {
    if !text.is_ascii() || text.bytes().any(|byte| byte.is_ascii_control()) {
        *text = visible(text);
    }
}
