//! The gate with real children, real signals and the real process table.

mod ends;
mod faults;
mod orphans;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sim::wait::{SAFETY_NET, until_beside as until};
use tokio_util::sync::CancellationToken;

use super::*;

/// Marks every process of one test, independently of the gate's own mark.
const TAG: &str = "TEST_TAG";

fn tag() -> String {
    format!("{:032x}", crate::world::random::bits128())
}

/// A gate whose warden is this test binary in its role of warden; `tag` stands in the warden's arguments.
fn gate(tag: &str) -> Gate {
    let args = ["--exact", orphans::ROLES, "--nocapture", "role=warden", tag].map(OsString::from).to_vec();
    Gate::new(WardenProgram { program: std::env::current_exe().unwrap(), args })
}

/// The badly behaved child of `sim`, with roomy limits.
fn fake(tag: &str, actions: &[&str]) -> Command {
    Command {
        program: orphans::argument("fake=").map_or_else(|| sim::program("fake-child"), PathBuf::from),
        args: actions.iter().map(OsString::from).collect(),
        env: vec![(TAG.into(), tag.into())],
        cwd: PathBuf::from("/"),
        stdin: Vec::new(),
        limits: Limits {
            idle: SAFETY_NET,
            total: SAFETY_NET,
            stdout_bytes: 1 << 30,
            stderr_kept: 1_000,
            line_bytes: 1 << 20,
        },
    }
}

/// The lines of a child so far; can be looked at while it runs.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn sink(&self) -> impl FnMut(&[u8]) + Send + use<> {
        let lines = Arc::clone(&self.0);
        move |line| lines.lock().unwrap().push(String::from_utf8_lossy(line).into_owned())
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    /// The pid that a process printed under this name.
    fn pid(&self, name: &str) -> Option<u32> {
        self.lines().iter().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    }
}

/// Runs a child to its end and checks that nothing of it is left at that moment.
async fn run(tag: &str, command: Command) -> (Exit, Vec<String>) {
    let seen = Seen::default();
    let exit = gate(tag).run(command, &CancellationToken::new(), seen.sink()).await.unwrap();
    nothing_left(tag);
    (exit, seen.lines())
}

fn process_table() -> impl Iterator<Item = (u32, PathBuf)> {
    std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, entry.path()))
    })
}

/// The fields of `/proc/<pid>/stat` after the name: state, parent, group, session …
fn stat(process: &Path) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(process.join("stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// Living processes whose file `what` (`environ`, `cmdline`) holds the tag.
fn holding(what: &str, tag: &str) -> Vec<u32> {
    let holds = |path: &Path| {
        let text = std::fs::read(path.join(what)).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(tag)
    };
    let own = std::process::id();
    process_table().filter(|(pid, path)| *pid != own && holds(path)).map(|(pid, _)| pid).collect()
}

fn tagged(tag: &str) -> Vec<u32> {
    holding("environ", &format!("{TAG}={tag}"))
}

fn nothing_left(tag: &str) {
    let left = tagged(tag);
    assert!(left.is_empty(), "left behind: {left:?}");
}

/// Whether the process is there and no zombie.
fn alive(pid: u32) -> bool {
    stat(Path::new(&format!("/proc/{pid}"))).is_some_and(|fields| !matches!(fields[0].as_str(), "Z" | "X"))
}
