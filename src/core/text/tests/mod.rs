//! Documents as people write them, and bytes as nobody would.

mod entries;
mod hostile;

use expect_test::{Expect, expect};

use super::*;

/// Renders a document: title, then each passage with its lines, headings and text.
fn check(format: Format, input: &str, expect: Expect) {
    let document = extract(format, input.as_bytes().to_vec()).unwrap();
    let mut shown = format!("title: {}\n", document.title.as_deref().unwrap_or("-"));
    for piece in &document.passages {
        let (first, last) = (piece.lines.first, piece.lines.last);
        shown += &format!("{first}-{last} [{}]\n", piece.headings.join(" > "));
        for line in document.passage_text(piece).lines() {
            shown += format!("  {line}").trim_end();
            shown.push('\n');
        }
    }
    expect.assert_eq(&shown);
}

/// EM-01: a part of a passage has its own place also where the text is not the file's, and nothing is kept of what the text tells itself.
#[test]
fn em_01_parts_of_passages_know_their_places() {
    let place = |format: Format, input: &str, part: &str| {
        let document = extract(format, input.as_bytes().to_vec()).unwrap();
        let piece = &document.passages[0];
        let text = document.passage_text(piece);
        let at = text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
        let place = piece.lines.of_known(&piece.parts, &(at..at + part.len()));
        (piece.parts.is_empty(), place.to_string())
    };
    let html = "<h1>Sea</h1>\n<div>\n<p>One\nstands here.</p>\n\n\n<ul><li>two</li>\n<li>three</li></ul>\n</div>\n<p>Four.</p>";
    for (part, want) in
        [("stands", "line 4"), ("One stands", "lines 3–4"), ("two", "line 7"), ("three", "line 8"), ("Four", "line 10")]
    {
        assert_eq!(place(Format::Html, html, part), (false, want.to_owned()), "{part}");
    }
    let page = ".TH A 1\n.SH NAME\na \\- a page\n.SH OPTIONS\n.TP\n.B \\-q\nBe quiet.\n.\\\" no more\n.TP\n.B \\-v\nSay more.\n";
    let document = extract(Format::Man, page.as_bytes().to_vec()).unwrap();
    let piece = document.passages.iter().find(|piece| document.passage_text(piece).contains("Say more")).unwrap();
    let at = document.passage_text(piece).find("Say more").unwrap();
    assert_eq!(piece.lines.of_known(&piece.parts, &(at..at + 8)).to_string(), "line 11");
    let cells = |cells: &[&str]| {
        let cells: Vec<String> =
            cells.iter().map(|says| format!(r#"{{"cell_type":"markdown","source":["{says}"]}}"#)).collect();
        format!(r#"{{"cells":[{}],"nbformat":4}}"#, cells.join(","))
    };
    let notebook = cells(&["The depth is 4 m.", "The tide is 2 m.", "The wind is weak."]);
    assert_eq!(place(Format::Notebook, &notebook, "The tide"), (false, "cell 2".to_owned()));
    // A cell of a table goes on over two lines.
    let csv = "name,says\nAnn,\"one\ntwo\"\nBen,three\n";
    assert_eq!(place(Format::Csv, csv, "Ben"), (false, "line 4".to_owned()));
    assert_eq!(place(Format::Csv, csv, "two"), (false, "line 3".to_owned()));
    assert_eq!(place(Format::Csv, csv, "one two"), (false, "lines 2–3".to_owned()));
    // Of very many parts neighbours have one place together.
    let lines: String = (1..=600).map(|at| format!("<i>w{at}</i>\n")).collect();
    let (stored, at) = place(Format::Html, &format!("<p>{lines}</p>"), "w100 ");
    assert!(!stored && ["lines 100–101", "lines 99–100", "line 100", "lines 100–102"].contains(&at.as_str()), "{at}");
    for (format, text) in [
        (Format::Markdown, "One.\n\nTwo\nthree.\n"),
        (Format::Plain, "One.\n\nTwo\nthree.\n"),
        (Format::Csv, "name,says\nAnn,one\nBen,two\n"),
        (Format::Code, "fn a() {\n    b();\n}\n"),
    ] {
        assert!(place(format, text, "").0, "{text}");
    }
}

/// A passage that is cut out of a block of code knows it.
#[test]
fn passages_know_that_they_begin_in_code() {
    let code = |line: &str| format!("{line} a b c d e f g\n").repeat(90);
    let text = format!("Before it.\n\n```rust\n{}```\n\nBehind it.\n", code("    let"));
    let document = extract(Format::Markdown, text.into_bytes()).unwrap();
    let fenced: Vec<bool> = document.passages.iter().map(|piece| piece.fenced).collect();
    let begins = |at: usize| document.passage_text(&document.passages[at]).to_owned();
    assert!(fenced.len() > 3 && !fenced[0] && fenced[1] && fenced[2], "{fenced:?}");
    assert!(begins(1).starts_with("    let a"), "{}", begins(1));
    let list = format!("- one\n- ~~~\n{}  ~~~\n- two\n", code("  say"));
    let document = extract(Format::Markdown, list.into_bytes()).unwrap();
    assert!(document.passages.len() > 2 && document.passages[1].fenced && !document.passages[0].fenced);
    let prose = code("word.");
    let document = extract(Format::Markdown, prose.into_bytes()).unwrap();
    assert!(document.passages.len() > 2 && document.passages.iter().all(|piece| !piece.fenced));
}

/// A title of the level of the sections below it is no passage, and stands above all of them; an outline keeps all its headings.
#[test]
fn lb_01_a_title_of_the_level_of_its_sections_stands_above_them() {
    check(
        Format::Markdown,
        "# Renewal proposal\n# Summary\nWe ask for 40.\n# Empty\n# Risks\nIt is dry.\n",
        expect![[r#"
            title: -
            3-3 [Renewal proposal > Summary]
              We ask for 40.
            4-4 [Renewal proposal > Empty]
              # Empty
            6-6 [Renewal proposal > Risks]
              It is dry.
        "#]],
    );
    check(
        Format::Markdown,
        "# One\n# Two\n",
        expect![[r#"
            title: -
            1-1 [One]
              # One
            2-2 [Two]
              # Two
        "#]],
    );
}

#[test]
fn markdown_keeps_heading_path_and_lines() {
    check(
        Format::Markdown,
        "---\ntitle: \"Pumps\"\n---\n# Guide\nIntro *text*.\n\n<!-- a comment -->\n\n## Set `up`\n\n- one\n- two\n\n\
         ```sh\nmake\n```\n\n## Empty\n## Use\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        expect![[r#"
            title: Pumps
            5-5 [Guide]
              Intro *text*.
            11-16 [Guide > Set up]
              - one
              - two

              ```sh
              make
              ```
            18-18 [Guide > Empty]
              ## Empty
            20-22 [Guide > Use]
              | a | b |
              |---|---|
              | 1 | 2 |
        "#]],
    );
}

/// LB-02: a heading that says something is read with what stands below it, and cited with its line; one that names it is not.
#[test]
fn lb_02_a_heading_that_states_is_read() {
    for (heading, is_read) in [
        ("The ferry fare to Ostrava Isle is 47 crowns", true),
        ("2.1 The fee for guests was raised to 60 crowns", true),
        ("Der Beitrag für Gäste wird auf 60 Kronen erhöht", true),
        ("Tickets and fares to Ostrava Isle", false),
        ("How the ferry to Ostrava Isle is paid", false),
        ("What is the fare to Ostrava Isle?", false),
        ("The fare is 47", false),
    ] {
        let text = format!("# Guide\n\n## {heading}\n\nTickets are sold at the pier by the warden and nobody else.\n");
        let document = extract(Format::Markdown, text.into_bytes()).unwrap();
        let first = document.passages.first().unwrap();
        assert_eq!(document.passage_text(first).contains(heading), is_read, "{heading}");
        assert_eq!(first.lines.first, if is_read { 3 } else { 5 }, "{heading}");
    }
}

#[test]
fn markdown_headings_inside_quotes_and_lists_are_part_of_them() {
    check(
        Format::Markdown,
        "Setext\n======\n\n> # quoted\n> text\n\n1. # listed\n",
        expect![[r#"
            title: Setext
            4-7 [Setext]
              > # quoted
              > text

              1. # listed
        "#]],
    );
}

#[test]
fn plain_text_has_paragraphs_and_underlined_headings() {
    check(
        Format::Plain,
        "=====\nTitle\n=====\n\nFirst paragraph\nof two lines.\n\nPart one\n--------\n\nBody.\n\n----\n\nnext\n\nPart two\n--------\n\nEnd.",
        expect![[r#"
            title: Title
            5-6 [Title]
              First paragraph
              of two lines.
            11-15 [Title > Part one]
              Body.

              ----

              next
            20-20 [Title > Part two]
              End.
        "#]],
    );
}

/// reStructuredText needs no blank line below a heading; the head of a table is none.
#[test]
fn text_may_stand_directly_below_an_underlined_heading() {
    check(
        Format::Plain,
        "Top\n===\nIntro.\n\nAlpha part\n----------\nThe walrus sleeps.\n\nName  Size\n----------\nseal  3\n\nBeta\n--------------------\nnot a heading\n",
        expect![[r#"
            title: Top
            3-3 [Top]
              Intro.
            7-15 [Top > Alpha part]
              The walrus sleeps.

              Name  Size
              ----------
              seal  3

              Beta
              --------------------
              not a heading
        "#]],
    );
}

#[test]
fn html_is_read_as_a_person_sees_it() {
    check(
        Format::Html,
        "<!doctype html>\n<html><head><title>Ocean &amp;\n sea</title><style>p{}</style>\n<script>if (a<b) {}</script></head>\n\
         <body><nav><a>Home</a></nav>\n<h1>Hadal <b>zone</b></h1>\n<p>Below\n6&nbsp;km &mdash; cold.<p hidden>no<p>Dark.\n\
         <div style=\"display: none\">x<div>y</div></div>\n<h2>List</h2>\n<ul><li>one\n<li><p>two</p><ul><li>deep</ul></ul>\n\
         <table><tr><th>a<th>b</tr>\n<tr><td>1<td><p>2</p></tr></table>\n<pre>\nfn main() {\n    x\n}\n</pre>\n<footer>c</footer>",
        expect![[r#"
            title: Ocean & sea
            7-8 [Hadal zone]
              Below 6 km — cold.

              Dark.
            11-18 [Hadal zone > List]
              - one
              - two
                - deep

              | a | b |
              | --- | --- |
              | 1 | 2 |

              ```
              fn main() {
                  x
              }
              ```
        "#]],
    );
}

#[test]
fn html_that_never_closes_what_it_hides_is_shown_from_there_on() {
    check(
        Format::Html,
        "<p>before</p><script>var x</script><nav><p>menu</p>\n<script>y</script><p>after</p>",
        expect![[r#"
            title: -
            1-2 []
              before

              menu

              after
        "#]],
    );
}

#[test]
fn html_entities_and_the_empty_script_of_xhtml() {
    check(
        Format::Html,
        "<?xml version=\"1.0\"?>\r\n<html><script src=\"x\"/>\r\n<p>words</p>\r\n<p>&lt;tag&gt; &#x41;&#10;&zzz;</p>",
        expect![[r#"
            title: -
            3-4 []
              words

              \<tag> A &zzz;
        "#]],
    );
}

#[test]
fn long_blocks_are_cut_evenly_at_sentence_ends() {
    let sentence = "The trench at Dr. Miller's site is 10.9 km deep, e.g. at its end. ";
    let document = extract(Format::Plain, sentence.repeat(30).into_bytes()).unwrap();
    let sizes: Vec<_> = document.passages.iter().map(|p| document.passage_text(p).split_whitespace().count()).collect();
    assert_eq!(sizes, [140, 140, 140]);
    assert!(document.passages.iter().all(|p| document.passage_text(p).ends_with("at its end.")));
}

#[test]
fn long_lists_are_cut_between_items_and_code_between_lines() {
    let item = format!("- item {}\n  {}\n", "word ".repeat(12), "more ".repeat(10));
    let code = format!("```\n{}```\n", "let x = a. B + c;\n".repeat(90));
    let text = format!("{}\n{code}", item.repeat(20));
    let document = extract(Format::Markdown, text.into_bytes()).unwrap();
    assert!(document.passages.len() > 4);
    for piece in &document.passages {
        let text = document.passage_text(piece);
        assert!(["- item", "```", "let x"].iter().any(|start| text.starts_with(start)), "{text}");
        assert!(text.split_whitespace().count() <= limits::PASSAGE_MAX_WORDS, "{text}");
    }
}

#[test]
fn encodings_are_recognised() {
    let utf16: Vec<u8> = "\u{feff}Tiefe Gräben".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin1 = b"Die Gr\xe4ben im Pazifik sind die tiefsten Stellen der Erde, f\xfcr Menschen schwer zu erreichen.";
    let declared =
        b"<meta http-equiv=x content=\"text/html; charset=windows-1251\"><p>\xc3\xeb\xf3\xe1\xe8\xed\xe0</p>";
    let table: [(Format, &[u8], &str); 5] = [
        (Format::Plain, b"\xef\xbb\xbfmarked", "marked"),
        (Format::Plain, &utf16, "Tiefe Gräben"),
        (
            Format::Plain,
            latin1,
            "Die Gräben im Pazifik sind die tiefsten Stellen der Erde, für Menschen schwer zu erreichen.",
        ),
        (Format::Html, declared, "Глубина"),
        (Format::Plain, "plain ütf-8".as_bytes(), "plain ütf-8"),
    ];
    for (format, bytes, text) in table {
        assert_eq!(extract(format, bytes.to_vec()).unwrap().text, text);
    }
    assert_eq!(extract(Format::Plain, b"\x89PNG\0\0".to_vec()), Err(Unreadable::NotText));
    assert_eq!(extract(Format::Plain, b"\xff\xfea\0\0\0".to_vec()), Err(Unreadable::NotText));
}

#[test]
fn headings_and_titles_are_one_bounded_line() {
    assert_eq!(one_line("  a \n b  "), "a b");
    assert!(one_line(&"word ".repeat(100_000)).chars().count() <= limits::HEADING_CHARS);
    assert_eq!(one_line(&"x".repeat(100_000)).chars().count(), limits::HEADING_CHARS);
}

#[test]
fn lb_01_a_term_stays_with_what_is_said_of_it() {
    let said = "This setting tells the program how long it waits for the other side. ".repeat(6);
    let entry = |name: &str| format!("<dt>{name}</dt><dd><p>{said}</p></dd>");
    let names = ["gc.auto", "gc.logExpiry", "gc.packRefs", "gc.pruneExpire"];
    let html = format!("<h1>Settings</h1><dl>{}</dl>", names.map(entry).concat());
    let document = extract(Format::Html, html.into_bytes()).unwrap();
    let begins: Vec<&str> =
        document.passages.iter().filter_map(|piece| document.passage_text(piece).lines().next()).collect();
    assert_eq!(begins, names, "each entry is a passage, and begins with its term");

    let question = |of: &str| format!("**How is {of} done?**\n\n{said}\n\n");
    let document = extract(Format::Markdown, format!("{}{}", question("this"), question("that")).into_bytes()).unwrap();
    let texts: Vec<&str> = document.passages.iter().map(|piece| document.passage_text(piece)).collect();
    assert!(texts.len() == 2 && texts[1].starts_with("**How is that done?**"), "{texts:?}");

    let long = "The boiler of the engine is heated by wood that is cut in the hills. ".repeat(40);
    let document =
        extract(Format::Markdown, format!("# Engines\n\n**Ginseng**\n\n{long}\n\nAll rest.\n").into_bytes()).unwrap();
    let headings: Vec<&[String]> = document.passages.iter().map(|piece| &*piece.headings).collect();
    assert!(headings.len() > 2 && headings[0] == ["Engines"], "{headings:?}");
    assert!(headings[1..].iter().all(|above| **above == ["Engines", "Ginseng"]), "{headings:?}");

    let example = format!("{said}\n\n{said}\n\nIt is written so:\n\n```\n{}```\n", "run it\n".repeat(60));
    let document = extract(Format::Markdown, example.into_bytes()).unwrap();
    let with_lead = document.passages.iter().map(|piece| document.passage_text(piece));
    assert!(with_lead.clone().any(|text| text.starts_with("It is written so:\n\n```\nrun it")), "{with_lead:?}");
}

/// LB-01: what stands indented below a term is said of it, in however many paragraphs, and no passage begins with the end of the entry before.
#[test]
fn lb_01_entries_of_plain_text_are_whole() {
    let said = "Seconds that the server waits for the other side before it gives up. ".repeat(6);
    let entry =
        |name: &str| format!("{name}\n    {said}\n\n    .. note::\n       Rarely changed.\n\n    Default: ``30``\n\n");
    let names = ["cleanup", "channel_timeout", "--backlog=INT", "``threads``"];
    let text = format!("Arguments\n=========\n\n{}", names.map(entry).concat());
    let document = extract(Format::Plain, text.into_bytes()).unwrap();
    let texts: Vec<&str> = document.passages.iter().map(|piece| document.passage_text(piece)).collect();
    assert_eq!(texts.iter().map(|text| text.lines().next().unwrap_or_default()).collect::<Vec<_>>(), names);
    assert!(texts.iter().all(|text| text.ends_with("Default: ``30``")), "{texts:?}");

    let long = format!("threads\n    {}\n\n    Default: ``4``\n", format!("{said}\n\n    ").repeat(8));
    let document = extract(Format::Plain, format!("Before.\n\n{long}\nBehind it.\n").into_bytes()).unwrap();
    let last = document.passages.iter().find(|piece| document.passage_text(piece).contains("``4``")).unwrap();
    assert_eq!(*last.headings, ["threads"], "a part of a long entry knows its term");
}

/// LB-01: the headings of a changelog may have no letter.
#[test]
fn lb_01_releases_are_headings() {
    let text = "3.0.2 (2024-11-16)\n------------------\n\nSecurity\n~~~~~~~~\n\n- Drop values.\n\n\n3.0.1 (2024-10-28)\n------------------\n\n\
                Features\n~~~~~~~~\n\n- Added support for Python 3.13.\n\n17 18\n------\n3  4\n";
    let document = extract(Format::Plain, text.as_bytes().to_vec()).unwrap();
    let last = document.passages.last().unwrap();
    assert_eq!(*last.headings, ["3.0.1 (2024-10-28)", "Features"]);
    assert!(document.passage_text(last).contains("17 18"));
}

/// LB-01: a picture in a cell that stands for a word is read, and pictures of a font are not.
#[test]
fn lb_01_ticks_are_read() {
    let tick = "<img src='x.png' alt='X' title='yes'>";
    let photo = "<img src='y.png' alt='The harbour of Brest at low tide'>";
    let page = format!(
        "<h1>Boats\u{f0c1}</h1><p>Which boat sails where.</p><table><tr><th>Boat</th><th>Sea</th><th>Lake</th></tr>\
         <tr><td>Fjell{photo}</td><td>{tick}</td><td>&nbsp;</td></tr><tr><td>Ran</td><td></td><td><img alt='no'></td></tr></table>"
    );
    let document = extract(Format::Html, page.into_bytes()).unwrap();
    assert!(document.text.contains("| Fjell | yes |  |\n| Ran |  | no |"), "{}", document.text);
    assert_eq!(document.title.as_deref(), Some("Boats"));
}

#[test]
fn lb_01_a_list_of_contents_is_no_passage_of_a_document() {
    let item = |name: &str| format!("<li><p><a href='#{name}'>How do I {name} it?</a></p></li>");
    let contents = ["clean", "paint", "sell"].map(item).concat();
    let text = "<h2>How do I clean it?</h2><p>With a brush that is soft enough for it, and with warm water.</p>";
    let read = |list: &str| {
        let document = extract(Format::Html, format!("<h1>Boats</h1>{list}{text}").into_bytes()).unwrap();
        document.text.contains("sell")
    };
    assert!(!read(&format!("<ul>{contents}</ul>")) && !read(&format!("<dl class='toc'>{contents}</dl>")));
    let row =
        |name: &str| format!("<tr><td><a href='#{name}'>{name}</a>:</td><td><a href='#how'>How to do it</a></td></tr>");
    assert!(!read(&format!("<table>{}</table>", ["clean", "paint", "sell"].map(row).concat())));
    // A row that is one cell is no data.
    let laid_out =
        format!("<tr><td>{}</td></tr><tr><td>1.</td><td>Keep it dry.</td></tr>", contents.replace("li", "b"));
    assert!(!read(&format!("<table>{laid_out}</table>")));
    let ticked = |name: &str| row(name).replace("</tr>", "<td><img title='yes'></td></tr>");
    assert!(read(&format!("<table>{}</table>", ["clean", "paint", "sell"].map(ticked).concat())));
    assert!(read("<table><tr><th>What</th><th>Price</th></tr><tr><td>sell</td><td>12</td></tr></table>"));
    for class in ["navfooter", "Navigation", "a dropdown-menu b", "toc"] {
        let links =
            "<a href='a.html'>sell</a> <a href='b.html'>paint it with a brush and a pot of paint in the winter</a>";
        assert!(
            !read(&format!("<div class='{class}'><p>Next: {links} Up: {links} Previous: {links}</p></div>")),
            "{class}"
        );
    }
    assert!(read("<div class='selling'>sell</div>"));
    let page =
        format!("<html><body class='toc'><h1>Boats</h1>{text}<p>Never sell it, whatever is paid.</p></body></html>");
    assert!(extract(Format::Html, page.into_bytes()).unwrap().text.contains("sell"));
    // What leads to other pages, or says something beside its links, is kept.
    assert!(read(&format!("<ul>{contents}<li><a href='other.html'>other</a></ul>")));
    assert!(read(&format!("<ul>{contents}<li>Four things must be known before a boat is painted by hand.</ul>")));
    let read = |list: &str| {
        let text = format!("# Boats\n\n{list}\n## Clean\n\nWith a brush.\n\n## Sell\n\nNever.\n");
        let document = extract(Format::Markdown, text.into_bytes()).unwrap();
        document.passages.iter().any(|piece| document.passage_text(piece).contains("[Clean]"))
    };
    assert!(!read("- [Clean](#clean)\n- [Sell](#sell)\n"));
    assert!(
        read("- [Clean](clean.md)\n- [Sell](#sell)\n")
            && read("- [Clean](#clean) with a brush, not often\n- [Sell](#sell)\n")
    );
}

#[test]
fn code_in_a_sentence_of_a_page_is_marked() {
    check(
        Format::Html,
        "<p>Run <code>a <b>&lt;x></b></code>, not <tt> b</tt>.</p><p><kbd>c`d</kbd> <code></code> <code>e<br>f</code></p>\
         <table><tr><th><code>--g</code><th>h<tr><td>1<td><code>i|j</code></table><h2>The <code>k</code></h2><p>l</p>",
        expect![[r#"
            title: The k
            1-1 []
              Run `a <x>`, not `b`.

              c`d e
              f

              | `--g` | h |
              | --- | --- |
              | 1 | i\|j |
            1-1 [The k]
              l
        "#]],
    );
}

#[test]
fn lb_01_parts_of_a_long_table_know_its_head() {
    let head = "| port | what it is for |\n| ---- | --- |\n";
    let rows: String = (0..90).map(|row| format!("| {row} | the service of number {row} |\n")).collect();
    let document = extract(Format::Markdown, format!("# Ports\n\n{head}{rows}\nNo row.\n").into_bytes()).unwrap();
    let heads: Vec<Option<&str>> = document.passages.iter().map(|piece| piece.table_head.as_deref()).collect();
    assert!(heads.len() > 2 && heads[0].is_none() && heads[1..].iter().all(|known| *known == Some(head)), "{heads:?}");
}
