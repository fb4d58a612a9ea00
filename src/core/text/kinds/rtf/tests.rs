//! RTF as programs write it, and as nobody should.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};

use super::super::tests::shown;
use crate::core::text::{Format, LeftOut, Unreadable, extract, packed_report};

fn text_of(rtf: impl AsRef<[u8]>) -> String {
    extract(Format::Rtf, rtf.as_ref().to_vec()).unwrap().text
}

fn check(rtf: &str, expected: &Expect) {
    expected.assert_eq(&shown(&extract(Format::Rtf, rtf.as_bytes().to_vec()).unwrap()));
}

/// LB-01: what a reader of the document sees is read, word by word.
#[test]
fn lb_01_text_of_rtf_is_what_a_reader_sees() {
    let cases = [
        ("two words\\par and two", "two words\n\nand two"),
        ("caf\\'e9 \\'80 5 \\{x\\} a\\\\b", "café € 5 {x} a\\b"),
        ("a\\tab b\\line c\\~d\\_e f\\-g", "a b\nc\u{a0}d-e fg"),
        ("\\ldblquote yes\\rdblquote\\emdash\\lquote no\\rquote", "“yes”—‘no’"),
        ("\\u8364?5 \\u8364\\'805", "€5 €5"),
        ("\\uc0\\u8364 5{\\uc2\\u8364 ??6}\\u8364 7", "€5€6€7"),
        ("\\uc99999\\u8364 abcdefghij", "€ij"),
        ("\\u8364{?}x", "€?x"),
        ("seen {\\v hidden \\b0}{\\v0 seen} {\\deleted gone}", "seen seen"),
        ("10{\\super 30} and H{\\sub 2}O", "10³⁰ and H₂O"),
        ("{\\strike was} is", "~~was~~ is"),
        ("{\\field{\\*\\fldinst HYPERLINK \"http://x\"}{\\fldrslt the link}}", "the link"),
        ("{\\field{\\fldinst PAGE}{\\fldrslt 7}}", "7"),
        ("{\\pict\\wmetafile8 0102}a{\\*\\unknown no}{\\object\\objemb{\\*\\objdata 00}{\\result shown}}", "ashown"),
        ("{\\header top}{\\footerr below}text", "text"),
        ("{\\pict\\bin6 {\\par}}{x}", "x"),
        ("a\\\nb", "a\n\nb"),
        ("{\\xe index}{\\tc list}x", "x"),
        ("{\\upr{plain}{\\*\\ud{other}}} x", "other x"),
        ("{\\upr{r?sum?}{\\*\\ud{r\\'e9sum\\'e9 {\\b x}}}}{y}", "résumé xy"),
        ("{\\*\\ud{none}}{\\pict{\\upr{a}{\\*\\ud{b}}}}x", "x"),
        ("\\u8220\\ldblquote Osprey\\u8221\\rdblquote", "“Osprey”"),
        ("a\\u160\\~b\\u8364\\line c", "a\u{a0}b€\nc"),
        ("kept{\\deleted  gone{\\footnote note}} on", "kept on"),
        ("a{\\v{\\footnote note}}b", "ab"),
        // As LibreOffice and pandoc write them.
        (
            "Cars 212.{\\super\\chftn}{\\*\\footnote\\pard\\plain\\chftn Built in Gdynia.\\par}\\par}",
            "Cars 212. [1: Built in Gdynia.]\n\n",
        ),
        ("a{\\deleted{\\*\\footnote gone}}{\\*\\ftnsep x}b", "ab"),
        ("open {\\b bold", "open bold"),
        ("a}}}b", "ab"),
        ("x\\'e", "x\u{e}"),
    ];
    for (body, expected) in cases {
        assert_eq!(text_of(format!("{{\\rtf1\\ansi\\ansicpg1252 {body}")), expected, "{body}");
    }
}

