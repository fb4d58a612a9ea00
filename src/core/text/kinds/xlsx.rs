//! Workbooks: the sheets in their order, rows as tables below the first row, which is their header.

use super::super::spans::{PlaceInFile, SheetCells, Unit};
use super::super::{Contents, Unreadable};
use super::build::{Builder, TableRow};
use super::dates::{is_date_format, of_serial};
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{document_title, related};
use crate::core::base::limits;

pub(super) fn extract(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    let workbook = archive.needed("xl/workbook.xml")?;
    let targets = related(archive, "xl/workbook.xml")?;
    let shared = archive.text("xl/sharedStrings.xml")?.map(|text| shared_strings(&text)).unwrap_or_default();
    let dates = archive.text("xl/styles.xml")?.map(|text| date_styles(&text)).unwrap_or_default();
    let mut sheets = Vec::new();
    let mut from_1904 = false;
    for token in Tokens::new(&workbook) {
        let (Token::Open(tag) | Token::Empty(tag)) = token else { continue };
        match tag.name {
            "sheet" => sheets.extend(tag.get("name").zip(tag.get("r:id"))),
            "workbookPr" => from_1904 = tag.get("date1904").is_some_and(|set| set == "1" || set == "true"),
            _ => {}
        }
    }
    let mut out = Builder::titled(document_title(archive)?);
    for (name, id) in sheets {
        if out.is_full() {
            break;
        }
        let Some(target) = targets.get(id.as_ref()) else { continue };
        let Some(sheet) = archive.text(&target.path)? else { continue };
        let mut reader = Sheet { shared: &shared, dates: &dates, from_1904, ..Sheet::default() };
        reader.read(&sheet);
        out.cut |= reader.cut;
        write_sheet(&mut out, &name, reader.rows);
    }
    Ok(out.finish())
}

/// A row of a sheet: its number, and its cells by their columns.
#[derive(Debug, Default)]
pub(super) struct SheetRow {
    pub(super) number: u32,
    pub(super) cells: Vec<(u32, String)>,
}

/// Writes a sheet as a table, with the place of each row.
pub(super) fn write_sheet(out: &mut Builder, name: &str, rows: Vec<SheetRow>) {
    let filled = |row: &SheetRow| row.cells.iter().any(|(_, text)| !text.trim().is_empty());
    let rows: Vec<SheetRow> = rows.into_iter().filter(filled).collect();
    let columns = || rows.iter().flat_map(|row| row.cells.iter().filter(|(_, text)| !text.is_empty()));
    let Some(first) = columns().map(|(column, _)| *column).min() else { return };
    let widest = u32::try_from(limits::EXTRACT_TABLE_COLUMNS).unwrap_or(u32::MAX);
    let last = columns().map(|(column, _)| *column).max().unwrap_or(first);
    out.cut |= last - first >= widest;
    let last = last.min(first.saturating_add(widest - 1));
    let table: Vec<TableRow> = rows
        .into_iter()
        .map(|row| {
            let width = usize::try_from(last - first + 1).unwrap_or_default();
            let mut cells = vec![String::new(); width];
            for (column, text) in row.cells {
                let at = column.checked_sub(first).and_then(|at| usize::try_from(at).ok());
                at.and_then(|at| cells.get_mut(at)).into_iter().for_each(|cell| cell.clone_from(&text));
            }
            let cells_of = SheetCells { name: name.to_owned(), first_column: first, last_column: last };
            let place = PlaceInFile { sheet: Some(cells_of), ..PlaceInFile::of(Unit::Row, row.number, row.number) };
            TableRow { cells, place: Some(place) }
        })
        .collect();
    table.first().and_then(|row| row.place.clone()).into_iter().for_each(|place| out.place(place));
    out.heading(2, name);
    out.table(&table);
}

#[derive(Debug, Default)]
struct Sheet<'s> {
    shared: &'s [String],
    /// By the number of a style: whether it shows a date.
    dates: &'s [bool],
    from_1904: bool,
    rows: Vec<SheetRow>,
    cells: usize,
    cut: bool,
}

/// The cell that is open.
#[derive(Debug, Default)]
struct Cell {
    column: u32,
    kind: String,
    is_date: bool,
    text: String,
}

