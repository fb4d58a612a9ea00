//! Which addresses may be asked for a page: the rule against requests that somebody else makes us send into our own
//! network.
//!
//! A page, a model or a redirect can name any address. The text is read by the same parser that the HTTP client uses, so that
//! both mean the same host, and it is judged three times: as a host ([`check`]), as an answer of the resolver
//! ([`check_ip`]), and again at each redirect. Nothing here resolves a name.

mod canonical;
#[cfg(test)]
pub(crate) mod refused;
#[cfg(test)]
mod tests;

use ::core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

use crate::core::base::error::{Code, Error};
use crate::core::base::{limits, plain};

pub(crate) use canonical::canonical;

/// What a user has opened beyond the public web.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Loopback and private networks, but never metadata services.
    pub(crate) allow_private: bool,
    pub(crate) ports: Ports,
}

/// The ports that may be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ports {
    /// 80 and 443.
    #[default]
    Web,
    /// 80, 443 and these.
    Also(Vec<u16>),
    Any,
}

impl Ports {
    fn allows(&self, port: u16) -> bool {
        matches!(port, 80 | 443)
            || match self {
                Self::Web => false,
                Self::Also(ports) => ports.contains(&port),
                Self::Any => true,
            }
    }
}

/// An address that may be asked, as far as its text tells. A name must still be resolved, and its addresses checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) url: Url,
    /// The host in lower case without a final dot, and the port: who is asked.
    pub(crate) site: Site,
}

/// One server, as rate limits and `robots.txt` know it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) secure: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// Why an address is not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("is not an address of the web: {0}")]
    NoAddress(String),
    #[error("has the scheme `{0}`; only `http` and `https` are followed")]
    Scheme(String),
    #[error("holds a user name or password")]
    UserInfo,
    #[error("names port {0}; only 80 and 443 are asked")]
    Port(u16),
    #[error("leads to `{0}`, which is {1}")]
    Range(IpAddr, &'static str),
    #[error("names `{0}`, which is {1}")]
    Name(String, &'static str),
}

impl Refusal {
    /// The refusal of `address`, for people.
    pub(crate) fn of(self, address: &str) -> Error {
        let shown = plain::marked(address, limits::ECHO_CHARS);
        let error = Error::new(Code::AddressRefused, format!("`{shown}` {self}"));
        match self {
            Self::Port(_) => error.hint("`fetch.ports` (`HADAL_FETCH_PORTS`) names further ports that may be asked"),
            Self::Range(_, PRIVATE) | Self::Name(_, LOCAL) => {
                error.hint("`fetch.allow_private` (`HADAL_FETCH_ALLOW_PRIVATE`) opens private networks")
            }
            Self::NoAddress(_) | Self::Scheme(_) | Self::UserInfo | Self::Range(..) | Self::Name(..) => error,
        }
    }
}

const PRIVATE: &str = "an address of this machine or of a private network";
const METADATA: &str = "a metadata service, which hands out credentials";
const RESERVED: &str = "no address of the public internet";
const LOCAL: &str = "a name of this machine or of a private network";

/// Judges an address by its text.
pub(crate) fn check(text: &str, rules: &Rules) -> Result<Address, Refusal> {
    let no_address = |why: &str| Refusal::NoAddress(why.to_owned());
    if text.len() > limits::ADDRESS_BYTES {
        return Err(no_address("it is too long"));
    }
    // The parser drops some of these silently; then a reader of the text sees another address than it does.
    if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
        return Err(no_address("it holds a blank, a control character or a backslash"));
    }
    let url = Url::parse(text).map_err(|fault| no_address(&fault.to_string()))?;
    let authority = text.split_once("//").map_or("", |(_, rest)| rest).split(['/', '?', '#']).next();
    if authority.is_some_and(|authority| authority.contains('@')) && matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::UserInfo);
    }
    check_url(url, rules)
}

