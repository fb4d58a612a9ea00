//! Files of a library that are not what they seem: called otherwise, changed by another name, kept for their secrets, too many to be listed.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::Home;
use crate::client::Client;

/// A folder with these files, beside the data of a home.
fn folder(home: &Home, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = home.0.path().join("notes");
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn added(home: &Home, folder: &Path, flags: &[&str]) -> Value {
    let done = home.run(&[&["library", "add", "--json", folder.to_str().unwrap()], flags].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    done.json()
}

/// LB-01: whoever reads JSON sees how many problems there were beyond those that are listed, as people do.
#[test]
fn lb_01_problems_beyond_those_listed_are_counted() {
    let home = Home::new();
    let names: Vec<String> = (0..120).map(|at| format!("{at}.docx")).collect();
    let mut files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), b"no office file".as_slice())).collect();
    files.push(("tide.md", b"The tide at Brest rises by six metres.\n"));
    let folder = folder(&home, &files);
    let reply = added(&home, &folder, &[]);
    assert_eq!((reply["problems"].as_array().unwrap().len(), &reply["problems_omitted"]), (50, &json!(70)), "{reply}");
    let done = home.run(&["library", "add", folder.to_str().unwrap()]);
    assert!(done.stderr.contains("70 more files or folders could not be read"), "{}", done.stderr);
    let reply = home.run(&["deep-research", "--json", "How far does the tide rise at Brest?"]).json();
    assert_eq!((reply["problems"].as_array().unwrap().len(), &reply["problems_omitted"]), (20, &json!(100)), "{reply}");
    assert!(reply["result"].as_str().unwrap().contains("- and 100 more"), "{reply}");
}

/// LB-01: a folder that is left out is called a folder, whatever is in it.
#[test]
fn lb_01_folders_that_are_left_out_are_counted_as_such() {
    let home = Home::new();
    let files: [(&str, &[u8]); 8] = [
        ("a.md", b"The tide rises.\n"),
        ("node_modules/x/a.md", b"tide\n"),
        ("node_modules/x/b.md", b"tide\n"),
        (".cache/a.md", b"tide\n"),
        (".gitignore", b"out/\n*.log\n"),
        ("out/a.md", b"tide\n"),
        ("b.log", b"tide\n"),
        ("drafts/a.md", b"tide\n"),
    ];
    let folder = folder(&home, &files);
    let reply = added(&home, &folder, &["--exclude", "drafts/"]);
    let expected = json!({
        "excluded folder": 1, "folder ignored by .gitignore": 1, "folder made by tools": 1, "hidden folder": 1,
        "ignored by .gitignore": 1, "marks of programs": 1
    });
    assert_eq!(reply["root"]["skipped"], expected, "{reply}");
    let listed = home.run(&["library", "list"]).stdout;
    assert!(listed.contains("2 files and 4 folders not read"), "{listed}");
}

/// LB-01: office files, books and pages are read as what they are, whatever they are called, and cited by the name that they have.
#[test]
fn lb_01_files_are_read_as_what_their_bytes_say() {
    let home = Home::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    let read = |name: &str| fs::read(data.join(name)).unwrap();
    let (docx, epub, xlsx, zip) =
        (read("pandoc.docx"), read("pandoc.epub"), read("libreoffice.xlsx"), read("python.zip"));
    let page = b"<!DOCTYPE html>\n<title>Gauge</title><nav>quillwort</nav><p>The gauge is called ninebark.</p>\n";
    let files: [(&str, &[u8]); 6] = [
        ("letter.zip", &docx),
        ("letter.txt", &docx),
        ("book.zip", &epub),
        ("table.md", &xlsx),
        ("real.zip", &zip),
        ("page.txt", page),
    ];
    let folder = folder(&home, &files);
    let reply = added(&home, &folder, &[]);
    // An archive is the two documents in it.
    assert_eq!((&reply["root"]["files"], &reply["problems"]), (&json!(7), &json!([])), "{reply}");
    assert_eq!(reply["root"]["skipped"], json!({}), "{reply}");
    let asked = home.run(&["deep-research", "What is the gauge called?"]).stdout;
    assert!(asked.contains("[1] `page.txt"), "{asked}");
    assert!(!asked.contains("quillwort") && !asked.contains("<p>"), "{asked}");
}

