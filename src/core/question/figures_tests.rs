use super::*;

/// LB-02: what a question asks to be counted is known, and found.
#[test]
fn figures_of_the_kind_that_is_asked_for_are_found() {
    use FigureFound::{Asked, Hint, None as Nothing, Other};
    for (question, text, want) in [
        ("How many tables can be used in one join?", "Joins of more than 64 tables are refused.", Asked),
        ("How many tables can be used in one join?", "At most 64 different tables.", Asked),
        ("How many tables can be used in one join?", "In a join, two or more tables are combined.", Other),
        ("How many tables can be used in one join?", "One or all of the tables.", Nothing),
        ("How many tables can be used in one join?", "The tables that any one query has.", Nothing),
        ("How many tables does a join have?", "As many as any one table allows.", Nothing),
        ("How many tables does a join have?", "Only one table.", Asked),
        ("How many of them are there?", "There are fifteen.", Asked),
        ("How many days is it kept?", "It is kept for 2 weeks.", Asked),
        ("How long is it kept?", "For 30s at most.", Asked),
        ("How long is it kept?", "Since version 3 it is kept.", Other),
        ("How often is it written?", "It is written daily.", Asked),
        ("Wie viele Tabellen gibt es?", "Es gibt 12 Tabellen.", Asked),
        ("Combien de pages a ce livre ?", "Il a 310 pages.", Asked),
        ("When was the treaty signed?", "It was signed in 1648.", Asked),
        ("When was the treaty signed?", "It has 12 parts.", Other),
        ("In which year did it end?", "On 4 May it ended.", Asked),
        ("What year did it end?", "It ended after 12 days.", Other),
        ("In welchem Jahr wurde es gebaut?", "Es wurde 1888 gebaut.", Asked),
        ("How much does it cost?", "It costs 12 of them.", Asked),
        ("How much of the 12 is left?", "All of the 12.", Nothing),
        ("How much honey did Cedar give?", "Cedar is the strongest with nine frames.", Other),
        ("How much honey did Cedar give?", "Harvest: Cedar 31 kg.", Asked),
        ("For how long is it kept?", "It is kept for a week.", Asked),
        ("How long is it kept?", "It is kept forever.", Asked),
        ("How often is it written?", "It is written every night.", Asked),
        ("How long is it kept?", "It is kept until it is deleted.", Hint),
        ("When was it founded?", "It was founded in spring by two sisters.", Other),
        ("When was it founded?", "It was founded in March.", Asked),
        ("How deep is it?", "", Nothing),
        ("How deep is it?", "It is 30m deep.", Asked),
        ("How heavy is it?", "It is cleaned every 3 months.", Other),
        ("How heavy is it?", "Weight: 9.4 kg.", Asked),
        ("How hot is it?", "At 92 °C.", Asked),
        ("Wie schwer ist es?", "Es wiegt 3 Tonnen.", Asked),
        ("What does it weigh?", "It has 3 legs.", Other),
        ("What does it weigh?", "It has 3 kg.", Asked),
        ("How old is it?", "It is 12 years old.", Asked),
        ("What is her phone number?", "Call 0171 55512.", Asked),
        ("What is her phone number?", "Room 12.", Other),
    ] {
        let asked = AskedFigure::of_question(question).expect(question);
        let words: Vec<String> = words(text).collect();
        assert_eq!(asked.found_in(&words), want, "{question} {text}");
    }
    for question in [
        "When is it deleted?",
        "What is the number of the bus?",
        "Why is it deep?",
        "So many tables!",
        "However much is checked, who checks?",
        "When should I use it?",
        "Does it matter how long it is kept?",
        "",
    ] {
        assert_eq!(AskedFigure::of_question(question), None, "{question}");
    }
}

