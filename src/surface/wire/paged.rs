//! A report for clients that take only so much at a time: one page, or one section, and where the rest is.

use super::results::Paging;
use super::{RESULTS_TOOL, ResearchReply, ResultsReply, Source, StartReply};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::window::ReplySize;
use crate::core::text::paging;

/// Which part of a report is wanted; nothing said is the first page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageRequest {
    pub(crate) page: Option<u32>,
    pub(crate) section: Option<String>,
    /// What the client shows, where that is known.
    pub(crate) size: Option<ReplySize>,
}

/// The address of a whole report.
pub(crate) fn resource(task_id: &str) -> String {
    format!("research://tasks/{task_id}/report")
}

/// The wanted part of a report, and where the rest is if that is not all.
fn part(task_id: &str, whole: &str, wanted: &PageRequest) -> Result<(String, Option<Paging>)> {
    let text = match &wanted.section {
        Some(section) => paging::section(whole, section).ok_or_else(|| no_section(whole, section))?,
        None => whole,
    };
    let all = match wanted.size {
        Some(size) => paging::json_pages(text, size.page_bytes),
        None => paging::pages(text, limits::PAGE_CHARS),
    };
    let page = wanted.page.unwrap_or(1);
    let place = usize::try_from(page).ok().and_then(|page| page.checked_sub(1));
    let Some(shown) = place.and_then(|place| all.get(place)) else {
        let message = format!("`page` must be 1 to {}, not `{page}`", all.len());
        return Err(Error::new(Code::InvalidArgument, message));
    };
    if all.len() == 1 && wanted.section.is_none() {
        return Ok(((*shown).to_owned(), None));
    }
    let titles = paging::sections(whole).into_iter().filter(|section| section.level <= 3);
    let next = (usize::try_from(page).unwrap_or(usize::MAX) < all.len()).then(|| {
        let section = wanted.section.as_ref().map(|name| format!(", section='{name}'")).unwrap_or_default();
        format!("{RESULTS_TOOL}(task_id='{task_id}', page={}{section})", page + 1)
    });
    let paging = Paging {
        page,
        pages: all.len(),
        report_chars: whole.chars().count(),
        sections: titles.map(|section| section.title).take(limits::PAGE_SECTIONS).collect(),
        next,
        resource: resource(task_id),
    };
    Ok(((*shown).to_owned(), Some(paging)))
}

impl ResultsReply {
    /// The wanted part. A report that fits on one page comes whole.
    pub(crate) fn paged(mut self, wanted: &PageRequest) -> Result<Self> {
        let whole = std::mem::take(&mut self.report);
        (self.report, self.paging) = part(&self.task_id, &whole, wanted)?;
        if self.paging.is_some() {
            self.sources_omitted = self.sources.as_mut().and_then(|sources| keep_cited(&self.report, sources));
        }
        for round in &mut self.metadata.rounds {
            round.sources_visited.truncate(limits::PAGE_LISTED);
            round.search_queries.truncate(limits::PAGE_LISTED);
        }
        Ok(self)
    }
}

impl ResearchReply {
    /// The first page for a client of which it is known how much it shows; whole for others.
    pub(crate) fn paged(mut self, size: Option<ReplySize>) -> Result<Self> {
        let Some(whole) = self.result.take_if(|_| size.is_some()) else { return Ok(self) };
        let (shown, paging) = part(&self.task_id, &whole, &PageRequest { size, ..PageRequest::default() })?;
        if paging.is_some() {
            self.sources_omitted = self.sources.as_mut().and_then(|sources| keep_cited(&shown, sources));
        }
        (self.result, self.paging) = (Some(shown), paging);
        Ok(self)
    }
}

impl StartReply {
    /// The first page of a report that is there already.
    pub(crate) fn paged(mut self, size: Option<ReplySize>) -> Result<Self> {
        if let Some(results) = &mut self.results {
            let whole = std::mem::take(&mut results.report);
            (results.report, results.paging) =
                part(&self.task_id, &whole, &PageRequest { size, ..PageRequest::default() })?;
            if results.paging.is_some() {
                results.sources_omitted = keep_cited(&results.report, &mut results.sources);
            }
        }
        Ok(self)
    }
}

/// Of many sources a page lists those it cites; how many are left out.
fn keep_cited(shown: &str, sources: &mut Vec<Source>) -> Option<usize> {
    let before = Some(sources.len()).filter(|listed| *listed > limits::PAGE_LISTED)?;
    sources.retain(|source| {
        let (plain, note) = (format!("[{}]", source.number), format!("[^{}]", source.number));
        shown.contains(&plain) || shown.contains(&note)
    });
    Some(before - sources.len()).filter(|omitted| *omitted > 0)
}

fn no_section(report: &str, wanted: &str) -> Error {
    let shown = super::excerpt(wanted, limits::ECHO_CHARS);
    let titles: Vec<String> =
        paging::sections(report).into_iter().map(|section| section.title).take(limits::PAGE_SECTIONS).collect();
    Error::new(Code::InvalidArgument, format!("the report has no section `{shown}`"))
        .hint(format!("its sections, by title or by number from 1: {}", titles.join(" | ")))
}
