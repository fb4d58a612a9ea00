//! An answer is of the thing that was asked about: of its section, its row, its line of a talk, its definition.

use crate::folder::Folder;

/// LB-02: the first of several headings is not the title of the others, so that what stands below them is not said of it.
#[test]
fn lb_02_the_first_section_does_not_name_the_others() {
    let scales = "# B200\n\nA scale for letters. It is grey.\n\n# A100\n\nA scale for sacks. Weight: 41 kg.\n";
    let folder = Folder::new(&[("scales.md", scales)]);
    let answer = folder.ask("What is the weight of the B200?");
    assert!(answer.is_doubted, "{}", answer.report);
    let answer = folder.ask("What is the weight of the A100?");
    assert!(!answer.is_doubted && answer.top.contains("41 kg"), "{}", answer.report);
}

/// EM-01: what no row has together is not answered by two rows; what is asked of several rows is.
#[test]
fn em_01_two_rows_do_not_answer_for_one() {
    let rota = "# Rota\n\n| Day | Shift | Nurse | Ward |\n|---|---|---|---|\n| Monday | early | Alva Brun | North |\n\
                | Monday | late | Cato Dahl | South |\n| Tuesday | early | Cato Dahl | North |\n| Tuesday | late | Alva Brun | South |\n\
                | Wednesday | early | Edda Fink | North |\n";
    let folder = Folder::new(&[("rota.md", rota)]);
    for (question, has, doubted) in [
        (
            "Who works the late shift on Wednesday?",
            "Edda Fink",
            Some("no row of the nearest table has all of `late`, `wednesday`"),
        ),
        ("When does Edda Fink work in the South ward?", "Fink", Some("no row of the nearest table has all of")),
        ("Who works the late shift on Tuesday?", "**Tuesday** | **late** | Alva Brun", None),
        ("On which ward does Edda Fink work?", "North", None),
        ("Who works early on Monday and Tuesday?", "Alva Brun", None),
    ] {
        let answer = folder.ask(question);
        assert!(answer.top.contains(has), "{question}: {}", answer.report);
        let says = doubted.is_none_or(|line| answer.report.contains(line));
        assert!(says && answer.is_doubted == doubted.is_some(), "{question}: {}", answer.report);
    }
}

/// EM-01: a row of data is found wherever it stands and quoted alone; what no row has together is doubted; a further hit shows a row.
#[test]
fn em_01_each_row_of_data_answers_for_itself() {
    let names = ["Lathe", "Press", "Planer", "Thicknesser", "Router", "Bandsaw", "Sander", "Grinder"];
    let row = |(at, name): (usize, &&str)| {
        format!("M{at},{name},Maker{at},T{at},200{at},{at}.5,front of hall,2026-05-1{at},{at}800\n")
    };
    let rows: String = names.iter().enumerate().map(row).collect();
    let machines = format!("No,Machine,Maker,Type,Year,Power kW,Place,Next check,Residual value\n{rows}");
    let folder = Folder::new(&[("machines.csv", &machines)]);
    for (at, name) in names.iter().enumerate() {
        let answer = folder.ask(&format!("When is the next check of the {}?", name.to_lowercase()));
        assert!(!answer.is_doubted && answer.top.contains(&format!("2026-05-1{at}")), "{name}: {}", answer.report);
        let others = names.iter().filter(|other| *other != name && answer.top.contains(*other)).count();
        assert_eq!(others, 0, "{name}: {}", answer.report);
    }
    let devices = "Tag,Device,Ward,Next service\nE1,Infusion pump,7,2025-11-14\nE2,Infusion pump,9,2025-12-02\nE3,Patient hoist,7,2025-08-30\n";
    let prices = "| Work | Price |\n|---|---|\n| Door beech veneered, fitting | 158 |\n| Window spruce | 560 |\n| Step oak | 204 |\n";
    for (file, text, question, doubt) in [
        (
            "devices.csv",
            devices,
            "When is the next service of the patient monitor on ward 9?",
            Some("no row of the nearest table has all of `patient`, `ward 9`"),
        ),
        ("devices.csv", devices, "When is the next service of the infusion pump on ward 9?", None),
        ("prices.md", prices, "What does a veneered oak door cost?", Some("no row of the nearest table has all of")),
        ("prices.md", prices, "What does a veneered beech door with fitting cost?", None),
    ] {
        let answer = Folder::new(&[(file, text)]).ask(question);
        let says = doubt.is_none_or(|line| answer.report.contains(line));
        assert!(says && answer.is_doubted == doubt.is_some(), "{question}: {}", answer.report);
    }
    let beds = "Beds\n====\n\nRooms 9-01 to 9-04 are isolation rooms. There the target is 90 minutes.\n";
    let folder = Folder::new(&[("rooms.csv", "Room,Ward,Purpose\n7-S1,7,Consumables\n"), ("beds.rst", beds)]);
    let report = folder.ask("isolation room target").report;
    assert!(!report.contains("rooms.csv") || report.contains("Consumables"), "{report}");
}

