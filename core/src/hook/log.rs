//! `errors.log`: one line a failure of a hook, without message text, and bounded.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use crate::config;
use crate::message::Millis;
use crate::text;

/// A longer log begins anew; the one before it is kept.
const LONGEST: u64 = 256 * 1024;

/// Notes a failure. Failing to do so is all that may happen.
pub(super) fn append(now: Millis, event: &str, problem: &str) {
    let Some(folder) = config::data_dir() else {
        return;
    };
    let path = folder.join("errors.log");
    if fs::metadata(&path).is_ok_and(|log| log.len() > LONGEST) {
        let _ = fs::rename(&path, folder.join("errors.log.old"));
    }
    let line = format!("{now} {event} {}\n", text::line(problem));
    if let Ok(mut log) = OpenOptions::new().append(true).create(true).mode(0o600).open(path) {
        let _ = log.write_all(line.as_bytes());
    }
}

/// The last lines of the log, the oldest first: time, event and problem.
#[must_use]
pub fn recent_errors(count: usize) -> Vec<String> {
    let read = |name: &str| config::data_dir().and_then(|folder| fs::read(folder.join(name)).ok());
    let mut log = read("errors.log.old").unwrap_or_default();
    log.extend(read("errors.log").unwrap_or_default());
    let log = String::from_utf8_lossy(&log).into_owned();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(count)..].iter().map(|line| (*line).to_owned()).collect()
}
