//! A task in motion; its replay out of rows that do not fit has tests of its own.

mod replay;

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::method::{Plan, rounds, scripted};
use crate::core::model::ask::AskReply;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::Usd;
use crate::core::report::Report;
use crate::core::task::Tool;
use crate::core::task::scripted::{Act, Step};

fn spec(stages: Vec<Vec<Step>>, budget: Budget) -> TaskSpec {
    TaskSpec {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        opinion: None,
        tool: Tool::Scripted,
        query: "script".into(),
        engine: EngineChoice { name: EngineName::Extractive, reason: "test".into() },
        budget,
        plan: Plan::Scripted(scripted::ScriptedPlan { stages }),
    }
}

fn work(key: &str) -> Step {
    Step::new(key, Act::Work { ms: 0 })
}

fn paid(key: &str, micros: u64) -> Step {
    Step::new(key, Act::Paid { ms: 0, micros, tokens: 1, invoice: "i".into() })
}

fn dollars(micros: u64) -> Budget {
    Budget { cost: Some(Usd::from_micros(micros)), ..Budget::default() }
}

/// The world and the disk: both outlive a crash.
#[derive(Clone, Debug, Default)]
struct Machine {
    rows: Vec<Row>,
    /// The keys of the paid steps, each as often as it was paid.
    invoice: Vec<String>,
    /// Journal writes and paid calls so far: the places where a process can die.
    moments: u32,
}

/// The process died.
struct Crash;

impl Machine {
    fn moment(&mut self, dies_at: Option<u32>) -> Result<(), Crash> {
        self.moments += 1;
        if dies_at == Some(self.moments) { Err(Crash) } else { Ok(()) }
    }

    fn perform(&mut self, step: &Step) -> (Outcome, Usage) {
        let value = match &step.act {
            Act::Paid { .. } => {
                self.invoice.push(step.key.clone());
                step.key.clone()
            }
            Act::Reconcile { .. } if !self.invoice.contains(&step.key) => String::new(),
            _ => step.key.clone(),
        };
        let usage = if value.is_empty() { Usage::ZERO } else { step.price() };
        (Outcome::Scripted { value }, usage)
    }

    fn end(&mut self, no: u32, order: u32, outcome: Outcome, usage: Usage) {
        let row = self.rows.iter_mut().find(|row| row.no == no).expect("it was started");
        row.end = Some(End { order, outcome: Some(outcome), usage });
    }

    /// One life of the engine: replay, then run until the end or the crash. `pick` chooses which effect in flight ends next.
    fn live(
        &mut self,
        spec: &TaskSpec,
        pick: &mut dyn FnMut(usize) -> usize,
        dies_at: Option<u32>,
    ) -> Result<(Ending, Usage), Crash> {
        let (mut run, lost) = Run::replay(spec, &self.rows);
        let mut flying: Vec<(u32, Effect)> = Vec::new();
        for (no, effect, tries) in lost {
            assert_eq!(tries, self.rows.iter().find(|row| row.no == no).unwrap().tries);
            match effect.repeat() {
                Repeat::Again => {
                    self.rows.iter_mut().filter(|row| row.no == no).for_each(|row| row.tries += 1);
                    flying.push((no, effect));
                }
                Repeat::Never => {
                    self.end(no, run.order(), Outcome::Uncertain, Usage::ZERO);
                    self.moment(dies_at)?;
                    run.done(no, Outcome::Uncertain, Usage::ZERO);
                }
            }
        }
        loop {
            match run.next() {
                Next::Start(no, effect) => {
                    self.rows.push(Row {
                        no,
                        body: Body::Effect(effect.clone()),
                        tries: 1,
                        lost: Usage::ZERO,
                        end: None,
                    });
                    self.moment(dies_at)?;
                    flying.push((no, effect));
                }
                Next::Cap(cap) => {
                    let end = End { order: run.order(), outcome: None, usage: Usage::ZERO };
                    self.rows.push(Row {
                        no: run.event_no(),
                        body: Body::Cap { cap },
                        tries: 1,
                        lost: Usage::ZERO,
                        end: Some(end),
                    });
                    self.moment(dies_at)?;
                    run.capped(cap);
                }
                Next::Wait => {
                    let (no, effect) = flying.remove(pick(flying.len()));
                    let Effect::Script(step) = &effect else { panic!("{effect:?}") };
                    let (outcome, usage) = self.perform(step);
                    self.moment(dies_at)?;
                    self.end(no, run.order(), outcome.clone(), usage);
                    self.moment(dies_at)?;
                    run.done(no, outcome, usage);
                }
                Next::End(ending) => return Ok((*ending, run.spent)),
            }
            self.replay_is_the_run(spec, &run);
        }
    }

