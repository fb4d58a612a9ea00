//! What a claim quotes must stand in the page word for word.

use super::super::page::Page;
use super::super::quotes::stands_in;
use super::super::statement::Statement;
use super::{Check, Finding};

pub(super) fn check(claim: &Statement, page: &Page) -> Vec<Finding> {
    let missing = claim.quotes.iter().filter(|quote| !quote.parts.iter().all(|part| stands_in(&page.plain, part)));
    missing.map(|quote| Finding::nowhere(Check::Quote, format!("the quote '{}' is not on this page", quote.written))).collect()
}
