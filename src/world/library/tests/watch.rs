//! Folders that are watched between questions.

use std::cell::Cell;

use super::*;

/// Refreshes; gives what was counted and whether the folder was walked.
fn look(library: &Library) -> (String, bool) {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        false
    };
    let counted = counts(&library.refresh(&[], &stop).unwrap());
    (counted, asked.get() > 0)
}

/// Looks until a look needs no walk.
#[cfg(target_os = "linux")]
pub(super) fn look_until_watched(library: &Library) {
    let is_watched = (0..2 * limits::LIBRARY_WATCH_REST).any(|_| !look(library).1);
    assert!(is_watched, "it is walked every time");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_is_not_walked_again_before_something_happens_in_it() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("deep/b.md", "alpha"), (".gitignore", "*.log\n")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    // A process that looks once does not watch.
    assert_eq!(look(&library), ("+0 ~0 -0 =2".to_owned(), true));
    look_until_watched(&library);
    assert_eq!(look(&library), ("+0 ~0 -0 =2".to_owned(), false));

    type Change = fn(&Fixture);
    let changes: [(Change, &str); 8] = [
        (|fixture| fixture.write("c.md", "alpha"), "+1 ~0 -0 =2"),
        (|fixture| fixture.write("deep/b.md", "alpha beta"), "+0 ~1 -0 =2"),
        (|fixture| fixture.write("deep/new/d.md", "alpha"), "+1 ~0 -0 =3"),
        (|fixture| fixture.write("deep/new/d.md", "beta"), "+0 ~1 -0 =3"),
        (|fixture| fs::rename(fixture.docs().join("deep/new"), fixture.docs().join("moved")).unwrap(), "+1 ~0 -1 =3"),
        (|fixture| fixture.write(".gitignore", "c.md\n"), "+0 ~0 -1 =3"),
        (|fixture| fs::remove_dir_all(fixture.docs().join("moved")).unwrap(), "+0 ~0 -1 =2"),
        (|fixture| fixture.age("a.md", 3), "+0 ~0 -0 =2"),
    ];
    for (number, (change, expected)) in changes.into_iter().enumerate() {
        change(&fixture);
        let (counted, walked) = look(&library);
        assert!(walked, "change {number} was not noticed");
        assert!(counted.starts_with(expected), "change {number}: {counted}");
        look_until_watched(&library);
    }
}

/// LB-01: what is written to a file by a name outside of the folder is no event in it.
#[cfg(target_os = "linux")]
#[test]
fn lb_01_a_file_that_is_changed_by_another_name_is_read_anew() {
    let fixture = Fixture::new(&[("a.md", "The pool opens at 6:30.\n"), ("b.md", "alpha")]);
    let outside = fixture.dir.path().join("outside.md");
    fs::hard_link(fixture.docs().join("a.md"), &outside).unwrap();
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    look_until_watched(&library);
    fs::write(&outside, "The pool opens at 7:45.\n").unwrap();
    assert_eq!(look(&library), ("+0 ~1 -0 =1".to_owned(), true));
    let page = super::changing::page_of(&library, "pool");
    assert_eq!(library.read(&page).unwrap().text, "The pool opens at 7:45.\n");
    // A name less is a change, too: from then on nothing is looked at but what the kernel tells.
    look_until_watched(&library);
    fs::remove_file(&outside).unwrap();
    assert_eq!(look(&library), ("+0 ~0 -0 =2".to_owned(), true));
    look_until_watched(&library);
    // A name that is made later is told to nobody: what is cited is never what was, and the next look is a walk.
    fs::hard_link(fixture.docs().join("a.md"), &outside).unwrap();
    fs::write(&outside, "The pool opens at 9:15.\n").unwrap();
    assert_eq!(look(&library), ("+0 ~0 -0 =2".to_owned(), false));
    let error = library.read(&page).unwrap_err();
    assert_eq!((error.code, error.hints.len()), (Code::LibraryChanged, 1), "{error}");
    assert_eq!(look(&library), ("+0 ~1 -0 =1".to_owned(), true));
}