/// LB-02: a text that has another figure, or none, does not answer.
#[test]
fn figures_that_are_not_there_are_missed() {
    let lacking = |question: &str, text: &str| {
        AskedFigure::of_question(question).is_some_and(|asked| asked.is_lacking_in_all(&[text]))
    };
    assert!(lacking("When was it founded?", "It was founded by two sisters."), "two is no date");
    assert!(lacking("How many tables?", "Some tables."));
    assert!(lacking("How tall is James?", "James was born in 1961 and has 3 dogs."), "no length");
    assert!(lacking("How much does the PondVac 8 cost?", "| PondVac 8 | 1,800 W | 11.2 kg |"), "no money");
    assert!(!lacking("How much does the PondVac 8 cost?", "| PondVac 8 | 1,800 W | 139 € |"));
    let head = AskedFigure::of_question("What does the PondVac 8 cost?").unwrap();
    assert!(!head.is_lacking_in_all(&["| Product | Price |", "| PondVac 8 | 139 |"]));
    assert!(head.is_lacking_in_all(&["| Product | Price |", "| PondVac 8 | on request |"]));
    assert!(!lacking("How much is the PondVac 8?", "| PondVac 8 | 1,800 W |"), "it may be of anything");
    assert!(!lacking("How much memory does it cost?", "It takes 12 MB."));
    let cost = AskedFigure::of_question("What did the smoker cost?").unwrap();
    let list = ["Smoker, bought 2021.", "Extractor, bought for 120 pounds."];
    assert!(cost.is_lacking(&list[..1], &list), "that was the price of another");
    let many = AskedFigure::of_question("How many smokers are there?").unwrap();
    assert!(!many.is_lacking(&["Smokers are good."], &["Smokers are good.", "We have 3."]));
    for (question, text, lacks) in [
        ("When did Tom leave?", "Tom left at 6:00.", false),
        ("When did Tom leave?", "Tom left on Monday.", false),
        ("When did Tom leave?", "Tom left with 12 others.", true),
        ("In which year did Tom leave?", "Tom left at 6:00.", true),
    ] {
        assert_eq!(
            AskedFigure::of_question(question).unwrap().is_lacking(&[text], &[text]),
            lacks,
            "{question} {text}"
        );
    }
    assert!(
        lacking("What does the stork weigh?", "| 2025-08-30 | Black stork | 1 |")
            && !lacking("What does it weigh?", "weight_g: 3")
    );
    assert!(
        lacking("How old is Ann?", "It was written by Ann, 2017.")
            && !lacking("How old is Ann?", "Ann was born in 1971.")
    );
    for (text, is_lacking) in
        [("Present: Abel, Choi (2 of 7), 21:35.", true), ("Choi, 0171-555 12", false), ("Choi, ext. 214", false)]
    {
        for question in ["What is the telephone number of Choi?", "Wie ist die Telefonnummer von Choi?"] {
            assert_eq!(lacking(question, text), is_lacking, "{question} {text}");
        }
    }
    assert!(!lacking("How deep are folders?", "Folders are up to 12 levels deep."));
    assert!(!lacking("How deep is the lake?", "The lake has 87 metres of water."));
    assert!(!lacking("Wie viele Tabellen gibt es?", "Es gibt zwölf Tabellen."), "its numbers in words are not known");
}

/// EM-01: things that are to be counted are spoken of, or are none that have a name of their own; a label says that a figure comes.
#[test]
fn em_01_things_that_are_counted_are_spoken_of() {
    for (question, text, missing) in [
        ("How many waxwings were seen?", "The hoopoe was seen by sixty visitors.", Some("waxwings")),
        ("How many waxwings were seen?", "A waxwing was seen.", None),
        ("How many people came?", "Sixty visitors.", None),
        ("Wie viele Kälber gab es?", "Es gab zwölf.", None),
        ("How long is it?", "12 m", None),
    ] {
        let asked = AskedFigure::of_question(question).unwrap();
        assert_eq!(asked.missing_things(&[text]), missing, "{question} {text}");
    }
    for (question, text, is_named) in [
        ("What does it cost?", "Price: 12", true),
        ("What does it cost?", "Weight: 12", false),
        ("What is her phone number?", "Phone: 12", true),
        ("How long is it?", "Price: 12", false),
    ] {
        let asked = AskedFigure::of_question(question).unwrap();
        assert_eq!(asked.is_named_in(text), is_named, "{question} {text}");
    }
}
