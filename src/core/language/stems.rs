//! The stem of a word: what its forms share, and what an index keeps of it.
//!
//! That of English, whatever the language of a text is, but for a few words of German and French that come again and again: an index and those who compare
//! words with its terms must agree.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

use crate::core::base::rows::phrases;
use crate::core::language::fold::folded;

/// Words with the forms that no rule of endings makes. Forms that are words of their own (`saw`, `found`, `bit`) are left out, and verbs that
/// say nothing.
const IRREGULAR: &str = "alias aliases, analysis analyses, appendix appendices, arise arose arisen, \
     awake awoke awoken, axis axes, basis bases, beat beaten, become became, begin began begun, bend bent, \
     bite bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, \
     bus buses, buy bought, calf calves, canvas canvases, catch caught, child children, choose chose chosen, \
     cling clung, come came, creep crept, crisis crises, criterion criteria, deal dealt, dig dug, draw drew drawn, \
     dream dreamt, drink drank drunk, drive drove driven, dwell dwelt, eat ate eaten, fall fell fallen, feed fed, \
     fight fought, flee fled, fly flew flown, foot feet, forbid forbade forbidden, foresee foresaw foreseen, \
     forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, gas gases, goose geese, grow grew grown, \
     half halves, hang hung, hear heard, hide hid hidden, hold held, hypothesis hypotheses, index indices, \
     iris irises, keep kept, kneel knelt, knife knives, know knew known, leap leapt, learn learnt, \
     lend lent, lens lenses, light lit, lose lost, man men, matrix matrices, meet met, mishear misheard, \
     mistake mistook mistaken, misunderstand misunderstood, mouse mice, mow mown, outgrow outgrew outgrown, \
     overcome overcame, overhear overheard, override overrode overridden, oversee oversaw overseen, \
     oversleep overslept, overtake overtook overtaken, overthrow overthrew overthrown, \
     overwrite overwrote overwritten, pay paid, prepay prepaid, prove proven, quiz quizzes, rebuild rebuilt, \
     redraw redrew redrawn, repay repaid, resell resold, retake retook retaken, rethink rethought, \
     rewrite rewrote rewritten, ride rode ridden, ring rang, rise risen, run ran, say said, see seen, seek sought, \
     sell sold, send sent, sew sewn, shake shook shaken, shear shorn, shelf shelves, show shown, shrink shrank shrunk, \
     sing sang sung, sink sank sunk, slay slew slain, sleep slept, slide slid, sling slung, smell smelt, sow sown, \
     speak spoke spoken, spend spent, spill spilt, spin spun, spoil spoilt, spring sprang sprung, stand stood, \
     steal stole stolen, stick stuck, sting stung, strike struck, strive strove striven, swear swore sworn, \
     sweep swept, swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, \
     tell told, thesis theses, thief thieves, think thought, throw threw thrown, tooth teeth, tread trod trodden, \
     trellis trellises, undergo underwent undergone, understand understood, undertake undertook undertaken, \
     undo undid undone, unwind unwound, uphold upheld, vertex vertices, wake woke woken, wear wore worn, \
     weave wove woven, weep wept, win won, withdraw withdrew withdrawn, withhold withheld, withstand withstood, \
     wolf wolves, woman women, write wrote written";

/// Words with forms that are words of their own as well. An index keeps them apart; who asks for one finds the others, too.
const SHARED_FORMS: &str = "bind bound, bite bit, feel felt, find found, grind ground, lead led, leaf leaves, leave left, lie lay lain, life lives, \
     rise rose, see saw, shine shone, shoot shot, wind wound";

/// Words with those that are made of them in ways that no rule of endings undoes: who asks when something is delivered means its delivery. Words that mean
/// something else as well (`closure`, `application`, `conversion`), or whose stem another word has (`multiplication`, `multiple`), are left out.
const DERIVED: &str = "accurate accuracy, acquire acquisition, administer administration, advise advice, \
     agree agreement, allergic allergy, analyse analysis analyze, audit auditor, believe belief, choose choice, \
     clarify clarification, classify classification, collect collector, compare comparison, compete competition, \
     complain complaint, conclude conclusion, constrain constraint, cover coverage, day daily, decide decision, \
     defend defence defense, define definition, deliver delivery, deny denial, depart departure, destroy destruction, \
     diagnose diagnosis, discover discovery, divide division, employ employee, expand expansion, expire expiry, \
     expose exposure, extend extension, fail failure, fly flight, grow growth, identify identification, injure injury, \
     inquire inquiry, inspect inspector, invent inventor, invest investor, judge judgement judgment, \
     justify justification, leak leakage, lose loss, maintain maintenance, marry marriage, member membership, \
     modify modification, move movement, notify notification, omit omission, partner partnership, pay payment, \
     permit permission, prove proof, qualify qualification, recover recovery, reduce reduction, register registration, \
     relieve relief, rent rental, repeat repetition, resolve resolution, retain retention, sell sale, \
     settle settlement, ship shipment, sign signature, simplify simplification, solve solution, store storage, \
     submit submission, subscribe subscription, succeed success, survey surveyor, suspend suspension, tenant tenancy, \
     transmit transmission, treat treatment, vacant vacancy, verify verification, visit visitor, weigh weight, \
     year annual";
