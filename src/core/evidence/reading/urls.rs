//! Addresses in running text.

use std::borrow::Cow;

use crate::core::base::rows::listed;
use crate::core::evidence::place::local;

/// The longest address, in bytes.
const LONGEST: usize = 4_000;

/// The length of the address that a text begins with.
pub(super) fn length(text: &str) -> Option<usize> {
    let begins = |start: &str| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if !(begins("http://") || begins("https://") || begins("www.")) {
        return None;
    }
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '<' | '>' | '"' | '“' | '”' | '`' | '|' | '】' | '，' | '。' | '、' | '；' | '）')
            || c.is_control()
    };
    let reach = text
        .char_indices()
        .take_while(|(at, c)| *at < LONGEST && !ends(*c))
        .last()
        .map_or(0, |(at, c)| at + c.len_utf8());
    let mut url = text.get(..reach)?;
    // The words of a link end here: `[https://…](https://…)`.
    url = url.split("](").next().unwrap_or(url);
    let count = |mark: char| i64::try_from(url.matches(mark).count()).unwrap_or_default();
    let (mut round, mut square) = (count(')') - count('('), count(']') - count('['));
    loop {
        let last = url.chars().next_back()?;
        match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '’' | '*' | '_' | '~' => {}
            ')' if round > 0 => round -= 1,
            ']' if square > 0 => square -= 1,
            _ => break,
        }
        url = url.get(..url.len() - last.len_utf8())?;
    }
    // `www.` alone is no address.
    (url.len() > 8 && url.contains('.')).then_some(url.len())
}

/// Whether a link leads to a page of the web, and not to a place in the report or a mailbox.
pub(super) fn is_web(url: &str) -> bool {
    ["http://", "https://", "www."]
        .iter()
        .any(|start| url.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// The ends of names that stand for a site where nothing else says so.
const SITES: &str = "com org net edu gov int info io eu de uk fr ch at nl it es ca au us jp cn in br";
/// Those that do so only before a path: alone they are words, or endings of files.
const SITES_WITH_PATH: &str = "dev app ai co me tv xyz site online tech blog wiki page cloud gg so ly fm rs sh se no \
     fi dk pl cz pt gr ru ua tr il kr tw hk sg nz za mx ar cl ie be hu ro sk si hr lt lv ee is biz news science museum \
     mil name test";

/// An address without its scheme, as lists of sources have them: `lake.org/x`, `en.wikipedia.org`. It gets one.
pub(super) fn without_scheme(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/').trim_end_matches('/');
    let (host, path) = word.split_once('/').unwrap_or((word, ""));
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let (name, end) = host.rsplit_once('.')?;
    let is_end = (2..=24).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphabetic());
    let known = |sites: &str| listed(sites).any(|site| site.eq_ignore_ascii_case(end));
    let is_site = known(SITES) || (!path.is_empty() && known(SITES_WITH_PATH));
    let is_host = host.len() <= 253 && host.chars().all(named) && !host.contains("..") && !name.is_empty();
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_address = is_host && is_end && is_site && !is_number && word.len() <= LONGEST && local(word).is_none();
    is_address.then(|| format!("https://{word}"))
}

/// An address without what says who sent the reader: `utm_source=…`.
fn without_campaign(url: &str) -> Cow<'_, str> {
    let Some((page, query)) = url.split_once('?').filter(|(_, query)| query.contains("utm_")) else {
        return Cow::Borrowed(url);
    };
    let kept: Vec<&str> = query.split('&').filter(|part| !part.starts_with("utm_")).collect();
    Cow::Owned(if kept.is_empty() { page.to_owned() } else { format!("{page}?{}", kept.join("&")) })
}

/// An address as two of them are compared: without scheme, `www.`, fragment and final slash. Of a document on this machine the lines are
/// part of the place, and capitals too.
pub(crate) fn key(url: &str) -> String {
    if !is_web(url) && local(url).is_some() {
        return url.to_owned();
    }
    let url = url.split('#').next().unwrap_or_default();
    let lower = without_campaign(url).trim_end_matches('/').to_lowercase();
    let bare = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
    bare.strip_prefix("www.").unwrap_or(bare).to_owned()
}
