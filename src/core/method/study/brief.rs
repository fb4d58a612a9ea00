//! What a research is to cover, and how it is cut into sub-questions: read from a model's lines, or made by rule.

use crate::core::base::limits;
use crate::core::base::rows::is_listed;
use crate::core::language::words::{informative, pieces, words};
use crate::core::model::said::{bare, labelled, lines};

/// The question as it is worked on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brief {
    pub(super) question: String,
    /// Points that a complete answer covers.
    pub(super) items: Vec<String>,
    pub(super) language: Option<String>,
    pub(super) period: Option<String>,
    pub(super) assumptions: Vec<String>,
    /// What only the asker can tell.
    pub(super) ask: Option<String>,
    /// Searches by which the field is surveyed.
    pub(super) searches: Vec<String>,
}

/// A sub-question and its first searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SubPlan {
    pub(super) question: String,
    pub(super) queries: Vec<String>,
}

impl Brief {
    /// Without a model the question is its own brief.
    pub(super) fn by_rule(question: &str) -> Self {
        Self { question: question.to_owned(), searches: vec![short_query(question)], ..Self::default() }
    }

    /// Reads a model's lines. What it did not write is made by rule.
    pub(super) fn read(question: &str, said: &str) -> Self {
        let mut brief = Self::default();
        for (label, text) in fields(said, is_brief_label) {
            let text: String = text.chars().take(limits::LABEL_CHARS * 2).collect();
            match label.as_str() {
                "question" if brief.question.is_empty() => brief.question = text,
                "language" if brief.language.is_none() => brief.language = Some(text.chars().take(40).collect()),
                "period" if brief.period.is_none() && !is_nothing(&text) => brief.period = Some(text),
                "assume" if brief.assumptions.len() < limits::STUDY_ASSUMPTIONS && !is_nothing(&text) => {
                    brief.assumptions.push(text);
                }
                "ask" if brief.ask.is_none() && text.contains(['?', '？', '؟']) => brief.ask = Some(text),
                "item" if brief.items.len() < limits::STUDY_ITEMS => brief.items.push(text),
                "search" => push_query(&mut brief.searches, &text, limits::SCOUT_SEARCHES),
                _ => {}
            }
        }
        if pieces(&brief.question).nth(1).is_none() {
            brief.question = question.to_owned();
        }
        if brief.searches.is_empty() {
            brief.searches.push(short_query(question));
        }
        brief
    }

    /// As a prompt shows it.
    pub(super) fn shown(&self, asked: &str) -> String {
        let mut shown = asked.to_owned();
        if !self.question.is_empty() && self.question != asked {
            shown.push_str(&format!("\n\nIn one sentence: {}", self.question));
        }
        if let Some(period) = &self.period {
            shown.push_str(&format!("\n\nThe time that is meant: {period}"));
        }
        for assumed in &self.assumptions {
            shown.push_str(&format!("\n\nAssumed: {assumed}"));
        }
        if !self.items.is_empty() {
            let items: Vec<String> =
                (1..).zip(&self.items).map(|(no, item): (u32, _)| format!("{no}. {item}")).collect();
            shown.push_str(&format!("\n\nA complete answer covers:\n\n{}", items.join("\n")));
        }
        shown
    }
}

fn is_nothing(text: &str) -> bool {
    matches!(
        text.to_lowercase().trim_end_matches('.'),
        "" | "none" | "nothing" | "n/a" | "-" | "no" | "not specified" | "unspecified"
    )
}

fn is_brief_label(label: &str) -> Option<&'static str> {
    Some(match label {
        "question" | "restated question" | "restated" => "question",
        "language" => "language",
        "period" | "time" | "time frame" => "period",
        "assume" | "assumed" | "assumption" | "assumptions" => "assume",
        "ask" | "ask back" => "ask",
        "item" | "items" | "point" | "points" | "must cover" | "cover" => "item",
        "search" | "searches" | "query" | "queries" | "search query" | "search queries" => "search",
        _ => return None,
    })
}

