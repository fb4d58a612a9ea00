//! Chat models: one question, one answer, whoever runs the model.
//!
//! The protocols are the `genai` crate's, but for [`ollama`], which has a file of its own. What the crate is given is ours: the client (one TLS stack, no redirects), the address and the key, so
//! that it reads no environment and guesses nothing. Answers come as a stream, which shows a hanging model long before
//! the whole time is over, and keeps what came before a connection broke. A model has no tools here.

mod fault;
mod lanes;
mod local;
mod ollama;
#[cfg(test)]
mod tests;
mod whole;
mod window;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatResponseFormat, ChatStreamEvent, JsonSpec, Usage as Counted};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use tokio::sync::OnceCell;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::lanes::Lanes;
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::model::chat::{Chat, ChatReply, Host, Model, Purpose, tokens_of};
use crate::core::model::json;
use crate::core::money::meter::Meter;
use crate::core::money::price::Tokens;
use crate::core::money::usage::Usage;
use crate::core::setup::settings::Settings;
use crate::core::setup::settings::models::ModelSettings;
use crate::world::{blocking, clock, http};

/// The chat models as one process sees them. A cheap handle.
#[derive(Clone, Debug)]
pub(crate) struct Models {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    settings: ModelSettings,
    /// Made with the first need of them: reading the system's certificates takes a while.
    clients: OnceCell<Clients>,
    /// Hosts that answered with one body where a stream was asked for. They are asked for a body from then on.
    unstreamed: Mutex<BTreeSet<Host>>,
    /// How fast each host is asked.
    lanes: Lanes,
}

#[derive(Debug)]
struct Clients {
    far: Client,
    /// A proxy is for the network, not for this machine.
    near: Client,
    /// The same without the crate.
    far_plain: reqwest::Client,
    near_plain: reqwest::Client,
}

/// The form that an answer is asked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Free,
    /// JSON by the schema of a round's answer.
    Schema,
}

/// What came over the stream.
#[derive(Debug, Default)]
struct Heard {
    text: String,
    /// Bytes of what the model thought aloud.
    thoughts: usize,
    /// The figures of whoever runs the model, if any were told.
    counted: Option<Tokens>,
    /// It broke off, or its length was used up.
    cut: bool,
    /// Whether it came in a form that could be read; else the reply had bytes, and none of them was an event.
    streamed: bool,
}

/// What one model answered, still without a price.
struct Answer {
    text: String,
    cut: bool,
    /// Whether its price is known.
    priced: bool,
}

impl Models {
    pub(crate) fn new(settings: &Settings) -> Self {
        let (settings, clients) = (settings.models.clone(), OnceCell::new());
        let (unstreamed, lanes) = (Mutex::default(), Lanes::default());
        Self { inner: Arc::new(Inner { settings, clients, unstreamed, lanes }) }
    }

    /// The models that can be asked: those that are set up, else one that runs on this machine.
    pub(crate) async fn available(&self) -> Vec<Model> {
        let settings = &self.inner.settings;
        let configured = settings.configured();
        if !configured.is_empty() || !settings.chain.is_empty() || !settings.find_local {
            return configured;
        }
        local::find(settings).await
    }

    /// Asks one model after the other until one answers. What each failed with is told with the answer, and what all of them used
    /// with either: also a question that broke off may be on the bill.
    pub(crate) async fn chat(&self, chat: &Chat, cancel: &CancellationToken) -> (Result<ChatReply>, Usage) {
        let mut meter = Meter::default();
        let reply = self.first_answer(chat, cancel, &mut meter).await;
        (reply, meter.total())
    }

    async fn first_answer(&self, chat: &Chat, cancel: &CancellationToken, meter: &mut Meter) -> Result<ChatReply> {
        let mut problems = Vec::new();
        for name in &chat.models {
            let model = Model::parse(name, self.inner.settings.base_url.is_some());
            match cancel.run_until_cancelled(self.retry_while_busy(&model, chat, meter)).await {
                None => return Err(Error::new(Code::Cancelled, "stopped while a model was asked")),
                Some(Ok(answer)) => return Ok(reply(&model, answer, problems)),
                Some(Err(error)) => problems.push(Problem { subject: name.clone(), error }),
            }
        }
        let Some(last) = problems.pop() else {
            return Err(Error::new(Code::EngineUnavailable, "no chat model is set up").hint("set `HADAL_MODEL`"));
        };
        let others: Vec<String> =
            problems.iter().map(|problem| format!("{}: {}", problem.subject, problem.error)).collect();
        Err(others.into_iter().fold(last.error, Error::hint))
    }

