//! Signs that a sentence may tell a reason. Reasons come in many forms, most of which have no word of their own; where there is no sign at all, a sentence
//! only tells that something is so.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::clocks::clocks;
use crate::core::language::days::days;
use crate::core::language::fold::folded;
use crate::core::language::german::strong_row;
use crate::core::language::months;
use crate::core::language::stems::regular;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::{informative, runs, words};

/// Words that hardly stand where no reason is told, in lower case and without accents.
const PLAIN: &str = "accordingly avoid avoided avoiding avoids because cause caused causes causing consequence consequently due ensure ensures ensuring explains hence \
     lest otherwise owing prevent prevented preventing prevents purpose reason reasons result results thanks therefore thus why \
     aufgrund ausgelost bewirkt daher damit darum denn deshalb deswegen folge folglich grund grunde grunden infolge mangels namlich sodass somit sonst \
     ursache ursachen verhindern verhindert vermeiden vermeidet verursacht warum wegen weil weshalb zweck zwecks \
     afin car cause causes consequence consequent donc empeche empecher evite eviter faute grace parce pourquoi provoque puisque raison raisons sinon";
/// Words that may join a reason to what it is of.
const JOINING: &str = "after against as by during following for given if since so through under until unless when whenever where which while without would \
     als bei beim bis da dadurch durch falls fur gegen indem nach nachdem ob obwohl ohne seit so sobald solange trotz um unter vor wahrend wenn zu zum zur \
     alors apres comme contre depuis lors lorsque malgre pour quand sans sauf selon si sous vu";
/// What does so in several words.
const PHRASES: &str = "on account of, in view of, in light of, in protest, auf grund, auf anordnung, auf beschluss, \
     sur decision, sur ordre";
/// Words of what something is good for.
const SERVING: &str = "allow allowing allows help helping helps keep keeping keeps lead leading leads led let lets made make makes making mean means need needs protect \
     protecting protects reduce reduces reducing require required requires save saves saving spare spares \
     benotigt braucht erforderlich ermoglicht fuhrt notig notwendig schont schutz schutzt spart verlangt vorgeschrieben \
     exige garde necessaire permet permettre protege proteger reduit";
/// Words of what goes wrong, which is told as the reason of what comes of it, and those that deny; before or behind what is asked about.
const WRONG: &str = "accident bad blocked broke broken cold complained complaint complaints cracked damage damaged danger dangerous dry empty error exceeded faulty fire flood flooded fog forbade forbidden frost frozen full gale \
     hot ice ill illegal lack lacks late law leak leaked leaking leaks lightning loose lost missing never no none not nobody nothing old only overheated overheats rain rained repair repairs risk \
     safety short shortage shut sick snow still storm strike theft too unsafe weak wet worn wrong \
     alt brand defekt defekte eis fehlen fehlt fehlte feuer frost gefahr gefahrlich gesetz gewitter hitze kalt kaputt kein keine keiner krank leck leer nass nebel nicht nie niemand nur regen regnete risiko \
     schaden schnee sturm uberhitzt verboten verloren verschlissen verstopft voll zu \
     aucun aucune avait avaient brouillard casse casses danger dangereux fuite gel incendie interdit jamais malade manque neige ni orage panne pas personne plein pluie risque trop usee vide";
/// What had happened before tells more often than not why; what somebody had is told with an article or a number.
const HAD: &str = "had";
const HATTE: &str = "hatte hatten";
/// Words behind which something is told that happened, also where it is counted: `after two burglaries`.
const OF_EVENTS: &str = "after by following without nach nachdem ohne apres sans";
/// What is counted where a time or a size is meant: `after two hours`.
const MEASURES: &str = "am clock day days degrees dollars euro euros h hour hours km kilometres m metres miles min minute minutes month months night nights o'clock percent pm \
     pounds second seconds season seasons week weekend weeks year years \
     grad jahr jahre jahren kilometer meter metern minuten monat monate monaten prozent sekunden stunde stunden tag tage tagen uhr woche wochen \
     an annee annees ans heure heures jour jours metres mois nuits pour pourcent semaine semaines";
