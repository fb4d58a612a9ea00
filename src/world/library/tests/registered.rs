//! Registrations that cannot be read.

use super::*;

/// Ways to spoil what says that a folder is registered. The last one holds for the superuser, too, who may read every file.
const WAYS: [(&str, Option<&str>, Code); 3] = [
    ("empty", Some(""), Code::IndexDamaged),
    ("something else", Some("no marker"), Code::IndexDamaged),
    ("no file", None, Code::StoreUnavailable),
];

fn spoil(fixture: &Fixture, root: &str, text: Option<&str>) {
    let data = fixture.dir.path().join("data/library");
    let is_of_root = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("{root}\"")));
    let mut markers = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path().join("root.json"));
    let marker = markers.find(is_of_root).unwrap();
    fs::remove_file(&marker).unwrap();
    match text {
        Some(text) => fs::write(&marker, text).unwrap(),
        None => fs::create_dir(&marker).unwrap(),
    }
}

/// LB-01: what is registered and cannot be read is a library in trouble, and not nothing.
#[test]
fn a_registration_that_cannot_be_read_is_told() {
    for (way, text, code) in WAYS {
        let fixture = Fixture::new(&[("one/a.md", "alpha"), ("two/b.md", "alpha beta")]);
        let [one, two] = ["one", "two"].map(|name| fixture.docs().join(name));
        fixture.library().add(&one, None, NEVER).unwrap();
        spoil(&fixture, one.to_str().unwrap(), text);
        let library = fixture.library();
        let codes = |problems: Vec<Problem>| problems.iter().map(|problem| problem.error.code).collect::<Vec<_>>();
        assert_eq!(codes(library.unreadable().unwrap()), [code], "{way}");
        let error = library.refresh(&[], NEVER).unwrap_err();
        assert_eq!((error.code, error.hints.is_empty()), (code, false), "{way}");
        // Nobody knows what its user has left out of it.
        assert_eq!(library.refresh(&[one.to_str().unwrap().to_owned()], NEVER).unwrap_err().code, code, "{way}");

        library.add(&two, None, NEVER).unwrap();
        assert_eq!(codes(library.refresh(&[], NEVER).unwrap().problems), [code], "{way}");
        assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["b.md"], "{way}");
        if text.is_some() {
            let (root, _) = library.add(&one, None, NEVER).unwrap();
            assert_eq!((root.files, library.roots().unwrap().len()), (1, 2), "{way}");
            assert_eq!(library.unreadable().unwrap(), [], "{way}");
        }
    }
}

#[test]
fn a_registration_that_cannot_be_read_can_be_removed() {
    let fixture = Fixture::new(&[("one/a.md", "alpha")]);
    let one = fixture.docs().join("one");
    fixture.library().add(&one, None, NEVER).unwrap();
    spoil(&fixture, one.to_str().unwrap(), Some("{}"));
    let library = fixture.library();
    assert_eq!(library.remove(&one).unwrap().path, one.to_str().unwrap());
    assert_eq!(library.unreadable().unwrap(), []);
    assert_eq!(library.remove(&one).unwrap_err().code, Code::LibraryNotFound);
}

/// What an interrupted removal leaves, locks and folders of others are no registrations.
#[test]
fn what_has_no_marker_is_no_registration() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let data = fixture.dir.path().join("data/library");
    fs::create_dir_all(data.join("0123456789abcdef0123456789abcdef/index")).unwrap();
    fs::create_dir_all(data.join("lost+found/root.json")).unwrap();
    fs::create_dir_all(data.join("0123456789abcdef0123456789abcdef.removed/root.json")).unwrap();
    assert_eq!((library.roots().unwrap().len(), library.unreadable().unwrap()), (1, Vec::new()));
}
