//! The language of a question, told by its function words: a question is too short for anything else.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::core::base::plain::is_unspaced;
use crate::core::base::rows::{is_listed, listed};
use crate::core::language::fold::folded;
use crate::core::language::words::runs;

/// The languages beside English whose inflections are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Swedish,
    Russian,
}

use Language::{Dutch, French, German, Italian, Portuguese, Russian, Spanish, Swedish};

/// Words that carry grammar and nothing that could be looked up, in lower case and without the accents of Latin letters.
const FUNCTION_WORDS: [(Language, &str); 8] = [
    (
        German,
        "aber als am an ans auch auf aufs aus bedeuten bedeutet bei beim bin bis bist bitte da dann darf das dass dein deine dem den denn der deren des dessen dich die diese diesem diesen dieser dieses dir doch du durch \
         durfen durfte ein eine einem einen einer eines er es euer findet fur furs gegen gibt habe haben hast hat hatte hatten heissen heisst hier ich ihm ihn ihr ihre ihrem ihren ihrer im in ins ist jede \
         jeder jedes kann kein keine kommt konnen konnte konnten man mein meine meinem meinen mich mir mit mochte muss mussen musste mussten nach nicht noch nur ob \
         oder oft ohne schon sehr seid sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sollten statt stattfindet steht uber um und uns unser unsere unserem unseren \
         unserer unter viel viele vielen vom von vor wann war waren warum was wegen welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb wessen \
         weswegen wie wieso wieviel wieviele will wir wird wo wodurch wofur wogegen woher wohin wollen womit woran worauf woraus worden worin woruber worum wovon \
         wozu wurde wurden zu zum zur zwischen",
    ),
    (
        French,
        "a ai as au aux avec avez avons ce ces cet cette combien comment d dans de des devez devons dois doit doivent dont du elle elles en est et etaient \
         etait etre faire fait faut ici il ils j je l la laquelle le lequel les lesquelles lesquels leur leurs longtemps lors ma mais me mes moi mon n ne nos \
         notre nous on ont ou par pas peut peuvent peux plus pour pourquoi pouvez pouvons puis qu quand que quel quelle quelles quels qui quoi s sa sans se ses \
         si son sont souvent sur t te tres tu un une vos votre vous y",
    ),
    (
        Spanish,
        "a adonde al como con cual cuales cuando cuanta cuantas cuanto cuantos de debe deben debo del desde donde el ella en entre es esa esas ese esos esta \
         estan estas este esto estos fue fueron ha hacer han hasta hay he hemos la las lo los mas me mi mis muy no nos nuestra nuestras nuestro nuestros o para \
         pero podemos podria por porque puede pueden puedo que quien se ser si sin sobre son su sus te tenemos tengo tiene tienen tu tus un una uno y ya yo",
    ),
    (
        Italian,
        "abbiamo al alla alle anche c che chi ci come con cosa cui d da dal dalla dei del della delle deve devo devono di dobbiamo dove e ed era fa gli ha hai \
         hanno ho i il in io l la le lo ma mi mia mie miei mio molto ne nel nella noi non nostra nostre nostri nostro o per perche piu possiamo posso possono \
         puo qual quale quali quando quanta quante quanti quanto quella quello questa queste questi questo si siamo sono spesso stata stato su sua sue sul \
         sulla suo suoi tra un una uno viene",
    ),
    (
        Portuguese,
        "a ao as ate com como da das de deve devem devo do dos e ela elas ele eles em entre era essa esse esta estao estas este estes eu foi foram ha isso isto \
         ja mais mas me meu meus minha minhas muito na nao nas no nos nossa nossas nosso nossos o onde os ou para pela pelo pode podem podemos por porque posso \
         quais qual quando quanta quantas quanto quantos que quem sao se sem ser seu seus so sobre sua suas tem temos tenho um uma",
    ),
    (
        Dutch,
        "aan als bij dan dat de deze die dit door een en er geen had hadden heb hebben heeft het hij hoe hoeveel hun ik in is je jouw jullie kan kon konden \
         kunnen maar mag met mijn mocht moet moeten mogen na naar niet nog nu of om onder ons onze ook op over te tegen tot tussen u uit vaak van veel voor \
         waar waardoor waarheen waarmee waarom waarop waaruit waarvan waarvoor wanneer waren was wat we welk welke werd wie wil willen worden wordt zal zich \
         zijn zo zonder zou zullen",
    ),
    (
        Swedish,
        "ar att av blev blir blivit borde da de den denna dessa det detta din dina ditt du efter eller en er era ert ett for fran ha han har hon hur i inom \
         inte jag kan kunde manga maste med mellan men mig min mina mitt mot mycket nagon nagot nagra nar nu och ofta om pa sa sig sin sina sitt ska skulle som \
         till under upp ut utan vad var vara varfor varifran varit vart vem vems vi vid vilka vilken vilket vill",
    ),
    (
        Russian,
        "а без будет будут бы был была были было быть в ваш ваша ваши вы где для до долго должен должна должны его если есть еще же за зачем и из или их к как \
         какая какие каких какого какой каком какую когда кого кому кто куда ли между мне много могу могут мое может можно мои мой моя мы на над надо наш наша \
         наше наши не нет но нужно о об он она они от откуда очень по под почему при с сколько так то у часто чего чей чем чему что чтобы чьи чья эта эти это \
         этого этой этом этот я",
    ),
];

