//! A quote is an entry as it stands: with its note and its term, and without the next one.

use crate::folder::Folder;

/// EM-01: what a note says is quoted with the row or sentence that refers to it, and nowhere else.
#[test]
fn em_01_a_quote_has_its_note() {
    let hosts = "# Hosts\n\n| Host | Memory |\n|---|---|\n| hv-1 | 384 GB |\n| hv-2 | 256 GB[^1] |\n\n\
                 [^1]: Two modules were removed on 3 December 2025.\n\n## Rules\n\nNothing here about bicycles.\n";
    let plates = "<h1>Plates</h1><table><tr><th>No<th>Weight<th>Price<tr><td>RP-01<td>495 kg<td>68 EUR<sup><a href='#fn1'>1</a></sup>\
                  <tr><td>RP-02<td>414 kg<td>59 EUR</table><h2>Cold weather</h2><p>Below -10 degrees preheat twice.</p>\
                  <ol><li id='fn1'>Regular customers pay 61 EUR.</ol>";
    let rates = "Rates\n\nTIRF-1 costs 12 pounds per hour.[1]\n\nThe room is open from 7 to 22.\n\n[1] From August TIRF-1 is free of charge.\n";
    let folder = Folder::new(&[("hosts.md", hosts), ("plates.html", plates), ("rates.txt", rates)]);
    for (question, has, place) in [
        (
            "How much memory has hv-2?",
            "256 GB \\[1: Two modules were removed on 3 December 2025.]",
            "`hosts.md`, lines 6 and 8",
        ),
        ("What is the price of RP-01?", "68 EUR \\[1: Regular customers pay 61 EUR.]", "`plates.html`, line 1"),
        ("What do regular customers pay for RP-01?", "**RP-01**", "`plates.html`, line 1"),
        ("What does TIRF-1 cost per hour?", "\\[1: From August", " and 7"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.top.contains(has), "{question}: {}", answer.report);
        assert!(!answer.report.contains("Cold weather"), "{question}: {}", answer.report);
        assert!(answer.report.contains(place), "{question}: {}", answer.report);
    }
}

/// EM-01: a note of another chapter is not put into a quote, and a power is no mark of one.
#[test]
fn em_01_a_quote_has_no_note_of_another() {
    let fauna = "CHAPTER ONE\n\nThe fox hunts at dusk.[1]\n\n[1] Except in rain.\n\nCHAPTER TWO\n\nThe badger digs at night.[1]\n\n\
                 [1] Except in frost.\n";
    let fields = "The paddock is 40 m² large.\n\n² Measured by Lena.\n";
    let folder = Folder::new(&[("fauna.txt", fauna), ("fields.txt", fields)]);
    let answer = folder.ask("When does the fox hunt?");
    assert!(answer.top.contains("dusk") && !answer.top.contains("frost"), "{}", answer.report);
    let answer = folder.ask("How large is the paddock?");
    assert!(answer.top.contains("40 m²") && !answer.top.contains("[²"), "{}", answer.report);
}

/// EM-01: an entry is quoted with its term or its lead, and without the one behind it.
#[test]
fn em_01_an_entry_is_quoted_alone() {
    let options = "<h1>prog</h1><dl><dt><kbd>-F</kbd></dt><dd><p>Do not fork.</p></dd><dt><kbd>-P <var>file</var></kbd></dt>\
                   <dd><p>Write the PID of the process to the specified file.</p></dd><dt><kbd>-i</kbd></dt><dd><p>Say more.</p></dd></dl>";
    let parameters = "<h1>Parameters</h1><h2>pipe_timeout</h2><blockquote><ul><li>Units: seconds</li><li>Default: 60</li></ul></blockquote>\
                      <p>Idle timeout for pipes.</p>";
    let minutes = "# Minutes\n\n**Emergency valve AB-02.** Replaced on 22 January.\n\n**Rates.** The rate rises to 33 pounds from April.\n\n\
                   **Storage.** The quota waits.\n";
    let faq = "Questions\n\nWhich coverslips should I use?\nPlastic dishes do not work.\n\nCan I use my own objective?\nNo.\n";
    let folder = Folder::new(&[
        ("options.html", options),
        ("parameters.html", parameters),
        ("minutes.md", minutes),
        ("faq.txt", faq),
    ]);
    for (question, begins, lacks) in [
        ("Which option writes the PID to a file?", "> `-P file`", "`-i`"),
        ("pipe_timeout default", "> > - ", "> >\n"),
        ("When will the rate rise to 33 pounds?", "> **Rates.** The", "Storage"),
        ("When was the valve of AB-02 replaced?", "> **Emergency valve AB-02.** ", "Rates"),
        ("Which coverslips should I use?", "> Which", "objective"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.top.starts_with(begins) && !answer.top.contains(lacks), "{question}: {}", answer.report);
    }
}

/// EM-01: of a mail the paragraph that answers is quoted, and not all that stands around it.
#[test]
fn em_01_of_a_mail_the_paragraph_is_quoted() {
    let mail = "From: Anna <a@x.example>\nTo: Bert <b@x.example>\nDate: Thu, 05 Mar 2026 08:21:00 +0100\nSubject: Visit\n\n\
                Dear Bert,\n\nthe meeting is on Tuesday at noon in room 4.\n\nThe cake costs 12 EUR.\n\nAnna\n";
    let folder = Folder::new(&[("visit.eml", mail)]);
    for (question, top) in [
        ("When is the meeting?", "> the **meeting** is on Tuesday at noon in room 4."),
        ("What does the cake cost?", "> The **cake** **costs** 12 EUR."),
    ] {
        let answer = folder.ask(question);
        assert_eq!(answer.top, top, "{question}: {}", answer.report);
    }
}
