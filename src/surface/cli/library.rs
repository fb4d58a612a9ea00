//! `hadal library`: the local documents that research may read.

use serde::Serialize;

use super::setup_args::Library;
use super::{End, Session};
use crate::core::base::counts::counted;
use crate::core::base::dates::rfc3339;
use crate::core::base::error::Problem;
use crate::core::base::plain;
use crate::core::task::outcome::Refreshed;
use crate::core::task::skipped::SkippedFiles;
use crate::engine::{Choice, Root, log};

/// Disks of one root, and folders in it, that are listed; a folder of home directories may have hundreds.
const DISKS_SHOWN: usize = 20;

#[derive(Debug, Serialize)]
struct RootReply {
    path: String,
    files: u64,
    passages: u64,
    /// Nothing where the first indexing has not come to its end.
    indexed_at: Option<String>,
    /// Files that are not read, by kind.
    skipped: SkippedFiles,
    /// Files that could not be read: damaged, not permitted, too large.
    unread: u64,
    /// Its index is being brought up to date, or that was cut off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    updating: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exclude: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// Why a server walks it for every question instead of watching it, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_watched: Option<String>,
    /// What is wrong with it, where nothing of it is there any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'static str>,
    /// The folders in it whose disks had documents and are not mounted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disks_away: Vec<String>,
    /// The registered folder that it lies in, which is searched for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<String>,
    /// The registered folders in it, for which it is searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    covers: Vec<String>,
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
    /// How many more there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems_omitted: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ListReply {
    success: bool,
    roots: Vec<RootReply>,
    /// What is registered and cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
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
            let (root, refreshed) = engine.library_add(&path, Some(Choice { exclude, hidden })).await?;
            let reply = AddReply::new(root, refreshed);
            for problem in &reply.problems {
                log::warn(format_args!("{}: {}", problem.subject, problem.error));
            }
            if let Some(more) = reply.problems_omitted {
                log::warn(format_args!("{more} more files or folders could not be read, or not as a whole"));
            }
            output.reply(&reply, || reply.markdown())?;
        }
        Library::List => {
            let roots = engine.library_roots().await?;
            let problems = engine.library_unreadable().await?;
            let reply = ListReply { success: true, roots: roots.into_iter().map(RootReply::from).collect(), problems };
            output.reply(&reply, || reply.markdown())?;
        }
        Library::Remove { path } => {
            let reply = RemoveReply { success: true, root: engine.library_remove(&path).await?.into() };
            output.reply(&reply, || reply.markdown())?;
        }
    }
    Ok(())
}

impl From<Root> for RootReply {
    fn from(root: Root) -> Self {
        Self {
            path: root.path,
            files: root.files,
            passages: root.passages,
            indexed_at: (root.indexed_ms > 0).then(|| rfc3339(root.indexed_ms)),
            skipped: root.skipped,
            unread: root.unread,
            updating: root.updating,
            exclude: root.choice.exclude,
            hidden: root.choice.hidden,
            not_watched: root.not_watched,
            absent: root.absent,
            disks_away: root.disks_away,
            within: root.within,
            covers: root.covers,
        }
    }
}

impl RootReply {
    fn markdown(&self) -> String {
        let path = plain::location(&self.path);
        let Some(indexed_at) = &self.indexed_at else {
            return format!("{path}: its indexing is going on or was interrupted; the next question takes it up");
        };
        let (read, held) = (counted(self.files, "file", "files"), counted(self.passages, "passage", "passages"));
        let mut text = format!("{path}: {read}, {held}, indexed {indexed_at}");
        if !self.skipped.is_empty() {
            text.push_str(&format!("; {}", self.skipped));
        }
        if self.unread > 0 {
            text.push_str(&format!("; {} could not be read", self.unread));
        }
        if !self.exclude.is_empty() {
            text.push_str(&format!("\nLeft out: `{}`", self.exclude.join("`, `")));
        }
        if self.hidden {
            text.push_str("\nHidden files are read");
        }
        if self.updating {
            text.push_str(
                "\nIts index is being brought up to date, or that was interrupted; the next question takes it up",
            );
        }
        self.away().into_iter().for_each(|line| text.push_str(&format!("\n{line}")));
        if let Some(why) = &self.not_watched {
            text.push_str(&format!("\nA server walks it for every question and does not watch it: {why}"));
        }
        if let Some(outer) = &self.within {
            let outer = plain::location(outer);
            text.push_str(&format!("\nIt lies in {outer}, with which its documents are read and cited, once"));
        }
        if !self.covers.is_empty() {
            text.push_str(&format!("\nIt has the documents of {}, which are read once", listed(&self.covers)));
        }
        if let Some(why) = self.nothing() {
            text.push_str(&format!("\nNothing in it can be searched: {why}"));
        }
        text
    }

