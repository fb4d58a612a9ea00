use super::*;

#[test]
fn lb_02_designations_are_known() {
    for (question, known) in [
        ("Who is on duty on 2026-11-09?", &["2026-11-09"][..]),
        ("Who, K7-12, was absent on 20 October 2026 at 10.1.5.1?", &["K7-12", "20 October 2026", "10.1.5.1"]),
        ("Which host has 10.1.5.1, and which (10.0.1.12)?", &["10.1.5.1", "10.0.1.12"]),
        ("amount of inv-2003 and the K7-12's fuse", &["inv-2003", "K7-12"]),
        ("What changed in 1.2.3?", &["1.2.3"]),
        ("What is on from 3 to 5 November, 1.2.3?", &["3 to 5 November", "1.2.3"]),
        ("a 12-month contract, 24-hour clock, and/or 7 days, 6,000 metres", &[]),
        ("e-mail, well-known, K7, 2026, and/or, e.g. this. That", &[]),
        (
            "default of $max_connections, core.autocrlf and --keep-index?",
            &["max_connections", "core.autocrlf", "keep-index"],
        ),
        (
            "What do Error::into_transport and Reader::Max-Size do, and a Max-Size or Vec::push?",
            &["into_transport", "Max-Size"],
        ),
        ("What is utf8_general_ci?", &["utf8_general_ci"]),
        ("Rate of LSM-C, beds in ward-b, X-ray, puis-j'aller, va-t-il, T-A", &["LSM-C", "ward-b"]),
        ("default of $history, for $5 or $x", &["history"]),
    ] {
        let all = Designation::all(question);
        assert_eq!(all.iter().map(|one| one.written.as_str()).collect::<Vec<_>>(), known, "{question}");
    }
}

#[test]
fn lb_02_a_designation_is_found_as_a_whole() {
    for (asked, text, found) in [
        ("10.1.5.1", "a 10.1.5.13, b 10.1.5.1.", &["10.1.5.1"][..]),
        ("10.1.5.1", "10.1.5.1/24 and 10.1.5.1:80", &["10.1.5.1", "10.1.5.1"]),
        ("10.1.5.1", "110.1.5.1 5.10.1.5.1 10.1.5.1.7 10.5.1.1", &[]),
        ("K7-12", "k7-12, K7 12, K7-12-A, K7-16 (12.6)", &["k7-12"]),
        ("INV-2003", "inv 2003, INV2003, INV-20031, 2003 INV", &["inv 2003", "INV2003"]),
        ("1.2.3", "3.1.2.3 and v1.2.3 and 1.2.3-beta ü1.2.3", &["1.2.3", "1.2.3"]),
        ("Übung-3", "Die ÜBUNG-3 folgt der Übung-2.", &["ÜBUNG-3"]),
        ("Вихрь-7", "Вихрь-7 и Вихрь-8", &["Вихрь-7"]),
        ("1.2.3", "", &[]),
        ("max_connections", "Max connections, maxConnections: MAX_CONNECTIONS", &["maxConnections", "MAX_CONNECTIONS"]),
        (
            "max_connections",
            "superuser_max_connections max_connections_per_user `max_connections`",
            &["max_connections"],
        ),
        ("2026-11-09", "2026-09-11 | 2026/11/09 | 2026 11 09 | 9. November 2026", &["2026/11/09", "9. November 2026"]),
        ("9 November", "9 November 2025, 19 November", &["9 November 2025"]),
        ("8–10 November", "9 November, 11 November, 8.–9.11.2026", &["9 November", "8.–9.11.2026"]),
        ("9 November", "from 8 to 10 November", &["8 to 10 November"]),
        ("$history", "history_file, save_history, $history and History", &["history", "History"]),
        ("core.autocrlf", "core.autocrlfs, core.autocrlf.", &["core.autocrlf"]),
        ("max_connection", "max_connections max_connectors", &["max_connections"]),
        ("max_connections", "MAX_CONNECTION", &["MAX_CONNECTION"]),
        ("max_connection", "max_connection, max_connections", &["max_connection"]),
        ("$history", "historys", &[]),
        ("max_process", "max_processes", &["max_processes"]),
        ("retry_policies", "retry_policy", &["retry_policy"]),
        ("MAX_UPLOADS_MB", "max_upload_mb", &["max_upload_mb"]),
        ("3.11", "3.11.0, 3.11.1 and 3.11.01", &["3.11"]),
        ("INV-2", "inv2", &["inv2"]),
        ("LSM-A", "LSM-B, LSM A, LSM a, LSMA, lsm-a, LSM-A2, LSM-A.", &["LSM A", "lsm-a", "LSM-A"]),
    ] {
        let one = Designation::all(asked).pop().unwrap();
        let places: Vec<&str> = one.places(text).into_iter().filter_map(|place| text.get(place)).collect();
        assert_eq!(places, found, "{asked} in {text}");
    }
}

/// LB-02: as it is written it counts most, and in the other number least.
#[test]
fn lb_02_an_identifier_counts_most_as_it_is_written() {
    let asked = Designation::parse("allowed_host").unwrap();
    let degrees = ["allowed_host", "allowedHost", "allowed_hosts", "host"].map(|text| asked.degree_in(text, &[]));
    assert_eq!(degrees, [Designation::WHOLE, 3, 2, 0]);
    for (line, is_defined) in
        [("def allowed_host(name)", true), ("fn of(allowed_host: bool)", false), ("def allowed_hosts()", false)]
    {
        assert_eq!(asked.is_defined_by(line), is_defined, "{line}");
    }
}

