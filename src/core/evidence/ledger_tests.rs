use proptest::prelude::*;

use super::*;

const PAGE: &str = "# Meridian Lark: vessel record\n\nMeridian Lark, barquentine, 312 tons, built in 1898. From 1909 to 1914 her captain \
    was Ottoline Varga, who had learned the trade on coal ships. The vessel was broken up in 1927.\n\n\
    The museum says that “her bell hangs in the hall” to this day. It weighs 1,250 kg.";

fn verdict(claim: &str) -> Verdict {
    Lookup::new(PAGE).check(claim).0
}

/// EV-01: what a page says is found there; what it does not say is not.
#[test]
fn verdicts() {
    for (claim, want) in [
        ("The captain of the Meridian Lark from 1909 to 1914 was Ottoline Varga.", Verdict::Supported),
        ("Ottoline Varga was captain from 1909 to 1915.", Verdict::Unsupported),
        ("The vessel was broken up in 1927.", Verdict::Supported),
        ("It weighs 1250 kg.", Verdict::Supported),
        ("It weighs 125 kg.", Verdict::Unsupported),
        ("The museum says that \"her bell hangs in the hall\".", Verdict::Supported),
        ("The museum says that \"her bell hangs in the cellar\".", Verdict::Unsupported),
        ("Penguins live in large colonies on the ice.", Verdict::Unsupported),
        ("", Verdict::Unsupported),
    ] {
        assert_eq!(verdict(claim), want, "{claim}");
    }
}

/// EV-01: the span leads to the words.
#[test]
fn the_place_is_where_the_words_are() {
    let (_, span) = Lookup::new(PAGE).check("The vessel was broken up in 1927.");
    let span = span.unwrap();
    assert_eq!(PAGE.get(span.start as usize..span.end as usize), Some("The vessel was broken up in 1927."));
    assert_eq!(Lookup::new(PAGE).check("Penguins on ice").1, None);
    assert_eq!(Lookup::new("").check("Anything at all").0, Verdict::Unsupported);
}

#[test]
fn claims_are_sentences_with_citations() {
    let markdown = "# Title [9]\n\nThe ship was the Lark [1]. Her captain was Varga. [2][3] Nobody cites this.\n\n- An item [1, 4]\n\
        - Another [link](http://x) `[5]` [0] [x]\n\n```\ncode [7]\n```\n\n| a [2] | b |\n|---|---|\n| c | d [^6] |\n";
    let claims: Vec<(String, u32)> = cited(markdown).into_iter().map(|claim| (claim.text, claim.source)).collect();
    let want = [
        ("The ship was the Lark.", 1),
        ("Her captain was Varga.", 2),
        ("Her captain was Varga.", 3),
        ("An item", 1),
        ("An item", 4),
        ("Another link [0] [x]", 5),
        ("a b", 2),
        ("c d", 6),
    ];
    assert_eq!(claims, want.map(|(text, source)| (text.to_owned(), source)));
}

proptest! {
    /// Nothing that a model or a page holds breaks the ledger, and every span is a piece of the page.
    #[test]
    fn any_text_is_looked_up(page in "\\PC{0,400}", answer in "[a-z0-9 .\"“\\[\\],#*`\n|]{0,200}") {
        let lookup = Lookup::new(&page);
        for claim in cited(&answer) {
            prop_assert!(claim.source > 0 && !claim.text.is_empty());
            if let (_, Some(span)) = lookup.check(&claim.text) {
                prop_assert!(page.get(span.start as usize..span.end as usize).is_some());
            }
        }
    }

    /// A sentence of a page is supported by the page.
    #[test]
    fn a_page_supports_itself(words in prop::collection::vec("[a-z]{3,9}", 4..20)) {
        let page = format!("Before it. {}. After it.", words.join(" "));
        prop_assert_eq!(Lookup::new(&page).check(&words.join(" ")).0, Verdict::Supported);
    }
}
