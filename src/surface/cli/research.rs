//! The commands around one task: start it and wait, print what it found, save it.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::args::{Ask, DeepResearch, DeepSearch, Looks, Question, Research, Results, Save};
use super::{End, Session, ask_back, input, progress};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::engine::log;
use crate::surface::output::Output;
use crate::surface::verbs::{DeepResearchArgs, Depth, ReportLength};
use crate::surface::wire::{ErrorBody, SaveArgs};

/// Starts the research and waits for its end, however long that takes.
pub(super) async fn deep_research(session: &Session, args: DeepResearch) -> Result<u8, End> {
    let detail = Detail::of(&args.research);
    let asked = DeepResearchArgs {
        query: args.query.map(input::question).transpose()?,
        follow_up_to: args.follow_up_to,
        task_scope: word(args.task_scope)?,
        task_type_hint: word(args.task_type)?,
        context: args.context,
        max_attempts: args.max_attempts,
        engine: args.settings.engine,
        ..wanted(session, args.research)?
    };
    follow(session, session.app.start_task(asked, Depth::Chosen), detail).await
}

/// A question in plain words: engine and depth are chosen, and it is said which.
pub(super) async fn ask(session: &Session, args: Ask) -> Result<u8, End> {
    let detail = Detail::of(&args.research);
    let depth = match (args.deep, args.quick) {
        (true, _) => Depth::Deep,
        (_, true) => Depth::Quick,
        (false, false) => Depth::Chosen,
    };
    let query = if args.words.is_empty() { None } else { Some(input::words(args.words)?) };
    let (engine, follow_up_to) = (args.settings.engine, args.about);
    let asked = DeepResearchArgs { query, follow_up_to, engine, ..wanted(session, args.research)? };
    let start = async {
        let spec = session.app.asked(asked, depth).await?;
        log::info(spec.chosen());
        session.app.engine.start(spec).await
    };
    follow(session, start, detail).await
}

/// What the flags of a research say but for the engine. The budget was a flag too: it is part of the settings already.
fn wanted(session: &Session, args: Research) -> Result<DeepResearchArgs> {
    Ok(DeepResearchArgs {
        length: word(args.length.or_else(|| args.full.then(|| "long".to_owned())))?,
        language: args.language,
        audience: args.audience,
        sources: args.sources,
        asks_back: session.output == Output::Text && ask_back::is_possible(),
        library: (!args.looks.library.is_empty()).then_some(args.looks.library),
        web: args.looks.web.then_some(true),
        offline: args.looks.offline,
        sites: (!args.site.is_empty()).then_some(args.site),
        since: args.since,
        plan_only: args.plan.then_some(true),
        ..DeepResearchArgs::default()
    })
}

/// The caps of a call are settings here.
fn searched(args: Question) -> Result<DeepResearchArgs> {
    let query = input::question(args.query)?;
    let Looks { library, web, offline } = args.looks;
    let (library, web) = ((!library.is_empty()).then_some(library), web.then_some(true));
    let (length, engine) = (args.full.then_some(ReportLength::Long), args.settings.engine);
    Ok(DeepResearchArgs { query: Some(query), library, web, offline, length, engine, ..DeepResearchArgs::default() })
}

/// One quick round.
pub(super) async fn search(session: &Session, args: Question) -> Result<u8, End> {
    let args = searched(args)?;
    session.app.engine.sweep().await;
    follow(session, session.app.start_task(args, Depth::Quick), Detail::Plain).await
}

/// Rounds until the answer holds.
pub(super) async fn deep_search(session: &Session, args: DeepSearch) -> Result<u8, End> {
    let (args, depth) = (searched(args.question)?, Depth::Verified(args.max_iterations));
    session.app.engine.sweep().await;
    follow(session, session.app.start_task(args, depth), Detail::Plain).await
}

/// How much of a reply people want to see; as JSON it is always all of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Plain,
    Explained,
}

