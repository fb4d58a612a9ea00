//! A reply that is larger than its client shows: what is least needed goes first, so that nothing is cut off in the middle. Everything that goes
//! is still in the task: its results, pages and resources.

use serde_json::{Value, json};

/// Takes away of a reply until its JSON has at most so many bytes, or there is nothing more that can go.
pub(crate) fn fit(reply: &mut Value, bytes: usize) {
    let steps: [fn(&mut Value); 5] = [shorten_lists, drop_rounds, drop_uncited, shorten_problems, drop_sources];
    for step in steps {
        if reply.to_string().len() <= bytes {
            return;
        }
        step(reply);
    }
}

/// What was visited and searched for.
fn shorten_lists(reply: &mut Value) {
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

fn drop_rounds(reply: &mut Value) {
    let Some(metadata) = reply.get_mut("metadata") else { return };
    for name in ["sources_visited", "search_queries_used", "rounds"] {
        shorten(metadata, name, 0);
    }
}

/// Sources that the shown text does not cite.
fn drop_uncited(reply: &mut Value) {
    let text = ["result", "report"].iter().find_map(|name| reply[*name].as_str()).unwrap_or_default().to_owned();
    keep_sources(reply, |source| {
        let number = &source["number"];
        text.contains(&format!("[{number}]")) || text.contains(&format!("[^{number}]"))
    });
}

fn shorten_problems(reply: &mut Value) {
    let all = reply["problems"].as_array().map_or(0, Vec::len);
    let more = reply["problems_omitted"].as_u64().unwrap_or(0);
    if all > PROBLEMS {
        shorten(reply, "problems", PROBLEMS);
        reply["problems_omitted"] = json!(more + (all - PROBLEMS) as u64);
    }
}

const PROBLEMS: usize = 3;

fn drop_sources(reply: &mut Value) {
    keep_sources(reply, |_| false);
}

fn keep_sources(reply: &mut Value, kept: impl Fn(&Value) -> bool) {
    let Some(sources) = reply.get_mut("sources").and_then(Value::as_array_mut) else { return };
    let before = sources.len();
    sources.retain(kept);
    let gone = (before - sources.len()) as u64;
    if gone > 0 {
        reply["sources_omitted"] = json!(reply["sources_omitted"].as_u64().unwrap_or(0) + gone);
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
}
