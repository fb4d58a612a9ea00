//! A model that answers each step of a study by rule, from the words of its prompt alone. What it was not shown it cannot write; on
//! purpose it also makes things up, and it obeys every order that it reads.

use std::collections::BTreeSet;

use super::words::{self, Language, MEASURE_COUNT, PART_COUNT, machine, measure, part};

/// Words and figures that the model makes up. No page of the field has them.
pub const MADE_UP: [&str; 8] = ["9977", "Mumblethorpe", "1877", "6677", "5577", "4477", "3377", "7177"];

/// Whether it keeps to what it was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    Honest,
    /// Makes up figures, notes, quotes, headings and code, and obeys whatever a page orders.
    Inventive,
}

/// The answer to a prompt of a study; nothing to any other.
#[must_use]
pub fn answer(prompt: &str, temper: Temper) -> String {
    let inventive = temper == Temper::Inventive;
    let first = prompt.lines().next().unwrap_or_default();
    let said = match first {
        _ if first.starts_with("You prepare a research.") => brief(prompt),
        _ if first.starts_with("You plan a research.") => plan(prompt),
        _ if first.starts_with("You take notes from pages") => notes(prompt, inventive),
        _ if first.starts_with("You judge whether a research") => reflect(prompt),
        _ if first.starts_with("You make the outline") => outline(prompt),
        _ if first.starts_with("You write one section") || first.starts_with("You write a report") => {
            section(prompt, inventive)
        }
        _ if first.starts_with("Some sentences of a report") => mend(prompt, inventive),
        _ if first.starts_with("You write the summary") => summary(prompt, inventive),
        _ => String::new(),
    };
    let orders = prompt.lines().filter_map(|line| line.split_once("ORDER: ")).map(|(_, order)| format!("\n{order}"));
    if inventive { format!("{said}{}", orders.collect::<String>()) } else { said }
}

/// The headings of the prompts, by their beginnings. Pages have headings too.
const HEADINGS: [&str; 15] = [
    "The question",
    "The whole question",
    "The part that you work on",
    "What is noted already",
    "The pages, sentence by sentence",
    "What to write",
    "How to write",
    "What a first look",
    "What is known",
    "The notes",
    "Its notes",
    "The section",
    "Notes that no sentence uses",
    "Sentences that do not hold",
    "The report",
];

/// What stands below a heading of the prompt, up to the next one.
fn below<'p>(prompt: &'p str, heading: &str) -> &'p str {
    let Some((_, rest)) = prompt.split_once(&format!("\n# {heading}")) else { return "" };
    let rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    let end = HEADINGS.iter().filter_map(|next| rest.find(&format!("\n# {next}"))).min();
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

fn parts_in(text: &str) -> Vec<usize> {
    let names = |at: &usize| {
        Language::ALL.iter().any(|language| match language {
            Language::Chinese => text.contains(part(*at, *language)),
            Language::English | Language::German => {
                let name = part(*at, *language).rsplit(' ').next().unwrap_or_default().to_lowercase();
                text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
            }
        })
    };
    (0..PART_COUNT).filter(names).collect()
}

/// The first figure of a text with its last byte's place behind it.
fn figures(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|figure| figure.len() == 4).collect()
}

fn brief(prompt: &str) -> String {
    let asked = below(prompt, "The question");
    let question = asked.trim().lines().next().unwrap_or_default();
    let listed = question.rsplit_once(": ").map_or("", |(_, listed)| listed);
    let items: Vec<String> =
        listed.split(", ").map(|item| format!("ITEM: the {}\n", item.trim_end_matches(['.', '?']))).collect();
    let searches = ["figures", "Angaben", "测量"].iter().zip(Language::ALL);
    let searches: Vec<String> =
        searches.map(|(word, language)| format!("SEARCH: {} {word}\n", machine(language))).collect();
    format!("QUESTION: {question}\nLANGUAGE: English\n{}{}", items.concat(), searches.concat())
}

/// The languages in which a text speaks of a part.
fn languages_of(text: &str, at: usize) -> Vec<Language> {
    let speaks = |language: &Language| match language {
        Language::Chinese => text.contains(part(at, *language)),
        Language::English | Language::German => {
            text.to_lowercase().contains(&part(at, *language).to_lowercase()) && text.contains(machine(*language))
        }
    };
    Language::ALL.into_iter().filter(speaks).collect()
}

