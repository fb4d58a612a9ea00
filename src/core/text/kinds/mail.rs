//! Mail: one message, or a box of many. The text of a message, who wrote it, when, what it forwards, and what is attached.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::super::page::html;
use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, LeftOut};
use super::archive::{Packed, Unpacked, Wish, Wishes};
use super::build::Builder;
use super::mime::{Headers, Part, Role, parts, sender, words};
use super::voices::{Said, paragraphs, turns};
use crate::core::base::limits;
use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;

pub(super) fn message(bytes: &[u8]) -> Contents {
    let mut out = Builder::default();
    write(&mut out, 1, without_length(bytes), 0);
    out.finish()
}

/// The message of a file that says before it how long it is, as Apple Mail does, and has something else behind it.
fn without_length(bytes: &[u8]) -> &[u8] {
    let Some(end) = bytes.iter().take(LENGTH_BYTES).position(|byte| *byte == b'\n') else { return bytes };
    let (line, rest) = bytes.split_at_checked(end + 1).unwrap_or((bytes, &[]));
    let length = std::str::from_utf8(line.trim_ascii()).ok().and_then(|line| line.parse::<usize>().ok());
    length.map_or(bytes, |length| rest.get(..length).unwrap_or(rest))
}

/// The line that says how long a message is has no more.
const LENGTH_BYTES: usize = 20;

/// The names of headers that messages in boxes begin with.
const FIRST_HEADERS: &str = "return-path delivered-to received from to cc date subject message-id reply-to sender \
     status mime-version content-type envelope-to in-reply-to";

/// Whether a line `From …` begins a message, and is not the first of a paragraph: it ends with a date, or headers follow.
fn begins_message(line: &[u8], next: &[u8]) -> bool {
    let text = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes.get(..bytes.len().min(limits::MAIL_HEADER_BYTES)).unwrap_or_default())
            .into_owned()
    };
    let (line, next) = (text(line), text(next));
    let is_digit = |c: char| c.is_ascii_digit();
    let is_time = |word: &str| {
        word.split(':').count() >= 2
            && word.split(':').all(|part| part.len() <= 2 && !part.is_empty() && part.chars().all(is_digit))
    };
    let is_year = |word: &str| word.len() == 4 && word.chars().all(is_digit);
    let last: Vec<&str> = line.split_whitespace().rev().take(4).collect();
    let is_dated = last.iter().any(|word| is_time(word)) && last.iter().any(|word| is_year(word));
    let name = next.split_once(':').map(|(name, _)| name.to_ascii_lowercase()).unwrap_or_default();
    line.starts_with("From ") && (is_dated || name.starts_with("x-") || is_listed(FIRST_HEADERS, &name))
}

/// The messages of a box: every one begins with a line `From …` behind an empty one.
fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    let (mut start, mut at, mut blank, mut is_done) = (None, 0, true, false);
    std::iter::from_fn(move || {
        while let Some(line) = lines.next() {
            let end = at;
            at += line.len();
            let begins = blank && begins_message(line, lines.peek().copied().unwrap_or_default());
            blank = line.trim_ascii().is_empty();
            if let Some(start) = begins.then(|| start.replace(at)).flatten() {
                return bytes.get(start..end);
            }
        }
        // What has no such line is one message.
        (!std::mem::replace(&mut is_done, true)).then(|| bytes.get(start.unwrap_or_default()..).unwrap_or_default())
    })
}

pub(super) fn mailbox(bytes: &[u8]) -> Contents {
    let mut out = Builder::default();
    for (number, message) in (1_u32..).zip(messages(bytes)) {
        if out.is_full() {
            break;
        }
        write(&mut out, number, message, 0);
    }
    // The subject of its first message is no title of a box.
    out.title = Some(String::new());
    out.finish()
}

/// Writes a message, and below it those that it forwards.
fn write(out: &mut Builder, number: u32, bytes: &[u8], depth: usize) {
    let (headers, body) = Headers::split(bytes);
    if headers.is_deleted() {
        return;
    }
    out.place(PlaceInFile::of(Unit::Message, number, number));
    if depth == 0 {
        out.section();
    }
    let subject = headers.get("subject").map(|subject| words(&subject)).unwrap_or_default();
    if out.title.is_none() && !subject.trim().is_empty() {
        out.title = Some(super::one_line(&subject));
    }
    let level = u8::try_from(2 * depth + 1).unwrap_or(u8::MAX);
    out.heading(level, &subject);
    let sender = sender_and_day(&headers);
    out.heading(level.saturating_add(1), &sender);
    let told = ["From", "To", "Cc", "Date"].into_iter().filter_map(|name| {
        let value = headers.get(&name.to_ascii_lowercase())?;
        let value: String = words(&value).chars().take(limits::HEADING_CHARS).collect();
        Some(format!("{name}: {}", value.trim()))
    });
    out.paragraph(&told.collect::<Vec<_>>().join("\n"));
    let (mut attached, mut forwarded) = (Vec::new(), Vec::new());
    let mut speakers = Speakers { sender: &sender, level: level.saturating_add(1), quoted: None };
    let (parts, has_more) = parts(&headers, body);
    out.left_out.extend(has_more.then_some(LeftOut::MailParts));
    for part in parts {
        match part.role() {
            Role::Forwarded => forwarded.push(part.bytes()),
            Role::Attached(name) => attached.push(name),
            Role::OtherForm => {}
            Role::Page => {
                let (_, page) = html::document(&part.text());
                for Said { by, text } in turns(&page.markdown) {
                    speakers.name(out, by);
                    out.markdown(text, level.saturating_add(1));
                }
            }
            Role::Text => {
                let text = part.text().replace('\r', "");
                for Said { by, text } in paragraphs(&text) {
                    speakers.name(out, by);
                    out.paragraph(&unquoted_from(text));
                }
            }
        }
    }
    if !attached.is_empty() {
        out.paragraph(&format!("Attached: {}", attached.join(", ")));
    }
    let may_go_on = depth < limits::MAIL_DEPTH;
    out.left_out.extend((!may_go_on && !forwarded.is_empty()).then_some(LeftOut::MailParts));
    for message in forwarded.iter().filter(|_| may_go_on) {
        write(out, number, message, depth + 1);
    }
}

