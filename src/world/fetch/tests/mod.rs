//! The real fetcher against the simulated web, over real sockets.

mod kept;
mod many;
mod refused;
mod sites;
mod traps;

use std::time::Duration;

use sim::web::Web;

use super::*;
use crate::core::setup::settings::web::FixedHost;
use crate::core::web::address::Ports;

/// A web and a fetcher that may reach it, with a home of its own.
pub(super) struct Bench {
    pub(super) web: Web,
    pub(super) fetcher: Fetcher,
    pub(super) settings: Settings,
    _home: tempfile::TempDir,
}

pub(super) fn bench() -> Bench {
    bench_with(|_| {})
}

pub(super) fn bench_with(change: impl FnOnce(&mut FetchSettings)) -> Bench {
    let home = tempfile::tempdir().unwrap();
    let web = Web::start(Duration::ZERO).unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.fetch.rules.allow_private = true;
    settings.fetch.hosts = FixedHost::parse_list(&web.hosts()).unwrap();
    change(&mut settings.fetch);
    Bench { fetcher: Fetcher::new(&settings).unwrap(), web, settings, _home: home }
}

impl Bench {
    pub(super) async fn get(&self, url: &str) -> Result<Page> {
        self.fetcher.fetch(url, &CancellationToken::new()).await
    }

    /// A page of the site of traps.
    pub(super) async fn trap(&self, path: &str) -> Result<Page> {
        self.get(&format!("http://traps.sim.test{path}")).await
    }
}

pub(super) fn text(page: &Page) -> String {
    String::from_utf8_lossy(&page.bytes).into_owned()
}
