//! Texts of dated lines or paragraphs that no name calls a log: measurements, a diary, notes of what was agreed on.

use super::editions::Time;
use super::entry_times::EntryTime;
use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::words;

/// Words of a name below which it stands what will be, without accents: there the last one is not what is.
const TO_COME: &str = "agenda appointments calendar events fixtures itinerary plan planner programme program roadmap rota schedule shifts timetable \
     dienstplan einsatzplan fahrplan kalender plan programm spielplan stundenplan termine terminplan terminkalender veranstaltungen \
     calendrier evenements horaire horaires planning programme rendez";

/// Whether what stands below a title, a heading or the name of a file is to come.
pub(crate) fn is_to_come(name: &str) -> bool {
    words(&name.replace('_', " ")).any(|word| is_listed(TO_COME, &folded(&word)))
}

/// Whether a text is entries that begin with their days or months and stand in their time, the last one first or last. Its first line may be a title.
pub(crate) fn is_dated(text: &str) -> bool {
    let mut times: Vec<Time> = Vec::new();
    let (mut paragraphs, mut is_apart) = (0_usize, true);
    for line in text.lines() {
        let time = match EntryTime::of_line(line) {
            Some(EntryTime::Time(time @ (Time::Day(..) | Time::Month(..)))) => Some(time),
            _ => None,
        };
        // What stands before the first entry is no part of them.
        paragraphs += usize::from(time.is_some() || (is_apart && !line.trim().is_empty() && !times.is_empty()));
        times.extend(time);
        is_apart = line.trim().is_empty();
    }
    let in_order =
        |later: fn(Time, Time) -> bool| !times.windows(2).any(|pair| matches!(pair, [one, next] if later(*one, *next)));
    let rises = || in_order(|one, next| one.is_after(next, true));
    let falls = || in_order(|one, next| next.is_after(one, true));
    !times.is_empty() && 2 * times.len() > paragraphs && (rises() || falls())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: entries that begin with their days are known, in either order.
    #[test]
    fn em_01_dated_entries_are_known() {
        for (text, is_one) in [
            ("2024-03-01 port 80\n2024-03-02 port 81\n", true),
            ("2 March 2024: port 81\n\n1 March 2024: port 80\ngoes on\n", true),
            ("Notes\n\n- 2024-03-01: port 80\n- 2024-03-02: port 81\n", true),
            ("March 2024: port 80\nApril 2024: port 81", true),
            ("2024-03-01 port 80\n2024-03-05 port 82\n2024-03-02 port 81\n", false),
            ("2024-03-01 port 80\n\nThe port.\n\nThe other port.\n", false),
            ("2023: port 80\n2024: port 81", false),
            ("The port is 80.", false),
            ("", false),
        ] {
            assert_eq!(is_dated(text), is_one, "{text}");
        }
        assert!(is_to_come("club_calendar.md") && is_to_come("Termine 2026") && !is_to_come("Water level"));
    }
}
