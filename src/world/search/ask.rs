//! One provider is asked: in its pace, again when that can help, and never misunderstood.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};

use super::complaint::Complaint;
use super::{Bill, Endpoint, Inner, Request, adapter};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::base::secrets::MASK;
use crate::core::web::search::{Hit, Provider, Query, is_block_page};
use crate::world::http::{self, Broken};

/// An answer of a provider.
struct Reply {
    status: StatusCode,
    content_type: Option<String>,
    retry_after: Option<Duration>,
    body: Vec<u8>,
}

impl Inner {
    /// Asks until there is an answer, or no use in asking on.
    pub(super) async fn with_retries(&self, provider: Provider, query: &Query, bill: &Bill) -> Result<Vec<Hit>> {
        let mut waits = limits::SEARCH_WAITS.into_iter();
        loop {
            if let Some(turns) = self.turns.get(&provider) {
                turns.next().await;
            }
            let error = match self.once(provider, query, bill).await {
                Ok(hits) => return Ok(hits),
                Err(error) => error,
            };
            let wait = error.retry_after.unwrap_or_default();
            match waits.next().filter(|_| worth_a_retry(&error) && wait <= limits::RETRY_WAIT) {
                Some(pause) => self.hold(provider, wait.max(pause)),
                None => return Err(error),
            }
        }
    }

    async fn once(&self, provider: Provider, query: &Query, bill: &Bill) -> Result<Vec<Hit>> {
        let name = provider.name();
        let settings = &self.settings;
        let missing = || Error::new(Code::EngineUnavailable, format!("the search provider `{name}` is not set up"));
        let url = settings.url(provider).filter(|_| settings.has(provider)).ok_or_else(missing)?;
        let place = Endpoint { url, key: settings.key(provider), contact: settings.contact.as_deref() };
        let request = adapter(provider).request(query, &place).ok_or_else(missing)?;
        let price = provider.price(query);
        bill.add(price);
        let reply = self.send(name, request).await.inspect_err(|error| {
            // Whoever does not answer in time may still have done the work.
            if error.code != Code::Timeout {
                bill.take_back(price);
            }
        })?;
        if is_block_page(reply.content_type.as_deref(), &reply.body) {
            bill.take_back(price);
            let message = format!("{name} answered with a page that asks whether we are human");
            return Err(Error::new(Code::SearchBlocked, message)
                .hint(format!("wait, or leave `{name}` out of `search.providers`")));
        }
        if !reply.status.is_success() {
            bill.take_back(price);
            let complaint = adapter(provider).complaint(&reply.body);
            return Err(match (reply.status.as_u16(), complaint) {
                // A bad request can mean much; what the body says tells more than the status.
                (400, Some(complaint)) => self.complained(provider, &reply, complaint),
                _ => refusal(provider, &reply),
            });
        }
        if let Some(wait) = adapter(provider).wait(&reply.body) {
            self.hold(provider, wait);
        }
        let hits = adapter(provider).read(&reply.body);
        if hits.as_ref().is_none_or(Vec::is_empty)
            && let Some(complaint) = adapter(provider).complaint(&reply.body)
        {
            return Err(self.complained(provider, &reply, complaint));
        }
        let unreadable =
            || Error::new(Code::ExecutionError, format!("{name} answered with something that is no list of results"));
        hits.ok_or_else(unreadable)
    }

    /// A provider that says why it did not look. Its own words may repeat the key.
    fn complained(&self, provider: Provider, reply: &Reply, complaint: Complaint) -> Error {
        let Complaint { code, mut why, wait } = complaint;
        if let Some(key) = self.settings.key(provider) {
            why = why.replace(key.reveal(), MASK);
        }
        let message = format!("{} could not search: {why}", provider.name());
        Error { retry_after: reply.retry_after.or(wait), ..Error::new(code, message) }
    }

    async fn send(&self, name: &str, request: Request) -> Result<Reply> {
        let Request { url, headers, body } = request;
        let mut sending = match body {
            // Written by hand: the client's own JSON support would be one more feature for one line.
            Some(body) => self.client.post(url).header(CONTENT_TYPE, "application/json").body(body.to_string()),
            None => self.client.get(url),
        };
        for (header, value) in headers {
            let mut value = HeaderValue::try_from(value)
                .map_err(|_not_shown| Error::new(Code::InvalidConfig, format!("the key for {name} cannot be sent")))?;
            // Keeps it out of every log of the client.
            value.set_sensitive(true);
            sending = sending.header(HeaderName::from_static(header), value);
        }
        let response = sending.send().await.map_err(|fault| unreachable(name, &fault))?;
        let (status, retry_after) = (response.status(), http::retry_after(response.headers()));
        let content_type =
            response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let body = http::read(response, limits::SEARCH_BYTES).await.map_err(|broken| match broken {
            Broken::Cut(fault) => unreachable(name, &fault),
            Broken::TooLarge => {
                Error::new(Code::OutputTooLarge, format!("{name} sent more than {} bytes", limits::SEARCH_BYTES))
            }
        })?;
        Ok(Reply { status, content_type, retry_after, body })
    }

    fn hold(&self, provider: Provider, wait: Duration) {
        if let Some(turns) = self.turns.get(&provider) {
            turns.hold(wait);
        }
    }
}

/// Whether the same request can succeed in a moment. An answer that cannot be read was paid for and would be again.
fn worth_a_retry(error: &Error) -> bool {
    matches!(error.code, Code::QuotaExceeded | Code::FetchFailed)
}

fn refusal(provider: Provider, reply: &Reply) -> Error {
    let name = provider.name();
    let status = reply.status.as_u16();
    let error = match status {
        401 | 403 if provider.needs_key() => {
            Error::new(Code::NotAuthenticated, format!("{name} refused the key ({status})"))
                .hint(format!("check the key of {name}; `hadal config` shows where it comes from"))
        }
        403 if provider == Provider::Searxng => {
            Error::new(Code::InvalidConfig, format!("{name} gives no results to programs ({status})"))
                .hint("list `json` under `search.formats` in its `settings.yml`")
        }
        // Who needs no key says so when it is asked too often.
        403 => Error::new(Code::QuotaExceeded, format!("{name} refused the request ({status})")),
        // 432 and 433 are what Tavily calls a plan and a pay-as-you-go limit.
        402 | 432 | 433 => Error::new(Code::DailyQuotaExceeded, format!("the plan at {name} is used up ({status})")),
        429 => Error::new(Code::QuotaExceeded, format!("{name} is asked too often ({status})")),
        500.. => Error::new(Code::FetchFailed, format!("{name} is out of order ({status})")),
        _ => Error::new(Code::ExecutionError, format!("{name} did not take the request ({status})")),
    };
    Error { retry_after: reply.retry_after, ..error }
}

/// No answer. What the client says may hold the address with its parameters, so only its innermost reason is told.
fn unreachable(name: &str, fault: &reqwest::Error) -> Error {
    if fault.is_timeout() {
        return Error::new(
            Code::Timeout,
            format!("{name} did not answer within {} s", limits::SEARCH_REQUEST.as_secs()),
        );
    }
    let why = http::innermost(fault);
    Error::new(Code::FetchFailed, format!("{name} could not be reached: {why}"))
}
