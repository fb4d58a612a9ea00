//! What a run finds on its run_directory.

use super::*;
use crate::core::base::engine::EngineName;
use crate::core::model::ask::Role;

fn ask(role: Role) -> Ask {
    let invalid_output = (role == Role::Correct).then(|| "not JSON".to_owned());
    Ask {
        role,
        engine: EngineName::GeminiCli,
        prompt: "p".into(),
        model: None,
        invalid_output,
        round: 1,
        cycle: 1,
        marks: crate::core::model::prompt::Marks::default(),
        native: None,
    }
}

/// The policy allows exactly what the run needs: two web tools, or one file.
#[test]
fn the_policy_allows_the_tools_of_the_role() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("a.b (c)");
    std::fs::create_dir(&config).unwrap();
    let run_directory = RunDirectory::new(&config, &ask(Role::Research), &[]).unwrap();
    let text = std::fs::read_to_string(&run_directory.policy).unwrap();
    assert!(text.contains(r#"toolName = ["google_web_search", "web_fetch"]"#) && !text.contains("read_file"), "{text}");

    let run_directory = RunDirectory::new(&config, &ask(Role::Correct), &[]).unwrap();
    let text = std::fs::read_to_string(&run_directory.policy).unwrap();
    assert!(text.contains(r"a\\.b \\(c\\)/temp-invalid-output-"), "{text}");
    assert!(!text.contains("web"), "{text}");
}

/// JR-05: nothing of a run is left, and what is left after a crash is swept up.
#[test]
fn jr_05_a_desk_is_cleared() {
    let dir = tempfile::tempdir().unwrap();
    let run_directory = RunDirectory::new(dir.path(), &ask(Role::Correct), &[]).unwrap();
    let invalid = run_directory.invalid.clone().unwrap();
    assert_eq!(std::fs::read_to_string(&invalid).unwrap(), "not JSON");
    drop(run_directory);
    assert!(!invalid.exists());
    let runs = dir.path().join("gemini-cli");
    std::fs::create_dir(runs.join("run-4194305-00ff")).unwrap();
    sweep(dir.path());
    let left: Vec<_> = std::fs::read_dir(runs).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["empty"]);
}
