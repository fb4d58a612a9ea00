//! Figures of money: what a question for a price is answered with.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::identifiers::with_parts;
use crate::core::language::words::words;

/// Words of what is asked for that mean money, without accents: `how much does it cost`.
const ASKING: &str = "cost costs coute coutent kosten kostet";
/// What stands behind `how much` where no other thing is named that is to be measured: `how much memory does it cost`.
const AUXILIARIES: &str = "and can could did do does has have is it may might must shall should was were will would";
/// Signs of currencies that stand beside nothing but money.
const SIGNS: [char; 14] = ['€', '£', '¥', '₣', '₤', '₦', '₩', '₪', '₫', '₱', '₴', '₹', '₺', '₽'];
/// Currencies in lower case and without accents, and what says that there is nothing to pay. What is another word as well is left out.
const CURRENCIES: &str = "aud baht brl bucks cad cent centimes cents chf cny crowns czk dinar dinars dirham dirhams dkk dollar dollars eur \
     euro euros forint franc francs franken free gbp gratis groschen gulden guilders hkd huf ils inr jpy kc koruna koruny korun kostenlos krone kronen \
     kroner kronor kronur kronas krw mxn nok nzd pence pesetas peso pesos pfennig pln pound pounds quid rappen reais renminbi ringgit riyal \
     riyals rouble roubles rubel ruble rubles rupee rupees schilling sgd shekel shekels shilling shillings thb twd uah usd yen yuan zar zl zloty zlotys";
/// How words begin that say of a bare number that it is money, and how they end in German.
const LABELS: &[&str] = &[
    "amount", "betrag", "budget", "charge", "cost", "cout", "expense", "fare", "fee", "gebuhr", "gehalt", "kosten",
    "kostet", "lohn", "miete", "montant", "payment", "premium", "preis", "price", "pricing", "prix", "rate", "rent",
    "salary", "tarif", "tariff", "total", "wage",
];
const GERMAN_ENDS: &[&str] = &["betrag", "gebuhr", "gehalt", "kosten", "lohn", "miete", "preis"];
/// Endings of such words in English.
const ENDINGS: &[&str] = &["", "d", "s", "al", "als", "list", "lists", "r", "ed", "ing"];

/// Whether the words of a question, in lower case and without accents, ask for money.
pub(super) fn is_asked(said: &[String]) -> bool {
    let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
    let much = (0..said.len()).find(|at| word(*at) == "how" && word(at + 1) == "much");
    let is_of_thing = much.is_some_and(|at| !is_listed(AUXILIARIES, word(at + 2)));
    said.iter().any(|word| is_asking(word)) && !is_of_thing
}

/// Whether a word, in lower case and without accents, asks what something costs.
pub(crate) fn is_asking(word: &str) -> bool {
    is_listed(ASKING, word)
}

/// Whether a word in lower case says that numbers beside it are money: `price`, `prix_eur`.
pub(super) fn is_said(word: &str) -> bool {
    with_parts(&folded(word)).any(|word| {
        let begins = |label: &str| word.strip_prefix(label).is_some_and(|rest| ENDINGS.contains(&rest));
        LABELS.iter().any(|label| begins(label)) || GERMAN_ENDS.iter().any(|end| word.ends_with(end))
    })
}

/// Whether an amount of money stands in a text, by the sign or the name of a currency.
pub(super) fn stands_in(text: &str) -> bool {
    let is_currency = |word: &str| {
        let named = word.trim_start_matches(|c: char| c.is_ascii_digit());
        is_listed(CURRENCIES, named)
    };
    // A bare `$` begins the name of a variable.
    let is_dollar = |(at, _): (usize, &str)| {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let behind = text.get(at + 1..).unwrap_or_default().trim_start();
        let before = text.get(..at).unwrap_or_default().trim_end();
        is_digit(behind.chars().next()) || is_digit(before.chars().next_back())
    };
    text.contains(SIGNS)
        || words(text).any(|word| is_currency(&folded(&word)))
        || text.match_indices('$').any(is_dollar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_told_by_its_signs_and_names() {
        for (text, want) in [
            ("It is 12 € a month", true),
            ("$9.50", true),
            ("9 $", true),
            ("12CHF", true),
            ("Entry is free.", true),
            ("Eintritt: kostenlos", true),
            ("40 pounds", true),
            ("4120 crowns", true),
            ("450 Kč", true),
            ("1 200 zł", true),
            ("₹ 300", true),
            ("12 kronor", true),
            ("1,800 W, 7.5 kg", false),
            ("$HOME is read", false),
            ("", false),
        ] {
            assert_eq!(stands_in(text), want, "{text}");
        }
        for (word, want) in [
            ("price", true),
            ("prices", true),
            ("pricelist", true),
            ("fees", true),
            ("monatsmiete", true),
            ("gebühr", true),
            ("rental", true),
            ("prix_eur", true),
            ("discharge", false),
            ("coffee", false),
            ("karate", false),
            ("costume", false),
            ("power", false),
        ] {
            assert_eq!(is_said(word), want, "{word}");
        }
    }
}
