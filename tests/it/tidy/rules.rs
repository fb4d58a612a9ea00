//! The rules of the house, each a function from a file to what breaks it.
//!
//! `clippy.toml` bans single calls; these rules are about structure, which no lint sees. Every rule has a bad
//! sample in the table of the tests below: a rule that cannot fail is worth nothing.

use super::source::{Place, Source};

/// Longer files are several things (STYLE: a file is one thing).
const FILE_LINES: usize = 500;
/// Longer functions do not fit on a screen.
const FUNCTION_LINES: usize = 70;

/// The wings; each may use itself and those before it.
const WINGS: [&str; 4] = ["core", "world", "engine", "surface"];

/// The folders of `core`; each may use itself and those before it.
const ROOMS: [&str; 15] = [
    "base", "money", "language", "text", "question", "web", "evidence", "model", "agent", "report", "task", "method",
    "journal", "setup", "saved",
];

/// What `core` must not name: it is pure.
const IMPURE: [&str; 15] = [
    "tokio",
    "tokio_util",
    "rusqlite",
    "rmcp",
    "reqwest",
    "rustix",
    "getrandom",
    "walkdir",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// Who may ask the network: each for one purpose, all from the beginning that `world::http` makes.
const NETWORK: &[&str] =
    &["world::http", "world::redirects", "world::fetch", "world::search", "world::gemini_api", "world::models"];

/// What only these modules may name.
const GATES: [(&str, &[&str]); 8] = [
    ("minijinja", &["core::saved::template", "core::saved::html"]),
    ("rmcp", &["surface::mcp"]),
    ("reqwest", NETWORK),
    ("rustls", &["world::http"]),
    ("rusqlite", &["world::store", "world::library"]),
    ("frostem", &["core::language::stems", "world::library"]),
    ("tokio::process", &["world::process"]),
    ("std::process::Command", &["world::process"]),
];

/// Everything that breaks a rule, as `path:line: what`.
pub(super) fn check(source: &Source) -> Vec<String> {
    let rules = [wing_order, room_order, purity, gates, sizes, attributes, unfinished, sleeps];
    rules.iter().flat_map(|rule| rule(source)).map(|(line, what)| format!("{}:{line}: {what}", source.path)).collect()
}

type Finding = (usize, String);

fn wing_order(source: &Source) -> Vec<Finding> {
    let Some(own) = wing(source).and_then(rank) else { return Vec::new() };
    let against = |place: &Place| {
        let [root, used, ..] = place.name.as_slice() else { return None };
        let other = rank(used).filter(|_| root == "crate")?;
        let skips = WINGS[own] == "surface" && used == "world";
        (other > own || skips)
            .then(|| (place.line, format!("`{}` must not use `{}`", WINGS[own], place.name.join("::"))))
    };
    source.paths.iter().filter_map(against).collect()
}

/// Test code may look at everything: a method is tested through its journal.
fn room_order(source: &Source) -> Vec<Finding> {
    let place = |name: &String| ROOMS.iter().position(|room| room == name);
    let Some([wing, own, ..]) = source.module.as_deref() else { return Vec::new() };
    if wing != "core" {
        return Vec::new();
    }
    let Some(rank) = place(own) else {
        return vec![(1, format!("`core::{own}` has no place in the order of the folders of `core`"))];
    };
    let against = |used: &&Place| match used.name.as_slice() {
        [root, wing, room, ..] => {
            root == "crate" && wing == "core" && !used.test && place(room).is_none_or(|other| other > rank)
        }
        _ => false,
    };
    let found = source.paths.iter().filter(against);
    found.map(|used| (used.line, format!("`core::{own}` must not use `{}`", used.name.join("::")))).collect()
}

fn purity(source: &Source) -> Vec<Finding> {
    if wing(source) != Some("core") {
        return Vec::new();
    }
    let impure = source.paths.iter().filter(|path| IMPURE.iter().any(|banned| begins(path, banned)));
    let mut found: Vec<Finding> =
        impure.map(|path| (path.line, format!("`core` is pure: no `{}`", path.name.join("::")))).collect();
    found.extend(source.asyncs.iter().map(|word| (word.line, format!("`core` is pure: no `{}`", word.name.join("")))));
    found
}

fn gates(source: &Source) -> Vec<Finding> {
    let Some(module) = &source.module else { return Vec::new() };
    let module = module.join("::");
    let passes = |gate: &str| module == gate || module.strip_prefix(gate).is_some_and(|rest| rest.starts_with("::"));
    let mut found = Vec::new();
    for path in &source.paths {
        for (banned, gates) in GATES {
            if begins(path, banned) && !gates.iter().any(|gate| passes(gate)) {
                found.push((path.line, format!("`{banned}` is used by `{}` only", gates.join("`, `"))));
            }
        }
    }
    found
}

fn sizes(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    if source.lines > FILE_LINES {
        found.push((source.lines, format!("{} lines in one file, {FILE_LINES} allowed", source.lines)));
    }
    for function in source.functions.iter().filter(|function| function.lines > FUNCTION_LINES) {
        let what = format!("`fn {}` has {} lines, {FUNCTION_LINES} allowed", function.name, function.lines);
        found.push((function.line, what));
    }
    found
}

fn attributes(source: &Source) -> Vec<Finding> {
    let remedy = |place: &Place| match place.name.first()?.as_str() {
        "allow" => Some((place.line, "`allow` hides for ever; use `#[expect(lint, reason = \"…\")]`".to_owned())),
        "ignore" => Some((place.line, "an ignored test is no test; run it or delete it".to_owned())),
        _ => None,
    };
    source.attributes.iter().filter_map(remedy).collect()
}

fn unfinished(source: &Source) -> Vec<Finding> {
    let is_stub = |name: &str| matches!(name, "todo" | "unimplemented");
    let stubs = source.macros.iter().filter(|place| place.name.first().is_some_and(|name| is_stub(name)));
    stubs.map(|place| (place.line, format!("`{}!` is not finished", place.name.join("")))).collect()
}

/// Calls that end with a clock, whatever they are called. A wait that has something to wait for is one of `sim::wait`.
const SLEEPS: [&str; 13] = [
    "sleep",
    "sleep_ms",
    "sleep_until",
    "nanosleep",
    "park_timeout",
    "park_timeout_ms",
    "recv_timeout",
    "recv_deadline",
    "wait_timeout",
    "wait_timeout_ms",
    "wait_timeout_while",
    "interval",
    "interval_at",
];

fn sleeps(source: &Source) -> Vec<Finding> {
    let found = source.details.iter().filter(|call| call.place.test).filter_map(|call| {
        let name = call.place.name.first()?.as_str();
        let says = |word: &str| call.arguments.iter().any(|argument| argument == word);
        let what = match name {
            name if SLEEPS.contains(&name) => format!("a test waits for an event, it does not `{name}`"),
            "timeout" | "timeout_at" if says("pending") => {
                format!("a test waits for an event; `{name}` of what never comes is a sleep")
            }
            "elapsed" | "now" if call.below => {
                "a test does not say how fast a machine is: it waits with `sim::wait`, or compares something else than time"
                    .to_owned()
            }
            _ => return None,
        };
        Some((call.place.line, what))
    });
    found.collect()
}

fn wing(source: &Source) -> Option<&str> {
    source.module.as_ref()?.first().map(String::as_str)
}

fn rank(wing: &str) -> Option<usize> {
    WINGS.iter().position(|name| *name == wing)
}

/// Whether a path is `banned` or something below it.
fn begins(place: &Place, banned: &str) -> bool {
    let mut segments = place.name.iter();
    banned.split("::").all(|wanted| segments.next().is_some_and(|segment| segment == wanted))
}

#[cfg(test)]
mod tests {
    use super::super::source::read;
    use super::*;

    fn findings(path: &str, text: &str) -> String {
        check(&read(path, text).unwrap()).join("\n")
    }

    #[test]
    fn every_rule_fails_on_its_bad_sample() {
        let long_file = "// line\n".repeat(FILE_LINES + 1);
        let long_function = format!("fn long() {{\n{}}}", "    x();\n".repeat(FUNCTION_LINES - 1));
        for (path, text, want) in [
            ("src/core/x.rs", "use crate::world::clock;", "`core` must not use `crate::world::clock`"),
            ("src/core/x.rs", "use super::super::engine;", "`core` must not use `crate::engine`"),
            ("src/core/mod.rs", "use super::{engine::Engine};", "`core` must not use `crate::engine::Engine`"),
            ("src/world/x.rs", "fn f() { crate::engine::go() }", "`world` must not use `crate::engine::go`"),
            ("src/engine/x.rs", "use crate::{core, surface::mcp};", "`engine` must not use `crate::surface::mcp`"),
            ("src/surface/x.rs", "use crate::world::*;", "`surface` must not use `crate::world`"),
            ("src/surface/x.rs", "fn f() { m!(crate::world::log::info()) }", "must not use `crate::world::log::info`"),
            (
                "src/core/text/x.rs",
                "use crate::core::report::Report;",
                "`core::text` must not use `crate::core::report::Report`",
            ),
            (
                "src/core/base/x.rs",
                "fn f() { super::super::money::go() }",
                "`core::base` must not use `crate::core::money::go`",
            ),
            ("src/core/odd/x.rs", "", "`core::odd` has no place in the order"),
            ("src/core/base/x.rs", "use crate::core::odd;", "`core::base` must not use `crate::core::odd`"),
            ("src/core/x.rs", "use tokio::sync::mpsc;", "`core` is pure: no `tokio::sync::mpsc`"),
            ("src/core/x.rs", "use std::{fmt, fs};", "`core` is pure: no `std::fs`"),
            ("src/core/x.rs", "fn f() { std::net::lookup() }", "no `std::net::lookup`"),
            ("src/core/x.rs", "use std::time::{Duration, Instant};", "no `std::time::Instant`"),
            ("src/core/x.rs", "use std::time::SystemTime as T;", "no `std::time::SystemTime`"),
            ("src/core/x.rs", "fn f() { std::env::var(\"A\") }", "no `std::env::var`"),
            ("src/core/x.rs", "use rusqlite;", "no `rusqlite`"),
            ("src/core/x.rs", "async fn f() {}", "`core` is pure: no `async`"),
            ("src/engine/x.rs", "use rmcp::model::Tool;", "`rmcp` is used by `surface::mcp` only"),
            ("src/surface/mcp2.rs", "use rmcp::model::Tool;", "`rmcp` is used by `surface::mcp` only"),
            (
                "src/world/x.rs",
                "fn f(e: rusqlite::Error) {}",
                "`rusqlite` is used by `world::store`, `world::library` only",
            ),
            (
                "src/engine/x.rs",
                "use frostem::Stemmer;",
                "`frostem` is used by `core::language::stems`, `world::library` only",
            ),
            ("src/engine/x.rs", "use reqwest::Client;", "`reqwest` is used by `world::http`, `world::redirects`"),
            ("src/world/fetch/mod.rs", "use rustls::crypto;", "`rustls` is used by `world::http` only"),
            ("src/world/x.rs", "use tokio::process::Command;", "`tokio::process` is used by `world::process` only"),
            ("src/world/x.rs", "use std::process::{Command, Stdio};", "`std::process::Command` is used by"),
            ("sim/src/x.rs", &long_file, "501 lines in one file, 500 allowed"),
            ("src/world/x.rs", &long_function, ":1: `fn long` has 71 lines, 70 allowed"),
            ("src/world/x.rs", "#[allow(dead_code)] fn f() {}", "`allow` hides for ever"),
            ("src/world/x.rs", "#![allow(dead_code)]", "`allow` hides for ever"),
            ("src/world/x.rs", "#[cfg_attr(unix, allow(dead_code))] fn f() {}", "`allow` hides for ever"),
            ("tests/it/x.rs", "#[test] #[ignore = \"slow\"] fn f() {}", "an ignored test is no test"),
            ("tests/it/x.rs", "fn f() { std::thread::sleep(D) }", "it does not `sleep`"),
            ("src/world/x.rs", "#[tokio::test] async fn f() { tokio::time::sleep(D).await }", "it does not `sleep`"),
            ("src/world/x.rs", "fn f() { std::todo!() }", "`todo!` is not finished"),
            ("src/world/x.rs", "fn f() { unimplemented![] }", "`unimplemented!` is not finished"),
        ] {
            let found = findings(path, text);
            assert!(found.contains(want), "{path} `{text:.60}`: `{found}` does not say `{want}`");
        }
    }

    /// Sleeps under other names, and clocks that decide whether a test passes.
    #[test]
    fn sleeps_are_known_in_disguise() {
        for (path, text, want) in [
            ("tests/it/x.rs", "fn f() { std::thread::park_timeout(D) }", "it does not `park_timeout`"),
            ("tests/it/x.rs", "fn f() { while r.recv_timeout(D).is_err() {} }", "it does not `recv_timeout`"),
            ("sim/src/x/tests.rs", "fn f() { let g = woken.wait_timeout(g, D); }", "it does not `wait_timeout`"),
            ("src/world/x.rs", "#[tokio::test] async fn f() { sleep_until(T).await }", "it does not `sleep_until`"),
            ("src/world/x.rs", "#[tokio::test] async fn f() { interval(D).tick().await; }", "it does not `interval`"),
            (
                "src/world/x/tests.rs",
                "async fn f() { tokio::time::timeout(D, std::future::pending::<()>()).await }",
                "`timeout` of what never comes",
            ),
            (
                "src/world/x/tests.rs",
                "fn f() { let pause = |ms| timeout_at(T, async { pending().await }); }",
                "`timeout_at` of what never comes",
            ),
            ("tests/it/x.rs", "fn f() { assert!(begun.elapsed() < LIMIT) }", "how fast a machine is"),
            ("tests/it/x.rs", "fn f() { assert!(Instant::now() < deadline, \"late\") }", "how fast a machine is"),
        ] {
            let found = findings(path, text);
            assert!(found.contains(want), "{path} `{text:.60}`: `{found}` does not say `{want}`");
        }
    }

    #[test]
    fn what_is_in_order_passes() {
        let full_file = "// line\n".repeat(FILE_LINES);
        let full_function = format!("fn full() {{\n{}}}", "    x();\n".repeat(FUNCTION_LINES - 2));
        for (path, text) in [
            ("src/core/task/x.rs", "use super::status; use std::time::Duration; use crate::core::base::limits;"),
            ("src/core/base/x.rs", "#[cfg(test)] mod tests { use crate::core::journal::Run; }"),
            ("src/core/base/x.rs", "fn f(tokio: u8) { let fs = \"std::fs\"; } // tokio::spawn"),
            ("src/world/x.rs", "use crate::core::task; use crate::world::clock; use tokio::time::sleep;"),
            ("src/world/x.rs", "fn f() { sleep(D); if begun.elapsed() < LIMIT {} }"),
            (
                "src/world/x/tests.rs",
                "async fn f() { timeout(SAFETY_NET, served).await; assert!(begun.elapsed() >= GAP) }",
            ),
            ("src/world/x/tests.rs", "fn f() { let serving = serve(app, pending()); connection.busy_timeout(D); }"),
            ("src/world/store.rs", "use rusqlite::Connection;"),
            ("src/world/store/open.rs", "use rusqlite::Connection;"),
            ("src/world/fetch/mod.rs", "use reqwest::Client; use crate::world::http;"),
            ("src/world/process/mod.rs", "use tokio::process::Command; use std::process::Command as Std;"),
            ("src/engine/x.rs", "use crate::world::library; use std::process::ExitCode;"),
            ("src/surface/mcp/mod.rs", "use rmcp::model; use crate::engine::Engine; use crate::core::task;"),
            ("src/lib.rs", "mod surface; pub fn run() { surface::cli::run() }"),
            ("tests/it/x.rs", "use std::process::Command; fn sleep() {} fn f() { todo(); ignore(allow) }"),
            ("src/world/x.rs", "#[expect(dead_code, reason = \"allow todo!\")] fn f() {}"),
            ("sim/src/x.rs", &full_file),
            ("src/world/x.rs", &full_function),
        ] {
            assert_eq!(findings(path, text), "", "{path} `{text:.60}`");
        }
    }
}
