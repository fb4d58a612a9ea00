//! Desktop notifications. Whether one may be shown is decided elsewhere; this shows it, or says why it could not.
//!
//! Where there is no desktop session (a server, a container) that is no fault: the caller writes a line to the log instead. It
//! must not hold anything up, so that a desktop that does not answer costs a bounded time. Linux and its relatives are told
//! over the session bus, by a client that knows this one call; macOS and Windows by a program of theirs.

mod address;
mod bus;
mod message;
mod program;

use std::path::PathBuf;

use message::Notification;
use tokio_util::sync::CancellationToken;

use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::setup::settings::ChildEnv;
use crate::world::process::{Command, EndedBy, Gate, Status};

/// What to tell about a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) title: String,
    pub(crate) body: String,
    /// Named below the body, so that the reader knows what to ask for.
    pub(crate) task_id: TaskId,
    pub(crate) urgency: Urgency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    Normal,
    /// Stays until it is dismissed, on desktops that know the difference.
    Critical,
}

/// The user's desktop.
#[derive(Clone, Debug)]
pub(crate) enum Desktop {
    /// The sockets on which the session bus may listen.
    Bus(Vec<PathBuf>),
    MacOs(Gate),
    Windows(Gate),
}

impl Desktop {
    /// The desktop of the session whose variables these are.
    pub(crate) fn new(environment: &ChildEnv, gate: &Gate) -> Self {
        if cfg!(target_os = "macos") {
            return Self::MacOs(gate.clone());
        }
        if cfg!(target_os = "windows") {
            return Self::Windows(gate.clone());
        }
        let variable = |name| environment.get(name);
        Self::Bus(address::sockets(variable("DBUS_SESSION_BUS_ADDRESS"), variable("XDG_RUNTIME_DIR")))
    }

    /// Whether there is one, as far as can be seen without telling it anything.
    pub(crate) fn is_there(&self) -> bool {
        let listens = |socket: &PathBuf| socket.as_os_str().as_encoded_bytes().starts_with(b"\0") || socket.exists();
        match self {
            Self::Bus(sockets) => sockets.iter().any(listens),
            Self::MacOs(_) | Self::Windows(_) => true,
        }
    }

    /// Shows a note. The error is the reason, for the log.
    pub(crate) async fn show(&self, note: &Note) -> Result<(), String> {
        let (title, body) = (title(note), body(note));
        let shown = async {
            match self {
                Self::Bus(sockets) => bus::notify(sockets, &notification(note)).await,
                Self::MacOs(gate) => run(gate, program::osascript(&title, &body)).await,
                Self::Windows(gate) => run(gate, program::powershell(&title, &body)).await,
            }
        };
        match tokio::time::timeout(limits::NOTIFY, shown).await {
            Ok(shown) => shown.map_err(|reason| plain(&reason, limits::NOTE_BODY_CHARS)),
            Err(_) => Err(format!("the desktop did not answer within {} s", limits::NOTIFY.as_secs())),
        }
    }
}

async fn run(gate: &Gate, command: Command) -> Result<(), String> {
    let exit = gate.run(command, &CancellationToken::new(), |_| {}).await.map_err(|error| error.to_string())?;
    if exit.ended_by == EndedBy::Own && exit.status == Status::Code(0) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&exit.stderr_tail).into_owned();
    Err(format!("the program that shows notifications failed ({:?}): {said}", exit.status))
}

fn notification(note: &Note) -> Notification {
    let urgency = match note.urgency {
        Urgency::Normal => 1,
        Urgency::Critical => 2,
    };
    // A server may take the body, and only the body, for markup.
    let body = body(note).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Notification { summary: title(note), body, urgency }
}

fn title(note: &Note) -> String {
    plain(&note.title, limits::NOTE_TITLE_CHARS)
}

fn body(note: &Note) -> String {
    let body = plain(&note.body, limits::NOTE_BODY_CHARS);
    format!("{body}\nTask {}", note.task_id).trim_start().to_owned()
}

/// One line of at most `chars` characters, without controls and without what turns the direction of text.
fn plain(text: &str, chars: usize) -> String {
    let unseen = |c: char| c.is_control() || crate::core::text::quoting::turns(c);
    let line: String = text.chars().map(|c| if unseen(c) { ' ' } else { c }).collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars {
        return line;
    }
    line.chars().take(chars.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
