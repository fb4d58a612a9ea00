//! Folders that are watched, so that a process which answers many questions does not walk them for each.
//!
//! The kernel keeps a list of what happened in each folder (inotify); nothing runs here meanwhile. A look at a root that was walked before and in which
//! nothing happened since is answered from what was found then. Watching begins with the second look of a process, so a single command pays nothing. What cannot
//! be watched is walked as before: a network disk, whose changes of other machines no kernel tells, and a folder beyond the watches that a user may have.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::file::Stat;
use super::index;
use super::refresh::Look;
use super::roots::{Choice, Marker, Place, Target};
use super::scan::folders;
use crate::core::base::error::{Code, Result};
use crate::core::base::limits;
use crate::core::task::outcome::Refreshed;
use crate::world::{clock, log};

/// Says whether other machines may change what lies in a folder, or why that cannot be told.
type IsShared = fn(&Path) -> Result<bool, String>;
/// The disks that are mounted, where the system tells them.
type Mounted = fn() -> Option<Vec<u8>>;

/// The roots that this process has looked at.
#[derive(Debug)]
pub(super) struct Watches {
    visits: Mutex<BTreeMap<String, Visit>>,
    /// Folders of all roots together that are watched.
    pub(super) most_folders: usize,
    pub(super) is_shared: IsShared,
    pub(super) mounted: Mounted,
}

impl Default for Watches {
    fn default() -> Self {
        Self {
            visits: Mutex::default(),
            most_folders: limits::LIBRARY_WATCHED,
            is_shared: kernel::is_shared,
            mounted: kernel::mounted,
        }
    }
}

#[derive(Debug, Default)]
struct Visit {
    looks: u32,
    /// Looks until watching is tried again, and how many the next change costs: a folder that changes all the time is not worth it.
    rest: u32,
    next_rest: u32,
    /// Why it cannot be watched.
    why_not: Option<String>,
    watched: Option<Watched>,
}

/// Whether a root is watched from a look on.
#[derive(Debug)]
pub(super) enum Watching {
    /// This look does not say.
    Untried,
    Begun(Watch),
    /// It is walked for every question, and why.
    Impossible(String),
}

/// A root in which nothing had happened at the last look.
#[derive(Debug)]
struct Watched {
    watch: Watch,
    marker: Marker,
    /// The file of its index.
    index: PathBuf,
    refreshed: Refreshed,
    /// The files that have other names: what is written by those is no event in the folders that are watched.
    linked: Vec<(PathBuf, Stat)>,
    since_ms: i64,
}

impl Watched {
    /// Whether nothing happened in the root, and nothing to its files that have other names.
    fn is_quiet(&self, target: &Target, mounted: Mounted) -> bool {
        let is_same = |(path, stat): &(PathBuf, Stat)| {
            std::fs::symlink_metadata(path).is_ok_and(|metadata| Stat::of(&metadata) == *stat)
        };
        self.watch.is_quiet(target, mounted) && self.linked.iter().all(is_same)
    }
}

/// The folders of a root, watched.
#[derive(Debug)]
pub(super) struct Watch {
    events: OwnedFd,
    /// The device and the number of the root: another folder may have taken its place.
    root: (u64, u64),
    /// What was mounted then: a disk that comes into a folder or goes is no event in it.
    mounted: Option<Vec<u8>>,
    /// What was chosen of the root, which decides what folders are watched, and how many they are.
    choice: Choice,
    folders: usize,
}

impl Watches {
    /// What is mounted at the moment, where the system tells it.
    pub(super) fn table(&self) -> Option<Vec<u8>> {
        (self.mounted)()
    }

