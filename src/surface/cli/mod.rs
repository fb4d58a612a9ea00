//! The terminal's face: parse, ask the engine, render. Replies go to stdout, everything else to stderr, and the exit status
//! says how it went.

mod args;
mod ask_back;
mod check;
mod config;
mod connect;
mod doctor;
mod forget;
mod hosted;
mod input;
mod key;
mod library;
mod progress;
mod reference;
mod render;
mod research;
#[cfg(feature = "scripted")]
mod scripted;
mod serve;
mod setup_args;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser};

use self::args::{Cli, Command};
use self::render::Paint;
use super::output::{self, Output};
use super::signals;
use super::verbs::App;
use super::wire::{CancelArgs, ListArgs, SteerArgs};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::setup::settings::resolve::Resolved;
use crate::core::task::Hands;
use crate::engine::{self, Adopt, Engine, Flags, Keeper, log};

/// What a command ended by a signal returns, as shells know it from SIGINT.
const INTERRUPTED: u8 = 130;
/// The command by which hadal starts itself as the warden of its children.
const WARDEN: &str = "__warden";

/// Runs one command line.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    if args.get(1).is_some_and(|command| command == WARDEN) {
        return engine::warden();
    }
    if let Some(read) = args.get(1..).and_then(engine::pdf_reader) {
        return read;
    }
    if engine::is_keeper(&args) {
        return keep();
    }
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(refusal) => return ExitCode::from(refused(&refusal, &args)),
    };
    let output = if cli.global.json { Output::Json } else { Output::Text };
    let resolved = match engine::settings(cli.flags()) {
        Ok(resolved) => resolved,
        Err(error) => return ExitCode::from(failed(&error, output, Paint::Plain)),
    };
    let paint = Paint::new(resolved.settings.color);
    let status = execute(cli.command, resolved, output).unwrap_or_else(|end| match end {
        End::Failed(error) => failed(&error, output, paint),
        End::Told(error) => {
            log::text(&render::error(&error, paint));
            error.code.kind().exit_status()
        }
        End::Interrupted(error) => {
            failed(&error, output, paint);
            INTERRUPTED
        }
    });
    ExitCode::from(status)
}

/// The life of the keeper: hadal without a surface. What it has to say goes to its log.
fn keep() -> ExitCode {
    let kept = engine::settings(Flags::default()).map_err(End::from).and_then(|resolved| {
        // One thread, and all of it there: each look wakes one thread up, not three.
        in_threads(1, async {
            let kept = tokio::spawn(async move {
                if let Some(keeper) = Keeper::begin(&resolved.settings).await? {
                    keeper.keep(signals::first()).await;
                }
                Ok(0)
            });
            kept.await.unwrap_or_else(|_| Err(Error::new(Code::Internal, "the keeper has a fault").into()))
        })
    });
    match kept {
        Ok(status) => ExitCode::from(status),
        Err(End::Failed(error) | End::Told(error) | End::Interrupted(error)) => {
            log::error(&error);
            ExitCode::from(error.code.kind().exit_status())
        }
    }
}

/// How a command ends when it does not simply succeed.
#[derive(Debug)]
enum End {
    Failed(Error),
    /// The reply on stdout says so already; stderr and the exit status do too.
    Told(Error),
    Interrupted(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What a command works with.
#[derive(Debug)]
struct Session {
    app: App,
    output: Output,
    /// The task that this command waits for; a signal names it.
    task: OnceLock<TaskId>,
}

fn execute(command: Command, resolved: Resolved, output: Output) -> Result<u8, End> {
    match command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hadal", &mut script);
            output::write(&String::from_utf8_lossy(&script))?;
            Ok(0)
        }
        Command::Reference { page } => {
            output::write(&reference::page(page))?;
            Ok(0)
        }
        Command::Config => Ok(config::show(&resolved, output).map(|()| 0)?),
        Command::Connect(args) => Ok(connect::run(&args, &resolved, output).map(|()| 0)?),
        Command::Key(command) => Ok(key::run(command, &resolved, output).map(|()| 0)?),
        Command::Serve(args) => serve::run(args, resolved),
        other => in_runtime(with_engine(other, resolved, output)),
    }
}

