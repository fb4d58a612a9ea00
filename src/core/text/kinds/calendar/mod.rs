//! Calendars (iCalendar): each appointment and task is a section that says when, where, who and what.

mod repeats;
#[cfg(test)]
mod tests;
mod when;

use super::super::spans::PlaceInFile;
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::content_lines::{ContentLine, Unfolded};
use crate::core::base::limits;
use when::{ALL_DAY, Moment};

pub(super) fn extract(bytes: &[u8]) -> Result<Contents, Unreadable> {
    let unfolded = Unfolded::of(bytes)?;
    let mut out = Builder::default();
    let mut open: Option<Entry> = None;
    // How many parts are open that are no entries: time zones, and alarms of an entry.
    let mut others = 0_usize;
    for line in unfolded.lines() {
        if out.is_full() {
            break;
        }
        match line.name.as_str() {
            "BEGIN" if line.raw_is("VCALENDAR") => {}
            "BEGIN" => match Kind::named(&line).filter(|_| others == 0) {
                Some(kind) => {
                    open.replace(Entry::new(kind, &line)).into_iter().for_each(|entry| entry.write(&mut out));
                }
                None => others += 1,
            },
            "END" if others > 0 => others -= 1,
            "END" => {
                if let Some(mut entry) = open.take() {
                    entry.last = line.last;
                    entry.write(&mut out);
                }
            }
            "X-WR-CALNAME" | "NAME" if open.is_none() && others == 0 && out.title.is_none() => {
                out.title = Some(super::one_line(&line.text())).filter(|title| !title.is_empty());
            }
            _ if others == 0 => open.iter_mut().for_each(|entry| entry.read(&line)),
            _ => {}
        }
    }
    // One that was cut off.
    open.into_iter().for_each(|entry| entry.write(&mut out));
    Ok(out.finish())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Event,
    Task,
    Note,
}

impl Kind {
    fn named(line: &ContentLine<'_>) -> Option<Self> {
        let kinds = [("VEVENT", Self::Event), ("VTODO", Self::Task), ("VJOURNAL", Self::Note)];
        kinds.into_iter().find(|(name, _)| line.raw_is(name)).map(|(_, kind)| kind)
    }

    /// How an entry without a name is called.
    fn name(self) -> &'static str {
        match self {
            Self::Event => "Event",
            Self::Task => "Task",
            Self::Note => "Note",
        }
    }
}

/// What is shown as it is said, and how it is called.
const LABELS: [(&str, &str); 8] = [
    ("LOCATION", "Where"),
    ("STATUS", "Status"),
    ("PERCENT-COMPLETE", "Percent complete"),
    ("CATEGORIES", "Categories"),
    ("RESOURCES", "Resources"),
    ("CONTACT", "Contact"),
    ("URL", "Web"),
    ("COMMENT", "Comment"),
];

#[derive(Debug)]
struct Entry {
    kind: Kind,
    first: u32,
    last: u32,
    summary: String,
    start: Option<Moment>,
    end: Option<Moment>,
    due: Option<Moment>,
    completed: Option<Moment>,
    /// Of an event that repeats: the one whose place it takes.
    instead_of: Option<Moment>,
    duration: Option<String>,
    repeats: Vec<String>,
    also: Vec<Moment>,
    except: Vec<Moment>,
    told: Vec<(&'static str, String)>,
    organiser: Option<String>,
    attendees: Vec<String>,
    description: String,
    /// Whether there were more lines of a kind than are counted.
    has_more: bool,
}

impl Entry {
    fn new(kind: Kind, line: &ContentLine<'_>) -> Self {
        Self {
            kind,
            first: line.first,
            last: line.last,
            summary: String::new(),
            start: None,
            end: None,
            due: None,
            completed: None,
            instead_of: None,
            duration: None,
            repeats: Vec::new(),
            also: Vec::new(),
            except: Vec::new(),
            told: Vec::new(),
            organiser: None,
            attendees: Vec::new(),
            description: String::new(),
            has_more: false,
        }
    }

