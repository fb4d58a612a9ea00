use super::*;

fn asked(question: &str) -> AskedQuestion {
    let words = crate::core::language::words::informative(question);
    let words = words.into_iter().map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
    AskedQuestion::new(question, words.collect())
}

#[test]
fn the_sentences_that_hold_the_words_are_the_answer() {
    let text = "Rows are kept in pages. A deadlock is found after one second. The younger transaction is aborted then. \
                Locks end at commit.";
    for (question, want) in [
        (
            "What becomes of a deadlock?",
            "A deadlock is found after one second. The younger transaction is aborted then.",
        ),
        (
            "Which transaction does a deadlock abort?",
            "A deadlock is found after one second. The younger transaction is aborted then.",
        ),
        ("When do locks end?", "Locks end at commit."),
        ("Which pages have rows?", "Rows are kept in pages. A deadlock is found after one second."),
    ] {
        assert_eq!(part(text, &asked(question).answer(Above::default(), text, 60)), want, "{question}");
    }
    let one = asked("What becomes of a deadlock?").answer(Above::default(), text, 8);
    assert_eq!(part(text, &one), "A deadlock is found after one second.");
}

/// EM-01: what explains goes on behind the sentence that has the words, and ends before another entry; a figure stands in its sentence.
#[test]
fn em_01_an_explanation_goes_on() {
    let text = "The json and jsonb types differ in efficiency. The former is copied. The latter is parsed.\n\nAn index helps.\n\n- Other";
    for (question, most, want) in [
        (
            "What is the difference between json and jsonb?",
            20,
            "The json and jsonb types differ in efficiency. The former is copied. The latter is parsed.\n\nAn index helps.",
        ),
        (
            "What is the difference between json and jsonb?",
            13,
            "The json and jsonb types differ in efficiency. The former is copied.",
        ),
        ("How many types of json and jsonb are there?", 20, "The json and jsonb types differ in efficiency."),
        ("Who wrote json and jsonb?", 20, "The json and jsonb types differ in efficiency."),
    ] {
        let asked = asked(question);
        let found = asked.answer(Above::default(), text, 7);
        assert_eq!(part(text, &asked.continued(text, found, most)), want, "{question}");
    }
    let text = "The json types are slow. Cause: many copies. Dealt with by Jess Omand. All is well.\n\nAnn Lee left.";
    for (most, want) in [
        (20, "The json types are slow. Cause: many copies. Dealt with by Jess Omand."),
        (12, "The json types are slow."),
    ] {
        let asked = asked("Who repaired the json types?");
        let found = asked.answer(Above::default(), text, 5);
        assert_eq!(part(text, &asked.continued(text, found, most)), want, "who stands in the same paragraph");
    }
}

/// Where a number is asked for, the sentence that has one is meant.
#[test]
fn a_number_is_preferred_where_one_is_asked_for() {
    let text = "The tower of the castle is high. Visitors like it. Its tower has 99 steps. The castle is old.";
    assert!(
        part(text, &asked("How many steps are there in the tower?").answer(Above::default(), text, 4)).contains("99")
    );
    let text = "The treaty was signed late. Nobody knew of it. The treaty was signed in 1648. People cheered.";
    assert_eq!(
        part(text, &asked("When was the treaty signed?").answer(Above::default(), text, 7)),
        "The treaty was signed in 1648."
    );
    let text = "The tower has 4 corners. Visitors like it. There are 99 steps. The castle is old.";
    assert_eq!(
        part(text, &asked("How many steps are there in the tower?").answer(Above::default(), text, 4)),
        "There are 99 steps."
    );
    let text = "The anchor is made of iron. It rusts. The anchor weighs 12 kg. It is old.";
    assert_eq!(
        part(text, &asked("How heavy is the anchor?").answer(Above::default(), text, 5)),
        "The anchor weighs 12 kg."
    );
}

/// LB-02: what the heading has said already tells less of a sentence, and the figure may stand in the sentence after.
#[test]
fn lb_02_headings_and_the_next_sentence_count_for_the_answer() {
    let text = "Each thread takes 16 lines. Lines wait. The limit is 4. It is old.";
    let question = asked("How many threads are the limit?");
    let found = |heading| part(text, &question.answer(Above { heading, ..Above::default() }, text, 5)).to_owned();
    assert_eq!(found(None), "Each thread takes 16 lines.");
    assert_eq!(found(Some("queueWorkerThreads")), "The limit is 4.");
    let text =
        "The valley was dammed in 1952 by the army. The dam is old. It is 87 metres high. It holds 12 million litres.";
    let question = asked("How high is the dam?");
    assert_eq!(part(text, &question.answer(Above::default(), text, 60)), "The dam is old. It is 87 metres high.");
    let text =
        "Lake Ormond lies 412 metres above the sea. It was dammed in 1931. The dam is 87 metres high. It is old.";
    let words = [("lake", 1.0), ("ormond", 1.0), ("dam", 1.0), ("high", 0.0)].map(|(word, weight)| AskedWord {
        stem: word.to_owned(),
        word: word.to_owned(),
        weight,
        forms: Vec::new(),
    });
    let question = AskedQuestion::new("How high is the dam of Lake Ormond?", words.to_vec());
    let found = question.answer(Above { heading: Some("Lake Ormond"), ..Above::default() }, text, 60);
    assert_eq!(part(text, &found), "The dam is 87 metres high. It is old.");
}

