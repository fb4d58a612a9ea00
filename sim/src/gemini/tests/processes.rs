use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::*;

fn pid(pid: u32) -> Pid {
    Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()
}

/// Starts it with its launcher, in a group of its own.
fn launch(bench: &Bench) -> Child {
    let mut command = bench.command(&["-o", "stream-json", "--skip-trust"]);
    command.env_remove("GEMINI_CLI_NO_RELAUNCH").process_group(0);
    feed(command, "q")
}

fn started(bench: &Bench) -> Call {
    let calls = bench.fake.wait_for("the start", |calls| !calls.is_empty());
    calls.into_iter().next().unwrap()
}

#[test]
fn a_signal_to_the_launcher_alone_is_lost() {
    let bench = Bench::new(&Script::always(Scenario::answer("all the same").hold("it")));
    let child = launch(&bench);
    let call = started(&bench);
    assert_eq!(call.launcher, Some(child.id()));
    assert_eq!((call.ppid, call.group), (child.id(), child.id()));
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        kill_process(pid(child.id()), signal).unwrap();
    }
    bench.fake.release("it");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(deltas(&events(&output)), "all the same");
}

#[test]
fn a_killed_launcher_leaves_its_worker_behind() {
    let bench = Bench::new(&Script::always(Scenario::answer("too late").hold("it")));
    let mut child = launch(&bench);
    let call = started(&bench);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(bench.fake.survivors(), [call.pid]);
    kill_process_group(pid(call.group), Signal::TERM).unwrap();
    let _ = bench.fake.wait_for("the end", |calls| calls[0].ended.is_some());
}

#[test]
fn a_signal_to_the_group_ends_it_with_success_and_without_a_result() {
    let bench = Bench::new(&Script::always(Scenario::default().hold("never")));
    let child = launch(&bench);
    let call = started(&bench);
    kill_process_group(pid(call.group), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!kinds(&events(&output)).contains(&"result"));
    assert_eq!(bench.fake.calls()[0].ended.as_ref().unwrap().how, "signal");
    assert!(bench.fake.survivors().is_empty());
}

#[test]
fn a_deaf_one_goes_on_until_it_is_killed() {
    let bench = Bench::new(&Script::always(Scenario::answer("still here").hold("it").deaf()));
    let child = bench.start("q");
    started(&bench);
    kill_process(pid(child.id()), Signal::TERM).unwrap();
    bench.fake.release("it");
    let output = child.wait_with_output().unwrap();
    assert_eq!(deltas(&events(&output)), "still here");
    assert_eq!(bench.fake.calls()[0].ended.as_ref().unwrap().how, "end");
}

#[test]
fn stalls_and_hot_loops_say_nothing_more() {
    for scenario in [
        Scenario::answer("never").stall_after(2),
        Scenario::answer("never").step(Step::HotLoop),
        Scenario::answer("never").step(Step::Stall),
    ] {
        let bench = Bench::new(&Script::always(scenario));
        let mut child = bench.start("q");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().contains("init"));
        assert!(lines.next().unwrap().unwrap().contains("user"));
        kill_process(pid(child.id()), Signal::KILL).unwrap();
        assert!(lines.next().is_none());
        child.wait().unwrap();
        assert_eq!(bench.fake.calls()[0].ended, None);
    }
}

#[test]
fn a_grandchild_holds_stdout_and_can_leave_the_group() {
    let step = |setsid| Scenario::answer("ok").step(Step::Grandchild { setsid });
    let bench = Bench::new(&Script::runs([step(false), step(true)]));
    for run in 0..2 {
        let mut command = bench.command(&["-o", "stream-json", "--skip-trust"]);
        command.process_group(0);
        let mut child = feed(command, "q");
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let left = bench.fake.survivors();
        assert_eq!(left, bench.fake.calls()[run].grandchildren);
        let killed = kill_process_group(pid(child.id()), Signal::KILL);
        if run == 1 {
            // Once it has a session of its own the group is empty; before that the signal hits it.
            let _either = killed;
            let _gone = kill_process(pid(left[0]), Signal::KILL);
        }
        crate::wait::until("the end of the grandchild", || !crate::alive(left[0]));
        assert!(bench.fake.survivors().is_empty());
    }
}

#[test]
fn a_closed_stdout_ends_it_with_success() {
    let bench = Bench::new(&Script::always(Scenario::answer("a long answer").hold("it").drip(1, 1)));
    let mut child = bench.start("q");
    started(&bench);
    drop(child.stdout.take());
    bench.fake.release("it");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(bench.fake.calls()[0].ended.as_ref().unwrap().how, "stdout closed");
}
