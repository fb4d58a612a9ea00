use crate::core::base::limits::PARTS_PER_PASSAGE;
use crate::core::text::spans::PartPlace;
use crate::core::text::{Format, LostPages, Piece, extract, of_pages};

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
    let nested = "It[^1] is.\n\n[^1]: See [^2].\n\n[^2]: A note of a note.\n";
    let nested = read(Format::Markdown, nested);
    assert!(nested.contains("It [1: See [^2].] is.") && nested.contains("[^2]: A note of a note."), "{nested}");
    let long = format!("It.[^1]\n\n[^1]: {}\n", "word ".repeat(300));
    assert!(read(Format::Markdown, &long).starts_with("1-3 It.[^1]//[^1]: word"), "a long note stays where it is");
}

/// LB-01: the same for Org.
#[test]
fn lb_01_notes_of_org_stand_where_they_are_referred_to() {
    for (text, wanted) in [
        (
            "At 3 m[fn:1] above.\n\n* Footnotes\n\n[fn:1] At the old\npier.\n",
            "1-1 At 3 m [1: At the old pier.] above.\n3-3 * Footnotes\n",
        ),
        ("A[fn:a] and b[fn:b].\n\n[fn:a] One.\n[fn:b] Two.\n", "1-1 A [a: One.] and b [b: Two.].\n"),
        (
            "A[fn:: in [side]] and[fn:x: also] b[fn:9], c[fn:x].\n",
            "1-1 A [1: in [side]] and [x: also] b[fn:9], c [x: also].\n",
        ),
        ("A[fn:: over\nlines] and\nmore.\n", "1-3 A [1: over lines] and/more.\n"),
        ("A[fn:: open and =[fn:: code]= [fn:a b: c].\n", "1-1 A[fn:: open and =[fn:: code]= [fn:a b: c].\n"),
        ("#+begin_src c\nx[fn:: y]\n#+end_src\n", "1-3 #+begin_src c/x[fn:: y]/#+end_src\n"),
        ("A[fn:1].\n\n[fn:1] One.\n\nB[fn:1].\n\n[fn:1] Two.\n", "1-7 A[fn:1].//[fn:1] One.//B[fn:1].//[fn:1] Two.\n"),
        ("#+begin_src c\nx[fn:1]\n#+end_src\n\n[fn:1] One.\n", "1-5 #+begin_src c/x[fn:1]/#+end_src//[fn:1] One.\n"),
    ] {
        assert_eq!(read(Format::Org, text), wanted, "{text}");
    }
}

/// LB-01: notes of reStructuredText without a mark of their own are known by their order.
#[test]
fn lb_01_notes_without_marks_are_known_by_their_order() {
    for (text, wanted) in [
        (
            "One [#]_ and two [#]_.\n\n.. [#] First\n   of all.\n.. [#] Second.\n",
            "1-1 One [1: First of all.] and two [2: Second.].\n",
        ),
        (
            "One [#]_ of two [1]_.\n\n.. [1] Typed.\n.. [#] Next.\n\nMore.\n",
            "1-6 One [2: Next.] of two [1]_.//.. [1] Typed.//More.\n",
        ),
        ("One [*]_ and [*]_.\n\n.. [*] First.\n.. [*] Second.\n", "1-1 One [*: First.] and [†: Second.].\n"),
        ("One [#]_ and ``[#]_`` two.\n\n.. [#] First.\n", "1-1 One [1: First.] and ``[#]_`` two.\n"),
        (
            "One [#]_ and two.\n\n.. [#] First.\n.. [#] Second.\n",
            "1-4 One [#]_ and two.//.. [#] First./.. [#] Second.\n",
        ),
    ] {
        assert_eq!(read(Format::Plain, text), wanted, "{text}");
    }
}

