//! The tantivy index of one root: its schema, its manifest of files, and writing it.
//!
//! The manifest lives inside the index, one document per file, so that it is committed together with the
//! passages and cannot disagree with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::directory::MmapDirectory;
use tantivy::indexer::LogMergePolicy;
use tantivy::schema::{Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};

use super::fault::{Fault, guard};
use super::words::document_analyzer;
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::text::Document;
use crate::core::text::spans::{Lines, Span};

/// The name of our analyzer inside an index.
const ANALYZER: &str = "words";
/// What stands in `kind` of every passage.
pub(super) const PASSAGE: &str = "passage";
/// Segments with more deleted passages than this are merged, so that what left the library leaves the disk.
const DELETED_SHARE: f32 = 0.3;

/// The fields, which are the same in every index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The path of the file, of its passages and of its manifest row.
    path: Field,
    /// The path of the file, of its manifest row only.
    file: Field,
    /// The manifest row as JSON.
    row: Field,
    pub(super) kind: Field,
    pub(super) text: Field,
    pub(super) headings: Field,
    /// The title and the path, in words.
    pub(super) title: Field,
    /// What a passage is, as JSON.
    pub(super) about: Field,
}

pub(super) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default().set_tokenizer(ANALYZER).set_index_option(IndexRecordOption::WithFreqs);
    let words = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        path: builder.add_text_field("path", STRING),
        file: builder.add_text_field("file", STRING),
        row: builder.add_text_field("row", TextOptions::default().set_fast("raw")),
        kind: builder.add_text_field("kind", STRING),
        text: builder.add_text_field("text", words.clone() | STORED),
        headings: builder.add_text_field("headings", words.clone()),
        title: builder.add_text_field("title", words),
        about: builder.add_text_field("about", STORED),
    };
    (builder.build(), fields)
}

/// One file of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) path: String,
    pub(super) size: u64,
    /// `None`: the file was too fresh for its time to be trusted.
    pub(super) mtime_ns: Option<i64>,
    /// The SHA-256 of the file's bytes.
    pub(super) content: String,
    pub(super) passages: u32,
}

/// What is stored with a passage beside its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) headings: Vec<String>,
    pub(super) lines: Lines,
    pub(super) span: Span,
    pub(super) page: PageHash,
}

/// A document on its way into the index.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) row: Row,
    pub(super) title: String,
    pub(super) page: PageHash,
    pub(super) document: &'a Document,
}

/// An index, opened for reading at one commit.
pub(super) struct Opened {
    index: Index,
    reader: IndexReader,
    /// The commit, as its file says.
    commit: Vec<u8>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").finish_non_exhaustive()
    }
}

impl Opened {
    /// Opens what is there, or nothing.
    pub(super) fn open(dir: &Path) -> Result<Option<Self>, Fault> {
        let Some(commit) = commit_of(dir) else { return Ok(None) };
        guard(|| {
            let mut index = Index::open_in_dir(dir)?;
            prepare(&mut index)?;
            Ok(Some(Self { reader: reader(&index)?, index, commit }))
        })
    }

    /// Makes an empty index. The caller holds the lock and has removed what was there.
    pub(super) fn create(dir: &Path) -> Result<Self, Fault> {
        fs::create_dir_all(dir).map_err(|error| super::fault::own_io(dir, &error))?;
        guard(|| {
            let directory = MmapDirectory::open(dir).map_err(tantivy::TantivyError::from)?;
            let mut index = Index::open_or_create(directory, schema().0)?;
            prepare(&mut index)?;
            Ok(Self { reader: reader(&index)?, index, commit: commit_of(dir).unwrap_or_default() })
        })
    }

    /// Whether a process has committed since.
    pub(super) fn is_stale(&self, dir: &Path) -> bool {
        commit_of(dir).is_none_or(|commit| commit != self.commit)
    }

