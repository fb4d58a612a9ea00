//! Raised, lowered, moved and struck-out text, and cells of tables that reach over others.

use super::archive;
use crate::core::text::{Format, extract};

fn text(format: Format, entries: &[(&str, &str)]) -> String {
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    extract(format, archive(&entries, true)).unwrap().text.to_string()
}

fn docx(body: &str) -> String {
    text(Format::Docx, &[("word/document.xml", &format!("<w:document><w:body>{body}</w:body></w:document>"))])
}

fn pptx(slide: &str) -> String {
    let list = "<p:presentation><p:sldIdLst><p:sldId id=\"1\" r:id=\"r1\"/></p:sldIdLst></p:presentation>";
    let targets =
        "<Relationships><Relationship Id=\"r1\" Type=\"x/slide\" Target=\"slides/slide1.xml\"/></Relationships>";
    text(
        Format::Pptx,
        &[
            ("ppt/presentation.xml", list),
            ("ppt/_rels/presentation.xml.rels", targets),
            ("ppt/slides/slide1.xml", &format!("<p:sld>{slide}</p:sld>")),
        ],
    )
}

#[test]
fn raised_and_lowered_text_of_office_files_is_told_from_its_line() {
    let run = |align: &str, text: &str| {
        format!("<w:r><w:rPr><w:vertAlign w:val=\"{align}\"/></w:rPr><w:t>{text}</w:t></w:r>")
    };
    let plain = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = [
        plain("10"),
        run("superscript", "30"),
        plain(" kg of H"),
        run("subscript", "2"),
        plain("O"),
        run("superscript", "see 1"),
        run("baseline", "."),
    ];
    // The mark of a paragraph has properties too, which are none of its text.
    let marked = "<w:pPr><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr></w:pPr>";
    assert_eq!(docx(&format!("<w:p>{marked}{}</w:p>", body.concat())), "10³⁰ kg of H₂O^(see 1).");

    let run = |baseline: &str, text: &str| format!("<a:r><a:rPr{baseline}/><a:t>{text}</a:t></a:r>");
    let runs = [run("", "10"), run(" baseline=\"30000\"", "30"), run("", " H"), run(" baseline=\"-25000\"", "2")];
    let runs = format!("{}<a:r><a:t>O</a:t></a:r>", runs.concat());
    assert_eq!(pptx(&format!("<p:sp><p:txBody><a:p>{runs}</a:p></p:txBody></p:sp>")), "10³⁰ H₂O");

    let style = |name: &str, position: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:family=\"text\"><style:text-properties style:text-position=\"{position}\"/></style:style>"
        )
    };
    let styles = [style("T1", "super 58%"), style("T2", "sub 58%"), style("T3", "-33% 58%"), style("T4", "0% 100%")];
    let span = |style: &str, text: &str| format!("<text:span text:style-name=\"{style}\">{text}</text:span>");
    let said = format!(
        "10{} kg {} H{}O, CO{}, {}<text:span text:style-name=\"T1\"/>m",
        span("T1", "30"),
        span("T4", "of"),
        span("T2", &span("T4", "2")),
        span("T3", "2"),
        span("T9", "x")
    );
    let content = format!(
        "<office:document-content><office:automatic-styles>{}</office:automatic-styles><office:text><text:p>{said}</text:p></office:text></office:document-content>",
        styles.concat()
    );
    assert_eq!(text(Format::Odt, &[("content.xml", &content)]), "10³⁰ kg of H₂O, CO₂, xm");
}

