//! The world of a scripted task: time, an invoice file, a child, a fault.

use std::io::Write;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error};
use crate::core::base::id::TaskId;
use crate::core::money::usage::Usage;
use crate::core::task::outcome::Outcome;
use crate::core::task::scripted::{Act, Step};
use crate::world::process::{Command, Gate, Limits};

pub(super) async fn perform(gate: &Gate, step: &Step, task: TaskId, cancel: &CancellationToken) -> (Outcome, Usage) {
    let line = format!("{task} {}", step.key);
    let answer = |value: &str| Outcome::Scripted { value: value.to_owned() };
    match &step.act {
        Act::Work { ms } => {
            if wait(*ms, cancel).await {
                (answer("done"), Usage::ZERO)
            } else {
                (Outcome::Failed { error: Error::new(Code::Cancelled, "stopped") }, Usage::ZERO)
            }
        }
        Act::Paid { ms, invoice, .. } => match bill(invoice, &line) {
            Ok(()) => {
                // Paid is paid: a stop does not undo it, so the answer is waited for.
                tokio::time::sleep(Duration::from_millis(*ms)).await;
                (answer("paid"), step.price())
            }
            Err(error) => (Outcome::Failed { error }, Usage::ZERO),
        },
        Act::Reconcile { invoice, .. } => {
            let found = std::fs::read_to_string(invoice).is_ok_and(|text| text.lines().any(|known| known == line));
            if found { (answer("paid"), step.price()) } else { (answer(""), Usage::ZERO) }
        }
        Act::Child { program, args } => {
            let done = child(gate, program, args, cancel).await;
            (done.map_or_else(|error| Outcome::Failed { error }, |value| Outcome::Scripted { value }), Usage::ZERO)
        }
        #[expect(clippy::panic, reason = "the fault is the script")]
        Act::Panic => panic!("a scripted fault"),
        Act::Fault => (answer("done"), Usage::ZERO),
        Act::Abort => std::process::abort(),
    }
}

async fn child(gate: &Gate, program: &str, args: &[String], cancel: &CancellationToken) -> Result<String, Error> {
    let limits = Limits {
        idle: Duration::from_secs(600),
        total: Duration::from_secs(600),
        stdout_bytes: 1 << 20,
        stderr_kept: 1 << 10,
        line_bytes: 1 << 10,
    };
    let command = Command {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        env: Vec::new(),
        cwd: "/".into(),
        stdin: Vec::new(),
        limits,
    };
    let mut last = String::new();
    let exit = gate.run(command, cancel, |line| last = String::from_utf8_lossy(line).into_owned()).await?;
    match exit.stopped(program.as_ref(), &limits) {
        Some(error) => Err(error),
        None => Ok(format!("{:?}: {last}", exit.status)),
    }
}

/// Waits, unless stopped: `false` then.
async fn wait(ms: u64, cancel: &CancellationToken) -> bool {
    tokio::select! {
        () = tokio::time::sleep(Duration::from_millis(ms)) => true,
        () = cancel.cancelled() => false,
    }
}

/// A line on the invoice, durable before anything else happens: what a provider would have billed.
fn bill(invoice: &str, line: &str) -> Result<(), Error> {
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(invoice)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_data()
    };
    write().map_err(|error| Error::new(Code::ExecutionError, format!("no invoice: {error}")))
}
