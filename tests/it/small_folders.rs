//! A folder of a few files answers what it says and refuses what it does not say.

use crate::cli::Home;

const FILES: [(&str, &str); 5] = [
    (
        "trench.md",
        "# Mariana Trench\n\nThe Mariana Trench is 10,935 metres deep at the Challenger Deep. It was measured by sonar.\n",
    ),
    (
        "ship.md",
        "# The Meridian Lark\n\nThe ship with the number K7-12, the Meridian Lark, was built in Gdynia in 1898 and weighs 312 tons. Ines Varga was her captain.\n",
    ),
    ("bread.md", "# Rye bread\n\nRye bread is baked for ninety minutes at 200 degrees. The dough rests for a night.\n"),
    (
        "backup.md",
        "# Backups\n\nThe backup of the database runs every night at two. Old backups are kept for thirty days.\n",
    ),
    ("garden.md", "# Garden\n\nTomatoes are planted in May, after the last frost. They need water every evening.\n"),
];

/// What each file answers, also with qualifiers that it does not repeat.
const ANSWERED: [(&str, &str); 11] = [
    ("trench.md", "How deep is the Mariana Trench in the western Pacific Ocean?"),
    ("trench.md", "How deep is the Mariana Trench?"),
    ("trench.md", "how deep is the mariana trench in the western pacific ocean"),
    (
        "trench.md",
        "How deep is the Mariana Trench near Guam in the western Pacific Ocean, according to American oceanographers?",
    ),
    ("ship.md", "Who was the captain of the Meridian Lark on the Halvorsen expedition?"),
    ("ship.md", "Where was the Meridian Lark built?"),
    ("ship.md", "How heavy is the Meridian Lark?"),
    ("bread.md", "How long is rye bread baked?"),
    ("bread.md", "How long is rye bread baked in a wood oven by Bavarian bakers?"),
    ("backup.md", "How long are old backups of the customer database kept?"),
    ("garden.md", "When are tomatoes planted in northern Germany?"),
];

/// What no file answers, though each has words of it.
const REFUSED: [&str; 8] = [
    "How deep is the Java Trench?",
    "How deep is the Java Trench in the Indian Ocean?",
    "Who painted the Mariana Trench in Venice?",
    "Who wrote the Iliad?",
    "What is the night sky of Jupiter made of?",
    "Which captain won the football championship?",
    "Who discovered penicillin in the hospital of London?",
    "What does a plane ticket to Australia cost?",
];

fn stop_reason(home: &Home, folder: &std::path::Path, question: &str) -> (String, String) {
    let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
    assert_eq!(done.status, 0, "{question}: {}", done.stderr);
    let reply = done.json();
    (reply["stop_reason"].as_str().unwrap().to_owned(), reply["sources"].to_string())
}

#[test]
fn small_folders_answer_what_they_say_and_nothing_else() {
    for files in [1, 2, 5] {
        let home = Home::new();
        let folder = home.0.path().join("notes");
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in &FILES[..files] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let here = |file: &str| FILES[..files].iter().any(|(name, _)| *name == file);
        for (file, question) in ANSWERED {
            let (reason, sources) = stop_reason(&home, &folder, question);
            if here(file) {
                assert!(
                    reason != "nothing_found" && sources.contains(file),
                    "{files} files: {question}: {reason} {sources}"
                );
            } else {
                assert_eq!(reason, "nothing_found", "{files} files: {question}: {sources}");
            }
        }
        for question in REFUSED {
            let (reason, sources) = stop_reason(&home, &folder, question);
            assert_eq!(reason, "nothing_found", "{files} files: {question}: {sources}");
        }
    }
}

