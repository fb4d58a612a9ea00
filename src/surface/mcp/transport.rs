//! Lines of JSON on a pair of streams, on top of the protocol library's own.

use std::io;

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::core::base::limits;

/// A transport that tells when the client has closed its side, and that survives what comes too early.
pub(super) struct Lines<R: AsyncRead, W: AsyncWrite> {
    lines: AsyncRwTransport<RoleServer, R, W>,
    /// Cancelled at the end of input.
    closed: CancellationToken,
    /// Cancelled once the handshake is over. Until then the library takes anything but a request for a reason to end
    /// the connection; a stray notification is none.
    ready: CancellationToken,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(read: R, write: W, closed: CancellationToken, ready: CancellationToken) -> Self {
        let lines = AsyncRwTransport::new_server(read, write).with_max_line_length(limits::MCP_LINE_BYTES);
        Self { lines, closed, ready }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.lines.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.lines.receive().await else {
                self.closed.cancel();
                return None;
            };
            if matches!(message, JsonRpcMessage::Request(_)) || self.ready.is_cancelled() {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.lines.close().await
    }
}
