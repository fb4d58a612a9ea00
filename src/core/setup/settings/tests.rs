//! Tables for the order of sources, for bad values and for the file.

use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;

use super::directories::Directories;
use super::registry::{Allowed, REGISTRY};
use super::resolve::{Inputs, Origin, Resolved, resolve};
use super::{ChildEnv, LogLevel, file};
use crate::core::base::engine::EngineName;
use crate::core::base::error::{Code, Error};
use crate::core::base::secrets::{MASK, Secret, without_password};
use crate::core::money::usage::Usd;
use crate::core::setup::ladder::EngineSetting;
use crate::core::web::address::{Ports, Rules};
use crate::core::web::search::Provider;

const FILE: &str = "/c/hadal.toml";

fn with(flags: &[(&'static str, &str)], variables: &[(&'static str, &str)], toml: &str) -> Result<Resolved, Error> {
    let owned = |pairs: &[(&'static str, &str)]| pairs.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    resolve(Inputs {
        flags: owned(flags),
        variables: owned(variables),
        keys: Vec::new(),
        file: file::parse(Path::new(FILE), toml)?,
        directories: Directories { config: "/c".into(), data: "/d".into() },
        search_path: "/bin".into(),
        gemini_env: ChildEnv::default(),
    })
}

fn origin(resolved: &Resolved, key: &str) -> String {
    resolved.values.iter().find(|value| value.setting.key == key).unwrap().origin.to_string()
}

#[test]
fn the_first_source_that_has_a_value_gives_it() {
    let toml = "# mine\nengine = \"native\"\nmax_tasks = 3\n";
    for (flags, variables, toml, engine, from) in [
        (&[][..], &[][..], "", EngineSetting::Auto, "default"),
        (&[], &[], toml, EngineSetting::Pinned(EngineName::Native), "/c/hadal.toml, line 2"),
        (
            &[],
            &[("HADAL_ENGINE", "extractive")],
            toml,
            EngineSetting::Pinned(EngineName::Extractive),
            "environment variable HADAL_ENGINE",
        ),
        (&[("--engine", "auto")], &[("HADAL_ENGINE", "extractive")], toml, EngineSetting::Auto, "flag --engine"),
    ] {
        let resolved = with(flags, variables, toml).unwrap();
        assert_eq!(resolved.settings.engine, engine);
        assert_eq!(origin(&resolved, "engine"), from);
    }
}

#[test]
fn every_value_reaches_its_field() {
    let toml = r#"
        engine = "gemini-cli"
        max_tasks = 3
        linger = 0
        call_window = 30
        log = "warn"
        reports_dir = "out"
        budget.cost_usd = 0.25
        [library]
        max_file_mb = 2
    "#;
    let variables = [
        ("HADAL_BUDGET_TOKENS", "1000"),
        ("HADAL_BUDGET_SECONDS", "60"),
        ("HADAL_BUDGET_RESERVE_PERCENT", "20"),
        ("GEMINI_API_KEY", "canary"),
        ("NO_COLOR", "1"),
    ];
    let settings = with(&[], &variables, toml).unwrap().settings;
    assert_eq!(settings.engine, EngineSetting::Pinned(EngineName::GeminiCli));
    assert_eq!((settings.max_tasks, settings.linger), (3, Duration::ZERO));
    assert_eq!(settings.call_window, Some(Duration::from_secs(30)));
    assert_eq!(settings.budget.cost, Usd::from_dollars(0.25));
    assert_eq!(settings.budget.tokens, Some(1000));
    assert_eq!(settings.budget.wall, Some(Duration::from_secs(60)));
    assert_eq!(settings.budget.reserve_percent, 20);
    assert_eq!(settings.library_max_file_bytes, 2 << 20);
    assert_eq!(settings.reports_dir.as_deref(), Some(Path::new("out")));
    assert_eq!((settings.log, settings.color), (LogLevel::Warn, false));
    assert!(settings.gemini_api_key.is_some());
}

