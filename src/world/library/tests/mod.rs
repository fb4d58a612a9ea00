//! The library on real folders, alone and shared.

pub(super) mod archives;
mod changing;
mod disks;
mod hostile;
mod kinds;
mod languages;
mod nested;
mod pdfs;
mod registered;
mod shared;
mod watch;
mod wide;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::*;
use crate::core::evidence::passage::Passage;

/// A folder of documents, and a library beside it.
struct Fixture {
    dir: tempfile::TempDir,
}

const MAX_FILE_BYTES: u64 = 1_000_000;
const NEVER: &dyn Fn() -> bool = &|| false;

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let fixture = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(fixture.docs()).unwrap();
        for (path, text) in files {
            fixture.write(path, text);
        }
        fixture
    }

    fn docs(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("docs")
    }

    fn root(&self) -> String {
        self.docs().to_str().unwrap().to_owned()
    }

    /// Another process's view, as far as the library can tell.
    fn library(&self) -> Library {
        Library::new(&self.dir.path().join("data/library"), MAX_FILE_BYTES)
    }

    fn write(&self, path: &str, text: &str) {
        let full = self.docs().join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, text).unwrap();
    }

    /// Makes a file look as if it had been written long ago.
    fn age(&self, path: &str, hours: u64) {
        let file = fs::File::options().append(true).open(self.docs().join(path)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000 - hours * 3_600)).unwrap();
    }

    /// The index directories of the library.
    fn indexes(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.dir.path().join("data/library")).unwrap();
        entries.map(|entry| entry.unwrap().path().join("index")).filter(|path| path.is_dir()).collect()
    }
}

/// `added/changed/removed/unchanged`, and the number of problems.
fn counts(refreshed: &Refreshed) -> String {
    let Refreshed { added, changed, removed, unchanged, problems, more_problems: _, skipped: _, unread: _ } = refreshed;
    let problems = if problems.is_empty() { String::new() } else { format!(" problems {}", problems.len()) };
    format!("+{added} ~{changed} -{removed} ={unchanged}{problems}")
}

fn paths(found: &FoundPassages) -> Vec<&str> {
    assert_eq!(found.problems, []);
    found.passages.iter().map(|passage| passage.path.as_str()).collect()
}

const TRENCH: &str = "# Trenches\n\nIntro.\n\n## Mariana\n\nThe Challenger Deep is 10,935 metres deep.\n";

#[test]
fn a_folder_is_indexed_searched_and_read() {
    let packed = format!("search({{\"mariana\": [{}]}})", "17, ".repeat(1_000));
    let fixture = Fixture::new(&[
        ("trench.md", TRENCH),
        ("searchindex.js", &packed),
        ("sub/reef.txt", "Corals live in warm shallow water."),
        ("page.html", "<title>Vents</title><nav>Mariana</nav>\n<p>Black smokers are hot &amp; deep.</p>"),
        (".hidden/x.md", "mariana"),
        ("node_modules/x.md", "mariana"),
        ("picture.png", "mariana"),
    ]);
    let library = fixture.library();
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!(counts(&refreshed), "+3 ~0 -0 =0");
    assert_eq!((root.path.as_str(), root.files, root.passages), (fixture.root().as_str(), 3, 4));
    assert_eq!(
        root.skipped.to_string(),
        "2 files and 2 folders not read (1 folder made by tools, 1 hidden folder, 1 made by tools, 1 png)"
    );
    assert_eq!(library.roots().unwrap(), [root]);

    let found = library.search("How deep is the Mariana trench, exactly?", &[], 10).unwrap();
    let terms: Vec<_> = found.terms.iter().map(|term| term.text.as_str()).collect();
    assert_eq!(terms, ["deep", "mariana", "trench", "exact"]);
    let exact = found.terms.get(3).unwrap().weight;
    assert!(found.terms.iter().take(3).all(|term| term.weight < exact), "a term that stands nowhere weighs most");
    assert_eq!(paths(&found), ["trench.md", "page.html", "trench.md"]);
    let best = found.passages.first().unwrap();
    assert_eq!(best.text, "The Challenger Deep is 10,935 metres deep.");
    assert_eq!(
        (best.title.as_str(), best.headings.as_slice()),
        ("Trenches", ["Trenches", "Mariana"].map(str::to_owned).as_slice())
    );
    assert_eq!((best.lines.first, best.lines.last, best.matched.as_slice()), (7, 7, [0, 1, 2].as_slice()));

    for passage in &found.passages {
        let Passage { root, path, title, page, .. } = passage.clone();
        let text = library.read(&PageRef { root, path, title, page }).unwrap().text;
        let span = usize::try_from(passage.span.start).unwrap()..usize::try_from(passage.span.end).unwrap();
        assert_eq!(text.get(span), Some(passage.text.as_str()));
    }
}