/// LB-02: options whose name is a heading or an identifier, accents behind their letters, and years are found, quoted and not called missing.
#[test]
fn lb_02_names_of_options_and_other_spellings_are_found() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    for (name, text) in [
        (
            "actions.md",
            "# Actions\n\nAn action writes lines. A failed one is suspended and tried again later.\n\n## ActionResumeRetryCount\n\n\
             Default: 0. Introduced in 5.3.4.\n\n## ActionQueueSize\n\nDefault: 1000. Introduced in 4.1.0.\n",
        ),
        (
            "becher.txt",
            "Der Becher aus Zinn hat einen roten Henkel. Dessen Länge ist 30 cm. Er wurde in Ulm gegossen.\n",
        ),
        (
            "relay.md",
            "# Relay\n\n## How long does a session last?\n\nSessions belong to one user. They are stored in memory. By default they end \
             after 45 minutes.\n",
        ),
        ("chapel.txt", "The mice ate 12 candles in the chapel. Nobody heard them.\n"),
        ("store.conf", "# Limits of the store\nmaxDiskSpace = 40\nflushSeconds = 9\n"),
        ("park.txt", "Der Spielplatz im Gru\u{308}ngu\u{308}rtel wurde mit Holz gebaut. Er hat acht Schaukeln.\n"),
        (
            "press.md",
            "# Press\n\nDrums last two years. The press of the Aldine works was sold in 2021. It is painted green.\n",
        ),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (question, file, quoted) in [
        ("What is the default of ActionResumeRetryCount?", "actions.md", "**Default**: 0."),
        ("How much disk space may the store use?", "store.conf", "= 40"),
        ("Womit wurde der Spielplatz im Grüngürtel gebaut?", "park.txt", "Holz"),
        ("How long does a session last?", "relay.md", "45 minutes"),
        ("What did the mouse eat?", "chapel.txt", "**mice** **ate** 12 candles"),
        ("Welche Länge hat der Henkel?", "becher.txt", "**Länge** ist 30 cm"),
        ("In which year was the press of the Aldine works sold?", "press.md", "2021"),
    ] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let reply = done.json();
        let text = reply["result"].as_str().unwrap();
        let top: String =
            text.lines().skip_while(|line| !line.starts_with('>')).take_while(|line| !line.is_empty()).collect();
        assert!(text.contains(&format!("**[1]** `{file}`")) && top.contains(quoted), "{question}: {text}");
        assert!(
            !text.contains("Not found as asked") && !text.contains("nothing that is quoted here"),
            "{question}: {text}"
        );
        assert!(!top.contains("two years"), "{text}");
    }
}

/// LB-02: the sentence that answers stands on top with its words marked, the rest is listed, `--full` quotes it, and nobody calls a quote
/// supported.
#[test]
fn the_answer_stands_first() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    for at in 0..9 {
        // Words of its own: copies would be one document.
        let filler: String =
            (0..90).map(|word| format!("w{at}x{word}{}", if word % 9 == 8 { ". " } else { " " })).collect();
        let text = format!("# Harbour {at}\n\n{filler}The lighthouse of harbour {at} is {at}0 metres high. {filler}\n");
        std::fs::write(folder.join(format!("{at}.md")), text).unwrap();
    }
    let question = "How many metres high is the lighthouse of harbour 7?";
    let ask = |more: &[&str]| {
        let args = [&["deep-research", "--json", "--library", folder.to_str().unwrap()], more, &[question]].concat();
        let done = home.run(&args);
        assert_eq!(done.status, 0, "{}", done.stderr);
        done.json()
    };
    let (brief, full) = (ask(&[]), ask(&["--full"]));
    let text = brief["result"].as_str().unwrap();
    let top = text.lines().find(|line| line.starts_with("> ")).unwrap();
    assert!(top.contains("The **lighthouse** of **harbour** **7** is 70 **metres** **high**."), "{text}");
    assert!(text.contains("**[1]** `7.md`") && text.contains("`--full` quotes"), "{text}");
    assert!(text.split_whitespace().count() < 400, "{text}");
    assert!(full["result"].as_str().unwrap().len() > 3 * text.len(), "{full:#}");
    assert_eq!(brief["ledger"]["supported"], 0, "{brief:#}");
    assert!(brief["ledger"]["quoted"].as_u64() > Some(0), "{brief:#}");
}

