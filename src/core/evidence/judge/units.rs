//! Units of measure, as far as a claim can be wrong about them.

use super::tokens::{WordFilter, hash};

/// A unit; forms of one unit have one number.
pub(crate) type Unit = u8;

/// The forms of each unit, lower case. Scientific and everyday units that change what a figure says.
const UNITS: &[&[&str]] = &[
    &["%", "percent", "pct", "percentage"],
    &["$", "usd", "dollar", "dollars", "us$"],
    &["€", "eur", "euro", "euros"],
    &["£", "gbp", "sterling"],
    &["¥", "yen", "jpy"],
    &["₹", "rupee", "rupees", "inr", "rs"],
    &["yuan", "rmb", "cny"],
    &["km", "kilometre", "kilometres", "kilometer", "kilometers", "kms"],
    &["m", "metre", "metres", "meter", "meters"],
    &["cm", "centimetre", "centimetres", "centimeter", "centimeters"],
    &["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
    &["mile", "miles", "mi"],
    &["foot", "feet", "ft"],
    &["inch", "inches"],
    &["yard", "yards", "yd"],
    &["kg", "kilogram", "kilograms", "kilogramme", "kilogrammes", "kilo", "kilos"],
    &["g", "gram", "grams", "gramme", "grammes"],
    &["mg", "milligram", "milligrams"],
    &["mcg", "microgram", "micrograms"],
    &["ton", "tons", "tonne", "tonnes"],
    &["lb", "lbs"],
    &["pound", "pounds"],
    &["ounce", "ounces", "oz"],
    &["second", "seconds", "sec", "secs"],
    &["minute", "minutes", "min", "mins"],
    &["hour", "hours", "hr", "hrs"],
    &["day", "days"],
    &["week", "weeks"],
    &["month", "months"],
    &["year", "years", "yr", "yrs"],
    &["decade", "decades"],
    &["century", "centuries"],
    &["ms", "millisecond", "milliseconds"],
    &["celsius", "°c", "℃"],
    &["fahrenheit", "°f", "℉"],
    &["watt", "watts", "w"],
    &["kw", "kilowatt", "kilowatts"],
    &["mw", "megawatt", "megawatts"],
    &["gw", "gigawatt", "gigawatts"],
    &["kwh", "kilowatthour", "kilowatthours"],
    &["mwh", "megawatthour", "megawatthours"],
    &["gwh", "gigawatthour", "gigawatthours"],
    &["twh", "terawatthour", "terawatthours"],
    &["kb", "kilobyte", "kilobytes"],
    &["mb", "megabyte", "megabytes"],
    &["gb", "gigabyte", "gigabytes"],
    &["tb", "terabyte", "terabytes"],
    &["mph"],
    &["kph", "kmh", "km/h"],
    &["acre", "acres"],
    &["hectare", "hectares", "ha"],
    &["litre", "litres", "liter", "liters", "l"],
    &["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
    &["gallon", "gallons"],
    &["calorie", "calories", "kcal", "cal"],
    &["hz", "hertz"],
    &["khz"],
    &["mhz"],
    &["ghz"],
    &["volt", "volts", "v"],
];

/// The forms of all units.
static UNIT_WORDS: WordFilter = unit_words();

const fn unit_words() -> WordFilter {
    let (mut words, mut at) = (WordFilter::of(&[]), 0);
    while at < UNITS.len() {
        words = words.with(UNITS[at]);
        at += 1;
    }
    words
}

fn unit(form: &str) -> Option<Unit> {
    if !UNIT_WORDS.may_have(hash(form)) {
        return None;
    }
    let at = UNITS.iter().position(|forms| forms.contains(&form))?;
    u8::try_from(at).ok()
}

/// Whether two units may be the same: the word `pounds` may be money or a weight.
pub(crate) fn agree(one: Option<Unit>, other: Option<Unit>) -> bool {
    let has = |unit: Option<Unit>, form: &str| unit.is_some_and(|unit| forms(unit).contains(&form));
    let may_be = |word, meant| has(word, "pounds") && (has(meant, "£") || has(meant, "lb"));
    one == other || may_be(one, other) || may_be(other, one)
}

/// The forms of a unit, the usual one first.
pub(crate) fn forms(unit: Unit) -> &'static [&'static str] {
    UNITS.get(usize::from(unit)).copied().unwrap_or_default()
}

/// The signs that stand for a unit.
const SIGNS: [&str; 11] = ["%", "€", "£", "$", "¥", "₹", "°c", "°f", "℃", "℉", "km/h"];

/// The length of the sign of a unit that a text begins with, white space before it included.
pub(crate) fn sign_length(after: &str) -> Option<usize> {
    let bare = after.trim_start();
    let is_it = |sign: &&&str| bare.get(..sign.len()).is_some_and(|head| head.to_lowercase() == ***sign);
    SIGNS.iter().find(is_it).map(|sign| after.len() - bare.len() + sign.len())
}

/// The unit that the words behind a number name, or the sign right behind it.
pub(crate) fn unit_after(words: &[String], after: &str) -> Option<(Unit, usize)> {
    let sign = after.trim_start();
    let begins_so = sign.starts_with(|c: char| !c.is_ascii() || matches!(c, '%' | '$' | 'k' | 'K'));
    for sign_unit in SIGNS.into_iter().filter(|_| begins_so) {
        let begins = sign.get(..sign_unit.len()).is_some_and(|start| start.to_lowercase() == sign_unit);
        // A sign behind white space belongs to the next number: `5 $7`.
        let most = if matches!(sign_unit, "€" | "£" | "$" | "¥" | "₹") { 0 } else { '\u{a0}'.len_utf8() };
        let close = after.len() - sign.len() <= most;
        if begins && close {
            return unit(sign_unit).map(|unit| (unit, 1));
        }
    }
    let first = words.first()?.as_str();
    if first == "per" && words.get(1).is_some_and(|second| second == "cent") {
        return unit("%").map(|unit| (unit, 2));
    }
    if first == "us" && words.get(1).is_some_and(|second| second.starts_with("dollar")) {
        return unit("$").map(|unit| (unit, 2));
    }
    let second = words.get(1).map(String::as_str);
    match first {
        "square" | "sq" => return second.and_then(unit).map(|unit| (unit | SQUARE, 2)),
        "cubic" | "cu" => return second.and_then(unit).map(|unit| (unit | CUBIC, 2)),
        _ if matches!(second, Some("hour" | "hours")) && first.contains("watt") => {
            return unit(&format!("{}hour", first.trim_end_matches('s'))).map(|unit| (unit, 2));
        }
        _ => {}
    }
    let raised = [('²', SQUARE), ('2', SQUARE), ('³', CUBIC), ('3', CUBIC)];
    let power = raised.iter().find_map(|(sign, power)| Some((first.strip_suffix(*sign)?, *power)));
    match power.filter(|(bare, _)| LENGTHS.contains(bare)) {
        Some((bare, power)) => unit(bare).map(|unit| (unit | power, 1)),
        None => unit(first).map(|unit| (unit, 1)),
    }
}

/// Words behind a number after which it is said what it is counted by: `dollars per hour`; and those that may only stand before a time: `visitors a day`.
const PER: u64 = hash("per");
const EVERY: [u64; 4] = [hash("a"), hash("an"), hash("each"), hash("every")];
const TIMES: [&str; 7] = ["second", "minute", "hour", "day", "week", "month", "year"];

pub(crate) fn begins_rate(word: u64) -> bool {
    word == PER || EVERY.contains(&word)
}

/// What a number is counted by, by such a word and the next one.
pub(crate) fn rate(word: u64, next: &str) -> Option<Unit> {
    let is_rate = if word == PER { next != "cent" } else { TIMES.contains(&next) };
    unit(next).filter(|_| is_rate)
}

/// Square and cubic units are other units.
const SQUARE: Unit = 0x80;
const CUBIC: Unit = 0x40;
const _: () = assert!(UNITS.len() <= CUBIC as usize);
/// The units that are written with a raised digit.
const LENGTHS: [&str; 6] = ["m", "km", "cm", "mm", "ft", "mi"];

/// The currency that stands right before a number.
pub(crate) fn unit_before(before: &str) -> Option<Unit> {
    let trimmed = before.trim_end_matches([' ', '\u{a0}']);
    let sign = trimmed.chars().next_back()?;
    let code = || {
        let start = trimmed.char_indices().rev().take_while(|(_, c)| c.is_ascii_uppercase()).last()?.0;
        let code = trimmed.get(start..)?;
        (code.len() == 3)
            .then(|| code.to_lowercase())
            .filter(|code| matches!(code.as_str(), "usd" | "eur" | "gbp" | "jpy" | "inr" | "cny"))
    };
    match sign {
        '$' | '€' | '£' | '¥' | '₹' if before.len() - trimmed.len() <= 2 => unit(sign.encode_utf8(&mut [0; 4])),
        _ => unit(&code()?),
    }
}

/// How a unit is called in a message.
pub(crate) fn name(unit: Unit) -> String {
    let plain = forms(unit & !(SQUARE | CUBIC));
    let name = plain.iter().max_by_key(|form| form.len()).copied().unwrap_or_default();
    match unit & (SQUARE | CUBIC) {
        SQUARE => format!("square {name}"),
        CUBIC => format!("cubic {name}"),
        _ => name.to_owned(),
    }
}
