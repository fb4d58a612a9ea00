//! Which files of a folder are read, which are not, and that this is said.

use super::hostile::change;
use super::*;
use crate::core::task::skipped::SkippedFiles;

pub(super) fn skipped(skipped: &SkippedFiles) -> Vec<(&str, u64)> {
    skipped.0.iter().map(|(kind, files)| (kind.as_str(), *files)).collect()
}

pub(super) fn all(library: &Library) -> Vec<String> {
    let mut found: Vec<String> =
        library.search("tide", &[], 100).unwrap().passages.into_iter().map(|passage| passage.path).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn lb_01_what_is_not_read_is_counted_by_kind() {
    let fixture = Fixture::new(&[("a.png", "x"), ("b.PNG", "x"), ("c.rar", "x"), ("tool", "\u{7f}ELF\0\0")]);
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, counts(&refreshed).as_str()), (0, "+0 ~0 -0 =0"));
    let expected = [("no extension", 1), ("png", 2), ("rar", 1)];
    assert_eq!(skipped(&refreshed.skipped), expected);
    assert_eq!(skipped(&library.roots().unwrap()[0].skipped), expected);
    // An answer says it too, and a second look need not read anything to know it.
    fixture.age("tool", 1);
    for _ in 0..2 {
        let refreshed = library.refresh(&[], NEVER).unwrap();
        assert_eq!(skipped(&refreshed.skipped), expected);
        let [problem] = refreshed.problems.as_slice() else { panic!("{:?}", refreshed.problems) };
        assert_eq!(problem.error.message, "4 files not read (2 png, 1 no extension, 1 rar)");
    }
}

/// LB-01: of a file whose ending is unknown the first bytes tell whether it is read; copies that stand beside their originals are not.
#[test]
fn lb_01_texts_with_unknown_endings_are_read() {
    let large = "tide\n".repeat(usize::try_from(crate::core::base::limits::UNKNOWN_FILE_BYTES).unwrap() / 4);
    let fixture = Fixture::new(&[
        ("ssh/sshd_config", "# The tide of all hosts but one.\nPort 22\n"),
        ("ssh/sshd_config.bastion1", "# The tide gate.\nPort 2222\n"),
        ("nginx.conf.web1", "# tide\nworker_processes 2;\n"),
        ("fstab.orig", "# tide\n/dev/sda1 / ext4\n"),
        ("hosts", "# tide\n"),
        ("hosts.bak", "# tide of old\n"),
        ("shadow.web1", "tide:x:1\n"),
        ("tide.blob", "tide\0\u{1}"),
        ("tide.trace7", &large),
        ("tide.map", "tide"),
    ]);
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    let read = ["fstab.orig", "hosts", "nginx.conf.web1", "ssh/sshd_config", "ssh/sshd_config.bastion1"];
    assert_eq!((all(&library), root.files), (read.map(str::to_owned).to_vec(), 5));
    let expected = [("bak", 1), ("blob", 1), ("map", 1), ("secrets", 1), ("trace7", 1)];
    assert_eq!(skipped(&refreshed.skipped), expected);
    // A second look counts the same, and what has become text is read.
    assert_eq!(skipped(&library.refresh(&[], NEVER).unwrap().skipped), expected);
    fixture.write("tide.blob", "The tide is text now.\n");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -0 =5 problems 1");
    fixture.write("tide.blob", "tide\0\u{1}");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =5 problems 1");
    // As a root of its own, what is no text is refused.
    assert!(library.add(&fixture.docs().join("tide.blob"), None, NEVER).is_err());
    assert!(library.add(&fixture.docs().join("hosts.bak"), None, NEVER).is_ok());
}

