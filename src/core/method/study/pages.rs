//! Which of the pages that searches found are read, by what is known of them before they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::base::rows::listed;
use crate::core::base::sorting::sort_by;
use crate::core::evidence::excerpt::{PageFacts, WantedPage};
use crate::core::language::words::{informative_pieces, pieces, root};

/// A page that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundPage {
    pub(super) wanted: WantedPage,
    /// An address or a path.
    pub(super) location: String,
    pub(super) title: String,
    pub(super) snippet: String,
    pub(super) date: Option<String>,
}

/// How much the first places of a list count more than the next: the usual figure for fusing is 60, for long lists.
const RANK: f32 = 10.0;
/// What the words of title and snippet count beside the places in the lists.
const WORDS: f32 = 0.12;
/// What a site counts whose own name stands in the question: its makers know best.
const OWN_SITE: f32 = 0.04;
/// The pages of one search among which its best is looked for.
const FIRST_OF_EACH: usize = 3;
/// Pages of one site in a round, while several sites answered.
const PER_SITE: usize = 2;
/// So many of the first pages of a search are read on if they were read before.
const REOPENED: usize = 2;
/// So many sites are several.
const SITES: usize = 3;

/// A search and what it found, in its order.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundList<'a> {
    /// `None` for what no search found.
    pub(super) query: Option<&'a str>,
    pub(super) pages: &'a [FoundPage],
}

/// Chooses at most `most` pages out of what searches found. What was tried is left out. Pages that other searches found, or that links
/// lead to, count by their words alone.
pub(super) fn choose(
    question: &str,
    lists: &[FoundList<'_>],
    others: &[FoundList<'_>],
    tried: &Tried,
    most: usize,
) -> Vec<FoundPage> {
    let wanted = Wanted::new(question, lists, others);
    let mut scores: BTreeMap<&str, Scored<'_>> = BTreeMap::new();
    let is_new = |page: &&FoundPage| !tried.locations.contains(&page.location) && !is_listing(&page.location);
    for list in lists {
        for (place, page) in list.pages.iter().enumerate() {
            // A page that was read and has more is read on where a search puts it on top.
            let reopens = place < REOPENED && tried.has_more.contains_key(&page.location);
            if !reopens && !is_new(&page) {
                continue;
            }
            let place = u16::try_from(place).map_or(f32::from(u16::MAX), f32::from);
            let entry = scores.entry(&page.location).or_insert(Scored { places: 0.0, speaks: 0.0, page });
            entry.places += 1.0 / (RANK + place);
            entry.speaks = entry.speaks.max(wanted.share(page, list.query));
        }
    }
    for list in others {
        for page in list.pages.iter().filter(is_new) {
            let entry = scores.entry(&page.location).or_insert(Scored { places: 0.0, speaks: 0.0, page });
            entry.speaks = entry.speaks.max(wanted.share(page, list.query));
        }
    }
    let score = |page: &FoundPage| scores.get(page.location.as_str()).map_or(0.0, |known| known.places + known.speaks);
    let best_first =
        |a: &&FoundPage, b: &&FoundPage| score(b).total_cmp(&score(a)).then_with(|| a.location.cmp(&b.location));
    // Each search was made for a reason: the first page of each that speaks of what was searched for comes before the second of any.
    let of_each = lists.iter().filter_map(|list| {
        let first = first_pages(list, &scores);
        let speaks = first.iter().copied().find(|page| wanted.speaks_of_search(page, list)).map(|page| (page, true));
        speaks.or_else(|| Some((first.into_iter().max_by(|a, b| best_first(b, a))?, false)))
    });
    let of_each: Vec<(&FoundPage, bool)> = of_each.collect();
    let firsts: BTreeSet<&str> =
        of_each.iter().filter(|(_, speaks)| *speaks).map(|(page, _)| page.location.as_str()).collect();
    let mut ranked: Vec<&FoundPage> = of_each.iter().map(|(page, _)| *page).collect();
    sort_by(&mut ranked, best_first);
    let mut rest: Vec<&FoundPage> = scores.values().map(|known| known.page).collect();
    sort_by(&mut rest, best_first);
    ranked.extend(rest);
    let sites: BTreeSet<&str> = ranked.iter().map(|page| site(&page.location)).collect();
    let several = sites.len() >= SITES;
    let best = scores.values().map(|known| known.speaks).fold(0.0, f32::max);
    // Another site is worth a place only if what it shows of itself speaks of the question.
    let speaks = |page: &FoundPage| scores.get(page.location.as_str()).is_some_and(|it| it.speaks * 4.0 >= best * 3.0);
    let mut taken: Vec<FoundPage> = Vec::new();
    for strict in [true, false] {
        for page in &ranked {
            let of_site = taken.iter().filter(|known| site(&known.location) == site(&page.location)).count();
            let crowded = several && of_site >= PER_SITE && !is_local(page);
            let is_known = taken.iter().any(|known| known.location == page.location);
            let is_first = firsts.contains(page.location.as_str());
            if taken.len() < most && !is_known && !(strict && (crowded || !(is_first || speaks(page)))) {
                taken.push(tried.read_on(page));
            }
        }
    }
    taken
}

/// The first pages of a search that may be asked for.
fn first_pages<'a>(list: &FoundList<'a>, scores: &BTreeMap<&str, Scored<'_>>) -> Vec<&'a FoundPage> {
    let known = |page: &&FoundPage| scores.contains_key(page.location.as_str());
    list.pages.iter().filter(known).take(FIRST_OF_EACH).collect()
}

/// What was asked for already.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) locations: BTreeSet<String>,
    /// Pages of it that were read and have more to say.
    pub(super) has_more: BTreeMap<String, PageFacts>,
}

impl Tried {
    /// A page as it is asked for: what was read before is read on.
    fn read_on(&self, page: &FoundPage) -> FoundPage {
        let wanted = self.has_more.get(&page.location).map(|facts| WantedPage::Archived(facts.clone()));
        FoundPage { wanted: wanted.unwrap_or_else(|| page.wanted.clone()), ..page.clone() }
    }
}

/// A page and what speaks for it: its places in the lists, and what it shows of itself.
struct Scored<'a> {
    places: f32,
    speaks: f32,
    page: &'a FoundPage,
}