    /// RS-01: at every moment the journal alone gives the state of the running task.
    fn replay_is_the_run(&self, spec: &TaskSpec, run: &Run) {
        let (twin, lost) = Run::replay(spec, &self.rows);
        assert_eq!(twin.ending, run.ending);
        assert_eq!((twin.spent, twin.order()), (run.spent, run.order()));
        if run.ending.is_none() {
            assert_eq!((&twin.waiting, &twin.open, twin.next_no), (&run.waiting, &run.open, run.next_no));
            assert_eq!(format!("{:?}", twin.method), format!("{:?}", run.method));
            assert_eq!(lost.into_iter().map(|(no, effect, _)| (no, effect)).collect::<BTreeMap<_, _>>(), run.open);
        }
    }
}

fn first(_flying: usize) -> usize {
    0
}

fn report(ending: &Ending) -> &Report {
    ending.report().unwrap_or_else(|| panic!("no report: {ending:?}"))
}

fn any_stages() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let act = prop_oneof![Just(None), (1u64..50).prop_map(Some)];
    prop::collection::vec(prop::collection::vec(act, 0..5), 0..4).prop_map(|stages| {
        let step = |stage: usize, at: usize, act: Option<u64>| match act {
            None => work(&format!("w{stage}.{at}")),
            Some(micros) => paid(&format!("p{stage}.{at}"), micros),
        };
        let stage = |(stage, acts): (usize, Vec<Option<u64>>)| {
            acts.into_iter().enumerate().map(|(at, act)| step(stage, at, act)).collect()
        };
        stages.into_iter().enumerate().map(stage).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// RS-01: whatever the order and wherever the process dies, however often, the task ends as if nothing had happened; every
    /// paid step is paid once, and the account is exact.
    #[test]
    fn a_crash_changes_nothing(stages in any_stages(), picks in prop::collection::vec(any::<usize>(), 1..40), crashes in prop::collection::vec(1u32..12, 0..6)) {
        let spec = spec(stages.clone(), Budget::default());
        let (calm, calm_spent) = Machine::default().live(&spec, &mut first, None).ok().unwrap();
        let mut picks = picks.into_iter().cycle();
        let mut pick = |flying: usize| picks.next().unwrap() % flying;
        let mut machine = Machine::default();
        let mut lives = crashes.into_iter();
        let (ending, spent) = loop {
            let dies_at = lives.next().map(|after| machine.moments + after);
            if let Ok(end) = machine.live(&spec, &mut pick, dies_at) {
                break end;
            }
        };
        prop_assert_eq!(&ending, &calm);
        prop_assert_eq!(spent, calm_spent);
        let mut once = machine.invoice.clone();
        once.sort();
        let paid: Vec<String> = stages.iter().flatten().filter(|step| step.policy().name == "paid").map(|step| step.key.clone()).collect();
        prop_assert_eq!(once, paid);
        prop_assert_eq!(report(&ending).stop_reason, StopReason::ScriptEnded);
    }

    /// BU-01: with a cap the account never passes it, crash or not, and the ending says which cap it was.
    #[test]
    fn a_budget_is_kept_over_crashes(stages in any_stages(), cap in 1u64..120, picks in prop::collection::vec(any::<usize>(), 1..40), crash in prop::option::of(1u32..30)) {
        let spec = spec(stages.clone(), dollars(cap));
        let mut picks = picks.into_iter().cycle();
        let mut pick = |flying: usize| picks.next().unwrap() % flying;
        let mut machine = Machine::default();
        let end = machine.live(&spec, &mut pick, crash).or_else(|Crash| machine.live(&spec, &mut pick, None));
        let (ending, spent) = end.ok().unwrap();
        prop_assert!(spent.cost.micros() <= cap);
        let all: u64 = stages.iter().flatten().map(|step| step.price().cost.micros()).sum();
        let reason = report(&ending).stop_reason;
        prop_assert_eq!(reason, if all > cap { StopReason::BudgetCost } else { StopReason::ScriptEnded });
        prop_assert_eq!(report(&ending).partial, all > cap);
    }
}

/// BU-01: caps by cost, tokens and wall time.
#[test]
fn caps_end_a_task_with_what_there_is() {
    let stages = vec![vec![paid("a", 40)], vec![paid("b", 40)], vec![paid("c", 40)]];
    for (budget, reason, markdown) in [
        (dollars(100), StopReason::BudgetCost, "a=a\nb=b"),
        (dollars(39), StopReason::BudgetCost, ""),
        (Budget { tokens: Some(2), ..Budget::default() }, StopReason::BudgetTokens, "a=a\nb=b"),
        (dollars(120), StopReason::ScriptEnded, "a=a\nb=b\nc=c"),
    ] {
        let (ending, _) = Machine::default().live(&spec(stages.clone(), budget), &mut first, None).ok().unwrap();
        assert_eq!((report(&ending).stop_reason, report(&ending).markdown.as_str()), (reason, markdown));
    }
    let wall = Budget { wall: Some(Duration::from_secs(1)), ..Budget::default() };
    let mut run = Run::new(&spec(stages, wall));
    assert!(matches!(run.next(), Next::Start(0, _)));
    run.capped(Cap::WallTime);
    let Next::End(ending) = run.next() else { panic!("it goes on") };
    assert_eq!(report(&ending).stop_reason, StopReason::BudgetTime);
    assert!(run.open.is_empty(), "what was in flight is dropped");
}

/// A refusal leaves the run as it is until the cap is told: the engine may fail to write the cap and ask again.
#[test]
fn a_cap_can_be_asked_for_twice() {
    let mut run = Run::new(&spec(vec![vec![paid("a", 40), work("b")]], dollars(10)));
    assert_eq!(run.next(), Next::Cap(Cap::Cost));
    assert_eq!(run.next(), Next::Cap(Cap::Cost));
}

/// Effects in flight at a cap may still end and be journalled; the journal then still reads, and what they used counts.
#[test]
fn an_effect_may_end_after_a_cap() {
    for cap in [Cap::Cost, Cap::WallTime] {
        let spec = spec(vec![vec![paid("a", 40), paid("b", 40)]], dollars(50));
        let mut run = Run::new(&spec);
        let Next::Start(0, effect) = run.next() else { panic!("not started") };
        let usage = effect.expected();
        run.capped(cap);
        run.done(0, Outcome::Scripted { value: "a".into() }, usage);
        let rows = vec![
            ended(0, Body::Effect(effect.clone()), 1, Some(Outcome::Scripted { value: "a".into() }), usage),
            ended(u32::MAX, Body::Cap { cap }, 0, None, Usage::ZERO),
        ];
        let (twin, lost) = Run::replay(&spec, &rows);
        assert_eq!((twin.spent, twin.next_order, &twin.ending), (run.spent, 2, &run.ending), "{cap:?}");
        assert_eq!(twin.spent.cost, Usd::from_micros(40));
        assert!(lost.is_empty());
        // Or it never ends: the task is over, nothing is to be run again.
        let rows = vec![started(0, effect), ended(u32::MAX, Body::Cap { cap }, 0, None, Usage::ZERO)];
        let (twin, lost) = Run::replay(&spec, &rows);
        assert!(twin.ending.is_some() && lost.is_empty());
    }
}

/// After a cap an effect beyond the reserve is dropped only for what is spent, never for what is merely promised: a replay knows
/// nothing of promises.
#[test]
fn after_a_cap_promises_delay_and_spending_drops() {
    for (used, want_start) in [(10, true), (40, false)] {
        let mut run = Run::new(&spec(vec![vec![paid("a", 40), paid("b", 40)]], dollars(50)));
        assert!(matches!(run.next(), Next::Start(0, _)));
        run.capped = Some(Cap::Cost);
        assert_eq!(run.next(), Next::Wait);
        assert_eq!(run.waiting.len(), 1);
        run.done(0, Outcome::Scripted { value: "a".into() }, Usage { cost: Usd::from_micros(used), ..Usage::ZERO });
        assert_eq!(matches!(run.next(), Next::Start(1, _)), want_start, "{used}");
    }
}

/// RS-01: a paid step whose end was lost is not repeated by itself; the method looks first.
#[test]
fn an_uncertain_paid_step_is_looked_up() {
    for happened in [true, false] {
        let spec = spec(vec![vec![paid("a", 40)]], Budget::default());
        let Next::Start(0, effect) = Run::new(&spec).next() else { panic!("not started") };
        let invoice = if happened { vec!["a".to_owned()] } else { vec![] };
        let mut machine = Machine { rows: vec![started(0, effect)], invoice, moments: 0 };
        let (ending, spent) = machine.live(&spec, &mut first, None).ok().unwrap();
        let names: Vec<&str> = machine.rows.iter().map(|row| name(&row.body)).collect();
        assert_eq!(names, if happened { vec!["paid", "reconcile"] } else { vec!["paid", "reconcile", "paid"] });
        assert_eq!(machine.rows[0].end.as_ref().unwrap().outcome, Some(Outcome::Uncertain));
        assert_eq!((machine.invoice.len(), spent.cost), (1, Usd::from_micros(40)));
        assert_eq!(report(&ending).markdown, "a=a");
    }
}

fn name(body: &Body) -> &'static str {
    match body {
        Body::Effect(effect) => effect.name(),
        Body::Cap { .. } => "cap",
        Body::Steer { .. } => "steer",
        Body::Unreadable(_) => "unreadable",
    }
}

