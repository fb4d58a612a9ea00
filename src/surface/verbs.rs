//! The verbs: what a user can ask of hadal, the same over MCP and in the terminal.
//!
//! A verb checks its arguments, asks the engine and returns a wire reply. It knows nothing of protocols, prints
//! nothing and runs nothing itself.

use std::cmp::Reverse;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use crate::core::agent::estimate;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::method::arguments::Argument;
use crate::core::method::rounds::Kind;
use crate::core::method::strategy::{Hint, Length, Scope};
use crate::core::method::study::GoingOn;
use crate::core::method::{TaskSpec, adaptive, study};
use crate::core::model::prompt::Marks;
use crate::core::money::budget::{Budget, Caller};
use crate::core::money::usage::Usd;
use crate::core::question;
use crate::core::question::asking::asking_sentence;
use crate::core::report::explain::Level;
use crate::core::setup::ladder::{self, EngineSetting};
use crate::core::setup::window::ReplySize;
use crate::core::task::{Status, TaskView, Tool};
use crate::core::web::search;
use crate::engine::{self, ListFilter, ModelLookup};
use crate::surface::app::{engine_setting, within};
use crate::surface::follow_up;
use crate::surface::rounds::Call;
use crate::surface::wire;

pub(crate) use crate::surface::app::{App, invalid};
pub(crate) use crate::surface::wire::{DeepResearchArgs, ReportLength, TaskScope, TaskType};

/// How hard a call wants its question looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// As the question and its scope say.
    Chosen,
    Deep,
    /// SE-01: one quick round.
    Quick,
    /// DS-01: a draft and rounds that verify it, at most so many.
    Verified(Option<u32>),
}

impl Depth {
    fn scope(self) -> Option<TaskScope> {
        match self {
            Self::Chosen => None,
            Self::Deep | Self::Verified(_) => Some(TaskScope::Large),
            Self::Quick => Some(TaskScope::Tiny),
        }
    }

    /// The kind of its rounds, where the engine works in rounds.
    fn kind(self) -> Kind {
        match self {
            Self::Chosen | Self::Deep => Kind::Research,
            Self::Quick => Kind::Search,
            Self::Verified(_) => Kind::DeepSearch,
        }
    }

    /// The name under which its task is kept.
    fn tool(self) -> Tool {
        match self {
            Self::Chosen | Self::Deep => Tool::DeepResearch,
            Self::Quick => Tool::Search,
            Self::Verified(_) => Tool::DeepSearch,
        }
    }

    /// DS-08: the call's own maximum, else that of the settings.
    fn max_rounds(self, default: u32) -> Result<u32> {
        match self {
            Self::Verified(Some(rounds)) => {
                within("max_iterations", rounds, *limits::ROUNDS.start(), *limits::ROUNDS.end())
            }
            Self::Verified(None) => Ok(default),
            Self::Chosen | Self::Deep | Self::Quick => Ok(1),
        }
    }
}

impl App {
    /// Checks the arguments and starts the research. When this returns, the task is durable.
    pub(crate) async fn start_task(&self, args: DeepResearchArgs, depth: Depth) -> Result<TaskId> {
        self.engine.start(self.asked(args, depth).await?).await
    }

