use super::*;
use crate::core::evidence::passage::Term;

fn closeness<'a>(
    goal: &Goal,
    heading: Option<&str>,
    titles: impl IntoIterator<Item = &'a str>,
    text: &str,
) -> Closeness {
    ReaderForGoal::new(goal).closeness(heading, titles, text)
}

/// LB-02: words of the question in one sentence, and in its order, count more than the same words all over a passage.
#[test]
fn together_counts_more_than_apart() {
    let terms = ["dam", "height", "meter"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let goal = Goal::new("What is the dam height in metres?", &terms);
    let rising = [
        "Nothing of it.",
        "The dam is old. Its height is great. Some metres are wet.",
        "In metres the height of the dam is 87.",
        "The dam height in metres is 87.",
    ];
    let scores: Vec<f32> = rising.iter().map(|text| closeness(&goal, None, [], text).value).collect();
    assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
    assert!((scores[3] - BESIDE - IN_SENTENCE).abs() < 1e-6, "{scores:?}");
    let rows = "| dam | old |\n| height | 87 |\n| metres | yes |";
    assert!(closeness(&goal, None, [], rows).value < scores[2], "rows are read for themselves");
    let parts = closeness(&goal, None, [], "dam_height_metres = 87").value;
    assert!((parts - scores[3]).abs() < 1e-6, "the parts of an identifier are its words: {parts}");
    let mut reader = ReaderForGoal::new(&goal);
    let again: Vec<f32> = rising.iter().map(|text| reader.closeness(None, [], text).value).collect();
    assert_eq!(again, scores, "what was read before makes no difference");
    assert!(closeness(&goal, None, [], "").sentence.is_empty());
}

/// LB-02: the heading right above says what its sentences are about; a word in the sentence itself counts more.
#[test]
fn words_of_the_heading_count_for_its_sentences() {
    let terms = ["dam", "height"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let goal = Goal::new("What is the dam height?", &terms);
    let value = |heading, text| closeness(&goal, heading, [], text).value;
    let rising = [
        value(None, "It is 87 m."),
        value(None, "The height is 87 m."),
        value(Some("Dam"), "The height is 87 m."),
        value(None, "The dam has a height of 87 m."),
    ];
    assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
    let told = |text| closeness(&goal, None, [], text).told;
    let shares = ["It is 87 m.", "The height is 87 m. The dam is old.", "The dam has a height of 87 m."].map(told);
    assert_eq!(shares, [0.0, 0.5, 1.0], "what one sentence tells of the goal");
    let below = closeness(&goal, Some("damHeight"), [], "It is 87 m.");
    assert_eq!(below.sentence.len(), 2, "an identifier as a heading");
    assert!(below.value > rising[1]);
}

/// LB-02: what a title says is said of all of its document: what stands first, right below it, is no nearer to the question for it.
#[test]
fn titles_count_for_all_that_stands_below_them() {
    let terms =
        ["trainer", "cost", "version", "4"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let goal = Goal::new("How much does the trainer cost in version 4?", &terms);
    let title = "Training (version 4)";
    let first = closeness(&goal, Some(title), [title], "Approved in May. Replaces version 3.");
    let asked = closeness(&goal, Some("Trainer"), [title, "Trainer"], "The trainer costs 30 pounds.");
    let apart = closeness(&goal, Some("Trainer"), ["Trainer"], "The trainer costs 30 pounds.");
    assert!(asked.value > first.value, "{} {}", asked.value, first.value);
    assert!(asked.value > apart.value, "{} {}", asked.value, apart.value);
    assert_eq!(asked.sentence.len(), 4, "what the title has is told with the sentence");
}

/// LB-02: the name of a column says what its cells are, and a name as a heading what all below it is about.
#[test]
fn heads_of_tables_and_names_above_count() {
    let terms = ["harbour", "acquir"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let goal = Goal::new("When was the harbour acquired?", &terms);
    let value = |text| closeness(&goal, None, [], text).value;
    let table = "| title | acquired |\n| --- | --- |\n| Dunes. Study | 1950 |\n| Harbour | 1962 |";
    let other = "| title | acquired |\n\n| Dunes. Study | 1950 |\n| Harbour | 1962 |";
    assert!(value(table) > value(other), "rows stand below their head: {} {}", value(table), value(other));
    let behind = format!("{table}\n\nHarbour of 1962.").replace("| Harbour | 1962 |", "| Coast | 1963 |");
    assert!(value(&behind) < value(table), "what follows a table does not");
    let terms = ["edwin", "marri"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let goal = Goal::new("Whom did Edwin marry?", &terms);
    let own = closeness(&goal, Some("Edwin Harlan"), [], "Married Agnes Thorne.").value;
    let father = closeness(&goal, Some("Josiah Harlan"), [], "Married Martha Pell. Children: Edwin, Rose.").value;
    assert!(own > father, "{own} {father}");
    let goal = Goal::new("whom did edwin marry?", &terms);
    let small = closeness(&goal, Some("Edwin Harlan"), [], "Married Agnes Thorne.").value;
    assert!(own > small, "a word of a heading that is no name counts less: {own} {small}");
}

/// LB-02: where a figure is asked for, the sentence that has one counts more, and most with one of the kind that is asked for.
#[test]
fn a_figure_counts_where_one_is_asked_for() {
    let terms = ["tabl", "join"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let rising =
        ["A join of tables. It has 64 rows.", "A join of tables since version 3.", "A join of up to 64 tables."];
    let scores = |question: &str| -> Vec<f32> {
        let goal = Goal::new(question, &terms);
        rising.iter().map(|text| closeness(&goal, None, [], text).value).collect()
    };
    let asked = scores("How many tables may a join have?");
    assert!(asked.is_sorted_by(|a, b| a < b), "{asked:?}");
    let other = scores("Which tables may a join have?");
    assert!(other.is_sorted_by(|a, b| a >= b), "no figure is asked for: {other:?}");
}

/// LB-02: where it is asked how many there may be, a bound counts more than another figure, also where it is told behind the thing, in its paragraph.
#[test]
fn a_bound_counts_where_one_is_asked_for() {
    let terms = ["tabl", "join"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let score = |question: &str, text: &str| closeness(&Goal::new(question, &terms), None, [], text).value;
    let (may, has) = ("How many tables may a join have?", "How many tables has the join?");
    let (bound, count) = ("A join of up to 64 tables.", "A join of all the 64 tables.");
    assert!(score(may, bound) > score(may, count));
    assert!((score(has, bound) - score(has, count)).abs() < 1e-6);
    let (behind, apart) = ("A join of tables. At most 64.", "A join of tables.\n\nAt most 64.");
    assert!(score(may, behind) > score(may, apart), "another paragraph speaks of something else");
    assert!(score(may, bound) > score(may, behind));
}

/// LB-02: a word that is two of the question holds both: `email` of `e-mail`.
#[test]
fn a_word_in_one_is_both_of_its_parts() {
    let terms = ["address", "e", "mail"].map(|text| {
        let forms = if text == "address" { Vec::new() } else { vec!["email".to_owned()] };
        Term { text: text.to_owned(), weight: 1.0, forms }
    });
    let goal = Goal::new("Which address gets e-mail?", &terms);
    for (text, held) in
        [("An email address.", 3), ("An e-mail address.", 3), ("A mail address.", 2), ("An address.", 1)]
    {
        assert_eq!(closeness(&goal, None, [], text).sentence.len(), held, "{text}");
    }
}
