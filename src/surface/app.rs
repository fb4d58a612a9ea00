//! What every verb has at hand, and how it refuses an argument.

use std::sync::Arc;

use crate::core::base::engine::EngineName;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::money::budget::Caller;
use crate::core::setup::ladder::EngineSetting;
use crate::core::setup::settings::Settings;
use crate::engine::Engine;
use crate::surface::wire;

/// Everything a surface needs.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) engine: Engine,
    /// Shared: every session over HTTP has one of these.
    pub(crate) settings: Arc<Settings>,
}

impl App {
    /// Whose calls these are.
    pub(super) fn caller(&self) -> Caller {
        if self.engine.is_guest() { Caller::Guest } else { Caller::User }
    }

    /// What reaches the disk of this machine beyond hadal's own directory is for its user alone.
    pub(super) fn not_for_guests(&self, what: &str) -> Result<()> {
        if !self.engine.is_guest() {
            return Ok(());
        }
        Err(Error::new(Code::NotForGuests, format!("{what} is not for guests of this machine")))
    }
}

/// The engine of a call: its own, else that of the settings.
pub(super) fn engine_setting(asked: Option<&str>, default: EngineSetting) -> Result<EngineSetting> {
    let Some(asked) = asked else { return Ok(default) };
    EngineSetting::parse(asked).ok_or_else(|| {
        let known: Vec<&str> = EngineName::LADDER.iter().map(|name| name.name()).collect();
        invalid("engine", &format!("must be auto or one of {}", known.join(", ")), asked)
    })
}

pub(super) fn within<T: Copy + PartialOrd + std::fmt::Display>(name: &str, value: T, least: T, most: T) -> Result<T> {
    if value < least || value > most {
        return Err(invalid(name, &format!("must be {least} to {most}"), value));
    }
    Ok(value)
}

/// The error for a call's argument outside its limits.
pub(crate) fn invalid(name: &str, rule: &str, value: impl std::fmt::Display) -> Error {
    let shown = wire::excerpt(&value.to_string(), limits::ECHO_CHARS);
    Error::new(Code::InvalidArgument, format!("`{name}` {rule}, not `{shown}`"))
}
