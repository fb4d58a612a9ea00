//! What programs do not show of office files, and signs, formulas and notes as they do.

use super::beside::{document, lines, relation, said};
use crate::core::text::{Format, extract};

const DOCUMENT: &str = "word/document.xml";

/// LB-01: what is hidden or deleted is not read, whether it says so itself or its style does.
#[test]
fn lb_01_hidden_text_of_word_is_not_read() {
    let run = |properties: &str, text: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>");
    let p = |properties: &str, text: &str| format!("<w:p><w:pPr>{properties}</w:pPr>{text}</w:p>");
    let vanish = |set: &str| format!("<w:vanish w:val=\"{set}\"/>");
    let style = |kind: &str, name: &str| format!("<w:{kind} w:val=\"{name}\"/>");
    let note = "<w:footnoteReference w:id=\"2\"/>";
    let cases = [
        (run("", "seen ") + &run("<w:vanish/>", "not seen ") + &run("", "again"), "", "seen again"),
        (run(&vanish("0"), "seen") + &run(&vanish("1"), "not"), "", "seen"),
        (run(&style("rStyle", "Secret"), "not ") + &run("", "seen"), "", "seen"),
        (run(&format!("{}{}", style("rStyle", "Secret"), vanish("false")), "seen"), "", "seen"),
        (run("", "not") + &run(&vanish("off"), "seen"), "<w:pStyle w:val=\"Own\"/>", "seen"),
        // The end of the paragraph is hidden, and its text is not.
        (run("", "seen"), "<w:rPr><w:vanish/></w:rPr>", "seen"),
        (format!("{}<w:r><w:rPr><w:vanish/></w:rPr><w:tab/>{note}</w:r>", run("", "seen")), "", "seen"),
        (format!("{}<w:del><w:r><w:delText>x</w:delText><w:tab/>{note}</w:r></w:del>", run("", "seen")), "", "seen"),
        (run("<w:webHidden/>", "seen"), "", "seen"),
    ];
    let styles = "<w:style w:styleId=\"Secret\"><w:rPr><w:vanish/></w:rPr></w:style>\
        <w:style w:styleId=\"Own\"><w:basedOn w:val=\"Secret\"/></w:style>";
    let notes = format!("<w:footnote w:id=\"2\"><w:p>{}</w:p></w:footnote>", said("not"));
    for (text, properties, expected) in cases {
        let text = p(properties, &text);
        let read =
            document(Format::Docx, &[(DOCUMENT, &text), ("word/styles.xml", styles), ("word/footnotes.xml", &notes)]);
        assert_eq!(read.text, expected, "{text}");
    }
    let header = format!("<w:p>{}{}</w:p>", run("<w:vanish/>", "Not"), run("", "Seen"));
    let parts = [
        (DOCUMENT, "<w:p/>"),
        ("word/_rels/document.xml.rels", &relation("a", "header", "h.xml")),
        ("word/h.xml", &header),
    ];
    assert_eq!(document(Format::Docx, &parts).text, "Header: Seen");
}

#[test]
fn lb_01_hidden_paragraphs_of_word_have_no_number() {
    let level =
        "<w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl>";
    let lists = format!(
        "<w:abstractNum w:abstractNumId=\"1\">{level}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"1\"/></w:num>"
    );
    let item = |hidden: &str, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:rPr>{hidden}</w:rPr></w:pPr><w:r><w:rPr>{hidden}</w:rPr><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let text = item("", "one") + &item("<w:vanish/>", "not") + &item("", "two");
    let read = document(Format::Docx, &[(DOCUMENT, &text), ("word/numbering.xml", &lists)]);
    assert_eq!(read.text, "1. one\n2. two");
}