/// Words that say when, behind one that may join a reason: `since last year`, `until further notice`.
const OF_TIME: &str = "christmas dawn dusk easter further lunch midnight midsummer morning night noon now spring summer autumn sunset then today tomorrow winter year week yesterday \
     abend fruhling heute herbst mitternacht mittag mitternacht montags morgen nachmittag ostern sommer sonnenuntergang weihnachten weiteres \
     aujourd automne demain ete hier hiver midi minuit nouvel noel paques printemps";
const BEFORE_TIME: &str = "a am an dem den der die das des du end ende early fin la last late le les letztem letzten letzter l next nachsten the this diesem diesen un";
/// What somebody thought or wanted when it was done.
const OF_MIND: &str = "believed complained dared disliked doubted expected feared felt hated hoped insisted liked loved meant missed needed preferred thought wanted wished \
     befurchtete befurchteten brauchte brauchten dachte dachten furchtete furchteten glaubte glaubten hoffte hofften meinte meinten wollte wollten wunschte wunschten";
/// What was otherwise elsewhere or before.
const COMPARING: &str = "cheaper closer dearer easier faster higher lower poorer quieter safer slower worse \
     billiger hoher leichter naher niedriger ruhiger schlechter schneller sicherer teurer";
/// Words of what came of it, and of what there is instead.
const NOW: &str = "instead later now then today heute inzwischen jetzt nun seitdem seither stattdessen aujourd depuis desormais ensuite maintenant";
/// Numbers that are articles, too.
const ONE: &str = "ein eine einen un une";
/// How a sentence begins that says of the one before what it is for.
const POINTING: &str = "that then these this those dann das dies diese dieser dieses so alors cela ceci cette ce";
/// Behind these words, `to` belongs to them.
const WITH_TO: &str = "able according access allowed belongs close due get got had has have kept need needs next ought required similar subject up used wants";
const ARTICLES: &str = "a an each every her his its my our that the their these this those your";
/// Words that stand before a figure where something depends on it: `stops at 4 bar`.
const AT: &str = "ab above at au below beyond bei exceeds from over uber under unter";
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve \
     ein eine einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf \
     un une deux trois quatre cinq six sept huit neuf dix";
/// With more words that the question does not have, a sentence says more than that it is so.
const NEW_WORDS: usize = 6;

/// Whether a text has a word that hardly stands where no reason is told; of a German compound the last part says it: `aus Sicherheitsgründen`.
pub(crate) fn tells_plainly(text: &str) -> bool {
    let is_compound = |word: &str| word.ends_with("grunden") && !word.starts_with("hinter");
    words(text).map(|word| folded(&word)).any(|word| is_listed(PLAIN, &word) || is_compound(&word))
}

/// Words at the beginning of a sentence among which one tells that it goes on with a reason of what was said before.
const BEGINNING: usize = 4;

/// Whether a sentence of another paragraph begins as a reason does: `The reason is`, `That is why`, `Grund dafür ist`.
pub(crate) fn may_begin_with_reason(sentence: &str) -> bool {
    let first: Vec<String> = words(sentence).take(BEGINNING).map(|word| folded(&word)).collect();
    first.iter().any(|word| is_listed(PLAIN, word)) || points(sentence)
}

/// Whether a sentence begins with a word that stands for what was said before; before a noun of German `das` is an article.
fn points(sentence: &str) -> bool {
    let mut said = runs(sentence).filter_map(|place| sentence.get(place));
    let first = said.next().map(folded).unwrap_or_default();
    let is_article = first == "das" && said.next().is_some_and(|next| next.starts_with(char::is_uppercase));
    let is_of_time = sentence.split_whitespace().nth(1).is_some_and(says_time);
    is_listed(POINTING, &first) && !is_article && !is_of_time
}

/// Whether a word says when something is: a month, a day of the week, a part of the day or the year.
fn says_time(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let plain = folded(bare);
    let is_year = plain.len() == 4 && plain.bytes().all(|byte| byte.is_ascii_digit());
    is_year || months::named(bare).is_some() || !Weekday::all_of(bare).is_empty() || is_listed(OF_TIME, &plain)
}

/// Whether a sentence that says what is asked about may tell its reason, too.
pub(crate) fn may_tell_its_own(question: &str, sentence: &str) -> bool {
    let asked: BTreeSet<String> = words(question).map(|word| folded(&word)).collect();
    let new = informative(sentence).into_iter().filter(|word| !asked.contains(&folded(word))).count();
    new > NEW_WORDS || has_signs(sentence) || has_joint(sentence, &asked)
}

