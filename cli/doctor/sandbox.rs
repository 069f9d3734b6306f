//! Whether `resolve` can write the mailbox from inside a client's sandbox.

use std::path::Path;
use std::process::Command;

use mailstop_core::config;
use mailstop_core::text;

use super::Finding;
use super::hooks::Stored;

/// Codex runs one command in the sandbox of its agents without a model.
const CODEX_SANDBOX: [&str; 3] = ["sandbox", "-c", "sandbox_mode=\"workspace-write\""];

/// Runs the real `resolve` in Codex's sandbox, where Codex is there and has our hooks.
pub(crate) fn check(stored: &[Stored]) -> Option<Finding> {
    stored.iter().find(|stored| stored.client.word == "codex")?;
    let folder = config::data_dir()?;
    let resolve = config::executable_folder().join("resolve");
    let output = Command::new("codex")
        .args(CODEX_SANDBOX)
        .arg(&resolve)
        .args(["--id", "mailstop-doctor"])
        .current_dir(std::env::temp_dir())
        .output()
        .ok()?;
    Some(judge(output.status.code(), &String::from_utf8_lossy(&output.stderr), &folder))
}

/// `resolve` must get as far as finding no such message.
fn judge(code: Option<i32>, said: &str, folder: &Path) -> Finding {
    if code == Some(3) {
        return Finding::fine("sandbox", "resolve can write the mailbox inside Codex's sandbox");
    }
    Finding::wrong(
        "sandbox",
        format!(
            "resolve cannot write {} inside Codex's sandbox: {}",
            folder.display(),
            text::line(said.trim())
        ),
        "mailstop install --client codex lets the sandbox write that folder",
    )
}
