//! Settings of the Gemini API and of the hosted research agents.

use super::{Allowed, Setting};

pub(crate) const GEMINI_BASE_URL: Setting = Setting {
    key: "gemini_api.base_url",
    in_file: true,
    variable: "GOOGLE_GEMINI_BASE_URL",
    flag: None,
    allowed: Allowed::Address,
    default: Some("https://generativelanguage.googleapis.com"),
    meaning: "Where the Gemini API is; the variable is the one that Google's own tools use.",
};

pub(crate) const GEMINI_API_VERSION: Setting = Setting {
    key: "gemini_api.version",
    in_file: true,
    variable: "HADAL_GEMINI_API_VERSION",
    flag: None,
    allowed: Allowed::OneOf(&["v1beta", "v1"]),
    default: Some("v1beta"),
    meaning: "The version in the path of the Gemini API.",
};

pub(crate) const GEMINI_API_MODEL: Setting = Setting {
    key: "gemini_api.model",
    in_file: true,
    variable: "HADAL_GEMINI_API_MODEL",
    flag: None,
    allowed: Allowed::Text,
    default: Some("gemini-3.8-flash"),
    meaning: "The model of research rounds with the Gemini API.",
};

pub(crate) const AGENT: Setting = Setting {
    key: "deep_research.agent",
    in_file: true,
    variable: "HADAL_DEEP_RESEARCH_AGENT",
    flag: None,
    allowed: Allowed::Text,
    default: Some("deep-research-preview-04-2026"),
    meaning: "The hosted agent of `start_deep_research`; `deep-research-max-preview-04-2026` digs deeper and costs more.",
};

pub(crate) const POLL: Setting = Setting {
    key: "deep_research.poll_ms",
    in_file: true,
    variable: "HADAL_POLL_MS",
    flag: None,
    allowed: Allowed::Whole { min: 10, max: 600_000 },
    default: Some("10000"),
    meaning: "Milliseconds between two looks at a hosted run.",
};

pub(crate) const PROVIDER_RPS: Setting = Setting {
    key: "gemini_api.requests_per_second",
    in_file: true,
    variable: "HADAL_GEMINI_API_RPS",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 1_000 },
    default: Some("20"),
    meaning: "The most requests one process sends to the Gemini API in a second, for all tasks together.",
};

pub(crate) const RETRY_UNCERTAIN: Setting = Setting {
    key: "deep_research.retry_uncertain",
    in_file: true,
    variable: "HADAL_RETRY_UNCERTAIN",
    flag: None,
    allowed: Allowed::OneOf(&["no", "once"]),
    default: Some("no"),
    meaning: "What to do when it is not known whether a paid run was started. `no` ends the task and says so; `once` \
              starts one more run, which may be paid twice.",
};

pub(crate) const DELETE: Setting = Setting {
    key: "deep_research.delete",
    in_file: true,
    variable: "HADAL_DEEP_RESEARCH_DELETE",
    flag: None,
    allowed: Allowed::OneOf(&["no", "yes"]),
    default: Some("no"),
    meaning: "Whether Google is asked to delete a run once its report is here. It may not do so, and a deleted run cannot \
              be gone on from. Without it Google keeps runs for 55 days (1 day without billing).",
};

pub(crate) const BUDGET_DAY: Setting = Setting {
    key: "budget.day_usd",
    in_file: true,
    variable: "HADAL_BUDGET_DAY_USD",
    flag: None,
    allowed: Allowed::Dollars { max: 1_000_000 },
    default: None,
    meaning: "The most that hosted research may cost in a day (UTC), running tasks counted with their estimate. A start \
              beyond it is refused before anything is paid. Without it there is no cap.",
};

pub(crate) const BUDGET_MONTH: Setting = Setting {
    key: "budget.month_usd",
    in_file: true,
    variable: "HADAL_BUDGET_MONTH_USD",
    flag: None,
    allowed: Allowed::Dollars { max: 1_000_000 },
    default: None,
    meaning: "The same for a month (UTC).",
};

pub(crate) const NOTIFICATIONS: Setting = Setting {
    key: "notifications",
    in_file: true,
    variable: "HADAL_NOTIFICATIONS",
    flag: None,
    allowed: Allowed::OneOf(&["yes", "no"]),
    default: Some("yes"),
    meaning: "Whether a desktop notification is shown when a hosted research ends. `no` overrules every call.",
};
