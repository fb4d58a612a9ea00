//! What `mdoc` writes out by itself: systems, standards, libraries.

use crate::core::base::rows::is_listed;

/// Systems and their names.
const SYSTEMS: [(&str, &str); 7] = [
    ("Bsx", "BSD/OS"),
    ("Bx", "BSD"),
    ("Dx", "DragonFly"),
    ("Fx", "FreeBSD"),
    ("Nx", "NetBSD"),
    ("Ox", "OpenBSD"),
    ("Ux", "UNIX"),
];

/// The name of a system with its version, where the macro is one of a system.
pub(super) fn system(name: &str, said: &[String]) -> Option<String> {
    if name == "At" {
        return Some(match said.first().map(String::as_str).unwrap_or_default() {
            "" => "AT&T UNIX".to_owned(),
            "32v" => "Version 32V AT&T UNIX".to_owned(),
            "III" => "AT&T System III UNIX".to_owned(),
            version => match (version.strip_prefix("V."), version.strip_prefix('v')) {
                (Some(release), _) => format!("AT&T System V Release {release} UNIX"),
                (None, Some(number)) => format!("Version {number} AT&T UNIX"),
                (None, None) if version == "V" => "AT&T System V UNIX".to_owned(),
                (None, None) => format!("AT&T UNIX {version}"),
            },
        });
    }
    let (_, system) = SYSTEMS.iter().find(|(known, _)| *known == name)?;
    Some(match said {
        [] => (*system).to_owned(),
        // `4.4BSD-Lite2`.
        [version] if name == "Bx" => format!("{version}{system}"),
        [version, variant] if name == "Bx" => format!("{version}{system}-{variant}"),
        said => format!("{system} {}", said.join(" ")),
    })
}

const STANDARDS: [(&str, &str); 22] = [
    ("-ansiC", "ANSI X3.159-1989 (“ANSI C89”)"),
    ("-ansiC-89", "ANSI X3.159-1989 (“ANSI C89”)"),
    ("-ieee754", "IEEE Std 754-1985"),
    ("-isoC", "ISO/IEC 9899:1990 (“ISO C90”)"),
    ("-isoC-90", "ISO/IEC 9899:1990 (“ISO C90”)"),
    ("-isoC-99", "ISO/IEC 9899:1999 (“ISO C99”)"),
    ("-isoC-2011", "ISO/IEC 9899:2011 (“ISO C11”)"),
    ("-p1003.1", "IEEE Std 1003.1 (“POSIX.1”)"),
    ("-p1003.1-88", "IEEE Std 1003.1-1988 (“POSIX.1”)"),
    ("-p1003.1-90", "ISO/IEC 9945-1:1990 (“POSIX.1”)"),
    ("-p1003.1-96", "ISO/IEC 9945-1:1996 (“POSIX.1”)"),
    ("-p1003.1-2001", "IEEE Std 1003.1-2001 (“POSIX.1”)"),
    ("-p1003.1-2004", "IEEE Std 1003.1-2004 (“POSIX.1”)"),
    ("-p1003.1-2008", "IEEE Std 1003.1-2008 (“POSIX.1”)"),
    ("-p1003.2", "IEEE Std 1003.2 (“POSIX.2”)"),
    ("-p1003.2-92", "IEEE Std 1003.2-1992 (“POSIX.2”)"),
    ("-susv1", "Version 1 of the Single UNIX Specification (“SUSv1”)"),
    ("-susv2", "Version 2 of the Single UNIX Specification (“SUSv2”)"),
    ("-susv3", "Version 3 of the Single UNIX Specification (“SUSv3”)"),
    ("-susv4", "Version 4 of the Single UNIX Specification (“SUSv4”)"),
    ("-svid4", "System V Interface Definition, Fourth Edition (“SVID4”)"),
    ("-xpg4", "X/Open Portability Guide Issue 4 (“XPG4”)"),
];

