//! Questions for when something is, and whether a text tells a time: a day, a month, a clock, or that it is done every week.

use crate::core::base::rows::is_listed;
use crate::core::language::clocks::clocks;
use crate::core::language::days::{days, years};
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::words;

/// Words that ask for a time, without accents.
const WHEN: &str = "cuando quando quand wann when";
/// Verbs of an English question behind `when` that ask for nothing but a time; `when is it deleted` asks for a cause as often.
const TIMED: &str = "arrive arrives begin begins close closes depart departs due end ended ends expire expires expiry open opens start starts";
/// Words that tell a time, beside days, months and clocks.
const TIMES: &str = "annually daily every evening fortnightly hourly midnight monthly morning night nightly noon \
     quarterly weekly yearly clock midday oclock \
     jährlich monatlich morgens täglich wöchentlich mittag mittags mitternacht abends uhr \
     heure heures midi minuit mediodía medianoche mezzogiorno mezzanotte";
/// What stands before an hour in words: `at half past seven`, `um zehn`, `a las nueve`.
const BEFORE_HOUR: &str = "ab alle at bis by from gegen half las past quarter till to um until";
const HOURS: &str = "one two three four five six seven eight nine ten eleven twelve \
     eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf \
     una dos tres cuatro cinco seis siete ocho nueve diez once doce due tre quattro cinque sei sette otto nove dieci undici dodici";
/// Words of a sentence that may tell it by something else, without accents: `when the pool is empty`, `nach der Prüfung`.
const CONDITIONS: &str = "after allo apres as avant bei beim before bevor bis cuando depuis des despues dopo during end ende falls fin if immer jamais \
     jusqu lorsque lors mit momentan nach nachdem never nie now nunca once pendant prima quand quando seit si siempre sobald sofort soon tomorrow \
     toujours unless until upon vor wahrend when whenever wenn zum";

/// Whether a question begins by asking for a time.
pub(crate) fn asks_when(question: &str) -> bool {
    words(question).next().is_some_and(|first| is_listed(WHEN, &folded(&first)))
}

/// Whether it asks for a time that is no condition, and these texts tell neither.
pub(crate) fn lacks_time(question: &str, texts: &[&str]) -> bool {
    let is_english = words(question).next().is_some_and(|first| first == "when");
    let is_timed = !is_english || words(question).any(|word| is_listed(TIMED, &word));
    let may_tell = |text: &&str| {
        tells_time(text)
            || text.contains(|c: char| c.is_ascii_digit())
            || words(text).any(|word| is_listed(CONDITIONS, &folded(&word)))
    };
    asks_when(question) && is_timed && !texts.iter().any(may_tell)
}

/// Whether a sentence tells a time.
pub(crate) fn tells_time(sentence: &str) -> bool {
    let is_time =
        |word: &String| is_listed(TIMES, word) || months::named(word).is_some() || Weekday::named(word).is_some();
    let said: Vec<String> = words(sentence).collect();
    let is_hour =
        |pair: &[String]| matches!(pair, [before, hour] if is_listed(BEFORE_HOUR, before) && is_listed(HOURS, hour));
    years(sentence).next().is_some()
        || said.windows(2).any(is_hour)
        || !days(sentence).is_empty()
        || said.iter().any(is_time)
        || !clocks(sentence).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_a_time_must_be_told() {
        for (question, text, lacks) in [
            ("Wann endet der Mietvertrag?", "Vermieterin ist die Erbengemeinschaft.", true),
            ("Wann endet der Mietvertrag?", "Er ist bis 30. Juni 2031 befristet.", false),
            ("Wann wird das Backup gelöscht?", "Sobald es kopiert ist.", false),
            ("Quand finit le contrat ?", "Le gérant est Mme Orme.", true),
            ("When does the lease end?", "The landlord is the estate.", true),
            ("When does the lease end?", "It ends in May.", false),
            ("When does the train depart?", "It departs at seven.", false),
            ("When does the train depart?", "It departs at noon.", false),
            ("When does the train depart?", "Seven people take it.", true),
            ("Wann fährt der Zug?", "Er fährt um zehn.", false),
            ("Wann fährt der Zug?", "Er fährt um die Ecke.", true),
            ("Quand part le train ?", "Il part à midi.", false),
            ("When is it deleted?", "The cleaner deletes it.", false),
            ("Who ends it?", "The landlord.", false),
        ] {
            assert_eq!(lacks_time(question, &[text]), lacks, "{question} {text}");
        }
    }
}
