use super::*;

const KEY: &str = "AIzaSy+D/9f=k2\"q\\Zt_7";

fn base64(text: &[u8], alphabet: &[u8; 64]) -> String {
    let mut letters = String::new();
    for three in text.chunks(3) {
        let bits = three.iter().chain([&0, &0]).take(3).fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        for at in 0..=three.len() {
            letters.push(char::from(alphabet[bits >> (18 - 6 * at) & 63]));
        }
    }
    letters
}

fn percent(text: &str, upper: bool) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => char::from(byte).to_string(),
        _ if upper => format!("%{byte:02X}"),
        _ => format!("%{byte:02x}"),
    };
    text.bytes().map(byte).collect()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap().trim_matches('"').to_owned()
}

fn html(text: &str, other: fn(char) -> String) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { other(c) }).collect()
}

fn hex(text: &str, digits: fn(&u8) -> String) -> String {
    text.as_bytes().iter().map(digits).collect()
}

/// PR-02: each form in which a key comes back is masked, whatever stands around it, and nothing else is.
#[test]
fn a_key_is_masked_in_every_form() {
    let masks = Masks::new([KEY]);
    let forms = [
        KEY.to_owned(),
        percent(KEY, true),
        percent(KEY, false),
        percent(&percent(KEY, true), false),
        json(KEY),
        json(&json(KEY)),
        json(KEY).replace('/', "\\/").replace('+', "\\u002b"),
        json(KEY).replace('=', "\\u003D"),
        percent(&json(KEY), true),
        KEY.replace('"', "&quot;"),
        html(KEY, |c| format!("&#{};", c as u32)),
        html(KEY, |c| format!("&#x{:02X};", c as u32)),
        KEY.replace('+', "&plus;").replace('/', "&sol;").replace('=', "&equals;").replace('"', "&quot;"),
        json(&html(KEY, |c| format!("&#{};", c as u32))),
        html(KEY, |c| format!("\\x{:02x}", c as u32)),
        hex(KEY, |byte| format!("{byte:02x}")),
        hex(KEY, |byte| format!("{byte:02X}")),
        hex(KEY, |byte| format!("\\x{byte:02x}")),
        hex(KEY, |byte| format!("&#{byte};")),
    ];
    for form in forms {
        for (before, behind) in
            [("", ""), ("key=", "&x=1"), ("\"", "\" (after 3 s)"), ("ä", "ö"), ("\\n", "\\n"), ("%41", "%")]
        {
            let text = format!("{before}{form}{behind}");
            assert_eq!(masks.text(&text), format!("{before}{MASK}{behind}"), "{text}");
        }
    }
    for alphabet in [STANDARD, URL_SAFE] {
        for before in ["", "u:", "Bearer ", "abc", "abcd", "abcde"] {
            for behind in ["", "x", "xy", "xyz"] {
                let letters = base64(format!("{before}{KEY}{behind}").as_bytes(), alphabet);
                let padding = "=".repeat((4 - letters.len() % 4) % 4);
                for (said, want) in [
                    (format!("Basic {letters}"), format!("Basic {MASK}")),
                    (format!("Basic {letters}{padding}, no"), format!("Basic {MASK}, no")),
                    (format!("{{\"a\":\"{}\"}}", letters.replace('/', "\\/")), format!("{{\"a\":\"{MASK}\"}}")),
                    (format!("?a={}&b", percent(&format!("{letters}{padding}"), false)), format!("?a={MASK}&b")),
                ] {
                    assert_eq!(masks.text(&said), want, "{before:?} {behind:?} {said}");
                }
            }
        }
    }
    let plain =
        "AIzaSy is how keys begin, and 100 % of C:\\new are \\u0041 and %41 &amp; &#65; &nosuch; 0x41. ".repeat(50);
    assert!(matches!(masks.text(&plain), Cow::Borrowed(_)));
}

/// Messages are cut to a length before anybody looks for keys.
#[test]
fn a_cut_key_is_masked_too() {
    let masks = Masks::new(["sk-0123456789abcdefghijklmnop"]);
    for (text, want) in [
        ("Bearer sk-0123456789", "Bearer ********"),
        ("Bearer sk-01234567… (after 3 s)", "Bearer ********… (after 3 s)"),
        ("Bearer sk-0123456789abc (after 3 s)", "Bearer ******** (after 3 s)"),
        ("…89abcdefghijklmnop", "…********"),
        ("Bearer sk-01234 is short", "Bearer sk-01234 is short"),
        ("abcdefghijklm", "abcdefghijklm"),
        ("sk-0123456789abcdefghijklmnopsk-0123456789abcdefghijklmnop", "********"),
    ] {
        assert_eq!(masks.text(text), want, "{text}");
    }
}

/// A short key is a word like any other: taking it out would tear replies apart.
#[test]
fn short_keys_are_no_keys() {
    for key in ["", "a", "id", "1234567"] {
        assert!(matches!(Masks::new([key]).text("a paid id 1234567 is a word"), Cow::Borrowed(_)), "{key}");
    }
    assert_eq!(Masks::new(["12345678"]).text("a12345678"), format!("a{MASK}"));
}

#[test]
fn values_keep_their_form() {
    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Reply {
        text: String,
        more: Vec<Option<String>>,
        count: u64,
        share: f64,
    }
    let reply =
        |text: &str| Reply { text: text.into(), more: vec![None, Some(text.into())], count: u64::MAX, share: 0.1 };
    let masks = Masks::new([KEY]);
    assert_eq!(masks.value(reply(&format!("no {KEY}!"))).unwrap(), reply("no ********!"));
    assert_eq!(masks.value(reply("\\n % fine")).unwrap(), reply("\\n % fine"));
}
