//! Properties: nothing panics, everything written is found again, and a cut loses only what was cut.

use proptest::prelude::*;

use super::*;

/// Pieces that matter to the scanner, for texts that get deep into it.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\\",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "\n",
    " ",
    "```json",
    "```",
    "~~~",
    "//",
    "/*",
    "*/",
    "#",
    "“",
    "”",
    "’",
    "\u{feff}",
    "\"success\"",
    "\"report\"",
    "\"verified\"",
    "\"metadata\"",
    "\"sources\"",
    "true",
    "false",
    "null",
    "1",
    "x",
    "é",
    "\"\"\"",
    "\"success\": true, ",
    "{\"success\": true, \"report\": \"",
    "\"}",
];

/// What models write before and after their JSON. An open single quote is not among them: whether the answer's next
/// apostrophe closes it cannot be known.
const PROSE: [&str; 17] = [
    "Here is the answer:",
    "```json",
    "```",
    "~~~",
    "{placeholder}",
    "{}",
    "{",
    "}",
    "a \"quoted\" word",
    "[1]",
    "it's",
    "{\"tool\": \"search\", \"args\": {\"q\": \"x\"}}",
    "{\"open\": \"never closed",
    "// note",
    "{\"a\": [1, 2",
    "“smart”",
    "C:\\path",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
}

fn prose() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PROSE.to_vec()), 0..5).prop_map(|pieces| pieces.join("\n"))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![soup(), "\\PC{0,80}", any::<String>()]
}

fn items() -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set("[ -~é“🦀]{1,20}", 0..4)
        .prop_map(|set| set.into_iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect())
        .prop_map(|mut items: Vec<String>| {
            items.sort();
            items.dedup();
            items
        })
}

fn answer() -> impl Strategy<Value = Answer> {
    let iterations = prop::option::of(any::<u32>());
    (text(), any::<bool>(), any::<bool>(), items(), items(), iterations).prop_map(
        |(text, success, verified, sources_visited, search_queries, iterations)| Answer {
            success,
            // A report is never blank.
            report: if success { format!("# {text}") } else { String::new() },
            verified: Some(verified),
            sources_visited,
            search_queries,
            iterations,
            salvaged: false,
            error: (!success).then(|| format!("E{}", text.trim_end())),
        },
    )
}

/// With the fields in alphabetical order: `success` comes after the report.
fn pretty(answer: &Answer) -> String {
    let value: serde_json::Value = serde_json::from_str(&written(answer, true)).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn no_text_panics(text in text()) {
        for shape in [AnswerShape::Search, AnswerShape::DeepSearch] {
            if let Ok(answer) = extract(&text, shape) {
                prop_assert!(!answer.success || !answer.report.trim().is_empty());
                prop_assert!(!answer.success || shape == AnswerShape::Search || answer.verified.is_some());
                // What was accepted is an answer by its own measure.
                let whole = Answer { salvaged: false, ..answer };
                prop_assert_eq!(extract(&written(&whole, true), shape), Ok(whole));
            }
        }
    }

    #[test]
    fn what_is_written_is_found(answer in answer(), before in prose(), after in prose(), fenced in any::<bool>(), wide in any::<bool>()) {
        let json = if wide { pretty(&answer) } else { written(&answer, fenced) };
        let json = if fenced { format!("```json\n{json}\n```") } else { json };
        let text = format!("{before}\n{json}\n{after}");
        prop_assert_eq!(extract(&text, AnswerShape::DeepSearch), Ok(answer), "in {}", text);
    }

    #[test]
    fn what_is_encoded_is_found(answer in answer(), layers in 1..=limits::JSON_ENCODINGS) {
        let text = (0..layers).fold(written(&answer, true), |text, _| serde_json::to_string(&text).unwrap());
        prop_assert_eq!(extract(&text, AnswerShape::DeepSearch), Ok(answer));
    }

    #[test]
    fn no_mutation_panics(answer in answer(), at in any::<prop::sample::Index>(), byte in any::<u8>(), insert in any::<bool>()) {
        let mut bytes = written(&answer, insert).into_bytes();
        let at = at.index(bytes.len());
        if insert {
            bytes.insert(at, byte);
        } else {
            bytes[at] = byte;
        }
        let text = String::from_utf8_lossy(&bytes);
        let (_, steps) = counted(&text, AnswerShape::DeepSearch);
        prop_assert!(steps < 4 * (2 * limits::JSON_FREE_STEPS + 32 * text.len() as u64), "{} steps", steps);
    }
}

proptest! {
    // Each case tries every cut.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn a_cut_loses_only_what_was_cut(answer in answer()) {
        for text in [written(&answer, true), format!("```json\n{}\n```", written(&answer, false))] {
            let end = text.rfind('}').unwrap();
            for (cut, _) in text.char_indices().take_while(|(at, _)| *at <= end) {
                let Ok(half) = extract(text.get(..cut).unwrap(), AnswerShape::DeepSearch) else { continue };
                prop_assert!(half.salvaged, "cut at {}", cut);
                prop_assert!(answer.report.starts_with(&half.report), "{:?} at {}", half.report, cut);
                prop_assert!(answer.sources_visited.starts_with(&half.sources_visited));
                prop_assert!(answer.search_queries.starts_with(&half.search_queries));
                prop_assert!(half.iterations.is_none() || half.iterations == answer.iterations);
                prop_assert!(half.verified == answer.verified || half.verified != Some(true));
                prop_assert_eq!(half.success, answer.success);
            }
        }
    }
}