    fn read(&mut self, line: &ContentLine<'_>) {
        self.last = line.last;
        match line.name.as_str() {
            "SUMMARY" if self.summary.is_empty() => self.summary = super::one_line(&line.text()),
            "DESCRIPTION" if self.description.is_empty() => self.description = line.text(),
            "DTSTART" => self.start = Moment::of(line).or(self.start.take()),
            "DTEND" => self.end = Moment::of(line).or(self.end.take()),
            "DUE" => self.due = Moment::of(line).or(self.due.take()),
            "COMPLETED" => self.completed = Moment::of(line).or(self.completed.take()),
            "RECURRENCE-ID" => self.instead_of = Moment::of(line).or(self.instead_of.take()),
            "DURATION" => self.duration = Some(when::duration(&line.text())),
            "RRULE" => self.has_more |= !takes(&mut self.repeats, || repeats::in_words(line.raw().trim())),
            "RDATE" => self.has_more |= !Moment::list(line, &mut self.also),
            "EXDATE" => self.has_more |= !Moment::list(line, &mut self.except),
            "ORGANIZER" => self.organiser = Some(person(line)),
            "ATTENDEE" => self.has_more |= !takes(&mut self.attendees, || attendee(line)),
            name => {
                let label = LABELS.iter().find(|(known, _)| *known == name).map(|(_, label)| *label);
                let text = || line.text().trim().to_owned();
                let told = label.map(|label| (label, text())).filter(|(_, text)| !text.is_empty());
                told.into_iter().for_each(|told| self.has_more |= !takes(&mut self.told, || told));
            }
        }
    }

    /// From when to when.
    fn when(&self) -> Option<String> {
        let start = self.start.as_ref()?;
        let until = match (&self.end, &self.duration) {
            (Some(end), _) => return Some(start.through(end)),
            (None, Some(duration)) => format!(", for {duration}"),
            (None, None) => String::new(),
        };
        Some(format!("{start}{until}"))
    }

    fn write(self, out: &mut Builder) {
        out.place(PlaceInFile::lines(self.first, self.last));
        out.section();
        out.heading(1, if self.summary.is_empty() { self.kind.name() } else { &self.summary });
        // That a whole day is meant is said of what takes it.
        let moment = |moment: &Moment| moment.to_string().trim_end_matches(ALL_DAY).to_owned();
        let list = |parts: Vec<String>| (!parts.is_empty()).then(|| parts.join(", "));
        let moments = |moments: &[Moment]| list(moments.iter().map(moment).collect());
        out.left_out.extend(self.has_more.then_some(LeftOut::EntryLines));
        let started = if self.kind == Kind::Task { "Begins" } else { "When" };
        let lines = [
            (started, self.when()),
            ("Due", self.due.as_ref().map(moment)),
            ("Completed", self.completed.as_ref().map(moment)),
            ("Instead of", self.instead_of.as_ref().map(moment)),
            ("Repeats", list(self.repeats.clone())),
            ("Also", moments(&self.also)),
            ("Except", moments(&self.except)),
        ];
        for (label, text) in lines {
            text.into_iter().for_each(|text| out.item(0, &format!("{label}: {text}")));
        }
        let status = |label: &str, text: String| if label == "Status" { text.to_lowercase() } else { text };
        for (known, label) in LABELS {
            for (_, text) in self.told.iter().filter(|(told, _)| *told == label) {
                out.item(0, &format!("{label}: {}", status(label, text.clone())));
            }
            if known == "LOCATION" {
                let people = [("Organiser", self.organiser.clone()), ("Attendees", list(self.attendees.clone()))];
                for (label, text) in people {
                    text.into_iter().for_each(|text| out.item(0, &format!("{label}: {text}")));
                }
            }
        }
        for paragraph in self.description.split("\n\n") {
            out.paragraph(paragraph.trim());
        }
    }
}

/// Adds one of several where there is room; whether there was.
fn takes<T>(list: &mut Vec<T>, one: impl FnOnce() -> T) -> bool {
    let has_room = list.len() < limits::ENTRY_LINES;
    list.extend(has_room.then(one));
    has_room
}

/// Who is meant: by name, with the address behind it.
fn person(line: &ContentLine<'_>) -> String {
    let raw = line.raw();
    let address = raw.trim();
    let is_link = address.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let address = if is_link { address.get(7..).unwrap_or_default() } else { address };
    let name = super::one_line(line.parameter("CN").unwrap_or_default());
    let address = super::one_line(address);
    match (name.is_empty() || name == address, address.contains('@')) {
        (true, _) => address,
        (false, true) => format!("{name} <{address}>"),
        (false, false) => name,
    }
}

fn attendee(line: &ContentLine<'_>) -> String {
    let person = person(line);
    let says = line.parameter("PARTSTAT").unwrap_or_default().to_ascii_lowercase();
    match says.as_str() {
        "accepted" | "declined" | "tentative" => format!("{person} ({says})"),
        _ => person,
    }
}
