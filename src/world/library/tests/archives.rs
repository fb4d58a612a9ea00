//! Archives: their files as documents of their own.

use super::kinds::{all, skipped};
use super::pdfs::reading_by;
use super::*;

/// An archive as `tar` writes it.
pub(in crate::world::library) fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, text) in files {
        let mut head = vec![0_u8; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
        head[148..157].copy_from_slice(b"        0");
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        archive.extend([head, text.as_bytes().to_vec(), vec![0; (512 - text.len() % 512) % 512]].concat());
    }
    archive.extend([0; 1024]);
    archive
}

pub(super) fn write_tar(fixture: &Fixture, files: &[(&str, &str)]) {
    fs::write(fixture.docs().join("old/notes.tar"), tar(files)).unwrap();
}

/// LB-01: the files of an archive are documents of their own, by their own names, one level deep.
#[test]
fn lb_01_files_of_archives_are_documents() {
    let fixture = Fixture::new(&[("old/a.md", "tide")]);
    let (one, two) = (("docs/one.md", "# One\n\ntide one"), ("two", "tide two"));
    write_tar(
        &fixture,
        &[
            one,
            two,
            ("pic.png", "x"),
            ("in.zip", "x"),
            (".git/c", "tide"),
            ("../out.md", "tide"),
            ("bad.txt", "tide\0"),
        ],
    );
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, counts(&refreshed).as_str()), (3, "+3 ~0 -0 =0 problems 1"));
    assert_eq!(
        skipped(&refreshed.skipped),
        [("made by tools", 1), ("named outside of its archive", 1), ("png", 1), ("zip", 1)]
    );
    assert!(
        refreshed.problems[0].error.message.contains("old/notes.tar!bad.txt` is not text"),
        "{:?}",
        refreshed.problems
    );
    assert_eq!(all(&library), ["old/a.md", "old/notes.tar!docs/one.md", "old/notes.tar!two"]);
    let found = library.search("one", &[], 10).unwrap().passages.remove(0);
    assert_eq!(found.title, "One");
    let page = PageRef { root: found.root, path: found.path, title: found.title, page: found.page };
    assert!(library.read(&page).unwrap().text.contains("tide one"));

    // Nothing is read again while the archive is as it was, and then only what changed in it.
    fixture.age("old/notes.tar", 1);
    for expected in ["+0 ~0 -0 =3 problems 1", "+0 ~0 -0 =3 problems 1"] {
        let refreshed = library.refresh(&[], NEVER).unwrap();
        assert_eq!(
            skipped(&refreshed.skipped),
            [("made by tools", 1), ("named outside of its archive", 1), ("png", 1), ("zip", 1)]
        );
        assert_eq!(counts(&Refreshed { problems: refreshed.problems[..1].to_vec(), ..refreshed }), expected);
    }
    write_tar(&fixture, &[one, ("three.md", "tide three")]);
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -1 =2");
    assert_eq!(
        library.read(&PageRef { path: "old/notes.tar!two".into(), ..page.clone() }).unwrap_err().code,
        Code::LibraryNotFound
    );
    fs::write(fixture.docs().join("old/notes.tar"), "broken".repeat(200)).unwrap();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -2 =1 problems 1");
    fs::remove_file(fixture.docs().join("old/notes.tar")).unwrap();
    library.refresh(&[], NEVER).unwrap();
    assert_eq!(all(&library), ["old/a.md"]);
}

#[test]
fn an_archive_can_be_a_root_and_keeps_to_what_is_chosen() {
    let fixture = Fixture::new(&[]);
    fs::create_dir(fixture.docs().join("old")).unwrap();
    write_tar(&fixture, &[("a.md", "tide"), (".b.md", "tide"), ("c/c.md", "tide")]);
    let library = fixture.library();
    let choice = Choice { exclude: vec!["c/".into(), "a.*".into()], hidden: true };
    let (root, _) = library.add(&fixture.docs().join("old/notes.tar"), Some(choice), NEVER).unwrap();
    assert_eq!(root.files, 1);
    assert_eq!(all(&library), ["notes.tar!.b.md"]);
}

/// `.git` is no folder of documents in an archive either, and a choice that is made later holds for archives that are known.
#[test]
fn what_is_chosen_later_holds_for_known_archives() {
    let fixture = Fixture::new(&[]);
    fs::create_dir(fixture.docs().join("old")).unwrap();
    write_tar(&fixture, &[("a.md", "tide"), (".b.md", "tide"), ("c/c.md", "tide"), (".git/d.md", "tide")]);
    fixture.age("old/notes.tar", 1);
    let library = fixture.library();
    for (exclude, hidden, expected) in [
        (vec![], false, vec!["a.md", "c/c.md"]),
        (vec!["c/".to_owned()], false, vec!["a.md"]),
        (vec!["c/".to_owned()], true, vec![".b.md", "a.md"]),
        (vec!["a.*".to_owned()], true, vec![".b.md", "c/c.md"]),
        // What is not said stays as it was.
        (vec![], false, vec![".b.md", "c/c.md"]),
        (vec!["c/".to_owned()], false, vec![".b.md", "a.md"]),
    ] {
        let choice = Choice { exclude, hidden };
        library.add(&fixture.docs(), Some(choice.clone()), NEVER).unwrap();
        let expected: Vec<String> = expected.into_iter().map(|name| format!("old/notes.tar!{name}")).collect();
        assert_eq!(all(&library), expected, "{choice:?}");
    }
}

