//! Words that are spelt a little differently from those of a text: how near a term is to what somebody typed.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::core::language::stems::stem_of;

/// Characters from which a word may have an error, and from which it may have two.
const ONE_ERROR: usize = 4;
const TWO_ERRORS: usize = 8;
/// Characters below which a wrong letter makes another word as likely as an error.
const SHORT: usize = 6;
/// Endings that a stem has lost.
const ENDINGS: [&str; 18] = [
    "s", "es", "ed", "er", "ers", "ing", "ion", "ions", "ation", "ations", "ment", "ments", "ity", "able", "ance",
    "ence", "ization", "ness",
];
/// Characters of an ending that is seldom there by chance.
const LONG_ENDING: usize = 4;
/// Characters of an ending that may have no more than a slip.
const SHORT_ENDING: usize = 3;
/// Characters from which a stem may have two errors.
const LONG_STEM: usize = 7;
/// Characters of a stem behind which an ending may be spelt wrong.
const STEM: usize = 5;

/// The stems of words that stand on many English pages, made by `eval/common_words.py`. One that stands nowhere in a folder is still no misspelling.
const COMMON: &str = include_str!("common_words.txt");

/// Letters from which words were counted for it.
const COMMON_LETTERS: usize = 4;

/// A typed word as it is compared: as it was typed, and its stem.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    word: String,
    stem: String,
    most: usize,
    /// The word without an ending that it may have: a misspelt word is often cut at another place than the one that was meant (`chnage`, `chang`).
    bare: Vec<String>,
}

impl Typed {
    /// `None` for a word that is too short to have an error, that is a common one, or that is no word: figures and names of programs are what
    /// they are.
    pub(crate) fn new(word: &str, stem: &str) -> Option<Self> {
        let is_word = word.chars().all(char::is_alphabetic);
        // Who types an accent means it.
        let is_accented = !word.is_ascii() && word.contains(|c: char| c.is_ascii());
        let most = match word.chars().count() {
            length if length >= TWO_ERRORS => 2,
            length if length >= ONE_ERROR && !is_accented => 1,
            _ => return None,
        };
        let bare = || {
            ENDINGS.iter().chain(&["e", "y"]).filter_map(|ending| {
                let bare = word.strip_suffix(ending)?;
                (bare.chars().count() >= STEM || (bare.chars().count() >= ONE_ERROR && ending.len() >= LONG_ENDING))
                    .then(|| bare.to_owned())
            })
        };
        (is_word && !is_common(word)).then(|| Self {
            word: word.to_owned(),
            stem: stem.to_owned(),
            most,
            bare: bare().collect(),
        })
    }

    /// The letter that a near term begins with.
    pub(crate) fn first(&self) -> Option<char> {
        self.stem.chars().next()
    }

    /// The shortest and the longest term that can be near.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        let stem = self.stem.chars().count();
        (stem.min(STEM).saturating_sub(self.most), self.word.chars().count() + self.most)
    }

    /// How many errors lie between it and a term; `None` for too many.
    pub(crate) fn errors(&self, term: &str) -> Option<usize> {
        // The first letter is seldom wrong, and a word with another one is mostly another word.
        let length = term.chars().count();
        let own = self.stem.chars().count();
        if term.chars().next() != self.first() || length < 3 || own < ONE_ERROR {
            return None;
        }
        // Nobody adds two letters at the end by mistake: `graphite` is no `graph`.
        let is_longer = own > length + 1 && self.stem.starts_with(term);
        // Of a short stem two wrong letters leave too little: `departed` is no `dear`.
        let most = if own < LONG_STEM { 1 } else { self.most };
        let is_near = own.abs_diff(length) <= most && !is_longer;
        let whole = is_near.then(|| distance(&self.stem, term, most)).flatten();
        let others = self.with_wrong_ending(term).into_iter().chain(self.with_right_ending(term));
        whole.into_iter().chain(others).filter(|errors| *errors > 0).min()
    }

    /// The errors where the term is the stem of what was meant, and the error stands before the ending.
    fn with_right_ending(&self, term: &str) -> Option<usize> {
        let length = term.chars().count();
        let is_near = |bare: &&String| length >= STEM && bare.chars().count().abs_diff(length) <= 1;
        self.bare.iter().filter(is_near).filter_map(|bare| distance(bare, term, 1)).min()
    }

    /// The errors where the term is the stem of what was meant, and the error stands in the ending.
    fn with_wrong_ending(&self, term: &str) -> Option<usize> {
        let ending = self.word.strip_prefix(term).filter(|_| term.chars().count() >= STEM)?;
        let near = |known: &&str| match known.len() {
            length if length >= ONE_ERROR => distance(ending, known, 1),
            SHORT_ENDING => Some(1).filter(|_| is_slip(ending, known) || (ending, *known) == ("on", "ion")),
            _ => None,
        };
        ENDINGS.iter().filter_map(near).filter(|errors| *errors > 0).min()
    }
}

