//! The honest pages: twenty sites of fifteen pages each, made from a few words, and the two pages of the planted answer.

use super::{Reply, html};

/// How many ordinary sites there are.
pub const SITES: usize = 20;
const PAGES: usize = 15;

/// A question whose answer needs two pages: the first names the ship, the second its captain.
pub const QUESTION: &str = "Who was captain of the ship that carried the Halvorsen expedition to Brannock Island?";
pub const ANSWER: &str = "Ottoline Varga";
pub const FIRST_HOP: &str = "http://expedition.sim.test/halvorsen";
pub const SECOND_HOP: &str = "http://registry.sim.test/vessels/meridian-lark";

/// A page as the simulated search providers know it.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) text: String,
    /// `2026-03-07`.
    pub(crate) date: String,
    /// The whole page, where it is not made of its text.
    pub(crate) html: Option<String>,
    pub(crate) links: Vec<String>,
}

impl Page {
    /// A page that only the search providers know.
    pub(crate) fn listed(url: &str, title: &str, text: &str) -> Self {
        Self {
            url: url.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            date: "2024-01-01".to_owned(),
            html: None,
            links: Vec::new(),
        }
    }
}

const SUBJECTS: [&str; SITES] = [
    "tides",
    "glaciers",
    "lighthouses",
    "beekeeping",
    "compilers",
    "volcanoes",
    "railways",
    "orchards",
    "databases",
    "telescopes",
    "bridges",
    "ceramics",
    "submarines",
    "mushrooms",
    "calendars",
    "windmills",
    "cartography",
    "clocks",
    "coral",
    "printing",
];

const ASPECTS: [&str; PAGES] = [
    "history",
    "materials",
    "measurement",
    "economics",
    "failures",
    "people",
    "tools",
    "law",
    "teaching",
    "maps",
    "records",
    "weather",
    "repair",
    "trade",
    "future",
];

/// The names of the ordinary sites.
#[must_use]
pub fn sites() -> Vec<String> {
    SUBJECTS.iter().map(|subject| format!("{subject}.sim.test")).collect()
}

/// The addresses of every honest page.
#[must_use]
pub fn all_urls() -> Vec<String> {
    all().into_iter().map(|page| page.url).collect()
}

pub(crate) fn all() -> Vec<Page> {
    let ordinary = (0..SITES).flat_map(|site| (0..PAGES).map(move |page| ordinary(site, page)));
    planted().into_iter().chain(ordinary).collect()
}

fn ordinary(site: usize, page: usize) -> Page {
    let (subject, aspect) = (SUBJECTS[site], ASPECTS[page]);
    // Numbers that look like facts and are the same in every run.
    let figure = (site * 7_919 + page * 104_729) % 9_000 + 1_000;
    let year = 1800 + (site * 31 + page * 17) % 220;
    let other = SUBJECTS[(site + page + 1) % SITES];
    let text = format!(
        "The {aspect} of {subject} begins in {year}, when the first survey counted {figure} entries. Those who study {subject} know that \
         {aspect} cannot be told apart from {other}: one grew out of the other, and each kept words of both. A second survey {gap} years \
         later found {second} entries and a rule that still holds, that no record of {subject} is complete without its {aspect}. What \
         remains open is why the figures of the north and of the south never agreed.",
        gap = page + 3,
        second = figure + site * 11 + page,
    );
    Page {
        url: format!("http://{subject}.sim.test/{aspect}"),
        title: format!("The {aspect} of {subject}"),
        text,
        html: None,
        date: format!("20{:02}-{:02}-{:02}", 10 + site % 16, page % 12 + 1, (site + page) % 28 + 1),
        links: vec![
            format!("http://{other}.sim.test/{aspect}"),
            format!("/{}", ASPECTS[(page + 1) % PAGES]),
            "http://127.0.0.1:9/private".to_owned(),
        ],
    }
}

fn planted() -> Vec<Page> {
    let first = Page {
        url: FIRST_HOP.to_owned(),
        title: "The Halvorsen expedition to Brannock Island".to_owned(),
        text: "In the spring of 1911 the Halvorsen expedition left for Brannock Island. It was carried there by the Meridian Lark, a \
               barquentine of 312 tons, and stayed for fourteen months. The journal does not name the ship's captain; the vessel's papers \
               are kept by the registry."
            .to_owned(),
        date: "2019-05-04".to_owned(),
        html: None,
        links: vec![SECOND_HOP.to_owned()],
    };
    let second = Page {
        url: SECOND_HOP.to_owned(),
        title: "Meridian Lark: vessel record".to_owned(),
        text: format!(
            "Meridian Lark, barquentine, 312 tons, built in 1898. From 1909 to 1914 her captain was {ANSWER}, who had learned the trade on \
             coal ships. The vessel was broken up in 1927."
        ),
        date: "2021-09-12".to_owned(),
        html: None,
        links: vec![FIRST_HOP.to_owned()],
    };
    vec![first, second]
}

pub(super) fn answer(host: &str, path: &str) -> Option<Reply> {
    let url = format!("http://{host}{path}");
    if let Some(page) = all().into_iter().find(|page| page.url == url) {
        return Some(Reply::Whole(html(200, &rendered(&page))));
    }
    let known = host == "expedition.sim.test" || host == "registry.sim.test" || sites().iter().any(|site| site == host);
    (known && path == "/robots.txt").then(|| {
        let mut rules = html(200, "User-agent: *\nDisallow: /never\n");
        rules.content_type = "text/plain";
        Reply::Whole(rules)
    })
}

pub(super) fn rendered(page: &Page) -> String {
    if let Some(html) = &page.html {
        return html.clone();
    }
    let links: Vec<String> = page.links.iter().map(|link| format!("<li><a href=\"{link}\">{link}</a></li>")).collect();
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta property=\"article:published_time\" content=\"{date}\"><link rel=\"canonical\" href=\"{url}\"></head>\
         <body><nav>Home | About | Contact</nav><main><article><h1>{title}</h1><p>{text}</p><h2>See also</h2><ul>{links}</ul>\
         </article></main><footer>All pages of this web are made up.</footer></body></html>",
        title = page.title,
        date = page.date,
        url = page.url,
        text = page.text,
        links = links.concat(),
    )
}
