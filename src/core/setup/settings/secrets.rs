//! Everything secret in the settings, by the name under which the user knows it.

use super::{Secret, Settings};
use crate::core::base::escapes::{Unescaped, unescaped};
use crate::core::base::masks::{MASKED_BYTES, Masks};

impl Settings {
    /// What hides the keys of this installation in foreign text.
    pub(crate) fn masks(&self) -> Masks {
        let secrets = self.secrets();
        Masks::new(secrets.iter().map(|(_, value)| value.as_str()))
    }

    /// The names of secrets that are too short to be told from ordinary words; they are not masked.
    pub(crate) fn unmasked_secrets(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, value) in self.secrets() {
            if value.len() < MASKED_BYTES && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn secrets(&self) -> Vec<(String, String)> {
        let mut secrets: Vec<(String, String)> = Vec::new();
        let mut put = |name: &str, value: &str| {
            if !value.is_empty() {
                secrets.push((name.to_owned(), value.to_owned()));
            }
        };
        for (host, key) in &self.models.keys {
            put(host.row().key.map_or(host.row().name, |key| key.variable), key.reveal());
        }
        for (provider, key) in &self.search.keys {
            put(provider.row().key.map_or(provider.row().name, |key| key.variable), key.reveal());
        }
        if let Some(key) = &self.gemini_api_key {
            put("GEMINI_API_KEY", key.reveal());
        }
        let variables = self.gemini_env.0.iter().filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
        let (keys, addresses): (Vec<_>, Vec<_>) = variables.partition(|(name, _)| name.contains("KEY"));
        for (name, key) in keys {
            put(name, key);
        }
        let places = self.search.urls.iter().map(|(provider, url)| (provider.row().name, url.reveal()));
        let proxy = self.fetch.proxy.as_ref().map(|proxy| ("HADAL_FETCH_PROXY", Secret::reveal(proxy)));
        let model = self.models.base_url.as_deref().map(|url| ("HADAL_MODEL_BASE_URL", url));
        let google = [("GOOGLE_GEMINI_BASE_URL", self.hosted.base_url.as_str())];
        for (name, address) in addresses.into_iter().chain(places).chain(proxy).chain(model).chain(google) {
            for password in passwords(address) {
                put(name, &password);
            }
        }
        secrets
    }
}

/// The password of an address, or the user's name where that is all there is: as it is written, and as it is meant.
fn passwords(address: &str) -> Vec<String> {
    let Some((_, rest)) = address.split_once("://") else { return Vec::new() };
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let user = rest.get(..host_end).and_then(|host| host.rsplit_once('@'));
    // A password may hold a slash that nobody escaped.
    let Some((user, _)) = user.or_else(|| rest.rsplit_once('@')) else { return Vec::new() };
    let password = user.split_once(':').map_or(user, |(_, password)| password);
    let meant =
        unescaped(&Unescaped::of(password.as_bytes())).and_then(|meant| String::from_utf8(meant.bytes.into()).ok());
    meant.into_iter().chain([password.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::core::setup::settings::ChildEnv;
    use crate::core::web::search::Provider;

    /// PR-02: keys, the keys of child programs, and the passwords inside of addresses; short ones are named, not masked.
    #[test]
    fn all_secrets_of_the_settings_are_known() {
        let mut settings = Settings::defaults(Path::new("/home"));
        settings.gemini_api_key = Some(Secret::new("AIza:secret-1".into()));
        settings.search.keys.push((Provider::Tavily, Secret::new("tvly-67".into())));
        settings.search.keys.push((Provider::Brave, Secret::new("brave-secret".into())));
        settings.search.urls.push((Provider::Searxng, Secret::new("https://me:search%2Fpass@host/s".into())));
        settings.fetch.proxy = Some(Secret::new("http://me:proxypass@host:1".into()));
        let variables = [
            ("HTTPS_PROXY", "http://me:pass@word@host:1/"),
            ("http_proxy", "http://token-alone@host"),
            ("NO_PROXY", "localhost"),
            ("GOOGLE_API_KEY", "short"),
            ("HOME", "/home/me"),
        ];
        settings.gemini_env = ChildEnv(variables.map(|(name, value)| (name.into(), value.into())).to_vec());
        assert_eq!(settings.unmasked_secrets(), ["TAVILY_API_KEY", "GOOGLE_API_KEY"]);
        let said = "AIza:secret-1 refused by http://me:pass@word@host:1/ and token-alone; tvly-67, short and localhost; \
                    brave-secret; search/pass; search%2Fpass; proxypass; /home/me";
        let want = "******** refused by http://me:********@host:1/ and ********; tvly-67, short and localhost; \
                    ********; ********; ********; ********; /home/me";
        assert_eq!(settings.masks().text(said), want);
    }
}
