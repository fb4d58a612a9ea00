//! Who is asked, in which order, with which key; and models that run on this machine.

use sim::chat::{MODEL, Say};
use sim::web::QUESTION;

use super::script::{asks_for_report, reader, reported};
use super::{Lab, problems};

/// A local model is found by itself; what cannot chat is passed over; it costs nothing.
#[test]
fn a_local_model_is_found() {
    let lab = Lab::new(reader);
    let host = lab.chat.ollama_host();
    let lab = lab
        .with("HADAL_MODEL", "")
        .with("HADAL_MODEL_BASE_URL", "")
        .with("OLLAMA_HOST", &host)
        .with("HADAL_FIND_LOCAL_MODELS", "yes")
        .with("HADAL_SEARCH_PROVIDERS", "wikipedia");
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    assert_eq!(reply["metadata"]["model"], format!("ollama/{MODEL}"), "{reply:#}");
    assert_eq!(reply["metadata"]["cost_usd"], 0.0);
    assert!(reply["metadata"]["tokens_used"]["input"].as_u64().unwrap() > 0);
    let (doctor, _) = lab.run(&["doctor"]);
    assert!(doctor.to_string().contains(&format!("the chat model ollama/{MODEL} can be asked")), "{doctor:#}");
}

/// The chain: a model that fails gives way to the next, which is told, and so is a price that nobody knows.
#[test]
fn the_next_model_of_the_chain_is_asked() {
    let lab = Lab::new(|asked| match asked.model.as_str() {
        "broken" => Say::NoSuchModel,
        _ => reader(asked),
    })
    .with("HADAL_MODEL", "custom/broken,custom/unpriced")
    .with("HADAL_MODEL_API_KEY", "sk-canary");
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    assert_eq!(reply["metadata"]["model"], "custom/unpriced", "{reply:#}");
    assert!(problems(&reply).contains("MODEL_NOT_FOUND") && problems(&reply).contains("PRICE_UNKNOWN"), "{reply:#}");
    assert!(lab.chat.requests().iter().all(|asked| asked.key.as_deref() == Some("sk-canary")));
    assert!(!reply.to_string().contains("sk-canary"));
    let agent = lab.chat.requests()[0].user_agent.clone().unwrap();
    assert!(agent.starts_with("hadal/"), "{agent}");
}

/// A passing trouble is waited out as the host asks; an answer that broke off late is used and marked.
#[test]
fn passing_troubles_pass() {
    let lab = Lab::new(|asked| match asked.number {
        0 => Say::RateLimited(Some(0)),
        1 => Say::Drop,
        _ => reader(asked),
    });
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    // The notes at the third try, then the report.
    assert_eq!((lab.chat.requests().len(), reply["partial"].as_bool()), (4, None), "{reply:#}");
    let lab = Lab::new(move |asked| match asks_for_report(asked) {
        true => Say::Cut(format!("{} ", reported(asked)).repeat(30), 700),
        false => reader(asked),
    });
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    let reports = lab.chat.requests().iter().filter(|asked| asks_for_report(asked)).count();
    assert_eq!((reports, reply["partial"].as_bool()), (1, Some(true)), "{reply:#}");
    assert!(reply["note"].as_str().unwrap().contains("broke off"), "{reply:#}");
}

/// Figures that a server does not send are estimated, not left out: a token budget must hold.
#[test]
fn uncounted_tokens_are_estimated() {
    let lab = Lab::new(|asked| match reader(asked) {
        Say::Text(text) => Say::Uncounted(text),
        other => other,
    });
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    assert!(reply["metadata"]["tokens_used"]["input"].as_u64().unwrap() > 100, "{reply:#}");
}

/// A pinned engine without a model says what to do; `auto` without anything names every way.
#[test]
fn without_a_model_the_way_is_told() {
    let lab = Lab::new(reader).with("HADAL_MODEL", "openai/gpt-5").with("HADAL_MODEL_BASE_URL", "");
    let (reply, _) = lab.run(&["deep-research", QUESTION, "--engine", "native"]);
    assert_eq!(reply["error"]["code"], "ENGINE_UNAVAILABLE", "{reply:#}");
    assert!(reply.to_string().contains("HADAL_MODEL"), "{reply:#}");
    assert!(lab.chat.requests().is_empty());
}
