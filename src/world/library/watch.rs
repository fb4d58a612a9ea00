//! Folders that are watched, so that a process which answers many questions does not walk them for each.
//!
//! The kernel keeps a list of what happened in each folder (inotify); nothing runs here meanwhile. A look at a root that was walked before and in which
//! nothing happened since is answered from what was found then. Watching begins with the second look of a process, so a single command pays nothing. What cannot
//! be watched is walked as before: a network disk, whose changes of other machines no kernel tells, and a folder beyond the watches that a user may have.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::index;
use super::roots::{Choice, Marker, Place, Target};
use super::scan::folders;
use crate::core::base::error::{Code, Result};
use crate::core::base::limits;
use crate::core::task::outcome::Refreshed;
use crate::world::{clock, log};

/// The roots that this process has looked at.
#[derive(Debug, Default)]
pub(super) struct Watches(Mutex<BTreeMap<String, Visit>>);

#[derive(Debug, Default)]
struct Visit {
    looks: u32,
    /// Looks until watching is tried again, and how many the next change costs: a folder that changes all the time is not worth it.
    rest: u32,
    next_rest: u32,
    /// That it cannot be watched was said.
    is_told: bool,
    watched: Option<Watched>,
}

/// A root in which nothing had happened at the last look.
#[derive(Debug)]
struct Watched {
    watch: Watch,
    marker: Marker,
    refreshed: Refreshed,
    since_ms: i64,
}

/// The folders of a root, watched.
#[derive(Debug)]
pub(super) struct Watch {
    events: OwnedFd,
    /// The device and the number of the root: another folder may have taken its place.
    root: (u64, u64),
}

impl Watches {
    /// What the last look found, if nothing happened since.
    pub(super) fn unchanged(&self, target: &Target, place: &Place) -> Option<(Marker, Refreshed)> {
        let mut visits = self.visits();
        let visit = visits.entry(target.text.clone()).or_default();
        let watched = visit.watched.take()?;
        let age = clock::now_ms().saturating_sub(watched.since_ms);
        let is_young = u128::try_from(age).is_ok_and(|age| age < limits::LIBRARY_WATCH_TRUST.as_millis());
        let is_ours = place.marker().is_some_and(|marker| marker.is_same_look(&watched.marker));
        if !(is_ours && index::file_of(&place.index()).is_some() && watched.watch.is_quiet(target)) {
            visit.rest = visit.next_rest;
            visit.next_rest = (visit.next_rest * 2 + 1).min(limits::LIBRARY_WATCH_REST);
            return None;
        }
        if !is_young {
            return None;
        }
        visit.next_rest = 0;
        let found = (watched.marker.clone(), watched.refreshed.clone());
        visit.watched = Some(watched);
        Some(found)
    }

    /// Watches a root from before its files are listed; nothing for the first look, or where it cannot be watched.
    pub(super) fn begin(&self, target: &Target, choice: &Choice, stop: &dyn Fn() -> bool) -> Result<Option<Watch>> {
        {
            let mut visits = self.visits();
            let visit = visits.entry(target.text.clone()).or_default();
            visit.looks = visit.looks.saturating_add(1);
            visit.rest = visit.rest.saturating_sub(1);
            if target.is_file() || visit.looks < 2 || visit.rest > 0 || visit.is_told {
                return Ok(None);
            }
        }
        let why = match Watch::new(target) {
            Ok(watch) => match watch.add_all(target, choice, stop)? {
                Ok(()) => return Ok(Some(watch)),
                Err(why) => why,
            },
            Err(why) => why,
        };
        log::info(format_args!("`{}` is walked for every question and not watched: {why}", target.text));
        self.visits().entry(target.text.clone()).or_default().is_told = true;
        Ok(None)
    }

    /// Keeps what a look found, for as long as nothing happens.
    pub(super) fn keep(&self, target: &Target, watch: Option<Watch>, marker: &Marker, refreshed: &Refreshed) {
        let passes = |code: Code| matches!(code, Code::Timeout | Code::ExecutionError);
        let Some(watch) = watch.filter(|_| !refreshed.problems.iter().any(|problem| passes(problem.error.code))) else {
            return;
        };
        let Refreshed { added, changed, removed: _, unchanged, problems, skipped } = refreshed.clone();
        let unchanged = unchanged.saturating_add(added).saturating_add(changed);
        let refreshed = Refreshed { unchanged, problems, skipped, ..Refreshed::default() };
        let mut visits = self.visits();
        let others = visits.iter().filter(|(root, visit)| **root != target.text && visit.watched.is_some()).count();
        if others < limits::LIBRARY_OPEN {
            let visit = visits.entry(target.text.clone()).or_default();
            visit.watched = Some(Watched { watch, marker: marker.clone(), refreshed, since_ms: clock::now_ms() });
        }
    }

