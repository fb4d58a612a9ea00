//! What a surface needs before there is an engine: the settings, and the warden that watches over children.

use std::process::ExitCode;

use crate::core::error::Result;
use crate::core::settings::resolve::Resolved;
pub(crate) use crate::world::environment::Flags;
use crate::world::{environment, log};

/// Resolves the settings; from here on the log keeps to its level.
pub(crate) fn settings(flags: Flags) -> Result<Resolved> {
    let resolved = environment::settings(flags)?;
    log::set_level(resolved.settings.log);
    Ok(resolved)
}

/// Runs this process as the warden of another hadal's children (`hadal __warden`).
///
/// PLACE FOR THE PROCESS GATE: becomes `crate::world::process::warden_main()`.
pub(crate) fn warden() -> ExitCode {
    log::error("this build has no process gate, so there is nothing to watch over");
    ExitCode::FAILURE
}
