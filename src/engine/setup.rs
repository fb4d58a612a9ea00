//! What a surface needs before there is an engine: the settings, and the warden that watches over children.

use std::process::ExitCode;

use crate::core::error::Result;
use crate::core::settings::resolve::Resolved;
pub(crate) use crate::world::environment::Flags;
use crate::world::process::warden_main;
use crate::world::{environment, log};

/// Resolves the settings; from here on the log keeps to its level.
pub(crate) fn settings(flags: Flags) -> Result<Resolved> {
    let resolved = environment::settings(flags)?;
    log::set_level(resolved.settings.log);
    Ok(resolved)
}

/// Runs this process as the warden of another hadal's children (`hadal __warden`).
pub(crate) fn warden() -> ExitCode {
    warden_main()
}
