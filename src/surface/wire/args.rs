//! Arguments of the verbs. Unknown ones are refused: an argument that is silently ignored is a surprise later.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

/// What `search` takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchArgs {
    /// The question, complete.
    #[cfg_attr(test, schemars(length(min = 3, max = 10_000)))]
    pub(crate) query: String,
    /// Folders or files to read instead.
    pub(crate) library: Option<Vec<String>>,
    pub(crate) web: Option<bool>,
    pub(crate) engine: Option<String>,
    pub(crate) budget_usd: Option<f64>,
}

impl From<SearchArgs> for DeepResearchArgs {
    fn from(args: SearchArgs) -> Self {
        let SearchArgs { query, library, web, engine, budget_usd } = args;
        Self { query: Some(query), library, web, engine, budget_usd, ..Self::default() }
    }
}

/// What `deep_search` takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DeepSearchArgs {
    /// The question, complete.
    #[cfg_attr(test, schemars(length(min = 3, max = 10_000)))]
    pub(crate) query: String,
    /// Rounds at most. Default 5.
    #[cfg_attr(test, schemars(range(min = 2, max = 10)))]
    pub(crate) max_iterations: Option<u32>,
    /// Folders or files to read instead.
    pub(crate) library: Option<Vec<String>>,
    pub(crate) web: Option<bool>,
    pub(crate) engine: Option<String>,
    pub(crate) budget_usd: Option<f64>,
}

impl DeepSearchArgs {
    /// What it asks for, and its rounds.
    pub(crate) fn parts(self) -> (DeepResearchArgs, Option<u32>) {
        let Self { query, max_iterations, library, web, engine, budget_usd } = self;
        (SearchArgs { query, library, web, engine, budget_usd }.into(), max_iterations)
    }
}

/// What `deep_research` takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DeepResearchArgs {
    /// The question, complete. To run a plan: absent, or the edited plan.
    #[cfg_attr(test, schemars(length(min = 3, max = 10_000)))]
    pub(crate) query: Option<String>,
    /// A finished task to go on from: a further question, or the approval of its plan.
    pub(crate) follow_up_to: Option<String>,
    /// Return a plan, to be approved with follow_up_to.
    pub(crate) plan_only: Option<bool>,
    /// How hard to look.
    pub(crate) task_scope: Option<TaskScope>,
    pub(crate) task_type_hint: Option<TaskType>,
    /// What you already know; it may answer a tiny question.
    #[cfg_attr(test, schemars(length(max = 20_000)))]
    pub(crate) context: Option<String>,
    /// Search attempts, instead of the strategy's.
    #[cfg_attr(test, schemars(range(min = 1, max = 10)))]
    pub(crate) max_attempts: Option<u32>,
    /// Folders or files to read, absolute paths. Default: the library.
    #[cfg_attr(test, schemars(length(max = 32)))]
    pub(crate) library: Option<Vec<String>>,
    /// With extractive: the web instead of documents.
    pub(crate) web: Option<bool>,
    /// Only these; `-site` excludes.
    pub(crate) sites: Option<Vec<String>>,
    /// Only pages since this day: YYYY-MM-DD.
    pub(crate) since: Option<String>,
    pub(crate) length: Option<ReportLength>,
    /// Its language; default that of the question.
    #[cfg_attr(test, schemars(length(max = 60)))]
    pub(crate) language: Option<String>,
    #[cfg_attr(test, schemars(length(max = 300)))]
    pub(crate) audience: Option<String>,
    /// Sources to cite at least, if found.
    #[cfg_attr(test, schemars(range(min = 1, max = 50)))]
    pub(crate) sources: Option<u32>,
    /// Somebody can be asked back; only a terminal says so.
    #[serde(skip)]
    pub(crate) asks_back: bool,
    /// Nobody may be asked; only a command says so.
    #[serde(skip)]
    pub(crate) offline: bool,
    /// Default auto: the best available.
    #[cfg_attr(test, schemars(extend("enum" = ["auto", "gemini-cli", "gemini-api", "native", "extractive"])))]
    pub(crate) engine: Option<String>,
    /// Cost cap in US dollars.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub(crate) budget_usd: Option<f64>,
    /// Token cap.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) budget_tokens: Option<u64>,
    /// Time cap; at a cap you get a partial report.
    #[cfg_attr(test, schemars(range(min = 1, max = 604_800)))]
    pub(crate) budget_seconds: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReportLength {
    Brief,
    Normal,
    Long,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskScope {
    Tiny,
    Normal,
    Large,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskType {
    Reference,
    Debug,
    Architecture,
    Research,
}

/// What `check_research_status` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusArgs {
    pub(crate) task_id: String,
    /// Wait up to this long for the end before answering. Default 0.
    #[cfg_attr(test, schemars(range(min = 0, max = 45)))]
    pub(crate) wait_seconds: Option<u64>,
}

/// What `get_research_results` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultsArgs {
    pub(crate) task_id: String,
    /// Default true.
    pub(crate) include_sources: Option<bool>,
    /// Page of a long report. Default 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) page: Option<u32>,
    /// One section, by title or number.
    pub(crate) section: Option<String>,
}

/// What `list_research` takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ListArgs {
    #[cfg_attr(test, schemars(extend("enum" = ["running_async", "completed", "failed", "cancelled"])))]
    pub(crate) status: Option<String>,
    /// Default 20.
    #[cfg_attr(test, schemars(range(min = 1, max = 200)))]
    pub(crate) limit: Option<u32>,
    // The last task_id of the list before; the description of the tool says so.
    pub(crate) after: Option<String>,
}

/// What `steer_research` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SteerArgs {
    pub(crate) task_id: String,
    /// Such as: leave out pricing.
    #[cfg_attr(test, schemars(length(min = 1, max = 1_000)))]
    pub(crate) message: String,
}

/// What `cancel_research` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelArgs {
    pub(crate) task_id: String,
    /// Keep what was found so far. Default true.
    pub(crate) save_partial: Option<bool>,
}
