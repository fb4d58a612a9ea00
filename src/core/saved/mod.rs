//! A report as a file: its name and its text.

mod citations;
pub(crate) mod file_name;
pub(crate) mod html;
mod marks;
mod source;
pub(crate) mod template;

pub(crate) use citations::cited_numbers;
