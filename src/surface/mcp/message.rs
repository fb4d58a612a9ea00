//! Whether bytes are a message of the protocol, and the answer to those that are none.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorData, GetMeta, JsonRpcError, JsonRpcMessage, JsonRpcVersion2_0, RequestId};
use rmcp::service::RxJsonRpcMessage;
use serde_json::Value;

type Message = Box<RxJsonRpcMessage<RoleServer>>;

/// The message that the bytes are; for what is none, its answer. It has an id where somebody waits for it.
///
/// A list of messages is refused: the protocol library reads none, and of all revisions only 2025-03-26 has them.
pub(super) fn read(bytes: &[u8]) -> Result<Message, Box<JsonRpcError>> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| refused(None, ErrorData::parse_error(format!("no JSON: {error}"), None)))?;
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let invalid = |what: &str| refused(id.clone(), ErrorData::invalid_request(what.to_owned(), None));
    if !value.is_object() {
        return Err(invalid("a message is one JSON object; lists of them are not read"));
    }
    if value.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("`jsonrpc` must be \"2.0\""));
    }
    let answers = value.get("result").is_some() || value.get("error").is_some();
    let is_request = value.get("id").is_some() && !answers;
    if is_request && id.is_none() {
        return Err(invalid("`id` must be a string or a number"));
    }
    if !answers && !value.get("method").is_some_and(Value::is_string) {
        return Err(invalid("`method` must be a string"));
    }
    // Out of the bytes: what has a name twice is read by nobody in two ways.
    let misfit = |what: String| {
        let error = ErrorData::invalid_params(format!("the parameters do not fit: {what}"), None);
        refused(id.clone().filter(|_| is_request), error)
    };
    let message: Message = serde_json::from_slice(bytes).map(Box::new).map_err(|error| misfit(error.to_string()))?;
    // The protocol library takes a method whose parameters it cannot read for one that it does not know. Where requests stand alone, a handshake is none.
    if let JsonRpcMessage::Request(asked) = &*message
        && let ClientRequest::CustomRequest(unread) = &asked.request
        && unread.method == "initialize"
        && unread.get_meta().protocol_version().is_none()
    {
        return Err(misfit("`initialize` has `protocolVersion`, `capabilities` and `clientInfo`".to_owned()));
    }
    Ok(message)
}

/// The id under which a message is answered, if it is.
pub(super) fn wanted(message: &RxJsonRpcMessage<RoleServer>) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Request(request) => Some(&request.id),
        JsonRpcMessage::Notification(_) | JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => None,
    }
}

pub(super) fn id_in_use(id: RequestId) -> Box<JsonRpcError> {
    let message = format!("a request with the id {id} is being answered; each request of a session has its own");
    refused(Some(id), ErrorData::invalid_request(message, None))
}

pub(super) fn refused(id: Option<RequestId>, error: ErrorData) -> Box<JsonRpcError> {
    Box::new(JsonRpcError { jsonrpc: JsonRpcVersion2_0, id, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: what is no message is answered with what is wrong, and with its id where it has one.
    #[test]
    fn mc_01_what_is_no_message_has_its_answer() {
        for (text, code, id) in [
            ("", -32_700, None),
            ("not json", -32_700, None),
            ("[]", -32_600, None),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32_600, None),
            ("null", -32_600, None),
            ("{}", -32_600, None),
            ("{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", -32_600, Some("\"a\"")),
            ("{\"jsonrpc\":\"2.0\",\"id\":4}", -32_600, Some("4")),
            ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32_600, None),
            ("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":\"x\"}", -32_602, Some("5")),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", -32_602, Some("2")),
            ("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"initialize\",\"params\":{}}", -32_602, Some("6")),
            ("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"initialize\"}", -32_602, Some("6")),
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            let said = error.id.map(|id| serde_json::to_string(&id).unwrap());
            assert_eq!((error.error.code.0, said.as_deref()), (code, id), "{text}");
        }
        assert_eq!(read("[".repeat(100_000).as_bytes()).unwrap_err().error.code.0, -32_700);
        for (text, id) in [
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", Some(RequestId::Number(1))),
            ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", None),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", None),
        ] {
            assert_eq!(wanted(&read(text.as_bytes()).unwrap()), id.as_ref(), "{text}");
        }
    }
}
