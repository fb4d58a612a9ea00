//! What the real service would bill. The arithmetic is written down a second time on purpose: a bill is worth something only if
//! whoever is billed did not make it.

use serde::{Deserialize, Serialize};

use super::plan::Usage;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Invoice {
    /// In the order in which they were accepted; those that were deleted as well.
    pub runs: Vec<BilledRun>,
    /// Creates that were accepted, whether or not anybody got the answer.
    pub creates: u64,
}

impl Invoice {
    #[must_use]
    pub fn cost_micros(&self) -> u64 {
        self.runs.iter().map(|run| run.cost_micros).sum()
    }
}

/// What a run has cost so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BilledRun {
    pub id: String,
    pub agent_or_model: String,
    /// The text of the input.
    pub input: String,
    pub previous: Option<String>,
    pub usage: Usage,
    pub cost_micros: u64,
    pub cancelled: bool,
    pub status: String,
}

/// Prices in billionths of a dollar: a token of input, one from the cache, one of output, and a search.
fn prices(name: &str) -> [u64; 4] {
    match name {
        "gemini-3.8-flash" => [750, 75, 3_750, 14_000_000],
        "gemini-4-argon" => [2_000, 200, 10_000, 14_000_000],
        _ => [2_000, 200, 12_000, 14_000_000],
    }
}

/// Millionths of a dollar, rounded once, at the end, half up.
pub(super) fn cost_micros(name: &str, usage: Usage) -> u64 {
    let [input, cached, output, search] = prices(name);
    let billionths = (usage.input.saturating_sub(usage.cached) + usage.tool_use) * input
        + usage.cached * cached
        + (usage.output + usage.thought) * output
        + usage.searches * search;
    (billionths + 500) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_of_a_usual_run_is_what_the_price_list_says() {
        let table = [
            // 0.20 + 0.03 + 0.72 + 1.12 dollars.
            ("deep-research-preview-04-2026", [250_000, 150_000, 60_000, 0, 0, 80], 2_070_000),
            // 0.72 + 0.108 + 0.96 + 2.24 dollars.
            ("deep-research-max-preview-04-2026", [900_000, 540_000, 80_000, 0, 0, 160], 4_028_000),
            ("deep-research-preview-04-2026", [251_000, 150_000, 9_500, 51_000, 10_000, 83], 2_140_000),
            // 0.75 and 3.75 of a million tokens; the cached ones at a tenth.
            ("gemini-3.8-flash", [1_000_000, 0, 1_000_000, 0, 0, 0], 4_500_000),
            ("gemini-3.8-flash", [1_000_000, 1_000_000, 0, 0, 0, 1], 89_000),
            // 1.5 millionths are 2, and 0.225 are none.
            ("gemini-3.8-flash", [2, 0, 0, 0, 0, 0], 2),
            ("gemini-3.8-flash", [3, 3, 0, 0, 0, 0], 0),
            ("any", [0; 6], 0),
        ];
        for (name, [input, cached, output, thought, tool_use, searches], micros) in table {
            let usage = Usage { input, cached, output, thought, tool_use, searches };
            assert_eq!(cost_micros(name, usage), micros, "{name} {usage:?}");
        }
    }
}
