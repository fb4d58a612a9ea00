//! Files of every kind, written by hand: what they say and where.

mod archive;
mod beside;
mod charts;
mod code;
mod hidden;
mod hostile;
mod mail;
mod man;
mod names;
mod places;
mod scripts;
mod text;

use std::io::Write;

use expect_test::{Expect, expect};

use crate::core::text::spans::Unit;
use crate::core::text::{Document, Format, extract, packed_report};

/// An archive with these entries, packed where that is asked for.
pub(super) fn archive(entries: &[(&str, &[u8])], packed: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let mut list = Vec::new();
    for (name, bytes) in entries {
        let data = if packed { deflated(bytes) } else { bytes.to_vec() };
        let method: u16 = if packed { 8 } else { 0 };
        let at = u32::try_from(file.len()).unwrap();
        let sizes = [data.len(), bytes.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes()).concat();
        let name_bytes = u16::try_from(name.len()).unwrap().to_le_bytes();
        let common = [&[0, 0][..], &method.to_le_bytes(), &[0; 8], &sizes, &name_bytes, &[0, 0]].concat();
        file.extend([&b"PK\x03\x04\x14\0"[..], &common, name.as_bytes(), &data].concat());
        list.extend([&b"PK\x01\x02\x14\0\x14\0"[..], &common, &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat());
    }
    let (start, size) = (u32::try_from(file.len()).unwrap(), u32::try_from(list.len()).unwrap());
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    file.extend(&list);
    file.extend(
        [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size.to_le_bytes(), &start.to_le_bytes(), &[0, 0]].concat(),
    );
    file
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// The title, and each passage with its place and its headings.
pub(super) fn shown(document: &Document) -> String {
    let mut text = format!("title: {}\n", document.title.as_deref().unwrap_or("-"));
    for piece in &document.passages {
        let place = &piece.lines;
        text.push_str(format!("[{place}] {}", piece.headings.join(" > ")).trim_end());
        text.push('\n');
        for line in document.passage_text(piece).lines() {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        }
    }
    text
}

fn check(format: Format, entries: &[(&str, &str)], expected: &Expect) {
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let stored = shown(&extract(format, archive(&entries, false)).unwrap());
    assert_eq!(stored, shown(&extract(format, archive(&entries, true)).unwrap()));
    expected.assert_eq(&stored);
}

#[test]
fn a_word_document_keeps_headings_lists_tables_code_and_notes() {
    let paragraph = |style: &str, text: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let text = [
        "<w:document><w:body>".to_owned(),
        paragraph("T1", "On tides"),
        paragraph("Body", "The sea rises &amp; falls<w:t/>").replace("<w:t/>", ""),
        paragraph("H2", "Springs"),
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"3\"/></w:numPr></w:pPr><w:r><w:t>twice a month</w:t></w:r></w:p>".into(),
        "<w:p><w:r><w:t>Once</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:delText>never</w:delText></w:r></w:p>".into(),
        "<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>".into(),
        format!("<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>", cell("port"), cell("range"), cell("Brest"), cell("6 | m")),
        paragraph("Src", "let x = 1;"),
        paragraph("Src", "  x + 1"),
        "</w:body></w:document>".into(),
    ];
    let styles = "<w:styles><w:style w:styleId=\"T1\"><w:name w:val=\"Title\"/></w:style><w:style w:styleId=\"H2\"><w:name w:val=\"heading 2\"/></w:style><w:style w:styleId=\"Src\"><w:name w:val=\"Source Code\"/></w:style></w:styles>";
    let notes = "<w:footnotes><w:footnote w:type=\"separator\" w:id=\"0\"><w:p><w:r><w:t>x</w:t></w:r></w:p></w:footnote><w:footnote w:id=\"2\"><w:p><w:r><w:t>By the moon.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    check(
        Format::Docx,
        &[("word/document.xml", &text.concat()), ("word/styles.xml", styles), ("word/footnotes.xml", notes)],
        &expect![[r#"
            title: On tides
            [paragraph 2] On tides
                The sea rises & falls
            [paragraphs 4–11] On tides > Springs
                  - twice a month
    
                Once [1: By the moon.]
    
                box
    
                | port | range |
                | --- | --- |
                | Brest | 6 \| m |
    
                ```
                let x = 1;
                  x + 1
                ```
        "#]],
    );
    let paged = "<w:document><w:p><w:r><w:t>first page</w:t></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>second page</w:t></w:r></w:p></w:document>";
    check(
        Format::Docx,
        &[
            ("word/document.xml", paged),
            ("docProps/core.xml", "<c><dc:title>Named</dc:title></c>"),
            ("docProps/app.xml", "<Properties><Pages>2</Pages></Properties>"),
        ],
        &expect![[r#"
            title: Named
            [pp. 1–2]
                first page
    
                second page
        "#]],
    );
}

#[test]
fn styles_of_word_make_lists_and_headings() {
    let styles = "<w:styles><w:style w:styleId=\"LB\"><w:name w:val=\"List Bullet\"/></w:style><w:style w:styleId=\"L2\"><w:name w:val=\"list number 2\"/></w:style>\
        <w:style w:styleId=\"Step\"><w:name w:val=\"Step\"/><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"4\"/></w:numPr></w:pPr></w:style>\
        <w:style w:styleId=\"Small\"><w:name w:val=\"Small step\"/><w:basedOn w:val=\"Own\"/></w:style><w:style w:styleId=\"Own\"><w:name w:val=\"Own step\"/><w:basedOn w:val=\"LB\"/></w:style>\
        <w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:styleId=\"Our\"><w:name w:val=\"Our head\"/><w:basedOn w:val=\"H1\"/></w:style>\
        <w:style w:styleId=\"Not\"><w:name w:val=\"Not in contents\"/><w:basedOn w:val=\"H1\"/><w:pPr><w:outlineLvl w:val=\"9\"/></w:pPr></w:style>\
        <w:style w:styleId=\"Round\"><w:basedOn w:val=\"Round\"/></w:style></w:styles>";
    let paragraph = |style: &str, more: &str, text: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let out = "<w:numPr><w:numId w:val=\"0\"/></w:numPr>";
    let rows = [
        ("Our", "", "Filter"),
        ("Round", "", "Change it so:"),
        ("LB", "", "open the lid"),
        ("L2", "", "take it out"),
        ("Step", "", "rinse it"),
        ("Small", "", "put it back"),
        ("LB", out, "Done."),
        ("Not", "", "Tools"),
    ];
    let text = rows.map(|(style, more, text)| paragraph(style, more, text)).concat();
    check(
        Format::Docx,
        &[("word/document.xml", &format!("<w:document>{text}</w:document>")), ("word/styles.xml", styles)],
        &expect![[r#"
            title: Filter
            [paragraphs 2–8] Filter
                Change it so:

                - open the lid
                  - take it out
                  - rinse it
                - put it back

                Done.

                Tools
        "#]],
    );
}

/// LB-01: a page number is given where every page is marked; a program without a screen marks only the first ones.
#[test]
fn pages_are_counted_only_where_all_are_marked() {
    let long = "word ".repeat(2_000);
    let unit = |format: Format, entries: &[(&str, &str)]| {
        let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        extract(format, archive(&entries, true)).unwrap().passages.last().unwrap().lines.unit
    };
    for (last, pages, expected) in [
        ("short", "2", Unit::Page),
        ("short", "3", Unit::Paragraph),
        ("short", "", Unit::Paragraph),
        (long.as_str(), "2", Unit::Paragraph),
    ] {
        let odt = format!(
            "<office:document-content><office:text><text:p>one</text:p><text:p><text:soft-page-break/>{last}</text:p>\
             </office:text></office:document-content>"
        );
        let meta = format!("<m><meta:document-statistic meta:page-count=\"{pages}\"/></m>");
        assert_eq!(unit(Format::Odt, &[("content.xml", &odt), ("meta.xml", &meta)]), expected, "{pages}");
        let docx = format!(
            "<w:document><w:p><w:r><w:t>one</w:t></w:r></w:p>\
             <w:p><w:r><w:lastRenderedPageBreak/><w:t>{last}</w:t></w:r></w:p></w:document>"
        );
        let facts = format!("<Properties><Pages>{pages}</Pages></Properties>");
        assert_eq!(
            unit(Format::Docx, &[("word/document.xml", &docx), ("docProps/app.xml", &facts)]),
            expected,
            "{pages}"
        );
    }
}

#[test]
fn slides_are_read_in_their_order() {
    let slide = |title: &str, body: &str| {
        format!(
            "<p:sld><p:sp><p:nvPr><p:ph type=\"sldNum\"/></p:nvPr><a:p><a:t>7</a:t></a:p></p:sp>\
             <p:sp><p:nvPr><p:ph type=\"title\"/></p:nvPr><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:sp><p:sp>{body}</p:sp></p:sld>"
        )
    };
    let list = "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"rId3\"/><p:sldId id=\"257\" r:id=\"rId2\"/></p:sldIdLst></p:presentation>";
    let targets = "<Relationships><Relationship Id=\"rId2\" Type=\"t/slide\" Target=\"slides/slide1.xml\"/><Relationship Id=\"rId3\" Type=\"t/slide\" Target=\"/ppt/slides/slide2.xml\"/></Relationships>";
    let notes = "<Relationships><Relationship Id=\"rId1\" Type=\"t/notesSlide\" Target=\"../notesSlides/notesSlide1.xml\"/></Relationships>";
    let bullets = "<a:p><a:t>Low water</a:t></a:p><a:p><a:pPr lvl=\"1\"/><a:t>at dawn</a:t></a:p>";
    check(
        Format::Pptx,
        &[
            ("ppt/presentation.xml", list),
            ("ppt/_rels/presentation.xml.rels", targets),
            ("ppt/slides/slide1.xml", &slide("Ebb", "<a:p><a:t>The sea goes.</a:t></a:p>")),
            ("ppt/slides/slide2.xml", &slide("Flood", bullets)),
            ("ppt/slides/_rels/slide2.xml.rels", notes),
            ("ppt/notesSlides/notesSlide1.xml", "<p:notes><p:sp><a:p><a:t>Speak slowly.</a:t></a:p></p:sp></p:notes>"),
        ],
        &expect![[r#"
            title: Flood
            [slide 1] Flood
                - Low water
                  - at dawn
    
                Notes: Speak slowly.
            [slide 2] Ebb
                The sea goes.
        "#]],
    );
}

#[test]
fn sheets_are_tables_with_the_places_of_their_rows() {
    let workbook =
        "<workbook><workbookPr/><sheets><sheet name=\"Ports\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>";
    let targets = "<Relationships><Relationship Id=\"rId1\" Type=\"t/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>";
    let strings = "<sst><si><t>port</t></si><si><r><t>ran</t></r><r><t>ge</t></r><rPh><t>x</t></rPh></si><si><t>Brest</t></si></sst>";
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\"yyyy\\-mm\"/></numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"170\"/></cellXfs></styleSheet>";
    let sheet = "<worksheet><sheetData>\
        <row r=\"2\"><c r=\"B2\" t=\"s\"><v>0</v></c><c r=\"C2\" t=\"s\"><v>1</v></c><c r=\"D2\" t=\"inlineStr\"><is><t>since</t></is></c></row>\
        <row r=\"3\"><c r=\"B3\" t=\"s\"><v>2</v></c><c r=\"C3\"><f>1+1</f><v>0.10000000000000001</v></c><c r=\"D3\" s=\"1\"><v>45352</v></c></row>\
        <row r=\"5\"><c r=\"B5\" t=\"str\"><v>Calais</v></c><c r=\"C5\"><f>SUM(C3:C4)</f><v></v></c><c r=\"D5\" t=\"b\"><v>1</v></c></row>\
        </sheetData></worksheet>";
    check(
        Format::Xlsx,
        &[
            ("xl/workbook.xml", workbook),
            ("xl/_rels/workbook.xml.rels", targets),
            ("xl/sharedStrings.xml", strings),
            ("xl/styles.xml", styles),
            ("xl/worksheets/sheet1.xml", sheet),
        ],
        &expect![[r#"
            title: -
            [Ports!B2:D5] Ports
                | port | range | since |
                | --- | --- | --- |
                | Brest | 0.1 | 2024-03-01 |
                | Calais | =SUM(C3:C4) | TRUE |
        "#]],
    );
}

#[test]
fn long_tables_repeat_their_header() {
    let rows: String = (0..100).map(|row| format!("name{row},a longer value of several words {row}\n")).collect();
    let document = extract(Format::Csv, format!("name,value\n{rows}").into_bytes()).unwrap();
    assert!(document.passages.len() > 4, "{}", document.passages.len());
    for piece in &document.passages {
        let text = document.passage_text(piece);
        assert!(text.starts_with("| name | value |\n| --- | --- |\n| name"), "{text}");
        // The header of the file counts for the first part only.
        let first = if piece.lines.first == 1 { "name0" } else { &format!("name{}", piece.lines.first - 2) };
        assert!(text.contains(&format!("| {first} |")), "{}: {text}", piece.lines);
    }
}

/// LB-01: a head of many columns stands above all rows as well.
#[test]
fn lb_01_wide_tables_keep_their_header() {
    let row = |name: &str| (0..60).map(|column| format!("{name}{column}")).collect::<Vec<_>>().join(",");
    let rows: String = (0..20).map(|number| format!("{}\n", row(&format!("v{number}x")))).collect();
    let document = extract(Format::Csv, format!("{}\n{rows}", row("field")).into_bytes()).unwrap();
    assert!(document.passages.len() > 4, "{}", document.passages.len());
    for piece in &document.passages {
        let head = piece.table_head.as_deref().unwrap_or_else(|| document.passage_text(piece));
        assert!(head.starts_with("| field0 | field1 |") && head.contains("| field59 |"), "{}: {head}", piece.lines);
    }
}

/// LB-01: a table of a text stands where its rows do, and each part of a long one where its own rows do. Each cell says its paragraph.
#[test]
fn lb_01_tables_of_texts_stand_where_their_rows_do() {
    let odt_cell = |said: &str| format!("<table:table-cell><text:p>{said}</text:p></table:table-cell>");
    let docx_cell = |said: &str| format!("<w:tc><w:p><w:r><w:t>{said}</w:t></w:r></w:p></w:tc>");
    for rows in [1, 2, 5, 60] {
        let cells = |cell: &dyn Fn(&str) -> String, open: &str, close: &str| {
            let row =
                |row: u32| (0..4).map(|at| cell(&format!("in paragraph p{}x", 4 + row * 4 + at))).collect::<String>();
            (0..rows).map(|number| format!("{open}{}{close}", row(number))).collect::<String>()
        };
        let head = "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>Ports</w:t></w:r></w:p>";
        let text = |said: &str| format!("<w:p><w:r><w:t>{said}</w:t></w:r></w:p>");
        let table = format!("<w:tbl>{}</w:tbl>", cells(&docx_cell, "<w:tr>", "</w:tr>"));
        let docx = format!("<w:document>{}{}{head}{table}{head}{}</w:document>", text("a"), text("b"), text("c"));
        let table =
            format!("<table:table>{}</table:table>", cells(&odt_cell, "<table:table-row>", "</table:table-row>"));
        let odt = format!(
            "<office:document-content><office:text><text:p>a</text:p><text:p>b</text:p><text:h>Ports</text:h>{table}<text:h>Ports</text:h><text:p>c</text:p></office:text></office:document-content>"
        );
        for (format, part, text) in [(Format::Docx, "word/document.xml", docx), (Format::Odt, "content.xml", odt)] {
            let document = extract(format, archive(&[(part, text.as_bytes())], false)).unwrap();
            let tables = document.passages.iter().filter(|piece| document.passage_text(piece).contains("---"));
            assert!(tables.clone().count() > usize::from(rows == 60), "{format:?} {rows}");
            for (at, piece) in tables.enumerate() {
                let said = document.passage_text(piece);
                // The head of all parts stands in the first.
                let said = if at == 0 { said } else { said.split_once("--- |\n").map_or(said, |(_, rows)| rows) };
                let numbers = said.split(['p', 'x']).filter_map(|number| number.parse::<u32>().ok());
                let expected = (numbers.clone().min().unwrap(), numbers.max().unwrap());
                assert_eq!(
                    (piece.lines.first, piece.lines.last, piece.lines.unit),
                    (expected.0, expected.1, Unit::Paragraph)
                );
            }
        }
    }
}

#[test]
fn open_documents_are_read() {
    let text = "<office:document-content><office:automatic-styles><style:style style:name=\"P1\" style:parent-style-name=\"Preformatted_20_Text\"/></office:automatic-styles><office:body><office:text>\
        <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>\
        <text:h text:outline-level=\"1\">On tides</text:h><text:p>The<text:s text:c=\"1\"/>sea<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>salt</text:p></text:note-body></text:note>.</text:p>\
        <text:list><text:list-item><text:p>rise</text:p><text:list><text:list-item><text:p>fall</text:p></text:list-item></text:list></text:list-item></text:list>\
        <text:p text:style-name=\"P1\">x = 1</text:p>\
        <text:p>See<draw:custom-shape><text:p>in a box</text:p></draw:custom-shape> beside.</text:p>\
        <table:table table:name=\"T\"><table:table-row><table:table-cell><text:p>port</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Brest</text:p></table:table-cell></table:table-row></table:table>\
        </office:text></office:body></office:document-content>";
    check(
        Format::Odt,
        &[("content.xml", text), ("meta.xml", "<m><dc:title>Tides</dc:title></m>")],
        &expect![[r#"
            title: Tides
            [paragraphs 2–8] On tides
                The sea [1: salt].
    
                - rise
                  - fall
    
                ```
                x = 1
                ```
    
                See beside.
    
                in a box
    
                | port |
                | --- |
                | Brest |
        "#]],
    );
    let sheet = "<office:body><office:spreadsheet><table:table table:name=\"Costs\"><table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row>\
        <table:table-row><table:table-cell/><table:table-cell><text:p>what</text:p></table:table-cell><table:table-cell><text:p>price</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell/><table:table-cell table:number-columns-repeated=\"2\"><text:p>7</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>";
    check(
        Format::Ods,
        &[("content.xml", sheet)],
        &expect![[r#"
            title: -
            [Costs!B4:C5] Costs
                | what | price |
                | --- | --- |
                | 7 | 7 |
        "#]],
    );
    let slides = "<office:presentation><draw:page draw:name=\"p1\"><draw:frame><draw:text-box><text:p>Ebb</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>slowly</text:p></draw:text-box></draw:frame></presentation:notes></draw:page><draw:page><draw:frame><draw:text-box><text:p>Flood</text:p></draw:text-box></draw:frame></draw:page></office:presentation>";
    check(
        Format::Odp,
        &[("content.xml", slides)],
        &expect![[r#"
            title: -
            [slide 1]
                Ebb
    
                Notes: slowly
            [slide 2]
                Flood
        "#]],
    );
}

#[test]
fn a_book_is_read_by_its_spine() {
    let container = "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>";
    let package = "<package><metadata><dc:title>The Sea</dc:title></metadata><manifest><item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\"/><item id=\"b\" href=\"text/b%20two.xhtml\"/><item id=\"a\" href=\"a.xhtml\"/></manifest><spine><itemref idref=\"nav\"/><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>";
    check(
        Format::Epub,
        &[
            ("META-INF/container.xml", container),
            ("OEBPS/book.opf", package),
            ("OEBPS/nav.xhtml", "<html><body>contents</body></html>"),
            ("OEBPS/a.xhtml", "<html><body><h1>One</h1><p>It began.</p></body></html>"),
            ("OEBPS/text/b two.xhtml", "<html><body><h1>Two</h1><p>It ended.</p></body></html>"),
        ],
        &expect![[r#"
            title: The Sea
            [chapter 1] One
                It began.
            [chapter 2] Two
                It ended.
        "#]],
    );
}

#[test]
fn a_report_of_an_office_program_keeps_its_links() {
    let docx = "<w:document><w:p><w:r><w:t>The dam is </w:t></w:r><w:hyperlink r:id=\"rId4\"><w:r><w:t>high</w:t></w:r></w:hyperlink><w:hyperlink r:id=\"rId5\"><w:r><w:t>.</w:t></w:r></w:hyperlink></w:p></w:document>";
    let targets = "<R><Relationship Id=\"rId4\" Type=\"x/hyperlink\" Target=\"https://lake.example/a?b=1&amp;c=2\" TargetMode=\"External\"/><Relationship Id=\"rId5\" Type=\"x/hyperlink\" Target=\"javascript:x\"/></R>";
    let odt = "<office:text><text:p>The dam is <text:a xlink:href=\"https://lake.example/a\">high</text:a><text:a xlink:href=\"#x\">.</text:a></text:p></office:text>";
    let docx =
        archive(&[("word/document.xml", docx.as_bytes()), ("word/_rels/document.xml.rels", targets.as_bytes())], true);
    let odt =
        archive(&[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", odt.as_bytes())], true);
    let report = |name: &str, bytes: &[u8]| packed_report(name, bytes.to_vec()).unwrap();
    assert_eq!(report("r.docx", &docx).as_deref(), Some("The dam is [high](<https://lake.example/a?b=1&c=2>)."));
    assert_eq!(report("r.odt", &odt).as_deref(), Some("The dam is [high](<https://lake.example/a>)."));
    assert_eq!(report("r.md", b"The dam is high."), None);
    // Standard input has no name.
    for (name, bytes) in [("r.docx", &docx), ("r.odt", &odt)] {
        assert_eq!(report("", bytes), report(name, bytes), "{name}");
    }
    let book = archive(&[("mimetype", b"application/epub+zip\n")], false);
    assert_eq!(packed_report("", book.clone()), packed_report("r.epub", book));
    assert_eq!(report("", b"The dam is high."), None);
    assert_eq!(report("", &archive(&[("a.md", b"The dam is high.")], true)), None);
    let notebook = br##"{"cells":[{"cell_type":"markdown","source":"The dam is high."}]}"##;
    assert_eq!(report("r.ipynb", notebook).as_deref(), Some("The dam is high."));
    // Notes are citations; links of a part are those of its own list.
    let with_note = "<office:text><text:p>The dam is high.<text:note><text:note-citation>7</text:note-citation><text:note-body><text:p>See <text:a xlink:href=\"https://lake.example/b\">the list</text:a>.</text:p></text:note-body></text:note> It is old.</text:p></office:text>";
    let with_note = archive(&[("content.xml", with_note.as_bytes())], true);
    let expected = "The dam is high.[^1] It is old.\n\n[^1]: See [the list](<https://lake.example/b>).";
    assert_eq!(report("r.odt", &with_note).as_deref(), Some(expected));
    assert_eq!(extract(Format::Odt, with_note).unwrap().text, "The dam is high. [7: See the list.] It is old.");
    let text =
        "<w:document><w:p><w:r><w:t>The dam is high.</w:t><w:footnoteReference w:id=\"2\"/></w:r></w:p></w:document>";
    let notes = "<w:footnotes><w:footnote w:id=\"2\"><w:p><w:hyperlink r:id=\"rId4\"><w:r><w:t>List</w:t></w:r></w:hyperlink></w:p></w:footnote></w:footnotes>";
    let target = "<R><Relationship Id=\"rId4\" Type=\"x/hyperlink\" Target=\"https://lake.example/c\" TargetMode=\"External\"/></R>";
    let with_note = archive(
        &[
            ("word/document.xml", text.as_bytes()),
            ("word/_rels/document.xml.rels", targets.as_bytes()),
            ("word/footnotes.xml", notes.as_bytes()),
            ("word/_rels/footnotes.xml.rels", target.as_bytes()),
        ],
        true,
    );
    let expected = "The dam is high.[^1]\n\n[^1]: [List](<https://lake.example/c>)";
    assert_eq!(report("r.docx", &with_note).as_deref(), Some(expected));
    // A library quotes words, not addresses.
    assert_eq!(extract(Format::Docx, docx).unwrap().text, "The dam is high.");
}
