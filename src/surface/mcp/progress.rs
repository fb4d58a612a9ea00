//! Progress notifications of one call.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use tokio::time::{Instant, sleep_until};

use crate::core::base::limits;
use crate::core::task::Progress;

/// The request that a call came with.
pub(super) type Context = RequestContext<RoleServer>;

/// Tells the client how far its task is, if it asked to be told, and shows life at least every
/// [`limits::MCP_HEARTBEAT`].
pub(super) struct Reporter<'a> {
    context: &'a Context,
    token: Option<ProgressToken>,
    meter: Meter,
    action: String,
    last: Instant,
    /// Something new was held back.
    held: bool,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(context: &'a Context, action: String) -> Self {
        let token = context.meta.get_progress_token();
        Self { context, token, meter: Meter::default(), action, last: Instant::now(), held: false }
    }

    /// Waits until what was held back or the next sign of life is due; for ever if nobody asked.
    pub(super) async fn due(&self) {
        let gap = if self.held { limits::MCP_PROGRESS_GAP } else { limits::MCP_HEARTBEAT };
        match self.token {
            Some(_) => sleep_until(self.last + gap).await,
            None => std::future::pending().await,
        }
    }

    /// Takes news. A burst is not passed on one by one: what is held back, and only the newest of it, comes a moment
    /// later.
    pub(super) async fn news(&mut self, progress: &Progress) {
        let lines = progress.tree.iter().map(|branch| format!("\n{}", branch.line()));
        self.action = progress.action.clone() + &lines.collect::<String>();
        self.meter.reached(progress.percent);
        self.held = true;
        if self.last.elapsed() >= limits::MCP_PROGRESS_GAP {
            self.send().await;
        }
    }

    pub(super) async fn send(&mut self) {
        let Some(token) = self.token.clone() else { return };
        self.last = Instant::now();
        self.held = false;
        let mut params = ProgressNotificationParam::new(token, self.meter.next()).with_message(self.action.clone());
        if self.meter.known() {
            params = params.with_total(FULL);
        }
        tokio::select! {
            _a_client_that_does_not_listen_is_no_error = self.context.peer.notify_progress(params) => {}
            () = self.context.ct.cancelled() => {}
        }
    }
}

const FULL: f64 = 100.0;

/// Turns what a task reports into the strictly increasing numbers that the protocol wants. Signs of life move it by
/// next to nothing: progress is what was reported, not time that went by.
#[derive(Clone, Copy, Debug, Default)]
struct Meter {
    percent: Option<f64>,
    shown: f64,
}

impl Meter {
    fn reached(&mut self, percent: Option<u8>) {
        self.percent = percent.map(f64::from).or(self.percent);
    }

    /// Whether the task has ever said how far it is.
    fn known(&self) -> bool {
        self.percent.is_some()
    }

    fn next(&mut self) -> f64 {
        let crept = self.shown + (FULL - self.shown) * 1e-6;
        // The last bit belongs to the answer itself, so that there is always room above.
        let reported = self.percent.unwrap_or(0.0).min(FULL - 0.1);
        self.shown = crept.max(reported);
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// SE-03: whatever a task reports, the numbers rise strictly and stay below the total.
        #[test]
        fn numbers_rise(reports in proptest::collection::vec(proptest::option::of(any::<u8>()), 1..2_000)) {
            let mut meter = Meter::default();
            let mut last = 0.0;
            for report in reports {
                meter.reached(report);
                let next = meter.next();
                prop_assert!(next > last && next < FULL, "{last} then {next}");
                last = next;
            }
        }
    }

    #[test]
    fn signs_of_life_are_not_progress() {
        let mut meter = Meter::default();
        meter.reached(Some(40));
        let numbers: Vec<f64> = (0..1_000).map(|_| meter.next()).collect();
        assert!(numbers.iter().all(|number| (40.0..40.1).contains(number)), "{:?}", numbers.last());
    }
}
