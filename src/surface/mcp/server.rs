//! The server as the protocol library knows it: which request is answered by what.

use futures_util::FutureExt;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
    Icon, Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    UpdateTaskParams,
};
use rmcp::service::SubscriptionContext;
use rmcp::{ErrorData, ServerHandler};
use tokio_util::sync::CancellationToken;

use super::calls::{self, Calls, Form};
use super::confirm::{self, Confirmed, confirm};
#[cfg(feature = "conformance")]
use super::fixtures;
use super::follow::{self, Followers};
use super::progress::Context;
use super::{prompts, resources, tasks, tools};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::surface::hints::{self, Reader};
use crate::surface::wire::{self, ErrorReply};

/// The server for one session, or for one request that stands alone.
///
/// A session keeps room for the largest of its answers from its beginning to its end, so that what is large is put on the heap while it lasts.
pub(super) struct Server {
    calls: Calls,
    followers: Followers,
    /// Cancelled with the answer to the handshake. Whoever starts the server learns of it later, when a client may have answered already.
    ready: CancellationToken,
}

impl Server {
    pub(super) fn new(calls: Calls, ready: CancellationToken) -> Self {
        Self { calls, followers: Followers::default(), ready }
    }
}

/// A circle that gets darker with depth.
const ICON: &str = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA0OCA0OCI+PGNpcmNsZSBjeD0iMjQiIGN5PSIyNCIgcj0iMjIiIGZpbGw9IiM3ZmJmZGYiLz48Y2lyY2xlIGN4PSIyNCIgY3k9IjMwIiByPSIxNiIgZmlsbD0iIzJmNmY5ZiIvPjxjaXJjbGUgY3g9IjI0IiBjeT0iMzYiIHI9IjEwIiBmaWxsPSIjMGYxZjNmIi8+PC9zdmc+";

impl ServerHandler for Server {
    #[expect(deprecated, reason = "sessions of the older revisions have log messages")]
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_completions()
                .enable_logging()
                .enable_prompts()
                .enable_resources()
                .enable_resources_list_changed()
                .enable_resources_subscribe()
                .enable_tasks()
                .enable_tools()
                .build(),
        )
        .with_server_info(
            Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
                .with_title("hadal deep research")
                .with_icons(vec![Icon::new(ICON).with_mime_type("image/svg+xml").with_sizes(vec!["any".to_owned()])]),
        )
        .with_instructions(tools::INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        self.followers.begin(&self.calls.app.engine, &context.peer);
        let agreed = self.negotiate_initialize(&request)?;
        self.ready.cancel();
        Ok(agreed)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let ttl = u64::try_from(limits::MCP_TOOLS_TTL.as_millis()).unwrap_or(0);
        let tools = tools::listed().to_vec();
        #[cfg(feature = "conformance")]
        let tools = [tools, fixtures::tools()].concat();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(ttl).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        #[cfg(feature = "conformance")]
        if let Some(tool) = fixtures::tools().into_iter().find(|tool| tool.name == name) {
            return Some(tool);
        }
        tools::listed().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(answer) = fixtures::call(&self.calls, &request, &context).await {
            return answer;
        }
        let Some(row) = tools::named(&request.name) else {
            let name = wire::excerpt(&request.name, limits::ECHO_CHARS);
            let error = Error::new(Code::InvalidArgument, format!("unknown tool: {name}"))
                .hint("tools/list has the names of the tools");
            return Err(refused(&error));
        };
        match confirm(&self.calls, request, &context).boxed().await {
            Confirmed::GoOn(arguments) => {
                let done = row.call(&self.calls, arguments, &context).await;
                Ok(tasks::answer(&self.calls, row, done, &context).boxed().await)
            }
            Confirmed::Start(prepared) => {
                let started = self.calls.start_prepared(*prepared, &context).boxed().await;
                let done = calls::result(started, Form::of(&context));
                Ok(tasks::answer(&self.calls, row, done, &context).boxed().await)
            }
            Confirmed::Ask(question) => Ok(CallToolResponse::InputRequired(question)),
            Confirmed::Refused(error) => {
                Ok(CallToolResponse::Complete(calls::result::<ErrorReply>(Err(error), Form::default())))
            }
        }
    }

    #[expect(deprecated, reason = "sessions of the older revisions set the level of log messages")]
    async fn set_level(&self, request: rmcp::model::SetLevelRequestParams, context: Context) -> Result<(), ErrorData> {
        of_sessions(&context, "logging/setLevel")?;
        self.followers.level.set(request.level);
        Ok(())
    }

    async fn subscribe(&self, request: SubscribeRequestParams, context: Context) -> Result<(), ErrorData> {
        of_sessions(&context, "resources/subscribe")?;
        #[cfg(feature = "conformance")]
        if fixtures::resource(&request.uri).is_some() {
            return Ok(());
        }
        let subscribed = self.followers.subscribe(&self.calls.app.engine, request.uri, &context.peer).await;
        subscribed.map_err(|error| refused(&error))
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, context: Context) -> Result<(), ErrorData> {
        of_sessions(&context, "resources/unsubscribe")?;
        self.followers.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(follow::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        follow::listen(&self.calls, context).boxed().await;
        Ok(())
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let ttl = u64::try_from(limits::MCP_TOOLS_TTL.as_millis()).unwrap_or(0);
        let prompts = prompts::list();
        #[cfg(feature = "conformance")]
        let prompts = ListPromptsResult::with_all_items([prompts.prompts, fixtures::prompts()].concat());
        Ok(prompts.with_ttl_ms(ttl).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(prompt) = fixtures::prompt(&request) {
            return prompt;
        }
        let prompt = prompts::get(&request.name, request.arguments.as_ref()).map_err(|error| refused(&error))?;
        Ok(GetPromptResponse::Complete(prompt))
    }

    async fn complete(&self, request: CompleteRequestParams, _context: Context) -> Result<CompleteResult, ErrorData> {
        resources::complete(&self.calls.app, &request).await.map_err(|error| refused(&error))
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = page.as_ref().and_then(|page| page.cursor.as_deref());
        let listed = resources::list(&self.calls.app, cursor).await.map_err(|error| refused(&error))?;
        #[cfg(feature = "conformance")]
        let listed = ListResourcesResult::with_all_items([listed.resources, fixtures::resources()].concat());
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let listed = resources::templates();
        #[cfg(feature = "conformance")]
        let listed =
            ListResourceTemplatesResult::with_all_items([listed.resource_templates, fixtures::templates()].concat());
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(read) = fixtures::resource(&request.uri) {
            return Ok(ReadResourceResponse::Complete(read));
        }
        match resources::read(&self.calls.app, &request.uri).boxed().await {
            Ok(read) => Ok(ReadResourceResponse::Complete(read)),
            Err(error) => {
                let mut refused = refused(&error);
                let uri = wire::excerpt(&request.uri, limits::ECHO_CHARS);
                // The protocol wants the address of what is not there.
                refused.data.get_or_insert_default()["uri"] = uri.into();
                Err(refused)
            }
        }
    }

    async fn get_task(&self, request: GetTaskParams, context: Context) -> Result<GetTaskResult, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(task) = fixtures::get(&request.task_id) {
            return Ok(task);
        }
        tasks::get(&self.calls, &request.task_id, &context).boxed().await.map_err(|error| refused(&error))
    }

    async fn update_task(&self, request: UpdateTaskParams, _context: Context) -> Result<(), ErrorData> {
        #[cfg(feature = "conformance")]
        if fixtures::update(&request) {
            return Ok(());
        }
        tasks::update(&self.calls, &request.task_id).await.map_err(|error| refused(&error))
    }

    async fn cancel_task(&self, request: CancelTaskParams, _context: Context) -> Result<(), ErrorData> {
        #[cfg(feature = "conformance")]
        if fixtures::cancel(&request.task_id) {
            return Ok(());
        }
        tasks::cancel(&self.calls, &request.task_id).boxed().await.map_err(|error| refused(&error))
    }

    /// What the library could not read as a request it knows: a method that there is not, or parameters of another shape.
    async fn on_custom_request(&self, request: CustomRequest, context: Context) -> Result<CustomResult, ErrorData> {
        let method = wire::excerpt(&request.method, limits::ECHO_CHARS);
        // Requests that stand alone have no handshake before them, and nothing that lasts.
        let is_gone = OF_SESSIONS.contains(&request.method.as_str()) && confirm::stands_alone(&context);
        let known = KNOWN_METHODS.iter().find(|(known, _)| *known == request.method && !is_gone);
        let Some((_, takes)) = known else { return Err(unknown_method(&method)) };
        let error =
            Error::new(Code::InvalidArgument, format!("`{method}`: its parameters do not have the right shape"))
                .hint(format!("{method} takes {takes}"));
        Err(refused(&error))
    }
}

