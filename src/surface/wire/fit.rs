//! A reply that is larger than its client shows: what is least needed goes first, so that nothing is cut off in the middle. Everything that goes
//! is still in the task: its results, pages and resources.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::core::saved::cited_numbers;

/// Takes away of a reply until its JSON has at most so many bytes, or there is nothing more that can go.
pub(crate) fn fit(reply: &mut Value, bytes: usize) {
    let steps: [fn(&mut Value, usize); 8] = [
        shorten_lists,
        drop_rounds,
        shorten_sections,
        drop_supported,
        drop_uncited,
        shorten_problems,
        drop_sources,
        cut_rows,
    ];
    for step in steps {
        if reply.to_string().len() <= bytes {
            return;
        }
        step(reply, bytes);
    }
}

/// What was visited and searched for.
fn shorten_lists(reply: &mut Value, _bytes: usize) {
    let Some(metadata) = reply.get_mut("metadata") else { return };
    for name in ["sources_visited", "search_queries_used"] {
        shorten(metadata, name, 5);
    }
    for round in metadata.get_mut("rounds").and_then(Value::as_array_mut).into_iter().flatten() {
        for name in ["sources_visited", "search_queries"] {
            shorten(round, name, 3);
        }
    }
}

fn drop_rounds(reply: &mut Value, _bytes: usize) {
    let Some(metadata) = reply.get_mut("metadata") else { return };
    for name in ["sources_visited", "search_queries_used", "rounds"] {
        shorten(metadata, name, 0);
    }
}

/// Titles of sections; each is also found by its number.
fn shorten_sections(reply: &mut Value, bytes: usize) {
    let over = reply.to_string().len().saturating_sub(bytes);
    let titles = reply.get_mut("paging").and_then(|paging| paging.get_mut("sections")).and_then(Value::as_array_mut);
    let Some(titles) = titles else { return };
    let mut gone = 0;
    while gone < over
        && let Some(title) = titles.pop()
    {
        gone += title.to_string().len() + 1;
    }
}

/// Claims that their sources bear out: what is wrong is what a reader of a check looks for.
fn drop_supported(reply: &mut Value, bytes: usize) {
    drop_last(reply, "claims", bytes, |claim| claim["verdict"] == "supported");
}

/// Sources that neither the shown text nor a shown claim cites.
fn drop_uncited(reply: &mut Value, _bytes: usize) {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let sources = reply["sources"].as_array().map(Vec::as_slice).unwrap_or_default();
    let known: BTreeSet<u32> = sources.iter().filter_map(|source| number(&source["number"])).collect();
    let text = ["result", "report"].iter().find_map(|name| reply[*name].as_str()).unwrap_or_default();
    let claims = reply["claims"].as_array().map(Vec::as_slice).unwrap_or_default();
    let by_claims = claims.iter().flat_map(|claim| claim["cited"].as_array()).flatten();
    let mut cited = cited_numbers(text, &known);
    cited.extend(by_claims.filter_map(|row| number(&row["source"])));
    keep(reply, "sources", |source| number(&source["number"]).is_some_and(|number| cited.contains(&number)));
}

fn shorten_problems(reply: &mut Value, _bytes: usize) {
    let all = reply["problems"].as_array().map_or(0, Vec::len);
    let more = reply["problems_omitted"].as_u64().unwrap_or(0);
    if all > PROBLEMS {
        shorten(reply, "problems", PROBLEMS);
        reply["problems_omitted"] = json!(more + (all - PROBLEMS) as u64);
    }
}

const PROBLEMS: usize = 3;

fn drop_sources(reply: &mut Value, _bytes: usize) {
    // A check without its sources says nothing; its rows are cut instead.
    if reply["claims"].is_null() {
        keep(reply, "sources", |_| false);
    }
}

/// The last rows of what is a list and nothing else: tasks are listed newest first, claims in the order of the report.
fn cut_rows(reply: &mut Value, bytes: usize) {
    for name in ["tasks", "claims", "sources"] {
        drop_last(reply, name, bytes, |_| true);
    }
}

/// Drops rows that may go, the last ones first, while the reply is too large.
fn drop_last(reply: &mut Value, name: &str, bytes: usize, may_go: fn(&Value) -> bool) {
    let mut over = reply.to_string().len().saturating_sub(bytes);
    let Some(rows) = reply[name].as_array() else { return };
    let mut is_kept = vec![true; rows.len()];
    let mut counted = false;
    for (row, is_kept) in rows.iter().zip(&mut is_kept).rev() {
        if over == 0 {
            break;
        }
        if may_go(row) {
            // With its comma, and the count of what is gone, which needs room too.
            over = over.saturating_sub(row.to_string().len() + 1);
            over += if counted { 0 } else { OMITTED_BYTES };
            (*is_kept, counted) = (false, true);
        }
    }
    let mut kept = is_kept.into_iter();
    keep(reply, name, |_| kept.next().unwrap_or(true));
}

/// The room that `"sources_omitted":12345,` takes.
const OMITTED_BYTES: usize = 24;

