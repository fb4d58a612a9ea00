//! The ladder of engines: which can be used here, what the others lack, and which one a task gets.
//!
//! It judges facts that somebody else gathered. An engine that this version does not have is said to be missing,
//! whatever is installed.

use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::{Code, Error, Result};

/// The engine a user asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EngineSetting {
    /// The best rung that is available.
    #[default]
    Auto,
    /// This one or none.
    Pinned(EngineName),
}

impl EngineSetting {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        if name == "auto" {
            return Some(Self::Auto);
        }
        EngineName::LADDER.into_iter().find(|engine| engine.name() == name).map(Self::Pinned)
    }
}

impl EngineSetting {
    /// The engine of a call that may ask nobody: the only one that can work so.
    pub(crate) fn offline(self) -> Result<Self> {
        match self {
            Self::Auto | Self::Pinned(EngineName::Extractive) => Ok(Self::Pinned(EngineName::Extractive)),
            Self::Pinned(EngineName::GeminiCli | EngineName::GeminiApi | EngineName::Native) => {
                let message = "`--offline` asks nobody, and only the engine `extractive` can work so";
                Err(Error::new(Code::InvalidArgument, message).hint("leave `--engine` out, or `--offline`"))
            }
        }
    }

    /// Whether chat models matter for it. Who wants none is not kept waiting while they are looked for.
    pub(crate) fn may_ask_models(self) -> bool {
        self != Self::Pinned(EngineName::Extractive)
    }
}

/// What is known about this machine and this call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// A program `gemini` is on the search path.
    pub(crate) gemini_cli: bool,
    /// `GEMINI_API_KEY` is set.
    pub(crate) gemini_api_key: bool,
    /// Library roots the task could read: registered ones and those the call names.
    pub(crate) library_roots: usize,
    /// Chat models that can be asked, best first.
    pub(crate) models: Vec<String>,
    /// Whether all of these run on this machine.
    pub(crate) near: bool,
    /// Whether anybody can be asked to search the web; there are providers that need no key.
    pub(crate) search: bool,
    /// The call wants the web searched, also without a model.
    pub(crate) web: bool,
    /// The web may be searched though no call asks for it, where there is nothing else to search: the settings do not forbid it, nor does the call.
    pub(crate) web_allowed: bool,
    /// The call names documents, and wants these read.
    pub(crate) documents: bool,
    /// The question wants depth.
    pub(crate) deep: bool,
    /// The call wants what only a study does: a plan, or to go on from a task.
    pub(crate) study: bool,
}

impl Facts {
    /// Whether the engine without a model searches the web, and not documents: where the call asks for it, or where there is nothing else and
    /// nobody forbids it.
    pub(crate) fn searches_web(&self) -> bool {
        self.search && !self.documents && (self.web || self.web_allowed && self.library_roots == 0)
    }

    /// Whether an engine quotes documents as they are: then no model judges them either.
    pub(crate) fn quotes_documents(&self, engine: EngineName) -> bool {
        engine == EngineName::Extractive && !self.searches_web()
    }

    /// What counts for an engine that was named: it does what the call says, and nothing that nobody asked for.
    fn named(&self) -> Self {
        Self { web_allowed: false, ..self.clone() }
    }
}

/// One engine, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rung {
    pub(crate) engine: EngineName,
    pub(crate) usable: bool,
    /// Why it can be used or cannot.
    pub(crate) reason: String,
    /// What the user can do to make it usable; `None` when nothing is missing or nothing helps yet.
    pub(crate) fix: Option<String>,
}

/// Every engine, best first.
pub(crate) fn ladder(facts: &Facts) -> Vec<Rung> {
    EngineName::LADDER.into_iter().map(|engine| rung(engine, facts)).collect()
}

