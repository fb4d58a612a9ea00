//! The names of months, in English and in other languages that write dates with them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::core::base::rows::listed;
use crate::core::language::fold::folded;

/// English names and their short forms.
const ENGLISH: [(&str, &str); 12] = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
];

/// Names that are no English ones, and short forms that are no words of English: German, French, Spanish, Italian, Portuguese, Dutch and Swedish.
const OTHERS: [&str; 12] = [
    "januar jänner janvier enero gennaio janeiro januari janv ene",
    "februar feber février febrero febbraio fevereiro februari févr fev",
    "märz mars marzo março maart mär mrt",
    "avril abril aprile avr abr",
    "mai mayo maggio maio mei maj",
    "juni juin junio giugno junho giu",
    "juli juillet julio luglio julho juil lug",
    "août agosto augustus augusti",
    "septembre septiembre settembre setembro",
    "oktober octobre octubre ottobre outubro okt ott",
    "novembre noviembre novembro",
    "dezember décembre diciembre dicembre dezembro dez déc dic",
];

/// By their names without accents, as they are often written and always compared.
static FOREIGN: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let months = OTHERS.iter().enumerate();
    months.flat_map(|(at, names)| listed(names).map(move |name| (folded(name), at))).collect()
});

/// No name is longer, in bytes.
pub(crate) const LONGEST: usize = 10;

fn number(at: usize) -> Option<u8> {
    u8::try_from(at + 1).ok()
}

/// The month that an English word names.
pub(crate) fn english(word: &str) -> Option<u8> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    let known = |(name, short): &(&str, &str)| is(name) || is(short) || (*short == "sep" && is("sept"));
    ENGLISH.iter().position(known).and_then(number)
}

/// The month that a word of another language names. Some are words of English too, so that a day must stand beside it.
pub(crate) fn foreign(word: &str) -> Option<u8> {
    FOREIGN.get(&folded(word)).copied().and_then(number)
}

/// The month that a word names in any of these languages.
pub(crate) fn named(word: &str) -> Option<u8> {
    english(word).or_else(|| foreign(word))
}

/// The English names of a month, in full and in short.
pub(crate) fn names(month: u8) -> impl Iterator<Item = &'static str> {
    let names = ENGLISH.get(usize::from(month).saturating_sub(1));
    names.into_iter().flat_map(|(name, short)| [*name, *short])
}

/// The English name of a month.
pub(crate) fn name(month: u8) -> &'static str {
    ENGLISH.get(usize::from(month).saturating_sub(1)).map_or("", |(name, _)| name)
}
