//! What every other part of `core` may use: errors, ids, dates, limits, the names of engines, lists of words.

pub(crate) mod age;
pub(crate) mod counts;
pub(crate) mod dates;
pub(crate) mod engine;
pub(crate) mod error;
pub(crate) mod escapes;
pub(crate) mod globs;
pub(crate) mod id;
pub(crate) mod limits;
pub(crate) mod masks;
pub(crate) mod plain;
pub(crate) mod problems;
pub(crate) mod rows;
pub(crate) mod secrets;
pub(crate) mod sorting;
