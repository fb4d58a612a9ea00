//! Times of the day in texts: `9:30`, `01:06:20.178Z`, `3:17 pm`, `18.53 Uhr`, `18h53`.

use std::ops::Range;

/// A time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    hour: u8,
    minute: u8,
    second: Option<u8>,
}

impl Clock {
    /// Whether another one is this one, which may leave out the seconds.
    pub(crate) fn is(self, other: Self) -> bool {
        (self.hour, self.minute) == (other.hour, other.minute) && (self.second.is_none() || self.second == other.second)
    }

    pub(crate) fn has_seconds(self) -> bool {
        self.second.is_some()
    }
}

/// The times of a text and where they stand, with their parts of a second and their zone.
pub(crate) fn clocks(text: &str) -> Vec<(Range<usize>, Clock)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(|c: char| c.is_ascii_digit())) {
        let start = from + start;
        let clock = if begins(text, start) { clock_at(text, start) } else { None };
        from = match &clock {
            Some((place, _)) => place.end,
            None => start + digits(text, start).len(),
        };
        found.extend(clock);
    }
    found
}

/// Whether no number or name goes on here. A day may stand right before it: `2026-03-14T18:53`, `14/Mar/2026:18:53`.
fn begins(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let digits_before = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    match before.chars().next_back() {
        Some('T' | 't') => before.get(..start - 1).is_some_and(|day| digits_before(day) == 2),
        Some(':') => before.get(..start - 1).is_some_and(|year| digits_before(year) == 4 || digits_before(year) == 0),
        Some('.' | ',') => before.get(..start - 1).is_some_and(|number| digits_before(number) == 0),
        Some(c) => !c.is_alphanumeric(),
        None => true,
    }
}

fn digits(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    rest.get(..rest.bytes().take_while(u8::is_ascii_digit).count()).unwrap_or_default()
}

/// Two digits behind a sign, as a number.
fn pair(text: &str, at: usize) -> Option<u8> {
    let pair = digits(text, at);
    (pair.len() == 2).then(|| pair.parse().ok())?
}

fn clock_at(text: &str, start: usize) -> Option<(Range<usize>, Clock)> {
    let hour = Some(digits(text, start)).filter(|hour| hour.len() <= 2)?;
    let mut end = start + hour.len();
    let hour: u8 = hour.parse().ok()?;
    let joint = text.get(end..)?.chars().next()?;
    let minute = Some(joint).filter(|joint| matches!(joint, ':' | '.' | 'h')).and_then(|_| pair(text, end + 1))?;
    end += 3;
    let second = text.get(end..)?.strip_prefix(':').and_then(|_| pair(text, end + 1)).filter(|_| joint == ':');
    end += if second.is_some() { 3 } else { 0 };
    let rest = text.get(end..)?;
    if rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let is_said = joint != '.' || rest.trim_start_matches([' ', '\u{a0}']).starts_with("Uhr");
    let fraction = rest.strip_prefix(['.', ',']).map_or(0, |_| digits(text, end + 1).len());
    end += if fraction > 0 && second.is_some() { fraction + 1 } else { 0 };
    end += zone(text.get(end..)?).len();
    let (hour, half) = half_of_day(hour, text.get(end..)?);
    end += half;
    let is_over = !text.get(end..)?.starts_with(char::is_alphanumeric);
    let is_time = hour <= 24 && minute < 60 && second.is_none_or(|second| second <= 60);
    (is_said && is_over && is_time).then_some((start..end, Clock { hour, minute, second }))
}

/// `Z`, `+02:00`, right behind the time.
fn zone(rest: &str) -> &str {
    let is_offset = |length: &usize| {
        let digits = rest.get(1..*length).map(|zone| zone.bytes().filter(u8::is_ascii_digit).count());
        digits == Some(4) && !rest.get(*length..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match rest.chars().next() {
        Some('Z') => rest.get(..1).unwrap_or_default(),
        Some('+' | '-') => [6, 5].into_iter().find(is_offset).and_then(|length| rest.get(..length)).unwrap_or_default(),
        _ => "",
    }
}

/// The hour with what says which half of the day is meant, and the bytes of that.
fn half_of_day(hour: u8, rest: &str) -> (u8, usize) {
    let bare = rest.trim_start_matches([' ', '\u{a0}']);
    let is_one = |half: &&str| bare.get(..half.len()).is_some_and(|said| said.eq_ignore_ascii_case(half));
    let Some(half) = ["a.m.", "p.m.", "am", "pm"].into_iter().find(is_one) else { return (hour, 0) };
    let length = rest.len() - bare.len() + half.len();
    let goes_on = rest.get(length..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    match (goes_on, half.starts_with('p'), hour) {
        // `um 9:30 am Montag` is German, and no half of a day where the hour is of the other.
        (true, _, _) | (_, _, 13..) => (hour, 0),
        (false, true, 12) => (12, length),
        (false, true, _) => (hour + 12, length),
        (false, false, 12) => (0, length),
        (false, false, _) => (hour, length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a time of the day is the same in all of its ways of writing.
    #[test]
    fn lb_02_times_are_known() {
        for (text, want) in [
            ("at 9:30", &["9:30"][..]),
            ("at 09:30:05, then", &["9:30:5"]),
            ("2026-08-03T08:44:39.178Z done", &["8:44:39"]),
            ("2026-08-03T08:44:39+02:00 done", &["8:44:39"]),
            ("[14/Mar/2026:18:53:28 +0000]", &["18:53:28"]),
            ("3:17 am and 3:17 p.m., 12:00 AM", &["3:17", "15:17", "0:0"]),
            ("um 18.53 Uhr, um 9:30 am Montag", &["18:53", "9:30"]),
            ("à 18h53", &["18:53"]),
            ("time:18:53", &["18:53"]),
            ("3.17 bar, 3:1, 3:170, 1:23:45:67, 2001:db8:12:34, 99:10, 10:99, x3:17, 3:17x, v1.2:30", &[]),
            ("", &[]),
        ] {
            let said = |clock: Clock| match clock.second {
                Some(second) => format!("{}:{}:{second}", clock.hour, clock.minute),
                None => format!("{}:{}", clock.hour, clock.minute),
            };
            let got: Vec<String> = clocks(text).into_iter().map(|(_, clock)| said(clock)).collect();
            assert_eq!(got, want, "{text}");
        }
        let text = "at 2026-08-03T08:44:39.178Z.";
        assert_eq!(text.get(clocks(text)[0].0.clone()), Some("08:44:39.178Z"));
    }
}