/// LB-01: the same of open documents.
#[test]
fn lb_01_hidden_text_of_open_documents_is_not_read() {
    let style = |name: &str, base: &str, properties: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:parent-style-name=\"{base}\"><style:text-properties {properties}/></style:style>"
        )
    };
    let hidden = "text:display=\"none\"";
    let common = format!("<office:styles>{}</office:styles>{}", style("Secret", "", hidden), style("T1", "", hidden));
    let automatic =
        [style("T1", "", ""), style("T2", "Secret", ""), style("T3", "T2", "text:display=\"true\"")].concat();
    let span = |style: &str, text: &str| format!("<text:span text:style-name=\"{style}\">{text}</text:span>");
    let note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body></text:note>";
    for (text, expected) in [
        ("<text:p>seen ".to_owned() + &span("T2", "not<text:tab/>") + "again</text:p>", "seen again"),
        (format!("<text:p>{}{}</text:p>", span("T1", "seen"), span("Secret", note)), "seen"),
        (format!("<text:p>{}</text:p>", span("T2", &format!("not{}", span("T3", "seen")))), "seen"),
        ("<text:p text:style-name=\"T2\">not</text:p><text:p>seen</text:p>".to_owned(), "seen"),
        (
            "<text:section text:display=\"none\"><text:p>not</text:p></text:section><text:p>seen</text:p>".to_owned(),
            "seen",
        ),
        ("<text:section text:display=\"true\"><text:p>seen</text:p></text:section>".to_owned(), "seen"),
        (
            "<text:p>not<text:hidden-paragraph text:is-hidden=\"true\"/>not</text:p><text:p>seen</text:p>".to_owned(),
            "seen",
        ),
        ("<text:p>seen<text:hidden-text text:is-hidden=\"true\">not</text:hidden-text></text:p>".to_owned(), "seen"),
    ] {
        let content =
            format!("<office:automatic-styles>{automatic}</office:automatic-styles><office:text>{text}</office:text>");
        let read = document(Format::Odt, &[("content.xml", &content), ("styles.xml", &common)]);
        assert_eq!(read.text, expected, "{text}");
    }
}

/// LB-01: sheets and slides that are not shown are read, and say so.
#[test]
fn lb_01_hidden_sheets_and_slides_say_so() {
    let targets = relation("a", "worksheet", "a.xml") + &relation("b", "worksheet", "b.xml");
    let list = "<sheet name=\"A\" r:id=\"a\"/><sheet name=\"B\" state=\"veryHidden\" r:id=\"b\"/>";
    let sheet = "<sheetData><row><c t=\"str\"><v>x</v></c></row></sheetData>";
    let parts =
        [("xl/workbook.xml", list), ("xl/_rels/workbook.xml.rels", &targets), ("xl/a.xml", sheet), ("xl/b.xml", sheet)];
    let read = document(Format::Xlsx, &parts);
    let headings: Vec<&str> = lines(&read).into_iter().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["## A", "## B (hidden sheet)"]);
    assert_eq!(read.passages.last().unwrap().lines.to_string(), "B!A1");

    let style = "<office:automatic-styles><style:style style:name=\"ta2\"><style:table-properties table:display=\"false\"/></style:style>\
        <style:style style:name=\"dp2\"><style:drawing-page-properties presentation:visibility=\"hidden\"/></style:style></office:automatic-styles>";
    let row = "<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>";
    let sheet = format!("{style}<table:table table:name=\"S\" table:style-name=\"ta2\">{row}</table:table>");
    assert_eq!(lines(&document(Format::Ods, &[("content.xml", &sheet)]))[0], "## S (hidden sheet)");
    let title = "<draw:frame presentation:class=\"title\"><text:p>Plan</text:p></draw:frame>";
    let notes = "<presentation:notes><draw:frame><text:p><text:page-number>&lt;number&gt;</text:page-number></text:p></draw:frame></presentation:notes>";
    let slide =
        format!("{style}<draw:page draw:style-name=\"dp2\">{title}{notes}</draw:page><draw:page>{title}</draw:page>");
    assert_eq!(lines(&document(Format::Odp, &[("content.xml", &slide)])), ["## Hidden slide", "### Plan", "## Plan"]);

    let slide = |show: &str| {
        format!("<?xml?><p:sld {show}><p:sp><p:ph type=\"title\"/><a:p><a:t>Plan</a:t></a:p></p:sp></p:sld>")
    };
    let parts = [
        ("ppt/presentation.xml", "<p:sldId r:id=\"a\"/><p:sldId r:id=\"b\"/>"),
        ("ppt/_rels/presentation.xml.rels", &(relation("a", "slide", "a.xml") + &relation("b", "slide", "b.xml"))),
        ("ppt/a.xml", &slide("show=\"0\"")),
        ("ppt/b.xml", &slide("")),
    ];
    assert_eq!(lines(&document(Format::Pptx, &parts)), ["## Hidden slide", "### Plan", "## Plan"]);
}

