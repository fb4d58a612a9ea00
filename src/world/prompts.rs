//! Prompt templates: the user's where there is one, else those that hadal ships.

use std::path::Path;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::model::prompt::{SHIPPED, check};
use crate::world::overrides;

/// DS-06: the template of this name, checked. Blocking.
pub(crate) fn load(config_dir: &Path, name: &str) -> Result<String> {
    let path = config_dir.join("prompts").join(name);
    let hint = "take the file away to use the prompt that hadal ships";
    let Some(text) = overrides::read(&path, limits::PROMPT_FILE_BYTES, "prompt", hint)? else { return shipped(name) };
    check(name, &path.display().to_string(), &text)?;
    Ok(text)
}

fn shipped(name: &str) -> Result<String> {
    let found = SHIPPED.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| Error::new(Code::Internal, format!("no prompt `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::model::prompt::SEARCH;

    /// DS-06: a file of the same name takes the place of the shipped one; a broken one is never used in part.
    #[test]
    fn ds_06_a_file_of_the_user_takes_the_place() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(load(dir.path(), SEARCH).unwrap(), shipped(SEARCH).unwrap());
        let file = dir.path().join("prompts").join(SEARCH);
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "Find out: {{query}}").unwrap();
        assert_eq!(load(dir.path(), SEARCH).unwrap(), "Find out: {{query}}");
        for broken in [&b"no hole"[..], b"{{query}} {{what}}", b"{{query}} \xff", &[b'x'; 2 << 20]] {
            std::fs::write(&file, broken).unwrap();
            let error = load(dir.path(), SEARCH).unwrap_err();
            assert_eq!(error.code, Code::InvalidConfig);
            assert!(error.message.contains(&file.display().to_string()), "{error}");
        }
    }
}
