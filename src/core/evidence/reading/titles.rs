//! The title of a source, out of the line that lists it.

use super::urls;
use crate::core::base::rows::phrases;

/// What an entry says besides its address.
pub(super) fn title(text: &str, url: Option<&str>) -> Option<String> {
    let linked = text.find("](").and_then(|end| text.get(..end)).and_then(behind_opening);
    let written =
        linked.filter(|title| title.chars().filter(|c| c.is_alphabetic()).count() >= 2 && !urls::is_web(title));
    let bare = url.map(|url| url.trim_start_matches("https://")).unwrap_or_default();
    let is_address = |word: &str| {
        let word = word.trim_matches(|c: char| matches!(c, '`' | '(' | ')' | '[' | ']' | ',' | ';' | '<' | '>'));
        word.contains("://") || word.starts_with("www.") || (!bare.is_empty() && word.trim_end_matches('/') == bare)
    };
    let plain: String = match written {
        Some(title) => title.to_owned(),
        None => text.split_whitespace().filter(|word| !is_address(word)).collect::<Vec<_>>().join(" "),
    };
    let plain = plain.replace(['`', '*'], "").replace("()", "").replace("[]", "");
    let plain = without_lead_in(plain.trim_matches(|c: char| !c.is_alphanumeric() && !is_kept_at_end(c)));
    let plain = balanced(plain.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_opening(c)));
    (plain.chars().any(char::is_alphabetic)).then_some(plain)
}

/// What stands behind the bracket that is still open at the end of a text.
fn behind_opening(text: &str) -> Option<&str> {
    let mut closed = 0_usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            ']' => closed += 1,
            '[' if closed == 0 => return text.get(at + 1..),
            '[' => closed -= 1,
            _ => {}
        }
    }
    None
}

fn is_kept_at_end(c: char) -> bool {
    matches!(c, ')' | ']' | '?' | '!' | '…' | '%') || is_opening(c) || matches!(c, '"' | '”' | '’' | '»' | '“')
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '"' | '“' | '„' | '«' | '‘')
}

/// What stands before an address, and says nothing of the source.
const LEAD_INS: &str = "available at, available from, available online at, retrieved from, accessed at, accessed from, \
     online at, url, link, at";

fn without_lead_in(text: &str) -> &str {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_kept_at_end(c));
    let ends = |lead: &str| {
        let at = text.len().checked_sub(lead.len())?;
        let (before, end) = (text.get(..at)?, text.get(at..)?);
        let is_it = end.eq_ignore_ascii_case(lead) && before.ends_with(['.', ',', ':', ';', ' ']);
        // A title may end in such a word; behind the end of a sentence it is none of the title.
        (is_it && before.trim_end().ends_with(['.', ',', ';', ':'])).then_some(before)
    };
    let cut = phrases(LEAD_INS).find_map(ends).unwrap_or(text);
    cut.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_kept_at_end(c))
}

/// A title without the half of a pair at its ends.
fn balanced(text: &str) -> String {
    let mut text = text.trim();
    for (open, close) in [('(', ')'), ('[', ']'), ('"', '"'), ('“', '”'), ('«', '»')] {
        let whole = text.strip_prefix(open).and_then(|inner| inner.strip_suffix(close));
        if let Some(inner) = whole.filter(|inner| !inner.contains([open, close])) {
            text = inner.trim();
        }
        let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
        let is_pair = if open == close { opened % 2 == 0 } else { opened == closed };
        if !is_pair {
            text = text.trim_start_matches(close).trim_end_matches(open).trim();
        }
        let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
        if open != close && opened < closed {
            text = text.strip_suffix(close).unwrap_or(text);
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EV-03: the title of a listed source is whole, without what only leads to its address.
    #[test]
    fn titles_of_entries() {
        for (entry, url, want) in [
            ("Two, https://two.example", Some("https://two.example"), "Two"),
            ("[One](https://one.example/a)", Some("https://one.example/a"), "One"),
            ("\"Deep lakes\" (2024), https://a.example", Some("https://a.example"), "\"Deep lakes\" (2024)"),
            (
                "“Deep lakes.” Nature. Retrieved from https://a.example",
                Some("https://a.example"),
                "“Deep lakes.” Nature",
            ),
            ("(Deep lakes) <https://a.example>", Some("https://a.example"), "Deep lakes"),
            ("Lake book. lake.org/x", Some("https://lake.org/x"), "Lake book"),
            ("`docs/lake.md:3-5` — Lake Ormond › Fish", Some("docs/lake.md:3-5"), "Lake Ormond › Fish"),
            ("What is a lake?", None, "What is a lake?"),
            ("[Lakes [PDF]](https://a.example/x.pdf)", Some("https://a.example/x.pdf"), "Lakes [PDF]"),
        ] {
            assert_eq!(title(entry, url).as_deref(), Some(want), "{entry}");
        }
    }
}
