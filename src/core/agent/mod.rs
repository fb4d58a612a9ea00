//! A run of somebody else's research agent: what any provider's run has, and in a folder of its own what is said by one provider only.

pub(crate) mod estimate;
pub(crate) mod google;
mod notes;
mod pause;
mod polls;
mod progress;
mod refusal;
mod run;
mod snapshot;
mod stream;

pub(crate) use notes::notes;
pub(crate) use pause::backoff;
pub(crate) use polls::{MissedPoll, PollTime, Polls};
pub(crate) use progress::RunProgress;
pub(crate) use refusal::Refusal;
pub(crate) use run::{Create, Follow, FollowEnd, FollowReply, Worker, uncertain};
pub(crate) use snapshot::{CitedPage, RunStatus, Snapshot, clip};
pub(crate) use stream::{Frames, StreamNews};
