//! The question, from the command line or from standard input.

use std::ffi::{OsStr, OsString};
use std::io::Read;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::question;

/// The most bytes worth reading: every character of the longest question as wide as UTF-8 allows, and some blank space
/// around it.
const STDIN_BYTES: u64 = 4 * limits::QUERY_MAX_CHARS as u64 + 1_024;

/// Reads and checks the question. `-` is standard input.
pub(super) fn question(argument: OsString) -> Result<String> {
    let bytes = if argument == "-" { from(std::io::stdin().lock())? } else { argument.into_encoded_bytes() };
    check(bytes)
}

/// The flag that must not become a word of a question: the question would go out to those who were not to be asked.
const OFFLINE: &str = "--offline";

/// The question of a command line that is not quoted: its words with a space between them.
pub(super) fn words(arguments: Vec<OsString>) -> Result<String> {
    if arguments.iter().skip(1).any(|word| word == OFFLINE) {
        let message = format!("`{OFFLINE}` stands behind the first word of the question and would be a word of it");
        return Err(Error::new(Code::InvalidArgument, message)
            .hint("put flags before the question, or quote the question as a whole"));
    }
    question(arguments.join(OsStr::new(" ")))
}

fn from(reader: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader
        .take(STDIN_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|fault| Error::new(Code::InvalidQuery, format!("standard input could not be read: {fault}")))?;
    Ok(bytes)
}

fn check(bytes: Vec<u8>) -> Result<String> {
    if bytes.len() as u64 >= STDIN_BYTES {
        let message = format!("the question is longer than {} characters", limits::QUERY_MAX_CHARS);
        return Err(Error::new(Code::InvalidQuery, message));
    }
    let text = String::from_utf8(bytes).map_err(|fault| {
        let place = fault.utf8_error().valid_up_to();
        Error::new(Code::InvalidQuery, format!("the question is not valid UTF-8 (at byte {place})"))
    })?;
    question::check(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HR-04: whatever comes over standard input, only a bounded part of it is read.
    #[test]
    fn standard_input_is_bounded_and_checked() {
        assert_eq!(check(from(&b"what is hadal?\n"[..]).unwrap()).unwrap(), "what is hadal?");
        let widest = "\u{10ffff}".repeat(limits::QUERY_MAX_CHARS);
        assert_eq!(check(from(format!("{widest}\n").as_bytes()).unwrap()).unwrap(), widest);
        for (bytes, why) in [
            (&b""[..], "empty"),
            (b"what\0now", "U+0000"),
            (b"what \xff", "not valid UTF-8 (at byte 5)"),
            ("é".repeat(limits::QUERY_MAX_CHARS + 1).as_bytes(), "longer than"),
        ] {
            let error = check(bytes.to_vec()).unwrap_err();
            assert_eq!(error.code, Code::InvalidQuery);
            assert!(error.message.contains(why), "{} does not say {why}", error.message);
        }
        let endless = from(std::io::repeat(b'x')).unwrap();
        assert!(check(endless).unwrap_err().message.contains("longer than"));
    }
}
