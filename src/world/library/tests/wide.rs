//! What is near the best documents of a question is found with them.

use super::*;

/// A name that the question does not hold leads from the document that answers its first half to the one that answers the second.
#[test]
fn the_second_half_of_a_chain_is_found() {
    let mut files: Vec<(String, String)> = (0..40)
        .map(|at| {
            (
                format!("other/{at}.md"),
                format!("# Other {at}\n\nHarbour {at} was built of stone and lies in the north.\n"),
            )
        })
        .collect();
    files.push((
        "ship.md".into(),
        "# The Meridian Lark\n\nThe Meridian Lark sailed under Ines Varga, her only captain.\n".into(),
    ));
    files.push(("varga.md".into(), "# Varga\n\nInes Varga came from Szeged by the Tisza.\n".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let fixture = Fixture::new(&files);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let question = "Which town is the birthplace of the captain of the Meridian Lark?";
    let words = library.search_within(question, &[], 3, Reach::Words).unwrap();
    assert_eq!(paths(&words), ["ship.md"]);
    let mut wide = library.search_within(question, &[], 3, Reach::Wide).unwrap();
    // Which of them comes first is up to the method.
    wide.passages.sort_by(|a, b| a.path.cmp(&b.path));
    assert_eq!(paths(&wide), ["ship.md", "varga.md"]);
    assert_eq!(wide.terms, words.terms);
    assert_eq!(wide.passages[0].matched, words.passages[0].matched);
    assert_eq!(wide.passages[1].matched, [0; 0], "none of its words was asked for");
}

/// Nothing leads anywhere where nothing was found, and a library of one file is searched like any other.
#[test]
fn a_wider_search_of_little_is_no_trouble() {
    let fixture = Fixture::new(&[("a.md", "# Alpha\n\nAlpha beta gamma.\n")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for (question, want) in [("alpha", vec!["a.md"]), ("omega", vec![]), ("?", vec![])] {
        let found = library.search_within(question, &[], 9, Reach::Wide).unwrap();
        assert_eq!(paths(&found), want, "{question}");
        assert_eq!(found.problems, []);
    }
}
