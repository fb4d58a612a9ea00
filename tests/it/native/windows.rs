//! Models that read little at once, and models that share the work.

use std::time::Duration;

use sim::chat::{Chat, Received, Say};
use sim::field::Field;
use sim::field::model::{self, Temper};
use sim::search::SearchApi;
use sim::web::Web;

use super::Lab;

/// What a small model takes, in tokens.
const WINDOW: u64 = 8_192;

/// Facts of fifteen that are told by a model which is shown a third of what others are.
const MOST_FACTS: usize = 12;

/// A field before a model that refuses what is too long for it.
fn lab(field: &Field) -> Lab {
    let chat = Chat::start(|asked: &Received| {
        if asked.tokens() > WINDOW {
            return Say::too_long(WINDOW, asked);
        }
        Say::Text(model::answer(&asked.prompt, Temper::Honest))
    });
    let (web, search) = (Web::of(field, Duration::ZERO).unwrap(), SearchApi::of(field).unwrap());
    Lab { home: tempfile::tempdir().unwrap(), web, search, chat: chat.unwrap(), env: Vec::new() }
}

/// How many of the fifteen facts that the short question asks for stand in a report.
fn facts_told(field: &Field, report: &str) -> usize {
    let asked = ["rotor", "gearbox", "foundation"];
    field.facts.iter().filter(|fact| asked.contains(&fact.part) && report.contains(&fact.figure)).count()
}

/// ST-01: a model that reads 8,192 tokens is never asked for more, and writes the whole report.
#[test]
fn st_01_a_small_window_is_kept() {
    let field = Field::with_filler(8, 12);
    let lab = lab(&field).with("HADAL_MODEL_CONTEXT_TOKENS", "8192");
    let reply = lab.research(&[&field.short_question(), "--task-scope", "large"]);
    let most = lab.chat.requests().iter().map(Received::tokens).max();
    assert_eq!(lab.chat.invoice().failed, 0, "a prompt of {most:?} tokens was refused: {}", reply["problems"]);
    let report = reply["result"].as_str().unwrap();
    let told = facts_told(&field, report);
    assert!(told >= MOST_FACTS, "{told} facts: {report}");
    assert_eq!(reply["metadata"]["model"], "custom/gemini-3.1-pro-preview", "no model wrote it: {report}");
}

/// ST-01: where nobody knows how much a model reads, its refusal tells: what is asked afterwards is smaller, and the report is written.
#[test]
fn st_01_a_window_is_learnt_from_a_refusal() {
    let field = Field::with_filler(8, 12);
    let lab = lab(&field).with("HADAL_MODEL", "custom/nobody-knows");
    let reply = lab.research(&[&field.short_question(), "--task-scope", "large"]);
    assert!(lab.chat.invoice().failed > 0, "the pages are too short to try anything");
    let report = reply["result"].as_str().unwrap();
    let told = facts_told(&field, report);
    assert!(told >= MOST_FACTS, "{told} facts: {report}");
    assert_eq!(reply["metadata"]["model"], "custom/nobody-knows", "no model wrote it: {report}");
}

/// ST-01: an Ollama is asked how much its model reads.
#[test]
fn st_01_ollama_tells_how_much_its_model_reads() {
    let field = Field::with_filler(8, 12);
    let lab = lab(&field);
    let host = lab.chat.ollama_host();
    let lab = lab.with("HADAL_MODEL", "ollama/tiny-8k").with("OLLAMA_HOST", &host);
    let reply = lab.research(&[&field.short_question(), "--task-scope", "large"]);
    let contexts: Vec<Option<u64>> = lab.chat.requests().iter().map(|asked| asked.num_ctx).collect();
    assert!(contexts.iter().all(|context| context.is_some_and(|tokens| tokens <= WINDOW)), "{contexts:?}");
    assert_eq!(lab.chat.invoice().failed, 0, "{}", reply["problems"]);
    let told = facts_told(&field, reply["result"].as_str().unwrap());
    assert!(told >= MOST_FACTS, "{told} facts: {reply:#}");
}

/// ST-01: a cheaper model takes the notes, and nothing else; `hadal config` shows it.
#[test]
fn st_01_a_second_model_takes_the_notes() {
    let field = Field::new(9);
    let lab = super::field::lab(&field, Temper::Honest).with("HADAL_MODEL_READER", "custom/cheap");
    lab.research(&[&field.short_question(), "--task-scope", "large"]);
    let asked = lab.chat.requests();
    assert!(asked.iter().any(|asked| asked.model == "cheap"));
    for one in &asked {
        let notes = one.prompt.starts_with("You take notes from pages");
        assert_eq!(one.model == "cheap", notes, "{} was asked: {}", one.model, one.prompt.lines().next().unwrap());
    }
    let (config, _) = lab.run(&["config"]);
    assert!(config.to_string().contains("custom/cheap"), "{config:#}");
}

/// ST-01: a model that thinks first has room for it.
#[test]
fn st_01_thoughts_have_room() {
    let field = Field::new(9);
    let asked_for = |name: &str| {
        let lab = super::field::lab(&field, Temper::Honest).with("HADAL_MODEL", name);
        lab.research(&[&field.short_question(), "--task-scope", "tiny"]);
        lab.chat.requests().iter().filter_map(|asked| asked.max_tokens).max().unwrap()
    };
    assert!(asked_for("custom/qwen3-32b") >= asked_for("custom/plain") + 2_000);
}