#[test]
fn cells_that_reach_over_others_keep_them_in_place() {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
    };
    let begins = "<w:vMerge w:val=\"restart\"/>";
    let rows = [
        cell(begins, "Fish") + &cell("<w:gridSpan w:val=\"2\"/>", "Price"),
        cell("<w:vMerge/>", "") + &cell("", "Monday") + &cell("", "Friday"),
        cell(begins, "Herring") + &cell("", "3") + &cell(begins, "4"),
        cell("<w:vMerge w:val=\"continue\"/>", "") + &cell("", "5") + &cell("<w:vMerge/>", ""),
    ];
    let table = format!("<w:tbl>{}</w:tbl>", rows.map(|row| format!("<w:tr>{row}</w:tr>")).concat());
    let expected =
        "| Fish | Price Monday | Price Friday |\n| --- | --- | --- |\n| Herring | 3 | 4 |\n| Herring | 5 | 4 |";
    assert_eq!(docx(&table), expected);

    let cell = |spans: &str, text: &str| {
        format!("<a:tc{spans}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>")
    };
    let rows = [
        cell(" rowSpan=\"2\"", "Fish") + &cell(" gridSpan=\"2\"", "Price") + &cell(" hMerge=\"1\"", ""),
        cell(" vMerge=\"1\"", "") + &cell("", "Monday") + &cell("", "Friday"),
        cell("", "Cod") + &cell("", "11") + &cell("", "12"),
    ];
    let table = format!("<a:tbl>{}</a:tbl>", rows.map(|row| format!("<a:tr>{row}</a:tr>")).concat());
    let expected = "| Fish | Price Monday | Price Friday |\n| --- | --- | --- |\n| Cod | 11 | 12 |";
    assert_eq!(pptx(&format!("<p:graphicFrame>{table}</p:graphicFrame>")), expected);
}

/// LB-01: what is said once for several rows of a sheet is said in each of them.
#[test]
fn lb_01_merged_cells_of_sheets_are_repeated_downwards() {
    let expected = "| Region | Month | kEUR |\n| --- | --- | --- |\n| North | January | 310 |\n| North | February | 298 |\n\
                    | South | January | 505 |\n| South | February | 512 |\n|  | March | 1 |";
    let cells = [["Region", "Month", "kEUR"], ["North", "January", "310"], ["", "February", "298"]];
    let cells = [&cells[..], &[["South", "January", "505"], ["", "February", "512"], ["", "March", "1"]]].concat();
    let rows: String = (1..)
        .zip(&cells)
        .map(|(row, [a, b, c])| {
            let cell = |column: &str, text: &str| match text {
                "" => format!("<c r=\"{column}{row}\" s=\"2\"/>"),
                _ => format!("<c r=\"{column}{row}\" t=\"str\"><v>{text}</v></c>"),
            };
            format!("<row r=\"{row}\">{}{}{}</row>", cell("A", a), cell("B", b), cell("C", c))
        })
        .collect();
    let merges = "<mergeCells><mergeCell ref=\"A2:A3\"/><mergeCell ref=\"A4:A5\"></mergeCell><mergeCell ref=\"?\"/></mergeCells>";
    let files = [
        ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"r1\"/></sheets></workbook>".to_owned()),
        (
            "xl/_rels/workbook.xml.rels",
            "<R><Relationship Id=\"r1\" Type=\"t/worksheet\" Target=\"s.xml\"/></R>".to_owned(),
        ),
        ("xl/s.xml", format!("<worksheet><sheetData>{rows}</sheetData>{merges}</worksheet>")),
    ];
    let read = text(Format::Xlsx, &files.each_ref().map(|(name, content)| (*name, content.as_str())));
    assert_eq!(read.trim_start_matches("## S\n\n"), expected);

    let rows: String = cells
        .iter()
        .map(|[a, b, c]| {
            let cell = |text: &str| match text {
                "" => "<table:covered-table-cell/>".to_owned(),
                "North" | "South" => format!(
                    "<table:table-cell table:number-rows-spanned=\"2\"><text:p>{text}</text:p></table:table-cell>"
                ),
                _ => format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>"),
            };
            format!("<table:table-row>{}{}{}</table:table-row>", cell(a), cell(b), cell(c))
        })
        .collect();
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"S\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let read = text(Format::Ods, &[("content.xml", &content)]);
    assert_eq!(read.trim_start_matches("## S\n\n"), expected);
}

