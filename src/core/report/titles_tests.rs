use super::super::answer::Above;
use super::super::equals::tests::asked_of;
use super::super::units::units;
use super::*;

const MANUAL: &str = "Siebert WM7420 washing machine\nUser manual\n\n1 Safety\n\nKeep the bolts of the machine. They are needed.\n\n\
                      5 Faults\n\nE18 Water is not pumped out. Clean the filter.\n\nE23 Water in the base. Close the tap.\n";

/// EM-01: a title has the names of a question and no answer; the code that was asked for stands in what is quoted.
#[test]
fn em_01_a_title_is_no_answer() {
    for (question, text, has, lacks) in [
        ("What does E23 of the washing machine mean?", MANUAL, "Close the tap", "Siebert"),
        ("washing machine user manual E18", MANUAL, "Clean the filter", "Siebert"),
        ("What about the bolts of the washing machine?", MANUAL, "They are needed", "Siebert"),
        (
            "Renewal proposal NSP amount",
            "# Renewal proposal NSP\n\n## Sum\n\nThe amount is 40.\n",
            "is 40",
            "# Renewal",
        ),
    ] {
        let asked = asked_of(question);
        let found = asked.widened(text, asked.answer(Above::default(), text, 12), 20);
        let quote = cut(text, &found);
        assert!(quote.contains(has) && !quote.contains(lacks), "{question}: {quote}");
    }
}

/// EM-01: what is only the head of a text is quoted with what stands below it, as far as there is room.
#[test]
fn em_01_a_head_is_quoted_with_what_stands_below() {
    let bill =
        "Lena Moretti, dentist\nInvoice no. 3402\nPatient: Giulia Rossi\n\n  cleaning  89.00\n  total EUR 114.60\n";
    for (text, answer, most, want) in [
        (bill, "Lena Moretti, dentist\nInvoice no. 3402\nPatient: Giulia Rossi", 40, bill.trim_end()),
        (bill, "Lena Moretti, dentist\nInvoice no. 3402\nPatient: Giulia Rossi", 9, ""),
        ("# Fees\n\nThe fee is 3. It is due.", "# Fees", 40, "# Fees\n\nThe fee is 3. It is due."),
        ("# Fees\n\nThe fee is 3. It is due now.", "# Fees", 6, "# Fees\n\nThe fee is 3."),
        ("# Fees\n\nThe fee is 3. It is due now.", "# Fees", 8, "# Fees\n\nThe fee is 3. It is due now."),
        ("The fee is 3. It is due.", "The fee is 3.", 40, ""),
        ("It is due.\n\nFees", "Fees", 40, ""),
        ("- Fees\n- Rent\n", "- Fees", 40, ""),
        ("```\nfees\n```\n\nMore.", "```\nfees\n```", 40, ""),
    ] {
        let start = text.find(answer).unwrap_or_default();
        let found = with_text_below(text, &units(text), start..start + answer.len(), most, most + 2);
        assert_eq!(cut(text, &found), if want.is_empty() { answer } else { want }, "{text}");
    }
}

/// EM-01: a title is what stands alone at the top, and says nothing by itself.
#[test]
fn em_01_the_title_of_a_text_is_told_from_its_text() {
    for (text, want) in [
        (MANUAL, "Siebert WM7420 washing machine\nUser manual"),
        ("# Fees\n\nThe fee is 3.", "# Fees"),
        ("The fee is 3.\n\nIt is due.", ""),
        ("Patient: Giulia Rossi\n\nThe fee is 3.", ""),
        ("Fees and rents\nare due in May.", ""),
        ("KESTREL B200 BOILER\nUser guide\n\nRead this guide.", "KESTREL B200 BOILER\nUser guide"),
        ("- Fees\n- Rent\n\nAll are due.", ""),
        ("[Unit]\n\nUser=a", ""),
        ("Fees", ""),
        ("", ""),
    ] {
        assert!(title_part(text).starts_with(want) && title_part(text).is_empty() == want.is_empty(), "{text}");
    }
    for (text, only) in [("# Fees\n\n## Rent", true), ("# Fees\n\nThe fee is 3.", false), ("", false)] {
        assert_eq!(is_only_headings(text), only, "{text}");
    }
}
