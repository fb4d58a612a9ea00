//! How much the models read at once: what the user says, what those who run them on this machine tell, or what is known of their family.

use serde_json::{Value, json};

use super::{Models, local};
use crate::core::base::limits;
use crate::core::model::chat::{Host, Model};
use crate::world::http;

impl Models {
    /// The fewest tokens that one of the models takes with its answer, where it is known of any.
    pub(crate) async fn window(&self, models: &[String]) -> Option<u32> {
        let settings = &self.inner.settings;
        if settings.context_tokens.is_some() {
            return settings.context_tokens;
        }
        let mut smallest = None;
        for name in models {
            let model = Model::parse(name, settings.base_url.is_some());
            let found = match model.host {
                Host::Ollama => self.told_by_ollama(&model).await,
                Host::LlamaCpp => self.told_by_llama().await,
                _ => None,
            };
            let found = found.or_else(|| model.window());
            smallest = [smallest, found].into_iter().flatten().min();
        }
        smallest
    }

    async fn told_by_ollama(&self, model: &Model) -> Option<u32> {
        let base = &self.inner.settings.ollama;
        let told = self.ask(base, "/api/show", Some(json!({"model": model.name}))).await?;
        // The key has the name of the architecture before it: `llama.context_length`.
        let info = told.get("model_info")?.as_object()?;
        let length = info.iter().find(|(key, _)| key.ends_with(".context_length"))?.1.as_u64()?;
        u32::try_from(length).ok()
    }

    async fn told_by_llama(&self) -> Option<u32> {
        let told = self.ask(local::LLAMA_CPP, "/props", None).await?;
        u32::try_from(told.pointer("/default_generation_settings/n_ctx")?.as_u64()?).ok().filter(|tokens| *tokens > 0)
    }

    /// What a server of models says of itself. One that does not say it at once is not waited for.
    async fn ask(&self, base: &str, path: &str, body: Option<Value>) -> Option<Value> {
        let clients = self.clients().await.ok()?;
        let client = if http::is_loopback(base) { &clients.near_plain } else { &clients.far_plain };
        let url = format!("{base}{path}");
        let request = match body {
            Some(body) => {
                client.post(url).header(reqwest::header::CONTENT_TYPE, "application/json").body(body.to_string())
            }
            None => client.get(url),
        };
        let asking = async {
            let reply = request.send().await.ok().filter(|reply| reply.status().is_success())?;
            let read = http::read(reply, limits::LOCAL_MODEL_BYTES).await.ok()?;
            serde_json::from_slice(&read).ok()
        };
        tokio::time::timeout(limits::MODEL_WINDOW_LOOK, asking).await.ok().flatten()
    }
}
