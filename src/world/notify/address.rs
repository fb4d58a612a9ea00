//! Where the session bus listens. No IO.
//!
//! An address is `kind:key=value,key=value`, several are separated by `;` and tried in their order; bytes of a value may be
//! written as `%` and two hexadecimal digits. Of the kinds only `unix` is known here, with a `path` or an `abstract` name.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::core::base::limits;

/// The sockets to try. Those with an abstract name begin with a zero byte, as the runtime wants them.
pub(super) fn sockets(address: Option<&OsStr>, runtime_dir: Option<&OsStr>) -> Vec<PathBuf> {
    match address {
        Some(address) => {
            let parts = address.as_bytes().split(|byte| *byte == b';');
            parts.filter_map(socket).take(limits::BUS_ADDRESSES).collect()
        }
        None => runtime_dir.map(|dir| Path::new(dir).join("bus")).into_iter().collect(),
    }
}

fn socket(address: &[u8]) -> Option<PathBuf> {
    let values = address.strip_prefix(b"unix:")?;
    values.split(|byte| *byte == b',').find_map(|pair| {
        let (lead, value): (&[u8], _) = match pair.strip_prefix(b"path=") {
            Some(path) => (b"", path),
            None => (b"\0", pair.strip_prefix(b"abstract=")?),
        };
        let value = unescaped(value)?;
        let usable = !value.is_empty() && !value.contains(&0);
        usable.then(|| PathBuf::from(OsString::from_vec([lead, &value].concat())))
    })
}

fn unescaped(value: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, after @ ..] = rest {
        rest = after;
        let [high, low, after @ ..] = rest else {
            (*first != b'%').then(|| out.push(*first))?;
            continue;
        };
        if *first != b'%' {
            out.push(*first);
            continue;
        }
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        out.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
        rest = after;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_give_the_sockets_to_try() {
        for (address, want) in [
            ("unix:path=/run/user/1000/bus", vec!["/run/user/1000/bus"]),
            ("unix:path=/tmp/a%20b%3bc,guid=0123", vec!["/tmp/a b;c"]),
            ("unix:guid=0123,abstract=/tmp/dbus-x", vec!["\0/tmp/dbus-x"]),
            ("tcp:host=localhost,port=1;unix:path=/a;unix:abstract=b", vec!["/a", "\0b"]),
            ("unix:path=%2", vec![]),
            ("unix:path=%zz", vec![]),
            ("unix:path=/a%", vec![]),
            ("unix:path=", vec![]),
            ("unix:path=%00/a", vec![]),
            ("unix:tmpdir=/tmp", vec![]),
            ("autolaunch:", vec![]),
            ("nonsense", vec![]),
            ("", vec![]),
        ] {
            let want: Vec<PathBuf> = want.into_iter().map(PathBuf::from).collect();
            assert_eq!(sockets(Some(OsStr::new(address)), Some(OsStr::new("/run"))), want, "{address}");
        }
        let many = "unix:path=/a;".repeat(1_000);
        assert_eq!(sockets(Some(OsStr::new(&many)), None).len(), limits::BUS_ADDRESSES);
    }

    #[test]
    fn without_an_address_it_is_the_usual_place() {
        assert_eq!(sockets(None, Some(OsStr::new("/run/user/7"))), [PathBuf::from("/run/user/7/bus")]);
        assert_eq!(sockets(None, None), Vec::<PathBuf>::new());
    }
}
