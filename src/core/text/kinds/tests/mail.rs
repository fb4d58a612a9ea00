//! Who says what in mail, as pages and as text.

use crate::core::text::{Format, extract};

/// The passages of a mail by Olga that is a page: what stands above each, and its text.
fn passages_of(page: &str) -> Vec<(String, String)> {
    let head = "From: Olga Outer <o@x>\nDate: Tue, 10 Mar 2026 09:00:00 +0000\nSubject: Roof\n";
    let mail = format!("{head}Content-Type: text/html; charset=utf-8\n\n<html><body>{page}</body></html>\n");
    let document = extract(Format::Mail, mail.into_bytes()).unwrap();
    let of = |passage| document.passage_text(passage).to_owned();
    document.passages.iter().map(|passage| (passage.headings.join(" › "), of(passage))).collect()
}

/// LB-01: a text whose lines were cut to be sent is whole again; another one keeps its lines.
#[test]
fn lb_01_lines_that_were_cut_to_be_sent_are_whole() {
    let read = |told: &str, body: &str| {
        let mail = format!("From: Lia <l@x>\nSubject: Gauge\nContent-Type: text/plain; charset=utf-8{told}\n\n{body}");
        let document = extract(Format::Mail, mail.into_bytes()).unwrap();
        document.text.split_once("From: Lia <l@x>\n\n").map(|(_, text)| text.trim_end().to_owned()).unwrap()
    };
    let cut = "It was moved to pier 1 \n1 last \n  week.\nNew line. \n\nNext.\n-- \nLia";
    let whole = "It was moved to pier 11 last week.\nNew line.\n\nNext.\n-- \nLia";
    assert_eq!(read("; format=flowed; DelSp=Yes", cut), whole);
    assert_eq!(read("; format=\"flowed\"; delsp=\"yes\"", &cut.replace('\n', "\r\n")), whole);
    assert!(read("; format=flowed", cut).contains("pier 1 \n1 last"));
    assert!(read("; format=flowed; delsp=no", cut).contains("pier 1 \n1 last"));
}

/// LB-01: what a page quotes is not its sender's, whichever program wrote it.
#[test]
fn lb_01_what_a_page_quotes_is_by_its_writer() {
    let long = "word ".repeat(60);
    let outlook = format!(
        "<p>Fine with me.</p><div style='border-top:solid'><p><b>From:</b> Ann Lee &lt;a@x&gt;<br><b>Sent:</b> Monday, 9 March 2026 10:00<br>\
         <b>To:</b> Olga<br><b>Subject:</b> Roof</p></div><p>The roof costs 7,900. {long}</p>"
    );
    let gmail = format!(
        "<div>Fine with me.</div><div class='gmail_quote'><div class='gmail_attr'>On Mon, 9 Mar 2026 at 10:00, Ann Lee &lt;<a href='mailto:a@x'>a@x</a>&gt; wrote:<br></div>\
         <blockquote class='gmail_quote'><div>The roof costs 7,900.</div><ul><li>{long}</li></ul></blockquote></div><div>Bye, the tiles are red. {long}</div>"
    );
    let apple = format!(
        "Fine with me.<div><br><blockquote type='cite'><div>On 9 Mar 2026, at 10:00, Ann Lee wrote:</div><br>\
         <div>The roof costs 7,900. {long}</div></blockquote></div>"
    );
    for (program, page) in [("Outlook", &outlook), ("Gmail", &gmail), ("Apple Mail", &apple)] {
        let all = passages_of(page);
        let by = |words: &str| {
            let found = all.iter().find(|(_, text)| text.contains(words));
            found.unwrap_or_else(|| panic!("{program}: {words} in {all:?}")).0.as_str()
        };
        assert!(by("Fine with me").ends_with("Olga Outer, 10 Mar 2026"), "{program}: {all:?}");
        assert!(by("costs 7,900").contains("Ann Lee") && !by("costs 7,900").contains("Olga"), "{program}: {all:?}");
    }
    let all = passages_of(&gmail);
    let (by, text) = all.last().unwrap();
    assert!(by.ends_with("Olga Outer, 10 Mar 2026") && text.contains("tiles"), "{all:?}");
}

/// Whoever is announced at great length, or for many paragraphs, takes no more room than once.
#[test]
fn whoever_speaks_is_kept_once() {
    let who = "Ann ".repeat(250_000);
    let mail = format!("From: a@x\nSubject: Long\n\nOn 2 March {who}wrote:\n{}", "> a\n>\n".repeat(100_000));
    let document = extract(Format::Mail, mail.into_bytes()).unwrap();
    assert!(document.text.len() < 4_000_000, "{}", document.text.len());
    assert!(document.passages.iter().any(|passage| passage.headings.join(" ").contains("Ann Ann")), "by Ann");
}
