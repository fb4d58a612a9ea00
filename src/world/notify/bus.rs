//! A notification over the session bus: one connection, one call, one answer.

use std::path::{Path, PathBuf};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::message::{self, HEAD_BYTES, HELLO, NOTIFY, Notification};
use crate::core::base::limits;

/// Shows a notification through the first socket that lets us in. The caller bounds the time.
pub(super) async fn notify(sockets: &[PathBuf], notification: &Notification) -> Result<(), String> {
    let mut why = "there is no session bus".to_owned();
    for socket in sockets {
        match joined(socket).await {
            // From here on another socket would be a second notification.
            Ok(stream) => return called(stream, notification).await,
            Err(refused) => why = refused,
        }
    }
    Err(why)
}

/// A connection that the bus has let in, as the user that this process runs as.
async fn joined(socket: &Path) -> Result<UnixStream, String> {
    let failed = |fault: std::io::Error| format!("the session bus is not there: {fault}");
    let mut stream = UnixStream::connect(socket).await.map_err(failed)?;
    let user = rustix::process::geteuid().as_raw().to_string();
    let user: String = user.bytes().map(|digit| format!("{digit:02x}")).collect();
    stream.write_all(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes()).await.map_err(failed)?;
    let mut line = Vec::new();
    // Byte by byte, because what follows the line would be a message.
    while !line.ends_with(b"\r\n") {
        if line.len() == limits::BUS_LINE_BYTES {
            return Err("what listens on the address of the session bus is none".to_owned());
        }
        line.push(stream.read_u8().await.map_err(failed)?);
    }
    if line.starts_with(b"OK ") { Ok(stream) } else { Err("the session bus did not let us in".to_owned()) }
}

async fn called(mut stream: UnixStream, notification: &Notification) -> Result<(), String> {
    let failed = |fault: std::io::Error| format!("the session bus hung up: {fault}");
    let calls = [b"BEGIN\r\n".to_vec(), message::hello(), message::notify(notification)].concat();
    stream.write_all(&calls).await.map_err(failed)?;
    for _ in 0..limits::BUS_MESSAGES {
        let answer = received(&mut stream).await.map_err(failed)?;
        let answer = answer.ok_or("the session bus sent what is no answer")?;
        match (answer.to, answer.error) {
            (Some(HELLO | NOTIFY), Some(why)) => return Err(why),
            (Some(NOTIFY), None) => return Ok(()),
            // The greeting was heard, or somebody else's signal.
            (_, _) => {}
        }
    }
    Err("the session bus sent everything but an answer".to_owned())
}

/// The next message; `None` if what came is none or too large.
async fn received(stream: &mut UnixStream) -> std::io::Result<Option<message::Answer>> {
    let mut head = [0; HEAD_BYTES];
    stream.read_exact(&mut head).await?;
    let Some(length) = message::whole_length(&head) else { return Ok(None) };
    let mut whole = vec![0; length];
    let (begun, rest) = whole.split_at_mut(HEAD_BYTES);
    begun.copy_from_slice(&head);
    stream.read_exact(rest).await?;
    Ok(message::answer(&whole))
}

#[cfg(test)]
mod tests;
