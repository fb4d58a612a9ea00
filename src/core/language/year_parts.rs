//! Months and seasons of any year that a text speaks of, by their names or by a stretch of them: July lies in `May to September` and in `15.5.–30.9.`

use std::ops::Range;

use crate::core::base::rows::is_listed;
use crate::core::language::days::days;
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::ranges::{AND, BETWEEN, TO, is_dash};
use crate::core::language::words::runs;

/// Some months of a year, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct YearPart(u16);

const MONTHS: u8 = 12;
/// The seasons with their first month, without accents. Those that are other words as well are named behind a word of [`IN`].
const SEASONS: [(&str, u8); 4] = [
    ("hiver invierno inverno winter winters", 12),
    ("fruhjahr fruhling primavera printemps spring", 3),
    ("estate ete sommer sommers summer summers verano", 6),
    ("automne autumn autunno herbst herbsts otono", 9),
];
const OTHER_WORDS: &str = "estate ete march mars may spring";
/// Words before the name of a month or a season that is one.
const IN: &str = "au d during each en every from im in l of pendant since the through to until vom wahrend zum";
/// What may stand beside a month of a stretch, beside days: `from the middle of May`.
const PARTS: &str =
    "anfang beginning d de debut early en end ende fin la late le mi mid middle milieu mitte of the zum";
/// So many words may stand between the months of a stretch.
const APART: usize = 5;

impl YearPart {
    fn month(month: u8) -> Self {
        Self(1 << ((month + MONTHS - 1) % MONTHS))
    }

    /// The months from one to another, over the end of the year where that one comes first.
    fn stretch(first: u8, last: u8) -> Self {
        let length = (last + MONTHS - first) % MONTHS;
        (0..=length).map(|more| Self::month(first + more)).fold(Self::default(), Self::with)
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// How much of a year it is, 0..1.
    pub(crate) fn share_of_year(self) -> f32 {
        let months = u8::try_from(self.0.count_ones()).unwrap_or(MONTHS);
        f32::from(months) / f32::from(MONTHS)
    }

    /// The month or the season that a word names: `July`, `im Sommer`. `before` is the word before it, in small letters and without accents.
    pub(crate) fn named(word: &str, before: &str) -> Option<Self> {
        let plain = folded(word);
        let is_clear = !is_listed(OTHER_WORDS, &plain) || is_listed(IN, before);
        let season = SEASONS.iter().find(|(names, _)| is_listed(names, &plain)).filter(|_| is_clear);
        season.map(|(_, first)| Self::stretch(*first, first + 2)).or_else(|| month(word, before).map(Self::month))
    }

    /// The months that a text speaks of.
    pub(crate) fn told_by(text: &str) -> Self {
        let words: Vec<Word> = runs(text).filter_map(|place| Word::new(text, place)).collect();
        let before = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).map_or("", |word| word.said.as_str());
        let written = |word: &Word| text.get(word.place.clone()).unwrap_or_default();
        let named = (0..words.len()).filter_map(|at| Some((at, words.get(at)?)));
        let named = named.filter_map(|(at, word)| Self::named(written(word), before(at)));
        named.chain(in_words(text, &words)).chain(in_figures(text)).fold(Self::default(), Self::with)
    }
}

/// A word without accents, and where it stands.
struct Word {
    place: Range<usize>,
    said: String,
}

impl Word {
    fn new(text: &str, place: Range<usize>) -> Option<Self> {
        Some(Self { said: folded(text.get(place.clone())?), place })
    }

    /// Whether it is a day, or says which part of a month is meant. With a year, a stretch is no part of every year.
    fn is_beside(&self) -> bool {
        let digits = self.said.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let is_day = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_day || is_listed(PARTS, &self.said)
    }
}

/// The month that a word names; short forms are names in capitals (`Mar`), and so are those that are other words (`May`).
fn month(word: &str, before: &str) -> Option<u8> {
    const FULL: usize = 4;
    let plain = word.to_lowercase();
    let is_full = (word.chars().count() >= FULL && !is_listed(OTHER_WORDS, &plain)) || plain == "mai";
    let is_name =
        word.starts_with(char::is_uppercase) || is_full || (is_listed(OTHER_WORDS, &plain) && is_listed(IN, before));
    months::named(word).filter(|_| is_name)
}

