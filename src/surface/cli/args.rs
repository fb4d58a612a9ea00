//! The command line as clap reads it. Only shapes and help texts; what a value means is decided elsewhere.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::core::base::limits;
use crate::engine::Flags;
use crate::surface::wire::SaveFormat;

use super::check::CheckFormat;
use super::setup_args::{Connect, Key, Library, Serve};

const EXIT_STATUS: &str = "\
Exit status:
  0    done
  1    a fault in hadal itself
  2    the command or its input is not allowed
  3    the task is not in a state that allows it, or there is no such task
  4    something must be installed, set or mended (see `hadal doctor`)
  5    an engine or provider failed, refused or was out of reach
  6    the disk or the database
  7    `check`: a smaller share of the claims is supported than `--fail-under` asks for
  130  stopped by Ctrl-C or SIGTERM; the task is kept

Data goes to stdout, everything else to stderr. Settings: `hadal config`.";

/// Deep research in one binary.
///
/// hadal finds sources, runs the research, checks what was written against what the sources say, and returns a cited
/// report. Work is a durable task: it survives this process.
#[derive(Debug, Parser)]
#[command(name = "hadal", version, after_help = EXIT_STATUS, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Args)]
pub(super) struct Global {
    /// Print the reply as JSON on stdout, errors too
    #[arg(long, global = true, help_heading = "Global options")]
    pub(super) json: bool,
    /// Keep configuration and data in this directory
    #[arg(long, global = true, value_name = "DIR", help_heading = "Global options")]
    pub(super) home: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ask a question in plain words; hadal chooses engine and depth and says which
    Ask(Ask),
    /// Answer a question with one quick round of research
    Search(Question),
    /// Research in rounds, each verified, until the answer holds
    DeepSearch(DeepSearch),
    /// Research a question adaptively and wait for the report
    DeepResearch(DeepResearch),
    /// Start Google's Deep Research agent and return its task
    Start(Start),
    /// Check every claim of a report against the pages it cites
    Check(Check),
    /// Show how far a task is
    Status(Task),
    /// Print the report of a task
    Results(Results),
    /// Tell a running study what to heed from now on
    Steer(Steer),
    /// Stop a task, wherever it runs
    Cancel(Cancel),
    /// Estimate what a hosted deep research would cost and take
    Estimate(Estimate),
    /// Save the report of a task as a Markdown or HTML file
    Save(Save),
    /// List tasks, newest first
    List(List),
    /// Delete tasks that are over, with their reports and pages
    Delete(Delete),
    /// Delete every task that ended long ago
    Prune(Prune),
    /// Manage the local documents that research may read
    #[command(subcommand)]
    Library(Library),
    /// Serve MCP on standard input and output, or over HTTP
    Serve(Serve),
    /// Show which engines can be used here and what the others lack
    Doctor {
        /// Move a damaged database aside and save what can be read from it; no other hadal may be running
        #[arg(long)]
        repair: bool,
    },
    /// Show every setting, its value and where it came from
    Config,
    /// Tell a client of hadal: writes its configuration of the user, with the names of the keys
    Connect(Connect),
    /// Keep the keys of services in a file of hadal's own
    #[command(subcommand)]
    Key(Key),
    /// Print the completions for a shell
    Completions { shell: Shell },
    /// Print a page of the reference
    #[command(name = "__reference", hide = true)]
    Reference { page: Page },
    /// Run one scripted task per file and wait for all
    #[cfg(feature = "scripted")]
    #[command(hide = true)]
    Scripted(Scripted),
    /// Measure something inside the engine
    #[cfg(feature = "scripted")]
    #[command(hide = true, name = "__bench")]
    Bench { name: String },
}

/// A question and the settings of the task it becomes.
#[derive(Debug, Args)]
pub(super) struct Question {
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub(super) query: OsString,
    #[command(flatten)]
    pub(super) settings: TaskSettings,
    #[command(flatten)]
    pub(super) looks: Looks,
    /// Quote every passage as a whole, where documents are quoted
    #[arg(long)]
    pub(super) full: bool,
}

