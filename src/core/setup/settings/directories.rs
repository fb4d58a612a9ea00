//! Where hadal keeps its files when nobody says otherwise: the rule of each platform, as a pure function.

use std::path::{Path, PathBuf};

use crate::core::base::error::{Code, Error, Result};

/// The two directories of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directories {
    pub(crate) config: PathBuf,
    pub(crate) data: PathBuf,
}

/// What the environment says about places. An empty variable counts as absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// `HADAL_HOME` or `--home`, absolute.
    pub(crate) hadal_home: Option<PathBuf>,
    /// `HOME`.
    pub(crate) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub(crate) xdg_config: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub(crate) xdg_data: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Platform {
    MacOs,
    /// Linux and the other systems that follow the XDG base directories.
    Xdg,
}

/// The directories of this platform.
pub(crate) fn directories(platform: Platform, places: &Places) -> Result<Directories> {
    if let Some(home) = &places.hadal_home {
        return Ok(Directories { config: home.join("config"), data: home.join("data") });
    }
    // The XDG rules say to ignore a relative path; a relative HOME is as useless.
    let absolute = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_absolute());
    let below_home = |tail: &str| {
        absolute(&places.home).map(|home| home.join(tail)).ok_or_else(|| {
            Error::new(Code::InvalidConfig, "the home directory is unknown: `HOME` is not set to an absolute path")
                .hint("set `HADAL_HOME` (or `--home`) to the directory in which hadal may keep its files")
        })
    };
    match platform {
        Platform::MacOs => {
            let dir = below_home("Library/Application Support/hadal")?;
            Ok(Directories { config: dir.join("config"), data: dir.join("data") })
        }
        Platform::Xdg => {
            let place = |named: &Option<PathBuf>, fallback: &str| {
                absolute(named).map_or_else(|| below_home(fallback), Ok).map(|dir| dir.join("hadal"))
            };
            Ok(Directories {
                config: place(&places.xdg_config, ".config")?,
                data: place(&places.xdg_data, ".local/share")?,
            })
        }
    }
}

/// The configuration file of an installation.
pub(crate) fn config_file(config_dir: &Path) -> PathBuf {
    config_dir.join("hadal.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Option<PathBuf> {
        (!text.is_empty()).then(|| PathBuf::from(text))
    }

    /// HR-18: nothing has to be set up for hadal to know where its files go.
    #[test]
    fn every_platform_has_its_place() {
        for (platform, [hadal_home, home, xdg_config, xdg_data], config, data) in [
            (Platform::Xdg, ["", "/u", "", ""], "/u/.config/hadal", "/u/.local/share/hadal"),
            (Platform::Xdg, ["", "/u", "/c", ""], "/c/hadal", "/u/.local/share/hadal"),
            (Platform::Xdg, ["", "/u", "relative", "/d"], "/u/.config/hadal", "/d/hadal"),
            (Platform::Xdg, ["", "", "/c", "/d"], "/c/hadal", "/d/hadal"),
            (Platform::Xdg, ["/h", "/u", "/c", "/d"], "/h/config", "/h/data"),
            (
                Platform::MacOs,
                ["", "/u", "/c", "/d"],
                "/u/Library/Application Support/hadal/config",
                "/u/Library/Application Support/hadal/data",
            ),
            (Platform::MacOs, ["/h", "", "", ""], "/h/config", "/h/data"),
        ] {
            let places = Places {
                hadal_home: path(hadal_home),
                home: path(home),
                xdg_config: path(xdg_config),
                xdg_data: path(xdg_data),
            };
            let got = directories(platform, &places).unwrap();
            assert_eq!(got, Directories { config: config.into(), data: data.into() }, "{platform:?} {places:?}");
        }
    }

    #[test]
    fn without_any_home_it_says_what_to_set() {
        for places in [Places::default(), Places { home: path("relative"), ..Places::default() }] {
            for platform in [Platform::Xdg, Platform::MacOs] {
                let error = directories(platform, &places).unwrap_err();
                assert_eq!(error.code, Code::InvalidConfig);
                assert!(error.hints.iter().any(|hint| hint.contains("HADAL_HOME")), "{error:?}");
            }
        }
    }
}
