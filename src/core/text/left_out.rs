//! What a reader left out of a file that it could read.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::base::limits;

/// A part of a file that is not in its document, because of a limit or a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LeftOut {
    /// What follows the most text that one file may give.
    End,
    /// Passages beyond [`limits::PASSAGES_PER_FILE`].
    Passages,
    /// Columns of a table.
    Columns,
    /// Cells of a sheet.
    Cells,
    /// Sheets, slides, chapters or messages beyond those that are counted.
    Parts,
    /// Pages that a parser failed on.
    Pages,
    /// Parts of a message beyond those that are counted, or nested too deep.
    MailParts,
    /// Lines of a card or an entry of a calendar beyond [`limits::ENTRY_LINES`].
    EntryLines,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => write!(to, "what follows its first {} MB of text", limits::EXTRACT_BYTES >> 20),
            Self::Passages => write!(to, "what follows its first {} passages", limits::PASSAGES_PER_FILE),
            Self::Columns => write!(to, "columns beyond {} of a table", limits::EXTRACT_TABLE_COLUMNS),
            Self::Cells => to.write_str("the end of a very large table or slide"),
            Self::Parts => write!(to, "what follows its first {} parts", limits::OFFICE_PARTS),
            Self::Pages => to.write_str("pages that could not be read"),
            Self::MailParts => {
                write!(to, "parts of a message beyond {}, or more than {} deep", limits::MAIL_PARTS, limits::MAIL_DEPTH)
            }
            Self::EntryLines => {
                write!(to, "lines of a card or an appointment beyond {} of a kind", limits::ENTRY_LINES)
            }
        }
    }
}
