//! `hadal-eval evidence-speed`: claims against pages, each with each, on one core.

use hadal::eval::evidence::{Claim, Page};
use serde_json::json;

use super::random::Random;
use crate::extraction::cpu;

const CLAIMS: usize = 1_000;
const PAGES: usize = 100;
const PAGE_BYTES: usize = 50_000;
const SYLLABLES: [&str; 24] = [
    "ba", "re", "ti", "no", "ka", "lu", "ven", "mor", "sil", "dan", "per", "tos", "gri", "el", "um", "chi", "ra",
    "fen", "ost", "wi", "plo", "ja", "qu", "zen",
];
const SMALL: [&str; 16] =
    ["the", "of", "and", "in", "to", "was", "is", "for", "with", "by", "on", "from", "it", "that", "as", "at"];

/// Prints how long 1,000 claims and 100 pages of 50 KB take: prepared, each claim by one page, and each by all.
pub(crate) fn run() -> Result<(), String> {
    let mut random = Random::new(7);
    let words: Vec<String> = (0..6_000)
        .map(|_| (0..2 + random.below(3)).filter_map(|_| random.pick(&SYLLABLES).copied()).collect())
        .collect();
    let pages: Vec<String> = (0..PAGES).map(|_| text(&words, &mut random, PAGE_BYTES)).collect();
    let claims: Vec<String> = (0..CLAIMS).map(|_| text(&words, &mut random, 120)).collect();
    let seconds = |before: std::time::Duration| cpu().saturating_sub(before).as_secs_f64();
    let before = cpu();
    let pages: Vec<Page> = pages.iter().map(|page| Page::new(page)).collect();
    let claims: Vec<Claim> = claims.iter().map(|claim| Claim::new(claim)).collect();
    let prepared = seconds(before);
    let before = cpu();
    let one: usize = claims
        .iter()
        .zip(pages.iter().cycle())
        .filter(|(claim, page)| claim.judge(page).verdict == "supported")
        .count();
    let cited = prepared + seconds(before);
    let before = cpu();
    let all: usize =
        claims.iter().map(|claim| pages.iter().filter(|page| claim.judge(page).verdict == "supported").count()).sum();
    let each = prepared + seconds(before);
    println!("{CLAIMS} claims, {PAGES} pages of {PAGE_BYTES} bytes: prepared in {prepared:.2} s");
    println!(
        "each claim by one page {cited:.2} s ({one} supported), each by all pages {each:.2} s ({all} supported), CPU"
    );
    println!("{}", json!({ "prepared_s": prepared, "by_one_page_s": cited, "by_all_pages_s": each }));
    if cited < 2.0 { Ok(()) } else { Err("claims by the pages they cite take two seconds or more".to_owned()) }
}

fn text(words: &[String], random: &mut Random, bytes: usize) -> String {
    let mut text = String::new();
    let mut length = 0;
    while text.len() < bytes {
        let new = length == 0;
        let word = match random.below(10) {
            0..4 => (*random.pick(&SMALL).unwrap_or(&"the")).to_owned(),
            4 => (1 + random.below(2_030)).to_string(),
            // Few words stand often and most stand seldom.
            _ => words[(random.below(words.len()) * random.below(1_000)) / 1_000].clone(),
        };
        let capital = new || random.below(9) == 0;
        let mut letters = word.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(|c| if capital { c.to_uppercase().collect::<Vec<_>>() } else { vec![c] })
            .collect();
        text.push_str(&first);
        text.push_str(letters.as_str());
        length += 1;
        if length > 8 + random.below(20) {
            text.push_str(". ");
            length = 0;
        } else {
            text.push(' ');
        }
    }
    text
}
