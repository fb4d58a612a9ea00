//! How many documents a report has.

use super::*;

/// Twenty documents on a field, each in words of its own, and forty that share one word with the question.
fn field() -> Shelf {
    let mut documents: Vec<(String, String)> = Vec::new();
    for at in 0..20 {
        let own: Vec<String> = (0..12).map(|word| format!("x{at}y{word}")).collect();
        documents.push((format!("field/{at}.md"), format!("F{at}\n\nCoral reef bleaching {}", own.join(" "))));
    }
    for at in 0..40 {
        let own: Vec<String> = (0..12).map(|word| format!("z{at}y{word}")).collect();
        documents.push((format!("rest/{at}.md"), format!("R{at}\n\nWater {}", own.join(" "))));
    }
    let documents: Vec<(&str, &str)> = documents.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Shelf::new(&documents)
}

/// LB-02: the number of documents follows their scores; the usual report has some of them, the broad one all.
#[test]
fn a_broad_report_has_the_field_and_not_the_rest() {
    let shelf = field();
    for (scope, want) in [(Scope::Normal, 8), (Scope::Large, 20)] {
        let plan = AdaptivePlan { scope: Some(scope), ..plan("coral reef bleaching in warm water") };
        let report = completed(&plan, healthy(&shelf));
        let documents: BTreeSet<&String> = report.sources.iter().map(|source| &source.location).collect();
        assert_eq!(documents.len(), want, "{scope:?}: {documents:?}");
        assert!(documents.iter().all(|document| document.starts_with("/d/field/")), "{documents:?}");
    }
}

/// A broad report on what nothing is really about says so; the usual one says that nothing was found.
#[test]
fn what_is_far_off_is_called_so() {
    let shelf = field();
    let goal = "coral reef conservation budgets";
    let ask = |scope: Scope| completed(&AdaptivePlan { scope: Some(scope), ..plan(goal) }, healthy(&shelf));
    let (usual, broad) = (ask(Scope::Normal), ask(Scope::Large));
    assert_eq!(usual.stop_reason, StopReason::NothingFound, "{}", usual.markdown);
    assert!(broad.markdown.contains("No passage holds much of the question"), "{}", broad.markdown);
    assert!(broad.markdown.contains("in nothing that is quoted here: `conservation`"), "{}", broad.markdown);
}

/// Nobody has to read forty documents to see the answer.
#[test]
fn the_extent_follows_the_length_asked_for() {
    let shelf = field();
    let ask = |scope: Scope, length: Option<Length>| {
        let plan = AdaptivePlan { scope: Some(scope), length, ..plan("coral reef bleaching in warm water") };
        completed(&plan, healthy(&shelf)).claims.len()
    };
    assert_eq!(ask(Scope::Large, None), 20);
    assert_eq!(ask(Scope::Normal, Some(Length::Long)), 8);
    assert!((2..20).contains(&ask(Scope::Large, Some(Length::Brief))));
}
