//! `hadal connect`: hadal in the configuration of a client, and out of it again. Keys go along by name; no value is written.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::setup_args::Connect;
use crate::core::base::error::{Code, Error, Result};
use crate::core::setup::connect::{
    Client, Pass, Refused, Removal, Server, connected, is_own, lines, removal, switched_off,
};
use crate::core::setup::settings::keys;
use crate::core::setup::settings::registry::HOME_VARIABLE;
use crate::core::setup::settings::resolve::{Origin, Resolved};
use crate::engine::clients;
use crate::surface::output::{self, Output};

pub(super) fn run(args: &Connect, resolved: &Resolved, output: Output) -> Result<()> {
    let client = Client::ALL.into_iter().find(|client| client.row().name == args.client);
    let client = client.ok_or_else(|| Error::new(Code::Internal, "an unknown client was let through"))?;
    let server = server(resolved)?;
    if args.print {
        return output::write(&lines(client, &server));
    }
    let by_hand = |error: Error| {
        if args.remove {
            return error.hint("take the entry `hadal` out of the file by hand");
        }
        error.hint(format!("or put these lines into it by hand:\n{}", lines(client, &server).trim_end()))
    };
    let (path, old) = clients::read(client).map_err(by_hand)?;
    let file = ConfigFile { client, path: &path, text: old.as_deref(), server: &server };
    let done = if args.remove { file.remove() } else { file.add() }.map_err(by_hand)?;
    let reply = Reply {
        success: true,
        client: client.row().name,
        file: path.display().to_string(),
        changed: done.changed,
        connected: !args.remove,
        switched_off: done.switched_off,
        backup: done.backup.map(|path| path.display().to_string()),
        notes: if args.remove { done.note.into_iter().collect() } else { notes(client, &server, resolved) },
    };
    output.reply(&reply, || reply.markdown(client))
}

/// The configuration of a client that is to be changed.
struct ConfigFile<'a> {
    client: Client,
    path: &'a Path,
    /// `None` where there is no file.
    text: Option<&'a str>,
    server: &'a Server,
}

#[derive(Default)]
struct Done {
    changed: bool,
    switched_off: Option<&'static str>,
    backup: Option<PathBuf>,
    note: Option<String>,
}

impl ConfigFile<'_> {
    fn add(&self) -> Result<Done> {
        let new = connected(self.client, self.old(), self.server).map_err(|refused| self.left_alone(refused))?;
        // What was edited was parsed before.
        let switched_off = switched_off(self.client, &new).unwrap_or_default();
        Ok(Done { switched_off, ..self.write(&new)? })
    }

    fn remove(&self) -> Result<Done> {
        let before = clients::before(self.path)?;
        let removal = removal(self.client, self.old(), before.as_deref(), self.server);
        let undone = |note: &str| Done { changed: true, note: Some(note.to_owned()), ..Done::default() };
        match removal.map_err(|refused| self.left_alone(refused))? {
            Removal::Undone(before) => {
                clients::restore(self.path, before)?;
                Ok(undone("the file is again as it was before hadal"))
            }
            Removal::Emptied(_) if clients::take_away(self.path)? => {
                Ok(undone("hadal had made the file, it held nothing else, and it is gone"))
            }
            Removal::Emptied(text) | Removal::Edited(text) => self.write(&text),
        }
    }

    /// Where hadal's own entry is all that is touched, there is nothing of the user's to be kept.
    fn write(&self, new: &str) -> Result<Done> {
        if new == self.old() {
            return Ok(Done::default());
        }
        let users = self.text.filter(|old| !is_own(self.client, old, self.server));
        Ok(Done { changed: true, backup: clients::write(self.path, users, new)?, ..Done::default() })
    }

    fn old(&self) -> &str {
        self.text.unwrap_or_default()
    }

    fn left_alone(&self, Refused { line, what }: Refused) -> Error {
        let message = format!("`{}`, line {line}, {what}; it was left as it is", self.path.display());
        Error::new(Code::InvalidConfig, message).hint("mend the file and try again")
    }
}

/// The server as clients are to start it: this program, with this installation's directory if that is not the usual one.
fn server(resolved: &Resolved) -> Result<Server> {
    let text = |path: std::path::PathBuf| {
        path.into_os_string().into_string().map_err(|path| {
            let message = format!("`{}` is not valid UTF-8, so no client can be told of it", path.to_string_lossy());
            Error::new(Code::InvalidConfig, message)
        })
    };
    let mut args = Vec::new();
    let home = resolved.values.iter().find(|value| value.setting.variable == HOME_VARIABLE);
    if home.is_some_and(|home| home.origin != Origin::Default)
        && let Some(home) = resolved.settings.config_dir.parent()
    {
        args.extend(["--home".to_owned(), text(home.to_owned())?]);
    }
    args.push("serve".to_owned());
    let command = text(clients::program(&resolved.settings.search_path))?;
    Ok(Server { command, args, keys: in_environment(resolved) })
}

/// The keys that the environment has. Kept ones reach every server by themselves.
fn in_environment(resolved: &Resolved) -> Vec<&'static str> {
    let set = |key: &str| {
        resolved.values.iter().any(|value| value.setting.variable == key && matches!(value.origin, Origin::Variable(_)))
    };
    keys::settings().map(|setting| setting.variable).filter(|key| set(key)).collect()
}

/// How the keys reach the server, for whoever wonders why they do not.
fn notes(client: Client, server: &Server, resolved: &Resolved) -> Vec<String> {
    let row = client.row();
    let names = server.keys.join(", ");
    let Some(first) = server.keys.first() else {
        let kept = resolved.values.iter().any(|value| matches!(value.origin, Origin::Keys { .. }));
        let note = if kept {
            "kept keys (`hadal key list`) are used in every client"
        } else {
            "no key is set; `hadal key set gemini` keeps one for every client"
        };
        return vec![note.to_owned()];
    };
    vec![match row.pass {
        Pass::Inherited => format!("{names}: {} hands its own environment on", row.title),
        Pass::Names | Pass::Dollar | Pass::Braces => {
            format!("{names}: passed on by name from the environment that {} is started in", row.title)
        }
        Pass::KeyFile => {
            let short = keys::named(first).map_or(*first, keys::short_name);
            format!("{} does not see {names} of a shell; keep it with `hadal key set {short}`", row.title)
        }
    }]
}

#[derive(Debug, Serialize)]
struct Reply {
    success: bool,
    client: &'static str,
    file: String,
    /// Whether the file was written.
    changed: bool,
    /// Whether hadal is in it now.
    connected: bool,
    /// What in the entry keeps the client from starting it.
    #[serde(skip_serializing_if = "Option::is_none")]
    switched_off: Option<&'static str>,
    /// The file as it was before hadal changed it for the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
    notes: Vec<String>,
}

impl Reply {
    fn markdown(&self, client: Client) -> String {
        let title = client.row().title;
        let what = match (self.connected, self.changed) {
            (true, true) => format!("{title} starts hadal from now on; restart it if it runs."),
            (true, false) => format!("{title} knows hadal already."),
            (false, true) => format!("{title} starts hadal no more."),
            (false, false) => format!("{title} did not know hadal."),
        };
        let what = match self.switched_off {
            Some(off) => {
                format!("{title} knows hadal but does not start it: the entry says `{off}`; take that out to use it.")
            }
            None => what,
        };
        let mut text = format!("{what}\nfile: {}", self.file);
        if let Some(backup) = &self.backup {
            text.push_str(&format!("\nas it was before hadal: {backup}"));
        }
        for note in &self.notes {
            text.push_str(&format!("\nnote: {note}"));
        }
        text
    }
}
