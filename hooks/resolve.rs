//! `resolve --id ID`: closes messages.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::resolve::run()
}
