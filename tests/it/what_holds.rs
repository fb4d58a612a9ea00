//! Of documents of several times that tell as much, the one that holds answers; and a word of the same family is no word that is missing.

use crate::folder::Folder;

/// EM-01: minutes, mails and slides say when they were written in their names, titles or headers; what calls itself a draft or superseded comes last.
#[test]
fn em_01_what_was_written_last_answers() {
    let january = "# Planning meeting 12 January 2026\n\n## Decisions\n\n- D4: The standup is daily at 9:30.\n- D3: The free plan gets 3 calendars.\n";
    let august = "# Planning meeting 10 August 2026\n\n## Decisions\n\n- D18: The standup is on Tuesdays at 9:45.\n- D14: The free plan gets 2 calendars.\n";
    let lease = "# Lease\n\n## Rent\n\nThe basic rent is 1,340 euros a month. The parking space costs 55 euros.\n";
    let letter = "From: Ewald <e@a.example>\nTo: Ann <a@a.example>\nDate: Mon, 15 Sep 2025 09:00:00 +0200\nSubject: Rent increase\n\n\
                  The basic rent will be 1,425 euros a month. The parking space will cost 60 euros.\n";
    let draft =
        "# Roadmap (DRAFT of 5 January, superseded)\n\n| Version | Content |\n|---|---|\n| 3.2 | SEPA payments |\n";
    let roadmap = "# Roadmap (updated 11 August 2026)\n\n| Version | Content |\n|---|---|\n| 3.3 | SEPA payments with direct debit |\n";
    let old = "# Remote work policy (January 2024)\n\nEmployees may work from home two days a week.\n";
    let new =
        "# Remote work policy (in force from 1 February 2026)\n\nEmployees may work from home four days a week.\n";
    let folder = Folder::new(&[
        ("meetings/2026-01-12-planning.md", january),
        ("meetings/2026-08-10-planning.md", august),
        ("lease-2021.md", lease),
        ("increase.eml", letter),
        ("archive/roadmap-draft.md", draft),
        ("roadmap.md", roadmap),
        ("remote-work-2024.md", old),
        ("remote-work-2026.md", new),
    ]);
    for (question, words) in [
        ("When is the standup?", "9:45"),
        ("How many calendars does the free plan get?", "2 calendars"),
        ("What is the basic rent now?", "1,425"),
        ("What does the parking space cost?", "60 euros"),
        ("Which version contains SEPA payments according to the current roadmap?", "3.3"),
        ("How many days a week may employees work from home?", "four days"),
        // Who says when means then.
        ("What was decided on the standup on 12 January 2026?", "9:30"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
}

/// EM-01: a document that says in its first lines that it holds no longer comes last, also with what stands below its other headings.
#[test]
fn em_01_what_a_document_says_of_itself_holds_for_all_of_it() {
    let policy = |status: &str, percent: u8| {
        format!(
            "# Stock policy\n\n{status}\n\n## Par levels\n\nAn order is triggered when the stock falls to {percent} % of par.\n"
        )
    };
    let record = |head: &str, size: &str| format!("# {head}\n\n## Consequences\n\nMaximum message size is {size}.\n");
    let new = policy("Version 5, valid from 1 February 2025.", 40);
    for (name, status) in [
        ("stock-policy-old.md", "Version 4, valid from 1 March 2022 to 31 January 2025. WITHDRAWN."),
        ("a-stock-policy.md", "Superseded by version 5."),
        ("stock-policy-v4.md", "This policy is withdrawn."),
        ("archive/stock-policy.md", "Version 4."),
    ] {
        let old = policy(status, 50);
        let rabbit = record("ADR 5: Use RabbitMQ\n\nStatus: superseded by ADR 12.", "128 MB");
        let nats = record("ADR 12: Use NATS\n\nStatus: accepted on 6 November 2024. Supersedes ADR 5.", "1 MB");
        let files = [("stock-policy.md", &new), (name, &old), ("adr/05.md", &rabbit), ("adr/12.md", &nats)];
        let folder = Folder::new(&files.map(|(name, text)| (name, text.as_str())));
        for (question, words) in [
            ("At what percentage of par is an order triggered?", "40 %"),
            ("What is the maximum message size?", "is 1 MB"),
            ("What was the maximum message size of ADR 5?", "128 MB"),
        ] {
            let answer = folder.ask(question);
            let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
            assert!(is_right, "{status} {question}\n{}", answer.report);
        }
    }
}

/// LB-02: who asks when something is delivered means its delivery, and an ordinary word that stands nowhere is no misspelling of another one.
#[test]
fn lb_02_words_of_one_family_are_one() {
    let trip = "# Trip\n\nDeparture of the bus: 9:15 from platform 4.\n\nPayment of the hotel is due on 3 December.\n\n\
                The decision on the rental car is still open.\n\nDelivery of the tickets: by post.\n\nTurn left in Oben, take bulk bread.\n";
    let folder = Folder::new(&[("trip.md", trip), ("bread.md", "# Bread\n\nThe first rise takes an hour.\n")]);
    for (question, words) in [
        ("When does the bus depart?", "9:15"),
        ("When do we have to pay the hotel?", "3 December"),
        ("What did we decide on the rental car?", "still open"),
        ("How are the tickets delivered?", "by post"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
    let answer = folder.ask("Which bulb does the oven need?");
    assert!(!answer.report.contains("was searched for"), "{}", answer.report);
}

/// EM-01: where it is asked what is, a table or a setting that holds comes before a timeline, an old value or a row that was withdrawn; what was is
/// found where it is asked for.
#[test]
fn em_01_what_is_comes_before_what_was() {
    let limits = "# Sailing handbook\n\n## Limits\n\n| Limit | Value |\n|---|---|\n| Wind limit of the dinghies | 17 knots |\n\n\
                  ## Timeline\n\n- 10:05 on 2 May 2022: wind limit of the dinghies raised from 20 to 24 knots\n\
                  - 14 January 2024: wind limit of the dinghies lowered from 24 to 17 knots\n";
    let lease = "# Pacht\n\n§ 3 Pachtzins\nDer Pachtzins war lange 60 €. Der Pachtzins beträgt 85 € im Jahr.\n\n\
                 § 6 Kündigung\nDie Kündigungsfrist beträgt sechs Monate. Wird der Weg gesperrt, so kann der Pächter mit einer\n\
                 Frist von zwei Wochen kündigen, auch am Kalvarienberg.\n";
    let prices = "item,price_gbp,status\nBoat wax,39.50,withdrawn\nBoat wax,46.00,current\n";
    let record = |status: &str, days: u8| {
        format!(
            "# Decision on tickets\n\n| Owner | Status |\n|---|---|\n| Ann | {status} |\n\nA ticket is valid for {days} days.\n"
        )
    };
    let folder = Folder::new(&[
        ("handbook.md", limits),
        ("pacht.txt", lease),
        ("prices.csv", prices),
        ("a-tickets.md", &record("Superseded by decision 12", 3)),
        ("b-tickets.md", &record("Accepted", 7)),
    ]);
    for (question, words) in [
        ("What is the wind limit of the dinghies?", "| 17 knots"),
        ("wind limit dinghies", "| 17 knots"),
        ("When was the wind limit of the dinghies raised?", "2022"),
        ("Wie hoch ist der Pachtzins?", "85 €"),
        ("Wie lang ist die Kündigungsfrist am Kalvarienberg?", "sechs Monate"),
        ("What is the price of boat wax?", "46.00"),
        ("How long is a ticket valid?", "7 days"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
}

/// EM-01: in a changelog or a log of decisions whose oldest entry stands first, the later entry that speaks of the same thing answers, also where it says
/// that the thing is no more.
#[test]
fn em_01_the_later_entry_of_a_log_answers() {
    let changes = "# Changelog\n\n## 1.9.0 - 2021-02-03\n\n- The default port is 8080.\n- Added support for MySQL databases.\n- Added a dark mode.\n\n\
                   ## 1.10.0 - 2022-06-11\n\n- The default log level is info.\n\n\
                   ## 2.0.0 - 2023-09-30\n\n- The default port is now 9090.\n- Removed support for MySQL.\n";
    let releases =
        "Releases\n========\n\n1.9\n---\n\nThe cache holds 500 tiles.\n\n1.10\n----\n\nThe cache holds 2000 tiles.\n";
    let decisions = "# Decisions\n\n- 2022-01-14: Invoices are paid within 30 days.\n- 2022-03-02: The key of the hall is kept by Ann Orme.\n\
                     - 2022-05-19: Dogs may be brought to the garden.\n- 2023-02-07: Tea is free.\n- 2023-11-20: Invoices are paid within 14 days.\n\
                     - 2024-09-09: Dogs may no longer be brought to the garden.\n";
    let deposit = "# Beschlüsse\n\n**14. Januar 2022**\n\nDie Kaution für ein Fahrrad beträgt 20 €.\n\n**2. März 2023**\n\nDie Kaution für ein Fahrrad beträgt 35 €.\n";
    let folder = Folder::new(&[
        ("kestrel/CHANGELOG.md", changes),
        ("tiles/releases.txt", releases),
        ("decisions.md", decisions),
        ("beschluesse.md", deposit),
    ]);
    for (question, words) in [
        ("What is the default port?", "9090"),
        ("Is MySQL supported?", "Removed support"),
        ("Is there a dark mode?", "dark mode"),
        ("How many tiles does the cache hold?", "2000"),
        ("Within how many days are invoices paid?", "14 days"),
        ("Who keeps the key of the hall?", "Ann Orme"),
        ("May dogs be brought to the garden?", "no longer"),
        ("Wie hoch ist die Kaution für ein Fahrrad?", "35 €"),
        // Who asks when it came, or names a time, means the entry of then.
        ("When was support for MySQL added?", "Added support"),
        ("Wie hoch war die Kaution für ein Fahrrad am 14. Januar 2022?", "20 €"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
}

/// EM-01: the later release answers in plain text, too, and the last of lines that begin with their days and tell the same thing; a calendar is no such list.
#[test]
fn em_01_the_later_line_of_plain_text_answers() {
    let changes = "Changes of Heron\n\nVersion 1.1 (March 2021)\n* The default timeout is 10 seconds.\n* Maps may be printed.\n\n\
                   Version 1.2 (May 2022)\n* The default timeout is now 30 seconds.\n\nVersion 1.3 (June 2022)\n* Fewer colours.\n";
    let key = "The shed\n\n3 March 2024: The key of the shed is with Ann Orme.\n\n12 April 2024: Two rakes were bought.\n\n\
               9 May 2024: The key of the shed is with Tom Beck.\n";
    let levels =
        "2024-03-01 level of the well 3.2 m\n2024-03-02 level of the well 2.9 m\n2024-03-03 level of the well 2.7 m\n";
    let folder = Folder::new(&[("heron/CHANGES.txt", changes), ("shed.txt", key), ("well.txt", levels)]);
    for (question, words) in [
        ("What is the default timeout?", "30 seconds"),
        ("May maps be printed?", "Maps may be printed"),
        ("Who keeps the key of the shed?", "Tom Beck"),
        ("What is the level of the well?", "2.7 m"),
        ("What was the level of the well on 2 March 2024?", "2.9 m"),
        // The day stands in the heading alone.
        ("When was version 1.3 of Heron released?", "Version 1.3 (June 2022)"),
        ("Since which version may maps be printed?", "Version 1.1 (March 2021)"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
}

/// LB-02: a year, a month and a day of the week that a question names lie in a stretch of them; one that does not is doubted.
#[test]
fn lb_02_a_time_lies_in_a_stretch_of_time() {
    let fees = "# Entrance fees of the museum\n\n- until 2018: adults 6 €\n- 2019–2022: adults 8 €\n- since 2023: adults 10 €\n";
    let directors =
        "# Directors\n\nAda Lund was director from 2004 to 2011. Piet Vos was director from 2012 to 2020.\n";
    let hours = "# Lido\n\nThe lido is open from 9 to 20 o'clock from May to September, and from 10 to 16 o'clock from November to April.\n\n\
                 The till is staffed Mon–Fri.\n";
    let zeiten = "# Freibad\n\nDas Freibad ist von Mai bis September geöffnet. Die Kasse ist Mo–Fr besetzt.\n\n\
                  ## Sauna\n\nMo–Sa 14–22 Uhr\n\n## Gymnastik\n\nFrau Brandt, Kurs 14\n";
    let folder = Folder::new(&[("fees.md", fees), ("directors.md", directors), ("lido.md", hours), ("bad.md", zeiten)]);
    for (question, words) in [
        ("What was the entrance fee for adults in 2021?", "8 €"),
        ("What was the entrance fee for adults in 2017?", "6 €"),
        ("Who was director in 2007?", "Ada Lund"),
        ("When is the lido open in July?", "9 to 20"),
        ("When is the lido open in summer?", "9 to 20"),
        ("Is the till staffed on Tuesdays?", "Mon–Fri"),
        ("Ist das Freibad im Juli geöffnet?", "Mai bis September"),
        ("Wann ist die Sauna geöffnet?", "14–22 Uhr"),
        ("Ist die Kasse dienstags besetzt?", "Mo–Fr"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(words) && !answer.is_doubted;
        assert!(is_right, "{question}\n{}", answer.report);
    }
    // The stretch of one thing is not that of its neighbour.
    let baths = "# Baths\n\nThe steam room is open from October to March. The paddling pool is open from June to August.\n\n\
                 The lap lane is free Mon–Wed. Aqua class meets on Friday with Jonty Crebbin.\n";
    let others = Folder::new(&[("baths.md", baths)]);
    for (question, is_told) in [
        ("Is the steam room open in January?", true),
        ("Is the paddling pool open in November?", false),
        ("Is the steam room open in July?", false),
        ("Who leads the aqua class on Tuesday?", false),
    ] {
        let answer = others.ask(question);
        assert_eq!(answer.is_doubted, !is_told, "{question}\n{}", answer.report);
    }
    for question in [
        "Who was director in 1999?",
        "Is the lido open in October?",
        "Is the till staffed on Sundays?",
        "Wann ist die Gymnastik geöffnet?",
    ] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted, "{question}\n{}", answer.report);
    }
}
