//! Lines of source code that give a name to a value: `LIMIT = 8`, `const LIMIT: usize = 8;`, `#define LIMIT 8`.

use crate::core::base::rows::is_listed;

/// Words that begin a statement, never a definition.
pub(super) const STATEMENTS: &str = "if for while switch return else catch do match with when case throw try assert \
     print await new elif unless";
/// Words that stand before what is set.
const KEYWORDS: &str = "const constexpr final let readonly static val var define";

/// Such a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting<'t> {
    /// The name, with what stands around it: `pub(crate) const LIMIT: usize`.
    pub(crate) name: &'t str,
    value: &'t str,
    is_indented: bool,
}

/// What a line sets.
pub(crate) fn setting(line: &str) -> Option<Setting<'_>> {
    let code = line.trim_start();
    let is_indented = code.len() < line.len();
    if let Some(rest) = code.strip_prefix("#define ") {
        let (name, value) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
        return Some(Setting { name, value, is_indented: false });
    }
    let (name, value) = code.split_once('=')?;
    let is_part = |c: char| c.is_alphanumeric() || "_: \t<>*&[]'(),;?".contains(c);
    let first = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    // `if a <= b`, `a >= b`, `a != b`, `x => y`.
    let compares = name.ends_with(['<', '>', '!']) || value.starts_with(['=', '>', '~']);
    let is_name =
        !first.is_empty() && !first.starts_with(|c: char| c.is_ascii_digit()) && !is_listed(STATEMENTS, first);
    (is_name && !compares && name.chars().all(is_part)).then_some(Setting { name, value, is_indented })
}

impl Setting<'_> {
    /// Whether it says for all that follows what the name stands for: by a word that says so, or beside all functions, or by a figure or a text.
    pub(crate) fn is_constant(&self) -> bool {
        let is_plain = self.value.trim_start().starts_with(|c: char| c.is_ascii_digit() || "\"'[{(-".contains(c));
        self.has_keyword() || !self.is_indented || is_plain
    }

    /// Whether a word says that a name is given.
    pub(crate) fn has_keyword(&self) -> bool {
        self.name.split_whitespace().any(|word| is_listed(KEYWORDS, word))
    }
}

/// How many more braces a line opens than it closes, but for those in quotes.
pub(super) fn braces(line: &str) -> i32 {
    let mut quoted = None;
    let mut depth = 0;
    let mut before = ' ';
    for c in line.chars() {
        match (quoted, c) {
            (Some(quote), _) if c == quote && before != '\\' => quoted = None,
            (Some(_), _) => {}
            (None, '"') => quoted = Some('"'),
            // `'{'`; a quote alone may be the sign of a lifetime.
            (None, '{') if before != '\'' => depth += 1,
            (None, '}') if before != '\'' => depth -= 1,
            (None, _) => {}
        }
        before = c;
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_lines_that_set_something_are_known() {
        for (line, name) in [
            ("LIMIT = 8", Some("LIMIT")),
            ("    limit: dict[str, int] = {}", Some("limit: dict[str, int]")),
            ("pub(crate) const LIMIT: usize = 8;", Some("pub(crate) const LIMIT: usize")),
            ("static LIMITS: (u8, u8) = (1, 2);", Some("static LIMITS: (u8, u8)")),
            ("#define LIMIT 8", Some("LIMIT")),
            ("const A: Vec<u8> = x;", Some("const A: Vec<u8>")),
            ("if a <= b:", None),
            ("if rows == LIMIT {", None),
            ("while (LIMIT >= rows) x = 3;", None),
            ("return a != b", None),
            ("x => y", None),
            ("x += 1", None),
            ("8 = x", None),
            ("", None),
        ] {
            assert_eq!(setting(line).map(|setting| setting.name.trim()), name, "{line}");
        }
        for (line, is_constant) in
            [("    LIMIT = value", false), ("    LIMIT = 8", true), ("LIMIT = other", true), ("    let a = b;", true)]
        {
            assert_eq!(setting(line).unwrap().is_constant(), is_constant, "{line}");
        }
        for (line, depth) in [("fn f() {", 1), ("}", -1), ("if c == '{' {", 1), ("say(\"{{\")", 0), ("} else {", 0)] {
            assert_eq!(braces(line), depth, "{line}");
        }
    }
}
