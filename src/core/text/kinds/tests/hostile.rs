//! Files that are made to take a reader down: refused or cut, in bounds.

use std::collections::BTreeSet;

use super::{archive, deflated};
use crate::core::base::limits;
use crate::core::text::{Format, LeftOut, Unreadable, extract, format};

const OFFICE: [(Format, &str); 7] = [
    (Format::Docx, "word/document.xml"),
    (Format::Pptx, "ppt/presentation.xml"),
    (Format::Xlsx, "xl/workbook.xml"),
    (Format::Odt, "content.xml"),
    (Format::Ods, "content.xml"),
    (Format::Odp, "content.xml"),
    (Format::Epub, "META-INF/container.xml"),
];

#[test]
fn an_archive_that_unpacks_without_end_is_refused() {
    // Entries that are small enough by themselves count together.
    let part = vec![b' '; limits::ARCHIVE_UNPACKED_BYTES / 2 + 1];
    let file = archive(&[("word/document.xml", &part), ("word/styles.xml", &part)], true);
    assert!(file.len() < 2_000_000, "{}", file.len());
    assert_eq!(extract(Format::Docx, file), Err(Unreadable::TooLarge));
}

#[test]
fn a_packed_file_that_unpacks_without_end_is_refused() {
    let packed = |bytes: &[u8]| [b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec(), deflated(bytes)].concat();
    let bomb = packed(&vec![b' '; limits::GZIP_UNPACKED_BYTES + 1]);
    assert_eq!(format::opened("x.txt.gz", bomb), Err(Unreadable::TooLarge));
    let broken = format::opened("x.txt.gz", packed(b"cut off before its sum"));
    assert!(matches!(broken, Err(Unreadable::Damaged(_))), "{broken:?}");
}

#[test]
fn archives_that_lie_are_refused() {
    let whole = archive(&[("word/document.xml", b"<w:p><w:t>x</w:t></w:p>")], true);
    for (format, _) in OFFICE {
        // The last bytes only say how long the comment is.
        for length in 0..whole.len() - 6 {
            let cut = whole.get(..length).unwrap().to_vec();
            assert!(extract(format, cut).is_err(), "{format:?} cut at {length}");
        }
    }
    // Every byte wrong once: read or refused, never more.
    for at in 0..whole.len() {
        let mut wrong = whole.clone();
        *wrong.get_mut(at).unwrap() ^= 0xff;
        let _read_or_refused = extract(Format::Docx, wrong);
    }
    assert_eq!(extract(Format::Docx, b"\xd0\xcf\x11\xe0old".to_vec()), Err(Unreadable::Protected));
}

#[test]
fn nesting_does_not_reach_the_stack() {
    let deep = |open: &str| open.repeat(200_000);
    for (format, part, open) in [
        (Format::Docx, "word/document.xml", "<w:p>"),
        (Format::Docx, "word/document.xml", "<w:tbl><w:tr><w:tc>"),
        (Format::Odt, "content.xml", "<text:p>"),
        (Format::Odt, "content.xml", "<text:list>"),
        (Format::Odp, "content.xml", "<draw:page>"),
        (Format::Epub, "META-INF/container.xml", "<a>"),
    ] {
        let _read_or_refused = extract(format, archive(&[(part, deep(open).as_bytes())], true));
    }
    let mail = format!(
        "Content-Type: multipart/mixed; boundary=a\n\n{}",
        "--a\nContent-Type: multipart/mixed; boundary=a\n\n".repeat(50_000)
    );
    assert!(extract(Format::Mail, mail.into_bytes()).is_ok());
    let notebook = format!("{{\"cells\":{}", "[".repeat(200_000));
    assert!(matches!(extract(Format::Notebook, notebook.into_bytes()), Err(Unreadable::Damaged(_))));
}

