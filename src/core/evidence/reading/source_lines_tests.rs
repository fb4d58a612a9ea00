use expect_test::{Expect, expect};

use super::*;

fn check(report: &str, want: Expect) {
    want.assert_eq(&tests::shown(report, &[]));
}

/// EV-03: the words that lead to a source are no part of what is claimed.
#[test]
fn the_words_of_a_source_are_no_claim() {
    check(
        "The dam is 87 metres high [(1)](https://a.example/dam).\n\n\
         According to [Lake Site](https://a.example/dam), the dam was built in 1931. According to the Lake Registry [2], nobody fishes there.\n\n\
         [Lake Site](https://a.example/dam) reports that trout came in 1950. The lake is deep (Source: [Lake Site](https://a.example/dam)).\n\n\
         The lake is cold in winter ([A](https://a.example/dam), [B](https://b.example)). Nobody swims there. [Lake Site](https://a.example/dam)+1\n\n\
         The reserve was founded late.\nSource: [Lake Site](https://a.example/dam)\n\n\
         Two turbines are fed by it.\n\nSource: [B](https://b.example)\n\n\
         - [Lake Site](https://a.example/dam)\n- [the dam is green](https://a.example/dam) in the sun\n\n[2]: https://b.example\n",
        expect![[r#"
            Own The dam is 87 metres high. [1=https://a.example/dam]
            Own the dam was built in 1931. [1=https://a.example/dam]
            Own nobody fishes there. [2=https://b.example]
            Own trout came in 1950. [1=https://a.example/dam]
            Own The lake is deep. [1=https://a.example/dam]
            Own The lake is cold in winter. [2=https://b.example 1=https://a.example/dam]
            Own Nobody swims there. [1=https://a.example/dam]
            Own The reserve was founded late. [1=https://a.example/dam]
            Covered Two turbines are fed by it. [2=https://b.example]
            Own the dam is green in the sun [1=https://a.example/dam]
        "#]],
    );
}

/// EV-03: what a report of quotes says of itself is no claim, and its quotes cite their places.
#[test]
fn quotes_cite_the_place_beside_them() {
    check(
        "# How do rows lock?\n\n> A **row** is \\<b>locked\\</b> by [3].\n> ```sql\n> SELECT a[1];\n> ```\n>\n> It stays locked, see \\[3].\n\n\
         **[1]** `locks.md`, lines 10–12 — Locks › Row \\[locks](x)\n\nNearly the same text: `old/locks.md:4-9`.\n\n\
         _Passages quoted word for word from local documents, the most relevant document first. No model wrote or judged this report._\n\n\
         ## More\n\n**[2]** `locks.md`, lines 2–4 — Locks\n\n> The first row comes first.\n\n**[3]** `wal/log.md`, lines 5–7 — Log\n\n> The log is written last.\n\n\
         Cut here; [3] goes on to line 9.\n\n## Sources\n\n- [1] `locks.md:10-12` — Locks\n- [2] `locks.md:2-4` — Locks\n- [3] `wal/log.md:5-7` — Log\n\n\
         ## Problems\n\n- `bad.html`: LIBRARY_UNREADABLE (not UTF-8 at all)\n",
        expect![[r#"
            Covered A row is <b>locked</b> by. [1=locks.md:10-12]
            Covered It stays locked, see [3]. [1=locks.md:10-12]
            Covered The first row comes first. [2=locks.md:2-4]
            Covered The log is written last. [3=wal/log.md:5-7]
        "#]],
    );
    check(
        "She wrote of it:\n\n> The dam will not hold for long.\n\n— Ilse Kranz of the valley, [The diary](https://a.example)\n\n> The dam has held so far.\n\n[1]\n\nNobody knows more of it.\n\n[1]: https://b.example\n",
        expect![[r#"
            Covered The dam will not hold for long. [=https://a.example]
            Covered The dam has held so far. [1=https://b.example]
            Uncited Nobody knows more of it. []
        "#]],
    );
}

/// EV-03: documents of this machine and addresses without a scheme are sources; data before the text is no claim.
#[test]
fn files_and_bare_addresses_are_sources() {
    check(
        "---\ntitle: A colleague's report\nauthor: Jane Doe of the University\n---\n\nThe dam is high ([lake.md](docs/lake.md#L5)). It was dammed in 1931 (docs/lake.md:3). It lies at 412 metres `docs/lake.md:3-3`. \
         Trout were released [1]. The lake is blue (lake.org/colour). The file `notes.md` is of no use.\n\nThe lake is old [2]. It has a site [3].\n\n\
         ## Sources\n\n1. docs/lake.md:7-9\n2. Lake book. lake.org/x\n3. Lakes, en.lakes.org\n",
        expect![[r#"
            Own The dam is high. [=docs/lake.md#L5]
            Own It was dammed in 1931. [=docs/lake.md:3]
            Own It lies at 412 metres. [=docs/lake.md:3-3]
            Own Trout were released. [1=docs/lake.md:7-9]
            Own The lake is blue. [=https://lake.org/colour]
            Uncited The file notes.md is of no use. []
            Own The lake is old. [2=https://lake.org/x]
            Own It has a site. [3=https://en.lakes.org]
        "#]],
    );
    // A rule at the beginning is no data.
    check(
        "---\n\nThe dam is really high.\n\n---\n\nIt is really old.\n",
        expect![[r#"
        Uncited The dam is really high. []
        Uncited It is really old. []
    "#]],
    );
}

/// EV-03: raised digits are citations, and powers are not.
#[test]
fn raised_digits() {
    check(
        "The lake has 12 km<sup>2</sup> of water<sup>2</sup>. It holds 10<sup>9</sup> litres<sup>[1]</sup>. CO<sub>2</sub> is in it.\n\nSources:\n1. https://a.example\n2. https://b.example\n",
        expect![[r#"
            Own The lake has 12 km2 of water. [2=https://b.example]
            Own It holds 109 litres. [1=https://a.example]
            Uncited CO2 is in it. []
        "#]],
    );
}

/// EV-03: claims beyond the limit are counted.
#[test]
fn claims_beyond_the_limit_are_counted() {
    use crate::core::base::limits::EVIDENCE_CLAIMS;
    let reading = read(&"The dam is high. ".repeat(EVIDENCE_CLAIMS + 5), &[]);
    assert_eq!((reading.claims.len(), reading.left_out), (EVIDENCE_CLAIMS, 5));
}

/// EV-03: what printed pages do to a report: headings without marks, addresses that go on in the next line.
#[test]
fn a_report_off_paper() {
    check(
        "Ormond Dam - a short report\n\nThe dam is really high [1]. It is really old [2].\n\nReferences\n\n[1] Registry. http://a.example/\n    dam\n[2] News. http://b.example/x\n    seen in May\n",
        expect![[r#"
            Own The dam is really high. [1=http://a.example/dam]
            Own It is really old. [2=http://b.example/x]
        "#]],
    );
}
