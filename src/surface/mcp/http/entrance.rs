//! Who is let in: a request's host, origin, rate and token, and then the sessions of whoever it is.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HOST, HeaderValue, ORIGIN};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::in_flight::InFlight;
use super::sessions::Sessions;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::http::{Bucket, bearer};
use crate::engine::{Holder, Tokens, now_ms};
use crate::surface::mcp::calls::Calls;
use crate::surface::mcp::confirm::Questions;
use crate::surface::mcp::server::Server;
use crate::surface::verbs::App;

pub(super) type Service = StreamableHttpService<Server, Sessions>;

/// The name of a token, or nobody's: the user of this machine.
type Principal = Option<String>;

pub(super) struct Entrance {
    app: App,
    listens: SocketAddr,
    needs_token: bool,
    tokens: Tokens,
    stop: Stop,
    guests: Mutex<BTreeMap<Principal, Guest>>,
    wrong_tokens: Mutex<Bucket>,
}

/// How a server stops, in two steps.
#[derive(Clone, Default)]
pub(super) struct Stop {
    /// Waiting calls are to answer now.
    pub(super) calls: CancellationToken,
    /// Nothing more is sent: streams without an end are over.
    pub(super) streams: CancellationToken,
}

struct Guest {
    rate: Bucket,
    /// Places for requests that are being answered.
    requests: Arc<Semaphore>,
    in_flight: Arc<InFlight>,
    service: Service,
}

/// A request that was let in: the protocol for whoever it is, and its place among what is being answered.
pub(super) struct Admitted {
    pub(super) service: Service,
    pub(super) in_flight: Arc<InFlight>,
    pub(super) place: OwnedSemaphorePermit,
}

impl Entrance {
    pub(super) fn open(app: App, listens: SocketAddr, stop: Stop) -> Result<Self> {
        let tokens = Tokens::open(&app.settings.config_dir)?;
        let needs_token = app.settings.http.token.needs_token(listens);
        let wrong_tokens = Bucket::new(limits::HTTP_WRONG_TOKENS, limits::HTTP_WRONG_TOKENS_PER_SECOND, clock());
        let (guests, wrong_tokens) = (Mutex::default(), Mutex::new(wrong_tokens));
        Ok(Self { app, listens, needs_token, tokens, stop, guests, wrong_tokens })
    }

    /// What the line in the log says of tokens.
    pub(super) fn what_is_needed(&self) -> &'static str {
        if self.needs_token { " with a token (`hadal serve --show-token`)" } else { "" }
    }

    /// The origin of a request that asks this server by its name and for a page that may, if for one.
    pub(super) fn origin(&self, headers: &HeaderMap) -> Result<Option<HeaderValue>> {
        let http = &self.app.settings.http;
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        if headers.get_all(HOST).iter().count() != 1
            || !host.is_some_and(|host| http.host_allowed(host, self.listens, self.needs_token))
        {
            let message = "this server is not asked by this name";
            return Err(Error::new(Code::OriginRefused, message)
                .hint("`http.hosts` of the settings has the names by which it may be asked"));
        }
        if headers.get_all(ORIGIN).iter().any(|origin| !origin.to_str().is_ok_and(|origin| http.origin_allowed(origin)))
        {
            return Err(Error::new(Code::OriginRefused, "pages of this site may not ask")
                .hint("`http.origins` of the settings has the sites whose pages may"));
        }
        Ok(headers.get(ORIGIN).cloned())
    }

    /// Lets a request in, or refuses it before anything but its head is read.
    pub(super) fn admit(&self, headers: &HeaderMap) -> Result<Admitted> {
        let principal = self.identify(headers.get(AUTHORIZATION).map(|value| value.to_str().unwrap_or_default()))?;
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let guest = guests.entry(principal.clone()).or_insert_with(|| self.guest(&principal));
        if !guest.rate.take(clock()) {
            return Err(Error::new(Code::TooManyRequests, "too many requests").hint("ask again in a second"));
        }
        let Ok(place) = Arc::clone(&guest.requests).try_acquire_owned() else {
            let message = "too many requests are being answered";
            return Err(
                Error::new(Code::TooManyRequests, message).hint("wait for some of them, or close their streams")
            );
        };
        Ok(Admitted { service: guest.service.clone(), in_flight: Arc::clone(&guest.in_flight), place })
    }

    /// A token that is not known is refused, also where none is needed.
    fn identify(&self, header: Option<&str>) -> Result<Principal> {
        let refused = |message: &str| {
            Err(Error::new(Code::TokenRefused, message)
                .hint("send `Authorization: Bearer TOKEN`; `hadal serve --show-token` shows the token"))
        };
        match header {
            None if self.needs_token => refused("a token is needed"),
            None => Ok(None),
            Some(header) => match bearer(header).and_then(|token| self.tokens.holder(token)) {
                Some(Holder::User) => Ok(None),
                Some(Holder::Named(name)) => Ok(Some(name)),
                None if self.wrong_tokens.lock().unwrap_or_else(PoisonError::into_inner).take(clock()) => {
                    refused("the token is not known")
                }
                None => Err(Error::new(Code::TooManyRequests, "too many wrong tokens")),
            },
        }
    }

    fn guest(&self, principal: &Principal) -> Guest {
        let engine = match principal {
            Some(name) => self.app.engine.seen_by(name),
            None => self.app.engine.clone(),
        };
        let app = App { engine, settings: self.app.settings.clone() };
        let (sessions, requests) = match principal {
            Some(_) => (limits::HTTP_GUEST_SESSIONS, limits::HTTP_GUEST_REQUESTS),
            None => (limits::HTTP_SESSIONS, limits::HTTP_CONNECTIONS),
        };
        // Hosts and origins were looked at above, with the names that the settings allow.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(limits::HTTP_BODY_BYTES)
            .with_cancellation_token(self.stop.streams.clone());
        let (ending, questions) = (self.stop.calls.clone(), Arc::<Questions>::default());
        // A client that goes away cancels its requests.
        let make = move || {
            let (app, ending, questions) = (app.clone(), ending.clone(), Arc::clone(&questions));
            let calls = Calls { app, closed: CancellationToken::new(), ending, questions };
            Ok(Server::new(calls, CancellationToken::new()))
        };
        let service = StreamableHttpService::new(make, Arc::new(Sessions::new(sessions)), config);
        let rate = Bucket::new(limits::HTTP_BURST, limits::HTTP_PER_SECOND, clock());
        Guest { rate, requests: Arc::new(Semaphore::new(requests)), in_flight: Arc::default(), service }
    }
}

fn clock() -> u64 {
    u64::try_from(now_ms()).unwrap_or(0)
}
