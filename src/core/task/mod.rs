//! A task: where it stands, what its method asks of the world, how it ends, and what others see of it.

pub(crate) mod commits;
pub(crate) mod effect;
mod ending;
mod hidden;
pub(crate) mod outcome;
mod policy;
#[cfg(feature = "scripted")]
pub(crate) mod scripted;
pub(crate) mod skipped;
mod status;
mod tree;
mod view;

pub(crate) use ending::{Ending, Progress};
pub(crate) use status::{Status, Tool};
pub(crate) use tree::{Branch, BranchKind};
pub(crate) use view::{Hands, HostedStart, HostedView, SameResearch, TaskView};
