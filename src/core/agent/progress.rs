//! How far a run is, as its user sees it, and when to look again.

use serde::{Deserialize, Serialize};

use super::snapshot::{Snapshot, clip};
use crate::core::base::limits;
use crate::core::money::price::{self, Tokens};
use crate::core::money::usage::Usd;

/// What is known of a run while it runs. It is stored beside the task: every process shows the same, and what the
/// agent had found is still there when the provider has forgotten the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunProgress {
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

impl RunProgress {
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

/// The first line of a summary without its Markdown; agents begin theirs with a title in bold.
fn headline(thought: &str) -> String {
    let line = thought.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    clip(&line.replace(['*', '#', '`'], ""), limits::LABEL_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(searches: u32, thoughts: &[&str]) -> Snapshot {
        let thoughts: Vec<String> = thoughts.iter().map(|thought| (*thought).to_owned()).collect();
        Snapshot { searches, thought: u32::try_from(thoughts.len()).unwrap(), thoughts, ..Snapshot::default() }
    }

    /// HR-06: what is shown is what was done, and stillness is seen as such.
    #[test]
    fn progress_is_what_was_done() {
        let mut live = RunProgress::default();
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
        let mut live = RunProgress::default();
        live.saw(seen(2, &[]), "", 1);
        assert!(live.failed("timeout") && !live.failed("timeout"));
        assert!(live.action().contains("timeout"));
        assert!(live.saw(seen(2, &[]), "", 2), "the trouble is over, and that is news");
        assert_eq!(live.action(), "2 searches made");
    }

    /// A stream may have counted more than a look shows; the look's lists are news all the same.
    #[test]
    fn a_look_after_a_stream() {
        let mut live = RunProgress::default();
        live.heard(&Snapshot { read: 3, ..seen(2, &["a", "b"]) }, 1);
        assert!(live.saw(Snapshot { read: 1, pages: vec!["https://a.example/".into()], ..seen(1, &["a"]) }, "", 2));
        assert_eq!((live.last.read, live.last.searches, live.last.pages.len(), live.last.thoughts.len()), (3, 2, 1, 2));
    }

    /// A poorer look (a cancelled run answers without its steps) takes nothing away.
    #[test]
    fn what_was_seen_stays() {
        let mut live = RunProgress::default();
        live.saw(seen(5, &["a"]), "", 1);
        live.saw(Snapshot { status: super::super::RunStatus::Cancelled, ..Snapshot::default() }, "", 2);
        assert_eq!((live.last.searches, live.last.status.is_over()), (5, true));
    }
}