    /// What of it is not there at the moment and is searched all the same, a line each.
    fn away(&self) -> Vec<String> {
        let indexed = |why: &str| format!("Questions are answered from what was indexed: {why}");
        let disk = |disk: &String| {
            let folder = plain::location(&format!("{}/{disk}", self.path));
            indexed(&format!("the disk in {folder} is not mounted"))
        };
        let root = self.absent.filter(|_| self.files > 0).map(indexed);
        let disks = self.disks_away.iter().map(disk).take(DISKS_SHOWN);
        let more = self.disks_away.len().checked_sub(DISKS_SHOWN).filter(|more| *more > 0);
        root.into_iter().chain(disks).chain(more.map(|more| format!("and of {more} more disks"))).collect()
    }

    /// Why nothing in it can be searched, if that is so.
    fn nothing(&self) -> Option<&'static str> {
        let why = match self.absent {
            Some(why) => why,
            None if self.unread > 0 => "no file in it could be read",
            None if self.skipped.is_empty() => "it holds no files",
            None if self.skipped.unasked().is_empty() => "everything in it is left out",
            None => "it holds no file of a kind that hadal reads (docs/library.md)",
        };
        (self.files == 0).then_some(why)
    }
}

/// Folders that are listed, and how many more there are.
fn listed(paths: &[String]) -> String {
    let shown: Vec<String> = paths.iter().take(DISKS_SHOWN).map(|path| plain::location(path)).collect();
    let more = paths.len().checked_sub(DISKS_SHOWN).filter(|more| *more > 0);
    shown.join(", ") + &more.map(|more| format!(" and {more} more")).unwrap_or_default()
}

impl RemoveReply {
    fn markdown(&self) -> String {
        let mut text = format!("Removed {}; the documents stay", plain::location(&self.root.path));
        if let Some(outer) = &self.root.within {
            text.push_str(&format!(", and are still read with {}", plain::location(outer)));
        }
        if !self.root.covers.is_empty() {
            text.push_str(&format!(". Still in the library: {}", listed(&self.root.covers)));
        }
        text
    }
}

impl AddReply {
    fn new(root: Root, refreshed: Refreshed) -> Self {
        // What is not read is told with the root.
        let Refreshed { added, changed, removed, unchanged, problems, more_problems, skipped: _, unread: _ } =
            refreshed.bounded();
        let problems_omitted = (more_problems > 0).then_some(more_problems);
        Self { success: true, root: root.into(), added, changed, removed, unchanged, problems, problems_omitted }
    }

    fn markdown(&self) -> String {
        let Self { root, added, changed, removed, unchanged, problems: _, problems_omitted: _, success: _ } = self;
        let mut text = root.markdown();
        text.push_str(&format!("\n{added} added, {changed} changed, {removed} removed, {unchanged} unchanged"));
        text
    }
}

