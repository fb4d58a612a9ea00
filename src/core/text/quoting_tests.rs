use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;

#[test]
fn text_is_quoted_and_made_inert() {
    for (name, text, want) in [
        ("plain", "a < b & c * d", "> a < b & c * d\n"),
        ("paragraphs", "one\n\ntwo", "> one\n>\n> two\n"),
        ("carriage returns", "one\r# two\r\nthree", "> one\n> # two\n> three\n"),
        ("html", "<script>x</script>", "> \\<script>x\\</script>\n"),
        ("comment", "<!-- x", "> \\<!-- x\n"),
        ("link", "[x](javascript:y)", "> \\[x](javascript:y)\n"),
        ("image", "![x](http://h/p.png)", "> !\\[x](`http://h/p.png`)\n"),
        ("escaped link", "\\[x](y)", "> \\\\\\[x](y)\n"),
        ("forged citation", "as [3] says", "> as \\[3] says\n"),
        ("definition", "[x]: http://h", "> \\[x]: `http://h`\n"),
        ("bare address", "see WWW.h.org, or https://h/?a=b_c", "> see `WWW.h.org`, or `https://h/?a=b_c`\n"),
        ("inline code", "use `a[0]` and ``b`c``", "> use `a[0]` and ``b`c``\n"),
        ("stray backtick", "a ` b [x](y)", "> a \\` b \\[x](y)\n"),
        ("code next to an address", "`a`https://h`b`", "> `a` `https://h` `b`\n"),
        ("escaped address", "\\http://h`[x](y)`", "> \\\\`http://h` `[x](y)`\n"),
        ("path", "C:\\temp\\[x]", "> C:\\temp\\\\\\[x]\n"),
        ("terminal escapes", "\u{1b}[31mred\u{202e}", "> \u{fffd}\\[31mred\u{fffd}\n"),
    ] {
        assert_eq!(quote(text), want, "{name}");
    }
}

#[test]
fn code_stays_code_and_cannot_close_its_fence() {
    for (name, text, want) in [
        ("fenced", "a\n```rust\nlet x = a[0];\n```\nb", "> a\n> ```rust\n> let x = a[0];\n> ```\n> b\n"),
        ("tildes", "~~~\n<b>\n~~~", "> ```\n> <b>\n> ```\n"),
        ("not closed", "```\n<b>", "> ```\n> <b>\n> ```\n"),
        ("a fence inside", "````\n```\nx\n```\n````", "> ````\n> ```\n> x\n> ```\n> ````\n"),
        ("a longer fence inside tildes", "~~~\n`````\n~~~", "> ``````\n> `````\n> ``````\n"),
        ("hostile info", "``` a<b>[x](y)\nz\n```", "> ```a\n> z\n> ```\n"),
        ("in a list", "- ```\n  <b>", "> - \\`\\`\\`\n>   \\<b>\n"),
    ] {
        assert_eq!(quote(text), want, "{name}");
    }
}

#[test]
fn labels_and_code_are_one_bounded_line() {
    assert_eq!(label(" a\n\n# [b](c) ", 100), "a # \\[b](c)");
    assert_eq!(label("abcdef", 3), "abc…");
    assert_eq!(code("a/b`c.md", 100), "``a/b`c.md``");
    assert_eq!(code("`", 100), "`` ` ``");
    assert_eq!(code("a\nb", 100), "`a b`");
}

/// What a renderer with everything switched on makes of the text: none of it may be active or outside the quote.
fn active(markdown: &str) -> Option<String> {
    let mut depth = 0;
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::Start(Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::BlockQuote(_)) => depth -= 1,
            Event::Html(_) | Event::InlineHtml(_) | Event::FootnoteReference(_) => return Some(format!("{event:?}")),
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock | Tag::FootnoteDefinition(_)) => {
                return Some(format!("{event:?}"));
            }
            _ if depth == 0 => return Some(format!("outside: {event:?}")),
            _ => {}
        }
    }
    None
}

/// Text made of the pieces that Markdown cares about.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        " ",
        "    ",
        "\t",
        "> ",
        "# ",
        "- ",
        "1. ",
        "| a | b |",
        "|---|---|",
        "---",
        "===",
        "[x]",
        "[x](y)",
        "![x](y)",
        "[x]: y",
        "[^1]",
        "[^1]: z",
        "<b>",
        "<",
        "</",
        "<!--",
        "-->",
        "<http://h>",
        "http://h",
        "www.h",
        "\\",
        "\\\\",
        "&lt;",
        "*",
        "_",
        "word",
        "é",
        "\u{1b}",
        "$x$",
        "{#a}",
        "[[w]]",
        "<a@b.c>",
        "!",
        "(",
        ")",
        ":::",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn nothing_in_a_quote_is_active(text in hostile()) {
        let quoted = quote(&text);
        prop_assert_eq!(active(&quoted), None, "{}", quoted);
        prop_assert!(quoted.lines().all(|line| line.starts_with('>')), "{}", quoted);
        prop_assert!(quoted.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
    }

    #[test]
    fn nothing_in_a_label_is_active(text in hostile()) {
        for line in [label(&text, 80), code(&text, 80)] {
            prop_assert_eq!(line.lines().count().min(1), line.lines().count());
            prop_assert_eq!(active(&format!("> x {line} y\n")), None, "{}", line);
        }
    }

    #[test]
    fn any_text_can_be_quoted(text in any::<String>()) {
        prop_assert_eq!(active(&quote(&text)), None);
    }
}
