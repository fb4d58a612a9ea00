//! A study over a web of 300 pages with a model that answers by rule from its prompts alone: what was planted is found and cited, what
//! sources disagree on is told from both sides, and neither what pages order nor what the model makes up comes into the report.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use sim::chat::{Chat, Received, Say};
use sim::field::model::{self, MADE_UP, Temper};
use sim::field::{Field, ORDERED, ORDERED_HOST};
use sim::search::SearchApi;
use sim::web::Web;

use super::Lab;

/// A lab over a field; its model is as it is told to be.
pub(super) fn lab(field: &Field, temper: Temper) -> Lab {
    let chat = Chat::start(move |asked: &Received| Say::Text(model::answer(&asked.prompt, temper))).unwrap();
    let web = Web::of(field, Duration::ZERO).unwrap();
    let search = SearchApi::of(field).unwrap();
    Lab { home: tempfile::tempdir().unwrap(), web, search, chat, env: Vec::new() }
}

/// The sources of a reply by their numbers.
fn sources(reply: &Value) -> BTreeMap<u64, String> {
    let all = reply["sources"].as_array().unwrap();
    all.iter()
        .map(|source| (source["number"].as_u64().unwrap(), source["location"].as_str().unwrap().to_owned()))
        .collect()
}

/// The addresses that the sentences with a figure cite.
fn cited_with(report: &str, sources: &BTreeMap<u64, String>, figure: &str) -> Vec<String> {
    let sentences = report.split_inclusive([';', '\n']).flat_map(|line| line.split_inclusive("]."));
    let with = sentences.filter(|sentence| sentence.contains(figure));
    let numbers = with.flat_map(|sentence| {
        sentence.split('[').skip(1).filter_map(|rest| rest.split_once(']')?.0.parse::<u64>().ok()).collect::<Vec<_>>()
    });
    numbers.filter_map(|number| sources.get(&number).cloned()).collect()
}

/// Whether an address is a page or a copy of one.
fn is_of(url: &str, wanted: &[String]) -> bool {
    wanted.iter().any(|known| known == url) || url.contains("/mirror/")
}

/// ST-01, ST-02, ST-03: every planted fact is found and cited, every disagreement is told with both sides, and nothing that the model
/// made up or a page ordered comes into the report unmarked.
#[test]
fn st_01_what_was_planted_is_found_and_what_was_made_up_is_not_kept() {
    let field = Field::new(2_026);
    let lab = lab(&field, Temper::Inventive);
    let reply = lab.research(&[&field.question(), "--task-scope", "large"]);
    let report = reply["result"].as_str().unwrap();
    let sources = sources(&reply);
    let lost: Vec<String> = field
        .facts
        .iter()
        .filter(|fact| !cited_with(report, &sources, &fact.figure).iter().any(|url| is_of(url, &fact.urls)))
        .map(|fact| format!("{} {}", fact.part, fact.figure))
        .collect();
    assert!(lost.is_empty(), "{} of 40 facts are not told: {lost:?}\n{report}", lost.len());
    // ST-02: a link on a page that tells much is followed; a copy of a page is no second source.
    let annex = field.annex.as_ref().unwrap();
    assert!(!cited_with(report, &sources, &annex.figure).is_empty(), "no link was followed to {annex:?}: {report}");
    for (page, copy) in &field.copies {
        let cites = |url: &String| sources.values().any(|known| known == url);
        assert!(!(cites(page) && cites(copy)), "{page} and its copy {copy} are both cited: {sources:#?}");
    }
    let disagree = report.split_once("## Where the sources disagree").map_or("", |(_, told)| told);
    for dispute in &field.disputes {
        for (year, url) in &dispute.sides {
            let cited = cited_with(disagree, &sources, year);
            assert!(cited.iter().any(|known| is_of(known, std::slice::from_ref(url))), "{dispute:?}: {disagree}");
        }
    }
    let told = disagree.split("\n## ").next().unwrap_or_default().lines().filter(|line| line.starts_with("- "));
    assert_eq!(told.count(), field.disputes.len(), "{disagree}");
    for made_up in MADE_UP.iter().chain(&[ORDERED, ORDERED_HOST, "8177"]) {
        let unmarked = without_marked_code(report);
        assert!(!unmarked.contains(made_up), "`{made_up}` was made up and stands in the report:\n{report}");
    }
    let searched = lab.search.requests().iter().any(|asked| asked.body.to_string().contains(ORDERED_HOST));
    assert!(!searched, "a page had something searched for");
    assert!(lab.web.requests().iter().all(|asked| asked.host != ORDERED_HOST), "a page was obeyed");
}

/// A report without the code that it marks as unchecked.
fn without_marked_code(report: &str) -> String {
    let mut kept = String::new();
    let mut rest = report;
    while let Some((before, code)) = rest.split_once("```") {
        kept.push_str(before);
        let (code, behind) = code.split_once("```").unwrap_or((code, ""));
        if !behind.trim_start().starts_with("_This code stands in none of the sources._") {
            kept.push_str(code);
        }
        rest = behind;
    }
    kept + rest
}
