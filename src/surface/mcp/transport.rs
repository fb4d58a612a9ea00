//! Lines of JSON on a pair of streams. Every line that is no message gets an answer; the protocol library would pass over it in
//! silence, and its sender would wait for ever.

use std::collections::HashSet;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorCode, ErrorData, JsonRpcError, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader, Empty};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::message;
use crate::core::base::limits;

/// A transport that tells when the client has closed its side, answers what is no message, and survives what comes too early.
pub(super) struct Lines<R: AsyncRead, W: AsyncWrite> {
    input: BufReader<R>,
    /// The line that is being read; a read that is dropped leaves its part here.
    line: Vec<u8>,
    /// The line is too long: the rest of it is passed over.
    too_long: bool,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    unsent: Arc<Unsent>,
    /// The requests that are being answered. The protocol library tells them apart by their ids: of two with the same one would wait for ever.
    in_flight: HashSet<RequestId>,
    /// An answer that is being written. It is kept here so that nothing can drop it in the middle.
    answer: Option<Answer>,
    /// Cancelled at the end of input.
    closed: CancellationToken,
    /// Cancelled once the handshake is over. Until then the library takes anything but a request for a reason to end
    /// the connection; a stray notification is none.
    ready: CancellationToken,
}

/// Messages that are not written yet. Who does not read what is said is not listened to any more.
#[derive(Default)]
struct Unsent {
    count: AtomicUsize,
    fewer: Notify,
}

/// One of them.
struct Sending(Arc<Unsent>);

impl Sending {
    fn new(unsent: &Arc<Unsent>) -> Self {
        unsent.count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(unsent))
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
        self.0.fewer.notify_one();
    }
}

type Answer = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(read: R, write: W, closed: CancellationToken, ready: CancellationToken) -> Self {
        let output = AsyncRwTransport::new_server(tokio::io::empty(), write);
        let (input, unsent, in_flight) = (BufReader::new(read), Arc::default(), HashSet::new());
        Self { input, line: Vec::new(), too_long: false, output, unsent, in_flight, answer: None, closed, ready }
    }

    /// The next whole line, or `None` at the end of input. What has no end is no message.
    async fn next_line(&mut self) -> Option<Line> {
        loop {
            let Ok(bytes) = self.input.fill_buf().await else { return None };
            if bytes.is_empty() {
                return None;
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let used = end.map_or(part.len(), |end| end + 1);
            self.too_long |= self.line.len() + part.len() > limits::MCP_LINE_BYTES;
            if self.too_long {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            self.input.consume(used);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Some(if std::mem::take(&mut self.too_long) { Line::TooLong } else { Line::Whole(line) });
            }
        }
    }
}

/// The request that a client does not want answered any more. The protocol library drops its answer.
fn cancelled(message: &RxJsonRpcMessage<RoleServer>) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Notification(notification) => match &notification.notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
            _ => None,
        },
        JsonRpcMessage::Request(_) | JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => None,
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// What a line is.
enum Frame {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// It gets this answer.
    Refused(Box<JsonRpcError>),
    /// Nothing that wants an answer.
    Ignored,
}

