use proptest::prelude::*;

use super::*;
use crate::core::language::words::words;
use crate::core::text::spans::{PlaceInFile, Span};

/// The weight that BM25 gives a term which stands in `df` of `n` passages.
fn idf(n: f32, df: f32) -> f32 {
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

fn passage(text: &str, matched: &[u16]) -> Passage {
    Passage {
        root: "/docs".into(),
        path: "a.md".into(),
        title: "A".into(),
        headings: vec![],
        text: text.into(),
        lines: PlaceInFile::lines(1, 2),
        parts: Vec::new(),
        span: Span { start: 0, end: text.len() as u64 },
        page: PageHash("00".into()),
        score: 1.0,
        matched: matched.to_vec(),
        meaning: None,
        fenced: false,
        table_head: String::new(),
        of_superseded: false,
    }
}

fn term(text: &str, weight: f32) -> Term {
    Term { text: text.into(), weight, forms: Vec::new() }
}

/// Whether a passage with the terms marked `*` passes, in a library of `n` passages; `stem/df` each.
fn passes(n: f32, terms: &[(&str, f32)]) -> bool {
    let matched: Vec<u16> = (0..).zip(terms).filter(|(_, (text, _))| text.starts_with('*')).map(|(at, _)| at).collect();
    let terms: Vec<Term> = terms.iter().map(|(text, df)| term(text.trim_start_matches('*'), idf(n, *df))).collect();
    let goal = Goal::new("", &terms);
    goal.share(&goal.held(&terms, &passage("", &matched))) >= goal.gate()
}

/// AS-09: what counts as found, and what is only a stray word. `*` marks what the passage holds; the number is in how many
/// passages of the library the term stands.
#[test]
fn the_gate_tells_an_answer_from_a_stray_word() {
    // how do penguins mate with locks
    let penguins = |lock| [("penguin", 0.0), ("mate", 0.0), ("*lock", lock)];
    // can you please explain in detail what happens when a transaction is aborted by a deadlock
    let long = [
        ("pleas", 0.0),
        ("explain", 5.0),
        ("detail", 5.0),
        ("happen", 8.0),
        ("*transact", 60.0),
        ("abort", 9.0),
        ("*deadlock", 4.0),
    ];
    // how long should an egg boil at high altitude in order to get a firm yolk
    let egg = [
        ("*long", 90.0),
        ("egg", 0.0),
        ("boil", 0.0),
        ("*high", 80.0),
        ("altitud", 0.0),
        ("*order", 200.0),
        ("firm", 0.0),
        ("yolk", 0.0),
    ];
    for (name, n, terms, want) in [
        ("one word, there", 1000.0, &[("*vacuum", 40.0)][..], true),
        ("one word, everywhere", 1000.0, &[("*row", 1000.0)], true),
        ("one word, nowhere", 1000.0, &[("penguin", 0.0)], false),
        ("two words, both", 1000.0, &[("*lock", 30.0), ("*timeout", 8.0)], true),
        ("two words, the rarer", 1000.0, &[("lock", 30.0), ("*timeout", 8.0)], true),
        ("two words, the commoner", 1000.0, &[("*lock", 30.0), ("timeout", 8.0)], true),
        ("two words, one foreign, topical", 1000.0, &[("*deadlock", 5.0), ("resolv", 0.0)], true),
        ("two words, one foreign, common", 1000.0, &[("*lock", 30.0), ("penguin", 0.0)], false),
        ("two words, one foreign, common, small library", 100.0, &[("*lock", 10.0), ("penguin", 0.0)], false),
        ("three words, two foreign", 1000.0, &penguins(30.0), false),
        ("three words, two foreign, the third once", 1000.0, &penguins(1.0), false),
        ("three words, two foreign, ten passages", 10.0, &penguins(2.0), false),
        ("three words, one foreign", 1000.0, &[("*slow", 10.0), ("*queri", 200.0), ("tune", 0.0)], true),
        (
            "a definition among common words",
            1000.0,
            &[("*autovacuum", 6.0), ("server", 150.0), ("databas", 300.0)],
            true,
        ),
        ("a long question with fillers", 1000.0, &long, true),
        ("a long foreign question with common words", 1000.0, &egg, false),
        ("nothing at all", 1000.0, &[], false),
    ] {
        assert_eq!(passes(n, terms), want, "{name}");
    }
}

/// AS-09: a name that stands nowhere is not made up for by the verb beside it; the first word has its capital from its
/// place, and a name that was found weighs what it weighs.
#[test]
fn an_absent_name_weighs_more() {
    let terms = [term("wrote", idf(70.0, 4.0)), term("iliad", idf(70.0, 0.0))];
    let share = |question: &str, seen: &[usize]| {
        let mut goal = Goal::new(question, &terms);
        goal.stress_absent_names(&seen.iter().copied().collect());
        assert!((goal.share(&HeldTerms::from([0, 1])) - 1.0).abs() < 1e-6);
        goal.share(&HeldTerms::from([0]))
    };
    let gate = Goal::new("Who wrote the Iliad?", &terms).gate();
    assert!(share("Who wrote the Iliad?", &[0]) < gate);
    for (question, seen) in
        [("who wrote the iliad?", &[0][..]), ("Iliad wrote", &[0]), ("Who wrote the Iliad?", &[0, 1])]
    {
        assert!(share(question, seen) > gate, "{question} {seen:?}");
    }
}

/// What is missing is named in the question's own words, not as the index has them.
#[test]
fn missing_words_are_the_questions_own() {
    let terms = [term("symbol", 1.0), term("uberlebt", 1.0), term("queri", 1.0)];
    let goal = Goal::new("Symbolic, überlebt, query", &terms);
    let words: Vec<&str> = goal.terms().iter().map(|term| term.word.as_str()).collect();
    assert_eq!(words, ["symbolic", "überlebt", "query"]);
    let terms = ["cach", "ttl", "timeout", "second", "dri", "sky"].map(|text| term(text, 1.0));
    let goal = Goal::new("CACHE_TTL, timeout_seconds, dry, skies", &terms);
    let words: Vec<&str> = goal.terms().iter().map(|term| term.word.as_str()).collect();
    assert_eq!(words, ["cache", "ttl", "timeout", "seconds", "dry", "skies"]);
}

/// A word of measure behind `how` weighs nothing and is not missed, unless nothing else is asked.
#[test]
fn words_of_measure_are_not_missed() {
    let missing = |question: &str, terms: &[Term]| {
        let goal = Goal::new(question, terms);
        goal.missing(&HeldTerms::new()).map(|term| term.word.clone()).collect::<Vec<_>>()
    };
    let terms = [term("heavi", 7.0), term("anchor", 3.0)];
    assert_eq!(missing("How heavy are the anchors?", &terms), ["anchors"]);
    assert_eq!(missing("heavy anchors", &terms), ["heavy", "anchors"]);
    assert_eq!(missing("How heavy?", &terms[..1]), ["heavy"]);
    let goal = Goal::new("How heavy are the anchors?", &terms);
    assert!((goal.share(&HeldTerms::from([1])) - 1.0).abs() < 1e-6);
}

/// Fillers do not count, unless the goal is nothing else.
#[test]
fn fillers_do_not_count() {
    let goal = Goal::new("please explain locks", &[term("pleas", 7.0), term("explain", 5.0), term("lock", 3.0)]);
    assert_eq!(goal.terms().iter().map(|term| term.word.as_str()).collect::<Vec<_>>(), ["locks"]);
    let only = Goal::new("how to use it", &[term("how", 1.0), term("use", 3.0)]);
    assert_eq!(only.terms().len(), 2);
}

/// A hop search knows only its own terms; the goal's other terms are looked up in the text and its headings.
#[test]
fn terms_that_were_not_searched_are_looked_up() {
    let goal = Goal::new("replication queries slots", &[term("replic", 2.0), term("queri", 2.0), term("slot", 4.0)]);
    let searched = [term("slot", 4.0), term("wal", 3.0)];
    let mut found = passage("The WAL of a query", &[1]);
    found.headings = vec!["Replication".into()];
    assert_eq!(goal.held(&searched, &found), HeldTerms::from([0, 1]));
    assert!((goal.share(&HeldTerms::from([0, 1])) - 0.5).abs() < 1e-6);
    found.matched = vec![0, 9];
    assert_eq!(goal.held(&searched, &found), HeldTerms::from([0, 1, 2]));
}

/// AS-07: the figures of a score.
#[test]
fn a_score_is_what_stands_in_the_passages() {
    let goal = Goal::new("", &[term("a1", 4.0), term("b1", 4.0), term("c1", 2.0)]);
    let (x, y) = (PageHash("x".into()), PageHash("y".into()));
    let (ab, b) = (HeldTerms::from([0, 1]), HeldTerms::from([1]));
    let quality = Quality::of(&goal, &[ScoredPassage { held: &ab, page: &x }, ScoredPassage { held: &b, page: &y }]);
    let close = |a: f32, b: f32| (a - b).abs() < 1e-6;
    assert!(close(quality.relevance, 0.8), "{quality:?}");
    assert!(close(quality.coverage, 0.8), "{quality:?}");
    assert!(close(quality.confidence, 0.6), "{quality:?}");
    assert!(close(quality.support, 0.4), "{quality:?}");
    assert!(close(quality.diversity, 1.0), "{quality:?}");
    assert_eq!((quality.recency, quality.conflicts), (None, None));
    assert!(!quality.summary().contains("recency"), "what is not known is not shown");
    assert_eq!(Quality::of(&goal, &[]), Quality::default());
}

/// AS-07: when to stop.
#[test]
fn the_stop_rule() {
    let quality = |relevance, coverage, passages| Quality { relevance, coverage, passages, ..Quality::default() };
    for (now, least, want) in [
        (quality(0.7, 0.8, 1), 1, true),
        (quality(0.69, 1.0, 5), 1, false),
        (quality(0.75, 0.79, 5), 1, false),
        (quality(1.0, 1.0, 2), 3, false),
        (quality(1.0, 1.0, 3), 3, true),
    ] {
        assert_eq!(now.good_enough(least), want, "{now:?}");
    }
    let before = quality(0.5, 0.5, 3);
    for (now, want) in [
        (quality(0.5, 0.5, 9), true),
        (quality(0.5, 0.54, 4), true),
        (quality(0.5, 0.56, 4), false),
        (quality(0.6, 0.5, 3), false),
    ] {
        assert_eq!(now.hardly_better_than(&before), want, "{now:?}");
    }
}

/// In a small library half of what a goal speaks of must be held, or two things; a name among them is worth the gate. `held` are words of the goal.
#[test]
fn a_small_library_asks_for_the_subject() {
    for (question, held, want) in [
        ("How deep is the Mariana Trench in the western Pacific Ocean?", "deep mariana trench", true),
        ("How deep is the Mariana Trench in the western Pacific Ocean?", "mariana trench", false),
        ("How deep is the Mariana Trench in the western Pacific Ocean?", "ocean deep", false),
        ("How large is the Pacific Ocean?", "large pacific", true),
        ("How deep is the Java Trench?", "deep trench", false),
        ("When did Marie Curie discover radium?", "curie discover radium", true),
        ("What is rye?", "rye", true),
        ("How is rye milled?", "rye", true),
        ("How is rye milled in Poland by hand?", "rye", false),
        ("How long is the warranty?", "warranty", true),
        ("How heavy is the Meridian Lark?", "meridian lark", true),
        ("How long is the warranty?", "long", false),
        ("How heavy are large anchors?", "heavy", false),
        ("How deep?", "deep", true),
    ] {
        let asked: Vec<String> = words(question).filter(|word| !is_filler_stem(word)).collect();
        let weight = |word: &String| if held.split(' ').any(|held| held == word) { 4.2 } else { 5.3 };
        let terms: Vec<Term> = asked.iter().map(|word| term(word, weight(word))).collect();
        let mut goal = Goal::new(question, &terms).among(Some(1));
        let places = goal.terms().iter().enumerate().filter(|(_, term)| held.split(' ').any(|held| held == term.word));
        let held: HeldTerms = places.map(|(at, _)| at).collect();
        goal.stress_absent_names(&held);
        assert_eq!(goal.is_met_by(&held, goal.gate()), want, "{question} {held:?} {:?}", goal.terms());
        let large = goal.clone().among(None);
        assert_eq!(
            large.is_met_by(&held, goal.gate()),
            goal.share(&held) >= goal.gate(),
            "elsewhere the share decides"
        );
    }
}

proptest! {
    /// AS-07: every figure stays in 0..1, whatever weights a search returns, and nothing is counted twice.
    #[test]
    fn figures_stay_in_range(
        weights in prop::collection::vec(prop_oneof![Just(f32::NAN), Just(f32::INFINITY), -1.0f32..9.0], 0..8),
        hits in prop::collection::vec((prop::collection::btree_set(0usize..10, 0..8), 0u8..3), 0..6),
    ) {
        let terms: Vec<Term> = weights.iter().enumerate().map(|(at, weight)| term(&format!("term{at}"), *weight)).collect();
        let goal = Goal::new("", &terms);
        let pages: Vec<PageHash> = (0..3).map(|at| PageHash(at.to_string())).collect();
        let hits: Vec<ScoredPassage<'_>> = hits.iter().map(|(held, page)| ScoredPassage { held, page: &pages[usize::from(*page)] }).collect();
        let quality = Quality::of(&goal, &hits);
        for figure in [quality.relevance, quality.coverage, quality.confidence, quality.support, quality.diversity] {
            prop_assert!((0.0..=1.0).contains(&figure), "{:?}", quality);
        }
        prop_assert!(quality.coverage + 1e-6 >= quality.relevance && quality.relevance + 1e-6 >= quality.confidence);
        prop_assert!(quality.coverage + 1e-6 >= quality.support);
    }
}

/// LB-02: where a name of the question stands nowhere, a sentence is about it only if it says nearly all of the rest; in a small library, and
/// where every name was seen, that is not asked.
#[test]
fn a_name_that_stands_nowhere() {
    let words = ["send", "alerts", "rsyslog", "PagerDuty"];
    let terms: Vec<Term> = words.iter().map(|word| term(&word.to_lowercase(), 3.0)).collect();
    let told = |seen: &[usize], passages: u64, sentence: &[usize]| {
        let mut goal = Goal::new("How do I send alerts from rsyslog to PagerDuty?", &terms).among(Some(passages));
        goal.stress_absent_names(&seen.iter().copied().collect());
        goal.is_told_without_names(&sentence.iter().copied().collect())
    };
    assert!(!told(&[0, 1, 2], 1_000, &[0, 2]));
    assert!(told(&[0, 1, 2], 1_000, &[0, 1, 2]));
    assert!(told(&[0, 1, 2, 3], 1_000, &[0]));
    assert!(told(&[0, 1, 2], 10, &[0]));
}

/// LB-02: a heading is the question when it has all of its words and no others.
#[test]
fn lb_02_a_heading_may_be_the_question() {
    let terms = ["restor", "singl", "file"].map(|text| Term { text: text.to_owned(), weight: 1.0, forms: Vec::new() });
    let goal = Goal::new("How do I restore a single file?", &terms);
    for (heading, said) in [
        ("Restoring a single file", true),
        ("Single files: how to restore", true),
        ("Restoring a file", false),
        ("Restoring a single file from tape", false),
        ("", false),
    ] {
        assert_eq!(goal.is_said_by(heading), said, "{heading}");
    }
    assert!(!Goal::new("", &[]).is_said_by("The"));
}

/// LB-02: what has the identifier that is asked about is about the question, though its other words stand nowhere.
#[test]
fn an_identifier_of_the_goal_is_enough() {
    let question = "in which version was defaultRetryCount added";
    let about = |words: [(&str, f32); 3]| {
        let terms = words.map(|(text, df)| term(text, idf(1_000.0, df)));
        let goal = Goal::new(question, &terms);
        goal.is_met_by(&HeldTerms::from([1]), goal.gate())
    };
    assert!(about([("version", 0.0), ("defaultretrycount", 1.0), ("ad", 0.0)]));
    assert!(!about([("version", 0.0), ("retri", 1.0), ("ad", 0.0)]));
}

/// LB-02: what a rare name is asked about is shown where the name stands, and doubted; a name that many passages have tells nothing.
#[test]
fn lb_02_a_rare_name_is_enough_to_be_shown() {
    let question = "how many people live in Oberbach";
    let goal = |with_name: f32| {
        let terms = [("peopl", 0.0), ("live", 2.0), ("oberbach", with_name)];
        Goal::new(question, &terms.map(|(text, df)| term(text, idf(1_000.0, df))))
    };
    let held = HeldTerms::from([2]);
    let rare = goal(1.0);
    assert!(rare.share(&held) < rare.gate() && rare.is_met_by(&held, rare.gate()));
    assert!(rare.share(&held) < rare.clear_share(&held, &held, ""), "it is doubted");
    let common = goal(300.0);
    assert!(!common.is_met_by(&held, common.gate()));
    assert!(!rare.is_met_by(&HeldTerms::from([1]), rare.gate()), "the name itself must be there");
}

/// EM-01: an answer of two thirds of the goal is taken for one, less is not.
#[test]
fn em_01_two_thirds_of_the_goal_are_an_answer() {
    let words = ["dam", "lock", "gate", "mill", "pump", "tank", "hose", "drum", "belt"];
    let goal = Goal::new(&words.join(" "), &words.map(|word| term(word, 1.0)));
    let is_clear = |held: usize| {
        let held: HeldTerms = (0..held).collect();
        goal.share(&held) >= goal.clear_share(&held, &held, "")
    };
    assert!(is_clear(6) && !is_clear(5));
    let goal = Goal::new(
        "dam lock gate mill pump tank hose drum",
        &words[..8].iter().map(|w| term(w, 1.0)).collect::<Vec<_>>(),
    );
    let five: HeldTerms = (0..5).collect();
    assert!(goal.share(&five) > 0.6 && goal.share(&five) < goal.clear_share(&five, &five, ""));
}

/// EM-01: what is missing tells whether an answer is one: the name, everything that is asked about it, or a qualifier that others have; in a
/// library of any size.
#[test]
fn em_01_what_is_missing_tells_whether_it_is_an_answer() {
    for passages in [10, 10_000] {
        for (question, held, seen, is_clear) in [
            ("warranty of the AquaJet Mini", &["warranty", "aquajet", "mini"][..], &[][..], true),
            ("warranty of the AquaJet Mini", &["aquajet", "mini"], &[], false),
            ("is the library open on Sunday", &["library", "open"], &["sunday"], false),
            ("is the library open on Sunday", &["library", "open", "sunday"], &[], true),
            ("how long are backups of search kept", &["backups", "kept"], &["search"], false),
            ("how long are backups of search kept", &["backups", "kept"], &[], true),
            // What is no qualifier may be said in other words.
            ("how often does the agent send heartbeats", &["agent", "heartbeats"], &["send"], true),
            // What happened on a day is not told by what else happened then.
            ("what did the board decide on 3 November 2026", &["november", "3", "2026"], &["board", "decide"], false),
        ] {
            let words: Vec<String> = informative(question).into_iter().filter(|word| !is_filler_stem(word)).collect();
            let terms: Vec<Term> = words.iter().map(|word| term(word, 1.0)).collect();
            let goal = Goal::new(question, &terms).among(Some(passages));
            let places = |words: &[&str]| -> HeldTerms {
                goal.terms()
                    .iter()
                    .enumerate()
                    .filter(|(_, term)| words.contains(&term.word.as_str()))
                    .map(|(at, _)| at)
                    .collect()
            };
            let (held, seen) = (places(held), places(&[held, seen].concat()));
            assert_eq!(goal.share(&held) >= goal.clear_share(&held, &seen, ""), is_clear, "{passages}: {question}");
        }
    }
}

/// LB-02: beside an identifier, that it is a setting or a value says nothing.
#[test]
fn lb_02_what_is_said_of_any_setting_weighs_nothing() {
    let question = "what is the value of the setting max_slots";
    let terms = [term("valu", 1.0), term("set", 1.0), term("max", 1.0), term("slot", 1.0)];
    let weights: Vec<f32> = Goal::new(question, &terms).terms().iter().map(|term| term.weight).collect();
    assert_eq!(weights, [0.0, 0.0, 1.0, 1.0]);
    let plain = Goal::new("what is the value of the setting", &terms[..2]);
    assert!(plain.terms().iter().all(|term| term.weight > 0.0), "nothing else is asked for");
}

/// LB-02: a day is held however it is written, and be it in the name of the file; a number only where it is one by itself.
#[test]
fn lb_02_days_and_numbers_are_held_as_what_they_are() {
    let held_words = |question: &str, text: &str, path: &str| -> Vec<String> {
        let terms: Vec<Term> = informative(question).iter().map(|word| term(word, 1.0)).collect();
        let goal = Goal::new(question, &terms);
        let all: Vec<u16> = (0..).zip(&terms).filter(|(_, term)| text.contains(&term.text)).map(|(at, _)| at).collect();
        let held = goal.held(&terms, &Passage { path: path.into(), ..passage(text, &all) });
        goal.terms().iter().enumerate().filter(|(at, _)| held.contains(at)).map(|(_, term)| term.word.clone()).collect()
    };
    assert_eq!(
        held_words("board on 3 November 2026", "the board met", "2026-11-03.md"),
        ["board", "3", "november", "2026"]
    );
    assert_eq!(held_words("board on 3 November 2026", "the board met", "2026-11-04.md"), ["board"]);
    assert_eq!(held_words("a flow of 400 litres", "a flow of 2,400 litres", "a.md"), ["flow", "litres"]);
    assert_eq!(held_words("a flow of 400 litres", "a flow of 400 litres", "a.md"), ["flow", "400", "litres"]);
}

/// EM-01: in a small library, where words are counted and not weighed, what describes the one thing that is asked about tells it from its like; what
/// everything there is about need not be said.
#[test]
fn em_01_what_describes_a_thing_tells_it_from_its_like() {
    for (question, held, weight, is_clear) in [
        ("how many cycles does the nested reaction have", &["cycles", "reaction"][..], 2.0, false),
        ("how many cycles does the nested reaction have", &["cycles", "nested", "reaction"], 2.0, true),
        ("is the museum open on mondays", &["open", "mondays"], 0.5, true),
        ("what is the fold change in mutant m5", &["fold", "change", "mutant"], 2.0, false),
    ] {
        let words: Vec<String> = informative(question).into_iter().filter(|word| !is_filler_stem(word)).collect();
        let weight_of = |word: &String| if held.contains(&word.as_str()) { 1.0 } else { weight };
        let terms: Vec<Term> = words.iter().map(|word| term(word, weight_of(word))).collect();
        let goal = Goal::new(question, &terms).among(Some(10));
        let is_held = |word: &str| held.contains(&word);
        let places: HeldTerms =
            goal.terms().iter().enumerate().filter(|(_, term)| is_held(&term.word)).map(|(at, _)| at).collect();
        assert_eq!(goal.share(&places) >= goal.clear_share(&places, &places, ""), is_clear, "{question} {held:?}");
    }
}
