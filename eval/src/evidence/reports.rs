//! `hadal-eval citations`: 200 reports in the shapes that people and models write, with every form of citation, and how many are read.

use std::fmt::Write as _;

use serde_json::json;

use super::random::Random;

const REPORTS: u64 = 200;
const LEAST: f64 = 0.98;

/// How a report writes its citations.
const FORMS: [&str; 22] = [
    "[1]",
    "[1][2]",
    "[1, 2]",
    "[1-3]",
    "[4;5]",
    "[7](url)",
    "[[6]](url)",
    "[^8]",
    "【11】",
    "【11†source】",
    "[source 12]",
    "[cite: 14]",
    "<sup>15</sup>",
    "superscript",
    "(Author 2024)",
    "[words](url)",
    "(url)",
    "annotation",
    "([words](url))",
    "\\[1\\]",
    "<a href>",
    "Author (2024)",
];
const HEADINGS: [&str; 10] = [
    "## Sources",
    "## References",
    "### Works cited",
    "**Sources:**",
    "Sources:",
    "# Bibliography",
    "References\n==========",
    "## 7. References",
    "## Quellen",
    "## 参考文献",
];
const SURNAMES: [&str; 12] = [
    "Smith",
    "Varga",
    "Okafor",
    "Lindqvist",
    "Moreau",
    "Tanaka",
    "Alvarez",
    "Novak",
    "Haddad",
    "Silva",
    "Kowalski",
    "Iyer",
];

struct Source {
    url: String,
    title: String,
    author: &'static str,
    year: usize,
}

struct Report {
    text: String,
    annotations: Vec<(usize, usize, String)>,
    /// A number that stands in one sentence only, and the addresses it cites.
    want: Vec<(String, Vec<String>)>,
}

/// Prints the share per form; an error if too few are read.
pub(crate) fn run() -> Result<(), String> {
    let mut per_form = vec![(0_u32, 0_u32); FORMS.len()];
    for seed in 0..REPORTS {
        let form = usize::try_from(seed).unwrap_or_default() % FORMS.len();
        let report = report(form, &mut Random::new(1_000 + seed));
        let (claims, _) = hadal::eval::evidence::read_report(&report.text, &spans(&report));
        for (key, urls) in &report.want {
            let found =
                claims.iter().find(|(text, _)| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == key));
            let mut cited = found.map(|(_, urls)| urls.clone()).unwrap_or_default();
            let mut urls = urls.clone();
            cited.sort();
            urls.sort();
            per_form[form].0 += 1;
            per_form[form].1 += u32::from(cited == urls);
            if cited != urls {
                println!("{}: sentence {key}: want {urls:?}, found {cited:?}", FORMS[form]);
            }
        }
    }
    for (form, (all, read)) in FORMS.iter().zip(&per_form) {
        println!("{form:<16} {read:>5} of {all}");
    }
    let (all, read) = per_form.iter().fold((0, 0), |(all, read), form| (all + form.0, read + form.1));
    let share = f64::from(read) / f64::from(all.max(1));
    println!("{}", json!({ "reports": REPORTS, "sentences": all, "read": read, "share": (share * 1e4).round() / 1e4 }));
    if share >= LEAST {
        Ok(())
    } else {
        Err(format!("{share:.3} of the sentences are read with their sources; {LEAST} is the least"))
    }
}

/// The annotations of a report in bytes, through each of the units that providers count in.
fn spans(report: &Report) -> Vec<(std::ops::Range<usize>, String)> {
    let unit = ["bytes", "chars", "utf16"][report.text.len() % 3];
    let count = |chars: usize| {
        let before = report.text.chars().take(chars);
        match unit {
            "bytes" => before.map(char::len_utf8).sum(),
            "utf16" => before.map(char::len_utf16).sum(),
            _ => chars,
        }
    };
    let offsets: Vec<usize> =
        report.annotations.iter().flat_map(|(start, end, _)| [count(*start), count(*end)]).collect();
    let bytes = hadal::eval::evidence::in_bytes(&report.text, &offsets, unit).unwrap_or_default();
    bytes.chunks_exact(2).zip(&report.annotations).map(|(span, (_, _, url))| (span[0]..span[1], url.clone())).collect()
}

fn report(form: usize, random: &mut Random) -> Report {
    let sources: Vec<Source> = (0..16 + random.below(6)).map(|number| source(number, random)).collect();
    let mut report = Report {
        text: String::from("# A report on ships 🚢\n\nThis report covers ships. What do they carry?\n\n"),
        annotations: Vec::new(),
        want: Vec::new(),
    };
    let mut key = 40_001;
    for section in 0..3 {
        let _ = write!(report.text, "## Part {}\n\n", section + 1);
        for _ in 0..2 {
            for _ in 0..1 + random.below(3) {
                sentence(&mut report, form, &sources, key, random);
                key += 1;
            }
            report.text.push_str("\n\n");
        }
        for _ in 0..2 {
            report.text.push_str(["- ", "* ", "1. "][random.below(3)]);
            sentence(&mut report, form, &sources, key, random);
            report.text.push('\n');
            key += 1;
        }
        report.text.push('\n');
    }
    list(&mut report.text, form, &sources, random);
    report
}

