//! `hadal doctor`: which engines can be used here, what the others lack, and whether files and database are in order.

use serde::Serialize;

use super::{End, Session};
use crate::core::agent::google::{AGENTS, agent_today};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::masks::MASKED_BYTES;
use crate::core::base::secrets::without_password;
use crate::core::setup::ladder::{self, Rung};
use crate::core::setup::settings::Settings;
use crate::core::web::search::Provider;
use crate::engine::{Examination, log};

#[derive(Debug, Serialize)]
struct DoctorReply {
    /// Files and database are in order. Whether an engine is set up is told by `engines` and is no fault.
    success: bool,
    versions: Versions,
    engines: Vec<EngineReply>,
    gemini_api: GeminiApiReply,
    notifications: NotificationsReply,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize)]
struct Versions {
    hadal: &'static str,
    sqlite: &'static str,
    system: String,
}

#[derive(Debug, Serialize)]
struct EngineReply {
    engine: &'static str,
    usable: bool,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

/// What `gemini-api` and `start_deep_research` would use. Nobody is asked whether it works.
#[derive(Debug, Serialize)]
struct GeminiApiReply {
    key_set: bool,
    base_url: String,
    version: String,
    model: String,
    /// The agent of a deep research whose call names none.
    agent: String,
    /// The agents that this version knows.
    known_agents: &'static [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

#[derive(Debug, Serialize)]
struct NotificationsReply {
    enabled: bool,
    /// There is a desktop to be told; without one a line in the log has to do.
    session_bus: bool,
}

#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: CheckState,
    detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CheckState {
    Ok,
    Warning,
    Broken,
}

pub(super) async fn run(session: &Session) -> Result<u8, End> {
    let settings = &session.app.settings;
    let found = session.app.engine.examine(settings).await;
    let fault = fault(&found);
    let reply = DoctorReply {
        success: fault.is_none(),
        versions: Versions {
            hadal: env!("CARGO_PKG_VERSION"),
            sqlite: found.sqlite,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        },
        engines: ladder::ladder(&found.facts).into_iter().map(EngineReply::from).collect(),
        gemini_api: GeminiApiReply::new(settings),
        notifications: NotificationsReply { enabled: settings.hosted.notifications, session_bus: found.session_bus },
        checks: checks(&found, settings),
    };
    session.output.reply(&reply, || reply.markdown())?;
    fault.map_or(Ok(0), |error| Err(End::Told(error)))
}

/// Mends a damaged database, if it is one.
pub(super) async fn repair(session: &Session) -> Result<()> {
    // Held until the end: nothing goes on in the background while files are moved.
    let _lock = session.app.engine.without_keeper().await?;
    match session.app.engine.repair_store().await? {
        None => log::info("the database is in order; nothing to repair"),
        Some(repaired) => {
            log::info(format!("the database was damaged; {}", repaired.summary()));
            log::info(format!("the damaged file is kept as `{}`", repaired.kept.display()));
            if repaired.saved.iter().all(|table| table.rows == 0) {
                let message = format!(
                    "nothing could be read from the damaged database; it is kept as `{}`",
                    repaired.kept.display()
                );
                return Err(Error::new(Code::StoreCorrupt, message)
                    .hint("a new, empty database was started; keep the damaged file if what it held matters"));
            }
        }
    }
    Ok(())
}

/// The first thing that is broken. That no engine is set up yet is information, which every rung gives with what it lacks.
fn fault(found: &Examination) -> Option<Error> {
    let broken = [found.data_dir.as_ref().err(), found.store.as_ref().err(), found.library.as_ref().err()];
    broken.into_iter().flatten().next().cloned()
}

fn checks(found: &Examination, settings: &Settings) -> Vec<Check> {
    let data_dir = settings.data_dir.display().to_string();
    let data_dir = data_dir.as_str();
    let check = |name, result: &Result<()>, detail: &str| match result {
        Ok(()) => Check { name, state: CheckState::Ok, detail: detail.to_owned() },
        Err(error) => Check { name, state: CheckState::Broken, detail: error.to_string() },
    };
    let warning = |name, detail: String| Check { name, state: CheckState::Warning, detail };
    let mut checks = vec![
        check("data directory", &found.data_dir, data_dir),
        check("database", &found.store, "can be opened and is sound"),
        match &found.library {
            Ok(roots) => Check { name: "library", state: CheckState::Ok, detail: format!("{roots} registered roots") },
            Err(error) => Check { name: "library", state: CheckState::Broken, detail: error.to_string() },
        },
    ];
    if let Some(kind) = found.shared_file_system {
        let detail = format!("`{data_dir}` is on {kind}; the database needs a local file system, set `HADAL_HOME`");
        checks.push(warning("file system", detail));
    }
    if !found.facts.models.is_empty() {
        checks.push(Check { name: "chat models", state: CheckState::Ok, detail: found.facts.models.join(", ") });
    }
    let providers: Vec<&str> = settings.search.active().into_iter().map(Provider::name).collect();
    checks.push(Check { name: "search providers", state: CheckState::Ok, detail: providers.join(", ") });
    for provider in settings.search.named_without_key() {
        let variable = provider.row().key.map_or("its key", |key| key.variable);
        checks.push(warning("search providers", format!("`{}` is off: `{variable}` is not set", provider.name())));
    }
    if let Some(path) = &found.gemini_cli {
        checks.push(Check { name: "Gemini CLI", state: CheckState::Ok, detail: path.display().to_string() });
    }
    for name in settings.unmasked_secrets() {
        let detail = format!(
            "`{name}` has fewer than {MASKED_BYTES} characters: it is not masked where a server repeats it; use a longer key"
        );
        checks.push(warning("keys", detail));
    }
    checks
}

impl GeminiApiReply {
    fn new(settings: &Settings) -> Self {
        let hosted = &settings.hosted;
        let (agent, warning) = agent_today(&hosted.agent).unwrap_or_else(|| (hosted.agent.clone(), None));
        let unknown = || format!("this version does not know the agent `{agent}`; Google's API has the last word");
        Self {
            key_set: settings.gemini_api_key.is_some(),
            base_url: without_password(&hosted.base_url),
            version: hosted.version.clone(),
            model: hosted.model.clone(),
            warning: warning.or_else(|| (!AGENTS.contains(&agent.as_str())).then(unknown)),
            agent,
            known_agents: AGENTS,
        }
    }

