//! What the simulated service does. A plan is data: a test writes it in Rust, a check as JSON.

use serde::{Deserialize, Serialize};

use super::fault::{Fault, FaultRule};

/// The agents that a plan without a list knows; those before them have been shut down.
const AGENTS: [&str; 2] = ["deep-research-preview-04-2026", "deep-research-max-preview-04-2026"];

/// The whole plan. A run keeps the part of it that it was created under.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    /// Simulated seconds per real second; with 0 only [`super::Service::advance`] moves the clock.
    pub speed: f64,
    /// What an agent does unless one of `runs` fits.
    pub run: Run,
    /// The first one whose text is part of the input.
    pub runs: Vec<(String, Run)>,
    /// Answers of models: the first one that fits and is not used up. With an empty list every question gets a sentence.
    pub models: Vec<ModelAnswer>,
    /// Models refuse a form of the answer together with tools, as those before the third generation do.
    pub refuses_form_with_tools: bool,
    pub faults: Vec<FaultRule>,
    /// Accepted API keys; any, and none, when absent.
    pub keys: Option<Vec<String>>,
    /// Agents that exist; the current ones when absent.
    pub known_agents: Option<Vec<String>>,
    /// Requests per real second over which the answer is 429.
    pub rate_limit: Option<f64>,
    /// Real wait between what a request does and the first byte of its answer.
    pub reply_delay_ms: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            speed: 1.0,
            run: Run::default(),
            runs: Vec::new(),
            models: Vec::new(),
            refuses_form_with_tools: false,
            faults: Vec::new(),
            keys: None,
            known_agents: None,
            rate_limit: None,
            reply_delay_ms: 0,
        }
    }
}

impl Plan {
    pub(super) fn run(&self, input: &str) -> &Run {
        self.runs.iter().find(|(part, _)| input.contains(part)).map_or(&self.run, |(_, run)| run)
    }

    pub(super) fn knows(&self, agent: &str) -> bool {
        match &self.known_agents {
            Some(agents) => agents.iter().any(|known| known == agent),
            None => AGENTS.contains(&agent),
        }
    }
}

/// One research of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// Simulated seconds of work, after those in the queue.
    pub seconds: f64,
    pub queued_seconds: f64,
    pub searches: u32,
    pub pages: u32,
    pub thoughts: u32,
    pub report: String,
    pub sources: Vec<Source>,
    pub usage: Usage,
    pub end: End,
    pub shape: Shape,
    /// Output steps that the report is cut into. Searches come between them as far as there are any to spare.
    pub spread: u32,
    /// Size of an image in the last output step, before base64; none with 0.
    pub image_bytes: usize,
    /// Simulated seconds between the end and the first answer that shows the usage.
    pub usage_delay_seconds: f64,
    /// Answers show what was used so far, while the run is at work.
    pub usage_while_running: bool,
    /// The run is over when it is created, and the answer to create shows it.
    pub sync: bool,
    /// No step is shown after this many simulated seconds, until the run ends.
    pub stall_after: Option<f64>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            seconds: 1200.0,
            queued_seconds: 0.0,
            searches: 3,
            pages: 4,
            thoughts: 2,
            report: REPORT.to_owned(),
            sources: cited(REPORT),
            usage: Usage::default(),
            end: End::Completed,
            shape: Shape::Steps,
            spread: 1,
            image_bytes: 0,
            usage_delay_seconds: 0.0,
            usage_while_running: false,
            sync: false,
            stall_after: None,
        }
    }
}

const REPORT: &str = "# Die Tiefsee – an overview\n\n\
    The Challenger Deep is 10\u{202f}935 m deep [cite: 1]. Émile's 深海 expedition reached it twice 🌊 [cite: 2].\n\n\
    ## Pressure\n\nAt the bottom it is about 1 086 bar ≈ 1 072 atmospheres [cite: 1, 3].\n\n\
    **Sources:**\n\
    1. [ocean.example](https://vertexaisearch.cloud.google.com/grounding-api-redirect/SIM1)\n\
    2. [tiefsee.example](https://vertexaisearch.cloud.google.com/grounding-api-redirect/SIM2)\n\
    3. [pressure.example](https://vertexaisearch.cloud.google.com/grounding-api-redirect/SIM3)\n";

