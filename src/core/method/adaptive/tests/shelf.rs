//! A library in memory, small enough to be understood: one passage per paragraph, terms are lower-case words without a
//! final `s`, the score is the sum of the weights found.

use std::collections::BTreeSet;

use super::super::*;
use crate::core::evidence::passage::{Passage, Term};
use crate::core::language::words::words;
use crate::core::task::outcome::Refreshed;
use crate::core::text::spans::{PlaceInFile, Span};

#[derive(Clone, Debug)]
pub(super) struct Shelf {
    passages: Vec<Passage>,
    documents: u32,
}

fn stem(word: &str) -> String {
    word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word).to_owned()
}

fn stems(passage: &Passage) -> BTreeSet<String> {
    words(&passage.text)
        .chain(passage.headings.iter().flat_map(|heading| words(heading)))
        .map(|word| stem(&word))
        .collect()
}

impl Shelf {
    /// Documents as (path, text); the first line of a text is its title, paragraphs are passages.
    pub(super) fn new(documents: &[(&str, &str)]) -> Self {
        let mut passages = Vec::new();
        for (path, text) in documents {
            let title = text.lines().next().unwrap_or_default();
            let mut start = 0;
            for (at, paragraph) in text.split("\n\n").enumerate() {
                let line = u32::try_from(at * 2 + 1).unwrap();
                passages.push(Passage {
                    root: "/d".into(),
                    path: (*path).into(),
                    title: title.into(),
                    headings: vec![title.into()],
                    text: paragraph.into(),
                    lines: PlaceInFile::lines(line, line),
                    parts: Vec::new(),
                    span: Span { start, end: start + paragraph.len() as u64 },
                    page: PageHash(format!("hash:{path}")),
                    score: 0.0,
                    matched: vec![],
                    meaning: None,
                    fenced: false,
                    table_head: String::new(),
                    of_superseded: false,
                });
                start += paragraph.len() as u64 + 2;
            }
        }
        Self { passages, documents: u32::try_from(documents.len()).unwrap() }
    }

    /// Leaves out the passages that are titles alone.
    pub(super) fn drop_titles(&mut self) {
        self.passages.retain(|passage| passage.text != passage.title);
    }

    pub(super) fn search(&self, query: &str, limit: u32) -> FoundPassages {
        let mut texts: Vec<String> = Vec::new();
        for word in words(query) {
            let stem = stem(&word);
            if !texts.contains(&stem) {
                texts.push(stem);
            }
        }
        let said: Vec<BTreeSet<String>> = self.passages.iter().map(stems).collect();
        let n = said.len() as f32;
        let weight = |text: &String| {
            let df = said.iter().filter(|stems| stems.contains(text)).count() as f32;
            (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
        };
        let terms: Vec<Term> =
            texts.iter().map(|text| Term { text: text.clone(), weight: weight(text), forms: Vec::new() }).collect();
        let mut passages: Vec<Passage> = Vec::new();
        for (passage, stems) in self.passages.iter().zip(&said) {
            let matched: Vec<u16> =
                (0..).zip(&texts).filter(|(_, text)| stems.contains(*text)).map(|(at, _)| at).collect();
            let score = matched.iter().map(|at| terms[usize::from(*at)].weight).sum();
            if !matched.is_empty() {
                passages.push(Passage { matched, score, ..passage.clone() });
            }
        }
        passages.sort_by(|a, b| b.score.total_cmp(&a.score));
        passages.truncate(limit as usize);
        FoundPassages { terms, passages, ..FoundPassages::default() }
    }

    /// What a healthy world answers.
    pub(super) fn answer(&self, effect: &Effect) -> Outcome {
        match effect {
            Effect::RefreshLibrary { .. } => {
                Outcome::Refreshed(Refreshed { unchanged: self.documents, ..Refreshed::default() })
            }
            Effect::SearchLibrary { query, limit, .. } => Outcome::Found(self.search(query, *limit)),
            Effect::ArchivePages { pages } => {
                Outcome::Archived { pages: pages.iter().map(|page| page.page.clone()).collect(), problems: vec![] }
            }
            other => panic!("not an effect with an outcome: {other:?}"),
        }
    }
}

/// A small manual of a database, with one thing that is told in two places only.
pub(super) fn manual() -> Shelf {
    let filler: Vec<(String, String)> = (0..40)
        .map(|at| {
            let text = format!(
                "Chapter {at}\n\nThe server writes rows of table t{at} to disk and reads them again.\n\n\
                 A client of chapter {at} sends a statement number n{at} and waits for the result of the server."
            );
            (format!("chapters/{at}.md"), text)
        })
        .collect();
    let mut documents: Vec<(&str, &str)> = vec![
        (
            "locks.md",
            "Locking\n\nA deadlock is found by the server after the deadlock timeout of one second; the younger transaction is aborted.\n\n\
             Row locks are taken by every statement that writes. Locks are released at commit.",
        ),
        (
            "copy/locks.md",
            "Locking, old\n\nA deadlock is found by the server after the deadlock timeout of one second; the younger transaction is aborted.",
        ),
        ("wal.md", "Log\n\nThe write ahead log makes a commit durable. A checkpoint bounds recovery after a crash."),
        ("people.md", "Thanks\n\nThe vacuum of dead rows was invented by Zebulon Pike, who lived near the server."),
        ("pike.md", "Pike\n\nZebulon Pike studied cartography in Ghent.\n\nPike Zebulon liked tea."),
    ];
    documents.extend(filler.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    Shelf::new(&documents)
}