    /// What the last look found, if nothing happened since.
    pub(super) fn unchanged(&self, target: &Target, place: &Place) -> Option<(Marker, Refreshed)> {
        let mut visits = self.visits();
        let visit = visits.entry(target.text.clone()).or_default();
        let watched = visit.watched.take()?;
        let age = clock::now_ms().saturating_sub(watched.since_ms);
        let is_young = u128::try_from(age).is_ok_and(|age| age < limits::LIBRARY_WATCH_TRUST.as_millis());
        let is_ours = place.marker().ok().flatten().is_some_and(|marker| marker.says_same(&watched.marker))
            && index::file_of(&place.index()).as_ref() == Some(&watched.index);
        if !(is_ours && watched.is_quiet(target, self.mounted)) {
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

    /// Watches a root from before its files are listed, though not at the first look.
    pub(super) fn begin(&self, target: &Target, choice: Choice, stop: &dyn Fn() -> bool) -> Result<Watching> {
        let room = {
            let mut visits = self.visits();
            let visit = visits.entry(target.text.clone()).or_default();
            visit.looks = visit.looks.saturating_add(1);
            visit.rest = visit.rest.saturating_sub(1);
            if let Some(why_not) = &visit.why_not {
                return Ok(Watching::Impossible(why_not.clone()));
            }
            if target.is_file() || visit.looks < 2 || visit.rest > 0 {
                return Ok(Watching::Untried);
            }
            self.most_folders.saturating_sub(folders_beside(&visits, target))
        };
        let why_not = match Watch::new(target, choice, self.mounted) {
            Ok(watch) => match watch.over_all(target, (room, self.is_shared), stop)? {
                Ok(watch) => return Ok(Watching::Begun(watch)),
                Err(why_not) => why_not,
            },
            Err(why_not) => why_not,
        };
        log::info(format_args!("`{}` is walked for every question and not watched: {why_not}", target.text));
        self.visits().entry(target.text.clone()).or_default().why_not = Some(why_not.clone());
        Ok(Watching::Impossible(why_not))
    }

    /// Keeps what a look found, for as long as nothing happens. A look that changed something has told it, and what went wrong once and is mended.
    pub(super) fn keep(&self, (target, place): (&Target, &Place), watch: Watch, look: &Look) {
        let Look { marker, refreshed: found, linked } = look;
        let is_told_once = |code: Code| code.spares_file() || code == Code::IndexDamaged;
        let is_lasting = found.added + found.changed + found.removed == 0
            && !found.problems.iter().any(|problem| is_told_once(problem.error.code));
        // Another process may have chosen otherwise before this look had the lock.
        let is_of_all = watch.choice == marker.choice;
        let Some(index) = index::file_of(&place.index()).filter(|_| is_lasting && is_of_all) else { return };
        let mut visits = self.visits();
        if linked.len() > limits::LIBRARY_LINKED {
            let why_not =
                format!("more than {} files in it have other names as well (hard links)", limits::LIBRARY_LINKED);
            visits.entry(target.text.clone()).or_default().why_not = Some(why_not);
            return;
        }
        let others = visits.iter().filter(|(root, visit)| **root != target.text && visit.watched.is_some()).count();
        if others < limits::LIBRARY_OPEN && folders_beside(&visits, target) + watch.folders <= self.most_folders {
            let (marker, refreshed, since_ms) = (marker.clone(), found.clone(), clock::now_ms());
            let visit = visits.entry(target.text.clone()).or_default();
            let linked = linked.clone();
            visit.watched = Some(Watched { watch, marker, index, refreshed, linked, since_ms });
        }
    }

    /// Has a root walked at the next look, whatever the kernel tells.
    pub(super) fn doubt(&self, root: &str) {
        self.visits().entry(root.to_owned()).or_default().watched = None;
    }

    fn visits(&self) -> MutexGuard<'_, BTreeMap<String, Visit>> {
        let mut visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        // Roots that were only visited come and go.
        while visits.len() > limits::LIBRARY_WATCH_ROOTS {
            visits.pop_first();
        }
        visits
    }
}

/// The folders that are watched of all other roots.
fn folders_beside(visits: &BTreeMap<String, Visit>, target: &Target) -> usize {
    let others = visits.iter().filter(|(root, _)| **root != target.text);
    others.filter_map(|(_, visit)| Some(visit.watched.as_ref()?.watch.folders)).sum()
}

impl Watch {
    fn is_quiet(&self, target: &Target, mounted: Mounted) -> bool {
        let is_same = identity(&target.path) == Some(self.root) && mounted() == self.mounted;
        is_same && kernel::has_no_event(&self.events)
    }

    fn new(target: &Target, choice: Choice, mounted: Mounted) -> Result<Self, String> {
        let root = identity(&target.path).ok_or("it cannot be looked at")?;
        Ok(Self { events: kernel::begin()?, root, mounted: mounted(), choice, folders: 0 })
    }

    /// Watches every folder that is walked. What happens in one before it is watched is seen by the walk that follows.
    fn over_all(
        mut self,
        target: &Target,
        (room, is_shared): (usize, IsShared),
        stop: &dyn Fn() -> bool,
    ) -> Result<Result<Self, String>> {
        let mut failed = None;
        let (events, count) = (&self.events, &mut self.folders);
        folders(target, &self.choice, stop, &mut |folder| {
            *count += 1;
            failed = match is_shared(folder) {
                Ok(true) => Some(format!("`{}` lies on a disk that other machines may change", folder.display())),
                Ok(false) if *count > room => {
                    Some(format!("a process watches no more than {} folders", limits::LIBRARY_WATCHED))
                }
                Ok(false) => kernel::add(events, folder).err(),
                Err(why_not) => Some(why_not),
            };
            failed.is_none()
        })?;
        Ok(failed.map_or(Ok(self), Err))
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::io::Read;
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

    /// Whether a folder lies on such a file system; one that has gone is a problem of the walk.
    pub(super) fn is_shared(folder: &Path) -> Result<bool, String> {
        match rustix::fs::statfs(folder) {
            Ok(about) => {
                // The type is a signed or an unsigned number, by machine.
                let kind = u64::try_from(i128::from(about.f_type) & 0xffff_ffff).unwrap_or_default();
                Ok(SHARED.contains(&kind))
            }
            Err(Errno::NOENT | Errno::ACCESS | Errno::NOTDIR) => Ok(false),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(super) fn begin() -> Result<OwnedFd, String> {
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

    /// No list of mounts is longer that somebody made.
    const MOUNTS_BYTES: u64 = 1 << 20;

    /// The table of mounts. It is looked at as a whole: a disk that comes elsewhere costs one walk.
    pub(super) fn mounted() -> Option<Vec<u8>> {
        let mut table = Vec::new();
        let file = std::fs::File::open("/proc/self/mountinfo").ok()?;
        file.take(MOUNTS_BYTES).read_to_end(&mut table).ok()?;
        Some(table)
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

    pub(super) fn is_shared(_folder: &Path) -> Result<bool, String> {
        Ok(false)
    }

    pub(super) fn begin() -> Result<OwnedFd, String> {
        Err("this system tells no changes".to_owned())
    }

    pub(super) fn add(_events: &OwnedFd, _folder: &Path) -> Result<(), String> {
        Ok(())
    }

    pub(super) fn has_no_event(_events: &OwnedFd) -> bool {
        false
    }

    pub(super) fn mounted() -> Option<Vec<u8>> {
        None
    }
}