fn unknown_method(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("unknown method: {method}"), None)
}

const OF_SESSIONS: [&str; 3] = ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/// Refuses what only sessions of the older revisions have.
fn of_sessions(context: &Context, method: &str) -> Result<(), ErrorData> {
    if confirm::stands_alone(context) { Err(unknown_method(method)) } else { Ok(()) }
}

/// The requests with parameters that are answered here, and what they take.
const KNOWN_METHODS: [(&str, &str); 15] = [
    ("tools/list", PAGE),
    ("tools/call", "an object with `name`, a text, and `arguments`, an object"),
    ("prompts/list", PAGE),
    ("prompts/get", "an object with `name`, a text, and `arguments`, an object of texts"),
    ("resources/list", PAGE),
    ("resources/templates/list", PAGE),
    ("resources/read", RESOURCE),
    ("resources/subscribe", RESOURCE),
    ("resources/unsubscribe", RESOURCE),
    ("subscriptions/listen", "an object with `notifications`, an object that names what is to be told"),
    ("logging/setLevel", "an object with `level`: debug, info, notice, warning, error, critical, alert or emergency"),
    ("completion/complete", "an object with the objects `ref` and `argument`"),
    ("tasks/get", TASK),
    ("tasks/update", "an object with `taskId`, a text, and `inputResponses`, an object"),
    ("tasks/cancel", TASK),
];
const PAGE: &str = "an object, with `cursor`, a text, for another page than the first";
const RESOURCE: &str = "an object with `uri`, a text";
const TASK: &str = "an object with `taskId`, a text";

/// A call that the protocol wants refused as such. The coded error goes along for clients that look.
fn refused(error: &Error) -> ErrorData {
    let reply = ErrorReply::from(error);
    ErrorData::invalid_params(error.message.clone(), Some(hints::reply(&reply, Reader::Model)))
}
