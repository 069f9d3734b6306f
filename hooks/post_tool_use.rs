//! The hook for PostToolUse and its twin for failed calls: a tool call ended.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::hook::run(&["PostToolUse", "PostToolUseFailure"])
}
