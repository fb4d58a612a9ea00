use super::*;

#[test]
fn em_01_what_says_where_it_stands_is_not_looked_for() {
    for (question, said) in [
        ("What does clause 2.2 say?", &["clause"][..]),
        ("Was steht in Ziffer 4.1.2?", &["ziffer"]),
        ("Que dit l'article 3.4 ?", &[]),
        ("What does section 4 say?", &["section"]),
        ("Was steht in § 3?", &["§"]),
        ("What does Annex 2 say?", &[]),
        ("What does item 4 cost?", &[]),
        ("Is version 2.2 supported?", &[]),
        ("Which clause names clause 2.2?", &[]),
        ("", &[]),
    ] {
        assert_eq!(locators(question).iter().collect::<Vec<_>>(), said, "{question}");
    }
}

/// EM-01: what a question asks for by its number is known, and the part itself told from what refers to it and from other figures.
#[test]
fn em_01_parts_are_found_by_their_numbers() {
    for (question, text, heads, places) in [
        ("clause 2.1?", "2.1 The Tenant pays a rent.", 1, 1),
        ("clause 2.1?", "\"Rent\" means the sum in clause 2.1.", 0, 1),
        ("section 2.1?", "as in clause 2.1 and section 2.1", 0, 2),
        ("clause 2?", "\"Rent\" means the sum in clause 2.1.", 0, 0),
        ("clause 2?", "## 2. Rent\n\nIt is due.", 1, 1),
        ("clause 2?", "2.1 The Tenant pays a rent.", 0, 0),
        ("clause 2.10?", "pressure 2.10 bar", 0, 0),
        ("clause 2.10?", "2.10 bar at the pump", 0, 0),
        ("clause 2.4?", "Version 2.4.0", 0, 0),
        ("section 2.2?", "### 2.2 Balance", 1, 1),
        ("section 2.2?", "- 2.1 Grain\n- 2.2 Balance\n- 2.3 Rest", 0, 0),
        ("section 2.3?", "- 2.1 Grain\n- 2.2 Balance\n- 2.3 Rest", 0, 0),
        ("section 2?", "2 Stones", 1, 1),
        ("section 2?", "2 stones are heavy", 0, 0),
        ("section 2?", "2 Stones were sold.", 0, 0),
        ("section 1.1?", "1.1 Duties 2\n1.2 Rest 3", 0, 0),
        ("section 1.1?", "1.1 Duties\nThe guard keeps the gate.", 1, 1),
        ("In § 3?", "§ 3 Beiträge\n(3) Der Austritt", 1, 1),
        ("In §3?", "nach § 3 der Satzung", 0, 1),
        ("In § 5?", "eine Gebühr von 5 Euro", 0, 0),
        ("In § 10?", "10 ms", 0, 0),
        ("Absatz 3?", "(3) Der Austritt ist frei.", 1, 1),
        ("§ 3?", "(3) Der Austritt ist frei.", 0, 0),
        ("article IV?", "Article IV. Of the sea", 1, 1),
        ("Part II?", "Part II Insurance", 1, 1),
        ("Part II?", "(ii) during the illness", 0, 0),
        ("Annex 2?", "1.2 Tolerances are in Annex 2.", 0, 1),
        ("Annex 2?", "# ANNEX 2: Tolerances", 1, 1),
        ("Annex 2?", "2. Tolerances", 0, 0),
        ("clause 2.1?", "| 2.1 | The rent is due |", 1, 1),
    ] {
        let asked = clauses(question);
        let [(_, clause)] = asked.as_slice() else { panic!("{question}: {asked:?}") };
        assert_eq!((clause.heads(text).len(), clause.places(text).len()), (heads, places), "{question} {text}");
    }
    for question in ["version 2.2", "Flat 3", "the clause", "§", "item 4", "chapter one", ""] {
        assert_eq!(clauses(question), [], "{question}");
    }
    let question = "What does clause 2.1, of the lease, say?";
    let place = &clauses(question)[0].0;
    assert_eq!(question.get(place.clone()), Some("clause 2.1"));
    assert_eq!("in §12.".get(clauses("in §12.")[0].0.clone()), Some("§12"));
}
