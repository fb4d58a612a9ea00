//! What the looks at a run so far have shown: whether it is over, gone, too dear or too late, and how soon to look again.

use std::time::Duration;

use super::pause::{PollPace, pause};
use super::progress::RunProgress;
use super::refusal::Refusal;
use super::run::{Follow, FollowEnd};
use super::snapshot::{RunStatus, Snapshot};
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::money::price::Tokens;

#[derive(Clone, Debug, Default)]
pub(crate) struct Polls {
    failures: u32,
    lost: u32,
    refused: u32,
    forbidden: u32,
    unknown: u32,
    without_usage: u32,
    /// Quick looks that are left after an end was heard.
    hurried: u32,
    /// The wait the provider asked for.
    told: Option<Duration>,
}

/// A look that showed nothing.
#[derive(Clone, Debug)]
pub(crate) enum MissedPoll {
    /// The provider answered, and said no.
    Refused(Refusal),
    /// No answer, or none that can be read.
    Lost(Error),
}

/// When a look was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollTime {
    /// Milliseconds since 1970.
    pub(crate) now_ms: i64,
    /// How long this process has followed the run.
    pub(crate) age: Duration,
}

impl Polls {
    /// Takes a look, good or bad, into what is known of the run. The first value says whether that is news, the second
    /// why it was the last look.
    pub(crate) fn take(
        &mut self,
        looked: Result<Snapshot, MissedPoll>,
        live: &mut RunProgress,
        follow: &Follow,
        at: PollTime,
    ) -> (bool, Option<FollowEnd>) {
        self.told = None;
        let (news, verdict) = match looked {
            Ok(seen) => self.saw(seen, live, follow, at.now_ms),
            Err(missed) => self.missed(missed, live, at.age),
        };
        (news, verdict.or_else(|| (at.now_ms >= follow.deadline_ms).then_some(FollowEnd::Deadline)))
    }

    fn saw(
        &mut self,
        seen: Snapshot,
        live: &mut RunProgress,
        follow: &Follow,
        now_ms: i64,
    ) -> (bool, Option<FollowEnd>) {
        let (unknown, over) = (matches!(seen.status, RunStatus::Unknown(_)), seen.status.is_over());
        let told = seen.tokens.is_some();
        (self.failures, self.lost, self.refused, self.forbidden) = (0, 0, 0, 0);
        self.hurried = self.hurried.saturating_sub(1);
        self.unknown = if unknown { self.unknown + 1 } else { 0 };
        self.without_usage += u32::from(over && !told);
        let news = live.saw(seen, &follow.worker, now_ms);
        let done = over && (told || self.without_usage >= limits::USAGE_LOOKS);
        let verdict = if done || self.unknown >= limits::UNKNOWN_LOOKS {
            Some(FollowEnd::Over)
        } else {
            let used = live.tokens().map(Tokens::total);
            let dear = follow.cost_cap.zip(live.cost).is_some_and(|(cap, cost)| cost > cap)
                || follow.token_cap.zip(used).is_some_and(|(cap, used)| used > cap);
            (dear && !over).then_some(FollowEnd::OverBudget)
        };
        (news, verdict)
    }

    fn missed(&mut self, missed: MissedPoll, live: &mut RunProgress, age: Duration) -> (bool, Option<FollowEnd>) {
        self.failures = self.failures.saturating_add(1);
        let error = match missed {
            MissedPoll::Refused(Refusal::Missing(error)) => {
                self.lost += 1;
                // A new run may be unknown for a moment. One that was known before is gone.
                let known = live.moved_ms > 0 && !live.last.status.is_over();
                if self.lost >= limits::LOST_LOOKS && (known || age >= limits::LOST_GRACE) {
                    return (false, Some(FollowEnd::Expired));
                }
                self.failures = 0;
                error
            }
            MissedPoll::Refused(Refusal::Wrong(error)) if error.code == Code::ProviderRefused => {
                self.refused += 1;
                if self.refused >= limits::LOST_LOOKS {
                    return (false, Some(FollowEnd::Refused(error)));
                }
                error
            }
            MissedPoll::Refused(Refusal::Forbidden(error)) => {
                // A new run may be forbidden for a moment, and a key may be mended; not for ever.
                self.forbidden += 1;
                if self.forbidden >= limits::FORBIDDEN_POLLS {
                    return (false, Some(FollowEnd::Refused(error)));
                }
                error
            }
            MissedPoll::Refused(refusal) => refusal.error(),
            MissedPoll::Lost(error) => error,
        };
        self.told = error.retry_after;
        (live.failed(&error.message), None)
    }

