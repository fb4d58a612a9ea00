use crate::core::text::{Format, LostPages, extract, of_pages};

/// The text of a document, a line for each passage with the lines of the file that it stands in.
fn read(format: Format, text: &str) -> String {
    let document = extract(format, text.as_bytes().to_vec()).unwrap();
    let shown = |piece| {
        let text = document.passage_text(piece).split('\n').collect::<Vec<_>>().join("/");
        format!("{}-{} {text}\n", piece.lines.first, piece.lines.last)
    };
    document.passages.iter().map(shown).collect()
}

/// LB-01: a note stands where the text refers to it, and nowhere else; what refers to no note, and what is none, stays as it is.
#[test]
fn lb_01_notes_of_markdown_stand_where_they_are_referred_to() {
    for (text, wanted) in [
        ("It holds 5 l[^1].\n\nMore.\n\n[^1]: With the\n    lid.\n", "1-3 It holds 5 l [1: With the lid.].//More.\n"),
        ("It ends.[^a] And.\n\n[^a]: In May.\n[^b]: Free.\n", "1-4 It ends. [a: In May.] And.//[^b]: Free.\n"),
        (
            "| a | b |\n|---|---|\n| 1 | 2[^1] |\n\n[^1]: x | y\n\n# Next\n\nText.\n",
            "1-3 | a | b |/|---|---|/| 1 | 2 [1: x \\| y] |\n9-9 Text.\n",
        ),
        ("Twice[^1] and twice[^1].\n\n[^1]: Short.\n", "1-1 Twice [1: Short.] and twice [1: Short.].\n"),
        ("No note[^2].\n\n[^1]: Nobody.\n", "1-3 No note[^2].//[^1]: Nobody.\n"),
        ("In `[^1]` and\n\n```\n[^1]\n```\n\n[^1]: code\n", "1-7 In `[^1]` and//```/[^1]/```//[^1]: code\n"),
        ("# Head[^1]\n\nText.\n\n[^1]: Of it.\n", "3-5 Text.//[^1]: Of it.\n"),
    ] {
        assert_eq!(read(Format::Markdown, text), wanted, "{text}");
    }
    let long = format!("It.[^1]\n\n[^1]: {}\n", "word ".repeat(300));
    assert!(read(Format::Markdown, &long).starts_with("1-3 It.[^1]//[^1]: word"), "a long note stays where it is");
}

/// LB-01: the same for notes that were typed below a text.
#[test]
fn lb_01_typed_notes_stand_where_they_are_referred_to() {
    for (text, wanted) in [
        ("It costs 12.[1]\n\nOpen.\n\n[1] Free from May.\n", "1-3 It costs 12. [1: Free from May.]//Open.\n"),
        ("Day 12*)\nWeek 50**)\n\n*) Net.\n**) Gross.\n", "1-2 Day 12 [*: Net.]/Week 50 [**: Gross.]\n"),
        ("Day 12¹ or 13.\n\n¹ Net.\n", "1-1 Day 12 [¹: Net.] or 13.\n"),
        ("Day 12 [1]_ or.\n\n.. [1] Net.\n", "1-1 Day 12 [1: Net.] or.\n"),
        // Steps, literature and what nobody refers to.
        ("Steps:\n\n(1) Open.\n\n(2) As in (1).\n", "1-5 Steps://(1) Open.//(2) As in (1).\n"),
        ("It is so [1].\n\n[1] A. Low (1999). Title.\n", "1-3 It is so [1].//[1] A. Low (1999). Title.\n"),
        ("It is so.\n\n* An item.\n* An other.\n", "1-4 It is so.//* An item./* An other.\n"),
        ("See 12*.\n\n* Net.\n\nBye.\n", "1-5 See 12*.//* Net.//Bye.\n"),
    ] {
        assert_eq!(read(Format::Plain, text), wanted, "{text}");
    }
}

/// LB-01: a note at the foot of a page belongs to a sentence of that page.
#[test]
fn lb_01_notes_of_pages_stay_on_their_page() {
    let shown = |pages: &[(u32, &str)]| {
        let document = of_pages(None, pages, &LostPages::default());
        let shown = document.passages.iter().map(|piece| format!("{} {}", piece.lines, document.passage_text(piece)));
        shown.map(|line| line.replace('\n', "/")).collect::<Vec<_>>()
    };
    for (pages, wanted) in [
        (
            &[(1, "It was 16 days.1 More\nfollows.\n\n1 Without sheet 4."), (2, "It was 3 days.1\n\n1 In May.")][..],
            &["p. 1 It was 16 days. [1: Without sheet 4.] More/follows.", "p. 2 It was 3 days. [1: In May.]"][..],
        ),
        (&[(1, "A field of 12 km2 is big.\n\n2 Sheets")], &["p. 1 A field of 12 km2 is big.//2 Sheets"]),
        (
            &[(1, "Version 3.1 is out.\n\n1 Title"), (2, "Days.1")],
            &["p. 1 Version 3.1 is out.//1 Title", "p. 2 Days.1"],
        ),
    ] {
        assert_eq!(shown(pages), wanted, "{pages:?}");
    }
}