/// Where an answer is looked for.
#[derive(Debug, Args)]
pub(super) struct Looks {
    /// Read this folder or file instead of the registered library; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(super) library: Vec<String>,
    /// With `--engine extractive`: search the web without a model, instead of documents; with `native` and `--library`: search it too
    #[arg(long)]
    pub(super) web: bool,
    /// Ask nobody: quote local documents, without the web and without a model
    #[arg(long, conflicts_with = "web")]
    pub(super) offline: bool,
}

/// Settings that may be given for one call.
#[derive(Debug, Args)]
pub(super) struct TaskSettings {
    /// Who does the research: auto, gemini-cli, gemini-api, native or extractive
    #[arg(long, value_name = "NAME")]
    pub(super) engine: Option<String>,
    #[command(flatten)]
    caps: Caps,
}

/// What a task may use at most.
#[derive(Clone, Debug, Args)]
pub(super) struct Caps {
    /// The most the task may cost, in US dollars
    #[arg(long, value_name = "USD", allow_negative_numbers = true)]
    budget_usd: Option<String>,
    /// The most tokens the task may use
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    budget_tokens: Option<String>,
    /// The longest the task may run, in seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    budget_seconds: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct DeepSearch {
    #[command(flatten)]
    pub(super) question: Question,
    /// Rounds at most, 2 to 10 [default: 5, or `DEEP_SEARCH_MAX_ITERATIONS`]
    #[arg(long, value_name = "N")]
    pub(super) max_iterations: Option<u32>,
}

#[derive(Debug, Args)]
pub(super) struct DeepResearch {
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION", required_unless_present = "follow_up_to")]
    pub(super) query: Option<OsString>,
    #[command(flatten)]
    pub(super) settings: TaskSettings,
    /// Go on from this finished task: a further question, or its plan as it is (without a question) or edited
    #[arg(long, alias = "follow-up", value_name = "TASK_ID")]
    pub(super) follow_up_to: Option<String>,
    /// How much is at stake
    #[arg(long, value_name = "SCOPE", value_parser = ["tiny", "normal", "large"])]
    pub(super) task_scope: Option<String>,
    /// What the answer is for
    #[arg(long, value_name = "TYPE", value_parser = ["reference", "debug", "architecture", "research"])]
    pub(super) task_type: Option<String>,
    /// What is known already; if it answers a tiny question, nothing is searched
    #[arg(long, value_name = "TEXT")]
    pub(super) context: Option<String>,
    /// Search attempts, instead of the strategy's own number
    #[arg(long, value_name = "N")]
    pub(super) max_attempts: Option<u32>,
    #[command(flatten)]
    pub(super) research: Research,
}

/// A question in plain words.
#[derive(Debug, Args)]
pub(super) struct Ask {
    /// The question, without quotes; flags stand before its first word. A single `-` reads it from standard input
    #[arg(value_name = "QUESTION", required_unless_present = "about", trailing_var_arg = true)]
    pub(super) words: Vec<OsString>,
    /// Go on from this finished task: a further question, or its plan as it is (without a question) or edited (`- <plan.md`)
    #[arg(long, value_name = "TASK_ID")]
    pub(super) about: Option<String>,
    /// Study it at length, in sections
    #[arg(long, conflicts_with = "quick")]
    pub(super) deep: bool,
    /// Answer it with one quick round
    #[arg(long)]
    pub(super) quick: bool,
    #[command(flatten)]
    pub(super) settings: TaskSettings,
    #[command(flatten)]
    pub(super) research: Research,
}