    /// Asks a model, and again when its trouble may pass. A host that has too much to do is left alone by everybody.
    async fn retry_while_busy(&self, model: &Model, chat: &Chat, meter: &mut Meter) -> Result<Answer> {
        let (lanes, host) = (&self.inner.lanes, self.place(model));
        let mut wait = limits::CHAT_WAIT;
        for last in (0..limits::CHAT_TRIES).map(|tried| tried + 1 == limits::CHAT_TRIES) {
            lanes.turn(&host).await;
            let error = match self.once(model, chat, meter).await {
                Err(error) if error.code.retryable() && error.code != Code::Timeout => error,
                answer => {
                    lanes.answered(&host);
                    return answer;
                }
            };
            let asked = error.retry_after.unwrap_or(wait);
            let too_long = asked > limits::CHAT_WAIT_MAX;
            if error.code == Code::QuotaExceeded && !too_long {
                lanes.refused(&host, asked);
            }
            if last || too_long {
                return Err(error);
            }
            if error.code != Code::QuotaExceeded {
                tokio::time::sleep(asked).await;
            }
            wait *= 2;
        }
        Err(Error::new(Code::Internal, "no model was asked"))
    }

    /// The server that a model is asked at, by a name of its own.
    fn place(&self, model: &Model) -> String {
        let settings = &self.inner.settings;
        match model.host {
            Host::Custom => settings.base_url.clone().unwrap_or_default(),
            Host::Ollama => settings.ollama.clone(),
            other => other.row().name.to_owned(),
        }
    }

    async fn once(&self, model: &Model, chat: &Chat, meter: &mut Meter) -> Result<Answer> {
        let limit = self.inner.settings.timeout;
        // What has streamed until the limit counts; a little later there is nothing to wait for.
        let whole = self.in_form(model, chat, limit, meter);
        tokio::time::timeout(limit + limits::CHAT_GRACE, whole).await.map_err(|_| fault::late(model, limit))?
    }

    /// Asks for JSON where an answer is to be read as such. Not every server takes a schema; its answer is then read out of its text.
    async fn in_form(&self, model: &Model, chat: &Chat, limit: Duration, meter: &mut Meter) -> Result<Answer> {
        if chat.purpose != Purpose::Round {
            return self.answer(model, chat, (Form::Free, limit), meter).await;
        }
        match self.answer(model, chat, (Form::Schema, limit), meter).await {
            Err(error) if error.code == Code::ProviderRefused => {
                self.answer(model, chat, (Form::Free, limit), meter).await
            }
            answer => answer,
        }
    }

    /// Asks once, and counts what it used.
    async fn answer(&self, model: &Model, chat: &Chat, how: (Form, Duration), meter: &mut Meter) -> Result<Answer> {
        let heard = self.heard(model, chat, how, meter).await;
        let Heard { text, thoughts, counted, cut, .. } = heard.inspect_err(|error| meter.failed(error.code))?;
        let tokens = counted.unwrap_or_else(|| Tokens {
            input: tokens_of(&chat.system) + tokens_of(&chat.prompt),
            output: tokens_of(&text),
            thought: (thoughts / 4) as u64,
            ..Tokens::default()
        });
        let quote = model.cost(clock::now_ms(), tokens);
        // An answer of thoughts alone is billed as well.
        meter.told(Usage {
            tokens_in: tokens.input,
            tokens_out: tokens.output + tokens.thought,
            cost: quote.cost,
            cost_unknown: !quote.known,
        });
        if text.trim().is_empty() {
            return Err(Error::new(Code::ExecutionError, format!("the model `{model}` answered nothing")));
        }
        Ok(Answer { text, cut, priced: quote.known })
    }

