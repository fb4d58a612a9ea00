//! `hadal config`: every setting, its value and where it came from. Secrets arrive here masked.

use serde::Serialize;

use crate::core::base::error::Result;
use crate::core::setup::settings::directories::config_file;
use crate::core::setup::settings::resolve::{Effective, Resolved};
use crate::surface::output::Output;

#[derive(Debug, Serialize)]
struct ConfigReply {
    success: bool,
    config_file: String,
    data_dir: String,
    settings: Vec<SettingReply>,
}

#[derive(Debug, Serialize)]
struct SettingReply {
    key: &'static str,
    /// Null: not set, and there is no default.
    value: Option<String>,
    origin: String,
    variable: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    allowed: String,
}

pub(super) fn show(resolved: &Resolved, output: Output) -> Result<()> {
    let reply = ConfigReply {
        success: true,
        config_file: config_file(&resolved.settings.config_dir).display().to_string(),
        data_dir: resolved.settings.data_dir.display().to_string(),
        settings: resolved.values.iter().map(SettingReply::from).collect(),
    };
    output.reply(&reply, || reply.markdown())
}

impl From<&Effective> for SettingReply {
    fn from(value: &Effective) -> Self {
        Self {
            key: value.setting.key,
            value: value.shown.clone(),
            origin: value.origin.to_string(),
            variable: value.setting.variable,
            flag: value.setting.flag,
            allowed: value.setting.allowed.to_string(),
        }
    }
}

impl ConfigReply {
    fn markdown(&self) -> String {
        let width = self.settings.iter().map(|setting| setting.key.len()).max().unwrap_or(0);
        let mut text = format!("{:width$}  {}\n", "(file)", self.config_file);
        text.push_str(&format!("{:width$}  {}\n", "(data)", self.data_dir));
        for SettingReply { key, value, origin, .. } in &self.settings {
            let value = value.as_deref().unwrap_or("-");
            text.push_str(&format!("{key:width$}  {value}  ({origin})\n"));
        }
        text
    }
}