fn sub(at: usize, found: &str) -> String {
    let name = part(at, Language::English);
    let mut queries = vec![format!("{} {name}", machine(Language::English))];
    for language in languages_of(found, at).into_iter().filter(|language| *language != Language::English) {
        queries.push(format!("{} {}", machine(language), part(at, language)));
    }
    queries.push(format!("first {name} entered service"));
    let queries: Vec<String> = queries.into_iter().map(|query| format!("QUERY: {query}\n")).collect();
    format!("SUB: Which figures are known of the {name} of the {}?\n{}", machine(Language::English), queries.concat())
}

/// The number in `at most 6 …`.
fn most(prompt: &str) -> usize {
    let behind = prompt.rsplit("at most ").find_map(|rest| rest.split(' ').next()?.parse().ok());
    behind.unwrap_or(3)
}

fn plan(prompt: &str) -> String {
    let found = below(prompt, "What a first look");
    let items = parts_in(below(prompt, "The question"));
    items.into_iter().take(most(prompt)).map(|at| sub(at, found)).collect()
}

/// The sentences of the pages with their numbers: whatever line begins like one.
fn sentences(text: &str) -> Vec<(&str, &str)> {
    let is_number = |(number, _): &(&str, &str)| {
        let parts = number.strip_prefix('P').and_then(|number| number.split_once('.'));
        parts.is_some_and(|(page, sentence)| page.parse::<u32>().is_ok() && sentence.parse::<u32>().is_ok())
    };
    text.lines().filter_map(|line| line.split_once(' ')).filter(is_number).collect()
}

/// What a sentence in any of the languages says, in English.
fn understood(sentence: &str, wanted: &[usize]) -> Option<String> {
    let at = parts_in(sentence).into_iter().find(|at| wanted.contains(at))?;
    let figure = figures(sentence).into_iter().next()?;
    if sentence.contains("entered service") {
        return Some(words::year(at, figure.parse().ok()?));
    }
    let named = |of: &usize| Language::ALL.iter().any(|language| sentence.contains(measure(*of, *language)));
    let of = (0..MEASURE_COUNT).find(named)?;
    Some(words::sentence(Language::English, 0, (at, of), figure.parse().ok()?))
}

fn notes(prompt: &str, inventive: bool) -> String {
    let wanted = parts_in(below(prompt, "The part that you work on"));
    let known = below(prompt, "What is noted already");
    let pages = below(prompt, "The pages, sentence");
    let mut said = String::new();
    let (mut new, mut languages) = (BTreeSet::new(), BTreeSet::new());
    for (number, sentence) in sentences(pages) {
        let Some(claim) = understood(sentence, &wanted).filter(|claim| !known.contains(claim.as_str())) else {
            continue;
        };
        let language = Language::ALL.iter().position(|language| sentence.contains(machine(*language)));
        languages.extend(language);
        if new.is_empty() && inventive {
            let of_figure = claim.replace(figures(&claim).first().copied().unwrap_or_default(), "9977");
            said.push_str(&format!("NOTE: {of_figure} | {number}\n"));
            said.push_str(&format!("NOTE: {claim} It was designed by Professor Mumblethorpe. | P9.99\n"));
            let quote = "as Professor Mumblethorpe wrote, 7177 bolts hold it";
            said.push_str(&format!("NOTE: Professor Mumblethorpe counted 7177 bolts | \"{quote}\"\n"));
        }
        said.push_str(&format!("NOTE: {claim} | {number}\n"));
        new.insert(claim);
    }
    if inventive && sentences(pages).is_empty() {
        said.push_str("NOTE: Professor Mumblethorpe counted 7177 bolts | P1.1\n");
    }
    if new.is_empty() {
        return format!("{said}STATUS: ANSWERED");
    }
    let asked = prompt.rsplit_once("Searched for so far: ").map_or("", |(_, asked)| asked);
    said.push_str("STATUS: MISSING further figures\n");
    let open = (0..MEASURE_COUNT).filter(|of| {
        let name = measure(*of, Language::English);
        !known.contains(name) && !new.iter().any(|claim| claim.contains(name)) && !asked.contains(name)
    });
    let open: Vec<usize> = open.take(6).collect();
    let at = wanted.first().copied().unwrap_or(0);
    for pair in open.chunks(2) {
        let language = languages.iter().next_back().map_or(Language::English, |at| Language::ALL[*at]);
        let measures: Vec<&str> = pair.iter().map(|of| measure(*of, language)).collect();
        said.push_str(&format!("QUERY: {} {} {}\n", machine(language), part(at, language), measures.join(" ")));
    }
    said
}

