//! The forms of French verbs that no rule of endings makes: `vient` is what is done by `venir`.

use crate::core::base::rows::phrases;
use crate::core::language::stems::stem;

/// Irregular verbs with the forms that stand in texts most, in lower case and without accents. Forms that are other words as well (`lit`, `part`, `sort`,
/// `court`) are left out, and verbs of grammar.
const IRREGULAR: &str = "acquerir acquiert acquierent acquis acquise, aller vont iront ira allait alle allee, \
     appartenir appartient appartiennent appartenu, appeler appelle appellent appele, battre bat battent battu battue, \
     boire boivent bu, conclure conclut concluent conclu conclue, conduire conduit conduisent conduite, \
     connaitre connait connaissent connu connue, construire construit construisent construite, \
     courir courent couru courue, craindre craint craignent, croire croit croient, cuire cuit cuisent cuite, \
     dire dit disent dite, ecrire ecrit ecrivent ecrite, employer emploie emploient employe, \
     envoyer envoie envoient envoye enverra, essayer essaie essaient essaye, eteindre eteint eteignent eteinte, \
     fuir fuit fuient, geler gele gelent, inclure inclut incluent inclus incluse, \
     exclure exclut excluent exclu exclue, inscrire inscrit inscrivent inscrite, \
     interdire interdit interdisent interdite, jeter jette jettent jete, joindre joint joignent jointe, \
     lever leve levent levee, lire lisent lu lue lus, mettre met mettent mis mise mises, mourir meurt meurent mort, \
     naitre nait naissent, nettoyer nettoie nettoient nettoye, obtenir obtient obtiennent obtenu obtenue, \
     offrir offre offrent offert offerte, ouvrir ouvre ouvrent ouvert ouverte ouverts ouvertes, \
     couvrir couvre couvrent couvert couverte, paraitre parait paraissent paru parue, partir partent parti partie, \
     payer paie paient paye, peindre peint peignent peinte, perdre perd perdent perdu perdue, peser pese pesent, \
     plaindre plaint plaignent plainte, prendre prend prennent pris prise, produire produit produisent, \
     recevoir recoit recoivent recu recue recus recues, percevoir percoit percoivent percu percue, \
     concevoir concoit concoivent concu concue, reduire reduit reduisent reduite, rendre rend rendent rendu rendue, \
     repondre repond repondent repondu, resoudre resout resolvent resolu resolue, rompre rompt rompu rompue, \
     savoir sait savent su, sentir sent sentent senti, servir sert servent servi servie, sortir sortent sorti, \
     souffrir souffre souffrent souffert, suivre suit suivent suivi suivie, tenir tient tiennent tenu tenue tiendra, \
     traduire traduit traduisent traduite, vaincre vainc vaincu, valoir vaut valent valu, \
     vendre vend vendent vendu vendue, venir vient viennent venu venue viendra, vivre vit vivent vecu, \
     voir voit voient vu vue";
/// What stands before a verb and goes through all of its forms: `obtenir` as `tenir`.
const PREFIXES: &str = "ac ad ap appar com con contre de deman des desap em en entre inter main ob par per pour pre pro re res ra sou sous sur trans";

/// The other forms of the verb that a stem of an index is a form of, as an index has them; of a verb with a prefix those with the same one.
pub(crate) fn irregular_forms(of_index: &str) -> Vec<String> {
    let bare = |prefix: &'static str| of_index.strip_prefix(prefix).filter(|rest| rest.len() >= SHORTEST);
    let prefixes = PREFIXES.split_ascii_whitespace().filter(|prefix| bare(prefix).is_some());
    let rows = std::iter::once("").chain(prefixes).flat_map(|prefix| phrases(IRREGULAR).map(move |row| (prefix, row)));
    let forms = |(prefix, row): (&str, &str)| -> Vec<String> {
        row.split_ascii_whitespace().map(|form| stem(&format!("{prefix}{form}")).into_owned()).collect()
    };
    let own = rows.map(forms).filter(|row| row.iter().any(|form| form == of_index));
    let mut found: Vec<String> = own.flatten().filter(|form| form != of_index).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Letters that a verb has at least behind its prefix.
const SHORTEST: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_forms_of_french_verbs_find_each_other() {
        for (word, form) in [
            ("vient", "venir"),
            ("venir", "viennent"),
            ("recu", "recevoir"),
            ("ouvert", "ouvrir"),
            ("prend", "pris"),
            ("comprendre", "compris"),
            ("obtient", "obtenir"),
            ("permettre", "permis"),
            ("decouvert", "decouvrir"),
            ("vendu", "vendre"),
            ("maintient", "maintenir"),
        ] {
            let found = irregular_forms(&stem(word));
            assert!(found.contains(&stem(form).into_owned()), "{word}: {found:?}");
        }
        for word in ["chaudiere", "", "re", "lundi", "salle"] {
            assert!(irregular_forms(word).is_empty(), "{word}: {:?}", irregular_forms(word));
        }
        // These are other words as well.
        for word in ["lit", "part", "sort", "court"] {
            assert!(!phrases(IRREGULAR).any(|row| row.split(' ').any(|form| form == word)), "{word}");
        }
    }
}
