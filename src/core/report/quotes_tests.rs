use expect_test::expect;

use super::*;
use crate::core::base::error::{Code, Error, Problem};
use crate::core::evidence::passage::PageHash;
use crate::core::language::stems::stem_of;
use crate::core::language::words::informative;
use crate::core::report::answer::AskedWord;
use crate::core::text::spans::PlaceInFile;

fn passage(root: &str, path: &str, first: u32, text: &str) -> Passage {
    let start = u64::from(first) * 100;
    Passage {
        root: root.into(),
        path: path.into(),
        title: "Locks".into(),
        headings: vec!["Locks".into(), "Row [locks](x)".into()],
        text: text.into(),
        lines: PlaceInFile::lines(first, first + 2),
        parts: Vec::new(),
        span: Span { start, end: start + text.len() as u64 },
        page: PageHash(format!("hash of {path}")),
        score: 1.0,
        matched: vec![],
        meaning: None,
        fenced: false,
        table_head: String::new(),
        of_superseded: false,
    }
}

const GOAL: &str = "How do rows lock?";
const NO_PROBLEMS: &Problems = &Problems { listed: Vec::new(), beyond: 0 };

fn asked() -> AskedQuestion {
    let word = |word: &str| AskedWord { stem: word.into(), word: word.into(), weight: 1.0, forms: Vec::new() };
    AskedQuestion::new(GOAL, ["row", "lock"].map(word).to_vec())
}

fn write_all(quotes: Vec<Quote<'_>>, problems: &[Problem]) -> Written {
    let problems = Problems { listed: problems.to_vec(), beyond: 0 };
    write(&draft(&asked(), quotes, Extent::Full, &problems))
}

fn draft<'a>(
    asked: &'a AskedQuestion,
    quotes: Vec<Quote<'a>>,
    extent: Extent,
    problems: &'a Problems,
) -> QuoteInput<'a> {
    let (lead, missing, other_words) = (String::new(), vec![], vec![]);
    QuoteInput {
        goal: GOAL,
        sought: GOAL,
        asked,
        lead,
        quotes,
        extent,
        clear_share: 0.6,
        missing,
        other_words,
        problems,
    }
}

fn plain(passage: &Passage) -> Quote<'_> {
    Quote { passage, found_by: None, copies: &[] }
}

/// LB-01: what is cut out of the middle of code has a fence and its indent, a row of a table its head.
#[test]
fn parts_of_code_and_tables_keep_their_form() {
    let shown = |passage: &Passage| {
        // Below a heading that asks the question all would be quoted.
        let passage = &Passage { headings: vec!["Locks".into()], ..passage.clone() };
        let written = write(&draft(&asked(), vec![plain(passage)], Extent::Brief, NO_PROBLEMS));
        let claim = written.claims[0].text.clone();
        assert!(passage.text.contains(&claim), "{claim}");
        let quote: Vec<&str> = written.markdown.lines().filter(|line| line.starts_with('>')).collect();
        quote.join("\n")
    };
    let middle = |text: &str| Passage { fenced: true, ..passage("/d", "a.md", 1, text) };
    for (text, want) in [
        ("    row.lock(**all);\n    more();", "> ```\n>     row.lock(**all);\n>     more();\n> ```"),
        ("  row.lock();\n~~~\n\nNothing here.", "> ```\n>   row.lock();\n> ```\n>\n> Nothing here."),
    ] {
        assert_eq!(shown(&middle(text)), want);
    }
    let item = "- Run:\n- ```sh\n  row lock\n  ```\n- Then rest.";
    assert_eq!(shown(&passage("/d", "a.md", 1, item)), "> - ```sh\n>   row lock\n>   ```");
    let rows: String = (0..40).map(|row| format!("| port {row} | {row} |\n")).collect();
    let table = format!("| name | size |\n| --- | --- |\n{rows}| row lock | 7 |\n");
    let quoted = shown(&passage("/d", "a.csv", 1, &table));
    assert_eq!(quoted, "> | name | size |\n> | --- | --- |\n> | **row** **lock** | 7 |");
    // The head stands in another passage.
    let table_head = "| name | size |\n| --- | --- |\n".to_owned();
    let middle = Passage { table_head, ..passage("/d", "a.md", 1, "| row lock | 7 |\n| port | 8 |\n") };
    assert!(shown(&middle).starts_with("> | name | size |\n> | --- | --- |\n> | **row** **lock** | 7 |"));
    let behind = Passage { text: "| port | 8 |\n\nA row lock.".to_owned(), ..middle };
    assert_eq!(shown(&behind), "> A **row** **lock**.");
    let source = passage("/d", "a.rs", 1, "fn row() {\n    lock(**all);\n}");
    assert_eq!(shown(&source), "> ```\n> fn row() {\n>     lock(**all);\n> }\n> ```");
}

