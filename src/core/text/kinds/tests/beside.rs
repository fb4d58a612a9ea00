//! What stands beside the text of office files: remarks, lines of every page, charts, errors; heads of two rows and tables inside tables.

use std::collections::BTreeSet;

use crate::core::base::limits;
use crate::core::text::kinds::tests::archive;
use crate::core::text::{Document, Format, LeftOut, extract, packed_report};

pub(super) fn document(format: Format, parts: &[(&str, &str)]) -> Document {
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    extract(format, archive(&parts, true)).unwrap()
}

/// The lines of the text that say something.
pub(super) fn lines(document: &Document) -> Vec<&str> {
    document.text.lines().filter(|line| !line.is_empty()).collect()
}

pub(super) fn relation(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"{id}\" Type=\"x/{kind}\" Target=\"{target}\"/>")
}

pub(super) fn said(text: &str) -> String {
    format!("<w:r><w:t>{text}</w:t></w:r>")
}

const CHART: &str = "<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Claims </a:t></a:r><a:r><a:t>per quarter</a:t></a:r></a:p></c:rich></c:tx></c:title>\
    <c:ser><c:tx><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>Leeds</c:v></c:pt></c:strCache></c:strRef></c:tx>\
    <c:dLbls><c:tx><c:v>no</c:v></c:tx></c:dLbls>\
    <c:cat><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>Q1</c:v></c:pt><c:pt idx=\"1\"><c:v>Q2</c:v></c:pt></c:strCache></c:strRef></c:cat>\
    <c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode><c:pt idx=\"0\"><c:v>0.125</c:v></c:pt><c:pt idx=\"1\"><c:v>0.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>\
    <c:ser><c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode><c:pt idx=\"1\"><c:v>0.30000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>\
    <c:catAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Quarter</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx>\
    <c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Share</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx></c:chart></c:chartSpace>";

const CHART_LINES: [&str; 5] = [
    "Chart: Claims per quarter",
    "| Quarter | Leeds (Share) | Share |",
    "| --- | --- | --- |",
    "| Q1 | 12.5% |  |",
    "| Q2 | 50.0% | 0.3 |",
];

/// A footer with the number of the page, the title of the document and a text.
fn footer() -> String {
    let field = |code: &str, shown: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> {code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
            said(shown)
        )
    };
    format!(
        "<w:ftr><w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr>{}<w:r><w:tab/></w:r>{}{}{}{}<w:r><w:tab/></w:r>{}</w:p><w:p><w:fldSimple w:instr=\" PAGE \">{}</w:fldSimple></w:p></w:ftr>",
        said("Kept by Dorn"),
        said("Page "),
        field("PAGE", "7"),
        said(" of "),
        field("NUMPAGES", "12"),
        field("TITLE", "The lease"),
        said("7"),
    )
}

