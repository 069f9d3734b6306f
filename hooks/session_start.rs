//! The hook for SessionStart: a session begins.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::hook::run(&["SessionStart"])
}
