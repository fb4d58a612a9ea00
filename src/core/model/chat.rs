//! A question to a chat model, as data: who is asked, for what, and what it may use.
//!
//! A model gets text and gives text. It has no tools: whatever a page or an answer says, nothing happens by it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::base::error::Problem;
use crate::core::base::limits;
use crate::core::base::secrets::KeySetting;
use crate::core::money::budget::ReserveAccess;
use crate::core::money::price::{self, Tokens};
use crate::core::money::usage::{Usage, Usd};

/// What the answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Purpose {
    /// What to search for next. Cheap, and can be done without.
    Queries,
    /// The report. It may draw on the reserve of a budget.
    Answer,
    /// A round of `deep_search`, as JSON.
    Round,
    /// A step of a study.
    Study(StudyStep),
    /// Whether passages bear out what the judge of words leaves open.
    Opinion,
}

/// The steps of a study that a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StudyStep {
    Brief,
    Plan,
    /// The notes of one round of one sub-question.
    Notes(RoundPlace),
    /// Whether something is missing after a wave, from 1.
    Reflect(u32),
    Outline,
    /// One section, by its place.
    Section(u32),
    /// The mending of a section.
    Patch {
        section: u32,
        pass: u32,
    },
    Summary,
}

/// A round of a study: which one of which sub-question, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RoundPlace {
    pub(crate) sub: u32,
    pub(crate) round: u32,
}

impl StudyStep {
    /// Whether it belongs to the writing, for which a part of the budget is kept.
    pub(crate) fn writes(self) -> bool {
        match self {
            Self::Outline | Self::Section(_) | Self::Patch { .. } | Self::Summary => true,
            Self::Brief | Self::Plan | Self::Notes(_) | Self::Reflect(_) => false,
        }
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chat {
    pub(crate) purpose: Purpose,
    /// Who is asked, one after the other until one answers: names as [`Model`] writes them.
    pub(crate) models: Vec<String>,
    /// The rules, which no page can change.
    pub(crate) system: String,
    pub(crate) prompt: String,
    /// The longest answer.
    pub(crate) max_tokens: u32,
}

/// What a model answered. Whether it is any good is for the method to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChatReply {
    pub(crate) text: String,
    /// Who answered.
    pub(crate) model: String,
    /// The answer broke off: its length was used up, or the connection.
    #[serde(default)]
    pub(crate) cut: bool,
    /// Models that did not answer, and figures that are not known.
    #[serde(default)]
    pub(crate) problems: Vec<Problem>,
}

/// Bytes of text that make a token, at least: English has four, code and other scripts fewer. Too small a figure only makes an
/// estimate too high.
const TOKEN_BYTES: usize = 3;

/// How many tokens a text has at most, more or less.
pub(crate) fn tokens_of(text: &str) -> u64 {
    (text.len() / TOKEN_BYTES + 1) as u64
}

impl Chat {
    /// The most it is expected to use: the dearest of its models, and an answer of full length.
    pub(crate) fn expected(&self) -> Usage {
        self.expected_with(0)
    }

    /// Bytes of an answer and its thoughts from which it was not asked for.
    pub(crate) fn most_bytes(&self) -> usize {
        let asked = usize::try_from(self.max_tokens).unwrap_or(usize::MAX).saturating_mul(limits::BYTES_PER_TOKEN);
        asked.clamp(limits::CHAT_BYTES_LEAST, limits::CHAT_BYTES)
    }

    /// The same with so many bytes more in the prompt.
    pub(crate) fn expected_with(&self, more: usize) -> Usage {
        let tokens = Tokens {
            input: tokens_of(&self.system) + tokens_of(&self.prompt) + (more / TOKEN_BYTES) as u64,
            output: u64::from(self.max_tokens),
            ..Tokens::default()
        };
        let cost = self.models.iter().map(|model| Model::parse(model, false).most(tokens)).max().unwrap_or_default();
        Usage { tokens_in: tokens.input, tokens_out: tokens.output, cost, ..Usage::ZERO }
    }

    /// What it is expected to use of one of its models.
    pub(crate) fn expected_of(&self, model: &Model) -> Usage {
        let expected = Self { models: vec![model.to_string()], ..self.clone() }.expected();
        Usage { cost_unknown: !model.has_price(), ..expected }
    }

