//! A question to documents whose registration cannot be read.

use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cli::{Done, Home};

/// A home from which the whole web is one listener, which counts who comes.
struct Web {
    home: Home,
    address: String,
    asked: Arc<AtomicUsize>,
}

impl Web {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for _connection in listener.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        let home = Home::new();
        let notes = home.0.path().join("notes");
        std::fs::create_dir(&notes).unwrap();
        std::fs::write(notes.join("tides.md"), "# Tides\n\nThe tide at Brest rises by six metres.\n").unwrap();
        Self { home, address, asked }
    }

    fn run(&self, args: &[&str]) -> Done {
        let mut command = self.home.command();
        command.env("HADAL_WEB", "yes").env("HADAL_FIND_LOCAL_MODELS", "no");
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
            command.env(proxy, &self.address);
        }
        Done::of(command.args(args).output().unwrap())
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn marker(&self) -> PathBuf {
        let index = std::fs::read_dir(self.home.0.path().join("data/index")).unwrap();
        index.map(|entry| entry.unwrap().path().join("root.json")).find(|marker| marker.is_file()).unwrap()
    }
}

const QUESTION: &str = "How far does the tide rise at Brest?";

/// LB-01: a folder that is registered and cannot be read is no reason to ask the web.
#[test]
fn lb_01_a_registration_that_cannot_be_read_sends_nothing_to_the_web() {
    let web = Web::new();
    web.run(&["deep-research", "--json", QUESTION]);
    assert!(web.asked() > 0, "without a library the web is asked here");
    let before = web.asked();
    assert_eq!(web.run(&["library", "add", "notes"]).status, 0);
    let marker = web.marker();
    std::fs::remove_file(&marker).unwrap();
    let spoil: [(&str, &dyn Fn()); 3] = [
        ("INDEX_DAMAGED", &|| std::fs::write(&marker, "").unwrap()),
        ("INDEX_DAMAGED", &|| std::fs::write(&marker, "{ \"path\": 7").unwrap()),
        ("STORE_UNAVAILABLE", &|| {
            std::fs::remove_file(&marker).unwrap();
            std::fs::create_dir(&marker).unwrap();
        }),
    ];
    for (code, spoil) in spoil {
        spoil();
        for command in ["ask", "search", "deep-search", "deep-research"] {
            let done = web.run(&[command, "--json", QUESTION]);
            assert_eq!(done.code(), code, "{command}: {}", done.stdout);
            assert!(done.json()["error"]["hints"][0].is_string(), "{command}: {}", done.stdout);
        }
        let list = web.run(&["library", "list", "--json"]).json();
        assert_eq!(list["problems"][0]["error"]["code"].as_str(), Some(code), "{list}");
        let list = web.run(&["library", "list"]).stdout;
        assert!(list.contains(code) && list.contains("root.json") && !list.contains("Nothing is registered"), "{list}");
    }
    assert_eq!(web.asked(), before, "nobody was asked");
}
