//! What a refusal of the provider means. It comes in two envelopes and an array around either; proxies add pages of
//! their own.

use std::time::Duration;

use serde_json::Value;

use super::AGENTS;
use crate::core::agent::{Refusal, clip};
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;

/// Reads a reply. `told` is the wait of its `Retry-After` header.
pub(crate) fn refusal(status: u16, told: Option<Duration>, body: &str) -> Refusal {
    let parsed: Value = serde_json::from_str(body).unwrap_or_default();
    let envelope = parsed.get(0).unwrap_or(&parsed);
    let error = envelope.get("error").unwrap_or(&Value::Null);
    let own = error.get("message").and_then(Value::as_str).map(|text| clip(text, limits::PROVIDER_MESSAGE_CHARS));
    let message = |what: &str| match &own {
        Some(own) => format!("{what} ({status}): {own}"),
        None => format!("{what} ({status})"),
    };
    match status {
        429 => Refusal::TooMany(too_many(error, told, message("Google's API has a rate limit or quota in the way"))),
        500..=599 | 408 => {
            Refusal::Server(Error::new(Code::ExecutionError, message("Google's API has a fault of its own")))
        }
        404 => Refusal::Missing(
            Error::new(Code::ModelNotFound, message("Google's API does not know the agent or the interaction"))
                .hint(format!("known agents: {}", AGENTS.join(", "))),
        ),
        403 => Refusal::Forbidden(
            Error::new(Code::NotAuthenticated, message("Google's API does not allow it with this key"))
                .hint("the agent needs a key of a project with billing; an interaction needs the key it was made with"),
        ),
        401 => Refusal::Wrong(bad_key(message("Google's API does not accept `GEMINI_API_KEY`"))),
        _ if is_bad_key(error) => Refusal::Wrong(bad_key(message("Google's API does not accept `GEMINI_API_KEY`"))),
        _ => Refusal::Wrong(
            Error::new(Code::ProviderRefused, message("Google's API refused the request"))
                .hint("please report this: hadal sent something that the API does not take (any more)"),
        ),
    }
}

fn bad_key(message: String) -> Error {
    Error::new(Code::NotAuthenticated, message)
        .hint("make a key in Google AI Studio, set `GEMINI_API_KEY`, and run `hadal doctor`")
}

fn details(error: &Value) -> impl Iterator<Item = &Value> {
    error.get("details").and_then(Value::as_array).into_iter().flatten()
}

fn is_bad_key(error: &Value) -> bool {
    details(error).any(|detail| detail.get("reason").and_then(Value::as_str) == Some("API_KEY_INVALID"))
}

fn too_many(error: &Value, told: Option<Duration>, message: String) -> Error {
    let quota = |detail: &Value| detail.get("violations").and_then(Value::as_array).cloned().unwrap_or_default();
    let daily = details(error).flat_map(quota).any(|violation| {
        let id = violation.get("quotaId").and_then(Value::as_str).unwrap_or_default();
        id.contains("PerDay")
    });
    if daily {
        return Error::new(Code::DailyQuotaExceeded, message)
            .hint("the limit is per day: wait until tomorrow, or raise it in Google AI Studio");
    }
    let delay = details(error).find_map(|detail| detail.get("retryDelay").and_then(Value::as_str)).and_then(seconds);
    let mut error = Error::new(Code::QuotaExceeded, message)
        .hint("hadal waits and tries again; a higher limit is set in Google AI Studio");
    error.retry_after = told.into_iter().chain(delay).max().map(|wait| wait.min(limits::RETRY_AFTER_MAX));
    error
}

/// `"5s"`, `"1.5s"`.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(number).ok().map(|wait| wait.min(limits::RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// HR-05: every refusal has a code and a next step, whichever envelope it came in.
    #[test]
    fn both_envelopes_arrays_and_pages() {
        let quota = json!({"error": {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED",
            "details": [{"@type": "x/google.rpc.RetryInfo", "retryDelay": "7s"}]}});
        let daily = json!({"error": {"code": 429, "message": "quota", "details": [
            {"violations": [{"quotaId": "RequestsPerDayPerProject"}]}]}});
        let key = json!({"error": {"code": 400, "message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}});
        let table = [
            (429, quota.to_string(), Code::QuotaExceeded),
            (429, json!([quota]).to_string(), Code::QuotaExceeded),
            (429, daily.to_string(), Code::DailyQuotaExceeded),
            (429, String::new(), Code::QuotaExceeded),
            (400, key.to_string(), Code::NotAuthenticated),
            (401, "{}".into(), Code::NotAuthenticated),
            (403, json!({"error": {"code": "permission_denied", "message": "no"}}).to_string(), Code::NotAuthenticated),
            (404, json!({"error": {"code": "not_found", "message": "no"}}).to_string(), Code::ModelNotFound),
            (400, json!({"error": {"code": "invalid_request", "message": "no"}}).to_string(), Code::ProviderRefused),
            (502, "<html>Bad gateway".into(), Code::ExecutionError),
            (503, "null".into(), Code::ExecutionError),
            (418, "\u{0}\u{ffff}[[[".into(), Code::ProviderRefused),
        ];
        for (status, body, code) in table {
            let error = refusal(status, None, &body).error();
            assert_eq!(error.code, code, "{status} {body}");
            assert!(error.message.contains(&status.to_string()), "{error}");
        }
        let error = refusal(429, Some(Duration::from_secs(3)), &quota.to_string()).error();
        assert_eq!(error.retry_after, Some(Duration::from_secs(7)), "the longer wait counts");
        let missing = refusal(404, None, "").error();
        assert!(missing.hints.concat().contains(AGENTS[0]), "HR-03: the known agents are named");
    }

    #[test]
    fn waits_are_read_and_bounded() {
        assert_eq!(seconds("99999999s"), Some(limits::RETRY_AFTER_MAX));
        for (text, wait) in [("1.5s", Some(1_500)), ("5", None), ("-5s", None), ("infs", None), ("NaNs", None)] {
            assert_eq!(seconds(text), wait.map(Duration::from_millis), "{text}");
        }
    }
}
