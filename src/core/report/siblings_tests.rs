use super::super::equals::tests::asked_of;
use super::*;

/// EM-01: a sentence on one of many tells nothing of another.
#[test]
fn em_01_what_is_said_of_one_is_not_said_of_its_like() {
    for (question, text, another) in [
        ("Hall mobility of S-04", "The thickness of S-04 is 221 nm.\n\nThe Hall mobility of S-06 is 41.", Some("S-04")),
        ("Hall mobility of S-06", "The thickness of S-04 is 221 nm.\n\nThe Hall mobility of S-06 is 41.", None),
        ("Hall mobility of S-04", "S-04 is 221 nm thick. The Hall mobility is 41.", None),
        (
            "seal of the autoclave in room 17",
            "The seal of the autoclave in room 9 is new. Room 17 is closed.",
            Some("room 17"),
        ),
        ("seal of the autoclave in room 17", "The seals of the autoclaves in rooms 9 and 17 are new.", None),
        ("thickness of the plate", "The thickness of S-04 is 221 nm.", None),
        ("what is due on 3 May", "The fee is due on 4 May. We met on 3 May.", None),
    ] {
        assert_eq!(told_of_another(&asked_of(question), &[], text, &(0..text.len())), another, "{question}: {text}");
    }
}

/// EM-01: what is told of one year, month or day is not told of another.
#[test]
fn em_01_what_is_said_of_one_time_is_not_said_of_another() {
    let log = "03.01.2024  Ward Hill off air: ice. It came back at noon.\n09.10.2024  Lamb Holm off air: power cut.\n";
    let minutes = "Fee: it applies from 1 January 2026.\n\nElections: boat master stays Gunnar Lie.";
    for (question, title, text, another) in [
        ("What was the income in 2024?", "Minutes, 14 March 2024", "An income of 18,240 in 2023.", Some("2024")),
        ("What was the income in 2023?", "Minutes, 14 March 2024", "An income of 18,240 in 2023.", None),
        ("What was the income in 2024?", "Report 2024", "The income was 18,240.", None),
        ("What was the income in 2024?", "", "In 2024 we met. The income was 18,240.", None),
        ("Who is the boat master in 2026?", "Minutes, 13 March 2025", minutes, Some("2026")),
        ("Who is the boat master in 2026?", "Minutes", minutes, None),
        ("Why was Ward Hill off air in October 2024?", "", log, Some("October 2024")),
        ("Why was Lamb Holm off air in October 2024?", "", log, None),
        ("Why was Ward Hill off air on 9 October 2024?", "", log, Some("9 October 2024")),
        ("Why was Ward Hill off air on 3 January 2024?", "", log, None),
    ] {
        let asked = asked_of(question);
        let found = told_of_another(&asked, &[title], text, &(0..text.len()));
        assert_eq!(found, another, "{question}: {title}: {text}");
    }
}

/// EM-01: a verb that is told of something else tells nothing of what another sentence speaks of.
#[test]
fn em_01_what_is_done_to_one_thing_is_not_done_to_another() {
    let key = "Frau Weber gab ihren Schlüssel am Sonntag ab. Die Betten kamen aus der Kaserne.";
    for (question, above, text, another) in [
        ("Wer hat Betten abgegeben?", "Lager", key, true),
        ("Wer hat Betten abgegeben?", "Betten", key, false),
        ("Wer hat Schlüssel abgegeben?", "Lager", key, false),
        ("Wer hat Betten abgegeben?", "Lager", "Die Betten kamen am Freitag. Frau Weber gab sie ab.", false),
        ("Wer hat Betten abgegeben?", "Lager", "Frau Weber gab 40 Betten ab. Betten sind schwer.", false),
        (
            "Wann wird Licht abgeschaltet?",
            "",
            "Das Licht ist neu. Abends schaltet Paul um 22 Uhr die Heizung ab.",
            true,
        ),
        ("Wer öffnet Türen?", "", "Die Tür ist rot. Paul öffnet das Tor.", false),
    ] {
        assert_eq!(
            done_to_another(&asked_of(question), &[above], text, &(0..text.len())).is_some(),
            another,
            "{question} {text}"
        );
    }
}

/// EM-01: what is told in the entry of somebody is not told of those whom it mentions.
#[test]
fn em_01_an_entry_does_not_tell_of_those_whom_it_mentions() {
    let entry = "Born on 2 May 1868 in Leeds. Married Agnes Thorne in 1895. Children: Clara, Peter.";
    for (question, heading, another) in [
        ("when was Agnes Thorne born", "Edwin Harlan (1868-1940)", Some("Agnes Thorne")),
        ("when was Peter Harlan born", "Edwin Harlan", Some("Peter Harlan")),
        ("when was Edwin Harlan born", "Edwin Harlan", None),
        ("who married Agnes Thorne", "Edwin Harlan", None),
        ("when was Agnes Thorne born", "Getting Started", None),
        ("when was Agnes Thorne born", "Lease: Flat 2, Harbour Lane", None),
        ("how many children did Edwin Harlan and Agnes Thorne have", "Edwin Harlan", None),
        ("when was Agnes Thorne born", "", None),
        ("when was she born", "Edwin Harlan", None),
    ] {
        assert_eq!(entry_of_another(&asked_of(question), Some(heading), entry), another, "{question}: {heading}");
    }
}