/// Words that ask in Chinese and Japanese, where no space tells them from what they are asked of. What another one is part of stands behind it.
const UNSPACED_QUESTION_WORDS: &str = "でしょうか ですか ましたか ますか 为什么 為什麼 是什么 是什麼 什么 什麼 哪里 哪裡 哪儿 哪个 哪個 哪些 哪年 \
     多少 怎么 怎麼 怎样 如何 为何 几个 几年 几点 几天 几次 幾個 いくつ いくら どこ いつ だれ なぜ どの どれ とは何 は何 何時 何人 何年 何日 谁 誰 吗 嗎 呢";

/// What is left of a question between such words.
pub(crate) fn without_unspaced_question_words(question: &str) -> Vec<&str> {
    let mut said = vec![question];
    if question.contains(is_unspaced) {
        for asking in UNSPACED_QUESTION_WORDS.split(' ') {
            said = said.into_iter().flat_map(|part| part.split(asking)).collect();
        }
    }
    said
}

/// Short words of grammar that are none of English, and those that are some.
const SMALL: &str = "au aux das de del der des du el et la le les los und y";
const SMALL_IN_ENGLISH: &str = "den di die il im in l per";

/// The short words of grammar among those of a question that has no word of English grammar, where others are left to be looked up. Those that are also
/// words of English only beside another one, or where a letter has an accent.
pub(crate) fn small_words(words: &[&str], has_accent: bool) -> HashSet<&'static str> {
    let of = |row: &'static str| listed(row).filter(|small| words.contains(small));
    let mut found: HashSet<&'static str> = of(SMALL).collect();
    if has_accent || !found.is_empty() {
        found.extend(of(SMALL_IN_ENGLISH));
    }
    let is_left = words.iter().any(|word| !found.contains(word));
    if is_left { found } else { HashSet::new() }
}

/// Whether an English word is an auxiliary with `n't` behind it: `isn't`, `won't`. Without that, who won is a question.
pub(crate) fn is_negation(word: &str, behind: &str) -> bool {
    let ending = behind.strip_prefix(['\'', '’']).and_then(|behind| behind.strip_prefix(['t', 'T']));
    let ends = ending.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    ends && word.ends_with(['n', 'N'])
}

/// The languages of each of these words: a long question is looked up word by word.
static LANGUAGES: LazyLock<HashMap<&str, Vec<Language>>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, Vec<Language>> = HashMap::new();
    for (language, words) in FUNCTION_WORDS {
        words.split_whitespace().for_each(|word| languages.entry(word).or_default().push(language));
    }
    languages
});

/// Words of grammar that are words of English as well: `hat price`. One of them alone says nothing.
const WORDS_OF_ENGLISH: &str = "bin come den die hat her la man mit per plus pour sale sin so son van war will";

/// The language that has more of these words as its function words than any other, and than English has of its own. Of several that have as many,
/// the first: two words of grammar (`de la`) are no words to be looked up in either of them. One alone may be a piece of a name.
pub(crate) fn of_words(words: &[&str], english: impl Fn(&str) -> bool) -> Option<Language> {
    let in_english = words.iter().filter(|word| english(word)).count();
    let counts = FUNCTION_WORDS
        .map(|(language, _)| (words.iter().filter(|word| language.is_function_word(word)).count(), language));
    let most = counts.iter().map(|(count, _)| *count).max()?;
    let mut best = counts.into_iter().filter(|(count, _)| *count == most);
    let (_, language) = best.next()?;
    let is_told = |word: &&str| language.is_function_word(word) && !is_listed(WORDS_OF_ENGLISH, word);
    let is_clear = most > 1 || (best.next().is_none() && words.iter().any(is_told));
    (most > in_english && is_clear).then_some(language)
}

/// Pairs of words that only ask, or say no more than that something is: `wie hoch ist die Miete`, `when does it take place`, `quand a lieu le cours`.
/// Without accents.
const IDLE_PAIRS: &[(&str, &str)] = &[
    ("take taken takes taking took", "place"),
    ("a aura auront avait avoir ont", "lieu"),
    ("wie", "hoch"),
    ("wie", "lang"),
    ("wie", "lange"),
    ("wie", "oft"),
];

/// Whether two words that follow each other, in lower case and without accents, are such a pair.
pub(crate) fn is_idle_pair(first: &str, second: &str) -> bool {
    IDLE_PAIRS.iter().any(|(firsts, behind)| *behind == second && is_listed(firsts, first))
}

/// Words that ask in English, or do nothing else.
const ENGLISH: &str = "did does how many the what when where which who why";

