//! Questions that folders nearly answer, and answers that are hard to quote.

use crate::folder::Folder;

/// EM-01: what has the price of other things, the year of another row or another place is doubted; what is asked of the thing itself is not.
#[test]
fn em_01_near_misses_are_doubted() {
    let folder = Folder::new(&[
        ("places.md", "# Environments\n\nThe test environment is built anew every Monday.\n"),
        ("beds.md", "# Rental agreement Medibed\n\nBariatric bed £44.50 per day. Bariatric chair £12.25 per day.\n"),
        ("logs.md", "# Vendors\n\nGrafolio keeps logs for 45 days and metrics for 13 months.\n"),
        ("hall.md", "# Hall\n\nThe Great Room costs £38 per evening.\n"),
        ("lohn.md", "# Vergütung\n\nDie Vergütung im ersten Lehrjahr beträgt 850 €, im zweiten Lehrjahr 950 €.\n"),
        (
            "keys.md",
            "# Certificates\n\nThe client certificate for the acquirer (Nordbank) expires on 19 September 2025.\n",
        ),
    ]);
    for (question, why) in [
        ("How much does a tractor cost at Medibed per day?", "`tractor`"),
        ("What is the daily price of a tractor from Medibed?", "`tractor`"),
        ("How long does Grafolio keep invoices?", "`invoices`"),
        ("How much does the Great Room cost per weekend?", "`weekend`"),
        ("Wie hoch ist die Vergütung im vierten Lehrjahr?", "`vierten`"),
        ("When does the certificate of Nordbank in the test environment expire?", "`test`"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted && answer.report.contains(why), "{question}: {}", answer.report);
    }
    for (question, has) in [
        ("How much does a bariatric chair cost at Medibed per day?", "12.25"),
        ("What is the daily price of a bariatric bed from Medibed?", "44.50"),
        ("How long does Grafolio keep logs?", "45 days"),
        ("How much does the Great Room cost per evening?", "£38"),
        ("Wie hoch ist die Vergütung im zweiten Lehrjahr?", "950"),
        ("When does the certificate of Nordbank expire?", "19 September 2025"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// EM-01: who asks for what is not so gets what denies it, and what tells of another one, or something else instead, is doubted.
#[test]
fn em_01_what_is_denied_and_what_is_told_instead_are_known() {
    let folder = Folder::new(&[
        (
            "club.md",
            "# Club\n\nEverybody who lives in the valley can join. Members join for a year.\n\nCompanies cannot join.\n",
        ),
        ("park.md", "# Park\n\nDogs may enter the park with their owners.\n"),
        ("racks.md", "# Racks\n\nServer 1 has the address 10.0.0.1.\n\nServers 6 to 9 stand in rack 4.\n"),
        ("clinic.md", "# Clinic\n\nDr. Wu treats allergies on Mondays.\n"),
        ("bridge.md", "# Bridge\n\nThe bridge is 140 m long.\n"),
        ("office.md", "# Office\n\nTom left the office at 6:00.\n"),
    ]);
    for (question, why) in [
        ("Who may not enter the park?", "`not`"),
        ("What is the address of server 5?", "`5`"),
        ("When does Dr. Lee treat allergies?", "`Lee`"),
        ("How wide is the bridge?", "`wide`"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted && answer.report.contains(why), "{question}: {}", answer.report);
    }
    for (question, has) in [
        ("Who cannot join?", "Companies"),
        ("Who can join?", "Everybody"),
        ("What is the address of server 1?", "10.0.0."),
        ("In which rack is server 7?", "Servers** 6 to 9"),
        ("When does Dr. Wu treat allergies?", "Mondays"),
        ("How long is the bridge?", "140 m"),
        ("When did Tom leave the office?", "6:00"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// EM-01: what is longer than a quote is quoted where it answers, and a name and its number may stand on two lines.
#[test]
fn em_01_what_answers_is_quoted_of_long_lines_and_over_the_ends_of_lines() {
    let record = |name: &str, bay: usize| {
        format!("{{\"name\": \"{name} valve\", \"place\": \"bay {bay}\", \"draws\": \"{bay}1 kW\"}}")
    };
    let records: Vec<String> = (100..140).map(|bay| record("ibex", bay)).collect();
    let folder = Folder::new(&[
        ("valves.json", &format!("[{}]", records.join(", "))),
        ("heron.md", "# Pumps\n\nToday the heron pump in bay\n17 draws 41 kW.\n"),
    ]);
    for (question, has) in [
        ("How many kW does the ibex valve in bay 133 draw?", "1331 kW"),
        ("How many kW does the heron pump in bay 17 draw?", "41 **kW**"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// EM-01: of a few words that are no sentence the thing must be said, too, and a verb with a small word is another verb.
#[test]
fn em_01_keywords_and_verbs_with_small_words_are_missed() {
    let folder = Folder::new(&[
        ("hire.md", "# Hire of equipment from Nordlab\n\nCentrifuge €31.00 per day. Incubator €18.50 per day.\n"),
        ("rooms.md", "# Rooms\n\nReading stands for Dr Amari are stored in room B9. The lift runs until midnight.\n"),
        ("miete.md", "# Verleih Grünwerk: Preise\n\nHäcksler 45 € am Tag. Fräse 60 € am Tag.\n"),
    ]);
    for (question, why) in [
        ("microscope price Nordlab per day", "`microscope`"),
        ("price of a microscope, Nordlab", "`microscope`"),
        ("Preis Bagger Grünwerk", "`bagger`"),
        ("Who stands in for Dr Amari?", "`stands`"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted && answer.report.to_lowercase().contains(why), "{question}: {}", answer.report);
    }
    for (question, has) in [
        ("centrifuge price Nordlab per day", "31.00"),
        ("Preis Häcksler Grünwerk", "45 €"),
        ("Until when does the lift run?", "midnight"),
        ("Where are the reading stands stored?", "B9"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// EM-01: why something failed is told by the entry of the same program that has the error, or by the sentence before it; where no entry tells it, the
/// report says so.
#[test]
fn em_01_reasons_are_quoted_with_what_failed() {
    let log = "May  3 02:00:01 lims nightly[77]: start\nMay  3 02:00:08 lims mailer[12]: error: queue locked\n\
               May  3 02:00:09 lims nightly[77]: export failed\n\
               May  3 02:00:09 lims nightly[77]: error: password of user lims_ro expired\n\
               May  5 02:00:07 lims porter[81]: delivery stopped\n";
    let service = "2026-03-01T08:00:12 INFO heartbeat 12\n2026-03-01T08:00:34 WARN connection pool exhausted, 0 of 20 free\n\
                   2026-03-01T08:00:35 ERROR nightly invoice run failed\n";
    let lonely = "2026-04-01T08:00:12 INFO restore begun\n2026-04-01T08:00:35 ERROR restore failed\n";
    let notes = "# Réunion\n\nLe jury était malade. Le concours a été annulé. La salle reste réservée.\n";
    let folder =
        Folder::new(&[("nightly.log", log), ("service.log", service), ("restore.log", lonely), ("reunion.md", notes)]);
    for (question, has) in [
        ("Why did the export fail?", "password of user"),
        ("Why did the nightly invoice run fail?", "connection pool exhausted"),
        ("Pourquoi le concours a-t-il été annulé ?", "jury était malade"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
        assert!(!answer.top.contains("queue locked"), "{question}: {}", answer.report);
    }
    for question in ["Why did the delivery stop?", "Why did the restore fail?"] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted && answer.report.contains("does not say why"), "{}", answer.report);
    }
}
