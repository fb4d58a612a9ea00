//! Roots, files and indexes that are not as they should be.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::super::roots::Target;
use super::*;

fn code<T: std::fmt::Debug>(result: Result<T>) -> Code {
    let error = result.unwrap_err();
    assert!(error.message.len() > 10, "{error}");
    error.code
}

#[test]
fn roots_that_cannot_be_are_refused_with_a_code() {
    let fixture = Fixture::new(&[("picture.png", "x"), ("a.md", "alpha")]);
    let at = |name: &str| fixture.docs().join(name);
    symlink(at("loop"), at("loop")).unwrap();
    symlink(at("gone"), at("dangling")).unwrap();
    let library = fixture.library();
    let table = [
        (at("nothing"), Code::LibraryNotFound),
        (at("a.md/below"), Code::LibraryNotFound),
        (PathBuf::new(), Code::LibraryNotFound),
        (at("dangling"), Code::LibraryNotFound),
        (at("loop"), Code::LibraryUnreadable),
        (at("picture.png"), Code::InvalidArgument),
        (PathBuf::from("/dev/null"), Code::InvalidArgument),
        (PathBuf::from("a\0b"), Code::InvalidArgument),
        (at(&"x".repeat(300)), Code::InvalidArgument),
    ];
    for (path, expected) in table {
        assert_eq!(code(library.add(&path, None, NEVER)), expected, "{}", path.display());
        if let Some(path) = path.to_str() {
            assert_eq!(code(library.refresh(&[path.to_owned()], NEVER)), expected, "{path}");
        }
    }
    assert_eq!(library.roots().unwrap(), []);
    assert_eq!(code(library.remove(&at("a.md"))), Code::LibraryNotFound);
}

#[test]
fn a_root_may_be_a_link_but_links_below_are_not_followed() {
    let fixture = Fixture::new(&[("real/a.md", "alpha"), ("outside.md", "beta")]);
    symlink(fixture.docs(), fixture.docs().join("real/up")).unwrap();
    symlink(fixture.docs().join("outside.md"), fixture.docs().join("real/b.md")).unwrap();
    symlink(fixture.docs().join("real"), fixture.docs().join("link")).unwrap();
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs().join("link"), None, NEVER).unwrap();
    assert_eq!((root.path, counts(&refreshed)), (format!("{}/real", fixture.root()), "+1 ~0 -0 =0".to_owned()));
}

#[test]
fn files_that_cannot_be_read_are_problems_and_the_rest_goes_on() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("nul.txt", "x\0y"), ("empty.md", "")]);
    // Sparse: it would take minutes to read and is not.
    fs::File::create(fixture.docs().join("huge.txt")).unwrap().set_len(2 << 30).unwrap();
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, root.passages, counts(&refreshed)), (2, 1, "+2 ~0 -0 =0 problems 2".to_owned()));
    let subjects: Vec<_> = refreshed.problems.iter().map(|p| (p.error.code, p.subject.rsplit('/').next())).collect();
    assert_eq!(subjects, [(Code::LibraryUnreadable, Some("huge.txt")), (Code::LibraryUnreadable, Some("nul.txt"))]);

    // A document that becomes unreadable leaves the index.
    fixture.write("a.md", "alpha\0");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =1 problems 3");
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), [""; 0]);
}

/// LB-01: files whose names, or those of their folders, are not UTF-8 are read, and shown with such bytes in hexadecimal.
#[test]
fn lb_01_files_with_odd_names_are_read() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let at = |name: &[u8]| fixture.docs().join(OsStr::from_bytes(name));
    fs::create_dir(at(b"gr\xfcn")).unwrap();
    for (name, text) in [(b"M\xe4rz.md".as_slice(), "alpha in March"), (b"gr\xfcn/b.md", "alpha of green")] {
        fs::write(at(name), text).unwrap();
    }
    let library = fixture.library();
    let (_, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(counts(&refreshed), "+3 ~0 -0 =0");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -0 =3");
    let passages = library.search("alpha", &[], 10).unwrap();
    let mut found = paths(&passages);
    found.sort_unstable();
    assert_eq!(found, ["M%E4rz.md", "a.md", "gr%FCn/b.md"]);
    let target = Target::resolve(&fixture.docs()).unwrap();
    assert_eq!(target.document("gr%FCn/b.md").unwrap(), at(b"gr\xfcn/b.md").canonicalize().unwrap());
    // Another file that is called as it is written is itself.
    fixture.write("M%E4rz.md", "beta");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~1 -0 =2 problems 1");
    assert_eq!(target.document("M%E4rz.md").unwrap(), target.path.join("M%E4rz.md"));
}

