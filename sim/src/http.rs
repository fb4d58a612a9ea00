//! As much of HTTP/1.1 as the clients of the simulated services speak: keep-alive, bodies with a length or in chunks, answers at
//! once or as a stream of events. One thread per connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use serde_json::Value;

/// Longest request line or header line in bytes; every client we know stays far below.
const LINE: u64 = 64 * 1024;
/// Largest request body in bytes: the real service takes 20 MB, and a client that sends more should be noticed.
const BODY: usize = 64 * 1024 * 1024;

/// A free port of this machine, with a thread for each of its connections. It closes when it is dropped.
#[derive(Debug)]
pub(crate) struct Port {
    address: SocketAddr,
    door: Arc<Door>,
    listener: Option<JoinHandle<()>>,
}

/// What a port and those who serve it know of each other.
#[derive(Debug, Default)]
pub(crate) struct Door {
    closed: AtomicBool,
    came: AtomicU64,
}

impl Door {
    /// Whether nobody is to be served any more, on old connections neither.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }
}

impl Port {
    pub(crate) fn open<F>(serve: F) -> io::Result<Self>
    where
        F: Fn(&TcpStream, &Door) -> io::Result<()> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let door = Arc::<Door>::default();
        let (watched, serve) = (Arc::clone(&door), Arc::new(serve));
        let listener = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if watched.is_closed() {
                    break;
                }
                watched.came.fetch_add(1, Ordering::SeqCst);
                let (door, serve) = (Arc::clone(&watched), Arc::clone(&serve));
                // The thread ends with its connection, which the client closes when it ends.
                std::thread::spawn(move || {
                    let _client_gone = stream.set_nodelay(true).and_then(|()| serve(&stream, &door));
                    let _already_closed = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Ok(Self { address, door, listener: Some(listener) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections so far.
    pub(crate) fn came(&self) -> u64 {
        self.door.came.load(Ordering::SeqCst)
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.door.closed.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it is to stop.
        let _woken = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            let _panicked = listener.join();
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// The next request of a connection; `None` when the client has closed it.
    pub(crate) fn read(stream: &mut BufReader<impl Read>) -> io::Result<Option<Self>> {
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

    /// The value of a parameter of the query, decoded.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| decoded(value))
    }

    /// Whether the client wants the connection closed after the answer.
    pub(crate) fn is_last(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let nibble = |digit: Option<u8>| digit.and_then(|digit| char::from(digit).to_digit(16));
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => match (nibble(rest.next()), nibble(rest.next())) {
                (Some(high), Some(low)) => u8::try_from(high * 16 + low).unwrap_or(b'?'),
                _ => b'?',
            },
            other => other,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn line(stream: &mut BufReader<impl Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.by_ref().take(LINE).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn exactly(stream: &mut BufReader<impl Read>, length: usize) -> io::Result<Vec<u8>> {
    if length > BODY {
        return Err(io::Error::other("the body is too long"));
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}

fn chunks(stream: &mut BufReader<impl Read>) -> io::Result<Vec<u8>> {
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
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    /// Further headers.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        let body = body.to_string().into_bytes();
        Self { status, content_type: "application/json; charset=UTF-8", headers: Vec::new(), body }
    }

    /// Head and body as they go over the wire. The length is that of the whole body, whatever is then sent of it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Self { status, content_type, headers, body } = self;
        let mut head = format!("HTTP/1.1 {status} {}\r\ncontent-type: {content_type}\r\n", reason(*status));
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        [head.as_bytes(), body.as_slice()].concat()
    }

    pub(crate) fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        // One write, so that a client never sees half of an answer that was meant to be whole.
        stream.write_all(&self.bytes())?;
        stream.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Internal Server Error",
    }
}

/// A whole answer in JSON.
pub(crate) fn answer(stream: &TcpStream, status: u16, body: &Value) -> io::Result<()> {
    Answer::json(status, body).send(stream)
}

/// An answer that is a stream of events.
#[derive(Debug)]
pub(crate) struct Events<'a>(&'a TcpStream);

impl<'a> Events<'a> {
    pub(crate) fn start(stream: &'a TcpStream) -> io::Result<Self> {
        Self::open(stream, "text/event-stream")
    }

    /// Any answer whose length is not known beforehand.
    pub(crate) fn open(mut stream: &'a TcpStream, content_type: &str) -> io::Result<Self> {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n");
        stream.write_all(head.as_bytes())?;
        stream.flush()?;
        Ok(Self(stream))
    }

    /// An event without a name.
    pub(crate) fn send(&mut self, event: &Value) -> io::Result<()> {
        self.text(&format!("data: {event}\r\n\r\n"))
    }

    /// Any text, as one chunk.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        let chunk = format!("{:x}\r\n{text}\r\n", text.len());
        self.0.write_all(chunk.as_bytes())?;
        self.0.flush()
    }

    pub(crate) fn end(mut self) -> io::Result<()> {
        self.0.write_all(b"0\r\n\r\n")?;
        self.0.flush()
    }
}
