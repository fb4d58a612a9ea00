//! The verb `save`: a report becomes a file.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::app::App;
use super::wire::SaveArgs;
use crate::core::base::dates::rfc3339;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::saved::file_name::{self, FileForm, Parts};
use crate::engine::SaveRequest;

/// The reply of `save`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SaveReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    pub(crate) file_path: String,
    pub(crate) file_size_kb: f64,
    pub(crate) filename: String,
    pub(crate) created_at: String,
}

impl App {
    pub(crate) async fn save(&self, args: SaveArgs) -> Result<SaveReply> {
        self.not_for_guests("writing files")?;
        let task = TaskId::parse(&args.task_id)?;
        let named = args.output_dir.or_else(|| self.settings.reports_dir.clone());
        let (dir, fallback) = file_name::places(named, &self.settings.data_dir);
        let prefix = args.filename_prefix.unwrap_or_else(|| "research".to_owned());
        let parts =
            Parts { metadata: args.include_metadata.unwrap_or(true), sources: args.include_sources.unwrap_or(true) };
        let form = args.format.map_or(FileForm::Markdown, FileForm::from);
        let request = SaveRequest { task, dir, fallback, prefix, form, parts };
        let saved = self.engine.save_file(request).await?;
        let text = |part: Option<&std::ffi::OsStr>| {
            let part = part.map(|part| part.to_string_lossy().into_owned());
            part.ok_or_else(|| Error::new(Code::Internal, "the saved file has no name"))
        };
        #[expect(clippy::cast_precision_loss, reason = "for display; a report is far smaller than 2^53 bytes")]
        let kilobytes = saved.bytes as f64 / 1024.0;
        Ok(SaveReply {
            success: true,
            task_id: task.to_string(),
            file_path: text(Some(saved.path.as_os_str()))?,
            file_size_kb: (kilobytes * 10.0).round() / 10.0,
            filename: text(saved.path.file_name())?,
            created_at: rfc3339(saved.created_ms),
        })
    }
}

impl SaveReply {
    pub(crate) fn markdown(&self) -> String {
        format!("{}\n", self.file_path)
    }
}
