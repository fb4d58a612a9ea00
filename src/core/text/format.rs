//! What kind of file it is: by its name, and by its bytes where the name says nothing or lies.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::file_names::{self, NAMED_TEXT, PDF_EXTENSION};
use super::spans::TextLines;
use super::unknown_endings::{ending_of, is_clearly_text, is_unread, stems};
use super::{Unreadable, kinds, secret_files};
use crate::core::base::limits;
use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;
use crate::core::language::days::begins_with_stamp;

/// The kinds of file that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Markdown,
    Plain,
    Html,
    Org,
    AsciiDoc,
    Tex,
    Log,
    Code,
    Json,
    /// YAML, TOML and settings by sections or keys.
    Settings,
    Csv,
    Tsv,
    Notebook,
    /// A page of the manual of Unix.
    Man,
    Mail,
    Mailbox,
    /// Cards of people and firms.
    Cards,
    /// Appointments and tasks.
    Calendar,
    Rtf,
    Docx,
    Pptx,
    Xlsx,
    Odt,
    Ods,
    Odp,
    Epub,
    /// Read by a child: its parser may take any time and memory.
    Pdf,
}

/// What the name of a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameSays {
    Format(Format),
    /// Nothing; the bytes tell.
    Nothing,
    /// It is of a kind that is not read; how the kind is called when such files are counted.
    NotRead(String),
}

/// How the kind of files without an extension that hold no text is called.
pub(crate) const WITHOUT_EXTENSION: &str = "no extension";
/// How files are called that are kept for the secrets in them, when they are counted.
pub(crate) const SECRETS: &str = "secrets";
/// How the kind of files is called that end in a number and hold no text: `libc.so.6`.
pub(crate) const NUMBERED: &str = "numbered";
/// Endings that begin as a section of the manual does and say something else.
const NO_SECTIONS: &str = "1st 3dm 3ds 3g2 3gp 3gpp 3mf 7z";
/// Letters behind the number of a section, as in `3perl` and `1posix`.
const SECTION_LETTERS: usize = 8;
/// Longer endings are no kinds, in bytes.
const EXTENSION_BYTES: usize = 12;
/// How much of a file tells its kind.
pub(crate) const HEAD_BYTES: usize = 4_096;

impl Format {
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        if extension == PDF_EXTENSION {
            return Some(Self::Pdf);
        }
        file_names::of_ending(&extension)
    }

    /// Whether files of this kind can grow at their end without a change to what they held before.
    pub(crate) fn grows_at_its_end(self) -> bool {
        self.is_its_text() || matches!(self, Self::Csv | Self::Tsv | Self::Mailbox)
    }

    /// Whether a file without text may still show something to its reader: pictures, drawings, charts.
    pub(crate) fn shows_more_than_text(self) -> bool {
        use Format::{Docx, Epub, Notebook, Odp, Ods, Odt, Pptx, Rtf, Xlsx};
        matches!(self, Rtf | Docx | Pptx | Xlsx | Odt | Odp | Ods | Epub | Notebook)
    }

    /// Whether the text of a document is that of its file, so that lines are the same in both.
    pub(crate) fn is_its_text(self) -> bool {
        match self {
            Self::Markdown
            | Self::Plain
            | Self::Org
            | Self::AsciiDoc
            | Self::Tex
            | Self::Log
            | Self::Code
            | Self::Json
            | Self::Settings => true,
            Self::Html
            | Self::Csv
            | Self::Tsv
            | Self::Notebook
            | Self::Man
            | Self::Mail
            | Self::Mailbox
            | Self::Cards
            | Self::Calendar
            | Self::Rtf
            | Self::Docx
            | Self::Pptx
            | Self::Xlsx
            | Self::Odt
            | Self::Ods
            | Self::Odp
            | Self::Epub
            | Self::Pdf => false,
        }
    }

    /// What the lines of its text are in the file. Pages of HTML and of the manual, cards and calendars have others than their text.
    pub(crate) fn text_lines(self) -> TextLines {
        match self {
            Self::Html | Self::Man | Self::Cards | Self::Calendar => TextLines::Others,
            Self::Csv | Self::Tsv => TextLines::Rows,
            _ => TextLines::Own,
        }
    }

    /// Whether a file of it is one document in sentences, which may say something of itself.
    pub(super) fn is_prose(self) -> bool {
        use Format::{AsciiDoc, Docx, Html, Markdown, Odp, Odt, Org, Pdf, Plain, Pptx, Rtf, Tex};
        matches!(self, Markdown | Plain | Html | Org | AsciiDoc | Tex | Rtf | Docx | Odt | Pptx | Odp | Pdf)
    }

    /// Which heading in it is its title, where nothing else says one.
    pub(super) fn title_heading(self) -> TitleHeading {
        match self {
            Self::Markdown
            | Self::Html
            | Self::Org
            | Self::AsciiDoc
            | Self::Tex
            | Self::Notebook
            | Self::Mail
            | Self::Cards
            | Self::Calendar
            | Self::Rtf
            | Self::Docx
            | Self::Odt
            | Self::Epub
            | Self::Pdf => TitleHeading::AboveAll,
            // The first slide says what the talk is about.
            Self::Pptx | Self::Odp => TitleHeading::First,
            // Plain text says itself which heading is its title.
            Self::Plain
            | Self::Log
            | Self::Code
            | Self::Json
            | Self::Settings
            | Self::Csv
            | Self::Tsv
            | Self::Man
            | Self::Mailbox
            | Self::Xlsx
            | Self::Ods => TitleHeading::None,
        }
    }
}

