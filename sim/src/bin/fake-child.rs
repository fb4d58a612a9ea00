//! A child with bad manners. Its arguments say, one after another, what it does:
//!
//! | argument | does |
//! |---|---|
//! | `pid:NAME` | prints `NAME <pid>` |
//! | `line:TEXT`, `text:TEXT`, `err:TEXT` | prints a line, text without a line feed, a line on stderr |
//! | `mb:N`, `errmb:N` | prints N MB in lines of 1000 bytes |
//! | `drip:N:MS` | prints N lines with MS milliseconds before each |
//! | `env`, `cwd` | prints its environment, its directory |
//! | `echo` | copies stdin to stdout |
//! | `fork:A,B,…` | starts a grandchild that does A, B, …, with the same stdout, and does not wait for it |
//! | `bare:A,B,…` | the same with an empty environment |
//! | `setsid` | leaves the session and the process group |
//! | `deaf` | ignores SIGTERM, SIGINT and SIGHUP from here on, as do all it starts |
//! | `exit:N`, `die:N` | ends with exit code N, by signal N |
//! | `stall` | does nothing, but not for ever: a test that failed must not leave it behind |

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::time::Duration;

const STALL: Duration = Duration::from_secs(120);
const MB: usize = 1_000_000;

fn main() -> ExitCode {
    let mut actions = std::env::args().skip(1);
    while let Some(action) = actions.next() {
        if action == "deaf" {
            return deaf(actions.collect());
        }
        match act(&action) {
            Ok(None) => {}
            Ok(Some(code)) => return ExitCode::from(code),
            Err(problem) => {
                let _ = writeln!(io::stderr(), "{action}: {problem}");
                return ExitCode::from(98);
            }
        }
    }
    ExitCode::SUCCESS
}

/// Does one thing; `Some` is an exit code.
fn act(action: &str) -> io::Result<Option<u8>> {
    let (verb, rest) = action.split_once(':').unwrap_or((action, ""));
    let mut stdout = io::stdout();
    match verb {
        "pid" => writeln!(stdout, "{rest} {}", std::process::id())?,
        "line" => writeln!(stdout, "{rest}")?,
        "text" => write!(stdout, "{rest}")?,
        "err" => writeln!(io::stderr(), "{rest}")?,
        "mb" => flood(&mut stdout, number(rest)?)?,
        "errmb" => flood(&mut io::stderr(), number(rest)?)?,
        "drip" => drip(&mut stdout, rest)?,
        "env" => environment(&mut stdout)?,
        "cwd" => writeln!(stdout, "{}", std::env::current_dir()?.display())?,
        "echo" => _ = io::copy(&mut io::stdin(), &mut stdout)?,
        "fork" => _ = grandchild(rest)?.spawn()?,
        "bare" => _ = grandchild(rest)?.env_clear().spawn()?,
        "setsid" => _ = rustix::process::setsid()?,
        "exit" => return Ok(Some(number(rest)?)),
        "die" => die(number(rest)?)?,
        "stall" => std::thread::sleep(STALL),
        _ => return Err(io::Error::other("unknown action")),
    }
    stdout.flush()?;
    Ok(None)
}

fn number<N: std::str::FromStr>(text: &str) -> io::Result<N> {
    text.parse().map_err(|_| io::Error::other("not a number"))
}

fn flood(stream: &mut dyn Write, mb: usize) -> io::Result<()> {
    let mut line = vec![b'x'; 1_000];
    if let Some(end) = line.last_mut() {
        *end = b'\n';
    }
    let block = line.repeat(50);
    for _ in 0..mb * MB / block.len() {
        stream.write_all(&block)?;
    }
    Ok(())
}

fn drip(stream: &mut dyn Write, rest: &str) -> io::Result<()> {
    let (count, ms) = rest.split_once(':').unwrap_or((rest, "0"));
    for n in 0..number(count)? {
        std::thread::sleep(Duration::from_millis(number(ms)?));
        writeln!(stream, "drop {n}")?;
        stream.flush()?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "showing the environment is what it is for")]
fn environment(stream: &mut dyn Write) -> io::Result<()> {
    for (name, value) in std::env::vars_os() {
        writeln!(stream, "{}={}", name.display(), value.display())?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "starting grandchildren is what it is for")]
fn grandchild(actions: &str) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(actions.split(','));
    Ok(command)
}

/// A shell can set signals to be ignored, and that outlives `exec`.
#[expect(clippy::disallowed_methods, reason = "replacing itself is what it is for")]
fn deaf(actions: Vec<String>) -> ExitCode {
    let Ok(own) = std::env::current_exe() else { return ExitCode::from(97) };
    let script = r#"trap "" TERM INT HUP; exec "$0" "$@""#;
    let problem = Command::new("/bin/sh").arg("-c").arg(script).arg(own).args(actions).exec();
    let _ = writeln!(io::stderr(), "deaf: {problem}");
    ExitCode::from(97)
}

fn die(signal: i32) -> io::Result<()> {
    let signal = rustix::process::Signal::from_named_raw(signal).ok_or_else(|| io::Error::other("unknown signal"))?;
    rustix::process::kill_process(rustix::process::getpid(), signal)?;
    std::thread::sleep(STALL);
    Ok(())
}
