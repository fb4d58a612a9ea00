//! What can be told of a text by its words alone, in the languages that are known: words and their stems, where sentences end, spelling, the names of
//! months and days.

pub(crate) mod clocks;
pub(crate) mod compounds;
pub(crate) mod days;
pub(crate) mod detect;
pub(crate) mod fold;
pub(crate) mod french;
pub(crate) mod german;
pub(crate) mod hours;
pub(crate) mod identifiers;
pub(crate) mod months;
pub(crate) mod note_marks;
pub(crate) mod phrasal;
pub(crate) mod ranges;
mod sentences;
pub(crate) mod separable;
pub(crate) mod spelling;
pub(crate) mod stems;
pub(crate) mod weekdays;
pub(crate) mod words;
pub(crate) mod year_parts;
pub(crate) mod year_spans;

pub(crate) use sentences::{is_question, item_number, sentences};