/// Whether a sentence beside it may.
pub(crate) fn may_tell_of_another(sentence: &str) -> bool {
    let is_wrong = || words(sentence).any(|word| is_listed(WRONG, &folded(&word)) || word == "n't" || word == "t");
    let any = |row: &str| words(sentence).any(|word| is_listed(row, &folded(&word)));
    points(sentence)
        || ((any(OF_MIND) || any(COMPARING)) && !any(NOW))
        || has_signs(sentence)
        || has_joint(sentence, &BTreeSet::new())
        || is_wrong()
        || words(sentence).any(|word| is_imperfect(&folded(&word)))
}

/// Whether a word is a past form of a strong verb of German: of `beginnen beginnt begann begonnen` the last two.
fn is_strong_past(word: &str) -> bool {
    strong_row(word).is_some_and(|row| row.split(' ').skip(PRESENT).any(|form| form == word))
}

/// The infinitive and the present stand first.
const PRESENT: usize = 2;
const WAS: &str = "had was were hatte hatten war waren avait avaient etait etaient";

/// Whether a sentence may tell what had come before what the next one tells: something went wrong, or its verb is one of what happened.
pub(crate) fn may_come_before(sentence: &str) -> bool {
    let happened = |word: &str| {
        let lower = word.to_lowercase();
        let is_weak = lower.len() > 4 && (lower.ends_with("ed") || lower.ends_with("te") || lower.ends_with("ten"));
        let is_french = ["é", "ée", "és", "ées"].iter().any(|ending| lower.ends_with(ending));
        let is_verb = word.starts_with(char::is_lowercase) && (is_weak || is_french || is_strong_past(&folded(word)));
        is_verb || regular(&lower).is_some() || is_listed(WAS, &folded(word))
    };
    may_tell_of_another(sentence) || runs(sentence).filter_map(|place| sentence.get(place)).any(happened)
}

/// Whether a word of French may say what was so while something happened: `Le toit fuyait.`
fn is_imperfect(word: &str) -> bool {
    word.len() > "fait".len() && (word.ends_with("ait") || word.ends_with("aient"))
}

/// Signs between parts of a sentence of which one may be the reason of the other.
fn has_signs(sentence: &str) -> bool {
    let said = sentence.trim_end_matches(['.', ':', ' ', '\n']);
    let plain = folded(said);
    // What has figures in brackets is a time or a size.
    let mut inside = said.split(" (").skip(1).filter_map(|rest| rest.split(')').next());
    inside.any(|inside| !inside.contains(|c: char| c.is_ascii_digit()))
        || [": ", "; ", " – ", " — ", " - ", "—"].iter().any(|sign| said.contains(sign))
        || phrases(PHRASES).any(|phrase| plain.contains(phrase))
}

/// Whether a word that is not among these joins something to the sentence that may be its reason.
fn has_joint(sentence: &str, but: &BTreeSet<String>) -> bool {
    let said = Said::of(sentence);
    (0..said.plain.len()).filter(|at| !but.contains(said.word(*at))).any(|at| {
        let (word, next) = (said.word(at), said.word(at + 1));
        let is_at = || is_listed(AT, word) && !but.contains(next) && !said.is_of_time(at + 1);
        match word {
            "to" => said.is_purpose(at),
            // Who is given something is given no reason.
            "given" if at.checked_sub(1).is_some_and(|before| is_listed(PASSIVE, said.word(before))) => false,
            // At its end it is a part of the verb: `goes by`, `gab nach`.
            _ if is_listed(JOINING, word) => {
                at + 1 < said.plain.len() && (said.joins(at) || (said.is_counted(at + 1) && is_at()))
            }
            _ if is_listed(AT, word) => said.is_figure(at + 1) && is_at(),
            HAD => said.is_done_before(at),
            _ if is_listed(HATTE, word) => said.ends_with_verb(),
            // What something is made of is no purpose.
            "made" if is_listed("by from in of", next) => false,
            _ => is_listed(SERVING, word),
        }
    })
}

/// Forms of `be` before a participle.
const PASSIVE: &str = "are be been being is was were";

