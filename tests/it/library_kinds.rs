//! Files of all kinds in a library, written by real programs (`checks/real-files` makes more): what they say is quoted, from where it stands.

use std::path::Path;

use crate::cli::Home;

const SURGE: &str = "How much did the surge of 1953 add at Dunmore?";
const RANGE: &str = "What is the range of Carrick?";

/// The file, the question, what the source is, and words of the quote.
const FILES: [(&str, &str, &str, &str); 15] = [
    ("pandoc.docx", SURGE, "paragraph 19", "2.9 metres"),
    ("libreoffice.docx", SURGE, "paragraph 20", "2.9 metres"),
    ("pandoc.odt", SURGE, "paragraph 20", "Ines Varga"),
    ("libreoffice.rtf", SURGE, "paragraph 19", "2.9 metres"),
    ("pandoc.rtf", SURGE, "paragraph 30", "2.9 metres"),
    ("pandoc.epub", SURGE, "chapter 3", "2.9 metres"),
    ("libreoffice.pptx", SURGE, "slide 2", "2.9 metres"),
    ("libreoffice.odp", SURGE, "slide 3", "2.9 metres"),
    ("chromium.pdf", SURGE, "p. 2", "2.9 metres"),
    (
        "fpdf.pdf",
        "Who removes silt from the basin between April and October?",
        "p. 1",
        "for the weeks of the regatta | Paul Okafor |",
    ),
    (
        "fpdf.pdf",
        "How much was spent on dredging in the South basin in 2025?",
        "p. 1",
        "| South basin: Dredging | 18,400 | 20,750 |",
    ),
    // On its side.
    ("fpdf.pdf", "How many seats does the ferry Kormoran have?", "p. 2", "| Kormoran | 96 | 24 knots |"),
    ("pandoc.ipynb", SURGE, "cell 1", "2.9 metres"),
    ("libreoffice.xlsx", RANGE, "ports!A4:C4", "4.9 | 1960-01-07"),
    ("libreoffice.ods", RANGE, "ports!A4:C4", "4.9 | 1960-01-07"),
];

