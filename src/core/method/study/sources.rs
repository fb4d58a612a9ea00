//! How many sources a report is to cite at least, and what is done for it.

use std::collections::BTreeSet;

use super::Study;
use super::draft;
use super::note::Note;
use super::report::CITED_TOGETHER;
use crate::core::evidence::passage::PageHash;

/// Pages of one round, however many sources are wanted.
const MOST_PAGES: usize = 8;

impl Study {
    pub(super) fn wanted_sources(&self) -> usize {
        self.plan.wishes.sources.map_or(0, |wanted| wanted as usize)
    }

    /// Pages that a round reads. Not every page that is read is cited.
    pub(super) fn pages_of_round(&self) -> usize {
        let usual = self.strategy.top_pages as usize;
        let rounds = self.scale.all_rounds.max(1);
        usual.max((self.wanted_sources() * 2).div_ceil(rounds).min(MOST_PAGES))
    }

    /// Gives the sources that no sentence cites their best note each, until as many are cited as are wanted.
    pub(super) fn cite_more(&mut self) {
        let wanted = self.wanted_sources();
        let mut cited = self.cited_pages();
        for at in 0..self.bank.notes().len() {
            if cited.len() >= wanted {
                return;
            }
            let Some(note) = self.bank.notes().get(at) else { return };
            let new: Vec<PageHash> = pages(note).filter(|page| !cited.contains(*page)).cloned().collect();
            let sentence = draft::with_citation(&note.claim, at);
            let section = self.sections.iter_mut().find(|section| section.notes.contains(&at));
            // A section that nobody wrote lists all its notes.
            if let Some(text) = section.and_then(|section| section.text.as_mut()).filter(|_| !new.is_empty()) {
                *text = draft::insert(text, &sentence);
                cited.extend(new);
            }
        }
    }

    /// The pages that the sections cite.
    fn cited_pages(&self) -> BTreeSet<PageHash> {
        let notes = self.sections.iter().flat_map(|section| match &section.text {
            Some(text) => draft::split(text).into_iter().flat_map(|sentence| sentence.notes).collect(),
            None => section.notes.clone(),
        });
        notes.filter_map(|at| self.bank.notes().get(at)).flat_map(pages).cloned().collect()
    }

    /// What is said where fewer were found than were wanted.
    pub(super) fn too_few_sources(&self, cited: usize) -> Option<String> {
        let wanted = self.wanted_sources();
        (cited < wanted).then(|| format!("{wanted} sources were wanted; {cited} were found that say something of it."))
    }
}

/// The pages that a citation of a note names.
fn pages(note: &Note) -> impl Iterator<Item = &PageHash> {
    note.places.iter().take(CITED_TOGETHER).map(|place| &place.facts.hash)
}
