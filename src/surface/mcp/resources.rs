//! Tasks as resources: `research://tasks/{task_id}/report`, whole, `…/report/{section}`, what it cites, `…/sources`, the verdicts on its claims,
//! `…/evidence`, and how it came about, `…/journal`.

use std::time::Duration;

use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ListResourceTemplatesResult, ListResourcesResult,
    ReadResourceResult, Reference, Resource, ResourceContents, ResourceTemplate,
};

use serde::Serialize;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::task::Status;
use crate::core::text::neutral::{KnownAddresses, neutral};
use crate::core::text::paging;
use crate::engine::ListFilter;
use crate::surface::verbs::App;
use crate::surface::wire::{ListArgs, ResearchReply, ResultsReply, excerpt, resource};

/// How the address of everything about tasks begins.
const TASKS: &str = "research://tasks/";
const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";

/// Finished reports, newest first, a page at a time. A page begins behind a report and not at a number: what is finished or deleted meanwhile moves
/// nothing.
pub(super) async fn list(app: &App, cursor: Option<&str>) -> Result<ListResourcesResult> {
    let after = cursor.map(|cursor| placed(cursor).ok_or_else(|| no_such_page(cursor))).transpose()?;
    let limit = limits::RESOURCES_LISTED;
    let filter = ListFilter { status: Some(Status::Completed), limit: Some(limit), after };
    let tasks = app.engine.list(filter).await?;
    let resources = tasks.iter().map(|task| {
        let name = excerpt(&task.query, limits::ECHO_CHARS);
        Resource::new(resource(&task.id.to_string()), name).with_mime_type(MARKDOWN)
    });
    let mut page = ListResourcesResult::with_all_items(resources.collect());
    let is_full = u32::try_from(tasks.len()).is_ok_and(|listed| listed == limit);
    page.next_cursor = tasks.last().filter(|_| is_full).map(|last| format!("{}.{}", last.created_ms, last.id));
    Ok(page)
}

/// The report that a page begins behind.
fn placed(cursor: &str) -> Option<(i64, TaskId)> {
    let (created_ms, id) = cursor.split_once('.')?;
    Some((created_ms.parse().ok()?, TaskId::parse(id).ok()?))
}

fn no_such_page(cursor: &str) -> Error {
    Error::new(Code::InvalidArgument, format!("there is no page `{}`", excerpt(cursor, limits::ECHO_CHARS)))
        .hint("resources/list without a cursor begins with the newest report")
}

pub(super) fn templates() -> ListResourceTemplatesResult {
    let template = |uri: &str, name: &str, description: &str| {
        ResourceTemplate::new(uri, name).with_description(description).with_mime_type(MARKDOWN)
    };
    ListResourceTemplatesResult::with_all_items(vec![
        template("research://tasks/{task_id}/report", "report", "The whole report of a task"),
        template("research://tasks/{task_id}/report/{section}", "section", "One section, by its number from 1"),
        template(
            "research://tasks/{task_id}/sources",
            "sources",
            "What the report cites: titles, places, archived pages",
        )
        .with_mime_type(JSON),
        template("research://tasks/{task_id}/journal", "journal", "How it came about: rounds, searches, pages, costs")
            .with_mime_type(JSON),
        template("research://tasks/{task_id}/evidence", "evidence", "The verdict on every claim, with its passage")
            .with_mime_type(JSON),
    ])
}

/// The ids of tasks that begin as what was typed, newest first.
pub(super) async fn complete(app: &App, request: &CompleteRequestParams) -> Result<CompleteResult> {
    let of_tasks = matches!(&request.r#ref, Reference::Resource(template) if template.uri.starts_with(TASKS));
    if !of_tasks || request.argument.name != "task_id" {
        return Ok(CompleteResult::default());
    }
    let tasks = app.list(ListArgs { status: None, limit: Some(limits::LIST_ROWS), after: None }).await?.tasks;
    Ok(completion(tasks.into_iter().map(|task| task.task_id).collect(), &request.argument.value))
}

/// Those of the newest ids that begin like this, as many as an answer holds. Of tasks beyond the newest it is not known how many there are.
fn completion(mut ids: Vec<String>, typed: &str) -> CompleteResult {
    let are_all = u32::try_from(ids.len()).is_ok_and(|listed| listed < limits::LIST_ROWS);
    ids.retain(|id| id.starts_with(typed));
    let total = u32::try_from(ids.len()).ok().filter(|_| are_all);
    let has_more = !are_all || ids.len() > CompletionInfo::MAX_VALUES;
    ids.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(ids, total, has_more).map(CompleteResult::new).unwrap_or_default()
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|fault| Error::new(Code::Internal, format!("the resource could not be written: {fault}")))
}

