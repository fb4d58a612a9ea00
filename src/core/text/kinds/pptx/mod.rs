//! Presentations: the slides in their order, each with its title, its lists, tables and charts, the notes of the speaker, and what people remarked.

mod comments;

use std::collections::BTreeMap;

use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::chart::Chart;
use super::formula::formula;
use super::remarks::people;
use super::rows::{Room, Rows};
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{Struck, document_title, related};
use crate::core::base::limits;
use crate::core::text::raised::Script;

pub(super) fn extract(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    let list = archive.needed("ppt/presentation.xml")?;
    let targets = related(archive, "ppt/presentation.xml")?;
    let id = |token: Token<'_>| match token {
        Token::Open(tag) | Token::Empty(tag) if tag.name == "sldId" => tag.get("r:id").map(|id| id.into_owned()),
        Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => None,
    };
    let slides: Vec<String> =
        Tokens::new(&list).filter_map(id).filter_map(|id| Some(targets.get(&id)?.path.clone())).collect();
    let mut out = Builder::titled(document_title(archive)?);
    let lists: (&[&str], &[&str], &str) = (&["/commentAuthors", "/authors"], &["cmAuthor", "author"], "name");
    let authors = people(archive, &targets, lists);
    for (number, path) in (1..).zip(slides) {
        if !out.takes_part(usize::try_from(number - 1).unwrap_or(usize::MAX)) {
            break;
        }
        let Some(slide) = archive.text(&path)? else { continue };
        out.place(PlaceInFile::of(Unit::Slide, number, number));
        out.section();
        let is_hidden = is_hidden(&slide);
        if is_hidden {
            out.heading(2, HIDDEN_SLIDE);
        }
        let parts = related(archive, &path)?;
        let of_slide = |archive: &mut Archive<'_>, kind: &str| {
            let parts = parts.iter().filter(|(_, part)| part.kind.ends_with(kind)).take(limits::OFFICE_PARTS);
            let texts = parts.filter_map(|(id, part)| Some((id.clone(), archive.text(&part.path).ok().flatten()?)));
            texts.collect::<Vec<(String, String)>>()
        };
        let charts = of_slide(archive, "/chart").into_iter().map(|(id, text)| (id, Chart::of(&text)));
        shapes(&slide, if is_hidden { 3 } else { 2 }, charts.collect(), &mut out);
        let notes = parts.values().find(|target| target.kind.ends_with("/notesSlide"));
        if let Some(notes) = notes
            && let Some(notes) = archive.text(&notes.path)?
        {
            out.paragraph(&speaker_notes(&notes));
        }
        for (_, text) in of_slide(archive, "/comments") {
            comments::lines(&text, &authors).iter().for_each(|line| out.paragraph(line));
        }
    }
    Ok(out.finish())
}

/// What stands above a slide that is left out when the slides are shown.
pub(super) const HIDDEN_SLIDE: &str = "Hidden slide";

fn is_hidden(slide: &str) -> bool {
    let root = Tokens::new(slide).find_map(|token| match token {
        Token::Open(tag) => Some(tag),
        Token::Empty(_) | Token::Close(_) | Token::Text(_) => None,
    });
    root.and_then(|slide| slide.get("show")).is_some_and(|shown| matches!(shown.as_ref(), "0" | "false"))
}

/// Writes what the shapes of a slide say, its title first.
fn shapes(slide: &str, level: u8, mut charts: BTreeMap<String, Chart>, out: &mut Builder) {
    let (mut all, room) = read(slide);
    out.left_out.extend(room.is_used_up().then_some(LeftOut::Cells));
    for shape in all.iter().filter(|shape| shape.is_title) {
        let title: Vec<&str> = shape.paragraphs.iter().map(|paragraph| paragraph.text.trim()).collect();
        out.heading(level, &title.join(" "));
    }
    for shape in all.iter_mut().filter(|shape| !shape.is_title && !shape.is_furniture) {
        let listed = shape.paragraphs.iter().filter(|paragraph| !paragraph.text.trim().is_empty()).count() > 1;
        for paragraph in &shape.paragraphs {
            if listed { out.item(paragraph.depth, &paragraph.text) } else { out.paragraph(&paragraph.text) }
        }
        shape.rows.write(out);
        let chart = shape.chart.as_ref().and_then(|id| charts.remove(id));
        chart.into_iter().for_each(|chart| chart.write(out));
    }
}

fn speaker_notes(notes: &str) -> String {
    let (shapes, _) = read(notes);
    let said = shapes.iter().filter(|shape| !shape.is_furniture).flat_map(|shape| &shape.paragraphs);
    let said: Vec<&str> = said.map(|paragraph| paragraph.text.trim()).filter(|text| !text.is_empty()).collect();
    if said.is_empty() { String::new() } else { format!("Notes: {}", said.join("\n")) }
}

