//! The real client against a scripted server, over real sockets.

use sim::chat::{Chat as Server, MODEL, Received, Say};

use super::*;

const PROMPT: &str = "What is the ship called?";

/// A client whose only model is the server's.
struct Bench {
    server: Server,
    models: Models,
    _home: tempfile::TempDir,
}

fn bench(script: impl Fn(&Received) -> Say + Send + Sync + 'static) -> Bench {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(script).unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.models.base_url = Some(server.url());
    settings.models.chain = Model::chain(MODEL, true).unwrap();
    settings.models.timeout = sim::wait::SAFETY_NET;
    Bench { models: Models::new(&settings), server, _home: home }
}

impl Bench {
    async fn ask(&self, purpose: Purpose) -> (Result<ChatReply>, Usage) {
        let models = self.models.available().await.iter().map(ToString::to_string).collect();
        let chat = Chat { purpose, models, system: "Be brief.".into(), prompt: PROMPT.into(), max_tokens: 77 };
        self.models.chat(&chat, &CancellationToken::new()).await
    }
}

/// What is sent is what was asked, and what comes back is what was said and what it used, to the token.
#[tokio::test]
async fn a_question_and_its_answer() {
    let bench = bench(|_| Say::Text("The Lark — so it is.".into()));
    let (chatted, usage) = bench.ask(Purpose::Answer).await;
    let chatted = chatted.unwrap();
    assert_eq!((chatted.text.as_str(), chatted.cut, chatted.problems.len()), ("The Lark — so it is.", false, 0));
    assert_eq!(chatted.model, format!("custom/{MODEL}"));
    let sent = &bench.server.requests()[0];
    assert_eq!((sent.system.as_str(), sent.prompt.as_str(), sent.max_tokens), ("Be brief.", PROMPT, Some(77)));
    let invoice = bench.server.invoice();
    assert_eq!((usage.tokens_in, usage.tokens_out), (invoice.prompt_tokens, invoice.completion_tokens));
    assert_eq!(usage.cost.micros(), invoice.micros);
}

/// A server that takes the wish for a stream and answers with one body is understood. The question is asked twice the first time, and
/// both are counted; after that once.
#[tokio::test]
async fn an_answer_in_one_body_is_read() {
    let bench = bench(|_| Say::Whole("The Lark.".into()));
    for requests in [2, 3] {
        let (chatted, usage) = bench.ask(Purpose::Answer).await;
        let chatted = chatted.unwrap();
        assert_eq!((chatted.text.as_str(), chatted.cut, bench.server.requests().len()), ("The Lark.", false, requests));
        let billed = bench.server.bills().last().unwrap().1;
        assert!(usage.cost.micros() >= billed * if requests == 2 { 2 } else { 1 }, "{usage:?}");
        assert!(requests == 2 || usage.cost.micros() == billed, "{usage:?}");
    }
    let sent = bench.server.requests();
    let asked = |at: usize| (sent[at].system.as_str(), sent[at].prompt.as_str(), sent[at].max_tokens);
    assert_eq!(asked(1), asked(0));
}

/// What a refusal means, and how often it is tried.
#[tokio::test]
async fn refusals_have_codes() {
    for (say, code, tries) in [
        (Say::Unauthorized, Code::NotAuthenticated, 1),
        (Say::NoSuchModel, Code::ModelNotFound, 1),
        (Say::RateLimited(Some(0)), Code::QuotaExceeded, 3),
        (Say::RateLimited(Some(3_600)), Code::QuotaExceeded, 1),
    ] {
        let script = say.clone();
        let bench = bench(move |_| script.clone());
        let (answer, usage) = bench.ask(Purpose::Answer).await;
        let error = answer.unwrap_err();
        assert_eq!(usage, Usage::ZERO, "PR-01: a refusal costs nothing");
        assert_eq!((error.code, bench.server.requests().len()), (code, tries), "{say:?}: {error}");
    }
}

