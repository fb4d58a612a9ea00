//! Pages that are made to break a reader, at the sizes of an attack: how long each takes, and what is left of it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use hadal::passes::Journey;

use crate::extraction::cpu;

/// Prints a line per page whose name has the part; an error if one takes longer than a second or is lost.
pub(crate) fn run(part: &str) -> Result<(), String> {
    let mut failed: Vec<String> = Vec::new();
    for (name, html) in cases().into_iter().filter(|(name, _)| name.contains(part)) {
        let before = cpu();
        let found = hadal::eval::extract(&html);
        let took = cpu().saturating_sub(before);
        let text = found.as_ref().map_or(0, |(text, _)| text.len());
        let markdown = found.as_ref().map_or(0, |(_, markdown)| markdown.len());
        println!("{name:<22} {:>9} bytes {:>6} ms {text:>9} text {markdown:>9} Markdown", html.len(), took.as_millis());
        if took.as_secs_f64() > 1.0 || text == 0 {
            failed.push(name.to_owned());
        }
    }
    failed.extend(passes(part));
    if failed.is_empty() { Ok(()) } else { Err(format!("too slow or lost: {}", failed.join(", "))) }
}

/// Bytes of a page of the suite.
const SUITE_BYTES: usize = 4 << 20;

/// The suite through everything that is done with a page: a line per page and journey with its slowest passes. Those that take longer than a second.
fn passes(part: &str) -> Vec<String> {
    let mut slow = Vec::new();
    for page in hadal::passes::pages(SUITE_BYTES).into_iter().filter(|page| page.name.contains(part)) {
        let mut took: BTreeMap<Journey, Vec<(&str, Duration)>> = BTreeMap::new();
        let mut before = cpu();
        hadal::passes::run(&page, &mut |journey, pass| {
            let now = cpu();
            took.entry(journey).or_default().push((pass, now.saturating_sub(before)));
            before = now;
        });
        for (journey, mut passes) in took {
            let all: Duration = passes.iter().map(|(_, took)| *took).sum();
            passes.sort_by_key(|(_, took)| Reverse(*took));
            let most = passes.iter().take(3).map(|(pass, took)| format!("{pass} {}", took.as_millis()));
            let name = format!("{} as {journey:?}", page.name);
            let most = most.collect::<Vec<_>>().join(", ");
            println!("{name:<46} {:>9} bytes {:>6} ms: {most}", page.bytes.len(), all.as_millis());
            if all.as_secs_f64() > 1.0 {
                slow.push(name);
            }
        }
    }
    slow
}

fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let many = |piece: &str, count: usize| piece.repeat(count).into_bytes();
    let with = |mut html: Vec<u8>, end: &str| {
        html.extend(end.bytes());
        html
    };
    let attributes: String = (0..1_000_000).map(|no| format!(" a{no}=b")).collect();
    let random = (0..10_000_000_u32).map(|no| (no.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    let cut = "\u{20ac}".repeat(3_000_000).into_bytes();
    vec![
        ("nested div", with(many("<div>", 100_000), "text")),
        ("nested b", with(many("<b>", 100_000), "text")),
        ("nested tables", with(many("<table><tr><td>", 100_000), "text")),
        ("nested lists", with(many("<ul><li>", 100_000), "text")),
        ("quotes, lists, lines", with(many("<blockquote><ul><li>", 200), &"<p>x".repeat(1_000_000))),
        ("11 MB paragraph", with(many("word ", 2_200_000), "</p>")),
        ("11 MB word", many("x", 11_000_000)),
        ("million attributes", format!("text<p{attributes}>").into_bytes()),
        ("nothing closed", many("<p><a href=x><b><td><li>word ", 400_000)),
        ("million paragraphs", many("<p>word", 1_000_000)),
        ("million classes", many("<div class='nav menu a b c d'>x</div>", 300_000)),
        ("end tags", with(many("text<div><table><td><span>", 100), &"</div>".repeat(1_600_000))),
        ("NUL", with(many("\0<\0p>", 2_000_000), "text")),
        ("10 MB of <", with(many("<", 10_000_000), " text")),
        ("entities", many("&amp;&#x41;&nosuch;&CounterClockwiseContourIntegral;", 200_000)),
        ("random bytes", random),
        ("cut UTF-8", cut.get(..cut.len() - 1).unwrap_or_default().to_vec()),
        (
            "long base, many links",
            with(format!("<base href='/{}/'>", "x".repeat(4_000)).into_bytes(), &"<a href=y>z</a> ".repeat(600_000)),
        ),
        (
            "structured data",
            with(
                format!("<script type='application/ld+json'>{}", "[".repeat(5_000_000)).into_bytes(),
                "</script><p>text",
            ),
        ),
    ]
}
