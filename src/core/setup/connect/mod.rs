//! How a client learns of hadal: where its configuration of the user lies, what stands there, and the new text of it.
//! Everything here is text in, text out; `world` reads and writes the files.

mod jsonc;
mod toml;

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::settings::directories::Platform;
use super::settings::keys;
use super::toml_text::quoted;

/// The name of the entry in every client.
pub(crate) const ENTRY: &str = "hadal";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Codex,
    GeminiCli,
    Cursor,
    Vscode,
    Windsurf,
    Zed,
}

/// How the variables of a shell reach a server of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// The server has the client's own environment.
    Inherited,
    /// Codex: a list of names.
    Names,
    /// Gemini CLI: `"NAME": "$NAME"`.
    Dollar,
    /// `"NAME": "${env:NAME}"`.
    Braces,
    /// There is no way, or the client is not started from a shell: the file of keys is.
    KeyFile,
}

/// What is known of a client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientRow {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) pass: Pass,
    /// The object or table of its servers.
    servers: &'static str,
    form: Form,
    /// The fields of an entry that reaches a server by its address; beside `command` a client takes the wrong one, or refuses its file.
    remote: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    /// With `"type": "stdio"`, which these clients write themselves.
    TypedJson,
    Toml,
}

impl Client {
    pub(crate) const ALL: [Self; 8] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Codex,
        Self::GeminiCli,
        Self::Cursor,
        Self::Vscode,
        Self::Windsurf,
        Self::Zed,
    ];

    pub(crate) fn row(self) -> ClientRow {
        let row = |name, title, pass, servers, form, remote| ClientRow { name, title, pass, servers, form, remote };
        let web: &[&str] = &["url", "headers"];
        match self {
            Self::ClaudeCode => {
                let remote = &["url", "headers", "headersHelper", "oauth"];
                row("claude-code", "Claude Code", Pass::Inherited, "mcpServers", Form::TypedJson, remote)
            }
            Self::ClaudeDesktop => {
                row("claude-desktop", "Claude Desktop", Pass::KeyFile, "mcpServers", Form::Json, web)
            }
            Self::Codex => {
                let remote = &[
                    "url",
                    "bearer_token",
                    "bearer_token_env_var",
                    "http_headers",
                    "env_http_headers",
                    "oauth_resource",
                ];
                row("codex", "Codex", Pass::Names, "mcp_servers", Form::Toml, remote)
            }
            Self::GeminiCli => {
                let remote = &["url", "httpUrl", "tcp", "headers", "oauth", "authProviderType"];
                row("gemini-cli", "Gemini CLI", Pass::Dollar, "mcpServers", Form::Json, remote)
            }
            Self::Cursor => {
                row("cursor", "Cursor", Pass::Braces, "mcpServers", Form::Json, &["url", "headers", "auth"])
            }
            Self::Vscode => row("vscode", "VS Code", Pass::Inherited, "servers", Form::TypedJson, web),
            Self::Windsurf => {
                row("windsurf", "Windsurf", Pass::Braces, "mcpServers", Form::Json, &["url", "serverUrl", "headers"])
            }
            Self::Zed => row("zed", "Zed", Pass::Inherited, "context_servers", Form::Json, web),
        }
    }

    /// The file of this client's configuration for the user; `None` where the home directory is not known.
    pub(crate) fn file(self, platform: Platform, places: &ClientPlaces) -> Option<PathBuf> {
        let home = |tail: &str| places.home.as_ref().map(|home| home.join(tail));
        let config = |tail: &str| match (platform, &places.xdg_config) {
            (Platform::MacOs, _) => home("Library/Application Support").map(|dir| dir.join(tail)),
            (Platform::Xdg, Some(config)) => Some(config.join(tail)),
            (Platform::Xdg, None) => home(".config").map(|dir| dir.join(tail)),
        };
        match self {
            Self::ClaudeCode => match &places.claude_config {
                Some(dir) => Some(dir.join(".claude.json")),
                None => home(".claude.json"),
            },
            Self::ClaudeDesktop => config("Claude/claude_desktop_config.json"),
            Self::Codex => match &places.codex_home {
                Some(dir) => Some(dir.join("config.toml")),
                None => home(".codex/config.toml"),
            },
            Self::GeminiCli => match &places.gemini_home {
                Some(dir) => Some(dir.join(".gemini/settings.json")),
                None => home(".gemini/settings.json"),
            },
            Self::Cursor => home(".cursor/mcp.json"),
            Self::Vscode => config("Code/User/mcp.json"),
            Self::Windsurf => home(".codeium/windsurf/mcp_config.json"),
            // Zed keeps to `~/.config` on every platform.
            Self::Zed => match (platform, &places.xdg_config) {
                (Platform::Xdg, Some(config)) => Some(config.join("zed/settings.json")),
                (Platform::Xdg | Platform::MacOs, _) => home(".config/zed/settings.json"),
            },
        }
    }
}

