//! Process identity: a number alone can be reused, so a process is known by its
//! number, its start time and the boot of the machine. The only place that asks
//! the system about processes.

use std::path::PathBuf;

use crate::store::ProcessId;

/// One process in a chain of parents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its identity.
    pub id: ProcessId,
    /// Its parent's number.
    pub parent: u32,
    /// Its program's short name.
    pub program: String,
}

/// Programs that only stand between a client and what it runs.
const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "busybox"];

/// More parents than any real chain has.
const LONGEST_CHAIN: usize = 64;

/// The process that runs this hook: its nearest parent that is not a shell, since
/// some clients run hooks through one.
#[must_use]
pub fn client() -> Option<ProcessId> {
    let chain = ancestors();
    let client = chain.iter().find(|process| !SHELLS.contains(&process.program.as_str()));
    client.or(chain.first()).map(|process| process.id.clone())
}

/// The parents of this process, the nearest first.
#[must_use]
pub fn ancestors() -> Vec<Process> {
    let mut chain = Vec::new();
    let mut next = std::os::unix::process::parent_id();
    while next > 0 && chain.len() < LONGEST_CHAIN {
        let Some(process) = system::look_up(next) else {
            break;
        };
        next = process.parent;
        chain.push(process);
    }
    chain
}

/// This boot of the machine; empty where the system does not tell.
#[must_use]
pub fn boot() -> String {
    system::boot()
}

/// Whether a process is still there, and still the same one.
#[must_use]
pub fn is_alive(process: &ProcessId) -> bool {
    system::look_up(process.pid).is_some_and(|found| found.id == *process)
}

/// The words a process was started with, where the system tells them.
#[must_use]
pub fn command_line(process: &ProcessId) -> Vec<String> {
    system::command_line(process.pid)
}

/// The other processes of this user that have one of these files open, by number and
/// program; none where the system does not tell.
#[must_use]
pub fn users_of(files: &[PathBuf]) -> Vec<(u32, String)> {
    system::users_of(files)
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::path::PathBuf;

    use once_cell::sync::Lazy;

    use super::Process;
    use crate::store::ProcessId;

    static BOOT: Lazy<String> = Lazy::new(|| {
        fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
    });

    pub(super) fn boot() -> String {
        BOOT.clone()
    }

    /// From proc(5): `pid (program) state ppid …`, the start time as field 22. The
    /// program's name may itself hold parentheses and spaces.
    pub(super) fn look_up(pid: u32) -> Option<Process> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let (head, tail) = stat.rsplit_once(") ")?;
        let program = head.split_once(" (")?.1.to_owned();
        let mut fields = tail.split(' ');
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let started = fields.nth(17)?.to_owned();
        let dead = matches!(state, "Z" | "X");
        (!dead).then(|| Process {
            id: ProcessId { pid, started, boot: BOOT.clone() },
            parent,
            program,
        })
    }

    pub(super) fn command_line(pid: u32) -> Vec<String> {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect()
    }

    /// From proc(5): a folder a process, in it a link an open file.
    pub(super) fn users_of(files: &[PathBuf]) -> Vec<(u32, String)> {
        let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| *pid != std::process::id() && has_open(*pid, files))
            .filter_map(|pid| Some((pid, look_up(pid)?.program)))
            .collect()
    }

    fn has_open(pid: u32, files: &[PathBuf]) -> bool {
        let links = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        links.filter_map(|link| fs::read_link(link.path()).ok()).any(|open| files.contains(&open))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::path::PathBuf;
    use std::process::Command;

    use super::Process;
    use crate::store::ProcessId;

    pub(super) fn boot() -> String {
        String::new()
    }

    fn ps(pid: u32, columns: &str) -> Option<String> {
        let output =
            Command::new("ps").args(["-o", columns, "-p", &pid.to_string()]).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    pub(super) fn look_up(pid: u32) -> Option<Process> {
        let line = ps(pid, "ppid=,lstart=,ucomm=")?;
        let mut fields = line.split_whitespace();
        let parent = fields.next()?.parse().ok()?;
        let started: Vec<&str> = fields.by_ref().take(5).collect();
        let program = fields.next()?.trim_start_matches('-').to_owned();
        // The start time is a date here, which no two boots share.
        let id = ProcessId { pid, started: started.join(" "), boot: String::new() };
        Some(Process { id, parent, program })
    }

    pub(super) fn command_line(pid: u32) -> Vec<String> {
        let line = ps(pid, "args=").unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect()
    }

    pub(super) fn users_of(_files: &[PathBuf]) -> Vec<(u32, String)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_alive_and_a_stranger_with_its_number_is_not() {
        let parent = ancestors().into_iter().next().expect("a test has a parent").id;
        assert!(is_alive(&parent));
        assert!(!is_alive(&ProcessId { started: "never".to_owned(), ..parent }));
    }
}
