use super::super::equals::tests::asked_of;
use super::*;

/// EM-01: what only different rows have is not asked of any row of them.
#[test]
fn em_01_conditions_that_no_row_meets_are_named() {
    let head = "| Day | Shift | Nurse |\n|---|---|---|\n";
    let rows = "| Monday | early | Alva |\n| Monday | late | Cato |\n| Tuesday | early | Edda |\n";
    let labels = "| Monday | early | Alva |\n| | late | Cato |\n| Tuesday | early | Edda |\n";
    for (question, rows, expected) in [
        ("Who works late on Tuesday?", rows, Some(["late", "tuesday"])),
        ("Who works early on Tuesday?", rows, None),
        // They stand in one column.
        ("Who works on Monday and on Tuesday?", rows, None),
        // The head holds for every row.
        ("Which nurse works the shift on Tuesday?", rows, None),
        ("Does Edda work later than Cato on Monday?", rows, None),
        ("Who works late on Monday?", labels, None),
        ("Who works late on Tuesday?", labels, Some(["late", "tuesday"])),
    ] {
        let asked = asked_of(question);
        for text in [format!("{head}{rows}"), rows.to_owned()] {
            let quote = text.len() - rows.len()..text.len();
            assert_eq!(never_in_one_row(&asked, &[head], &text, quote), expected, "{question}");
        }
        // What stands beside the rows holds for all of them.
        assert_eq!(never_in_one_row(&asked, &[head, "Late on Tuesday"], rows, 0..rows.len()), None, "{question}");
        let prose = format!("On Tuesday all work late.\n\n{head}{rows}");
        let quote = prose.len() - rows.len()..prose.len();
        assert_eq!(never_in_one_row(&asked, &[], &prose, quote), None, "{question}");
        assert_eq!(never_in_one_row(&asked, &[head], &prose, 0..prose.len()), None, "the quote is no table");
    }
}

/// EM-01: words of one column that only different rows have are not asked of one thing, unless the question joins them.
#[test]
fn em_01_one_thing_is_not_made_of_two_rows() {
    let prices = "| Work | Price |\n|---|---|\n| Door beech veneered, fitting | 158 |\n| Window spruce | 560 |\n| Step oak | 204 |\n";
    let devices = "| Tag | Device | Ward | Next service |\n| --- | --- | --- | --- |\n| E1 | Infusion pump | 7 | 2025-11-14 |\n\
                   | E2 | Infusion pump | 9 | 2025-12-02 |\n| E3 | Patient hoist | 7 | 2025-08-30 |\n";
    let rules = "| Topic | Rule |\n|---|---|\n| Hall | The caretaker opens the hall to all members at nine o'clock. |\n\
                 | Keys | Lost keys are told to the office at once. |\n";
    for (question, text, expected) in [
        ("What does an oak door cost, veneered?", prices, Some(["door", "oak"])),
        ("What does a door in beech cost?", prices, None),
        ("What do a door and an oak step cost?", prices, None),
        ("What do doors, windows or steps cost?", prices, None),
        ("When is the next service of the patient monitor on ward 9?", devices, Some(["patient", "ward 9"])),
        ("When is the next service of the infusion pump on ward 9?", devices, None),
        ("When is the next service of the patient hoist on ward 7?", devices, None),
        // Sentences of one column may go on with each other.
        ("Who of the office has keys and who opens the hall?", rules, None),
        ("Which members lost keys?", rules, None),
    ] {
        let asked = asked_of(question);
        let (head, rows) = text.split_at(text.match_indices('\n').nth(1).unwrap().0 + 1);
        let sorted = |found: Option<[&str; 2]>| found.map(|found| BTreeSet::from(found.map(str::to_owned)));
        for (around, text) in [("", text), (head, rows)] {
            let found = never_in_one_row(&asked, &[around], text, 0..text.len());
            assert_eq!(sorted(found), sorted(expected), "{question}: {text}");
        }
    }
}

