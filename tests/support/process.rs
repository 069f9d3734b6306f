//! Running a client: bounded in time, and with nothing left behind.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// What a process left.
pub(crate) struct Finished {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command to its end, or ends its whole process group after `limit`.
pub(crate) fn run(command: &mut Command, input: &str, limit: Duration) -> io::Result<Finished> {
    // Files and not pipes: a grandchild that lives on would hold a pipe open. What it
    // reads is a pipe, since a client may not read from a file.
    let (stdout, stderr) = (Captured::new()?, Captured::new()?);
    command.stdout(stdout.writer()?).stderr(stderr.writer()?);
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    let mut child = command.process_group(0).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let ended = wait(&mut child, limit);
    end_group(&child);
    let status = child.wait()?;
    let (stdout, stderr) = (stdout.text()?, stderr.text()?);
    if !ended? {
        let text = format!("still running after {limit:?}\n{stdout}\n{stderr}");
        return Err(io::Error::new(io::ErrorKind::TimedOut, text));
    }
    Ok(Finished { status, stdout, stderr })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<bool> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(false)
}

fn end_group(child: &Child) {
    if let Some(group) = pid(child.id()) {
        kill_process_group(group, Signal::KILL).ok();
    }
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// Ends every process that was started with a scratch home as its `HOME`: clients
/// give hooks and commands sessions of their own, outside of the process group.
/// Where there is no `/proc` the group has to do.
pub(crate) fn end_all_with_home(home: &Path) {
    let variable = format!("HOME={}", home.display());
    let Ok(processes) = fs::read_dir("/proc") else {
        return;
    };
    for entry in processes.flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes()) {
            pid(number).map(|pid| kill_process(pid, Signal::KILL));
        }
    }
}

/// An unnamed file that a process writes to.
struct Captured(File);

impl Captured {
    fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Self)
    }

    fn writer(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    fn text(mut self) -> io::Result<String> {
        self.0.rewind()?;
        let mut bytes = Vec::new();
        self.0.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
