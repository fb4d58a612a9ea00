//! The macros of the package `man`.

use super::escapes::{Argument, Shown, arguments, plain, shown};
use super::page::{Page, SECTION, SUBSECTION};
use super::roff::first_and_rest;
use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;

/// What of the package is read here. Pages that define one of these for others to have it are not believed to know better.
const KNOWN: &str = "AT B BI BR DT EE EX HP I IB IP IR LP ME MR MT OP P PD PP RB RE RI RS SB SH SM SS SY TE TH TP TQ \
     TS UC UE UR YS br fi in nf sp ti EQ EN";

pub(super) fn is_known(name: &str) -> bool {
    is_listed(KNOWN, name)
}

/// What is open between the macros of a page.
#[derive(Debug, Default)]
pub(super) struct Man {
    /// Where a link leads that is open.
    link: Option<String>,
}

impl Man {
    pub(super) fn read(&mut self, page: &mut Page, name: &str, rest: &str) {
        match name {
            "TH" => {
                let mut said = arguments(rest).into_iter().map(|argument| plain(&argument.text));
                page.title = (said.next().unwrap_or_default(), said.next().unwrap_or_default());
            }
            "SH" | "SS" => {
                let level = if name == "SH" { SECTION } else { SUBSECTION };
                // A heading may stand in the next line.
                match joined(&arguments(rest), " ") {
                    text if text.is_empty() => page.await_heading(level),
                    text => page.heading(level, &plain(&text)),
                }
            }
            "PP" | "P" | "LP" | "HP" => page.paragraph(),
            "TP" | "TQ" => page.entry(),
            "IP" => indented(page, rest),
            "RS" => page.indent(),
            "RE" => page.outdent(),
            "B" | "I" | "R" | "SM" | "SB" => words(page, &joined(&arguments(rest), " ")),
            "BR" | "BI" | "IB" | "IR" | "RB" | "RI" => words(page, &joined(&arguments(rest), "")),
            "UR" | "MT" => self.link = Some(plain(&first_and_rest(rest).0)),
            "UE" | "ME" => self.end_link(page, rest),
            "MR" => {
                let all = arguments(rest);
                let at = |at: usize| all.get(at).map(|argument| argument.text.as_str()).unwrap_or_default();
                words(page, &format!("{}({}){}", at(0), at(1), at(2)));
            }
            "SY" => {
                page.break_line();
                words(page, &joined(&arguments(rest), " "));
            }
            "YS" => page.break_line(),
            "OP" => words(page, &format!("[{}]", joined(&arguments(rest), " "))),
            "EX" => page.fill(false),
            "EE" => page.fill(true),
            name => requested(page, name),
        }
    }

    fn end_link(&mut self, page: &mut Page, rest: &str) {
        let Some(link) = self.link.take().filter(|link| !link.is_empty()) else { return };
        page.text(&format!("<{link}>{}", plain(rest.trim())));
    }
}

/// Requests of roff itself that a reader sees something of; all others only say how a page looks.
pub(super) fn requested(page: &mut Page, name: &str) {
    match name {
        "br" | "in" | "ti" | "ce" | "brp" => page.break_line(),
        "sp" => page.blank(),
        "nf" => page.fill(false),
        "fi" => page.fill(true),
        _ => {}
    }
}

/// Text in a font; a macro without any says only how the next line looks.
fn words(page: &mut Page, text: &str) {
    if !text.is_empty() {
        page.shown(&shown(text));
    }
}

fn joined(all: &[Argument], between: &str) -> String {
    all.iter().map(|argument| argument.text.as_str()).collect::<Vec<_>>().join(between)
}

/// A paragraph with a mark, a term or nothing before it.
fn indented(page: &mut Page, rest: &str) {
    let (term, _) = first_and_rest(rest);
    let term = shown(&term);
    let said = term.text.trim();
    if said.is_empty() {
        page.goes_on_below();
    } else if matches!(said, "-" | "*" | "o" | "+" | "—" | "–" | "·" | "∙") || is_bullet(said) {
        page.item("-");
    } else if is_number(said) {
        page.item(said);
    } else {
        page.entry_of(&Shown { text: said.to_owned(), goes_on: false });
    }
}

pub(super) fn is_bullet(term: &str) -> bool {
    matches!(term, "•" | "◦" | "‣" | "▪" | "○" | "□" | "●")
}

/// `1.` and `12)`: what a list is numbered with.
pub(super) fn is_number(term: &str) -> bool {
    let digits = term.strip_suffix(['.', ')']).unwrap_or_default();
    digits.len() <= 3 && is_digits(digits)
}
