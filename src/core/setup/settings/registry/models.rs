//! The settings of chat models.

use std::time::Duration;

use super::{Allowed, Setting};
use crate::core::model::chat::{Host, Model};
use crate::core::setup::settings::models::ollama_url;
use crate::core::setup::settings::web::web_url;

pub(super) fn rows() -> Vec<Setting> {
    servers().into_iter().chain(keys()).chain(local()).collect()
}

fn servers() -> [Setting; 4] {
    let form = |words: &str| Allowed::Form(words.to_owned());
    let hosts: Vec<String> = Host::NAMED.iter().map(|host| format!("`{}`", host.row().name)).collect();
    [
        Setting::parsed(
            "model.name",
            "HADAL_MODEL",
            form("names such as `openai/gpt-5` or `ollama/qwen3:4b`, with commas between them"),
            |text| Model::chain(text, false).map(|_| text.to_owned()),
            |s, names| s.models.names = names,
        )
        .means(format!(
            "The chat model of the engine `native`, as `host/name`: {}, or `custom` for the server at `model.base_url`. Of \
             several, each is asked when those before it do not answer. Without it: a Gemini model when `GEMINI_API_KEY` is \
             set, else a model that runs on this machine.",
            hosts.join(", ")
        )),
        Setting::parsed(
            "model.reader",
            "HADAL_MODEL_READER",
            form("names as in `model.name`"),
            |text| Model::chain(text, false).map(|_| text.to_owned()),
            |s, names| s.models.reader_names = names,
        )
        .means(
            "A cheaper chat model that takes the notes of a study and proposes its searches, where most of the tokens go. The models of \
             `model.name` plan, write and check, and stand in when it does not answer. Without it they do all of it.",
        ),
        Setting::whole("model.context_tokens", "HADAL_MODEL_CONTEXT_TOKENS", 2_048..=4_000_000, |s, tokens| {
            s.models.context_tokens = u32::try_from(tokens).ok();
        })
        .means(
            "Tokens that the chat models take, prompt and answer together. A study shows less at once where that is little. Without it: what \
             is known of the model's family; an Ollama and a llama.cpp server are asked.",
        ),
        Setting::parsed(
            "model.base_url",
            "HADAL_MODEL_BASE_URL",
            form("an address that begins with `http://` or `https://`"),
            web_url,
            |s, url| s.models.base_url = Some(url),
        )
        .means(
            "The address of a server that speaks OpenAI's protocol, with its version: `http://127.0.0.1:8000/v1`. Models without \
             a host, and those of the host `custom`, are asked there.",
        ),
    ]
}

/// The keys of all hosts but Google's, which the Gemini API has as well.
fn keys() -> impl Iterator<Item = Setting> {
    let hosts = [Host::Custom].into_iter().chain(Host::NAMED).filter(|host| *host != Host::Gemini);
    hosts.filter_map(|host| {
        let names = host.row().key?;
        Some(Setting::secret(names, move |s, key| s.models.keys.push((host, key))))
    })
}

fn local() -> [Setting; 3] {
    [
        Setting::parsed(
            "model.ollama_host",
            "OLLAMA_HOST",
            Allowed::Form("a host with or without `http://` and a port".to_owned()),
            ollama_url,
            |s, url| s.models.ollama = url,
        )
        .default("127.0.0.1:11434")
        .means("Where Ollama is asked."),
        Setting::yes_or_no("model.find_local", "HADAL_FIND_LOCAL_MODELS", &["yes", "no"], |s, yes| {
            s.models.find_local = yes;
        })
        .default("yes")
        .means(
            "Whether hadal looks for an Ollama (at `model.ollama_host`) and a llama.cpp server (at `127.0.0.1:8080`) when no model is \
             set. Looking takes at most a third of a second.",
        ),
        Setting::whole("model.timeout_seconds", "HADAL_MODEL_TIMEOUT_SECONDS", 1..=3_600, |s, most| {
            s.models.timeout = Duration::from_secs(most);
        })
        .default("300")
        .means("Seconds that one answer of a chat model may take. A model on this machine may need minutes to read a prompt."),
    ]
}