impl Detail {
    fn of(args: &Research) -> Self {
        if args.explain { Self::Explained } else { Self::Plain }
    }
}

/// Starts a task, shows how far it is, and prints its reply.
async fn follow(session: &Session, start: impl Future<Output = Result<TaskId>>, detail: Detail) -> Result<u8, End> {
    let Session { app, output, task } = session;
    let events = app.engine.watch();
    let id = start.await?;
    let id = *task.get_or_init(|| id);
    log::info(format_args!("Task {id} started"));
    let reply = progress::follow(app, id, events, app.research_reply(id, None)).await?;
    let markdown = || match detail {
        Detail::Plain => reply.markdown(),
        Detail::Explained => reply.markdown() + &reply.explained(),
    };
    let Some(body) = &reply.error else {
        output.reply(&reply, markdown)?;
        return Ok(0);
    };
    let error = error(body);
    // For people, an error alone belongs on stderr; what was found before it still goes to stdout.
    if reply.result.is_none() && *output == Output::Text {
        return Err(End::Failed(error));
    }
    output.reply(&reply, markdown)?;
    Err(End::Told(error))
}

/// Prints the report of a task, after its end if so asked.
pub(super) async fn results(session: &Session, args: Results) -> Result<u8, End> {
    let Session { app, output, task } = session;
    let id = TaskId::parse(&args.task.task_id)?;
    if args.wait {
        let events = app.engine.watch();
        let id = *task.get_or_init(|| id);
        app.engine.resume(id).await?;
        log::info(format_args!("Waiting for task {id}"));
        progress::follow(app, id, events, app.engine.wait(id, None)).await?;
    }
    let reply = app.results(&args.task.task_id, !args.no_sources).await?;
    if args.evidence {
        let evidence = app.evidence(id, usize::MAX).await?;
        output.reply(&evidence, || evidence.text())?;
    } else {
        output.reply(&reply, || reply.markdown())?;
    }
    match &reply.error {
        Some(body) => Err(End::Told(error(body))),
        None => Ok(0),
    }
}

pub(super) async fn save(session: &Session, args: Save) -> Result<(), End> {
    let reply = session
        .app
        .save(SaveArgs {
            task_id: args.task.task_id,
            output_dir: args.output_dir,
            filename_prefix: Some(args.prefix),
            format: word(Some(args.format))?,
            include_metadata: Some(!args.no_metadata),
            include_sources: Some(!args.no_sources),
        })
        .await?;
    Ok(session.output.reply(&reply, || reply.markdown())?)
}

/// A word that clap has checked, as the value it stands for.
fn word<T: DeserializeOwned>(name: Option<String>) -> Result<Option<T>> {
    let read = |name: String| {
        serde_json::from_value(Value::String(name))
            .map_err(|fault| Error::new(Code::InvalidArgument, format!("not a known word: {fault}")))
    };
    name.map(read).transpose()
}

pub(super) fn error(body: &ErrorBody) -> Error {
    let retry_after = body.retry_after_seconds.map(std::time::Duration::from_secs);
    Error { code: body.code, message: body.message.clone(), hints: body.hints.clone(), retry_after }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::surface::cli::args::Cli;
    use crate::surface::verbs::{TaskScope, TaskType};

    /// Every word the command line takes is one that the verb knows.
    #[test]
    fn the_words_of_the_command_line_are_known() {
        let command = Cli::command();
        let research = command.find_subcommand("deep-research").unwrap();
        let words = |id: &str| {
            let argument = research.get_arguments().find(|argument| argument.get_id() == id).unwrap();
            argument.get_possible_values().into_iter().map(|value| value.get_name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(words("task_scope").len(), 3);
        assert_eq!(words("task_type").len(), 4);
        for name in words("task_scope") {
            assert!(word::<TaskScope>(Some(name)).unwrap().is_some());
        }
        for name in words("task_type") {
            assert!(word::<TaskType>(Some(name)).unwrap().is_some());
        }
    }
}