/// EM-01: steps are quoted with the line that announces them, in every kind of text, and abbreviations end no sentence.
#[test]
fn em_01_step_lists_are_quoted_whole() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    for (name, text) in [
        (
            "espresso.md",
            "# Espresso machine\n\nTo descale the boiler:\n\n1. Fill the tank.\n2. Press **Clean**. Wait.\n3. Rinse twice.\n\n\
             ## Frother\n\nHow to wash the frother:\n\na. Take off the hose.\nb. Soak it in soapy water.\n\n\
             Ask Mr. Orsolo at ext. 12 for spares (max. 10 of them).\n",
        ),
        (
            "key.rst",
            "Keys\n====\n\nTo rotate the signing key:\n\n#. Stop the signer.\n#. Make a new one.\n#. Start it.\n",
        ),
        (
            "gate.org",
            "* Gate\nTo open the gate by hand:\n1. Turn the lever.\n2. Pull the chain.\n** Battery\nIt lasts.\n",
        ),
        (
            "mower.html",
            "<h1>Mower</h1><p>To change the blade:</p><ol><li>Pull the plug.</li><li>Loosen the bolt.</li></ol>",
        ),
        ("restore.md", "# Restoring a mailbox\n\n1. Open the console.\n2. Choose a date.\n3. Confirm.\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (question, first, last) in [
        ("How do I descale the boiler?", "> To **descale** the **boiler**:", "> 3. Rinse twice."),
        ("How do I wash the frother?", "> How to **wash** the **frother**:", "> b. Soak it in soapy water."),
        ("How do I rotate the signing key?", "> To **rotate** the **signing** **key**:", "> \\#. Start it."),
        ("How do I open the gate by hand?", "> To **open** the **gate** by **hand**:", "> 2. Pull the chain."),
        ("How do I change the blade?", "> To **change** the **blade**:", "> 2. Loosen the bolt."),
        ("How do I go about restoring a mailbox?", "> 1. Open the console.", "> 3. Confirm."),
        (
            "Who has spares?",
            "> Ask Mr. Orsolo at ext. 12 for **spares** (max. 10 of them).",
            "> Ask Mr. Orsolo at ext. 12 for **spares** (max. 10 of them).",
        ),
    ] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let reply = done.json();
        let report = reply["result"].as_str().unwrap();
        let quote: Vec<&str> =
            report.lines().skip_while(|line| !line.starts_with('>')).take_while(|line| line.starts_with('>')).collect();
        assert_eq!((quote.first().copied(), quote.last().copied()), (Some(first), Some(last)), "{question}: {report}");
    }
}

/// What a folder in other languages answers, in other forms of its words, and what it does not.
const FOREIGN: [(&str, &str); 3] = [
    (
        "de.md",
        "# Nachts\n\nEine Sicherung aller Datenbanken läuft um zwei Uhr. Alte Sicherungen werden nach dreißig Tagen gelöscht.\n",
    ),
    ("fr.md", "# Ménage\n\nLe serveur conserve les anciennes versions des fichiers pendant trente jours.\n"),
    ("es.md", "# Cuentas\n\nLos usuarios cambian sus contraseñas cada año en el portal.\n"),
];

#[test]
fn lb_02_folders_in_other_languages_answer_too() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in FOREIGN {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (file, question) in [
        ("de.md", "Um wie viel Uhr läuft die Sicherung der Datenbank?"),
        ("fr.md", "Combien de jours l'ancienne version d'un fichier est-elle conservée ?"),
        ("es.md", "¿Cada cuánto cambia un usuario su contraseña?"),
    ] {
        let (reason, sources) = stop_reason(&home, &folder, question);
        assert!(reason != "nothing_found" && sources.contains(file), "{question}: {reason} {sources}");
    }
    for question in [
        "Wer hat das Penicillin entdeckt?",
        "Qui a peint la Joconde au musée du Louvre ?",
        "¿Cuánto cuesta un billete de avión a Lima?",
    ] {
        let (reason, sources) = stop_reason(&home, &folder, question);
        assert_eq!(reason, "nothing_found", "{question}: {sources}");
    }
}

/// What is asked, what must be quoted, and what must be named as not found.
const WORDS: [(&str, &str, &[&str]); 6] = [
    ("How long is the warranty?", "36 months", &[]),
    ("How loud is the pump?", "40 dB", &[]),
    ("How do I turn the red key of the sonar?", "**red** **key**", &["turn"]),
    ("Wie viele Anker gibt es?", "vier **Anker**", &[]),
    ("How long must paint dry?", "**Paint** must **dry** for two days", &[]),
    ("What is CACHE_TTL?", "CACHE_TTL", &[]),
];

/// LB-02: a word of measure is no subject, a common word no misspelling, a short word and a part of an identifier stand where they stand.
#[test]
fn lb_02_words_of_a_question_are_what_they_are() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("pump.md", "# Pump\n\nThe warranty lasts 36 months. The pump makes a noise of 40 dB. The log is torn.\n"),
        (
            "boat.md",
            "# Boat\n\nThe sonar is started with the red key.\n\nPaint must dry for two days before the boat is moved.\n",
        ),
        ("anker.md", "# Hafen\n\nDas Boot hat vier Anker im Hafen.\n"),
        ("conf.yaml", "env:\n  CACHE_TTL: 900\n  HOST: alpha\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (question, quoted, missing) in WORDS {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let report = done.json()["result"].as_str().unwrap().to_owned();
        assert!(report.contains(quoted) && !report.contains("searched for"), "{question}: {report}");
        let named = report.split_once("## Not found").map(|(_, rest)| rest.split("##").next().unwrap_or_default());
        let named: Vec<&str> = named.into_iter().flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
        assert_eq!(named, missing, "{question}: {report}");
    }
}

