//! Who says what in a message: its sender, or whoever is quoted below `On 2 March Ann Lee wrote:` or below the head of a message that is forwarded as text.

use std::ops::Range;
use std::rc::Rc;

use super::super::one_line;
use super::super::quoting::OpenCode;
use super::mime::sender;
use crate::core::base::limits::PASSAGE_MIN_WORDS;
use crate::core::base::rows::phrases;

/// How other people's words are announced, at the end of a line.
const ANNOUNCING: &str = "wrote:, writes:, schrieb:, a écrit :, a écrit:, escribió:, ha scritto:, escreveu:, schreef:, \
     skrev:, kirjoitti:, пишет:";
/// How such lines begin; one that was wrapped has no other sign of where it begins.
const OPENINGS: [&str; 10] = ["On ", "Am ", "Le ", "El ", "Il ", "Op ", "Em ", "Den ", "At ", "In "];
/// Lines that an announcement is wrapped to.
const ANNOUNCING_LINES: usize = 3;
/// The heads of a message that is forwarded as text: who, when, and to whom or about what.
const WHO: &str = "From:, Von:, De:, Da:";
const WHEN: &str = "Sent:, Date:, Gesendet:, Datum:, Envoyé :, Envoyé:, Enviado:, Data:";
const WHAT: &str = "To:, Subject:, An:, Betreff:, À :, À:, Objet :, Objet:, Para:";
/// Marks of quotes that are told apart; deeper ones are as deep as this.
const MOST_DEPTH: usize = 20;

/// A part of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said<'t> {
    /// Who says it, where that is not the sender.
    pub(super) by: Option<Rc<str>>,
    pub(super) text: &'t str,
}

/// The paragraphs of a message by who says them. Lines end with `\n` alone.
pub(super) fn paragraphs(text: &str) -> Vec<Said<'_>> {
    let told = voices(text).into_iter();
    told.filter_map(|Voice { by, span }| Some(Said { by, text: text.get(span)? })).collect()
}

/// What each says in turn, with all that stands between its paragraphs.
pub(super) fn turns(text: &str) -> Vec<Said<'_>> {
    let told = voices(text);
    let turns = told.chunk_by(|one, other| one.by == other.by);
    turns
        .filter_map(|turn| {
            let (first, last) = (turn.first()?, turn.last()?);
            Some(Said { by: first.by.clone(), text: text.get(first.span.start..last.span.end)? })
        })
        .collect()
}

/// Who says a paragraph.
struct Voice {
    by: Option<Rc<str>>,
    span: Range<usize>,
}

fn voices(text: &str) -> Vec<Voice> {
    let mut all = each_voice(text);
    keep_short_together(text, &mut all);
    all
}

fn each_voice(text: &str) -> Vec<Voice> {
    let mut voices = Voices::default();
    let mut all = Vec::new();
    for (depth, span) in by_depth(text) {
        let before = voices.of(depth);
        voices.hear(depth, text.get(span.clone()).unwrap_or_default());
        // The head of a forwarded message stands with what it says; what is only announced comes later.
        let by = voices.by.get(depth).cloned().flatten().or(before);
        all.push(Voice { by, span });
    }
    all
}

/// A few lines that are quoted stand with the answer to them, and with whoever announces them: neither says much without the other.
fn keep_short_together(text: &str, all: &mut [Voice]) {
    let mut before = None;
    for run in all.chunk_by_mut(|one, other| one.by == other.by) {
        let paragraphs = run.iter().filter_map(|voice| text.get(voice.span.clone()));
        let words: usize = paragraphs.map(|paragraph| paragraph.split_whitespace().count()).sum();
        let is_short = words < PASSAGE_MIN_WORDS;
        match run.first().filter(|first| !(is_short && first.by.is_some())) {
            Some(first) => before = first.by.clone(),
            None => run.iter_mut().for_each(|voice| voice.by.clone_from(&before)),
        }
    }
}

/// Who speaks at each depth of quotes.
#[derive(Debug, Default)]
struct Voices {
    by: Vec<Option<Rc<str>>>,
    /// An announcement at this depth whose words have not begun yet.
    announced: Option<(usize, Rc<str>)>,
}

