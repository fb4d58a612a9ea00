//! `hadal serve`: the MCP server, and the tokens of the one over HTTP.

use super::setup_args::Serve;
use super::{End, in_runtime};
use crate::core::base::error::Result;
use crate::core::setup::settings::resolve::Resolved;
use crate::engine::{Adopt, Engine, log, main_token, new_token, remove_token};
use crate::surface::verbs::App;
use crate::surface::{mcp, output};

pub(super) fn run(args: Serve, resolved: Resolved) -> Result<u8, End> {
    let config = &resolved.settings.config_dir;
    let Serve { http, show_token, new_token: new, remove_token: old } = args;
    if show_token {
        output::write(&format!("{}\n", main_token(config)?))?;
        return Ok(0);
    }
    if let Some(name) = new {
        output::write(&format!("{}\n", new_token(config, &name)?))?;
        log::info(format!("this is shown once; `hadal serve --remove-token {name}` takes the token away"));
        return Ok(0);
    }
    if let Some(name) = old {
        remove_token(config, &name)?;
        return Ok(0);
    }
    in_runtime(async {
        let engine = Engine::new(&resolved.settings, Adopt::All);
        let app = App { engine, settings: resolved.settings.into() };
        match http {
            Some(address) => mcp::serve_http(app, address).await?,
            None => mcp::serve_stdio(app).await?,
        }
        Ok(0)
    })
}
