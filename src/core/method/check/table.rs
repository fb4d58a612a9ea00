//! What a check found, as a report in Markdown: figures, a row for every claim, and the pages that could not be read.

use std::borrow::Cow;

use crate::core::base::limits;
use crate::core::evidence::checked::{CheckedClaim, CheckedSource, Evidence, SourceState};
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::place::passed_on;
use crate::core::text::neutral::{KnownAddresses, neutral};
use crate::core::text::quoting::label;

/// Characters of a claim in its row; the place in the report tells the rest.
const CLAIM_CHARS: usize = 300;

/// Writes the report.
pub(super) fn write(subject: &str, evidence: &Evidence) -> String {
    let subject = label(passed_on(subject), limits::LABEL_CHARS);
    let mut text = format!("# Evidence for {subject}\n\n{}\n", summary(evidence));
    text.push_str(&claims(evidence));
    text.push_str(&unread(evidence));
    text.push_str(
        "\n*Supported* means that the words of the claim stand on the page it cites. It does not mean that the claim is true, and most \
         contradictions cannot be seen this way.\n",
    );
    let known = evidence.sources.iter().flat_map(|source| source.address.iter().chain(&source.final_address));
    neutral(&text, &KnownAddresses::new(known.map(String::as_str)))
}

fn summary(evidence: &Evidence) -> String {
    let counts = evidence.counts();
    let named = [
        (counts.supported, "supported"),
        (counts.partial, "partial"),
        (counts.unsupported, "unsupported"),
        (counts.unreachable, "unreachable"),
        (counts.not_visited, "not visited"),
        (counts.uncited, "uncited"),
        (counts.quoted, "quoted"),
    ];
    let named: Vec<String> =
        named.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    let mut text = match counts.claims() {
        0 => "No claim was found in it.".to_owned(),
        1 => format!("1 claim: {}.", named.join(", ")),
        all => format!("{all} claims: {}.", named.join(", ")),
    };
    let shares = [
        (evidence.share_supported(), "of the claims that cite something are supported"),
        (evidence.share_cited(), "of all claims cite something"),
        (evidence.share_parsed(), "of the citations lead to a known source"),
    ];
    for (share, what) in shares {
        if let Some(share) = share {
            text.push_str(&format!(" {:.0}% {what}.", share * 100.0));
        }
    }
    if counts.differs > 0 {
        text.push_str(&format!(" {} have another figure in another source.", counts.differs));
    }
    if evidence.left_out > 0 {
        text.push_str(&format!(
            " {} more claims were not judged: {} of a report are.",
            evidence.left_out,
            limits::EVIDENCE_CLAIMS
        ));
    }
    text.push('\n');
    text
}

fn claims(evidence: &Evidence) -> String {
    let supported = |claim: &CheckedClaim| claim.verdict == Verdict::Supported && claim.differs.is_none();
    let all: Vec<(usize, &CheckedClaim)> = (1..).zip(&evidence.claims).collect();
    // What holds is left out first where there is too much to show.
    let shown: Vec<(usize, &CheckedClaim)> = if all.len() > limits::CHECK_ROWS {
        all.iter().copied().filter(|(_, claim)| !supported(claim)).take(limits::CHECK_ROWS).collect()
    } else {
        all.clone()
    };
    if shown.is_empty() {
        return String::new();
    }
    let mut text = "\n## Claims\n\n| # | Verdict | Claim | Cites | Why |\n|---|---|---|---|---|\n".to_owned();
    for (number, claim) in &shown {
        let cites: Vec<String> = claim.cited.iter().map(|cited| format!("[{}]", cited.source)).collect();
        let verdict = match claim.verdict {
            Verdict::Supported => "supported".to_owned(),
            other => format!("**{}**", other.name().replace('_', " ")),
        };
        text.push_str(&format!(
            "| {number} | {verdict} | {} | {} | {} |\n",
            cell(&claim.text, CLAIM_CHARS),
            cites.join(" "),
            cell(&why(claim), limits::EVIDENCE_REASON_CHARS)
        ));
    }
    let omitted = all.len() - shown.len();
    if omitted > 0 {
        text.push_str(&format!("\n{omitted} more claims are not listed here; those that are supported go first.\n"));
    }
    text
}

fn why(claim: &CheckedClaim) -> String {
    let differs = claim
        .differs
        .as_ref()
        .map(|differs| format!("[{}] has '{}' where this says '{}'", differs.source, differs.figure, differs.said));
    let by_model = claim.by_model.as_ref().map(|model| format!("a model's word ({model})"));
    let reasons = claim.reason().map(Cow::into_owned).into_iter().chain(by_model).chain(differs);
    let reasons: Vec<String> = reasons.collect();
    reasons.join("; ")
}

/// The pages that could not be read, and where an archive may have them.
fn unread(evidence: &Evidence) -> String {
    let line = |source: &CheckedSource| {
        let why = source.unread_reason().filter(|_| source.state != SourceState::default())?;
        let place = source.address.as_ref().or(source.title.as_ref()).or(source.label.as_ref());
        let place = place.map(|place| label(passed_on(place), limits::LABEL_CHARS)).unwrap_or_default();
        let archive = source.archive_address().map(|address| format!("; perhaps archived at `{address}`"));
        let why = label(&why, limits::EVIDENCE_REASON_CHARS);
        Some(format!("- \\[{}\\] {place}: {why}{}\n", source.number, archive.unwrap_or_default()))
    };
    let lines: Vec<String> = evidence.sources.iter().filter_map(line).collect();
    if lines.is_empty() {
        return String::new();
    }
    let omitted = lines.len().saturating_sub(limits::CHECK_ROWS);
    let more = if omitted > 0 { format!("- and {omitted} more\n") } else { String::new() };
    let shown: String = lines.into_iter().take(limits::CHECK_ROWS).collect();
    format!("\n## Pages that were not read\n\n{shown}{more}")
}

/// Foreign text in a cell.
fn cell(text: &str, chars: usize) -> String {
    label(text, chars).replace('|', "\\|")
}
