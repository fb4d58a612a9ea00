use super::*;
use crate::core::text::{Format, extract};

fn page(name: &str, markdown: &str) -> (PageFacts, Document) {
    let facts = PageFacts {
        location: format!("https://{name}.test/"),
        asked: None,
        title: name.to_owned(),
        hash: PageHash(name.to_owned()),
        date: None,
        author: None,
    };
    (facts, extract(Format::Markdown, markdown.as_bytes().to_vec()).unwrap())
}

const ROOM: ShownRoom = ShownRoom { all: 6_000, per_page: 3_000 };

/// ST-01: a small page is shown whole, also what has no word of the question.
#[test]
fn a_small_page_is_shown_whole() {
    let text = "# Sea\n\nThe sea is deep.\n\n## Ships\n\nNo word of it here.\n";
    let shown = choose("How deep is the sea?", vec![page("a", text)], &[], ROOM);
    let texts: Vec<&str> = shown[0].excerpts.iter().map(|excerpt| excerpt.text.trim()).collect();
    assert_eq!((texts, shown[0].more), (vec!["The sea is deep.", "No word of it here."], false));
    assert_eq!(shown[0].excerpts[1].headings, ["Sea", "Ships"]);
}

/// ST-01: of a large page the passages that speak of the question, with their neighbours, in the order of the page; and what
/// was seen is not shown twice.
#[test]
fn a_large_page_is_read_on_where_it_was_left() {
    let filler = |n: usize| format!("Paragraph {n} speaks of nothing. ").repeat(40);
    let mut text = String::from("# Long\n\n");
    for n in 0..20 {
        text.push_str(&format!("## Part {n}\n\n{}\n\n", filler(n)));
        if [3, 7, 11, 15, 18].contains(&n) {
            text.push_str("The trench is eleven kilometres deep.\n\n");
        }
    }
    let one = choose("How deep is the trench?", vec![page("a", &text)], &[], ROOM);
    let held: String = one[0].excerpts.iter().map(|excerpt| excerpt.text.as_str()).collect();
    assert!(held.matches("The trench is eleven").count() >= 2, "{held}");
    assert!(one[0].more && held.len() <= ROOM.all, "{}", held.len());
    let starts: Vec<u64> = one[0].excerpts.iter().map(|excerpt| excerpt.span.start).collect();
    assert!(starts.is_sorted());
    let seen: Vec<SeenPart> =
        one[0].excerpts.iter().map(|excerpt| SeenPart { hash: PageHash("a".into()), span: excerpt.span }).collect();
    let two = choose("How deep is the trench?", vec![page("a", &text)], &seen, ROOM);
    assert!(two[0].excerpts.iter().any(|excerpt| excerpt.text.contains("eleven")));
    assert!(two[0].excerpts.iter().all(|excerpt| !starts.contains(&excerpt.span.start)));
}

/// ST-02: of a page's links, those whose words speak of the question are kept, each address once.
#[test]
fn links_that_speak_of_the_question_are_kept() {
    let link = |url: &str, text: &str| PageLink { url: url.into(), text: text.into() };
    let links = [
        link("https://a.test/about", "About us"),
        link("https://a.test/depth", "The depth of trenches"),
        link("https://a.test/trench", "Every trench and its depth in the sea"),
        link("https://a.test/depth", "Depth"),
        link("mailto:a@a.test", "depth"),
    ];
    let kept: Vec<String> =
        telling_links("How is the depth of a sea trench measured?", links).into_iter().map(|link| link.url).collect();
    assert_eq!(kept, ["https://a.test/trench", "https://a.test/depth"]);
}

/// ST-01: a list of contents is no text; a list of facts is.
#[test]
fn contents_are_left_out() {
    let contents: String = ('a'..='p').map(|c| format!("- Chapter {c} on things\n")).collect();
    assert!(is_navigation(&contents));
    let facts: String = (1..20).map(|n| format!("- Ship {n} carries {n} boats\n")).collect();
    assert!(!is_navigation(&facts));
    let shown =
        choose("x", vec![page("a", &format!("# A\n\n{contents}\n\n## B\n\nA sentence stands here."))], &[], ROOM);
    assert!(shown[0].excerpts.iter().all(|excerpt| !excerpt.text.contains("Chapter")), "{shown:#?}");
}

/// ST-01: an outline that its site sets in a few long lines is one of contents as well; a list of releases is not.
#[test]
fn an_outline_on_few_lines_is_left_out() {
    let outline: String = (1..12).map(|n| format!("12.1.{n}. Replacing a Part ")).collect();
    assert!(is_navigation(&outline));
    assert!(is_navigation("A.1. Census A.2. Ubuntu A.3. Mint A.4. Knoppix A.5. Grml A.6. Tails A.7. Kali A.8. Devuan"));
    let releases: String = (1..12).rev().map(|n| format!("In 3.{n}. it was mended. ")).collect();
    assert!(!is_navigation(&releases));
    let measured: String =
        (1..12).map(|n| format!("The trench of survey {n} was 10.{n} km deep, as sonar showed. ")).collect();
    assert!(!is_navigation(&measured));
}

