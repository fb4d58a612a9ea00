//! Where a text refers to a note, or has one in it: `[^1]`, `[fn:1]`, `footnote:[…]`.

/// How such a mark begins in Markdown, Org and AsciiDoc; a bracket closes it.
const OPENINGS: [&str; 4] = ["[^", "[fn:", "footnote:", "footnoteref:"];

/// Bytes of the longest note that is known as one.
const NOTE_BYTES: usize = 400;

/// The length of the mark that a text begins with.
pub(crate) fn note_mark(text: &str) -> Option<usize> {
    let opening = OPENINGS.iter().find(|opening| text.starts_with(**opening))?;
    let near = text.get(..text.floor_char_boundary(NOTE_BYTES))?;
    let open = near.find('[')?;
    // The name of a note stands before its bracket.
    let is_named = near.get(..open)?.chars().all(|c| c.is_ascii_alphanumeric() || ":_-".contains(c));
    let end = near.find(']').filter(|end| is_named && *end > opening.len().max(open + 1))?;
    Some(end + 1)
}

/// A text without the mark that it ends with.
pub(crate) fn without_note(text: &str) -> &str {
    let text = text.trim_end();
    if !text.ends_with(']') {
        return text;
    }
    let near = text.ceil_char_boundary(text.len().saturating_sub(NOTE_BYTES));
    let tail = text.get(near..).unwrap_or_default();
    let begins = |opening: &&str| {
        let at = tail.rfind(*opening)?;
        (note_mark(tail.get(at..)?)? == tail.len() - at).then_some(near + at)
    };
    // One that is written out has no other in it.
    let written = || tail.rfind('[').filter(|at| tail.get(*at..).is_some_and(is_written_note)).map(|at| near + at);
    let begin = OPENINGS.iter().find_map(begins).or_else(written);
    begin.and_then(|at| text.get(..at)).map_or(text, str::trim_end)
}

/// Bytes of the longest mark that a note is looked for by.
const MARK_BYTES: usize = 60;

/// Whether a text has a note where it refers to it: `256 GB [1: Two modules were removed.]`.
pub(crate) fn has_written_note(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| text.get(at..).is_some_and(is_written_note))
}

/// Whether a text begins with such a note: its mark, and what it says behind a colon.
fn is_written_note(text: &str) -> bool {
    let inside = text.strip_prefix('[').unwrap_or_default();
    let near = inside.get(..inside.floor_char_boundary(MARK_BYTES)).unwrap_or_default();
    let mark = near.split_once(": ").map_or("", |(mark, _)| mark);
    !mark.is_empty() && !mark.contains(|c: char| c.is_whitespace() || matches!(c, '[' | ']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_in_its_place_is_known() {
        for (text, has_note) in [
            ("It holds 5 l [1: With the lid.].", true),
            ("It holds 5 l [*: With the lid.].", true),
            ("It holds 5 l [1] with: a lid.", false),
            ("It holds [see above: lid] 5 l.", false),
            ("It holds [: lid] 5 l.", false),
            ("[", false),
        ] {
            assert_eq!(has_written_note(text), has_note, "{text}");
        }
    }

    #[test]
    fn a_mark_of_a_note_is_known() {
        for (text, bare) in [
            ("It has 212 cars.[fn:1]", "It has 212 cars."),
            ("It has 212 cars.[fn:: In May.]\n", "It has 212 cars."),
            ("It has 212 cars.[^1]", "It has 212 cars."),
            ("It has 212 cars.footnote:[Built in Gdynia.]", "It has 212 cars."),
            ("It has 212 cars.footnote:gd[Built in Gdynia.]", "It has 212 cars."),
            ("It has 212 cars [see below]", "It has 212 cars [see below]"),
            ("It has 212 cars. [1: Built in Gdynia.]", "It has 212 cars."),
            ("It has 212 cars. [1: Built [here].]", "It has 212 cars. [1: Built [here].]"),
            ("It has 212 cars.[fn:1] And [more]", "It has 212 cars.[fn:1] And [more]"),
            ("footnote: it has [more]", "footnote: it has [more]"),
            ("[^]", "[^]"),
            ("]", "]"),
            ("", ""),
        ] {
            assert_eq!(without_note(text), bare);
        }
    }
}
