//! `hadal key`: the keys of services in a file of hadal's own. No reply holds one.

use serde::Serialize;

use super::setup_args::Key;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::settings::keys::{checked, keys_file, named, settings, short_name};
use crate::core::setup::settings::registry::Setting;
use crate::core::setup::settings::resolve::{Origin, Resolved};
use crate::engine::{change_key, hidden_line};
use crate::surface::output::Output;

pub(super) fn run(command: Key, resolved: &Resolved, output: Output) -> Result<()> {
    match command {
        Key::Set { name } => {
            let key = named(&name)?;
            let value = checked(key, &hidden_line(&format!("{}: ", key.variable), limits::KEY_BYTES)?)?;
            let replaced = change_key(&resolved.settings, key, Some(value))?;
            let reply = changed(key, resolved, if replaced { "replaced" } else { "kept" });
            output.reply(&reply, || reply.markdown())
        }
        Key::Remove { name } => {
            let key = named(&name)?;
            if !change_key(&resolved.settings, key, None)? {
                let file = keys_file(&resolved.settings.config_dir);
                let message = format!("`{}` is not kept in `{}`", short_name(key), file.display());
                return Err(Error::new(Code::InvalidArgument, message).hint("`hadal key list` shows the keys"));
            }
            let reply = changed(key, resolved, "removed");
            output.reply(&reply, || reply.markdown())
        }
        Key::List => {
            let reply = list(resolved);
            output.reply(&reply, || reply.markdown())
        }
    }
}

#[derive(Debug, Serialize)]
struct Changed {
    success: bool,
    name: &'static str,
    variable: &'static str,
    what: &'static str,
    file: String,
    /// Another place has the key too, and comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn changed(key: &Setting, resolved: &Resolved, what: &'static str) -> Changed {
    let variable = key.variable;
    let overruled = matches!(origin(key, resolved), Some(Origin::Variable(_)));
    Changed {
        success: true,
        name: short_name(key),
        variable,
        what,
        file: keys_file(&resolved.settings.config_dir).display().to_string(),
        note: overruled.then(|| format!("the environment variable {variable} is set here and comes first")),
    }
}

impl Changed {
    fn markdown(&self) -> String {
        let Self { name, variable, what, file, note, .. } = self;
        let place = if *what == "removed" { "from" } else { "in" };
        let note = note.as_ref().map_or(String::new(), |note| format!("\nnote: {note}"));
        format!("{name} ({variable}): {what} {place} {file}{note}")
    }
}

#[derive(Debug, Serialize)]
struct Keys {
    success: bool,
    file: String,
    keys: Vec<KeyRow>,
}

#[derive(Debug, Serialize)]
struct KeyRow {
    name: &'static str,
    variable: &'static str,
    /// Null: not set.
    origin: Option<String>,
}

fn list(resolved: &Resolved) -> Keys {
    let row = |key: &Setting| KeyRow {
        name: short_name(key),
        variable: key.variable,
        origin: origin(key, resolved).map(Origin::to_string),
    };
    let file = keys_file(&resolved.settings.config_dir).display().to_string();
    Keys { success: true, file, keys: settings().map(row).collect() }
}

impl Keys {
    fn markdown(&self) -> String {
        let width = self.keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
        let rows = self.keys.iter().map(|KeyRow { name, variable, origin }| {
            format!("{name:width$}  {}\n", origin.clone().unwrap_or_else(|| format!("not set ({variable})")))
        });
        rows.collect()
    }
}

/// Where a key that is set comes from.
fn origin<'a>(key: &Setting, resolved: &'a Resolved) -> Option<&'a Origin> {
    let value = resolved.values.iter().find(|value| value.setting.key == key.key)?;
    value.shown.as_ref().map(|_| &value.origin)
}
