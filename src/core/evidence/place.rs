//! Where a passage stands, as a path or an address.

use crate::core::base::rows::is_listed;
use crate::core::text::Format;
use crate::core::text::format::{self, NameSays};
use crate::core::text::spans::PlaceInFile;
use crate::core::text::{archive, unescaped_path};

/// Where a passage stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) root: String,
    pub(crate) path: String,
    pub(crate) lines: PlaceInFile,
}

/// A path below a root as one path or address. A root that is a single file is its own document's path.
pub(crate) fn location(root: &str, path: &str) -> String {
    if is_web(root) {
        return format!("{root}/{path}");
    }
    let root = root.trim_end_matches('/');
    let (file, inside) = archive::split(path).map_or((path, ""), |(archive, _)| path.split_at(archive.len()));
    if root.rsplit('/').next() == Some(file) { format!("{root}{inside}") } else { format!("{root}/{path}") }
}

/// A location as it is shown to whoever gets a report: of a path on this machine no more than the file and its folder.
pub(crate) fn passed_on(location: &str) -> &str {
    let path = location.strip_prefix("file://").unwrap_or(location);
    if !path.starts_with('/') {
        return location;
    }
    let mut bars = path.rmatch_indices('/').map(|(at, _)| at);
    let from = bars.nth(1).map_or(0, |at| at + 1);
    path.get(from..).unwrap_or(path)
}

/// Whether a root is a site of the web, not a folder.
pub(crate) fn is_web(root: &str) -> bool {
    root.starts_with("http://") || root.starts_with("https://")
}

/// A document on this machine as a report cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalPlace {
    /// As it is written, relative or absolute.
    pub(crate) path: String,
    pub(crate) lines: Option<PlaceInFile>,
}

impl LocalPlace {
    /// Whether it is a file of code by its name.
    pub(crate) fn is_code(&self) -> bool {
        format::of_path(&self.path) == NameSays::Format(Format::Code)
    }
}

/// Endings of files that are endings of sites too.
const SITE_ENDINGS: &str = "org rs sh pl py cc ml mk tf vu st";

/// The longest path that is looked at, in bytes.
const PATH_BYTES: usize = 1_000;

/// The document that a text names, and nothing else beside it: `docs/x.md`, `x.md:12-20`, `/notes/x.txt#L5`, `file:///notes/x.md`.
pub(crate) fn local(text: &str) -> Option<LocalPlace> {
    let text = text.trim();
    if text.len() > PATH_BYTES || text.contains(['\n', '\t', '|', '<', '>', '"', '`', '*', '?']) {
        return None;
    }
    let bare = match text.strip_prefix("file://") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None if text.contains("://") => return None,
        None => text,
    };
    let (path, lines) = split_lines(bare);
    let path = if text.starts_with("file://") { unescaped_path(path) } else { path.to_owned() };
    let name = path.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    // A site may end like a file; one that is meant has a folder or lines.
    let is_site = lines.is_none() && !path.contains('/') && is_listed(SITE_ENDINGS, extension);
    let is_document = Format::of_extension(extension).is_some() && !is_site;
    (!stem.is_empty() && is_document).then_some(LocalPlace { path, lines })
}

/// A path and the lines behind it: `:12`, `:12-20`, `:12,40`, `#L5-L9`, `, lines 3–5`, `, lines 3–5 and 40`.
fn split_lines(text: &str) -> (&str, Option<PlaceInFile>) {
    let marked = |at: usize, mark: &str| {
        let lines = text.get(at + mark.len()..).and_then(lines_of)?;
        Some((text.get(..at)?.trim_end(), Some(lines)))
    };
    let found = [", lines ", ", line ", " lines ", " line ", "#", ":"]
        .into_iter()
        .find_map(|mark| text.rfind(mark).and_then(|at| marked(at, mark)));
    // An anchor is a place in the document that is not looked up.
    let anchor = || text.split_once('#').map_or(text, |(path, _)| path);
    found.unwrap_or_else(|| (anchor(), None))
}

