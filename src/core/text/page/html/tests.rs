use super::super::Link;
use super::*;

fn page(html: &str) -> Extracted {
    read(html, &Address::of("https://example.org/dir/page.html"))
}

/// Everything as Markdown, whatever the model thinks of it.
fn markdown(html: &str) -> String {
    let tree = Tree::parse(html);
    let address = Address::of("https://example.org/dir/page.html");
    let shape = Shape { most: usize::MAX, raised: false, of_file: false };
    markdown::write(&tree, &vec![true; tree.nodes.len()], shape, |href| address.resolve(href)).markdown
}

#[test]
fn markdown_keeps_the_form_of_a_page() {
    for (html, expected) in [
        ("<h1>A</h1><p>b  c\n d<p>e", "# A\n\nb c d\n\ne"),
        ("<h2>A <em>b</em></h2><div><div>c</div></div>", "## A b\n\nc"),
        ("<p>a<br>b", "a\nb"),
        ("<p>see <a href='x.html'>the <b>x</b></a>, ok", "see [the x](https://example.org/dir/x.html), ok"),
        ("<p><a href='javascript:x()'>a</a> <a href='#b'>b</a> <a>c</a>", "a b c"),
        ("<a href='/card'><h3>Title</h3><p>Text</p></a>", "### Title\n\nText"),
        ("<a href='/x(1)'>a [b]</a>", "[a \\[b\\]](https://example.org/x%281%29)"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul><p>e", "- a\n- b\n  - c\n- d\n\ne"),
        ("<ol start=3><li><p>a</p><p>b</p></li><li>c</li></ol>", "3. a\n  b\n4. c"),
        ("<blockquote><p>a</p><p>b</p></blockquote><p>c", "> a\n>\n> b\n\nc"),
        (
            "<pre><code class='language-rust'>fn a() {\n    b();\n}\n</code></pre><p>c",
            "```rust\nfn a() {\n    b();\n}\n```\n\nc",
        ),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<ul><li>a<pre>x\n  y</pre></li></ul>", "- a\n  ```\n  x\n    y\n  ```"),
        ("<table><tr><th>a<th>b|c<tr><td>1<td><p>2</p><p>3</p></table>", "| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |"),
        ("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td>only</table>", "only"),
        ("<table><caption>c</caption><tr>stray<tr><td>a<td>b</table>", "c\n\n| stray |  |\n| --- | --- |\n| a | b |"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\nb\n\nc\nd"),
        ("<p># no heading</p><p>- no item</p><p>1 < 2 <script>x</script>", "\\# no heading\n\n\\- no item\n\n1 \\< 2"),
        ("<p>a<script>b</script><style>c</style><svg><text>d</text></svg>e", "ae"),
        ("<p>soft\u{ad}ware zero\u{200b}width", "software zerowidth"),
        ("<title>t</title><body>&amp;&lt;b&gt;&nbsp;&eacute;", "&\\<b> \u{e9}"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn the_tree_mends_what_authors_leave_out() {
    for (html, expected) in [
        ("<p>a<p>b<div>c</div>d", "a\n\nb\n\nc\n\nd"),
        ("a</p></div></table>b", "ab"),
        ("<table><td>a</div><td>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<head><title>x</title><p>body without body", "body without body"),
        ("<div/>a<div/>b", "a\n\nb"),
        ("<noscript><p>for those without</p></noscript>", "for those without"),
        ("<textarea><p>a</textarea><p>b", "b"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

const PARAGRAPH: &str = "The tide comes twice a day, because the moon draws the water nearest to it, and the earth itself away from the \
    water that is farthest from it. Sailors have known when, long before anybody knew why.";

fn article() -> String {
    format!(
        "<!doctype html><html lang='en-GB'><head><title>Tides - Example</title>
        <meta property='og:title' content='On  tides'><meta name='author' content='A. Writer'>
        <meta property='article:published_time' content='2026-03-04T05:06:07Z'>
        <link rel='canonical' href='/tides'></head><body>
        <header><nav><ul><li><a href='/'>Home</a><li><a href='/news'>News</a><li><a href='/shop'>Shop</a></ul></nav></header>
        <main><article><h1>On tides</h1><p>{PARAGRAPH}</p><h2>Why twice</h2><p>{PARAGRAPH}</p>
        <p>See <a href='moon.html'>the moon</a> for more about its path, and how the sun adds to it at new moon and full moon.</p>
        <p>{PARAGRAPH}</p></article></main>
        <aside class='related'><h3>Related</h3><a href='/a'>Ten best beaches</a> <a href='/b'>Buy boats</a></aside>
        <footer>© 2026 Example. All rights reserved. <a href='/privacy'>Privacy policy</a></footer></body></html>"
    )
}

#[test]
fn an_article_is_read_without_its_furniture() {
    let page = page(&article());
    for wanted in ["The tide comes twice", "Why twice", "the moon", "Sailors have known"] {
        assert!(page.text.contains(wanted), "{wanted}: {}", page.text);
    }
    for unwanted in ["Home", "Shop", "Ten best beaches", "Privacy policy"] {
        assert!(!page.text.contains(unwanted), "{unwanted}: {}", page.text);
    }
    assert!(page.markdown.contains("## Why twice"), "{}", page.markdown);
    let link = Link { text: "the moon".to_owned(), url: "https://example.org/dir/moon.html".to_owned() };
    assert_eq!(page.links, [link]);
}

#[test]
fn a_page_says_who_wrote_it_and_when() {
    let page = page(&article());
    assert_eq!(page.title.as_deref(), Some("On tides"));
    assert_eq!(page.author.as_deref(), Some("A. Writer"));
    assert_eq!(page.date.as_deref(), Some("2026-03-04"));
    assert_eq!(page.language.as_deref(), Some("en"));
    assert_eq!(page.canonical.as_deref(), Some("https://example.org/tides"));
}

#[test]
fn structured_data_says_what_tags_do_not() {
    let data = format!(
        r#"{{"@context":"https://schema.org","@graph":[{{"@type":"WebSite"}},{{"@type":"NewsArticle","headline":"Tides",
        "author":[{{"name":"A"}},{{"name":"B"}}],"datePublished":"2026-01-02","inLanguage":"de-DE","articleBody":"{}"}}]}}"#,
        PARAGRAPH.repeat(4)
    );
    let page = page(&format!("<script type='application/ld+json'>{data}</script><div id=app>Loading</div>"));
    assert_eq!(page.title.as_deref(), Some("Tides"));
    assert_eq!(page.author.as_deref(), Some("A, B"));
    assert_eq!(page.date.as_deref(), Some("2026-01-02"));
    assert_eq!(page.language.as_deref(), Some("de"));
    assert!(page.text.starts_with("The tide comes") && page.problems.contains(&Problem::StructuredOnly));
}

#[test]
fn days_are_taken_only_where_they_have_one_meaning() {
    for (date, expected) in [
        ("2026-11-15T10:00:00+01:00", Some("2026-11-15")),
        (" 2026/11/15", Some("2026-11-15")),
        ("15.11.2026", None),
        ("03/04/2026", None),
        ("2026-13-01", None),
        ("1026-01-01", None),
        ("", None),
    ] {
        assert_eq!(day(date).as_deref(), expected, "{date}");
    }
}

/// PR-02: elements that HTML does not know, closed or never closed, thousands of them, leave the structure of what follows.
#[test]
fn custom_elements_do_not_flatten_a_page() {
    let rest = "<h2>Depth</h2><ul><li>a</li><li>b</li></ul><table><tr><th>x<th>y</tr><tr><td>1<td>2</tr></table>";
    let want = "## Depth\n\n- a\n- b\n\n| x | y |\n| --- | --- |\n| 1 | 2 |";
    for before in [
        "<my-card>c ".repeat(3_000),
        "<my-card>c</my-card> ".repeat(3_000),
        "<my-card><x-y>c</x-y> ".repeat(3_000),
        "<my-card><div>c</div></my-card> ".repeat(3_000),
        "<my-card></x-y>c ".repeat(3_000),
    ] {
        let read = markdown(&format!("<div>{before}</div>{rest}"));
        assert!(read.ends_with(want), "{}", read.get(read.len().saturating_sub(200)..).unwrap());
        let inside = markdown(&format!("<my-page>{before}{rest}"));
        assert!(inside.ends_with(want), "{}", inside.get(inside.len().saturating_sub(200)..).unwrap());
    }
    let nested = markdown("<my-list><ul><li><my-item>a</my-item></li><li><my-item>b</li></ul></my-list><p>c");
    assert_eq!(nested, "- a\n- b\n\nc");
}

/// ST-01: a term stays with its explanation, however short it is and wherever it leads.
#[test]
fn a_term_stays_with_its_explanation() {
    let text =
        "The call is run by a thread of the pool, which takes one call after the other until it is told to end. "
            .repeat(4);
    let terms: String = ["cancel", "done", "result"]
        .map(|name| {
            format!(
                "<dl class='py method'><dt class='sig'><span><span>{name}</span></span><span>(</span><span>)</span>\
                 <a class='headerlink' href='#{name}' title='Permalink to this definition'>¶</a></dt>\
                 <dd><p>Attempt to {name} the call. If it is being executed or was finished, the method says so and nothing changes.</p></dd></dl>"
            )
        })
        .concat();
    let html = format!(
        "<html><body><nav><a href='/'>Home</a></nav><div role='main'><h1>Calls</h1><p>{text}</p><p>{text}</p><blockquote><div>{terms}</div></blockquote></div></body></html>"
    );
    let markdown = page(&html).markdown;
    for term in ["cancel()", "done()", "result()"] {
        assert!(markdown.contains(term), "{term}: {markdown}");
    }
}

/// EV-03: raised digits of a report are told from others; those of a page are not.
#[test]
fn raised_digits_of_a_report() {
    let html = "<p>It is deep<sup><a href='#r1'>1</a></sup>, 12 km<sup>2</sup> wide<sup><a href='https://a.example/'>2</a></sup> and \
                old<a href='#r3'><sup>3</sup></a>. The 5<sup>th</sup>.</p><table><tr><td>a<sup>[4]</sup></td></tr></table>";
    assert_eq!(
        report(html, &Address::of("https://x.example/")),
        "It is deep<sup>[1]</sup>, 12 km<sup>2</sup> wide<sup>[[2](https://a.example/)]</sup> and old<sup>3</sup>. The 5th.\n\na<sup>[4]</sup>"
    );
    assert!(!document(html).1.markdown.contains("<sup>"));
}

/// The Markdown of a file.
fn of_file(html: &str) -> String {
    document(html).1.markdown
}

#[test]
fn raised_and_lowered_text_of_a_file_is_told_from_its_line() {
    for (html, expected) in [
        ("<p>2 × 10<sup>30</sup> kg and 10<sup>-6</sup>", "2 × 10³⁰ kg and 10⁻⁶"),
        ("<p>log<sub>2</sub>8, H<sub>2</sub>O, x<sub>max</sub>", "log₂8, H₂O, xₘₐₓ"),
        ("<p>the 5<sup>th</sup> gate.<sup><a href='#fn1'>1</a></sup>", "the 5ᵗʰ gate.¹"),
        ("<p>gate<sup>[1]</sup> and<sup>citation needed</sup>", "gate[1] and^(citation needed)"),
        ("<p>e<sup>1,5</sup> a<sub>i,j</sub> b<sup>{LONG}</sup>", "e^(1,5) a_(i,j) b^({LONG})"),
        ("<p>10<sup>10<sup>3</sup></sup> x<sup>a<sub>1</sub></sup>", "10^(10³) x^(a₁)"),
        ("<p>a<sup> </sup>b<sup></sup> c<sup><svg><text>d</text></svg></sup>", "a b c"),
        ("<p><code>x<sup>2</sup></code> <code>y</code>", "x² `y`"),
        (
            "<table><tr><th>m<sup>2</sup><th>e<sup>a/b</sup><tr><td>1<td>2</table>",
            "| m² | e^(a/b) |\n| --- | --- |\n| 1 | 2 |",
        ),
    ] {
        let long = "a long remark that is no exponent at all";
        assert_eq!(of_file(&html.replace("{LONG}", long)), expected.replace("{LONG}", long), "{html}");
    }
    assert_eq!(markdown("<p>10<sup>30</sup> and <s>50</s> 40"), "1030 and 50 40", "a page of the web");
}

/// LB-01: code that is set in a quotation only to be indented is code.
#[test]
fn lb_01_indented_code_of_a_file_is_no_quotation() {
    for (html, expected) in [
        ("<blockquote><pre>x = 1\n</pre></blockquote><p>b", "```\nx = 1\n```\n\nb"),
        ("<blockquote><p>Run</p><pre>x\n</pre></blockquote>", "Run\n\n```\nx\n```"),
        ("<blockquote><p>He said so.</p></blockquote>", "> He said so."),
    ] {
        assert_eq!(of_file(html), expected, "{html}");
    }
    assert_eq!(markdown("<blockquote><pre>x\n</pre></blockquote>"), "> ```\n> x\n> ```", "a page of the web");
}

#[test]
fn what_is_struck_out_in_a_file_is_marked() {
    for (html, expected) in [
        ("<p>costs <del>50</del> <ins>40</ins> euros. The <s>old</s> rule", "costs ~~50~~ 40 euros. The ~~old~~ rule"),
        ("<p><strike>a <code>b</code> c</strike> d", "~~a `b` c~~ d"),
        ("<p><s>a <s>b</s> c</s><s></s> <s> </s>d", "~~a b c~~ d"),
        ("<del><p>a</p><p>b<br>c</p></del><p>d", "~~a~~\n\n~~b~~\n~~c~~\n\nd"),
        ("<p>see<s> a </s>b", "see ~~a~~ b"),
        ("<ul><li><s>a</s><li>b</ul>", "- ~~a~~\n- b"),
        (
            "<del><table><tr><td>a<td>b<tr><td>c<td>d</table></del>",
            "| ~~a~~ | ~~b~~ |\n| --- | --- |\n| ~~c~~ | ~~d~~ |",
        ),
        // Tildes of the text are none of ours.
        ("<p>a ~~b~~ ~/c", "a ~\\~b~\\~ ~/c"),
        ("<p>~~~<p>a<p><s>~b</s>", "~\\~\\~\n\na\n\n~~\\~b~~"),
    ] {
        assert_eq!(of_file(html), expected, "{html}");
    }
}

#[test]
fn cells_that_span_columns_and_rows_keep_the_others_in_place() {
    for (html, expected) in [
        (
            "<table><caption>Prices <s>x</s></caption><thead><tr><th rowspan=2>Fish<th colspan=2>Price<tr><th>Monday<th>Friday</thead>\
             <tbody><tr><th>Cod<td>11<td>12<tr><td rowspan=2>Herring<td>3<td>4<tr><td>5<td>6</table>",
            "Prices x\n\n| Fish | Price Monday | Price Friday |\n| --- | --- | --- |\n| Cod | 11 | 12 |\n\
             | Herring | 3 | 4 |\n| Herring | 5 | 6 |",
        ),
        // What a cell of the head is above is named with it; a row that is no head, and one that spans nothing, stay what they are.
        (
            "<table><tr><th><th colspan=2>2025<th>2026<tr><th>Fish<th>Mon<th>Fri<th>Mon<tr><td>Cod<td>1<td>2<td>3</table>",
            "| Fish | 2025 Mon | 2025 Fri | 2026 Mon |\n| --- | --- | --- | --- |\n| Cod | 1 | 2 | 3 |",
        ),
        (
            "<table><tr><th colspan=2>2025<tr><td>a<td>b<tr><td>c<td>d</table>",
            "| 2025 |  |\n| --- | --- |\n| a | b |\n| c | d |",
        ),
        ("<table><tr><th>x<th>y<tr><th>a<th>b<tr><td>c<td>d</table>", "| x | y |\n| --- | --- |\n| a | b |\n| c | d |"),
        (
            "<table><tr><td>a<td rowspan=2>b<tr><td>c<tr><td>d<td>e</table>",
            "| a | b |\n| --- | --- |\n| c | b |\n| d | e |",
        ),
        // None is the rest of the group, and no cell leaves its group.
        (
            "<table><tbody><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d<tbody><tr><td>e<td>f</table>",
            "| a | b |\n| --- | --- |\n| a | c |\n| a | d |\n| e | f |",
        ),
        ("<table><tr><td rowspan=9 colspan=0>a<td>b<tr><tr><td>c</table>", "| a | b |\n| --- | --- |\n| a | c |"),
        ("<table><tr><td colspan=x>a<td rowspan=-1>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td rowspan=3>a<td>b</table>", "a b"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn spans_do_not_make_a_page_larger() {
    let rows = "<tr>".repeat(20_000) + &"<tr><td>x".repeat(20_000);
    let wide: String = (0..64).map(|_| format!("<td rowspan=65535>{}", "wide ".repeat(40))).collect();
    for html in [
        format!("<table><tr>{wide}{rows}</table>"),
        format!("<table><tr><td rowspan=65535 colspan=1000>{}{rows}</table>", "long ".repeat(20_000)),
        format!("<table>{}</table>", "<tr><td rowspan=65535 colspan=1000>a<td>b".repeat(10_000)),
        format!("<table>{}</table>", "<td colspan=99999999999999999999 rowspan=18446744073709551615>a".repeat(10_000)),
    ] {
        let written = of_file(&html);
        // The marks of 64 columns, and no more of the text than there is.
        assert!(written.len() < 64 * html.len(), "{} of {}", written.len(), html.len());
        let written = written.replace([' ', '|', '-'], "").len();
        assert!(written <= 3 * html.len(), "{written} of {}", html.len());
    }
}

#[test]
fn a_short_list_in_a_cell_of_a_file_leaves_the_table_a_table() {
    let lift =
        "<table><tr><th>Lift<th>Adult<tr><td>Ibex<td>Day <ul><li>day 55</li><li>half day 35</li></ul> or less</table>";
    assert_eq!(of_file(lift), "| Lift | Adult |\n| --- | --- |\n| Ibex | Day day 55; half day 35 or less |");
    assert_eq!(markdown(lift), "Lift Adult\nIbex Day\n- day 55\n- half day 35\n\nor less", "a page of the web");
    let long = "many words in one item ".repeat(20);
    for layout in [
        format!("<table><tr><td>a<td>b<tr><td>c<td><ul><li>{long}</ul></table>"),
        "<table><tr><td>a<td>b<tr><td>c<td><ul><li>d<ul><li>e</ul></ul></table>".to_owned(),
        "<table><tr><td>a<td><ul><li>b<li>c</ul></table>".to_owned(),
        "<table><tr><td><ul><li>b<li>c</ul><tr><td>d</table>".to_owned(),
        "<table><tr><td>a<td>b<tr><td>c<td><ul><li>d</ul><pre>e</pre></table>".to_owned(),
    ] {
        let written = of_file(&layout);
        assert!(written.contains("\n- ") && !written.contains("---"), "{layout}: {written}");
    }
}

/// LB-01: a small table in one cell of a file leaves the table around it a table.
#[test]
fn lb_01_a_small_table_in_a_cell_is_a_part_of_it() {
    let inner = "<table><tr><td>Rope<td>Length<tr><td>Kevlar<td>140 m</table>";
    let rows = "<tr><td>Berth<td>Depth<tr><td>Berth 1<td>4.1 m<tr><td>Berth 2<td>5.2 m";
    let head = "| Berth | Depth |\n| --- | --- |\n| Berth 1 | 4.1 m |\n| Berth 2 | 5.2 m |\n";
    let html = format!("<table>{rows}<tr><td>Outer<td>see {inner} here<tr><td>Last<td>1 m</table>");
    assert_eq!(of_file(&html), format!("{head}| Outer | see; Rope Length; Kevlar 140 m here |\n| Last | 1 m |"));
    assert!(!markdown(&html).contains("| Berth |"), "a page of the web");
    let long = format!("<table><tr><td>{}<td>b<tr><td>c<td>d</table>", "many words ".repeat(80));
    for layout in [
        format!("<table>{rows}<tr><td>Outer<td>{long}</table>"),
        format!("<table><tr><td>Home<td>News<tr><td>{inner}<td>{inner}</table>"),
        format!("<table><tr><td>{inner}<tr><td>{inner}<tr><td>a<tr><td>b<tr><td>c</table>"),
    ] {
        let written = of_file(&layout);
        assert!(!written.contains("| Berth |") && !written.contains("; Kevlar"), "{written}");
    }
}

/// LB-01: a note of a file stands where the text refers to it, and not below the last heading.
#[test]
fn lb_01_notes_of_a_file_stand_where_they_are_referred_to() {
    for (html, expected) in [
        (
            "<table><tr><th>No<th>Price<tr><td>R1<td>68<sup><a href='#fn1'>1</a></sup></table><h2>Cold</h2><p>b</p><hr>\
             <ol><li id='fn1'>For a|b 61. <a href='#r1'>↩</a></li></ol>",
            "| No | Price |\n| --- | --- |\n| R1 | 68 [1: For a\\|b 61.] |\n\n## Cold\n\nb",
        ),
        (
            "<p>16 days.<a href='#n'><sup>[2]</sup></a> More<p id='n'>[2] Without <i>it</i>.",
            "16 days. [2: Without it.] More",
        ),
        (
            "<p>A<a class='footnote-reference' href='#id2'>1</a>, B<dl><dt id='id2'>1</dt><dd><p>C.</p></dd></dl>",
            "A [1: C.], B",
        ),
        ("<p>A<sup><a href='#n'>*</a></sup> B<sup><a href='#n'>*</a></sup><p><a name='n'>*</a> C", "A [*: C] B [*: C]"),
        // What leads back, to literature, to a heading or nowhere; what is no mark; several notes in one paragraph.
        ("<p id='n'>A</p><p>B<sup><a href='#n'>1</a></sup>", "A\n\nB¹"),
        ("<p>A<sup><a href='#cite_note-1'>[1]</a></sup><ol><li id='cite_note-1'>Low</ol>", "A[1]\n\n1. Low"),
        ("<p>A<sup><a href='#n'>1</a></sup><h2 id='n'>B</h2><p>C", "A¹\n\n## B\n\nC"),
        ("<p>A <a href='#n'>1</a> <sup><a href='#no'>1</a></sup><p id='n'>B", "A 1 ¹\n\nB"),
        (
            "<p>A<sup><a href='#n'>1</a></sup> B<sup><a href='#m'>2</a></sup><p><a id='n'>1</a> C<br><a id='m'>2</a> D",
            "A¹ B²\n\n1 C\n2 D",
        ),
    ] {
        assert_eq!(of_file(html), expected, "{html}");
    }
    assert_eq!(markdown("<p>A<sup><a href='#n'>1</a></sup><p id='n'>B"), "A1\n\nB", "a page of the web");
}