/// Whatever a file says of its cells, the text stays near its size.
#[test]
fn spans_of_a_hostile_file_are_bounded() {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
    };
    let wide = cell("<w:gridSpan w:val=\"4294967295\"/>", "a").repeat(100);
    let long = format!("<w:tr>{}</w:tr>", cell("", &"long ".repeat(10_000)));
    let rows = format!("<w:tr>{}{}</w:tr>", cell("<w:vMerge/>", ""), cell("", "b")).repeat(20_000);
    let read = docx(&format!("<w:tbl><w:tr>{wide}</w:tr>{long}{rows}</w:tbl>"));
    assert!(read.len() <= crate::core::base::limits::EXTRACT_BYTES + 1_000, "{}", read.len());
}

/// LB-01: what stands alone above the head of a sheet is said of all rows, and is no head.
#[test]
fn lb_01_titles_above_a_table_are_headings() {
    for (file, expected) in [
        (
            "Depths of ships\n\nship;depth\nKea;3\n",
            "## Depths of ships\n\n| ship | depth |\n| --- | --- |\n| Kea | 3 |",
        ),
        (
            "Depths,,\nin metres,,\nship,depth,\nKea,3,\n",
            "## Depths\n\n## in metres\n\n| ship | depth |  |\n| --- | --- | --- |\n| Kea | 3 |  |",
        ),
        ("ship,depth\nKea,3\n", "| ship | depth |\n| --- | --- |\n| Kea | 3 |"),
        (
            "port,spring,,autumn,\n,ordered,delivered,ordered,delivered\nNarvik,1,2,3,4\n",
            "| port | spring ordered | spring delivered | autumn ordered | autumn delivered |\n| --- | --- | --- | --- | --- |\n\
             | Narvik | 1 | 2 | 3 | 4 |",
        ),
        ("port,spring,\nNarvik,low,high\n", "| port | spring |  |\n| --- | --- | --- |\n| Narvik | low | high |"),
        ("port,spring,\n,1,2\n", "| port | spring |  |\n| --- | --- | --- |\n|  | 1 | 2 |"),
        ("ships\nKea\nMoa\n", "| ships |\n| --- |\n| Kea |\n| Moa |"),
        ("a\nb\nc\nd\ne,f\n", "| a |\n| --- |\n| b |\n| c |\n| d |\n| e | f |"),
    ] {
        let read = extract(Format::Csv, file.as_bytes().to_vec()).unwrap();
        assert_eq!(read.text.trim_end(), expected, "{file}");
    }
    let files = [
        ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"r1\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", "<R><Relationship Id=\"r1\" Type=\"t/worksheet\" Target=\"s.xml\"/></R>"),
        (
            "xl/s.xml",
            "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"str\"><v>Depths</v></c></row>\
             <row r=\"3\"><c r=\"A3\" t=\"str\"><v>ship</v></c><c r=\"B3\" t=\"str\"><v>depth</v></c></row>\
             <row r=\"4\"><c r=\"A4\" t=\"str\"><v>Kea</v></c><c r=\"B4\"><v>3</v></c></row></sheetData></worksheet>",
        ),
    ];
    assert_eq!(text(Format::Xlsx, &files), "## S\n\n### Depths\n\n| ship | depth |\n| --- | --- |\n| Kea | 3 |");
}

