//! The marks in a text that cite: numbers in brackets, footnotes, superscripts, links, addresses, authors.

use std::ops::Range;

use super::author::authors;
use super::numbers::{numbers, superscript};
use super::sources::Shelf;
use super::urls;
use crate::core::base::plain::is_digits;
use crate::core::base::rows::phrases;
use crate::core::evidence::place::{LocalPlace, local};

/// A mark and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// All of it; for a link with words only what is not one of its words.
    pub(super) span: Range<usize>,
    pub(super) targets: Vec<Target>,
    /// The words of a link, which are part of the sentence.
    pub(super) words: Option<Range<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Label(String),
    Url(String),
    LabelledUrl(String, String),
    Author((String, String)),
    /// A mark of a provider that only its annotations explain.
    Unknown,
}

/// The longest text in brackets that is looked at, in bytes: longer is no citation, and looking has an end.
const INNER: usize = 400;
/// The longest tag with what it holds.
const TAG: usize = 800;
/// The longest address.
const ADDRESS: usize = 4_000;

/// The marks in a piece of a report, in order.
pub(super) fn marks(report: &str, span: &Range<usize>, shelf: &Shelf) -> Vec<Mark> {
    let mut scanner = Scanner { report, end: span.end, shelf, found: Vec::new() };
    let mut at = span.start;
    let mut before = ' ';
    while let Some(c) = scanner.rest(at).chars().next() {
        at = match scanner.mark(at, c, before) {
            Some(end) if end > at => {
                before = ']';
                end
            }
            _ => {
                before = c;
                at + c.len_utf8()
            }
        };
    }
    scanner.found
}

struct Scanner<'a> {
    report: &'a str,
    end: usize,
    shelf: &'a Shelf,
    found: Vec<Mark>,
}

