//! Following a run to its end: a look now and then, a stream beside it, and patience with everything in between. What
//! the polls mean is `core::agent`'s to say.

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::stream::StreamMessage;
use super::{ApiFailure, GeminiApi, Haste};
use crate::core::agent::{Follow, FollowEnd, FollowReply, MissedPoll, PollTime, Polls, RunProgress, Snapshot};
use crate::core::base::error::{Code, Error, Result};
use crate::world::{clock, random, redirects};

/// News a listener may be behind; more are not needed, the newest counts.
const HEARD: usize = 16;

/// The stream of a run, while it tells anything.
#[derive(Debug, Default)]
struct Listener {
    open: Option<(AbortOnDropHandle<()>, mpsc::Receiver<StreamMessage>)>,
}

impl GeminiApi {
    /// Follows a run until it is over, gone, too late or too dear. `live` is what is known of it already; `tell` hears of
    /// everything new.
    pub(crate) async fn follow(
        &self,
        follow: &Follow,
        mut live: RunProgress,
        cancel: &CancellationToken,
        tell: impl Fn(&RunProgress),
    ) -> Result<FollowReply> {
        let begun = Instant::now();
        let at = || PollTime { now_ms: clock::now_ms(), age: begun.elapsed() };
        let mut looks = Polls::default();
        let mut listener: Option<Listener> = None;
        loop {
            let looked = tokio::select! {
                looked = self.get(&follow.interaction, Haste::Patient) => looked,
                () = cancel.cancelled() => return Err(stopped()),
            };
            let running = looked.as_ref().is_ok_and(|seen| !seen.status.is_over());
            let (news, verdict) = looks.take(looked.map_err(MissedPoll::from), &mut live, follow, at());
            if news {
                tell(&live);
            }
            if let Some(verdict) = verdict {
                let mut last = live.last;
                if verdict == FollowEnd::Over && self.inner.resolve_redirects {
                    resolve(&mut last).await;
                }
                return Ok(FollowReply { verdict, last });
            }
            if running && listener.is_none() {
                listener = Some(self.listener(follow));
            }
            let streaming = listener.as_ref().is_some_and(|listener| listener.open.is_some());
            let wait = looks.pause(follow, at(), self.inner.interval, streaming, random::bits64());
            let until = tokio::time::sleep(wait);
            tokio::pin!(until);
            loop {
                tokio::select! {
                    () = cancel.cancelled() => return Err(stopped()),
                    () = &mut until => break,
                    heard = hear(&mut listener) => match heard {
                        StreamMessage::News(told) => {
                            if live.heard(&told, clock::now_ms()) {
                                tell(&live);
                            }
                        }
                        // Looked at right away.
                        StreamMessage::Over => {
                            looks.hurry();
                            break;
                        }
                    },
                }
            }
        }
    }

    fn listener(&self, follow: &Follow) -> Listener {
        let (hear, heard) = mpsc::channel(HEARD);
        let listening = tokio::spawn(self.clone().listen(follow.interaction.clone(), hear));
        Listener { open: Some((AbortOnDropHandle::new(listening), heard)) }
    }
}

/// The next thing a stream tells. One that has ended tells nothing more: the looks go on without it.
async fn hear(listener: &mut Option<Listener>) -> StreamMessage {
    if let Some(listener) = listener
        && let Some((_, heard)) = &mut listener.open
    {
        if let Some(heard) = heard.recv().await {
            return heard;
        }
        listener.open = None;
    }
    std::future::pending().await
}

impl From<ApiFailure> for MissedPoll {
    fn from(trouble: ApiFailure) -> Self {
        match trouble {
            ApiFailure::NotSent(error) | ApiFailure::Unclear(error) => Self::Lost(error),
            ApiFailure::Refused(refusal) => Self::Refused(refusal),
        }
    }
}

/// Google's own links expire: the addresses behind them stand in the report.
async fn resolve(last: &mut Snapshot) {
    let before: Vec<String> = last.sources.iter().map(|cited| cited.url.clone()).collect();
    let after = redirects::resolve_each(&before).await;
    for (cited, (old, new)) in last.sources.iter_mut().zip(before.iter().zip(after)) {
        if *old != new {
            last.text = last.text.replace(old.as_str(), &new);
            last.pages.iter_mut().filter(|page| *page == old).for_each(|page| page.clone_from(&new));
            cited.url = new;
        }
    }
}

fn stopped() -> Error {
    Error::new(Code::Cancelled, "stopped while following the run")
}
