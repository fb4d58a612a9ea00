//! The server in this process, over a pipe in memory, spoken to in hand-written lines.

use std::time::Duration;

use expect_test::expect_file;
use rmcp::model::{CacheScope, ListToolsResult};
use serde_json::{Value, json};
use sim::schema::allows;
use sim::wait::SAFETY_NET;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::core::setup::settings::Settings;
use crate::engine::Adopt;

fn app() -> App {
    let settings = Settings { linger: Duration::ZERO, ..Settings::defaults("unused".as_ref()) };
    App { engine: Engine::new(&settings, Adopt::Nothing), settings: settings.into() }
}

/// Says all of `lines`, closes its side, and returns every answer until the server has ended.
async fn say(lines: &[String]) -> Vec<Value> {
    let (client, server) = tokio::io::duplex(1 << 16);
    let (server_read, server_write) = tokio::io::split(server);
    let (mut read, mut write) = tokio::io::split(client);
    let text = lines.join("\n") + "\n";
    let serving = serve(app(), server_read, server_write, std::future::pending());
    let talking = async move {
        let writing = async move {
            write.write_all(text.as_bytes()).await.unwrap();
            write.shutdown().await.unwrap();
        };
        let mut answers = String::new();
        let (_, read) = tokio::join!(writing, read.read_to_string(&mut answers));
        read.unwrap();
        answers
    };
    let both = async { tokio::join!(serving, talking).1 };
    let answers = timeout(SAFETY_NET, both).await.expect("the server ends with its input");
    answers.lines().map(|line| serde_json::from_str(line).expect("stdout is protocol only")).collect()
}