#[test]
fn a_sheet_of_far_columns_stays_small() {
    let workbook = "<workbook><sheets><sheet name=\"S\" r:id=\"r\"/></sheets></workbook>";
    let targets = "<R><Relationship Id=\"r\" Type=\"t\" Target=\"s.xml\"/></R>";
    let row = "<row><c r=\"A1\"><v>1</v></c><c r=\"XFD1\"><v>2</v></c></row>".repeat(10_000);
    let file = archive(
        &[
            ("xl/workbook.xml", workbook.as_bytes()),
            ("xl/_rels/workbook.xml.rels", targets.as_bytes()),
            ("xl/s.xml", row.as_bytes()),
        ],
        true,
    );
    let document = extract(Format::Xlsx, file).unwrap();
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::SheetColumns]));
    assert!(document.text.len() <= limits::EXTRACT_BYTES + 100_000, "{}", document.text.len());
    let repeated = "<table:table><table:table-row table:number-rows-repeated=\"4294967295\"><table:table-cell table:number-columns-repeated=\"4294967295\"><text:p>x</text:p></table:table-cell></table:table-row></table:table>";
    let document = extract(Format::Ods, archive(&[("content.xml", repeated.as_bytes())], false)).unwrap();
    assert!(document.text.len() < 20_000, "{}", document.text.len());
}

/// A workbook of these sheets, with these shared strings.
fn workbook(sheets: &[(&str, &str)], strings: &str) -> Vec<u8> {
    let mut list = String::new();
    let mut targets = String::new();
    let mut entries = Vec::new();
    for (number, (name, rows)) in sheets.iter().enumerate() {
        list.push_str(&format!("<sheet name=\"{name}\" r:id=\"r{number}\"/>"));
        targets.push_str(&format!("<Relationship Id=\"r{number}\" Type=\"t\" Target=\"s{number}.xml\"/>"));
        entries.push((format!("xl/s{number}.xml"), (*rows).to_owned()));
    }
    entries.push(("xl/workbook.xml".into(), format!("<workbook><sheets>{list}</sheets></workbook>")));
    entries.push(("xl/_rels/workbook.xml.rels".into(), format!("<R>{targets}</R>")));
    entries.push(("xl/sharedStrings.xml".into(), strings.to_owned()));
    let entries: Vec<_> = entries.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    archive(&entries, true)
}

fn wide_row(columns: u32) -> String {
    let cells = (0..columns).map(|column| format!("<c><v>{column}</v></c>"));
    format!("<row>{}</row>", cells.collect::<String>())
}

#[test]
fn a_table_that_is_too_wide_costs_its_last_columns_and_nothing_else() {
    let next = "<row><c t=\"str\"><v>Brest</v></c></row>";
    let document = extract(Format::Xlsx, workbook(&[("Wide", &wide_row(1_100)), ("Ports", next)], "")).unwrap();
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::SheetColumns]));
    let shows = |text: &str, value: u32| {
        [format!("| {value} |"), format!("\n- {value}\n")].iter().any(|cell| text.contains(cell))
    };
    assert!(shows(&document.text, 1_023) && !shows(&document.text, 1_024), "{}", document.text);
    let survey = extract(Format::Csv, (0..300).map(|no| format!("q{no},")).collect::<String>().into_bytes()).unwrap();
    assert_eq!((survey.text.contains("q299"), survey.left_out), (true, BTreeSet::new()));
    assert!(document.text.contains("## Ports\n\n| Brest |"), "{}", document.text);

    let open = |columns: u32| {
        let cells =
            (0..columns).map(|column| format!("<table:table-cell><text:p>{column}</text:p></table:table-cell>"));
        format!(
            "<table:table table:name=\"T{columns}\"><table:table-row>{}</table:table-row></table:table>",
            cells.collect::<String>()
        )
    };
    let file = archive(&[("content.xml", [open(1_100), open(3)].concat().as_bytes())], true);
    let document = extract(Format::Ods, file).unwrap();
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::SheetColumns]));
    assert!(shows(&document.text, 1_023) && document.text.contains("## T3\n\n| 0 | 1 | 2 |"), "{}", document.text);
}

#[test]
fn rows_without_a_word_take_no_room() {
    let rows = ["<row><c s=\"1\"/></row>".repeat(300_000), "<row><c t=\"str\"><v>Brest</v></c></row>".to_owned()];
    let document = extract(Format::Xlsx, workbook(&[("Ports", &rows.concat())], "")).unwrap();
    assert_eq!(document.left_out, BTreeSet::new());
    assert!(document.text.contains("| Brest |"), "{}", document.text);
}

