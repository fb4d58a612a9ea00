//! What is decided before a task: settings, the ladder of engines, the call window.

pub(crate) mod ladder;
pub(crate) mod settings;
pub(crate) mod window;
