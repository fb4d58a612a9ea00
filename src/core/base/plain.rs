//! Foreign text as it may be shown: nothing in it moves a cursor, changes colours, forges a line or turns the direction of reading.

/// Whether a character turns the direction of text or breaks its line without being seen.
pub(crate) fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character carries something that only programs see: tags, variants of tags, notes between lines.
fn smuggles(c: char) -> bool {
    matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character is nothing that is seen, and no part of how words or pictures are joined.
pub(crate) fn is_empty(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Whether a character acts instead of being seen.
pub(crate) fn acts(c: char) -> bool {
    c.is_control() || turns(c) || smuggles(c)
}

/// Whether a character is for private use: the picture of a font, and no letter.
pub(crate) fn is_picture(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}')
}

/// Whether a text is digits and nothing else.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// One line of at most `most` characters; what acts or is nothing that is seen is a blank.
pub(crate) fn line(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if acts(c) || is_empty(c) { ' ' } else { c }).collect()
}

/// Where a document is, as people are shown it: what acts or is not seen is marked, for it makes a name look like another. It opens nothing then.
pub(crate) fn location(place: &str) -> String {
    place.chars().map(|c| if acts(c) || is_empty(c) { '\u{fffd}' } else { c }).collect()
}

/// One line of at most `most` characters in which what acts is marked: for values that a reader may want to correct.
pub(crate) fn marked(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if acts(c) { '\u{fffd}' } else { c }).collect()
}

/// The words of a text with one blank between them, at most `most` characters.
pub(crate) fn words(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").chars().take(most).collect()
}

/// The beginning of a text, whole words of at most `most` characters, with a mark where something was left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let text = text.trim();
    let Some((end, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let cut = text.get(..end).unwrap_or(text);
    let whole = if text.get(end..).is_some_and(|rest| rest.starts_with(char::is_whitespace)) {
        cut
    } else {
        cut.rfind(char::is_whitespace).filter(|at| *at > end / 2).and_then(|at| cut.get(..at)).unwrap_or(cut)
    };
    // A bracket that would stay open goes too, unless that is most of the text.
    let open = whole.rfind(['(', '[']).filter(|at| !whole.get(*at..).is_some_and(|rest| rest.contains([')', ']'])));
    let kept = open.filter(|at| *at > end / 2).and_then(|at| whole.get(..at)).unwrap_or(whole);
    format!("{}…", kept.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—')))
}

/// A text of many lines without what acts, but for line feeds and tabs.
pub(crate) fn lines(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !acts(*c)).collect()
}

/// A model's text of many lines without what acts and what is not seen; every kind of line end is a line feed.
pub(crate) fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut before = '\0';
    for c in text.chars() {
        match c {
            '\r' => seen.push('\n'),
            '\n' if before == '\r' => {}
            '\n' | '\t' => seen.push(c),
            c if acts(c) || is_empty(c) => {}
            c => seen.push(c),
        }
        before = c;
    }
    seen
}

/// Scripts that are written without spaces between words (Chinese, Japanese, Thai), and Korean, whose words take endings.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_not_shown() {
        for (text, as_line, as_marked, as_words, as_lines) in [
            ("", "", "", "", ""),
            ("plain, as it is", "plain, as it is", "plain, as it is", "plain, as it is", "plain, as it is"),
            ("a\u{1b}[2Jb", "a [2Jb", "a\u{fffd}[2Jb", "a [2Jb", "a[2Jb"),
            ("a\r\nb\tc", "a  b c", "a\u{fffd}\u{fffd}b\u{fffd}c", "a b c", "a\nb\tc"),
            ("a\u{202e}b", "a b", "a\u{fffd}b", "a\u{202e}b", "ab"),
            ("a\u{85}b\u{0}", "a b ", "a\u{fffd}b\u{fffd}", "a b", "ab"),
        ] {
            assert_eq!(line(text, 99), as_line, "{text:?}");
            assert_eq!(marked(text, 99), as_marked, "{text:?}");
            assert_eq!(words(text, 99), as_words, "{text:?}");
            assert_eq!(lines(text), as_lines, "{text:?}");
        }
        for (place, shown) in [
            ("/d/a b.md", "/d/a b.md"),
            ("/d/in\u{202e}gnp.md", "/d/in\u{fffd}gnp.md"),
            ("/d/pay\u{200b}pal.md", "/d/pay\u{fffd}pal.md"),
            ("/d/two\nlines\t.md", "/d/two\u{fffd}lines\u{fffd}.md"),
            ("/d/\u{1b}[2J.md", "/d/\u{fffd}[2J.md"),
            // Joined letters are how words of some languages are written.
            ("/d/نامه\u{200c}ها.md", "/d/نامه\u{200c}ها.md"),
            ("https://h/p", "https://h/p"),
        ] {
            assert_eq!(location(place), shown);
        }
        assert_eq!(line("pay\u{200b}pal", 99), "pay pal");
        assert_eq!((line("äöü", 2), marked("äöü", 2), words("ä öü", 3)), ("äö".into(), "äö".into(), "ä ö".into()));
    }
}
