//! Whether the figure that is asked for stands in what is quoted, or is that of another thing.

use super::AskedQuestion;
use crate::core::language::words::{is_listed, words};

/// Words that a paragraph begins with which goes on about what was named before, in lower case.
const POINTING: &str = "ce ces cette dies diese dieser dieses elle elles er es he his il ils it its she sie that their these they this those";

impl AskedQuestion {
    /// Whether a figure is asked for that does not stand in what is quoted of a passage. What a paragraph says that has no word of the question is of
    /// something else, unless it names such a figure. `around` is what is shown with the quote.
    pub(in crate::core::report) fn lacks_figure(&self, around: &[&str], quote: &str, passage: &str) -> bool {
        let Some(figure) = &self.figure else { return false };
        let is_own = |paragraph: &&str| self.has_words_in(paragraph) || figure.is_named_in(paragraph);
        let mut shown: Vec<&str> = quote.split("\n\n").filter(is_own).collect();
        if shown.is_empty() {
            shown.push(quote);
        }
        shown.extend(around);
        let mut all = shown.clone();
        // How heavy KB-12 is, is not told by what another paragraph says of the loader.
        let is_of_one = figure.is_measure()
            && self.designated().any(|(one, _)| one.is_in(quote) && !around.iter().any(|text| one.is_in(text)));
        if is_of_one {
            let goes_on = |paragraph: &str| words(paragraph).next().is_some_and(|first| is_listed(POINTING, &first));
            all.extend(passage.split("\n\n").filter(|paragraph| is_own(paragraph) || goes_on(paragraph)));
        } else {
            all.push(passage);
        }
        figure.is_lacking(&shown, &all)
    }
}
