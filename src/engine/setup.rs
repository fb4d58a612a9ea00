//! What a surface needs before there is an engine: the settings, and the warden that watches over children.

use std::process::ExitCode;

use crate::core::base::error::Result;
use crate::core::setup::settings::Settings;
use crate::core::setup::settings::registry::Setting;
use crate::core::setup::settings::resolve::Resolved;
pub(crate) use crate::world::clients;
pub(crate) use crate::world::environment::Flags;
pub(crate) use crate::world::hangup::hangup_ends;
pub(crate) use crate::world::open_files::raise_file_limit;
use crate::world::pdf;
use crate::world::process::warden_main;
pub(crate) use crate::world::terminal::hidden_line;
pub(crate) use crate::world::tokens::{Holder, Tokens, main_token, new_token, remove_token};
use crate::world::{environment, keys, log};

/// Resolves the settings; from here on the log keeps to its level and hides the keys.
pub(crate) fn settings(flags: Flags) -> Result<Resolved> {
    let resolved = environment::settings(flags)?;
    log::set_level(resolved.settings.log);
    log::set_masks(resolved.settings.masks());
    Ok(resolved)
}

/// Keeps a key in the file of keys, or with `None` takes it out; whether it was there before.
pub(crate) fn change_key(settings: &Settings, key: &'static Setting, value: Option<String>) -> Result<bool> {
    keys::change(&settings.config_dir, key, value)
}

/// Runs this process as the warden of another hadal's children (`hadal __warden`).
pub(crate) fn warden() -> ExitCode {
    warden_main()
}

/// Runs this process as a reader of PDFs (`hadal __pdf`); `None` if the command line asks for something else.
pub(crate) fn pdf_reader(args: &[std::ffi::OsString]) -> Option<ExitCode> {
    (args.first()? == pdf::COMMAND).then(pdf::worker_main)
}
