//! The settings of the Gemini API, of the hosted research agents and of Gemini CLI.

use std::time::Duration;

use super::tasks::small;
use super::{Allowed, Setting, is_header};
use crate::core::model::chat::Host;

pub(super) fn rows() -> Vec<Setting> {
    let key = Host::Gemini.row().key.map(|names| Setting::secret(names, |s, key| s.gemini_api_key = Some(key)));
    key.into_iter().chain(api()).chain(hosted()).chain(cli()).collect()
}

fn api() -> [Setting; 4] {
    [
        Setting::parsed("gemini_api.base_url", "GOOGLE_GEMINI_BASE_URL", Allowed::Address, address, |s, url| {
            s.hosted.base_url = url;
        })
        .default("https://generativelanguage.googleapis.com")
        .means("Where the Gemini API is; the variable is the one that Google's own tools use."),
        Setting::parsed(
            "gemini_api.version",
            "HADAL_GEMINI_API_VERSION",
            Allowed::OneOf(VERSIONS),
            version,
            |s, name| {
                s.hosted.version = name;
            },
        )
        .default("v1beta")
        .means("The version in the path of the Gemini API."),
        Setting::text("gemini_api.model", "HADAL_GEMINI_API_MODEL", |s, model| s.hosted.model = model)
            .default("gemini-3.8-flash")
            .means("The model of research rounds with the Gemini API."),
        Setting::whole("gemini_api.requests_per_second", "HADAL_GEMINI_API_RPS", 1..=1_000, |s, most| {
            s.hosted.requests_per_second = small(most);
        })
        .default("20")
        .means("The most requests one process sends to the Gemini API in a second, for all tasks together."),
    ]
}

const VERSIONS: &[&str] = &["v1beta", "v1"];

fn version(name: &str) -> Option<String> {
    VERSIONS.contains(&name).then(|| name.to_owned())
}

fn address(text: &str) -> Option<String> {
    let text = text.trim();
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    (!rest.is_empty() && !rest.starts_with('/') && is_header(text)).then(|| text.to_owned())
}

fn hosted() -> [Setting; 8] {
    [
        Setting::text("deep_research.agent", "HADAL_DEEP_RESEARCH_AGENT", |s, agent| s.hosted.agent = agent)
            .default("deep-research-preview-04-2026")
            .means(
                "The hosted agent of `start_deep_research`; `deep-research-max-preview-04-2026` digs deeper and costs more.",
            ),
        Setting::whole("deep_research.poll_ms", "HADAL_POLL_MS", 10..=600_000, |s, wait| {
            s.hosted.poll = Duration::from_millis(wait);
        })
        .default("10000")
        .means("Milliseconds between two looks at a hosted run."),
        Setting::yes_or_no("deep_research.retry_uncertain", "HADAL_RETRY_UNCERTAIN", &["no", "once"], |s, once| {
            s.hosted.retry_uncertain = once;
        })
        .default("no")
        .means(
            "What to do when it is not known whether a paid run was started. `no` ends the task and says so; `once` \
             starts one more run, which may be paid twice.",
        ),
        Setting::yes_or_no("deep_research.delete", "HADAL_DEEP_RESEARCH_DELETE", &["no", "yes"], |s, yes| {
            s.hosted.delete = yes;
        })
        .default("no")
        .means(
            "Whether Google is asked to delete a run once its report is here. It may not do so, and a deleted run cannot \
             be gone on from. Without it Google keeps runs for 55 days (1 day without billing).",
        ),
        Setting::dollars("budget.day_usd", "HADAL_BUDGET_DAY_USD", |s, most| s.hosted.day = Some(most)).means(
            "The most that hosted research may cost in a day (UTC), running tasks counted with their estimate. A start \
             beyond it is refused before anything is paid. Without it there is no cap.",
        ),
        Setting::dollars("budget.month_usd", "HADAL_BUDGET_MONTH_USD", |s, most| s.hosted.month = Some(most))
            .means("The same for a month (UTC)."),
        Setting::yes_or_no("confirm", "HADAL_CONFIRM", &["paid", "never"], |s, paid| s.hosted.confirm = paid)
            .default("paid")
            .means(
                "Whether the user of an MCP client that can ask is asked before `start_deep_research` spends money, and what is meant by a \
                 question that says too little. Without an answer within the call window nothing is started. `never` is for machines.",
            ),
        Setting::yes_or_no("notifications", "HADAL_NOTIFICATIONS", &["yes", "no"], |s, yes| {
            s.hosted.notifications = yes;
        })
        .default("yes")
        .means("Whether a desktop notification is shown when a hosted research ends. `no` overrules every call."),
    ]
}

fn cli() -> [Setting; 8] {
    [
        Setting::path("gemini_cli.path", "GEMINI_CLI_PATH", |s, path| s.gemini_cli_path = Some(path))
            .means("The program file of Gemini CLI. Without it `gemini` is looked for on `PATH`."),
        Setting::text("gemini_cli.model", "GEMINI_MODEL", |s, model| s.gemini_model = Some(model))
            .means("The model of research rounds with Gemini CLI. Without it the CLI chooses."),
        Setting::text("gemini_cli.secondary_model", "SECONDARY_GEMINI_MODEL", |s, model| {
            s.gemini_correction_model = Some(model);
        })
        .means("Another name of `GEMINI_CORRECTION_MODEL`, which wins when both are set."),
        Setting::text("gemini_cli.correction_model", "GEMINI_CORRECTION_MODEL", |s, model| {
            s.gemini_correction_model = Some(model);
        })
        .means("The model that brings invalid output into form. Without it the CLI chooses."),
        Setting::whole("gemini_cli.timeout_ms", "GEMINI_SEARCH_TIMEOUT", 100..=86_400_000, |s, most| {
            s.gemini_timeout = Duration::from_millis(most);
        })
        .default("600000")
        .means("Milliseconds that one run of Gemini CLI may take before it is stopped."),
        Setting::whole("gemini_cli.idle_seconds", "GEMINI_CLI_IDLE_SECONDS", 1..=86_400, |s, most| {
            s.gemini_idle = Duration::from_secs(most);
        })
        .default("180")
        .means("Seconds that Gemini CLI may be silent before it is stopped: it can hang in an endless loop."),
        Setting::yes_or_no("resolve_redirects", "HADAL_RESOLVE_REDIRECTS", &["yes", "no"], |s, yes| {
            s.resolve_redirects = yes;
        })
        .default("yes")
        .means("Whether the links that Google's search gives as sources, which expire, are asked where they lead."),
        rounds(),
    ]
}

/// DS-08: any whole number; one below the smallest number of rounds becomes that number.
fn rounds() -> Setting {
    let (min, max) = (2, 100);
    let allowed = Allowed::AtLeast { min, max };
    Setting::new("deep_search.max_iterations", "DEEP_SEARCH_MAX_ITERATIONS", allowed, move |s, raw| {
        let rounds = u32::try_from(raw.whole()?.max(i64::from(min))).ok().filter(|rounds| *rounds <= max)?;
        s.max_rounds = rounds;
        Some(())
    })
    .default("5")
    .means("The most rounds of a deep search: one draft, the rest verification.")
}
