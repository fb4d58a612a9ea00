//! The text of a report and what it cites. Citations come as byte ranges beside the text, as `[cite: n]` marks inside
//! it, as a list of sources at its end, or as plain links; what leaves here has `[n]` marks and one list.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use crate::core::agent::{CitedPage, clip};
use crate::core::base::limits;
use crate::core::evidence::reading::{OwnList, address_key, own_list, without_own_list};
use crate::core::text::bracketed;
use crate::core::web::redirect::redirect_target;

/// A piece of the report's text with its citations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) annotations: Vec<Annotation>,
}

/// A citation of one range of a block's text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Annotation {
    cited: CitedPage,
    /// Where the range begins and ends, in bytes of UTF-8.
    start: usize,
    end: Option<usize>,
}

impl Annotation {
    /// Today's `url_citation`, and the older form that has a `source` and no type. Others cite no address.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let url = redirect_target(text("url").or_else(|| text("source"))?)?;
        let title =
            text("title").filter(|title| !title.trim().is_empty()).map(|title| clip(title, limits::LABEL_CHARS));
        let place = |name: &str| value.get(name).and_then(Value::as_u64).and_then(|place| usize::try_from(place).ok());
        let title = title.unwrap_or_else(|| host(&url));
        let cited = CitedPage::new(url, title);
        Some(Self { cited, start: place("start_index").unwrap_or(0), end: place("end_index") })
    }
}

/// The addresses that the provider itself cites, beside the text.
pub(super) fn addresses(blocks: &[Block]) -> impl Iterator<Item = &str> {
    blocks.iter().flat_map(|block| &block.annotations).map(|annotation| annotation.cited.url.as_str())
}

/// One text out of all blocks, and its sources in the order of their numbers.
pub(super) fn join(blocks: &[Block]) -> (String, Vec<CitedPage>) {
    let whole = glue(blocks.iter().map(|block| block.text.as_str()));
    if let Some(found) = by_marks(&whole, blocks) {
        return found;
    }
    // A text with numbers and a list of its own gets no second numbers.
    if let Some(list) = own_list(&whole).filter(|list| cites_by_number(&whole, list)) {
        let sources = own_sources(list, beside(blocks));
        return (whole, sources);
    }
    let mut sources = Sources::default();
    let after = blocks.iter().skip(1).map(Some).chain([None]);
    let texts: Vec<String> = blocks.iter().zip(after).map(|(block, next)| mark(block, next, &mut sources)).collect();
    let text = glue(texts.iter().map(String::as_str));
    let sources = if sources.pages.is_empty() { links(&text) } else { sources.pages };
    (text, sources)
}

/// Blocks are pieces of one text, cut anywhere; only what must begin a line gets one.
fn glue<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut whole = String::new();
    for text in texts {
        let begins_line = text.starts_with(['#', '|', '>']) || text.starts_with("- ") || text.starts_with("* ");
        if begins_line && !whole.is_empty() && !whole.ends_with('\n') {
            whole.push_str("\n\n");
        }
        whole.push_str(text);
    }
    whole
}

/// The agent's own marks, `[cite: 1, 2]`, with the numbers of its own list or of the citations beside the text.
fn by_marks(text: &str, blocks: &[Block]) -> Option<(String, Vec<CitedPage>)> {
    if !text.contains("[cite:") {
        return None;
    }
    let list = own_list(text).filter(|list| list.entries.iter().any(|entry| entry.url.is_some()));
    let body = if list.is_some() { without_own_list(text) } else { text.to_owned() };
    let sources = list.map_or_else(|| beside(blocks), |list| own_sources(list, beside(blocks)));
    let numbers: BTreeSet<u32> = (1..).zip(&sources).map(|(place, cited)| cited.number.unwrap_or(place)).collect();
    let mut marked = String::with_capacity(body.len());
    let mut rest = body.as_str();
    while let Some((before, after)) = rest.split_once("[cite:") {
        marked.push_str(before);
        let Some((inside, after)) = bracketed(after, MARK_BYTES) else {
            marked.push_str("[cite:");
            rest = after;
            continue;
        };
        for number in inside.split([',', ';']).filter_map(|number| number.trim().parse::<u32>().ok()) {
            if numbers.contains(&number) {
                marked.push_str(&format!("[{number}]"));
            }
        }
        rest = after;
    }
    marked.push_str(rest);
    Some((marked, sources))
}