impl Voices {
    /// Who speaks at a depth. What is quoted without a word about it is somebody's.
    fn of(&mut self, depth: usize) -> Option<Rc<str>> {
        if let Some((at, who)) = self.announced.take() {
            // Some programs do not mark what they quote; a sentence about somebody has neither date nor address.
            if depth > at {
                self.set(at + 1, who);
            } else if depth == at && who.contains(|c: char| c.is_ascii_digit() || c == '@') {
                self.set(at, who);
            }
        }
        self.by.truncate(depth + 1);
        let known = self.by.get(depth).cloned().flatten();
        known.or_else(|| (depth > 0).then(|| "quoted".into()))
    }

    fn set(&mut self, depth: usize, who: Rc<str>) {
        self.by.truncate(depth);
        self.by.resize(depth, None);
        self.by.push(Some(who));
    }

    /// Takes in whom a paragraph announces.
    fn hear(&mut self, depth: usize, paragraph: &str) {
        let lines: Vec<&str> = paragraph.lines().map(|line| unquoted(line, MOST_DEPTH).1).collect();
        match head(&lines) {
            Some(who) => self.set(depth, who),
            None => self.announced = announcement(&lines).map(|who| (depth, who)),
        }
    }
}

/// Who wrote a message that is forwarded as text, and when, where these lines are its head.
fn head(lines: &[&str]) -> Option<Rc<str>> {
    // Some programs have the names in bold.
    let value = |names: &str| {
        let bare = lines.iter().map(|line| line.trim_start_matches('*'));
        let mut named = bare.filter_map(|line| phrases(names).find_map(|name| line.strip_prefix(name)));
        named.next().map(|value| value.trim_matches(['*', ' ', '\t']))
    };
    let (from, day, _what) = (value(WHO)?, value(WHEN)?, value(WHAT)?);
    Some(one_line([sender(from), day].join(", ").trim_matches([',', ' '])).into())
}

/// Who is announced by the last lines of a paragraph.
fn announcement(lines: &[&str]) -> Option<Rc<str>> {
    let last = lines.last()?.trim_end();
    let announces = phrases(ANNOUNCING).any(|end| last.ends_with(end));
    if !announces {
        return None;
    }
    let near = lines.len().saturating_sub(ANNOUNCING_LINES);
    let begins = |line: &&str| OPENINGS.iter().any(|opening| line.starts_with(opening));
    let start = lines.iter().skip(near).position(begins).map_or(lines.len() - 1, |at| near + at);
    let told = lines.get(start..)?.join(" ");
    Some(one_line(told.trim_end().trim_end_matches(':').trim_end()).into())
}

/// The paragraphs of a text, which end where a line is blank or where the depth of quotes changes.
fn by_depth(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut all = Vec::new();
    let mut open: Option<(usize, Range<usize>)> = None;
    // How deep the open block of code is: no line of it is deeper, whatever it begins with.
    let (mut code, mut code_depth) = (OpenCode::default(), MOST_DEPTH);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.trim_end_matches('\n').len());
        at += line.len();
        let (depth, said) = unquoted(line, code_depth);
        code.read(said);
        code_depth = if code.is_open() { depth } else { MOST_DEPTH };
        let is_blank = said.trim().is_empty();
        open = match open {
            Some((open_depth, before)) if !is_blank && open_depth == depth => Some((depth, before.start..end)),
            before => {
                all.extend(before);
                (!is_blank).then_some((depth, start..end))
            }
        };
    }
    all.extend(open);
    all
}

/// How deep a line is quoted, with so many marks at most, and what it says. A box marks a line that begins as a message does with one sign more.
fn unquoted(line: &str, most: usize) -> (usize, &str) {
    let (mut depth, mut said) = (0, line);
    while let Some(rest) = said.strip_prefix('>').filter(|rest| depth < most && !rest.starts_with("From ")) {
        depth += 1;
        said = rest.strip_prefix(' ').unwrap_or(rest);
    }
    (depth, said)
}

#[cfg(test)]
mod tests {
    use super::super::super::cut;
    use super::*;

