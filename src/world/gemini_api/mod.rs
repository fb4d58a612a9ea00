//! Google's Interactions API: hosted research runs, and questions to a model with web tools.
//!
//! Every request keeps a distance to the one before it and has a limit of time and size. A create is sent once, over a connection of its
//! own (a reused one may be dead already, and then nobody knows what happened); whether it may be sent again is for the
//! method to say. The key travels in a header and stands in no message.

mod ask;
mod follow;
mod limiter;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::core::agent::{Create, Refusal, Snapshot, Worker, google, uncertain};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::setup::settings::Settings;
use crate::world::blocking;
use crate::world::http::{self, Broken};
use limiter::{Haste, RequestLimiter};

/// The API as one process sees it. A cheap handle.
#[derive(Clone, Debug)]
pub(crate) struct GeminiApi {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    base: String,
    key: Option<crate::core::base::secrets::Secret>,
    /// The clients, made with the first need of them: reading the system's certificates takes a while.
    clients: tokio::sync::OnceCell<Clients>,
    limiter: RequestLimiter,
    in_flight: Semaphore,
    streams: Arc<Semaphore>,
    interval: Duration,
    resolve_redirects: bool,
}

#[derive(Debug)]
struct Clients {
    /// For everything that may be repeated.
    pooled: reqwest::Client,
    /// One connection per request.
    fresh: reqwest::Client,
}

/// Why a request brought no answer.
#[derive(Clone, Debug)]
enum ApiFailure {
    /// It never left: no connection.
    NotSent(Error),
    /// It left, and what became of it is not known.
    Unclear(Error),
    /// The far side said no.
    Refused(Refusal),
}

impl ApiFailure {
    fn error(self) -> Error {
        match self {
            Self::NotSent(error) | Self::Unclear(error) => error,
            Self::Refused(refusal) => refusal.error(),
        }
    }
}

/// One request.
struct Request<'a> {
    method: Method,
    /// Below the version.
    path: &'a str,
    body: Option<&'a Value>,
    haste: Haste,
    limit: Duration,
    /// Over a connection of its own.
    fresh: bool,
}

impl<'a> Request<'a> {
    /// An urgent request without a body.
    fn new(method: Method, path: &'a str, limit: Duration) -> Self {
        Self { method, path, body: None, haste: Haste::Urgent, limit, fresh: false }
    }
}

impl GeminiApi {
    pub(crate) fn new(settings: &Settings) -> Self {
        let base = format!("{}/{}", settings.hosted.base_url.trim_end_matches('/'), settings.hosted.version);
        Self {
            inner: Arc::new(Inner {
                base,
                key: settings.gemini_api_key.clone(),
                clients: tokio::sync::OnceCell::new(),
                limiter: RequestLimiter::new(settings.hosted.requests_per_second),
                in_flight: Semaphore::new(limits::PROVIDER_IN_FLIGHT),
                streams: Arc::new(Semaphore::new(limits::STREAMS)),
                interval: settings.hosted.poll,
                resolve_redirects: settings.resolve_redirects,
            }),
        }
    }

    /// Whether there is a key to ask with.
    pub(crate) fn has_key(&self) -> bool {
        self.inner.key.is_some()
    }

    /// Starts a run. An error other than [`Code::PaidRunUncertain`] means that none was started.
    pub(crate) async fn create(&self, create: &Create, task: TaskId) -> Result<Snapshot> {
        let body = create_body(create, task);
        let request = Request::new(Method::POST, "interactions", limits::CREATE_REPLY);
        let request = Request { body: Some(&body), fresh: true, ..request };
        match self.send(request).await {
            Ok(reply) => google::interaction(&reply).map_err(|error| uncertain(&error.message)),
            Err(ApiFailure::Unclear(error)) => Err(uncertain(&error.message)),
            Err(ApiFailure::Refused(Refusal::Server(error))) => Err(uncertain(&error.message)),
            Err(ApiFailure::Refused(Refusal::Missing(error))) if create.previous.is_some() => {
                Err(error.hint("or the research to go on from is no longer kept by Google"))
            }
            Err(trouble) => Err(trouble.error()),
        }
    }