    /// The task that a question becomes: its engine, its depth, its budget.
    pub(crate) async fn asked(&self, mut args: DeepResearchArgs, depth: Depth) -> Result<TaskSpec> {
        let mut given = given(&args);
        given.extend(matches!(depth, Depth::Verified(Some(_))).then_some(Argument::MaxIterations));
        args.task_scope = depth.scope().or(args.task_scope);
        let earlier = match &args.follow_up_to {
            Some(id) => Some(self.earlier(id).await?),
            None => None,
        };
        let course = study::Course { plan_only: args.plan_only == Some(true), ..study::Course::default() };
        let mut going_on = match (&earlier, &args.query) {
            (Some(earlier), said) => earlier.go_on(said.as_deref(), course)?,
            (None, Some(query)) => GoingOn { query: question::check(query)?, course, inputs: None },
            (None, None) => return Err(Error::new(Code::InvalidArgument, "missing field `query`")),
        };
        check(&args)?;
        let budget = budget(&args, self.settings.budget, self.caller())?;
        let asked = match args.offline {
            // Whatever the settings say: the call says more.
            true => engine_setting(args.engine.as_deref(), EngineSetting::Auto)?.offline()?,
            false => engine_setting(args.engine.as_deref(), self.settings.engine)?,
        };
        if args.library.as_ref().is_some_and(|library| !library.is_empty()) {
            self.not_for_guests("naming folders in `library`")?;
        }
        let library = canonical(args.library.clone().unwrap_or_default()).await?;
        let query = going_on.query;
        let local = local_plan(query.clone(), library, &args);
        let mut call = Call {
            kind: depth.kind(),
            max_rounds: depth.max_rounds(self.settings.max_rounds)?,
            asked,
            cost_cap: budget.cost,
            local: adaptive::AdaptivePlan { given: given.into_iter().chain(caps(&budget)).collect(), ..local },
            wishes: wishes(&args),
            course: going_on.course,
            left_out: false,
        };
        let mut web = args.web == Some(true);
        if let Some(inputs) = going_on.inputs.take() {
            web |= follow_up::inherit(&mut call, inputs);
        }
        let models = if asked.may_ask_models() { ModelLookup::Wanted } else { ModelLookup::LeftOut };
        let mut facts = self.engine.facts(&self.settings, call.local.library.len(), models).await?;
        facts.documents = !call.local.library.is_empty();
        facts.web = web;
        facts.web_allowed &= args.web != Some(false);
        facts.deep = call.kind == Kind::Research && call.local.strategy().level == Level::Deep;
        facts.study = call.course.is_special();
        if let Some(earlier) = earlier.filter(|earlier| !earlier.is_plan()) {
            let documents = self.documents(&call.local.library, call.kind, &facts);
            let (known, left_out) = self.known(&earlier, &documents).await?;
            (call.course.known, call.left_out) = (Some(known), left_out);
            facts.study = true;
        }
        let engine = ladder::choose(asked, &facts)?;
        follow_up::only_studies(&engine, &call.course)?;
        let plan = self.plan(engine.name, call, &facts).await?;
        let opinion = if facts.quotes_documents(engine.name) { None } else { self.opinion().await? };
        let (tool, evidence) = (depth.tool(), self.settings.evidence);
        Ok(TaskSpec { tool, query, engine, budget, plan, evidence, opinion })
    }

    /// Waits for the task up to the window (`None` = for ever) and tells how it stands.
    pub(crate) async fn research_reply(&self, id: TaskId, window: Option<Duration>) -> Result<wire::ResearchReply> {
        self.engine.wait(id, window).await?;
        let (task, ending) = self.engine.ending(id).await?;
        let mut reply = wire::ResearchReply::new(&task, ending.as_ref());
        if ending.is_none() {
            reply.note = self.engine.inputs(id).await?.and_then(|plan| plan.told());
        }
        Ok(reply)
    }

    pub(crate) async fn status(&self, id: &str) -> Result<wire::StatusReply> {
        let task = self.engine.task(TaskId::parse(id)?).await?;
        self.status_of(&task).await
    }

    /// The status once the task is over or the window has passed.
    pub(crate) async fn status_after(&self, id: &str, window: Duration) -> Result<wire::StatusReply> {
        let task = self.engine.wait(TaskId::parse(id)?, Some(window)).await?;
        self.status_of(&task).await
    }

    /// HR-06: when it will be done is told from earlier runs of the same agent, and not at all without them.
    async fn status_of(&self, task: &TaskView) -> Result<wire::StatusReply> {
        let now = engine::now_ms();
        let eta = match &task.hosted {
            Some(hosted) if !task.status.is_final() => {
                let estimate = self.estimated(&task.query, &hosted.agent).await?;
                estimate::eta_ms(&estimate, u64::try_from(now.saturating_sub(task.created_ms)).unwrap_or(0))
            }
            _ => None,
        };
        Ok(wire::StatusReply::new(task, now, eta))
    }

    pub(crate) async fn results(&self, id: &str, include_sources: bool) -> Result<wire::ResultsReply> {
        let (task, ending) = self.engine.ending(TaskId::parse(id)?).await?;
        let sources = if include_sources { wire::Sources::Included } else { wire::Sources::LeftOut };
        wire::ResultsReply::new(&task, ending, sources)
    }

    /// The same, in pages when it is long.
    pub(crate) async fn paged_results(
        &self,
        args: wire::ResultsArgs,
        size: Option<ReplySize>,
    ) -> Result<wire::ResultsReply> {
        let reply = self.results(&args.task_id, args.include_sources.unwrap_or(true)).await?;
        reply.paged(&wire::PageRequest { page: args.page, section: args.section, size })
    }

    pub(crate) async fn cancel(&self, args: wire::CancelArgs) -> Result<wire::CancelReply> {
        let id = TaskId::parse(&args.task_id)?;
        let task = self.engine.cancel(id, args.save_partial.unwrap_or(true)).await?;
        let (_, ending) = self.engine.ending(id).await?;
        Ok(wire::CancelReply::new(&task, ending.is_some_and(|ending| ending.report().is_some())))
    }

