//! Lines of plain text that are the headings of a changelog without being written as headings: `Version 1.2 (March 2021)`, `1.2 - 2021-03-04`,
//! `v1.2, released March 2021`, or a day alone above a list. What stands below one of them is of that release.

use std::collections::BTreeSet;
use std::ops::Range;

use super::cut;
use super::entry_times::{self, EntryTime};
use crate::core::base::rows::is_listed;
use crate::core::language::days::{days, year_said};
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::runs;

/// No such line is longer, in bytes.
const LONGEST: usize = 80;
/// Words that stand beside the version and the time of a release, without accents.
const BESIDE: &str = "a as at beta bugfix build changes current date draft final first for from hotfix in initial is it latest lts maintenance major minor new \
     not of on patch pre public published rc release released security stable st nd rd the th this unreleased update version was what yet \
     am anderungen aktuell ausgabe der die erschienen erste fassung freigegeben im neu neue neuerungen noch nicht stand veroffentlicht vom von \
     changements de du en la le les nouveautes parue premiere publiee sortie";
/// Figures of a version that needs neither a word before it nor a date behind it, above a list: `1.2.3`.
const FIGURES: usize = 3;
/// Among so many lines below it the list begins.
const BELOW: usize = 3;

/// The lines that are headings of releases: two of them at least, of different versions.
pub(super) fn release_lines(text: &str, lines: &[Range<usize>]) -> BTreeSet<usize> {
    let line = |at: usize| lines.get(at).map_or("", |span| cut(text, span)).trim_end();
    let is_apart = |at: usize| at.checked_sub(1).is_none_or(|above| ends_entry(line(above)));
    let found = (0..lines.len()).filter(|at| is_apart(*at));
    let is_headed = |at: usize| is_rule(line(at + 1)) || (line(at).starts_with('=') && line(at).ends_with('='));
    let is_above_items = |at: usize| {
        let mut below = (at + 1..lines.len()).map(line).take(BELOW).filter(|line| !line.trim().is_empty());
        below.next().is_some_and(is_item)
    };
    let signs = |at: usize| Signs { is_headed: is_headed(at), is_above_items: is_above_items(at) };
    let found: Vec<(usize, EntryTime)> =
        found.filter_map(|at| Some((at, release_of(line(at), || signs(at))?))).collect();
    let is_alone = found.iter().all(|(_, version)| found.first().is_some_and(|(_, first)| first == version));
    if is_alone { BTreeSet::new() } else { found.into_iter().map(|(at, _)| at).collect() }
}

/// What tells beside its words that a line is a heading.
struct Signs {
    is_headed: bool,
    is_above_items: bool,
}

/// The release that a line names, where it says no more than that and when it came out.
fn release_of(line: &str, signs: impl FnOnce() -> Signs) -> Option<EntryTime> {
    let has_figures = line.contains(|c: char| c.is_ascii_digit());
    if !has_figures || line.len() > LONGEST || line.starts_with(char::is_whitespace) || is_item(line) {
        return None;
    }
    let first = line.get(line.find(char::is_alphanumeric)?..)?;
    let days: Vec<Range<usize>> = days(first).into_iter().map(|(place, _)| place).collect();
    // `20.10.2026` is a day.
    let begins_with_day = days.iter().any(|day| day.start == 0);
    let version = if begins_with_day { None } else { EntryTime::of_release(first) };
    // What a release is of may stand before it: `Tool 1.2 (2021-03-04)`.
    let behind = first.split_once(' ').filter(|(word, _)| version.is_none() && word.chars().all(char::is_alphabetic));
    let named = behind.and_then(|(word, rest)| Some((word, EntryTime::of_release(rest)?))).filter(|_| !begins_with_day);
    let is_beside_time = |place: &Range<usize>| !days.iter().any(|day| day.start < place.end && place.start < day.end);
    let skipped = named.as_ref().map_or(0, |(word, _)| word.len());
    let (mut is_dated, mut is_versioned, mut figures) = (!days.is_empty(), false, 0);
    for place in runs(first).filter(is_beside_time).filter(|place| place.start >= skipped) {
        let word = first.get(place)?;
        let plain = folded(word);
        let is_figure = word.chars().all(|c| c.is_ascii_digit());
        let is_time = months::named(word).is_some() || year_said(word).is_some() || Weekday::named(word).is_some();
        let is_version = word.trim_start_matches(['v', 'V', 'r', 'b', 'c']).chars().all(|c| c.is_ascii_digit());
        if !is_time && !is_figure && !is_version && !is_listed(BESIDE, &plain) {
            return None;
        }
        is_dated |= months::named(word).is_some() || year_said(word).is_some();
        is_versioned |= matches!(plain.as_str(), "version" | "release") || (is_version && !is_figure);
        figures += usize::from(is_figure && !is_time);
    }
    let signs = signs();
    match (version, named) {
        (Some(version), _) => {
            let is_told = is_dated || is_versioned || signs.is_headed || (figures >= FIGURES && signs.is_above_items);
            is_told.then_some(version)
        }
        (None, Some((_, version))) => Some(version).filter(|_| is_dated),
        (None, None) => EntryTime::of_line(first).filter(|_| begins_with_day && figures == 0 && signs.is_above_items),
    }
}