/// The words that are looked for, as far as any page shows them: a word that none has tells none from another.
struct Wanted {
    question: BTreeSet<String>,
    shown: BTreeSet<String>,
    /// The words that each page shows.
    pages: Vec<BTreeSet<String>>,
    /// How much each of them tells one page from another.
    weights: BTreeMap<String, f32>,
}

impl Wanted {
    fn new(question: &str, lists: &[FoundList<'_>], others: &[FoundList<'_>]) -> Self {
        let found: BTreeMap<&str, &FoundPage> =
            lists.iter().chain(others).flat_map(|list| list.pages).map(|page| (page.location.as_str(), page)).collect();
        let pages: Vec<BTreeSet<String>> = found.values().map(|page| shown_words(page).collect()).collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        pages.iter().flatten().for_each(|word| *counts.entry(word.clone()).or_default() += 1);
        let number = |count: usize| u16::try_from(count).map_or(f32::MAX, f32::from);
        let weight = |count: usize| (number(pages.len()) / number(count)).ln();
        let weights = counts.iter().map(|(word, count)| (word.clone(), weight(*count))).collect();
        let shown: BTreeSet<String> = counts.into_keys().collect();
        Self { question: roots(question).intersection(&shown).cloned().collect(), shown, pages, weights }
    }

    /// What title, snippet and site say before the page is read: of the question, and of the search that found it. A search that shares no
    /// word with the question is in another language, and its pages are measured by it alone.
    fn share(&self, page: &FoundPage, query: Option<&str>) -> f32 {
        let held: BTreeSet<String> = shown_words(page).collect();
        let own = pieces(site(&page.location)).any(|word| word.len() > 3 && self.question.contains(root(&word)));
        let bonus = if own { OWN_SITE } else { 0.0 };
        let of_question = part(&held, &self.question);
        let Some(query) = query else { return WORDS * of_question + bonus };
        let query: BTreeSet<String> = roots(query).intersection(&self.shown).cloned().collect();
        let is_foreign = !query.is_empty() && query.is_disjoint(&self.question);
        let of_query = part(&held, &query);
        WORDS * if is_foreign { of_query } else { (of_question + of_query) / 2.0 } + bonus
    }
}

