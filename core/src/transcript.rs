//! Looking up what a client wrote to its transcript. Only ever bounded reads, and
//! only for offers that nothing else has proved.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use memchr::memmem;
use serde_json::Value;

/// How much of a transcript is looked through for ids.
const SEARCH_BYTES: u64 = 32 * 1024 * 1024;
/// How much of its end is looked through for tool calls.
const TAIL_BYTES: u64 = 2 * 1024 * 1024;
const CHUNK: usize = 64 * 1024;

/// A transcript's length now, to begin a later search at.
#[must_use]
pub fn length(path: &Path) -> Option<i64> {
    let length = std::fs::metadata(path).ok()?.len();
    i64::try_from(length).ok()
}

/// Whether a text stands in the transcript behind an offset.
#[must_use]
pub fn holds(path: &Path, offset: i64, text: &str) -> bool {
    search(path, u64::try_from(offset).unwrap_or(0), text.as_bytes()).unwrap_or(false)
}

/// Opens a file that somebody else named. A pipe or a device could keep a hook waiting.
///
/// # Errors
/// When it cannot be opened, or is no regular file.
pub fn open_regular(path: &Path) -> std::io::Result<File> {
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(nonblocking).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(std::io::Error::other("not a regular file"))
}

fn search(path: &Path, offset: u64, text: &[u8]) -> std::io::Result<bool> {
    let mut file = open_regular(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut rest = file.take(SEARCH_BYTES);
    let finder = memmem::Finder::new(text);
    let mut buffer: Vec<u8> = Vec::with_capacity(CHUNK + text.len());
    loop {
        let kept = buffer.len();
        let read = rest.by_ref().take(CHUNK as u64).read_to_end(&mut buffer)?;
        if finder.find(&buffer).is_some() {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        // What was read may end in the middle of the text.
        let overlap = (kept + read).min(text.len().saturating_sub(1));
        buffer.drain(..kept + read - overlap);
    }
}

/// Whether two tool calls were asked for in one breath, so that what the first
/// one's hook printed had not reached the model when it asked for the second.
/// None when the transcript does not tell.
#[must_use]
pub fn are_siblings(path: &Path, first: &str, second: &str) -> Option<bool> {
    let mut file = open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES))).ok()?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
    let rows: Vec<&[u8]> = tail.split(|byte| *byte == b'\n').collect();
    let asked_first = rows.iter().position(|row| asks_for(row, first))?;
    let asked_second = rows.iter().position(|row| asks_for(row, second))?;
    if let (Some(one), Some(other)) =
        (response_id(rows[asked_first]), response_id(rows[asked_second]))
    {
        return Some(one == other);
    }
    // Codex closes each response with a record of its use.
    let between = &rows[asked_first.min(asked_second)..asked_first.max(asked_second)];
    Some(!between.iter().any(|row| mentions(row, "\"token_usage_record\"")))
}

fn mentions(row: &[u8], call: &str) -> bool {
    memmem::find(row, call.as_bytes()).is_some()
}

fn asks_for(row: &[u8], call: &str) -> bool {
    let asks = [&b"\"tool_use\""[..], b"\"function_call\"", b"\"custom_tool_call\""];
    mentions(row, call) && asks.iter().any(|mark| memmem::find(row, mark).is_some())
}

/// Claude Code's rows carry the id of the model's response they belong to.
fn response_id(row: &[u8]) -> Option<String> {
    let row: Value = serde_json::from_slice(row).ok()?;
    row.get("message")?.get("id")?.as_str().map(str::to_owned)
}
