//! One spelling for the addresses of one page, for comparing and never for asking.

use url::Url;

use crate::core::base::rows::is_listed;

/// Parameters that say where a reader came from and not what is read.
const TRACKING: &str = "_ga _gl _hsenc _hsmi dclid fbclid gad_source gbraid gclid gclsrc hsctatracking igshid \
     li_fat_id mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id ref_src ref_url srsltid ttclid twclid wbraid yclid";

/// The canonical form of an address of the web; `None` for anything else.
///
/// Host and scheme are lower case (the parser does that), `http` counts as `https`, a default port, a final dot of
/// the host, a fragment, an empty query and parameters for tracking are left out, and `%7E` is `~`. A slash at the end of a
/// path other than `/` is left out: sites that serve two pages under `/a` and `/a/` hardly exist. The order of parameters
/// stays, because some sites give it a meaning; `www.` stays, because it can be another site.
pub(crate) fn canonical(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    // The port is read before the scheme changes what its default is.
    let port = url.port();
    url.set_scheme("https").ok()?;
    url.set_port(port.filter(|port| !matches!(port, 80 | 443))).ok()?;
    let host = url.host_str()?.trim_end_matches('.').to_owned();
    url.set_host(Some(&host)).ok()?;
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_fragment(None);
    let path = unescape(url.path());
    let path = path.trim_end_matches('/');
    url.set_path(if path.is_empty() { "/" } else { path });
    let query = url.query().map(|query| {
        let kept = query.split('&').filter(|pair| !pair.is_empty() && !is_tracking(pair));
        unescape(&kept.collect::<Vec<_>>().join("&"))
    });
    url.set_query(query.as_deref().filter(|query| !query.is_empty()));
    Some(url.into())
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with("utm_") || is_listed(TRACKING, &name)
}

/// Writes escaped letters, digits and `-._~` as themselves and other escapes in capitals; they mean the same.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        plain.push_str(before);
        let code = after.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    plain.push(char::from(byte));
                } else {
                    plain.push_str(&format!("%{byte:02X}"));
                }
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                plain.push('%');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}
