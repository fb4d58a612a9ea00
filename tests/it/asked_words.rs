//! Words of a question that a document says otherwise, or need not say: who does it, what only asks for a figure, the verbs of grammar.

use crate::folder::{Answer, Folder};

fn ask(files: &[(&str, &str)], question: &str) -> Answer {
    Folder::new(files).run("ask", &[], question)
}

/// Asks and expects a sure answer that has this.
fn answers(files: &[(&str, &str)], question: &str, want: &str) {
    let Answer { report, top, is_doubted } = ask(files, question);
    assert!(!is_doubted && top.contains(want), "{question}: {report}");
}

/// LB-02: who teaches is told by a column of teachers.
#[test]
fn lb_02_who_does_it_is_told_by_the_noun() {
    let table = "# Autumn\n\n| Course | Teacher | Room |\n|---|---|---|\n| Pottery | Ines Varga | 2 |\n| Tai Chi | Jonas Weil | 4 |\n";
    answers(&[("courses.md", table)], "Who teaches Tai Chi?", "Jonas Weil");
    let boats = "Boat,Owner,Berth\nMeridian,Tove Lind,12\nAurora,Piet Maas,14\n";
    answers(&[("boats.csv", boats)], "Who owns the Aurora?", "Piet Maas");
}

/// LB-02: words that only ask for a figure need not stand beside it.
#[test]
fn lb_02_words_that_ask_for_a_figure_are_not_missed() {
    let phones = [("phones.txt", "Plumber: Kurz, 555-0101\nElectrician: Lang, 555-0110\n")];
    answers(&phones, "What is the number of the electrician?", "555-0110");
    answers(&phones, "What is the phone number of the electrician?", "555-0110");
    let both = [("lang.txt", "Electrician: Lang, Mill Lane 3\nElectrician, phone: 555-0110\n")];
    answers(&both, "What is the phone number of the electrician?", "555-0110");
    let budget = [("2025.csv", "Item,Budget,Actual\nElectricity,1200,1310\nWater,400,385\n")];
    answers(&budget, "How much was spent on electricity in 2025?", "1310");
}

/// LB-02: what something costs is not told by its power.
#[test]
fn lb_02_a_price_is_money() {
    let list = "Product,Power,Weight\nPondVac 5,\"1,400 W\",7.5 kg\nPondVac 8,\"1,800 W\",11.2 kg\n";
    let Answer { report, .. } = ask(&[("l.csv", list)], "How much does the PondVac 8 cost?");
    assert!(report.contains("Not found as asked") && report.contains("no such figure"), "{report}");
    let prices = "Product,Power,Price\nPondVac 5,\"1,400 W\",99\nPondVac 8,\"1,800 W\",139\n";
    answers(&[("l.csv", prices)], "How much does the PondVac 8 cost?", "139");
}

/// LB-02: a file without an extension is asked about by its name.
#[test]
fn lb_02_files_are_called_by_their_names() {
    let files =
        [("Dockerfile", "FROM python:3.12-slim\nEXPOSE 8000\n"), ("notes.md", "# Notes\n\nThe harbour is shallow.\n")];
    answers(&files, "Which port does the Dockerfile expose?", "EXPOSE");
}

/// LB-02: German verbs that say no more than `is` are not missed, and a participle is a form of its verb.
#[test]
fn lb_02_german_verbs_of_grammar_are_not_missed() {
    answers(
        &[("wlan.md", "# Netz\n\nGäste-WLAN: Seeblick, Passwort am Empfang.\n")],
        "Wie heißt das Gäste-WLAN?",
        "Seeblick",
    );
    let bread = [("brot.md", "# Roggenbrot\n\nDen Teig 60 Minuten bei 200 Grad backen.\n")];
    answers(&bread, "Wie lange wird das Roggenbrot gebacken?", "60 Minuten");
}

/// Asks and expects that the report doubts for this reason.
fn doubts(files: &[(&str, &str)], question: &str, why: &str) {
    let Answer { report, is_doubted, .. } = ask(files, question);
    assert!(is_doubted && report.contains(why), "{question}: {report}");
}