fn request(id: u32, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn initialize() -> String {
    let client = json!({"name": "test", "version": "1"});
    request(0, "initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}))
}

/// What every request of the newest revision carries.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

fn answer(answers: &[Value], id: u32) -> &Value {
    answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("no answer {id} in {answers:?}"))
}

async fn call(name: &str, arguments: Value) -> Value {
    let params = json!({"name": name, "arguments": arguments});
    answer(&say(&[initialize(), request(1, "tools/call", params)]).await, 1).clone()
}

/// MC-01: parameters of another shape are refused with what the method takes, not with what another one does.
#[tokio::test]
async fn mc_01_parameters_that_do_not_fit_are_told() {
    let methods = [
        ("logging/setLevel", json!({"level": "loud"}), "`level`"),
        ("tools/call", json!({}), "`name`"),
        ("resources/read", json!({}), "`uri`"),
    ];
    let asked = (1..).zip(&methods).map(|(id, (method, params, _))| request(id, method, params.clone()));
    let answers = say(&std::iter::once(initialize()).chain(asked).collect::<Vec<_>>()).await;
    for (id, (method, _, takes)) in (1..).zip(methods) {
        let error = &answer(&answers, id)["error"];
        let hint = error["data"]["error"]["hints"][0].as_str().unwrap_or_default();
        assert_eq!(error["code"], -32_602, "{error}");
        assert!(hint.starts_with(&format!("{method} takes")) && hint.contains(takes), "{error}");
    }
}

/// The whole list, as clients get it. Run with `UPDATE_EXPECT=1` to accept a change.
#[tokio::test]
async fn the_list_of_tools() {
    let ttl = u64::try_from(limits::MCP_TOOLS_TTL.as_millis()).unwrap();
    let made = ListToolsResult::with_all_items(tools::TOOLS.iter().map(|row| (row.describe)()).collect())
        .with_ttl_ms(ttl)
        .with_cache_scope(CacheScope::Public);
    // Which clients of the older era do not get.
    let made = ListToolsResult { result_type: None, ..made };
    let made = serde_json::to_value(made).unwrap();
    expect_file!["tools_list.json"].assert_eq(&(serde_json::to_string_pretty(&made).unwrap() + "\n"));
    let answers = say(&[initialize(), request(1, "tools/list", json!({}))]).await;
    let result = &answer(&answers, 1)["result"];
    assert_eq!(*result, made, "what is handed out is what is in the file");
    // About four characters are a token, and every session pays for them.
    let whole = answer(&answers, 1).to_string().len();
    // What the newest revision and a long id add.
    assert!(whole <= 14_000 - 40, "{whole} bytes");
    for foreign in ["uint", "\"double\"", "\"$schema\"", "\"$ref\""] {
        assert!(!result.to_string().contains(foreign), "{foreign}");
    }
}

/// The whole schemas of the replies, for programs. Run with `UPDATE_EXPECT=1` to accept a change.
#[test]
fn the_schemas_of_replies() {
    let schemas = tools::TOOLS.iter().map(|row| (row.name.to_owned(), Value::Object((row.reply)())));
    let made = Value::Object(schemas.collect());
    expect_file!["../../../docs/replies.json"].assert_eq(&(serde_json::to_string_pretty(&made).unwrap() + "\n"));
}

#[tokio::test]
async fn both_eras_are_answered() {
    let answers = say(&[initialize(), request(1, "tools/list", json!({}))]).await;
    let hello = &answer(&answers, 0)["result"];
    assert_eq!(hello["protocolVersion"], "2025-06-18");
    assert_eq!(hello["serverInfo"]["name"], "hadal");
    assert!(hello["instructions"].as_str().unwrap().len() < 2_048);
    let old = answer(&answers, 1)["result"]["tools"].clone();

    let answers = say(&[
        request(0, "server/discover", modern(json!({}))),
        request(1, "tools/list", modern(json!({}))),
        request(2, "tools/call", modern(json!({"name": "list_research", "arguments": {"limit": 0}}))),
    ])
    .await;
    let hello = &answer(&answers, 0)["result"];
    assert!(hello["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{hello}");
    let list = &answer(&answers, 1)["result"];
    assert_eq!(list["tools"], old);
    assert_eq!(list["ttlMs"], 3_600_000);
    assert_eq!(answer(&answers, 2)["result"]["structuredContent"]["error"]["code"], "INVALID_ARGUMENT");
}

/// An error of ours is a tool result that says what to do, the same in both parts, and fits the tool's schema.
/// MC-01: whatever a client answers after the handshake is read; nobody need learn first that the server runs.
#[tokio::test]
async fn mc_01_answers_are_read_from_the_handshake_on() {
    let (mut client, server) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(server);
    let (closed, ready, end) = (CancellationToken::new(), CancellationToken::new(), CancellationToken::new());
    let lines = Lines::new(read, write, closed.clone(), ready.clone());
    let calls = Calls { app: app(), closed, ending: end.clone(), questions: Arc::default() };
    client.write_all((initialize() + "\n").as_bytes()).await.unwrap();
    let _running = Server::new(calls, ready.clone()).serve_with_ct(lines, end).await.unwrap();
    assert!(ready.is_cancelled());
}

#[tokio::test]
async fn our_errors_are_results() {
    let list = say(&[initialize(), request(1, "tools/list", json!({}))]).await;
    let tools = answer(&list, 1)["result"]["tools"].as_array().unwrap().clone();
    let long = "x".repeat(1 << 20);
    for (tool, arguments, code) in [
        ("deep_research", json!({"query": ""}), "INVALID_QUERY"),
        ("deep_research", json!({"query": long}), "INVALID_QUERY"),
        ("deep_research", json!({"query": "a\u{0}b and c"}), "INVALID_QUERY"),
        ("deep_research", json!({}), "INVALID_ARGUMENT"),
        ("deep_research", json!({"query": "why?", "max_attempts": long}), "INVALID_ARGUMENT"),
        ("deep_research", json!({"query": "why?", "library": ["/no/such/folder"]}), "LIBRARY_NOT_FOUND"),
        ("check_research_status", json!({"task_id": "../../etc/passwd"}), "INVALID_TASK_ID"),
        ("check_research_status", json!({"task_id": "x", "wait_seconds": 46}), "INVALID_ARGUMENT"),
        ("get_research_results", json!({"task_id": 5}), "INVALID_ARGUMENT"),
        ("list_research", json!({"status": "done"}), "INVALID_ARGUMENT"),
        ("delete_research", json!({"task_ids": []}), "INVALID_ARGUMENT"),
        ("delete_research", json!({"task_ids": ["../../etc/passwd"]}), "INVALID_TASK_ID"),
        ("delete_research", json!({"task_ids": vec!["x"; 101]}), "INVALID_ARGUMENT"),
    ] {
        let answer = call(tool, arguments).await;
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{tool}: {answer}");
        let structured = &result["structuredContent"];
        assert_eq!(structured["error"]["code"], code, "{tool}: {structured}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, *structured);
        let schema = &tools.iter().find(|listed| listed["name"] == tool).unwrap()["outputSchema"];
        assert_eq!(allows(structured, schema), Ok(()), "{tool}");
        assert!(structured.to_string().len() < 2_000, "{tool} repeats its input");
    }
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error() {
    let answer = call("rm", json!({})).await;
    assert_eq!(answer["error"]["code"], -32_602);
    assert_eq!(answer["error"]["message"], "unknown tool: rm");
    assert_eq!(answer["error"]["data"]["error"]["code"], "INVALID_ARGUMENT");
}

/// A known method with parameters of another shape is not an unknown method.
#[tokio::test]
async fn parameters_of_another_shape_are_named() {
    for params in [json!({"name": "list_research", "arguments": []}), json!({"name": 7}), json!({})] {
        let answers = say(&[initialize(), request(1, "tools/call", params.clone())]).await;
        let error = &answer(&answers, 1)["error"];
        assert_eq!((&error["code"], &error["data"]["error"]["code"]), (&json!(-32_602), &json!("INVALID_ARGUMENT")));
        assert!(error["message"].as_str().unwrap().contains("tools/call"), "{params}: {error}");
    }
    let answers = say(&[initialize(), request(1, "tools/burn", json!({}))]).await;
    assert_eq!(answer(&answers, 1)["error"]["code"], -32_601);
}

/// Nothing a client can write ends the server: garbage, too long a line, JSON that is no message, what comes too early.
#[tokio::test]
async fn bad_lines_do_not_end_the_server() {
    let answers = say(&[
        "hello?".to_owned(),
        "\u{0}\u{1b}[31m".to_owned(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        request(7, "tools/list", json!({})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        json!({"jsonrpc": "2.0", "id": 99, "result": {}}).to_string(),
        "[1, 2]".to_owned(),
        format!("\"{}\"", "x".repeat(limits::MCP_LINE_BYTES)),
        "[".repeat(10_000),
        initialize(),
        format!("{{\"jsonrpc\": \"2.0\", \"id\": 8, \"method\": \"{}\"}}", "x".repeat(limits::MCP_LINE_BYTES)),
        request(9, "no/such/method", json!({})),
        request(10, "tools/list", json!({})),
    ])
    .await;
    assert_eq!(answer(&answers, 7)["error"]["code"], -32_602, "before the handshake");
    assert_eq!(answer(&answers, 0)["result"]["serverInfo"]["name"], "hadal");
    assert_eq!(answer(&answers, 9)["error"]["code"], -32_601);
    assert!(answer(&answers, 10)["result"]["tools"].is_array());
    assert!(answers.iter().any(|answer| answer["error"]["code"] == -32_600), "JSON that is no message");
}

/// With nothing in hand the server ends at once, however its client leaves.
#[tokio::test]
async fn a_client_that_leaves_early_is_no_error() {
    assert_eq!(say(&[]).await, Vec::<Value>::new());
    assert_eq!(say(&[initialize()]).await.len(), 1);
}

/// A signal ends the server while its client is still there.
#[tokio::test]
async fn a_signal_ends_the_server() {
    let (client, server) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(server);
    let (mut client_read, mut client_write) = tokio::io::split(client);
    client_write.write_all((initialize() + "\n").as_bytes()).await.unwrap();
    let (signal, signalled) = tokio::sync::oneshot::channel::<()>();
    let served = serve(app(), read, write, async {
        let _gone = signalled.await;
    });
    let talk = async {
        let mut first = [0; 1];
        client_read.read_exact(&mut first).await.unwrap();
        signal.send(()).unwrap();
    };
    let both = async { tokio::join!(served, talk) };
    timeout(SAFETY_NET, both).await.expect("it ends with the signal");
}