    pub(crate) fn reserve_access(&self) -> ReserveAccess {
        match self.purpose {
            Purpose::Queries | Purpose::Round | Purpose::Opinion => ReserveAccess::Denied,
            Purpose::Answer => ReserveAccess::Allowed,
            Purpose::Study(step) if step.writes() => ReserveAccess::Allowed,
            Purpose::Study(_) => ReserveAccess::Denied,
        }
    }
}

/// Who runs a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Host {
    OpenAi,
    Anthropic,
    Gemini,
    Groq,
    DeepSeek,
    Mistral,
    Xai,
    OpenRouter,
    /// An Ollama, on this machine or where `OLLAMA_HOST` says.
    Ollama,
    /// A llama.cpp server on this machine.
    LlamaCpp,
    /// Whatever speaks OpenAI's protocol at `model_base_url`.
    Custom,
}

/// What is known of a host beside its protocol, which `world::models` knows.
#[derive(Clone, Copy)]
pub(crate) struct HostRow {
    pub(crate) name: &'static str,
    /// The setting with its key; `None` where there is none.
    pub(crate) key: Option<KeySetting>,
    /// How the names of its own models begin.
    families: &'static [&'static str],
}

impl Host {
    /// The hosts that have a place of their own, in the order of the reference page.
    pub(crate) const NAMED: [Self; 10] = [
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
        Self::Groq,
        Self::DeepSeek,
        Self::Mistral,
        Self::Xai,
        Self::OpenRouter,
        Self::Ollama,
        Self::LlamaCpp,
    ];

    pub(crate) fn row(self) -> HostRow {
        let key = KeySetting::new;
        let (name, key, families): (_, _, &[_]) = match self {
            Self::OpenAi => (
                "openai",
                key("openai_api_key", "OPENAI_API_KEY", "The key for OpenAI's models."),
                &["gpt-", "chatgpt-", "o1", "o3", "o4"],
            ),
            Self::Anthropic => (
                "anthropic",
                key("anthropic_api_key", "ANTHROPIC_API_KEY", "The key for Anthropic's models."),
                &["claude-"],
            ),
            Self::Gemini => {
                let meaning = "The key for the Gemini API. It is never shown or written anywhere.";
                ("gemini", key("gemini_api_key", "GEMINI_API_KEY", meaning), &["gemini-"])
            }
            Self::Groq => ("groq", key("groq_api_key", "GROQ_API_KEY", "The key for Groq's models."), &[]),
            Self::DeepSeek => (
                "deepseek",
                key("deepseek_api_key", "DEEPSEEK_API_KEY", "The key for DeepSeek's models."),
                &["deepseek-"],
            ),
            Self::Mistral => (
                "mistral",
                key("mistral_api_key", "MISTRAL_API_KEY", "The key for Mistral's models."),
                &["mistral-", "magistral-", "codestral-"],
            ),
            Self::Xai => ("xai", key("xai_api_key", "XAI_API_KEY", "The key for xAI's models."), &["grok-"]),
            Self::OpenRouter => {
                ("openrouter", key("openrouter_api_key", "OPENROUTER_API_KEY", "The key for OpenRouter."), &[])
            }
            Self::Ollama => ("ollama", None, &[]),
            Self::LlamaCpp => ("llamacpp", None, &[]),
            Self::Custom => {
                let meaning = "The key for the server at `model.base_url`, if it wants one.";
                ("custom", key("model_api_key", "HADAL_MODEL_API_KEY", meaning), &[])
            }
        };
        HostRow { name, key, families }
    }

    /// Whether it costs nothing to ask it: it has no key, because it is the user's own.
    fn is_free(self) -> bool {
        self.row().key.is_none()
    }

    /// Who is meant by a model's name alone.
    fn of(model: &str) -> Self {
        let of_family = |host: &Self| host.row().families.iter().any(|start| model.starts_with(start));
        // A name with a tag (`mistral-small:24b`) is Ollama's way of writing.
        Self::NAMED.into_iter().find(of_family).filter(|_| !model.contains(':')).unwrap_or(Self::Ollama)
    }
}

/// A model and who runs it, written `host/name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) host: Host,
    pub(crate) name: String,
}