#[test]
fn folders_without_permission_are_problems() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("locked/b.md", "beta"), ("c.md", "gamma")]);
    let lock =
        |path: &str, mode| fs::set_permissions(fixture.docs().join(path), fs::Permissions::from_mode(mode)).unwrap();
    lock("locked", 0o000);
    lock("c.md", 0o000);
    let library = fixture.library();
    // The superuser may read everything; then there is nothing to see here but that nothing breaks.
    let superuser = fs::read_dir(fixture.docs().join("locked")).is_ok();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, refreshed.problems.len()), if superuser { (3, 0) } else { (1, 2) });
    if !superuser {
        assert_eq!(code(library.add(&fixture.docs().join("locked"), None, NEVER)), Code::LibraryUnreadable);
        assert_eq!(code(library.add(&fixture.docs().join("c.md"), None, NEVER)), Code::LibraryUnreadable);
    }
    lock("locked", 0o755);
}

#[test]
fn many_problems_are_counted_not_listed() {
    let fixture = Fixture::new(&[]);
    for n in 0..limits::LIBRARY_PROBLEMS + 7 {
        fixture.write(&format!("{n}.txt"), "\0");
    }
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let refreshed = library.refresh(&[], NEVER).unwrap();
    assert_eq!((refreshed.problems.len(), refreshed.more_problems), (limits::LIBRARY_PROBLEMS, 7));
}

#[test]
fn folders_too_deep_are_a_problem() {
    let deep = format!("{}a.md", "d/".repeat(limits::LIBRARY_DEPTH));
    let fixture = Fixture::new(&[("a.md", "alpha"), (&deep, "beta")]);
    let (_, refreshed) = fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(counts(&refreshed), "+1 ~0 -0 =0 problems 1");
}

#[test]
fn a_file_that_changes_while_it_is_read_is_read_again_or_given_up() {
    let fixture = Fixture::new(&[("log.txt", "one")]);
    let path = fixture.docs().join("log.txt");
    let mut text = "one".to_owned();
    let mut grow = |times: usize| {
        let mut left = times;
        let read = file::read_watched(&path, 100, &mut || {
            if left > 0 {
                left -= 1;
                text.push_str(" more");
                fs::write(&path, &text).unwrap();
            }
        });
        read.map(|(bytes, _)| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(grow(0).unwrap(), "one");
    assert_eq!(grow(1).unwrap(), "one more");
    let error = grow(2).unwrap_err();
    assert_eq!(error.code, Code::LibraryChanged);
    assert!(error.message.contains("changes while it is read"), "{error}");
}

#[test]
fn a_page_is_read_only_as_it_was_searched() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("b.md", "beta")]);
    fs::write(fixture.dir.path().join("secret.md"), "alpha").unwrap();
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let found = library.search("alpha", &[], 1).unwrap().passages.remove(0);
    let page = PageRef { root: found.root, path: found.path, title: found.title, page: found.page };
    assert_eq!(library.read(&page).unwrap().text, "alpha");

    for path in ["../secret.md", "/etc/hostname.md", "sub/../../secret.md", ""] {
        let outside = PageRef { path: path.to_owned(), ..page.clone() };
        assert_eq!(code(library.read(&outside)), Code::InvalidArgument, "{path}");
    }
    fixture.write("a.md", "alpha and more");
    let error = library.read(&page).unwrap_err();
    assert!(error.message.contains("has changed since it was indexed"), "{error}");
    fs::remove_file(fixture.docs().join("a.md")).unwrap();
    assert_eq!(code(library.read(&page)), Code::LibraryNotFound);
}

