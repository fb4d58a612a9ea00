//! The tokens of the server over HTTP: the main one, which its user can look at, and named ones, of which only digests are kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::http::{digest, is_token_name, same};
use crate::world::{own_file, private, random};

const FILE: u32 = 0o600;

/// Who a token belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The user of this machine.
    User,
    Named(String),
}

/// The main token; it is made when it is first asked for.
pub(crate) fn main_token(config_dir: &Path) -> Result<String> {
    let path = main_file(config_dir);
    // Two servers that start for the first time agree on one token.
    let _alone = private::locked(config_dir).map_err(|fault| unwritable(config_dir, &fault))?;
    if let Some(token) = kept(&path)? {
        return Ok(token);
    }
    let token = fresh();
    own_file::replace(&path, &format!("{token}\n"), FILE)?;
    Ok(token)
}

/// The main token as its file has it.
fn kept(path: &Path) -> Result<Option<String>> {
    let Some(text) = own_file::read(path, limits::KEY_BYTES)? else { return Ok(None) };
    private::file(path).map_err(|fault| unwritable(path, &fault))?;
    match text.trim() {
        "" => Ok(None),
        token => long_enough(path, token).map(Some),
    }
}

/// A token that somebody wrote by hand must not be one that can be guessed.
fn long_enough(path: &Path, token: &str) -> Result<String> {
    if token.chars().count() >= limits::TOKEN_MIN_CHARS {
        return Ok(token.to_owned());
    }
    let message = format!("the token in `{}` has fewer than {} characters", path.display(), limits::TOKEN_MIN_CHARS);
    Err(Error::new(Code::InvalidConfig, message).hint("delete the file; the next start makes a new token"))
}