impl Model {
    /// Reads `openai/gpt-5`, or a name alone: then it belongs to the server at `model_base_url` if there is one, else
    /// to whoever has models of such names.
    pub(crate) fn parse(text: &str, has_base_url: bool) -> Self {
        let text = text.trim();
        let named = text.split_once('/').and_then(|(host, name)| {
            let mut hosts = Host::NAMED.into_iter().chain([Host::Custom]);
            let host = hosts.find(|known| known.row().name == host)?;
            (!name.is_empty()).then(|| Self { host, name: name.to_owned() })
        });
        named.unwrap_or_else(|| {
            let host = if has_base_url { Host::Custom } else { Host::of(text) };
            Self { host, name: text.to_owned() }
        })
    }

    /// Reads a chain: names with commas between them.
    pub(crate) fn chain(text: &str, has_base_url: bool) -> Option<Vec<Self>> {
        let models: Vec<Self> = text
            .split(',')
            .filter(|name| !name.trim().is_empty())
            .map(|name| Self::parse(name, has_base_url))
            .collect();
        let plain = models.iter().all(|model| model.name.chars().all(|c| c.is_ascii_graphic()));
        (plain && !models.is_empty()).then_some(models)
    }

    /// What the tokens cost, and whether a price is known.
    pub(crate) fn cost(&self, at_ms: i64, tokens: Tokens) -> price::Quote {
        let free = price::Quote { cost: Usd::default(), known: self.host.is_free() };
        let quote = price::cost(&self.name, at_ms, tokens);
        if quote.known && !self.host.is_free() { quote } else { free }
    }

    /// Whether it is known what it costs: there is a price, or it is the user's own.
    pub(crate) fn has_price(&self) -> bool {
        self.host.is_free() || price::is_known(&self.name)
    }

    /// What they cost at most, whenever that is.
    fn most(&self, tokens: Tokens) -> Usd {
        if self.host.is_free() { Usd::default() } else { price::most(&self.name, tokens) }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host.row().name, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_with_or_without_its_host() {
        for (text, base, want) in [
            ("openai/gpt-5", false, "openai/gpt-5"),
            (" openai/gpt-5 ", true, "openai/gpt-5"),
            ("openrouter/anthropic/claude-x", false, "openrouter/anthropic/claude-x"),
            ("gpt-5", false, "openai/gpt-5"),
            ("claude-x", false, "anthropic/claude-x"),
            ("gemini-3.8-flash", false, "gemini/gemini-3.8-flash"),
            ("gemini-3.8-flash", true, "custom/gemini-3.8-flash"),
            ("qwen3:4b", false, "ollama/qwen3:4b"),
            ("mistral-small:24b", false, "ollama/mistral-small:24b"),
            ("org/model", true, "custom/org/model"),
            ("openai/", true, "custom/openai/"),
        ] {
            let model = Model::parse(text, base);
            assert_eq!(model.to_string(), want, "{text}");
            assert_eq!(Model::parse(&model.to_string(), base), model, "{text}");
        }
        let chain = Model::chain("openai/a, ,ollama/b", false).unwrap();
        assert_eq!(chain.iter().map(Model::to_string).collect::<Vec<_>>(), ["openai/a", "ollama/b"]);
        for bad in ["", " , ", "a\tb", "gr\u{fc}n"] {
            assert_eq!(Model::chain(bad, false), None, "{bad:?}");
        }
    }

    /// BU-01: what is expected is never less than what it costs, and an unknown price is no invented one.
    #[test]
    fn the_expected_cost_is_the_dearest() {
        let chat = |models: &[&str]| Chat {
            purpose: Purpose::Answer,
            models: models.iter().map(|&model| model.to_owned()).collect(),
            system: String::new(),
            prompt: "x".repeat(3_000),
            max_tokens: 1_000,
        };
        let tokens = Tokens { input: 1_001, output: 1_000, ..Tokens::default() };
        for at in [0, i64::MAX] {
            let cost = Model::parse("gemini/gemini-3.8-flash", false).cost(at, tokens);
            assert!(cost.known && cost.cost.micros() > 0);
            assert!(chat(&["gemini/gemini-3.8-flash", "ollama/x"]).expected().cost >= cost.cost);
        }
        assert_eq!(chat(&["ollama/gemini-3.8-flash"]).expected().cost.micros(), 0);
        let unknown = Model::parse("openai/nobody-knows", false);
        assert_eq!((unknown.cost(0, tokens).known, unknown.cost(0, tokens).cost.micros()), (false, 0));
        assert!(Model::parse("ollama/x", false).cost(0, tokens).known);
    }
}
