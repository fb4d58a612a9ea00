//! Passages ranked by meaning as well, with static vectors that the user names.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::Home;

/// A table of two dimensions: boats lie one way, money the other, everything else between them.
const PIECES: [(&str, [f32; 2]); 6] = [
    ("boats", [1.0, 0.0]),
    ("ships", [1.0, 0.0]),
    ("coins", [0.0, 1.0]),
    ("fee", [0.1, 0.9]),
    ("crossing", [0.01, 0.01]),
    ("the", [0.01, 0.01]),
];

const FILES: [(&str, &str); 2] = [
    ("fees.md", "# Crossing\n\nThe river crossing fee is in coins. Pay the river crossing fee.\n"),
    ("harbour.md", "# Harbour\n\nThe crossing of the river is wide, and ships pass there every day of the year.\n"),
];

fn write_vectors(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let vocab: serde_json::Map<String, Value> =
        PIECES.iter().zip(0..).map(|((piece, _), at)| ((*piece).to_owned(), json!(at))).collect();
    let tokenizer = json!({ "model": { "type": "WordPiece", "unk_token": "[UNK]", "vocab": vocab } });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let data: Vec<u8> = PIECES.iter().flat_map(|(_, row)| row.iter().flat_map(|number| number.to_le_bytes())).collect();
    let header =
        json!({ "embeddings": { "dtype": "F32", "shape": [PIECES.len(), 2], "data_offsets": [0, data.len()] } })
            .to_string();
    let file = [&u64::try_from(header.len()).unwrap().to_le_bytes(), header.as_bytes(), &data].concat();
    // As a downloaded model is stored: a link to a file that is named by its content.
    std::fs::write(folder.join("blob"), file).unwrap();
    std::os::unix::fs::symlink(folder.join("blob"), folder.join("model.safetensors")).unwrap();
}

fn ask(home: &Home, vectors: Option<&Path>) -> Value {
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text).unwrap();
    }
    if let Some(vectors) = vectors {
        let config = home.0.path().join("config");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("hadal.toml"), format!("[library]\nvectors = {vectors:?}\n")).unwrap();
    }
    let done =
        home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), "Boats at the river crossing?"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    done.json()
}

#[test]
fn lb_02_vectors_rank_by_meaning_too() {
    let home = Home::new();
    let vectors = home.0.path().join("vectors");
    let first =
        |reply: &Value| reply["sources"][0]["location"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();

    let without = ask(&home, None);
    assert_eq!(first(&without), "fees.md", "the words alone stand oftener there");
    assert_eq!(without["problems"], json!([]));

    write_vectors(&vectors);
    let with = ask(&home, Some(&vectors));
    assert_eq!(first(&with), "harbour.md", "{with}");
    assert_eq!(with["problems"], json!([]));
}

#[test]
fn lb_02_vectors_that_cannot_be_used_are_said_and_cost_no_answer() {
    let home = Home::new();
    let vectors = home.0.path().join("vectors");
    let problem = |reply: &Value| reply["problems"].to_string();

    let missing = ask(&home, Some(&vectors));
    assert_eq!(missing["status"], "completed");
    assert!(problem(&missing).contains("tokenizer.json") && problem(&missing).contains("library.vectors"), "{missing}");

    write_vectors(&vectors);
    std::fs::write(vectors.join("blob"), "no table").unwrap();
    let damaged = ask(&home, Some(&vectors));
    assert_eq!(damaged["status"], "completed");
    assert!(problem(&damaged).contains("holds no static vectors"), "{damaged}");
}