/// Makes a token with a name, in the place of one that had it; it cannot be looked at again. A name is the principal: whoever gets a token with
/// a name that was in use before finds the tasks that were started under it.
pub(crate) fn new_token(config_dir: &Path, name: &str) -> Result<String> {
    if !is_token_name(name) {
        let most = limits::TOKEN_NAME_BYTES;
        let message = format!(
            "a token's name has at most {most} lower-case letters, digits, `-` and `_`, and does not begin with `-`"
        );
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let _alone = private::locked(config_dir).map_err(|fault| unwritable(config_dir, &fault))?;
    let mut named = read(&named_file(config_dir))?;
    if named.len() >= limits::TOKENS && !named.contains_key(name) {
        let message = format!("there are {} tokens already", limits::TOKENS);
        return Err(Error::new(Code::InvalidArgument, message).hint("take some away with `hadal serve --remove-token`"));
    }
    let token = fresh();
    named.insert(name.to_owned(), digest(&token));
    write(config_dir, &named)?;
    Ok(token)
}

/// Takes a named token away; its tasks stay.
pub(crate) fn remove_token(config_dir: &Path, name: &str) -> Result<()> {
    let _alone = private::locked(config_dir).map_err(|fault| unwritable(config_dir, &fault))?;
    let mut named = read(&named_file(config_dir))?;
    if named.remove(name).is_none() {
        return Err(Error::new(Code::InvalidArgument, "there is no token with this name"));
    }
    write(config_dir, &named)
}

/// 256 random bits.
fn fresh() -> String {
    format!("{:032x}{:032x}", random::bits128(), random::bits128())
}

fn main_file(config_dir: &Path) -> PathBuf {
    config_dir.join("http-token")
}

fn named_file(config_dir: &Path) -> PathBuf {
    config_dir.join("http-tokens.toml")
}

/// Digests by name.
fn read(path: &Path) -> Result<BTreeMap<String, String>> {
    let Some(text) = own_file::read(path, limits::CONFIG_FILE_MAX_BYTES)? else { return Ok(BTreeMap::new()) };
    private::file(path).map_err(|fault| unwritable(path, &fault))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let entries = lines.map(|line| {
        let (name, digest) = line.split_once(" = \"")?;
        Some((name.to_owned(), digest.strip_suffix('"')?.to_owned()))
    });
    entries.collect::<Option<_>>().ok_or_else(|| {
        Error::new(Code::InvalidConfig, format!("`{}` is damaged", path.display()))
            .hint("delete it and make its tokens again with `hadal serve --new-token NAME`")
    })
}

fn write(config_dir: &Path, named: &BTreeMap<String, String>) -> Result<()> {
    let rows: String = named.iter().map(|(name, digest)| format!("{name} = \"{digest}\"\n")).collect();
    let text =
        format!("# Digests of the tokens of `hadal serve --http`; the tokens themselves are kept nowhere.\n{rows}");
    own_file::replace(&named_file(config_dir), &text, FILE)
}

fn unwritable(path: &Path, fault: &std::io::Error) -> Error {
    Error::new(Code::PermissionDenied, format!("`{}` may not be written: {fault}", path.display()))
}

/// The tokens of a running server. Their files are read for every request: they are small, and a token that was taken away must not be let in
/// because its file looks as it did before.
#[derive(Debug)]
pub(crate) struct Tokens {
    main: PathBuf,
    named: PathBuf,
}

impl Tokens {
    pub(crate) fn open(config_dir: &Path) -> Result<Self> {
        main_token(config_dir)?;
        let (main, named) = (main_file(config_dir), named_file(config_dir));
        read(&named)?;
        Ok(Self { main, named })
    }

    /// The digests of all tokens by their names; the main one has none.
    pub(crate) fn digests(&self) -> Result<BTreeMap<Option<String>, String>> {
        let main = kept(&self.main)?.map(|token| (None, digest(&token)));
        let named = read(&self.named)?.into_iter().map(|(name, digest)| (Some(name), digest));
        Ok(main.into_iter().chain(named).collect())
    }

    /// Whose token this is. Every known one is compared, each in the same time.
    pub(crate) fn holder(&self, token: &str) -> Option<Holder> {
        let given = digest(token);
        // A file that cannot be read lets nobody in.
        let main = kept(&self.main).ok().flatten().map(|token| digest(&token)).unwrap_or_default();
        let mut holder = same(&given, &main).then_some(Holder::User);
        for (name, digest) in read(&self.named).unwrap_or_default() {
            if same(&given, &digest) {
                holder = Some(Holder::Named(name));
            }
        }
        holder
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// MC-01: a main token that can be guessed is refused, with its file and without its text.
    #[test]
    fn mc_01_a_short_token_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        for (token, taken) in [("fifteen-letters", false), ("sixteen-letters-", true)] {
            std::fs::write(dir.path().join("http-token"), format!("{token}\n")).unwrap();
            let error = Tokens::open(dir.path()).err();
            assert_eq!(error.is_none(), taken, "{token}");
            if let Some(error) = error {
                assert_eq!(error.code, Code::InvalidConfig);
                assert!(error.message.contains("http-token") && !error.message.contains(token), "{error:?}");
            }
        }
    }

    /// MC-01: tokens are private, named ones are kept as digests, and one that is taken away lets nobody in any more.
    #[test]
    fn mc_01_tokens_are_kept_and_known() {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("config");
        let main = main_token(&config).unwrap();
        assert_eq!((main.len(), main_token(&config).unwrap()), (64, main.clone()));
        let tokens = Tokens::open(&config).unwrap();
        let laptop = new_token(&config, "laptop").unwrap();
        let phone = new_token(&config, "phone").unwrap();
        for (token, holder) in [
            (&main, Some(Holder::User)),
            (&laptop, Some(Holder::Named("laptop".into()))),
            (&phone, Some(Holder::Named("phone".into()))),
            (&digest(&laptop), None),
            (&String::new(), None),
        ] {
            assert_eq!(tokens.holder(token), holder);
        }
        for file in ["http-token", "http-tokens.toml"] {
            let mode = std::fs::metadata(config.join(file)).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{file}");
        }
        let kept = std::fs::read_to_string(config.join("http-tokens.toml")).unwrap();
        assert!(!kept.contains(&laptop) && kept.contains("laptop"), "{kept}");
        remove_token(&config, "laptop").unwrap();
        assert_eq!((tokens.holder(&laptop), tokens.holder(&phone)), (None, Some(Holder::Named("phone".into()))));
        assert!(remove_token(&config, "laptop").is_err() && new_token(&config, "a b").is_err());
    }
    /// MC-01: what a file says counts, also when it is as long as before, has the same number on the disk and the same time.
    #[test]
    fn mc_01_a_revoked_token_is_refused_whatever_its_file_looks_like() {
        let dir = tempfile::tempdir().unwrap();
        let ann = new_token(dir.path(), "ann").unwrap();
        let tokens = Tokens::open(dir.path()).unwrap();
        assert!(tokens.holder(&ann).is_some());
        let file = named_file(dir.path());
        let text = std::fs::read_to_string(&file).unwrap();
        // Written in place, as an editor may do, and as a reused number of a file would look.
        std::fs::write(&file, text.replace(&digest(&ann), &digest("other"))).unwrap();
        assert_eq!((tokens.holder(&ann), tokens.holder("other")), (None, Some(Holder::Named("ann".into()))));
        std::fs::write(&file, "damaged").unwrap();
        assert_eq!(tokens.holder("other"), None);
    }

    #[test]
    fn many_at_once_lose_no_token() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["a", "b", "c", "d", "e", "f"];
        std::thread::scope(|scope| {
            for name in names {
                scope.spawn(|| new_token(dir.path(), name).unwrap());
            }
        });
        assert_eq!(read(&named_file(dir.path())).unwrap().len(), names.len());
        let made: Vec<String> = std::thread::scope(|scope| {
            let starts: Vec<_> = names.iter().map(|_| scope.spawn(|| main_token(dir.path()).unwrap())).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert!(made.iter().all(|token| *token == made[0]), "{made:?}");
    }
}
