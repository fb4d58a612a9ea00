//! The only writer of stderr: lines for people, `[INFO] …`, `[WARN] …`, `[ERROR] …`.
//!
//! Data goes to stdout, everything else comes here. A line is written whole, so that lines of several
//! processes on one terminal do not mix, and a closed stderr is no error.

use std::fmt::Display;
use std::io::Write;

pub(crate) fn info(message: impl Display) {
    line("INFO", &message);
}

pub(crate) fn warn(message: impl Display) {
    line("WARN", &message);
}

pub(crate) fn error(message: impl Display) {
    line("ERROR", &message);
}

fn line(level: &str, message: &dyn Display) {
    // Control characters (also line breaks) of foreign text must not forge lines or move the cursor.
    let text: String = message.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let whole = format!("[{level}] {text}\n");
    let _closed_stderr_is_fine = std::io::stderr().lock().write_all(whole.as_bytes());
}
