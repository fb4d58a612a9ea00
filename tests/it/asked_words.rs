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
