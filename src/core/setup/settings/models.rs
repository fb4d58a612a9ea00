//! The settings of chat models.

use std::time::Duration;

use super::Secret;
use crate::core::model::chat::{Host, Model};

/// Which chat models there are, and how they are asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ModelSettings {
    /// The models that the user named, as text with commas.
    pub(crate) names: String,
    /// The same, in the order in which they are asked.
    pub(crate) chain: Vec<Model>,
    /// The cheaper models that take notes, as text with commas, and in their order.
    pub(crate) reader_names: String,
    pub(crate) readers: Vec<Model>,
    /// The tokens that the models take with their answers, where the user says so.
    pub(crate) context_tokens: Option<u32>,
    /// Where [`Host::Custom`] is, without a slash at its end.
    pub(crate) base_url: Option<String>,
    pub(crate) keys: Vec<(Host, Secret)>,
    /// The address of Ollama, without a slash at its end.
    pub(crate) ollama: String,
    /// Whether models on this machine are looked for.
    pub(crate) find_local: bool,
    pub(crate) timeout: Duration,
    /// The Gemini model that is taken when there is nothing but its key.
    pub(crate) gemini: String,
}

impl ModelSettings {
    /// Fills in what depends on other settings: a name without a host belongs to the server at the base URL, and the Gemini API has settings
    /// of its own, which count here too.
    pub(crate) fn complete(&mut self, key: Option<&Secret>, model: &str) {
        self.chain = Model::chain(&self.names, self.base_url.is_some()).unwrap_or_default();
        self.readers = Model::chain(&self.reader_names, self.base_url.is_some()).unwrap_or_default();
        self.keys.extend(key.map(|key| (Host::Gemini, key.clone())));
        model.clone_into(&mut self.gemini);
    }

    pub(crate) fn key(&self, host: Host) -> Option<&Secret> {
        self.keys.iter().find(|(of, _)| *of == host).map(|(_, key)| key)
    }

    /// What is missing before a model can be asked, if something is.
    pub(crate) fn lacks(&self, model: &Model) -> Option<String> {
        match model.host.row().key {
            _ if model.host == Host::Custom => {
                self.base_url.is_none().then(|| "`HADAL_MODEL_BASE_URL` is not set".to_owned())
            }
            Some(key) if self.key(model.host).is_none() => Some(format!("`{}` is not set", key.variable)),
            Some(_) | None => None,
        }
    }

    /// The models that can be asked without looking at the machine: what was named, else Gemini's when its key is there.
    pub(crate) fn configured(&self) -> Vec<Model> {
        let mut models: Vec<Model> = self.chain.iter().filter(|model| self.lacks(model).is_none()).cloned().collect();
        if self.chain.is_empty() && self.key(Host::Gemini).is_some() {
            models.push(Model { host: Host::Gemini, name: self.gemini.clone() });
        }
        models
    }

    /// The models that take notes and can be asked.
    pub(crate) fn noting(&self) -> Vec<Model> {
        self.readers.iter().filter(|model| self.lacks(model).is_none()).cloned().collect()
    }
}

/// `OLLAMA_HOST` as Ollama reads it: a scheme and a port may be missing, and `0.0.0.0` means every address of this machine.
pub(crate) fn ollama_url(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches('/');
    let (scheme, place) = text.split_once("://").unwrap_or(("http", text));
    let plain = !place.is_empty() && place.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '/' | '?' | '#' | '@'));
    if !plain || !matches!(scheme, "http" | "https") {
        return None;
    }
    let has_port = place.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let port = if has_port || scheme == "https" { "" } else { ":11434" };
    let place = place.replacen("0.0.0.0", "127.0.0.1", 1);
    Some(format!("{scheme}://{place}{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_is_where_its_own_variable_says() {
        for (text, want) in [
            ("127.0.0.1:11434", Some("http://127.0.0.1:11434")),
            ("0.0.0.0", Some("http://127.0.0.1:11434")),
            ("http://gpu.corp:8080/", Some("http://gpu.corp:8080")),
            ("https://gpu.corp", Some("https://gpu.corp")),
            ("[::1]:5", Some("http://[::1]:5")),
            ("", None),
            ("ftp://x", None),
            ("user@host", None),
            ("host/path", None),
        ] {
            assert_eq!(ollama_url(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn only_what_can_be_asked_counts() {
        let mut settings = ModelSettings {
            chain: Model::chain("openai/a,ollama/b,custom/c", false).unwrap(),
            gemini: "g".into(),
            ..ModelSettings::default()
        };
        let names = |settings: &ModelSettings| {
            settings.configured().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&settings), "ollama/b");
        settings.base_url = Some("http://x".into());
        settings.keys.push((Host::OpenAi, Secret::new("canary".into())));
        settings.keys.push((Host::Gemini, Secret::new("canary".into())));
        assert_eq!(names(&settings), "openai/a ollama/b custom/c");
        settings.chain.clear();
        assert_eq!(names(&settings), "gemini/g");
    }
}
