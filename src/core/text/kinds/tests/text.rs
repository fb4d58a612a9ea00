//! Kinds of text: mail, notebooks, tables, markup, and what tells them apart.

use expect_test::{Expect, expect};

use super::shown;
use crate::core::text::format::opened;
use crate::core::text::{Format, extract};

fn check(format: Format, text: &str, expected: &Expect) {
    expected.assert_eq(&shown(&extract(format, text.as_bytes().to_vec()).unwrap()));
}

#[test]
fn a_mail_is_read_in_its_plain_form() {
    let mail = "From: =?utf-8?Q?Ren=C3=A9?= <r@x>\nTo: b@x\nSubject: =?utf-8?B?VGlkZXM=?=\n =?utf-8?B?IHRhYmxl?=\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\
        Content-Type: multipart/mixed; boundary=\"out\"\n\n--out\nContent-Type: multipart/alternative; boundary=in\n\n--in\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nThe caf=E9 opens at=\n nine.\n--in\nContent-Type: text/html\n\n<p>HTML form</p>\n--in--\n\
        --out\nContent-Type: application/pdf; name=table.pdf\nContent-Disposition: attachment; filename=\"table.pdf\"\n\nJVBERi0=\n--out--\n";
    check(
        Format::Mail,
        mail,
        &expect![[r#"
            title: Tides table
            [message 1] Tides table > René, 1 Jan 2024
                From: René <r@x>
                To: b@x
                Date: Mon, 1 Jan 2024 10:00:00 +0000

                The café opens at nine.

                Attached: table.pdf
        "#]],
    );
    let html = "Subject: Page\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\nPGgxPk9uZTwvaDE+PHA+VHdvPC9wPg==\n";
    check(
        Format::Mail,
        html,
        &expect![[r#"
            title: Page
            [message 1] Page > One
                Two
        "#]],
    );
}

/// The plain form of a mail is read where it says what the page says; a note that there is a page does not.
#[test]
fn a_mail_whose_plain_form_says_nothing_is_read_as_a_page() {
    let page = "<p>Fjell tents cost 89 euros until 20 January, see <a href=\"https://x.example/all/of/these/words\">here</a>.</p>";
    let note = "Your mail program cannot show HTML. View it in a browser: http://x.example/1";
    let same = "Fjell tents cost 89 euros until 20 January.\nhttps://x.example/1";
    for (plain, has_plain, has_page) in
        [("\n\n", false, true), ("See below.", false, true), (note, true, true), (same, true, false)]
    {
        for is_nested in [false, true] {
            let html = format!("Content-Type: text/html; charset=utf-8\n\n{page}\n");
            let rich = if is_nested {
                format!(
                    "Content-Type: multipart/related; boundary=r\n\n--r\n{html}--r\nContent-Type: image/png\n\nx\n--r--\n"
                )
            } else {
                html
            };
            let mail = format!(
                "Subject: News\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n{plain}\n--b\n{rich}--b--\n"
            );
            let text = extract(Format::Mail, mail.into_bytes()).unwrap().text;
            let first = plain.lines().next().unwrap_or_default();
            assert_eq!(!first.is_empty() && text.contains(first), has_plain, "{plain}: {text}");
            assert_eq!(text.contains("see here"), has_page, "{plain}: {text}");
        }
    }
}

#[test]
fn names_of_attachments_are_read_in_every_form() {
    let mail = "Subject: Offer\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the offer.\n\
        --b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''Dachst%C3%BChle.pdf\n\nx\n\
        --b\nContent-Type: application/pdf\nContent-Disposition: attachment;\n filename*0*=us-ascii''A%20long;\n filename*1*=%20name.pdf\n\nx\n--b--\n";
    let text = extract(Format::Mail, mail.as_bytes().to_vec()).unwrap().text;
    assert!(text.contains("Attached: Dachstühle.pdf, A long name.pdf"), "{text}");
}

#[test]
fn a_box_of_mail_counts_its_messages() {
    let mailbox = "From a@x Mon Jan  1 10:00:00 2024\nSubject: First\n\nOne.\n\n>From here on.\n\nFrom b@x Mon Jan  1 11:00:00 2024\nSubject: Second\n\nTwo.\n";
    let (format, bytes) = opened("inbox", mailbox.as_bytes().to_vec()).unwrap();
    assert_eq!(format, Format::Mailbox);
    expect![[r#"
        title: -
        [message 1] First
            One.
    
            From here on.
        [message 2] Second
            Two.
    "#]]
    .assert_eq(&shown(&extract(format, bytes).unwrap()));
}

/// A paragraph that begins with `From` is no message; a line without a date is one where headers follow it.
#[test]
fn a_paragraph_does_not_begin_a_message() {
    let mailbox = "From a@x Mon Jan  1 00:00:00 2024\nSubject: Deadline\n\nDear Bob,\n\nFrom Monday on the reactor is closed.\nThe key is here.\n\nFrom b@x\nReceived: by x\nSubject: Thanks\n\nTwo.\n";
    expect![[r#"
        title: -
        [message 1] Deadline
            Dear Bob,
    
            From Monday on the reactor is closed.
            The key is here.
        [message 2] Thanks
            Two.
    "#]]
    .assert_eq(&shown(&extract(Format::Mailbox, mailbox.as_bytes().to_vec()).unwrap()));
}

#[test]
fn a_notebook_counts_its_cells() {
    let notebook = r##"{"metadata":{"kernelspec":{"language":"python"}},"cells":[
        {"cell_type":"markdown","source":["# Tides\n","\n","About the sea."]},
        {"cell_type":"code","source":"print(6 * 7)","outputs":[{"output_type":"stream","text":["42\n"]},{"data":{"image/png":"AAAA"}}]}]}"##;
    check(
        Format::Notebook,
        notebook,
        &expect![[r#"
            title: Tides
            [cells 1–2] Tides
                About the sea.
    
                ```python
                print(6 * 7)
                ```
    
                ```
                42
                ```
        "#]],
    );
}

/// LB-01: notebooks of before 2015, whose cells stand in a worksheet.
#[test]
fn lb_01_old_notebooks_are_read() {
    let notebook = r##"{"nbformat":3,"metadata":{"name":""},"worksheets":[{"cells":[
        {"cell_type":"heading","level":2,"source":["Tides"]},
        {"cell_type":"code","language":"python","input":["print(6 * 7)"],"outputs":[{"output_type":"stream","text":["42\n"]}]}]}]}"##;
    check(
        Format::Notebook,
        notebook,
        &expect![[r#"
            title: Tides
            [cell 2] Tides
                ```
                print(6 * 7)
                ```

                ```
                42
                ```
        "#]],
    );
}

/// LB-01: text behind a command that sets something up is read.
#[test]
fn lb_01_text_behind_commands_of_tex_is_read() {
    let page = "\\documentclass[a4paper]{article}% draft\n\\begin{document}The pump draws 41 kW.\n\\label{sec:a}\n\\newcommand{\\x}[1]{(#1)}\n\\maketitle\n\nIt runs.\n\\end{document}\n";
    let text = extract(Format::Tex, page.as_bytes().to_vec()).unwrap();
    let said: Vec<&str> = text.passages.iter().map(|piece| text.passage_text(piece)).collect();
    assert!(said[0].starts_with("\\begin{document}The pump draws 41 kW."), "{said:?}");
    assert!(said.iter().all(|said| !said.contains("documentclass")), "{said:?}");
}

#[test]
fn values_in_rows_have_their_lines() {
    check(
        Format::Csv,
        "port;range\nBrest;\"6\nmetres\"\n\"Le \"\"Havre\"\"\";7\n",
        &expect![[r#"
            title: -
            [lines 1–4]
                | port | range |
                | --- | --- |
                | Brest | 6 metres |
                | Le "Havre" | 7 |
        "#]],
    );
}

/// Settings of a few lines are one passage, unless their sections are records of one kind.
#[test]
fn lb_01_short_settings_are_one_passage() {
    check(
        Format::Settings,
        "[Unit]\nDescription=Nightly backup\n\n[Timer]\nOnCalendar=01:40\n",
        &expect![[r#"
            title: -
            [lines 1–5]
                [Unit]
                Description=Nightly backup

                [Timer]
                OnCalendar=01:40
        "#]],
    );
    check(
        Format::Settings,
        "[web]\nport = 80\n\n[mail]\nport = 25\n",
        &expect![[r#"
            title: -
            [lines 1–2] web
                [web]
                port = 80
            [lines 4–5] mail
                [mail]
                port = 25
        "#]],
    );
}

#[test]
fn markup_and_data_keep_their_sections() {
    check(
        Format::Org,
        "#+TITLE: Tides\n* TODO Springs :sea:\n:PROPERTIES:\n:ID: 1\n:END:\nTwice a month.\n#+BEGIN_SRC sh\n* not a heading\n#+END_SRC\n",
        &expect![[r#"
            title: Tides
            [lines 6–9] Springs
                Twice a month.
                #+BEGIN_SRC sh
                * not a heading
                #+END_SRC
        "#]],
    );
    check(
        Format::AsciiDoc,
        "= Tides\n:toc:\n\n== Springs\n\nTwice a month.\n\n----\n== not a heading\n----\n",
        &expect![[r#"
            title: Tides
            [lines 6–10] Tides > Springs
                Twice a month.
    
                ----
                == not a heading
                ----
        "#]],
    );
    check(
        Format::Tex,
        "\\documentclass{article}\n\\title{On {\\em tides}}\n\\begin{document}\n\\section[S]{Springs}\nTwice a month. % why\n\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n",
        &expect![[r#"
            title: On {\em tides}
            [lines 5–8] Springs
                Twice a month. % why
                \begin{verbatim}
                \section{no}
                \end{verbatim}
        "#]],
    );
    check(
        Format::Settings,
        "# top\n[server]\nport = 80\n\n[[log]]\nlevel = 1\n",
        &expect![[r#"
            title: -
            [lines 1–3] server
                # top
                [server]
                port = 80
            [lines 5–6] log
                [[log]]
                level = 1
        "#]],
    );
    check(
        Format::Json,
        "{\n  \"name\": \"tides\",\n  \"scripts\": {\n    \"run\": \"x\"\n  }\n}\n",
        &expect![[r#"
            title: -
            [lines 1–6]
                {
                  "name": "tides",
                  "scripts": {
                    "run": "x"
                  }
                }
        "#]],
    );
}

#[test]
fn the_title_of_a_text_is_what_stands_at_its_beginning() {
    let cases = [
        ("Tides\n*****\n\nText.\n", Some("Tides")),
        (".. _tides:\n\n:author: me\n\nTides\n=====\n\nText.\n", Some("Tides")),
        ("How to sail\n\nThe sea is wide.\n\nSection\n=======\n\nText.\n", Some("How to sail")),
        ("$ ls -la\n--------\n\nfiles\n", None),
        ("user@host:~$ make\n-----------------\n\nyes\n", None),
        ("A sentence that ends.\n\nMore of it.\n", None),
        ("12 | 13\n-------\n\nnumbers\n", None),
        ("A rather long line of a message\n---\n\nText.\n", None),
    ];
    for (text, expected) in cases {
        let document = extract(Format::Plain, text.as_bytes().to_vec()).unwrap();
        assert_eq!(document.title.as_deref(), expected, "{text}");
    }
}

/// LB-01: a message that is forwarded whole is read below the one that forwards it.
#[test]
fn lb_01_forwarded_messages_are_read() {
    let inner = "Subject: Roof\nFrom: ann@x\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nThe roof leaks.\n--i\nContent-Disposition: attachment; filename=roof.pdf\n\nx\n--i--\n";
    let mail = format!(
        "Subject: Fwd\nFrom: bob@x\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822; name=roof.eml\nContent-Disposition: attachment\n\n{inner}--o\n\nSee what Ann wrote.\n--o--\n"
    );
    check(
        Format::Mail,
        &mail,
        &expect![[r#"
            title: Fwd
            [message 1] Fwd > bob@x
                From: bob@x

                See what Ann wrote.
            [message 1] Fwd > bob@x > Roof > ann@x
                From: ann@x

                The roof leaks.

                Attached: roof.pdf
        "#]],
    );
}

/// LB-01: what a digest has in it are messages, though it does not say so.
#[test]
fn lb_01_digests_are_messages() {
    let digest = "Subject: Digest\nFrom: list@x\nContent-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: Roof\nFrom: ann@x\nDate: 1 Jan 24\n\nThe roof leaks.\n--d\n\nSubject: Keys\nFrom: bob@x\n\nThe keys are here.\n--d--\n";
    check(
        Format::Mail,
        digest,
        &expect![[r#"
        title: Digest
        [message 1] Digest > list@x
            From: list@x
        [message 1] Digest > list@x > Roof > ann@x, 1 Jan 24
            From: ann@x
            Date: 1 Jan 24

            The roof leaks.
        [message 1] Digest > list@x > Keys > bob@x
            From: bob@x

            The keys are here.
    "#]],
    );
}

/// LB-01: the sender and the day of a message, in the forms that programs write.
#[test]
fn lb_01_senders_and_days_are_read_in_many_forms() {
    for (from, date, expected) in [
        ("Ann Lee <ann@x>", "Mon, 13 May 2024 11:05:10 +0100", "Ann Lee, 13 May 2024"),
        ("\"Lee, Ann\" <ann@x>", "9 Mar 26 10:00 GMT", "Lee, Ann, 9 Mar 26"),
        ("ann@x", "2026-03-09T10:00:00Z", "ann@x, 2026-03-09"),
        ("<ann@x>", "yesterday", "ann@x"),
        ("=?utf-8?Q?Ren=C3=A9?= <r@x>", "", "René"),
        // Cut inside of a character, and in two charsets.
        ("=?utf-8?B?SsM=?= =?UTF-8?B?vHJnZW4=?= <j@x>", "", "Jürgen"),
        ("=?utf-8?Q?J=C3=BCrgen?= =?iso-8859-1?Q?_B=E4r?= =?x <j@x>", "", "Jürgen Bär =?x"),
    ] {
        let mail = format!("Subject: S\nFrom: {from}\nDate: {date}\n\nText.\n");
        let document = extract(Format::Mail, mail.into_bytes()).unwrap();
        assert_eq!(document.passages[0].headings.last().unwrap(), expected);
    }
}

/// LB-01: what is quoted in a message is cited by whoever wrote it.
#[test]
fn lb_01_quoted_messages_are_cited_by_their_writers() {
    let points = "word ".repeat(60);
    let mail = format!(
        "Subject: Re: Letter\nFrom: Jon\n\nA pity.\n\nOn 2 March 2026, Marta wrote:\n> {points}\n>\n> I resign as treasurer.\n\nWe will miss you.\n"
    );
    check(
        Format::Mail,
        &mail,
        &expect![[r#"
        title: Re: Letter
        [message 1] Re: Letter > Jon
            From: Jon

            A pity.

            On 2 March 2026, Marta wrote:
        [message 1] Re: Letter > On 2 March 2026, Marta wrote
            > word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word

            > I resign as treasurer.
        [message 1] Re: Letter > Jon
            We will miss you.
    "#]],
    );
    let deleted = "From - Wed Mar 11 10:00:00 2026\nX-Mozilla-Status: 0009\nSubject: Old\n\nThe code is 1.\n\nFrom - Wed Mar 11 10:00:00 2026\nX-Mozilla-Status: 0001\nSubject: New\n\nThe code is 2.\n";
    let document = extract(Format::Mailbox, deleted.as_bytes().to_vec()).unwrap();
    let places: Vec<String> = document.passages.iter().map(|piece| piece.lines.to_string()).collect();
    assert_eq!((places, document.text.contains("is 1")), (vec!["message 2".to_owned()], false));
    // What stands below the end of base64 is no part of it.
    let mail = "Subject: S\nContent-Transfer-Encoding: base64\n\nVGhlIHRpZGUu\nVGhlIHRpZGU=\n_____\nList footer\n";
    assert!(extract(Format::Mail, mail.as_bytes().to_vec()).unwrap().text.ends_with("The tide.The tide"));
}

/// LB-01: Apple Mail writes before a message how long it is, and behind it what it knows of it.
#[test]
fn lb_01_messages_of_apple_mail_end_where_they_say() {
    let message = "Subject: Roof\nFrom: ann@x\n\nThe roof leaks.\n";
    let file = format!("{}        \n{message}<?xml version=\"1.0\"?><plist>flags</plist>\n", message.len());
    let text = |file: &str| extract(Format::Mail, file.as_bytes().to_vec()).unwrap().text;
    assert_eq!(text(&file), text(message));
    // One that was cut off is read as far as it goes.
    assert_eq!(text(&format!("999999999\n{message}")), text(message));
}

/// LB-01: what is left out of a message is told.
#[test]
fn lb_01_parts_of_mail_that_are_left_out_are_told() {
    use crate::core::text::LeftOut;
    let nested = |depth: usize| {
        let open = |level: usize| format!("Content-Type: multipart/mixed; boundary=b{level}x\n\n--b{level}x\n");
        (0..depth).map(open).collect::<String>() + "Content-Type: text/plain\n\nThe sacristan is Ann.\n"
    };
    let many = |parts: usize| {
        let part = |number: usize| format!("--b\nContent-Type: text/plain\n\nPart {number}.\n");
        format!("Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n", (0..parts).map(part).collect::<String>())
    };
    let forwarded = |depth: usize| "Content-Type: message/rfc822\n\nSubject: y\n".repeat(depth) + "\nThe end.\n";
    for (mail, is_cut) in [
        (nested(8), false),
        (nested(9), true),
        (many(200), false),
        (many(201), true),
        (forwarded(8), false),
        (forwarded(9), true),
    ] {
        let document = extract(Format::Mail, format!("Subject: x\n{mail}").into_bytes()).unwrap();
        assert_eq!(document.left_out.contains(&LeftOut::MailParts), is_cut, "{:?}", document.left_out);
    }
}

/// LB-01: what an entry of a log says on more than one line stays with it.
#[test]
fn lb_01_a_trace_stays_with_its_entry() {
    let entry = |at: usize| {
        format!(
            "2026-03-14T14:{:02}:03Z ERROR [billing] exception {at}\nTraceback:\n  File \"close.py\", line 212\nTypeError: of {at}\n",
            at % 60
        )
    };
    let log: String = (0..90).map(entry).collect();
    let document = extract(Format::Log, log.into_bytes()).unwrap();
    assert!(document.passages.len() > 4);
    for piece in &document.passages {
        let text = document.passage_text(piece);
        assert!(
            text.starts_with("2026-03-14T14:") && text.lines().next_back().unwrap().starts_with("TypeError"),
            "{text}"
        );
    }
}

/// LB-01: a sentence above a table is one of its own, also with a note at its end.
#[test]
fn lb_01_sentences_above_tables_stand_alone() {
    let org = "The yard has 212 cars.[fn:1]\n| Crop | Harvest |\n|---+---|\n| Skirret | October |\n\n[fn:1] Built.\n";
    let adoc = "The yard has 212 cars.footnote:[Built.]\n|===\n|Crop |Harvest\n\n|Skirret\n|October\n|===\n";
    let says = "The yard has 212 cars.";
    for (format, text, sentences) in [
        (Format::Org, org, &[says, "[1: Built.]"][..]),
        (Format::AsciiDoc, adoc, &["The yard has 212 cars.footnote:[Built.]"]),
    ] {
        let document = extract(format, text.as_bytes().to_vec()).unwrap();
        assert!(document.text.contains("| Skirret | October |"), "{}", document.text);
        let above = document.text.split("| Crop").next().unwrap();
        let found: Vec<&str> =
            crate::core::language::sentences(above).into_iter().filter_map(|span| above.get(span)).collect();
        assert_eq!(found, sentences);
        // It says something, and does not only lead to what stands below it.
        assert!(!crate::core::text::leads(above.trim(), 7), "{above}");
    }
}
