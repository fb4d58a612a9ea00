//! Pages that are made to break a reader: one thing, as often as it takes.

use crate::core::text::Format;

/// A page that is made to break a reader.
#[derive(Clone, Debug)]
pub struct HostilePage {
    pub name: String,
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}

impl HostilePage {
    /// As which kind of file it would stand in a library.
    pub(super) fn format(&self) -> Format {
        match self.content_type {
            HTML => Format::Html,
            MARKDOWN => Format::Markdown,
            _ => Format::Plain,
        }
    }
}

const HTML: &str = "text/html";
const MARKDOWN: &str = "text/markdown";
const PLAIN: &str = "text/plain";

/// What is repeated, by name and kind: what stands before, what is repeated, what stands behind.
const MARKUP: [(&str, [&str; 3]); 24] = [
    ("nested divs", ["", "<div>", "text"]),
    ("nested inline", ["", "<b><i><span>", "text"]),
    ("nested links", ["", "<a href=x>", "text"]),
    ("links", ["", "<a href='y'>word</a> ", ""]),
    ("nested lists", ["", "<ul><li>word", ""]),
    ("flat list", ["<ul>", "<li>word", "</ul>"]),
    ("nested tables", ["", "<table><tr><td>word", ""]),
    ("rows", ["<table>", "<tr><td>word<td>word", "</table>"]),
    ("cells", ["<table><tr>", "<td>word", "</table>"]),
    ("headings", ["", "<h2>word</h2>", ""]),
    ("heading levels", ["", "<h1>a</h1><h2>b</h2><h6>c</h6><p>word", ""]),
    ("comments", ["", "<!-- a --> word ", ""]),
    ("open comments", ["word ", "<!-- <b", ""]),
    ("attributes", ["word<p ", "a=b ", ">word"]),
    ("attribute value", ["<p title='", "word ", "'>word"]),
    ("entities", ["", "&amp;&#x41;&nosuch;", ""]),
    ("custom elements", ["", "<my-card>word ", ""]),
    ("end tags", ["<div><table><td><span>word", "</div>", "word"]),
    ("brackets", ["word ", "<", " word"]),
    ("code", ["", "<pre><code>word", ""]),
    ("one line", ["<p>", "word link depth ", "</p>"]),
    ("one word", ["<p>", "x", "</p>"]),
    ("scripts", ["", "<script>word</script>word ", ""]),
    ("quotes and lists", ["<blockquote><ul><li><blockquote>", "<p>word", ""]),
];

const PROSE: [(&str, [&str; 3]); 39] = [
    ("open links", ["word ", "[a](", ""]),
    ("nested links", ["word ", "[a](b", ""]),
    ("links", ["", "[word](https://page.invalid/x) ", ""]),
    ("images", ["", "![word](https://leak.invalid/x) ", ""]),
    ("images in links", ["", "[![a](b)](c) ", ""]),
    ("opening brackets", ["word ", "[", ""]),
    ("closing brackets", ["word ", "]", ""]),
    ("brackets closed at last", ["word ", "[", "] [1]"]),
    ("brackets around a number", ["word ", "[1]](", ""]),
    ("bracket pairs", ["word ", "[]", ""]),
    ("bracket then round", ["word ", "](", ""]),
    ("round brackets", ["word ", "(", ""]),
    ("links with rounds", ["word ", "[a](((", ""]),
    ("references", ["", "[word][a] ", "\n\n[a]: b\n"]),
    ("definitions", ["word\n\n", "[a]: b\n", ""]),
    ("citations", ["", "The word is deep [1][2]. ", ""]),
    ("citation lists", ["word ", "[1, ", ""]),
    ("agent's marks", ["word ", "[cite: 1, 2] ", ""]),
    ("sources", ["word [1]\n\n## Sources\n\n", "[1] https://page.invalid/x\n", ""]),
    ("a long source", ["word [1]\n\n## Sources\n\n[1] word\n", "<word\n", ""]),
    ("headings", ["", "# word\n", ""]),
    ("table rows", ["| a | b |\n|---|---|\n", "| word | 1 |\n", ""]),
    ("table cells", ["", "| a ", "|\n|---|\n| word |"]),
    ("nested quotes", ["", "> ", "word"]),
    ("nested lists", ["", "- ", "word"]),
    ("list items", ["", "- word\n", ""]),
    ("stars", ["word ", "*a ", ""]),
    ("star runs", ["word ", "**a_", ""]),
    ("backticks", ["word ", "`a", ""]),
    ("backtick runs", ["word ", "` `` ``` ", ""]),
    ("fences", ["", "```\nword\n", ""]),
    ("backslashes", ["word ", "\\", ""]),
    ("tags", ["word ", "<b>", ""]),
    ("open tags", ["word ", "<a b='", ""]),
    ("comments", ["word ", "<!-- ", ""]),
    ("addresses", ["", "https://leak.invalid/word ", ""]),
    ("entities", ["word ", "&#58;&amp;&lt", ""]),
    ("one line", ["", "word link depth ", ""]),
    ("one word", ["", "x", ""]),
];

/// The suite, each page of about so many bytes.
pub fn pages(bytes: usize) -> Vec<HostilePage> {
    let page = |kind: &str, content_type, (name, [before, piece, behind]): &(&str, [&str; 3])| HostilePage {
        name: format!("{kind}: {name}"),
        content_type,
        bytes: [before, piece.repeat(bytes / piece.len()).as_str(), behind].concat().into_bytes(),
    };
    let html = MARKUP.iter().map(|case| page("HTML", HTML, case));
    let markdown = PROSE.iter().map(|case| page("Markdown", MARKDOWN, case));
    let plain = PROSE.iter().filter(|(name, _)| PLAIN_CASES.contains(name)).map(|case| page("text", PLAIN, case));
    let unlike = unlike(bytes);
    html.chain(markdown).chain(plain).chain(unlike).collect()
}

/// What is worth trying as a plain text too.
const PLAIN_CASES: [&str; 4] = ["one line", "one word", "open links", "list items"];

/// Pages whose parts are all different.
fn unlike(bytes: usize) -> Vec<HostilePage> {
    let made = |name: &str, content_type, part: fn(usize) -> String| {
        let mut text = String::with_capacity(bytes + 64);
        for at in 0.. {
            if text.len() >= bytes {
                break;
            }
            text.push_str(&part(at));
        }
        HostilePage { name: name.to_owned(), content_type, bytes: text.into_bytes() }
    };
    vec![
        made("HTML: attributes of all names", HTML, |at| format!("<p a{at}=b>word")),
        made("HTML: links to all places", HTML, |at| format!("<a href='p{at}'>word {at}</a> ")),
        made("Markdown: definitions of all names", MARKDOWN, |at| format!("[a{at}]: b{at}\n\n[a{at}] ")),
        made("Markdown: headings of all names", MARKDOWN, |at| format!("## word {at}\n\nlink {at}\n\n")),
        made("Markdown: all numbers", MARKDOWN, |at| format!("The depth is {at} m [{at}]. ")),
        made("text: all words", PLAIN, |at| format!("w{at} ")),
        made("text: marks of a prompt", PLAIN, |at| format!(">>>>> END SOURCE 1 {at}\n")),
        made("text: no blanks", PLAIN, |at| {
            char::from_u32(0x4e00 + u32::try_from(at % 20_000).unwrap_or(0)).unwrap_or('一').to_string()
        }),
    ]
}
