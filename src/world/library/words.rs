//! Text to search terms: the same for documents and questions.

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, Stemmer, StopWordFilter, TextAnalyzer, Token,
    TokenStream, Tokenizer,
};

use crate::core::base::limits;

/// Words that make a sentence a question and say nothing of its subject. They are dropped from questions only.
const QUESTION_WORDS: [&str; 38] = [
    "about", "am", "any", "can", "could", "did", "do", "does", "from", "had", "has", "have", "how", "i", "its", "many",
    "may", "me", "might", "much", "must", "my", "our", "please", "shall", "should", "so", "than", "were", "what",
    "when", "where", "which", "who", "whom", "whose", "why", "would",
];

/// The analyzer of every text field.
pub(super) fn document_analyzer() -> TextAnalyzer {
    analyzer(StopWordFilter::remove(Vec::new()))
}

/// The terms of a question, in order, each once. A question made of question words alone has none: it names nothing that
/// could be looked up.
pub(super) fn question_terms(question: &str) -> Vec<String> {
    let dropping = analyzer(StopWordFilter::remove(QUESTION_WORDS.iter().map(|word| (*word).to_owned())));
    unique_terms(dropping, question)
}

fn analyzer(more_stop_words: StopWordFilter) -> TextAnalyzer {
    let english = StopWordFilter::new(Language::English).unwrap_or_else(|| StopWordFilter::remove(Vec::new()));
    TextAnalyzer::builder(Words::default())
        .filter(RemoveLongFilter::limit(limits::LIBRARY_WORD_BYTES + 1))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(english)
        .filter(more_stop_words)
        .filter(Stemmer::new(Language::English))
        .build()
}

fn unique_terms(mut analyzer: TextAnalyzer, text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    analyzer.token_stream(text).process(&mut |token| {
        if seen.insert(token.text.clone()) {
            terms.push(token.text.clone());
        }
    });
    terms
}

/// Splits text at everything that is no letter or digit. Scripts without spaces become pairs of characters, and the
/// ending after an apostrophe (`Nolan's`, `don't`) is left away.
#[derive(Clone, Debug, Default)]
struct Words {
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.token.reset();
        WordStream { text, at: 0, in_run: false, token: &mut self.token }
    }
}

#[derive(Debug)]
struct WordStream<'a> {
    text: &'a str,
    at: usize,
    /// The character at `at` already stands in the pair before.
    in_run: bool,
    token: &'a mut Token,
}

impl WordStream<'_> {
    fn emit(&mut self, from: usize, to: usize) -> bool {
        self.token.text.clear();
        self.token.text.push_str(self.text.get(from..to).unwrap_or_default());
        self.token.offset_from = from;
        self.token.offset_to = to;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    /// A pair of characters of a script without spaces; one alone stands for itself. `None` where the pair before
    /// had the last one already.
    fn pair(&mut self, from: usize, first: char) -> Option<(usize, usize)> {
        self.at = from + first.len_utf8();
        let next = self.text.get(self.at..).and_then(|rest| rest.chars().next()).filter(|c| is_unspaced(*c));
        match next {
            Some(second) => {
                self.in_run = true;
                Some((from, self.at + second.len_utf8()))
            }
            None if std::mem::take(&mut self.in_run) => None,
            None => Some((from, self.at)),
        }
    }

    fn word(&mut self, from: usize) -> (usize, usize) {
        let rest = self.text.get(from..).unwrap_or_default();
        let length = rest.find(|c: char| !c.is_alphanumeric() || is_unspaced(c)).unwrap_or(rest.len());
        let tail = rest.get(length..).unwrap_or_default();
        self.at = from + length + apostrophe_ending(tail);
        (from, from + length)
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some((skipped, c)) = rest.char_indices().find(|(_, c)| c.is_alphanumeric()) else { return false };
            let from = self.at + skipped;
            if !is_unspaced(c) {
                self.in_run = false;
                let (from, to) = self.word(from);
                return self.emit(from, to);
            }
            if let Some((from, to)) = self.pair(from, c) {
                return self.emit(from, to);
            }
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

/// The length of `'s`, `'t`, `'ll` and the like at the beginning of what follows a word.
fn apostrophe_ending(tail: &str) -> usize {
    let Some(quote) = tail.chars().next().filter(|c| matches!(c, '\'' | '’')) else { return 0 };
    let letters = tail.get(quote.len_utf8()..).unwrap_or_default();
    let length = letters.find(|c: char| !c.is_alphanumeric()).unwrap_or(letters.len());
    let ending = letters.get(..length).unwrap_or_default().to_ascii_lowercase();
    let known = ["s", "t", "d", "m", "ll", "re", "ve"].contains(&ending.as_str());
    if known { quote.len_utf8() + length } else { 0 }
}

/// Scripts that are written without spaces between words (Chinese, Japanese), and Korean, whose words take endings.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_become_terms() {
        let table: &[(&str, &[&str])] = &[
            ("What are the deepest trenches?", &["deepest", "trench"]),
            ("Trenches, TRENCHES and Gräben", &["trench", "graben"]),
            ("Nolan's films don’t snake_case O'Brien", &["nolan", "film", "don", "snake", "case", "o", "brien"]),
            ("SQLite 3.51", &["sqlite", "3", "51"]),
            ("深海魚は海", &["深海", "海魚", "魚は", "は海"]),
            ("海 ab海cd", &["海", "ab", "cd"]),
            ("who is who", &[]),
            ("to be or not to be", &[]),
            ("", &[]),
        ];
        for (question, terms) in table {
            assert_eq!(&question_terms(question), terms, "{question}");
        }
        assert!(question_terms(&"x".repeat(10_000)).is_empty());
    }

    #[test]
    fn one_long_line_is_read_once() {
        let text = format!("{}{}", "海".repeat(200_000), "b'".repeat(200_000));
        assert_eq!(question_terms(&text), ["海海", "b"]);
    }
}