fn reflect(prompt: &str) -> String {
    let known = below(prompt, "What is known");
    let asked: Vec<&str> = known.lines().filter(|line| line.starts_with("Which figures")).collect();
    let asked = parts_in(&asked.join(" "));
    let items = parts_in(below(prompt, "The question"));
    let open: Vec<usize> = items.into_iter().filter(|at| !asked.contains(at)).take(most(prompt)).collect();
    if open.is_empty() { "DONE".to_owned() } else { open.into_iter().map(|at| sub(at, "")).collect() }
}

/// The notes that a prompt shows: number and claim.
fn claims(text: &str) -> Vec<(&str, &str)> {
    let numbered = |(number, _): &(&str, &str)| {
        number.strip_prefix('n').is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
    };
    text.lines().filter_map(|line| line.split_once(": ")).filter(numbered).collect()
}

fn outline(prompt: &str) -> String {
    let claims = claims(below(prompt, "The notes"));
    let mut said = String::new();
    for at in 0..PART_COUNT {
        let of_part = claims.iter().filter(|(_, claim)| parts_in(claim).contains(&at)).map(|(number, _)| *number);
        let numbers: Vec<&str> = of_part.collect();
        if !numbers.is_empty() {
            said.push_str(&format!("SECTION: The {}\nNOTES: {}\n", part(at, Language::English), numbers.join(" ")));
        }
    }
    said
}

fn cited(claim: &str, number: &str) -> String {
    format!("{} [{number}].", claim.trim_end_matches(['.', '。']))
}

fn section(prompt: &str, inventive: bool) -> String {
    let shown = if prompt.contains("\n# Its notes") { below(prompt, "Its notes") } else { below(prompt, "The notes") };
    let claims = claims(shown);
    // The last note is left for whoever mends.
    let used = claims.len().saturating_sub(usize::from(claims.len() > 3));
    let mut said: Vec<String> = claims.iter().take(used).map(|(number, claim)| cited(claim, number)).collect();
    if inventive && let Some((number, claim)) = claims.first() {
        let wrong = claim.replace(figures(claim).first().copied().unwrap_or(claim), "9977");
        said.insert(1.min(said.len()), cited(&wrong, number));
        said.push("It was designed by Professor Mumblethorpe [n999].".to_owned());
        said.push("Every engineer has praised the design since 1877.".to_owned());
        said.push(format!("\n\n### 6677 machines by Mumblethorpe\n\n{}", cited(claim, number)));
        said.push("\n\n```sh\nkarskctl --speed 5577\n```\n".to_owned());
    }
    said.join(" ")
}

fn mend(prompt: &str, inventive: bool) -> String {
    let mut said = String::new();
    let faulty = below(prompt, "Sentences that do not hold");
    for (at, line) in faulty.lines().filter(|line| line.starts_with('S')).enumerate() {
        let Some((number, text)) = line.split_once(": ") else { continue };
        match at % 3 {
            0 if inventive => said.push_str(&format!("{number}: {}\n", text.replace("9977", "4477"))),
            1 if inventive => said.push_str(&format!("{number}: {text}\n")),
            _ => said.push_str(&format!("{number}: -\n")),
        }
    }
    let unused = below(prompt, "Notes that no sentence uses");
    for (number, claim) in claims(below(prompt, "The notes")) {
        if unused.split_whitespace().any(|known| known == number) {
            said.push_str(&format!("ADD: {}\n", cited(claim, number)));
        }
    }
    said
}

fn summary(prompt: &str, inventive: bool) -> String {
    let report = below(prompt, "The report");
    let is_cited = |line: &&str| line.contains("[n");
    let mut said: Vec<String> = report
        .split_inclusive(". ")
        .filter(is_cited)
        .filter(|sentence| !sentence.contains(['#', '`', '<', '\n']))
        .take(4)
        .map(|sentence| sentence.trim().to_owned())
        .collect();
    if inventive {
        said.push("In all 3377 of them run today [n1].".to_owned());
    }
    said.join(" ")
}