/// LB-02: ids that programs make, and times within the stamps of logs, are found as a whole.
#[test]
fn lb_02_entries_of_logs_are_found_by_time_and_id() {
    for (question, text, is_there) in [
        ("request 7be2c0aa", "2026-03-14T10:00:19Z req=7be2c0aa refused", true),
        ("request 7be2c0aa", "req=7be2c0ab refused", false),
        ("at 18:53:28", "2026-03-14T18:53:28Z FATAL", true),
        ("at 18:53", "2026-03-14T18:53:28Z FATAL", true),
        ("at 18:53", "2026-03-14T17:18:53Z FATAL", false),
        ("at 18:53", "[14/Mar/2026:18:53:28 +0000]", true),
        ("at 18:53", "[14/Mar/2026:17:18:53 +0000]", false),
        ("at 18:53:28", "2026-03-14T18:53:29Z FATAL", false),
        ("at 18:53:28.178Z", "2026-03-14T18:53:28.178Z FATAL", true),
        ("at 3:17 am", "pressure 3.17 bar", false),
        ("at 3:17 pm", "15:17:02 pump stopped", true),
        ("host 2001:db8::1234:5678", "fe80::1234:5678 is up", false),
        ("host 2001:db8::77", "2001:DB8::77 is up", true),
        ("What does clause 2.1 say?", "2.1 The rent is due.", true),
        ("What does clause 2.1 say?", "a pressure of 2.1 bar", false),
    ] {
        let asked = Designation::all(question);
        assert_eq!(asked.len(), 1, "{question}");
        assert_eq!(asked[0].is_in(text), is_there, "{question} in {text}");
    }
    for word in
        ["sha256sum", "utf8", "IPv6", "H264", "base64url", "Windows11", "10th", "C6H12O6", "C2H5OH", "1920x1080p"]
    {
        assert!(Designation::all(word).is_empty(), "{word}");
    }
}

/// LB-02: a stamp that is copied from a log is its day and its time.
#[test]
fn lb_02_a_stamp_is_a_day_and_a_time() {
    let asked = Designation::all("What happened at 2026-08-03T08:44:39.178Z?");
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked.iter().all(|one| one.is_in("2026-08-03T08:44:39.178Z WARN full")));
    let path = Designation::all("What does Error::into_transport do?");
    assert_eq!(path.iter().map(|one| one.written.as_str()).collect::<Vec<_>>(), ["into_transport"]);
}

/// LB-02: what source code sets is told from what it uses.
#[test]
fn lb_02_what_code_sets_is_known() {
    for (asked, line, is_set) in [
        ("MAX_ROWS", "MAX_ROWS = 8", true),
        ("MAX_ROWS", "fn f() {}\n\npub(crate) const MAX_ROWS: usize = 8; // two lines of four", true),
        ("MAX_ROWS", "#define MAX_ROWS 8", true),
        ("MAX_ROWS", "    static const unsigned int MAX_ROWS = 8;", true),
        ("max_rows", "export const max_rows = 8", true),
        ("MAX_ROWS", "    if rows == MAX_ROWS {", false),
        ("MAX_ROWS", "    MAX_ROWS = value", false),
        ("MAX_ROWS", "static MAX_ROWS: (u8, u8) = (1, 2);", true),
        ("MAX_ROWS", "rows = MAX_ROWS", false),
        ("MAX_ROWS", "    while (MAX_ROWS >= rows) x = 3;", false),
        ("MAX_ROWS", "use crate::limits::MAX_ROWS;", false),
        ("MAX_ROWS", "#define MAX_ROWS_OF_TABLE 8", false),
        ("max_rows", "    max_rows = 8", false),
    ] {
        assert_eq!(Designation::parse(asked).unwrap().is_set_in(line), is_set, "{asked} in {line}");
    }
}

/// LB-02: a day without its year is of the year of its document.
#[test]
fn lb_02_a_day_is_of_the_year_above_it() {
    let asked = Designation::all("on 3 November 2025").pop().unwrap();
    for (text, above, stands) in [
        ("3 November: lunch", &[][..], true),
        ("3 November: lunch", &["Minutes 2025"], true),
        ("3 November: lunch", &["Minutes 2026"], false),
        ("3 November: lunch", &["2024-2025.md"], true),
        ("3–5 November 2026. Train out: 3 November", &[], false),
        ("3 November 2025", &["Minutes 2026"], true),
        ("3 November 2026", &[], false),
    ] {
        assert_eq!(asked.stands_in(text, above), stands, "{text} below {above:?}");
    }
    let any = Designation::all("on 3 November").pop().unwrap();
    assert!(any.stands_in("3 November: lunch", &["Minutes 2026"]), "no year is asked for");
}

/// LB-02: an identifier names what stands behind it in its line.
#[test]
fn lb_02_an_identifier_names_its_line() {
    let one = Designation::parse("max_connections").unwrap();
    for (text, names) in [
        ("max_connections = 7", true),
        ("3.12. max_connections", true),
        ("The others.\n\n- **max_connections** (default: 7)", true),
        ("less than max_connections", false),
        ("max_connections, Connection Settings", false),
        ("reserved_connections\nless than max_connections", false),
    ] {
        assert_eq!(one.names_line_of(text), names, "{text}");
    }
    assert!(Designation::parse("3.0.1").unwrap().names_line_of("[3.0.1] - 2023-01-09"), "a release");
    let incident = Designation::parse("INC-2026-017").unwrap();
    assert!(incident.names_line_of("INC-2026-017 Out of memory") && !incident.names_line_of("64MB, see INC-2026-017"));
    assert!(!Designation::parse("10.1.5.1").unwrap().names_line_of("10.1.5.1 is up"), "no identifier");
}
