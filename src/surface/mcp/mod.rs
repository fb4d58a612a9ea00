//! The MCP face: hadal as a server on standard input and output, and over HTTP. The only module that knows `rmcp`.
//!
//! Nothing but protocol is ever written to stdout. Both eras of the protocol are answered by one process: a session
//! opened with `initialize`, and requests that carry their own metadata (`server/discover`).
//!
//! The task owns the work, not the call: a cancelled request, a closed pipe or a call window that has passed only ends
//! the waiting. A line that is not JSON, or is longer than [`limits::MCP_LINE_BYTES`], is dropped without an answer:
//! it has no id to answer to, and the other SDKs do the same. JSON that is no message is answered with
//! `-32600`. Neither ends the server.

mod arguments;
mod calls;
mod confirm;
#[cfg(feature = "conformance")]
mod fixtures;
mod follow;
mod http;
mod logging;
mod message;
mod progress;
mod prompts;
mod resources;
#[cfg(test)]
mod schema;
mod server;
mod tasks;
#[cfg(test)]
mod tests;
mod tools;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use self::calls::Calls;
pub(crate) use self::http::serve_http;
use self::server::Server;
use self::transport::Lines;
use super::signals;
use super::verbs::App;
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::engine::{Engine, log};

/// Serves until the client is gone and its tasks are over, or until a signal. The runtime must be shut down without
/// waiting (`shutdown_background`): a read of a terminal cannot be called back.
pub(crate) async fn serve_stdio(app: App) -> Result<()> {
    let (read, write) = rmcp::transport::stdio_pipes();
    // Beside the first answers, which need not wait for it.
    let engine = app.engine.clone();
    tokio::join!(serve(app, read, write, signals::first()), engine.sweep());
    Ok(())
}

/// Serves one client on a pair of streams until `stop`.
async fn serve<R, W>(app: App, read: R, write: W, stop: impl Future<Output = ()>)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (engine, linger) =
        (app.engine.clone(), if app.settings.background { Duration::ZERO } else { app.settings.linger });
    let end = CancellationToken::new();
    let mut talk = std::pin::pin!(talk(app, read, write, end.clone()));
    let mut stop = std::pin::pin!(stop);
    tokio::select! {
        // Signals are listened for before the client hears anything.
        biased;
        () = &mut stop => {
            // Waiting calls answer now that their task goes on later; they get a moment to be written.
            end.cancel();
            // Answers that are not written by then are lost.
            let _ = tokio::join!(engine.hand_over(), timeout(limits::MCP_DRAIN, talk));
        }
        () = &mut talk => {
            tokio::select! {
                () = outlast(&engine, linger) => {}
                () = stop => {}
            }
            engine.hand_over().await;
        }
    }
}

/// Speaks the protocol until the client closes its side or `end`.
async fn talk<R, W>(app: App, read: R, write: W, end: CancellationToken)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let closed = CancellationToken::new();
    let ready = CancellationToken::new();
    let lines = Lines::new(read, write, closed.clone(), ready.clone());
    let calls = Calls { app, closed, ending: end.clone(), questions: Arc::default() };
    match Server::new(calls, ready.clone()).serve_with_ct(lines, end).await {
        Ok(running) => {
            ready.cancel();
            let _how_it_ended = running.waiting().await;
        }
        // A client that leaves before it has said anything, or a signal, is a normal end.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {}
        Err(error) => log::warn(format!("the MCP client could not be served: {error}")),
    }
}

/// Waits while tasks are in hand, at most `linger`.
async fn outlast(engine: &Engine, linger: Duration) {
    let over = async {
        while engine.live() > 0 {
            sleep(limits::TICK).await;
        }
    };
    // What is not over by then is handed over, or goes on when hadal runs again.
    let _over = timeout_at(Instant::now() + linger, over).await;
}

#[cfg(test)]
pub(crate) fn tool_names() -> impl Iterator<Item = &'static str> {
    tools::TOOLS.iter().map(|row| row.name)
}

/// What the list of tools says of a tool's replies, and the whole schema of them.
#[cfg(test)]
pub(crate) fn reply_schemas(tool: &str) -> [serde_json::Value; 2] {
    let listed =
        tools::listed().iter().find(|listed| listed.name == tool).and_then(|tool| tool.output_schema.as_deref());
    let whole = tools::named(tool).map(|row| (row.reply)());
    [listed.cloned(), whole].map(|schema| serde_json::Value::Object(schema.unwrap_or_default()))
}
