//! Files that change under the library: what was indexed of them is cited only where it is still true.

use std::io::Write as _;

use super::hostile::change;
use super::*;

pub(super) fn page_of(library: &Library, query: &str) -> PageRef {
    let Passage { root, path, title, page, .. } = library.search(query, &[], 1).unwrap().passages.remove(0);
    PageRef { root, path, title, page }
}

fn append(fixture: &Fixture, path: &str, text: &str) {
    let mut file = fs::File::options().append(true).open(fixture.docs().join(path)).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// Tools that normalise times leave size and time as they were.
#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let fixture = Fixture::new(&[("a.md", "The pool opens at 6:30.\n")]);
    fixture.age("a.md", 1);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    fixture.write("a.md", "The pool opens at 7:45.\n");
    fixture.age("a.md", 1);
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~1 -0 =0");
    assert_eq!(library.read(&page_of(&library, "pool")).unwrap().text, "The pool opens at 7:45.\n");
}

/// Whatever the manifest says: what was seen to be another text is read at the next look, in this process and in others.
#[test]
fn what_was_seen_to_have_changed_is_read_anew() {
    let archive = |text: &str| String::from_utf8(archives::tar(&[("a.md", text)])).unwrap();
    let loose = |text: &str| text.to_owned();
    type Made<'a> = (&'a str, &'a dyn Fn(&str) -> String);
    let ways: [Made<'_>; 2] = [("a.md", &loose), ("notes.tar", &archive)];
    for (name, made) in ways {
        let fixture = Fixture::new(&[(name, &made("The pool opens at 6:30.\n"))]);
        let library = fixture.library();
        library.add(&fixture.docs(), None, NEVER).unwrap();
        fixture.write(name, &made("The pool opens at 7:45.\n"));
        let stat = file::Stat::of(&fs::metadata(fixture.docs().join(name)).unwrap());
        change(&fixture, &format!("UPDATE files SET mtime_ns = {} WHERE path = '{name}'", stat.changed_ns));
        // A watch begins with the second look.
        for _ in 0..3 {
            let unseen = library.refresh(&[], NEVER).unwrap();
            assert_eq!((unseen.changed, unseen.unchanged), (0, 1), "{name}");
        }
        let error = library.read(&page_of(&library, "pool")).unwrap_err();
        assert!(error.code == Code::LibraryChanged && error.code.retryable(), "{name}: {error}");
        assert_eq!(library.refresh(&[], NEVER).unwrap().changed, 1, "{name}");
        assert_eq!(library.read(&page_of(&library, "pool")).unwrap().text, "The pool opens at 7:45.\n", "{name}");
    }
}

/// The lines that were indexed of a log are still in it when more were written to its end.
#[test]
fn a_text_that_grew_is_cited_as_it_was_indexed() {
    let text = "10:00 INFO reactor cold\n10:01 ERROR reactor at 912 degrees ünd more\n";
    for (name, indexed, grows) in [
        ("app.log", text, true),
        ("notes.md", text, true),
        ("figures.csv", "reactor,degrees\none,912\n", true),
        ("messages", text, true),
        ("ended.txt", text.trim_end(), true),
        ("page.html", "<p>The reactor is at 912 degrees.</p>\n", false),
    ] {
        let fixture = Fixture::new(&[(name, indexed)]);
        let library = fixture.library();
        library.add(&fixture.docs(), None, NEVER).unwrap();
        let page = page_of(&library, "reactor");
        let read = library.document(&page).unwrap();
        append(&fixture, name, "\n10:02 <p>INFO</p> tick\n");
        match library.document(&page) {
            Ok(grown) => {
                assert!(grows && (&grown.text, &grown.passages) == (&read.text, &read.passages), "{name}: {grown:?}");
            }
            Err(error) => assert!(!grows && error.code == Code::LibraryChanged, "{name}: {error}"),
        }
        assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~1 -0 =0", "{name}");
    }
}

/// A line that went on says something else, and so does a text whose beginning changed.
#[test]
fn a_text_that_is_another_is_not_cited_for_having_grown() {
    for (indexed, now) in [
        ("The reactor is at 91", "The reactor is at 912 degrees.\n"),
        ("The reactor is cold.\n", "The reactor is warm.\nAnd more.\n"),
        ("The reactor is cold.\nAnd more.\n", "The reactor is cold.\n"),
    ] {
        let fixture = Fixture::new(&[("app.log", indexed)]);
        let library = fixture.library();
        library.add(&fixture.docs(), None, NEVER).unwrap();
        let page = page_of(&library, "reactor");
        fixture.write("app.log", now);
        assert_eq!(library.read(&page).unwrap_err().code, Code::LibraryChanged, "{now}");
    }
}

/// What is written to all the time can still be read: the whole lines that were there at the first look.
#[test]
fn a_text_that_only_grows_is_read_while_it_does() {
    let grown = ["one\ntwo\nthree\n", "one\ntwo\nthree\nfour\n"];
    for (name, begins, [first, second], want) in [
        ("app.log", "one\ntwo\nthr", grown, Some("one\ntwo\n")),
        ("app.log", "one\ntwo\n", ["one\ntwo\nthree\n", "One\ntwo\nthree\nfour\n"], None),
        ("app.docx", "one\ntwo\n", grown, None),
    ] {
        let fixture = Fixture::new(&[(name, begins)]);
        let path = fixture.docs().join(name);
        let mut texts = [first, second].into_iter();
        let read = file::read_watched(&path, 1_000, &mut || fs::write(&path, texts.next().unwrap()).unwrap());
        match read {
            Ok((bytes, stat)) => {
                assert_eq!(want, Some(String::from_utf8(bytes).unwrap().as_str()), "{name} {second}");
                assert_eq!(Some(stat.size), want.map(|want| u64::try_from(want.len()).unwrap()));
            }
            Err(error) => assert!(want.is_none() && error.code == Code::LibraryChanged, "{name} {second}: {error}"),
        }
    }
}
