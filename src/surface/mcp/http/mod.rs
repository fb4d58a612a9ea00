//! The MCP face over HTTP: `POST`, `GET` and `DELETE` of `/mcp`, in both eras, with the handlers of stdio.
//!
//! Everything that keeps strangers out stands before the protocol library: connections, times, sizes, hosts, origins, tokens, rates.
//! Each principal has its own sessions, so that a session's id is worth nothing to others.

mod answers;
mod entrance;
mod held;
mod in_flight;
mod newest;
mod pages;
mod patient;
mod sessions;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::FutureExt;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, EXPECT, HeaderMap, HeaderValue, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::model::{ErrorData, JsonRpcError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::entrance::{Admitted, Entrance, Stop};
use self::held::Held;
use self::in_flight::InFlight;
use self::patient::Patient;
use self::sessions::Refusal;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::engine::{log, raise_file_limit};
use crate::surface::mcp::message;
use crate::surface::signals;
use crate::surface::verbs::App;
use crate::surface::wire::ErrorReply;

/// The only place there is.
const PATH: &str = "/mcp";
const JSON: &str = "application/json";

type Reply = Response<BoxBody<Bytes, Infallible>>;

/// Serves until a signal.
pub(crate) async fn serve_http(app: App, address: SocketAddr) -> Result<()> {
    let listener = TcpListener::bind(address).await.map_err(|fault| {
        Error::new(Code::InvalidConfig, format!("cannot listen on {address}: {fault}"))
            .hint("choose another port, such as `hadal serve --http 127.0.0.1:7418`")
    })?;
    let listens = listener.local_addr().unwrap_or(address);
    let stop = Stop::default();
    let engine = app.engine.clone();
    let entrance = Arc::new(Entrance::open(app, listens, stop.clone())?);
    raise_file_limit();
    log::info(format!("MCP is served on http://{listens}{PATH}{}", entrance.what_is_needed()));
    let door = Door { entrance, calls: TaskTracker::new(), connections: TaskTracker::new(), end: stop.calls.clone() };
    tokio::select! {
        // Signals are listened for before anybody is answered.
        biased;
        () = signals::first() => {}
        () = accept(&listener, &door) => {}
        () = door.entrance.end_what_was_revoked() => {}
        // Beside the first answers, which need not wait for it.
        () = async { engine.sweep().await; std::future::pending().await } => {}
    }
    drop(listener);
    // Waiting calls answer now that their task goes on later; what is not written by then is lost. Streams without an end are cut
    // after that: an answer may be under way in one of them.
    stop.calls.cancel();
    door.calls.close();
    let answered = async {
        // Answers that are not written by then are lost.
        let _ = timeout(limits::MCP_DRAIN, door.calls.wait()).await;
        stop.streams.cancel();
        door.connections.close();
        // What is left is cut.
        let _ = timeout(limits::MCP_DRAIN, door.connections.wait()).await;
    };
    tokio::join!(engine.hand_over(), answered);
    Ok(())
}

/// What connections share.
#[derive(Clone)]
struct Door {
    entrance: Arc<Entrance>,
    /// Calls that are being answered, until their answer was sent.
    calls: TaskTracker,
    connections: TaskTracker,
    /// Cancelled when no further request is read.
    end: CancellationToken,
}

async fn accept(listener: &TcpListener, door: &Door) {
    let room = Arc::new(Semaphore::new(limits::HTTP_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let shared = door.clone();
                door.connections.spawn(async move {
                    converse(stream, shared).await;
                    drop(place);
                });
            }
            Err(fault) => {
                log::warn(format!("a connection could not be taken: {fault}"));
                sleep(limits::HTTP_ACCEPT_PAUSE).await;
            }
        }
    }
}

