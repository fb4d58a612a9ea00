//! What a chat model does in a research call: it proposes the next query, and it writes the report.
//!
//! Both can be done without. A model that fails, is cut off by the budget, or writes what its sources do not bear out leaves a report
//! made of quotes, which says so. What a model writes is never trusted further than the ledger goes.

use serde::{Deserialize, Serialize};

use super::{Adaptive, Phase, numbering};
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::ledger::{self, CitedClaim};
use crate::core::evidence::passage::NumberedPage;
use crate::core::evidence::reading::{Listed, own_list, without_own_list};
use crate::core::language::words::words;
use crate::core::model::chat::{Chat, Purpose};
use crate::core::model::prompt;
use crate::core::model::said::said;
use crate::core::model::shown::{SYSTEM, ShownPage, fenced, shown};
use crate::core::money::usage::Usage;
use crate::core::report::explain::Level;
use crate::core::report::quotes::Written;
use crate::core::report::sources::note_on_claimed;
use crate::core::report::{Source, StopReason};
use crate::core::task::Ending;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::text::neutral::{KnownAddresses, neutral};

/// Who writes, and what is asked; fixed when the task starts, so that a resumed task asks what it would have asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Writer {
    /// Models, the best first; see [`Chat::models`].
    pub(crate) models: Vec<String>,
    /// The templates.
    pub(crate) answer: String,
    pub(crate) queries: String,
}

/// A report that a model wrote, before it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenDraft {
    markdown: String,
    /// The model's own list of sources, which the text no longer has.
    listed: Vec<Listed>,
    model: String,
    cut: bool,
}

impl Adaptive {
    /// A question to the model: what to look for next. `None` where there is no model, or nothing to show it.
    pub(super) fn plan_next(&mut self, good: bool) -> Option<Vec<Effect>> {
        let writer = self.plan.writer.as_ref()?;
        let shown = self.shown();
        if shown.is_empty() || self.strategy.level < Level::Medium {
            return None;
        }
        let asked: Vec<String> = self.queries.iter().map(|query| format!("- {query}")).collect();
        let values = [
            ("query", self.plan.goal.as_str()),
            ("sources", &fenced(&shown, &self.plan.marks)),
            ("asked", &asked.join("\n")),
        ];
        let chat = Chat {
            purpose: Purpose::Queries,
            models: writer.models.clone(),
            system: SYSTEM.to_owned(),
            prompt: prompt::fill(&writer.queries, &values),
            max_tokens: limits::QUERIES_TOKENS,
        };
        self.phase = Phase::Planning { good };
        let progress = self.progress(1, "judging what is missing");
        Some(vec![progress, Effect::Chat(chat)])
    }

    /// Goes on with what the model proposed. A model that proposes nothing usable leaves it to the rule.
    pub(super) fn planned(&mut self, good: bool, outcome: Outcome) -> Vec<Effect> {
        let proposed = match outcome {
            Outcome::Chatted(reply) => {
                self.add_problems(reply.problems);
                proposed(&reply.text, &self.queries)
            }
            other => {
                self.failed("the next query", other);
                Proposed::Nothing
            }
        };
        match (proposed, good) {
            (Proposed::Query(query), _) => self.search(query),
            (Proposed::Done, _) | (Proposed::Nothing, true) => self.conclude(StopReason::GoodEnough),
            (Proposed::Nothing, false) => self.follow_rule(),
        }
    }

    /// The question for the report, when there is a writer and something to write from.
    pub(super) fn write(&mut self, reason: StopReason) -> Option<Effect> {
        let writer = self.plan.writer.as_ref()?;
        let shown = self.shown();
        if shown.is_empty() {
            return None;
        }
        let values = [("query", self.plan.goal.as_str()), ("sources", &fenced(&shown, &self.plan.marks))];
        let chat = Chat {
            purpose: Purpose::Answer,
            models: writer.models.clone(),
            system: SYSTEM.to_owned(),
            prompt: prompt::fill(&writer.answer, &values),
            max_tokens: limits::ANSWER_TOKENS,
        };
        self.phase = Phase::Writing(reason);
        Some(Effect::Chat(chat))
    }

