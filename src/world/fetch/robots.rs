//! `robots.txt`: what a site asks programs not to read (RFC 9309). Our name in it is `hadal`.

use url::Url;

use super::body::SharedBytes;
use super::site::{Robots, SiteState};
use super::time::PageTime;
use super::{Inner, shown};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::web::address::{Address, check_url};

const AGENT: &str = "hadal";
const PATH: &str = "/robots.txt";

impl Inner {
    /// Whether the site of an address lets us read it.
    pub(super) async fn allowed(&self, site: &SiteState, address: &Address, time: &PageTime) -> Result<()> {
        let cell = site.robots();
        let robots = cell.get_or_init(|| self.rules_of(site, address, time)).await;
        match robots {
            Robots::Closed(error) => Err(error.clone()),
            Robots::Rules(rules) if rules.is_url_allowed(&address.url) => Ok(()),
            Robots::Rules(_) => {
                let message =
                    format!("`{}` is not for programs, says the site's robots.txt", shown(address.url.as_str()));
                Err(Error::new(Code::RobotsRefused, message))
            }
        }
    }

    async fn rules_of(&self, site: &SiteState, address: &Address, time: &PageTime) -> Robots {
        let rules = match self.robots_txt(&address.url, time).await {
            Ok(Some(text)) => robotxt::Robots::parse(&text, AGENT),
            Ok(None) => robotxt::Robots::allow_all(),
            Err(error) => return Robots::Closed(error),
        };
        if let Some(gap) = rules.crawl_delay() {
            site.slow(gap);
        }
        Robots::Rules(Box::new(rules))
    }

    /// The text of the rules; `None` when the site has none. Its own rules do not apply to it.
    async fn robots_txt(&self, url: &Url, time: &PageTime) -> Result<Option<Vec<u8>>> {
        let mut url = url.clone();
        url.set_path(PATH);
        url.set_query(None);
        let text = url.to_string();
        let address = check_url(url, &self.rules).map_err(|refusal| refusal.of(&text))?;
        // What stands beyond the limit does not count, so that a long file closes nothing.
        let found = self.follow(address, &SharedBytes::new(limits::ROBOTS_BYTES).cutting(), time).await;
        match found {
            Ok(walked) => Ok(Some(walked.page.bytes)),
            Err(error) if error.code == Code::PageUnavailable => Ok(None),
            // A redirect into a private network is no rule either; what it protects is checked by itself.
            Err(error) if error.code == Code::AddressRefused => Ok(None),
            Err(error) => Err(error),
        }
    }
}
