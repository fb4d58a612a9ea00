//! The limits of reading pages and documents.

use std::time::Duration;

/// Words of a passage that are compared with other passages; a passage is a few paragraphs.
pub(crate) const SHINGLED_WORDS: usize = 2_000;
/// A passage with fewer words takes the next block of its section in: a line alone is too little to judge or to cite.
pub(crate) const PASSAGE_MIN_WORDS: usize = 60;
/// Where packing blocks into a passage stops, and the size that long blocks are cut to: about a paragraph, so
/// that a quote is found quickly and BM25 compares like with like.
pub(crate) const PASSAGE_TARGET_WORDS: usize = 150;
/// No passage is longer.
pub(crate) const PASSAGE_MAX_WORDS: usize = 220;
/// Parts of a passage whose places are kept; of a passage of more, all has one place.
pub(crate) const PARTS_PER_PASSAGE: usize = 250;
/// Blocks further apart are not joined to one passage, in bytes; blank lines and a comment fit.
pub(crate) const PASSAGE_GAP_BYTES: usize = 256;
/// An unbroken run of this many bytes counts as one word, so that text without spaces (Chinese, base64) is cut too.
pub(crate) const WORD_BYTES: usize = 16;
/// A heading or title is cut here: it is kept with each passage below it.
pub(crate) const HEADING_CHARS: usize = 200;
/// Passages of one file; about 3 million words, more than any book.
pub(crate) const PASSAGES_PER_FILE: usize = 20_000;
/// How far into an HTML file its charset declaration is looked for, in bytes (the HTML standard's figure).
pub(crate) const CHARSET_BYTES: usize = 1_024;
/// A file whose ending is unknown is read up to this size, in bytes: settings and notes are far smaller, and larger ones are data of some program.
pub(crate) const UNKNOWN_FILE_BYTES: u64 = 1 << 20;
/// The prefix of a saved report's name: with id and time it stays far below the 255 bytes of a file name.
pub(crate) const FILE_PREFIX_MAX_CHARS: usize = 64;
/// Names tried for a saved report when others of the same second are taken.
pub(crate) const FILE_NAME_TRIES: u32 = 100;
/// A report template of the user; the built-in one has 2 KB.
pub(crate) const TEMPLATE_FILE_BYTES: u64 = 256 * 1024;
/// Steps of a template: a report with 500 sources takes some thousands, and a million are done within a second.
pub(crate) const TEMPLATE_STEPS: u64 = 1_000_000;
/// Blocks of a template inside each other.
pub(crate) const TEMPLATE_DEPTH: usize = 100;
/// The file of a saved report, in bytes: several times the largest answer.
pub(crate) const REPORT_FILE_BYTES: usize = 64 << 20;
/// The title of a saved report, in characters.
pub(crate) const TITLE_CHARS: usize = 200;
/// Bytes of a page that are read, and of Markdown that are written: ten times the largest article. The rest is left out, and the
/// page says so.
pub(crate) const EXTRACT_BYTES: usize = 8 << 20;
/// Elements inside one another on a page. Deeper ones lose their structure, not their text; pages seen in the wild have 30 to 60.
pub(crate) const EXTRACT_DEPTH: usize = 500;
/// Elements and texts of one page: the HTML standard itself, as one page, has some 300,000.
pub(crate) const EXTRACT_NODES: usize = 500_000;
/// Blocks of text that are measured, at about 20 µs each; a page of more is taken as a whole, so that none takes a second.
pub(crate) const EXTRACT_BLOCKS: usize = 15_000;
/// Bytes of text that are measured, for the same reason. A book on one page has no furniture to speak of.
pub(crate) const EXTRACT_MEASURED_BYTES: usize = 4 << 20;
/// Bytes of an attribute that are kept; an address is shorter.
pub(crate) const EXTRACT_ATTRIBUTE_BYTES: usize = 4_096;
/// Blocks of JSON-LD read on one page, and things in them.
pub(crate) const EXTRACT_LINKED_DATA: usize = 32;
/// Bytes of a title, an author or the text of a short page.
pub(crate) const EXTRACT_FIELD_BYTES: usize = 400;
/// Bytes of a link's text.
pub(crate) const EXTRACT_LINK_TEXT_BYTES: usize = 1_000;
/// Links listed of one page.
pub(crate) const EXTRACT_LINKS: usize = 5_000;
/// Levels of lists and quotes that are shown; a page that is all indentation must not become a book.
pub(crate) const EXTRACT_INDENT: usize = 6;
/// Columns of a table; a wider one is no table for reading.
pub(crate) const EXTRACT_TABLE_COLUMNS: usize = 64;
/// Columns of a sheet or a table of values: exports and surveys have hundreds.
pub(crate) const SHEET_COLUMNS: usize = 1_024;
/// So many cells of a wide sheet for each one that says something; one that is emptier is cut as other tables are, or its blanks would fill the document.
pub(crate) const SHEET_BLANKS: usize = 16;
/// Bytes of cells that are written again in the rows that they reach into, or as many as a longer document has of text: a page of
/// nothing but spans must not become a book.
pub(crate) const EXTRACT_REPEATED_BYTES: usize = 64 << 10;
/// Bytes of a table's header that are written again beside the cells of its rows: half of what a document may have, so that the rows behind them
/// find room, too.
pub(crate) const EXTRACT_RECORD_BYTES: usize = EXTRACT_BYTES / 2;
/// Entries of one feed.
pub(crate) const EXTRACT_ENTRIES: usize = 1_000;
/// A shorter text, in characters, does not tell its language.
pub(crate) const EXTRACT_LANGUAGE_CHARS: usize = 100;
/// Characters that are enough to tell it.
pub(crate) const EXTRACT_LANGUAGE_SAMPLE: usize = 4_000;
/// A PDF. Larger ones are scans.
pub(crate) const PDF_BYTES: usize = 32 << 20;
/// Pages of a PDF that are read.
pub(crate) const PDF_PAGES: u32 = 2_000;
/// All text of a PDF.
pub(crate) const PDF_TEXT_BYTES: u64 = 16 << 20;
/// Reading a PDF; a hundred pages take one to two seconds. What was read until then is kept.
pub(crate) const PDF_TIME: Duration = Duration::from_secs(20);
/// PDFs that one child reads before another takes its place: parsers keep memory that they do not need any more.
pub(crate) const PDF_PER_CHILD: usize = 200;
/// How long a child waits for the next PDF before it ends.
pub(crate) const PDF_WAIT: Duration = Duration::from_secs(30);
/// Address space of the child that reads a PDF: streams that unpack to gigabytes end there and not with the machine's memory.
pub(crate) const PDF_MEMORY_BYTES: u64 = 2 << 30;
/// What one stream of a PDF may unpack to: reading a larger one takes more than the child has.
pub(crate) const PDF_STREAM_BYTES: u64 = 64 << 20;
/// The stack of its reading thread; deep but sound documents need more than the usual 2 MiB.
pub(crate) const PDF_STACK_BYTES: usize = 64 << 20;
/// Entries of an office file or a book that are looked at; a presentation of 300 slides has some thousand.
pub(crate) const ARCHIVE_ENTRIES: usize = 20_000;
/// Bytes that are unpacked of one office file or book, over all of its entries: ten times a large book.
pub(crate) const ARCHIVE_UNPACKED_BYTES: usize = 64 << 20;
/// Files of an archive that are looked at, what they may unpack to together, and what one packed byte may unpack to.
pub(crate) const BUNDLE_ENTRIES: usize = 10_000;
pub(crate) const BUNDLE_BYTES: usize = 32 << 20;
pub(crate) const BUNDLE_RATIO: usize = 200;
/// Bytes that go into and come out of unpacking one archive of any kind, also for entries that are given up: entries may lie about their size and share
/// their bytes.
pub(crate) const UNPACKING_BYTES: usize = 4 * BUNDLE_BYTES;
/// Bytes that a `.gz` may unpack to.
pub(crate) const GZIP_UNPACKED_BYTES: usize = 64 << 20;
/// Paragraphs inside one another in an office file: text boxes and notes.
pub(crate) const OFFICE_DEPTH: usize = 64;
/// Groups of RTF inside one another that are told apart; real files have a few dozen, and what is deeper is read as a part of the last one.
pub(crate) const RTF_GROUPS: usize = 1_000;
/// Characters of what stands around the counts in the number of a paragraph: `Article %1 of the second part`. It is written before every paragraph of its list.
pub(crate) const OFFICE_LABEL_CHARS: usize = 64;
/// Lists of one office file that are told apart, and styles of lists; Word itself keeps 2,047.
pub(crate) const OFFICE_LISTS: usize = 10_000;
/// Cells of one sheet.
pub(crate) const SHEET_CELLS: usize = 2_000_000;
/// What the rows of one table may take before they are written, in bytes: a sheet of half a million cells.
pub(crate) const GATHERED_BYTES: usize = 32 << 20;
/// Blanks in a row that an office text stands for by one mark.
pub(crate) const OFFICE_BLANKS: u32 = 40;
/// Characters of the name of a sheet; office programs allow 31.
pub(crate) const SHEET_NAME_CHARS: usize = 64;
/// Places that are marked in one document: rows of a sheet, paragraphs.
pub(crate) const EXTRACT_PLACES: usize = 500_000;
/// Sheets, slides and chapters of one file.
pub(crate) const OFFICE_PARTS: usize = 10_000;
/// Parts inside parts of a mail, and parts of one mail in all.
pub(crate) const MAIL_DEPTH: usize = 8;
pub(crate) const MAIL_PARTS: usize = 200;
/// Headers of one mail or part.
pub(crate) const MAIL_HEADERS: usize = 1_000;
/// Lines of a card, and of an entry of a calendar those of one kind: attendees, days that it is also or not held on.
pub(crate) const ENTRY_LINES: usize = 1_000;
/// A header of a mail over all of its lines; more of it is left out.
pub(crate) const MAIL_HEADER_BYTES: usize = 64 << 10;
