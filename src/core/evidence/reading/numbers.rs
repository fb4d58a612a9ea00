//! Lists of numbers as citations write them: `1`, `1, 3`, `4;5`, `1-3`, `2 and 7`.

use crate::core::base::plain::is_digits;

/// The widest range that is written out; more is a range of years or pages.
const RANGE: u32 = 50;
/// The longest list; more is data.
const LIST: usize = 100;
/// The highest number of a source.
const HIGHEST: u32 = 9_999;

/// The numbers of a list, or none if it is anything else.
pub(super) fn numbers(text: &str) -> Option<Vec<u32>> {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if matches!(c, '–' | '—' | '−' | '‑') { '-' } else { c })
        .collect();
    let plain = plain.replace("and", ",").replace('&', ",").replace("to", "-").replace(['，', '、', '；'], ",");
    let mut found = Vec::new();
    for part in plain.split([',', ';', '/', '|']).filter(|part| !part.is_empty()) {
        let part = part.trim_start_matches(['#', '^']).trim_end_matches('^');
        match part.split_once('-') {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last.trim_start_matches(['#', '^']))?);
                if first > last || last - first > RANGE {
                    return None;
                }
                found.extend(first..=last);
            }
            None => found.push(number(part)?),
        }
    }
    (!found.is_empty() && found.len() <= LIST).then_some(found)
}

fn number(text: &str) -> Option<u32> {
    let digits = text.len() <= 4 && is_digits(text);
    // A year in brackets is no citation.
    text.parse().ok().filter(|number| digits && (1..=HIGHEST).contains(number) && !(1_500..2_200).contains(number))
}

/// The number of a run of superscript signs.
pub(super) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁻' | '⁃' => '-',
        _ => return None,
    })
}
