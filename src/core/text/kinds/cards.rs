//! Cards of people and firms (vCard 2.1 to 4.0): each is a section with a line for each thing that is said.

use std::collections::{BTreeMap, BTreeSet};

use time::Month;

use super::super::spans::PlaceInFile;
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::content_lines::{ContentLine, Unfolded};
use crate::core::base::limits;
use crate::core::base::rows::is_listed;

pub(super) fn extract(bytes: &[u8]) -> Result<Contents, Unreadable> {
    let unfolded = Unfolded::of(bytes)?;
    let mut out = Builder::default();
    let mut open: Option<Card> = None;
    for line in unfolded.lines() {
        if out.is_full() {
            break;
        }
        match line.name.as_str() {
            "BEGIN" if line.raw_is("VCARD") => {
                open.replace(Card::new(&line)).into_iter().for_each(|card| card.write(&mut out));
            }
            "END" if line.raw_is("VCARD") => {
                if let Some(mut card) = open.take() {
                    card.last = line.last;
                    card.write(&mut out);
                }
            }
            _ => open.iter_mut().for_each(|card| card.read(&line)),
        }
    }
    // One that was cut off.
    open.into_iter().for_each(|card| card.write(&mut out));
    Ok(out.finish())
}

/// What is said in a card, and how it is called. The rest is for machines: pictures, keys, numbers of the card.
const LABELS: [(&str, &str); 27] = [
    ("NICKNAME", "Nickname"),
    ("ORG", "Organisation"),
    ("TITLE", "Job title"),
    ("ROLE", "Role"),
    ("TEL", "Phone"),
    ("EMAIL", "Email"),
    ("ADR", "Address"),
    ("LABEL", "Address"),
    ("URL", "Web"),
    ("IMPP", "Chat"),
    ("X-SKYPE", "Skype"),
    ("X-JABBER", "Jabber"),
    ("X-AIM", "AIM"),
    ("X-ICQ", "ICQ"),
    ("X-MSN", "MSN"),
    ("X-YAHOO", "Yahoo"),
    ("X-QQ", "QQ"),
    ("X-SOCIALPROFILE", "Profile"),
    ("BDAY", "Birthday"),
    ("ANNIVERSARY", "Anniversary"),
    ("X-ANNIVERSARY", "Anniversary"),
    ("X-ABDATE", "Date"),
    ("RELATED", "Related"),
    ("X-ABRELATEDNAMES", "Related"),
    ("MEMBER", "Member"),
    ("CATEGORIES", "Categories"),
    ("NOTE", "Note"),
];
/// Bytes of the longest nickname that stands beside the name of a card.
const NICKNAME_BYTES: usize = 80;
/// Types that say nothing to a reader.
const NO_TYPES: &str = "voice internet pref x400 dom intl postal parcel";

/// A line of a card: its name, its group, its types, its text.
#[derive(Debug)]
struct Told {
    name: String,
    group: String,
    types: Vec<String>,
    text: String,
}

#[derive(Debug)]
struct Card {
    first: u32,
    last: u32,
    full_name: String,
    /// The same of its parts, where nobody wrote it as a whole.
    parted_name: String,
    told: Vec<Told>,
    /// What the user calls the lines of a group.
    labels: BTreeMap<String, String>,
    /// Whether there were more lines than are counted.
    has_more: bool,
}

impl Card {
    fn new(line: &ContentLine<'_>) -> Self {
        let (first, last) = (line.first, line.last);
        let (full_name, parted_name) = (String::new(), String::new());
        Self { first, last, full_name, parted_name, told: Vec::new(), labels: BTreeMap::new(), has_more: false }
    }