    async fn get(&self, id: &str, haste: Haste) -> Result<Snapshot, ApiFailure> {
        let path = format!("interactions/{id}");
        let request = Request { haste, ..Request::new(Method::GET, &path, limits::PROVIDER_REPLY) };
        let reply = self.send(request).await?;
        google::interaction(&reply).map_err(ApiFailure::Unclear)
    }

    /// Stops a run and looks what there is of it. Whether a cancel worked is only known by looking: it may answer with a fault
    /// and work, and a look may lag behind it.
    pub(crate) async fn cancel(&self, id: &str) -> Result<Snapshot> {
        let path = format!("interactions/{id}/cancel");
        let stop = || Request::new(Method::POST, &path, limits::PROVIDER_CANCEL);
        let mut last: Option<Snapshot> = None;
        let mut said = self.send(stop()).await;
        let trying = async {
            for look in 0..limits::USAGE_LOOKS {
                if look > 0 {
                    tokio::time::sleep(self.inner.interval.min(Duration::from_secs(1))).await;
                }
                let Ok(seen) = self.get(id, Haste::Urgent).await else { continue };
                let over = seen.status.is_over();
                let told = seen.tokens.is_some();
                match &mut last {
                    Some(last) => last.take_newer(seen),
                    None => last = Some(seen),
                }
                if over && told {
                    break;
                }
                // Still at work: the cancel did not reach it.
                if !over && said.is_err() {
                    said = self.send(stop()).await;
                }
            }
        };
        let _in_time = tokio::time::timeout(limits::PROVIDER_CANCEL, trying).await;
        match (last, said) {
            (Some(seen), _) if seen.status.is_over() => Ok(seen),
            (Some(seen), Ok(_)) => Ok(seen),
            (None, Ok(reply)) => google::interaction(&reply),
            (_, Err(trouble)) => {
                let error = trouble.error();
                Err(Error { message: format!("the run may go on and be billed: {}", error.message), ..error })
            }
        }
    }

    /// Asks for a run to be deleted. It may be refused, and nobody may rely on it.
    pub(crate) async fn delete(&self, id: &str) -> Result<()> {
        let path = format!("interactions/{id}");
        let request = Request::new(Method::DELETE, &path, limits::PROVIDER_CANCEL);
        let request = Request { haste: Haste::Patient, ..request };
        match self.exchange(request).await {
            Ok(_) | Err(ApiFailure::Refused(Refusal::Missing(_))) => Ok(()),
            Err(trouble) => Err(trouble.error()),
        }
    }

    async fn clients(&self) -> Result<&Clients> {
        self.inner
            .clients
            .get_or_try_init(|| async {
                let loopback = http::is_loopback(&self.inner.base);
                blocking("making an HTTP client", move || {
                    // A proxy is for the network, not for this machine.
                    let builder = || if loopback { http::builder().no_proxy() } else { http::builder() };
                    let pooled = http::client(builder())?;
                    Ok(Clients { pooled, fresh: http::client(builder().pool_max_idle_per_host(0))? })
                })
                .await
            })
            .await
    }

    /// A request with the key, when it is its turn.
    async fn prepare(&self, request: &Request<'_>) -> Result<reqwest::RequestBuilder, ApiFailure> {
        let Some(key) = &self.inner.key else { return Err(ApiFailure::NotSent(no_key())) };
        let clients = self.clients().await.map_err(ApiFailure::NotSent)?;
        let client = if request.fresh { &clients.fresh } else { &clients.pooled };
        let url = format!("{}/{}", self.inner.base, request.path);
        let mut built = client
            .request(request.method.clone(), url)
            .header("x-goog-api-key", key.reveal())
            .header(reqwest::header::CONTENT_TYPE, "application/json");
        built = match request.body {
            Some(body) => built.body(body.to_string()),
            None if request.method == Method::POST => built.body(""),
            None => built,
        };
        self.inner.limiter.turn(request.haste).await;
        Ok(built)
    }

