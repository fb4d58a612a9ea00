//! The same method on the web, with and without a model, whatever both answer.

use proptest::prelude::{Strategy as _, *};

use super::properties::{any_plan, found, text};
use super::*;
use crate::core::evidence::claim::Claim;
use crate::core::evidence::ledger::Lookup;
use crate::core::evidence::rank::{FetchReply, ReadPage, WebPage, rank};
use crate::core::journal::{Next, Run};
use crate::core::method::{Plan as TaskPlan, TaskSpec};
use crate::core::model::chat::{Chat, ChatReply, Purpose};
use crate::core::model::prompt;
use crate::core::money::budget::Budget;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::explain::Explain;
use crate::core::task::Tool;
use crate::core::text::{Format, extract};
use crate::core::web::search::{self, Depth, Hit, Provider, SearchReply};

/// Pages of a web in memory, by address.
const PAGES: [(&str, &str); 3] = [
    (
        "http://a.test/trip",
        "# The Halvorsen trip\n\nThe ship that carried the Halvorsen trip to Brannock was the Lark; its captain is not named.",
    ),
    ("http://b.test/lark", "# Lark\n\nFrom 1909 to 1914 the captain of the Lark was Ottoline Varga, who knew coal."),
    ("http://c.test/tea", "# Tea\n\nTea is grown in the hills."),
];
const GOAL: &str = "Who was captain of the ship that carried the Halvorsen trip to Brannock?";

fn writer() -> Writer {
    let shipped = |wanted: &str| prompt::SHIPPED.iter().find(|(name, _)| *name == wanted).unwrap().1.to_owned();
    Writer {
        models: vec!["gemini/gemini-3.1-pro-preview".into()],
        answer: shipped(prompt::ANSWER),
        queries: shipped(prompt::QUERIES),
    }
}

fn web_plan(goal: &str) -> AdaptivePlan {
    let web = Web { providers: vec![Provider::Tavily], ..Web::default() };
    AdaptivePlan { web: Some(web), writer: Some(writer()), ..plan(goal) }
}

fn results(urls: &[&str]) -> Outcome {
    let result = |url: &&str| search::Result {
        hit: Hit { url: (*url).to_owned(), ..Hit::default() },
        providers: vec![Provider::Tavily],
        score: 1.0,
    };
    Outcome::WebFound(Box::new(SearchReply {
        results: urls.iter().map(result).collect(),
        asked: vec![Provider::Tavily],
        ..SearchReply::default()
    }))
}

fn pages(query: &str, urls: &[String], limit: u32) -> Outcome {
    let mut read = Vec::new();
    let mut problems = Vec::new();
    for url in urls {
        match PAGES.iter().find(|(known, _)| known == url) {
            Some((_, text)) => {
                let document = extract(Format::Markdown, text.as_bytes().to_vec()).unwrap();
                let about = WebPage {
                    url: url.clone(),
                    title: document.title.clone().unwrap(),
                    page: PageHash(url.clone()),
                    age_days: Some(365),
                };
                read.push(ReadPage { about, document });
            }
            None => problems.push(Problem { subject: url.clone(), error: Error::new(Code::FetchFailed, "dead") }),
        }
    }
    let found = FoundPassages { problems, ..rank(query, &read, limit) };
    Outcome::Fetched(Box::new(FetchReply { pages: read.into_iter().map(|page| page.about).collect(), found }))
}

fn says(text: &str) -> Outcome {
    Outcome::Chatted(ChatReply { text: text.into(), model: "gemini/x".into(), ..ChatReply::default() })
}

/// A healthy world with a model that reads.
fn world(effect: &Effect) -> Outcome {
    match effect {
        Effect::WebSearch { query, .. } if query.text.contains("Lark") => {
            results(&["http://b.test/lark", "http://dead.test/"])
        }
        Effect::WebSearch { .. } => results(&["http://a.test/trip", "http://c.test/tea"]),
        Effect::FetchPages { query, urls, limit } => pages(query, urls, *limit),
        Effect::Chat(Chat { purpose: Purpose::Queries, prompt, .. }) if prompt.contains("Ottoline") => says("DONE"),
        Effect::Chat(Chat { purpose: Purpose::Queries, .. }) => says("captain of the Lark"),
        Effect::Chat(Chat { purpose: Purpose::Answer, prompt, .. }) if prompt.contains("Ottoline") => {
            says("The captain of the Lark was Ottoline Varga [2].")
        }
        Effect::Chat(_) => says("The ship was the Lark [1]."),
        Effect::CheckClaims { claims, pages } => {
            let checked = claims.iter().map(|claim| {
                let page = pages.iter().find(|page| page.number == claim.source).unwrap();
                let text = PAGES.iter().find(|(url, _)| *url == page.page.0).unwrap().1;
                let (verdict, span) = Lookup::new(text).check(&claim.text);
                Claim { text: claim.text.clone(), source: claim.source, verdict, span }
            });
            Outcome::Checked { claims: checked.collect() }
        }
        other => panic!("not an effect of the web: {other:?}"),
    }
}