#[test]
fn the_settings_of_the_web_reach_their_fields() {
    let toml = r#"
        contact = "me@example.org"
        [fetch]
        allow_private = "yes"
        ports = "8080, 8443"
        hosts = "*.sim.test=127.0.0.1:8000"
        timeout_seconds = 5
        max_page_mb = 2
        cache_mb = 0
        [search]
        providers = "brave, wikipedia"
        urls = "brave=http://127.0.0.1:9/brave"
        searxng_url = "http://search.corp/"
    "#;
    let variables = [
        ("TAVILY_API_KEY", " canary\n"),
        ("BRAVE_API_KEY", "canary"),
        ("HADAL_FETCH_PROXY", "http://n:canary@proxy:3128"),
    ];
    let resolved = with(&[], &variables, toml).unwrap();
    assert!(!format!("{resolved:?}").contains("canary"));
    let (fetch, search) = (resolved.settings.fetch, resolved.settings.search);
    assert_eq!(fetch.rules, Rules { allow_private: true, ports: Ports::Also(vec![8080, 8443]) });
    assert_eq!((fetch.timeout, fetch.max_page_bytes, fetch.cache_bytes), (Duration::from_secs(5), 2 << 20, 0));
    assert!(fetch.hosts.iter().any(|host| host.covers("a.sim.test")) && fetch.proxy.is_some());
    assert_eq!(search.active(), [Provider::Brave, Provider::Wikipedia]);
    assert_eq!(search.url(Provider::Brave), Some("http://127.0.0.1:9/brave"));
    assert_eq!(search.url(Provider::Searxng), Some("http://search.corp"));
    assert_eq!(search.key(Provider::Tavily).map(Secret::reveal), Some("canary"));
    assert_eq!((fetch.contact.as_deref(), search.contact.as_deref()), (Some("me@example.org"), Some("me@example.org")));
    for (variable, value) in [
        ("HADAL_FETCH_PORTS", "http"),
        ("HADAL_FETCH_HOSTS", "a"),
        ("HADAL_FETCH_PROXY", "canary"),
        ("HADAL_FETCH_ALLOW_PRIVATE", "maybe"),
        ("HADAL_CONTACT", "a (b)"),
        ("HADAL_SEARCH_PROVIDERS", "bing"),
        ("HADAL_SEARCH_URLS", "tavily"),
        ("SEARXNG_URL", "search.corp"),
        ("EXA_API_KEY", "can ary"),
    ] {
        let error = with(&[], &[(variable, value)], "").unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains(variable) && !error.message.contains("canary"), "{}", error.message);
    }
}

/// Every registered setting is read by `resolve`, once, and the defaults pass their own rules.
#[test]
fn the_registry_and_the_settings_agree() {
    let resolved = with(&[], &[], "").unwrap();
    let taken: Vec<&str> = resolved.values.iter().map(|value| value.setting.key).collect();
    let registered: Vec<&str> = REGISTRY.iter().map(|setting| setting.key).collect();
    assert_eq!(taken, registered);
    for value in &resolved.values {
        assert_eq!(value.shown.as_deref(), value.setting.default);
        assert_eq!(value.origin, Origin::Default);
    }
}

#[test]
fn bad_values_name_source_value_and_what_is_allowed() {
    for (flags, variables, toml, words) in [
        (&[("--engine", "gpt")][..], &[][..], "", &["flag `--engine`", "`gpt`", "`extractive`"][..]),
        (
            &[],
            &[("HADAL_MAX_TASKS", "four")],
            "",
            &["environment variable `HADAL_MAX_TASKS`", "`four`", "from 1 to 1000"],
        ),
        (&[], &[("HADAL_MAX_TASKS", "0")], "", &["`0`", "from 1 to 1000"]),
        (&[], &[("HADAL_BUDGET_USD", "-1")], "", &["`-1`", "from 0"]),
        (&[], &[("HADAL_BUDGET_USD", "NaN")], "", &["`NaN`", "from 0"]),
        (&[], &[("HADAL_BUDGET_TOKENS", "99999999999999999999999")], "", &["from 1 to"]),
        (&[], &[("HADAL_LOG", "de\x1b[31mbug")], "", &["`de\u{fffd}[31mbug`", "`warn`"]),
        (
            &[],
            &[],
            "\n\nmax_tasks = \"4\"",
            &["`/c/hadal.toml`, line 3: `max_tasks`", "quoted text `4`", "whole number"],
        ),
        (&[], &[], "max_tasks = -4", &["line 1", "`-4`"]),
        (&[], &[], "[budget]\ntokens = [1]", &["line 2: `budget.tokens`", "array"]),
        (&[], &[], "engine = 7", &["`7`", "`auto`"]),
        (&[], &[], "reports_dir = \"\"", &["a path"]),
    ] {
        let error = with(flags, variables, toml).unwrap_err();
        assert_eq!(error.code, if flags.is_empty() { Code::InvalidConfig } else { Code::InvalidArgument });
        for word in words {
            assert!(error.message.contains(word), "{:?} does not say {word:?}", error.message);
        }
    }
}

