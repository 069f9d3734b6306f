//! The hook for events that are only noted: SessionEnd.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::hook::run(&["SessionEnd"])
}