/// The words of a sentence, as they are written and without accents.
struct Said<'t> {
    written: Vec<&'t str>,
    plain: Vec<String>,
    /// Which of them are of a day or a time of day.
    times: BTreeSet<usize>,
}

impl<'t> Said<'t> {
    fn of(sentence: &'t str) -> Self {
        let places: Vec<Range<usize>> = runs(sentence).collect();
        let written: Vec<&str> = places.iter().filter_map(|place| sentence.get(place.clone())).collect();
        let days = days(sentence).into_iter().map(|(place, _)| place);
        let of_times: Vec<Range<usize>> = days.chain(clocks(sentence).into_iter().map(|(place, _)| place)).collect();
        let is_in = |place: &Range<usize>| of_times.iter().any(|time| time.start < place.end && place.start < time.end);
        let times = (0..places.len()).filter(|at| places.get(*at).is_some_and(is_in)).collect();
        Self { plain: written.iter().map(|word| folded(word)).collect(), written, times }
    }

    fn word(&self, at: usize) -> &str {
        self.plain.get(at).map(String::as_str).unwrap_or_default()
    }

    fn is_figure(&self, at: usize) -> bool {
        self.word(at).starts_with(|c: char| c.is_ascii_digit())
    }

    fn is_counted(&self, at: usize) -> bool {
        self.is_figure(at) || is_listed(NUMBERS, self.word(at))
    }

    /// Whether a time is told from a word on: `4 May`, `the summer`, `last March`.
    fn is_of_time(&self, at: usize) -> bool {
        let is_before = |at: &usize| is_listed(BEFORE_TIME, self.word(*at));
        let first = (at..at + BEFORE_TIMES).find(|at| !is_before(at)).unwrap_or(at);
        let word = self.written.get(first).copied().unwrap_or_default();
        let is_clock = self.is_figure(first) && is_listed(CLOCK, self.word(first + 1));
        is_clock
            || self.times.contains(&first)
            || says_time(word)
            || (first > at && is_listed(MEASURES, self.word(first)))
    }

    /// Whether what stands behind a joining word may be a reason, and not only a time or a number.
    fn joins(&self, at: usize) -> bool {
        let is_event = || {
            let counted = self.word(at + 2);
            let is_thing = counted.chars().all(char::is_alphabetic) && !counted.is_empty();
            is_listed(OF_EVENTS, self.word(at)) && is_thing && !is_listed(MEASURES, counted)
        };
        let is_article = || is_listed(ONE, self.word(at + 1)) && !is_listed(MEASURES, self.word(at + 2));
        !self.is_of_time(at + 1) && (!self.is_counted(at + 1) || is_article() || is_event())
    }

    /// Whether `to` says what something is for.
    fn is_purpose(&self, at: usize) -> bool {
        let is_behind = at.checked_sub(1).is_some_and(|before| is_listed(WITH_TO, self.word(before)));
        let is_name = self.written.get(at + 1).is_none_or(|word| word.starts_with(char::is_uppercase));
        !is_behind && !is_name && !self.is_counted(at + 1) && !is_listed(ARTICLES, self.word(at + 1))
    }

    /// Whether `had` says of something that it had happened: `had burst`, not `had a roof`.
    fn is_done_before(&self, at: usize) -> bool {
        at + 1 < self.plain.len() && !is_listed(ARTICLES, self.word(at + 1)) && !self.is_counted(at + 1)
    }

    /// Whether a sentence of German ends with a verb, as one does that tells what had happened.
    fn ends_with_verb(&self) -> bool {
        self.written.last().is_some_and(|word| word.starts_with(char::is_lowercase) && !word.ends_with("ig"))
    }
}