    /// Tasks, newest first.
    pub(crate) async fn list(&self, args: wire::ListArgs) -> Result<wire::ListReply> {
        let limit = within("limit", args.limit.unwrap_or(limits::LIST_ROWS_DEFAULT), 1, limits::LIST_ROWS)?;
        let after = match args.after {
            Some(id) => {
                let last = self.engine.task(TaskId::parse(&id)?).await?;
                Some((last.created_ms, last.id))
            }
            None => None,
        };
        let mut tasks = Vec::new();
        for status in statuses(args.status.as_deref())? {
            tasks.extend(self.engine.list(ListFilter { status, limit: Some(limit + 1), after }).await?);
        }
        sort_by_key(&mut tasks, |task| (Reverse(task.created_ms), task.id.to_string()));
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = tasks.len() > most;
        tasks.truncate(most);
        Ok(wire::ListReply::new(&tasks, more))
    }
}

/// The one place where a call's arguments become the method's inputs.
fn local_plan(goal: String, library: Vec<String>, args: &DeepResearchArgs) -> adaptive::AdaptivePlan {
    let scope = args.task_scope.map(|scope| match scope {
        TaskScope::Tiny => Scope::Tiny,
        TaskScope::Normal => Scope::Normal,
        TaskScope::Large => Scope::Large,
    });
    let hint = args.task_type_hint.map(|hint| match hint {
        TaskType::Reference => Hint::Reference,
        TaskType::Debug => Hint::Debug,
        TaskType::Architecture => Hint::Architecture,
        TaskType::Research => Hint::Research,
    });
    adaptive::AdaptivePlan {
        asking: asking_sentence(&goal).map(str::to_owned),
        goal,
        library,
        scope,
        hint,
        context: args.context.clone(),
        max_attempts: args.max_attempts,
        web: Some(sought(args)),
        writer: None,
        // Drawn with the plan of the task.
        marks: Marks::default(),
        next: None,
        answer_first: true,
        length: args.length.map(length),
        given: Vec::new(),
    }
}

fn length(length: ReportLength) -> Length {
    match length {
        ReportLength::Brief => Length::Brief,
        ReportLength::Normal => Length::Normal,
        ReportLength::Long => Length::Long,
    }
}

/// A text that says something.
fn said(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}

/// What the reader of the report wants.
fn wishes(args: &DeepResearchArgs) -> study::Wishes {
    study::Wishes {
        length: args.length.map(length),
        language: said(&args.language),
        audience: said(&args.audience),
        sources: args.sources,
        asks_back: args.asks_back,
    }
}

/// The arguments that a call gives, but for its caps.
fn given(args: &DeepResearchArgs) -> Vec<Argument> {
    let filled = |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
    let own = [
        (Argument::Sites, filled(&args.sites)),
        (Argument::Since, args.since.is_some()),
        (Argument::Library, filled(&args.library)),
        (Argument::Web, args.web == Some(true)),
        (Argument::NoWeb, args.web == Some(false)),
        (Argument::Context, args.context.is_some()),
        (Argument::TaskScope, args.task_scope.is_some()),
        (Argument::TaskTypeHint, args.task_type_hint.is_some()),
        (Argument::MaxAttempts, args.max_attempts.is_some()),
        (Argument::Length, args.length.is_some()),
        (Argument::Language, args.language.is_some()),
        (Argument::Audience, args.audience.is_some()),
        (Argument::Sources, args.sources.is_some()),
    ];
    own.into_iter().filter(|(_, is_given)| *is_given).map(|(argument, _)| argument).collect()
}

/// The caps of a call, as arguments: a cap counts wherever it comes from.
fn caps(budget: &Budget) -> impl Iterator<Item = Argument> {
    let caps = [
        (Argument::BudgetUsd, budget.cost.is_some()),
        (Argument::BudgetTokens, budget.tokens.is_some()),
        (Argument::BudgetSeconds, budget.wall.is_some()),
    ];
    caps.into_iter().filter(|(_, is_given)| *is_given).map(|(argument, _)| argument)
}

/// Where and since when a call wants the web searched, if it is searched at all.
fn sought(args: &DeepResearchArgs) -> adaptive::Web {
    let sites = args.sites.iter().flatten().map(|site| site.trim());
    let (never, only): (Vec<&str>, Vec<&str>) = sites.partition(|site| site.starts_with('-'));
    let within = search::Within {
        only: only.into_iter().map(str::to_owned).collect(),
        never: never.into_iter().map(|site| site.trim_start_matches('-').to_owned()).collect(),
        from: args.since.as_deref().and_then(search::day),
        until: None,
    };
    adaptive::Web { within, ..adaptive::Web::default() }
}