    /// Asks in the protocol of the model's host.
    async fn heard(&self, model: &Model, chat: &Chat, how: (Form, Duration), meter: &mut Meter) -> Result<Heard> {
        let (form, limit) = how;
        let clients = self.clients().await?;
        if model.host == Host::Ollama {
            let base = &self.inner.settings.ollama;
            let client = if http::is_loopback(base) { &clients.near_plain } else { &clients.far_plain };
            meter.sent(chat.expected_of(model));
            return ollama::ask((client, base), model, chat, form, limit).await;
        }
        let target = self.target(model)?;
        let near = http::is_loopback(target.endpoint.base_url());
        let unstreamed = || self.inner.unstreamed.lock().unwrap_or_else(PoisonError::into_inner);
        if !unstreamed().contains(&model.host) {
            meter.sent(chat.expected_of(model));
            let client = if near { &clients.near } else { &clients.far };
            let heard = stream(client, target.clone(), (model, chat), how).await?;
            // Only servers of the user's own do that; the question that could not be read stays counted.
            if heard.streamed || !matches!(model.host, Host::Custom | Host::LlamaCpp) {
                return Ok(heard);
            }
            unstreamed().insert(model.host);
        }
        let server = whole::Server {
            client: if near { &clients.near_plain } else { &clients.far_plain },
            base: target.endpoint.base_url(),
            key: self.key(model),
        };
        meter.sent(chat.expected_of(model));
        whole::ask(server, model, chat, form).await
    }

    /// Servers without keys ignore it; without any the crate refuses to ask.
    fn key(&self, model: &Model) -> &str {
        self.inner.settings.key(model.host).map_or("none", |key| key.reveal())
    }

    /// Whether a model runs on this machine.
    pub(crate) fn is_near(&self, model: &Model) -> bool {
        self.target(model).is_ok_and(|target| http::is_loopback(target.endpoint.base_url()))
    }

    /// Where a model is asked, and with which key.
    fn target(&self, model: &Model) -> Result<ServiceTarget> {
        let settings = &self.inner.settings;
        if let Some(lacks) = settings.lacks(model) {
            return Err(Error::new(Code::NotAuthenticated, format!("the model `{model}` cannot be asked: {lacks}")));
        }
        let (adapter, base) = match model.host {
            Host::OpenAi => (AdapterKind::OpenAI, "https://api.openai.com/v1/".to_owned()),
            Host::Anthropic => (AdapterKind::Anthropic, "https://api.anthropic.com/v1/".to_owned()),
            Host::Gemini => (AdapterKind::Gemini, "https://generativelanguage.googleapis.com/v1beta/".to_owned()),
            Host::Groq => (AdapterKind::Groq, "https://api.groq.com/openai/v1/".to_owned()),
            Host::DeepSeek => (AdapterKind::DeepSeek, "https://api.deepseek.com/v1/".to_owned()),
            Host::Mistral => (AdapterKind::OpenAI, "https://api.mistral.ai/v1/".to_owned()),
            Host::Xai => (AdapterKind::Xai, "https://api.x.ai/v1/".to_owned()),
            Host::OpenRouter => (AdapterKind::OpenAI, "https://openrouter.ai/api/v1/".to_owned()),
            // Not asked here: see `ollama`.
            Host::Ollama => (AdapterKind::OpenAI, format!("{}/v1/", settings.ollama)),
            Host::LlamaCpp => (AdapterKind::OpenAI, format!("{}/v1/", local::LLAMA_CPP)),
            Host::Custom => (AdapterKind::OpenAI, format!("{}/", settings.base_url.as_deref().unwrap_or_default())),
        };
        Ok(ServiceTarget {
            endpoint: Endpoint::from_owned(base),
            auth: AuthData::from_single(self.key(model)),
            model: ModelIden::new(adapter, model.name.as_str()),
        })
    }

    async fn clients(&self) -> Result<&Clients> {
        let make = || async {
            let make = || Ok((http::client(http::builder())?, http::client(http::builder().no_proxy())?));
            let (far_plain, near_plain) = blocking("making an HTTP client", make).await?;
            let wrap =
                |client: &reqwest::Client| Client::builder().with_reqwest(client.clone()).build().map_err(no_client);
            Ok::<_, Error>(Clients { far: wrap(&far_plain)?, near: wrap(&near_plain)?, far_plain, near_plain })
        };
        self.inner.clients.get_or_try_init(make).await
    }
}