/// LB-01: signs of other fonts, formulas and the numbers of notes are what a reader sees.
#[test]
fn lb_01_signs_formulas_and_notes_of_word_are_those_that_are_printed() {
    let sign = |font: &str, number: &str| format!("<w:r><w:sym w:font=\"{font}\" w:char=\"{number}\"/></w:r>");
    let math = "<m:oMathPara><m:oMath><m:r><m:t>F=</m:t></m:r><m:f><m:num><m:r><m:t>P</m:t></m:r></m:num><m:den><m:r><m:t>v</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara>";
    let reference = |kind: &str, id: u32| format!("<w:r><w:{kind}Reference w:id=\"{id}\"/></w:r>");
    let text = [
        format!("<w:p>{}{}{}{}</w:p>", said("At 40 "), sign("Symbol", "F0B0"), said("C, "), sign("Symbol", "F061")),
        format!("<w:p>{}{math}{}</w:p>", said("Pull: "), said("!")),
        format!(
            "<w:p>{}{}{}{}</w:p>",
            reference("footnote", 3),
            reference("endnote", 2),
            reference("footnote", 2),
            reference("footnote", 3)
        ),
    ];
    let note =
        |kind: &str, id: u32, text: &str| format!("<w:{kind} w:id=\"{id}\"><w:p>{}</w:p></w:{kind}>", said(text));
    let footnotes = note("footnote", 2, "second") + &note("footnote", 3, "first") + &note("footnote", 9, "of nothing");
    let parts = [
        (DOCUMENT, &*text.concat()),
        ("word/footnotes.xml", &footnotes),
        ("word/endnotes.xml", &note("endnote", 2, "at the end")),
    ];
    let expected = ["At 40 °C, α", "Pull: F=P/v!", "[1: first] [i: at the end] [2: second] [1: first]"];
    assert_eq!(lines(&document(Format::Docx, &parts)), expected);
    let slide = format!("<p:sp><a:p><a:r><a:t>Pull: </a:t></a:r>{math}</a:p></p:sp>");
    let parts = [
        ("ppt/presentation.xml", "<p:sldId r:id=\"a\"/>"),
        ("ppt/_rels/presentation.xml.rels", &relation("a", "slide", "a.xml")),
        ("ppt/a.xml", &slide),
    ];
    assert_eq!(document(Format::Pptx, &parts).text, "Pull: F=P/v");
}

/// LB-01: the table of contents says again what headings say; it is counted and not read.
#[test]
fn lb_01_tables_of_contents_of_office_texts_are_not_read() {
    let p = |style: &str, text: &str| format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{}</w:p>", said(text));
    let styles = "<w:style w:styleId=\"TOC1\"><w:name w:val=\"toc 1\"/></w:style><w:style w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style>";
    let text = p("TOC1", "1 Crew 2") + &p("H", "Crew") + &p("", "Two.");
    let of_word = document(Format::Docx, &[(DOCUMENT, &text), ("word/styles.xml", styles)]);
    let style = "<style:style style:name=\"P1\" style:parent-style-name=\"Contents_20_1\"/>";
    let text = "<text:p text:style-name=\"P1\">1 Crew<text:tab/>2</text:p><text:h>Crew</text:h><text:p>Two.</text:p>";
    let content = format!("<office:automatic-styles>{style}</office:automatic-styles>{text}");
    let open = document(Format::Odt, &[("content.xml", &content)]);
    let rtf = "{\\rtf1{\\stylesheet{\\s1 toc 1;}{\\s2 heading 1;}}\\pard\\s1 1 Crew 2\\par\\pard\\s2 Crew\\par\\pard Two.\\par}";
    let rtf = extract(Format::Rtf, rtf.as_bytes().to_vec()).unwrap();
    for read in [of_word, open, rtf] {
        assert_eq!(lines(&read), ["# Crew", "Two."]);
        assert_eq!(read.passages[0].lines.to_string(), "paragraph 3");
    }
}

