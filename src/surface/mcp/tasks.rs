//! The tasks extension (SEP-2663) over hadal's own tasks: the id is the same, and so is what outlives the client.
//!
//! A client that declares it with a call gets a task instead of waiting, unless the research is over in a moment. Nothing is kept here: what a
//! poll is told is read from the store.

use std::time::Duration;

use rmcp::model::{
    CallToolResponse, CallToolResult, CreateTaskResult, DetailedTask, GetTaskResult, JsonObject, Task, TaskPayload,
    TaskStatus,
};
use serde::Serialize;
use serde_json::Value;

use super::calls::{Calls, Form, reply_size, result};
use super::progress::Context;
use super::tools::ToolRow;
use crate::core::base::dates::rfc3339;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::task::{Status, TaskView, Tool};
use crate::surface::hosted::Started;
use crate::surface::wire::CancelArgs;

/// Whether the call says that it takes a task for an answer.
pub(super) fn takes_tasks(context: &Context) -> bool {
    context.client_capabilities().is_some_and(|client| client.supports_tasks())
}

/// The answer to a call: a task where one was started that still runs, and the client takes it.
pub(super) async fn answer(calls: &Calls, row: &ToolRow, done: CallToolResult, context: &Context) -> CallToolResponse {
    match started(calls, row, &done, context).await {
        Some(task) => CallToolResponse::Task(CreateTaskResult::new(task)),
        None => CallToolResponse::Complete(done),
    }
}

async fn started(calls: &Calls, row: &ToolRow, done: &CallToolResult, context: &Context) -> Option<Task> {
    let reply = done.structured_content.as_ref().filter(|_| row.starts && takes_tasks(context))?;
    let runs = reply.get("status")?.as_str()? == "running_async";
    let id = TaskId::parse(reply.get("task_id")?.as_str()?).ok().filter(|_| runs)?;
    let view = calls.app.engine.task(id).await.ok()?;
    Some(described(&view))
}

/// How a task stands, with its result once it is over.
pub(super) async fn get(calls: &Calls, id: &str, context: &Context) -> Result<GetTaskResult> {
    let view = calls.app.engine.task(TaskId::parse(id)?).await?;
    let payload = match view.status {
        Status::Pending | Status::Running => TaskPayload::Working,
        Status::Cancelled => TaskPayload::Cancelled,
        // A research that failed is a call that ended with an error, not a fault of the protocol.
        Status::Completed | Status::Failed => TaskPayload::Completed { result: ended(calls, &view, context).await? },
    };
    Ok(GetTaskResult::new(DetailedTask::new(described(&view), payload)))
}

/// What the call would have returned if it had waited.
async fn ended(calls: &Calls, view: &TaskView, context: &Context) -> Result<JsonObject> {
    let (app, form, now) = (&calls.app, Form::of(context), Some(Duration::ZERO));
    let done = if view.tool == Tool::CheckClaims.name() {
        result(app.check_reply(view.id, now, limits::CLAIMS_TOLD).await, form)
    } else if view.tool == Tool::StartDeepResearch.name() {
        let reply = app.start_reply(Started { id: view.id, warning: None }, Duration::ZERO).await;
        result(reply.and_then(|reply| reply.paged(reply_size(context))), form)
    } else {
        let reply = app.research_reply(view.id, now).await;
        result(reply.and_then(|reply| reply.paged(reply_size(context))), form)
    };
    object(&done)
}

fn object(done: &impl Serialize) -> Result<JsonObject> {
    match serde_json::to_value(done) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) | Err(_) => Err(Error::new(Code::Internal, "the result of a task has no JSON form")),
    }
}

/// Stops a task and keeps what it found; one that is over stays as it is.
pub(super) async fn cancel(calls: &Calls, id: &str) -> Result<()> {
    let view = calls.app.engine.task(TaskId::parse(id)?).await?;
    if !view.status.is_final() {
        calls.app.cancel(CancelArgs { task_id: id.to_owned(), save_partial: None }).await?;
    }
    Ok(())
}

/// No task of ours asks anything while it runs; what is sent to one that is there is taken and does nothing.
pub(super) async fn update(calls: &Calls, id: &str) -> Result<()> {
    calls.app.engine.task(TaskId::parse(id)?).await.map(|_| ())
}

pub(super) fn described(view: &TaskView) -> Task {
    let status = match view.status {
        Status::Pending | Status::Running => TaskStatus::Working,
        Status::Completed | Status::Failed => TaskStatus::Completed,
        Status::Cancelled => TaskStatus::Cancelled,
    };
    let poll = u64::try_from(limits::MCP_TASK_POLL.as_millis()).unwrap_or(u64::MAX);
    let task = Task::new(view.id.to_string(), status, rfc3339(view.created_ms), rfc3339(view.updated_ms));
    let task = task.with_poll_interval_ms(poll);
    // What a task did last says nothing once it is over.
    let says = match view.status {
        Status::Pending | Status::Running => Some(view.progress.action.clone()).filter(|action| !action.is_empty()),
        Status::Failed => view.error.as_ref().map(|error| error.message.clone()),
        Status::Completed | Status::Cancelled => None,
    };
    match says {
        Some(says) => task.with_status_message(says),
        None => task,
    }
}
