//! What the service remembers: plan, clock, interactions, requests. All of it is behind one lock, which nothing is sent under.

use std::collections::HashMap;
use std::sync::{Arc, Condvar};
use std::time::Instant;

use serde_json::Value;

use super::clock::Clock;
use super::create::{self, Refusal, Started};
use super::encoding::interaction_id;
use super::fault::{Asked, Fault, Used, meet};
use super::invoice::Invoice;
use super::plan::Plan;
use super::record::{Life, Record, text};
use super::timeline::{Timeline, Work};
use super::{On, Received};
use crate::host::now_ms;

#[derive(Debug)]
pub(super) struct State {
    pub(super) plan: Arc<Plan>,
    pub(super) clock: Clock,
    /// Real milliseconds since 1970 when the clock stood at zero.
    started_ms: u64,
    lives: HashMap<String, Life>,
    /// Ids in the order of their creation.
    order: Vec<String>,
    pub(super) requests: Vec<Received>,
    faults_used: Vec<Used>,
    answers_used: Vec<u64>,
    allowance: Allowance,
}

/// How many requests the rate limit leaves.
#[derive(Debug)]
struct Allowance {
    left: f64,
    since: Instant,
}

impl State {
    pub(super) fn new(plan: Plan) -> Self {
        let allowance = Allowance { left: f64::INFINITY, since: Instant::now() };
        Self {
            clock: Clock::start(plan.speed),
            plan: Arc::new(plan),
            started_ms: now_ms(),
            lives: HashMap::new(),
            order: Vec::new(),
            requests: Vec::new(),
            faults_used: Vec::new(),
            answers_used: Vec::new(),
            allowance,
        }
    }

    pub(super) fn set_plan(&mut self, plan: Plan) {
        self.clock.set_speed(plan.speed);
        self.plan = Arc::new(plan);
        self.faults_used.clear();
        self.answers_used.clear();
        self.wake_all();
    }

    pub(super) fn advance(&mut self, seconds: f64) {
        self.clock.advance(seconds);
        self.wake_all();
    }

    pub(super) fn wake_all(&self) {
        self.lives.values().for_each(|life| life.record.changed.notify_all());
    }

    pub(super) fn invoice(&self) -> Invoice {
        let now = self.clock.now();
        let runs: Vec<_> = self.order.iter().filter_map(|id| self.lives.get(id)).map(|life| life.billed(now)).collect();
        Invoice { creates: runs.len() as u64, runs }
    }

    /// An interaction that can be asked for.
    pub(super) fn life(&mut self, id: &str) -> Option<&mut Life> {
        self.lives.get_mut(id).filter(|life| life.record.stored && !life.deleted)
    }

    /// An interaction that is followed; one that is not stored can be, by the request that created it.
    pub(super) fn life_or_unstored(&self, id: &str) -> Option<&Life> {
        self.lives.get(id).filter(|life| !life.deleted)
    }

    /// The fault of a request about an interaction or a body, and its delay in milliseconds.
    pub(super) fn meet(&mut self, on: On, streams: bool, id: Option<&str>, body: &Value) -> (Option<Fault>, u64) {
        let life = id.and_then(|id| self.lives.get(id));
        let age = life.map(|life| self.clock.now() - life.record.created);
        let created = (on == On::Create).then(|| text(&body["input"]));
        let input = created.as_deref().or(life.map(|life| life.record.input.as_str()));
        meet(&self.plan.faults, &mut self.faults_used, Asked { on, streams, input, age })
    }

    /// Whether one more request is within the limit. A second's worth may come at once.
    pub(super) fn is_allowed(&mut self) -> bool {
        let Some(rate) = self.plan.rate_limit else { return true };
        let now = Instant::now();
        let earned = now.duration_since(self.allowance.since).as_secs_f64() * rate;
        let left = (self.allowance.left + earned).min(rate.max(1.0));
        let allowed = left >= 1.0;
        self.allowance = Allowance { left: if allowed { left - 1.0 } else { left }, since: now };
        allowed
    }

    /// Checks a body and finds what it starts; nothing is accepted yet.
    pub(super) fn start(&mut self, body: &Value) -> Result<(String, Started), Refusal> {
        let plan = Arc::clone(&self.plan);
        let name = create::check(&plan, body)?;
        if let Some(previous) = body["previous_interaction_id"].as_str() {
            let now = self.clock.now();
            let Some(life) = self.life(previous) else {
                return Err(Refusal::missing(format!("Interaction '{previous}' was not found.")));
            };
            if !life.is_over(now) {
                let message = "The previous interaction is still in progress.".to_owned();
                return Err(Refusal { status: 400, message });
            }
        }
        let input = text(&body["input"]);
        let started = if body["agent"].is_string() {
            Some(create::agent(&plan, body, &input))
        } else {
            create::model(&plan, &mut self.answers_used, body, &input)
        };
        let none_left =
            || Refusal { status: 400, message: "the plan of the simulator has no answer for this".to_owned() };
        started.map(|started| (name, started)).ok_or_else(none_left)
    }

    /// Accepts what was started: from here on it exists and is billed.
    pub(super) fn accept(&mut self, name: String, started: Started, body: &Value) -> Life {
        let created = self.clock.now();
        let is_agent = body["agent"].is_string();
        let summaries = !is_agent || body["agent_config"]["thinking_summaries"] == "auto";
        let timeline = Timeline::of(&Work { run: &started.run, queries: started.queries, summaries });
        let seed = now_ms().wrapping_mul(1_000_003) ^ (u64::from(std::process::id()) << 44);
        let id = interaction_id(seed.wrapping_add(self.order.len() as u64));
        let life = Life::new(Arc::new(Record {
            id: id.clone(),
            name,
            is_agent,
            input: text(&body["input"]),
            body: body.clone(),
            run: started.run,
            timeline,
            created,
            created_ms: self.started_ms + (created * 1000.0) as u64,
            stored: body["store"] != false,
            changed: Condvar::new(),
        }));
        self.order.push(id.clone());
        self.lives.insert(id, life.clone());
        life
    }
}
