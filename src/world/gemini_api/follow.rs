//! Following a run to its end: a look now and then, a stream beside it, and patience with everything in between.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::stream::Heard;
use super::{GeminiApi, Haste, Trouble};
use crate::core::error::{Code, Error, Result};
use crate::core::hosted::{Follow, Followed, Live, Pace, Refusal, RunStatus, Snapshot, Verdict, pause};
use crate::core::limits;
use crate::core::price;
use crate::world::{clock, random, redirects};

/// News a listener may be behind; more are not needed, the newest counts.
const HEARD: usize = 16;

/// What the looks so far have shown.
#[derive(Debug, Default)]
struct Looks {
    failures: u32,
    lost: u32,
    refused: u32,
    unknown: u32,
    without_usage: u32,
    /// Quick looks that are left after an end was heard.
    hurried: u32,
    /// The wait the provider asked for.
    told: Option<Duration>,
}

impl GeminiApi {
    /// Follows a run until it is over, gone, too late or too dear. `live` is what is known of it already; `tell` hears of
    /// everything new.
    pub(crate) async fn follow(
        &self,
        follow: &Follow,
        mut live: Live,
        cancel: &CancellationToken,
        tell: impl Fn(&Live),
    ) -> Result<Followed> {
        let begun = Instant::now();
        let mut looks = Looks::default();
        let mut listener: Option<(AbortOnDropHandle<()>, mpsc::Receiver<Heard>)> = None;
        loop {
            let looked = tokio::select! {
                looked = self.get(&follow.interaction, Haste::Patient) => looked,
                () = cancel.cancelled() => return Err(stopped()),
            };
            let running = looked.as_ref().is_ok_and(|seen| !seen.status.is_over());
            if let Some(verdict) = looks.take(looked, &mut live, begun, follow, &tell) {
                let mut last = live.last;
                if verdict == Verdict::Over && self.inner.resolve_redirects {
                    resolve(&mut last).await;
                }
                return Ok(Followed { verdict, last });
            }
            if running && listener.is_none() {
                let (hear, heard) = mpsc::channel(HEARD);
                let listening = tokio::spawn(self.clone().listen(follow.interaction.clone(), hear));
                listener = Some((AbortOnDropHandle::new(listening), heard));
            }
            let streaming = listener.as_ref().is_some_and(|(task, _)| !task.is_finished());
            let until = Instant::now() + self.wait(&looks, begun, streaming, follow.deadline_ms);
            looks.hurried = looks.hurried.saturating_sub(1);
            if self.until(until, &mut listener, &mut live, cancel, &tell).await? == Woken::ByTheEnd {
                looks.hurried = limits::HURRIED_LOOKS;
            }
        }
    }

    /// The wait before the next look.
    fn wait(&self, looks: &Looks, begun: Instant, streaming: bool, deadline_ms: i64) -> Duration {
        let pace = match (looks.hurried > 0 || looks.without_usage > 0, streaming) {
            (true, _) => Pace::Hurried,
            (false, true) if looks.unknown == 0 && looks.lost == 0 => Pace::Streaming,
            (false, _) => Pace::Calm,
        };
        let own = pause(begun.elapsed(), self.inner.interval, pace, looks.failures, random::bits64());
        let left = u64::try_from(deadline_ms.saturating_sub(clock::now_ms())).unwrap_or(0);
        looks.told.map_or(own, |told| told.max(own)).min(Duration::from_millis(left.saturating_add(1)))
    }

