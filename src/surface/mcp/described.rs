//! The tools as the code has them: their names, what they are for, and the schemas of their types. `tools_list.json` is
//! made from this by the tests, and is what the server hands out.

use std::sync::Arc;

use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::json;

use super::schema;
use crate::surface::save::SaveReply;
use crate::surface::wire::{
    CancelArgs, CancelReply, DeepResearchArgs, DeepSearchArgs, EstimateArgs, EstimateReply, ListArgs, ListReply,
    ResearchReply, ResultsArgs, ResultsReply, SaveArgs, SearchArgs, StartArgs, StartReply, StatusArgs, StatusReply,
};

/// Characters of a result that a client is asked to show in full; about 50,000 tokens.
const RESULT_CHARS: usize = 200_000;

/// The tools, always in this order.
pub(super) fn all() -> Vec<Tool> {
    vec![search(), deep_search(), deep_research(), start(), status(), results(), cancel(), estimate(), save(), list()]
}

fn search() -> Tool {
    let description = "Answer a question with one quick web search and a few pages. Use it for plain facts; for what must \
                       be right use deep_search. Usually under two minutes. Returns a cited report, or running_async.";
    researching("search", "Search", description, schema::input::<SearchArgs>())
}

fn deep_search() -> Tool {
    let description = "Research a question in rounds: a draft from five perspectives, then rounds that attack its claims \
                       until one stands by it. Use it when the answer must be right. Takes minutes. Returns the report with \
                       `verified` and every round, or running_async.";
    researching("deep_search", "Deep search", description, schema::input::<DeepSearchArgs>())
}

fn deep_research() -> Tool {
    let description = "Research a question and get a cited Markdown report. Use it for what needs looking up in documents or several \
         sources; not for what you know or for reading one known file. Takes seconds to minutes. Returns the report \
         with sources, or status running_async and a task_id: then call check_research_status.";
    researching("deep_research", "Deep research", description, schema::input::<DeepResearchArgs>())
}

/// A tool that starts a task.
fn researching(name: &'static str, title: &'static str, description: &'static str, input: Arc<JsonObject>) -> Tool {
    Tool::new(name, description, input)
        .with_title(title)
        .with_raw_output_schema(schema::output::<ResearchReply>())
        // It writes nothing of the user's, but a second call is a second task and can cost money.
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).idempotent(false).open_world(true))
        .with_meta(large_result())
}

fn start() -> Tool {
    let description = "Start Google's Deep Research agent: dozens of searches, 5 to 30 minutes, usually 1 to 7 US dollars. For \
                       broad questions that need a long report; ask estimate_research_cost first. Returns a task_id at once \
                       and goes on by itself: then check_research_status. Do not start it again.";
    Tool::new("start_deep_research", description, schema::input::<StartArgs>())
        .with_title("Start deep research")
        .with_raw_output_schema(schema::output::<StartReply>())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).idempotent(false).open_world(true))
        .with_meta(large_result())
}

fn estimate() -> Tool {
    Tool::new(
        "estimate_research_cost",
        "What start_deep_research would cost and take for a question, from earlier runs here. Free, at once.",
        schema::input::<EstimateArgs>(),
    )
    .with_title("Estimate research cost")
    .with_raw_output_schema(schema::output::<EstimateReply>())
    .with_annotations(reading())
}

fn save() -> Tool {
    Tool::new(
        "save_research_to_markdown",
        "Write the report of a task to a new Markdown file. Free, at once. Returns its path.",
        schema::input::<SaveArgs>(),
    )
    .with_title("Save research to Markdown")
    .with_raw_output_schema(schema::output::<SaveReply>())
    .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).idempotent(false).open_world(false))
}

fn status() -> Tool {
    Tool::new(
        "check_research_status",
        "How far a research task is. Free. Answers at once, or with wait_seconds as soon as the task ends. When the \
         status is completed, failed or cancelled call get_research_results.",
        schema::input::<StatusArgs>(),
    )
    .with_title("Check research status")
    .with_raw_output_schema(schema::output::<StatusReply>())
    .with_annotations(reading())
}

fn results() -> Tool {
    Tool::new(
        "get_research_results",
        "The report of a finished task, or the partial one of a failed or cancelled task. Free, at once. A task \
         that still runs is the error RESEARCH_NOT_COMPLETED.",
        schema::input::<ResultsArgs>(),
    )
    .with_title("Get research results")
    .with_raw_output_schema(schema::output::<ResultsReply>())
    .with_annotations(reading())
    .with_meta(large_result())
}

fn cancel() -> Tool {
    Tool::new(
        "cancel_research",
        "Stop a running task, wherever it runs. Returns what it cost; what was found so far is kept unless \
         save_partial is false.",
        schema::input::<CancelArgs>(),
    )
    .with_title("Cancel research")
    .with_raw_output_schema(schema::output::<CancelReply>())
    .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).idempotent(true).open_world(false))
}

fn list() -> Tool {
    Tool::new(
        "list_research",
        "Research tasks of this machine, newest first: to find a task_id again. Free, at once.",
        schema::input::<ListArgs>(),
    )
    .with_title("List research")
    .with_raw_output_schema(schema::output::<ListReply>())
    .with_annotations(reading())
}

fn reading() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).idempotent(true).open_world(false)
}

/// Some clients put a long result into a file unless the tool says how long it may be.
fn large_result() -> MetaObject {
    let mut meta = JsonObject::new();
    meta.insert("anthropic/maxResultSizeChars".to_owned(), json!(RESULT_CHARS));
    MetaObject::from(meta)
}
