//! A report for clients that take only so much at a time: one page, or one section, and where the rest is.

use super::results::Paging;
use super::{RESULTS_TOOL, ResultsReply};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::text::paging;

/// Which part of a report is wanted; nothing said is the first page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageRequest {
    pub(crate) page: Option<u32>,
    pub(crate) section: Option<String>,
}

/// The address of a whole report.
pub(crate) fn resource(task_id: &str) -> String {
    format!("research://tasks/{task_id}/report")
}

impl ResultsReply {
    /// The wanted part. A report that fits on one page comes whole.
    pub(crate) fn paged(mut self, wanted: &PageRequest) -> Result<Self> {
        let whole = std::mem::take(&mut self.report);
        let text = match &wanted.section {
            Some(section) => paging::section(&whole, section).ok_or_else(|| no_section(&whole, section))?,
            None => whole.as_str(),
        };
        let all = paging::pages(text, limits::PAGE_CHARS);
        let page = wanted.page.unwrap_or(1);
        let place = usize::try_from(page).ok().and_then(|page| page.checked_sub(1));
        let Some(shown) = place.and_then(|place| all.get(place)) else {
            let message = format!("`page` must be 1 to {}, not `{page}`", all.len());
            return Err(Error::new(Code::InvalidArgument, message));
        };
        self.report = (*shown).to_owned();
        if all.len() > 1 || wanted.section.is_some() {
            let titles = paging::sections(&whole).into_iter().filter(|section| section.level <= 3);
            let next = (usize::try_from(page).unwrap_or(usize::MAX) < all.len()).then(|| {
                let section = wanted.section.as_ref().map(|name| format!(", section='{name}'")).unwrap_or_default();
                format!("{RESULTS_TOOL}(task_id='{}', page={}{section})", self.task_id, page + 1)
            });
            self.paging = Some(Paging {
                page,
                pages: all.len(),
                report_chars: whole.chars().count(),
                sections: titles.map(|section| section.title).take(limits::PAGE_SECTIONS).collect(),
                next,
                resource: resource(&self.task_id),
            });
            self.keep_cited();
        }
        for round in &mut self.metadata.rounds {
            round.sources_visited.truncate(limits::PAGE_LISTED);
            round.search_queries.truncate(limits::PAGE_LISTED);
        }
        Ok(self)
    }

    /// Of many sources a page lists those it cites.
    fn keep_cited(&mut self) {
        let Some(sources) = &mut self.sources else { return };
        if sources.len() <= limits::PAGE_LISTED {
            return;
        }
        let before = sources.len();
        sources.retain(|source| {
            let (plain, note) = (format!("[{}]", source.number), format!("[^{}]", source.number));
            self.report.contains(&plain) || self.report.contains(&note)
        });
        self.sources_omitted = Some(before - sources.len()).filter(|omitted| *omitted > 0);
    }
}

fn no_section(report: &str, wanted: &str) -> Error {
    let shown = super::excerpt(wanted, limits::ECHO_CHARS);
    let titles: Vec<String> =
        paging::sections(report).into_iter().map(|section| section.title).take(limits::PAGE_SECTIONS).collect();
    Error::new(Code::InvalidArgument, format!("the report has no section `{shown}`"))
        .hint(format!("its sections, by title or by number from 1: {}", titles.join(" | ")))
}