impl<'a> Scanner<'a> {
    fn rest(&self, at: usize) -> &'a str {
        self.report.get(at..self.end).unwrap_or_default()
    }

    /// Reads a mark that begins here; the answer is where it ends.
    fn mark(&mut self, at: usize, c: char, before: char) -> Option<usize> {
        match c {
            '!' if self.rest(at).starts_with("![") => self.picture(at),
            '[' => self.bracket(at),
            // What is escaped on one side only is a bracket of the text.
            '\\' if self.rest(at).starts_with("\\[") => self.escaped(at).or(Some(at + 2)),
            '`' => self.code(at),
            '【' => self.lenticular(at),
            '<' => self.tag(at, before),
            '(' => self.parenthesis(at),
            '\u{e200}' => self.provider(at),
            'h' | 'H' | 'w' if !before.is_alphanumeric() => self.address(at),
            c if superscript(c).is_some() => self.superscript(at, before),
            _ => None,
        }
    }

    fn push(&mut self, span: Range<usize>, targets: Vec<Target>) -> Option<usize> {
        let end = span.end;
        self.found.push(Mark { span, targets, words: None });
        Some(end)
    }

    fn labels(numbers: Vec<u32>) -> Vec<Target> {
        numbers.into_iter().map(|number| Target::Label(number.to_string())).collect()
    }

    /// `[1]`, `[^a]`, `[source 3]`, `[[6]](url)`, `[7](url)`, `[words](url)`, `[words][7]`, `[Smith 2024]`.
    fn bracket(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let close = closing(rest, ('[', ']'), INNER)?;
        let inner = rest.get(1..close)?;
        let after = rest.get(close + 1..)?;
        if after.starts_with('(') {
            return self.link(at, close, inner, after);
        }
        let plain = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
        if let Some((length, range)) = up_to(plain, after) {
            return self.push(at..at + close + 1 + length, Self::labels(range));
        }
        if let Some(targets) = self.cited(plain) {
            return self.push(at..at + close + 1, targets);
        }
        if let Some(targets) = file(inner) {
            return self.push(at..at + close + 1, targets);
        }
        if inner == "cite_start" || inner == "cite_end" {
            return Some(at + close + 1);
        }
        // `[words][label]`.
        let label = after.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(label, _)| label)?;
        let known = !label.is_empty() && label.len() < INNER && self.shelf.has_label(label) && numbers(inner).is_none();
        let end = at + close + 1 + label.len() + 2;
        known.then(|| {
            let targets = vec![Target::Label(label.to_owned())];
            self.found.push(Mark { span: at..end, targets, words: Some(at + 1..at + close) });
            end
        })
    }

    /// What a text in brackets cites.
    fn cited(&self, inner: &str) -> Option<Vec<Target>> {
        let inner = inner.trim();
        if let Some(label) = inner.strip_prefix('^') {
            let label = label.trim_end_matches('^').trim_start_matches('^');
            return match numbers(label) {
                Some(numbers) => Some(Self::labels(numbers)),
                None => (!label.is_empty() && label.len() <= 80 && !label.contains(' '))
                    .then(|| vec![Target::Label(label.to_owned())]),
            };
        }
        // A number that would be a year or too high is a source where the list says so.
        if is_digits(inner) && self.shelf.has_label(inner) {
            return Some(vec![Target::Label(inner.to_owned())]);
        }
        let named = strip_name(inner);
        let list = named.split('†').next().unwrap_or(named);
        let list = list.split_once(':').filter(|(_, part)| is_digits(part)).map_or(list, |(first, _)| first);
        if let Some(numbers) = numbers(&list.replace("source", "").replace("cite:", "")) {
            return Some(Self::labels(numbers));
        }
        let found = authors(inner).filter(|authors| authors.iter().all(|author| self.shelf.knows(author)))?;
        Some(found.into_iter().map(Target::Author).collect())
    }

    /// A link: `inner` are its words, `link` is its address in parentheses and what follows.
    fn link(&mut self, at: usize, close: usize, inner: &str, link: &str) -> Option<usize> {
        let length = closing(link, ('(', ')'), ADDRESS)?;
        let target = link.get(1..length)?.trim().trim_start_matches('<');
        let url = if local(target).is_some() { target } else { target.split([' ', '>']).next().unwrap_or(target) };
        let end = at + close + 1 + length + 1;
        let untagged = without_tags(inner);
        let plain = untagged.trim_matches(['[', ']', '(', ')', '^', '\\', ' ', '*']);
        let labelled = numbers(strip_name(plain));
        if !urls::is_web(url) && local(target).is_none() {
            // A jump to the list of sources still cites by its number.
            let labelled = labelled.filter(|_| url.starts_with('#'))?;
            return self.push(at..end, Self::labels(labelled));
        }
        match labelled.as_deref() {
            Some([number]) => self.push(at..end, vec![Target::LabelledUrl(number.to_string(), url.to_owned())]),
            Some(_) | None if plain.is_empty() || urls::is_web(plain) || names_target(plain, url) => {
                self.push(at..end, vec![Target::Url(url.to_owned())])
            }
            Some(_) | None => {
                let targets = vec![Target::Url(url.to_owned())];
                self.found.push(Mark { span: at..end, targets, words: Some(at + 1..at + close) });
                Some(end)
            }
        }
    }

    /// A picture cites nothing.
    fn picture(&self, at: usize) -> Option<usize> {
        let close = at + 1 + closing(self.rest(at + 1), ('[', ']'), INNER)?;
        let link = self.rest(close + 1);
        let length = if link.starts_with('(') { closing(link, ('(', ')'), ADDRESS)? + 1 } else { 0 };
        Some(close + 1 + length)
    }

    /// `\[1\]`, as models write it that fear to make a link.
    fn escaped(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let close = rest.get(..floor(rest, INNER))?.find("\\]")?;
        let targets = self.cited(rest.get(2..close)?)?;
        self.push(at..at + close + 2, targets)
    }

    /// `【11】`, `【4:0†source】`.
    fn lenticular(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let close = rest.get(..floor(rest, INNER))?.find('】')?;
        let inner = rest.get('【'.len_utf8()..close)?;
        let targets = self.cited(inner.trim_start_matches('^'))?;
        self.push(at..at + close + '】'.len_utf8(), targets)
    }

    /// `<sup>15</sup>`, `<a href="…">words</a>`, `<https://…>`.
    fn tag(&mut self, at: usize, before: char) -> Option<usize> {
        let rest = self.rest(at);
        let begins = |start: &str| rest.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        if !(begins("<http") || begins("<www.") || begins("<sup") || begins("<a ")) {
            return None;
        }
        let head = rest.get(..floor(rest, TAG))?;
        if let Some(length) = head
            .get(1..)
            .and_then(urls::length)
            .filter(|length| head.get(1 + length..).is_some_and(|rest| rest.starts_with('>')))
        {
            let url = head.get(1..=length)?.to_owned();
            return self.push(at..at + length + 2, vec![Target::Url(url)]);
        }
        let lower = head.to_ascii_lowercase();
        if lower.starts_with("<sup") {
            let close = lower.find("</sup>")?;
            let open = lower.find('>').filter(|open| *open < close)?;
            let inner = head.get(open + 1..close)?;
            let end = at + close + "</sup>".len();
            let text = without_tags(inner);
            let digits = text.trim_matches(['[', ']', '(', ')', '^', ' ', '\\']);
            // Brackets and links are no part of a power.
            let plain = digits.len() == text.trim().len() && !inner.contains('<');
            let labels = numbers(strip_name(digits)).filter(|_| !plain || !self.is_power(at, before, digits))?;
            let targets = match (href(inner).filter(|url| urls::is_web(url)), labels.as_slice()) {
                (Some(url), [number]) => vec![Target::LabelledUrl(number.to_string(), url)],
                (_, _) => Self::labels(labels),
            };
            return self.push(at..end, targets);
        }
        if lower.starts_with("<a ") {
            let close = lower.find("</a>")?;
            let open = lower.find('>').filter(|open| *open < close)?;
            let url = href(head.get(..open)?).filter(|url| urls::is_web(url))?;
            let end = at + close + "</a>".len();
            let text = without_tags(head.get(open + 1..close)?);
            let label = numbers(text.trim_matches(['[', ']', '(', ')', '^', ' ']));
            return match label.as_deref() {
                Some([number]) => self.push(at..end, vec![Target::LabelledUrl(number.to_string(), url)]),
                Some(_) | None => {
                    self.found.push(Mark {
                        span: at..end,
                        targets: vec![Target::Url(url)],
                        words: Some(at + open + 1..at + close),
                    });
                    Some(end)
                }
            };
        }
        None
    }

    /// `(Smith 2024)` where the list has it, `(source 3)`, `(Source: [Site](url), [Other](url))`, `(docs/x.md:12)`.
    fn parenthesis(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let close = closing(rest, ('(', ')'), INNER)?;
        let inner = rest.get(1..close)?;
        let end = at + close + 1;
        let named = strip_name(inner);
        if let Some(targets) = links(named).or_else(|| file(named)).or_else(|| site(named)).or_else(|| site(inner)) {
            return self.push(at..end, targets);
        }
        if named.len() < inner.len()
            && let Some(numbers) = numbers(named)
        {
            return self.push(at..end, Self::labels(numbers));
        }
        let found = authors(inner).or_else(|| self.told(at, inner))?;
        let known = found.iter().all(|author| self.shelf.knows(author));
        known.then(|| self.push(at..end, found.into_iter().map(Target::Author).collect())).flatten()
    }

    /// `Smith (2024)`: the name is told before the year.
    fn told(&self, at: usize, inner: &str) -> Option<Vec<(String, String)>> {
        let year = super::author::year_of(inner)?;
        let before = self.report.get(..at)?;
        let near = before.get(before.floor_char_boundary(at.saturating_sub(INNER))..)?;
        let words = near.split_whitespace().rev().take(4);
        let surnames = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
        surnames
            .map(|surname| (surname, year.clone()))
            .find(|author| self.shelf.knows(author))
            .map(|author| vec![author])
    }

    /// What ChatGPT puts around its citations when text is copied out of it.
    fn provider(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let close = rest.get(..floor(rest, INNER))?.find('\u{e201}')?;
        self.push(at..at + close + '\u{e201}'.len_utf8(), vec![Target::Unknown])
    }

    fn address(&mut self, at: usize) -> Option<usize> {
        let length = urls::length(self.rest(at))?;
        let url = self.rest(at).get(..length)?.to_owned();
        self.push(at..at + length, vec![Target::Url(url)])
    }

    /// `¹²`, but not the power of a number or a unit.
    fn superscript(&mut self, at: usize, before: char) -> Option<usize> {
        let run: Vec<char> = self
            .rest(at)
            .chars()
            .take(12)
            .take_while(|c| superscript(*c).is_some() || matches!(c, '˒' | ',' | '⁾' | '⁽'))
            .collect();
        let used = run.iter().rposition(|c| superscript(*c).is_some())? + 1;
        let run = run.get(..used)?;
        let length: usize = run.iter().map(|c| c.len_utf8()).sum();
        let text: String = run.iter().map(|c| superscript(*c).unwrap_or(',')).collect();
        let targets = Self::labels(numbers(&text).filter(|_| !self.is_power(at, before, &text))?);
        self.push(at..at + length, targets)
    }

    /// Whether raised digits are the power of what they stand behind.
    fn is_power(&self, at: usize, before: char, text: &str) -> bool {
        let before_it = self.report.get(..at).unwrap_or_default();
        let word = before_it.chars().rev().take(3).take_while(|c| c.is_alphabetic()).count();
        // Nobody raises a year, a figure with its thousands apart, or anything to the first power.
        let base: usize = before_it.chars().rev().take(5).take_while(char::is_ascii_digit).count();
        let apart = before_it.chars().rev().nth(base).is_some_and(|c| base == 3 && matches!(c, ',' | '.' | '\u{a0}'));
        let is_base = (base <= 3 && !apart) || base > 4;
        let is_cited = self.shelf.has_label(text) && (!is_base || text == "1");
        (before.is_numeric() && !is_cited) || (matches!(text, "2" | "3") && (1..=2).contains(&word))
    }

    /// `` `docs/x.md:12-20` ``: a document without its lines is one that the text speaks of.
    fn code(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let close = 1 + rest.get(1..floor(rest, INNER))?.find('`')?;
        let inner = rest.get(1..close)?;
        local(inner).filter(|place| place.lines.is_some())?;
        self.push(at..at + close + 1, vec![Target::Url(inner.trim().to_owned())])
    }
}

