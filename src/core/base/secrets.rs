//! Values that are never shown, and what stands in their place.

use std::fmt;

/// A value that is never shown: not in messages, not in `hadal config`, not by `{:?}`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(value: String) -> Self {
        Self(value)
    }

    /// The value, for whoever sends it to the service it belongs to. It goes nowhere else.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// The setting that holds the key of a service.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeySetting {
    pub(crate) key: &'static str,
    pub(crate) variable: &'static str,
    pub(crate) meaning: &'static str,
}

impl KeySetting {
    pub(crate) fn new(key: &'static str, variable: &'static str, meaning: &'static str) -> Option<Self> {
        Some(Self { key, variable, meaning })
    }
}

/// What stands in the place of a secret.
pub(crate) const MASK: &str = "********";

/// An address as it may be shown: a user name with a password in it becomes a mask.
pub(crate) fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(host_end).unwrap_or((rest, ""));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{MASK}@{host}{path}"),
        None => address.to_owned(),
    }
}
