//! Pairs of words of which one says the opposite of the other.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::core::base::rows::{phrases, set};
use crate::core::language::words::root;

/// Opposites in the forms that people write; other forms are compared by their roots.
const OPPOSITES: &str = "increase decrease, increase reduce, increase decline, rise fall, rise drop, rose fell, \
     rose dropped, rose declined, grew shrank, grow shrink, growth decline, gain loss, gained lost, more less, \
     more fewer, most least, higher lower, highest lowest, high low, larger smaller, largest smallest, large small, \
     bigger smaller, big small, greater lesser, greater smaller, longer shorter, longest shortest, long short, \
     taller shorter, older younger, oldest youngest, oldest newest, old new, old young, older newer, early late, \
     earlier later, earliest latest, first last, before after, above below, begin end, began ended, start end, \
     started ended, start stop, opened closed, open close, accept reject, approve reject, allow forbid, \
     allow prohibit, allow prevent, permit prohibit, support oppose, agree disagree, win lose, won lost, \
     victory defeat, success failure, successful unsuccessful, succeeded failed, strong weak, stronger weaker, \
     hot cold, warm cool, hotter colder, warmer cooler, fast slow, faster slower, light heavy, lighter heavier, \
     positive negative, advantage disadvantage, benefit harm, beneficial harmful, improve worsen, better worse, \
     best worst, good bad, safe dangerous, safe unsafe, healthy unhealthy, legal illegal, possible impossible, \
     likely unlikely, able unable, common rare, common uncommon, often rarely, always never, frequently rarely, \
     easy difficult, easier harder, easy hard, simple complex, rich poor, cheap expensive, cheaper costlier, \
     full empty, inside outside, internal external, public private, north south, northern southern, east west, \
     eastern western, left right, upper lower, top bottom, front back, male female, men women, man woman, king queen, \
     husband wife, father mother, son daughter, brother sister, boy girl, add remove, include exclude, join leave, \
     joined left, arrive depart, import export, buy sell, bought sold, create destroy, build demolish, \
     built demolished, born died, birth death, alive dead, true false, correct incorrect, maximum minimum, \
     majority minority, many few, present absent, active inactive, effective ineffective, necessary unnecessary, \
     known unknown, visible invisible, same different, similar different, similar dissimilar, wide narrow, \
     deep shallow, thick thin, dry wet, hard soft, rough smooth, dark bright, modern ancient, major minor, \
     permanent temporary, natural artificial, direct indirect, formal informal, voluntary mandatory, \
     voluntary compulsory, optional required, encourage discourage, expand contract, attack defend, promote demote, \
     hired fired, appointed dismissed, love hate, liked disliked, praised criticized, praised criticised, \
     domestic foreign, urban rural, guilty innocent, acquitted convicted, increase lower";

static PAIRS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| phrases(OPPOSITES).filter_map(|pair| pair.split_once(' ')).collect());

/// Words of one pole that a claim seldom has of its own accord: a page that is retold with them has them, or others like them.
const OF_ONE_POLE: &str = "bad cheap cheaper decline declined decrease decreased decreases dropped empty ended fell few \
     fewer forbid harm harmful illegal impossible inactive incorrect ineffective informal least less lesser lose lost \
     lowest minor minority narrow negative old oldest oppose poor prohibit rare rarely reject shallow shortest shrink \
     shrank slow slower smallest temporary unable uncommon unhealthy unlikely unnecessary unsafe unsuccessful weak \
     weaker worse worsen worst young youngest dangerous discourage depart innocent failure failed defeat loss late \
     later last close closed stop hate false death smaller lower shorter younger harder difficult costlier never allow \
     women south west southern western birth same private exclude remove sell sold destroy optional fired faster";

static MARKED: LazyLock<HashSet<&str>> = LazyLock::new(|| set(OF_ONE_POLE));

/// Whether a word stands for the pole that claims seldom name unless the page does.
pub(super) fn is_marked(word: &str) -> bool {
    MARKED.contains(word)
}

/// Words that share an opposite with this one, and so say nearly the same.
pub(super) fn alike(word: &str) -> Vec<&'static str> {
    let against = opposites(word).unwrap_or_default();
    let shares = |other: &&str| against.contains(other);
    PAIRS
        .iter()
        .filter_map(|(one, other)| if shares(one) { Some(*other) } else { shares(other).then_some(*one) })
        .collect()
}

/// Whether two words are forms of one word.
pub(super) fn same(word: &str, other: &str) -> bool {
    // Asked for each word of a claim and each of the table; almost all pairs differ in their first letter.
    if word.bytes().next() != other.bytes().next() {
        return false;
    }
    let are_long = word.len() > 4 && other.len() > 4;
    word == other || (are_long && root(word) == root(other) && comparison(word) == comparison(other))
}

/// `lower` and `low` say different things in a comparison.
fn comparison(word: &str) -> u8 {
    if word.ends_with("est") { 2 } else { u8::from(word.ends_with("er")) }
}

/// The opposites of a word, if it has any.
pub(super) fn opposites(word: &str) -> Option<Vec<&'static str>> {
    let found: Vec<&'static str> = PAIRS
        .iter()
        .filter_map(|(one, other)| if same(word, one) { Some(*other) } else { same(word, other).then_some(*one) })
        .collect();
    (!found.is_empty()).then_some(found)
}

/// The first opposite of a word, in the same form where the table has it: for making faults.
#[cfg(feature = "eval")]
pub(crate) fn opposite_of(word: &str) -> Option<&'static str> {
    PAIRS.iter().find_map(|(one, other)| if word == *one { Some(*other) } else { (word == *other).then_some(*one) })
}
