//! Each figure of a claim by itself: it must stand on the page, with its unit, next to what the claim says of it.

use super::super::figures::{Figure, Form, cut, other_reading, written};
use super::super::page::Page;
use super::super::statement::Statement;
use super::super::tokens::{Token, hash};
use super::super::units;
use super::super::windows::{PLACES, Places, ratio};
use super::place::Place;
use super::{Check, Finding, SPEAKS_OF_IT};

/// Words before a figure that make it a rounded one.
const ABOUT: [&str; 12] =
    ["about", "almost", "approximately", "around", "circa", "least", "nearly", "over", "roughly", "some", "than", "up"];
/// How far the words next to a figure may stand from it, in the claim and on the page.
const IN_CLAIM: usize = 5;
const ON_PAGE: usize = 10;

pub(super) fn check(claim: &Statement, page: &Page, places: &Places<'_>) -> Vec<Finding> {
    claim.figures.iter().filter_map(|figure| check_one(claim, page, places, figure)).collect()
}

fn check_one(claim: &Statement, page: &Page, places: &Places<'_>, figure: &Figure) -> Option<Finding> {
    let said = said(claim, figure);
    let mut known: Vec<&Figure> = page.figures_of(figure.value).take(PLACES).collect();
    if known.is_empty() {
        let other = other_reading(&claim.text, &claim.tokens, figure);
        known = other.iter().flat_map(|other| page.figures_of(other.value)).take(PLACES).collect();
    }
    if known.is_empty() {
        known = loosely(claim, page, figure);
    }
    if known.is_empty() && page.figures_of(-figure.value).next().is_some() {
        let turned = || page.figures_of(-figure.value).take(PLACES);
        let is_less = says_less(&claim.tokens, figure) || turned().any(|other| says_less(&page.tokens, other));
        let other = turned().next().map(|other| written(&page.text, &page.tokens, other)).unwrap_or_default();
        let reason = format!("'{said}' is not on this page; it says '{other}' with the other sign");
        return (!is_less).then(|| Finding::partial(Check::Figure, reason));
    }
    if known.is_empty() {
        let reason = match instead(claim, page, places, figure) {
            Some(other) => format!("'{said}' is not on this page; it says '{other}'"),
            None => format!("the figure '{said}' is not on this page"),
        };
        return Some(Finding::nowhere(Check::Figure, reason));
    }
    if figure.unit.is_some() {
        let differs = |other: &&&Figure| !units::agree(other.unit, figure.unit);
        let other = known.iter().filter(differs).find_map(|other| other.unit);
        if let Some(other) = other.filter(|_| known.iter().all(|other| differs(&other))) {
            let reason = format!("'{said}' is not on this page; it has that figure in {}", units::name(other));
            return Some(Finding::partial(Check::Unit, reason));
        }
    }
    let by = figure.per.and_then(|per| known.iter().map(|other| other.per.filter(|other| *other != per)).collect());
    let by: Vec<units::Unit> = by.unwrap_or_default();
    by.first().map(|other| {
        let reason = format!(
            "the claim counts '{said}' by another unit than this page, which has it per {}",
            units::forms(*other).first().copied().unwrap_or_default()
        );
        Finding::partial(Check::Unit, reason)
    })
}

/// Words near a figure that say what a minus says.
const LESS: [u64; 17] = [
    hash("minus"),
    hash("negative"),
    hash("below"),
    hash("loss"),
    hash("losses"),
    hash("lost"),
    hash("deficit"),
    hash("fell"),
    hash("fall"),
    hash("decrease"),
    hash("decreased"),
    hash("decline"),
    hash("declined"),
    hash("drop"),
    hash("dropped"),
    hash("down"),
    hash("less"),
];

fn says_less(tokens: &[Token], figure: &Figure) -> bool {
    let from = (figure.first as usize).saturating_sub(IN_CLAIM);
    let near = tokens.get(from..tokens.len().min(figure.last as usize + IN_CLAIM + 1)).unwrap_or_default();
    near.iter().any(|token| LESS.contains(&token.word))
}

/// Words of a claim that is hardly more than a name and its figure, as cells of tables are.
const BARE_WORDS: usize = 5;

/// Whether a claim is a bare figure, and the page has it with its unit.
pub(crate) fn is_figure_of(claim: &Statement, page: &Page) -> bool {
    let is_known = |figure: &Figure| {
        figure.value >= 10.0
            && page.figures_of(figure.value).take(PLACES).any(|other| units::agree(other.unit, figure.unit))
    };
    !claim.figures.is_empty() && claim.terms.len() <= BARE_WORDS && claim.figures.iter().all(is_known)
}

/// The figures that the page has, but not where the claim has them.
pub(super) fn misplaced(claim: &Statement, page: &Page, places: &Places<'_>) -> Vec<Finding> {
    let reason = |figure: &Figure| {
        let said = said(claim, figure);
        let known: Vec<&Figure> = page.figures_of(figure.value).take(PLACES).collect();
        let best = known.iter().map(|other| context(claim, page, figure, other)).fold(0.0, f32::max);
        if let Some(other) = rival(claim, page, places, figure).filter(|_| !known.is_empty()) {
            return Some(format!("the claim says '{said}' where this page says '{other}'"));
        }
        let lost = !known.is_empty() && best < CONTEXT && !figure.is_year();
        lost.then(|| format!("'{said}' stands on this page, but not next to what the claim says of it"))
    };
    claim.figures.iter().filter_map(reason).map(|reason| Finding::partial(Check::FigurePlace, reason)).collect()
}