/// LB-01: a cell that reaches over a whole sheet is repeated no further than its bound.
#[test]
fn lb_01_repeated_cells_are_bounded() {
    const ROWS: usize = 20_000;
    let long = "x".repeat(1_000);
    let rows: String =
        (3..=ROWS).map(|row| format!("<row r=\"{row}\"><c r=\"B{row}\" t=\"str\"><v>{row}</v></c></row>")).collect();
    let cell = |at: &str, text: &str| format!("<c r=\"{at}\" t=\"str\"><v>{text}</v></c>");
    let first = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{}{}</row>",
        cell("A1", "of"),
        cell("B1", "n"),
        cell("A2", &long),
        cell("B2", "2")
    );
    let merges = format!("<mergeCells><mergeCell ref=\"A2:A{ROWS}\"/></mergeCells>");
    let files = [
        ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"r1\"/></sheets></workbook>".to_owned()),
        (
            "xl/_rels/workbook.xml.rels",
            "<R><Relationship Id=\"r1\" Type=\"t/worksheet\" Target=\"s.xml\"/></R>".to_owned(),
        ),
        ("xl/s.xml", format!("<worksheet><sheetData>{first}{rows}</sheetData>{merges}</worksheet>")),
    ];
    let read = text(Format::Xlsx, &files.each_ref().map(|(name, content)| (*name, content.as_str())));
    assert!(read.matches(&long).count() > 10, "it is repeated");
    assert!(read.len() < 1 << 20 && read.contains(&format!("{ROWS}")), "{} bytes", read.len());
}

/// LB-01: what was struck out is not read as if it held.
#[test]
fn lb_01_struck_out_text_of_office_files_stands_between_marks() {
    let run = |properties: &str, text: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>");
    for (runs, expected) in [
        ([run("", "is "), run("<w:strike/>", "30"), run("", " 45")], "is ~~30~~ 45"),
        ([run("", "is"), run("<w:dstrike w:val=\"true\"/>", " 30 "), run("", "45")], "is ~~30~~ 45"),
        ([run("<w:strike/>", "a "), run("<w:strike/>", "b"), run("<w:strike/>", " c")], "~~a~~ ~~b c~~"),
        ([run("<w:strike/>", "a"), run("<w:strike/>", " "), run("", "~~b")], "~~a~~ ~~b"),
        ([run("", "a~~"), run("<w:strike/>", "b"), run("", "")], "a~~~~b~~"),
        ([run("<w:strike w:val=\"0\"/>", "a"), run("<w:strike w:val=\"false\"/>", "b"), run("", "c")], "abc"),
    ] {
        // The mark of the paragraph is struck out, which is none of its text.
        let marked = "<w:pPr><w:rPr><w:strike/></w:rPr></w:pPr>";
        assert_eq!(docx(&format!("<w:p>{marked}{}</w:p>", runs.concat())), expected);
    }
    let run = |properties: &str, text: &str| format!("<a:r><a:rPr{properties}/><a:t>{text}</a:t></a:r>");
    let runs = [run("", "Fare "), run(" strike=\"sngStrike\"", "11"), run(" strike=\"noStrike\"", " 13")].concat();
    assert_eq!(pptx(&format!("<p:sp><p:txBody><a:p>{runs}</a:p></p:txBody></p:sp>")), "Fare ~~11~~ 13");
    let table = format!("<a:tbl><a:tr><a:tc><a:txBody><a:p>{runs}</a:p></a:txBody></a:tc></a:tr></a:tbl>");
    let read = pptx(&format!("<p:graphicFrame>{table}</p:graphicFrame>"));
    assert_eq!(read.lines().next(), Some("| Fare ~~11~~ 13 |"));
}