/// ST-01: a list of a page's links is no text of it, whatever figures its labels have.
#[test]
fn lists_of_links_are_left_out() {
    let labels: Vec<String> = (1..20).map(|n| format!("PEP {n}: what {n} brings")).collect();
    let list: String = labels.iter().map(|label| format!("- {label}\n")).collect();
    let (_, mut document) = page("a", &format!("# A\n\nThe sea is deep.\n\n## B\n\n{list}"));
    let links: Vec<PageLink> =
        labels.iter().map(|label| PageLink { url: "https://a.test/x".into(), text: label.clone() }).collect();
    without_link_lists(&mut document, &[]);
    assert!(document.passages.iter().any(|piece| document.passage_text(piece).contains("PEP 7")));
    without_link_lists(&mut document, &links);
    let left: Vec<&str> = document.passages.iter().map(|piece| document.passage_text(piece).trim()).collect();
    assert_eq!(left, ["The sea is deep."]);
}

/// ST-01: a sentence that announces a command is not shown without it.
#[test]
fn what_is_announced_comes_along() {
    let filler = |n: usize| format!("Paragraph {n} speaks of nothing. ").repeat(16);
    let code = "mdadm --add sdf ".repeat(33);
    let mut text = format!("# Long\n\n{}\n\n", "The failed disk is replaced. ".repeat(16));
    text.push_str(&format!("## More\n\n{}\n\n## Even more\n\n{}\n\n", filler(1), filler(2)));
    text.push_str(&format!("## State\n\n{}{}The array shows:\n\n```\n{code}\n```\n\n", filler(3), filler(4)));
    (5..30).for_each(|n| text.push_str(&format!("## Part {n}\n\n{}\n\n", filler(n))));
    let shown = choose("How is a failed disk of the array replaced?", vec![page("a", &text)], &[], ROOM);
    let held: String = shown[0].excerpts.iter().map(|excerpt| excerpt.text.as_str()).collect();
    assert!(held.contains("The array shows:") && held.contains("--add sdf"), "{held}");
    assert!(!held.contains("Paragraph 9"), "{held}");
}

/// ST-01: a page that is read alone may use the room of those that are not there.
#[test]
fn room_that_nobody_takes_is_used() {
    let text: String = (0..40).map(|n| format!("## Part {n}\n\n{}\n\n", "The sea is deep here. ".repeat(20))).collect();
    let shown = choose("How deep is the sea?", vec![page("a", &text)], &[], ROOM);
    let held: usize = shown[0].excerpts.iter().map(|excerpt| excerpt.text.len()).sum();
    assert!(held > ROOM.per_page && held <= ROOM.all, "{held}");
}

/// ST-01: the room is shared; no page takes more than its part.
#[test]
fn the_room_is_kept() {
    let long = "Depth of the sea is a matter of measuring it well. ".repeat(400);
    let pages = (0..5).map(|n| page(&format!("p{n}"), &format!("# {n}\n\n{long}"))).collect();
    let shown = choose("depth of the sea", pages, &[], ROOM);
    let sizes: Vec<usize> =
        shown.iter().map(|page| page.excerpts.iter().map(|excerpt| excerpt.text.len()).sum()).collect();
    assert!(sizes.iter().sum::<usize>() <= ROOM.all && sizes.iter().all(|size| *size <= ROOM.per_page), "{sizes:?}");
    assert!(shown.len() >= 2);
}

/// EM-01: a part of an excerpt has its own lines, also where two passages are shown as one and the text is not the file's.
#[test]
fn em_01_parts_of_excerpts_have_their_own_lines() {
    let filler = "Water and stone and wind. ".repeat(30);
    let html = format!(
        "<h1>Sea</h1>\n\n\n<p>{filler}</p>\n\n\n<p>{filler}</p>\n<p>The trench is deep.</p>\n<p>{filler}</p>\n<p>It is cold.</p>"
    );
    let document = extract(Format::Html, html.into_bytes()).unwrap();
    assert!(document.passages.len() > 1);
    let (facts, _) = page("a", "x");
    let shown =
        choose("How deep is the trench?", vec![(facts, document)], &[], ShownRoom { all: 9_000, per_page: 9_000 });
    let [excerpt] = &shown[0].excerpts[..] else { panic!("{shown:#?}") };
    for (part, line) in [("The trench is deep.", 8), ("It is cold.", 10)] {
        let at = excerpt.text.find(part).unwrap();
        assert_eq!(excerpt.lines_of(&(at..at + part.len())), PlaceInFile::lines(line, line), "{part}");
    }
}
