//! What has a name of its own (a day, an identifier) is answered by what bears it.

use crate::cli::Home;

/// LB-02: a day is found however it is written, and what it names comes before what speaks of it; so does an identifier.
#[test]
fn lb_02_days_and_identifiers_name_what_is_theirs() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        (
            "2026-10-06.md",
            "# Minutes, 6 October 2026\n\nPresent: Ada. Absent: Dana Weiss.\n\n1. Release moved from 20 October.\n",
        ),
        ("2026-10-20.md", "# Minutes, 20 October 2026\n\nPresent: Ada. Absent: Bo Lindqvist.\n\n1. Budget.\n"),
        ("2026-11-03-standup.md", "# Standup\n\nAnna fixed the login bug.\n"),
        (
            "server.md",
            "# Settings\n\n`reserved_slots`\n\nSlots of the administrator. The default is 3. It must be less than `max_slots`.\n\n\
             `max_slots`\n\nSlots of all. The default is 100.\n\n`slot_time`\n\nThe default is 75.\n",
        ),
        ("setup.md", "# Setup\n\nWrite this:\n\n```\nqueue_length = 7\n```\n\nThen start it.\n"),
        ("queue.py", "def queue(queue_length=5):\n    if queue_length > 100:\n        raise ValueError('too many')\n"),
        ("queue.md", "# Queues\n\nHow many letters may wait is said by queue_length. What comes later is sent back.\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (question, file, has, has_not) in [
        ("Who was absent on 20 October 2026?", "2026-10-20.md", "Lindqvist", "Weiss"),
        ("Who was absent on 2026-10-20?", "2026-10-20.md", "Lindqvist", "Weiss"),
        ("What happened on 3 November 2026?", "2026-11-03-standup.md", "login bug", "Weiss"),
        ("What happened on 3 November?", "2026-11-03-standup.md", "login bug", "Weiss"),
        ("Absent am 6.10.?", "2026-10-06.md", "Weiss", "Lindqvist"),
        ("Who was absent on 10/20/2026?", "2026-10-20.md", "Lindqvist", "Weiss"),
        ("Who was absent on 6.10.2026?", "2026-10-06.md", "Weiss", "Lindqvist"),
        ("What is the default of max_slots?", "server.md", "100", "75"),
        ("What is the default of MaxSlots?", "server.md", "100", "75"),
        ("What is the default of max_slot?", "server.md", "100", "75"),
        ("What does queue_length do?", "queue.md", "letters", "```"),
    ] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let text = done.json()["result"].as_str().unwrap().to_owned();
        let top: String =
            text.lines().skip_while(|line| !line.starts_with('>')).take_while(|line| !line.is_empty()).collect();
        assert!(text.contains(&format!("**[1]** `{file}`")), "{question}: {text}");
        assert!(
            top.contains(has) && !top.contains(has_not) && !text.contains("Not found as asked"),
            "{question}: {text}"
        );
    }
    let done = home.run(&[
        "deep-research",
        "--json",
        "--library",
        folder.to_str().unwrap(),
        "What is the default of min_slots?",
    ]);
    assert!(done.json()["result"].as_str().unwrap().contains("does not have `min_slots`"), "{}", done.stdout);
}