#[test]
fn a_workbook_that_repeats_itself_stays_small() {
    let long = "x".repeat(1_000_000);
    let cells = "<row><c t=\"s\"><v>0</v></c></row>".repeat(25_000);
    let file = workbook(&[("S", &cells)], &format!("<sst><si><t>{long}</t></si></sst>"));
    let document = extract(Format::Xlsx, file).unwrap();
    assert!(document.text.len() <= limits::EXTRACT_BYTES + 1_000, "{}", document.text.len());
    assert!(document.left_out.contains(&LeftOut::Cells), "{:?}", document.left_out);

    // A row as wide as the table for each of many small cells, below a name that all of them are cited by.
    let rows =
        ["<row><c r=\"BL1\"><v>1</v></c></row>".to_owned(), "<row><c r=\"A1\"><v>1</v></c></row>".repeat(25_000)];
    let document = extract(Format::Xlsx, workbook(&[(&long, &rows.concat())], "")).unwrap();
    assert!(document.text.len() <= limits::EXTRACT_BYTES + 1_000, "{}", document.text.len());
    let names = document.passages.iter().filter_map(|piece| piece.lines.sheet.as_ref());
    assert!(names.clone().count() > 0 && names.clone().all(|cells| cells.name.len() <= limits::SHEET_NAME_CHARS));

    let cell =
        format!("<table:table-cell table:number-columns-repeated=\"1024\"><text:p>{long}</text:p></table:table-cell>");
    let row = format!("<table:table-row table:number-rows-repeated=\"1000000\">{cell}</table:table-row>").repeat(20);
    let sheet = format!("<table:table table:name=\"{long}\">{row}</table:table>");
    let document = extract(Format::Ods, archive(&[("content.xml", sheet.as_bytes())], true)).unwrap();
    assert!(document.text.len() <= limits::EXTRACT_BYTES + 1_000, "{}", document.text.len());
    assert!(document.left_out.contains(&LeftOut::Cells), "{:?}", document.left_out);
}

#[test]
fn marks_that_stand_for_many_characters_stay_small() {
    let blanks = "<text:p>a<text:s text:c=\"4294967295\"/>b</text:p>";
    let document = extract(Format::Odt, archive(&[("content.xml", blanks.as_bytes())], true)).unwrap();
    assert!(document.text.len() < 100, "{}", document.text.len());
    // Rows and cells that hold nothing, and one paragraph of many megabytes.
    let empty = format!("<w:tbl>{}</w:tbl>", "<w:tr><w:tc>".repeat(200_000));
    let long = format!("<w:p><w:t>{}</w:t></w:p>", "x ".repeat(limits::EXTRACT_BYTES));
    let file = archive(&[("word/document.xml", [long, empty].concat().as_bytes())], true);
    let document = extract(Format::Docx, file).unwrap();
    assert_eq!(
        (document.text.len(), document.left_out),
        (limits::EXTRACT_BYTES, BTreeSet::from([LeftOut::End, LeftOut::Passages]))
    );
    let lines = extract(Format::Csv, "\n".repeat(5_000_000).into_bytes()).unwrap();
    assert_eq!(lines.text, "");
}

/// Each of these took hours while a reader looked at a part of its input once for each other part.
#[test]
fn no_part_of_a_file_is_looked_at_again_and_again() {
    let declarations = "<!a>".repeat(100_000);
    let document = extract(Format::Docx, archive(&[("word/document.xml", declarations.as_bytes())], true));
    assert_eq!(document.unwrap().text, "");

    let styles: String = (0..10_000)
        .map(|number| format!("<style:style style:name=\"P{number}\" style:parent-style-name=\"Code\"/>"))
        .collect();
    let text =
        format!("{styles}</office:automatic-styles>{}", "<text:p text:style-name=\"x\">y</text:p>".repeat(10_000));
    let document = extract(Format::Odt, archive(&[("content.xml", text.as_bytes())], true)).unwrap();
    assert!(document.text.starts_with("y\n\ny"));

    let entries: Vec<(String, &[u8])> = (0..20_000).map(|number| (format!("e{number}"), &b""[..])).collect();
    let slides = "<p:sldId r:id=\"r\"/>".repeat(200_000);
    let targets = "<R><Relationship Id=\"r\" Type=\"t\" Target=\"e19999\"/></R>";
    let mut entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    entries.splice(
        0..0,
        [("ppt/presentation.xml", slides.as_bytes()), ("ppt/_rels/presentation.xml.rels", targets.as_bytes())],
    );
    let document = extract(Format::Pptx, archive(&entries, true)).unwrap();
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::Parts]));

    let spans = format!("<text:p>{}</text:p>", "<text:span>x".repeat(100_000));
    let document = extract(Format::Odt, archive(&[("content.xml", spans.as_bytes())], true)).unwrap();
    assert!(document.text.starts_with("xxx"), "{}", document.text.len());

    let marks = "!".repeat(500_000) + "</w:t>" + &"<w:lastRenderedPageBreak/>".repeat(50_000) + "<w:t>end";
    let text = format!("<w:p><w:r><w:t>{marks}</w:t></w:r></w:p>");
    let document = extract(Format::Docx, archive(&[("word/document.xml", text.as_bytes())], true)).unwrap();
    assert!(document.text.ends_with("!end"), "{}", document.text.len());

    let mail = format!("Subject: {}\nFrom: a@x\n\ntext", "=?a?b?c".repeat(300_000));
    let document = extract(Format::Mail, mail.into_bytes()).unwrap();
    assert!(document.text.ends_with("From: a@x\n\ntext"), "{}", document.text.len());
    let quotes = format!("{}x{}", " ".repeat(300_000), "\"".repeat(300_000));
    assert!(extract(Format::Csv, quotes.into_bytes()).unwrap().text.contains("x\"\"\""));
}

