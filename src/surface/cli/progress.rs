//! Progress on stderr: a bar in a terminal, `[INFO]` lines elsewhere. stdout is never touched.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::ask_back::{self, AskBack};
use crate::core::base::id::TaskId;
use crate::core::base::plain;
use crate::core::setup::settings::{LogLevel, Settings};
use crate::core::task::Progress;
use crate::engine::{News, TaskEvent, log};
use crate::surface::app::App;

/// Shows how far `task` is until `work` is done.
pub(super) async fn follow<T>(
    app: &App,
    task: TaskId,
    mut events: Receiver<Arc<TaskEvent>>,
    work: impl Future<Output = T>,
) -> T {
    let mut meter = Meter::new(&app.settings);
    let mut asking: Option<AskBack> = None;
    let mut work = std::pin::pin!(work);
    let mut open = true;
    loop {
        tokio::select! {
            done = &mut work => {
                meter.finish();
                return done;
            }
            event = events.recv(), if open => match event {
                Ok(event) if event.task == task => match &event.news {
                    News::Progress(progress) => {
                        if let Some(question) = &progress.question {
                            meter.pause();
                            asking = Some(AskBack::ask(question));
                        } else if asking.take().is_some() {
                            // It went on without an answer.
                            log::info("no answer; the report says what was assumed");
                            meter.go_on();
                        }
                        meter.show(progress);
                    }
                    News::Ended | News::Deleted(_) => {}
                },
                // What was missed is old news; the task of somebody else is no news.
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => open = false,
            },
            answer = AskBack::answer(&mut asking) => {
                asking = None;
                ask_back::tell(app, task, answer).await;
                meter.go_on();
            }
        }
    }
}

enum Meter {
    Bar(ProgressBar),
    /// The last line, so that none is repeated.
    Lines(Progress),
}

impl Meter {
    fn new(settings: &Settings) -> Self {
        if !log::is_terminal() || settings.log < LogLevel::Info {
            return Self::Lines(Progress::default());
        }
        let bar = ProgressBar::new(100);
        bar.set_style(style("{spinner} {msg}"));
        bar.enable_steady_tick(Duration::from_millis(120));
        // Lines of the engine go above the bar, not through it.
        let drawn = bar.clone();
        log::write_around(Some(Box::new(move |write| drawn.suspend(write))));
        Self::Bar(bar)
    }

    fn show(&mut self, progress: &Progress) {
        match self {
            Self::Bar(bar) => {
                if let Some(percent) = progress.percent {
                    bar.set_style(style("{spinner} {bar:30} {percent:>3} % {msg}"));
                    bar.set_position(u64::from(percent));
                }
                let lines = progress.tree.iter().map(|branch| format!("\n  {}", branch.line()));
                bar.set_message(plain::line(&progress.action, usize::MAX) + &lines.collect::<String>());
            }
            // Line by line only what is done now is told: the plan is with the status.
            Self::Lines(last) if (last.percent, &last.action) == (progress.percent, &progress.action) => {}
            Self::Lines(last) => {
                *last = progress.clone();
                match progress.percent {
                    Some(percent) => log::info(format_args!("{percent} %: {}", progress.action)),
                    None => log::info(&progress.action),
                }
            }
        }
    }

    /// Draws nothing while somebody writes.
    fn pause(&self) {
        if let Self::Bar(bar) = self {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
    }

    fn go_on(&self) {
        if let Self::Bar(bar) = self {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn finish(&self) {
        if let Self::Bar(bar) = self {
            log::write_around(None);
            bar.finish_and_clear();
        }
    }
}

impl Drop for Meter {
    /// An interrupted command leaves no half-drawn bar behind.
    fn drop(&mut self) {
        self.finish();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
