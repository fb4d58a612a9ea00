//! The question back: a client's user is asked once before money is spent, before the task exists. A client that cannot ask starts as it is.

use std::collections::BTreeMap;

use rmcp::model::{
    BooleanSchema, CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequiredResult,
};

use super::arguments;
use super::calls::{Calls, patience};
use super::progress::Context;
use crate::core::base::error::{Code, Error};
use crate::core::task::Tool;
use crate::surface::wire::StartArgs;

/// The name of the question in a request that carries its answer, and of its one field.
const QUESTION: &str = "confirm";
const FIELD: &str = "start";
/// The first revision without sessions, in which a server asks by its answer.
const STANDS_ALONE: &str = "2026-07-28";

/// What becomes of a call.
pub(super) enum Confirmed {
    GoOn,
    /// The client is to ask, and to send the call again with the answer.
    Ask(InputRequiredResult),
    Refused(Error),
}

/// Whether a call may go on. Arguments that are not allowed go on to be refused.
pub(super) async fn confirm(calls: &Calls, request: &CallToolRequestParams, context: &Context) -> Confirmed {
    let settings = &calls.app.settings;
    let asks = request.name == Tool::StartDeepResearch.name()
        && settings.hosted.confirm
        && settings.gemini_api_key.is_some()
        && can_ask(context);
    if !asks {
        return Confirmed::GoOn;
    }
    let Ok(args) = arguments::read::<StartArgs>(request.arguments.clone()) else { return Confirmed::GoOn };
    let Ok(prepared) = calls.app.prepare_hosted(args).await else { return Confirmed::GoOn };
    let question = form(prepared.question());
    if stands_alone(context) {
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
        return match answer {
            None => Confirmed::Ask(InputRequiredResult::from_input_requests(BTreeMap::from([(
                QUESTION.to_owned(),
                InputRequest::Elicitation(ElicitRequest::new(question)),
            )]))),
            Some(answer) => judged(serde_json::from_value(answer.clone()).ok()),
        };
    }
    let window = patience(settings, context);
    tokio::select! {
        answer = context.peer.create_elicitation_with_timeout(question, Some(window)) => judged(answer.ok()),
        () = calls.given_up(context) => judged(None),
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

fn form(message: String) -> ElicitRequestParams {
    let yes = |field: BooleanSchema| field.title("Start it").with_default(true);
    let builder = ElicitationSchema::builder().required_bool_property(FIELD, yes);
    let requested_schema = ElicitationSchema::new(builder.properties);
    ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema }
}

/// Only a yes is a yes; no answer within the window is none.
fn judged(answer: Option<ElicitResult>) -> Confirmed {
    let yes = answer.is_some_and(|answer| {
        let unticked = answer.content.as_ref().and_then(|content| content.get(FIELD)?.as_bool()) == Some(false);
        answer.action == ElicitationAction::Accept && !unticked
    });
    if yes {
        return Confirmed::GoOn;
    }
    let error = Error::new(Code::NotConfirmed, "the user did not agree to the cost; nothing was started");
    Confirmed::Refused(error.hint("do not ask again unless the user wants it"))
}
