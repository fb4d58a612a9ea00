//! The sources of a report that a model wrote, under the numbers that its text cites.
//!
//! What `[2]` means is said by the report's own list, not by the order in which pages were visited. A number that nothing explains stays
//! without a source: a wrong page behind it would be worse.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::base::limits;
use crate::core::evidence::reading::{address_key, own_list, read};
use crate::core::report::Source;

/// What is known of a report's sources beside its text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<'k> {
    /// Pages that were really found or read, in the order of their first sight.
    pub(crate) visited: &'k [String],
    /// Pages that the model was shown by number, from 1.
    pub(crate) shown: &'k [String],
    /// Pages that the model says it has visited.
    pub(crate) said: &'k [String],
}

/// The sources by number: those that the text cites by their own numbers, then what else it links to, then what else was visited.
pub(crate) fn bind(report: &str, known: &Known<'_>) -> Vec<Source> {
    let visited: BTreeMap<String, &String> =
        known.visited.iter().map(|place| (address_key(place), place)).rev().collect();
    let reading = read(report, &[]);
    let number = |label: &Option<String>| label.as_ref()?.parse::<u32>().ok();
    let cited: BTreeSet<u32> = reading.sources.iter().filter_map(|source| number(&source.label)).collect();

    let mut bound: BTreeMap<u32, Source> = BTreeMap::new();
    let add = |bound: &mut BTreeMap<u32, Source>, number: u32, url: Option<&str>, title: Option<&str>| {
        let visited = url.and_then(|url| visited.get(&address_key(url)).copied());
        let Some(location) = visited.map(String::as_str).or(url).or(title) else { return };
        if bound.len() < limits::LISTED {
            let title = title.unwrap_or(location).chars().take(limits::LABEL_CHARS).collect();
            let source = Source { claimed: visited.is_none(), ..Source::link(number, title, location.to_owned()) };
            bound.entry(number).or_insert(source);
        }
    };
    let list = own_list(report).map(|list| list.entries).unwrap_or_default();
    for entry in &list {
        if let Some(number) = entry.number {
            add(&mut bound, number, entry.url.as_deref(), entry.title.as_deref());
        }
    }
    for source in &reading.sources {
        if let (Some(number), Some(url)) = (number(&source.label), &source.url) {
            add(&mut bound, number, Some(url), source.title.as_deref());
        }
    }
    if list.is_empty() {
        for (number, place) in (1..).zip(known.shown) {
            add(&mut bound, number, Some(place), None);
        }
    }
    let mut present: BTreeSet<String> = bound.values().map(|source| address_key(&source.location)).collect();
    let linked = reading.sources.iter().filter(|source| number(&source.label).is_none());
    let linked = linked.filter_map(|source| Some((source.url.as_deref()?, source.title.as_deref())));
    let others = known.visited.iter().chain(known.said).map(|place| (place.as_str(), None));
    let mut free = 1 + bound.keys().next_back().copied().unwrap_or(0);
    for (place, title) in linked.chain(others) {
        if present.insert(address_key(place)) {
            while cited.contains(&free) {
                free = free.saturating_add(1);
            }
            add(&mut bound, free, Some(place), title);
            free = free.saturating_add(1);
        }
    }
    bound.into_values().collect()
}

/// Of these sources, those that stand in the text of a report.
pub(crate) fn in_text(report: &str, sources: &[Source]) -> Vec<Source> {
    sources.iter().filter(|source| report.contains(&source.location)).cloned().collect()
}

/// The sentence about sources that the model only names.
pub(crate) fn note_on_claimed(sources: &[Source]) -> Option<String> {
    let claimed = sources.iter().filter(|source| source.claimed);
    let claimed: Vec<String> = claimed.map(|source| format!("[{}]", source.number)).collect();
    let (verb, whom) = if claimed.len() == 1 { ("is", "it") } else { ("are", "them") };
    let named: Vec<String> = claimed.iter().take(NAMED).cloned().collect();
    let more = claimed.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!claimed.is_empty()).then(|| {
        format!("{}{more} {verb} named by the model alone; nothing shows that it visited {whom}.", named.join(", "))
    })
}

/// The sources that the sentence names one by one.
const NAMED: usize = 10;
