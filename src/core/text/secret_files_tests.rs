use super::*;

/// Names, each with a bar behind it.
const SECRET: &str = ".env|.env |.env~|.env.local|.env-prod|.env_production|.env.bak|#.env#|.env.dpkg-dist|shadow.rpmsave|prod.env|.flaskenv|id_rsa_work|ssh_host_ed25519_key|\
     service_account_key.json|.github_token|api_key.txt|.vault_pass|wp-config.php|credentials|credentials.csv|credentials.json|\
     credentials.toml|aws-credentials.csv|application_default_credentials.json|secrets.yml|app.secrets.toml|.secrets.toml|\
     passwords.txt|passwords.xlsx|service-account.json|service-account-7f3.json|client_secret_12.apps.json|kubeconfig|\
     kubeconfig.yaml|prod.kubeconfig|terraform.tfvars|terraform.tfvars.json|terraform.tfstate.backup|id_rsa|id_rsa~|id_ed25519.old|\
     shadow|shadow-|pgpass.conf|.pgpass|.bash_history|.psql_history|server.pem|server.key.bak|.yarnrc.yml|token.json|\
     keys.toml|keys.toml.bak|keys.toml.1|http-tokens.toml|credentials.json.1|wp-config.php.1|wp-config.php.txt|wp-config-backup.php|\
     wp-config.old.php|.bash_history.1|server.key.txt|server.pem.txt|app.passwords.txt|credentials (1).json|passwords (2).csv|credentials-backup.json|\
     secrets.prod.yaml|secrets-staging.yml|passwords 2026.csv|password.csv|password.txt|tokens.json|api_keys.json|secret.yaml|.secret|\
     kubeconfig-prod|kube-config.yaml|serviceaccountkey.json|firebase-adminsdk.json|shop-firebase-adminsdk-x1-7f.json|rootkey.csv|\
     accesskeys.csv|bob_accesskeys.csv|.authinfo|.authinfo.gpg|.rclone.conf";
const OTHERS: &str = "environment.md|.env.example|.env.local.example|prod.env.example|terraform.tfvars.example|.environment|credentials-guide.html|\
     credentials.md|secrets.rs|secrets.py|secretary.txt|the-secret.txt|keys.md|token.rs|design-tokens.json|tokenizer.json|\
     wp-config-sample.php|passwords.md|history.txt|_history|key|pem|.pem|shadows.txt|kubeconfig.md|id_rsa.pub|id_rsa.md|service-accounts.md|\
     shadow.5|env.1|env.txt|htpasswd.1|wpa_supplicant.conf.5|password policy.docx|password.md|forgot-password.json|secret-garden.txt|\
     secrets-of-success.txt|tokens.md|keys.md.1|notes.old.txt|keyboard.txt|report (1).txt|-|~|##";
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
