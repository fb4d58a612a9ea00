//! Reasons that are none: below the label that is asked for it stands that nobody knows it yet, or nothing.

use super::units::{cut, units};
use crate::core::question::labels::Label;
use crate::core::question::reason_signs::tells_plainly;
use crate::core::question::unknown::{is_unknown, tells_unknown_reason};
use crate::core::text::table_rows::{cells, is_table_rule};

/// Whether what a quote has below the label that is asked for says that it is not known. `heading` is the one right above the quote, `head` that of the table
/// that it is cut from.
pub(super) fn is_told_as_unknown(label: Label, heading: Option<&str>, head: &str, quote: &str) -> bool {
    let values = match quote.lines().chain(head.lines()).any(is_table_rule) {
        true => values_of_rows(label, head, quote),
        false => values_of_lines(label, heading, quote),
    };
    let is_nothing = |value: &str| is_unknown(value) || tells_unknown_reason(value);
    let is_labelled =
        values.as_ref().is_some_and(|values| !values.is_empty() && values.iter().all(|value| is_nothing(value)));
    is_labelled || (values.is_none() && label == Label::Cause && says_so(quote))
}

/// Whether a sentence of a quote says that the reason is not known, and no other one has a word of a reason.
fn says_so(quote: &str) -> bool {
    let units = units(quote);
    let said = || units.iter().map(|unit| cut(quote, &unit.place));
    said().any(tells_unknown_reason) && !said().any(|said| tells_plainly(said) && !tells_unknown_reason(said))
}

/// What stands below a label in the lines of a quote, if it is there.
fn values_of_lines<'t>(label: Label, heading: Option<&str>, quote: &'t str) -> Option<Vec<&'t str>> {
    let mut is_below = heading.is_some_and(|heading| label.is_named_by(heading));
    let (mut values, mut is_there) = (Vec::new(), is_below);
    for line in quote.lines().filter(|line| !line.trim().is_empty()) {
        let (labels, value) = Label::with_value(line);
        match labels.is_empty() {
            true => {
                // Another field of a form ends the one that was asked for.
                is_below &= values.is_empty() || !is_field(line);
                values.extend(Some(line).filter(|_| is_below));
            }
            false => {
                is_below = labels.contains(&label);
                is_there |= is_below;
                values.extend(Some(value).filter(|value| is_below && !value.trim().is_empty()));
            }
        }
    }
    is_there.then_some(values)
}

/// Words of the name of a field.
const FIELD_WORDS: usize = 3;

/// Whether a line is a field of a form: `Owner: Ann`.
fn is_field(line: &str) -> bool {
    let name = line.trim_start_matches(['-', '*', '_', ' ']).split_once(": ").map(|(name, _)| name);
    name.is_some_and(|name| name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= FIELD_WORDS)
}

/// What the rows of a quoted table have below a label, if one of its columns is called so.
fn values_of_rows<'t>(label: Label, head: &str, quote: &'t str) -> Option<Vec<&'t str>> {
    let first = head.lines().chain(quote.lines()).find(|line| !line.trim().is_empty())?;
    let column =
        cells(first).into_iter().position(|cell| first.get(cell).is_some_and(|name| label.is_named_by(name)))?;
    let rows =
        quote.lines().filter(|line| *line != first && line.trim_start().starts_with('|') && !is_table_rule(line));
    let values: Vec<&str> =
        rows.filter_map(|row| cells(row).into_iter().nth(column).and_then(|cell| row.get(cell))).collect();
    (!values.is_empty()).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: what says below the label that is asked for that nobody knows is no answer.
    #[test]
    fn em_01_unknown_reasons_are_no_reasons() {
        let table = "| Fault | Cause |\n|---|---|\n| Pump leaks | unknown |";
        for (heading, quote, is) in [
            (None, "The lift stopped.\n\n**Cause:** not yet known\n\n**Action:** reset", true),
            (None, "The lift stopped.\n\nCause\n\nUnder investigation.\n\nAction\n\nreset", true),
            (None, "The lift stopped.\n\nCause: –", true),
            (None, "The lift stopped.\n\nCause:", false),
            (None, "The lift stopped.\n\nCause: worn belt", false),
            (None, "Lift stopped\nCause: under investigation\nOwner: Ann", true),
            (None, "The lift stopped.\n\nCause: unknown\n\nCause: worn belt", false),
            (Some("Root cause"), "Not yet known.", true),
            (Some("Root cause"), "Not yet known. The belt was worn.", false),
            (None, table, true),
            (None, "| Fault | Cause |\n|---|---|\n| Pump hums | air |", false),
            (None, "| Fault | State |\n|---|---|\n| Pump hums | unknown |", false),
            (None, "The lift stopped. The reason is not known.", true),
            (None, "The lift stopped because it was cold. The reason of the noise is not known.", false),
            (None, "The lift stopped.", false),
        ] {
            assert_eq!(is_told_as_unknown(Label::Cause, heading, "", quote), is, "{quote}");
        }
        assert!(!is_told_as_unknown(Label::Remedy, None, "", "The lift stopped. The reason is not known."));
    }
}
