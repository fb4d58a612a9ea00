//! Roots inside of roots.

use super::*;

fn added(library: &Library, path: &Path, choice: Choice) -> Root {
    library.add(path, Some(choice), NEVER).unwrap().0
}

/// The roots and paths that a search finds, in their order.
fn found(library: &Library, query: &str) -> Vec<(String, String)> {
    let found = library.search(query, &[], 10).unwrap();
    assert_eq!(found.problems, []);
    let mut places: Vec<_> = found.passages.into_iter().map(|passage| (passage.root, passage.path)).collect();
    places.sort();
    places
}

/// LB-01: what two roots read is read once, by the outer one, whichever was added first, and nothing is lost when one of them goes.
#[test]
fn lb_01_a_root_inside_of_another_is_read_once() {
    for inner_first in [true, false] {
        let fixture = Fixture::new(&[("a.md", "Alpha is here."), ("in/b.md", "Alpha is there.")]);
        let (outer, inner) = (fixture.docs(), fixture.docs().join("in"));
        let library = fixture.library();
        let order = if inner_first { [&inner, &outer] } else { [&outer, &inner] };
        let roots = order.map(|path| added(&library, path, Choice::default()));
        let [outer_name, inner_name] = [&outer, &inner].map(|path| path.to_str().unwrap().to_owned());
        let last = &roots[1];
        assert_eq!(last.within.is_some(), !inner_first);
        assert_eq!(last.covers.is_empty(), !inner_first);

        fixture.write("in/c.md", "Alpha is new.");
        assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -0 =2");
        let both =
            |paths: &[&str]| paths.iter().map(|path| (outer_name.clone(), (*path).to_owned())).collect::<Vec<_>>();
        assert_eq!(found(&library, "alpha"), both(&["a.md", "in/b.md", "in/c.md"]));
        assert_eq!(library.roots().unwrap().iter().filter(|root| root.within.is_some()).count(), 1);

        let removed = library.remove(&outer).unwrap();
        assert_eq!(removed.covers, std::slice::from_ref(&inner_name));
        library.refresh(&[], NEVER).unwrap();
        let inside =
            |paths: &[&str]| paths.iter().map(|path| (inner_name.clone(), (*path).to_owned())).collect::<Vec<_>>();
        assert_eq!(found(&library, "alpha"), inside(&["b.md", "c.md"]));

        added(&library, &outer, Choice::default());
        assert_eq!(library.remove(&inner).unwrap().within, Some(outer_name.clone()));
        assert_eq!(found(&library, "alpha"), both(&["a.md", "in/b.md", "in/c.md"]));
    }
}

/// LB-01: a root of which the one around it does not read all is read by itself, and a file that both have is one source.
#[test]
fn lb_01_what_the_outer_root_leaves_out_is_read_by_the_inner() {
    let hidden = Choice { hidden: true, ..Choice::default() };
    let without = |pattern: &str| Choice { exclude: vec![pattern.to_owned()], ..Choice::default() };
    for (files, outer, inner, want) in [
        (&[("in/.b.md", "Alpha is there.")][..], Choice::default(), hidden.clone(), ".b.md"),
        (&[("in/b.md", "Alpha is there.")], without("in/"), Choice::default(), "b.md"),
        (&[("in/b.md", "Alpha is there."), (".gitignore", "b.md\n")], Choice::default(), Choice::default(), "b.md"),
        (&[("in/b.md", "Alpha is there."), (".gitignore", "in\n")], Choice::default(), Choice::default(), "b.md"),
    ] {
        let fixture = Fixture::new(files);
        fixture.write("in/d.md", "Beta is in both.\n\n## More\n\nBeta again.");
        let library = fixture.library();
        assert_eq!(added(&library, &fixture.docs(), outer).within, None);
        let root = added(&library, &fixture.docs().join("in"), inner);
        assert_eq!((root.within, root.covers), (None, Vec::new()), "{files:?}");
        library.refresh(&[], NEVER).unwrap();
        let alpha = found(&library, "alpha");
        assert_eq!(alpha.len(), 1, "{alpha:?}");
        assert!(alpha[0].1.ends_with(want), "{alpha:?}");
        let beta = found(&library, "beta");
        assert_eq!(beta.len(), 2, "{beta:?}");
        assert!(beta.iter().all(|place| place.0 == beta[0].0), "one source: {beta:?}");
        let page = library.search("alpha", &[], 1).unwrap().passages.remove(0);
        let page = PageRef { root: page.root, path: page.path, title: page.title, page: page.page };
        assert_eq!(library.read(&page).unwrap().text, "Alpha is there.");
    }
}

/// LB-01: a file that is a root of its own is one source with the folder that has it.
#[test]
fn lb_01_a_file_and_its_folder_are_one_source() {
    let fixture =
        Fixture::new(&[("a.md", "Alpha is here.\n\n## Two\n\nAlpha again."), ("notes/notes", "Alpha in notes.")]);
    let library = fixture.library();
    added(&library, &fixture.docs(), Choice::default());
    added(&library, &fixture.docs().join("a.md"), Choice::default());
    added(&library, &fixture.docs().join("notes/notes"), Choice::default());
    library.refresh(&[], NEVER).unwrap();
    let at = |path: &str| (fixture.root(), path.to_owned());
    assert_eq!(found(&library, "alpha"), [at("a.md"), at("a.md"), at("notes/notes")]);
}
