//! What happens when a tool is called, and how long a call waits.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::confirm::Questions;
use super::progress::{Context, Reporter};
use super::tasks::takes_tasks;
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::setup::settings::Settings;
use crate::core::setup::window::{self, ReplySize};
use crate::core::task::Progress;
use crate::engine::{News, TaskEvent};
use crate::surface::hints::{self, Reader};
use crate::surface::hosted::PreparedStart;
use crate::surface::verbs::{App, status_wait};
use crate::surface::wire::{self, ErrorReply};

/// The calls of one client.
pub(super) struct Calls {
    pub(super) app: App,
    /// Cancelled once the client has closed its side.
    pub(super) closed: CancellationToken,
    /// Cancelled when the server ends: what waits is answered with what there is.
    pub(super) ending: CancellationToken,
    /// What its requests were answered with, shared by all of them.
    pub(super) questions: Arc<Questions>,
}

impl Calls {
    /// Starts research and waits for it as long as the client does.
    pub(super) async fn research(
        &self,
        start: impl Future<Output = Result<TaskId>> + Send,
        context: &Context,
    ) -> Result<wire::ResearchReply> {
        // Watching begins before the task does, so that nothing is missed.
        let news = self.app.engine.watch();
        let id = start.await?;
        self.attend(id, call_window(&self.app.settings, context), news, context).await;
        self.app.research_reply(id, Some(Duration::ZERO)).await?.paged(reply_size(context))
    }

    /// Starts a check and waits for it as long as the client does.
    pub(super) async fn check(&self, args: wire::CheckArgs, context: &Context) -> Result<wire::CheckReply> {
        let news = self.app.engine.watch();
        let id = self.app.start_check_of(args).await?;
        self.attend(id, call_window(&self.app.settings, context), news, context).await;
        self.app.check_reply(id, Some(Duration::ZERO), limits::CLAIMS_TOLD).await
    }

    /// Waits until the task is over, the window has passed, or nobody waits for the answer any more. The task does not
    /// notice.
    async fn attend(
        &self,
        id: TaskId,
        window: Duration,
        mut news: broadcast::Receiver<Arc<TaskEvent>>,
        context: &Context,
    ) {
        let mut over = pin!(self.app.engine.wait(id, Some(window)));
        let mut reporter = Reporter::new(context, format!("task {id} has started"));
        reporter.send().await;
        loop {
            tokio::select! {
                biased;
                // Also when the store cannot be asked: whoever reads the task's row next meets the same error.
                _ = &mut over => return,
                () = context.ct.cancelled() => return,
                () = self.ending.cancelled() => return,
                () = self.closed.cancelled() => {
                    // What there is then is shown.
                    let _ = timeout(limits::MCP_GOODBYE, over).await;
                    return;
                }
                progress = next_progress(&mut news, id) => reporter.news(&progress).await,
                () = reporter.due() => reporter.send().await,
            }
        }
    }

    pub(super) async fn status(&self, args: wire::StatusArgs, context: &Context) -> Result<wire::StatusReply> {
        let wait = status_wait(args.wait_seconds)?;
        if wait.is_zero() {
            return self.app.status(&args.task_id).await;
        }
        tokio::select! {
            reply = self.app.status_after(&args.task_id, wait) => reply,
            () = self.given_up(context) => self.app.status(&args.task_id).await,
        }
    }

    /// Until nobody is to wait any longer: the call was cancelled, its client has gone, or the server ends.
    pub(super) async fn given_up(&self, context: &Context) {
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = self.closed.cancelled() => {}
            () = self.ending.cancelled() => {}
        }
    }

    /// Replies once the run exists, or at the end of the window: the research itself takes minutes.
    pub(super) async fn start(&self, args: wire::StartArgs, context: &Context) -> Result<wire::StartReply> {
        self.start_prepared(self.app.prepare_hosted(args).await?, context).await
    }

    /// The same for a start that its user has agreed to.
    pub(super) async fn start_prepared(&self, prepared: PreparedStart, context: &Context) -> Result<wire::StartReply> {
        let started = self.app.start_prepared(prepared).await?;
        let window = call_window(&self.app.settings, context).min(limits::START_WINDOW);
        self.app.start_reply(started, window).await?.paged(reply_size(context))
    }
}

