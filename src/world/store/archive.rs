//! Archived page text, and the sources that point into it.

use rusqlite::{Connection, params};

use super::Store;
use super::texts::{self, Text};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::report::Report;
use crate::core::text::spans::Unit;

/// The archive, as one task uses it.
#[derive(Clone, Debug)]
pub(crate) struct Archive {
    store: Store,
    task: TaskId,
}

impl Archive {
    /// Keeps the text of a page for the task. Twice is the same as once.
    pub(crate) async fn keep(&self, page: PageHash, text: String) -> Result<()> {
        if text.len() > limits::PAGE_BYTES {
            return Err(Error::new(
                Code::OutputTooLarge,
                format!("a page of {} bytes is too large to keep", text.len()),
            ));
        }
        let (task, text) = (self.task.to_string(), Text::new(page.0, &text)?);
        self.store.write(move |connection| texts::keep(connection, &task, &[text])).await
    }
}

impl Store {
    pub(crate) fn archive(&self, task: TaskId) -> Archive {
        Archive { store: self.clone(), task }
    }

    /// The archived text of a page.
    pub(crate) async fn page(&self, page: PageHash) -> Result<Option<String>> {
        self.read(move |connection| texts::read(connection, &page.0)).await
    }
}

pub(super) fn write_sources(connection: &Connection, id: TaskId, report: &Report) -> Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO sources (task_id, number, title, location, line_first, line_last, page)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT hash FROM pages WHERE hash = ?7))",
    )?;
    for source in &report.sources {
        let lines = source.lines.as_ref().filter(|place| place.unit == Unit::Line);
        insert.execute(params![
            id.to_string(),
            source.number,
            source.title,
            source.location,
            lines.map(|lines| lines.first),
            lines.map(|lines| lines.last),
            source.page.as_ref().map(|page| &page.0)
        ])?;
    }
    Ok(())
}