    /// Waits, and takes what the stream tells meanwhile. An end that is heard is looked at right away.
    async fn until(
        &self,
        until: Instant,
        listener: &mut Option<(AbortOnDropHandle<()>, mpsc::Receiver<Heard>)>,
        live: &mut Live,
        cancel: &CancellationToken,
        tell: &impl Fn(&Live),
    ) -> Result<Woken> {
        loop {
            let hearing = async {
                match listener {
                    Some((_, heard)) => heard.recv().await,
                    None => None,
                }
            };
            tokio::select! {
                () = cancel.cancelled() => return Err(stopped()),
                () = tokio::time::sleep_until(until) => return Ok(Woken::ByTime),
                heard = hearing => match heard {
                    Some(Heard::News(told)) => {
                        if live.heard(&told, clock::now_ms()) {
                            tell(live);
                        }
                    }
                    Some(Heard::Over) => return Ok(Woken::ByTheEnd),
                    // The stream has ended: the looks go on.
                    None => {
                        tokio::select! {
                            () = cancel.cancelled() => return Err(stopped()),
                            () = tokio::time::sleep_until(until) => return Ok(Woken::ByTime),
                        }
                    }
                },
            }
        }
    }
}

/// Why the wait for the next look ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    ByTime,
    ByTheEnd,
}

impl Looks {
    /// Takes a look, good or bad, and says when it was the last.
    fn take(
        &mut self,
        looked: Result<Snapshot, Trouble>,
        live: &mut Live,
        begun: Instant,
        follow: &Follow,
        tell: &impl Fn(&Live),
    ) -> Option<Verdict> {
        self.told = None;
        let verdict = match looked {
            Ok(seen) => {
                let (unknown, over) = (matches!(seen.status, RunStatus::Unknown(_)), seen.status.is_over());
                (self.failures, self.lost, self.refused) = (0, 0, 0);
                self.unknown = if unknown { self.unknown + 1 } else { 0 };
                self.without_usage += u32::from(over && seen.tokens.is_none());
                let told = seen.tokens.is_some();
                let news = live.saw(seen, clock::now_ms());
                live.cost = live.tokens().map(|tokens| price::cost(&follow.worker, clock::now_ms(), tokens).cost);
                if news {
                    tell(live);
                }
                if over && (told || self.without_usage >= limits::USAGE_LOOKS) || self.unknown >= limits::UNKNOWN_LOOKS
                {
                    return Some(Verdict::Over);
                }
                let dear = follow.cost_cap.zip(live.cost).is_some_and(|(cap, cost)| cost > cap);
                (dear && !over).then_some(Verdict::OverBudget)
            }
            Err(trouble) => self.failed(trouble, live, begun, tell),
        };
        verdict.or_else(|| (clock::now_ms() >= follow.deadline_ms).then_some(Verdict::Deadline))
    }

    fn failed(&mut self, trouble: Trouble, live: &mut Live, begun: Instant, tell: &impl Fn(&Live)) -> Option<Verdict> {
        self.failures = self.failures.saturating_add(1);
        let error = match trouble {
            Trouble::Refused(Refusal::Missing(error)) => {
                self.lost += 1;
                // A new run may be unknown for a moment. One that was known before is gone.
                let known = live.moved_ms > 0 && !live.last.status.is_over();
                if self.lost >= limits::LOST_LOOKS && (known || begun.elapsed() >= limits::LOST_GRACE) {
                    return Some(Verdict::Expired);
                }
                self.failures = 0;
                error
            }
            Trouble::Refused(Refusal::Wrong(error)) if error.code == Code::ProviderRefused => {
                self.refused += 1;
                if self.refused >= limits::LOST_LOOKS {
                    return Some(Verdict::Refused(error));
                }
                error
            }
            other => other.error(),
        };
        self.told = error.retry_after;
        if live.failed(&error.message) {
            tell(live);
        }
        None
    }
}

/// Google's own links expire: the addresses behind them stand in the report.
async fn resolve(last: &mut Snapshot) {
    let before: Vec<String> = last.sources.iter().map(|cited| cited.url.clone()).collect();
    let after = redirects::resolve_each(&before).await;
    for (cited, (old, new)) in last.sources.iter_mut().zip(before.iter().zip(after)) {
        if *old != new {
            last.text = last.text.replace(old.as_str(), &new);
            cited.url = new;
        }
    }
}

fn stopped() -> Error {
    Error::new(Code::Cancelled, "stopped while following the run")
}
