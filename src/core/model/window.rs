//! How much a model reads at once, and whether it thinks before it writes: what is known of families of models by their names.

use super::chat::Model;
use crate::core::base::rows::listed;

/// Beginnings of names (behind the last `/`) and the tokens that such a model takes with its answer, the longer beginnings first. What
/// is served is often less than what a model could take; that is what the setting is for.
const WINDOWS: [(&str, u32); 34] = [
    ("gpt-3.5", 16_385),
    ("gpt-4-32k", 32_768),
    ("gpt-4-turbo", 128_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-4", 8_192),
    ("gpt-5", 400_000),
    ("gpt-oss", 131_072),
    ("chatgpt-", 128_000),
    ("o1-mini", 128_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude-", 200_000),
    ("gemini-", 1_048_576),
    ("gemma-2", 8_192),
    ("gemma2", 8_192),
    ("gemma-3", 131_072),
    ("gemma3", 131_072),
    ("gemma", 8_192),
    ("deepseek-", 65_536),
    ("mistral-7b", 32_768),
    ("mistral-", 131_072),
    ("magistral-", 40_960),
    ("mixtral-", 32_768),
    ("grok-", 131_072),
    ("llama-3.1", 131_072),
    ("llama-3.2", 131_072),
    ("llama-3.3", 131_072),
    ("llama3-", 8_192),
    ("llama-3-", 8_192),
    ("llama-2", 4_096),
    ("qwen3", 40_960),
    ("qwen2.5", 32_768),
];

/// Beginnings and parts of names of models that think before they write, and count that as their answer.
const THINKING: &str = "o1 o3 o4 gpt-5 gpt-oss gemini-2.5 gemini-3 deepseek-r magistral- qwen3 qwq grok-4";

/// Tokens that a model which thinks gets beside those of its answer.
pub(crate) const THINKING_TOKENS: u32 = 4_000;

/// The name without who serves it: `meta-llama/llama-3-8b` is a llama.
fn family(model: &Model) -> String {
    model.name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase()
}

impl Model {
    /// The tokens that it takes with its answer, where its family is known.
    pub(crate) fn window(&self) -> Option<u32> {
        let name = family(self);
        WINDOWS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, tokens)| *tokens)
    }

    /// What it may think beside its answer, in tokens.
    pub(crate) fn thinking_tokens(&self) -> u32 {
        let name = family(self);
        let thinks = listed(THINKING).any(|start| name.starts_with(start)) || name.contains("-thinking");
        if thinks { THINKING_TOKENS } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_known_by_their_names() {
        for (name, window, thinks) in [
            ("openai/gpt-4", Some(8_192), false),
            ("openai/gpt-4o-mini", Some(128_000), false),
            ("openai/o3-mini", Some(200_000), true),
            ("gemini/gemini-3.1-pro-preview", Some(1_048_576), true),
            ("openrouter/meta-llama/Llama-3-8b-instruct", Some(8_192), false),
            ("ollama/qwen3:4b", Some(40_960), true),
            ("custom/nobody-knows", None, false),
            ("openrouter/x/some-thinking-model", None, true),
        ] {
            let model = Model::parse(name, false);
            assert_eq!((model.window(), model.thinking_tokens() > 0), (window, thinks), "{name}");
        }
    }

    /// A longer beginning stands before a shorter one that would hide it.
    #[test]
    fn no_row_is_hidden_by_another() {
        for (at, (start, _)) in WINDOWS.iter().enumerate() {
            let hidden = WINDOWS.iter().take(at).find(|(before, _)| start.starts_with(before));
            assert_eq!(hidden, None, "{start}");
        }
    }
}