    pub(super) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The files of the index, by path.
    pub(super) fn manifest(&self) -> Result<BTreeMap<String, Row>, Fault> {
        guard(|| {
            let mut rows = BTreeMap::new();
            for segment in self.searcher().segment_readers() {
                let Some(column) = segment.fast_fields().str("row")? else { continue };
                let alive = segment.doc_ids_alive();
                let mut ords: Vec<u64> = alive.filter_map(|doc| column.ords().first(doc)).collect();
                ords.sort_unstable();
                let mut broken = None;
                let read = |json: &[u8]| match serde_json::from_slice::<Row>(json) {
                    Ok(row) => drop(rows.insert(row.path.clone(), row)),
                    Err(error) => broken = Some(error.to_string()),
                };
                let all = column.dictionary().sorted_ords_to_term_cb(&ords, read);
                let all = all.map_err(|error| Fault::Damaged(error.to_string()))?;
                if let Some(error) = broken.or_else(|| (!all).then(|| "a file is missing".to_owned())) {
                    return Err(Fault::Damaged(format!("the manifest cannot be read: {error}")));
                }
            }
            Ok(rows)
        })
    }

    pub(super) fn writer(&self) -> Result<Writer, Fault> {
        guard(|| {
            let writer = self.index.writer_with_num_threads(1, limits::LIBRARY_WRITER_BYTES)?;
            let mut merging = LogMergePolicy::default();
            merging.set_del_docs_ratio_before_merge(DELETED_SHARE);
            writer.set_merge_policy(Box::new(merging));
            Ok(Writer { writer, fields: schema().1 })
        })
    }
}

/// Our analyzer, and a schema that is ours.
fn prepare(index: &mut Index) -> Result<(), Fault> {
    if index.schema() != schema().0 {
        return Err(Fault::Damaged("the index has another schema".to_owned()));
    }
    index.tokenizers().register(ANALYZER, document_analyzer());
    Ok(())
}

fn reader(index: &Index) -> Result<IndexReader, Fault> {
    Ok(index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?)
}

/// What says which commit an index is at; tantivy replaces it as a whole.
pub(super) fn commit_of(dir: &Path) -> Option<Vec<u8>> {
    fs::read(dir.join("meta.json")).ok()
}

/// Writes to an index. What is not committed is forgotten when it is dropped.
pub(super) struct Writer {
    writer: IndexWriter,
    fields: Fields,
}

impl Writer {
    /// Puts a file in, in place of what the index held of it.
    pub(super) fn put(&self, entry: &Entry<'_>) -> Result<(), Fault> {
        self.remove(&entry.row.path);
        let path = Path::new(&entry.row.path).with_extension("");
        let title = format!("{} {}", entry.title, path.display());
        for piece in &entry.document.passages {
            let about = About {
                path: entry.row.path.clone(),
                title: entry.title.clone(),
                headings: piece.headings.to_vec(),
                lines: piece.lines,
                span: Span { start: offset(piece.span.start), end: offset(piece.span.end) },
                page: entry.page.clone(),
            };
            let mut passage = TantivyDocument::new();
            passage.add_text(self.fields.kind, PASSAGE);
            passage.add_text(self.fields.path, &entry.row.path);
            passage.add_text(self.fields.text, entry.document.passage_text(piece));
            passage.add_text(self.fields.headings, piece.headings.join("\n"));
            passage.add_text(self.fields.title, &title);
            passage.add_text(self.fields.about, json(&about)?);
            self.writer.add_document(passage)?;
        }
        self.add_row(&entry.row)
    }

    /// Replaces a file's manifest row; its passages stay.
    pub(super) fn put_row(&self, row: &Row) -> Result<(), Fault> {
        self.writer.delete_term(Term::from_field_text(self.fields.file, &row.path));
        self.add_row(row)
    }

    fn add_row(&self, row: &Row) -> Result<(), Fault> {
        let mut file = TantivyDocument::new();
        file.add_text(self.fields.path, &row.path);
        file.add_text(self.fields.file, &row.path);
        file.add_text(self.fields.row, json(row)?);
        self.writer.add_document(file)?;
        Ok(())
    }

    pub(super) fn remove(&self, path: &str) {
        self.writer.delete_term(Term::from_field_text(self.fields.path, path));
    }

    pub(super) fn commit(&mut self) -> Result<(), Fault> {
        guard(|| {
            self.writer.commit()?;
            Ok(())
        })
    }

    /// Commits and ends the writer's threads.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        guard(|| {
            self.writer.commit()?;
            self.writer.wait_merging_threads()?;
            Ok(())
        })
    }
}

fn json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::Damaged(error.to_string()))
}

fn offset(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
