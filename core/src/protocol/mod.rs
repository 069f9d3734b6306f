//! What the clients say to a hook and what they accept. One file a client; what
//! they share stands here.

mod claude;
mod codex;
pub mod skim;

use crate::message::{Client, Invalid, Millis, words};
use crate::text::Measure;
use std::fmt;
use std::str::FromStr;

/// Where a session's first event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A new session, or a word we do not know.
    Startup,
    /// An old session again.
    Resume,
    /// The conversation was cleared: a new session in the same process.
    Clear,
    /// The context was compacted: the same session.
    Compact,
    /// A copy of another session.
    Fork,
}

words! {
    /// What a session may await its user for.
    Awaited, "awaited" {
        /// Leave to run a tool.
        Permission = "permission",
        /// The answer to the client's own question.
        Question = "question",
        /// A word on a plan.
        Plan = "plan",
        /// A form of an MCP server.
        Form = "form",
        /// Something that the client did not name.
        Dialog = "dialog",
    }
}

/// A dialog that a client opened or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// What the user is asked for.
    pub what: Awaited,
    /// The tool or server that asks; empty where the client does not tell.
    pub tool: String,
    /// The client's id of the tool call or the form, where it names one.
    pub call: Option<String>,
    /// A digest of the tool's input, which tells calls without an id apart.
    pub input: Option<i64>,
    /// What the user is asked, where the client tells.
    pub question: Option<String>,
}

/// How a turn ended that did not come to its Stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its model could not be reached, or refused.
    Failed,
    /// Its user stopped it.
    Interrupted,
}

/// What happened in a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A session begins, or begins again.
    SessionStart(Source),
    /// A turn begins.
    UserPromptSubmit,
    /// A tool call ended.
    PostToolUse {
        /// The call's id.
        call: Option<String>,
        /// How long it ran.
        duration: Option<Millis>,
        /// Whether this is the twin of the event for failed calls.
        failed: bool,
        /// The tool.
        tool: Option<String>,
        /// Its input.
        input: Option<skim::Input>,
    },
    /// The agent wants to stop.
    Stop,
    /// A session ends; `clear` when another one follows in its place.
    SessionEnd {
        /// Whether the conversation was only cleared.
        clear: bool,
    },
    /// The client asks its user something, by the event of this name.
    Opened(&'static str, Dialog),
    /// What the client asked is settled, by the event of this name.
    Settled(&'static str, Dialog),
    /// A turn ended without a Stop, by the event of this name.
    TurnEnded(&'static str, Ending),
    /// A subagent has ended.
    AgentEnded,
    /// The context is being compacted: the session is at work.
    Compacting,
    /// It was compacted.
    Compacted,
    /// The client has been waiting for a prompt for a while.
    Resting,
}

impl Event {
    /// The event's name, as the clients spell it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Event::SessionStart(_) => "SessionStart",
            Event::UserPromptSubmit => "UserPromptSubmit",
            Event::PostToolUse { failed: false, .. } => "PostToolUse",
            Event::PostToolUse { failed: true, .. } => "PostToolUseFailure",
            Event::Stop => "Stop",
            Event::SessionEnd { .. } => "SessionEnd",
            Event::Opened(name, _) | Event::Settled(name, _) | Event::TurnEnded(name, _) => name,
            Event::AgentEnded => "SubagentStop",
            Event::Compacting => "PreCompact",
            Event::Compacted => "PostCompact",
            Event::Resting => "Notification",
        }
    }
}

/// One event of one session, in the domain's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// Whose event.
    pub client: Client,
    /// The client's session id.
    pub session: String,
    /// The folder the client is in.
    pub cwd: Option<String>,
    /// Its transcript file.
    pub transcript: Option<String>,
    /// The client's name of the prompt it belongs to: Claude Code's prompt id, Codex's
    /// turn id.
    pub prompt: Option<String>,
    /// The subagent that it happened in; none is the main thread.
    pub agent: Option<String>,
    /// What happened.
    pub event: Event,
}

impl Occurrence {
    /// Whether it happened inside a subagent.
    #[must_use]
    pub const fn in_subagent(&self) -> bool {
        self.agent.is_some()
    }
}

/// What a hook wants to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Text for the model.
    Context(String),
    /// The Stop does not take place, because of this.
    Block(String),
    /// Text for the user alone.
    User(String),
}

/// Reads an event. None is silence: it is not this client's, not one we know, or
/// has no session.
#[must_use]
pub fn read(client: Client, fields: &skim::Fields) -> Option<Occurrence> {
    match client {
        Client::Claude => claude::read(fields),
        Client::Codex => codex::read(fields),
    }
}

/// Puts an output into the words that a client accepts for an event, as one line.
#[must_use]
pub fn write(client: Client, event: &Event, output: &Output) -> String {
    match client {
        Client::Claude => claude::write(event, output),
        Client::Codex => codex::write(event, output),
    }
}