/// Where research looks, and what its report is to be like.
#[derive(Debug, Args)]
pub(super) struct Research {
    #[command(flatten)]
    pub(super) looks: Looks,
    /// How long the report is wanted
    #[arg(long, value_name = "LENGTH", value_parser = ["brief", "normal", "long"])]
    pub(super) length: Option<String>,
    /// Quote every passage as a whole: `--length long`
    #[arg(long, conflicts_with = "length")]
    pub(super) full: bool,
    /// The language of a report of `native`, instead of the question's
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    /// Who a report of `native` is for, such as "a team choosing a database"
    #[arg(long = "for", value_name = "READER")]
    pub(super) audience: Option<String>,
    /// Cite at least this many sources in a report of `native`, if so many are found
    #[arg(long, value_name = "NUMBER")]
    pub(super) sources: Option<u32>,
    /// Search only this site, or with `-` before it leave it out; may be repeated
    #[arg(long, value_name = "SITE", allow_hyphen_values = true)]
    pub(super) site: Vec<String>,
    /// Only pages published since this day, such as 2026-01-31
    #[arg(long, value_name = "DAY")]
    pub(super) since: Option<String>,
    /// Only make a plan, to be run with `hadal ask --about`
    #[arg(long, alias = "plan-only")]
    pub(super) plan: bool,
    /// Tell also the strategy, the score after each attempt and why it stopped
    #[arg(long)]
    pub(super) explain: bool,
}

#[derive(Debug, Args)]
pub(super) struct Start {
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub(super) query: OsString,
    #[command(flatten)]
    pub(super) caps: Caps,
    /// Wait for the report instead of returning once the run exists
    #[arg(long)]
    pub(super) wait: bool,
    /// Show no desktop notification at the end
    #[arg(long)]
    pub(super) no_notification: bool,
    /// Give up waiting after this many hours
    #[arg(long, value_name = "HOURS", default_value_t = 8)]
    pub(super) max_wait_hours: u32,
    /// The agent [default: `deep_research.agent` of the settings]
    #[arg(long, value_name = "AGENT")]
    pub(super) model: Option<String>,
    /// Go on from this completed task, or approve its plan
    #[arg(long, value_name = "TASK_ID")]
    pub(super) follow_up_to: Option<String>,
    /// Only make a plan, to be approved with `--follow-up-to`
    #[arg(long)]
    pub(super) plan_only: bool,
    /// Pay for it again although the same research runs or completed within the hour
    #[arg(long)]
    pub(super) again: bool,
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// A file (Markdown, text, HTML, DOCX, ODT or PDF), an address, the id of a task, or `-` for standard input
    #[arg(value_name = "REPORT")]
    pub(super) report: OsString,
    /// Cited pages to read at most
    #[arg(long, value_name = "N", default_value_t = limits::CHECK_PAGES, value_parser = clap::value_parser!(u32).range(0..=i64::from(limits::CHECK_PAGES_MAX)))]
    pub(super) pages: u32,
    /// Ask no network: only pages that were read before
    #[arg(long)]
    pub(super) offline: bool,
    /// Exit with 7 if a smaller share of the cited claims is supported, such as 0.9
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(super) fail_under: Option<f64>,
    /// How the result is written: a table, or annotations of a GitHub workflow
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormat::Text)]
    pub(super) format: CheckFormat,
    /// The longest the check may run, in seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    budget_seconds: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Estimate {
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub(super) query: OsString,
    /// The agent [default: `deep_research.agent` of the settings]
    #[arg(long, value_name = "AGENT")]
    pub(super) model: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Task {
    /// The task's id, as `hadal list` shows it
    #[arg(value_name = "TASK_ID")]
    pub(super) task_id: String,
}

#[derive(Debug, Args)]
pub(super) struct Results {
    #[command(flatten)]
    pub(super) task: Task,
    /// Wait for the end; a task that no process works on is taken over
    #[arg(long)]
    pub(super) wait: bool,
    /// Leave the list of sources out
    #[arg(long)]
    pub(super) no_sources: bool,
    /// Show the verdict on every claim of the report instead, with the passages and the reasons
    #[arg(long)]
    pub(super) evidence: bool,
}

