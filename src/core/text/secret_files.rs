//! Files that are kept for the secrets in them: nobody asks a library for those, and no answer should quote one. Private keys that stand in
//! other files are blotted out by `private_keys`.

use super::file_names::PATTERNS;

/// What such files are called as a whole.
const NAMES: [&str; 42] = [
    ".boto",
    ".curlrc",
    ".databrickscfg",
    ".dockercfg",
    ".dockerconfigjson",
    ".envrc",
    ".fetchmailrc",
    ".flaskenv",
    ".git-credentials",
    ".gitcookies",
    ".htdigest",
    ".htpasswd",
    ".mailrc",
    ".msmtprc",
    ".my.cnf",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".passwd-s3fs",
    ".pgpass",
    ".pypirc",
    ".renviron",
    ".s3cfg",
    ".smbcredentials",
    ".terraformrc",
    ".vault-token",
    ".wgetrc",
    ".yarnrc",
    ".yarnrc.yml",
    "_netrc",
    "auth.json",
    "env",
    "gshadow",
    "htpasswd",
    "kaggle.json",
    "logins.json",
    "pgpass.conf",
    "rclone.conf",
    "sasl_passwd",
    "shadow",
    "wp-config.php",
    "wpa_supplicant.conf",
];
/// What keys of SSH are called, with whatever stands behind it.
const KEYS: [&str; 6] = ["id_dsa", "id_ecdsa", "id_ed25519", "id_rsa", "id_xmss", "ssh_host_"];
/// What ends with this is the public half of a key, or explains it.
const ABOUT_KEYS: [&str; 3] = [".pub", ".md", ".html"];
/// What they end with, whatever stands before it.
const ENDINGS: [&str; 17] = [
    "env",
    "pem",
    "key",
    "p12",
    "pfx",
    "pk8",
    "ppk",
    "jks",
    "keystore",
    "kdbx",
    "gpg",
    "tfvars",
    "tfvars.json",
    "tfstate",
    "tfstate.json",
    "ovpn",
    "kubeconfig",
];
/// What they are called before the ending of a list, of settings or of data, also behind another word: `aws-credentials.csv`. Pages and programs of
/// such a name explain or read them.
const STEMS: [&str; 15] = [
    "access_token",
    "api_key",
    "api-key",
    "apikey",
    "auth_token",
    "client_secret",
    "credentials",
    "kubeconfig",
    "passwords",
    "secrets",
    "service-account",
    "service_account",
    "token",
    "vault_pass",
    "vault_password",
];
const LISTS: [&str; 17] = [
    "",
    "cfg",
    "cnf",
    "conf",
    "csv",
    "ini",
    "json",
    "jsonc",
    "ods",
    "properties",
    "toml",
    "tsv",
    "txt",
    "xlsx",
    "xml",
    "yaml",
    "yml",
];
/// What programs put behind the name of a file that they keep once more.
const COPIES: [&str; 9] = [".backup", ".bak", ".old", ".orig", ".save", ".swp", ".tmp", "~", "-"];
/// Names that are taken off a name at most.
const COPIES_OF_COPIES: usize = 3;
/// Hidden folders of programs that keep keys and tokens, by their last names.
const FOLDERS: [&str; 18] = [
    ".aws",
    ".azure",
    ".composer",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/op",
    ".docker",
    ".gnupg",
    ".gradle",
    ".irssi",
    ".jupyter",
    ".kube",
    ".oci",
    ".op",
    ".password-store",
    ".snowsql",
    ".ssh",
];

/// Whether a file of this name, in lower case, usually holds secrets.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = without_marks_of_copies(name);
    let bare = name.strip_prefix('.').unwrap_or(name);
    let is_stem = |stem: &str| stem.len() > 1 && stem.ends_with('.');
    // What was typed into shells and databases.
    let is_history = name.starts_with('.') && name.ends_with("_history");
    let is_key = KEYS.iter().any(|key| name.starts_with(key)) && !ABOUT_KEYS.iter().any(|end| name.ends_with(end));
    let is_named =
        is_key || NAMES.contains(&name) || ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(is_stem));
    is_named || is_environment(name) || is_history || is_list(bare)
}