/// Adjectives in their other degrees. Words that are mostly something else (`cleaner`, `longer`, `lower`) are left out.
const DEGREES: &str = "big bigger biggest, bright brighter brightest, cheap cheaper cheapest, cold colder coldest, dark darker darkest, \
     deep deeper deepest, early earlier earliest, easy easier easiest, fast faster fastest, few fewer fewest, great greater greatest, \
     hard harder hardest, heavy heavier heaviest, high higher highest, hot hotter hottest, large larger largest, loud louder loudest, \
     low lowest, narrow narrower narrowest, near nearer nearest, new newer newest, old older oldest, poor poorer poorest, \
     quick quicker quickest, quiet quieter quietest, rare rarer rarest, rich richer richest, safe safer safest, short shorter shortest, \
     simple simpler simplest, slow slower slowest, small smaller smallest, strict stricter strictest, strong stronger strongest, \
     tall taller tallest, thick thicker thickest, thin thinnest, tight tighter tightest, warm warmer warmest, weak weaker weakest, \
     wide wider widest, young younger youngest";
/// The same of what comes again and again, in other languages.
const RECURRING: &str = "annee annuel annuelle annuels annuelles, \
     jahr jahren jahrlich jahrliche jahrlichen jahrlicher jahrliches, \
     jour journalier journaliere quotidien quotidienne, mois mensuel mensuelle mensuels mensuelles, \
     monat monaten monatlich monatliche monatlichen monatlicher monatliches, semaine hebdomadaire, \
     stunde stunden stundlich stundliche stundlichen, tag tage tagen taglich tagliche taglichen taglicher tagliches, \
     trimestre trimestriel trimestrielle, woche wochen wochentlich wochentliche wochentlichen wochentlicher";

/// Words that are spelt otherwise on the other side of the Atlantic: who asks for `tires` means `tyres`.
const TWO_SPELLINGS: &str = "catalog catalogue, center centre, color colour, favor favour, fiber fibre, \
     flavor flavour, gray grey, harbor harbour, honor honour, labor labour, license licence, liter litre, meter metre, \
     mold mould, neighbor neighbour, odor odour, theater theatre, tire tyre";

static STEMS_OF_DERIVED: LazyLock<HashMap<Cow<'static, str>, Cow<'static, str>>> = LazyLock::new(|| {
    let stemmer = Stemmer::new(Algorithm::English);
    let rows = [DERIVED, DEGREES, RECURRING, TWO_SPELLINGS]
        .into_iter()
        .flat_map(phrases)
        .filter_map(|row| row.split_once(' '));
    let pairs = rows.flat_map(|(word, derived)| derived.split(' ').map(move |one| (one, word)));
    pairs.map(|(one, word)| (stemmer.stem(one), stemmer.stem(word))).collect()
});

static WORDS_OF_FORMS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let rows = phrases(IRREGULAR).filter_map(|row| row.split_once(' '));
    rows.flat_map(|(word, forms)| forms.split(' ').map(move |form| (form, word))).collect()
});

/// The word of an irregular form in lower case: `taught` is one of `teach`.
pub(crate) fn regular(form: &str) -> Option<&'static str> {
    WORDS_OF_FORMS.get(form).copied()
}

/// The other forms of a word in lower case, where a form is a word of its own as well: `left` for `leave`, and the other way round.
pub(crate) fn shared_forms(word: &str) -> impl Iterator<Item = &'static str> {
    let stem = stem(word).into_owned();
    let is_of =
        |row: &&str| row.split(' ').enumerate().any(|(at, form)| form == word || (at == 0 && self::stem(form) == stem));
    let rows: Vec<&str> = phrases(SHARED_FORMS).filter(is_of).collect();
    rows.into_iter().flat_map(|row| row.split(' ')).filter(move |form| self::stem(form) != stem)
}

