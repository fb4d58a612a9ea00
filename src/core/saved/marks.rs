//! The marks of a saved Markdown report: behind every sentence that its sources do not bear out, a word that says so.
//!
//! Only the file has them. The stored report stays as its writer left it.

use crate::core::base::sorting::sort_by_key;
use crate::core::base::{limits, plain};
use crate::core::evidence::checked::{CheckedClaim, Evidence};
use crate::core::evidence::claim::Verdict;
use crate::core::text::bracketed;
use crate::core::text::page::guessed_language;

/// "Not borne out by", by the language of the report.
const WORDS: [(&str, &str); 9] = [
    ("de", "nicht belegt durch"),
    ("fr", "non étayé par"),
    ("es", "no respaldado por"),
    ("it", "non confermato da"),
    ("pt", "não sustentado por"),
    ("nl", "niet gestaafd door"),
    ("ru", "не подтверждается источником"),
    ("zh", "未得到支持："),
    ("ja", "裏付けなし："),
];
const ENGLISH: &str = "not borne out by";

/// The longest citation behind a sentence that is looked at, in bytes.
const CITATION_BYTES: usize = 400;

/// A report with its marks. `evidence` has its places in this text.
pub(super) fn marked(markdown: &str, evidence: &Evidence) -> String {
    let unsupported = |claim: &&CheckedClaim| claim.verdict == Verdict::Unsupported && !claim.cited.is_empty();
    let mut found: Vec<(usize, &CheckedClaim)> = evidence
        .claims
        .iter()
        .filter(unsupported)
        .filter_map(|claim| Some((usize::try_from(claim.span?.end).ok()?, claim)))
        .filter(|(end, _)| markdown.is_char_boundary(*end))
        .map(|(end, claim)| (behind_citations(markdown, end), claim))
        .collect();
    if found.is_empty() {
        return markdown.to_owned();
    }
    sort_by_key(&mut found, |(at, _)| *at);
    let language = guessed_language(markdown);
    let word = WORDS.iter().find(|(code, _)| language.as_deref() == Some(*code)).map_or(ENGLISH, |(_, word)| *word);
    let mut text = String::with_capacity(markdown.len() + found.len() * 32);
    let mut from = 0;
    for (at, claim) in found {
        let numbers: Vec<String> = claim.cited.iter().map(|cited| format!("[{}]", cited.source)).collect();
        text.push_str(markdown.get(from..at).unwrap_or_default());
        let by_model = claim
            .by_model
            .as_deref()
            .map(|model| format!("; {}", plain::line(model, limits::LABEL_CHARS)))
            .unwrap_or_default();
        text.push_str(&format!(" (⚠ {word} {}{by_model})", numbers.join("")));
        from = at;
    }
    text.push_str(markdown.get(from..).unwrap_or_default());
    text
}

/// The place behind the citations that follow a sentence: `[1]`, `[2][3]`, `[4](https://…)`, and its full stop.
fn behind_citations(markdown: &str, end: usize) -> usize {
    let mut at = end;
    loop {
        let rest = markdown.get(at..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let cited = rest.get(blanks..).and_then(|rest| rest.strip_prefix('[')).and_then(|after| {
            let (inner, tail) = bracketed(after, CITATION_BYTES)?;
            let is_number = inner.chars().any(|c| c.is_ascii_digit()) && !inner.chars().any(char::is_whitespace);
            let target = |link: &'_ str| link.get(..link.floor_char_boundary(CITATION_BYTES))?.find(')');
            let link = tail.strip_prefix('(').and_then(target).map_or(0, |length| length + 2);
            (is_number || link > 0).then_some(blanks + inner.len() + 2 + link)
        });
        match cited {
            Some(length) => at += length,
            None if at > end && rest.starts_with(['.', '!', '?', '。']) => {
                return at + rest.chars().next().map_or(0, char::len_utf8);
            }
            None => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::evidence::checked::check;
    use crate::core::evidence::checked::{CheckedSource, SourcePage, SourceState};

    fn saved(report: &str) -> String {
        let source = CheckedSource { number: 1, state: SourceState::Read, ..CheckedSource::default() };
        let page =
            SourcePage { source, text: Some("The dam of Lake Ormond is 87 metres high and was built in 1931.".into()) };
        marked(report, &check(report, &[], &[page]))
    }

    /// EV-02: only what is unsupported is marked, behind its citation.
    #[test]
    fn unsupported_sentences_are_marked() {
        for (report, want) in [
            ("The dam of Lake Ormond is 87 metres high [1].", "The dam of Lake Ormond is 87 metres high [1]."),
            (
                "The dam of Lake Ormond is 99 metres high [1]. Nobody cites this sentence.",
                "The dam of Lake Ormond is 99 metres high [1]. (⚠ not borne out by [1]) Nobody cites this sentence.",
            ),
            (
                "The dam of Lake Ormond is 99 metres high.[1] It is old.",
                "The dam of Lake Ormond is 99 metres high.[1] (⚠ not borne out by [1]) It is old.",
            ),
            (
                "| Lake | Dam |\n|---|---|\n| Ormond | 99 metres high [1] |\n",
                "| Lake | Dam |\n|---|---|\n| Ormond | 99 metres high [1] (⚠ not borne out by [1]) |\n",
            ),
            (
                "Der Staudamm am See von Ormond wurde nach allem, was die Leute dort erzählen, erst im Jahr 1977 gebaut und ist sehr hoch [1].",
                "Der Staudamm am See von Ormond wurde nach allem, was die Leute dort erzählen, erst im Jahr 1977 gebaut und ist sehr hoch [1]. (⚠ nicht belegt durch [1])",
            ),
        ] {
            assert_eq!(saved(report), want);
        }
    }
}
