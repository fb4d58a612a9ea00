//! Numbers as office programs print them: what LibreOffice and Word show for the same lists.

use super::numerals::Numeral;
use crate::core::base::limits;
use crate::core::text::kinds::tests::archive;
use crate::core::text::{Format, extract};

/// The text of an office file with these parts, a block in a line.
fn read(format: Format, parts: &[(&str, &str)]) -> Vec<String> {
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let text = extract(format, archive(&parts, true)).unwrap().text;
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn numbers_are_written_as_lists_write_them() {
    let rows: [(Numeral, &[(u32, &str)]); 7] = [
        (Numeral::of_word("decimal"), &[(0, "0"), (12, "12")]),
        (Numeral::of_word("decimalZero"), &[(7, "07"), (112, "112")]),
        (Numeral::of_word("ordinal"), &[(1, "1st"), (12, "12th"), (22, "22nd"), (103, "103rd")]),
        (
            Numeral::of_word("lowerLetter"),
            &[(0, "0"), (1, "a"), (26, "z"), (27, "aa"), (28, "bb"), (53, "aaa"), (u32::MAX, "4294967295")],
        ),
        (Numeral::of_open("A", false), &[(1, "A"), (26, "Z"), (27, "AA"), (28, "AB"), (703, "AAA")]),
        (Numeral::of_word("upperRoman"), &[(4, "IV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX"), (4000, "4000")]),
        (Numeral::of_word("none"), &[(4, "")]),
    ];
    for (numeral, numbers) in rows {
        for (number, expected) in numbers {
            assert_eq!(numeral.written(*number), *expected, "{numeral:?} {number}");
        }
    }
}

/// A level of a Word list: its form, its text and what else it says.
fn level(at: usize, form: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{form}\"/>{more}<w:lvlText w:val=\"{text}\"/></w:lvl>"
    )
}

fn list(id: u32, levels: &[String], more: &str) -> String {
    format!("<w:abstractNum w:abstractNumId=\"{id}\">{more}{}</w:abstractNum>", levels.concat())
}

fn num(id: u32, list: u32, more: &str) -> String {
    format!("<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{list}\"/>{more}</w:num>")
}

