//! Pages of the manual of Unix, as they are written for `man`: roff with the macros of the packages `man` and `mdoc`.
//!
//! A page becomes the text that a terminal shows: names, sections, entries with their terms, examples, tables. How it looks is left out. Every
//! line is read once; whatever a page defines for itself (strings, macros) is bounded in [`roff`].

mod conditions;
mod escapes;
mod glyphs;
mod macros;
mod mdoc;
mod page;
mod roff;
mod tables;

use super::super::Contents;
use macros::Man;
use mdoc::Mdoc;
use page::Page;
use roff::{Line, Roff, Said};
use tables::Table;

/// Lines, but for comments, in which a page says what it is; those that a program wrote begin with a hundred of definitions.
const HEAD_LINES: usize = 200;
/// How much of a file has them, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// Whether a text is a page of the manual: it begins with a request, and says its title or has a section soon.
pub(in crate::core::text) fn is_manual(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let lines = head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let is_comment = |line: &&[u8]| {
        [&b".\\\""[..], b"'\\\"", b"\\\"", b".\\ ", b"'''", b".'''"].iter().any(|mark| line.starts_with(mark))
    };
    let is_blank = |line: &&[u8]| matches!(line.trim_ascii(), b"" | b"." | b"'");
    let mut lines = lines.filter(|line| !is_blank(line) && !is_comment(line)).take(HEAD_LINES).peekable();
    let begins = lines.peek().is_some_and(|line| request(line).is_some());
    begins && !head.contains(&0) && {
        let mut is_link = true;
        let says = lines.any(|line| {
            is_link &= request(line) == Some(b"so");
            matches!(request(line), Some(b"TH" | b"Dd" | b"Dt" | b"SH" | b"Sh"))
        });
        // A page under a second name has nothing but where the page is.
        says || is_link
    }
}

/// The request that a line begins with.
fn request(line: &[u8]) -> Option<&[u8]> {
    let behind = line.strip_prefix(b".").or_else(|| line.strip_prefix(b"'"))?.trim_ascii_start();
    let end = behind.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(behind.len());
    let (name, rest) = behind.split_at_checked(end)?;
    let ends = rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\\'));
    ((1..=8).contains(&name.len()) && ends).then_some(name)
}

pub(super) fn extract(text: &str) -> Contents {
    let mut page = Page::new();
    let mut roff = Roff::new(text, macros::is_known);
    let (mut man, mut mdoc) = (Man::default(), Mdoc::default());
    let mut is_mdoc = false;
    let mut table: Option<Table> = None;
    while !page.is_full()
        && let Some(mut line) = roff.next_line()
    {
        page.line = line.number;
        if let Said::Macro { name, .. } = &line.said {
            match name.as_str() {
                "TS" => {
                    table.take().into_iter().for_each(|open| open.finish(&mut page));
                    table = Some(Table::new());
                    continue;
                }
                "TE" => {
                    table.take().into_iter().for_each(|open| open.finish(&mut page));
                    continue;
                }
                // Formulas and drawings for programs that are run before roff.
                "EQ" => roff.skip_until("EN"),
                "PS" => roff.skip_until("PE"),
                "Dd" | "Dt" | "Sh" => {
                    is_mdoc = true;
                    roff.is_known = mdoc::is_known;
                }
                _ => {}
            }
        }
        if let Some(open) = &mut table {
            let Some(back) = open.take(&mut page, line) else { continue };
            line = back;
        }
        let Line { said, .. } = line;
        match said {
            Said::Text(text) if text.trim().is_empty() => page.blank(),
            Said::Text(text) => page.source(&text),
            Said::Macro { name, rest } if is_mdoc => mdoc.read(&mut page, &name, &rest),
            Said::Macro { name, rest } => man.read(&mut page, &name, &rest),
        }
    }
    table.into_iter().for_each(|open| open.finish(&mut page));
    mdoc.finish(&mut page);
    page.finish()
}
