//! `hadal connect`: hadal in the configuration of a client, and out of it again. Keys go along by name; no value is written.

use std::path::Path;

use serde::Serialize;

use super::setup_args::Connect;
use crate::core::base::error::{Code, Error, Result};
use crate::core::setup::connect::{
    Client, Pass, Refused, Server, connected, disconnected, is_only_added, is_own, lines, switched_off,
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
    let text = old.as_deref().unwrap_or_default();
    let edited = if args.remove { disconnected(client, text) } else { connected(client, text, &server) };
    let new = edited.map_err(|Refused { line, what }| {
        let message = format!("`{}`, line {line}, {what}; it was left as it is", path.display());
        by_hand(Error::new(Code::InvalidConfig, message).hint("mend the file and try again"))
    })?;
    let changed = new != text;
    // What was edited was parsed before.
    let off = if args.remove { None } else { switched_off(client, &new).unwrap_or_default() };
    let undone = if args.remove && changed { undo(client, &path, text, &server).map_err(by_hand)? } else { None };
    // Where hadal's own entry is all that is touched, there is nothing of the user's to be kept.
    let users = old.as_deref().filter(|old| !is_own(client, old, &server));
    let is_edited = changed && undone.is_none();
    let backup = if is_edited { clients::write(&path, users, &new).map_err(by_hand)? } else { None };
    let reply = Reply {
        success: true,
        client: client.row().name,
        file: path.display().to_string(),
        changed,
        connected: !args.remove,
        switched_off: off,
        backup: backup.map(|path| path.display().to_string()),
        notes: match args.remove {
            true => undone.into_iter().map(str::to_owned).collect(),
            false => notes(client, &server, resolved),
        },
    };
    output.reply(&reply, || reply.markdown(client))
}

/// Makes a configuration again what it was before hadal, to the byte, if nothing else is new in it; says what was done.
fn undo(client: Client, path: &Path, text: &str, server: &Server) -> Result<Option<&'static str>> {
    match clients::before(path)? {
        Some(before) => {
            let is_ours = is_only_added(client, text, &before)
                || connected(client, &before, server).is_ok_and(|connected| connected == text);
            if !is_ours {
                return Ok(None);
            }
            clients::restore(path, &before)?;
            Ok(Some("the file is again as it was before hadal"))
        }
        None if is_only_added(client, text, "") && is_own(client, text, server) => {
            Ok(clients::take_away(path)?.then_some("the file held nothing else, hadal had made it, and it is gone"))
        }
        None => Ok(None),
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