#[derive(Debug, Args)]
pub(super) struct Steer {
    #[command(flatten)]
    pub(super) task: Task,
    /// What it is to heed, such as: leave out pricing
    #[arg(value_name = "MESSAGE", required = true, trailing_var_arg = true)]
    pub(super) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Cancel {
    #[command(flatten)]
    pub(super) task: Task,
    /// Throw away what was found so far
    #[arg(long)]
    pub(super) no_partial: bool,
}

#[derive(Debug, Args)]
pub(super) struct Save {
    #[command(flatten)]
    pub(super) task: Task,
    /// Where to put the file, below a folder for the month [default: ./research_reports]
    #[arg(long, value_name = "DIR")]
    pub(super) output_dir: Option<PathBuf>,
    /// How the file's name begins
    #[arg(long, value_name = "PREFIX", default_value = "research")]
    pub(super) prefix: String,
    /// markdown, or html: one page that shows beside each sentence the passage that it rests on
    #[arg(long, value_name = "FORMAT", default_value = "markdown", value_parser = SaveFormat::NAMES)]
    pub(super) format: String,
    /// Leave the metadata at the top out
    #[arg(long)]
    pub(super) no_metadata: bool,
    /// Leave the list of sources out
    #[arg(long)]
    pub(super) no_sources: bool,
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// Only tasks that are in this state: running_async, completed, failed or cancelled
    #[arg(long, value_name = "STATUS")]
    pub(super) status: Option<String>,
    /// The most tasks to list
    #[arg(long, value_name = "N", default_value_t = limits::LIST_ROWS_DEFAULT)]
    pub(super) limit: u32,
    /// Begin behind this task
    #[arg(long, value_name = "TASK")]
    pub(super) after: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Delete {
    /// The tasks' ids, as `hadal list` shows them
    #[arg(value_name = "TASK_ID", required = true)]
    pub(super) task_ids: Vec<String>,
    /// Have Google delete its runs of them first; what it does not delete is kept here too
    #[arg(long)]
    pub(super) at_provider: bool,
}

#[derive(Debug, Args)]
pub(super) struct Prune {
    /// How long ago they ended at least: `90d`, `12h` or `8w` [default: `retention` of the settings]
    #[arg(long, value_name = "AGE")]
    pub(super) older_than: Option<String>,
    /// Delete nothing and tell what would be deleted
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// A page of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Page {
    Commands,
    Configuration,
    Errors,
}

#[cfg(feature = "scripted")]
#[derive(Debug, Args)]
pub(super) struct Scripted {
    /// Also take over the tasks of dead processes
    #[arg(long)]
    pub(super) adopt: bool,
    /// Leave the tasks for other processes to run
    #[arg(long)]
    pub(super) start_only: bool,
    /// Have them gone on with in the background at the end of this command
    #[arg(long)]
    pub(super) hand_over: bool,
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
}

impl Cli {
    /// The settings that were given as flags.
    pub(super) fn flags(&self) -> Flags {
        let mut flags = Flags { home: self.global.home.clone(), others: Vec::new() };
        let asked = |settings: &TaskSettings| (settings.engine.clone(), settings.caps.clone());
        let (engine, caps) = match &self.command {
            Command::Ask(args) => asked(&args.settings),
            Command::Search(question) => asked(&question.settings),
            Command::DeepSearch(args) => asked(&args.question.settings),
            Command::DeepResearch(args) => asked(&args.settings),
            Command::Start(args) => (None, args.caps.clone()),
            Command::Check(args) => {
                let caps = Caps { budget_usd: None, budget_tokens: None, budget_seconds: args.budget_seconds.clone() };
                (None, caps)
            }
            Command::Estimate(_)
            | Command::Status(_)
            | Command::Results(_)
            | Command::Steer(_)
            | Command::Cancel(_)
            | Command::Delete(_)
            | Command::Prune(_)
            | Command::Save(_)
            | Command::List(_)
            | Command::Library(_)
            | Command::Serve(_)
            | Command::Doctor { .. }
            | Command::Config
            | Command::Key(_)
            | Command::Connect(_)
            | Command::Completions { .. }
            | Command::Reference { .. } => return flags,
            #[cfg(feature = "scripted")]
            Command::Scripted(_) | Command::Bench { .. } => return flags,
        };
        let Caps { budget_usd, budget_tokens, budget_seconds } = caps;
        let given = [
            ("--engine", engine),
            ("--budget-usd", budget_usd),
            ("--budget-tokens", budget_tokens),
            ("--budget-seconds", budget_seconds),
        ];
        flags.others.extend(given.into_iter().filter_map(|(flag, value)| Some((flag, value?))));
        flags
    }
}
