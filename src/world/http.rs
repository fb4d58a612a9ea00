//! The common beginning of every HTTP client: TLS, the user agent, no redirects.
//!
//! Whoever asks the network starts from [`builder`] and adds its own limits. Nothing here sends a request. A client that
//! is to follow addresses which others wrote belongs into `world::fetch`, which checks them.

use std::time::Duration;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::{limits, plain};
use crate::core::web::headers;
use crate::world::clock;

/// What hadal calls itself, everywhere. It pretends to be nobody else.
pub(crate) const USER_AGENT: &str = concat!("hadal/", env!("CARGO_PKG_VERSION"), " (research assistant)");

/// A client's beginning. It follows no redirect: where an answer leads is for the caller to judge.
pub(crate) fn builder() -> reqwest::ClientBuilder {
    // The first provider stays; a second one is the same.
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(limits::CONNECT)
        .user_agent(USER_AGENT)
}

/// The client that was described.
pub(crate) fn client(builder: reqwest::ClientBuilder) -> Result<reqwest::Client> {
    builder.build().map_err(|fault| Error::new(Code::Internal, format!("no HTTP client: {}", innermost(&fault))))
}

/// The whole body, decoded, unless it is larger than `most` bytes.
pub(crate) async fn read(mut reply: reqwest::Response, most: usize) -> Result<Vec<u8>, Broken> {
    let mut body = Vec::new();
    while let Some(chunk) = reply.chunk().await.map_err(Broken::Cut)? {
        if body.len() + chunk.len() > most {
            return Err(Broken::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Why a body could not be read.
#[derive(Debug)]
pub(crate) enum Broken {
    Cut(reqwest::Error),
    TooLarge,
}

/// The innermost reason of a fault, as one short line: the outer ones repeat the address, with what may be secret in it.
pub(crate) fn innermost(fault: &dyn std::error::Error) -> String {
    let mut inner = fault;
    while let Some(source) = inner.source() {
        inner = source;
    }
    plain::line(&inner.to_string(), limits::ECHO_CHARS)
}

/// The wait that an answer asks for.
pub(crate) fn retry_after(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let value = headers.get(reqwest::header::RETRY_AFTER)?.to_str().ok()?;
    headers::retry_after(value, clock::now_ms())
}

/// Whether an address names this machine itself.
pub(crate) fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]")
}
