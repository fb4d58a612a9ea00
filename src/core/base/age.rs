//! Ages, as people write them: `90d`.

use super::plain::is_digits;
use std::time::Duration;

const HOUR: u64 = 3_600;
/// A hundred years: more than anybody keeps anything, and far from any overflow.
const MOST_HOURS: u64 = 24 * 36_500;

/// A whole number of hours, days or weeks, at least one: `12h`, `90d`, `8w`.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let (number, hours) = [('h', 1), ('d', 24), ('w', 7 * 24)]
        .into_iter()
        .find_map(|(unit, hours)| Some((text.trim().strip_suffix(unit)?, hours)))?;
    let hours = is_digits(number).then(|| number.parse::<u64>().ok()).flatten()?.checked_mul(hours)?;
    (1..=MOST_HOURS).contains(&hours).then(|| Duration::from_secs(hours * HOUR))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_whole_numbers_with_a_unit() {
        let hours = |hours: u64| Some(Duration::from_secs(hours * HOUR));
        for (text, age) in
            [("1h", hours(1)), ("90d", hours(2_160)), (" 2w ", hours(336)), ("36500d", hours(MOST_HOURS))]
        {
            assert_eq!(parse(text), age, "{text}");
        }
        for text in ["", "d", "0d", "-1d", "+1d", "1.5d", "90", "90 d", "90m", "1y", "36501d", "99999999999999999999d"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
