//! Local documents and their full-text index.
//!
//! Every root (a folder or a single file) has an index of its own, built from the documents and from nothing
//! else: it can be built again at any time. Any number of processes may search while one writes. The
//! documents themselves are only ever read. Everything here blocks; nothing here decides what is relevant.

mod chunk;
mod cited;
mod compounds;
mod damaged;
mod disks;
mod fault;
mod file;
mod index;
mod inflection;
mod kept;
mod lock;
mod merge;
mod nested;
mod odd_names;
mod postings;
mod read;
mod refresh;
mod roots;
mod scan;
mod search;
mod spelling;
mod statistics;
#[cfg(test)]
mod tests;
mod unpack;
mod vectors;
mod watch;
mod wide;
mod words;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fault::Fault;
use index::Opened;
use lock::WriteLock;
use refresh::{Asked, Means};
pub(crate) use roots::Choice;
use roots::{Known, Marker, Place, Target};
use search::{Failed, Question, Searched};
use vectors::Vectors;
use watch::{Watches, Watching};
use wide::Wide;

use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::evidence::meaning;
use crate::core::evidence::passage::{FoundPassages, PageRef, Passage, Reach, designated_first};
use crate::core::question::designation::Designation;
use crate::core::task::outcome::Refreshed;
use crate::core::task::skipped::SkippedFiles;
use crate::core::text::Document;
use crate::world::documents::Documents;
use crate::world::log;
pub(crate) use cited::CitedFile;
pub(crate) use file::page_hash;

/// The library below a data directory. Cheap to make; nothing is opened before it is needed.
#[derive(Debug)]
pub(crate) struct Library {
    dir: PathBuf,
    max_file_bytes: u64,
    documents: Documents,
    /// Indexes that were searched, by root.
    open: Mutex<BTreeMap<String, Arc<Opened>>>,
    watches: Watches,
    vectors: Vectors,
}

/// A registered root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    /// The canonical path of a folder or a single file.
    pub(crate) path: String,
    pub(crate) files: u64,
    pub(crate) passages: u64,
    /// Milliseconds since 1970.
    pub(crate) indexed_ms: i64,
    pub(crate) choice: Choice,
    /// What was not read at the last look.
    pub(crate) skipped: SkippedFiles,
    /// How many files could not be read at the last look.
    pub(crate) unread: u64,
    /// Its index is being brought up to date, or that was cut off.
    pub(crate) updating: bool,
    /// Why it is walked for every question, where it is known that it is.
    pub(crate) not_watched: Option<String>,
    /// What is wrong with it now, if it is not there, or something was indexed of it and nothing of that is there.
    pub(crate) absent: Option<&'static str>,
    /// The folders in it whose disks had documents and are not mounted now.
    pub(crate) disks_away: Vec<String>,
    /// The registered root that reads all of it, so that it is not looked at by itself.
    pub(crate) within: Option<String>,
    /// The registered roots of which it reads all.
    pub(crate) covers: Vec<String>,
}

/// The extracted text of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageText {
    pub(crate) page: PageRef,
    pub(crate) text: String,
}

impl Library {
    pub(crate) fn new(dir: &Path, max_file_bytes: u64) -> Self {
        Self {
            dir: dir.to_owned(),
            max_file_bytes,
            documents: Documents::default(),
            open: Mutex::default(),
            watches: Watches::default(),
            vectors: Vectors::default(),
        }
    }

    /// The same, with readers for what only a child may read.
    #[must_use]
    pub(crate) fn with_documents(self, documents: Documents) -> Self {
        Self { documents, ..self }
    }

    /// The same, with the static vectors in this folder.
    #[must_use]
    pub(crate) fn with_vectors(self, folder: Option<PathBuf>) -> Self {
        Self { vectors: Vectors::in_folder(folder), ..self }
    }

    /// Registers a folder or file and brings its index up to date; of what is not said, what was chosen before stays. Blocking, like
    /// everything here.
    pub(crate) fn add(
        &self,
        path: &Path,
        choice: Option<Choice>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Root, Refreshed)> {
        choice.as_ref().map_or(Ok(()), Choice::check)?;
        let target = Target::resolve(path)?;
        let (marker, refreshed) = self.refresh_root(&target, Asked::Add(choice), stop)?;
        Ok((nested::told(&marker, &self.registered()?, self.watches.table().as_deref()), refreshed))
    }

    /// The registered roots, by path.
    pub(crate) fn roots(&self) -> Result<Vec<Root>> {
        let registered = self.registered()?;
        let mounted = self.watches.table();
        Ok(registered.iter().map(|marker| nested::told(marker, &registered, mounted.as_deref())).collect())
    }

    fn registered(&self) -> Result<Vec<Marker>> {
        Ok(self.known()?.markers.into_iter().filter(|marker| marker.registered).collect())
    }

