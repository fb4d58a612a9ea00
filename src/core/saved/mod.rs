//! A report as a file: its name and its text.

mod citations;
pub(crate) mod file_name;
mod source;
pub(crate) mod template;
