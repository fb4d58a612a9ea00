//! The plan of a study as Markdown that its user reads, edits and hands back.

use super::brief::{Brief, SubPlan, push_query, short_query};
use crate::core::base::limits;
use crate::core::language::words::words;
use crate::core::model::said::{bare, labelled};
use crate::core::text::quoting::label;

/// What a plan says of itself.
pub(crate) const PLAN_NOTE: &str = "This is a research plan, not a report. To start the research call deep_research with \
                                    follow_up_to set to this task's id, and with no query, with what is to be different, or with this \
                                    plan, edited, as the query. In a terminal: `hadal ask --about ID`.";

const TITLE: &str = "Plan:";

/// The plan for people.
pub(super) fn shown(brief: &Brief, subs: &[SubPlan]) -> String {
    let line = |text: &String| label(text, limits::SUB_QUESTION_CHARS);
    let mut text = format!("# {TITLE} {}\n\n", line(&brief.question));
    for (name, said) in [("Language", brief.language.as_ref()), ("Period", brief.period.as_ref())] {
        text.extend(said.map(|said| format!("- {name}: {}\n", line(said))));
    }
    text.extend(brief.assumptions.iter().map(|said| format!("- Assumed: {}\n", line(said))));
    if !brief.items.is_empty() {
        text.push_str("\n## What must be covered\n\n");
        text.extend((1_u32..).zip(&brief.items).map(|(no, item)| format!("{no}. {}\n", line(item))));
    }
    text.push_str("\n## Sub-questions and their searches\n");
    for (no, sub) in (1_u32..).zip(subs) {
        text.push_str(&format!("\n### {no}. {}\n\n", line(&sub.question)));
        text.extend(sub.queries.iter().map(|query| format!("- {}\n", line(query))));
    }
    text.replace("\n\n\n", "\n\n")
}

/// Reads a plan back, as it was or edited. `None`: the text is something else. Of its form only this counts: `###` begins a sub-question, the
/// lines below it are its searches, and a list before the first one has what must be covered.
pub(crate) fn read(text: &str) -> Option<(Brief, Vec<SubPlan>)> {
    let (mut brief, mut subs) = (Brief::default(), Vec::<SubPlan>::new());
    let mut in_list = false;
    for line in text.lines().map(|line| plain(line.trim())).filter(|line| !line.is_empty()) {
        if let Some(question) = line.strip_prefix("### ").map(bare).filter(|text| words(text).next().is_some()) {
            let question = question.chars().take(limits::SUB_QUESTION_CHARS).collect();
            subs.push(SubPlan { question, queries: Vec::new() });
        } else if line.starts_with("## ") {
            in_list = true;
        } else if let Some(title) = line.strip_prefix("# ") {
            brief.question = bare(title.strip_prefix(TITLE).unwrap_or(title)).to_owned();
        } else if let Some(sub) = subs.last_mut() {
            push_query(&mut sub.queries, bare(&line), limits::PLAN_QUERIES);
        } else if in_list && brief.items.len() < limits::STUDY_ITEMS {
            brief.items.push(bare(&line).chars().take(limits::SUB_QUESTION_CHARS).collect());
        } else if let Some((name, said)) = labelled(&line) {
            let said: String = said.chars().take(limits::SUB_QUESTION_CHARS).collect();
            match name.as_str() {
                "language" => brief.language = Some(said.chars().take(limits::LANGUAGE_CHARS).collect()),
                "period" => brief.period = Some(said),
                "assumed" if brief.assumptions.len() < limits::STUDY_ASSUMPTIONS => brief.assumptions.push(said),
                _ => {}
            }
        }
    }
    subs.truncate(limits::STUDY_SUBS);
    for sub in &mut subs {
        if sub.queries.is_empty() {
            sub.queries.push(short_query(&sub.question));
        }
    }
    (!subs.is_empty()).then_some((brief, subs))
}

/// A line without the backslashes that keep its marks from being Markdown.
fn plain(line: &str) -> String {
    let (mut kept, mut chars) = (String::with_capacity(line.len()), line.chars().peekable());
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => {}
            _ => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> (Brief, Vec<SubPlan>) {
        let brief = Brief {
            question: "What is known of C++ [the language] and `sh`?".into(),
            items: vec!["its * age".into(), "2. its <use>".into()],
            language: Some("German".into()),
            period: Some("since 1985".into()),
            assumptions: vec!["the language is meant".into()],
            ask: None,
            searches: Vec::new(),
        };
        let sub = |question: &str, queries: &[&str]| SubPlan {
            question: question.into(),
            queries: queries.iter().map(|&query| query.to_owned()).collect(),
        };
        (brief, vec![sub("How old is it?", &["c++ history", "-Wall __init__"]), sub("Who uses it?", &["c++ users"])])
    }

    /// ST-03: what is shown is what is read back.
    #[test]
    fn st_03_a_plan_is_read_as_it_was_written() {
        let (brief, subs) = plan();
        let text = shown(&brief, &subs);
        let (read_brief, read_subs) = read(&text).unwrap();
        assert_eq!((read_brief, read_subs), (brief, subs), "{text}");
    }

    /// ST-03: a plan in an editor's hands: lines taken away, added and renumbered, headings in other words.
    #[test]
    fn st_03_an_edited_plan_is_read_leniently() {
        let text = "# What of the Lark?\n## Muss\n* crew\n\n## Fragen\n### How large was its crew?\ncrew of the Lark\n\n\n### 7) Where did it sail?\n";
        let (brief, subs) = read(text).unwrap();
        assert_eq!((brief.question.as_str(), brief.items), ("What of the Lark?", vec!["crew".to_owned()]));
        assert_eq!(subs[0].queries, ["crew of the Lark"]);
        assert_eq!((subs[1].question.as_str(), &subs[1].queries[..]), ("Where did it sail?", &["sail".to_owned()][..]));
        for other in
            ["", "Go ahead", "leave out pricing; why is it so?", "# A title\n\n## and a section\n\n- with a list"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