#[cfg(target_os = "linux")]
#[test]
fn what_others_do_to_a_watched_root_is_seen() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("b.md", "alpha")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    look_until_watched(&library);
    // Another process chooses otherwise.
    let choice = Choice { exclude: vec!["b.md".into()], hidden: false };
    fixture.library().add(&fixture.docs(), Some(choice), NEVER).unwrap();
    assert!(look(&library).1);
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["a.md"]);
    look_until_watched(&library);
    // Another folder takes its place.
    fs::rename(fixture.docs(), fixture.dir.path().join("away")).unwrap();
    fixture.write("other.md", "alpha");
    assert!(look(&library).1);
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["other.md"]);
    look_until_watched(&library);
    // The index is taken away.
    fs::remove_dir_all(fixture.indexes().remove(0)).unwrap();
    assert!(look(&library).1);
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["other.md"]);
}

/// A disk that is mounted in a folder hides what is below and brings what is on it, without an event in any folder.
#[cfg(target_os = "linux")]
#[test]
fn a_mounted_disk_is_seen() {
    static MOUNTED: std::sync::Mutex<Vec<u8>> = std::sync::Mutex::new(Vec::new());
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let mut library = fixture.library();
    library.watches.mounted = || Some(MOUNTED.lock().unwrap().clone());
    library.add(&fixture.docs(), None, NEVER).unwrap();
    look_until_watched(&library);
    MOUNTED.lock().unwrap().extend(b"36 35 8:1 / /docs/disk rw");
    assert!(look(&library).1, "it is walked");
    look_until_watched(&library);
}

/// The index that a process looks at stays its own look's while another process looks too and finds the same.
#[cfg(target_os = "linux")]
#[test]
fn two_processes_watch_one_root_side_by_side() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    fixture.age("a.md", 1);
    let (one, other) = (fixture.library(), fixture.library());
    one.add(&fixture.docs(), None, NEVER).unwrap();
    look_until_watched(&one);
    look_until_watched(&other);
    for library in [&one, &other] {
        assert_eq!(look(library), ("+0 ~0 -0 =1".to_owned(), false));
    }
}

/// What went wrong once is told once.
#[cfg(target_os = "linux")]
#[test]
fn a_problem_that_was_mended_is_not_told_again() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    fixture.age("a.md", 1);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(look(&library).0, "+0 ~0 -0 =1");
    super::hostile::damage(&fixture, |bytes| vec![b'x'; bytes.len()]);
    assert_eq!(look(&library).0, "+1 ~0 -0 =0 problems 1");
    for _ in 0..3 {
        assert_eq!(look(&library).0, "+0 ~0 -0 =1");
    }
    look_until_watched(&library);
}

/// A look is kept only where all folders of the root are watched.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_watched_is_walked_and_says_why() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("deep/b.md", "alpha"), ("deep/er/c.md", "alpha")]);
    let other = Fixture::new(&[("a.md", "alpha"), ("deep/b.md", "alpha")]);
    let why = |library: &Library, docs: PathBuf| {
        let root = library.roots().unwrap().into_iter().find(|root| Path::new(&root.path) == docs).unwrap();
        root.not_watched.unwrap_or_default()
    };
    let mut library = fixture.library();
    // The folders of all roots count together.
    library.watches.most_folders = 4;
    library.add(&fixture.docs(), None, NEVER).unwrap();
    look_until_watched(&library);
    assert_eq!(why(&library, fixture.docs()), "");
    library.add(&other.docs(), None, NEVER).unwrap();
    assert!((0..4).all(|_| look(&library).1), "the other root is walked every time");
    assert!(why(&library, other.docs()).contains("no more than"), "{}", why(&library, other.docs()));
    // A disk of another machine below the root.
    let mut library = fixture.library();
    library.remove(&other.docs()).unwrap();
    library.watches.is_shared = |folder| Ok(folder.ends_with("deep/er"));
    assert!((0..4).all(|_| look(&library).1), "it is walked every time");
    let told = why(&library, fixture.docs());
    assert!(told.contains("deep/er` lies on a disk that other machines may change"), "{told}");
}

/// Another process may choose otherwise between the beginning of a watch and the look.
#[cfg(target_os = "linux")]
#[test]
fn a_choice_of_another_process_is_not_overlooked() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("private/b.md", "alpha"), (".hidden/c.md", "alpha")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    look(&library);
    let asked = Cell::new(false);
    let stop = || {
        // The watch has begun; nobody holds the lock yet.
        if !asked.replace(true) {
            let choice = Choice { exclude: Vec::new(), hidden: true };
            fixture.library().add(&fixture.docs(), Some(choice), NEVER).unwrap();
        }
        false
    };
    library.refresh(&[], &stop).unwrap();
    fixture.write(".hidden/d.md", "alpha");
    assert!(look(&library).1, "nobody watches the hidden folder");
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()).len(), 4);
}