/// Keeps rows of a list and counts the others.
fn keep(reply: &mut Value, name: &str, kept: impl FnMut(&Value) -> bool) {
    let Some(rows) = reply.get_mut(name).and_then(Value::as_array_mut) else { return };
    let before = rows.len();
    rows.retain(kept);
    let gone = (before - rows.len()) as u64;
    if gone > 0 {
        let omitted = format!("{name}_omitted");
        reply[&omitted] = json!(reply[&omitted].as_u64().unwrap_or(0) + gone);
    }
}

fn shorten(object: &mut Value, name: &str, most: usize) {
    if let Some(Value::Array(list)) = object.get_mut(name) {
        list.truncate(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply() -> Value {
        let sources: Vec<Value> =
            (1..=200).map(|n| json!({"number": n, "title": "x".repeat(60), "location": "y".repeat(60)})).collect();
        let round = json!({"search_queries": vec!["q"; 50], "sources_visited": vec!["u"; 50]});
        json!({
            "success": true, "result": "Deep [1], deeper [^3].", "sources": sources, "problems": vec![json!({"message": "z".repeat(200)}); 20],
            "metadata": {"sources_visited": vec!["v"; 300], "search_queries_used": vec!["w"; 300], "rounds": vec![round; 10]},
        })
    }

    /// MC-01: the least needed goes first, and the text never.
    #[test]
    fn mc_01_the_text_stays() {
        let whole = reply().to_string().len();
        let mut before = reply();
        fit(&mut before, whole);
        assert_eq!(before, reply());
        for bytes in [whole - 1, 30_000, 8_000, 2_000, 1_000, 1] {
            let mut fitted = reply();
            fit(&mut fitted, bytes);
            assert!(fitted.to_string().len() <= bytes.max(1_000), "{bytes}: {}", fitted.to_string().len());
            assert_eq!(fitted["result"], reply()["result"]);
            let (listed, omitted) =
                (fitted["sources"].as_array().unwrap().len(), fitted["sources_omitted"].as_u64().unwrap_or(0));
            assert_eq!(listed as u64 + omitted, 200);
        }
        let mut cited = reply();
        fit(&mut cited, 8_000);
        assert_eq!(cited["sources"].as_array().unwrap().len(), 2);
    }

    /// MC-01: a page of a report with many long titles fits too.
    #[test]
    fn mc_01_titles_of_sections_are_cut() {
        let titles: Vec<Value> = (0..60).map(|n| json!(format!("{n} {}", "t".repeat(100)))).collect();
        let mut fitted = json!({"report": "r".repeat(4_000), "paging": {"page": 1, "sections": titles}});
        fit(&mut fitted, 8_000);
        let length = fitted.to_string().len();
        assert!(length <= 8_000 && length + 200 > 8_000, "{length}");
        assert_eq!(fitted["paging"]["sections"][0], titles[0]);
    }

    /// MC-01: a list of tasks loses its oldest, and says how many.
    #[test]
    fn mc_01_lists_fit_too() {
        let tasks: Vec<Value> = (0..200).map(|n| json!({"task_id": n, "query": "x".repeat(200)})).collect();
        for bytes in [40_000, 9_000, 500] {
            let mut fitted = json!({"success": true, "tasks": tasks});
            fit(&mut fitted, bytes);
            let shown = fitted["tasks"].as_array().unwrap();
            assert!(fitted.to_string().len() <= bytes, "{bytes}: {}", fitted.to_string().len());
            assert!(fitted.to_string().len() + 300 > bytes, "as many as there is room for");
            assert_eq!(
                (&shown[0]["task_id"], shown.len() as u64),
                (&json!(0), 200 - fitted["tasks_omitted"].as_u64().unwrap())
            );
        }
    }

    /// MC-01: a check keeps what is wrong, and the sources of that.
    #[test]
    fn mc_01_a_check_keeps_what_is_wrong() {
        let claim = |n: u64| {
            let verdict = if n == 70 { "contradicted" } else { "supported" };
            json!({"number": n, "claim": "x".repeat(100), "verdict": verdict, "cited": [{"source": n, "verdict": verdict}]})
        };
        let claims: Vec<Value> = (1..=100).map(claim).collect();
        let sources: Vec<Value> = (1..=100).map(|n| json!({"number": n, "address": "y".repeat(60)})).collect();
        let whole = json!({"success": true, "claims": claims, "sources": sources});
        let mut fitted = whole.clone();
        fit(&mut fitted, 5_000);
        assert!(fitted.to_string().len() <= 5_000);
        assert_eq!((&fitted["claims"][0]["number"], &fitted["claims_omitted"]), (&json!(70), &json!(99)));
        assert_eq!((&fitted["sources"][0]["number"], &fitted["sources_omitted"]), (&json!(70), &json!(99)));
        // No more goes than must.
        let mut nearly = whole;
        let most = nearly.to_string().len() - 1_000;
        fit(&mut nearly, most);
        let length = nearly.to_string().len();
        assert!(length <= most && length + 300 > most, "{length} of {most}");
        let shown = nearly["claims"].as_array().unwrap();
        assert!(shown.len() > 90 && shown.iter().any(|claim| claim["number"] == 70), "{}", shown.len());
        assert_eq!(shown.len() as u64 + nearly["claims_omitted"].as_u64().unwrap(), 100);
        assert_eq!(nearly["sources_omitted"], Value::Null);
    }
}
