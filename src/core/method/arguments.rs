//! Which arguments of a call its report was made with. Not every engine can do what every argument asks; the report says which ones did
//! nothing, whatever way it was made in the end.

use serde::{Deserialize, Serialize};

use crate::core::base::engine::EngineName;

/// An argument that was given with a call. Its name is that of the tool's argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Argument {
    Sites,
    Since,
    Library,
    /// `web: true`.
    Web,
    /// `web: false`.
    NoWeb,
    Context,
    TaskScope,
    TaskTypeHint,
    MaxAttempts,
    MaxIterations,
    Length,
    Language,
    Audience,
    Sources,
    BudgetUsd,
    BudgetTokens,
    BudgetSeconds,
}

/// How a report was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In rounds, by this engine.
    Rounds(EngineName),
    /// By adaptive search of the web, with or without a model.
    Web,
    /// By adaptive search of local documents.
    Library,
    /// By a study of these.
    Study { web: bool, library: bool },
    /// From the context of the call; nothing was searched.
    Context,
}

impl Way {
    fn asks_web(self) -> bool {
        matches!(self, Self::Web | Self::Study { web: true, .. })
    }

    fn reads_library(self) -> bool {
        matches!(self, Self::Library | Self::Study { library: true, .. })
    }
}

impl Argument {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sites => "sites",
            Self::Since => "since",
            Self::Library => "library",
            Self::Web | Self::NoWeb => "web",
            Self::Context => "context",
            Self::TaskScope => "task_scope",
            Self::TaskTypeHint => "task_type_hint",
            Self::MaxAttempts => "max_attempts",
            Self::MaxIterations => "max_iterations",
            Self::Length => "length",
            Self::Language => "language",
            Self::Audience => "audience",
            Self::Sources => "sources",
            Self::BudgetUsd => "budget_usd",
            Self::BudgetTokens => "budget_tokens",
            Self::BudgetSeconds => "budget_seconds",
        }
    }

    /// Whether it has an effect on a report that is made in this way.
    fn applies(self, way: Way) -> bool {
        match self {
            Self::Context | Self::BudgetTokens | Self::BudgetSeconds => true,
            // The program tells no prices: who pays depends on how it is logged in.
            Self::BudgetUsd => way != Way::Rounds(EngineName::GeminiCli),
            Self::Sites | Self::Since => way.asks_web(),
            Self::Library => way.reads_library(),
            Self::NoWeb => way.reads_library() && !way.asks_web(),
            Self::Web => way.asks_web() || matches!(way, Way::Rounds(_)),
            Self::TaskScope | Self::TaskTypeHint | Self::MaxAttempts => !matches!(way, Way::Rounds(_)),
            Self::MaxIterations => matches!(way, Way::Rounds(_)),
            Self::Length => !matches!(way, Way::Rounds(_)),
            Self::Language | Self::Audience | Self::Sources => matches!(way, Way::Study { .. }),
        }
    }
}

/// The names of the given arguments that did nothing. A call that its own context answers needed none of them.
pub(crate) fn ignored(given: &[Argument], way: Way) -> Vec<String> {
    if way == Way::Context {
        return Vec::new();
    }
    given.iter().filter(|argument| !argument.applies(way)).map(|argument| argument.name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Argument; 17] = [
        Argument::Sites,
        Argument::Since,
        Argument::Library,
        Argument::Web,
        Argument::NoWeb,
        Argument::Context,
        Argument::TaskScope,
        Argument::TaskTypeHint,
        Argument::MaxAttempts,
        Argument::MaxIterations,
        Argument::Length,
        Argument::Language,
        Argument::Audience,
        Argument::Sources,
        Argument::BudgetUsd,
        Argument::BudgetTokens,
        Argument::BudgetSeconds,
    ];

    #[test]
    fn each_way_says_what_it_does_not_heed() {
        for (way, want) in [
            (
                Way::Rounds(EngineName::GeminiCli),
                "sites since library web task_scope task_type_hint max_attempts length language audience sources budget_usd",
            ),
            (
                Way::Rounds(EngineName::GeminiApi),
                "sites since library web task_scope task_type_hint max_attempts length language audience sources",
            ),
            (
                Way::Rounds(EngineName::Native),
                "sites since library web task_scope task_type_hint max_attempts length language audience sources",
            ),
            (Way::Web, "library web max_iterations language audience sources"),
            (Way::Library, "sites since web max_iterations language audience sources"),
            (Way::Study { web: true, library: true }, "web max_iterations"),
            (Way::Study { web: true, library: false }, "library web max_iterations"),
            (Way::Study { web: false, library: true }, "sites since web max_iterations"),
            (Way::Context, ""),
        ] {
            assert_eq!(ignored(&ALL, way).join(" "), want, "{way:?}");
        }
        assert!(ignored(&[], Way::Web).is_empty());
    }
}
