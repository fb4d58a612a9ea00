//! Tests of drafts.

use super::*;
use crate::core::evidence::excerpt::PageFacts;
use crate::core::evidence::passage::PageHash;
use crate::core::method::study::note::QuotePlace;
use crate::core::text::spans::{PlaceInFile, Span};

fn note(claim: &str) -> Note {
    let facts = PageFacts {
        location: "https://a.test/".into(),
        asked: None,
        title: "A".into(),
        hash: PageHash("a".into()),
        date: None,
        author: None,
    };
    let place = QuotePlace {
        quote: claim.into(),
        facts,
        span: Span { start: 0, end: 1 },
        lines: PlaceInFile::lines(1, 1),
        around: claim.into(),
    };
    Note { claim: claim.into(), places: vec![place], sub: 0 }
}

/// ST-01: citations of notes are brought into one form; what names no note goes.
#[test]
fn citations_come_into_one_form() {
    for (text, want) in [
        ("Deep. [n1]", "Deep [n1]."),
        ("Deep.[n1][n2] More [n3].", "Deep [n1][n2]. More [n3]."),
        ("Deep [n1, n2].", "Deep [n1][n2]."),
        ("Deep [n9].", "Deep ."),
        ("Deep [n1-n3].", "Deep [n1][n2][n3]."),
        ("Deep [2]. More [1, 3].", "Deep [n2]. More [n1][n3]."),
        ("Deep [7], a `b[1]` and [1](x).", "Deep , a `b[1]` and [1](x)."),
        ("An [n]ote and a[3] [link](x).", "An [n]ote and a[3] [link](x)."),
        ("<think>x</think># Depth\n\nDeep [n1].", "Deep [n1]."),
        ("Deep [n1].\n\n## Sources\n\n[n1] x", "Deep [n1]."),
    ] {
        assert_eq!(tidy(text, 3, "Depth"), want, "{text}");
    }
}

#[test]
fn a_draft_is_cut_into_sentences() {
    let draft = "## Head\n\nOne is deep [n1]. Two is not [n2][n3].\n\n- an item [n2]\n\n| a | b |\n|---|---|\n| c | d [n1] |\n\n```\ncode.\n```\n";
    let found: Vec<(String, Vec<usize>)> = split(draft).into_iter().map(|found| (found.text, found.notes)).collect();
    let want = [("One is deep.", vec![0]), ("Two is not.", vec![1, 2]), ("an item", vec![1]), ("| c | d |", vec![0])];
    assert_eq!(found, want.map(|(text, notes)| (text.to_owned(), notes)));
    let items = split("1. First is deep [n1].\n2. Second [n2].");
    assert_eq!(items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>(), ["First is deep.", "Second."]);
    for sentence in split(draft) {
        assert!(draft.get(sentence.range).is_some_and(|text| text.contains("[n")));
    }
}

/// ST-01: a sentence holds if its notes say it; what cites nothing and claims something does not.
#[test]
fn sentences_are_judged_by_their_notes() {
    let notes = [
        note("The Mariana Trench is 10,935 metres deep at the Challenger Deep."),
        note("Walsh reached the bottom of the Mariana Trench in 1960."),
    ];
    let quotes = Quotes::of(&notes, &[0, 1].into());
    let draft = "The Mariana Trench is 10,935 metres deep at the Challenger Deep [n1]. The Mariana Trench is 12,400 metres deep at the Challenger Deep [n1]. In short: \
        Cheese from the moon is sold in every shop of the town. Walsh reached the bottom of the Mariana Trench in 1960.";
    let verdicts: Vec<Verdict> = judge(draft, &quotes, &[0, 1]).into_iter().map(|judged| judged.verdict).collect();
    assert_eq!(verdicts[0], Verdict::Supported);
    assert_eq!(verdicts[1], Verdict::Unsupported);
    assert_eq!(verdicts[2], Verdict::Unsupported, "{:?}", split(draft));
    assert_eq!(verdicts[3], Verdict::Supported, "an uncited sentence that a note bears out");
    let short = "Yes.\n\n**What is known of it**\n\nThese are the names of it:\n\nPenguins built a cathedral. The captain was Nemo.";
    let holds: Vec<bool> =
        judge(short, &quotes, &[0, 1]).iter().map(|judged| judged.verdict == Verdict::Supported).collect();
    assert_eq!(holds, [true, true, true, false, false], "{:?}", split(short));
}

