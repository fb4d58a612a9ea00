//! Bringing one index up to date: only what changed is read, only what changed is written.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::fault::Fault;
use super::file;
use super::index::{Opened, Refusal, Row};
use super::lock::{WriteLock, cancelled};
use super::roots::{Choice, Marker, Place, Target};
use super::scan::{Scanned, Seen, problem, scan};
use super::writer::{Entry, Writer};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::task::outcome::Refreshed;
use crate::core::text::Document;
use crate::core::text::format::{NameSays, WITHOUT_EXTENSION};
use crate::world::documents::Documents;
use crate::world::{clock, log};

/// What is asked of a run.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// The user adds the root: it is registered, with what is to be read of it where that is said, and it may be empty now.
    Add(Option<Choice>),
    /// It stays what it is.
    Keep,
}

/// What a run needs beside its root.
pub(super) struct Means<'a> {
    pub(super) documents: &'a Documents,
    pub(super) max_file_bytes: u64,
    pub(super) stop: &'a dyn Fn() -> bool,
}

/// Indexes a root. Holds its lock from the first look to the last write.
pub(super) fn refresh(target: &Target, place: &Place, asked: Asked, means: &Means<'_>) -> Result<(Marker, Refreshed)> {
    place.create()?;
    let _lock = WriteLock::take(place.lock(), limits::LIBRARY_BUSY, means.stop)?;
    let known = place.marker();
    let usable = known.as_ref().is_some_and(Marker::is_current);
    let mut marker = known.map_or_else(|| Marker::new(&target.text), Marker::made_current);
    let mut may_be_empty = false;
    if let Asked::Add(choice) = asked {
        marker.registered = true;
        marker.choice = choice.unwrap_or(marker.choice);
        may_be_empty = true;
    }
    let Scanned { seen, problems: unseen, skipped } = scan(target, &marker.choice, means.stop)?;
    if !may_be_empty && marker.files > 0 && seen.is_empty() && skipped.is_empty() && unseen.is_empty() {
        return Err(emptied(target, marker.files));
    }
    if !usable {
        place.wipe_index()?;
    }
    // Known before it is indexed: an interrupted run is taken up by the next one.
    place.write_marker(&marker)?;
    let mut again = None;
    loop {
        let report = Refreshed { skipped: skipped.clone(), ..Refreshed::default() };
        let run = Run { target, place, means, writer: None, waiting: 0, report };
        match run.complete(&seen) {
            Ok((rows, mut report)) => {
                let read = rows.values().filter(|row| row.refused.is_none());
                marker.files = u64::try_from(read.clone().count()).unwrap_or(u64::MAX);
                marker.passages = read.map(|row| u64::from(row.passages)).sum();
                marker.indexed_ms = clock::now_ms();
                marker.skipped.clone_from(&report.skipped);
                place.write_marker(&marker)?;
                report.problems.splice(0..0, again.into_iter().chain(unseen));
                return Ok((marker, report));
            }
            Err(Fault::Other(error)) => return Err(error),
            Err(Fault::Damaged(what)) if again.is_none() => {
                let message = format!("the index of `{}` was damaged and has been built again ({what})", target.text);
                log::warn(&message);
                again = Some(problem(&target.path, Error::new(Code::IndexDamaged, message)));
                place.wipe_index()?;
            }
            Err(Fault::Damaged(what)) => {
                let message = format!("the index of `{}` cannot be built: {what}", target.text);
                return Err(
                    Error::new(Code::IndexDamaged, message).hint("check the disk that holds the data directory")
                );
            }
        }
    }
}

/// A folder that had documents and has nothing at all any more is most often a disk that is not mounted: what was indexed is kept.
fn emptied(target: &Target, files: u64) -> Error {
    let message = format!("`{}` is empty now, and {files} files of it were indexed; the index is kept", target.text);
    Error::new(Code::LibraryUnreadable, message)
        .hint("if it is a mount point, mount what belongs there")
        .hint(format!("if it is meant to be empty, run `hadal library add {}`", target.text))
}

/// Keeps the list of problems short; the count of the others is the last one.
pub(super) fn bounded(mut problems: Vec<Problem>) -> Vec<Problem> {
    let more = problems.len().saturating_sub(limits::LIBRARY_PROBLEMS);
    if more > 0 {
        problems.truncate(limits::LIBRARY_PROBLEMS);
        let error = Error::new(Code::LibraryUnreadable, format!("{more} more files or folders could not be read"));
        problems.push(Problem { subject: "library".to_owned(), error });
    }
    problems
}

