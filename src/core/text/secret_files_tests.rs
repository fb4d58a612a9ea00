use super::*;

/// Names, each with a bar behind it.
const SECRET: &str = ".env|pay.env.2025|pay.env (1)|id_rsa (2)|credentials.json.20251101|.env |.env~|.env.local|.env-prod|.env_production|.env.bak|#.env#|.env.dpkg-dist|shadow.rpmsave|prod.env|.flaskenv|id_rsa_work|ssh_host_ed25519_key|\
     service_account_key.json|.github_token|api_key.txt|.vault_pass|wp-config.php|credentials|credentials.csv|credentials.json|\
     credentials.toml|aws-credentials.csv|application_default_credentials.json|secrets.yml|app.secrets.toml|.secrets.toml|\
     passwords.txt|passwords.xlsx|service-account.json|service-account-7f3.json|client_secret_12.apps.json|kubeconfig|\
     kubeconfig.yaml|prod.kubeconfig|terraform.tfvars|terraform.tfvars.json|terraform.tfstate.backup|id_rsa|id_rsa~|id_ed25519.old|\
     shadow|shadow-|pgpass.conf|.pgpass|.bash_history|.psql_history|server.pem|server.key.bak|.yarnrc.yml|token.json|\
     keys.toml|keys.toml.bak|keys.toml.1|http-tokens.toml|credentials.json.1|wp-config.php.1|wp-config.php.txt|wp-config-backup.php|\
     wp-config.old.php|.bash_history.1|server.key.txt|server.pem.txt|app.passwords.txt|credentials (1).json|passwords (2).csv|credentials-backup.json|\
     secrets.prod.yaml|secrets-staging.yml|passwords 2026.csv|password.csv|password.txt|tokens.json|api_keys.json|secret.yaml|.secret|\
     kubeconfig-prod|kube-config.yaml|serviceaccountkey.json|firebase-adminsdk.json|shop-firebase-adminsdk-x1-7f.json|rootkey.csv|\
     accesskeys.csv|bob_accesskeys.csv|.authinfo|.authinfo.gpg|.rclone.conf|vault|vault.yml|vault.yaml|vault.json|vault-prod.yml|\
     vault.staging.yaml|vault.yml.bak|lastpass_export.csv|1passwordexport.csv|bitwarden_export_20260101.json|logins.csv|passwort.txt|\
     kennwort.txt|meine passwörter.txt|contraseñas.txt|mots de passe.txt|pins.txt|recovery-codes.txt|github-recovery-codes.txt|seed-phrase.txt|\
     gcp-service-account-key.json|.xauthority";
const OTHERS: &str = "environment.md|.env.example|.env.local.example|prod.env.example|terraform.tfvars.example|.environment|credentials-guide.html|\
     credentials.md|secrets.rs|secrets.py|secretary.txt|the-secret.txt|keys.md|token.rs|design-tokens.json|tokenizer.json|\
     wp-config-sample.php|passwords.md|history.txt|_history|key|pem|.pem|shadows.txt|kubeconfig.md|id_rsa.pub|id_rsa.md|service-accounts.md|\
     shadow.5|env.1|env.txt|htpasswd.1|wpa_supplicant.conf.5|password policy.docx|password.md|forgot-password.json|secret-garden.txt|\
     secrets-of-success.txt|tokens.md|keys.md.1|notes.old.txt|keyboard.txt|report (1).txt|-|~|##|\
     vault.md|vault.txt|vault.csv|vault.hcl|vaults.yml|vault-values.yaml|vault.rs|vaulting.json|\
     user-logins.csv|pins-and-needles.txt|passwort.md|export.csv|lastpass.txt|bitwarden-export.md|recovery.txt|seeds.csv";
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

/// LB-01: settings in a folder that people keep secrets in are secrets, whatever they are called; what explains, reads or builds something is read.
#[test]
fn lb_01_settings_in_folders_of_secrets_are_secrets() {
    for path in [
        "secrets/database.yml",
        "Secrets/Database.YML",
        "deploy/secrets/prod/database.yaml",
        "secrets/db_password",
        "secrets/db_password.txt",
        "secrets/users.csv",
        "secrets/database.yml.bak",
        "secrets/database.yml~",
        "secrets/database.yml.web1",
        "secrets/database.yml.gz",
        ".secrets/smtp.ini",
        "credentials/smtp.json",
        ".credentials/token.toml",
        "group_vars/vault/all.yml",
        "vault/database",
    ] {
        assert!(is_in_folder_of_secrets(path), "{path}");
    }
    for path in [
        "database.yml",
        "secrets.md",
        "secrets/README",
        "secrets/README.md",
        "secrets/README.txt",
        "secrets/rotation.md",
        "secrets/policy.pdf",
        "secrets/reader.py",
        "secrets/Makefile",
        "secrets/database.yml.example",
        "packages/secrets/package.json",
        "crates/secrets/Cargo.toml",
        "trade-secrets/recipes.csv",
        "my secrets/notes.txt",
        "vault/diary.txt",
        "vault/2026/plan.md",
        "vault/budget.csv",
        "roles/vault/tasks/main.yml",
        "vault/policy.hcl",
        "vaults/a.yml",
    ] {
        assert!(!is_in_folder_of_secrets(path), "{path}");
    }
}

/// LB-01: what was encrypted is known by its bytes, and a text that explains it is not taken for it.
#[test]
fn lb_01_encrypted_files_are_known_by_their_bytes() {
    for (text, is_whole) in [
        ("$ANSIBLE_VAULT;1.1;AES256\n6638643965\n", true),
        ("\u{feff}\n$ANSIBLE_VAULT;1.2;AES256;dev\n66", true),
        ("age-encryption.org/v1\n-> X25519 x\n", true),
        ("-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n", true),
        ("-----BEGIN PGP MESSAGE-----\n\nhQEM\n", true),
        ("# Netscape HTTP Cookie File\n.example.com\tTRUE\t/\tTRUE\t0\tsession\t1", true),
        ("# Cookies\n\nFlour, butter.", false),
        ("", false),
        ("# Vaults\n\nA file begins with `$ANSIBLE_VAULT;1.1;AES256`.\n", false),
        ("db: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6638\n", false),
        ("$ANSIBLE_VAULT_PASSWORD_FILE says where it is.", false),
    ] {
        assert_eq!(is_encrypted_or_cookies(text.as_bytes()), is_whole, "{text}");
    }
    let value = "ENC[AES256_GCM,data:p673w==,iv:YY=,tag:UQ=,type:str]";
    for (text, is_sops) in [
        (format!("password: {value}\nsops:\n    mac: {value}\n"), true),
        (format!("sops:\r\n    age: []\r\npassword: {value}\r\n"), true),
        (format!("{{\n\t\"password\": \"{value}\",\n\t\"sops\": {{}}\n}}"), true),
        (format!("{{\"password\":\"{value}\",\"sops\":{{}}}}"), true),
        (format!("[db]\npassword = {value}\n\n[sops]\nversion = 3\n"), true),
        (format!("PASSWORD={value}\nsops_version=3.8.1\n"), true),
        (format!("password: {value}\n"), false),
        ("sops:\n  meetings: monday\n".to_owned(), false),
        (format!("tools:\n  sops: {value}\n"), false),
    ] {
        assert_eq!(has_encrypted_values(text.as_bytes()), is_sops, "{text}");
    }
}
