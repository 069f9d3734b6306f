//! One run of a client, and what a story can see of it.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::agent::Agent;
use super::client::Task;
use super::process;
use super::received::Received;

/// One process of a client, about to run.
#[must_use = "a turn does nothing before `run`"]
pub(crate) struct Turn<'a> {
    agent: &'a Agent,
    task: Task,
    limit: Duration,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(agent: &'a Agent, prompt: &str) -> Self {
        let task = Task::of(prompt);
        let limit = Duration::from_secs(60);
        Self { agent, task, limit }
    }

    /// Another prompt for the same process, after the first has been worked off;
    /// `/clear` and `/compact` are prompts too. Only Claude Code can.
    pub(crate) fn then(mut self, prompt: &str) -> Self {
        self.task.prompts.push(prompt.to_owned());
        self
    }

    /// Goes on with a session.
    pub(crate) fn resume(mut self, session: &str) -> Self {
        self.task.resumes = Some(session.to_owned());
        self
    }

    /// Starts a copy of a session.
    pub(crate) fn fork(self, session: &str) -> Self {
        let mut turn = self.resume(session);
        turn.task.forks = true;
        turn
    }

    /// More arguments for the client.
    pub(crate) fn args<const N: usize>(mut self, arguments: [&str; N]) -> Self {
        self.task.arguments.extend(arguments.map(OsString::from));
        self
    }

    /// Runs the client to its end.
    ///
    /// Panics when it does not end in time, or the script does not fit what it did.
    pub(crate) fn run(self) -> Run {
        let Self { agent, task, limit } = self;
        let before = agent.model.requests().len();
        let done = process::run(&mut agent.command(&task), &agent.client.input(&task), limit);
        let done = done.unwrap_or_else(|error| panic!("{}: {error}", agent.client));
        let output = format!("{}\n{}\n{}", done.stdout, done.stderr, done.status);
        Run::since(agent, before, session(&done.stdout), output)
    }
}

/// A turn that is over.
#[must_use = "look at what the model got"]
pub(crate) struct Run {
    /// The id of the session that it ended in.
    pub session: String,
    /// What the model got, in order.
    pub requests: Vec<Received>,
    /// What the client printed.
    pub output: String,
}

impl Run {
    /// What came of everything since the model had got so many requests.
    ///
    /// Panics when the script does not fit it.
    pub(crate) fn since(agent: &Agent, before: usize, session: String, output: String) -> Self {
        let requests = agent.model.requests().split_off(before);
        let run = Self { session, requests, output };
        if let Some(failure) = agent.model.failure() {
            panic!("{failure}\n{}\n{run:#?}", agent.client);
        }
        run
    }

    /// Panics unless a text was new to the model in exactly these requests, counted
    /// from 0.
    #[track_caller]
    pub(crate) fn shows_in<const N: usize>(&self, text: &str, expected: [usize; N]) {
        let shows = |(number, request): (usize, &Received)| request.shows(text).then_some(number);
        let found: Vec<_> = self.requests.iter().enumerate().filter_map(shows).collect();
        assert!(found == expected, "{text:?} was new in {found:?}, not in {expected:?}\n{self:#?}");
    }

    /// The first request in which a text was new, such as a prompt.
    #[track_caller]
    pub(crate) fn request_with(&self, text: &str) -> &Received {
        let found = self.requests.iter().find(|request| request.shows(text));
        found.unwrap_or_else(|| panic!("{text:?} did not reach the model\n{self:#?}"))
    }
}

impl fmt::Debug for Run {
    /// Writes the story as the model saw it: the requests without their history, and
    /// without the instructions that a first request begins with.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Received { news, outputs, .. }) in self.requests.iter().enumerate() {
            writeln!(f, "--- request {number}: {outputs:?}\n{}", end_of(news))?;
        }
        write!(f, "--- the client printed\n{}", end_of(&self.output))
    }
}

/// The last few screens of a text.
fn end_of(text: &str) -> &str {
    let start = text.char_indices().rev().nth(4000);
    start.map_or(text, |(start, _)| &text[start..])
}

/// The session id in a client's JSON lines, the last one that it names.
fn session(stdout: &str) -> String {
    let lines = stdout.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let id = |line: Value| {
        let id = line.get("session_id").or_else(|| line.get("thread_id"))?;
        id.as_str().map(str::to_owned)
    };
    lines.filter_map(id).next().unwrap_or_default()
}