/// LB-01: the same of open documents, by the style of a span, a paragraph or a cell.
#[test]
fn lb_01_struck_out_text_of_open_documents_stands_between_marks() {
    let style = |name: &str, line: &str| {
        format!(
            "<style:style style:name=\"{name}\"><style:text-properties style:text-line-through-style=\"{line}\"/></style:style>"
        )
    };
    let styles =
        format!("<office:automatic-styles>{}{}</office:automatic-styles>", style("S", "solid"), style("N", "none"));
    let span = |style: &str, text: &str| format!("<text:span text:style-name=\"{style}\">{text}</text:span>");
    let said = format!("is {} <text:span>45</text:span>", span("S", "30"));
    let paragraphs =
        format!("<text:p>{said}</text:p><text:p text:style-name=\"S\">gone {} and gone</text:p>", span("N", "not"));
    let content = |body: &str| {
        format!("<office:document-content>{styles}<office:body>{body}</office:body></office:document-content>")
    };
    let read = text(Format::Odt, &[("content.xml", &content(&format!("<office:text>{paragraphs}</office:text>")))]);
    assert_eq!(read, "is ~~30~~ 45\n\n~~gone~~ not ~~and gone~~");

    let cell = |style: &str, value: &str, said: &str| {
        format!("<table:table-cell table:style-name=\"{style}\"{value}><text:p>{said}</text:p></table:table-cell>")
    };
    let cells = [
        cell("S", "", "9.90"),
        cell("S", " office:date-value=\"2026-11-03\"", "03/11/26"),
        cell("N", "", &format!("{} 12", span("S", "11"))),
    ];
    let table =
        format!("<table:table table:name=\"T\"><table:table-row>{}</table:table-row></table:table>", cells.concat());
    let body = format!("<office:spreadsheet>{table}</office:spreadsheet>");
    let read = text(Format::Ods, &[("content.xml", &content(&body))]);
    assert!(read.contains("| ~~9.90~~ | ~~2026-11-03~~ | ~~11~~ 12 |"), "{read}");
}

/// LB-01: the same of workbooks, by the font of a cell or of a part of its text.
#[test]
fn lb_01_struck_out_cells_stand_between_marks() {
    let styles = "<styleSheet><fonts><font><sz/></font><font><strike/></font><font><strike val=\"0\"/></font></fonts>\
        <cellXfs><xf fontId=\"0\"/><xf fontId=\"1\"/><xf fontId=\"2\"/></cellXfs></styleSheet>";
    let rich = "<r><rPr><strike/></rPr><t>11</t></r><r><t> 12</t></r>";
    let shared = format!("<sst><si>{rich}</si><si><t>plain</t></si></sst>");
    let row = format!(
        "<c s=\"1\"><v>9.5</v></c><c s=\"2\"><v>8</v></c><c t=\"s\"><v>0</v></c><c t=\"s\" s=\"1\"><v>1</v></c>\
         <c t=\"inlineStr\"><is>{rich}</is></c><c><v>7</v></c>"
    );
    let files = [
        ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"r1\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", "<R><Relationship Id=\"r1\" Type=\"t/worksheet\" Target=\"s.xml\"/></R>"),
        ("xl/styles.xml", styles),
        ("xl/sharedStrings.xml", &shared),
        ("xl/s.xml", &format!("<worksheet><sheetData><row>{row}</row></sheetData></worksheet>")),
    ];
    let read = text(Format::Xlsx, &files);
    assert!(read.contains("| ~~9.5~~ | 8 | ~~11~~ 12 | ~~plain~~ | ~~11~~ 12 | 7 |"), "{read}");
}

/// LB-01: what was moved is read where it stands now.
#[test]
fn lb_01_moved_text_is_read_once() {
    let run = "<w:r><w:t>Closed at night.</w:t></w:r>";
    let body = format!(
        "<w:p><w:pPr><w:rPr><w:moveFrom w:id=\"1\"/></w:rPr></w:pPr><w:moveFrom w:id=\"2\">{run}</w:moveFrom></w:p>\
         <w:p><w:r><w:t>Summer.</w:t></w:r></w:p><w:p><w:moveTo w:id=\"3\">{run}</w:moveTo></w:p>"
    );
    assert_eq!(docx(&body), "Summer.\n\nClosed at night.");
}