    /// LB-01: what is quoted in a message is not its sender's.
    #[test]
    fn lb_01_who_says_it_is_told() {
        let told = |text: &str| -> Vec<String> {
            let shown = |Voice { by, span }| {
                format!("{}|{}", by.as_deref().unwrap_or("-"), cut(text, &span).replace('\n', "/"))
            };
            each_voice(text).into_iter().map(shown).collect()
        };
        for (text, expected) in [
            ("One.\n\nTwo,\nthree.", vec!["-|One.", "-|Two,/three."]),
            (
                "Yes.\nOn 2 March 2026, Ann <a@x>\nwrote:\n> I resign.\n>\n> Really.\n\nA pity.",
                vec![
                    "-|Yes./On 2 March 2026, Ann <a@x>/wrote:",
                    "On 2 March 2026, Ann <a@x> wrote|> I resign.",
                    "On 2 March 2026, Ann <a@x> wrote|> Really.",
                    "-|A pity.",
                ],
            ),
            (
                "Bob wrote:\n> Yes.\n> Ann wrote:\n>> No.\n> Well.\n\nOk.\n> Fine.",
                vec![
                    "-|Bob wrote:",
                    "Bob wrote|> Yes./> Ann wrote:",
                    "Ann wrote|>> No.",
                    "Bob wrote|> Well.",
                    "-|Ok.",
                    "quoted|> Fine.",
                ],
            ),
            (
                "See below.\n\n-- Forwarded message --\nFrom: Felix Brandt <f@x>\nDate: 9 Mar 2026\nSubject: Offer\n\nI can build it.\n\nFor 7,900.",
                vec![
                    "-|See below.",
                    "Felix Brandt, 9 Mar 2026|-- Forwarded message --/From: Felix Brandt <f@x>/Date: 9 Mar 2026/Subject: Offer",
                    "Felix Brandt, 9 Mar 2026|I can build it.",
                    "Felix Brandt, 9 Mar 2026|For 7,900.",
                ],
            ),
            (
                "Ja.\n\nVon: Ute Kern\nGesendet: Montag, 9. März 2026 07:55\nAn: Ann\nBetreff: Dach\n\nDas Dach leckt.",
                vec![
                    "-|Ja.",
                    "Ute Kern, Montag, 9. März 2026 07:55|Von: Ute Kern/Gesendet: Montag, 9. März 2026 07:55/An: Ann/Betreff: Dach",
                    "Ute Kern, Montag, 9. März 2026 07:55|Das Dach leckt.",
                ],
            ),
            (
                "*From:* \"Felix\" [mailto:f@x]\n*Sent:* Monday\n*To:* Ann\n\nYes.",
                vec!["Felix, Monday|*From:* \"Felix\" [mailto:f@x]/*Sent:* Monday/*To:* Ann", "Felix, Monday|Yes."],
            ),
            // Quoted without marks; a sentence about somebody is the sender's.
            (
                "On 2 March 2026 Ann wrote:\n\nI resign.",
                vec!["-|On 2 March 2026 Ann wrote:", "On 2 March 2026 Ann wrote|I resign."],
            ),
            ("As Tolstoy wrote:\n\nAll happy families.", vec!["-|As Tolstoy wrote:", "-|All happy families."]),
            ("To: all\n\nFrom: here", vec!["-|To: all", "-|From: here"]),
            (">From here on.", vec!["-|>From here on."]),
            // In a block of code it is no mark.
            ("So:\n```\n> x\n\n> y\n```\n> Yes.", vec!["-|So:/```/> x", "-|> y/```", "quoted|> Yes."]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        assert_eq!(told(&">".repeat(100_000)).len(), 1);
    }

    /// LB-01: short quotes stand with what answers them.
    #[test]
    fn lb_01_short_quotes_stand_with_their_answers() {
        let long = "> word".to_owned() + &" word".repeat(PASSAGE_MIN_WORDS);
        let text = format!("Ann wrote:\n> Who brings tea?\n\nBob does.\n\n{long}\n\n> And now?\n\nYes.\n");
        let by: Vec<Option<Rc<str>>> = paragraphs(&text).into_iter().map(|said| said.by).collect();
        let ann = Some(Rc::from("quoted"));
        assert_eq!(by, [None, None, None, ann.clone(), ann, None]);
        assert!(paragraphs("Ann wrote:\n> Who?\n\nBob.\n> When?\n").iter().all(|said| said.by.is_none()));
    }

    /// LB-01: what somebody says in turn is whole.
    #[test]
    fn lb_01_turns_are_whole() {
        let long = "> word".to_owned() + &" word".repeat(PASSAGE_MIN_WORDS);
        let text = format!("Yes.\n\n- a\n- b\n\nAnn wrote:\n\n{long}\n>\n{long}\n\nBye.\n");
        let turns: Vec<(Option<Rc<str>>, String)> =
            turns(&text).into_iter().map(|said| (said.by, said.text.to_owned())).collect();
        let expected = [
            (None, "Yes.\n\n- a\n- b\n\nAnn wrote:".to_owned()),
            (Some("Ann wrote".into()), format!("{long}\n>\n{long}")),
            (None, "Bye.".to_owned()),
        ];
        assert_eq!(turns, expected);
    }
}