/// One connection to its end.
async fn converse(stream: impl AsyncRead + AsyncWrite + Unpin, door: Door) {
    let end = door.end.clone();
    let answer = service_fn(move |request| {
        let door = door.clone();
        // On the heap: a connection that only listens needs no room for the next request.
        async move { Ok::<Reply, Infallible>(reply(&door, request).await) }.boxed()
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HTTP_HEADER_TIME)
        .max_buf_size(limits::HTTP_HEADER_BYTES)
        .max_header_size(limits::HTTP_HEADER_BYTES)
        .max_headers(limits::HTTP_HEADERS)
        .serve_connection(TokioIo::new(Patient::new(stream, limits::HTTP_WRITE_TIME)), answer);
    let mut connection = std::pin::pin!(connection);
    // What a client does wrong with its connection concerns nobody else.
    tokio::select! {
        _ended = &mut connection => return,
        () = end.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ended = connection.await;
}

async fn reply(door: &Door, request: Request<Incoming>) -> Reply {
    // Strangers are told nothing, not even by the head of the answer.
    let origin = match door.entrance.origin(request.headers()) {
        Ok(origin) => origin,
        Err(error) => return refused(&error),
    };
    let mut reply = match answered(door, request).await {
        Ok(reply) => reply,
        Err(error) => refused(&error),
    };
    if let Some(origin) = origin {
        pages::readable_by(&mut reply, origin);
    }
    reply
}

async fn answered(door: &Door, request: Request<Incoming>) -> Result<Reply> {
    if request.uri().path() != PATH {
        return Ok(plain(StatusCode::NOT_FOUND, &format!("there is nothing but {PATH}\n")));
    }
    // A browser asks without the token of the page.
    if request.method() == Method::OPTIONS && request.headers().contains_key(ORIGIN) {
        return Ok(pages::preflight());
    }
    let Admitted { service, in_flight, place } = door.entrance.admit(request.headers())?;
    let call = (request.method() == Method::POST).then(|| door.calls.token());
    let ends_session = request.method() == Method::DELETE;
    let (mut parts, body) = request.into_parts();
    let body = whole(body, parts.headers.contains_key(EXPECT)).await?;
    let mut flight = None;
    if call.is_some() && is_json(&parts.headers) {
        // The protocol library knows one way to write it.
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        let id = match message::read(&body) {
            Ok(message) => message::wanted(&message).cloned(),
            Err(answer) => return Ok(no_message(&answer)),
        };
        if let Some((session, id)) = session(&parts.headers).zip(id) {
            flight = InFlight::take(&in_flight, (session.to_owned(), id.clone())).await;
            if flight.is_none() {
                return Ok(no_message(&message::id_in_use(id)));
            }
        }
    }
    let answer = service.handle(Request::from_parts(parts, Full::new(body)));
    let (mut reply, refusal) = sessions::noting_refusals(answer).await;
    match refusal {
        Some(Refusal::NoRoom) => {
            return Err(Error::new(Code::TooManyRequests, "too many sessions are open").hint("end those that are over"));
        }
        Some(Refusal::EventsGone) => {
            let message = "what came after this event is not known here; a task's result is found by its id";
            return Ok(no_message(&message::refused(None, ErrorData::invalid_request(message, None))));
        }
        None => {}
    }
    if ends_session && reply.status() == StatusCode::ACCEPTED {
        // Some clients take 202 for a session that was not ended.
        *reply.status_mut() = StatusCode::NO_CONTENT;
    }
    Ok(reply.map(|body| Held::new(body, (call, place, flight)).boxed()))
}

/// What calls itself something else is refused as that.
fn is_json(headers: &HeaderMap) -> bool {
    let begins =
        |kind: &[u8]| kind.get(..JSON.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(JSON.as_bytes()));
    headers.get(CONTENT_TYPE).is_some_and(|kind| begins(kind.as_bytes()))
}

fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get("mcp-session-id")?.to_str().ok()
}

/// The body, if it is not too large and does not take too long.
async fn whole(mut body: Incoming, waits_for_leave: bool) -> Result<Bytes> {
    let too_large = || {
        let message = format!("the body of the request is larger than {} bytes", limits::HTTP_BODY_BYTES);
        Error::new(Code::RequestTooLarge, message)
    };
    // What says so itself is not asked for: a client that waits for leave to send it gets none.
    if body.size_hint().lower() > limits::HTTP_BODY_BYTES as u64 {
        if !waits_for_leave {
            pass_over(body).await;
        }
        return Err(too_large());
    }
    let limited = Limited::new(&mut body, limits::HTTP_BODY_BYTES);
    let read = timeout(limits::HTTP_BODY_TIME, limited.collect()).await;
    let slow = || Error::new(Code::RequestTooLarge, "the body of the request took too long");
    match read.map_err(|_| slow())? {
        Ok(body) => Ok(body.to_bytes()),
        Err(fault) if fault.is::<LengthLimitError>() => {
            pass_over(body).await;
            Err(too_large())
        }
        // Nobody is there any more to read an answer.
        Err(_broken) => Err(slow()),
    }
}

/// Reads what nobody wants, within limits: many clients read no answer before they have sent everything, and a connection that is closed
/// before that takes the answer with it.
async fn pass_over(mut body: Incoming) {
    if body.size_hint().lower() > limits::HTTP_PASSED_OVER_BYTES as u64 {
        return;
    }
    let read = async {
        let mut left = limits::HTTP_PASSED_OVER_BYTES;
        while let Some(Ok(frame)) = body.frame().await {
            match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
                Some(less) => left = less,
                None => return,
            }
        }
    };
    // What is left is cut.
    let _ = timeout(limits::HTTP_PASSED_OVER_TIME, read).await;
}

