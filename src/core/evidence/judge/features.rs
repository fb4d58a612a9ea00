//! What is measured of a claim and a page: the numbers that the score is made of.

use super::checks;
use super::page::Page;
use super::statement::{Statement, WORDS};
use super::windows::{PLACES, Places, ratio};

/// The names of the features, in the order of [`features`].
pub(crate) const NAMES: [&str; 35] = [
    "one_sentence",
    "two_sentences",
    "three_sentences",
    "page",
    "one_more",
    "plain_share",
    "pairs_window",
    "pairs_page",
    "triples_window",
    "triples_page",
    "telling_pairs",
    "near_window",
    "near_page",
    "subsequence",
    "longest_run",
    "names_missing_window",
    "names_missing_page",
    "name_words_missing",
    "figures_missing_window",
    "figures_missing_page",
    "heaviest_missing_window",
    "heaviest_missing_page",
    "weight_missing_window",
    "weight_missing_page",
    "gap_window",
    "gap_page",
    "density",
    "claim_length",
    "page_length",
    "weaker_half",
    "near_by_length",
    "share_by_length",
    "density_by_share",
    "figures_apart",
    "names_apart",
];

pub(crate) type Features = [f32; NAMES.len()];

/// How far apart two neighbours of a claim may stand on a page, in words.
const NEAR: usize = 5;

/// Measures a claim against a page of which `places` was found.
pub(crate) fn features(claim: &Statement, page: &Page, places: &Places<'_>) -> Features {
    let [one, two, three] = &places.best;
    let window = Words::new(claim, page, page.tokens_of(&three.sentences));
    let (runs, words) = (window.runs(), claim.tokens.len());
    let telling: Vec<usize> = claim.term_of.iter().flatten().copied().collect();
    let missing_window = |term: usize| three.terms & (1 << term) == 0;
    let missing_page = |term: usize| places.page & (1 << term) == 0;
    let count = |missing: &dyn Fn(usize) -> bool| (0..claim.terms.len()).filter(|term| missing(*term)).count();
    let heaviest = |missing: &dyn Fn(usize) -> bool| {
        let weights = claim.terms.iter().enumerate().filter(|(term, _)| missing(*term)).map(|(_, term)| term.weight);
        weights.fold(0.0, f32::max)
    };
    let names = names_missing(claim, page, three.terms, places.page);
    let figures = figures_missing(claim, page, &page.tokens_of(&three.sentences));
    let (pairs, near) = (ngrams(claim, page, places, &runs), nearness(claim, places, &telling, &window));
    let density = ratio(claim.terms.len() - count(&missing_window), window.telling.max(1));
    let page_length = log(page.tokens.len());
    [
        one.share,
        two.share,
        three.share,
        claim.share(places.page),
        three.share + places.more,
        1.0 - ratio(count(&missing_window), claim.terms.len()),
        pairs.window[0],
        pairs.page[0],
        pairs.window[1],
        pairs.page[1],
        near.adjacent,
        near.window,
        near.page,
        ratio(window.subsequence(words), words),
        ratio(runs.longest, words),
        names[0],
        names[1],
        names[2],
        figures[0],
        figures[1],
        heaviest(&missing_window),
        heaviest(&missing_page),
        (claim.weight * (1.0 - three.share)).max(0.0).ln_1p(),
        (claim.weight * (1.0 - claim.share(places.page))).max(0.0).ln_1p(),
        gap(claim, &telling, &missing_window).ln_1p(),
        gap(claim, &telling, &missing_page).ln_1p(),
        density,
        log(claim.terms.len()),
        page_length,
        weaker_half(claim, &telling, three.terms),
        (6.0 - page_length) * (near.window - 0.4),
        (6.0 - page_length) * (three.share - 0.6),
        density * three.share,
        checks::figures::apart(claim, page),
        checks::names::apart(claim, page),
    ]
}

fn log(count: usize) -> f32 {
    let count = u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm is small")]
    let log = count.ln_1p() as f32;
    log
}

/// The words of a window, each with the places of the claim that have the same stem.
struct Words {
    /// A bit for each place in the claim.
    places: Vec<u128>,
    /// For each term of the claim where it stands in the window.
    terms: Vec<Vec<usize>>,
    /// How many different telling words the window has.
    telling: usize,
}

/// What claim and window have in common word for word: the places of the claim at which a common pair and a common triple of words ends, and the longest run.
struct Runs {
    pairs: u128,
    triples: u128,
    longest: usize,
}

