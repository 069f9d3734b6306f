//! The most memory that a process ever had, as the system counts it for a parent
//! that waits. The count begins with the parent's own memory, so a small helper,
//! this executable started afresh, does the waiting.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

use crate::Result;
use crate::mailbox::Mailbox;
use crate::process::{POST_TOOL_USE, Program};

const FLAG: &str = "--peak-of";

/// When this process is the helper: runs a program and prints its peak in KiB.
pub(crate) fn as_helper(words: &[String]) -> Option<Result<()>> {
    let [flag, program] = words else {
        return None;
    };
    (flag == FLAG).then(|| {
        Command::new(program).stdout(Stdio::null()).status()?;
        println!("{}", getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss());
        Ok(())
    })
}

/// The peak of a tool call's hook.
pub(crate) fn peak_kib(mailbox: &Mailbox, input: &Path) -> Result<u64> {
    peak_of(&mailbox.hook(POST_TOOL_USE), input)
}

/// The peak of a program; never less than what the helper itself has.
pub(crate) fn peak_of(program: &Program, input: &Path) -> Result<u64> {
    let plain = program.command();
    let mut helper = Command::new(std::env::current_exe()?);
    helper.arg(FLAG).arg(plain.get_program()).env_clear();
    for (name, value) in plain.get_envs() {
        if let Some(value) = value {
            helper.env(name, value);
        }
    }
    let output = helper.stdin(File::open(input)?).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
