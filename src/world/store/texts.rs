//! Long texts are stored once, under their hash, and not in every row that has them: page texts, prompts, answers.
//!
//! A row's JSON has `{"$text": hash}` where a long string stood; no stored type has a field of that name, and strings are not looked
//! into. Reading puts the very same string back, so a replay sees what was written. JSON without such places, as earlier
//! versions wrote it, is read as it is.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension, params};

use super::tasks::signed;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::world::clock;
use crate::world::library::page_hash;

/// zstd's default level: 3 times smaller, a few milliseconds a megabyte.
const LEVEL: i32 = 3;
const KEY: &str = "\"$text\"";

/// A text on its way into the store.
#[derive(Debug)]
pub(super) struct Text {
    hash: String,
    bytes: usize,
    packed: Vec<u8>,
}

impl Text {
    pub(super) fn new(hash: String, text: &str) -> Result<Self> {
        Ok(Self { hash, bytes: text.len(), packed: compress(text)? })
    }
}

/// JSON without its long texts, and those.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) json: String,
    pub(super) texts: Vec<Text>,
}

/// Takes the long strings out of JSON that serde has written.
pub(super) fn pack(json: String) -> Result<Packed> {
    if json.len() < limits::STORE_TEXT_BYTES {
        return Ok(Packed { json, texts: Vec::new() });
    }
    let (mut short, mut texts, mut done) = (String::new(), Vec::new(), 0);
    for place in strings(&json) {
        let is_key = piece(&json, place.end..json.len()).starts_with(':');
        if is_key || !(limits::STORE_TEXT_BYTES..limits::PAGE_BYTES).contains(&place.len()) {
            continue;
        }
        let text: String = super::tasks::from_json(piece(&json, place.clone()))?;
        let hash = page_hash(&text).0;
        short.push_str(piece(&json, done..place.start));
        short.push_str(&format!("{{{KEY}:\"{hash}\"}}"));
        done = place.end;
        texts.push(Text::new(hash, &text)?);
    }
    short.push_str(piece(&json, done..json.len()));
    Ok(Packed { json: short, texts })
}

/// Puts the long strings back.
pub(super) fn unpack(connection: &Connection, json: String) -> Result<String> {
    let gone = |hash: &str| Error::new(Code::StoreCorrupt, format!("the text `{hash}` of a row is gone"));
    unpack_with(json, |hash| read(connection, hash)?.ok_or_else(|| gone(hash)))
}

/// Puts those long strings back that are still there; the others are empty.
pub(super) fn unpack_what_is_left(connection: &Connection, json: String) -> Result<String> {
    unpack_with(json, |hash| Ok(read(connection, hash)?.unwrap_or_default()))
}

fn unpack_with(json: String, text_of: impl Fn(&str) -> Result<String>) -> Result<String> {
    if !json.contains(KEY) {
        return Ok(json);
    }
    let (mut whole, mut done) = (String::new(), 0);
    let mut places = strings(&json);
    while let Some(key) = places.next() {
        let is_place = piece(&json, key.clone()) == KEY
            && piece(&json, 0..key.start).ends_with('{')
            && piece(&json, key.end..json.len()).starts_with(":\"");
        let Some(name) = is_place.then(|| places.next()).flatten() else { continue };
        let text = text_of(piece(&json, name.start + 1..name.end - 1))?;
        whole.push_str(piece(&json, done..key.start - 1));
        whole.push_str(&super::tasks::json(&text)?);
        done = name.end + 1;
    }
    whole.push_str(piece(&json, done..json.len()));
    Ok(whole)
}

/// The places of the strings in JSON, with their quotes.
fn strings(json: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = json.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(|byte| *byte == b'"')?;
        let mut end = start + 1;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        at = end + 1;
        Some(start..at)
    })
}

/// A part of JSON that begins and ends at a quote or at an end of it, so never inside of a character.
fn piece(json: &str, place: Range<usize>) -> &str {
    json.get(place).unwrap_or_default()
}

/// Keeps texts for a task. What is there already is not written again.
pub(super) fn keep(connection: &Connection, task: &str, texts: &[Text]) -> Result<()> {
    for Text { hash, bytes, packed } in texts {
        connection
            .prepare_cached(
                "INSERT INTO pages (hash, bytes, text_zstd, archived_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            )?
            .execute(params![hash, signed(*bytes as u64), packed, clock::now_ms()])?;
        connection
            .prepare_cached("INSERT INTO text_uses (task_id, hash) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
            .execute([task, hash])?;
    }
    Ok(())
}

/// Has a task use pages that are archived: they stay when the task that they were archived for is deleted.
pub(super) fn use_pages(connection: &Connection, task: &str, pages: &[PageHash]) -> Result<()> {
    for page in pages {
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO text_uses (task_id, hash) SELECT ?1, hash FROM pages WHERE hash = ?2",
            )?
            .execute([task, &page.0])?;
    }
    Ok(())
}

/// Lets go of the texts that a task used while it ran; those that nobody else uses and no source names are taken away.
pub(super) fn let_go(connection: &Connection, task: &str) -> Result<()> {
    let mut uses = connection.prepare_cached("DELETE FROM text_uses WHERE task_id = ?1 RETURNING hash")?;
    let hashes: Vec<String> = uses.query_map([task], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    remove_unused(connection, &hashes)
}

/// Takes those of the texts away that no task uses.
pub(super) fn remove_unused(connection: &Connection, hashes: &[String]) -> Result<()> {
    let mut remove = connection.prepare_cached(
        "DELETE FROM pages WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM text_uses WHERE text_uses.hash = pages.hash)
             AND NOT EXISTS (SELECT 1 FROM sources WHERE sources.page = pages.hash)",
    )?;
    for hash in hashes {
        remove.execute([hash])?;
    }
    Ok(())
}

/// Finds out which texts the tasks that run use: those that their rows name.
pub(super) fn find_uses(connection: &Connection) -> rusqlite::Result<()> {
    for column in ["spec_json", "body_json", "outcome_json"] {
        connection.execute_batch(&format!(
            "INSERT OR IGNORE INTO text_uses
             SELECT task_id, named.value FROM research_tasks LEFT JOIN effects USING (task_id),
                    json_tree(CASE WHEN json_valid({column}) THEN {column} ELSE 'null' END) AS named
              WHERE status IN ('pending', 'running') AND named.type = 'text'
                    AND named.value IN (SELECT hash FROM pages)"
        ))?;
    }
    Ok(())
}

/// The text of a hash.
pub(super) fn read(connection: &Connection, hash: &str) -> Result<Option<String>> {
    let row = connection
        .prepare_cached("SELECT bytes, text_zstd FROM pages WHERE hash = ?1")?
        .query_row([hash], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))
        .optional()?;
    row.map(|(bytes, packed)| decompress(bytes, &packed)).transpose()
}

pub(super) fn compress(text: &str) -> Result<Vec<u8>> {
    zstd::bulk::compress(text.as_bytes(), LEVEL)
        .map_err(|error| Error::new(Code::Internal, format!("a text cannot be compressed: {error}")))
}

pub(super) fn decompress(bytes: i64, packed: &[u8]) -> Result<String> {
    let damaged = || Error::new(Code::StoreCorrupt, "an archived text cannot be unpacked");
    let bytes = usize::try_from(bytes).unwrap_or(0).min(limits::PAGE_BYTES);
    let text = zstd::bulk::decompress(packed, bytes).map_err(|_| damaged())?;
    String::from_utf8(text).map_err(|_| damaged())
}

#[cfg(test)]
#[path = "texts_tests.rs"]
mod tests;