/// EM-01: a word in the head that is shown above a row is not called missing.
#[test]
fn em_01_the_head_of_a_table_counts_as_quoted() {
    let rows = "| row | 7 |\n| vault | 8 |\n";
    for rule in ["| --- | --- |", "|-|-|", "|:--|--:|"] {
        let table_head = format!("| name | lock |\n{rule}\n");
        let inside = Passage { table_head: table_head.clone(), ..passage("/d", "a.md", 1, rows) };
        let whole = passage("/d", "a.md", 1, &format!("{table_head}{rows}"));
        for mut passage in [inside, whole] {
            (passage.title, passage.headings) = (String::new(), Vec::new());
            let written = write(&draft(&asked(), vec![plain(&passage)], Extent::Brief, NO_PROBLEMS));
            let shown = format!("> | name | **lock** |\n> {rule}\n> | **row** | 7 |");
            assert!(written.markdown.contains(&shown), "{}", written.markdown);
            assert_eq!((written.answer_share, written.doubt), (Some(1.0), None));
            assert!(!written.markdown.contains("## Not found"), "{}", written.markdown);
        }
    }
}

/// EM-01: what holds little of the question is shown as what it is, however much of it is shown.
#[test]
fn em_01_an_answer_that_holds_little_is_doubted() {
    let word =
        |(word, weight): (&str, f32)| AskedWord { stem: word.into(), word: word.into(), weight, forms: Vec::new() };
    let asked =
        AskedQuestion::new("vacuum at night?", [("vacuum", 5.0), ("night", 3.0), ("row", 1.0)].map(word).to_vec());
    for (text, share, doubt) in [
        (
            "We answer by day or night.",
            4.0 / 9.0,
            Some("Not found as asked: the nearest passage does not have `vacuum`."),
        ),
        ("A row, a vacuum.", 6.0 / 9.0, None),
    ] {
        let passage = passage("/d", "a.md", 1, text);
        for extent in [Extent::Brief, Extent::Documents, Extent::Full] {
            let written = write(&draft(&asked, vec![plain(&passage)], extent, NO_PROBLEMS));
            assert_eq!(written.doubt.as_deref(), doubt, "{text}");
            assert_eq!(written.answer_share, Some(share), "{text}");
            let said = written.markdown.starts_with("# How do rows lock?\n\n**Not found as asked");
            assert_eq!((said, written.claims.len()), (doubt.is_some(), 1), "{}", written.markdown);
        }
    }
}

/// EM-01: of the first few passages the first one that has what is asked for stands on top; where none has, the first one does, and is doubted.
#[test]
fn em_01_what_has_the_words_comes_before_what_is_doubted() {
    let word = |word: &str| AskedWord { stem: word.into(), word: word.into(), weight: 1.0, forms: Vec::new() };
    let asked = AskedQuestion::new("winch deposit?", ["winch", "deposit"].map(word).to_vec());
    let texts = ["The winch is old.", "A winch.", "The winch needs a deposit of 30 pounds.", "A winch, a deposit."];
    let passages: Vec<Passage> =
        texts.iter().zip(["a.md", "b.md", "c.md", "d.md"]).map(|(text, path)| passage("/d", path, 1, text)).collect();
    for (places, first, is_doubted) in [
        (&[0, 2][..], "The winch needs", false),
        (&[0, 1, 2], "The winch needs", false),
        (&[2, 0], "The winch needs", false),
        (&[0, 1, 1, 2], "The winch is", true),
        (&[0, 1], "The winch is", true),
        (&[3, 2], "A winch, a", false),
    ] {
        let quotes = places.iter().map(|at| plain(&passages[*at])).collect();
        let written = write(&draft(&asked, quotes, Extent::Brief, NO_PROBLEMS));
        assert_eq!(written.doubt.is_some(), is_doubted, "{}", written.markdown);
        assert!(written.claims[0].text.starts_with(first), "{}", written.markdown);
    }
}