/// What the environment says about the places of clients. An empty variable counts as absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientPlaces {
    /// `HOME`.
    pub(crate) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub(crate) xdg_config: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub(crate) claude_config: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub(crate) codex_home: Option<PathBuf>,
    /// `GEMINI_CLI_HOME`.
    pub(crate) gemini_home: Option<PathBuf>,
}

/// The server as a client is to start it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    /// The variables with keys that are to reach it, by name; their values are written nowhere.
    pub(crate) keys: Vec<&'static str>,
}

/// Why a configuration is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) what: &'static str,
}

/// The configuration with hadal in it. What else stands there stays, also in an entry of hadal's that is there already, unless it
/// is about another transport.
pub(crate) fn connected(client: Client, text: &str, server: &Server) -> Result<String, Refused> {
    let row = client.row();
    if row.form == Form::Toml {
        // Names that the user passes on as well stay.
        let mut keys = toml::texts(text, row.servers, ENTRY, "env_vars")?;
        let new: Vec<String> = server.keys.iter().map(|name| (*name).to_owned()).collect();
        keys.extend(new.into_iter().filter(|name| !keys.contains(name)).collect::<Vec<_>>());
        let local = toml::without(text, row.servers, ENTRY, row.remote)?;
        return toml::set(&local, row.servers, ENTRY, &fields(server, &keys));
    }
    let path = [row.servers, ENTRY];
    let there = jsonc::get(text, &path)?;
    let merged = merged(there.clone().map(|there| local(row, there)), entry(row, server));
    match there {
        Some(there) => changed(text, &path, &there, &merged),
        None => jsonc::set(text, &path, &merged),
    }
}

/// The text with one value changed into another, member by member: comments beside those that stay are the user's.
fn changed(text: &str, path: &[&str], there: &Value, wanted: &Value) -> Result<String, Refused> {
    let (Value::Object(old), Value::Object(new)) = (there, wanted) else {
        return if there == wanted { Ok(text.to_owned()) } else { jsonc::set(text, path, wanted) };
    };
    let below = |name| path.iter().copied().chain([name]).collect::<Vec<&str>>();
    let mut text = text.to_owned();
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        text = jsonc::remove(&text, &below(name.as_str()))?;
    }
    for (name, value) in new {
        let place = below(name.as_str());
        text = match old.get(name) {
            Some(there) => changed(&text, &place, there, value)?,
            None => jsonc::set(&text, &place, value)?,
        };
    }
    Ok(text)
}

/// The configuration without hadal; the same text if hadal is not in it.
fn disconnected(client: Client, text: &str) -> Result<String, Refused> {
    let row = client.row();
    match row.form {
        Form::Toml => Ok(toml::remove(text, row.servers, ENTRY)?),
        Form::Json | Form::TypedJson => Ok(jsonc::remove(text, &[row.servers, ENTRY])?),
    }
}

/// What becomes of a configuration that hadal is taken out of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Removal<'a> {
    /// It is again what it was before hadal, to the byte: nothing else is new in it.
    Undone(&'a str),
    /// The file may go: hadal had made it, and it holds nothing else. This is left where it must stay.
    Emptied(String),
    /// Hadal is not in it any more; the same text if it was not.
    Edited(String),
}

/// How hadal is taken out of a configuration, of which `before` is the text that was kept before hadal changed it for the first time.
pub(crate) fn removal<'a>(
    client: Client,
    text: &str,
    before: Option<&'a str>,
    server: &Server,
) -> Result<Removal<'a>, Refused> {
    let edited = disconnected(client, text)?;
    let added_to = |before: &str| connected(client, before, server);
    // How an entry is written down does not matter for what is left without it.
    let is_only_added = |before: &str| {
        let is_new = disconnected(client, before).is_ok_and(|without| without == before);
        let again = added_to(before).and_then(|added| disconnected(client, &added));
        edited != text && is_new && again.is_ok_and(|again| again == edited)
    };
    Ok(match before {
        Some(before) if is_only_added(before) || added_to(before).is_ok_and(|added| added == text) => {
            Removal::Undone(before)
        }
        None if is_only_added("") && is_own(client, text, server) => Removal::Emptied(edited),
        Some(_) | None => Removal::Edited(edited),
    })
}

