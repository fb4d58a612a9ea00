//! Files whose ending says nothing: `sshd_config.bastion1`, `nginx.conf.web1`, `php.ini-production`. What stands before the ending may tell the kind, and
//! the first bytes tell whether it is text. What is known to be none, or to be made for machines, is named here and is not even opened.

use crate::core::base::rows::is_listed;

/// Endings of files that are not read by their names alone. Some of them are text, but of tools for tools.
const UNREAD: [(&str, &str); 12] = [
    (
        "pictures",
        "png jpg jpeg jpe gif bmp dib tif tiff webp svg svgz ico icns cur heic heif avif psd psb xcf ai eps ps raw cr2 cr3 nef arw dng jp2 jxl tga pbm pgm ppm pnm xbm xpm emf wmf cdr kra ora exr dds indd drawio",
    ),
    (
        "sound and film",
        "mp3 wav flac ogg oga opus m4a aac wma aif aiff mid midi amr mka mp4 m4v mkv avi mov wmv flv webm mpg mpeg ogv 3gp 3gpp 3g2 vob m2ts m3u m3u8",
    ),
    ("fonts", "ttf otf ttc woff woff2 eot pfa pfb afm tfm bdf pcf fon"),
    (
        "archives",
        "zip tar gz tgz bz2 tbz tbz2 xz txz lz lzma lz4 zst tzst 7z rar cab iso img dmg vhdx vmdk qcow2 ova deb rpm apk aab ipa msi pkg whl egg gem crate nupkg jar war ear cpio arj lzh xpi crx appimage br torrent",
    ),
    (
        "programs and what is compiled",
        "exe dll so dylib o a ko lo la obj lib pdb ilk class pyc pyo pyd wasm elc beam rlib rmeta pch gch nib dex efi rom hex srec uf2 mo gmo qm",
    ),
    (
        "databases and data of programs",
        "sqlite sqlite3 db3 mdb accdb dbf myd myi ibd ldb sst parquet orc avro arrow feather h5 hdf5 hdf nc npy npz rds rda rdata pkl pickle joblib pt pth ckpt onnx safetensors gguf tflite pb doctree",
    ),
    (
        "office files that are not read",
        "doc dot xls xlt xlsb ppt pps vsd vsdx one msg pst ost mpp wpd wps wri odg odf odb pages numbers xps oxps djvu djv mobi azw azw3 fb2 chm hlp lnk",
    ),
    (
        "XML that is data",
        "xml xlf xliff tmx rss atom opml kml kmz gpx tcx osm gml musicxml mxl sgml fodt fods fodp storyboard xib xmp",
    ),
    (
        "drawings of things",
        "stl ply fbx blend 3ds 3dm 3mf dwg dxf step stp iges igs gcode skp gltf glb usdz shp shx las laz",
    ),
    (
        "what tools keep for themselves",
        "map lock lockb lockfile snap tsbuildinfo pbxproj xcuserstate suo sum md5 md5sum md5sums sha1 sha1sum sha1sums sha256 sha256sum sha256sums sha512 sha512sum sha512sums sfv crc rej gcda gcno gcov prof pcap pcapng evtx etl dmp aux toc lof lot blg fls synctex nav snm vrb ilg inv",
    ),
    ("what is not whole, or in work", "swp swo tmp temp part partial crdownload download pid lck"),
    ("what is signed or encrypted", "sig sign minisig crt cer der csr crl p7b p7c p7m p7s pub age enc"),
];

/// What programs put behind the name of a file that they keep once more.
const COPIES: &str = "orig bak old save backup dpkg-dist dpkg-old dpkg-new ucf-dist rpmnew rpmsave rpmorig";
/// Endings that are taken off a name to find one that is known: `app.conf.web1.bak`.
const TAKEN_OFF: usize = 2;
/// A longer run of ASCII without a blank is no writing, in bytes.
const RUN_BYTES: usize = 1_000;
/// A line of so many bytes without a blank is one of sums or letters that stand for bytes.
const DATA_LINE_BYTES: usize = 56;
/// Of a text in an old encoding of one byte a letter, one byte of so many may be beyond ASCII.
const ONE_IN_ASCII: usize = 5;

/// Whether files with this ending, in lower case, are left unread by their names alone.
pub(super) fn is_unread(ending: &str) -> bool {
    UNREAD.iter().any(|(_, endings)| is_listed(endings, ending))
}

