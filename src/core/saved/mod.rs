//! A report as a file: its name and its text.

pub(crate) mod file_name;
pub(crate) mod template;