/// LB-02: names that differ in a letter are not taken for each other.
#[test]
fn lb_02_a_letter_tells_things_apart() {
    let rates = [(
        "a.md",
        "# Instruments\n\n| Instrument | Room | Rate |\n|---|---|---|\n| LSM-A | 21 | 18 |\n| LSM-B | 22 | 24 |\n\n\
                  The hourly rate of LSM-A is halved at night.\n",
    )];
    doubts(&rates, "LSM-C hourly rate", "`LSM-C`");
    doubts(&rates, "What is the rate of LSM-D?", "`LSM-D`");
    answers(&rates, "What is the rate of LSM-B?", "24");
    let beds = [("b.md", "# Plan\n\nTable ward-A has 12 beds. Wards C and D are closed.\n")];
    doubts(&beds, "beds in ward-B", "`ward-B`");
    doubts(&beds, "How many beds has Ward B?", "`Ward B`");
    answers(&beds, "How many beds has Ward A?", "12 **beds**");
}

/// LB-02: a letter that is missing, too many or swapped finds its word; what is bent to another one by two errors is doubted.
#[test]
fn lb_02_slips_find_their_words() {
    let notes = [(
        "a.md",
        "# Notes\n\nThe agreement has arguments. The memory of the booking failed. The severity is high in this direction. \
                  It runs on Kubernetes.\n",
    )];
    for (typed, meant) in [
        ("memoy", "memory"),
        ("Booikng", "booking"),
        ("seerity", "severity"),
        ("directioon", "direction"),
        ("faileed", "failed"),
        ("agrement", "agreement"),
    ] {
        answers(&notes, typed, &format!("**{meant}**"));
    }
    let Answer { report, is_doubted, .. } = ask(&notes, "kubbarnetes");
    assert!(is_doubted && report.contains("Kubernetes"), "{report}");
    let french = [(
        "f.md",
        "# Assurances\n\nLa prime de l'assurance cyber passe à 5600 euros. It intends to lock. The agent waits.\n",
    )];
    let Answer { report, .. } = ask(&french, "Quelle est la prime de l'assurance incendie ?");
    assert!(!report.contains("`intends`"), "{report}");
}

/// EM-01: what is asked of a thing must be said of it: a figure of that kind, a time, what it is asked to have.
#[test]
fn em_01_what_is_asked_must_be_there() {
    let machines = "# Machines\n\nKB-12 is painted yellow and stands in the hall. It was bought in March.\n\n\
                    The wheel loader has a winch. The wheel loader weighs 9 tons.\n";
    let files = [("a.md", machines)];
    for question in ["How heavy is KB-12?", "How long is KB-12?", "How expensive is KB-12?"] {
        doubts(&files, question, "no such figure");
    }
    doubts(&[("a.md", "# Hof\n\nDer Bagger ist gelb.\n")], "Wie schwer ist der Bagger?", "no such figure");
    answers(&[("a.md", "# Hof\n\nDer Bagger wiegt drei Tonnen.\n")], "Wie schwer ist der Bagger?", "drei Tonnen");
    let terms = "# Rahmenvertrag Grünwerk\n\n## 2 Laufzeit\n\nDer Vertrag kann mit einer Frist von drei Monaten zum Ende der Laufzeit \
                 gekündigt werden.\n\n## 3 Abrechnung\n\nBei Zahlung binnen 8 Tagen darf die Grünwerk GmbH 2 % Skonto abziehen.\n";
    let question = "Welche Kündigungsfrist hat der Rahmenvertrag mit Grünwerk?";
    let Answer { report, top, is_doubted } = ask(&[("a.md", terms)], question);
    assert!(is_doubted || top.contains("Frist von drei Monaten"), "{report}");
    let term = terms.split("## 3").next().unwrap();
    answers(&[("a.md", term)], question, "Frist von drei Monaten");
    let lease = "# Mietvertrag über die Halle\n\nVermieterin ist die Erbengemeinschaft Gessler. Mieter ist Kehrer.\n";
    doubts(&[("a.md", lease)], "Wann endet der Mietvertrag der Halle?", "does not say when");
}

/// LB-02: short words of grammar of another language are not looked up, and words that only carry the question are not missed.
#[test]
fn lb_02_small_and_light_words_are_not_missed() {
    let contract =
        [("c.md", "# Contrat Helvéa\n\nLe délai de paiement est de trente jours. La redevance est de 2480 francs.\n")];
    let answer = ask(&contract, "délai de paiement Helvéa");
    assert!(!answer.is_doubted && !answer.top.contains("**de**"), "{}", answer.report);
    answers(&contract, "Quel est le montant de la redevance ?", "2480 francs");
    let key = [("k.md", "# Server\n\nAnna keeps the key.\n")];
    answers(&key, "Who has got the key?", "Anna");
    let lock = [("s.md", "# Haus\n\nDer Schlüssel liegt bei Frau Dorn.\n")];
    answers(&lock, "Wo befindet sich der Schlüssel?", "Frau Dorn");
}
