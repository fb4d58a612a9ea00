use super::*;

/// Exit code, stdout and stderr of a fault in a format.
fn provoke(fault: Fault, format: &str) -> (Option<i32>, String, String) {
    let bench = Bench::new(&Script::always(Scenario { answer: Some("0123456789".into()), ..Scenario::fault(fault) }));
    let output = feed(bench.command(&["-o", format, "--skip-trust"]), "a question").wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Exit code and what stream-json says on stdout (`None`: nothing at all), and on stderr.
const TABLE: &[(Fault, i32, Option<&str>, &str)] = &[
    (Fault::AuthMissing, 41, None, "Please set an Auth method"),
    (Fault::LoginNeeded, 41, None, "Manual authorization is required"),
    (Fault::Untrusted, 55, None, "not running in a trusted directory"),
    (Fault::NoInput, 42, None, "No input provided via stdin"),
    (Fault::NodeMissing, 127, None, "'node': No such file"),
    (Fault::BadFlag, 1, None, "Usage: gemini"),
    (Fault::SlashCommand, 42, Some("FatalInputError"), ""),
    (Fault::BadKey, 144, Some("API_KEY_INVALID"), "_ApiError"),
    (Fault::Unauthenticated, 145, Some("UNAUTHENTICATED"), "_ApiError"),
    (Fault::Forbidden, 147, Some("PERMISSION_DENIED"), "_ApiError"),
    (Fault::Quota, 173, Some("You exceeded your current quota"), "Attempt 10 failed"),
    (Fault::DailyQuota, 173, Some("exhausted your daily quota"), "TerminalQuotaError"),
    (Fault::ModelNotFound, 1, Some("is not found for API version"), "ModelNotFoundError"),
    (Fault::TurnLimit, 53, Some("FatalTurnLimitedError"), ""),
    (Fault::Network, 1, Some("fetch failed sending request"), "Attempt 2 failed"),
    (Fault::Internal, 244, Some("INTERNAL"), "with status 500"),
    (Fault::Overloaded, 247, Some("overloaded"), "with status 503"),
    (Fault::Empty, 0, Some("empty response with no text"), ""),
    (Fault::Safety, 0, Some("blocked due to safety"), ""),
];

#[test]
fn every_fault_has_the_exit_code_and_the_words_of_the_real_cli() {
    for (fault, code, stdout, stderr) in TABLE {
        let (got, out, err) = provoke(*fault, "stream-json");
        assert_eq!(got, Some(*code), "{fault:?}: {out} {err}");
        assert!(err.contains(stderr), "{fault:?}: {err}");
        match stdout {
            None => assert_eq!(out, "", "{fault:?}"),
            Some(words) => {
                assert!(out.contains(words), "{fault:?}: {out}");
                let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
                assert_eq!((&last["type"], &last["status"]), (&json!("result"), &json!("error")), "{fault:?}");
                assert_eq!(last.get("error").is_none(), *code == 0, "{fault:?}: {out}");
            }
        }
    }
}

#[test]
fn json_has_its_errors_on_stderr_and_text_ends_with_one() {
    let (code, out, err) = provoke(Fault::DailyQuota, "json");
    assert_eq!((code, out.as_str()), (Some(173), ""));
    assert!(err.contains("\"code\": 429"), "{err}");
    let (code, out, _) = provoke(Fault::DailyQuota, "text");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    let (code, out, _) = provoke(Fault::Empty, "json");
    assert_eq!(code, Some(0));
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&object["response"], &object["error"]["type"]), (&json!(""), &json!("INVALID_STREAM")));
}

#[test]
fn a_cut_answer_looks_like_a_whole_one() {
    let (code, out, _) = provoke(Fault::MaxTokens, "json");
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &object["response"]), (Some(0), &json!("01234")));
}

#[test]
fn settings_limit_the_attempts() {
    let bench = Bench::new(&Script::always(Scenario::fault(Fault::Quota)));
    let settings = bench.path("settings.json");
    fs::write(&settings, r#"{"general":{"maxAttempts":2}}"#).unwrap();
    let mut command = bench.command(&["-o", "stream-json", "--skip-trust"]);
    command.env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", settings);
    let output = feed(command, "q").wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(err.contains("Attempt 2") && !err.contains("Attempt 3"), "{err}");
}

#[test]
fn the_cli_refuses_what_the_real_one_refuses_and_takes_no_scenario_for_it() {
    let bench = Bench::new(&Script::runs([Scenario::answer("ok")]));
    let table: [(&[&str], &str, i32); 8] = [
        (&[], "a question", 55),
        (&["--skip-trust"], "", 42),
        (&["--skip-trust"], "/quit and more", 42),
        (&["--skip-trust", "--nonsense"], "a question", 1),
        (&["--skip-trust", "-o", "yaml"], "a question", 1),
        (&["--skip-trust", "-p", "-v foo"], "", 1),
        (&["--skip-trust", "-y", "--approval-mode", "plan"], "a question", 1),
        (&["--skip-trust", "-p", "one", "two"], "", 1),
    ];
    for (args, prompt, code) in table {
        let output = feed(bench.command(args), prompt).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert_eq!(output.stdout, b"", "{args:?}");
    }
    let output = feed(bench.command(&["--skip-trust"]), "/nonsense is text").wait_with_output().unwrap();
    assert_eq!(output.stdout, b"ok\n");
    assert_eq!(bench.fake.calls().len(), 9);
}

#[test]
fn pages_are_read_only_where_a_policy_says_so() {
    let bench = Bench::new(&Script::always(Scenario::answer("ok").fetch("https://a.example/")));
    let (_, with) = bench.run("q");
    assert_eq!(with[3]["status"], "success");
    let command = bench.command(&["-o", "stream-json", "--skip-trust", "--policy", "missing.toml"]);
    let without = events(&feed(command, "q").wait_with_output().unwrap());
    assert_eq!(without[3]["error"]["message"], "Tool \"web_fetch\" not found.");
    assert_eq!(without.last().unwrap()["status"], "success", "a failed tool does not fail the run");
}

#[test]
fn bad_output_is_as_bad_as_the_script_says() {
    let script = Script::runs([
        Scenario::answer("ok").end(End::HalfLine),
        Scenario::answer("ok").step(Step::Bytes(vec![0xff, 0xfe, b'\n'])),
        Scenario::answer("ok").end(End::Exit(7)),
        Scenario::answer("ok").end(End::Code(44)),
        Scenario::answer("ok").end(End::Signal(9)),
        Scenario::answer("end").step(Step::Huge { mb: 3 }),
    ]);
    let bench = Bench::new(&script);
    let run = || bench.start("q").wait_with_output().unwrap();
    let half = run();
    assert_eq!(half.status.code(), Some(0));
    assert!(!half.stdout.ends_with(b"\n") && kinds(&events(&half)) == ["init", "message", "message"]);
    assert!(run().stdout.windows(2).any(|pair| pair == [0xff, 0xfe]));
    let exit = run();
    assert_eq!((exit.status.code(), kinds(&events(&exit)).contains(&"result")), (Some(7), false));
    let code = run();
    assert_eq!((code.status.code(), kinds(&events(&code)).contains(&"result")), (Some(44), true));
    assert_eq!(run().status.code(), None);
    let huge = deltas(&events(&run()));
    assert!(huge.len() > 2_900_000 && huge.ends_with("end"));
}