/// Bytes of the numbers in one mark.
const MARK_BYTES: usize = 200;

/// The report's own list of sources: by its numbers, then what the provider cites beside the text and the list does not have.
fn own_sources(list: OwnList, beside: Vec<CitedPage>) -> Vec<CitedPage> {
    let mut sources: Vec<CitedPage> = Vec::new();
    let beside_keys: HashSet<String> = beside.iter().map(|cited| address_key(&cited.url)).collect();
    let (mut numbers, mut keys) = (HashSet::new(), HashSet::new());
    for entry in list.entries.into_iter().take(limits::LISTED) {
        let (Some(number), Some(url)) = (entry.number, entry.url.as_deref().and_then(redirect_target)) else {
            continue;
        };
        let key = address_key(&url);
        let is_known = beside_keys.contains(&key);
        let title = entry.title.map(|title| clip(&title, limits::LABEL_CHARS)).unwrap_or_else(|| host(&url));
        let cited = CitedPage { number: Some(number), unconfirmed: !is_known, ..CitedPage::new(url, title) };
        if numbers.insert(number) {
            keys.insert(key);
            sources.push(cited);
        }
    }
    let mut free = sources.iter().filter_map(|source| source.number).max().unwrap_or(0);
    for cited in beside {
        if keys.insert(address_key(&cited.url)) {
            free = free.saturating_add(1);
            sources.push(CitedPage { number: Some(free), ..cited });
        }
    }
    sources
}

/// What the provider cites beside the text, each page once.
fn beside(blocks: &[Block]) -> Vec<CitedPage> {
    let mut sources = Sources::default();
    for annotation in blocks.iter().flat_map(|block| &block.annotations) {
        sources.number(&annotation.cited);
    }
    sources.pages
}

/// Whether a text cites entries of its list by their numbers.
fn cites_by_number(text: &str, list: &OwnList) -> bool {
    let before = text.get(..list.span.start).unwrap_or_default();
    list.entries
        .iter()
        .take(limits::LISTED)
        .filter_map(|entry| entry.number)
        .any(|number| before.contains(&format!("[{number}]")))
}

/// A block's text with a mark after every cited range. A range that goes on in the next block has its mark there. A range that ends inside a character, or beyond the text, has its
/// source but no mark.
fn mark(block: &Block, next: Option<&Block>, sources: &mut Sources) -> String {
    let mut marks: BTreeSet<(usize, usize)> = BTreeSet::new();
    let next = next.map(|next| next.annotations.as_slice()).unwrap_or_default();
    let going_on: HashSet<&str> =
        next.iter().filter(|more| more.start == 0).map(|more| more.cited.url.as_str()).collect();
    for annotation in &block.annotations {
        let number = sources.number(&annotation.cited);
        let goes_on = annotation.end == Some(block.text.len()) && going_on.contains(annotation.cited.url.as_str());
        if let Some(end) = annotation.end.filter(|end| *end > 0 && block.text.is_char_boundary(*end))
            && !goes_on
        {
            marks.insert((end, number));
        }
    }
    let mut text = String::with_capacity(block.text.len() + marks.len() * 4);
    let mut from = 0;
    for (end, number) in marks {
        text.push_str(block.text.get(from..end).unwrap_or_default());
        text.push_str(&format!("[{number}]"));
        from = end;
    }
    text.push_str(block.text.get(from..).unwrap_or_default());
    text
}

/// Cited pages, each once.
#[derive(Debug, Default)]
struct Sources {
    pages: Vec<CitedPage>,
    /// Their numbers by their addresses.
    numbers: HashMap<String, usize>,
}

impl Sources {
    /// The number of a source, from 1; a new one is added.
    fn number(&mut self, cited: &CitedPage) -> usize {
        if let Some(number) = self.numbers.get(&cited.url) {
            return *number;
        }
        self.pages.push(cited.clone());
        self.numbers.insert(cited.url.clone(), self.pages.len());
        self.pages.len()
    }
}

