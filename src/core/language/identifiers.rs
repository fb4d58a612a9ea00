//! The words that an identifier is made of: `message_size_limit`, `maxDiskSpace`.

use crate::core::base::plain::is_digits;
use crate::core::language::words::written;

/// An identifier of more parts is no identifier but packed data, whose pieces would fill an index.
const MOST_PARTS: usize = 8;
/// A shorter part says nothing: `iPhone`, `kWh`.
const SHORTEST_PART: usize = 2;
/// What begins with a capital and has fewer parts is mostly a name: `JavaScript` says nothing of Java.
const FEWEST_CAPITALS: usize = 3;

/// The words of a text in lower case, each with its parts behind it.
pub(crate) fn words_and_parts(text: &str) -> impl Iterator<Item = String> {
    written(text).flat_map(with_parts)
}

/// A word as it is written, in lower case, and the parts of one that is an identifier or has the day and the hour of a time.
pub(crate) fn with_parts(word: &str) -> impl Iterator<Item = String> {
    let pieces = word.split('_').filter(|piece| !piece.is_empty());
    let parts = pieces.flat_map(|piece| std::iter::once(piece).chain(humps(piece)).chain(stamp_parts(piece)));
    std::iter::once(word).chain(parts.filter(move |part| part.len() < word.len())).map(str::to_lowercase)
}

/// The day and the hour of `14T18`, and the second of `28Z`, which are words of `2026-03-14T18:53:28Z`.
pub(crate) fn stamp_parts(word: &str) -> impl Iterator<Item = &str> {
    let (day, hour) = word.split_once('T').or_else(|| Some((word.strip_suffix('Z')?, ""))).unwrap_or_default();
    let is_stamp = day.len() == 2 && is_digits(day) && (hour.is_empty() || (hour.len() == 2 && is_digits(hour)));
    [day, hour].into_iter().filter(move |part| is_stamp && !part.is_empty())
}

/// The parts of an identifier without underscores that tells them by capitals. Nothing for other words.
pub(crate) fn humps(word: &str) -> Vec<&str> {
    let parts = at_capitals(word);
    let long = parts.iter().filter(|part| part.chars().nth(SHORTEST_PART - 1).is_some()).count();
    let begins_as_name = word.starts_with(is_capital) && !parts.first().is_some_and(|first| is_acronym(first));
    let is_name = begins_as_name && (long < FEWEST_CAPITALS || long < parts.len());
    if is_name || long < 2 { Vec::new() } else { with_acronyms(word, &parts) }
}

/// A word cut where its capitals begin something new, names too. Nothing for one that has none within.
pub(crate) fn at_capitals(word: &str) -> Vec<&str> {
    if !word.chars().skip(1).any(is_capital) || !word.chars().any(char::is_lowercase) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let (mut start, mut before) = (0, None::<char>);
    for (at, c) in word.char_indices() {
        let mut after = word.get(at..).unwrap_or_default().chars().skip(1);
        let is_small = |next: Option<char>| next.is_some_and(char::is_lowercase);
        // `maxSize`, and the last capital of `HTTPHeader`; not of `URLs` and `IPv6`.
        let begins = is_capital(c)
            && before.is_some_and(|before| !is_capital(before) || (is_small(after.next()) && is_small(after.next())));
        if begins {
            parts.extend(word.get(start..at));
            start = at;
        }
        if parts.len() >= MOST_PARTS {
            return Vec::new();
        }
        before = Some(c);
    }
    parts.extend(word.get(start..));
    parts
}

fn is_capital(c: char) -> bool {
    c.is_uppercase()
}

/// Whether a part is an abbreviation in capitals: `HTTP` of `HTTPServer`.
fn is_acronym(part: &str) -> bool {
    part.chars().all(char::is_uppercase) && part.chars().nth(SHORTEST_PART).is_some()
}

/// The parts that say something: a single capital together with what follows it (`OAuth`), and an abbreviation without its number (`TLS` of
/// `TLS13`).
fn with_acronyms<'a>(word: &'a str, parts: &[&'a str]) -> Vec<&'a str> {
    let mut said = Vec::new();
    let mut say = |part: &'a str| {
        let bare = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = bare.len() < part.len() && bare.chars().skip(1).any(|c| !c.is_lowercase());
        said.extend(std::iter::once(part).chain(is_numbered.then_some(bare)));
    };
    let mut start = 0;
    let mut single = None;
    for part in parts {
        let end = start + part.len();
        let is_single = part.chars().nth(SHORTEST_PART - 1).is_none();
        if !is_single {
            single.take().and_then(|from| word.get(from..end)).into_iter().for_each(&mut say);
            say(part);
        }
        single = is_single.then_some(start);
        start = end;
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: an identifier is found by its words, and a name is no identifier.
    #[test]
    fn identifiers_have_parts() {
        for (word, want) in [
            ("maxDiskSpace", "max disk space"),
            ("parseHTTPHeader", "parse http header"),
            ("sha256Sum", "sha256 sum"),
            ("ActionResumeRetryCount", "action resume retry count"),
            ("XMLHttpRequest", "xml http request"),
            ("message_size_limit", "message size limit"),
            ("queue_maxSize", "queue maxsize max size"),
            ("enableIPv6Lookup", "enable ipv6 ipv lookup"),
            ("fetchURLs", "fetch urls"),
            ("fetchURLsOfPage", "fetch urls of page"),
            ("setX", ""),
            ("maxXPosition", "max xposition position"),
            ("HTTPServer", "http server"),
            ("enableTLS13", "enable tls13 tls"),
            ("useOAuth2Login", "use oauth2 oauth auth2 login"),
            ("größteHöhe", "größte höhe"),
            ("__init__", "init"),
            ("plain", ""),
            ("Plain", ""),
            ("PLAIN", ""),
            ("JavaScript", ""),
            ("PostgreSQL", ""),
            ("LaTeX", ""),
            ("BibTeX", ""),
            ("iPhone", ""),
            ("mRNA", ""),
            ("aGVsbG8Gd29YbGQhTm9KzPq", ""),
            ("", ""),
        ] {
            let parts: Vec<String> = with_parts(word).skip(1).collect();
            assert_eq!(parts.join(" "), want, "{word}");
        }
        assert_eq!(words_and_parts("A tmpFile").collect::<Vec<_>>(), ["a", "tmpfile", "tmp", "file"]);
    }
}
