//! The commands that set hadal up, as clap reads them.

use clap::{Args, Subcommand};

use crate::core::setup::connect::Client;

#[derive(Debug, Args)]
pub(super) struct Connect {
    #[arg(value_name = "CLIENT", value_parser = Client::ALL.map(|client| client.row().name))]
    pub(super) client: String,
    /// Write nothing; print the lines that belong into the file
    #[arg(long, conflicts_with = "remove")]
    pub(super) print: bool,
    /// Take hadal out of the client's configuration
    #[arg(long)]
    pub(super) remove: bool,
}

/// The keys of services. A value is never an argument: other users of the machine can see those.
#[derive(Debug, Subcommand)]
pub(super) enum Key {
    /// Keep a key: typed at a prompt that does not show it, or the first line of standard input
    Set { name: String },
    /// List the keys there can be, and where each set one comes from
    List,
    /// Forget a kept key
    Remove { name: String },
}
