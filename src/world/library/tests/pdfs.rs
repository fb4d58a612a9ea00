//! PDFs of a library, and the children that read them.

use std::os::unix::fs::PermissionsExt;

use tokio::runtime::Runtime;

use super::watch::look_until_watched;
use super::*;
use crate::world::process::{Gate, WardenProgram};

/// A library that reads PDFs by this program.
pub(super) fn reading_by(fixture: &Fixture, program: &str, runtime: &Runtime) -> Library {
    reading_on(fixture, program, runtime.handle().clone())
}

fn reading_on(fixture: &Fixture, program: &str, handle: tokio::runtime::Handle) -> Library {
    let warden = WardenProgram { program: "/bin/cat".into(), args: Vec::new() };
    let reader = crate::world::pdf::Reader::new(Gate::new(warden), program.into());
    fixture.library().with_documents(Documents::new(reader, handle))
}

#[test]
fn what_the_machine_failed_at_is_tried_again() {
    let runtime = Runtime::new().unwrap();
    let fixture = Fixture::new(&[("a.pdf", "%PDF-1.4 tide")]);
    fixture.age("a.pdf", 1);
    // A program that is not there says nothing of the file; one that gives no page does.
    for (program, says) in [
        ("/nowhere/a", "/nowhere/a"),
        ("/nowhere/b", "/nowhere/b"),
        ("/bin/true", "no page"),
        ("/nowhere/c", "no page"),
    ] {
        let library = reading_by(&fixture, program, &runtime);
        let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
        let [problem] = refreshed.problems.as_slice() else { panic!("{:?}", refreshed.problems) };
        assert_eq!(root.files, 0);
        assert!(problem.error.message.contains(says), "{program}: {}", problem.error.message);
    }
}

/// A file that takes too long takes as long the next time: it is refused like any other, and its folder is watched.
#[cfg(target_os = "linux")]
#[test]
fn a_pdf_that_takes_too_long_is_refused_once() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let handle = runtime.handle().clone();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    // Simulated time passes while nothing else happens.
    let clock = std::thread::spawn(move || runtime.block_on(ended));
    let fixture = Fixture::new(&[("a.pdf", "%PDF-1.4 tide")]);
    fixture.age("a.pdf", 1);
    let silent = fixture.dir.path().join("silent");
    write_program(&silent, "#!/bin/sh\nexec tail -f /dev/null\n");
    for program in [silent.to_str().unwrap(), "/nowhere/a"] {
        let library = reading_on(&fixture, program, handle.clone());
        let (_, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
        let [problem] = refreshed.problems.as_slice() else { panic!("{:?}", refreshed.problems) };
        assert!(problem.error.message.contains("was not read within 20 s"), "{program}: {}", problem.error);
        look_until_watched(&library);
    }
    drop(end);
    clock.join().unwrap().unwrap_err();
}

/// A program that answers like the reader of PDFs and writes down who it is.
const PROGRAM: &str = "#!/bin/sh
echo $$ >> \"$(dirname \"$0\")/pids\"
while read -r first way bytes; do
  head -c \"$bytes\" > /dev/null
  echo '{\"page\":{\"number\":1,\"text\":\"tide\",\"simple\":false}}'
  echo '\"end\"'
done
";

/// LB-01: what is cited of a PDF that has not changed is not read again by a child.
#[test]
fn lb_01_a_pdf_that_is_the_same_is_not_read_again() {
    let runtime = Runtime::new().unwrap();
    let fixture = Fixture::new(&[("a.pdf", "%PDF-1.4 tide")]);
    let program = fixture.dir.path().join("reader");
    write_program(&program, PROGRAM);
    let library = reading_by(&fixture, program.to_str().unwrap(), &runtime);
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let page = super::changing::page_of(&library, "tide");
    let elsewhere = reading_by(&fixture, "/nowhere/a", &runtime);
    assert!(elsewhere.read(&page).unwrap().text.contains("tide"));
    fixture.write("a.pdf", "%PDF-1.4 ebb");
    assert!(elsewhere.read(&page).unwrap_err().message.contains("/nowhere/a"), "another file is read");
}

#[test]
fn the_children_of_a_refresh_end_with_it() {
    let runtime = Runtime::new().unwrap();
    let fixture = Fixture::new(&[]);
    for number in 0..9 {
        fixture.write(&format!("{number}.pdf"), &format!("%PDF-1.4 {number}"));
    }
    let (program, pids) = (fixture.dir.path().join("program"), fixture.dir.path().join("pids"));
    write_program(&program, PROGRAM);
    let library = reading_by(&fixture, program.to_str().unwrap(), &runtime);
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, refreshed.problems), (9, vec![]));
    let pids = fs::read_to_string(pids).unwrap();
    assert!((1..=limits::LIBRARY_READERS).contains(&pids.lines().count()), "{pids}");
    let is_there = |pid: &str| rustix::process::test_kill_process(pid_of(pid)).is_ok();
    sim::wait::until("no child is left", || !pids.lines().any(is_there));
}

fn write_program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
}

fn pid_of(pid: &str) -> rustix::process::Pid {
    rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap()
}