/// One pass over the files that were seen.
struct Run<'a> {
    target: &'a Target,
    place: &'a Place,
    means: &'a Means<'a>,
    /// Made when there is something to write: a look at an unchanged library writes nothing.
    writer: Option<Writer>,
    /// Bytes written since the last commit.
    waiting: usize,
    report: Refreshed,
}

/// A file that may have changed, and what the index holds of it.
struct Work<'a> {
    file: &'a Seen,
    row: Option<Row>,
}

/// What was read of a file.
enum Read {
    /// The content is the same; the row may be new.
    Same(Row),
    /// Nothing of it can be indexed, now or later.
    Refused(Row),
    Changed(Box<Changed>),
}

struct Changed {
    row: Row,
    title: String,
    page: PageHash,
    document: Document,
}

impl Run<'_> {
    fn complete(mut self, seen: &[Seen]) -> Result<(BTreeMap<String, Row>, Refreshed), Fault> {
        let dir = self.place.index();
        let opened = match Opened::open(&dir)? {
            Some(opened) => opened,
            None => {
                // Left over from a creation that did not end.
                self.place.wipe_index()?;
                Opened::create(&dir)?
            }
        };
        let mut known = opened.manifest()?;
        let mut rows = BTreeMap::new();
        let mut work = Vec::new();
        for file in seen {
            match known.remove(&file.path) {
                Some(row) if row.size == file.stat.size && row.mtime_ns == Some(file.stat.mtime_ns) => {
                    self.count_unchanged(file, &row);
                    rows.insert(row.path.clone(), row);
                }
                row => work.push(Work { file, row }),
            }
        }
        self.take_in(&opened, &work, &mut rows)?;
        for gone in known.keys() {
            self.writer(&opened)?.remove(gone)?;
            self.report.removed += 1;
        }
        if let Some(writer) = self.writer {
            writer.finish()?;
        }
        Ok((rows, self.report))
    }

    /// Reads files and puts them into the index. Other threads read ahead while this one writes.
    fn take_in(&mut self, opened: &Opened, work: &[Work<'_>], rows: &mut BTreeMap<String, Row>) -> Result<(), Fault> {
        if work.is_empty() {
            return Ok(());
        }
        let (documents, max_file_bytes) = (self.means.documents, self.means.max_file_bytes);
        let stopped = CancellationToken::new();
        // Whatever ends this run ends the reading of what nobody takes any more.
        let _at_end = stopped.clone().drop_guard();
        thread::scope(|scope| {
            let stopped = &stopped;
            let readers: Vec<_> = (0..limits::LIBRARY_READERS)
                .map(|first| {
                    let (sender, receiver) = mpsc::sync_channel(limits::LIBRARY_READ_AHEAD);
                    scope.spawn(move || {
                        for work in work.iter().skip(first).step_by(limits::LIBRARY_READERS) {
                            // It ends when nobody takes what it reads.
                            if sender.send(read(work, documents, max_file_bytes, stopped)).is_err() {
                                return;
                            }
                        }
                    });
                    receiver
                })
                .collect();
            let taken = self.take_all(opened, work, rows, &readers);
            if taken.is_err() {
                stopped.cancel();
            }
            taken
        })
    }

    /// Takes what the readers read, in the order of the files.
    fn take_all(
        &mut self,
        opened: &Opened,
        work: &[Work<'_>],
        rows: &mut BTreeMap<String, Row>,
        readers: &[mpsc::Receiver<Result<Read>>],
    ) -> Result<(), Fault> {
        for (work, reader) in work.iter().zip(readers.iter().cycle()) {
            let read = loop {
                if (self.means.stop)() {
                    return Err(cancelled().into());
                }
                match reader.recv_timeout(limits::LIBRARY_STOP_POLL) {
                    Ok(read) => break read,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    // The reading thread has panicked, which the end of the scope passes on.
                    Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
                }
            };
            match read {
                Ok(read) => {
                    let row = self.take(opened, work, read)?;
                    rows.insert(row.path.clone(), row);
                }
                Err(error) => self.refuse(work, error, opened)?,
            }
        }
        Ok(())
    }

    /// A file that is as it was; one that was refused is refused again, without being read.
    fn count_unchanged(&mut self, file: &Seen, row: &Row) {
        match &row.refused {
            None => self.report.unchanged += 1,
            Some(Refusal::Skipped(kind)) => self.report.skipped.count(kind),
            Some(Refusal::Failed(error)) => self.report.problems.push(problem(&file.full, error.clone())),
        }
    }

    fn take(&mut self, opened: &Opened, work: &Work<'_>, read: Read) -> Result<Row, Fault> {
        let changed = match read {
            Read::Same(row) => {
                self.count_unchanged(work.file, &row);
                if work.row.as_ref() != Some(&row) {
                    self.writer(opened)?.put_row(&row)?;
                }
                return Ok(row);
            }
            Read::Refused(row) => {
                self.count_unchanged(work.file, &row);
                self.writer(opened)?.put_refused(&row)?;
                self.report.removed += u32::from(work.row.as_ref().is_some_and(|row| row.refused.is_none()));
                return Ok(row);
            }
            Read::Changed(changed) => *changed,
        };
        let Changed { row, title, page, document } = changed;
        if !document.left_out.is_empty() {
            let full = &work.file.full;
            let parts: Vec<String> = document.left_out.iter().map(ToString::to_string).collect();
            let what = format!("`{}` is indexed without {}", full.display(), parts.join(" and "));
            let error = Error::new(Code::LibraryUnreadable, what).hint("split the file");
            self.report.problems.push(problem(full, error));
        }
        self.writer(opened)?.put(&Entry { row: row.clone(), title, page, document: &document })?;
        *(if work.row.as_ref().is_none_or(|row| row.refused.is_some()) {
            &mut self.report.added
        } else {
            &mut self.report.changed
        }) += 1;
        self.waiting = self.waiting.saturating_add(usize::try_from(row.size).unwrap_or(usize::MAX));
        self.commit_if_due()?;
        Ok(row)
    }

    /// A file that cannot be indexed now is not in the index: what is found there can be read and cited.
    fn refuse(&mut self, work: &Work<'_>, error: Error, opened: &Opened) -> Result<(), Fault> {
        match error.code {
            Code::LibraryUnreadable | Code::LibraryNotFound | Code::Internal | Code::Timeout | Code::ExecutionError => {
            }
            // Not about this file.
            _ => return Err(error.into()),
        }
        if work.row.is_some() {
            self.writer(opened)?.remove(&work.file.path)?;
            self.report.removed += 1;
        }
        self.report.problems.push(problem(&work.file.full, error));
        Ok(())
    }

    fn writer(&mut self, opened: &Opened) -> Result<&mut Writer, Fault> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => opened.writer()?,
        };
        Ok(self.writer.insert(writer))
    }

    fn commit_if_due(&mut self) -> Result<(), Fault> {
        if self.waiting >= limits::LIBRARY_COMMIT_BYTES {
            self.waiting = 0;
            if let Some(writer) = &mut self.writer {
                log::info(format_args!("indexing `{}`: {} files so far", self.target.text, self.report.added));
                writer.commit()?;
            }
        }
        Ok(())
    }
}

