//! The commands that set hadal up, as clap reads them.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::core::setup::connect::Client;

#[derive(Debug, Default, Args)]
pub(super) struct Serve {
    /// Serve over HTTP at /mcp of this address instead
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7417")]
    pub(super) http: Option<SocketAddr>,
    /// Print the token of the server over HTTP, which is made when there is none
    #[arg(long, group = "token")]
    pub(super) show_token: bool,
    /// Make a further token and print it; whoever has it sees only the tasks started with it
    #[arg(long, value_name = "NAME", group = "token")]
    pub(super) new_token: Option<String>,
    /// Take a further token away
    #[arg(long, value_name = "NAME", group = "token")]
    pub(super) remove_token: Option<String>,
}

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

#[derive(Debug, Subcommand)]
pub(super) enum Library {
    /// Register a folder or file and index it; again brings its index up to date
    Add {
        path: PathBuf,
        /// Leave out what fits this pattern, as in `.gitignore`; may be repeated, and is kept with the folder
        #[arg(long, value_name = "GLOB")]
        exclude: Vec<String>,
        /// Read hidden files and folders too; kept with the folder
        #[arg(long)]
        hidden: bool,
    },
    /// List the registered folders and files
    List,
    /// Forget a folder or file and its index; the documents stay
    Remove { path: PathBuf },
}