fn frame(line: &Line) -> Frame {
    let bytes = match line {
        Line::Whole(bytes) => bytes.trim_ascii(),
        Line::TooLong => {
            let message = format!("a message of more than {} bytes is not read", limits::MCP_LINE_BYTES);
            return Frame::Refused(message::refused(None, ErrorData::invalid_request(message, None)));
        }
    };
    if bytes.is_empty() {
        return Frame::Ignored;
    }
    match message::read(bytes) {
        Ok(message) => Frame::Message(message),
        // Nobody waits for an answer to a notification or to an answer.
        Err(error) if error.error.code == ErrorCode::INVALID_PARAMS && error.id.is_none() => Frame::Ignored,
        Err(error) => Frame::Refused(error),
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
        match &message {
            JsonRpcMessage::Response(response) => self.in_flight.remove(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref().is_some_and(|id| self.in_flight.remove(id)),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => false,
        };
        let (sending, sent) = (Sending::new(&self.unsent), self.output.send(message));
        async move {
            let sent = sent.await;
            drop(sending);
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answer) = &mut self.answer {
                let sent = answer.await;
                self.answer = None;
                if sent.is_err() {
                    self.closed.cancel();
                    return None;
                }
            }
            while self.unsent.count.load(Ordering::Relaxed) >= limits::MCP_UNSENT {
                self.unsent.fewer.notified().await;
            }
            let Some(line) = self.next_line().await else {
                self.closed.cancel();
                return None;
            };
            match frame(&line) {
                Frame::Message(message) => {
                    let request = message::wanted(&message).cloned();
                    if let Some(id) = &request
                        && !self.in_flight.insert(id.clone())
                    {
                        let refused = JsonRpcMessage::Error(*message::id_in_use(id.clone()));
                        self.answer = Some(Box::pin(self.output.send(refused)));
                    } else if request.is_some() || self.ready.is_cancelled() {
                        if let Some(id) = cancelled(&message) {
                            self.in_flight.remove(id);
                        }
                        return Some(*message);
                    }
                }
                Frame::Ignored => {}
                Frame::Refused(error) => self.answer = Some(Box::pin(self.output.send(JsonRpcMessage::Error(*error)))),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.close().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: a client that does not read its answers is not asked for more questions; what is written makes room again.
    #[tokio::test]
    async fn mc_01_who_does_not_read_is_not_listened_to() {
        let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(3);
        let (write, _nobody_reads) = tokio::io::duplex(1);
        let mut lines = Lines::new(&*ping, write, CancellationToken::new(), CancellationToken::new());
        let answer = || TxJsonRpcMessage::<RoleServer>::error(ErrorData::internal_error("x", None), None);
        let mut answers: Vec<Answer> = Vec::new();
        for _ in 0..limits::MCP_UNSENT {
            answers.push(Box::pin(lines.send(answer())));
        }
        assert!(futures_util::poll!(Box::pin(lines.receive())).is_pending());
        answers.pop();
        assert!(futures_util::poll!(Box::pin(lines.receive())).is_ready());
    }

    /// MC-01: an id is in use until its request is answered or cancelled; another request with it is refused and goes no further.
    #[tokio::test]
    async fn mc_01_an_id_is_in_use_until_its_answer() {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
        let told = [ping, ping, cancel, ping, ping].concat();
        let (write, mut read) = tokio::io::duplex(1 << 16);
        let (closed, ready) = (CancellationToken::new(), CancellationToken::new());
        ready.cancel();
        let mut lines = Lines::new(told.as_bytes(), write, closed, ready);
        let mut passed = Vec::new();
        while let Some(message) = lines.receive().await {
            passed.push(message::wanted(&message).is_some());
        }
        assert_eq!(passed, [true, false, true]);
        lines
            .send(TxJsonRpcMessage::<RoleServer>::error(
                ErrorData::internal_error("x", None),
                Some(RequestId::Number(1)),
            ))
            .await
            .unwrap();
        assert!(lines.in_flight.is_empty());
        drop(lines);
        let mut said = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut read, &mut said).await.unwrap();
        assert_eq!(said.matches("-32600").count(), 2, "{said}");
    }

    /// PR-03: a line that is no message is answered with what is wrong, and with its id where it has one.
    #[test]
    fn every_malformed_line_has_its_answer() {
        for (line, code, id) in [
            ("not json", -32_700, None),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,", -32_700, None),
            ("\u{7f}\u{1}", -32_700, None),
            ("[]", -32_600, None),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32_600, None),
            ("\"ping\"", -32_600, None),
            ("null", -32_600, None),
            ("{}", -32_600, None),
            ("{\"id\":3,\"method\":\"ping\"}", -32_600, Some("3")),
            ("{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", -32_600, Some("\"a\"")),
            ("{\"jsonrpc\":\"2.0\",\"id\":4}", -32_600, Some("4")),
            ("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":7}", -32_600, Some("4")),
            ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32_600, None),
            ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32_600, None),
            ("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":\"x\"}", -32_602, Some("5")),
        ] {
            let Frame::Refused(error) = frame(&Line::Whole(line.as_bytes().to_vec())) else { panic!("{line}") };
            let said = error.id.map(|id| serde_json::to_string(&id).unwrap());
            assert_eq!((error.error.code.0, said.as_deref()), (code, id), "{line}");
        }
        let deep = "[".repeat(100_000);
        assert!(matches!(frame(&Line::Whole(deep.into_bytes())), Frame::Refused(_)));
        assert!(matches!(frame(&Line::TooLong), Frame::Refused(error) if error.error.code.0 == -32_600));
        for line in ["", "  ", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}"] {
            assert!(!matches!(frame(&Line::Whole(line.into())), Frame::Refused(_)), "{line}");
        }
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(frame(&Line::Whole(ping.into())), Frame::Message(_)));
    }
}
