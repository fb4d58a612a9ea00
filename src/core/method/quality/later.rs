//! Of passages that tell as much of a goal, the one that holds: the later edition, the later time, what does not call itself superseded.

use std::ops::Range;

use super::Goal;
use crate::core::evidence::passage::Passage;
use crate::core::question::state::{are_of_one_thing, is_history, tells_only_what_is, tells_what_was};
use crate::core::text::changelog::{is_changelog, is_heading_of_releases, is_title_of_changelog};
use crate::core::text::editions::{Time, is_later, is_same_section, is_superseded};
use crate::core::text::entry_times::EntryTime;
use crate::core::text::test_code::is_test;

/// What a sentence is worth that tells what was, where it is asked what is.
const WAS: f32 = 0.8;

impl Goal {
    /// Whether a passage tells what was changed, what held once or what is only tried, while the goal is about what is.
    pub(crate) fn is_secondary(&self, passage: &Passage) -> bool {
        (!self.of_changes && (is_changelog(&passage.path) || is_title_of_changelog(&passage.title)))
            || self.is_superseded(passage)
            || self.is_tried(passage)
            || self.is_past(passage)
            || self.is_present(passage)
    }

    /// Whether what is asked is what is so, and the passage stands below a heading that tells what happened.
    fn is_past(&self, passage: &Passage) -> bool {
        self.of_state && below_title(passage).iter().any(|heading| is_history(heading))
    }

    /// Whether what is asked is what was decided, and the passage only tells what is, in a document of no time.
    fn is_present(&self, passage: &Passage) -> bool {
        self.of_decision && time(passage).is_none() && tells_only_what_is(&passage.text)
    }

    fn is_superseded(&self, passage: &Passage) -> bool {
        let is_said = passage.of_superseded || is_superseded(&passage.path) || is_superseded(&passage.title);
        is_said && !self.of_superseded
    }

    pub(super) fn is_tried(&self, passage: &Passage) -> bool {
        !self.of_tests && passage.is_source_code() && is_test(&passage.path)
    }

    /// Whether one passage says the same as another in a later edition of its document.
    pub(crate) fn is_later(&self, one: &Passage, other: &Passage) -> bool {
        let (own, others) = (below_title(one), below_title(other));
        let are_alike = one.root == other.root
            && own.len() == others.len()
            && own.iter().zip(others).all(|(one, other)| is_same_section(one, other));
        are_alike && self.leaves_time_open() && is_later(&one.path, &other.path)
    }

    /// Whether one passage, which tells as much of the goal as another, is of a later time, or the other one calls itself superseded. A year alone says too
    /// little of when something was written, unless what holds now is asked for.
    pub(crate) fn is_of_later_time(&self, one: &Passage, other: &Passage) -> bool {
        if self.is_secondary(one) {
            return false;
        }
        let times = || Some((time(one)?, time(other)?));
        self.is_superseded(other)
            || (self.leaves_time_open() && times().is_some_and(|(own, others)| own.is_after(others, self.of_present)))
    }

    /// Whether one sentence of a document holds what another one, further up or down, held before it: both stand in entries in their time, such as those of
    /// a changelog. Who asks for what is so asks for the last one.
    pub(crate) fn is_of_later_entry(&self, one: (&Passage, &Range<usize>), other: (&Passage, &Range<usize>)) -> bool {
        let (passage, before) = (one.0, other.0);
        // An identifier (`Node.js`) names no time.
        let names_time = || self.designations.iter().chain(&self.telling).any(|one| one.is_time() || one.is_version());
        let leaves_time_open = !self.of_changes && !names_time();
        let is_one_log =
            self.of_state && leaves_time_open && passage.path == before.path && passage.root == before.root;
        if !is_one_log || self.is_tried(passage) {
            return false;
        }
        let of_one_thing = are_of_one_thing(said(one), said(other));
        let time = |(passage, place): (&Passage, &Range<usize>)| {
            let is_entry = passage.is_of_entries() || (of_one_thing && passage.is_dated());
            entry_time(passage, Some(place.start).filter(|_| is_entry))
        };
        time(one).zip(time(other)).is_some_and(|(own, others)| own.is_after(&others))
    }

    /// What a sentence below this heading is worth: where it is asked what is, one on what was is worth less, and the other way round.
    pub(crate) fn worth(&self, sentence: &str, heading: Option<&str>) -> f32 {
        let is_of_another_time =
            (self.of_state && tells_what_was(sentence)) || (self.of_decision && tells_only_what_is(sentence));
        self.sentences.worth(sentence, &[heading]) * if is_of_another_time { WAS } else { 1.0 }
    }

    /// Whoever asks for a year or a version knows which one.
    fn leaves_time_open(&self) -> bool {
        !self.of_changes && self.designations.is_empty() && self.telling.is_empty()
    }
}

/// The headings above a passage but for the title of its document, which may be another in each edition.
fn below_title(passage: &Passage) -> &[String] {
    match passage.headings.split_first() {
        Some((first, rest)) if *first == passage.title => rest,
        _ => &passage.headings,
    }
}

fn said<'p>((passage, place): (&'p Passage, &Range<usize>)) -> &'p str {
    passage.text.get(place.clone()).unwrap_or_default()
}

/// The time of the entry that a place of a passage stands in: where entries follow in their time, that of its line, else that of a heading.
fn entry_time(passage: &Passage, place: Option<usize>) -> Option<EntryTime> {
    let of_line = || place.and_then(|place| EntryTime::at(&passage.text, place));
    let headings = passage.headings.iter().rev().map(String::as_str);
    // Elsewhere the number of a heading is that of a section.
    let of_releases =
        is_changelog(&passage.path) || passage.headings.iter().any(|heading| is_heading_of_releases(heading));
    of_line().or_else(|| EntryTime::of_headings(headings, of_releases))
}

fn time(passage: &Passage) -> Option<Time> {
    let above = passage.headings.iter().rev().map(String::as_str);
    Time::of(above.chain([passage.title.as_str(), passage.path.as_str()]))
}
