use proptest::prelude::*;

use super::*;

fn known() -> KnownAddresses {
    KnownAddresses::new(["https://a.example/page", "http://b.example/", "notes/deep.md", "javascript:alert(1)"])
}

/// PR-02: what a model wrote leads to known sources or nowhere, and nothing in it acts.
#[test]
fn pr_02_what_acts_is_only_shown() {
    for (text, want) in [
        // Known sources.
        (
            "[a](https://a.example/page) and [b](http://b.example#x)",
            "[a](https://a.example/page) and [b](http://b.example#x)",
        ),
        ("![a](https://a.example/page)", "[a](https://a.example/page)"),
        ("<https://a.example/page>, https://a.example/page.", "<https://a.example/page>, https://a.example/page."),
        ("[f](notes/deep.md) [s](#below) [1]", "[f](notes/deep.md) [s](#below) [1]"),
        ("see [r]\n\n[r]: https://a.example/page", "see [r]\n\n[r]: https://a.example/page"),
        // Unknown ones.
        ("![](http://x.example/?secret)", "(`http://x.example/?secret`)"),
        ("![alt **b**](http://x.example/?s \"t\") end", "alt **b** (`http://x.example/?s`) end"),
        ("[click](http://x.example/a_(b)) now", "click (`http://x.example/a_(b)`) now"),
        ("[http://x.example](http://x.example)", "`http://x.example`"),
        ("[![i](http://x.example/i)](https://a.example/page)", "[i (`http://x.example/i`)](https://a.example/page)"),
        ("[![i](https://a.example/page)](http://x.example)", "[i](https://a.example/page) (`http://x.example`)"),
        ("[x](https://a.example/page?secret)", "x (`https://a.example/page?secret`)"),
        ("[x](//x.example/y) [y](/etc/passwd) [z](other.md)", "x (`//x.example/y`) y (`/etc/passwd`) z (`other.md`)"),
        ("<http://x.example> <me@x.example>", "`http://x.example` `me@x.example`"),
        (
            "at http://x.example/y, www.x.example and HTTPS://X.example",
            "at `http://x.example/y`, `www.x.example` and `HTTPS://X.example`",
        ),
        ("http&#58;//x.example and http\\://y.example", "`http://x.example` and `http://y.example`"),
        ("http://x.example/_a_b *http://x.example/c*", "`http://x.example/_a_b` *`http://x.example/c`*"),
        ("see [r] and [q][r]\n\n[r]: http://x.example", "see [r] and [q][r]\n\n\\[r]: `http://x.example`"),
        ("[r]\n\n[r]: http://x.example\n[r]: javascript:x", "[r]\n\n\\[r]: `http://x.example`\n[r]: javascript:x"),
        // Schemes.
        ("[x](javascript:alert(1)) [y](JaVaScRiPt:z)", "x (`javascript:alert(1)`) y (`JaVaScRiPt:z`)"),
        (
            "![x](data:text/html;base64,AAAA) <javascript:alert(1)>",
            "x (`data:text/html;base64,AAAA`) `javascript:alert(1)`",
        ),
        (
            "[x](&#106;avascript:alert(1)) [v](vbscript:x) [f](file:///etc)",
            "x (`javascript:alert(1)`) v (`vbscript:x`) f (`file:///etc`)",
        ),
        // HTML.
        ("a <img src=x onerror=y> <b>c</b> <br/>", "a \\<img src=x onerror=y> \\<b>c\\</b> \\<br/>"),
        ("<div>\n\n*x* <!-- c -->\n\n</div>", "\\<div>\n\n*x* \\<!-- c -->\n\n\\</div>"),
        ("<script>alert(1)</script>\ntext", "\\<script>alert(1)\\</script>\ntext"),
        ("cut off <img src=http://x.example", "cut off \\<img src=`http://x.example`"),
        ("1 < 2, a <3 and \\<b> &lt;i&gt;", "1 < 2, a <3 and \\<b> &lt;i&gt;"),
        // Code.
        ("`<b> http://x.example [a](http://x.example)`", "`<b> http://x.example [a](http://x.example)`"),
        ("```html\n<script>\n[a](javascript:x)\n```", "```html\n<script>\n[a](javascript:x)\n```"),
        ("    <b>\n", "    <b>\n"),
        ("a\n\n- b\n\n      <b>\n", "a\n\n- b\n\n      <b>\n"),
        // Characters.
        ("a\u{1b}[31mb\u{9b}c\u{7}\u{0}", "a[31mbc"),
        ("\u{202e}a\u{2066}b\u{61c}c\u{200f}", "abc"),
        ("a\u{e0041}\u{e0042}\u{e007f}b\u{e0100}\u{200b}\u{feff}\u{2063}c", "abc"),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("👩\u{200d}🚀 می\u{200c}خواهم ❤\u{fe0f}", "👩\u{200d}🚀 می\u{200c}خواهم ❤\u{fe0f}"),
        // Ordinary reports.
        (
            "# T\n\n| a | b |\n|---|---|\n| 1 [1] | 2 [2][3] |\n\n> q\n\n1. x\n",
            "# T\n\n| a | b |\n|---|---|\n| 1 [1] | 2 [2][3] |\n\n> q\n\n1. x\n",
        ),
        ("[^1] x\n\n[^1]: https://a.example/page", "[^1] x\n\n[^1]: https://a.example/page"),
        ("", ""),
    ] {
        let calm = neutral(text, &known());
        assert_eq!(calm, want, "{text:?}");
        assert_eq!(neutral(&calm, &known()), calm, "a second time: {text:?}");
    }
}

