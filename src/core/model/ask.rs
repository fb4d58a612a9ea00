//! A question to a model program, and what it brought back.

use serde::{Deserialize, Serialize};

use crate::core::base::engine::EngineName;
use crate::core::base::error::Problem;
use crate::core::base::limits;
use crate::core::model::chat::{Chat, Purpose, tokens_of};
use crate::core::model::prompt::{self, Marks};
use crate::core::model::shown::{SYSTEM, ShownPage, fenced};
use crate::core::money::price::{self, Tokens};
use crate::core::money::usage::{Usage, Usd};
use crate::core::web::search::{Provider, Query};

/// What a run of the model program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Research with web tools.
    Research,
    /// Bring invalid output into form; reads one file, searches nothing.
    Correct,
}

/// One run of a model program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ask {
    pub(crate) role: Role,
    /// Who is asked.
    #[serde(default = "cli")]
    pub(crate) engine: EngineName,
    /// The whole prompt. For a correction it still has the hole `{{invalid_output_path}}`, which the adapter fills
    /// once it knows where the file is.
    pub(crate) prompt: String,
    pub(crate) model: Option<String>,
    /// The output to be corrected; the adapter hands it over in a file.
    pub(crate) invalid_output: Option<String>,
    /// Which round and cycle it belongs to, for messages.
    pub(crate) round: u32,
    pub(crate) cycle: u32,
    /// What the engine `native` needs besides: it searches and reads before it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) native: Option<Native>,
    /// What stands around foreign text that is added to the prompt.
    #[serde(default, skip_serializing_if = "Marks::are_numbered")]
    pub(crate) marks: Marks,
}

/// A round without a model program: who searches, who answers, and the bare question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Native {
    pub(crate) query: String,
    /// See [`Chat::models`].
    pub(crate) models: Vec<String>,
    pub(crate) providers: Vec<Provider>,
}

/// Pages that a round reads; a later round reads the best ones again, which its draft cites, and as many new ones.
const ROUND_PAGES: usize = 5;
/// Results beyond those of earlier rounds that a round asks for: some of them may be dead.
const ROUND_RESULTS: u32 = 10;

impl Ask {
    /// The search of a native round, and how many of its results earlier rounds have read.
    pub(crate) fn search(native: &Native, round: u32) -> (Query, usize) {
        let before = round.saturating_sub(1).min(3) as usize * ROUND_PAGES;
        let query = Query {
            text: native.query.clone(),
            limit: u32::try_from(before).unwrap_or(0) + ROUND_RESULTS,
            ..Query::default()
        };
        (query, before)
    }

    /// Which of a search's results a native round reads, of which earlier rounds have read `before`: first these, and if they say
    /// nothing, those.
    pub(crate) fn pages(found: &[String], before: usize) -> [Vec<String>; 2] {
        let best = found.iter().take(ROUND_PAGES);
        let new = found.iter().skip(before.max(ROUND_PAGES));
        match before {
            0 => [best.cloned().collect(), new.take(ROUND_PAGES).cloned().collect()],
            _ => {
                [best.chain(new.clone().take(ROUND_PAGES)).cloned().collect(), new.skip(ROUND_PAGES).cloned().collect()]
            }
        }
    }

    /// The question of a native round to its model. A correction has what is to be corrected in its prompt, as data.
    pub(crate) fn chat(&self, native: &Native, sources: &[ShownPage]) -> Chat {
        let prompt = match &self.invalid_output {
            Some(invalid) => {
                let place = "(there is no file: it stands at the end, between two marks)";
                let filled = prompt::fill(&self.prompt, &[("invalid_output_path", place)]);
                format!("{filled}\n\n{}", self.marks.fence("OUTPUT", invalid, limits::PROMPT_SOURCES_CHARS))
            }
            None => format!("{}\n\n{READ_FOR_YOU}\n\n{}", self.prompt, fenced(sources, &self.marks)),
        };
        Chat {
            purpose: Purpose::Round,
            models: native.models.clone(),
            system: SYSTEM.to_owned(),
            prompt,
            max_tokens: limits::ANSWER_TOKENS,
        }
    }