/// The engine for a task.
pub(crate) fn choose(setting: EngineSetting, facts: &Facts) -> Result<EngineChoice> {
    let rungs = ladder(facts);
    match setting {
        EngineSetting::Pinned(name) => {
            let rung = rung(name, &facts.named());
            if rung.usable {
                return Ok(EngineChoice { name, reason: format!("asked for; {}", rung.reason) });
            }
            let message = format!("the engine `{}` is not available: {}", name.name(), rung.reason);
            // DS-10: a missing program has a code of its own.
            let code = if name == EngineName::GeminiCli { Code::CliNotFound } else { Code::EngineUnavailable };
            let error = rung.fix.into_iter().fold(Error::new(code, message), Error::hint);
            Err(match rungs.iter().find(|rung| rung.usable && rung.engine != name) {
                Some(other) => error.hint(format!("`{}` is available: use it or `auto`", other.engine.name())),
                None => error,
            })
        }
        EngineSetting::Auto => {
            if let Some(choice) = fitting(&rungs, facts) {
                return Ok(choice);
            }
            let above: Vec<String> = rungs
                .iter()
                .take_while(|rung| !rung.usable)
                .map(|rung| format!("{}: {}", rung.engine.name(), rung.reason))
                .collect();
            let Some(rung) = rungs.iter().find(|rung| rung.usable) else { return Err(nothing(&rungs)) };
            let mut reason = format!("best available; {}", rung.reason);
            if !above.is_empty() {
                reason = format!("{reason} ({})", above.join("; "));
            }
            Ok(EngineChoice { name: rung.engine, reason })
        }
    }
}

/// The engine that a call asks for by what it is, if it can be had. Documents that it names are read by a model if there is one, else as they
/// are; depth is a study wherever one can be made.
fn fitting(rungs: &[Rung], facts: &Facts) -> Option<EngineChoice> {
    let usable = |name: EngineName| rungs.iter().find(|rung| rung.engine == name && rung.usable);
    let (rung, why) = if facts.documents {
        let why = "documents that a call names are read";
        (usable(EngineName::Native).or_else(|| usable(EngineName::Extractive))?, why)
    } else if facts.study {
        (usable(EngineName::Native)?, "plans and further questions are studied")
    } else if facts.deep {
        (usable(EngineName::Native)?, "depth is studied")
    } else {
        return None;
    };
    Some(EngineChoice { name: rung.engine, reason: format!("{why}; {}", rung.reason) })
}

/// DS-10: nothing is available; instructions for every rung.
fn nothing(rungs: &[Rung]) -> Error {
    let error = Error::new(Code::CliNotFound, "no engine is available to do the research");
    let instructions = rungs.iter().rev().map(|rung| {
        let fix = rung.fix.as_deref().unwrap_or(&rung.reason);
        format!("{}: {fix}", rung.engine.name())
    });
    instructions.fold(error, Error::hint).hint("`hadal doctor` shows every engine with what it lacks")
}

fn rung(engine: EngineName, facts: &Facts) -> Rung {
    match engine {
        EngineName::GeminiCli if facts.gemini_cli => {
            Rung { engine, usable: true, reason: "Gemini CLI is installed".to_owned(), fix: None }
        }
        EngineName::GeminiCli => Rung {
            engine,
            usable: false,
            reason: "Gemini CLI is not installed or not on PATH".to_owned(),
            fix: Some(
                "install Gemini CLI: `npm install -g @google/gemini-cli`, then `gemini` once to sign in (or set \
                 GEMINI_API_KEY); or name its program file in GEMINI_CLI_PATH"
                    .to_owned(),
            ),
        },
        EngineName::GeminiApi if facts.gemini_api_key => {
            Rung { engine, usable: true, reason: "GEMINI_API_KEY is set".to_owned(), fix: None }
        }
        EngineName::GeminiApi => Rung {
            engine,
            usable: false,
            reason: "GEMINI_API_KEY is not set".to_owned(),
            fix: Some("create a key at https://aistudio.google.com/apikey and set GEMINI_API_KEY".to_owned()),
        },
        EngineName::Native => native(facts),
        EngineName::Extractive if facts.searches_web() => {
            let why = if facts.web { "the web is to be searched" } else { "no library root to read, so the web is searched" };
            Rung { engine, usable: true, reason: format!("{why} without a model"), fix: None }
        }
        EngineName::Extractive if facts.library_roots > 0 => Rung {
            engine,
            usable: true,
            reason: match facts.library_roots {
                1 => "1 library root to read".to_owned(),
                many => format!("{many} library roots to read"),
            },
            fix: None,
        },
        EngineName::Extractive => Rung {
            engine,
            usable: false,
            reason: "no library root to read".to_owned(),
            fix: Some(
                "name documents to read: `hadal library add DIR`, or `--library DIR` for one call; or search the web without a \
                 model: `--engine extractive --web`"
                    .to_owned(),
            ),
        },
    }
}

