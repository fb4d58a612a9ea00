//! The reference pages in `docs/`, made from the registries they describe. When one is stale its test fails and says
//! how to renew it.

use clap::CommandFactory;

use super::args::{Cli, Page};
use crate::core::base::error::{Code, Kind};
use crate::core::setup::settings::registry::REGISTRY;

/// The text of a page.
pub(super) fn page(page: Page) -> String {
    match page {
        Page::Commands => commands(),
        Page::Configuration => configuration(),
        Page::Errors => errors(),
    }
}

const GENERATED: &str = "<!-- Made from the code; renew with `UPDATE_EXPECT=1 cargo test --lib reference`. -->\n";

fn configuration() -> String {
    let mut page = format!(
        "{GENERATED}\n# Configuration\n\nEvery setting can be given in several places; the first that has it counts: flag, \
         environment variable, `keys.toml` (secrets only, written by `hadal key set`), `hadal.toml`, default.\n`hadal config` shows each effective value and where it came from. \
         An empty variable counts as not set. A value that is not\nallowed, and a key in the file that is not known, stop \
         the program at its start with `INVALID_CONFIG`; a flag, with `INVALID_ARGUMENT`.\n\nThe file is `hadal.toml` in the configuration directory \
         (`hadal config` shows the path). A key with a dot stands in a table:\n\n```toml\nengine = \"extractive\"\n\n\
         [budget]\ncost_usd = 2.5\n```\n"
    );
    for setting in REGISTRY.iter() {
        let file = if setting.in_file { "" } else { " (not in the file)" };
        page.push_str(&format!("\n## `{}`{file}\n\n{}\n\n", setting.key, setting.meaning));
        page.push_str(&format!("- variable: `{}`\n", setting.variable));
        if let Some(flag) = setting.flag {
            page.push_str(&format!("- flag: `{flag}`\n"));
        }
        page.push_str(&format!("- allowed: {}\n", setting.allowed));
        page.push_str(&match setting.default {
            Some(default) => format!("- default: `{default}`\n"),
            None => "- default: not set\n".to_owned(),
        });
    }
    page
}

fn errors() -> String {
    let mut page = format!(
        "{GENERATED}\n# Errors\n\nEvery error has a code that never changes, a message and hints. The command line ends with \
         the exit status, MCP and `--json`\nreturn `{{\"success\": false, \"error\": {{\"code\": …, \"message\": …, \
         \"hints\": […]}}}}`. A command stopped by Ctrl-C or SIGTERM ends with 130.\n\n"
    );
    page.push_str("| code | meaning | exit | HTTP | a retry can help |\n|---|---|---|---|---|\n");
    for code in Code::ALL {
        let retry = if code.retryable() { "yes" } else { "no" };
        let (name, meaning) = (code.name(), code.meaning());
        let (exit, http) = (code.kind().exit_status(), code.http_status());
        page.push_str(&format!("| `{name}` | {meaning} | {exit} | {http} | {retry} |\n"));
    }
    page.push_str("\n## Exit statuses\n\n| exit | what |\n|---|---|\n| 0 | done |\n");
    for kind in [Kind::Internal, Kind::Input, Kind::State, Kind::Setup, Kind::Provider, Kind::Storage] {
        page.push_str(&format!("| {} | {} |\n", kind.exit_status(), meaning(kind)));
    }
    page.push_str("| 130 | stopped by Ctrl-C or SIGTERM; the task is kept |\n");
    page
}

fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Internal => "a fault in hadal itself",
        Kind::Input => "the command or its input is not allowed",
        Kind::State => "the task is not in a state that allows it, or there is no such task",
        Kind::Setup => "something must be installed, set or mended",
        Kind::Provider => "an engine or provider failed, refused or was out of reach",
        Kind::Storage => "the disk or the database",
    }
}

/// The help of every command, as a terminal of 100 columns shows it.
fn commands() -> String {
    let mut page = format!("{GENERATED}\n# Commands\n");
    let mut root = Cli::command().term_width(100);
    root.build();
    describe(&mut root, "hadal", &mut page);
    page
}

fn describe(command: &mut clap::Command, name: &str, page: &mut String) {
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    page.push_str(&format!("\n## `{name}`\n\n```text\n{}\n```\n", help.join("\n").trim_end()));
    for child in command.get_subcommands_mut() {
        let hidden = child.is_hide_set() || child.get_name() == "help";
        if !hidden {
            let name = format!("{name} {}", child.get_name());
            describe(child, &name, page);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    /// `UPDATE_EXPECT=1` writes the pages instead of comparing them; the message of a failure says so too.
    #[test]
    fn the_reference_pages_are_current() {
        expect_file!["../../../docs/commands.md"].assert_eq(&page(Page::Commands));
        expect_file!["../../../docs/configuration.md"].assert_eq(&page(Page::Configuration));
        expect_file!["../../../docs/errors.md"].assert_eq(&page(Page::Errors));
    }

    /// The exit statuses of `--help` are those of the code table.
    #[test]
    fn help_documents_every_exit_status() {
        let help = Cli::command().render_long_help().to_string();
        for code in Code::ALL {
            let line = format!("\n  {}    ", code.kind().exit_status());
            assert!(help.contains(&line), "{code} ends with {}", code.kind().exit_status());
        }
    }
}