fn started(no: u32, effect: Effect) -> Row {
    Row { no, body: Body::Effect(effect), tries: 1, lost: Usage::ZERO, end: None }
}

fn ended(no: u32, body: Body, order: u32, outcome: Option<Outcome>, usage: Usage) -> Row {
    Row { no, body, tries: 1, lost: Usage::ZERO, end: Some(End { order, outcome, usage }) }
}

/// DS-07: a new task says its first lines, a resumed one only those that nobody has seen.
#[test]
fn lines_are_said_once() {
    let prompts = rounds::Prompts { first: "f".into(), verify: "v".into(), correction: "c".into() };
    let plan = rounds::RoundsPlan {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        given: vec![],
        engine: EngineName::GeminiCli,
        api_model: None,
        native: None,
        kind: rounds::Kind::DeepSearch,
        query: "why?".into(),
        max_rounds: 2,
        model: None,
        correction_model: None,
        prompts,
        marks: crate::core::model::prompt::Marks::default(),
        fallback: None,
    };
    let spec = TaskSpec { plan: Plan::Rounds(plan), ..spec(vec![], Budget::default()) };
    let said = |rows: Vec<Row>| {
        let (mut run, _) = Run::replay(&spec, &rows);
        let lines: Vec<String> = run.take_lines().into_iter().map(|(_, line)| line).collect();
        (lines, run.take_progress().is_some())
    };
    let mut run = Run::new(&spec);
    let Next::Start(0, ask) = run.next() else { panic!("not started") };
    assert_eq!(said(vec![]), (vec!["Deep search round 1/2...".to_owned()], true));
    // What it is at is shown by every owner; what it said was said by the first.
    assert_eq!(said(vec![started(0, ask.clone())]), (vec![], true));
    let text = r#"{"success": true, "verified": false, "report": "draft"}"#.to_owned();
    let outcome = Outcome::Asked(AskReply { text, ..AskReply::default() });
    run.done(0, outcome.clone(), Usage::ZERO);
    let Next::Start(1, next) = run.next() else { panic!("not started") };
    let first = ended(0, Body::Effect(ask), 0, Some(outcome), Usage::ZERO);
    let lines = vec!["Round 1 completed, verified: false".to_owned(), "Deep search round 2/2...".to_owned()];
    assert_eq!(said(vec![first.clone()]), (lines, true));
    assert_eq!(said(vec![first, started(1, next)]), (vec![], true));
}

