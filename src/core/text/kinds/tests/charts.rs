//! Charts as tables.

use super::beside::{document, lines, relation};
use crate::core::text::Format;

/// The points of a series that have a value.
fn points(points: &[&str]) -> String {
    let point = |(at, text): (usize, &&str)| format!("<c:pt idx=\"{at}\"><c:v>{text}</c:v></c:pt>");
    points.iter().enumerate().filter(|(_, text)| !text.is_empty()).map(point).collect()
}

/// A series with what its values are drawn at, each behind the name of its element.
fn series(name: &str, (x_name, x): (&str, &str), (y_name, y): (&str, &[&str])) -> String {
    let y = points(y);
    format!("<c:ser><c:tx><c:v>{name}</c:v></c:tx><c:{x_name}>{x}</c:{x_name}><c:{y_name}>{y}</c:{y_name}></c:ser>")
}

fn axis(kind: &str, id: u32, side: &str, title: &str) -> String {
    format!("<c:{kind}><c:axId val=\"{id}\"/><c:axPos val=\"{side}\"/><c:title><a:t>{title}</a:t></c:title></c:{kind}>")
}

/// A part of a chart with its series and the ids of their axes.
fn part(kind: &str, series: &str, axes: [u32; 2]) -> String {
    let axes = axes.map(|axis| format!("<c:axId val=\"{axis}\"/>")).concat();
    format!("<c:{kind}>{series}{axes}</c:{kind}>")
}

/// LB-01: values stand beside what they were drawn at, and below what their axis shows.
#[test]
fn lb_01_charts_say_what_their_axes_and_groups_say() {
    let dots = |of_heron: &[&str]| {
        let osprey = series("Osprey", ("xVal", &points(&["1", "2"])), ("yVal", &["10", "20"]));
        let heron = series("Heron", ("xVal", &points(of_heron)), ("yVal", &["5", "6"]));
        let axes = axis("valAx", 2, "l", "Pressure in bar") + &axis("valAx", 1, "b", "Depth in metres");
        part("scatterChart", &(osprey + &heron), [1, 2]) + &axes
    };
    let bars = part("barChart", &series("Rain", ("cat", &points(&["May"])), ("val", &["60"])), [1, 2])
        + &part("lineChart", &series("Heat", ("cat", &points(&["May"])), ("val", &["14"])), [3, 4])
        + &axis("catAx", 1, "b", "Month")
        + &axis("valAx", 2, "l", "mm")
        + &axis("valAx", 4, "r", "degrees")
        + &axis("serAx", 5, "r", "Depth");
    let levels = ["Spring", "Autumn", "Spring", "Autumn"];
    let levels = format!("<c:lvl>{}</c:lvl><c:lvl>{}</c:lvl>", points(&levels), points(&["2024", "", "2025"]));
    let cases: [(&str, &[&str]); 4] = [
        (
            &dots(&["100", "200"]),
            &[
                "| Depth in metres | Osprey (Pressure in bar) |",
                "| 1 | 10 |",
                "| 2 | 20 |",
                "| Depth in metres | Heron (Pressure in bar) |",
                "| 100 | 5 |",
                "| 200 | 6 |",
            ],
        ),
        (
            &dots(&["1", "2"]),
            &[
                "| Depth in metres | Osprey (Pressure in bar) | Heron (Pressure in bar) |",
                "| 1 | 10 | 5 |",
                "| 2 | 20 | 6 |",
            ],
        ),
        (&bars, &["| Month | Rain (mm) | Heat (degrees) |", "| May | 60 | 14 |"]),
        (
            &series("Rain", ("cat", &levels), ("val", &["1", "2", "3", "4"])),
            &[
                "|  | Rain |",
                "| Spring, 2024 | 1 |",
                "| Autumn, 2024 | 2 |",
                "| Spring, 2025 | 3 |",
                "| Autumn, 2025 | 4 |",
            ],
        ),
    ];
    for (chart, expected) in cases {
        let read = document(
            Format::Docx,
            &[
                ("word/document.xml", "<w:p><c:chart r:id=\"r\"/></w:p>"),
                ("word/_rels/document.xml.rels", &relation("r", "chart", "c.xml")),
                ("word/c.xml", chart),
            ],
        );
        let found: Vec<&str> = lines(&read).into_iter().filter(|line| !line.starts_with("| ---")).collect();
        assert_eq!(found, expected);
    }
}
