//! A second opinion: a chat model is asked of the claims that the words alone leave open, and of nothing else.
//!
//! Its word moves a claim from *partial* to *supported* or *unsupported*, and is marked as a model's. What a hard check has found stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::core::base::limits;
use crate::core::evidence::checked::{CheckedSource, Evidence, OpenClaim};
use crate::core::evidence::claim::Verdict;
use crate::core::model::chat::{Chat, ChatReply, Purpose};
use crate::core::model::prompt::Marks;
use crate::core::model::shown::SYSTEM;
use crate::core::task::effect::Effect;

/// Who is asked; fixed when the task starts, so that a resumed task asks what it would have asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpinionPlan {
    /// Models, the best first; see [`Chat::models`].
    pub(crate) models: Vec<String>,
    /// The marks around claims and passages.
    pub(crate) marks: Marks,
    /// Whether text of this machine's documents may be shown to them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shows_files: bool,
}

/// Claims that wait for a model's word.
#[derive(Clone, Debug)]
pub(super) struct Opinions {
    evidence: Box<Evidence>,
    /// The claims that the model may speak of, by their places.
    asked: BTreeSet<usize>,
    open: usize,
}

const TASK: &str = "Below are claims of a report, each with the passage of the source that it cites. For each claim decide by its passage alone:\n\
    - yes: the passage states what the claim says, in whatever words.\n\
    - no: the passage contradicts it, or speaks of the same thing and says something else.\n\
    - unsure: anything else.\n\
    Answer with one line for each claim, its number and one of these words, such as `7 yes`, and with nothing else.";

impl Opinions {
    /// The questions about what is open; none where nothing is, or nothing may be shown.
    pub(super) fn begin(
        plan: &OpinionPlan,
        evidence: Box<Evidence>,
        open: &[OpenClaim],
    ) -> Result<(Self, Vec<Effect>), Box<Evidence>> {
        let may_be_shown = |claim: &&OpenClaim| {
            let is_web = |source: &CheckedSource| source.fetch_address().is_some();
            plan.shows_files || evidence.source(claim.source).is_some_and(is_web)
        };
        let shown: Vec<&OpenClaim> = open.iter().filter(may_be_shown).take(limits::OPINION_CLAIMS).collect();
        let asked: BTreeSet<usize> = shown.iter().map(|claim| claim.claim as usize).collect();
        let questions: Vec<Effect> =
            shown.chunks(limits::OPINION_BATCH).map(|batch| question(plan, &evidence, batch)).collect();
        if questions.is_empty() {
            return Err(evidence);
        }
        Ok((Self { evidence, asked, open: questions.len() }, questions))
    }

    /// Takes an answer, or the lack of one; the evidence once all are in.
    pub(super) fn take(&mut self, reply: Option<&ChatReply>) -> Option<Box<Evidence>> {
        self.open = self.open.saturating_sub(1);
        if let Some(reply) = reply {
            self.heed(reply);
        }
        (self.open == 0).then(|| self.evidence.clone())
    }

    /// What is known before all answers are in.
    pub(super) fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    fn heed(&mut self, reply: &ChatReply) {
        let mut answers: BTreeMap<usize, Option<Verdict>> = BTreeMap::new();
        for (number, verdict) in reply.text.lines().filter_map(answer) {
            let first = answers.entry(number).or_insert(Some(verdict));
            // Whoever says yes and no has not decided.
            *first = first.filter(|first| *first == verdict);
        }
        for (number, verdict) in answers {
            // A number that was not asked about says nothing.
            let Some(at) = number.checked_sub(1).filter(|at| self.asked.remove(at)) else { continue };
            let Some(verdict) = verdict else { continue };
            if let Some(claim) = self.evidence.claims.get_mut(at).filter(|claim| claim.verdict == Verdict::Partial) {
                claim.verdict = verdict;
                claim.by_model = Some(reply.model.chars().take(limits::LABEL_CHARS).collect());
            }
        }
    }
}

/// `7 yes`, also as `7. yes`, `- 7: no`, `**7** no`.
fn answer(line: &str) -> Option<(usize, Verdict)> {
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next()?;
    let number = if first.eq_ignore_ascii_case("claim") { words.next()? } else { first };
    let verdict = match words.next()?.to_ascii_lowercase().as_str() {
        "yes" => Verdict::Supported,
        "no" => Verdict::Unsupported,
        _ => return None,
    };
    // Whoever explains does not answer in the form that was asked for.
    words.next().is_none().then_some((number.parse().ok()?, verdict))
}

