//! The question back: a client's user is asked once before money is spent and when a question says too little, before the task exists. A client that
//! cannot ask starts as it is.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{
    BooleanSchema, CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequiredResult, JsonObject, StringSchema,
};
use rmcp::service::ServiceError;
use serde_json::Value;

use super::calls::{Calls, patience};
use super::progress::Context;
use super::{arguments, tools};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::money::usage::Usd;
use crate::core::question;
use crate::core::question::vague::{Vague, vague};
use crate::core::task::Tool;
use crate::engine::random_bits;
use crate::surface::hosted::PreparedStart;
use crate::surface::verbs::App;
use crate::surface::wire::{StartArgs, excerpt};

/// The name of the question in a request that carries its answer, and of its fields.
const QUESTION: &str = "confirm";
const START: &str = "start";
const MEANT: &str = "question";
/// The first revision without sessions, in which a server asks by its answer.
const STANDS_ALONE: &str = "2026-07-28";

/// What becomes of a call.
pub(super) enum Confirmed {
    /// It goes on, with these arguments.
    GoOn(Option<JsonObject>),
    /// It starts what its user has agreed to.
    Start(Box<PreparedStart>),
    /// The client is to ask, and to send the call again with the answer.
    Ask(InputRequiredResult),
    Refused(Error),
}

/// What a user is asked about a call.
struct Doubts {
    /// What it would start, where that costs money.
    paid: Option<PreparedStart>,
    vague: Option<Vague>,
    query: String,
}

/// Whether a call may go on. Arguments that are not allowed go on to be refused.
pub(super) async fn confirm(calls: &Calls, request: CallToolRequestParams, context: &Context) -> Confirmed {
    let settings = &calls.app.settings;
    if !settings.hosted.confirm || !can_ask(context) {
        return Confirmed::GoOn(request.arguments);
    }
    let Some(doubts) = doubts(calls, &request).await else { return Confirmed::GoOn(request.arguments) };
    let answer = if stands_alone(context) {
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
        let (asked, state) = (Asked::about(&request, &doubts), request.request_state.as_deref());
        match answer.filter(|_| state.is_some_and(|state| calls.questions.answer(state, &asked))) {
            None => {
                let question = InputRequest::Elicitation(ElicitRequest::new(doubts.form()));
                let questions = BTreeMap::from([(QUESTION.to_owned(), question)]);
                return Confirmed::Ask(InputRequiredResult::new(Some(questions), Some(calls.questions.ask(asked))));
            }
            Some(answer) => serde_json::from_value(answer.clone()).ok(),
        }
    } else {
        let asked = context.peer.create_elicitation_with_timeout(doubts.form(), Some(patience(settings, context)));
        tokio::select! {
            answer = asked => match answer {
                // A client that cannot ask after all starts as one that never could, unless that costs money.
                Err(ServiceError::McpError(_)) if doubts.paid.is_none() => return Confirmed::GoOn(request.arguments),
                answer => answer.ok(),
            },
            () = calls.given_up(context) => None,
        }
    };
    if answer.is_none() && calls.ending.is_cancelled() {
        let error = Error::new(Code::ShuttingDown, "hadal is shutting down; nothing was started");
        return Confirmed::Refused(error.hint("call again once it runs"));
    }
    doubts.judged(&calls.app, answer, request.arguments).await.unwrap_or_else(Confirmed::Refused)
}

/// The questions that requests that stand alone were answered with, by the state that comes back with the answer. Each is answered once: a call
/// that is sent again, or to another server, is asked about anew.
#[derive(Default)]
pub(super) struct Questions(Mutex<VecDeque<(String, Asked)>>);

impl Questions {
    fn ask(&self, asked: Asked) -> String {
        let state = format!("{:032x}", random_bits());
        let mut open = self.open();
        if open.len() >= limits::MCP_QUESTIONS {
            open.pop_front();
        }
        open.push_back((state.clone(), asked));
        state
    }

    /// Whether this question was open and covers what would be asked now. It is not open any more.
    fn answer(&self, state: &str, now: &Asked) -> bool {
        let mut open = self.open();
        let place = open.iter().position(|(name, asked)| name == state && asked.covers(now));
        place.and_then(|place| open.remove(place)).is_some()
    }

    fn open(&self) -> MutexGuard<'_, VecDeque<(String, Asked)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request that stands alone was asked about: the answer holds for that call and that price alone.
struct Asked {
    call: u64,
    most: Usd,
}

impl Asked {
    fn about(request: &CallToolRequestParams, doubts: &Doubts) -> Self {
        let mut call = DefaultHasher::new();
        (&request.name, serde_json::to_string(&request.arguments).unwrap_or_default()).hash(&mut call);
        Self { call: call.finish(), most: doubts.paid.as_ref().map_or(Usd::default(), PreparedStart::most) }
    }

