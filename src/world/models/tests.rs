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
