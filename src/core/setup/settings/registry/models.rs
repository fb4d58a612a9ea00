//! The settings of chat models.

use super::{Allowed, Setting};

pub(crate) const MODEL: Setting = Setting {
    key: "model.name",
    in_file: true,
    variable: "HADAL_MODEL",
    flag: None,
    allowed: Allowed::Form("names such as `openai/gpt-5` or `ollama/qwen3:4b`, with commas between them"),
    default: None,
    meaning: "The chat model of the engine `native`, as `host/name`: `openai`, `anthropic`, `gemini`, `groq`, `deepseek`, `mistral`, \
              `xai`, `openrouter`, `ollama`, `llamacpp`, or `custom` for the server at `model.base_url`. Of several, each is \
              asked when those before it do not answer. Without it: a Gemini model when `GEMINI_API_KEY` is set, else a model \
              that runs on this machine.",
};

pub(crate) const BASE_URL: Setting = Setting {
    key: "model.base_url",
    in_file: true,
    variable: "HADAL_MODEL_BASE_URL",
    flag: None,
    allowed: Allowed::Form("an address that begins with `http://` or `https://`"),
    default: None,
    meaning: "The address of a server that speaks OpenAI's protocol, with its version: `http://127.0.0.1:8000/v1`. Models without \
              a host, and those of the host `custom`, are asked there.",
};

pub(crate) const API_KEY: Setting =
    key("model_api_key", "HADAL_MODEL_API_KEY", "The key for the server at `model.base_url`, if it wants one.");
pub(crate) const OPENAI: Setting = key("openai_api_key", "OPENAI_API_KEY", "The key for OpenAI's models.");
pub(crate) const ANTHROPIC: Setting = key("anthropic_api_key", "ANTHROPIC_API_KEY", "The key for Anthropic's models.");
pub(crate) const GROQ: Setting = key("groq_api_key", "GROQ_API_KEY", "The key for Groq's models.");
pub(crate) const DEEPSEEK: Setting = key("deepseek_api_key", "DEEPSEEK_API_KEY", "The key for DeepSeek's models.");
pub(crate) const MISTRAL: Setting = key("mistral_api_key", "MISTRAL_API_KEY", "The key for Mistral's models.");
pub(crate) const XAI: Setting = key("xai_api_key", "XAI_API_KEY", "The key for xAI's models.");
pub(crate) const OPENROUTER: Setting = key("openrouter_api_key", "OPENROUTER_API_KEY", "The key for OpenRouter.");

pub(crate) const OLLAMA_HOST: Setting = Setting {
    key: "model.ollama_host",
    in_file: true,
    variable: "OLLAMA_HOST",
    flag: None,
    allowed: Allowed::Form("a host with or without `http://` and a port"),
    default: Some("127.0.0.1:11434"),
    meaning: "Where Ollama is asked.",
};

pub(crate) const LOCAL: Setting = Setting {
    key: "model.find_local",
    in_file: true,
    variable: "HADAL_FIND_LOCAL_MODELS",
    flag: None,
    allowed: Allowed::OneOf(&["yes", "no"]),
    default: Some("yes"),
    meaning: "Whether hadal looks for an Ollama (at `model.ollama_host`) and a llama.cpp server (at `127.0.0.1:8080`) when no model is \
              set. Looking takes at most a third of a second.",
};

pub(crate) const TIMEOUT: Setting = Setting {
    key: "model.timeout_seconds",
    in_file: true,
    variable: "HADAL_MODEL_TIMEOUT_SECONDS",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 3_600 },
    default: Some("300"),
    meaning: "Seconds that one answer of a chat model may take. A model on this machine may need minutes to read a prompt.",
};

const fn key(key: &'static str, variable: &'static str, meaning: &'static str) -> Setting {
    Setting { key, in_file: false, variable, flag: None, allowed: Allowed::Secret, default: None, meaning }
}
