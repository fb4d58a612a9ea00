use expect_test::{Expect, expect};

use super::numbers::{Numerals, PageNumber, page_number};
use super::*;
use crate::core::text::left_out::LostPages;
use crate::core::text::of_pages;

/// LB-01: what may be the number of a page, and what is no such line at all.
#[test]
fn lb_01_numbers_of_pages_are_known_in_many_forms() {
    let arabic = |value, is_bare| Some(PageNumber { numerals: Numerals::Arabic, value, is_bare });
    let roman = |value| Some(PageNumber { numerals: Numerals::Roman, value, is_bare: true });
    for (line, expected) in [
        ("1", arabic(1, true)),
        ("- 1 -", arabic(1, false)),
        ("– 12 –", arabic(12, false)),
        ("[7]", arabic(7, false)),
        ("Page 19", arabic(19, false)),
        ("Page 3 of 21", arabic(3, false)),
        ("p. 3", arabic(3, false)),
        ("Seite 3", arabic(3, false)),
        ("SEITE 3 VON 21", arabic(3, false)),
        ("3 / 21", arabic(3, false)),
        ("3/21", arabic(3, false)),
        ("стр. 4", arabic(4, false)),
        ("iv", roman(4)),
        ("XII", roman(12)),
        ("iix", None),
        ("mild", None),
        ("", None),
        ("- -", None),
        ("22/7", None),
        ("3 of hearts", None),
        ("Total 12", None),
        ("1.5", None),
        ("12 34", None),
        ("Pages3", None),
        ("123456", None),
    ] {
        assert_eq!(page_number(line), expected, "{line}");
    }
}

/// What is left of pages, each as one line with `/` for a line end and `//` for a blank line.
fn left(pages: &[&str]) -> Vec<String> {
    let texts: Vec<String> = pages.iter().map(|page| page.replace("//", "\n\n").replace('/', "\n")).collect();
    let numbered: Vec<NumberedText<'_>> = (1..).zip(texts.iter().map(String::as_str)).collect();
    let texts = without_running_lines(&numbered);
    texts.iter().map(|text| text.replace("\n\n", "//").replace('\n', "/")).collect()
}

/// LB-01: heads, feet and numbers of pages are no text; one of each that repeats is kept. Everything else stays.
#[test]
fn lb_01_running_lines_are_left_out() {
    let cases: [(&[&str], &[&str]); 10] = [
        // The first head and the last foot are kept, numbers are not.
        (
            &["Board//One.//Acme/Page 1", "Board//Two.//Acme/Page 2", "Board//Three.//Acme/Page 3"],
            &["Board//One.", "Two.", "Three.//Acme"],
        ),
        // The number of the page stands in the line; left and right pages have heads of their own.
        (
            &["8 Tides//A.", "Moon 9//B.", "10 Tides//C.", "Moon 11//D.", "12 Tides//E.", "Moon 13//F."],
            &["8 Tides//A.", "Moon 9//B.", "C.", "D.", "E.", "F."],
        ),
        // Numbers that begin with the second page, and Roman ones before them.
        (&["Cover", "One./i", "Two./ii", "Three./1", "Four./2"], &["Cover", "One.", "Two.", "Three.", "Four."]),
        // Sums, years and numbers without an order are text.
        (&["A./Total 12", "B./Total 40", "C./Total 31"], &["A./Total 12", "B./Total 40", "C./Total 31"]),
        (&["A./17", "B./4", "C./90"], &["A./17", "B./4", "C./90"]),
        (&["A./2019", "B./2020", "C."], &["A./2019", "B./2020", "C."]),
        // Parts that fill a page have headings.
        (&["Lesson 1//A.", "Lesson 2//B.", "Lesson 3//C."], &["Lesson 1//A.", "Lesson 2//B.", "Lesson 3//C."]),
        // The head of a table that is repeated stands on its rows.
        (
            &["Name Age/Ann 3", "Name Age/Ben 4", "Name Age/Cid 5"],
            &["Name Age/Ann 3", "Name Age/Ben 4", "Name Age/Cid 5"],
        ),
        // What repeats in the middle of pages is text.
        (
            &["A./B./Sum./C./D.", "E./F./Sum./G./H.", "I./J./Sum./K./L."],
            &["A./B./Sum./C./D.", "E./F./Sum./G./H.", "I./J./Sum./K./L."],
        ),
        // Nothing but numbers.
        (&["1", "2", "3"], &["1", "2", "3"]),
    ];
    for (pages, expected) in cases {
        assert_eq!(left(pages), expected, "{pages:?}");
    }
}