/// The limits of the arguments that are neither the question nor the budget.
fn check(args: &DeepResearchArgs) -> Result<()> {
    if let Some(attempts) = args.max_attempts {
        within("max_attempts", attempts, 1, limits::ATTEMPTS)?;
    }
    if let Some(sources) = args.sources {
        within("sources", sources, 1, limits::SOURCES_WANTED)?;
    }
    if args.context.as_ref().is_some_and(|context| context.chars().nth(limits::CONTEXT_MAX_CHARS).is_some()) {
        let limit = limits::CONTEXT_MAX_CHARS;
        return Err(Error::new(Code::InvalidArgument, format!("`context` is longer than {limit} characters"))
            .hint("put longer texts into a folder and name it in `library`"));
    }
    for (name, text, most) in
        [("language", &args.language, limits::LANGUAGE_CHARS), ("audience", &args.audience, limits::AUDIENCE_CHARS)]
    {
        if let Some(text) = text.as_ref().filter(|text| text.chars().nth(most).is_some()) {
            return Err(invalid(name, &format!("may have {most} characters"), text.chars().count()));
        }
    }
    if let Some(since) = args.since.as_deref().filter(|since| search::day(since).is_none()) {
        return Err(invalid("since", "must be a day such as `2026-01-31`", since));
    }
    let sites = args.sites.as_ref().map_or(0, Vec::len);
    if sites > limits::SITES_MAX {
        return Err(invalid("sites", &format!("may have {} entries", limits::SITES_MAX), sites));
    }
    let roots = args.library.as_ref().map_or(0, Vec::len);
    if roots > limits::LIBRARY_ROOTS_MAX {
        return Err(Error::new(
            Code::InvalidArgument,
            format!("`library` has {roots} entries, at most {} are allowed", limits::LIBRARY_ROOTS_MAX),
        )
        .hint("name a folder above them"));
    }
    Ok(())
}

/// The caps of a call: its own, else those of the settings.
fn budget(args: &DeepResearchArgs, default: Budget, caller: Caller) -> Result<Budget> {
    let cost = args.budget_usd.map(cost_cap).transpose()?;
    let seconds = args
        .budget_seconds
        .map(|seconds| within("budget_seconds", seconds, 1, limits::BUDGET_SECONDS_MAX))
        .transpose()?;
    let tokens =
        args.budget_tokens.map(|tokens| within("budget_tokens", tokens, 1, limits::BUDGET_TOKENS_MAX)).transpose()?;
    Ok(Budget {
        cost: caller.cap(cost, default.cost),
        tokens: caller.cap(tokens, default.tokens),
        wall: caller.cap(seconds.map(Duration::from_secs), default.wall),
        reserve_percent: default.reserve_percent,
    })
}

/// A cost cap in dollars, as a call gives it.
pub(super) fn cost_cap(dollars: f64) -> Result<Usd> {
    // Written with an exponent where it would have hundreds of digits.
    let shown = || if dollars.abs() < 1e15 { dollars.to_string() } else { format!("{dollars:e}") };
    Usd::from_dollars(dollars).ok_or_else(|| invalid("budget_usd", "must be from 0 to 1000000000", shown()))
}

/// What the store calls a status that a user may name. What waits and what runs are both running to a user.
fn statuses(asked: Option<&str>) -> Result<Vec<Option<Status>>> {
    match asked {
        None => Ok(vec![None]),
        Some("running_async") => Ok(vec![Some(Status::Pending), Some(Status::Running)]),
        Some(name) => match Status::parse(name) {
            Some(status) => Ok(vec![Some(status)]),
            None => Err(invalid("status", "must be running_async, completed, failed or cancelled", name)),
        },
    }
}

/// Library paths as the engine knows them, each once. Looking at the disk is kept off the async threads.
async fn canonical(paths: Vec<String>) -> Result<Vec<String>> {
    if paths.is_empty() {
        return Ok(paths);
    }
    let look = move || {
        let mut roots = Vec::with_capacity(paths.len());
        for path in &paths {
            let root = canonical_one(path)?;
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        Ok(roots)
    };
    engine::blocking("looking for the library folders", look).await
}

fn canonical_one(path: &str) -> Result<String> {
    let shown = wire::excerpt(path, limits::ECHO_CHARS);
    let canonical = Path::new(path).canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput | ErrorKind::InvalidFilename => {
            Error::new(Code::LibraryNotFound, format!("there is no folder or file `{shown}`"))
                .hint("give an absolute path; a relative one counts from where hadal was started")
        }
        _ => Error::new(Code::LibraryUnreadable, format!("cannot look at `{shown}`: {error}")),
    })?;
    canonical.into_os_string().into_string().map_err(|_| {
        Error::new(Code::LibraryUnreadable, format!("the real path of `{shown}` is not UTF-8"))
            .hint("rename the folder")
    })
}

/// The seconds a status call may wait.
pub(crate) fn status_wait(seconds: Option<u64>) -> Result<Duration> {
    within("wait_seconds", seconds.unwrap_or(0), 0, limits::STATUS_WAIT_SECONDS_MAX).map(Duration::from_secs)
}

#[cfg(test)]
#[path = "verbs_tests.rs"]
mod tests;