/// LB-01: a day of a sheet is the day that the file says, not the way in which it is shown.
#[test]
fn lb_01_days_of_open_sheets_are_days() {
    let cell = |value: &str, text: &str| {
        format!(
            "<table:table-cell office:value-type=\"date\" office:date-value=\"{value}\"><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let row = |cells: &str| format!("<table:table-row>{cells}</table:table-row>");
    let plain = "<table:table-cell><text:p>03/05/24</text:p></table:table-cell>";
    let rows = [
        row("<table:table-cell><text:p>Born</text:p></table:table-cell>"),
        row(&cell("2024-03-05", "03/05/24")),
        row(&cell("2024-03-05T10:30:00", "x")),
        row(&cell("2024-03-05T10:30:07", "x")),
        row(&cell("2024-03-05T00:00:00", "x")),
        row(&cell("soon", "in May")),
        row(plain),
    ];
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"S\">{}</table:table></office:spreadsheet></office:body></office:document-content>",
        rows.concat()
    );
    let expected = "## S\n\n| Born |\n| --- |\n| 2024-03-05 |\n| 2024-03-05 10:30 |\n| 2024-03-05 10:30:07 |\n\
                    | 2024-03-05 |\n| in May |\n| 03/05/24 |";
    assert_eq!(text(Format::Ods, &[("content.xml", &content)]), expected);
}

/// LB-01: tables of one sheet have each their head.
#[test]
fn lb_01_a_head_below_empty_rows_begins_a_table() {
    let sheet = |rows: &[(u32, &str, &str)]| {
        let cell = |column: &str, row: u32, text: &str| match text {
            "" => String::new(),
            _ => format!("<c r=\"{column}{row}\" t=\"str\"><v>{text}</v></c>"),
        };
        let row = |(row, a, b): &(u32, &str, &str)| {
            format!("<row r=\"{row}\">{}{}</row>", cell("A", *row, a), cell("B", *row, b))
        };
        let rows: String = rows.iter().map(row).collect();
        let files = [
            ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"r1\"/></sheets></workbook>"),
            ("xl/_rels/workbook.xml.rels", "<R><Relationship Id=\"r1\" Type=\"t/worksheet\" Target=\"s.xml\"/></R>"),
            ("xl/s.xml", &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
        ];
        text(Format::Xlsx, &files).trim_start_matches("## S\n\n").to_owned()
    };
    let first = "| Dept | Head |\n| --- | --- |\n| Finance | Plum |";
    let above = [(1, "Dept", "Head"), (2, "Finance", "Plum")];
    for (below, expected) in [
        (
            vec![(5, "Room", "Seats"), (6, "Aquarium", "14"), (7, "Terrarium", "6")],
            "\n\n| Room | Seats |\n| --- | --- |\n| Aquarium | 14 |\n| Terrarium | 6 |",
        ),
        (
            vec![(4, "Rooms", ""), (5, "Room", "Seats"), (6, "Aquarium", "14")],
            "\n\n### Rooms\n\n| Room | Seats |\n| --- | --- |\n| Aquarium | 14 |",
        ),
        // A group of the same table, and rows without a gap.
        (vec![(4, "Sales", "Rose"), (5, "Law", "Gray")], "\n| Sales | Rose |\n| Law | Gray |"),
        (vec![(3, "Room", "Seats"), (4, "Aquarium", "14")], "\n| Room | Seats |\n| Aquarium | 14 |"),
        (vec![(4, "Room", "Seats"), (6, "Aquarium", "14")], "\n| Room | Seats |\n| Aquarium | 14 |"),
        (vec![(4, "Room", "2"), (5, "Aquarium", "14")], "\n| Room | 2 |\n| Aquarium | 14 |"),
    ] {
        assert_eq!(sheet(&[&above[..], &below].concat()), format!("{first}{expected}"), "{below:?}");
    }
}

/// LB-01: what the head of a file says of it can be found; its lines are those of the file.
#[test]
fn lb_01_front_matter_is_read() {
    let file = "---\ntitle: Walnut guide\nauthor: Zelda Fitz\nstatus: superseded\n---\n\n# Doc\n\nBody text.\n";
    let document = extract(Format::Markdown, file.as_bytes().to_vec()).unwrap();
    assert_eq!(
        super::shown(&document),
        "title: Walnut guide\n[lines 2–4]\n    title: Walnut guide\n    author: Zelda Fitz\n    status: superseded\n\
         [line 9] Doc\n    Body text.\n"
    );
}

/// LB-01: where the head of a table is long, as the questions of a survey are, each row says what its cells are.
#[test]
fn lb_01_rows_below_a_long_head_are_records() {
    let question = |at: usize| format!("How content are you with the {at}th of the rooms of our house?");
    let head: Vec<String> = (1..15).map(question).collect();
    let row = |name: &str, cell: &str| format!("{name},{}\n", [cell; 14].join(","));
    let file = format!("Guest,{}\n{}{}", head.join(","), row("Alva", "very"), row("Bo", ""));
    let read = super::shown(&extract(Format::Csv, file.as_bytes().to_vec()).unwrap());
    let items: String = (1..15).map(|at| format!("    - {} very\n", question(at))).collect();
    assert_eq!(read, format!("title: -\n[line 2] Alva\n    - Guest: Alva\n{items}[line 3] Bo\n    - Guest: Bo\n"));
}

/// LB-01: a heading is the title of what stands below it, and of no other part.
#[test]
fn lb_01_the_first_of_several_headings_is_no_title() {
    for (format, file, title) in [
        (Format::Markdown, "# B200\n\n3 kg\n\n# A100\n\n2 kg\n", None),
        (Format::Markdown, "## B200\n\n3 kg\n\n# A100\n\n2 kg\n", None),
        (Format::Markdown, "# Scales\n\n## B200\n\n3 kg\n\n## A100\n\n2 kg\n", Some("Scales")),
        (Format::Markdown, "# Scales\n\n3 kg\n\n# Scales\n\n2 kg\n", Some("Scales")),
        (Format::Org, "* B200\n3 kg\n* A100\n2 kg\n", None),
        (Format::Html, "<title>Scales</title><h1>B200</h1><p>3 kg</p><h1>A100</h1><p>2 kg</p>", Some("Scales")),
    ] {
        let document = extract(format, file.as_bytes().to_vec()).unwrap();
        assert_eq!(document.title.as_deref(), title, "{file}");
    }
}

/// LB-01: letters that data and TeX write in their own way.
#[test]
fn lb_01_letters_of_data_and_tex_are_read() {
    for (format, file, expected) in [
        (Format::Json, "{\n \"city\": \"K\\u00f6ln\"\n}\n", "{\n \"city\": \"Köln\"\n}\n"),
        (Format::Settings, "greeting=Gr\\u00fc\\u00dfe\n", "greeting=Grüße\n"),
        (Format::Tex, "Schr\\\"odinger.\n", "Schrödinger.\n"),
        (Format::Code, "x = \"\\u00f6\"\n", "x = \"\\u00f6\"\n"),
    ] {
        assert_eq!(extract(format, file.as_bytes().to_vec()).unwrap().text, expected);
    }
}

/// LB-01: notes that were typed below an office text stand where the text refers to them.
#[test]
fn lb_01_typed_notes_of_office_files_stand_where_they_are_referred_to() {
    let said = ["The fee is 40 EUR*) a month.", "It is due on the 3rd.", "*) Without the cellar."];
    let want = "The fee is 40 EUR [*: Without the cellar.] a month.\n\nIt is due on the 3rd.";
    let paragraphs = |tag: &str, open: &str, close: &str| -> String {
        said.iter().map(|line| format!("<{tag}>{open}{line}{close}</{tag}>")).collect()
    };
    let body = paragraphs("w:p", "<w:r><w:t xml:space=\"preserve\">", "</w:t></w:r>");
    assert_eq!(docx(&body).trim(), want);
    let content = format!(
        "<office:document-content><office:body><office:text>{}</office:text></office:body></office:document-content>",
        paragraphs("text:p", "", "")
    );
    assert_eq!(text(Format::Odt, &[("content.xml", &content)]).trim(), want);
    let rtf = format!("{{\\rtf1\\ansi {}}}", said.map(|line| format!("{line}\\par ")).concat());
    assert_eq!(extract(Format::Rtf, rtf.into_bytes()).unwrap().text.trim(), want);
}
