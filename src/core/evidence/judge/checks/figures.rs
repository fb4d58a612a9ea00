//! Each figure of a claim by itself: it must stand on the page, with its unit, next to what the claim says of it.

use super::super::features::{PLACES, ratio};
use super::super::figures::{Figure, Form, cut};
use super::super::page::Page;
use super::super::statement::Statement;
use super::super::units;
use super::super::windows::Places;
use super::{Check, Finding};

/// Words before a figure that make it a rounded one.
const ABOUT: [&str; 12] = [
    "about", "almost", "approximately", "around", "circa", "least", "nearly", "over", "roughly", "some", "than", "up",
];
/// How far the words next to a figure may stand from it, in the claim and on the page.
const IN_CLAIM: usize = 5;
const ON_PAGE: usize = 10;

pub(super) fn check(claim: &Statement, page: &Page, places: &Places) -> Vec<Finding> {
    claim.figures.iter().filter_map(|figure| check_one(claim, page, places, figure)).collect()
}

fn check_one(claim: &Statement, page: &Page, places: &Places, figure: &Figure) -> Option<Finding> {
    let said = said(claim, figure);
    let mut known: Vec<&Figure> = page.figures_of(figure.value).take(PLACES).collect();
    if known.is_empty() {
        known = loosely(claim, page, figure);
    }
    if known.is_empty() {
        let reason = match instead(claim, page, places, figure) {
            Some(other) => format!("'{said}' is not on this page; it says '{other}'"),
            None => format!("the figure '{said}' is not on this page"),
        };
        return Some(Finding::nowhere(Check::Figure, reason));
    }
    if let Some(unit) = figure.unit {
        let other = known.iter().find_map(|other| other.unit.filter(|other| *other != unit));
        if let Some(other) = other.filter(|_| known.iter().all(|other| other.unit != Some(unit))) {
            let reason = format!("'{said}' is not on this page; it has that figure in {}", units::name(other));
            return Some(Finding::partial(Check::Unit, reason));
        }
    }
    let best = known.iter().map(|other| context(claim, page, figure, other)).fold(0.0, f32::max);
    (best < CONTEXT && !figure.is_year()).then(|| Finding::partial(Check::FigurePlace, format!("'{said}' stands on this page, but not next to what the claim says of it")))
}

/// The least share of the words next to a figure that must stand next to it on the page too.
const CONTEXT: f32 = 0.01;

fn said<'a>(claim: &'a Statement, figure: &Figure) -> &'a str {
    let extra = usize::from(figure.unit.is_some());
    claim.written(figure.first as usize, figure.last as usize + extra)
}

/// Figures that bear this one out without being equal: any year for its decade, and for a rounded figure what rounds to it.
fn loosely<'a>(claim: &Statement, page: &'a Page, figure: &Figure) -> Vec<&'a Figure> {
    if figure.form == Form::Decade {
        return page.figures_between(figure.value, figure.value + 9.0).take(PLACES).collect();
    }
    let before = (figure.first as usize).checked_sub(1).and_then(|at| claim.tokens.get(at)).map(|token| cut(&claim.text, token).to_lowercase());
    if !before.is_some_and(|word| ABOUT.contains(&word.as_str())) || figure.value <= 0.0 {
        return Vec::new();
    }
    // Half a unit of the last digit that is not zero, or the next such step for `over` and `almost`.
    let mut step = 1.0;
    while figure.value % (step * 10.0) == 0.0 && step < 1e15 {
        step *= 10.0;
    }
    while figure.value % step != 0.0 && step > 1e-6 {
        step /= 10.0;
    }
    page.figures_between(figure.value - step, figure.value + step).filter(|other| other.form != Form::Weak).take(PLACES).collect()
}

/// The share of the words next to a figure in the claim that stand next to it on the page.
fn context(claim: &Statement, page: &Page, figure: &Figure, other: &Figure) -> f32 {
    let neighbours = claim.neighbours(figure.first as usize, figure.last as usize, IN_CLAIM);
    if neighbours.is_empty() {
        return 1.0;
    }
    let from = (other.first as usize).saturating_sub(ON_PAGE);
    let tokens = page.tokens.get(from..(other.last as usize + ON_PAGE + 1).min(page.tokens.len())).unwrap_or_default();
    let here = |term: &&usize| claim.terms.get(**term).is_some_and(|term| tokens.iter().any(|token| token.stem == term.stem));
    ratio(neighbours.iter().filter(here).count(), neighbours.len())
}

/// How little the words next to the claim's figures stand next to them on the page: the worst figure, 0 to 1.
pub(crate) fn apart(claim: &Statement, page: &Page) -> f32 {
    let best = |figure: &Figure| page.figures_of(figure.value).take(PLACES).map(|other| context(claim, page, figure, other)).fold(0.0, f32::max);
    claim.figures.iter().map(|figure| 1.0 - best(figure)).fold(0.0, f32::max)
}

/// What the best sentences have in place of a figure: one of the same unit, or before the same word.
fn instead<'a>(claim: &Statement, page: &'a Page, places: &Places, figure: &Figure) -> Option<&'a str> {
    let window = page.tokens_of(&places.best[2].sentences);
    let noun = claim.tokens.get(figure.last as usize + 1).filter(|token| !token.filler).map(|token| token.stem);
    let alike = |other: &&Figure| {
        let next = page.tokens.get(other.last as usize + 1).map(|token| token.stem);
        let inside = window.contains(&(other.first as usize)) && other.form != Form::Weak;
        inside && ((figure.unit.is_some() && other.unit == figure.unit) || (noun.is_some() && next == noun) || (figure.is_year() && other.is_year()))
    };
    let other = page.figures.iter().find(alike)?;
    let start = page.tokens.get(other.first as usize)?.start as usize;
    let end = page.tokens.get(other.last as usize)?.end as usize;
    page.text.get(start..end)
}
