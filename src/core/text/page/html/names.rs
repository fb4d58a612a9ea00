//! The names of elements and attributes that mean something here; all others are one.

use std::sync::LazyLock;

use crate::core::base::rows::listed;

/// An element's name, as a place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(u8);

/// Sorted, for looking up.
const KNOWN: &str = "a abbr address article aside audio b base blockquote body br button canvas caption center cite \
     code col colgroup dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame \
     h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main mark math menu meta \
     nav noscript object ol optgroup option p param picture pre q s samp script search section select small source \
     span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track \
     tt u ul video wbr";

/// How many there are with the first, which stands for every name that is not among them.
pub(super) const COUNT: usize = 106;
pub(super) const OTHER: Name = Name(0);

static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| std::iter::once("").chain(listed(KNOWN)).collect());

const KNOWN_ATTRIBUTES: &str = "alt aria-hidden aria-label charset class colspan content data-lang data-language datetime \
     dir hidden href hreflang http-equiv id itemprop itemtype lang name open property rel role rowspan src start style \
     title type value";

static ATTRIBUTES: LazyLock<Vec<&str>> = LazyLock::new(|| listed(KNOWN_ATTRIBUTES).collect());

/// The name of an element, in any case of letters.
pub(super) fn of(name: &[u8]) -> Name {
    let found = NAMES.binary_search_by(|known| known.as_bytes().cmp(name)).unwrap_or_default();
    Name(u8::try_from(found).unwrap_or_default())
}

pub(super) fn attribute(name: &[u8]) -> Option<&'static str> {
    ATTRIBUTES.binary_search_by(|known| known.as_bytes().cmp(name)).ok().and_then(|at| ATTRIBUTES.get(at).copied())
}

impl Name {
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn text(self) -> &'static str {
        NAMES.get(self.index()).copied().unwrap_or_default()
    }

    /// Elements that never have content.
    pub(super) fn is_void(self) -> bool {
        matches!(
            self.text(),
            "base"
                | "br"
                | "col"
                | "embed"
                | "frame"
                | "hr"
                | "img"
                | "input"
                | "link"
                | "meta"
                | "param"
                | "source"
                | "track"
                | "wbr"
        )
    }

    /// Elements of HTML, for which `<div/>` is a start tag, whatever its author meant.
    pub(super) fn is_html_container(self) -> bool {
        self != OTHER && !self.is_void()
    }

    /// Elements that stand on lines of their own.
    pub(super) fn is_block(self) -> bool {
        self.heading_level().is_some()
            || matches!(
                self.text(),
                "address"
                    | "article"
                    | "aside"
                    | "blockquote"
                    | "body"
                    | "caption"
                    | "center"
                    | "dd"
                    | "details"
                    | "dialog"
                    | "div"
                    | "dl"
                    | "dt"
                    | "fieldset"
                    | "figcaption"
                    | "figure"
                    | "footer"
                    | "form"
                    | "header"
                    | "hr"
                    | "html"
                    | "legend"
                    | "li"
                    | "main"
                    | "menu"
                    | "nav"
                    | "ol"
                    | "optgroup"
                    | "option"
                    | "p"
                    | "pre"
                    | "search"
                    | "section"
                    | "summary"
                    | "table"
                    | "tbody"
                    | "td"
                    | "tfoot"
                    | "th"
                    | "thead"
                    | "tr"
                    | "ul"
            )
    }

    /// Elements whose content is no text of the page.
    pub(super) fn is_dropped(self) -> bool {
        matches!(
            self.text(),
            "audio"
                | "canvas"
                | "head"
                | "iframe"
                | "object"
                | "option"
                | "script"
                | "select"
                | "style"
                | "svg"
                | "template"
                | "textarea"
                | "video"
        )
    }

    /// Elements that stand in `<head>`; any other begins the body.
    pub(super) fn is_of_head(self) -> bool {
        matches!(
            self.text(),
            "base" | "head" | "link" | "meta" | "noscript" | "object" | "script" | "style" | "template" | "title"
        )
    }

    /// 1 to 6 for `h1` to `h6`.
    pub(super) fn heading_level(self) -> Option<u8> {
        match self.text().as_bytes() {
            [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_every_name_is_found() {
        assert!(NAMES.is_sorted() && ATTRIBUTES.is_sorted());
        assert_eq!(NAMES.len(), COUNT);
        for name in NAMES.iter() {
            assert_eq!(of(name.as_bytes()).text(), *name);
        }
        assert_eq!(of(b"marquee"), OTHER);
    }
}
