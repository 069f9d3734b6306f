//! The hook for Stop: the agent wants to stop.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::hook::run(&["Stop"])
}