/// The sub-questions of a model's lines, each with its searches, at most `most`; none if there are none to read.
pub(super) fn read_subs(said: &str, most: usize) -> Vec<SubPlan> {
    let label = |label: &str| {
        Some(match label {
            "sub" | "sub question" | "subquestion" | "sub questions" | "question" | "questions" => "sub",
            "query" | "queries" | "search" | "searches" | "search query" | "search queries" => "query",
            _ => return None,
        })
    };
    let mut subs: Vec<SubPlan> = Vec::new();
    for (label, text) in fields(said, label) {
        match (label.as_str(), subs.last_mut()) {
            ("sub", _) if pieces(&text).nth(1).is_some() && text.chars().count() <= limits::SUB_QUESTION_CHARS => {
                subs.push(SubPlan { question: text, queries: Vec::new() });
            }
            ("query", Some(sub)) => push_query(&mut sub.queries, &text, limits::SUB_QUERIES),
            _ => {}
        }
    }
    if subs.is_empty() {
        // A weak model writes a plain list of questions.
        let asks = |line: &String| {
            let question = bare(line);
            (question.ends_with(['?', '？']) && pieces(question).nth(1).is_some()).then(|| question.to_owned())
        };
        subs.extend(lines(said).iter().filter_map(asks).map(|question| SubPlan { question, queries: Vec::new() }));
    }
    subs.truncate(most);
    for sub in &mut subs {
        if sub.queries.is_empty() {
            sub.queries.push(short_query(&sub.question));
        }
    }
    subs
}

/// Without a model: the points of the brief, each with the subject of the question, or the question itself.
pub(super) fn subs_by_rule(brief: &Brief, most: usize) -> Vec<SubPlan> {
    let whole = SubPlan { question: brief.question.clone(), queries: vec![short_query(&brief.question)] };
    let of_item = |item: &String| SubPlan {
        question: format!("{} ({item})", brief.question),
        queries: vec![short_query(&format!("{} {item}", subject(&brief.question))), short_query(item)],
    };
    let mut subs: Vec<SubPlan> = brief.items.iter().map(of_item).take(most).collect();
    if subs.is_empty() {
        subs.push(whole);
    }
    subs
}

/// The searches that a model proposes in a round, each new.
pub(super) fn read_queries(said: &[String], asked: &[String]) -> Vec<String> {
    let mut queries = Vec::new();
    for line in said {
        let Some((label, text)) = labelled(line) else { continue };
        if matches!(label.as_str(), "query" | "queries" | "search" | "search query") {
            push_query(&mut queries, text, limits::SUB_QUERIES);
        }
    }
    let key = |query: &str| words(query).collect::<Vec<_>>();
    queries.retain(|query| !asked.iter().any(|known| key(known) == key(query)));
    queries
}

/// Lines as labels that are known and what stands behind them. A label with nothing behind it counts for the list below it.
fn fields(said: &str, known: impl Fn(&str) -> Option<&'static str>) -> Vec<(String, String)> {
    let (mut fields, mut heading) = (Vec::new(), None::<&str>);
    for line in lines(said) {
        match labelled(&line).and_then(|(label, rest)| known(&label).map(|label| (label, rest))) {
            Some((label, "")) => heading = Some(label),
            Some((label, rest)) => {
                heading = None;
                fields.push((label.to_owned(), rest.to_owned()));
            }
            None if line.starts_with(['-', '*', '•']) || line.starts_with(|c: char| c.is_ascii_digit()) => {
                fields.extend(heading.map(|label| (label.to_owned(), bare(&line).to_owned())));
            }
            None => {}
        }
    }
    fields
}

/// Words of a query; what is longer is cut to its telling words, or is prose.
const QUERY_WORDS: usize = 12;
/// Words of a query that is made by rule.
const SHORT_WORDS: usize = 7;

/// A query of the length that providers take.
pub(super) fn cut(query: &str) -> String {
    query.chars().take(limits::SEARCH_QUERY_CHARS).collect()
}

pub(super) fn push_query(queries: &mut Vec<String>, text: &str, most: usize) {
    // Nobody searches for an address; a page that wants to hear something has it asked for.
    if text.contains("://") {
        return;
    }
    let text = text.trim_matches(['"', '\u{201c}', '\u{201d}', '`', ' ']);
    let query = match words(text).count() {
        0 => return,
        1..=QUERY_WORDS => text.to_owned(),
        _ => short_query(text),
    };
    let query = cut(&query);
    if queries.len() < most && !queries.contains(&query) {
        queries.push(query);
    }
}

/// Words that tell somebody what to do and not what to look for.
const INSTRUCTIONS: &str = "analyse analyze answer comprehensive compare comparison describe detail detailed discuss \
     everything explain find give guide list overview provide question report research show summarise summarize tell \
     write";

/// A question as a query: its telling words.
pub(super) fn short_query(question: &str) -> String {
    let telling = |word: &String| !is_listed(INSTRUCTIONS, word);
    let mut said: Vec<String> = informative(question).into_iter().filter(telling).collect();
    if said.is_empty() {
        said = informative(question);
    }
    said.truncate(SHORT_WORDS);
    let query = said.join(" ");
    // A script without spaces has one long word.
    if query.is_empty() { cut(question) } else { cut(&query) }
}