/// LB-01: the same for notes that were typed below a text.
#[test]
fn lb_01_typed_notes_stand_where_they_are_referred_to() {
    for (text, wanted) in [
        ("It costs 12.[1]\n\nOpen.\n\n[1] Free from May.\n", "1-3 It costs 12. [1: Free from May.]//Open.\n"),
        // Which of two is meant, nobody can tell.
        (
            "A fox.[1]\n\n[1] In rain.\n\nA badger.[1]\n\n[1] In frost.\n",
            "1-7 A fox.[1]//[1] In rain.//A badger.[1]//[1] In frost.\n",
        ),
        ("A keel.*\n\n* Of balsa.\n* Of pine.\n", "1-4 A keel.*//* Of balsa./* Of pine.\n"),
        // Powers are none.
        (
            "It is 40 m² large, 10³ by count.²\n\n² Measured.\n³ Counted.\n",
            "1-4 It is 40 m² large, 10³ by count. [²: Measured.]//³ Counted.\n",
        ),
        ("Day 12*)\nWeek 50**)\n\n*) Net.\n**) Gross.\n", "1-2 Day 12 [*: Net.]/Week 50 [**: Gross.]\n"),
        ("Day 12¹ or 13.\n\n¹ Net.\n", "1-1 Day 12 [¹: Net.] or 13.\n"),
        ("Day 12 [1]_ or.\n\n.. [1] Net.\n", "1-1 Day 12 [1: Net.] or.\n"),
        ("Day 12 [#net]_ or.\n\n.. [#net] Net of it.\n", "1-1 Day 12 [#net: Net of it.] or.\n"),
        ("Day 12 [#net] or.\n\n[#net] Net of it.\n", "1-3 Day 12 [#net] or.//[#net] Net of it.\n"),
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
        (&[(1, "1 Tides\n\nIt was 3 days.1\n\n1 In May.")], &["p. 1 1 Tides//It was 3 days. [1: In May.]"]),
        (&[(1, "A field of 12 km2 is big.\n\n2 Sheets")], &["p. 1 A field of 12 km2 is big.//2 Sheets"]),
        (
            &[(1, "Version 3.1 is out.\n\n1 Title"), (2, "Days.1")],
            &["p. 1 Version 3.1 is out.//1 Title", "p. 2 Days.1"],
        ),
    ] {
        assert_eq!(shown(pages), wanted, "{pages:?}");
    }
}

