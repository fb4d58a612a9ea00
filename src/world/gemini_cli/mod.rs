//! Gemini CLI as a child process: one question, one run.
//!
//! Each run is a single process in its own group with a private temporary directory, an empty working directory, a
//! policy that allows exactly the tools it needs, and settings of its own on top of the user's, which are never written
//! to. What the program says is judged in `core::model::gemini_cli`; nothing here decides whether to try again.

mod invalid;
mod private_file;
mod record;
mod run_directory;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::model::ask::{Ask, AskReply, Role};
use crate::core::model::gemini_cli::{RunEnd, Stream, literal, verdict};
use crate::core::model::prompt;
use crate::core::money::usage::Usage;
use crate::core::setup::settings::Settings;
use crate::world::process::{Command, EndedBy, Exit, Gate, Limits, Status};
use crate::world::{blocking, machine};
pub(crate) use invalid::sweep;
use run_directory::RunDirectory;

/// The program, as the settings describe it.
#[derive(Clone, Debug)]
pub(crate) struct GeminiCli {
    config_dir: PathBuf,
    named: Option<PathBuf>,
    search_path: OsString,
    env: Vec<(OsString, OsString)>,
    idle: Duration,
    total: Duration,
}

impl GeminiCli {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            config_dir: settings.config_dir.clone(),
            named: settings.gemini_cli_path.clone(),
            search_path: settings.search_path.clone(),
            env: settings.gemini_env.0.clone(),
            idle: settings.gemini_idle,
            total: settings.gemini_timeout,
        }
    }

    /// The program file; blocking, a few file look-ups. It is not run to find out: that costs as much as a question.
    pub(crate) fn find(&self) -> Option<PathBuf> {
        match &self.named {
            Some(path) => path.is_file().then(|| path.clone()),
            None => machine::find_program(&self.search_path, "gemini"),
        }
    }

    /// Asks one question. `news` gets what the program is doing, as it does it.
    pub(crate) async fn ask(
        &self,
        gate: &Gate,
        ask: &Ask,
        cancel: &CancellationToken,
        mut news: impl FnMut(String) + Send,
    ) -> Result<(AskReply, Usage)> {
        let (this, wanted) = (self.clone(), ask.clone());
        let set_up = move || {
            let program = this.find().ok_or_else(not_found)?;
            Ok((program, RunDirectory::new(&this.config_dir, &wanted, &this.env)?))
        };
        let (program, run_directory) = blocking("setting up Gemini CLI", set_up).await?;
        let command = self.command(program.clone(), ask, &run_directory);
        let limits = command.limits;
        // The gate reads lines on a task of its own.
        let stream = Arc::new(Mutex::new(Stream::default()));
        let read = Arc::clone(&stream);
        let exit = gate
            .run(command, cancel, move |line| {
                if let Some(new) = read.lock().unwrap_or_else(PoisonError::into_inner).line(line) {
                    news(new);
                }
            })
            .await;
        let stream = std::mem::take(&mut *stream.lock().unwrap_or_else(PoisonError::into_inner));
        let env = self.env.clone();
        let session = stream.session.clone();
        let record = blocking("setting up Gemini CLI", move || {
            let record = session.and_then(|session| record::read(&env, &session)).unwrap_or_default();
            drop(run_directory);
            Ok(record)
        })
        .await?;
        judge(exit?, &program, &limits, &stream)?;
        let mut sources = record.sources;
        sources.extend(stream.pages.iter().filter(|page| !sources.contains(page)).cloned().collect::<Vec<_>>());
        let queries = if stream.queries.is_empty() { record.queries } else { stream.queries };
        let asked = AskReply {
            text: stream.answer,
            model: record.model.or(stream.model),
            sources,
            queries,
            problems: stream.problems,
            shown: Vec::new(),
        };
        Ok((asked, stream.usage))
    }

    fn command(&self, program: PathBuf, ask: &Ask, run_directory: &RunDirectory) -> Command {
        let mut args: Vec<OsString> = ["--output-format", "stream-json", "--skip-trust", "-e", "none", "--policy"]
            .into_iter()
            .map(Into::into)
            .collect();
        args.push(run_directory.policy.clone().into());
        if ask.role == Role::Correct {
            args.extend(["--include-directories".into(), self.config_dir.clone().into()]);
        }
        if let Some(model) = &ask.model {
            args.extend(["--model".into(), model.into()]);
        }
        let mut prompt = literal(&ask.prompt);
        // Foreign text is escaped; the file's path is ours and must stay as it is. Without a file there is no hole of
        // ours: one that looks like it is part of the question.
        if let Some(path) = &run_directory.invalid {
            prompt = prompt::fill(&prompt, &[("invalid_output_path", &path.display().to_string())]);
        }
        Command {
            program,
            args,
            env: run_directory.env.clone(),
            cwd: run_directory.cwd.clone(),
            stdin: prompt.into_bytes(),
            limits: Limits {
                idle: self.idle,
                total: self.total,
                stdout_bytes: limits::GEMINI_STDOUT_BYTES,
                stderr_kept: limits::GEMINI_STDERR_BYTES,
                line_bytes: limits::GEMINI_LINE_BYTES,
            },
        }
    }
}

fn judge(exit: Exit, program: &std::path::Path, limits: &Limits, stream: &Stream) -> Result<()> {
    if let Some(error) = exit.stopped(program, limits) {
        return Err(match exit.ended_by {
            EndedBy::Idle => error.hint("`GEMINI_CLI_IDLE_SECONDS` is how long it may be silent"),
            EndedBy::Total => error.hint("`GEMINI_SEARCH_TIMEOUT` is how many milliseconds it may take"),
            EndedBy::OutputLimit => error.hint("ask a narrower question"),
            EndedBy::Own | EndedBy::Cancelled => error,
        });
    }
    let ended = match exit.status {
        Status::Code(code) => RunEnd::Code(code),
        Status::Signal(signal) => RunEnd::Signal(signal),
        Status::Unknown => return Err(Error::new(Code::ExecutionError, "how Gemini CLI ended is not known")),
    };
    let judged = verdict(ended, stream, &String::from_utf8_lossy(&exit.stderr_tail));
    match judged {
        // A line that was cut is no event any more; that, and not silence, is why there is no answer.
        Err(_) if exit.truncated => Err(Error::new(
            Code::OutputTooLarge,
            format!("Gemini CLI wrote a line of more than {} bytes", limits.line_bytes),
        )
        .hint("ask a narrower question")),
        Err(mut error) => {
            error.message = format!("{} (after {} s)", error.message, exit.duration.as_secs());
            Err(error)
        }
        Ok(()) => Ok(()),
    }
}

/// DS-10: what to do when it is not there.
fn not_found() -> Error {
    Error::new(Code::CliNotFound, "Gemini CLI is not installed or not on PATH")
        .hint("install it: `npm install -g @google/gemini-cli` (needs Node.js 20 or newer), then run `gemini` once")
        .hint("or name the program file in `GEMINI_CLI_PATH`")
}