/// LB-01: what is written to a document by another name, outside of the folder, is read with the next question, also where the folder is watched.
#[test]
fn lb_01_what_is_written_by_another_name_is_read() {
    let home = Home::new();
    let folder = folder(&home, &[("pool.md", b"The pool opens at 6:30.\n"), ("tide.md", b"The tide rises.\n")]);
    let outside = home.0.path().join("outside.md");
    fs::hard_link(folder.join("pool.md"), &outside).unwrap();
    let mut client = Client::connect(home.0.path());
    let mut ask = |question: &str| {
        let arguments = json!({"query": question, "library": [folder.to_str().unwrap()]});
        let reply = client.call("deep_research", arguments);
        assert_eq!(reply["problems"], json!([]), "{reply}");
        reply["result"].as_str().unwrap().to_owned()
    };
    for question in ["When does the pool open?", "At what time does the pool open?", "Does the pool open early?"] {
        let report = ask(question);
        assert!(report.contains("6:30"), "{report}");
    }
    fs::write(&outside, "The pool opens at 7:45 now, every day.\n").unwrap();
    let report = ask("What time does the pool open in the morning?");
    assert!(report.contains("7:45") && !report.contains("6:30"), "{report}");
}

/// LB-01: settings in folders of secrets and what is encrypted are not read, also with `--hidden`; what explains them is.
#[test]
fn lb_01_settings_in_folders_of_secrets_are_not_read() {
    let home = Home::new();
    let files: [(&str, &[u8]); 9] = [
        ("secrets/database.yml", b"password: hunter2\n"),
        ("secrets/README.md", b"Passwords of the database are changed by Vera Keller.\n"),
        (".secrets/smtp.ini", b"password = hunter2\n"),
        ("group_vars/vault.yml", b"password: hunter2\n"),
        ("group_vars/all.yml", b"$ANSIBLE_VAULT;1.1;AES256\n6638643965396333hunter2\n"),
        ("deploy.yaml", b"password: ENC[AES256_GCM,data:hunter2,iv:x,tag:y,type:str]\nsops:\n  version: 3.8.1\n"),
        ("vault/diary.md", b"The gauge of the harbour is called ninebark.\n"),
        ("deploy.md", b"A vault begins with `$ANSIBLE_VAULT;1.1;AES256`.\n"),
        ("secrets/prod/api_host.txt", b"hunter2\n"),
    ];
    let folder = folder(&home, &files);
    let reply = added(&home, &folder, &["--hidden"]);
    assert_eq!((&reply["root"]["files"], &reply["root"]["skipped"]), (&json!(3), &json!({"secrets": 6})), "{reply}");
    let asked = home.run(&["deep-research", "--json", "What is hunter2, the password of the database?"]);
    assert!(!asked.stdout.contains("password: ") && !asked.stdout.contains("smtp"), "{}", asked.stdout);
    let asked = home.run(&["deep-research", "Who changes the passwords of the database?"]).stdout;
    assert!(asked.contains("Vera Keller") && asked.contains("secrets/README.md"), "{asked}");
    // Whoever names such a folder, or a file in it, gets no secrets either.
    for root in ["secrets", "secrets/database.yml"] {
        let reply = added(&home, &folder.join(root), &[]);
        let files = u64::from(root == "secrets");
        assert_eq!(
            (&reply["root"]["files"], reply["root"]["skipped"]["secrets"].is_u64()),
            (&json!(files), true),
            "{reply}"
        );
    }
}

/// LB-01: what acts or is not seen in the name of a file is marked where people read it, and the name in JSON opens the file.
#[test]
fn lb_01_names_that_are_not_what_they_look_like_are_marked() {
    let home = Home::new();
    let names = ["in\u{202e}gnp.md", "pay\u{200b}pal.md", "bad\u{2066}.docx"];
    let text: &[u8] = b"The gauge of the harbour is called ninebark.\n";
    let folder = folder(
        &home,
        &[(names[0], text), (names[1], b"The pump of the harbour is called spruce.\n"), (names[2], text)],
    );
    let hidden = |text: &str| text.contains(['\u{202e}', '\u{200b}', '\u{2066}']);
    let told = home.run(&["library", "add", folder.to_str().unwrap()]);
    assert!(!hidden(&told.stdout) && !hidden(&told.stderr), "{}{}", told.stdout, told.stderr);
    for (question, name, shown) in [
        ("What is the gauge of the harbour called?", names[0], "in\u{fffd}gnp.md"),
        ("What is the pump of the harbour called?", names[1], "pay\u{fffd}pal.md"),
    ] {
        let done = home.run(&["deep-research", question]);
        assert!(!hidden(&done.stdout) && !hidden(&done.stderr), "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(&format!("[1]** `{shown}`")), "{}", done.stdout);
        let reply = home.run(&["deep-research", "--json", question]).json();
        let location = reply["sources"][0]["location"].as_str().unwrap();
        assert_eq!(Path::new(location), folder.join(name), "{reply}");
        assert!(Path::new(location).is_file() && !hidden(reply["result"].as_str().unwrap()), "{reply}");
    }
}