/// The part of the best page's words of a search, from which another page speaks of it too.
const OF_SEARCH: f32 = 0.5;

impl Wanted {
    /// Whether a page shows what of the question was searched for. A word that few pages show tells more than one that all have.
    fn speaks_of_search(&self, page: &FoundPage, list: &FoundList<'_>) -> bool {
        let query = list.query.map(roots).unwrap_or_default();
        let wanted: BTreeSet<&String> = query.intersection(&self.question).collect();
        let weight = |held: &BTreeSet<String>| -> f32 {
            wanted.iter().filter(|word| held.contains(**word)).filter_map(|word| self.weights.get(*word)).sum()
        };
        let best = self.pages.iter().map(weight).fold(0.0, f32::max);
        let own = weight(&shown_words(page).collect());
        own > 0.0 && own >= best * OF_SEARCH
    }
}

fn roots(text: &str) -> BTreeSet<String> {
    informative_pieces(text).iter().map(|word| root(word).to_owned()).collect()
}

fn shown_words(page: &FoundPage) -> impl Iterator<Item = String> + '_ {
    pieces(&page.title).chain(pieces(&page.snippet)).map(|word| root(&word).to_owned())
}

/// Which part of some words is held.
fn part(held: &BTreeSet<String>, wanted: &BTreeSet<String>) -> f32 {
    let number = |count: usize| u16::try_from(count).map_or(1.0, f32::from);
    if wanted.is_empty() { 0.0 } else { number(wanted.intersection(held).count()) / number(wanted.len()) }
}

fn is_local(page: &FoundPage) -> bool {
    matches!(page.wanted, WantedPage::Library(_))
}

/// The host of an address; a path is its own site.
pub(super) fn site(location: &str) -> &str {
    let rest = location.split_once("://").map_or(location, |(_, rest)| rest);
    let host = if rest.len() < location.len() { rest.split(['/', '?', '#']).next().unwrap_or(rest) } else { rest };
    host.strip_prefix("www.").unwrap_or(host)
}

/// Parts of an address by which pages that only list others are known.
const LISTINGS: &str = "/tag/ /tags/ /category/ /categories/ /search/ /search? sitemap /genindex /contents.htm \
     /toc.htm /author/";