    /// What is registered and cannot be read, so that nobody knows what it is.
    pub(crate) fn unreadable(&self) -> Result<Vec<Problem>> {
        Ok(self.known()?.unreadable)
    }

    fn known(&self) -> Result<Known> {
        roots::known(&self.dir)
    }

    /// Takes a root and its index away. The documents themselves are not touched, and need not be there any more.
    pub(crate) fn remove(&self, path: &Path) -> Result<Root> {
        let names = [std::fs::canonicalize(path).ok(), std::path::absolute(path).ok(), Some(path.to_owned())];
        let is_it = |marker: &Marker| names.iter().flatten().any(|name| name == Path::new(&marker.path));
        let known = self.known()?;
        let is_unreadable = |path: &str| {
            let place = Place::of(&self.dir, path);
            known.unreadable.iter().any(|problem| place.is_in(&problem.subject))
        };
        let unreadable = || names.iter().flatten().filter_map(|name| name.to_str()).find(|name| is_unreadable(name));
        let marker = known.markers.iter().find(|marker| is_it(marker)).cloned();
        let Some(marker) = marker.or_else(|| unreadable().map(Marker::new)) else {
            return Err(Error::new(Code::LibraryNotFound, format!("`{}` is not in the library", path.display()))
                .hint("`hadal library list` shows what is"));
        };
        let registered: Vec<Marker> = known.markers.into_iter().filter(|marker| marker.registered).collect();
        let root = nested::told(&marker, &registered, self.watches.table().as_deref());
        let place = Place::of(&self.dir, &marker.path);
        let lock = WriteLock::take(place.lock(), limits::LIBRARY_BUSY, &|| false)?;
        let removed = place.set_aside()?;
        drop(lock);
        self.opened().remove(&marker.path);
        roots::remove_dir(&removed)?;
        Ok(root)
    }

    /// Brings the index of these roots (none = every registered one) up to date. A root that is not registered is
    /// indexed too, without being registered (`--library DIR`). A root that fails is a problem; when every root
    /// that was named fails, so does the call. A root that another process is indexing stays searchable at its last
    /// state.
    pub(crate) fn refresh(&self, roots: &[String], stop: &dyn Fn() -> bool) -> Result<Refreshed> {
        let mut sum = Refreshed::default();
        let mut failure = None;
        let mut usable = 0;
        for root in self.named(roots)? {
            let target = Target::resolve(Path::new(&root));
            match target.and_then(|target| self.refresh_root(&target, Asked::Keep, stop)) {
                Ok((_, refreshed)) => {
                    usable += 1;
                    sum.added += refreshed.added;
                    sum.changed += refreshed.changed;
                    sum.removed += refreshed.removed;
                    sum.unchanged += refreshed.unchanged;
                    sum.unread += refreshed.unread;
                    sum.more_problems += refreshed.more_problems;
                    // What is told of all files comes first: lists of problems are cut at their end.
                    sum.problems.extend(left_out(&root, &refreshed.skipped));
                    sum.problems.extend(refreshed.problems);
                    sum.skipped.add(refreshed.skipped);
                }
                Err(error) if error.code == Code::Cancelled => return Err(error),
                Err(error) => {
                    let error = if self.leaves_usable(&root, error.code) {
                        usable += 1;
                        // Reports show the message of a problem, and not its hints.
                        let message = format!("{}; the search goes on with what was indexed before", error.message);
                        Error { message, ..error }
                    } else {
                        error
                    };
                    failure.get_or_insert_with(|| error.clone());
                    sum.problems.push(Problem { subject: root, error });
                }
            }
        }
        let unreadable = if roots.is_empty() { self.unreadable()? } else { Vec::new() };
        if let Some(problem) = unreadable.first().filter(|_| usable == 0) {
            return Err(problem.error.clone());
        }
        sum.problems.splice(0..0, unreadable);
        match failure {
            Some(failure) if usable == 0 && !roots.is_empty() => Err(failure),
            Some(_) | None => Ok(sum.bounded()),
        }
    }

    /// The best passages for the words of a question, from these roots (none = every registered one).
    #[cfg(test)]
    pub(crate) fn search(&self, query: &str, roots: &[String], limit: u32) -> Result<FoundPassages> {
        self.search_within(query, roots, limit, Reach::Words)
    }

