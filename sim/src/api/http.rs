//! As much of HTTP/1.1 as the clients of the simulated services speak: keep-alive, bodies with a length or in chunks, answers at
//! once or as a stream of events. One thread per connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// Longest request line or header line in bytes; every client we know stays far below.
const LINE: u64 = 64 * 1024;
/// Largest request body in bytes: the real service takes 20 MB, and a client that sends more should be noticed.
const BODY: usize = 64 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// The next request of a connection; `None` when the client has closed it.
    pub(super) fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Self>> {
        let first = line(stream)?;
        let mut words = first.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request =
            Self { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), ..Self::default() };
        loop {
            let header = line(stream)?;
            let Some((name, value)) = header.split_once(':') else { break };
            request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        request.body = if request.header("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
            chunks(stream)?
        } else {
            let length = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
            exactly(stream, length)?
        };
        Ok(Some(request))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn line(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.by_ref().take(LINE).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn exactly(stream: &mut BufReader<TcpStream>, length: usize) -> io::Result<Vec<u8>> {
    if length > BODY {
        return Err(io::Error::other("the body is too long"));
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}

fn chunks(stream: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream)?;
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default(), 16).map_err(io::Error::other)?;
        body.extend(exactly(stream, size)?);
        if body.len() > BODY {
            return Err(io::Error::other("the body is too long"));
        }
        line(stream)?;
        if size == 0 {
            return Ok(body);
        }
    }
}

/// A whole answer.
pub(super) fn answer(stream: &mut TcpStream, status: u16, body: &serde_json::Value) -> io::Result<()> {
    let body = body.to_string();
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status} {reason}\r\ncontent-type: application/json; charset=UTF-8\r\n");
    // One write, so that a client never sees half of an answer that was meant to be whole.
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes())?;
    stream.flush()
}

/// An answer that is a stream of events.
pub(super) struct Events<'a>(&'a mut TcpStream);

impl<'a> Events<'a> {
    pub(super) fn start(stream: &'a mut TcpStream) -> io::Result<Self> {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes())?;
        stream.flush()?;
        Ok(Self(stream))
    }

    pub(super) fn send(&mut self, event: &serde_json::Value) -> io::Result<()> {
        let data = format!("data: {event}\r\n\r\n");
        write!(self.0, "{:x}\r\n{data}\r\n", data.len())?;
        self.0.flush()
    }

    pub(super) fn end(self) -> io::Result<()> {
        self.0.write_all(b"0\r\n\r\n")?;
        self.0.flush()
    }
}