/// The stem of a word in lower case and without accents.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    let word = WORDS_OF_FORMS.get(word).copied().unwrap_or(word);
    let stem = Stemmer::new(Algorithm::English).stem(word);
    STEMS_OF_DERIVED.get(&stem).cloned().unwrap_or(stem)
}

/// The stem of a word as it is written.
pub(crate) fn stem_of(word: &str) -> String {
    stem(&folded(word)).into_owned()
}

/// Whether `word` is the stem that an index has, or a form of its word.
pub(crate) fn has_stem(word: &str, of_index: &str) -> bool {
    word == of_index || stem_of(word) == of_index
}

/// Whether two words are forms of one word.
pub(crate) fn alike(a: &str, b: &str) -> bool {
    a == b || stem_of(a) == stem_of(b)
}

/// What the forms begin with that lead to a word with another first letter: `ate` is one of `eat`.
static BEGINNINGS_THAT_CHANGE: LazyLock<u64> = LazyLock::new(|| {
    let forms = WORDS_OF_FORMS.iter().map(|(form, word)| (*form, *word));
    let derived = STEMS_OF_DERIVED.iter().map(|(one, word)| (one.as_ref(), word.as_ref()));
    let changed =
        forms.chain(derived).map(|(from, to)| (beginning(from), beginning(to))).filter(|(from, to)| from != to);
    changed.fold(0, |all, (from, _)| all | from.unwrap_or(0))
});

/// A bit for the first letter of a word, or its first digit. A letter that is not plain may become one.
fn beginning(word: &str) -> Option<u64> {
    let first = word.bytes().next()?.to_ascii_lowercase();
    match first {
        b'a'..=b'z' => Some(1 << (first - b'a')),
        b'0'..=b'9' => Some(1 << (26 + first - b'0')),
        _ => None,
    }
}

/// Several words by their stems: which of them a word of a text is a form of. A question may be as long as a passage.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stems {
    words: HashMap<String, Vec<usize>>,
    /// What the stems begin with: most words of a text begin otherwise, and need not be stemmed to be told apart from them.
    beginnings: u64,
}

impl Stems {
    /// Notes a stem, as an index has it, of the word with this number. A word may have several.
    pub(crate) fn add(&mut self, stem: &str, of_word: usize) {
        self.beginnings |= beginning(stem).unwrap_or(0);
        let known = self.words.entry(stem.to_owned()).or_default();
        if !known.contains(&of_word) {
            known.push(of_word);
        }
    }

    /// The numbers of the words that a word of a text is a form of, or the stem.
    pub(crate) fn of_word(&self, word: &str) -> impl Iterator<Item = usize> {
        let may_be = beginning(word).is_none_or(|own| own & (self.beginnings | *BEGINNINGS_THAT_CHANGE) != 0);
        let known = if may_be { self.stemmed(word) } else { Vec::new() };
        known.into_iter()
    }

