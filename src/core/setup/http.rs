//! Who may ask a server over HTTP: hosts, origins, tokens and rates, as rules without a network.

use ::core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use sha2::{Digest, Sha256};

use crate::core::base::limits;
use crate::core::base::plain::is_digits;

/// When a request must carry a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TokenRule {
    /// When the server can be reached from other machines.
    #[default]
    Remote,
    Always,
}

impl TokenRule {
    pub(crate) const NAMES: &'static [&'static str] = &["remote", "always"];

    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "remote" => Some(Self::Remote),
            "always" => Some(Self::Always),
            _ => None,
        }
    }

    /// Whether a server that listens here takes no request without a token.
    pub(crate) fn needs_token(self, listens: SocketAddr) -> bool {
        self == Self::Always || !listens.ip().is_loopback()
    }
}

/// How many of the tasks that run at once guests may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GuestTurns {
    /// All of them together: some are left for the user of this machine, as far as there is more than one.
    pub(crate) all: usize,
    /// Each of them: some are left for the others.
    pub(crate) each: usize,
}

impl GuestTurns {
    pub(crate) fn of(most: usize) -> Self {
        Self { all: most.saturating_sub((most / 4).max(1)).max(1), each: (most / 2).max(1) }
    }
}

/// The settings of the server over HTTP.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HttpSettings {
    pub(crate) token: TokenRule,
    /// Further names under which the server is reached, such as that of a reverse proxy.
    pub(crate) hosts: Vec<String>,
    /// Further origins whose pages may ask.
    pub(crate) origins: Vec<String>,
}

/// Names by which this machine calls itself.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl HttpSettings {
    /// Whether the `Host` of a request is a name of this server. A page of somebody else whose name was made to lead here has another. An address
    /// is nobody's name: where a token is needed, every one that leads here is taken, because a server on all of them does not know its own.
    pub(crate) fn host_allowed(&self, host: &str, listens: SocketAddr, needs_token: bool) -> bool {
        let name = without_port(host);
        if needs_token && is_address(name) {
            return true;
        }
        let own = match listens.ip() {
            ip if ip.is_unspecified() => None,
            IpAddr::V4(ip) => Some(ip.to_string()),
            IpAddr::V6(ip) => Some(format!("[{ip}]")),
        };
        let known = LOCAL.into_iter().chain(own.as_deref()).chain(self.hosts.iter().map(String::as_str));
        known.into_iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Whether the pages of an origin may ask. A request without one does not come from a page.
    pub(crate) fn origin_allowed(&self, origin: &str) -> bool {
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let local = rest.is_some_and(|host| LOCAL.iter().any(|known| known.eq_ignore_ascii_case(without_port(host))));
        local || self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin))
    }
}

/// Whether this is an address as a `Host` has it, and no name.
fn is_address(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.map_or_else(|| host.parse::<Ipv4Addr>().is_ok(), |inner| inner.parse::<Ipv6Addr>().is_ok())
}

/// A name without the port behind it; one with anything else behind it stays whole, and so is no known name.
fn without_port(host: &str) -> &str {
    let Some((name, port)) = host.rsplit_once(':') else { return host };
    if is_digits(port) && (name.starts_with('[') == name.ends_with(']')) { name } else { host }
}

/// The token in the header `Authorization`.
pub(crate) fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}

/// What is kept of a token, and compared.
pub(crate) fn digest(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares in a time that does not depend on where two digests differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && differ == 0
}

/// Whether this may be the name of a token: it stands in a file, in rows and in messages.
pub(crate) fn is_token_name(name: &str) -> bool {
    let plain =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_');
    // One that begins with `-` looks like an option on the command line that takes it away.
    !name.is_empty() && !name.starts_with('-') && name.len() <= limits::TOKEN_NAME_BYTES && plain
}

/// How many requests may come: so many at once, and so many a second in the long run.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    burst: f64,
    per_ms: f64,
    left: f64,
    at_ms: u64,
}

impl Bucket {
    pub(crate) fn new(burst: u32, per_second: u32, now_ms: u64) -> Self {
        let burst = f64::from(burst);
        Self { burst, per_ms: f64::from(per_second) / 1_000.0, left: burst, at_ms: now_ms }
    }