/// ST-01: nothing but the named sentences changes.
#[test]
fn only_the_named_sentences_change() {
    let draft = "## A\n\nOne [n1]. Two [n2]. Three [n3].\n\n- item [n4]\n- other [n5]\n\n## B\n\nGone [n6].\n\n## C\n\nStays [n7].";
    let changes: BTreeMap<usize, String> =
        [(1, "Zwei [n2].".to_owned()), (3, String::new()), (5, String::new())].into_iter().collect();
    let sentences = split(draft);
    assert_eq!(
        replace(draft, &changes, &sentences),
        "## A\n\nOne [n1]. Zwei [n2]. Three [n3].\n\n- other [n5]\n\n## C\n\nStays [n7]."
    );
    assert_eq!(replace(draft, &BTreeMap::new(), &sentences), draft);
    let listed = "1. One [n1].\n2. Two [n2].";
    let gone: BTreeMap<usize, String> = [(0, String::new())].into_iter().collect();
    assert_eq!(replace(listed, &gone, &split(listed)), "2. Two [n2].");
}

#[test]
fn repairs_are_read_leniently() {
    let said = "Sure:\nS2: Zwei [n2].\n**S3:** -\nS9: \nADD: New fact. [n4]\nADD: no number\nother: x";
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    let repairs = read_repairs(&lines, 5);
    assert_eq!(
        repairs.sentences,
        [(1, "Zwei [n2].".to_owned()), (2, String::new()), (8, String::new())].into_iter().collect()
    );
    assert_eq!(repairs.added, ["New fact [n4]."]);
}

/// PR-02: brackets that nobody closes are read once.
#[test]
fn hostile_brackets_are_read_in_one_go() {
    for piece in ["[", "[n", "[n1", "x [", "[[n1]"] {
        let text = piece.repeat((1 << 18) / piece.len());
        assert!(tidy(&text, 3, "").len() <= text.len() * 2, "{piece}");
    }
}

/// ST-01: a line that leads over says nothing that the notes do not speak of.
#[test]
fn a_lead_in_speaks_of_what_the_notes_say() {
    let notes = [note("The Mariana Trench is 10,935 metres deep at the Challenger Deep.")];
    let quotes = Quotes::of(&notes, &[0].into());
    for (text, verdict) in [
        ("The depth of the Mariana Trench at the Challenger Deep:", Verdict::Supported),
        ("In short:", Verdict::Supported),
        ("The following facts show that vaccines poison every healthy child:", Verdict::Unsupported),
        ("**Vaccines poison every healthy child**", Verdict::Unsupported),
    ] {
        let judged = judge(text, &quotes, &[0]);
        assert_eq!(judged.iter().map(|judged| judged.verdict).collect::<Vec<_>>(), [verdict], "{text}");
    }
}

/// ST-03: what turns its note around is not called right.
#[test]
fn what_turns_its_note_around_is_doubted() {
    let notes = [
        note("The Lark reactor produces 520 megawatts of power."),
        note("The Lark reactor is cooled by liquid sodium."),
    ];
    let quotes = Quotes::of(&notes, &(0..2).collect());
    let doubted = |text: &str| {
        let judged = judge(text, &quotes, &[0, 1]).remove(0);
        judged.doubtful || judged.verdict == Verdict::Unsupported
    };
    assert!(!doubted("The Lark reactor produces 520 megawatts [n1]."));
    assert!(doubted("The Lark reactor does not produce 520 megawatts of power [n1]."));
}

/// ST-01: a stop behind dots in quotes is no sentence.
#[test]
fn dots_in_quotes_end_nothing() {
    let text = "A path may hold two dots \"..\" [n1]. The next one [n1].";
    let said: Vec<String> = split(text).into_iter().map(|sentence| sentence.text).collect();
    assert!(said.iter().all(|text| text.contains(char::is_alphanumeric)), "{said:?}");
    assert_eq!(tidy("Disks, tapes etc. [n1] and more [n2].", 2, ""), "Disks, tapes etc. [n1] and more [n2].");
}
