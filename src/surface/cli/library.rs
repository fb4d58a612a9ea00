//! `hadal library`: the local documents that research may read.

use serde::Serialize;

use super::args::Library;
use super::{End, Session};
use crate::core::base::dates::rfc3339;
use crate::core::base::error::Problem;
use crate::core::task::outcome::Refreshed;
use crate::core::task::skipped::SkippedFiles;
use crate::engine::{Choice, Root, log};

#[derive(Debug, Serialize)]
struct RootReply {
    path: String,
    files: u64,
    passages: u64,
    indexed_at: String,
    /// Files that are not read, by kind.
    skipped: SkippedFiles,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exclude: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// Why a server walks it for every question instead of watching it, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_watched: Option<String>,
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
        Library::Add { path, exclude, hidden } => {
            // Without a word on it, what was chosen before stays.
            let choice = (hidden || !exclude.is_empty()).then_some(Choice { exclude, hidden });
            let (root, refreshed) = engine.library_add(&path, choice).await?;
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
        let Root { path, files, passages, indexed_ms, choice, skipped, not_watched } = root;
        let (indexed_at, Choice { exclude, hidden }) = (rfc3339(indexed_ms), choice);
        Self { path, files, passages, indexed_at, skipped, exclude, hidden, not_watched }
    }
}

impl RootReply {
    fn markdown(&self) -> String {
        let Self { path, files, passages, indexed_at, skipped, exclude: _, hidden: _, not_watched } = self;
        let mut text = format!("{path}: {files} files, {passages} passages, indexed {indexed_at}");
        if !skipped.is_empty() {
            text.push_str(&format!("; {skipped}"));
        }
        if let Some(why) = not_watched {
            text.push_str(&format!("\nA server walks it for every question and does not watch it: {why}"));
        }
        if *files == 0 {
            text.push_str(
                "\nNothing in it can be searched: it holds no file of a kind that hadal reads (docs/library.md)",
            );
        }
        text
    }
}

impl AddReply {
    fn new(root: Root, refreshed: Refreshed) -> Self {
        // What is not read is told with the root.
        let Refreshed { added, changed, removed, unchanged, problems, skipped: _ } = refreshed;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_watched_says_why() {
        let root = |not_watched: Option<&str>| Root {
            path: "/docs".to_owned(),
            files: 3,
            passages: 9,
            indexed_ms: 0,
            choice: Choice::default(),
            skipped: SkippedFiles::default(),
            not_watched: not_watched.map(str::to_owned),
        };
        let list = |root: Root| ListReply { success: true, roots: vec![root.into()] };
        let plain = "/docs: 3 files, 9 passages, indexed 1970-01-01T00:00:00Z\n";
        assert_eq!(list(root(None)).markdown(), plain);
        let told = "A server walks it for every question and does not watch it: there are no more watches\n";
        let reply = list(root(Some("there are no more watches")));
        assert_eq!(reply.markdown(), format!("{plain}{told}"));
        let json = serde_json::to_value(&reply).unwrap();
        assert_eq!(json["roots"][0]["not_watched"], "there are no more watches");
    }
}