/// The ending of such a file, where it says of what kind it is: `pem`.
pub(crate) fn own_ending(name: &str) -> Option<&str> {
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty() && ENDINGS.contains(&ending) && !is_environment(name)).then_some(ending)
}

/// Whether a hidden file shows how to fill in one of secrets, and has none itself: `.env.example`.
pub(crate) fn is_pattern_of_secret(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| PATTERNS.contains(&ending) && is_secret(stem))
}

/// Whether a folder of this path belongs to a program that keeps keys or tokens in it.
pub(crate) fn is_folder_of_secrets(path: &str) -> bool {
    let is_whole = |above: &str| above.is_empty() || above.ends_with('/');
    FOLDERS.iter().any(|folder| path.strip_suffix(folder).is_some_and(is_whole))
}

/// A name without what says that the file is a copy: `#.env#`, `shadow-`, `id_rsa.bak`.
fn without_marks_of_copies(name: &str) -> &str {
    let mut name = name.trim().trim_matches('#');
    for _ in 0..COPIES_OF_COPIES {
        let Some(original) = COPIES.iter().find_map(|mark| name.strip_suffix(mark)).filter(|name| !name.is_empty())
        else {
            break;
        };
        name = original;
    }
    name
}

/// `.env` and `.env.production`; the file that shows how to write it is none.
fn is_environment(name: &str) -> bool {
    let is_pattern = |kind: &str| PATTERNS.contains(&kind.rsplit('.').next().unwrap_or_default());
    name.strip_prefix(".env").is_some_and(|kind| !kind.starts_with(char::is_alphanumeric) && !is_pattern(kind))
}

/// Whether it is a list of secrets by its name without a leading point.
fn is_list(bare: &str) -> bool {
    let (stem, ending) = bare.rsplit_once('.').unwrap_or((bare, ""));
    let joins = ['-', '_', '.', ' '];
    let is_named = |name: &&str| {
        let behind = stem.strip_suffix(*name).is_some_and(|rest| rest.is_empty() || rest.ends_with(joins));
        // Google numbers these.
        let before = stem.strip_prefix(*name).is_some_and(|rest| rest.starts_with(joins) && ending == "json");
        behind || before
    };
    LISTS.contains(&ending) && STEMS.iter().any(is_named)
}

/// How a block of a key is written: `-----BEGIN RSA PRIVATE KEY-----`.
const BEGIN: &str = "-----BEGIN ";
const OLD_BEGIN: &str = "---- BEGIN ";
const PRIVATE_KEY: &str = "PRIVATE KEY";
const PUTTY: &str = "PuTTY-User-Key-File-";
/// What a file of a key begins with.
const BEGINNINGS: [&str; 5] = [BEGIN, OLD_BEGIN, PUTTY, "Bag Attributes", "Key Attributes"];

/// Whether a file is a private key, whatever it is called. Programs write a certificate, or names and values, above the key, but no sentence.
pub(crate) fn is_private_key(head: &[u8]) -> bool {
    // Of UTF-16 its letters.
    let plain: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&plain);
    let text = text.trim_start_matches(|c: char| matches!(c, '\u{feff}' | '\u{fffd}') || c.is_whitespace());
    if !BEGINNINGS.iter().any(|begin| text.starts_with(begin)) {
        return false;
    }
    let is_key = |line: &str| begins_key(line) || line.starts_with(PUTTY);
    let is_above_key = |line: &str| {
        let is_named = line.contains(": ") || line.ends_with(':') || line.ends_with("Attributes");
        line.starts_with('-') || is_named || !line.contains(' ')
    };
    text.lines().map(str::trim).find(|line| is_key(line) || !is_above_key(line)).is_some_and(is_key)
}

fn begins_key(line: &str) -> bool {
    let title = line.strip_prefix(BEGIN).or_else(|| line.strip_prefix(OLD_BEGIN));
    title.is_some_and(|title| title.contains(PRIVATE_KEY))
}

#[cfg(test)]
#[path = "secret_files_tests.rs"]
mod tests;
