//! Faults of each kind, planted in a claim that was true.

#![expect(clippy::string_slice, reason = "ranges were made from the same text")]

use std::ops::Range;

use super::random::Random;
use super::words::{MONTHS, NUMBER_WORDS, UNITS, names, numbers, words};

/// The kinds, each with the largest share that may still be called supported.
pub(crate) const KINDS: [(&str, f64); 11] = [
    ("figure", 0.0),
    ("number word", 0.0),
    ("quote of three or more", 0.0),
    ("quote of two", 0.02),
    ("unit", 0.02),
    ("date", 0.02),
    ("foreign name", 0.05),
    ("negation", 0.12),
    ("antonym", 0.12),
    ("swapped figure", 0.35),
    ("swapped name", 0.45),
];

/// Variants of one kind that are planted in one claim.
const VARIANTS: usize = 4;

/// What faults are made from besides the claim.
pub(crate) struct Soil<'a> {
    pub(crate) claim: &'a str,
    pub(crate) page: &'a str,
    /// Names of other claims.
    pub(crate) strangers: &'a [String],
}

/// The claims with one fault of this kind. What the page may say as well is left out.
pub(crate) fn plants(kind: &str, soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let mut found = match kind {
        "figure" => figures(soil, random),
        "number word" => number_words(soil, random),
        "quote of three or more" => quotes(soil, random, 3),
        "quote of two" => quotes(soil, random, 2),
        "unit" => units(soil, random),
        "date" => dates(soil, random),
        "foreign name" => foreign_names(soil, random),
        "negation" => negations(soil.claim),
        "antonym" => antonyms(soil),
        "swapped figure" => swapped_figures(soil, random),
        "swapped name" => swapped_names(soil, random),
        _ => Vec::new(),
    };
    found.retain(|claim| claim != soil.claim);
    found.sort();
    found.dedup();
    random.shuffle(&mut found);
    found.truncate(VARIANTS);
    found
}

fn replaced(text: &str, range: &Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Whether the page has a number, in digits or in words, with or without a magnitude behind it.
fn on_page(page: &str, value: f64) -> bool {
    let scales = [1.0, 1e2, 1e3, 1e6, 1e9];
    let is = |known: f64| {
        scales.iter().any(|scale| {
            (known * scale - value).abs() < 1e-9 * value.abs().max(1.0)
                || (value * scale - known).abs() < 1e-9 * known.abs().max(1.0)
        })
    };
    words(page).iter().any(|(_, word)| {
        let digits: String =
            word.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).filter(|c| *c != ',').collect();
        digits.parse::<f64>().is_ok_and(is)
            || NUMBER_WORDS.iter().any(|(name, known)| name.eq_ignore_ascii_case(word) && is(*known))
    })
}

fn figures(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let mut found = Vec::new();
    for (range, value) in numbers(soil.claim) {
        let written = &soil.claim[range.clone()];
        for _ in 0..6 {
            let new = match random.below(4) {
                0 => written.replacen(written.chars().next().unwrap_or('1'), ["2", "3", "7", "9"][random.below(4)], 1),
                1 => format!("{}", value + 1.0 + random.below(9) as f64),
                2 => format!("{written}{}", random.below(10)),
                _ => format!("{}", (value * (2.0 + random.below(5) as f64)).round()),
            };
            let changed = new.replace(',', "").parse::<f64>().is_ok_and(|new| new != value && !on_page(soil.page, new));
            if changed {
                found.push(replaced(soil.claim, &range, &new));
            }
        }
    }
    found
}

fn number_words(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let mut found = Vec::new();
    let numbers = words(soil.claim).into_iter().filter(|(_, word)| {
        let small = word.parse::<u8>().is_ok_and(|value| (2..=12).contains(&value));
        small || NUMBER_WORDS.iter().any(|(name, _)| name.eq_ignore_ascii_case(word))
    });
    for (range, word) in numbers {
        for _ in 0..6 {
            let Some((name, value)) = random.pick(&NUMBER_WORDS) else { continue };
            let behind =
                soil.claim[range.end..].starts_with(['-', '.']) || soil.claim[..range.start].ends_with(['-', '.']);
            if !name.eq_ignore_ascii_case(word) && !on_page(soil.page, *value) && !behind {
                found.push(replaced(soil.claim, &range, name));
            }
        }
    }
    found
}

