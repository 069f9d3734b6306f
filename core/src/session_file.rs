//! The file in which Claude Code says what a running session is doing. It tells what fires
//! no hook: a dialog that its user refused, and a turn that was stopped by Esc.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::message::Millis;

/// More than such a file ever has.
const LONGEST: u64 = 64 * 1024;

/// What a client says that a session is doing, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// What it is doing.
    pub doing: Doing,
    /// Since when.
    pub since: Millis,
}

/// What a client says that a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Doing {
    /// It waits for a prompt, perhaps with a command running in the background.
    #[serde(alias = "shell")]
    Idle,
    /// It is in a turn.
    Busy,
    /// It asks its user something.
    Waiting,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    session_id: String,
    status: Doing,
    status_updated_at: Millis,
}

/// What the process says that runs a session with this transcript. None where it keeps no
/// such file, or runs another session by now.
#[must_use]
pub fn read(transcript: &Path, key: &str, pid: u32) -> Option<Word> {
    let mut text = Vec::new();
    File::open(path(transcript, pid)?).ok()?.take(LONGEST).read_to_end(&mut text).ok()?;
    let wire: Wire = serde_json::from_slice(&text).ok()?;
    (wire.session_id == key).then_some(Word { doing: wire.status, since: wire.status_updated_at })
}

/// Transcripts are in `projects/FOLDER/` of the client's folder, these files in `sessions/`.
fn path(transcript: &Path, pid: u32) -> Option<PathBuf> {
    let projects = transcript.parent()?.parent()?;
    (projects.file_name()? == "projects")
        .then(|| projects.with_file_name("sessions").join(format!("{pid}.json")))
}
