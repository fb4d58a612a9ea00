//! The pages of a PDF as one text: what only belongs to the sheet of paper is left out, and a sentence goes on over the end of a page.
//!
//! A PDF has lines and no paragraphs, heads or feet: what they are is told by where they stand, by what repeats, and by how a page ends and the next one
//! begins. Nothing here knows how a PDF is read, and every page is looked at a fixed number of times.

mod going_on;
mod hyphens;
mod leaders;
mod numbers;
mod running;
pub(crate) mod tables;

pub(crate) use going_on::goes_on;
pub(crate) use hyphens::with_whole_words;
pub(crate) use leaders::without_leaders;
pub(super) use numbers::{is_of, is_page_word};
pub(crate) use running::without_running_lines;

/// Whether a line of a page is a row of a table as Markdown has it.
fn is_row(line: &str) -> bool {
    line.starts_with("| ") && line.ends_with(" |")
}

/// A page by its place in the file, from 1, and its text.
pub(crate) type NumberedText<'t> = (u32, &'t str);

#[cfg(test)]
mod tests;