/// How long a call waits for its task.
fn call_window(settings: &Settings, context: &Context) -> Duration {
    // Who takes tasks need not wait: what is not over in a moment is handed over as one.
    if takes_tasks(context) { limits::MCP_TASK_WINDOW } else { patience(settings, context) }
}

/// How long a client waits for an answer: what the settings say, else what the client is known to bear.
pub(super) fn patience(settings: &Settings, context: &Context) -> Duration {
    let client = context.client_info().map(|client| client.name).unwrap_or_default();
    window_of(settings, &client)
}

/// What of a reply the client of a call shows, where that is known.
pub(super) fn reply_size(context: &Context) -> Option<ReplySize> {
    window::reply_size(&context.client_info()?.name)
}

fn window_of(settings: &Settings, client: &str) -> Duration {
    settings.call_window.unwrap_or_else(|| window::for_client(client))
}

/// The next thing the task tells. An engine that tells nothing more is waited for silently.
pub(super) async fn next_progress(news: &mut broadcast::Receiver<Arc<TaskEvent>>, id: TaskId) -> Progress {
    loop {
        match news.recv().await {
            Ok(event) if event.task == id => match &event.news {
                News::Progress(progress) => return progress.clone(),
                News::Ended | News::Deleted(_) => {}
            },
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}

/// A reply or an error, for every kind of client: some show the model only the structured content, some only the
/// text, so both hold the same.
pub(super) fn result<T: Serialize>(reply: Result<T>, form: Form) -> CallToolResult {
    match reply {
        Ok(reply) => both(&reply, form),
        Err(error) => both(&ErrorReply::from(&error), Form::default()),
    }
}

/// What a client takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    size: Option<ReplySize>,
    links: bool,
}

impl Form {
    pub(super) fn of(context: &Context) -> Self {
        // The revision that brought links; a client of an earlier one does not know the kind.
        let links = context.protocol_version().is_some_and(|version| version.as_str() >= "2025-06-18");
        Self { size: reply_size(context), links }
    }
}

/// The whole report as a resource, for replies that have a report.
fn link(reply: &Value) -> Option<Resource> {
    let has_report = ["result", "report"].iter().any(|name| reply.get(name).is_some_and(Value::is_string));
    let id = reply.get("task_id")?.as_str().filter(|_| has_report)?;
    Some(Resource::new(wire::resource(id), "report").with_mime_type("text/markdown"))
}

fn both(reply: &impl Serialize, form: Form) -> CallToolResult {
    content(hints::reply(reply, Reader::Model), form)
}

fn content(mut value: Value, form: Form) -> CallToolResult {
    let mut text = value.to_string();
    if let Some(size) = form.size.filter(|size| text.len() > size.bytes) {
        wire::fit(&mut value, size.bytes);
        text = value.to_string();
    }
    let failed = value.get("success") == Some(&Value::Bool(false));
    let link = link(&value).filter(|_| form.links).map(ContentBlock::resource_link);
    let mut result = if failed { CallToolResult::structured_error(value) } else { CallToolResult::structured(value) };
    // The text is in the order of the fields, not of the alphabet: a client that cuts it cuts the least important.
    result.content = std::iter::once(ContentBlock::text(text)).chain(link).collect();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JB-01: a set window counts; otherwise the client's name decides.
    #[test]
    fn the_window_of_a_call() {
        let mut settings = Settings { linger: Duration::ZERO, ..Settings::defaults("unused".as_ref()) };
        assert_eq!(window_of(&settings, "codex-mcp-client"), Duration::from_secs(240));
        assert_eq!(window_of(&settings, "claude-code"), Duration::from_secs(110));
        assert_eq!(window_of(&settings, ""), Duration::from_secs(45));
        settings.call_window = Some(Duration::from_millis(1));
        assert_eq!(window_of(&settings, "codex-mcp-client"), Duration::from_millis(1));
    }
}