    fn markdown(&self) -> String {
        let key = if self.key_set { "set" } else { "not set: needed for `hadal start` and the engine gemini-api" };
        let mut text = format!(
            "\nGemini API (not asked):\n  key: {key}\n  address: {}/{}\n  model of rounds: {}\n  agent: {}\n  known agents: {}\n",
            self.base_url,
            self.version,
            self.model,
            self.agent,
            self.known_agents.join(", ")
        );
        if let Some(warning) = &self.warning {
            text.push_str(&format!("  warning: {warning}\n"));
        }
        text
    }
}

impl NotificationsReply {
    fn markdown(&self) -> &'static str {
        match (self.enabled, self.session_bus) {
            (false, _) => "\nNotifications: switched off\n",
            (true, true) => "\nNotifications: on, through the desktop\n",
            (true, false) => "\nNotifications: on, but there is no desktop session here; a line in the log has to do\n",
        }
    }
}

impl From<Rung> for EngineReply {
    fn from(rung: Rung) -> Self {
        let Rung { engine, usable, reason, fix } = rung;
        Self { engine: engine.name(), usable, reason, fix }
    }
}

impl DoctorReply {
    fn markdown(&self) -> String {
        let Versions { hadal, sqlite, system } = &self.versions;
        let mut text = format!("hadal {hadal}, SQLite {sqlite}, {system}\n\nEngines, best first:\n");
        for EngineReply { engine, usable, reason, fix } in &self.engines {
            let mark = if *usable { "yes" } else { "no" };
            text.push_str(&format!("  {mark:3} {engine:10}  {reason}\n"));
            if let Some(fix) = fix.as_ref().filter(|_| !usable) {
                text.push_str(&format!("                  {fix}\n"));
            }
        }
        text.push_str(&self.gemini_api.markdown());
        text.push_str(self.notifications.markdown());
        text.push_str("\nChecks:\n");
        for Check { name, state, detail } in &self.checks {
            let mark = match state {
                CheckState::Ok => "ok",
                CheckState::Warning => "warning",
                CheckState::Broken => "broken",
            };
            text.push_str(&format!("  {mark:7} {name}: {detail}\n"));
        }
        text
    }
}
