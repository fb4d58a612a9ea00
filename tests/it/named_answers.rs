//! What is asked for by a number, a name, a term or a time is answered by what has it, and not by what speaks of it.

use crate::folder::Folder;

/// EM-01: a part comes before what refers to it, a release before what speaks of it, the entry of a term before those that name it, and what a constant is
/// set to before what changes it.
#[test]
fn em_01_what_is_asked_for_comes_before_what_speaks_of_it() {
    let lease = "# Lease\n\n## 1. Words\n\n1.1 \"Rent\" means the sum in clause 2.1.\n\n1.2 The pressure is 2.10 bar.\n\n## 2. Money\n\n\
                 2.1 The tenant pays 640 pounds a month.\n\n2.10 Copies are destroyed.\n";
    let statute = "# Satzung\n\n## § 2 Mitglieder\n\n(3) Der Austritt ist frei.\n\n## § 3 Beiträge\n\nDer Beitrag beträgt 12 Euro.\n";
    let changes = "# Changes\n\n## 3.1.0 (2023-05-02)\n\n- Everybody on 3.0.1 must migrate once.\n\n## 3.0.1 (2023-01-09)\n\n- The exporter writes CSV.\n";
    let upgrade =
        "# Upgrading\n\nWhat changed in 3.0.1 is in the list of changes. Stop the daemon before you leave 3.0.1.\n";
    let glossary =
        "Glossary\n\nKegamimi\n    A knot for ropes, unlike the dulohuba.\n\nDulohuba\n    A loop for sails.\n";
    let constant = "\"\"\"Limits.\"\"\"\n\nMAX_UPLOAD_MB = 48\n";
    let changing = "def set_max_upload(value):\n    # MAX_UPLOAD_MB is set to the value of the tenant\n    global MAX_UPLOAD_MB\n    MAX_UPLOAD_MB = value\n";
    let folder = Folder::new(&[
        ("lease.md", lease),
        ("satzung.md", statute),
        ("CHANGELOG.md", changes),
        ("UPGRADING.md", upgrade),
        ("glossary.txt", glossary),
        ("limits.py", constant),
        ("upload.py", changing),
    ]);
    for (question, words) in [
        ("What does clause 2.1 say?", "640 pounds"),
        ("What does clause 2.10 say?", "Copies are destroyed"),
        ("Was steht in § 3?", "12 Euro"),
        ("What changed in 3.0.1?", "exporter writes CSV"),
        ("What is a dulohuba?", "loop for sails"),
        ("What is MAX_UPLOAD_MB set to?", "MAX_UPLOAD_MB = 48"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.top.contains(words) && !answer.is_doubted, "{question}\n{}", answer.report);
    }
    for question in ["What does clause 2.12 say?", "Was steht in § 5?"] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted || answer.report.contains("Nothing relevant"), "{question}\n{}", answer.report);
    }
}

/// EM-01: a stamp and an id that are copied from a log find their entry, and what else is asked of it is not missed.
#[test]
fn em_01_stamps_and_ids_find_their_entries() {
    let entries: String =
        (0..9).map(|at| format!("2026-08-03T08:4{at}:39.178Z INFO [f598ed978d5{at}] pump {at} started\n")).collect();
    let syslog = "Feb 28 23:59:58 mill drum[7]: turns\nMar  5 04:11:09 mill drum[7]: overheats\nMar  5 04:12:00 mill drum[7]: stops\n";
    let folder = Folder::new(&[("pumps.log", &entries), ("syslog", syslog)]);
    for (question, words, others) in [
        ("What happened at 2026-08-03T08:44:39.178Z?", "pump 4", "pump 5"),
        ("What is logged for request f598ed978d56?", "pump 6", "pump 5"),
        ("When did the drum overheat?", "04:11:09", "04:12:00"),
    ] {
        let answer = folder.ask(question);
        let fits = answer.top.contains(words) && !answer.top.contains(others) && !answer.is_doubted;
        assert!(fits, "{question}\n{}", answer.report);
    }
}

