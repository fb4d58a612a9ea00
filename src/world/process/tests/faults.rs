//! What can go wrong around a child: it cannot be started, its caller goes away, many come at once.

use super::*;
use crate::core::base::error::Code;

#[tokio::test]
async fn a_child_that_cannot_be_started_is_a_coded_error() {
    use std::os::unix::fs::PermissionsExt;

    let tag = tag();
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str, mode| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let ok = fake(&tag, &[]);
    let program = |program: PathBuf| Command { program, ..ok.clone() };
    let table = [
        (program(folder.path().join("nowhere")), Code::CliNotFound, "was not found"),
        (program("no-such-program-anywhere".into()), Code::CliNotFound, "was not found"),
        (program(script("plain", "#!/bin/sh\n", 0o644)), Code::EngineUnavailable, "permission denied"),
        (program(folder.path().into()), Code::EngineUnavailable, "permission denied"),
        (program(script("orphan", "#!/no/such/shell\n", 0o755)), Code::EngineUnavailable, "interpreter"),
        (fake(&tag, &["x".repeat(200_000).as_str()]), Code::InvalidArgument, "too long"),
        (fake(&tag, &["a\0b"]), Code::InvalidArgument, "NUL"),
        (Command { cwd: folder.path().join("gone"), ..ok.clone() }, Code::ExecutionError, "no such folder"),
        (Command { cwd: script("file", "", 0o644), ..ok.clone() }, Code::ExecutionError, "no such folder"),
    ];
    let gate = gate(&tag);
    for (command, code, words) in table {
        let error = gate.run(command, &CancellationToken::new(), |_| {}).await.unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.message.contains(words), "{error}");
    }
    let exit = gate.run(ok, &CancellationToken::new(), |_| {}).await.unwrap();
    assert!(exit.success(), "the gate works on after failures: {exit:?}");
}

#[tokio::test]
async fn without_a_warden_nothing_is_started() {
    let tag = tag();
    let (gate, seen) = (Gate::new(WardenProgram { program: "/bin/false".into(), args: vec![] }), Seen::default());
    let error = gate.run(fake(&tag, &["line:here"]), &CancellationToken::new(), seen.sink()).await.unwrap_err();
    assert_eq!((error.code, seen.lines()), (Code::ExecutionError, vec![]));
    assert!(error.message.contains("warden"), "{error}");
}

#[tokio::test]
async fn a_child_is_reaped_when_its_run_returns() {
    let tag = tag();
    let (_, lines) = run(&tag, fake(&tag, &["pid:leader"])).await;
    let pid = lines[0].strip_prefix("leader ").unwrap();
    assert!(!Path::new("/proc").join(pid).exists(), "not even a zombie");
}

#[tokio::test]
async fn a_dropped_run_kills_the_whole_family() {
    let tag = tag();
    let seen = Seen::default();
    let (gate, command, sink) = (
        gate(&tag),
        fake(&tag, &["deaf", "pid:leader", "bare:pid:bare,stall", "fork:setsid,pid:away,stall", "stall"]),
        seen.sink(),
    );
    let task = tokio::spawn(async move { gate.run(command, &CancellationToken::new(), sink).await.map(drop) });
    until("the family is complete", || ["leader", "bare", "away"].iter().all(|name| seen.pid(name).is_some())).await;
    assert_eq!(tagged(&tag).len(), 2, "leader and away");
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    let bare = seen.pid("bare").unwrap();
    until("the family is gone", || tagged(&tag).is_empty() && !alive(bare)).await;
    let leader = seen.pid("leader").unwrap();
    until("the leader is reaped", || !Path::new(&format!("/proc/{leader}")).exists()).await;
    until("the warden is gone with the last handle", || holding("cmdline", &tag).is_empty()).await;
}

#[tokio::test]
async fn a_panic_in_the_caller_kills_the_child() {
    let tag = tag();
    let (gate, command) = (gate(&tag), fake(&tag, &["line:boom", "stall"]));
    let task = tokio::spawn(async move {
        let exit = gate.run(command, &CancellationToken::new(), |line| assert_ne!(line, b"boom")).await;
        exit.map(drop)
    });
    assert!(task.await.unwrap_err().is_panic());
    until("the child is gone", || tagged(&tag).is_empty()).await;
}

#[tokio::test]
async fn twenty_at_once_do_not_mix() {
    let tag = tag();
    let gate = gate(&tag);
    let mut runs = tokio::task::JoinSet::new();
    for n in 0..20_u8 {
        let (gate, line, exit) = (gate.clone(), format!("line:{n}"), format!("exit:{n}"));
        let command = fake(&tag, &["fork:setsid,stall", "echo", &line, "err:e", &exit]);
        let command = Command { stdin: format!("in {n}\n").repeat(20_000).into_bytes(), ..command };
        runs.spawn(async move {
            let seen = Seen::default();
            let exit = gate.run(command, &CancellationToken::new(), seen.sink()).await.unwrap();
            (n, exit, seen.lines())
        });
    }
    for (n, exit, lines) in runs.join_all().await {
        assert_eq!((exit.status, exit.ended_by), (Status::Code(n.into()), EndedBy::Own));
        assert_eq!((lines.len(), lines.last().unwrap()), (20_001, &n.to_string()));
        assert!(lines[..20_000].iter().all(|line| *line == format!("in {n}")));
        assert_eq!(exit.stderr_tail, b"e\n");
    }
    nothing_left(&tag);
    assert_eq!(holding("cmdline", &tag).len(), 1, "one warden for all");
}
