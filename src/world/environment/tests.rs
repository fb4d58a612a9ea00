use std::os::unix::ffi::OsStringExt;

use super::*;

/// Resolves with `HADAL_HOME` at a fresh directory whose `hadal.toml` holds `toml`.
fn with(toml: Option<&[u8]>, variables: &[(&str, OsString)]) -> Result<Resolved> {
    let dir = tempfile::tempdir().unwrap();
    if let Some(toml) = toml {
        std::fs::create_dir(dir.path().join("config")).unwrap();
        std::fs::write(dir.path().join("config/hadal.toml"), toml).unwrap();
    }
    let flags = Flags { home: Some(dir.path().to_owned()), others: Vec::new() };
    let lookup = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    gather(flags, &lookup)
}

#[test]
fn an_absent_file_and_empty_variables_are_nothing() {
    let settings = with(None, &[("HADAL_MAX_TASKS", OsString::new())]).unwrap().settings;
    assert_eq!(settings.max_tasks, 8);
}

#[test]
fn the_file_is_read_below_the_environment() {
    let toml = Some(&b"max_tasks = 3\nlinger = 5\n"[..]);
    let settings = with(toml, &[("HADAL_MAX_TASKS", "4".into())]).unwrap().settings;
    assert_eq!((settings.max_tasks, settings.linger.as_secs()), (4, 5));
}

#[test]
fn broken_files_are_coded_errors() {
    let huge = vec![b'#'; usize::try_from(limits::CONFIG_FILE_MAX_BYTES).unwrap() + 1];
    for (toml, word) in [
        (&b"max_tasks = 3\n# \xff\n"[..], "not valid UTF-8 in line 2"),
        (&huge, "larger than 262144 bytes"),
        (b"max_tasks", "line 1, is not valid TOML"),
    ] {
        let error = with(Some(toml), &[]).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains(word), "{:?} does not say {word:?}", error.message);
    }
}

#[test]
fn a_folder_in_the_place_of_the_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("config/hadal.toml")).unwrap();
    let flags = Flags { home: Some(dir.path().to_owned()), others: Vec::new() };
    let error = gather(flags, &|_| None).unwrap_err();
    assert!(error.message.ends_with("is not a file"), "{}", error.message);
}

#[test]
fn values_that_are_not_text_name_their_variable_only() {
    let value = OsString::from_vec(b"canary\xff".to_vec());
    for name in ["GEMINI_API_KEY", "HADAL_ENGINE"] {
        let error = with(None, &[(name, value.clone())]).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains(name) && !error.message.contains("canary"), "{}", error.message);
    }
}

#[test]
fn a_relative_home_is_made_absolute() {
    let flags = Flags { home: Some("some/where".into()), others: Vec::new() };
    let settings = gather(flags, &|_| None).unwrap().settings;
    assert!(settings.data_dir.is_absolute() && settings.data_dir.ends_with("some/where/data"), "{settings:?}");
}
