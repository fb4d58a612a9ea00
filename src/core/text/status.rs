//! Whether a document says of itself, where it begins, that it holds no longer: `Status: superseded by ADR 12`, `WITHDRAWN.`, `This policy is obsolete.`
//!
//! A document that tells of another one (`Supersedes ADR 5.`, `Version 4 was withdrawn.`) says nothing of itself.

use super::editions::SUPERSEDED;
use super::outline::Item;
use super::table_rows::{cells, is_table_rule};
use crate::core::base::rows::{is_listed, listed};
use crate::core::language::words::words;

/// How far the beginning of a document reaches: sections that are looked at, lines of one, and bytes of all.
const SECTIONS: usize = 6;
const LINES: usize = 12;
const BEGINNING_BYTES: usize = 3_000;

/// What is said of a document that holds no longer, beside what its name may say.
const OVER: &str = "abgelaufen abgelöst aufgehoben ersetzt expired rejected replaced repealed rescinded retired \
     revoked ungültig zurückgezogen";

/// Words that go on behind such a word where it is said of the document: `Superseded by version 5`.
const GOES_ON: &[&str] =
    &["am", "as", "by", "do", "durch", "effective", "from", "on", "see", "seit", "siehe", "since", "with"];

/// What a document calls itself, also as the end of a German compound (`Dienstanweisung`).
const DOCUMENT: &str = "adr agreement anleitung anweisung ausgabe circular contract decision document dokument draft \
     edition entscheidung fassung form guide guideline handbook handbuch instruction issue leitfaden leitlinie liste \
     manual memo note notice ordnung page plan policy procedure proposal protocol record regelung regulation revision \
     rfc richtlinie rule satzung schedule seite sop specification standard tariff vereinbarung version vertrag";

const THIS: &[&str] = &["diese", "dieser", "dieses", "this"];
const IS: &str = "been gilt has is ist was wurde";
/// Words that may stand between `is` and the word that counts.
const BETWEEN: &str = "a already also an been bereits ein hereby hiermit inzwischen längst mittlerweile now officially \
     only the therefore was";
/// `no longer valid`, `nicht mehr gültig`.
const NO_LONGER: [[&str; 2]; 2] = [["no", "longer"], ["nicht", "mehr"]];
const HOLDS: &str = "applicable applies current gültig in kraft valid";

/// Whether the beginning of a text with these headings says so of the document.
pub(super) fn is_superseded(text: &str, items: &[Item]) -> bool {
    sections(text, items).into_iter().enumerate().any(|(at, (heading, body))| {
        let mut lines = body.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES);
        if is_status(heading) {
            return lines.next().is_some_and(|line| is_over(words(line)));
        }
        // What stands above the first heading and right below it.
        let lines: Vec<&str> = lines.collect();
        at <= 1 && (lines.iter().any(|line| line_says(line)) || table_says(&lines) || paragraphs_say(body.trim()))
    })
}

/// What stands below each of the first headings, behind what stands above the first of all; no more bytes than a beginning has.
fn sections<'t>(text: &'t str, items: &'t [Item]) -> Vec<(&'t str, &'t str)> {
    let end = text.floor_char_boundary(BEGINNING_BYTES);
    let headings = items.iter().filter_map(|item| match item {
        Item::Heading { text, span, .. } if span.start < end => Some((text.as_str(), span.clone())),
        Item::Heading { .. } | Item::Block(_) => None,
    });
    let headings: Vec<_> = std::iter::once(("", 0..0)).chain(headings.take(SECTIONS)).collect();
    let ends = headings.iter().skip(1).map(|(_, span)| span.start).chain([end]);
    let section = |((heading, span), end): (&(&'t str, std::ops::Range<usize>), usize)| {
        (*heading, text.get(span.end..end.max(span.end)).unwrap_or_default())
    };
    headings.iter().zip(ends).take(SECTIONS).map(section).collect()
}

/// Whether a row of a table says that what it tells holds no longer: `Withdrawn` below `Status`. The head may have the rule below it.
pub(crate) fn row_says(head: &str, row: &str) -> bool {
    let head = head.lines().next().unwrap_or_default();
    let named = cells(head).into_iter().position(|cell| head.get(cell).is_some_and(is_status));
    let cell = named.and_then(|at| cells(row).into_iter().nth(at)).and_then(|cell| row.get(cell));
    cell.is_some_and(|cell| is_over(words(cell)))
}