impl Words {
    fn new(claim: &Statement, page: &Page, range: std::ops::Range<usize>) -> Self {
        let tokens = page.tokens.get(range).unwrap_or_default();
        let places: Vec<u128> = tokens.iter().map(|token| claim.places_of(token.stem)).collect();
        let mut terms = vec![Vec::new(); claim.terms.len()];
        for (at, places) in places.iter().enumerate().filter(|(_, places)| **places != 0) {
            let term = claim.term_of.get(places.trailing_zeros() as usize).copied().flatten();
            if let Some(known) = term.and_then(|term| terms.get_mut(term)) {
                known.push(at);
            }
        }
        let mut different: Vec<u64> = tokens.iter().filter(|token| !token.filler).map(|token| token.stem).collect();
        different.sort_unstable();
        different.dedup();
        Self { places, terms, telling: different.len() }
    }

    /// The longest common subsequence, a row of the table in one number.
    fn subsequence(&self, length: usize) -> usize {
        let mut row = u128::MAX;
        for places in &self.places {
            let both = row & places;
            row = row.wrapping_add(both) | (row & !places);
        }
        let used = if length >= WORDS { u128::MAX } else { (1 << length) - 1 };
        (!row & used).count_ones() as usize
    }

    /// The runs of words that claim and window have in common, each round one word longer.
    fn runs(&self) -> Runs {
        let mut runs = Runs { pairs: 0, triples: 0, longest: 0 };
        let mut ends = self.places.clone();
        loop {
            let all = ends.iter().fold(0, |all, ends| all | ends);
            if all == 0 {
                return runs;
            }
            runs.longest += 1;
            match runs.longest {
                2 => runs.pairs = all,
                3 => runs.triples = all,
                _ => {}
            }
            for at in (1..ends.len()).rev() {
                let before = ends.get(at - 1).copied().unwrap_or_default();
                if let (Some(here), Some(places)) = (ends.get_mut(at), self.places.get(at)) {
                    *here = places & (before << 1);
                }
            }
            if let Some(first) = ends.first_mut() {
                *first = 0;
            }
        }
    }
}

#[derive(Default)]
struct Shares {
    window: [f32; 2],
    page: [f32; 2],
}

/// The shares of the claim's pairs and triples of words that stand in the window and on the page.
fn ngrams(claim: &Statement, page: &Page, places: &Places<'_>, runs: &Runs) -> Shares {
    let stems: Vec<u64> = claim.tokens.iter().map(|token| token.stem).collect();
    let mut shares = Shares::default();
    for (slot, (length, ends)) in [(2_usize, runs.pairs), (3, runs.triples)].into_iter().enumerate() {
        let (mut all, mut in_window, mut on_page) = (0, 0, 0);
        for (at, gram) in stems.windows(length).enumerate() {
            all += 1;
            let here = ends & (1 << (at + length - 1)) != 0;
            in_window += usize::from(here);
            on_page += usize::from(here || stands(claim, page, places, (at, gram)));
        }
        if let (Some(window), Some(page)) = (shares.window.get_mut(slot), shares.page.get_mut(slot)) {
            (*window, *page) = (ratio(in_window, all), ratio(on_page, all));
        }
    }
    shares
}

/// Whether neighbouring words of the claim stand together on the page; looked for where the rarest of them stands.
fn stands(claim: &Statement, page: &Page, places: &Places<'_>, (at, gram): (usize, &[u64])) -> bool {
    let of = |offset: usize| claim.term_of.get(at + offset).copied().flatten().and_then(|term| places.of.get(term));
    // Of fillers alone no place is rare, and finding them says nothing.
    let telling = (0..gram.len()).filter_map(|offset| of(offset).map(|places| (offset, *places)));
    let Some((rarest, rare)) = telling.min_by_key(|(_, places)| places.len()) else { return false };
    rare.iter().take(PLACES).any(|place| {
        let Some(start) = (*place as usize).checked_sub(rarest) else { return false };
        gram.iter()
            .enumerate()
            .all(|(offset, stem)| page.tokens.get(start + offset).is_some_and(|token| token.stem == *stem))
    })
}

struct Near {
    adjacent: f32,
    window: f32,
    page: f32,
}