/// What is kept of a part until all of it is read has a bound.
#[test]
fn many_small_parts_stay_small() {
    let list = "<p:sldId r:id=\"r\"/>";
    let targets = "<R><Relationship Id=\"r\" Type=\"t\" Target=\"s.xml\"/></R>";
    for part in ["<p:sp>", "<p:sp><a:p>", "<a:tbl><a:tr><a:tc>"] {
        let said = "<p:sp><a:p><a:t>Brest</a:t></a:p>";
        let slide = format!("{said}{}", part.repeat(1_000_000));
        let entries =
            [("ppt/presentation.xml", list), ("ppt/_rels/presentation.xml.rels", targets), ("ppt/s.xml", &slide)];
        let file = archive(&entries.map(|(name, text)| (name, text.as_bytes())), true);
        let document = extract(Format::Pptx, file).unwrap();
        assert_eq!(document.text, "Brest", "{part}");
        assert_eq!(document.left_out, BTreeSet::from([LeftOut::Cells]), "{part}");
    }
    let notes = "<text:p>".to_owned() + &"<text:note>".repeat(200_000);
    let file = archive(&[("content.xml", notes.as_bytes())], true);
    let _read_or_refused = extract(Format::Odt, file);
}

/// Code of a cell cannot end the block that it stands in.
#[test]
fn code_stays_code_whatever_it_holds() {
    let code = "a\n```\n~~~~\n# b\n``````\nc";
    let cell = serde_json::json!({"cells": [{"cell_type": "code", "source": code}], "metadata": {}});
    let document = extract(Format::Notebook, cell.to_string().into_bytes()).unwrap();
    assert_eq!(document.text, format!("```````\n{code}\n```````"));
}

#[test]
fn notes_are_read_as_the_text_is() {
    let text = "<w:document><w:p><w:t>One</w:t><w:footnoteReference w:id=\"2\"/></w:p>\
        <w:p><w:r><w:lastRenderedPageBreak/><w:t>Two</w:t></w:r></w:p></w:document>";
    let fallback =
        "<mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>again</w:t></w:p></mc:Fallback>";
    let code = "<w:p><w:pPr><w:pStyle w:val=\"Src\"/></w:pPr><w:t>let x;</w:t></w:p>";
    let styles = "<w:style w:styleId=\"Src\"><w:name w:val=\"Source Code\"/></w:style>";
    let read = |notes: &str| {
        let facts = "<Properties><Pages>2</Pages></Properties>";
        let entries = [
            ("word/document.xml", text),
            ("word/footnotes.xml", notes),
            ("word/styles.xml", styles),
            ("docProps/app.xml", facts),
        ];
        extract(Format::Docx, archive(&entries.map(|(name, text)| (name, text.as_bytes())), true))
    };
    let document =
        read(&format!("<w:footnote w:id=\"2\"><w:p><w:t>By the moon.</w:t></w:p>{fallback}{code}</w:footnote>"))
            .unwrap();
    let note = document.passages.last().unwrap();
    assert_eq!((note.lines.first, note.lines.last), (1, 1), "the page that refers to it");
    assert_eq!(document.passage_text(note), "[^1]: By the moon.\n\nbox\n\n```\nlet x;\n```");
    assert!(matches!(read(&"<w:p>".repeat(200_000)), Err(Unreadable::Damaged(_))));
}
