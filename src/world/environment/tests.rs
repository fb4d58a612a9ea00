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
    let environment = variables.iter().map(|(name, value)| (OsString::from(name), value.clone())).collect();
    gather(flags, &environment)
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
    let error = gather(flags, &BTreeMap::new()).unwrap_err();
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
    let settings = gather(flags, &BTreeMap::new()).unwrap().settings;
    assert!(settings.data_dir.is_absolute() && settings.data_dir.ends_with("some/where/data"), "{settings:?}");
}

/// A slip in a name would otherwise be a setting without effect.
#[test]
fn an_unknown_variable_of_ours_is_refused_with_the_nearest() {
    for (name, hint) in [
        ("HADAL_MAX_TASK", "did you mean `HADAL_MAX_TASKS`?"),
        ("HADAL_BUGDET_USD", "did you mean `HADAL_BUDGET_USD`?"),
        ("HADAL_GEMINI_API_KEY", "did you mean `GEMINI_API_KEY`?"),
        ("HADAL_AGENT", "`hadal config` lists every setting"),
        ("HADAL_", "`hadal config` lists every setting"),
        ("HADAL_\u{1b}[31mX", "`hadal config` lists every setting"),
    ] {
        let error = with(None, &[(name, "canary".into())]).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.starts_with("unknown environment variable `HADAL_"), "{}", error.message);
        assert!(error.hints.iter().any(|text| text.contains(hint)), "{name}: {:?}", error.hints);
        assert!(!format!("{error:?}").contains("canary") && !error.message.contains('\u{1b}'), "{error:?}");
    }
    let name = OsString::from_vec(b"HADAL_\xff".to_vec());
    let error = gather(Flags::default(), &BTreeMap::from([(name, "x".into())])).unwrap_err();
    assert_eq!(error.code, Code::InvalidConfig);
}

/// Empty ones, those of others, and the mark that a child of a hadal inherits are no slips.
#[test]
fn other_variables_are_left_alone() {
    for (name, value) in
        [("HADAL_MAX_TASK", ""), ("HADALX", "1"), ("hadal_max_task", "1"), ("HADAL_CHILD", "a-b"), ("PATH", "/bin")]
    {
        with(None, &[(name, value.into())]).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
