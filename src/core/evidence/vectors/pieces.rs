//! The pieces of words (WordPiece): a word is the longest piece that it begins with, and so on for the rest of it.

use std::collections::HashMap;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::NoVectors;

/// Longer words are no words.
const WORD_CHARS: usize = 100;

#[derive(Debug)]
pub(super) struct Pieces {
    numbers: HashMap<String, u32>,
    /// What stands before a piece that does not begin a word.
    prefix: String,
}

#[derive(Deserialize)]
struct Named {
    model: Kind,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type", default)]
    name: String,
}

#[derive(Deserialize)]
struct Tokenizer {
    model: WordPiece,
    normalizer: Option<Normalizer>,
}

#[derive(Deserialize)]
struct WordPiece {
    vocab: HashMap<String, u32>,
    unk_token: Option<String>,
    continuing_subword_prefix: Option<String>,
}

#[derive(Deserialize)]
struct Normalizer {
    lowercase: Option<bool>,
}

impl Pieces {
    pub(super) fn read(tokenizer: &[u8]) -> Result<Self, NoVectors> {
        let unreadable = |error: serde_json::Error| NoVectors(format!("`tokenizer.json` cannot be read: {error}"));
        let Named { model } = serde_json::from_slice(tokenizer).map_err(unreadable)?;
        if model.name != "WordPiece" {
            return Err(NoVectors(format!("its tokenizer is `{}`, and only WordPiece is read", model.name)));
        }
        let Tokenizer { model, normalizer } = serde_json::from_slice(tokenizer).map_err(unreadable)?;
        if normalizer.and_then(|normalizer| normalizer.lowercase) == Some(false) {
            return Err(NoVectors(
                "its tokenizer tells capitals apart, and only those that do not are read".to_owned(),
            ));
        }
        let WordPiece { vocab: mut numbers, unk_token, continuing_subword_prefix } = model;
        // A word that is not known has no vector: the mean is that of the others.
        unk_token.map(|unknown| numbers.remove(&unknown));
        if numbers.is_empty() {
            return Err(NoVectors("its tokenizer has no pieces".to_owned()));
        }
        Ok(Self { numbers, prefix: continuing_subword_prefix.unwrap_or_else(|| "##".to_owned()) })
    }

    /// The highest number of a piece.
    pub(super) fn highest(&self) -> u32 {
        self.numbers.values().copied().max().unwrap_or_default()
    }

    /// The numbers of a word's pieces; none for a word that is not made of pieces.
    pub(super) fn of_word(&self, word: &str) -> Vec<u32> {
        if let Some(number) = self.numbers.get(word) {
            return vec![*number];
        }
        if word.chars().count() > WORD_CHARS {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut rest = word;
        while !rest.is_empty() {
            let Some((piece, number)) = self.longest(rest, !found.is_empty()) else { return Vec::new() };
            found.push(number);
            rest = rest.get(piece..).unwrap_or_default();
        }
        found
    }

    /// The length and the number of the longest piece with which this begins.
    fn longest(&self, text: &str, is_within: bool) -> Option<(usize, u32)> {
        let before = if is_within { self.prefix.as_str() } else { "" };
        let mut piece = format!("{before}{text}");
        while piece.len() > before.len() {
            if let Some(number) = self.numbers.get(&piece) {
                return Some((piece.len() - before.len(), *number));
            }
            piece.pop();
        }
        None
    }
}

/// Hands out the words of a text as the tokenizers of this kind see them: in lower case, without accents; signs and the characters of
/// scripts without spaces are words of their own.
pub(super) fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut sign = [0; 4];
    let mut end = |word: &mut String, then: Option<&str>| {
        if !word.is_empty() {
            take(word);
            word.clear();
        }
        then.map(&mut take);
    };
    let mut plain = |c: char| {
        if c.is_whitespace() {
            end(&mut word, None);
        } else if c.is_alphanumeric() && !is_ideograph(c) {
            word.push(c);
        } else if !c.is_control() && c != char::REPLACEMENT_CHARACTER {
            end(&mut word, Some(c.encode_utf8(&mut sign)));
        }
    };
    if text.is_ascii() {
        text.chars().for_each(|c| plain(c.to_ascii_lowercase()));
    } else {
        let letters = text.nfd().filter(|c| !is_combining_mark(*c));
        letters.flat_map(char::to_lowercase).for_each(&mut plain);
    }
    plain(' ');
}

/// Chinese characters, which every vocabulary of this kind takes one by one.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}
