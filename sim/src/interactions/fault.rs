//! What can go wrong with a request, and which request it goes wrong with.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::Answer;

/// A fault for the requests it fits. All [`Fault::Delay`]s that fit a request are added up; of the others the first one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRule {
    #[serde(default)]
    pub on: On,
    pub fault: Fault,
    /// How often; for ever when absent.
    #[serde(default)]
    pub times: Option<u64>,
    /// How many of a hundred requests that fit; all when absent. Which ones depends on their number alone.
    #[serde(default)]
    pub percent: Option<u8>,
    /// Part of the input of the interaction; any when absent.
    #[serde(default)]
    pub input: Option<String>,
}

impl FaultRule {
    /// For every such request, for ever.
    #[must_use]
    pub fn always(on: On, fault: Fault) -> Self {
        Self { on, fault, times: None, percent: None, input: None }
    }

    #[must_use]
    pub fn times(on: On, fault: Fault, times: u64) -> Self {
        Self { times: Some(times), ..Self::always(on, fault) }
    }
}

/// What a request is for. A create that streams is a `Create`; the faults of streams that are planned for `Stream` meet it too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum On {
    Create,
    Get,
    Stream,
    Cancel,
    Delete,
    /// In the request log: none of the others.
    #[default]
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// An error, and nothing has happened.
    Status {
        status: u16,
        /// In the envelope of the service itself instead of that of the front end.
        #[serde(default)]
        string_code: bool,
        #[serde(default)]
        array: bool,
    },
    /// An error whose message repeats the key, and nothing has happened.
    TellsKey {
        status: u16,
    },
    /// 429, and nothing has happened.
    RateLimited {
        /// Seconds in the header.
        #[serde(default)]
        retry_after: Option<u64>,
        /// Seconds in the details.
        #[serde(default)]
        retry_delay: Option<u64>,
        #[serde(default)]
        per_day: bool,
    },
    /// It is done, a create is billed, and the connection is closed without an answer.
    LostReply,
    /// The connection is closed before anything happens.
    Drop,
    /// It is done, and answered after a real wait.
    Delay {
        ms: u64,
    },
    /// A page of a gateway; nothing has happened.
    Html502,
    /// It is done, and the answer is 200 with a text that is no JSON.
    NotJson,
    /// The stream ends in the middle of a chunk.
    CutStream {
        after_frames: usize,
    },
    /// The stream ends in the middle of a chunk, so many simulated seconds after it was opened.
    CutStreamAfter {
        seconds: f64,
    },
    /// The stream goes on with an array that is no event, and ends in good order.
    CutStream503 {
        after_frames: usize,
    },
    /// The stream says nothing more.
    HangStream {
        after_frames: usize,
    },
    /// An `error` event without an error; the stream goes on.
    NoisyStream {
        after_frames: usize,
    },
    /// It is cancelled, and the answer is 500.
    Cancel500ButCancelled,
    /// It is cancelled, and answers to GET say so only after some simulated seconds.
    CancelLag {
        seconds: f64,
    },
    /// It is created and billed, and the answer is 500.
    Create500ButCreated,
    Delete501,
    /// 404 in the first simulated seconds after create.
    NotFoundFor {
        seconds: f64,
    },
    /// 403 in the first simulated seconds after create.
    ForbiddenFor {
        seconds: f64,
    },
    /// 404: the service has forgotten the interaction.
    Expired,
    /// It is done, and the connection is closed in the middle of the answer.
    HalfBody,
    /// It is done, and the answer is valid JSON of [`HUGE`] bytes.
    Huge,
}

/// Size of a [`Fault::Huge`] answer in bytes: more than any client should keep.
pub const HUGE: usize = 256 * 1024 * 1024;

/// What is known about a request when its fault is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) on: On,
    pub(super) streams: bool,
    /// Of the interaction it is about.
    pub(super) input: Option<&'a str>,
    /// Simulated seconds since that was created.
    pub(super) age: Option<f64>,
}

/// Counts of a rule that are no part of the plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    seen: u64,
    met: u64,
}

/// The fault of a request, and the sum of its delays in milliseconds.
pub(super) fn meet(rules: &[FaultRule], used: &mut Vec<Used>, asked: Asked<'_>) -> (Option<Fault>, u64) {
    used.resize(rules.len(), Used::default());
    let (mut fault, mut delay) = (None, 0);
    for (number, (rule, used)) in rules.iter().zip(used).enumerate() {
        let is_delay = matches!(rule.fault, Fault::Delay { .. });
        if (fault.is_some() && !is_delay) || !rule.fits(asked) || rule.times.is_some_and(|times| used.met >= times) {
            continue;
        }
        used.seen += 1;
        let drawn = draw((number as u64) << 40 | used.seen) % 100;
        if rule.percent.is_some_and(|percent| drawn >= u64::from(percent)) {
            continue;
        }
        used.met += 1;
        match rule.fault {
            Fault::Delay { ms } => delay += ms,
            other => fault = Some(other),
        }
    }
    (fault, delay)
}