    /// The best passages for a question, by its words or wider.
    pub(crate) fn search_within(
        &self,
        query: &str,
        roots: &[String],
        limit: u32,
        reach: Reach,
    ) -> Result<FoundPassages> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX).min(limits::LIBRARY_PASSAGES);
        let mut problems = Vec::new();
        let mut searched = self.searched(roots, &mut problems)?;
        let (mut question, failed) = Question::new(query, &mut searched);
        self.give_up_all(failed, &mut problems);
        let respelled = match reach {
            Reach::Respelled => {
                let (respelled, failed) = spelling::respelled(query, &question, &mut searched);
                self.give_up_all(failed, &mut problems);
                respelled
            }
            Reach::Words | Reach::Wide => None,
        };
        if let Some(respelled) = &respelled {
            let (again, failed) = Question::new(&respelled.query, &mut searched);
            self.give_up_all(failed, &mut problems);
            question = again;
        }
        let vectors = if reach == Reach::Respelled { self.vectors.get(&mut problems) } else { None };
        let designations = Designation::all(query);
        let pool = match (&vectors, designations.is_empty()) {
            // The pieces of a number or a date stand in many passages.
            (_, false) => limits::LIBRARY_PASSAGES,
            (Some(_), true) => limit.saturating_mul(meaning::POOL),
            (None, true) => limit,
        };
        let mut passages = self.in_all(&mut searched, &mut problems, |root| question.passages(root, pool));
        passages = search::merge(passages, pool);
        if let Some(vectors) = vectors {
            let query = respelled.as_ref().map_or(query, |respelled| respelled.query.as_str());
            meaning::weigh(&vectors, query, &mut passages, limit);
        }
        designated_first(&designations, &mut passages, limit);
        if reach == Reach::Wide && !passages.is_empty() {
            let (wide, failed) = Wide::new(&passages, &mut searched);
            self.give_up_all(failed, &mut problems);
            passages = self.in_all(&mut searched, &mut problems, |root| wide.passages(&question, root, limit));
            passages = search::merge(passages, limit);
        }
        let counted = Some(question.passages_counted());
        Ok(FoundPassages { terms: question.into_terms(), passages, problems, searched: counted, respelled })
    }

    /// The indexes of these roots; a root without a readable one is a problem.
    fn searched(&self, roots: &[String], problems: &mut Vec<Problem>) -> Result<Vec<Searched>> {
        let mut searched = Vec::new();
        for root in self.named(roots)? {
            let file = index::file_of(&Place::of(&self.dir, &root).index());
            match self.open(&root) {
                Ok(Some(index)) => searched.push(Searched { root, index, file }),
                Ok(None) => problems.push(not_indexed(root)),
                Err(fault) => problems.push(self.give_up(root, file.as_deref(), fault)),
            }
        }
        Ok(searched)
    }

    /// What each root has; one that cannot be read leaves the search.
    fn in_all(
        &self,
        roots: &mut Vec<Searched>,
        problems: &mut Vec<Problem>,
        find: impl Fn(&Searched) -> Result<Vec<Passage>, Fault>,
    ) -> Vec<Passage> {
        let mut passages = Vec::new();
        let names: Vec<String> = roots.iter().map(|searched| searched.root.clone()).collect();
        for searched in std::mem::take(roots) {
            match find(&searched) {
                Ok(found) => {
                    passages.extend(found);
                    roots.push(searched);
                }
                Err(fault) => self.give_up_all(vec![(searched, fault)], problems),
            }
        }
        nested::in_outermost(&mut passages, names.iter().map(String::as_str));
        passages
    }

    fn give_up_all(&self, failed: Failed, problems: &mut Vec<Problem>) {
        for (Searched { root, file, .. }, fault) in failed {
            problems.push(self.give_up(root, file.as_deref(), fault));
        }
    }

    /// Reads a document again and gives its text if it is still what was searched; of a folder that is not there, what was indexed of it.
    pub(crate) fn read(&self, page: &PageRef) -> Result<PageText> {
        Ok(PageText { page: page.clone(), text: self.document(page)?.text })
    }

    /// The same with its passages.
    pub(crate) fn document(&self, page: &PageRef) -> Result<Document> {
        let target = Target::resolve(Path::new(&page.root));
        let read = target.and_then(|target| match self.of_same_file(&target, page) {
            Some(document) => Ok(document),
            None => unpack::document(&target, &page.path, self.max_file_bytes, &self.documents),
        });
        match read {
            Ok(document) if file::page_hash(&document.text) == page.page => Ok(document),
            Ok(_changed) => Err(self.changed(page)),
            Err(error) if self.is_away(page) => self.kept(page).ok_or(error),
            Err(error) => Err(error),
        }
    }

    /// Whether the folder of a document is not there at the moment, or the disk in it.
    fn is_away(&self, page: &PageRef) -> bool {
        let root = Path::new(&page.root);
        let disks = || Place::of(&self.dir, &page.root).marker().ok().flatten().map(|marker| marker.disks);
        kept::absence(root).is_some()
            || disks()
                .unwrap_or_default()
                .iter()
                .any(|disk| disks::is_on(disk, &page.path) && kept::absence(&root.join(disk)).is_some())
    }

    fn refresh_root(&self, target: &Target, asked: Asked, stop: &dyn Fn() -> bool) -> Result<(Marker, Refreshed)> {
        let place = Place::of(&self.dir, &target.text);
        let mut watching = Watching::Untried;
        if matches!(asked, Asked::Keep) {
            if let Some(unchanged) = self.watches.unchanged(target, &place) {
                return Ok(unchanged);
            }
            let choice = place.marker()?.map(|marker| marker.choice).unwrap_or_default();
            watching = self.watches.begin(target, choice, stop)?;
        }
        // Before it is walked: a disk that goes meanwhile is away at the next look.
        let mounted = self.watches.table();
        let means = Means {
            documents: &self.documents,
            max_file_bytes: self.max_file_bytes,
            watching: &watching,
            mounted: mounted.as_deref(),
            stop,
        };
        let look = refresh::refresh(target, &place, asked, &means)?;
        if let Watching::Begun(watch) = watching {
            self.watches.keep((target, &place), watch, &look);
        }
        if !look.marker.registered {
            self.forget_visited();
        }
        Ok((look.marker, look.refreshed))
    }

    /// Whether a root can still be searched after its refresh failed with this code.
    fn leaves_usable(&self, root: &str, code: Code) -> bool {
        let passing = [Code::LibraryBusy, Code::PermissionDenied, Code::DiskFull, Code::StoreUnavailable];
        (passing.contains(&code) || kept::absence(Path::new(root)).is_some())
            && Place::of(&self.dir, root)
                .marker()
                .is_ok_and(|marker| marker.is_some_and(|marker| marker.indexed_ms > 0))
    }

    /// Removes the indexes of roots that were only visited, but for the last ones. One in use is left alone.
    fn forget_visited(&self) {
        let Ok(Known { markers: mut visited, unreadable: _ }) = self.known() else { return };
        visited.retain(|marker| !marker.registered);
        sort_by_key(&mut visited, |marker| std::cmp::Reverse(marker.indexed_ms));
        for marker in visited.iter().skip(limits::LIBRARY_VISITED) {
            let place = Place::of(&self.dir, &marker.path);
            let Ok(_lock) = WriteLock::take(place.lock(), Duration::ZERO, &|| false) else { continue };
            self.opened().remove(&marker.path);
            if let Err(error) = place.remove() {
                log::warn(format_args!("the old index of `{}` stays: {error}", marker.path));
            }
        }
    }

    /// The roots a call is about, without those of which another one reads all.
    fn named(&self, roots: &[String]) -> Result<Vec<String>> {
        let known = self.known()?.markers;
        let mut names = if roots.is_empty() {
            known.iter().filter(|marker| marker.registered).map(|marker| marker.path.clone()).collect()
        } else {
            canonical(roots)
        };
        let meant: Vec<Marker> = known.into_iter().filter(|marker| names.contains(&marker.path)).collect();
        let is_covered = |name: &String| {
            let marker = meant.iter().find(|marker| marker.path == *name);
            marker.is_some_and(|marker| nested::covering(marker, &meant).is_some())
        };
        names.retain(|name| !is_covered(name));
        Ok(names)
    }

    /// The index of a root, opened once.
    fn open(&self, root: &str) -> Result<Option<Arc<Opened>>, Fault> {
        let dir = Place::of(&self.dir, root).index();
        if let Some(opened) = self.opened().get(root).filter(|opened| !opened.is_stale(&dir)) {
            return Ok(Some(Arc::clone(opened)));
        }
        let Some(opened) = Opened::open(&dir)?.map(Arc::new) else { return Ok(None) };
        let mut open = self.opened();
        if open.len() >= limits::LIBRARY_OPEN && !open.contains_key(root) {
            open.pop_first();
        }
        open.insert(root.to_owned(), Arc::clone(&opened));
        Ok(Some(opened))
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Opened>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Roots that a call names, each once, by their canonical names as far as they are on disk.
fn canonical(roots: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for root in roots {
        // One that is not there is known by where it was.
        let canonical = std::fs::canonicalize(root).or_else(|_gone| std::path::absolute(root));
        let canonical = canonical.ok().and_then(|path| path.to_str().map(str::to_owned));
        let name = canonical.unwrap_or_else(|| root.clone());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What is told of files that are not read: an answer is not made of them.
fn left_out(root: &str, skipped: &SkippedFiles) -> Option<Problem> {
    let told = skipped.told();
    let error = Error::new(Code::LibraryUnreadable, told.to_string());
    let error =
        if told.has_hidden() { error.hint("`hadal library add DIR --hidden` reads hidden files") } else { error };
    (!told.is_empty()).then(|| Problem { subject: root.to_owned(), error })
}

fn not_indexed(root: String) -> Problem {
    let error = Error::new(Code::LibraryNotFound, format!("`{root}` has not been indexed"))
        .hint(format!("run `hadal library add {root}`"));
    Problem { subject: root, error }
}
