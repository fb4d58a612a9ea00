//! Files that are kept for the secrets in them: nobody asks a library for those, and no answer should quote one. Private keys that stand in
//! other files are blotted out by `private_keys`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::file_names::{NAMED_TEXT, PATTERNS, of_whole_name};
use super::format::{Format, unknown_ending};
use super::unknown_endings::{original_of, stems};
use crate::core::base::rows::{is_listed, listed, phrases, set};

/// What such files are called as a whole.
const NAMES: &str = ".authinfo .boto .curlrc .databrickscfg .dockercfg .dockerconfigjson .envrc .fetchmailrc .flaskenv \
     .git-credentials .gitcookies .htdigest .htpasswd .mailrc .msmtprc .my.cnf .mylogin.cnf .netrc .npmrc .passwd-s3fs \
     .pgpass .pypirc .rclone.conf .renviron .s3cfg .smbcredentials .terraformrc .vault-token .wgetrc .xauthority \
     .yarnrc .yarnrc.yml _netrc auth.json env gshadow htpasswd http-token http-tokens.toml kaggle.json keys.toml \
     logins.json pgpass.conf rclone.conf sasl_passwd shadow wp-config.php wpa_supplicant.conf";
/// What keys of SSH are called, with whatever stands behind it.
const KEYS: [&str; 6] = ["id_dsa", "id_ecdsa", "id_ed25519", "id_rsa", "id_xmss", "ssh_host_"];
/// What ends with this is the public half of a key, or explains it.
const ABOUT_KEYS: [&str; 3] = [".pub", ".md", ".html"];
/// What they end with, whatever stands before it: behind the last point or the one before.
const ENDINGS: &str = "env pem key p12 pfx pk8 ppk jks keystore kdbx gpg tfvars tfvars.json tfstate tfstate.json ovpn \
     kubeconfig";
/// What they are called before the ending of a list, of settings or of data, also behind another word: `aws-credentials.csv`. Pages and programs of
/// such a name explain or read them.
const STEMS: &str = "access_token, accesskeys, api-key, api-keys, api_key, api_keys, apikey, apikeys, auth_token, \
     backup codes, backup-codes, backup_codes, client_secret, contrasenas, contraseñas, credentials, kennwörter, \
     kube-config, kube_config, kubeconfig, mots de passe, mots_de_passe, passwoerter, passwords, passwörter, \
     recovery codes, recovery-codes, recovery_codes, rootkey, secrets, seed phrase, seed-phrase, seed_phrase, \
     service-account, service-account-key, service_account, service_account_key, serviceaccount, serviceaccountkey, \
     token, vault_pass, vault_password, wachtwoorden";
/// The same where nothing but the name of a stage stands beside it: `forgot-password.json` is a text of a program, `design-tokens.json` has colours.
const WHOLE_STEMS: &str = "contraseña, kennwort, logins, mot de passe, password, passwort, pins, secret, tokens, \
     wachtwoord";
/// What stands in the names of exports of programs that keep passwords: `bitwarden_export_20260101.json`.
const KEEPERS: &str = "1password, bitwarden, dashlane, enpass, keepass, lastpass, nordpass, proton pass";
const EXPORT: &str = "export";
/// Words for a stage behind such a name: `secrets.prod.yaml`.
const STAGES: &str = "dev development live local preprod prod production qa stage staging test testing uat";
/// What keys of Firebase have in their names, between the project and a number.
const FIREBASE: &str = "firebase-adminsdk";
const LISTS: &str = "cfg cnf conf csv ini json jsonc ods properties toml tsv txt xlsx xml yaml yml";
/// What programs put behind the name of a file that is in work, or that they keep in secret alone (`shadow-`); other copies are those of any file.
const IN_WORK: [&str; 3] = [".swp", ".tmp", "-"];
/// What is a copy before its ending: `wp-config-backup.php`.
const COPIES_WITHIN: [&str; 16] = [
    "-backup", "_backup", ".backup", " backup", "-bak", "_bak", ".bak", "-old", "_old", ".old", "-orig", ".orig",
    "-copy", "_copy", " copy", ".save",
];
/// Digits of the number of a copy, or of the day that it is of.
const COPY_DIGITS: usize = 8;
/// Names that are taken off a name at most.
const COPIES_OF_COPIES: usize = 3;
/// Hidden folders of programs that keep keys and tokens, by their last names.
const FOLDERS: &str = ".aws .azure .composer .config/gcloud .config/gh .config/hub .config/op .docker .gnupg .gradle \
     .irssi .jupyter .kube .oci .op .password-store .snowsql .ssh";

/// Folders that people keep secrets in: the settings and lists in them and below are such, whatever they are called. What explains or reads them is not.
const KEPT_IN: [&str; 4] = [".credentials", ".secrets", "credentials", "secrets"];
/// The same for what lies right in it, and settings alone: roles of Ansible and collections of notes are called so, too.
const VAULTS: [&str; 2] = [".vault", "vault"];
const VAULT_ENDINGS: &str = "cfg conf ini json properties toml yaml yml";
/// What a program that is called so is built by.
const OF_PROJECTS: &str = "cargo.toml chart.yaml composer.json kustomization.yaml kustomization.yml mkdocs.yml \
     package.json pyproject.toml tsconfig.json";

