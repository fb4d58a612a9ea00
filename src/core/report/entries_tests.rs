use super::super::answer::{Above, AskedQuestion, AskedWord};
use super::super::units::cut;

fn answer(question: &str, text: &str) -> String {
    let words = crate::core::language::words::informative(question);
    let words = words.into_iter().map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
    let asked = AskedQuestion::new(question, words.collect());
    let found = asked.widened(text, asked.answer(Above::default(), text, 60), 150);
    cut(text, &asked.continued(text, found, 60)).to_owned()
}

/// EM-01: a paragraph that begins with a lead in bold, a question with its answer, and the explanation of a term are quoted alone and from
/// their beginning on.
#[test]
fn em_01_entries_are_quoted_whole_and_alone() {
    let minutes = "# Minutes\n\n**Rates.** The rate rises to 33 pounds from 1 April. All others stay.\n\n\
                   **Storage.** The quota waits until the server comes.\n\n**Fire alarm.** Cause was the autoclave.\n\n\
                   **Next meeting:** 20 May.\n";
    let rates = "**Rates.** The rate rises to 33 pounds from 1 April. All others stay.";
    let faq = "Questions\n\nWhich coverslips should I use?\nNo. 1.5H. Plastic dishes do not work.\n\nCan I use my own objective?\n\
               No. Exceptions are decided by Ines.\n\nMy dye is Alexa 594. Which laser?\nThe 561 nm line.\n\nWhat about weekends?\n\
               Open from 7 to 22.\n";
    let lines =
        "Is there tea?\nYes, in the hall.\nIs there coffee?\nOnly in room 4. It costs 2 EUR.\nIs there cake?\nNo.\n";
    let options = "`-F`\nDo not fork.\n\n`-P file`\nWrite the PID of the process to the specified file.\n\n\
                   `-i name`\nSpecify the name of the server. If not given, the host name is used.\n";
    let apart = "`-t seconds`\n\n> Shut down after so many seconds.\n\n`-v`\n\n> Say more.\n";
    let files = "- `/etc/v.conf`\n\nThe default configuration file of v, unless overridden.\n\n- `/run/v/sock`\n\nThe sockets v will use.\n";
    let bare = "- /etc/v.conf\n\nThe default configuration file of v, unless overridden.\n\n- /run/v/sock\n\nThe sockets v will use.\n";
    for (question, text, wanted) in [
        (
            "Which configuration file does v use for a run?",
            bare,
            "- /etc/v.conf\n\nThe default configuration file of v, unless overridden.",
        ),
        ("When will the rate rise to 33 pounds?", minutes, rates),
        ("cause of the fire alarm", minutes, "**Fire alarm.** Cause was the autoclave."),
        (
            "Which coverslips should I use?",
            faq,
            "Which coverslips should I use?\nNo. 1.5H. Plastic dishes do not work.",
        ),
        ("Which laser for my Alexa dye?", faq, "My dye is Alexa 594. Which laser?\nThe 561 nm line."),
        ("Is there coffee?", lines, "Is there coffee?\nOnly in room 4. It costs 2 EUR."),
        (
            "Which option writes the PID to a file?",
            options,
            "`-P file`\nWrite the PID of the process to the specified file.",
        ),
        (
            "When is the host name used?",
            options,
            "`-i name`\nSpecify the name of the server. If not given, the host name is used.",
        ),
        ("Shut down after seconds", apart, "`-t seconds`\n\n> Shut down after so many seconds."),
        (
            "Which configuration file does v use for a run?",
            files,
            "- `/etc/v.conf`\n\nThe default configuration file of v, unless overridden.",
        ),
    ] {
        assert_eq!(answer(question, text), wanted, "{question}");
    }
}

/// EM-01: a sentence is quoted with its note, and only with its own.
#[test]
fn em_01_notes_are_quoted_with_their_sentence() {
    let text =
        "We taught 73. The wait was 16 days. [1: Without the sheet. There it was 34.]\n\nIt rained. [2: In May.]\n";
    for (question, wanted) in [
        ("How many days was the wait?", "The wait was 16 days. [1: Without the sheet. There it was 34.]"),
        ("How much has it rained?", "It rained. [2: In May.]"),
    ] {
        let quoted = answer(question, text);
        assert!(quoted.starts_with(wanted), "{question}: {quoted}");
    }
}