/// LB-02: the section whose heading is the question comes first, whatever its text says and however often others speak of it.
#[test]
fn lb_02_a_heading_that_is_the_question_comes_first() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    let guide = "# Guide\n\n## Restoring a single file\n\nOpen the tree, choose Recover and pick what you lost.\n\n## Other\n\nNothing.\n";
    std::fs::write(folder.join("guide.md"), guide).unwrap();
    for n in 0..5 {
        let text = format!(
            "# News {n}\n\nTo restore a single file took {n} days. A single file, restored, is a file to restore.\n"
        );
        std::fs::write(folder.join(format!("news-{n}.md")), text).unwrap();
    }
    for question in ["Restoring a single file", "How do I restore a single file?"] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let first = done.json()["sources"][0]["location"].as_str().unwrap().to_owned();
        assert!(first.ends_with("guide.md"), "{question}: {}", done.json()["result"]);
    }
}

/// LB-02: what holds comes before what was changed once, unless that is asked for; a figure that is asked for comes first, and where there is none
/// the answer says so; an identifier is found by its words.
#[test]
fn lb_02_what_kind_of_answer_is_asked_for_counts() {
    let home = Home::new();
    let folder = home.0.path().join("docs");
    std::fs::create_dir_all(&folder).unwrap();
    let entries = "- The size limit of a message that the server accepts was raised in version 2.4.\n".repeat(2);
    for (name, text) in [
        ("CHANGELOG.md", format!("# Changes\n\n{entries}")),
        (
            "settings.md",
            "# Settings\n\nmessage_size_limit (default: 10240000)\n\nWhat is larger is refused.\n".to_owned(),
        ),
        ("joins.md", "# Joins\n\nA join combines tables. Tables of a join have rows.\n".to_owned()),
        ("limits.md", "# Limits\n\nQueries with more than 64 tables in a join are refused.\n".to_owned()),
        ("teams.md", "# Teams\n\nA team has members. Members of a team vote.\n".to_owned()),
        ("visits.md", "# Visits\n\nOf the guests in the sauna 30 came on foot.\n".to_owned()),
        ("rules.md", "# Rules\n\nGuests go to the sauna in groups. At most 8 at a time.\n".to_owned()),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (question, first, doubted) in [
        ("What is the size limit of a message?", "settings.md", false),
        ("In which version was the size limit of a message raised?", "CHANGELOG.md", false),
        ("How many tables may a join have?", "limits.md", false),
        ("How many guests may go to the sauna?", "rules.md", false),
        ("How many members has a team?", "teams.md", true),
        ("Which members has a team?", "teams.md", false),
    ] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let reply = done.json();
        assert!(reply["sources"][0]["location"].as_str().unwrap().ends_with(first), "{question}: {reply}");
        let says = reply["result"].as_str().unwrap().contains("Not found as asked");
        assert_eq!(says, doubted, "{question}: {reply}");
    }
}

/// LB-02: a name or a short word that stands nowhere is not answered by another one that is a letter away; a slip of the fingers is, and what is
/// written apart.
#[test]
fn lb_02_another_word_is_no_misspelling() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "# Trade\n\nThe main export of Iraq is crude oil. The capital of Kyrgyzstan is Bishkek. Water for the beds \
                comes by the Wi-Fi pump. The kelp is dried.\n";
    std::fs::write(folder.join("trade.md"), text).unwrap();
    for (question, doubted) in [
        ("What is the main export of Iran?", Some("does not have `Iran`.")),
        ("What is the main export of Irak?", Some("does not have `Irak`.")),
        ("What is the capital of Kyrgystan?", None),
        ("What is the main expotr of Iraq?", None),
        ("How is the kelt dried?", Some("does not have `kelt`.")),
        ("What comes by the wifi pump?", None),
    ] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let note = done.json()["note"].as_str().unwrap_or_default().to_owned();
        assert!(note.contains("was searched for"), "{question}: {note}");
        assert_eq!(note.split("the nearest passage ").nth(1), doubted, "{question}: {note}");
    }
    // An ordinary word is none, however short.
    let question = "How does water for the bees come?";
    let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
    let note = done.json()["note"].as_str().unwrap_or_default().to_owned();
    assert!(note.contains("does not have `bees`.") && !note.contains("was searched for"), "{note}");
}