/// Which heading of a document is its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TitleHeading {
    None,
    First,
    /// The first, unless others of its level follow: then it is the name of one part, and says nothing of the rest.
    AboveAll,
}

/// Whether a file is called as the messages of a Maildir are, by when it came and by what: `1700000000.M20046P2137.host:2,S`.
pub(super) fn is_maildir_name(name: &str) -> bool {
    let mut parts = name.splitn(3, '.');
    let (Some(time), Some(by), Some(_host)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let is_numbered = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_by = match by.split_once('_') {
        Some((process, count)) => is_digits(process) && is_digits(count),
        None => by.strip_prefix(|c: char| c.is_ascii_uppercase()).is_some_and(is_numbered),
    };
    (9..=11).contains(&time.len()) && is_digits(time) && is_by
}

/// Whether a name ends in a number or a section of the manual: `mdadm.8`, `Foo.3pm.gz`, `notes.2`. Only the bytes tell what it is.
pub(crate) fn is_numbered(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let inner = lower.strip_suffix(".gz").unwrap_or(&lower);
    inner.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && is_section(ending))
}

/// Whether a title is that of a page of the manual: `mdadm(8)`.
pub(super) fn is_manual_title(title: &str) -> bool {
    let parts = title.strip_suffix(')').and_then(|title| title.rsplit_once('('));
    parts.is_some_and(|(name, section)| !name.is_empty() && is_section(&section.to_ascii_lowercase()))
}

fn is_section(ending: &str) -> bool {
    let letters = ending.strip_prefix(|c: char| c.is_ascii_digit() && c != '0');
    let is_letters = |text: &str| text.len() <= SECTION_LETTERS && text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_numbered = is_digits(ending) || letters.is_some_and(is_letters) || matches!(ending, "n" | "l");
    is_numbered && !is_listed(NO_SECTIONS, ending)
}

/// The name of a file behind its folders and the archive it is in.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '!']).next().unwrap_or_default()
}

/// What the name at the end of a path says of a file's kind.
pub(crate) fn of_path(path: &str) -> NameSays {
    of_name(file_name(path))
}

/// What the lines of a document's text are in its file, by its path.
pub(crate) fn text_lines_of(path: &str) -> TextLines {
    match of_path(path) {
        NameSays::Format(format) => format.text_lines(),
        NameSays::Nothing | NameSays::NotRead(_) => TextLines::Own,
    }
}

/// What a file's name says of its kind. The name of a packed file says it of what is in it.
pub(crate) fn of_name(name: &str) -> NameSays {
    match ending_of_name(name) {
        Ending::Known(says) => says,
        Ending::Unknown { before, .. } => before.map_or(NameSays::Nothing, NameSays::Format),
    }
}

/// How a file is counted if it is not text, where its ending is unknown. It is read only if [`is_text_of_unknown_kind`].
pub(crate) fn unknown_ending(name: &str) -> Option<String> {
    match ending_of_name(name) {
        Ending::Known(_) => None,
        Ending::Unknown { kind, .. } => Some(kind),
    }
}

/// Whether a file with an unknown ending is text, by its size and its first [`HEAD_BYTES`], also packed.
pub(crate) fn is_text_of_unknown_kind(size: u64, head: &[u8]) -> bool {
    let mut unpacked = Vec::new();
    if is_packed(head) {
        // What is packed goes on behind the head.
        let most = u64::try_from(HEAD_BYTES).unwrap_or(u64::MAX);
        let _as_far_as_it_goes = MultiGzDecoder::new(head).take(most).read_to_end(&mut unpacked);
    }
    let is_nothing = is_packed(head) && unpacked.is_empty();
    let head = if is_packed(head) { &unpacked } else { head };
    size <= limits::UNKNOWN_FILE_BYTES && !is_nothing && is_clearly_text(head)
}