/// How a client measures what it takes before it cuts: Claude Code at 10,000 UTF-16
/// units, Codex at 2,500 tokens of four bytes.
#[must_use]
pub const fn measure(client: Client) -> Measure {
    match client {
        Client::Claude => Measure::Utf16,
        Client::Codex => Measure::Utf8,
    }
}

/// Whether somebody sits in front of a client, from the words it was started with
/// and what it tells its hooks.
#[must_use]
pub fn is_attended(client: Client, words: &[String]) -> bool {
    match client {
        Client::Claude => claude::is_attended(words),
        Client::Codex => codex::is_attended(words),
    }
}

/// The session that a client was started to make a copy of.
#[must_use]
pub fn forked_from(client: Client, words: &[String]) -> Option<String> {
    match client {
        Client::Claude => claude::forked_from(words),
        Client::Codex => codex::forked_from(words),
    }
}

/// The word behind a flag, as `--flag word` or `--flag=word`.
fn value_of(words: &[String], flags: &[&str]) -> Option<String> {
    words.iter().enumerate().find_map(|(place, word)| {
        let (name, value) = word.split_once('=').unzip();
        match value {
            Some(value) if name.is_some_and(|name| flags.contains(&name)) => Some(value.to_owned()),
            _ if flags.contains(&word.as_str()) => words.get(place + 1).cloned(),
            _ => None,
        }
    })
}

/// What both clients tell.
fn event_of_both(fields: &skim::Fields) -> Option<Event> {
    let source = || match fields.text("source").as_deref() {
        Some("resume") => Source::Resume,
        Some("clear") => Source::Clear,
        Some("compact") => Source::Compact,
        Some("fork") => Source::Fork,
        Some(_) | None => Source::Startup,
    };
    let tool = |failed| Event::PostToolUse {
        call: fields.text("tool_use_id"),
        duration: fields.number("duration_ms"),
        failed,
        tool: fields.text("tool_name"),
        input: fields.input(),
    };
    Some(match fields.text("hook_event_name")?.as_str() {
        "SessionStart" => Event::SessionStart(source()),
        "UserPromptSubmit" => Event::UserPromptSubmit,
        "PostToolUse" => tool(false),
        "PostToolUseFailure" => tool(true),
        "Stop" => Event::Stop,
        "SessionEnd" => {
            Event::SessionEnd { clear: fields.text("reason").as_deref() == Some("clear") }
        }
        "PermissionRequest" => {
            Event::Opened("PermissionRequest", dialog(Awaited::Permission, fields))
        }
        "SubagentStop" => Event::AgentEnded,
        "PreCompact" => Event::Compacting,
        "PostCompact" => Event::Compacted,
        _ => return None,
    })
}

/// Whether the client refuses by itself what it would ask its user. It tells of a question
/// then, too. Where permissions are bypassed it still asks what a rule wants asked.
fn asks_nobody(fields: &skim::Fields) -> bool {
    fields.text("permission_mode").as_deref() == Some("dontAsk")
}

/// The questions that the model asks, one line each.
fn question(fields: &skim::Fields) -> Dialog {
    let asked = fields.input().and_then(|input| {
        let input = input.value()?;
        let questions = input["questions"].as_array()?;
        let lines = questions.iter().filter_map(|one| one["question"].as_str());
        Some(lines.collect::<Vec<_>>().join("\n"))
    });
    Dialog { question: asked, ..dialog(Awaited::Question, fields) }
}

/// A dialog about a tool call.
fn dialog(what: Awaited, fields: &skim::Fields) -> Dialog {
    Dialog {
        what,
        tool: fields.text("tool_name").unwrap_or_default(),
        call: fields.text("tool_use_id"),
        input: fields.input().map(|input| input.digest()),
        question: None,
    }
}

fn occurrence(client: Client, fields: &skim::Fields) -> Option<Occurrence> {
    let event = match client {
        Client::Claude => claude::event(fields),
        Client::Codex => codex::event(fields),
    };
    let event = event.or_else(|| event_of_both(fields))?;
    if matches!(event, Event::Opened(..)) && asks_nobody(fields) {
        return None;
    }
    Some(Occurrence {
        client,
        session: fields.text("session_id").filter(|id| !id.is_empty())?,
        cwd: fields.text("cwd"),
        transcript: fields.text("transcript_path"),
        prompt: fields.text("prompt_id").or_else(|| fields.text("turn_id")),
        agent: fields.text("agent_id").filter(|id| !id.is_empty()),
        event,
    })
}

/// Whether the fields are those of a client that runs other clients' hook files:
/// Cursor names itself, Copilot and Gemini stamp a time and know no permission mode.
fn is_foreign(fields: &skim::Fields) -> bool {
    fields.has("cursor_version")
        || fields.has("conversation_id")
        || fields.has("sessionId")
        || (fields.has("timestamp") && !fields.has("permission_mode"))
}