/// A server that is ill, silent or broken is tried again; the last word is an error that can pass.
#[tokio::test]
async fn broken_answers_are_tried_again() {
    for say in [Say::Internal, Say::Drop, Say::Empty, Say::Garbage, Say::Cut("Too short.".into(), 5)] {
        let script = say.clone();
        let bench = bench(move |asked| match asked.number {
            0 => script.clone(),
            _ => Say::Text("The Lark.".into()),
        });
        let (chatted, usage) = bench.ask(Purpose::Answer).await;
        let chatted = chatted.unwrap();
        assert_eq!((chatted.text.as_str(), bench.server.requests().len()), ("The Lark.", 2), "{say:?}");
        // PR-01: also the one that broke off may be on the bill.
        let invoice = bench.server.invoice();
        assert!(usage.tokens() >= invoice.prompt_tokens + invoice.completion_tokens, "{say:?}: {usage:?}");
        assert!(usage.cost.micros() >= invoice.micros, "{say:?}: {usage:?}");
    }
}

#[tokio::test]
async fn nobody_there_is_told() {
    let bench = bench(|_| Say::Drop);
    let mut settings = Settings::defaults("unused".as_ref());
    settings.models.base_url = Some("http://127.0.0.1:1/v1".into());
    let models = Models::new(&settings);
    let chat = Chat {
        purpose: Purpose::Queries,
        models: vec!["custom/x".into(), "openai/y".into()],
        system: String::new(),
        prompt: PROMPT.into(),
        max_tokens: 1,
    };
    let (answer, usage) = models.chat(&chat, &CancellationToken::new()).await;
    let error = answer.unwrap_err();
    assert_eq!(usage, Usage::ZERO, "nobody was reached");
    assert_eq!(error.code, Code::NotAuthenticated, "the last of the chain");
    assert!(error.hints.iter().any(|hint| hint.contains("PROVIDER_UNREACHABLE")), "{error:?}");
    assert!(models.chat(&Chat { models: Vec::new(), ..chat }, &CancellationToken::new()).await.0.is_err());
    assert!(bench.server.requests().is_empty());
}

/// A cancel ends a question at once.
#[tokio::test]
async fn a_cancel_ends_a_question() {
    let bench = bench(|_| Say::Slow(sim::wait::SAFETY_NET, "late".into()));
    let cancel = CancellationToken::new();
    let chat = Chat {
        purpose: Purpose::Answer,
        models: vec![format!("custom/{MODEL}")],
        system: String::new(),
        prompt: PROMPT.into(),
        max_tokens: 1,
    };
    let asking = bench.models.chat(&chat, &cancel);
    let stopping = async {
        sim::wait::until_beside("the question", || !bench.server.requests().is_empty()).await;
        cancel.cancel();
    };
    let ((answer, usage), ()) = tokio::join!(asking, stopping);
    assert_eq!(answer.unwrap_err().code, Code::Cancelled);
    assert_eq!(usage, chat.expected(), "PR-01: it was sent, so it may be on the bill");
}

/// An Ollama whose only model is the server's.
fn ollama(script: impl Fn(&Received) -> Say + Send + Sync + 'static) -> (Bench, String) {
    let bench = bench(script);
    let mut settings = Settings::defaults("unused".as_ref());
    settings.models.ollama = format!("http://{}", bench.server.ollama_host());
    settings.models.timeout = sim::wait::SAFETY_NET;
    (Bench { models: Models::new(&settings), ..bench }, format!("ollama/{MODEL}"))
}

/// Ollama is asked in its own protocol, with room for the whole prompt and its answer: nothing of a long question is cut.
#[tokio::test]
async fn an_ollama_gets_the_whole_prompt() {
    for words in [10, 9_000, 20_000] {
        let (bench, model) = ollama(|_| Say::Text("The Lark — so it is.".into()));
        let prompt = format!("What is the ship called? {} The end.", "word ".repeat(words));
        let chat = Chat {
            purpose: Purpose::Answer,
            models: vec![model.clone()],
            system: "Be brief.".into(),
            prompt: prompt.clone(),
            max_tokens: 2_000,
        };
        let (answer, usage) = bench.models.chat(&chat, &CancellationToken::new()).await;
        let answer = answer.unwrap();
        assert_eq!((answer.text.as_str(), answer.cut, answer.model), ("The Lark — so it is.", false, model));
        let sent = &bench.server.requests()[0];
        assert_eq!(
            (sent.path.as_str(), sent.system.as_str(), &sent.prompt),
            ("/api/chat", "Be brief.", &prompt),
            "{words}"
        );
        assert_eq!((sent.max_tokens, sent.think), (Some(2_000), None));
        let invoice = bench.server.invoice();
        assert_eq!((usage.tokens_in, usage.tokens_out), (invoice.prompt_tokens, invoice.completion_tokens));
    }
}

