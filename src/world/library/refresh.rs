//! Bringing one index up to date: only what changed is read, only what changed is written.

use std::collections::BTreeMap;
use std::time::Duration;

use super::fault::Fault;
use super::file;
use super::index::{Entry, Opened, Row, Writer};
use super::lock::{WriteLock, cancelled};
use super::roots::{Marker, Place, Target};
use super::scan::{Seen, problem, scan};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::task::outcome::Refreshed;
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
    /// Made when there is something to write: a look at an unchanged library starts no thread.
    writer: Option<Writer>,
    /// Bytes written since the last commit.
    waiting: usize,
    report: Refreshed,
}

/// What became of a file.
enum Looked {
    Unchanged,
    /// The content is the same; only the row is new.
    Touched(Row),
    /// It was read and is in the index.
    Put(Row),
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
        for file in seen {
            if (self.stop)() {
                return Err(cancelled().into());
            }
            let row = known.remove(&file.path);
            let looked = self.look(&opened, file, row.as_ref());
            let added = row.is_none();
            match looked {
                Ok(Looked::Unchanged) => self.report.unchanged += 1,
                Ok(Looked::Touched(row)) => {
                    self.report.unchanged += 1;
                    self.writer(&opened)?.put_row(&row)?;
                    rows.insert(file.path.clone(), row);
                    continue;
                }
                Ok(Looked::Put(row)) => {
                    *(if added { &mut self.report.added } else { &mut self.report.changed }) += 1;
                    rows.insert(file.path.clone(), row);
                    self.commit_if_due()?;
                    continue;
                }
                Err(Fault::Damaged(what)) => return Err(Fault::Damaged(what)),
                Err(Fault::Other(error)) => {
                    self.refuse(file, row.is_some(), error, &opened)?;
                    continue;
                }
            }
            rows.extend(row.map(|row| (file.path.clone(), row)));
        }
        for gone in known.keys() {
            self.writer(&opened)?.remove(gone);
            self.report.removed += 1;
        }
        if let Some(writer) = self.writer {
            writer.finish()?;
        }
        Ok((rows, self.report))
    }

    fn look(&mut self, opened: &Opened, seen: &Seen, row: Option<&Row>) -> Result<Looked, Fault> {
        let trusted = |row: &&Row| row.size == seen.stat.size && row.mtime_ns == Some(seen.stat.mtime_ns);
        if row.is_some_and(|row| trusted(&row)) {
            return Ok(Looked::Unchanged);
        }
        file::check_size(&seen.full, seen.stat.size, self.max_file_bytes)?;
        let (bytes, stat) = file::read(&seen.full, self.max_file_bytes)?;
        let size = bytes.len();
        let content = file::hash(&bytes);
        let mtime_ns = Some(stat.mtime_ns).filter(|mtime| !is_racy(*mtime));
        let new =
            |passages| Row { path: seen.path.clone(), size: stat.size, mtime_ns, content: content.clone(), passages };
        if let Some(row) = row.filter(|row| row.content == content) {
            let touched = new(row.passages);
            return Ok(if touched == *row { Looked::Unchanged } else { Looked::Touched(touched) });
        }
        let document = file::extract(&seen.full, seen.format, bytes)?;
        if document.truncated {
            let what = format!("`{}` is indexed up to passage {}", seen.full.display(), limits::PASSAGES_PER_FILE);
            let error = Error::new(Code::LibraryUnreadable, what).hint("split the file");
            self.report.problems.push(problem(&seen.full, error));
        }
        let row = new(u32::try_from(document.passages.len()).unwrap_or(u32::MAX));
        let page = file::page_hash(&document.text);
        let title = file::title(&document, &seen.full);
        self.writer(opened)?.put(&Entry { row: row.clone(), title, page, document: &document })?;
        self.waiting += size;
        Ok(Looked::Put(row))
    }

    /// A file that cannot be indexed now is not in the index: what is found there can be read and cited.
    fn refuse(&mut self, seen: &Seen, indexed: bool, error: Error, opened: &Opened) -> Result<(), Fault> {
        match error.code {
            Code::LibraryUnreadable | Code::LibraryNotFound | Code::Internal => {}
            // Not about this file.
            _ => return Err(error.into()),
        }
        if indexed {
            self.writer(opened)?.remove(&seen.path);
            self.report.removed += 1;
        }
        self.report.problems.push(problem(&seen.full, error));
        Ok(())
    }

    fn writer(&mut self, opened: &Opened) -> Result<&Writer, Fault> {
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

/// Whether a file's time is too close to now for the next change to show in it.
fn is_racy(mtime_ns: i64) -> bool {
    let age_ms = clock::now_ms().saturating_sub(mtime_ns / 1_000_000);
    u64::try_from(age_ms).is_ok_and(|age| Duration::from_millis(age) < limits::LIBRARY_RACY)
}
