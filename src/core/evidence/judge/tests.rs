use proptest::prelude::*;

use super::*;

const PAGE: &str = "# Meridian Lark: vessel record\n\nMeridian Lark, barquentine, 312 tons, built in 1898 for the World Health Organization. From 1909 to 1914 her \
    captain was Ottoline Varga, who had learned the trade on coal ships. The crew of nine men sailed 1.2 million miles and was not paid until 3 March 1915. \
    In 1911 her owner Tadeusz Brenkmann sold the mast for 40 dollars. The vessel was broken up in 1927.\n\n\
    The museum says that “her bell hangs in the hall” to this day. It weighs 1,250 kg. Prices rose sharply after the war.";

fn judged(claim: &str) -> Judgement {
    judge(&Statement::new(claim), &Page::new(PAGE))
}

/// PR-02: work on a page grows with it, not faster. A quadratic reading of these would take half an hour.
#[test]
fn hostile_pages_are_read_in_one_go() {
    let german = "Das ist der Text über die Länge der Flüsse und nicht über die Höhe der Berge, die wir auch kennen. "
        .repeat(20);
    for piece in ["1-1-", "1.1.", "2020-", "123 ", "123 456 ", "9 trillion trillion "] {
        let page = format!("{german}{}", piece.repeat((1 << 17) / piece.len()));
        judge(&Statement::new("Der Fluss ist 77,000 km lang."), &Page::new(&page));
    }
}

/// A number that is too large to be one bears nothing out.
#[test]
fn endless_figures_bear_nothing_out() {
    let long = |piece: &str| format!("The debt of the town is {}dollars, it says.", piece.repeat(120));
    for piece in ["123 ", "trillion ", "123 000 "] {
        let page = Page::new(&long(piece));
        let judgement = judge(&Statement::new("The debt of the town is 77 dollars."), &page);
        assert_ne!(judgement.verdict, Verdict::Supported, "{piece}");
    }
    let many = format!("The debt is 9 {}dollars.", "trillion ".repeat(30));
    assert_ne!(judge(&Statement::new("The debt is 77 dollars."), &Page::new(&many)).verdict, Verdict::Supported);
}

/// What a page says is supported; a single wrong thing is named, and lowers the verdict.
#[test]
fn each_check_says_why() {
    for (claim, verdict, reason) in [
        ("From 1909 to 1914 the captain of the Meridian Lark was Ottoline Varga.", Verdict::Supported, ""),
        ("Her captain from 1909 to 1914 was Varga, who had learned the trade on coal ships.", Verdict::Supported, ""),
        ("The crew of 9 men sailed 1.2 million miles.", Verdict::Supported, ""),
        (
            "The crew of three men sailed 1.2 million miles.",
            Verdict::Unsupported,
            "'three' is not on this page; it says 'nine'",
        ),
        (
            "The crew of nine men sailed 1.3 million miles.",
            Verdict::Unsupported,
            "'1.3 million miles' is not on this page; it says '1.2 million miles'",
        ),
        (
            "The crew of nine men sailed 1.2 million kilometres.",
            Verdict::Partial,
            "'1.2 million kilometres' is not on this page; it has that figure in miles",
        ),
        (
            "The crew of nine men was not paid until 4 March 1915.",
            Verdict::Unsupported,
            "'4 March 1915' is not on this page; it says '3 March 1915'",
        ),
        ("The crew of nine men was not paid until March 3, 1915.", Verdict::Supported, ""),
        (
            "The crew of nine men was paid until 3 March 1915.",
            Verdict::Partial,
            "these sentences say 'not' of 'paid'; the claim does not",
        ),
        (
            "The vessel was not broken up in 1927.",
            Verdict::Partial,
            "the claim says 'not' of 'broken'; these sentences do not",
        ),
        ("The museum says that “her bell hangs in the hall” to this day.", Verdict::Supported, ""),
        (
            "The museum says that 'her bell hangs in the cellar' to this day.",
            Verdict::Unsupported,
            "the quote 'her bell hangs in the cellar' is not on this page",
        ),
        ("The museum says that «her  bell\u{200b} hangs» in the hall to this day.", Verdict::Supported, ""),
        (
            "From 1909 to 1914 the captain of the Meridian Lark was Folke Hjelmquist.",
            Verdict::Partial,
            "the name 'Folke Hjelmquist' is not on this page",
        ),
        (
            "From 1909 to 1914 her captain was Tadeusz Brenkmann, who had learned the trade on coal ships.",
            Verdict::Partial,
            "the claim says 'Tadeusz Brenkmann' where this page says 'Ottoline Varga'",
        ),
        ("Prices fell sharply after the war.", Verdict::Partial, "the claim says 'fell'; these sentences say 'rose'"),
        ("The Meridian Lark, 312 tons, was built in 1898 for the WHO.", Verdict::Supported, ""),
        ("Penguins live in large colonies on the ice.", Verdict::Unsupported, ""),
    ] {
        let found = judged(claim);
        let first = found.findings.first().map(|finding| finding.reason.as_str()).unwrap_or_default();
        assert_eq!((found.verdict, first), (verdict, reason), "{claim}\n{found:#?}");
    }
}