/// Numbers that look random and are always the same (splitmix64).
pub(super) fn draw(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl FaultRule {
    fn fits(&self, asked: Asked<'_>) -> bool {
        let on = self.on == asked.on
            || self.on == On::Any
            || (self.on == On::Stream && asked.streams && self.fault.is_of_streams());
        let input = self.input.as_deref().is_none_or(|part| asked.input.is_some_and(|input| input.contains(part)));
        on && input && self.fault.concerns(asked)
    }
}

impl Fault {
    /// Whether it can happen to such a request at all.
    fn concerns(self, asked: Asked<'_>) -> bool {
        match self {
            Self::Cancel500ButCancelled | Self::CancelLag { .. } => asked.on == On::Cancel,
            Self::Create500ButCreated => asked.on == On::Create,
            Self::Delete501 => asked.on == On::Delete,
            Self::NotFoundFor { seconds } | Self::ForbiddenFor { seconds } => {
                asked.age.is_some_and(|age| age < seconds)
            }
            Self::Expired => asked.on != On::Create,
            Self::HalfBody | Self::Huge | Self::NotJson => !asked.streams,
            _ => asked.streams || !self.is_of_streams(),
        }
    }

    fn is_of_streams(self) -> bool {
        self.after_frames().is_some() || matches!(self, Self::CutStreamAfter { .. })
    }

    pub(super) fn after_frames(self) -> Option<usize> {
        match self {
            Self::CutStream { after_frames }
            | Self::CutStream503 { after_frames }
            | Self::HangStream { after_frames }
            | Self::NoisyStream { after_frames } => Some(after_frames),
            _ => None,
        }
    }

    /// The answer of a fault that comes instead of what was asked for; nothing has happened then.
    pub(super) fn instead(self) -> Option<Answer> {
        match self {
            Self::Status { status, string_code, array } => {
                let body = if string_code { by_service(status) } else { by_front_end(status, &json!([])) };
                Some(Answer::json(status, &if array { json!([body]) } else { body }))
            }
            Self::RateLimited { retry_after, retry_delay, per_day } => {
                let mut answer = Answer::json(429, &by_front_end(429, &quota(retry_delay, per_day)));
                answer.headers.extend(retry_after.map(|seconds| ("retry-after", seconds.to_string())));
                Some(answer)
            }
            Self::Html502 => {
                let page =
                    "<!DOCTYPE html><html><title>Error 502 (Server Error)!!1</title><p>502. That's an error.</html>";
                let (headers, body) = (Vec::new(), page.into());
                Some(Answer { status: 502, content_type: "text/html; charset=UTF-8", headers, body })
            }
            Self::Delete501 => Some(Answer::json(501, &by_service(501))),
            Self::NotFoundFor { .. } | Self::Expired => Some(Answer::json(404, &by_service(404))),
            Self::ForbiddenFor { .. } => Some(Answer::json(403, &by_service(403))),
            _ => None,
        }
    }
}

/// The answer of a fault that repeats what it was sent.
pub(super) fn telling(status: u16, key: &str) -> Answer {
    let mut body = by_front_end(status, &json!([]));
    body["error"]["message"] = json!(format!("x-goog-api-key: {key}. {}", crate::echo::complaint(key)));
    Answer::json(status, &body)
}

/// Message, code of the service and code of the front end.
fn words(status: u16) -> (&'static str, &'static str, &'static str) {
    match status {
        400 => ("Request contains an invalid argument.", "invalid_request", "INVALID_ARGUMENT"),
        401 => ("Request had invalid authentication credentials.", "unauthenticated", "UNAUTHENTICATED"),
        403 => ("The caller does not have permission", "permission_denied", "PERMISSION_DENIED"),
        404 => ("Requested entity was not found.", "not_found", "NOT_FOUND"),
        429 => (
            "You exceeded your current quota, please check your plan and billing details.",
            "resource_exhausted",
            "RESOURCE_EXHAUSTED",
        ),
        501 => ("Operation is not implemented, or supported, or enabled.", "not_implemented", "UNIMPLEMENTED"),
        502 | 503 => ("The service is currently unavailable.", "unavailable", "UNAVAILABLE"),
        504 => ("The request timed out. Please try again.", "deadline_exceeded", "DEADLINE_EXCEEDED"),
        _ => ("An internal error has occurred. Please retry.", "internal_error", "INTERNAL"),
    }
}

/// The envelope of the interactions service: its code is a string.
pub(super) fn by_service(status: u16) -> Value {
    let (message, code, _) = words(status);
    json!({"error": {"message": message, "code": code}})
}

/// The envelope of the front end: its code is a number.
pub(super) fn by_front_end(status: u16, details: &Value) -> Value {
    let (message, _, name) = words(status);
    let mut error = json!({"code": status, "message": message, "status": name});
    if details.as_array().is_some_and(|details| !details.is_empty()) {
        error["details"] = details.clone();
    }
    json!({"error": error})
}

pub(super) fn bad_key() -> Answer {
    let details = json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
        "domain": "googleapis.com", "metadata": {"service": "generativelanguage.googleapis.com"}}]);
    let mut body = by_front_end(400, &details);
    body["error"]["message"] = json!("API key not valid. Please pass a valid API key.");
    Answer::json(400, &body)
}

fn quota(retry_delay: Option<u64>, per_day: bool) -> Value {
    let mut details = Vec::new();
    if per_day {
        details.push(json!({"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{
            "quotaMetric": "generativelanguage.googleapis.com/interactions_requests",
            "quotaId": "InteractionsPerDayPerProjectPerAgent"}]}));
    }
    if let Some(seconds) = retry_delay {
        let delay = format!("{seconds}s");
        details.push(json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}));
    }
    Value::Array(details)
}
