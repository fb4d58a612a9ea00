//! Messages of D-Bus as bytes: the two calls that a notification needs, and what an answer says. No IO.
//!
//! Numbers are little-endian in what is written; in what is read the first byte says how they stand. Every value begins at a
//! multiple of its size, counted from the beginning of the message.

use crate::core::base::limits;

/// What has to be read of a message before its length is known.
pub(super) const HEAD_BYTES: usize = 16;
/// The numbers of the two calls, by which their answers are known.
pub(super) const HELLO: u32 = 1;
pub(super) const NOTIFY: u32 = 2;

const CALL: u8 = 1;
const ERROR: u8 = 3;
const VERSION: u8 = 1;

/// A field of the header, by its number in the protocol.
const PATH: u8 = 1;
const INTERFACE: u8 = 2;
const MEMBER: u8 = 3;
const ERROR_NAME: u8 = 4;
const REPLY_SERIAL: u8 = 5;
const DESTINATION: u8 = 6;
const SIGNATURE: u8 = 8;

/// A notification as its server is to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notification {
    pub(super) summary: String,
    /// May be taken for markup.
    pub(super) body: String,
    /// 0 is low, 1 normal, 2 critical.
    pub(super) urgency: u8,
}

/// The greeting that every connection begins with.
pub(super) fn hello() -> Vec<u8> {
    let fields = [
        (PATH, "o", "/org/freedesktop/DBus"),
        (DESTINATION, "s", "org.freedesktop.DBus"),
        (INTERFACE, "s", "org.freedesktop.DBus"),
        (MEMBER, "s", "Hello"),
    ];
    call(HELLO, &fields, &Writer::default())
}

/// The call that shows a notification, for as long as the desktop thinks right.
pub(super) fn notify(notification: &Notification) -> Vec<u8> {
    let Notification { summary, body: text, urgency } = notification;
    let mut body = Writer::default();
    body.text("hadal");
    // Replaces no other, and has no icon.
    body.number(0);
    body.text("");
    body.text(summary);
    body.text(text);
    // No actions: an array of no strings.
    body.number(0);
    // One hint: an array of pairs, which begin at multiples of 8.
    body.array(|hints| {
        hints.text("urgency");
        hints.signature("y");
        hints.0.push(*urgency);
    });
    // No time of its own: -1.
    body.number(u32::MAX);
    let fields = [
        (PATH, "o", "/org/freedesktop/Notifications"),
        (DESTINATION, "s", "org.freedesktop.Notifications"),
        (INTERFACE, "s", "org.freedesktop.Notifications"),
        (MEMBER, "s", "Notify"),
        (SIGNATURE, "g", "susssasa{sv}i"),
    ];
    call(NOTIFY, &fields, &body)
}

fn call(serial: u32, fields: &[(u8, &str, &str)], body: &Writer) -> Vec<u8> {
    let mut message = Writer(vec![b'l', CALL, 0, VERSION]);
    message.number(length(&body.0));
    message.number(serial);
    message.array(|header| {
        for (code, kind, value) in fields {
            header.align(8);
            header.0.push(*code);
            header.signature(kind);
            if *kind == "g" {
                header.signature(value);
            } else {
                header.text(value);
            }
        }
    });
    message.align(8);
    message.0.extend(&body.0);
    message.0
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

#[derive(Debug, Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn number(&mut self, value: u32) {
        self.align(4);
        self.0.extend(value.to_le_bytes());
    }

    /// A text must not have a zero byte: what is shown comes without control characters.
    fn text(&mut self, text: &str) {
        self.number(length(text.as_bytes()));
        self.0.extend(text.bytes());
        self.0.push(0);
    }

    fn signature(&mut self, signature: &str) {
        self.0.push(u8::try_from(signature.len()).unwrap_or(u8::MAX));
        self.0.extend(signature.bytes());
        self.0.push(0);
    }

    /// An array whose elements begin at multiples of 8. The gap before the first one is not part of its length.
    fn array(&mut self, elements: impl FnOnce(&mut Self)) {
        self.number(0);
        let length_at = self.0.len() - 4;
        self.align(8);
        let start = self.0.len();
        elements(self);
        let written = length(self.0.get(start..).unwrap_or_default());
        for (place, byte) in self.0.iter_mut().skip(length_at).zip(written.to_le_bytes()) {
            *place = byte;
        }
    }
}

/// What a message that came in says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The call that it answers; signals answer none.
    pub(super) to: Option<u32>,
    /// Why the call failed.
    pub(super) error: Option<String>,
}

/// How long the message is that begins like this. `None` if it is none, or a larger one than any answer is.
pub(super) fn whole_length(head: &[u8; HEAD_BYTES]) -> Option<usize> {
    let mut reader = Reader::new(head)?;
    reader.at = 4;
    let body = usize::try_from(reader.number()?).ok()?;
    reader.at = 12;
    let fields = usize::try_from(reader.number()?).ok()?;
    let whole = HEAD_BYTES.checked_add(fields)?.checked_next_multiple_of(8)?.checked_add(body)?;
    (whole <= limits::BUS_MESSAGE_BYTES).then_some(whole)
}

/// Reads a whole message; `None` if it is not made by the rules.
pub(super) fn answer(message: &[u8]) -> Option<Answer> {
    let mut reader = Reader::new(message)?;
    let is_error = *message.get(1)? == ERROR;
    reader.at = 12;
    let fields_end = HEAD_BYTES.checked_add(usize::try_from(reader.number()?).ok()?)?;
    let (mut to, mut name, mut signature) = (None, String::new(), String::new());
    while reader.at < fields_end {
        reader.align(8);
        let code = reader.byte()?;
        match (code, reader.signature()?.as_str()) {
            (REPLY_SERIAL, "u") => to = Some(reader.number()?),
            (ERROR_NAME, "s") => name = reader.text()?,
            (SIGNATURE, "g") => signature = reader.signature()?,
            (_, "s" | "o") => drop(reader.text()?),
            (_, "u" | "i" | "b") => drop(reader.number()?),
            (_, "g") => drop(reader.signature()?),
            (_, "y") => drop(reader.byte()?),
            _ => return None,
        }
    }
    reader.align(8);
    if !is_error {
        return Some(Answer { to, error: None });
    }
    let text = if signature.starts_with('s') { reader.text()? } else { String::new() };
    Some(Answer { to, error: Some(format!("{name}: {text}")) })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    big_endian: bool,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let big_endian = match bytes.first()? {
            b'l' => false,
            b'B' => true,
            _ => return None,
        };
        (*bytes.get(3)? == VERSION).then_some(Self { bytes, at: 0, big_endian })
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<u32> {
        self.align(4);
        let bytes = <[u8; 4]>::try_from(self.take(4)?).ok()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn text(&mut self) -> Option<String> {
        let count = usize::try_from(self.number()?).ok()?;
        self.ended(count)
    }

    fn signature(&mut self) -> Option<String> {
        let count = usize::from(self.byte()?);
        self.ended(count)
    }

    /// Text with the zero byte that ends it.
    fn ended(&mut self, count: usize) -> Option<String> {
        let text = String::from_utf8_lossy(self.take(count)?).into_owned();
        (self.byte()? == 0).then_some(text)
    }
}

#[cfg(test)]
mod tests;
