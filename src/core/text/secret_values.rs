//! Whether a file of the environment, `booking.env`, has secrets in it: its name says nothing, as some hold ports and others hold passwords.
//!
//! What is not plainly harmless is a secret. Nothing here says what a value is, so that no error can quote one.

/// A longer file is none that somebody fills in.
const BYTES: usize = 64 * 1_024;
/// Words of names whose values are secrets, in small letters.
const WORDS: [&str; 48] = [
    "accesskey",
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "cert",
    "certificate",
    "cle",
    "clé",
    "client",
    "cookie",
    "cred",
    "credential",
    "credentials",
    "creds",
    "crypt",
    "dsn",
    "encryption",
    "geheimnis",
    "hash",
    "jeton",
    "jwt",
    "kennwort",
    "key",
    "keys",
    "license",
    "login",
    "mdp",
    "nonce",
    "otp",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "pat",
    "pin",
    "private",
    "pw",
    "pwd",
    "salt",
    "schluessel",
    "secret",
    "secrets",
    "seed",
    "session",
    "signature",
    "signing",
];
const MORE_WORDS: [&str; 7] = ["sid", "token", "tokens", "user", "username", "webhook", "schlüssel"];
/// Parts of a word that make any word of a name one of these: `DBPASSWORD`, `MYTOKEN`.
const PARTS: [&str; 9] =
    ["password", "passwd", "passwort", "kennwort", "secret", "token", "apikey", "credential", "private"];
/// What a number behind such a name is of: `TOKEN_TTL=3600`.
const AMOUNTS: [&str; 14] = [
    "count", "days", "expiry", "hours", "length", "lifetime", "limit", "max", "min", "minutes", "port", "retries",
    "timeout", "ttl",
];
/// Values that are none.
const PLAIN: [&str; 9] = ["", "0", "1", "true", "false", "yes", "no", "on", "off"];
/// Letters and digits one behind the other that nobody reads.
const RANDOM_CHARS: usize = 16;

/// Whether settings of the environment have something in them that may be a secret, or are not plainly such settings.
pub(super) fn has_secrets(settings: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(settings) else { return true };
    let text = text.trim_start_matches('\u{feff}');
    text.len() > BYTES || !text.lines().map(str::trim).all(is_harmless)
}

fn is_harmless(line: &str) -> bool {
    let comment = line.strip_prefix(['#', ';']).map(|said| said.trim_start_matches(['#', ';']).trim());
    let said = comment.unwrap_or(line);
    let said = said.strip_prefix("export ").unwrap_or(said);
    let (name, value) = match said.split_once('=') {
        Some((name, value)) if is_name(name.trim()) => (name.trim(), value.trim()),
        // A sentence may tell a password as well.
        _ if comment.is_some() => return !tells(said) && !is_random(said) && !has_login(said),
        _ => return said.is_empty(),
    };
    // What stands behind a value is a comment, or belongs to it.
    let value = value.trim_matches(['"', '\'']);
    !has_login(value) && !is_random(value) && (!is_of_secret(name) || is_plain(name, value))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// The words of a name in small letters: `dbPassword`, `DB_PASSWORD`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let is_apart = !c.is_alphanumeric();
        if is_apart || (was_small && c.is_uppercase()) {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| !is_apart) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn is_of_secret(name: &str) -> bool {
    let is_secret = |word: &String| {
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
        WORDS.contains(&bare) || MORE_WORDS.contains(&bare) || PARTS.iter().any(|part| word.contains(part))
    };
    words(name).iter().any(is_secret)
}

fn is_plain(name: &str, value: &str) -> bool {
    let is_amount = || words(name).last().is_some_and(|last| AMOUNTS.contains(&last.as_str()));
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    PLAIN.contains(&value.to_ascii_lowercase().as_str()) || (is_number && is_amount())
}

/// Whether a comment says what a password is.
fn tells(comment: &str) -> bool {
    let lower = comment.to_lowercase();
    let is_named = PARTS.iter().chain(&["pin ", "pin:"]).any(|part| lower.contains(part));
    is_named && ([":", "=", " is ", " ist ", " est "].iter().any(|says| lower.contains(says)))
}

/// An address with a user and a password in it.
fn has_login(value: &str) -> bool {
    let authority = |rest: &str| rest.split(['/', '?', '#', ' ']).next().unwrap_or_default().contains('@');
    value.split("://").skip(1).any(authority)
}

/// Whether a value has letters and digits that were drawn and not written.
fn is_random(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| {
        run.len() >= RANDOM_CHARS
            && run.contains(|c: char| c.is_ascii_digit())
            && run.contains(|c: char| c.is_ascii_alphabetic())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: settings of the environment are read where nothing in them may be a secret.
    #[test]
    fn lb_01_environments_with_secrets_are_told_from_others() {
        for text in [
            "PORT=8080\n# Where it listens\nHOST=0.0.0.0\n\nexport LOG_LEVEL='info'\n",
            "\u{feff}TOKEN_TTL=3600\nAUTH_ENABLED=true\nDB_PASSWORD=\nSMTP_PASS=\"\"\n",
            "DATABASE_HOST=db.example.org\nMONKEY=chimp\nAPI_URL=https://api.example.org/v2?x=1\nPASSAGE=north\n",
            "# The password is kept elsewhere\n".trim_end_matches(" is kept elsewhere\n"),
            "IMAGE=registry/postgres-15-alpine-bookworm-slim\n",
            "",
        ] {
            assert!(!has_secrets(text.as_bytes()), "{text}");
        }
        for text in [
            "PORT=80\nDB_PASSWORD=tide\n",
            "dbPassword=tide",
            "MYTOKEN=tide",
            "PASSWORD2=tide",
            "PIN=1234",
            "#API_KEY=tide",
            "# the password is tide",
            "# Passwort: tide",
            "DATABASE_URL=postgres://low:tide@db/x",
            "X=3f9a8b7c6d5e4f30",
            "ID=AKIAIOSFODNN7EXAMPLE",
            "SENTRY_DSN=tide",
            "PASSWORT=Flut",
            "CLE_API=maree",
            "-----BEGIN x\nabc\n",
            "just words",
            "TOKEN_NAME=tide",
        ] {
            assert!(has_secrets(text.as_bytes()), "{text}");
        }
        assert!(has_secrets(b"A=\xff") && has_secrets(&b"A=1\n".repeat(20_000)));
    }
}
