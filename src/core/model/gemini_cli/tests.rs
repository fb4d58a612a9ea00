//! Lines and endings as the real program was seen to produce them.

use super::*;
use crate::core::base::error::Code;

fn stream(lines: &[&str]) -> (Stream, Vec<String>) {
    let mut stream = Stream::default();
    let news = lines.iter().filter_map(|line| stream.line(line.as_bytes())).collect();
    (stream, news)
}

const SEARCH: [&str; 8] = [
    r#"{"type":"init","session_id":"a0c4","model":"auto"}"#,
    r#"{"type":"message","role":"user","content":"the prompt"}"#,
    r#"{"type":"message","role":"assistant","content":"Step 1: calling google_web_search.\n","delta":true}"#,
    r#"{"type":"tool_use","tool_name":"google_web_search","tool_id":"t1","parameters":{"query":"rust 1.0 date"}}"#,
    r#"{"type":"tool_result","tool_id":"t1","status":"success","output":"Search results returned."}"#,
    r#"{"type":"tool_use","tool_name":"web_fetch","tool_id":"t2","parameters":{"prompt":"Summarise https://a.example/x."}}"#,
    r#"{"type":"tool_result","tool_id":"t2","status":"error","error":{"type":"web_fetch_processing_error","message":"blocked"}}"#,
    r#"{"type":"message","role":"assistant","content":"{\"success\":","delta":true}"#,
];
const RESULT: &str = r#"{"type":"result","status":"success","stats":{"total_tokens":130,"input_tokens":100,"output_tokens":20,
    "models":{"gemini-3.5-flash-lite":{"input_tokens":900},"gemini-3.8-flash":{"input_tokens":80},"gemini-3-flash-preview":{"input_tokens":999}}}}"#;

