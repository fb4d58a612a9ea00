//! Which providers are asked, by the kind of a question: those that search one kind of thing are asked for that kind.

use super::Provider;
use crate::core::base::rows::is_listed;
use crate::core::language::words::words;

/// What a question is about, as far as its words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Code,
    Papers,
    Other,
}

/// Words by which questions on programs are known. Sorted.
const CODE: &str = "api asyncio bash bug cargo code compile compiler crate css debug docker exception framework \
     function git github golang html java javascript json kernel kotlin kubernetes library linux mysql npm php pip \
     postgres postgresql programming python react regex repository rust sdk segfault software sql sqlite stacktrace \
     swift traceback typescript";
/// The same for research. Sorted.
const PAPERS: &str = "arxiv benchmark benchmarks clinical dataset datasets doi empirical experiments hypothesis \
     journal literature paper papers peer preprint researchers scientific studies theorem trials";

fn kinds(question: &str) -> Vec<Kind> {
    let has = |row| words(question).any(|word| is_listed(row, &word));
    let is_identifier = |token: &str| token.contains("::") || token.contains("()") || token.contains('_');
    let code = has(CODE) || question.split_whitespace().any(is_identifier);
    let found = [(code, Kind::Code), (has(PAPERS), Kind::Papers)];
    let kinds: Vec<Kind> = found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, kind)| kind).collect();
    if kinds.is_empty() { vec![Kind::Other] } else { kinds }
}

impl Provider {
    /// The kind of things that it searches; `None` where it searches all.
    fn kind(self) -> Option<Kind> {
        match self {
            Self::Tavily | Self::Brave | Self::Exa | Self::Serper | Self::Searxng => None,
            Self::StackExchange | Self::GitHub => Some(Kind::Code),
            Self::OpenAlex | Self::Crossref | Self::Arxiv => Some(Kind::Papers),
            Self::Wikipedia | Self::HackerNews => Some(Kind::Other),
        }
    }

    /// Those of some providers that are asked a question: all that search everything, and those of its kind. Where none searches everything,
    /// Wikipedia stands in for it; where that leaves nobody, all are asked.
    pub(crate) fn for_question(question: &str, providers: &[Self]) -> Vec<Self> {
        let kinds = kinds(question);
        let searches_all = providers.iter().any(|provider| provider.kind().is_none());
        let is_asked = |provider: &&Self| match provider.kind() {
            None => true,
            Some(_) if **provider == Self::Wikipedia && !searches_all => true,
            Some(kind) => kinds.contains(&kind),
        };
        let asked: Vec<Self> = providers.iter().filter(is_asked).copied().collect();
        if asked.is_empty() { providers.to_vec() } else { asked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::base::rows::listed;

    /// ST-02: code is looked for where code is, papers where papers are.
    #[test]
    fn providers_are_chosen_by_kind() {
        assert!(listed(CODE).is_sorted() && listed(PAPERS).is_sorted());
        let with_general: Vec<Provider> =
            Provider::ALL.into_iter().filter(|provider| *provider != Provider::Searxng).skip(3).collect();
        for (question, want) in [
            ("How do I stop a Python asyncio task?", "serper stackexchange github"),
            ("What does std::mem::take do", "serper stackexchange github"),
            ("Which papers report benchmarks of retrieval?", "serper openalex crossref arxiv"),
            ("Who was Ottoline Varga?", "serper wikipedia hackernews"),
        ] {
            let chosen = Provider::for_question(question, &with_general);
            let names: Vec<&str> = chosen.iter().map(|provider| provider.row().name).collect();
            assert_eq!(names.join(" "), want, "{question}");
        }
        let free = [Provider::Wikipedia, Provider::Arxiv, Provider::StackExchange];
        assert_eq!(
            Provider::for_question("Why does Rust have lifetimes?", &free),
            [Provider::Wikipedia, Provider::StackExchange]
        );
        assert_eq!(Provider::for_question("Who is she?", &[Provider::Arxiv]), [Provider::Arxiv]);
    }
}
