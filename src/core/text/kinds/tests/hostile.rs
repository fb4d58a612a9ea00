//! Files that are made to take a reader down: refused or cut, in bounds.

use super::{archive, deflated};
use crate::core::base::limits;
use crate::core::text::{Format, Unreadable, extract, format};

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
    assert!(document.truncated);
    assert!(document.text.len() <= limits::EXTRACT_BYTES + 100_000, "{}", document.text.len());
    let repeated = "<table:table><table:table-row table:number-rows-repeated=\"4294967295\"><table:table-cell table:number-columns-repeated=\"4294967295\"><text:p>x</text:p></table:table-cell></table:table-row></table:table>";
    let document = extract(Format::Ods, archive(&[("content.xml", repeated.as_bytes())], false)).unwrap();
    assert!(document.text.len() < 10_000, "{}", document.text.len());
}
