//! The thing that a question asks something of: `a tractor` of `How much does a tractor cost at Medibed?` What has the price of other things and never
//! speaks of this one does not answer, however many of the other words it has. So it is with `tractor cost Medibed`.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::{is_filler, runs};
use crate::core::question::attributes::{BEHIND, DOES, UNSAID, is_recurring, place_of_attribute};
use crate::core::question::measures::are_keywords;
use crate::core::question::prices;

const ARTICLES: &str = "a an any each every la le les my new old one our single the their un une your";
/// What is said of a thing behind it: where one of these stands, the words before it are the thing.
const SAID: &str =
    "allow belong come contain cost cover go have hold include last measure need require run stay take use weigh work";
/// Who does something: the verb behind is theirs, and the thing stands behind that.
const WHO: &str = "he i it one people she they we you";
/// What stands before a verb and is none.
const BEFORE_VERBS: &str = "able allowed also always can had has have may must need only should to usually";
/// What a price or a rate is by.
const PER: &str = "par per pro";
/// Words for figures beside those of money, each of which is one of a thing, without accents.
const FIGURES: &str = "age capacity deadline depth duration height length lifetime retention size speed width \
     alter aufbewahrung breite dauer frist gewicht hohe kapazitat lange tiefe \
     capacite delai duree hauteur largeur longueur poids profondeur vitesse";
/// Where the attribute begins that stands behind `what is the`.
const BEHIND_ARTICLE: usize = 3;
/// So far the auxiliary stands from the beginning, and so many words a thing has.
const AUXILIARY_BY: usize = 5;
const MOST_WORDS: usize = 4;
/// Words of a thing right before the word for its figure: `camper van price`.
const WORDS_BEFORE: usize = 2;

/// What must be said, each alternative by one of its words: the thing that a figure is asked of, and what it is by (`per weekend`).
pub(crate) fn asked_things(question: &str) -> Vec<Vec<String>> {
    let said: Vec<Said<'_>> = runs(question).filter_map(|place| question.get(place)).map(Said::of).collect();
    // Of a few words each is meant.
    let keywords = thing_of_keywords(&said).into_iter().map(|word| vec![word]);
    let things = [thing_of_verb(&said), thing_of_attribute(&said)];
    let by = said.windows(2).filter_map(|pair| match pair {
        [per, unit] if is_listed(PER, &per.plain) && !is_filler(&unit.plain) => Some(vec![unit.lower()]),
        _ => None,
    });
    things.into_iter().filter(|thing| !thing.is_empty()).chain(keywords).chain(by).collect()
}

/// A word as it is written, and without capitals and accents.
struct Said<'q> {
    written: &'q str,
    plain: String,
}

impl<'q> Said<'q> {
    fn of(written: &'q str) -> Self {
        Self { written, plain: folded(written) }
    }

    fn lower(&self) -> String {
        self.written.to_lowercase()
    }

    fn is(&self, row: &str) -> bool {
        is_listed(row, &self.plain)
    }

    /// Names and numbers are looked for as such.
    fn is_name(&self) -> bool {
        self.written.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
    }
}

