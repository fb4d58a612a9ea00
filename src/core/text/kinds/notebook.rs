//! Notebooks: cells of Markdown and of code in their order, with what the code printed, and the error that ended it.

use serde::Deserialize;

use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, Unreadable};
use super::build::Builder;

/// What a cell printed is kept up to here, in characters; logs of a training are longer.
const OUTPUT_CHARS: usize = 2_000;

/// Signs before a heading.
const MOST_SIGNS: usize = 6;

#[derive(Debug, Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    /// Where the cells stood before 2015.
    #[serde(default)]
    worksheets: Vec<Sheet>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Debug, Deserialize)]
struct Sheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Debug, Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    kernelspec: Option<Kernel>,
}

#[derive(Debug, Deserialize)]
struct Kernel {
    #[serde(default)]
    language: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Cell {
    cell_type: String,
    /// Of code it was called the input.
    #[serde(default, alias = "input")]
    source: Lines,
    /// Of a cell that is a heading.
    #[serde(default)]
    level: Option<usize>,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Debug, Deserialize)]
struct Output {
    #[serde(default)]
    text: Option<Lines>,
    #[serde(default)]
    data: Option<Data>,
    /// What kind of error ended the cell, what it said, and where it arose.
    #[serde(default)]
    ename: Option<String>,
    #[serde(default)]
    evalue: Option<String>,
    #[serde(default)]
    traceback: Option<Lines>,
}

impl Output {
    fn printed(&self) -> Option<String> {
        self.text.as_ref().or_else(|| self.data.as_ref()?.plain.as_ref()).map(Lines::text)
    }

    /// The error first: what is long is cut, and it is the last line of its trace.
    fn error(&self) -> Option<String> {
        let (name, value) = (self.ename.as_deref()?, self.evalue.as_deref().unwrap_or_default());
        let error = without_colours(&if value.is_empty() { name.to_owned() } else { format!("{name}: {value}") });
        let trace = self.traceback.as_ref().map(Lines::lines).unwrap_or_default();
        let trace = without_colours(&trace);
        let trace = trace.trim_end().strip_suffix(error.trim_end()).unwrap_or(&trace);
        Some(format!("{error}\n{}\n", trace.trim_end()))
    }
}

/// A text without the marks by which terminals show colours.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split("\u{1b}[");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        // Numbers and semicolons, up to the letter that says what they mean.
        let behind = part.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ';' | '?' | ' '));
        let mut rest = behind.chars();
        rest.next();
        out.push_str(rest.as_str());
    }
    out
}

#[derive(Debug, Deserialize)]
struct Data {
    #[serde(default, rename = "text/plain")]
    plain: Option<Lines>,
}

/// A text as one string or line by line.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Lines {
    Whole(String),
    Each(Vec<String>),
}

impl Default for Lines {
    fn default() -> Self {
        Self::Whole(String::new())
    }
}

impl Lines {
    fn text(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Each(lines) => lines.concat(),
        }
    }

    /// Texts that are lines without their ends.
    fn lines(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Each(lines) => lines.join("\n"),
        }
    }
}

pub(super) fn extract(text: &str) -> Result<Contents, Unreadable> {
    let read = serde_json::from_str(text);
    let Notebook { cells, worksheets, metadata } = read.map_err(|_| Unreadable::Damaged("it is no notebook"))?;
    let language = metadata.kernelspec.and_then(|kernel| kernel.language).unwrap_or_default();
    let language: String = language.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    let mut out = Builder::titled(metadata.title);
    let cells = cells.iter().chain(worksheets.iter().flat_map(|sheet| &sheet.cells));
    for (number, cell) in (1..).zip(cells) {
        if out.is_full() {
            break;
        }
        out.place(PlaceInFile::of(Unit::Cell, number, number));
        let source = cell.source.text();
        if cell.cell_type == "heading" {
            let signs = "#".repeat(cell.level.unwrap_or(1).clamp(1, MOST_SIGNS));
            out.markdown(&format!("{signs} {}", source.trim_end()), 0);
            continue;
        }
        if cell.cell_type != "code" {
            out.markdown(source.trim_end(), 0);
            continue;
        }
        out.code(&language, &source);
        out.code("", &kept(cell.outputs.iter().filter_map(Output::printed)));
        // What was printed before leaves an error its room.
        out.code("", &kept(cell.outputs.iter().filter_map(Output::error)));
    }
    Ok(out.finish())
}

/// The beginning of what a cell shows.
fn kept(texts: impl Iterator<Item = String>) -> String {
    let mut kept = String::new();
    let mut room = OUTPUT_CHARS;
    for text in texts.take(OUTPUT_CHARS) {
        let before = kept.len();
        kept.extend(text.chars().take(room));
        room -= kept.get(before..).unwrap_or_default().chars().count();
    }
    kept
}
