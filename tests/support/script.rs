//! What the scripted model says, step by step, in words that fit every client.

use serde_json::Value;

use super::received::Received;

/// The model's answer to one request.
pub(crate) enum Step {
    /// Says something and ends its turn.
    Say(String),
    /// Calls tools, all in one answer.
    Call(Vec<Tool>),
    /// Decides when the request is there.
    Look(Box<dyn FnOnce(&Received) -> Step + Send>),
}

/// One tool call.
pub(crate) enum Tool {
    /// A command in the client's own shell tool.
    Shell(String),
    /// Any other tool, by the client's name for it.
    Named(String, Value),
}

/// Says something and ends the turn: the client runs its Stop hooks.
pub(crate) fn say(text: &str) -> Step {
    Step::Say(text.to_owned())
}

/// Runs one shell command.
pub(crate) fn shell(command: &str) -> Step {
    shells([command])
}

/// Runs several shell commands in one answer: siblings, which a client may run
/// side by side.
pub(crate) fn shells<const N: usize>(commands: [&str; N]) -> Step {
    Step::Call(commands.map(|c| Tool::Shell(c.to_owned())).into())
}

/// Calls a tool that only one client has.
pub(crate) fn call(tool: &str, input: Value) -> Step {
    Step::Call(vec![Tool::Named(tool.to_owned(), input)])
}

/// Answers what the function makes of the request.
pub(crate) fn look(decide: impl FnOnce(&Received) -> Step + Send + 'static) -> Step {
    Step::Look(Box::new(decide))
}

/// Runs the `resolve` command that the client was shown, word by word as an agent
/// would: the story fails when there is none.
pub(crate) fn resolve_as_told() -> Step {
    look(|request| match request.printed_resolve() {
        Some(command) => shell(&command),
        None => panic!("no resolve command in what the model got:\n{}", request.news),
    })
}

impl Step {
    /// The same step, with something that happens outside just before it: mail
    /// sent then is sent while the agent is in the middle of its turn.
    pub(crate) fn after(self, act: impl FnOnce() + Send + 'static) -> Self {
        look(move |_| {
            act();
            self
        })
    }
}