/// `invoices` of `How long does Grafolio keep invoices?`, `parking permits` of `How much do parking permits cost for patients?`
fn thing_of_verb(said: &[Said<'_>]) -> Vec<String> {
    let asks = said.first().is_some_and(|first| first.plain == "how");
    let auxiliary = said.iter().take(AUXILIARY_BY).position(|word| word.is(DOES)).filter(|_| asks);
    let Some(behind) = auxiliary.and_then(|at| said.get(at + 1..)) else { return Vec::new() };
    let is_doer = behind.first().is_some_and(|first| first.is_name() || first.is(WHO));
    if !is_doer {
        let end = behind.iter().take(MOST_WORDS + 2).position(|word| word.is(SAID));
        return end.and_then(|end| behind.get(..end)).map(words_of).unwrap_or_default();
    }
    let doer = behind.iter().take_while(|word| word.is_name() || word.is(WHO)).count();
    let verbs = behind.get(doer..).unwrap_or_default();
    let before = verbs.iter().take_while(|word| word.is(BEFORE_VERBS)).count();
    verbs.get(before + 1..).map(words_of).unwrap_or_default()
}

/// `towel` of `What is the price of a towel at Avonwash?`: what stands behind the attribute.
fn thing_of_attribute(said: &[Said<'_>]) -> Vec<String> {
    let plain: Vec<String> = said.iter().map(|word| word.plain.clone()).collect();
    // Behind a word that measures (`how deep is the lake`) the thing is who is asked of, whose names are looked for.
    let attribute = place_of_attribute(&plain).filter(|attribute| attribute.start == BEHIND_ARTICLE);
    attribute.and_then(|attribute| said.get(attribute.end + 1..)).map(words_of).unwrap_or_default()
}

/// `tractor` of `tractor cost Medibed per day` and of `price of tractor, Medibed`: of a few words that are no sentence what stands before the word for a
/// figure, or else behind it.
fn thing_of_keywords(said: &[Said<'_>]) -> Vec<String> {
    let plain: Vec<String> = said.iter().map(|word| word.plain.clone()).collect();
    let is_figure = |word: &&Said<'_>| prices::is_said(&word.plain) || word.is(FIGURES);
    let Some(at) = said.iter().position(|word| is_figure(&word)).filter(|_| are_keywords(&plain)) else {
        return Vec::new();
    };
    let tells =
        |word: &&Said<'_>| !word.is_name() && !word.is(UNSAID) && !is_figure(word) && !is_recurring(&word.plain);
    let is_beside = |word: &&Said<'_>| !word.is(BEHIND) && !word.is(PER) && !is_filler(&word.plain);
    let before = said.iter().take(at).rev().take_while(is_beside).filter(tells).take(WORDS_BEFORE);
    let before: Vec<String> = before.map(Said::lower).collect();
    if !before.is_empty() {
        return before.into_iter().rev().collect();
    }
    let behind = said.iter().skip(at + 1).skip_while(|word| word.is(BEHIND) || word.is(ARTICLES));
    // A noun of a German question has a capital as a name has.
    let is_german = said.get(at).is_some_and(|word| at > 0 || word.written.starts_with(char::is_uppercase));
    let mut behind = behind.take_while(is_beside).peekable();
    let first = behind.next_if(|word| is_german && word.written.chars().all(char::is_alphabetic));
    first.into_iter().chain(behind.find(tells)).take(1).map(Said::lower).collect()
}

/// The words of a thing, from its article up to what says where and when; none of a name.
fn words_of(said: &[Said<'_>]) -> Vec<String> {
    let bare = said.iter().skip_while(|word| word.is(ARTICLES));
    let thing: Vec<&Said<'_>> = bare.take_while(|word| !word.is(BEHIND) && !word.is(PER)).take(MOST_WORDS).collect();
    if thing.iter().any(|word| word.is_name()) {
        return Vec::new();
    }
    thing.into_iter().filter(|word| !is_filler(&word.plain)).map(Said::lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_the_thing_that_is_asked_of_is_known() {
        for (question, expected) in [
            ("How much does a tractor cost at Medibed per day?", &["tractor", "day"][..]),
            ("What is the daily price of a tractor from Medibed?", &["tractor"]),
            ("How long does Grafolio keep invoices?", &["invoices"]),
            ("How long do we have to keep old pay slips of drivers?", &["pay slips"]),
            ("How much do parking permits cost for patients?", &["parking permits"]),
            ("How much does the Great Room cost per weekend?", &["weekend"]),
            ("When was the incident review on the fire on Ward 9?", &["fire"]),
            ("Quel est le prix d'une serviette chez Avonwash ?", &["serviette"]),
            ("What is the price of Plan B?", &[]),
            ("How often does the agent send a heartbeat?", &[]),
            ("How do I revert a commit?", &["commit"]),
            ("How are you?", &[]),
            ("tractor cost Medibed per day", &["tractor", "day"]),
            ("daily price tractor Medibed", &["tractor"]),
            ("price Medibed tractor", &["tractor"]),
            ("price of a tractor at Medibed", &["tractor"]),
            ("Preis Traktor Medibed", &["traktor"]),
            ("prix tracteur Medibed", &["tracteur"]),
            ("invoice retention Grafolio", &["invoice"]),
            ("camper van price crossing", &["camper", "van"]),
            ("total cost 2026", &[]),
            ("cost Medibed", &[]),
            ("Medibed phone number", &[]),
            ("Was kostet der Saal pro Abend?", &["abend"]),
            ("", &[]),
        ] {
            let found: Vec<String> = asked_things(question).iter().map(|thing| thing.join(" ")).collect();
            assert_eq!(found, expected, "{question}");
        }
    }
}
