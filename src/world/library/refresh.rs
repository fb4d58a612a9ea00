//! Bringing one index up to date: only what changed is read, only what changed is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use tokio_util::sync::CancellationToken;

use super::disks::{self, Disks};
use super::fault::Fault;
use super::file::Stat;
use super::index::{Inside, Opened, Refusal, Row};
use super::kept::absence;
use super::lock::{WriteLock, cancelled};
use super::read::{Changed, Read, Reading, Taken, Work, read};
use super::roots::{Choice, Marker, Place, Target, remove_dir};
use super::scan::{Scanned, Seen, problem, scan};
use super::unpack::{self, Inner};
use super::watch::Watching;
use super::writer::{Entry, Writer};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::task::commits::Commits;
use crate::core::task::outcome::Refreshed;
use crate::core::text::LeftOut;
use crate::core::text::archive::{self, INSIDE};
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
    pub(super) watching: &'a Watching,
    /// What is mounted, where the system tells it.
    pub(super) mounted: Option<&'a [u8]>,
    pub(super) stop: &'a dyn Fn() -> bool,
}

/// What a run found.
pub(super) struct Look {
    pub(super) marker: Marker,
    pub(super) refreshed: Refreshed,
    /// The files that have other names, as they were listed.
    pub(super) linked: Vec<(PathBuf, Stat)>,
}