#[test]
fn a_file_that_is_refused_is_not_read_again_before_it_changes() {
    let fixture = Fixture::new(&[("a.txt", "tide\0"), ("b.md", "tide")]);
    let library = fixture.library();
    let (root, first) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, counts(&first).as_str()), (1, "+1 ~0 -0 =0 problems 1"));
    assert!(first.problems[0].error.message.contains("NUL"), "{:?}", first.problems);
    // By size and time it is as it was, so nobody looks that it could be read now.
    fixture.write("a.txt", "tides");
    let stat = file::Stat::of(&fs::metadata(fixture.docs().join("a.txt")).unwrap());
    let set_time = |ns: i64| change(&fixture, &format!("UPDATE files SET mtime_ns = {ns} WHERE path = 'a.txt'"));
    set_time(stat.changed_ns);
    assert_eq!(library.refresh(&[], NEVER).unwrap().problems, first.problems);
    set_time(stat.changed_ns - 1);
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -0 =1");
    fixture.write("a.txt", "tide\0");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =1 problems 1");
    // One that was read and is refused now leaves the index.
    fixture.write("b.md", "tide\0");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =0 problems 2");
    assert!(all(&library).is_empty());
    fixture.write("b.md", "tide again");
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -0 =0 problems 1");
}

/// LB-01: what of a file is not in the index is told at every look, and such a file counts as read.
#[test]
fn lb_01_what_is_left_out_of_a_file_is_told_as_long_as_it_holds() {
    let wide = |columns: u32| (0..columns).map(|column| format!("tide{column},")).collect::<String>();
    let fixture = Fixture::new(&[("a.csv", &wide(1_100)), ("b.md", "tide"), ("c.txt", "tide\0")]);
    let library = fixture.library();
    let (added, first) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((added.files, added.unread, counts(&first).as_str()), (2, 1, "+2 ~0 -0 =0 problems 2"));
    assert!(first.problems[0].error.message.contains("columns beyond 1024 of a sheet"), "{:?}", first.problems);
    // As it was; with another time and the same text; and as a process that has not read it sees it.
    for look in 0..3 {
        fixture.age("a.csv", look / 2);
        let library = if look == 2 { &fixture.library() } else { &library };
        let again = library.refresh(&[], NEVER).unwrap();
        assert_eq!((&again.problems, again.unread, again.unchanged), (&first.problems, 1, 2), "look {look}");
        assert_eq!(library.roots().unwrap()[0].unread, 1);
    }
    fixture.write("a.csv", &wide(9));
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~1 -0 =1 problems 1");

    let csv = wide(1_100);
    fs::create_dir(fixture.docs().join("old")).unwrap();
    super::archives::write_tar(&fixture, &[("x/a.csv", &csv)]);
    fixture.age("old/notes.tar", 1);
    for look in 0..3 {
        let told = library.refresh(&[], NEVER).unwrap().problems;
        let told =
            told.iter().filter(|problem| problem.error.message.contains("old/notes.tar!x/a.csv` is indexed without"));
        assert_eq!(told.count(), 1, "look {look}");
    }
}

#[test]
fn what_is_ignored_or_excluded_is_left_out() {
    let fixture = Fixture::new(&[
        (".gitignore", "*.log\nout/\n!keep.log\n"),
        ("a.md", "tide"),
        ("b.log", "tide"),
        ("keep.log", "tide"),
        ("out/c.md", "tide"),
        ("deep/.gitignore", "/d.md\n"),
        ("deep/d.md", "tide"),
        ("deep/e.md", "tide"),
        ("deep/er/d.md", "tide"),
        (".hidden.md", "tide"),
    ]);
    let library = fixture.library();
    let (root, _) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(all(&library), ["a.md", "deep/e.md", "deep/er/d.md", "keep.log"]);
    assert_eq!(
        skipped(&root.skipped),
        [("folder ignored by .gitignore", 1), ("hidden", 1), ("ignored by .gitignore", 2), ("marks of programs", 2)]
    );
    // What is excluded is kept with the folder.
    let choice = Choice { exclude: vec!["deep/".to_owned(), "*.log".to_owned()], hidden: true };
    library.add(&fixture.docs(), Some(choice.clone()), NEVER).unwrap();
    assert_eq!(all(&library), [".hidden.md", "a.md"]);
    let (root, _) = fixture.library().add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, root.choice), (3, choice));
    let too_many = Choice { exclude: vec!["x".to_owned(); 101], hidden: false };
    assert_eq!(library.add(&fixture.docs(), Some(too_many), NEVER).unwrap_err().code, Code::InvalidArgument);
}

