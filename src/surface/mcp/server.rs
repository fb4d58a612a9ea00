//! The server: which tool does what, and how long a call waits.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, JsonObject, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::progress::Reporter;
use super::{arguments, resources, tools};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::saved::file_name::Parts;
use crate::core::setup::settings::Settings;
use crate::core::setup::window;
use crate::core::task::Progress;
use crate::engine::{News, TaskEvent};
use crate::surface::save::{SaveArgs, SaveReply};
use crate::surface::verbs::{App, status_wait};
use crate::surface::wire::{self, CancelArgs, ErrorReply, ListArgs, PageRequest, ResultsArgs, StatusArgs};

/// The verbs that start a task.
#[derive(Clone, Copy, Debug)]
enum Verb {
    Search,
    DeepSearch,
    DeepResearch,
}

pub(super) struct Server {
    app: App,
    /// Cancelled once the client has closed its side.
    closed: CancellationToken,
}

impl Server {
    pub(super) fn new(app: App, closed: CancellationToken) -> Self {
        Self { app, closed }
    }

    /// Starts research and waits for it as long as the client does.
    async fn research(
        &self,
        verb: Verb,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Result<wire::ResearchReply> {
        // Watching begins before the task does, so that nothing is missed.
        let news = self.app.engine.watch();
        let id = match verb {
            Verb::Search => self.app.start_search_task(arguments::read(arguments)?).await?,
            Verb::DeepSearch => self.app.start_deep_search_task(arguments::read(arguments)?).await?,
            Verb::DeepResearch => self.app.start_deep_research_task(arguments::read(arguments)?).await?,
        };
        let client = context.client_info().map(|client| client.name).unwrap_or_default();
        self.attend(id, call_window(&self.app.settings, &client), news, context).await;
        self.app.research_reply(id, Some(Duration::ZERO)).await
    }

    /// Waits until the task is over, the window has passed, or nobody waits for the answer any more. The task does not
    /// notice.
    async fn attend(
        &self,
        id: TaskId,
        window: Duration,
        mut news: broadcast::Receiver<Arc<TaskEvent>>,
        context: &RequestContext<RoleServer>,
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
                () = self.closed.cancelled() => {
                    let _what_there_is_then = timeout(limits::MCP_GOODBYE, over).await;
                    return;
                }
                progress = next_progress(&mut news, id) => reporter.news(&progress).await,
                () = reporter.due() => reporter.send().await,
            }
        }
    }

    async fn check_research_status(
        &self,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Result<wire::StatusReply> {
        let StatusArgs { task_id, wait_seconds } = arguments::read(arguments)?;
        let wait = status_wait(wait_seconds)?;
        if wait.is_zero() {
            return self.app.status(&task_id).await;
        }
        tokio::select! {
            reply = self.app.status_after(&task_id, wait) => reply,
            () = context.ct.cancelled() => self.app.status(&task_id).await,
            () = self.closed.cancelled() => self.app.status(&task_id).await,
        }
    }

    async fn get_research_results(&self, arguments: Option<JsonObject>) -> Result<wire::ResultsReply> {
        let ResultsArgs { task_id, include_sources, page, section } = arguments::read(arguments)?;
        let reply = self.app.results(&task_id, include_sources.unwrap_or(true)).await?;
        reply.paged(&PageRequest { page, section })
    }

    /// Replies once the run exists, or at the end of the window: the research itself takes minutes.
    async fn start_deep_research(
        &self,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Result<wire::StartReply> {
        let started = self.app.start_hosted(arguments::read(arguments)?).await?;
        let client = context.client_info().map(|client| client.name).unwrap_or_default();
        let window = call_window(&self.app.settings, &client).min(limits::START_WINDOW);
        self.app.start_reply(started, window).await
    }

    async fn save_research(&self, arguments: Option<JsonObject>) -> Result<SaveReply> {
        let args: wire::SaveArgs = arguments::read(arguments)?;
        let parts =
            Parts { metadata: args.include_metadata.unwrap_or(true), sources: args.include_sources.unwrap_or(true) };
        let save = SaveArgs {
            task_id: args.task_id,
            output_dir: args.output_dir.map(PathBuf::from),
            filename_prefix: args.filename_prefix.unwrap_or_else(|| "research".to_owned()),
            parts,
        };
        self.app.save(save).await
    }

    async fn estimate_cost(&self, arguments: Option<JsonObject>) -> Result<wire::EstimateReply> {
        self.app.estimate(arguments::read(arguments)?).await
    }

    async fn cancel_research(&self, arguments: Option<JsonObject>) -> Result<wire::CancelReply> {
        let CancelArgs { task_id, save_partial } = arguments::read(arguments)?;
        self.app.cancel(&task_id, save_partial.unwrap_or(true)).await
    }

    async fn list_research(&self, arguments: Option<JsonObject>) -> Result<wire::ListReply> {
        let ListArgs { status, limit } = arguments::read(arguments)?;
        self.app.list(status.as_deref(), limit).await
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
            .with_server_info(
                Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
                    .with_title("hadal deep research"),
            )
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let ttl = u64::try_from(limits::MCP_TOOLS_TTL.as_millis()).unwrap_or(0);
        Ok(ListToolsResult::with_all_items(tools::all().to_vec()).with_ttl_ms(ttl).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments;
        let result = match request.name.as_ref() {
            "search" => result(self.research(Verb::Search, arguments, &context).await),
            "deep_search" => result(self.research(Verb::DeepSearch, arguments, &context).await),
            "deep_research" => result(self.research(Verb::DeepResearch, arguments, &context).await),
            "start_deep_research" => result(self.start_deep_research(arguments, &context).await),
            "estimate_research_cost" => result(self.estimate_cost(arguments).await),
            "save_research_to_markdown" => result(self.save_research(arguments).await),
            "cancel_research" => result(self.cancel_research(arguments).await),
            "check_research_status" => result(self.check_research_status(arguments, &context).await),
            "get_research_results" => result(self.get_research_results(arguments).await),
            "list_research" => result(self.list_research(arguments).await),
            unknown => {
                let name = wire::excerpt(unknown, limits::ECHO_CHARS);
                let error = Error::new(Code::InvalidArgument, format!("unknown tool: {name}"))
                    .hint("tools/list has the names of the tools");
                return Err(refused(&error));
            }
        };
        Ok(CallToolResponse::Complete(result))
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        resources::list(&self.app).await.map_err(|error| refused(&error))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = resources::read(&self.app, &request.uri).await.map_err(|error| refused(&error))?;
        Ok(ReadResourceResponse::Complete(read))
    }

    /// What the library could not read as a request it knows: a method that there is not, or parameters of another shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = wire::excerpt(&request.method, limits::ECHO_CHARS);
        if !KNOWN_METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("unknown method: {method}"), None));
        }
        let error =
            Error::new(Code::InvalidArgument, format!("`{method}`: its parameters do not have the right shape"))
                .hint("tools/call takes an object with `name`, a text, and `arguments`, an object");
        Err(refused(&error))
    }
}