#[test]
fn lb_01_files_of_real_programs_are_quoted_from_where_they_say_it() {
    let home = Home::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    for (file, question, place, words) in FILES {
        let path = data.join(file);
        let done = home.run(&["deep-research", "--json", "--library", path.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{file}: {}", done.stderr);
        let reply = done.json();
        assert_eq!(reply["sources"][0]["place"], place, "{file}: {reply}");
        assert!(reply["sources"][0]["lines"].is_null(), "{file}: {reply}");
        let report = reply["result"].as_str().unwrap().replace("**", "");
        assert!(report.contains(words), "{file}: {report}");
        assert!(report.contains(&format!("`{file}`, {place}")), "{file}: {report}");
    }
}

#[test]
fn lb_01_files_inside_an_archive_are_quoted_by_their_own_names() {
    let home = Home::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    for archive in ["tar.tgz", "python.zip"] {
        let path = data.join(archive);
        let ask = |question: &str| {
            let done = home.run(&["deep-research", "--library", path.to_str().unwrap(), question]);
            assert_eq!(done.status, 0, "{archive}: {}", done.stderr);
            done.stdout
        };
        let surge = ask(SURGE);
        assert!(surge.contains(&format!("`{archive}!docs/pandoc.docx`, paragraph 19")), "{surge}");
        let gauge = ask("Where does the float gauge stand?");
        assert!(gauge.contains(&format!("{archive}!docs/gauges.md")), "{gauge}");
    }
}

/// LB-01: what is attached to a mail and what it forwards is quoted from where it stands.
#[test]
fn lb_01_attachments_of_mail_are_quoted_by_their_own_names() {
    let home = Home::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files/python.eml");
    for (question, place, words) in [
        (SURGE, "`python.eml!tides.docx`, paragraph 19", "2.9 metres"),
        (RANGE, "`python.eml!ports.csv`, line 3", "4.9"),
        ("Where was the float gauge at Dunmore moved?", "`python.eml`, message 1", "south pier"),
        // Who sent it and when stands above what a message says.
        ("Who sent the tide papers?", "`python.eml`, message 1", "From: Ines Varga"),
        ("When was the float gauge mail sent?", "`python.eml`, message 1", "Date: Sun, 31 Dec 2023"),
    ] {
        let done = home.run(&["deep-research", "--library", path.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let report = done.stdout.replace("**", "");
        let answer = report.split_once("[1]").unwrap().0;
        assert!(report.contains(&format!("[1] {place}")) && answer.contains(words), "{question}: {report}");
        assert!(!report.contains("Not found as asked"), "{question}: {report}");
    }
}

/// LB-01: cards, calendars and RTF answer what they are asked for most, from where it stands.
#[test]
fn lb_01_cards_calendars_and_memos_answer() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "suppliers.vcf",
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Brandt Metall\r\nORG:Brandt Metall\r\nTEL;TYPE=WORK:+49 2331 88 41 20\r\nEND:VCARD\r\n\
             BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Nordlager AB\r\nTEL;TYPE=WORK:+46 31 702 55 10\r\nEND:VCARD\r\n",
        ),
        (
            "firm.ics",
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Board meeting\r\nDTSTART;TZID=Europe/Berlin:20260514T090000\r\nLOCATION:Room 4\r\nEND:VEVENT\r\n\
             BEGIN:VEVENT\r\nSUMMARY:Summer party\r\nDTSTART;VALUE=DATE:20260710\r\nRRULE:FREQ=YEARLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        ),
        (
            "invite.eml",
            "From: Lena <lena@x.example>\r\nSubject: Talk\r\nDate: Fri, 6 Mar 2026 08:00:00 +0100\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n\
             --b\r\nContent-Type: text/plain\r\n\r\nPlease come.\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n\
             BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Budget round\r\nDTSTART;TZID=Europe/Berlin:20260320T100000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n--b--\r\n",
        ),
        // The title names another year than a column.
        (
            "plan.md",
            "# Plan 2026\n\n| Item | 2025 | 2026 |\n| --- | --- | --- |\n| Rope | 3 | 4 |\n| Buoys | 7 | 9 |\n",
        ),
        ("budget.csv", "Item,2024,2025\nNorth basin,,\nLamps,31,33\nSouth basin,,\nLamps,18,20\nTotal,49,53\n"),
        (
            "memo.rtf",
            "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\pard\\outlinelevel0 Alarm\\par\\pard From Monday the alarm of hall 7 arms itself at 21:30.\\par}",
        ),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for (question, place, words) in [
        ("What is the phone number of Brandt Metall?", "`suppliers.vcf:1-6`", "+49 2331 88 41 20"),
        ("What is the phone number of Nordlager?", "`suppliers.vcf:7-11`", "+46 31 702 55 10"),
        ("When is the board meeting?", "`firm.ics:2-6`", "Thursday 2026-05-14, 09:00 (Europe/Berlin)"),
        ("How often does the summer party take place?", "`firm.ics:7-11`", "every year"),
        ("When is the budget round?", "`invite.eml!calendar.ics", "Friday 2026-03-20, 10:00"),
        (
            "How much was spent on lamps in the South basin in 2025?",
            "`budget.csv:5`",
            "| South basin: Lamps | 18 | 20 |",
        ),
        ("How much do the buoys take in 2025?", "`plan.md:6`", "| Buoys | 7 | 9 |"),
        ("When does the alarm of hall 7 arm itself?", "`memo.rtf`, paragraph 2", "21:30"),
    ] {
        let done = home.run(&["deep-research", "--library", folder.path().to_str().unwrap(), question]);
        let report = done.stdout.replace("**", "");
        assert!(report.contains(&format!("[1] {place}")), "{question}: {report}");
        assert!(report.split_once("[1]").unwrap().0.contains(words), "{question}: {report}");
        assert!(!report.contains("Not found as asked"), "{question}: {report}");
    }
}

/// LB-01: a row is cited by its own line, or by lines that it is among, where cells go on over several lines.
#[test]
fn lb_01_rows_near_cells_of_several_lines_are_cited_by_lines_they_stand_in() {
    let home = Home::new();
    for (separator, name) in [(",", "l.csv"), ("\t", "l.tsv")] {
        for every in [usize::MAX, 7, 5, 3] {
            let row = |n: usize| match n {
                17 => ["17".to_owned(), "The station Marvelok was opened in 1748.".to_owned(), "Ann".to_owned()],
                n if n % every == 0 => [n.to_string(), format!("\"first {n}\nsecond {n}\""), "Bob".to_owned()],
                n => [n.to_string(), format!("plain note nr {n}"), "Cy".to_owned()],
            };
            let rows: Vec<String> = (1..40).map(|n| row(n).join(separator)).collect();
            let text = format!("{}\n{}\n", ["id", "note", "who"].join(separator), rows.join("\n"));
            let line = text.lines().position(|line| line.contains("Marvelok")).unwrap() + 1;
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(name), text).unwrap();
            let question = "When was the station Marvelok opened?";
            let done = home.run(&["deep-research", "--library", folder.path().to_str().unwrap(), question]);
            let cited = done.stdout.split_once(&format!("[1] `{name}")).unwrap().1.lines().next().unwrap();
            let place = cited.split(" —").next().unwrap();
            let numbers = place.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
            let numbers: Vec<usize> = numbers.take(2).collect();
            let (first, last) = (numbers[0], *numbers.last().unwrap());
            assert!((first..=last).contains(&line), "line {line}, every {every}: {}", done.stdout);
            assert!(every < 40 || first == last, "line {line}: {}", done.stdout);
        }
    }
}

/// LB-01: code and settings of the usual tools answer, hidden ones of a project among them; secrets do not, and what is hidden is told.
#[test]
fn lb_01_settings_of_projects_answer_and_secrets_do_not() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("app.jsonc", "{\n  // Wide enough for tables.\n  \"rulerWidth\": 132\n}\n"),
        ("go.mod", "module example.org/tides\n\ngo 1.22\n\nrequire github.com/gorilla/mux v1.8.1\n"),
        ("main.hcl", "service \"gauge\" {\n  replicas = 7\n}\n"),
        ("Cargo.lock", "[[package]]\nname = \"harbour\"\nversion = \"3.14.1\"\n"),
        ("fix.patch", "--- a/pump.c\n+++ b/pump.c\n@@ -1 +1 @@\n-int pump_pressure = 4;\n+int pump_pressure = 6;\n"),
        (".github/workflows/ci.yml", "jobs:\n  test:\n    env:\n      RUSTFLAGS: -D warnings\n"),
        (".readthedocs.yaml", "build:\n  tools:\n    python: '3.12'\n"),
        (".env", "SMTP_PASSWORD=hunter2\n"),
        ("id_rsa", "-----BEGIN RSA PRIVATE KEY-----\nhunter2\n"),
        (".notes.md", "hunter2 is hidden.\n"),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let ask = |question: &str| {
        home.run(&["deep-research", "--library", folder.path().to_str().unwrap(), question]).stdout.replace("**", "")
    };
    for (question, file, words) in [
        ("What is the rulerWidth?", "app.jsonc", "132"),
        ("Which version of gorilla mux is required?", "go.mod", "v1.8.1"),
        ("How many replicas does the gauge service have?", "main.hcl", "replicas = 7"),
        ("Which version of harbour is locked?", "Cargo.lock", "3.14.1"),
        ("What is the pump_pressure?", "fix.patch", "pump_pressure = 6"),
        ("What are the RUSTFLAGS?", ".github/workflows/ci.yml", "-D warnings"),
        ("Which python is used by readthedocs?", ".readthedocs.yaml", "3.12"),
    ] {
        let report = ask(question);
        assert!(report.contains(&format!("[1] `{file}")), "{question}: {report}");
        assert!(report.split_once("[1]").unwrap().0.contains(words), "{question}: {report}");
    }
    let report = ask("What is hunter2, the password of SMTP?");
    assert!(!report.contains("PASSWORD") && !report.contains("PRIVATE"), "{report}");
    assert!(report.contains("3 files not read (2 hidden, 1 secrets)"), "{report}");
}