fn question(plan: &OpinionPlan, evidence: &Evidence, batch: &[&OpenClaim]) -> Effect {
    let mut prompt = TASK.to_owned();
    for open in batch {
        let number = open.claim + 1;
        let claim = evidence.claims.get(open.claim as usize).map(|claim| claim.text.as_str()).unwrap_or_default();
        let claim = plan.marks.fence(&format!("CLAIM {number}"), claim, limits::OPINION_CHARS);
        let passage = plan.marks.fence(&format!("PASSAGE {number}"), &open.passage, limits::OPINION_CHARS);
        prompt.push_str(&format!("\n\nClaim {number}\n{claim}\nPassage {number}\n{passage}"));
    }
    Effect::Chat(Chat {
        purpose: Purpose::Opinion,
        models: plan.models.clone(),
        system: SYSTEM.to_owned(),
        prompt,
        max_tokens: limits::OPINION_TOKENS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::evidence::checked::CheckedClaim;

    fn evidence() -> Box<Evidence> {
        let claim =
            |text: &str, verdict: Verdict| CheckedClaim { text: text.into(), verdict, ..CheckedClaim::default() };
        let source = |number: u32, address: &str| CheckedSource {
            number,
            address: Some(address.into()),
            ..CheckedSource::default()
        };
        Box::new(Evidence {
            claims: vec![
                claim("It is deep.", Verdict::Partial),
                claim("It is wide.", Verdict::Supported),
                claim("It is old.", Verdict::Partial),
                claim("It is mine.", Verdict::Partial),
            ],
            sources: vec![source(1, "https://a.example/"), source(2, "/notes/a.md")],
            ..Evidence::default()
        })
    }

    fn open(claim: u32, source: u32) -> OpenClaim {
        OpenClaim { claim, source, passage: "What the page says.".into() }
    }

    fn plan(shows_files: bool) -> OpinionPlan {
        OpinionPlan { models: vec!["openai/x".into()], marks: Marks::drawn(7), shows_files }
    }

    /// EV-02: a model's word moves what is open, is marked as such, and moves nothing else.
    #[test]
    fn a_models_word_moves_what_is_open_and_nothing_else() {
        let open = [open(0, 1), open(2, 1)];
        let (mut opinions, questions) = Opinions::begin(&plan(false), evidence(), &open).unwrap();
        assert_eq!(questions.len(), 1);
        let text = "1. yes\n2 no\n**3**: no\n4 yes\n1 yes\n9 yes\n3 yes because it says so".to_owned();
        let reply = ChatReply { text, model: "openai/x".into(), ..ChatReply::default() };
        let heard = opinions.take(Some(&reply)).unwrap();
        let verdicts: Vec<(Verdict, bool)> =
            heard.claims.iter().map(|claim| (claim.verdict, claim.by_model.is_some())).collect();
        assert_eq!(
            verdicts,
            [
                (Verdict::Supported, true),
                (Verdict::Supported, false),
                (Verdict::Unsupported, true),
                (Verdict::Partial, false)
            ]
        );
    }

    /// EV-02: a model that says yes and no of the same claim has said nothing.
    #[test]
    fn whoever_contradicts_himself_is_not_heard() {
        let (mut opinions, _) = Opinions::begin(&plan(false), evidence(), &[open(0, 1), open(2, 1)]).unwrap();
        let text = "1 yes\n3 no\n1 no\n1 yes".to_owned();
        let heard = opinions.take(Some(&ChatReply { text, ..ChatReply::default() })).unwrap();
        let verdicts: Vec<Verdict> = heard.claims.iter().map(|claim| claim.verdict).collect();
        assert_eq!(verdicts, [Verdict::Partial, Verdict::Supported, Verdict::Unsupported, Verdict::Partial]);
    }

    /// EV-02: documents of this machine are shown only where their user allows it; a model that fails changes nothing.
    #[test]
    fn what_may_not_be_shown_is_not_asked_about() {
        let open = [open(0, 1), open(3, 2)];
        let prompts = |plan: &OpinionPlan| match Opinions::begin(plan, evidence(), &open).unwrap().1.remove(0) {
            Effect::Chat(chat) => chat.prompt,
            other => panic!("{other:?}"),
        };
        assert!(!prompts(&plan(false)).contains("It is mine."), "a far model");
        assert!(prompts(&plan(true)).contains("It is mine."));
        assert!(Opinions::begin(&plan(false), evidence(), &open[1..]).is_err());
        let (mut opinions, _) = Opinions::begin(&plan(false), evidence(), &open).unwrap();
        assert_eq!(opinions.take(None), Some(evidence()));
    }
}
