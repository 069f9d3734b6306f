//! A scratch mailbox, the sessions in it, and the executables that act on it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const START: &str = concat!(env!("CARGO_BIN_EXE_mailstop"), "-session-start");
pub(crate) const PROMPT: &str = concat!(env!("CARGO_BIN_EXE_mailstop"), "-user-prompt-submit");
pub(crate) const TOOL: &str = concat!(env!("CARGO_BIN_EXE_mailstop"), "-post-tool-use");
pub(crate) const STOP: &str = concat!(env!("CARGO_BIN_EXE_mailstop"), "-stop");
pub(crate) const OBSERVE: &str = concat!(env!("CARGO_BIN_EXE_mailstop"), "-observe");
pub(crate) const MAILSTOP: &str = env!("CARGO_BIN_EXE_mailstop");
pub(crate) const RESOLVE: &str = env!("CARGO_BIN_EXE_resolve");

/// The schema version of this build.
pub(crate) const SCHEMA: i64 = 7;

/// A home of its own, gone when the story ends.
pub(crate) struct World {
    scratch: TempDir,
    ids: Mutex<Vec<String>>,
}

/// What a command said.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    pub(crate) fn new() -> World {
        let scratch = TempDir::new().unwrap();
        std::fs::create_dir(scratch.path().join("work")).unwrap();
        World { scratch, ids: Mutex::default() }
    }

    /// A world whose settings are these lines of TOML.
    pub(crate) fn with_config(text: &str) -> World {
        let world = World::new();
        let folder = world.path(".config/mailstop");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), text).unwrap();
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    pub(crate) fn session(&self, id: &str) -> crate::session::Session<'_> {
        crate::session::Session::new(self, id)
    }

    /// A command that knows this world and nothing else.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.scratch.path())
            .env("MAILSTOP_HOME", self.path("mail"))
            .env("MAILSTOP_COURIER", "off")
            .current_dir(self.path("work"));
        command
    }

    /// A process called `claude` that runs what its `STORY` says, and ends.
    pub(crate) fn client(&self) -> Command {
        let program = self.path("claude");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stories/client.sh");
        if !program.exists() {
            std::os::unix::fs::symlink(script, &program).unwrap();
        }
        self.command(program)
    }

    /// A file with an event, for a hook that another process starts.
    pub(crate) fn event(&self, name: &str, payload: &Value) -> String {
        let path = self.path(name);
        std::fs::write(&path, payload.to_string()).unwrap();
        path.display().to_string()
    }

    /// Runs `mailstop` as the person at the keyboard.
    pub(crate) fn mailstop(&self, words: &[&str]) -> Said {
        let mut command = self.command(MAILSTOP);
        command.args(words);
        self.said(&mut command, b"")
    }

    /// Runs the `resolve` executable.
    pub(crate) fn resolve(&self, words: &[&str]) -> Said {
        let mut command = self.command(RESOLVE);
        command.args(words);
        self.said(&mut command, b"")
    }

    /// Runs `mailstop` for its JSON document.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let mut command = self.command(MAILSTOP);
        let output = run(command.args(words).arg("--json"), b"");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{words:?}: {output:?}"))
    }

    /// Sends a message as the person, and returns its id.
    pub(crate) fn send(&self, to: &str, words: &[&str]) -> String {
        let mut all = vec!["send", "--to", to, "--body", "text"];
        all.extend(words);
        let document = self.json(&all);
        let id = document["id"].as_str().unwrap_or_else(|| panic!("{document}")).to_owned();
        self.learn(&id);
        id
    }

    /// From now on this id is written as `<n>`.
    pub(crate) fn learn(&self, id: &str) {
        self.ids.lock().unwrap().push(id.to_owned());
    }

    /// The id that is written as `<n>`.
    pub(crate) fn id(&self, number: usize) -> String {
        self.ids.lock().unwrap()[number - 1].clone()
    }

    /// The outcome of a message for its slowest recipient.
    pub(crate) fn outcome(&self, id: &str) -> String {
        self.json(&["status", id])["outcome"].as_str().unwrap().to_owned()
    }

    /// What proved a message, in one word for each recipient.
    pub(crate) fn proof(&self, id: &str) -> String {
        let document = self.json(&["status", id]);
        let of = |one: &Value| one["proof"].as_str().unwrap_or("-").to_owned();
        let proofs: Vec<String> =
            document["recipients"].as_array().unwrap().iter().map(of).collect();
        proofs.join(" ")
    }

    pub(crate) fn said(&self, command: &mut Command, stdin: &[u8]) -> Said {
        let output = run(command, stdin);
        Said {
            status: output.status.code().unwrap_or(-1),
            stdout: self.redact(&String::from_utf8(output.stdout).unwrap()),
            stderr: self.redact(&String::from_utf8(output.stderr).unwrap()),
        }
    }

    /// Paths and ids as the same words in every run.
    pub(crate) fn redact(&self, text: &str) -> String {
        let bin = Path::new(MAILSTOP).parent().unwrap();
        let mut text = text
            .replace(&format!("{}/", bin.display()), "")
            .replace(&self.scratch.path().display().to_string(), "~");
        for (place, id) in self.ids.lock().unwrap().iter().enumerate() {
            text = text.replace(id.as_str(), &format!("<{}>", place + 1));
        }
        text
    }

    /// Changes the mailbox behind everybody's back, as time or another build would.
    pub(crate) fn sql(&self, text: &str) {
        let mailbox = rusqlite::Connection::open(self.path("mail/mailstop.db")).unwrap();
        mailbox.execute_batch(text).unwrap();
    }

    /// Makes everything that was stored so far this many hours older.
    pub(crate) fn age(&self, hours: i64) {
        let by = hours * 3_600_000;
        self.sql(&format!(
            "UPDATE messages SET created_at = created_at - {by}, closed_at = closed_at - {by},
               expires_at = expires_at - {by};"
        ));
    }

    /// The failures that hooks noted.
    pub(crate) fn errors(&self) -> String {
        std::fs::read_to_string(self.path("mail/errors.log")).unwrap_or_default()
    }
}

/// Runs a command to its end; one that reads nothing breaks nobody.
pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = pipe.write_all(stdin);
        });
        child.wait_with_output().unwrap()
    })
}

/// Starts a command and gives it all of its input.
pub(crate) fn begin(command: &mut Command, stdin: &[u8], stdout: Stdio) -> Child {
    let mut child =
        command.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::null()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child
}

/// A document without the members that are null.
pub(crate) fn event(members: &Value) -> Value {
    let mut members = members.clone();
    if let Some(object) = members.as_object_mut() {
        object.retain(|_, value| !value.is_null());
    }
    json!(members)
}