fn alive(effect: &Effect) -> Event {
    Event::Done(effect.clone(), world(effect))
}

/// AS-01, AS-05, AS-07: strategy, search with its figures, reading, a model's next query, its report and the ledger.
#[test]
fn a_model_leads_to_the_second_hop() {
    let plan = AdaptivePlan { scope: Some(Scope::Large), ..web_plan(GOAL) };
    let (effects, ending) = drive(&plan, alive);
    assert_eq!(
        names(&effects),
        ["web_search", "fetch_pages", "chat", "web_search", "fetch_pages", "chat", "chat", "check_claims"]
    );
    let Some(Effect::WebSearch { query, .. }) =
        effects.iter().find(|effect| matches!(effect, Effect::WebSearch { .. }))
    else {
        panic!("{effects:?}")
    };
    assert_eq!((query.limit, query.depth), (7, Depth::Advanced));
    let Ending::Completed { report } = ending else { panic!("{ending:?}") };
    assert!(report.markdown.contains("Ottoline Varga [2]"), "{}", report.markdown);
    assert_eq!(report.claims[0].verdict, Verdict::Supported);
    assert_eq!(
        report.sources.iter().map(|source| source.location.as_str()).collect::<Vec<_>>(),
        ["http://a.test/trip", "http://b.test/lark"]
    );
    assert_eq!((report.model.as_deref(), report.stop_reason), (Some("gemini/x"), StopReason::GoodEnough));
    assert!(report.problems.iter().any(|problem| problem.subject == "http://dead.test/"), "{:?}", report.problems);
    let Some(Explain { attempts, .. }) = report.explain else { panic!("no explanation") };
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[1].score.and_then(|score| score.recency), Some(0.5));
}

/// AS-08: the result has the same shape whatever the strategy.
#[test]
fn the_shape_does_not_depend_on_the_strategy() {
    for (scope, level, attempts) in
        [(Scope::Tiny, "shallow", 1), (Scope::Normal, "medium", 2), (Scope::Large, "deep", 2)]
    {
        let plan = AdaptivePlan { scope: Some(scope), ..web_plan(GOAL) };
        let report = completed(&plan, alive);
        assert_eq!((report.strategy.as_deref(), report.rounds.len()), (Some(level), attempts), "{report:#?}");
        assert!(!report.markdown.is_empty() && !report.sources.is_empty() && !report.claims.is_empty());
        assert!(report.model.is_some() && report.explain.is_some() && report.engine.is_none());
    }
}

/// AS-09: without a model, with one that fails and with one that writes nonsense there are quotes, and the note says why.
#[test]
fn a_useless_model_leaves_quotes() {
    let extractive = AdaptivePlan { writer: None, ..web_plan(GOAL) };
    let report = completed(&extractive, alive);
    assert!(
        report.markdown.replace("**", "").contains("> The ship that carried")
            && report.model.is_none()
            && report.note.is_none()
    );
    for outcome in [
        failed(Code::ExecutionError),
        says("asdf"),
        says("Penguins rule the moon [1]."),
        says("[1] [2]"),
        Outcome::Uncertain,
    ] {
        let report = completed(&web_plan(GOAL), |effect| match effect {
            Effect::Chat(Chat { purpose: Purpose::Answer, .. }) => Event::Done(effect.clone(), outcome.clone()),
            other => alive(other),
        });
        assert!(report.markdown.replace("**", "").contains("> The ship that carried"), "{}", report.markdown);
        assert_eq!(report.model, None);
        assert!(report.note.unwrap().contains("No model wrote this report"), "{outcome:?}");
    }
}