    /// What the report is expected to use, with as many sources as a prompt has room for. Nothing once it is asked for, or where
    /// nobody writes.
    pub(crate) fn reserve(&self) -> Usage {
        let waits = !matches!(self.phase, Phase::Writing(_) | Phase::Checking(..));
        let Some(writer) = self.plan.writer.as_ref().filter(|_| waits) else { return Usage::ZERO };
        let prompt = [writer.answer.as_str(), &self.plan.goal].concat();
        let chat = Chat {
            purpose: Purpose::Answer,
            models: writer.models.clone(),
            system: SYSTEM.to_owned(),
            prompt,
            max_tokens: limits::ANSWER_TOKENS,
        };
        chat.expected_with(limits::PROMPT_SOURCES_CHARS)
    }

    /// Takes the model's report, and has its claims looked up.
    pub(super) fn written(&mut self, reason: StopReason, outcome: Outcome) -> Effect {
        let reply = match outcome {
            Outcome::Chatted(reply) => reply,
            other => {
                let error = self.failed("the report", other);
                return self
                    .quoted(reason, &format!("No model wrote this report: {}.", error.message.trim_end_matches('.')));
            }
        };
        self.add_problems(reply.problems);
        let shown = self.shown();
        let known = KnownAddresses::new(shown.iter().map(|page| page.location.as_str()));
        let (markdown, listed) = tidy(&reply.text);
        // Before the claims are read from it, so that they fit what is shown.
        let markdown = neutral(&markdown, &known);
        let draft = WrittenDraft { markdown, listed, model: reply.model, cut: reply.cut };
        let claims = ledger::cited(&draft.markdown);
        if claims.is_empty() {
            return self.nonsense(reason, &draft);
        }
        let sources = numbering::sources(&draft.listed, shown);
        let pages =
            sources.into_iter().filter_map(|source| Some(NumberedPage { number: source.number, page: source.page? }));
        let effect = Effect::CheckClaims { claims, pages: pages.collect() };
        self.phase = Phase::Checking(reason, draft);
        effect
    }

    /// Ends with the model's report if its sources bear out anything of it.
    pub(super) fn checked(
        &mut self,
        reason: StopReason,
        draft: WrittenDraft,
        claims: Vec<CitedClaim>,
        outcome: Outcome,
    ) -> Effect {
        let claims = match outcome {
            Outcome::Checked { claims } => claims,
            other => {
                self.failed("the ledger", other);
                let unchecked = |claim: CitedClaim| Claim {
                    text: claim.text,
                    source: claim.source,
                    verdict: Verdict::Unreachable,
                    span: None,
                };
                claims.into_iter().map(unchecked).collect()
            }
        };
        let borne_out =
            |claim: &Claim| matches!(claim.verdict, Verdict::Supported | Verdict::Partial | Verdict::Unreachable);
        if !claims.iter().any(borne_out) {
            return self.nonsense(reason, &draft);
        }
        let sources = numbering::sources(&draft.listed, self.shown());
        let mut notes = notes(&draft, &claims);
        let cited = |source: &Source| claims.iter().any(|claim| claim.source == source.number);
        let cited: Vec<Source> = sources.iter().filter(|source| cited(source)).cloned().collect();
        notes.extend(note_on_claimed(&cited));
        let written = Written { markdown: draft.markdown, sources, claims, ..Written::default() };
        let mut report = self.fill(written, reason);
        report.model = Some(draft.model);
        report.partial |= draft.cut;
        report.note = (!notes.is_empty()).then(|| notes.join(" "));
        Effect::Finish(Box::new(Ending::Completed { report }))
    }

    /// The model wrote something that no source bears out.
    fn nonsense(&mut self, reason: StopReason, draft: &WrittenDraft) -> Effect {
        let message =
            format!("the model `{}` wrote nothing that its sources bear out; its text was left out", draft.model);
        let problem =
            Problem { subject: draft.model.clone(), error: Error::new(Code::ExecutionError, message.clone()) };
        self.problems.add(problem);
        self.quoted(reason, &format!("No model wrote this report: {message}."))
    }

    /// The report made of quotes, and why it is one.
    fn quoted(&self, reason: StopReason, why: &str) -> Effect {
        let mut report = self.report(reason);
        let note = report.note.take().map(|note| format!("{note} {why}"));
        report.note = Some(note.unwrap_or_else(|| why.to_owned()));
        Effect::Finish(Box::new(Ending::Completed { report }))
    }