/// What the end of a name tells.
enum Ending {
    Known(NameSays),
    /// What stands before it may say the format.
    Unknown {
        kind: String,
        before: Option<Format>,
    },
}

fn ending_of_name(name: &str) -> Ending {
    use Ending::{Known, Unknown};
    if is_maildir_name(name) {
        return Known(NameSays::Format(Format::Mail));
    }
    let lower = name.to_ascii_lowercase();
    let inner = lower.strip_suffix(".gz").unwrap_or(&lower);
    let packed = if inner.len() < lower.len() { ".gz" } else { "" };
    if secret_files::is_secret(inner) {
        let kind = secret_files::own_ending(inner).map(|ending| format!("{ending}{packed}"));
        return Known(NameSays::NotRead(kind.unwrap_or_else(|| SECRETS.to_owned())));
    }
    if let Some(format) = file_names::of_whole_name(inner) {
        return Known(NameSays::Format(format));
    }
    let Some((stem, extension)) = inner.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return Known(NameSays::Nothing);
    };
    // `CMakeLists.txt` is no text to read, and `Dockerfile.prod` of no other kind than `Dockerfile`.
    if file_names::is_named_code(stem) && (extension == "txt" || Format::of_extension(extension).is_none()) {
        return Known(NameSays::Format(Format::Code));
    }
    if let Some(format) = file_names::of_pattern(stem, extension).or_else(|| Format::of_extension(extension)) {
        return Known(NameSays::Format(format));
    }
    let first = stem.split(['.', '-', '_']).next().unwrap_or_default();
    if is_listed(NAMED_TEXT, first) || is_section(extension) {
        return Known(NameSays::Nothing);
    }
    if stems(inner).any(secret_files::is_secret) {
        return Known(NameSays::NotRead(SECRETS.to_owned()));
    }
    let is_kind = extension.len() <= EXTENSION_BYTES && extension.chars().all(|c| c.is_ascii_alphanumeric());
    let kind = if is_kind { format!("{extension}{packed}") } else { WITHOUT_EXTENSION.to_owned() };
    // `logo.png.example` is no text either.
    let is_unread_before = stems(inner).any(|stem| ending_of(stem).is_some_and(is_unread));
    if is_unread(extension) || is_unread_before {
        return Known(NameSays::NotRead(kind));
    }
    Unknown { kind, before: stems(inner).find_map(format_before) }
}

/// The format that a name says before an unknown ending: `nginx.conf.web1` is what `nginx.conf` is. What is packed or drawn is told by its bytes alone.
fn format_before(stem: &str) -> Option<Format> {
    let of_ending = || ending_of(stem).and_then(Format::of_extension);
    let named = file_names::of_whole_name(stem).or_else(of_ending);
    named.filter(|format| format.is_its_text() || matches!(format, Format::Html | Format::Csv | Format::Tsv))
}

/// Whether the bytes of a file are a secret whatever it is called, also packed: a private key, or what was encrypted as a whole.
pub(crate) fn is_secret(name: &str, bytes: &[u8]) -> bool {
    let mut unpacked = Vec::new();
    if is_packed(bytes) {
        // What cannot be unpacked is refused where it is read.
        let most = u64::try_from(limits::GZIP_UNPACKED_BYTES).unwrap_or(u64::MAX);
        let _as_far_as_it_goes = MultiGzDecoder::new(bytes).take(most).read_to_end(&mut unpacked);
    }
    let bytes = if is_packed(bytes) { &unpacked } else { bytes };
    is_secret_content(name, bytes)
}

fn is_secret_content(name: &str, bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let has_settings =
        || matches!(of_name(name), NameSays::Format(Format::Settings | Format::Json) | NameSays::Nothing);
    secret_files::is_private_key(head)
        || secret_files::is_encrypted_or_cookies(head)
        || has_settings() && secret_files::has_encrypted_values(bytes)
}

/// Whether bytes begin as those that `gzip` packed.
fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}

/// The format of bytes that tell it beyond doubt, whatever the file is called: a PDF, an office file, a book.
pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"%PDF-") { Some(Format::Pdf) } else { kinds::of_archive(bytes) }
}

