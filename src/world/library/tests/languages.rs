//! Questions in other languages than English find the forms of their words.

use super::*;

const FILES: [(&str, &str); 8] = [
    ("de.md", "# Nachts\n\nEine Sicherung aller Datenbanken läuft nach Mitternacht.\n"),
    ("fr.md", "# Ménage\n\nLe serveur conserve les anciennes versions des fichiers trente jours.\n"),
    ("es.md", "# Cuentas\n\nLos usuarios cambian sus contraseñas cada año.\n"),
    ("it.md", "# Archivio\n\nLe copie vecchie vengono cancellate dopo un mese.\n"),
    ("pt.md", "# Rede\n\nAs ligações fechadas são abertas de novo.\n"),
    ("nl.md", "# Bestanden\n\nDe oude bestanden worden elke nacht gewist.\n"),
    ("sv.md", "# Filer\n\nAnvändarna byter sina lösenord varje år.\n"),
    ("ru.md", "# Пароли\n\nПользователи меняют пароли каждый год.\n"),
];

#[test]
fn lb_02_inflected_words_of_other_languages_are_found() {
    let fixture = Fixture::new(&FILES);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for (file, question, terms) in [
        ("de.md", "Wann laufen die Sicherungen der Datenbank?", 2),
        ("fr.md", "Combien de jours est-ce que le fichier et son ancienne version sont conservés ?", 3),
        ("es.md", "¿Cuándo cambia el usuario su contraseña?", 3),
        ("it.md", "Quando viene cancellata la copia vecchia?", 3),
        ("pt.md", "Como é aberta a ligação fechada?", 2),
        ("nl.md", "Wanneer wordt het oude bestand gewist?", 2),
        ("sv.md", "När byter en användare lösenordet?", 2),
        ("ru.md", "Когда пользователь меняет пароль?", 2),
    ] {
        let found = library.search(question, &[], 10).unwrap();
        assert_eq!(paths(&found).first(), Some(&file), "{question}: {:?}", found.terms);
        let held = found.passages[0].matched.len();
        assert!(held >= terms, "{question}: {held} of {:?}", found.terms);
        assert!(found.passages[0].score > 0.0);
    }
}

#[test]
fn words_of_grammar_are_not_looked_up() {
    let fixture = Fixture::new(&FILES);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    let terms = |question: &str| -> Vec<String> {
        library.search(question, &[], 10).unwrap().terms.into_iter().map(|term| term.text).collect()
    };
    assert_eq!(terms("Wie ist das mit den Sicherungen?"), ["sicherungen"]);
    assert_eq!(terms("Wie heißt der Server, und wo steht er?"), ["server"]);
    assert_eq!(terms("Wann kommt der Bus?"), ["bus"]);
    assert_eq!(terms("Quel est le serveur ?"), ["serveur"]);
    assert_eq!(terms("What is the die cast of?"), ["die", "cast"], "English keeps its own words");
}

/// LB-02: what was baked is found by how it is to be baked.
#[test]
fn lb_02_participles_of_strong_verbs_are_forms_of_their_verbs() {
    let fixture = Fixture::new(&[("brot.md", "# Brot\n\n60 Minuten backen, dann die Glasur gießen.\n")]);
    let library = fixture.library();
    library.add(&fixture.docs(), None, NEVER).unwrap();
    for question in ["Wie lange wird das gebacken?", "Wann wird die Glasur gegossen?"] {
        let found = library.search(question, &[], 10).unwrap();
        let verb = u16::try_from(found.terms.iter().position(|term| term.text.starts_with("ge")).unwrap()).unwrap();
        assert!(found.passages[0].matched.contains(&verb), "{question}: {:?}", found.terms);
    }
}
