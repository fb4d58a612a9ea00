//! Reports as resources: `research://tasks/{task_id}/report`, whole, `…/report/{section}`, and the verdicts on its claims, `…/evidence`.

use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::text::neutral::{KnownAddresses, neutral};
use crate::core::text::paging;
use crate::surface::verbs::App;
use crate::surface::wire::{ListArgs, excerpt, resource};

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";

/// The newest finished reports.
pub(super) async fn list(app: &App) -> Result<ListResourcesResult> {
    let tasks =
        app.list(ListArgs { status: Some("completed".to_owned()), limit: Some(limits::RESOURCES_LISTED) }).await?;
    let resources = tasks.tasks.iter().map(|task| {
        let name = excerpt(&task.query, limits::ECHO_CHARS);
        Resource::new(resource(&task.task_id), name).with_mime_type(MARKDOWN)
    });
    Ok(ListResourcesResult::with_all_items(resources.collect()))
}

pub(super) fn templates() -> ListResourceTemplatesResult {
    let template = |uri: &str, name: &str, description: &str| {
        ResourceTemplate::new(uri, name).with_description(description).with_mime_type(MARKDOWN)
    };
    ListResourceTemplatesResult::with_all_items(vec![
        template("research://tasks/{task_id}/report", "report", "The whole report of a task"),
        template("research://tasks/{task_id}/report/{section}", "section", "One section, by its number from 1"),
        template("research://tasks/{task_id}/evidence", "evidence", "The verdict on every claim, with its passage")
            .with_mime_type(JSON),
    ])
}

pub(super) async fn read(app: &App, uri: &str) -> Result<ReadResourceResult> {
    let unknown = || {
        Error::new(Code::InvalidArgument, format!("there is no resource `{}`", excerpt(uri, limits::ECHO_CHARS)))
            .hint("resources/templates/list has the forms")
    };
    let rest = uri.strip_prefix("research://tasks/").ok_or_else(unknown)?;
    if let Some(id) = rest.strip_suffix("/evidence") {
        let evidence = app.evidence(TaskId::parse(id)?, limits::CHECK_ROWS).await?;
        let text = serde_json::to_string(&evidence)
            .map_err(|fault| Error::new(Code::Internal, format!("the evidence could not be written: {fault}")))?;
        return Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]));
    }
    let (id, part) = rest.split_once("/report").ok_or_else(unknown)?;
    let reply = app.results(id, true).await?;
    let text = match part.strip_prefix('/') {
        None if part.is_empty() => {
            // The lists around the report hold foreign words too.
            let sources = reply
                .sources
                .iter()
                .flatten()
                .filter(|source| source.claimed.is_none())
                .map(|source| source.location.as_str());
            neutral(&reply.markdown(), &KnownAddresses::new(sources))
        }
        Some(section) => paging::section(&reply.report, section).ok_or_else(unknown)?.to_owned(),
        None => return Err(unknown()),
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(MARKDOWN)]))
}
