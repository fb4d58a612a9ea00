//! Nothing of this machine or its network is ever connected to.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::core::web::address::refused;
use resolver::Lookup;

/// A port of this machine that counts who connects.
struct Door {
    address: SocketAddr,
    knocks: Arc<AtomicUsize>,
}

impl Door {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let knocks = Arc::new(AtomicUsize::new(0));
        let counting = Arc::clone(&knocks);
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                counting.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { address, knocks }
    }

    fn knocks(&self) -> usize {
        self.knocks.load(Ordering::SeqCst)
    }
}

fn strict(lookup: Lookup) -> (Fetcher, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.fetch.rules.ports = Ports::Any;
    let resolver = Arc::new(Resolver::new(&settings.fetch).looking_up(lookup));
    (Fetcher::with(&settings.fetch, resolver, home.path().join("pages")).unwrap(), home)
}

#[tokio::test]
async fn no_refused_address_is_connected_to() {
    let door = Door::open();
    let here = door.address;
    // Whatever is asked for, this resolver says that it is here.
    let (fetcher, _home) = strict(Lookup::Hostile(Arc::new(move |_| vec![here])));
    let port = here.port();
    let mut cases = refused::cases();
    // With the port of the door, so that a connection would succeed.
    let spelled = refused::V4.into_iter().flat_map(refused::spellings);
    cases.extend(spelled.map(|host| format!("http://{host}:{port}/")));
    cases.extend([format!("http://localhost:{port}/"), format!("http://[::1]:{port}/")]);
    assert!(cases.len() > 1_000);
    for case in cases {
        let error = fetcher.fetch(&case, &CancellationToken::new()).await.map(|page| page.url).unwrap_err();
        assert_eq!(error.code, Code::AddressRefused, "{case}: {error}");
    }
    assert_eq!(door.knocks(), 0);
}

/// A public name that leads to a private address, alone or among others.
#[tokio::test]
async fn a_name_that_leads_home_is_refused() {
    let door = Door::open();
    for lies in [
        vec![door.address],
        vec!["10.0.0.1:0".parse().unwrap(), door.address],
        vec!["[::1]:0".parse().unwrap()],
        vec!["[::ffff:127.0.0.1]:0".parse().unwrap(), "169.254.169.254:80".parse().unwrap()],
    ] {
        let answer = lies.clone();
        let (fetcher, _home) = strict(Lookup::Hostile(Arc::new(move |_| answer.clone())));
        let url = format!("http://rebind.example.com:{}/", door.address.port());
        let error = fetcher.fetch(&url, &CancellationToken::new()).await.unwrap_err();
        assert_eq!(error.code, Code::AddressRefused, "{lies:?}: {error}");
    }
    assert_eq!(door.knocks(), 0);
}

/// A name that answers with an allowed address first and with another one afterwards. Each connection has one lookup, and what that
/// lookup says is both judged and connected to; there is no moment in between.
#[tokio::test]
async fn a_name_cannot_change_between_check_and_connection() {
    let web = Web::start(Duration::ZERO).unwrap();
    let allowed = web.address();
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    let lookup = Lookup::Hostile(Arc::new(move |_| match counting.fetch_add(1, Ordering::SeqCst) {
        0 => vec![allowed],
        _ => vec!["169.254.169.254:80".parse().unwrap()],
    }));
    let home = tempfile::tempdir().unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.fetch.rules.allow_private = true;
    let resolver = Arc::new(Resolver::new(&settings.fetch).looking_up(lookup));
    let fetcher = Fetcher::with(&settings.fetch, resolver, home.path().join("pages")).unwrap();
    // The rules and the page come over one connection, which the site then closes in the middle of the page.
    let cut = fetcher.fetch("http://traps.sim.test/cut", &CancellationToken::new()).await.unwrap_err();
    assert_eq!(cut.code, Code::FetchFailed, "{cut}");
    assert_eq!((asked.load(Ordering::SeqCst), web.connections()), (1, 1));
    for n in 2..5 {
        let error = fetcher.fetch("http://traps.sim.test/json", &CancellationToken::new()).await.unwrap_err();
        assert_eq!(error.code, Code::AddressRefused, "{error}");
        assert_eq!((asked.load(Ordering::SeqCst), web.connections()), (n, 1));
    }
}