/// A request that was not let in. It is answered as the protocol answers what is no message.
fn refused(error: &Error) -> Reply {
    let data = serde_json::to_value(ErrorReply::from(error)).unwrap_or_default();
    let body = serde_json::json!({
        "jsonrpc": "2.0", "id": null, "error": { "code": -32600, "message": error.message, "data": data }
    });
    let status = StatusCode::from_u16(error.code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut reply = json(status, &body.to_string());
    if error.code == Code::TokenRefused {
        reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if error.code == Code::TooManyRequests {
        reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    reply
}

/// What came is no message, or none that can be answered now.
fn no_message(answer: &JsonRpcError) -> Reply {
    json(StatusCode::BAD_REQUEST, &serde_json::to_string(answer).unwrap_or_default())
}

fn json(status: StatusCode, text: &str) -> Reply {
    let mut reply = plain(status, text);
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    reply
}

fn plain(status: StatusCode, text: &str) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(text.to_owned())).boxed());
    *reply.status_mut() = status;
    reply
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::*;
    use crate::core::setup::settings::Settings;
    use crate::engine::{Adopt, Engine};

    /// MC-01: a client that asks and does not read its answer loses its connection; one that reads slowly does not.
    #[tokio::test(start_paused = true)]
    async fn mc_01_a_client_that_does_not_read_is_cut_off() {
        let home = tempfile::tempdir().unwrap();
        let settings = Settings::defaults(home.path());
        let app = App { engine: Engine::new(&settings, Adopt::Nothing), settings: settings.into() };
        let stop = Stop::default();
        let entrance = Entrance::open(app, SocketAddr::from((Ipv4Addr::LOCALHOST, 7_417)), stop.clone()).unwrap();
        let door = Door {
            entrance: Arc::new(entrance),
            calls: TaskTracker::new(),
            connections: TaskTracker::new(),
            end: stop.calls.clone(),
        };
        let request = b"GET /elsewhere HTTP/1.1\r\nHost: localhost:7417\r\nConnection: close\r\n\r\n";
        for reads in [false, true] {
            let (near, mut far) = duplex(64);
            let begun = Instant::now();
            let conversation = tokio::spawn(converse(near, door.clone()));
            far.write_all(request).await.unwrap();
            if reads {
                let (mut answer, mut part) = (Vec::new(), [0; 10]);
                loop {
                    tokio::time::advance(limits::HTTP_WRITE_TIME / 2).await;
                    match far.read(&mut part).await.unwrap() {
                        0 => break,
                        read => answer.extend_from_slice(&part[..read]),
                    }
                }
                let answer = String::from_utf8(answer).unwrap();
                assert!(answer.starts_with("HTTP/1.1 404") && answer.ends_with("nothing but /mcp\n"), "{answer}");
                conversation.await.unwrap();
            } else {
                conversation.await.unwrap();
                assert!(begun.elapsed() >= limits::HTTP_WRITE_TIME, "{:?}", begun.elapsed());
                drop(far);
            }
        }
    }
}
