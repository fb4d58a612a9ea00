//! Pages that are one page in several versions: where the latest is asked for, the newest stands for all.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::core::base::rows::is_listed;
use crate::core::language::words::words;

/// Words by which a question asks for what holds now.
const LATEST: &str = "latest newest current currently recent nowadays today aktuell aktuelle aktuellen neueste \
     neuesten derzeit actuel actuelle dernière récent actual última último attuale последняя текущая 最新";

/// Whether a question asks for the latest.
pub(super) fn asked_for(question: &str) -> bool {
    words(question).any(|word| is_listed(LATEST, &word)) || question.contains("最新")
}

/// A version in an address: `v2`, `3.11`, or a name that means the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Version {
    Numbers(Vec<u32>),
    Newest,
}

impl Version {
    fn read(segment: &str) -> Option<Self> {
        if matches!(segment, "latest" | "stable" | "current") {
            return Some(Self::Newest);
        }
        let bare = segment.strip_prefix(['v', 'V']).unwrap_or(segment);
        // A number alone counts issues, pages and years.
        if bare.len() == segment.len() && !bare.contains('.') {
            return None;
        }
        let numbers: Option<Vec<u32>> = bare.split('.').map(|part| part.parse().ok()).collect();
        numbers.map(Self::Numbers)
    }

    fn is_older_than(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Numbers(own), Self::Numbers(other)) => own.cmp(other) == Ordering::Less,
            (Self::Numbers(_), Self::Newest) => true,
            (Self::Newest, _) => false,
        }
    }
}

/// An address without its version, and the version.
fn family(location: &str) -> Option<(String, Version)> {
    let (scheme, rest) = location.split_once("://")?;
    let mut segments: Vec<&str> = rest.split('/').collect();
    let at = (1..segments.len()).find(|at| segments.get(*at).copied().and_then(Version::read).is_some())?;
    let version = segments.get(at).copied().and_then(Version::read)?;
    *segments.get_mut(at)? = "";
    Some((format!("{scheme}://{}", segments.join("/")), version))
}

/// Those of some addresses of which there is a newer version among them.
pub(super) fn outdated<'a>(locations: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let mut families: BTreeMap<String, Vec<(Version, &str)>> = BTreeMap::new();
    for location in locations {
        if let Some((key, version)) = family(location) {
            families.entry(key).or_default().push((version, location));
        }
    }
    let older = |family: &Vec<(Version, &'a str)>| -> Vec<String> {
        let mut newest: Option<&Version> = None;
        for (version, _) in family {
            newest = newest.filter(|newest| !newest.is_older_than(version)).or(Some(version));
        }
        let is_older = |(version, _): &&(Version, &str)| newest.is_some_and(|newest| version.is_older_than(newest));
        family.iter().filter(is_older).map(|(_, location)| (*location).to_owned()).collect()
    };
    families.values().flat_map(older).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ST-02: the newest version wins when the latest is asked for.
    #[test]
    fn older_versions_of_a_page_are_known() {
        let all = [
            "https://a.test/docs/3.9/setup",
            "https://a.test/docs/3.11/setup",
            "https://a.test/docs/3.11/other",
            "https://b.test/v1/api",
            "https://b.test/v2/api",
            "https://c.test/1.4/x",
            "https://c.test/stable/x",
            "https://d.test/issues/12",
            "https://d.test/issues/13",
            "notes/1.2/x.md",
        ];
        let want = ["https://a.test/docs/3.9/setup", "https://b.test/v1/api", "https://c.test/1.4/x"];
        assert_eq!(outdated(all.into_iter()), want.map(str::to_owned).into());
        for (question, want) in [
            ("What is the latest release of Lark?", true),
            ("Wie ist die aktuelle Fassung?", true),
            ("Lark 的最新版本是什么？", true),
            ("How was Lark 1.2 installed?", false),
        ] {
            assert_eq!(asked_for(question), want, "{question}");
        }
    }
}