/// Whether a table with one row says so of its document.
fn table_says(lines: &[&str]) -> bool {
    lines.windows(3).enumerate().any(|(at, three)| match three {
        [head, rule, row] if is_row(head) && is_table_rule(rule) && is_row(row) => {
            let has_more = lines.get(at + 3).is_some_and(|next| is_row(next));
            !has_more && row_says(head, row)
        }
        _ => false,
    })
}

fn is_row(line: &str) -> bool {
    line.starts_with('|')
}

fn is_status(name: &str) -> bool {
    let mut words = words(name);
    let is_named = words.next().is_some_and(|word| matches!(word.as_str(), "status" | "dokumentstatus" | "zustand"));
    is_named && words.next().is_none()
}

fn is_such(word: &str) -> bool {
    is_listed(SUPERSEDED, word) || is_listed(OVER, word)
}

/// Whether words begin with one that says so.
fn is_over(mut words: impl Iterator<Item = String>) -> bool {
    words.next().is_some_and(|word| is_such(&word))
}

/// Whether a line says so by itself: a field, a sentence without a verb, or an edition with such a word behind it.
fn line_says(line: &str) -> bool {
    let is_row = line.starts_with('|');
    let is_item = line.starts_with(['-', '*', '+', '•']) && !line.starts_with("**");
    let plain = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    if let Some((name, value)) = plain.split_once(if is_row { '|' } else { ':' })
        && is_status(name)
    {
        return is_over(words(value));
    }
    if is_row || is_item {
        return false;
    }
    let is_edition = words(plain).next().is_some_and(|word| {
        matches!(word.as_str(), "ausgabe" | "edition" | "fassung" | "issue" | "rev" | "revision" | "version")
    });
    let says_alone = |clause: &str| {
        let clause = clause.trim_matches(|c: char| !c.is_alphanumeric());
        let is_raised = is_edition || clause.starts_with(char::is_uppercase);
        let mut words = words(clause);
        let first = words.next().unwrap_or_default();
        // `Deprecated since version 3.2` is said of a part of a program.
        let goes_on = |word: String| GOES_ON.contains(&word.as_str()) && first != "deprecated";
        is_raised && is_such(&first) && words.next().is_none_or(goes_on)
    };
    plain.split(['.', ':', ';', '!', '—', '–']).any(|sentence| {
        says_alone(sentence) || (is_edition && sentence.split([',', '(']).nth(1).is_some_and(says_alone))
    })
}

/// Whether a sentence, which may go over several lines, says so of this document.
fn paragraphs_say(body: &str) -> bool {
    let body: Vec<&str> = body.lines().take(LINES).map(str::trim).collect();
    body.split(|line| line.is_empty()).any(|lines| lines.join(" ").split(['.', ':', ';', '!']).any(sentence_says))
}

/// `This policy is withdrawn`, `Diese Dienstanweisung wurde durch Version 5 ersetzt`.
fn sentence_says(sentence: &str) -> bool {
    let words: Vec<String> = words(sentence).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some(rest) = words.iter().position(|word| THIS.contains(word)).and_then(|at| words.get(at + 1..)) else {
        return false;
    };
    let Some(is) = rest.iter().take(4).position(|word| is_listed(IS, word)) else { return false };
    let (named, said) = rest.split_at(is);
    if !named.last().is_none_or(|noun| listed(DOCUMENT).any(|known| noun.ends_with(known))) {
        return false;
    }
    let verb = said.first().copied().unwrap_or_default();
    let said: Vec<&str> = said.iter().skip(1).skip_while(|word| is_listed(BETWEEN, word)).copied().collect();
    let is_said = said.first().is_some_and(|word| is_such(word));
    // A German participle stands at the end.
    let ends = || matches!(verb, "ist" | "wurde") && said.last().is_some_and(|word| is_such(word));
    let holds_no_longer = || {
        NO_LONGER.iter().any(|no| said.starts_with(no))
            && (verb == "gilt" || said.get(2).is_some_and(|word| is_listed(HOLDS, word)))
    };
    let is_denied = || said.contains(&"nicht") || said.contains(&"not");
    is_said || holds_no_longer() || (ends() && !is_denied())
}