/// The name of the file that one of this name is a copy of: `fstab` of `fstab.orig`.
pub(crate) fn original_of(name: &str) -> Option<&str> {
    let by_ending = || name.rsplit_once('.').filter(|(_, ending)| is_listed(COPIES, ending)).map(|(name, _)| name);
    let kept = || name.strip_suffix('~').or_else(by_ending);
    let in_work = || name.strip_prefix('#').and_then(|name| name.strip_suffix('#'));
    kept().or_else(in_work).filter(|original| !original.is_empty())
}

/// A name without its last ending and without the one before, each also without what is joined to the ending: `php.ini` of `php.ini-production`.
pub(super) fn stems(name: &str) -> impl Iterator<Item = &str> {
    let at_points = name.rmatch_indices('.').map(|(at, _)| at).filter(|at| *at > 0).take(TAKEN_OFF);
    let joined = name.rfind('.').and_then(|point| {
        let behind = name.get(point + 1..)?;
        behind.find(['-', '_', '~', '#']).map(|at| point + 1 + at)
    });
    joined.into_iter().chain(at_points).filter_map(|at| name.get(..at))
}

/// What stands behind the last point of a name.
pub(super) fn ending_of(name: &str) -> Option<&str> {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending)
}

/// Whether a file that begins so is text that somebody may read: no NUL, hardly a control character, letters of UTF-8 or mostly of ASCII, and no lines
/// that only programs read. Text of two bytes a letter says so by its mark.
pub(super) fn is_clearly_text(head: &[u8]) -> bool {
    if encoding_rs::Encoding::for_bom(head).is_some() {
        return true;
    }
    let is_control = |byte: &&u8| **byte < 0x20 && !b"\t\n\r\x0c\x1b".contains(byte);
    if head.contains(&0) || head.iter().filter(is_control).count() * 50 > head.len() {
        return false;
    }
    // The last letter may be cut.
    let is_utf8 = std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true);
    let beyond_ascii = head.iter().filter(|byte| !byte.is_ascii()).count();
    (is_utf8 || beyond_ascii * ONE_IN_ASCII <= head.len()) && !is_data(head)
}

/// Whether it is one long line, or most lines are one word of letters that stand for bytes.
fn is_data(head: &[u8]) -> bool {
    let longest = head.split(|byte| byte.is_ascii_whitespace() || !byte.is_ascii()).map(<[u8]>::len).max();
    if longest.is_some_and(|longest| longest > RUN_BYTES) {
        return true;
    }
    let is_letters = |line: &[u8]| {
        line.len() >= DATA_LINE_BYTES
            && line.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
    };
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let (all, letters) = lines.fold((0, 0), |(all, letters), line| (all + 1, letters + usize::from(is_letters(line))));
    letters * 2 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_the_first_bytes_tell_whether_it_is_text() {
        let sums = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n".repeat(3);
        let line = "a=1;".repeat(300);
        for (head, expected) in [
            (b"Port 2222\nPermitRootLogin no\n".as_slice(), true),
            (b"", true),
            ("Die B\u{f6}e kam um drei.\n".as_bytes(), true),
            (b"Die B\xf6e kam um drei.\n", true),
            // A letter that is cut, and two bytes a letter with their mark.
            (b"caf\xc3", true),
            (b"\xff\xfeP\0o\0r\0t\0", true),
            (b"P\0o\0r\0t\0", false),
            (b"\x7fELF\x02\x01\x01\0\0", false),
            (b"\x89\xa4\xb1\xc9\xd0 a \xe1\xf2\x93\xab", false),
            (b"\x01\x02\x03\x04 words", false),
            (sums.as_bytes(), false),
            (line.as_bytes(), false),
        ] {
            assert_eq!(is_clearly_text(head), expected, "{:?}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn lb_01_copies_are_known_by_what_stands_behind_their_names() {
        for (name, original) in [
            ("fstab.orig", Some("fstab")),
            ("notes.md~", Some("notes.md")),
            ("#notes.md#", Some("notes.md")),
            ("rsyslog.conf.dpkg-dist", Some("rsyslog.conf")),
            ("nginx.conf.web1", None),
            ("~", None),
        ] {
            assert_eq!(original_of(name), original, "{name}");
        }
    }
}