    fn read(&mut self, line: &ContentLine<'_>) {
        self.last = line.last;
        match line.name.as_str() {
            "FN" if self.full_name.is_empty() => self.full_name = super::one_line(&line.text()),
            "N" => self.parted_name = name_of_parts(&line.parts(';')),
            "X-ABLABEL" => {
                // `_$!<HomePage>!$_` is one that the program knows itself.
                let label = line.text().replace("_$!<", "").replace(">!$_", "").to_lowercase();
                if self.takes(self.labels.len()) {
                    self.labels.insert(line.group.to_ascii_lowercase(), super::one_line(&label));
                }
            }
            name if LABELS.iter().any(|(known, _)| *known == name) && self.takes(self.told.len()) => {
                let text = value(line);
                let types = line.types().filter(|one| !is_listed(NO_TYPES, one));
                let types = types.map(|one| if one == "cell" { "mobile".to_owned() } else { one });
                let types = types.map(|one| super::one_line(&one)).collect();
                let (name, group) = (name.to_owned(), line.group.to_ascii_lowercase());
                self.told.extend((!text.is_empty()).then_some(Told { name, group, types, text }));
            }
            _ => {}
        }
    }

    /// Whether there is room behind so many lines.
    fn takes(&mut self, lines_before: usize) -> bool {
        let counted = lines_before < limits::ENTRY_LINES;
        self.has_more |= !counted;
        counted
    }

    /// Whether the same address is there in its parts.
    fn is_told_in_parts(&self, label: &Told) -> bool {
        let types = |told: &Told| told.types.iter().cloned().collect::<BTreeSet<_>>();
        self.told.iter().any(|told| told.name == "ADR" && types(told) == types(label))
    }

