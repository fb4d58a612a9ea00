//! Signals that ask the program to end. The first one ends it in order, the second one at once.
//!
//! This is the only place that may end the process from within.

/// Waits for the first SIGINT, SIGTERM or SIGHUP (Ctrl-C elsewhere). From then on a SIGINT or SIGTERM ends the process, whatever it
/// is doing; a terminal that closes may send more than one SIGHUP. Must be called inside the runtime, once.
pub(crate) async fn first() {
    let Some(mut signals) = Signals::listen() else {
        // Without handlers the signals keep their default, which ends the process too.
        return std::future::pending().await;
    };
    signals.any().await;
    // Nobody waits for this task: it ends with the process, one way or the other.
    tokio::spawn(async move {
        signals.wanted().await;
        #[expect(clippy::disallowed_methods, reason = "the user asked twice; this is the gate")]
        std::process::exit(SECOND_SIGNAL);
    });
}

/// What a shell reports for a process ended by SIGINT.
const SECOND_SIGNAL: i32 = 130;

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// None where whoever started the program wants it ignored, as `nohup` does.
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        use crate::engine::hangup_ends;
        Some(Self {
            interrupt: signal(SignalKind::interrupt()).ok()?,
            terminate: signal(SignalKind::terminate()).ok()?,
            hangup: hangup_ends().then(|| signal(SignalKind::hangup()).ok()).flatten(),
        })
    }

    async fn any(&mut self) {
        let hangup = &mut self.hangup;
        let hung_up = async {
            match hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hung_up => {}
        }
    }

    /// A signal that somebody sends on purpose.
    async fn wanted(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals {}

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Option<Self> {
        Some(Self {})
    }

    async fn any(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    async fn wanted(&mut self) {
        self.any().await;
    }
}