/// Whether a word in lower case, or another form of it, stands on many English pages. Of fewer than four letters none is known to.
pub(crate) fn is_common(word: &str) -> bool {
    static STEMS: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.split_whitespace().collect());
    word.chars().count() >= COMMON_LETTERS && (STEMS.contains(word) || STEMS.contains(stem_of(word).as_str()))
}

/// Whether two letters are swapped or a vowel stands for another one. More than that makes another word of a short ending: `graphite` is no `graphity`.
fn is_slip(ending: &str, known: &str) -> bool {
    let is_vowel = |c: &char| "aeiou".contains(*c);
    let mut wrong = ending.chars().zip(known.chars()).filter(|(a, b)| a != b);
    let is_replaced = wrong.next().is_some_and(|(a, b)| is_vowel(&a) && is_vowel(&b)) && wrong.next().is_none();
    is_swapped(ending, known) || (ending.len() == known.len() && is_replaced)
}

/// Whether a word is another one with two neighbours swapped: `teh`.
pub(crate) fn is_swapped(typed: &str, known: &str) -> bool {
    let pairs: Vec<(char, char)> = typed.chars().zip(known.chars()).collect();
    let wrong: Vec<usize> = (0..pairs.len()).filter(|at| pairs.get(*at).is_some_and(|(a, b)| a != b)).collect();
    let is_turned = |at: usize| matches!(pairs.get(at..at + 2), Some([(a, b), (c, d)]) if a == d && b == c);
    typed.len() == known.len() && matches!(wrong.as_slice(), [at, next] if at + 1 == *next && is_turned(*at))
}

/// Whether what was taken for a misspelt word may well be another one: with a letter that is wrong in a short word, or with two errors.
/// Who mistypes mostly leaves out, doubles or swaps. Signs between the letters are no errors, nor is a plural.
pub(crate) fn may_be_another(typed: &str, meant: &str) -> bool {
    let letters = |word: &str| word.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (typed, meant) = (letters(typed), letters(meant));
    let wrong = |one: &str, other: &str| one.chars().zip(other.chars()).filter(|(a, b)| a != b).count();
    let length = typed.chars().count();
    let is_another = |meant: &str| {
        let is_replaced = length == meant.chars().count() && wrong(&typed, meant) == 1;
        strsim::osa_distance(&typed, meant) > 1 || (is_replaced && length < TWO_ERRORS)
    };
    is_another(&meant) && meant.strip_suffix('s').is_none_or(is_another)
}

/// How far a typed word is from one as it is written: how many errors lie between, a plural being none, and whether a letter stands for another that
/// nobody takes it for.
pub(crate) fn how_far(typed: &str, written: &str) -> (usize, bool) {
    let (typed, written) = (typed.to_lowercase(), written.to_lowercase());
    let singular = |word: &str| word.strip_suffix('s').map(str::to_owned);
    let pairs = [
        Some((typed.clone(), written.clone())),
        singular(&written).map(|written| (typed.clone(), written)),
        singular(&typed).map(|typed| (typed, written.clone())),
    ];
    let far = |(typed, written): (String, String)| {
        let is_vowel = |c: char| "aeiouy".contains(c);
        let wrong: Vec<(char, char)> = typed.chars().zip(written.chars()).filter(|(a, b)| a != b).collect();
        let is_replaced = typed.chars().count() == written.chars().count()
            && matches!(wrong.as_slice(), [(a, b)] if !(is_vowel(*a) && is_vowel(*b)));
        (strsim::osa_distance(&typed, &written), is_replaced)
    };
    pairs.into_iter().flatten().map(far).min().unwrap_or((usize::MAX, true))
}

