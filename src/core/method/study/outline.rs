//! The outline of a report: sections, and which notes stand in which.

use std::collections::{BTreeMap, BTreeSet};

use super::bank::{Bank, Gist};
use crate::core::base::limits;
use crate::core::language::words::words;
use crate::core::model::said::{bare, labelled, lines};

/// A section before it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    /// Empty for a report of one piece.
    pub(super) heading: String,
    /// Notes by their places in the bank, each in one section.
    pub(super) notes: Vec<usize>,
    /// Its text, once there is one.
    pub(super) text: Option<String>,
    /// Repairs that were no better than the sentences they were for.
    pub(super) tried: BTreeMap<String, String>,
}

/// Reads a model's outline; none if it has no section with notes. What the model left out goes where most words are shared.
pub(super) fn read(said: &str, bank: &Bank, most: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut used = BTreeSet::new();
    for line in lines(said) {
        let heading = match labelled(&line) {
            Some((label, rest)) if matches!(label.as_str(), "section" | "heading" | "title") => Some(rest),
            Some(_) => None,
            None => line.starts_with('#').then(|| bare(&line)),
        };
        if let Some(heading) = heading.filter(|heading| words(heading).next().is_some()) {
            let heading = heading.chars().take(limits::HEADING_CHARS).collect();
            sections.push(Section { heading, ..Section::default() });
            continue;
        }
        if let Some(section) = sections.last_mut() {
            let known = |at: &usize| *at < bank.notes().len();
            let room = most.saturating_sub(section.notes.len());
            section.notes.extend(numbers(&line).filter(known).take(room).filter(|at| used.insert(*at)));
        }
    }
    sections.retain(|section| !section.notes.is_empty());
    sections.truncate(limits::STUDY_SECTIONS);
    if sections.is_empty() {
        return sections;
    }
    let kept: BTreeSet<usize> = sections.iter().flat_map(|section| section.notes.iter().copied()).collect();
    let left = (0..bank.notes().len()).filter(|at| !kept.contains(at));
    left.for_each(|at| place(&mut sections, bank, at, most));
    sections
}

/// Puts a note into the section that shares the most words with it, while that has room.
fn place(sections: &mut [Section], bank: &Bank, at: usize, most: usize) {
    let Some(gist) = bank.gist(at) else { return };
    let shared = |section: &Section| {
        let heading = Gist::of(&section.heading).shared(gist) * 2;
        heading
            + section
                .notes
                .iter()
                .filter_map(|other| bank.gist(*other))
                .map(|other| other.shared(gist))
                .max()
                .unwrap_or(0)
    };
    let open = sections.iter_mut().filter(|section| section.notes.len() < most);
    if let Some(section) = open.reduce(|best, other| if shared(other) > shared(best) { other } else { best }) {
        section.notes.push(at);
    }
}

/// The numbers of `n1 n5, [n12]`, from 0.
fn numbers(line: &str) -> impl Iterator<Item = usize> {
    line.split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|part| part.strip_prefix(['n', 'N']))
        .filter_map(|number| number.parse::<usize>().ok())
        .filter_map(|number| number.checked_sub(1))
}

/// Without a model: a section for each sub-question that has notes.
pub(super) fn by_rule(subs: &[String], bank: &Bank, most: usize) -> Vec<Section> {
    let mut sections: Vec<Section> =
        subs.iter().map(|sub| Section { heading: sub.clone(), ..Section::default() }).collect();
    for (at, note) in bank.notes().iter().enumerate() {
        if let Some(section) = sections.get_mut(note.sub) {
            section.notes.push(at);
        }
    }
    sections.retain(|section| !section.notes.is_empty());
    // What is more than a section takes is cut off; it stands at the end of its rounds.
    sections.iter_mut().for_each(|section| section.notes.truncate(most));
    sections.truncate(limits::STUDY_SECTIONS);
    sections
}

/// The whole report in one piece.
pub(super) fn whole(bank: &Bank) -> Vec<Section> {
    let notes: Vec<usize> = (0..bank.notes().len().min(limits::WHOLE_NOTES)).collect();
    if notes.is_empty() { Vec::new() } else { vec![Section { notes, ..Section::default() }] }
}

#[cfg(test)]
mod tests {
    use super::super::note::{Note, QuotePlace};
    use super::*;
    use crate::core::evidence::excerpt::PageFacts;
    use crate::core::evidence::passage::PageHash;
    use crate::core::text::spans::{PlaceInFile, Span};

    fn bank(claims: &[&str]) -> Bank {
        let mut bank = Bank::default();
        for (at, &claim) in claims.iter().enumerate() {
            let facts = PageFacts {
                location: format!("https://{at}.test/"),
                asked: None,
                title: String::new(),
                hash: PageHash(at.to_string()),
                date: None,
                author: None,
            };
            let (span, lines) = (Span { start: 0, end: 1 }, PlaceInFile::lines(1, 1));
            let place = QuotePlace { quote: claim.into(), facts, span, lines, around: claim.into() };
            bank.add(Note { claim: claim.into(), places: vec![place], sub: at % 2 });
        }
        bank
    }

    /// ST-01: every note stands in one section, also those that the model left out.
    #[test]
    fn every_note_has_its_section() {
        let bank = bank(&[
            "Whales sing at night.",
            "Coal burns hot in ovens.",
            "Whales sing to their young.",
            "Ovens need coal daily.",
        ]);
        for said in [
            "SECTION: Whales\nNOTES: n1\nSECTION: Ovens\nNOTES: n2, n99",
            "## Whales\nn1\n## Ovens\n[n2] [n1]",
            r#"{"sections":[{"heading":"Whales","notes":["n1"]},{"heading":"Ovens","notes":["n2"]}]}"#,
        ] {
            let sections = read(said, &bank, 30);
            let found: Vec<(&str, &[usize])> =
                sections.iter().map(|s| (s.heading.as_str(), s.notes.as_slice())).collect();
            assert_eq!(found, [("Whales", &[0, 2][..]), ("Ovens", &[1, 3][..])], "{said}");
        }
        assert_eq!(read("no outline at all", &bank, 30), []);
        let ruled = by_rule(&["A?".into(), "B?".into()], &bank, 30);
        assert_eq!(ruled.iter().map(|section| section.notes.clone()).collect::<Vec<_>>(), [vec![0, 2], vec![1, 3]]);
        assert_eq!(whole(&bank)[0].notes.len(), 4);
    }
}