/// LB-01: what is attached to a mail is a document beside it, and both follow what changes.
#[test]
fn lb_01_attachments_of_mail_are_documents() {
    let mail = |text: &str, files: &[(&str, &str)]| {
        let part = |(name, body): &(&str, &str)| {
            format!("--b\nContent-Type: application/x; name={name}\nContent-Disposition: attachment\n\n{body}\n")
        };
        let parts: String = files.iter().map(part).collect();
        format!("Subject: Offer\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{text}\n{parts}--b--\n")
    };
    let (rates, logo) = (("rates.csv", "port,tide\nDunmore,4.1"), ("logo.png", "x"));
    let fixture = Fixture::new(&[("m.eml", &mail("The tide offer.", &[rates, logo, ("old.zip", "x")]))]);
    fixture.age("m.eml", 1);
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, counts(&refreshed).as_str()), (2, "+2 ~0 -0 =0"));
    assert_eq!(skipped(&refreshed.skipped), [("png", 1), ("zip", 1)]);
    assert_eq!(all(&library), ["m.eml", "m.eml!rates.csv"]);
    let found = library.search("dunmore", &[], 10).unwrap().passages.remove(0);
    let page = PageRef { root: found.root, path: found.path, title: found.title, page: found.page };
    assert!(library.read(&page).unwrap().text.contains("4.1"));

    // Looked at again, nothing is read again and the same is told.
    let refreshed = library.refresh(&[], NEVER).unwrap();
    assert_eq!(skipped(&refreshed.skipped), [("png", 1), ("zip", 1)]);
    assert_eq!(counts(&Refreshed { problems: Vec::new(), ..refreshed }), "+0 ~0 -0 =2");
    // What is chosen later holds for mail that is known.
    let choice = |exclude: &str| Some(Choice { exclude: vec![exclude.to_owned()], hidden: false });
    library.add(&fixture.docs(), choice("*.csv"), NEVER).unwrap();
    assert_eq!(all(&library), ["m.eml"]);
    for exclude in ["*.pdf", "other/*.csv", "m.eml!rates"] {
        library.add(&fixture.docs(), choice(exclude), NEVER).unwrap();
        assert_eq!(all(&library), ["m.eml", "m.eml!rates.csv"], "{exclude}");
    }
    // By the name that it is cited by.
    for exclude in ["m.eml!rates.csv", "/m.eml!*.csv", "/*.csv"] {
        library.add(&fixture.docs(), choice(exclude), NEVER).unwrap();
        assert_eq!(all(&library), ["m.eml"], "{exclude}");
    }
    library.add(&fixture.docs(), choice("*.pdf"), NEVER).unwrap();
    // Another text with the same attachment, then another attachment, then none.
    fs::write(fixture.docs().join("m.eml"), mail("The new tide offer.", &[rates])).unwrap();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~1 -0 =1");
    fs::write(fixture.docs().join("m.eml"), mail("The new tide offer.", &[("b.txt", "tide b")])).unwrap();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~1 -1 =0");
    assert_eq!(all(&library), ["m.eml", "m.eml!b.txt"]);
    fs::remove_file(fixture.docs().join("m.eml")).unwrap();
    fs::write(fixture.docs().join("a.md"), "tide").unwrap();
    library.refresh(&[], NEVER).unwrap();
    assert_eq!(all(&library), ["a.md"]);
}

#[test]
fn a_file_of_an_archive_that_the_machine_failed_at_is_tried_again() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fixture = Fixture::new(&[]);
    fs::create_dir(fixture.docs().join("old")).unwrap();
    write_tar(&fixture, &[("a.pdf", "%PDF-1.4 tide"), ("b.md", "tide")]);
    fixture.age("old/notes.tar", 1);
    for (program, says) in [("/nowhere/a", "/nowhere/a"), ("/bin/true", "no page"), ("/nowhere/b", "no page")] {
        let library = reading_by(&fixture, program, &runtime);
        let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
        let [problem] = refreshed.problems.as_slice() else { panic!("{:?}", refreshed.problems) };
        assert_eq!(root.files, 1);
        assert!(problem.error.message.contains(says), "{program}: {}", problem.error.message);
    }
}
