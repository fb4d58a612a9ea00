//! How often an appointment repeats, in words where the rule is simple: `every 2 weeks on Monday and Wednesday, 10 times`.

use time::{Month, Weekday};

use super::super::one_line;
use super::when::{ALL_DAY, Moment};

/// Days of a rule that are told in words.
const FEW: usize = 8;
const UNITS: [(&str, &str); 4] = [("DAILY", "day"), ("WEEKLY", "week"), ("MONTHLY", "month"), ("YEARLY", "year")];
const ORDINALS: [(&str, &str); 7] = [
    ("1", "first"),
    ("2", "second"),
    ("3", "third"),
    ("4", "fourth"),
    ("5", "fifth"),
    ("-1", "last"),
    ("-2", "second to last"),
];

/// A rule in words; as it is written where it is not simple.
pub(super) fn in_words(rule: &str) -> String {
    words(rule).unwrap_or_else(|| one_line(rule))
}

/// What a rule says, by the names of its parts.
#[derive(Debug, Default)]
struct Rule<'r> {
    unit: &'r str,
    interval: Option<&'r str>,
    count: Option<&'r str>,
    until: Option<&'r str>,
    days: Option<&'r str>,
    month_day: Option<&'r str>,
    month: Option<&'r str>,
    position: Option<&'r str>,
}

fn words(rule: &str) -> Option<String> {
    let mut said = Rule::default();
    for part in rule.split(';').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=')?;
        match name.trim().to_ascii_uppercase().as_str() {
            "FREQ" => said.unit = UNITS.iter().find(|(name, _)| value.eq_ignore_ascii_case(name))?.1,
            "INTERVAL" => said.interval = Some(value),
            "COUNT" => said.count = Some(value),
            "UNTIL" => said.until = Some(value),
            "BYDAY" => said.days = Some(value),
            "BYMONTHDAY" => said.month_day = Some(value),
            "BYMONTH" => said.month = Some(value),
            "BYSETPOS" => said.position = Some(value),
            // Where a week begins changes next to nothing.
            "WKST" => {}
            _ => return None,
        }
    }
    let interval = said.interval.map_or(Some(1), |count| count.parse::<u16>().ok())?;
    let every = match interval {
        0 => return None,
        1 => format!("every {}", said.unit),
        more => format!("every {more} {}s", said.unit),
    };
    let ends = match (said.count, said.until) {
        (Some(count), _) => match count.parse::<u32>().ok()? {
            1 => ", once".to_owned(),
            count => format!(", {count} times"),
        },
        (None, Some(until)) => {
            let until = Moment::read(until, "")?;
            format!(", until {}", until.to_string().trim_end_matches(ALL_DAY))
        }
        (None, None) => String::new(),
    };
    Some(format!("{every}{}{ends}", on(&said)?)).filter(|_| !said.unit.is_empty())
}

/// On which days.
fn on(rule: &Rule<'_>) -> Option<String> {
    match (rule.unit, rule.days, rule.month_day, rule.month) {
        (_, None, None, None) if rule.position.is_none() => Some(String::new()),
        ("day" | "week", Some(days), None, None) if rule.position.is_none() => {
            let names: Option<Vec<String>> = few(days)?.map(|day| Some(weekday(day.trim())?.to_string())).collect();
            Some(format!(" on {}", joined(&names?)))
        }
        ("month", Some(days), None, None) => Some(format!(" on the {}", ordinal_days(days, rule.position)?)),
        ("month", None, Some("-1"), None) => Some(" on its last day".to_owned()),
        ("month", None, Some(days), None) if rule.position.is_none() => {
            let days: Option<Vec<String>> = few(days)?.map(|day| Some(month_day(day.trim())?.to_owned())).collect();
            Some(format!(" on day {}", joined(&days?)))
        }
        ("year", None, Some(day), Some(month)) => Some(format!(" on {} {}", month_day(day)?, month_name(month)?)),
        ("year", Some(days), None, Some(month)) => {
            Some(format!(" on the {} of {}", ordinal_days(days, rule.position)?, month_name(month)?))
        }
        _ => None,
    }
}

/// `2TU`, or `TU` with its place beside it: `second Tuesday`.
fn ordinal_days(days: &str, position: Option<&str>) -> Option<String> {
    let ordinal = |number: &str| {
        let number = number.trim_start_matches('+');
        ORDINALS.iter().find(|(known, _)| *known == number).map(|(_, word)| *word)
    };
    let named = |day: &str| {
        let (number, name) = day.split_at_checked(day.len().checked_sub(2)?)?;
        let number = if number.is_empty() { position? } else { number };
        Some(format!("{} {}", ordinal(number)?, weekday(name)?))
    };
    let all: Option<Vec<String>> = few(days)?.map(|day| named(day.trim())).collect();
    let all = all?;
    // With one place for all of several days it is the second of any of them.
    let is_one = position.is_none() || all.len() == 1;
    is_one.then(|| joined(&all))
}

/// The parts of a list, where they are not too many to be told in words: who reads some of them takes them for all.
fn few(list: &str) -> Option<impl Iterator<Item = &str>> {
    list.split(',').nth(FEW).is_none().then(|| list.split(','))
}

/// By the first two letters of its name.
fn weekday(name: &str) -> Option<Weekday> {
    let mut days = std::iter::successors(Some(Weekday::Monday), |day| Some(day.next())).take(7);
    days.find(|day| day.to_string().get(..2).is_some_and(|known| known.eq_ignore_ascii_case(name)))
}

fn month_day(day: &str) -> Option<&str> {
    day.parse::<u8>().ok().filter(|day| (1..=31).contains(day)).map(|_| day)
}

fn month_name(month: &str) -> Option<Month> {
    Month::try_from(month.trim().parse::<u8>().ok()?).ok()
}

/// `Monday, Tuesday and Friday`.
fn joined(names: &[String]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        names => names.concat(),
    }
}
