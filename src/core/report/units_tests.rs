use super::super::answer::{Above, AskedQuestion, AskedWord};
use super::{cut, units};

fn answer(question: &str, text: &str) -> String {
    let words = crate::core::language::words::informative(question);
    let words = words.into_iter().map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
    let asked = AskedQuestion::new(question, words.collect());
    let found = asked.widened(text, asked.answer(Above::default(), text, 60), 60);
    cut(text, &found).to_owned()
}

/// EM-01: what is said of one entry is never quoted with the name of the next, however entries are written.
#[test]
fn em_01_a_value_is_quoted_with_its_own_name() {
    let paragraphs = |name: fn(&str) -> String| {
        let entry =
            |(who, pay): (&str, &str)| format!("{}\n\nWorks on a floor.\n\nThe salary is {pay}.\n\n", name(who));
        [("Basil", "2020"), ("Corvin", "3030"), ("Delphine", "4040")].map(entry).concat()
    };
    let texts = [
        paragraphs(str::to_owned),
        paragraphs(|who| format!("**{who}**")),
        paragraphs(|who| format!("#### {who}")),
        paragraphs(|who| format!("Who is {who}?")),
        "- Basil :: works here.\n\n  The salary is 2020.\n- Corvin :: works here.\n\n  The salary is 3030.\n- Delphine :: left.\n".to_owned(),
        "Basil\n   Works here.\n\n   The salary is 2020.\n\nCorvin\n   Works here.\n\n   The salary is 3030.\n\nDelphine\n   Left.\n"
            .to_owned(),
        "> Basil\n>\n> The salary is 2020.\n>\n> Corvin\n>\n> The salary is 3030.\n".to_owned(),
    ];
    for text in texts {
        let quoted = answer("What is the salary of Corvin?", &text);
        assert!(
            quoted.contains("Corvin") && quoted.contains("3030") && !quoted.contains("2020"),
            "{quoted}\n---\n{text}"
        );
        assert!(!quoted.contains("Delphine"), "{quoted}");
    }
    for line in ["", "- ", "* **"] {
        let mark = if line.ends_with("**") { "**" } else { "" };
        let people =
            [("Papa", "Ramipril in the morning. Allergic to penicillin."), ("Lena", "glasses. Tetanus is due.")];
        let text = people.map(|(who, what)| format!("{line}{who}:{mark} {what}\n")).concat();
        let quoted = answer("Who is allergic to penicillin?", &text);
        assert!(
            quoted.contains("Papa") && quoted.contains("penicillin") && !quoted.contains("Lena"),
            "{quoted}\n---\n{text}"
        );
    }
    let lines = "Q: Who services the heat pump?\nA: Firma Kranz, phone 0221. Ask for Udo.\n";
    assert!(answer("Who services the heat pump?", lines).contains("Kranz"), "the answer stands in the next line");
    let blocks = "Patient: Meier, 40 years.\nDiagnosis: diabetes. Since May.\n\n\
                  Patient: Schulze, 61 years.\nDiagnosis: hypertension. Since June.\n";
    let quoted = answer("What is the diagnosis of Schulze?", blocks);
    assert!(quoted.contains("Schulze") && quoted.contains("hypertension") && !quoted.contains("diabetes"), "{quoted}");
    let records: String = (1..20)
        .map(|at| format!("  {{\n    \"name\": \"N{at}\",\n    \"floor\": 1,\n    \"salary\": {at}00\n  }},\n"))
        .collect();
    let quoted = answer("salary of N7", &format!("```\n[\n{records}]\n```\n"));
    assert!(quoted.contains("N7") && quoted.contains("700") && !quoted.contains("600"), "{quoted}");
}

