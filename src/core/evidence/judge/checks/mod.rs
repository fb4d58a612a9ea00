//! Hard checks: single things that a page must have for a claim to be called supported, whatever the score says.
//!
//! A check can only lower a verdict, mostly to *partial*. Each says why in words a person understands, and `hadal-eval evidence` prints what it costs
//! in claims that are true.

pub(crate) mod dates;
pub(crate) mod figures;
pub(crate) mod names;
pub(crate) mod negation;
pub(crate) mod opposites;
mod place;
pub(crate) mod quotes;

use super::page::Page;
use super::statement::Statement;
use super::windows::Places;
use crate::core::base::sorting::sort_by_key;

/// The checks. The names are those of `eval` and of stored ledgers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Check {
    Figure,
    FigurePlace,
    Unit,
    Date,
    Quote,
    Name,
    NamePlace,
    Negation,
    Antonym,
    Language,
    /// The lines of a file that the claim cites.
    Lines,
}

/// What only measurements ask.
#[cfg(any(test, feature = "eval"))]
impl Check {
    pub(crate) const ALL: [Self; 11] = [
        Self::Figure,
        Self::FigurePlace,
        Self::Unit,
        Self::Date,
        Self::Quote,
        Self::Name,
        Self::NamePlace,
        Self::Negation,
        Self::Antonym,
        Self::Language,
        Self::Lines,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::FigurePlace => "figure_place",
            Self::Unit => "unit",
            Self::Date => "date",
            Self::Quote => "quote",
            Self::Name => "name",
            Self::NamePlace => "name_place",
            Self::Negation => "negation",
            Self::Antonym => "antonym",
            Self::Language => "language",
            Self::Lines => "lines",
        }
    }
}

/// Why a claim is not called supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) check: Check,
    /// Whether what is claimed stands nowhere on the page, which makes the claim unsupported and not only partly supported.
    pub(crate) nowhere: bool,
    /// For a person. It holds words of the claim and of the page, which are foreign text.
    pub(crate) reason: String,
}

impl Finding {
    pub(crate) fn partial(check: Check, reason: String) -> Self {
        Self { check, nowhere: false, reason }
    }

    fn nowhere(check: Check, reason: String) -> Self {
        Self { check, nowhere: true, reason }
    }
}

/// The share of a claim that the best sentences must hold before their words are compared with those of the claim one by one.
const SPEAKS_OF_IT: f32 = 0.6;
/// The same for the words that turn a sentence into its opposite.
const SAYS_THE_SAME: f32 = 0.5;
/// The share below which a missing name is one of many missing words, which the score knows already.
const TOUCHES_IT: f32 = 0.3;

/// Everything that the checks find, the gravest first.
pub(crate) fn findings(claim: &Statement, page: &Page, places: &Places<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(figures::check(claim, page, places));
    found.extend(dates::check(claim, page));
    found.extend(quotes::check(claim, page));
    if places.best[2].share >= TOUCHES_IT {
        found.extend(names::check(claim, page));
    }
    // What stands next to what is only asked of sentences that speak of the claim.
    if places.best[2].share >= SPEAKS_OF_IT {
        found.extend(figures::misplaced(claim, page, places));
        found.extend(names::misplaced(claim, page, places));
    }
    if places.best[2].share >= SAYS_THE_SAME {
        found.extend(negation::check(claim, page, places));
    }
    sort_by_key(&mut found, |finding| !finding.nowhere);
    found
}

/// The figures that stand nowhere on a page, whatever it speaks of and in whatever language.
pub(crate) fn figures_nowhere(claim: &Statement, page: &Page) -> Vec<Finding> {
    let mut found = figures::check(claim, page, &Places::default());
    found.retain(|finding| finding.check == Check::Figure);
    found
}
