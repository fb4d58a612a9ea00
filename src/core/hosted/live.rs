//! How far a run is, as its user sees it, and when to look again.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::limits;
use super::super::price::{self, Tokens};
use super::super::usage::Usd;
use super::snapshot::{Snapshot, clip};

/// What is known of a run while it runs. It is stored beside the task: every process shows the same, and what the
/// agent had found is still there when the provider has forgotten the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Live {
    pub(crate) last: Snapshot,
    /// When something new was last seen, in milliseconds since 1970.
    pub(crate) moved_ms: i64,
    /// Why the last look failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trouble: Option<String>,
    /// What it has cost so far, where the provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cost: Option<Usd>,
}

impl Live {
    /// Takes a look at the run; whether it shows anything new. What a stream told before stays as far as it says more.
    pub(crate) fn saw(&mut self, snapshot: Snapshot, worker: &str, now_ms: i64) -> bool {
        let mut seen = self.last.clone();
        seen.take_newer(snapshot);
        seen.add(&self.last);
        let moved = self.moved_ms == 0 || seen.weight() > self.last.weight();
        let changed = self.trouble.take().is_some() || moved || seen != self.last;
        self.last = seen;
        self.cost = self.tokens().map(|tokens| price::cost(worker, now_ms, tokens).cost);
        if moved {
            self.moved_ms = now_ms;
        }
        changed
    }

    /// Takes what a stream told; whether it is new. A stream tells less than a look, so it only adds.
    pub(crate) fn heard(&mut self, told: &Snapshot, now_ms: i64) -> bool {
        let before = self.last.weight();
        self.last.add(told);
        let moved = self.last.weight() > before;
        if moved {
            self.moved_ms = now_ms;
        }
        moved
    }

    /// A look failed; whether that is news.
    pub(crate) fn failed(&mut self, why: &str) -> bool {
        let why = clip(why, limits::LABEL_CHARS);
        let news = self.trouble.as_deref() != Some(&why);
        self.trouble = Some(why);
        news
    }

    /// For how long nothing has moved, when that is long enough to say so.
    pub(crate) fn stalled_ms(&self, now_ms: i64) -> Option<i64> {
        let still = now_ms.saturating_sub(self.moved_ms);
        (self.moved_ms > 0 && still >= i64::try_from(limits::STALLED.as_millis()).unwrap_or(i64::MAX)).then_some(still)
    }

    /// One line: what was really done, and the newest thought.
    pub(crate) fn action(&self) -> String {
        if let Some(trouble) = &self.trouble {
            return format!("the provider cannot be asked at the moment ({trouble}); the run goes on there");
        }
        let mut done = Vec::new();
        for (count, one, many) in [
            (self.last.searches, "search made", "searches made"),
            (self.last.read, "page read", "pages read"),
            (self.last.thought, "thought", "thoughts"),
        ] {
            match count {
                0 => {}
                1 => done.push(format!("1 {one}")),
                n => done.push(format!("{n} {many}")),
            }
        }
        let newest = self.last.thoughts.last().map(|thought| headline(thought)).filter(|line| !line.is_empty());
        match (done.is_empty(), newest) {
            (true, None) => "the agent is at work; it has not told anything yet".to_owned(),
            (true, Some(newest)) => newest,
            (false, None) => done.join(", "),
            (false, Some(newest)) => format!("{}; {newest}", done.join(", ")),
        }
    }

    pub(crate) fn tokens(&self) -> Option<Tokens> {
        self.last.tokens
    }
}

impl Snapshot {
    /// Takes over what another account of the same run counts more of.
    fn add(&mut self, other: &Self) {
        self.searches = self.searches.max(other.searches);
        self.read = self.read.max(other.read);
        self.thought = self.thought.max(other.thought);
        if other.thoughts.len() > self.thoughts.len() {
            self.thoughts.clone_from(&other.thoughts);
        }
    }

    /// Grows with everything a run does; equal weights show the same.
    fn weight(&self) -> u64 {
        let counted = u64::from(self.searches) + u64::from(self.read) + u64::from(self.thought);
        let listed = self.thoughts.len() + self.unread.len() + self.text.len();
        counted + u64::try_from(listed).unwrap_or(u64::MAX)
    }
}

/// The first line of a summary without its Markdown; agents begin theirs with a title in bold.
fn headline(thought: &str) -> String {
    let line = thought.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    clip(&line.replace(['*', '#', '`'], ""), limits::LABEL_CHARS)
}

/// How a run is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Now and then.
    Calm,
    /// A stream tells the end, so looks are only for the case that it lies.
    Streaming,
    /// It is over or nearly so.
    Hurried,
}

/// The wait before the next look at a run: short at first, the interval from then on, longer while looking fails, and
/// never the same for two runs. `dice` is any number.
pub(crate) fn pause(age: Duration, interval: Duration, pace: Pace, failures: u32, dice: u64) -> Duration {
    let calm = match pace {
        Pace::Calm => (age / 4).clamp(interval / 10, interval),
        Pace::Streaming => (age / 4).clamp(interval / 10, interval * 3),
        Pace::Hurried => interval / 10,
    };
    let wait =
        if failures == 0 { calm } else { (interval * 2_u32.saturating_pow(failures.min(8))).min(longest(interval)) };
    // Between 80 and 120 percent: runs that were started together drift apart.
    let share = 80 + u32::try_from(dice % 41).unwrap_or(20);
    wait * share / 100
}

