//! Models that run on this machine, found by asking the two usual ports.

use serde_json::Value;

use crate::core::base::limits;
use crate::core::model::chat::{Host, Model};
use crate::core::setup::settings::models::ModelSettings;
use crate::world::http;

/// Where a llama.cpp server listens unless told otherwise.
pub(super) const LLAMA_CPP: &str = "http://127.0.0.1:8080";

/// The first chat model of an Ollama, else that of a llama.cpp server. Both are asked at once, and not for long.
pub(super) async fn find(settings: &ModelSettings) -> Vec<Model> {
    // Most machines have neither, and making a client takes longer than finding that out.
    let (has_ollama, has_llama) = tokio::join!(listens(&settings.ollama), listens(LLAMA_CPP));
    if !has_ollama && !has_llama {
        return Vec::new();
    }
    let made = tokio::task::spawn_blocking(|| http::builder().no_proxy().timeout(limits::LOCAL_MODEL_LOOK).build());
    let Ok(Ok(client)) = made.await else { return Vec::new() };
    let (ollama, llama) = tokio::join!(
        list(&client, format!("{}/api/tags", settings.ollama), "models", "name"),
        list(&client, format!("{LLAMA_CPP}/v1/models"), "data", "id"),
    );
    let model =
        |host, names: Vec<String>| names.into_iter().find(|name| can_chat(name)).map(|name| Model { host, name });
    model(Host::Ollama, ollama).or_else(|| model(Host::LlamaCpp, llama)).into_iter().collect()
}

/// Whether anybody takes a connection there.
async fn listens(url: &str) -> bool {
    let Ok(url) = url::Url::parse(url) else { return false };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
    let place = format!("{host}:{port}");
    let connecting = tokio::net::TcpStream::connect(place);
    tokio::time::timeout(limits::LOCAL_MODEL_LOOK, connecting).await.is_ok_and(|connected| connected.is_ok())
}

/// Models that turn text into numbers are listed with the others.
fn can_chat(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !["embed", "bge-", "minilm", "rerank"].iter().any(|part| name.contains(part))
}

/// The names in a list of models; something else that listens there has none.
async fn list(client: &reqwest::Client, url: String, list: &str, name: &str) -> Vec<String> {
    let asked = async {
        let mut reply = client.get(url).send().await.ok().filter(|reply| reply.status().is_success())?;
        let mut body = Vec::new();
        while let Some(chunk) = reply.chunk().await.ok()? {
            if body.len() + chunk.len() > limits::LOCAL_MODEL_BYTES {
                return None;
            }
            body.extend_from_slice(&chunk);
        }
        let models = serde_json::from_slice::<Value>(&body).ok()?;
        let names = models.get(list)?.as_array()?.iter().filter_map(|model| model.get(name)?.as_str());
        Some(names.map(str::to_owned).collect())
    };
    asked.await.unwrap_or_default()
}
