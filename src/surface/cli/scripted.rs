//! `hadal scripted FILE…`: one scripted task per file, in this process. For crash and cancel tests; no release has it.

use std::io::Read;
use std::path::Path;

use tokio::task::JoinSet;

use super::args::Scripted;
use super::{End, Session};
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::method::{Plan, TaskSpec, scripted};
use crate::core::task::Tool;
use crate::engine::log;
use crate::surface::output;

/// Starts them all, then prints `ID STATUS` for each as it ends.
pub(super) async fn run(session: &Session, args: Scripted) -> Result<(), End> {
    let engine = &session.app.engine;
    let plans: Vec<(String, scripted::ScriptedPlan)> =
        args.files.iter().map(|path| read(path)).collect::<Result<_>>()?;
    let mut waiting = JoinSet::new();
    for (query, plan) in plans {
        let spec = TaskSpec {
            evidence: crate::core::base::engine::EvidenceMode::Off,
            opinion: None,
            tool: Tool::Scripted,
            query: query.clone(),
            engine: EngineChoice { name: EngineName::Extractive, reason: "scripted".to_owned() },
            budget: session.app.settings.budget,
            plan: Plan::Scripted(plan),
        };
        let id = engine.start(spec).await?;
        log::info(format_args!("Task {id} started: {query}"));
        if args.start_only {
            output::write(&format!("{id} pending\n"))?;
            continue;
        }
        let engine = engine.clone();
        waiting.spawn(async move { engine.wait(id, None).await });
    }
    while let Some(ended) = waiting.join_next().await {
        let task = ended.map_err(|_| Error::new(Code::Internal, "waiting for a task panicked"))??;
        output::write(&format!("{} {}\n", task.id, task.status.name()))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<(String, scripted::ScriptedPlan)> {
    let name = path.display().to_string();
    let refused = |fault: &dyn std::fmt::Display| Error::new(Code::InvalidArgument, format!("`{name}`: {fault}"));
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|fault| refused(&fault))?;
    file.take(limits::SCRIPT_MAX_BYTES).read_to_string(&mut text).map_err(|fault| refused(&fault))?;
    let plan = serde_json::from_str(&text).map_err(|fault| refused(&fault))?;
    Ok((name, plan))
}
