//! What the simulated Gemini API answers. A plan is data: a test writes it in Rust, a check as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The whole plan. Which part of it answers depends on the request alone, so that any number of clients can be served at once
/// in any order; only [`FaultRule::times`] counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    /// The first one whose words all occur in the texts of the user answers.
    pub conversations: Vec<Conversation>,
    /// What the search tool finds; a query that none of them names finds two pages.
    pub searches: Vec<Found>,
    /// What the page reading tool says; an address that none of them names gets a sentence.
    pub pages: Vec<Found>,
    pub faults: Vec<FaultRule>,
    /// Wait before the first byte of any answer.
    pub delay_ms: u64,
    /// Wait between the events of a stream.
    pub chunk_ms: u64,
    /// The auto router answers that the question is hard.
    pub hard: bool,
}

/// The turns of a conversation with the main model. A request that carries results of `n` rounds of tools gets turn `n`, or the
/// last one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conversation {
    pub contains: Vec<String>,
    pub turns: Vec<Turn>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    pub text: String,
    pub calls: Vec<FunctionCall>,
    /// `STOP` unless said otherwise; `SAFETY` and `MAX_TOKENS` exist.
    pub finish: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionCall {
    pub name: String,
    /// The text `{temp file}` stands for the first path of a temporary file that the prompt names.
    pub args: Value,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Found {
    /// Part of the query or of the prompt with the address.
    pub contains: String,
    pub text: String,
    pub sources: Vec<Source>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub title: String,
    pub uri: String,
}

/// A fault for the requests it fits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRule {
    /// Any kind of request when absent.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// Any model when absent.
    #[serde(default)]
    pub model: Option<String>,
    /// How often; for ever when absent.
    #[serde(default)]
    pub times: Option<u32>,
    pub fault: Fault,
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A turn of the main model.
    Main,
    /// A nested call with the search tool.
    Search,
    /// A nested call with the page reading tool.
    Fetch,
    /// The auto router.
    Router,
    CountTokens,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// 400.
    BadKey,
    /// 401.
    Unauthenticated,
    /// 403.
    Forbidden,
    /// 404.
    ModelNotFound,
    /// 429 that names a quota per day: the CLI gives up at once.
    DailyQuota,
    /// 429 that names a quota per minute: the CLI tries again.
    MinuteQuota,
    /// 429 that names nothing.
    BareQuota,
    /// 500.
    Internal,
    /// 503.
    Overloaded,
    /// The connection is closed without an answer.
    Drop,
    /// A stream ends in the middle; an answer that is no stream is dropped.
    Cut,
    /// No text at all.
    Empty,
    Safety,
    MaxTokens,
    /// The answer comes after ten seconds.
    Slow,
}

impl Fault {
    /// Status and body of a fault that is an error answer.
    pub(crate) fn error(self, model: &str) -> Option<(u16, Value)> {
        let error = |code: u16, status: &str, message: &str, details: Value| {
            Some((code, json!({"error": {"code": code, "message": message, "status": status, "details": details}})))
        };
        match self {
            Self::BadKey => error(
                400,
                "INVALID_ARGUMENT",
                "API key not valid. Please pass a valid API key.",
                json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                    "domain": "googleapis.com", "metadata": {"service": "generativelanguage.googleapis.com"}}]),
            ),
            Self::Unauthenticated => {
                error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.", json!([]))
            }
            Self::Forbidden => error(403, "PERMISSION_DENIED", "The caller does not have permission.", json!([])),
            Self::ModelNotFound => {
                let message = format!("models/{model} is not found for API version v1beta.");
                error(404, "NOT_FOUND", &message, json!([]))
            }
            Self::DailyQuota => error(429, "RESOURCE_EXHAUSTED", EXCEEDED, quota("PerDay", "7s")),
            Self::MinuteQuota => error(429, "RESOURCE_EXHAUSTED", EXCEEDED, quota("PerMinute", "2s")),
            Self::BareQuota => {
                error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).", json!([]))
            }
            Self::Internal => error(500, "INTERNAL", "An internal error has occurred.", json!([])),
            Self::Overloaded => {
                error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", json!([]))
            }
            Self::Drop | Self::Cut | Self::Empty | Self::Safety | Self::MaxTokens | Self::Slow => None,
        }
    }
}

const EXCEEDED: &str = "You exceeded your current quota, please check your plan and billing details.";

fn quota(window: &str, delay: &str) -> Value {
    let id = format!("GenerateRequests{window}PerProjectPerModel-FreeTier");
    json!([
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": id,
            "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests"}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
    ])
}

impl Plan {
    /// One conversation for every question: a search, then a page, then the answer.
    #[must_use]
    pub fn research(query: &str, url: &str, answer: &str) -> Self {
        let turns = vec![Turn::search(query), Turn::fetch(url), Turn::text(answer)];
        Self { conversations: vec![Conversation { contains: Vec::new(), turns }], ..Self::default() }
    }

    #[must_use]
    pub fn fault(mut self, kind: Kind, times: Option<u32>, fault: Fault) -> Self {
        self.faults.push(FaultRule { kind: Some(kind), model: None, times, fault });
        self
    }
}

impl Turn {
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    #[must_use]
    pub fn search(query: &str) -> Self {
        Self {
            calls: vec![FunctionCall { name: "google_web_search".into(), args: json!({"query": query}) }],
            ..Self::default()
        }
    }

    #[must_use]
    pub fn fetch(url: &str) -> Self {
        let args = json!({"prompt": format!("Summarise {url}")});
        Self { calls: vec![FunctionCall { name: "web_fetch".into(), args }], ..Self::default() }
    }
}
