//! A date of a claim must be a date of the page.

use super::super::dates::Date;
use super::super::page::Page;
use super::super::statement::Statement;
use super::{Check, Finding};
use crate::core::language::months;

pub(super) fn check(claim: &Statement, page: &Page) -> Vec<Finding> {
    claim.dates.iter().filter(|date| !stands(date, page)).map(|date| finding(claim, date, page)).collect()
}

/// Whether the page has the date; where the page's date has no year, the year must stand elsewhere.
fn stands(date: &Date, page: &Page) -> bool {
    let year = |other: &Date| {
        date.year.is_none()
            || other.year == date.year
            || date.year.is_some_and(|year| page.figures_of(f64::from(year)).next().is_some())
    };
    page.dates.iter().any(|other| date.borne_out_by(other) && year(other))
}

fn finding(claim: &Statement, date: &Date, page: &Page) -> Finding {
    let said = claim.written(date.first as usize, date.last as usize);
    let alike = |other: &&Date| other.month == date.month && (other.year == date.year || other.day == date.day);
    let reason = match page.dates.iter().find(alike) {
        Some(other) => format!("'{said}' is not on this page; it says '{}'", written(other)),
        None => format!("the date '{said}' is not on this page"),
    };
    Finding::nowhere(Check::Date, reason)
}

fn written(date: &Date) -> String {
    let day = date.day.map(|day| format!("{day} ")).unwrap_or_default();
    let year = date.year.map(|year| format!(" {year}")).unwrap_or_default();
    let month = months::name(date.month);
    let first = month.get(..1).unwrap_or_default().to_uppercase();
    format!("{day}{first}{}{year}", month.get(1..).unwrap_or_default())
}