/// PR-03: when no search was answered, a plainer query is tried, then the call has failed and says so. An empty answer is one.
#[test]
fn a_web_that_is_gone_is_told() {
    let mut queries = Vec::new();
    let (_, ending) = drive(&web_plan(GOAL), |effect| {
        if let Effect::WebSearch { query, .. } = effect {
            queries.push(query.text.clone());
        }
        Event::Done(effect.clone(), failed(Code::ProviderUnreachable))
    });
    let Ending::Failed { error, partial: Some(report) } = ending else { panic!("{ending:?}") };
    assert_eq!((error.code, report.stop_reason, report.model), (Code::SearchFailed, StopReason::SearchFailed, None));
    assert!(report.note.unwrap().contains("could not be searched"));
    assert!(!queries.is_empty() && queries.len() <= 3, "{queries:?}");
    assert_eq!(report.problems.len(), 1, "{:?}", report.problems);
    let report = completed(&web_plan(GOAL), |effect| Event::Done(effect.clone(), results(&[])));
    assert_eq!(report.rounds.len(), 2, "the whole question, then its words: {:?}", report.rounds);
    assert_eq!(report.stop_reason, StopReason::NothingFound);
}

/// PR-03: where a plan comes after one that could not look, it is taken up; the rounds count on.
#[test]
fn what_comes_after_a_dead_web_is_done() {
    let next = Some(Box::new(AdaptivePlan { goal: GOAL.into(), ..AdaptivePlan::default() }));
    let plan = AdaptivePlan { next, ..web_plan(GOAL) };
    let (effects, ending) = drive(&plan, |effect| match effect {
        Effect::WebSearch { .. } => Event::Done(effect.clone(), failed(Code::ProviderUnreachable)),
        Effect::RefreshLibrary { .. } => Event::Done(effect.clone(), Outcome::Refreshed(Refreshed::default())),
        other => Event::Done(other.clone(), Outcome::Found(FoundPassages::default())),
    });
    assert!(effects.iter().any(|effect| matches!(effect, Effect::RefreshLibrary { .. })), "{effects:?}");
    let Ending::Completed { report } = ending else { panic!("{ending:?}") };
    assert_eq!(report.stop_reason, StopReason::NothingFound, "the documents were looked at");
    assert!(report.engine.unwrap().reason.contains("native failed (SEARCH_FAILED)"));
    let numbers: Vec<u32> = report.rounds.iter().map(|round| round.round_number).collect();
    assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<_>>());
}

/// BU-01: a cap of tokens, money or time lets the report be written from the reserve; the second word ends it.
#[test]
fn caps_end_the_search() {
    for (cap, reason) in [
        (Cap::Tokens, StopReason::BudgetTokens),
        (Cap::Cost, StopReason::BudgetCost),
        (Cap::WallTime, StopReason::BudgetTime),
    ] {
        let report = completed(&web_plan(GOAL), |effect| match effect {
            Effect::Chat(Chat { purpose: Purpose::Queries, .. }) => Event::Cap(cap),
            other => alive(other),
        });
        assert_eq!((report.stop_reason, report.model.is_some(), report.partial), (reason, true, true));
        let report = completed(&web_plan(GOAL), |effect| match effect {
            Effect::Chat(_) => Event::Cap(cap),
            other => alive(other),
        });
        assert_eq!((report.stop_reason, report.model), (reason, None), "the report is not waited for twice");
    }
    let report = completed(&web_plan(GOAL), |effect| match effect {
        Effect::Chat(_) => Event::Cap(Cap::Tokens),
        other => alive(other),
    });
    assert_eq!(report.model, None, "no room for the report either");
    assert!(report.markdown.replace("**", "").contains("> The ship that carried"));
}