/// Judges an address that is already taken apart, such as the target of a redirect.
pub(crate) fn check_url(mut url: Url, rules: &Rules) -> Result<Address, Refusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::Scheme(url.scheme().chars().take(20).collect()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::UserInfo);
    }
    if url.as_str().len() > limits::ADDRESS_BYTES {
        return Err(Refusal::NoAddress("it is too long".to_owned()));
    }
    let host = match url.host() {
        None => return Err(Refusal::NoAddress("it names no host".to_owned())),
        Some(Host::Ipv4(ip)) => {
            check_ip(ip.into(), rules)?;
            ip.to_string()
        }
        Some(Host::Ipv6(ip)) => {
            check_ip(ip.into(), rules)?;
            format!("[{ip}]")
        }
        Some(Host::Domain(name)) => check_name(name, rules)?,
    };
    let port = url.port_or_known_default().unwrap_or(0);
    if !rules.ports.allows(port) {
        return Err(Refusal::Port(port));
    }
    url.set_fragment(None);
    let secure = url.scheme() == "https";
    Ok(Address { url, site: Site { secure, host, port } })
}

/// Judges an address that a name was resolved to, or that a host is.
pub(crate) fn check_ip(ip: IpAddr, rules: &Rules) -> Result<(), Refusal> {
    let class = match ip {
        IpAddr::V4(ip) => class_v4(ip),
        IpAddr::V6(ip) => class_v6(ip),
    };
    match class {
        Class::Public => Ok(()),
        Class::Private if rules.allow_private => Ok(()),
        Class::Private => Err(Refusal::Range(ip, PRIVATE)),
        Class::Metadata => Err(Refusal::Range(ip, METADATA)),
        Class::Reserved => Err(Refusal::Range(ip, RESERVED)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Public,
    /// A user may open it.
    Private,
    /// Nobody may.
    Metadata,
    /// Not of the public internet, and of no use in a private one.
    Reserved,
}

/// Metadata services that do not stand in a range of their own. The one of Azure has a public address.
const METADATA_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(192, 0, 0, 192)];
const METADATA_V6: [Ipv6Addr; 2] =
    [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)];

fn class_v4(ip: Ipv4Addr) -> Class {
    if METADATA_V4.contains(&ip) {
        return Class::Metadata;
    }
    match ip.octets() {
        [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Class::Private,
        // Link-local: nothing is there that has pages, and every cloud keeps its metadata service there.
        [169, 254, ..] => Class::Metadata,
        // "This network", protocol assignments, documentation, the old 6to4 relays, benchmarks, multicast, the future.
        [0 | 224..=255, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [192, 31, 196, _]
        | [192, 52, 193, _]
        | [192, 175, 48, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _] => Class::Reserved,
        _ => Class::Public,
    }
}

fn class_v6(ip: Ipv6Addr) -> Class {
    if METADATA_V6.contains(&ip) {
        return Class::Metadata;
    }
    if ip.is_loopback() {
        return Class::Private;
    }
    match ip.segments() {
        [0xfc00..=0xfdff, ..] => Class::Private,
        // Only 2000::/3 is handed out. What is not: mapped, compatible and translated IPv4, link-local, multicast.
        [..=0x1fff | 0x4000.., ..] => Class::Reserved,
        // Protocol assignments with Teredo, documentation, 6to4, the old test network.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002 | 0x3ffe, ..] | [0x3fff, 0..=0xfff, ..] => Class::Reserved,
        // ISATAP carries an IPv4 address below any prefix.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Class::Reserved,
        _ => Class::Public,
    }
}

/// Names of metadata services; refused even where private networks are open.
const METADATA_NAMES: [&str; 8] = [
    "instance-data",
    "instance-data.ec2.internal",
    "metadata",
    "metadata.azure.internal",
    "metadata.goog",
    "metadata.google.internal",
    "metadata.internal",
    "metadata.tencentyun.com",
];

/// Last labels that no public name has, and that local resolvers answer.
const LOCAL_ENDS: [&str; 14] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "test",
    "svc",
    "home.arpa",
    "in-addr.arpa",
    "ip6.arpa",
];

/// Judges a name and returns it without its final dot.
fn check_name(name: &str, rules: &Rules) -> Result<String, Refusal> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    if name.is_empty() {
        return Err(Refusal::NoAddress("it names no host".to_owned()));
    }
    if METADATA_NAMES.contains(&name.as_str()) {
        return Err(Refusal::Name(name, METADATA));
    }
    let ends = |end: &str| name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    // A name without a dot belongs to whatever domain this machine searches.
    if !rules.allow_private && (!name.contains('.') || LOCAL_ENDS.iter().any(|end| ends(end))) {
        return Err(Refusal::Name(name, LOCAL));
    }
    Ok(name)
}