/// Asks through the crate and listens to the answer.
async fn stream(
    client: &Client,
    target: ServiceTarget,
    (model, chat): (&Model, &Chat),
    (form, limit): (Form, Duration),
) -> Result<Heard> {
    let deadline = Instant::now() + limit;
    let (events, others) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (is_event, is_other) = (Arc::clone(&events), Arc::clone(&others));
    let options = options(chat, form, limit).with_raw_frame_fn(move |_, frame| {
        let kind = if frame.data.is_empty() { &is_other } else { &is_event };
        kind.store(true, Ordering::Relaxed);
    });
    let request = ChatRequest::from_user(chat.prompt.clone()).with_system(chat.system.clone());
    let failed = |error| fault::of(model, error);
    let mut stream = client.exec_chat_stream(target, request, Some(&options)).await.map_err(failed)?.stream;
    let mut heard = Heard { cut: true, ..Heard::default() };
    loop {
        let event = match tokio::time::timeout_at(deadline, stream.next()).await {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(_late) if heard.text.len() >= limits::CHAT_WORTH_BYTES => break,
            Err(_late) => return Err(fault::late(model, limit)),
        };
        match event {
            Ok(ChatStreamEvent::Chunk(chunk)) => heard.text.push_str(&chunk.content),
            Ok(ChatStreamEvent::ReasoningChunk(chunk)) => heard.thoughts += chunk.content.len(),
            Ok(ChatStreamEvent::End(end)) => {
                heard.cut = end.captured_stop_reason.is_some_and(|reason| reason.is_max_tokens());
                heard.counted = end.captured_usage.and_then(tokens);
            }
            Ok(_) => {}
            // Half an answer is paid for and may be of use; a few words are not.
            Err(_broken) if heard.text.len() >= limits::CHAT_WORTH_BYTES => break,
            Err(error) => return Err(failed(error)),
        }
        if heard.text.len() + heard.thoughts > chat.most_bytes() {
            break;
        }
    }
    heard.streamed = events.load(Ordering::Relaxed) || !others.load(Ordering::Relaxed);
    Ok(heard)
}

fn options(chat: &Chat, form: Form, limit: Duration) -> ChatOptions {
    let options = ChatOptions::default()
        .with_capture_usage(true)
        .with_max_tokens(chat.max_tokens)
        // Reading a long prompt takes a small machine minutes; after that something comes every second.
        .with_stream_header_timeout(limit)
        .with_stream_read_timeout(limits::CHAT_IDLE.min(limit));
    match form {
        Form::Free => options,
        Form::Schema => {
            options.with_response_format(ChatResponseFormat::JsonSpec(JsonSpec::new("answer", json::schema())))
        }
    }
}

fn no_client(error: impl std::fmt::Display) -> Error {
    Error::new(Code::Internal, format!("no HTTP client: {error}"))
}

/// The figures of the provider, when they are any.
fn tokens(counted: Counted) -> Option<Tokens> {
    let count = |figure: Option<i32>| figure.and_then(|figure| u64::try_from(figure).ok());
    let thought = counted.completion_tokens_details.as_ref().and_then(|details| count(details.reasoning_tokens));
    let cached = counted.prompt_tokens_details.as_ref().and_then(|details| count(details.cached_tokens));
    let output = count(counted.completion_tokens)?;
    // Thoughts are part of what providers call the completion.
    let thought = thought.unwrap_or(0).min(output);
    Some(Tokens {
        input: count(counted.prompt_tokens)?,
        cached: cached.unwrap_or(0),
        output: output - thought,
        thought,
        ..Tokens::default()
    })
}

fn reply(model: &Model, answer: Answer, mut problems: Vec<Problem>) -> ChatReply {
    if !answer.priced {
        let message = format!("no price is known for the model `{model}`; what it cost is not known");
        problems.push(Problem { subject: model.to_string(), error: Error::new(Code::PriceUnknown, message) });
    }
    ChatReply { text: answer.text, model: model.to_string(), cut: answer.cut, problems }
}