/// The lists in which the name of every file of a folder is looked up.
static KNOWN_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| set(NAMES));
static KNOWN_ENDINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(ENDINGS));
static KNOWN_STEMS: LazyLock<HashSet<&str>> = LazyLock::new(|| phrases(STEMS).collect());
static KNOWN_WHOLE_STEMS: LazyLock<HashSet<&str>> = LazyLock::new(|| phrases(WHOLE_STEMS).collect());

/// Whether a file of this path, with `/`, is one of the settings in a folder of secrets: `secrets/prod/database.yml`.
pub(crate) fn is_in_folder_of_secrets(path: &str) -> bool {
    let lower = path.to_lowercase();
    let Some((folders, name)) = lower.rsplit_once('/') else { return false };
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let is_kept = folders.split('/').any(|folder| KEPT_IN.contains(&folder));
    let is_in_vault = folders.rsplit('/').next().is_some_and(|folder| VAULTS.contains(&folder));
    let is_setting = |name: &str| {
        let name = without_marks_of_copies(name);
        let (stem, ending) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""));
        let first = stem.split(['.', '-', '_']).next().unwrap_or_default();
        let is_code = matches!(of_whole_name(name), Some(Format::Code));
        let is_other = is_listed(NAMED_TEXT, first) || is_listed(OF_PROJECTS, name) || is_code;
        !is_other && (is_kept && is_of_list(ending) || is_in_vault && is_of_vault(ending))
    };
    let is_pattern = name.rsplit_once('.').is_some_and(|(_, ending)| is_listed(PATTERNS, ending));
    let is_copy = || unknown_ending(name).is_some() && stems(name).any(is_setting);
    !is_pattern && (is_setting(name) || is_copy())
}

/// Whether a file of this name, in lower case, usually holds secrets.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = without_marks_of_copies(name);
    is_secret_itself(name)
        || as_text(name).is_some_and(is_secret_itself)
        || without_marks_within(name).is_some_and(|original| is_secret_itself(&original))
}

fn is_secret_itself(name: &str) -> bool {
    let bare = name.strip_prefix('.').unwrap_or(name);
    let mut endings =
        name.rmatch_indices('.').take(2).filter(|(at, _)| *at > 0).filter_map(|(at, _)| name.get(at + 1..));
    // What was typed into shells and databases.
    let is_history = name.starts_with('.') && name.ends_with("_history");
    let is_key = KEYS.iter().any(|key| name.starts_with(key)) && !ABOUT_KEYS.iter().any(|end| name.ends_with(end));
    let is_named = is_key || KNOWN_NAMES.contains(name) || endings.any(|ending| KNOWN_ENDINGS.contains(ending));
    is_named || is_environment(name) || is_history || is_list(bare)
}

/// The ending of such a file, where it says of what kind it is: `pem`.
pub(crate) fn own_ending(name: &str) -> Option<&str> {
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty() && is_listed(ENDINGS, ending) && !is_environment(name)).then_some(ending)
}

/// Whether a hidden file shows how to fill in one of secrets, and has none itself: `.env.example`.
pub(crate) fn is_pattern_of_secret(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| is_listed(PATTERNS, ending) && is_secret(stem))
}

/// Whether a folder of this path belongs to a program that keeps keys or tokens in it.
pub(crate) fn is_folder_of_secrets(path: &str) -> bool {
    let is_whole = |above: &str| above.is_empty() || above.ends_with('/');
    listed(FOLDERS).any(|folder| path.strip_suffix(folder).is_some_and(is_whole))
}

/// A name without what says that the file is a copy: `#.env#`, `shadow-`, `id_rsa.bak`.
fn without_marks_of_copies(name: &str) -> &str {
    let mut name = name.trim().trim_matches('#');
    for _ in 0..COPIES_OF_COPIES {
        let marked = original_of(name).or_else(|| IN_WORK.iter().find_map(|mark| name.strip_suffix(mark)));
        let counted = || numbered(name).or_else(|| without_count(name));
        let Some(original) = marked.or_else(counted).filter(|name| !name.is_empty()) else {
            break;
        };
        name = original;
    }
    name
}

/// The name before the number of a copy: `credentials.json.1`. Pages of the manual have numbers, too: `shadow.5`, `wpa_supplicant.conf.5`.
fn numbered(name: &str) -> Option<&str> {
    let (original, number) = name.rsplit_once('.')?;
    let is_number =
        number.len() <= COPY_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty();
    let is_manual = original.ends_with(".conf") && number == "5";
    (is_number && !is_manual && original.contains('.')).then_some(original)
}

/// The name before the number that a browser puts behind what it was given twice: `pay.env (1)`.
fn without_count(name: &str) -> Option<&str> {
    let (original, number) = name.strip_suffix(')')?.rsplit_once(" (")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(original)
}

