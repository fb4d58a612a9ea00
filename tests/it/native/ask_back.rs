//! A question back to whoever waits at a terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use sim::chat::{Received, Say};
use sim::wait;
use sim::web::QUESTION;

use super::Lab;
use super::script::{Step, reader, step};

const BACK: &str = "The lake or the sea?";

/// A model that would like to know more, where it may ask.
fn curious(asked: &Received) -> Say {
    if step(asked) == Step::Brief && asked.prompt.contains("\nASK: ") {
        return Say::Text(format!("QUESTION: {QUESTION}\nITEM: the answer\nSEARCH: deep sea trench\nASK: {BACK}\n"));
    }
    reader(asked)
}

/// A terminal: our end of it, and two ends for a program.
fn terminal() -> (File, File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let end = || File::options().read(true).write(true).open(path).unwrap();
    let (stdin, stderr) = (end(), end());
    (File::from(ours), stdin, stderr)
}

/// Asks at a terminal and answers the question back; the prompts of the plan, and what the terminal showed.
fn answered(answer: &str) -> (Vec<String>, String) {
    let lab = Lab::new(curious);
    let (ours, stdin, stderr) = terminal();
    let mut command = lab.command();
    command.args(["ask", "--deep", QUESTION]).stdin(stdin).stderr(stderr).stdout(Stdio::piped()).env("TERM", "xterm");
    let child = command.spawn().unwrap();
    drop(command);
    let shown = Arc::new(Mutex::new(Vec::new()));
    let (mut reading, kept) = (ours.try_clone().unwrap(), Arc::clone(&shown));
    let reader = std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = reading.read(&mut buffer) {
            kept.lock().unwrap().extend_from_slice(&buffer[..count]);
        }
    });
    let text = || String::from_utf8_lossy(&shown.lock().unwrap()).into_owned();
    wait::until("the question back is shown", || text().contains("\n> "));
    writeln!(&ours, "{answer}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    drop(ours);
    reader.join().unwrap();
    let plans = lab.chat.requests().into_iter().filter(|asked| step(asked) == Step::Plan);
    (plans.map(|asked| asked.prompt).collect(), text())
}

/// ST-01: what is answered at the terminal counts from the plan on; the question is asked once.
#[test]
fn st_01_a_terminal_is_asked_back() {
    let (plans, shown) = answered("the sea, of course");
    assert_eq!(plans.len(), 1);
    assert!(plans[0].contains("the sea, of course"), "{}", plans[0]);
    assert_eq!(shown.matches(BACK).count(), 1, "{shown}");
    assert!(shown.contains("within 60 seconds"), "{shown}");
}

/// ST-01: the Enter key lets it go on with what it assumes.
#[test]
fn st_01_no_answer_is_needed() {
    let (plans, _) = answered("");
    assert!(plans.len() == 1 && plans[0].contains("go on with what you assume"), "{plans:?}");
}

/// ST-01: without a terminal, and for JSON, nobody is asked.
#[test]
fn st_01_only_a_terminal_is_asked() {
    let lab = Lab::new(curious);
    let (reply, output) = lab.run(&["ask", "--deep", QUESTION]);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains(BACK));
    let (_ours, stdin, stderr) = terminal();
    let mut command = lab.command();
    command.args(["--json", "ask", "--deep", QUESTION]).stdin(stdin).stderr(stderr).stdout(Stdio::null());
    assert!(command.status().unwrap().success());
    let briefs: Vec<_> = lab.chat.requests().into_iter().filter(|asked| step(asked) == Step::Brief).collect();
    assert!(briefs.len() == 2 && briefs.iter().all(|asked| !asked.prompt.contains("ASK: ")), "{briefs:?}");
}