/// EM-01: a report whose best passage holds little of the question begins with that, in its text and in its note; what a name and something
/// said of it answer is no doubt, whatever else is asked along.
#[test]
fn em_01_an_answer_that_holds_little_is_doubted() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let library = folder.to_str().unwrap();
    let ask = |question: &str| {
        let done = home.run(&["deep-research", "--json", "--library", library, question]);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        done.json()
    };
    let reply = ask("How many old backups of laptops are copied to tape by couriers?");
    let says = "Not found as asked: the nearest passage does not have `laptops`, `copied`, `tape`, `couriers`.";
    assert!(reply["result"].as_str().unwrap().contains(&format!("\n\n**{says}**\n\n> ")), "{reply}");
    assert!(reply["note"].as_str().unwrap().contains(says), "{reply}");
    assert!(reply["sources"].to_string().contains("backup.md"), "{reply}");
    // Nobody judged what is quoted: that is no count of nothing.
    assert_eq!((&reply["metadata"]["evidence"], &reply["ledger"]["quoted"]), (&serde_json::Value::Null, &1.into()));
    // What is said of one number or name is no answer for another.
    for (question, lacks) in [
        ("Which ship has the number K7-14?", "`K7-14`"),
        ("When does the backup of the database run in Lyon?", "`lyon`"),
        ("How is rye sown?", "`sown`"),
    ] {
        let result = ask(question)["result"].as_str().unwrap().to_owned();
        let first = result.lines().nth(2).unwrap_or_default();
        assert!(first.starts_with("**Not found as asked") && first.contains(lacks), "{result}");
    }
    for (_, question) in ANSWERED {
        let reply = ask(question);
        let doubted = reply["result"].as_str().unwrap().contains("Not found as asked");
        // Of `Bavarian` and `Germany` nothing is said.
        assert_eq!(
            doubted,
            ["wood oven by Bavarian", "northern Germany"].iter().any(|part| question.contains(part)),
            "{reply}"
        );
        assert!(!reply.to_string().contains("-0.0"), "{reply}");
    }
}

/// LB-02: what is asked for by a number is found by all of it, in a row as in a heading, among many that have its pieces.
#[test]
fn lb_02_numbers_are_found_as_a_whole() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    let host = |(a, b): (u32, u32)| format!("srv-{a}-{b},10.{a}.{b}.1,rack {}\n", a * b % 7);
    let pairs = (0..30).flat_map(|a| (0..30).map(move |b| (a, b)));
    let hosts: String = pairs.map(host).collect();
    std::fs::write(folder.join("hosts.csv"), format!("Host,IP address,Rack\n{hosts}")).unwrap();
    let versions = ["3.2.1", "3.1.2", "2.3.1", "1.3.2", "1.2.3", "2.1.3"];
    let news: String =
        versions.iter().map(|of| format!("## {of}\n\nThe {} theme is new.\n\n", of.replace('.', "o"))).collect();
    std::fs::write(folder.join("news.md"), format!("# Changes\n\n{news}")).unwrap();
    for (question, first) in [
        ("Which host has the IP address 10.12.21.1?", "> | srv-12-21 | **10.12.21.1** | rack 0 |"),
        ("Which host has the IP address 10.2.11.1?", "> | srv-2-11 | **10.2.11.1** | rack 1 |"),
        ("What changed in 1.2.3?", "> The 1o2o3 theme is new."),
    ] {
        let done = home.run(&["deep-research", "--json", "--library", folder.to_str().unwrap(), question]);
        let report = done.json()["result"].as_str().unwrap().to_owned();
        let quoted =
            report.lines().find(|line| line.starts_with("> ") && !line.contains("---") && !line.contains("Rack"));
        assert_eq!(quoted, Some(first), "{report}");
    }
}

/// SE-03: quick and verified answers read the folder that a call names too, over MCP as in the terminal.
#[test]
fn se_03_searches_take_a_folder_too() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let (folder, question) = (folder.to_str().unwrap(), "How long is rye bread baked?");
    let mut command = home.command();
    command.arg("serve");
    let mut client = crate::client::Client::start(command);
    client.open();
    for (verb, tool) in [("search", "search"), ("deep-search", "deep_search")] {
        let done = home.run(&[verb, "--json", "--library", folder, question]);
        assert_eq!(done.status, 0, "{}", done.stderr);
        let arguments = serde_json::json!({"query": question, "library": [folder], "web": false, "budget_usd": 1.0});
        for reply in [done.json(), client.call(tool, arguments)] {
            assert!(reply["result"].as_str().unwrap().contains("ninety minutes"), "{verb}: {reply}");
            assert!(reply["sources"].to_string().contains("bread.md"), "{verb}: {reply}");
        }
    }
}