/// The name before `.txt`, which mail programs and editors put behind the ending that a file has: `server.key.txt`.
fn as_text(name: &str) -> Option<&str> {
    let original = name.strip_suffix(".txt")?;
    original.get(1..).is_some_and(|rest| rest.contains('.')).then_some(original)
}

/// A name without what says before its ending that the file is a copy: `wp-config.old.php`, `passwords (2).csv`.
fn without_marks_within(name: &str) -> Option<String> {
    let (whole, ending) = name.rsplit_once('.')?;
    let mut stem = whole;
    for _ in 0..COPIES_OF_COPIES {
        let marked = COPIES_WITHIN.iter().find_map(|mark| stem.strip_suffix(mark));
        let Some(original) = marked.or_else(|| without_count(stem)) else {
            break;
        };
        stem = original;
    }
    (stem.len() < whole.len() && !stem.is_empty()).then(|| format!("{stem}.{ending}"))
}

/// `.env` and `.env.production`; the file that shows how to write it is none.
fn is_environment(name: &str) -> bool {
    let is_pattern = |kind: &str| is_listed(PATTERNS, kind.rsplit('.').next().unwrap_or_default());
    name.strip_prefix(".env").is_some_and(|kind| !kind.starts_with(char::is_alphanumeric) && !is_pattern(kind))
}

/// Whether it is a list of secrets by its name without a leading point.
fn is_list(bare: &str) -> bool {
    let (stem, ending) = bare.rsplit_once('.').unwrap_or((bare, ""));
    let is_named = |known: &HashSet<&str>| {
        // Google numbers these.
        let may_follow = |rest: &str| ending == "json" || is_stage(rest);
        known.contains(stem)
            || parted(stem).any(|(first, rest)| known.contains(rest) || known.contains(first) && may_follow(rest))
    };
    let is_whole =
        |known: &dyn Fn(&str) -> bool| known(stem) || parted(stem).any(|(first, rest)| known(first) && is_stage(rest));
    // Of a vault the settings: a text or a table of that name may be about any.
    let is_vault = is_of_vault(ending) && is_whole(&|name| name == "vault");
    let is_of_firebase = ending == "json" && stem.contains(FIREBASE);
    let is_export = is_of_list(ending) && stem.contains(EXPORT) && phrases(KEEPERS).any(|name| stem.contains(name));
    is_of_firebase
        || is_vault
        || is_export
        || is_of_list(ending) && (is_named(&KNOWN_STEMS) || is_whole(&|name| KNOWN_WHOLE_STEMS.contains(name)))
}

/// Whether it is the ending of a list, of settings or of data, or none.
fn is_of_list(ending: &str) -> bool {
    ending.is_empty() || is_listed(LISTS, ending)
}

fn is_of_vault(ending: &str) -> bool {
    ending.is_empty() || is_listed(VAULT_ENDINGS, ending)
}

/// What stands before and behind each sign that joins words.
fn parted(stem: &str) -> impl Iterator<Item = (&str, &str)> {
    let joins = stem.match_indices(['-', '_', '.', ' ']);
    joins.filter_map(|(at, join)| Some((stem.get(..at)?, stem.get(at + join.len()..)?)))
}

/// Whether it is a stage or a number, such as a year.
fn is_stage(word: &str) -> bool {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number || is_listed(STAGES, word)
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

/// What the cookies of a browser begin with as programs hand them on: who has them is signed in.
const COOKIES: [&str; 2] = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"];

/// What a file begins with that was encrypted as a whole: nothing in it can be read, and who looks for its words looks for a secret.
const ENCRYPTED: [&str; 4] =
    ["$ANSIBLE_VAULT;", "age-encryption.org/", "-----BEGIN AGE ENCRYPTED FILE-----", "-----BEGIN PGP MESSAGE-----"];

/// Whether a file is encrypted as a whole, or has the cookies of a browser.
pub(crate) fn is_encrypted_or_cookies(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    ENCRYPTED.iter().chain(&COOKIES).any(|begin| text.starts_with(begin.as_bytes()))
}

/// What SOPS writes in the place of a value, and where it says how: in YAML, JSON, INI and files of the environment.
const ENCRYPTED_VALUE: &str = "ENC[AES256_GCM,";
const SOPS: [&str; 4] = ["sops:", "\"sops\":", "[sops]", "sops_version="];

/// Whether settings are those of which SOPS has encrypted the values.
pub(crate) fn has_encrypted_values(settings: &[u8]) -> bool {
    let text = String::from_utf8_lossy(settings);
    let says_how = |line: &str| SOPS.iter().any(|mark| line.starts_with(mark));
    // In JSON its key is set in by some blanks, in YAML by none.
    let own_line = |line: &str| says_how(if line.trim_start().starts_with('"') { line.trim_start() } else { line });
    text.contains(ENCRYPTED_VALUE) && (text.lines().any(own_line) || text.contains("\"sops\":"))
}

fn begins_key(line: &str) -> bool {
    let title = line.strip_prefix(BEGIN).or_else(|| line.strip_prefix(OLD_BEGIN));
    title.is_some_and(|title| title.contains(PRIVATE_KEY))
}

#[cfg(test)]
#[path = "secret_files_tests.rs"]
mod tests;
