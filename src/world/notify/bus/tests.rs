//! Answers that no bus should give: each is an error, and none of them is waited for without bound.

use std::time::Duration;

use tokio::net::UnixListener;

use super::*;

const LET_IN: &[u8] = b"OK 0123456789abcdef0123456789abcdef\r\n";

fn notification() -> Notification {
    Notification { summary: "Research finished".into(), body: "How deep is the sea?".into(), urgency: 1 }
}

/// A message with these fields in its header, which is all that an answer needs.
fn answer(kind: u8, fields: &[u8], body: &[u8]) -> Vec<u8> {
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let mut out = [&[b'l', kind, 0, 1][..], &length(body), &9_u32.to_le_bytes(), &length(fields), fields].concat();
    out.resize(out.len().next_multiple_of(8), 0);
    [&out, body].concat()
}

fn answer_to(call: u8) -> [u8; 8] {
    [5, 1, b'u', 0, call, 0, 0, 0]
}

/// What comes of a note to something that says `first`, then, if there is a `second`, reads the calls and says it, and hangs up.
async fn told(first: &[u8], second: &[u8]) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let listener = UnixListener::bind(&socket).unwrap();
    let server = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = [0; 2_000];
        let greeting = stream.read(&mut heard).await.unwrap();
        assert!(heard[..greeting].starts_with(b"\0AUTH EXTERNAL 3"), "{:?}", &heard[..greeting]);
        // The client may have gone before it has heard everything.
        let _ = stream.write_all(first).await;
        if !second.is_empty() {
            let _ = stream.read(&mut heard).await;
            let _ = stream.write_all(second).await;
        }
    };
    let sockets = [socket.clone()];
    let notification = notification();
    let both = async { tokio::join!(notify(&sockets, &notification), server).0 };
    tokio::time::timeout(Duration::from_secs(60), both).await.expect("the client does not wait for what cannot come")
}

#[tokio::test]
async fn an_answer_is_waited_for_behind_what_is_none() {
    let signal = answer(4, &[3, 1, b's', 0, 1, 0, 0, 0, b'x', 0], b"whatever");
    let heard = answer(2, &answer_to(1), b"");
    let shown = answer(2, &answer_to(2), &7_u32.to_le_bytes());
    assert_eq!(told(LET_IN, &[&*signal, &heard, &signal, &shown].concat()).await, Ok(()));
    // An answer to the greeting alone is none to the note.
    assert!(told(LET_IN, &[&*heard, &signal].concat()).await.unwrap_err().starts_with("the session bus hung up"));
}

#[tokio::test]
async fn hostile_answers_are_reasons() {
    let endless_line = vec![b'x'; 4 * limits::BUS_LINE_BYTES];
    let signals = answer(4, &[], b"").repeat(2 * limits::BUS_MESSAGES);
    let huge = [&[b'l', 2, 0, 1][..], &u32::MAX.to_le_bytes(), &[1, 0, 0, 0], &u32::MAX.to_le_bytes()].concat();
    let error = answer(3, &[&answer_to(2)[..], &[4, 1, b's', 0, 1, 0, 0, 0, b'E', 0]].concat(), b"");
    let refused = answer(3, &answer_to(1), b"");
    for (first, second, want) in [
        (b"REJECTED EXTERNAL\r\n".as_slice(), b"".as_slice(), "the session bus did not let us in"),
        (b"ERROR\r\n", b"", "the session bus did not let us in"),
        (b"OK", b"", "the session bus is not there"),
        (b"", b"", "the session bus is not there"),
        (&endless_line, b"", "what listens on the address of the session bus is none"),
        (LET_IN, b"", "the session bus hung up"),
        (LET_IN, b"HTTP/1.1 400 Bad Request\r\n\r\n", "the session bus sent what is no answer"),
        (LET_IN, &[0; 64], "the session bus sent what is no answer"),
        (LET_IN, &huge, "the session bus sent what is no answer"),
        (LET_IN, &signals, "the session bus sent everything but an answer"),
        (LET_IN, &error, "E: "),
        (LET_IN, &refused, ": "),
        (LET_IN, &answer(2, &answer_to(2), b"")[..20], "the session bus hung up"),
    ] {
        let why = told(first, second).await.unwrap_err();
        assert!(why.starts_with(want), "{:?} and {:?}: {why}", first.escape_ascii(), second.escape_ascii());
    }
}

/// Nobody answers, at any stage: the note is given up after its time, and not before.
#[tokio::test]
async fn silence_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let silent_from = async |name: &str, said: &[u8]| {
        let socket = folder.path().join(name);
        let listener = UnixListener::bind(&socket).unwrap();
        let desktop = super::super::Desktop::Bus(vec![socket]);
        let note = super::super::Note {
            title: "Research finished".into(),
            body: String::new(),
            task_id: crate::core::base::id::TaskId::from_random(7),
            urgency: super::super::Urgency::Normal,
        };
        let server = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(said).await.unwrap();
            // Until the other side has gone.
            while stream.read(&mut [0; 2_000]).await.is_ok_and(|count| count > 0) {}
        };
        let both = async { tokio::join!(desktop.show(&note), server).0 };
        tokio::time::timeout(Duration::from_secs(60), both).await.expect("the desktop is given up")
    };
    let begun = [LET_IN, b"l\x02\0\x01"].concat();
    let all = tokio::join!(silent_from("a", b""), silent_from("b", LET_IN), silent_from("c", &begun));
    for told in [all.0, all.1, all.2] {
        assert_eq!(told.unwrap_err(), "the desktop did not answer within 2 s");
    }
}