/// The requests with parameters that are answered here.
const KNOWN_METHODS: [&str; 6] =
    ["initialize", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read"];

/// A call that the protocol wants refused as such. The coded error goes along for clients that look.
fn refused(error: &Error) -> ErrorData {
    ErrorData::invalid_params(error.message.clone(), serde_json::to_value(ErrorReply::from(error)).ok())
}

/// How long a call may wait: what the settings say, else what the client is known to bear.
fn call_window(settings: &Settings, client: &str) -> Duration {
    settings.call_window.unwrap_or_else(|| window::for_client(client))
}

/// The next thing the task tells. An engine that tells nothing more is waited for silently.
async fn next_progress(news: &mut broadcast::Receiver<Arc<TaskEvent>>, id: TaskId) -> Progress {
    loop {
        match news.recv().await {
            Ok(event) if event.task == id => match &event.news {
                News::Progress(progress) => return progress.clone(),
                News::Ended => {}
            },
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}

/// A reply or an error, for every kind of client: some show the model only the structured content, some only the
/// text, so both hold the same.
fn result<T: Serialize>(reply: Result<T>) -> CallToolResult {
    match reply {
        Ok(reply) => both(&reply),
        Err(error) => both(&ErrorReply::from(&error)),
    }
}

fn both(reply: &impl Serialize) -> CallToolResult {
    // No reply has keys that are not text, the only thing JSON cannot hold.
    let value = serde_json::to_value(reply).unwrap_or_default();
    let text = serde_json::to_string(reply).unwrap_or_default();
    let failed = value.get("success") == Some(&Value::Bool(false));
    let mut result = if failed { CallToolResult::structured_error(value) } else { CallToolResult::structured(value) };
    // The text is in the order of the fields, not of the alphabet: a client that cuts it cuts the least important.
    result.content = vec![ContentBlock::text(text)];
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JB-01: a set window counts; otherwise the client's name decides.
    #[test]
    fn the_window_of_a_call() {
        let mut settings = Settings { linger: Duration::ZERO, ..Settings::defaults("unused".as_ref()) };
        assert_eq!(call_window(&settings, "codex-mcp-client"), Duration::from_secs(240));
        assert_eq!(call_window(&settings, "claude-code"), Duration::from_secs(110));
        assert_eq!(call_window(&settings, ""), Duration::from_secs(45));
        settings.call_window = Some(Duration::from_millis(1));
        assert_eq!(call_window(&settings, "codex-mcp-client"), Duration::from_millis(1));
    }
}