    /// Whether one more may come now. A clock that goes back gives nothing.
    pub(crate) fn take(&mut self, now_ms: u64) -> bool {
        let passed = u32::try_from(now_ms.saturating_sub(self.at_ms)).unwrap_or(u32::MAX);
        self.left = (self.left + f64::from(passed) * self.per_ms).min(self.burst);
        self.at_ms = now_ms;
        let may = self.left >= 1.0;
        if may {
            self.left -= 1.0;
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> HttpSettings {
        HttpSettings {
            hosts: vec!["hadal.example".into()],
            origins: vec!["https://page.example".into()],
            ..Default::default()
        }
    }

    /// MC-01: a name that was made to lead here is not taken for ours.
    #[test]
    fn mc_01_hosts() {
        let listens = SocketAddr::from(([127, 0, 0, 1], 7417));
        for (host, allowed) in [
            ("localhost", true),
            ("LOCALHOST:7417", true),
            ("127.0.0.1:1", true),
            ("[::1]:7417", true),
            ("hadal.example", true),
            ("hadal.example:443", true),
            ("evil.example", false),
            ("localhost.evil.example", false),
            ("localhost:7417.evil.example", false),
            ("127.0.0.1.evil.example:7417", false),
            ("localhost@evil.example", false),
            ("192.168.0.7:7417", false),
            ("::1", false),
            ("", false),
        ] {
            assert_eq!(settings().host_allowed(host, listens, false), allowed, "{host}");
        }
        let lan = SocketAddr::from(([192, 168, 0, 7], 7417));
        assert!(settings().host_allowed("192.168.0.7:7417", lan, false));
        assert!(!settings().host_allowed("192.168.0.8", lan, false));
        // A server on all addresses of its machine, which needs a token, is asked by any of them.
        let all = SocketAddr::from(([0, 0, 0, 0], 7417));
        for (host, allowed) in [
            ("192.168.0.7:7417", true),
            ("192.168.0.7", true),
            ("[fe80::1]:7417", true),
            ("localhost", true),
            ("fe80::1", false),
            ("[evil.example]", false),
            ("192.168.0.7.evil.example", false),
            ("192.168.0", false),
            ("evil.example:7417", false),
        ] {
            assert_eq!(settings().host_allowed(host, all, true), allowed, "{host}");
        }
    }

    /// MC-01: a page of somebody else's site may not ask.
    #[test]
    fn mc_01_origins() {
        for (origin, allowed) in [
            ("http://localhost:3000", true),
            ("https://127.0.0.1", true),
            ("http://[::1]:80", true),
            ("https://page.example", true),
            ("https://page.example:444", false),
            ("http://page.example", false),
            ("http://evil.example", false),
            ("http://localhost.evil.example", false),
            ("http://localhost:80@evil.example", false),
            ("null", false),
            ("file://", false),
            ("", false),
        ] {
            assert_eq!(settings().origin_allowed(origin), allowed, "{origin}");
        }
    }

    /// MC-01: beyond this machine nothing goes without a token.
    #[test]
    fn mc_01_tokens() {
        for (listens, rule, needs) in [
            ("127.0.0.1:7417", TokenRule::Remote, false),
            ("[::1]:7417", TokenRule::Remote, false),
            ("127.0.0.1:7417", TokenRule::Always, true),
            ("0.0.0.0:7417", TokenRule::Remote, true),
            ("192.168.0.7:7417", TokenRule::Remote, true),
            ("[::]:7417", TokenRule::Remote, true),
        ] {
            assert_eq!(rule.needs_token(listens.parse().unwrap()), needs, "{listens} {rule:?}");
        }
        for (header, token) in [
            ("Bearer abc", Some("abc")),
            ("bearer  abc ", Some("abc")),
            ("Basic abc", None),
            ("Bearer", None),
            ("Bearer ", None),
            ("abc", None),
        ] {
            assert_eq!(bearer(header), token, "{header}");
        }
        assert!(same(&digest("abc"), &digest("abc")) && !same(&digest("abc"), &digest("abd")) && !same("ab", "abc"));
        for (name, may) in
            [("laptop", true), ("a-1_b", true), ("", false), ("-x", false), ("A", false), ("a b", false), ("é", false)]
        {
            assert_eq!(is_token_name(name), may, "{name}");
        }
        assert!(!is_token_name(&"a".repeat(100)));
    }

    #[test]
    fn a_bucket_fills_again() {
        let mut bucket = Bucket::new(3, 10, 0);
        assert_eq!([0; 4].map(|now| bucket.take(now)), [true, true, true, false]);
        assert_eq!([50, 100, 100].map(|now| bucket.take(now)), [false, true, false]);
        assert!(!bucket.take(0), "a clock that goes back gives nothing");
        assert_eq!([1_000_000; 4].map(|now| bucket.take(now)), [true, true, true, false]);
    }
}
