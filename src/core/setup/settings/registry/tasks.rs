//! The settings of tasks and of what they leave behind.

use std::time::Duration;

use super::{Allowed, HOME_FLAG, HOME_VARIABLE, Setting};
use crate::core::base::engine::EvidenceMode;
use crate::core::base::{age, limits};
use crate::core::setup::ladder::EngineSetting;

/// The names of the engines, as a call and the settings take them.
const ENGINES: &[&str] = &["auto", "gemini-cli", "gemini-api", "native", "extractive"];

pub(super) fn rows() -> Vec<Setting> {
    let mut rows = of_tasks();
    rows.extend(of_budgets());
    rows.extend(of_files());
    rows
}

fn of_tasks() -> Vec<Setting> {
    vec![
        Setting::path("home", HOME_VARIABLE, |_, _| {}).flag(HOME_FLAG).not_in_file().means(
            "The directory that holds `config/` and `data/`. Without it they go where the platform puts such files: \
             `$XDG_CONFIG_HOME/hadal` and `$XDG_DATA_HOME/hadal` on Linux (`~/.config/hadal` and \
             `~/.local/share/hadal`), `~/Library/Application Support/hadal` on macOS.",
        ),
        Setting::parsed("engine", "HADAL_ENGINE", Allowed::OneOf(ENGINES), EngineSetting::parse, |s, engine| {
            s.engine = engine;
        })
        .flag("--engine")
        .default("auto")
        .means(
            "Who does the research. `auto` takes the best engine that is available; a named engine is never replaced \
             by another.",
        ),
        Setting::whole("max_tasks", "HADAL_MAX_TASKS", 1..=1_000, |s, most| s.max_tasks = small(most))
            .default("8")
            .means("Tasks one process runs at once; more wait their turn. Runs of a provider's agent are not counted: they are only waited for."),
        Setting::parsed("evidence", "HADAL_EVIDENCE", Allowed::OneOf(&["auto", "off"]), EvidenceMode::parse, |s, mode| {
            s.evidence = mode;
        })
        .default("auto")
        .means(
            "Whether the pages that a report cites are read at its end (100 of them, for 60 seconds) and every claim is judged by \
             them. With `off` reports end without it, and `metadata.evidence` is null.",
        ),
        Setting::yes_or_no("second_opinion", "HADAL_SECOND_OPINION", &["no", "yes"], |s, yes| s.second_opinion = yes)
            .default("no")
            .means(
                "Whether a chat model is asked about claims that the words of their pages leave open. Its word is marked as a model's, and \
                 its cost counts against the budget of the task.",
            ),
        Setting::yes_or_no("background", "HADAL_BACKGROUND", &["no", "yes"], |s, yes| s.background = yes)
            .default("yes")
            .means(
                "Whether research goes on in a process of its own when its client ends, when `hadal serve` is told to end, \
                 and after `hadal start`. With `no` it is paused until hadal runs again.",
            ),
        Setting::whole("linger", "HADAL_LINGER_SECONDS", 0..=86_400, |s, long| s.linger = Duration::from_secs(long))
            .default("1800")
            .means(
                "Seconds for which `hadal serve` goes on with its tasks after its client has gone, where `background` is \
                 `no`.",
            ),
        Setting::parsed(
            "retention",
            "HADAL_RETENTION",
            Allowed::Form("an age such as `90d`, `12h` or `8w`, or `off`".into()),
            retention,
            |s, age| s.retention = age,
        )
        .default("off")
        .means(
            "Tasks that ended longer ago than this are deleted, with their reports and pages: when hadal starts and \
                 every hour, by whichever process runs. What they cost stays counted.",
        ),
        Setting::whole("call_window", "HADAL_CALL_WINDOW_SECONDS", 1..=3_600, |s, window| {
            s.call_window = Some(Duration::from_secs(window));
        })
        .means(
            "Seconds a tool call waits for its task before it hands back the task id. Without it the client's name \
             decides; a terminal waits for ever. `hadal start` hands back the id after 25 seconds at the latest, or after \
             this if it is less.",
        ),
    ]
}

fn of_budgets() -> Vec<Setting> {
    vec![
        Setting::dollars("budget.cost_usd", "HADAL_BUDGET_USD", |s, most| s.budget.cost = Some(most))
            .flag("--budget-usd")
            .means("The most one task may cost. Without it there is no cap."),
        Setting::whole("budget.tokens", "HADAL_BUDGET_TOKENS", 1..=limits::BUDGET_TOKENS_MAX, |s, most| {
            s.budget.tokens = Some(most);
        })
        .flag("--budget-tokens")
        .means("The most tokens one task may use, in and out together. Without it there is no cap."),
        Setting::whole("budget.seconds", "HADAL_BUDGET_SECONDS", 1..=limits::BUDGET_SECONDS_MAX, |s, most| {
            s.budget.wall = Some(Duration::from_secs(most));
        })
        .flag("--budget-seconds")
        .means("The longest one task may run, in seconds. Without it there is no cap."),
        Setting::whole("budget.reserve_percent", "HADAL_BUDGET_RESERVE_PERCENT", 0..=90, |s, share| {
            s.budget.reserve_percent = small(share);
        })
        .default("10")
        .means("The share of the cost and token caps that is kept for writing the final answer."),
    ]
}

fn of_files() -> Vec<Setting> {
    vec![
        Setting::yes_or_no("web", "HADAL_WEB", &["no", "yes"], |s, yes| s.web = yes).default("yes").means(
            "Whether the web is searched, without a model and without a key, when a question names no engine and nothing else is set \
             up: no Gemini CLI, no key of Google's, no chat model, no library. With `no` such a question is refused, and \
             `--web` still asks for the web. An engine that is named and registered documents never lead to the web by themselves.",
        ),
        Setting::whole("library.max_file_mb", "HADAL_LIBRARY_MAX_FILE_MB", 1..=1_024, |s, most| {
            s.library_max_file_bytes = most << 20;
        })
        .default("16")
        .means("Library files larger than this many megabytes (of 1,048,576 bytes) are skipped."),
        Setting::path("library.vectors", "HADAL_LIBRARY_VECTORS", |s, path| s.library_vectors = Some(path)).means(
            "A folder with static word vectors (`tokenizer.json` and `model.safetensors`, for example potion-base-8M), by which passages of \
             documents are also ranked by meaning. Without it they are ranked by words alone. [Vectors](finding.md#vectors) says where to get one.",
        ),
        Setting::yes_or_no("library.to_model", "HADAL_LIBRARY_TO_MODEL", &["no", "yes"], |s, yes| s.library_to_model = yes)
            .default("no")
            .means(
                "Whether registered documents may be shown to a chat model beyond this machine, and searches made of them be sent \
                 to search providers. A folder that a call names may be in any case; a model on this machine sees registered documents \
                 without it.",
            ),
        Setting::path("reports_dir", "HADAL_REPORTS_DIR", |s, path| s.reports_dir = Some(path)).means(
            "Where `hadal save` puts reports, relative to the working directory. Without it `./research_reports`, or \
             `reports` in the data directory when the working directory cannot be written.",
        ),
    ]
}

/// How long a task is kept after its end; the inner `None` is for ever.
fn retention(text: &str) -> Option<Option<Duration>> {
    if text == "off" { Some(None) } else { age::parse(text).map(Some) }
}

/// A number whose range was checked, in the type of its field.
pub(super) fn small<T: TryFrom<u64> + Default>(number: u64) -> T {
    T::try_from(number).unwrap_or_default()
}