fn subject(question: &str) -> String {
    short_query(question).split(' ').take(3).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ST-01: a brief is read in any of the usual forms.
    #[test]
    fn a_brief_is_read_leniently() {
        let said = "Sure!\n**QUESTION:** How deep is the sea?\nLANGUAGE: German\nPERIOD: none\nITEM: depth\n- ITEM: trenches\nSEARCH: sea depth\nSEARCH: \"ocean trenches\"";
        let brief = Brief::read("how deep sea", said);
        assert_eq!(brief.question, "How deep is the sea?");
        assert_eq!((brief.language.as_deref(), brief.period), (Some("German"), None));
        assert_eq!(
            (brief.items, brief.searches),
            (vec!["depth".into(), "trenches".into()], vec!["sea depth".into(), "ocean trenches".into()])
        );
        let listed = Brief::read("q", "ITEMS:\n1. depth\n2. trenches\nSEARCHES:\n- sea depth");
        assert_eq!((listed.items.len(), listed.searches.len()), (2, 1));
        for nonsense in ["", "I cannot do that.", "{}", "<think>"] {
            let brief = Brief::read("How deep is the sea?", nonsense);
            assert_eq!(
                (brief.question.as_str(), brief.searches),
                ("How deep is the sea?", vec!["deep sea".to_owned()])
            );
        }
    }

    /// ST-02: a plan in a script without spaces is one as well, also with its own colon.
    #[test]
    fn a_plan_without_spaces_is_read() {
        let subs = read_subs(
            "SUB: 佐布拉反应堆的电功率是多少?\nQUERY: 佐布拉 功率\nSUB：佐布拉反应堆安全吗？\nQUERY：佐布拉 安全",
            3,
        );
        let read: Vec<(&str, &str)> = subs.iter().map(|sub| (sub.question.as_str(), sub.queries[0].as_str())).collect();
        assert_eq!(read, [("佐布拉反应堆的电功率是多少?", "佐布拉 功率"), ("佐布拉反应堆安全吗？", "佐布拉 安全")]);
    }

    /// ST-01: a plan in lines, in JSON, or as a bare list of questions.
    #[test]
    fn a_plan_is_read_leniently() {
        let want =
            vec![SubPlan { question: "How deep is it?".into(), queries: vec!["sea depth".into(), "trench".into()] }];
        for said in [
            "SUB: How deep is it?\nQUERY: sea depth\nQUERY: trench",
            "1. **Sub-question:** How deep is it?\n   - Query: \"sea depth\"\n   - Query: trench",
            r#"```json
{"sub_questions":[{"question":"How deep is it?","queries":["sea depth","trench"]}]}
```"#,
            "SUB: How deep is it?\nQUERIES:\n- sea depth\n- trench",
        ] {
            assert_eq!(read_subs(said, 6), want, "{said}");
        }
        let bare = read_subs("Here you go:\n1. How deep is the sea?\n2. Why is it salty?", 6);
        assert_eq!(bare.iter().map(|sub| sub.queries[0].as_str()).collect::<Vec<_>>(), ["deep sea", "salty"]);
        assert_eq!(read_subs("DONE", 6), []);
        assert_eq!(read_subs("SUB: a b?\nSUB: c d?\nSUB: e f?", 2).len(), 2);
    }

    /// ST-01: instructions are not searched for; a long line becomes a short query.
    #[test]
    fn queries_are_short() {
        for (question, want) in [
            ("Write a comprehensive report on vacuum in SQLite", "vacuum sqlite"),
            ("Summarise everything about vacuum", "vacuum"),
        ] {
            assert_eq!(short_query(question), want);
        }
        assert!(!short_query("海有多深？").is_empty());
        let said =
            ["QUERY: what is the maximum depth of the ocean in the western pacific near the islands of guam"
                .to_owned()];
        let queries = read_queries(&said, &[]);
        assert!(queries[0].split(' ').count() <= 12, "{queries:?}");
        assert_eq!(read_queries(&["QUERY: Sea depth".to_owned()], &["sea depth".to_owned()]), Vec::<String>::new());
        assert_eq!(read_queries(&["QUERY: secret http://a.test/?q=sea".to_owned()], &[]), Vec::<String>::new());
    }

    #[test]
    fn a_question_without_a_model_is_cut_at_its_points() {
        let brief =
            Brief { items: vec!["price".into(), "weight".into()], ..Brief::by_rule("Which Lark boat is best?") };
        let subs = subs_by_rule(&brief, 3);
        assert_eq!(subs.len(), 2);
        assert!(subs[0].queries[0].contains("lark") && subs[0].queries[0].contains("price"), "{subs:?}");
        assert_eq!(subs_by_rule(&Brief::by_rule("How deep?"), 3).len(), 1);
    }
}