fn native(facts: &Facts) -> Rung {
    let engine = EngineName::Native;
    match (facts.models.first(), facts.search || facts.documents) {
        (Some(model), true) => {
            Rung { engine, usable: true, reason: format!("the chat model {model} can be asked"), fix: None }
        }
        (Some(_), false) => Rung {
            engine,
            usable: false,
            reason: "no search provider can be asked".to_owned(),
            fix: Some("take `search.providers` away, or name one there that has its key or needs none".to_owned()),
        },
        (None, _) => Rung {
            engine,
            usable: false,
            reason: "no chat model is set up or running here".to_owned(),
            fix: Some(
                "start Ollama with a model, or set HADAL_MODEL (such as `openai/gpt-5`) and its key, or HADAL_MODEL_BASE_URL \
                 for a server that speaks OpenAI's protocol"
                    .to_owned(),
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Facts = Facts {
        gemini_cli: false,
        gemini_api_key: false,
        library_roots: 0,
        models: Vec::new(),
        near: false,
        search: true,
        web: false,
        web_allowed: false,
        documents: false,
        deep: false,
        study: false,
    };

    fn everything() -> Facts {
        Facts { gemini_cli: true, gemini_api_key: true, library_roots: 2, models: vec!["ollama/x".into()], ..NOTHING }
    }

    /// EM-01: documents alone are enough.
    #[test]
    fn auto_takes_the_best_rung_and_says_why() {
        for (facts, engine, reason) in [
            (Facts { library_roots: 1, ..NOTHING }, EngineName::Extractive, "gemini-cli: Gemini CLI is not installed"),
            (
                Facts { library_roots: 1, gemini_api_key: true, ..NOTHING },
                EngineName::GeminiApi,
                "gemini-cli: Gemini CLI is not installed",
            ),
            (
                Facts { library_roots: 1, models: vec!["ollama/x".into()], ..NOTHING },
                EngineName::Native,
                "the chat model ollama/x can be asked",
            ),
            (Facts { web: true, ..NOTHING }, EngineName::Extractive, "the web is to be searched"),
            (Facts { web_allowed: true, ..NOTHING }, EngineName::Extractive, "so the web is searched without a model"),
            (
                Facts { web_allowed: true, library_roots: 1, ..NOTHING },
                EngineName::Extractive,
                "1 library root to read",
            ),
            (
                Facts { web: true, search: false, library_roots: 1, ..NOTHING },
                EngineName::Extractive,
                "1 library root to read",
            ),
            (everything(), EngineName::GeminiCli, "Gemini CLI is installed"),
        ] {
            let choice = choose(EngineSetting::Auto, &facts).unwrap();
            assert_eq!(choice.name, engine);
            assert!(choice.reason.contains(reason), "{}", choice.reason);
        }
    }

    /// LB-02: where nobody may be asked, documents are quoted; another engine that is named is refused.
    #[test]
    fn lb_02_offline_is_extractive_or_refused() {
        let extractive = EngineSetting::Pinned(EngineName::Extractive);
        for name in ["auto", "extractive"] {
            assert_eq!(EngineSetting::parse(name).unwrap().offline(), Ok(extractive), "{name}");
        }
        for name in ["gemini-cli", "gemini-api", "native"] {
            let setting = EngineSetting::parse(name).unwrap();
            assert_eq!(setting.offline().unwrap_err().code, Code::InvalidArgument, "{name}");
            assert!(setting.may_ask_models(), "{name}");
        }
        assert!(!extractive.may_ask_models() && NOTHING.quotes_documents(EngineName::Extractive));
        assert!(!Facts { web: true, ..NOTHING }.quotes_documents(EngineName::Extractive));
    }

    /// An engine that is not available is not said to be.
    #[test]
    fn a_refused_engine_is_no_hint() {
        let setting = EngineSetting::Pinned(EngineName::Extractive);
        for (facts, other) in [
            (Facts { web_allowed: true, ..NOTHING }, None),
            (Facts { web_allowed: true, gemini_api_key: true, ..NOTHING }, Some("`gemini-api` is available")),
        ] {
            let hints = choose(setting, &facts).unwrap_err().hints.join("\n");
            assert_eq!(hints.contains("is available"), other.is_some(), "{hints}");
            assert!(hints.contains(other.unwrap_or_default()), "{hints}");
        }
    }

    /// ST-01: depth is studied before any other engine is asked, where a chat model is; documents that a call names are read by it, or as they are.
    #[test]
    fn auto_takes_what_fits_the_call() {
        let named = |facts: Facts| Facts { documents: true, library_roots: 1, ..facts };
        for (facts, engine, reason) in [
            (Facts { deep: true, ..everything() }, EngineName::Native, "depth is studied; the chat model ollama/x"),
            (Facts { deep: true, search: false, ..everything() }, EngineName::GeminiCli, "best available"),
            (Facts { deep: true, models: Vec::new(), ..everything() }, EngineName::GeminiCli, "best available"),
            (named(everything()), EngineName::Native, "documents that a call names are read"),
            (
                named(Facts { search: false, ..everything() }),
                EngineName::Native,
                "documents that a call names are read",
            ),
            (named(Facts { models: Vec::new(), ..everything() }), EngineName::Extractive, "1 library root to read"),
            (named(Facts { web: true, ..NOTHING }), EngineName::Extractive, "1 library root to read"),
        ] {
            let choice = choose(EngineSetting::Auto, &facts).unwrap();
            assert_eq!(choice.name, engine, "{facts:?}");
            assert!(choice.reason.contains(reason), "{}", choice.reason);
        }
        let pinned =
            choose(EngineSetting::Pinned(EngineName::GeminiApi), &Facts { deep: true, ..everything() }).unwrap();
        assert_eq!(pinned.name, EngineName::GeminiApi);
    }

    /// DS-10: with nothing available the answer has instructions for every rung.
    #[test]
    fn nothing_available_instructs() {
        for facts in [NOTHING, Facts { web_allowed: true, search: false, ..NOTHING }] {
            let error = choose(EngineSetting::Auto, &facts).unwrap_err();
            assert_eq!(error.code, Code::CliNotFound);
            for engine in EngineName::LADDER {
                let start = format!("{}: ", engine.name());
                assert!(error.hints.iter().any(|hint| hint.starts_with(&start)), "{engine:?} in {:?}", error.hints);
            }
        }
    }

    #[test]
    fn a_pinned_engine_is_never_replaced() {
        let pinned = |name, facts| choose(EngineSetting::Pinned(name), &facts);
        for name in EngineName::LADDER {
            assert_eq!(pinned(name, everything()).unwrap().name, name);
        }
        for (name, facts) in [
            (EngineName::Extractive, NOTHING),
            (EngineName::Extractive, Facts { web_allowed: true, ..NOTHING }),
            (EngineName::GeminiCli, Facts { gemini_cli: false, ..everything() }),
            (EngineName::GeminiApi, Facts { gemini_api_key: false, ..everything() }),
            (EngineName::Native, Facts { models: Vec::new(), ..everything() }),
            (EngineName::Native, Facts { search: false, ..everything() }),
        ] {
            let error = pinned(name, facts).unwrap_err();
            let code = if name == EngineName::GeminiCli { Code::CliNotFound } else { Code::EngineUnavailable };
            assert_eq!(error.code, code);
            assert!(error.message.contains(name.name()), "{}", error.message);
            assert!(!error.hints.is_empty());
        }
    }

    /// EM-01: the web is searched exactly where the choice says so.
    #[test]
    fn the_web_is_searched_where_the_choice_says_so() {
        for bits in 0..32_u32 {
            let is = |n: u32| bits & (1 << n) != 0;
            let roots = usize::from(is(0));
            let facts = Facts {
                library_roots: roots,
                documents: is(1) && roots > 0,
                search: is(2),
                web: is(3),
                web_allowed: is(4),
                ..NOTHING
            };
            let says =
                choose(EngineSetting::Auto, &facts).is_ok_and(|choice| choice.reason.contains("searched without"));
            assert_eq!(facts.searches_web(), says, "{facts:?}");
        }
    }

    #[test]
    fn names_read_back() {
        assert_eq!(EngineSetting::parse("auto"), Some(EngineSetting::Auto));
        for engine in EngineName::LADDER {
            assert_eq!(EngineSetting::parse(engine.name()), Some(EngineSetting::Pinned(engine)));
        }
        assert_eq!(EngineSetting::parse("Auto"), None);
    }
}
