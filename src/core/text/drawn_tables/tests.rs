//! Drawn tables as rows, and which lines of the file they are.

use super::*;

const GRID: &str = "Doses.\n\n+--------+----------------+\n| Drug   | Dose           |\n+========+================+\n\
                    | Olvar  | 5 mg, not      |\n|        | 50 mg          |\n+--------+----------------+\n\
                    | Brine  | 2 mg           |\n+--------+----------------+\n\nThat is all.\n";

/// LB-01: lines of one row, up to the next rule, are one row.
#[test]
fn lb_01_rows_of_grid_tables_are_whole() {
    let expected =
        "Doses.\n\n| Drug | Dose |\n|---|---|\n| Olvar | 5 mg, not 50 mg |\n| Brine | 2 mg |\n\nThat is all.\n";
    for drawn in [of_plain(GRID.to_owned()), of_markdown(GRID.to_owned())] {
        assert_eq!(drawn.0, expected);
        let lines = |part: &str| {
            let start = expected.find(part).unwrap();
            drawn.1.lines(&(start..start + part.len())).to_string()
        };
        assert_eq!(lines("| Drug | Dose |"), "line 4");
        assert_eq!(lines("| Olvar | 5 mg, not 50 mg |"), "lines 6–7");
        assert_eq!(lines("| Brine | 2 mg |"), "line 9");
        assert_eq!(lines("That is all."), "line 12");
    }
    let code = format!("```\n{GRID}```\n");
    assert_eq!(of_markdown(code.clone()).0, code);
}

/// LB-01: what is drawn otherwise is read as it is drawn, or stays as it is.
#[test]
fn lb_01_other_drawn_tables() {
    let rule = "+---+---+\n";
    let rows = |head: &str| format!("{head}\n|---|---|\n");
    for (drawn, read) in [
        // A program prints a row on each line.
        (format!("{rule}| a | b |\n{rule}| 1 | 2 |\n| 3 | 4 |\n{rule}"), rows("| a | b |") + "| 1 | 2 |\n| 3 | 4 |\n"),
        (format!("{rule}| a | b |\n{rule}| 1 | 2 |\n|   | 4 |\n{rule}"), rows("| a | b |") + "| 1 | 2 4 |\n"),
        // No line of it tells which row is the head.
        (
            format!("{rule}| a | b |\n| c |   |\n{rule}| 1 | 2 |\n{rule}| 3 | 4 |\n{rule}"),
            rows("| a c | b |") + "| 1 | 2 |\n| 3 | 4 |\n",
        ),
        (
            format!("  {rule}  | a | b |\n  +===+===+\n  | 1 | 2 |\n  {rule}"),
            "  | a | b |\n  |---|---|\n  | 1 | 2 |\n".to_owned(),
        ),
        (
            "|_. Crop |_. Harvest |\n| Skirret | October |\n".to_owned(),
            rows("| Crop | Harvest |") + "| Skirret | October |\n",
        ),
        ("|_. Crop | x |\n".to_owned(), "|_. Crop | x |\n".to_owned()),
    ] {
        assert_eq!(of_plain(drawn.clone()).0, read, "{drawn}");
    }
    for text in [
        "+------+\n| Note |\n| that |\n+------+\n".to_owned(),
        format!("{rule}| a | b |\n| c +---+\n|   | d |\n{rule}| 1 | 2 |\n{rule}"),
        format!("{rule}| a | b |\n{rule}| 1 | 2 |\n| 3 |\n{rule}"),
        format!("{rule}{rule}{rule}"),
        format!("{rule}| a | b |"),
        "+-+".to_owned(),
        "a +- b\n".to_owned(),
    ] {
        assert_eq!(of_plain(text.clone()).0, text);
    }
}

/// LB-01: cells of AsciiDoc are rows, on one line or on several.
#[test]
fn lb_01_tables_of_asciidoc_are_rows() {
    let harvest = "| Crop | Row | Harvest |\n|---|---|---|\n| Skirret | 9 | October |\n| Leek | 4 | May |\n";
    for table in [
        "|===\n|Crop |Row |Harvest\n\n|Skirret |9 |October\n|Leek |4 |May\n|===\n",
        "|===\n|Crop |Row |Harvest\n\n|Skirret\n|9\n|October\n\n|Leek\n|4\n|May\n|===\n",
        "|===\n| Crop | Row | Harvest |Skirret|9|October\n|Leek|4|May\n|===\n",
        "|====\n|Crop |Row ^|Harvest\n\nh|Skirret |9 a|October\n|Leek |4 |May\n|====",
    ] {
        let table = if table.contains("| Harvest |") { format!("[cols=\"2,1,1\"]\n{table}") } else { table.to_owned() };
        let read = of_asciidoc(table.clone()).0;
        assert_eq!(read.trim_start_matches("[cols=\"2,1,1\"]\n"), harvest, "{table}");
    }
    for (table, read) in [
        ("|===\n|a |b\n\n2+|c\n|d\nand e\n|f \\| g\n|===\n", "| a | b |\n|---|---|\n| c |  |\n| d and e | f \\| g |\n"),
        ("[%header,cols=2*]\n|===\n|a\n|b\n|c\n|d\n|===\n", "[%header,cols=2*]\n| a | b |\n|---|---|\n| c | d |\n"),
    ] {
        assert_eq!(of_asciidoc(table.to_owned()).0, read);
    }
    for text in [
        "|===\n|a |b\n\n.2+|c |d\n|e\n|===\n",
        "|===\n|a |b\n\n|c\n|===\n",
        "[format=csv]\n|===\na,b\n|===\n",
        "|===\n|a |b\n\n3*|c\n|===\n",
        "|===\n|a\n|b\n|===\n",
        "----\n|===\n|a |b\n|c |d\n|===\n----\n",
        "[cols=\"99999999999999999999*\"]\n|===\n|a |b\n|===\n",
        "|===\n64+|64+|64+|\n|===\n",
        "|===\n|a |b\n|c |d\n",
        "|===",
    ] {
        assert_eq!(of_asciidoc(text.to_owned()).0, text);
    }
    let (text, lines) = of_asciidoc("One.\n\n|===\n|Crop |Harvest\n\n|Skirret\n|October\n|===\n\nTwo.\n".to_owned());
    let line_of = |part: &str| {
        let start = text.find(part).unwrap();
        lines.lines(&(start..start + part.len())).to_string()
    };
    assert_eq!(line_of("| Skirret | October |"), "lines 6–7");
    assert_eq!(line_of("Two."), "line 10");
}