/// EM-01: an empty cell is no answer, and the column that is empty is named.
#[test]
fn em_01_an_empty_cell_is_told() {
    let head = "| Work | Client | Ordered | Delivered on |\n|---|---|---|---|\n";
    for (question, rows, empty) in [
        ("When was the Glass Ferry delivered?", "| Glass Ferry | Ann | 2024-01-02 | |", Some("Delivered on")),
        ("When was the Glass Ferry delivered?", "| Glass Ferry | Ann | 2024-01-02 | – |", Some("Delivered on")),
        ("When was the Glass Ferry delivered?", "| Glass Ferry | Ann | 2024-01-02 |", Some("Delivered on")),
        ("When was the Glass Ferry delivered?", "| Glass Ferry | Ann | | 2024-01-09 |", None),
        ("When was the Glass Ferry delivered?", "| Glass Ferry | Ann | | 2024 |\n| Glass Ferry | Bo | | |", None),
        ("When was the Glass Ferry ordered and delivered?", "| Glass Ferry | Ann | 2024-01-02 | |", None),
        ("Who is the client of the Glass Ferry?", "| Glass Ferry | Ann | | |", None),
        ("Who is the client of the Glass Ferry?", "| Glass Ferry | – | | |", Some("Client")),
        ("Where is the Glass Ferry?", "| Glass Ferry | | | |", None),
        // A bar may be the value.
        ("Who is the client of the Glass Ferry?", r"| Glass Ferry | \| | | |", None),
        // The work is the thing itself.
        ("When was the work Glass Ferry delivered?", "| Glass Ferry | Ann | | |", Some("Delivered on")),
    ] {
        let asked = asked_of(question);
        assert_eq!(nothing_in_column(&asked, head, rows).as_deref(), empty, "{question} {rows}");
        assert_eq!(nothing_in_column(&asked, "", &format!("{head}{rows}")).as_deref(), empty, "{question} {rows}");
        assert_eq!(nothing_in_column(&asked, "", rows), None, "no head: {question} {rows}");
        assert_eq!(nothing_in_column(&asked, head, &format!("{rows}\n\nIt is late.")), None, "{question} {rows}");
    }
}

/// EM-01: of several columns the one is meant whose name fits best.
#[test]
fn em_01_the_column_that_fits_best_is_meant() {
    let head = "| cours | prix_eur | prix_abonne_eur | Température prévue | Tolérance |\n|---|---|---|---|---|\n";
    for (question, row, empty) in [
        ("Quel est le prix abonne du repas ?", "| repas | 165 | | 4 | |", Some("prix_abonne_eur")),
        ("Quel est le prix du repas ?", "| repas | 165 | | 4 | |", None),
        ("Quelle est la tolérance de température du repas ?", "| repas | 165 | | 4 | |", Some("Tolérance")),
        ("Quelle est la température du repas ?", "| repas | 165 | | 4 | |", None),
    ] {
        assert_eq!(nothing_in_column(&asked_of(question), head, row).as_deref(), empty, "{question}");
    }
}

/// EM-01: a table whose rows have nothing of the question does not answer, whatever its head has.
#[test]
fn em_01_a_head_alone_is_no_answer() {
    let head = "| Scope | Allows |\n|---|---|\n";
    let rows = "| read | to list invoices |\n| write | to create invoices |";
    for (question, around, absent) in [
        ("Which scope allows to delete webhooks?", "", &["delete", "webhooks"][..]),
        ("Which scope allows to delete invoices?", "", &[]),
        ("Which scope is there and what allows it?", "", &[]),
        ("Which scope allows to delete webhooks?", "Delete webhooks", &[]),
    ] {
        let asked = asked_of(question);
        assert_eq!(only_head_asked(&asked, head, &[around], rows), absent, "{question}");
        assert_eq!(only_head_asked(&asked, "", &[around], &format!("{head}{rows}")), absent, "{question}");
        assert_eq!(only_head_asked(&asked, head, &[around], &format!("{rows}\n\nIt is late.")), [""; 0], "{question}");
        assert_eq!(only_head_asked(&asked, "", &[around], ""), [""; 0], "{question}");
    }
}

/// EM-01: the head of a table of Org is one, and the rules further down part rows.
#[test]
fn em_01_heads_of_org_hold_for_all_rows() {
    let head = "| Crop | Row | Harvest |\n|---+---+---|\n";
    let rows = "| Skirret | 9 | October |\n|---+---+---|\n| Leek | 4 | May |\n|---+---+---|\n";
    for above in ["", "|---+---+---|\n"] {
        let text = format!("{above}{head}{rows}");
        let quote = |part: &str| text.find(part).map(|at| at..at + part.len()).unwrap();
        for (question, part, expected) in [
            ("When is the harvest of Skirret?", "| Skirret | 9 | October |", None),
            ("When is the harvest of Leek?", "| Leek | 4 | May |", None),
            ("Is the harvest of Leek in October?", "| Leek | 4 | May |", Some(["leek", "october"])),
        ] {
            let asked = asked_of(question);
            let found = never_in_one_row(&asked, &[], &text, quote(part)).map(BTreeSet::from);
            assert_eq!(found, expected.map(BTreeSet::from), "{question}");
        }
    }
}
