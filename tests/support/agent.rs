//! An agent in a story: a real client in a scratch home, with a scripted model.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use super::claude_model::ClaudeModel;
use super::client::{Client, Kind, Task};
use super::codex_model::CodexModel;
use super::home::{Home, KEY};
use super::hooks;
use super::mailbox::Mailbox;
use super::model::Model;
use super::script::Step;
use super::terminal::Terminal;
use super::turn::Turn;

/// An agent called `bob`, unless a story says otherwise.
pub(crate) struct Agent {
    pub mail: Mailbox,
    pub home: Home,
    pub client: Client,
    pub model: Model,
    environment: Vec<(String, OsString)>,
    options: Vec<OsString>,
}

impl Agent {
    /// An agent with the product's hooks.
    pub(crate) fn new(client: &Client) -> Self {
        let agent = Self::without_hooks(client).env("MAILSTOP_NAME", "bob");
        hooks::install(&agent.mail, client);
        agent
    }

    /// An agent whose hooks are shell scripts, by event.
    pub(crate) fn with_scripts(client: &Client, scripts: &[(&'static str, &str)]) -> Self {
        let agent = Self::without_hooks(client);
        hooks::install_scripts(&agent.home, client, scripts);
        agent
    }

    fn without_hooks(client: &Client) -> Self {
        let model = match client.kind {
            Kind::Claude => Model::start(ClaudeModel),
            Kind::Codex => Model::start(CodexModel),
        };
        let home = Home::new(client, model.port());
        let mail = Mailbox::of(&home);
        let (environment, options) = (Vec::new(), Vec::new());
        Self { mail, home, client: client.clone(), model, environment, options }
    }

    /// Sets an environment variable for every turn.
    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// More arguments for the client in a terminal.
    pub(crate) fn options<const N: usize>(mut self, arguments: [&str; N]) -> Self {
        self.options.extend(arguments.map(OsString::from));
        self
    }

    /// Removes the agent's name, as for a session that nobody named.
    pub(crate) fn nameless(mut self) -> Self {
        self.environment.retain(|(name, _)| name != "MAILSTOP_NAME");
        self
    }

    /// Says what the model will do, one step a request. The run fails if the client
    /// asks for more than that, or for less.
    pub(crate) fn script(&self, steps: impl IntoIterator<Item = Step>) {
        self.model.play(steps);
    }

    /// Says what the model repeats whenever the script is over.
    pub(crate) fn always_say(&self, text: &str) {
        self.model.always_say(text);
    }

    /// Prepares a turn.
    pub(crate) fn prompt(&self, text: &str) -> Turn<'_> {
        Turn::new(self, text)
    }

    /// Opens the client in a terminal.
    pub(crate) fn terminal(&self) -> Terminal<'_> {
        Terminal::open(self)
    }

    /// The command that starts this agent's client, for its own shell to run.
    pub(crate) fn nested(&self, prompt: &str) -> String {
        let words = self.client.arguments(&Task::of(prompt)).into_iter();
        let words: Vec<_> = words.map(|word| format!("'{}'", word.display())).collect();
        format!("'{}' {} </dev/null", self.executable().display(), words.join(" "))
    }

    fn executable(&self) -> PathBuf {
        self.client.executable().expect("a story runs only when its client is there")
    }

    /// The process for a task.
    pub(crate) fn command(&self, task: &Task) -> Command {
        self.process(&self.client.arguments(task))
    }

    /// The process for a terminal.
    pub(crate) fn interactive(&self) -> Command {
        self.process(&[self.client.interactive_arguments(), self.options.clone()].concat())
    }

    fn process(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(self.executable());
        command.args(arguments).current_dir(self.home.project());
        // Nothing of the machine's own settings, keys or proxies.
        command.env_clear().env("HOME", self.home.path()).env("TERM", "xterm-256color");
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("TMPDIR", self.home.temporary());
        match self.client.kind {
            Kind::Claude => {
                let server = format!("http://127.0.0.1:{}", self.model.port());
                command.env("ANTHROPIC_BASE_URL", server).env("ANTHROPIC_API_KEY", KEY);
                command.env("CLAUDE_CODE_TMPDIR", self.home.temporary());
                let off = [
                    "DISABLE_AUTOUPDATER",
                    "DISABLE_TELEMETRY",
                    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                ];
                command.envs(off.map(|name| (name, "1")));
            }
            Kind::Codex => {
                command.env("LOOP_KEY", "dummy");
            }
        }
        command.envs(self.environment.iter().cloned());
        command
    }
}