/// EM-01: what was asked for and stands beside the answer is quoted with it, a row of a table with its heading.
#[test]
fn the_answer_is_widened_to_what_was_asked_for() {
    let text =
        "The Kessel well was dug by the town. The Kessel well served it. The well was closed in 1988 because of salt.";
    let question = asked("Why was the Kessel well closed?");
    let wide = question.widened(text, question.answer(Above::default(), text, 16), 60);
    assert!(part(text, &wide).contains("closed in 1988"), "{}", part(text, &wide));
    let narrow = question.answer(Above::default(), text, 16);
    assert_eq!(question.widened(text, narrow.clone(), 5), narrow);
    let text = "Drums last two years. It is old. The press was sold in 2021.";
    let words = ["year", "press", "sold"].map(|word| AskedWord {
        stem: word.to_owned(),
        word: word.to_owned(),
        weight: if word == "year" { 0.0 } else { 1.0 },
        forms: Vec::new(),
    });
    let question = AskedQuestion::new("In which year was the press sold?", words.to_vec());
    let narrow = question.answer(Above::default(), text, 20);
    assert_eq!(part(text, &question.widened(text, narrow, 60)), "The press was sold in 2021.");
    let table = "| host | size |\n|---|---|\n| alpha | 3 GB |\n| beta | 4 GB |\n";
    let question = asked("What is the size of alpha?");
    let wide = question.widened(table, question.answer(Above::default(), table, 40), 150);
    assert!(part(table, &wide).contains("| alpha | 3 GB |") && !part(table, &wide).contains("beta"));
}

#[test]
fn code_lists_and_tables_are_not_torn() {
    let text = "Set the port:\n\n```toml\nport = 1. two\nhost = x. Y\n```\n\n- one thing\n- the timeout is long\n- more\n\n| a | timeout |\n";
    for (question, want) in
        [("port host", "```toml\nport = 1. two\nhost = x. Y\n```"), ("timeout long", "- the timeout is long")]
    {
        assert_eq!(part(text, &asked(question).answer(Above::default(), text, 1)), want, "{question}");
    }
    // A block that is longer than an answer is taken by its lines.
    let lines: String = (0..60).map(|line| format!("    step {line} of many\n")).collect();
    let text = format!("```sh\n{lines}    needle here\n```\n");
    let found = asked("needle").answer(Above::default(), &text, 40);
    let found = part(&text, &found);
    assert!(found.starts_with("    step") && found.ends_with("    needle here\n```"), "{found}");
    assert!(found.split_whitespace().count() <= 40, "{found}");
    for text in ["", "```\nopen", "\n\n", "- ", "|", "a"] {
        let place = asked("open a").answer(Above::default(), text, 9);
        assert!(text.get(place).is_some(), "{text:?}");
    }
}

#[test]
fn the_words_of_the_question_are_marked() {
    let marked = |question: &str, text: &str| -> Vec<String> {
        asked(question).marks(text).into_iter().map(|place| text.get(place).unwrap().to_owned()).collect()
    };
    assert_eq!(
        marked("How are rows locked?", "A row is locked; Locks lock rowing."),
        ["row", "locked", "Locks", "lock", "rowing"]
    );
    let pairs = AskedWord { stem: "深海".into(), word: "深海".into(), weight: 1.0, forms: Vec::new() };
    let fish = AskedWord { stem: "海魚".into(), word: "海魚".into(), weight: 1.0, forms: Vec::new() };
    let question = AskedQuestion::new("深海魚", vec![pairs, fish]);
    let text = "これは深海魚です。";
    assert_eq!(question.marks(text).into_iter().map(|place| text.get(place).unwrap()).collect::<Vec<_>>(), ["深海魚"]);
    assert_eq!(question.absent(&["深海"]), ["海魚"]);
}

#[test]
fn what_is_not_shown_is_named() {
    let question = asked("How do penguins lock rows?");
    assert_eq!(question.absent(&["A row is locked.", "Pages"]), ["penguins"]);
    assert_eq!(question.absent(&[]), ["penguins", "lock", "rows"]);
}

