use super::*;

const FIELDS: [(&str, &str); 2] = [("command", "\"hadal\""), ("args", "[\"serve\"]")];

fn set_hadal(text: &str) -> Result<String, Fault> {
    set(text, "mcp_servers", "hadal", &FIELDS.map(|(field, value)| (field, value.to_owned())))
}

#[test]
fn a_table_is_added_or_mended() {
    for (before, after) in [
        ("", "[mcp_servers.hadal]\ncommand = \"hadal\"\nargs = [\"serve\"]\n"),
        (
            "# mine\nmodel = \"x\" # best\n\n",
            "# mine\nmodel = \"x\" # best\n\n[mcp_servers.hadal]\ncommand = \"hadal\"\nargs = [\"serve\"]\n",
        ),
        (
            "[mcp_servers.other]\r\ncommand = \"x\"\r\n",
            "[mcp_servers.other]\r\ncommand = \"x\"\r\n\r\n[mcp_servers.hadal]\r\ncommand = \"hadal\"\r\nargs = [\"serve\"]\r\n",
        ),
        (
            "[mcp_servers.hadal] # here\ncommand = 'old' # was\nstartup_timeout_sec = 5\n\n[mcp_servers.hadal.env]\nA = \"b\"\n",
            "[mcp_servers.hadal] # here\nargs = [\"serve\"]\ncommand = \"hadal\" # was\nstartup_timeout_sec = 5\n\n[mcp_servers.hadal.env]\nA = \"b\"\n",
        ),
    ] {
        let edited = set_hadal(before).unwrap();
        assert_eq!(edited, after);
        assert_eq!(set_hadal(&edited).unwrap(), edited, "a second time changes nothing");
    }
}

#[test]
fn a_table_is_taken_out_and_nothing_else() {
    for (before, after) in [
        ("a = 1\n", "a = 1\n"),
        ("a = 1\n\n[mcp_servers.hadal]\ncommand = \"hadal\"\n", "a = 1\n\n"),
        (
            "[mcp_servers.hadal]\ncommand = \"\"\"\n[not.a.table]\n\"\"\"\n[mcp_servers.hadal.env]\nA = \"b\"\n\n# of b\n[b]\nc = 1\n",
            "# of b\n[b]\nc = 1\n",
        ),
        // Its tables may stand apart, and one may have no table above it.
        (
            "[mcp_servers.hadal]\ncommand = \"x\"\n\n# of b\n[b]\nc = 1\n[mcp_servers.hadal.env]\nA = \"b\"\n# of d\n[d]\n",
            "# of b\n[b]\nc = 1\n# of d\n[d]\n",
        ),
        ("[mcp_servers.hadal.env]\nA = \"b\"\n[b]\nc = 1\n", "[b]\nc = 1\n"),
        ("[[x]]\na = 1\n[mcp_servers.hadal]\nargs = []\n[[x]]\na = 2\n", "[[x]]\na = 1\n[[x]]\na = 2\n"),
    ] {
        assert_eq!(remove(before, "mcp_servers", "hadal").unwrap(), after);
    }
}

#[test]
fn other_forms_are_left_to_the_user() {
    for text in [
        "mcp_servers = { other = { command = \"x\" } }\n",
        "mcp_servers = { hadal = { command = \"x\" } }\n",
        "[mcp_servers]\nhadal.command = \"x\"\n",
        "mcp_servers = 7\n",
        "[[mcp_servers]]\nname = \"x\"\n",
    ] {
        assert_eq!(set_hadal(text).unwrap_err().what, "has the entry in another form", "{text}");
    }
    assert_eq!(set_hadal("a = 1\nb = \n").unwrap_err(), Fault { line: 2, what: "is not valid TOML" });
    assert!(remove("mcp_servers = { hadal = { command = \"x\" } }\n", "mcp_servers", "hadal").is_err());
}

#[test]
fn fields_are_taken_out_and_nothing_else() {
    let without = |text: &str| without(text, "mcp_servers", "hadal", &["url", "headers"]);
    for (before, after) in [
        ("", ""),
        ("[mcp_servers.other]\nurl = \"x\"\n", "[mcp_servers.other]\nurl = \"x\"\n"),
        (
            "[mcp_servers.hadal]\nurl = \"x\" # there\nheaders = { A = \"\"\"\nb\"\"\" }\nenabled = true",
            "[mcp_servers.hadal]\nenabled = true",
        ),
        (
            "[mcp_servers.hadal]\nurl = 'x'\n[b]\nc = 1\n[mcp_servers.hadal.headers]\nA = \"b\"\n",
            "[mcp_servers.hadal]\n[b]\nc = 1\n",
        ),
    ] {
        assert_eq!(without(before).unwrap(), after);
    }
    let dotted = "[mcp_servers.hadal]\nheaders.A = \"b\"\n";
    assert_eq!(without(dotted).unwrap_err().what, OTHER_FORM);
}

#[test]
fn texts_are_quoted() {
    let odd = "a\"b\\c\n\u{1}é";
    let written = format!("x = {}", quoted(odd));
    let document = Document::parse(&written).unwrap();
    assert_eq!(document.as_table().get("x").and_then(Item::as_str), Some(odd));
}