/// Quotes that nobody said: words of the page in an order that it does not have.
fn quotes(soil: &Soil<'_>, random: &mut Random, length: usize) -> Vec<String> {
    const MARKS: [(&str, &str); 5] = [("\"", "\""), ("“", "”"), ("'", "'"), ("‘", "’"), ("«", "»")];
    let known: Vec<&str> = words(soil.page)
        .into_iter()
        .map(|(_, word)| word)
        .filter(|word| word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    let flat = |text: &str| words(text).iter().map(|(_, word)| word.to_lowercase()).collect::<Vec<_>>().join(" ");
    let page = format!(" {} ", flat(soil.page));
    let mut found = Vec::new();
    for _ in 0..VARIANTS {
        let length = if length == 2 { 2 } else { length + random.below(4) };
        let quote: Vec<&str> = (0..length).filter_map(|_| random.pick(&known).copied()).collect();
        let quote = quote.join(" ");
        let Some((open, close)) = random.pick(&MARKS) else { continue };
        if quote.split(' ').count() == length && !page.contains(&format!(" {quote} ")) {
            let base = soil.claim.trim_end_matches(['.', ' ']);
            found.push(format!("{base}, which is called {open}{quote}{close}."));
        }
    }
    found
}

fn units(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let words = words(soil.claim);
    let mut found = Vec::new();
    for pair in words.windows(2) {
        let ((number_range, number), (range, unit)) = (&pair[0], &pair[1]);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            || NUMBER_WORDS.iter().any(|(name, _)| name.eq_ignore_ascii_case(number));
        let together = &soil.claim[number_range.end..range.start] == " ";
        for line in UNITS.iter().filter(|line| is_number && together && line.contains(unit)) {
            for _ in 0..3 {
                let Some(other) = random.pick(line).filter(|other| **other != *unit) else { continue };
                let same = format!("{number} {other}").to_lowercase();
                if !soil.page.to_lowercase().contains(&same)
                    && !soil.page.to_lowercase().contains(&same.replace(' ', "-"))
                {
                    found.push(replaced(soil.claim, range, other));
                }
            }
        }
    }
    for (from, to) in [("%", " dollars"), ("$", "€"), (" percent ", " dollars "), ("$", "£"), ("%", " years")] {
        if let Some(at) = soil.claim.find(from).filter(|_| !soil.page.contains(to.trim())) {
            found.push(replaced(soil.claim, &(at..at + from.len()), to));
        }
    }
    found
}

/// Whether a year stands right behind a month, or a day next to it.
fn dates(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let words = words(soil.claim);
    let mut found = Vec::new();
    for (at, (range, word)) in words.iter().enumerate().filter(|(_, (_, word))| MONTHS.contains(word)) {
        let number = |at: usize| words.get(at).filter(|(_, word)| word.parse::<u16>().is_ok());
        let near = [at.checked_sub(1).and_then(number), number(at + 1)].into_iter().flatten().next();
        let Some((near, value)) = near else { continue };
        for _ in 0..3 {
            let month = MONTHS[random.below(12)];
            if month != *word && !soil.page.contains(&month[..3]) {
                found.push(replaced(soil.claim, range, month));
            }
            let small = value.len() <= 2;
            let other = if small { 1 + random.below(28) } else { 1850 + random.below(180) };
            if other.to_string() != *value && !on_page(soil.page, other as f64) {
                found.push(replaced(soil.claim, near, &other.to_string()));
            }
        }
    }
    found
}

fn foreign_names(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let page = soil.page.to_lowercase();
    let mut found = Vec::new();
    for range in names(soil.claim) {
        for _ in 0..6 {
            let Some(other) = random.pick(soil.strangers) else { continue };
            let known = words(other)
                .iter()
                .any(|(_, word)| page.contains(&word.to_lowercase().chars().take(4).collect::<String>()));
            if !known && !soil.claim.contains(other.as_str()) {
                found.push(replaced(soil.claim, &range, other));
            }
        }
    }
    found
}

fn swapped_names(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let on_page: Vec<&str> = names(soil.page)
        .into_iter()
        .map(|range| &soil.page[range])
        .filter(|name| name.len() < 60 && !name.contains('\n'))
        .collect();
    let mut found = Vec::new();
    for range in names(soil.claim) {
        let name = &soil.claim[range.clone()];
        for _ in 0..6 {
            let Some(other) = random.pick(&on_page) else { continue };
            let shares = words(other).iter().any(|(_, word)| {
                soil.claim.to_lowercase().contains(&word.to_lowercase().chars().take(4).collect::<String>())
            });
            // A person for a person: names of as many words.
            if !shares && words(other).len() == words(name).len() {
                found.push(replaced(soil.claim, &range, other));
            }
        }
    }
    found
}

fn swapped_figures(soil: &Soil<'_>, random: &mut Random) -> Vec<String> {
    let on_page: Vec<(Range<usize>, f64)> = numbers(soil.page);
    let in_claim = numbers(soil.claim);
    let year = |value: f64| (1500.0..2100.0).contains(&value) && value.fract() == 0.0;
    let after = |text: &str, range: &Range<usize>| {
        words(&text[range.end..].chars().take(30).collect::<String>()).first().map(|(_, word)| word.to_lowercase())
    };
    let mut found = Vec::new();
    for (range, value) in &in_claim {
        for _ in 0..8 {
            let Some((place, other)) = random.pick(&on_page) else { continue };
            let in_it = in_claim.iter().any(|(_, known)| known == other);
            // The same word behind it may make it true as well.
            let same_word = after(soil.claim, range) == after(soil.page, place) && !year(*value);
            if other != value && year(*value) == year(*other) && !in_it && !same_word {
                found.push(replaced(soil.claim, range, &soil.page[place.clone()]));
            }
        }
    }
    found
}

fn negations(claim: &str) -> Vec<String> {
    const VERBS: [&str; 16] = [
        "is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would", "should", "may", "must",
        "does", "did",
    ];
    let words = words(claim);
    let mut found = Vec::new();
    for (at, (range, word)) in words.iter().enumerate() {
        let next = words.get(at + 1).map(|(_, next)| *next);
        if VERBS.contains(word) && next != Some("not") && claim[range.end..].starts_with(' ') {
            for no in [" not", " never"] {
                found.push(format!("{}{no}{}", &claim[..range.end], &claim[range.end..]));
            }
        }
        if *word == "not" && next != Some("only") && claim[..range.start].ends_with(' ') {
            found.push(format!("{}{}", &claim[..range.start - 1], &claim[range.end..]));
        }
    }
    found
}

fn antonyms(soil: &Soil<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (range, word) in words(soil.claim) {
        if let Some(other) = hadal::eval::evidence::opposite(word) {
            found.push(replaced(soil.claim, &range, other));
        }
    }
    found
}
