//! The forms of German verbs that no rule of endings makes: `gebacken` is what was done by `backen`.

use crate::core::language::stems::stem;

/// Strong verbs with the forms that stand in texts most, in lower case and without accents. Forms that are other words as well (`Band`, `half`,
/// `Schloss`, `Stand`) are left out.
const STRONG: &[&str] = &[
    "backen backt buk gebacken",
    "beginnen beginnt begann begonnen",
    "bieten bietet bot geboten",
    "binden bindet gebunden",
    "bleiben bleibt blieb geblieben",
    "braten brat briet gebraten",
    "brechen bricht brach gebrochen",
    "brennen brennt brannte gebrannt",
    "bringen bringt brachte gebracht",
    "denken denkt dachte gedacht",
    "essen isst gegessen",
    "fahren fahrt fuhr gefahren",
    "fallen fallt fiel gefallen",
    "fangen fangt fing gefangen",
    "finden findet fand gefunden",
    "fliegen fliegt flog geflogen",
    "fliessen fliesst floss geflossen",
    "fressen frisst frass gefressen",
    "frieren friert fror gefroren",
    "geben gab gegeben",
    "gehen geht ging gegangen",
    "gelten gilt galt gegolten",
    "gewinnen gewinnt gewann gewonnen",
    "giessen giesst goss gegossen",
    "halten hielt gehalten",
    "hangen hangt hing gehangen",
    "heben hebt hob gehoben",
    "helfen hilft geholfen",
    "kommen kam gekommen",
    "laden lud geladen",
    "laufen lauft lief gelaufen",
    "leihen leiht lieh geliehen",
    "lesen liest las gelesen",
    "liegen liegt lag gelegen",
    "messen misst gemessen",
    "nehmen nimmt nahm genommen",
    "nennen nennt nannte genannt",
    "rufen ruft rief gerufen",
    "schlafen schlaft schlief geschlafen",
    "schliessen schliesst geschlossen",
    "schneiden schneidet schnitt geschnitten",
    "schreiben schreibt schrieb geschrieben",
    "sehen sieht sah gesehen",
    "sitzen sitzt sass gesessen",
    "sprechen spricht sprach gesprochen",
    "steigen steigt stieg gestiegen",
    "sterben stirbt starb gestorben",
    "streichen streicht strich gestrichen",
    "tragen tragt trug getragen",
    "treffen trifft traf getroffen",
    "trinken trinkt trank getrunken",
    "verbieten verbietet verbot verboten",
    "vergessen vergisst vergass",
    "verlieren verliert verlor verloren",
    "verschieben verschiebt verschob verschoben",
    "wachsen wachst wuchs gewachsen",
    "waschen wascht wusch gewaschen",
    "werfen wirft warf geworfen",
    "wiegen wiegt wog gewogen",
    "ziehen zieht zog gezogen",
];

/// The other forms of the verb that a stem of an index is a form of, as an index has them.
pub(crate) fn strong_forms(of_index: &str) -> Vec<String> {
    let stems = |row: &&str| -> Vec<String> { row.split(' ').map(|form| stem(form).into_owned()).collect() };
    let rows = STRONG.iter().map(stems).filter(|row| row.iter().any(|form| form == of_index));
    rows.flatten().filter(|form| form != of_index).collect()
}

/// Whether two words of one stem are two nouns, where both stand in an index: nouns that end with `e` have no form that ends with `er`, so that a `Mieter`
/// is no `Miete`. Both are in lower case.
pub(crate) fn is_other_noun(word: &str, form: &str) -> bool {
    let doer = word.strip_suffix('e').and_then(|root| form.strip_prefix(root));
    doer.is_some_and(|ending| ending.starts_with("er"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_strong_verbs_find_each_other() {
        for (word, form) in [
            ("gebacken", "backen"),
            ("backt", "gebacken"),
            ("gegossen", "giesst"),
            ("geschnitten", "schneiden"),
            ("schreibt", "geschrieben"),
            ("lesen", "gelesen"),
            ("gefahren", "fahren"),
            ("geschlossen", "schliesst"),
            ("verloren", "verliert"),
        ] {
            let found = strong_forms(&stem(word));
            assert!(found.contains(&stem(form).into_owned()), "{word}: {found:?}");
            assert!(!found.contains(&stem(word).into_owned()), "{word}: {found:?}");
        }
        assert!(strong_forms("sicherung").is_empty() && strong_forms("").is_empty());
    }

    #[test]
    fn lb_02_a_person_is_no_form_of_a_thing() {
        for (word, form, is_other) in [
            ("miete", "mieter", true),
            ("miete", "mieterin", true),
            ("miete", "mieten", false),
            ("kind", "kinder", false),
            ("mieter", "miete", false),
        ] {
            assert_eq!(is_other_noun(word, form), is_other, "{word} {form}");
        }
    }
}
