//! One line from standard input that nobody sees: a terminal does not show what is typed.

use std::io::{self, BufRead, IsTerminal, Read};

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

use crate::core::base::error::{Code, Error, Result};
use crate::world::log;

/// What Ctrl-C sends while it sends no signal.
const CTRL_C: u8 = 3;

/// The first line of standard input, at most `max_bytes` of it. On a terminal `prompt` is shown and the typing is not.
pub(crate) fn hidden_line(prompt: &str, max_bytes: u64) -> Result<String> {
    let unreadable =
        |fault: io::Error| Error::new(Code::InvalidArgument, format!("standard input could not be read: {fault}"));
    let stdin = io::stdin();
    let hidden = if stdin.is_terminal() {
        let hidden = Hidden::begin().map_err(|fault| unreadable(fault.into()))?;
        log::text(prompt);
        Some(hidden)
    } else {
        None
    };
    let mut line = Vec::new();
    let mut input = stdin.lock().take(max_bytes + 1);
    if hidden.is_some() {
        // A terminal hands over a line at Ctrl-C too, without a line break after it.
        let mut byte = [0];
        while input.read(&mut byte).map_err(unreadable)? == 1 && byte != [b'\n'] && byte != [CTRL_C] {
            line.push(byte[0]);
        }
        drop(hidden);
        log::text("\n");
        if byte == [CTRL_C] {
            return Err(Error::new(Code::ShuttingDown, "interrupted"));
        }
    } else {
        input.read_until(b'\n', &mut line).map_err(unreadable)?;
    }
    if line.len() as u64 > max_bytes {
        return Err(Error::new(Code::InvalidArgument, format!("the line is longer than {max_bytes} bytes")));
    }
    String::from_utf8(line).map_err(|_not_shown| Error::new(Code::InvalidArgument, "the line is not valid UTF-8"))
}

/// A terminal that shows nothing of what is typed, until this is dropped.
struct Hidden(Termios);

impl Hidden {
    fn begin() -> rustix::io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        // A signal would end the program with the terminal still silent, so Ctrl-C ends the line instead.
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
        silent.special_codes[SpecialCodeIndex::VEOL] = CTRL_C;
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // The terminal may be gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
    }
}
