//! One session of one client: its events go through the real hook executables, and
//! every output is checked against what that client accepts for that event.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::shown::Shown;
use crate::world::{MAILSTOP, OBSERVE, PROMPT, START, STOP, Said, TOOL, World, event, run};

/// A session, and what its client says of itself.
#[derive(Clone)]
pub(crate) struct Session<'w> {
    world: &'w World,
    pub(crate) id: String,
    pub(crate) client: &'static str,
    pub(crate) cwd: PathBuf,
    pub(crate) transcript: PathBuf,
    vars: Vec<(String, String)>,
    agent: Option<String>,
}

impl<'w> Session<'w> {
    pub(crate) fn new(world: &'w World, id: &str) -> Session<'w> {
        Session {
            world,
            id: id.to_owned(),
            client: "claude",
            cwd: world.path("work"),
            transcript: world.path(&format!("{id}.jsonl")),
            vars: Vec::new(),
            agent: None,
        }
    }

    pub(crate) fn named(self, name: &str) -> Self {
        self.with("MAILSTOP_NAME", name)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn of(mut self, client: &'static str) -> Self {
        self.client = client;
        self
    }

    pub(crate) fn within(mut self, folder: PathBuf) -> Self {
        self.cwd = folder;
        self
    }

    /// Its events come from inside a subagent.
    pub(crate) fn subagent(&self) -> Self {
        self.subagent_named("a1")
    }

    pub(crate) fn subagent_named(&self, id: &str) -> Self {
        Session { agent: Some(id.to_owned()), ..self.clone() }
    }

    pub(crate) fn payload(&self, name: &str, more: &Value) -> Value {
        let codex = |value: &str| (self.client == "codex").then(|| value.to_owned());
        let mut members = json!({
            "session_id": self.id, "transcript_path": self.transcript, "cwd": self.cwd,
            "hook_event_name": name, "permission_mode": "default",
            "agent_id": self.agent, "turn_id": codex("turn"), "model": codex("m"),
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            members[key] = value.clone();
        }
        event(&members)
    }

    /// The hook of an event, as this session's client starts it.
    pub(crate) fn hook(&self, program: &str) -> Command {
        let mut command = self.world.command(program);
        command.args(["--client", self.client]);
        command.envs(self.vars.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a hook and checks all that a client may rely on.
    pub(crate) fn fire(&self, program: &str, name: &str, stdin: &[u8]) -> Shown {
        let output = run(&mut self.hook(program), stdin);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stderr, b"");
        let redacted = |text: String| self.world.redact(&text);
        match Shown::parse(name, &output.stdout) {
            Shown::Context(text) => Shown::Context(redacted(text)),
            Shown::Block(text) => Shown::Block(redacted(text)),
            Shown::User(text) => Shown::User(redacted(text)),
            Shown::Nothing => Shown::Nothing,
        }
    }

    fn happens(&self, program: &str, name: &str, more: &Value) -> Shown {
        self.fire(program, name, self.payload(name, more).to_string().as_bytes())
    }

    pub(crate) fn start(&self) -> Shown {
        self.start_as("startup")
    }

    pub(crate) fn start_as(&self, source: &str) -> Shown {
        self.happens(START, "SessionStart", &json!({ "source": source }))
    }

    pub(crate) fn prompt(&self) -> Shown {
        self.happens(PROMPT, "UserPromptSubmit", &json!({ "prompt": "go" }))
    }

    /// A tool call that began after whatever came before it.
    pub(crate) fn tool(&self, call: &str) -> Shown {
        std::thread::sleep(std::time::Duration::from_millis(3));
        self.tool_that_took(call, &json!(0))
    }

    pub(crate) fn tool_that_took(&self, call: &str, duration: &Value) -> Shown {
        let more = json!({ "tool_name": "Bash", "tool_use_id": call, "duration_ms": duration,
            "tool_response": { "stdout": "x" } });
        self.happens(TOOL, "PostToolUse", &more)
    }

    pub(crate) fn failed_tool(&self, call: &str) -> Shown {
        let more = json!({ "tool_use_id": call, "error": "Exit code 3", "duration_ms": 0 });
        self.happens(TOOL, "PostToolUseFailure", &more)
    }

    pub(crate) fn stop(&self) -> Shown {
        self.happens(STOP, "Stop", &json!({ "stop_hook_active": true }))
    }

    pub(crate) fn end(&self) -> Shown {
        self.happens(OBSERVE, "SessionEnd", &json!({ "reason": "other" }))
    }

    /// An event that is only noted.
    pub(crate) fn notes(&self, name: &str, more: &Value) {
        assert_eq!(self.happens(OBSERVE, name, more), Shown::Nothing);
    }

    /// The client asks for leave to run a command.
    pub(crate) fn asks_leave(&self, command: &str) {
        let more = json!({ "tool_name": "Bash", "tool_input": { "command": command } });
        self.notes("PermissionRequest", &more);
    }

    /// The command runs, with leave, and has ended.
    pub(crate) fn runs(&self, command: &str) -> Shown {
        let more = json!({ "tool_name": "Bash", "tool_input": { "command": command },
            "tool_use_id": command, "duration_ms": 0, "tool_response": {} });
        self.happens(TOOL, "PostToolUse", &more)
    }

    pub(crate) fn clear(&self) -> Shown {
        self.happens(OBSERVE, "SessionEnd", &json!({ "reason": "clear" }))
    }

    /// Runs `mailstop` in this agent's shell.
    pub(crate) fn mailstop(&self, words: &[&str]) -> Said {
        self.mailstop_with(words, b"")
    }

    pub(crate) fn mailstop_with(&self, words: &[&str], stdin: &[u8]) -> Said {
        let variable =
            if self.client == "codex" { "CODEX_THREAD_ID" } else { "CLAUDE_CODE_SESSION_ID" };
        let mut command = self.world.command(MAILSTOP);
        command.args(words).env(variable, &self.id).current_dir(&self.cwd);
        self.world.said(&mut command, stdin)
    }

    /// Sends as this agent, and returns the id.
    pub(crate) fn send(&self, to: &str, words: &[&str]) -> String {
        let mut all = vec!["send", "--json", "--to", to, "--body", "text"];
        all.extend(words);
        self.id_of(&all)
    }

    /// Runs a command that stores a message, and learns its id.
    pub(crate) fn id_of(&self, words: &[&str]) -> String {
        let said = self.mailstop(words);
        let document: Value =
            serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"));
        let id = document["id"].as_str().unwrap_or_else(|| panic!("{said:?}")).to_owned();
        self.world.learn(&id);
        id
    }
}
