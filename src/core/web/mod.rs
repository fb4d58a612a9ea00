//! The web without a network: addresses, headers, redirects, paces, searches.

pub(crate) mod address;
pub(crate) mod headers;
pub(crate) mod pace;
pub(crate) mod redirect;
pub(crate) mod search;
