use super::*;

/// A file of the form that is read, with one table.
fn tensors(kind: &str, rows: usize, columns: usize, data: &[u8]) -> Vec<u8> {
    let header = format!(
        r#"{{"__metadata__":{{"format":"pt"}},"embeddings":{{"dtype":"{kind}","shape":[{rows},{columns}],"data_offsets":[0,{}]}}}}"#,
        data.len()
    );
    file(&header, data)
}

fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&u64::try_from(header.len()).expect("short").to_le_bytes(), header.as_bytes(), data].concat()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn tokenizer(pieces: &[&str]) -> Vec<u8> {
    let vocab: serde_json::Map<_, _> =
        pieces.iter().zip(0_u32..).map(|(piece, number)| ((*piece).to_owned(), number.into())).collect();
    serde_json::json!({
        "normalizer": { "type": "BertNormalizer", "lowercase": true },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab },
    })
    .to_string()
    .into_bytes()
}

/// Boats lie one way, money the other; `?` has a share of both.
pub(crate) fn small() -> StaticVectors {
    let pieces = ["[UNK]", "boat", "ship", "##s", "money", "?", "cafe", "船"];
    let rows = [[9.0, 9.0], [1.0, 0.0], [0.9, 0.1], [0.0, 0.0], [0.0, 1.0], [0.1, 0.1], [0.5, 0.5], [1.0, 0.0]];
    StaticVectors::read(&tokenizer(&pieces), &tensors("F32", 8, 2, &floats(rows.as_flattened()))).expect("it is whole")
}

#[test]
fn lb_02_texts_that_say_the_same_lie_near_each_other() {
    let vectors = small();
    let mut embedder = vectors.embedder();
    let [boats, ship, money] = ["Boats", "a ship", "MONEY"].map(|text| embedder.vector(text));
    assert!(boats.nearness(&ship) > 0.95, "{}", boats.nearness(&ship));
    assert!(boats.nearness(&money) < 0.05);
    assert!(boats.clone().with(&money).nearness(&money) > 0.7, "a sum lies between its parts");
}

#[test]
fn words_are_cut_as_the_table_was_made() {
    let rows: &[(&str, &[&str])] = &[
        ("Don't go-there", &["don", "'", "t", "go", "-", "there"]),
        ("CAFÉ\u{0}s\tÅngström", &["cafes", "angstrom"]),
        ("日本 and 東", &["日", "本", "and", "東"]),
        ("", &[]),
        ("a…b", &["a", "…", "b"]),
    ];
    for (text, want) in rows {
        let mut words = Vec::new();
        pieces::each_word(text, |word| words.push(word.to_owned()));
        assert_eq!(&words, want, "{text}");
    }
    let vectors = small();
    let numbers = |word: &str| vectors.pieces.of_word(word);
    assert_eq!(numbers("boats"), [1, 3]);
    assert_eq!(numbers("船"), [7]);
    assert_eq!(numbers("boaty"), [] as [u32; 0], "a word that is not made of pieces has none");
    assert_eq!(numbers(&"s".repeat(101)), [] as [u32; 0]);
    assert_eq!(numbers("[UNK]"), [] as [u32; 0], "what is not known has no meaning");
}

#[test]
fn a_text_without_a_known_word_is_near_nothing() {
    let vectors = small();
    let mut embedder = vectors.embedder();
    let (nothing, boat) = (embedder.vector("xyzzy"), embedder.vector("boat"));
    assert!(nothing.nearness(&boat).abs() < f32::EPSILON);
    assert!(nothing.nearness(&nothing).abs() < f32::EPSILON);
}

#[test]
fn numbers_of_every_kind_give_the_same_directions() {
    let pieces = tokenizer(&["a", "b"]);
    let half: Vec<u8> = [0x3c00_u16, 0x0000, 0xb800, 0x0001].iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let kinds = [
        tensors("F32", 2, 2, &floats(&[1.0, 0.0, -0.5, 0.0])),
        tensors("F16", 2, 2, &half),
        tensors("I8", 2, 2, &[127, 0, 193, 0]),
    ];
    for kind in kinds {
        let vectors = StaticVectors::read(&pieces, &kind).expect("it is whole");
        let mut embedder = vectors.embedder();
        let nearness = embedder.vector("a").nearness(&embedder.vector("b"));
        assert!((nearness + 1.0).abs() < 1e-4, "{nearness}");
    }
}

#[test]
fn what_is_no_table_is_refused_with_the_reason() {
    let (pieces, whole) = (tokenizer(&["a", "b"]), tensors("F32", 2, 1, &floats(&[1.0, 2.0])));
    let two = r#"{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"weights":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
    let cases: &[(&[u8], Vec<u8>, &str)] = &[
        (b"{}", whole.clone(), "missing field `model`"),
        (br#"{"model":{"type":"Unigram","vocab":[]}}"#, whole.clone(), "only WordPiece"),
        (br#"{"model":{"type":"WordPiece","vocab":{}}}"#, whole.clone(), "no pieces"),
        (
            br#"{"normalizer":{"lowercase":false},"model":{"type":"WordPiece","vocab":{"a":0}}}"#,
            whole.clone(),
            "capitals",
        ),
        (&pieces, Vec::new(), "too short"),
        (&pieces, u64::MAX.to_le_bytes().to_vec(), "header is too long"),
        (&pieces, file("{", b"")[..8].to_vec(), "cut off"),
        (&pieces, file("[]", b""), "header cannot be read"),
        (&pieces, file("{}", b""), "one table"),
        (&pieces, file(two, &floats(&[1.0, 1.0])), "embeddings, weights"),
        (&pieces, whole[..whole.len() - 1].to_vec(), "numbers are cut off"),
        (&pieces, tensors("F64", 2, 1, &[0; 16]), "F64"),
        (&pieces, tensors("F32", 2, 3, &[0; 16]), "shape"),
        (&pieces, tensors("F32", 0, 3, &[]), "empty"),
        (&pieces, tensors("F32", usize::MAX, 2, &[0; 16]), "shape"),
        (&pieces, tensors("F32", 2, 1, &floats(&[1.0, f32::NAN])), "without a value"),
        (&pieces, tensors("F32", 1, 2, &floats(&[1.0, 2.0])), "there are 1 vectors"),
    ];
    for (tokenizer, tensors, want) in cases {
        let error = StaticVectors::read(tokenizer, tensors).expect_err(want).to_string();
        assert!(error.contains(want), "{error} should say: {want}");
    }
}
