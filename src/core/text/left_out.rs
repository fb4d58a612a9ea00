//! What a reader left out of a file that it could read.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::base::limits;

/// A part of a file that is not in its document, because of a limit or a fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LeftOut {
    /// What follows the most text that one file may give.
    End,
    /// Passages beyond [`limits::PASSAGES_PER_FILE`].
    Passages,
    /// Columns of a table.
    Columns,
    /// Columns of a sheet or a table of values.
    SheetColumns,
    /// Cells of a sheet.
    Cells,
    /// Sheets, slides, chapters or messages beyond those that are counted.
    Parts,
    /// Pages beyond [`limits::PDF_PAGES`], or what pages have in common.
    Pages,
    /// Pages that a parser failed on.
    UnreadPages(PageList),
    /// Pages that were read in a simpler way, which tears words apart or joins them.
    WeakPages(PageList),
    /// Pages that draw pictures and have no text beside them.
    PicturePages(PageList),
    /// Pages whose fonts do not say what their letters are.
    UntoldPages(PageList),
    /// Parts of a message beyond those that are counted, or nested too deep.
    MailParts,
    /// Lines of a card or an entry of a calendar beyond [`limits::ENTRY_LINES`].
    EntryLines,
}

impl LeftOut {
    /// What the user of the file can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::UnreadPages(_) | Self::WeakPages(_) => {
                "print the PDF to a new one, or run a text recognition over it"
            }
            Self::PicturePages(_) | Self::UntoldPages(_) => "run a text recognition over the PDF",
            Self::End
            | Self::Passages
            | Self::Columns
            | Self::SheetColumns
            | Self::Cells
            | Self::Parts
            | Self::Pages
            | Self::MailParts
            | Self::EntryLines => "split the file",
        }
    }
}

/// Which pages of a PDF were not read as they should be, by their numbers in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LostPages {
    pub(crate) unread: Vec<u32>,
    /// In a simpler way.
    pub(crate) weak: Vec<u32>,
    /// Pictures without text.
    pub(crate) pictures: Vec<u32>,
    /// Letters that cannot be told.
    pub(crate) untold: Vec<u32>,
    /// Whether there are others that have no number.
    pub(crate) others: bool,
}

impl LostPages {
    pub(crate) fn is_empty(&self) -> bool {
        [&self.unread, &self.weak, &self.pictures, &self.untold].into_iter().all(Vec::is_empty) && !self.others
    }

    pub(super) fn left_out(&self) -> impl Iterator<Item = LeftOut> {
        let unread = PageList::of(&self.unread).map(LeftOut::UnreadPages);
        let weak = PageList::of(&self.weak).map(LeftOut::WeakPages);
        let pictures = PageList::of(&self.pictures).map(LeftOut::PicturePages);
        let untold = PageList::of(&self.untold).map(LeftOut::UntoldPages);
        let others = self.others.then_some(LeftOut::Pages);
        [unread, weak, pictures, untold, others].into_iter().flatten()
    }
}

/// Pages as a reader names them, the first few runs of them: `pages 3–5, 7 and 12 more`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PageList {
    /// The first and the last page of each run.
    runs: Vec<(u32, u32)>,
    /// How many pages follow them.
    more: u32,
}

/// Runs of pages that are named.
const PAGE_RUNS: usize = 6;

impl PageList {
    /// The list of pages that are in order; none of no pages.
    fn of(pages: &[u32]) -> Option<Self> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for page in pages {
            match runs.last_mut().filter(|(_, last)| last.checked_add(1) == Some(*page)) {
                Some((_, last)) => *last = *page,
                None => runs.push((*page, *page)),
            }
        }
        let more = runs.iter().skip(PAGE_RUNS).map(|(first, last)| last - first + 1).sum();
        runs.truncate(PAGE_RUNS);
        (!runs.is_empty()).then_some(Self { runs, more })
    }

    fn is_one(&self) -> bool {
        matches!(self.runs.as_slice(), [(first, last)] if first == last) && self.more == 0
    }
}

impl fmt::Display for PageList {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run =
            |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}–{last}") };
        let named: Vec<String> = self.runs.iter().map(run).collect();
        write!(to, "{} {}", if self.is_one() { "page" } else { "pages" }, named.join(", "))?;
        if self.more > 0 { write!(to, " and {} more", self.more) } else { Ok(()) }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => write!(to, "what follows its first {} MB of text", limits::EXTRACT_BYTES >> 20),
            Self::Passages => write!(to, "what follows its first {} passages", limits::PASSAGES_PER_FILE),
            Self::Columns => write!(to, "columns beyond {} of a table", limits::EXTRACT_TABLE_COLUMNS),
            Self::SheetColumns => write!(
                to,
                "columns beyond {} of a sheet, or beyond {} of one that is mostly empty",
                limits::SHEET_COLUMNS,
                limits::EXTRACT_TABLE_COLUMNS
            ),
            Self::Cells => to.write_str("the end of a very large table or slide"),
            Self::Parts => write!(to, "what follows its first {} parts", limits::OFFICE_PARTS),
            Self::Pages => write!(to, "what follows its first {} pages, or is drawn on several", limits::PDF_PAGES),
            Self::UnreadPages(pages) => write!(to, "{pages}, which could not be read"),
            Self::WeakPages(pages) => {
                write!(to, "the blanks between words of {pages}, which could be read in part only")
            }
            Self::PicturePages(pages) => {
                write!(to, "{pages}, which {}", if pages.is_one() { "is a picture" } else { "are pictures" })
            }
            Self::UntoldPages(pages) => write!(to, "{pages}, whose letters cannot be told"),
            Self::MailParts => {
                write!(to, "parts of a message beyond {}, or more than {} deep", limits::MAIL_PARTS, limits::MAIL_DEPTH)
            }
            Self::EntryLines => {
                write!(to, "lines of a card or an appointment beyond {} of a kind", limits::ENTRY_LINES)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_pages_that_are_left_out_are_named() {
        for (pages, expected) in [
            (vec![], None),
            (vec![3], Some("page 3, which could not be read")),
            (vec![3, 4, 5], Some("pages 3–5, which could not be read")),
            (vec![1, 3, 4, 9], Some("pages 1, 3–4, 9, which could not be read")),
            ((1..=20).step_by(2).collect(), Some("pages 1, 3, 5, 7, 9, 11 and 4 more, which could not be read")),
        ] {
            let lost = LostPages { unread: pages, ..LostPages::default() };
            assert_eq!(lost.left_out().next().map(|left_out| left_out.to_string()).as_deref(), expected);
        }
        for (pictures, untold, expected) in [
            (vec![4, 5], vec![], "pages 4–5, which are pictures"),
            (vec![4], vec![], "page 4, which is a picture"),
            (vec![], vec![4], "page 4, whose letters cannot be told"),
        ] {
            let lost = LostPages { pictures, untold, ..LostPages::default() };
            let said: Vec<String> = lost.left_out().map(|left_out| left_out.to_string()).collect();
            assert_eq!((said, lost.is_empty()), (vec![expected.to_owned()], false));
        }
        let lost = LostPages { unread: vec![2], weak: vec![7], others: true, ..LostPages::default() };
        assert_eq!((lost.left_out().count(), lost.is_empty()), (3, false));
    }
}
