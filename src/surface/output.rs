//! The only writer of stdout on the command line: the reply and nothing else, as JSON or for people.

use std::io::{ErrorKind, Write};

use serde::Serialize;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::plain;
use crate::surface::hints::{self, Reader};

/// How replies are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Exactly the reply object.
    Json,
    /// Markdown or plain text.
    Text,
}

impl Output {
    /// Writes a reply in the form that was asked for.
    pub(crate) fn reply(self, reply: &impl Serialize, markdown: impl FnOnce() -> String) -> Result<()> {
        match self {
            Self::Json => {
                let json = format!("{:#}", hints::reply(reply, Reader::Person));
                write(&format!("{}\n", escaped(&json)))
            }
            Self::Text => write(&format!("{}\n", plain::lines(markdown().trim_end()))),
        }
    }
}

/// JSON in which what would act on a terminal is escaped: the same value, and only seen.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && plain::acts(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
        } else {
            text.push(c);
        }
    }
    text
}

/// Writes text as it is: completions, lines for scripts.
pub(crate) fn write(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // Whoever reads has read enough, as `head` does.
        Err(fault) if fault.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(fault) => Err(Error::new(Code::SaveFailed, format!("stdout could not be written: {fault}"))),
        Ok(()) => Ok(()),
    }
}