#[test]
fn a_bad_file_names_line_and_remedy() {
    for (toml, message, hint) in [
        ("\nmax_task = 4", "line 2: unknown key `max_task`", "did you mean `max_tasks`?"),
        ("[budgets]\ntokens = 4", "line 2: unknown key `budgets.tokens`", "did you mean `budget.tokens`?"),
        ("zzz = 1", "unknown key `zzz`", "`hadal config` lists every key"),
        ("[zzz]", "unknown key `zzz`", "`hadal config`"),
        ("home = \"/x\"", "`home` cannot be set in the file", "HADAL_HOME"),
        ("gemini_api_key = \"canary\"", "`gemini_api_key` cannot be set in the file", "GEMINI_API_KEY"),
    ] {
        let error = with(&[], &[], toml).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains(message), "{:?} does not say {message:?}", error.message);
        assert!(error.hints.iter().any(|text| text.contains(hint)), "{:?} do not say {hint:?}", error.hints);
        assert!(!format!("{error:?}").contains("canary"));
    }
    let error = with(&[], &[], "engine = \"auto\"\nmax_tasks = = 4").unwrap_err();
    assert!(error.message.contains("`/c/hadal.toml`, line 2, is not valid TOML"), "{}", error.message);
    with(&[], &[], "[budget]\n[library]\n").expect("empty known tables say nothing");
}

#[test]
fn secrets_are_never_shown() {
    let resolved = with(&[], &[("GEMINI_API_KEY", "canary")], "").unwrap();
    let value = resolved.values.iter().find(|value| value.setting.allowed == Allowed::Secret).unwrap();
    assert_eq!(value.shown.as_deref(), Some(MASK));
    assert!(!format!("{resolved:?}").contains("canary"));
}

/// A key with a line break would be refused by the HTTP client, and a password in an address is a secret as well.
#[test]
fn keys_and_addresses_are_checked_and_trimmed() {
    let resolved = with(&[], &[("GEMINI_API_KEY", " canary\n")], "").unwrap();
    assert_eq!(resolved.settings.gemini_api_key.unwrap().reveal(), "canary");
    for key in ["can ary", "can\nary", "\n", "canarý"] {
        let error = with(&[], &[("GEMINI_API_KEY", key)], "").unwrap_err();
        assert!(error.message.contains("`GEMINI_API_KEY`: `********` is not allowed"), "{}", error.message);
    }
    for address in ["localhost:80", "ftp://x", "https://", "http:///x", "https://a b", "canary"] {
        let error = with(&[], &[("GOOGLE_GEMINI_BASE_URL", address)], "").unwrap_err();
        assert!(error.message.contains("begins with `http://`"), "{}", error.message);
    }
    let resolved = with(&[], &[("GOOGLE_GEMINI_BASE_URL", "https://me:canary@proxy.example/x@y\n")], "").unwrap();
    assert_eq!(resolved.settings.hosted.base_url, "https://me:canary@proxy.example/x@y");
    let value = resolved.values.iter().find(|value| value.setting.allowed == Allowed::Address).unwrap();
    assert_eq!(value.shown.as_deref().map(str::trim_end), Some("https://********@proxy.example/x@y\u{fffd}"));
    assert_eq!(without_password("https://proxy.example/x"), "https://proxy.example/x");
    let error = with(&[], &[("GOOGLE_GEMINI_BASE_URL", "ftp://me:canary@proxy.example")], "").unwrap_err();
    assert!(!error.message.contains("canary"), "{}", error.message);
}

proptest! {
    /// Whatever stands in the file or in a variable: a value or a coded error, never a panic.
    #[test]
    fn garbage_is_answered(toml in "(?s).{0,200}", value in "(?s).{1,60}", which in 0..REGISTRY.len()) {
        for result in [with(&[], &[], &toml), with(&[], &[(REGISTRY[which].variable, &value)], "")] {
            if let Err(error) = result {
                prop_assert_eq!(error.code, Code::InvalidConfig);
            }
        }
    }
}