#[test]
fn the_stream_tells_queries_pages_problems_and_the_answer() {
    let (mut stream, news) = stream(&SEARCH);
    stream.line(br#"{"type":"message","role":"assistant","content":"true}","delta":true}"#);
    stream.line(RESULT.replace('\n', "").as_bytes());
    assert_eq!(news, ["searching: rust 1.0 date", "reading: https://a.example/x"]);
    assert_eq!(stream.answer, r#"{"success":true}"#);
    assert_eq!((stream.queries.len(), stream.pages.len(), stream.session.as_deref()), (1, 1, Some("a0c4")));
    assert_eq!(stream.problems[0].subject, "https://a.example/x");
    assert_eq!(stream.model.as_deref(), Some("gemini-3.8-flash"));
    assert_eq!((stream.usage.tokens_in, stream.usage.tokens_out), (100, 30));
    assert!(verdict(RunEnd::Code(0), &stream, "").is_ok());
}

#[test]
fn lines_that_are_no_events_are_passed_over() {
    let (stream, news) = stream(&["", "Warning: 256-color", "{", "[]", "null", r#"{"type":7}"#, r#"{"type":"new"}"#]);
    assert!(news.is_empty() && stream.answer.is_empty() && stream.result.is_none());
    assert!(Stream::default().line(&[0xff, 0xfe, b'{']).is_none());
}

#[test]
fn a_huge_answer_is_cut_at_its_limit() {
    let mut stream = Stream::default();
    let event = serde_json::json!({"type": "message", "role": "assistant", "content": "é".repeat(3 << 20)}).to_string();
    for _ in 0..4 {
        stream.line(event.as_bytes());
    }
    assert!(stream.cut && stream.answer.len() <= crate::core::base::limits::ANSWER_BYTES);
}

/// Exit code 0 is not success by itself.
#[test]
fn success_needs_code_result_and_answer() {
    let ended = |lines: &[&str], code| verdict(RunEnd::Code(code), &stream(lines).0, "").map_err(|error| error.code);
    let success = r#"{"type":"result","status":"success"}"#;
    let said = r#"{"type":"message","role":"assistant","content":"hello"}"#;
    assert_eq!(ended(&[said, success], 0), Ok(()));
    assert_eq!(ended(&[success], 0), Err(Code::ExecutionError));
    assert_eq!(ended(&[said], 0), Err(Code::ExecutionError));
    assert_eq!(ended(&[said, r#"{"type":"result","status":"error"}"#], 0), Err(Code::ExecutionError));
    assert_eq!(ended(&[said, success], 1), Err(Code::ExecutionError));
    assert_eq!(verdict(RunEnd::Signal(9), &stream(&[said, success]).0, "").unwrap_err().code, Code::ExecutionError);
}

#[test]
fn every_exit_has_its_code() {
    let daily = "[API Error: You have exhausted your daily quota on this model.]";
    let key = r#"[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]"#;
    for (code, why, stderr, want) in [
        (41, None, "Please set an Auth method in your settings", Code::NotAuthenticated),
        (42, None, "No input provided via stdin.", Code::InvalidQuery),
        (53, Some("Reached max session turns"), "", Code::ExecutionError),
        (55, None, "Gemini CLI is not running in a trusted directory.", Code::EngineUnavailable),
        (127, None, "/usr/bin/env: 'node': No such file or directory", Code::CliNotFound),
        (144, Some(key), "", Code::NotAuthenticated),
        (145, None, "", Code::NotAuthenticated),
        (147, None, "", Code::NotAuthenticated),
        (173, Some(daily), "", Code::DailyQuotaExceeded),
        (173, Some("[API Error: Resource has been exhausted (e.g. check quota).]"), "", Code::QuotaExceeded),
        (244, Some("[API Error: internal]"), "", Code::ExecutionError),
        (247, None, "at foo\n  at bar\nService unavailable\n  at baz", Code::ExecutionError),
        (1, Some("[API Error: models/nope is not found for API version v1beta, model]"), "", Code::ModelNotFound),
        (1, Some("[API Error: exception TypeError: fetch failed sending request]"), "", Code::ExecutionError),
        (199, None, "", Code::ExecutionError),
    ] {
        let mut stream = Stream::default();
        stream.result = why.map(|why| Err(why.to_owned()));
        stream.answer.push('x');
        let error = verdict(RunEnd::Code(code), &stream, stderr).unwrap_err();
        assert_eq!(error.code, want, "exit {code}: {error}");
        assert!(!error.hints.is_empty(), "exit {code} has no hint");
    }
    let trace =
        verdict(RunEnd::Code(247), &Stream::default(), "Service unavailable\n    at baz (file.js:1)\n").unwrap_err();
    assert!(trace.message.contains("Service unavailable"), "{trace}");
}

#[test]
fn the_session_record_gives_the_addresses() {
    let call = r#"{"id":"1","type":"gemini","model":"gemini-3.8-flash","toolCalls":[{"name":"google_web_search","args":{"query":"q"},
        "result":[{"functionResponse":{"response":{"output":"See https://not.a/source. text[1]\n\nSources:\n[1] rust-lang.org (https://r.example/one)\n[2] w (https://w.example/a_(b))"}}}]}]}"#;
    let text = format!("{{\"sessionId\":\"x\"}}\nnot json\n{0}\n{0}\n", call.replace('\n', ""));
    let record = read_session(&text);
    assert_eq!(record.sources, ["https://r.example/one", "https://w.example/a_(b)"]);
    assert_eq!((record.queries.as_slice(), record.model.as_deref()), (&["q".to_owned()][..], Some("gemini-3.8-flash")));
    assert_eq!(read_session("\u{0}garbage"), Record::default());
}

#[test]
fn prompts_are_literal() {
    assert_eq!(literal("mail a@b and @/etc/passwd"), "mail a\\@b and \\@/etc/passwd");
    assert_eq!(literal("/quit now"), " /quit now");
}

/// Help texts and stack traces hide the one line that matters.
#[test]
fn a_program_that_cannot_be_used_says_why() {
    for (stderr, says) in [
        ("Unknown argument: skip-trust\nUsage: gemini [options]\n  -h  help", "Unknown argument: skip-trust"),
        ("file:///x.js:1\n/a/v\n    ^\nSyntaxError: Invalid regular expression flags\n    at x", "SyntaxError"),
    ] {
        let error = verdict(RunEnd::Code(1), &Stream::default(), stderr).unwrap_err();
        assert_eq!(error.code, Code::EngineUnavailable);
        assert!(error.message.contains(says) && error.hints[0].contains("npm install"), "{error:?}");
    }
}

#[test]
fn addresses_end_where_they_end() {
    let text = "see (https://a.example/x), <http://b.example>. \"https://c.example/?q=1\" and https:// nothing; https://a.example/x";
    assert_eq!(addresses(text), ["https://a.example/x", "http://b.example", "https://c.example/?q=1"]);
}