/// LB-02: parts of an identifier stand where it stands, and a short stem where its word stands.
#[test]
fn lb_02_parts_of_identifiers_and_short_words_stand_in_a_text() {
    for (stem, word, text) in [
        ("ttl", "ttl", "CACHE_TTL: 900"),
        ("second", "seconds", "timeout_seconds = 10"),
        ("disk", "disk", "maxDiskSpace = 10"),
        ("file", "files", "设置maxOpenFiles参数"),
        ("dri", "dry", "Paint must dry."),
        ("fli", "fly", "Gulls were flying."),
    ] {
        let words = vec![AskedWord { stem: stem.to_owned(), word: word.to_owned(), weight: 1.0, forms: Vec::new() }];
        let question = AskedQuestion::new(word, words);
        assert!(question.absent(&[text]).is_empty() && question.marks(text).len() == 1, "{word}: {text}");
    }
}

/// LB-02: accents and double letters are no reason to call a word absent, whichever side has them.
#[test]
fn lb_02_accents_hide_no_word() {
    for (asked, stem, text) in [
        ("maßnahme", "massnahm", "Die Maßnahme beginnt im Mai."),
        ("strasse", "strass", "Die STRASSE und die Straße."),
        ("creme", "creme", "Une crème brûlée."),
        ("œuvre", "oeuvr", "Une oeuvre."),
        ("angstrom", "angstrom", "Ångström"),
        ("größe", "gross", "Die Gro\u{308}ße."),
    ] {
        let words = vec![AskedWord { stem: stem.to_owned(), word: asked.to_owned(), weight: 1.0, forms: Vec::new() }];
        let question = AskedQuestion::new(asked, words);
        assert_eq!(question.absent(&[text]), [] as [&str; 0], "{asked}");
        assert!(!question.marks(text).is_empty(), "{asked}");
    }
}

/// LB-02: a form of a word that the index found for it is marked, and is not called absent.
#[test]
fn forms_that_were_found_are_marked() {
    let forms = vec!["contrasenas".to_owned(), "claves".to_owned()];
    let word = AskedWord { stem: "contrasena".into(), word: "contraseña".into(), weight: 1.0, forms };
    let asked = AskedQuestion::new("¿Cuándo cambia la contraseña?", vec![word]);
    let text = "Los usuarios cambian sus claves y contraseñas.";
    let marked: Vec<&str> = asked.marks(text).into_iter().map(|place| part(text, &place)).collect();
    assert_eq!(marked, ["claves", "contraseñas"]);
    assert!(asked.absent(&["Cambian sus claves."]).is_empty() && !asked.absent(&["Cambian sus llaves."]).is_empty());
}

/// LB-02: a date or a number that stands nowhere is named as it was written, also where the question says its pieces elsewhere.
#[test]
fn lb_02_a_designation_that_is_absent_is_named_as_a_whole() {
    for (question, text, want) in [
        ("What failed on 2026-03-14?", "Nothing failed on 2026-03-15.", vec!["2026-03-14"]),
        ("Is port 8080 of 10.0.80.80 open, 10 of 80?", "Port 8080 of 10.0.80.81 is open: 10, 80.", vec!["10.0.80.80"]),
        ("What failed on 2026-03-14?", "The pump failed on 2026-03-14.", vec![]),
    ] {
        let asked = asked(question);
        assert_eq!(asked.lacking_designations(&[text], &[]).collect::<Vec<_>>(), want, "{question}");
        let absent = asked.absent(&[text]);
        assert!(want.iter().all(|designation| absent.contains(designation)), "{question}: {absent:?}");
    }
}

/// EM-01: a name whose words stand in a passage, but never together, is not the one that was asked for.
#[test]
fn em_01_a_name_is_not_put_together() {
    let rows = "| name | phone |\n| --- | --- |\n| Rosa Berg | 4711 |\n| Tina Dorn | 4713 |\n| Dorn, Uwe | 4714 |\n";
    for (question, above, want) in [
        ("What is the phone of Rosa Dorn?", "Staff", &["Rosa Dorn"][..]),
        ("What is the phone of Tina Dorn?", "Staff", &[]),
        ("What is the phone of Uwe Dorn?", "Staff", &[]),
        ("What is the phone of Rosa Dorn?", "Family Dorn", &[]),
        ("What is the phone of Rosa Zander?", "Staff", &[]),
        ("What is the phone of Rosa?", "Staff", &[]),
    ] {
        assert_eq!(asked(question).scattered_names(rows, &[above]), want, "{question}");
    }
    // The name of a column and what stands in it are together.
    let faults = "| Code | Cause |\n| --- | --- |\n| F204 | low pressure |\n| F311 | tool is loose |\n";
    assert!(asked("What is Code F311?").scattered_names(faults, &["Faults"]).is_empty());
    // Nobody else bears a part of the name here.
    let said = "Ms. Keller conducts the choir. Her first name is johanna.";
    assert!(asked("Who is Johanna Keller?").scattered_names(said, &["Choir"]).is_empty());
}

