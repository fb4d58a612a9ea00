//! Notebooks: cells of Markdown and of code in their order, with what the code printed.

use serde::Deserialize;

use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, Unreadable};
use super::build::Builder;

/// What a cell printed is kept up to here, in characters; logs of a training are longer.
const OUTPUT_CHARS: usize = 2_000;

#[derive(Debug, Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    #[serde(default)]
    metadata: Metadata,
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
    #[serde(default)]
    source: Lines,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Debug, Deserialize)]
struct Output {
    #[serde(default)]
    text: Option<Lines>,
    #[serde(default)]
    data: Option<Data>,
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
}

pub(super) fn extract(text: &str) -> Result<Contents, Unreadable> {
    let read = serde_json::from_str(text);
    let Notebook { cells, metadata } = read.map_err(|_| Unreadable::Damaged("it is no notebook"))?;
    let language = metadata.kernelspec.and_then(|kernel| kernel.language).unwrap_or_default();
    let language: String = language.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    let mut out = Builder::titled(metadata.title);
    for (number, cell) in (1..).zip(&cells) {
        if out.is_full() {
            break;
        }
        out.place(PlaceInFile::of(Unit::Cell, number, number));
        let source = cell.source.text();
        if cell.cell_type != "code" {
            out.markdown(source.trim_end(), 0);
            continue;
        }
        out.code(&language, &source);
        let printed = cell.outputs.iter().filter_map(|output| {
            output.text.as_ref().or_else(|| output.data.as_ref()?.plain.as_ref()).map(Lines::text)
        });
        let mut shown = String::new();
        for text in printed {
            let room = OUTPUT_CHARS.saturating_sub(shown.chars().count());
            shown.extend(text.chars().take(room));
        }
        out.code("", &shown);
    }
    Ok(out.finish())
}
