//! Workbooks: the sheets in their order, rows as tables below the first row, which is their header.

mod comments;
mod sheet;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::number_formats::Shows;
use super::remarks::people;
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{Struck, document_title, related};
use crate::core::base::limits;
pub(super) use sheet::{SheetRows, write_sheet};

pub(super) fn extract(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    let workbook = archive.needed("xl/workbook.xml")?;
    let targets = related(archive, "xl/workbook.xml")?;
    let shared = archive.text("xl/sharedStrings.xml")?.map(|text| shared_strings(&text)).unwrap_or_default();
    let styles = archive.text("xl/styles.xml")?.map(|text| styles(&text)).unwrap_or_default();
    let mut sheets = Vec::new();
    let mut from_1904 = false;
    for token in Tokens::new(&workbook) {
        let (Token::Open(tag) | Token::Empty(tag)) = token else { continue };
        match tag.name {
            "sheet" => {
                let is_hidden = tag.get("state").is_some_and(|state| state != "visible");
                sheets.extend(tag.get("name").zip(tag.get("r:id")).map(|(name, id)| (name, id, is_hidden)));
            }
            "workbookPr" => from_1904 = tag.get("date1904").is_some_and(|set| set == "1" || set == "true"),
            _ => {}
        }
    }
    let mut out = Builder::titled(document_title(archive)?);
    let people = people(archive, &targets, (&["/person"], &["person"], "displayName"));
    for (number, (name, id, is_hidden)) in sheets.into_iter().enumerate() {
        if !out.takes_part(number) {
            break;
        }
        let Some(target) = targets.get(id.as_ref()) else { continue };
        let Some(sheet) = archive.text(&target.path)? else { continue };
        let mut reader = Sheet { shared: &shared, styles: &styles, from_1904, ..Sheet::default() };
        reader.rows.is_hidden = is_hidden;
        reader.read(&sheet);
        comments::read(archive, &target.path, &people, &mut reader.rows);
        out.left_out.extend(reader.rows.room.is_used_up().then_some(LeftOut::Cells));
        write_sheet(&mut out, &name, reader.rows);
    }
    Ok(out.finish())
}

/// So many formats of its own may a workbook have; spreadsheets allow a few hundred.
const OWN_FORMATS: usize = 4_096;
/// So many styles of cells; spreadsheets allow 65,490.
const STYLES: usize = 65_490;

#[derive(Debug, Default)]
struct Sheet<'s> {
    shared: &'s [String],
    /// By the number of a style.
    styles: &'s [Style],
    from_1904: bool,
    rows: SheetRows,
    /// Where the row and the cell stand that were opened last.
    row: u32,
    column: u32,
}

/// The cell that is open.
#[derive(Debug, Default)]
struct Cell<'s> {
    column: u32,
    kind: String,
    style: Option<&'s Style>,
    text: String,
    /// What it is computed by.
    formula: String,
}

/// No more of a formula is shown, in bytes.
const FORMULA_BYTES: usize = 200;

impl Cell<'_> {
    fn computed_by(&mut self, formula: &str) {
        let room = FORMULA_BYTES.saturating_sub(self.formula.len());
        self.formula.push_str(formula.get(..formula.floor_char_boundary(room)).unwrap_or_default());
    }
}

/// How a cell shows what it holds.
#[derive(Clone, Debug, Default)]
struct Style {
    shows: Rc<Shows>,
    is_struck: bool,
}

