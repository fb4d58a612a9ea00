use super::super::equals::tests::asked_of;
use super::*;

const SERVICES: &str = "services:\n  checkout:\n    owner: payments\n    timeout_seconds: 30\n  search:\n    owner: discovery\n    \
                        depends_on: [checkout-db]\n  accounts:\n    owner: identity\n    limits:\n      memory: 512Mi\n";
const QUEENS: &str =
    "queens:\n  - hive: Alder\n    colour: yellow\n    temper: calm\n  - hive: Birch\n    colour: red\n";
const PEOPLE: &str = "[\n  {\n    \"name\": \"Ann Lee\",\n    \"phone\": \"17\",\n    \"home\": {\n      \"city\": \"York\"\n    }\n  },\n  \
                      {\n    \"name\": \"Bob Ray\",\n    \"room\": \"4\"\n  }\n]\n";
const SITES: &str =
    "[\n {\"site\": \"Ward Hill\", \"power\": 500, \"painted\": 2020},\n {\"site\": \"Lamb Holm\", \"power\": 50}\n]\n";
const SERVERS: &str = "[web]\nhost = \"a\"\nport = 80\n\n[mail]\nhost = \"b\"\n";
const RESOURCE: &str = "metadata:\n  name: gateway\nspec:\n  replicas: 3\n  port: 80\n";

/// EM-01: what only different records have is not asked of any of them.
#[test]
fn em_01_what_no_record_has_is_named() {
    for (question, path, text, apart) in [
        ("What is the timeout of search?", "a.yaml", SERVICES, Some(["timeout", "search"])),
        ("What is the timeout of checkout?", "a.yaml", SERVICES, None),
        ("Who is the owner of search?", "a.yaml", SERVICES, None),
        ("What memory do accounts have?", "a.yaml", SERVICES, None),
        // They stand side by side.
        ("Do search and accounts have an owner?", "a.yaml", SERVICES, None),
        ("Is the timeout of search longer than that of checkout?", "a.yaml", SERVICES, None),
        ("What is the timeout of search?", "a.md", SERVICES, None),
        ("What is the temper of Birch?", "q.yml", QUEENS, Some(["temper", "birch"])),
        ("What is the temper of Alder?", "q.yml", QUEENS, None),
        ("What is the phone of Bob?", "p.json", PEOPLE, Some(["phone", "bob"])),
        ("What is the phone of Ann?", "p.json", PEOPLE, None),
        ("What is the city of Ann?", "p.json", PEOPLE, None),
        ("What is the city of Bob?", "p.json", PEOPLE, Some(["city", "bob"])),
        ("What is the power of Lamb?", "s.json", SITES, None),
        ("When was Lamb painted?", "s.json", SITES, Some(["painted", "lamb"])),
        ("When was Hill painted?", "s.json", SITES, None),
        ("What is the port of mail?", "s.toml", SERVERS, Some(["port", "mail"])),
        ("What is the port of web?", "s.ini", SERVERS, None),
        ("How many replicas has the gateway?", "k.yaml", RESOURCE, None),
        ("What is it?", "k.yaml", "", None),
    ] {
        let asked = asked_of(question);
        let found = never_in_one_record(&asked, &[], path, text).map(BTreeSet::from);
        assert_eq!(found, apart.map(BTreeSet::from), "{question} {path}");
        assert_eq!(
            never_in_one_record(&asked, &["search, birch, bob, lamb and mail"], path, text),
            None,
            "{question} {path}"
        );
    }
}

/// EM-01: a field without a value is no answer, and is named.
#[test]
fn em_01_an_empty_field_is_told() {
    let chairs = "items:\n  - name: weighing chair\n    place: Bay D\n    last_service:\n    service_by: Marsden\n  - name: blanket warmer\n    \
                  last_service: 2022-10-03\n";
    let agents = "agents:\n  Rotterdam: {name: Waterweg, phone: \"+31\", contact: Joost}\n  Reykjavik: {name: Faxi, phone: \"+354\", contact: }\n";
    let hoses = "[\n {\"item\": \"fire hoses\", \"count\": 11, \"next_service\": null},\n {\"item\": \"raft\", \"count\": 2, \"next_service\": \"2025-02\"}\n]\n";
    let carriers =
        "[carriers.kestrel]\nendpoint = \"https://k.example\"\ncontact = \"\"\n\n[carriers.heron]\ncontact = \"ann\"\n";
    for (question, path, text, empty) in [
        ("When was the last service of the weighing chair?", "e.yaml", chairs, Some("last_service")),
        ("When was the last service of the blanket warmer?", "e.yaml", chairs, None),
        ("What is the place of the weighing chair?", "e.yaml", chairs, None),
        ("Who is the contact at Faxi in Reykjavik?", "v.yaml", agents, Some("contact")),
        ("Who is the contact in Rotterdam?", "v.yaml", agents, None),
        ("When is the next service of the fire hoses?", "s.json", hoses, Some("next_service")),
        ("When is the next service of the raft?", "s.json", hoses, None),
        ("How many fire hoses are there?", "s.json", hoses, None),
        ("What is the contact of the carrier kestrel?", "s.toml", carriers, Some("contact")),
        ("What is the contact of the carrier heron?", "s.toml", carriers, None),
        ("What is the contact of the carrier kestrel?", "s.md", carriers, None),
        ("What is it?", "s.toml", "", None),
    ] {
        assert_eq!(nothing_in_field(&asked_of(question), path, text).as_deref(), empty, "{question}");
    }
}

/// EM-01: a value that begins on the line below its key is one.
#[test]
fn em_01_values_of_several_lines_are_values() {
    let three = |quotes: &str| format!("[server]\ncolour = {quotes}\ngray = a\ngreen{quotes}\nport =\n");
    let cut_off = "[server]\nport = 80\ncolour = \"\"\"\ngray".to_owned();
    let list = "[server]\ncolour = [\n\"gray\",\n\"green\",\n]\n".to_owned();
    let empty = "[server]\ncolour = \"\"\"\"\"\"\nport = 80\n".to_owned();
    for (question, text, nothing) in [
        ("What is the colour of the server?", three("\"\"\""), None),
        ("What is the colour of the server?", three("'''"), None),
        ("What is the port of the server?", three("\"\"\""), Some("port")),
        ("What is the colour of the server?", cut_off, None),
        ("What is the colour of the server?", list, None),
        ("What is the colour of the server?", empty, Some("colour")),
    ] {
        assert_eq!(nothing_in_field(&asked_of(question), "s.toml", &text).as_deref(), nothing, "{text}");
    }
    // What is said in such a value is said of its key.
    let asked = asked_of("Is the colour of the server green?");
    assert_eq!(never_in_one_record(&asked, &[], "s.toml", &three("\"\"\"")), None);
}
