use super::super::answer::{Above, AskedWord};
use super::*;

fn quoted(question: &str, above: &[&str], text: &str, most_words: usize) -> String {
    let words = crate::core::language::words::informative(question);
    let words = words.into_iter().map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
    let asked = AskedQuestion::new(question, words.collect());
    let found = asked.widened(text, asked.answer(Above::default(), text, most_words), most_words);
    let listed = with_list(&asked, above, text, found, most_words);
    cut(text, &listed).to_owned()
}

/// EM-01: a line that announces a list brings all of its items, however they are numbered.
#[test]
fn em_01_steps_are_quoted_with_what_announces_them() {
    let steps = [
        "1. Fill the tank.\n2. Press **Clean**. Hold it.\n3. Wait.",
        "1) Fill the tank.\n2) Press Clean.\n3) Wait.",
        "(1) Fill the tank.\n(2) Press Clean.\n(3) Wait.",
        "a. Fill the tank.\nb. Press Clean, and\n   hold it.\nc. Wait.",
        "i. Fill the tank.\nii. Press Clean.\niii. Wait.",
        "#. Fill the tank.\n#. Press Clean.\n#. Wait.",
        "- Fill the tank.\n\n- Press Clean:\n  - long\n  - hard\n- Wait.",
        "• Fill the tank.\n• Press Clean.\n• Wait.",
        "1. Fill the tank:\n\n```\nfill 1\n```\n\n2. Press Clean.\n\n   Hold it.\n3. Wait.",
    ];
    for steps in steps {
        for lead in ["To descale the boiler:\n\n", "To descale the boiler:\n", "**Descale the boiler**\n\n"] {
            let text = format!("The pump is old.\n\n{lead}{steps}\n\nCall us when it leaks. Thanks.\n");
            assert_eq!(quoted("How do I descale the boiler?", &[], &text, 150), format!("{lead}{steps}"));
        }
        let below = format!("{steps}\n\nCall us when it leaks. Thanks.\n");
        assert_eq!(quoted("How do I descale the boiler?", &["Descale the boiler"], &below, 150), steps);
    }
    let steps = "1. Open the client.\n2. Choose Restore.\n3. Search the file.\n4. Wait.";
    assert_eq!(quoted("How do I restore a file?", &["Restore a file"], steps, 150), steps);
    let mid = "The pump is old. Start it so:\n1. Pull.\n2. Push.\n\nThe pump is red.\n";
    assert!(quoted("How do I start it?", &[], mid, 150).ends_with("Start it so:\n1. Pull.\n2. Push."), "{mid}");
}

/// EM-01: only whole items are quoted, and none behind the one that was asked for.
#[test]
fn em_01_a_list_is_cut_between_its_items() {
    let text = "To descale the boiler:\n\n1. Fill the tank. Then turn it on.\n2. Wait.\n3. Rinse it twice.\n";
    for (most_words, end) in [(5, "boiler:"), (11, "tank."), (13, "on."), (17, "Wait."), (18, "twice.")] {
        let found = quoted("descale the boiler", &[], text, most_words);
        assert!(found.ends_with(end), "{most_words}: {found}");
    }
    let staff = "Staff:\n\n- Basil earns 2020.\n- Corvin earns 3030.\n- Delphine earns 4040.\n";
    assert_eq!(quoted("What does Corvin earn?", &[], staff, 150), "- Corvin earns 3030.");
    let found = quoted("What of the staff does Corvin earn?", &[], staff, 150);
    assert!(found.ends_with("3030."), "{found}");
    assert_eq!(quoted("What does Corvin earn?", &["Who earns what"], staff, 150), "- Corvin earns 3030.");
    let item = "- Corvin is here. He sings.\n- Basil left.\n";
    assert_eq!(quoted("Where is Corvin?", &[], item, 4), "- Corvin is here.");
}

/// EM-01: an item that names others is quoted with them.
#[test]
fn em_01_an_item_is_quoted_with_those_below_it() {
    let menu = "- Monday\n  - Soup: lentil\n  - Main: trout\n- Tuesday\n  - Soup: tomato\n  - Main: goulash\n- Wednesday\n  - Soup: leek\n";
    assert_eq!(quoted("What is there on Tuesday?", &[], menu, 60), "- Tuesday\n  - Soup: tomato\n  - Main: goulash");
    assert_eq!(quoted("What is there on Tuesday?", &[], menu, 6), "- Tuesday");
}