/// EM-01: of a table only the head of which has words of the question it is said what its rows lack, and whether its document has it elsewhere.
#[test]
fn em_01_what_the_document_of_a_table_has_elsewhere_is_not_denied() {
    let word = |word: &str| AskedWord { stem: word.into(), word: word.into(), weight: 1.0, forms: Vec::new() };
    let asked = AskedQuestion::new("scope of webhooks?", ["scope", "webhooks"].map(word).to_vec());
    let table = passage("/d", "scopes.md", 1, "| Scope | Use |\n|---|---|\n| read | lists |\n| write | changes |");
    for (path, text, doubt) in [
        ("scopes.md", "Of webhooks the scope is told below.", "nearest passage does not have `webhooks`, which its"),
        ("scopes.md", "Nothing of it.", "no row of the nearest table has `webhooks`"),
        ("hooks.md", "Of webhooks the scope is told below.", "no row of the nearest table has `webhooks`"),
    ] {
        let other = passage("/d", path, 9, text);
        let quotes = vec![plain(&table), plain(&other)];
        let judged =
            judge(&QuoteInput { clear_share: 0.0, ..draft(&asked, quotes, Extent::Brief, NO_PROBLEMS) }, &table);
        assert!(judged.why.as_deref().is_some_and(|why| why.contains(doubt)), "{path}, {text}: {judged:?}");
    }
}

/// EM-01: where a figure is asked for, a passage without one is no answer, however many of the question's words it has.
#[test]
fn em_01_an_answer_without_the_figure_is_doubted() {
    let word = |word: &str| AskedWord { stem: word.into(), word: word.into(), weight: 1.0, forms: Vec::new() };
    let asked = AskedQuestion::new("How many rows may one vacuum have?", ["row", "vacuum"].map(word).to_vec());
    for (text, doubt) in [
        ("One vacuum has rows.", Some("Not found as asked: the nearest passage has no such figure.")),
        ("A row is kept.", Some("Not found as asked: the nearest passage does not have `vacuum`, and no such figure.")),
        ("A vacuum has rows. Most have 64.", None),
    ] {
        let passage = passage("/d", "a.md", 1, text);
        let written =
            write(&QuoteInput { clear_share: 0.0, ..draft(&asked, vec![plain(&passage)], Extent::Brief, NO_PROBLEMS) });
        assert_eq!(written.doubt.as_deref(), doubt, "{text}");
    }
}

