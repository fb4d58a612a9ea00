//! Archives: the files in them, and what is made to take a reader down.

use super::archive;
use crate::core::base::limits;
use crate::core::text::Unreadable;
use crate::core::text::archive::{ArchiveKind, Unpacked, Wish, kind_of, split, unpacked};

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
    unpacked(kind, bytes, &mut |_| Wish::Take)
}

#[test]
fn files_of_archives_are_unpacked_by_name() {
    let long = format!("{}/x.md", "folder".repeat(30));
    let record = format!("path={long}\n");
    let record = format!("{} {record}", record.len() + 4);
    let tar = [
        entry("docs/", b'5', b""),
        entry("./docs/a.md", b'0', b"tide"),
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
        assert_eq!(names(&found), ["docs/a.md", &long]);
        assert_eq!(found.files[1].bytes, Ok(b"two".to_vec()), "what unpacking would leave");
        assert_eq!(found.files[0].bytes, Ok(b"tide".to_vec()));
        assert!(!found.has_more);
    }
    let zip = archive(&[("b/", b""), ("b/c.md", b"tide"), ("a.png", b"x")], true);
    let mut texts = |name: &str| if name.ends_with(".md") { Wish::Take } else { Wish::Leave };
    let found = unpacked(ArchiveKind::Zip, &zip, &mut texts).unwrap();
    assert_eq!(names(&found), ["b/c.md"]);
    for (kind, bytes) in [(ArchiveKind::Zip, zip), (ArchiveKind::Tar, tar)] {
        assert_eq!(names(&unpacked(kind, &bytes, &mut |_| Wish::End).unwrap()), [""; 0], "{kind:?}");
    }
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

/// An archive that ends early is not taken for one that is too large.
#[test]
fn archives_that_are_cut_off_say_so() {
    let noise: Vec<u8> = (0..40_000_u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    let tar = [entry("a.md", b'0', b"tide"), entry("b.md", b'0', &noise), vec![0; 1024]].concat();
    let zipped = packed(&tar);
    let cut = [
        (ArchiveKind::Tar, &tar[..5_000]),
        // Between two files.
        (ArchiveKind::Tar, &tar[..1_024]),
        (ArchiveKind::TarGz, &zipped[..zipped.len() / 2]),
    ];
    for (kind, bytes) in cut {
        let found = all(kind, bytes).unwrap();
        assert_eq!((names(&found), found.has_more, found.cut_off), (vec!["a.md"], false, true), "{kind:?}");
    }
    assert!(!all(ArchiveKind::TarGz, &zipped).unwrap().cut_off);
}

/// Programs of Windows write `\\`, others begin with `./`: one name is one file, whoever packed it.
#[test]
fn names_in_archives_are_plain() {
    let files: [(&str, &[u8]); 6] = [
        ("./a.md", b"1"),
        ("docs/./b.md", b"2"),
        ("docs\\c.md", b"3"),
        ("node_modules\\d.md", b"4"),
        ("e//f.md", b"5"),
        ("folder\\", b""),
    ];
    let found = all(ArchiveKind::Zip, &archive(&files, true)).unwrap();
    assert_eq!(names(&found), ["a.md", "docs/b.md", "docs/c.md", "e/f.md", "node_modules/d.md"]);
    let tar = [entry("./x/./a.md", b'0', b"old"), entry("x/a.md", b'0', b"new"), entry("/../b", b'0', b"")].concat();
    let found = all(ArchiveKind::Tar, &tar).unwrap();
    assert_eq!((names(&found), &found.files[0].bytes), (vec!["x/a.md", "/../b"], &Ok(b"new".to_vec())));
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
    let many: Vec<u8> =
        (0..limits::BUNDLE_ENTRIES + 5).flat_map(|number| entry(&number.to_string(), b'0', b"")).collect();
    let found = all(ArchiveKind::Tar, &many).unwrap();
    assert_eq!((found.files.len(), found.has_more), (limits::BUNDLE_ENTRIES, true));
}

/// Entries that are given up cost what they were unpacked to, and those that share their bytes cost them each time.
#[test]
fn the_effort_for_an_archive_is_bounded() {
    let blanks = vec![b' '; limits::BUNDLE_BYTES + 1];
    let many: Vec<(String, &[u8])> = (0..40).map(|number| (format!("{number:02}.txt"), blanks.as_slice())).collect();
    let entries: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let found = all(ArchiveKind::Zip, &archive(&entries, true)).unwrap();
    assert!(found.has_more && found.files.len() < 25, "{} were tried", found.files.len());
    assert!(found.files.iter().all(|file| file.bytes == Err(Unreadable::TooLarge)));
    // One run of blocks that hold nothing, a megabyte of them, as the bytes of a thousand entries.
    let nothing = [[0, 0, 0, 0xff, 0xff].repeat(200_000), vec![1, 0, 0, 0xff, 0xff]].concat();
    let found = all(ArchiveKind::Zip, &shared(&nothing, 1_000)).unwrap();
    assert!(found.has_more && (100..150).contains(&found.files.len()), "{} were tried", found.files.len());
    assert_eq!(found.files[0].bytes, Ok(Vec::new()));
}

/// So many entries with the same packed bytes.
fn shared(data: &[u8], count: u16) -> Vec<u8> {
    let size = u32::try_from(data.len()).unwrap().to_le_bytes();
    let common = |name: &str| {
        [&[0, 0, 8, 0][..], &[0; 8], &size, &[0; 4], &u16::try_from(name.len()).unwrap().to_le_bytes(), &[0, 0]]
            .concat()
    };
    let mut file = [&b"PK\x03\x04\x14\0"[..], &common("x"), b"x", data].concat();
    let start = u32::try_from(file.len()).unwrap().to_le_bytes();
    for number in 0..count {
        let name = format!("{number}.txt");
        file.extend([&b"PK\x01\x02\x14\0\x14\0"[..], &common(&name), &[0; 14], name.as_bytes()].concat());
    }
    let counts = [count.to_le_bytes(), count.to_le_bytes()].concat();
    file.extend([&b"PK\x05\x06\0\0\0\0"[..], &counts, &[0; 4], &start, &[0, 0]].concat());
    file
}

/// Numbers that do not fit stand in wide fields; programs that write as they go use them for small files too.
#[test]
fn zip64_is_read() {
    let data = b"tide";
    let common = |sizes: &[u8], extra: u16| [&[0, 0, 0, 0][..], &[0; 8], sizes, &[4, 0], &extra.to_le_bytes()].concat();
    let size = 4_u64.to_le_bytes();
    let small = [4, 0, 0, 0, 4, 0, 0, 0];
    let head = [&b"PK\x03\x04\x2d\0"[..], &common(&small, 0), b"a.md", data].concat();
    let wide = [&[9, 9, 2, 0, 7, 7, 1, 0, 24, 0][..], &size, &size, &0_u64.to_le_bytes()].concat();
    let extra = u16::try_from(wide.len()).unwrap();
    let listed =
        [&b"PK\x01\x02\x2d\0\x2d\0"[..], &common(&[0xff; 8], extra), &[0; 10], &[0xff; 4], b"a.md", &wide].concat();
    let (start, at) = (u64::try_from(head.len()).unwrap(), u64::try_from(head.len() + listed.len()).unwrap());
    let one = 1_u64.to_le_bytes();
    let wide_end =
        [&b"PK\x06\x06"[..], &44_u64.to_le_bytes(), &[0; 12], &one, &one, &[0; 8], &start.to_le_bytes()].concat();
    let locator = [&b"PK\x06\x07\0\0\0\0"[..], &at.to_le_bytes(), &[1, 0, 0, 0]].concat();
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &[0xff; 12], &[0, 0]].concat();
    let zip = [head, listed, wide_end, locator, end].concat();
    let found = all(ArchiveKind::Zip, &zip).unwrap();
    assert_eq!(names(&found), ["a.md"]);
    assert_eq!(found.files[0].bytes, Ok(b"tide".to_vec()));
    for at in 0..zip.len() {
        let mut wrong = zip.clone();
        wrong[at] ^= 0xff;
        let _read_or_refused = all(ArchiveKind::Zip, &wrong);
    }
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
    assert!(all(ArchiveKind::Tar, b"no archive").unwrap().cut_off);
    assert!(all(ArchiveKind::TarGz, b"no archive").is_err() && all(ArchiveKind::Zip, b"no archive").is_err());
    let huge = [entry("a.md", b'0', b""), vec![]].concat();
    let mut lies = huge.clone();
    lies[124..135].copy_from_slice(b"77777777777");
    assert!(all(ArchiveKind::Tar, &lies).is_err(), "its sum does not fit");
}

/// A part of a mail, a part that is a file, and a message of parts.
fn part(head: &str, body: &str) -> String {
    format!("--b\n{head}\n\n{body}\n")
}

fn attached(name: &str, body: &str) -> String {
    part(&format!("Content-Disposition: attachment; filename=\"{name}\""), body)
}

fn message(parts: &[String]) -> String {
    format!("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n{}--b--\n", parts.concat())
}

/// LB-01: what is attached to mail is unpacked by its name, also below what is forwarded; of one name there may be several.
#[test]
fn lb_01_attachments_of_mail_are_unpacked() {
    let forwarded = "Content-Type: message/rfc822";
    let inner = message(&[attached("rates.csv", "a,b")]).replace("=b\n", "=i\n").replace("--b", "--i");
    let parts = [
        part("Content-Type: text/plain", "The text."),
        part(
            "Content-Type: text/csv; name=\"rates.csv\"\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64",
            "YSxiCjEsMg==",
        ),
        attached("C:\\\\Users\\\\ann\\\\plan.md", "tide"),
        attached("../../up.md", "up"),
        part(forwarded, &inner),
        part("Content-Type: application/pdf", "%PDF"),
    ];
    let mail = message(&parts);
    let found = all(ArchiveKind::Mail, mail.as_bytes()).unwrap();
    assert_eq!(names(&found), ["rates.csv", "plan.md", "up.md", "2/rates.csv", "pdf"]);
    assert_eq!(found.files[0].bytes, Ok(b"a,b\n1,2".to_vec()));
    assert!(!found.has_more && !found.cut_off);
    let wanted = unpacked(ArchiveKind::Mail, mail.as_bytes(), &mut |name| match name {
        "2/rates.csv" => Wish::Take,
        _ => Wish::Leave,
    });
    assert_eq!(names(&wanted.unwrap()), ["2/rates.csv"], "a name does not depend on what is taken");
    let ended = unpacked(ArchiveKind::Mail, mail.as_bytes(), &mut |_| Wish::End).unwrap();
    assert_eq!(ended, Unpacked::default());

    let one = |name: &str| message(&[attached(name, "tide")]);
    let mailbox = format!(
        "From a@x Mon Jan  1 10:00:00 2024\n{}\nFrom b@x Mon Jan  1 11:00:00 2024\n{}",
        one("a.md"),
        one("a.md")
    );
    assert_eq!(names(&all(ArchiveKind::Mailbox, mailbox.as_bytes()).unwrap()), ["1/a.md", "2/a.md"]);
    // What was deleted and still lies in the box is not read.
    let deleted = mailbox.replacen("2024\n", "2024\nX-Mozilla-Status: 0009\n", 1);
    assert_eq!(names(&all(ArchiveKind::Mailbox, deleted.as_bytes()).unwrap()), ["2/a.md"]);
    assert_eq!(split("old/in.mbox!2/a.md"), Some(("old/in.mbox", "2/a.md")));
    assert_eq!(split("x.eml!a!b.pdf"), Some(("x.eml", "a!b.pdf")));
    assert_eq!(split("cur/1700000000.M1P2.host:2,S!a.md"), Some(("cur/1700000000.M1P2.host:2,S", "a.md")));

    // Bounds: as many files as of an archive, and as many bytes.
    let many = attached("n.md", "x").repeat(150);
    let boxed = format!("From a@x Mon Jan  1 10:00:00 2024\n{}\n", message(&[many])).repeat(80);
    let found = all(ArchiveKind::Mailbox, boxed.as_bytes()).unwrap();
    assert_eq!((found.files.len(), found.has_more), (limits::BUNDLE_ENTRIES, true));
    let large = "x".repeat(limits::BUNDLE_BYTES / 3 * 2);
    let found = all(ArchiveKind::Mail, message(&[attached("a", &large), attached("b", &large)]).as_bytes()).unwrap();
    assert_eq!((names(&found), found.has_more), (vec!["a"], true));
}

/// LB-01: files stay, in whichever form of the text they lie; a text with a name is one, and a part ends before the line of its mark.
#[test]
fn lb_01_files_in_forms_of_a_mail_are_unpacked() {
    let page = part("Content-Type: text/html", "<p>The text.</p>");
    let rich = message(&[page, attached("in.md", "tide")])
        .replace("Subject: x\n", "")
        .replace("=b\n", "=r\n")
        .replace("--b", "--r");
    let forms = [
        part("Content-Type: text/plain", "The text."),
        part(rich.lines().next().unwrap(), rich.split_once("\n\n").unwrap().1),
        part("Content-Type: text/calendar", "BEGIN:VCALENDAR"),
    ];
    let forms = message(&forms).replace("mixed; boundary=b", "alternative; boundary=b");
    assert_eq!(names(&all(ArchiveKind::Mail, forms.as_bytes()).unwrap()), ["in.md", "calendar.ics"]);
    let named = message(&[
        part("Content-Type: text/plain; name=a.csv\nContent-Disposition: inline", "a,b\r"),
        attached("", "x"),
    ]);
    let found = all(ArchiveKind::Mail, named.as_bytes()).unwrap();
    assert_eq!((names(&found), &found.files[0].bytes), (vec!["a.csv", "plain"], &Ok(b"a,b".to_vec())));
}