/// The sentences of the report above that are cited.
fn cited(report: &str) -> Vec<Source> {
    let sentences = [
        ("The Challenger Deep is 10\u{202f}935 m deep", "ocean.example"),
        ("Émile's 深海 expedition reached it twice 🌊", "tiefsee.example"),
        ("At the bottom it is about 1 086 bar ≈ 1 072 atmospheres", "pressure.example"),
    ];
    let source = |(n, (sentence, title)): (usize, &(&str, &str))| {
        let url = format!("https://vertexaisearch.cloud.google.com/grounding-api-redirect/SIM{}", n + 1);
        Source::of(report, sentence, &url, title)
    };
    sentences.iter().enumerate().map(source).collect()
}

/// How a run ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    #[default]
    Completed,
    /// `errors` on the resource.
    FailedWithErrors,
    /// `error` on an output step.
    FailedInStep,
    /// With the first half of the report.
    Incomplete,
    /// With the first half of the report.
    BudgetExceeded,
    /// With any status, and no report.
    Unknown(String),
    /// Never: in progress without a step, for ever.
    Zombie,
    RequiresAction,
    RequiresContinuation,
}

impl End {
    pub(super) fn status(&self) -> &str {
        match self {
            Self::Completed => "completed",
            Self::FailedWithErrors | Self::FailedInStep => "failed",
            Self::Incomplete => "incomplete",
            Self::BudgetExceeded => "budget_exceeded",
            Self::Unknown(status) => status,
            Self::Zombie => "in_progress",
            Self::RequiresAction => "requires_action",
            Self::RequiresContinuation => "requires_continuation",
        }
    }
}

/// The generation of the resource and of its events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    #[default]
    Steps,
    /// As in December 2025.
    Outputs,
}

/// A citation; the offsets are bytes of the text, the end is not part of it. An empty title is left out of the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Source {
    pub url: String,
    pub title: String,
    pub start: usize,
    pub end: usize,
}

impl Source {
    /// Cites the first place of `text` that says `passage`, or the whole of it.
    #[must_use]
    pub fn of(text: &str, passage: &str, url: &str, title: &str) -> Self {
        let (start, end) = text.find(passage).map_or((0, text.len()), |start| (start, start + passage.len()));
        Self { url: url.to_owned(), title: title.to_owned(), start, end }
    }
}

/// What is billed. Cached tokens are part of the input; thoughts are no part of the output. In JSON what is left out is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    #[serde(default)]
    pub input: u64,
    #[serde(default)]
    pub cached: u64,
    #[serde(default)]
    pub output: u64,
    #[serde(default)]
    pub thought: u64,
    #[serde(default)]
    pub tool_use: u64,
    #[serde(default)]
    pub searches: u64,
}

/// A research of usual size.
impl Default for Usage {
    fn default() -> Self {
        Self { input: 251_000, cached: 150_000, output: 9_500, thought: 51_000, tool_use: 10_000, searches: 83 }
    }
}

impl Usage {
    /// Of a research that only made its plan.
    pub const PLANNING: Self =
        Self { input: 12_000, cached: 4_000, output: 800, thought: 3_000, tool_use: 500, searches: 2 };
    /// Of a quick answer of a model.
    pub const ANSWER: Self = Self { input: 2_400, cached: 0, output: 350, thought: 600, tool_use: 1_200, searches: 1 };
    pub const NONE: Self = Self { input: 0, cached: 0, output: 0, thought: 0, tool_use: 0, searches: 0 };

    /// The part of it that a share of the work took, rounded down. The share itself is a quotient of sums of seconds,
    /// which are not exact in binary: a quarter may arrive as a hair less.
    pub(super) fn share(self, share: f64) -> Self {
        let millionths = (share.clamp(0.0, 1.0) * 1e6).round() as u64;
        let part = |whole: u64| whole * millionths / 1_000_000;
        Self {
            input: part(self.input),
            cached: part(self.cached),
            output: part(self.output),
            thought: part(self.thought),
            tool_use: part(self.tool_use),
            searches: part(self.searches),
        }
    }
}

/// What a model says in the foreground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelAnswer {
    /// Part of the input or of the system instruction.
    pub contains: String,
    pub text: String,
    pub sources: Vec<Source>,
    /// What it searched for.
    pub queries: Vec<String>,
    pub usage: Usage,
    pub fault: Option<Fault>,
    /// How often; for ever when absent.
    pub times: Option<u64>,
}

impl Default for ModelAnswer {
    fn default() -> Self {
        let text = "The deepest known place of the sea is the Challenger Deep – 10 935 m.".to_owned();
        let source = Source::of(&text, "the Challenger Deep – 10 935 m", "https://ocean.example/deep", "ocean.example");
        Self {
            contains: String::new(),
            sources: vec![source],
            text,
            queries: vec!["deepest place of the sea".to_owned()],
            usage: Usage::ANSWER,
            fault: None,
            times: None,
        }
    }
}