/// Whether another release may begin below a line: there is none, it is the last one of a list, or it underlines something.
fn ends_entry(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t']) || is_item(line) || is_rule(line)
}

fn is_item(line: &str) -> bool {
    entry_times::is_item(line) || line.trim_start().starts_with("o ")
}

/// Whether a line is nothing but signs, as below a heading.
fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    bare.len() >= FIGURES && bare.chars().all(|c| "=-~*#_^".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::text::lines::lines_in;

    /// EM-01: what names a release and nothing else is a heading, where there are two of them.
    #[test]
    fn em_01_lines_of_releases_are_known() {
        let found = |text: &str| -> Vec<usize> {
            let lines: Vec<_> = lines_in(text, 0..text.len()).collect();
            release_lines(text, &lines).into_iter().collect()
        };
        for (text, wanted) in [
            ("Version 1.2 (March 2021)\n* a\n\nVersion 1.1 (May 2020)\n* b\n", &[0, 3][..]),
            ("Version 1.2 (March 2021)\n* a\nVersion 1.1 (May 2020)\n* b\n", &[0, 2]),
            ("1.2 - 2021-03-04\n* a\n\n1.1 - 2020-05-06\n* b\n", &[0, 3]),
            ("v1.2, released March 2021\n  * a\n\nv1.1, released May 2020\n  * b\n", &[0, 3]),
            ("Tool\n\n1.2.1\n\n- a\n\n1.2.0\n\n- b\n", &[2, 6]),
            ("= 1.2 =\n* a\n\n= 1.1 =\n* b\n", &[0, 3]),
            ("Version 1.2 vom 4. März 2021\n- a\n\nVersion 1.1 vom 6. Mai 2020\n- b\n", &[0, 3]),
            ("Version 1.2 du 4 mars 2021\n- a\n\nVersion 1.1 du 6 mai 2020\n- b\n", &[0, 3]),
            ("Changes in version 1.2:\n- a\n\nChanges in version 1.1:\n- b\n", &[0, 3]),
            // One of them alone is of a licence or a manual, and so is the same on each page.
            ("Version 1.2 (March 2021)\n\nThe pump.\n", &[]),
            ("Version 1.2\n\nThe pump.\n\nVersion 1.2\n\nThe valve.\n", &[]),
            ("1.2 Scope\n\nThe pump.\n\n1.3 Terms\n\nThe valve.\n", &[]),
            ("1.2.3\n\nScope\n\n1.2.4\n\nTerms\n", &[]),
            ("20.10.2026\n- a\n\n21.10.2026\n- b\n", &[0, 3]),
            ("20.10.2026\nRain.\n\n21.10.2026\nSun.\n", &[]),
            ("20.10.2026 Ann\n- a\n\n21.10.2026 Tom\n- b\n", &[]),
            ("Tool 1.2 (2021-03-04)\n* a\n\nTool 1.1 (2020-05-06)\n* b\n", &[0, 3]),
            ("Table 1.2 of it\n\nTable 1.1 of it\n", &[]),
            ("The pump came with\nversion 1.2\nand later with\nversion 1.3\n", &[]),
            ("Version 1.2 needs a key.\n\nVersion 1.3 needs none.\n", &[]),
            ("", &[]),
        ] {
            assert_eq!(found(text), wanted, "{text}");
        }
    }
}
