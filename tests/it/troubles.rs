//! Questions on what goes wrong, and verbs that are written in one and in two.

use crate::folder::Folder;

/// Asks and expects a sure answer that has this.
fn answers(folder: &Folder, question: &str, has: &str) {
    let answer = folder.ask(question);
    assert!(!answer.is_doubted && answer.top.replace('*', "").contains(has), "{question}: {}", answer.report);
}

/// Asks and expects that the answer is doubted with this.
fn doubts(folder: &Folder, question: &str, why: &str) {
    let answer = folder.ask(question);
    assert!(answer.is_doubted && answer.report.contains(why), "{question}: {}", answer.report);
}

/// EM-01: who asks why is answered by what stands below `Cause`, and who asks how to mend it by what stands below `Solution`.
#[test]
fn em_01_causes_and_solutions_are_found_below_their_labels() {
    let folder = Folder::new(&[
        (
            "pump.md",
            "# Pump P-20\n\n## Pump hums\n\n### Symptom\n\nThe pump hums loudly when it runs at night.\n\n### Cause\n\nThe impeller is blocked by gravel.\n\n\
             ### Solution\n\nTake the gravel out.\n\n## Pump leaks\n\n### Symptom\n\nWater drips from the housing of the pump.\n\n### Cause\n\nThe seal is worn.\n\n\
             ### Solution\n\nReplace the seal.\n",
        ),
        (
            "printer.md",
            "# Printer\n\n**Paper jams**\n\n**Symptom:** The printer jams at every second sheet.\n\n**Cause:** The rollers are dusty.\n\n\
             **Solution:** Wipe them with a damp cloth.\n\n**Blank pages**\n\n**Symptom:** The printer prints blank pages.\n\n**Cause:** The cartridge is empty.\n\n\
             **Solution:** Change the cartridge.\n",
        ),
        (
            "ofen.md",
            "# Ofen\n\n| Störung | Ursache | Abhilfe |\n|---|---|---|\n| Ofen raucht | Kamin ist verstopft | Kaminfeger rufen |\n| Ofen wird nicht warm | Holz ist feucht | Trockenes Holz nehmen |\n",
        ),
        (
            "four.md",
            "# Four\n\n## Le four ne chauffe pas\n\n**Cause**\n\nLa résistance est cassée.\n\n**Solution**\n\nRemplacer la résistance.\n",
        ),
    ]);
    for (question, has) in [
        ("Why does the pump hum?", "gravel"),
        ("What causes the pump to leak?", "seal is worn"),
        ("How do I fix the pump that hums?", "gravel out"),
        ("Why does the printer jam?", "dusty"),
        ("Why does the printer print blank pages?", "empty"),
        ("Warum raucht der Ofen?", "verstopft"),
        ("Pourquoi le four ne chauffe-t-il pas ?", "cassée"),
    ] {
        answers(&folder, question, has);
    }
}

/// EM-01: where a document says that nobody knows the reason, that is shown, and not as the reason; what is done to one thing is not done to another.
#[test]
fn em_01_an_unknown_reason_is_none() {
    let folder = Folder::new(&[
        (
            "incidents.md",
            "# Incidents\n\n## Lift stops\n\n**Cause:** not yet known\n\n**Solution:** TBD\n\n## Door sticks\n\n**Cause:** The frame is warped.\n\n\
             **Solution:** Plane it.\n",
        ),
        (
            "heizung.md",
            "# Heizung\n\n## Heizung tropft\n\nUrsache: unbekannt\n\n## Heizung rauscht\n\nUrsache: Luft in der Leitung\n",
        ),
        ("lager.md", "# Lager\n\nFrau Weber gab ihren Schlüssel am Sonntag ab. Die Betten kamen aus der Kaserne.\n"),
    ]);
    for question in [
        "Why does the lift stop?",
        "How do I fix the lift that stops?",
        "Warum tropft die Heizung?",
        "Wer hat die Betten abgegeben?",
    ] {
        doubts(&folder, question, "Not found as asked");
    }
    answers(&folder, "Why does the door stick?", "warped");
    answers(&folder, "Warum rauscht die Heizung?", "Luft");
    answers(&folder, "Wer hat den Schlüssel abgegeben?", "Frau Weber");
}

/// EM-01: prose that only tells that something is so does not tell why; where anything may be a reason it is not doubted.
#[test]
fn em_01_prose_without_a_reason_is_doubted() {
    let folder = Folder::new(&[
        ("archive.md", "# Archive\n\nThe archive room is locked on Fridays. It holds 400 boxes.\n"),
        ("terrace.md", "# Terrace\n\nThe reading room is closed in winter because the heating is too weak.\n"),
        ("rules.md", "# Rules\n\nBikes are parked behind the shed. This keeps the fire lane free.\n"),
        ("gate.md", "# Gate\n\nThe gate is shut at night to keep foxes out.\n"),
        ("music.md", "# Concerts\n\nThe singer was ill. The concert was cancelled.\n"),
        ("sauna.md", "# Bad\n\nDie Sauna ist montags geschlossen. Sie hat 12 Plätze.\n"),
        ("musee.md", "# Musée\n\nLa salle 4 est fermée pour travaux.\n"),
    ]);
    doubts(&folder, "Why is the archive room locked on Fridays?", "does not say why");
    doubts(&folder, "Warum ist die Sauna montags geschlossen?", "does not say why");
    for (question, has) in [
        ("Why is the reading room closed in winter?", "too weak"),
        ("Why are bikes parked behind the shed?", "fire lane"),
        ("Why is the gate shut at night?", "foxes"),
        ("Why was the concert cancelled?", "ill"),
        ("Pourquoi la salle 4 est-elle fermée ?", "travaux"),
    ] {
        answers(&folder, question, has);
    }
}

/// LB-02: verbs are found in one word and in two, and by their irregular forms.
#[test]
fn lb_02_verbs_are_found_in_all_their_forms() {
    let folder = Folder::new(&[
        ("scanner.md", "# Scanner\n\nSetup of the scanner: plug the cable into the blue port.\n"),
        ("till.md", "# Till\n\nLog in at the till with the card of the shop.\n"),
        (
            "heizung.md",
            "# Heizung\n\nDie Heizung schaltet sich um 22 Uhr ab. Morgens wird sie um 6 Uhr eingeschaltet.\n",
        ),
        ("kurs.md", "# Kurs\n\nWer teilnimmt, meldet sich im Büro an. Der Kurs fängt um 9 Uhr an.\n"),
        ("colis.md", "# Colis\n\nLe facteur vient à 10 heures. Les colis reçus sont rangés au sous-sol.\n"),
    ]);
    for (question, has) in [
        ("How do I set up the scanner?", "blue port"),
        ("Where is the login of the till?", "card"),
        ("Wann wird die Heizung abgeschaltet?", "22 Uhr"),
        ("Wann schaltet sich die Heizung ein?", "6 Uhr"),
        ("Wo muss ich mich anmelden?", "Büro"),
        ("Wann hat der Kurs angefangen?", "9 Uhr"),
        ("Quand le facteur doit-il venir ?", "10 heures"),
        ("Où recevoir les colis ?", "sous-sol"),
    ] {
        answers(&folder, question, has);
    }
}