#[test]
fn only_what_changed_is_read_again() {
    let fixture = Fixture::new(&[("a.md", "alpha"), ("b.md", "beta"), ("c.md", "gamma")]);
    let library = fixture.library();
    let step = |expected: &str| assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), expected);
    for name in ["a.md", "b.md", "c.md"] {
        fixture.age(name, 1);
    }
    library.add(&fixture.docs(), None, NEVER).unwrap();
    step("+0 ~0 -0 =3");

    fixture.write("a.md", "delta");
    fs::remove_file(fixture.docs().join("b.md")).unwrap();
    fixture.write("d.md", "epsilon");
    fixture.age("c.md", 2);
    step("+1 ~1 -1 =1");
    assert_eq!(paths(&library.search("alpha beta gamma delta epsilon", &[], 10).unwrap()).len(), 3);
    assert_eq!(paths(&library.search("alpha beta", &[], 10).unwrap()), [""; 0]);
    assert_eq!(library.roots().unwrap().first().map(|root| (root.files, root.passages)), Some((3, 3)));

    // The same size and time, but fresh when it was indexed: the content decides.
    let written = fs::metadata(fixture.docs().join("d.md")).unwrap().modified().unwrap();
    fixture.write("d.md", "EPSILON");
    fs::File::options().append(true).open(fixture.docs().join("d.md")).unwrap().set_modified(written).unwrap();
    step("+0 ~1 -0 =2");
    step("+0 ~0 -0 =3");

    fs::rename(fixture.docs().join("a.md"), fixture.docs().join("z.md")).unwrap();
    step("+1 ~0 -1 =2");
    assert_eq!(paths(&library.search("delta", &[], 10).unwrap()), ["z.md"]);
}

#[test]
fn an_unchanged_library_is_not_written() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    fixture.age("a.md", 1);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let commit = || fs::read(index::file_of(fixture.indexes().first().unwrap()).unwrap()).unwrap();
    let before = commit();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -0 =1");
    assert_eq!(commit(), before);
}

#[test]
fn a_single_file_is_a_root_and_a_visited_folder_is_not_registered() {
    let fixture = Fixture::new(&[("a.md", "alpha beta"), ("b.md", "alpha")]);
    let library = fixture.library();
    let file = fixture.docs().join("a.md");
    let (root, _) = library.add(&file, None, NEVER).unwrap();
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), ["a.md"]);

    assert_eq!(counts(&library.refresh(&[fixture.root()], NEVER).unwrap()), "+2 ~0 -0 =0");
    assert_eq!(library.roots().unwrap(), std::slice::from_ref(&root));
    // Both roots hold `a.md`; it is found once.
    let both = [fixture.root(), root.path.clone()];
    assert_eq!(paths(&library.search("alpha beta", &both, 10).unwrap()), ["a.md", "b.md"]);

    let passage = library.search("beta", &[], 1).unwrap().passages.remove(0);
    let page = PageRef { root: passage.root, path: passage.path, title: passage.title, page: passage.page };
    assert_eq!(library.read(&page).unwrap().text, "alpha beta");
    assert_eq!(library.remove(&file).unwrap(), root);
    assert_eq!(library.roots().unwrap(), []);
    assert_eq!(paths(&library.search("alpha", &[], 10).unwrap()), [""; 0]);
}

#[test]
fn scores_of_several_roots_are_comparable() {
    let fixture =
        Fixture::new(&[("one/a.md", "whale whale song"), ("one/b.md", "ship"), ("two/c.md", "whale ship harbour")]);
    for n in 0..20 {
        fixture.write(&format!("two/{n}.md"), "whale and nothing else of interest");
    }
    let library = fixture.library();
    let roots = [fixture.docs().join("one"), fixture.docs().join("two")].map(|path| path.to_str().unwrap().to_owned());
    library.refresh(&roots, NEVER).unwrap();
    let split = library.search("whale song", &roots, 30).unwrap();
    library.refresh(&[fixture.root()], NEVER).unwrap();
    let whole = library.search("whale song", &[fixture.root()], 30).unwrap();
    assert_eq!(split.terms, whole.terms);
    let ranked = |found: &FoundPassages| -> Vec<_> {
        found.passages.iter().map(|p| (p.text.clone(), p.matched.clone())).collect()
    };
    assert_eq!(ranked(&split).first(), ranked(&whole).first());
    assert_eq!(split.passages.len(), whole.passages.len());
}

/// Segments of the first index, and chunks in them that are dead.
fn segments(fixture: &Fixture) -> (usize, usize) {
    let opened = Opened::open(fixture.indexes().first().unwrap()).unwrap().unwrap();
    opened.at_last_commit(|index| Ok((index.segments.len(), index.dead.len()))).unwrap()
}