    fn stemmed(&self, word: &str) -> Vec<usize> {
        let plain = folded(word);
        let stem = stem(&plain);
        let by_stem = self.words.get(stem.as_ref()).into_iter();
        let by_itself = self.words.get(&plain).into_iter().filter(|_| stem != plain);
        by_stem.chain(by_itself).flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: an irregular form leads to one word, which is none itself, and no rule of endings would have led there.
    #[test]
    fn lb_02_irregular_forms_have_one_word() {
        let stemmer = Stemmer::new(Algorithm::English);
        let rows = || phrases(IRREGULAR).filter_map(|row| row.split_once(' '));
        let words: std::collections::BTreeSet<&str> = rows().map(|(word, _)| word).collect();
        assert_eq!(words.len(), phrases(IRREGULAR).count(), "each word has one row");
        let mut known = std::collections::BTreeSet::new();
        for (word, form) in rows().flat_map(|(word, forms)| forms.split(' ').map(move |form| (word, form))) {
            assert!(known.insert(form), "{form} leads to two words");
            assert!(!words.contains(form), "{form} is a word of its own");
            assert_ne!(stemmer.stem(form), stemmer.stem(word), "{form} needs no row");
            assert!(alike(form, word), "{form} {word}");
        }
        for (form, word) in [("told", "tells"), ("bought", "buying"), ("knew", "known"), ("withdrew", "withdrawal")] {
            assert!(alike(form, word), "{form} {word}");
        }
        for (word, forms) in [
            ("leaving", "left"),
            ("left", "leave"),
            ("lies", "lay lain"),
            ("leaves", "leaf left"),
            ("life", "lives"),
            ("live", ""),
            ("lamp", ""),
        ] {
            assert_eq!(shared_forms(word).collect::<Vec<_>>().join(" "), forms, "{word}");
        }
        // These are other words as well.
        for (form, word) in [("saw", "see"), ("found", "find"), ("left", "leave"), ("felt", "feel"), ("led", "lead")] {
            assert!(!alike(form, word), "{form} {word}");
        }
    }

    /// LB-02: words that an index takes for one are one wherever they are compared, and others are not.
    #[test]
    fn stems_meet_their_words() {
        for (word, stem, want) in [
            ("queries", "queri", true),
            ("query", "queri", true),
            ("replication", "replic", true),
            ("locks", "lock", true),
            ("locket", "lock", false),
            ("performance", "perform", true),
            ("independent", "independ", true),
            ("compatible", "compat", true),
            ("stopped", "stop", true),
            ("running", "run", true),
            ("parent", "par", false),
            ("porter", "portable", false),
            ("understand", "and", false),
            ("user", "us", false),
            ("busy", "bus", false),
            ("plane", "plan", false),
            ("news", "new", false),
            ("dry", "dri", true),
            ("drying", "dri", true),
            ("dying", "die", true),
            ("flies", "fli", true),
            ("spied", "spi", true),
            ("carried", "carri", true),
            ("wrote", "write", true),
            ("children", "child", true),
            ("indices", "index", true),
            ("found", "find", false),
            ("drum", "dri", false),
            ("my", "mi", false),
            ("crèmes", "creme", true),
            ("", "", true),
            ("深海", "深海", true),
        ] {
            assert_eq!(has_stem(word, stem), want, "{word} / {stem}");
        }
        assert!(alike("locking", "locks") && alike("lock", "locked") && !alike("lock", "log"));
        for (word, derived) in [
            ("pay", "payments"),
            ("decided", "decision"),
            ("deliver", "deliveries"),
            ("depart", "departure"),
            ("analyze", "analyses"),
            ("fails", "failures"),
            ("flown", "flight"),
            ("administrator", "administer"),
            ("tires", "tyres"),
            ("colours", "color"),
            ("days", "daily"),
            ("yearly", "annual"),
            ("monthly", "month"),
            ("Monate", "monatlichen"),
            ("wöchentliche", "Wochen"),
            ("mensuelle", "mois"),
        ] {
            assert!(alike(word, derived), "{word}, {derived}");
        }
        assert!(!alike("close", "closure") && !alike("multiply", "multiple") && !alike("respond", "responsible"));
        assert!(!alike("color", "colon") && !alike("liter", "later") && !alike("center", "central"));
        assert!(alike("straße", "strasse") && !alike("bus", "busy"));
        assert!(alike("alias", "aliases") && alike("buses", "bus") && alike("quizzes", "quiz"));
        let mut stems = Stems::default();
        for (stem, of_word) in [("queri", 0), ("queri", 0), ("lock", 1), ("queri", 2)] {
            stems.add(stem, of_word);
        }
        let of_word = |word: &str| stems.of_word(word).collect::<Vec<_>>();
        assert_eq!((of_word("Queries"), of_word("queri"), of_word("locks")), (vec![0, 2], vec![0, 2], vec![1]));
        assert!(of_word("locket").is_empty() && of_word("").is_empty());
    }

    /// LB-02: which words are stemmed at all makes no difference.
    #[test]
    fn a_first_letter_does_not_hide_a_word() {
        let forms = [IRREGULAR, DERIVED, RECURRING, TWO_SPELLINGS].into_iter().flat_map(phrases);
        let words =
            forms.flat_map(|row| row.split(' ')).chain(["Äpfel", "apfel", "3", "33", "été", "'tis", "深海", "Éclairs"]);
        for word in words {
            let mut stems = Stems::default();
            stems.add(&stem_of(word), 7);
            for form in [word.to_owned(), word.to_uppercase(), folded(word)] {
                assert_eq!(stems.of_word(&form).collect::<Vec<_>>(), stems.stemmed(&form), "{form} of {word}");
            }
            assert_eq!(stems.of_word(word).collect::<Vec<_>>(), [7], "{word}");
        }
        let mut stems = Stems::default();
        stems.add(&stem_of("eat"), 1);
        stems.add(&stem_of("year"), 2);
        let of_word = |word: &str| stems.of_word(word).collect::<Vec<_>>();
        assert_eq!((of_word("ate"), of_word("Annual"), of_word("table")), (vec![1], vec![2], vec![]));
    }
}
