use super::super::answer::{Above, AskedWord};
use super::*;

/// A question whose words all weigh the same.
pub(in super::super) fn asked_of(question: &str) -> AskedQuestion {
    let words = crate::core::language::words::informative(question);
    let words = words.into_iter().map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
    AskedQuestion::new(question, words.collect())
}

/// What is quoted of a text.
pub(in super::super) fn quoted(question: &str, text: &str, most_words: usize) -> String {
    let asked = asked_of(question);
    let found = asked.widened(text, asked.answer(Above::default(), text, most_words), most_words);
    cut(text, &found).to_owned()
}

/// EM-01: of rows and items that fit equally well none is shown as if it were the only one; what a year singles out stays alone.
#[test]
fn em_01_what_fits_equally_well_is_quoted_together() {
    let head = "| Road | Toll | Valid from |\n|---|---|---|\n";
    let rows = "| Coast | 5 | 2020 |\n| Mountain | 7 | 2020 |\n| Coast | 9 | 2024 |";
    let table = format!("{head}{rows}\n| Valley | 2 | 2024 |\n");
    assert_eq!(quoted("coast", &table, 60), rows);
    assert_eq!(quoted("coast", &table, 20), "| Coast | 5 | 2020 |", "there is no room for both");
    assert_eq!(quoted("coast 2024", &table, 60), "| Coast | 9 | 2024 |");
    assert_eq!(quoted("mountain", &table, 60), "| Mountain | 7 | 2020 |");
    let ships = "- Captain Dahl commands Aurora\n- Captain Eng commands Borealis\n- Captain Dahl commands Corona";
    let list = format!("{ships}\n- Captain Foss commands Echo\n");
    assert_eq!(quoted("Which ships does Captain Dahl command?", &list, 60), ships);
    let far = "- Dahl has Aurora\n- Eng\n- Foss\n- Gram\n- Dahl has Corona\n";
    assert_eq!(quoted("What does Dahl have?", far, 60), "- Dahl has Aurora", "too much stands between them");
    let prose = "Dahl has Aurora. Eng has none.\n\nDahl has Corona. Foss has none.\n";
    assert_eq!(quoted("What does Dahl have?", prose, 60), "Dahl has Aurora. Eng has none.");
}