    async fn send(&self, request: Request<'_>) -> Result<Value, ApiFailure> {
        let body = self.exchange(request).await?;
        serde_json::from_str(&body).map_err(|error| {
            ApiFailure::Unclear(Error::new(Code::ExecutionError, format!("the reply is not JSON: {error}")))
        })
    }

    /// One request, and the body of its reply when that is a success.
    async fn exchange(&self, request: Request<'_>) -> Result<String, ApiFailure> {
        let prepared = self.prepare(&request).await?;
        let Ok(_place) = self.inner.in_flight.acquire().await else {
            return Err(ApiFailure::NotSent(Error::new(Code::ShuttingDown, "hadal is shutting down")));
        };
        let exchange = async {
            let reply = prepared.header(reqwest::header::ACCEPT, "application/json").send().await.map_err(lost)?;
            let status = reply.status().as_u16();
            let told = http::retry_after(reply.headers());
            let body = http::read(reply, limits::PROVIDER_BYTES).await.map_err(|broken| match broken {
                Broken::Cut(error) => lost(error),
                Broken::TooLarge => {
                    let message = format!("the reply is larger than {} MB", limits::PROVIDER_BYTES >> 20);
                    ApiFailure::Unclear(Error::new(Code::OutputTooLarge, message))
                }
            })?;
            let body = text(body);
            match status {
                200..=299 => Ok(body),
                status => Err(ApiFailure::Refused(google::refusal(status, told, &body))),
            }
        };
        match tokio::time::timeout(request.limit, exchange).await {
            Ok(answer) => answer,
            Err(_late) => {
                let seconds = request.limit.as_secs();
                let message = format!("Google's API did not answer within {seconds} s");
                Err(ApiFailure::Unclear(Error::new(Code::Timeout, message)))
            }
        }
    }
}

fn text(body: Vec<u8>) -> String {
    String::from_utf8(body).unwrap_or_else(|fault| String::from_utf8_lossy(fault.as_bytes()).into_owned())
}

/// Whether anything was sent decides everything: without a connection nothing was.
fn lost(error: reqwest::Error) -> ApiFailure {
    let why = http::innermost(&error);
    if error.is_connect() || error.is_builder() {
        let message = format!("Google's API cannot be reached: {why}");
        return ApiFailure::NotSent(
            Error::new(Code::ProviderUnreachable, message)
                .hint("check the network, the proxy settings and `GOOGLE_GEMINI_BASE_URL`; `hadal doctor` shows them"),
        );
    }
    ApiFailure::Unclear(Error::new(Code::ExecutionError, format!("the connection to Google's API broke: {why}")))
}

pub(crate) fn no_key() -> Error {
    Error::new(Code::NotAuthenticated, "`GEMINI_API_KEY` is not set")
        .hint("make a key in Google AI Studio (deep research needs a project with billing) and set `GEMINI_API_KEY`")
        .hint("`hadal deep-search` and `hadal deep-research` work without it where Gemini CLI or local documents are there")
}

fn create_body(create: &Create, task: TaskId) -> Value {
    // By the label a user finds a run whose reply was lost in Google's console.
    let labels = json!({"hadal_task": task.to_string()});
    let mut body = json!({"input": create.input, "background": true, "store": true, "labels": labels});
    match &create.worker {
        Worker::Agent(agent) => {
            body["agent"] = json!(agent);
            body["agent_config"] = json!({
                "type": "deep-research",
                "thinking_summaries": "auto",
                // Always said: approving a plan needs an explicit `false`.
                "collaborative_planning": create.plan_only,
            });
        }
        Worker::Model(model) => {
            body["model"] = json!(model);
            body["tools"] = json!([{"type": "google_search"}, {"type": "url_context"}]);
        }
    }
    if let Some(previous) = &create.previous {
        body["previous_interaction_id"] = json!(previous);
    }
    body
}

#[cfg(test)]
mod tests;
