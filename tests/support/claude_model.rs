//! The model that Claude Code talks to: the Messages API, streamed or whole.

use serde_json::{Value, json};

use super::http::Response;
use super::model::{Dialect, Words};
use super::received::{Received, strings};
use super::script::Tool;

/// How Claude Code talks to its model.
pub(crate) struct ClaudeModel;

impl Dialect for ClaudeModel {
    fn path(&self) -> &'static str {
        "/v1/messages"
    }

    /// A title is asked for without tools; the summary of `/compact` with them, so
    /// that it is known by its words.
    fn is_aside(&self, body: &Value) -> bool {
        let tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        let last = body["messages"].as_array().and_then(|messages| messages.last());
        let summary =
            |text: &str| text.contains("Do NOT call any tools") && text.contains("<summary>");
        !tools || last.is_some_and(|last| strings(last).into_iter().any(summary))
    }

    fn read(&self, body: Value) -> Received {
        let (mut news, mut outputs) = (Vec::new(), Vec::new());
        let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let said = messages.iter().rposition(|message| message["role"] == "assistant");
        for message in &messages[said.map_or(0, |said| said + 1)..] {
            match &message["content"] {
                Value::Array(blocks) => {
                    for block in blocks {
                        if block["type"] == "tool_result" {
                            outputs.push(text_of(&block["content"]));
                        } else {
                            news.push(text_of(block));
                        }
                    }
                }
                content => news.push(text_of(content)),
            }
        }
        let news = news.join("\n");
        Received { news, outputs, body }
    }

    fn write(&self, body: &Value, number: usize, words: &Words) -> Response {
        let (blocks, reason) = blocks(number, words);
        let message = |content: Value, reason: Value| {
            json!({
                "id": format!("msg_{number:04}"), "type": "message", "role": "assistant",
                "model": body["model"], "content": content,
                "stop_reason": reason, "stop_sequence": null, "usage": usage(),
            })
        };
        if body["stream"] != true {
            return Response::json(message(json!(blocks), json!(reason)).to_string());
        }
        let mut events =
            vec![json!({"type": "message_start", "message": message(json!([]), json!(null))})];
        for (index, block) in blocks.iter().enumerate() {
            let (start, delta) = opened(block);
            events.push(
                json!({"type": "content_block_start", "index": index, "content_block": start}),
            );
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
            events.push(json!({"type": "content_block_stop", "index": index}));
        }
        let delta = json!({"stop_reason": reason, "stop_sequence": null});
        events.push(json!({"type": "message_delta", "delta": delta, "usage": usage()}));
        events.push(json!({"type": "message_stop"}));
        let line = |event: &Value| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        };
        Response::events(events.iter().map(line).collect())
    }
}

/// The texts of a block or a message, without its type and ids.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        block => text_of(block.get("text").unwrap_or(&Value::Array(Vec::new()))),
    }
}

fn blocks(number: usize, words: &Words) -> (Vec<Value>, &'static str) {
    let tools = match words {
        Words::Text(text) => return (vec![json!({"type": "text", "text": text})], "end_turn"),
        Words::Calls(tools) => tools,
    };
    let call = |(index, tool): (usize, &Tool)| {
        let (name, input) = match tool {
            Tool::Shell(command) => ("Bash", json!({"command": command, "description": "A step"})),
            Tool::Named(name, input) => (name.as_str(), input.clone()),
        };
        json!({"type": "tool_use", "id": format!("toolu_{number:04}{index:02}"), "name": name, "input": input})
    };
    (tools.iter().enumerate().map(call).collect(), "tool_use")
}

/// A block as it is while streaming: empty at first, then all that it says.
fn opened(block: &Value) -> (Value, Value) {
    let mut empty = block.clone();
    if block["type"] == "text" {
        empty["text"] = json!("");
        return (empty, json!({"type": "text_delta", "text": block["text"]}));
    }
    empty["input"] = json!({});
    let delta = json!({"type": "input_json_delta", "partial_json": block["input"].to_string()});
    (empty, delta)
}

fn usage() -> Value {
    json!({"input_tokens": 10, "output_tokens": 5})
}