/// Neighbouring telling words of the claim: whether they are neighbours in the window, near each other there, or on the page.
fn nearness(claim: &Statement, places: &Places<'_>, telling: &[usize], window: &Words) -> Near {
    let mut sums = [0.0_f32; 4];
    let weight = |term: usize| claim.terms.get(term).map_or(0.0, |term| term.weight);
    for pair in telling.windows(2) {
        let [one, two] = [pair.first(), pair.last()].map(|term| term.copied().unwrap_or_default());
        let weight = weight(one) + weight(two);
        let inside = |term: usize| window.terms.get(term).map(Vec::as_slice).unwrap_or_default();
        let distance = inside(one).iter().flat_map(|p| inside(two).iter().map(move |q| p.abs_diff(*q))).min();
        let near = distance.is_some_and(|distance| distance <= NEAR);
        let adjacent = distance.is_some_and(|distance| distance <= 2);
        let on_page =
            near || places.of.get(one).zip(places.of.get(two)).is_some_and(|(one, two)| near_on_page(one, two));
        for (sum, holds) in sums.iter_mut().zip([adjacent, near, on_page, true]) {
            *sum += if holds { weight } else { 0.0 };
        }
    }
    let [adjacent, near, on_page, all] = sums;
    let share = |sum: f32| if all > 0.0 { sum / all } else { 1.0 };
    Near { adjacent: share(adjacent), window: share(near), page: share(on_page) }
}

/// Whether two stems stand near each other somewhere on the page.
fn near_on_page<'a>(mut few: &'a [u32], mut many: &'a [u32]) -> bool {
    const REACH: u32 = 8;
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    few.iter().take(PLACES).any(|place| {
        let from = many.partition_point(|other| other + REACH < *place);
        many.get(from).is_some_and(|other| *other <= place + REACH)
    })
}

/// Name words that are missing in the window and on the page, and the share of the claim's weight that they have.
fn names_missing(claim: &Statement, page: &Page, window: u64, on_page: u64) -> [f32; 3] {
    let (mut in_window, mut absent, mut weight) = (0, 0, 0.0);
    for at in claim.names.iter().filter(|name| !name.doubtful).flat_map(|name| name.first..=name.last) {
        let Some(term) = claim.term_of.get(at).copied().flatten() else { continue };
        let known = claim.tokens.get(at).is_some_and(|token| page.has_word(token.word)) || on_page & (1 << term) != 0;
        in_window += usize::from(window & (1 << term) == 0);
        absent += usize::from(!known);
        weight += if known { 0.0 } else { claim.terms.get(term).map_or(0.0, |term| term.weight) };
    }
    [ratio(in_window.min(4), 1), ratio(absent.min(4), 1), if claim.weight > 0.0 { weight / claim.weight } else { 0.0 }]
}

/// Figures that are missing in the window and on the page.
fn figures_missing(claim: &Statement, page: &Page, window: &std::ops::Range<usize>) -> [f32; 2] {
    let (mut in_window, mut absent) = (0, 0);
    // A claim may say one figure many times, and a page as well.
    let mut seen: Vec<(f64, usize, usize)> = Vec::new();
    for figure in &claim.figures {
        let before = seen.iter().find(|(value, ..)| value.total_cmp(&figure.value).is_eq()).copied();
        let (_, nowhere, outside) = before.unwrap_or_else(|| {
            let mut known = page.figures_of(figure.value).peekable();
            let nowhere = usize::from(known.peek().is_none());
            let outside = usize::from(!known.any(|other| window.contains(&(other.first as usize))));
            seen.push((figure.value, nowhere, outside));
            (figure.value, nowhere, outside)
        });
        absent += nowhere;
        in_window += outside;
    }
    for date in &claim.dates {
        let mut known = page.dates.iter().filter(|other| date.borne_out_by(other)).peekable();
        absent += usize::from(known.peek().is_none());
        in_window += usize::from(!known.any(|other| window.contains(&(other.first as usize))));
    }
    [ratio(in_window.min(2), 1), ratio(absent.min(2), 1)]
}

/// The weight of the longest run of the claim's words that are missing.
fn gap(claim: &Statement, telling: &[usize], missing: &dyn Fn(usize) -> bool) -> f32 {
    let (mut run, mut longest) = (0.0_f32, 0.0_f32);
    for term in telling {
        run = if missing(*term) { run + claim.terms.get(*term).map_or(0.0, |term| term.weight) } else { 0.0 };
        longest = longest.max(run);
    }
    longest
}

/// The smaller share of the two halves of the claim.
fn weaker_half(claim: &Statement, telling: &[usize], window: u64) -> f32 {
    let (first, second) = telling.split_at(telling.len() / 2);
    let share = |half: &[usize]| {
        let set = half.iter().fold(0_u64, |set, term| set | 1 << term);
        let all = claim.share(set);
        if all > 0.0 { claim.share(set & window) / all } else { 1.0 }
    };
    share(first).min(share(second))
}
