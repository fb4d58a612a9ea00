//! The numbers of a report's sources: its own where it has them, free ones for the rest.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::sources::{CheckedSource, NotVisited, SourceState};
use crate::core::base::limits;
use crate::core::base::plain::shortened;
use crate::core::evidence::reading::{self, Annotation, Reading, address_key, read};

/// The sources of a report by number, and the number behind each source of its reading.
pub(super) struct Numbered {
    pub(super) sources: BTreeMap<u32, CheckedSource>,
    /// By place in [`Reading::sources`]; none for what no claim cites.
    pub(super) number_of: Vec<Option<u32>>,
}

/// The sources that the claims of a report cite, by number. `known` are those whose numbers are settled.
pub(crate) fn cited_sources(report: &str, annotations: &[Annotation], known: &[CheckedSource]) -> Vec<CheckedSource> {
    let numbered = number(&read(report, annotations), known);
    let cited: BTreeSet<u32> = numbered.number_of.iter().copied().flatten().collect();
    numbered.sources.into_values().filter(|source| cited.contains(&source.number)).collect()
}

pub(super) fn number(reading: &Reading, known: &[CheckedSource]) -> Numbered {
    let mut sources: BTreeMap<u32, CheckedSource> =
        known.iter().map(|source| (source.number, source.clone())).collect();
    let mut by_address: HashMap<String, u32> = HashMap::new();
    for source in known {
        for address in source.address.iter().chain(&source.final_address) {
            by_address.entry(address_key(address)).or_insert(source.number);
        }
    }
    let cited: BTreeSet<usize> = reading
        .claims
        .iter()
        .flat_map(|claim| &claim.citations)
        .filter_map(|at| reading.citations.get(*at))
        .flat_map(|citation| citation.sources.iter().copied())
        .collect();
    let label = |source: &reading::Source| source.label.as_ref().and_then(|label| label.parse::<u32>().ok());
    // Numbers that are settled mean what they mean, however the text writes their addresses.
    let settled: BTreeSet<u32> = known.iter().map(|source| source.number).collect();
    let taken: BTreeSet<u32> = reading.sources.iter().filter_map(label).chain(settled.iter().copied()).collect();
    let mut free = (1..).filter(|number| !taken.contains(number));
    let mut number_of = vec![None; reading.sources.len()];
    for (at, source) in reading.sources.iter().enumerate().filter(|(at, _)| cited.contains(at)) {
        let key = source.url.as_deref().map(address_key);
        let is_own = |number: &u32| {
            settled.contains(number) || sources.get(number).is_none_or(|known| fits(known, key.as_deref()))
        };
        let own = label(source).filter(is_own);
        let found = own.or_else(|| key.as_ref().and_then(|key| by_address.get(key).copied()));
        let Some(number) = found.or_else(|| free.next()) else { continue };
        if let Some(place) = number_of.get_mut(at) {
            *place = Some(number);
        }
        if sources.len() < limits::EVIDENCE_SOURCES {
            if let Some(key) = key {
                by_address.entry(key).or_insert(number);
            }
            sources.entry(number).or_insert_with(|| new_source(number, source));
        }
    }
    Numbered { sources, number_of }
}

/// Whether a source that has this number can be the one that the report means.
fn fits(known: &CheckedSource, key: Option<&str>) -> bool {
    let mut addresses = known.address.iter().chain(&known.final_address).peekable();
    let Some(key) = key else { return true };
    addresses.peek().is_none() || addresses.any(|address| address_key(address) == key)
}

fn new_source(number: u32, source: &reading::Source) -> CheckedSource {
    let why = if source.url.is_some() { NotVisited::NotAsked } else { NotVisited::NoAddress };
    let short = |text: &String| shortened(text, limits::LABEL_CHARS);
    CheckedSource {
        number,
        label: source.label.as_ref().filter(|label| label.parse() != Ok(number)).map(short),
        address: source.url.clone(),
        title: source.title.as_ref().map(short),
        state: SourceState::NotVisited { why },
        ..CheckedSource::default()
    }
}