/// Indexes a root. Holds its lock from the first look to the last write.
pub(super) fn refresh(target: &Target, place: &Place, asked: Asked, means: &Means<'_>) -> Result<Look> {
    place.create()?;
    let _lock = WriteLock::take(place.lock(), limits::LIBRARY_BUSY, means.stop)?;
    // It may have been taken away while this run waited.
    place.create()?;
    let known = known(place, &asked)?;
    if known.is_none() {
        // Nobody knows what an index without a marker was made of.
        place.wipe_index()?;
    }
    let site = place.site(known.as_ref());
    let mut marker = known.unwrap_or_else(|| Marker::new(&target.text));
    let mut may_be_empty = false;
    if let Asked::Add(choice) = asked {
        marker.registered = true;
        marker.choice = choice.unwrap_or_default().or(marker.choice);
        may_be_empty = true;
        marker.disks.clear();
        // Known before it is walked: a question that comes meanwhile is one to these documents.
        place.write_marker(&marker)?;
    }
    let Scanned { seen, problems: unseen, skipped } = scan(target, &marker.choice, means.stop)?;
    if !may_be_empty && marker.files > 0 && seen.is_empty() && unseen.is_empty() && absence(&target.path).is_some() {
        return Err(emptied(target, marker.files));
    }
    // Known before it is indexed: an interrupted run is taken up by the next one, and told until then.
    let disks = Disks::of(target, &seen, &marker, means.mounted);
    marker.disks = disks.all();
    marker.updating = true;
    place.write_marker(&marker)?;
    let (choice, mut again) = (marker.choice.clone(), None);
    loop {
        let report = Refreshed { skipped: skipped.clone(), ..Refreshed::default() };
        let run = Run {
            target,
            dir: &site.dir,
            means,
            choice: &choice,
            away: &disks.away,
            writer: None,
            commits: Commits::default(),
            report,
        };
        match run.complete(&seen) {
            Ok((rows, mut report)) => {
                report.unread += u64::try_from(unseen.len()).unwrap_or(u64::MAX);
                tell(&mut marker, &rows, &report);
                marker.note(means.watching);
                place.finish(&site)?;
                marker = marker.made_current();
                place.write_marker(&marker)?;
                report.problems.splice(0..0, again.into_iter().chain(unseen));
                let linked = seen.iter().filter(|seen| seen.stat.is_linked);
                let linked = linked.map(|seen| (seen.full.clone(), seen.stat));
                return Ok(Look { marker, refreshed: report, linked: linked.collect() });
            }
            Err(Fault::Other(error)) => return Err(error),
            Err(Fault::Damaged(what)) if again.is_none() => {
                again = Some(built_again(target, &what));
                remove_dir(&site.dir)?;
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

/// What is told of an index that was damaged and is built anew.
fn built_again(target: &Target, what: &str) -> Problem {
    let message = format!("the index of `{}` was damaged and has been built again ({what})", target.text);
    log::warn(&message);
    problem(&target.path, Error::new(Code::IndexDamaged, message))
}

/// What a marker says of a run that is complete.
fn tell(marker: &mut Marker, rows: &Rows, report: &Refreshed) {
    let read = rows.values().filter(|row| row.refused.is_none());
    marker.files = u64::try_from(read.clone().count()).unwrap_or(u64::MAX);
    marker.passages = read.map(|row| u64::from(row.passages)).sum();
    marker.indexed_ms = clock::now_ms();
    marker.skipped.clone_from(&report.skipped);
    marker.unread = report.unread;
    marker.updating = false;
}

/// What is known of a root that is looked at.
fn known(place: &Place, asked: &Asked) -> Result<Option<Marker>> {
    match (place.marker(), asked) {
        // Who adds a root says anew what is to be read of it.
        (Err(_), Asked::Add(_)) => Ok(None),
        // Nobody knows what its user has left out of it.
        (marker, Asked::Keep | Asked::Add(_)) => marker,
    }
}

/// A folder that had documents and has nothing at all any more is most often a disk that is not mounted: what was indexed is kept.
fn emptied(target: &Target, files: u64) -> Error {
    let were = if files == 1 { "1 file of it was".to_owned() } else { format!("{files} files of it were") };
    let message = format!("`{}` is empty now, and {were} indexed; the index is kept", target.text);
    Error::new(Code::LibraryUnreadable, message)
        .hint("if it is a mount point, mount what belongs there")
        .hint(format!("if it is meant to be empty, run `hadal library add {}`", target.text))
}

/// The files of an index, by path.
type Rows = BTreeMap<String, Row>;

/// One pass over the files that were seen.
struct Run<'a> {
    target: &'a Target,
    /// Where the index is.
    dir: &'a Path,
    means: &'a Means<'a>,
    choice: &'a Choice,
    /// Disks in it that are not mounted.
    away: &'a [String],
    /// Made when there is something to write: a look at an unchanged library writes nothing.
    writer: Option<Writer>,
    commits: Commits,
    report: Refreshed,
}

impl Run<'_> {
    fn complete(mut self, seen: &[Seen]) -> Result<(Rows, Refreshed), Fault> {
        let opened = match Opened::open(self.dir)? {
            Some(opened) => opened,
            None => {
                // Left over from a creation that did not end.
                remove_dir(self.dir)?;
                Opened::create(self.dir)?
            }
        };
        let mut known = opened.manifest()?;
        let mut rows = Rows::new();
        let mut work = Vec::new();
        for file in seen {
            let inner = match unpack::kind_of(&file.full) {
                Some(_) => unpack::inner_rows(&mut known, &file.path),
                None => Rows::new(),
            };
            match known.remove(&file.path) {
                Some(row)
                    if row.size == file.stat.size
                        && row.changed_ns == Some(file.stat.changed_ns)
                        && row.is_read_by(self.choice) =>
                {
                    for row in std::iter::once(row).chain(inner.into_values()) {
                        self.count_unchanged(&file.full, &row);
                        rows.insert(row.path.clone(), row);
                    }
                }
                row => work.push(Work { file, row, inner }),
            }
        }
        self.take_in(&opened, &work, &mut rows)?;
        for disk in self.away {
            let kept: Rows = known.extract_if(.., |path, _| disks::is_on(disk, path)).collect();
            let files = kept.values().filter(|row| row.refused.is_none()).count();
            self.report.problems.push(disks::away(self.target, disk, files));
            for (path, row) in kept {
                self.count_unchanged(&self.target.path.join(&path), &row);
                rows.insert(path, row);
            }
        }
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
    fn take_in(&mut self, opened: &Opened, work: &[Work<'_>], rows: &mut Rows) -> Result<(), Fault> {
        if work.is_empty() {
            return Ok(());
        }
        let (documents, max_file_bytes) = (&self.means.documents.for_many(), self.means.max_file_bytes);
        let stopped = CancellationToken::new();
        let reading = Reading { documents, max_file_bytes, choice: self.choice, stopped: &stopped };
        // Whatever ends this run ends the reading of what nobody takes any more.
        let _at_end = stopped.clone().drop_guard();
        thread::scope(|scope| {
            let reading = &reading;
            let readers: Vec<_> = (0..limits::LIBRARY_READERS)
                .map(|first| {
                    let (sender, receiver) = mpsc::sync_channel(limits::LIBRARY_READ_AHEAD);
                    scope.spawn(move || {
                        for work in work.iter().skip(first).step_by(limits::LIBRARY_READERS) {
                            // It ends when nobody takes what it reads.
                            if sender.send(read(work, reading)).is_err() {
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
        rows: &mut Rows,
        readers: &[mpsc::Receiver<Result<Taken>>],
    ) -> Result<(), Fault> {
        for (work, reader) in work.iter().zip(readers.iter().cycle()) {
            let taken = loop {
                if (self.means.stop)() {
                    return Err(cancelled().into());
                }
                match reader.recv_timeout(limits::LIBRARY_STOP_POLL) {
                    Ok(taken) => break taken,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    // The reading thread has panicked, which the end of the scope passes on.
                    Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
                }
            };
            self.take(opened, work, taken, rows)?;
        }
        Ok(())
    }

    /// A file that is as it was; one that was refused is refused again, without being read.
    fn count_unchanged(&mut self, shown: &Path, row: &Row) {
        match &row.refused {
            None => {
                self.report.unchanged += 1;
                self.tell_left_out(shown, row);
            }
            Some(Refusal::Skipped(kind)) => self.report.skipped.count(kind),
            Some(Refusal::Failed(error)) => self.tell_unread(shown, error.clone()),
            Some(Refusal::Archive) => {}
        }
        self.tell_inside(shown, row);
    }

    /// Tells what was not read of the files in an archive or a mail.
    fn tell_inside(&mut self, shown: &Path, row: &Row) {
        if let Some(Inside { skipped, has_more, cut_off, choice: _ }) = &row.inside {
            self.report.skipped.add(skipped.clone());
            self.report.problems.extend(has_more.then(|| problem(shown, unpack::has_more(shown))));
            self.report.problems.extend(cut_off.then(|| problem(shown, unpack::cut_off(shown))));
        }
    }

    /// Takes a file in, and the files that are in it.
    fn take(&mut self, opened: &Opened, work: &Work<'_>, taken: Result<Taken>, rows: &mut Rows) -> Result<(), Fault> {
        let full = &work.file.full;
        let mut inner = work.inner.clone();
        let read = match taken {
            Ok(Taken { read, files }) => {
                for Inner { path, shown, read } in files {
                    let before = inner.remove(&path);
                    self.take_one(opened, (&shown, &path), before.as_ref(), read, rows)?;
                }
                if matches!(read, Read::Same(_)) {
                    for (path, row) in std::mem::take(&mut inner) {
                        self.count_unchanged(full, &row);
                        rows.insert(path, row);
                    }
                }
                Ok(read)
            }
            Err(error) => Err(error),
        };
        for gone in inner.into_values() {
            self.writer(opened)?.remove(&gone.path)?;
            self.report.removed += u32::from(gone.refused.is_none());
        }
        // The last of it: an archive that is written down as read is not looked at again.
        self.take_one(opened, (full, &work.file.path), work.row.as_ref(), read, rows)
    }

    fn take_one(
        &mut self,
        opened: &Opened,
        (shown, path): (&Path, &str),
        before: Option<&Row>,
        read: Result<Read>,
        rows: &mut Rows,
    ) -> Result<(), Fault> {
        let row = match read {
            Ok(Read::Same(row)) => {
                self.count_unchanged(shown, &row);
                if before != Some(&row) {
                    self.writer(opened)?.put_row(&row)?;
                }
                row
            }
            Ok(Read::Refused(row)) => {
                self.count_unchanged(shown, &row);
                self.writer(opened)?.put_refused(&row)?;
                self.report.removed += u32::from(before.is_some_and(|row| row.refused.is_none()));
                self.commit_if_due(&row)?;
                row
            }
            Ok(Read::Changed(changed)) => {
                let row = self.put(opened, shown, before, *changed)?;
                self.commit_if_due(&row)?;
                row
            }
            Err(error) => return self.refuse((shown, path), before, error, opened),
        };
        rows.insert(row.path.clone(), row);
        Ok(())
    }

    fn put(&mut self, opened: &Opened, shown: &Path, before: Option<&Row>, changed: Changed) -> Result<Row, Fault> {
        let Changed { row, title, page, document } = changed;
        self.tell_left_out(shown, &row);
        self.tell_inside(shown, &row);
        self.writer(opened)?.put(&Entry { row: row.clone(), title, page, document: &document })?;
        *(if before.is_none_or(|row| row.refused.is_some()) {
            &mut self.report.added
        } else {
            &mut self.report.changed
        }) += 1;
        Ok(row)
    }

    /// Tells what of a file is not in the index, at every look: an answer is not made of it.
    fn tell_left_out(&mut self, shown: &Path, row: &Row) {
        if !row.left_out.is_empty() {
            let parts: Vec<String> = row.left_out.iter().map(ToString::to_string).collect();
            // Of an archive that is as it was, only the archive is at hand.
            let name = archive::split(&row.path).map(|(_, name)| format!("{INSIDE}{name}")).unwrap_or_default();
            let archive = shown.display().to_string();
            let archive = archive.strip_suffix(name.as_str()).unwrap_or(&archive);
            let what = format!("`{archive}{name}` is indexed without {}", parts.join(" and "));
            let mut hints: Vec<&str> = row.left_out.iter().map(LeftOut::hint).collect();
            hints.dedup();
            let error = hints.into_iter().fold(Error::new(Code::LibraryUnreadable, what), Error::hint);
            self.report.problems.push(problem(shown, error));
        }
    }

    fn tell_unread(&mut self, shown: &Path, error: Error) {
        self.report.unread += 1;
        self.report.problems.push(problem(shown, error));
    }

    /// A file that cannot be indexed now is not in the index: what is found there can be read and cited.
    fn refuse(
        &mut self,
        (shown, path): (&Path, &str),
        before: Option<&Row>,
        error: Error,
        opened: &Opened,
    ) -> Result<(), Fault> {
        match error.code {
            Code::LibraryUnreadable | Code::LibraryChanged | Code::LibraryNotFound | Code::Internal => {}
            code if code.spares_file() => {}
            // Not about this file.
            _ => return Err(error.into()),
        }
        if before.is_some() {
            self.writer(opened)?.remove(path)?;
            self.report.removed += 1;
        }
        self.tell_unread(shown, error);
        Ok(())
    }

    fn writer(&mut self, opened: &Opened) -> Result<&mut Writer, Fault> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => opened.writer()?,
        };
        Ok(self.writer.insert(writer))
    }

    /// Writes down what was done so far, where enough was: a run that is killed keeps it.
    fn commit_if_due(&mut self, row: &Row) -> Result<(), Fault> {
        self.commits.count(row.size);
        if let Some(writer) = self.writer.as_mut().filter(|_| self.commits.is_due()) {
            self.commits.committed();
            log::info(format_args!("indexing `{}`: {} files so far", self.target.text, self.report.added));
            writer.commit()?;
        }
        Ok(())
    }
}
