//! What holds for the text of a group of RTF, and where its text goes.

use crate::core::base::rows::is_listed;
use crate::core::text::raised::Script;

/// Where the text of a group goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Goes {
    #[default]
    Text,
    /// Before the text of its paragraph: the number or the dot of an item.
    Mark,
    Title,
    /// The facts of the document, of which the title is one.
    Facts,
    Fonts,
    Styles,
    /// Who made the next remark.
    Author,
    /// What a field is made of, where the addresses of links are wanted.
    Field,
    Nowhere,
}

/// What ends with a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Note,
    TextBox,
    Remark,
    Link,
}

/// The state that a group begins with is that of the one around it, and ends with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) goes: Goes,
    /// Where the text goes that is said once more for newer programs.
    newer_goes: Option<Goes>,
    pub(super) ends: Option<Inside>,
    /// How many characters behind one that is written by its number stand for it in old programs.
    pub(super) replacements: usize,
    pub(super) font: Option<i32>,
    pub(super) is_hidden: bool,
    pub(super) is_deleted: bool,
    pub(super) is_struck: bool,
    pub(super) script: Option<Script>,
    pub(super) paragraph: Layout,
    /// A text box of a cell is in its cell, whatever it says of itself.
    pub(super) is_in_cell: bool,
}

/// What is said of a paragraph before its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub(super) style: Option<i32>,
    pub(super) outline_level: Option<i32>,
    /// How deep in a list.
    pub(super) depth: Option<i32>,
    pub(super) is_in_table: bool,
}

/// More characters than this stand for none; the longest of any code page has four bytes.
const REPLACEMENTS: usize = 8;

impl Default for Group {
    fn default() -> Self {
        Self {
            goes: Goes::Text,
            newer_goes: None,
            ends: None,
            replacements: 1,
            font: None,
            is_hidden: false,
            is_deleted: false,
            is_struck: false,
            script: None,
            paragraph: Layout::default(),
            is_in_cell: false,
        }
    }
}

impl Group {
    /// Changes what a control word changes in its group.
    pub(super) fn set(&mut self, word: &str, number: Option<i32>, usual_font: Option<i32>) {
        let is_on = number != Some(0);
        match word {
            "uc" => {
                let most = |count: i32| usize::try_from(count).unwrap_or_default().min(REPLACEMENTS);
                self.replacements = number.map_or(1, most);
            }
            "f" => self.font = number,
            "v" => self.is_hidden = is_on,
            "deleted" => self.is_deleted = is_on,
            "strike" | "striked" => self.is_struck = is_on,
            "super" => self.script = is_on.then_some(Script::Raised),
            "sub" => self.script = is_on.then_some(Script::Lowered),
            "nosupersub" => self.script = None,
            "plain" => {
                (self.font, self.script) = (usual_font, None);
                (self.is_hidden, self.is_deleted, self.is_struck) = (false, false, false);
            }
            "pard" => self.paragraph = Layout::default(),
            "s" => self.paragraph.style = number,
            "outlinelevel" => self.paragraph.outline_level = number,
            "ilvl" => self.paragraph.depth = number,
            "intbl" => self.paragraph.is_in_table = is_on,
            _ => {}
        }
    }

    /// Goes where the first word of a group says; whether the word was one that says so.
    pub(super) fn go(&mut self, word: &str, is_starred: bool) -> bool {
        let goes = match (word, self.goes) {
            // What follows is said for old programs, and behind it once more for newer ones.
            ("upr", goes) if goes != Goes::Nowhere => {
                self.newer_goes = Some(goes);
                Some(Goes::Nowhere)
            }
            ("ud", _) if is_starred => self.newer_goes.take().or(Some(Goes::Nowhere)),
            (word, goes) => destination(word, is_starred, goes),
        };
        goes.into_iter().for_each(|goes| self.goes = goes);
        goes.is_some()
    }

    pub(super) fn is_seen(&self) -> bool {
        !self.is_hidden && !self.is_deleted
    }
}

/// Groups of words that begin what is no text of the document: lists of what it uses, pictures, what fields are made of, headers and footers.
const NO_TEXT: &str = "aftncn aftnsep aftnsepc atnid background colortbl datafield filetbl fldinst footer footerf \
     footerl footerr ftncn ftnsep ftnsepc generator header headerf headerl headerr listoverridetable listtable \
     nonesttables nonshppict objdata operator pgdsctbl pict pn private revtbl rsidtbl rxe shprslt sp tc tcn template \
     txe userprops xe";
/// What is read although it is marked as unknown to old programs.
const KNOWN: &str = "footnote shpinst cs ds ts s";

/// Where the text of a group goes whose first word this is; nothing where it goes on as before.
fn destination(word: &str, is_starred: bool, around: Goes) -> Option<Goes> {
    match (around, word) {
        (Goes::Nowhere, _) => None,
        (Goes::Facts, "title") => Some(Goes::Title),
        (Goes::Text, "fonttbl") => Some(Goes::Fonts),
        (Goes::Text, "stylesheet") => Some(Goes::Styles),
        (Goes::Text, "info") => Some(Goes::Facts),
        (Goes::Text, "listtext" | "pntext") => Some(Goes::Mark),
        (_, word) => (is_listed(NO_TEXT, word) || (is_starred && !is_listed(KNOWN, word))).then_some(Goes::Nowhere),
    }
}
