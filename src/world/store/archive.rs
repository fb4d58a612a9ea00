//! Archived page text, and the sources and claims that point into it.

use rusqlite::{Connection, OptionalExtension, params};

use super::Store;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::report::Report;
use crate::world::clock;

/// zstd's default level: 3 times smaller, a few milliseconds a megabyte.
const LEVEL: i32 = 3;

impl Store {
    /// Keeps the text of a page. Twice is the same as once.
    pub(crate) async fn archive(&self, page: PageHash, text: String) -> Result<()> {
        if text.len() > limits::PAGE_BYTES {
            return Err(Error::new(
                Code::OutputTooLarge,
                format!("a page of {} bytes is too large to keep", text.len()),
            ));
        }
        let packed = zstd::bulk::compress(text.as_bytes(), LEVEL)
            .map_err(|error| Error::new(Code::Internal, format!("a page cannot be compressed: {error}")))?;
        self.write(move |connection| {
            connection.execute(
                "INSERT INTO pages (hash, bytes, text_zstd, archived_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
                params![page.0, i64::try_from(text.len()).unwrap_or(i64::MAX), packed, clock::now_ms()],
            )?;
            Ok(())
        })
        .await
    }

    /// The archived text of a page.
    pub(crate) async fn page(&self, page: PageHash) -> Result<Option<String>> {
        self.read(move |connection| {
            let row = connection
                .query_row("SELECT bytes, text_zstd FROM pages WHERE hash = ?1", [page.0], |row| {
                    Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
                })
                .optional()?;
            let Some((bytes, packed)) = row else { return Ok(None) };
            let damaged = || Error::new(Code::StoreCorrupt, "an archived page cannot be unpacked");
            let bytes = usize::try_from(bytes).unwrap_or(0).min(limits::PAGE_BYTES);
            let text = zstd::bulk::decompress(&packed, bytes).map_err(|_| damaged())?;
            String::from_utf8(text).map(Some).map_err(|_| damaged())
        })
        .await
    }
}

pub(super) fn write_ledger(connection: &Connection, id: TaskId, report: &Report) -> Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO sources (task_id, number, title, location, line_first, line_last, page)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT hash FROM pages WHERE hash = ?7))",
    )?;
    for source in &report.sources {
        insert.execute(params![
            id.to_string(),
            source.number,
            source.title,
            source.location,
            source.lines.map(|lines| lines.first),
            source.lines.map(|lines| lines.last),
            source.page.as_ref().map(|page| &page.0)
        ])?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO claims (task_id, no, text, source, verdict, span_start, span_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (no, claim) in report.claims.iter().enumerate() {
        insert.execute(params![
            id.to_string(),
            i64::try_from(no).unwrap_or(i64::MAX),
            claim.text,
            claim.source,
            claim.verdict.name(),
            claim.span.map(|span| i64::try_from(span.start).unwrap_or(i64::MAX)),
            claim.span.map(|span| i64::try_from(span.end).unwrap_or(i64::MAX))
        ])?;
    }
    Ok(())
}