/// EV-02: `pounds` may be money or a weight; its signs say which.
#[test]
fn pounds_are_money_or_a_weight() {
    let weight = "'£25' is not on this page; it has that figure in lbs";
    let money = "'25 lb' is not on this page; it has that figure in sterling";
    for (said, claimed, verdict, reason) in [
        ("25 lb", "25 pounds", Verdict::Supported, ""),
        ("£25", "25 pounds", Verdict::Supported, ""),
        ("25 pounds", "£25", Verdict::Supported, ""),
        ("25 pounds", "25 lb", Verdict::Supported, ""),
        ("25 lb", "£25", Verdict::Partial, weight),
        ("£25", "25 lb", Verdict::Partial, money),
    ] {
        let page = format!("The parcel of the widow Brenkmann was entered in the book at {said} in May.");
        let claim = format!("The parcel of the widow Brenkmann was entered in the book at {claimed} in May.");
        let judgement = judge(&Statement::new(&claim), &Page::new(&page));
        let first = judgement.findings.first().map(|finding| finding.reason.as_str()).unwrap_or_default();
        assert_eq!((judgement.verdict, first), (verdict, reason), "{said} / {claimed}");
    }
}

/// Rates, amounts and signs change what a sentence says; words that stand there one after the other do not, whatever stands beside them.
#[test]
fn small_words_that_change_a_sentence() {
    let nurse = "The nurse earns 40 dollars per day at the clinic.";
    let visitors = "The number of visitors increased by 4 percent in 2001 but decreased by 8 percent in 2002.";
    let members = "Most of the members voted for the plan in May.";
    for (page, claim, verdict, reason) in [
        (
            nurse,
            "The nurse earns 40 dollars per hour at the clinic.",
            Verdict::Partial,
            "the claim counts '40 dollars' by another unit than this page, which has it per day",
        ),
        (nurse, "The nurse earns 40 dollars a day at the clinic.", Verdict::Supported, ""),
        (nurse, "The nurse earns 40 dollars at the clinic.", Verdict::Supported, ""),
        (visitors, "The number of visitors decreased by 8 percent in 2002.", Verdict::Supported, ""),
        (visitors, "The number of visitors increased by 4 percent in 2001.", Verdict::Supported, ""),
        (
            "The number of visitors increased by 8 percent in 2002.",
            "The number of visitors decreased by 8 percent in 2002.",
            Verdict::Partial,
            "the claim says 'decreased'; these sentences say 'increased'",
        ),
        (
            members,
            "All members voted for the plan in May.",
            Verdict::Partial,
            "the claim says 'all'; these sentences say 'most'",
        ),
        (members, "The majority of the members voted for the plan in May.", Verdict::Supported, ""),
        (
            "All members of the board came, and most members voted for the plan in May.",
            "Most members voted for the plan in May.",
            Verdict::Supported,
            "",
        ),
        (
            "The firm had a result of 42,000 dollars in 2003.",
            "The firm had a result of -42,000 dollars in 2003.",
            Verdict::Partial,
            "'42,000 dollars' is not on this page; it says '42,000 dollars' with the other sign",
        ),
        (
            "The firm had a result of -42,000 dollars in 2003.",
            "The firm had a result of -42,000 dollars in 2003.",
            Verdict::Supported,
            "",
        ),
        (
            "The firm had a loss of 42,000 dollars in 2003.",
            "In 2003 the firm had a loss of -42,000 dollars.",
            Verdict::Supported,
            "",
        ),
    ] {
        let found = judge(&Statement::new(claim), &Page::new(page));
        let first = found.findings.first().map(|finding| finding.reason.as_str()).unwrap_or_default();
        assert_eq!((found.verdict, first), (verdict, reason), "{claim}\n{found:#?}");
    }
}

