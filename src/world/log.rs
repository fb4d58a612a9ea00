//! The only writer of stderr: lines for people, `[INFO] …`, `[WARN] …`, `[ERROR] …`.
//!
//! Data goes to stdout, everything else comes here. A line is written whole, so that lines of several
//! processes on one terminal do not mix, and a closed stderr is no error.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use crate::core::base::masks::Masks;
use crate::core::base::plain;
use crate::core::setup::settings::LogLevel;

/// The least important level that is written, as its place in [`LogLevel::ALL`]. A process has one stderr, so it has one
/// level; everything is written until the settings are known.
static LEVEL: AtomicU8 = AtomicU8::new(LogLevel::Info as u8);

/// What hides keys in lines; nothing is hidden until the settings are known.
static MASKS: RwLock<Option<Masks>> = RwLock::new(None);

/// Makes room for a line, has it written, and draws again what stood there.
type AroundLine = Box<dyn Fn(&mut dyn FnMut()) + Send + Sync>;

/// Set while something is drawn on the terminal that a line would otherwise be written into.
static AROUND_LINE: Mutex<Option<AroundLine>> = Mutex::new(None);

/// From now on lines are written through `room`; `None` writes them as they come.
pub(crate) fn write_around(room: Option<AroundLine>) {
    *AROUND_LINE.lock().unwrap_or_else(PoisonError::into_inner) = room;
}

/// From now on, lines less important than `level` are left out.
pub(crate) fn set_level(level: LogLevel) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// From now on, keys in lines are hidden.
pub(crate) fn set_masks(masks: Masks) {
    *MASKS.write().unwrap_or_else(PoisonError::into_inner) = Some(masks);
}

pub(crate) fn info(message: impl Display) {
    line(LogLevel::Info, &message);
}

pub(crate) fn warn(message: impl Display) {
    line(LogLevel::Warn, &message);
}

pub(crate) fn error(message: impl Display) {
    line(LogLevel::Error, &message);
}

/// Writes text that is not part of the log: the answer to a command that failed. Whoever made it has already taken out
/// foreign control characters.
pub(crate) fn text(text: &str) {
    write(text);
}

/// Whether a person reads stderr.
pub(crate) fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

fn line(level: LogLevel, message: &dyn Display) {
    if level as u8 > LEVEL.load(Ordering::Relaxed) {
        return;
    }
    let name = match level {
        LogLevel::Error => "ERROR",
        LogLevel::Warn => "WARN",
        LogLevel::Info => "INFO",
    };
    write(&format!("[{name}] {}\n", plain::line(&message.to_string(), usize::MAX)));
}

fn write(text: &str) {
    let masks = MASKS.read().unwrap_or_else(PoisonError::into_inner);
    let text = masks.as_ref().map_or(text.into(), |masks| masks.text(text));
    let mut written = || {
        // A closed stderr is fine.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    };
    match &*AROUND_LINE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(room) => room(&mut written),
        None => written(),
    }
}