    fn visits(&self) -> MutexGuard<'_, BTreeMap<String, Visit>> {
        let mut visits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Roots that were only visited come and go.
        while visits.len() > limits::LIBRARY_WATCH_ROOTS {
            visits.pop_first();
        }
        visits
    }
}

impl Watch {
    fn is_quiet(&self, target: &Target) -> bool {
        identity(&target.path) == Some(self.root) && kernel::has_no_event(&self.events)
    }

    fn new(target: &Target) -> Result<Self, String> {
        let root = identity(&target.path).ok_or("it cannot be looked at")?;
        let events = kernel::begin(&target.path)?;
        Ok(Self { events, root })
    }

    /// Watches every folder that is walked. What happens in one before it is watched is seen by the walk that follows.
    fn add_all(&self, target: &Target, choice: &Choice, stop: &dyn Fn() -> bool) -> Result<Result<(), String>> {
        let mut count = 0;
        let mut failed = None;
        folders(target, choice, stop, &mut |folder| {
            count += 1;
            failed = if count > limits::LIBRARY_WATCHED {
                Some(format!("it has more than {} folders", limits::LIBRARY_WATCHED))
            } else {
                kernel::add(&self.events, folder).err()
            };
            failed.is_none()
        })?;
        Ok(failed.map_or(Ok(()), Err))
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use rustix::io::Errno;

    /// File systems whose changes are made by others as well: NFS, SMB and CIFS, 9p, FUSE, AFS, Ceph, Coda, GFS2, OCFS2, VirtualBox.
    const SHARED: [u64; 12] = [
        0x6969,
        0x517b,
        0xfe53_4d42,
        0xff53_4d42,
        0x0102_1997,
        0x6573_5546,
        0x5346_414f,
        0x00c3_6400,
        0x7375_7245,
        0x0116_1970,
        0x7461_636f,
        0x786f_4256,
    ];

    pub(super) fn begin(root: &Path) -> Result<OwnedFd, String> {
        let about = rustix::fs::statfs(root).map_err(|error| error.to_string())?;
        // The type is a signed or an unsigned number, by machine.
        let kind = u64::try_from(i128::from(about.f_type) & 0xffff_ffff).unwrap_or_default();
        if SHARED.contains(&kind) {
            return Err("it lies on a disk that other machines may change".to_owned());
        }
        inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).map_err(no_more)
    }

    pub(super) fn add(events: &OwnedFd, folder: &Path) -> Result<(), String> {
        let changes = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MODIFY
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::ATTRIB
            | WatchFlags::MOVE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        match inotify::add_watch(events, folder, changes) {
            // One that has gone or is closed to us is a problem of the walk, and its return is an event of the folder above.
            Ok(_) | Err(Errno::NOENT | Errno::ACCESS | Errno::NOTDIR) => Ok(()),
            Err(error) => Err(no_more(error)),
        }
    }

    /// Whether nothing happened; an event that cannot be read is one.
    pub(super) fn has_no_event(events: &OwnedFd) -> bool {
        let mut buffer = [0_u8; 4_096];
        matches!(rustix::io::read(events, &mut buffer), Err(Errno::AGAIN))
    }

    fn no_more(error: Errno) -> String {
        match error {
            Errno::NOSPC => "there are no more watches (fs.inotify.max_user_watches)".to_owned(),
            Errno::MFILE => "there are no more watchers (fs.inotify.max_user_instances)".to_owned(),
            error => error.to_string(),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::os::fd::OwnedFd;
    use std::path::Path;

    pub(super) fn begin(_root: &Path) -> Result<OwnedFd, String> {
        Err("this system tells no changes".to_owned())
    }

    pub(super) fn add(_events: &OwnedFd, _folder: &Path) -> Result<(), String> {
        Ok(())
    }

    pub(super) fn has_no_event(_events: &OwnedFd) -> bool {
        false
    }
}
