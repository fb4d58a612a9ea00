use super::*;

fn replied(text: &str, answer: &str, most_words: usize) -> String {
    let start = text.find(answer).unwrap();
    cut(text, &with_reply(text, start..start + answer.len(), most_words)).to_owned()
}

/// EM-01: a question is quoted with what is said to it, and with nothing else.
#[test]
fn em_01_a_question_is_quoted_with_its_reply() {
    let talk = "Host: Where did you grow up?\nMara: In Lindau. Above a bakery.\n\nHost: What then?\nMara: I left.\n";
    let whole = "Host: Where did you grow up?\nMara: In Lindau. Above a bakery.";
    assert_eq!(replied(talk, "Host: Where did you grow up?", 60), whole);
    assert_eq!(replied(talk, "Host: Where did you grow up?", 9), "Host: Where did you grow up?\nMara: In Lindau.");
    assert_eq!(replied(talk, "Host: Where did you grow up?", 6), "Host: Where did you grow up?", "there is no room");
    assert_eq!(replied(talk, "Mara: In Lindau.", 60), "Mara: In Lindau.", "it is no question");
    let list = "**Is it free?**\n\nYes, for schools. Others pay.\n\nSee the shop.\n";
    assert_eq!(replied(list, "**Is it free?**", 60), "**Is it free?**\n\nYes, for schools. Others pay.");
    assert_eq!(replied("Is it free?", "Is it free?", 60), "Is it free?", "nothing stands behind it");
    let mail = "Hello all.\n\nThey are in drawer 9.\n\nOn Sunday Ed wrote:\n\n> Where are the keys?\n> Ed\n";
    assert_eq!(replied(mail, "Where are the keys?", 60), mail.trim_end());
    let short = "They are in drawer 9.\n\nOn Sunday Ed wrote:\n\n> Where are the keys?\n> Ed";
    assert_eq!(replied(mail, "Where are the keys?", 17), short);
    let below = "On Sunday Ed wrote:\n> Where are the keys?\nIn drawer 9.\n";
    assert_eq!(replied(below, "Where are the keys?", 60), "Where are the keys?\nIn drawer 9.");
    assert_eq!(replied("> Where are the keys?", "Where are the keys?", 60), "Where are the keys?");
}

/// EM-01: what only asks is told from what answers itself.
#[test]
fn em_01_what_only_asks_is_known() {
    for (text, asks) in [
        ("** TODO Where was Martha Pell born?", true),
        ("- Who was the lodger?\n- Where did she live?\n", true),
        ("Who was the lodger? Patrick Quinn.", false),
        ("Who was the lodger?\nPatrick Quinn.", false),
        ("", false),
    ] {
        assert_eq!(only_asks(text), asks, "{text}");
    }
}