/// The stretches between months that are named: `May to September`, `from 15 May until the end of September`.
fn in_words(text: &str, words: &[Word]) -> Vec<YearPart> {
    let mut found = Vec::new();
    // The open month, whether something joins it to what comes, and the words behind it.
    let mut open: Option<(u8, bool, usize)> = None;
    let mut is_between = false;
    let (mut end, mut before) = (0, "");
    for word in words {
        let gap = text.get(end..word.place.start).unwrap_or_default();
        end = word.place.end;
        is_between |= is_listed(BETWEEN, &word.said);
        let own = text.get(word.place.clone()).and_then(|written| month(written, before));
        before = &word.said;
        open = match (open, own) {
            (Some((first, joined, _)), Some(last)) => {
                found.extend((joined || is_dash(gap)).then(|| YearPart::stretch(first, last)));
                Some((last, false, 0))
            }
            (None, Some(first)) => Some((first, false, 0)),
            (Some((first, joined, apart)), None) if apart < APART => {
                let joins = is_listed(TO, &word.said) || (is_between && is_listed(AND, &word.said));
                (joins || word.is_beside()).then_some((first, joined || joins || is_dash(gap), apart + 1))
            }
            (_, None) => None,
        };
    }
    found
}

/// The stretches between days in figures, `15.5.–30.9.`, and the months of days.
fn in_figures(text: &str) -> Vec<YearPart> {
    let mut days = days(text);
    // From a day of one year to one of another is no part of every year.
    days.retain(|(_, day)| day.year().is_none());
    let mut found: Vec<YearPart> = days.iter().map(|(_, day)| YearPart::month(day.month())).collect();
    for ((one, first), (other, last)) in days.iter().zip(days.iter().skip(1)) {
        let between = text.get(one.end..other.start).unwrap_or_default();
        let word = folded(between.trim_matches(['.', ' ']));
        let is_joined = is_dash(between) || is_listed(TO, word.split(' ').next().unwrap_or_default());
        let is_short = between.len() <= "jusqu'au ".len();
        found.extend((is_joined && is_short).then(|| YearPart::stretch(first.month(), last.month())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a month lies in the stretches of months that a text names.
    #[test]
    fn lb_02_a_month_lies_in_stretches_of_months() {
        let july = YearPart::named("July", "in").unwrap();
        let summer = YearPart::named("summer", "in").unwrap();
        for (text, of_july, of_summer) in [
            ("May to September", true, true),
            ("Mai–September", true, true),
            ("May - Sept.", true, true),
            ("from 15 May until the end of September", true, true),
            ("15 May – 30 September 2026", true, true),
            ("vom 15.5.–30.9. offen", false, false),
            ("15.05.2026 – 30.09.2026", false, false),
            ("vom 15.5. bis 30.9. offen", true, true),
            ("zwischen Mai und September", true, true),
            ("de mai à septembre", true, true),
            ("October to April", false, false),
            ("October 2025 to August 2026", false, false),
            ("May and September", false, false),
            ("July", true, false),
            ("| Jun | Jul | Aug |", true, true),
            ("im Juli und im August", true, false),
            ("on 3 July 2026", true, false),
            ("in summer", true, true),
            ("im Winter", false, false),
            ("en été", true, true),
            ("il a été ouvert", false, false),
            ("It may sep the jul.", false, false),
            ("May I go to Dec?", false, false),
            ("", false, false),
        ] {
            let told = YearPart::told_by(text);
            assert_eq!((july.is_within(told), summer.is_within(told)), (of_july, of_summer), "{text}");
        }
        for (word, before) in [("may", "you"), ("spring", "a"), ("été", "a"), ("mars", "le"), ("war", "es")] {
            assert_eq!(YearPart::named(word, before), None, "{word}");
        }
        assert!(YearPart::named("January", "in").unwrap().is_within(YearPart::told_by("October to April")));
    }
}
