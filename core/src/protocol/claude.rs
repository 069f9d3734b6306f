//! Claude Code: its hook events and the outputs it honours.

use serde::Serialize;

use super::{Event, Occurrence, Output, skim::Fields};
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
