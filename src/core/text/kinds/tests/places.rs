use super::{archive, extract};
use crate::core::text::{Format, LostPages, of_pages};

/// The places of the passages, each with the first words of its text.
fn places(format: Format, part: &str, xml: &str, facts: (&str, &str)) -> Vec<(String, String)> {
    let document = extract(format, archive(&[(part, xml.as_bytes()), (facts.0, facts.1.as_bytes())], false)).unwrap();
    let first = |text: &str| text.split_whitespace().next().unwrap_or_default().to_owned();
    document.passages.iter().map(|piece| (piece.lines.to_string(), first(document.passage_text(piece)))).collect()
}

/// LB-01: empty paragraphs are counted, however they are written.
#[test]
fn lb_01_empty_paragraphs_are_counted() {
    let xml = "<w:document><w:p><w:r><w:t>One.</w:t></w:r></w:p><w:p/><w:p></w:p><w:p w:id=\"1\"/><w:p><w:r><w:t>Five.</w:t></w:r></w:p></w:document>";
    let found = places(Format::Docx, "word/document.xml", xml, ("docProps/app.xml", "<Properties/>"));
    assert_eq!(found, [("paragraphs 1–5".to_owned(), "One.".to_owned())]);
}

/// LB-01: a paragraph that goes on over a page stands on both, and each part of a long one on its own.
#[test]
fn lb_01_a_paragraph_over_pages_stands_on_all_of_them() {
    let long = |word: &str| format!("{word}. ") + &"So it is said, again and again. ".repeat(28);
    for (format, part, open, close, end_of_page, facts) in [
        (
            Format::Docx,
            "word/document.xml",
            "<w:p><w:r><w:t>",
            "</w:t></w:r></w:p>",
            "</w:t><w:lastRenderedPageBreak/><w:t>",
            ("docProps/app.xml", "<Properties><Pages>3</Pages></Properties>"),
        ),
        (
            Format::Odt,
            "content.xml",
            "<text:p>",
            "</text:p>",
            "<text:soft-page-break/>",
            ("meta.xml", "<office:meta><meta:document-statistic meta:page-count=\"3\"/></office:meta>"),
        ),
    ] {
        let document = |said: &str| match format {
            Format::Docx => format!("<w:document>{said}</w:document>"),
            _ => format!(
                "<office:document-content><office:body><office:text>{said}</office:text></office:body></office:document-content>"
            ),
        };
        let over = format!("{open}One{end_of_page}two.{close}{open}{end_of_page}Three.{close}");
        let found = places(format, part, &document(&over), facts);
        assert_eq!(found, [("pp. 1–3".to_owned(), "Onetwo.".to_owned())], "{format:?}");
        let texts = [long("One"), long("Two"), long("Three")];
        let found = places(format, part, &document(&format!("{open}{}{close}", texts.join(end_of_page))), facts);
        let first: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert!(first.first() == Some(&"p. 1") && first.last() == Some(&"p. 3"), "{format:?} {found:?}");
        assert!(first.contains(&"p. 2") || first.contains(&"pp. 1–2"), "{format:?} {found:?}");
    }
}

/// LB-01: the rest of a table is a part of it, stands on its own page, and each part of a long one has the head.
#[test]
fn lb_01_a_table_over_pages_is_one() {
    let head = "| Boat | Fee |\n| --- | --- |\n";
    let rows = |from: usize, count: usize| -> String {
        (from..from + count).map(|at| format!("| Auk {at} | {at}9 |\n")).collect()
    };
    let read = |counts: [usize; 3]| {
        let [first, second, third] = [0, 1, 2].map(|at| rows((at + 1) * 100, counts[at]));
        let pages = [format!("Fees.\n\n{head}{first}"), second, format!("{third}\nText below.")];
        let pages: Vec<(u32, &str)> = (1..).zip(pages.iter().map(|page| page.trim())).collect();
        of_pages(None, &pages, &LostPages::default())
    };
    let short = read([2, 2, 2]);
    let places: Vec<String> = short.passages.iter().map(|piece| piece.lines.to_string()).collect();
    assert_eq!(places, ["pp. 1–3", "p. 3"]);
    let piece = &short.passages[0];
    let text = short.passage_text(piece);
    let page_of = |row: &str| {
        let at = u32::try_from(text.find(row).unwrap()).unwrap();
        piece.parts.iter().take_while(|part| part.at <= at).last().map(|part| part.first)
    };
    assert_eq!(["| Auk 101", "| Auk 201", "| Auk 300"].map(page_of), [Some(1), Some(2), Some(3)]);
    let long = read([60, 70, 80]);
    assert!(long.passages.len() > 5);
    let with_head = |piece: &&crate::core::text::Piece| {
        piece.table_head.as_deref() == Some(head) || long.passage_text(piece).contains(head)
    };
    let is_row = |piece: &&crate::core::text::Piece| long.passage_text(piece).contains("| Auk");
    assert!(long.passages.iter().filter(is_row).all(|piece| with_head(&piece)));
    assert!(long.passages.iter().any(|piece| piece.lines.to_string() == "p. 2"));
}

