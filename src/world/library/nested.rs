//! Roots inside of other roots: what both of them read is indexed, searched and cited once, by the outer one.
//!
//! A root is never given up for that: as soon as the outer one is removed, or leaves out something of it, it is one of its own again.

use std::path::Path;

use super::roots::{Marker, Target};
use super::{Root, scan};
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::evidence::passage::Passage;
use crate::core::evidence::place::location;

/// A root that lies so deep in another one may have folders that are deeper than is read from there.
const DEEPEST: usize = limits::LIBRARY_DEPTH / 2;

/// The outermost of these roots that reads all that a root reads, if another one does.
pub(super) fn covering<'m>(inner: &Marker, roots: &'m [Marker]) -> Option<&'m Marker> {
    roots.iter().filter(|outer| covers(outer, inner)).min_by_key(|outer| outer.path.len())
}

/// A root as it is told, with the registered ones around it and in it, by what is mounted at the moment.
pub(super) fn told(root: &Marker, registered: &[Marker], mounted: Option<&[u8]>) -> Root {
    let within = covering(root, registered).map(|outer| outer.path.clone());
    let is_covered = |other: &&Marker| covers(root, other);
    let covers = registered.iter().filter(is_covered).map(|inner| inner.path.clone()).collect();
    Root { within, covers, ..root.root(mounted) }
}

/// Whether a root plainly reads all that one inside of it does; what cannot be told without reading every list of what is left out counts as no.
fn covers(outer: &Marker, inner: &Marker) -> bool {
    let below = Path::new(&inner.path).strip_prefix(&outer.path).map(|below| below.components().count());
    let is_inside = below.is_ok_and(|depth| (1..=DEEPEST).contains(&depth));
    let is_left_out_there = |pattern: &String| !pattern.contains('/') && inner.choice.exclude.contains(pattern);
    let is_whole = outer.indexed_ms > 0 && outer.files < u64::try_from(limits::LIBRARY_FILES).unwrap_or(u64::MAX);
    is_inside
        && is_whole
        && (outer.choice.hidden || !inner.choice.hidden)
        && outer.choice.exclude.iter().all(is_left_out_there)
        && Path::new(&inner.path).is_dir()
        && Target::resolve(Path::new(&outer.path))
            .is_ok_and(|target| scan::reads_folder(&target, &outer.choice, Path::new(&inner.path)))
}

/// Has passages of a file that lies in several of these roots come from the outermost one, so that the file is one source.
pub(super) fn in_outermost<'r>(passages: &mut [Passage], roots: impl Iterator<Item = &'r str> + Clone) {
    let has_another = |outer: &&str| roots.clone().any(|root| root != *outer && Path::new(root).starts_with(outer));
    // Of a folder that is not there, each root has what was indexed of it.
    let mut outers: Vec<&str> = roots.clone().filter(has_another).filter(|outer| Path::new(outer).is_dir()).collect();
    sort_by_key(&mut outers, |outer| outer.len());
    for passage in passages {
        let is_around = |outer: &&&str| passage.root != **outer && Path::new(&passage.root).starts_with(outer);
        let Some(outer) = outers.iter().find(is_around) else { continue };
        let file = location(&passage.root, &passage.path);
        if let Some(below) = file.strip_prefix(outer.trim_end_matches('/')).and_then(|below| below.strip_prefix('/')) {
            (passage.root, passage.path) = ((*outer).to_owned(), below.to_owned());
        }
    }
}