/// A method that neither asks nor ends is ended, with what it has.
#[test]
fn a_method_at_a_halt_is_ended() {
    for (capped, want) in [(None, None), (Some(Cap::Tokens), Some(StopReason::BudgetTokens))] {
        let mut run = Run::new(&spec(vec![vec![work("a")]], Budget::default()));
        run.waiting.clear();
        run.capped = capped;
        let Next::End(ending) = run.next() else { panic!("it goes on") };
        match (*ending, want) {
            (Ending::Failed { error, partial }, None) => {
                assert_eq!(error.code, Code::Internal);
                assert!(partial.is_some());
            }
            (Ending::Completed { report }, Some(reason)) => assert_eq!(report.stop_reason, reason),
            (ending, want) => panic!("{ending:?}, not {want:?}"),
        }
    }
}

/// At most so many effects run at once, and a method that asks without end is ended.
#[test]
fn effects_are_bounded() {
    let many = |count: u32| spec(vec![(0..count).map(|at| work(&at.to_string())).collect()], Budget::default());
    let mut run = Run::new(&many(40));
    let starts = std::iter::from_fn(|| matches!(run.next(), Next::Start(..)).then_some(())).count();
    assert_eq!(starts, limits::EFFECTS_IN_FLIGHT);
    let Next::End(ending) = Run::new(&many(limits::EFFECTS_PER_TASK + 1)).next() else { panic!("it goes on") };
    let Ending::Failed { error, .. } = *ending else { panic!("{ending:?}") };
    assert!(error.message.contains("more effects"), "{error}");
}

