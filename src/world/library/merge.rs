//! Making one segment of several, so that a search looks into few, and so that what left the index leaves the disk.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, Rows, Statement, TransactionBehavior};

use super::fault::Fault;
use super::index::{Chunk, Segment, connect, dead_chunks, malformed};
use super::postings::{List, PerField, read};
use super::writer::{INSERT_LIST, insert_list, insert_segment};

/// As many segments of about one size become one, so that each passage is written again only a few times.
const ALIKE: usize = 8;
/// When more of the passages are dead than this, in percent, all segments are written anew.
const DEAD_PERCENT: u64 = 30;

/// Merges until nothing is due. Each merge is a transaction of its own; what was committed before is kept in any case.
pub(super) fn merge_due(path: &Path, writer: &mut Connection) -> Result<(), Fault> {
    loop {
        let due = due(writer)?;
        if due.is_empty() {
            return Ok(());
        }
        // Read through a connection of its own: a table that is written to disturbs those who read it.
        let reader = connect(path, OpenFlags::empty())?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        merge(&reader, &transaction, &due)?;
        transaction.commit()?;
    }
}

/// The segments that should become one.
fn due(connection: &Connection) -> Result<Vec<i64>, Fault> {
    let mut query = connection.prepare_cached("SELECT id, passages FROM segments ORDER BY id")?;
    let sizes: rusqlite::Result<Vec<(i64, u32)>> = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect();
    let sizes = sizes?;
    let dead: u64 = connection
        .prepare_cached("SELECT coalesce(sum(passages), 0) FROM dead")?
        .query_one([], |row| row.get::<_, i64>(0))?
        .unsigned_abs();
    Ok(choose(&sizes, dead))
}

fn choose(sizes: &[(i64, u32)], dead: u64) -> Vec<i64> {
    let all: u64 = sizes.iter().map(|(_, passages)| u64::from(*passages)).sum();
    if dead * 100 > all * DEAD_PERCENT {
        return sizes.iter().map(|(id, _)| *id).collect();
    }
    let mut alike: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for (id, passages) in sizes {
        alike.entry(passages.max(&1).ilog2() / ALIKE.ilog2()).or_default().push(*id);
    }
    alike.into_values().find(|ids| ids.len() >= ALIKE).unwrap_or_default()
}

/// A segment that goes into another one.
struct Source {
    id: i64,
    /// The new number of each passage; none for one that is dead.
    numbers: Vec<Option<u32>>,
}

fn merge(reader: &Connection, writer: &Connection, ids: &[i64]) -> Result<(), Fault> {
    let dead = dead_chunks(reader)?;
    let (mut chunks, mut lengths): (Vec<Chunk>, Vec<PerField<u16>>) = (Vec::new(), Vec::new());
    let (mut sources, mut forgotten) = (Vec::new(), Vec::new());
    for id in ids {
        let segment = Segment::read(reader, *id)?;
        let mut numbers = vec![None; segment.lengths.len()];
        let ends = segment.chunks.iter().skip(1).map(|chunk| at(chunk.first)).chain([numbers.len()]);
        for (chunk, end) in segment.chunks.iter().zip(ends) {
            if dead.contains(&chunk.id) {
                forgotten.push(chunk.id);
                continue;
            }
            let passages = at(chunk.first)..end;
            chunks.push(Chunk { id: chunk.id, first: number(lengths.len())? });
            for (passage, new) in passages.clone().zip(lengths.len()..) {
                if let Some(place) = numbers.get_mut(passage) {
                    *place = Some(number(new)?);
                }
            }
            lengths.extend_from_slice(segment.lengths.get(passages).unwrap_or_default());
        }
        sources.push(Source { id: *id, numbers });
    }
    if !lengths.is_empty() {
        let id = insert_segment(writer, &Segment::new(0, chunks, lengths))?;
        merge_lists(reader, writer, &sources, id)?;
    }
    for id in ids {
        writer.execute("DELETE FROM postings WHERE segment = ?1", [id])?;
        writer.execute("DELETE FROM segments WHERE id = ?1", [id])?;
    }
    for chunk in forgotten {
        writer.prepare_cached("DELETE FROM dead WHERE chunk = ?1")?.execute([chunk])?;
    }
    writer.execute("DELETE FROM dead WHERE NOT EXISTS (SELECT 1 FROM segments)", [])?;
    Ok(())
}

