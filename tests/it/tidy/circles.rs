//! Circles: files that use each other in a ring. Such a ring is one file in several places; a small one may be a
//! type and its reader, a large one is a knot that nobody can read a part of.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// The most files of `core` that may stand in one ring.
pub(super) const LARGEST: usize = 3;

/// The rings of files of `core` that are larger than [`LARGEST`], each as its modules in order. Test code may use anything.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let modules: BTreeMap<String, BTreeSet<String>> = arrows(sources);
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        modules.keys().map(|from| (from.as_str(), reached(from, &modules))).collect();
    let both = |a: &str, b: &str| {
        reach.get(a).is_some_and(|all| all.contains(b)) && reach.get(b).is_some_and(|all| all.contains(a))
    };
    let rings: BTreeSet<Vec<&str>> = modules
        .keys()
        .map(|one| modules.keys().map(String::as_str).filter(|other| both(one, other)).collect::<Vec<_>>())
        .filter(|ring| ring.len() > LARGEST)
        .collect();
    rings
        .into_iter()
        .map(|ring| format!("{} files use each other in a ring: {}", ring.len(), ring.join(", ")))
        .collect()
}

/// Which file of `core` names something of which other one, by their modules.
fn arrows(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let of_core = |source: &&Source| {
        source.module.as_ref().is_some_and(|module| module.first().is_some_and(|wing| wing == "core"))
    };
    let name = |module: &[String]| module.join("::");
    let known: BTreeSet<String> =
        sources.iter().filter(of_core).filter_map(|source| source.module.as_deref().map(name)).collect();
    let target = |path: &[String]| {
        let inside = path.strip_prefix(&["crate".to_owned()])?;
        (1..=inside.len()).rev().map(|length| name(&inside[..length])).find(|module| known.contains(module))
    };
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources.iter().filter(of_core) {
        let Some(own) = source.module.as_deref().map(name) else { continue };
        let used = source.paths.iter().filter(|path| !path.test).filter_map(|path| target(&path.name));
        // A folder's own file hands on what stands below it: naming that is no arrow from the folder to its part.
        let used = used.filter(|used| *used != own && !used.starts_with(&format!("{own}::")));
        arrows.entry(own.clone()).or_default().extend(used);
    }
    arrows
}

fn reached<'a>(from: &str, arrows: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut waiting: Vec<&str> = arrows.get(from).into_iter().flatten().map(String::as_str).collect();
    while let Some(next) = waiting.pop() {
        if seen.insert(next) {
            waiting.extend(arrows.get(next).into_iter().flatten().map(String::as_str));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::super::source::read;
    use super::*;

    fn ring(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files.iter().map(|(path, text)| read(path, text).unwrap()).collect();
        check(&sources)
    }

    #[test]
    fn a_large_ring_is_found_and_a_small_one_passes() {
        let files = [
            ("src/core/text/a.rs", "use crate::core::text::b::B;"),
            ("src/core/text/b.rs", "use super::c::C;"),
            ("src/core/text/c.rs", "fn f() { crate::core::text::d::go() }"),
            ("src/core/text/d.rs", "use super::{a, b};"),
        ];
        let found = ring(&files);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("4 files") && found[0].contains("core::text::c"), "{found:?}");
        assert!(ring(&files[..3]).is_empty(), "without the last there is no ring");
        let tests =
            [files[0], files[1], files[2], ("src/core/text/d.rs", "#[cfg(test)] mod tests { use super::super::a; }")];
        assert!(ring(&tests).is_empty(), "tests may use anything");
    }
}
