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
            '[' => match chars.as_str().split_once(']').filter(|(inside, _)| !inside.is_empty()) {
                Some((_, rest)) => chars = rest.chars(),
                None => return Err("a bracket is not closed (write `\\[` for the character)"),
            },
            '{' => return Err("braces are not known (give several patterns, or write `\\{` for the character)"),
            _ => {}
        }
    }
    Ok(())
}

impl Pattern {
    fn of(line: &str) -> Option<Self> {
        let line = line.trim_end();
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
    Of { ranges: Vec<(char, char)>, negated: bool },
}

impl Part {
    fn fits(&self, c: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Char(own) => *own == c,
            Self::Of { ranges, negated } => ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated,
        }
    }
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars();
    // Where there is none, nobody looks for one behind each bracket.
    let last_close = pattern.rfind(']');
    while let Some(c) = chars.next() {
        let at = pattern.len() - chars.as_str().len();
        parts.push(match c {
            '*' => Part::Any,
            '?' => Part::One,
            '\\' => Part::Char(chars.next().unwrap_or('\\')),
            '[' if last_close.is_some_and(|close| close > at) => {
                match chars.as_str().split_once(']').filter(|(inside, _)| !inside.is_empty()) {
                    Some((inside, rest)) => {
                        chars = rest.chars();
                        class(inside)
                    }
                    None => Part::Char('['),
                }
            }
            c => Part::Char(c),
        });
    }
    parts
}

/// What stands between brackets.
fn class(inside: &str) -> Part {
    let (inside, negated) = inside.strip_prefix(['!', '^']).map_or((inside, false), |rest| (rest, true));
    let chars: Vec<char> = inside.chars().collect();
    let mut ranges = Vec::new();
    let mut rest = chars.as_slice();
    loop {
        rest = match rest {
            [from, '-', to, rest @ ..] => {
                ranges.push((*from, *to));
                rest
            }
            [one, rest @ ..] => {
                ranges.push((*one, *one));
                rest
            }
            [] => return Part::Of { ranges, negated },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quadratic reading of this would take minutes.
    #[test]
    fn many_open_brackets_are_read_in_one_go() {
        let list = IgnoreList::of_text(&"[".repeat(500_000));
        assert_eq!(list.leaves_out("x", false), None);
        let list = IgnoreList::of_text("a[x\nb[]c\nd[]]e\n");
        assert_eq!(list.leaves_out("a[x", false), Some(true));
        assert_eq!(list.leaves_out("b[]c", false), Some(true));
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

    #[test]
    fn patterns_that_cannot_be_read_are_known() {
        for pattern in ["", " ", "#x", "!", "/", "[", "a[b", "[]", "{a,b", "*.{md,txt}", "a\\"] {
            assert!(check(pattern).is_err(), "{pattern}");
        }
        for pattern in ["*.md", "a[bc]", "[!a-z]*", "\\[x", "\\{a", "!keep", "**", "a]", "b}"] {
            assert_eq!(check(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_of_stars_is_compared_within_bounds() {
        let pattern = format!("{}b", "*a".repeat(200));
        let fits = |pattern: &str, name: &str| name_fits(&parts(pattern), name);
        assert!(!fits(&pattern, &"a".repeat(5_000)));
        assert!(fits("[!a-c]*", "dog") && !fits("[!a-c]*", "cat") && fits("[", "["));
    }
}
