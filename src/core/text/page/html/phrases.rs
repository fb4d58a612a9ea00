//! What the words of a block say about it: running text, a label, or the furniture of a page.

use std::sync::LazyLock;

use crate::core::base::rows::phrases;

/// Words and phrases of the furniture: of these a block of text has few.
const OF_FURNITURE: &str = "cookie, privacy policy, terms of, all rights reserved, ©, copyright, sign in, sign up, \
     log in, login, subscribe, newsletter, follow us, share this, share on, tweet, facebook, linkedin, read more, \
     learn more, see more, view all, show more, load more, click here, skip to, menu, search, cart, checkout, add to, \
     wishlist, related, you may also, recommended, popular, trending, advertisement, sponsored, back to top, next, \
     previous, contact us, about us, careers, help center, download, your email, email address, register, reply, \
     report, comments, tags:, categor, posted, min read, free shipping, reviews, filter, sort by, quantity, accept, \
     by ";

static FURNITURE: LazyLock<Vec<&str>> = LazyLock::new(|| phrases(OF_FURNITURE).collect());

/// Headings of sections beside the main text.
const SIDE: &str = "related, you may also, you might also, recommended, more from, more in, popular, trending, latest, \
     recent, comments, leave a, share, newsletter, subscribe, follow, categories, tags, archives, about the author, \
     read next, read more, also like, sign up, contact, customers also, similar, quick links, company, resources, \
     support, connect, recently viewed, stay ";

/// Whether a heading is that of a side section.
pub(super) fn is_side_heading(heading: &str) -> f32 {
    let heading = heading.to_lowercase();
    f32::from(heading.len() < 80 && phrases(SIDE).any(|side| heading.starts_with(side)))
}

/// Ends of sentences and commas.
pub(super) fn sentence_marks(text: &str) -> usize {
    text.chars().filter(|c| matches!(c, '.' | ',' | '!' | '?' | ';' | '。' | '、' | '，' | '！' | '？')).count()
}

/// How much of a block is looked at for its phrases, in bytes.
const LOOKED_AT: usize = 2_000;

/// Counts of one block's text.
#[derive(Debug, Default)]
pub(super) struct Text {
    words: f32,
    letters: f32,
    capitals: f32,
    digits: f32,
    marks: f32,
    ends: bool,
    furniture: f32,
    currency: bool,
    date: bool,
    bars: f32,
    capital_first: bool,
}

impl Text {
    pub(super) fn of(text: &str) -> Self {
        let mut counts = Self { marks: sentence_marks(text) as f32, ..Self::default() };
        for word in text.split_whitespace() {
            counts.words += 1.0;
            counts.capitals += f32::from(word.starts_with(char::is_uppercase));
        }
        for c in text.chars() {
            counts.letters += f32::from(c.is_alphabetic());
            counts.digits += f32::from(c.is_ascii_digit());
            counts.bars += f32::from(matches!(c, '|' | '•' | '·' | '›' | '»' | '/' | '→'));
            counts.currency |= matches!(c, '$' | '€' | '£' | '¥' | '₹');
        }
        let end = text.trim_end_matches(['"', '”', '’', ')', '\'']);
        counts.ends = end.ends_with(['.', '!', '?', '。', ':', '…']);
        counts.capital_first = text.starts_with(char::is_uppercase);
        let head: String = text.chars().take(LOOKED_AT).collect::<String>().to_lowercase();
        counts.furniture = FURNITURE.iter().filter(|phrase| head.contains(*phrase)).count() as f32;
        counts.date = head.len() < 60 && has_year(&head);
        counts
    }

    pub(super) fn numbers(&self) -> [f32; 11] {
        let words = self.words.max(1.0);
        [
            self.letters / words,
            self.capitals / words,
            self.digits / (self.letters + self.digits).max(1.0),
            self.marks / words,
            f32::from(self.ends),
            self.furniture,
            self.furniture / words,
            f32::from(self.currency),
            f32::from(self.date),
            self.bars / words,
            f32::from(self.capital_first),
        ]
    }
}

/// Whether a number from 1990 to 2039 stands in it.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && digits.parse::<u16>().is_ok_and(|year| (1990..2040).contains(&year)))
}
