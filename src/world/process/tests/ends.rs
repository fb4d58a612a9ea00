//! How children end, and what the caller gets to know.

use super::*;
use crate::core::base::error::Code;
use crate::core::base::limits::{CANCEL_GRACE, CHILD_DRAIN};

#[tokio::test]
async fn output_code_and_stderr_are_handed_over() {
    let tag = tag();
    let (exit, lines) = run(&tag, fake(&tag, &["line:one", "err:oh", "line:", "text:last", "exit:3"])).await;
    assert_eq!(lines, ["one", "", "last"]);
    assert_eq!((exit.status, exit.ended_by), (Status::Code(3), EndedBy::Own));
    assert_eq!(exit.stderr_tail, b"oh\n");
    assert!(!exit.truncated && !exit.success());
    assert_eq!(exit.stopped(Path::new("x"), &fake(&tag, &[]).limits), None);
}

#[tokio::test]
async fn a_signal_is_told_apart_from_a_code() {
    let tag = tag();
    for signal in [6, 9, 15] {
        let (exit, _) = run(&tag, fake(&tag, &[&format!("die:{signal}")])).await;
        assert_eq!((exit.status, exit.ended_by), (Status::Signal(signal), EndedBy::Own));
    }
    let (exit, _) = run(&tag, fake(&tag, &[])).await;
    assert!(exit.success());
}

/// MS-01: nothing of hadal's environment reaches a child unless it was named.
#[tokio::test]
async fn the_environment_is_exactly_what_was_given() {
    let tag = tag();
    let (_, mut lines) = run(&tag, fake(&tag, &["env"])).await;
    lines.sort();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("HADAL_CHILD="), "{lines:?}");
    assert_eq!(lines[1], format!("{TAG}={tag}"));
}

#[tokio::test]
async fn it_runs_in_its_directory() {
    let tag = tag();
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    let (_, lines) = run(&tag, Command { cwd: cwd.clone(), ..fake(&tag, &["cwd"]) }).await;
    assert_eq!(lines, [cwd.to_str().unwrap()]);
}

#[tokio::test]
async fn input_larger_than_any_pipe_goes_through() {
    let tag = tag();
    let stdin = [[b'x'; 999].as_slice(), b"\n"].concat().repeat(8_000);
    let (exit, lines) = run(&tag, Command { stdin, ..fake(&tag, &["echo", "line:end"]) }).await;
    assert!(exit.success());
    assert_eq!((lines.len(), lines.last().unwrap().as_str()), (8_001, "end"));
    assert!(lines[..8_000].iter().all(|line| line.len() == 999));
}

#[tokio::test]
async fn input_that_nobody_reads_holds_nothing_up() {
    let tag = tag();
    for actions in [&["exit:0"][..], &["drip:3:10", "exit:0"]] {
        let (exit, lines) = run(&tag, Command { stdin: vec![b'x'; 8 << 20], ..fake(&tag, actions) }).await;
        assert!(exit.success(), "{exit:?}");
        assert_eq!(lines.len(), (actions.len() - 1) * 3);
    }
}

#[tokio::test]
async fn empty_input_is_closed_at_once() {
    let tag = tag();
    let (exit, lines) = run(&tag, fake(&tag, &["echo", "line:end"])).await;
    assert!(exit.success());
    assert_eq!(lines, ["end"]);
}

/// Clocks that a busy machine may be too slow for; the second and the third are for that machine.
const SLOWER: [u32; 3] = [1, 5, 25];

#[tokio::test]
async fn silence_ends_at_the_idle_limit() {
    for factor in SLOWER {
        let tag = tag();
        let mut command = fake(&tag, &["line:a", "err:why", "stall"]);
        command.limits.idle = Duration::from_secs(2) * factor;
        let limits = command.limits;
        let (exit, lines) = run(&tag, command).await;
        assert_eq!((exit.status, exit.ended_by), (Status::Signal(15), EndedBy::Idle));
        let error = exit.stopped(Path::new("fake"), &limits).unwrap();
        let message = format!("`fake` was stopped: it wrote nothing for {}s", 2 * factor);
        assert_eq!((error.code, error.message), (Code::Timeout, message));
        if exit.stderr_tail.ends_with(b"\n") {
            assert_eq!((lines, exit.stderr_tail.as_slice()), (vec!["a".to_owned()], &b"why\n"[..]));
            return;
        }
    }
    panic!("it never wrote anything");
}

#[tokio::test]
async fn a_slow_drip_is_not_idle() {
    for factor in SLOWER {
        let tag = tag();
        let idle = Duration::from_millis(2_500) * factor;
        let mut command = fake(&tag, &[&format!("drip:6:{}", 500 * factor)]);
        command.limits.idle = idle;
        let (exit, lines) = run(&tag, command).await;
        if exit.success() {
            assert!(exit.duration > idle, "{exit:?}");
            assert_eq!(lines.len(), 6);
            return;
        }
        assert_eq!(exit.ended_by, EndedBy::Idle);
    }
    panic!("a slow drip is idle");
}

