//! The command `check`: a report from anywhere, beside the pages that it cites.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::ValueEnum;

use super::args::Check;
use super::research::error;
use super::{End, Session, progress};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::{limits, plain};
use crate::core::method::check::CheckInput;
use crate::engine::{self, log};
use crate::surface::check::CheckCall;
use crate::surface::output::{self, Output};
use crate::surface::wire::{CheckReply, ClaimRow};

/// How the result of a check is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    Text,
    Github,
}

/// The exit status of a report with less support than was asked for.
const TOO_LITTLE: u8 = 7;

/// A report and what is known of where its lines are.
struct Input {
    call: CheckCall,
    file: Option<ReportFile>,
}

struct ReportFile {
    path: String,
    /// Its text, if its lines are those of the text that is checked.
    text: Option<String>,
}

pub(super) async fn check(session: &Session, args: Check) -> Result<u8, End> {
    let Session { app, output, task } = session;
    if args.fail_under.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
        return Err(Error::new(Code::InvalidArgument, "`--fail-under` must be 0 to 1, such as 0.9").into());
    }
    let Input { mut call, file } = input(session, &args.report).await?;
    call.pages = Some(args.pages);
    call.offline = args.offline;
    let events = app.engine.watch();
    let id = app.start_check(call).await?;
    let id = *task.get_or_init(|| id);
    log::info(format_args!("Task {id} started"));
    let waiting = app.check_reply(id, None, usize::MAX);
    let mut reply = progress::follow(app, id, events, waiting).await?;
    reply.passed = args.fail_under.map(|least| is_enough(&reply, least));
    // For people, an error alone belongs on stderr; what was found before it still goes to stdout.
    if let (Some(body), None, Output::Text) = (&reply.error, &reply.evidence, *output) {
        return Err(End::Failed(error(body)));
    }
    match (args.format, *output) {
        (CheckFormat::Github, Output::Text) => output::write(&annotations(&reply, file.as_ref()))?,
        (CheckFormat::Github | CheckFormat::Text, _) => output.reply(&reply, || reply.text())?,
    }
    if let Some(body) = &reply.error {
        return Err(End::Told(error(body)));
    }
    if let (Some(false), Some(least)) = (reply.passed, args.fail_under) {
        match reply.evidence.and_then(|figures| figures.share_supported) {
            Some(share) => {
                log::info(format_args!("{share:.2} of the cited claims are supported, less than {least:.2}"))
            }
            None => {
                log::info(format_args!("no claim cites anything, so that none is supported; {least:.2} was asked for"))
            }
        }
        return Ok(TOO_LITTLE);
    }
    Ok(0)
}

/// Whether as large a share is supported as was asked for. Where nothing is claimed, nothing is missing; claims that cite nothing are not
/// supported by anything.
fn is_enough(reply: &CheckReply, least: f64) -> bool {
    let Some(figures) = &reply.evidence else { return false };
    figures.claims == 0 || figures.share_supported.unwrap_or(0.0) >= least
}

/// What the argument names: standard input, an address, a file or a task.
async fn input(session: &Session, argument: &OsString) -> Result<Input, End> {
    let app = &session.app;
    if argument == "-" {
        let bytes = engine::blocking("reading standard input", || read(std::io::stdin().lock(), None)).await?;
        return Ok(of_bytes(session, "standard input", "", bytes).await?);
    }
    let shown = argument.to_string_lossy();
    let is_web = |text: &str| text.starts_with("http://") || text.starts_with("https://");
    if let Some(url) = argument.to_str().filter(|text| is_web(text)) {
        let input = CheckInput::Url { url: url.to_owned() };
        return Ok(Input { call: CheckCall::new(url.to_owned(), input), file: None });
    }
    let path = Path::new(argument).to_owned();
    let opening = path.clone();
    let opened = engine::blocking("reading the report", move || {
        Ok(File::open(&opening).map(|file| {
            let size = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
            read(file, size)
        }))
    });
    match opened.await? {
        Ok(bytes) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let mut input = of_bytes(session, &shown, &name, bytes?).await?;
            if let Some(file) = &mut input.file {
                file.path = shown.into_owned();
            }
            input.call.files.folders.extend(path.canonicalize().ok().and_then(|path| folder(path.parent()?)));
            Ok(input)
        }
        Err(_) if TaskId::parse(&shown).is_ok() => Ok(Input { call: app.check_of_task(&shown).await?, file: None }),
        Err(fault) => {
            let shown = plain::line(&shown, limits::ECHO_CHARS);
            let error = Error::new(Code::InvalidArgument, format!("`{shown}` cannot be read: {fault}"));
            Err(error.hint("give a file, an address, the id of a task, or `-` for standard input").into())
        }
    }
}