/// A standard by its short name, which is said where it is not known.
pub(super) fn standard(short: &str) -> String {
    let known = STANDARDS.iter().find(|(known, _)| *known == short);
    known.map_or_else(|| short.trim_start_matches('-').to_owned(), |(_, name)| (*name).to_owned())
}

const LIBRARIES: [(&str, &str); 12] = [
    ("libarchive", "Streaming Archive Library (libarchive, -larchive)"),
    ("libbsd", "Utility functions from BSD systems (libbsd, -lbsd)"),
    ("libc", "Standard C Library (libc, -lc)"),
    ("libcrypt", "Crypt Library (libcrypt, -lcrypt)"),
    ("libcurses", "Curses Library (libcurses, -lcurses)"),
    ("libedit", "Command Line Editor Library (libedit, -ledit)"),
    ("libkvm", "Kernel Data Access Library (libkvm, -lkvm)"),
    ("libm", "Math Library (libm, -lm)"),
    ("libmd", "Message Digest (MD4, MD5, etc.) Support Library (libmd, -lmd)"),
    ("libpthread", "POSIX Threads Library (libpthread, -lpthread)"),
    ("librt", "POSIX Real-time Library (librt, -lrt)"),
    ("libutil", "System Utilities Library (libutil, -lutil)"),
];

pub(super) fn library(short: &str) -> String {
    let known = LIBRARIES.iter().find(|(known, _)| *known == short);
    known.map_or_else(|| format!("library “{short}”"), |(_, name)| (*name).to_owned())
}

/// What stands around the arguments of a macro, to the end of its line.
const ENCLOSURES: [(&str, &str, &str); 9] = [
    ("Aq", "<", ">"),
    ("Bq", "[", "]"),
    ("Brq", "{", "}"),
    ("Dq", "“", "”"),
    ("Op", "[", "]"),
    ("Pq", "(", ")"),
    ("Ql", "‘", "’"),
    ("Qq", "\"", "\""),
    ("Sq", "‘", "’"),
];

pub(super) fn enclosure(name: &str) -> Option<(&'static str, &'static str)> {
    ENCLOSURES.iter().find(|(known, ..)| *known == name).map(|(_, open, close)| (*open, *close))
}

/// Macros that open and close something that may reach over lines.
const OPENERS: [(&str, &str); 10] = [
    ("Ao", "<"),
    ("Bo", "["),
    ("Bro", "{"),
    ("Do", "“"),
    ("Eo", ""),
    ("Oo", "["),
    ("Po", "("),
    ("Qo", "\""),
    ("So", "‘"),
    ("Xo", ""),
];
const CLOSERS: [(&str, &str); 10] = [
    ("Ac", ">"),
    ("Bc", "]"),
    ("Brc", "}"),
    ("Dc", "”"),
    ("Ec", ""),
    ("Oc", "]"),
    ("Pc", ")"),
    ("Qc", "\""),
    ("Sc", "’"),
    ("Xc", ""),
];

pub(super) fn opener(name: &str) -> Option<&'static str> {
    OPENERS.iter().find(|(known, _)| *known == name).map(|(_, mark)| *mark)
}

pub(super) fn closer(name: &str) -> Option<&'static str> {
    CLOSERS.iter().find(|(known, _)| *known == name).map(|(_, mark)| *mark)
}

/// Macros of words that may stand inside of the lines of others.
const WORDS: &str = "Ad An Ap Ar At Cd Cm Dv Em Er Ev Fa Fl Fn Ft Ic In Lb Li Lk Ms Mt Nm No Ns Pa Pf St Sx Sy Ta Tn \
     Va Vt Xr Fo Fc";

/// Whether a word in the line of a macro is a macro itself.
pub(super) fn is_callable(name: &str) -> bool {
    (2..=3).contains(&name.len())
        && (is_listed(WORDS, name)
            || SYSTEMS.iter().any(|(known, _)| *known == name)
            || enclosure(name).is_some()
            || opener(name).is_some()
            || closer(name).is_some())
}