#[test]
fn lb_01_comments_running_lines_and_charts_of_word_are_read() {
    let range = |id: u32, text: &str| {
        format!(
            "<w:commentRangeStart w:id=\"{id}\"/>{}<w:commentRangeEnd w:id=\"{id}\"/><w:r><w:commentReference w:id=\"{id}\"/></w:r>",
            said(text)
        )
    };
    let text = [
        format!("<w:p>{}{}{}</w:p>", said("Hall 7 has "), range(0, "a sprinkler system"), said(".")),
        format!("<w:p>{}<w:r><w:commentReference w:id=\"1\"/><w:commentReference w:id=\"1\"/></w:r></w:p>", said("It is old.")),
        format!("<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr><w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>", said("Year"), range(2, "2026")),
        "<w:p><w:r><w:drawing><c:chart r:id=\"rId5\"/></w:drawing></w:r></w:p><w:p><w:r><c:chart r:id=\"rId5\"/></w:r></w:p>".to_owned(),
        format!("<w:p>{}</w:p>", said("End.")),
    ];
    let comment = |id: u32, author: &str, text: &str| {
        format!("<w:comment w:id=\"{id}\" w:author=\"{author}\">{text}</w:comment>")
    };
    let twice = format!("<w:p>{}</w:p><w:p>{}</w:p>", said("Two a year."), said("Ask first."));
    let comments = [
        comment(0, "Vera Keller", &twice),
        comment(1, "", &format!("<w:p>{}</w:p>", said("How old?"))),
        comment(2, "Al", &format!("<w:p>{}</w:p>", said("Al: or later"))),
        comment(9, "Bo", &format!("<w:p>{}</w:p>", said("On nothing"))),
        comment(10, "Bo", "<w:p/>"),
    ];
    let header = format!("<w:hdr><w:p>{}</w:p></w:hdr>", said("Contract LC-318"));
    let targets = [
        relation("rId1", "header", "header1.xml"),
        relation("rId2", "header", "header2.xml"),
        relation("rId3", "footer", "footer1.xml"),
        relation("rId5", "chart", "charts/chart1.xml"),
    ];
    let parts = [
        ("word/document.xml", text.concat()),
        ("word/comments.xml", comments.concat()),
        ("word/_rels/document.xml.rels", targets.concat()),
        ("word/header1.xml", header.clone()),
        ("word/header2.xml", header),
        ("word/footer1.xml", footer()),
        ("word/charts/chart1.xml", CHART.to_owned()),
    ];
    let parts = parts.each_ref().map(|(name, text)| (*name, text.as_str()));
    let read = document(Format::Docx, &parts);
    let expected = [
        "Hall 7 has a sprinkler system.",
        "Comment by Vera Keller on \"a sprinkler system\": Two a year. Ask first.",
        "It is old.",
        "Comment on \"It is old.\": How old?",
        "| Year |",
        "| --- |",
        "| 2026 |",
        "Comment by Al on \"2026\": or later",
    ];
    let rest = ["End.", "Comment by Bo: On nothing", "Header: Contract LC-318", "Footer: Kept by Dorn · The lease"];
    assert_eq!(lines(&read), [&expected[..], &CHART_LINES, &rest].concat());
    let places: Vec<String> = read.passages.iter().map(|piece| piece.lines.to_string()).collect();
    assert_eq!(places, ["paragraphs 1–7", "paragraph 1"]);
    // A report is checked for what it says itself.
    let report = packed_report("r.docx", archive(&parts.map(|(name, text)| (name, text.as_bytes())), true)).unwrap();
    assert_eq!(
        report.unwrap().replace("\n\n", "|"),
        "Hall 7 has a sprinkler system.|It is old.|| Year |\n| --- |\n| 2026 ||End."
    );
}

#[test]
fn lb_01_annotations_and_running_lines_of_open_documents_are_read() {
    let note = |more: &str, text: &str| {
        format!(
            "<office:annotation {more}><dc:creator>Yann Petit</dc:creator><dc:date>2026</dc:date><text:p>{text}</text:p></office:annotation>"
        )
    };
    let content = [
        "<office:text><text:p>Replace the extinguishers".to_owned(),
        note("", "Offer <text:span>received</text:span>"),
        ".</text:p><text:p>Then ".to_owned(),
        note("office:name=\"n1\"", "Which?"),
        "check the doors<office:annotation-end office:name=\"n1\"/> again.</text:p></office:text>".to_owned(),
    ];
    let styles = "<office:master-styles><style:header-style>x</style:header-style><style:master-page><style:header><text:p>Report<text:tab/>Page <text:page-number>1</text:page-number>/<text:page-count>3</text:page-count></text:p></style:header>\
        <style:header-left style:display=\"false\"><text:p>Hidden</text:p></style:header-left><style:footer><text:p>Kept by<text:s/>Dorn</text:p></style:footer><style:footer-first><text:p>Report</text:p></style:footer-first></style:master-page></office:master-styles>";
    let read = document(Format::Odt, &[("content.xml", &content.concat()), ("styles.xml", styles)]);
    let expected = [
        "Replace the extinguishers.",
        "Comment by Yann Petit on \"Replace the extinguishers\": Offer received",
        "Then check the doors again.",
        "Comment by Yann Petit on \"check the doors\": Which?",
        "Header: Report",
        "Footer: Kept by Dorn",
    ];
    assert_eq!(lines(&read), expected);
    let cell = |text: &str, note: &str| format!("<table:table-cell>{note}<text:p>{text}</text:p></table:table-cell>");
    let row = |cells: String| format!("<table:table-row>{cells}</table:table-row>");
    let rows = [row(cell("Part", "") + &cell("Stock", "")), row(cell("TP-1", "") + &cell("50", &note("", "blocked")))];
    let sheet = format!("<table:table table:name=\"S\">{}</table:table>", rows.concat());
    let read = document(Format::Ods, &[("content.xml", &sheet), ("styles.xml", styles)]);
    let expected = "Comment by Yann Petit on B2 (TP-1, Stock: 50): blocked";
    assert_eq!(lines(&read).last(), Some(&expected));
    assert_eq!(read.passages.last().unwrap().lines.to_string(), "S!B2");
    let slide = format!("<draw:page><draw:frame><text:p>Ebb</text:p></draw:frame>{}</draw:page>", note("", "Late"));
    let read = document(Format::Odp, &[("content.xml", &slide), ("styles.xml", styles)]);
    assert_eq!(lines(&read), ["Ebb", "Comment by Yann Petit: Late"]);
}