async fn of_bytes(session: &Session, subject: &str, name: &str, bytes: Vec<u8>) -> Result<Input> {
    let report = session.app.engine.report_text(name, &bytes).await?;
    // Only a text that is checked as it stands has the lines of its file.
    let text = (report.as_bytes() == bytes).then(|| report.clone());
    let file = (!name.is_empty()).then(|| ReportFile { path: name.to_owned(), text });
    let mut call = CheckCall::new(subject.to_owned(), CheckInput::Text { report, known: Vec::new() });
    call.files.folders.extend(folder(Path::new(".")));
    Ok(Input { call, file })
}

/// A folder that the paths in a report may be relative to; never the whole machine.
fn folder(path: &Path) -> Option<String> {
    let whole = path.canonicalize().ok().filter(|whole| whole.parent().is_some())?;
    whole.to_str().map(str::to_owned)
}

/// Reads a report whose size may be known before.
fn read(reader: impl Read, size: Option<u64>) -> Result<Vec<u8>> {
    let most = limits::PDF_BYTES.max(limits::CHECK_REPORT_BYTES);
    let mut bytes = Vec::new();
    if size.is_none_or(|size| size <= most as u64) {
        reader
            .take(most as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|fault| Error::new(Code::InvalidArgument, format!("the report cannot be read: {fault}")))?;
        if bytes.len() <= most {
            return Ok(bytes);
        }
    }
    let size =
        size.map_or_else(|| format!("more than {} MB", most >> 20), |size| format!("{} MB", size.div_ceil(1 << 20)));
    let (text, pdf) = (limits::CHECK_REPORT_BYTES >> 20, limits::PDF_BYTES >> 20);
    let message = format!("the report has {size}; a report may have {text} MB, a PDF {pdf} MB");
    Err(Error::new(Code::InvalidArgument, message).hint("check it in parts"))
}

/// A line for each claim that is not supported, as GitHub's workflows read them.
fn annotations(reply: &CheckReply, file: Option<&ReportFile>) -> String {
    let mut text = String::new();
    // Claims come in the order of the report, so that its lines are counted once.
    let (mut at_line, mut counted) = (1_usize, 0_usize);
    for row in reply.claims.iter().flatten() {
        let report = file.and_then(|file| file.text.as_ref());
        if let (Some(report), Some(start)) = (report, row.start.and_then(|start| usize::try_from(start).ok())) {
            let passed = report.as_bytes().get(counted..start).unwrap_or_default();
            at_line += passed.iter().filter(|byte| **byte == b'\n').count();
            counted = counted.max(start);
        }
        let Some((level, why)) = told(row) else { continue };
        let line = report.map(|_| format!(",line={at_line}")).unwrap_or_default();
        let place = file.map(|file| format!(" file={}{line}", property(&file.path))).unwrap_or_default();
        let title =
            format!("{}title=claim {} is {}", if place.is_empty() { " " } else { "," }, row.number, row.verdict);
        let said = format!("{} ({why})", row.claim);
        text.push_str(&format!(
            "::{level}{place}{title}::{}\n",
            escaped(&plain::line(&said, limits::ANNOTATION_CHARS))
        ));
    }
    text
}

/// How grave a verdict is in a workflow, and why it is so.
fn told(row: &ClaimRow) -> Option<(&'static str, String)> {
    let cites: Vec<String> = row.cited.iter().map(|cited| format!("[{}]", cited.source)).collect();
    let reason = row.reason.clone().unwrap_or_else(|| row.verdict.replace('_', " "));
    let by_model = row.by_model.as_ref().map(|model| format!(" (a model's word: {model})")).unwrap_or_default();
    let why = format!("{}{}{reason}{by_model}", cites.join(""), if cites.is_empty() { "" } else { ": " });
    match (row.verdict, &row.differs) {
        ("supported", None) => None,
        ("supported", Some(differs)) => {
            Some(("warning", format!("[{}] has '{}', not '{}'", differs.source, differs.figure, differs.said)))
        }
        ("unsupported", _) => Some(("error", why)),
        ("partial" | "unreachable", _) => Some(("warning", why)),
        _ => Some(("notice", why)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(&plain::line(text, limits::ADDRESS_BYTES)).replace(':', "%3A").replace(',', "%2C")
}