/// Every hop is judged like the first address.
#[tokio::test]
async fn redirects_lead_into_no_closed_network() {
    let door = Door::open();
    let port = door.address.port();
    // The web itself stands on loopback, so private networks are open here; what stays closed is metadata, other ports and schemes.
    let bench = bench();
    for to in [
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://2852039166/".to_owned(),
        "http://[::ffff:169.254.169.254]/".to_owned(),
        "http://[fd00:ec2::254]/".to_owned(),
        "http://metadata.google.internal/computeMetadata/v1/".to_owned(),
        "//metadata.google.internal/".to_owned(),
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://user@traps.sim.test:{port}/"),
        "http://user:pass@traps.sim.test/chain/0".to_owned(),
        "http://0.0.0.0/".to_owned(),
        "http://[::]/".to_owned(),
        "http://[fe80::1]/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://traps.sim.test/".to_owned(),
        "data:text/html,hello".to_owned(),
        "javascript:alert(1)".to_owned(),
        "ftp://traps.sim.test/".to_owned(),
    ] {
        let error = bench.trap(&format!("/to?{to}")).await.map(|page| page.final_url).unwrap_err();
        assert_eq!(error.code, Code::AddressRefused, "{to}: {error}");
    }
    assert_eq!(door.knocks(), 0);
}

/// The same from the public web, as far as one machine can have one: the strict rules refuse loopback at the second hop.
#[tokio::test]
async fn a_strict_fetcher_refuses_the_simulated_web_itself() {
    let web = Web::start(Duration::ZERO).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.fetch.hosts = FixedHost::parse_list(&format!("a.example.com={}", web.address())).unwrap();
    let fetcher = Fetcher::new(&settings).unwrap();
    for url in ["http://a.example.com/", "http://tides.sim.test/history"] {
        let error = fetcher.fetch(url, &CancellationToken::new()).await.unwrap_err();
        assert_eq!(error.code, Code::AddressRefused, "{url}: {error}");
    }
    assert_eq!(web.connections(), 0);
}

/// A proxy looks names up itself, so they are looked up before it is asked; its own place is the user's business.
#[tokio::test]
async fn a_proxy_does_not_open_what_is_closed() {
    let proxy = Web::start(Duration::ZERO).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut settings = Settings::defaults(home.path());
    let secret = crate::core::base::secrets::Secret::new(format!("http://name:canary@{}", proxy.address()));
    settings.fetch.proxy = Some(secret);
    let lookup = Lookup::Hostile(Arc::new(|host| match host {
        "home.example.com" => vec!["10.0.0.1:0".parse().unwrap()],
        "public.example.com" => vec!["93.184.216.34:0".parse().unwrap()],
        _ => Vec::new(),
    }));
    let resolver = Arc::new(Resolver::new(&settings.fetch).looking_up(lookup));
    let fetcher = Fetcher::with(&settings.fetch, resolver, home.path().join("pages")).unwrap();
    let refused = fetcher.fetch("http://home.example.com/", &CancellationToken::new()).await.unwrap_err();
    assert_eq!(refused.code, Code::AddressRefused, "{refused}");
    assert_eq!(proxy.connections(), 0);
    // The proxy has no such page, which is an answer: it was asked.
    let asked = fetcher.fetch("http://public.example.com/x", &CancellationToken::new()).await.unwrap_err();
    assert_eq!(asked.code, Code::PageUnavailable, "{asked}");
    assert!(proxy.connections() > 0);
    assert!(!format!("{asked:?} {refused:?} {fetcher:?}").contains("canary"));
}