/// EM-01: a question of an interview is no answer; what is said to it is.
#[test]
fn em_01_a_question_of_the_text_brings_its_reply() {
    let talk = "Interview with Mara Tolt, 3 March 2026\n\nHost: Where did you grow up?\nMara: In Lindau, above a bakery.\n\n\
                Host: What was your first job?\nMara: I sorted mail at the post office.\n";
    let folder = Folder::new(&[("talk.txt", talk)]);
    for (question, has) in [("Where did Mara grow up?", "Lindau"), ("What was Mara's first job?", "sorted mail")] {
        let answer = folder.ask(question);
        assert!(answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// LB-02: what an identifier is comes from where it is defined, not from what calls it.
#[test]
fn lb_02_an_identifier_is_answered_by_its_definition() {
    let calls: String =
        (0..6).map(|at| format!("    rows.append(parse_row(line{at}))  # parse_row of line {at}\n")).collect();
    let reader = format!(
        "def read_all(lines):\n    \"\"\"Reads all lines with parse_row.\"\"\"\n    rows = []\n{calls}    return rows\n"
    );
    let parser = "def parse_row(line):\n    \"\"\"Cuts a line at semicolons and strips the cells.\"\"\"\n    return [c.strip() for c in line.split(';')]\n";
    let folder = Folder::new(&[("reader.py", &reader), ("parser.py", parser)]);
    let answer = folder.ask("What does parse_row do?");
    assert!(answer.top.contains("semicolons") && answer.report.contains("**[1]** `parser.py`"), "{}", answer.report);
}

/// LB-02: `--full` quotes every passage, of whatever command.
#[test]
fn lb_02_full_reports_quote_all_of_a_passage() {
    let sentence = |at: usize| format!("Boat {at} of the fleet carries barrels {at}a, {at}b and {at}c to the pier. ");
    let filler: String = (0..8).map(sentence).collect();
    let text = format!("# Harbour\n\n{filler}The lighthouse is 70 metres high. {filler}\n");
    let folder = Folder::new(&[("harbour.md", &text)]);
    for command in ["search", "deep-search", "deep-research", "ask"] {
        let [brief, full] = [&["--engine", "extractive"][..], &["--engine", "extractive", "--full"]]
            .map(|flags| folder.run(command, flags, "How high is the lighthouse?"));
        assert!(brief.top.contains("70 metres") && !brief.top.contains("Boat 0"), "{command}: {}", brief.report);
        assert!(full.top.contains("70 metres") && full.top.contains("Boat 0"), "{command}: {}", full.report);
    }
}

/// LB-02: of things that are alike, the one that is asked about answers: by its number, its full name, its year, its qualifier; and where only
/// others are spoken of, that is said.
#[test]
fn lb_02_one_of_many_is_not_taken_for_another() {
    let folder = Folder::new(&[
        ("pumps.csv", "Product,Flow,Weight\nAquaJet 200,\"2,400 l/h\",7.5 kg\nAquaJet 300,\"3,600 l/h\",11.2 kg\n"),
        ("flat1.md", "# Lease of Flat 1\n\nThe rent is 780 euros a month.\n"),
        ("amendment.md", "# Amendment\n\nFrom 1 April 2026 the rent of Flat 3 is 865 euros a month.\n"),
        ("anna.md", "# Anna Petersen\n\nBorn 30 August 1875 in Husum. Teacher in Flensburg.\n"),
        ("johann.md", "# Johann Petersen\n\nBorn 3 March 1842 in Husum, son of Claus Petersen and Anna Lorenzen.\n"),
        ("bulletin-2025.txt", "League bulletin, April 2025\n\nThe cup final is at Mill Lane on 24 May.\n"),
        (
            "bulletin-2026.txt",
            "League bulletin, April 2026\n\nBen is banned.\nThe cup final is at Harbour Park on 30 May at 16:00.\n",
        ),
        ("orders.md", "# Runbook orders-db\n\nBackups: every night, kept for 35 days.\n"),
        ("search.md", "# Runbook search\n\nOpenSearch, three nodes.\n"),
        ("library.md", "# City library\n\nCentral library: open Monday to Friday 9 to 7, Saturday 9 to 5.\n"),
        ("registry.md", "# Marriages\n\nThere are no ceremonies on Sunday.\n"),
        ("leaflet.md", "# Leaflet\n\nDo not take Dolorex 200 with a stomach ulcer.\n"),
        ("keys.md", "# Keys\n\nKeys expire after 365 days.\n"),
        ("permits.md", "# Permits\n\nA permit costs 9 euros in zone C.\n"),
        ("mini.md", "# Fountains\n\nThe Brook Mini is a pump for fountains.\n"),
        ("warranty.md", "# Warranty\n\nThe warranty of the PondVac is 3 years.\n"),
    ]);
    for (question, has, is_doubted) in [
        ("What is the flow of the AquaJet 300?", "3,600", false),
        ("What is the flow of the AquaJet 400?", "", true),
        ("How heavy is the AquaJet 7?", "", true),
        ("How much is the rent of Flat 1?", "780", false),
        ("How much is the rent of Flat 3?", "865", false),
        ("How much is the rent of Flat 4?", "", true),
        ("When was Anna Petersen born?", "1875", false),
        ("When was Johann Petersen born?", "1842", false),
        ("When is the cup final in 2026?", "30 May", false),
        ("When is the cup final in 2025?", "24 May", false),
        ("When is the cup final in 2027?", "", true),
        ("How long are backups of search kept?", "", true),
        ("How long are backups of orders-db kept?", "35 days", false),
        ("When is the central library open on Sunday?", "", true),
        ("When is the central library open on Saturday?", "9 to 5", false),
        ("What is the warranty of the Brook Mini?", "", true),
        ("When does the Dolorex 200 expire?", "", true),
        ("How much is a permit in zone D?", "", true),
        ("How much is a permit in zone C?", "9 euros", false),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(has) && answer.is_doubted == is_doubted;
        assert!(is_right, "{question}: {}", answer.report);
    }
}

/// EM-01: of editions of one document the one that holds answers, unless another one is asked for.
#[test]
fn em_01_the_later_edition_answers() {
    let folder = Folder::new(&[
        ("policy-2024.md", "# Leave policy\n\n## Annual leave\n\nStaff have 26 days of annual leave.\n"),
        (
            "policy-2026.md",
            "# Leave policy\n\n## Annual leave\n\nStaff have 28 days of annual leave. Apprentices have 30 days.\n",
        ),
        ("sop-2 (superseded).md", "# SOP-012\n\n## Checks\n\nThe vaccine fridge is read once a day.\n"),
        (
            "sop-3.md",
            "# SOP-012\n\n## Checks\n\nThe vaccine fridge is read twice a day and the value is written on the chart.\n",
        ),
        ("rules-2025.md", "# Rules 2025\n\nA win gives 2 points.\n"),
        ("rules-2026.md", "# Rules 2026\n\nA win gives 3 points, a draw 1 point.\n"),
        ("nda-2024.md", "# Non-Disclosure Agreement\n\nThis agreement is governed by the law of England.\n"),
    ]);
    for (question, has) in [
        ("How many days of annual leave do staff have?", "28 days"),
        ("How many days of annual leave did staff have in 2024?", "26 days"),
        ("How often is the vaccine fridge read?", "twice a day"),
        ("How many points does a win give?", "3 points"),
        // The name of the file is shown, and says what it is.
        ("Which law governs the NDA?", "England"),
    ] {
        let answer = folder.ask(question);
        let is_right = answer.top.replace("**", "").contains(has) && !answer.is_doubted;
        assert!(is_right, "{question}: {}", answer.report);
    }
}

/// LB-02: what a name is asked about is told below that name, and not where it is named among others; the row with the column that is asked for
/// comes before a sentence that only names its subject.
#[test]
fn lb_02_what_is_asked_stands_below_its_name_or_in_its_column() {
    let tree = "# The Harlans\n\n## Josiah Harlan\n\nMarried Martha Pell in 1866. Children: Edwin, Rose.\n\n\
                ## Edwin Harlan\n\nMarried Agnes Thorne in 1895. Children: Clara, Thomas.\n\n## Clara Harlan\n\nNever married.\n";
    let loan = "# Loan agreement\n\n## Object\n\nP-0055 Harbour in winter by Clara Voss, 1891.\n\n## Term\n\nUntil 11 January.\n";
    let catalogue = "no,title,maker,year,acquired\nP-0054,Harbour at dusk,Clara Voss,1889,1950\n\
                     P-0055,Harbour in winter,Clara Voss,1891,1962\nP-0061,Dunes,Ole Brandt,1902,1971\n";
    let folder = Folder::new(&[("tree.md", tree), ("loan.md", loan), ("catalogue.csv", catalogue)]);
    for (question, has) in [
        ("Whom did Edwin marry?", "Agnes Thorne"),
        ("Whom did Clara marry?", "Never **married**"),
        ("When was Harbour in winter acquired?", "1962"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// EM-01: what is told of others is doubted: another kind, another sheet, another year, and what says no weight, age or number to call.
#[test]
fn em_01_what_is_told_of_others_is_doubted() {
    let minutes = "# Minutes\n\nPresent: Mayor Cole, Councillors Abel and Choi (2 of 7).\n\nThe colony reaction has 28 cycles.\n\n\
                   The library was started by Annika Berg in 2017. The stork was seen at 10:30.\n";
    let sheet = "Sheet 5\n\nTo be handed in by Monday, 1 December.\n";
    let report = "# Jahresbericht 2024\n\nDer Verein hat 71 Mitglieder.\n";
    let folder = Folder::new(&[("minutes.md", minutes), ("sheet-05.txt", sheet), ("bericht.md", report)]);
    for (question, is_doubted) in [
        ("How many cycles does the colony reaction have?", false),
        ("How many cycles does the nested reaction have?", true),
        ("When must sheet 5 be handed in?", false),
        ("When must sheet 6 be handed in?", true),
        ("Wie viele Mitglieder hat der Verein 2024?", false),
        ("Wie viele Mitglieder hatte der Verein 2019?", true),
        ("What does the stork weigh?", true),
        ("How old is Annika Berg?", true),
        ("What is the telephone number of Councillor Choi?", true),
    ] {
        let answer = folder.ask(question);
        assert_eq!(answer.is_doubted || answer.top.is_empty(), is_doubted, "{question}: {}", answer.report);
    }
}

/// LB-02: a month of a year is found in its days and its short names, and is not that of another year.
#[test]
fn lb_02_a_month_is_found_in_its_days() {
    let log = "date,species,count\n2024-01-20,Smew,3\n2025-01-18,Smew,7\n2025-03-22,Osprey,1\n";
    let counts = "| Species | Jan 2024 | Feb 2024 | Jan 2025 |\n|---|---|---|---|\n| Wigeon | 340 | 402 | 515 |\n";
    let terms = "# Winter term 2025/26\n\nThe examination is on 17 February 2026 and takes 120 minutes.\n";
    let before = "# Winter term 2024/25\n\nThe examination is on 11 February 2025 and takes 90 minutes.\n";
    let folder =
        Folder::new(&[("log.csv", log), ("counts.md", counts), ("term-2025.md", terms), ("term-2024.md", before)]);
    for (question, has) in [
        ("How many Smew were seen in January 2025?", "| 7 |"),
        ("How many Wigeon were there in January 2025?", "515"),
        ("How long did the examination in February 2025 take?", "90 minutes"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
    let answer = folder.ask("How many Smew were seen in March 2024?");
    assert!(answer.is_doubted || answer.top.is_empty(), "{}", answer.report);
}

/// EM-01: a list of open questions answers none, and comes behind what says more; in the entry of somebody only what is told of them is an answer;
/// of one document also the passage is quoted that has what the first one lacks.
#[test]
fn em_01_what_asks_or_mentions_is_no_answer() {
    let tree = "# The Harlans\n\n## Edwin Harlan\n\nBorn on 2 May 1868 in Leeds. Married Agnes Thorne in 1895.\n\n\
                ## Rose Harlan\n\nShe emigrated in 1893 on the steamer Carinthia.\n";
    let todo = "# Open questions\n\n- Where was Martha Pell baptised?\n\n## On which ship did Rose emigrate?\n";
    let loan = "# Loan agreement 7\n\n## Object\n\nP-0055 Harbour in winter by Clara Voss, 1891.\n\n## Term\n\nThe loan ends on 11 January.\n";
    let minutes = "# Minutes\n\nMr Tolland answered that a pump has been stolen.\n";
    let works = "# Works\n\nAnother pump was mended by Ole Brandt.\n";
    let folder = Folder::new(&[
        ("tree.md", tree),
        ("todo.md", todo),
        ("loan.md", loan),
        ("minutes.md", minutes),
        ("works.md", works),
    ]);
    let answer = folder.ask("Where was Martha Pell baptised?");
    assert!(answer.report.contains("**Not found as asked: the nearest passage asks it, too.**"), "{}", answer.report);
    let answer = folder.ask("When was Agnes Thorne born?");
    let says = "**Not found as asked: the nearest sentence is not about `Agnes Thorne`.**";
    assert!(answer.report.contains(says), "{}", answer.report);
    let answer = folder.ask("Who stole the pump?");
    assert!(answer.report.contains("the nearest sentence does not say who."), "{}", answer.report);
    let answer = folder.ask("Who mended the pump?");
    assert!(!answer.is_doubted && answer.top.contains("Ole Brandt"), "{}", answer.report);
    let answer = folder.ask("On which ship did Rose emigrate?");
    assert!(answer.top.contains("Carinthia"), "{}", answer.report);
    let answer = folder.ask("When does the loan of Harbour in winter end?");
    let quotes = answer.report.split("## Sources").next().unwrap_or_default();
    assert!(quotes.contains("11 January"), "{}", answer.report);
}

/// EM-01: what is near the question and does not answer it is doubted, and the report says why: an empty cell, the field of another record, the price of
/// another thing, another year, month or weekday, a thing that is not spoken of, a table of which only the head fits.
#[test]
fn em_01_what_is_only_near_is_doubted_with_its_reason() {
    let orders =
        "order,client,ordered,delivered\nGlass Ferry,Norrvik,2024-01-02,\nStone Bridge,Brandt,2024-01-05,2024-01-19\n";
    let services = "services:\n  checkout:\n    owner: payments\n    timeout_seconds: 30\n  search:\n    owner: discovery\n    replicas: 4\n";
    let shed = "Equipment list\n\nSmoker, stainless steel, bought 2021.\n\nHoney extractor, four frames, bought 2019 for 120 pounds.\n";
    let minutes = "# Minutes, 14 March 2024\n\nThe treasurer reports an income of 18,240 euros in 2023.\n";
    let log = "# Faults\n\n03.01.2024  Ward Hill off air from 02:10. Cause: ice. Dealt with by Rory Clouston.\n\n\
               09.10.2024  Lamb Holm off air from 11:00. Cause: a power cut. Nobody attended.\n";
    let plan =
        "# Weekday programme\n\n| Time | Programme | Host |\n|---|---|---|\n| 22:00 | Night Ferry | Kit Rowe |\n";
    let birds = "# Bird year\n\nThe hoopoe on the lawn was seen by sixty visitors.\n\nWaxwings are rare guests.\n\n# Older years\n\nNone.\n";
    let scopes =
        "# Scopes\n\n| Scope | Allows |\n|---|---|\n| read | to list invoices |\n| write | to create invoices |\n";
    let stores = "items:\n  - name: weighing chair\n    asset_no: 17\n    last_service:\n  - name: blanket warmer\n    last_service: 2022-10-03\n";
    let falls = "# Accidents\n\nA visitor tripped over the cable of the floor polisher.\n";
    let hooks = "# Webhooks\n\nWebhooks can be created and deleted by hand.\n";
    let folder = Folder::new(&[
        ("orders.csv", orders),
        ("services.yaml", services),
        ("shed.txt", shed),
        ("minutes.md", minutes),
        ("faults.md", log),
        ("plan.md", plan),
        ("birds.md", birds),
        ("scopes.md", scopes),
        ("hooks.md", hooks),
        ("stores.yaml", stores),
        ("accidents.md", falls),
    ]);
    for (question, why) in [
        ("When was the Glass Ferry delivered?", "the nearest row has nothing under `delivered`"),
        ("What is the timeout of search?", "no entry of the nearest passage has all of"),
        ("What did the smoker cost?", "no such figure"),
        ("What was the income in 2024?", "the nearest sentence is not about `2024`"),
        ("Why was Ward Hill off air in October 2024?", "the nearest sentence is not about `October 2024`"),
        ("Who hosts Night Ferry on Sunday?", "does not have `Sunday`"),
        ("Which scope allows to delete webhooks?", "no row of the nearest table has `delete`, `webhooks`"),
        ("When was the last service of the weighing chair?", "the nearest entry has nothing under `last_service`"),
        ("What is the asset number of the floor polisher?", "does not have `asset`"),
    ] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted && answer.report.contains(why), "{question}: {}", answer.report);
    }
    for (question, has) in [
        ("When was the Stone Bridge delivered?", "2024-01-19"),
        ("What is the timeout of checkout?", "timeout_seconds: 30"),
        ("What did the honey extractor cost?", "120 pounds"),
        ("What was the income in 2023?", "18,240"),
        ("Why was Ward Hill off air in January 2024?", "ice"),
        ("Who dealt with the fault at Ward Hill?", "Rory Clouston"),
        ("Who hosts Night Ferry on Tuesday?", "Kit Rowe"),
        ("When was the last service of the blanket warmer?", "2022-10-03"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
}

/// EM-01: the name of a setting is found as a whole, its entry is quoted with what is said of it, and one that is nowhere is not taken for another.
#[test]
fn em_01_settings_are_found_by_their_names() {
    let entry = |name: &str, what: &str| {
        format!(
            "<dt>{name}</dt><dd><p>Grammar: <code>{name} &lt;boolean&gt;;</code></p><p>Blocks: options, view</p><p>{what}</p></dd>"
        )
    };
    let reference = format!(
        "<html><body><h1>Reference</h1><p>All statements of the server.</p><dl>{}{}{}</dl></body></html>",
        entry("qname-minimization", "Controls minimal queries, of any kind, that the server sends."),
        entry("minimal-any", "Controls whether one record is sent for a query of type ANY."),
        entry(
            "hard-stop-after",
            "Defines the longest time of a clean stop. The zero stop is the default of old servers. The default stop is 30 seconds."
        )
    );
    let stop =
        "Hard stop\n\nA hard stop is simple: after the signal the server quits, and what stops after it is lost.\n";
    let slow = "The machine is slow while it works, and nobody should wait for it. ".repeat(8);
    let checks = format!(
        "Checks\n\nThe checker runs by default with the lowest priority.\n\n{slow}\n\n\
         The checker runs by default on the first Sunday of each month, at 01:06. Change it by hand if it is in the way.\n"
    );
    let folder = Folder::new(&[("reference.html", &reference), ("stop.txt", stop), ("checks.txt", &checks)]);
    for (question, has) in [
        ("What does minimal-any do?", "one record is sent"),
        ("What does hard-stop-after do?", "longest time of a clean stop"),
        ("What is the default of hard-stop-after?", "30 seconds"),
        ("When does the checker run by default?", "first Sunday"),
        (
            "My boss wants it by Monday. On which day of each month is the checker configured to run by default?",
            "first Sunday",
        ),
        ("how to chnage the checker", "Change** it by hand"),
    ] {
        let answer = folder.ask(question);
        assert!(!answer.is_doubted && answer.top.contains(has), "{question}: {}", answer.report);
    }
    for question in ["What is the default of minimal-all?", "What does soft-stop-after do?"] {
        let answer = folder.ask(question);
        assert!(answer.is_doubted, "{question}: {}", answer.report);
    }
}

/// EM-01: of a name that source code has, the line that sets it answers, and of a list of terms the entry and nothing of the next.
#[test]
fn em_01_code_and_lists_of_terms_answer_by_their_names() {
    let module = "class Buffer:\n    def append(self, s):\n        if len(self.s) + len(s) < STRBUF_LIMIT:\n            self.s += s\n            return STRBUF_LIMIT\n\n\
                  # Bytes that are kept in a simple string.\nSTRBUF_LIMIT = 8192\n\nclass MalformedRow(Exception):\n    pass\n";
    let test = "from buffers import STRBUF_LIMIT\n\nSTRBUF_LIMIT = 3\n\ndef test_limit():\n    # STRBUF_LIMIT is the value\n    assert STRBUF_LIMIT == 3\n";
    let terms = "Arguments\n=========\n\ncleanup_interval\n    Seconds between two cleanings.\n\n    Default: ``30``\n\nchannel_timeout\n    \
                 Seconds until a quiet channel is closed.\n\n    Default: ``120``\n\nmax_body\n    Bytes of a body.\n\n    Default: ``1024``\n";
    let changes = "2.0.1 (2025-03-02)\n------------------\n\nFixes\n~~~~~\n\n- Rows are closed.\n\n2.0.0 (2025-01-09)\n------------------\n\n\
                   Features\n~~~~~~~~\n\n- Added support for coloured rows.\n";
    let folder = Folder::new(&[
        ("buffers.py", module),
        ("test_buffers.py", test),
        ("arguments.rst", terms),
        ("CHANGES.txt", changes),
    ]);
    for (question, has, lacks) in [
        ("What is STRBUF_LIMIT?", "STRBUF_LIMIT = 8192", "append"),
        ("Where is the class MalformedRow defined?", "class MalformedRow", "STRBUF"),
        ("What is the default value of channel_timeout?", "120", "30"),
        ("What is the default of cleanup_interval?", "30", "120"),
    ] {
        let answer = folder.ask(question);
        let fits = !answer.is_doubted && answer.top.contains(has) && !answer.top.contains(lacks);
        assert!(fits, "{question}: {}", answer.report);
    }
    let answer = folder.ask("Which version added support for coloured rows?");
    assert!(answer.report.contains("line 15 › 2.0.0 (2025-01-09) › Features"), "{}", answer.report);
}

/// EM-01: an entry of a log answers alone, with its trace, by its time and by the id of a request.
#[test]
fn em_01_entries_of_logs_are_found_by_time_and_id() {
    let entry = |at: usize| {
        format!(
            "2026-03-14T{:02}:{:02}:07Z INFO [auth] req=5a{at:03}c3d request completed path=/orders log line {at}\n",
            at / 60,
            at % 60
        )
    };
    let failed = "2026-03-14T05:00:19Z ERROR [mailer] req=7be2c0aa relay refused\nTraceback (most recent call last):\n  \
                  File \"close.py\", line 212, in close\nTypeError: unsupported operand\n";
    let log: String = (0..600).map(|at| if at == 300 { failed.to_owned() } else { entry(at) }).collect();
    let folder = Folder::new(&[("gateway.log", &log)]);
    for question in [
        "What happened at 05:00:19 on 14 March?",
        "Show the log line of request 7be2c0aa",
        "What was refused to the mailer at 05:00 on 14 March 2026?",
    ] {
        let answer = folder.ask(question);
        let fits = answer.top.contains("relay refused") && answer.top.contains("unsupported operand");
        assert!(fits && !answer.is_doubted && !answer.top.contains("/orders"), "{question}: {}", answer.report);
    }
}

/// EM-01: a clause is found by its number, which the document prints without saying what it is.
#[test]
fn em_01_clauses_are_found_by_their_numbers() {
    let lease = "# Lease\n\n2.1 The rent is due on the first day of each month.\n\n2.2 Rent in arrears bears interest at 4.25 %.\n\n\
                 3.1 The tenant keeps the roof. The causes of damage are written down.\n";
    let folder = Folder::new(&[("lease.md", lease)]);
    let answer = folder.ask("What does clause 2.2 of the lease say?");
    let fits =
        answer.top.contains("interest at 4.25") && !answer.is_doubted && !answer.report.contains("auses` was searched");
    assert!(fits, "{}", answer.report);
    assert!(folder.ask("What does clause 2.9 of the lease say?").is_doubted);
}

/// EM-01: what is asked of a thing is told where the document says it, and the citation has its lines alone.
#[test]
fn em_01_an_attribute_is_found_beside_its_thing() {
    let filler = "The tenant keeps the windows, doors and gates in good order and tells the landlord of every damage. "
        .repeat(12);
    let lease = format!(
        "# Lease\n\n## Premises\n\nThe landlord lets hall 7 at Canal Road, with a floor of 2,340 square metres.\n\n## Repairs\n\n{filler}\n\n\
         ## Rent\n\nThe monthly rent is GBP 14,850.\nIt is due in advance.\n"
    );
    let folder = Folder::new(&[("lease.md", &lease)]);
    let answer = folder.ask("How much is the monthly rent of hall 7?");
    let line = lease.lines().position(|line| line.contains("14,850")).unwrap() + 1;
    assert!(answer.top.contains("14,850") && answer.is_doubted, "{}", answer.report);
    assert!(answer.report.contains("`hall 7`, which its document has elsewhere"), "{}", answer.report);
    assert!(answer.report.contains(&format!("`lease.md:{line}")), "{}", answer.report);
    let entries: String = (0..9).map(|at| format!("2026-03-14T18:5{at}:28Z INFO pump {at} started\n")).collect();
    let answer = Folder::new(&[("pumps.log", &entries)]).ask("What happened at 18:53 on 14 March 2026?");
    assert!(answer.report.contains("`pumps.log:4`"), "{}", answer.report);
}