/// LB-01: a table without a head has a first row like the others, which stands where it stands.
#[test]
fn lb_01_a_first_row_of_data_is_no_head() {
    let rows = |value: &dyn Fn(u32) -> String| -> String {
        (1..80).map(|row| format!("Member {row},a street of several words,{}\n", value(row))).collect()
    };
    let crowns = |row: u32| format!("{} crowns", row * 37);
    let day = |row: u32| format!("2026-11-{:02}", 1 + row % 28);
    let bare = |row: u32| row.to_string();
    for (first, value, is_data) in [
        ("Zebulon,Harbour Lane,4120 crowns", &crowns as &dyn Fn(u32) -> String, true),
        ("Zebulon,Harbour Lane,1,204.50 crowns", &|row| format!("1,{row} crowns"), true),
        ("Zebulon,Harbour Lane,2025-01-03", &day, true),
        ("Member,Street,Fee", &crowns, false),
        ("Member,Street,Fee in 2026", &crowns, false),
        ("Member,Street,2026", &bare, false),
        ("Member,Street,20", &bare, false),
        ("Member,Street,20 g", &crowns, false),
    ] {
        let document = extract(Format::Csv, format!("{first}\n{}", rows(value)).into_bytes()).unwrap();
        let name = first.split(',').next().unwrap();
        let with = document.passages.iter().filter(|piece| document.passage_text(piece).contains(name));
        let with: Vec<u32> = with.map(|piece| piece.lines.first).collect();
        assert!(document.passages.len() > 2, "{first}");
        match is_data {
            true => assert_eq!(with, [1], "{first}"),
            false => assert_eq!(with.len(), document.passages.len(), "{first}"),
        }
    }
    let short = extract(Format::Csv, b"Ann,4 crowns\nBo,5 crowns\n".to_vec()).unwrap();
    assert!(short.text.starts_with("| Ann | 4 crowns |\n| --- |"), "{}", short.text);
}

/// LB-01: notes that were typed at the end of an office text stand where the text refers to them, and are cited by their own paragraphs.
#[test]
fn lb_01_typed_notes_of_office_texts_stand_where_they_are_referred_to() {
    let raised = "</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>1</w:t></w:r><w:r><w:t>";
    for (format, said, mark) in [
        (Format::Docx, ["The hall seats 400.*)", "Doors open at six.", "Bring coats.", "*) Without the balcony."], "*"),
        (
            Format::Docx,
            [
                &format!("The hall seats 400.{raised}"),
                "Doors open at six.",
                "Bring coats.",
                &format!("{raised} Without the balcony."),
            ],
            "¹",
        ),
        (
            Format::Odt,
            ["The hall seats 400 [1].", "Doors open at six.", "Bring coats.", "[1] Without the balcony."],
            "1",
        ),
        (Format::Rtf, ["The hall seats 400.†", "Doors open at six.", "Bring coats.", "† Without the balcony."], "†"),
    ] {
        let said: Vec<String> = match format {
            Format::Docx => said.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect(),
            Format::Odt => said.iter().map(|text| format!("<text:p>{text}</text:p>")).collect(),
            _ => said.iter().map(|text| format!("{}\\par\n", text.replace('†', "\\u8224?"))).collect(),
        };
        let said = said.concat();
        let bytes = match format {
            Format::Docx => {
                let xml = format!("<w:document>{said}</w:document>");
                archive(&[("word/document.xml", xml.as_bytes()), ("docProps/app.xml", b"<Properties/>")], false)
            }
            Format::Odt => {
                let xml = format!(
                    "<office:document-content><office:body><office:text>{said}</office:text></office:body></office:document-content>"
                );
                archive(&[("content.xml", xml.as_bytes())], false)
            }
            _ => format!("{{\\rtf1\\ansi {said}}}").into_bytes(),
        };
        let document = extract(format, bytes).unwrap();
        let piece = &document.passages[0];
        let text = document.passage_text(piece);
        let note = format!("[{mark}: Without the balcony.]");
        assert!(text.starts_with("The hall seats 400") && text.trim_end().ends_with("coats."), "{text}");
        let at = text.find(&note).unwrap_or_else(|| panic!("{note} in {text}"));
        let place = |from: usize| piece.lines.of_known(&piece.parts, &(from..at + note.len())).to_string();
        assert_eq!(
            (place(0), place(at + 4)),
            ("paragraphs 1 and 4".to_owned(), "paragraph 4".to_owned()),
            "{format:?}"
        );
    }
}
