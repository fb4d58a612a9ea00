//! Addresses in running text.

/// The longest address, in bytes.
const LONGEST: usize = 4_000;

/// The length of the address that a text begins with.
pub(super) fn length(text: &str) -> Option<usize> {
    let begins = |start: &str| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if !(begins("http://") || begins("https://") || begins("www.")) {
        return None;
    }
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '<' | '>' | '"' | '“' | '”' | '`' | '|' | '】' | '，' | '。' | '、' | '；' | '）')
            || c.is_control()
    };
    let reach = text
        .char_indices()
        .take_while(|(at, c)| *at < LONGEST && !ends(*c))
        .last()
        .map_or(0, |(at, c)| at + c.len_utf8());
    let mut url = text.get(..reach)?;
    let count = |mark: char| i64::try_from(url.matches(mark).count()).unwrap_or_default();
    let (mut round, mut square) = (count(')') - count('('), count(']') - count('['));
    loop {
        let last = url.chars().next_back()?;
        match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '’' | '*' | '_' | '~' => {}
            ')' if round > 0 => round -= 1,
            ']' if square > 0 => square -= 1,
            _ => break,
        }
        url = url.get(..url.len() - last.len_utf8())?;
    }
    // `www.` alone is no address.
    (url.len() > 8 && url.contains('.')).then_some(url.len())
}

/// Whether a link leads to a page of the web, and not to a place in the report or a mailbox.
pub(super) fn is_web(url: &str) -> bool {
    ["http://", "https://", "www."]
        .iter()
        .any(|start| url.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// An address as two of them are compared: without scheme, `www.`, fragment and final slash.
pub(crate) fn key(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default().trim_end_matches('/');
    let lower = url.to_lowercase();
    let bare = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
    bare.strip_prefix("www.").unwrap_or(bare).to_owned()
}