/// Writes the lists of all terms of `sources` into the segment `id`, term by term in their order.
fn merge_lists(reader: &Connection, writer: &Connection, sources: &[Source], id: i64) -> Result<(), Fault> {
    let query = "SELECT term, data FROM postings WHERE segment = ?1 ORDER BY term";
    let statements: rusqlite::Result<Vec<Statement<'_>>> = sources.iter().map(|_| reader.prepare(query)).collect();
    let mut statements = statements?;
    let mut lists = Vec::with_capacity(sources.len());
    let mut next_terms = BinaryHeap::new();
    for (place, (statement, source)) in statements.iter_mut().zip(sources).enumerate() {
        let mut lines = Lists { rows: statement.query([source.id])?, data: Vec::new() };
        next_terms.extend(lines.next_term()?.map(|term| Reverse((term, place))));
        lists.push((source, lines));
    }
    let mut insert = writer.prepare_cached(INSERT_LIST)?;
    let mut merged: Option<(String, List)> = None;
    while let Some(Reverse((term, place))) = next_terms.pop() {
        let Some((source, lines)) = lists.get_mut(place) else { continue };
        if merged.as_ref().is_none_or(|(known, _)| *known != term) {
            insert_merged(&mut insert, id, merged.take())?;
        }
        let (_, list) = merged.get_or_insert_with(|| (term, List::default()));
        for entry in read(&lines.data) {
            let (passage, counts) = entry.map_err(|_| malformed())?;
            if let Some(Some(number)) = source.numbers.get(at(passage)) {
                list.push(*number, counts);
            }
        }
        next_terms.extend(lines.next_term()?.map(|term| Reverse((term, place))));
    }
    insert_merged(&mut insert, id, merged)
}

fn insert_merged(insert: &mut Statement<'_>, segment: i64, merged: Option<(String, List)>) -> Result<(), Fault> {
    match merged {
        Some((term, mut list)) if !list.is_empty() => insert_list(insert, segment, &term, &mut list),
        Some(_) | None => Ok(()),
    }
}

/// The lists of one segment, read one after the other.
struct Lists<'a> {
    rows: Rows<'a>,
    /// The list of the term that was read last.
    data: Vec<u8>,
}

impl Lists<'_> {
    fn next_term(&mut self) -> Result<Option<String>, Fault> {
        let Some(row) = self.rows.next()? else { return Ok(None) };
        self.data.clear();
        self.data.extend_from_slice(row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?);
        Ok(Some(row.get(0)?))
    }
}

fn at(passage: u32) -> usize {
    usize::try_from(passage).unwrap_or(usize::MAX)
}

fn number(passage: usize) -> Result<u32, Fault> {
    u32::try_from(passage).map_err(|_| Fault::Damaged("there are too many passages".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_of_a_size_are_merged_and_dead_ones_written_anew() {
        let same: Vec<(i64, u32)> = (0..8).map(|id| (id, 64 + 10 * u32::try_from(id).unwrap())).collect();
        let table = [
            (vec![], 0, 0),
            (same.split_last().unwrap().1.to_vec(), 0, 0),
            (same, 0, 8),
            (vec![(1, 70), (2, 5_000), (3, 10), (4, 1), (5, 71), (6, 72), (7, 73), (8, 100_000)], 0, 0),
            (vec![(1, 100)], 30, 0),
            (vec![(1, 100), (9, 5_000)], 1_600, 2),
        ];
        for (sizes, dead, count) in table {
            assert_eq!(choose(&sizes, dead).len(), count, "{sizes:?} {dead}");
        }
    }
}
