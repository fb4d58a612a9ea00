//! The price list. A change of price is a new row: the old one gets its last day and stays, so that what was used
//! before it keeps its cost.

use super::Day;

/// Micro-dollars for a million tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    pub(super) input: u32,
    /// Input that came from the provider's cache.
    pub(super) cached: u32,
    /// Answer and thoughts.
    pub(super) output: u32,
}

/// What some models or agents cost during some days.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) names: &'static [&'static str],
    /// First and last day in UTC; `None` is open. A provider may change its prices some hours off midnight UTC.
    pub(super) from: Option<Day>,
    pub(super) until: Option<Day>,
    pub(super) rates: Rates,
    /// A prompt of more tokens than this makes the whole request cost these rates.
    pub(super) above: Option<(u64, Rates)>,
    /// Micro-dollars for one search.
    pub(super) search: u32,
    /// Where the figures come from.
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever checks the table"))]
    pub(super) source: &'static str,
}

/// $14 for a thousand searches with Gemini 3 and later; the first 5,000 of a month are free and not taken off here.
const SEARCH: u32 = 14_000;

const PRO: Rates = Rates { input: 2_000_000, cached: 200_000, output: 12_000_000 };

pub(super) const ROWS: &[Row] = &[
    Row {
        names: &[
            "deep-research-preview-04-2026",
            "deep-research-max-preview-04-2026",
            "deep-research-pro-preview-12-2025",
        ],
        from: None,
        until: None,
        rates: PRO,
        // An agent makes many requests and reports their sum: which of them had a prompt above 200,000 tokens is not
        // known, so the lower rates are taken for all of them.
        above: None,
        search: SEARCH,
        source: "no rate card of their own: list rates of gemini-3.1-pro-preview, which Google's bands of $1-3 and \
                 $3-7 a run bear out; read 2026-09-26",
    },
    Row {
        names: &["gemini-3.1-pro-preview"],
        from: None,
        until: None,
        rates: PRO,
        above: Some((200_000, Rates { input: 4_000_000, cached: 400_000, output: 18_000_000 })),
        search: SEARCH,
        source: "Gemini API price list, read 2026-09-26",
    },
    Row {
        names: &["gemini-3.8-flash"],
        from: None,
        until: Some((2026, 12, 31)),
        rates: Rates { input: 750_000, cached: 75_000, output: 3_750_000 },
        above: None,
        search: SEARCH,
        source: "Gemini API price list; the cached rate is taken as a tenth of the input rate, as with the other models",
    },
    Row {
        names: &["gemini-3.8-flash"],
        from: Some((2027, 1, 1)),
        until: None,
        rates: Rates { input: 1_500_000, cached: 150_000, output: 7_500_000 },
        above: None,
        search: SEARCH,
        source: "announced with the row before",
    },
    Row {
        names: &["gemini-4-argon"],
        from: None,
        until: Some((2026, 11, 30)),
        rates: Rates { input: 2_000_000, cached: 200_000, output: 10_000_000 },
        above: None,
        search: SEARCH,
        source: "Gemini API price list; the cached rate is taken as a tenth of the input rate, as with the other models",
    },
    Row {
        names: &["gemini-4-argon"],
        from: Some((2026, 12, 1)),
        until: None,
        rates: Rates { input: 4_000_000, cached: 400_000, output: 20_000_000 },
        above: None,
        search: SEARCH,
        source: "announced with the row before",
    },
];