/// EM-01: nothing ends with what only names or heads something.
#[test]
fn em_01_no_quote_ends_with_a_name() {
    let table = "The spare key hangs in the shed.\n\n| Part | Bin |\n| --- | --- |\n| cog | 4 |\n| key | 7 |\n";
    assert_eq!(answer("Who keeps the spare key?", table), "The spare key hangs in the shed.");
    assert_eq!(answer("Which bin has the cog?", table), "| Part | Bin |\n| --- | --- |\n| cog | 4 |");
    for rule in ["|-|-|", "|:-:|--:|", "| :-- | - |", "|--|--|  "] {
        let table = format!("| Part | Bin |\n{rule}\n| cog | 4 |\n| - | - |\n| key | 7 |\n");
        let cog = format!("| Part | Bin |\n{}\n| cog | 4 |", rule.trim_end());
        assert_eq!(answer("Which bin has the cog?", &table).replace("  \n", "\n"), cog);
        assert!(answer("key", &table).starts_with("| key"), "dashes below are no rule");
    }
    let list = "The valve closes at 4 bar.\n\n1. First fill the tank.\n2. Then wait.\n";
    assert_eq!(answer("When does the valve close?", list), "The valve closes at 4 bar.");
    let example = "Rest.\n\nStart the pump so:\n\n```\npump --start\n```\n\nMore.";
    assert_eq!(answer("How do I start the pump?", example), "Start the pump so:\n\n```\npump --start\n```");
}

/// EM-01: an item below another one is said of that one, and never of its neighbour.
#[test]
fn em_01_an_item_belongs_to_the_one_that_it_is_indented_below() {
    let menu = "- Monday\n  - Soup: lentil\n  - Main: trout\n- Tuesday\n  - Soup: tomato\n  - Main: goulash\n- Wednesday\n  - Soup: leek\n  \
                - Main: risotto\n  - Dessert: flan\n";
    let numbered = menu.replace("  - ", "   a. ").replace("- ", "1. ");
    let announced = format!("The menu of the canteen:\n\n{menu}");
    let days = menu.replace("\n  -", "\n\n    -").replace("\n- ", "\n\n- ");
    for text in [menu, &numbered, &announced, &days] {
        let found = answer("What is the main on Tuesday?", text);
        assert!(found.contains("Tuesday") && found.ends_with("Main: goulash"), "{found}\n---\n{text}");
        assert!(!found.contains("trout"), "{found}\n---\n{text}");
        let found = answer("Which dessert is there on Tuesday?", text);
        assert!(!(found.contains("flan") && found.contains("Tuesday")), "{found}\n---\n{text}");
        let found = answer("risotto", text);
        assert!(found.contains("Wednesday") && found.ends_with("Main: risotto"), "{found}\n---\n{text}");
    }
    let weeks: String = ["one", "two"]
        .map(|week| format!("- Week {week}\n  - Monday\n    - Main: {week} trout\n  - Tuesday\n    - Soup\n    - Main: {week} goulash\n"))
        .concat();
    let found = answer("What is the main on Monday in week two?", &weeks);
    assert_eq!(found, "- Week two\n  - Monday\n    - Main: two trout");
    let found = answer("What is the main on Tuesday in week one?", &weeks);
    assert!(found.starts_with("- Week one") && found.ends_with("Main: one goulash"), "{found}");
    // What goes on below the inner items is said of the outer one.
    let offices = "- Bergen\n  - open\n\n  The rent is 100.\n- Narvik\n  - closed\n\n  The rent is 200.\n";
    let found = answer("What is the rent of Narvik?", offices);
    assert!(found.starts_with("- Narvik") && found.ends_with("200."), "{found}");
    // Also where the outer item is too far away to be shown.
    let soups = |day: &str| (0..40).map(|at| format!("  - {day} soup number {at}\n")).collect::<String>();
    let far = ["Monday", "Tuesday"].map(|day| format!("- {day}\n{}  - Main: {}\n", soups("good"), day.len())).concat();
    assert_eq!(answer("What is the main on Tuesday?", &far), "- Main: 7");
}

/// EM-01: a full stop in a cell ends no row, and no head of a table.
#[test]
fn em_01_a_row_is_one_whatever_stops_stand_in_it() {
    let text = "| Nr. | Wein | Preis |\n|---|---|---|\n| 101 | Riesling | 8,20 € |\n| 104 | St. Anna. Spätlese | 12,50 € |\n\nAll prices hold. Until May.\n";
    let found: Vec<&str> = units(text).iter().map(|unit| cut(text, &unit.place)).collect();
    let rows = ["| 101 | Riesling | 8,20 € |", "| 104 | St. Anna. Spätlese | 12,50 € |"];
    assert!(found.iter().any(|unit| unit.starts_with("| Nr. | Wein | Preis |")), "{found:?}");
    assert!(rows.iter().all(|row| found.contains(row)), "{found:?}");
    assert_eq!(found.iter().rev().take(2).collect::<Vec<_>>(), [&"Until May.", &"All prices hold."]);
}