/// Overwrites the files of all indexes.
pub(super) fn damage(fixture: &Fixture, with: impl Fn(Vec<u8>) -> Vec<u8>) {
    for dir in fixture.indexes() {
        let path = index::file_of(&dir).unwrap();
        let bytes = with(fs::read(&path).unwrap());
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
}

/// Changes the rows of all indexes behind the library's back.
pub(super) fn change(fixture: &Fixture, sql: &str) {
    for dir in fixture.indexes() {
        let path = index::file_of(&dir).unwrap();
        index::connect(&path, rusqlite::OpenFlags::empty()).unwrap().execute_batch(sql).unwrap();
    }
}

/// What a search cannot read it says; after a refresh everything is found again.
fn is_mended(fixture: &Fixture, way: &str) {
    let library = fixture.library();
    let found = library.search("alpha", &[], 10).unwrap();
    let code = |p: &Problem| [Code::IndexDamaged, Code::LibraryNotFound].contains(&p.error.code);
    assert!(found.problems.iter().all(code), "{way}: {found:?}");
    let refreshed = library.refresh(&[], NEVER).unwrap();
    assert!(refreshed.problems.iter().all(|p| p.error.code == Code::IndexDamaged), "{way}");
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["a.md"], "{way}");
    assert_eq!(library.roots().unwrap().first().map(|root| root.files), Some(2), "{way}");
}

#[test]
fn a_damaged_index_is_built_again() {
    let half = |bytes: &[u8]| bytes.len() / 2;
    type Way<'a> = (&'a str, &'a dyn Fn(Vec<u8>) -> Vec<u8>);
    let ways: [Way<'_>; 6] = [
        ("empty", &|_| Vec::new()),
        ("truncated", &|bytes| bytes.get(..half(&bytes)).unwrap().to_vec()),
        ("one page", &|bytes| bytes.get(..8 * 1024).unwrap().to_vec()),
        ("zeroed", &|bytes| vec![0; bytes.len()]),
        ("zeroed after its header", &|bytes| [bytes.get(..100).unwrap(), &vec![0; bytes.len() - 100]].concat()),
        ("something else", &|_| b"# A note\n".repeat(2_000)),
    ];
    for (way, with) in ways {
        let fixture = Fixture::new(&[("a.md", "alpha beta"), ("b.md", "beta")]);
        fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
        damage(&fixture, with);
        is_mended(&fixture, way);
    }
}

#[test]
fn rows_that_cannot_be_are_a_damage() {
    for sql in [
        "UPDATE postings SET data = x'ff'",
        "UPDATE postings SET data = x'fc01'",
        "UPDATE postings SET data = 'text'",
        "UPDATE segments SET lengths = x'00'",
        "UPDATE segments SET chunks = x'000000000000000000000000'",
        "UPDATE chunks SET data = x'00'",
        "DELETE FROM chunks",
        "DROP TABLE postings",
        "DROP TABLE dead",
        "PRAGMA user_version = 7",
    ] {
        let fixture = Fixture::new(&[("a.md", "alpha beta"), ("b.md", "beta")]);
        fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
        change(&fixture, sql);
        let found = fixture.library().search("alpha", &[], 10).unwrap();
        assert_eq!(found.passages, [], "{sql}");
        assert_eq!(found.problems.first().map(|p| p.error.code), Some(Code::IndexDamaged), "{sql}");
        is_mended(&fixture, sql);
    }
}

/// EM-01: what a question finds is not less because the index showed its damage only then.
#[test]
fn em_01_a_damage_found_by_a_question_is_mended_within_it() {
    for sql in ["UPDATE postings SET data = x'ff'", "UPDATE chunks SET data = x'00'", "DELETE FROM chunks"] {
        let fixture = Fixture::new(&[("a.md", "alpha beta"), ("b.md", "beta")]);
        let library = fixture.library();
        library.add(&fixture.docs(), None, NEVER).unwrap();
        let ask = || library.search_mended("alpha", &[], (10, Reach::Words), NEVER);
        assert_eq!(paths(&ask().unwrap()), ["a.md"]);
        change(&fixture, sql);
        let found = ask().unwrap();
        assert_eq!(found.passages.len(), 1, "{sql}");
        assert_eq!(found.problems.iter().map(|p| p.error.code).collect::<Vec<_>>(), [Code::IndexDamaged], "{sql}");
        assert!(found.problems[0].error.message.ends_with("built again"), "{sql}");
        assert_eq!(paths(&ask().unwrap()), ["a.md"]);

        // Where it cannot be built again, nobody says that there is nothing.
        change(&fixture, sql);
        fs::rename(fixture.docs(), fixture.dir.path().join("away")).unwrap();
        assert!(ask().is_err(), "{sql}");
    }
}