fn listed(num: u32, level: usize, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{num}\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[test]
fn lb_01_numbers_of_word_lists_stand_before_their_paragraphs() {
    let contract = [
        level(0, "decimal", "%1.", ""),
        level(1, "decimal", "%1.%2", ""),
        level(2, "lowerLetter", "(%3)", ""),
        level(3, "lowerRoman", "(%4)", ""),
    ];
    let odd = [
        level(0, "upperRoman", "Article %1", ""),
        level(1, "decimal", "%1.%2", "<w:isLgl/>"),
        level(2, "decimal", "%3)", "<w:lvlRestart w:val=\"0\"/>"),
        level(3, "decimal", "%4.", "<w:lvlRestart w:val=\"1\"/>"),
        level(4, "none", "", ""),
        level(5, "bullet", "*", ""),
        level(6, "decimal", "100% of %7 ", ""),
    ];
    let start = "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"7\"/></w:lvlOverride>";
    let own = format!("<w:lvlOverride w:ilvl=\"0\">{}</w:lvlOverride>", level(0, "upperLetter", "%1)", ""));
    let lists = [
        list(1, &contract, ""),
        list(2, &odd, ""),
        num(1, 1, ""),
        num(2, 2, ""),
        num(3, 1, ""),
        num(4, 1, start),
        num(5, 1, &own),
    ];
    let rows = [
        (1, 0, "Fees", "1. Fees"),
        (1, 1, "Due", "1.1 Due"),
        (1, 1, "May rise:", "1.2 May rise:"),
        (1, 2, "yearly", "(a) yearly"),
        (1, 3, "in May", "  (i) in May"),
        (1, 3, "in June", "  (ii) in June"),
        (1, 2, "by post", "(b) by post"),
        (1, 1, "Late", "1.3 Late"),
        (1, 2, "anew", "(a) anew"),
        // Nums of one list go on with each other, unless they say where they start.
        (3, 0, "Other", "2. Other"),
        (4, 0, "Seven", "7. Seven"),
        (4, 1, "Below", "7.1 Below"),
        (4, 0, "Eight", "8. Eight"),
        (5, 0, "Letter", "I) Letter"),
        (1, 0, "Back", "10. Back"),
        (2, 0, "One", "Article I One"),
        (2, 1, "Legal", "1.1 Legal"),
        (2, 2, "Goes on", "1) Goes on"),
        (2, 3, "Rests", "  1. Rests"),
        (2, 1, "Legal", "1.2 Legal"),
        (2, 2, "Goes on", "2) Goes on"),
        (2, 3, "Rests", "  2. Rests"),
        (2, 0, "Two", "Article II Two"),
        (2, 3, "Rests", "  1. Rests"),
        (2, 4, "Silent", "Silent"),
        (2, 5, "Dot", "          - Dot"),
        (2, 6, "Per cent", "100% of 1 Per cent"),
        (0, 0, "Out", "Out"),
        (9, 1, "Unknown", "  - Unknown"),
    ];
    let text: String = rows.iter().map(|(num, at, text, _)| listed(*num, *at, text)).collect();
    let found = read(
        Format::Docx,
        &[
            ("word/document.xml", &format!("<w:document>{text}</w:document>")),
            ("word/numbering.xml", &format!("<w:numbering>{}</w:numbering>", lists.concat())),
        ],
    );
    let expected: Vec<&str> = rows.iter().map(|(.., expected)| *expected).collect();
    assert_eq!(found, expected);
}

#[test]
fn lb_01_styles_of_word_number_headings_and_clauses() {
    let levels = [
        level(0, "decimal", "%1", "<w:pStyle w:val=\"H1\"/>"),
        level(1, "decimal", "%1.%2", "<w:pStyle w:val=\"H2\"/>"),
        level(2, "decimal", "%1.%2.%3", "<w:pStyle w:val=\"Clause\"/>"),
    ];
    let lists = [
        list(1, &levels, "<w:styleLink w:val=\"Legal\"/>"),
        list(2, &[], "<w:numStyleLink w:val=\"Legal\"/>"),
        num(1, 1, ""),
        num(2, 2, ""),
    ];
    let style = |id: &str, name: &str, more: &str| {
        format!("<w:style w:styleId=\"{id}\"><w:name w:val=\"{name}\"/>{more}</w:style>")
    };
    let in_list = |more: &str| format!("<w:pPr><w:numPr>{more}</w:numPr></w:pPr>");
    let styles = [
        style("H1", "heading 1", &in_list("<w:numId w:val=\"1\"/>")),
        style("H2", "heading 2", &format!("<w:basedOn w:val=\"H1\"/>{}", in_list("<w:ilvl w:val=\"1\"/>"))),
        style("Clause", "Clause", &in_list("<w:numId w:val=\"1\"/>")),
        style("Small", "Small clause", "<w:basedOn w:val=\"Clause\"/>"),
        style("Plain", "Plain head", &format!("<w:basedOn w:val=\"H2\"/>{}", in_list("<w:numId w:val=\"0\"/>"))),
        style("Legal", "Legal", &in_list("<w:numId w:val=\"1\"/>")),
    ];
    let said = |style: &str, text: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let changed = "<w:p><w:pPr><w:pStyle w:val=\"Clause\"/><w:pPrChange><w:pPr><w:numPr><w:numId w:val=\"0\"/></w:numPr></w:pPr></w:pPrChange></w:pPr><w:r><w:t>Changed.</w:t></w:r></w:p>";
    let deleted = "<w:p><w:pPr><w:pStyle w:val=\"Clause\"/><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr><w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del></w:p>";
    let text = [
        said("H1", "Fees"),
        said("H2", "Rent"),
        said("Clause", "Due."),
        deleted.to_owned(),
        said("Small", "Late."),
        changed.to_owned(),
        said("Plain", "Note"),
        said("H2", "Deposit"),
        said("Clause", ""),
        said("Clause", "Paid."),
        listed(2, 0, "Linked"),
        format!("<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", said("Clause", "Cell"), said("X", "y")),
    ];
    let found = read(
        Format::Docx,
        &[
            ("word/document.xml", &text.concat()),
            ("word/numbering.xml", &lists.concat()),
            ("word/styles.xml", &styles.concat()),
        ],
    );
    let expected = [
        "# 1 Fees",
        "## 1.1 Rent",
        "1.1.1 Due.",
        "1.1.2 Late.",
        "1.1.3 Changed.",
        "## Note",
        "## 1.2 Deposit",
        // The empty one has a number, too.
        "1.2.2 Paid.",
        "2 Linked",
        "| 2.1.1 Cell | y |",
        "| --- | --- |",
    ];
    assert_eq!(found, expected);
}

#[test]
fn lb_01_numbers_of_open_lists_and_headings_are_printed() {
    let number = |level: u32, form: &str, more: &str| {
        format!("<text:list-level-style-number text:level=\"{level}\" style:num-format=\"{form}\" {more}/>")
    };
    let list_style = |name: &str, levels: &[String]| {
        format!("<text:list-style style:name=\"{name}\">{}</text:list-style>", levels.concat())
    };
    let legal = [
        number(1, "1", "style:num-suffix=\".\""),
        number(2, "1", "text:display-levels=\"2\""),
        number(3, "a", "style:num-prefix=\"(\" style:num-suffix=\")\""),
        number(4, "1", "loext:num-list-format=\"%1%-%2%/%4%\""),
    ];
    let outline = "<text:outline-style><text:outline-level-style text:level=\"1\" style:num-format=\"I\"/>\
        <text:outline-level-style text:level=\"2\" style:num-format=\"\"/>\
        <text:outline-level-style text:level=\"3\" style:num-format=\"1\" text:display-levels=\"3\" style:num-suffix=\".\"/></text:outline-style>";
    let styles = format!("<office:styles>{}{outline}</office:styles>", list_style("Legal", &legal));
    let automatic = [
        list_style("Late", &[number(1, "1", "style:num-suffix=\")\" text:start-value=\"5\"")]),
        list_style("Dots", &["<text:list-level-style-bullet text:level=\"1\" text:bullet-char=\"x\"/>".to_owned()]),
        list_style("Upper", &[number(1, "A", "style:num-suffix=\")\"")]),
        "<style:style style:name=\"P9\" style:list-style-name=\"\"/>".to_owned(),
    ];
    let text = "<text:h text:outline-level=\"1\">Fees</text:h><text:h text:outline-level=\"2\">Rent</text:h><text:h text:outline-level=\"3\">Late</text:h>\
        <text:h text:outline-level=\"1\" text:is-list-header=\"true\">Between</text:h><text:h text:outline-level=\"1\" text:style-name=\"P9\">Apart</text:h><text:h text:outline-level=\"1\" text:start-value=\"5\">Notice</text:h>\
        <text:list xml:id=\"a\" text:style-name=\"Legal\"><text:list-header><text:p>Head</text:p></text:list-header><text:list-item><text:p>One</text:p><text:p>More</text:p><text:list><text:list-item><text:p>Sub</text:p>\
        <text:list><text:list-item><text:p>Letter</text:p><text:list><text:list-item><text:p>Deep</text:p></text:list-item></text:list></text:list-item></text:list></text:list-item></text:list></text:list-item></text:list>\
        <text:p>Text</text:p>\
        <text:list text:style-name=\"Legal\" text:continue-numbering=\"true\"><text:list-item><text:list><text:list-item><text:p>Sub two</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Two</text:p></text:list-item></text:list>\
        <text:list text:style-name=\"Late\"><text:list-item><text:p>Five</text:p></text:list-item><text:list-item text:start-value=\"9\"><text:p>Nine</text:p></text:list-item></text:list>\
        <text:list text:style-name=\"Dots\"><text:list-item><text:p>Dot</text:p></text:list-item></text:list>\
        <text:list text:continue-list=\"a\" text:style-name=\"Legal\"><text:list-item><text:p>Three</text:p></text:list-item><text:list-item text:style-override=\"Upper\"><text:p>Four</text:p></text:list-item></text:list>\
        <text:list text:style-name=\"Legal\"><text:list-item><text:p>Anew</text:p></text:list-item></text:list>";
    let content = format!(
        "<office:automatic-styles>{}</office:automatic-styles><office:text>{text}</office:text>",
        automatic.concat()
    );
    let expected = [
        "# I Fees",
        "## Rent",
        "### I.1. Late",
        "# Between",
        "# Apart",
        "# V Notice",
        "Head",
        "1. One",
        "More",
        "1.1 Sub",
        "(a) Letter",
        "1-1/1 Deep",
        "Text",
        "1.2 Sub two",
        "2. Two",
        "5) Five",
        "9) Nine",
        "- Dot",
        "3. Three",
        "D) Four",
        "1. Anew",
    ];
    assert_eq!(read(Format::Odt, &[("content.xml", &content), ("styles.xml", &styles)]), expected);
}

/// Lists that stand for each other in a ring, numbers without end, thousands of lists, lists inside lists: all are read within bounds.
#[test]
fn lists_of_a_hostile_file_stay_in_bounds() {
    let long = "x%1".repeat(200_000);
    let lists = [
        list(1, &[level(0, "lowerLetter", &long, "")], ""),
        list(2, &[], "<w:numStyleLink w:val=\"A\"/>"),
        list(3, &[], "<w:numStyleLink w:val=\"B\"/>"),
        num(1, 1, "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"4294967295\"/></w:lvlOverride>"),
        num(2, 2, ""),
        num(3, 3, ""),
        (10..30_000).map(|id| num(id, 1, "")).collect(),
    ];
    let style = |id: &str, num: u32, base: &str| {
        format!(
            "<w:style w:styleId=\"{id}\"><w:basedOn w:val=\"{base}\"/><w:pPr><w:numPr><w:numId w:val=\"{num}\"/></w:numPr></w:pPr></w:style>"
        )
    };
    let text = [
        listed(1, 0, "One"),
        listed(1, 4_000_000, "Far"),
        listed(2, 0, "Ring"),
        listed(1, 0, "Two"),
        "<w:p><w:pPr><w:pStyle w:val=\"A\"/></w:pPr><w:r><w:t>Style</w:t></w:r></w:p>".to_owned(),
    ];
    let found = read(
        Format::Docx,
        &[
            ("word/document.xml", &text.concat()),
            ("word/numbering.xml", &lists.concat()),
            ("word/styles.xml", &[style("A", 3, "B"), style("B", 2, "A")].concat()),
        ],
    );
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|line| line.len() < 8 * limits::OFFICE_LABEL_CHARS), "{found:?}");
    assert!(found[0].starts_with("x4294967295x") && found[0].ends_with(" One"), "{}", found[0]);
    let open = "<text:list text:style-name=\"L\"><text:list-item>".repeat(200_000) + "<text:p>Deep</text:p>";
    let many = "<text:list xml:id=\"a\" text:continue-list=\"a\"><text:list-item><text:p>y</text:p></text:list-item></text:list>".repeat(40_000);
    let found = read(Format::Odt, &[("content.xml", &format!("{many}{open}"))]);
    assert_eq!((found.len(), found.last().unwrap().trim()), (40_001, "- Deep"));
}