/// LB-01: what people remarked is read with who made it and on what, and is no part of the text.
#[test]
fn lb_01_remarks_of_rtf_are_read() {
    let remark = |text: &str| {
        format!(
            "{{\\*\\atnid VK}}{{\\*\\atnauthor Vera K\\'e4fer}}\\chatn{{\\*\\annotation{{\\*\\atnref 1}}{{\\*\\atndate 7}}\\pard {text}}}"
        )
    };
    for (body, expected) in [
        (
            format!(
                "Hall 7 has {{\\*\\atrfstart 1}}a sprinkler{{\\*\\atrfend 1}}{}.\\par Then",
                remark("Two a year.\\par Ask.")
            ),
            "Hall 7 has a sprinkler.\n\nComment by Vera Käfer on \"a sprinkler\": Two a year. Ask.\n\nThen",
        ),
        (format!("It is old{}.", remark("How?")), "It is old.\n\nComment by Vera Käfer on \"It is old\": How?"),
        (
            format!("\\trowd\\cellx1\\intbl a{}\\cell\\row\\pard b{}\\par", remark("one"), remark("two")),
            "| a |\n| --- |\n\nComment by Vera Käfer on \"a\": one\n\nb\n\nComment by Vera Käfer on \"b\": two",
        ),
        (format!("x{{\\deleted y{}}}", remark("gone")), "x"),
    ] {
        let rtf = format!("{{\\rtf1\\ansi {body}}}");
        assert_eq!(text_of(&rtf), expected);
        let report = packed_report("a.rtf", rtf.into_bytes()).unwrap().unwrap();
        assert!(!report.contains("Comment"), "{report}");
    }
    let many = remark("r").repeat(30_000);
    let document = extract(Format::Rtf, format!("{{\\rtf1 a{many}").into_bytes()).unwrap();
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::Parts]));
    let _read = text_of(format!("{{\\rtf1 {}", "{\\*\\annotation ".repeat(50_000)));
}

/// LB-01: the links of a report are known by their addresses.
#[test]
fn lb_01_links_of_reports_in_rtf_are_known() {
    for (field, expected) in [
        (
            "{\\*\\fldinst HYPERLINK \"https://example.org/b\"}{\\fldrslt {\\ul the bridge}}",
            "See [the bridge](<https://example.org/b>).",
        ),
        ("{\\fldinst{\\b HYPERLINK https://a.example \\\\t}}{\\fldrslt x}", "See [x](<https://a.example>)."),
        ("{\\*\\fldinst HYPERLINK \"mailto:a@b.example\"}{\\fldrslt mail}", "See mail."),
        ("{\\*\\fldinst PAGE}{\\fldrslt 7}", "See 7."),
    ] {
        let rtf = format!("{{\\rtf1\\ansi See {{\\field{field}}}.}}");
        assert_eq!(packed_report("a.rtf", rtf.clone().into_bytes()).unwrap().as_deref(), Some(expected));
        assert!(!text_of(rtf).contains("](<"));
    }
}

#[test]
fn lb_01_letters_of_rtf_are_those_of_their_fonts() {
    let fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204{\\*\\fname Arial;}Arial Cyr;}{\\f2\\fcharset128 Mincho;}}";
    for (body, expected) in [
        ("\\'e9{\\f1 \\'cf\\'f0}\\'e9", "éПрé"),
        ("\\f1\\'cf\\plain\\'e9", "Пé"),
        ("\\f2\\'92\\'aa\\'83A", "潮ア"),
        ("\\f2 \\'92{}\\'aa", "\u{fffd}ｪ"),
    ] {
        assert_eq!(text_of(format!("{{\\rtf1\\ansi\\deff0{fonts}{body}}}")), expected, "{body}");
    }
    assert_eq!(text_of(b"{\\rtf1\\ansi\\ansicpg1251 \xcf\xf0}"), "Пр");
    assert_eq!(text_of("{\\rtf1\\mac caf\\'8e}"), "café");
    assert_eq!(text_of("\u{feff}{\\rtf1 marked}"), "marked");
    let marked = "\u{feff}{\\rtf1 marked}".to_owned().into_bytes();
    assert_eq!(packed_report("a.rtf", marked).unwrap().as_deref(), Some("marked"));
    assert_eq!(text_of("{\\rtf1\\ansi\\ansicpg12345 \\'e9}"), "é");
}

