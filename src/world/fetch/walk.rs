//! One page, from its first address to its last: every hop is judged like the first.

use reqwest::StatusCode;
use reqwest::header::{ETAG, HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION};
use tokio::sync::OwnedSemaphorePermit;

use super::body::SharedBytes;
use super::cache::{Kept, Walked};
use super::site::SiteState;
use super::time::PageTime;
use super::{Hop, Inner, Page, answer, body, shown};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::web::address::{Address, Refusal, check_ip, check_url};
use crate::core::web::headers;
use crate::world::http;

/// An answer, and the place at its site, which is given up when the answer was read.
struct Answer {
    response: reqwest::Response,
    _turn: OwnedSemaphorePermit,
}

impl Inner {
    /// Fetches a page that its sites let us read.
    pub(super) async fn walk(
        &self,
        first: Address,
        room: &SharedBytes,
        known: Option<Kept>,
        time: &PageTime,
    ) -> Result<Walked> {
        self.steps(first, room, known, (time, true)).await
    }

    /// The same without asking for rules: for the rules themselves.
    pub(super) async fn follow(&self, first: Address, room: &SharedBytes, time: &PageTime) -> Result<Walked> {
        self.steps(first, room, None, (time, false)).await
    }

    async fn steps(
        &self,
        first: Address,
        room: &SharedBytes,
        known: Option<Kept>,
        (time, ruled): (&PageTime, bool),
    ) -> Result<Walked> {
        let mut hops: Vec<Hop> = Vec::new();
        let mut at = first;
        loop {
            let site = self.sites.of(&at.site);
            if ruled {
                // The rules may redirect to a third site, whose own rules do not count then; so this ends.
                Box::pin(self.allowed(&site, &at, time)).await?;
            }
            let validators = known.as_ref().filter(|kept| kept.final_url == at.url.as_str());
            let answer = self.ask(&site, &at, validators, time).await?;
            let status = answer.response.status();
            match (status, validators) {
                (StatusCode::NOT_MODIFIED, Some(kept)) => {
                    return renewed(kept, &answer, hops, room, self.max_page_bytes);
                }
                _ if is_redirect(status) => {
                    let to = self.target(&at, answer.response.headers())?;
                    hops.push(hop(&at, &to, status));
                    if hops.len() > limits::FETCH_HOPS {
                        let message = format!("`{}` leads on and on", shown(at.url.as_str()));
                        return Err(Error::new(Code::FetchFailed, message));
                    }
                    at = to;
                }
                _ => return self.take(&at, answer, hops, room).await,
            }
        }
    }

    /// Where a redirect leads, if one may go there.
    fn target(&self, at: &Address, headers: &HeaderMap) -> Result<Address> {
        let nowhere =
            |why: &str| Error::new(Code::FetchFailed, format!("`{}` leads nowhere: {why}", shown(at.url.as_str())));
        let location = headers.get(LOCATION).ok_or_else(|| nowhere("there is no `Location`"))?;
        let location = std::str::from_utf8(location.as_bytes()).map_err(|_| nowhere("its `Location` is no text"))?;
        if location.len() > limits::ADDRESS_BYTES {
            return Err(nowhere("its `Location` is too long"));
        }
        let joined = at.url.join(location);
        let joined = joined.map_err(|fault| Refusal::NoAddress(fault.to_string()).of(location))?;
        check_url(joined, &self.rules).map_err(|refusal| refusal.of(location))
    }

    /// Asks one site, in its turn and at its pace; once more when it says how long to wait.
    async fn ask(&self, site: &SiteState, at: &Address, kept: Option<&Kept>, time: &PageTime) -> Result<Answer> {
        let mut tries = 0;
        loop {
            let turn = time.uncounted(site.turn()).await?;
            self.resolver.check_for_proxy(&at.url).await?;
            let mut request = self.client.get(at.url.clone());
            for (name, value) in kept.map(validators).into_iter().flatten() {
                request = request.header(name, value);
            }
            let response = request.send().await.map_err(|fault| answer::unreachable(at, &fault))?;
            // A last look, which only a fault of ours can fail. With a proxy the far end is the proxy.
            let stranger = response.remote_addr().filter(|far| check_ip(far.ip(), &self.rules).is_err());
            if let Some(far) = stranger.filter(|_| !self.resolver.has_proxy()) {
                return Err(Error::new(Code::AddressRefused, format!("`{}` was answered by `{far}`", at.site.host)));
            }
            if !matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
                return Ok(Answer { response, _turn: turn });
            }
            let wait = http::retry_after(response.headers());
            let Some(wait) = wait.filter(|wait| *wait <= limits::RETRY_WAIT && tries < limits::FETCH_RETRIES) else {
                return Err(answer::later(at, response.status(), wait));
            };
            site.hold(wait);
            tries += 1;
        }
    }

    /// Reads a final answer.
    async fn take(&self, at: &Address, answer: Answer, hops: Vec<Hop>, room: &SharedBytes) -> Result<Walked> {
        let response = answer.response;
        let status = response.status();
        if !status.is_success() {
            return Err(answer::refused(at, status));
        }
        let headers = response.headers().clone();
        let content_type = header(&headers, &reqwest::header::CONTENT_TYPE);
        if !headers::readable(content_type.as_deref()) {
            return Err(answer::unreadable(at, content_type.as_deref()));
        }
        let bytes = body::read(response, at, room, self.max_page_bytes).await?;
        let final_url = at.url.to_string();
        let page = Page {
            url: final_url.clone(),
            final_url,
            status: status.as_u16(),
            content_type,
            bytes,
            from_cache: false,
            hops,
        };
        Ok(Walked {
            page,
            cache_control: header(&headers, &reqwest::header::CACHE_CONTROL),
            etag: header(&headers, &ETAG),
            last_modified: header(&headers, &LAST_MODIFIED),
        })
    }
}

/// The page that the site says has not changed.
fn renewed(kept: &Kept, answer: &Answer, hops: Vec<Hop>, room: &SharedBytes, most: usize) -> Result<Walked> {
    room.take(kept.body.len(), most)?;
    let headers = answer.response.headers();
    Ok(Walked {
        page: Page { hops, ..kept.page() },
        cache_control: header(headers, &reqwest::header::CACHE_CONTROL),
        etag: header(headers, &ETAG).or_else(|| kept.etag.clone()),
        last_modified: header(headers, &LAST_MODIFIED).or_else(|| kept.last_modified.clone()),
    })
}

fn hop(from: &Address, to: &Address, status: StatusCode) -> Hop {
    Hop {
        from: from.url.to_string(),
        to: to.url.to_string(),
        status: status.as_u16(),
        downgraded: from.site.secure && !to.site.secure,
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn validators(kept: &Kept) -> Vec<(HeaderName, &str)> {
    let etag = kept.etag.as_deref().map(|value| (IF_NONE_MATCH, value));
    let date = kept.last_modified.as_deref().map(|value| (IF_MODIFIED_SINCE, value));
    etag.into_iter().chain(date).collect()
}

/// A header as text, if it is one of sensible length.
fn header(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (value.len() <= limits::FETCH_HEADER_BYTES).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::web::address::{Rules, check};

    #[test]
    fn a_hop_to_an_open_page_is_marked() {
        let at = |url: &str| check(url, &Rules::default()).unwrap();
        let (open, secure) = (at("http://a.example.com/"), at("https://a.example.com/"));
        assert!(hop(&secure, &open, StatusCode::FOUND).downgraded);
        for (from, to) in [(&open, &secure), (&open, &open), (&secure, &secure)] {
            assert!(!hop(from, to, StatusCode::FOUND).downgraded);
        }
    }
}