/// What is kept of a slide until all of it is read.
const TAKES_ROOM: [&str; 5] = ["sp", "graphicFrame", "p", "tr", "tc"];

#[derive(Debug, Default)]
struct Shape {
    is_title: bool,
    /// A number, a date, a footer or a picture of the slide itself.
    is_furniture: bool,
    paragraphs: Vec<Paragraph>,
    rows: Rows,
    /// The id of its chart.
    chart: Option<String>,
    /// Whether the text that follows is raised or lowered.
    script: Option<Script>,
    struck: Struck,
}

#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    depth: usize,
}

/// The shapes of a slide, as many as there is room for.
fn read(slide: &str) -> (Vec<Shape>, Room) {
    let mut shapes: Vec<Shape> = Vec::new();
    let mut room = Room::default();
    let mut tokens = Tokens::new(slide);
    let mut in_text = false;
    let mut in_table = false;
    while let Some(token) = tokens.next() {
        let takes_room = matches!(&token, Token::Open(tag) | Token::Empty(tag) if TAKES_ROOM.contains(&tag.name));
        if takes_room && !room.takes_row() {
            break;
        }
        match token {
            Token::Open(tag) if tag.name == "Fallback" => tokens.skip_element("Fallback"),
            Token::Open(tag) if tag.name == "oMath" => {
                let said = formula(&mut tokens);
                shapes.iter_mut().next_back().into_iter().for_each(|shape| shape.says(&said, in_table));
            }
            Token::Open(tag) if matches!(tag.name, "sp" | "graphicFrame") => shapes.push(Shape::default()),
            Token::Open(tag) if tag.name == "t" => in_text = true,
            Token::Close("t") => in_text = false,
            Token::Open(tag) if tag.name == "tbl" => in_table = true,
            Token::Close("tbl") => in_table = false,
            Token::Open(tag) | Token::Empty(tag) => {
                if let Some(shape) = shapes.last_mut() {
                    shape.opened(&tag, in_table);
                }
            }
            Token::Text(text) if in_text => {
                if let Some(shape) = shapes.last_mut() {
                    match shape.script {
                        Some(script) => shape.says_run(&script.written(&text), in_table),
                        None => shape.says_run(&text, in_table),
                    }
                }
            }
            Token::Text(_) | Token::Close(_) => {}
        }
    }
    (shapes, room)
}

impl Shape {
    fn opened(&mut self, tag: &Tag<'_>, in_table: bool) {
        match tag.name {
            "ph" => {
                let kind = tag.get("type").unwrap_or_default();
                self.is_title = matches!(kind.as_ref(), "title" | "ctrTitle");
                self.is_furniture = matches!(kind.as_ref(), "sldNum" | "dt" | "ftr" | "hdr" | "sldImg");
            }
            "chart" => self.chart = tag.get("r:id").map(|id| id.into_owned()),
            "tr" if in_table => self.rows.row(),
            "tc" if in_table => {
                self.rows.cell();
                self.rows.reach_over(tag.number("gridSpan"));
                if tag.get("vMerge").is_some_and(|merge| matches!(merge.as_ref(), "1" | "true")) {
                    self.rows.continue_above();
                }
            }
            "r" => {
                self.script = None;
                self.struck.now = false;
            }
            "rPr" => {
                self.struck.now = tag.get("strike").is_some_and(|strike| strike != "noStrike");
                // In thousandths of a per cent of the size of the letters.
                let baseline = tag.get("baseline").and_then(|baseline| baseline.parse::<i32>().ok());
                self.script = match baseline.unwrap_or_default() {
                    1.. => Some(Script::Raised),
                    0 => None,
                    ..0 => Some(Script::Lowered),
                };
            }
            "p" if !in_table => self.paragraphs.push(Paragraph::default()),
            "p" => self.says(" ", in_table),
            "pPr" => {
                let depth = tag.number("lvl").and_then(|level| usize::try_from(level).ok()).unwrap_or_default();
                self.paragraphs.iter_mut().next_back().into_iter().for_each(|paragraph| paragraph.depth = depth);
            }
            "br" => self.says("\n", in_table),
            _ => {}
        }
    }

    /// What a run says, between marks where it is struck out.
    fn says_run(&mut self, text: &str, in_table: bool) {
        match self.paragraphs.last_mut().filter(|_| !in_table) {
            Some(paragraph) => self.struck.push(&mut paragraph.text, text),
            None => {
                let mut run = String::new();
                Struck { now: self.struck.now, before: false }.push(&mut run, text);
                self.says(&run, in_table);
            }
        }
    }

    fn says(&mut self, text: &str, in_table: bool) {
        if in_table {
            self.rows.add(text);
        } else if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }
}
