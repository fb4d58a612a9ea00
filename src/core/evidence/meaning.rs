//! How near passages are to a question in meaning, where static vectors are at hand.
//!
//! The score of an index knows words only. A question in other words than its answer has a low one among passages that happen to
//! share its commonest words; the vectors of both lie near each other all the same. Measured on questions about real documentation
//! (`eval/questions`, `potion-base-8M`).

use super::passage::Passage;
use crate::core::evidence::vectors::{Embedder, StaticVectors, Vector};
use crate::core::language::sentences;

/// How much meaning counts, where the best score of the index counts 1.
pub(crate) const WEIGHT: f32 = 1.5;

/// For each passage that is wanted, so many are compared: those of the index's best that mean the same come first.
pub(crate) const POOL: usize = 4;

/// Notes in each passage how near it is to the question. Kept are as many as are wanted by their score, which come first, and those that are
/// among as many by score and meaning together.
pub(crate) fn weigh(vectors: &StaticVectors, question: &str, passages: &mut Vec<Passage>, wanted: usize) {
    let mut embedder = vectors.embedder();
    let question = embedder.vector(question);
    for passage in passages.iter_mut() {
        passage.meaning = Some(nearness(&mut embedder, &question, passage));
    }
    let top = passages.iter().map(|passage| passage.score).fold(f32::MIN_POSITIVE, f32::max);
    let merit = |passage: &Passage| passage.score / top + WEIGHT * passage.meaning.unwrap_or_default();
    let mut merits: Vec<f32> = passages.iter().map(merit).collect();
    merits.sort_by(|a, b| b.total_cmp(a));
    let least = merits.get(wanted.saturating_sub(1)).copied().unwrap_or(f32::MIN);
    let mut place = 0;
    passages.retain(|passage| {
        place += 1;
        place <= wanted || merit(passage) >= least
    });
}

/// Half of it is what the passage as a whole is about, half its best two sentences: an answer is often a small part of a passage.
fn nearness(embedder: &mut Embedder<'_>, question: &Vector, passage: &Passage) -> f32 {
    let above = std::iter::once(&passage.title).chain(&passage.headings);
    let headings = above.fold(embedder.vector(""), |sum, heading| sum.with(&embedder.vector(heading)));
    let text = &passage.text;
    let sentences = sentences(text).into_iter().filter_map(|sentence| text.get(sentence));
    let sentences: Vec<Vector> = sentences.map(|sentence| embedder.vector(sentence)).collect();
    let whole = sentences.iter().fold(headings, Vector::with);
    let pairs = sentences.iter().zip(sentences.iter().skip(1)).map(|(first, second)| first.clone().with(second));
    let best =
        sentences.first().cloned().into_iter().chain(pairs).map(|pair| pair.nearness(question)).fold(0.0, f32::max);
    f32::midpoint(whole.nearness(question), best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::evidence::passage::PageHash;
    use crate::core::evidence::vectors::tests::small;
    use crate::core::text::spans::{PlaceInFile, Span};

    fn passage(text: &str, score: f32) -> Passage {
        Passage {
            root: "/notes".to_owned(),
            path: "a.md".to_owned(),
            title: String::new(),
            headings: Vec::new(),
            text: text.to_owned(),
            lines: PlaceInFile::lines(1, 1),
            parts: Vec::new(),
            span: Span { start: 0, end: 0 },
            page: PageHash(String::new()),
            score,
            matched: Vec::new(),
            meaning: None,
            fenced: false,
            table_head: String::new(),
            of_superseded: false,
        }
    }

    #[test]
    fn lb_02_what_means_the_same_is_kept_before_what_shares_a_word() {
        let mut found = vec![passage("Money? Money.", 1.0), passage("Nothing.", 0.9), passage("A ship. Money.", 0.4)];
        weigh(&small(), "boats", &mut found, 1);
        let kept: Vec<&str> = found.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(kept, ["Money? Money.", "A ship. Money."], "the best by its words, and what means the same");
        assert!(found[1].meaning > found[0].meaning, "{found:?}");
    }

    #[test]
    fn fewer_than_wanted_are_all_kept() {
        let mut found = vec![passage("Money.", 0.0)];
        weigh(&small(), "boats", &mut found, 2);
        assert_eq!(found.len(), 1);
        weigh(&small(), "boats", &mut Vec::new(), 3);
    }
}
