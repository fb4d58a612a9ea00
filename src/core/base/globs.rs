//! Patterns of file names as `.gitignore` has them: which paths they leave out.

/// A list of patterns of which the last that fits decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IgnoreList {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    /// Between slashes.
    names: Vec<Name>,
    /// `!pattern`: takes back what an earlier one left out.
    keeps: bool,
    only_folders: bool,
    /// It has a slash, so it is about the path from the top and not about a name anywhere.
    from_top: bool,
}

/// A name of a pattern, cut into its parts once.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    /// `**`: any number of folders.
    Folders,
    Parts(Vec<Part>),
}

/// Patterns of one list; a list of more is no work of a person.
const PATTERNS: usize = 2_000;

impl IgnoreList {
    /// The list in the text of a `.gitignore`.
    pub(crate) fn of_text(text: &str) -> Self {
        // Editors of Windows put a byte order mark before the first pattern.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { patterns: text.lines().filter_map(Pattern::of).take(PATTERNS).collect() }
    }

    /// Single patterns, as on a command line.
    pub(crate) fn of_patterns(patterns: &[String]) -> Self {
        Self { patterns: patterns.iter().filter_map(|pattern| Pattern::of(pattern)).take(PATTERNS).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether a path below the list's folder, with `/`, is left out; nothing where no pattern speaks of it.
    pub(crate) fn leaves_out(&self, path: &str, is_folder: bool) -> Option<bool> {
        let names: Vec<&str> = path.split('/').collect();
        let fits = |pattern: &&Pattern| pattern.fits(&names, is_folder);
        self.patterns.iter().rev().find(fits).map(|pattern| !pattern.keeps)
    }
}

/// Whether a pattern that a person wrote can be read, or why not.
pub(crate) fn check(pattern: &str) -> Result<(), &'static str> {
    if Pattern::of(pattern).is_none() {
        return Err("it names nothing");
    }
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next().is_none() => return Err("a backslash stands at its end"),
            '[' => match class(chars.as_str()) {
                Some((_, rest)) => chars = rest.chars(),
                None => return Err("a bracket is not closed, or names no class (write `\\[` for the character)"),
            },
            '{' => return Err("braces are not known (give several patterns, or write `\\{` for the character)"),
            _ => {}
        }
    }
    Ok(())
}

impl Pattern {
    fn of(line: &str) -> Option<Self> {
        let line = without_last_blanks(line);
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (line, keeps) = line.strip_prefix('!').map_or((line, false), |rest| (rest, true));
        let (line, only_folders) = line.strip_suffix('/').map_or((line, false), |rest| (rest, true));
        let from_top = line.contains('/');
        let names = line.trim_start_matches('/').split('/').filter(|name| !name.is_empty());
        let mut names: Vec<Name> = names.map(Name::of).collect();
        // `foo/**` is what lies in the folder and not the folder itself.
        if names.len() > 1 && names.last() == Some(&Name::Folders) {
            names.push(Name::Parts(vec![Part::Any]));
        }
        (!names.is_empty()).then_some(Self { names, keeps, only_folders, from_top })
    }

    fn fits(&self, path: &[&str], is_folder: bool) -> bool {
        if self.only_folders && !is_folder {
            return false;
        }
        match (self.from_top, self.names.as_slice(), path.last()) {
            (false, [name], Some(last)) => name.fits(last),
            (false, _, _) | (true, _, _) => path_fits(&self.names, path),
        }
    }
}

/// A line without the blanks at its end; one behind a backslash stays, and so do tabs.
fn without_last_blanks(line: &str) -> &str {
    let bare = line.trim_end_matches(' ');
    let backslashes = bare.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 1 { line.get(..=bare.len()).unwrap_or(line) } else { bare }
}

/// Whether the names of a path fit those of a pattern, in which `**` stands for any number of folders.
fn path_fits(pattern: &[Name], path: &[&str]) -> bool {
    wild(
        pattern.len(),
        path.len(),
        |at| pattern.get(at) == Some(&Name::Folders),
        |at, to| match (pattern.get(at), path.get(to)) {
            (Some(pattern), Some(name)) => pattern.fits(name),
            (None, _) | (_, None) => false,
        },
    )
}

