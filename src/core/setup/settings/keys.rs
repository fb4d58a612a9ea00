//! Keys of services in a file of hadal's own, `keys.toml`: for clients that do not hand the variables of the shell to their servers.
//! `hadal key` writes the file; a variable of the same name comes before it. No message shows a value.

use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, Value};

use super::Settings;
use super::file::Raw;
use super::registry::{Allowed, REGISTRY, Setting, nearest};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::plain;
use crate::core::setup::toml_text::{line_of, quoted};

/// A key by the variable that also holds it, and its value.
pub(crate) type Kept = (&'static str, String);

/// What a name from outside is cut to in messages.
const NAME_CHARS: usize = 60;

const HEADER: &str = "\
# Keys that hadal sends to their services. Written by `hadal key set` and `hadal key remove`, which keep no comments.
# An environment variable of the same name comes first.
";

/// The file of an installation.
pub(crate) fn keys_file(config_dir: &Path) -> PathBuf {
    config_dir.join("keys.toml")
}

/// Every setting that can be kept in the file, in the order of the reference page.
pub(crate) fn settings() -> impl Iterator<Item = &'static Setting> {
    REGISTRY.iter().filter(|setting| setting.allowed == Allowed::Secret)
}

/// What people call a key: that of `gemini_api_key` is `gemini`.
pub(crate) fn short_name(setting: &Setting) -> &'static str {
    setting.key.strip_suffix("_api_key").unwrap_or(setting.key)
}

/// The setting of a key, by its short name, its name in the settings or its variable.
pub(crate) fn named(name: &str) -> Result<&'static Setting> {
    let fits = |setting: &&Setting| [short_name(setting), setting.key, setting.variable].contains(&name);
    settings().find(fits).ok_or_else(|| {
        let names: Vec<&str> = settings().map(short_name).collect();
        let error = Error::new(Code::InvalidArgument, format!("there is no key `{}`", plain::line(name, NAME_CHARS)));
        error.hint(format!("the keys are {}", names.join(", ")))
    })
}

/// A value as it is kept: without the line break that copying left at its end. One that no header can hold is refused.
pub(crate) fn checked(setting: &'static Setting, text: &str) -> Result<String> {
    let value = text.trim();
    let allowed = setting.fill(&mut Settings::default(), &Raw::Text(value.to_owned()));
    allowed.map(|()| value.to_owned()).ok_or_else(|| {
        Error::new(
            Code::InvalidArgument,
            format!("this is no value for `{}`; allowed: {}", setting.key, setting.allowed),
        )
    })
}

/// Reads the file's text. `path` is only for messages, which hold nothing of a value.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Kept>> {
    let refused = |line: usize, what: &str| {
        Error::new(Code::InvalidConfig, format!("`{}`, line {line}, {what}", path.display()))
            .hint("mend the file, or delete it and set its keys again with `hadal key set`")
    };
    let document = Document::parse(text).map_err(|fault| {
        let line = line_of(text, fault.span());
        refused(line, "is not valid TOML")
    })?;
    let mut kept: Vec<Kept> = Vec::new();
    for (name, item) in document.as_table() {
        let line = line_of(text, document.as_table().key(name).and_then(toml_edit::Key::span));
        let Some(setting) = settings().find(|setting| setting.variable == name) else {
            let error = refused(line, &format!("has a name that is no key: `{}`", plain::line(name, NAME_CHARS)));
            return Err(match nearest(name, settings().map(|setting| setting.variable)) {
                Some(known) => error.hint(format!("did you mean `{known}`?")),
                None => error,
            });
        };
        let Item::Value(Value::String(value)) = item else {
            return Err(refused(line, &format!("`{name}` is not a text in quotes")));
        };
        let value = checked(setting, value.value())
            .map_err(|_not_shown| refused(line, &format!("`{name}` is not {}", setting.allowed)))?;
        kept.push((setting.variable, value));
    }
    Ok(kept)
}

/// The file's text for these keys.
pub(crate) fn written(kept: &[Kept]) -> String {
    let mut text = HEADER.to_owned();
    for setting in settings() {
        if let Some((name, value)) = kept.iter().find(|(name, _)| *name == setting.variable) {
            text.push_str(&format!("{name} = {}\n", quoted(value)));
        }
    }
    text
}

/// The keys with one of them replaced, added or (with `None`) taken out.
pub(crate) fn with(mut kept: Vec<Kept>, setting: &'static Setting, value: Option<String>) -> Vec<Kept> {
    kept.retain(|(name, _)| *name != setting.variable);
    kept.extend(value.map(|value| (setting.variable, value)));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_three_names() {
        for name in ["gemini", "gemini_api_key", "GEMINI_API_KEY"] {
            assert_eq!(named(name).unwrap().variable, "GEMINI_API_KEY", "{name}");
        }
        let error = named("bing\u{1b}[31m").unwrap_err();
        assert!(error.message.contains("bing") && !error.message.contains('\u{1b}'), "{error:?}");
        assert!(error.hints.iter().any(|hint| hint.contains("gemini, ") && hint.contains("brave")), "{error:?}");
    }

    #[test]
    fn short_names_are_unique() {
        let mut names: Vec<&str> = settings().map(short_name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn what_is_written_reads_back() {
        let odd = "a\"b\\c'#=[x]";
        let mut kept = Vec::new();
        for (name, value) in [("brave", "first"), ("gemini", odd), ("brave", "second")] {
            let setting = named(name).unwrap();
            kept = with(kept, setting, Some(checked(setting, &format!(" {value}\r\n")).unwrap()));
        }
        let text = written(&kept);
        let mut read = parse(Path::new("k"), &text).unwrap();
        read.sort();
        assert_eq!(read, [("BRAVE_API_KEY", "second".to_owned()), ("GEMINI_API_KEY", odd.to_owned())]);
        let none = with(with(read, named("brave").unwrap(), None), named("gemini").unwrap(), None);
        assert_eq!(parse(Path::new("k"), &written(&none)).unwrap(), []);
    }

    #[test]
    fn no_message_holds_a_value() {
        for (text, says) in [
            ("GEMINI_API_KEY = canary", "line 1, is not valid TOML"),
            ("\nGEMINI_API_KEY = \"canary\nX", "is not valid TOML"),
            ("GEMINI_API_KEY = \"can ary\"", "line 1, `GEMINI_API_KEY` is not text without spaces"),
            ("GEMINI_API_KEY = \"can\\u0000ary\"", "line 1, `GEMINI_API_KEY` is not text without spaces"),
            ("GEMINI_API_KEY = [\"canary\"]", "is not a text in quotes"),
            ("# x\nGEMINI_KEY = \"canary\"", "line 2, has a name that is no key: `GEMINI_KEY`"),
            ("GEMINI_API_KEY = \"canary\"\nGEMINI_API_KEY = \"canary\"", "line 2, is not valid TOML"),
        ] {
            let error = parse(Path::new("keys.toml"), text).unwrap_err();
            assert_eq!(error.code, Code::InvalidConfig);
            assert!(error.message.contains(says), "{:?} does not say {says:?}", error.message);
            assert!(!format!("{error:?}").contains("can"), "{error:?}");
        }
        for bad in ["", "  ", "can ary", "can\nary", "canäry"] {
            let error = checked(named("gemini").unwrap(), bad).unwrap_err();
            assert!(error.code == Code::InvalidArgument && !format!("{error:?}").contains("can"), "{error:?}");
        }
    }
}