#[test]
fn lb_01_rtf_keeps_headings_lists_tables_and_notes() {
    let row = "\\trowd\\cellx2000\\cellx4000\\pard\\intbl";
    let rtf = [
        "{\\rtf1\\ansi{\\stylesheet{Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2\\sbasedon1 Own;}{\\*\\cs3 Strong;}{\\s4 Source Code;}}",
        "{\\info{\\author Ann}{\\title Harbour {\\b rules}}}",
        "\\pard\\s1 Tides\\par\\pard\\plain The sea rises{\\super\\chftn}{\\footnote\\pard{\\super\\chftn} By the moon.\\par Twice.} and falls.\\par",
        "\\pard{\\listtext\\pard 1.\\tab}\\ilvl0 Look.\\par{\\listtext a)\\tab}\\ilvl1 Wait.\\par",
        "\\pard{\\listtext Part II\\tab}\\ilvl0 Insure.\\par\\pard{\\pntext\\f2\\'B7\\tab}Go.\\par\\pard\\par{\\pard\\outlinelevel1{\\listtext 1.2 }Ports\\par}",
        row,
        " port\\cell range\\cell\\row",
        row,
        " Brest\\par north\\cell 6 | m\\cell{\\trowd\\cellx2000\\cellx4000\\row}",
        "\\trowd\\cellx4010\\pard\\intbl All of them\\cell\\row",
        "\\pard Below{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt\\pard In a box.\\par}}{\\shprslt again}} it.\\par",
        "\\pard\\s4 let x;\\par let y;\\par\\pard last}",
    ];
    check(
        &rtf.concat(),
        &expect![[r#"
        title: Harbour rules
        [paragraphs 2–6] Tides
            The sea rises [1: By the moon. Twice.] and falls.

            1. Look.
              a) Wait.

            Part II Insure.

            - Go.
        [paragraphs 9–19] Tides > 1.2 Ports
            | port | range |
            | --- | --- |
            | Brest north | 6 \| m |
            | All of them |  |

            In a box.

            Below it.

            ```
            let x;
            let y;
            ```

            last
    "#]],
    );
    assert_eq!(packed_report("a.rtf", b"{\\rtf1 A [1].}".to_vec()).unwrap().as_deref(), Some("A [1]."));
}

#[test]
fn lb_01_cells_of_rtf_stand_in_their_columns() {
    let rows = [
        ("\\cellx1000\\cellx2000\\cellx3000", &["port", "high", "low"][..]),
        ("\\clvmgf\\cellx1000\\cellx2010\\cellx3000", &["Brest", "6", "1"]),
        ("\\clvmrg\\cellx990\\cellx3000", &["", "7"]),
        ("\\cellx1000\\cellx2000\\cellx3000", &["Calais", "5", "2"]),
    ];
    let row = |(borders, cells): &(&str, &[&str])| {
        let cells: String = cells.iter().map(|cell| format!("\\intbl {cell}\\cell")).collect();
        format!("\\trowd{borders}\\pard{cells}\\row")
    };
    let rtf = format!("{{\\rtf1 {}}}", rows.iter().map(row).collect::<String>());
    let table = "| port | high | low |\n| --- | --- | --- |\n| Brest | 6 | 1 |\n| Brest | 7 |  |\n| Calais | 5 | 2 |";
    assert_eq!(text_of(&rtf), table);
    // A table in a cell is a part of it, and so is a box.
    let nested = "{\\rtf1 \\trowd\\cellx1\\pard\\intbl a\\cell\\row\\trowd\\cellx1\\pard\\intbl b\\par{\\pard\\itap2\\intbl c\\nestcell d\\nestcell\
        {\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}}{\\*\\shpinst{\\shptxt\\pard box\\par}}e\\cell\\row}";
    assert_eq!(text_of(nested), "| a |\n| --- |\n| b c d box e |");
}

/// Files that are made to take the reader down: refused or read, in bounds.
#[test]
fn hostile_rtf_is_read_in_bounds() {
    let deep = format!("{{\\rtf1 {}deep{}\\par below}}", "{\\b ".repeat(200_000), "}".repeat(200_000));
    assert_eq!(text_of(deep), "deep\n\nbelow");
    for part in [
        "{",
        "}",
        "\\",
        "{\\*",
        "\\'",
        "\\u",
        "\\u9",
        "\\bin9",
        "\\trowd",
        "\\cell",
        "\\row",
        "{\\footnote ",
        "{\\shptxt ",
    ] {
        let document = extract(Format::Rtf, format!("{{\\rtf1 {}", part.repeat(50_000)).into_bytes()).unwrap();
        assert!(document.text.len() < 20_000_000, "{part}");
    }
    for part in ["{\\fonttbl{\\f", "{\\stylesheet{\\s", "\\cellx"] {
        let many: String = (0..50_000).map(|number| format!("{part}{number} x;}}}}")).collect();
        let _read = text_of(format!("{{\\rtf1 {many}"));
    }
    let notes = "{\\footnote a\\par b}".repeat(50_000);
    let document = extract(Format::Rtf, format!("{{\\rtf1 {notes}").into_bytes()).unwrap();
    assert!(document.text.contains("[10000: a b]"), "{}", document.text.len());
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::Parts]));
    let columns = format!("{{\\rtf1 \\trowd{}\\row}}", "\\intbl x\\cell".repeat(50_000));
    let document = extract(Format::Rtf, columns.into_bytes()).unwrap();
    assert_eq!(document.left_out, BTreeSet::from([LeftOut::Columns]));
    // One paragraph without an end, and without an end of a line.
    let long = format!("{{\\rtf1 {}", "word ".repeat(3_000_000));
    assert_eq!(extract(Format::Rtf, long.into_bytes()).unwrap().left_out, BTreeSet::from([LeftOut::End]));
    assert!(matches!(extract(Format::Rtf, b"plain".to_vec()), Err(Unreadable::Damaged(_))));
}