/// Runs the commands that need the engine, until they are done or a signal comes.
async fn with_engine(command: Command, resolved: Resolved, output: Output) -> Result<u8, End> {
    let engine = Engine::new(&resolved.settings, adopt(&command));
    let app = App { engine, settings: resolved.settings.into() };
    let session = Session { app, output, task: OnceLock::new() };
    let at_end = at_end(&command);
    let ended = tokio::select! {
        // Signals are listened for before any work begins, and win over work that ends in the same moment.
        biased;
        () = signals::first() => None,
        ended = dispatch(&session, command) => Some(ended),
    };
    let engine = &session.app.engine;
    match (ended, at_end) {
        (None, _) => {
            engine.pause().await;
            Err(End::Interrupted(interrupted(&session).await))
        }
        (Some(ended), AtEnd::HandOver) => {
            engine.hand_over_and_see().await;
            ended
        }
        (Some(ended), AtEnd::LeaveAlone) => {
            engine.shutdown().await;
            ended
        }
    }
}

/// What becomes of tasks that a command ends without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtEnd {
    /// They go on in the background.
    HandOver,
    /// They wait for whoever comes. Only tests want that.
    #[cfg_attr(not(feature = "scripted"), expect(dead_code, reason = "only scripted tasks are left alone"))]
    LeaveAlone,
}

fn at_end(command: &Command) -> AtEnd {
    match command {
        #[cfg(feature = "scripted")]
        Command::Scripted(args) if !args.hand_over => AtEnd::LeaveAlone,
        _ => AtEnd::HandOver,
    }
}

fn adopt(command: &Command) -> Adopt {
    match command {
        #[cfg(feature = "scripted")]
        Command::Scripted(args) if args.adopt => Adopt::All,
        _ => Adopt::Nothing,
    }
}

async fn dispatch(session: &Session, command: Command) -> Result<u8, End> {
    let Session { app, output, .. } = session;
    match command {
        Command::Ask(args) => return research::ask(session, args).await,
        Command::Search(args) => return research::search(session, args).await,
        Command::DeepSearch(args) => return research::deep_search(session, args).await,
        Command::DeepResearch(args) => return research::deep_research(session, args).await,
        Command::Start(args) => return hosted::start(session, args).await,
        Command::Check(args) => return check::check(session, args).await,
        Command::Estimate(args) => hosted::estimate(session, args).await?,
        Command::Results(args) => return research::results(session, args).await,
        Command::Doctor { repair } => {
            if repair {
                doctor::repair(session).await?;
            }
            return doctor::run(session).await;
        }
        Command::Status(args) => {
            let reply = app.status(&args.task_id).await?;
            output.reply(&reply, || reply.markdown())?;
        }
        Command::Steer(args) => {
            let reply = app.steer(SteerArgs { task_id: args.task.task_id, message: args.words.join(" ") }).await?;
            output.reply(&reply, || reply.markdown())?;
        }
        Command::Cancel(args) => {
            let asked = CancelArgs { task_id: args.task.task_id, save_partial: Some(!args.no_partial) };
            let reply = app.cancel(asked).await?;
            output.reply(&reply, || reply.markdown())?;
        }
        Command::List(args) => {
            let reply = app.list(ListArgs { status: args.status, limit: Some(args.limit), after: args.after }).await?;
            output.reply(&reply, || reply.markdown())?;
        }
        Command::Delete(args) => return forget::delete(session, args).await,
        Command::Prune(args) => return forget::prune(session, args).await,
        Command::Save(args) => research::save(session, args).await?,
        Command::Library(command) => library::run(session, command).await?,
        #[cfg(feature = "scripted")]
        Command::Scripted(args) => scripted::run(session, args).await?,
        #[cfg(feature = "scripted")]
        Command::Bench { name } => {
            let figure = engine::bench::run(&app.settings, &name).await?;
            output::write(&format!("{}\n", serde_json::json!(figure)))?;
        }
        Command::Serve(_)
        | Command::Config
        | Command::Key(_)
        | Command::Connect(_)
        | Command::Completions { .. }
        | Command::Reference { .. } => {
            return Err(Error::new(Code::Internal, "a command without an engine was sent to it").into());
        }
    }
    Ok(0)
}