/// Lines, and behind them those of notes.
fn lines_of(text: &str) -> Option<PlaceInFile> {
    let (own, notes) = match text.split_once(',').or_else(|| text.split_once(" and ")) {
        Some((own, notes)) => (own, Some(stretch(notes)?)),
        None => (text, None),
    };
    let (first, last) = stretch(own)?;
    Some(PlaceInFile::lines(first, last).with_notes(notes))
}

fn stretch(text: &str) -> Option<(u32, u32)> {
    let is_mark = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | 'L' | 'l' | ' ');
    let number = |text: &str| text.trim().trim_start_matches(['L', 'l']).parse::<u32>().ok();
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    let stretch = (number(first)?, number(last)?);
    (text.chars().all(is_mark) && stretch.0 > 0 && stretch.0 <= stretch.1).then_some(stretch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_that_is_a_file_is_the_path_of_its_document() {
        for (root, path, want) in [
            ("/docs", "a.md", "/docs/a.md"),
            ("/docs/", "old/a.md", "/docs/old/a.md"),
            ("/docs/a.md", "a.md", "/docs/a.md"),
            ("/docs", "old.zip!a.md", "/docs/old.zip!a.md"),
            ("/docs/old.zip", "old.zip!in/a.md", "/docs/old.zip!in/a.md"),
            ("https://a.example", "x", "https://a.example/x"),
        ] {
            assert_eq!(location(root, path), want, "{root} {path}");
        }
    }

    #[test]
    fn no_whole_path_is_passed_on() {
        for (location, want) in [
            ("/home/jane/notes/sea.md", "notes/sea.md"),
            ("/home/jane/notes/sea.md:3-5", "notes/sea.md:3-5"),
            ("file:///home/jane/notes/sea.md", "notes/sea.md"),
            ("notes/of/sea.md", "notes/of/sea.md"),
            ("https://a.example/b/c/d", "https://a.example/b/c/d"),
            ("/sea.md", "/sea.md"),
            ("standard input", "standard input"),
        ] {
            assert_eq!(passed_on(location), want, "{location}");
        }
    }

    /// EV-03: how reports cite documents of this machine.
    #[test]
    fn paths_with_and_without_lines() {
        let lines = |first, last| Some(PlaceInFile::lines(first, last));
        let with_notes = |own: Option<PlaceInFile>, notes| own.map(|own| own.with_notes(Some(notes)));
        for (text, want) in [
            ("docs/lake.md", Some(("docs/lake.md", None))),
            ("docs/lake.md:12-20", Some(("docs/lake.md", lines(12, 20)))),
            ("lake.txt:7", Some(("lake.txt", lines(7, 7)))),
            ("./a b/lake.md#L5", Some(("./a b/lake.md", lines(5, 5)))),
            ("lake.md#L5-L9", Some(("lake.md", lines(5, 9)))),
            ("lake.md#fish", Some(("lake.md", None))),
            ("lake.md, lines 3–5", Some(("lake.md", lines(3, 5)))),
            ("lake.md:3,12-14", Some(("lake.md", with_notes(lines(3, 3), (12, 14))))),
            ("lake.md, lines 3–5 and 12", Some(("lake.md", with_notes(lines(3, 5), (12, 12))))),
            ("lake.md:3,x", None),
            ("file:///notes/my%20lake.md:3", Some(("/notes/my lake.md", lines(3, 3)))),
            ("/notes/100%.pdf", Some(("/notes/100%.pdf", None))),
            ("https://lake.example/x.md", None),
            ("notes/old.tar.gz!docs/lake.md:3", Some(("notes/old.tar.gz!docs/lake.md", lines(3, 3)))),
            ("lake.org/x", None),
            ("the dam", None),
            (".md", None),
            ("lake.md:9-2", None),
        ] {
            let want = want.map(|(path, lines)| LocalPlace { path: path.to_owned(), lines });
            assert_eq!(local(text), want, "{text}");
        }
    }
}
