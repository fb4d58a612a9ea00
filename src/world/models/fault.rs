//! What went wrong between us and a model, as one of our errors. Nothing of it holds a key.

use std::time::Duration;

use genai::Error as Fault;

use crate::core::base::error::{Code, Error};
use crate::core::base::{limits, plain};
use crate::core::model::chat::Model;
use crate::world::http;

pub(super) fn of(model: &Model, fault: Fault) -> Error {
    if let Some(status) = fault.status() {
        let wait = fault.headers().and_then(http::retry_after);
        return refused(model, status.as_u16(), wait, &body(&fault));
    }
    match fault {
        // The stream keeps what really happened inside.
        Fault::WebStream { error, cause, .. } => match error.downcast::<Fault>() {
            Ok(inner) => of(model, *inner),
            Err(other) => match other.downcast::<reqwest::Error>() {
                Ok(inner) => lost(model, &inner),
                Err(_other) => broken(model, &cause),
            },
        },
        Fault::WebModelCall { webc_error: genai::webc::Error::Reqwest(inner), .. } => lost(model, &inner),
        other => broken(model, &other.to_string()),
    }
}

fn body(fault: &Fault) -> String {
    match fault {
        Fault::HttpError { body, .. }
        | Fault::WebModelCall { webc_error: genai::webc::Error::ResponseFailedStatus { body, .. }, .. } => body.clone(),
        _ => String::new(),
    }
}

/// Nothing worth keeping came in time.
pub(super) fn late(model: &Model, limit: Duration) -> Error {
    let message = format!("the model `{model}` did not answer within {} s", limit.as_secs());
    Error::new(Code::Timeout, message).hint("a slow model needs a larger `HADAL_MODEL_TIMEOUT_SECONDS`")
}

/// The far side said no.
pub(super) fn refused(model: &Model, status: u16, wait: Option<Duration>, body: &str) -> Error {
    let said = short(&message(body));
    let because = if said.is_empty() { String::new() } else { format!(": {said}") };
    let variable = model.host.row().key.map_or("HADAL_MODEL_API_KEY", |key| key.variable);
    let error = |code, what: &str| Error::new(code, format!("the model `{model}` {what} ({status}){because}"));
    match status {
        401 | 403 => error(Code::NotAuthenticated, "refused the key").hint(format!("check `{variable}`")),
        404 => {
            error(Code::ModelNotFound, "is not there").hint("check `HADAL_MODEL`; `hadal doctor` shows what is found")
        }
        408 | 429 => Error { retry_after: wait, ..error(Code::QuotaExceeded, "has too much to do") },
        400..=499 => error(Code::ProviderRefused, "did not take the question"),
        _ => Error { retry_after: wait, ..error(Code::ExecutionError, "failed") },
    }
}

/// The message inside an error's body, in the forms that providers have for it.
fn message(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(body) else { return body.to_owned() };
    let places = ["/error/message", "/message", "/error", "/0/error/message"];
    let found = places.iter().find_map(|place| value.pointer(place).and_then(|text| text.as_str()));
    found.map_or_else(|| body.to_owned(), str::to_owned)
}

/// No connection, or a broken one.
pub(super) fn lost(model: &Model, fault: &reqwest::Error) -> Error {
    let why = http::innermost(fault);
    if fault.is_connect() {
        let message = format!("the model `{model}` cannot be reached: {why}");
        return Error::new(Code::ProviderUnreachable, message).hint("check the network and `HADAL_MODEL_BASE_URL`");
    }
    broken(model, &why)
}

pub(super) fn broken(model: &Model, why: &str) -> Error {
    let code = if why.contains("timed out") { Code::Timeout } else { Code::ExecutionError };
    Error::new(code, format!("the answer of the model `{model}` broke off: {}", short(why)))
}

fn short(text: &str) -> String {
    plain::words(text, limits::ECHO_CHARS)
}