/// Whether a word is so short that one letter makes another word of it, be it a name or not.
pub(crate) fn is_short(typed: &str) -> bool {
    typed.chars().count() < SHORT
}

/// Letters that are missing, too many, wrong or swapped with the next, if they are at most so many.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    Some(strsim::osa_distance(a, b)).filter(|errors| *errors <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a letter too many, too few, wrong or swapped is an error; another word is not.
    #[test]
    fn errors_are_counted() {
        for (word, stem, term, want) in [
            ("databse", "databs", "databas", Some(1)),
            ("recieve", "reciev", "receiv", Some(1)),
            ("replicaton", "replicaton", "replic", Some(1)),
            ("configuraton", "configuraton", "configur", Some(1)),
            ("authetication", "authet", "authent", Some(1)),
            ("partitoin", "partitoin", "partit", Some(1)),
            ("integrety", "integreti", "integr", Some(1)),
            ("connecton", "connecton", "connect", Some(1)),
            ("chnage", "chnage", "chang", Some(1)),
            ("delgation", "delgat", "deleg", Some(1)),
            ("graphite", "graphit", "graph", None),
            ("organist", "organist", "organ", None),
            ("machinal", "machin", "machin", None),
            ("kernle", "kernl", "kernel", Some(1)),
            ("trench", "trench", "french", None),
            ("postgrest", "postgrest", "postgr", None),
            ("lark", "lark", "larch", None),
            ("bat", "bat", "bet", None),
            ("departed", "depart", "dear", None),
            ("mois", "moi", "mon", None),
            ("behält", "behalt", "behalf", None),
            ("verlängrt", "verlangrt", "verlangert", Some(1)),
        ] {
            let errors = Typed::new(word, stem).and_then(|typed| typed.errors(term));
            assert_eq!(errors, want, "{word} {term}");
        }
        assert!(Typed::new("x86_64", "x86_64").is_none() && Typed::new("utf8", "utf8").is_none());
        for common in ["long", "turn", "light", "heavy", "oven", "bulb", "mortgage", "plumbers"] {
            assert!(Typed::new(common, common).is_none(), "{common}");
        }
    }

    #[test]
    fn swapped_neighbours_are_known() {
        for (typed, known, swapped) in [
            ("teh", "the", true),
            ("wihch", "which", true),
            ("the", "the", false),
            ("eht", "the", false),
            ("tha", "the", false),
            ("th", "the", false),
            ("né", "né", false),
        ] {
            assert_eq!(is_swapped(typed, known), swapped, "{typed} {known}");
        }
    }

    /// LB-02: the number of a word is no error, and a vowel for a vowel is a likely one.
    #[test]
    fn lb_02_how_far_words_are() {
        for (typed, written, far) in [
            ("cleints", "client", (1, false)),
            ("cleints", "clents", (1, false)),
            ("tabel", "tables", (1, false)),
            ("tires", "time", (1, true)),
            ("tires", "tyres", (1, false)),
            ("tires", "Tires", (0, false)),
        ] {
            assert_eq!(how_far(typed, written), far, "{typed} {written}");
        }
    }

    /// LB-02: a word that is one letter away from another one is perhaps no error.
    #[test]
    fn lb_02_another_word_is_told_from_an_error() {
        for (typed, meant, another) in [
            ("Iran", "Iraq", true),
            ("Mali", "Bali", true),
            ("Australia", "Austria", true),
            ("Postgers", "Postgres", false),
            ("Guntenberg", "Gutenberg", false),
            ("Kubernets", "Kubernetes", false),
            ("Gutemberg", "Gutenberg", false),
            ("Dachstuhl", "dachstuhl", false),
            ("redis", "relies", true),
            ("bees", "beds", true),
            ("tabel", "tables", false),
            ("wifi", "Wi-Fi", false),
        ] {
            assert_eq!(may_be_another(typed, meant), another, "{typed} {meant}");
        }
    }
}
