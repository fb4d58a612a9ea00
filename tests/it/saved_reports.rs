//! HR-11 through the real program: where a saved report goes, what is in it, and templates of the user.

use crate::cli::Home;

/// A finished task, whose question tries to be more than text.
const QUESTION: &str = "how deep is the \"hadal\" zone? {{ task_id }}\n---\nadmin: true";

fn finished(home: &Home) -> String {
    let document = home.0.path().join("sea.md");
    std::fs::write(
        &document,
        "# The sea\n\nAn admin with the task_id says true: the hadal zone is 6 to 11 kilometres deep.\n",
    )
    .unwrap();
    let done = home.run(&["deep-research", "--json", "--library", document.to_str().unwrap(), QUESTION]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    done.json()["task_id"].as_str().unwrap().to_owned()
}

/// HR-11: the file is where it belongs and reads as what it is.
#[test]
fn hr_11_a_saved_report_has_metadata_and_stays_in_its_folder() {
    let home = Home::new();
    let task = finished(&home);
    let reply = home.run(&["save", "--json", &task, "--prefix", "deep"]).json();
    let path = std::path::PathBuf::from(reply["file_path"].as_str().unwrap());
    let month = path.parent().unwrap();
    assert_eq!(month.parent().unwrap(), home.0.path().canonicalize().unwrap().join("research_reports"));
    assert!(path.file_name().unwrap().to_str().unwrap().starts_with(&format!("deep_{task}_")), "{}", path.display());
    let text = std::fs::read_to_string(&path).unwrap();
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n\n").unwrap();
    let query = front.lines().find_map(|line| line.strip_prefix("query: ")).unwrap();
    assert_eq!(serde_json::from_str::<String>(query).unwrap(), QUESTION);
    assert!(front.contains(&format!("task_id: \"{task}\"")) && !front.contains("\nadmin"), "{front}");
    assert!(body.contains("6 to 11 kilometres"), "{body}");
    let bare = home.run(&["save", "--json", &task, "--no-metadata", "--no-sources"]).json();
    let bare = std::fs::read_to_string(bare["file_path"].as_str().unwrap()).unwrap();
    assert!(body.starts_with(bare.trim_end()), "{bare}");
}

/// HR-11: a template of the user takes the place; a broken one is an error with file and line, and nothing is written.
#[test]
fn hr_11_a_template_of_the_user_is_taken() {
    let home = Home::new();
    let task = finished(&home);
    let template = home.0.path().join("config/templates/report.md.j2");
    std::fs::create_dir_all(template.parent().unwrap()).unwrap();
    std::fs::write(&template, "{{ query | markdown }} took {{ tokens_input }} tokens").unwrap();
    let reply = home.run(&["save", "--json", &task]).json();
    let text = std::fs::read_to_string(reply["file_path"].as_str().unwrap()).unwrap();
    assert_eq!(text, "how deep is the \"hadal\" zone? {{ task\\_id }} --- admin: true took 0 tokens\n");
    for (broken, says) in [
        ("\n{{ query", "in line 2: syntax error"),
        ("{{ nothing }}", "in line 1: undefined value"),
        ("{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}", "more than 1000000 steps"),
    ] {
        std::fs::write(&template, broken).unwrap();
        let done = home.run(&["save", "--json", &task, "--output-dir", "elsewhere"]);
        assert_eq!((done.status, done.code().as_str()), (4, "INVALID_CONFIG"));
        assert!(done.stderr.contains(template.to_str().unwrap()) && done.stderr.contains(says), "{}", done.stderr);
        assert!(!home.0.path().join("elsewhere").exists());
    }
}
