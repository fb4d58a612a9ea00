use super::super::equals::tests::asked_of;
use super::super::units::units;
use super::*;

const MOOR: &str = "Kelder Moss covers 212 hectares. Its peat is deep. The site was rewetted by blocking 84 ditches in 2016. \
                    Varn Bog covers 340 hectares.";

const LAKES: &str = "Lake Orm is deep. The lake was stocked with 4,000 trout. Lake Tarn is closed.";

/// EM-01: what a quote speaks of stands in it.
#[test]
fn em_01_a_quote_begins_where_its_subject_is_named() {
    let zero =
        "Ties of times are broken. Some are due to rounding. The timefix argument is used to address this. It is on.";
    let stop = "The mill is old.\n\nIt was closed in 1988. Its owner died.";
    for (question, text, begins, most, want) in [
        ("How many ditches at Varn Bog?", MOOR, "The site", 60, "Kelder Moss"),
        ("How many ditches at Varn Bog?", MOOR, "The site", 20, "The site"),
        ("How many ditches at Varn Bog?", MOOR, "Varn Bog", 60, "Varn Bog"),
        ("How many trout has Lake Tarn?", LAKES, "The lake", 60, "Lake Orm"),
        ("What is the peat like?", MOOR, "Its peat", 60, "Kelder Moss"),
        ("How many ditches are there?", MOOR, "The site", 60, "The site"),
        ("What is timefix for?", zero, "The timefix", 60, "Some are due"),
        ("What is on?", zero, "It is on", 60, "Some are due"),
        ("When was it closed?", stop, "It was", 60, "It was"),
        ("What of the owner?", stop, "Its owner", 60, "It was"),
    ] {
        let answer = text.find(begins).unwrap_or_default()..text.len();
        let found = with_named(&asked_of(question), text, &units(text), answer, most);
        assert!(cut(text, &found).starts_with(want), "{question}: {}", cut(text, &found));
    }
}

/// EM-01: what is told of one place before another is named is not told of that one.
#[test]
fn em_01_what_stands_before_a_name_is_not_told_of_it() {
    for (question, above, text, another) in [
        ("How many ditches were blocked at Varn Bog?", "", MOOR, Some("Varn Bog")),
        ("How many ditches were blocked at Kelder Moss?", "", MOOR, None),
        ("How many ditches were blocked at Varn Bog?", "Varn Bog", MOOR, None),
        ("How many hectares has Varn Bog?", "", MOOR, None),
        ("How many ditches were blocked at Varn Bog?", "", "We blocked 84 ditches. Varn Bog was wet then.", None),
        ("Who blocked ditches at Varn Bog?", "", "Varn Bog is wet. Ann Lee blocked 84 ditches. Varn Bog is old.", None),
    ] {
        assert_eq!(told_before_named(&asked_of(question), &[above], text, &units(text)), another, "{question}: {text}");
    }
}
