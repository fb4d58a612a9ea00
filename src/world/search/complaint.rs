//! Replies that look like an answer but say that nothing was searched: a provider that is behind, throttles, or was itself turned away.
//!
//! Such a reply often has status 200 and an empty list. Read as an empty list it would mean that the web holds nothing.

use std::time::Duration;

use serde_json::Value;

use crate::core::base::error::Code;
use crate::core::base::plain;
use crate::core::base::rows::listed;

/// Why a provider did not look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) code: Code,
    /// In the provider's words, on one line.
    pub(super) why: String,
    /// How long it wants to be left alone, when the reply itself says so.
    pub(super) wait: Option<Duration>,
}

/// Fields in which services tell of an error beside their results.
const FIELDS: &str = "error errors error_name error_message error_id detail";

/// Where the words of an error stand, the shortest form first.
const WORDS: &str = "/error_name /error/code /error_message /error/message /error/info /error /errors/0/message \
     /detail/error /message";

/// The most characters of a provider's words that are repeated.
const WHY_CHARS: usize = 120;

impl Complaint {
    pub(super) fn new(code: Code, why: &str) -> Self {
        Self { code, why: plain::line(&plain::words(why, WHY_CHARS), WHY_CHARS), wait: None }
    }

    /// The error that a JSON reply tells of in one of the usual fields.
    pub(super) fn in_json(reply: &[u8]) -> Option<Self> {
        let reply: Value = serde_json::from_slice(reply).ok()?;
        listed(FIELDS).find(|field| reply.get(field).is_some_and(says_something))?;
        let why = listed(WORDS).find_map(|place| reply.pointer(place)?.as_str().filter(|why| !why.trim().is_empty()));
        let why = why.unwrap_or("an error without words");
        Some(Self::new(if is_busy(why) { Code::QuotaExceeded } else { Code::ExecutionError }, why))
    }
}

/// Whether the field of an error holds one: services send `null`, `false` or an empty list where nothing is wrong.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// Whether an error is one that passes when the provider is asked less.
fn is_busy(why: &str) -> bool {
    let why = why.to_ascii_lowercase();
    ["maxlag", "ratelimit", "rate limit", "throttle", "too many requests", "temporarily"]
        .iter()
        .any(|word| why.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_in_their_usual_fields() {
        for (reply, want) in [
            (r#"{"results": [], "error": null, "errors": [], "detail": ""}"#, None),
            (r#"{"results": []}"#, None),
            ("[]", None),
            ("no json", None),
            (r#"{"error": {"code": "maxlag", "info": "Waiting"}}"#, Some((Code::QuotaExceeded, "maxlag"))),
            (
                r#"{"error_id": 502, "error_name": "throttle_violation"}"#,
                Some((Code::QuotaExceeded, "throttle_violation")),
            ),
            (r#"{"error": "Rate limit reached"}"#, Some((Code::QuotaExceeded, "Rate limit reached"))),
            (r#"{"error": true, "message": "no\u001b index"}"#, Some((Code::ExecutionError, "no index"))),
            (r#"{"errors": [{"message": "broken"}], "results": []}"#, Some((Code::ExecutionError, "broken"))),
            (r#"{"detail": {"error": "no plan"}}"#, Some((Code::ExecutionError, "no plan"))),
            (r#"{"error": 7}"#, Some((Code::ExecutionError, "an error without words"))),
        ] {
            let complaint = Complaint::in_json(reply.as_bytes());
            assert_eq!(complaint.as_ref().map(|found| (found.code, found.why.as_str())), want, "{reply}");
        }
    }
}
