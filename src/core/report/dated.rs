//! Lines that are entries for themselves because each of them begins with its day: `2024-03-01 water level 3.2 m`.

use crate::core::language::days::begins_with_day;

/// Whether at this place a line begins that begins with a day, as the line right above or below it does.
pub(super) fn is_dated_line(text: &str, start: usize) -> bool {
    let (before, rest) = (text.get(..start).unwrap_or_default(), text.get(start..).unwrap_or_default());
    // A place inside of a line must not cost the length of that line.
    if !before.is_empty() && !before.ends_with('\n') {
        return false;
    }
    let mut below = rest.lines();
    let own = below.next().unwrap_or_default();
    let begins = |line: Option<&str>| line.is_some_and(|line| begins_with_day(head(line)));
    begins(Some(own)) && (begins(below.next()) || begins(before.lines().next_back()))
}

/// Bytes of a line in which a day stands that it begins with.
const DAY_BYTES: usize = 48;

fn head(line: &str) -> &str {
    line.get(..line.floor_char_boundary(DAY_BYTES)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: lines that begin with their days one below the other are entries.
    #[test]
    fn em_01_lines_with_days_are_entries() {
        for (text, line, is) in [
            ("2024-03-01 level 3.2 m\n2024-03-02 level 2.9 m\n", "2024-03-02", true),
            ("1 March 2024: level 3.2 m\n2 March 2024: level 2.9 m", "1 March", true),
            ("The level was read on\n2 March 2024 at noon.", "2 March", false),
            ("2024-03-01 level 3.2 m\n\n2024-03-02 level 2.9 m\n", "2024-03-02", false),
            ("", "", false),
        ] {
            assert_eq!(is_dated_line(text, text.find(line).unwrap()), is, "{text}");
        }
    }
}
