//! The marks around foreign text in prompts.

/// The word in the marks of a label, and what stands between them. The word is drawn for the task: sixteen digits that no page can know.
pub(crate) fn fenced(prompt: &str, label: &str) -> (String, String) {
    let begin = format!("<<<<< BEGIN {label} ");
    let (_, rest) = prompt.split_once(&begin).unwrap_or_else(|| panic!("no {label}: {prompt}"));
    let (word, rest) = rest.split_once('\n').unwrap();
    let (text, _) =
        rest.split_once(&format!("\n>>>>> END {label} {word}")).unwrap_or_else(|| panic!("no end: {prompt}"));
    assert!(word.len() == 16 && word.chars().all(|c| c.is_ascii_hexdigit()), "{word}");
    (word.to_owned(), text.to_owned())
}
