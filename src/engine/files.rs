//! Saving a report as a file.

use std::path::{Path, PathBuf};

use super::Engine;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::evidence::passage::PageHash;
use crate::core::saved::file_name::{self, FileForm, FileName, Parts};
use crate::core::saved::html;
use crate::world::{blocking, clock, files, templates};

/// Which report to save, and where.
#[derive(Clone, Debug)]
pub(crate) struct SaveRequest {
    pub(crate) task: TaskId,
    pub(crate) dir: PathBuf,
    /// Taken when `dir` may not be written.
    pub(crate) fallback: Option<PathBuf>,
    pub(crate) prefix: String,
    pub(crate) form: FileForm,
    pub(crate) parts: Parts,
}

/// A saved report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) path: PathBuf,
    pub(crate) bytes: usize,
    /// Milliseconds since 1970.
    pub(crate) created_ms: i64,
}

impl Engine {
    /// Writes the report of a finished task, or what a stopped one had, to a new file.
    pub(crate) async fn save_file(&self, request: SaveRequest) -> Result<Saved> {
        let created_ms = clock::now_ms();
        let name = file_name::file_name(&request.prefix, request.task, request.form, created_ms)?;
        let (task, ending) = self.ending(request.task).await?;
        let Some(ending) = ending else {
            return Err(task.still_runs());
        };
        let Some(report) = ending.report() else {
            let message = format!("the task `{}` has {} and left no report", task.id, task.status.name());
            return Err(Error::new(Code::ResultNotFound, message));
        };
        let (report, parts, config_dir) = (report.clone(), request.parts, self.inner.settings.config_dir.clone());
        let pages = match request.form {
            FileForm::Markdown => html::Pages::new(),
            FileForm::Html => self.archived(html::pages_shown(&report)).await?,
        };
        let write = move || {
            let text = match request.form {
                FileForm::Markdown => templates::load(&config_dir)?.render(&task, &report, parts)?,
                FileForm::Html => html::render(&task, &report, &pages, parts)?,
            };
            let path = write(&request.dir, request.fallback.as_deref(), &name, &text)?;
            Ok((path, text.len()))
        };
        let (path, bytes) = blocking("saving the report", write).await?;
        Ok(Saved { path, bytes, created_ms })
    }

    /// The texts of these pages, as far as the archive has them.
    pub(crate) async fn archived(&self, hashes: impl IntoIterator<Item = PageHash>) -> Result<html::Pages> {
        let store = &self.inner.open().await?.store;
        let mut pages = html::Pages::new();
        for hash in hashes {
            if let Some(text) = store.page(hash.clone()).await? {
                pages.insert(hash, text);
            }
        }
        Ok(pages)
    }
}

fn write(dir: &Path, fallback: Option<&Path>, name: &FileName, text: &str) -> Result<PathBuf> {
    match (files::write_new(dir, name, text), fallback) {
        (Err(error), Some(fallback)) if error.code == Code::PermissionDenied => files::write_new(fallback, name, text),
        (written, _) => written,
    }
}