#[cfg(test)]
mod tests {
    use crate::core::text::{Format, extract};

    #[test]
    fn em_01_a_document_says_where_it_begins_that_it_holds_no_longer() {
        let below = "\n\n## Rules\n\nForms are superseded by a new one every year. Withdrawn.\n";
        for (beginning, is_over) in [
            ("# Stock policy\n\nVersion 4, valid to 31 January 2025. WITHDRAWN.", true),
            ("# Stock policy\n\nVersion 4 (superseded), by the manager", true),
            ("# Stock policy\n\nSuperseded by version 5.", true),
            ("# Stock policy\n\nThis policy is withdrawn.", true),
            ("# Stock policy\n\nNote: this stock policy has been\nofficially withdrawn on 1 May.", true),
            ("# Stock policy\n\nThis policy is no longer in force.", true),
            ("# Regeln\n\nDiese Dienstanweisung wurde durch Version 5 ersetzt.", true),
            ("# Regeln\n\nDiese Fassung gilt nicht mehr.", true),
            ("# ADR 5: Use RabbitMQ\n\nStatus: superseded by ADR 12.", true),
            ("# ADR 5: Use RabbitMQ\n\n* **Status:** Superseded by [ADR 12](12.md)\n* Date: 2024-01-01", true),
            ("# ADR 5: Use RabbitMQ\n\nDate: 2024-01-01\n\n## Status\n\nSuperseded by ADR 12", true),
            ("---\ntitle: Use RabbitMQ\nstatus: deprecated\n---\n\n# ADR 5\n\nOn queues.", true),
            ("# ADR 5\n\n| Status | Withdrawn |\n|---|---|\n| Date | 1 May |", true),
            ("# ADR 5\n\n| Owner | Status |\n|---|---|\n| Ann | Superseded by ADR 12 |", true),
            ("# Regeln\n\n| Nr. | Status | Stand |\n|---|---|---|\n| 4 | ersetzt durch Nr. 5 | 2024 |", true),
            ("# ADR 12\n\n| Owner | Status |\n|---|---|\n| Ann | Accepted |", false),
            ("# Rules\n\n| Rule | Status |\n|---|---|\n| 4 | Withdrawn |\n| 5 | In force |", false),
            ("# Stock policy", false),
            ("# ADR 12: Use NATS\n\nStatus: accepted on 6 November 2024. Supersedes ADR 5.", false),
            ("# ADR 12: Use NATS\n\n## Status\n\nAccepted. ADR 5 is superseded.", false),
            ("# Stock policy\n\nVersion 5. Version 4 is withdrawn. This version replaces it.", false),
            ("# Stock policy\n\nVersion 5, supersedes version 4 (withdrawn).", false),
            (
                "# Stock policy\n\nThis policy lists what was withdrawn. Superseded documents are kept for a year.",
                false,
            ),
            ("# Stock policy\n\nThis policy is not superseded by anything.", false),
            ("# Decisions\n\n- ADR 5\n- Superseded by ADR 12\n\nThis machine was withdrawn from service.", false),
            ("# Parser\n\nDeprecated since version 3.2: the module is kept.", false),
        ] {
            let document = extract(Format::Markdown, format!("{beginning}{below}").into_bytes()).unwrap();
            assert_eq!(document.is_superseded, is_over, "{beginning}");
        }
        for (head, row, is_over) in [
            ("| File | Status |\n| --- | --- |", "| rules-4.md | Withdrawn |", true),
            ("| Nr | Dokumentstatus | Preis |", "| 4 | veraltet | 3 € |", true),
            ("| File | Status |", "| withdrawn.md | In force |", false),
            ("| File | State of repair |", "| rules-4.md | Withdrawn |", false),
            ("| File | Status |", "| rules-4.md |", false),
            ("", "", false),
        ] {
            assert_eq!(super::row_says(head, row), is_over, "{head} {row}");
        }
        let code = extract(Format::Code, b"# Superseded by b.py.\nx = 1\n".to_vec()).unwrap();
        assert!(!code.is_superseded);
    }
}
