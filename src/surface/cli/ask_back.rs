//! A question back to whoever waits at the terminal, on stderr; the answer is a line of standard input.

use std::io::{BufRead, IsTerminal, Read, Write};

use tokio::sync::oneshot;

use crate::core::base::id::TaskId;
use crate::core::base::{limits, plain};
use crate::engine::log;
use crate::surface::app::App;
use crate::surface::wire::SteerArgs;

/// Whether somebody can be asked.
pub(super) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && log::is_terminal()
}

/// A question that waits for its answer.
pub(super) struct AskBack {
    line: oneshot::Receiver<String>,
}

impl AskBack {
    /// Writes the question and begins to wait for a line.
    pub(super) fn ask(question: &str) -> Self {
        let seconds = limits::ASK_BACK_MS / 1_000;
        let question = plain::line(question, limits::LABEL_CHARS * 2);
        let shown =
            format!("\n{question}\n(an answer within {seconds} seconds, or the Enter key to go on without one)\n> ");
        // In one piece, so that what is typed does not come between; a terminal that is gone is asked nothing.
        let _ = std::io::stderr().write_all(shown.as_bytes());
        let (tell, line) = oneshot::channel();
        // A thread of its own: a line that never comes must not keep the runtime from ending.
        std::thread::spawn(move || {
            let most = u64::try_from(4 * limits::STEER_CHARS).unwrap_or(u64::MAX);
            let mut line = String::new();
            if std::io::stdin().lock().take(most).read_line(&mut line).is_ok() {
                let _ = tell.send(line);
            }
        });
        Self { line }
    }

    /// The line, once it is there; never where nothing was asked.
    pub(super) async fn answer(asking: &mut Option<Self>) -> String {
        match asking {
            Some(asked) => match (&mut asked.line).await {
                Ok(line) => line,
                Err(_closed) => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }
}

/// Tells the task what was answered; an empty line says that it may go on as it is.
pub(super) async fn tell(app: &App, task: TaskId, answer: String) {
    // An arrow key writes control characters.
    let answer = plain::line(&answer, limits::STEER_CHARS);
    let words = answer.trim();
    let message = if words.is_empty() { "go on with what you assume".to_owned() } else { words.to_owned() };
    if let Err(error) = app.steer(SteerArgs { task_id: task.to_string(), message }).await {
        log::warn(format_args!("the answer did not reach the task: {error}"));
    }
}
