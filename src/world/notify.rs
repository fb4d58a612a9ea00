//! Desktop notifications. Whether one may be shown is decided elsewhere; this shows it, or says why it could not.
//!
//! Where there is no desktop session (a server, a container) that is no fault: the caller writes a line to the log instead. It
//! must not hold anything up, so that a desktop that does not answer costs a bounded time.

use notify_rust::Notification;
use tokio_util::task::AbortOnDropHandle;

use crate::core::base::id::TaskId;
use crate::core::base::limits;

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

/// Shows a note on the user's desktop. The error is the reason, for the log.
pub(crate) async fn show(note: &Note) -> Result<(), String> {
    let notification = notification(note);
    // In a task of its own: a fault of the library must not be one of the research.
    let shown = AbortOnDropHandle::new(tokio::spawn(send(notification)));
    match tokio::time::timeout(limits::NOTIFY, shown).await {
        Ok(Ok(shown)) => shown.map_err(|reason| plain(&reason, limits::NOTE_BODY_CHARS)),
        Ok(Err(_)) => Err("showing it panicked".to_owned()),
        Err(_) => Err(format!("the desktop did not answer within {} s", limits::NOTIFY.as_secs())),
    }
}

/// On Linux and its relatives over D-Bus; the address of the session is the library's to find.
#[cfg(not(target_os = "macos"))]
async fn send(notification: Notification) -> Result<(), String> {
    notification.show_async().await.map(drop).map_err(|fault| fault.to_string())
}

#[cfg(target_os = "macos")]
async fn send(notification: Notification) -> Result<(), String> {
    let shown = tokio::task::spawn_blocking(move || notification.show().map(drop).map_err(|fault| fault.to_string()));
    shown.await.unwrap_or_else(|_| Err("showing it panicked".to_owned()))
}

fn notification(note: &Note) -> Notification {
    let Note { title, body, task_id, urgency } = note;
    let body = escaped(&plain(body, limits::NOTE_BODY_CHARS));
    let mut notification = Notification::new();
    notification.appname("hadal").summary(&plain(title, limits::NOTE_TITLE_CHARS));
    notification.body(format!("{body}\nTask {task_id}").trim_start());
    #[cfg(not(target_os = "macos"))]
    notification.urgency(match urgency {
        Urgency::Normal => notify_rust::Urgency::Normal,
        Urgency::Critical => notify_rust::Urgency::Critical,
    });
    #[cfg(target_os = "macos")]
    let _desktops_of_this_kind_have_none = urgency;
    notification
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

/// A server may take the body, and only the body, for markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