fn workbook(sheet: &str, more: &[(&str, &str)]) -> Document {
    let targets = relation("rId1", "worksheet", "worksheets/sheet1.xml") + &relation("rId2", "person", "persons/p.xml");
    let beside = relation("a", "comments", "../comments1.xml") + &relation("b", "threadedComment", "../threads/t1.xml");
    let parts = [
        ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"rId1\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", &targets),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/worksheets/_rels/sheet1.xml.rels", &beside),
    ];
    document(Format::Xlsx, &[&parts[..], more].concat())
}

fn rows(rows: &[&[&str]]) -> String {
    let cell = |text: &&str| format!("<c t=\"str\"><v>{text}</v></c>");
    let row = |row: &&[&str]| format!("<row>{}</row>", row.iter().map(cell).collect::<String>());
    format!("<sheetData>{}</sheetData>", rows.iter().map(row).collect::<String>())
}

#[test]
fn lb_01_comments_on_cells_say_the_cell_and_what_it_is_about() {
    let notes = "<comments><authors><author>M. Keller</author><author/></authors><commentList>\
        <comment ref=\"B2\" authorId=\"0\"><text><r><t>M. Keller:\n</t></r><r><t>blocked until May</t></r></text></comment>\
        <comment ref=\"A1\" authorId=\"1\"><text><t>our number</t></text></comment>\
        <comment ref=\"C2\" authorId=\"0\"><text><t>[Threaded comment] see elsewhere</t></text></comment>\
        <comment ref=\"D9\" authorId=\"7\"><text><t>below all</t></text></comment></commentList></comments>";
    let threads = "<ThreadedComments><threadedComment ref=\"C2\" personId=\"{1}\" id=\"{7}\"><text>Who?</text></threadedComment>\
        <threadedComment ref=\"C2\" personId=\"{2}\" parentId=\"{7}\"><text>Farid &amp; Rosa</text></threadedComment></ThreadedComments>";
    let people =
        "<personList><person displayName=\"Ann\" id=\"{1}\"/><person displayName=\"Bo\" id=\"{2}\"/></personList>";
    let sheet = rows(&[&["Part", "Stock", "Owner"], &["TP-1", "50", ""]]);
    let read =
        workbook(&sheet, &[("xl/comments1.xml", notes), ("xl/threads/t1.xml", threads), ("xl/persons/p.xml", people)]);
    let expected = [
        "### Comments on S",
        "Comment on A1 (Part): our number",
        "Comment by M. Keller on B2 (TP-1, Stock: 50): blocked until May",
        "Comment by Ann on C2 (TP-1, Owner): Who?",
        "Comment by Bo on C2 (TP-1, Owner): Farid & Rosa",
        "Comment on D9: below all",
    ];
    assert_eq!(lines(&read).get(4..), Some(&expected[..]), "{}", read.text);
    assert_eq!(read.passages.last().unwrap().lines.to_string(), "S!A1:D9");
    // A table below empty rows names its own columns, and so does what is merged over them.
    let row = |number: u32, cells: &[&str]| {
        let cells: String = cells.iter().map(|text| format!("<c t=\"str\"><v>{text}</v></c>")).collect();
        format!("<row r=\"{number}\">{cells}</row>")
    };
    let note = |cell: &str| format!("<comment ref=\"{cell}\"><text><t>so</t></text></comment>");
    let price: &[(u32, &[&str])] =
        &[(1, &["Part", "Price", ""]), (2, &["", "1-9", "10+"]), (3, &["TP-1", "2.10", "1.90"])];
    let tenants: &[(u32, &[&str])] =
        &[(1, &["Part", "Pieces"]), (2, &["TP-1", "50"]), (5, &["Tenant", "Rent"]), (6, &["Keller", "812"])];
    let years: &[(u32, &[&str])] = &[
        (1, &["Part", "Pieces"]),
        (2, &["TP-1", "50"]),
        (5, &["Wide", "2021", "2022"]),
        (6, &["Brisk", "100", "200"]),
    ];
    let sums: &[(u32, &[&str])] = &[
        (1, &["Part", "Pieces", "Rent"]),
        (2, &["TP-1", "50", "1"]),
        (5, &["TP-2", "2021", "1999"]),
        (6, &["TP-3", "5", "2"]),
    ];
    let titled: &[(u32, &[&str])] = &[(1, &["Stock", "as of May"]), (3, &["Part", "Pieces"]), (4, &["TP-1", "40"])];
    for (cells, cell, expected) in [
        (tenants, "B6", "Comment on B6 (Keller, Rent: 812): so"),
        (tenants, "B5", "Comment on B5 (Tenant, Rent): so"),
        (years, "C6", "Comment on C6 (Brisk, 2022: 200): so"),
        // Numbers that look like years are none of a head.
        (sums, "C6", "Comment on C6 (TP-3, Rent: 2): so"),
        (tenants, "B2", "Comment on B2 (TP-1, Pieces: 50): so"),
        (titled, "B4", "Comment on B4 (TP-1, Pieces: 40): so"),
        (price, "C3", "Comment on C3 (TP-1, Price 10+: 1.90): so"),
        (price, "C2", "Comment on C2 (1-9, 10+): so"),
    ] {
        let rows: String = cells.iter().map(|(number, cells)| row(*number, cells)).collect();
        let sheet = format!("<sheetData>{rows}</sheetData><mergeCells><mergeCell ref=\"B1:C1\"/></mergeCells>");
        assert_eq!(lines(&workbook(&sheet, &[("xl/comments1.xml", &note(cell))])).last(), Some(&expected));
    }
    let note = "<comment ref=\"C7\" authorId=\"0\"><text><t>alone</t></text></comment>";
    assert_eq!(lines(&workbook("<sheetData/>", &[("xl/comments1.xml", note)])).last(), Some(&"Comment on C7: alone"));
}

