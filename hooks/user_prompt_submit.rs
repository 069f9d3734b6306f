//! The hook for UserPromptSubmit: a turn begins.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::hook::run(&["UserPromptSubmit"])
}
