//! What is left when the process that runs the gate is killed: nothing.
//!
//! That process, and every warden of these tests, is this test binary again, started in another role.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use super::*;

/// The test that also plays the other roles.
pub(super) const ROLES: &str = "world::process::tests::orphans::a_killed_hadal_leaves_nothing_behind";

#[test]
fn a_killed_hadal_leaves_nothing_behind() {
    match argument("role=").as_deref() {
        Some("warden") => _ = warden_main(),
        Some("hadal") => hadal(),
        Some(other) => panic!("no such role: {other}"),
        None => {
            let family =
                ["deaf", "pid:leader", "fork:pid:near,stall", "bare:pid:bare,stall", "fork:setsid,pid:away,stall"];
            let tag = tag();
            let mut hadal = Hadal::start(&tag, 1);
            hadal.run(&[&family[..], &["stall"]].concat());
            let pids: Vec<u32> = ["leader", "near", "bare", "away"].map(|name| hadal.pid(name)).to_vec();
            assert!(pids.iter().all(|pid| alive(*pid)));
            hadal.kill();
            wait_until("the family and the warden are gone", || {
                !pids.iter().any(|pid| alive(*pid)) && tagged(&tag).is_empty() && holding("cmdline", &tag).is_empty()
            });
        }
    }
}

/// Kills at many different moments, most of them in the middle of a start or an end.
#[test]
fn killed_at_any_moment() {
    for lines in 0..12 {
        let tag = tag();
        let mut hadal = Hadal::start(&tag, 4);
        for _ in 0..12 {
            hadal.run(&["fork:setsid,stall", "fork:stall", "line:x", "exit:0"]);
        }
        for _ in 0..lines {
            hadal.line();
        }
        hadal.kill();
        wait_until("nothing is left", || tagged(&tag).is_empty() && holding("cmdline", &tag).is_empty());
    }
}

#[test]
fn the_warden_is_modest_and_hard_of_hearing() {
    use rustix::process::{Pid, Signal, kill_process};

    let tag = tag();
    let mut hadal = Hadal::start(&tag, 1);
    hadal.run(&["deaf", "fork:setsid,pid:away,stall", "pid:leader", "stall"]);
    let (away, leader) = (hadal.pid("away"), hadal.pid("leader"));
    let wardens = hadal.wardens();
    let [warden] = wardens[..] else { panic!("one warden, not {wardens:?}") };
    let process = PathBuf::from(format!("/proc/{warden}"));

    let fields = stat(&process).unwrap();
    assert_eq!((&fields[2], &fields[3]), (&warden.to_string(), &warden.to_string()), "own group and session");
    assert_eq!(std::fs::read(process.join("environ")).unwrap(), b"");
    let files = |pid: u32| -> Vec<(String, String)> {
        let table = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
        let link = |path: PathBuf| std::fs::read_link(path).unwrap_or_default().display().to_string();
        table.map(|entry| (entry.file_name().display().to_string(), link(entry.path()))).collect()
    };
    let of_hadal = files(hadal.process.id());
    for (number, target) in files(warden) {
        match number.as_str() {
            "0" => assert!(target.starts_with("pipe:"), "{target}"),
            "1" | "2" => assert_eq!(target, "/dev/null"),
            _ => assert!(
                target.starts_with("anon_inode:") || !of_hadal.iter().any(|(_, of_hadal)| *of_hadal == target),
                "{number} -> {target} is hadal's"
            ),
        }
    }
    let text = std::fs::read_to_string(process.join("status")).unwrap();
    assert!(kb(&text, "RssAnon:") < 4_000, "{text}");

    let pid = Pid::from_raw(warden.cast_signed()).unwrap();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        kill_process(pid, signal).unwrap();
    }
    hadal.kill();
    wait_until("it did its work all the same", || !alive(away) && !alive(leader) && !alive(warden));
}