/// EM-01: what is cut from a note stands in the lines of the note, and what has both in the lines of both.
#[test]
fn em_01_a_note_is_cited_by_its_own_lines() {
    let markdown = "# Radio\n\nIt holds 256 presets[^1].\n\nIt is loud.\n\n[^1]: Two are\n    reserved.\n";
    let within = "It holds 256 presets[^1].\n[^1]: Two are reserved.\n\nIt is loud.\n";
    let restructured = "It turns 12 times [1]_ in May.\n\nIt is old.\n\n.. [1] In dry summers it stands.\n";
    let typed = "Day 12*)\nWeek 50**)\n\n*) Net.\n**) Gross.\n";
    let table = "| a | b |\n|---|---|\n| 1 | 2[^1] |\n| 3 | 4 |\n\n[^1]: In May.\n";
    let page = "<h1>Shelf</h1>\n<p>It carries 40 kg<sup><a href='#f'>1</a></sup> when\nit is screwed.</p>\n<p>Oak.</p>\n\
                <ol><li id='f'>\n25 kg on plaster,\nand on clay. <a href='#r'>↩</a></li></ol>\n";
    let cell = "<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1<sup><a href='#f'>1</a></sup></td>\n<td>2</td></tr>\n\
                <tr><td>3</td>\n<td>4</td></tr>\n</table>\n<p id='f'>1 In May.</p>\n";
    for (format, text, part, want) in [
        (Format::Markdown, markdown, "It holds 256 presets [1: Two are reserved.].", "lines 3 and 7–8"),
        (Format::Markdown, markdown, "Two are reserved", "lines 7–8"),
        (Format::Markdown, markdown, "It holds 256 presets", "line 3"),
        (Format::Markdown, markdown, "].\n\nIt is", "lines 3–5 and 7–8"),
        (Format::Markdown, markdown, "It is loud", "line 5"),
        (Format::Markdown, within, "256 presets [1: Two are reserved.]", "lines 1–2"),
        (Format::Plain, restructured, "12 times [1: In dry summers it stands.] in", "lines 1 and 5"),
        (Format::Plain, restructured, "dry summers", "line 5"),
        (Format::Plain, restructured, "in May.\n\nIt is old", "lines 1–3"),
        (Format::Plain, typed, "Day 12 [*: Net.]\nWeek 50 [**: Gross.]", "lines 1–2 and 4–5"),
        (Format::Plain, typed, "Gross", "line 5"),
        (Format::Markdown, table, "| 1 | 2 [1: In May.] |", "lines 3 and 6"),
        (Format::Markdown, table, "| 3 | 4 |", "line 4"),
        (Format::Org, "At 3 m[fn:1].\n\nOld.\n\n[fn:1] At the\npier.\n", "3 m [1: At the pier.]", "lines 1 and 5–6"),
        (Format::Html, page, "It carries 40 kg [1: 25 kg on plaster, and on clay.] when", "lines 2 and 6–7"),
        (Format::Html, page, "25 kg on plaster, and on", "lines 6–7"),
        (Format::Html, page, "when it is screwed", "lines 2–3"),
        (Format::Html, cell, "1 [1: In May.]", "lines 2 and 7"),
        (Format::Html, cell, "| 3 | 4 |", "lines 4–5"),
    ] {
        let document = extract(format, text.as_bytes().to_vec()).unwrap();
        let find = |piece: &&Piece| document.passage_text(piece).find(part).is_some();
        let piece = document.passages.iter().find(find).unwrap_or_else(|| panic!("{part} in {:?}", document.text));
        let at = document.passage_text(piece).find(part).unwrap();
        let place = piece.lines.of_known(&piece.parts, &(at..at + part.len()));
        assert_eq!(place.to_string(), want, "{part}");
        let stored: Vec<PartPlace> = serde_json::from_str(&serde_json::to_string(&piece.parts).unwrap()).unwrap();
        assert_eq!(stored, piece.parts);
    }
    let old: PartPlace = serde_json::from_str("[4,7,9]").unwrap();
    assert_eq!((old, serde_json::to_string(&old).unwrap().as_str()), (PartPlace::of_text(4, 7, 9), "[4,7,9]"));
}

/// EM-01: a hundred thousand references to one note, a note that refers to itself, notes in notes and an endless cell cost no more than the text, and
/// places stay in bounds.
#[test]
fn em_01_hostile_notes_have_places_in_bounds() {
    let once = format!("{}\n\n[^1]: {}\n", "It [^1] is.\n".repeat(100_000), "so ".repeat(60));
    let itself = format!("It[^1] is.\n\n[^1]: See [^1] and [^1].\n{}", "\n[^2]: See [^1][^2].\n".repeat(1_000));
    let links =
        format!("{}<p id='f'>{}</p>", "<p>It<sup><a href='#f'>1</a></sup> is.</p>\n".repeat(20_000), "so ".repeat(60));
    let cell = format!("a,b\nx,\"{}\"\n", "so it is\n".repeat(50_000));
    for (format, text) in
        [(Format::Markdown, once), (Format::Markdown, itself), (Format::Html, links), (Format::Csv, cell)]
    {
        let lines = u32::try_from(text.lines().count()).unwrap();
        let length = text.len();
        let document = extract(format, text.into_bytes()).unwrap();
        assert!(document.text.len() <= 3 * length, "{} of {length}", document.text.len());
        let parts: usize = document.passages.iter().map(|piece| piece.parts.len()).sum();
        assert!(parts * 4 <= length, "{parts} parts of {length} bytes");
        for piece in &document.passages {
            assert!(piece.lines.last <= lines && piece.lines.notes.is_none_or(|(_, last)| last <= lines));
            assert!(piece.parts.iter().all(|part| part.last <= lines && piece.parts.len() <= PARTS_PER_PASSAGE));
        }
    }
}