impl ListReply {
    fn markdown(&self) -> String {
        if self.roots.is_empty() && self.problems.is_empty() {
            return "Nothing is registered; add a folder or file with `hadal library add PATH`".to_owned();
        }
        let mut text: String = self.roots.iter().map(|root| root.markdown() + "\n").collect();
        for Problem { subject: _, error } in &self.problems {
            text.push_str(&format!("{error}\n"));
            error.hints.iter().for_each(|hint| text.push_str(&format!("hint: {hint}\n")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::base::error::{Code, Error};

    fn root() -> Root {
        Root {
            path: "/docs".to_owned(),
            files: 3,
            passages: 9,
            indexed_ms: 1_000,
            choice: Choice::default(),
            skipped: SkippedFiles::default(),
            unread: 0,
            updating: false,
            not_watched: None,
            absent: None,
            disks_away: Vec::new(),
            within: None,
            covers: Vec::new(),
        }
    }

    fn skipped(kinds: &[&str]) -> SkippedFiles {
        let mut skipped = SkippedFiles::default();
        kinds.iter().for_each(|kind| skipped.count(kind));
        skipped
    }

    /// LB-01: the reason that is given is the one that holds.
    #[test]
    fn a_folder_without_anything_to_search_says_why() {
        let nothing = |skipped: SkippedFiles| Root { files: 0, passages: 0, skipped, ..root() };
        for (root, says, says_not) in [
            (nothing(skipped(&[])), "it holds no files", "of a kind"),
            (Root { unread: 4, ..nothing(skipped(&[])) }, "no file in it could be read", "no files"),
            (nothing(skipped(&["excluded", "hidden"])), "everything in it is left out", "of a kind"),
            (nothing(skipped(&["excluded", "png"])), "no file of a kind that hadal reads", "everything"),
            (Root { indexed_ms: 0, ..nothing(skipped(&[])) }, "was interrupted; the next question", "1970"),
            (Root { updating: true, ..root() }, "or that was interrupted; the next question", "Nothing"),
            (
                Root { choice: Choice { exclude: vec!["a*".to_owned()], hidden: true }, ..root() },
                "`a*`\nHidden",
                "Nothing",
            ),
            (Root { absent: Some("it is empty"), ..root() }, "answered from what was indexed: it is empty", "Nothing"),
            (Root { absent: Some("it is gone"), ..nothing(skipped(&[])) }, "searched: it is gone", "answered"),
            (
                Root { disks_away: vec!["my disk".to_owned()], ..root() },
                "answered from what was indexed: the disk in /docs/my disk is not mounted",
                "Nothing",
            ),
            (
                Root { disks_away: (0..24).map(|at| format!("d{at:02}")).collect(), ..root() },
                "/docs/d19 is not mounted\nand of 4 more disks",
                "d20",
            ),
        ] {
            let said = RootReply::from(root).markdown();
            assert!(said.contains(says) && !said.contains(says_not), "{said}");
        }
    }

    /// LB-01: a folder in another one says with which its documents are read, also when one of them is removed.
    #[test]
    fn lb_01_folders_in_folders_are_told() {
        let inner = || Root { within: Some("/all".to_owned()), ..root() };
        let outer = || Root { covers: vec!["/docs/a".to_owned(), "/docs/b".to_owned()], ..root() };
        let list = |root: Root| RootReply::from(root).markdown();
        assert!(list(inner()).ends_with("\nIt lies in /all, with which its documents are read and cited, once"));
        assert!(list(outer()).ends_with("\nIt has the documents of /docs/a, /docs/b, which are read once"));
        let removed = |root: Root| RemoveReply { success: true, root: root.into() }.markdown();
        let plain = "Removed /docs; the documents stay";
        assert_eq!(removed(root()), plain);
        assert_eq!(removed(inner()), format!("{plain}, and are still read with /all"));
        assert_eq!(removed(outer()), format!("{plain}. Still in the library: /docs/a, /docs/b"));
    }

    #[test]
    fn the_files_that_could_not_be_read_are_counted_once() {
        let problem = |at: usize| Problem { subject: at.to_string(), error: Error::new(Code::LibraryUnreadable, "x") };
        let refreshed = Refreshed { problems: (0..84).map(problem).collect(), ..Refreshed::default() };
        let reply = AddReply::new(Root { unread: 84, ..root() }, refreshed);
        assert_eq!(reply.markdown().matches("; 84 could not be read").count(), 1, "{}", reply.markdown());
        assert_eq!((reply.problems.len(), reply.problems_omitted), (50, Some(34)));
    }

    #[test]
    fn a_folder_that_is_not_watched_says_why() {
        let root = |why: Option<&str>| Root { not_watched: why.map(str::to_owned), ..root() };
        let list = |root: Root| ListReply { success: true, roots: vec![root.into()], problems: Vec::new() };
        let plain = "/docs: 3 files, 9 passages, indexed 1970-01-01T00:00:01Z\n";
        assert_eq!(list(root(None)).markdown(), plain);
        let one = list(Root { files: 1, passages: 1, ..root(None) });
        assert_eq!(one.markdown(), plain.replace("3 files, 9 passages", "1 file, 1 passage"));
        let told = "A server walks it for every question and does not watch it: there are no more watches\n";
        let reply = list(root(Some("there are no more watches")));
        assert_eq!(reply.markdown(), format!("{plain}{told}"));
        let json = serde_json::to_value(&reply).unwrap();
        assert_eq!(json["roots"][0]["not_watched"], "there are no more watches");
    }
}
