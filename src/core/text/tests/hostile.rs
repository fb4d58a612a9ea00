//! Whatever the bytes are: no panic, valid places, and an end in reasonable time.

use proptest::prelude::*;

use super::super::*;

const FORMATS: [Format; 3] = [Format::Markdown, Format::Plain, Format::Html];

/// What every document promises.
fn assert_sound(document: &Document, file_lines: u32) {
    let mut end = 0;
    let mut line = 1;
    for piece in &document.passages {
        let text = document.text.get(piece.span.clone()).expect("a span on character boundaries inside the text");
        assert!(piece.span.start >= end, "passages overlap or are out of order");
        assert!(text.contains(char::is_alphanumeric), "an empty passage: {text:?}");
        assert!(words_at_most(text, 2 * limits::PASSAGE_MAX_WORDS), "{} bytes in one passage", text.len());
        assert!(line <= piece.lines.first && piece.lines.first <= piece.lines.last, "{:?} after {line}", piece.lines);
        assert!(piece.lines.last <= file_lines, "{:?} of {file_lines}", piece.lines);
        assert!(piece.headings.iter().all(|heading| heading.chars().count() <= limits::HEADING_CHARS));
        (end, line) = (piece.span.end, piece.lines.first);
    }
    assert!(document.passages.len() <= limits::PASSAGES_PER_FILE);
}

fn words_at_most(text: &str, most: usize) -> bool {
    text.split_whitespace().count() <= most && text.len() <= most * 2 * limits::WORD_BYTES
}

fn file_lines(bytes: &[u8]) -> u32 {
    u32::try_from(String::from_utf8_lossy(bytes).matches('\n').count() + 1).unwrap()
}

/// Pieces of all three languages, so that random strings of them reach the odd corners.
fn fragments() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "<p>",
        "</p>",
        "<ul>",
        "<li>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<pre>",
        "</pre>",
        "<h1>",
        "</h2>",
        "<nav>",
        "</nav>",
        "<p hidden>",
        "<script>",
        "</script>",
        "<title>",
        "</title>",
        "<br>",
        "<!--",
        "-->",
        "&amp;",
        "&#10;",
        "&#0;",
        "# ",
        "## ",
        "\n===\n",
        "\n---\n",
        "- ",
        "1. ",
        "> ",
        "```\n",
        "    ",
        "| a | b |\n|--|--|\n",
        "[x](y)",
        "[a]: b\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\u{3000}",
        " ",
        "word ",
        "One. Two. ",
        "深海の溝。",
        "é",
        "\u{feff}",
        "*",
        "_",
    ]);
    prop::collection::vec(prop_oneof![4 => known.prop_map(str::to_owned), 1 => ".{0,12}"], 0..200)
        .prop_map(|parts| parts.concat())
}

/// Tags that hide nothing, some of them over two lines.
fn html_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<p>",
        "<p\nclass=x>",
        "</p>\n",
        "<h2>",
        "</h2>",
        "<ul>\n<li>",
        "<li\n>",
        "</ul>",
        "<ol><li>",
        "<table><tr><td>",
        "\n<tr>\n<th>",
        "<td>|",
        "</table>\n",
        "<pre>\n",
        "<pre><code\nclass=language-c>",
        "</pre>",
        "<br>",
        "<br\n/>",
        "<blockquote>\n",
        "</blockquote>",
        "<a\nhref=/x>",
        "</a>",
        "<!-- a\ncomment -->",
        "&lt;\n",
        "\r\n",
        "\n\n  ",
        "<dl><dt>",
        "<dd>\n",
        "</dl>",
        "<div>",
        "</div>",
        "",
    ])
}

fn letters(text: &str) -> std::collections::BTreeSet<char> {
    text.chars().filter(|c| c.is_alphabetic()).collect()
}

proptest! {
    #[test]
    fn any_bytes_are_a_sound_document_or_no_text(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        for format in FORMATS {
            if let Ok(document) = extract(format, bytes.clone()) {
                // A guessed encoding may know line ends that these bytes do not show.
                assert_sound(&document, u32::MAX);
            }
        }
    }

    #[test]
    fn any_markup_is_a_sound_document(text in fragments()) {
        for format in FORMATS {
            if let Ok(document) = extract(format, text.clone().into_bytes()) {
                let text = decode::with_line_ends(text.clone());
                assert_sound(&document, file_lines(text.as_bytes()));
                if format != Format::Html && !text.contains('\0') {
                    let seen = decode::without_unseen(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned());
                    // A note that was typed below stands where its mark is, also twice, so that only its letters are what they were.
                    let has_notes = document.passages.iter().any(|passage| passage.lines.notes.is_some());
                    match has_notes {
                        true => prop_assert_eq!(letters(&document.text), letters(&seen)),
                        false => prop_assert_eq!(document.text, seen),
                    }
                }
            }
        }
    }

    /// Every word knows its line, whatever stands between: tags over several lines, entities, code, tables, lists.
    #[test]
    fn words_of_html_know_their_lines(parts in prop::collection::vec((html_piece(), any::<bool>()), 1..60)) {
        let mut html = String::new();
        let mut expected = Vec::new();
        for (no, (piece, broken)) in parts.iter().enumerate() {
            html += piece;
            if *broken {
                html.push('\n');
            }
            expected.push((format!("w{no}w"), file_lines(html.as_bytes())));
            html += &format!("w{no}w ");
        }
        let page = page::html::document(&html).1;
        for (word, line) in expected {
            let at = page.markdown.find(&word).expect(&word);
            prop_assert_eq!(page.lines.line(at), line, "{} in {:?} of {:?}", word, page.markdown, html);
        }
    }

    #[test]
    fn sentences_are_in_order_and_hold_everything(text in fragments()) {
        let mut end = 0;
        for span in crate::core::language::sentences(&text) {
            prop_assert!(text.get(end..span.start).is_some_and(|gap| gap.trim().is_empty()));
            prop_assert!(!cut(&text, &span).trim().is_empty());
            end = span.end;
        }
        prop_assert!(text.get(end..).is_some_and(|rest| rest.trim().is_empty()));
    }
}

