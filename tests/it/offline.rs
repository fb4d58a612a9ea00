//! `--offline` asks nobody.

use std::io::ErrorKind;
use std::net::TcpListener;

use crate::cli::{Done, Home};

/// A home in which everybody who could be asked is one listener.
struct Watched {
    home: Home,
    listener: TcpListener,
}

impl Watched {
    fn new() -> Self {
        let home = Home::new();
        std::fs::write(home.0.path().join("tides.md"), "# Tides\n\nThe tide at Brest rises by six metres.\n").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self { home, listener }
    }

    fn run(&self, args: &[&str]) -> Done {
        let host = self.listener.local_addr().unwrap().to_string();
        let address = format!("http://{host}");
        let mut command = self.home.command();
        command
            .env("OLLAMA_HOST", &host)
            .env("HADAL_FIND_LOCAL_MODELS", "yes")
            .env("HADAL_ENGINE", "native")
            .env("HADAL_SECOND_OPINION", "yes")
            .env("HADAL_LIBRARY_TO_MODEL", "yes")
            .env("HADAL_WEB", "yes")
            .env("SEARXNG_URL", &address);
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
            command.env(proxy, &address);
        }
        Done::of(command.args(args).output().unwrap())
    }

    /// Whether anybody was asked since the last time.
    fn is_asked(&self) -> bool {
        let mut asked = false;
        loop {
            match self.listener.accept() {
                Ok(_) => asked = true,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return asked,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// LB-02: with `--offline` documents are quoted and nobody is asked, whatever is set up; `extractive` over documents does the same.
#[test]
fn lb_02_offline_asks_nobody() {
    let watched = Watched::new();
    watched.run(&["doctor"]);
    assert!(watched.is_asked(), "models on this machine are looked for here");
    let question = "How far does the tide rise at Brest?";
    for command in ["ask", "search", "deep-search", "deep-research"] {
        for flags in [&["--offline"][..], &["--offline", "--engine", "auto"], &["--engine", "extractive"]] {
            let done = watched.run(&[&[command, "--json", "--library", "."], flags, &[question]].concat());
            assert_eq!(done.status, 0, "{command} {flags:?}: {}", done.stderr);
            assert!(done.json()["result"].as_str().unwrap().contains("six metres"), "{command}: {}", done.stdout);
            assert!(!watched.is_asked(), "{command} {flags:?}");
        }
    }
}

/// What cannot be had without asking is refused, and so is a question without documents.
#[test]
fn lb_02_offline_refuses_what_it_cannot_do() {
    let watched = Watched::new();
    for (flags, said) in [
        (&["--offline", "--engine", "native", "--library", "."][..], "only the engine `extractive`"),
        (&["--offline", "--web"], "cannot be used with"),
        (&["--offline"], "no library root to read"),
    ] {
        let done = watched.run(&[&["ask"], flags, &["How high is the tide?"]].concat());
        assert!(done.status != 0 && done.stderr.contains(said), "{flags:?}: {}", done.stderr);
        assert!(!watched.is_asked(), "{flags:?}");
    }
    // Behind the question it would be a word of it, and the question would go out.
    for late in [&["--offline"][..], &["in", "Brest", "--offline"], &["--offline", "please"]] {
        let done = watched.run(&[&["ask", "How high is the tide?"], late].concat());
        assert!(done.status != 0 && done.stderr.contains("before the question"), "{late:?}: {}", done.stderr);
        assert!(!watched.is_asked(), "{late:?}");
    }
}
