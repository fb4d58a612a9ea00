use super::*;

fn read(text: &str) -> Vec<&str> {
    tokens(text).iter().map(|token| text.get(token.start as usize..token.end as usize).unwrap()).collect()
}

#[test]
fn fillers_can_be_searched() {
    assert!(FILLERS.is_sorted());
}

#[test]
fn words_are_what_people_read() {
    for (text, want) in [
        ("The Lark's bell, 1,250 kg.", vec!["The", "Lark's", "bell", "1,250", "kg"]),
        ("U.S. exports rose 3.5%.", vec!["U.S", "exports", "rose", "3.5"]),
        ("It isn't", vec!["It", "isn't", "isn't"]),
        ("東京都", vec!["東京", "京都"]),
        ("a\u{200b}b", vec!["a\u{200b}b"]),
        ("", vec![]),
    ] {
        assert_eq!(read(text), want, "{text}");
    }
}

#[test]
fn forms_of_a_word_are_one_stem() {
    let same = |a: &str, b: &str| tokens(a)[0].stem == tokens(b)[0].stem;
    for (a, b) in
        [("announced", "Announcement"), ("Monáe", "monae"), ("1,250", "1250"), ("Ｕ２", "u2"), ("Straße", "strasse")]
    {
        assert!(same(a, b), "{a} {b}");
    }
    assert!(!same("125", "1250") && !same("port", "part"));
    assert_eq!(tokens("cannot")[1].word, hash("not"));
    assert_eq!(tokens("won't")[0].word, hash("will"));
}

proptest::proptest! {
    /// Every token is a piece of the text, and they come in order.
    #[test]
    fn any_text_has_words(text in "\\PC{0,200}") {
        let mut last = 0;
        for token in tokens(&text) {
            proptest::prop_assert!(text.get(token.start as usize..token.end as usize).is_some_and(|piece| !piece.is_empty()));
            proptest::prop_assert!(token.start >= last);
            last = token.start;
        }
    }
}
