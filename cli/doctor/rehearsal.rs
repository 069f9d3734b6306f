//! The main job, done once for real in a scratch mailbox: a message blocks a Stop
//! until it is resolved. The stored commands run exactly as their client runs them.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use mailstop_core::config;
use mailstop_core::shell;
use mailstop_core::text;
use serde_json::{Value, json};

use super::hooks::Stored;

/// A command that takes longer is broken.
const PATIENCE: Duration = Duration::from_secs(10);
/// What would make a command believe it runs in some session.
const SESSION_VARIABLES: [&str; 8] = [
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_ENV_FILE",
    "CODEX_THREAD_ID",
    "CODEX_SESSION_ID",
    "MAILSTOP_SESSION",
    "MAILSTOP",
];

/// What was done and seen.
#[derive(Debug)]
pub(crate) struct Rehearsal {
    /// Whose commands.
    pub(crate) client: String,
    /// Commands and what they printed, in order.
    pub(crate) steps: Vec<(String, String)>,
    /// What went wrong.
    pub(crate) problem: Option<String>,
}

impl Rehearsal {
    /// The rehearsal as a document.
    pub(crate) fn document(&self) -> Value {
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|(command, printed)| json!({ "command": command, "printed": printed }))
            .collect();
        json!({ "client": self.client, "steps": steps, "problem": self.problem })
    }
}

/// Plays the main job with a client's stored Stop command, or with our own
/// executables where no client has any.
pub(crate) fn play(client: &str, stop: Option<&Stored>) -> Rehearsal {
    let name = stop.map_or("no client", |stop| stop.client.name).to_owned();
    let mut rehearsal = Rehearsal { client: name, steps: Vec::new(), problem: None };
    if let Err(problem) = acts(client, stop, &mut rehearsal.steps) {
        rehearsal.problem = Some(problem);
    }
    rehearsal
}

fn acts(
    client: &str,
    stop: Option<&Stored>,
    steps: &mut Vec<(String, String)>,
) -> Result<(), String> {
    let home = tempfile::Builder::new()
        .prefix("mailstop-doctor-")
        .tempdir()
        .map_err(|error| format!("no scratch folder: {error}"))?;
    let stage = Stage { home: home.path(), event: event(client, home.path()) };
    let folder = config::executable_folder();
    let mailstop = folder.join("mailstop");
    let own =
        [folder.join("mailstop-stop").display().to_string(), "--client".into(), client.into()];
    let hook = || match stop {
        Some(Stored { line: Some(line), .. }) => stage.command("sh", &["-c", line]),
        Some(stored) => stage.command(&stored.words[0], &stored.words[1..]),
        None => stage.command(&own[0], &own[1..]),
    };
    let shown = stop.map_or_else(|| own.join(" "), Stored::shown);

    // The first event registers the session under its name.
    stage.hook(hook())?;
    let send = [
        "send",
        "--to",
        "doctor",
        "--from",
        "example",
        "--priority",
        "urgent",
        "--subject",
        "Hello",
        "--body",
        "Please handle me.",
    ];
    let sent = stage.run(stage.command(&mailstop.display().to_string(), &send), "")?;
    steps.push((format!("mailstop {}", line_of(&send)), sent));

    let blocked = stage.hook(hook())?;
    let reason = serde_json::from_str::<Value>(&blocked)
        .ok()
        .filter(|output| output["decision"] == "block")
        .and_then(|output| output["reason"].as_str().map(str::to_owned));
    let reason = reason
        .ok_or_else(|| format!("`{shown}` did not block; it printed `{}`", text::line(&blocked)))?;
    steps.push((shown.clone(), format!("blocked:\n{reason}")));

    let resolve = reason
        .lines()
        .find_map(|line| line.split_once("run: "))
        .map(|(_, command)| command.to_owned())
        .ok_or("the block names no command that clears it")?;
    let resolved = stage.run(stage.command("sh", &["-c", &resolve]), "")?;
    steps.push((resolve, resolved));

    let passed = stage.hook(hook())?;
    if !passed.is_empty() {
        return Err(format!("`{shown}` still blocks: `{}`", text::line(&passed)));
    }
    steps.push((shown, "let go".to_owned()));
    Ok(())
}

/// The scratch folder and the event that is played in it.
struct Stage<'a> {
    home: &'a Path,
    event: String,
}

fn event(client: &str, home: &Path) -> String {
    let turn = if client == "codex" { json!("doctor") } else { Value::Null };
    json!({
        "session_id": "mailstop-doctor",
        "cwd": home,
        "hook_event_name": "Stop",
        "stop_hook_active": false,
        "turn_id": turn,
    })
    .to_string()
}

impl Stage<'_> {
    fn command<S: AsRef<str>>(&self, program: &str, words: &[S]) -> Command {
        let mut command = Command::new(program);
        command.args(words.iter().map(AsRef::as_ref));
        for variable in SESSION_VARIABLES {
            command.env_remove(variable);
        }
        command.env("MAILSTOP_HOME", self.home).env("MAILSTOP_NAME", "doctor");
        command.env("MAILSTOP_CONFIG", self.home.join("config.toml"));
        command
    }

    fn hook(&self, command: Command) -> Result<String, String> {
        self.run(command, &self.event)
    }

    fn run(&self, mut command: Command, input: &str) -> Result<String, String> {
        let shown = command.get_program().to_string_lossy().into_owned();
        let failed = |error: std::io::Error| format!("`{shown}`: {error}");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that reads nothing is judged by what it prints.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = wait(child, &shown)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(format!("`{shown}` failed: {}", text::line(&said)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

fn wait(mut child: Child, shown: &str) -> Result<Output, String> {
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("`{shown}` did not end within {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().map_err(|error| error.to_string())
}

fn line_of(words: &[&str]) -> String {
    words.iter().map(|word| shell::quote_argument(word)).collect::<Vec<_>>().join(" ")
}