/// LB-01: one or two pages prove little: only their own numbers go, and what repeats in the middle of a sentence.
#[test]
fn lb_01_short_documents_lose_only_their_own_numbers() {
    let cases: [(&[&str], &[&str]); 11] = [
        (&["A line of words/1"], &["A line of words"]),
        (&["A line of words/2"], &["A line of words/2"]),
        (&["Screws/1"], &["Screws/1"]),
        (&["Screws of steel 7/1"], &["Screws of steel 7/1"]),
        (&["Screws/- 1 -"], &["Screws"]),
        (&["Lease//The rent is/1", "Lease//9400 crowns./2"], &["Lease//The rent is", "9400 crowns."]),
        (
            &["Part 2: Mills 8//The rent is", "Part 2: Mills 9//9400 crowns."],
            &["Part 2: Mills 8//The rent is", "9400 crowns."],
        ),
        (&["Part 1//The rent is", "Part 2//9400 crowns."], &["Part 1//The rent is", "Part 2//9400 crowns."]),
        (&["Lease//The end./1", "Lease//The next./2"], &["Lease//The end.", "Lease//The next."]),
        (&["A line of words/57", "Some more words here/58"], &["A line of words", "Some more words here"]),
        (&["A line of words/57", "Some more words here/60"], &["A line of words/57", "Some more words here/60"]),
    ];
    for (pages, expected) in cases {
        assert_eq!(left(pages), expected, "{pages:?}");
    }
}

/// LB-01: how a page ends and the next one begins tells whether a paragraph goes on.
#[test]
fn lb_01_paragraphs_go_on_over_pages() {
    for (before, after, expected) in [
        ("The rent is", "9400 crowns, due in May.", true),
        ("The capacity of the Dova Tank", "is 4407 litres.", true),
        ("The capacity of the Dova Tank", "4407 litres.", true),
        ("it was found that the depth of the", "Silo Tank was 3 metres. More.", true),
        ("Der Preis der", "Mühle beträgt 300 Kronen.", true),
        ("A first line of some length here\nand a second one which is cut", "Rome was far away. More.", true),
        ("the long implemen-", "tation of it.", true),
        ("It is said (in May)", "that it rains.", true),
        ("• the tenant pays the", "landlord a fee.", true),
        // A sentence, a question, what announces a list.
        ("The rent is due.", "it is paid in May.", false),
        ("He said “it is due.”", "it is paid in May.", false),
        ("(It is due.)", "it is paid in May.", false),
        ("The rules are:", "no smoking", false),
        // Headings, items, rows.
        ("SUMMARY", "the rent is due.", false),
        ("The end of it", "Chapter two begins here. More.", false),
        ("was said by the", "Second Chapter", false),
        ("The end of it", "2. Methods", false),
        ("The end of it", "3.1 Results", false),
        ("The end of it", "a) the first", false),
        ("The end of it", "• the first", false),
        ("• one of them", "the others follow.", false),
        ("Ann | 3", "ben | 4", false),
        ("Ann baker 12", "13 pieces", false),
        ("1 Ann baker", "2 ben smith", false),
        ("Ann Baker of Rome\nBen Smith of Bonn", "Cid Jones of Oslo\nDan Brown", false),
        ("", "it rains.", false),
        ("It is the", "", false),
    ] {
        assert_eq!(goes_on((1, before), (2, after)), expected, "{before:?} {after:?}");
        assert!(!goes_on((1, before), (3, after)), "a page is missing");
    }
}