/// The links of a Markdown text, each address once.
fn links(text: &str) -> Vec<CitedPage> {
    let mut found = Sources::default();
    for (at, _) in text.match_indices("](http") {
        if found.pages.len() >= limits::LISTED {
            break;
        }
        let after = text.get(at + 2..).unwrap_or_default();
        let Some(url) = balanced(after).and_then(redirect_target) else { continue };
        let near = text.get(text.floor_char_boundary(at.saturating_sub(TITLE_BYTES))..at);
        let title = near.and_then(|before| before.rsplit_once('[')).map_or("", |(_, title)| title);
        let title =
            if title.is_empty() || title.contains('\n') { host(&url) } else { clip(title, limits::LABEL_CHARS) };
        found.number(&CitedPage::new(url, title));
    }
    found.pages
}

/// A title that begins further before its link than this is none.
const TITLE_BYTES: usize = 1_000;

/// The address up to the bracket that closes its link; round brackets in pairs belong to it, square ones end it.
fn balanced(text: &str) -> Option<&str> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().take(limits::ADDRESS_BYTES) {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return text.get(..at),
            ')' => depth -= 1,
            '[' | ']' => return None,
            c if c.is_whitespace() => return text.get(..at),
            _ => {}
        }
    }
    None
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn block(text: &str, annotations: &[Value]) -> Block {
        Block { text: text.to_owned(), annotations: annotations.iter().filter_map(Annotation::read).collect() }
    }

    fn cite(url: &str, start: usize, end: usize) -> Value {
        json!({"type": "url_citation", "url": url, "title": "T", "start_index": start, "end_index": end})
    }

    fn urls(sources: &[CitedPage]) -> Vec<&str> {
        sources.iter().map(|cited| cited.url.as_str()).collect()
    }

    /// Offsets count bytes: a mark stands behind the character, never inside.
    #[test]
    fn byte_offsets_over_multi_byte_text() {
        let text = "Größe: 8 m. Ünïcode – ende.";
        let first = text.find(". Ü").unwrap();
        let (marked, sources) =
            join(&[block(text, &[cite("https://a.example/", 0, first), cite("https://b.example/", 12, text.len())])]);
        assert_eq!(marked, "Größe: 8 m[1]. Ünïcode – ende.[2]");
        assert_eq!(urls(&sources), ["https://a.example/", "https://b.example/"]);
    }

    #[test]
    fn impossible_offsets_keep_the_source_and_break_nothing() {
        // 3 is inside the two bytes of `ö`, 999 beyond the end, 0 before everything.
        for end in [3, 999, 0, usize::MAX] {
            let (marked, sources) = join(&[block("Grö", &[cite("https://a.example/", 0, end)])]);
            assert_eq!((marked.as_str(), sources.len()), ("Grö", 1), "{end}");
        }
    }

    #[test]
    fn the_same_page_has_one_number_in_all_blocks() {
        let one = block("One.", &[cite("https://a.example/", 0, 4)]);
        let two = block("Two.", &[cite("https://b.example/", 0, 4), cite("https://a.example/", 1, 4)]);
        let (marked, sources) = join(&[one, two]);
        assert_eq!(marked, "One.[1]Two.[1][2]");
        assert_eq!(sources.len(), 2);
    }

    #[test]
    fn marks_of_the_agent_take_the_numbers_of_its_list() {
        let text = "TPUs came in 2016 [cite: 1]. Later more [cite: 2, 1][cite: 9].\n\n**Sources:**\n1. \
                    [a.example](https://a.example/x)\n2. [b.example](https://b.example/y_(z))\n";
        let (marked, sources) = join(&[block(text, &[cite("https://a.example/x", 0, 4)])]);
        assert_eq!(marked, "TPUs came in 2016 [1]. Later more [2][1].");
        assert_eq!(sources.iter().map(|cited| cited.unconfirmed).collect::<Vec<_>>(), [false, true]);
        assert_eq!(urls(&sources), ["https://a.example/x", "https://b.example/y_(z)"]);
    }

    /// A list under any usual heading, with gaps, says what the numbers mean; what the provider cites beside it comes behind.
    #[test]
    fn numbers_of_the_text_are_those_of_its_list() {
        let text = "Tides turn twice [3]. They are high [1].\n\n## Works cited\n\n[1] A, https://a.example/\n[3] C, https://c.example/\n";
        let beside = [cite("https://c.example/", 0, 5), cite("https://d.example/", 0, 5)];
        let (same, sources) = join(&[block(text, &beside)]);
        assert_eq!(same, text, "no second marks are put into it");
        let shown: Vec<(Option<u32>, &str, bool)> =
            sources.iter().map(|cited| (cited.number, cited.url.as_str(), cited.unconfirmed)).collect();
        let want = [
            (Some(1), "https://a.example/", true),
            (Some(3), "https://c.example/", false),
            (Some(4), "https://d.example/", false),
        ];
        assert_eq!(shown, want);
        // A chapter that is only called like a list stays, and is none.
        let chapter = "Oil [cite: 1].\n\n## Sources of oil\n\n- Shale [cite: 1]\n";
        let (marked, sources) = join(&[block(chapter, &[cite("https://a.example/", 0, 3)])]);
        assert_eq!(marked, "Oil [1].\n\n## Sources of oil\n\n- Shale [1]\n");
        assert_eq!(urls(&sources), ["https://a.example/"]);
    }

    #[test]
    fn marks_without_a_list_take_the_citations_beside_the_text() {
        let (marked, sources) = join(&[block("A [cite: 1]. [cite: x] [cite: 1", &[cite("https://a.example/", 0, 1)])]);
        assert_eq!(marked, "A [1].  [cite: 1");
        assert_eq!(urls(&sources), ["https://a.example/"]);
    }

    #[test]
    fn without_citations_the_links_count() {
        let text = "See [the page](https://a.example/w_(x)) and [it](https://a.example/w_(x)), [not](javascript:x).";
        let (same, sources) = join(&[block(text, &[])]);
        assert_eq!(same, text);
        assert_eq!(sources, [CitedPage::new("https://a.example/w_(x)".into(), "the page".into())]);
    }

    #[test]
    fn the_older_form_and_others() {
        let old = json!({"start_index": 0, "end_index": 1, "source": "https://x.example/p"});
        let (marked, sources) = join(&[block("A.", &[old, json!({"type": "file_citation", "file_name": "f"})])]);
        assert_eq!(marked, "A[1].");
        assert_eq!(sources, [CitedPage::new("https://x.example/p".into(), "x.example".into())]);
    }

    #[test]
    fn a_range_over_two_pieces_has_one_mark() {
        let one = block("One and", &[cite("https://a.example/", 0, 7)]);
        let two = block(" the same. New.", &[cite("https://a.example/", 0, 9), cite("https://a.example/", 11, 14)]);
        assert_eq!(join(&[one, two]).0, "One and the same[1]. New[1].");
    }

    /// PR-02: work on a text grows with it, not faster. A quadratic reading of these would take hours.
    #[test]
    fn hostile_texts_are_read_in_one_go() {
        for piece in
            ["](http", "[a](http://", "](http://a.example/ ", "[](http://a.example/(", "[[[[", "](http://b.example/x) "]
        {
            let text = piece.repeat((4 << 20) / piece.len());
            assert!(links(&text).len() <= limits::LISTED, "{piece}");
        }
        let text = "[cite:".repeat(500_000);
        assert_eq!(join(&[block(&text, &[])]).0, text);
        let many: Vec<Value> = (0..30_000).map(|at| cite(&format!("https://a.example/{at}"), 0, at)).collect();
        let text = "a".repeat(30_000);
        let list = "\n\n## Sources\n\n[1] https://a.example/1\n";
        for text in [&text, &format!("[cite: 1]{text}"), &format!("a [1]{text}{list}")] {
            assert_eq!(join(&[block(text, &many), block("b", &many)]).1.len(), 30_000);
        }
    }

    #[test]
    fn pieces_are_glued_where_they_were_cut() {
        let cut = [block("# Re", &[]), block("port\n\nText.", &[]), block("## Next", &[]), block("\nMore", &[])];
        assert_eq!(join(&cut).0, "# Report\n\nText.\n\n## Next\nMore");
    }
}
