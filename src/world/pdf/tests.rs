use super::*;
use crate::world::process::WardenProgram;

const NORMAL: &str = "/Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>";
/// The test that is the child when this test binary is started as one.
const ROLE: &str = "world::pdf::tests::as_the_child_of_a_reader";
const ROLE_MARK: &str = "role=pdf";

/// A document with these page contents, written by hand: objects, a table of where they stand, a trailer.
fn document(pages: &[&str]) -> Vec<u8> {
    document_with(pages, "")
}

/// The same with something more that each page says of itself.
fn document_with(pages: &[&str], more: &str) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|no| format!("{} 0 R", 4 + 2 * no)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (no, content) in pages.iter().enumerate() {
        // A page without content is its own parent, and its size is to be found there.
        let own = if content.is_empty() { format!("/Parent {} 0 R", 4 + 2 * no) } else { format!("{NORMAL} {more}") };
        objects.push(format!("<< /Type /Page {own} /Contents {} 0 R >>", 5 + 2 * no));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let info = objects.len() + 1;
    objects.push("<< /Title (On Tides) /Author (A. Writer) >>".to_owned());
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (no, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", no + 1).bytes());
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    file.extend(
        format!("trailer\n<< /Size {size} /Root 1 0 R /Info {info} 0 R >>\nstartxref\n{table}\n%%EOF\n").bytes(),
    );
    file
}

fn shown(text: &str) -> String {
    format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET")
}

fn lines(bytes: &[u8], first: u32, simple: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    worker::read(bytes, first, simple, |line| {
        lines.push(line);
        true
    });
    lines
}

fn read(bytes: &[u8]) -> Result<Extracted> {
    let mut document = Document::default();
    for line in lines(bytes, 1, false) {
        document.line(serde_json::to_string(&line).unwrap().as_bytes());
    }
    document.finish()
}

fn numbered(page: &Extracted) -> Vec<(u32, &str)> {
    page.pages.iter().map(|page_span| (page_span.number, page.text.get(page_span.span.clone()).unwrap())).collect()
}

#[test]
fn pages_are_read_with_their_numbers() {
    let file = document(&[&shown("The moon draws the sea."), &shown(""), &shown("Twice a day it comes.")]);
    let page = read(&file).unwrap();
    assert_eq!((page.title.as_deref(), page.author.as_deref()), (Some("On Tides"), Some("A. Writer")));
    let found = numbered(&page);
    assert_eq!(found, [(1, "The moon draws the sea."), (3, "Twice a day it comes.")]);
    assert_eq!(page.markdown, "<!-- page 1 -->\n\nThe moon draws the sea.\n\n<!-- page 3 -->\n\nTwice a day it comes.");
    assert_eq!(page.problems, []);
}

/// LB-01: a document that is mostly without words is said to be read in part; a page or two may be blank.
#[test]
fn lb_01_pages_without_words_are_told() {
    let has_lost = |texts: &[&str]| {
        let pages: Vec<String> = texts.iter().map(|text| shown(text)).collect();
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        !read(&document(&pages)).unwrap().problems.is_empty()
    };
    assert!(has_lost(&["one", "", "", ""]));
    assert!(!has_lost(&["one", "", ""]) && !has_lost(&["one", "two", "three", "four", "", "", ""]));
}

/// LB-01: a page that is a picture is named however few they are; one that was left blank is not.
#[test]
fn lb_01_pages_that_are_pictures_are_named() {
    let picture = "q 600 0 0 800 0 0 cm BI /W 40 /H 40 /BPC 1 /IM true ID xxxxxxxx EI Q";
    let lost = |pages: &[String]| {
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        read(&document(&pages)).unwrap().lost
    };
    let expected = LostPages { pictures: vec![2], ..LostPages::default() };
    assert_eq!(lost(&[shown("one"), picture.to_owned(), shown(""), shown("four")]), expected);
    assert_eq!(lost(&[format!("{picture} {}", shown("one")), shown("two")]), LostPages::default());
    let untold = "BT /F9 12 Tf 72 720 Td <6843753a5e9c66f899289928> Tj ET";
    let why = |page: &str| read(&document(&[page])).unwrap_err().message;
    assert_eq!(lost(&[shown("one"), untold.to_owned()]), LostPages { untold: vec![2], ..LostPages::default() });
    assert!(why(untold).contains("its letters cannot be told") && why(picture).contains("it may be a scan"));
}

/// LB-01: a sentence that runs over a page is one, without the number and the head of the page in it.
#[test]
fn lb_01_a_sentence_goes_on_over_a_page() {
    let line = |text: &str, left: u32, bottom: u32| format!("BT /F1 12 Tf {left} {bottom} Td ({text}) Tj ET ");
    let page = |lines: &[(&str, u32, u32)]| lines.iter().map(|(text, x, y)| line(text, *x, *y)).collect::<String>();
    let file = document(&[
        &page(&[
            ("Lease of the Mill", 72, 800),
            ("The roof is kept.", 72, 700),
            ("The rent is", 72, 60),
            ("1", 300, 20),
        ]),
        &page(&[("Lease of the Mill", 72, 800), ("9400 crowns, due in May.", 72, 760), ("2", 300, 20)]),
    ]);
    let read = read(&file).unwrap();
    assert_eq!(read.text, "Lease of the Mill\n\nThe roof is kept.\n\nThe rent is\n9400 crowns, due in May.");
    let pages = numbered(&read);
    assert_eq!(pages.last(), Some(&(2, "9400 crowns, due in May.")));
    let document = crate::core::text::of_pages(None, &pages, &LostPages::default());
    let passages: Vec<String> = document.passages.iter().map(|piece| piece.lines.to_string()).collect();
    assert_eq!(passages, ["pp. 1–2"]);
}

/// LB-01: a word that the end of a line cuts is one word of the text.
#[test]
fn lb_01_a_word_is_whole_over_the_end_of_a_line() {
    let line = |text: &str, bottom: u32| format!("BT /F1 12 Tf 72 {bottom} Td ({text}) Tj ET ");
    let file = document(&[
        &[line("The harbour has a light-", 700), line("house keeper.", 686)].concat(),
        &shown("The lighthouse is old."),
    ]);
    assert_eq!(read(&file).unwrap().text, "The harbour has a lighthouse\nkeeper.\n\nThe lighthouse is old.");
}

/// LB-01: what stopped the reading of a document without text is said, and not that it is a scan.
#[test]
fn lb_01_what_took_too_much_is_no_scan() {
    let exit = |ended_by, status| Exit {
        status,
        ended_by,
        stderr_tail: Vec::new(),
        truncated: false,
        duration: limits::PDF_TIME,
    };
    for (ended_by, status, expected) in [
        (EndedBy::Total, Status::Signal(15), (Code::Timeout, "the PDF was not read within 20 s")),
        (EndedBy::OutputLimit, Status::Signal(15), (Code::OutputTooLarge, "the PDF has more than 16 MB of text")),
        (
            EndedBy::Own,
            Status::Signal(6),
            (Code::PageUnreadable, "the PDF cannot be read: reading it takes more memory than a PDF may take"),
        ),
        (
            EndedBy::Own,
            Status::Code(0),
            (Code::PageUnreadable, "the PDF cannot be read: no page of it has text; it may be a scan"),
        ),
    ] {
        let document = Document { stopped: Stopped::by(&exit(ended_by, status)), ..Document::default() };
        let error = document.finish().unwrap_err();
        assert_eq!((error.code, error.message.as_str()), expected, "{ended_by:?} {status:?}");
    }
    let mut document = Document::default();
    document.line(br#"{"too_large":{"number":1}}"#);
    assert!(document.finish().unwrap_err().message.contains("takes more memory"));
}

/// A page whose first words lie in the frame of a link.
fn with_link(address: &str) -> Vec<u8> {
    let frame = format!("/Annots [<< /Subtype /Link /Rect [70 715 120 735] /A << /S /URI /URI ({address}) >> >>]");
    document_with(&[&format!("{} {}", shown("The list"), place("is long.", 125))], &frame)
}

fn place(text: &str, left: u32) -> String {
    format!("BT /F1 12 Tf {left} 720 Td ({text}) Tj ET")
}

#[test]
fn links_are_kept_for_who_wants_them() {
    for (address, expected) in [
        ("https://lake.example/list", Some("[The list](<https://lake.example/list>) is long.")),
        ("javascript:x", None),
    ] {
        let found = lines(&with_link(address), 1, false);
        let page = found.iter().find_map(|line| match line {
            Line::Page { text, linked, .. } => Some((text.as_str(), linked.as_deref())),
            Line::Document { .. } | Line::Lost { .. } | Line::TooLarge { .. } | Line::Broken { .. } | Line::End => None,
        });
        assert_eq!(page, Some(("The list is long.", expected)), "{found:?}");
    }
}

/// LB-01: no word is lost where a line is shown by an operator of its own, and none runs into the next where letters are spaced instead of words.
#[test]
fn lb_01_lines_and_spaces_of_every_form_are_read() {
    for (content, expected) in [
        ("14 TL (Low tide.) Tj (High tide) ' 60 0 Td ( comes) Tj", "Low tide.\nHigh tide comes"),
        ("14 TL (Low tide.) Tj 1 0 (High tide) \"", "Low tide.\nHigh tide"),
        // groff: `tide's visible`, `If a variable`.
        ("(tide) Tj 19.4 0 Td 3.3 Tc (sv) Tj 15 0 Td 0 Tc (isible) Tj", "tides visible"),
        ("(I) Tj 3.4 0 Td 3.3 Tc (fav) Tj 23 0 Td 0 Tc (ariable) Tj", "If a variable"),
        // The text of an entry begins below its name, where that ends.
        ("(tide) Tj 19.4 -14 Td (The sea.) Tj", "tide\nThe sea."),
        ("(tide) Tj 24 -14 Td (The sea.) Tj -24 -14 Td (It) Tj", "tide\nThe sea.\nIt"),
        ("(10) Tj 13.4 4 Td (6) Tj 6.7 -4 Td ( m) Tj", "106 m"),
        // Letters of one word.
        ("3 Tc (TIDE) Tj", "TIDE"),
        ("3 Tc (THE) Tj", "THE"),
        ("0.5 Tc (in) Tj", "in"),
        ("3 Tc (a ) Tj 20 0 Td (b) Tj", "a b"),
    ] {
        let file = document(&[&format!("BT /F1 12 Tf 72 720 Td {content} ET")]);
        let found = lines(&file, 1, false);
        let text = found.iter().find_map(|line| match line {
            Line::Page { text, .. } => Some(text.as_str()),
            Line::Document { .. } | Line::Lost { .. } | Line::TooLarge { .. } | Line::Broken { .. } | Line::End => None,
        });
        assert_eq!(text, Some(expected), "{content}");
    }
}

#[test]
fn a_second_child_goes_on_after_the_page_that_killed_the_first() {
    let file = document(&[&shown("one"), &shown("two"), &shown("three")]);
    let simple: Vec<u32> = lines(&file, 3, true)
        .into_iter()
        .filter_map(|line| match line {
            Line::Page { number, simple: true, text, .. } if text == "three" => Some(number),
            _ => None,
        })
        .collect();
    assert_eq!(simple, [3]);
}

#[test]
fn the_simple_way_keeps_words_and_lines_apart() {
    for (content, expected) in [
        ("(The tide) Tj 60 0 Td (comes.) Tj", "The tide comes."),
        ("[(T) 20 (ide) -400 (table)] TJ", "Tide table"),
        ("(The tide) Tj 0 -14 Td (comes.) Tj", "The tide\ncomes."),
        ("14 TL (The tide) Tj T* (comes.) Tj", "The tide\ncomes."),
        ("(The tide) Tj (comes.) '", "The tide\ncomes."),
        (
            "1 0 0 1 72 700 Tm (The) Tj ET BT 1 0 0 1 99 700 Tm (tide) Tj 1 0 0 1 72 680 Tm (comes.) Tj",
            "The tide\ncomes.",
        ),
        ("(Caf\\351 \\(open\\)) Tj", "Café (open)"),
        ("/F9 12 Tf (unknown) Tj /F1 12 Tf (known) Tj", "known"),
    ] {
        let file = document(&[&format!("BT /F1 12 Tf 72 720 Td {content} ET")]);
        let text = lines(&file, 1, true).into_iter().find_map(|line| match line {
            Line::Page { text, simple: true, .. } => Some(text),
            _ => None,
        });
        assert_eq!(text.as_deref(), Some(expected), "{content}");
    }
}

#[test]
fn damaged_documents_are_an_error_and_never_a_panic() {
    let whole = document(&[&shown("The moon draws the sea."), &shown("Twice a day it comes.")]);
    for bytes in [b"%PDF-1.7".to_vec(), b"%PDF-1.7\n\x00\xff\xfe trailer << /Root 1 0 R >>".to_vec(), Vec::new()] {
        assert_eq!(read(&bytes).unwrap_err().code, Code::PageUnreadable);
    }
    // Every cut and every flipped byte is read or refused; the panics of the parsers stay inside.
    for at in (0..whole.len()).step_by(7) {
        let _read_or_refused = read(&whole[..at]);
        let mut flipped = whole.clone();
        flipped[at] ^= 0x15;
        let _read_or_refused = read(&flipped);
    }
}

#[test]
fn as_the_child_of_a_reader() {
    if std::env::args().any(|arg| arg == ROLE_MARK) {
        // The test runner has begun the line.
        worker::on_new_line();
        assert_eq!(format!("{:?}", worker_main()), format!("{:?}", std::process::ExitCode::SUCCESS));
    }
}

/// A reader whose child is this test binary; its warden is not needed and is any program that reads.
fn reader() -> Reader {
    let warden = WardenProgram { program: "/bin/cat".into(), args: Vec::new() };
    let lead = ["--exact", ROLE, "--nocapture", ROLE_MARK].map(OsString::from).to_vec();
    Reader { gate: Gate::new(warden), program: std::env::current_exe().unwrap(), lead, waiting: None }
}

async fn by_child(bytes: &[u8]) -> Result<Extracted> {
    let raw = Raw { url: "https://example.org/a.pdf", content_type: Some("application/pdf"), bytes };
    let (reader, cancel) = (reader(), CancellationToken::new());
    let read = tokio::time::timeout(sim::wait::SAFETY_NET, reader.read(raw, &cancel));
    read.await.expect("the reader keeps to its time")
}

#[tokio::test]
async fn a_document_that_overflows_the_stack_loses_one_page() {
    let file = document(&[&shown("before"), "", &shown("after")]);
    let page = by_child(&file).await.unwrap();
    let found = numbered(&page);
    assert_eq!(found, [(1, "before"), (3, "after")]);
    assert_eq!(page.problems, [Problem::PagesLost]);
    assert_eq!(page.lost, LostPages { unread: vec![2], weak: vec![3], ..LostPages::default() });
}

#[tokio::test]
async fn a_reader_takes_every_kind_and_refuses_what_is_none() {
    let file = document(&[&shown("The moon draws the sea.")]);
    assert_eq!(by_child(&file).await.unwrap().text, "The moon draws the sea.");
    assert_eq!(by_child(b"%PDF-1.4 and nothing more").await.unwrap_err().code, Code::PageUnreadable);
    let large = [b"%PDF-1.4".to_vec(), vec![b' '; limits::PDF_BYTES]].concat();
    assert_eq!(by_child(&large).await.unwrap_err().code, Code::OutputTooLarge);
    let raw = Raw { url: "https://example.org/", content_type: Some("text/html"), bytes: b"<p>words" };
    assert_eq!(reader().read(raw, &CancellationToken::new()).await.unwrap().text, "words");
}

#[test]
fn what_ended_a_child_tells_whether_the_document_is_at_fault() {
    let own = EndedBy::Own;
    for (ended_by, status, expected) in [
        (EndedBy::Total, Status::Signal(15), Some(Code::Timeout)),
        (EndedBy::Idle, Status::Signal(15), Some(Code::Timeout)),
        (own, Status::Signal(9), Some(Code::ExecutionError)),
        (EndedBy::Cancelled, Status::Signal(15), Some(Code::Cancelled)),
        // A stack that overflows, memory beyond the bound, an end without a page.
        (own, Status::Signal(11), None),
        (own, Status::Signal(6), None),
        (own, Status::Code(0), None),
    ] {
        let exit = Exit { status, ended_by, stderr_tail: Vec::new(), truncated: false, duration: limits::PDF_TIME };
        assert_eq!(ended_early(&exit).err().map(|error| error.code), expected, "{ended_by:?} {status:?}");
    }
}

#[tokio::test]
async fn one_child_reads_many_documents_and_is_replaced_when_one_kills_it() {
    let (reader, cancel) = (reader().for_many(), CancellationToken::new());
    let waiting = || reader.waiting().unwrap().iter().map(|child| child.answers).collect::<Vec<_>>();
    for number in 1..=3 {
        let page = reader.read_pdf(&document(&[&shown(&format!("text {number}"))]), &cancel).await.unwrap();
        assert_eq!(page.text, format!("text {number}"));
        assert_eq!(waiting(), [number], "the same child");
    }
    assert_eq!(reader.read_pdf(b"%PDF-1.4 damaged", &cancel).await.unwrap_err().code, Code::PageUnreadable);
    assert_eq!(waiting(), [4], "a damaged file ends no child");
    let page = reader.read_pdf(&document(&[&shown("before"), "", &shown("after")]), &cancel).await.unwrap();
    assert_eq!(numbered(&page), [(1, "before"), (3, "after")]);
    assert_eq!(waiting(), [1], "the one that died has been replaced");
    cancel.cancel();
    assert_eq!(reader.read_pdf(b"%PDF-1.4", &cancel).await.unwrap_err().code, Code::Cancelled);
}