impl Name {
    fn of(pattern: &str) -> Self {
        if pattern == "**" { Self::Folders } else { Self::Parts(parts(pattern)) }
    }

    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Folders => true,
            Self::Parts(parts) => name_fits(parts, name),
        }
    }
}

/// Whether a name fits a pattern with `*`, `?` and `[…]`.
fn name_fits(parts: &[Part], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    wild(
        parts.len(),
        name.len(),
        |at| matches!(parts.get(at), Some(Part::Any)),
        |at, to| match (parts.get(at), name.get(to)) {
            (Some(part), Some(c)) => part.fits(*c),
            (None, _) | (_, None) => false,
        },
    )
}

/// Fits one row to another in which some places stand for any number of others. At most the product of both lengths is looked at.
fn wild(pattern: usize, subject: usize, is_any: impl Fn(usize) -> bool, fits: impl Fn(usize, usize) -> bool) -> bool {
    let (mut at, mut to) = (0, 0);
    let mut last_any: Option<(usize, usize)> = None;
    while to < subject {
        if at < pattern && is_any(at) {
            last_any = Some((at, to));
            at += 1;
        } else if at < pattern && fits(at, to) {
            at += 1;
            to += 1;
        } else if let Some((any, from)) = last_any {
            last_any = Some((any, from + 1));
            at = any + 1;
            to = from + 1;
        } else {
            return false;
        }
    }
    (at..pattern).all(is_any)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Any,
    One,
    Char(char),
    Of {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
    /// What cannot be read fits nothing.
    Nothing,
}

impl Part {
    fn fits(&self, c: char) -> bool {
        match self {
            Self::Any | Self::Nothing => false,
            Self::One => true,
            Self::Char(own) => *own == c,
            Self::Of { ranges, negated } => ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated,
        }
    }
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        parts.push(match c {
            '*' => Part::Any,
            '?' => Part::One,
            '\\' => chars.next().map_or(Part::Nothing, Part::Char),
            '[' => match class(chars.as_str()) {
                Some((part, rest)) => {
                    chars = rest.chars();
                    part
                }
                None => return vec![Part::Nothing],
            },
            c => Part::Char(c),
        });
    }
    parts
}

/// What an open bracket begins, and what stands behind its end; nothing where it has none, or names a class that nobody knows.
fn class(text: &str) -> Option<(Part, &str)> {
    let (mut rest, negated) = text.strip_prefix(['!', '^']).map_or((text, false), |rest| (rest, true));
    let mut ranges = Vec::new();
    let mut is_first = true;
    loop {
        if let Some(behind) = rest.strip_prefix(']').filter(|_| !is_first) {
            return Some((Part::Of { ranges, negated }, behind));
        }
        is_first = false;
        if let Some((name, behind)) = named_class(rest) {
            ranges.extend(CLASSES.iter().find(|(known, _)| *known == name)?.1);
            rest = behind;
            continue;
        }
        let (from, behind) = one(rest)?;
        let until = behind.strip_prefix('-').filter(|behind| !behind.starts_with(']')).and_then(one);
        let (to, behind) = until.unwrap_or((from, behind));
        ranges.push((from, to));
        rest = behind;
    }
}

/// The next character in brackets; a backslash before it is none.
fn one(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let c = match chars.next()? {
        '\\' => chars.next()?,
        c => c,
    };
    Some((c, chars.as_str()))
}

/// The name in `[:digit:]`, and what stands behind it.
fn named_class(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("[:")?;
    let end = text.bytes().take(CLASS_BYTES).position(|byte| byte == b']')?;
    Some((text.get(..end)?.strip_suffix(':')?, text.get(end + 1..)?))
}