#[test]
fn a_lost_warden_is_replaced_and_told_of_everybody() {
    let tag = tag();
    let mut hadal = Hadal::start(&tag, 1);
    hadal.run(&["bare:pid:bare,stall", "stall"]);
    let bare = hadal.pid("bare");
    let lost = hadal.wardens();
    let pid = rustix::process::Pid::from_raw(lost[0].cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    wait_until("there is another warden", || hadal.wardens().iter().any(|pid| !lost.contains(pid)));
    assert!(alive(bare));
    hadal.kill();
    wait_until("the family is gone", || !alive(bare) && tagged(&tag).is_empty());
}

fn is_stopped(pid: u32) -> bool {
    let process = std::path::PathBuf::from(format!("/proc/{pid}"));
    super::stat(&process).is_some_and(|fields| fields.first().is_some_and(|state| state == "T"))
}

/// Linux: the child itself dies with hadal also when the warden cannot act.
#[test]
fn the_kernel_kills_the_child_of_a_killed_hadal() {
    use rustix::process::{Pid, Signal, kill_process};

    let tag = tag();
    let mut hadal = Hadal::start(&tag, 1);
    hadal.run(&["deaf", "pid:leader", "fork:pid:near,stall", "stall"]);
    let (leader, near) = (hadal.pid("leader"), hadal.pid("near"));
    let wardens: Vec<Pid> = hadal.wardens().iter().map(|pid| Pid::from_raw(pid.cast_signed()).unwrap()).collect();
    assert_eq!(wardens.len(), 1, "a second warden could act for the stopped one");
    kill_process(wardens[0], Signal::STOP).unwrap();
    // A signal is only sent; the process is stopped when its state says so.
    wait_until("the warden has stopped", || is_stopped(hadal.wardens()[0]));
    hadal.kill();
    wait_until("the child is gone", || !alive(leader));
    assert!(alive(near), "or else the warden was not stopped and this shows nothing");
    kill_process(wardens[0], Signal::CONT).unwrap();
    wait_until("the warden did the rest", || !alive(near));
}

#[test]
fn memory_does_not_grow_with_output() {
    let mut hadal = Hadal::start(&tag(), 1);
    let mut peak = |mb: &str| {
        hadal.run(&[mb, "errmb:1"]);
        let line = hadal.next_with("peak ");
        line.parse::<u64>().unwrap()
    };
    let (small, large) = (peak("mb:1"), peak("mb:200"));
    assert!(large < small + 4_000, "{small} kB after 1 MB, {large} kB after 200 MB");
    hadal.kill();
}

/// A process that runs the gate, in the hands of a test.
struct Hadal {
    process: Child,
    orders: std::process::ChildStdin,
    output: BufReader<std::process::ChildStdout>,
    tag: String,
    seen: Vec<String>,
}

impl Hadal {
    /// `at_once` is the number of children that run side by side.
    #[expect(clippy::disallowed_methods, reason = "this process is to be killed without the gate's help")]
    fn start(tag: &str, at_once: usize) -> Self {
        let mut process = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", ROLES, "--nocapture", "role=hadal"])
            .args([format!("at_once={at_once}"), format!("tag={tag}")])
            .arg(format!("fake={}", sim::program("fake-child").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        Self { process, orders, output, tag: tag.to_owned(), seen: Vec::new() }
    }

    fn run(&mut self, actions: &[&str]) {
        writeln!(self.orders, "{}", actions.join(" ")).unwrap();
    }

    /// The next line of any child.
    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "it ended: {:?}", self.seen);
            // The test harness prints too.
            if let Some((_, line)) = line.split_once('@') {
                self.seen.push(line.trim().to_owned());
                return line.trim().to_owned();
            }
        }
    }

    fn next_with(&mut self, prefix: &str) -> String {
        loop {
            if let Some(rest) = self.line().strip_prefix(prefix) {
                return rest.to_owned();
            }
        }
    }

    fn pid(&mut self, name: &str) -> u32 {
        let find = |line: &String| line.strip_prefix(name)?.trim().parse().ok();
        loop {
            if let Some(pid) = self.seen.iter().find_map(find) {
                return pid;
            }
            self.line();
        }
    }

    fn wardens(&self) -> Vec<u32> {
        let own = self.process.id();
        holding("cmdline", &self.tag).into_iter().filter(|pid| *pid != own).collect()
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// The role: runs a child for each line of stdin and shows what it prints.
fn hadal() {
    let (tag, at_once) = (argument("tag=").unwrap(), argument("at_once=").unwrap().parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let gate = gate(&tag);
        let mut runs = tokio::task::JoinSet::new();
        for order in std::io::stdin().lines() {
            if runs.len() >= at_once {
                runs.join_next().await.unwrap().unwrap();
            }
            let actions: Vec<String> = order.unwrap().split(' ').map(str::to_owned).collect();
            let command = fake(&tag, &actions.iter().map(String::as_str).collect::<Vec<_>>());
            let gate = gate.clone();
            runs.spawn(async move {
                // Lines of a flood are only counted by the gate: showing them would measure this role.
                let show = |line: &[u8]| {
                    if line.len() < 100 {
                        say(&String::from_utf8_lossy(line))
                    }
                };
                gate.run(command, &CancellationToken::new(), show).await.unwrap();
                say(&format!("peak {}", kb(&std::fs::read_to_string("/proc/self/status").unwrap(), "VmHWM:")));
            });
        }
        runs.join_all().await;
    });
}

/// A word of the command line: the roles are told what to do where the test harness looks for names of tests.
pub(super) fn argument(prefix: &str) -> Option<String> {
    std::env::args().find_map(|arg| arg.strip_prefix(prefix).map(str::to_owned))
}

fn say(line: &str) {
    let _killed_soon = std::io::stdout().write_all(format!("@{line}\n").as_bytes());
}

/// A line of `/proc/<pid>/status` that counts kilobytes.
fn kb(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn wait_until(what: &str, condition: impl FnMut() -> bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(until(what, condition));
}