    /// Who it is about: as it was written, by its parts, or by whatever else names it.
    fn name(&self) -> &str {
        let said = |name: &str| self.told.iter().find(|told| told.name == name).map(|told| told.text.as_str());
        let names = [Some(self.full_name.as_str()), Some(self.parted_name.as_str())];
        let others = ["ORG", "NICKNAME", "EMAIL", "TEL"].map(said);
        let mut all = names.into_iter().chain(others).flatten();
        all.find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// A name with the other one that people know: `Josephine Rossi (Granny Jo)`.
    fn called(&self, name: &str) -> String {
        let nickname = self.told.iter().find(|told| told.name == "NICKNAME").map(|told| told.text.as_str());
        let is_new = |nickname: &&str| {
            nickname.len() <= NICKNAME_BYTES && !name.to_lowercase().contains(&nickname.to_lowercase())
        };
        match nickname.filter(is_new) {
            Some(nickname) => format!("{name} ({nickname})"),
            None => name.to_owned(),
        }
    }

    fn write(self, out: &mut Builder) {
        out.place(PlaceInFile::lines(self.first, self.last));
        out.section();
        let name = self.name();
        out.heading(1, &self.called(name));
        if !self.parted_name.is_empty() && self.parted_name != name {
            out.item(0, &format!("Name: {}", self.parted_name));
        }
        out.left_out.extend(self.has_more.then_some(LeftOut::EntryLines));
        for (known, label) in LABELS {
            let is_shown = |told: &&Told| told.name == known && (known != "LABEL" || !self.is_told_in_parts(told));
            for told in self.told.iter().filter(is_shown) {
                let mut types = told.types.clone();
                types.extend(self.labels.get(&told.group).filter(|_| !told.group.is_empty()).cloned());
                let types = if types.is_empty() { String::new() } else { format!(" ({})", types.join(", ")) };
                out.item(0, &format!("{label}{types}: {}", told.text));
            }
        }
    }
}

/// What a line says, as a reader would write it.
fn value(line: &ContentLine<'_>) -> String {
    let filled = |parts: Vec<String>| parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    match line.name.as_str() {
        "ADR" => address(&line.parts(';')),
        "ORG" => filled(line.parts(';')).join(", "),
        "NICKNAME" | "CATEGORIES" => filled(line.parts(',')).join(", "),
        "BDAY" | "ANNIVERSARY" | "X-ANNIVERSARY" | "X-ABDATE" => {
            let text = line.text();
            // The year that some programs write where none is known.
            let no_year = line.parameter("X-APPLE-OMIT-YEAR").filter(|year| !year.is_empty());
            let yearless = no_year.and_then(|year| text.trim().strip_prefix(year)).map(|rest| format!("--{rest}"));
            day(yearless.as_deref().unwrap_or(text.trim()))
        }
        _ => {
            let text = line.text();
            let text = text.trim();
            // Numbers and addresses are written as links in newer cards.
            let link = ["tel:", "mailto:"].iter().find_map(|scheme| text.strip_prefix(scheme));
            link.map_or_else(|| text.to_owned(), |link| link.replace(";ext=", " ext. "))
        }
    }
}

/// `family;given;further;before;behind` in the order in which it is spoken.
fn name_of_parts(parts: &[String]) -> String {
    let order = [3, 1, 2, 0, 4];
    let names = order.into_iter().filter_map(|at| parts.get(at)).filter(|part| !part.is_empty());
    super::one_line(&names.map(|part| part.replace(',', " ")).collect::<Vec<_>>().join(" "))
}

/// `box;further;street;place;region;code;country` in the order of an envelope.
fn address(parts: &[String]) -> String {
    let part = |at: usize| parts.get(at).map(String::as_str).unwrap_or_default();
    let place = [part(5), part(3)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let all = [part(2), part(1), part(0), &place, part(4), part(6)];
    all.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// `19640512` as `1964-05-12`, and without a year as `12 May`.
fn day(text: &str) -> String {
    let date = text.split('T').next().unwrap_or_default();
    let digits = date.replace('-', "");
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    let part = |from: usize, to: usize| digits.get(from..to).filter(|_| is_whole);
    let written = match (date.starts_with("--"), digits.len()) {
        (true, 4) => {
            let month = part(0, 2).and_then(|month| Month::try_from(month.parse::<u8>().ok()?).ok());
            month.zip(part(2, 4)).map(|(month, day)| format!("{} {month}", day.trim_start_matches('0')))
        }
        (false, 8) => part(0, 4).zip(part(4, 6)).zip(part(6, 8)).map(|((y, m), d)| format!("{y}-{m}-{d}")),
        _ => None,
    };
    written.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::shown;
    use super::*;
    use crate::core::text::{Format, extract};

    /// LB-01: each card is a section with a line for each thing that it says, whichever program wrote it.
    #[test]
    fn lb_01_cards_are_sections() {
        let cards = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Brandt Metall\r\nN:;;;;\r\nORG:Brandt Metall GmbH;Sales\r\nTEL;TYPE=WORK,VOICE:+49 2331 88 41 20\r\n\
            TEL;TYPE=CELL:0171 5\r\nitem1.TEL:7\r\nitem1.X-ABLabel:_$!<Assistant>!$_\r\nEMAIL;TYPE=INTERNET:v@b.example\r\nADR;TYPE=WORK:;;Eisenweg 14;Hagen;;58095;Germany\r\n\
            PHOTO;ENCODING=b:AAAA\r\nNOTE:Closed\\, on\r\n  Mondays.\\nRing twice.\r\nEND:VCARD\r\n\
            BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;Dr.;\r\nTEL;HOME;FAX:1\r\nBDAY:19640512\r\nEND:VCARD\r\n\
            BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann Lee\r\nN:Lee;Ann Mary;;;\r\nTEL;VALUE=uri;TYPE=\"home,cell\":tel:+1-5;ext=2\r\nBDAY:--0512\r\nCATEGORIES:Friends,Chess\r\nRELATED;TYPE=spouse;VALUE=text:Bo\r\n";
        let document = extract(Format::Cards, cards.as_bytes().to_vec()).unwrap();
        expect![[r#"
            title: -
            [lines 1–15] Brandt Metall
                - Organisation: Brandt Metall GmbH, Sales
                - Phone (work): +49 2331 88 41 20
                - Phone (mobile): 0171 5
                - Phone (assistant): 7
                - Email: v@b.example
                - Address (work): Eisenweg 14, 58095 Hagen, Germany
                - Note: Closed, on Mondays. Ring twice.
            [lines 16–21] Dr. Jörg Müller
                - Phone (home, fax): 1
                - Birthday: 1964-05-12
            [lines 22–29] Ann Lee
                - Name: Ann Mary Lee
                - Phone (home, mobile): +1-5 ext. 2
                - Birthday: 12 May
                - Related (spouse): Bo
                - Categories: Friends, Chess
        "#]]
        .assert_eq(&shown(&document));
    }

    /// LB-01: what only some programs write is read as what it is.
    /// What people call somebody names their card.
    #[test]
    fn lb_01_a_nickname_names_a_card() {
        for (lines, headings) in [
            ("FN:Josephine Rossi\nNICKNAME:Granny Jo", "Josephine Rossi (Granny Jo)"),
            ("FN:Granny Jo Rossi\nNICKNAME:granny jo", "Granny Jo Rossi"),
            ("NICKNAME:Granny Jo", "Granny Jo"),
            ("FN:Josephine Rossi\nTEL:1", "Josephine Rossi"),
        ] {
            let card = format!("BEGIN:VCARD\n{lines}\nEND:VCARD\n");
            let document = extract(Format::Cards, card.into_bytes()).unwrap();
            assert_eq!(document.passages[0].headings.join(" > "), headings, "{lines}");
        }
    }

    #[test]
    fn lb_01_lines_of_some_programs_are_read() {
        for (lines, expected) in [
            (
                "item2.X-ABDATE;type=pref:2010-06-05\nitem2.X-ABLabel:_$!<Anniversary>!$_",
                "- Date (anniversary): 2010-06-05",
            ),
            ("item3.X-ABRELATEDNAMES:Bo\nitem3.X-ABLabel:_$!<Spouse>!$_", "- Related (spouse): Bo"),
            ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-12", "- Birthday: 12 May"),
            ("X-SOCIALPROFILE;type=mastodon:https://m.example/@bo", "- Profile (mastodon): https://m.example/@bo"),
            ("X-JABBER:bo@x.example", "- Jabber: bo@x.example"),
            ("ADR;TYPE=WORK,pref:;;Way 1;Hagen;;;\nLABEL;TYPE=WORK:Way 1\\nHagen", "- Address (work): Way 1, Hagen"),
            (
                "ADR;TYPE=WORK:;;Way 1;Hagen;;;\nLABEL;TYPE=HOME:Path 2\\nUnna",
                "- Address (work): Way 1, Hagen\n- Address (home): Path 2 Unna",
            ),
        ] {
            let card = format!("BEGIN:VCARD\nFN:Bo\n{lines}\nEND:VCARD\n");
            let document = extract(Format::Cards, card.into_bytes()).unwrap();
            assert_eq!(document.text, format!("# Bo\n\n{expected}"));
        }
    }

    #[test]
    fn lb_01_days_of_cards_are_told() {
        for (written, expected) in [
            ("19640512", "1964-05-12"),
            ("1964-05-12", "1964-05-12"),
            ("1964-05-12T00:00:00Z", "1964-05-12"),
            ("--0512", "12 May"),
            ("--05-12", "12 May"),
            ("circa 1964", "circa 1964"),
            ("---12", "---12"),
            ("--9999", "--9999"),
        ] {
            assert_eq!(day(written), expected);
        }
    }

    #[test]
    fn hostile_cards_are_read_in_bounds() {
        for part in [
            "BEGIN:VCARD\n",
            "END:VCARD\n",
            "TEL:1\n",
            "N:a\n",
            " folded\n",
            "X.X-ABLABEL:a\n",
            "#.X-ABLABEL:a\n",
            "NOTE;A=\"b\n",
            "NOTE;ENCODING=QUOTED-PRINTABLE:=\n",
        ] {
            let parts: String = (0..12_000).map(|number| part.replace('#', &number.to_string())).collect();
            let document = extract(Format::Cards, format!("BEGIN:VCARD\nFN:a\n{parts}").into_bytes()).unwrap();
            assert!(document.text.len() < 9_000_000, "{part}");
            // What is counted is told where there is more of it.
            let is_cut = ["TEL", "#"].iter().any(|counted| part.starts_with(counted));
            assert_eq!(document.left_out.contains(&LeftOut::EntryLines), is_cut, "{part}");
        }
        let long = format!("BEGIN:VCARD\nFN:{}\nNOTE:{}", "n".repeat(1 << 20), "x;,".repeat(4 << 20));
        assert!(extract(Format::Cards, long.into_bytes()).unwrap().text.len() <= 8 << 20);
    }
}
