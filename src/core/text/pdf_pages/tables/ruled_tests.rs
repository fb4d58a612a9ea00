use super::tests::page;
use super::*;

type Word = (f64, f64, &'static str);

/// The lines of a frame with cells between these.
fn frame(xs: &[f64], ys: &[f64]) -> Vec<Rule> {
    let (left, right) = (*xs.first().unwrap(), *xs.last().unwrap());
    let (top, low) = (*ys.first().unwrap(), *ys.last().unwrap());
    let level = ys.iter().map(|at| Rule { is_level: true, at: *at, from: left, to: right });
    level.chain(xs.iter().map(|at| Rule { is_level: false, at: *at, from: low, to: top })).collect()
}

fn read(words: &[Word], rules: &[Rule]) -> String {
    let (text, places) = page(words);
    let (text, _) = written(&text, &places, rules, None);
    text.lines().filter(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join("\n")
}

const XS: [f64; 4] = [70.0, 170.0, 300.0, 400.0];

/// LB-01: cells that are ruled are whole, wherever in them their lines stand and in whatever order they come.
#[test]
fn lb_01_ruled_cells_are_whole() {
    let words = [
        (72.0, 720.0, "What the harbour has."),
        (72.0, 690.0, "Office"),
        (172.0, 690.0, "Duty"),
        (302.0, 696.0, "Person in"),
        (302.0, 684.0, "charge"),
        (172.0, 670.0, "Guides ships through the"),
        (172.0, 658.0, "channel in all wea-"),
        (172.0, 646.0, "thers"),
        (72.0, 658.0, "Pilots"),
        (302.0, 670.0, "Ines Varga"),
        (72.0, 630.0, "Lock"),
        (72.0, 618.0, "keepers"),
        (172.0, 624.0, "Open the gates"),
        (302.0, 624.0, "Lena Holm"),
        (72.0, 590.0, "More is told elsewhere."),
    ];
    let want = "What the harbour has.\n| Office | Duty | Person in charge |\n| --- | --- | --- |\n\
        | Pilots | Guides ships through the channel in all weathers | Ines Varga |\n\
        | Lock keepers | Open the gates | Lena Holm |\nMore is told elsewhere.";
    let rules = frame(&XS, &[706.0, 680.0, 642.0, 612.0]);
    assert_eq!(read(&words, &rules), want);
    // A frame may be open at its sides, and drawn in pieces.
    let open: Vec<Rule> =
        rules.iter().filter(|rule| rule.is_level || (100.0..390.0).contains(&rule.at)).copied().collect();
    assert_eq!(read(&words, &open), want);
    let halves = rules.iter().flat_map(|rule| {
        let middle = f64::midpoint(rule.from, rule.to);
        [Rule { to: middle - 0.5, ..*rule }, Rule { from: middle + 0.5, at: rule.at + 0.4, ..*rule }]
    });
    assert_eq!(read(&words, &halves.collect::<Vec<_>>()), want);
}

/// The lines that part the cells over two columns and over two rows.
fn is_gone(rule: &Rule) -> bool {
    (rule.at == XS[2] && rule.to > 690.0) || (rule.is_level && rule.at == 680.0)
}

/// LB-01: what reaches over several cells is said with each of them; a group is said with its rows, a title above its table.
#[test]
fn lb_01_cells_over_several_others_are_said_with_each() {
    let ys = [700.0, 680.0, 660.0, 640.0, 620.0, 600.0, 580.0];
    let row = |at: usize, cells: [&'static str; 3]| {
        let base = ys[at] - 15.0;
        XS.into_iter().zip(cells).filter(|(_, cell)| !cell.is_empty()).map(move |(left, cell)| (left + 2.0, base, cell))
    };
    // Without the upright lines inside of some rows.
    let rules = |whole: &[usize]| {
        let mut rules: Vec<Rule> =
            frame(&XS, &ys).into_iter().filter(|rule| rule.is_level || rule.at < 100.0 || rule.at > 390.0).collect();
        for at in (0..ys.len() - 1).filter(|at| !whole.contains(at)) {
            let inner = XS[1..3].iter().map(|x| Rule { is_level: false, at: *x, from: ys[at + 1], to: ys[at] });
            rules.extend(inner);
        }
        rules
    };
    let spending: Vec<Word> = [
        ["Item", "2024", "2025"],
        ["North basin of the old harbour", "", ""],
        ["Lamps", "3", "4"],
        ["South basin of the old harbour", "", ""],
        ["Lamps", "5", "6"],
        ["Total", "8", "10"],
    ]
    .into_iter()
    .enumerate()
    .flat_map(|(at, cells)| row(at, cells))
    .collect();
    assert_eq!(
        read(&spending, &rules(&[1, 3])),
        "| Item | 2024 | 2025 |\n| --- | --- | --- |\n| North basin of the old harbour: Lamps | 3 | 4 |\n\
        | South basin of the old harbour: Lamps | 5 | 6 |\n| Total | 8 | 10 |"
    );
    let titled: Vec<Word> = [
        ["Pumps of the old harbour", "", ""],
        ["Pump", "Flow", "Price"],
        ["P1", "3", "4"],
        ["P2", "5", "6"],
        ["P3", "7", "8"],
        ["P4", "9", "1"],
    ]
    .into_iter()
    .enumerate()
    .flat_map(|(at, cells)| row(at, cells))
    .collect();
    assert!(
        read(&titled, &rules(&[0]))
            .starts_with("Pumps of the old harbour\n| Pump | Flow | Price |\n| --- | --- | --- |\n| P1 |")
    );
    // A head over two columns, beside one over two rows.
    let mut wide = rules(&[]);
    wide.retain(|rule| !is_gone(rule));
    wide.push(Rule { is_level: true, at: 680.0, from: XS[1], to: XS[3] });
    let mut words = vec![(72.0, 675.0, "Pump"), (270.0, 685.0, "Power")];
    words.extend(row(1, ["", "min", "max"]));
    words.extend((2..6).flat_map(|at| row(at, [["P1", "P2", "P3", "P4"][at - 2], "3", "4"])));
    assert!(
        read(&words, &wide).starts_with("| Pump | Power min | Power max |\n| --- | --- | --- |\n| P1 | 3 | 4 |"),
        "{}",
        read(&words, &wide)
    );
    // A name beside two rows is that of both.
    let mut tall = rules(&[]);
    tall.retain(|rule| !(rule.is_level && rule.at == 640.0));
    tall.push(Rule { is_level: true, at: 640.0, from: XS[1], to: XS[3] });
    let mut words: Vec<Word> = row(0, ["Quay", "Ship", "Length"]).chain(row(1, ["West", "Ray", "9"])).collect();
    words.push((72.0, 636.0, "East"));
    words.extend(row(2, ["", "Low", "3"]).chain(row(3, ["", "May", "4"])));
    assert!(read(&words, &tall).ends_with("| East | Low | 3 |\n| East | May | 4 |"), "{}", read(&words, &tall));
}

/// LB-01: where no lines part the rows, figures tell them; where the first row names nothing, no row does; and what stands in frames may be no table.
#[test]
fn lb_01_what_is_ruled_may_have_no_rows_and_no_names() {
    let body: Vec<Word> = vec![
        (72.0, 690.0, "Pump"),
        (172.0, 690.0, "Flow"),
        (302.0, 690.0, "Price"),
        (72.0, 670.0, "North"),
        (172.0, 670.0, "3"),
        (302.0, 670.0, "4"),
        (72.0, 658.0, "hall"),
        (72.0, 640.0, "South"),
        (172.0, 640.0, "5"),
        (302.0, 640.0, "6"),
    ];
    assert_eq!(
        read(&body, &frame(&XS, &[706.0, 680.0, 630.0])),
        "| Pump | Flow | Price |\n| --- | --- | --- |\n| North hall | 3 | 4 |\n| South | 5 | 6 |"
    );
    // Names without figures are rows as well, and a name beside several rows is that of all.
    let groups: Vec<Word> =
        [["Item", "2024", "2025"], ["North", "", ""], ["Lamps", "3", "4"], ["South", "", ""], ["Lamps", "5", "6"]]
            .into_iter()
            .zip([690.0, 670.0, 658.0, 646.0, 634.0])
            .flat_map(|(cells, base)| {
                XS.into_iter()
                    .zip(cells)
                    .filter(|(_, cell)| !cell.is_empty())
                    .map(move |(left, cell)| (left + 2.0, base, cell))
            })
            .collect();
    assert_eq!(
        read(&groups, &frame(&XS, &[706.0, 680.0, 630.0])),
        "| Item | 2024 | 2025 |\n| --- | --- | --- |\n| North: Lamps | 3 | 4 |\n| South: Lamps | 5 | 6 |"
    );
    let beside = [
        (72.0, 690.0, "File"),
        (172.0, 690.0, "Exists"),
        (302.0, 690.0, "Here"),
        (72.0, 670.0, "Null"),
        (172.0, 670.0, "true"),
        (172.0, 658.0, "false"),
        (302.0, 670.0, "Probably"),
        (302.0, 658.0, "Never"),
        (72.0, 640.0, "Zero"),
        (172.0, 640.0, "true"),
        (302.0, 640.0, "Maybe"),
    ];
    assert_eq!(
        read(&beside, &frame(&XS, &[706.0, 680.0, 650.0, 630.0])),
        "| File | Exists | Here |\n| --- | --- | --- |\n| Null | true | Probably |\n| Null | false | Never |\n| Zero | true | Maybe |"
    );
    let two = [70.0, 170.0, 400.0];
    let facts = [(72.0, 690.0, "Owner"), (172.0, 690.0, "Ines Varga"), (72.0, 670.0, "Berth"), (172.0, 670.0, "17")];
    assert_eq!(read(&facts, &frame(&two, &[706.0, 680.0, 660.0])), "| Owner | Ines Varga |\n| Berth | 17 |");
    let text = [
        (72.0, 690.0, "One text."),
        (172.0, 690.0, "Another text over the line that is drawn on the page"),
        (72.0, 670.0, "More."),
    ];
    assert_eq!(
        read(&text, &frame(&XS, &[706.0, 680.0, 660.0])),
        "One text. Another text over the line that is drawn on the page\nMore."
    );
    let alone = [(72.0, 690.0, "A text in a box."), (72.0, 650.0, "Another one.")];
    assert_eq!(read(&alone, &frame(&[70.0, 400.0], &[706.0, 680.0, 640.0])), "A text in a box.\nAnother one.");
}

/// LB-01: level lines above and below the names of the columns, and at the end, make a table.
#[test]
fn lb_01_level_lines_tell_names_and_rows() {
    let level = |at: f64| Rule { is_level: true, at, from: 70.0, to: 400.0 };
    let rules = [level(706.0), level(680.0), level(610.0)];
    let head = [(72.0, 690.0, "File"), (172.0, 690.0, "What it says of those who open it"), (372.0, 690.0, "Size")];
    let rows = [
        (72.0, 670.0, "null"),
        (172.0, 670.0, "Nothing is ever written to it, and"),
        (372.0, 670.0, "1"),
        (172.0, 658.0, "nobody reads it"),
        (72.0, 646.0, "Groups of files"),
        (72.0, 634.0, "Zero"),
        (172.0, 634.0, "A name"),
        (372.0, 634.0, "2"),
        (172.0, 622.0, "Another name"),
        (372.0, 622.0, "3"),
    ];
    let words: Vec<Word> = head.into_iter().chain(rows).collect();
    let want = "| File | What it says of those who open it | Size |\n| --- | --- | --- |\n\
        | null | Nothing is ever written to it, and nobody reads it | 1 |\n| Groups of files |  |  |\n| Zero | A name | 2 |\n|  | Another name | 3 |";
    assert_eq!(read(&words, &rules), want);
    // Two names over two columns each, and lines beside one name.
    let power = [
        (200.0, 697.0, "Power"),
        (350.0, 697.0, "Flow"),
        (72.0, 685.0, "Pump"),
        (172.0, 685.0, "min"),
        (242.0, 685.0, "max"),
        (312.0, 685.0, "min"),
        (382.0, 685.0, "max"),
        (72.0, 670.0, "P1"),
        (172.0, 670.0, "low"),
        (242.0, 670.0, "high"),
        (312.0, 670.0, "none"),
        (382.0, 670.0, "all"),
        (172.0, 658.0, "far"),
        (242.0, 658.0, "near"),
        (312.0, 658.0, "some"),
        (382.0, 658.0, "few"),
        (72.0, 640.0, "P2"),
        (172.0, 640.0, "lower"),
        (242.0, 640.0, "higher"),
        (312.0, 640.0, "nothing"),
        (382.0, 640.0, "it"),
    ];
    assert_eq!(
        read(&power, &rules),
        "| Pump | Power min | Power max | Flow min | Flow max |\n| --- | --- | --- | --- | --- |\n\
         | P1 | low | high | none | all |\n| P1 | far | near | some | few |\n| P2 | lower | higher | nothing | it |"
    );
    // A line across a page of text makes none.
    let text = [(72.0, 690.0, "A title"), (72.0, 670.0, "a text that goes on and on"), (72.0, 630.0, "and ends")];
    assert_eq!(read(&text, &rules), "A title\na text that goes on and on\nand ends");
}

/// LB-01: rows go on with the ruled table of the page before, also where they have no figures, and below a head that is printed again.
#[test]
fn lb_01_ruled_tables_go_on_with_the_next_page() {
    let head = [(72.0, 690.0, "Office"), (172.0, 690.0, "Duty"), (302.0, 690.0, "Person")];
    let row = |base: f64, cells: [&'static str; 3]| {
        XS.into_iter().zip(cells).map(move |(left, cell)| (left + 2.0, base, cell))
    };
    let first: Vec<Word> = head.into_iter().chain(row(670.0, ["Pilots", "Guide", "Ray"])).collect();
    let (text, places) = page(&first);
    let rules = frame(&XS, &[706.0, 680.0, 660.0]);
    let (_, open) = written(&text, &places, &rules, None);
    let next: Vec<Word> = row(690.0, ["Locks", "Open", "Low"]).chain(row(670.0, ["Lamps", "Shine", "May"])).collect();
    let (text, places) = page(&next);
    let (text, _) = written(&text, &places, &rules, open.as_ref());
    assert_eq!(text.trim(), "| Locks | Open | Low |\n| Lamps | Shine | May |");
    let again: Vec<Word> = head.into_iter().chain(row(670.0, ["Lamps", "Shine", "May"])).collect();
    let (text, places) = page(&again);
    let (text, _) = written(&text, &places, &rules, open.as_ref());
    assert_eq!(text.trim(), "| Office | Duty | Person |\n| --- | --- | --- |\n| Lamps | Shine | May |");
}

/// LB-01: a page of very many lines is read in one go.
#[test]
fn lb_01_hostile_lines_are_looked_at_in_bounds() {
    let many = |wide: f64| -> Vec<Rule> {
        let lines = (0..20_000).map(f64::from);
        lines
            .flat_map(|at| [true, false].map(|is_level| Rule { is_level, at: at * wide, from: 0.0, to: 9e9 }))
            .collect()
    };
    let words: Vec<Word> = (0..50_000).map(|at| (f64::from(at % 100) * 9.0, f64::from(at / 100) * 9.0, "w")).collect();
    let (text, places) = page(&words);
    for rules in [many(1.0), many(9.0), many(0.0), many(f64::NAN), frame(&XS, &[1e9, 0.0])] {
        let (text, _) = written(&text, &places, &rules, None);
        assert_eq!(text.matches('w').count(), words.len());
    }
}