/// An index that turns out to be damaged while the words of a question are looked for among its terms is given up like any other.
#[test]
fn a_damage_found_by_the_search_for_near_words_is_told() {
    let fixture = Fixture::new(&[("a.md", "alphabet")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let mut searched = library.searched(&[], &mut Vec::new()).unwrap();
    let (question, _) = Question::new("alphabte", &mut searched);
    let (respelled, failed) = spelling::respelled("alphabte", &question, &mut searched);
    assert_eq!((respelled.unwrap().query.as_str(), failed.len(), searched.len()), ("alphabet", 0, 1));
    change(&fixture, "DROP TABLE postings");
    let (respelled, failed) = spelling::respelled("alphabte", &question, &mut searched);
    assert_eq!((respelled, failed.len(), searched.len()), (None, 1, 0));
}

#[test]
fn a_damage_found_by_a_refresh_is_told() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
    damage(&fixture, |bytes| vec![b'x'; bytes.len()]);
    let refreshed = fixture.library().refresh(&[], NEVER).unwrap();
    assert_eq!(counts(&refreshed), "+1 ~0 -0 =0 problems 1");
    assert_eq!(refreshed.problems.first().map(|p| p.error.code), Some(Code::IndexDamaged));
}

#[test]
fn an_index_of_an_earlier_version_is_built_again_and_its_root_stays() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
    let dir = fixture.indexes().remove(0);
    fs::remove_dir_all(&dir).unwrap();
    fs::create_dir(&dir).unwrap();
    for name in ["meta.json", ".managed.json", "0123456789abcdef.store"] {
        fs::write(dir.join(name), "{\"segments\": []}").unwrap();
    }
    let marker = dir.parent().unwrap().join("root.json");
    let text = fs::read_to_string(&marker).unwrap();
    let earlier = text.replacen("\"format\":", "\"format\":1", 1);
    assert_ne!(earlier, text);
    fs::write(&marker, earlier).unwrap();

    let library = fixture.library();
    assert_eq!(library.roots().unwrap().len(), 1);
    let found = library.search("alpha", &[], 10).unwrap();
    assert_eq!(found.problems.first().map(|p| p.error.code), Some(Code::LibraryNotFound));
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -0 =0");
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["a.md"]);
    assert!(!dir.join("meta.json").exists());
}

/// Questions use the index of an earlier version until the new one is whole; an interrupted run loses neither.
#[test]
fn an_index_of_an_earlier_version_is_used_until_the_new_one_is_whole() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("b.md", "alpha beta")]);
    fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
    let dir = fixture.indexes().remove(0);
    let marker = dir.parent().unwrap().join("root.json");
    let earlier = fs::read_to_string(&marker).unwrap().replacen("\"format\":", "\"format\":1", 1);
    fs::write(&marker, &earlier).unwrap();
    fixture.write("c.md", "alpha gamma");
    let other = fixture.library();
    let asked = std::cell::Cell::new(0);
    let ask = |stop_at: u32| {
        assert_eq!(paths(&other.search("alpha", &[], 10).unwrap()), ["a.md", "b.md"], "the old index, whole");
        asked.set(asked.get() + 1);
        asked.get() == stop_at
    };
    let stopped = fixture.library().refresh(&[], &|| ask(7)).unwrap_err();
    assert_eq!((stopped.code, asked.get()), (Code::Cancelled, 7));
    let refreshed = fixture.library().refresh(&[], &|| ask(u32::MAX)).unwrap();
    assert_eq!(counts(&refreshed), "+3 ~0 -0 =0");
    assert!(asked.get() > 7);
    assert_eq!(paths(&other.search("alpha", &[], 10).unwrap()), ["a.md", "b.md", "c.md"]);
    let left: Vec<_> = fs::read_dir(dir.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.len() == 2 && left.iter().any(|name| name == "index"), "{left:?}");
}

#[test]
fn a_library_directory_that_cannot_be_made_is_a_coded_error() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    fs::write(fixture.dir.path().join("data"), "a file, not a folder").unwrap();
    let library = fixture.library();
    assert_eq!(
        library.add(&fixture.docs(), None, NEVER).unwrap_err().code.kind(),
        crate::core::base::error::Kind::Storage
    );
    assert_eq!(
        library.refresh(&[fixture.root()], NEVER).unwrap_err().code.kind(),
        crate::core::base::error::Kind::Storage
    );
}
