//! Claude Code: its hook events and the outputs it honours.

use serde::Serialize;

use super::{Awaited, Dialog, Ending, Event, Occurrence, Output, dialog, question, skim::Fields};
use crate::config::variable;
use crate::message::Client;

/// Codex names the turn and the model in events that Claude Code does not.
fn is_codex(fields: &Fields) -> bool {
    fields.has("turn_id") && fields.has("model")
}

pub(super) fn read(fields: &Fields) -> Option<Occurrence> {
    if super::is_foreign(fields) || is_codex(fields) {
        return None;
    }
    super::occurrence(Client::Claude, fields)
}

/// The tools that ask the user themselves. Claude Code also asks for permission to run
/// them, in the same dialog.
const QUESTION: &str = "AskUserQuestion";
const PLAN: &str = "ExitPlanMode";

/// What only Claude Code tells.
pub(super) fn event(fields: &Fields) -> Option<Event> {
    let tool = fields.text("tool_name").unwrap_or_default();
    Some(match (fields.text("hook_event_name")?.as_str(), tool.as_str()) {
        ("PreToolUse", QUESTION) => Event::Opened("PreToolUse", question(fields)),
        ("PreToolUse", PLAN) => Event::Opened("PreToolUse", dialog(Awaited::Plan, fields)),
        ("PermissionRequest", QUESTION) => Event::Opened("PermissionRequest", question(fields)),
        ("PermissionRequest", PLAN) => {
            Event::Opened("PermissionRequest", dialog(Awaited::Plan, fields))
        }
        ("PermissionDenied", _) => {
            Event::Settled("PermissionDenied", dialog(Awaited::Permission, fields))
        }
        ("Elicitation", _) => Event::Opened("Elicitation", form(fields)),
        ("ElicitationResult", _) => Event::Settled("ElicitationResult", form(fields)),
        ("StopFailure", _) => Event::TurnEnded("StopFailure", Ending::Failed),
        ("Notification", _) => return notification(fields),
        _ => return None,
    })
}

fn form(fields: &Fields) -> Dialog {
    Dialog {
        what: Awaited::Form,
        tool: fields.text("mcp_server_name").unwrap_or_default(),
        call: fields.text("elicitation_id"),
        input: None,
        question: fields.text("message"),
    }
}

fn notification(fields: &Fields) -> Option<Event> {
    let dialog = Dialog {
        what: Awaited::Dialog,
        tool: String::new(),
        call: None,
        input: None,
        question: None,
    };
    Some(match fields.text("notification_type")?.as_str() {
        "permission_prompt" => Event::Opened("Notification", dialog),
        "idle_prompt" => Event::Resting,
        _ => return None,
    })
}

/// Newer versions say so outright; older ones by how they were entered.
pub(super) fn is_attended(words: &[String]) -> bool {
    let printing = words.iter().skip(1).any(|word| word == "-p" || word == "--print");
    match variable("CLAUDE_CODE_SESSION_ATTENDED").as_deref() {
        Some("0") => false,
        Some(_) => true,
        None => {
            !printing && !variable("CLAUDE_CODE_ENTRYPOINT").is_some_and(|by| by.starts_with("sdk"))
        }
    }
}

pub(super) fn forked_from(words: &[String]) -> Option<String> {
    let forks = words.iter().any(|word| word == "--fork-session");
    forks.then(|| super::value_of(words, &["--resume", "-r"])).flatten()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Context<'a> {
    hook_event_name: &'a str,
    additional_context: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Wire<'a> {
    #[serde(rename_all = "camelCase")]
    Context {
        hook_specific_output: Context<'a>,
    },
    Block {
        decision: &'static str,
        reason: &'a str,
    },
    #[serde(rename_all = "camelCase")]
    User {
        system_message: &'a str,
    },
}

pub(super) fn write(event: &Event, output: &Output) -> String {
    let wire = match output {
        Output::Context(text) => Wire::Context {
            hook_specific_output: Context {
                hook_event_name: event.name(),
                additional_context: text,
            },
        },
        Output::Block(reason) => Wire::Block { decision: "block", reason },
        Output::User(text) => Wire::User { system_message: text },
    };
    serde_json::to_string(&wire).unwrap_or_default()
}
