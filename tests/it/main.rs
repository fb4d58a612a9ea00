//! One integration-test binary: the real program from outside (child processes, pipes and signals), and the
//! project's own rules.

#![expect(clippy::disallowed_methods, reason = "tests start the real program")]

// `cfg(test)` tells clippy that helpers are tests too.
#[cfg(test)]
mod asked_words;
#[cfg(test)]
mod check;
#[cfg(test)]
mod check_files;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod cli_settings;
#[cfg(test)]
mod cli_signals;
#[cfg(test)]
mod client;
#[cfg(test)]
mod connect;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod disk_full;
#[cfg(test)]
mod endings;
#[cfg(test)]
mod folder;
#[cfg(test)]
mod forget;
#[cfg(test)]
mod gemini;
#[cfg(test)]
mod gone_files;
#[cfg(test)]
mod hosted;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod http;
#[cfg(test)]
mod keeper;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod library_files;
#[cfg(test)]
mod library_kills;
#[cfg(test)]
mod library_kinds;
#[cfg(test)]
mod library_secrets;
#[cfg(test)]
mod marks;
mod mcp;
#[cfg(test)]
mod mcp_tasks;
#[cfg(test)]
mod named_answers;
#[cfg(test)]
mod named_entries;
#[cfg(test)]
mod native;
mod near_misses;
mod neutral;
#[cfg(test)]
mod offline;
#[cfg(test)]
mod old_data;
#[cfg(test)]
mod orphans;
#[cfg(test)]
mod registered;
#[cfg(test)]
mod saved_reports;
#[cfg(test)]
mod small_folders;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod troubles;
#[cfg(test)]
mod vectors;
#[cfg(test)]
mod what_holds;
mod whose_answer;
