//! The parameters of a header of mail: `name=value`, quoted, and in the form for other scripts and long values, which is cut into numbered
//! pieces with bytes in hexadecimal (RFC 2231).

use std::collections::BTreeMap;

use super::super::{decode, percent_decoded};

/// The value of a parameter; what is written in the form for all scripts is preferred to the one for old readers.
pub(super) fn parameter(header: &str, name: &str) -> Option<String> {
    let all = parameters(header);
    let plain = || all.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone());
    extended(&all, name).or_else(plain)
}

/// The value that is written as `name*=utf-8''a%20b`, or in pieces as `name*0*=…` and `name*1=…`.
fn extended(all: &[(String, String)], name: &str) -> Option<String> {
    let mut pieces: BTreeMap<u32, (bool, &str)> = BTreeMap::new();
    for (key, value) in all {
        let named = key.split_once('*').filter(|(stem, _)| stem.eq_ignore_ascii_case(name));
        let Some((_, mark)) = named else { continue };
        let (number, is_coded) = match mark.strip_suffix('*') {
            Some(number) => (number, true),
            None => (mark, mark.is_empty()),
        };
        let number = if number.is_empty() { Some(0) } else { number.parse().ok() };
        number.into_iter().for_each(|number| {
            pieces.entry(number).or_insert((is_coded, value));
        });
    }
    let (_, (is_first_coded, first)) = pieces.first_key_value().filter(|(number, _)| **number == 0)?;
    // The character set and the language stand before the first piece alone.
    let said = first.split_once('\'').filter(|_| *is_first_coded);
    let said = said.and_then(|(charset, rest)| Some((charset, rest.split_once('\'')?.1)));
    let (charset, begin) = said.unwrap_or(("", first));
    let mut bytes = Vec::new();
    for (wanted, (number, (is_coded, piece))) in (0..).zip(&pieces) {
        if *number != wanted {
            break;
        }
        let piece = if *number == 0 { begin } else { piece };
        if *is_coded { bytes.extend(percent_decoded(piece)) } else { bytes.extend_from_slice(piece.as_bytes()) }
    }
    let kind = format!("text/plain; charset={charset}");
    Some(decode::page(&bytes, Some(kind.as_str()).filter(|_| !charset.is_empty()), false))
}

/// The parameters in their order, without the quotation marks.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = behind_semicolon(header);
    while let Some((key, behind)) = rest.split_once('=') {
        // What stands before a semicolon has no value.
        let key = key.rsplit(';').next().unwrap_or_default();
        let behind = behind.trim_start();
        let (value, after) = match behind.strip_prefix('"') {
            Some(quoted) => unquoted(quoted),
            None => {
                let end = behind.find(';').unwrap_or(behind.len());
                let (value, after) = behind.split_at(end);
                (value.trim().trim_matches('"').to_owned(), after)
            }
        };
        found.push((key.trim().to_owned(), value));
        rest = behind_semicolon(after);
    }
    found
}

fn behind_semicolon(text: &str) -> &str {
    text.split_once(';').map(|(_, behind)| behind).unwrap_or_default()
}

/// A text up to its closing quotation mark, and what follows that.
fn unquoted(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_every_form() {
        for (header, want) in [
            ("attachment; filename=a.pdf", Some("a.pdf")),
            ("attachment; size=3; filename=\"a; b=\\\"c\\\".pdf\"; x=1", Some("a; b=\"c\".pdf")),
            ("attachment; filename*=utf-8''Dachst%C3%BChle.pdf", Some("Dachstühle.pdf")),
            ("attachment; filename*=iso-8859-1'de'Dachst%FChle.pdf", Some("Dachstühle.pdf")),
            ("attachment; filename=old.pdf; filename*=UTF-8''n%C3%A9w.pdf", Some("néw.pdf")),
            ("attachment; FILENAME*1*=%20name.pdf; filename*0*=us-ascii''A%20long", Some("A long name.pdf")),
            ("attachment; filename*0=\"100%25 \"; filename*1=\"sure.pdf\"; filename*3=lost", Some("100%25 sure.pdf")),
            ("attachment; filename*=a%20b%2.pdf", Some("a b%2.pdf")),
            ("attachment; filename*1=x; filename=whole.pdf", Some("whole.pdf")),
            ("attachment; flag; filename=b.pdf", Some("b.pdf")),
            ("attachment; a;a; ;a;filename=c.pdf", Some("c.pdf")),
            ("attachment; filename=\"open", Some("open")),
            ("attachment; filename2=x; name=y", None),
            ("filename=x", None),
            ("", None),
        ] {
            assert_eq!(parameter(header, "filename").as_deref(), want, "{header}");
        }
    }
}
