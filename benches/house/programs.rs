//! The binaries under measurement, all built as the one that is shipped is: the profile `bench` is the profile `dist`, in the
//! directory that cargo uses for benchmarks.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Built by cargo for this benchmark, with what a dev-dependency switches on: the feature `scripted`.
const SCRIPTED: &str = env!("CARGO_BIN_EXE_hadal");

/// Copies, because cargo builds hadal with and without its features at the same place.
#[derive(Debug)]
pub(crate) struct Programs {
    /// What `cargo build --profile dist` makes.
    pub(crate) shipped: PathBuf,
    /// The same with the feature `scripted`.
    pub(crate) scripted: PathBuf,
    /// The least that is an rmcp server.
    pub(crate) bare: PathBuf,
    _folder: TempDir,
}

impl Programs {
    pub(crate) fn build() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let keep = |from: &Path, name: &str| {
            let to = folder.path().join(name);
            std::fs::copy(from, &to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
            Ok::<_, String>(to)
        };
        let scripted = keep(Path::new(SCRIPTED), "hadal-scripted")?;
        build()?;
        let shipped = keep(&built("hadal")?, "hadal")?;
        let bare = keep(&built("bare-rmcp")?, "bare-rmcp")?;
        Ok(Self { shipped, scripted, bare, _folder: folder })
    }
}

/// Builds hadal without its features and the bare server, in one run: so both stand on the same build of the same crates.
fn build() -> Result<(), String> {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--profile", "bench", "--quiet", "--package", "hadal", "--package", "sim"])
        .args(["--features", "sim/bare-rmcp", "--bin", "hadal", "--bin", "bare-rmcp"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(format!("cannot build the programs to measure: {}", reason.trim()))
}

/// Where cargo has put a program.
fn built(name: &str) -> Result<PathBuf, String> {
    let path = target_dir()?.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() { Ok(path) } else { Err(format!("`{name}` was built, but is not at {}", path.display())) }
}

/// Where cargo puts things: two folders above the binary.
pub(crate) fn target_dir() -> Result<PathBuf, String> {
    let dir = Path::new(SCRIPTED).parent().and_then(Path::parent);
    dir.map(Path::to_owned).ok_or_else(|| format!("{SCRIPTED} stands in no target directory"))
}