/// EM-01: lines without a full stop are no sentence; a sentence that is wrapped is one.
#[test]
fn em_01_lines_without_stops_are_told_apart() {
    let line =
        |number: usize| format!("Mar 3 10:{number:02}:00 host7 job{number} gate and sluice checked without any remark");
    let mut lines: Vec<String> = (0..20).map(line).collect();
    lines[15] = "Mar 3 10:15:00 host7 access code of Zork set to 8812".to_owned();
    let found = answer("What is the access code of Zork?", &lines.join("\n"));
    assert!(found.starts_with(&lines[15]) && found.lines().count() <= 2, "{found}");
    // So are they where there are few words, and where they go on with each other.
    let unstamped: Vec<&str> = lines.iter().filter_map(|line| line.split_once("00 ").map(|(_, rest)| rest)).collect();
    for text in [unstamped[..4].join("\n"), unstamped.join("\nand then ")] {
        assert_eq!(units(&text).len(), 1, "{text}");
    }
    // What begins with a time is an entry of its own.
    assert_eq!(units(&lines[..4].join("\n")).len(), 4);
}

/// EM-01: what an entry is, in a word each, parts it from nothing, nor does code that is announced.
#[test]
fn em_01_the_end_of_an_entry_names_nothing() {
    let text = "cleanup\n    Seconds between two of them.\n\n    Default: ``30``\n\nchannel_timeout\n    Seconds until it is closed.\n\n    \
                Default: ``120``\nbacklog\n    How many wait.\n";
    let all = units(text);
    let named: Vec<(&str, Option<&str>)> = all
        .iter()
        .map(|unit| {
            (cut(text, &unit.place), unit.named_by.and_then(|at| all.get(at)).map(|name| cut(text, &name.place)))
        })
        .map(|(unit, name)| (unit.lines().next().unwrap_or_default().trim(), name.and_then(|name| name.lines().next())))
        .collect();
    assert_eq!(
        named,
        [
            ("cleanup", None),
            ("Default: ``30``", Some("cleanup")),
            ("channel_timeout", None),
            ("Default: ``120``", Some("channel_timeout")),
        ]
    );
}

/// A comment stays with what it is about, however long the code is that it stands in.
#[test]
fn em_01_code_is_cut_between_blank_lines() {
    let setting = |at: usize| {
        format!(
            "    # The number of rows that the table {at} holds at most, before the\n    # oldest of them is moved away.\n    rows_{at} = {at}\n"
        )
    };
    let code = (1..=9).map(setting).collect::<Vec<_>>().join("\n");
    let text = format!("```\n{code}```\n");
    let found = units(&text);
    assert_eq!(found.len(), 9);
    assert!(cut(&text, &found[4].place).trim_start().starts_with("# The number of rows that the table 5"));
    assert!(cut(&text, &found[4].place).ends_with("rows_5 = 5"));
}

#[test]
fn em_01_details_and_code_name_nothing() {
    for (text, names) in [
        (
            "It is old.\n\nminimal-any\n\nGrammar: `minimal-any <boolean>;`\n\nBlocks: options, view\n\nTags: query\n\nControls what is sent.\n",
            &["minimal-any"][..],
        ),
        (
            "To read a file with semicolons:\n\n```\nset separator \";\"\n```\n\nSee there. It applies to files.\n",
            &["To read a file with semicolons:"],
        ),
        ("Basil\n\nHe cooks.\n\nRole: cook\n\nHe left.\n", &["Basil", "Role: cook"]),
    ] {
        let named: Vec<&str> =
            units(text).iter().filter(|unit| unit.names).map(|unit| cut(text, &unit.place)).collect();
        assert_eq!(named, names, "{text}");
    }
}
