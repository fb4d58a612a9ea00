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
fn look_until_watched(library: &Library) {
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
