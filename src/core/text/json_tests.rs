use crate::core::text::{Document, Format, extract};

fn read(format: Format, text: &str) -> Document {
    let document = extract(format, text.as_bytes().to_vec()).unwrap();
    let mut covered = 0;
    for piece in &document.passages {
        let between = document.text.get(covered..piece.span.start).unwrap();
        assert!(!between.contains(char::is_alphanumeric), "no text is lost: {between}");
        let line = |at: usize| u32::try_from(1 + document.text.get(..at).unwrap().matches('\n').count()).unwrap();
        assert_eq!((piece.lines.first, piece.lines.last), (line(piece.span.start), line(piece.span.end - 1)));
        covered = piece.span.end;
    }
    assert!(!document.text.get(covered..).unwrap().contains(char::is_alphanumeric), "no text is lost at the end");
    document
}

fn passages(document: &Document) -> Vec<&str> {
    document.passages.iter().map(|piece| document.passage_text(piece)).collect()
}

/// Fields of a record with a first and a last word of its own, and lists and objects between them.
fn fields(number: usize, words: usize) -> Vec<String> {
    vec![
        format!("\"number\": \"first{number}x\""),
        "\"labels\": [\n\"feature\",\n\"alerts\"\n]".to_owned(),
        format!("\"body\": \"{}\"", "It is [said, so]. ".repeat(words / 4)),
        format!("\"author\": {{\n\"name\": \"kim\",\n\"created\": \"last{number}x\"\n}}"),
    ]
}

fn record(number: usize, words: usize) -> String {
    format!("{{\n{}\n}}", fields(number, words).join(",\n"))
}

/// The same records in all the ways in which lists of them are written.
fn written(words: usize) -> Vec<(&'static str, String)> {
    let records: Vec<String> = (0..9).map(|number| record(number, words)).collect();
    let list = format!("[\n{}\n]\n", records.join(",\n"));
    let indented = |text: &str, step: &str| {
        let mut depth = 0_usize;
        let lines = text.lines().map(|line| {
            depth -= usize::from(line.starts_with(['}', ']']));
            let line_depth = depth;
            depth += usize::from(line.ends_with(['{', '[']));
            format!("{}{line}\n", step.repeat(line_depth))
        });
        lines.collect::<String>()
    };
    vec![
        ("indented", indented(&list, "  ")),
        ("with tabs", indented(&list, "\t")),
        ("in the first column", list.clone()),
        ("on the line of the next", indented(&list, "    ").replace("},\n    {", "}, {")),
        (
            "below a key",
            indented(&format!("{{\n\"total\": 9,\n\"issues\": {},\n\"next\": null\n}}", list.trim()), "  "),
        ),
        (
            "a map",
            format!("{{\n{}\n}}", records.iter().map(|one| format!("\"key\": {one}")).collect::<Vec<_>>().join(",\n")),
        ),
        ("on one line", list.replace('\n', "")),
        ("one a line", records.iter().map(|one| one.replace('\n', "") + "\n").collect()),
    ]
}

/// LB-01: a record of a list that fits a passage is whole in one, however the list is written.
#[test]
fn lb_01_a_record_is_never_cut_and_never_glued_to_a_part_of_another() {
    for words in [4, 30, 60, 120] {
        for (way, text) in written(words) {
            let document = read(Format::Json, &text);
            let passages = passages(&document);
            for number in 0..9 {
                let whole = |passage: &&&str| {
                    passage.contains(&format!("first{number}x")) && passage.contains(&format!("last{number}x"))
                };
                assert_eq!(passages.iter().filter(whole).count(), 1, "{way}, {words} words: {passages:#?}");
            }
            assert!(passages.len() > 1 || words < 30, "{way}, {words} words");
            assert!(passages.len() < 9 || words > 4 || way == "a map", "small ones stand together: {way}");
        }
    }
}

/// LB-01: of records that do not fit a passage, none has parts of two, and each part says whose it is.
#[test]
fn lb_01_parts_of_a_long_record_are_of_that_record() {
    for (way, text) in written(400).into_iter().filter(|(way, _)| *way != "a map") {
        let document = read(Format::Json, &text);
        for piece in &document.passages {
            let text = document.passage_text(piece);
            let of = |number: &usize| {
                [format!("first{number}x"), format!("last{number}x")].iter().any(|word| text.contains(word))
            };
            assert!((0..9).filter(of).count() < 2, "{way}: {text}");
            let name = piece.headings.last().map(String::as_str).unwrap_or_default();
            let is_named = (0..9).any(|number| name == format!("number: first{number}x"));
            assert!(is_named || text.contains("total") || text.contains("next"), "{way}: {:?} {text}", piece.headings);
        }
    }
}

/// LB-01: what fits one passage is one, whatever lists and objects it has.
#[test]
fn lb_01_a_small_document_is_one_passage() {
    let cases = [
        "{\n  \"id\": \"shp_9Kx5\",\n  \"status\": \"returned\",\n  \"parcels\": [\n    {\n      \"w\": 3\n    }\n  ],\n  \"to\": {\n    \
         \"city\": \"Bern\"\n  },\n  \"return_reason\": \"recipient moved\"\n}\n",
        "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n",
        "{\"a\": [1, 2]}",
    ];
    for text in cases {
        assert_eq!(passages(&read(Format::Json, text)), [text.trim_end()]);
    }
}

