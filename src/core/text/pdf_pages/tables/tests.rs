use super::*;

/// A page with words of this left edge, base and text, five points a letter; the mark before each, and a line end where it is another line.
pub(super) fn page(words: &[(f64, f64, &str)]) -> (String, Vec<Placed>) {
    let (mut text, mut places, mut last) = (String::new(), Vec::<Placed>::new(), None);
    for (left, base, word) in words {
        match last.replace(*base) {
            Some(above) if above != *base => text.push('\n'),
            Some(_) => text.push(' '),
            None => {}
        }
        let right = left + 5.0 * word.chars().count() as f64;
        places.push(Placed { left: *left, right, base: *base, size: 10.0, is_level: true });
        text.push(MARK);
        text.push_str(word);
    }
    (text, places)
}

/// Rows of words in columns at these places, one below the other.
fn rows<'t>(columns: &[f64], top: f64, rows: &[&[&'t str]]) -> Vec<(f64, f64, &'t str)> {
    let mut words = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let cells = columns.iter().zip(*row).filter(|(_, cell)| !cell.is_empty());
        words.extend(cells.map(|(left, cell)| (*left, top - 12.0 * at as f64, *cell)));
    }
    words
}

fn read(words: &[(f64, f64, &str)]) -> String {
    let (text, places) = page(words);
    let (text, _) = written(&text, &places, &[], None);
    text.lines().filter(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join("\n")
}

/// LB-01: rows of a page stand below the names of their columns, where it is plain what these are.
#[test]
fn lb_01_tables_of_pages_have_their_heads() {
    let three = [72.0, 200.0, 300.0];
    for (columns, lines, want) in [
        (
            &three[..],
            &[&["Pump", "Weight", "Price"][..], &["North", "12 kg", "EUR 30"], &["South", "", "-5"]][..],
            "| Pump | Weight | Price |\n| --- | --- | --- |\n| North | 12 kg | EUR 30 |\n| South |  | -5 |",
        ),
        (
            &three,
            &[&["Day", "Morning", "Evening"], &["Mon", "Low", "Ray"], &["Tue", "Ray", "May"], &["Wed", "May", "Low"]],
            "| Day | Morning | Evening |\n| --- | --- | --- |\n| Mon | Low | Ray |\n| Tue | Ray | May |\n| Wed | May | Low |",
        ),
        (
            &three,
            &[&["Crop", "2024", "2025"], &["Rye", "40", "42"], &["Oats", "7", "9"]],
            "| Crop | 2024 | 2025 |\n| --- | --- | --- |\n| Rye | 40 | 42 |\n| Oats | 7 | 9 |",
        ),
        (
            &three,
            &[&["Crop", "Yield", "Price"], &["", "(t)", "(EUR)"], &["Rye", "40", "42"], &["Oats", "7", "9"]],
            "| Crop | Yield (t) | Price (EUR) |\n| --- | --- | --- |\n| Rye | 40 | 42 |\n| Oats | 7 | 9 |",
        ),
        // Names of functions are no units, though their letters are small.
        (
            &three,
            &[
                &["Function", "Arguments", "Returns"],
                &["abs(x)", "any", "size of x"],
                &["arg(x)", "complex", "phase of x"],
                &["int(x)", "real", "truncated"],
            ],
            "| Function | Arguments | Returns |\n| --- | --- | --- |\n| abs(x) | any | size of x |\n| arg(x) | complex | phase of x |\n| int(x) | real | truncated |",
        ),
        (
            &three[..2],
            &[&["Town", "People"], &["Ulm", "12"], &["Bonn", "33"], &["Kiel", "24"], &["Hof", "4"]],
            "| Town | People |\n| --- | --- |\n| Ulm | 12 |\n| Bonn | 33 |\n| Kiel | 24 |\n| Hof | 4 |",
        ),
        // Without names, of a form, of two columns and of few rows nobody knows.
        (&three, &[&["Ulm", "12", "4"], &["Bonn", "33", "5"], &["Kiel", "24", "6"]], ""),
        (&three, &[&["Name:", "Low", "Born:"], &["Town:", "Ulm", "12"], &["Tax:", "3", "4"]], ""),
        (&three, &[&["Pump", "Weight", "Price"], &["North", "12 kg", "EUR 30"]], ""),
        (&three, &[&["Day", "Morning", "Evening"], &["Mon", "Low", "Ray"], &["Tue", "Ray", "May"]], ""),
        (
            &three[..2],
            &[&["Maker", "Low"], &["Mass", "9 kg"], &["Power", "3 kW"], &["Flow", "9 l"], &["Year", "2024"]],
            "",
        ),
        (&three[..2], &[&["Payer", "Ann Low"], &["Due", "3 May"], &["Sum", "30"], &["Tax", "none"], &["All", "3"]], ""),
        (
            &three,
            &[
                &["-a", "--all", "All of it"],
                &["-b", "--bare", "No more"],
                &["-c", "--cut", "Cut"],
                &["-d", "--dry", "Dry"],
            ],
            "",
        ),
        (&three, &[&["One", "......", "Price"], &["Two", "......", "12"], &["Three", "......", "14"]], ""),
    ] {
        let text = read(&rows(columns, 700.0, lines));
        let plain = lines.iter().map(|line| line.join(" ").split_whitespace().collect::<Vec<_>>().join(" "));
        let want = if want.is_empty() { plain.collect::<Vec<_>>().join("\n") } else { want.to_owned() };
        assert_eq!(text, want);
    }
}

/// LB-01: a row of a group says so, where it is plain that what stands alone above it is no part of its first cell.
#[test]
fn lb_01_groups_are_said_with_their_rows() {
    let three = [72.0, 200.0, 300.0];
    for (lines, want) in [
        // Names of groups, of which the first leaves room for what stands below it, or whose rows are those of another one.
        (
            &[
                &["Item", "2024", "2025"][..],
                &["Sea", "", ""],
                &["Silt", "40", "42"],
                &["Lock gate", "7", "9"],
                &["Land", "", ""],
                &["Silt", "1", "2"],
                &["Lamps", "3", "4"],
            ][..],
            "| Item | 2024 | 2025 |\n| --- | --- | --- |\n| Sea: Silt | 40 | 42 |\n| Sea: Lock gate | 7 | 9 |\n| Land: Silt | 1 | 2 |\n| Land: Lamps | 3 | 4 |",
        ),
        (
            &[
                &["Item", "2024", "2025"],
                &["North basin", "", ""],
                &["Silt", "40", "42"],
                &["South basin", "", ""],
                &["Silt", "1", "2"],
                &["Lamps", "3", "4"],
            ],
            "| Item | 2024 | 2025 |\n| --- | --- | --- |\n| North basin: Silt | 40 | 42 |\n| South basin: Silt | 1 | 2 |\n| South basin: Lamps | 3 | 4 |",
        ),
        // A first cell of two lines whose row stands at its foot.
        (
            &[&["Item", "2024", "2025"], &["Lamps of the", "", ""], &["northern sea", "40", "42"], &["Silt", "1", "2"]],
            "",
        ),
    ] {
        let text = read(&rows(&three, 700.0, lines));
        let plain = lines.iter().map(|line| line.join(" ").split_whitespace().collect::<Vec<_>>().join(" "));
        let want = if want.is_empty() { plain.collect::<Vec<_>>().join("\n") } else { want.to_owned() };
        assert_eq!(text, want);
    }
}

/// LB-01: a cell of several lines is one, whichever way its page is written, and text around a table stays text.
#[test]
fn lb_01_cells_of_several_lines_are_one() {
    let head = rows(&[72.0, 200.0, 300.0], 700.0, &[&["Pump", "Use", "Price"]]);
    let cells = [
        (72.0, 688.0, "North"),
        (72.0, 676.0, "hall"),
        (200.0, 688.0, "drains the ba-"),
        (200.0, 676.0, "sin"),
        (300.0, 688.0, "30"),
        (72.0, 664.0, "South"),
        (200.0, 664.0, "spare"),
        (300.0, 664.0, "4"),
        (200.0, 652.0, "since May"),
    ];
    // The same, with cells that stand at the foot of their rows or in their middle.
    let foot = [(300.0, 676.0, "30"), (300.0, 652.0, "4")];
    let text = "Pumps of the harbour and what they cost, as the council has set it in the year before.";
    let words = [&[(72.0, 724.0, text)], head.as_slice(), &cells, &[(72.0, 610.0, text)]].concat();
    let table = "| Pump | Use | Price |\n| --- | --- | --- |\n| North hall | drains the basin | 30 |\n| South | spare since May | 4 |";
    assert_eq!(read(&words), [text, table, text].join("\n"));
    let (north, south) = (&cells[..4], &cells[5..6]);
    let use_of_south = [(200.0, 664.0, "spare"), (200.0, 652.0, "since May")];
    let at_foot = [north, &foot[..1], south, &use_of_south, &foot[1..]].concat();
    assert_eq!(read(&[head.as_slice(), &at_foot].concat()), table);
    let units = [(72.0, 700.0, "Pump"), (200.0, 700.0, "Use"), (300.0, 712.0, "Price"), (300.0, 700.0, "in EUR")];
    assert_eq!(read(&[&units[..], &at_foot].concat()), table.replace("Price", "Price in EUR"));
    let middle = [(72.0, 682.0, "North hall"), cells[2], cells[3], (300.0, 682.0, "30")];
    let below = [(72.0, 658.0, "South"), use_of_south[0], use_of_south[1], (300.0, 658.0, "4")];
    assert_eq!(read(&[head.as_slice(), &middle, &below].concat()), table);
}

/// LB-01: names at the left of columns whose figures stand at the right are theirs, and the name of a group may reach over the first column.
#[test]
fn lb_01_names_stand_at_the_other_side_of_figures() {
    let words = [
        (72.0, 700.0, "Quay"),
        (120.0, 700.0, "Open"),
        (180.0, 700.0, "Rate"),
        (72.0, 688.0, "North basin"),
        (72.0, 676.0, "East"),
        (145.0, 676.0, "06:15"),
        (210.0, 676.0, "3/4"),
        (72.0, 664.0, "West"),
        (145.0, 664.0, "08:00"),
        (210.0, 664.0, "1/2"),
        (72.0, 652.0, "South basin"),
        (72.0, 640.0, "East"),
        (145.0, 640.0, "07:15"),
        (210.0, 640.0, "1/4"),
    ];
    assert_eq!(
        read(&words),
        "| Quay | Open | Rate |\n| --- | --- | --- |\n| North basin: East | 06:15 | 3/4 |\n| North basin: West | 08:00 | 1/2 |\n\
         | South basin: East | 07:15 | 1/4 |"
    );
}

#[test]
fn names_above_several_columns_are_told_with_each() {
    for (above, below, want) in [
        ("|Power||Flow|", "Pump|min|max|min|max", "Pump|Power min|Power max|Flow min|Flow max"),
        // Nothing else says that a name reaches over the next column.
        ("|Power||Flow", "Pump|min|max|mean", "Pump|Power min|max|Flow mean"),
        ("Pump|Flow|Flow", "Pump|min|max", "Pump|Flow min|Flow max"),
    ] {
        let cells = |row: &str| row.split('|').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(joined(&[cells(above), cells(below)]).join("|"), want);
    }
}

/// LB-01: names of columns on several lines are whole, wherever their lines stand; a line further above is none of them.
#[test]
fn lb_01_names_of_several_lines_stand_above_rows() {
    let body = rows(&[72.0, 200.0, 300.0], 664.0, &[&["Seal", "112", "131"], &["Tern", "84", "61"]]);
    let head = [
        (72.0, 680.0, "Species"),
        (200.0, 692.0, "Count in"),
        (200.0, 680.0, "spring"),
        (300.0, 692.0, "Count in"),
        (300.0, 680.0, "autumn"),
    ];
    let want = "| Species | Count in spring | Count in autumn |\n| --- | --- | --- |\n| Seal | 112 | 131 |\n| Tern | 84 | 61 |";
    assert_eq!(read(&[&head[..], &body].concat()), want);
    assert_eq!(read(&[&[(72.0, 715.0, "Birds")], &head[..], &body].concat()), format!("Birds\n{want}"));
    // In the middle of its height, and not above all columns.
    let middle = [&[(72.0, 686.0, "Species")], &head[1..]].concat();
    assert_eq!(read(&[&middle[..], &body].concat()), want);
    let few = [&head[..3], &body].concat();
    assert!(!read(&few).contains('|'), "{}", read(&few));
}

/// LB-01: rows go on with the table of the page before, below a head of the page and above its number.
#[test]
fn lb_01_tables_go_on_with_the_next_page() {
    let columns = [72.0, 200.0, 300.0];
    let first = rows(&columns, 700.0, &[&["Pump", "Weight", "Price"], &["North", "12", "30"], &["South", "9", "25"]]);
    let (text, places) = page(&[first.as_slice(), &[(300.0, 40.0, "1")]].concat());
    let (_, open) = written(&text, &places, &[], None);
    for (lines, want) in [
        (&[&["East", "8", "21"][..]][..], "Pumps\n| East | 8 | 21 |"),
        (&[&["East", "", "21"], &["West", "7", ""]], "Pumps\nEast 21\nWest 7"),
        (&[&["East", "8", "21"], &["West", "7", ""]], "Pumps\n| East | 8 | 21 |\n| West | 7 |  |"),
        (
            &[&["Year", "2024", "2025"], &["East", "8", "21"], &["West", "7", "3"]],
            "Pumps\n| Year | 2024 | 2025 |\n| --- | --- | --- |\n| East | 8 | 21 |\n| West | 7 | 3 |",
        ),
        (
            &[&["Pump", "Weight", "Price"], &["East", "8", "21"], &["West", "7", "3"]],
            "Pumps\n| Pump | Weight | Price |\n| --- | --- | --- |\n| East | 8 | 21 |\n| West | 7 | 3 |",
        ),
    ] {
        let (text, places) = page(&[&[(72.0, 780.0, "Pumps")], rows(&columns, 700.0, lines).as_slice()].concat());
        let (text, _) = written(&text, &places, &[], open.as_ref());
        let said = text.lines().filter(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join("\n");
        assert_eq!(said, want);
    }
    let (text, places) =
        page(&[first.as_slice(), &[(72.0, 400.0, "a"), (72.0, 380.0, "b"), (72.0, 360.0, "c")]].concat());
    assert_eq!(written(&text, &places, &[], None).1, None, "what stands below ends it");
}

/// LB-01: columns of text are no table and are read one after the other; lines that happen to have wide spaces stay as they are.
#[test]
fn lb_01_columns_of_text_are_no_table() {
    let two: Vec<(f64, f64, &str)> = (0..30)
        .flat_map(|at| {
            let base = 700.0 - 12.0 * f64::from(at);
            [(72.0, base, "the tide comes in twice a day and"), (310.0, base, "goes out as often, which the moon")]
        })
        .collect();
    let loose: Vec<(f64, f64, &str)> = (0..30)
        .flat_map(|at| {
            let (base, gap) = (700.0 - 12.0 * f64::from(at), 90.0 + f64::from(at % 7) * 25.0);
            [(72.0, base, "the"), (gap + 20.0, base, "tide comes in twice a day, 3 or 4 m high")]
        })
        .collect();
    let (text, places) = page(&loose);
    assert_eq!(written(&text, &places, &[], None).0, text.replace(MARK, ""));
    // One after the other, also where their page is written across.
    let lines = |words: &str| vec![words; 30].join("\n");
    assert_eq!(
        read(&two),
        [lines("the tide comes in twice a day and"), lines("goes out as often, which the moon")].join("\n")
    );
    let pairs: Vec<(f64, f64, &str)> = two
        .iter()
        .map(|(left, base, _)| (*left, *base, if *left < 100.0 { "Wind of the sea" } else { "Vent de la mer" }))
        .collect();
    let (text, places) = page(&pairs);
    assert_eq!(
        written(&text, &places, &[], None).0,
        text.replace(MARK, ""),
        "what begins anew on each line is a list of pairs"
    );
}

/// LB-01: pages of very many words, or of words at no place, are read in one go and lose nothing.
#[test]
fn lb_01_hostile_pages_are_looked_at_in_bounds() {
    let many = |at: &dyn Fn(usize) -> (f64, f64)| -> Vec<(f64, f64, &'static str)> {
        (0..100_000).map(|number| (at(number).0, at(number).1, "w")).collect()
    };
    let pages = [
        many(&|at| ((at % 2) as f64 * 100.0, 700.0 - (at / 2) as f64 * 0.001)),
        many(&|at| ((at % 40) as f64 * 20.0, 700.0 - (at / 40) as f64 * 12.0)),
        many(&|at| (at as f64 * 20.0, 700.0)),
        many(&|_| (f64::NAN, f64::INFINITY)),
    ];
    for words in pages {
        let (text, places) = page(&words);
        let (text, _) = written(&text, &places, &[], None);
        assert_eq!(text.matches('w').count(), words.len());
    }
    assert_eq!(written("a\u{e002}b", &[], &[], None), ("ab".to_owned(), None));
}
