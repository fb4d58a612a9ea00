//! The server behind `org.freedesktop.Notifications`, as a desktop has one, on a thread of its own.
//!
//! It knows of D-Bus what it needs, and the daemon between it and its clients checks every message of both: one that is not
//! made by the rules is never handed on.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::Sender;

use serde_json::{Value, json};

const BUS: &str = "org.freedesktop.DBus";
const NAME: &str = "org.freedesktop.Notifications";
const CALL: u8 = 1;
const RETURN: u8 = 2;
const ERROR: u8 = 3;

/// A connection to a bus that has the well-known name.
///
/// # Errors
/// When the bus cannot be reached or does not answer as a bus does.
pub(super) fn connect(address: &str) -> io::Result<UnixStream> {
    let path = address.strip_prefix("unix:path=").and_then(|rest| rest.split(',').next());
    let mut bus = UnixStream::connect(path.ok_or_else(|| io::Error::other(format!("no path: {address}")))?)?;
    let user: String =
        rustix::process::geteuid().as_raw().to_string().bytes().map(|byte| format!("{byte:02x}")).collect();
    bus.write_all(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes())?;
    let mut line = Vec::new();
    while !line.ends_with(b"\r\n") {
        let mut byte = [0];
        bus.read_exact(&mut byte)?;
        line.extend(byte);
    }
    bus.write_all(b"BEGIN\r\n")?;
    let to_bus = |member| [(1, 'o', "/org/freedesktop/DBus"), (6, 's', BUS), (2, 's', BUS), (3, 's', member)];
    bus.write_all(&message(CALL, 1, &to_bus("Hello"), None, &[]))?;
    let mut wanted = Body::default();
    wanted.text(NAME);
    wanted.number(0);
    let fields = [to_bus("RequestName").as_slice(), &[(8, 'g', "su")]].concat();
    bus.write_all(&message(CALL, 2, &fields, None, &wanted.0))?;
    while Message::read(&mut bus)?.reply_to != Some(2) {}
    Ok(bus)
}

/// Says what it is asked to show, until the connection ends. One that hangs takes notifications and answers none.
pub(super) fn serve(mut bus: UnixStream, hangs: bool, shown: &Sender<Value>) -> io::Result<()> {
    for no in 1.. {
        let call = Message::read(&mut bus)?;
        if call.kind != CALL {
            continue;
        }
        let to = [(6, 's', call.sender.as_str())];
        if (call.member.as_str(), call.signature.as_str()) != ("Notify", "susssasa{sv}i") {
            let unknown = [to[0], (4, 's', "org.freedesktop.DBus.Error.UnknownMethod")];
            bus.write_all(&message(ERROR, no + 2, &unknown, Some(call.serial), &[]))?;
            continue;
        }
        let note = note(&call.body).ok_or_else(|| io::Error::other("the daemon hands on no such message"))?;
        let _nobody_listens = shown.send(note);
        if !hangs {
            let fields = [to[0], (8, 'g', "u")];
            bus.write_all(&message(RETURN, no + 2, &fields, Some(call.serial), &no.to_le_bytes()))?;
        }
    }
    Ok(())
}

fn note(body: &[u8]) -> Option<Value> {
    let mut at = Cursor { bytes: body, at: 0 };
    let (app_name, replaces_id, app_icon) = (at.text()?, at.number()?, at.text()?);
    let (summary, text) = (at.text()?, at.text()?);
    let mut actions = Vec::new();
    let end = at.number()? as usize + at.at;
    while at.at < end {
        actions.push(at.text()?);
    }
    let length = at.number()? as usize;
    at.align(8);
    let end = at.at + length;
    let mut urgency = None;
    while at.at < end {
        at.align(8);
        let (name, kind) = (at.text()?, at.signature()?);
        match (name.as_str(), kind.as_str()) {
            ("urgency", "y") => urgency = at.take(1)?.first().copied(),
            (_, "s") => drop(at.text()?),
            (_, "u" | "i" | "b") => drop(at.number()?),
            _ => return None,
        }
    }
    let expire_timeout = at.number()?.cast_signed();
    Some(
        json!({"app_name": app_name, "replaces_id": replaces_id, "app_icon": app_icon, "summary": summary, "body": text,
        "actions": actions, "urgency": urgency, "expire_timeout": expire_timeout}),
    )
}

fn message(kind: u8, serial: u32, fields: &[(u8, char, &str)], reply_to: Option<u32>, body: &[u8]) -> Vec<u8> {
    let mut header = Body::default();
    for (code, kind, value) in fields {
        header.field(*code, *kind);
        if *kind == 'g' { header.signature(value) } else { header.text(value) }
    }
    if let Some(number) = reply_to {
        header.field(5, 'u');
        header.number(number);
    }
    let mut out = Body(vec![b'l', kind, 0, 1]);
    out.number(body.len() as u32);
    out.number(serial);
    out.number(header.0.len() as u32);
    out.0.extend(header.0);
    out.align(8);
    out.0.extend(body);
    out.0
}

#[derive(Default)]
struct Body(Vec<u8>);

impl Body {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn field(&mut self, code: u8, kind: char) {
        self.align(8);
        self.0.push(code);
        self.signature(&kind.to_string());
    }

    fn number(&mut self, value: u32) {
        self.align(4);
        self.0.extend(value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.0.extend([text.as_bytes(), &[0]].concat());
    }

    fn signature(&mut self, text: &str) {
        self.0.push(text.len() as u8);
        self.0.extend([text.as_bytes(), &[0]].concat());
    }
}

#[derive(Default)]
struct Message {
    kind: u8,
    serial: u32,
    sender: String,
    member: String,
    signature: String,
    reply_to: Option<u32>,
    body: Vec<u8>,
}

impl Message {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 16];
        from.read_exact(&mut head)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let mut fields = vec![0; (number(12) as usize).next_multiple_of(8)];
        let mut read = Self { kind: head[1], serial: number(8), body: vec![0; number(4) as usize], ..Self::default() };
        from.read_exact(&mut fields)?;
        from.read_exact(&mut read.body)?;
        let end = number(12) as usize;
        let mut at = Cursor { bytes: &fields, at: 0 };
        read.fields(&mut at, end).ok_or_else(|| io::Error::other("a header that the daemon does not send"))?;
        Ok(read)
    }

    fn fields(&mut self, at: &mut Cursor<'_>, end: usize) -> Option<()> {
        while at.at < end {
            at.align(8);
            let code = *at.take(1)?.first()?;
            match (code, at.signature()?.as_str()) {
                (3, "s") => self.member = at.text()?,
                (5, "u") => self.reply_to = Some(at.number()?),
                (7, "s") => self.sender = at.text()?,
                (8, "g") => self.signature = at.signature()?,
                (_, "u") => drop(at.number()?),
                (_, "s" | "o") => drop(at.text()?),
                _ => return None,
            }
        }
        Some(())
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.align(4);
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        self.ended(length)
    }

    fn signature(&mut self) -> Option<String> {
        let length = usize::from(*self.take(1)?.first()?);
        self.ended(length)
    }

    fn ended(&mut self, length: usize) -> Option<String> {
        let text = String::from_utf8(self.take(length)?.to_vec()).ok()?;
        self.take(1).map(|_zero| text)
    }
}
