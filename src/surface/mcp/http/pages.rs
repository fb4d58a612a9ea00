//! Answers for pages of other origins: what a browser wants to hear before it sends a page's request and hands the answer to it.
//! Only origins that were let in get here.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderValue, ORIGIN, VARY,
};
use hyper::{Response, StatusCode};

use super::Reply;

const METHODS: &str = "GET, POST, DELETE, OPTIONS";
/// What requests of the protocol carry.
const SENT: &str =
    "Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";
/// What a page may read of an answer beside its body.
const SHOWN: &str = "Mcp-Session-Id, WWW-Authenticate, Retry-After";
/// Seconds for which a browser need not ask again; settings change with a restart.
const MAX_AGE: &str = "600";

/// The answer to a browser that asks whether a page may ask. It says nothing about tokens.
pub(super) fn preflight() -> Reply {
    let mut reply = Response::new(Full::new(Bytes::new()).boxed());
    *reply.status_mut() = StatusCode::NO_CONTENT;
    let headers = reply.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(SENT));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    reply
}

/// Lets the pages of an origin read the answer.
pub(super) fn readable_by(reply: &mut Reply, origin: HeaderValue) {
    let headers = reply.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(SHOWN));
    headers.append(VARY, HeaderValue::from_name(ORIGIN));
}