impl<'s> Sheet<'s> {
    fn read(&mut self, sheet: &str) {
        let mut cell: Option<Cell<'s>> = None;
        let (mut in_value, mut in_formula) = (false, false);
        let mut struck = Struck::default();
        let mut tokens = Tokens::new(sheet);
        while let Some(token) = tokens.next() {
            match token {
                Token::Open(tag) if tag.name == "row" => {
                    self.row = tag.number("r").unwrap_or(self.row.saturating_add(1));
                    self.column = 0;
                    self.rows.row(self.row);
                }
                Token::Open(tag) if tag.name == "c" => cell = Some(self.cell(&tag)),
                // How a text is pronounced.
                Token::Open(tag) if tag.name == "rPh" => tokens.skip_element("rPh"),
                Token::Open(tag) if matches!(tag.name, "v" | "t") => in_value = true,
                Token::Close("v" | "t") => in_value = false,
                Token::Open(tag) if tag.name == "f" => in_formula = true,
                Token::Close("f") => in_formula = false,
                Token::Text(text) if in_formula => cell.iter_mut().for_each(|cell| cell.computed_by(&text)),
                Token::Open(tag) | Token::Empty(tag) if tag.name == "strike" => struck.now = is_on(&tag),
                Token::Close("r") => struck.now = false,
                Token::Text(text) if in_value => {
                    cell.iter_mut().for_each(|cell| struck.push(&mut cell.text, &text));
                }
                Token::Close("c") => cell.take().into_iter().for_each(|cell| self.end(cell)),
                Token::Close("sheetData") => break,
                Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
            if self.rows.room.is_used_up() {
                return;
            }
        }
        for token in tokens {
            match token {
                Token::Open(tag) | Token::Empty(tag) if tag.name == "mergeCell" => {
                    let cells = tag.get("ref").unwrap_or_default();
                    let corners = cells.split_once(':').and_then(|(from, to)| Some((corner(from)?, corner(to)?)));
                    corners.into_iter().for_each(|(from, to)| self.rows.merge(from, to));
                }
                Token::Close("mergeCells") => return,
                Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
        }
    }

    fn cell(&mut self, tag: &Tag<'_>) -> Cell<'s> {
        self.column = tag.get("r").and_then(|place| column(&place)).unwrap_or(self.column.saturating_add(1));
        let style = tag.number("s").and_then(|style| usize::try_from(style).ok());
        Cell {
            column: self.column,
            kind: tag.get("t").unwrap_or_default().into_owned(),
            style: style.and_then(|style| self.styles.get(style)),
            text: String::new(),
            formula: String::new(),
        }
    }

    fn end(&mut self, cell: Cell<'s>) {
        let Cell { column, kind, style, text, formula } = cell;
        // Programs that only write workbooks leave the values to those who open them.
        if text.is_empty() && !formula.is_empty() {
            self.rows.cell(column, &format!("={formula}"));
            return;
        }
        let plain = Style::default();
        let Style { shows, is_struck } = style.unwrap_or(&plain);
        let text = match kind.as_str() {
            "s" => {
                let at = text.trim().parse::<usize>().ok();
                shows.text(at.and_then(|at| self.shared.get(at)).map(String::as_str).unwrap_or_default())
            }
            "str" | "inlineStr" => Cow::Owned(shows.text(&text).into_owned()),
            "b" => Cow::Borrowed(if text.trim() == "1" { "TRUE" } else { "FALSE" }),
            "" | "n" => Cow::Owned(shows.number(&text, self.from_1904).unwrap_or(text)),
            _ => Cow::Owned(text),
        };
        match *is_struck && !text.contains("~~") {
            true => self.rows.cell(column, &Struck::whole(&text)),
            false => self.rows.cell(column, &text),
        }
    }
}

/// The column of a place such as `AB12`, from 1.
fn column(place: &str) -> Option<u32> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_uppercase());
    let value = |sum: u32, byte: u8| sum.checked_mul(26)?.checked_add(u32::from(byte - b'A') + 1);
    letters.take(4).try_fold(0_u32, value).filter(|column| *column > 0)
}

/// The row and the column of a place such as `AB12`.
fn corner(place: &str) -> Option<(u32, u32)> {
    let row = place.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
    Some((row, column(place)?))
}

fn shared_strings(text: &str) -> Vec<String> {
    let mut strings: Vec<String> = Vec::new();
    let mut in_text = false;
    let mut struck = Struck::default();
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(tag) | Token::Empty(tag) if tag.name == "si" => {
                // A sheet has no more cells that could refer to one.
                if strings.len() >= limits::SHEET_CELLS {
                    break;
                }
                strings.push(String::new());
            }
            Token::Open(tag) if tag.name == "rPh" => tokens.skip_element("rPh"),
            Token::Open(tag) if tag.name == "t" => in_text = true,
            Token::Close("t") => in_text = false,
            Token::Open(tag) | Token::Empty(tag) if tag.name == "strike" => struck.now = is_on(&tag),
            Token::Close("r") => struck.now = false,
            Token::Text(text) if in_text => {
                strings.iter_mut().next_back().into_iter().for_each(|string| struck.push(string, &text));
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    strings
}

/// Whether a property that may be switched off is on.
fn is_on(tag: &Tag<'_>) -> bool {
    !tag.get("val").is_some_and(|set| matches!(set.as_ref(), "0" | "false"))
}

/// By the number of a cell's style.
fn styles(text: &str) -> Vec<Style> {
    // By their numbers, those of the workbook and those that every workbook has.
    let (mut own_formats, mut other_formats) = (BTreeMap::new(), BTreeMap::new());
    let mut styles = Vec::new();
    // Whether the letters of each font are struck out.
    let mut fonts: Vec<bool> = Vec::new();
    let (mut in_fonts, mut in_cells) = (false, false);
    for token in Tokens::new(text) {
        match token {
            Token::Open(tag) if tag.name == "fonts" => in_fonts = true,
            Token::Close("fonts") => in_fonts = false,
            Token::Open(tag) | Token::Empty(tag) if tag.name == "font" && in_fonts => fonts.push(false),
            Token::Open(tag) | Token::Empty(tag) if tag.name == "strike" && in_fonts => {
                fonts.iter_mut().next_back().into_iter().for_each(|font| *font = is_on(&tag));
            }
            Token::Open(tag) if tag.name == "cellXfs" => in_cells = true,
            Token::Close("cellXfs") => in_cells = false,
            Token::Open(tag) | Token::Empty(tag) if tag.name == "numFmt" => {
                let shows = tag.get("formatCode").map(|code| Rc::new(Shows::of_format(&code)));
                own_formats.extend(tag.number("numFmtId").zip(shows).filter(|_| own_formats.len() < OWN_FORMATS));
            }
            Token::Open(tag) | Token::Empty(tag) if tag.name == "xf" && in_cells && styles.len() < STYLES => {
                let format = tag.number("numFmtId").unwrap_or_default();
                let other = || other_formats.entry(format).or_insert_with(|| Rc::new(Shows::of_number(format))).clone();
                let shows = own_formats.get(&format).cloned().unwrap_or_else(other);
                let font = tag.number("fontId").and_then(|font| usize::try_from(font).ok());
                let is_struck = font.and_then(|font| fonts.get(font)).is_some_and(|is_struck| *is_struck);
                styles.push(Style { shows, is_struck });
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    styles
}
