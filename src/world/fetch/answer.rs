//! What a failed request is called.

use std::error::Error as _;
use std::time::Duration;

use reqwest::StatusCode;

use super::shown;
use crate::core::base::error::{Code, Error};
use crate::core::web::address::Address;
use crate::world::http;

/// No answer, or a broken one.
pub(super) fn unreachable(at: &Address, fault: &reqwest::Error) -> Error {
    // What the resolver refused comes back inside the client's own error.
    let mut cause = fault.source();
    while let Some(inner) = cause {
        if let Some(own) = inner.downcast_ref::<Error>() {
            return own.clone();
        }
        cause = inner.source();
    }
    let url = shown(at.url.as_str());
    if fault.is_timeout() {
        return Error::new(Code::Timeout, format!("`{url}` did not answer in time"));
    }
    let why = http::innermost(fault);
    Error::new(Code::FetchFailed, format!("`{url}` could not be fetched: {why}"))
}

/// The site asks to come back, later than we wait.
pub(super) fn later(at: &Address, status: StatusCode, wait: Option<Duration>) -> Error {
    let code = if status == StatusCode::TOO_MANY_REQUESTS { Code::QuotaExceeded } else { Code::FetchFailed };
    let when = wait.map(|wait| format!(", in {} s", wait.as_secs())).unwrap_or_default();
    let message = format!("`{}` asks to come back later{when} ({})", shown(at.url.as_str()), status.as_u16());
    Error { retry_after: wait, ..Error::new(code, message) }
}

/// The site answered that there is no page.
pub(super) fn refused(at: &Address, status: StatusCode) -> Error {
    let code = if status.is_server_error() { Code::FetchFailed } else { Code::PageUnavailable };
    Error::new(code, format!("`{}`{ANSWERED}{}", shown(at.url.as_str()), status.as_u16()))
}

const ANSWERED: &str = " was answered with status ";

/// The status in an error that a site answered with.
pub(crate) fn status_of(error: &Error) -> Option<u16> {
    error.message.rsplit_once(ANSWERED).and_then(|(_, status)| status.parse().ok())
}

/// The page is a picture, a film, an archive.
pub(super) fn unreadable(at: &Address, content_type: Option<&str>) -> Error {
    let kind = shown(content_type.unwrap_or_default());
    Error::new(Code::PageUnavailable, format!("`{}` is `{kind}`, which is nothing to read", shown(at.url.as_str())))
}