/// LB-01: hidden files that say how a project is built are read; lists of what to leave out hold for them, too, and secrets are read by nobody.
#[test]
fn lb_01_hidden_files_of_projects_are_read() {
    let fixture = Fixture::new(&[
        (".gitignore", ".travis.yml\n"),
        ("a.md", "tide"),
        (".github/workflows/ci.yml", "on: tide"),
        (".github/.cache/x.yml", "on: tide"),
        (".readthedocs.yaml", "build: tide"),
        (".travis.yml", "script: tide"),
        (".circleci/config.yml", "jobs: tide"),
        (".git/config.yml", "core: tide"),
        (".env", "TOKEN=tide"),
        (".notes.md", "tide"),
        ("id_rsa", "-----BEGIN RSA PRIVATE KEY-----\ntide\n"),
        ("deploy", "-----BEGIN OPENSSH PRIVATE KEY-----\ntide\n"),
        ("server.pem", "tide"),
        (".ssh/config", "Host tide"),
        ("infra/credentials.csv", "key,tide"),
        (
            "infra/notes.yml",
            "tide: |\n  -----BEGIN PRIVATE KEY-----\n  MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n  -----END PRIVATE KEY-----\n",
        ),
    ]);
    let library = fixture.library();
    let exclude = vec![".circleci/".to_owned()];
    let choice = Choice { exclude: exclude.clone(), hidden: false };
    let (_, first) = library.add(&fixture.docs(), Some(choice), NEVER).unwrap();
    assert_eq!(all(&library), [".github/workflows/ci.yml", ".readthedocs.yaml", "a.md", "infra/notes.yml"]);
    let key = library.search("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB", &[], 5).unwrap();
    assert!(key.passages.is_empty(), "a key in another file is blotted out: {key:?}");
    let told = library.refresh(&[], NEVER).unwrap().problems;
    assert_eq!(
        told[0].error.message, "6 files and 2 folders not read (3 secrets, 2 hidden, 2 hidden folders, 1 pem)",
        "{first:?}"
    );
    // Whoever asks for hidden files gets no secrets, and never what git keeps.
    library.add(&fixture.docs(), Some(Choice { exclude, hidden: true }), NEVER).unwrap();
    let found = all(&library);
    assert!(found.contains(&".notes.md".to_owned()), "{found:?}");
    assert!(
        !found.iter().any(|path| path.contains("env")
            || path.contains("rsa")
            || path.contains(".git/")
            || path.contains(".ssh")),
        "{found:?}"
    );
}

#[test]
fn the_source_of_a_page_loses_against_the_page() {
    let fixture = Fixture::new(&[
        ("html/a/x.html", "<p>tide</p>"),
        ("html/_sources/a/x.rst.txt", "tide"),
        ("html/_sources/a/y.rst.txt", "tide"),
        ("html/_sources/z.md.txt", "tide"),
    ]);
    let library = fixture.library();
    let (root, _) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(all(&library), ["html/_sources/a/y.rst.txt", "html/_sources/z.md.txt", "html/a/x.html"]);
    assert_eq!(skipped(&root.skipped), [("source of a page", 1)]);
}

