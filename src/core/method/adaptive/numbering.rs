//! What the numbers of a model's report stand for.
//!
//! A model is asked to cite pages by the numbers under which it was shown them. Some write a list of their own with other numbers; then the
//! list says what the numbers mean, also when it names pages that nobody showed.

use std::collections::BTreeMap;

use crate::core::evidence::reading::{Listed, address_key};
use crate::core::model::shown::ShownPage;
use crate::core::report::Source;

/// The sources of a report by its numbers, with a page behind each that was shown.
pub(super) fn sources(listed: &[Listed], shown: Vec<ShownPage>) -> Vec<Source> {
    let mut bound: BTreeMap<u32, Source> = BTreeMap::new();
    for entry in listed {
        let Some(number) = entry.number else { continue };
        let source = match (meant(entry, number, &shown), &entry.url) {
            (Some(page), _) => Some(source(number, page)),
            (None, Some(url)) => {
                let title = entry.title.clone().unwrap_or_else(|| url.clone());
                Some(Source { claimed: true, ..Source::link(number, title, url.clone()) })
            }
            (None, None) => None,
        };
        if let Some(source) = source {
            bound.entry(number).or_insert(source);
        }
    }
    let mut free = bound.keys().next_back().copied().unwrap_or(0).max(u32::try_from(shown.len()).unwrap_or(0));
    for page in &shown {
        if bound.values().any(|source| source.page.as_ref() == Some(&page.page)) {
            continue;
        }
        let mut number = page.number;
        if bound.contains_key(&number) {
            free = free.saturating_add(1);
            number = free;
        }
        bound.insert(number, source(number, page));
    }
    bound.into_values().collect()
}

/// The page that an entry means: the one at its address. One without an address, or with a misspelt address on the right site, means the page
/// that was shown under its number.
fn meant<'p>(entry: &Listed, number: u32, shown: &'p [ShownPage]) -> Option<&'p ShownPage> {
    let under_number = shown.iter().find(|page| page.number == number);
    let Some(url) = &entry.url else { return under_number };
    let key = address_key(url);
    let at_address = shown.iter().find(|page| address_key(&page.location) == key);
    let site = |key: &str| key.split('/').next().unwrap_or_default().to_owned();
    at_address.or_else(|| under_number.filter(|page| site(&address_key(&page.location)) == site(&key)))
}

fn source(number: u32, page: &ShownPage) -> Source {
    Source { page: Some(page.page.clone()), ..Source::link(number, page.title.clone(), page.location.clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::evidence::passage::{PageHash, Passage};
    use crate::core::model::shown::shown;
    use crate::core::text::spans::{PlaceInFile, Span};

    fn pages() -> Vec<ShownPage> {
        let passage = |path: &str| Passage {
            root: path.rsplit_once('/').unwrap().0.to_owned(),
            path: path.rsplit_once('/').unwrap().1.to_owned(),
            title: "A page".to_owned(),
            headings: Vec::new(),
            text: "words".to_owned(),
            lines: PlaceInFile::lines(1, 1),
            parts: Vec::new(),
            span: Span { start: 0, end: 5 },
            page: PageHash(path.to_owned()),
            score: 1.0,
            matched: Vec::new(),
            meaning: None,
            fenced: false,
            table_head: String::new(),
            of_superseded: false,
        };
        let passages = [passage("https://a.example/one"), passage("https://b.example/two")];
        shown(passages.iter())
    }

    #[test]
    fn a_list_of_the_model_says_what_its_numbers_mean() {
        let entry =
            |number: u32, url: Option<&str>| Listed { number: Some(number), url: url.map(str::to_owned), title: None };
        let (a, b) = (Some("http://www.a.example/one/"), Some("https://b.example/two"));
        for (listed, want) in [
            (vec![], "1=https://a.example/one 2=https://b.example/two"),
            (vec![entry(1, a), entry(2, b)], "1=https://a.example/one 2=https://b.example/two"),
            (vec![entry(1, b), entry(2, a)], "1=https://b.example/two 2=https://a.example/one"),
            (vec![entry(5, b)], "1=https://a.example/one 5=https://b.example/two"),
            (vec![entry(1, b)], "1=https://b.example/two 3=https://a.example/one"),
            (vec![entry(1, None)], "1=https://a.example/one 2=https://b.example/two"),
            (vec![entry(1, Some("https://a.example/on"))], "1=https://a.example/one 2=https://b.example/two"),
            (
                vec![entry(1, Some("https://never.example"))],
                "1=https://never.example? 2=https://b.example/two 3=https://a.example/one",
            ),
        ] {
            let line = |source: &Source| {
                assert_eq!(source.page.is_none(), source.claimed);
                format!("{}={}{}", source.number, source.location, if source.claimed { "?" } else { "" })
            };
            let shown: Vec<String> = sources(&listed, pages()).iter().map(line).collect();
            assert_eq!(shown.join(" "), want, "{listed:?}");
        }
    }
}