    /// The end was heard elsewhere; what a look shows may lag behind it.
    pub(crate) fn hurry(&mut self) {
        self.hurried = limits::HURRIED_LOOKS;
    }

    /// The wait before the next look, not beyond the deadline. `dice` is any number.
    pub(crate) fn pause(
        &self,
        follow: &Follow,
        at: PollTime,
        interval: Duration,
        streaming: bool,
        dice: u64,
    ) -> Duration {
        let pace = match (self.hurried > 0 || self.without_usage > 0, streaming) {
            (true, _) => PollPace::Hurried,
            (false, true) if self.unknown == 0 && self.lost == 0 => PollPace::Streaming,
            (false, _) => PollPace::Calm,
        };
        let own = pause(at.age, interval, pace, self.failures, dice);
        let left = u64::try_from(follow.deadline_ms.saturating_sub(at.now_ms)).unwrap_or(0);
        self.told.map_or(own, |told| told.max(own)).min(Duration::from_millis(left.saturating_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use crate::core::agent::google;
    use serde_json::{Value, json};

    use super::*;
    use crate::core::money::usage::Usd;

    const INTERVAL: Duration = Duration::from_secs(10);

    fn follow() -> Follow {
        Follow {
            interaction: "v1_a".into(),
            worker: google::AGENTS[0].into(),
            deadline_ms: 1_000_000,
            cost_cap: None,
            token_cap: None,
        }
    }

    fn at(seconds: u64) -> PollTime {
        PollTime { now_ms: i64::try_from(seconds * 1_000).unwrap(), age: Duration::from_secs(seconds) }
    }

    fn seen(body: Value) -> Result<Snapshot, MissedPoll> {
        Ok(google::interaction(&body).unwrap())
    }

    fn refused(status: u16) -> Result<Snapshot, MissedPoll> {
        Err(MissedPoll::Refused(google::refusal(status, None, "")))
    }

    /// The verdicts of looks that are a second apart.
    fn verdicts(
        live: &mut RunProgress,
        follow: &Follow,
        looks: Vec<Result<Snapshot, MissedPoll>>,
    ) -> Vec<Option<FollowEnd>> {
        let mut state = Polls::default();
        looks.into_iter().zip(1..).map(|(look, second)| state.take(look, live, follow, at(second)).1).collect()
    }

    fn running() -> Value {
        json!({"status": "in_progress", "steps": [{"type": "thought", "summary": "a"}]})
    }

    /// HR-14: a lost network, faults and quotas are waited out, for as long as the user waits.
    #[test]
    fn hr_14_passing_trouble_is_no_verdict() {
        let lost = || Err(MissedPoll::Lost(Error::new(Code::ProviderUnreachable, "no network")));
        let mut looks: Vec<_> = (0..25).flat_map(|_| [lost(), refused(500), refused(429), refused(403)]).collect();
        looks.push(seen(running()));
        assert!(verdicts(&mut RunProgress::default(), &follow(), looks).iter().all(Option::is_none));
        let late = Follow { deadline_ms: 3_000, ..follow() };
        let told = verdicts(&mut RunProgress::default(), &late, vec![lost(), seen(running()), lost()]);
        assert_eq!(told, [None, None, Some(FollowEnd::Deadline)]);
    }

    /// HR-13: what was known and is missing three times is gone; a new one has a minute.
    #[test]
    fn hr_13_missing_runs() {
        let gone = vec![seen(running()), refused(404), refused(404), refused(404)];
        assert_eq!(
            verdicts(&mut RunProgress::default(), &follow(), gone),
            [None, None, None, Some(FollowEnd::Expired)]
        );
        let back = vec![seen(running()), refused(404), refused(404), seen(running()), refused(404), refused(404)];
        assert!(verdicts(&mut RunProgress::default(), &follow(), back).iter().all(Option::is_none), "three in a row");
        let new: Vec<_> = (0..60).map(|_| refused(404)).collect();
        let told = verdicts(&mut RunProgress::default(), &follow(), new);
        assert_eq!(told.iter().position(Option::is_some), Some(59), "LOST_GRACE is a minute");
    }

    /// A request that is wrong stays wrong, but one odd answer is not yet that.
    #[test]
    fn refusals_for_good() {
        let told = verdicts(&mut RunProgress::default(), &follow(), vec![refused(400), refused(400), refused(400)]);
        assert!(matches!(told[..], [None, None, Some(FollowEnd::Refused(_))]), "{told:?}");
    }

    /// PR-01: a run that may not be looked at any more ends with a code, once that is no passing matter.
    #[test]
    fn forbidden_for_good() {
        let many = |count: u32| (0..count).map(|_| refused(403)).collect::<Vec<_>>();
        let told = verdicts(&mut RunProgress::default(), &follow(), many(limits::FORBIDDEN_POLLS));
        assert!(told[..told.len() - 1].iter().all(Option::is_none));
        assert!(
            matches!(&told[told.len() - 1], Some(FollowEnd::Refused(error)) if error.code == Code::NotAuthenticated)
        );
        let mut mended = many(limits::FORBIDDEN_POLLS - 1);
        mended.push(seen(running()));
        mended.extend(many(limits::FORBIDDEN_POLLS - 1));
        assert!(verdicts(&mut RunProgress::default(), &follow(), mended).iter().all(Option::is_none));
    }

    /// What a run used comes later, or never; a word that nobody knows may be one of tomorrow.
    #[test]
    fn ends_that_are_not_plain() {
        let usage = json!({"total_input_tokens": 1_000_000});
        let done = || json!({"status": "completed"});
        let mut billed = done();
        billed["usage"] = usage.clone();
        let told = verdicts(&mut RunProgress::default(), &follow(), vec![seen(done()), seen(billed)]);
        assert_eq!(told, [None, Some(FollowEnd::Over)]);
        let never = verdicts(&mut RunProgress::default(), &follow(), (0..9).map(|_| seen(done())).collect());
        assert_eq!(never.iter().position(Option::is_some), Some(limits::USAGE_LOOKS as usize - 1));
        let odd =
            verdicts(&mut RunProgress::default(), &follow(), (0..9).map(|_| seen(json!({"status": "odd"}))).collect());
        assert_eq!(odd.iter().position(Option::is_some), Some(limits::UNKNOWN_LOOKS as usize - 1));
        // BU-01: known to be too dear while it runs.
        let capped = Follow { cost_cap: Some(Usd::from_micros(1)), ..follow() };
        let mut dear = running();
        dear["usage"] = usage;
        assert_eq!(verdicts(&mut RunProgress::default(), &capped, vec![seen(dear)]), [Some(FollowEnd::OverBudget)]);
    }

    /// BU-01: a run may cost as much as its cap, and one that is over cannot be stopped any more.
    #[test]
    fn bu_01_only_what_runs_and_costs_more_is_too_dear() {
        let mut dear = running();
        dear["usage"] = json!({"total_input_tokens": 1_000_000});
        let mut live = RunProgress::default();
        verdicts(&mut live, &follow(), vec![seen(dear.clone())]);
        let cost = live.cost.unwrap();
        let of = |cap: Option<Usd>, look: &Value| {
            let follow = Follow { cost_cap: cap, ..follow() };
            verdicts(&mut RunProgress::default(), &follow, vec![seen(look.clone())]).pop().unwrap()
        };
        assert_eq!(of(Some(cost), &dear), None);
        assert_eq!(of(Some(Usd::from_micros(cost.micros() - 1)), &dear), Some(FollowEnd::OverBudget));
        assert_eq!(of(None, &dear), None);
        dear["status"] = json!("completed");
        assert_eq!(of(Some(Usd::from_micros(1)), &dear), Some(FollowEnd::Over));
    }

    #[test]
    fn the_next_look() {
        let mut looks = Polls::default();
        let old = at(900);
        let wait = |looks: &Polls, streaming| looks.pause(&follow(), old, INTERVAL, streaming, 20).as_secs();
        assert_eq!([wait(&looks, false), wait(&looks, true)], [10, 30]);
        looks.hurry();
        assert_eq!(wait(&looks, true), 1);
        let told = google::refusal(429, Some(Duration::from_secs(70)), "");
        let mut live = RunProgress::default();
        let mut looks = Polls::default();
        looks.take(Err(MissedPoll::Refused(told)), &mut live, &follow(), old);
        assert_eq!(wait(&looks, false), 70, "as long as the provider says");
        assert!(
            looks.pause(&follow(), at(999), INTERVAL, false, 20) <= Duration::from_millis(1_001),
            "not past the end"
        );
    }
}
