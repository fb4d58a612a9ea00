//! The limits of runs of somebody else's agent.

use std::time::Duration;

/// Between two rows of a hosted run's progress.
pub(crate) const LIVE_EVERY: Duration = Duration::from_secs(1);
/// How long the start of a hosted run is tried while the provider says when to come back.
pub(crate) const CREATE_PATIENCE_TOLD: Duration = Duration::from_secs(30 * 60);
/// The same while it only says "too many".
pub(crate) const CREATE_PATIENCE: Duration = Duration::from_secs(10 * 60);
/// The same while it cannot be reached at all: its user is still there and can be told.
pub(crate) const CREATE_PATIENCE_UNREACHABLE: Duration = Duration::from_secs(16);
/// A wait that a provider may ask for; a longer one is taken for this.
pub(crate) const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// The reply to the start of a run: half a minute was seen, and giving up early may lose a paid run.
pub(crate) const CREATE_REPLY: Duration = Duration::from_secs(300);
/// Any other reply: a finished run with pictures is tens of megabytes.
pub(crate) const PROVIDER_REPLY: Duration = Duration::from_secs(150);
/// A foreground answer of a model with its searches.
pub(crate) const MODEL_REPLY: Duration = Duration::from_secs(600);
/// The body of a reply, decoded.
pub(crate) const PROVIDER_BYTES: usize = 96 << 20;
/// The part of a provider's message that is repeated.
pub(crate) const PROVIDER_MESSAGE_CHARS: usize = 500;
/// An interaction's id; those seen have about 70 bytes.
pub(crate) const INTERACTION_ID_BYTES: usize = 512;
/// Searches, pages and thoughts of a run that are kept one by one; the documented most is about 160 searches.
pub(crate) const HOSTED_LISTED: usize = 300;
/// One summary of a thought.
pub(crate) const THOUGHT_CHARS: usize = 2_000;
/// One event of a stream; the longest is a report in one piece.
pub(crate) const STREAM_FRAME_BYTES: usize = 8 << 20;
/// A stream that is silent for this long hangs; summaries come about every 15 s.
pub(crate) const STREAM_IDLE: Duration = Duration::from_secs(120);
/// Streams open at once: they are for watching, and looks alone would do.
pub(crate) const STREAMS: usize = 64;
/// Streams of one run that ended without news before it is only looked at.
pub(crate) const STREAM_TRIES: u32 = 5;
/// Requests to one provider in flight.
pub(crate) const PROVIDER_IN_FLIGHT: usize = 64;
/// The longest wait between two looks at a run while looking fails.
pub(crate) const POLL_LONGEST: Duration = Duration::from_secs(60);
/// A run that shows nothing new for this long is shown as stalled.
pub(crate) const STALLED: Duration = Duration::from_secs(10 * 60);
/// A new interaction may be unknown or forbidden at first; after this long it is gone.
pub(crate) const LOST_GRACE: Duration = Duration::from_secs(60);
/// Looks in a row that must say so.
pub(crate) const LOST_LOOKS: u32 = 3;
/// Looks at a finished run, a second apart, that wait for what it used: the figure comes seconds later.
pub(crate) const USAGE_LOOKS: u32 = 6;
/// Quick looks at a run whose stream said that it is over: the answer to a look may lag behind.
pub(crate) const HURRIED_LOOKS: u32 = 5;
/// Looks at a run in a state that nobody knows before it is told as it is.
pub(crate) const UNKNOWN_LOOKS: u32 = 6;
/// All of a cancel at the provider, with the looks for its last cost.
pub(crate) const PROVIDER_CANCEL: Duration = Duration::from_secs(20);
/// Hours a hosted run may be waited for: a week.
pub(crate) const WAIT_HOURS_MAX: u32 = 168;
/// A start answers by then, whatever the provider does (the requirement is 30 s).
pub(crate) const START_WINDOW: Duration = Duration::from_secs(25);
/// The same research is not started again this long after it completed, in milliseconds: a client that asks once more within the hour
/// has most likely lost the first reply.
pub(crate) const SAME_RESEARCH_MS: i64 = 60 * 60 * 1_000;
/// Earlier runs that an estimate rests on; older ones say little.
pub(crate) const PAST_RUNS: u32 = 100;
/// A desktop that does not take a notification within this does not get it: it is due two seconds after the end of a task.
pub(crate) const NOTIFY: Duration = Duration::from_secs(2);
/// The title of a notification, in characters; desktops show about this much.
pub(crate) const NOTE_TITLE_CHARS: usize = 100;
/// Its body, in characters: about four lines.
pub(crate) const NOTE_BODY_CHARS: usize = 300;
