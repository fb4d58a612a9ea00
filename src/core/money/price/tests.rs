//! HR-16: what was used costs what the list says, to the millionth.

use proptest::prelude::*;

use super::table::Rates;
use super::*;

const STANDARD: &str = "deep-research-preview-04-2026";
const MAX: &str = "deep-research-max-preview-04-2026";
const PRO: &str = "gemini-3.1-pro-preview";
const FLASH: &str = "gemini-3.8-flash";
const ARGON: &str = "gemini-4-argon";

/// 2026-11-15T00:00:00Z.
const NOW: i64 = 1_794_700_800_000;
const DAY: i64 = 86_400_000;
/// The first milliseconds of 2026-12-01 and 2027-01-01.
const DECEMBER: i64 = NOW + 16 * DAY;
const NEW_YEAR: i64 = NOW + 47 * DAY;

fn tokens(input: u64, cached: u64, output: u64, searches: u64) -> Tokens {
    Tokens { input, cached, output, searches, ..Tokens::default() }
}

fn micros(name: &str, at_ms: i64, tokens: Tokens) -> u64 {
    cost(name, at_ms, tokens).cost.micros()
}

#[test]
fn hr_16_known_runs_have_known_costs() {
    let thoughts = Tokens { thought: 40_000, output: 20_000, ..tokens(250_000, 150_000, 0, 80) };
    let pages = Tokens { tool_use: 90_000, ..tokens(10_000, 0, 0, 0) };
    for (name, at, tokens, want) in [
        // The typical runs of the two agents, as worked out by hand.
        (STANDARD, NOW, tokens(250_000, 150_000, 60_000, 80), 2_070_000),
        (MAX, NOW, tokens(900_000, 540_000, 80_000, 160), 4_028_000),
        ("deep-research-pro-preview-12-2025", NOW, tokens(250_000, 150_000, 60_000, 80), 2_070_000),
        (STANDARD, NOW, thoughts, 2_070_000),
        (STANDARD, NOW, pages, 200_000),
        (STANDARD, NOW, Tokens::default(), 0),
        // An agent's sum stays in the lower tier, a model's long prompt does not.
        (STANDARD, NOW, tokens(1_000_000, 0, 0, 0), 2_000_000),
        (PRO, NOW, tokens(200_000, 0, 1_000, 0), 412_000),
        (PRO, NOW, tokens(200_001, 0, 1_000, 0), 818_004),
        (PRO, NOW, tokens(300_000, 100_000, 0, 0), 840_000),
        ("models/gemini-3.1-pro-preview", NOW, tokens(1_000, 0, 0, 1), 16_000),
        // More from the cache than there was: all of it was cached.
        (PRO, NOW, tokens(1_000, 5_000, 0, 0), 200),
        // Half a millionth is rounded up, less is rounded down.
        (FLASH, NOW, tokens(2, 0, 0, 0), 2),
        (FLASH, NOW, tokens(0, 0, 1, 0), 4),
        (PRO, NOW, tokens(1, 1, 0, 0), 0),
        (PRO, NOW, tokens(3, 3, 0, 0), 1),
        // Prices change at midnight UTC.
        (FLASH, NEW_YEAR - 1, tokens(1_000_000, 0, 1_000_000, 0), 4_500_000),
        (FLASH, NEW_YEAR, tokens(1_000_000, 0, 1_000_000, 0), 9_000_000),
        (ARGON, DECEMBER - 1, tokens(1_000_000, 0, 1_000_000, 0), 12_000_000),
        (ARGON, DECEMBER, tokens(1_000_000, 0, 1_000_000, 0), 24_000_000),
        (ARGON, i64::MIN, tokens(1_000_000, 0, 0, 0), 2_000_000),
        (ARGON, i64::MAX, tokens(1_000_000, 0, 0, 0), 4_000_000),
    ] {
        assert_eq!(cost(name, at, tokens), Quote { cost: Usd::from_micros(want), known: true }, "{name} {tokens:?}");
    }
}

#[test]
fn an_unknown_name_costs_what_the_nearest_does() {
    let prompt = tokens(100_000, 0, 0, 0);
    for (name, want) in [
        ("gemini-3.8-flash-lite", 75_000),
        ("gemini-3.1-pro-preview-customtools", 200_000),
        ("gemini-4-neon", 200_000),
        ("deep-research-preview-02-2027", 200_000),
        ("someone-elses-model", 200_000),
        ("", 200_000),
    ] {
        assert_eq!(cost(name, NOW, prompt), Quote { cost: Usd::from_micros(want), known: false }, "{name}");
    }
}

#[test]
fn counts_beyond_reason_do_not_overflow() {
    let most = u64::MAX;
    let all = Tokens { input: most, cached: most, output: most, thought: most, tool_use: most, searches: most };
    assert_eq!(micros(PRO, NOW, all), u64::MAX);
    let used = usage(PRO, NOW, all);
    assert_eq!((used.tokens_in, used.tokens_out), (most, most));
}

#[test]
fn usage_counts_tools_as_input_and_thoughts_as_output() {
    let tokens = Tokens { input: 10, cached: 4, output: 3, thought: 5, tool_use: 7, searches: 1 };
    let want = Usage { tokens_in: 17, tokens_out: 8, cost: cost(STANDARD, NOW, tokens).cost, ..Usage::ZERO };
    assert_eq!(usage(STANDARD, NOW, tokens), want);
}

/// Every name has exactly one row on every day around the borders, and a higher tier is never cheaper.
#[test]
fn the_table_has_no_gap_and_no_overlap() {
    let days = (-40..4_000).map(|offset| day(NOW + offset * DAY)).chain([day(i64::MIN), day(i64::MAX)]);
    for at in days {
        for name in ROWS.iter().flat_map(|row| row.names) {
            let rows = ROWS.iter().filter(|row| row.holds(at) && row.names.contains(name)).count();
            assert_eq!(rows, 1, "{name} on {at:?}");
        }
    }
    for row in ROWS {
        let Rates { input, cached, output } = row.rates;
        assert!(cached <= input && input <= output && !row.source.is_empty(), "{row:?}");
        let dearer =
            |(_, above): (u64, Rates)| above.input >= input && above.cached >= cached && above.output >= output;
        assert!(row.above.is_none_or(dearer), "{row:?}");
    }
}

fn any_tokens() -> impl Strategy<Value = Tokens> {
    let count = || prop_oneof![0..500_000_u64, any::<u64>()];
    (count(), count(), count(), count(), count(), count()).prop_map(
        |(input, cached, output, thought, tool_use, searches)| Tokens {
            input,
            cached,
            output,
            thought,
            tool_use,
            searches,
        },
    )
}

proptest! {
    /// Who uses more pays no less; who gets more from the cache pays no more.
    #[test]
    fn cost_is_monotone(
        used in any_tokens(),
        more in 0..1_000_000_u64,
        name in prop::sample::select(vec![STANDARD, MAX, PRO, FLASH, ARGON, "unknown"]),
        at in any::<i64>(),
    ) {
        let before = micros(name, at, used);
        for dearer in [
            Tokens { input: used.input.saturating_add(more), ..used },
            Tokens { output: used.output.saturating_add(more), ..used },
            Tokens { thought: used.thought.saturating_add(more), ..used },
            Tokens { tool_use: used.tool_use.saturating_add(more), ..used },
            Tokens { searches: used.searches.saturating_add(more), ..used },
        ] {
            prop_assert!(micros(name, at, dearer) >= before, "{dearer:?}");
        }
        let cheaper = Tokens { cached: used.cached.saturating_add(more), ..used };
        prop_assert!(micros(name, at, cheaper) <= before);
    }
}