/// LB-01: all of a long message is found and cited by who sent it, and what it says of somebody else is not doubted for that.
#[test]
fn lb_01_messages_are_cited_by_their_senders() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let filler =
        "The weather on the moor was as it is in most years, and nobody complained about the road. ".repeat(40);
    let mail = format!(
        "From: \"Saskia Holm\" <holm@x>\nTo: a@x\nSubject: Your claim\nDate: Mon, 13 May 2024 11:05:10 +0100\n\n{filler}\n\nMs Abbasi's gross pay was 2740 crowns a month.\n\n{filler}\n\nThe dry dock is booked for October.\n"
    );
    std::fs::write(folder.path().join("a.eml"), mail).unwrap();
    for (question, words) in [
        ("How much was the gross pay of Ms Abbasi per month?", "2740 crowns"),
        ("What did Saskia Holm write about the dry dock?", "October"),
    ] {
        let done = home.run(&["deep-research", "--library", folder.path().to_str().unwrap(), question]);
        let report = done.stdout.replace("**", "");
        let trail = "[1] `a.eml`, message 1 — Your claim › Saskia Holm, 13 May 2024";
        assert!(report.contains(trail) && !report.contains("Not found as asked"), "{question}: {report}");
        assert!(report.split_once("[1]").unwrap().0.contains(words), "{question}: {report}");
    }
}

