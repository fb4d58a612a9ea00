//! Bringing one index up to date: only what changed is read, only what changed is written.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::fault::Fault;
use super::file;
use super::index::{Opened, Row};
use super::lock::{WriteLock, cancelled};
use super::roots::{Marker, Place, Target};
use super::scan::{Seen, problem, scan};
use super::writer::{Entry, Writer};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::task::outcome::Refreshed;
use crate::core::text::Document;
use crate::world::{clock, log};

/// Whether the root is registered by this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Yes,
    /// It stays what it is.
    Keep,
}

/// Indexes a root. Holds its lock from the first look to the last write.
pub(super) fn refresh(
    target: &Target,
    place: &Place,
    register: Register,
    max_file_bytes: u64,
    stop: &dyn Fn() -> bool,
) -> Result<(Marker, Refreshed)> {
    place.create()?;
    let _lock = WriteLock::take(place.lock(), limits::LIBRARY_BUSY, stop)?;
    let known = place.marker();
    let usable = known.as_ref().is_some_and(Marker::is_current);
    let mut marker = known.map_or_else(|| Marker::new(&target.text), Marker::made_current);
    marker.registered |= register == Register::Yes;
    if !usable {
        place.wipe_index()?;
    }
    // Known before it is indexed: an interrupted run is taken up by the next one.
    place.write_marker(&marker)?;
    let (seen, unseen) = scan(target, stop)?;
    let mut again = None;
    loop {
        let run = Run { target, place, max_file_bytes, stop, writer: None, waiting: 0, report: Refreshed::default() };
        match run.complete(&seen) {
            Ok((rows, mut report)) => {
                marker.files = u64::try_from(rows.len()).unwrap_or(u64::MAX);
                marker.passages = rows.values().map(|row| u64::from(row.passages)).sum();
                marker.indexed_ms = clock::now_ms();
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
    max_file_bytes: u64,
    stop: &'a dyn Fn() -> bool,
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
                    self.report.unchanged += 1;
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

    /// Reads files and puts them into the index. A second thread reads ahead while this one writes.
    fn take_in(&mut self, opened: &Opened, work: &[Work<'_>], rows: &mut BTreeMap<String, Row>) -> Result<(), Fault> {
        if work.is_empty() {
            return Ok(());
        }
        let max_file_bytes = self.max_file_bytes;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(limits::LIBRARY_READ_AHEAD);
            scope.spawn(move || {
                // It ends when nobody takes what it reads.
                let _ = work.iter().try_for_each(|work| sender.send(read(work, max_file_bytes)));
            });
            for work in work {
                if (self.stop)() {
                    return Err(cancelled().into());
                }
                match receiver.recv() {
                    Ok(Ok(read)) => {
                        let row = self.take(opened, work, read)?;
                        rows.insert(row.path.clone(), row);
                    }
                    Ok(Err(error)) => self.refuse(work, error, opened)?,
                    // The reading thread has panicked, which the end of the scope passes on.
                    Err(mpsc::RecvError) => break,
                }
            }
            Ok(())
        })
    }

    fn take(&mut self, opened: &Opened, work: &Work<'_>, read: Read) -> Result<Row, Fault> {
        let changed = match read {
            Read::Same(row) => {
                self.report.unchanged += 1;
                if work.row.as_ref() != Some(&row) {
                    self.writer(opened)?.put_row(&row)?;
                }
                return Ok(row);
            }
            Read::Changed(changed) => *changed,
        };
        let Changed { row, title, page, document } = changed;
        if document.truncated {
            let full = &work.file.full;
            let what = format!("`{}` is indexed up to passage {}", full.display(), limits::PASSAGES_PER_FILE);
            let error = Error::new(Code::LibraryUnreadable, what).hint("split the file");
            self.report.problems.push(problem(full, error));
        }
        self.writer(opened)?.put(&Entry { row: row.clone(), title, page, document: &document })?;
        *(if work.row.is_none() { &mut self.report.added } else { &mut self.report.changed }) += 1;
        self.waiting = self.waiting.saturating_add(usize::try_from(row.size).unwrap_or(usize::MAX));
        self.commit_if_due()?;
        Ok(row)
    }

    /// A file that cannot be indexed now is not in the index: what is found there can be read and cited.
    fn refuse(&mut self, work: &Work<'_>, error: Error, opened: &Opened) -> Result<(), Fault> {
        match error.code {
            Code::LibraryUnreadable | Code::LibraryNotFound | Code::Internal => {}
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
fn read(work: &Work<'_>, max_file_bytes: u64) -> Result<Read> {
    let Work { file: seen, row } = work;
    file::check_size(&seen.full, seen.stat.size, max_file_bytes)?;
    let (bytes, stat) = file::read(&seen.full, max_file_bytes)?;
    let content = file::hash(&bytes);
    let mtime_ns = Some(stat.mtime_ns).filter(|mtime| !is_racy(*mtime));
    let new = |content, passages| Row { path: seen.path.clone(), size: stat.size, mtime_ns, content, passages };
    if let Some(row) = row.as_ref().filter(|row| row.content == content) {
        return Ok(Read::Same(new(content, row.passages)));
    }
    let document = file::extract(&seen.full, seen.format, bytes)?;
    let row = new(content, u32::try_from(document.passages.len()).unwrap_or(u32::MAX));
    let page = file::page_hash(&document.text);
    let title = file::title(&document, &seen.full);
    Ok(Read::Changed(Box::new(Changed { row, title, page, document })))
}

/// Whether a file's time is too close to now for the next change to show in it.
fn is_racy(mtime_ns: i64) -> bool {
    let age_ms = clock::now_ms().saturating_sub(mtime_ns / 1_000_000);
    u64::try_from(age_ms).is_ok_and(|age| Duration::from_millis(age) < limits::LIBRARY_RACY)
}