fn no_such(uri: &str) -> Error {
    Error::new(Code::InvalidArgument, format!("there is no resource `{}`", excerpt(uri, limits::ECHO_CHARS)))
        .hint("resources/templates/list has the forms")
}

/// A part of a task that is a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Report,
    Section(&'a str),
    Sources,
    Evidence,
    Journal,
}

/// The task that a resource is about, and what of it.
pub(super) fn parsed(uri: &str) -> Result<(TaskId, Part<'_>)> {
    let (id, part) = uri.strip_prefix(TASKS).and_then(|rest| rest.split_once('/')).ok_or_else(|| no_such(uri))?;
    let part = match part {
        "report" => Part::Report,
        "sources" => Part::Sources,
        "evidence" => Part::Evidence,
        "journal" => Part::Journal,
        other => Part::Section(other.strip_prefix("report/").ok_or_else(|| no_such(uri))?),
    };
    Ok((TaskId::parse(id)?, part))
}

pub(super) async fn read(app: &App, uri: &str) -> Result<ReadResourceResult> {
    let (id, part) = parsed(uri)?;
    let (text, kind) = match part {
        Part::Evidence => (json(&app.evidence(id, limits::CHECK_ROWS).await?)?, JSON),
        Part::Sources => (json(&app.results(&id.to_string(), true).await?.sources.unwrap_or_default())?, JSON),
        Part::Journal => {
            let reply = app.research_reply(id, Some(Duration::ZERO)).await?;
            (json(&ResearchReply { result: None, sources: None, ..reply })?, JSON)
        }
        Part::Report => (report(&app.results(&id.to_string(), true).await?), MARKDOWN),
        Part::Section(section) => {
            let reply = app.results(&id.to_string(), true).await?;
            let text = paging::section(&reply.report, section).ok_or_else(|| no_such(uri))?;
            (text.to_owned(), MARKDOWN)
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]))
}

/// The whole report. The lists around it hold foreign words too.
fn report(reply: &ResultsReply) -> String {
    let sources = reply.sources.iter().flatten().filter(|source| source.claimed.is_none());
    neutral(&reply.markdown(), &KnownAddresses::new(sources.map(|source| source.location.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: an answer that does not hold all ids says so, and names a number only where it is known.
    #[test]
    fn mc_01_completion_says_when_there_is_more() {
        let ids =
            |count: u32| (0..count).map(|n| format!("{}{n:03}", if n < 3 { "a" } else { "b" })).collect::<Vec<_>>();
        for (listed, typed, told, total, more) in [
            (2, "", 2, Some(2), false),
            (100, "", 100, Some(100), false),
            (121, "", 100, Some(121), true),
            (121, "a", 3, Some(3), false),
            (limits::LIST_ROWS, "a", 3, None, true),
            (121, "z", 0, Some(0), false),
        ] {
            let said = completion(ids(listed), typed).completion;
            assert_eq!((said.values.len(), said.total, said.has_more), (told, total, Some(more)), "{listed} {typed}");
        }
    }

    /// MC-01: one reading of addresses for whoever reads a resource and whoever follows it.
    #[test]
    fn mc_01_addresses_of_resources() {
        let id = TaskId::from_random(7);
        for (part, is) in [
            ("report", Part::Report),
            ("report/3", Part::Section("3")),
            ("report/", Part::Section("")),
            ("sources", Part::Sources),
            ("evidence", Part::Evidence),
            ("journal", Part::Journal),
        ] {
            assert_eq!(parsed(&format!("{TASKS}{id}/{part}")).unwrap(), (id, is));
        }
        for (uri, code) in [
            (format!("{TASKS}{id}"), Code::InvalidArgument),
            (format!("{TASKS}{id}/reports"), Code::InvalidArgument),
            (format!("{TASKS}{id}/report2"), Code::InvalidArgument),
            (format!("{TASKS}{id}/sources/1"), Code::InvalidArgument),
            (format!("{TASKS}../report"), Code::InvalidTaskId),
            ("file:///etc/passwd".to_owned(), Code::InvalidArgument),
        ] {
            assert_eq!(parsed(&uri).unwrap_err().code, code, "{uri}");
        }
    }
}