/// What an Ollama refuses or breaks off, and an answer that used up its length.
#[tokio::test]
async fn an_ollama_in_trouble_is_told() {
    let chat = |model: &str, purpose, max_tokens| Chat {
        purpose,
        models: vec![model.to_owned()],
        system: "Be brief.".into(),
        prompt: PROMPT.into(),
        max_tokens,
    };
    for (say, code, tries) in [
        (Say::NoSuchModel, Code::ModelNotFound, 1),
        (Say::Refused(400, "does not support thinking".into()), Code::ProviderRefused, 1),
        (Say::RateLimited(Some(3_600)), Code::ExecutionError, 1),
    ] {
        let script = say.clone();
        let (bench, model) = ollama(move |_| script.clone());
        let (answer, _) = bench.models.chat(&chat(&model, Purpose::Answer, 77), &CancellationToken::new()).await;
        assert_eq!((answer.unwrap_err().code, bench.server.requests().len()), (code, tries), "{say:?}");
    }
    for say in [Say::Internal, Say::Drop, Say::Empty, Say::Garbage, Say::Cut("Too short.".into(), 5)] {
        let script = say.clone();
        let (bench, model) = ollama(move |asked| match asked.number {
            0 => script.clone(),
            _ => Say::Text("The Lark.".into()),
        });
        let (answer, _) = bench.models.chat(&chat(&model, Purpose::Queries, 77), &CancellationToken::new()).await;
        assert_eq!((answer.unwrap().text.as_str(), bench.server.requests().len()), ("The Lark.", 2), "{say:?}");
        assert_eq!(bench.server.requests()[0].think, Some(false), "a list of queries needs no thoughts");
    }
    let (bench, model) = ollama(|_| Say::Text("word ".repeat(1_000)));
    let (answer, _) = bench.models.chat(&chat(&model, Purpose::Answer, 200), &CancellationToken::new()).await;
    let answer = answer.unwrap();
    assert!(answer.cut && answer.text.len() < 1_000, "{answer:?}");
}

/// ST-01: a host that has too much to do is left alone by every question, also by one that it has not seen yet, for as long as it says
/// and for a second where it does not say.
#[tokio::test]
async fn a_refusal_holds_every_question_to_its_host() {
    for wait in [Some(1), None] {
        let refused_at = std::sync::Arc::new(std::sync::Mutex::new(None::<std::time::Instant>));
        let early = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let (first, came) = (std::sync::Arc::clone(&refused_at), std::sync::Arc::clone(&early));
        let bench = bench(move |asked| {
            let mut first = first.lock().unwrap();
            if asked.number == 0 {
                *first = Some(std::time::Instant::now());
                return Say::RateLimited(wait);
            }
            came.lock().unwrap().extend(first.map(|at| at.elapsed()));
            Say::Text("The Lark.".into())
        });
        let place = bench.models.place(&Model::parse(MODEL, true));
        let others = async {
            sim::wait::until_beside("the refusal", || bench.models.inner.lanes.is_held(&place)).await;
            tokio::join!(bench.ask(Purpose::Queries), bench.ask(Purpose::Answer))
        };
        let (one, two) = tokio::join!(bench.ask(Purpose::Answer), others);
        assert!(one.0.is_ok() && two.0.0.is_ok() && two.1.0.is_ok());
        let early = early.lock().unwrap().clone();
        assert_eq!(early.len(), 3);
        assert!(early.iter().all(|after| *after >= Duration::from_millis(950)), "{wait:?}: {early:?}");
    }
}
