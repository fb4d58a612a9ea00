use proptest::prelude::*;

use super::*;

/// Byte for byte as the specification lays a message out; the real daemon reads it in the tests of `notify`.
#[test]
fn a_call_is_laid_out_by_the_rules() {
    let hello = hello();
    let head = [b'l', 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 110, 0, 0, 0];
    assert_eq!(hello.get(..16).unwrap(), head);
    assert_eq!(hello.get(16..46).unwrap(), b"\x01\x01o\0\x15\0\0\0/org/freedesktop/DBus\0");
    assert_eq!(hello.len(), 128);
    assert_eq!(whole_length(head.first_chunk().unwrap()), Some(128));
    // The pairs of the hints begin at a multiple of 8, which is at once or after a gap.
    for (text, text_bytes, gap) in
        [("Bö", "\u{3}\0\0\0Bö\0", b"".as_slice()), ("Bööö", "\u{7}\0\0\0Bööö\0", b"\0\0\0\0")]
    {
        let notify = notify(&Notification { summary: "S".into(), body: text.into(), urgency: 2 });
        let body = [
            &b"\x05\0\0\0hadal\0\0\0"[..],
            b"\0\0\0\0",
            b"\0\0\0\0\0\0\0\0",
            b"\x01\0\0\0S\0\0\0",
            text_bytes.as_bytes(),
            b"\0\0\0\0",
            &[b"\x10\0\0\0", gap, b"\x07\0\0\0urgency\0\x01y\0\x02"].concat(),
            b"\xff\xff\xff\xff",
        ]
        .concat();
        assert!(notify.ends_with(&body), "{}", notify.escape_ascii());
        assert_eq!(notify.get(4..8).unwrap(), u32::try_from(body.len()).unwrap().to_le_bytes());
        assert_eq!(whole_length(notify.first_chunk().unwrap()), Some(notify.len()));
    }
}

#[test]
fn answers_are_read_in_either_order_of_bytes() {
    let little = b"l\x03\0\x01\x07\0\0\0\x05\0\0\0\x1f\0\0\0\x05\x01u\0\x02\0\0\0\x04\x01s\0\x01\0\0\0E\0\0\0\0\0\0\0\x08\x01g\0\x01s\0\0\x02\0\0\0no\0";
    let big = b"B\x03\0\x01\0\0\0\x07\0\0\0\x05\0\0\0\x1f\x05\x01u\0\0\0\0\x02\x04\x01s\0\0\0\0\x01E\0\0\0\0\0\0\0\x08\x01g\0\x01s\0\0\0\0\0\x02no\0";
    for message in [little, big] {
        assert_eq!(whole_length(message.first_chunk().unwrap()), Some(message.len()));
        assert_eq!(answer(message), Some(Answer { to: Some(2), error: Some("E: no".into()) }));
        for cut in 0..message.len() {
            assert_eq!(answer(&message[..cut]), None, "{cut}");
        }
    }
    assert_eq!(answer(&hello()), Some(Answer::default()), "a call answers nothing");
}

#[test]
fn what_is_no_message_has_no_length() {
    let head = |first: u8, version: u8, body: u32, fields: u32| {
        let rest = [body.to_le_bytes(), [1, 0, 0, 0], fields.to_le_bytes()].concat();
        whole_length([&[first, 2, 0, version][..], &rest].concat().first_chunk().unwrap())
    };
    let most = u32::try_from(limits::BUS_MESSAGE_BYTES).unwrap();
    for (got, want) in [
        (head(b'l', 1, 4, 9), Some(36)),
        (head(b'l', 1, most - 16, 0), Some(limits::BUS_MESSAGE_BYTES)),
        (head(b'l', 1, most - 15, 0), None),
        (head(b'l', 1, u32::MAX, u32::MAX), None),
        (head(b'l', 1, 0, u32::MAX), None),
        (head(b'l', 2, 0, 0), None),
        (head(b'H', 1, 0, 0), None),
    ] {
        assert_eq!(got, want);
    }
}

proptest! {
    #[test]
    fn no_bytes_are_a_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), sound in any::<bool>()) {
        if let (true, Some(head)) = (sound, bytes.first_chunk_mut::<4>()) {
            *head = [b'l', 3, 0, 1];
        }
        // Read or refused; and what is read of a head is within its bound.
        let _ = answer(&bytes);
        if let Some(head) = bytes.first_chunk() {
            prop_assert!(whole_length(head).is_none_or(|length| (HEAD_BYTES..=limits::BUS_MESSAGE_BYTES).contains(&length)));
        }
    }
}