/// The stars of what looks like markup are marks of notes in plain text.
#[test]
fn a_note_that_was_typed_stands_at_its_mark() {
    let document = extract(Format::Plain, b"<p>*<p>\n\n*\n<p>".to_vec()).unwrap();
    assert_eq!(document.text, "<p> [*: <p>]<p>\n\n");
}

/// Each of these hangs, or overflows the stack of, a reader that builds a tree or looks back. A quadratic reader
/// would need hours here.
#[test]
fn hostile_files_end() {
    let inputs = [
        "<div>".repeat(25_000),
        "<b>".repeat(25_000),
        "<ul><li>".repeat(25_000),
        format!("{}x", "<table><tr><td>".repeat(12_500)),
        "<p hidden>".repeat(25_000),
        "<nav>".repeat(25_000),
        "<a b=".repeat(25_000),
        "&".repeat(15_000),
        "<".repeat(15_000),
        "<!--".repeat(10_000),
        "<title>".repeat(25_000),
        format!("<pre>{}x", " ".repeat(15_000)),
        format!("<x {}>", (0..20_000).map(|n| format!("a{n} ")).collect::<String>()),
        "x".repeat(75_000),
        "深".repeat(12_500),
        " ".repeat(250_000),
        "\n".repeat(15_000),
        "a\n".repeat(12_500),
        "a. ".repeat(12_500),
        "....".repeat(10_000),
        "a\n===\n\n".repeat(12_500),
        "# h\n".repeat(25_000),
        "> ".repeat(12_500),
        "* ".repeat(20_000),
        "[".repeat(25_000),
        "[a](".repeat(12_500),
        "*a **b ".repeat(12_500),
        "`a``b```".repeat(12_500),
        "| a ".repeat(25_000),
    ];
    for input in inputs {
        for format in FORMATS {
            let document = extract(format, input.clone().into_bytes()).unwrap();
            assert_sound(&document, file_lines(input.as_bytes()));
        }
    }
}

/// Openings of TeX that look for an end which never comes; all of them on one line, and each on its own.
const OPENINGS: [&str; 9] = [
    "\\textbf{",
    "\\begin{a} ",
    "\\footnote{x ",
    "\\newcommand{\\a}{\\a} ",
    "\\section{",
    "\\item[",
    "\\begin{verbatim}",
    " \\,",
    "$\\",
];

/// Asserts that work on a file grows with it and not faster. The processor's time on this thread is counted, again where it looks like too much.
fn assert_linear(format: Format, what: &str, page: impl Fn(usize) -> String) {
    const BYTES: usize = 100_000;
    const TIMES: usize = 4;
    // A quadratic reader takes four times as much more; less work than this is noise.
    const SLACK: f64 = 2.2;
    const NOISE: std::time::Duration = std::time::Duration::from_millis(60);
    let took = |text: String| {
        let before = sim::cpu_time();
        extract(format, text.into_bytes()).unwrap();
        sim::cpu_time().saturating_sub(before)
    };
    let is_steep = || {
        let (small, large) = (took(page(BYTES)), took(page(BYTES * TIMES)));
        large > NOISE && large.as_secs_f64() > small.as_secs_f64() * TIMES as f64 * SLACK
    };
    assert!((0..4).any(|_| !is_steep()), "{what:?}");
}

/// LB-01: work on hostile TeX grows with the file and not faster.
#[test]
fn lb_01_work_on_hostile_tex_is_linear() {
    for opening in OPENINGS.iter().flat_map(|opening| [(*opening).to_owned(), format!("{opening}\n")]) {
        assert_linear(Format::Tex, &opening, |bytes| opening.repeat(bytes / opening.len()));
    }
}

/// LB-01: the same for tables of AsciiDoc.
#[test]
fn lb_01_work_on_long_tables_of_asciidoc_is_linear() {
    for row in ["|x\n", "|x |y |z\n", "|x\n|y\n\n", "x\n", "2+|x\n"] {
        assert_linear(Format::AsciiDoc, row, |bytes| format!("|===\n{}|===\n", row.repeat(bytes / row.len())));
    }
}