#[test]
fn lb_01_charts_and_comments_of_slides_are_read() {
    let slide = "<p:sld><p:sp><p:nvPr><p:ph type=\"title\"/></p:nvPr><a:p><a:t>Risks</a:t></a:p></p:sp><p:graphicFrame><c:chart r:id=\"r1\"/></p:graphicFrame><p:sp><a:p><a:t>After.</a:t></a:p></p:sp></p:sld>";
    let of_list = relation("s", "slide", "slides/slide1.xml")
        + &relation("a", "commentAuthors", "a.xml")
        + &relation("b", "authors", "b.xml");
    let of_slide = relation("r1", "chart", "../charts/c.xml")
        + &relation("r2", "comments", "../comments/old.xml")
        + &relation("r3", "comments", "../comments/new.xml");
    let old = "<p:cmLst><p:cm authorId=\"0\"><p:pos/><p:text>Too high</p:text></p:cm></p:cmLst>";
    let new = "<p188:cmLst><p188:cm authorId=\"{1}\"><p188:replyLst><p188:reply authorId=\"0\"><a:p><a:r><a:t>In May.</a:t></a:r></a:p></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>When?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>";
    let read = document(
        Format::Pptx,
        &[
            ("ppt/presentation.xml", "<p:sldIdLst><p:sldId r:id=\"s\"/></p:sldIdLst>"),
            ("ppt/_rels/presentation.xml.rels", &of_list),
            ("ppt/a.xml", "<p:cmAuthor id=\"0\" name=\"Ann\"/>"),
            ("ppt/b.xml", "<p188:author id=\"{1}\" name=\"Bo\"/>"),
            ("ppt/slides/slide1.xml", slide),
            ("ppt/slides/_rels/slide1.xml.rels", &of_slide),
            ("ppt/charts/c.xml", CHART),
            ("ppt/comments/old.xml", old),
            ("ppt/comments/new.xml", new),
        ],
    );
    let rest = ["After.", "Comment by Ann: Too high", "Comment by Ann: In May.", "Comment by Bo: When?"];
    assert_eq!(lines(&read), [&["## Risks"][..], &CHART_LINES, &rest].concat());
}