    /// The most a round is expected to use. Where it searches and reads by tools of its own, the figures are those of an ordinary
    /// round with such tools: the caps need one before the real ones are known.
    pub(crate) fn expected(&self) -> Usage {
        let Some(native) = &self.native else { return self.expected_with_tools() };
        let mut usage = self.chat(native, &[]).expected();
        if self.role == Role::Research {
            let (query, _) = Self::search(native, self.round);
            let sources = Usage { tokens_in: (limits::PROMPT_SOURCES_CHARS / 3) as u64, ..Usage::ZERO };
            let cost = native.providers.iter().map(|provider| provider.price(&query)).fold(usage.cost, |a, b| a + b);
            usage = Usage { cost, ..usage } + sources;
        }
        usage
    }

    fn expected_with_tools(&self) -> Usage {
        let invalid = self.invalid_output.as_deref().map_or(0, tokens_of);
        let (read, written, searches) = match self.role {
            Role::Research => (TOOL_TOKENS, TOOL_ANSWER_TOKENS, TOOL_SEARCHES),
            Role::Correct => (invalid, invalid.max(u64::from(limits::ANSWER_TOKENS)), 0),
        };
        let tokens = Tokens { input: tokens_of(&self.prompt) + read, output: written, searches, ..Tokens::default() };
        let usage = price::expected(self.model.as_deref().unwrap_or_default(), tokens);
        match self.engine {
            // The program tells tokens and no prices: who pays for them depends on how it is logged in.
            EngineName::GeminiCli => Usage { cost: Usd::default(), ..usage },
            EngineName::GeminiApi | EngineName::Native | EngineName::Extractive => usage,
        }
    }
}

/// Tokens that search results and pages put before a model in one round of its own searching, beside the prompt.
const TOOL_TOKENS: u64 = 30_000;
/// Tokens of its thoughts and its answer.
const TOOL_ANSWER_TOKENS: u64 = 8_000;
/// Searches of such a round.
const TOOL_SEARCHES: u64 = 5;

/// Prompts speak of web tools, which a chat model does not have.
const READ_FOR_YOU: &str = "# What was searched and read for you\n\nYou have no web tools here. The program has searched the web and read these \
    pages; answer from them and cite them by their numbers and addresses.";

/// Journals of the first version name no engine: there was one.
pub(crate) fn cli() -> EngineName {
    EngineName::GeminiCli
}

/// What a run brought back. Whether its text is an answer is for the method to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AskReply {
    pub(crate) text: String,
    /// The model that answered, when the program told.
    pub(crate) model: Option<String>,
    /// Addresses the program really searched up or read, in order.
    pub(crate) sources: Vec<String>,
    /// Queries it really searched for, in order.
    pub(crate) queries: Vec<String>,
    /// Searches and pages that failed inside the run.
    pub(crate) problems: Vec<Problem>,
    /// Addresses of the pages that the model was shown by number, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) shown: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DS-01: a verification reads what the draft rests on, and as much that is new.
    #[test]
    fn later_rounds_read_on() {
        let found: Vec<String> = (1..=13).map(|n| n.to_string()).collect();
        for (before, first, then) in [
            (0, "1 2 3 4 5", "6 7 8 9 10"),
            (5, "1 2 3 4 5 6 7 8 9 10", "11 12 13"),
            (10, "1 2 3 4 5 11 12 13", ""),
            (15, "1 2 3 4 5", ""),
        ] {
            let pages = Ask::pages(&found, before).map(|pages| pages.join(" "));
            assert_eq!(pages, [first.to_owned(), then.to_owned()], "{before}");
        }
        assert_eq!(Ask::pages(&[], 5), [Vec::<String>::new(), Vec::new()]);
    }
}
