//! `hadal library`: the local documents that research may read.

use serde::Serialize;

use super::args::Library;
use super::{End, Session};
use crate::core::base::dates::rfc3339;
use crate::core::base::error::Problem;
use crate::core::task::outcome::Refreshed;
use crate::engine::{Root, log};

#[derive(Debug, Serialize)]
struct RootReply {
    path: String,
    files: u64,
    passages: u64,
    indexed_at: String,
}

#[derive(Debug, Serialize)]
struct AddReply {
    success: bool,
    root: RootReply,
    added: u32,
    changed: u32,
    removed: u32,
    unchanged: u32,
    /// Files that could not be read; the rest is indexed.
    problems: Vec<Problem>,
}

#[derive(Debug, Serialize)]
struct ListReply {
    success: bool,
    roots: Vec<RootReply>,
}

#[derive(Debug, Serialize)]
struct RemoveReply {
    success: bool,
    root: RootReply,
}

pub(super) async fn run(session: &Session, command: Library) -> Result<(), End> {
    let (engine, output) = (&session.app.engine, session.output);
    match command {
        Library::Add { path } => {
            let (root, refreshed) = engine.library_add(&path).await?;
            let reply = AddReply::new(root, refreshed);
            for problem in &reply.problems {
                log::warn(format_args!("{}: {}", problem.subject, problem.error));
            }
            output.reply(&reply, || reply.markdown())?;
        }
        Library::List => {
            let roots = engine.library_roots().await?;
            let reply = ListReply { success: true, roots: roots.into_iter().map(RootReply::from).collect() };
            output.reply(&reply, || reply.markdown())?;
        }
        Library::Remove { path } => {
            let reply = RemoveReply { success: true, root: engine.library_remove(&path).await?.into() };
            output.reply(&reply, || format!("Removed {}; the documents stay", reply.root.path))?;
        }
    }
    Ok(())
}

impl From<Root> for RootReply {
    fn from(root: Root) -> Self {
        let Root { path, files, passages, indexed_ms } = root;
        Self { path, files, passages, indexed_at: rfc3339(indexed_ms) }
    }
}

impl RootReply {
    fn markdown(&self) -> String {
        format!("{}: {} files, {} passages, indexed {}", self.path, self.files, self.passages, self.indexed_at)
    }
}

impl AddReply {
    fn new(root: Root, refreshed: Refreshed) -> Self {
        let Refreshed { added, changed, removed, unchanged, problems } = refreshed;
        Self { success: true, root: root.into(), added, changed, removed, unchanged, problems }
    }

    fn markdown(&self) -> String {
        let Self { root, added, changed, removed, unchanged, problems, success: _ } = self;
        let mut text = root.markdown();
        text.push_str(&format!("\n{added} added, {changed} changed, {removed} removed, {unchanged} unchanged"));
        if !problems.is_empty() {
            text.push_str(&format!(", {} could not be read", problems.len()));
        }
        text
    }
}

impl ListReply {
    fn markdown(&self) -> String {
        if self.roots.is_empty() {
            return "Nothing is registered; add a folder or file with `hadal library add PATH`".to_owned();
        }
        self.roots.iter().map(|root| root.markdown() + "\n").collect()
    }
}