/// How dates are written in other languages, and which ways of writing leave two readings.
#[test]
fn dates_of_many_languages() {
    for (text, expected) in [
        ("on 3 March 1987 and on March 4, 1987", "3-3-1987 4-3-1987"),
        ("am 12. März 1987, im Mai 1987", "12-3-1987"),
        ("le 1er août 1987", "1-8-1987"),
        ("el 12 de marzo de 1987", "12-3-1987"),
        ("op 12 april 1987", "12-4-1987"),
        ("1987-03-12T10:00", "12-3-1987"),
        ("12.03.1987", "12-3-1987"),
        ("they may 12 times march on Mars 2020", ""),
        ("version 1.2.3, 40.50.1987, 03/12/1987", ""),
    ] {
        let found: Vec<String> = dates::dates(text, &tokens::tokens(text))
            .iter()
            .map(|date| format!("{}-{}-{}", date.day.unwrap_or_default(), date.month, date.year.unwrap_or_default()))
            .collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

/// How numbers are written in other languages: a page has every reading, a claim the usual one.
#[test]
fn figures_of_many_languages() {
    for (text, claimed, on_page) in [
        ("42,000 people", "42000", "42000 42"),
        ("42.000 Einwohner", "42", "42 42000"),
        ("42 000 habitants", "42000", "42000"),
        ("42\u{a0}195 habitants", "42195", "42195"),
        ("1\u{202f}234\u{202f}567 kr", "1234567", "1234567"),
        ("42'000 Franken", "42000", "42000"),
        ("42 195 metres", "42 195", "42 42195 195"),
        ("1.234.567 Euro", "1234567", "1234567"),
        ("3.5 and 1,25", "3.5 1.25", "3.5 1.25"),
        ("it was -42,000 or −5, from 10 -15", "-42000 -5 10 15", "-42000 -42 -5 10 15"),
    ] {
        let tokens = tokens::tokens(text);
        let values = |figures: Vec<figures::Figure>| {
            figures.iter().map(|figure| figure.value.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(values(figures::figures(text, &tokens)), claimed, "{text}");
        assert_eq!(values(figures::all_readings(text, &tokens)), on_page, "{text}");
    }
}

/// A claim is not faulted for a date or a figure that the page writes otherwise.
#[test]
fn dates_and_figures_are_found_in_other_spellings() {
    let french = "Le 12 mars 1987, la ville comptait 42 000 habitants et une école de musique au bord du lac.";
    let german = "Am 12. März 1987 hatte die Stadt 42.000 Einwohner und eine Schule für Musik am Ufer des Sees.";
    let dotted = "The school opened its doors on 12.03.1987 with 42 pupils.";
    for (page, claim, is_wrong) in [
        (german, "Am 12. März 1987 hatte die Stadt 42.000 Einwohner und eine Schule für Musik.", false),
        (german, "Am 12. März 1987 hatte die Stadt 42 000 Einwohner und eine Schule für Musik.", false),
        (german, "Am 13. März 1987 hatte die Stadt 42.000 Einwohner und eine Schule für Musik.", true),
        (german, "On 12 March 1987 the town had 42,000 inhabitants and a school of music by the lake.", false),
        (german, "On 12 March 1987 the town had 43,000 inhabitants and a school of music by the lake.", true),
        (french, "On 12 March 1987 the town had 42,000 inhabitants and a school of music by the lake.", false),
        (dotted, "The school opened its doors on 12 March 1987 with 42 pupils.", false),
        (dotted, "The school opened its doors on 13 March 1987 with 42 pupils.", true),
        ("The school opened its doors on 12.03.1987.", "The school opened its doors in 1987.", false),
    ] {
        let found = judge(&Statement::new(claim), &Page::new(page));
        assert_eq!(found.findings.iter().any(|finding| finding.nowhere), is_wrong, "{claim}\n{found:#?}");
    }
}

#[test]
fn each_check_has_a_name_of_its_own() {
    let mut names = Check::ALL.map(Check::name).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Check::ALL.len());
}

#[test]
fn the_span_is_where_the_words_are() {
    let span = judged("The museum says that her bell hangs in the hall to this day.").span.unwrap();
    let text = PAGE.get(span.start as usize..span.end as usize).unwrap();
    assert!(text.contains("her bell hangs in the hall"), "{text}");
    assert_eq!(judged("Penguins on ice").span, None);
    assert_eq!(judge(&Statement::new("Anything at all"), &Page::new("")).verdict, Verdict::Unsupported);
}

/// A sentence that cites two pages is judged by both together.
#[test]
fn two_pages_bear_out_what_neither_does_alone() {
    let claim = Statement::new("The Meridian Lark was built in Gdynia in 1898 and was broken up in Oaxaca in 1927.");
    let [built, broken] =
        ["The Meridian Lark was built in Gdynia in 1898.", "In 1927 the Meridian Lark was broken up in Oaxaca."]
            .map(Page::new);
    assert_ne!(judge(&claim, &built).verdict, Verdict::Supported);
    assert_ne!(judge(&claim, &broken).verdict, Verdict::Supported);
    assert_eq!(judge_together(&claim, &[&built, &broken]).unwrap().verdict, Verdict::Supported);
    assert!(judge_together(&claim, &[]).is_none());
}

#[test]
fn another_page_has_another_figure() {
    let claim = Statement::new("The crew of nine men sailed north in the summer.");
    let other = Page::new("The crew of eleven men sailed north in the summer of that year.");
    assert_eq!(differs(&claim, &other), Some(Differs { said: "nine".to_owned(), found: "eleven".to_owned() }));
    assert_eq!(differs(&claim, &Page::new("Nine men were the crew.")), None);
}

#[test]
fn a_page_in_another_language_is_partial_with_that_reason() {
    let page = Page::new(
        "Das Schiff wurde im Jahr 1898 in Gdynia gebaut und fuhr mit einer Mannschaft von neun Männern nach Norden, bevor es abgewrackt wurde.",
    );
    let claim = |year: &str| {
        Statement::new(&format!(
            "The ship was built in {year} and sailed north with her whole crew before she was broken up at the end."
        ))
    };
    let found = judge(&claim("1898"), &page);
    assert_eq!((found.verdict, found.findings[0].check), (Verdict::Partial, Check::Language));
    assert_eq!(judge(&claim("1901"), &page).verdict, Verdict::Unsupported);
}

proptest! {
    /// Nothing that a report or a page holds breaks the judge; a score is a share and a span is a piece of the page.
    #[test]
    fn any_claim_is_judged(page in "\\PC{0,300}", claim in "(\\PC|[A-Z][a-z]{2,6} |[0-9]{1,4}[,.%$km -]| not |\"|'|’|“|”|March ){0,40}") {
        let page = Page::new(&page);
        let found = judge(&Statement::new(&claim), &page);
        prop_assert!((0.0..=1.0).contains(&found.score));
        if let Some(span) = found.span {
            prop_assert!(page.text.get(span.start as usize..span.end as usize).is_some());
        }
        judge_together(&Statement::new(&claim), &[&page, &page]);
        differs(&Statement::new(&claim), &page);
    }

    /// A sentence of a page is supported by the page, and a verdict does not depend on how often it is asked for.
    #[test]
    fn a_page_supports_itself(words in prop::collection::vec("[a-z]{3,9}", 5..20)) {
        let page = Page::new(&format!("Before it came the rain. {}. After it came the sun.", words.join(" ")));
        let claim = Statement::new(&words.join(" "));
        prop_assert_eq!(judge(&claim, &page).verdict, Verdict::Supported);
        prop_assert_eq!(judge(&claim, &page).score.to_bits(), judge(&claim, &page).score.to_bits());
    }
}