fn is_listing(location: &str) -> bool {
    let lower = location.to_lowercase();
    let is_web = lower.starts_with("http");
    is_web && (listed(LISTINGS).any(|part| lower.contains(part)) || lower.ends_with("/search"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str, title: &str) -> FoundPage {
        FoundPage {
            wanted: WantedPage::Web { url: url.into() },
            location: url.into(),
            title: title.into(),
            snippet: String::new(),
            date: None,
        }
    }

    fn chosen(lists: &[&[FoundPage]], tried: &[&str], most: usize) -> Vec<String> {
        let tried = Tried { locations: tried.iter().map(|&url| url.to_owned()).collect(), ..Tried::default() };
        let lists: Vec<FoundList<'_>> =
            lists.iter().map(|&pages| FoundList { query: Some("lark engine"), pages }).collect();
        choose("How does the Lark engine work?", &lists, &[], &tried, most)
            .into_iter()
            .map(|page| page.location)
            .collect()
    }

    /// ST-02: pages that several searches found, or whose titles speak of the question, come first; none is read twice.
    #[test]
    fn pages_are_chosen_by_what_is_known_of_them() {
        let a = [
            page("https://a.test/1", "News"),
            page("https://b.test/2", "Cats"),
            page("https://c.test/3", "Lark engine"),
        ];
        let b = [page("https://d.test/4", "Dogs"), page("https://b.test/2", "Cats")];
        assert_eq!(chosen(&[&a, &b], &[], 2), ["https://c.test/3", "https://b.test/2"]);
        assert_eq!(chosen(&[&a, &b], &["https://b.test/2"], 1), ["https://c.test/3"]);
        assert_eq!(chosen(&[], &[], 3), Vec::<String>::new());
    }

    /// ST-02: a page on another part is not read because it shares the other words of a search; a search in another language finds pages
    /// in that language.
    #[test]
    fn pages_are_measured_by_the_question_and_by_their_search() {
        let own: Vec<FoundPage> =
            (0..3).map(|n| page(&format!("https://a{n}.test/"), "The brake of the Lark engine")).collect();
        let history = [
            page("https://b.test/", "The first brake of the Lark engine entered service"),
            page("https://c.test/", "The first rotor of the Lark engine entered service"),
            page("https://d.test/", "The first tower of the Lark engine entered service"),
        ];
        let foreign = [page("https://e.test/", "云雀发动机的制动器")];
        let lists = [
            FoundList { query: Some("Lark engine brake"), pages: &own },
            FoundList { query: Some("first brake entered service"), pages: &history },
            FoundList { query: Some("云雀发动机 制动器"), pages: &foreign },
        ];
        let tried = Tried::default();
        let taken = choose("What is known of the brake of the Lark engine?", &lists, &[], &tried, 5);
        let mut urls: Vec<&str> = taken.iter().map(|page| page.location.as_str()).collect();
        urls.sort_unstable();
        let want = ["https://a0.test/", "https://a1.test/", "https://a2.test/", "https://b.test/", "https://e.test/"];
        assert_eq!(urls, want);
    }

    /// ST-02: the first page of each search is read although another topic has more words of the question; what was read and has more is
    /// read on where a search puts it on top.
    #[test]
    fn each_search_has_its_page() {
        let quota: Vec<FoundPage> = (0..3)
            .map(|n| {
                page(
                    &format!("https://a.test/quota{n}"),
                    "Mounts, disk quotas and NFS exports in fstab on a file server",
                )
            })
            .collect();
        let backup = [page("https://a.test/backup", "Backup and restore"), page("https://a.test/index", "Contents")];
        let lists = [
            FoundList { query: Some("file server disk quotas"), pages: &quota },
            FoundList { query: Some("backup restore"), pages: &backup },
        ];
        let question = "How are mounts in fstab, disk quotas, NFS exports and backups set up on a file server?";
        let taken = |tried: &Tried| choose(question, &lists, &[], tried, 2);
        let urls = |taken: Vec<FoundPage>| taken.into_iter().map(|page| page.location).collect::<Vec<_>>();
        assert_eq!(urls(taken(&Tried::default())), ["https://a.test/quota0", "https://a.test/backup"]);
        let url = "https://a.test/backup".to_owned();
        let mut tried = Tried { locations: [url.clone()].into(), ..Tried::default() };
        assert_eq!(urls(taken(&tried)), ["https://a.test/quota0", "https://a.test/quota1"]);
        let facts = PageFacts {
            location: url.clone(),
            asked: None,
            title: String::new(),
            hash: crate::core::evidence::passage::PageHash("x".into()),
            date: None,
            author: None,
        };
        tried.has_more.insert(url, facts.clone());
        assert!(taken(&tried).iter().any(|page| page.wanted == WantedPage::Archived(facts.clone())));
    }

    /// ST-02: two pages of a site while others answered; all of them where there is but one site.
    #[test]
    fn one_site_does_not_fill_a_round() {
        let same: Vec<FoundPage> = (0..5).map(|n| page(&format!("https://a.test/{n}"), "Lark engine")).collect();
        let mut mixed = same.clone();
        mixed.extend([
            page("https://b.test/", "Lark engine"),
            page("https://c.test/", "The Lark engine"),
            page("https://d.test/", "Cheese"),
        ]);
        let taken = chosen(&[&mixed], &[], 4);
        assert_eq!(taken.iter().filter(|url| url.contains("a.test")).count(), 2, "{taken:?}");
        assert!(
            !taken.contains(&"https://d.test/".to_owned()),
            "a place is not given to what speaks of something else"
        );
        assert_eq!(chosen(&[&same], &[], 4).len(), 4);
    }

    #[test]
    fn pages_that_only_list_others_are_left_out() {
        let list =
            ["https://a.test/tag/sea", "https://a.test/sitemap.xml", "https://a.test/search?q=x", "https://a.test/sea"]
                .map(|url| page(url, "Lark"));
        assert_eq!(chosen(&[&list], &[], 9), ["https://a.test/sea"]);
    }
}
