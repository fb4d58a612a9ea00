//! Designations: dates, addresses, versions, numbers of parts, and identifiers. Their pieces are joined by signs and mean something only together:
//! `10.1.5.1` is neither `10.1.5.13` nor `10.5.1.1`, and `max_connections` is not `reserved_connections`.

use std::ops::Range;

use crate::core::base::plain::is_digits;
use crate::core::base::sorting::sort_by_key;
use crate::core::language::clocks::{Clock, clocks};
use crate::core::language::days::{Day, begins_with_day, days, says_year, years};
use crate::core::language::fold::is_in_small_letters;
use crate::core::language::year_spans::places_of_year;
use crate::core::question::clauses::{Clause, clauses};
use crate::core::question::month::Month;
use crate::core::question::numbers::{asked_year, has_numbered, numbered_names, places_of_numbered};
use crate::core::question::setting_names;
use crate::core::question::tokens::{end_of_path, is_address_in_colons, is_identifier, is_lettered, is_made_id};
use crate::core::text::code_settings::setting;

/// The signs that join pieces.
const JOINTS: [char; 6] = ['-', '.', '/', ':', '_', '+'];
/// So many small letters behind a sign are a word (`12-month`), not a piece.
const WORD_LETTERS: usize = 3;
/// A designation that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Designation {
    /// As it is written in the question.
    pub(crate) written: String,
    /// In lower case; of an id that a program made, all of it.
    pieces: Vec<String>,
    joints: Vec<char>,
    kind: Kind,
}

/// What kind of thing is designated, as far as it is found by rules of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// An address, a version, the number of a part.
    Joined,
    /// A name of words: `max_connections`, `core.autocrlf`, `--keep-index`, `$history`, `hard-stop-after`. A blank joins none.
    Identifier,
    /// The day, which is the same however it is written, or those of a range, of which each is asked for.
    Days(Vec<Day>),
    /// A name and the number that tells it from its like: `Flat 3`.
    Numbered,
    Year,
    Month(Month),
    /// A time of the day, which is the same however it is written.
    Clock(Clock),
    /// A part of a document by its number.
    Clause(Clause),
}

impl Designation {
    /// The designations of a question, in their order.
    pub(crate) fn all(question: &str) -> Vec<Self> {
        let mut whole = Self::whole(question);
        sort_by_key(&mut whole, |(place, _)| place.start);
        let mut all = Vec::new();
        let mut done = 0;
        for (place, designation) in whole {
            if place.start >= done {
                all.extend(Self::in_tokens(question.get(done..place.start).unwrap_or_default()));
                all.push(designation);
                done = place.end;
            }
        }
        all.extend(Self::in_tokens(question.get(done..).unwrap_or_default()));
        all
    }

    /// What more than one word may say: days, times and parts of documents.
    fn whole(question: &str) -> Vec<(Range<usize>, Self)> {
        let written = |place: &Range<usize>| question.get(place.clone()).unwrap_or_default();
        let found = days(question);
        let ranges = found.chunk_by(|(one, _), (other, _)| one == other).filter_map(|range| {
            let (place, _) = range.first()?;
            let days = range.iter().map(|(_, day)| *day).collect();
            Some((place.clone(), Self::of_days(written(place), days)))
        });
        let clocks = clocks(question).into_iter().map(|(place, clock)| {
            let designation = Self::new(written(&place), written(&place).split(':'), Kind::Clock(clock));
            (place, designation)
        });
        let clauses = clauses(question).into_iter().map(|(place, clause)| {
            let pieces: Vec<String> = clause.pieces().map(str::to_owned).collect();
            let written = written(&place);
            (place, Self::new(written, pieces.iter().map(String::as_str), Kind::Clause(clause)))
        });
        ranges.chain(clocks).chain(clauses).collect()
    }

    /// What tells the thing that is asked about from its like: the number behind a name, and the year. Other texts may leave it out, so it says less
    /// of where to look than of what was found.
    pub(crate) fn telling_apart(question: &str) -> Vec<Self> {
        let clauses = clauses(question);
        let is_clause = |place: &Range<usize>| clauses.iter().any(|(clause, _)| clause.start == place.start);
        let numbered = numbered_names(question).into_iter().filter(|place| !is_clause(place));
        let numbered = numbered.filter_map(|place| Self::numbered(question.get(place)?));
        numbered.chain(Self::of_year(question)).collect()
    }

