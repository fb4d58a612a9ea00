//! Google's search gives its sources as links of its own, which expire. This asks each where it leads.
//!
//! Only links of that one form are asked, no answer is followed and no body is read: the address that comes back is
//! text for the report. What does not answer in time stays as it is.

use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::web::redirect::{GOOGLE, redirect_target};
use crate::world::http;

/// Puts real addresses in the place of Google's links, in a list in its order and in the text that cites them: a report that lists such a
/// link means the page behind it. Two links may lead to one page, which is then there once.
pub(crate) async fn resolve(text: &mut String, sources: &mut Vec<String>) {
    let links = std::mem::take(sources);
    *sources = resolve_each(&links).await;
    replace(text, &links, sources);
    let mut seen = std::collections::HashSet::new();
    sources.retain(|source| seen.insert(source.clone()));
}

/// Puts addresses in the place of links. The text may be JSON, in which a backslash is no part of an address.
fn replace(text: &mut String, links: &[String], addresses: &[String]) {
    let mut pairs: Vec<(&String, &String)> =
        links.iter().zip(addresses).filter(|(link, address)| link != address && !address.contains('\\')).collect();
    // One link can be the beginning of another.
    sort_by_key(&mut pairs, |(link, _)| std::cmp::Reverse(link.len()));
    for (link, address) in pairs {
        if text.contains(link.as_str()) {
            *text = text.replace(link.as_str(), address);
        }
    }
}

/// The address behind each, one for one.
pub(crate) async fn resolve_each(sources: &[String]) -> Vec<String> {
    let mut sources = sources.to_vec();
    resolve_from(GOOGLE, &mut sources).await;
    sources
}

async fn resolve_from(prefix: &str, sources: &mut [String]) {
    let links: Vec<(usize, String)> = sources
        .iter()
        .enumerate()
        .filter(|(_, link)| link.starts_with(prefix))
        .map(|(n, link)| (n, link.clone()))
        .collect();
    if links.is_empty() {
        return;
    }
    let Some(client) = client() else { return };
    let deadline = Instant::now() + limits::REDIRECTS_TOTAL;
    let mut asking = JoinSet::new();
    let mut waiting = links.into_iter().take(limits::REDIRECTS).peekable();
    while waiting.peek().is_some() || !asking.is_empty() {
        while asking.len() < limits::REDIRECTS_AT_ONCE {
            let Some((n, link)) = waiting.next() else { break };
            let client = client.clone();
            asking.spawn(async move { (n, ask(&client, &link).await) });
        }
        match timeout_at(deadline, asking.join_next()).await {
            Ok(Some(Ok((n, Some(address))))) => {
                if let Some(source) = sources.get_mut(n) {
                    *source = address;
                }
            }
            Ok(_) => {}
            // Dropping the set ends what is still under way.
            Err(_too_late) => break,
        }
    }
}

async fn ask(client: &reqwest::Client, link: &str) -> Option<String> {
    let answer = client.get(link).send().await.ok()?;
    let location = answer.headers().get(reqwest::header::LOCATION)?.to_str().ok()?;
    answer.status().is_redirection().then(|| redirect_target(location)).flatten()
}

fn client() -> Option<reqwest::Client> {
    http::builder().timeout(limits::REDIRECT).build().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// A server that answers each path in its own way, as often as it is asked.
    fn server() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    let mut request = [0; 2_048];
                    let read = stream.read(&mut request).unwrap_or(0);
                    let path = String::from_utf8_lossy(&request[..read]).split(' ').nth(1).unwrap_or("").to_owned();
                    let head = match path.rsplit('/').next().unwrap_or("") {
                        "one" | "same" => "302 Found\r\nLocation: https://a.example/page",
                        "bad" => "302 Found\r\nLocation: javascript:alert(1)",
                        "none" => "200 OK",
                        // Never answers; the client gives up.
                        _ => return drop(stream.read(&mut request)),
                    };
                    let _client_may_be_gone =
                        stream.write_all(format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n").as_bytes());
                });
            }
        });
        format!("http://{address}/redirect/")
    }

    #[tokio::test]
    async fn links_become_addresses_and_others_stay() {
        let prefix = server();
        let link = |name: &str| format!("{prefix}{name}");
        let mut sources = vec![link("one"), "https://b.example/".into(), link("same"), link("bad"), link("none")];
        resolve_from(&prefix, &mut sources).await;
        let page = "https://a.example/page".to_owned();
        assert_eq!(sources, [page.clone(), "https://b.example/".into(), page, link("bad"), link("none")]);
    }

    #[tokio::test]
    async fn a_link_that_never_answers_stays() {
        let prefix = server();
        let mut sources = vec![format!("{prefix}silent"), format!("{prefix}one")];
        resolve_from(&prefix, &mut sources).await;
        assert_eq!(sources, [format!("{prefix}silent"), "https://a.example/page".into()]);
        let mut refused = vec!["http://127.0.0.1:1/redirect/x".to_owned()];
        resolve_from("http://127.0.0.1:1/redirect/", &mut refused).await;
        assert_eq!(refused, ["http://127.0.0.1:1/redirect/x"]);
    }
}
