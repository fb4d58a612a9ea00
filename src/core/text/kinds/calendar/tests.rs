//! Calendars as programs write them, and as nobody should.

use expect_test::{Expect, expect};

use super::super::content_lines::Unfolded;
use super::super::tests::shown;
use super::repeats::in_words;
use super::when::{Moment, duration};
use crate::core::text::{Format, LeftOut, extract};

fn check(calendar: &str, expected: &Expect) {
    expected.assert_eq(&shown(&extract(Format::Calendar, calendar.as_bytes().to_vec()).unwrap()));
}

/// LB-01: an appointment says when, where, who and what, and stands in its lines.
#[test]
fn lb_01_entries_of_calendars_are_sections() {
    let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Works\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19961027T030000\r\n\
        RRULE:FREQ=YEARLY\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20260514T090000\r\n\
        DTEND;TZID=Europe/Berlin:20260514T103000\r\nSUMMARY:Board meeting\\, spring\r\nLOCATION:Room 4\r\nDESCRIPTION:Bring the\r\n  budget.\\n\\nLunch follows.\r\n\
        ORGANIZER;CN=\"Keller, Vera\":mailto:vera@x.example\r\nATTENDEE;CN=Ann Lee;PARTSTAT=ACCEPTED:mailto:ann@x.example\r\nATTENDEE:MAILTO:bo@x.example\r\n\
        STATUS:CONFIRMED\r\nRRULE:FREQ=MONTHLY;BYDAY=2TH;COUNT=6\r\nEXDATE;TZID=Europe/Berlin:20260611T090000,20260709T090000\r\n\
        BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Alarm\r\nEND:VALARM\r\nEND:VEVENT\r\nBEGIN:VTODO\r\nSUMMARY:Pay the rent\r\nDUE;VALUE=DATE:20260601\r\n\
        PERCENT-COMPLETE:40\r\nEND:VTODO\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260801\r\nDTEND;VALUE=DATE:20260815\r\nSUMMARY:Closed\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    check(
        calendar,
        &expect![[r#"
        title: Works
        [lines 11–30] Board meeting, spring
            - When: Thursday 2026-05-14, 09:00–10:30 (Europe/Berlin)
            - Repeats: every month on the second Thursday, 6 times
            - Except: Thursday 2026-06-11, 09:00 (Europe/Berlin), Thursday 2026-07-09, 09:00 (Europe/Berlin)
            - Where: Room 4
            - Organiser: Keller, Vera <vera@x.example>
            - Attendees: Ann Lee <ann@x.example> (accepted), bo@x.example
            - Status: confirmed

            Bring the budget.

            Lunch follows.
        [lines 31–35] Pay the rent
            - Due: Monday 2026-06-01
            - Percent complete: 40
        [lines 36–40] Closed
            - When: Saturday 2026-08-01 to Friday 2026-08-14 (all day)
    "#]],
    );
    // One entry is what the file is about; what was cut off is read as far as it goes.
    let cut = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Fair\nDTSTART:20260301T080000Z\nDURATION:PT1H30M\n";
    check(
        cut,
        &expect![[r#"
        title: Fair
        [lines 2–5] Fair
            - When: Sunday 2026-03-01, 08:00 (UTC), for 1 hour 30 minutes
    "#]],
    );
}

#[test]
fn lb_01_moments_are_told_in_words() {
    let day = "VALUE=DATE:20260514";
    for (start, end, expected) in [
        (":20260514T090000Z", ":20260514T103000Z", "Thursday 2026-05-14, 09:00–10:30 (UTC)"),
        (":20260514T220000", ":20260515T020000", "Thursday 2026-05-14, 22:00 to Friday 2026-05-15, 02:00"),
        (
            ";TZID=\"A, B\":20260514T0900",
            ":20260514T100000",
            "Thursday 2026-05-14, 09:00 (A, B) to Thursday 2026-05-14, 10:00",
        ),
        (&format!(";{day}"), ";VALUE=DATE:20260515", "Thursday 2026-05-14 (all day)"),
        (&format!(";{day}"), ";VALUE=DATE:20260517", "Thursday 2026-05-14 to Saturday 2026-05-16 (all day)"),
        (":2026-05-14T09:00:00Z", ":20260514T090000Z", "Thursday 2026-05-14, 09:00–09:00 (UTC)"),
        (":20261340", ":20260514", ""),
        (":20260514T990000", ":20260515T010000", ""),
        (":20260514T240000", ":20260515T010000", "Friday 2026-05-15, 00:00–01:00"),
        (":20260514T240100", ":20260515T010000", ""),
        (":99991231T240000", ":99991231T240000", ""),
    ] {
        let lines = Unfolded::of(format!("DTSTART{start}\nDTEND{end}\n").as_bytes()).unwrap();
        let moments: Vec<_> = lines.lines().map(|line| Moment::of(&line)).collect();
        let [start, end] = moments.as_slice() else { panic!("{moments:?}") };
        let said = start.as_ref().zip(end.as_ref()).map(|(start, end)| start.through(end)).unwrap_or_default();
        assert_eq!(said, expected);
    }
    for (written, expected) in [
        ("PT1H30M", "1 hour 30 minutes"),
        ("P1W", "1 week"),
        ("P1DT0H", "1 day"),
        ("P2D", "2 days"),
        ("PT0S", "PT0S"),
        ("soon", "soon"),
        ("PT5", "PT5"),
    ] {
        assert_eq!(duration(written), expected);
    }
}

#[test]
fn lb_01_rules_that_are_simple_are_told_in_words() {
    for (rule, expected) in [
        ("FREQ=DAILY", "every day"),
        ("FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2;COUNT=10;WKST=MO", "every 2 weeks on Monday and Wednesday, 10 times"),
        (
            "FREQ=WEEKLY;BYDAY=MO,TU,FR;UNTIL=20261231",
            "every week on Monday, Tuesday and Friday, until Thursday 2026-12-31",
        ),
        ("FREQ=DAILY;UNTIL=20261231T225959Z", "every day, until Thursday 2026-12-31, 22:59 (UTC)"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on day 1 and 15"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on its last day"),
        ("FREQ=MONTHLY;BYDAY=2TU", "every month on the second Tuesday"),
        ("FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1", "every month on the last Friday"),
        ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1", "every year on 1 May"),
        ("FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "every year on the last Sunday of March"),
        ("FREQ=YEARLY;COUNT=1", "every year, once"),
        // As they are written.
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        (
            "FREQ=MONTHLY;BYDAY=1MO,1TU,1WE,1TH,1FR,3MO,3TU,3WE,3TH",
            "FREQ=MONTHLY;BYDAY=1MO,1TU,1WE,1TH,1FR,3MO,3TU,3WE,3TH",
        ),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU,MO,TU", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU,MO,TU"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8,9", "FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8,9"),
        ("FREQ=HOURLY", "FREQ=HOURLY"),
        ("FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=0"),
        ("FREQ=WEEKLY;BYDAY=é", "FREQ=WEEKLY;BYDAY=é"),
        ("FREQ=MONTHLY;BYDAY=1é", "FREQ=MONTHLY;BYDAY=1é"),
        ("COUNT=3", "COUNT=3"),
        ("often", "often"),
    ] {
        assert_eq!(in_words(rule), expected);
    }
}

/// LB-01: days that no rule gives are told.
#[test]
fn lb_01_additional_days_of_an_appointment_are_told() {
    for (lines, expected) in [
        (
            "RDATE:20260511T190000,20260518T190000\nRDATE;VALUE=DATE:20260601",
            "Monday 2026-05-11, 19:00, Monday 2026-05-18, 19:00, Monday 2026-06-01",
        ),
        (
            "RDATE;VALUE=PERIOD:20260511T190000Z/PT2H,20260512T190000Z/20260512T200000Z",
            "Monday 2026-05-11, 19:00 (UTC), Tuesday 2026-05-12, 19:00 (UTC)",
        ),
    ] {
        let calendar = format!("BEGIN:VEVENT\nSUMMARY:Choir\n{lines}\nEND:VEVENT\n");
        let document = extract(Format::Calendar, calendar.into_bytes()).unwrap();
        assert_eq!(document.text, format!("# Choir\n\n- Also: {expected}"));
    }
}

#[test]
fn hostile_calendars_are_read_in_bounds() {
    for part in [
        "BEGIN:VEVENT\n",
        "BEGIN:X\n",
        "END:VEVENT\n",
        "SUMMARY:x\n",
        "EXDATE:20260514\n",
        "ATTENDEE:x\n",
        " folded\n",
        "RRULE:x\n",
        "COMMENT:x\n",
    ] {
        let document =
            extract(Format::Calendar, format!("BEGIN:VEVENT\n{}", part.repeat(12_000)).into_bytes()).unwrap();
        assert!(document.text.len() < 9_000_000, "{part}");
        // What is counted is told where there is more of it.
        let is_cut = ["EXDATE", "ATTENDEE", "RRULE", "COMMENT"].iter().any(|counted| part.starts_with(counted));
        assert_eq!(document.left_out.contains(&LeftOut::EntryLines), is_cut, "{part}");
    }
    let long = format!("BEGIN:VEVENT\nEXDATE:{}\nDESCRIPTION:{}", "20260514,".repeat(100_000), "x".repeat(12 << 20));
    assert!(extract(Format::Calendar, long.into_bytes()).unwrap().text.len() <= 8 << 20);
}
