//! A fake `gemini`: a real program with the process model, the interface and the faults of Gemini CLI 0.61, driven by a script.
//!
//! ```no_run
//! use sim::gemini::{Fault, FakeGemini, Scenario, Script};
//! use serde_json::json;
//!
//! let fake = FakeGemini::install(std::path::Path::new("some/dir"));
//! fake.script(&Script::runs([
//!     Scenario::json(&json!({"report": "…"})).search("a query", &["https://a.example/"]).fetch("https://a.example/1"),
//!     Scenario::fault(Fault::DailyQuota),
//! ]));
//! // … run hadal with `GEMINI_CLI_PATH` = fake.program(), or with fake.dir() on the PATH …
//! assert_eq!(fake.calls().len(), 2);
//! ```
//!
//! The program finds its script beside itself, because the programs under test clear the environment of their children; the variable
//! `FAKE_GEMINI_SCRIPT` wins where it survives. Beside the script it keeps `calls.jsonl`, a lock and the state of the script.

mod call;
mod fake;
mod scenario;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

pub use call::{Call, Ended, File};
pub use fake::main;
pub use scenario::{ByPrompt, End, Fault, Scenario, Script, Step, ToolCall, Usage};

use call::Desk;

/// A fake that is installed in a directory of its own.
#[derive(Clone, Debug)]
pub struct FakeGemini {
    dir: PathBuf,
}

impl FakeGemini {
    /// Puts a program named `gemini` into `dir`, which is made if need be.
    ///
    /// It is a link, never a copy: a file that was just written cannot be executed while any other thread of the test happens to
    /// be starting a child that inherited the open file ("text file busy"). A hard link keeps its own path even where somebody
    /// resolves links; across file systems it is a symbolic one.
    ///
    /// # Panics
    /// When it cannot be put there; the test could not go on anyway.
    #[must_use]
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn install(dir: &Path) -> Self {
        fs::create_dir_all(dir).expect("the directory of the fake can be made");
        let dir = fs::canonicalize(dir).expect("the directory of the fake has a path");
        let built = crate::program("fake-gemini");
        let program = dir.join("gemini");
        let _not_there = fs::remove_file(&program);
        fs::hard_link(&built, &program)
            .or_else(|_| std::os::unix::fs::symlink(&built, &program))
            .expect("the fake can be linked");
        Self { dir }
    }

    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.dir.join("gemini")
    }

    /// The directory to put on a `PATH`.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes the script; its first scenario is the next one. The call log is kept.
    ///
    /// # Panics
    /// When it cannot be written.
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn script(&self, script: &Script) {
        let text = serde_json::to_vec_pretty(script).expect("a script is JSON");
        self.desk().rewrite(&text).expect("the script can be written");
    }

    /// All runs so far, in the order in which they started.
    ///
    /// # Panics
    /// When the log is damaged.
    #[must_use]
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn calls(&self) -> Vec<Call> {
        self.desk().calls().expect("the call log can be read")
    }

    /// Waits until the runs so far are as wanted, and returns them.
    ///
    /// # Panics
    /// When that never happens.
    #[must_use]
    pub fn wait_for(&self, what: &str, wanted: impl Fn(&[Call]) -> bool) -> Vec<Call> {
        crate::wait::until_some(what, || Some(self.calls()).filter(|calls| wanted(calls)))
    }

    /// Lets all runs go on that wait at [`Step::Hold`] of this name, now and later.
    ///
    /// # Panics
    /// When the file that says so cannot be written.
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn release(&self, name: &str) {
        fs::write(self.dir.join(format!("release-{name}")), "").expect("the release can be written");
    }

    /// Every process that any run started and that is still there.
    #[must_use]
    pub fn survivors(&self) -> Vec<u32> {
        self.calls().iter().flat_map(Call::processes).filter(|pid| crate::alive(*pid)).collect()
    }

    fn desk(&self) -> Desk {
        Desk::at(self.dir.join("script.json"))
    }
}