    fn in_tokens(text: &str) -> impl Iterator<Item = Self> {
        let tokens = text.split(|c: char| c.is_whitespace() || ['\'', '’', ',', ';', '(', ')'].contains(&c));
        let tokens: Vec<&str> = tokens.map(end_of_path).collect();
        let all: Vec<Self> = (0..tokens.len())
            .filter_map(|at| Self::parse(tokens.get(at)?).or_else(|| Self::setting(&tokens, at)))
            .collect();
        all.into_iter()
    }

    /// The name of a setting whose words are joined by hyphens, `hard-stop-after`. With two of them most are no names: `long-term`.
    fn setting(tokens: &[&str], at: usize) -> Option<Self> {
        let token = tokens.get(at)?.trim_matches(|c: char| !c.is_alphanumeric());
        let is_setting = setting_names::is_name(token)
            || (setting_names::may_be_name(token) && setting_names::is_asked_for(tokens, at))
            || setting_names::is_called_so(tokens, at);
        is_setting.then(|| Self::new(token, token.split('-'), Kind::Identifier))
    }

    fn of_days(written: &str, days: Vec<Day>) -> Self {
        let pieces = written.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
        Self::new(written, pieces, Kind::Days(days))
    }

    fn new<'p>(written: &str, pieces: impl Iterator<Item = &'p str>, kind: Kind) -> Self {
        Self {
            written: written.to_owned(),
            pieces: pieces.map(str::to_lowercase).collect(),
            joints: written.chars().filter(|c| JOINTS.contains(c)).collect(),
            kind,
        }
    }

    /// The year that a question asks about, with the month before it; one of several is compared with the others.
    fn of_year(question: &str) -> Option<Self> {
        if let Some((place, month)) = Month::asked(question) {
            let written = question.get(place)?;
            return Some(Self::new(written, written.split(' '), Kind::Month(month)));
        }
        asked_year(question).map(|year| Self::new(year, std::iter::once(year), Kind::Year))
    }

    pub(crate) fn is_year(&self) -> bool {
        self.kind == Kind::Year
    }

    pub(crate) fn is_month(&self) -> bool {
        matches!(self.kind, Kind::Month(_))
    }

    /// The number may be a letter (`zone D`), which stays as it is written.
    fn numbered(written: &str) -> Option<Self> {
        let (word, number) = written.split_once(' ')?;
        Some(Self {
            pieces: vec![word.to_lowercase(), number.to_owned()],
            ..Self::new(written, std::iter::empty(), Kind::Numbered)
        })
    }

    fn parse(written: &str) -> Option<Self> {
        let token = written.trim_matches(|c: char| !c.is_alphanumeric());
        let pieces: Vec<&str> = token.split(JOINTS).collect();
        let is_word = |piece: &&str| {
            piece.chars().count() >= WORD_LETTERS && piece.chars().all(|c| c.is_alphabetic() && c.is_lowercase())
        };
        let is_designation = pieces.len() > 1
            && pieces.iter().all(|piece| !piece.is_empty() && piece.chars().all(char::is_alphanumeric))
            && token.chars().any(|c| c.is_ascii_digit())
            && !pieces.iter().skip(1).any(is_word);
        if is_made_id(token) || is_address_in_colons(token) {
            return Some(Self::new(token, std::iter::once(token), Kind::Joined));
        }
        let is_designation = is_designation || is_lettered(token, &pieces);
        let is_identifier = !is_designation && is_identifier(written, token, &pieces);
        let kind = if is_identifier { Kind::Identifier } else { Kind::Joined };
        (is_designation || is_identifier).then(|| Self::new(token, pieces.into_iter(), kind))
    }

    /// Whether it names something in a text, as in a list of settings: a line begins with it.
    pub(crate) fn names_line_of(&self, text: &str) -> bool {
        // A heading may have a number.
        let is_sign = |c: char| (!c.is_alphanumeric() || c.is_ascii_digit()) && c != '\n';
        let begins = |place: &Range<usize>| {
            let before = text.get(..place.start).unwrap_or_default().trim_end_matches(is_sign);
            // The index of a book lists where it is spoken of.
            let is_listed = text.get(place.end..).is_some_and(|after| after.starts_with(','));
            !is_listed && (before.is_empty() || before.ends_with('\n'))
        };
        match &self.kind {
            Kind::Clause(clause) => !clause.heads(text).is_empty(),
            Kind::Identifier | Kind::Days(_) => self.places(text).iter().any(begins),
            // The release of a changelog, and what is kept under a number: `INC-2026-017`.
            Kind::Joined if self.is_version() || self.is_file_number() => self.places(text).iter().any(begins),
            Kind::Joined | Kind::Numbered | Kind::Year | Kind::Month(_) | Kind::Clock(_) => false,
        }
    }

    pub(crate) fn is_day(&self) -> bool {
        !self.days().is_empty()
    }

    fn days(&self) -> &[Day] {
        match &self.kind {
            Kind::Days(days) => days,
            Kind::Joined
            | Kind::Identifier
            | Kind::Numbered
            | Kind::Year
            | Kind::Month(_)
            | Kind::Clock(_)
            | Kind::Clause(_) => &[],
        }
    }

    /// The year of the day or the month that it is.
    fn year(&self) -> Option<u16> {
        match &self.kind {
            Kind::Days(days) => days.first().and_then(|day| day.year()),
            Kind::Month(month) => Some(month.year()),
            Kind::Joined | Kind::Identifier | Kind::Numbered | Kind::Year | Kind::Clock(_) | Kind::Clause(_) => None,
        }
    }

    /// Where a text has the day or the month that it is, with the year where one is said.
    fn dated(&self, text: &str) -> Vec<(Range<usize>, Option<u16>)> {
        if let Kind::Month(month) = self.kind {
            return month.places(text);
        }
        let is_one_of_its = |day: Day| self.days().iter().any(|asked| asked.is(day));
        days(text).into_iter().filter(|(_, day)| is_one_of_its(*day)).map(|(place, day)| (place, day.year())).collect()
    }

    /// Whether it stands in a text below these titles and headings. A day that is said without its year is of the year that is said above it, or
    /// with other days of the text.
    pub(crate) fn stands_in(&self, text: &str, above: &[&str]) -> bool {
        let Some(year) = self.year() else { return self.is_in(text) };
        let same: Vec<Option<u16>> = self.dated(text).into_iter().map(|(_, year)| year).collect();
        let mut said: Vec<u16> = above.iter().flat_map(|text| years(text)).collect();
        if said.is_empty() {
            said.extend(days(text).iter().filter_map(|(_, day)| day.year()));
        }
        same.iter().any(Option::is_some) || (!same.is_empty() && (said.is_empty() || said.contains(&year)))
    }

    /// What the degree of one is that stands there as it is asked for.
    pub(crate) const WHOLE: usize = 4;

    /// How much of it stands in a text below these titles: most as it is written, less with other signs (`maxConnections`), least in the other
    /// number.
    pub(crate) fn degree_in(&self, text: &str, above: &[&str]) -> usize {
        if self.is_day() {
            return if self.stands_in(text, above) { Self::WHOLE } else { 0 };
        }
        // What refers to a part is not the part.
        if let Kind::Clause(clause) = &self.kind {
            let refers = if self.is_in(text) { 1 } else { 0 };
            return if clause.heads(text).is_empty() { refers } else { Self::WHOLE };
        }
        let exact = self.places_of(&self.pieces, text);
        let is_as_written = |place: &Range<usize>| {
            let written = text.get(place.clone()).unwrap_or_default();
            !self.is_identifier() || written.eq_ignore_ascii_case(&self.written)
        };
        match (exact.is_empty(), self.is_in(text)) {
            (false, _) if exact.iter().any(is_as_written) => Self::WHOLE,
            (false, _) => 3,
            (true, true) => 2,
            (true, false) => 0,
        }
    }

    /// Whether it is what a line of source code defines: `def parse_row(line)`, not one of its parameters.
    pub(crate) fn is_defined_by(&self, line: &str) -> bool {
        let is_before = |place: &Range<usize>| !line.get(..place.start).is_some_and(|before| before.contains('('));
        self.is_identifier() && self.places_of(&self.pieces, line).first().is_some_and(is_before)
    }

    /// Whether a line of source code sets it: `const MAX_ROWS: usize = 8;`, `#define MAX_ROWS 8`, `MAX_ROWS = 8`.
    pub(crate) fn is_set_in(&self, code: &str) -> bool {
        let is_set = |line: &str| {
            let Some(setting) = setting(line) else { return false };
            let Some(place) = self.places_of(&self.pieces, setting.name).into_iter().next() else { return false };
            let before = setting.name.get(..place.start).unwrap_or_default();
            let is_argument = before.matches('(').count() > before.matches(')').count();
            let is_capital = setting.name.get(place).is_some_and(|name| !name.contains(char::is_lowercase));
            !is_argument && setting.is_constant() && (setting.has_keyword() || is_capital)
        };
        self.is_identifier() && self.is_in(code) && code.lines().any(is_set)
    }

    /// Whether it is a year, a month, a day or a time of day.
    pub(crate) fn is_time(&self) -> bool {
        self.is_year() || self.is_month() || self.is_day() || matches!(self.kind, Kind::Clock(_))
    }

    /// Whether it may be the number of a release.
    pub(crate) fn is_version(&self) -> bool {
        (2..=3).contains(&self.pieces.len())
            && self.joints.iter().all(|joint| *joint == '.')
            && self.pieces.len() > 1
            && self.pieces.iter().all(|piece| is_digits(piece))
    }

    /// Whether it is letters and the number of one thing among many: `ADR-008`, `INC-2026-017`.
    fn is_file_number(&self) -> bool {
        let is_letters = |piece: &String| piece.chars().all(char::is_alphabetic);
        let (letters, numbers) =
            self.pieces.split_first().map_or((false, &[][..]), |(first, rest)| (is_letters(first), rest));
        letters
            && !numbers.is_empty()
            && numbers.iter().all(|piece| is_digits(piece))
            && self.joints.iter().all(|joint| *joint == '-')
    }

    /// Whether it is what an entry of a log is found by: its time, or an id that a program made.
    pub(crate) fn is_of_logs(&self) -> bool {
        matches!(self.kind, Kind::Clock(_))
            || is_made_id(&self.written)
            || self.pieces.iter().any(|piece| is_made_id(piece))
    }

    pub(crate) fn is_identifier(&self) -> bool {
        self.kind == Kind::Identifier
    }

    /// Whether a sentence that does not have it speaks of another one of its kind: `S-06` beside `S-04`, `room 9` beside `room 17`, `in 2023` beside 2024.
    /// `line` is the one that the sentence stands in, which may begin with a day; what stands in a document of another year is of that year.
    pub(crate) fn is_of_another(&self, sentence: &str, line: &str, above: &[&str]) -> bool {
        match &self.kind {
            Kind::Numbered => match self.pieces.as_slice() {
                [word, number] => has_numbered(sentence, word, number),
                _ => false,
            },
            Kind::Joined => self.has_like_in(sentence),
            Kind::Identifier | Kind::Clock(_) | Kind::Clause(_) => false,
            Kind::Days(_) | Kind::Month(_) => begins_with_day(line) && !self.is_in(line),
            Kind::Year => {
                let has_year = above.iter().any(|text| years(text).next().is_some());
                let is_of_title = !has_year || above.iter().any(|title| self.is_in(title));
                !is_of_title || says_year(sentence)
            }
        }
    }

    fn has_like_in(&self, text: &str) -> bool {
        let is_alike = |other: &Self| {
            let pairs = || self.pieces.iter().zip(&other.pieces);
            other.pieces.len() == self.pieces.len()
                && other.pieces != self.pieces
                && pairs().all(|(one, other)| {
                    one == other || (is_digits(one) && is_digits(other)) || (one.len() == 1 && other.len() == 1)
                })
        };
        // Addresses, versions and numbers alone have too many that look like them.
        let has_letters = self.pieces.iter().any(|piece| piece.chars().any(char::is_alphabetic));
        has_letters && Self::in_tokens(text).any(|other| is_alike(&other))
    }

    /// Whether a word in lower case is one of its pieces.
    pub(crate) fn has_piece(&self, word: &str) -> bool {
        self.pieces.iter().any(|piece| piece == word)
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.places(text).is_empty()
    }

    /// The same but for a year that only lies in a stretch of years.
    pub(crate) fn is_written_in(&self, text: &str) -> bool {
        if self.is_year() { !self.places_of(&self.pieces, text).is_empty() } else { self.is_in(text) }
    }

    /// Where it stands in a text, as a whole.
    pub(crate) fn places(&self, text: &str) -> Vec<Range<usize>> {
        if self.is_day() || self.is_month() {
            let mut places: Vec<Range<usize>> = self.dated(text).into_iter().map(|(place, _)| place).collect();
            places.dedup();
            return places;
        }
        match &self.kind {
            Kind::Clause(clause) => return clause.places(text),
            Kind::Clock(asked) => {
                return clocks(text).into_iter().filter(|(_, said)| asked.is(*said)).map(|(place, _)| place).collect();
            }
            Kind::Joined | Kind::Identifier | Kind::Days(_) | Kind::Numbered | Kind::Year | Kind::Month(_) => {}
        }
        let exact = self.places_of(&self.pieces, text);
        if let (true, Kind::Year) = (exact.is_empty(), &self.kind) {
            return places_of_year(text, &self.written);
        }
        if !exact.is_empty() || !self.is_identifier() || self.pieces.len() < 2 {
            return exact;
        }
        let others = self.in_other_number().map(|pieces| self.places_of(&pieces, text));
        others.into_iter().find(|places| !places.is_empty()).unwrap_or_default()
    }

    /// `max_connections` for `max_connection`, `retry_policy` for `retry_policies`.
    fn in_other_number(&self) -> impl Iterator<Item = Vec<String>> {
        let with = |at: usize, other: String| {
            let mut pieces = self.pieces.clone();
            pieces.get_mut(at).map(|piece| *piece = other)?;
            Some(pieces)
        };
        let pieces = self.pieces.iter().enumerate();
        pieces
            .flat_map(|(at, piece)| other_numbers(piece).into_iter().map(move |other| (at, other)))
            .filter_map(move |(at, other)| with(at, other))
    }

    fn places_of(&self, pieces: &[String], text: &str) -> Vec<Range<usize>> {
        let Some(first) = pieces.first() else { return Vec::new() };
        if let ([word, number], true) = (pieces, self.kind == Kind::Numbered) {
            return places_of_numbered(text, word, number);
        }
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(begin) = text.get(from..).and_then(|rest| find(rest, first)).map(|at| from + at) {
            from = begin + first.len();
            if let Some(end) = self.end_of(pieces, text, begin).filter(|end| self.is_apart(text, begin, *end)) {
                places.push(begin..end);
                from = end;
            }
        }
        places
    }

    /// Where it ends that begins here. Any sign may join its pieces, and beside letters a blank or nothing: `INV-2003` is `INV 2003`.
    fn end_of(&self, pieces: &[String], text: &str, begin: usize) -> Option<usize> {
        let mut at = begin;
        let mut before: Option<&String> = None;
        for piece in pieces {
            if let Some(before) = before {
                let rest = text.get(at..)?;
                let is_loose = [before, piece].iter().any(|piece| piece.chars().all(char::is_alphabetic));
                let next = rest.chars().next()?;
                // A letter behind a blank is a name where it is a capital: `ward A`, not `ward a few`.
                let is_letter = piece.len() == 1 && before.chars().chain(piece.chars()).all(char::is_alphabetic);
                let is_small = rest.get(1..).is_some_and(|rest| rest.starts_with(char::is_lowercase));
                let may_be_apart = is_loose && !self.is_identifier() && !(is_letter && is_small);
                at += match JOINTS.contains(&next) || (may_be_apart && next == ' ') {
                    true => next.len_utf8(),
                    false if is_loose && !is_letter => 0,
                    false => return None,
                };
            }
            let here = text.get(at..at + piece.len())?;
            if !is_in_small_letters(here, piece) {
                return None;
            }
            at += piece.len();
            before = Some(piece);
        }
        Some(at)
    }

    /// Whether it is not a part of a longer one.
    fn is_apart(&self, text: &str, begin: usize, end: usize) -> bool {
        let goes_on = |mut beside: &mut dyn Iterator<Item = char>| match beside.next() {
            Some(sign) if self.joints.contains(&sign) || (self.is_identifier() && sign == '_') => {
                (&mut beside).next().is_some_and(char::is_alphanumeric)
            }
            Some(c) => c.is_alphanumeric(),
            None => false,
        };
        let before = text.get(..begin).unwrap_or_default();
        // `v1.2.3` is 1.2.3.
        let before = before.strip_suffix(['v', 'V']).unwrap_or(before);
        let after = text.get(end..).unwrap_or_default();
        // The version 3.11 is 3.11.0.
        let after = after.strip_prefix(".0").filter(|_| self.joints.as_slice() == ['.']).unwrap_or(after);
        !goes_on(&mut before.chars().rev()) && !goes_on(&mut after.chars())
    }
}

/// The plural of a word and its singular, by their endings.
fn other_numbers(word: &str) -> Vec<String> {
    let is_word = |word: &String| word.chars().count() >= WORD_LETTERS;
    let shorter = [("ies", "y"), ("es", ""), ("s", "")]
        .iter()
        .filter_map(|(plural, singular)| Some(word.strip_suffix(plural)?.to_owned() + singular));
    let longer = [("y", "ies"), ("", "es"), ("", "s")]
        .iter()
        .filter_map(|(singular, plural)| Some(word.strip_suffix(singular)?.to_owned() + plural));
    shorter.chain(longer).filter(is_word).collect()
}

/// Where a piece stands in a text, in capitals or not.
fn find(text: &str, piece: &str) -> Option<usize> {
    let first = piece.chars().next()?;
    let begins = |(_, c): &(usize, char)| c.eq_ignore_ascii_case(&first) || c.to_lowercase().eq([first]);
    let is_here = |at: &usize| text.get(*at..*at + piece.len()).is_some_and(|here| is_in_small_letters(here, piece));
    text.char_indices().filter(begins).map(|(at, _)| at).find(is_here)
}

#[cfg(test)]
#[path = "designation_tests.rs"]
mod tests;