/// EM-01: where only the head of a table has words of the question, no row is shown as if it were the answer; what stands below a table is no part of
/// its last row.
#[test]
fn em_01_no_row_answers_for_its_table() {
    let rows = "| Allianz | contents | 150 |\n| HUK | car | 300 |\n| DEVK | liability | none |";
    let head = "| Insurer | Covers | Deductible |\n|---|---|---|\n";
    let text = format!("{head}{rows}\n\nBicycles are insured when locked.\n");
    let quoted =
        |question: &str, most: usize| part(&text, &asked(question).answer(Above::default(), &text, most)).to_owned();
    assert_eq!(quoted("Which one has the highest deductible?", 60), format!("{head}{rows}"));
    assert_eq!(
        quoted("Which one has the highest deductible?", 22),
        format!("{head}{}", rows.rsplit_once('\n').unwrap().0)
    );
    assert_eq!(quoted("Which deductible has HUK?", 60), "| HUK | car | 300 |");
    assert_eq!(quoted("Are bicycles insured?", 60), "Bicycles are insured when locked.");
}

/// EM-01: what is said of an identifier stands in its own entry, not where it is spoken of.
#[test]
fn em_01_an_identifier_is_answered_by_its_entry() {
    let text = "`max_connections` (integer)\n\nThe number of clients. The default is 100.\n\n`reserved_connections` (integer)\n\n\
                Slots of the administrator. The default is 3. It must be less than `max_connections`.\n";
    let asked = asked("What is the default of max_connections?");
    let found = part(text, &asked.answer(Above::default(), text, 60));
    assert!(found.contains("100") && found.starts_with("`max_connections`") && !found.contains("reserved"), "{found}");
    assert!(!asked.is_of_another(&[found], &[], text));
    let example = "What max_connections counts are clients. Each takes memory.\n\n```\nmax_connections = 7\nmax_clients = 9\n```\n";
    let found = part(example, &self::asked("What does max_connections count?").answer(Above::default(), example, 60));
    assert!(found.starts_with("What max_connections counts"), "what explains, not what sets: {found}");
    assert!(asked.is_of_another(&["less than min_connections"], &[], "min_connections max connections"));
}

/// EM-01: what is asked of a thing is missed where no text says it; a word for which another was searched is not.
#[test]
fn em_01_an_attribute_that_is_nowhere_said_is_missed() {
    let asked = asked("What is the asset number of the polisher?");
    let missing = |wanted: &[&str], texts: &[&str]| {
        let wanted: Vec<String> = wanted.iter().map(|word| (*word).to_owned()).collect();
        asked.missing_all(&wanted, texts).map(str::to_owned)
    };
    assert_eq!(missing(&["asset"], &["The cable of the polisher."]), Some("asset".to_owned()));
    assert_eq!(missing(&["asset"], &["The cable.", "Assets: the polisher."]), None);
    assert_eq!(missing(&["aset"], &["The cable of the polisher."]), None);
    assert_eq!(missing(&[], &["The cable of the polisher."]), None);
}

/// EM-01: the head of a table has the words of what is asked for all of its rows; the row that is meant is the answer, wherever it stands, and alone.
#[test]
fn em_01_a_head_is_no_answer_without_its_row() {
    let machines =
        "Lathe Press Planer Router Bandsaw Sander Grinder Welder Crane Forklift Mixer Kiln Boiler Chiller Pump";
    let row =
        |(at, machine): (usize, &str)| format!("| N{at} | {machine} | of the front hall | 2026-01-{} |\n", at + 10);
    let head = "| No | Machine | Place | Next check |\n| --- | --- | --- | --- |\n";
    let text = format!("{head}{}", machines.split(' ').enumerate().map(row).collect::<String>());
    for (at, machine) in machines.split(' ').enumerate() {
        let asked = asked(&format!("When is the next check of the {}?", machine.to_lowercase()));
        let found = asked.widened(&text, asked.answer(Above::default(), &text, 60), 150);
        let above = if at == 0 { head } else { "" };
        assert_eq!(part(&text, &found), format!("{above}{}", row((at, machine)).trim_end()));
    }
    // Of a further hit no more than the shortest part is quoted: a row, and never the head without one.
    let text = "| Room | Ward | Purpose |\n| --- | --- | --- |\n| 7-S1 | 7 | Consumables |\n";
    assert_eq!(
        part(text, &asked("Which room is isolated?").answer(Above::default(), text, 8)),
        "| 7-S1 | 7 | Consumables |"
    );
}