/// LB-01: a cell of an open text that reaches down is said in each of its rows.
#[test]
fn lb_01_cells_of_open_texts_that_reach_down_are_said_in_each_row() {
    let cell = |more: &str, text: &str| format!("<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>");
    let covered = "<table:covered-table-cell/>".to_owned();
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let (down, over) = ("table:number-rows-spanned=\"2\"", "table:number-columns-spanned=\"2\"");
    let table = [
        row(&[cell("", "Vehicle"), cell("", "Season"), cell("", "Fee")]),
        row(&[cell(down, "Car"), cell("", "Summer"), cell("", "3.00")]),
        row(&[covered.clone(), cell("", "Winter"), cell("", "5.00")]),
        row(&[cell(over, "Bus"), covered.clone(), cell(down, "9.00")]),
        row(&[cell("", "Van"), cell("", "Winter"), covered]),
    ];
    let read = document(Format::Odt, &[("content.xml", &format!("<table:table>{}</table:table>", table.concat()))]);
    let expected =
        ["| Car | Summer | 3.00 |", "| Car | Winter | 5.00 |", "| Bus |  | 9.00 |", "| Van | Winter | 9.00 |"];
    assert_eq!(lines(&read).get(2..), Some(&expected[..]), "{}", read.text);
}

/// LB-01: a remark is read to its end, and stands behind what it is on, whether or not it says where that ends.
#[test]
fn lb_01_remarks_stand_where_they_were_made() {
    let long = "so it is said ".repeat(40) + "to the end";
    let note = format!(
        "<office:annotation office:name=\"n1\"><dc:creator>Ann</dc:creator><text:p>{long}</text:p></office:annotation>"
    );
    let text = format!("<text:p>First{note}.</text:p>{}", "<text:p>More.</text:p>".repeat(30));
    for (content, about) in [
        (text.clone(), "First"),
        (text.replace("<text:p>First", "<text:p><office:annotation-end office:name=\"n2\"/>First"), "First"),
        (text.replacen(".</text:p>", " one<office:annotation-end office:name=\"n1\"/>.</text:p>", 1), "one"),
    ] {
        let read = document(Format::Odt, &[("content.xml", &content)]);
        assert_eq!(lines(&read)[1], format!("Comment by Ann on \"{about}\": {long}"));
    }
}

/// LB-01: the title of an office text stands above its headings of the first level, and is the title of the document.
#[test]
fn lb_01_the_title_of_an_office_text_stands_above_all_its_sections() {
    let word = |style: &str, text: &str| {
        format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#)
    };
    let all = [("T", "Lease"), ("N", "Made in May."), ("H1", "4. Term"), ("H2", "4.1 End"), ("N", "It ends in June.")];
    let body: String = all.iter().map(|(style, text)| word(style, text)).collect();
    let styles = r#"<w:styles><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>"#;
    let text = format!("<w:document><w:body>{body}</w:body></w:document>");
    let docx = document(Format::Docx, &[("word/document.xml", &text), ("word/styles.xml", styles)]);
    let styles = r#"<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/></office:automatic-styles>"#;
    let odt = format!(
        r#"<office:document-content>{styles}<office:body><office:text><text:p text:style-name="P1">Lease</text:p><text:p>Made in May.</text:p><text:h text:outline-level="1">4. Term</text:h><text:h text:outline-level="2">4.1 End</text:h><text:p>It ends in June.</text:p></office:text></office:body></office:document-content>"#
    );
    let odt = document(Format::Odt, &[("content.xml", &odt)]);
    let rtf = "{\\rtf1{\\stylesheet{\\s1 heading 1;}{\\s2 heading 2;}{\\s3 Title;}}\\pard\\s3 Lease\\par\\pard Made in May.\\par\\pard\\s1 4. Term\\par\\pard\\s2 4.1 End\\par\\pard It ends in June.\\par}";
    let rtf = extract(Format::Rtf, rtf.as_bytes().to_vec()).unwrap();
    for document in [docx, odt, rtf] {
        let above: Vec<String> = document.passages.iter().map(|piece| piece.headings.join(" > ")).collect();
        assert_eq!(above, ["Lease", "Lease > 4. Term > 4.1 End"], "{}", document.text);
        assert_eq!(document.title.as_deref(), Some("Lease"), "{}", document.text);
    }
}