fn longest(interval: Duration) -> Duration {
    limits::POLL_LONGEST.max(interval)
}

/// The wait before the next try of a create that was refused without a word about when.
pub(super) fn backoff(refused: u32) -> Duration {
    Duration::from_secs(2_u64.saturating_pow(refused.clamp(1, 6) - 1).min(60))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_secs(10);

    /// HR-14: looks go on for ever, ever less often, and not in step with each other.
    #[test]
    fn the_pause_grows_with_age_and_failures_within_its_bounds() {
        let secs =
            |age, failures, dice| pause(Duration::from_secs(age), INTERVAL, Pace::Calm, failures, dice).as_millis();
        for (age, failures, least, most) in [
            (0, 0, 800, 1_200),
            (12, 0, 2_400, 3_600),
            (3_600, 0, 8_000, 12_000),
            (3_600, 1, 16_000, 24_000),
            (3_600, 2, 32_000, 48_000),
            (3_600, 40, 48_000, 72_000),
        ] {
            for dice in [0, 20, 40, 41, u64::MAX] {
                let pause = secs(age, failures, dice);
                assert!((least..=most).contains(&pause), "{age} s, {failures} failures, dice {dice}: {pause}");
            }
            assert_ne!(secs(age, failures, 0), secs(age, failures, 40));
        }
    }

    #[test]
    fn a_short_interval_is_kept_short() {
        let tiny = Duration::from_millis(20);
        assert!(pause(Duration::from_secs(60), tiny, Pace::Calm, 0, 40) <= tiny * 120 / 100);
        assert!(pause(Duration::ZERO, tiny, Pace::Calm, 0, 0) > Duration::ZERO);
        let old = Duration::from_secs(3_600);
        let paces =
            [Pace::Hurried, Pace::Calm, Pace::Streaming].map(|pace| pause(old, INTERVAL, pace, 0, 20).as_secs());
        assert_eq!(paces, [1, 10, 30]);
    }

    fn seen(searches: u32, thoughts: &[&str]) -> Snapshot {
        let thoughts: Vec<String> = thoughts.iter().map(|thought| (*thought).to_owned()).collect();
        Snapshot { searches, thought: u32::try_from(thoughts.len()).unwrap(), thoughts, ..Snapshot::default() }
    }

    /// HR-06: what is shown is what was done, and stillness is seen as such.
    #[test]
    fn progress_is_what_was_done() {
        let mut live = Live::default();
        assert_eq!(live.stalled_ms(i64::MAX), None, "nothing is known yet");
        assert!(live.saw(seen(0, &[]), "", 1_000));
        assert_eq!(live.action(), "the agent is at work; it has not told anything yet");
        assert!(live.saw(seen(1, &["**Planning** the `search`\n\nlong text"]), "", 2_000));
        assert_eq!(live.action(), "1 search made, 1 thought; Planning the search");
        assert!(!live.saw(seen(1, &["**Planning** the `search`\n\nlong text"]), "", 3_000), "nothing new");
        assert_eq!(live.moved_ms, 2_000);
        let stall = i64::try_from(limits::STALLED.as_millis()).unwrap();
        assert_eq!(live.stalled_ms(2_000 + stall - 1), None);
        assert_eq!(live.stalled_ms(2_000 + stall), Some(stall));
    }

    #[test]
    fn trouble_is_news_once_and_ends_with_the_next_look() {
        let mut live = Live::default();
        live.saw(seen(2, &[]), "", 1);
        assert!(live.failed("timeout") && !live.failed("timeout"));
        assert!(live.action().contains("timeout"));
        assert!(live.saw(seen(2, &[]), "", 2), "the trouble is over, and that is news");
        assert_eq!(live.action(), "2 searches made");
    }

    /// A stream may have counted more than a look shows; the look's lists are news all the same.
    #[test]
    fn a_look_after_a_stream() {
        let mut live = Live::default();
        live.heard(&Snapshot { read: 3, ..seen(2, &["a", "b"]) }, 1);
        assert!(live.saw(Snapshot { read: 1, pages: vec!["https://a.example/".into()], ..seen(1, &["a"]) }, "", 2));
        assert_eq!((live.last.read, live.last.searches, live.last.pages.len(), live.last.thoughts.len()), (3, 2, 1, 2));
    }

    /// A poorer look (a cancelled run answers without its steps) takes nothing away.
    #[test]
    fn what_was_seen_stays() {
        let mut live = Live::default();
        live.saw(seen(5, &["a"]), "", 1);
        live.saw(Snapshot { status: super::super::RunStatus::Cancelled, ..Snapshot::default() }, "", 2);
        assert_eq!((live.last.searches, live.last.status.is_over()), (5, true));
    }

    #[test]
    fn backoff_doubles_up_to_a_minute() {
        let waits: Vec<u64> = (1..9).map(|n| backoff(n).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 32, 32]);
    }
}