#[test]
fn an_index_that_grew_finds_what_a_new_one_finds() {
    let fixture = Fixture::new(&[]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let (mut most_segments, mut most_dead) = (0, 0);
    for round in 0..63_u32 {
        let text: String = (0..40).map(|n| format!("word{} ", round * 7 % 11 + n * n % 13)).collect();
        fixture.write(&format!("{}.md", round % 23), &format!("# Round {round}\n\n{text}\n\n## Last\n\nalpha"));
        if round % 5 == 4 {
            fs::remove_file(fixture.docs().join(format!("{}.md", (round - 2) % 23))).unwrap();
        }
        assert_eq!(library.refresh(&[], NEVER).unwrap().problems, []);
        let (segments, dead) = segments(&fixture);
        (most_segments, most_dead) = (most_segments.max(segments), most_dead.max(dead));
    }
    // Both kinds of merging have happened, or there would be a segment for each round and a dead chunk for most.
    assert!((2..20).contains(&most_segments) && (2..20).contains(&most_dead), "{most_segments} {most_dead}");
    assert!(segments(&fixture).1 > 0, "some of what left the library is still in a segment");

    let fresh = Library::new(&fixture.dir.path().join("data/fresh"), MAX_FILE_BYTES);
    fresh.add(&fixture.docs(), None, NEVER).unwrap();
    for question in ["word3 word12", "alpha", "round 41 last", "word1 word2 word4 word8 word16"] {
        let found = |library: &Library| {
            let found = library.search(question, &[], 500).unwrap();
            assert!(!found.passages.is_empty(), "{question}");
            found
        };
        // With the weights of terms and the scores of passages: what is gone counts for neither.
        assert_eq!(found(&library), found(&fresh), "{question}");
    }
}

#[test]
fn indexes_of_visited_folders_are_bounded() {
    let fixture = Fixture::new(&[("kept/a.md", "alpha")]);
    let library = fixture.library();
    library.add(&fixture.docs().join("kept"), None, NEVER).unwrap();
    for n in 0..limits::LIBRARY_VISITED + 3 {
        fixture.write(&format!("visited{n}/a.md"), "alpha");
        let root = fixture.docs().join(format!("visited{n}")).to_str().unwrap().to_owned();
        library.refresh(&[root], NEVER).unwrap();
    }
    assert_eq!(fixture.indexes().len(), limits::LIBRARY_VISITED + 1);
    assert_eq!(library.roots().unwrap().len(), 1);
}

#[test]
fn searches_without_an_answer_are_empty() {
    let fixture = Fixture::new(&[("a.md", "alpha")]);
    let library = fixture.library();
    assert_eq!(
        library.search("alpha", &[], 10).unwrap(),
        FoundPassages {
            terms: library.search("alpha", &[], 10).unwrap().terms,
            searched: Some(0),
            ..FoundPassages::default()
        }
    );
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for (query, limit) in [("", 10), ("the of", 10), ("\u{0}\u{7}", 10), ("omega", 10), ("alpha", 0)] {
        assert_eq!(paths(&library.search(query, &[], limit).unwrap()), [""; 0], "{query:?}");
    }
    let many: String = (0..5_000).map(|n| format!("word{n} ")).collect();
    assert_eq!(library.search(&format!("{many} alpha"), &[], 10).unwrap().terms.len(), limits::LIBRARY_TERMS);
    let nowhere = library.search("alpha", &["/nowhere".to_owned()], 10).unwrap();
    assert_eq!(nowhere.problems.first().map(|problem| problem.error.code), Some(Code::LibraryNotFound));
}

/// LB-02: a word that stands nowhere is taken for the nearest one that does, as the documents write it; a name that is near none is not.
#[test]
fn typos_are_respelt() {
    let fixture = Fixture::new(&[
        (
            "a.md",
            "# Replication\n\nThe Database replicates its partitions at night. The kernel is not involved. Over Wi-Fi, max_open_partitions is lower.",
        ),
        (
            "b.md",
            "# Lark\n\nA doi and a lark sing. Time after time the tyres wear out. Configuration of the kernel is described elsewhere.",
        ),
    ]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for (query, want) in [
        ("the MaxOpenPartitions of the data base", Some("the max_open_partitions of the Database")),
        ("replicate teh database", Some("replicate the database")),
        // Two spellings of one word are no error.
        ("When are the tires worn?", None),
        ("the maxopen partitions of wifi", Some("the max_open partitions of Wi-Fi")),
        ("How does the databse replicate?", Some("How does the Database replicate?")),
        ("configuraton of the kernle", Some("Configuration of the kernel")),
        // Only the word itself, wherever else its letters stand, and every time that it stands there.
        ("superkernle kernle, Kernle", Some("superkernle kernel, kernel")),
        ("How do I replicate the database?", None),
        ("What does the zeppelin do?", None),
        ("postgrest x86_64 utf8", None),
    ] {
        let found = library.search_within(query, &[], 10, Reach::Respelled).unwrap();
        assert_eq!(
            found.passages.is_empty(),
            query.starts_with("What does the zeppelin") || query.starts_with("postgrest")
        );
        assert_eq!(found.respelled.map(|respelled| respelled.query).as_deref(), want, "{query}");
        assert_eq!(library.search(query, &[], 10).unwrap().respelled, None, "only where it is asked for");
    }
}
