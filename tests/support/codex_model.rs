//! The model that Codex talks to: the Responses API, streamed.

use serde_json::{Value, json};

use super::http::Response;
use super::model::{Dialect, Words};
use super::received::Received;
use super::script::Tool;

/// How Codex talks to its model.
pub(crate) struct CodexModel;

impl Dialect for CodexModel {
    fn path(&self) -> &'static str {
        "/v1/responses"
    }

    fn is_aside(&self, body: &Value) -> bool {
        body["tools"].as_array().is_none_or(Vec::is_empty)
    }

    fn read(&self, body: Value) -> Received {
        let (mut news, mut outputs) = (Vec::new(), Vec::new());
        let items = body["input"].as_array().map_or(&[][..], Vec::as_slice);
        let said = items
            .iter()
            .rposition(|item| item["role"] == "assistant" || item["type"] == "function_call");
        for item in &items[said.map_or(0, |said| said + 1)..] {
            if item["type"] == "function_call_output" {
                outputs.push(text_of(&item["output"]));
            } else {
                news.push(text_of(&item["content"]));
            }
        }
        let news = news.join("\n");
        Received { news, outputs, body }
    }

    fn write(&self, _: &Value, number: usize, words: &Words) -> Response {
        let response = format!("resp_{number:04}");
        let mut events = vec![json!({"type": "response.created", "response": {"id": response}})];
        for (index, item) in items(number, words).into_iter().enumerate() {
            events.push(
                json!({"type": "response.output_item.done", "output_index": index, "item": item}),
            );
        }
        let usage = json!({
            "input_tokens": 10, "input_tokens_details": null,
            "output_tokens": 5, "output_tokens_details": null, "total_tokens": 15,
        });
        let completed = json!({"id": response, "usage": usage});
        events.push(json!({"type": "response.completed", "response": completed}));
        let line = |event: &Value| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        };
        Response::events(events.iter().map(line).collect())
    }
}

fn items(number: usize, words: &Words) -> Vec<Value> {
    let tools = match words {
        Words::Text(text) => {
            let content = json!([{"type": "output_text", "text": text}]);
            let id = format!("msg_{number:04}");
            return vec![
                json!({"type": "message", "role": "assistant", "id": id, "content": content}),
            ];
        }
        Words::Calls(tools) => tools,
    };
    let call = |(index, tool): (usize, &Tool)| {
        let (name, input) = match tool {
            Tool::Shell(command) => ("exec_command", json!({"cmd": command})),
            Tool::Named(name, input) => (name.as_str(), input.clone()),
        };
        json!({
            "type": "function_call", "id": format!("fc_{number:04}{index:02}"),
            "call_id": format!("call_{number:04}{index:02}"),
            "name": name, "arguments": input.to_string(),
        })
    };
    tools.iter().enumerate().map(call).collect()
}

/// The texts of an item. A Stop reason comes inside a tag, its text escaped.
fn text_of(content: &Value) -> String {
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        part => part["text"].as_str().unwrap_or_default().to_owned(),
    };
    if !text.starts_with("<hook_prompt") {
        return text;
    }
    let plain = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    plain.iter().fold(text, |text, (escaped, plain)| text.replace(escaped, plain))
}