fn source(number: usize, random: &mut Random) -> Source {
    let path = ["", "/", "/news/2024/05/ships", "/wiki/Ship_(vessel)", "/a?id=3&x=y", "/p.html"][random.below(6)];
    Source {
        url: format!("https://site{number}.example{}.org{path}", random.below(90)),
        title: format!("The {} of ship {number}", ["history", "building", "end", "voyage"][random.below(4)]),
        author: SURNAMES[number % SURNAMES.len()],
        year: 1990 + number,
    }
}

/// A sentence with its citation, before or behind its full stop.
fn sentence(report: &mut Report, form: usize, sources: &[Source], key: usize, random: &mut Random) {
    let first = 1 + random.below(sources.len() - 3);
    let verbs = ["carried", "weighed", "cost", "sailed for"];
    let body = format!(
        "The vessel {} {key} {} in the {} of the year",
        verbs[random.below(4)],
        ["tons", "dollars", "miles", "men"][random.below(4)],
        ["spring", "autumn"][random.below(2)]
    );
    let (mark, cited) = mark(form, sources, first);
    let urls: Vec<String> = cited.iter().map(|number| sources[number - 1].url.clone()).collect();
    let start = report.text.chars().count();
    let source = &sources[first - 1];
    match FORMS[form] {
        "[words](url)" => {
            let _ = write!(report.text, "{body}, [{}]({}) says. ", source.title, source.url);
        }
        "Author (2024)" => {
            let _ = write!(
                report.text,
                "According to {} ({}) {}. ",
                source.author,
                source.year,
                body.replacen("The", "the", 1)
            );
        }
        "annotation" => {
            let _ = write!(report.text, "{body}. ");
            report.annotations.push((start, start + body.chars().count() + 1, source.url.clone()));
        }
        _ => {
            let behind = random.below(2) == 0 && !matches!(FORMS[form], "(Author 2024)" | "(url)");
            let _ = if behind { write!(report.text, "{body}.{mark} ") } else { write!(report.text, "{body} {mark}. ") };
        }
    }
    report.want.push((key.to_string(), urls));
}

/// A citation in this form, and the numbers of what it cites.
fn mark(form: usize, sources: &[Source], first: usize) -> (String, Vec<usize>) {
    let Source { url, title, author, year } = &sources[first - 1];
    let raised: String =
        first.to_string().chars().filter_map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize)).collect();
    let second = first + 1;
    let one = |mark: String| (mark, vec![first]);
    match FORMS[form] {
        "[1][2]" => (format!("[{first}][{second}]"), vec![first, second]),
        "[1, 2]" => (format!("[{first}, {second}]"), vec![first, second]),
        "[1-3]" => (format!("[{first}-{}]", first + 2), vec![first, second, first + 2]),
        "[4;5]" => (format!("[{first};{second}]"), vec![first, second]),
        "[7](url)" => one(format!("[{first}]({url})")),
        "[[6]](url)" => one(format!("[[{first}]]({url})")),
        "[^8]" => one(format!("[^{first}]")),
        "【11】" => one(format!("【{first}】")),
        "【11†source】" => one(format!("【{first}†source】")),
        "[source 12]" => one(format!("[source {first}]")),
        "[cite: 14]" => one(format!("[cite: {first}]")),
        "<sup>15</sup>" => one(format!("<sup>{first}</sup>")),
        "superscript" => one(raised),
        "(Author 2024)" => one(format!("({author} {year})")),
        "(url)" => one(format!("({url})")),
        "([words](url))" => one(format!("([{title}]({url}))")),
        "\\[1\\]" => one(format!("\\[{first}\\]")),
        "<a href>" => one(format!("<a href=\"{url}\">{first}</a>")),
        _ => one(format!("[{first}]")),
    }
}

/// The list of sources in one of its shapes; forms with their own addresses have none.
fn list(text: &mut String, form: usize, sources: &[Source], random: &mut Random) {
    if matches!(
        FORMS[form],
        "[7](url)" | "[[6]](url)" | "[words](url)" | "(url)" | "annotation" | "([words](url))" | "<a href>"
    ) {
        return;
    }
    let footnotes = FORMS[form] == "[^8]";
    let shape = random.below(6);
    if !footnotes {
        let _ = write!(text, "{}\n\n", HEADINGS[random.below(HEADINGS.len())]);
    }
    for (number, Source { url, title, author, year }) in sources.iter().enumerate() {
        let number = number + 1;
        let line = match (footnotes, FORMS[form].contains("Author"), shape) {
            (true, _, _) => format!("[^{number}]: {title}. {url}"),
            (_, true, 0..3) => format!("- {author}, J. ({year}). {title}. {url}"),
            (_, true, _) => format!("{author}, A. & Other, B. ({year}). *{title}*. Retrieved from {url}\n"),
            (_, _, 0) => format!("{number}. [{title}]({url})"),
            (_, _, 1) => format!("[{number}] {title}. {url}"),
            (_, _, 2) => format!("[{number}]: {url} \"{title}\""),
            (_, _, 3) => format!("- **[{number}]** {title} — <{url}>"),
            (_, _, 4) => format!("{number}) {title}\n   {url}"),
            (_, _, _) => format!("* [{number}] [{title}]({url})"),
        };
        let _ = writeln!(text, "{line}");
    }
}