/// LB-01: equal keys of a JSON file are told apart by what they stand in; what stands behind an object is not below its key.
#[test]
fn lb_01_keys_of_json_know_what_they_stand_in() {
    let filler =
        |name: &str| format!("  \"{name}\": {{\n    \"text\": \"{}\"\n  }}", "so many words of it ".repeat(40));
    let part =
        |name: &str, port: u16| format!("  \"{name}\": {{\n    \"database\": {{\n      \"port\": {port}\n    }}\n  }}");
    let map = format!("{{\n{},\n{},\n{}\n}}", part("staging", 5432), filler("notes"), part("production", 5433));
    let mixed = format!("{{\n  \"id\": 7,\n{},\n  \"port\": 5434\n}}", filler("notes"));
    for step in ["  ", "    ", "\t"] {
        let place = |text: &str, port: &str| {
            let document = read(Format::Json, &text.replace("  ", step));
            let piece = document.passages.iter().find(|piece| document.passage_text(piece).contains(port)).unwrap();
            (
                piece.headings.join(" › "),
                document.passage_text(piece).trim_start_matches(['{', '\n', ' ', '\t']).to_owned(),
            )
        };
        let ((first, shown), (second, _), (behind, _)) =
            (place(&map, "5432"), place(&map, "5433"), place(&mixed, "5434"));
        assert_eq!([first.as_str(), second.as_str(), behind.as_str()], ["staging", "production", ""]);
        assert!(shown.starts_with("\"staging\": {"), "what opens is shown with what it opens: {shown}");
    }
}

#[test]
fn lb_01_what_is_no_sound_json_is_still_text() {
    let long = "\"so many words of it\", ".repeat(90);
    let cases = [
        format!("{{\"a\": [{long}"),
        format!("]}}, {{\"a\": [{long}}}}} ]"),
        format!("[{long}\"open {long}"),
        format!("// {long}\n{{ // \"\n\"a\": 1, // [ of a\n\"b\": [{long}] }}"),
        format!("{{ // {}\n}}", "nothing but words ".repeat(90)),
        "only words, no data\n".repeat(200),
        format!("{}{long}", "[".repeat(50_000)),
        format!("{}1{}", "{\"a\":[".repeat(20_000), "]}".repeat(20_000)),
        "[,]é\\\"é{".repeat(9_000),
    ];
    for text in cases {
        read(Format::Json, &text);
    }
    let document = read(Format::Json, &format!("{{\n\"a\": 1, // of a\n\"b\": [{long}]\n}}"));
    assert!(passages(&document)[0].ends_with("// of a"), "a comment belongs to what stands before it in its line");
}

#[test]
fn many_small_values_make_no_more_passages_than_a_file_may_have() {
    for text in
        ["{\"a\":{\n},", "[1,", "[[1],", "{\"a\":1},\n", "\"\":{},"].map(|part| part.repeat((1 << 20) / part.len()))
    {
        let document = extract(Format::Json, text.into_bytes()).unwrap();
        assert!(document.passages.len() <= crate::core::base::limits::PASSAGES_PER_FILE);
    }
}

/// LB-01: the same holds for the lists of YAML.
#[test]
fn lb_01_records_of_yaml_are_not_glued() {
    let item = |number: usize, indent: &str, words: usize| {
        format!(
            "{indent}- name: first{number}x\n{indent}  tags:\n{indent}    - one\n{indent}    - two\n{indent}  said: {}\n{indent}  last: last{number}x\n",
            "so it is said ".repeat(words / 4)
        )
    };
    let list = |indent: &str, words: usize| (0..9).map(|number| item(number, indent, words)).collect::<String>();
    for words in [4, 40, 100] {
        let cases = [
            list("", words),
            format!("total: 9\nitems:\n{}next: none\n", list("", words)),
            format!("total: 9\nitems:\n{}next: none\n", list("  ", words)),
            format!("spec:\n  kind: x\n  items:\n    # All of them.\n{}  next: none\n", list("    ", words)),
            format!("- group: a\n  members:\n{}- group: b\n  members: none\n", list("    ", words)),
        ];
        for text in cases {
            let document = read(Format::Settings, &text);
            let passages = passages(&document);
            for number in 0..9 {
                let whole = |passage: &&&str| {
                    passage.contains(&format!("first{number}x")) && passage.contains(&format!("last{number}x"))
                };
                assert_eq!(passages.iter().filter(whole).count(), 1, "{words} words: {passages:#?}");
            }
        }
    }
    let document = read(Format::Settings, &format!("items:\n{}", list("  ", 400)));
    for piece in &document.passages {
        let text = document.passage_text(piece);
        let words = |number: &usize| [format!("first{number}x"), format!("last{number}x")];
        assert!((0..9).filter(|number| words(number).iter().any(|word| text.contains(word))).count() < 2, "{text}");
        let name = piece.headings.get(1).map(String::as_str).unwrap_or_default();
        assert!((0..9).any(|number| name == format!("name: first{number}x")), "{:?}: {text}", piece.headings);
    }
}