/// Words behind the figure of a time of day.
const CLOCK: &str = "am clock h heures o pm uhr";
/// Words before the name of a time.
const BEFORE_TIMES: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_may_be_a_reason_is_not_denied() {
        for (question, sentence, may) in [
            ("Why is the archive locked on Fridays?", "The archive is locked on Fridays.", false),
            ("Why is the archive locked on Fridays?", "The archive is locked on Fridays to keep it dry.", true),
            ("Why is the archive locked on Fridays?", "The archive is locked on Fridays for cleaning.", true),
            ("Why is the archive locked?", "The archive is locked: it is cleaned.", true),
            ("Why is the archive locked?", "The archive is locked from 22:00 to 6:00 and on Sundays.", false),
            ("Why is the archive locked?", "The archive is locked when it rains.", true),
            ("Why was the meeting moved to Thursday?", "The meeting was moved to Thursday.", false),
            ("Why are invoices kept for ten years?", "Invoices are kept for ten years in the archive.", false),
            ("Why do visitors have to wear helmets?", "Visitors have to wear helmets in hall 3.", false),
            ("Why does the pump stop?", "The pump stops at 4 bar.", true),
            ("Warum ist das Archiv freitags zu?", "Das Archiv ist freitags zu.", false),
            ("Warum ist das Archiv geschlossen?", "Das Archiv ist zum Schutz der Karten geschlossen.", true),
            ("Pourquoi la salle est-elle fermée le lundi ?", "La salle est fermée le lundi.", false),
            ("Pourquoi la salle est-elle fermée ?", "La salle est fermée pour travaux.", true),
            ("Pourquoi la salle est-elle fermée ?", "La salle est fermée sur décision du maire.", true),
            ("Why was the trip cancelled?", "The trip was cancelled on account of the strike.", true),
            ("Why are the locks new?", "Following two burglaries, the locks are new.", true),
            ("Why was the hall closed?", "The hall was closed after two hours.", false),
            ("Why was the hall closed?", "The hall was closed after two fires.", true),
            ("Why is the hall closed?", "The hall is closed until 4 May.", false),
            ("Why is the hall closed?", "The hall is closed since last March.", false),
            ("Why is the hall closed?", "The hall is closed for an hour.", false),
            ("Pourquoi la salle est-elle fermée ?", "La salle est fermée après un incendie.", true),
            ("Pourquoi la salle est-elle fermée ?", "La salle est fermée pour une heure.", false),
            ("Why is the hall closed?", "The hall (built in 1962) is closed until further notice.", false),
            ("Why is the hall closed?", "The hall is closed (storm damage).", true),
            ("Why is the hall closed?", "The hall is closed until the roof is mended.", true),
            ("Warum ist der Park zu?", "Nachdem zwei Bäume umgestürzt waren, ist der Park zu.", true),
            ("Pourquoi le pont est-il fermé ?", "Le pont est fermé du 3 au 7 mai.", false),
            ("Warum gibt es ein Tor?", "Es gibt ein Tor aus Sicherheitsgründen.", false),
        ] {
            assert_eq!(may_tell_its_own(question, sentence), may, "{sentence}");
        }
        for (sentence, may) in [
            ("This keeps the maps dry.", true),
            ("The key was lost.", true),
            ("The lamp does not work.", true),
            ("It holds 400 boxes.", false),
            ("Visitors use the stairs on the left.", false),
            ("Its wood was given to the school.", false),
            ("This year the fair is in May.", false),
            ("On other days it closes at 5 pm.", false),
            ("The new ones are made of oak.", false),
            ("Wages were lower there.", true),
            ("A pipe had burst.", true),
            ("It feared more traffic.", true),
            ("Fog lay on the river.", true),
            ("The mill had a red roof.", false),
            ("Ein Marder hatte das Kabel zerbissen.", true),
            ("Der Saal hatte 40 Plätze.", false),
            ("Tickets cost 5 euros.", false),
            ("Die Kartons sind nass.", true),
            ("Il y a 400 boîtes.", false),
            ("Dann macht sie Hausbesuche.", true),
            ("Das Becken hat 4 Bahnen.", false),
            ("Das hält die Karten trocken.", true),
            ("Le toit fuyait.", true),
            ("Le toit est rouge.", false),
        ] {
            assert_eq!(may_tell_of_another(sentence), may, "{sentence}");
        }
        assert!(tells_plainly("It is so because it is.") && tells_plainly("weil") && !tells_plainly("It is so."));
        assert!(may_come_before("The boiler ran out of oil.") && may_come_before("Das Dach brach ein."));
        assert!(!may_come_before("The concert begins at eight.") && !may_come_before("Das Fest beginnt um acht."));
        assert!(tells_plainly("aus Sicherheitsgründen") && !tells_plainly("mit bunten Hintergründen"));
    }
}
