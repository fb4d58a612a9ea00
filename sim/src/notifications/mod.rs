//! A desktop session without a desktop: a private bus of the real `dbus-daemon`, and a notification server on it that
//! writes down what it is asked to show.

mod server;

use std::io::{BufRead, BufReader};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use serde_json::Value;

/// What answers for `org.freedesktop.Notifications`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    Answers,
    /// Takes a notification and never says so.
    Hangs,
    None,
}

/// A session bus, with all that runs on it. It ends with the value.
#[derive(Debug)]
pub struct Desktop {
    address: String,
    bus: Child,
    server: Option<Running>,
}

/// A notification server.
#[derive(Debug)]
struct Running {
    connection: UnixStream,
    thread: JoinHandle<()>,
    notes: Receiver<Value>,
}

impl Desktop {
    /// Starts a session and waits until its server has its name.
    ///
    /// # Panics
    /// When `dbus-daemon` is not installed or does not start; its test could not go on anyway.
    #[must_use]
    pub fn start(server: Server) -> Self {
        let (bus, address) = dbus_daemon();
        let mut desktop = Self { address, bus, server: None };
        desktop.server = match server {
            Server::Answers => Some(Running::start(&desktop.address, false)),
            Server::Hangs => Some(Running::start(&desktop.address, true)),
            Server::None => None,
        };
        desktop
    }

    /// For `DBUS_SESSION_BUS_ADDRESS`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The next notification that was to be shown; waits for it.
    ///
    /// # Panics
    /// When there is no server.
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn next_note(&mut self) -> Value {
        let server = self.server.as_ref().expect("a notification server");
        server.notes.recv().expect("the notification server runs")
    }

    /// Ends the session and gives what nobody has looked at.
    #[must_use]
    pub fn stop(mut self) -> Vec<Value> {
        self.server.take().map(Running::stop).unwrap_or_default()
    }
}

impl Running {
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    fn start(address: &str, hangs: bool) -> Self {
        let connection = server::connect(address).expect("the bus gives the server its name");
        let (shown, notes) = channel();
        let served = connection.try_clone().expect("a second handle");
        let thread = std::thread::spawn(move || {
            // It ends with its connection, which is an error of reading.
            let _ = server::serve(served, hangs, &shown);
        });
        Self { connection, thread, notes }
    }

    fn stop(self) -> Vec<Value> {
        // Fails when the bus has ended first, and the thread with it.
        let _ = self.connection.shutdown(Shutdown::Both);
        // A panic of the thread has been printed.
        let _ = self.thread.join();
        self.notes.try_iter().collect()
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
        // Asked to end, it takes its socket away.
        let bus = rustix::process::Pid::from_child(&self.bus);
        let _already_over = rustix::process::kill_process(bus, rustix::process::Signal::TERM);
        let _reaped = self.bus.wait();
    }
}

#[expect(clippy::disallowed_methods, clippy::panic, clippy::expect_used, reason = "part of the tests, not of hadal")]
fn dbus_daemon() -> (Child, String) {
    let config = concat!("--config-file=", env!("CARGO_MANIFEST_DIR"), "/src/notifications/bus.conf");
    let args = [config, "--nofork", "--nopidfile", "--print-address"];
    let mut command = Command::new("dbus-daemon");
    // Its complaints about limits of the machine are not for those who read test results.
    let child = command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child =
        child.unwrap_or_else(|fault| panic!("`dbus-daemon` of the Debian package `dbus` is needed: {fault}"));
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let address = lines.next().and_then(Result::ok).expect("dbus-daemon prints its address");
    (child, address)
}
