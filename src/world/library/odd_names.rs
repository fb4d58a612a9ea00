//! Names of files that are not UTF-8, as text: systems keep names as bytes, and old disks and archives have them in old encodings.
//!
//! A path with such a name is written with its bytes in hexadecimal, `M%E4rz.txt`, as addresses are. Other paths stay as they are, also where they have
//! such signs of their own.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// A path as text.
pub(super) fn written(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let mut out = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        out.push_str(&chunk.valid().replace('%', "%25"));
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
    }
    out
}

/// The path that was written so, if it is one that is not UTF-8.
pub(super) fn read(text: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let (code, behind) = behind.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(str::from_utf8(code).ok()?, 16).ok()?);
        rest = behind;
    }
    let path = PathBuf::from(OsStr::from_bytes(&bytes));
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    // What would have been written otherwise was not written here.
    (is_below && path.to_str().is_none() && written(&path) == text).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_names_that_are_not_utf_8_are_written_and_read() {
        for (bytes, text) in [
            (b"M\xe4rz.txt".as_slice(), "M%E4rz.txt"),
            (b"gr\xfcn/50% \xe4.md", "gr%FCn/50%25 %E4.md"),
            ("März 5%41.txt".as_bytes(), "März 5%41.txt"),
        ] {
            let path = Path::new(OsStr::from_bytes(bytes));
            assert_eq!(written(path), text);
            assert_eq!(read(text).as_deref(), path.to_str().is_none().then_some(path));
        }
        for text in ["a%2", "a%zz%E4", "%E4/%2E%2E/%2E%2E/etc", "/%E4", "a%41%E4", "M%e4rz.txt", "", "%"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
