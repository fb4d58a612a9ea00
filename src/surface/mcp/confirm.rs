//! The question back: a client's user is asked once before money is spent and when a question says too little, before the task exists. A client that
//! cannot ask starts as it is.

use std::collections::BTreeMap;

use rmcp::model::{
    BooleanSchema, CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequiredResult, JsonObject, StringSchema,
};
use serde_json::Value;

use super::calls::{Calls, patience};
use super::progress::Context;
use super::{arguments, tools};
use crate::core::base::error::{Code, Error};
use crate::core::base::{limits, question};
use crate::core::task::Tool;
use crate::core::text::vague::{Vague, vague};
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
    /// The client is to ask, and to send the call again with the answer.
    Ask(InputRequiredResult),
    Refused(Error),
}

/// What a user is asked about a call.
struct Doubts {
    /// What it would cost, in words.
    cost: Option<String>,
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
    let given = request.arguments;
    if stands_alone(context) {
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
        return match answer {
            None => Confirmed::Ask(InputRequiredResult::from_input_requests(BTreeMap::from([(
                QUESTION.to_owned(),
                InputRequest::Elicitation(ElicitRequest::new(doubts.form())),
            )]))),
            Some(answer) => doubts.judged(serde_json::from_value(answer.clone()).ok(), given),
        };
    }
    let window = patience(settings, context);
    tokio::select! {
        answer = context.peer.create_elicitation_with_timeout(doubts.form(), Some(window)) => {
            doubts.judged(answer.ok(), given)
        }
        () = calls.given_up(context) => doubts.judged(None, given),
    }
}

/// What is to be asked about a call, if anything.
async fn doubts(calls: &Calls, request: &CallToolRequestParams) -> Option<Doubts> {
    let starts = tools::named(&request.name).is_some_and(|row| row.starts);
    let given = request.arguments.as_ref().filter(|_| starts)?;
    let query = question::check(given.get("query")?.as_str()?).ok()?;
    // What else the call says tells what is meant.
    let stands_alone = ["context", "follow_up_to", "library"].iter().all(|name| given.get(*name).is_none());
    let vague = vague(&query).filter(|_| stands_alone);
    let pays = request.name == Tool::StartDeepResearch.name() && calls.app.settings.gemini_api_key.is_some();
    let cost = if pays {
        let args = arguments::read::<StartArgs>(request.arguments.clone()).ok()?;
        Some(calls.app.prepare_hosted(args).await.ok()?.question())
    } else {
        None
    };
    (cost.is_some() || vague.is_some()).then_some(Doubts { cost, vague, query })
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
        if let Some(cost) = &self.cost {
            message.push(cost.clone());
            builder = builder
                .required_bool_property(START, |field: BooleanSchema| field.title("Start it").with_default(true));
        }
        let requested_schema = ElicitationSchema::new(builder.properties);
        ElicitRequestParams::FormElicitationParams { meta: None, message: message.join(" "), requested_schema }
    }

    /// Only a yes is a yes; no answer within the window is none. What is meant takes the place of the question; a user who leaves the field
    /// as it is means what was asked.
    fn judged(&self, answer: Option<ElicitResult>, mut given: Option<JsonObject>) -> Confirmed {
        let said = answer.filter(|answer| answer.action == ElicitationAction::Accept);
        let field = |name: &str| said.as_ref().and_then(|said| said.content.as_ref()?.get(name).cloned());
        if self.cost.is_some() && (said.is_none() || field(START) == Some(Value::Bool(false))) {
            let error = Error::new(Code::NotConfirmed, "the user did not agree to the cost; nothing was started");
            return Confirmed::Refused(error.hint("do not ask again unless the user wants it"));
        }
        if said.is_none() {
            let error = Error::new(Code::QuestionUnclear, "the user did not say what is meant; nothing was started");
            return Confirmed::Refused(
                error.hint("ask the user what exactly is to be researched, and call again with the whole question"),
            );
        }
        let meant = field(MEANT).filter(|_| self.vague.is_some());
        let meant = meant.as_ref().and_then(Value::as_str).map(str::trim).filter(|meant| !meant.is_empty());
        if let (Some(meant), Some(given)) = (meant, &mut given) {
            given.insert("query".to_owned(), Value::String(meant.to_owned()));
        }
        Confirmed::GoOn(given)
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
