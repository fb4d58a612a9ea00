//! The common beginning of every HTTP client: TLS, the user agent, no redirects.
//!
//! Whoever asks the network starts from [`builder`] and adds its own limits. Nothing here sends a request. A client that
//! is to follow addresses which others wrote belongs into `world::fetch`, which checks them.

use crate::core::limits;

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

/// Whether an address names this machine itself.
pub(crate) fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]")
}
