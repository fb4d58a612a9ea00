//! Disks that are mounted in folders of a root, and go.

use std::sync::Mutex;

use super::*;

/// The table of mounts as the library is told it. Tests run side by side: each has its own.
macro_rules! table {
    () => {{
        static TABLE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
        (&TABLE, || Some(TABLE.lock().unwrap().clone()))
    }};
}

fn mount(table: &Mutex<Vec<u8>>, folders: &[PathBuf]) {
    let line = |folder: &PathBuf| format!("36 35 8:1 / {} rw - ext4 /dev/sdb1 rw\n", folder.display());
    *table.lock().unwrap() = folders.iter().map(line).collect::<String>().into_bytes();
}

fn found(library: &Library, query: &str) -> Vec<String> {
    let found = library.search(query, &[], 10).unwrap();
    found.passages.into_iter().map(|passage| passage.path).collect()
}

fn told(refreshed: &Refreshed) -> Vec<&str> {
    refreshed.problems.iter().map(|problem| problem.error.message.as_str()).collect()
}

/// LB-01: what lies on a disk that is not mounted was not deleted. It is answered from what was indexed, and told, until it is back.
#[test]
fn lb_01_a_disk_in_a_root_that_goes_loses_nothing() {
    for leaves_folder in [true, false] {
        let (table, mounted) = table!();
        let fixture = Fixture::new(&[("a.md", "The tide."), ("disk/b.md", "The tide."), ("disk/deep/c.md", "A reef.")]);
        let disk = fixture.docs().join("disk");
        let mut library = fixture.library();
        library.watches.mounted = mounted;
        mount(table, &[fixture.docs(), disk.clone()]);
        library.add(&fixture.docs(), None, NEVER).unwrap();
        let page = super::changing::page_of(&library, "reef");
        let elsewhere = fixture.dir.path().join("elsewhere");
        fs::rename(&disk, &elsewhere).unwrap();
        if leaves_folder {
            fs::create_dir(&disk).unwrap();
        }
        mount(table, &[fixture.docs()]);
        for _ in 0..3 {
            let refreshed = library.refresh(&[], NEVER).unwrap();
            assert_eq!(counts(&refreshed), "+0 ~0 -0 =3 problems 1");
            let says = format!("the disk in `{}` is not mounted; 2 files of it are searched", disk.display());
            assert!(told(&refreshed)[0].starts_with(&says), "{refreshed:?}");
            assert_eq!(found(&library, "tide"), ["a.md", "disk/b.md"]);
            assert_eq!(fixture.library().read(&page).unwrap().text, "A reef.");
            let root = &library.roots().unwrap()[0];
            assert_eq!((root.files, root.absent, root.disks_away.as_slice()), (3, None, &["disk".to_owned()][..]));
        }
        // Back again, with what was changed meanwhile.
        fs::remove_file(elsewhere.join("deep/c.md")).unwrap();
        if leaves_folder {
            fs::remove_dir(&disk).unwrap();
        }
        fs::rename(&elsewhere, &disk).unwrap();
        mount(table, &[fixture.docs(), disk.clone()]);
        assert_eq!(library.roots().unwrap()[0].disks_away, [""; 0]);
        assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =2");
        assert_eq!(found(&library, "reef"), [""; 0]);
    }
}

/// LB-01: what is deleted is deleted, on a disk or not, and whoever adds the root again means it as it is.
#[test]
fn lb_01_what_is_deleted_does_not_stay_for_a_disk() {
    let (table, mounted) = table!();
    let fixture = Fixture::new(&[("a.md", "The tide."), ("disk/b.md", "The tide."), ("folder/c.md", "The tide.")]);
    let [disk, folder] = ["disk", "folder"].map(|name| fixture.docs().join(name));
    let mut library = fixture.library();
    library.watches.mounted = mounted;
    mount(table, std::slice::from_ref(&disk));
    library.add(&fixture.docs(), None, NEVER).unwrap();
    // Another folder without a disk is emptied.
    fs::remove_file(folder.join("c.md")).unwrap();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =2");
    // Something else lies where the disk was.
    mount(table, &[]);
    fixture.write("disk/d.md", "The ebb.");
    fs::rename(disk.join("b.md"), fixture.dir.path().join("b.md")).unwrap();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+1 ~0 -1 =1");
    // The disk is emptied while it is mounted.
    mount(table, std::slice::from_ref(&disk));
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -0 =2");
    fs::remove_file(disk.join("d.md")).unwrap();
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -1 =1");
    // It goes with documents, and is not to come back.
    fixture.write("disk/e.md", "The ebb.");
    library.refresh(&[], NEVER).unwrap();
    fs::remove_file(disk.join("e.md")).unwrap();
    mount(table, &[]);
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -0 =2 problems 1");
    let (root, refreshed) = library.add(&fixture.docs(), None, NEVER).unwrap();
    assert_eq!((root.files, counts(&refreshed).as_str()), (1, "+0 ~0 -1 =1"));
    assert_eq!(counts(&library.refresh(&[], NEVER).unwrap()), "+0 ~0 -0 =1");
}