/// Whether a program that shows Markdown would find anything to act on.
fn acts(text: &str) -> Option<String> {
    let known = known();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(text, options)
        .find_map(|event| match event {
            Event::Html(html) | Event::InlineHtml(html) => Some(html.to_string()),
            Event::Start(Tag::Link { dest_url, .. }) if !known.has(&dest_url) => Some(dest_url.to_string()),
            Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
            _ => None,
        })
        .or_else(|| text.chars().find(|c| !matches!(c, '\n' | '\t') && plain::acts(*c)).map(|c| format!("{c:?}")))
}

proptest! {
    /// PR-02: pieces of Markdown in any order.
    #[test]
    fn no_mixture_acts(pieces in proptest::collection::vec(proptest::sample::select(vec![
        "[", "]", "(", ")", "![", "](", "](http://x.example/?s)", "](https://a.example/page)", "[r]: http://x.example\n", "[r]", "<", ">",
        "<b>", "</b>", "<!--", "-->", "<http://x.example>", "http://x.example", "www.x.example ", "`", "``", "```\n", "~~~\n", "\n", "\n\n", "    ",
        "- ", "> ", "1. ", "# ", "|", "\n|---|\n", "*", "_", "**", "\\", "&lt;", "&#60;", "&#58;", "javascript:", "a", " ", "é", "\u{202e}", "\u{1b}", "\u{e0041}", "[^1]: ",
    ]), 0..40)) {
        let text = pieces.concat();
        let calm = neutral(&text, &known());
        prop_assert_eq!(acts(&calm), None, "{:?} of {:?}", calm, text);
        prop_assert_eq!(neutral(&calm, &known()), calm.clone(), "of {:?}", text);
    }
}

/// A text of more bytes than a report can have is shown as code, line by line, and the same another time.
#[test]
fn what_is_too_long_for_a_report_is_code() {
    let known = KnownAddresses::default();
    let act = "![x](https://leak.invalid/) <b>\n\n    four\n";
    let long = act.repeat(limits::REPORT_MARKUP_BYTES / act.len() + 1);
    let shown = neutral(&long, &known);
    assert!(shown.lines().all(|line| line.starts_with("    ") || line.is_empty()));
    let code_alone = |event: &Event<'_>| {
        matches!(event, Event::Start(Tag::CodeBlock(_)) | Event::End(TagEnd::CodeBlock) | Event::Text(_))
    };
    assert!(Parser::new(&shown).all(|event| code_alone(&event)));
    assert_eq!(neutral(&shown, &known), shown);
    // One that grows too long on the way stays as it is, too.
    let short = "<b>".repeat(limits::REPORT_MARKUP_BYTES / 3);
    let grown = neutral(&short, &known);
    assert!(grown.len() > short.len() && neutral(&grown, &known) == grown);
}