fn check(pages: &[&str], expected: &Expect) {
    let pages: Vec<NumberedText<'_>> = (1..).zip(pages.iter().copied()).collect();
    let document = of_pages(None, &pages, &LostPages::default());
    let shown = |text: &str| {
        text.lines().map(|line| format!("    {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    };
    let passages = document.passages.iter().map(|piece| {
        let text: String = document.passage_text(piece).to_owned();
        let text = if text.len() > 200 { format!("{} words", text.split_whitespace().count()) } else { text };
        format!("[{}]\n{}\n", piece.lines, shown(&text))
    });
    expected.assert_eq(&passages.collect::<String>());
}

/// LB-01: a passage that reaches over the end of a page says both pages, and no other one does.
#[test]
fn lb_01_passages_say_their_pages() {
    check(
        &["The roof is kept.\n\nThe rent is", "9400 crowns.\n\nThe mill is old.", "The end."],
        &expect![[r#"
            [pp. 1–2]
                The roof is kept.

                The rent is
                9400 crowns.
            [p. 2]
                The mill is old.
            [p. 3]
                The end.
        "#]],
    );
    // A sentence that is longer than a page, and a page that begins with another one.
    check(
        &["It was a", "very long", "sentence.", "Another one."],
        &expect![[r#"
            [pp. 1–3]
                It was a
                very long
                sentence.
            [p. 4]
                Another one.
        "#]],
    );
}

/// LB-01: a book whose every page goes on with the next is cut near the ends of its pages: only the sentence that runs over is on both.
#[test]
fn lb_01_long_paragraphs_are_cut_behind_the_sentence() {
    let sentence = "The water of the river rises and falls with the moon and nobody knows who found it. ";
    let page = format!("found it, too. {}And then they", sentence.repeat(10));
    check(
        &[&page, &page, "went home."],
        &expect![[r#"
            [pp. 1–2]
                179 words
            [pp. 2–3]
                175 words
        "#]],
    );
    let long = format!("{}And then they", sentence.repeat(20));
    check(
        &[&long, "went home. They slept."],
        &expect![[r#"
            [p. 1]
                119 words
            [p. 1]
                119 words
            [pp. 1–2]
                107 words
            [p. 2]
                They slept.
        "#]],
    );
}

/// LB-01: the work grows with the text and nothing else, whatever the pages are.
#[test]
fn lb_01_many_odd_pages_are_read_in_time() {
    for page in ["a", "1", "and the", "x y\n\nx y", "the\n\n\n1\n2\n3"] {
        let pages: Vec<NumberedText<'_>> = (1..=3_000).map(|number| (number, page)).collect();
        let texts = without_running_lines(&pages);
        let pages: Vec<NumberedText<'_>> = (1..).zip(texts.iter().map(String::as_str)).collect();
        assert!(!of_pages(None, &pages, &LostPages::default()).text.is_empty(), "{page}");
    }
}

/// LB-01: a word that the end of a line cuts is whole again; what other lines say tells whether the hyphen is its own.
#[test]
fn lb_01_words_are_whole_over_the_end_of_a_line() {
    for (page, whole) in [
        // What stands elsewhere tells.
        ("The lineage is told. His line-\nage is long.", "The lineage is told. His lineage\nis long."),
        ("A drill-hole is cut. Each drill-\nhole is deep.", "A drill-hole is cut. Each drill-hole\nis deep."),
        // Where neither stands elsewhere, halves that are no words are joined.
        ("It man-\nages cus-\ntomization.", "It manages\ncustomization."),
        ("It may be the cause, be-\ncause it rains.", "It may be the cause, because\nit rains."),
        ("The mill and the stone: a mill-\nstone.", "The mill and the stone: a mill-stone."),
        ("Conﬁgura-\ntion of coeﬃcients", "Configuration\nof coefficients"),
        ("SE-\nQUENCE of", "SEQUENCE\nof"),
        // The hyphen is the word's own.
        ("From February-\nMarch on", "From February-March\non"),
        ("a 32-\nbit word", "a 32-bit\nword"),
        ("non-\ncommercially used", "non-commercially\nused"),
        ("an end-of-\nstream mark", "an end-of-stream\nmark"),
        ("a per-\nfunkel-call cost", "a per-funkel-call\ncost"),
        ("with paper-\nand-ink", "with paper-and-ink"),
        ("a low-\ncost pump", "a low-cost\npump"),
        ("high ten-\nsion", "high tension"),
        ("is D-\nnormalized.", "is D-normalized."),
        ("with --gen-\nsuppressions=yes", "with --gen-suppressions=yes"),
        ("see https://a.example/some-\nthing here", "see https://a.example/some-thing\nhere"),
        ("The email and an e-\nmail too.", "The email and an e-mail\ntoo."),
        // A soft one never is.
        ("The com\u{ad}pile-time com\u{ad}\npile step", "The compile-time compile\nstep"),
        // What a line begins with is no word of its own.
        ("The com\u{ad}pile step", "The compile step"),
        ("A pan. The pan-\ntograph is up.", "A pan. The pantograph\nis up."),
        // Two words, and no word at all.
        ("Die Nord- \nund Südwand", "Die Nord- \nund Südwand"),
        ("pre-\nand postwar", "pre-\nand postwar"),
        ("ends with a dash -\nand goes on", "ends with a dash -\nand goes on"),
        ("i--\nnext", "i--\nnext"),
        ("half-\n\nanother", "half-\n\nanother"),
        ("half-", "half-"),
        ("half-\n(way)", "half-\n(way)"),
    ] {
        assert_eq!(with_whole_words(&[1], vec![page.to_owned()]), [whole], "{page}");
    }
    // Other pages tell as well.
    let pages = vec!["Fur-\nlongs".to_owned(), "Eight furlongs".to_owned(), "One fur-long, fur-longs".to_owned()];
    assert_eq!(with_whole_words(&[1, 2, 3], pages).first().unwrap(), "Furlongs");
    // A word goes on with the next page, if that is the next one and has more.
    for (numbers, after, expected) in [
        ([4, 5], "mation is here.", ["All information", "is here."]),
        ([4, 5], "mation\nis here.", ["All information", "is here."]),
        ([4, 5], "mation", ["All infor-", "mation"]),
        ([4, 6], "mation is here.", ["All infor-", "mation is here."]),
        ([4, 5], "Zork is here.", ["All infor-Zork", "is here."]),
    ] {
        let pages = vec!["All infor-".to_owned(), after.to_owned()];
        assert_eq!(with_whole_words(&numbers, pages), expected, "{after}");
    }
}