#[test]
fn lb_01_the_error_that_ended_a_cell_is_read_without_colours() {
    let error = |trace: serde_json::Value| {
        let output = serde_json::json!({"output_type": "error", "ename": "PermissionError", "evalue": "no \u{1b}[31mwriter", "traceback": trace});
        let printed = serde_json::json!({"output_type": "stream", "text": "x".repeat(9_000)});
        let cell = serde_json::json!({"cell_type": "code", "source": "go()", "outputs": [printed, output]});
        let text = serde_json::json!({"cells": [cell], "metadata": {}}).to_string();
        extract(Format::Notebook, text.into_bytes()).unwrap().text
    };
    let trace = serde_json::json!([
        "\u{1b}[0;31m-----\u{1b}[0m",
        "\u{1b}[1;32m----> 1\u{1b}[0m go()",
        "\u{1b}[0;31mPermissionError\u{1b}[0m: no \u{1b}[31mwriter"
    ]);
    let found = error(trace);
    assert!(found.ends_with("```\nPermissionError: no writer\n-----\n----> 1 go()\n```"), "{found}");
    assert!(error(serde_json::json!([])).ends_with("```\nPermissionError: no writer\n```"));
    assert!(error(serde_json::json!("\u{1b}[;".repeat(100_000) + &"y".repeat(100_000))).len() < 5_000);
}

/// LB-01: cells of a head that reach over others are said with each of them; a title over all, or a row that says more, is no part of it.
#[test]
fn lb_01_merged_heads_are_joined_where_the_file_merges_them() {
    let head: &[&[&str]] =
        &[&["Article", "Price", "", "Days"], &["", "1-9", "10+", ""], &["TP-1", "2.10", "1.90", "3"]];
    let merged = |cells: &[&str]| cells.iter().map(|cells| format!("<mergeCell ref=\"{cells}\"/>")).collect::<String>();
    for (cells, merges, expected) in [
        (head, &["B1:C1"][..], "| Article | Price 1-9 | Price 10+ | Days |"),
        (head, &["A1:A2", "B1:C1", "D1:D2"], "| Article | Price 1-9 | Price 10+ | Days |"),
        (head, &[], "| Article | Price |  | Days |"),
        (&[&["A", "Price", ""], &["TP-1", "2.10", "1.90"]], &["B1:C1"], "| A | Price |  |"),
        (&[&["A", "Price", ""], &["", "2.10", ""]], &["B1:C1"], "| A | Price |"),
        (
            &[&["A", "Price", "", ""], &["", "Net", "", "Gross"], &["", "1-9", "10+", ""]],
            &["B1:D1", "B2:C2", "D2:D3"],
            "| A | Price Net 1-9 | Price Net 10+ | Price Gross |",
        ),
    ] {
        let sheet = format!("{}<mergeCells>{}</mergeCells>", rows(cells), merged(merges));
        assert_eq!(lines(&workbook(&sheet, &[]))[1], expected, "{merges:?}");
    }
    let cell = |more: &str, text: &str| format!("<w:tc><w:tcPr>{more}</w:tcPr><w:p>{}</w:p></w:tc>", said(text));
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let (down, over) = ("<w:vMerge w:val=\"restart\"/>", "<w:gridSpan w:val=\"2\"/>");
    let table = [
        row(&[cell(down, "Article"), cell(over, "Price")]),
        row(&[cell("<w:vMerge/>", ""), cell("", "1-9"), cell("", "10+")]),
        row(&[cell("", "TP-1"), cell("", "2.10"), cell("", "1.90")]),
    ];
    let read = document(Format::Docx, &[("word/document.xml", &format!("<w:tbl>{}</w:tbl>", table.concat()))]);
    assert_eq!(lines(&read)[0], "| Article | Price 1-9 | Price 10+ |");
    let cell = |more: &str, text: &str| format!("<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>");
    let covered = "<table:covered-table-cell/>".to_owned();
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let table = [
        row(&[cell("", "Article"), cell("table:number-columns-spanned=\"2\"", "Price"), covered]),
        row(&[cell("", ""), cell("", "1-9"), cell("", "10+")]),
        row(&[cell("", "TP-1"), cell("", "2.10"), cell("", "1.90")]),
    ];
    let table = format!("<table:table table:name=\"S\">{}</table:table>", table.concat());
    for format in [Format::Odt, Format::Ods] {
        let read = document(format, &[("content.xml", &table)]);
        assert!(read.text.contains("| Article | Price 1-9 | Price 10+ |"), "{format:?} {}", read.text);
    }
}

