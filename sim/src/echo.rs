//! A key in the forms in which servers and proxies give it back.

use std::fmt::Write;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The key as it is, escaped for an address and for JSON, and in base64 behind words of every length, padded and not.
#[must_use]
pub fn forms(key: &str) -> Vec<String> {
    let json = serde_json::to_string(key).unwrap_or_default();
    let mut forms =
        vec![key.to_owned(), percent(key, true), percent(key, false), json.trim_matches('"').replace('/', "\\/")];
    for before in ["", "u:", "Bearer ", "key=", "me: "] {
        for alphabet in [STANDARD, URL_SAFE] {
            let letters = base64(format!("{before}{key}").as_bytes(), alphabet);
            forms.push(format!("{letters}{}", "=".repeat((4 - letters.len() % 4) % 4)));
            forms.push(letters);
        }
    }
    forms
}

/// A complaint that repeats a key in all of its forms.
#[must_use]
pub fn complaint(key: &str) -> String {
    forms(key).iter().fold("The request was not taken:".to_owned(), |text, form| format!("{text} ({form})"))
}

/// Whether bytes hold a key in any of its forms. Of base64 the middle is enough: its ends depend on what stands around it.
#[must_use]
pub fn tells(bytes: &[u8], key: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let has = |form: &str| text.contains(form);
    let inside = |form: &String| form.get(4..form.trim_end_matches('=').len() - 2).is_some_and(has);
    let (plain, encoded) =
        forms(key).split_at_checked(4).map(|(one, two)| (one.to_vec(), two.to_vec())).unwrap_or_default();
    plain.iter().any(|form| has(form)) || encoded.iter().any(inside)
}

fn percent(text: &str, upper: bool) -> String {
    text.bytes().fold(String::new(), |mut text, byte| {
        let _always_works = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => write!(text, "{}", char::from(byte)),
            _ if upper => write!(text, "%{byte:02X}"),
            _ => write!(text, "%{byte:02x}"),
        };
        text
    })
}

fn base64(text: &[u8], alphabet: &[u8; 64]) -> String {
    let mut letters = String::new();
    for three in text.chunks(3) {
        let bits = three.iter().chain([&0, &0]).take(3).fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        letters.extend((0..=three.len()).map(|at| char::from(alphabet[bits >> (18 - 6 * at) & 63])));
    }
    letters
}