/// Whether the entry of a configuration is one that hadal wrote for this server and nobody has changed since.
pub(crate) fn is_own(client: Client, text: &str, server: &Server) -> bool {
    let row = client.row();
    let keys: Vec<&'static str> = keys::settings().map(|setting| setting.variable).collect();
    if row.form == Form::Toml {
        let Ok(passed) = toml::texts(text, row.servers, ENTRY, "env_vars") else { return false };
        let are_keys = passed.iter().all(|name| keys.contains(&name.as_str()));
        return are_keys && toml::has_only(text, row.servers, ENTRY, &fields(server, &passed));
    }
    let whole = entry(row, &Server { keys, ..server.clone() });
    let Ok(Some(Value::Object(there))) = jsonc::get(text, &[row.servers, ENTRY]) else { return false };
    there.iter().all(|(name, value)| match (name.as_str(), value) {
        ("env", Value::Object(env)) => env.iter().all(|(key, value)| whole["env"].get(key) == Some(value)),
        _ => whole.get(name) == Some(value),
    })
}

/// What switches hadal off in a configuration that has it, as it stands there; `None` where the client starts it.
pub(crate) fn switched_off(client: Client, text: &str) -> Result<Option<&'static str>, Refused> {
    let row = client.row();
    if row.form == Form::Toml {
        let off = toml::flag(text, row.servers, ENTRY, "enabled")? == Some(false);
        return Ok(off.then_some("enabled = false"));
    }
    let entry = jsonc::get(text, &[row.servers, ENTRY])?.unwrap_or_default();
    let says = |name: &str| entry.get(name).and_then(Value::as_bool);
    Ok(match (says("enabled"), says("disabled")) {
        (Some(false), _) => Some("\"enabled\": false"),
        (_, Some(true)) => Some("\"disabled\": true"),
        _ => None,
    })
}

/// The lines that somebody pastes who edits the file by hand.
pub(crate) fn lines(client: Client, server: &Server) -> String {
    let row = client.row();
    match row.form {
        Form::Toml => toml::table(row.servers, ENTRY, &fields(server, &server.keys), "\n"),
        Form::Json | Form::TypedJson => {
            let whole = json!({ row.servers: { ENTRY: entry(row, server) } });
            serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"
        }
    }
}

fn entry(row: ClientRow, server: &Server) -> Value {
    let mut entry = Map::new();
    if row.form == Form::TypedJson {
        entry.insert("type".to_owned(), json!("stdio"));
    }
    entry.insert("command".to_owned(), json!(server.command));
    entry.insert("args".to_owned(), json!(server.args));
    let reference = |name: &str| match row.pass {
        Pass::Dollar => Some(format!("${name}")),
        Pass::Braces => Some(format!("${{env:{name}}}")),
        Pass::Inherited | Pass::Names | Pass::KeyFile => None,
    };
    let env: Map<String, Value> =
        server.keys.iter().filter_map(|name| Some(((*name).to_owned(), json!(reference(name)?)))).collect();
    if !env.is_empty() {
        entry.insert("env".to_owned(), Value::Object(env));
    }
    Value::Object(entry)
}

fn fields(server: &Server, keys: &[impl AsRef<str>]) -> Vec<toml::Field> {
    let mut fields = vec![("command", quoted(&server.command)), ("args", toml::list(&server.args))];
    if !keys.is_empty() {
        fields.push(("env_vars", toml::list(keys)));
    }
    fields
}

/// The entry without the fields of another transport.
fn local(row: ClientRow, mut entry: Value) -> Value {
    if let Some(fields) = entry.as_object_mut() {
        let is_local = |name: &str, value: &Value| match name {
            "type" => value == "stdio",
            _ => !row.remote.contains(&name),
        };
        fields.retain(|name, value| is_local(name, value));
    }
    entry
}

/// The new entry over the one that is there: a user's own variables, time limits and switches stay.
fn merged(there: Option<Value>, new: Value) -> Value {
    match (there, new) {
        (Some(Value::Object(mut there)), Value::Object(new)) => {
            for (name, value) in new {
                let value = if name == "env" { merged_env(there.get("env").cloned(), value) } else { value };
                there.insert(name, value);
            }
            Value::Object(there)
        }
        (_, new) => new,
    }
}

fn merged_env(there: Option<Value>, new: Value) -> Value {
    match (there, new) {
        // A value that the user wrote is the one that is wanted.
        (Some(Value::Object(there)), Value::Object(mut new)) => {
            new.extend(there);
            Value::Object(new)
        }
        (_, new) => new,
    }
}

/// Whether a variable holds nothing but its own name in the spelling of a client that did not fill it in.
pub(crate) fn is_unfilled(name: &str, value: &str) -> bool {
    let inner = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).or_else(|| value.strip_prefix('$'));
    inner.is_some_and(|inner| inner.strip_prefix("env:").unwrap_or(inner) == name)
}

#[cfg(test)]
mod tests;