/// LB-01: a table inside a cell is one of its own behind the table around it, and says which row and column it belongs to.
#[test]
fn lb_01_tables_inside_tables_keep_their_rows() {
    let cell = |text: &str| format!("<w:tc>{text}</w:tc>");
    let p = |text: &str| format!("<w:p>{}</w:p>", said(text));
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let inner = format!(
        "<w:tbl>{}{}</w:tbl>",
        row(&[cell(&p("Course")), cell(&p("Cost"))]),
        row(&[cell(&p("First aid")), cell(&p("1,260"))])
    );
    let table = [
        row(&[cell(&p("Line")), cell(&p("Details"))]),
        row(&[cell(&p("Training")), cell(&format!("{}{inner}{}", p("see"), p("below")))]),
        row(&[cell(&p("Rest")), cell(&p("none"))]),
    ];
    let read =
        document(Format::Docx, &[("word/document.xml", &format!("<w:tbl>{}</w:tbl>{}", table.concat(), p("End.")))]);
    let expected = [
        "| Line | Details |",
        "| --- | --- |",
        "| Training | see below |",
        "| Rest | none |",
        "Training, Details:",
        "| Course | Cost |",
        "| --- | --- |",
        "| First aid | 1,260 |",
        "End.",
    ];
    assert_eq!(lines(&read), expected);
    let open = |text: &str| format!("<table:table-cell>{text}</table:table-cell>");
    let p = |text: &str| format!("<text:p>{text}</text:p>");
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let inner = format!(
        "<table:table>{}{}</table:table>",
        row(&[open(&p("a")), open(&p("b"))]),
        row(&[open(&p("1")), open(&p("2"))])
    );
    let table = format!("<table:table>{}</table:table>", row(&[open(&inner)]));
    let read = document(Format::Odt, &[("content.xml", &table)]);
    assert_eq!(lines(&read), ["| a | b |", "| --- | --- |", "| 1 | 2 |"]);
}

/// Comments without end, parts that all of them are on, charts and tables without end: read within bounds, and what is left out is told.
#[test]
fn what_stands_beside_a_hostile_text_stays_in_bounds() {
    let comments: String = (0..30_000).map(|id| format!("<w:comment w:id=\"{id}\"><w:t>c</w:t></w:comment>")).collect();
    let ranges: String = (0..20_000).map(|id| format!("<w:commentRangeStart w:id=\"{id}\"/>")).collect();
    let text = format!("<w:p>{ranges}{}</w:p>", "<w:t>x</w:t>".repeat(5_000));
    let read = document(Format::Docx, &[("word/document.xml", &text), ("word/comments.xml", &comments)]);
    assert_eq!(read.left_out, BTreeSet::from([LeftOut::Parts]));
    assert_eq!(read.text.matches("Comment: c").count(), limits::OFFICE_PARTS);

    let nested = "<w:tbl><w:tr><w:tc><w:p><w:t>x</w:t></w:p>".repeat(5_000);
    let closed = "</w:tc></w:tr></w:tbl>".repeat(5_000);
    let read = document(Format::Docx, &[("word/document.xml", &format!("{nested}{closed}"))]);
    assert!(read.text.contains("| x |"), "{}", read.text.len());
    let nested = "<table:table><table:table-row><table:table-cell>".repeat(5_000) + "<text:p>x</text:p>";
    let closed = "</table:table-cell></table:table-row></table:table>".repeat(5_000);
    let read = document(Format::Odt, &[("content.xml", &format!("{nested}{closed}"))]);
    assert_eq!(read.text, "| x |\n| --- |");

    let points: String = (0..100_000).map(|at| format!("<c:pt idx=\"{at}\"><c:v>1</c:v></c:pt>")).collect();
    let long = "\"x\"".repeat(100_000);
    let series = format!("<c:ser><c:val><c:formatCode>{long}0</c:formatCode>{points}</c:val></c:ser>");
    let chart = format!("{series}{}", "<c:ser>".repeat(100_000));
    let target = relation("r", "chart", "c.xml");
    let read = document(
        Format::Docx,
        &[
            ("word/document.xml", &format!("<w:p>{}</w:p>", "<c:chart r:id=\"r\"/>".repeat(100_000))),
            ("word/_rels/document.xml.rels", &target),
            ("word/c.xml", &chart),
        ],
    );
    assert!(
        read.text.len() <= limits::EXTRACT_BYTES && read.left_out.contains(&LeftOut::Columns),
        "{:?}",
        read.left_out
    );

    let notes = "<comment ref=\"A1\" authorId=\"0\"><t>n</t></comment>".repeat(350_000);
    let read = workbook(&rows(&[&["a", "b"]]), &[("xl/comments1.xml", &notes)]);
    assert!(read.left_out.contains(&LeftOut::Cells), "{:?}", read.left_out);
    let notes = "<office:annotation>".repeat(200_000);
    assert_eq!(document(Format::Odt, &[("content.xml", &notes)]).text, "");
}