/// Whether a question is in German, where every noun has a capital letter.
pub(crate) fn is_german(question: &str) -> bool {
    let words: Vec<String> = runs(question).filter_map(|place| question.get(place)).map(folded).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    of_words(&words, |word| is_listed(ENGLISH, word)) == Some(German)
}

/// Whether a word in lower case is one of grammar in a language other than English.
pub(crate) fn is_of_grammar(word: &str) -> bool {
    LANGUAGES.contains_key(word)
}

impl Language {
    pub(crate) fn is_function_word(self, word: &str) -> bool {
        LANGUAGES.get(word).is_some_and(|languages| languages.contains(&self))
    }
}

/// Shorter beginnings are those of too many words.
const SHORTEST: usize = 3;
/// So many letters more than the stem of a word's own language the English one may have cut off, and so many must be left.
const CUT: usize = 2;
const LEFT: usize = 5;

/// What tells the forms of a word from other words of an index, whose terms are English stems.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Forms<'a> {
    term: &'a str,
    stem: &'a str,
    /// The letters with which all of them begin.
    pub(crate) beginning: String,
}

impl<'a> Forms<'a> {
    /// For a term and its stem in the language of the question; `None` where too little of it is left.
    pub(crate) fn new(term: &'a str, stem: &'a str) -> Option<Self> {
        let shared = term.chars().zip(stem.chars()).take_while(|(a, b)| a == b).count();
        let beginning: String = term.chars().take(shared.min(shared.saturating_sub(CUT).max(LEFT))).collect();
        (beginning.chars().count() >= SHORTEST).then_some(Self { term, stem, beginning })
    }

    /// Whether another term is one of them: it has the same stem, or the English stemmer cut it off before that.
    pub(crate) fn has(&self, form: &str, stem: &str) -> bool {
        let cut_off = |rest: &str| rest.chars().count() <= CUT && form.chars().count() >= LEFT;
        form != self.term && (stem == self.stem || self.stem.strip_prefix(form).is_some_and(cut_off))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_share_a_stem_or_were_cut_off_before_it() {
        for (term, stem, form, its_stem, is_form) in [
            ("sicherungen", "sicher", "sicherung", "sicher", true),
            ("cancellata", "cancell", "cancel", "cancel", true),
            ("cancellata", "cancell", "canc", "canc", false),
            ("sicherungen", "sicher", "sicherungen", "sicher", false),
            ("sicherungen", "sicher", "siche", "siche", true),
            ("haus", "haus", "hause", "haus", true),
            ("haus", "haus", "hau", "hau", false),
        ] {
            let forms = Forms::new(term, stem).unwrap();
            assert_eq!(forms.has(form, its_stem), is_form, "{term}: {form}");
            assert!(!is_form || form.starts_with(&forms.beginning), "{term}: {form}");
        }
        assert_eq!(Forms::new("ab", "ab"), None);
        assert_eq!(Forms::new("xyz", "abc"), None);
    }

    #[test]
    fn lb_02_small_words_of_grammar_are_not_looked_up() {
        for (question, has_accent, small) in [
            ("delai de paiement", false, &["de"][..]),
            ("die casting", false, &[]),
            ("die prufung", true, &["die"]),
            ("ende der die woche", false, &["der", "die"]),
            ("de la", false, &[]),
            ("", false, &[]),
        ] {
            let words: Vec<&str> = question.split_whitespace().collect();
            let mut found: Vec<&str> = small_words(&words, has_accent).into_iter().collect();
            found.sort_unstable();
            assert_eq!(found, small, "{question}");
        }
    }

    #[test]
    fn lb_02_questions_tell_their_language() {
        let english =
            |word: &str| ["what", "is", "the", "in", "how", "do", "i", "a", "was", "of", "die"].contains(&word);
        let table = [
            ("welche umask verwendet borg als voreinstellung", Some(German)),
            ("wie andere ich das passwort", Some(German)),
            ("hat price", None),
            ("bin day", None),
            ("miete pro monat vom lager", Some(German)),
            ("combien de temps y a t il entre deux points de controle par defaut dans borg", Some(French)),
            ("como puedo cambiar la contrasena de un usuario", Some(Spanish)),
            ("dove sono conservati i file di configurazione", Some(Italian)),
            ("onde ficam os arquivos de configuracao", Some(Portuguese)),
            ("hoe kan ik het wachtwoord wijzigen", Some(Dutch)),
            ("hur byter jag losenord for en anvandare", Some(Swedish)),
            ("как изменить пароль пользователя", Some(Russian)),
            ("what is the default umask in borg", None),
            ("how do i die in nethack", None),
            ("borg umask", None),
            ("taille de la haie", Some(French)),
            ("rio de janeiro", None),
            ("de", None),
            ("", None),
        ];
        for (question, language) in table {
            let words: Vec<&str> = question.split_whitespace().collect();
            assert_eq!(of_words(&words, english), language, "{question}");
        }
    }
}
