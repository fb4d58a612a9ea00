use super::*;

/// Names, each with a bar behind it.
const SECRET: &str = ".env|.env |.env~|.env.local|.env-prod|.env_production|.env.bak|#.env#|prod.env|.flaskenv|id_rsa_work|ssh_host_ed25519_key|\
     service_account_key.json|.github_token|api_key.txt|.vault_pass|wp-config.php|credentials|credentials.csv|credentials.json|\
     credentials.toml|aws-credentials.csv|application_default_credentials.json|secrets.yml|app.secrets.toml|.secrets.toml|\
     passwords.txt|passwords.xlsx|service-account.json|service-account-7f3.json|client_secret_12.apps.json|kubeconfig|\
     kubeconfig.yaml|prod.kubeconfig|terraform.tfvars|terraform.tfvars.json|terraform.tfstate.backup|id_rsa|id_rsa~|id_ed25519.old|\
     shadow|shadow-|pgpass.conf|.pgpass|.bash_history|.psql_history|server.pem|server.key.bak|.yarnrc.yml|token.json";
const OTHERS: &str = "environment.md|.env.example|.env.local.example|prod.env.example|terraform.tfvars.example|.environment|credentials-guide.html|\
     credentials.md|secrets.rs|secrets.py|secretary.txt|the-secret.txt|keys.md|token.rs|tokens.json|tokenizer.json|\
     wp-config-sample.php|passwords.md|history.txt|_history|key|pem|.pem|shadows.txt|kubeconfig.md|id_rsa.pub|id_rsa.md|service-accounts.md|\
     -|~|##";
/// LB-01: files are known for secrets by their names, also as copies and with another ending; what explains or reads them is read.
#[test]
fn lb_01_files_of_secrets_are_known_by_their_names() {
    for name in SECRET.split('|') {
        assert!(is_secret(name), "{name}");
    }
    for name in OTHERS.split('|').chain([""]) {
        assert!(!is_secret(name), "{name}");
    }
    for name in [".env.example", ".env.local.example", ".npmrc.template"] {
        assert!(is_pattern_of_secret(name), "{name}");
    }
    for name in [".env", "app.yml.example", "example", ".example"] {
        assert!(!is_pattern_of_secret(name), "{name}");
    }
    for folder in [".ssh", "a/.ssh", ".config/gh", "home/b/.config/gcloud", ".kube"] {
        assert!(is_folder_of_secrets(folder), "{folder}");
    }
    for folder in ["ssh", "a.ssh", ".config", "gh", ".config/ghost", "x.config/gh", ""] {
        assert!(!is_folder_of_secrets(folder), "{folder}");
    }
}

const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB";

/// LB-01: a file that is a private key is known by its beginning, in any encoding.
#[test]
fn lb_01_private_keys_are_known_by_their_bytes() {
    for text in [
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
        "\u{feff}\n-----BEGIN OPENSSH PRIVATE KEY-----\r\nb3Bl",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n-----BEGIN EC PRIVATE KEY-----\n",
        "Bag Attributes\n    localKeyID: 54 69 6D\nKey Attributes: <No Attributes>\n-----BEGIN PRIVATE KEY-----\n",
        "PuTTY-User-Key-File-3: ssh-ed25519\n",
    ] {
        assert!(is_private_key(text.as_bytes()), "{text}");
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(is_private_key(&wide), "as UTF-16: {text}");
    }
    for text in [
        "",
        "A key begins with -----BEGIN PRIVATE KEY-----.",
        "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n",
        "-----BEGIN PUBLIC KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nMIID\nThis is what stands before\n-----BEGIN PRIVATE KEY-----\n",
    ] {
        assert!(!is_private_key(text.as_bytes()), "{text}");
    }
}

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
                r#"{{"id": 7, "private_key": "-----BEGIN PRIVATE KEY-----\x{blot}\n-----END PRIVATE KEY-----\n"}}"#
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