    /// What a model gets to see.
    fn shown(&self) -> Vec<ShownPage> {
        shown(self.evidence.kept().iter().map(|finding| &finding.passage))
    }
}

/// What a model proposes to do.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Proposed {
    Done,
    Query(String),
    /// It wrote nothing that could be asked.
    Nothing,
}

/// Words of a query; a longer line is prose.
const QUERY_WORDS: usize = 16;

/// Reads a model's proposal: the word DONE, or lines of which the first that is a new query counts.
fn proposed(text: &str, asked: &[String]) -> Proposed {
    let key = |query: &str| words(query).collect::<Vec<_>>();
    for line in said(text).lines() {
        let bare = line.trim().trim_start_matches(|c: char| c.is_ascii_digit()).trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, '-' | '*' | '"' | '\'' | '`' | '[' | ']' | ',' | '.' | ')' | '{' | '}')
        });
        let said = key(bare);
        if said == ["done"] {
            return Proposed::Done;
        }
        let is_query = (1..=QUERY_WORDS).contains(&said.len()) && !bare.ends_with(':') && !line.contains("```");
        if is_query && !asked.iter().any(|known| key(known) == said) {
            return Proposed::Query(bare.chars().take(limits::SEARCH_QUERY_CHARS).collect());
        }
    }
    Proposed::Nothing
}

/// A model's report without wrapping: thoughts, a fence around the whole; and apart from it, its own list of sources.
fn tidy(text: &str) -> (String, Vec<Listed>) {
    let text = said(text);
    let listed = own_list(&text).map(|list| list.entries).unwrap_or_default();
    (without_own_list(&text), listed)
}

/// What is to be said of a model's report.
fn notes(draft: &WrittenDraft, claims: &[Claim]) -> Vec<String> {
    let mut notes = Vec::new();
    if draft.cut {
        notes.push("The model's answer broke off; the report ends where it did.".to_owned());
    }
    let count = |verdict: Verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let unsupported = count(Verdict::Unsupported);
    if unsupported > 0 {
        notes.push(format!("{unsupported} of {} cited claims were not found in the sources they cite.", claims.len()));
    }
    let nowhere = count(Verdict::NotVisited);
    if nowhere > 0 {
        notes.push(format!("{nowhere} citations have a number that no source has."));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_are_read_leniently() {
        let asked = ["Who was the captain?".to_owned()];
        for (text, want) in [
            ("DONE", Proposed::Done),
            ("**Done.**", Proposed::Done),
            (
                "<think>DONE? no</think>\n1. \"Meridian Lark captain\"\n2. x",
                Proposed::Query("Meridian Lark captain".into()),
            ),
            ("[\"Meridian Lark\"]", Proposed::Query("Meridian Lark".into())),
            ("Here are some queries:\n- who was the captain\n- Lark crew", Proposed::Query("Lark crew".into())),
            ("", Proposed::Nothing),
            ("???\n```\n", Proposed::Nothing),
            (&"long prose ".repeat(30), Proposed::Nothing),
        ] {
            assert_eq!(proposed(text, &asked), want, "{text}");
        }
    }

    #[test]
    fn reports_are_unwrapped() {
        for (text, want) in [
            ("<think>hm</think>\n\nVarga [1].", "Varga [1]."),
            ("```markdown\nVarga [1].\n```", "Varga [1]."),
            ("Varga [1].\n\n## Sources\n\n[1] x", "Varga [1]."),
            ("Varga [1].\n\n**References:**\n- https://x.example", "Varga [1]."),
            (
                "Varga [1].\n\nWorks cited\n1. X, https://x.example\n\n## More\n\nAnd more [1].",
                "Varga [1].\n\n## More\n\nAnd more [1].",
            ),
            ("Sources say so [1].", "Sources say so [1]."),
            (
                "## Sources of oil\n\n- Shale holds most of it [1].",
                "## Sources of oil\n\n- Shale holds most of it [1].",
            ),
            (
                "## Sources\n\n- Shale\n- Sand, which holds oil [1].",
                "## Sources\n\n- Shale\n- Sand, which holds oil [1].",
            ),
        ] {
            assert_eq!(tidy(text).0, want, "{text}");
        }
    }
}