#[test]
fn a_report_reads_like_this() {
    let (a, b) = (
        passage("/d", "locks.md", 10, "A row is <b>locked</b>.\n```sql\nSELECT a[1];\n```"),
        passage("/d", "locks.md", 2, "First, see [3]."),
    );
    let c = passage("/d", "wal/log.md", 5, "The log.");
    let copies = [Place { root: "/d".into(), path: "old/locks.md".into(), lines: PlaceInFile::lines(4, 9) }];
    let problems =
        [Problem { subject: "bad.html".into(), error: Error::new(Code::LibraryUnreadable, "not UTF-8 <x>") }];
    let quotes = vec![
        Quote { passage: &a, found_by: None, copies: &copies },
        Quote { passage: &c, found_by: Some("row `wal`"), copies: &[] },
        plain(&b),
    ];
    let written = write_all(quotes, &problems);
    expect![[r#"
        # How do rows lock?

        > A **row** is \<b>**locked**\</b>.
        > ```sql
        > SELECT a[1];
        > ```

        **[1]** `locks.md`, lines 10–12 — Locks › Row \[locks](x)

        Nearly the same text: `old/locks.md:4-9`.

        _Passages quoted word for word from local documents, the most relevant document first. No model wrote or judged this report._

        ## More

        **[2]** `locks.md`, lines 2–4 — Locks › Row \[locks](x)

        > First, see \[3].

        **[3]** `wal/log.md`, lines 5–7 — Locks › Row \[locks](x) (found by the follow-up query `` row `wal` ``)

        > The log.

        ## Sources

        - [1] `locks.md:10-12` — Locks › Row \[locks](x)
        - [2] `locks.md:2-4` — Locks › Row \[locks](x)
        - [3] `wal/log.md:5-7` — Locks › Row \[locks](x)

        ## Problems

        - `bad.html`: LIBRARY_UNREADABLE (not UTF-8 \<x>)
    "#]]
    .assert_eq(&written.markdown);
    assert_eq!(written.sources.iter().map(|source| source.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(written.sources[2].location, "/d/wal/log.md");
}

/// LB-01: a passage of which no part was chosen is listed, and not quoted without a word; where nothing else is there, its beginning is quoted.
#[test]
fn lb_01_no_quote_is_empty() {
    let log: String = (10..40).map(|no| format!("2026-03-01 10:04:{no} DEBUG tick {no}\n")).collect();
    let (first, log) = (passage("/d", "a.md", 1, "A row is locked."), passage("/d", "a.log", 1, &log));
    let written = |quotes: Vec<Quote<'_>>, extent| write(&draft(&asked(), quotes, extent, NO_PROBLEMS)).markdown;
    for extent in [Extent::Brief, Extent::Documents, Extent::Full] {
        for quotes in [vec![plain(&first), plain(&log)], vec![plain(&log)]] {
            let markdown = written(quotes, extent);
            assert!(!markdown.contains("> ```\n>\n> ```"), "{markdown}");
        }
    }
    assert!(written(vec![plain(&log)], Extent::Brief).contains("tick 10"));
}

/// EM-01: what else is quoted stands below its heading, also where the second passage is only listed.
#[test]
fn em_01_further_quotes_have_their_heading() {
    let (a, b) = (passage("/d", "a.md", 1, "A row is locked."), passage("/d", "a.md", 9, "Another row is locked."));
    let c = passage("/d", "c.md", 1, "The lock of a row.");
    let markdown = write(&draft(&asked(), vec![plain(&a), plain(&b), plain(&c)], Extent::Brief, NO_PROBLEMS)).markdown;
    assert_eq!(markdown.matches("## More\n\n**[3]** `c.md`").count(), 1, "{markdown}");
    let alone = write(&draft(&asked(), vec![plain(&a)], Extent::Brief, NO_PROBLEMS)).markdown;
    assert!(!alone.contains("## More"), "{alone}");
}

/// EV-01: each quote is a claim with its place in the archived text, also when it is cut.
#[test]
fn the_ledger_has_every_quote_word_for_word() {
    let long = "é".repeat(limits::QUOTE_CHARS - 10) + "\nshort line\nrest";
    for text in ["Short.", long.as_str()] {
        let found = passage("/d", "a.md", 3, text);
        let written = write_all(vec![plain(&found)], &[]);
        let claim = &written.claims[0];
        let span = claim.span.unwrap();
        let place = usize::try_from(span.start - found.span.start).unwrap()
            ..usize::try_from(span.end - found.span.start).unwrap();
        assert_eq!(text.get(place), Some(claim.text.as_str()));
        assert_eq!((claim.source, claim.verdict), (1, Verdict::Quoted));
        assert_eq!(written.markdown.contains("Cut here; [1] goes on to line 5."), text.len() > 100);
        assert!(!claim.text.ends_with("rest"));
    }
}

#[test]
fn a_report_is_bounded() {
    let line = "word ".repeat(2_000) + "\n";
    let passages: Vec<Passage> =
        (0..60).map(|at| passage(&"/d".repeat(500), &format!("{at}{}", "x".repeat(5_000)), at, &line)).collect();
    let places: Vec<Place> = (0..90)
        .map(|at| Place { root: "/d".into(), path: "y".repeat(3_000), lines: PlaceInFile::lines(at, at) })
        .collect();
    let quotes: Vec<Quote<'_>> =
        passages.iter().map(|passage| Quote { passage, found_by: Some(&line), copies: &places }).collect();
    let listed = (0..500)
        .map(|at| Problem { subject: format!("{at}{line}"), error: Error::new(Code::Timeout, line.clone()) })
        .collect();
    let problems = Problems { listed, beyond: 12 };
    let goal = "why ".repeat(2_500);
    let asked = asked();
    for (extent, most) in [(Extent::Full, 400_000), (Extent::Documents, 400_000), (Extent::Brief, 60_000)] {
        let draft = draft(&asked, quotes.clone(), extent, &problems);
        let written = write(&QuoteInput { goal: &goal, ..draft });
        assert_eq!(written.sources.len(), passages.len());
        assert!(written.markdown.chars().count() < most, "{extent:?}: {}", written.markdown.chars().count());
        assert!(written.markdown.contains("- and 492 more") && written.markdown.contains(" and 85 more."));
    }
}

/// A path that stands in two roots is shown with its root.
#[test]
fn two_roots_are_told_apart() {
    let (a, b) = (passage("/one", "a.md", 1, "x"), passage("/two", "a.md", 1, "y"));
    let written = write_all(vec![plain(&a), plain(&b)], &[]);
    assert!(written.markdown.contains("- [2] `/two/a.md:1-3`"), "{}", written.markdown);
}

#[test]
fn a_location_is_one_path() {
    for (root, path, want) in [
        ("/d", "a/b.md", "/d/a/b.md"),
        ("/d/", "b.md", "/d/b.md"),
        ("/d/b.md", "b.md", "/d/b.md"),
        ("/", "b.md", "/b.md"),
    ] {
        assert_eq!(location(root, path), want);
    }
}

/// AS-03: the answer says where it is from.
#[test]
fn a_context_is_quoted_as_such() {
    expect![[r#"
        # Which port?

        _Quoted from the context that came with the question. Nothing was searched and no model wrote this._

        > The port is 7421. See `http://h`.
    "#]]
    .assert_eq(&from_context("Which port?", &["The port is 7421.", "See http://h."]));
}

/// A document without a title has its file's name for one, which is no news beside its path.
#[test]
fn a_title_that_is_the_files_name_is_left_out() {
    let named = |title: &str| Passage { title: title.into(), ..passage("/d", "sub/notes.v2.txt", 1, "text") };
    for (title, want) in
        [("notes.v2", "`sub/notes.v2.txt`, lines 1–3 › "), ("Notes", "`sub/notes.v2.txt`, lines 1–3 — Notes › ")]
    {
        let passage = named(title);
        let markdown = write_all(vec![plain(&passage)], &[]).markdown;
        assert!(markdown.contains(want), "{markdown}");
    }
}

/// The answer stands on top with the words of the question marked, then what fits; the rest is listed, and what nothing shown holds is named.
#[test]
fn a_brief_report_answers_first() {
    let long = "This sentence goes on about other things that nobody asked for at all. ".repeat(9);
    let a = passage("/d", "a.md", 10, &format!("{long}Then a row gets its lock at once. It holds till commit. {long}"));
    let more: Vec<Passage> = (0..9)
        .map(|at| {
            passage("/d", &format!("{at}.md"), 1, &format!("A row in file {at} of {} is red. {long}", "so ".repeat(20)))
        })
        .collect();
    let quotes: Vec<Quote<'_>> = std::iter::once(&a).chain(&more).map(plain).collect();
    let asked = {
        let word = |word: &str| AskedWord { stem: word.into(), word: word.into(), weight: 1.0, forms: Vec::new() };
        AskedQuestion::new(GOAL, ["row", "lock", "penguin"].map(word).to_vec())
    };
    let written = write(&draft(&asked, quotes, Extent::Brief, NO_PROBLEMS));
    let text = &written.markdown;
    let top = "# How do rows lock?\n\n> Then a **row** gets its **lock** at once. It holds till commit. This sentence goes on";
    assert!(text.starts_with(top) && text.contains("\n\n**[1]** `a.md`, lines 10–12"), "{text}");
    let answer = written.claims[0].text.split_whitespace().count();
    assert!((60..=limits::ANSWER_WORDS).contains(&answer), "{answer}: {text}");
    assert!(text.contains("in nothing that is quoted here: `penguin`."), "{text}");
    let quoted: usize = written.claims.iter().map(|claim| claim.text.split_whitespace().count()).sum();
    assert!((100..=limits::BRIEF_WORDS).contains(&quoted), "{quoted}: {text}");
    assert_eq!(written.sources.len(), 10);
    let listed = written.sources.len() - written.claims.len();
    assert!(
        listed > 0 && text.contains(&format!("{listed} more passages are listed as sources; `--full` quotes them."))
    );
}

/// EM-01: who sent a mail stands in the caption, and in the quote only where that is asked; what it says is the answer.
#[test]
fn em_01_the_head_of_a_mail_is_no_answer() {
    let text = "From: Lock Row <row@lock.example>\nTo: Ann Lee <ann@x.example>\nDate: Mon, 22 Jun 2026 11:40:00 +0200\n\n\
                Dear Ann,\n\nthe door is red.\n";
    let mail = Passage {
        headings: vec!["Lock Row, 22 Jun 2026".into()],
        lines: PlaceInFile { unit: crate::core::text::spans::Unit::Message, ..PlaceInFile::lines(1, 1) },
        ..passage("/d", "a.eml", 1, text)
    };
    let first = |question: &str| {
        let word = |word: &str| AskedWord { stem: word.into(), word: word.into(), weight: 1.0, forms: Vec::new() };
        let asked = AskedQuestion::new(question, ["row", "lock"].map(word).to_vec());
        write(&draft(&asked, vec![plain(&mail)], Extent::Brief, NO_PROBLEMS)).claims[0].text.clone()
    };
    assert!(first("Which door has Lock Row?").starts_with("Dear Ann"), "{}", first("Which door has Lock Row?"));
    assert!(first("When did Lock Row write?").starts_with("From: "), "{}", first("When did Lock Row write?"));
}

/// EM-01: a card is quoted whole, so that no line of it stands below the name of another one.
#[test]
fn em_01_a_card_is_quoted_whole() {
    let card = |path: &str, text: &str| Passage { headings: vec!["Ann".into()], ..passage("/d", path, 1, text) };
    let text = "- Nickname: Row\n- Phone: 17\n- Birthday: 1948-03-27";
    for (path, text, quoted) in [
        ("a.vcf", text.to_owned(), text.to_owned()),
        ("a.vcf", format!("{text}\n- Note: {}", "x ".repeat(100)), "- Nickname: Row".to_owned()),
        ("a.md", text.to_owned(), "- Nickname: Row".to_owned()),
    ] {
        let card = card(path, &text);
        let written = write(&draft(&asked(), vec![plain(&card)], Extent::Brief, NO_PROBLEMS));
        assert_eq!(written.claims[0].text, quoted, "{path}");
    }
}

/// EM-01: a heading stands behind the other passages of its document, and what a passage has is not called missing.
#[test]
fn em_01_what_is_cited_is_not_called_missing() {
    let heading = passage("/d", "a.md", 1, "## Row lock");
    let below =
        passage("/d", "a.md", 3, "Rows wait. All of them do so for a long time and for nothing, and then they go.");
    let written = write(&draft(&asked(), vec![plain(&heading), plain(&below)], Extent::Brief, NO_PROBLEMS));
    assert!(written.claims[0].text.starts_with("Rows wait."), "{}", written.claims[0].text);
    let long = format!("The row is {}.\n\nThe lock is red.", "very, ".repeat(160));
    let far = Passage { headings: vec![], title: "T".into(), ..passage("/d", "b.md", 1, &long) };
    let written = write(&draft(&asked(), vec![plain(&far)], Extent::Brief, NO_PROBLEMS));
    assert!(!written.markdown.contains("## Not found"), "{}", written.markdown);
}

/// EM-01: where the heading tells when it was, and what stands below it does not, both are shown.
#[test]
fn em_01_a_heading_that_tells_when_is_shown() {
    for (question, heading, text, is_shown) in [
        ("When was version 2.0 released?", "2.0 (2025-11-14)", "- Removed support for X.", true),
        ("When was version 2.0 released?", "2.0 (2025-11-14)", "- Released on 14 November.", false),
        ("Who released version 2.0?", "2.0 (2025-11-14)", "- Removed support for X.", false),
        ("When was version 2.0 released?", "Version two", "- Removed support for X.", false),
        (
            "In which version was the support for X.509 removed?",
            "2.0 (2025-11-14)",
            "- Removed support for X.509.",
            true,
        ),
        ("In which version was the support for X removed?", "2.0", "- Removed support for X in 1.7.", false),
    ] {
        let headings = vec!["Changelog".to_owned(), heading.to_owned(), "Removed".to_owned()];
        let passage = Passage { headings, ..passage("/d", "CHANGELOG.md", 1, text) };
        let word = |word: String| AskedWord { stem: stem_of(&word), word, weight: 1.0, forms: Vec::new() };
        let asked = AskedQuestion::new(question, informative(question).into_iter().map(word).collect());
        let written = write(&draft(&asked, vec![plain(&passage)], Extent::Brief, NO_PROBLEMS));
        let shown = format!("> {heading}\n>\n> {text}");
        assert_eq!(written.markdown.replace("**", "").contains(&shown), is_shown, "{question}: {}", written.markdown);
        assert_eq!(written.claims[0].text, text, "the claim is cut from the passage");
    }
}
