use super::*;

const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB";

/// LB-01: in whatever file a private key stands, its letters are blotted out, and nothing else moves.
#[test]
fn lb_01_private_keys_in_other_files_are_blotted_out() {
    let blot = "x".repeat(LINE.len());
    for (text, want) in [
        (
            format!("Our key:\n-----BEGIN PRIVATE KEY-----\n{LINE}\nAbCd==\n-----END PRIVATE KEY-----\nKeep it."),
            format!("Our key:\n-----BEGIN PRIVATE KEY-----\n{blot}\nxxxxxx\n-----END PRIVATE KEY-----\nKeep it."),
        ),
        (
            format!(
                r#"{{"id": 7, "private_key": "-----BEGIN PRIVATE KEY-----\n{LINE}\n-----END PRIVATE KEY-----\n"}}"#
            ),
            format!(
                r#"{{"id": 7, "private_key": "-----BEGIN PRIVATE KEY-----\n{blot}\n-----END PRIVATE KEY-----\n"}}"#
            ),
        ),
        (
            format!("-----BEGIN PRIVATE KEY-----\n{LINE}\nand here it is cut off, said somebody"),
            format!("-----BEGIN PRIVATE KEY-----\n{blot}\nand here it is cut off, said somebody"),
        ),
    ] {
        let got = without_private_keys(text.clone());
        assert_eq!(got.len(), text.len());
        assert_eq!(got, want);
    }
    for text in [
        format!("-----BEGIN CERTIFICATE-----\n{LINE}\n-----END CERTIFICATE-----\n"),
        format!(
            "It begins with -----BEGIN PRIVATE KEY-----. Then -----BEGIN CERTIFICATE-----\n{LINE}\n-----END CERTIFICATE-----"
        ),
        "Write -----BEGIN PRIVATE KEY-----\n... and -----END PRIVATE KEY-----, said whoever knows".to_owned(),
        "-----BEGIN PRIVATE KEY-----\nß…".to_owned(),
        "-----BEGIN ".repeat(3),
    ] {
        assert_eq!(without_private_keys(text.clone()), text);
    }
}

/// LB-01: what is looked at does not grow faster than the text.
#[test]
fn lb_01_blotting_takes_one_pass() {
    let hostile = format!("{}{LINE}", "-----BEGIN PRIVATE KEY-----\n".repeat(200_000));
    let clean = without_private_keys(hostile);
    assert!(!clean.contains(LINE) && clean.ends_with('x'));
}

/// LB-01: whatever the width of its lines, with dashes as programs for writing make them, and without its end.
#[test]
fn lb_01_narrow_keys_are_blotted_out() {
    let body = LINE.repeat(4);
    let wrapped = |width: usize| {
        let lines: Vec<&str> = body.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
        lines.join("\n")
    };
    let of = |begin: &str, width: usize, end: &str| {
        format!("The key:\n{begin}\n{}\n{end}\nThat was it, said Rory.", wrapped(width))
    };
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    for width in [4, 8, 12, 20, 33, 39, 40, 64, 76] {
        for (begin, end) in [
            (begin, end),
            (begin, ""),
            (
                "\u{2014}\u{2014}-BEGIN PRIVATE KEY\u{2014}\u{2014}-",
                "\u{2014}\u{2014}-END PRIVATE KEY\u{2014}\u{2014}-",
            ),
            ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2 ENCRYPTED PRIVATE KEY ----"),
            ("-----BEGIN PRIVATE\nKEY-----", end),
            ("PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 4", "Private-MAC: 00"),
        ] {
            let text = of(begin, width, end);
            let blotted: String = wrapped(width).chars().map(|c| if c == '\n' { c } else { 'x' }).collect();
            assert_eq!(without_private_keys(text.clone()), text.replace(&wrapped(width), &blotted), "{width}");
        }
    }
    // The last line of a key without an end.
    let text = format!("{begin}\n{LINE}\nmQ7/Zk3pVb2c8A==\n\nRegards\nRory");
    let want = format!("{begin}\n{}\n{}\n\nRegards\nRory", "x".repeat(LINE.len()), "x".repeat(16));
    assert_eq!(without_private_keys(text), want);
}

/// LB-01: keys of `age` and of JSON have forms of their own.
#[test]
fn lb_01_keys_of_other_forms_are_blotted_out() {
    let age = "GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
    let secret = "X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoVH-HLLKD9";
    for (text, letters) in [
        (format!("The key: AGE-SECRET-KEY-1{age}, says the note."), age),
        (format!(r#"{{"kty": "RSA", "n": "0vx7agoebGcQSuuPiLJXZptN9nnd", "d": "{secret}", "kid": "7"}}"#), secret),
        (format!(r#"Keys: {{ "k" : "{secret}", "kty":"oct" }}"#), secret),
    ] {
        let want = text.replace(letters, &"x".repeat(letters.len()));
        assert_eq!(without_private_keys(text), want);
    }
    for text in [
        format!(r#"{{"n": 7, "d": "{secret}"}}"#),
        r#"{"kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "d": "short"}"#.to_owned(),
        "A key of age begins with AGE-SECRET-KEY-1 and has 58 letters behind it.".to_owned(),
        "The field `Private-Lines: 14` tells how many lines follow.\nThey are base64.\n".to_owned(),
    ] {
        assert_eq!(without_private_keys(text.clone()), text);
    }
}

/// LB-01: a text that speaks of keys keeps its words, also where a hash stands in it.
#[test]
fn lb_01_what_speaks_of_keys_is_kept() {
    let hash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
    for text in [
        "A file begins with -----BEGIN PRIVATE KEY----- and then has\nits letters, sixty-four to a line.\n\nExample\nAnother\nFurther\nChapters\nFollow\nBelow\nHere\n".to_owned(),
        "-----BEGIN PRIVATE KEY-----\n\nbase64 of the key goes here, without blanks\n\n-----END PRIVATE KEY-----\n".to_owned(),
        format!("-----BEGIN PRIVATE KEY----- begins it.\nThis is told in chapter 2.\nAnd so on for a while.\nOne more line of it.\nThe release is {hash}.\n"),
    ] {
        assert_eq!(without_private_keys(text.clone()), text);
    }
}

/// LB-01: objects that are opened again and again are looked at once.
#[test]
fn lb_01_many_objects_take_one_pass() {
    for hostile in ["\"kty\"".repeat(400_000), "{\"kty\"".repeat(300_000), "-BEGIN -END ".repeat(200_000)] {
        assert_eq!(without_private_keys(hostile.clone()).len(), hostile.len());
    }
}
