//! Labelled pages on disk.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

/// One line of `truth.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct Truth {
    pub(crate) id: String,
    pub(crate) page_type: String,
    pub(crate) main_content: String,
    #[serde(default)]
    pub(crate) must_contain: Vec<String>,
    #[serde(default)]
    pub(crate) must_not_contain: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) truth: Truth,
    pub(crate) html: Vec<u8>,
}

/// All pages of a folder, in the order of their ids.
pub(crate) fn read(dir: &Path) -> Result<Vec<Page>, String> {
    let file = dir.join("truth.jsonl");
    let lines = std::fs::read_to_string(&file).map_err(|problem| format!("{}: {problem}", file.display()))?;
    let mut pages = Vec::new();
    for line in lines.lines() {
        let truth: Truth = serde_json::from_str(line).map_err(|problem| format!("{}: {problem}", file.display()))?;
        let path = dir.join("pages").join(format!("{}.html.gz", truth.id));
        let packed = File::open(&path).map_err(|problem| format!("{}: {problem}", path.display()))?;
        let mut html = Vec::new();
        flate2::read::GzDecoder::new(packed)
            .read_to_end(&mut html)
            .map_err(|problem| format!("{}: {problem}", path.display()))?;
        pages.push(Page { truth, html });
    }
    pages.sort_by(|a, b| a.truth.id.cmp(&b.truth.id));
    Ok(pages)
}