/// `[4]–[6]`: what stands behind the first bracket up to the end of the second, in bytes, and the numbers from the one to the other.
fn up_to(first: &str, after: &str) -> Option<(usize, Vec<u32>)> {
    let dash = after.chars().next().filter(|c| matches!(c, '-' | '–' | '—' | '‑' | '−'))?.len_utf8();
    let inner = after.get(dash..)?.strip_prefix('[')?;
    let (last, _) = inner.get(..floor(inner, 8))?.split_once(']')?;
    let range = numbers(&format!("{first}-{last}")).filter(|_| is_digits(first) && is_digits(last))?;
    Some((dash + last.len() + 2, range))
}

/// A text that is a list of links and nothing else.
fn links(text: &str) -> Option<Vec<Target>> {
    let mut rest = text.trim();
    let mut targets = Vec::new();
    while let Some(link) = rest.strip_prefix('[') {
        let close = closing(rest, ('[', ']'), INNER)?;
        let words = without_tags(link.get(..close - 1)?);
        let after = rest.get(close + 1..)?;
        let length = closing(after, ('(', ')'), ADDRESS).filter(|_| after.starts_with('('))?;
        let url = after.get(1..length)?.trim().trim_start_matches('<');
        let url = url.split([' ', '>']).next().filter(|url| urls::is_web(url) || local(url).is_some())?.to_owned();
        let number = numbers(strip_name(words.trim_matches(['[', ']', '(', ')', '^', '\\', ' ', '*'])));
        targets.push(match number.as_deref() {
            Some([number]) => Target::LabelledUrl(number.to_string(), url),
            Some(_) | None => Target::Url(url),
        });
        rest = after.get(length + 1..)?.trim_start_matches([',', ';', '|', '/', '·', '&', ' ']);
        rest = ["and ", "und ", "et "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest).trim_start();
    }
    // `+1` is what is left of links that were folded away.
    let folded = rest.strip_prefix('+').is_some_and(is_digits);
    (!targets.is_empty() && (rest.is_empty() || folded)).then_some(targets)
}