impl Sheet<'_> {
    fn read(&mut self, sheet: &str) {
        let mut cell: Option<Cell> = None;
        let mut in_value = false;
        let mut tokens = Tokens::new(sheet);
        while let Some(token) = tokens.next() {
            match token {
                Token::Open(tag) if tag.name == "row" => {
                    let next = self.rows.last().map_or(1, |row| row.number.saturating_add(1));
                    self.rows.push(SheetRow { number: tag.number("r").unwrap_or(next), cells: Vec::new() });
                }
                Token::Open(tag) if tag.name == "c" => cell = Some(self.cell(&tag)),
                // How a text is pronounced.
                Token::Open(tag) if tag.name == "rPh" => tokens.skip_element("rPh"),
                Token::Open(tag) if matches!(tag.name, "v" | "t") => in_value = true,
                Token::Close("v" | "t") => in_value = false,
                Token::Text(text) if in_value => cell.iter_mut().for_each(|cell| cell.text.push_str(&text)),
                Token::Close("c") => self.end(cell.take()),
                Token::Close("sheetData") => return,
                Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
            if self.cells >= limits::SHEET_CELLS {
                self.cut = true;
                return;
            }
        }
    }

    fn cell(&self, tag: &Tag<'_>) -> Cell {
        let after = self.rows.last().and_then(|row| row.cells.last()).map_or(1, |(column, _)| column + 1);
        let style = tag.number("s").and_then(|style| usize::try_from(style).ok());
        Cell {
            column: tag.get("r").and_then(|place| column(&place)).unwrap_or(after),
            kind: tag.get("t").unwrap_or_default().into_owned(),
            is_date: style.and_then(|style| self.dates.get(style)).copied().unwrap_or_default(),
            text: String::new(),
        }
    }

    fn end(&mut self, cell: Option<Cell>) {
        let (Some(cell), Some(row)) = (cell, self.rows.last_mut()) else { return };
        let Cell { column, kind, is_date, text } = cell;
        let text = match kind.as_str() {
            "s" => {
                let at = text.trim().parse::<usize>().ok();
                at.and_then(|at| self.shared.get(at)).cloned().unwrap_or_default()
            }
            "b" => if text.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            "" | "n" if is_date => of_serial(&text, self.from_1904).unwrap_or(text),
            "" | "n" => plain_number(text),
            _ => text,
        };
        self.cells += 1;
        if !text.is_empty() {
            row.cells.push((column, text));
        }
    }
}

/// A number as it was typed: sheets store `0.1` as `0.10000000000000001`.
fn plain_number(text: String) -> String {
    match text.parse::<f64>() {
        Ok(number) if text.len() > 16 => {
            let rounded = format!("{number:.12}");
            rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Ok(_) | Err(_) => text,
    }
}

/// The column of a place such as `AB12`, from 1.
fn column(place: &str) -> Option<u32> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_uppercase());
    let value = |sum: u32, byte: u8| sum.checked_mul(26)?.checked_add(u32::from(byte - b'A') + 1);
    letters.take(4).try_fold(0_u32, value).filter(|column| *column > 0)
}

fn shared_strings(text: &str) -> Vec<String> {
    let mut strings: Vec<String> = Vec::new();
    let mut in_text = false;
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(tag) | Token::Empty(tag) if tag.name == "si" => strings.push(String::new()),
            Token::Open(tag) if tag.name == "rPh" => tokens.skip_element("rPh"),
            Token::Open(tag) if tag.name == "t" => in_text = true,
            Token::Close("t") => in_text = false,
            Token::Text(text) if in_text => {
                strings.iter_mut().next_back().into_iter().for_each(|string| string.push_str(&text));
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    strings
}

/// By the number of a cell's style: whether it shows a date.
fn date_styles(text: &str) -> Vec<bool> {
    let mut own_formats = std::collections::BTreeMap::new();
    let mut styles = Vec::new();
    let mut in_cells = false;
    for token in Tokens::new(text) {
        match token {
            Token::Open(tag) if tag.name == "cellXfs" => in_cells = true,
            Token::Close("cellXfs") => in_cells = false,
            Token::Open(tag) | Token::Empty(tag) if tag.name == "numFmt" => {
                own_formats.extend(tag.number("numFmtId").zip(tag.get("formatCode").map(|code| is_date_format(&code))));
            }
            Token::Open(tag) | Token::Empty(tag) if tag.name == "xf" && in_cells => {
                let format = tag.number("numFmtId").unwrap_or_default();
                let built_in = matches!(format, 14..=22 | 45..=47);
                styles.push(own_formats.get(&format).copied().unwrap_or(built_in));
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    styles
}