    /// Whether the same would be asked now, or something that costs less.
    fn covers(&self, now: &Self) -> bool {
        self.call == now.call && self.most >= now.most
    }
}

/// What is to be asked about a call, if anything.
async fn doubts(calls: &Calls, request: &CallToolRequestParams) -> Option<Doubts> {
    let starts = tools::named(&request.name).is_some_and(|row| row.starts);
    let given = request.arguments.as_ref().filter(|_| starts)?;
    let query = question::check(given.get("query")?.as_str()?).ok()?;
    // What else the call says tells what is meant.
    let is_said = |name: &&str| given.get(*name).is_some_and(|value| !value.is_null());
    let stands_alone = !["context", "follow_up_to", "library"].iter().any(is_said);
    let vague = vague(&query).filter(|_| stands_alone);
    let pays = request.name == Tool::StartDeepResearch.name();
    if pays && calls.app.settings.gemini_api_key.is_none() {
        // The call itself says what is missing; nobody is asked before that.
        return None;
    }
    let paid = if pays { Some(prepared(&calls.app, request.arguments.clone()).await.ok()?) } else { None };
    (paid.is_some() || vague.is_some()).then_some(Doubts { paid, vague, query })
}

async fn prepared(app: &App, arguments: Option<JsonObject>) -> Result<PreparedStart> {
    app.prepare_hosted(arguments::read::<StartArgs>(arguments)?).await
}

impl Doubts {
    fn form(&self) -> ElicitRequestParams {
        let mut builder = ElicitationSchema::builder();
        let mut message = Vec::new();
        if let Some(vague) = self.vague {
            let shown = excerpt(&self.query, limits::ECHO_CHARS);
            message.push(format!(
                "What exactly is to be researched? \u{201c}{shown}\u{201d} says little: {}",
                vague.in_words()
            ));
            builder = builder.required_string_property(MEANT, |field: StringSchema| field.title("The whole question"));
        }
        if let Some(paid) = &self.paid {
            message.push(paid.question());
            builder = builder
                .required_bool_property(START, |field: BooleanSchema| field.title("Start it").with_default(true));
        }
        let requested_schema = ElicitationSchema::new(builder.properties).with_required(builder.required);
        ElicitRequestParams::FormElicitationParams { meta: None, message: message.join(" "), requested_schema }
    }

    /// Only a yes is a yes; no answer within the window is none, and an empty one says nothing. What is meant takes the place of the question.
    async fn judged(
        &self,
        app: &App,
        answer: Option<ElicitResult>,
        mut given: Option<JsonObject>,
    ) -> Result<Confirmed> {
        let was_answered = answer.is_some();
        let said = answer.filter(|answer| answer.action == ElicitationAction::Accept);
        let field = |name: &str| said.as_ref().and_then(|said| said.content.as_ref()?.get(name).cloned());
        if self.paid.is_some() && !was_answered {
            let message = "the question whether it may cost that was not answered; nothing was started";
            let hint = "ask the user; where the client cannot show the question, the user can set `confirm = never`";
            return Err(Error::new(Code::NotConfirmed, message).hint(hint));
        }
        if self.paid.is_some() && field(START) != Some(Value::Bool(true)) {
            let error = Error::new(Code::NotConfirmed, "the user did not agree to the cost; nothing was started");
            return Err(error.hint("do not ask again unless the user wants it"));
        }
        if self.vague.is_some() {
            let meant = field(MEANT);
            let meant = meant.as_ref().and_then(Value::as_str).map(str::trim).filter(|meant| !meant.is_empty());
            let Some(meant) = meant else {
                let message = "the user did not say what is meant; nothing was started";
                return Err(Error::new(Code::QuestionUnclear, message)
                    .hint("ask the user what exactly is to be researched, and call again with the whole question"));
            };
            given.get_or_insert_default().insert("query".to_owned(), Value::String(meant.to_owned()));
        }
        let Some(shown) = &self.paid else { return Ok(Confirmed::GoOn(given)) };
        // The answer took its time, and may be another question.
        let paid = prepared(app, given).await?;
        if paid.most() > shown.most() {
            let message =
                format!("what is meant may cost more than what was agreed to; nothing was started. {}", paid.figures());
            return Err(Error::new(Code::NotConfirmed, message).hint("call again with the whole question"));
        }
        Ok(Confirmed::Start(Box::new(paid)))
    }
}

/// Whether a request carries its own metadata, as in the newest revision, instead of belonging to a session.
pub(super) fn stands_alone(context: &Context) -> bool {
    context.protocol_version().is_some_and(|version| version.as_str() >= STANDS_ALONE)
}

/// Whether the client can show a form. Those of the first revision with questions do not say which kinds they show.
fn can_ask(context: &Context) -> bool {
    let asks = context.client_capabilities().and_then(|client| client.elicitation);
    asks.is_some_and(|asks| asks.form.is_some() || asks.url.is_none())
}