/// Bytes of such a name and its end: no class has a longer one.
const CLASS_BYTES: usize = 16;
/// The classes of POSIX.
const CLASSES: [(&str, &[(char, char)]); 12] = [
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("blank", &[(' ', ' '), ('\t', '\t')]),
    ("cntrl", &[('\0', '\x1f'), ('\x7f', '\x7f')]),
    ("digit", &[('0', '9')]),
    ("graph", &[('!', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '~')]),
    ("punct", &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[('\t', '\r'), (' ', ' ')]),
    ("upper", &[('A', 'Z')]),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A quadratic reading of this would take minutes.
    #[test]
    fn many_open_brackets_are_read_in_one_go() {
        for open in ["[", "[[:", "[:"] {
            let list = IgnoreList::of_text(&open.repeat(300_000));
            assert_eq!(list.leaves_out("x", false), None);
        }
        let list = IgnoreList::of_text("a[x\nb[]c\nd[]]e\n");
        // As in git, what is not closed fits nothing.
        for (name, expected) in [("a[x", None), ("b[]c", None), ("d]e", Some(true))] {
            assert_eq!(list.leaves_out(name, false), expected, "{name}");
        }
    }

    #[test]
    fn patterns_leave_out_what_git_does() {
        let list = IgnoreList::of_text(
            "# made\n*.log\n!keep.log\nbuild/\n/top.md\ndocs/*.tmp\n**/cache/**\na/**/z.md\nfile[0-9].?\n\\#odd\n",
        );
        let cases = [
            ("x.log", false, Some(true)),
            ("deep/in/x.log", false, Some(true)),
            ("deep/keep.log", false, Some(false)),
            ("build", true, Some(true)),
            ("build", false, None),
            ("deep/build", true, Some(true)),
            ("top.md", false, Some(true)),
            ("deep/top.md", false, None),
            ("docs/x.tmp", false, Some(true)),
            ("docs/deep/x.tmp", false, None),
            ("x/cache/y.md", false, Some(true)),
            ("x/cache", true, None),
            ("cache/deep/y.md", false, Some(true)),
            ("a/z.md", false, Some(true)),
            ("a/b/c/z.md", false, Some(true)),
            ("file7.c", false, Some(true)),
            ("fileA.c", false, None),
            ("#odd", false, Some(true)),
            ("plain.md", false, None),
        ];
        for (path, is_folder, expected) in cases {
            assert_eq!(list.leaves_out(path, is_folder), expected, "{path}");
        }
    }

    /// LB-01: what editors write and git reads.
    #[test]
    fn lb_01_lists_are_read_as_git_reads_them() {
        let list = IgnoreList::of_text(
            "\u{feff}first.md\r\nlog[[:digit:]].md\nx[a\\]].md\ny[^[:alpha:]_].md\n[unclosed.md\nz[[:none:]].md\n**\t\nblanks.md   \nkept\\ \nr[a-c-]x\nend\\\n",
        );
        for (path, expected) in [
            ("first.md", Some(true)),
            ("log7.md", Some(true)),
            ("logd.md", None),
            ("xa.md", Some(true)),
            ("x].md", Some(true)),
            ("xb.md", None),
            ("y7.md", Some(true)),
            ("yb.md", None),
            ("y_.md", None),
            ("[unclosed.md", None),
            ("zn.md", None),
            ("any.md", None),
            ("any\t", Some(true)),
            ("blanks.md", Some(true)),
            ("kept ", Some(true)),
            ("kept", None),
            ("rbx", Some(true)),
            ("r-x", Some(true)),
            ("rdx", None),
            ("end\\", None),
        ] {
            assert_eq!(list.leaves_out(path, false), expected, "{path}");
        }
    }

    #[test]
    fn patterns_that_cannot_be_read_are_known() {
        for pattern in ["", " ", "#x", "!", "/", "[", "a[b", "[]", "[[:none:]]", "{a,b", "*.{md,txt}", "a\\"] {
            assert!(check(pattern).is_err(), "{pattern}");
        }
        for pattern in ["*.md", "a[bc]", "[!a-z]*", "[[:digit:]]", "[a\\]]", "\\[x", "\\{a", "!keep", "**", "a]", "b}"]
        {
            assert_eq!(check(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_of_stars_is_compared_within_bounds() {
        let pattern = format!("{}b", "*a".repeat(200));
        let fits = |pattern: &str, name: &str| name_fits(&parts(pattern), name);
        assert!(!fits(&pattern, &"a".repeat(5_000)));
        assert!(fits("[!a-c]*", "dog") && !fits("[!a-c]*", "cat") && !fits("[", "["));
    }
}
