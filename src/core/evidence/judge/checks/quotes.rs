//! What a claim quotes must stand in the page word for word; the words of a title must stand there.

use super::super::page::Page;
use super::super::quotes::stands_in;
use super::super::statement::{Quote, Statement};
use super::{Check, Finding};

pub(crate) fn check(claim: &Statement, page: &Page) -> Vec<Finding> {
    let word_for_word = |quote: &Quote| quote.parts.iter().all(|part| stands_in(&page.plain, part));
    let all_words =
        |quote: &Quote| quote.title.as_ref().is_some_and(|title| title.iter().all(|stem| page.has_stem(*stem)));
    let missing = claim.quotes.iter().filter(|quote| !word_for_word(quote) && !all_words(quote));
    missing
        .map(|quote| Finding::nowhere(Check::Quote, format!("the quote '{}' is not on this page", quote.written)))
        .collect()
}
