//! What the names of files and their first bytes say of their kind.

use super::archive;
use crate::core::base::limits;
use crate::core::base::rows::listed;
use crate::core::text::format::{self, NameSays, of_name, opened, unknown_ending};
use crate::core::text::{Format, Unreadable, file_names, unknown_endings};

/// What a name says, in short.
fn said(name: &str) -> String {
    match of_name(name) {
        NameSays::Format(format) => format!("{format:?}"),
        NameSays::Nothing => "look".to_owned(),
        NameSays::NotRead(kind) => format!("not {kind}"),
    }
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn names_and_bytes_tell_the_kind() {
    let cases = [
        ("a.md", "Markdown"),
        ("A.PDF", "Pdf"),
        ("a.tar.gz", "not tar.gz"),
        ("a.txt.gz", "Plain"),
        ("changelog.Debian.gz", "look"),
        ("README", "look"),
        ("README.Debian", "look"),
        ("Makefile", "Code"),
        ("Containerfile", "Code"),
        ("Procfile", "Code"),
        ("Dockerfile.prod", "Code"),
        ("CMakeLists.txt", "Code"),
        ("makefile.md", "Markdown"),
        (".gitignore", "Settings"),
        ("x.emlx", "Mail"),
        ("1700000000.M20046P2137.host:2,S", "Mail"),
        ("1700000000.R12345.mail.example.org,U=5:2,S", "Mail"),
        ("1700000000.2137_3.mail.example.org", "Mail"),
        ("1700000000.123.log", "Log"),
        ("20240301.M1.png", "not png"),
        ("1700000000.Mail.txt", "Plain"),
        ("x.png", "not png"),
        ("x.a very long ending", "look"),
        ("mdadm.8", "look"),
        ("Foo::Bar.3pm", "look"),
        ("x.1posix", "look"),
        ("git-log.1.gz", "look"),
        ("ANNOUNCE-3.1.1", "look"),
        ("libc.so.6", "look"),
        ("tk.n", "look"),
        ("x.man", "Man"),
        ("x.mdoc.gz", "Man"),
        ("x.roff", "Man"),
        ("x.7z", "not 7z"),
        ("x.3gp", "not 3gp"),
        ("x.8bit-2", "look"),
        (".profile", "look"),
    ];
    for (name, expected) in cases {
        assert_eq!(said(name), expected, "{name}");
    }
    let kind = |name: &str, bytes: &[u8]| opened(name, bytes.to_vec()).map(|(format, _)| format);
    assert_eq!(kind("README", b"Tides.\n"), Ok(Format::Plain));
    assert_eq!(kind("tool", b"#!/bin/sh\n"), Ok(Format::Code));
    assert_eq!(kind("page", b"<!DOCTYPE html><p>x"), Ok(Format::Html));
    assert_eq!(kind("tool", b"\x7fELF\0\0"), Err(Unreadable::UnknownKind));
    assert_eq!(kind("really.txt", b"%PDF-1.4\n"), Ok(Format::Pdf));
}

/// LB-01: code, settings and data of the usual tools are read by their names, and what looks like one of them and is none is not.
#[test]
fn lb_01_files_of_the_usual_tools_are_known_by_name() {
    for (format, names) in [
        (
            "Code",
            "a.mts a.cts main.tf a.hcl api.http fix.patch a.diff refs.bib Info.plist a.xsd a.xsl nginx.j2 a.tmpl a.mustache boot.asm a.s a.S",
        ),
        (
            "Code",
            "cpu.v cpu.vhd go.mod go.work pom.xml Gemfile.lock yarn.lock Makefile.in MANIFEST.in config.h.in meson.build a.csproj PKGBUILD",
        ),
        ("Json", "tsconfig.jsonc a.json5 .babelrc composer.lock .eslintrc.json package-lock.json"),
        (
            "Settings",
            "Cargo.lock poetry.lock uv.lock Pipfile .editorconfig a.gitignore .prettierrc x.timer app.yml.example app.yml.j2 .env.example env.sample .clang-format",
        ),
        ("Log", "de.po app.pot"),
        ("Cards", "a.vcf A.VCF.gz"),
        ("Calendar", "a.ics"),
        ("Rtf", "a.rtf"),
    ] {
        for name in names.split(' ') {
            assert_eq!(said(name), format, "{name}");
        }
    }
    for (name, kind) in [
        ("go.sum", "sum"),
        ("app.lock", "lock"),
        ("a.rej", "rej"),
        ("logo.svg", "svg"),
        ("data.xml", "xml"),
        ("logo.png.example", "example"),
        ("x.iso.gz", "iso.gz"),
    ] {
        assert_eq!(said(name), format!("not {kind}"), "{name}");
    }
}

#[test]
fn lb_01_no_ending_is_both_read_and_unread() {
    for ending in file_names::EXTENSIONS.iter().flat_map(|(_, endings)| listed(endings)) {
        assert!(!unknown_endings::is_unread(ending), "{ending}");
    }
    assert!(unknown_endings::is_unread("png") && unknown_endings::is_unread("xmp"), "the list is read to its end");
}

/// LB-01: a file whose ending is unknown is what stands before it, if its bytes are text.
#[test]
fn lb_01_what_stands_before_an_unknown_ending_tells_the_kind() {
    for (name, expected, kind) in [
        ("sshd_config.bastion1", "look", "bastion1"),
        ("nginx.conf.web1", "Settings", "web1"),
        ("nginx.conf.web1.new", "Settings", "new"),
        ("named.conf.local", "Settings", "local"),
        ("rsyslog.conf.dpkg-dist", "Settings", "no extension"),
        ("php.ini-production", "Settings", "no extension"),
        ("crontab.db1", "look", "db1"),
        ("fstab.orig", "look", "orig"),
        ("Cargo.toml.orig", "Settings", "orig"),
        ("notes.md~", "Markdown", "no extension"),
        ("prices.csv.old", "Csv", "old"),
        ("index.html.save", "Html", "save"),
        // Office files are what their bytes say, and those are no text.
        ("letter.docx.bak", "look", "bak"),
        ("book.mod", "look", "mod"),
        // What is packed is what is in it.
        ("access.log-20260301.gz", "Log", "no extension"),
        ("app.log.2026-03-01.gz", "Log", "no extension"),
        ("notes.draft.gz", "look", "draft.gz"),
        ("sshd_config.bastion1.GZ", "look", "bastion1.gz"),
        ("data.bin.gz", "look", "bin.gz"),
    ] {
        assert_eq!((said(name).as_str(), unknown_ending(name).as_deref()), (expected, Some(kind)), "{name}");
    }
    for name in
        ["a.md", "README", "README.Debian", "Dockerfile.prod", "mdadm.8", "x.png", "app.yml.example", "logo.png.gz"]
    {
        assert_eq!(unknown_ending(name), None, "{name}");
    }
    let kind = |name: &str, bytes: &[u8]| opened(name, bytes.to_vec()).map(|(format, _)| format);
    assert_eq!(kind("nginx.conf.web1", b"worker_processes 2;\n"), Ok(Format::Settings));
    assert_eq!(kind("crontab.db1", b"5 4 * * * backup\n"), Ok(Format::Plain));
    assert_eq!(kind("page.draft", b"<!DOCTYPE html><p>x"), Ok(Format::Html));
    for bytes in [b"\x7fELF\x02\x01\0\0".as_slice(), b"PK\x03\x04\x14\0", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\0"] {
        assert_eq!(kind("nginx.conf.web1", bytes), Err(Unreadable::UnknownKind));
    }
    let large = vec![b' '; usize::try_from(limits::UNKNOWN_FILE_BYTES).unwrap() + 1];
    assert_eq!(kind("trace.run7", &large), Err(Unreadable::UnknownKind));
    assert_eq!(kind("trace.run7", &large[1..]), Ok(Format::Plain));
    assert_eq!(kind("trace.log", &large), Ok(Format::Log));
    for (name, bytes, expected) in [
        ("notes.draft.gz", b"Gate 5 is closed.\n".as_slice(), Ok(Format::Plain)),
        ("access.log-20260301.gz", b"GET /index.html 200\n", Ok(Format::Log)),
        ("data.run7.gz", b"\x7fELF\x02\x01\0\0", Err(Unreadable::UnknownKind)),
        ("data.run7.gz", &large, Err(Unreadable::UnknownKind)),
    ] {
        assert_eq!(kind(name, &gz(bytes)), expected, "{name}");
    }
    let is_text = |packed: &[u8]| format::is_text_of_unknown_kind(20, &packed[..packed.len().min(format::HEAD_BYTES)]);
    assert!(is_text(&gz(b"Gate 5 is closed.\n")) && is_text(&gz(&large)) && !is_text(&gz(b"\x7fELF\x02\x01\0\0")));
    assert!(!is_text(b"\x1f\x8b\x08 not packed at all"));
}

/// No answer quotes a secret: files that are kept for them are never read, whatever they are called besides and whoever asks for hidden ones.
#[test]
fn files_that_are_kept_for_their_secrets_are_never_read() {
    let names = [
        ".env",
        ".env.production",
        ".env.local",
        ".envrc",
        "id_rsa",
        "id_ed25519",
        "ID_RSA",
        ".netrc",
        "_netrc",
        ".pgpass",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".htpasswd",
        "credentials",
        "shadow",
        ".env.gz",
        "shadow.web1",
        "htpasswd.office",
        "credentials.prod",
        "secrets.yml.web1",
        "secrets.ini-production",
        "wp-config.php-old-server",
        "server.key.web1",
        "server.pem.web1.new",
        ".pgpass.bastion1",
        "env.staging",
        "id_rsa.bastion1",
    ];
    for name in names {
        assert_eq!(said(name), "not secrets", "{name}");
    }
    for ending in ["env", "pem", "key", "p12", "pfx", "ppk", "jks", "keystore", "kdbx", "gpg", "tfvars", "tfstate"] {
        for stem in ["server", "license", "README", "Dockerfile", "app.yml"] {
            assert_eq!(said(&format!("{stem}.{ending}")), format!("not {ending}"), "{stem}");
        }
    }
    for begin in [
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\r",
        "\n-----BEGIN PGP PRIVATE KEY BLOCK-----",
        "PuTTY-User-Key-File-3: x",
    ] {
        for name in ["deploy", "notes.txt", "a.asc", "x.1"] {
            let opened = opened(name, format!("{begin}\nMIIE\n").into_bytes());
            assert_eq!(opened.map(|(format, _)| format), Err(Unreadable::Secret), "{name} {begin}");
        }
    }
    let told = opened("notes.md", b"A key begins with -----BEGIN PRIVATE KEY-----.".to_vec());
    assert_eq!(told.map(|(format, _)| format), Ok(Format::Markdown));
}

#[test]
fn lb_01_files_that_are_called_so_and_are_none_are_read_as_what_they_are() {
    for (name, bytes, expected) in [
        ("a.vcf", "##fileformat=VCFv4.2\n#CHROM\tPOS\n", Format::Plain),
        ("a.vcf", "\u{feff}begin:vcard\n", Format::Cards),
        ("a.ics", "When the ice melts.\n", Format::Plain),
        ("a.rtf", "Plain words.\n", Format::Plain),
        ("a.rtf", "{\\rtf1 x}", Format::Rtf),
        ("memo", "{\\rtf1 x}", Format::Rtf),
    ] {
        assert_eq!(opened(name, bytes.as_bytes().to_vec()).map(|(format, _)| format), Ok(expected), "{name}");
    }
}

/// LB-01: bytes that tell their kind beyond doubt win over the name; others leave it to the name.
#[test]
fn lb_01_the_bytes_win_over_the_name_where_they_are_plain() {
    let zip = |entries: &[(&str, &str)]| {
        let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        archive(&entries, true)
    };
    let open = |mime: &str| zip(&[("mimetype", mime), ("content.xml", "<x/>")]);
    let docx = zip(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<w:document/>")]);
    let plain_zip = zip(&[("notes.md", "tide")]);
    let kind = |name: &str, bytes: &[u8]| opened(name, bytes.to_vec()).map(|(format, _)| format);
    for (bytes, expected) in [
        (docx.clone(), Format::Docx),
        (zip(&[("[Content_Types].xml", "<Types/>"), ("ppt/presentation.xml", "<p/>")]), Format::Pptx),
        (zip(&[("[Content_Types].xml", "<Types/>"), ("xl/workbook.xml", "<w/>")]), Format::Xlsx),
        (open("application/vnd.oasis.opendocument.text"), Format::Odt),
        (open("application/vnd.oasis.opendocument.spreadsheet"), Format::Ods),
        (open("application/vnd.oasis.opendocument.presentation"), Format::Odp),
        (open("application/epub+zip"), Format::Epub),
        (b"%PDF-1.7\n".to_vec(), Format::Pdf),
        (gz(&docx), Format::Docx),
    ] {
        for name in ["a.zip", "a.txt", "a.md", "a.docx", "a.xlsx", "a.epub", "a.html", "a.json", "a", "a.txt.gz"] {
            assert_eq!(kind(name, &bytes), Ok(expected), "{name}");
        }
    }
    let page = b"\xef\xbb\xbf\n<!DOCTYPE html>\n<title>Tide</title>";
    let xhtml = b"<?xml version='1.0'?>\n<html xmlns='x'>";
    for (name, bytes, expected) in [
        ("a.txt", page.as_slice(), Ok(Format::Html)),
        ("a.md", page, Ok(Format::Html)),
        ("a", xhtml, Ok(Format::Html)),
        ("a.txt", xhtml, Ok(Format::Html)),
        ("a.txt", b"{\\rtf1 x}", Ok(Format::Rtf)),
        // Pieces of a page in a text, and code that writes pages, are what they are called.
        ("a.md", b"<p align=center>Tide</p>", Ok(Format::Markdown)),
        ("a.txt", b"<htmlish> is no tag", Ok(Format::Plain)),
        ("a.php", page, Ok(Format::Code)),
        ("a.zip", &plain_zip, Err(Unreadable::UnknownKind)),
        ("a.txt", &gz(b"tide"), Ok(Format::Plain)),
        ("a.md.gz", b"# not packed", Ok(Format::Markdown)),
        ("a.txt", &gz(page), Ok(Format::Html)),
    ] {
        assert_eq!(kind(name, bytes), expected, "{name}");
    }
    assert_eq!(opened("a.txt", gz(b"tide")).unwrap().1, b"tide", "a packed text is unpacked, whatever it is called");
}