/// LB-01: a page of the manual is quoted by its lines, a text that ends in a number is a text, and what is no text is counted.
#[test]
fn lb_01_manual_pages_are_quoted_from_their_lines() {
    let home = Home::new();
    let folder = home.0.path().join("man");
    std::fs::create_dir(&folder).unwrap();
    let page = ".TH GAUGE 8\n.SH NAME\ngauge \\- read a gauge\n.SH OPTIONS\n.TP\n.BR \\-d \", \" \\-\\-delay =\\fIseconds\\fR\nWait so long between two\nreadings of the float gauge.\n";
    std::fs::write(folder.join("gauge.8"), page).unwrap();
    std::fs::write(folder.join("NOTES-1.2"), "The south pier was painted green in May.\n").unwrap();
    std::fs::write(folder.join("libtide.so.6"), b"\x7fELF\0\0\0\0").unwrap();
    let folder = folder.to_str().unwrap();
    let added = home.run(&["library", "add", folder]);
    assert!(added.stdout.contains("1 file not read (1 numbered)"), "{}", added.stdout);
    for (question, place, words) in [
        ("What does --delay of gauge do?", "`gauge.8:6-8`", "Wait so long between two readings"),
        ("Which colour was the south pier painted?", "`NOTES-1.2:1`", "green"),
    ] {
        let done = home.run(&["deep-research", "--library", folder, question]);
        let report = done.stdout.replace("**", "");
        assert!(report.contains(&format!("[1] {place}")) && report.contains(words), "{question}: {report}");
    }
}

#[test]
fn lb_01_a_folder_in_which_nothing_can_be_read_says_so() {
    let home = Home::new();
    let folder = home.0.path().join("pictures");
    std::fs::create_dir(&folder).unwrap();
    for name in ["a.png", "b.png", "c.doc"] {
        std::fs::write(folder.join(name), "x").unwrap();
    }
    let folder = folder.to_str().unwrap();
    let added = home.run(&["library", "add", folder]);
    assert_eq!(added.status, 0, "{}", added.stderr);
    assert!(
        added.stdout.contains("0 files") && added.stdout.contains("3 files not read (2 png, 1 doc)"),
        "{}",
        added.stdout
    );
    assert!(added.stdout.contains("Nothing in it can be searched"), "{}", added.stdout);
    let listed = home.run(&["library", "list", "--json"]).json();
    assert_eq!(listed["roots"][0]["skipped"], serde_json::json!({"doc": 1, "png": 2}), "{listed}");
    let asked = home.run(&["deep-research", "--json", "--engine", "extractive", "How deep is the sea?"]);
    assert!(asked.stdout.contains("3 files not read (2 png, 1 doc)"), "{}", asked.stdout);
}

