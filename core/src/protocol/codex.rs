//! Codex: its hook events and the outputs it accepts. Its schemas are closed: one
//! key that it does not know voids the whole output.

use serde::Serialize;

use super::{Ending, Event, Occurrence, Output, question, skim::Fields};
use crate::message::Client;

pub(super) fn read(fields: &Fields) -> Option<Occurrence> {
    if super::is_foreign(fields) {
        return None;
    }
    let occurrence = super::occurrence(Client::Codex, fields)?;
    // Codex runs PostToolUse for failed tools too and knows no twin of it.
    let twin = matches!(occurrence.event, Event::PostToolUse { failed: true, .. });
    (!twin).then_some(occurrence)
}

/// The tool that asks the user, which Codex has while it plans. At other times it refuses
/// the call at once, and the next call or the end of the turn settles it.
const QUESTION: &str = "request_user_input";

/// What only Codex tells.
pub(super) fn event(fields: &Fields) -> Option<Event> {
    Some(match fields.text("hook_event_name")?.as_str() {
        "Interrupt" => Event::TurnEnded("Interrupt", Ending::Interrupted),
        "PreToolUse" if fields.text("tool_name").as_deref() == Some(QUESTION) => {
            Event::Opened("PreToolUse", question(fields))
        }
        _ => return None,
    })
}

/// `codex exec`, also as `codex e`, runs without anybody in front of it.
pub(super) fn is_attended(words: &[String]) -> bool {
    !words.iter().skip(1).any(|word| word == "exec" || word == "e")
}

pub(super) fn forked_from(words: &[String]) -> Option<String> {
    super::value_of(words, &["fork"]).filter(|id| !id.starts_with('-'))
}

#[derive(Serialize)]
struct ContextOutput<'a> {
    #[serde(rename = "hookSpecificOutput")]
    specific: Specific<'a>,
}

#[derive(Serialize)]
struct Specific<'a> {
    #[serde(rename = "hookEventName")]
    event: &'a str,
    #[serde(rename = "additionalContext")]
    text: &'a str,
}

#[derive(Serialize)]
struct BlockOutput<'a> {
    decision: &'static str,
    reason: &'a str,
}

#[derive(Serialize)]
struct UserOutput<'a> {
    #[serde(rename = "systemMessage")]
    text: &'a str,
}

pub(super) fn write(event: &Event, output: &Output) -> String {
    let written = match output {
        Output::Context(text) => serde_json::to_string(&ContextOutput {
            specific: Specific { event: event.name(), text },
        }),
        Output::Block(reason) => serde_json::to_string(&BlockOutput { decision: "block", reason }),
        Output::User(text) => serde_json::to_string(&UserOutput { text }),
    };
    written.unwrap_or_default()
}
