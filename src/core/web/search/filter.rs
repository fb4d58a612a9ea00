//! What a user allowed: sites and dates.

use url::Url;

use super::{Hit, Query};
use crate::core::web::address::{self, Rules};

/// Whether a result may be shown: an address of the public web, on an allowed site, of an allowed day.
///
/// A result without a date passes a range of dates: most pages have none, and the page itself may say more. A provider's own
/// filter has seen to the rest where it has one.
pub(crate) fn allowed(hit: &Hit, query: &Query, rules: &Rules) -> bool {
    let Ok(address) = address::check(&hit.url, rules) else { return false };
    let on = |site: &String| is_on(&address.site.host, site);
    if query.within.never.iter().any(on) || !(query.within.only.is_empty() || query.within.only.iter().any(on)) {
        return false;
    }
    // Days in this form are in order as texts.
    let Some(day) = &hit.date else { return true };
    query.within.from.as_ref().is_none_or(|from| day >= from)
        && query.within.until.as_ref().is_none_or(|until| day <= until)
}

/// Whether a host is a site or below it. A site may be written as people write them: `Example.com`, `www.example.com`,
/// `*.example.com`, `https://example.com/`.
fn is_on(host: &str, site: &str) -> bool {
    let site = site.trim().to_lowercase();
    let site = site.split_once("//").map_or(site.as_str(), |(_, rest)| rest);
    let site = site.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let site = site.trim_start_matches("*.").trim_start_matches("www.").trim_matches('.');
    // A name in another script is compared in the form that the net uses.
    let site = Url::parse(&format!("http://{site}")).ok().and_then(|url| url.host_str().map(str::to_owned));
    let Some(site) = site else { return false };
    host.strip_suffix(site.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