/// LB-01: what could not be read is said with the reason that holds, also where the answer is that there is none.
#[test]
fn lb_01_what_is_not_read_is_said_where_nothing_is_found() {
    let home = Home::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = home.0.path().join("papers");
    std::fs::create_dir(&folder).unwrap();
    std::fs::copy(data.join("unreadable/encrypted.pdf"), folder.join("encrypted.pdf")).unwrap();
    std::fs::write(folder.join("empty.ipynb"), r#"{"nbformat": 4, "cells": []}"#).unwrap();
    std::os::unix::fs::symlink(data.join("files/pandoc.docx"), folder.join("surge.docx")).unwrap();
    let path = folder.to_str().unwrap();
    let alone = home.run(&["library", "add", path]).stdout;
    assert!(alone.contains("2 could not be read") && alone.contains("no file in it could be read"), "{alone}");
    std::fs::write(folder.join("a.md"), "The tide is high.").unwrap();
    let reply = home.run(&["deep-research", "--json", "--library", path, SURGE]).json();
    assert_eq!(reply["stop_reason"], "nothing_found", "{reply}");
    let counted = "in 1 document; 1 file not read (1 link); 2 could not be read.";
    for says in [counted, "encrypted in a way that is not read", "has no text that can be read"] {
        assert!(reply.to_string().contains(says), "{says}: {reply}");
    }
}

/// What a report says itself, of its doubts and of what could not be read, is not said again below it.
#[test]
fn lb_02_nothing_is_said_twice() {
    let home = Home::new();
    let folder = home.0.path().join("shop");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.md"), "Der Bäcker heißt Jürgen.").unwrap();
    std::fs::write(folder.join("b.docx"), "PK\u{3}\u{4} no more").unwrap();
    let path = folder.to_str().unwrap();
    let said = home.run(&["ask", "--offline", "--library", path, "Who is the baker?"]).stdout;
    for once in ["searched for", "Not found as asked", "it is no whole zip archive", "Problems"] {
        assert_eq!(said.matches(once).count(), 1, "{once}: {said}");
    }
}

/// A folder with a note, a draft and a hidden file.
fn notes(home: &Home) -> String {
    let folder = home.0.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    for name in ["a.md", "draft-b.md", ".c.md"] {
        std::fs::write(folder.join(name), "The tide is high.").unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

#[test]
fn excluded_files_are_left_out_and_the_choice_is_kept() {
    let home = Home::new();
    let folder = &notes(&home);
    let added = home.run(&["library", "add", folder, "--exclude", "draft-*", "--hidden", "--json"]).json();
    assert_eq!((&added["root"]["files"], &added["root"]["exclude"][0]), (&2.into(), &"draft-*".into()), "{added}");
    let again = home.run(&["library", "add", folder, "--json"]).json();
    assert_eq!((&again["root"]["files"], &again["root"]["hidden"]), (&2.into(), &true.into()), "{again}");
    assert_eq!(again["root"]["skipped"], serde_json::json!({"excluded": 1}), "{again}");
    // Lists show it as well, and what could not be read.
    std::fs::write(std::path::Path::new(folder).join("damaged.docx"), "PK\u{3}\u{4} no more").unwrap();
    let added = home.run(&["library", "add", folder]);
    let listed = home.run(&["library", "list"]);
    for (said, told) in [(&added.stdout, "; 1 could not be read"), (&listed.stdout, "; 1 could not be read")] {
        assert!(said.contains(told) && said.contains("`draft-*`") && said.contains("Hidden files are read"), "{said}");
    }
    let listed = home.run(&["library", "list", "--json"]).json();
    assert_eq!(listed["roots"][0]["unread"], 1, "{listed}");
}

/// What is not said at another `add` stays as it was, and a pattern that cannot be read is refused.
#[test]
fn each_part_of_the_choice_is_kept_by_itself() {
    let home = Home::new();
    let folder = &notes(&home);
    let add = |more: &[&str]| home.run(&[&["library", "add", folder, "--json"], more].concat());
    for (more, files) in [(&["--exclude", "draft-*"][..], 1), (&["--hidden"], 2), (&["--exclude", "a.md"], 2)] {
        let added = add(more).json();
        assert_eq!(added["root"]["files"], files, "{more:?}: {added}");
    }
    for pattern in ["[", "", "{a,b"] {
        let refused = add(&["--exclude", pattern]);
        assert!(refused.status == 2 && refused.stdout.contains("cannot be read"), "{pattern}: {}", refused.stdout);
    }
    let everything = add(&["--exclude", "**"]);
    assert_eq!(everything.status, 0, "{}", everything.stderr);
    let listed = home.run(&["library", "list"]);
    assert!(listed.stdout.contains("everything in it is left out"), "{}", listed.stdout);
}

/// A folder that is empty all at once is answered from what was indexed, and says so.
#[test]
fn a_disk_that_is_not_mounted_is_answered_from_the_index() {
    let home = Home::new();
    let [away, healthy] = ["away", "healthy"].map(|name| home.0.path().join(name));
    for (folder, text) in [(&away, "# A\n\nThe gizmo costs seven crowns.\n"), (&healthy, "The gadget is green.\n")] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("a.md"), text).unwrap();
        let added = home.run(&["library", "add", folder.to_str().unwrap()]);
        assert_eq!(added.status, 0, "{}", added.stderr);
    }
    std::fs::remove_file(away.join("a.md")).unwrap();
    for (folder, says) in [(true, "is empty now"), (false, "there is no folder or file")] {
        if !folder {
            std::fs::remove_dir(&away).unwrap();
        }
        // What is named with a question and is not there is refused as before.
        let by_name = ["--library", away.to_str().unwrap()];
        for named in [&[][..], &by_name].into_iter().take(if folder { 2 } else { 1 }) {
            let question = [&["deep-research", "--json", "what does the gizmo cost"], named].concat();
            let asked = home.run(&question);
            assert_eq!(asked.status, 0, "{} {}", asked.stdout, asked.stderr);
            let reply = asked.json();
            assert!(reply["result"].as_str().unwrap().contains("seven crowns"), "{reply}");
            assert!(reply.to_string().contains(says), "{reply}");
            // What was indexed was searched: that it says nothing of this is no failure.
            let none = home.run(&[&["deep-research", "--json", "who invented the zeppelin"], named].concat());
            assert_eq!((none.status, &none.json()["stop_reason"]), (0, &"nothing_found".into()), "{}", none.stdout);
        }
        let listed = home.run(&["library", "list"]).stdout;
        assert!(listed.contains("Questions are answered from what was indexed: it is "), "{listed}");
    }
}

/// Tools that normalise times leave the size and the time of a file as they were.
#[test]
fn a_file_whose_time_was_set_back_is_quoted_as_it_is_now() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    let written = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
    let write = |text: &str| {
        std::fs::write(folder.join("a.md"), text).unwrap();
        let file = std::fs::File::options().append(true).open(folder.join("a.md")).unwrap();
        file.set_modified(written).unwrap();
    };
    write("# Pool\n\nThe pool opens at 6:30.\n");
    assert_eq!(home.run(&["library", "add", folder.to_str().unwrap()]).status, 0);
    write("# Pool\n\nThe pool opens at 7:45.\n");
    let asked = home.run(&["deep-research", "--json", "When does the pool open?"]);
    assert_eq!(asked.status, 0, "{} {}", asked.stdout, asked.stderr);
    assert!(asked.json()["result"].as_str().unwrap().contains("7:45"), "{}", asked.stdout);
}