/// The least share of the words next to a figure that must stand next to it on the page too.
const CONTEXT: f32 = 0.01;

pub(crate) fn said<'a>(claim: &'a Statement, figure: &Figure) -> &'a str {
    written(&claim.text, &claim.tokens, figure)
}

/// Figures that bear this one out without being equal: any year for its decade, and for a rounded figure what rounds to it.
fn loosely<'a>(claim: &Statement, page: &'a Page, figure: &Figure) -> Vec<&'a Figure> {
    if figure.form == Form::Decade {
        return page.figures_between(figure.value, figure.value + 9.0).take(PLACES).collect();
    }
    let before = (figure.first as usize)
        .checked_sub(1)
        .and_then(|at| claim.tokens.get(at))
        .map(|token| cut(&claim.text, token).to_lowercase());
    if !before.is_some_and(|word| ABOUT.contains(&word.as_str())) || figure.value <= 0.0 {
        return Vec::new();
    }
    // Half a unit of the last digit that is not zero, and never more than a twentieth.
    let mut step = 1.0;
    while figure.value % (step * 10.0) == 0.0 && step < 1e15 {
        step *= 10.0;
    }
    while figure.value % step != 0.0 && step > 1e-6 {
        step /= 10.0;
    }
    let reach = (step / 2.0).min(figure.value / 20.0);
    page.figures_between(figure.value - reach, figure.value + reach)
        .filter(|other| other.form != Form::Weak)
        .take(PLACES)
        .collect()
}

/// The share of the words next to a figure in the claim that stand next to it on the page.
fn context(claim: &Statement, page: &Page, figure: &Figure, other: &Figure) -> f32 {
    let neighbours = claim.neighbours(figure.first as usize, figure.last as usize, IN_CLAIM);
    if neighbours.is_empty() {
        return 1.0;
    }
    let from = (other.first as usize).saturating_sub(ON_PAGE);
    let tokens = page.tokens.get(from..(other.last as usize + ON_PAGE + 1).min(page.tokens.len())).unwrap_or_default();
    let here =
        |term: &&usize| claim.terms.get(**term).is_some_and(|term| tokens.iter().any(|token| token.stem == term.stem));
    ratio(neighbours.iter().filter(here).count(), neighbours.len())
}

/// How badly the figures of a claim fit their places on the page: the worst of them, 0 to 1.
pub(crate) fn apart(claim: &Statement, page: &Page) -> f32 {
    claim.figures.iter().map(|figure| 1.0 - own_fits(claim, page, figure).min(1.0)).fold(0.0, f32::max)
}

/// How well a figure fits the best of its places on the page.
fn own_fits(claim: &Statement, page: &Page, figure: &Figure) -> f32 {
    let place = Place::new(claim, figure.first as usize, figure.last as usize);
    let places = page.figures_of(figure.value).take(PLACES);
    places.map(|other| place.fits(page, other.first as usize..other.last as usize + 1)).fold(0.0, f32::max)
}

/// A figure of the same kind that stands closer to the claim's words than this one does.
fn rival<'a>(claim: &Statement, page: &'a Page, places: &Places<'_>, figure: &Figure) -> Option<&'a str> {
    let window = page.tokens_of(&places.best[2].sentences);
    let place = Place::new(claim, figure.first as usize, figure.last as usize);
    let own = own_fits(claim, page, figure);
    let in_claim = |other: &Figure| {
        claim.figures.iter().any(|known| known.same_value(other))
            || claim.dates.iter().any(|date| date.year.is_some_and(|year| f64::from(year) == other.value))
    };
    let rivals = page
        .figures
        .iter()
        .filter(|other| window.contains(&(other.first as usize)) && other.form != Form::Weak && !in_claim(other));
    let alike = rivals.filter(|other| units::agree(other.unit, figure.unit) && other.is_year() == figure.is_year());
    let best = alike
        .map(|other| (place.fits(page, other.first as usize..other.last as usize + 1), other))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let (fits, other) = best?;
    (fits > own * FIGURE_MARGIN + 0.05).then(|| written(&page.text, &page.tokens, other))
}

/// How much closer to the claim's words another figure must stand.
const FIGURE_MARGIN: f32 = 1.3;

/// What the best sentences have in place of a figure: one of the same unit, or before the same word.
pub(crate) fn instead<'a>(claim: &Statement, page: &'a Page, places: &Places<'_>, figure: &Figure) -> Option<&'a str> {
    if places.best[2].share < SPEAKS_OF_IT {
        return None;
    }
    let window = page.tokens_of(&places.best[2].sentences);
    let noun = claim.tokens.get(figure.last as usize + 1).filter(|token| !token.filler).map(|token| token.stem);
    let alike = |other: &&Figure| {
        let next = page.tokens.get(other.last as usize + 1).map(|token| token.stem);
        let inside = window.contains(&(other.first as usize)) && other.form != Form::Weak;
        inside
            && ((figure.unit.is_some() && units::agree(other.unit, figure.unit))
                || (noun.is_some() && next == noun)
                || (figure.is_year() && other.is_year()))
    };
    let other = page.figures.iter().find(alike)?;
    Some(written(&page.text, &page.tokens, other))
}