/// What the method is at is known at once, to the first owner of a task and to the next.
#[test]
fn a_replay_knows_what_the_method_is_at() {
    let spec = spec(vec![vec![work("a")], vec![work("b")]], Budget::default());
    let (mut fresh, _) = Run::replay(&spec, &[]);
    assert_eq!(fresh.take_progress().map(|progress| progress.action).as_deref(), Some("stage 1 of 2"));
    let Next::Start(no, effect) = fresh.next() else { panic!("it does not start") };
    let end = End { order: 0, outcome: Some(Outcome::Scripted { value: "x".into() }), usage: Usage::ZERO };
    let row = Row { no, tries: 1, lost: Usage::ZERO, body: Body::Effect(effect), end: Some(end) };
    let (mut second, _) = Run::replay(&spec, &[row]);
    assert_eq!(second.take_progress().map(|progress| progress.action).as_deref(), Some("stage 2 of 2"));
}

/// A task stopped from outside keeps what it has.
#[test]
fn a_stopped_task_keeps_what_it_has() {
    let mut run = Run::new(&spec(vec![vec![work("a"), work("b")]], Budget::default()));
    assert_eq!(run.take_progress().and_then(|progress| progress.percent), Some(0));
    assert_eq!(run.take_progress(), None);
    assert!(matches!(run.next(), Next::Start(0, _)));
    run.done(0, Outcome::Scripted { value: "x".into() }, Usage::ZERO);
    let Ending::Cancelled { partial: Some(report) } = run.stopped(StopReason::Cancelled) else {
        panic!("nothing kept")
    };
    assert_eq!(report.markdown, "a=x");
    assert!(matches!(run.stopped(StopReason::BudgetTime), Ending::Completed { report } if report.partial));
}