/// Reads a file, and its document if the content is new.
fn read(work: &Work<'_>, documents: &Documents, max_file_bytes: u64, stopped: &CancellationToken) -> Result<Read> {
    let Work { file: seen, row } = work;
    file::check_size(&seen.full, seen.stat.size, max_file_bytes)?;
    let (bytes, stat) = file::read(&seen.full, max_file_bytes)?;
    let content = file::hash(&bytes);
    let mtime_ns = Some(stat.mtime_ns).filter(|mtime| !is_racy(*mtime));
    let new = |content, passages, refused| Row {
        path: seen.path.clone(),
        size: stat.size,
        mtime_ns,
        content,
        passages,
        refused,
    };
    if let Some(row) = row.as_ref().filter(|row| row.content == content) {
        return Ok(Read::Same(new(content, row.passages, row.refused.clone())));
    }
    let document = match file::extract(documents, &seen.full, bytes, stopped) {
        Ok(document) => document,
        Err(error) if error.code == Code::Cancelled => return Err(cancelled()),
        // The machine failed and not the file: it is read again at the next look.
        Err(error) if [Code::Timeout, Code::ExecutionError].contains(&error.code) => return Err(error),
        Err(error) => {
            // A file whose name says nothing and whose bytes are no text was never a document.
            let skipped = file::kind_of(&seen.full) == NameSays::Nothing && error.code == Code::LibraryUnreadable;
            let kind = || Refusal::Skipped(WITHOUT_EXTENSION.to_owned());
            let refused = if skipped { kind() } else { Refusal::Failed(error) };
            return Ok(Read::Refused(new(content, 0, Some(refused))));
        }
    };
    let row = new(content, u32::try_from(document.passages.len()).unwrap_or(u32::MAX), None);
    let page = file::page_hash(&document.text);
    let title = file::title(&document, &seen.full);
    Ok(Read::Changed(Box::new(Changed { row, title, page, document })))
}

/// Whether a file's time is too close to now for the next change to show in it.
fn is_racy(mtime_ns: i64) -> bool {
    let age_ms = clock::now_ms().saturating_sub(mtime_ns / 1_000_000);
    u64::try_from(age_ms).is_ok_and(|age| Duration::from_millis(age) < limits::LIBRARY_RACY)
}
