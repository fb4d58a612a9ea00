//! Foreign text without our keys. Whoever is asked with a key may repeat it: as it is, inside an address, JSON or HTML, in base64 or in hexadecimal
//! digits.
//!
//! The work is one pass over the text, and one more for each layer of escapes that the text really has.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::escapes::{Unescaped, unescaped};
use super::secrets::MASK;
use crate::core::base::sorting::sort_by_key;

/// A shorter key is not masked: its letters stand in words that have nothing to do with it.
pub(crate) const MASKED_BYTES: usize = 8;
/// A piece of a key counts as the key when it has so many bytes and is half of it: messages are cut where nobody looks.
const PIECE_BYTES: usize = 12;
/// JSON inside of JSON, an address inside of an address.
const LAYERS: usize = 2;
const WINDOW: usize = 8;
const _: () = assert!(MASKED_BYTES >= WINDOW);

/// All forms of all keys. The windows of their bytes are what a text is searched for.
#[derive(Clone, Default)]
pub(crate) struct Masks {
    forms: Vec<Form>,
    windows: BTreeMap<u64, Vec<Place>>,
    /// One bit for the hash of each window, so that most bytes cost no look-up.
    filter: Vec<u64>,
}

#[derive(Clone)]
struct Form {
    bytes: Vec<u8>,
    base64: bool,
}

/// Where a window stands: the form and its offset there.
#[derive(Clone, Copy)]
struct Place {
    form: usize,
    offset: usize,
}

impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl Masks {
    pub(crate) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut masks = Self { filter: vec![0; FILTER_WORDS], ..Self::default() };
        for secret in secrets.into_iter().filter(|secret| secret.len() >= MASKED_BYTES) {
            masks.add(Form { bytes: secret.into(), base64: false });
            let hex = |digits: fn(&u8) -> String| secret.as_bytes().iter().map(digits).collect::<String>().into_bytes();
            masks.add(Form { bytes: hex(|byte| format!("{byte:02x}")), base64: false });
            masks.add(Form { bytes: hex(|byte| format!("{byte:02X}")), base64: false });
            for shift in 0..3 {
                for alphabet in [STANDARD, URL_SAFE] {
                    masks.add(Form { bytes: base64_inside(secret.as_bytes(), shift, alphabet), base64: true });
                }
            }
        }
        masks
    }

    fn add(&mut self, form: Form) {
        if form.bytes.len() < WINDOW || self.forms.iter().any(|known| known.bytes == form.bytes) {
            return;
        }
        for (offset, bytes) in form.bytes.windows(WINDOW).enumerate() {
            let window = bytes.iter().fold(0, |window, byte| pushed(window, *byte));
            self.windows.entry(window).or_default().push(Place { form: self.forms.len(), offset });
            let (word, bit) = filter_bit(window);
            if let Some(word) = self.filter.get_mut(word) {
                *word |= bit;
            }
        }
        self.forms.push(form);
    }

    /// The text with a mask in the place of each key.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.found(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut masked, mut at) = (String::with_capacity(text.len()), 0);
        for range in found {
            let (start, end) = (text.floor_char_boundary(range.start), text.ceil_char_boundary(range.end));
            masked.push_str(text.get(at..start).unwrap_or_default());
            masked.push_str(MASK);
            at = end;
        }
        masked.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(masked)
    }

    /// A value with masks in its texts. The names of its fields are ours and stay.
    pub(crate) fn value<T: Serialize + DeserializeOwned>(&self, value: T) -> serde_json::Result<T> {
        if self.forms.is_empty() {
            return Ok(value);
        }
        let mut json = serde_json::to_value(&value)?;
        if self.mask(&mut json) { serde_json::from_value(json) } else { Ok(value) }
    }

    /// Masks all texts in a value without recursion; whether there was anything to mask.
    fn mask(&self, json: &mut Value) -> bool {
        let (mut changed, mut left) = (false, vec![json]);
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => {
                    if let Cow::Owned(masked) = self.text(text) {
                        *text = masked;
                        changed = true;
                    }
                }
                Value::Array(values) => left.extend(values),
                Value::Object(fields) => left.extend(fields.values_mut()),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        changed
    }

    /// Where the keys are: in order, none inside another.
    fn found(&self, text: &str) -> Vec<Range<usize>> {
        if self.forms.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.scan(text.as_bytes(), |range| found.push(range));
        let mut layer = Unescaped::of(text.as_bytes());
        for _ in 0..LAYERS {
            let Some(next) = unescaped(&layer) else { break };
            self.scan(&next.bytes, |range| found.push(next.source(range)));
            layer = next;
        }
        sort_by_key(&mut found, |range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for range in found {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }

    fn scan(&self, text: &[u8], mut tell: impl FnMut(Range<usize>)) {
        let (mut window, mut masked_until, mut skip_until) = (0, 0, 0);
        for (at, byte) in text.iter().enumerate() {
            window = pushed(window, *byte);
            let Some(start) = (at + 1).checked_sub(WINDOW) else { continue };
            if start < skip_until || !self.may_have(window) {
                continue;
            }
            let places = self.windows.get(&window).into_iter().flatten();
            let longest =
                places.filter_map(|place| self.agreement(*place, text, start)).max_by_key(|(length, _)| *length);
            let Some((length, base64)) = longest else { continue };
            let mut range = start..start + length;
            if base64 {
                range = widened(text, range, masked_until);
            }
            (masked_until, skip_until) = (range.end, range.end);
            tell(range);
        }
    }

    fn may_have(&self, window: u64) -> bool {
        let (word, bit) = filter_bit(window);
        self.filter.get(word).is_some_and(|word| word & bit != 0)
    }

    /// How many bytes agree with a form from here on, when that is the form or a telling piece of it.
    fn agreement(&self, place: Place, text: &[u8], start: usize) -> Option<(usize, bool)> {
        let form = self.forms.get(place.form)?;
        let (wanted, here) = (form.bytes.get(place.offset..)?, text.get(start..)?);
        let length = wanted.iter().zip(here).take_while(|(one, other)| one == other).count();
        let rest = here.get(length..).unwrap_or_default();
        let cut = rest.is_empty() || rest.starts_with("…".as_bytes()) || rest.starts_with(b"...");
        let whole = length == form.bytes.len() || (place.offset == 0 && cut);
        let piece = length >= PIECE_BYTES && length * 2 >= form.bytes.len();
        (whole || piece).then_some((length, form.base64))
    }
}

const FILTER_WORDS: usize = 1 << 10;

fn pushed(window: u64, byte: u8) -> u64 {
    (window << 8) | u64::from(byte)
}

fn filter_bit(window: u64) -> (usize, u64) {
    let hash = window.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    (usize::try_from(hash >> 6).unwrap_or_default() % FILTER_WORDS, 1 << (hash & 63))
}

/// Base64 with a key in it is masked as a whole: the letters at both of its ends hold bits of the key too.
fn widened(text: &[u8], range: Range<usize>, not_before: usize) -> Range<usize> {
    let is_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    let before = text.get(not_before..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let letters = after.iter().take_while(is_base64).count();
    let padding = after.iter().skip(letters).take(2).take_while(|byte| **byte == b'=').count();
    range.start - before.iter().rev().take_while(is_base64).count()..range.end + letters + padding
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The letters of base64 that are the same whatever stands before (`shift` bytes, modulo three) and behind the secret.
fn base64_inside(secret: &[u8], shift: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let all = [&[0, 0][..shift.min(2)], secret].concat();
    let bit = |at: usize| all.get(at / 8).map_or(0, |byte| (byte >> (7 - at % 8)) & 1);
    let letter = |at: usize| (0..6).fold(0_usize, |six, offset| six * 2 + usize::from(bit(at * 6 + offset)));
    let (first, end) = ((shift * 8).div_ceil(6), all.len() * 8 / 6);
    (first..end).filter_map(|at| alphabet.get(letter(at)).copied()).collect()
}

#[cfg(test)]
mod tests;