/// A file without its packing, and its format. Bytes win over names where they are plain.
pub(crate) fn opened(name: &str, bytes: Vec<u8>) -> Result<(Format, Vec<u8>), Unreadable> {
    let bytes = if is_packed(&bytes) { unpacked(&bytes)? } else { bytes };
    let head = bytes.get(..HEAD_BYTES).unwrap_or(&bytes);
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if unknown_ending(name).is_some() && !is_text_of_unknown_kind(size, head) {
        return Err(Unreadable::UnknownKind);
    }
    if let Some(format) = of_bytes(&bytes) {
        return Ok((format, bytes));
    }
    if is_secret_content(name, &bytes) {
        return Err(Unreadable::Secret);
    }
    let named = match of_name(name) {
        NameSays::Format(format) => format,
        NameSays::Nothing if kinds::is_manual(&bytes) => Format::Man,
        NameSays::Nothing => of_head(head)?,
        NameSays::NotRead(_) => return Err(Unreadable::UnknownKind),
    };
    // A box of mail is often called otherwise, and a single message may be kept as one.
    let format = match named {
        Format::Mail if head.starts_with(b"From ") => Format::Mailbox,
        Format::Plain if is_mailbox(head) => Format::Mailbox,
        Format::Plain if kinds::is_rtf(head) => Format::Rtf,
        // What a browser saved as text.
        Format::Plain | Format::Markdown if is_page(head) => Format::Html,
        Format::Man if !kinds::is_manual(&bytes) => of_head(head)?,
        // Some programs call a text so that is none, and biologists a table.
        Format::Rtf if !kinds::is_rtf(head) => of_head(head)?,
        Format::Cards if !has_line(head, "BEGIN:VCARD") => of_head(head)?,
        Format::Calendar if !has_line(head, "BEGIN:VCALENDAR") => of_head(head)?,
        named => named,
    };
    Ok((format, bytes))
}

/// The format of a file whose name says nothing.
fn of_head(head: &[u8]) -> Result<Format, Unreadable> {
    let is_text = !head.contains(&0) || encoding_rs::Encoding::for_bom(head).is_some();
    let controls = head.iter().filter(|byte| **byte < 0x20 && !b"\t\n\r\x0c\x1b".contains(byte)).count();
    if !is_text || controls * 50 > head.len() {
        return Err(Unreadable::UnknownKind);
    }
    Ok(if is_mailbox(head) {
        Format::Mailbox
    } else if kinds::is_rtf(head) {
        Format::Rtf
    } else if is_page(head) {
        Format::Html
    } else if String::from_utf8_lossy(head).trim_start().starts_with("#!") {
        Format::Code
    } else if is_log(&String::from_utf8_lossy(head)) {
        Format::Log
    } else {
        Format::Plain
    })
}

/// Whether it begins as a page of the web does, also one in XML.
fn is_page(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head).to_lowercase();
    let mut start = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    if let Some((_, behind)) = start.strip_prefix("<?xml").and_then(|xml| xml.split_once("?>")) {
        start = behind.trim_start();
    }
    ["<!doctype html", "<html>", "<html "].iter().any(|begin| start.starts_with(begin))
}

/// Lines that tell a log: each of the first ones begins with its time.
const LOG_LINES: usize = 3;

fn is_log(head: &str) -> bool {
    let first = head.lines().filter(|line| !line.trim().is_empty()).take(LOG_LINES);
    let (all, stamped) =
        first.fold((0, 0), |(all, stamped), line| (all + 1, stamped + usize::from(begins_with_stamp(line))));
    all == LOG_LINES && stamped == all
}

/// Whether these words stand in the head, in any case and encoding.
fn has_line(head: &[u8], line: &str) -> bool {
    let plain: Vec<u8> = head.iter().filter(|byte| **byte != 0).map(u8::to_ascii_uppercase).collect();
    plain.windows(line.len()).any(|part| part == line.as_bytes())
}

/// Whether it begins as a box of mail does: the line of the envelope, then headers.
fn is_mailbox(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n');
    let is_envelope = lines.next().is_some_and(|line| line.starts_with(b"From ") && line.contains(&b':'));
    let is_header = |line: &[u8]| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        name.len() < line.len()
            && name.len() > 1
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    is_envelope && lines.next().is_some_and(is_header)
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let mut out = Vec::new();
    let most = u64::try_from(limits::GZIP_UNPACKED_BYTES).unwrap_or(u64::MAX);
    let read = MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut out);
    match read {
        _ if out.len() > limits::GZIP_UNPACKED_BYTES => Err(Unreadable::TooLarge),
        Ok(_) => Ok(out),
        Err(_broken) => Err(Unreadable::Damaged("it cannot be unpacked")),
    }
}
