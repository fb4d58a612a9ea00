//! A long report in pieces that every client can take: pages cut between paragraphs, and sections by their headings.

use super::quoting::OpenCode;

/// A part of a report that has a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) title: String,
    /// 1 is `#`.
    pub(crate) level: usize,
    pub(crate) start: usize,
    /// Where the next heading of the same or a higher level begins.
    pub(crate) end: usize,
}

/// Cuts a text into pages of at most `most` characters: between paragraphs where one ends in the second half of the
/// page, else between lines, else anywhere. Together they are the text.
pub(crate) fn pages(text: &str, most: usize) -> Vec<&str> {
    pages_by(text, most, |_| 1)
}

/// The same with pages that take at most so many bytes inside JSON.
pub(crate) fn json_pages(text: &str, bytes: usize) -> Vec<&str> {
    pages_by(text, bytes, |c| match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    })
}

fn pages_by(text: &str, most: usize, size: impl Fn(char) -> usize) -> Vec<&str> {
    let mut pages = Vec::new();
    let mut rest = text;
    let first_too_many = |rest: &str| {
        let mut taken = 0;
        let mut places = rest.char_indices().skip_while(|(at, c)| {
            taken += size(*c);
            taken <= most || *at == 0
        });
        places.next().map(|(at, _)| at)
    };
    while let Some(limit) = first_too_many(rest) {
        let page = rest.get(..limit).unwrap_or(rest);
        let late = |found: Option<usize>, width: usize| found.map(|at| at + width).filter(|at| *at > limit / 2);
        let cut = late(page.rfind("\n\n"), 2).or_else(|| late(page.rfind('\n'), 1)).unwrap_or(limit);
        let Some((page, after)) = rest.split_at_checked(cut) else { break };
        pages.push(page);
        rest = after;
    }
    if !rest.is_empty() || pages.is_empty() {
        pages.push(rest);
    }
    pages
}

/// The headings of a Markdown text with what stands below them. Lines inside code are no headings.
pub(crate) fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut at = 0;
    let mut code = OpenCode::default();
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        code.read(line);
        let level = bare.chars().take_while(|c| *c == '#').count();
        let title = bare.get(level..).unwrap_or_default();
        if !code.is_open() && (1..=6).contains(&level) && title.starts_with(' ') {
            let title = title.trim().trim_end_matches('#').trim_end().to_owned();
            found.push(Section { title, level, start: at, end: text.len() });
        }
        at += line.len();
    }
    let starts: Vec<(usize, usize)> = found.iter().map(|section| (section.level, section.start)).collect();
    for (n, section) in found.iter_mut().enumerate() {
        let next = starts.iter().skip(n + 1).find(|(level, _)| *level <= section.level);
        section.end = next.map_or(section.end, |(_, start)| *start);
    }
    found
}

/// The section with this number (from 1) or this title, and its text.
pub(crate) fn section<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    let sections = sections(text);
    let by_number = wanted.parse::<usize>().ok().and_then(|n| sections.get(n.checked_sub(1)?));
    let wanted = wanted.trim().to_lowercase();
    let found = by_number.or_else(|| sections.iter().find(|section| section.title.to_lowercase() == wanted))?;
    text.get(found.start..found.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "# A\n\nintro\n\n## B\n\none\n\n```\n# no heading\n```\n\n### C ###\n\ntwo\n\n## D\n\nthree\n";

    #[test]
    fn code_ends_where_its_own_fence_does() {
        let titles = |text: &str| sections(text).into_iter().map(|section| section.title).collect::<Vec<_>>();
        assert_eq!(titles("# A\n````\n```\n# no\n```\n# no\n````\n# B\n"), ["A", "B"]);
        assert_eq!(titles("```x``` is code\n# A\n"), ["A"]);
    }

    #[test]
    fn sections_reach_to_the_next_of_their_rank() {
        let titles: Vec<(String, usize)> = sections(TEXT).into_iter().map(|s| (s.title, s.level)).collect();
        assert_eq!(titles, [("A".into(), 1), ("B".into(), 2), ("C".into(), 3), ("D".into(), 2)]);
        assert_eq!(section(TEXT, "2"), section(TEXT, "b"));
        assert!(section(TEXT, "B").unwrap().ends_with("two\n\n"));
        assert_eq!(section(TEXT, "d"), Some("## D\n\nthree\n"));
        assert_eq!(section(TEXT, "A"), Some(TEXT));
        for none in ["0", "5", "no heading", "", "-1"] {
            assert_eq!(section(TEXT, none), None, "{none}");
        }
    }

    #[test]
    fn pages_end_between_paragraphs_where_they_can() {
        let text = format!("{}\n\n{}\n\n{}", "a".repeat(60), "b".repeat(30), "c".repeat(60));
        let cut = pages(&text, 100);
        assert_eq!(cut.len(), 2);
        assert!(cut[0].ends_with("b\n\n") && cut[1].starts_with('c'));
        assert_eq!(pages("", 10), [""]);
        assert_eq!(pages(&"é".repeat(25), 10).len(), 3, "a text without an end is cut anyway");
    }

    #[test]
    fn mc_01_pages_have_their_size_inside_json() {
        for text in ["\u{1}\"\\\n".repeat(2_000), "word ".repeat(2_000), "深海".repeat(2_000)] {
            let cut = json_pages(&text, 500);
            assert_eq!(cut.concat(), text);
            let sizes = cut.iter().map(|page| serde_json::to_string(page).unwrap().len() - 2);
            assert!(sizes.max().unwrap() <= 500 && cut.len() < text.len() * 6 / 240, "{} pages", cut.len());
        }
        assert_eq!(json_pages("\u{1}\u{1}", 1).len(), 2, "a page has a character at least");
    }

    proptest! {
        /// Nothing is lost and no page is too long.
        #[test]
        fn pages_make_up_the_text(text in "[a-zé\n# ]{0,400}", most in 1_usize..50) {
            let cut = pages(&text, most);
            prop_assert_eq!(cut.concat(), text.as_str());
            prop_assert!(cut.iter().all(|page| page.chars().count() <= most));
        }
    }
}