fn in_runtime(work: impl Future<Output = Result<u8, End>>) -> Result<u8, End> {
    // Two threads: the engine's own work runs on blocking threads, and one slow poll does not stop the rest.
    in_threads(2, work)
}

fn in_threads(threads: usize, work: impl Future<Output = Result<u8, End>>) -> Result<u8, End> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .map_err(|fault| Error::new(Code::Internal, format!("no threads to work with: {fault}")))?;
    let ended = runtime.block_on(work);
    // The engine has been shut down in order; what is left is a read of a terminal that cannot be called back.
    runtime.shutdown_background();
    ended
}

/// What became of the task that a signal took this command away from.
async fn interrupted(session: &Session) -> Error {
    let Some(id) = session.task.get() else { return Error::new(Code::ShuttingDown, "interrupted") };
    let hands = session.app.engine.task(*id).await.map(|task| task.hands);
    let (what, next) = match hands {
        Ok(Hands::Owner(_)) => ("goes on in the background", "wait for it again"),
        Ok(Hands::Nobody) => ("goes on when hadal runs again", "go on"),
        Ok(Hands::Paused) | Err(_) => ("is paused", "go on"),
    };
    Error::new(Code::ShuttingDown, format!("interrupted; the task `{id}` {what}"))
        .hint(format!("{next} with `hadal results --wait {id}`"))
        .hint(format!("or give it up with `hadal cancel {id}`"))
}

/// Shows an error on every channel that is meant to have it, and gives its exit status.
fn failed(error: &Error, output: Output, paint: Paint) -> u8 {
    log::text(&render::error(error, paint));
    if output == Output::Json {
        // When stdout cannot be written either, stderr has it and the exit status stands.
        let _said_on_stderr = output.reply(&super::wire::ErrorReply::from(error), String::new);
    }
    error.code.kind().exit_status()
}

/// A command line that clap does not take, or one that only asks for help.
fn refused(refusal: &clap::Error, args: &[OsString]) -> u8 {
    use clap::error::ErrorKind;
    if matches!(refusal.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed stdout is fine.
        let _ = refusal.print();
        return 0;
    }
    if refusal.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // A closed stderr is fine.
        let _ = refusal.print();
        return Code::InvalidArgument.kind().exit_status();
    }
    let json = args.iter().skip(1).take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    failed(&usage(refusal), if json { Output::Json } else { Output::Text }, Paint::Plain)
}

/// clap's message as one of ours: the first paragraph says what is wrong, tips are hints.
fn usage(refusal: &clap::Error) -> Error {
    // An argument can be long garbage; the message repeats only its beginning.
    const SHOWN_CHARS: usize = 1_000;
    let text: String = refusal.to_string().chars().take(SHOWN_CHARS).collect();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_tip = |line: &&str| line.starts_with("tip: ");
    let is_end = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more information");
    let message: Vec<&str> = lines().take_while(|line| !is_tip(line) && !is_end(line)).collect();
    let error = Error::new(Code::InvalidArgument, message.join(" "));
    let tips = lines().filter(is_tip).filter_map(|line| line.strip_prefix("tip: "));
    tips.fold(error, Error::hint).hint("`hadal help` shows every command, `hadal help COMMAND` its arguments")
}
