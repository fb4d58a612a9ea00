//! Words that stand where something is to be told and is not: `unknown`, `TBD`, `noch nicht geklärt`, `inconnue`; and sentences that say of a reason that
//! nobody knows it.

use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::words::plain_words;

/// What stands for nothing, as a whole, in lower case.
const NOTHING: &str = "k. a., k.a., n. a., n.a., n/a, na, s. o., tbd";
/// Words that say by themselves that it is not known, without accents.
const UNKNOWN: &str = "indeterminate tba tbc tbd unclear undetermined unestablished unexplained unidentified unknown unresolved \
     unbekannt unbekannte unbekannter ungeklart ungeklarte unklar unklare \
     inconnu inconnue inconnues inconnus indetermine indeterminee inexplique inexpliquee";
/// Words that say so of a value that has no others: somebody is still looking for it.
const LOOKED_FOR: &str = "investigated investigating investigation investigations none open outstanding pending unspecified \
     ausstehend ermittelt ermittlung ermittlungen gepruft klarung offen prufung untersucht untersuchung untersuchungen \
     determiner enquete ermitteln examen klaren neant precisee preciser prufen recherche verification verifier";
/// Words that deny, and what they deny here.
const DENYING: &str = "no none not nothing kein keine nicht nichts aucun aucune ne non pas rien";
const KNOWING: &str = "apparent cause causes clear confirmed determined established evident explanation found identified know known reason reasons understood \
     angabe angaben angegeben bekannt ermittelt ersichtlich festgestellt gefunden geklart grund klar ursache ursachen \
     connu connue determine determinee etabli etablie identifie identifiee raison sait trouve trouvee";
/// Words that may stand beside these.
const BESIDE: &str = "a an analysis any are as at be been being by can could current currently date determine determined do exact far for has have in is it now of ongoing presently \
     process progress remains root see so still t that the there this to today under us was we yet \
     aktuell bis bisher bislang dato das dem den der derzeit des die es genau genaue heute in ist jetzt konnte konnten noch sein vorerst war was werden wird wurde zu zur zurzeit \
     actuellement ce cette cours d de du elle en encore est ete etre exacte il jour jusqu l la le les n on origine reste toujours";
const ARTICLES: &str = "a an another ein eine einem einen einer some un une";
/// Words of a sentence on a reason, and those with which it goes on to what was found later.
const REASON: &str = "cause causes caused reason reasons why grund grunde ursache ursachen verursacht warum weshalb pourquoi raison raisons";
const BUT: &str = "although but however later then though until unless aber allerdings doch jedoch obwohl spater dann mais puis toutefois";

/// Whether a value says that there is none, or that nobody knows it yet.
pub(crate) fn is_unknown(value: &str) -> bool {
    let bare = value.trim().trim_matches(['*', '_', '(', ')', '[', ']', '"', '\'', ',']).trim().to_lowercase();
    let has_words = bare.contains(char::is_alphanumeric);
    if !has_words || phrases(NOTHING).any(|known| known == bare) {
        return true;
    }
    let said = plain_words(&bare);
    let is_one_of = |rows: &[&str], word: &String| rows.iter().any(|row| is_listed(row, word));
    let any = |rows: &[&str]| said.iter().any(|word| is_one_of(rows, word));
    let all = said.iter().all(|word| is_one_of(&[UNKNOWN, LOOKED_FOR, DENYING, KNOWING, BESIDE], word));
    all && (bare.starts_with("to be ") || any(&[UNKNOWN, LOOKED_FOR]) || (any(&[DENYING]) && any(&[KNOWING])))
}

/// Whether a sentence says of a reason that it is not known, and nothing more.
pub(crate) fn tells_unknown_reason(sentence: &str) -> bool {
    let said = plain_words(sentence);
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    let is_denied = || {
        let is_knowing = |word: &String| is_listed(KNOWING, word) && !is_listed(REASON, word);
        any(DENYING) && said.iter().any(is_knowing)
    };
    let is_looked_for =
        || sentence.to_lowercase().contains("under investigation") || sentence.contains("noch untersucht");
    // `An unknown drug` is a reason.
    let is_named =
        |at: usize| at.checked_sub(1).and_then(|before| said.get(before)).is_some_and(|word| is_listed(ARTICLES, word));
    let is_unknown = || said.iter().enumerate().any(|(at, word)| is_listed(UNKNOWN, word) && !is_named(at));
    any(REASON) && !any(BUT) && (is_unknown() || is_denied() || is_looked_for())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_is_not_known_is_told_from_what_is() {
        for (value, is) in [
            ("not yet known", true),
            ("Unknown.", true),
            ("unbekannt", true),
            ("under investigation", true),
            ("still being investigated", true),
            ("inconnue", true),
            ("non déterminée", true),
            ("en cours d'enquête", true),
            ("noch nicht geklärt", true),
            ("in Klärung", true),
            ("TBD", true),
            ("to be determined", true),
            ("à déterminer", true),
            ("noch zu klären", true),
            ("n/a", true),
            ("k. A.", true),
            ("–", true),
            ("", true),
            ("No cause has been found yet.", true),
            ("We do not know yet.", true),
            ("an unknown device on the bus", false),
            ("open door", false),
            ("no water in the tank", false),
            ("the cause is a worn seal", false),
            ("Dichtung nicht gefunden", false),
            ("under load", false),
            ("yet another leak", false),
        ] {
            assert_eq!(is_unknown(value), is, "{value}");
        }
        for (sentence, tells) in [
            ("The cause of the fire is still unknown.", true),
            ("It is not known why the pump stopped.", true),
            ("Die Ursache des Brandes ist bis heute ungeklärt.", true),
            ("On ne sait pas pourquoi la cloche sonne.", true),
            ("The reason is under investigation.", true),
            ("The cause was unknown at first, but a worker confessed.", false),
            ("The cause was an unknown drug.", false),
            ("The pump stopped because the tank was empty.", false),
            ("The fire began at night.", false),
        ] {
            assert_eq!(tells_unknown_reason(sentence), tells, "{sentence}");
        }
    }
}
