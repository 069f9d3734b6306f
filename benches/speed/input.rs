//! The events that the hooks read, as files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Result;

/// The session whose hooks are measured.
pub(crate) const SESSION: &str = "0c7e2a52-6a5c-4a0e-9a3f-6d3cf2a7b111";
const FLOOD_BYTES: usize = 50 * 1024 * 1024;

/// One file an event.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) start: PathBuf,
    pub(crate) prompt: PathBuf,
    pub(crate) tool: PathBuf,
    pub(crate) stop: PathBuf,
    /// A tool call with 50 MiB of output.
    pub(crate) flood: PathBuf,
}

impl Inputs {
    pub(crate) fn write(scratch: &Path) -> Result<Inputs> {
        let file = |name: &str, text: String| -> Result<PathBuf> {
            let path = scratch.join(name);
            fs::write(&path, text)?;
            Ok(path)
        };
        let flood = scratch.join("flood.json");
        write_flood(&flood, scratch)?;
        Ok(Inputs {
            start: file("start.json", event(SESSION, "SessionStart", scratch))?,
            prompt: file("prompt.json", event(SESSION, "UserPromptSubmit", scratch))?,
            tool: file("tool.json", event(SESSION, "PostToolUse", scratch))?,
            stop: file("stop.json", event(SESSION, "Stop", scratch))?,
            flood,
        })
    }
}

/// An event as Claude Code says it, with a tool's output of usual size.
pub(crate) fn event(session: &str, name: &str, cwd: &Path) -> String {
    let mut event = json!({
        "session_id": session,
        "transcript_path": cwd.join("transcript.jsonl"),
        "cwd": cwd,
        "permission_mode": "default",
        "hook_event_name": name,
    });
    let more = match name {
        "SessionStart" => json!({ "source": "startup" }),
        "UserPromptSubmit" => json!({ "prompt": "Go on." }),
        "Stop" => json!({ "stop_hook_active": false }),
        _ => json!({
            "tool_name": "Bash",
            "tool_input": { "command": "cargo test", "description": "Run the tests" },
            "tool_response": { "stdout": "ok, and on it goes\n".repeat(100), "stderr": "" },
            "tool_use_id": "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
            "duration_ms": 12,
        }),
    };
    if let (Value::Object(event), Value::Object(more)) = (&mut event, more) {
        event.extend(more);
    }
    event.to_string()
}

fn write_flood(path: &Path, cwd: &Path) -> Result<()> {
    let whole = event(SESSION, "PostToolUse", cwd);
    let (head, tail) =
        whole.split_once("ok, and").ok_or("the event has no output to make longer")?;
    let line = "a line of output with \\\"quotes\\\" and a backslash \\\\ in it\\n";
    let mut file = std::io::BufWriter::new(File::create(path)?);
    file.write_all(head.as_bytes())?;
    for _ in 0..FLOOD_BYTES / line.len() {
        file.write_all(line.as_bytes())?;
    }
    file.write_all(tail.as_bytes())?;
    Ok(file.flush()?)
}
