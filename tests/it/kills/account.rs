//! What hadal counted, beside what the simulators billed.

use std::collections::BTreeMap;
use std::fmt;

use super::lab::{CAP, Lab, mark_in};

pub(super) struct Account {
    tasks: Vec<Task>,
    /// Bills for which there is no task.
    strangers: Vec<String>,
    day_cap: u64,
    /// What counts against the caps of a day, over all tasks.
    day: u64,
}

/// One task; money in millionths of a dollar.
#[derive(Debug)]
struct Task {
    mark: String,
    status: String,
    capped: bool,
    hosted: bool,
    counted: u64,
    unknown: bool,
    estimated: u64,
    /// What counts against the caps of a day.
    charged: u64,
    billed: u64,
    runs: usize,
    /// The expectations of what was in flight when its processes ended.
    in_flight: u64,
}

impl Account {
    pub(super) fn of(lab: &Lab) -> Self {
        let mut billed: BTreeMap<String, u64> = BTreeMap::new();
        let mut runs: BTreeMap<String, usize> = BTreeMap::new();
        let mut bill = |text: &str, micros: u64| {
            let mark = mark_in(text).unwrap_or_else(|| panic!("a bill of nobody: {text}"));
            *billed.entry(mark.clone()).or_default() += micros;
            mark
        };
        for (asked, micros) in lab.chat.bills() {
            bill(&asked.prompt, micros);
        }
        for (text, micros) in lab.search.bills() {
            bill(&text, micros);
        }
        for run in lab.api.invoice().runs {
            let mark = bill(&run.input, run.cost_micros);
            if run.agent_or_model.contains("deep-research") {
                *runs.entry(mark).or_default() += 1;
            }
        }
        let database = lab.database();
        let sql = "SELECT query, status, json_extract(spec_json, '$.budget.cost') IS NOT NULL, agent IS NOT NULL, t.cost_micros,
                          t.cost_unknown, coalesce(t.estimated_micros, 0),
                          coalesce((SELECT charged_micros FROM spend s WHERE s.task_id = t.task_id), 0),
                          (SELECT coalesce(sum(micros), 0) FROM charges c WHERE c.task_id = t.task_id)
                   FROM research_tasks t";
        let mut statement = database.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| {
            let mark = mark_in(&row.get::<_, String>(0)?).unwrap_or_default();
            Ok(Task {
                status: row.get(1)?,
                capped: row.get(2)?,
                hosted: row.get(3)?,
                counted: row.get::<_, u32>(4)?.into(),
                unknown: row.get(5)?,
                estimated: row.get::<_, u32>(6)?.into(),
                charged: row.get::<_, u32>(7)?.into(),
                in_flight: row.get::<_, u32>(8)?.into(),
                billed: billed.remove(&mark).unwrap_or(0),
                runs: runs.get(&mark).copied().unwrap_or(0),
                mark,
            })
        });
        let tasks: Vec<Task> = rows.unwrap().map(Result::unwrap).collect();
        let day = tasks.iter().map(|task| task.charged).sum();
        Self { tasks, strangers: billed.into_keys().collect(), day_cap: lab.day * 1_000_000, day }
    }

    /// Everything that is promised about money.
    pub(super) fn holds(&self) {
        assert!(self.strangers.is_empty(), "billed without a task: {:?}", self.strangers);
        for task in &self.tasks {
            assert!(task.runs <= 1, "{} was paid twice: {task:?}", task.mark);
            if task.unknown {
                // A start whose reply was lost: nobody here knows its cost, and the estimate counts.
                assert!(task.hosted && task.status == "failed" && task.charged >= task.estimated, "{task:?}");
                continue;
            }
            assert!(task.counted >= task.billed, "counted below the invoice: {task:?}");
            assert!(task.counted <= task.billed + task.in_flight, "counted above what was in flight: {task:?}");
            assert!(!task.hosted || task.counted == task.billed, "{task:?}");
            assert!(!task.capped || task.counted <= micros(CAP), "over its cap: {task:?}");
        }
        // What an unknown run cost beyond its estimate is what nobody here could know.
        let beyond = |task: &Task| task.billed.saturating_sub(task.estimated);
        let unknown: u64 = self.tasks.iter().filter(|task| task.unknown).map(beyond).sum();
        assert!(self.day + unknown >= self.billed(), "the day counts {} of {}", self.day, self.billed());
        let estimated: u64 = self.tasks.iter().filter(|task| task.unknown).map(|task| task.charged).sum();
        let most = self.billed() + self.in_flight() + estimated;
        assert!(self.day <= most, "the day counts {}, billed and in flight are {most}", self.day);
        let hosted = || self.tasks.iter().filter(|task| task.hosted);
        let (paid, beyond): (u64, u64) = (hosted().map(|task| task.billed).sum(), hosted().map(beyond).sum());
        assert!(paid <= self.day_cap + beyond, "{paid} of {} for the day", self.day_cap);
    }

    fn billed(&self) -> u64 {
        self.tasks.iter().map(|task| task.billed).sum()
    }

    fn in_flight(&self) -> u64 {
        self.tasks.iter().map(|task| task.in_flight).sum()
    }
}

fn micros(dollars: f64) -> u64 {
    (dollars * 1e6) as u64
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = |micros: u64| micros as f64 / 1e6;
        let count = |wanted: fn(&Task) -> bool| self.tasks.iter().filter(|task| wanted(task)).count();
        write!(
            f,
            "{} tasks ({} hosted, {} completed, {} uncertain), ${:.2} counted, ${:.2} billed, ${:.2} in flight at the ends",
            self.tasks.len(),
            count(|task| task.hosted),
            count(|task| task.status == "completed"),
            count(|task| task.unknown),
            dollars(self.tasks.iter().map(|task| task.counted).sum()),
            dollars(self.billed()),
            dollars(self.in_flight()),
        )
    }
}
