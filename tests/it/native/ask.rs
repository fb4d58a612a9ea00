//! The verb for people, `hadal ask`, and what it says of its choices.

use sim::web::QUESTION;

use super::Lab;
use super::script::reader;

/// ST-03: words need no quotes, flags stand before the first of them, and what was chosen is said on stderr and in the reply.
#[test]
fn st_03_a_question_in_plain_words_says_what_was_chosen() {
    let lab = Lab::new(reader);
    let words: Vec<&str> = QUESTION.split(' ').collect();
    for (flags, level, rounds) in [(vec![], "medium", 2), (vec!["--deep"], "deep", 2), (vec!["--quick"], "medium", 1)] {
        let depth = if flags == ["--quick"] { "quick" } else { level };
        let (reply, output) = lab.run(&[vec!["ask"], flags.clone(), words.clone()].concat());
        assert_eq!(reply["status"], "completed", "{reply:#}");
        assert_eq!(reply["metadata"]["query"], QUESTION);
        assert_eq!(reply["metadata"]["strategy"], level, "{flags:?}");
        assert_eq!(reply["metadata"]["engine"]["name"], "native");
        assert_eq!(reply["metadata"]["iterations"], rounds, "{flags:?} {reply:#}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("Engine native (") && said.contains(&format!("depth: {depth}")), "{said}");
    }
}

/// ST-03: what looks like a flag behind the first word is a word; an unknown flag before it is refused.
#[test]
fn st_03_flags_stand_before_the_first_word() {
    let lab = Lab::new(reader);
    let (reply, _) = lab.run(&["ask", "--quick", "what", "does", "git", "gc", "--prune", "do", "--deep"]);
    assert_eq!(reply["metadata"]["query"], "what does git gc --prune do --deep", "{reply:#}");
    for refused in [&["ask", "--depe", "why"][..], &["ask"], &["ask", "--deep", "--quick", "why is it so"]] {
        let (reply, output) = lab.run(refused);
        assert_eq!(
            (reply["error"]["code"].as_str(), output.status.code()),
            (Some("INVALID_ARGUMENT"), Some(2)),
            "{refused:?}"
        );
    }
}
