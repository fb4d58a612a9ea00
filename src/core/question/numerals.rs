//! Numbers in words, and what stands for one, in German, French and their neighbours: what has none of them and no digit tells no figure.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::weekdays::Weekday;

/// Numbers and what is said in the place of one, without accents.
const NUMERALS: &str = "acht atta aucun aucune cent cento cinco cinq cinque cuatro demi demie deux dez diez dieci dix doce dodici doze dos drei dubbel due duas dois \
     dreizehn achtzehn cinquante elf fem fyra halb halbe halben huit keine keinen medio meia meio mezza mezzo mil mille neuf neun neunzehn nio nove nueve och ocho oito onze otto quatorze quatre quatro quattro \
     quince quinze sechs sechzehn sei seis seize sept sette sex siebzehn sieben siete soixante sju tien tio tre treinta trenta treize trente tres trois tva twaalf twee vier vierzehn vijf vingt vinte veinte venti \
     vijftig zehn zes zeven zwanzig zwei zwolf";
/// Beginnings of those that go on: `dreijährig`, `zweiundzwanzig`, `quotidienne`.
const BEGINNINGS: &[&str] = &[
    "annuel",
    "dauerhaft",
    "dreissig",
    "dutzend",
    "funf",
    "hebdomadaire",
    "hundert",
    "illimit",
    "jahrlich",
    "mensuel",
    "monatlich",
    "quarant",
    "quotidien",
    "siebzig",
    "stundlich",
    "taglich",
    "tausend",
    "unbefrist",
    "unbegrenz",
    "vierteljahr",
    "vierzig",
    "wochentlich",
    "zwolf",
];
/// What says how long or how often without a number.
const TIMELESS: &str = "bis dagelijks diario immer jamais jusqu jusque manchmal mai nie niemals nunca selten sempre siempre stets toujours";
/// What stands before a unit in the place of a number: `eine Woche`, `un an`.
const ARTICLES: &str = "ein eine einem einen einer een en ett il jede jeden jedes la par pro um un una une";
const UNITS: &str = "an ano anno annee dag dia euro giorno gramm heure hora jaar jahr jour kilo liter maand mal meter metre mes mese mil minute mois monat ora par \
     semaine semana settimana stunde tag tonne uur woche week";

/// Whether one of these words in lower case may stand for a number.
pub(super) fn may_have_number(text: &[String]) -> bool {
    let plain: Vec<String> = text.iter().map(|word| folded(word)).collect();
    let is_of_unit = |pair: &[String]| match pair {
        [article, unit] => is_listed(ARTICLES, article) && is_listed(UNITS, unit.trim_end_matches(['s', 'e', 'n'])),
        _ => false,
    };
    let is_number = |word: &String| {
        is_listed(NUMERALS, word)
            || is_listed(TIMELESS, word)
            || BEGINNINGS.iter().any(|begin| word.starts_with(begin))
            || months::named(word).is_some()
            || Weekday::named(word).is_some()
    };
    plain.iter().any(is_number) || plain.windows(2).any(|pair| is_of_unit(pair) || is_whole_unit(pair))
}

/// The same where the unit ends as it is listed.
fn is_whole_unit(pair: &[String]) -> bool {
    matches!(pair, [article, unit] if is_listed(ARTICLES, article) && is_listed(UNITS, unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::language::words::words;

    #[test]
    fn em_01_numbers_in_words_are_known() {
        for (text, has_number) in [
            ("Die Probezeit beträgt drei Monate.", true),
            ("Die Frist beträgt vierzehn Tage.", true),
            ("Sie läuft eine Woche.", true),
            ("Die Miete wird monatlich bezahlt.", true),
            ("Les sauvegardes sont gardées deux ans.", true),
            ("Elles sont gardées un an.", true),
            ("Im Mai.", true),
            ("Der Bagger ist gelb und steht in einer Halle.", false),
            ("La machine est jaune.", false),
            ("", false),
        ] {
            let said: Vec<String> = words(text).collect();
            assert_eq!(may_have_number(&said), has_number, "{text}");
        }
    }
}
