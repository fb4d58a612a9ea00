//! The only way from a name to a connection: every address that a name leads to is judged, and a connection goes only to one that
//! passed. There is no second lookup between the judgement and the connection, so a name cannot change its mind.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::core::base::error::{Code, Error, Result};
use crate::core::setup::settings::web::{FetchSettings, FixedHost};
use crate::core::web::address::{Rules, check_ip};

#[derive(Clone, Debug)]
pub(super) struct Resolver {
    rules: Rules,
    hosts: Vec<FixedHost>,
    /// The user's proxy; where it is, is the user's business.
    proxy: Option<String>,
    lookup: Lookup,
}

/// Who knows the addresses of names.
#[derive(Clone)]
pub(super) enum Lookup {
    /// The machine's own resolver.
    System,
    /// A resolver that somebody hostile runs.
    #[cfg(test)]
    Hostile(std::sync::Arc<Answers>),
}

#[cfg(test)]
type Answers = dyn Fn(&str) -> Vec<SocketAddr> + Send + Sync;

impl std::fmt::Debug for Lookup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Lookup")
    }
}

impl Resolver {
    pub(super) fn new(settings: &FetchSettings) -> Self {
        let proxy = settings.proxy.as_ref().and_then(|proxy| Url::parse(proxy.reveal()).ok());
        // A proxy without a name is not looked up.
        let proxy = proxy.map(|url| match url.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            Some(Host::Ipv4(_) | Host::Ipv6(_)) | None => String::new(),
        });
        Self { rules: settings.rules.clone(), hosts: settings.hosts.clone(), proxy, lookup: Lookup::System }
    }

    pub(super) fn has_proxy(&self) -> bool {
        self.proxy.is_some()
    }

    #[cfg(test)]
    pub(super) fn looking_up(self, lookup: Lookup) -> Self {
        Self { lookup, ..self }
    }

    /// Judges the host of an address that a proxy will look up. A name that only the proxy knows passes: it leads nowhere
    /// from here.
    pub(super) async fn check_for_proxy(&self, url: &Url) -> Result<()> {
        match (&self.proxy, url.host()) {
            (Some(_), Some(Host::Domain(name))) => match self.vetted(name).await {
                Err(error) if error.code == Code::AddressRefused => Err(error),
                Ok(_) | Err(_) => Ok(()),
            },
            (Some(_), Some(Host::Ipv4(_) | Host::Ipv6(_)) | None) | (None, _) => Ok(()),
        }
    }

    /// The addresses of a name that may be asked. Port 0 stands for that of the address.
    async fn vetted(&self, name: &str) -> Result<Vec<SocketAddr>> {
        let host = name.trim_end_matches('.').to_ascii_lowercase();
        let found = match self.hosts.iter().find(|fixed| fixed.covers(&host)) {
            Some(fixed) => vec![fixed.to],
            None => self.look_up(&host).await?,
        };
        let mut refusal = None;
        let mut passed = Vec::new();
        for address in found {
            match check_ip(address.ip(), &self.rules) {
                Ok(()) => passed.push(address),
                Err(why) => refusal = Some(why.of(&host)),
            }
        }
        match (passed.is_empty(), refusal) {
            (false, _) => Ok(passed),
            (true, Some(refusal)) => Err(refusal),
            (true, None) => Err(Error::new(Code::FetchFailed, format!("`{host}` has no address"))),
        }
    }

    async fn look_up(&self, host: &str) -> Result<Vec<SocketAddr>> {
        match &self.lookup {
            Lookup::System => {
                let found = tokio::net::lookup_host((host, 0)).await;
                let unknown =
                    |fault| Error::new(Code::FetchFailed, format!("`{host}` could not be looked up: {fault}"));
                Ok(found.map_err(unknown)?.collect())
            }
            #[cfg(test)]
            Lookup::Hostile(answer) => Ok(answer(host)),
        }
    }

    /// What the client is told. The proxy is where the user says it is.
    async fn answer(&self, name: &str) -> Result<Vec<SocketAddr>> {
        if self.proxy.as_deref() == Some(name) { self.look_up(name).await } else { self.vetted(name).await }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = resolver.answer(name.as_str()).await?;
            let addresses: Addrs = Box::new(addresses.into_iter());
            Ok(addresses)
        })
    }
}
