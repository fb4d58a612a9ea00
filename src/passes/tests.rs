use std::time::Duration;

use super::*;

/// Bytes of the smaller page: small, because nothing is optimised here. `hadal-eval hostile` has pages of 4 MB.
const BYTES: usize = 10_000;
/// The larger page is so many times the smaller one.
const TIMES: u32 = 4;
/// What a pass may take more than its share. A quadratic pass takes four times as much more.
const SLACK: f64 = 2.2;
/// Less work is noise.
const NOISE: Duration = Duration::from_millis(60);

/// PR-02: work on hostile pages grows with the page and not faster, in every pass. The processor's time on this thread is counted, the least of a few
/// tries where it looks like too much.
#[test]
fn pr_02_work_on_hostile_pages_is_linear() {
    let too_much: Vec<String> = pages(BYTES)
        .iter()
        .zip(pages(BYTES * TIMES as usize))
        .flat_map(|(small, large)| {
            (0..4)
                .map(|_| steep(small, &large))
                .find(Vec::is_empty)
                .map_or_else(|| steep(small, &large), |_| Vec::new())
        })
        .collect();
    assert!(too_much.is_empty(), "{too_much:#?}");
}

/// The passes whose work grows faster than the page.
fn steep(small: &HostilePage, large: &HostilePage) -> Vec<String> {
    let (small_took, large_took) = (took(small), took(large));
    let pairs = small_took.iter().zip(&large_took);
    pairs
        .filter(|((_, small), (_, large))| {
            *large > NOISE && large.as_secs_f64() > small.as_secs_f64() * f64::from(TIMES) * SLACK
        })
        .map(|((pass, small), (_, more))| format!("{}, {pass}: {small:?} and {more:?}", large.name))
        .collect()
}

fn took(page: &HostilePage) -> Vec<(&'static str, Duration)> {
    let mut passes = Vec::new();
    let mut before = sim::cpu_time();
    let left = run(page, &mut |_, pass| {
        let now = sim::cpu_time();
        passes.push((pass, now.saturating_sub(before)));
        before = now;
    });
    // What is measured is work: no page of the suite is lost on the way.
    assert_ne!(left, 0, "{}", page.name);
    passes
}
