//! The notes of a study, each fact once with every place that says it.

use std::collections::BTreeSet;

use super::note::{Note, QuotePlace};
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::language::words::{informative_pieces, root};

/// Whether two notes say the same, and what then becomes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    /// The same words with another figure.
    Differs,
    Other,
}

/// A claim as roots of words and figures, for comparing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gist {
    roots: BTreeSet<String>,
    figures: BTreeSet<String>,
}

impl Gist {
    pub(super) fn of(claim: &str) -> Self {
        let (figures, said): (Vec<String>, Vec<String>) =
            informative_pieces(claim).into_iter().partition(|word| word.chars().any(|c| c.is_ascii_digit()));
        Self { roots: said.iter().map(|word| root(word).to_owned()).collect(), figures: figures.into_iter().collect() }
    }

    pub(super) fn likeness(&self, other: &Self) -> Likeness {
        let common = self.roots.intersection(&other.roots).count();
        let most = self.roots.len().max(other.roots.len());
        let same_figures = self.figures == other.figures;
        // Where each has a word that the other lacks, they speak of two things in the same words, of the rotor and of the brake; unless
        // they have the same figures, which two things seldom have.
        let of_one_thing = common == self.roots.len() || common == other.roots.len();
        let in_other_words = same_figures && !self.figures.is_empty() && common * 5 >= most * 4;
        if most == 0 || common * 4 < most * 3 || !(of_one_thing || in_other_words) {
            return Likeness::Other;
        }
        if same_figures {
            return Likeness::Same;
        }
        let both = !self.figures.is_empty() && !other.figures.is_empty();
        let contains = self.figures.is_subset(&other.figures) || other.figures.is_subset(&self.figures);
        if both && !contains { Likeness::Differs } else { Likeness::Other }
    }

    pub(super) fn size(&self) -> usize {
        self.roots.len() + self.figures.len()
    }

    /// Whether another has most of it.
    pub(super) fn is_mostly_within(&self, other: &Self) -> bool {
        self.shared(other) * 10 >= self.size() * 6
    }

    /// What of it another lacks.
    pub(super) fn without(&self, other: &Self) -> Self {
        let left = |own: &BTreeSet<String>, other: &BTreeSet<String>| own.difference(other).cloned().collect();
        Self { roots: left(&self.roots, &other.roots), figures: left(&self.figures, &other.figures) }
    }

    pub(super) fn join(&mut self, other: Self) {
        self.roots.extend(other.roots);
        self.figures.extend(other.figures);
    }

    /// Roots and figures that two claims share.
    pub(super) fn shared(&self, other: &Self) -> usize {
        self.roots.intersection(&other.roots).count() + self.figures.intersection(&other.figures).count()
    }
}

/// Notes that may cover a point between them.
const COVERING_NOTES: usize = 10;

/// All notes of a study: each fact once, with every place that says it, and the pairs that disagree.
#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    notes: Vec<Note>,
    gists: Vec<Gist>,
    /// Pairs of notes, by their places, that have different figures for the same thing.
    pub(super) disagreements: Vec<(usize, usize)>,
}

impl Bank {
    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    pub(super) fn gist(&self, at: usize) -> Option<&Gist> {
        self.gists.get(at)
    }

    /// The notes that share the most words with a text, best first.
    pub(super) fn nearest(&self, text: &str, most: usize) -> Vec<&Note> {
        let wanted = Gist::of(text);
        let mut near: Vec<(usize, &Note)> =
            self.gists.iter().zip(&self.notes).map(|(gist, note)| (gist.shared(&wanted), note)).collect();
        near.retain(|(shared, _)| *shared >= 2);
        sort_by_key(&mut near, |(shared, _)| std::cmp::Reverse(*shared));
        near.into_iter().take(most).map(|(_, note)| note).collect()
    }

    /// Whether one note says most of what another does.
    pub(super) fn tells_much_of(&self, known: usize, other: usize) -> bool {
        let (Some(known), Some(other)) = (self.gists.get(known), self.gists.get(other)) else { return false };
        let all = other.roots.len() + other.figures.len();
        other.figures.is_subset(&known.figures) && known.shared(other) * 10 >= all * 7
    }

    /// Whether a few notes together hold so many of a hundred telling words of a text.
    pub(super) fn speaks_of(&self, text: &str, share: usize) -> bool {
        let wanted = Gist::of(text);
        let all = wanted.roots.len() + wanted.figures.len();
        let mut gists: Vec<&Gist> = self.gists.iter().collect();
        sort_by_key(&mut gists, |gist| std::cmp::Reverse(gist.shared(&wanted)));
        let near = || gists.iter().take(COVERING_NOTES);
        let held = |root: &&String| near().any(|gist| gist.roots.contains(*root) || gist.figures.contains(*root));
        let found = wanted.roots.iter().chain(&wanted.figures).filter(held).count();
        found * 100 >= all * share
    }

    /// Takes a note in, or its places into the note that says the same.
    pub(super) fn add(&mut self, note: Note) {
        if self.notes.len() >= limits::STUDY_NOTES {
            return;
        }
        let gist = Gist::of(&note.claim);
        let mut differs = Vec::new();
        for at in 0..self.notes.len() {
            let (Some(known), Some(known_gist)) = (self.notes.get_mut(at), self.gists.get(at)) else { break };
            let overlap = known.places.iter().any(|known| note.places.iter().any(|place| place.overlaps(known)));
            let like = gist.likeness(known_gist);
            let shares = known_gist.shared(&gist) * 4 >= gist.roots.len().max(1) * 3;
            if like == Likeness::Same || (overlap && shares && like == Likeness::Other) {
                let new: Vec<QuotePlace> = note.places.iter().filter(|place| !known.cites(place)).cloned().collect();
                known.places.extend(new);
                return;
            }
            let other_page = note.places.iter().all(|place| !known.cites(place));
            if like == Likeness::Differs && other_page {
                differs.push(at);
            }
        }
        let place = self.notes.len();
        self.disagreements.extend(differs.into_iter().map(|at| (at, place)));
        self.notes.push(note);
        self.gists.push(gist);
    }
}