fn any_outcome() -> impl proptest::strategy::Strategy<Value = Outcome> {
    let urls = prop::collection::vec("http://[a-e]\\.test/[a-c]?", 0..12);
    let page = "http://[a-e]\\.test/[a-c]?".prop_map(|url| WebPage {
        page: PageHash((url.len() % 6).to_string()),
        title: url.clone(),
        url,
        age_days: None,
    });
    let fetched = (prop::collection::vec(page, 0..6), found()).prop_map(|(pages, found)| match found {
        Outcome::Found(found) => Outcome::Fetched(Box::new(FetchReply { pages, found })),
        other => other,
    });
    let claim = (text(), 0u32..6, prop::sample::select(vec![Verdict::Supported, Verdict::Unsupported]))
        .prop_map(|(text, source, verdict)| Claim { text, source, verdict, span: None });
    prop_oneof![
        4 => urls.prop_map(|urls| results(&urls.iter().map(String::as_str).collect::<Vec<_>>())),
        4 => fetched,
        3 => prop_oneof![Just("DONE".to_owned()), text(), Just("lock rows\nwal".to_owned()), Just("Rows lock [1].".to_owned())]
            .prop_map(|text| says(&text)),
        2 => prop::collection::vec(claim, 0..4).prop_map(|claims| Outcome::Checked { claims }),
        1 => prop::sample::select(vec![Code::Timeout, Code::Internal]).prop_map(failed),
        1 => Just(Outcome::Uncertain),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// AS-04, AS-06, AS-09: whatever the world answers, a call ends; it never searches more often than it may, never fetches more pages
    /// than it may, asks a model once an attempt and once at the end; and the same answers lead to the same effects.
    #[test]
    fn every_call_ends_within_its_strategy(
        any in any_plan(),
        writes in any::<bool>(),
        outcomes in prop::collection::vec(any_outcome(), 1..14),
        cap_at in prop::option::of((0usize..14, prop::sample::select(vec![Cap::Cost, Cap::Tokens, Cap::WallTime]))),
    ) {
        let plan = AdaptivePlan { writer: writes.then(writer), web: web_plan("").web, ..any };
        let strategy = plan.strategy();
        let (mut script, mut done) = (outcomes.iter().cycle(), 0);
        let (mut searches, mut chats, mut events) = (0, 0, vec![Event::Begin]);
        let mut too_many = false;
        let (effects, ending) = drive(&plan, |effect| {
            done += 1;
            match effect {
                Effect::WebSearch { query, .. } => {
                    searches += 1;
                    too_many |= query.limit != strategy.max_results;
                }
                Effect::FetchPages { urls, .. } => too_many |= urls.len() > strategy.top_pages as usize,
                Effect::Chat(_) => chats += 1,
                _ => {}
            }
            let event = match cap_at {
                Some((at, cap)) if done > at => Event::Cap(cap),
                _ => Event::Done(effect.clone(), script.next().unwrap().clone()),
            };
            events.push(event.clone());
            event
        });
        prop_assert!(!too_many);
        prop_assert!(searches <= strategy.max_attempts, "{searches} searches");
        prop_assert!(chats <= if writes { strategy.max_attempts + 1 } else { 0 }, "{chats} questions");
        let answered = |event: &Event| match event {
            Event::Done(Effect::WebSearch { .. }, Outcome::WebFound(found)) => !found.asked.is_empty(),
            _ => false,
        };
        if let Ending::Failed { error, .. } = &ending {
            prop_assert_eq!(error.code, Code::SearchFailed);
            prop_assert!(!events.iter().any(answered), "AS-09: one answer is enough");
        }
        let report = ending.report().unwrap();
        prop_assert!(!report.markdown.trim().is_empty());
        prop_assert!(report.model.is_none() || writes);
        let mut twin = Adaptive::new(plan);
        let again: Vec<Effect> = events.into_iter().flat_map(|event| twin.step(event)).collect();
        prop_assert_eq!(again.last(), Some(&Effect::Finish(Box::new(ending))));
        prop_assert_eq!(&again[..effects.len()], &effects[..]);
    }

    /// BU-01: when nothing uses more than was expected of it, no cap is ever passed.
    #[test]
    fn no_cap_is_passed(
        micros in 0u64..80_000,
        tokens in 0u64..20_000,
        reserve in 0u8..90,
        outcomes in prop::collection::vec(any_outcome(), 1..14),
    ) {
        let budget = Budget { cost: Some(Usd::from_micros(micros)), tokens: Some(tokens), wall: None, reserve_percent: reserve };
        let spec = TaskSpec {
            evidence: crate::core::base::engine::EvidenceMode::Off,
            opinion: None,
            tool: Tool::DeepResearch,
            query: "lock rows".into(),
            engine: EngineChoice { name: EngineName::Native, reason: String::new() },
            budget,
            plan: TaskPlan::Adaptive(AdaptivePlan { scope: Some(Scope::Large), ..web_plan("lock rows of the wal") }),
        };
        let (mut run, mut spent, mut script) = (Run::new(&spec), Usage::ZERO, outcomes.iter().cycle());
        loop {
            match run.next() {
                Next::Start(no, effect) => {
                    let used = effect.expected();
                    spent += used;
                    run.done(no, script.next().unwrap().clone(), used);
                }
                Next::Cap(cap) => run.capped(cap),
                Next::Wait => panic!("nothing is in flight"),
                Next::End(_) => break,
            }
        }
        prop_assert!(spent.cost.micros() <= micros && spent.tokens() <= tokens, "{spent:?}");
    }
}
