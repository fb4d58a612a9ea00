use super::*;

fn asked(goal: &str) -> StrategyInputs<'_> {
    StrategyInputs { goal, ..StrategyInputs::default() }
}

/// AS-02: the table.
#[test]
fn a_level_fixes_the_figures() {
    for (scope, level, figures, depth) in [
        (Scope::Tiny, Level::Shallow, (1, 3, 1), SearchDepth::Basic),
        (Scope::Normal, Level::Medium, (3, 5, 3), SearchDepth::Basic),
        (Scope::Large, Level::Deep, (4, 7, 5), SearchDepth::Advanced),
    ] {
        let strategy = compute(&StrategyInputs { scope: Some(scope), ..asked("vacuum of dead rows") });
        assert_eq!(strategy.level, level);
        assert_eq!((strategy.max_attempts, strategy.max_results, strategy.top_pages), figures);
        assert_eq!(strategy.search_depth, depth);
    }
}

/// AS-01: what the caller says decides.
#[test]
fn scope_and_hint_choose_the_level() {
    use Hint::{Architecture, Debug, Reference, Research};
    use Scope::{Large, Normal, Tiny};
    for (scope, hint, want) in [
        (None, None, Level::Medium),
        (None, Some(Reference), Level::Medium),
        (None, Some(Debug), Level::Medium),
        (None, Some(Architecture), Level::Deep),
        (None, Some(Research), Level::Deep),
        (Some(Tiny), Some(Architecture), Level::Shallow),
        (Some(Tiny), None, Level::Shallow),
        (Some(Normal), None, Level::Medium),
        (Some(Normal), Some(Research), Level::Deep),
        (Some(Large), Some(Reference), Level::Deep),
    ] {
        let strategy = compute(&StrategyInputs { scope, hint, ..asked("vacuum of dead rows") });
        assert_eq!(strategy.level, want, "{scope:?} {hint:?}");
    }
}

/// AS-01, AS-02: without a word from the caller the goal's own words decide, and only whole ones.
#[test]
fn the_goal_decides_when_nothing_else_is_said() {
    let long = "and then the lock is taken again ".repeat(30);
    for (goal, want) in [
        ("How does the server recover after a crash?", Level::Medium),
        ("a comprehensive overview of replication", Level::Deep),
        ("explain replication in depth", Level::Deep),
        ("explain replication in the depths of winter", Level::Medium),
        (long.as_str(), Level::Deep),
        ("What is a write-ahead log?", Level::Shallow),
        ("what does WAL mean", Level::Shallow),
        ("What does the checkpointer write and when does it do that?", Level::Medium),
        ("quick: which port", Level::Shallow),
        ("what is this error", Level::Medium),
        // `quick` is not in `quicksort`, `survey` not in `surveyor`, `typo` not in `typography`.
        ("quicksort against the surveyors of typography", Level::Medium),
        ("design of the storage layer", Level::Medium),
    ] {
        assert_eq!(compute(&asked(goal)).level, want, "{goal}");
    }
}

/// AS-03: `none` needs a tiny goal and a context that answers it.
#[test]
fn a_context_that_answers_a_tiny_goal_spares_the_search() {
    let port = "The server listens on TCP.\nThe default port is 7421. It can be changed.";
    for (name, scope, goal, context, want) in [
        ("told", Some(Scope::Tiny), "which default port does it use", port, Level::None),
        ("told, scope guessed", None, "what is the default port", port, Level::None),
        ("not tiny", Some(Scope::Normal), "which default port does it use", port, Level::Medium),
        ("no context", Some(Scope::Tiny), "which default port does it use", "", Level::Shallow),
        ("another matter", Some(Scope::Tiny), "which default user does it use", port, Level::Shallow),
        ("a question", Some(Scope::Tiny), "the default port", "What is the default port 7421?", Level::Shallow),
        ("the goal again", Some(Scope::Tiny), "the default port", "I need to know the default port.", Level::Shallow),
        ("no number", Some(Scope::Tiny), "the default port", "The default port is secret.", Level::Shallow),
        ("two sentences", Some(Scope::Tiny), "server default port", port, Level::None),
        (
            "far apart",
            Some(Scope::Tiny),
            "server port changed",
            "The server. A. B. The port 1. C. Changed.",
            Level::Shallow,
        ),
        ("defined", None, "what is MVCC", "MVCC is multi-version concurrency control.", Level::None),
        ("only named", None, "what is MVCC", "We looked at MVCC yesterday.", Level::Shallow),
        ("nothing asked", Some(Scope::Tiny), "what is it", "It is what it is today.", Level::Shallow),
        ("substring", Some(Scope::Tiny), "cat flap size", "The category flapper size is 9.", Level::Shallow),
    ] {
        let strategy = compute(&StrategyInputs { scope, context: Some(context), ..asked(goal) });
        assert_eq!(strategy.level, want, "{name}");
        assert_eq!(strategy.max_attempts == 0, want == Level::None, "{name}");
    }
}

/// AS-03: the sentences that answer, and only they.
#[test]
fn the_answer_is_the_shortest_run_of_sentences() {
    let context = "We use one box. The default port is 7421. Nobody changed it.";
    assert_eq!(answers(context, "what is the default port"), Some(vec!["The default port is 7421."]));
    assert_eq!(answers(context, "box default port"), Some(vec!["We use one box.", "The default port is 7421."]));
}

/// AS-01: a context that covers the goal lowers the level by one, never below shallow.
#[test]
fn a_context_that_covers_much_lowers_the_level() {
    let context = "Replication sends the log to a standby; a slot keeps the log until the standby has it.";
    let goal = "how replication slots keep the log for a standby";
    for (scope, context, want) in [
        (Scope::Large, Some(context), Level::Medium),
        (Scope::Normal, Some(context), Level::Shallow),
        (Scope::Tiny, Some("Replication slots exist."), Level::Shallow),
        (Scope::Large, Some("The weather is fine."), Level::Deep),
        (Scope::Large, None, Level::Deep),
    ] {
        assert_eq!(
            compute(&StrategyInputs { scope: Some(scope), context, ..asked(goal) }).level,
            want,
            "{scope:?} {context:?}"
        );
    }
}

/// AS-04: the caller's number of attempts counts, within the limit, and changes nothing else.
#[test]
fn explicit_attempts_do_not_change_the_level() {
    for (given, want) in [(0, 1), (1, 1), (7, 7), (u32::MAX, limits::ATTEMPTS)] {
        for scope in [Scope::Tiny, Scope::Normal, Scope::Large] {
            let plain = compute(&StrategyInputs { scope: Some(scope), ..asked("vacuum of dead rows") });
            let strategy = compute(&StrategyInputs {
                scope: Some(scope),
                max_attempts: Some(given),
                ..asked("vacuum of dead rows")
            });
            assert_eq!(strategy, Strategy { max_attempts: want, ..plain });
        }
    }
    let context = Some("The default port is 7421.");
    let none = compute(&StrategyInputs { context, max_attempts: Some(5), ..asked("what is the default port") });
    assert_eq!(none, Level::None.strategy());
}

#[test]
fn words_on_the_wire_are_snake_case() {
    assert_eq!(serde_json::to_string(&Scope::Tiny).unwrap(), "\"tiny\"");
    assert_eq!(serde_json::to_string(&Hint::Architecture).unwrap(), "\"architecture\"");
    let strategy = serde_json::to_value(Level::Deep.strategy()).unwrap();
    assert_eq!(strategy["level"], "deep");
    assert_eq!(strategy["search_depth"], "advanced");
}