#[tokio::test]
async fn a_drip_without_end_ends_at_the_total_limit() {
    for factor in SLOWER {
        let tag = tag();
        let mut command = fake(&tag, &["drip:99999:20"]);
        command.limits.total = Duration::from_secs(1) * factor;
        let limits = command.limits;
        let (exit, lines) = run(&tag, command).await;
        assert_eq!(exit.ended_by, EndedBy::Total);
        assert!(exit.duration >= limits.total);
        assert_eq!(exit.stopped(Path::new("fake"), &limits).unwrap().code, Code::Timeout);
        if !lines.is_empty() {
            return;
        }
    }
    panic!("it never wrote anything");
}

#[tokio::test]
async fn too_much_output_is_stopped_and_never_held() {
    let tag = tag();
    let mut command = fake(&tag, &["mb:100", "line:unreachable"]);
    command.limits.stdout_bytes = 1_000_500;
    let limits = command.limits;
    let (exit, lines) = run(&tag, command).await;
    assert_eq!(exit.ended_by, EndedBy::OutputLimit);
    assert!(exit.truncated);
    assert_eq!((lines.len(), lines.last().unwrap().len()), (1_001, 500));
    assert_eq!(exit.stopped(Path::new("fake"), &limits).unwrap().code, Code::OutputTooLarge);
}

#[tokio::test]
async fn stderr_may_be_endless_but_only_its_end_is_kept() {
    let tag = tag();
    let (exit, _) = run(&tag, fake(&tag, &["errmb:20", "err:the end"])).await;
    assert!(exit.success());
    assert_eq!(exit.stderr_tail.len(), 1_000);
    assert!(exit.stderr_tail.ends_with(b"x\nthe end\n"));
}

#[tokio::test]
async fn a_line_too_long_is_cut() {
    let tag = tag();
    let mut command = fake(&tag, &["mb:1", "line:end"]);
    command.limits.line_bytes = 100;
    let (exit, lines) = run(&tag, command).await;
    assert!(exit.truncated && exit.success());
    assert_eq!((lines.len(), lines[0].len(), lines[1_000].as_str()), (1_001, 100, "end"));
}

#[tokio::test]
async fn a_grandchild_that_holds_stdout_open_does_not_hold_up_its_grandparent() {
    let tag = tag();
    let (exit, lines) = run(&tag, fake(&tag, &["fork:stall", "mb:1", "line:bye", "exit:7"])).await;
    assert_eq!((exit.status, exit.ended_by), (Status::Code(7), EndedBy::Own));
    assert_eq!(lines.last().unwrap(), "bye");
    assert!(exit.duration >= CHILD_DRAIN);
}

#[tokio::test]
async fn cancel_asks_first() {
    let tag = tag();
    let (exit, _) = cancelled(&tag, fake(&tag, &["fork:pid:near,stall", "line:ready", "stall"]), "near").await;
    assert_eq!((exit.status, exit.ended_by), (Status::Signal(15), EndedBy::Cancelled));
    let error = exit.stopped(Path::new("fake"), &fake(&tag, &[]).limits).unwrap();
    assert_eq!(error.code, Code::Cancelled);
}

#[tokio::test]
async fn cancel_ends_a_child_that_ignores_every_polite_signal() {
    let tag = tag();
    let actions = ["deaf", "fork:pid:near,stall", "fork:setsid,pid:away,stall", "err:deaf", "stall"];
    let (exit, lasted) = cancelled(&tag, fake(&tag, &actions), "away").await;
    assert_eq!((exit.status, exit.ended_by), (Status::Signal(9), EndedBy::Cancelled));
    assert!(lasted >= CANCEL_GRACE, "{lasted:?}");
    assert_eq!(exit.stderr_tail, b"deaf\n");
}

/// Cancels once the process of this name has shown itself; also returns how long the end then took.
async fn cancelled(tag: &str, command: Command, name: &str) -> (Exit, Duration) {
    let (gate, cancel, seen) = (gate(tag), CancellationToken::new(), Seen::default());
    let watch = async {
        until(name, || seen.pid(name).is_some()).await;
        cancel.cancel();
        Instant::now()
    };
    let (exit, asked) = tokio::join!(gate.run(command, &cancel, seen.sink()), watch);
    let lasted = asked.elapsed();
    nothing_left(tag);
    (exit.unwrap(), lasted)
}

#[tokio::test]
async fn cancelled_before_the_start_means_no_start() {
    let tag = tag();
    let (cancel, seen) = (CancellationToken::new(), Seen::default());
    cancel.cancel();
    let error = gate(&tag).run(fake(&tag, &["line:here"]), &cancel, seen.sink()).await.unwrap_err();
    assert_eq!((error.code, seen.lines()), (Code::Cancelled, vec![]));
}
