use super::super::equals::tests::asked_of;
use super::*;

const PROXY: &str = "global\n    maxconn 20000\n    user proxy\n    group proxy\ndefaults\n    mode http\n    timeout connect 4s\n    \
                     timeout client 50s\n    retries 2\nfrontend web\n    bind 10.0.0.1:80\n    mode tcp\nlisten stats\n    stats enable\n";
const NETS: &str = "{\n  \"vlans\": [\n    {\n      \"id\": 20,\n      \"name\": \"servers\",\n      \"subnet\": \"10.20.0.0\"\n    },\n    {\n      \
                    \"id\": 40,\n      \"name\": \"guests\",\n      \"subnet\": \"10.40.0.0\"\n    }\n  ],\n  \"switches\": []\n}\n";
const FLAT: &str =
    "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nworkers = 6\ng = 7\nh = 8\ni = 9\nj = 10\nk = 11\nl = 12\nm = 13\n";
const UNITS: &str = "[Unit]\nDescription=x\nAfter=y\n\n[Timer]\nOnCalendar=daily\nPersistent=true\n\n[Install]\nWantedBy=timers\nAlso=a\nAlias=b\nx=1\n";

/// EM-01: of settings and data the section or record that was asked for is quoted, with its name; what is short stays whole.
#[test]
fn em_01_a_block_of_settings_is_quoted_and_not_the_file() {
    for (question, above, text, begins, ends) in [
        ("What is the client timeout?", "", PROXY, "defaults\n", "retries 2"),
        ("What is the client timeout of our haproxy?", "haproxy.cfg", PROXY, "defaults\n", "retries 2"),
        ("How are stats enabled?", "", PROXY, "listen stats", "stats enable"),
        ("guests vlans subnet", "", NETS, "    {\n      \"id\": 40", "    }"),
        ("workers", "", FLAT, "b = 2", "j = 10"),
        ("What is persistent?", "", UNITS, "[Timer]", "Persistent=true"),
        // Its words stand in different blocks, or nowhere.
        ("maxconn timeout", "", PROXY, "global", "stats enable\n"),
        ("colour", "", PROXY, "global", "stats enable\n"),
    ] {
        let found = block_of(&asked_of(question), &[above], text, 0..text.len());
        let quote = cut(text, &found);
        assert!(quote.starts_with(begins) && quote.ends_with(ends), "{question}: {quote}");
    }
    let short = "a = 1\nb = 2\n";
    assert_eq!(block_of(&asked_of("b"), &[], short, 0..short.len()), 0..short.len());
}

/// EM-01: a block of data is told with the lines that it stands in.
#[test]
fn em_01_the_lines_around_a_block_are_known() {
    let at = NETS.find("    {\n      \"id\": 40").unwrap_or_default();
    assert_eq!(lines_around(&asked_of("vlan"), NETS, at), "  \"vlans\": [\n{");
    assert_eq!(lines_around(&asked_of("vlan"), NETS, 0), "");
    assert_eq!(lines_around(&asked_of("vlan"), NETS, NETS.len()), "");
}
