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