/// LB-01: a disk that is not mounted takes neither the index nor the texts with it.
#[test]
fn a_folder_that_is_empty_all_at_once_keeps_its_index() {
    let text = "---\ntitle: T\n---\n\n# Tides\n\nThe tide.\n\n\n## Ebb\n\nThe tide goes.  \n\n<!-- end -->\n";
    let fixture = Fixture::new(&[("a.md", text)]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let found = library.search("tide", &[], 1).unwrap().passages.remove(0);
    let page = PageRef { root: found.root, path: found.path, title: found.title, page: found.page };
    let whole = library.document(&page).unwrap();
    fs::remove_file(fixture.docs().join("a.md")).unwrap();
    let goes_on = |message: &str| {
        for roots in [vec![], vec![fixture.root()]] {
            let refreshed = library.refresh(&roots, NEVER).unwrap();
            let error = &refreshed.problems[0].error;
            assert!(error.message.contains(message), "{error}");
            assert!(error.message.contains("what was indexed before"), "{error:?}");
        }
        assert_eq!(all(&library), ["a.md"]);
        let kept = fixture.library().document(&page).unwrap();
        assert_eq!((kept.text.as_str(), kept.passages), (text, whole.passages.clone()));
    };
    goes_on("is empty now, and 1 file of it was indexed");
    // A hidden file may mark where a disk is mounted.
    fs::write(fixture.docs().join(".keep"), "").unwrap();
    goes_on("is empty now, and 1 file of it was indexed");
    assert_eq!(library.roots().unwrap()[0].absent, Some("it is empty"));
    fs::remove_file(fixture.docs().join(".keep")).unwrap();
    // Gone altogether, it says so, and loses nothing either.
    fs::remove_dir(fixture.docs()).unwrap();
    goes_on("there is no folder or file");
    assert_eq!(library.roots().unwrap()[0].absent, Some("it is not there, or cannot be read"));
    // Who adds it again says that it is meant to be so.
    fs::create_dir(fixture.docs()).unwrap();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, counts(&refreshed).as_str()), (0, "+0 ~0 -1 =0"));
    assert!(all(&library).is_empty());
    assert_eq!(library.roots().unwrap()[0].absent, None);
    fs::remove_dir(fixture.docs()).unwrap();
    assert_eq!(library.roots().unwrap()[0].absent, Some("it is not there, or cannot be read"));
}

/// LB-01: no disk leaves folders behind, so whoever deletes the last document has deleted it.
#[test]
fn lb_01_a_root_with_empty_folders_is_not_an_empty_mount_point() {
    let fixture = Fixture::new(&[("a.md", "The tide goes."), ("sub/b.md", "The tide comes.")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for name in ["a.md", "sub/b.md"] {
        fs::remove_file(fixture.docs().join(name)).unwrap();
        let told = counts(&library.refresh(&[fixture.root()], NEVER).unwrap());
        assert!(told.starts_with("+0 ~0 -1"), "{name}: {told}");
    }
    assert!(all(&library).is_empty());
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -0 =0");
}

#[test]
fn a_pipe_in_the_place_of_a_list_does_not_stop_the_walk() {
    let fixture = Fixture::new(&[("a.md", "tide")]);
    let pipe = fixture.docs().join(".gitignore");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let library = fixture.library();
    assert_eq!(library.add(&fixture.docs(), None, NEVER).unwrap().0.files, 1);
}

/// LB-02: an identifier is found by its words, and by itself.
#[test]
fn lb_02_identifiers_are_found_by_their_words() {
    let fixture = Fixture::new(&[
        ("a.md", "# Settings\n\n- `maxGadgetCount`: 12 unless set.\n"),
        ("b.md", "# Others\n\n- `JavaScript` is read, and so is `gadgetry`.\n"),
    ]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for (question, file) in [
        ("What is the gadget count?", Some("a.md")),
        ("maxGadgetCount", Some("a.md")),
        ("maxgadgetcount", Some("a.md")),
        ("java", None),
    ] {
        let found = library.search(question, &[], 10).unwrap();
        assert_eq!(paths(&found).first().copied(), file, "{question}");
    }
}