/// Names whoever speaks in a message, where that changes.
struct Speakers<'m> {
    sender: &'m str,
    /// Of the heading that names somebody.
    level: u8,
    /// Who speaks, where it is not the sender.
    quoted: Option<Rc<str>>,
}

impl Speakers<'_> {
    fn name(&mut self, out: &mut Builder, by: Option<Rc<str>>) {
        if by != self.quoted {
            let own = if self.sender.is_empty() { "not quoted" } else { self.sender };
            out.heading(self.level, by.as_deref().unwrap_or(own));
            self.quoted = by;
        }
    }
}

/// Who sent a message and on which day, which all of its passages are found and cited by: `Ann Lee, 2 May 2024`.
fn sender_and_day(headers: &Headers) -> String {
    let from = headers.get("from").map(|from| words(&from)).unwrap_or_default();
    let date = headers.get("date").unwrap_or_default();
    let parts: Vec<&str> = date.split_whitespace().skip_while(|part| part.ends_with(',')).take(3).collect();
    let is_year = |part: &&str| matches!(part.len(), 2 | 4) && is_digits(part);
    let day = match parts.as_slice() {
        [.., year] if is_year(year) => parts.join(" "),
        // `2026-03-09T10:00:00Z`
        [first, ..] if first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('-') => {
            first.split('T').next().unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    [sender(&from), day.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A box marks lines of a text that begin as a message does.
fn unquoted_from(text: &str) -> String {
    let text = text.strip_prefix(">").filter(|rest| rest.starts_with("From ")).unwrap_or(text);
    text.replace("\n>From ", "\nFrom ")
}

/// What is attached to a message, or to the messages of a box: `3/offer.pdf` for the third. Of several of one name in a message, the later ones have
/// their number before it.
pub(super) fn attachments(bytes: &[u8], is_box: bool, wishes: Wishes<'_>) -> Unpacked {
    let mut taking = Taking { unpacked: Unpacked::default(), room: limits::BUNDLE_BYTES, seen: 0, wishes };
    if !is_box {
        let _ended = taking.message("", without_length(bytes), 0, &mut BTreeMap::new());
        return taking.unpacked;
    }
    for (number, message) in (1_u32..).zip(messages(bytes)) {
        if taking.message(&format!("{number}/"), message, 0, &mut BTreeMap::new()).is_break() {
            break;
        }
    }
    taking.unpacked
}

/// How often each name was seen in a message.
type NamesSeen = BTreeMap<String, u32>;

struct Taking<'a> {
    unpacked: Unpacked,
    /// Bytes that may still be unpacked.
    room: usize,
    /// Attachments that were looked at.
    seen: usize,
    wishes: Wishes<'a>,
}

impl Taking<'_> {
    fn message(&mut self, folder: &str, bytes: &[u8], depth: usize, names: &mut NamesSeen) -> ControlFlow<()> {
        let (headers, body) = Headers::split(bytes);
        if headers.is_deleted() {
            return ControlFlow::Continue(());
        }
        for part in parts(&headers, body).0 {
            match part.role() {
                Role::Attached(name) => self.file(folder, &name, &part, names)?,
                Role::Forwarded if depth < limits::MAIL_DEPTH => {
                    self.message(folder, &part.bytes(), depth + 1, names)?;
                }
                Role::Forwarded | Role::Page | Role::Text | Role::OtherForm => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn file(&mut self, folder: &str, name: &str, part: &Part<'_>, names: &mut NamesSeen) -> ControlFlow<()> {
        // A name may be a path on the machine of the sender.
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
        let count = names.entry(name.to_owned()).or_default();
        *count = count.saturating_add(1);
        let name = if *count > 1 { format!("{folder}{count}/{name}") } else { format!("{folder}{name}") };
        self.seen += 1;
        if self.seen > limits::BUNDLE_ENTRIES {
            self.unpacked.has_more = true;
            return ControlFlow::Break(());
        }
        match (self.wishes)(&name) {
            Wish::Take => {}
            Wish::Leave => return ControlFlow::Continue(()),
            Wish::End => return ControlFlow::Break(()),
        }
        let bytes = part.bytes();
        let Some(room) = self.room.checked_sub(bytes.len()) else {
            self.unpacked.has_more = true;
            return ControlFlow::Break(());
        };
        self.room = room;
        self.unpacked.files.push(Packed { name, bytes: Ok(bytes.into_owned()) });
        ControlFlow::Continue(())
    }
}
