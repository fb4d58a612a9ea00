//! Archives: the files in them, and what is made to take a reader down.

use super::archive;
use crate::core::base::limits;
use crate::core::text::Unreadable;
use crate::core::text::archive::{ArchiveKind, Unpacked, kind_of, split, unpacked};

/// An entry of a tar of this type.
fn entry(name: &str, kind: u8, data: &[u8]) -> Vec<u8> {
    let mut head = vec![0_u8; 512];
    let mut put = |at: usize, bytes: &[u8]| head[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, name.as_bytes());
    put(124, format!("{:011o}\0", data.len()).as_bytes());
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\0");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let padding = vec![0; data.len().div_ceil(512) * 512 - data.len()];
    [head, data.to_vec(), padding].concat()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, bytes).unwrap();
    packer.finish().unwrap()
}

fn names(unpacked: &Unpacked) -> Vec<&str> {
    unpacked.files.iter().map(|file| file.name.as_str()).collect()
}

fn all(kind: ArchiveKind, bytes: &[u8]) -> Result<Unpacked, Unreadable> {
    unpacked(kind, bytes, &mut |_| true)
}

#[test]
fn files_of_archives_are_unpacked_by_name() {
    let long = format!("{}/x.md", "folder".repeat(30));
    let record = format!("path={long}\n");
    let record = format!("{} {record}", record.len() + 4);
    let tar = [
        entry("docs/", b'5', b""),
        entry("docs/a.md", b'0', b"tide"),
        entry("link.md", b'2', b""),
        entry("././@LongLink", b'L', long.as_bytes()),
        entry("cut", b'0', b"one"),
        entry("PaxHeader/x", b'x', record.as_bytes()),
        entry("cut", 0, b"two"),
        vec![0; 1024],
    ]
    .concat();
    for (kind, bytes) in [(ArchiveKind::Tar, tar.clone()), (ArchiveKind::TarGz, packed(&tar))] {
        let found = all(kind, &bytes).unwrap();
        assert_eq!(names(&found), ["docs/a.md", &long, &long]);
        assert_eq!(found.files[0].bytes, Ok(b"tide".to_vec()));
        assert!(!found.has_more);
    }
    let zip = archive(&[("b/", b""), ("b/c.md", b"tide"), ("a.png", b"x")], true);
    let found = unpacked(ArchiveKind::Zip, &zip, &mut |name| name.ends_with(".md")).unwrap();
    assert_eq!(names(&found), ["b/c.md"]);
    for (name, expected) in [
        ("a.ZIP", Some(ArchiveKind::Zip)),
        ("a.tar.gz", Some(ArchiveKind::TarGz)),
        ("a.tgz", Some(ArchiveKind::TarGz)),
        (".zip", None),
        ("a.gz", None),
        ("zip", None),
    ] {
        assert_eq!(kind_of(name), expected, "{name}");
    }
    for (path, expected) in [
        ("d/a.zip!docs/x.md", Some(("d/a.zip", "docs/x.md"))),
        ("wow!.md", None),
        ("wow!/a.tar!x!.md", Some(("wow!/a.tar", "x!.md"))),
        ("a.zip!", None),
        ("a.zip", None),
    ] {
        assert_eq!(split(path), expected, "{path}");
    }
}

#[test]
fn archives_that_unpack_without_end_are_cut() {
    // One file that is nothing but blanks, and many that are too much together.
    let blanks = vec![b' '; limits::BUNDLE_BYTES];
    let bomb = archive(&[("a.txt", &blanks), ("b.txt", b"tide")], true);
    let found = all(ArchiveKind::Zip, &bomb).unwrap();
    assert_eq!(found.files[0].bytes, Err(Unreadable::TooLarge));
    assert_eq!(found.files[1].bytes, Ok(b"tide".to_vec()));
    let tar: Vec<u8> =
        (0..5).flat_map(|number| entry(&number.to_string(), b'0', &blanks[..limits::BUNDLE_BYTES / 4])).collect();
    let found = all(ArchiveKind::Tar, &tar).unwrap();
    assert!(found.has_more && found.files.len() == 4, "{:?}", names(&found));
    let found = all(ArchiveKind::TarGz, &packed(&tar)).unwrap();
    assert!(found.has_more && found.files.len() <= 4, "{:?}", names(&found));
    let many: Vec<u8> = (0..limits::BUNDLE_ENTRIES + 5).flat_map(|_| entry("x", b'0', b"")).collect();
    let found = all(ArchiveKind::Tar, &many).unwrap();
    assert_eq!((found.files.len(), found.has_more), (limits::BUNDLE_ENTRIES, true));
}

#[test]
fn archives_that_lie_are_refused_or_cut() {
    let tar = [entry("a.md", b'0', b"tide"), entry("b.md", b'0', b"ebb")].concat();
    for at in 0..tar.len() {
        let mut wrong = tar.clone();
        wrong[at] ^= 0xff;
        let _read_or_refused = all(ArchiveKind::Tar, &wrong);
        let _read_or_refused = all(ArchiveKind::Tar, &tar[..at]);
    }
    assert!(all(ArchiveKind::Tar, b"no archive").unwrap().has_more);
    assert!(all(ArchiveKind::TarGz, b"no archive").is_err() && all(ArchiveKind::Zip, b"no archive").is_err());
    let huge = [entry("a.md", b'0', b""), vec![]].concat();
    let mut lies = huge.clone();
    lies[124..135].copy_from_slice(b"77777777777");
    assert!(all(ArchiveKind::Tar, &lies).is_err(), "its sum does not fit");
}
