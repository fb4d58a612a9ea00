//! The limits of fetching and searching.

use std::time::Duration;

/// An address in a report; browsers stop at about this length.
pub(crate) const ADDRESS_BYTES: usize = 4_096;
/// From the first packet to an open and encrypted connection; a server that takes longer is as good as gone.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// Redirects of one page; an honest one needs two or three.
pub(crate) const FETCH_HOPS: usize = 5;
/// Pages under way at the same time, over all tasks of this process.
pub(crate) const FETCH_AT_ONCE: usize = 32;
/// Of these from one site.
pub(crate) const FETCH_PER_SITE: usize = 2;
/// Requests to one site that may start at once: `robots.txt` and the pages of one search.
pub(crate) const FETCH_BURST: u32 = 6;
/// After the burst, one request to a site in this time.
pub(crate) const FETCH_GAP: Duration = Duration::from_millis(500);
/// The longest gap between requests that a site's `robots.txt` is followed to.
pub(crate) const FETCH_GAP_MAX: Duration = Duration::from_secs(10);
/// A site or a search provider that asks for a longer wait than this is not waited for.
pub(crate) const RETRY_WAIT: Duration = Duration::from_secs(10);
/// How often one request is made again because the site asked to come back later.
pub(crate) const FETCH_RETRIES: u32 = 1;
/// The longest silence of a server in the middle of an answer.
pub(crate) const FETCH_IDLE: Duration = Duration::from_secs(10);
/// How long all pages of one call may take together.
pub(crate) const FETCH_MANY: Duration = Duration::from_secs(90);
/// Bytes of all pages of one call together, which are in memory at once.
pub(crate) const FETCH_MANY_BYTES: usize = 64 << 20;
/// Pages of one call.
pub(crate) const FETCH_MANY_PAGES: usize = 200;
/// How many times its own size an answer may unpack to. Text seldom packs better than 1:20; bombs are 1:1000.
pub(crate) const FETCH_RATIO: u64 = 100;
/// Bytes that are free of the ratio: a small page of blanks packs well.
pub(crate) const FETCH_RATIO_FREE: u64 = 256 * 1024;
/// Sites that are remembered with their pace and rules; idle ones leave first.
pub(crate) const FETCH_SITES: usize = 1_024;
/// How long a site's `robots.txt` is taken for granted (a day is the most that its standard allows).
pub(crate) const ROBOTS_FRESH: Duration = Duration::from_secs(60 * 60);
/// How long a `robots.txt` that could not be read keeps its site closed.
pub(crate) const ROBOTS_RETRY: Duration = Duration::from_secs(60);
/// Bytes of a `robots.txt` that count; the standard asks for at least 500 KiB.
pub(crate) const ROBOTS_BYTES: usize = 512_000;
/// How long a page counts as fresh that does not say so itself.
pub(crate) const FETCH_FRESH: Duration = Duration::from_secs(10 * 60);
/// The longest a page counts as fresh, whatever it says: research wants what is there now.
pub(crate) const FETCH_FRESH_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Header values that are kept with a page (type, validators).
pub(crate) const FETCH_HEADER_BYTES: usize = 1_024;
/// The record of a kept page: addresses and header values.
pub(crate) const FETCH_RECORD_BYTES: u64 = 256 * 1024;
/// Kept pages after which the room they take is measured again; other processes write as well.
pub(crate) const FETCH_CACHE_LOOK: u64 = 64;
/// Results taken of one provider.
pub(crate) const SEARCH_HITS: usize = 100;
/// Characters of a snippet or title.
pub(crate) const SEARCH_SNIPPET_CHARS: usize = 4_000;
/// Characters of a search query; providers take 400 or less of it.
pub(crate) const SEARCH_QUERY_CHARS: usize = 400;
/// Words of a question for a provider that wants all of them on a page.
pub(crate) const SEARCH_KEYWORDS: usize = 8;
/// An answer of a search provider: fifty results with their texts are a tenth of it.
pub(crate) const SEARCH_BYTES: usize = 8 << 20;
/// One request to a search provider.
pub(crate) const SEARCH_REQUEST: Duration = Duration::from_secs(15);
/// One provider with its retries and the wait for its turn.
pub(crate) const SEARCH_PROVIDER: Duration = Duration::from_secs(40);
/// The waits before a failed search is tried again.
pub(crate) const SEARCH_WAITS: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(1_500)];
/// Searches whose results are kept in memory.
pub(crate) const SEARCH_CACHED: usize = 256;
/// How long they are kept: as long as a task asks the same again.
pub(crate) const SEARCH_FRESH: Duration = Duration::from_secs(10 * 60);
/// Links of one run that are asked where they lead.
pub(crate) const REDIRECTS: usize = 60;
/// Of these at the same time.
pub(crate) const REDIRECTS_AT_ONCE: usize = 16;
/// One of them.
pub(crate) const REDIRECT: Duration = Duration::from_secs(3);
/// All of them together: a round must not get slower for it than a page load.
pub(crate) const REDIRECTS_TOTAL: Duration = Duration::from_secs(5);
/// The text of one page of the web that is archived and searched, in bytes: a long book.
pub(crate) const WEB_PAGE_TEXT_BYTES: usize = 4 << 20;
/// Pages read at once in one attempt; a page is work for one core.
pub(crate) const READ_AT_ONCE: usize = 4;
/// Sites one call may name.
pub(crate) const SITES_MAX: usize = 32;