/// A text that names a document on this machine and nothing else. The name of a program may look like that of a file of code: `Node.js`.
fn file(text: &str) -> Option<Vec<Target>> {
    let path = text.trim().trim_matches('`');
    let is_meant = |place: &LocalPlace| place.path.contains('/') || place.lines.is_some() || !place.is_code();
    local(path).filter(is_meant).map(|_| vec![Target::Url(path.to_owned())])
}

/// A text that names a place of the web and nothing else.
fn site(text: &str) -> Option<Vec<Target>> {
    let text = text.trim();
    let is_word = !text.contains(char::is_whitespace) && text.contains('/') && !urls::is_web(text);
    urls::without_scheme(text).filter(|_| is_word).map(|url| vec![Target::Url(url)])
}

/// Whether the words of a link are only the name of the file or the site that it leads to.
fn names_target(words: &str, url: &str) -> bool {
    let words = words.trim_matches('`');
    let path = url.split(['#', '?']).next().unwrap_or(url).trim_end_matches('/');
    let is_file = path.rsplit('/').next() == Some(words) && words.contains('.');
    let is_site = words.contains('.') && urls::key(url).split('/').next() == Some(urls::key(words).as_str());
    is_file || is_site || (!urls::is_web(url) && local(words).is_some())
}

/// Brackets inside each other that a citation may have.
const DEPTH: u32 = 3;