/// EM-01: what a title says is said of all of its document, and what has all that was asked for comes before what has not.
#[test]
fn em_01_what_stands_first_below_a_title_is_not_nearer_for_it() {
    let manual = |version: &str, words: &str, price: &str| {
        format!(
            "# SOP 04: Training (version {version})\n\n{words}\n\n## Cancellations\n\nA booking may be cancelled free of charge.\n\n\
             ## Trainer\n\nThe trainer costs {price} pounds.\n"
        )
    };
    let prices = "# Prices\n\nValid from 1 February 2026. All prices net.\n\n| Machine | Day | Weekend | Week | Deposit |\n|---|---|---|---|---|\n\
                  | Digger small (KB-11) | 111 EUR | 211 EUR | 511 EUR | 611 EUR |\n\
                  | Digger medium (KB-12) | 112 EUR | 212 EUR | 512 EUR | 612 EUR |\n";
    let folder = Folder::new(&[
        ("sop-v3.md", &manual("3", "Approved on 7 February 2023.", "25")),
        ("sop-v4.md", &manual("4", "Approved on 20 October 2025. Replaces version 3.", "30")),
        ("prices.md", prices),
        ("service.csv", "No;Machine;Hours\nKB-11;Kubota;1811\nKB-12;Kubota;1812\n"),
    ]);
    for (question, words) in [
        ("How much does the trainer cost according to version 4 of SOP 04?", "30 pounds"),
        ("trainer cost version 3", "25 pounds"),
        ("deposit KB-12", "612 EUR"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
}

/// LB-02: in German, a word that only shares its stem with another one does not answer for it, and words that only ask are not looked up.
#[test]
fn lb_02_german_words_of_one_stem_are_told_apart() {
    let lease = "MIETVERTRAG\n\n§ 2 Miete\nDie Miete beträgt 1.485,00 € im Monat.\n\n§ 4 Kündigung\n\
                 Der Mieter darf kündigen, wenn die Halle unbenutzbar ist.\n";
    let codes = "<html lang=\"de\"><body><h1>Wartung</h1><h2>Störungen</h2><table><tr><th>Code</th><th>Ursache</th></tr>\
                 <tr><td>F204</td><td>Luftdruck zu niedrig</td></tr><tr><td>F311</td><td>Werkzeug nicht gespannt</td></tr></table></body></html>";
    let saws = "Nr;Maschine;Nächste Prüfung\nM1;Säge;12.09.2025\nM6;Bandsäge;22.05.2026\n";
    let transfer = "# Vertrag\n\nNach bestandener Prüfung geht das Werkzeug in ihr Eigentum über.\n";
    for (name, text, question, words) in [
        ("lease.txt", lease, "Wie hoch ist die Miete der Halle?", Some("1.485,00 €")),
        ("codes.html", codes, "Was bedeutet Störung F311?", Some("Werkzeug nicht gespannt")),
        ("codes.html", codes, "Was bedeutet der Code F311?", Some("Werkzeug nicht gespannt")),
        ("saws.csv", saws, "nächste Prüfung Bandsäge", Some("22.05.2026")),
        ("contract.md", transfer, "Wann ist die nächste Prüfung?", None),
    ] {
        let answer = Folder::new(&[(name, text)]).ask(question);
        let has_words = words.is_none_or(|words| answer.top.replace("**", "").contains(words));
        assert!(has_words && answer.is_doubted == words.is_none(), "{question}\n{}", answer.report);
    }
}

/// EM-01: a comment right above a key is said of that key, and what the head of a file says of all of them.
#[test]
fn em_01_comments_of_settings_answer_with_their_keys() {
    let keys = |of: &str, [port, tries, days]: [u32; 3]| {
        format!(
            "# Settings of the {of}\n\n# Where it listens\nport: {port}\n\n# How many times a payment is tried\nretries: {tries}\n\
             # Days until a reminder is sent\nreminder: {days}\n\nworkers:\n  size: 12\n  names: [mill, kiln]\nlog:\n  level: info\n"
        )
    };
    let guide = "= Kiln\n:firmware: 2.4\n\nThe kiln needs firmware {firmware} or later.\n\nIt burns wood.\n";
    let folder = Folder::new(&[
        ("a.yaml", &keys("payroll service", [8080, 5, 14])),
        ("b.yaml", &keys("canteen", [8090, 7, 21])),
        ("kiln.adoc", guide),
    ]);
    for (question, has, lacks) in [
        ("What port does the payroll service use?", "8080", "8090"),
        ("What port does the canteen use?", "8090", "8080"),
        ("How many times is a payment tried by the payroll service?", ": 5", "port"),
        ("How many days until a reminder is sent by the canteen?", ": 21", "7\n"),
        ("Which firmware does the kiln need?", "2.4 or later", "{"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.top.contains(has) && !answer.top.contains(lacks), "{question}: {}", answer.report);
    }
}
