//! The template of saved reports: the user's where there is one, else the one that hadal ships.

use std::path::Path;

use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::core::saved::template::{NAME, Template};
use crate::world::overrides;

/// HR-11: the template, checked. Blocking.
pub(crate) fn load(config_dir: &Path) -> Result<Template> {
    let path = config_dir.join("templates").join(NAME);
    let hint = "take the file away to use the template that hadal ships";
    match overrides::read(&path, limits::TEMPLATE_FILE_BYTES, "template", hint)? {
        Some(text) => Template::new(path.display().to_string(), text),
        None => Ok(Template::shipped()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::base::error::Code;

    /// HR-11: a broken template is an error that names the file, never a fallback.
    #[test]
    fn hr_11_a_template_of_the_user_takes_the_place() {
        let dir = tempfile::tempdir().unwrap();
        let shown = |dir: &Path| format!("{:?}", load(dir).unwrap());
        assert!(shown(dir.path()).contains("built in"));
        let file = dir.path().join("templates").join(NAME);
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "{{ report }}").unwrap();
        assert!(shown(dir.path()).contains("{{ report }}"));
        for broken in [&b"{{ report"[..], b"\xff", &[b'x'; 300 << 10]] {
            std::fs::write(&file, broken).unwrap();
            let error = load(dir.path()).unwrap_err();
            assert_eq!(error.code, Code::InvalidConfig);
            assert!(error.message.contains(&file.display().to_string()), "{error}");
        }
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert!(load(dir.path()).unwrap_err().message.contains("is not a file"));
    }
}
