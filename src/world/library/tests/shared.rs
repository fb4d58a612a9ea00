//! Several users of one library at once: two values in one process lock each other out just as two processes do, since
//! each opens its own lock file.

use std::cell::Cell;
use std::thread;

use sim::wait::SAFETY_NET;

use super::*;

#[test]
fn a_busy_index_is_searched_at_its_last_state() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    fixture.write("b.md", "alpha beta");
    let place = Place::of(&fixture.dir.path().join("data/library"), &fixture.root());
    // A child that another test starts just now holds the lock until it runs its program.
    let held = WriteLock::take(place.lock(), SAFETY_NET, NEVER).unwrap();

    let busy = WriteLock::take(place.lock(), Duration::ZERO, NEVER).unwrap_err();
    assert_eq!(busy.code, Code::LibraryBusy);
    assert!(library.leaves_usable(&fixture.root(), busy.code));
    assert!(!library.leaves_usable("/never/indexed", busy.code));
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["a.md"]);
    // Whoever waits can be stopped.
    let asked = Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) > 1;
    assert_eq!(library.refresh(&[], &stop).unwrap_err().code, Code::Cancelled);
    drop(held);
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -0 =1");
}

/// A root that is taken away while somebody waits to add it is added all the same.
#[test]
fn a_root_is_added_while_it_is_removed() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let (library, other) = (fixture.library(), fixture.library());
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let place = Place::of(&fixture.dir.path().join("data/library"), &fixture.root());
    let held = WriteLock::take(place.lock(), SAFETY_NET, NEVER).unwrap();
    let (waits, waiting) = std::sync::mpsc::channel();
    thread::scope(|scope| {
        let adding = scope.spawn(|| {
            let stop = || {
                waits.send(()).unwrap();
                false
            };
            other.add(&fixture.docs(), None, &stop)
        });
        waiting.recv().unwrap();
        place.remove().unwrap();
        drop(held);
        assert_eq!(adding.join().unwrap().unwrap().0.files, 1);
    });
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["a.md"]);
}

/// A question that comes while a folder is walked for the first time finds it registered, and does not take the library for empty.
#[test]
fn a_root_is_known_before_it_is_walked() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let (library, other) = (fixture.library(), fixture.library());
    let known = Cell::new(None);
    let stop = || {
        known.set(known.get().or(Some(other.roots().unwrap().len())));
        false
    };
    library.add(&fixture.docs(), None, &stop).unwrap();
    assert_eq!(known.get(), Some(1));
}

#[test]
fn a_reader_sees_what_another_library_committed() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let (writer, reader) = (fixture.library(), fixture.library());
    writer.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(paths(&reader.search("alpha", &[], 10).unwrap()), ["a.md"]);
    fixture.write("b.md", "alpha alpha");
    writer.refresh(&[], NEVER).unwrap();
    assert_eq!(paths(&reader.search("alpha", &[], 10).unwrap()).len(), 2);
    writer.remove(&fixture.docs()).unwrap();
    assert_eq!(reader.search("alpha", &[fixture.root()], 10).unwrap().problems.len(), 1);
    writer.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(paths(&reader.search("alpha", &[], 10).unwrap()).len(), 2);
}

#[test]
fn a_stopped_run_ends_at_once_and_the_next_one_finishes_it() {
    let fixture = Fixture::new(&[]);
    for n in 0..50 {
        fixture.write(&format!("{n}.md"), "alpha");
    }
    let library = fixture.library();
    for patience in [0, 10, 60, 90] {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= patience;
        assert_eq!(library.add(&fixture.docs(), None, &stop).unwrap_err().code, Code::Cancelled);
        assert!(asked.get() <= patience + 1, "it went on after it was stopped");
    }
    assert!(library.roots().unwrap()[0].updating, "a run that did not end is told");
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, root.updating, refreshed.added + refreshed.unchanged), (50, false, 50));
}

#[test]
fn writers_and_readers_work_at_once() {
    let fixture = Fixture::new(&[("steady.md", "steady alpha")]);
    fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
    let shared = fixture.library();
    thread::scope(|scope| {
        for writer in 0..3 {
            let (fixture, shared) = (&fixture, &shared);
            scope.spawn(move || {
                // One writer with a library of its own, the others share one.
                let own = fixture.library();
                let library = if writer == 0 { &own } else { shared };
                for round in 0..6 {
                    fixture.write(&format!("w{writer}-{round}.md"), &format!("moving alpha {round}"));
                    let refreshed = library.refresh(&[], NEVER).unwrap();
                    assert_eq!(refreshed.problems, []);
                }
            });
        }
        for _reader in 0..2 {
            let (fixture, shared) = (&fixture, &shared);
            scope.spawn(move || {
                let own = fixture.library();
                for round in 0..30 {
                    let library = if round % 2 == 0 { &own } else { shared };
                    assert_eq!(paths(&library.search("steady", &[], 10).unwrap()), ["steady.md"]);
                }
            });
        }
    });
    assert_eq!(paths(&shared.search("moving", &[], 50).unwrap()).len(), 18);
    assert_eq!(shared.roots().unwrap().first().map(|root| root.files), Some(19));
}
