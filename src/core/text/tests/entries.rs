//! Entries of lists of terms.

use super::*;

const SAID: &str = "This setting tells the program how long it waits for the other side. ";

fn html(body: &str) -> Document {
    extract(Format::Html, format!("<h1>Settings</h1>{body}").into_bytes()).unwrap()
}

fn texts(document: &Document) -> Vec<&str> {
    document.passages.iter().map(|piece| document.passage_text(piece)).collect()
}

/// LB-01: an entry of several paragraphs is not cut where it fits into a passage, and what is cut of a longer one knows its term.
#[test]
fn lb_01_entries_of_several_paragraphs_are_whole() {
    let paragraph = format!("<p>{}</p>", SAID.repeat(4));
    let entry = |name: &str, paragraphs: usize| format!("<dt>{name}</dt><dd>{}</dd>", paragraph.repeat(paragraphs));
    let names = ["--first", "--second", "--third"];
    let document = html(&format!("<dl>{}</dl>", names.map(|name| entry(name, 3)).concat()));
    let first = |text: &&str| text.lines().next().unwrap_or_default().to_owned();
    assert_eq!(texts(&document).iter().map(first).collect::<Vec<_>>(), ["\\--first", "\\--second", "\\--third"]);

    let inner = format!("<dl>{}</dl>", entry("inner", 2));
    let long = format!("<dt>--a</dt><dt>--all</dt><dd>{}{inner}{paragraph}</dd>", paragraph.repeat(6));
    let document = html(&format!("<dl>{long}{}</dl><p>{}</p>", entry("--last", 1), SAID.repeat(9)));
    let headings: Vec<Vec<&str>> =
        document.passages.iter().map(|piece| piece.headings.iter().map(String::as_str).collect()).collect();
    assert!(headings.iter().filter(|above| above.last() == Some(&"\\--a \\--all")).count() >= 2, "{headings:?}");
    assert_eq!(headings.last().unwrap(), &["Settings"], "what follows the list is of no entry: {headings:?}");
    let of_inner = texts(&document).into_iter().find(|text| text.contains("inner")).unwrap();
    assert!(of_inner.starts_with("inner") && of_inner.matches("This setting").count() >= 8, "{of_inner}");
}

/// LB-01: a question of such a list may be longer than the name of an option.
#[test]
fn lb_01_long_answers_know_their_questions() {
    let question = "Why does it wait for the other side for so long before it gives up at last?";
    let answer = format!("<p>{}</p>", SAID.repeat(6)).repeat(4);
    for (term, last) in [(question, question), (question.trim_end_matches('?'), "Settings")] {
        let document = html(&format!("<dl><dt>{term}</dt><dd>{answer}</dd></dl>"));
        let headings: Vec<&[String]> = document.passages.iter().map(|piece| &*piece.headings).collect();
        assert!(headings.len() > 2 && headings[0] == ["Settings"], "{headings:?}");
        assert!(headings[1..].iter().all(|above| above.last().is_some_and(|above| above == last)), "{headings:?}");
    }
}
