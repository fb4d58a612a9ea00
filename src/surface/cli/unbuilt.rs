//! The commands whose engines do not exist yet. They check their question as they will, and then say so: no
//! command pretends to have done research.

use std::ffi::OsString;

use super::input;
use crate::core::error::{Code, Error};

pub(super) fn start(query: OsString) -> Error {
    refuse(query, "`hadal start` needs a hosted deep-research agent")
}

pub(super) fn estimate(query: OsString) -> Error {
    refuse(query, "`hadal estimate` needs an engine that costs something; the extractive engine is free")
}

fn refuse(query: OsString, what: &str) -> Error {
    match input::question(query) {
        Err(error) => error,
        Ok(_) => Error::new(Code::EngineUnavailable, format!("{what}, and this version has none"))
            .hint("`hadal deep-research --library DIR QUESTION` answers from local documents today")
            .hint("`hadal doctor` shows every engine"),
    }
}
