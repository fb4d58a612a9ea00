use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;

#[test]
fn text_is_quoted_and_made_inert() {
    for (name, text, want) in [
        ("plain", "a < b & c * d", "> a < b & c * d\n"),
        ("stars", "2*3*4 and __init__ of a_b_c", "> 2\\*3\\*4 and \\_\\_init\\_\\_ of a_b_c\n"),
        ("entity", "a &lt; b & c", "> a \\&lt; b & c\n"),
        ("lines of text", "Title\n=====\n> said", "> Title\n> \\=====\n> \\> said\n"),
        ("paragraphs", "one\n\ntwo", "> one\n>\n> two\n"),
        ("carriage returns", "one\r# two\r\nthree", "> one\n> \\# two\n> three\n"),
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
        assert_eq!(quote(text, Writing::Plain), want, "{name}");
    }
}

const WRITINGS: [Writing; 3] = [Writing::Markdown, Writing::Made, Writing::Plain];

/// What a reader sees of a quote: the text, and code between backticks.
fn seen(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(words) => text.push_str(&words),
            Event::Code(words) => text.push_str(&format!("`{words}`")),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::TableCell) => text.push('·'),
            Event::Start(Tag::Strikethrough) => text.push_str("{-"),
            Event::End(TagEnd::Strikethrough) => text.push_str("-}"),
            _ => {}
        }
    }
    text
}

/// LB-01: what a reader sees is what the document says, with and without marked words.
#[test]
fn quotes_show_what_the_document_says() {
    let table = "| gizmo | rule |\n| --- | --- |\n| gizmo | a\\|b*c*d |";
    for (writing, text, want) in [
        (
            Writing::Plain,
            "The gizmo: 2*3*4 and __init__, ~~x~~ &amp; \\*.",
            "The gizmo: 2*3*4 and __init__, ~~x~~ &amp; \\*.",
        ),
        (Writing::Plain, "*gizmo* _gizmo_ **gizmo", "*gizmo* _gizmo_ **gizmo"),
        (Writing::Made, "The gizmo: 2*3*4 and __init__ &amp; C:\\_x", "The gizmo: 2*3*4 and __init__ &amp; C:\\_x"),
        (Writing::Made, "A gizmo is Result\\<T, E>, `a\\<b`", "A gizmo is Result<T, E>, `a\\<b`"),
        (Writing::Made, "A gizmo costs ~~50~~ 40, ~~gizmo~~", "A gizmo costs {-50-} 40, {-gizmo-}"),
        (Writing::Made, "The gizmo \\* is \\+ and \\| or \\=1", "The gizmo \\* is \\+ and \\| or \\=1"),
        (Writing::Made, "\\* gizmo\n\n- \\- gizmo \\- b", "* gizmo- gizmo \\- b"),
        (Writing::Made, "A ~\\~gizmo~\\~ ~~ a ~~b ~~~", "A ~~gizmo~~ ~~ a ~~b ~~~"),
        (Writing::Made, table, "gizmo·rule·gizmo·a|b*c*d·"),
        (Writing::Markdown, "A gizmo is `Result<T, E>`, 2\\*3 \\[x] \\<T>", "A gizmo is `Result<T, E>`, 2*3 [x] <T>"),
        (Writing::Markdown, "A **gizmo** is *not* \\\\ &amp; <b>", "A gizmo is not \\ & <b>"),
    ] {
        let marks: Vec<_> = text.match_indices("gizmo").map(|(at, word)| at..at + word.len()).collect();
        assert_eq!(seen(&quote(text, writing)), want, "{writing:?}");
        assert_eq!(seen(&marked_quote(text, writing, &marks)), want, "{writing:?}");
    }
    // What is bold already is not marked once more.
    for (text, want) in [
        ("**Red gizmo 2.** A gizmo", "> **Red gizmo 2.** A **gizmo**\n"),
        ("__Red gizmo__ gizmo", "> __Red gizmo__ **gizmo**\n"),
        ("2 ** 3 gizmo", "> 2 ** 3 **gizmo**\n"),
    ] {
        let marks: Vec<_> = text.match_indices("gizmo").map(|(at, word)| at..at + word.len()).collect();
        assert_eq!(marked_quote(text, Writing::Markdown, &marks), want);
    }
    for (path, writing) in [
        ("a.md", Writing::Markdown),
        ("a.tar!b/c.txt", Writing::Plain),
        ("c.csv", Writing::Made),
        ("x.HTML.gz", Writing::Made),
        ("README", Writing::Plain),
        ("x.man", Writing::Made),
    ] {
        assert_eq!(Writing::of_file(path), writing, "{path}");
    }
    for (path, title, writing) in [
        ("man8/mdadm.8.gz", "mdadm(8)", Writing::Made),
        ("ANNOUNCE-3.1.1", "ANNOUNCE-3.1.1", Writing::Plain),
        ("a.txt", "mdadm(8)", Writing::Plain),
    ] {
        assert_eq!(Writing::of_document(path, title), writing, "{path}");
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
        ("in a list", "- ```\n  <b>", "> - ```\n>   <b>\n>   ```\n"),
        ("in a deep list", "   1. ~~~sh\n      a\n   b\n      ~~~\nc", "> 1. ```sh\n>    a\n>    b\n>    ```\n> c\n"),
    ] {
        assert_eq!(quote(text, Writing::Plain), want, "{name}");
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
        "~~",
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
        for writing in WRITINGS {
            let quoted = quote(&text, writing);
            prop_assert_eq!(active(&quoted), None, "{:?} {}", writing, quoted);
            prop_assert!(quoted.lines().all(|line| line.starts_with('>')), "{}", quoted);
            prop_assert!(quoted.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
        }
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
        for writing in WRITINGS {
            prop_assert_eq!(active(&quote(&text, writing)), None);
        }
    }
}

#[test]
fn code_is_quoted_as_one_block_whatever_stands_in_it() {
    let code = "def f():\n    \"\"\"\n    ```\n    **no**\n    \"\"\"\r# <b>\n";
    let quoted = quote(code, Writing::of_file("src/a.py"));
    assert_eq!(quoted, "> ````\n> def f():\n>     \"\"\"\n>     ```\n>     **no**\n>     \"\"\"\n> # <b>\n> ````\n");
    assert_eq!(marked_quote("port: 1", Writing::of_file("a.yaml"), &[0..2, 2..4]), "> ```\n> port: 1\n> ```\n");
}
