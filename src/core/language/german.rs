//! The forms of German verbs that no rule of endings makes: `gebacken` is what was done by `backen`.

use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::stems::stem;

/// Strong verbs with the forms that stand in texts most, in lower case and without accents. Forms that are other words as well (`Band`, `half`,
/// `Schloss`, `Stand`) are left out.
const STRONG: &str = "backen backt buk gebacken, befehlen befiehlt befahl befohlen, beginnen beginnt begann begonnen, \
     beissen beisst gebissen, biegen biegt bog gebogen, bieten bietet bot geboten, binden bindet gebunden, \
     bitten bittet gebeten, blasen blast blies geblasen, bleiben bleibt blieb geblieben, braten brat briet gebraten, \
     brechen bricht brach gebrochen, brennen brennt brannte gebrannt, bringen bringt brachte gebracht, \
     denken denkt dachte gedacht, dringen dringt drang gedrungen, empfehlen empfiehlt empfahl empfohlen, \
     erschrecken erschrickt erschrak erschrocken, essen isst gegessen, fahren fahrt fuhr gefahren, \
     fallen fallt fiel gefallen, fangen fangt fing gefangen, finden findet fand gefunden, \
     fliegen fliegt flog geflogen, fliessen fliesst floss geflossen, fressen frisst frass gefressen, \
     frieren friert fror gefroren, geben gibt gab gegeben, gehen geht ging gegangen, gelingen gelingt gelang gelungen, \
     gelten gilt galt gegolten, geniessen geniesst genoss, geschehen geschieht geschah, \
     gewinnen gewinnt gewann gewonnen, giessen giesst goss gegossen, gleiten gleitet glitt geglitten, \
     graben grabt gegraben, greifen greift gegriffen, halten hielt gehalten, hangen hangt hing gehangen, \
     heben hebt hob gehoben, helfen hilft geholfen, kennen kennt kannte gekannt, klingen klingt klang geklungen, \
     kommen kommt kam gekommen, kriechen kriecht kroch gekrochen, laden lud geladen, lassen lasst liess gelassen, \
     laufen lauft lief gelaufen, leiden leidet litt gelitten, leihen leiht lieh geliehen, lesen liest las gelesen, \
     liegen liegt lag gelegen, meiden meidet mied gemieden, messen misst gemessen, nehmen nimmt nahm genommen, \
     nennen nennt nannte genannt, pfeifen pfeift pfiff gepfiffen, raten riet geraten, reiben reibt rieb gerieben, \
     reissen reisst gerissen, reiten reitet ritt geritten, riechen riecht roch gerochen, rufen ruft rief gerufen, \
     scheiden scheidet schied geschieden, scheinen scheint schien geschienen, schieben schiebt schob geschoben, \
     schiessen schiesst geschossen, schlafen schlaft schlief geschlafen, schlagen schlagt schlug geschlagen, \
     schleifen schleift schliff geschliffen, schliessen schliesst geschlossen, schmelzen schmilzt schmolz geschmolzen, \
     schneiden schneidet schnitt geschnitten, schreiben schreibt schrieb geschrieben, \
     schweigen schweigt schwieg geschwiegen, schwimmen schwimmt schwamm geschwommen, sehen sieht sah gesehen, \
     singen singt sang gesungen, sinken sinkt sank gesunken, sitzen sitzt sass gesessen, \
     sprechen spricht sprach gesprochen, springen springt sprang gesprungen, stechen sticht stach gestochen, \
     stehen steht gestanden, stehlen stiehlt stahl gestohlen, steigen steigt stieg gestiegen, \
     sterben stirbt starb gestorben, stossen stosst stiess gestossen, streichen streicht strich gestrichen, \
     streiten streitet stritt gestritten, tragen tragt trug getragen, treffen trifft traf getroffen, \
     treiben treibt getrieben, treten tritt trat getreten, trinken trinkt trank getrunken, \
     verbieten verbietet verbot verboten, verderben verdirbt verdarb verdorben, vergessen vergisst vergass, \
     verlieren verliert verlor verloren, verschieben verschiebt verschob verschoben, \
     verschwinden verschwindet verschwand verschwunden, wachsen wachst wuchs gewachsen, \
     waschen wascht wusch gewaschen, weichen weicht wich gewichen, weisen weist wies gewiesen, wenden wandte gewandt, \
     werben wirbt warb geworben, werfen wirft warf geworfen, wiegen wiegt wog gewogen, wissen wusste gewusst, \
     ziehen zieht zog gezogen, zwingen zwingt zwang gezwungen";

/// What stands before a verb and is a word by itself elsewhere (`abgeben`: `abgegeben`), and what never is (`beschreiben`: `beschrieben`, without `ge`).
/// `über`, `um` and `unter` are both.
pub(crate) const PREFIXES_APART: &str = "ab an auf aus bei durch ein fest fort frei gegen her heraus herein hin hinaus hinein hinzu los mit nach nieder um unter vor voraus vorbei \
     weg weiter wieder zu zuruck zusammen uber";
const JOINED: &str = "be ent er ge hinter miss uber um unter ver wider zer";

/// The other forms of the verb that a stem of an index is a form of, as an index has them; of a verb with a prefix those with the same one.
pub(crate) fn strong_forms(of_index: &str) -> Vec<String> {
    let prefixes = |row: &'static str| {
        let has = move |prefix: &&str| of_index.strip_prefix(*prefix).is_some_and(|rest| rest.len() >= SHORTEST);
        row.split_ascii_whitespace().filter(has)
    };
    let apart = std::iter::once("").chain(prefixes(PREFIXES_APART));
    let apart = apart.map(|prefix| (prefix, false));
    let known = apart.chain(prefixes(JOINED).map(|prefix| (prefix, true)));
    let rows = known.flat_map(|(prefix, is_joined)| phrases(STRONG).map(move |row| forms_of(row, prefix, is_joined)));
    let own = rows.filter(|row| row.iter().any(|form| form == of_index));
    let mut found: Vec<String> = own.flatten().filter(|form| form != of_index).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The forms of the strong verb that a word, in lower case and without accents, is one of; the infinitive first.
pub(crate) fn strong_row(word: &str) -> Option<&'static str> {
    phrases(STRONG).find(|row| is_listed(row, word))
}

/// Letters that a verb has at least behind its prefix.
const SHORTEST: usize = 3;

/// The forms of a verb behind a prefix, as an index has them. Behind one that is never apart the participle has no `ge`.
fn forms_of(row: &str, prefix: &str, is_joined: bool) -> Vec<String> {
    let verb = row.split(' ').next().unwrap_or_default();
    let form = |form: &str| {
        let bare = form.strip_prefix("ge").filter(|_| is_joined && form.ends_with("en") && form != verb);
        stem(&format!("{prefix}{}", bare.unwrap_or(form))).into_owned()
    };
    row.split(' ').map(form).collect()
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
            ("unterschreiben", "unterschrieben"),
            ("beschrieb", "beschrieben"),
            ("abgeben", "abgegeben"),
            ("aufgenommen", "aufnehmen"),
            ("vorgelesen", "vorlesen"),
            ("ubertragen", "ubertrug"),
            ("vergeben", "vergab"),
        ] {
            let found = strong_forms(&stem(word));
            assert!(found.contains(&stem(form).into_owned()), "{word}: {found:?}");
            assert!(!found.contains(&stem(word).into_owned()), "{word}: {found:?}");
        }
        for word in ["sicherung", "", "abend", "bericht", "verein", "zugang", "ab", "angebot"] {
            assert!(strong_forms(word).is_empty(), "{word}: {:?}", strong_forms(word));
        }
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
