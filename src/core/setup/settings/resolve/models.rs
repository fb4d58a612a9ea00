//! The settings of chat models, in the order of the registry.

use std::time::Duration;

use super::web::secret;
use super::{Resolver, yes_or_no};
use crate::core::base::error::Result;
use crate::core::base::secrets::Secret;
use crate::core::model::chat::{Host, Model};
use crate::core::setup::settings::models::{ModelSettings, ollama_url};
use crate::core::setup::settings::registry::models;
use crate::core::setup::settings::web::web_url;

impl Resolver<'_> {
    pub(super) fn models(&mut self) -> Result<ModelSettings> {
        let named = self.read(&models::MODEL, |text| Model::chain(text, false).map(|_| text.to_owned()))?;
        let base_url = self.read(&models::BASE_URL, web_url)?;
        let has_base_url = base_url.is_some();
        let mut keys: Vec<(Host, Secret)> = Vec::new();
        for (host, setting) in [
            (Host::Custom, &models::API_KEY),
            (Host::OpenAi, &models::OPENAI),
            (Host::Anthropic, &models::ANTHROPIC),
            (Host::Groq, &models::GROQ),
            (Host::DeepSeek, &models::DEEPSEEK),
            (Host::Mistral, &models::MISTRAL),
            (Host::Xai, &models::XAI),
            (Host::OpenRouter, &models::OPENROUTER),
        ] {
            keys.extend(self.read(setting, secret)?.map(|key| (host, key)));
        }
        Ok(ModelSettings {
            chain: named.and_then(|text| Model::chain(&text, has_base_url)).unwrap_or_default(),
            base_url,
            keys,
            ollama: self.read(&models::OLLAMA_HOST, ollama_url)?.unwrap_or_default(),
            find_local: self.one_of(&models::LOCAL, yes_or_no)?,
            timeout: Duration::from_secs(self.whole_or_default(&models::TIMEOUT)?),
            gemini: String::new(),
        })
    }
}
