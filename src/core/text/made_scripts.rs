//! Scripts of web pages that nobody wrote to be read: packed into one line, made of data by the generator of a documentation, or copied beside its
//! pages with the names that all such copies have.

use crate::core::base::rows::listed;

/// Scripts of pages.
const SCRIPTS: [&str; 3] = ["cjs", "js", "mjs"];
/// A shorter one may have been written so.
const PACKED_BYTES: usize = 2_048;
/// Bytes of a line, on average, that nobody writes.
const PACKED_LINE_BYTES: usize = 500;
/// So many shorter lines were written by somebody, whatever else is in the file; licences that are kept have fewer.
const WRITTEN_LINES: usize = 30;
/// What the names begin with of scripts that generators of documentation copy, and of the libraries that these need.
const COPIED: &str = "_sphinx_javascript_frameworks_compat bootstrap clipboard doctools documentation_options \
     dynsections highlight.pack jquery language_data lunr menudata modernizr navtree searchdata searchindex \
     searchtools sphinx_highlight typeahead underscore";
/// The folder of such scripts beside the pages of Sphinx.
const COPIED_FOLDER: &str = "_static";
/// How much of a script tells whether all of it is data.
const LOOKED_AT: usize = 64 * 1_024;

/// Whether a file is such a script. `path` may have folders.
pub(crate) fn is_made_script(path: &str, bytes: &[u8]) -> bool {
    let path = path.to_ascii_lowercase();
    let mut folders = path.split('/').rev();
    let name = folders.next().unwrap_or_default();
    let is_script = name.rsplit_once('.').is_some_and(|(_, extension)| SCRIPTS.contains(&extension));
    is_script
        && (folders.any(|folder| folder == COPIED_FOLDER) || is_copied(name) || is_packed(bytes) || is_data(bytes))
}

fn is_copied(name: &str) -> bool {
    listed(COPIED).any(|known| {
        let rest = name.strip_prefix(known);
        rest.is_some_and(|rest| rest.starts_with(['.', '-', '_']) || rest.starts_with("js"))
    })
}

/// Whether it has no lines to speak of.
fn is_packed(bytes: &[u8]) -> bool {
    if bytes.len() < PACKED_BYTES {
        return false;
    }
    let lines = || bytes.split(|byte| *byte == b'\n');
    let written = lines().filter(|line| !line.trim_ascii().is_empty() && line.len() < PACKED_LINE_BYTES).count();
    bytes.len() / lines().count().max(1) >= PACKED_LINE_BYTES && written < WRITTEN_LINES
}

/// Whether it only gives a name to a list of addresses and the like: `var searchData=[['a',['../x.html#y',1]]]`.
fn is_data(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(bytes.get(..LOOKED_AT).unwrap_or(bytes));
    let named = ["var ", "let ", "const "].iter().find_map(|kind| head.trim_start().strip_prefix(kind));
    let value = named.and_then(|named| named.split_once('=')).map(|(name, value)| (name.trim(), value.trim_start()));
    value.is_some_and(|(name, value)| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && value.starts_with('[')
            && value.contains(".html")
            && !value.contains("function")
            && !value.contains("=>")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_tools_are_told_from_written_ones() {
        let packed = format!("search({{\"a\": [{}]}})", "17, ".repeat(1_000));
        let licence = format!("/*\n{}*/\n{packed}", "The licence\n".repeat(5));
        let written = "function tide(moon) {\n  return moon * 2;\n}\n".repeat(200);
        for (path, text, is_made) in [
            ("searchindex.js", "x", true),
            ("x.js", &packed, true),
            ("x.mjs", &licence, true),
            ("x.md", &packed, false),
            ("x.js", &written, false),
            ("x.js", "var tide = 12", false),
            ("functions_3.js", "var searchData=\n[\n  ['a_0',['a',['../a.html#b',1,'a(int)']]]\n]", true),
            ("ports.js", "const PORTS = ['Brest', 'Kiel']", false),
            ("routes.js", "const ROUTES = [{path: 'a.html', run: () => 1}]", false),
            ("doc/_static/theme.js", &written, true),
            ("src/theme.js", &written, false),
            ("jquery-3.6.0.js", &written, true),
            ("jquery.js", &written, true),
            ("jqueryish.js", &written, false),
            ("searchtools.js", &written, true),
            ("underscore.py", &written, false),
            ("", "", false),
        ] {
            assert_eq!(is_made_script(path, text.as_bytes()), is_made, "{path}");
        }
    }
}