/// Where a bracket that opens at the beginning is closed, within reach. Brackets in brackets in brackets are not followed, so that looking
/// from each of them costs no more than the text is long.
fn closing(text: &str, (open, close): (char, char), reach: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < reach) {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at);
        }
        if depth > DEPTH {
            return None;
        }
    }
    None
}

/// The longest beginning of at most this many bytes that ends between two characters.
fn floor(text: &str, bytes: usize) -> usize {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// A list of numbers without the word before it: `source 12`, `cite: 14`, `refs. 3, 4`.
fn strip_name(text: &str) -> &str {
    const NAMES: &str = "sources, source, citations, citation, cite, references, reference, refs, ref, documents, \
         document, docs, doc, notes, note, quellen, quelle, fuente, fonte, see also, see, via";
    let text = text.trim();
    let found = phrases(NAMES).find_map(|name| {
        let head = text.get(..name.len()).filter(|head| head.eq_ignore_ascii_case(name))?;
        let rest = text.get(head.len()..)?;
        rest.starts_with([' ', ':', '.', '#', '-', '_'])
            .then(|| rest.trim_start_matches([' ', ':', '.', '#', '-', '_']))
    });
    found.unwrap_or(text)
}

fn without_tags(text: &str) -> String {
    let mut inside = false;
    let outside = |c: &char| {
        let keep = !inside && *c != '<';
        inside = (inside || *c == '<') && *c != '>';
        keep
    };
    text.chars().filter(outside).collect()
}

/// The address of a tag's `href`.
fn href(tag: &str) -> Option<String> {
    let at = tag.to_ascii_lowercase().find("href=")?;
    let value = tag.get(at + 5..)?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let ends = |c: char| quote.map_or(c.is_whitespace() || c == '>', |quote| c == quote);
    let value = value.get(usize::from(quote.is_some())..)?;
    Some(value.get(..value.find(ends).unwrap_or(value.len()))?.to_owned())
}
